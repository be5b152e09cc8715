//! What threads share: which globals need a copy for each round, and after which edges another thread may see a difference.

use ir::{Cfa, LocId, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use term::Term;
use term::free::Free;

/// What is known of a program's threads before it is woven.
pub struct Sharing {
    /// The globals that a thread may see change while it does not run, in the order of their declarations.
    pub copied: Vec<Term>,
    /// Whether a procedure, or one that it calls or starts, has an error or an unsupported location.
    pub may_fail: Vec<bool>,
    /// Whether that holds of a procedure that a thread starts with.
    pub threads_fail: bool,
    /// Whether some program text reads the number of a thread that was started.
    pub has_numbers: bool,
    /// Where a thread may be interrupted: the locations, by procedure.
    points: FxHashSet<(ProcId, LocId)>,
}

impl Sharing {
    pub fn of(program: &Program) -> Sharing {
        let mut survey = Survey { program, free: Free::new() };
        let threads = survey.thread_code();
        let late = survey.after_a_start(&threads);
        let copied = survey.copied(&threads, &late);
        let points = survey.points(&copied, &late);
        let may_fail = survey.may_fail();
        let threads_fail = survey.edges().any(|(_, edge)| match edge.op {
            Op::Spawn { procedure, .. } => may_fail[procedure.0 as usize],
            _ => false,
        });
        let has_numbers = survey.reads_numbers();
        Sharing { copied, may_fail, threads_fail, has_numbers, points }
    }

    /// Whether a thread may be interrupted here, outside atomic sections.
    pub fn is_point(&self, procedure: ProcId, location: LocId) -> bool {
        self.points.contains(&(procedure, location))
    }
}

/// Whether a program starts threads at all.
pub fn starts_threads(program: &Program) -> bool {
    program.procedures.iter().flat_map(|p| p.body.iter()).flat_map(Cfa::edges).any(|(_, edge)| is_start(&edge.op))
}

fn is_start(op: &Op) -> bool {
    matches!(op, Op::Spawn { .. })
}

type Places = FxHashSet<(ProcId, LocId)>;

struct Survey<'a> {
    program: &'a Program,
    free: Free,
}

impl<'a> Survey<'a> {
    fn bodies(&self) -> impl Iterator<Item = (ProcId, &'a Cfa)> + use<'a> {
        self.program.procedures().filter_map(|(id, procedure)| Some((id, procedure.body.as_ref().ok()?)))
    }

    fn edges(&self) -> impl Iterator<Item = (ProcId, &'a ir::Edge)> + use<'a> {
        self.bodies().flat_map(|(id, cfa)| cfa.edges().map(move |(_, edge)| (id, edge)))
    }

    /// The procedures that threads other than the first may run.
    fn thread_code(&self) -> FxHashSet<ProcId> {
        let started = self.edges().filter_map(|(_, edge)| match edge.op {
            Op::Spawn { procedure, .. } => Some(procedure),
            _ => None,
        });
        let mut pending: Vec<ProcId> = started.collect();
        let mut found: FxHashSet<ProcId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            for (_, edge) in self.program.procedure(id).body.iter().flat_map(Cfa::edges) {
                if let Op::Call { procedure, .. } = edge.op
                    && found.insert(procedure)
                {
                    pending.push(procedure);
                }
            }
        }
        found
    }

    /// The locations where a second thread may be alive.
    fn after_a_start(&self, threads: &FxHashSet<ProcId>) -> Places {
        let mut found = Places::default();
        let mut pending: Vec<(ProcId, LocId)> = Vec::new();
        let starts = self.edges().filter(|(_, edge)| is_start(&edge.op)).map(|(id, edge)| (id, edge.to));
        pending.extend(starts);
        pending.extend(self.bodies().filter(|(id, _)| threads.contains(id)).map(|(id, cfa)| (id, cfa.entry())));
        while let Some((id, location)) = pending.pop() {
            let Ok(cfa) = &self.program.procedure(id).body else { continue };
            if !found.insert((id, location)) {
                continue;
            }
            for edge in cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge)) {
                pending.push((id, edge.to));
                if let Op::Call { procedure, .. } = edge.op
                    && let Ok(callee) = &self.program.procedure(procedure).body
                {
                    pending.push((procedure, callee.entry()));
                }
            }
            if location == cfa.exit() {
                let calls =
                    self.edges().filter(|(_, edge)| matches!(edge.op, Op::Call { procedure, .. } if procedure == id));
                pending.extend(calls.map(|(caller, edge)| (caller, edge.to)));
            }
        }
        found
    }

    fn reads(&mut self, op: &Op) -> Vec<Term> {
        op.reads().into_iter().flat_map(|term| self.free.of(term).to_vec()).collect()
    }

    /// A global that no thread but the first touches, or that nobody changes once there is a second one, is the same in
    /// every round.
    fn copied(&mut self, threads: &FxHashSet<ProcId>, late: &Places) -> Vec<Term> {
        let (mut changed, mut touched) = (FxHashSet::default(), FxHashSet::default());
        for (id, edge) in self.edges() {
            let targets = edge.op.writes();
            // A call changes its targets when it returns.
            if late.contains(&(id, edge.from)) || late.contains(&(id, edge.to)) {
                changed.extend(targets.iter().copied());
            }
            if threads.contains(&id) {
                touched.extend(targets);
                touched.extend(self.reads(&edge.op));
            }
        }
        let shared = self.program.globals.iter().filter(|global| !global.thread_local).map(|global| global.term);
        shared.filter(|global| changed.contains(global) && touched.contains(global)).collect()
    }

    /// The locations behind edges that others can see, or that let others run. What a thread does between two of them
    /// only it can see, so it may as well do it when it runs next.
    fn points(&mut self, copied: &[Term], late: &Places) -> Places {
        let copied: FxHashSet<Term> = copied.iter().copied().collect();
        let mut points = Places::default();
        for (id, edge) in self.edges() {
            let reads = self.reads(&edge.op).iter().any(|variable| copied.contains(variable));
            let writes = edge.op.writes().iter().any(|variable| copied.contains(variable));
            match edge.op {
                Op::Call { procedure, .. } => {
                    if let (true, Ok(callee)) = (reads, &self.program.procedure(procedure).body) {
                        points.insert((procedure, callee.entry()));
                    }
                    if writes || reads && self.program.procedure(procedure).body.is_err() {
                        points.insert((id, edge.to));
                    }
                }
                Op::Spawn { .. } | Op::AtomicEnd => {
                    points.insert((id, edge.to));
                }
                _ if reads || writes => {
                    points.insert((id, edge.to));
                }
                _ => {}
            }
        }
        points.retain(|place| late.contains(place));
        points
    }

    fn may_fail(&self) -> Vec<bool> {
        let fails = |cfa: &Cfa| {
            cfa.locations()
                .any(|(_, l)| matches!(l.kind, ir::LocationKind::Error(_) | ir::LocationKind::Unsupported(_)))
        };
        let mut found: Vec<bool> = self.program.procedures.iter().map(|p| p.body.as_ref().is_ok_and(fails)).collect();
        loop {
            let before = found.clone();
            for (id, edge) in self.edges() {
                if let Op::Call { procedure, .. } | Op::Spawn { procedure, .. } = edge.op {
                    found[id.0 as usize] |= found[procedure.0 as usize];
                }
            }
            if found == before {
                return found;
            }
        }
    }

    fn reads_numbers(&mut self) -> bool {
        let numbers: FxHashSet<Term> =
            self.edges().filter(|(_, e)| is_start(&e.op)).flat_map(|(_, e)| e.op.writes()).collect();
        let results = self.program.procedures.iter().flat_map(|procedure| &procedure.results);
        let mut used: Vec<Term> = results.map(|result| result.term).collect();
        for (_, edge) in self.edges() {
            used.extend(self.reads(&edge.op));
        }
        used.iter().any(|variable| numbers.contains(variable))
    }
}
