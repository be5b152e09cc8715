//! Sets of bit-vectors as unions of intervals of unsigned numbers.

use engine::shape::Ranges;
use term::{Bv, Op, Term};

/// More intervals than this become one around all.
const MOST: usize = 12;

pub fn full(width: u32) -> Ranges {
    vec![(0, Bv::mask(width))]
}

/// The intervals in order, and those that touch or overlap as one.
pub fn tidy(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut tidied: Ranges = Vec::new();
    for (low, high) in ranges {
        match tidied.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => tidied.push((low, high)),
        }
    }
    match (tidied.first(), tidied.last()) {
        (Some(first), Some(last)) if tidied.len() > MOST => vec![(first.0, last.1)],
        _ => tidied,
    }
}

pub fn union(a: &Ranges, b: &Ranges) -> Ranges {
    tidy([a.as_slice(), b.as_slice()].concat())
}

pub fn intersection(a: &Ranges, b: &Ranges) -> Ranges {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    // Exact intersections have no more intervals than both together.
    let mut common: Ranges = pairs.filter(|(low, high)| low <= high).collect();
    common.sort_unstable();
    common
}

pub fn complement(a: &Ranges, width: u32) -> Ranges {
    let (mut rest, mut next) = (Vec::new(), Some(0));
    for (low, high) in a {
        if let Some(start) = next
            && start < *low
        {
            rest.push((start, low - 1));
        }
        next = high.checked_add(1).filter(|after| *after <= Bv::mask(width));
    }
    rest.extend(next.map(|start| (start, Bv::mask(width))));
    rest
}

pub fn is_subset(a: &Ranges, b: &Ranges) -> bool {
    a.iter().all(|x| b.iter().any(|y| y.0 <= x.0 && x.1 <= y.1))
}

pub fn only(a: &Ranges) -> Option<u128> {
    match a.as_slice() {
        [(low, high)] if low == high => Some(*low),
        _ => None,
    }
}

/// All numbers plus a constant, modulo the width.
pub fn shifted(a: &Ranges, by: u128, width: u32) -> Ranges {
    let mask = Bv::mask(width);
    let mut moved = Vec::new();
    for (low, high) in a {
        let (start, end) = (low.wrapping_add(by) & mask, high.wrapping_add(by) & mask);
        if high - low == mask {
            return full(width);
        } else if start <= end {
            moved.push((start, end));
        } else {
            moved.extend([(start, mask), (0, end)]);
        }
    }
    tidy(moved)
}

/// The numbers with the highest bit the other way: the order of signed numbers becomes that of unsigned ones.
pub fn signed(a: &Ranges, width: u32) -> Ranges {
    shifted(a, 1 << (width - 1), width)
}

/// The values that a term may have, where those of symbols are given. `None` for what is no bit-vector.
pub fn of(term: Term, symbol: &dyn Fn(Term) -> Option<Ranges>) -> Option<Ranges> {
    let width = term.sort().bv_width()?;
    if let Some(number) = term.as_bv() {
        return Some(vec![(number.unsigned(), number.unsigned())]);
    }
    let of = |part: Term| of(part, symbol).unwrap_or_else(|| full(width));
    Some(match (term.op(), term.args()) {
        (Op::Var { .. }, _) => symbol(term).unwrap_or_else(|| full(width)),
        (Op::BvAdd, [a, b]) => match (a.as_bv(), b.as_bv()) {
            (_, Some(by)) => shifted(&of(*a), by.unsigned(), width),
            (Some(by), _) => shifted(&of(*b), by.unsigned(), width),
            _ => full(width),
        },
        (Op::Ite, [_, a, b]) => union(&of(*a), &of(*b)),
        (Op::ZeroExtend(_), [a]) => of(*a),
        (Op::BvAnd, [_, b]) => match b.as_bv() {
            Some(mask) => vec![(0, mask.unsigned())],
            None => full(width),
        },
        (Op::BvUrem, [_, b]) => match b.as_bv() {
            Some(by) if by.unsigned() > 0 => vec![(0, by.unsigned() - 1)],
            _ => full(width),
        },
        _ => full(width),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(a: &Ranges) -> Vec<u128> {
        (0..16).filter(|n| a.iter().any(|(low, high)| low <= n && n <= high)).collect()
    }

    /// All sets of up to two intervals of four bits, against enumeration.
    #[test]
    fn operations_are_those_of_sets() {
        let intervals = || (0..16u128).flat_map(|low| (low..16).map(move |high| (low, high)));
        let mut sets: Vec<Ranges> = intervals().map(|interval| vec![interval]).collect();
        sets.push(Vec::new());
        sets.extend(intervals().step_by(7).flat_map(|a| intervals().step_by(5).map(move |b| tidy(vec![a, b]))));
        for a in sets.iter().step_by(3) {
            let complement = complement(a, 4);
            assert!((0..16).all(|n| members(a).contains(&n) != members(&complement).contains(&n)), "{a:?}");
            for by in [0, 1, 5, 15] {
                let mut moved: Vec<u128> = members(a).iter().map(|n| (n + by) % 16).collect();
                moved.sort_unstable();
                assert_eq!(members(&shifted(a, by, 4)), moved, "{a:?} {by}");
            }
            for b in sets.iter().step_by(11) {
                let (in_a, in_b) = (members(a), members(b));
                let common: Vec<u128> = in_a.iter().copied().filter(|n| in_b.contains(n)).collect();
                assert_eq!(members(&intersection(a, b)), common, "{a:?} {b:?}");
                assert_eq!(is_subset(a, b), in_a.iter().all(|n| in_b.contains(n)), "{a:?} {b:?}");
                let either = union(a, b);
                assert!((0..16).all(|n| (in_a.contains(&n) || in_b.contains(&n)) == members(&either).contains(&n)));
            }
        }
    }
}
