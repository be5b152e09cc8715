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
    let mut seen = Marks::new(program);
    let mut pending = Vec::new();
    let enter = |procedure: ProcId, seen: &mut Marks, pending: &mut Vec<(ProcId, LocId)>| {
        if let Some(cfa) = body(program, procedure)
            && seen.insert(procedure, cfa.entry())
        {
            pending.push((procedure, cfa.entry()));
        }
    };
    let mut found = Connected::default();
    enter(program.entry, &mut seen, &mut pending);
    while let Some((procedure, location)) = pending.pop() {
        let Some(cfa) = body(program, procedure) else { continue };
        let here = cfa.location(location);
        match here.kind {
            LocationKind::Plain | LocationKind::End => {}
            LocationKind::Error(property) => {
                found.errors.insert(property);
            }
            LocationKind::Unsupported(what) => found.unsupported.push((what, here.place)),
        }
        for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
            if let Op::Call { procedure: callee, .. } | Op::Spawn { procedure: callee, .. } = edge.op {
                enter(callee, &mut seen, &mut pending);
            }
            if seen.insert(procedure, edge.to) {
                pending.push((procedure, edge.to));
            }
        }
    }
    found.unsupported.sort_by_key(|(what, place)| (*place, *what));
    found
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
