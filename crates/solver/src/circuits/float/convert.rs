//! Floats from and to integers, and floats without a fraction.

use super::{Circuits, Exact, Packing, Parts, bits_below, exponent_bits, precision};
use std::cmp::max;
use term::{FloatFormat, Rounding};

pub trait Conversions: Packing {
    /// The integer that a finite number is rounded to, as a magnitude of so many bits, and whether it has no more than those.
    fn integer(&mut self, a: &Parts<Self::Bit>, by: Rounding, width: usize) -> (Vec<Self::Bit>, Self::Bit) {
        let precision = a.significand.len();
        // The significand stands behind the point and moves by one place more than the exponent says.
        let bits = max(a.exponent.len(), bits_below(width) + 1) + 1;
        let exponent = self.widened(&a.exponent, bits);
        let one = self.number(bits, 1);
        let places = self.add(&exponent, &one);
        let limit = self.signed(bits, width as i128);
        let (is_small, is_large) = (places[bits - 1], self.less_signed(&limit, &places));
        let moves = self.and(!is_small, !is_large);
        let distance: Vec<Self::Bit> = places.iter().map(|bit| self.and(*bit, moves)).collect();
        let fixed = self.lengthened(&a.significand, precision + width + 1);
        let fixed = self.shift_left(&fixed, &distance);
        let (fraction, whole) = fixed.split_at(precision);
        let lost = self.any(&fraction[..precision - 1]);
        let (guard, sticky) = (self.and(fraction[precision - 1], !is_small), self.or(lost, is_small));
        let whole: Vec<Self::Bit> = whole.iter().map(|bit| self.and(*bit, !is_small)).collect();
        let up = self.rounds_up(by, a.negative, whole[0], guard, sticky);
        let nothing = self.number(width + 1, 0);
        let whole = self.sum(&whole, &nothing, up);
        let fits = self.and(!is_large, !whole[width]);
        (whole[..width].to_vec(), fits)
    }

    fn float_to_integral(&mut self, format: FloatFormat, by: Rounding, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let parts = self.parts(format, a);
        // Numbers that do not fit have no fraction. One bit more holds what is rounded up.
        let width = precision(format) + 1;
        let (whole, fits) = self.integer(&parts, by, width);
        let vanishes = !self.any(&whole);
        let (significand, moved) = self.normalised(&whole);
        let bits = max(bits_below(width), exponent_bits(format)) + 2;
        let top = self.number(bits, width as u128 - 1);
        let moved = self.lengthened(&moved, bits);
        let exponent = self.subtract(&top, &moved);
        let rounded = self.round(format, by, &Exact { negative: parts.negative, exponent, significand });
        let no = self.constant(false);
        let integral = self.special(format, [no, no, vanishes, parts.negative], &rounded);
        let same = self.any(&[parts.nan, parts.infinite, parts.zero, !fits]);
        self.choose(same, a, &integral)
    }

    /// A float as an integer. What does not fit, and NaN, gives 10...0.
    fn float_to_vector(
        &mut self,
        format: FloatFormat,
        by: Rounding,
        width: usize,
        signed: bool,
        a: &[Self::Bit],
    ) -> Vec<Self::Bit> {
        let parts = self.parts(format, a);
        let (whole, fits) = self.integer(&parts, by, width + 1);
        let whole: Vec<Self::Bit> = whole.iter().map(|bit| self.and(*bit, !parts.zero)).collect();
        let magnitude = if signed { width - 1 } else { width };
        let small = !self.any(&whole[magnitude..]);
        let least = {
            let exact = self.number(width + 1, if signed { 1 << magnitude } else { 0 });
            let is_least = self.same(&whole, &exact);
            if signed { self.or(is_least, small) } else { is_least }
        };
        let in_range = self.ite(parts.negative, least, small);
        let finite = self.and(!parts.nan, !parts.infinite);
        let counts = self.or(fits, parts.zero);
        let fits = self.all(&[in_range, finite, counts]);
        let value = self.negate_if(parts.negative, &whole[..width]);
        let misfit = self.number(width, 1 << (width - 1));
        self.choose(fits, &value, &misfit)
    }

    fn vector_to_float(&mut self, format: FloatFormat, by: Rounding, signed: bool, a: &[Self::Bit]) -> Vec<Self::Bit> {
        let negative = if signed { a[a.len() - 1] } else { self.constant(false) };
        let magnitude = self.negate_if(negative, a);
        let zero = !self.any(&magnitude);
        let (significand, moved) = self.normalised(&magnitude);
        let bits = bits_below(a.len()) + 2;
        let top = self.number(bits, a.len() as u128 - 1);
        let moved = self.lengthened(&moved, bits);
        let exponent = self.subtract(&top, &moved);
        let no = self.constant(false);
        let rounded = self.round(format, by, &Exact { negative, exponent, significand });
        self.special(format, [no, no, zero, no], &rounded)
    }
}

impl<L: Circuits> Conversions for L {}
