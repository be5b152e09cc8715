//! All algorithms of refinement on the same spurious paths, to compare them (Section 4.1 of the paper). The search goes on with the
//! answer of the one that it was given.

use crate::abstraction::{Constraint, PathOracle};
use crate::refine::{Refinement, refine};
use engine::{Reason, Statistics};
use solver::Smt;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use term::Term;

/// The algorithms, with the names of what is told about them.
const ALGORITHMS: [(Refinement, &str, &str); 3] = [
    (Refinement::Storm, "STORM questions", "STORM time"),
    (Refinement::Divide, "Algorithm 1 questions", "Algorithm 1 time"),
    (Refinement::OneFormula, "Algorithm 2 questions", "Algorithm 2 time"),
];

/// What all paths took so far.
#[derive(Default)]
pub struct Comparison {
    paths: u64,
    /// Paths on which not all find the same variables. All answers are minimal, so that they may differ.
    different: u64,
    questions: [u64; 3],
    times: [Duration; 3],
}

impl Comparison {
    /// Measures all algorithms on a path that is refuted with all candidates.
    pub fn path(
        &mut self,
        constraints: &[Constraint],
        make: &dyn Fn() -> Box<dyn Smt>,
        tracked: &BTreeSet<Term>,
        candidates: &[Term],
    ) -> Result<(), Reason> {
        let mut answers = Vec::new();
        for (number, (algorithm, ..)) in ALGORITHMS.into_iter().enumerate() {
            let start = Instant::now();
            let mut oracle = PathOracle::new(constraints, algorithm, make);
            answers.push(refine(algorithm, &mut oracle, tracked, candidates)?);
            self.times[number] += start.elapsed();
            self.questions[number] += oracle.questions;
        }
        self.paths += 1;
        self.different += u64::from(answers.windows(2).any(|pair| pair[0] != pair[1]));
        Ok(())
    }

    pub fn tell(&self, statistics: &mut Statistics) {
        statistics.count("paths compared", self.paths);
        statistics.count("paths with different answers", self.different);
        for (number, (_, questions, time)) in ALGORITHMS.into_iter().enumerate() {
            statistics.count(questions, self.questions[number]);
            statistics.time(time, self.times[number]);
        }
    }
}
