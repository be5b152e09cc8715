//! Arithmetic on integer constants of a known width.
//!
//! A constant is an `i128` in the range of its type; values of 128-bit unsigned types are there as their bits.

use crate::hir::{BinaryOp, CompareOp};
use std::cmp::Ordering;

/// The shape of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IntShape {
    pub width: u32,
    pub signed: bool,
}

/// A result, wrapped into the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub value: i128,
    /// Whether C says what the result is: no signed overflow, no shift by too much.
    pub is_defined: bool,
}

impl IntShape {
    /// The value modulo two to the width, in range.
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - self.width;
        if self.signed { (value << unused) >> unused } else { ((value as u128) << unused >> unused) as i128 }
    }

    pub fn contains(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    pub fn negate(self, value: i128) -> Outcome {
        self.outcome(value.overflowing_neg())
    }

    pub fn complement(self, value: i128) -> i128 {
        self.wrap(!value)
    }

    /// `None` for a division by zero, and for the one of the least number by -1.
    pub fn binary(self, op: BinaryOp, left: i128, right: i128) -> Option<Outcome> {
        Some(match op {
            BinaryOp::Add => self.outcome(left.overflowing_add(right)),
            BinaryOp::Sub => self.outcome(left.overflowing_sub(right)),
            BinaryOp::Mul => self.outcome(left.overflowing_mul(right)),
            BinaryOp::Div | BinaryOp::Rem => return self.divide(op, left, right),
            BinaryOp::And => self.exact(left & right),
            BinaryOp::Xor => self.exact(left ^ right),
            BinaryOp::Or => self.exact(left | right),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, left, right),
        })
    }

    fn divide(self, op: BinaryOp, left: i128, right: i128) -> Option<Outcome> {
        let value = match (op, self.signed) {
            (BinaryOp::Div, true) => left.checked_div(right)?,
            (_, true) => left.checked_rem(right)?,
            (BinaryOp::Div, false) => (left as u128).checked_div(right as u128)? as i128,
            (_, false) => (left as u128).checked_rem(right as u128)? as i128,
        };
        // The least number divided by -1 is out of range, and its remainder is undefined with it.
        let overflows = self.signed && right == -1 && left == self.wrap(1 << (self.width - 1));
        if overflows { None } else { Some(self.exact(value)) }
    }

    fn shift(self, op: BinaryOp, value: i128, count: i128) -> Outcome {
        let in_range = (0..i128::from(self.width)).contains(&count);
        // Shifting by one bit less than the width, and once more, moves every bit out.
        let step = if in_range { count as u32 } else { self.width - 1 };
        let shifted = |value: i128, step: u32| match (op, self.signed) {
            (BinaryOp::Shl, _) => self.wrap(value << step),
            (_, true) => value >> step,
            (_, false) => ((value as u128) >> step) as i128,
        };
        let mut result = shifted(value, step);
        if !in_range {
            result = shifted(result, 1);
        }
        let keeps_value = op != BinaryOp::Shl || !self.signed || (value >= 0 && result >> step == value);
        Outcome { value: result, is_defined: in_range && keeps_value }
    }

    pub fn compare(self, op: CompareOp, left: i128, right: i128) -> bool {
        let order = if self.signed { left.cmp(&right) } else { (left as u128).cmp(&(right as u128)) };
        match op {
            CompareOp::Eq => order == Ordering::Equal,
            CompareOp::Ne => order != Ordering::Equal,
            CompareOp::Lt => order == Ordering::Less,
            CompareOp::Le => order != Ordering::Greater,
            CompareOp::Gt => order == Ordering::Greater,
            CompareOp::Ge => order != Ordering::Less,
        }
    }

    fn exact(self, value: i128) -> Outcome {
        Outcome { value: self.wrap(value), is_defined: true }
    }

    fn outcome(self, (value, overflowed): (i128, bool)) -> Outcome {
        let wrapped = self.wrap(value);
        Outcome { value: wrapped, is_defined: !self.signed || (!overflowed && wrapped == value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: IntShape = IntShape { width: 32, signed: true };
    const UNSIGNED: IntShape = IntShape { width: 32, signed: false };

    fn check(shape: IntShape, op: BinaryOp, left: i128, right: i128, expected: Option<(i128, bool)>) {
        let outcome = shape.binary(op, left, right).map(|outcome| (outcome.value, outcome.is_defined));
        assert_eq!(outcome, expected, "{left} {op:?} {right}");
    }

    #[test]
    fn arithmetic() {
        let (least, greatest) = (i128::from(i32::MIN), i128::from(i32::MAX));
        check(INT, BinaryOp::Add, greatest, 1, Some((least, false)));
        check(UNSIGNED, BinaryOp::Sub, 0, 1, Some((0xffff_ffff, true)));
        check(INT, BinaryOp::Div, -7, 2, Some((-3, true)));
        check(INT, BinaryOp::Rem, -7, 2, Some((-1, true)));
        check(INT, BinaryOp::Div, 1, 0, None);
        check(INT, BinaryOp::Rem, least, -1, None);
        check(UNSIGNED, BinaryOp::Div, 0xffff_ffff, 2, Some((0x7fff_ffff, true)));
        check(INT, BinaryOp::Shl, 1, 30, Some((1 << 30, true)));
        check(INT, BinaryOp::Shl, 1, 31, Some((least, false)));
        check(INT, BinaryOp::Shl, 1, 40, Some((0, false)));
        check(INT, BinaryOp::Shr, -8, 1, Some((-4, true)));
        check(INT, BinaryOp::Shr, -8, 99, Some((-1, false)));
        check(UNSIGNED, BinaryOp::Shr, 0x8000_0000, 31, Some((1, true)));
    }

    #[test]
    fn unsigned_128_bits() {
        let shape = IntShape { width: 128, signed: false };
        check(shape, BinaryOp::Div, -1, 2, Some((i128::MAX, true)));
        check(shape, BinaryOp::Mul, -1, -1, Some((1, true)));
        assert!(shape.compare(CompareOp::Gt, -1, 1));
    }
}
