//! A say in the SAT solver's decisions: who guides it is asked for each decision, and sees each model while the solver is still
//! inside its search (CaDiCaL's interface for user propagators).
//!
//! Invariant: only *observed* literals are decided by the guide, told to it, or used in its clauses.

use crate::sat::{Lit, Sat};
use crate::{Limits, Unknown};
use cadical_sys::ExternalPropagator;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Whoever guides a search. Values are those of observed literals.
pub trait Guide {
    /// The literal, not assigned yet, to make true next; `None` leaves the decision to the solver.
    fn decide(&mut self, value: &dyn Fn(Lit) -> Option<bool>) -> Option<Lit>;

    /// A model was found. The search goes on if clauses are returned, one of which the model must violate; without any, it
    /// ends.
    fn found(&mut self, value: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>>;
}

/// What the solver's callbacks share.
struct Callbacks<G> {
    guide: Rc<RefCell<G>>,
    values: FxHashMap<i32, bool>,
    /// The variables that were assigned at each level of decisions.
    levels: Vec<Vec<i32>>,
    /// Literals of clauses to add, each clause with a zero at its end.
    clauses: VecDeque<i32>,
}

impl<G: Guide> ExternalPropagator for Callbacks<G> {
    fn notify_assignment(&mut self, literals: &[i32]) {
        for literal in literals {
            self.values.insert(literal.abs(), *literal > 0);
            if let Some(level) = self.levels.last_mut() {
                level.push(literal.abs());
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(Vec::new());
    }

    fn notify_backtrack(&mut self, level: usize) {
        // What was assigned before any decision stays.
        for variable in self.levels.drain((level + 1).min(self.levels.len())..).flatten() {
            self.values.remove(&variable);
        }
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let values: FxHashMap<i32, bool> = model.iter().map(|literal| (literal.abs(), *literal > 0)).collect();
        let value = |literal: Lit| values.get(&literal.0.abs()).copied().unwrap_or(false) != literal.is_negated();
        let clauses = self.guide.borrow_mut().found(&value);
        for clause in &clauses {
            self.clauses.extend(clause.iter().map(|literal| literal.0));
            self.clauses.push_back(0);
        }
        clauses.is_empty()
    }

    fn cb_decide(&mut self) -> i32 {
        let value = |literal: Lit| self.values.get(&literal.0.abs()).map(|value| *value != literal.is_negated());
        let decision = self.guide.borrow_mut().decide(&value);
        decision.filter(|literal| value(*literal).is_none()).map_or(0, |literal| literal.0)
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = false;
        !self.clauses.is_empty()
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clauses.pop_front().unwrap_or(0)
    }
}

impl Sat {
    /// Searches for models with a guide, for the last time: whether the guide was content with one.
    pub fn solve_guided<G: Guide + 'static>(
        mut self,
        observed: &[Lit],
        guide: &Rc<RefCell<G>>,
        limits: &Limits,
    ) -> Result<bool, Unknown> {
        let callbacks = Callbacks {
            guide: guide.clone(),
            values: FxHashMap::default(),
            levels: vec![Vec::new()],
            clauses: VecDeque::new(),
        };
        self.solver.connect_external_propagator(callbacks);
        for literal in observed {
            self.solver.add_observed_var(literal.variable().0);
        }
        self.solve(&[], limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wants the literals in their order, and all models.
    struct Wanting {
        literals: Vec<Lit>,
        models: Vec<Vec<bool>>,
    }

    impl Guide for Wanting {
        fn decide(&mut self, value: &dyn Fn(Lit) -> Option<bool>) -> Option<Lit> {
            self.literals.iter().copied().find(|literal| value(*literal).is_none())
        }

        fn found(&mut self, value: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
            self.models.push(self.literals.iter().map(|literal| value(*literal)).collect());
            vec![self.literals.iter().map(|literal| if value(*literal) { !*literal } else { *literal }).collect()]
        }
    }

    #[test]
    fn the_guide_decides_and_sees_every_model_once() {
        let mut sat = Sat::new();
        let [a, b, c, hidden] = [sat.fresh(), sat.fresh(), sat.fresh(), sat.fresh()];
        sat.clause(&[!a, !b]);
        sat.clause(&[!a, hidden]);
        sat.clause(&[!hidden, c]);
        let guide = Rc::new(RefCell::new(Wanting { literals: vec![a, b, c], models: Vec::new() }));
        assert_eq!(sat.solve_guided(&[a, b, c], &guide, &Limits::default()), Ok(false));
        let mut models = guide.borrow().models.clone();
        assert_eq!(models[0], [true, false, true], "what is wanted first comes first");
        models.sort_unstable();
        models.dedup();
        assert_eq!(models.len(), guide.borrow().models.len());
        assert_eq!(models.len(), 5);
    }
}
