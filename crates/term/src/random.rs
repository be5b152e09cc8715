//! Random values and terms for property tests, here and in other crates: the same for the same seed.
//!
//! Values at the edges of their sort (zero, the least and greatest numbers, powers of two, NaN, subnormal floats) come
//! often, since that is where operators go wrong.

mod terms;

pub use terms::Terms;

use crate::value::ArrayValue;
use crate::{Bv, FloatFormat, Sort, SortKind, Value, bits, float};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::sync::Arc;

/// A generator of numbers that look random.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        // A counter, scrambled by two rounds of multiplication and folding.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let fold = |x: u64, by: u32| x ^ (x >> by);
        let x = fold(self.0, 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        fold(fold(x, 27).wrapping_mul(0x94d0_49bb_1331_11eb), 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// Bits of a width: often an edge, a small number, or few bits set.
    pub fn vector(&mut self, width: u32) -> u128 {
        let bits = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => bits::mask(width),
            3 => bits::signed_min(width),
            4 => bits::signed_max(width),
            5 => self.below(10) as u128,
            6 => (self.below(10) as u128).wrapping_neg(),
            7 => 1 << self.below(width as usize),
            8 => (1u128 << self.below(width as usize)).wrapping_sub(1),
            9 => u128::from(width).wrapping_add(self.below(3) as u128).wrapping_sub(1),
            _ => self.wide(),
        };
        bits::truncate(width, bits)
    }

    /// The canonical bits of a float: often special, subnormal, or a small number.
    pub fn float(&mut self, format: FloatFormat) -> u128 {
        let fraction_bits = format.significand - 1;
        let special = (1u128 << format.exponent) - 1;
        let bias = special >> 1;
        let exponent = match self.below(10) {
            0 | 1 => 0,
            2 => 1,
            3 => special,
            4 => special - 1,
            5 | 6 => bias.saturating_add_signed(self.below(7) as i128 - 3).min(special),
            7 => (bias + u128::from(format.significand)).saturating_sub(self.below(4) as u128).min(special),
            _ => self.wide() & special,
        };
        let fraction = match self.below(6) {
            0 | 1 => 0,
            2 => bits::mask(fraction_bits),
            3 => 1 << self.below(fraction_bits as usize),
            4 => bits::truncate(fraction_bits, self.below(8) as u128),
            _ => bits::truncate(fraction_bits, self.wide()),
        };
        let sign = u128::from(self.once_in(2)) << (format.exponent + fraction_bits);
        float::canonical(format, float::from_hidden(format, sign | exponent << fraction_bits | fraction))
    }

    fn integer(&mut self) -> IBig {
        let power = IBig::ONE << self.below(130);
        match self.below(6) {
            0 => power - IBig::ONE,
            1 => -power,
            2 => power,
            _ => IBig::from(self.below(13)) - IBig::from(6),
        }
    }

    /// A value of a sort.
    ///
    /// # Panics
    /// If the sort has no values: memory.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort.kind() {
            SortKind::Bool => Value::Bool(self.once_in(2)),
            SortKind::Int => Value::Int(self.integer()),
            SortKind::Real => {
                let denominator = if self.once_in(3) { UBig::ONE } else { UBig::from(1 + self.below(9)) };
                Value::Real(RBig::from_parts(self.integer(), denominator))
            }
            SortKind::BitVec(width) => Value::bv(*width, self.vector(*width)),
            SortKind::Float(format) => Value::Float(*format, self.float(*format)),
            SortKind::Pointer(width) => {
                Value::Pointer { object: self.below(3) as u32, offset: Bv::new(*width, self.vector(*width)) }
            }
            SortKind::Uninterpreted(..) => Value::Element(sort, self.below(3) as u64),
            SortKind::Array(index, element) => {
                let mut array = ArrayValue::constant(*index, self.value(*element));
                for _ in 0..self.below(4) {
                    array.set(self.value(*index), self.value(*element));
                }
                Value::Array(Arc::new(array))
            }
            SortKind::Memory(_) => panic!("memory has no values"),
        }
    }
}
