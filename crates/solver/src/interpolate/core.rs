//! The part of a sequence that is contradictory already.

use super::NoInterpolants;
use crate::{Answer, Smt};
use rustc_hash::FxHashSet;
use term::{Op, Term, build};

/// For each formula those of its conjuncts that are needed for the contradiction.
pub(super) fn reduce(smt: &mut dyn Smt, sequence: &[Term]) -> Result<Vec<Vec<Term>>, NoInterpolants> {
    let parts: Vec<Vec<Term>> = sequence.iter().map(|formula| conjuncts(*formula)).collect();
    let mut all: Vec<Term> = parts.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    match smt.check_assuming(&all) {
        Answer::Unsat => {}
        Answer::Sat => return Err(NoInterpolants::Satisfiable),
        Answer::Unknown(why) => return Err(why.into()),
    }
    let core: FxHashSet<Term> = smt.core().iter().copied().collect();
    // A conjunct that occurs in several formulas is needed once.
    let mut taken: FxHashSet<Term> = FxHashSet::default();
    let needed = |part: Vec<Term>, taken: &mut FxHashSet<Term>| {
        part.into_iter().filter(|c| core.contains(c) && taken.insert(*c)).collect()
    };
    Ok(parts.into_iter().map(|part| needed(part, &mut taken)).collect())
}

/// The formulas whose conjunction this is.
pub(super) fn conjuncts(formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match term.op() {
            Op::And => stack.extend(term.args().iter().rev()),
            // Not (a or b) is a conjunction too, and so is not (a implies b).
            Op::Not => match term.args()[0].op() {
                Op::Or => stack.extend(term.args()[0].args().iter().rev().map(|a| build::not(*a))),
                Op::Implies => {
                    let [a, b] = term.args()[0].args() else { unreachable!("implications have two arguments") };
                    stack.extend([build::not(*b), *a]);
                }
                _ => found.push(term),
            },
            Op::Const(_) if term == build::truth() => {}
            _ => found.push(term),
        }
    }
    found
}
