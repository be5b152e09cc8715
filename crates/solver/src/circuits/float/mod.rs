//! IEEE floats as circuits.
//!
//! A float is its canonical bit pattern (see [`term::float::canonical`]), so equality is equality of bits. Operations take
//! patterns apart, compute on significands with enough bits below that rounding sees whether anything was lost, and
//! round once. What they mean is said by [`term::float`]; the conformance tests compare them with it.

mod arithmetic;
mod convert;

use super::Circuits;
use arithmetic::Arithmetic;
use convert::Conversions;
use faults::Fault;
use std::cmp::max;
use term::{FloatFormat, Op, Rounding, Sort, SortKind};

/// A float taken apart. Where none of the flags holds, its value is `significand / 2^(n-1) * 2^exponent`, for a significand of n
/// bits of which the highest is one.
pub struct Parts<B> {
    nan: B,
    infinite: B,
    zero: B,
    negative: B,
    /// Signed.
    exponent: Vec<B>,
    significand: Vec<B>,
}

/// A number that is not zero and is to be rounded, in the form of [`Parts`].
pub struct Exact<B> {
    negative: B,
    exponent: Vec<B>,
    significand: Vec<B>,
}

impl<B: Clone> Parts<B> {
    /// The number, if it is one and not zero.
    fn exact(&self) -> Exact<B> {
        Exact {
            negative: self.negative.clone(),
            exponent: self.exponent.clone(),
            significand: self.significand.clone(),
        }
    }
}

fn bias(format: FloatFormat) -> i128 {
    (1 << (format.exponent - 1)) - 1
}

fn precision(format: FloatFormat) -> usize {
    format.significand as usize
}

/// How many bits a number below a limit has.
fn bits_below(limit: usize) -> usize {
    (usize::BITS - limit.leading_zeros()) as usize
}

/// How many bits hold the exponents of a format's numbers, those with a normalised significand of subnormal ones among them.
fn exponent_bits(format: FloatFormat) -> usize {
    max(format.exponent as usize, bits_below(precision(format))) + 2
}

/// Floats taken apart, rounded and put together again.
pub trait Packing: Circuits {
    /// A signed number.
    fn signed(&self, width: usize, value: i128) -> Vec<Self::Bit> {
        (0..width).map(|bit| self.constant(value >> bit.min(127) & 1 == 1)).collect()
    }

    fn widened(&self, a: &[Self::Bit], width: usize) -> Vec<Self::Bit> {
        let sign = a[a.len() - 1];
        (0..max(width, a.len())).map(|bit| a.get(bit).copied().unwrap_or(sign)).collect()
    }

    /// The number with zeros below.
    fn padded(&self, a: &[Self::Bit], width: usize) -> Vec<Self::Bit> {
        let zeros = self.number(width.saturating_sub(a.len()), 0);
        zeros.into_iter().chain(a.iter().copied()).collect()
    }

    /// The number with zeros above.
    fn lengthened(&self, a: &[Self::Bit], width: usize) -> Vec<Self::Bit> {
        let zeros = self.number(width.saturating_sub(a.len()), 0);
        a.iter().copied().chain(zeros).collect()
    }

    /// Moves the highest one to the top. Also by how many bits it moved.
    fn normalised(&mut self, a: &[Self::Bit]) -> (Vec<Self::Bit>, Vec<Self::Bit>) {
        let mut result = a.to_vec();
        let mut moved = Vec::new();
        for power in (0..bits_below(a.len())).rev() {
            let step = 1usize << power;
            if step >= a.len() {
                moved.push(self.constant(false));
                continue;
            }
            let empty = !self.any(&result[a.len() - step..]);
            let lifted = self.padded(&result[..a.len() - step], a.len());
            result = self.choose(empty, &lifted, &result);
            moved.push(empty);
        }
        moved.reverse();
        (result, moved)
    }

    /// Moves to the right by an unsigned distance; the lowest bit tells of ones that were lost, too.
    fn shifted_with_sticky(&mut self, a: &[Self::Bit], distance: &[Self::Bit]) -> Vec<Self::Bit> {
        let mut result = a.to_vec();
        let mut too_far = Vec::new();
        for (power, &bit) in distance.iter().enumerate() {
            let Some(step) = 1usize.checked_shl(power as u32).filter(|step| *step < a.len()) else {
                too_far.push(bit);
                continue;
            };
            let lost = self.any(&result[..=step]);
            let mut far = self.lengthened(&result[step..], a.len());
            far[0] = lost;
            result = self.choose(bit, &far, &result);
        }
        let too_far = self.any(&too_far);
        let mut all_lost = self.number(a.len(), 0);
        all_lost[0] = self.any(&result);
        self.choose(too_far, &all_lost, &result)
    }

    /// Fraction, exponent field and sign of a canonical pattern. x87's integer bit follows from the exponent.
    fn fields<'a>(&self, format: FloatFormat, a: &'a [Self::Bit]) -> (&'a [Self::Bit], &'a [Self::Bit], Self::Bit) {
        let top = a.len() - 1;
        (&a[..precision(format) - 1], &a[top - format.exponent as usize..top], a[top])
    }

    /// The pattern of a fraction and an exponent field.
    fn pattern(
        &mut self,
        format: FloatFormat,
        fraction: &[Self::Bit],
        exponent: &[Self::Bit],
        sign: Self::Bit,
    ) -> Vec<Self::Bit> {
        let mut bits = fraction.to_vec();
        if format == FloatFormat::EXTENDED {
            bits.push(self.any(exponent));
        }
        bits.extend(exponent);
        bits.push(sign);
        bits
    }

    fn constant_float(&self, format: FloatFormat, pattern: u128) -> Vec<Self::Bit> {
        self.number(format.width() as usize, pattern)
    }

    fn parts(&mut self, format: FloatFormat, a: &[Self::Bit]) -> Parts<Self::Bit> {
        let (fraction, field, negative) = self.fields(format, a);
        let (fraction, field) = (fraction.to_vec(), field.to_vec());
        let (special, least) = (self.all(&field), !self.any(&field));
        let plain = !self.any(&fraction);
        let (nan, infinite, zero) = (self.and(special, !plain), self.and(special, plain), self.and(least, plain));
        let mut significand = fraction;
        significand.push(!least);
        let (significand, moved) = self.normalised(&significand);
        let width = exponent_bits(format);
        // Subnormal numbers have the exponent of the least normal ones.
        let mut exponent = self.lengthened(&field, width);
        exponent[0] = self.or(exponent[0], least);
        let bias = self.signed(width, bias(format));
        let exponent = self.subtract(&exponent, &bias);
        let moved = self.lengthened(&moved, width);
        let exponent = self.subtract(&exponent, &moved);
        Parts { nan, infinite, zero, negative, exponent, significand }
    }

    /// Whether a magnitude that was cut is rounded up.
    fn rounds_up(
        &mut self,
        by: Rounding,
        negative: Self::Bit,
        lowest: Self::Bit,
        guard: Self::Bit,
        sticky: Self::Bit,
    ) -> Self::Bit {
        let inexact = self.or(guard, sticky);
        match by {
            _ if faults::is(Fault::CutRounding) => self.constant(false),
            Rounding::NearestEven => {
                let or_odd = self.or(sticky, lowest);
                self.and(guard, or_odd)
            }
            Rounding::NearestAway => guard,
            Rounding::TowardZero => self.constant(false),
            Rounding::TowardPositive => self.and(!negative, inexact),
            Rounding::TowardNegative => self.and(negative, inexact),
        }
    }

    /// The pattern of the float that a number is rounded to.
    fn round(&mut self, format: FloatFormat, by: Rounding, exact: &Exact<Self::Bit>) -> Vec<Self::Bit> {
        let kept = precision(format);
        let significand = self.padded(&exact.significand, kept + 2);
        let width = max(exact.exponent.len(), exponent_bits(format)) + 1;
        let exponent = self.widened(&exact.exponent, width);
        let least = self.signed(width, 1 - bias(format));
        let below = self.subtract(&least, &exponent);
        let is_subnormal = self.less_signed(&exponent, &least);
        let distance: Vec<Self::Bit> = below.iter().map(|bit| self.and(*bit, is_subnormal)).collect();
        let significand = self.shifted_with_sticky(&significand, &distance);
        let cut = significand.len() - kept;
        let (guard, sticky) = (significand[cut - 1], self.any(&significand[..cut - 1]));
        let up = self.rounds_up(by, exact.negative, significand[cut], guard, sticky);
        // The integer bit adds one to the exponent's field, and so does a significand that becomes too long.
        let offset = self.signed(width, bias(format) - 1);
        let field = self.add(&exponent, &offset);
        let field: Vec<Self::Bit> = field.iter().map(|bit| self.and(*bit, !is_subnormal)).collect();
        let nothing = self.number(kept - 1, 0);
        let base: Vec<Self::Bit> = nothing.into_iter().chain(field).collect();
        let above = self.lengthened(&significand[cut..], base.len());
        let sum = self.sum(&base, &above, up);
        let (fraction, field) = sum.split_at(kept - 1);
        let greatest = self.number(width, (1 << format.exponent) - 1);
        let too_large = !self.less(field, &greatest);
        let finite = self.pattern(format, fraction, &field[..format.exponent as usize], exact.negative);
        let (positive, negative) = (self.overflowed(format, by, false), self.overflowed(format, by, true));
        let overflowed = self.choose(exact.negative, &negative, &positive);
        self.choose(too_large, &overflowed, &finite)
    }

    /// What stands for a number that is too large: infinity, or the greatest number.
    fn overflowed(&self, format: FloatFormat, by: Rounding, negative: bool) -> Vec<Self::Bit> {
        let is_infinite = match by {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardZero => false,
            Rounding::TowardPositive => !negative,
            Rounding::TowardNegative => negative,
        };
        let infinity = term::float::infinity(format, negative);
        // The pattern below infinity is the greatest number's; x87's integer bit stays.
        let greatest = match format == FloatFormat::EXTENDED {
            true => (infinity - (1 << 64)) | ((1 << 64) - 1),
            false => infinity - 1,
        };
        self.constant_float(format, if is_infinite { infinity } else { greatest })
    }

    /// A pattern, unless it is NaN, infinite or zero.
    fn special(
        &mut self,
        format: FloatFormat,
        [nan, infinite, zero, negative]: [Self::Bit; 4],
        otherwise: &[Self::Bit],
    ) -> Vec<Self::Bit> {
        let signed = |pattern: u128| {
            let mut bits = self.constant_float(format, pattern);
            bits.pop();
            bits.push(negative);
            bits
        };
        let (nothing, infinity) = (signed(0), signed(term::float::infinity(format, false)));
        let not_a_number = self.constant_float(format, term::float::nan(format));
        let result = self.choose(zero, &nothing, otherwise);
        let result = self.choose(infinite, &infinity, &result);
        self.choose(nan, &not_a_number, &result)
    }

    /// The float that parts are rounded to.
    fn packed(&mut self, format: FloatFormat, by: Rounding, parts: Parts<Self::Bit>) -> Vec<Self::Bit> {
        let rounded = self.round(format, by, &parts.exact());
        self.special(format, [parts.nan, parts.infinite, parts.zero, parts.negative], &rounded)
    }

    fn is_nan(&mut self, format: FloatFormat, a: &[Self::Bit]) -> Self::Bit {
        let (fraction, field, _) = self.fields(format, a);
        let (special, payload) = (self.all(field), self.any(fraction));
        self.and(special, payload)
    }

    /// The canonical pattern of arbitrary bits.
    fn canonical(&mut self, format: FloatFormat, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let (fraction, field, sign) = self.fields(format, a);
        let (fraction, mut field) = (fraction.to_vec(), field.to_vec());
        let mut nan = self.is_nan(format, a);
        if format == FloatFormat::EXTENDED {
            // Without the integer bit, only the least exponent is a number's; with it, the least is as the next one.
            let integer = a[precision(format) - 1];
            let above_least = self.any(&field);
            let none = self.and(above_least, !integer);
            nan = self.or(nan, none);
            field[0] = self.ite(above_least, field[0], integer);
        }
        let pattern = self.pattern(format, &fraction, &field, sign);
        let no = self.constant(false);
        self.special(format, [nan, no, no, no], &pattern)
    }

    /// Whether bits are a canonical pattern.
    fn is_canonical(&mut self, format: FloatFormat, a: &[Self::Bit]) -> Self::Bit {
        let canonical = self.canonical(format, a);
        self.same(a, &canonical)
    }
}

impl<L: Circuits> Packing for L {}

/// The operators of floats.
pub trait Floats: Arithmetic + Conversions {
    /// What an operator makes of floats, or to one; `None` for operators that are about others. `sorts` are those of the arguments.
    fn float_operation(&mut self, op: &Op, sorts: &[Sort], args: &[&[Self::Bit]]) -> Option<Vec<Self::Bit>> {
        let format = match sorts.first()?.kind() {
            SortKind::Float(format) => *format,
            SortKind::BitVec(_) => match op {
                Op::BvToFp { format, signed, rounding } => {
                    return Some(self.vector_to_float(*format, *rounding, *signed, args[0]));
                }
                Op::FpFromBits(format) => return Some(self.canonical(*format, args[0])),
                _ => return None,
            },
            _ => return None,
        };
        Some(match (op, args) {
            (Op::FpAdd(by), [a, b]) => self.float_add(format, *by, a, b),
            (Op::FpSub(by), [a, b]) => {
                let b = self.float_negate(format, b);
                self.float_add(format, *by, a, &b)
            }
            (Op::FpMul(by), [a, b]) => self.float_multiply(format, *by, a, b),
            (Op::FpDiv(by), [a, b]) => self.float_divide(format, *by, a, b),
            (Op::FpFma(by), [a, b, c]) => self.float_fma(format, *by, [a, b, c]),
            (Op::FpSqrt(by), [a]) => self.float_root(format, *by, a),
            (Op::FpNeg, [a]) => self.float_negate(format, a),
            (Op::FpAbs, [a]) => {
                let mut bits = a.to_vec();
                bits[a.len() - 1] = self.constant(false);
                bits
            }
            (Op::FpRoundToIntegral(by), [a]) => self.float_to_integral(format, *by, a),
            (Op::FpEq, [a, b]) => vec![self.float_equal(format, a, b)],
            (Op::FpLt, [a, b]) => vec![self.float_less(format, a, b)],
            (Op::FpLe, [a, b]) => {
                let (less, equal) = (self.float_less(format, a, b), self.float_equal(format, a, b));
                vec![self.or(less, equal)]
            }
            (Op::FpIsNan, [a]) => vec![self.is_nan(format, a)],
            (Op::FpIsInfinite, [a]) => vec![self.parts(format, a).infinite],
            (Op::FpIsZero, [a]) => vec![self.parts(format, a).zero],
            (Op::FpIsNormal, [a]) => {
                let (_, field, _) = self.fields(format, a);
                let field = field.to_vec();
                let (special, above_least) = (self.all(&field), self.any(&field));
                vec![self.and(above_least, !special)]
            }
            (Op::FpIsSubnormal, [a]) => {
                let (fraction, field, _) = self.fields(format, a);
                let (fraction, field) = (self.any(fraction), self.any(field));
                vec![self.and(fraction, !field)]
            }
            (Op::FpIsNegative, [a]) => vec![a[a.len() - 1]],
            (Op::FpToFp(to, by), [a]) => {
                let parts = self.parts(format, a);
                self.packed(*to, *by, parts)
            }
            (Op::FpToBv { width, signed, rounding }, [a]) => {
                self.float_to_vector(format, *rounding, *width as usize, *signed, a)
            }
            (Op::FpToBits, [a]) => a.to_vec(),
            _ => return None,
        })
    }

    fn float_equal(&mut self, format: FloatFormat, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let (is_nan, other_is_nan) = (self.is_nan(format, a), self.is_nan(format, b));
        let same = self.same(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.or(same, zeros);
        self.all(&[equal, !is_nan, !other_is_nan])
    }

    fn float_less(&mut self, format: FloatFormat, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let (is_nan, other_is_nan) = (self.is_nan(format, a), self.is_nan(format, b));
        let zeros = self.both_zero(a, b);
        let top = a.len() - 1;
        // Patterns of one sign are ordered as numbers.
        let (below, above) = (self.less(&a[..top], &b[..top]), self.less(&b[..top], &a[..top]));
        let of_one_sign = self.ite(a[top], above, below);
        let differ = self.xor(a[top], b[top]);
        let less = self.ite(differ, a[top], of_one_sign);
        self.all(&[less, !zeros, !is_nan, !other_is_nan])
    }

    fn both_zero(&mut self, a: &[Self::Bit], b: &[Self::Bit]) -> Self::Bit {
        let magnitudes: Vec<Self::Bit> = a[..a.len() - 1].iter().chain(&b[..b.len() - 1]).copied().collect();
        !self.any(&magnitudes)
    }
}

impl<L: Circuits> Floats for L {}
