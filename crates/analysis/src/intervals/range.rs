//! Ranges of machine integers: the least and the greatest value, read both without and with sign.
//!
//! Invariant: both readings hold of every value of the range, and each is as narrow as the other makes it. No range is
//! empty: what would be is `None`.

use faults::Fault;

/// The values of a machine integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub width: u32,
    pub unsigned: Bounds,
    pub signed: Bounds,
}

/// The least and the greatest of some numbers.
pub type Bounds = (i128, i128);

/// All numbers of a width without sign, and with.
pub fn all_unsigned(width: u32) -> Bounds {
    (0, (1 << width) - 1)
}

pub fn all_signed(width: u32) -> Bounds {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

fn meet(a: Bounds, b: Bounds) -> Option<Bounds> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

fn join(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

impl Range {
    pub fn all(width: u32) -> Range {
        Range { width, unsigned: all_unsigned(width), signed: all_signed(width) }
    }

    pub fn is_all(&self) -> bool {
        *self == Range::all(self.width)
    }

    /// The values with these bounds in both readings.
    pub fn new(width: u32, unsigned: Bounds, signed: Bounds) -> Option<Range> {
        let modulus = 1i128 << width;
        let (mut unsigned, mut signed) = (meet(unsigned, all_unsigned(width))?, meet(signed, all_signed(width))?);
        for _ in 0..2 {
            // Where all values have one sign, the readings differ by a constant.
            if unsigned.1 < modulus / 2 {
                signed = meet(signed, unsigned)?;
            } else if unsigned.0 >= modulus / 2 {
                signed = meet(signed, (unsigned.0 - modulus, unsigned.1 - modulus))?;
            }
            if signed.0 >= 0 {
                unsigned = meet(unsigned, signed)?;
            } else if signed.1 < 0 {
                unsigned = meet(unsigned, (signed.0 + modulus, signed.1 + modulus))?;
            }
        }
        Some(Range { width, unsigned, signed })
    }

    pub fn of_unsigned(width: u32, bounds: Bounds) -> Option<Range> {
        Range::new(width, bounds, all_signed(width))
    }

    pub fn of_signed(width: u32, bounds: Bounds) -> Option<Range> {
        Range::new(width, all_unsigned(width), bounds)
    }

    /// The range of numbers that wrap around, given the numbers themselves in each reading of their arguments.
    pub fn wrapped(width: u32, unsigned: Option<Bounds>, signed: Option<Bounds>) -> Range {
        let unsigned = unsigned.and_then(|bounds| shifted(bounds, width, 0)).unwrap_or(all_unsigned(width));
        let signed = signed.and_then(|bounds| shifted(bounds, width, 1 << (width - 1))).unwrap_or(all_signed(width));
        Range::new(width, unsigned, signed).unwrap_or(Range::all(width))
    }

    pub fn constant(width: u32, value: u128) -> Range {
        let value = value as i128;
        Range::of_unsigned(width, (value, value)).unwrap_or(Range::all(width))
    }

    /// The only value, read without sign.
    pub fn single(&self) -> Option<i128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    pub fn meet(&self, other: &Range) -> Option<Range> {
        Range::new(self.width, meet(self.unsigned, other.unsigned)?, meet(self.signed, other.signed)?)
    }

    pub fn join(&self, other: &Range) -> Range {
        let (unsigned, signed) = (join(self.unsigned, other.unsigned), join(self.signed, other.signed));
        Range { width: self.width, unsigned, signed }
    }

    pub fn includes(&self, other: &Range) -> bool {
        self.join(other) == *self
    }

    /// A range that includes the join with a later one; bounds that move go to the next threshold, which are sorted.
    pub fn widen(&self, later: &Range, thresholds: &[i128]) -> Range {
        let wider = |now: Bounds, later: Bounds, all: Bounds| {
            let below = thresholds.iter().rev().copied().find(|t| *t <= later.0).unwrap_or(all.0).max(all.0);
            let above = thresholds.iter().copied().find(|t| *t >= later.1).unwrap_or(all.1).min(all.1);
            (if later.0 < now.0 { below } else { now.0 }, if later.1 > now.1 { above } else { now.1 })
        };
        let unsigned = wider(self.unsigned, later.unsigned, all_unsigned(self.width));
        let signed = wider(self.signed, later.signed, all_signed(self.width));
        // A reading that went to a threshold may be wider than the other one allows.
        Range::new(self.width, unsigned, signed).unwrap_or(Range::all(self.width))
    }
}

/// Bounds of numbers modulo 2^width, from `-half` on; `None` if they wrap around inside.
fn shifted(bounds: Bounds, width: u32, half: i128) -> Option<Bounds> {
    let modulus = 1i128 << width;
    let turns = (bounds.0 + half).div_euclid(modulus);
    let (low, high) = (bounds.0 - turns * modulus, bounds.1 - turns * modulus);
    if faults::is(Fault::DroppedWrap) {
        return Some((low, high.min(modulus - half - 1)));
    }
    (high < modulus - half).then_some((low, high))
}
