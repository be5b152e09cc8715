//! Abstract successors: Cartesian and Boolean predicate abstraction (Section II.B).
//!
//! The strongest postcondition of a block is taken backwards: a predicate p holds after the block exactly where
//! `op.after(p)` holds before it. So φ ∧ guard is asserted, and the abstraction is computed over these terms.
//!
//! Deviation: the paper's Boolean abstraction prints cubes of the true predicates only; a cube needs the negations of the
//! others too, or it stands for more states than were found.

use crate::options::Abstraction;
use crate::region::{PredicateId, Predicates};
use blocks::solvers::Aside;
use faults::Fault;
use pass::Guarded;
use sets::bdd::{Bdd, Full};
use solver::{Factor, Smt, Unknown, entailed};
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

/// (SP_op(φ))^π: the abstraction of what the block makes of the region. Empty if the block cannot be passed. The block's
/// guard is asserted in the solver already.
pub fn successor(
    kind: Abstraction,
    smt: &mut dyn Smt,
    aside: &mut Aside,
    predicates: &mut Predicates,
    region: &Bdd,
    op: &Guarded,
    precision: &[PredicateId],
) -> Result<Bdd, Failure> {
    let formula = predicates.formula(region);
    smt.push();
    smt.assert(formula);
    let result = abstracted(kind, smt, aside, predicates, formula, op, precision);
    smt.pop();
    result
}

fn abstracted(
    kind: Abstraction,
    smt: &mut dyn Smt,
    aside: &mut Aside,
    predicates: &mut Predicates,
    formula: Term,
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
            let formulas: Vec<Term> = op.conjuncts().iter().copied().chain([formula]).collect();
            let mut full = false;
            aside.products.run(smt, aside.smt.as_mut(), &formulas, &terms, &mut |factors| {
                match product(predicates, &open, factors).and_then(|product| region.or(&product)) {
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
    let known = open.iter().zip(values).filter_map(|((id, _), value)| value.map(|value| (*id, value)));
    conjunction(predicates, known.collect())
}

fn product(predicates: &mut Predicates, open: &[(PredicateId, Term)], factors: &[Factor]) -> Result<Bdd, Full> {
    let mut product = predicates.everything();
    for factor in factors {
        let mut sum = predicates.nothing();
        let seen = if faults::is(Fault::LostModel) { 1 } else { factor.cubes.len() };
        for cube in factor.cubes.iter().take(seen) {
            let literals = factor.terms.iter().zip(cube).map(|(number, value)| (open[*number].0, *value));
            sum = sum.or(&conjunction(predicates, literals.collect())?)?;
        }
        product = product.and(&sum)?;
    }
    Ok(product)
}

fn conjunction(predicates: &mut Predicates, mut literals: Vec<(PredicateId, bool)>) -> Result<Bdd, Full> {
    // From the last variable to the first, each step adds one node on top.
    literals.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
    let mut cube = predicates.everything();
    for (id, value) in literals {
        cube = cube.and(&predicates.literal(id, value)?)?;
    }
    Ok(cube)
}
