//! Several solvers for one question: each is asked in turn, for a longer time in each round, until one knows.
//!
//! What is quick for one solver may take another one for ever, and nobody knows which before. Each attempt begins anew, and rounds
//! become twice as long, so the answer takes at most a small multiple of what the best solver needs.

use crate::{Answer, Kind, Limits, Smt, Statistics, Unknown};
use std::time::{Duration, Instant};
use term::{Term, Value};

/// Makes a solver without assertions.
pub type Maker<'a> = Box<dyn Fn() -> Box<dyn Smt> + 'a>;

/// Solvers that are asked in turn.
pub struct Relay<'a> {
    makers: Vec<Maker<'a>>,
    /// How long each is asked in the first round.
    first: Duration,
    scopes: Vec<Vec<Term>>,
    /// What will be read of models.
    prepared: Vec<Term>,
    /// The solver that answered last.
    answered: Option<Box<dyn Smt>>,
    limits: Limits,
    statistics: Statistics,
}

impl<'a> Relay<'a> {
    pub fn new(makers: Vec<Maker<'a>>, first: Duration) -> Relay<'a> {
        Relay {
            makers,
            first,
            scopes: vec![Vec::new()],
            prepared: Vec::new(),
            answered: None,
            limits: Limits::default(),
            statistics: Statistics::default(),
        }
    }

    /// Asks one of the solvers, for as long as the limits allow.
    fn ask(&mut self, number: usize, limits: Limits, assumptions: &[Term]) -> Answer {
        let mut smt = self.makers[number]();
        smt.set_limits(limits);
        self.scopes.iter().flatten().for_each(|formula| smt.assert(*formula));
        smt.prepare(&self.prepared);
        let answer = smt.check_assuming(assumptions);
        self.answered = Some(smt);
        answer
    }
}

impl Smt for Relay<'_> {
    fn name(&self) -> &'static str {
        self.answered.as_ref().map_or("several solvers in turn", |smt| smt.name())
    }

    fn assert(&mut self, formula: Term) {
        self.answered = None;
        self.scopes.last_mut().expect("the outermost scope stays").push(formula);
    }

    fn prepare(&mut self, terms: &[Term]) {
        self.answered = None;
        self.prepared.extend(terms);
    }

    fn push(&mut self) {
        self.answered = None;
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.answered = None;
        self.scopes.pop();
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Answer {
        self.answered = None;
        let start = Instant::now();
        let mut left: Vec<usize> = (0..self.makers.len()).collect();
        let mut slice = self.first;
        let mut last = Unknown::Timeout;
        let answer = 'rounds: loop {
            for number in left.clone() {
                if let Some(exceeded) = self.limits.exceeded() {
                    break 'rounds Answer::Unknown(exceeded.into());
                }
                // Who is alone has all the time.
                let limits = if left.len() == 1 { self.limits.clone() } else { self.limits.within(slice) };
                match self.ask(number, limits.clone(), assumptions) {
                    Answer::Unknown(Unknown::Timeout) if left.len() > 1 => {}
                    Answer::Unknown(why) => match limits.exceeded() {
                        // Whatever else a solver says that was interrupted, its time was over.
                        Some(_) if left.len() > 1 => {}
                        Some(exceeded) => break 'rounds Answer::Unknown(exceeded.into()),
                        // What it cannot do it will not do in the next round either.
                        None => {
                            left.retain(|other| *other != number);
                            last = why;
                        }
                    },
                    answer => break 'rounds answer,
                }
            }
            if left.is_empty() {
                break Answer::Unknown(last);
            }
            slice *= 2;
        };
        self.statistics.record(Kind::Check, start.elapsed());
        answer
    }

    fn value(&mut self, term: Term) -> Option<Value> {
        self.answered.as_mut()?.value(term)
    }

    fn has_candidate(&self) -> bool {
        self.answered.as_ref().is_some_and(|smt| smt.has_candidate())
    }

    fn core(&self) -> &[Term] {
        self.answered.as_ref().map_or(&[], |smt| smt.core())
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}
