//! The exact decimal expansion of floats, and rounding it to the nearest number of fewer digits, ties to even.

use term::FloatFormat;

/// What a float is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Number {
    Nan,
    Infinite,
    /// `mantissa` times two to the `exponent`.
    Finite {
        mantissa: u128,
        exponent: i32,
    },
}

/// The sign (true: negative) and the magnitude of a bit pattern.
pub(super) fn decode(format: FloatFormat, bits: u128) -> (bool, Number) {
    let negative = bits >> (format.width() - 1) & 1 == 1;
    let has_integer_bit = format == FloatFormat::EXTENDED;
    let stored = format.significand - u32::from(!has_integer_bit);
    let mantissa = bits & ((1 << stored) - 1);
    let special = (1u128 << format.exponent) - 1;
    let biased = bits >> stored & special;
    let fraction = mantissa & ((1 << (format.significand - 1)) - 1);
    let bias = (special >> 1) as i32;
    let least = 1 - bias - (format.significand as i32 - 1);
    let number = if biased == special {
        if fraction == 0 { Number::Infinite } else { Number::Nan }
    } else if biased == 0 {
        Number::Finite { mantissa, exponent: least }
    } else {
        let mantissa = fraction | 1 << (format.significand - 1);
        Number::Finite { mantissa, exponent: least + biased as i32 - 1 }
    };
    (negative, number)
}

/// A number in decimal: `0.d1d2d3... * 10^point`. There are no zeros at either end; zero has no digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    pub digits: Vec<u8>,
    pub point: i32,
}

impl Decimal {
    /// The exact value of `mantissa * 2^exponent`.
    pub fn new(mantissa: u128, exponent: i32) -> Decimal {
        const BASE: u64 = 1_000_000_000;
        // The least part first.
        let mut parts: Vec<u32> = Vec::new();
        let mut rest = mantissa;
        while rest > 0 {
            parts.push((rest % u128::from(BASE)) as u32);
            rest /= u128::from(BASE);
        }
        let mut multiply = |factor: u32| {
            let mut carry = 0;
            for part in &mut parts {
                let product = u64::from(*part) * u64::from(factor) + carry;
                *part = (product % BASE) as u32;
                carry = product / BASE;
            }
            if carry > 0 {
                parts.push(carry as u32);
            }
        };
        // Below the point, halving is multiplying by five and moving the point.
        let (base, most) = if exponent >= 0 { (2u32, 29) } else { (5u32, 12) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(most);
            multiply(base.pow(now));
            left -= now;
        }
        let text: String = parts.iter().rev().map(|part| format!("{part:09}")).collect();
        let digits: Vec<u8> = text.bytes().map(|b| b - b'0').collect();
        let point = digits.len() as i32 - if exponent < 0 { -exponent } else { 0 };
        Decimal { digits, point }.trimmed()
    }

    fn trimmed(mut self) -> Decimal {
        let zeros = self.digits.iter().take_while(|d| **d == 0).count();
        self.digits.drain(..zeros);
        self.point -= zeros as i32;
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
        self
    }

    /// Rounded so that the last digit stands for `10^-places`.
    pub fn rounded(&self, places: i32) -> Decimal {
        let keep = i64::from(self.point) + i64::from(places);
        if keep >= self.digits.len() as i64 {
            return self.clone();
        }
        if keep < 0 {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let keep = keep as usize;
        let mut digits = self.digits[..keep].to_vec();
        let (next, beyond) = (self.digits[keep], keep + 1 < self.digits.len());
        let odd = digits.last().is_some_and(|d| d % 2 == 1);
        let mut point = self.point;
        if next > 5 || next == 5 && (beyond || odd) {
            // Nines become zeros, which are cut off below.
            match digits.iter().rposition(|d| *d != 9) {
                Some(at) => {
                    digits[at] += 1;
                    digits.truncate(at + 1);
                }
                None => {
                    digits = vec![1];
                    point += 1;
                }
            }
        }
        Decimal { digits, point }.trimmed()
    }

    /// The digit that stands for `10^place`.
    pub fn digit(&self, place: i32) -> u8 {
        let at = i64::from(self.point) - 1 - i64::from(place);
        usize::try_from(at).ok().and_then(|at| self.digits.get(at)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, places: i32, expected: (&[u8], i32)) {
        let (_, number) = decode(FloatFormat::DOUBLE, value.to_bits().into());
        let Number::Finite { mantissa, exponent } = number else { panic!("{value} is not finite") };
        let decimal = Decimal::new(mantissa, exponent).rounded(places);
        assert_eq!((&decimal.digits[..], decimal.point), expected, "{value} to {places} places");
    }

    #[test]
    fn rounds_to_even() {
        check(0.5, 0, (&[], 0));
        check(1.5, 0, (&[2], 1));
        check(2.5, 0, (&[2], 1));
        check(0.125, 2, (&[1, 2], 0));
        check(0.375, 2, (&[3, 8], 0));
        check(9.96, 1, (&[1], 2));
        check(1024.0, 3, (&[1, 0, 2, 4], 4));
        check(0.0, 3, (&[], 0));
        check(5e-324, 326, (&[4, 9, 4], -323));
    }
}
