//! Clauses that hold in a theory, with what is needed to interpolate their negation.
//!
//! The negation of a lemma is a conjunction of literals without a model. Each literal belongs to the last group that its
//! variable occurs in; the interpolant at a cut is what the literals of the groups up to the cut say to the others.

use super::atoms::{Atoms, Meaning, Signed};
use super::clauses::Clauses;
use super::sat::Lit;
use arithmetic::{Rational, Sum, terms};
use term::{Term, build};

pub(super) enum Lemma {
    /// These constraints, multiplied by the positive factors, add up to falsehood.
    Linear(Vec<(Lit, Rational)>),
    /// These equations lead from one term to another step by step, and the two differ: by this literal, or because
    /// they are different constants.
    Path { steps: Vec<(Lit, Term, Term)>, differ: Option<Lit> },
}

impl Lemma {
    /// The clause: not all of the literals are true.
    pub fn clause(&self) -> Vec<Lit> {
        match self {
            Lemma::Linear(constraints) => constraints.iter().map(|(literal, _)| !*literal).collect(),
            Lemma::Path { steps, differ } => {
                steps.iter().map(|(literal, _, _)| *literal).chain(*differ).map(|literal| !literal).collect()
            }
        }
    }

    /// Whether the lemma is what it says.
    pub fn holds(&self, atoms: &Atoms) -> bool {
        match self {
            Lemma::Linear(constraints) => {
                let (total, strict) = total(atoms, constraints.iter());
                constraints.iter().all(|(_, factor)| factor.is_positive()) && is_falsehood(&total, strict)
            }
            Lemma::Path { steps, differ } => {
                let equation = |literal: Lit, a: Term, b: Term| match atoms.meaning(literal.var()) {
                    Meaning::Equal(x, y) => (a, b) == (*x, *y) || (b, a) == (*x, *y),
                    _ => false,
                };
                let (Some((_, from, _)), Some((_, _, to))) = (steps.first(), steps.last()) else { return false };
                let differ = match differ {
                    Some(literal) => !literal.is_positive() && equation(*literal, *from, *to),
                    None => from != to && from.value().is_some() && to.value().is_some(),
                };
                let connected = steps.windows(2).all(|pair| pair[0].2 == pair[1].1);
                differ && connected && steps.iter().all(|(l, a, b)| l.is_positive() && equation(*l, *a, *b))
            }
        }
    }

    /// The interpolant of the lemma's negation at a cut.
    pub fn interpolant(&self, clauses: &Clauses, cut: usize) -> Term {
        let past = |literal: &Lit| clauses.last(literal.var()) <= cut;
        match self {
            Lemma::Linear(constraints) => {
                let known = constraints.iter().filter(|(literal, _)| past(literal));
                let (sum, strict) = total(&clauses.atoms, known);
                terms::at_most_zero(&sum, strict)
            }
            Lemma::Path { steps, differ } => {
                // Stretches of one side are summed up by their ends.
                if differ.is_none_or(|literal| !past(&literal)) {
                    build::and(stretches(steps, past))
                } else {
                    build::not(build::and(stretches(steps, |literal| !past(literal))))
                }
            }
        }
    }
}

/// The sum of constraints, as `sum <= 0` or, if strict, `sum < 0`.
fn total<'a>(atoms: &Atoms, constraints: impl Iterator<Item = &'a (Lit, Rational)>) -> (Sum<Term>, bool) {
    let mut total = Sum::constant(Rational::ZERO);
    let mut total_is_strict = false;
    for (literal, factor) in constraints {
        let (sum, strict) = atoms.inequality(*literal).expect("linear lemmas have constraints only");
        total = total.plus(&sum.times(factor));
        total_is_strict |= strict;
    }
    (total, total_is_strict)
}

fn is_falsehood(sum: &Sum<Term>, strict: bool) -> bool {
    sum.columns.is_empty() && (sum.constant.is_positive() || strict && sum.constant.is_zero())
}

/// Lemmas, and literals with a number each.
type Numbered = (Vec<Lemma>, Vec<(Lit, usize)>);

/// Divides constraints that add up to falsehood at the cuts between their groups: the parts, each with the literals of
/// one group and the interfaces beside it, and the interfaces with their cuts. `None` if all is within one group and its
/// neighbours.
pub(super) fn divide(clauses: &mut Clauses, constraints: &[(Lit, Rational)]) -> Option<Numbered> {
    let mut groups: Vec<usize> = constraints.iter().map(|(literal, _)| clauses.last(literal.var())).collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.len() < 2 {
        return None;
    }
    let (mut parts, mut interfaces) = (Vec::new(), Vec::new());
    let mut total = Sum::constant(Rational::ZERO);
    let mut total_is_strict = false;
    // The interface before the group, with the factor by which it is to be multiplied to be what the past sums up to.
    let mut before: Option<(Lit, Rational)> = None;
    for (at, group) in groups.iter().enumerate() {
        let mut part: Vec<(Lit, Rational)> = before.take().into_iter().collect();
        for (literal, factor) in constraints.iter().filter(|(literal, _)| clauses.last(literal.var()) == *group) {
            let (sum, strict) = clauses.atoms.inequality(*literal)?;
            total = total.plus(&sum.times(factor));
            total_is_strict |= strict;
            part.push((*literal, factor.clone()));
        }
        if total.columns.is_empty() && at + 1 < groups.len() {
            // What the past sums up to speaks of no column: it is falsehood by itself, or of no use to the future.
            if is_falsehood(&total, total_is_strict) {
                parts.push(Lemma::Linear(part));
                return Some((parts, interfaces));
            }
            (total, total_is_strict) = (Sum::constant(Rational::ZERO), false);
            continue;
        }
        if at + 1 < groups.len() {
            let factor = Rational::ONE.over(&total.scale());
            let Signed::Literal(after) = clauses.atoms.at_most_zero(&mut clauses.sat, &total, total_is_strict) else {
                return None;
            };
            part.push((!after, factor.clone()));
            before = Some((after, factor));
            interfaces.push((after, *group));
        }
        parts.push(Lemma::Linear(part));
    }
    Some((parts, interfaces))
}

/// The equations between the ends of each longest stretch of chosen steps.
fn stretches(steps: &[(Lit, Term, Term)], chosen: impl Fn(&Lit) -> bool) -> Vec<Term> {
    let chosen_at = |n: usize| steps.get(n).is_some_and(|(literal, _, _)| chosen(literal));
    let starts = (0..steps.len()).filter(|n| chosen_at(*n) && (*n == 0 || !chosen_at(n - 1)));
    starts
        .map(|start| {
            let end = (start..steps.len()).take_while(|n| chosen_at(*n)).last().unwrap_or(start);
            build::eq(steps[start].1, steps[end].2)
        })
        .collect()
}
