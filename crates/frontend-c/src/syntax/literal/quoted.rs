//! Character constants and strings.

use super::Literal;
use crate::syntax::{CharLiteral, Encoding, StringLiteral};

/// One element of a literal, before its encoding is applied.
enum Unit {
    /// A byte of the source text, or what an octal or hexadecimal escape gives.
    Value(u32),
    /// A character by its code point.
    Character(char),
}

/// Reads a character constant with its quotes.
pub(in crate::syntax) fn character(text: &[u8]) -> Literal<CharLiteral> {
    let (encoding, body) = split(text);
    let mut units = Vec::new();
    decode(body, encoding, &mut units)?;
    let Some(&last) = units.last() else {
        return Err("expected a character between the quotes".into());
    };
    let value = match encoding {
        Encoding::Plain if units.len() == 1 => i64::from(last as u8 as i8),
        // The type is int, and each byte pushes the ones before it up.
        Encoding::Plain => i64::from(units.iter().fold(0u32, |value, unit| value << 8 | unit) as i32),
        Encoding::Wide => i64::from(last as i32),
        Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32 => i64::from(last),
    };
    Ok(CharLiteral { value, encoding })
}

/// Reads adjacent strings, each with its quotes, as one.
pub(in crate::syntax) fn string<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> Literal<StringLiteral> {
    let mut encoding = Encoding::Plain;
    for (part, _) in parts.clone().map(split) {
        if part != encoding && part != Encoding::Plain {
            if encoding != Encoding::Plain {
                return Err("adjacent strings have different prefixes".into());
            }
            encoding = part;
        }
    }
    let mut units = Vec::new();
    for (_, body) in parts.map(split) {
        decode(body, encoding, &mut units)?;
    }
    Ok(StringLiteral { units, encoding })
}

/// The encoding that the prefix names, and what stands between the quotes.
fn split(text: &[u8]) -> (Encoding, &[u8]) {
    let (encoding, rest) = match text {
        [b'u', b'8', rest @ ..] => (Encoding::Utf8, rest),
        [b'u', rest @ ..] => (Encoding::Utf16, rest),
        [b'U', rest @ ..] => (Encoding::Utf32, rest),
        [b'L', rest @ ..] => (Encoding::Wide, rest),
        rest => (Encoding::Plain, rest),
    };
    // The closing quote is missing where the lexer has already complained.
    let body = rest.get(1..).unwrap_or_default();
    (encoding, body.strip_suffix(&rest[..1.min(rest.len())]).unwrap_or(body))
}

fn decode(body: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Literal<()> {
    let mut rest = body;
    while let Some(&first) = rest.first() {
        let unit = match first {
            b'\\' => escape(&mut rest)?,
            0x80.. if !is_narrow(encoding) => Unit::Character(utf8(&mut rest)?),
            _ => {
                rest = &rest[1..];
                Unit::Value(u32::from(first))
            }
        };
        match unit {
            Unit::Value(value) => units.push(value & mask(encoding)),
            Unit::Character(c) => push(c, encoding, units),
        }
    }
    Ok(())
}

fn is_narrow(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Plain | Encoding::Utf8)
}

/// The bits of an element. A numeric escape that has more loses them, as with gcc.
fn mask(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xFF,
        Encoding::Utf16 => 0xFFFF,
        Encoding::Utf32 | Encoding::Wide => u32::MAX,
    }
}

fn push(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        Encoding::Utf32 | Encoding::Wide => units.push(c as u32),
    }
}

/// The character at the beginning of `rest`, which moves behind it.
fn utf8(rest: &mut &[u8]) -> Literal<char> {
    let start = &rest[..rest.len().min(4)];
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    let c = valid.chars().next().ok_or("this text is not valid UTF-8, which its prefix asks for")?;
    *rest = &rest[c.len_utf8()..];
    Ok(c)
}

/// The escape sequence at the beginning of `rest`, which moves behind it.
fn escape(rest: &mut &[u8]) -> Literal<Unit> {
    let Some(&letter) = rest.get(1) else {
        *rest = &[];
        return Err("expected a character after `\\`".into());
    };
    *rest = &rest[2..];
    let value = match letter {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => return Ok(Unit::Value(digits(rest, 8, 2, u32::from(letter - b'0')).0)),
        b'x' => {
            return match digits(rest, 16, usize::MAX, 0) {
                (_, 0) => Err("expected hexadecimal digits after `\\x`".into()),
                (value, _) => Ok(Unit::Value(value)),
            };
        }
        b'u' | b'U' => {
            let length = if letter == b'u' { 4 } else { 8 };
            let (value, count) = digits(rest, 16, length, 0);
            let c = char::from_u32(value).filter(|_| count == length);
            let expected =
                || format!("expected {length} hexadecimal digits of a character after `\\{}`", letter as char);
            return c.map(Unit::Character).ok_or_else(expected);
        }
        // The quotes, the backslash and the question mark stand for themselves; with gcc any other does too.
        other => other,
    };
    Ok(Unit::Value(u32::from(value)))
}

/// Takes at most `limit` digits off `rest`. Returns the number that continues `value` with them, and their count.
fn digits(rest: &mut &[u8], radix: u32, limit: usize, mut value: u32) -> (u32, usize) {
    let mut count = 0;
    while let Some(digit) = rest.first().and_then(|b| (*b as char).to_digit(radix))
        && count < limit
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        *rest = &rest[1..];
        count += 1;
    }
    (value, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        let check =
            |text: &str, value: i64| assert_eq!(character(text.as_bytes()).map(|c| c.value), Ok(value), "{text}");
        check("'a'", 97);
        check("'\\0'", 0);
        check("'\\377'", -1);
        check("'\\xff'", -1);
        check("'\\''", 39);
        check("'\\n'", 10);
        check("'ab'", 0x6162);
        check("'\\377a'", 0xff61);
        check("'abcde'", 0x6263_6465);
        check("'é'", 0xc3a9);
        check("L'é'", 0xe9);
        check("L'\\xffffffff'", -1);
        check("u'\\xffff'", 0xffff);
        check("U'\\U0001F600'", 0x1f600);
        check("u8'a'", 97);
        check("'\\e'", 27);
        check("'\\q'", 113);
    }

    #[test]
    fn strings() {
        let check = |parts: &[&str], encoding, units: &[u32]| {
            let expected = Ok(StringLiteral { units: units.to_vec(), encoding });
            assert_eq!(string(parts.iter().map(|part| part.as_bytes())), expected, "{parts:?}");
        };
        check(&["\"\""], Encoding::Plain, &[]);
        check(&["\"a\"", "\"\\0b\""], Encoding::Plain, &[97, 0, 98]);
        check(&["\"\\x1\"", "\"2\""], Encoding::Plain, &[1, 50]);
        check(&["\"\\1234\""], Encoding::Plain, &[83, 52]);
        check(&["\"é\""], Encoding::Plain, &[0xc3, 0xa9]);
        check(&["\"é\"", "L\"a\""], Encoding::Wide, &[0xe9, 97]);
        check(&["u\"\\U0001F600\""], Encoding::Utf16, &[0xd83d, 0xde00]);
        check(&["U\"😀\""], Encoding::Utf32, &[0x1f600]);
        check(&["u8\"é\"", "\"b\""], Encoding::Utf8, &[0xc3, 0xa9, 98]);
        assert_eq!(string([b"\"\xff\"".as_slice()].into_iter()).map(|s| s.units), Ok(vec![0xff]));
    }

    #[test]
    fn wrong_literals() {
        let check = |text: &[u8], message: &str| assert_eq!(character(text), Err(message.into()));
        check(b"''", "expected a character between the quotes");
        check(b"'", "expected a character between the quotes");
        check(b"'\\xg'", "expected hexadecimal digits after `\\x`");
        check(b"'\\u12'", "expected 4 hexadecimal digits of a character after `\\u`");
        check(b"'\\Uffffffff'", "expected 8 hexadecimal digits of a character after `\\U`");
        check(b"L'\xff'", "this text is not valid UTF-8, which its prefix asks for");
        let mixed = string([b"L\"\"".as_slice(), b"u\"\""].into_iter());
        assert_eq!(mixed, Err("adjacent strings have different prefixes".into()));
    }
}
