//! Sequence interpolants.
//!
//! For formulas a_1 … a_n without a common model, sequence interpolants are i_1 … i_(n-1) such that
//! - a_1 ⇒ i_1, i_k ∧ a_(k+1) ⇒ i_(k+1), and i_(n-1) ∧ a_n ⇒ false;
//! - i_k has only variables and uninterpreted functions that occur both in a_1 … a_k and in a_(k+1) … a_n.
//!
//! There are several ways to find them; [`Interpolator`] tries the cheap ones first. What comes from outside this
//! crate is checked against the definition before it is handed on, what is computed here is checked in debug builds.

mod core;
mod functions;
mod law;
mod vocabulary;

pub use law::{Broken, check_law};
pub use vocabulary::Vocabulary;

use crate::z3::spacer;
use crate::{Kind, Limits, Profile, Smt, Statistics, Unknown, Z3};
use std::fmt;
use std::time::{Duration, Instant};
use term::{Term, build};

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoInterpolants {
    /// The formulas have a common model.
    Satisfiable,
    /// None were found.
    Unknown(Unknown),
}

impl fmt::Display for NoInterpolants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoInterpolants::Satisfiable => f.write_str("the formulas have a model"),
            NoInterpolants::Unknown(why) => write!(f, "no interpolants were found: {why}"),
        }
    }
}

impl std::error::Error for NoInterpolants {}

impl From<Unknown> for NoInterpolants {
    fn from(why: Unknown) -> NoInterpolants {
        NoInterpolants::Unknown(why)
    }
}

/// How long Z3's Horn solver may try: it either answers soon or diverges.
const HORN_TIME: Duration = Duration::from_secs(5);

/// Finds sequence interpolants. Keep one: it remembers translated terms.
pub struct Interpolator {
    smt: Z3,
    statistics: Statistics,
}

impl Default for Interpolator {
    fn default() -> Interpolator {
        Interpolator::new()
    }
}

impl Interpolator {
    pub fn new() -> Interpolator {
        Interpolator { smt: Z3::new(Profile::Incremental), statistics: Statistics::default() }
    }

    /// An interpolator that shares the solver's translation of terms.
    pub fn beside(z3: &Z3) -> Interpolator {
        Interpolator { smt: z3.sibling(Profile::Incremental), statistics: Statistics::default() }
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.smt.set_limits(limits);
    }

    /// The interpolation problems, and the checks made for them.
    pub fn statistics(&self) -> Statistics {
        let mut all = self.statistics.clone();
        all.add(self.smt.statistics());
        all
    }

    /// The interpolants i_1 … i_(n-1) of a_1 … a_n.
    pub fn interpolate(&mut self, sequence: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
        let start = Instant::now();
        let result = self.solve(sequence);
        self.statistics.record(Kind::Interpolation, start.elapsed());
        result
    }

    fn solve(&mut self, sequence: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
        // Interpolants of what contradicts itself already are interpolants of the whole, with a smaller vocabulary.
        let needed: Vec<Term> = core::reduce(&mut self.smt, sequence)?.into_iter().map(build::and).collect();
        let Some(last) = needed.iter().rposition(|formula| *formula != build::truth()) else {
            return Ok(vec![build::falsehood(); sequence.len().saturating_sub(1)]);
        };
        let first = needed.iter().position(|formula| *formula != build::truth()).unwrap_or(last);
        // Before the first formula that is needed nothing is known, after the last one the contradiction is.
        let inner = if first == last { Vec::new() } else { self.horn(&needed[first..=last])? };
        let before = std::iter::repeat_n(build::truth(), first);
        let after = std::iter::repeat_n(build::falsehood(), sequence.len() - 1 - last);
        Ok(before.chain(inner).chain(after).collect())
    }

    /// By Z3's Horn solver.
    fn horn(&mut self, sequence: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
        let vocabulary = Vocabulary::new(sequence);
        let mut functions = functions::Arrays::default();
        let formulas: Vec<Term> = sequence.iter().map(|formula| functions.replace(*formula)).collect();
        let interfaces: Vec<Vec<Term>> = (0..sequence.len() - 1)
            .map(|cut| {
                let arrays = vocabulary.functions(cut).into_iter().map(|function| functions.array(&function));
                vocabulary.variables(cut).into_iter().chain(arrays).collect()
            })
            .collect();
        let limits = self.smt.limits().within(HORN_TIME);
        let found = spacer::chain(&self.smt, &limits, &formulas, &interfaces)?.ok_or(NoInterpolants::Satisfiable)?;
        let found: Option<Vec<Term>> = found.into_iter().map(|formula| functions.restore(formula)).collect();
        let found = found.ok_or_else(|| Unknown::Incomplete("an interpolant compares functions".into()))?;
        match check_law(&mut self.smt, sequence, &found) {
            Ok(()) => Ok(found),
            Err(Broken::Unknown(why)) => Err(why.into()),
            Err(broken) => Err(Unknown::Incomplete(broken.to_string()).into()),
        }
    }
}
