//! The proof that needs no solver: no error location is connected to the entry, whatever the edges do.
//!
//! It is found by a search forwards from the entry and checked by a search backwards from what must not be reached. The two
//! share no code, so that a slip in one does not make a wrong TRUE. A call may return and may not, so the location behind
//! it counts as connected in any case.

use ir::{Cfa, LocId, LocationKind, Op, ProcId, Program, PropertyId};
use source::{Place, Symbol};
use std::collections::BTreeSet;

/// What is connected to the entry.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Connected {
    /// Properties whose error locations are.
    pub errors: BTreeSet<PropertyId>,
    /// Unsupported constructs that are: what they are and where.
    pub unsupported: Vec<(Symbol, Option<Place>)>,
}

/// Searches forwards from the entry.
pub fn connected(program: &Program) -> Connected {
    Search::of(program, true)
}

/// Whether an execution can come to an error location before it comes to an unsupported construct, as far as control flow
/// tells. Where the callee cannot return, it does not go on behind the call.
pub fn can_fail_before_unsupported(program: &Program) -> bool {
    !Search::of(program, false).errors.is_empty()
}

/// A search forwards.
struct Search<'p> {
    program: &'p Program,
    seen: Marks,
    pending: Vec<(ProcId, LocId)>,
    /// Where a search goes on when a procedure returns, by procedure.
    waiting: Vec<Vec<(ProcId, LocId)>>,
    found: Connected,
}

impl<'p> Search<'p> {
    /// Searches from the entry. All calls may return, or only those of procedures whose exit is connected.
    fn of(program: &'p Program, all_return: bool) -> Connected {
        let (seen, pending, waiting) = (Marks::new(program), Vec::new(), vec![Vec::new(); program.procedures.len()]);
        let mut search = Search { program, seen, pending, waiting, found: Connected::default() };
        search.enter(program.entry);
        while let Some((procedure, location)) = search.pending.pop() {
            search.visit(procedure, location, all_return);
        }
        search.found.unsupported.sort_by_key(|(what, place)| (*place, *what));
        search.found
    }

    fn visit(&mut self, procedure: ProcId, location: LocId, all_return: bool) {
        let Some(cfa) = body(self.program, procedure) else { return };
        let here = cfa.location(location);
        match here.kind {
            LocationKind::Plain | LocationKind::End => {}
            LocationKind::Error(property) => {
                self.found.errors.insert(property);
            }
            LocationKind::Unsupported(what) => self.found.unsupported.push((what, here.place)),
        }
        if location == cfa.exit() {
            let waiting = std::mem::take(&mut self.waiting[procedure.0 as usize]);
            waiting.into_iter().for_each(|(caller, behind)| self.go_to(caller, behind));
        }
        for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
            if let Op::Call { procedure: callee, .. } | Op::Spawn { procedure: callee, .. } = edge.op {
                self.enter(callee);
            }
            match edge.op {
                Op::Call { procedure: callee, .. } if !all_return && !self.returns(callee) => {
                    self.waiting[callee.0 as usize].push((procedure, edge.to));
                }
                _ => self.go_to(procedure, edge.to),
            }
        }
    }

    /// Whether a procedure is known to return; one without a body is taken to.
    fn returns(&self, procedure: ProcId) -> bool {
        body(self.program, procedure).is_none_or(|cfa| self.seen.contains(procedure, cfa.exit()))
    }

    fn enter(&mut self, procedure: ProcId) {
        if let Some(cfa) = body(self.program, procedure) {
            self.go_to(procedure, cfa.entry());
        }
    }

    fn go_to(&mut self, procedure: ProcId, location: LocId) {
        if self.seen.insert(procedure, location) {
            self.pending.push((procedure, location));
        }
    }
}

/// Whether a search backwards from all error locations and unsupported constructs never meets the entry.
pub fn is_unconnected(program: &Program) -> bool {
    let bodies: Vec<(ProcId, &Cfa)> =
        program.procedures().filter_map(|(id, procedure)| Some((id, procedure.body.as_ref().ok()?))).collect();
    let mut bad: BTreeSet<(ProcId, LocId)> = BTreeSet::new();
    let mut pending: Vec<(ProcId, LocId)> = Vec::new();
    for (id, cfa) in &bodies {
        for (location, data) in cfa.locations() {
            if matches!(data.kind, LocationKind::Error(_) | LocationKind::Unsupported(_)) {
                bad.insert((*id, location));
                pending.push((*id, location));
            }
        }
    }
    while let Some((id, location)) = pending.pop() {
        let Ok(cfa) = &program.procedure(id).body else { continue };
        let steps = cfa.incoming(location).iter().map(|edge| (id, cfa.edge(*edge).from));
        let mut before: Vec<(ProcId, LocId)> = steps.collect();
        if location == cfa.entry() {
            if id == program.entry {
                return false;
            }
            for (caller, cfa) in &bodies {
                let starts = cfa.edges().filter(|(_, edge)| match edge.op {
                    Op::Call { procedure, .. } | Op::Spawn { procedure, .. } => procedure == id,
                    _ => false,
                });
                before.extend(starts.map(|(_, edge)| (*caller, edge.from)));
            }
        }
        pending.extend(before.into_iter().filter(|point| bad.insert(*point)));
    }
    true
}

fn body(program: &Program, procedure: ProcId) -> Option<&Cfa> {
    program.procedure(procedure).body.as_ref().ok()
}

/// The locations that were seen, by procedure.
struct Marks(Vec<Vec<bool>>);

impl Marks {
    fn new(program: &Program) -> Marks {
        let count = |procedure: &ir::Procedure| procedure.body.as_ref().map_or(0, Cfa::location_count);
        Marks(program.procedures.iter().map(|procedure| vec![false; count(procedure)]).collect())
    }

    fn contains(&self, procedure: ProcId, location: LocId) -> bool {
        self.0[procedure.0 as usize][location.0 as usize]
    }

    /// Whether it is new.
    fn insert(&mut self, procedure: ProcId, location: LocId) -> bool {
        !std::mem::replace(&mut self.0[procedure.0 as usize][location.0 as usize], true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::random::{Config, program};

    fn check(text: &str, errors: usize, unsupported: usize) {
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let found = connected(&program);
        assert_eq!((found.errors.len(), found.unsupported.len()), (errors, unsupported), "{text}");
        assert_eq!(is_unconnected(&program), errors + unsupported == 0, "{text}");
    }

    #[test]
    fn edges_calls_and_threads_connect() {
        let main = |body: &str| {
            format!(
                "property p unreach-call\nprocedure f() {{\n location bad error p\n entry -> bad\n}}\n\
                 procedure g() {{\n entry -> exit\n}}\nprocedure main() {{\n{body}\n}}\n"
            )
        };
        check(&main("entry -> exit: call g()"), 0, 0);
        check(&main("entry -> exit: call f()"), 1, 0);
        check(&main("entry -> L2: call g()\nlocation bad error p\nL2 -> bad: assume false"), 1, 0);
        check(&main("entry -> exit\nlocation bad error p\nL2 -> bad"), 0, 0);
        check(&main("entry -> L2\nlocation L2 unsupported \"assembler\""), 0, 1);
        check(&main("local t: bv32\nentry -> exit: t := spawn f()"), 1, 0);
    }

    #[test]
    fn what_lies_behind_unsupported_constructs() {
        let program = |main: &str| {
            let text = format!(
                "property p unreach-call\nprocedure f() {{\n entry -> L2\n location L2 unsupported \"assembler\"\n}}\n\
                 procedure g() {{\n entry -> exit\n}}\nprocedure main() {{\n location bad error p\n{main}\n}}\n"
            );
            ir::parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
        };
        for (main, expected) in [
            ("entry -> L2: call f()\nL2 -> bad", false),
            ("entry -> L2: call g()\nL2 -> bad", true),
            ("entry -> L2: call g()\nL2 -> L3: call f()\nL3 -> bad", false),
            ("entry -> L2: call f()\nL2 -> bad\nentry -> bad", true),
        ] {
            let program = program(main);
            assert_eq!(can_fail_before_unsupported(&program), expected, "{main}");
            assert_eq!(connected(&program).errors.len(), 1, "{main}");
        }
    }

    #[test]
    fn the_two_searches_agree_on_random_programs() {
        let mut safe = 0;
        for seed in 0..400 {
            let program = program(seed, &Config::everything(ir::DataModel::Lp64));
            let found = connected(&program);
            let is_safe = found.errors.is_empty() && found.unsupported.is_empty();
            assert_eq!(is_unconnected(&program), is_safe, "seed {seed}");
            safe += u32::from(is_safe);
        }
        assert!((20..380).contains(&safe), "{safe} of 400 programs are safe: the test says little");
    }
}
