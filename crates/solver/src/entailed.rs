//! Which of given Boolean terms the assertions fix: Cartesian predicate abstraction.

use crate::{Answer, Smt, Unknown};
use term::{Term, build};

/// What the assertions say of each term: that it is true, that it is false, or neither. `None` if the assertions have
/// no model at all.
///
/// Models are found that refute as many candidates as possible at a time, so that few checks are needed where few terms are
/// fixed. Where the solver gives up on a single term, the term counts as not fixed.
pub fn entailed(smt: &mut dyn Smt, terms: &[Term]) -> Result<Option<Vec<Option<bool>>>, Unknown> {
    if !smt.check().decided()? {
        return Ok(None);
    }
    // Candidates are what the first model says; every other model can only remove some.
    let mut fixed: Vec<Option<bool>> = terms.iter().map(|term| value(smt, *term)).collect();
    loop {
        let candidates: Vec<usize> = (0..terms.len()).filter(|i| fixed[*i].is_some()).collect();
        if candidates.is_empty() {
            return Ok(Some(fixed));
        }
        let refuted = build::or(candidates.iter().map(|i| differs(terms[*i], fixed[*i])));
        match smt.check_assuming(&[refuted]) {
            Answer::Unsat => return Ok(Some(fixed)),
            Answer::Sat => {
                let before = candidates.len();
                for i in candidates {
                    if value(smt, terms[i]) != fixed[i] {
                        fixed[i] = None;
                    }
                }
                // A model that refutes no candidate would be looked for again for ever.
                if fixed.iter().flatten().count() == before {
                    return one_by_one(smt, terms, fixed).map(Some);
                }
            }
            Answer::Unknown(Unknown::Incomplete(_)) => return one_by_one(smt, terms, fixed).map(Some),
            Answer::Unknown(why) => return Err(why),
        }
    }
}

/// Checks each candidate by itself and drops those on which the solver gives up.
fn one_by_one(smt: &mut dyn Smt, terms: &[Term], mut fixed: Vec<Option<bool>>) -> Result<Vec<Option<bool>>, Unknown> {
    for (term, value) in terms.iter().zip(&mut fixed) {
        if value.is_none() {
            continue;
        }
        match smt.check_assuming(&[differs(*term, *value)]) {
            Answer::Unsat => {}
            Answer::Sat | Answer::Unknown(Unknown::Incomplete(_)) => *value = None,
            Answer::Unknown(why) => return Err(why),
        }
    }
    Ok(fixed)
}

fn value(smt: &mut dyn Smt, term: Term) -> Option<bool> {
    smt.value(term)?.as_bool()
}

fn differs(term: Term, value: Option<bool>) -> Term {
    if value == Some(true) { build::not(term) } else { term }
}
