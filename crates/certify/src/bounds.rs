//! What conditions say of the least and the greatest value of a symbol, in both readings of a machine integer.

use rustc_hash::FxHashMap;
use term::build::{and, bool, bv_signed, not, or};
use term::subst::substitute;
use term::{Op, Term};

/// The least and the greatest number.
pub type Range = (i128, i128);

/// For each symbol its range, read without and with sign.
#[derive(Default)]
pub struct Bounds {
    known: FxHashMap<Term, [Range; 2]>,
}

/// A comparison of a symbol with a constant: it holds for the numbers of a range, read with sign or without.
struct Comparison {
    symbol: Term,
    signed: bool,
    range: Range,
}

impl Bounds {
    /// What formulas that hold together say.
    pub fn of(formulas: &[Term]) -> Bounds {
        let mut bounds = Bounds::default();
        let mut parts = formulas.to_vec();
        while let Some(formula) = parts.pop() {
            match Comparison::of(formula) {
                Some(comparison) => bounds.add(&comparison),
                None if formula.op() == &Op::And => parts.extend(formula.args()),
                None => {}
            }
        }
        bounds
    }

    /// What is known of a symbol, read without and with sign.
    pub fn of_symbol(&self, symbol: Term) -> Option<[Range; 2]> {
        self.known.get(&symbol).copied()
    }

    fn add(&mut self, Comparison { symbol, signed, range }: &Comparison) {
        let Some(width) = symbol.sort().bv_width() else { return };
        let half = 1i128 << (width - 1);
        let [mut unsigned, mut with_sign] =
            self.known.get(symbol).copied().unwrap_or([(0, 2 * half - 1), (-half, half - 1)]);
        let met = if *signed { &mut with_sign } else { &mut unsigned };
        *met = meet(*met, *range);
        // Where the number is not negative, both readings are the same.
        if unsigned.1 < half || with_sign.0 >= 0 {
            unsigned = meet(unsigned, with_sign);
            with_sign = unsigned;
        }
        self.known.insert(*symbol, [unsigned, with_sign]);
    }

    /// A formula with the truth of those comparisons in their places that the bounds decide.
    pub fn decided(&self, formula: Term) -> Term {
        match (formula.op(), formula.args()) {
            (Op::And, parts) => and(parts.iter().map(|part| self.decided(*part))),
            (Op::Or, parts) => or(parts.iter().map(|part| self.decided(*part))),
            (Op::Not, [inner]) => not(self.decided(*inner)),
            _ => self.truth(formula).map_or(formula, bool),
        }
    }

    fn truth(&self, formula: Term) -> Option<bool> {
        let Comparison { symbol, signed, range } = Comparison::of(formula)?;
        let known = self.known.get(&symbol)?[usize::from(signed)];
        let both = meet(known, range);
        match (both == known, both.0 > both.1) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// A formula with its value in the place of each symbol that has only one left.
    pub fn pinned(&self, formula: Term) -> Term {
        substitute(formula, |symbol| {
            let width = symbol.sort().bv_width()?;
            let only = self.known.get(&symbol)?.iter().find(|(least, most)| least == most)?;
            Some(bv_signed(width, only.0))
        })
    }
}

impl Comparison {
    fn of(formula: Term) -> Option<Comparison> {
        let (comparison, holds) = match (formula.op(), formula.args()) {
            (Op::Not, [inner]) => (*inner, false),
            _ => (formula, true),
        };
        let (signed, strict) = match comparison.op() {
            Op::BvUle => (false, false),
            Op::BvUlt => (false, true),
            Op::BvSle => (true, false),
            Op::BvSlt => (true, true),
            _ => return None,
        };
        let [left, right] = [comparison.args()[0], comparison.args()[1]];
        let (symbol, other, is_left) = if left.is_var() { (left, right, true) } else { (right, left, false) };
        let number = other.as_bv().map(|bv| if signed { bv.signed() } else { bv.unsigned() as i128 })?;
        if !symbol.is_var() || symbol.sort().bv_width().is_none_or(|width| width > 64) {
            return None;
        }
        // What is compared with ≤ excludes the constant where it does not hold, with < where it does.
        let gap = i128::from(strict == holds);
        let range = if is_left == holds { (i128::MIN, number - gap) } else { (number + gap, i128::MAX) };
        Some(Comparison { symbol, signed, range })
    }
}

pub fn meet(one: Range, other: Range) -> Range {
    (one.0.max(other.0), one.1.min(other.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::build::{bv, bv_sle, bv_slt, bv_ule, bv_ult};
    use term::{Sort, Value};

    /// Whatever conditions decide of a comparison is so for all values of the symbol, and so is what is pinned.
    #[test]
    fn what_is_decided_is_so_for_all_values() {
        let x = Term::var("x", Sort::bv(3));
        let compared = |n: u128| {
            let c = bv(3, n);
            [
                bv_ule(x, c),
                bv_ule(c, x),
                bv_ult(x, c),
                bv_ult(c, x),
                bv_sle(x, c),
                bv_sle(c, x),
                bv_slt(x, c),
                bv_slt(c, x),
            ]
        };
        let atoms: Vec<Term> = (0..8).flat_map(compared).flat_map(|atom| [atom, not(atom)]).collect();
        let value = |formula: Term, n: u128| {
            let put = substitute(formula, |_| Some(Term::constant(Value::bv(3, n))));
            put.as_bool().expect("all is known")
        };
        let mut decided = 0;
        for one in &atoms {
            for other in atoms.iter().step_by(5) {
                let bounds = Bounds::of(&[*one, *other]);
                let models: Vec<u128> = (0..8).filter(|n| value(*one, *n) && value(*other, *n)).collect();
                for asked in atoms.iter().step_by(7) {
                    let found = bounds.decided(*asked);
                    decided += u32::from(found.as_bool().is_some());
                    assert!(models.iter().all(|n| value(found, *n) == value(*asked, *n)), "{one} {other} {asked}");
                    let pinned = bounds.pinned(*asked);
                    assert!(models.iter().all(|n| value(pinned, *n) == value(*asked, *n)), "{one} {other} {asked}");
                }
            }
        }
        assert!(decided > 1_000, "{decided} were decided");
    }
}
