//! The atoms of formulas, which become predicates.

use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{eq, falsehood, make, truth};
use term::{Op, Term, Value};

/// The atoms of a formula: its largest parts that are not built by a Boolean connective.
pub fn atoms(formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let connective = match term.op() {
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor => true,
            Op::Eq | Op::Ite => term.args()[1].sort().is_bool(),
            _ => false,
        };
        if connective {
            stack.extend(term.args());
        } else if term != truth() && term != falsehood() {
            found.push(term);
        }
    }
    found
}

/// An atom with more variants than this is not split.
const MOST_VARIANTS: usize = 32;

/// The atoms of a formula without choices in them: an atom that chooses between values is split into one for each
/// value, and the atoms of the conditions.
pub fn split_atoms(formula: Term) -> Vec<Term> {
    let mut split = Split::default();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = atoms(formula);
    while let Some(atom) = pending.pop() {
        for variant in split.variants(atom).iter() {
            // Simplification may have made a connective of it.
            found.extend(atoms(*variant).into_iter().filter(|part| seen.insert(*part)));
        }
        let conditions = std::mem::take(&mut split.conditions);
        pending.extend(conditions.into_iter().flat_map(atoms));
    }
    found
}

#[derive(Default)]
struct Split {
    memo: FxHashMap<Term, Vec<Term>>,
    /// Conditions that were met since the last time they were taken.
    conditions: Vec<Term>,
}

impl Split {
    /// The terms that a term is equal to, whatever the choices in it are.
    fn variants(&mut self, term: Term) -> Vec<Term> {
        if term.args().is_empty() {
            return vec![term];
        }
        if let Some(known) = self.memo.get(&term) {
            return known.clone();
        }
        let mut found = match (term.op(), term.args()) {
            (Op::Ite, [condition, a, b]) => {
                self.conditions.push(*condition);
                let mut both = self.variants(*a);
                both.extend(self.variants(*b));
                both
            }
            (op, args) => {
                let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
                for arg in args {
                    let variants = self.variants(*arg);
                    rows = rows.iter().flat_map(|row| variants.iter().map(|v| [&row[..], &[*v]].concat())).collect();
                    rows.truncate(MOST_VARIANTS + 1);
                }
                rows.iter().map(|row| if row == args { term } else { make(op, row) }).collect()
            }
        };
        let mut seen = FxHashSet::default();
        found.retain(|variant| seen.insert(*variant));
        if found.len() > MOST_VARIANTS {
            found = vec![term];
        }
        self.memo.insert(term, found.clone());
        found
    }
}

/// The same predicates, except that where a value is compared with two bounds next to each other, it is compared with the
/// second alone, for equality: that is what integer interpolants make of equations.
pub fn equations(found: &[Vec<Term>]) -> Vec<Vec<Term>> {
    found.iter().map(|atoms| merged(atoms)).collect()
}

fn merged(atoms: &[Term]) -> Vec<Term> {
    let bounds: FxHashSet<(Term, i128)> = atoms.iter().filter_map(|atom| upper_bound(*atom)).collect();
    let equation = |atom: &Term| {
        let Some((value, bound)) = upper_bound(*atom) else { return vec![*atom] };
        let above = bounds.contains(&(value, bound + 1));
        let below = bounds.contains(&(value, bound - 1));
        match value.sort().bv_width() {
            Some(width) if below => vec![eq(value, term::build::bv_signed(width, bound))],
            _ if above => Vec::new(),
            _ => vec![*atom],
        }
    };
    atoms.iter().flat_map(equation).collect()
}

/// The value and the constant of an atom that says value <= constant, by signed numbers.
fn upper_bound(atom: Term) -> Option<(Term, i128)> {
    let (Op::BvSle, [value, bound]) = (atom.op(), atom.args()) else { return None };
    match bound.value() {
        Some(Value::Bv(bound)) => Some((*value, bound.signed())),
        _ => None,
    }
}
