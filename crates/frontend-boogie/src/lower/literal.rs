//! Numbers as they are written.

use dashu::base::Sign;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::str::FromStr;
use term::{Bv, FloatFormat, MAX_WIDTH, Rounding, Sort, Term, Value, build};

/// Larger exponents make numbers that nobody can compute with.
const MAX_EXPONENT: u32 = 10_000;

pub fn integer(text: &str) -> Option<Term> {
    Some(build::int(IBig::from_str(&text.replace('_', "")).ok()?))
}

/// `7bv32`; what is above the width does not count.
pub fn bit_vector(text: &str) -> Option<Term> {
    let (digits, width) = text.split_once("bv")?;
    let width: u32 = width.replace('_', "").parse().ok()?;
    if !(1..=MAX_WIDTH).contains(&width) {
        return None;
    }
    let number = UBig::from_str(&digits.replace('_', "")).ok()? % (UBig::ONE << width as usize);
    Some(Term::constant(Value::Bv(Bv::new(width, u128::try_from(number).ok()?))))
}

/// `12.5`, `1e-3`.
pub fn real(text: &str) -> Option<Term> {
    let text = text.replace('_', "");
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number = UBig::from_str(&format!("{whole}{fraction}")).ok()?;
    let exponent = exponent.checked_sub(fraction.len().try_into().ok()?)?;
    Some(build::real(scaled(number, false, 10, exponent)?))
}

/// `number * base ^ exponent`.
fn scaled(number: UBig, negative: bool, base: u32, exponent: i32) -> Option<RBig> {
    if exponent.unsigned_abs() > MAX_EXPONENT {
        return None;
    }
    let power = UBig::from(base).pow(exponent.unsigned_abs() as usize);
    let sign = if negative { Sign::Negative } else { Sign::Positive };
    let (numerator, denominator) = if exponent < 0 { (number, power) } else { (number * power, UBig::ONE) };
    Some(RBig::from_parts(IBig::from_parts(sign, numerator), denominator))
}

/// The format of a floating-point literal: the widths of its significand and exponent.
pub fn float_format(text: &str) -> (u32, u32) {
    let digits = text.rfind(|c: char| !c.is_ascii_digit() && c != 'e').map_or("", |at| &text[at + 1..]);
    let (significand, exponent) = digits.split_once('e').unwrap_or_default();
    (significand.parse().unwrap_or(0), exponent.parse().unwrap_or(0))
}

/// Whether a floating-point literal is one of its format: hexadecimal digits must give its value exactly.
pub fn is_float(text: &str) -> bool {
    let (significand, exponent) = float_format(text);
    let is_format = significand >= 2 && exponent >= 2;
    let Some(digits) = text.strip_prefix("0x") else { return is_format };
    let format = FloatFormat { exponent, significand };
    // Nothing is known of other formats.
    is_format && (!format.is_supported() || exactly(digits, format).is_some())
}

/// The number of hexadecimal digits, if the format has it.
fn exactly(digits: &str, format: FloatFormat) -> Option<Term> {
    let value = hexadecimal(digits)?;
    let rounded = build::real_to_fp(format, Rounding::NearestEven, value);
    (build::fp_to_real(rounded) == value).then_some(rounded)
}

/// The value of `1.8e3f24e8`.
fn hexadecimal(digits: &str) -> Option<Term> {
    let (digits, _) = digits.rsplit_once('f')?;
    let (whole, rest) = digits.split_once('.')?;
    let (fraction, exponent) = rest.rsplit_once('e')?;
    let number = UBig::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(fraction.len().try_into().ok()?)?;
    Some(build::real(scaled(number, false, 16, exponent)?))
}

/// `0x1.8e3f24e8`, `0NaN24e8`, `0+oo24e8`.
pub fn float(text: &str) -> Option<Term> {
    let (significand, exponent) = float_format(text);
    let format = FloatFormat { exponent, significand };
    if !format.is_supported() {
        return None;
    }
    let quotient = |numerator: i32| {
        let zero = build::fp(format, 0);
        let one = build::real_to_fp(format, Rounding::NearestEven, build::real(RBig::from(numerator)));
        build::fp_div(Rounding::NearestEven, one, zero)
    };
    if text.starts_with("0N") || text.starts_with("0n") {
        return Some(quotient(0));
    }
    if text.starts_with("0+oo") {
        return Some(quotient(1));
    }
    if text.starts_with("0-oo") {
        return Some(quotient(-1));
    }
    let value = hexadecimal(text.strip_prefix("0x")?)?;
    Some(build::real_to_fp(format, Rounding::NearestEven, value)).filter(|t| t.sort() == Sort::float(format))
}
