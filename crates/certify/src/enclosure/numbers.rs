//! Bounds of machine integers, read without and with sign, in exact arithmetic.
//!
//! Numbers of up to 128 bits with sign and up to 126 without have bounds; results that do not fit into 128 bits have
//! none.

use term::{Bv, Op};

type Bounds = (i128, i128);

/// The widest numbers that are read without sign.
const WIDEST: u32 = 126;

/// What a machine integer can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    width: u32,
    unsigned: Option<Bounds>,
    signed: Bounds,
}

fn meet(a: Bounds, b: Bounds) -> Option<Bounds> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

fn join(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

fn all_signed(width: u32) -> Bounds {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}

fn all_unsigned(width: u32) -> Option<Bounds> {
    (width <= WIDEST).then(|| (0, (1 << width) - 1))
}

impl Number {
    pub fn all(width: u32) -> Number {
        Number { width, unsigned: all_unsigned(width), signed: all_signed(width) }
    }

    pub fn is_all(&self) -> bool {
        *self == Number::all(self.width)
    }

    pub fn constant(width: u32, value: Bv) -> Number {
        let (signed, unsigned) = (value.signed(), value.unsigned() as i128);
        let unsigned = all_unsigned(width).map(|_| (unsigned, unsigned));
        Number { width, unsigned, signed: (signed, signed) }
    }

    /// The numbers with these bounds, each of which may be missing; nothing, if there are none.
    fn new(width: u32, unsigned: Option<Bounds>, signed: Option<Bounds>) -> Option<Number> {
        let mut with_sign = meet(signed.unwrap_or(all_signed(width)), all_signed(width))?;
        let Some(all) = all_unsigned(width) else { return Some(Number { width, unsigned: None, signed: with_sign }) };
        let mut without = meet(unsigned.unwrap_or(all), all)?;
        let modulus = all.1 + 1;
        if without.1 < modulus / 2 || with_sign.0 >= 0 {
            without = meet(without, with_sign)?;
            with_sign = without;
        } else if without.0 >= modulus / 2 || with_sign.1 < 0 {
            with_sign = meet(with_sign, (without.0 - modulus, without.1 - modulus))?;
            without = (with_sign.0 + modulus, with_sign.1 + modulus);
        }
        Some(Number { width, unsigned: Some(without), signed: with_sign })
    }

    /// The numbers that results become which may wrap around, from the results in each reading of what they are made
    /// of.
    fn wrapped(width: u32, unsigned: Option<Bounds>, signed: Option<Bounds>) -> Option<Number> {
        let least = all_signed(width).0;
        let unsigned = unsigned.zip(all_unsigned(width)).and_then(|(bounds, all)| turned_back(bounds, 0, all));
        let signed = match all_unsigned(width) {
            Some(all) => signed.and_then(|bounds| turned_back(bounds, least, all)),
            None => signed.filter(|bounds| meet(*bounds, all_signed(width)) == Some(*bounds)),
        };
        Number::new(width, unsigned, signed)
    }

    pub fn meet(self, other: Number) -> Option<Number> {
        let unsigned = match (self.unsigned, other.unsigned) {
            (Some(a), Some(b)) => Some(meet(a, b)?),
            _ => None,
        };
        Number::new(self.width, unsigned, Some(meet(self.signed, other.signed)?))
    }

    pub fn join(self, other: Number) -> Number {
        let unsigned = self.unsigned.zip(other.unsigned).map(|(a, b)| join(a, b));
        Number { unsigned, signed: join(self.signed, other.signed), ..self }
    }

    /// The only number that it can be, as a term.
    fn only(&self) -> Option<term::Term> {
        (self.signed.0 == self.signed.1).then(|| term::build::bv_signed(self.width, self.signed.0))
    }

    fn reading(&self, signed: bool) -> Option<Bounds> {
        if signed { Some(self.signed) } else { self.unsigned }
    }

    pub fn bounds(&self, signed: bool) -> Option<Bounds> {
        self.reading(signed)
    }

    pub fn of_reading(width: u32, signed: bool, bounds: Bounds) -> Option<Number> {
        if signed { Number::new(width, None, Some(bounds)) } else { Number::new(width, Some(bounds), None) }
    }

    pub fn equals(self, other: Number) -> Option<bool> {
        if self.meet(other).is_none() {
            return Some(false);
        }
        (self.signed.0 == self.signed.1 && self.signed == other.signed).then_some(true)
    }

    pub fn is_less(self, other: Number, signed: bool, strict: bool) -> Option<bool> {
        let (a, b) = (self.reading(signed)?, other.reading(signed)?);
        match strict {
            true if a.1 < b.0 => Some(true),
            true if a.0 >= b.1 => Some(false),
            false if a.1 <= b.0 => Some(true),
            false if a.0 > b.1 => Some(false),
            _ => None,
        }
    }

    /// Both, where the first is less than the second, or not greater.
    pub fn ordered(less: Number, more: Number, signed: bool, strict: bool) -> Option<(Number, Number)> {
        let (Some(a), Some(b)) = (less.reading(signed), more.reading(signed)) else { return Some((less, more)) };
        let gap = i128::from(strict);
        let (most, least) = (b.1.checked_sub(gap)?, a.0.checked_add(gap)?);
        let below = Number::of_reading(less.width, signed, (a.0, a.1.min(most)))?;
        let above = Number::of_reading(more.width, signed, (b.0.max(least), b.1))?;
        Some((less.meet(below)?, more.meet(above)?))
    }

    /// The numbers that are not the only one that the other can be, if that is at an end.
    pub fn without(self, other: Number) -> Option<Number> {
        if other.signed.0 != other.signed.1 {
            return Some(self);
        }
        let cut = |(low, high): Bounds, value: i128| match () {
            () if low == value => (low + 1, high),
            () if high == value => (low, high - 1),
            () => (low, high),
        };
        let unsigned = self.unsigned.zip(other.unsigned).map(|(mine, value)| cut(mine, value.0));
        let signed = cut(self.signed, other.signed.0);
        let is_empty = |bounds: Bounds| bounds.0 > bounds.1;
        if is_empty(signed) || unsigned.is_some_and(is_empty) {
            return None;
        }
        Number::new(self.width, unsigned, Some(signed))
    }

    pub fn extended(self, width: u32, signed: bool) -> Option<Number> {
        let bounds = self.reading(signed)?;
        Number::of_reading(width, signed || width > WIDEST, bounds)
    }

    /// The numbers that are extended to these.
    pub fn taken_back(self, width: u32, signed: bool) -> Option<Number> {
        let inner = Number::all(width);
        let Some((own, all)) = self.reading(signed).or(Some(self.signed)).zip(inner.reading(signed)) else {
            return Some(inner);
        };
        Number::of_reading(width, signed, meet(own, all)?)
    }

    pub fn truncated(self, width: u32) -> Option<Number> {
        Number::wrapped(width, self.unsigned, Some(self.signed))
    }

    pub fn unary(self, op: &Op) -> Option<Number> {
        let negated = |bounds: Bounds, less: i128| {
            Some((bounds.1.checked_neg()?.checked_sub(less)?, bounds.0.checked_neg()?.checked_sub(less)?))
        };
        let less = match op {
            Op::BvNeg => 0,
            Op::BvNot => 1,
            _ => return None,
        };
        Number::wrapped(self.width, self.unsigned.and_then(|b| negated(b, less)), negated(self.signed, less))
    }

    pub fn binary(op: &Op, a: Number, b: Number) -> Option<Number> {
        let width = a.width;
        if let (Some(one), Some(other)) = (a.only(), b.only()) {
            return term::build::make(op, &[one, other]).as_bv().map(|value| Number::constant(value.width(), value));
        }
        let both = |compute: &dyn Fn(Bounds, Bounds) -> Option<Bounds>| {
            let unsigned = a.unsigned.zip(b.unsigned).and_then(|(a, b)| compute(a, b));
            Number::wrapped(width, unsigned, compute(a.signed, b.signed))
        };
        match op {
            Op::BvAdd => both(&|a, b| Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))),
            Op::BvSub => both(&|a, b| Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?))),
            Op::BvMul => both(&product),
            Op::BvShl => {
                let by = b.unsigned.filter(|by| by.0 == by.1 && by.0 < i128::from(width.min(WIDEST)))?.0;
                let factor = 1i128 << by;
                let scaled = |bounds| product(bounds, (factor, factor));
                Number::wrapped(width, a.unsigned.and_then(scaled), scaled(a.signed))
            }
            Op::BvSdiv if b.signed.0 > 0 => {
                let (n, d) = (a.signed, b.signed);
                let all = [n.0 / d.0, n.0 / d.1, n.1 / d.0, n.1 / d.1];
                Number::of_reading(width, true, (*all.iter().min()?, *all.iter().max()?))
            }
            Op::BvSrem if b.signed.0 > 0 => {
                let most = b.signed.1 - 1;
                let low = if a.signed.0 >= 0 { 0 } else { a.signed.0.max(-most) };
                let high = if a.signed.1 <= 0 { 0 } else { a.signed.1.min(most) };
                Number::of_reading(width, true, (low, high))
            }
            _ => {
                let bounds = Number::of_bits(op, a.unsigned?, b.unsigned?, width);
                match bounds {
                    Some(bounds) => Number::of_reading(width, false, bounds),
                    None if *op == Op::BvAshr => {
                        let by = b.unsigned.filter(|by| by.0 == by.1 && by.0 < i128::from(width))?.0;
                        Number::of_reading(width, true, (a.signed.0 >> by, a.signed.1 >> by))
                    }
                    None => None,
                }
            }
        }
    }

    /// What operators make of numbers without sign that speak of their bits.
    fn of_bits(op: &Op, a: Bounds, b: Bounds, width: u32) -> Option<Bounds> {
        match op {
            Op::BvAnd => Some((0, a.1.min(b.1))),
            Op::BvOr | Op::BvXor => {
                let ones = (a.1 | b.1).checked_ilog2().map_or(0, |top| (1i128 << (top + 1)) - 1);
                Some((if *op == Op::BvOr { a.0.max(b.0) } else { 0 }, ones))
            }
            Op::BvUdiv if b.0 > 0 => Some((a.0 / b.1, a.1 / b.0)),
            Op::BvUrem if b.0 > 0 => Some(if a.1 < b.0 { a } else { (0, a.1.min(b.1 - 1)) }),
            Op::BvLshr if b.1 < i128::from(width) => Some((a.0 >> b.1, a.1 >> b.0)),
            Op::BvLshr => Some((0, a.1)),
            _ => None,
        }
    }
}

fn product(a: Bounds, b: Bounds) -> Option<Bounds> {
    let all = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// Bounds modulo the numbers of a width, from the least on; nothing, if they wrap around inside.
fn turned_back(bounds: Bounds, least: i128, all: Bounds) -> Option<Bounds> {
    let modulus = all.1 + 1;
    let turns = bounds.0.checked_sub(least)?.div_euclid(modulus).checked_mul(modulus)?;
    let moved = (bounds.0.checked_sub(turns)?, bounds.1.checked_sub(turns)?);
    (moved.1 <= least + all.1).then_some(moved)
}
