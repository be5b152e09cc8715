//! Abstract successors: Cartesian and Boolean predicate abstraction (Section II.B).
//!
//! The strongest postcondition of a block is taken backwards: a predicate p holds after the block exactly where
//! `op.after(p)` holds before it. So φ ∧ guard is asserted, and the abstraction is computed over these terms.
//!
//! Deviation: the paper's Boolean abstraction prints cubes of the true predicates only; a cube needs the negations of the
//! others too, or it stands for more states than were found.

use crate::options::Abstraction;
use crate::region::{PredicateId, Predicates};
use pass::Guarded;
use sets::bdd::{Bdd, Full};
use solver::{AllSmt, Smt, Unknown, entailed};
use std::ops::ControlFlow;
use term::Term;
use term::build::{falsehood, truth};

/// Why an abstraction could not be computed.
#[derive(Debug)]
pub enum Failure {
    Solver(Unknown),
    Full,
}

impl From<Unknown> for Failure {
    fn from(why: Unknown) -> Failure {
        Failure::Solver(why)
    }
}

impl From<Full> for Failure {
    fn from(_: Full) -> Failure {
        Failure::Full
    }
}

/// (SP_op(φ))^π: the abstraction of what the block makes of the region. Empty if the block cannot be passed.
pub fn successor(
    kind: Abstraction,
    smt: &mut dyn Smt,
    predicates: &mut Predicates,
    region: &Bdd,
    op: &Guarded,
    precision: &[PredicateId],
) -> Result<Bdd, Failure> {
    let formula = predicates.formula(region);
    smt.push();
    smt.assert(formula);
    for conjunct in op.conjuncts() {
        smt.assert(*conjunct);
    }
    let result = abstracted(kind, smt, predicates, op, precision);
    smt.pop();
    result
}

fn abstracted(
    kind: Abstraction,
    smt: &mut dyn Smt,
    predicates: &mut Predicates,
    op: &Guarded,
    precision: &[PredicateId],
) -> Result<Bdd, Failure> {
    // Predicates whose value is plain need no solver.
    let mut fixed = predicates.everything();
    let mut open: Vec<(PredicateId, Term)> = Vec::new();
    for &id in precision {
        let before = op.after(predicates.term(id));
        if before == truth() || before == falsehood() {
            fixed = fixed.and(&predicates.literal(id, before == truth())?)?;
        } else {
            open.push((id, before));
        }
    }
    let terms: Vec<Term> = open.iter().map(|(_, term)| *term).collect();
    let mut region = predicates.nothing();
    match kind {
        Abstraction::Cartesian => {
            if let Some(values) = entailed(smt, &terms)? {
                region = cube(predicates, &open, &values)?;
            }
        }
        Abstraction::Boolean if terms.is_empty() => {
            if smt.check().decided()? {
                region = predicates.everything();
            }
        }
        Abstraction::Boolean => {
            let mut full = false;
            AllSmt::new(&terms).run(smt, &mut |values| {
                match cube(predicates, &open, values).and_then(|cube| region.or(&cube)) {
                    Ok(larger) => region = larger,
                    Err(Full) => full = true,
                }
                if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if full {
                return Err(Failure::Full);
            }
        }
    }
    Ok(region.and(&fixed)?)
}

/// The conjunction of the predicates whose values are given, each positive or negative.
fn cube(predicates: &mut Predicates, open: &[(PredicateId, Term)], values: &[Option<bool>]) -> Result<Bdd, Full> {
    let mut cube = predicates.everything();
    for ((id, _), value) in open.iter().zip(values) {
        if let Some(value) = value {
            cube = cube.and(&predicates.literal(*id, *value)?)?;
        }
    }
    Ok(cube)
}
