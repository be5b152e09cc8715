//! Sets of offsets: one number, or all numbers that are a multiple of a stride away from one.
//!
//! Numbers are those of bit-vectors, read with their sign. Where the stride is a power of two, a sum that is too large for its
//! width stays in the set. Other strides come from pointers alone that move by constants, again and again: these stay
//! inside their object, so what they have moved is never too large. And they come from products that cannot be too large.

/// The numbers that are `bits` modulo `stride`; `bits` alone if the stride is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Low {
    stride: u64,
    /// In two's complement; below the stride, if there is one.
    bits: u64,
}

/// Numbers have at most so many bits.
const ALL: u32 = 64;

impl Low {
    pub const ANY: Low = Low { stride: 1, bits: 0 };

    /// A number in two's complement.
    pub fn exact(number: u64) -> Low {
        Low { stride: 0, bits: number }
    }

    /// The number with these low bits of its width, read with its sign.
    pub fn signed(bits: u64, width: u32) -> Low {
        let shift = ALL - width.clamp(1, ALL);
        Low::exact((((bits << shift) as i64) >> shift) as u64)
    }

    fn new(stride: u64, bits: u64) -> Low {
        Low { stride, bits: remainder(bits, stride) }
    }

    /// The number, if there is only one, in two's complement.
    pub fn number(self) -> Option<u64> {
        (self.stride == 0).then_some(self.bits)
    }

    /// How far numbers of the set are apart; 0 if there is only one.
    pub fn stride(self) -> u64 {
        self.stride
    }

    /// The number, or the smallest one that is not negative.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// Whether numbers of this set are all alike modulo a stride (0: equal).
    pub fn is_known(self, stride: u64) -> bool {
        if stride == 0 { self.stride == 0 } else { self.stride.is_multiple_of(stride) }
    }

    /// The set of numbers of which only the remainder is known, or the set itself if all of the number is.
    pub fn known_to(self, stride: u64) -> Low {
        if stride == 0 { self } else { Low::new(gcd(self.stride, stride), self.bits) }
    }

    /// Whether `bytes` from a number of this set on may meet `others` from one of the other set on.
    pub fn overlaps(self, bytes: u64, other: Low, others: u64) -> bool {
        let stride = gcd(self.stride, other.stride);
        let apart = |a: u64, b: u64| remainder(a.wrapping_sub(b), stride);
        apart(other.bits, self.bits) < bytes || apart(self.bits, other.bits) < others
    }

    /// What both sets are part of. The numbers are offsets of one pointer at different times, or of several.
    pub fn join(self, other: Low) -> Low {
        let apart = (self.bits.wrapping_sub(other.bits) as i64).unsigned_abs();
        Low::new(gcd(gcd(self.stride, other.stride), apart), self.bits)
    }

    /// The same for any numbers.
    pub fn join_numbers(self, other: Low) -> Low {
        let joined = self.join(other);
        if joined == self || joined == other { joined } else { joined.wrapping() }
    }

    /// The set with all numbers that differ by a multiple of a large power of two.
    fn wrapping(self) -> Low {
        match self.stride {
            0 => self,
            stride => Low::new(1 << stride.trailing_zeros(), self.bits),
        }
    }

    pub fn plus(self, other: Low) -> Low {
        Low::new(gcd(self.stride, other.stride), self.bits.wrapping_add(other.bits))
    }

    pub fn minus(self, other: Low) -> Low {
        self.plus(Low::new(other.stride, other.bits.wrapping_neg()))
    }

    pub fn times(self, other: Low) -> Low {
        if self.stride == 0 && other.stride == 0 {
            return Low::exact(self.bits.wrapping_mul(other.bits));
        }
        // x = a + 2^k y and z = b + 2^l w: the low bits of the product are known up to where an unknown part starts.
        let known = |low: Low| if low.stride == 0 { ALL } else { low.stride.trailing_zeros() };
        let zeros = |low: Low| if low.bits == 0 { known(low) } else { low.bits.trailing_zeros().min(known(low)) };
        let (one, other) = (self.wrapping(), other.wrapping());
        let unknown = (known(one) + zeros(other)).min(known(other) + zeros(one)).min(known(one) + known(other));
        Low::low_bits(unknown, one.bits.wrapping_mul(other.bits))
    }

    /// The same for products that are not too large for their width.
    pub fn scaled(self, other: Low) -> Low {
        let scaled = |low: Low, by: u64| {
            let stride = low.stride.checked_mul((by as i64).unsigned_abs())?;
            Some(Low::new(stride, low.bits.wrapping_mul(by)))
        };
        let product = match (self.number(), other.number()) {
            (_, Some(by)) => scaled(self, by),
            (Some(by), _) => scaled(other, by),
            _ => None,
        };
        product.unwrap_or_else(|| self.times(other))
    }

    /// The numbers with these low bits, as many as are said to be known.
    fn low_bits(known: u32, bits: u64) -> Low {
        Low::new(1 << known.min(ALL - 1), bits)
    }

    pub fn shift_left(self, by: u32) -> Low {
        self.times(if by < ALL { Low::exact(1 << by) } else { Low::exact(0) })
    }

    /// Numbers of `width` bits with what is above them taken for zero.
    pub fn zero_extended(self, width: u32) -> Low {
        let own = self.truncated(width);
        match own.number() {
            Some(number) if width < ALL => Low::exact(number & ((1 << width) - 1)),
            _ => own,
        }
    }

    /// Seen as a number of `width` bits.
    pub fn at_width(self, width: u32) -> Low {
        match self.number() {
            Some(number) => Low::signed(number, width),
            None if self.stride.trailing_zeros() >= width => Low::signed(self.bits, width),
            None => self,
        }
    }

    /// The low bits of a wider number.
    pub fn truncated(self, width: u32) -> Low {
        self.wrapping().at_width(width)
    }
}

/// The remainder of a number in two's complement, by a stride; the number itself if there is none.
fn remainder(bits: u64, stride: u64) -> u64 {
    match stride {
        0 => bits,
        _ if stride.is_power_of_two() => bits & (stride - 1),
        _ => i128::from(bits as i64).rem_euclid(i128::from(stride)) as u64,
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a number is in the set.
    fn has(low: Low, number: u64) -> bool {
        Low::new(low.stride, number) == low
    }

    #[test]
    fn operations_contain_the_results() {
        let numbers = [0u64, 1, 2, 3, 4, 6, 8, 12, 36, 48, 72, 255, u64::MAX, u64::MAX - 3, u64::MAX - 35, 1 << 40];
        let mut sets: Vec<Low> = numbers.iter().map(|n| Low::exact(*n)).collect();
        sets.extend((0..numbers.len()).map(|i| Low::low_bits(i as u32, numbers[i])));
        sets.extend([3, 12, 36].into_iter().flat_map(|stride| numbers.map(|number| Low::new(stride, number))));
        for x in &sets {
            for y in &sets {
                for a in numbers.iter().filter(|n| has(*x, **n)) {
                    assert!(has(x.join(*y), *a));
                    assert!(has(y.join(*x), *a));
                    assert!(has(x.join_numbers(*y), *a));
                    assert!(has(x.known_to(12), *a));
                    assert!(has(x.shift_left(3), a << 3));
                    assert!(has(x.truncated(32), Low::signed(*a, 32).bits), "{x:?} {a}");
                    for b in numbers.iter().filter(|n| has(*y, **n)) {
                        for (n, m) in [(1, 1), (1, 4), (4, 2), (8, 8)] {
                            let meets = b.wrapping_sub(*a) < n || a.wrapping_sub(*b) < m;
                            assert!(!meets || x.overlaps(n, *y, m), "{x:?} {y:?} {a} {b}");
                        }
                        assert!(has(x.plus(*y), a.wrapping_add(*b)));
                        assert!(has(x.minus(*y), a.wrapping_sub(*b)));
                        assert!(has(x.times(*y), a.wrapping_mul(*b)), "{x:?} {y:?} {a} {b}");
                        if let Some(product) = (*a as i64).checked_mul(*b as i64) {
                            assert!(has(x.scaled(*y), product as u64), "{x:?} {y:?} {a} {b}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn moves_by_a_constant_keep_their_stride() {
        let start = Low::exact(96);
        let moved = start.join(start.minus(Low::exact(36)));
        assert_eq!((moved.stride(), moved.bits()), (36, 24));
        assert_eq!(moved.join(moved.plus(Low::exact(36))), moved);
        assert!(!moved.plus(Low::exact(4)).overlaps(4, moved.plus(Low::exact(8)), 4));
        assert_eq!(moved.join(Low::exact(100)).stride(), 4);
    }
}
