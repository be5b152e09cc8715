//! A machine integer as a mathematical one that wraps around only where it is read.

use dashu::integer::IBig;
use term::Term;
use term::build::{add, bv_to_int, int, int_div, int_mod, int_to_bv, ite, lt, mul, neg, sub};

/// How the bits of a machine integer are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    Unsigned,
    Signed,
}

/// The least and the greatest of some numbers.
pub type Bounds = (i128, i128);

impl Reading {
    /// What a machine integer of a width may be; `None` for those that are too wide to calculate with here.
    pub fn bounds(self, width: u32) -> Option<Bounds> {
        match self {
            _ if width > 120 => None,
            Reading::Unsigned => Some((0, (1 << width) - 1)),
            Reading::Signed => Some((-(1 << (width - 1)), (1 << (width - 1)) - 1)),
        }
    }

    /// The least number of a width.
    pub fn least(self, width: u32) -> IBig {
        match self {
            Reading::Unsigned => IBig::ZERO,
            Reading::Signed => -power(width - 1),
        }
    }
}

/// Two to a number.
pub fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// A machine integer: `whole` is equal to it modulo two to the width. So a sum of many wraps around once, where it is read.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub width: u32,
    pub whole: Term,
    /// What is known of `whole`.
    pub bounds: Option<Bounds>,
    /// The machine integer itself, where it has not become a number.
    bits: Option<Term>,
}

impl Number {
    /// What is equal to a machine integer modulo two to the width.
    pub fn new(width: u32, whole: Term, bounds: Option<Bounds>) -> Number {
        let whole = bounds.filter(|(low, high)| low == high).map_or(whole, |(value, _)| int(value));
        Number { width, whole, bounds, bits: None }
    }

    pub fn constant(width: u32, value: i128) -> Number {
        Number::new(width, int(value), Some((value, value)))
    }

    /// What stays a machine integer; `unsigned` is what is known of it without sign.
    pub fn of_bits(bits: Term, unsigned: Option<Bounds>) -> Number {
        let width = bits.sort().bv_width().expect("a machine integer");
        Number { width, whole: bv_to_int(false, bits), bounds: unsigned, bits: Some(bits) }
    }

    /// The machine integer.
    pub fn bits(self) -> Term {
        self.bits.unwrap_or_else(|| int_to_bv(self.width, self.whole))
    }

    /// How often `whole` may have gone around beyond the numbers of a reading: the least and the greatest count.
    fn turns(self, reading: Reading) -> Option<Bounds> {
        let ((low, high), (least, _)) = (self.bounds?, reading.bounds(self.width)?);
        let turn = |value: i128| Some(value.checked_sub(least)?.div_euclid(1 << self.width));
        Some((turn(low)?, turn(high)?))
    }

    /// Whether reading it needs no case distinction.
    pub fn is_direct(self, reading: Reading) -> bool {
        self.turns(reading).is_some_and(|(first, last)| first == last) || self.bits.is_some()
    }

    /// The number that it is in a reading.
    pub fn read(self, reading: Reading) -> Term {
        let modulus = power(self.width);
        let back = |turns: i128| sub(self.whole, int(IBig::from(turns) * &modulus));
        match (self.turns(reading), self.bits) {
            (Some((first, last)), _) if first == last => back(first),
            (_, Some(bits)) => bv_to_int(reading == Reading::Signed, bits),
            (Some((first, last)), _) if first + 1 == last => {
                let limit = reading.least(self.width) + IBig::from(last) * &modulus;
                ite(lt(self.whole, int(limit)), back(first), back(last))
            }
            _ => {
                let least = int(reading.least(self.width));
                add(int_mod(sub(self.whole, least), int(modulus)), least)
            }
        }
    }

    /// What is equal modulo two to another width: of one that is narrower, or that is the number itself.
    pub fn resized(self, width: u32) -> Number {
        Number::new(width, self.whole, self.bounds)
    }

    /// What is known of the number in a reading.
    pub fn read_bounds(self, reading: Reading) -> Option<Bounds> {
        let all = reading.bounds(self.width);
        match (self.turns(reading), self.bounds) {
            (Some((first, last)), Some((low, high))) if first == last => {
                let offset = first.checked_mul(1 << self.width)?;
                Some((low.checked_sub(offset)?, high.checked_sub(offset)?))
            }
            _ => all,
        }
    }

    /// The number in a reading, as one that goes around no more.
    pub fn settled(self, reading: Reading) -> Number {
        Number::new(self.width, self.read(reading), self.read_bounds(reading))
    }

    /// Knows that the numbers of a reading are within bounds.
    pub fn within(self, reading: Reading, known: Option<Bounds>) -> Number {
        let (Some(own), Some(known)) = (self.bounds, known) else { return self };
        match self.turns(reading) {
            Some((0, 0)) => Number { bounds: Some((own.0.max(known.0), own.1.min(known.1))), ..self },
            _ => self,
        }
    }

    /// The same where it is not negative.
    pub fn not_negative(self) -> Number {
        Number { bounds: self.bounds.map(|(low, high)| (low.max(0), high.max(0))), ..self }
    }

    pub fn add(self, other: Number) -> Number {
        let bounds = self.bounds.zip(other.bounds);
        let bounds = bounds.and_then(|(a, b)| Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)));
        Number::new(self.width, add(self.whole, other.whole), bounds)
    }

    pub fn negated(self) -> Number {
        let bounds = self.bounds.and_then(|(low, high)| Some((high.checked_neg()?, low.checked_neg()?)));
        Number::new(self.width, neg(self.whole), bounds)
    }

    pub fn sub(self, other: Number) -> Number {
        let bounds = self.bounds.zip(other.bounds);
        let bounds = bounds.and_then(|(a, b)| Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)));
        Number::new(self.width, sub(self.whole, other.whole), bounds)
    }

    /// Times a constant.
    pub fn times(self, factor: i128) -> Number {
        let bounds = self.bounds.and_then(|(low, high)| {
            let ends = (low.checked_mul(factor)?, high.checked_mul(factor)?);
            Some((ends.0.min(ends.1), ends.0.max(ends.1)))
        });
        Number::new(self.width, mul(self.whole, int(factor)), bounds)
    }

    /// Times two to a number.
    pub fn shifted(self, by: u32) -> Number {
        match by {
            0..120 => self.times(1 << by),
            _ => Number::new(self.width, mul(self.whole, int(power(by))), None),
        }
    }

    /// The `length` bits from `low` on, as a number without sign of the same width.
    pub fn field(self, low: u32, length: u32) -> Number {
        let part = self.divided_by_power(low);
        let all = Reading::Unsigned.bounds(length);
        match (part.bounds, all) {
            (Some(bounds), Some(all)) if all.0 <= bounds.0 && bounds.1 <= all.1 => part,
            _ => Number::new(self.width, int_mod(part.whole, int(power(length))), all),
        }
    }

    /// The quotient by a positive constant, rounded down.
    pub fn divided(self, by: i128) -> Number {
        let bounds = self.bounds.map(|(low, high)| (low.div_euclid(by), high.div_euclid(by)));
        Number::new(self.width, int_div(self.whole, int(by)), bounds)
    }

    /// The quotient by two to a number, rounded down.
    pub fn divided_by_power(self, exponent: u32) -> Number {
        let bounds = self.bounds.filter(|_| exponent < 120).map(|(low, high)| (low >> exponent, high >> exponent));
        Number::new(self.width, int_div(self.whole, int(power(exponent))), bounds)
    }

    /// The remainder of [`Number::divided`].
    pub fn modulo(self, by: i128) -> Number {
        match self.bounds {
            Some((low, high)) if 0 <= low && high < by => self,
            _ => Number::new(self.width, int_mod(self.whole, int(by)), Some((0, by - 1))),
        }
    }

    /// One of two numbers.
    pub fn choice(condition: Term, then: Number, other: Number) -> Number {
        let bounds = then.bounds.zip(other.bounds).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        let bits = then.bits.zip(other.bits).map(|(a, b)| ite(condition, a, b));
        Number { width: then.width, whole: ite(condition, then.whole, other.whole), bounds, bits }
    }
}
