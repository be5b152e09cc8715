//! Sums, products, quotients and roots of floats.

use super::{Circuits, Exact, Packing, Parts, precision};
use std::cmp::max;
use term::{FloatFormat, Rounding};

pub trait Arithmetic: Packing {
    fn float_negate(&mut self, format: FloatFormat, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let nan = self.is_nan(format, a);
        let mut bits = a.to_vec();
        let top = a.len() - 1;
        bits[top] = self.xor(bits[top], !nan);
        bits
    }

    /// The sum of two numbers of equal precision, neither of which is zero, infinite or NaN. Also whether it is zero.
    fn sum_of(&mut self, a: &Parts<Self::Bit>, b: &Parts<Self::Bit>) -> (Exact<Self::Bit>, Self::Bit) {
        let width = max(a.exponent.len(), b.exponent.len()) + 1;
        let (a_exponent, b_exponent) = (self.widened(&a.exponent, width), self.widened(&b.exponent, width));
        let smaller_exponent = self.less_signed(&a_exponent, &b_exponent);
        let same_exponent = self.same(&a_exponent, &b_exponent);
        let smaller_significand = self.less(&a.significand, &b.significand);
        let smaller_at_last = self.and(same_exponent, smaller_significand);
        let swap = self.or(smaller_exponent, smaller_at_last);
        let (exponent, other) =
            (self.choose(swap, &b_exponent, &a_exponent), self.choose(swap, &a_exponent, &b_exponent));
        let (large, small) =
            (self.choose(swap, &b.significand, &a.significand), self.choose(swap, &a.significand, &b.significand));
        let negative = self.ite(swap, b.negative, a.negative);
        // Three bits below tell how to round: if more than one is lost, the difference has lost one bit above at most.
        let precision = large.len();
        let (large, small) = (self.padded(&large, precision + 3), self.padded(&small, precision + 3));
        let distance = self.subtract(&exponent, &other);
        let small = self.shifted_with_sticky(&small, &distance);
        let (large, small) = (self.lengthened(&large, precision + 4), self.lengthened(&small, precision + 4));
        let subtracts = self.xor(a.negative, b.negative);
        let addend: Vec<Self::Bit> = small.iter().map(|bit| self.xor(*bit, subtracts)).collect();
        let sum = self.sum(&large, &addend, subtracts);
        let zero = !self.any(&sum);
        let (significand, moved) = self.normalised(&sum);
        let one = self.number(width, 1);
        let exponent = self.add(&exponent, &one);
        let moved = self.lengthened(&moved, width);
        let exponent = self.subtract(&exponent, &moved[..width]);
        (Exact { negative, exponent, significand }, zero)
    }

    /// a + b, where the parts have the same precision, which may be more than the format's.
    fn add_parts(
        &mut self,
        format: FloatFormat,
        by: Rounding,
        a: &Parts<Self::Bit>,
        b: &Parts<Self::Bit>,
    ) -> Vec<Self::Bit> {
        let (sum, cancels) = self.sum_of(a, b);
        let sum = self.pick(b.zero, &a.exact(), &sum);
        let sum = self.pick(a.zero, &b.exact(), &sum);
        let both_zero = self.and(a.zero, b.zero);
        let neither = self.and(!a.zero, !b.zero);
        let cancels = self.and(neither, cancels);
        let zero = self.or(both_zero, cancels);
        let rounded = self.round(format, by, &sum);
        let both_infinite = self.and(a.infinite, b.infinite);
        let differ = self.xor(a.negative, b.negative);
        let undefined = self.and(both_infinite, differ);
        let nan = self.any(&[a.nan, b.nan, undefined]);
        let infinite = self.or(a.infinite, b.infinite);
        // The sum of a number and its opposite is +0, or -0 if rounding is downward.
        let negative_zero = match by {
            Rounding::TowardNegative => !self.all(&[both_zero, !a.negative, !b.negative]),
            _ => self.all(&[both_zero, a.negative, b.negative]),
        };
        let infinity_sign = self.ite(a.infinite, a.negative, b.negative);
        let negative = self.ite(infinite, infinity_sign, negative_zero);
        self.special(format, [nan, infinite, zero, negative], &rounded)
    }

    fn pick(&mut self, condition: Self::Bit, a: &Exact<Self::Bit>, b: &Exact<Self::Bit>) -> Exact<Self::Bit> {
        let exponents = max(a.exponent.len(), b.exponent.len());
        let significands = max(a.significand.len(), b.significand.len());
        let (a_exponent, b_exponent) = (self.widened(&a.exponent, exponents), self.widened(&b.exponent, exponents));
        let (a_digits, b_digits) =
            (self.padded(&a.significand, significands), self.padded(&b.significand, significands));
        Exact {
            negative: self.ite(condition, a.negative, b.negative),
            exponent: self.choose(condition, &a_exponent, &b_exponent),
            significand: self.choose(condition, &a_digits, &b_digits),
        }
    }

    fn float_add(&mut self, format: FloatFormat, by: Rounding, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        self.add_parts(format, by, &a, &b)
    }

    /// a * b, not rounded.
    fn product(&mut self, a: &Parts<Self::Bit>, b: &Parts<Self::Bit>) -> Parts<Self::Bit> {
        let length = a.significand.len() + b.significand.len();
        let (x, y) = (self.lengthened(&a.significand, length), self.lengthened(&b.significand, length));
        let product = self.multiply(&x, &y);
        // The product of two numbers in [1, 2) is in [1, 4).
        let is_long = product[length - 1];
        let lifted = self.padded(&product[..length - 1], length);
        let significand = self.choose(is_long, &product, &lifted);
        let width = max(a.exponent.len(), b.exponent.len()) + 2;
        let (x, y) = (self.widened(&a.exponent, width), self.widened(&b.exponent, width));
        let exponent = self.sum(&x, &y, is_long);
        let (zero_times, times_zero) = (self.and(a.infinite, b.zero), self.and(a.zero, b.infinite));
        Parts {
            nan: self.any(&[a.nan, b.nan, zero_times, times_zero]),
            infinite: self.or(a.infinite, b.infinite),
            zero: self.or(a.zero, b.zero),
            negative: self.xor(a.negative, b.negative),
            exponent,
            significand,
        }
    }

    fn float_multiply(
        &mut self,
        format: FloatFormat,
        by: Rounding,
        a: &[Self::Bit],
        b: &[Self::Bit],
    ) -> Vec<Self::Bit> {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let product = self.product(&a, &b);
        self.packed(format, by, product)
    }

    /// a * b + c, rounded once.
    fn float_fma(&mut self, format: FloatFormat, by: Rounding, [a, b, c]: [&[Self::Bit]; 3]) -> Vec<Self::Bit> {
        let (a, b, mut c) = (self.parts(format, a), self.parts(format, b), self.parts(format, c));
        let product = self.product(&a, &b);
        c.significand = self.padded(&c.significand, product.significand.len());
        self.add_parts(format, by, &product, &c)
    }

    fn float_divide(&mut self, format: FloatFormat, by: Rounding, a: &[Self::Bit], b: &[Self::Bit]) -> Vec<Self::Bit> {
        let (a, b) = (self.parts(format, a), self.parts(format, b));
        let precision = precision(format);
        // Long division. The remainder stays below twice the divisor.
        let divisor = self.lengthened(&b.significand, precision + 2);
        let mut remainder = self.lengthened(&a.significand, precision + 2);
        let mut quotient = Vec::new();
        for _ in 0..precision + 2 {
            quotient.push(self.subtract_if_it_fits(&mut remainder, &divisor));
            remainder.pop();
            remainder.insert(0, self.constant(false));
        }
        quotient.push(self.any(&remainder));
        quotient.reverse();
        let length = quotient.len();
        let is_long = quotient[length - 1];
        let lifted = self.padded(&quotient[..length - 1], length);
        let significand = self.choose(is_long, &quotient, &lifted);
        let width = a.exponent.len() + 2;
        let (x, y) = (self.widened(&a.exponent, width), self.widened(&b.exponent, width));
        let y = self.complement(&y);
        let exponent = self.sum(&x, &y, is_long);
        let (zeros, infinities) = (self.and(a.zero, b.zero), self.and(a.infinite, b.infinite));
        let parts = Parts {
            nan: self.any(&[a.nan, b.nan, zeros, infinities]),
            infinite: self.or(a.infinite, b.zero),
            zero: self.or(a.zero, b.infinite),
            negative: self.xor(a.negative, b.negative),
            exponent,
            significand,
        };
        self.packed(format, by, parts)
    }

    fn float_root(&mut self, format: FloatFormat, by: Rounding, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let a = self.parts(format, a);
        let precision = precision(format);
        let no = self.constant(false);
        // An even exponent is halved; under an odd one, the significand is doubled.
        let is_odd = a.exponent[0];
        let doubled = self.padded(&a.significand, precision + 1);
        let single = self.lengthened(&a.significand, precision + 1);
        let mut digits = self.choose(is_odd, &doubled, &single);
        // Two digits of the radicand give one of the root. The highest two stand before the point.
        let length = precision + 2;
        digits = self.padded(&digits, 2 * length);
        let mut remainder = self.number(length + 3, 0);
        let mut root: Vec<Self::Bit> = Vec::new();
        for step in 0..length {
            let top = 2 * (length - step);
            remainder.truncate(length + 1);
            remainder.insert(0, digits[top - 1]);
            remainder.insert(0, digits[top - 2]);
            // Four times the root, and one.
            let mut trial = vec![self.constant(true), no];
            trial.extend(root.iter().copied());
            let trial = self.lengthened(&trial, length + 3);
            root.insert(0, self.subtract_if_it_fits(&mut remainder, &trial));
        }
        let sticky = self.any(&remainder);
        root.insert(0, sticky);
        let half: Vec<Self::Bit> = a.exponent[1..].to_vec();
        let nan = self.and(a.negative, !a.zero);
        let parts = Parts {
            nan: self.or(a.nan, nan),
            infinite: a.infinite,
            zero: a.zero,
            negative: a.negative,
            exponent: half,
            significand: root,
        };
        self.packed(format, by, parts)
    }
}

impl<L: Circuits> Arithmetic for L {}
