//! What every SMT solver can do.

use crate::{Limits, Statistics};
use limits::Exceeded;
use std::fmt;
use term::{Term, Value};

/// What a solver says of its assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model; [`Smt::value`] reads it.
    Sat,
    /// There is none; [`Smt::core`] says which assumptions exclude it.
    Unsat,
    Unknown(Unknown),
}

/// Why a solver has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The deadline passed.
    Timeout,
    /// The process holds more memory than it may.
    Memory,
    /// Somebody used the cancel handle.
    Cancelled,
    /// The solver's methods do not decide the formula; the text is its own.
    Incomplete(String),
    /// A term that the solver cannot take was asserted or assumed.
    Unsupported(Unsupported),
}

/// A term that a solver cannot take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub what: String,
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }

    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }

    /// Whether there is a model, or why this is not known.
    pub fn decided(self) -> Result<bool, Unknown> {
        match self {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(why),
        }
    }
}

impl From<Exceeded> for Unknown {
    fn from(exceeded: Exceeded) -> Unknown {
        match exceeded {
            Exceeded::Cancelled => Unknown::Cancelled,
            Exceeded::Timeout => Unknown::Timeout,
            Exceeded::Memory => Unknown::Memory,
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Timeout => f.write_str("timeout"),
            Unknown::Memory => f.write_str("out of memory"),
            Unknown::Cancelled => f.write_str("cancelled"),
            Unknown::Incomplete(reason) => write!(f, "the solver gave up: {reason}"),
            Unknown::Unsupported(unsupported) => unsupported.fmt(f),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the solver cannot take {}", self.what)
    }
}

impl std::error::Error for Unknown {}
impl std::error::Error for Unsupported {}

/// A stack of assertions that can be checked for a model.
///
/// Laws, which [`crate::conformance`] tests for each implementation:
/// - `check` speaks of the conjunction of all assertions made and not popped, `check_assuming` of this and the assumptions.
///   The assumptions are forgotten afterwards.
/// - After `Sat`, and until the next call of another method that changes or checks the assertions, all values that
///   `value` gives come from one interpretation, in which the assertions and assumptions are true. The meaning of the
///   operators is that of [`term::eval`].
/// - After `Unsat`, `core` is a subset of the assumptions which suffices for `Unsat`.
/// - `Unknown` says nothing of the assertions: neither can be concluded. A solver that was interrupted can be used
///   again.
/// - A term that cannot be taken makes every check `Unknown(Unsupported)` until its scope is popped. It never
///   disappears silently.
pub trait Smt {
    /// The solver's name, for reports.
    fn name(&self) -> &'static str;

    fn assert(&mut self, formula: Term);

    /// Asserts that one of the formulas holds.
    fn assert_clause(&mut self, literals: &[Term]) {
        self.assert(term::build::or(literals.iter().copied()));
    }

    /// Says that values of these terms will be read after the next checks. It asserts nothing.
    fn prepare(&mut self, _terms: &[Term]) {}

    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope and forgets what was asserted in it.
    ///
    /// # Panics
    /// If there is no open scope: a bug of the caller.
    fn pop(&mut self);

    fn check_assuming(&mut self, assumptions: &[Term]) -> Answer;

    /// Whether the assumptions contradict what is asserted, if that can be found with little effort. The core tells which.
    fn refutes(&mut self, assumptions: &[Term]) -> bool {
        self.check_assuming(assumptions).is_unsat()
    }

    fn check(&mut self) -> Answer {
        self.check_assuming(&[])
    }

    /// The value of a term in the model that the last check found. Terms that the model leaves open get some value.
    /// `None` if the last check was not `Sat`, or for what values cannot express: irrational numbers, arrays without a
    /// finite description, memory; and for terms with elements of users' sorts that the check did not know.
    fn value(&mut self, term: Term) -> Option<Value>;

    /// Whether [`Smt::value`] can be asked. That is so after `Sat`; and after `Unknown`, where a solver has found nothing wrong
    /// with an interpretation but cannot show that it is a model.
    fn has_candidate(&self) -> bool;

    /// The assumptions that the last check, if `Unsat`, needed. Not necessarily minimal.
    fn core(&self) -> &[Term];

    /// How long and how large later checks may get, and who may cancel them.
    fn set_limits(&mut self, limits: Limits);

    fn limits(&self) -> &Limits;

    fn statistics(&self) -> &Statistics;

    /// For algorithms on top of the solver, which record their own time.
    fn statistics_mut(&mut self) -> &mut Statistics;

    /// Whether the assertions have no model in which the formula is false.
    fn entails(&mut self, formula: Term) -> Result<bool, Unknown> {
        self.check_assuming(&[term::build::not(formula)]).decided().map(|model| !model)
    }
}
