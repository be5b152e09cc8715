//! Arithmetic on exact integers, for any format.

use super::exact::{Number, product, round_big, round_quotient, sum, sum_big, unpack};
use super::{infinity, is_signed, nan, zero};
use crate::{FloatFormat, Rounding};
use dashu::base::SquareRootRem;
use dashu::integer::UBig;

pub(super) fn add(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    match (unpack(format, a), unpack(format, b)) {
        (Number::Finite(x), Number::Finite(y)) => sum(format, rounding, x, y),
        (Number::Infinite { negative: p }, Number::Infinite { negative: q }) if p != q => nan(format),
        (Number::Nan, _) | (_, Number::Nan) => nan(format),
        (Number::Infinite { .. }, _) => a,
        (_, Number::Infinite { .. }) => b,
    }
}

pub(super) fn mul(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    let negative = is_signed(format, a) != is_signed(format, b);
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _) | (_, Number::Nan) => nan(format),
        (Number::Finite(x), Number::Finite(y)) => {
            let (magnitude, exponent) = product(x, y);
            round_big(format, rounding, negative, magnitude, exponent, false)
        }
        // Infinity times zero.
        (Number::Finite(x), _) | (_, Number::Finite(x)) if x.significand == 0 => nan(format),
        _ => infinity(format, negative),
    }
}

pub(super) fn div(format: FloatFormat, rounding: Rounding, a: u128, b: u128) -> u128 {
    let negative = is_signed(format, a) != is_signed(format, b);
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _) | (_, Number::Nan) => nan(format),
        (Number::Finite(x), Number::Finite(y)) => match (x.significand, y.significand) {
            (0, 0) => nan(format),
            (0, _) => zero(format, negative),
            (_, 0) => infinity(format, negative),
            (p, q) => {
                let parts = (&p.into(), &q.into());
                round_quotient(format, rounding, negative, parts, x.exponent - y.exponent)
            }
        },
        (Number::Finite(_), Number::Infinite { .. }) => zero(format, negative),
        (Number::Infinite { .. }, Number::Finite(_)) => infinity(format, negative),
        (Number::Infinite { .. }, Number::Infinite { .. }) => nan(format),
    }
}

pub(super) fn fma(format: FloatFormat, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    let negative = is_signed(format, a) != is_signed(format, b);
    match (unpack(format, a), unpack(format, b), unpack(format, c)) {
        (Number::Nan, ..) | (_, Number::Nan, _) | (.., Number::Nan) => nan(format),
        (Number::Finite(x), Number::Finite(y), Number::Finite(z)) => {
            let (magnitude, exponent) = product(x, y);
            sum_big(format, rounding, (negative, magnitude, exponent), (z.negative, z.significand.into(), z.exponent))
        }
        (Number::Finite(_), Number::Finite(_), Number::Infinite { .. }) => c,
        // Infinity times zero.
        (Number::Finite(x), ..) | (_, Number::Finite(x), _) if x.significand == 0 => nan(format),
        (.., Number::Infinite { negative: other }) if other != negative => nan(format),
        _ => infinity(format, negative),
    }
}

pub(super) fn sqrt(format: FloatFormat, rounding: Rounding, a: u128) -> u128 {
    match unpack(format, a) {
        Number::Finite(x) if x.significand == 0 => a,
        Number::Infinite { negative: false } => a,
        Number::Finite(x) if !x.negative => {
            // Two bits of the radicand give one of the root, and its exponent must be even.
            let shift = 2 * i64::from(format.significand + 2) + x.exponent.rem_euclid(2);
            let (root, rest) = (UBig::from(x.significand) << shift as usize).sqrt_rem();
            let exponent = (x.exponent - shift) / 2;
            round_big(format, rounding, false, root, exponent, rest != UBig::ZERO)
        }
        _ => nan(format),
    }
}
