//! The thread selector inside the SAT solver (Section 3.4).
//!
//! There is one selector for each step that a thread could take; exactly one of them is true, and it implies the step's guard.
//! The guide decides the selectors of the threads that may move alone before the solver decides anything else. Each model is a
//! step that is possible; it is blocked, and the search goes on inside the solver. As soon as a set of threads that may move
//! alone is known to move somewhere, the steps of the others are confined, by clauses, to where it cannot move: what the paper
//! adds upfront is added only where it matters.

use solver::guide::Guide;
use solver::sat::Lit;

/// A set of threads that may move alone.
pub struct Candidate {
    /// True where one of its threads can move.
    pub can_move: Lit,
    /// Its steps.
    pub steps: Vec<usize>,
}

/// The selectors of the steps from one state, and what was found out about them.
pub struct Selector {
    pub selectors: Vec<Lit>,
    pub candidates: Vec<Candidate>,
    /// Decides selectors itself.
    pub decides: bool,
    /// Confines the others to where the candidate cannot move, or excludes them altogether, as printed.
    pub confines: bool,
    /// The candidates that were found to move, in order.
    pub chosen: Vec<usize>,
    /// The possible steps, each with how many candidates had been chosen before.
    pub found: Vec<(usize, usize)>,
}

impl Guide for Selector {
    fn decide(&mut self, value: &dyn Fn(Lit) -> Option<bool>) -> Option<Lit> {
        if !self.decides || self.selectors.iter().any(|selector| value(*selector) == Some(true)) {
            return None;
        }
        let first = self.candidates.iter().flat_map(|candidate| &candidate.steps).map(|step| self.selectors[*step]);
        first.chain(self.selectors.iter().copied()).find(|selector| value(*selector).is_none())
    }

    fn found(&mut self, value: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let Some(step) = self.selectors.iter().position(|selector| value(*selector)) else { return Vec::new() };
        // The solver may find a model before it has taken all the clauses that it was given.
        if let Some(broken) = self.broken(step, value) {
            return vec![broken];
        }
        self.found.push((step, self.chosen.len()));
        let mut clauses = vec![vec![!self.selectors[step]]];
        let is_new = |number: &usize| !self.chosen.contains(number);
        let chosen =
            (0..self.candidates.len()).filter(is_new).find(|number| self.candidates[*number].steps.contains(&step));
        // A step that a chosen candidate takes is nothing new about others.
        let is_settled = self.chosen.iter().any(|number| self.candidates[*number].steps.contains(&step));
        if let Some(number) = chosen.filter(|_| !is_settled) {
            self.chosen.push(number);
            let others = (0..self.selectors.len()).filter(|other| !self.is_in_chosen(*other));
            clauses.extend(others.map(|other| self.confinement(other, number)));
        }
        clauses
    }
}

impl Selector {
    fn is_in_chosen(&self, step: usize) -> bool {
        self.chosen.iter().any(|number| self.candidates[*number].steps.contains(&step))
    }

    /// A step of others is taken only where the candidate cannot move; as printed, nowhere.
    fn confinement(&self, step: usize, candidate: usize) -> Vec<Lit> {
        match self.confines {
            true => vec![!self.selectors[step], !self.candidates[candidate].can_move],
            false => vec![!self.selectors[step]],
        }
    }

    /// A clause that excludes a model with a step.
    fn broken(&self, step: usize, value: &dyn Fn(Lit) -> bool) -> Option<Vec<Lit>> {
        if self.found.iter().any(|(known, _)| *known == step) {
            return Some(vec![!self.selectors[step]]);
        }
        let before_own = self.chosen.iter().take_while(|number| !self.candidates[**number].steps.contains(&step));
        let mut clauses = before_own.map(|number| self.confinement(step, *number));
        clauses.find(|clause| !clause.iter().any(|literal| value(*literal)))
    }
}
