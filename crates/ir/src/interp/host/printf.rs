//! What `printf` prints: format strings as glibc reads them.

use super::Reader;
use super::float::{self, Style};
use crate::DataModel;
use crate::interp::outcome::Trap;
use term::Value;

/// A conversion specification without its letter.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

/// How large C's integer type is that a length modifier names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Int,
    Bits(u32),
    LongDouble,
}

/// Takes the bytes of a format string apart.
struct Format<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Format<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        let mut number = 0usize;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(number)
    }

    fn length(&mut self, model: DataModel) -> Length {
        let word = Length::Bits(model.pointer_width());
        if self.accept(b'h') {
            if self.accept(b'h') { Length::Bits(8) } else { Length::Bits(16) }
        } else if self.accept(b'l') {
            if self.accept(b'l') { Length::Bits(64) } else { word }
        } else if self.accept(b'j') || self.accept(b'q') {
            Length::Bits(64)
        } else if self.accept(b'z') || self.accept(b't') {
            word
        } else if self.accept(b'L') {
            Length::LongDouble
        } else {
            Length::Int
        }
    }
}

/// The arguments that have not been used yet.
struct Arguments<'a> {
    values: std::slice::Iter<'a, Value>,
}

impl<'a> Arguments<'a> {
    fn next(&mut self) -> Result<&'a Value, Trap> {
        self.values.next().ok_or_else(|| Trap::Undefined("printf has too few arguments".into()))
    }

    /// The low bits of an integer (or a pointer's address).
    fn integer(&mut self, width: u32, memory: &mut Reader) -> Result<u128, Trap> {
        let (has, bits) = match self.next()? {
            Value::Bv(bv) => (bv.width(), bv.unsigned()),
            Value::Bool(b) => (32, u128::from(*b)),
            pointer @ Value::Pointer { offset, .. } => (offset.width(), memory.address(pointer)?.into()),
            other => return Err(Trap::Undefined(format!("printf expects an integer, not a {}", other.sort()))),
        };
        // Smaller types are passed as int.
        if has < width {
            return Err(Trap::Undefined(format!("printf expects {width} bits, but the argument has {has}")));
        }
        Ok(term::bits::truncate(width, bits))
    }
}

/// Prints to a list of bytes. A width or precision beyond this is not believed.
const LONGEST: usize = 1 << 24;

/// What `printf` prints for the format and the arguments.
pub(super) fn print(
    format: &[u8],
    arguments: &[Value],
    memory: &mut Reader,
    model: DataModel,
) -> Result<Vec<u8>, Trap> {
    let mut format = Format { bytes: format, at: 0 };
    let mut arguments = Arguments { values: arguments.iter() };
    let mut out = Vec::new();
    while let Some(byte) = format.peek() {
        format.at += 1;
        if byte == b'%' {
            conversion(&mut format, &mut arguments, memory, model, &mut out)?;
        } else {
            out.push(byte);
        }
    }
    Ok(out)
}

fn conversion(
    format: &mut Format,
    arguments: &mut Arguments,
    memory: &mut Reader,
    model: DataModel,
    out: &mut Vec<u8>,
) -> Result<(), Trap> {
    let mut spec = Spec::default();
    loop {
        match format.peek() {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternative = true,
            Some(b'0') => spec.zero = true,
            _ => break,
        }
        format.at += 1;
    }
    if format.accept(b'*') {
        let width = term::bits::signed(32, arguments.integer(32, memory)?);
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
    } else {
        spec.width = format.number().unwrap_or(0);
    }
    if format.peek() == Some(b'$') {
        return Err(Trap::Unsupported("printf with numbered arguments".into()));
    }
    if format.accept(b'.') {
        spec.precision = if format.accept(b'*') {
            usize::try_from(term::bits::signed(32, arguments.integer(32, memory)?)).ok()
        } else {
            Some(format.number().unwrap_or(0))
        };
    }
    if spec.width > LONGEST || spec.precision.is_some_and(|precision| precision > LONGEST) {
        return Err(Trap::Unsupported("printf with a very long field".into()));
    }
    let length = format.length(model);
    let width = match length {
        Length::Bits(width) => width,
        Length::Int | Length::LongDouble => 32,
    };
    let Some(letter) = format.peek() else {
        return Err(Trap::Undefined("printf's format ends inside of a conversion".into()));
    };
    format.at += 1;
    let text = match letter {
        b'%' => b"%".to_vec(),
        b'd' | b'i' => signed(spec, width, arguments.integer(width, memory)?),
        b'u' => unsigned(spec, arguments.integer(width, memory)?, 10, b""),
        b'o' => unsigned(spec, arguments.integer(width, memory)?, 8, b""),
        b'x' => unsigned(spec, arguments.integer(width, memory)?, 16, b"0x"),
        b'X' => unsigned(spec, arguments.integer(width, memory)?, 16, b"0X").to_ascii_uppercase(),
        b'c' if length == Length::Int => pad(spec, vec![arguments.integer(32, memory)? as u8]),
        b's' if length == Length::Int => string(spec, arguments.next()?, memory)?,
        b'p' => pointer(spec, arguments.integer(model.pointer_width(), memory)?),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let Value::Float(format, bits) = arguments.next()? else {
                return Err(Trap::Undefined("printf expects a floating-point number".into()));
            };
            let style = match letter.to_ascii_lowercase() {
                b'f' => Style::Fixed,
                b'e' => Style::Exponent,
                b'g' => Style::General,
                _ => Style::Hexadecimal,
            };
            let text = float::print(spec, style, *format, *bits);
            if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
        }
        _ => return Err(Trap::Unsupported(format!("printf with %{}", char::from(letter)))),
    };
    out.extend(text);
    Ok(())
}

/// Fills up with spaces.
pub(super) fn pad(spec: Spec, text: Vec<u8>) -> Vec<u8> {
    let fill = vec![b' '; spec.width.saturating_sub(text.len())];
    if spec.left { [text, fill].concat() } else { [fill, text].concat() }
}

/// Puts a sign or prefix before digits and fills up, with zeros if the flag says so and `zeros` allows it.
pub(super) fn pad_number(spec: Spec, prefix: &[u8], digits: Vec<u8>, zeros: bool) -> Vec<u8> {
    let missing = spec.width.saturating_sub(prefix.len() + digits.len());
    let fill = if spec.zero && !spec.left && zeros { missing } else { 0 };
    pad(spec, [prefix.to_vec(), vec![b'0'; fill], digits].concat())
}

/// The sign that a number gets.
pub(super) fn sign(spec: Spec, negative: bool) -> &'static [u8] {
    match (negative, spec.plus, spec.space) {
        (true, ..) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        (false, false, false) => b"",
    }
}

fn digits(spec: Spec, magnitude: u128, base: u32) -> Vec<u8> {
    let text = match base {
        8 => format!("{magnitude:o}"),
        16 => format!("{magnitude:x}"),
        _ => magnitude.to_string(),
    };
    let text = if magnitude == 0 && spec.precision == Some(0) { String::new() } else { text };
    let zeros = spec.precision.unwrap_or(0).saturating_sub(text.len());
    [vec![b'0'; zeros], text.into_bytes()].concat()
}

fn signed(spec: Spec, width: u32, bits: u128) -> Vec<u8> {
    let value = term::bits::signed(width, bits);
    let digits = digits(spec, value.unsigned_abs(), 10);
    pad_number(spec, sign(spec, value < 0), digits, spec.precision.is_none())
}

fn unsigned(spec: Spec, bits: u128, base: u32, prefix: &[u8]) -> Vec<u8> {
    let mut digits = digits(spec, bits, base);
    if spec.alternative && base == 8 && digits.first() != Some(&b'0') {
        digits.insert(0, b'0');
    }
    let prefix = if spec.alternative && bits != 0 { prefix } else { b"" };
    pad_number(spec, prefix, digits, spec.precision.is_none())
}

fn pointer(spec: Spec, address: u128) -> Vec<u8> {
    match address {
        0 => pad(spec, b"(nil)".to_vec()),
        _ => {
            let digits = digits(spec, address, 16);
            let prefix = [sign(spec, false), b"0x"].concat();
            pad_number(spec, &prefix, digits, spec.precision.is_none())
        }
    }
}

fn string(spec: Spec, pointer: &Value, memory: &mut Reader) -> Result<Vec<u8>, Trap> {
    let is_null = matches!(pointer, Value::Pointer { object: 0, offset } if offset.unsigned() == 0);
    let text = match is_null {
        // glibc is kind to null pointers, unless there is no room for kindness.
        true if spec.precision.is_some_and(|most| most < 6) => Vec::new(),
        true => b"(null)".to_vec(),
        false => memory.string(pointer, spec.precision)?,
    };
    Ok(pad(spec, text))
}
