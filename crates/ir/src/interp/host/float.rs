//! How `printf` prints floats.

use super::decimal::{Decimal, Number, decode};
use super::printf::{Spec, pad, pad_number, sign};
use term::FloatFormat;

/// The conversions `%f`, `%e`, `%g` and `%a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Fixed,
    Exponent,
    General,
    Hexadecimal,
}

/// The text for a float, in lower case.
pub(super) fn print(spec: Spec, style: Style, format: FloatFormat, bits: u128) -> Vec<u8> {
    let (negative, number) = decode(format, bits);
    let sign = sign(spec, negative);
    match number {
        Number::Nan => pad(spec, [sign, b"nan"].concat()),
        Number::Infinite => pad(spec, [sign, b"inf"].concat()),
        Number::Finite { mantissa, exponent } if style == Style::Hexadecimal => {
            let digits = hexadecimal(spec, format, mantissa, exponent);
            pad_number(spec, &[sign, b"0x"].concat(), digits, true)
        }
        Number::Finite { mantissa, exponent } => {
            let decimal = Decimal::new(mantissa, exponent);
            let precision = spec.precision.unwrap_or(6);
            let digits = match style {
                Style::Fixed => fixed(&decimal, precision, spec.alternative),
                Style::Exponent => scientific(&decimal, precision, spec.alternative),
                _ => general(&decimal, precision.max(1), spec.alternative),
            };
            pad_number(spec, sign, digits, true)
        }
    }
}

fn fixed(decimal: &Decimal, precision: usize, point: bool) -> Vec<u8> {
    let rounded = decimal.rounded(precision as i32);
    let whole = (0..rounded.point.max(1)).rev();
    let mut text: Vec<u8> = whole.map(|place| b'0' + rounded.digit(place)).collect();
    if precision > 0 || point {
        text.push(b'.');
    }
    text.extend((1..=precision as i32).map(|place| b'0' + rounded.digit(-place)));
    text
}

/// The number rounded to so many digits after the first, and the power of ten of the first.
fn normalised(decimal: &Decimal, precision: usize) -> (Decimal, i32) {
    let rounded = decimal.rounded(precision as i32 - (decimal.point - 1));
    let power = if rounded.digits.is_empty() { 0 } else { rounded.point - 1 };
    (rounded, power)
}

fn scientific(decimal: &Decimal, precision: usize, point: bool) -> Vec<u8> {
    let (rounded, power) = normalised(decimal, precision);
    let mut text = vec![b'0' + rounded.digit(power)];
    if precision > 0 || point {
        text.push(b'.');
    }
    text.extend((1..=precision as i32).map(|place| b'0' + rounded.digit(power - place)));
    let sign = if power < 0 { '-' } else { '+' };
    text.extend(format!("e{sign}{:02}", power.abs()).bytes());
    text
}

fn general(decimal: &Decimal, precision: usize, alternative: bool) -> Vec<u8> {
    let (_, power) = normalised(decimal, precision - 1);
    let text = if (-4..precision as i32).contains(&power) {
        fixed(decimal, (precision as i32 - 1 - power) as usize, alternative)
    } else {
        scientific(decimal, precision - 1, alternative)
    };
    if alternative { text } else { without_zeros(text) }
}

/// Without zeros at the end of the fraction, and without the point if nothing follows it.
fn without_zeros(text: Vec<u8>) -> Vec<u8> {
    let end = text.iter().position(|b| *b == b'e').unwrap_or(text.len());
    let (number, exponent) = text.split_at(end);
    let kept = match number.contains(&b'.') {
        true => number.iter().rposition(|b| *b != b'0').map_or(0, |at| at + usize::from(number[at] != b'.')),
        false => number.len(),
    };
    [&number[..kept], exponent].concat()
}

/// The digits of `%a`. A normal number's first digit is its leading bit; x87's is its leading four bits.
fn hexadecimal(spec: Spec, format: FloatFormat, mantissa: u128, exponent: i32) -> Vec<u8> {
    let leading = if format == FloatFormat::EXTENDED { 4 } else { 1 };
    let fraction_bits = format.significand - leading;
    // So many digits hold the fraction; the bits are moved up to fill them.
    let places = fraction_bits.div_ceil(4) as usize;
    let mut value = mantissa << (4 * places as u32 - fraction_bits);
    let mut power = if mantissa == 0 { 0 } else { exponent + fraction_bits as i32 };
    let mut shown = places;
    match spec.precision {
        Some(precision) if precision < places => {
            let dropped = 4 * (places - precision) as u32;
            let (kept, rest) = (value >> dropped, value & ((1 << dropped) - 1));
            let half = 1 << (dropped - 1);
            let up = rest > half || rest == half && kept & 1 == 1;
            value = kept + u128::from(up);
            shown = precision;
            if leading == 4 && value >> (4 * shown) > 0xf {
                value >>= 4;
                power += 4;
            }
        }
        Some(_) => {}
        None => {
            while shown > 0 && value & 0xf == 0 {
                value >>= 4;
                shown -= 1;
            }
        }
    }
    let mut text = format!("{:x}", value >> (4 * shown));
    let wanted = spec.precision.unwrap_or(shown);
    if wanted > 0 || spec.alternative {
        text.push('.');
    }
    if shown > 0 {
        text += &format!("{:0shown$x}", value & ((1 << (4 * shown)) - 1));
    }
    text += &"0".repeat(wanted - shown);
    text += &format!("p{power:+}");
    text.into_bytes()
}
