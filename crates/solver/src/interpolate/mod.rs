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
mod refute;
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
    method: Method,
}

/// A way to interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// One formula contradicts itself.
    Trivial,
    /// Our own refutation.
    Refutation,
    /// Z3's Horn solver.
    Horn,
}

impl Default for Interpolator {
    fn default() -> Interpolator {
        Interpolator::new()
    }
}

impl Interpolator {
    pub fn new() -> Interpolator {
        Interpolator { smt: Z3::new(Profile::Incremental), statistics: Statistics::default(), method: Method::Trivial }
    }

    /// An interpolator that shares the solver's translation of terms.
    pub fn beside(z3: &Z3) -> Interpolator {
        Interpolator {
            smt: z3.sibling(Profile::Incremental),
            statistics: Statistics::default(),
            method: Method::Trivial,
        }
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

    /// The way that the last interpolants were found, or that was tried last.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The interpolants i_1 … i_(n-1) of a_1 … a_n.
    pub fn interpolate(&mut self, sequence: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
        let start = Instant::now();
        self.method = Method::Trivial;
        let result = self.solve(sequence);
        self.statistics.record(Kind::Interpolation, start.elapsed());
        result
    }

    fn solve(&mut self, sequence: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
        // Interpolants of what contradicts itself already are interpolants of the whole, with a smaller vocabulary.
        let needed = core::reduce(&mut self.smt, sequence)?;
        let Some(last) = needed.iter().rposition(|conjuncts| !conjuncts.is_empty()) else {
            return Ok(vec![build::falsehood(); sequence.len().saturating_sub(1)]);
        };
        let first = needed.iter().position(|conjuncts| !conjuncts.is_empty()).unwrap_or(last);
        // Before the first formula that is needed nothing is known, after the last one the contradiction is.
        let inner = if first == last { Vec::new() } else { self.inner(&needed[first..=last])? };
        let before = std::iter::repeat_n(build::truth(), first);
        let after = std::iter::repeat_n(build::falsehood(), sequence.len() - 1 - last);
        Ok(before.chain(inner).chain(after).collect())
    }

    fn inner(&mut self, groups: &[Vec<Term>]) -> Result<Vec<Term>, NoInterpolants> {
        let sequence: Vec<Term> = groups.iter().map(|conjuncts| build::and(conjuncts.iter().copied())).collect();
        let vocabulary = Vocabulary::new(&sequence);
        if let Some(found) = refute::interpolate(groups, &vocabulary, self.smt.limits())? {
            let found: Vec<Term> = found.into_iter().map(term::simplify::simplify).collect();
            if cfg!(debug_assertions)
                && let Err(broken) = check_law(&mut self.smt, &sequence, &found)
            {
                panic!("{broken}: {found:?} of {sequence:?}");
            }
            self.method = Method::Refutation;
            return Ok(found);
        }
        self.method = Method::Horn;
        self.horn(&sequence)
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
        // That there is no model is known. Where the Horn solver finds one, it is the one that is wrong.
        let found = spacer::chain(&Z3::new(Profile::Incremental), &limits, &formulas, &interfaces)?;
        let found = found.ok_or_else(|| Unknown::Incomplete("Z3's Horn solver finds a model where none is".into()))?;
        let found: Option<Vec<Term>> = found.into_iter().map(|formula| functions.restore(formula)).collect();
        let found = found.ok_or_else(|| Unknown::Incomplete("an interpolant compares functions".into()))?;
        match check_law(&mut self.smt, sequence, &found) {
            Ok(()) => Ok(found),
            Err(Broken::Unknown(why)) => Err(why.into()),
            Err(broken) => Err(Unknown::Incomplete(broken.to_string()).into()),
        }
    }
}
