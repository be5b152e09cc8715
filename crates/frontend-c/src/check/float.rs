//! Floating constants: exact rounding of what the program text says, and arithmetic on what is known.
//!
//! A float is its bit pattern in its format, as terms have it. Rounding is to nearest, ties to even, as C programs run.

use crate::hir::{BinaryOp, CompareOp};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;
use term::FloatFormat;

const ROUND: Round = Round::NearestTiesToEven;

/// Runs an expression with `$F` as the type of floats of the format.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            FloatFormat::HALF => {
                type $F = Half;
                $body
            }
            FloatFormat::SINGLE => {
                type $F = Single;
                $body
            }
            FloatFormat::EXTENDED => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatFormat::QUAD => {
                type $F = Quad;
                $body
            }
            // C has no other format than these and double.
            _ => {
                type $F = Double;
                $body
            }
        }
    };
}

/// The number nearest to what is written: decimal as in `1.5e3`, or hexadecimal as in `0x1.8p3`. `None` if it is
/// neither.
pub(super) fn parse(format: FloatFormat, digits: &str) -> Option<u128> {
    with_format!(format, F => F::from_str_r(digits, ROUND).ok().map(|parsed| parsed.value.to_bits()))
}

pub(super) fn from_int(format: FloatFormat, value: i128, is_unsigned: bool) -> u128 {
    with_format!(format, F => {
        let converted = if is_unsigned { F::from_u128_r(value as u128, ROUND) } else { F::from_i128_r(value, ROUND) };
        converted.value.to_bits()
    })
}

/// The integer part, and whether it is in the range of an integer of this width. What is out of range becomes the
/// nearest integer of that range, and a NaN 0.
pub(super) fn to_int(format: FloatFormat, bits: u128, width: u32, signed: bool) -> (i128, bool) {
    let width = width as usize;
    with_format!(format, F => {
        let float = F::from_bits(bits);
        let mut exact = false;
        let (value, status) = if signed {
            let converted = float.to_i128_r(width, Round::TowardZero, &mut exact);
            (converted.value, converted.status)
        } else {
            let converted = float.to_u128_r(width, Round::TowardZero, &mut exact);
            (converted.value as i128, converted.status)
        };
        (value, !status.contains(rustc_apfloat::Status::INVALID_OP))
    })
}

pub(super) fn convert(from: FloatFormat, bits: u128, to: FloatFormat) -> u128 {
    with_format!(from, F => with_format!(to, T => {
        let mut loses = false;
        let converted: T = FloatConvert::<T>::convert_r(F::from_bits(bits), ROUND, &mut loses).value;
        converted.to_bits()
    }))
}

pub(super) fn negate(format: FloatFormat, bits: u128) -> u128 {
    with_format!(format, F => (-F::from_bits(bits)).to_bits())
}

pub(super) fn is_zero(format: FloatFormat, bits: u128) -> bool {
    with_format!(format, F => F::from_bits(bits).is_zero())
}

pub(super) fn infinity(format: FloatFormat) -> u128 {
    with_format!(format, F => F::INFINITY.to_bits())
}

/// The quiet NaN that is positive and has no payload.
pub(super) fn nan(format: FloatFormat) -> u128 {
    with_format!(format, F => F::qnan(None).to_bits())
}

/// `None` for the operators that floats do not have.
pub(super) fn binary(format: FloatFormat, op: BinaryOp, left: u128, right: u128) -> Option<u128> {
    with_format!(format, F => {
        let (left, right) = (F::from_bits(left), F::from_bits(right));
        let result = match op {
            BinaryOp::Add => left.add_r(right, ROUND),
            BinaryOp::Sub => left.sub_r(right, ROUND),
            BinaryOp::Mul => left.mul_r(right, ROUND),
            BinaryOp::Div => left.div_r(right, ROUND),
            _ => return None,
        };
        Some(result.value.to_bits())
    })
}

pub(super) fn compare(format: FloatFormat, op: CompareOp, left: u128, right: u128) -> bool {
    let order = with_format!(format, F => F::from_bits(left).partial_cmp(&F::from_bits(right)));
    match op {
        CompareOp::Eq => order == Some(Ordering::Equal),
        CompareOp::Ne => order != Some(Ordering::Equal),
        CompareOp::Lt => order == Some(Ordering::Less),
        CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Gt => order == Some(Ordering::Greater),
        CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: FloatFormat, digits: &str, expected: u128) {
        assert_eq!(parse(format, digits), Some(expected), "{digits}");
    }

    /// The bit patterns are those that gcc puts into its output.
    #[test]
    fn literals_are_rounded_exactly() {
        check(FloatFormat::DOUBLE, "0.1", 0x3fb9_9999_9999_999a);
        check(FloatFormat::SINGLE, "0.1", 0x3dcc_cccd);
        check(FloatFormat::EXTENDED, "0.1", 0x3ffb_cccc_cccc_cccc_cccd);
        check(FloatFormat::QUAD, "0.1", 0x3ffb_9999_9999_9999_9999_9999_9999_999a);
        check(FloatFormat::DOUBLE, "1e22", 0x4480_f0cf_064d_d592);
        check(FloatFormat::DOUBLE, "1e23", 0x44b5_2d02_c7e1_4af6);
        check(FloatFormat::DOUBLE, "9007199254740993.", 0x4340_0000_0000_0000);
        check(FloatFormat::DOUBLE, "9007199254740993.0000000000000000000000000001", 0x4340_0000_0000_0001);
        check(FloatFormat::SINGLE, "0x1.000001p0", 0x3f80_0000);
        check(FloatFormat::SINGLE, "0x1.0000010000001p0", 0x3f80_0001);
        check(FloatFormat::DOUBLE, "0x1p-1074", 1);
        check(FloatFormat::DOUBLE, "0x.8p-1074", 0);
        check(FloatFormat::DOUBLE, "4.9e-324", 1);
        check(FloatFormat::DOUBLE, "1e309", 0x7ff0_0000_0000_0000);
        check(FloatFormat::DOUBLE, "1e99999999999999999999", 0x7ff0_0000_0000_0000);
        check(FloatFormat::DOUBLE, "1e-99999999999999999999", 0);
        check(FloatFormat::DOUBLE, "0x1p99999999999999999999", 0x7ff0_0000_0000_0000);
        check(FloatFormat::DOUBLE, "0x1p-99999999999999999999", 0);
        check(FloatFormat::DOUBLE, "5.", 0x4014_0000_0000_0000);
        check(FloatFormat::DOUBLE, ".5", 0x3fe0_0000_0000_0000);
    }

    #[test]
    fn conversions() {
        let three_and_a_half = parse(FloatFormat::DOUBLE, "3.5").unwrap();
        assert_eq!(to_int(FloatFormat::DOUBLE, three_and_a_half, 32, true), (3, true));
        assert_eq!(to_int(FloatFormat::DOUBLE, negate(FloatFormat::DOUBLE, three_and_a_half), 32, false), (0, false));
        assert_eq!(
            to_int(FloatFormat::DOUBLE, parse(FloatFormat::DOUBLE, "1e10").unwrap(), 32, true),
            (0x7fff_ffff, false)
        );
        assert_eq!(from_int(FloatFormat::SINGLE, 16_777_217, false), parse(FloatFormat::SINGLE, "16777216").unwrap());
        assert_eq!(from_int(FloatFormat::DOUBLE, -1, true), parse(FloatFormat::DOUBLE, "0x1p128").unwrap());
        assert_eq!(convert(FloatFormat::DOUBLE, 0x3fb9_9999_9999_999a, FloatFormat::SINGLE), 0x3dcc_cccd);
    }
}
