//! Exact fractions, fast while they are small.
//!
//! Nearly all numbers of a program's constraints fit 64 bits; the rest are kept exactly by `dashu`.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::cmp::Ordering;

/// A fraction in lowest terms. What fits is always `Small`, so that equality is by form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rational {
    /// Numerator and positive denominator.
    Small(i64, i64),
    Big(Box<RBig>),
}

use Rational::{Big, Small};

impl Rational {
    pub const ZERO: Rational = Small(0, 1);
    pub const ONE: Rational = Small(1, 1);

    /// The fraction in lowest terms; the denominator is not zero.
    fn reduced(numerator: i128, denominator: i128) -> Rational {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let sign = if denominator < 0 { -1 } else { 1 };
        let (n, d) = (sign * (numerator / divisor), sign * (denominator / divisor));
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Small(n, d),
            _ => Big(Box::new(RBig::from_parts_signed(n.into(), d.into()))),
        }
    }

    pub fn to_big(&self) -> RBig {
        match self {
            Small(n, d) => RBig::from_parts_signed((*n).into(), (*d).into()),
            Big(big) => (**big).clone(),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Small(0, _))
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Small(n, _) => *n < 0,
            Big(big) => **big < RBig::ZERO,
        }
    }

    pub fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    pub fn is_integer(&self) -> bool {
        match self {
            Small(_, d) => *d == 1,
            Big(big) => big.is_int(),
        }
    }

    pub fn floor(&self) -> Rational {
        match self {
            Small(n, d) => Small(n.div_euclid(*d), 1),
            Big(big) => big.floor().into(),
        }
    }

    pub fn negated(&self) -> Rational {
        match self {
            Small(n, d) => Rational::reduced(-i128::from(*n), i128::from(*d)),
            Big(big) => (-(**big).clone()).into(),
        }
    }

    pub fn absolute(&self) -> Rational {
        if self.is_negative() { self.negated() } else { self.clone() }
    }

    pub fn plus(&self, other: &Rational) -> Rational {
        match (self, other) {
            // Sums of products of 64-bit numbers fit 128 bits.
            (Small(a, 1), Small(b, 1)) => Rational::reduced(i128::from(*a) + i128::from(*b), 1),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
                Rational::reduced(a * d + c * b, b * d)
            }
            _ => (self.to_big() + other.to_big()).into(),
        }
    }

    pub fn minus(&self, other: &Rational) -> Rational {
        self.plus(&other.negated())
    }

    pub fn times(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Small(a, b), Small(c, d)) => {
                Rational::reduced(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d))
            }
            _ => (self.to_big() * other.to_big()).into(),
        }
    }

    /// The quotient; the divisor is not zero.
    pub fn over(&self, other: &Rational) -> Rational {
        match (self, other) {
            (Small(a, b), Small(c, d)) => {
                Rational::reduced(i128::from(*a) * i128::from(*d), i128::from(*b) * i128::from(*c))
            }
            _ => (self.to_big() / other.to_big()).into(),
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    // Most numbers are small enough for the processor's own division.
    if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
        while y != 0 {
            (x, y) = (y, x % y);
        }
        return u128::from(x.max(1));
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (self, other) {
            (Small(a, b), Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Small(n, 1)
    }
}

impl From<RBig> for Rational {
    fn from(big: RBig) -> Rational {
        match (i64::try_from(big.numerator()), i64::try_from(big.denominator())) {
            (Ok(n), Ok(d)) => Small(n, d),
            _ => Big(Box::new(big)),
        }
    }
}

impl From<IBig> for Rational {
    fn from(n: IBig) -> Rational {
        RBig::from(n).into()
    }
}

impl From<UBig> for Rational {
    fn from(n: UBig) -> Rational {
        IBig::from(n).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;

    /// Small and big numbers of few shapes, so that overflow is met often.
    fn number(random: &mut Random) -> Rational {
        let part = |random: &mut Random| match random.below(4) {
            0 => random.below(7) as i64 - 3,
            1 => i64::MAX - random.below(3) as i64,
            2 => i64::MIN + random.below(3) as i64,
            _ => random.bits() as i64,
        };
        let (above, below) = (part(random), part(random));
        let small = Rational::reduced(above.into(), if below == 0 { 1 } else { below.into() });
        if random.once_in(3) { small.times(&Rational::from(part(random))) } else { small }
    }

    #[test]
    fn operations_agree_with_exact_fractions() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let (a, b) = (number(&mut random), number(&mut random));
            let (x, y) = (a.to_big(), b.to_big());
            assert_eq!(a.plus(&b), Rational::from(&x + &y));
            assert_eq!(a.minus(&b), Rational::from(&x - &y));
            assert_eq!(a.times(&b), Rational::from(&x * &y));
            assert_eq!(a.cmp(&b), x.cmp(&y));
            assert_eq!(a.floor(), Rational::from(x.floor()));
            assert_eq!(a.is_integer(), x.is_int());
            assert_eq!(a.negated(), Rational::from(-&x));
            if !b.is_zero() {
                assert_eq!(a.over(&b), Rational::from(&x / &y));
            }
        }
    }
}
