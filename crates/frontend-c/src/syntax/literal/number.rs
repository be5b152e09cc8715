//! Integer and floating literals.

use super::Literal;
use crate::syntax::{Base, Basic, ExprKind, FloatLiteral, FloatSuffix, IntLength, IntLiteral};

/// Reads a number, which is an integer or a floating literal.
pub(in crate::syntax) fn number(text: &str) -> Literal<ExprKind> {
    let lower = text.to_ascii_lowercase();
    let (base, prefix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (Base::Hexadecimal, 2),
        [b'0', b'b', ..] => (Base::Binary, 2),
        [b'0', b'0'..=b'9', ..] => (Base::Octal, 1),
        _ => (Base::Decimal, 0),
    };
    let is_float = match base {
        Base::Hexadecimal => lower.contains(['.', 'p']),
        Base::Binary => lower.contains('.'),
        Base::Octal | Base::Decimal => lower.contains(['.', 'e']),
    };
    if is_float { float(&lower, base) } else { integer(&lower[prefix..], base) }
}

fn integer(text: &str, base: Base) -> Literal<ExprKind> {
    let (radix, name) = match base {
        Base::Decimal => (10, "decimal"),
        Base::Octal => (8, "octal"),
        Base::Hexadecimal => (16, "hexadecimal"),
        Base::Binary => (2, "binary"),
    };
    let widest = radix.max(10);
    let end = text.find(|c: char| !c.is_digit(widest)).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    if digits.is_empty() {
        return Err(format!("expected {name} digits in this literal"));
    }
    if let Some(wrong) = digits.chars().find(|c| !c.is_digit(radix)) {
        return Err(format!("the digit `{wrong}` does not occur in {name} literals"));
    }
    let value = u128::from_str_radix(digits, radix).map_err(|_| "this integer literal is too large".to_string())?;
    let (suffix, imaginary) = split_imaginary(suffix);
    let (unsigned, length) = match suffix {
        "" => (false, IntLength::None),
        "u" => (true, IntLength::None),
        "l" => (false, IntLength::Long),
        "ul" | "lu" => (true, IntLength::Long),
        "ll" => (false, IntLength::LongLong),
        "ull" | "llu" => (true, IntLength::LongLong),
        _ => return Err(format!("`{suffix}` is no suffix of an integer literal")),
    };
    // 0 is an octal literal, but as the rules for types go, any base would do.
    Ok(ExprKind::Int(IntLiteral { value, base, unsigned, length, imaginary }))
}

/// Takes GNU's `i` or `j` off either end of a suffix.
fn split_imaginary(suffix: &str) -> (&str, bool) {
    let signs = ['i', 'j'];
    match suffix.strip_prefix(signs).or_else(|| suffix.strip_suffix(signs)) {
        Some(rest) => (rest, true),
        None => (suffix, false),
    }
}

fn float(text: &str, base: Base) -> Literal<ExprKind> {
    let (radix, exponent_sign) = match base {
        Base::Hexadecimal => (16, 'p'),
        Base::Binary => return Err("a binary literal has no fraction".into()),
        Base::Octal | Base::Decimal => (10, 'e'),
    };
    let start = if radix == 16 { 2 } else { 0 };
    let count = |from: usize, radix| text[from..].chars().take_while(|c| c.is_digit(radix)).count();
    let whole = count(start, radix);
    let mut end = start + whole;
    let mut digits = whole;
    if text[end..].starts_with('.') {
        let fraction = count(end + 1, radix);
        end += 1 + fraction;
        digits += fraction;
    }
    if digits == 0 {
        return Err("expected digits in this literal".into());
    }
    if text[end..].starts_with(exponent_sign) {
        let signed = text[end + 1..].starts_with(['+', '-']) as usize;
        let length = count(end + 1 + signed, 10);
        if length == 0 {
            return Err("expected digits in the exponent".into());
        }
        end += 1 + signed + length;
    } else if radix == 16 {
        return Err("a hexadecimal floating literal needs an exponent, as in `p0`".into());
    }
    let (suffix, imaginary) = split_imaginary(&text[end..]);
    let suffix = float_suffix(suffix).ok_or_else(|| format!("`{suffix}` is no suffix of a floating literal"))?;
    Ok(ExprKind::Float(Box::new(FloatLiteral { digits: text[..end].to_string(), suffix, imaginary })))
}

fn float_suffix(suffix: &str) -> Option<FloatSuffix> {
    Some(match suffix {
        "" | "d" => FloatSuffix::None,
        "f" => FloatSuffix::Float,
        "l" => FloatSuffix::LongDouble,
        "q" | "f128" => FloatSuffix::Sized(Basic::Float128),
        "w" => FloatSuffix::Sized(Basic::Float80),
        "f16" => FloatSuffix::Sized(Basic::Float16),
        "f32" => FloatSuffix::Sized(Basic::Float32),
        "f64" => FloatSuffix::Sized(Basic::Float64),
        "f32x" => FloatSuffix::Sized(Basic::Float32x),
        "f64x" => FloatSuffix::Sized(Basic::Float64x),
        "df" => FloatSuffix::Sized(Basic::Decimal32),
        "dd" => FloatSuffix::Sized(Basic::Decimal64),
        "dl" => FloatSuffix::Sized(Basic::Decimal128),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match number(text) {
            Ok(ExprKind::Int(int)) => format!(
                "{} {:?}{}{}{}",
                int.value,
                int.base,
                if int.unsigned { " unsigned" } else { "" },
                match int.length {
                    IntLength::None => "",
                    IntLength::Long => " long",
                    IntLength::LongLong => " long long",
                },
                if int.imaginary { " imaginary" } else { "" },
            ),
            Ok(ExprKind::Float(float)) => {
                let imaginary = if float.imaginary { " imaginary" } else { "" };
                format!("{} {:?}{imaginary}", float.digits, float.suffix)
            }
            Ok(other) => panic!("{other:?}"),
            Err(message) => message,
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn integers() {
        check("0", "0 Decimal");
        check("42", "42 Decimal");
        check("0x7fFFu", "32767 Hexadecimal unsigned");
        check("0xFul", "15 Hexadecimal unsigned long");
        check("017", "15 Octal");
        check("0b101LLU", "5 Binary unsigned long long");
        check("18446744073709551616", "18446744073709551616 Decimal");
        check("3i", "3 Decimal imaginary");
        check("3lj", "3 Decimal long imaginary");
    }

    #[test]
    fn floats() {
        check("1.", "1. None");
        check(".5f", ".5 Float");
        check("1.5D", "1.5 None");
        check("1e-3L", "1e-3 LongDouble");
        check("09.5", "09.5 None");
        check("0x1.8p+3", "0x1.8p+3 None");
        check("0x.8p0F", "0x.8p0 Float");
        check("1.5q", "1.5 Sized(Float128)");
        check("2.0if", "2.0 Float imaginary");
        check("2.0fi", "2.0 Float imaginary");
        check("1.0F64x", "1.0 Sized(Float64x)");
    }

    #[test]
    fn wrong_numbers() {
        check("08", "the digit `8` does not occur in octal literals");
        check("0b12", "the digit `2` does not occur in binary literals");
        check("0x", "expected hexadecimal digits in this literal");
        check("1uu", "`uu` is no suffix of an integer literal");
        check("1é", "`é` is no suffix of an integer literal");
        check("1.0z", "`z` is no suffix of a floating literal");
        check("1e+", "expected digits in the exponent");
        check("0x1.0", "a hexadecimal floating literal needs an exponent, as in `p0`");
        check("0x.p1", "expected digits in this literal");
        check("340282366920938463463374607431768211456", "this integer literal is too large");
    }
}
