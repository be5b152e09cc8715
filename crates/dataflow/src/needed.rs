//! What a proof needs to say: the variables on which it depends that control does not come to where it is said not to.
//!
//! The states of an analysis say much that nobody asked for, and all of it would have to be checked. Backwards from the guards that
//! are never passed, this follows what their variables were computed from.
//!
//! Invariant: what is said of needed variables alone is inductive, if what was said of all is.

use crate::effects::Effects;
use ir::{Cfa, LocId, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use term::Term;
use term::free::Free;

/// The needed variables of each location.
pub struct Needed {
    sets: Vec<Vec<FxHashSet<Term>>>,
}

impl Needed {
    /// `is_reached` tells whether a state comes to a location, and `callers` where a procedure is called.
    pub fn of(
        program: &Program,
        effects: &Effects,
        callers: &[Vec<(ProcId, ir::EdgeId)>],
        is_reached: &dyn Fn(ProcId, LocId) -> bool,
        is_passed: &mut dyn FnMut(ProcId, ir::EdgeId) -> bool,
    ) -> Needed {
        let count = |procedure: &ir::Procedure| procedure.body.as_ref().map_or(0, Cfa::location_count);
        let sets = program.procedures.iter().map(|procedure| vec![FxHashSet::default(); count(procedure)]).collect();
        let mut search = Search { needed: Needed { sets }, pending: Vec::new() };
        let mut free = Free::new();
        for (id, procedure) in program.procedures() {
            let Ok(cfa) = &procedure.body else { continue };
            for (number, edge) in cfa.edges() {
                if let Op::Assume(guard) = &edge.op
                    && is_reached(id, edge.from)
                    && !is_passed(id, number)
                {
                    free.of(*guard).iter().for_each(|variable| search.add(id, edge.from, *variable));
                }
            }
        }
        while let Some((id, location, variable)) = search.pending.pop() {
            let Ok(cfa) = &program.procedure(id).body else { continue };
            for edge in cfa.incoming(location).iter().map(|number| cfa.edge(*number)) {
                if is_reached(id, edge.from) {
                    search.before(program, effects, id, edge, variable, &mut free);
                }
            }
            if location == cfa.entry() {
                let parameters = &program.procedure(id).parameters;
                let place = parameters.iter().position(|parameter| parameter.term == variable);
                for (caller, number) in &callers[id.0 as usize] {
                    let Ok(cfa) = &program.procedure(*caller).body else { continue };
                    let edge = cfa.edge(*number);
                    let Op::Call { arguments, .. } = &edge.op else { continue };
                    match place.and_then(|place| arguments.get(place)) {
                        Some(value) => free.of(*value).iter().for_each(|v| search.add(*caller, edge.from, *v)),
                        None if effects.globals().contains(&variable) => search.add(*caller, edge.from, variable),
                        None => {}
                    }
                }
            }
        }
        search.needed
    }

    pub fn at(&self, procedure: ProcId, location: LocId) -> &FxHashSet<Term> {
        &self.sets[procedure.0 as usize][location.0 as usize]
    }
}

struct Search {
    needed: Needed,
    pending: Vec<(ProcId, LocId, Term)>,
}

impl Search {
    fn add(&mut self, procedure: ProcId, location: LocId, variable: Term) {
        if self.needed.sets[procedure.0 as usize][location.0 as usize].insert(variable) {
            self.pending.push((procedure, location, variable));
        }
    }

    /// What is needed in front of an edge for a variable that is needed behind it.
    fn before(
        &mut self,
        program: &Program,
        effects: &Effects,
        id: ProcId,
        edge: &ir::Edge,
        variable: Term,
        free: &mut Free,
    ) {
        match &edge.op {
            Op::Assign(pairs) => match pairs.iter().find(|(written, _)| *written == variable) {
                Some((_, value)) => free.of(*value).iter().for_each(|v| self.add(id, edge.from, *v)),
                None => self.add(id, edge.from, variable),
            },
            Op::Assume(guard) => {
                let about = free.of(*guard);
                if about.contains(&variable) {
                    about.iter().for_each(|v| self.add(id, edge.from, *v));
                }
                self.add(id, edge.from, variable);
            }
            Op::Havoc(written) if written.contains(&variable) => {}
            Op::Call { procedure: callee, results, .. } => {
                let declared = program.procedure(*callee);
                let place = results.iter().position(|result| *result == variable);
                match (&declared.body, place) {
                    (Ok(body), Some(place)) => {
                        let own = declared.results.get(place).map(|result| result.term);
                        own.into_iter().for_each(|result| self.add(*callee, body.exit(), result));
                    }
                    (Ok(body), None) if effects.of_call(*callee).contains(&variable) => {
                        self.add(*callee, body.exit(), variable);
                    }
                    (Err(_), Some(_)) => {}
                    _ => self.add(id, edge.from, variable),
                }
            }
            Op::Havoc(_) | Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => self.add(id, edge.from, variable),
        }
    }
}
