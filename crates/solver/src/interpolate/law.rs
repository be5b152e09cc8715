//! The definition of sequence interpolants as a check.

use super::Vocabulary;
use crate::{Answer, Smt, Unknown};
use std::fmt;
use term::{Term, build};

/// What is wrong with alleged interpolants. Positions count formulas from zero: cut k lies after formula k.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// There must be one less than formulas.
    Count,
    /// The interpolant at this cut has a symbol that does not occur on both sides.
    Vocabulary(usize),
    /// The interpolant before this formula and the formula do not imply the interpolant after it.
    Step(usize),
    /// Could not be checked.
    Unknown(Unknown),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Count => f.write_str("wrong number of interpolants"),
            Broken::Vocabulary(cut) => write!(f, "interpolant {cut} has a symbol of one side only"),
            Broken::Step(k) => write!(f, "formula {k} does not lead from its interpolant to the next"),
            Broken::Unknown(why) => write!(f, "interpolants could not be checked: {why}"),
        }
    }
}

/// Checks interpolants against the definition. The solver's own assertions must be empty.
pub fn check_law(smt: &mut dyn Smt, sequence: &[Term], interpolants: &[Term]) -> Result<(), Broken> {
    if interpolants.len() + 1 != sequence.len() {
        return Err(Broken::Count);
    }
    let vocabulary = Vocabulary::new(sequence);
    if let Some(cut) = (0..interpolants.len()).find(|cut| !vocabulary.allows(*cut, interpolants[*cut])) {
        return Err(Broken::Vocabulary(cut));
    }
    for (k, formula) in sequence.iter().enumerate() {
        let before = if k == 0 { build::truth() } else { interpolants[k - 1] };
        let after = interpolants.get(k).copied().unwrap_or_else(build::falsehood);
        if before == after || before == build::falsehood() || after == build::truth() {
            continue;
        }
        smt.push();
        smt.assert(before);
        smt.assert(*formula);
        smt.assert(build::not(after));
        let answer = smt.check();
        smt.pop();
        match answer {
            Answer::Unsat => {}
            Answer::Sat => return Err(Broken::Step(k)),
            Answer::Unknown(why) => return Err(Broken::Unknown(why)),
        }
    }
    Ok(())
}
