//! Bounds of floats of single and double precision that are not NaN.
//!
//! A single is the double of the same value. Rounding to the nearest never changes an order, so the operation on the
//! bounds, rounded as the program's operation is, bounds what the operation gives: nothing has to be rounded
//! outwards. Both zeros are one number here.

use super::numbers::Number;
use term::{FloatFormat, Op, Rounding, Value};

/// The floats from the first to the second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reals(f64, f64);

/// A result as the format has it.
fn rounded(format: FloatFormat, single: impl Fn() -> f32, double: impl Fn() -> f64) -> Option<f64> {
    match format {
        FloatFormat::SINGLE => Some(f64::from(single())),
        FloatFormat::DOUBLE => Some(double()),
        _ => None,
    }
}

fn apply(op: &Op, format: FloatFormat, a: f64, b: f64) -> Option<f64> {
    let (x, y) = (a as f32, b as f32);
    match op {
        Op::FpAdd(_) => rounded(format, || x + y, || a + b),
        Op::FpMul(_) => rounded(format, || x * y, || a * b),
        Op::FpDiv(_) => rounded(format, || x / y, || a / b),
        _ => None,
    }
}

impl Reals {
    /// All that is not NaN.
    pub const ALL: Reals = Reals(f64::NEG_INFINITY, f64::INFINITY);

    fn new(least: f64, greatest: f64) -> Option<Reals> {
        (least <= greatest).then_some(Reals(least, greatest))
    }

    pub fn constant(value: &Value) -> Option<Reals> {
        let number = match value {
            Value::Float(FloatFormat::SINGLE, bits) => f64::from(f32::from_bits(*bits as u32)),
            Value::Float(FloatFormat::DOUBLE, bits) => f64::from_bits(*bits as u64),
            _ => return None,
        };
        Reals::new(number, number)
    }

    pub fn meet(self, other: Reals) -> Option<Reals> {
        Reals::new(self.0.max(other.0), self.1.min(other.1))
    }

    pub fn join(self, other: Reals) -> Reals {
        Reals(self.0.min(other.0), self.1.max(other.1))
    }

    pub fn is_finite(&self) -> bool {
        self.0.is_finite() && self.1.is_finite()
    }

    fn has_zero(&self) -> bool {
        self.0 <= 0.0 && self.1 >= 0.0
    }

    pub fn is_less(self, other: Reals, strict: bool) -> Option<bool> {
        match strict {
            true if self.1 < other.0 => Some(true),
            true if self.0 >= other.1 => Some(false),
            false if self.1 <= other.0 => Some(true),
            false if self.0 > other.1 => Some(false),
            _ => None,
        }
    }

    pub fn equals(self, other: Reals) -> Option<bool> {
        match self.meet(other) {
            None => Some(false),
            Some(_) => (self.0 == self.1 && self.0 == other.0 && other.0 == other.1).then_some(true),
        }
    }

    /// Both, where the first is less than the second, or not greater.
    pub fn ordered(format: FloatFormat, less: Reals, more: Reals, strict: bool) -> Option<(Reals, Reals)> {
        let (mut most, mut least) = (more.1, less.0);
        if strict {
            most = rounded(format, || (most as f32).next_down(), || most.next_down()).unwrap_or(most);
            least = rounded(format, || (least as f32).next_up(), || least.next_up()).unwrap_or(least);
        }
        Some((less.meet(Reals(f64::NEG_INFINITY, most))?, more.meet(Reals(least, f64::INFINITY))?))
    }

    pub fn unary(self, op: &Op, format: FloatFormat) -> Option<Reals> {
        let Reals(least, greatest) = self;
        match op {
            Op::FpNeg => Reals::new(-greatest, -least),
            Op::FpAbs if self.has_zero() => Reals::new(0.0, greatest.max(-least)),
            Op::FpAbs => Reals::new(least.abs().min(greatest.abs()), least.abs().max(greatest.abs())),
            Op::FpSqrt(Rounding::NearestEven) if least >= 0.0 => {
                let root = |x: f64| rounded(format, || (x as f32).sqrt(), || x.sqrt());
                Reals::new(root(least)?, root(greatest)?)
            }
            Op::FpRoundToIntegral(rounding) => {
                let whole = |x: f64| match rounding {
                    Rounding::NearestEven => x.round_ties_even(),
                    Rounding::NearestAway => x.round(),
                    Rounding::TowardZero => x.trunc(),
                    Rounding::TowardPositive => x.ceil(),
                    Rounding::TowardNegative => x.floor(),
                };
                Reals::new(whole(least), whole(greatest))
            }
            _ => None,
        }
    }

    pub fn binary(op: &Op, format: FloatFormat, a: Reals, b: Reals) -> Option<Reals> {
        match op {
            // Infinities of different signs, whose sum is NaN, are sums of ends: NaN is in no bounds.
            Op::FpAdd(Rounding::NearestEven) => {
                let opposite = (a.1.is_infinite() && b.0.is_infinite()) || (a.0.is_infinite() && b.1.is_infinite());
                if opposite {
                    return None;
                }
                Reals::new(apply(op, format, a.0, b.0)?, apply(op, format, a.1, b.1)?)
            }
            Op::FpSub(rounding) => Reals::binary(&Op::FpAdd(*rounding), format, a, b.unary(&Op::FpNeg, format)?),
            Op::FpMul(Rounding::NearestEven) => {
                let is_nan = (a.has_zero() && !b.is_finite()) || (b.has_zero() && !a.is_finite());
                if is_nan { None } else { Reals::of_corners(op, format, a, b) }
            }
            Op::FpDiv(Rounding::NearestEven) if b.has_zero() || (!a.is_finite() && !b.is_finite()) => None,
            Op::FpDiv(Rounding::NearestEven) => Reals::of_corners(op, format, a, b),
            _ => None,
        }
    }

    fn of_corners(op: &Op, format: FloatFormat, a: Reals, b: Reals) -> Option<Reals> {
        let mut corners = Vec::new();
        for (x, y) in [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)] {
            corners.push(apply(op, format, x, y).filter(|corner| !corner.is_nan())?);
        }
        let end = |pick: fn(f64, f64) -> f64| corners.iter().copied().reduce(pick);
        Reals::new(end(f64::min)?, end(f64::max)?)
    }

    pub fn converted(self, from: FloatFormat, to: FloatFormat) -> Option<Reals> {
        let of = |x: f64| rounded(to, || x as f32, || x);
        [FloatFormat::SINGLE, FloatFormat::DOUBLE].contains(&from).then(|| Reals::new(of(self.0)?, of(self.1)?))?
    }

    /// The floats of machine integers.
    pub fn of_integers(format: FloatFormat, number: Number, signed: bool) -> Option<Reals> {
        let bounds = number.bounds(signed)?;
        let of = |x: i128| rounded(format, || x as f32, || x as f64);
        Reals::new(of(bounds.0)?, of(bounds.1)?)
    }

    /// The machine integers that these are cut to, if all fit.
    pub fn to_integers(self, width: u32, signed: bool) -> Option<Number> {
        if width > 64 || !self.is_finite() {
            return None;
        }
        // What is too large for the conversion becomes the largest number, and does not fit either.
        let bounds = (self.0.trunc() as i128, self.1.trunc() as i128);
        let all = Number::all(width).bounds(signed)?;
        (all.0 <= bounds.0 && bounds.1 <= all.1).then(|| Number::of_reading(width, signed, bounds))?
    }
}
