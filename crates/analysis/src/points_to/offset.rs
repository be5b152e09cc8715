//! Sets of offsets: what the low bits of a number are known to be.

/// The numbers whose low `known` bits are those of `bits`. With `known` at the width of an offset it is one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Low {
    known: u32,
    bits: u64,
}

/// Offsets have at most this many bits; a number all of whose bits are known is exact.
const ALL: u32 = 64;

impl Low {
    pub const ANY: Low = Low { known: 0, bits: 0 };

    pub fn exact(number: u64) -> Low {
        Low { known: ALL, bits: number }
    }

    fn new(known: u32, bits: u64) -> Low {
        let known = known.min(ALL);
        let mask = if known == ALL { u64::MAX } else { (1 << known) - 1 };
        Low { known, bits: bits & mask }
    }

    /// The number, if there is only one.
    pub fn number(self) -> Option<u64> {
        (self.known == ALL).then_some(self.bits)
    }

    /// How many low bits are known.
    pub fn known(self) -> u32 {
        self.known
    }

    /// The known bits.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// Whether `bytes` from a number of this set on may meet `others` from one of the other set on.
    pub fn overlaps(self, bytes: u64, other: Low, others: u64) -> bool {
        let known = self.known.min(other.known);
        let apart = |a: u64, b: u64| Low::new(known, a.wrapping_sub(b)).bits;
        apart(other.bits, self.bits) < bytes || apart(self.bits, other.bits) < others
    }

    /// The set of which only so many low bits are known.
    pub fn known_to(self, known: u32) -> Low {
        Low::new(self.known.min(known), self.bits)
    }

    pub fn join(self, other: Low) -> Low {
        let equal = (self.bits ^ other.bits).trailing_zeros();
        Low::new(self.known.min(other.known).min(equal), self.bits)
    }

    pub fn plus(self, other: Low) -> Low {
        Low::new(self.known.min(other.known), self.bits.wrapping_add(other.bits))
    }

    pub fn minus(self, other: Low) -> Low {
        Low::new(self.known.min(other.known), self.bits.wrapping_sub(other.bits))
    }

    pub fn times(self, other: Low) -> Low {
        if self.known == ALL && other.known == ALL {
            return Low::exact(self.bits.wrapping_mul(other.bits));
        }
        // x = a + 2^k y and z = b + 2^l w: the low bits of the product are known up to where an unknown part starts.
        let zeros = |low: Low| if low.bits == 0 { low.known } else { low.bits.trailing_zeros() };
        let known = (self.known + zeros(other)).min(other.known + zeros(self)).min(self.known + other.known);
        Low::new(known, self.bits.wrapping_mul(other.bits))
    }

    pub fn shift_left(self, by: u32) -> Low {
        if by >= ALL { Low::exact(0) } else { Low::new(self.known.saturating_add(by), self.bits << by) }
    }

    /// A number of `width` bits as part of a wider one: exact ones stay so, because what is above them is zero.
    pub fn at_most(self, width: u32) -> Low {
        if self.known == ALL { self } else { Low::new(self.known.min(width), self.bits) }
    }

    /// Seen as a number of `width` bits: an exact number stays exact.
    pub fn at_width(self, width: u32) -> Low {
        if self.known == ALL && width < ALL {
            Low { known: ALL, bits: self.bits & ((1 << width) - 1) }
        } else if self.known >= width {
            Low { known: ALL, bits: self.bits & (((1u128 << width) - 1) as u64) }
        } else {
            self
        }
    }

    /// An exact number of `width` bits extended to 64 by its sign; of others only the known bits are left.
    pub fn sign_extended(self, width: u32) -> Low {
        match self.number() {
            Some(number) if width < ALL => {
                let shift = ALL - width;
                Low::exact((((number << shift) as i64) >> shift) as u64)
            }
            Some(_) => self,
            None => Low::new(self.known.min(width - 1), self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a number is in the set.
    fn has(low: Low, number: u64) -> bool {
        Low::new(low.known, number) == low
    }

    #[test]
    fn operations_contain_the_results() {
        let numbers = [0u64, 1, 2, 3, 4, 6, 8, 12, 255, u64::MAX, u64::MAX - 3, 1 << 40];
        let mut sets: Vec<Low> = numbers.iter().map(|n| Low::exact(*n)).collect();
        sets.extend((0..numbers.len()).map(|i| Low::new(i as u32, numbers[i])));
        for x in &sets {
            for y in &sets {
                for a in numbers.iter().filter(|n| has(*x, **n)) {
                    assert!(has(x.join(*y), *a));
                    assert!(has(x.shift_left(3), a << 3));
                    for b in numbers.iter().filter(|n| has(*y, **n)) {
                        for (n, m) in [(1, 1), (1, 4), (4, 2), (8, 8)] {
                            let meets = b.wrapping_sub(*a) < n || a.wrapping_sub(*b) < m;
                            assert!(!meets || x.overlaps(n, *y, m), "{x:?} {y:?} {a} {b}");
                        }
                        assert!(has(x.plus(*y), a.wrapping_add(*b)));
                        assert!(has(x.minus(*y), a.wrapping_sub(*b)));
                        assert!(has(x.times(*y), a.wrapping_mul(*b)), "{x:?} {y:?} {a} {b}");
                    }
                }
            }
        }
    }
}
