//! The program as the search through crowds sees it: where values are kept, and where a thread goes on by itself.
//!
//! A location is *quiet* if no other thread can see or change what its edges do: they touch the thread's own variables alone, or
//! read what is not written any more once there are threads. A thread at a quiet location may as well go on at once. Loops are cut
//! by locations that do not count as quiet.

use analysis::live::Live;
use analysis::retreating::heads;
use engine::Reason;
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use term::Term;

/// Where a variable's value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    Shared(usize),
    Own(usize),
}

/// A procedure that threads run.
pub struct Body<'a> {
    pub cfa: &'a Cfa,
    pub slots: FxHashMap<Term, Slot>,
    /// A thread's own variables: its copies of thread-local globals, parameters, results and locals.
    pub own: Vec<Term>,
    pub parameters: Vec<usize>,
    /// By location, the numbers of own variables whose values are not read any more.
    pub dead: Vec<Vec<usize>>,
    /// By location, whether a thread goes on at once.
    pub quiet: Vec<bool>,
    /// By location, whether it cuts a loop.
    pub cut: Vec<bool>,
}

pub struct Code<'a> {
    pub program: &'a Program,
    pub shared: Vec<Term>,
    pub bodies: Vec<Body<'a>>,
    /// Whether an edge may start threads again and again.
    pub is_unbounded: bool,
}

type Places = FxHashSet<(ProcId, LocId)>;

impl<'a> Code<'a> {
    pub fn new(program: &'a Program) -> Result<Code<'a>, Reason> {
        if !program.axioms.is_empty() {
            return Err(Reason::NotAttempted("threads are not counted where there are axioms".to_string()));
        }
        let globals = |local: bool| program.globals.iter().filter(move |global| global.thread_local == local);
        let shared: Vec<Term> = globals(false).map(|global| global.term).collect();
        let copies: Vec<Term> = globals(true).map(|global| global.term).collect();
        let mut bodies = Vec::new();
        for (id, procedure) in program.procedures() {
            let Ok(cfa) = &procedure.body else {
                let what = Symbol::new("a thread without a body");
                return Err(Reason::Unsupported { what, place: procedure.place });
            };
            let declared = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals);
            let own: Vec<Term> = copies.iter().copied().chain(declared.map(|variable| variable.term)).collect();
            let mut slots: FxHashMap<Term, Slot> =
                shared.iter().enumerate().map(|(n, v)| (*v, Slot::Shared(n))).collect();
            slots.extend(own.iter().enumerate().map(|(n, v)| (*v, Slot::Own(n))));
            let parameters = (copies.len()..copies.len() + procedure.parameters.len()).collect();
            let live = Live::new(program, id);
            let is_dead = |location, number: &usize| *number >= copies.len() && !live.at(location, own[*number]);
            let dead = cfa.locations().map(|(at, _)| (0..own.len()).filter(|n| is_dead(at, n)).collect()).collect();
            let quiet = vec![false; cfa.location_count()];
            let mut cut = quiet.clone();
            heads(cfa).into_iter().for_each(|head| cut[head.0 as usize] = true);
            bodies.push(Body { cfa, slots, own, parameters, dead, quiet, cut });
        }
        let mut code = Code { program, shared, bodies, is_unbounded: false };
        code.find_quiet()?;
        Ok(code)
    }

    pub fn body(&self, procedure: ProcId) -> &Body<'a> {
        &self.bodies[procedure.0 as usize]
    }

    /// Whether the program as a whole ends where a thread comes here.
    pub fn is_end(&self, procedure: ProcId, location: LocId, is_first: bool) -> bool {
        let cfa = self.body(procedure).cfa;
        cfa.location(location).kind == LocationKind::End || is_first && location == cfa.exit()
    }

    fn edges(&self) -> impl Iterator<Item = (ProcId, EdgeId, &'a ir::Edge)> + use<'a, '_> {
        let numbered = self.bodies.iter().zip(0..);
        numbered.flat_map(|(body, id)| body.cfa.edges().map(move |(edge, e)| (ProcId(id), edge, e)))
    }

    fn find_quiet(&mut self) -> Result<(), Reason> {
        if self.program.reads_thread_numbers() {
            return Err(Reason::NotAttempted("the number of a thread is read".to_string()));
        }
        let late = self.late();
        let mut written: FxHashSet<Term> = FxHashSet::default();
        for (id, _, edge) in self.edges() {
            if matches!(edge.op, Op::Call { .. }) {
                return Err(Reason::Internal("a call is left".to_string()));
            }
            if late.contains(&(id, edge.from)) {
                written.extend(edge.op.writes());
            }
        }
        let mut loud = Places::default();
        for (id, _, edge) in self.edges() {
            let slots = &self.body(id).slots;
            let is_shared = |variable: &Term| matches!(slots.get(variable), Some(Slot::Shared(_)));
            let (reads, writes) = (edge.op.reads(), edge.op.writes());
            let is_plain = matches!(edge.op, Op::Assign(_) | Op::Assume(_) | Op::Havoc(_));
            let touches = writes.iter().any(is_shared)
                || term::free::variables(reads).iter().any(|v| is_shared(v) && written.contains(v));
            let ends = self.is_end(id, edge.to, id == self.program.entry);
            if !is_plain || ends || touches && late.contains(&(id, edge.from)) {
                loud.insert((id, edge.from));
            }
        }
        let is_unbounded = self.edges().any(|(id, _, edge)| self.repeats(id, edge));
        self.is_unbounded = is_unbounded;
        for (body, id) in self.bodies.iter_mut().zip(0..) {
            let quiet = |(at, _)| !body.cut[at as usize] && !loud.contains(&(ProcId(id), LocId(at)));
            body.quiet = (0..).zip(body.cfa.locations()).map(quiet).collect();
        }
        Ok(())
    }

    /// The locations where there may be a second thread.
    fn late(&self) -> Places {
        let mut pending: Vec<(ProcId, LocId)> = Vec::new();
        for (id, _, edge) in self.edges() {
            if let Op::Spawn { procedure, .. } = edge.op {
                pending.extend([(id, edge.to), (procedure, self.body(procedure).cfa.entry())]);
            }
        }
        self.reached(pending)
    }

    fn reached(&self, mut pending: Vec<(ProcId, LocId)>) -> Places {
        let mut found = Places::default();
        while let Some((id, at)) = pending.pop() {
            if found.insert((id, at)) {
                let cfa = self.body(id).cfa;
                for edge in cfa.outgoing(at).iter().map(|edge| cfa.edge(*edge)) {
                    pending.push((id, edge.to));
                    if let Op::Spawn { procedure, .. } = edge.op {
                        pending.push((procedure, self.body(procedure).cfa.entry()));
                    }
                }
            }
        }
        found
    }

    /// Whether an edge that starts a thread may be taken again, by whomever it leads to.
    fn repeats(&self, id: ProcId, edge: &ir::Edge) -> bool {
        let Op::Spawn { procedure, .. } = edge.op else { return false };
        self.reached(vec![(id, edge.to), (procedure, self.body(procedure).cfa.entry())]).contains(&(id, edge.from))
    }
}
