//! What threads may still do, and which values may still be read.

use crate::invariants::Rejected;
use ir::{Cfa, LocId, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

type Variables = FxHashSet<Term>;
type At = (ProcId, LocId);

/// What a thread may touch of the variables that threads share.
#[derive(Clone, Default)]
pub struct Touched {
    pub read: Variables,
    pub written: Variables,
}

impl Touched {
    fn size(&self) -> usize {
        self.read.len() + self.written.len()
    }

    /// Whether the order matters in which this and the other happen.
    pub fn conflicts(&self, other: &Touched) -> bool {
        let meets = |a: &Variables, b: &Variables| !a.is_disjoint(b);
        meets(&self.written, &other.written) || meets(&self.written, &other.read) || meets(&self.read, &other.written)
    }
}

pub struct Flow {
    now: FxHashMap<At, Touched>,
    later: FxHashMap<At, Touched>,
    /// The variables, shared or not, that a thread may read before it writes them.
    wanted: FxHashMap<At, Variables>,
    /// Where a step may stop others or start threads without end.
    disruptive: FxHashSet<At>,
}

/// What an operation reads and writes.
fn touches(op: &Op) -> (Variables, Variables) {
    (term::free::variables(op.reads()).into_iter().collect(), op.writes().into_iter().collect())
}

impl Flow {
    pub fn new(program: &Program) -> Result<Flow, Rejected> {
        let mut flow = Flow {
            now: FxHashMap::default(),
            later: FxHashMap::default(),
            wanted: FxHashMap::default(),
            disruptive: FxHashSet::default(),
        };
        let bodies: Vec<(ProcId, &Cfa)> =
            program.procedures().filter_map(|(id, procedure)| Some((id, procedure.body.as_ref().ok()?))).collect();
        let has_calls = |cfa: &Cfa| cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. }));
        if bodies.len() < program.procedures.len() || bodies.iter().any(|(_, cfa)| has_calls(cfa)) {
            return Err(Rejected::NotComplete("the program has calls".into()));
        }
        let globals = program.globals.iter().filter(|global| !global.thread_local);
        let shared: Variables = globals.map(|global| global.term).collect();
        for (id, cfa) in &bodies {
            for (_, edge) in cfa.edges() {
                let (read, written) = touches(&edge.op);
                let now = flow.now.entry((*id, edge.from)).or_default();
                now.read.extend(read.intersection(&shared));
                now.written.extend(written.intersection(&shared));
            }
        }
        flow.later = flow.now.clone();
        while flow.grow(&bodies, &shared) {}
        flow.find_disruptive(program, &bodies);
        Ok(flow)
    }

    /// Carries what is known against the edges: whether that told anything new.
    fn grow(&mut self, bodies: &[(ProcId, &Cfa)], shared: &Variables) -> bool {
        let mut is_new = false;
        for (id, cfa) in bodies {
            let edges: Vec<&ir::Edge> = cfa.edges().map(|(_, edge)| edge).collect();
            for edge in edges.into_iter().rev() {
                let mut later = self.later.get(&(*id, edge.to)).cloned().unwrap_or_default();
                let (read, written) = touches(&edge.op);
                let mut wanted = self.wanted.get(&(*id, edge.to)).cloned().unwrap_or_default();
                wanted.retain(|variable| !written.contains(variable));
                wanted.extend(read);
                if let Op::Spawn { procedure, .. } = &edge.op {
                    let entry = bodies.iter().find(|(id, _)| id == procedure).map(|(_, cfa)| cfa.entry());
                    let started =
                        entry.and_then(|entry| self.later.get(&(*procedure, entry))).cloned().unwrap_or_default();
                    wanted.extend(started.read.intersection(shared));
                    later.read.extend(started.read);
                    later.written.extend(started.written);
                }
                let known = self.later.entry((*id, edge.from)).or_default();
                let before = known.size();
                known.read.extend(later.read);
                known.written.extend(later.written);
                is_new |= known.size() > before;
                let known = self.wanted.entry((*id, edge.from)).or_default();
                let before = known.len();
                known.extend(wanted);
                is_new |= known.len() > before;
            }
        }
        is_new
    }

    fn find_disruptive(&mut self, program: &Program, bodies: &[(ProcId, &Cfa)]) {
        // Where control can come from each location that starts a thread.
        let mut next: FxHashMap<At, Vec<At>> = FxHashMap::default();
        for (id, cfa) in bodies {
            for (_, edge) in cfa.edges() {
                let targets = next.entry((*id, edge.from)).or_default();
                targets.push((*id, edge.to));
                if let Op::Spawn { procedure, .. } = &edge.op {
                    let entries = bodies.iter().filter(|(id, _)| id == procedure).map(|(id, cfa)| (*id, cfa.entry()));
                    targets.extend(entries);
                }
            }
        }
        let returns_to = |start: At| {
            let mut seen: FxHashSet<At> = FxHashSet::default();
            let mut pending = next.get(&start).cloned().unwrap_or_default();
            while let Some(at) = pending.pop() {
                if seen.insert(at) {
                    pending.extend(next.get(&at).into_iter().flatten());
                }
            }
            seen.contains(&start)
        };
        for (id, cfa) in bodies {
            for (_, edge) in cfa.edges() {
                let ends = cfa.location(edge.to).kind == ir::LocationKind::End
                    || (*id == program.entry && edge.to == cfa.exit());
                let starts = matches!(edge.op, Op::Spawn { .. });
                if ends || matches!(edge.op, Op::AtomicBegin) || (starts && returns_to((*id, edge.from))) {
                    self.disruptive.insert((*id, edge.from));
                }
            }
        }
    }

    pub fn now(&self, at: At) -> Touched {
        self.now.get(&at).cloned().unwrap_or_default()
    }

    pub fn later(&self, at: At) -> Touched {
        self.later.get(&at).cloned().unwrap_or_default()
    }

    pub fn is_disruptive(&self, at: At) -> bool {
        self.disruptive.contains(&at)
    }

    /// Whether a thread may read its own variable before it writes it.
    pub fn wants(&self, at: At, variable: Term) -> bool {
        self.wanted.get(&at).is_some_and(|wanted| wanted.contains(&variable))
    }
}
