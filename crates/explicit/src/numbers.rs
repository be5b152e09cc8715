//! Sets of numbers: what a symbol may still be.

use term::{Op, SortKind, Term, Value};

/// Unsigned numbers of a width, as intervals in ascending order that do not touch each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Numbers {
    width: u32,
    intervals: Vec<(u128, u128)>,
}

impl Numbers {
    pub fn all(width: u32) -> Numbers {
        Numbers { width, intervals: vec![(0, largest(width))] }
    }

    /// From one number to another; none if the second is smaller.
    fn between(width: u32, from: u128, to: u128) -> Numbers {
        Numbers { width, intervals: if from <= to { vec![(from, to)] } else { Vec::new() } }
    }

    /// The numbers that are not in the set.
    fn others(&self) -> Numbers {
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut next = Some(0);
        for (from, to) in &self.intervals {
            if let Some(next) = next.filter(|next| next < from) {
                intervals.push((next, from - 1));
            }
            next = (*to < largest(self.width)).then(|| to + 1);
        }
        intervals.extend(next.map(|next| (next, largest(self.width))));
        Numbers { width: self.width, intervals }
    }

    /// The numbers that are in both sets.
    pub fn and(&self, other: &Numbers) -> Numbers {
        let mut intervals = Vec::new();
        for (from, to) in &self.intervals {
            let meeting = other.intervals.iter().map(|(a, b)| (*a.max(from), *b.min(to)));
            intervals.extend(meeting.filter(|(from, to)| from <= to));
        }
        Numbers { width: self.width, intervals }
    }

    /// The numbers as constants, if there are at most so many.
    pub fn constants(&self, most: u128) -> Option<Vec<Term>> {
        let count =
            self.intervals.iter().fold(0u128, |sum, (from, to)| sum.saturating_add((to - from).saturating_add(1)));
        let constant = |number| Term::constant(Value::bv(self.width, number));
        (count <= most).then(|| self.intervals.iter().flat_map(|(from, to)| *from..=*to).map(constant).collect())
    }

    /// That a term is one of the numbers.
    pub fn contain(&self, term: Term) -> Term {
        use term::build::{and, bv, bv_ule, eq, or};
        or(self.intervals.iter().map(|(from, to)| match from == to {
            true => eq(term, bv(self.width, *from)),
            false => and([bv_ule(bv(self.width, *from), term), bv_ule(term, bv(self.width, *to))]),
        }))
    }

    /// The symbol that an atom compares with a constant, and the numbers for which it holds.
    pub fn of_atom(atom: Term) -> Option<(Term, Numbers)> {
        let [left, right] = *atom.args() else { return None };
        let is_symbol = |term: Term| matches!(term.op(), Op::Var { .. });
        let (symbol, constant, is_swapped) = match (left.as_bv(), right.as_bv()) {
            (None, Some(constant)) if is_symbol(left) => (left, constant, false),
            (Some(constant), None) if is_symbol(right) => (right, constant, true),
            _ => return None,
        };
        let SortKind::BitVec(width) = *symbol.sort().kind() else { return None };
        let number = constant.unsigned();
        // Symbols below the constant, without it and with it; for those above it is the other way round.
        let below = |from: u128, with: bool| match (with, number.checked_sub(1)) {
            (true, _) => Numbers::between(width, from, number),
            (false, Some(before)) => Numbers::between(width, from, before),
            (false, None) => Numbers { width, intervals: Vec::new() },
        };
        let middle = 1u128 << (width - 1);
        let below_signed = |with: bool| match number < middle {
            true => below(0, with).or(&Numbers::between(width, middle, largest(width))),
            false => below(middle, with),
        };
        let set = match (atom.op(), is_swapped) {
            (Op::Eq, _) => Numbers::between(width, number, number),
            (Op::BvUlt, false) => below(0, false),
            (Op::BvUle, false) => below(0, true),
            (Op::BvUlt, true) => below(0, true).others(),
            (Op::BvUle, true) => below(0, false).others(),
            (Op::BvSlt, false) => below_signed(false),
            (Op::BvSle, false) => below_signed(true),
            (Op::BvSlt, true) => below_signed(true).others(),
            (Op::BvSle, true) => below_signed(false).others(),
            _ => return None,
        };
        Some((symbol, set))
    }

    /// The same for where the atom holds, or for where it does not.
    pub fn where_atom(atom: Term, holds: bool) -> Option<(Term, Numbers)> {
        let (symbol, set) = Numbers::of_atom(atom)?;
        Some((symbol, if holds { set } else { set.others() }))
    }

    /// The numbers that are in one of the sets.
    fn or(&self, other: &Numbers) -> Numbers {
        self.others().and(&other.others()).others()
    }
}

fn largest(width: u32) -> u128 {
    term::Bv::mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::build::{bool, bv};
    use term::subst::substitute;

    /// Whatever an atom says of a symbol of four bits, its set says.
    #[test]
    fn sets_are_what_atoms_say() {
        let symbol = Term::var("x", Sort::bv(4));
        for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
            for constant in (0..16).map(|number| bv(4, number)) {
                for atom in [Term::new(op.clone(), &[symbol, constant]), Term::new(op.clone(), &[constant, symbol])] {
                    for holds in [true, false] {
                        let (_, set) = Numbers::where_atom(atom, holds).unwrap_or_else(|| panic!("{atom:?}"));
                        let inside = set.constants(16).unwrap_or_default();
                        let formula = set.contain(symbol);
                        for number in (0..16).map(|number| bv(4, number)) {
                            let at = |term| substitute(term, |_| Some(number));
                            let expected = at(atom) == bool(holds);
                            assert_eq!(inside.contains(&number), expected, "{atom:?} {number:?}");
                            assert_eq!(at(formula) == bool(true), expected, "{formula:?} {number:?}");
                        }
                    }
                }
            }
        }
    }
}
