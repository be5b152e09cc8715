//! The parser's lower half: words, numbers, sorts and constants.

use crate::symbol::{bare_length, is_bare, read_quoted};
use crate::value::ArrayValue;
use crate::{Bv, FloatFormat, MAX_WIDTH, Sort, SortKind, Value, float};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use source::Symbol;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What is wrong with a text, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub offset: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Sorts and constants may be nested this deep.
pub(super) const MAX_DEPTH: u32 = 200;

/// Parses one sort that starts at byte `at` (after blanks and comments); gives it and the position after it.
pub fn parse_sort(input: &str, at: usize) -> Result<(Sort, usize)> {
    let mut reader = Reader::new(input, at)?;
    let sort = reader.sort()?;
    Ok((sort, reader.at))
}

/// A name, with whether it was between bars (and so stands for nothing but itself).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word<'a> {
    pub text: Cow<'a, str>,
    pub quoted: bool,
}

impl Word<'_> {
    /// Whether this is the bare word.
    pub(super) fn is(&self, word: &str) -> bool {
        !self.quoted && self.text == word
    }

    pub(super) fn symbol(&self) -> Symbol {
        Symbol::new(&self.text)
    }
}

/// A position in a text.
pub(super) struct Reader<'a> {
    input: &'a str,
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a str, at: usize) -> Result<Reader<'a>> {
        if input.is_char_boundary(at) {
            Ok(Reader { input, at })
        } else {
            Err(ParseError { offset: at, message: "no character starts here".to_string() })
        }
    }

    pub(super) fn error<T>(&self, offset: usize, message: impl Into<String>) -> Result<T> {
        Err(ParseError { offset, message: message.into() })
    }

    /// An error at the next word: `what` was expected there.
    pub(super) fn expected<T>(&mut self, what: &str) -> Result<T> {
        let found = match self.peek() {
            Some(c) => format!("{c:?}"),
            None => "the end".to_string(),
        };
        self.error(self.at, format!("expected {what}, found {found}"))
    }

    fn rest(&self) -> &'a str {
        &self.input[self.at..]
    }

    /// The next character after blanks and comments.
    pub(super) fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.rest().starts_with(';') {
                return self.rest().chars().next();
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Takes the character if it is next.
    pub(super) fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub(super) fn expect(&mut self, c: char) -> Result<()> {
        if self.take(c) { Ok(()) } else { self.expected(&format!("{c:?}")) }
    }

    /// The longest run of characters that fit, right here.
    fn run(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Whether a number is next (after blanks).
    pub(super) fn at_number(&mut self) -> bool {
        self.peek();
        let digits = self.rest().strip_prefix('-').unwrap_or(self.rest());
        digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// A name, if one is next.
    pub(super) fn word(&mut self) -> Result<Option<Word<'a>>> {
        if self.peek() == Some('|') {
            return self.quoted().map(Some);
        }
        let rest = &self.input[self.at..];
        let text = &rest[..bare_length(rest)];
        self.at += text.len();
        Ok((!text.is_empty()).then_some(Word { text: Cow::Borrowed(text), quoted: false }))
    }

    pub(super) fn expect_word(&mut self, what: &str) -> Result<Word<'a>> {
        match self.word()? {
            Some(word) => Ok(word),
            None => self.expected(what),
        }
    }

    fn quoted(&mut self) -> Result<Word<'a>> {
        match read_quoted(self.rest()) {
            Ok((name, length)) => {
                self.at += length;
                Ok(Word { text: Cow::Owned(name), quoted: true })
            }
            Err((at, message)) => self.error(self.at + at, message),
        }
    }

    /// The number of a variable's copy: `@3` right here, or 0.
    pub(super) fn instance(&mut self) -> Result<u32> {
        if !self.rest().starts_with('@') {
            return Ok(0);
        }
        self.at += 1;
        let start = self.at;
        let digits = self.run(|c| c.is_ascii_digit());
        digits.parse().or_else(|_| self.error(start, "expected a copy's number, below two to the 32"))
    }

    /// A small number, as an index.
    pub(super) fn index(&mut self, what: &str) -> Result<u32> {
        self.natural(what)
    }

    fn natural<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        self.peek();
        let start = self.at;
        let digits = self.run(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(number) if !self.rest().starts_with(is_bare) => Ok(number),
            _ => {
                self.at = start;
                self.expected(what)
            }
        }
    }

    pub(super) fn format(&mut self) -> Result<FloatFormat> {
        self.peek();
        let start = self.at;
        let exponent = self.index("the exponent's width")?;
        let significand = self.index("the significand's width")?;
        let format = FloatFormat { exponent, significand };
        if format.is_supported() { Ok(format) } else { self.error(start, "no such floating-point format") }
    }

    pub(super) fn sort(&mut self) -> Result<Sort> {
        self.sort_below(MAX_DEPTH)
    }

    fn sort_below(&mut self, depth: u32) -> Result<Sort> {
        self.peek();
        if depth == 0 {
            return self.error(self.at, "sorts are nested too deep");
        }
        if !self.take('(') {
            let start = self.at;
            let word = self.expect_word("a sort")?;
            return match &*word.text {
                "Bool" if !word.quoted => Ok(Sort::bool()),
                "Int" if !word.quoted => Ok(Sort::int()),
                "Real" if !word.quoted => Ok(Sort::real()),
                name if crate::symbol::SORT_NAMES.contains(&name) && !word.quoted => {
                    self.error(start, format!("the sort {name} needs arguments"))
                }
                _ => Ok(Sort::new(SortKind::Uninterpreted(word.symbol(), Vec::new()))),
            };
        }
        self.peek();
        let start = self.at;
        let word = self.expect_word("a sort's name")?;
        let sort = if word.is("_") {
            self.indexed_sort()?
        } else if word.is("Array") {
            let index = self.sort_below(depth - 1)?;
            Sort::array(index, self.sort_below(depth - 1)?)
        } else if word.is("Ptr") {
            Sort::pointer(self.pointer_width()?)
        } else if word.is("Mem") {
            Sort::memory(self.pointer_width()?)
        } else if !word.quoted && crate::symbol::SORT_NAMES.contains(&&*word.text) {
            return self.error(start, format!("the sort {} takes no arguments", word.text));
        } else {
            let mut arguments = Vec::new();
            while self.peek() != Some(')') {
                arguments.push(self.sort_below(depth - 1)?);
            }
            if arguments.is_empty() {
                return self.expected("a sort");
            }
            Sort::new(SortKind::Uninterpreted(word.symbol(), arguments))
        };
        self.expect(')')?;
        Ok(sort)
    }

    fn indexed_sort(&mut self) -> Result<Sort> {
        self.peek();
        let start = self.at;
        let word = self.expect_word("BitVec or FloatingPoint")?;
        if word.is("BitVec") {
            self.width().map(Sort::bv)
        } else if word.is("FloatingPoint") {
            self.format().map(Sort::float)
        } else {
            self.at = start;
            self.expected("BitVec or FloatingPoint")
        }
    }

    pub(super) fn width(&mut self) -> Result<u32> {
        self.peek();
        let start = self.at;
        let width = self.index("a width")?;
        if (1..=MAX_WIDTH).contains(&width) {
            Ok(width)
        } else {
            self.error(start, format!("expected a width from 1 to {MAX_WIDTH}"))
        }
    }

    fn pointer_width(&mut self) -> Result<u32> {
        self.peek();
        let start = self.at;
        match self.index("a pointer's width")? {
            width @ (32 | 64) => Ok(width),
            _ => self.error(start, "expected a pointer's width, 32 or 64"),
        }
    }

    /// A constant.
    pub(super) fn value(&mut self) -> Result<Value> {
        self.value_below(MAX_DEPTH)
    }

    fn value_below(&mut self, depth: u32) -> Result<Value> {
        self.peek();
        if depth == 0 {
            return self.error(self.at, "constants are nested too deep");
        }
        if self.at_number() {
            return self.number();
        }
        match self.peek() {
            Some('#') => self.vector().map(Value::Bv),
            Some('(') => {
                self.at += 1;
                match self.word()? {
                    Some(word) if word.is("_") => self.indexed_value(depth),
                    _ => self.expected("'_' and a constant"),
                }
            }
            _ => match self.word()? {
                Some(word) if word.is("true") => Ok(Value::Bool(true)),
                Some(word) if word.is("false") => Ok(Value::Bool(false)),
                _ => self.expected("a constant"),
            },
        }
    }

    /// An integer or a real.
    pub(super) fn number(&mut self) -> Result<Value> {
        self.peek();
        let start = self.at;
        let sign = if self.take('-') { "-" } else { "" };
        let whole = self.run(|c| c.is_ascii_digit());
        let is_digit = |c: char| c.is_ascii_digit();
        let value = if let Some(rest) = self.rest().strip_prefix('.').filter(|r| r.starts_with(is_digit)) {
            self.at = self.input.len() - rest.len();
            let fraction = self.run(is_digit);
            let scale = UBig::from(10u8).pow(fraction.len());
            decimal(&format!("{sign}{whole}{fraction}")).map(|n| Value::Real(RBig::from_parts(n, scale)))
        } else if let Some(rest) = self.rest().strip_prefix('/').filter(|r| r.starts_with(is_digit)) {
            self.at = self.input.len() - rest.len();
            let denominator = decimal(self.run(is_digit)).and_then(|n| UBig::try_from(n).ok());
            let denominator = denominator.filter(|d| *d != UBig::ZERO);
            denominator.and_then(|d| Some(Value::Real(RBig::from_parts(decimal(&format!("{sign}{whole}"))?, d))))
        } else {
            decimal(&format!("{sign}{whole}")).map(Value::Int)
        };
        match value {
            Some(value) if !self.rest().starts_with(is_bare) => Ok(value),
            _ => self.error(start, "expected a number"),
        }
    }

    /// `#x` or `#b` with digits.
    pub(super) fn vector(&mut self) -> Result<Bv> {
        self.peek();
        let start = self.at;
        let (radix, digit_width) = match self.rest().as_bytes() {
            [b'#', b'x', ..] => (16, 4),
            [b'#', b'b', ..] => (2, 1),
            _ => return self.expected("a bit-vector, #x or #b"),
        };
        self.at += 2;
        let digits = self.run(is_bare);
        let width = u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(digit_width);
        match u128::from_str_radix(digits, radix) {
            Ok(bits) if width <= MAX_WIDTH && !digits.starts_with('+') => Ok(Bv::new(width, bits)),
            _ => self.error(start, format!("expected digits for 1 to {MAX_WIDTH} bits")),
        }
    }

    /// The rest of a constant after `(_`.
    pub(super) fn indexed_value(&mut self, depth: u32) -> Result<Value> {
        self.peek();
        let start = self.at;
        let word = self.expect_word("a constant's kind")?;
        let value = if word.is("float") {
            let format = self.format()?;
            let bits = self.vector()?;
            if bits.width() != format.width() || float::canonical(format, bits.unsigned()) != bits.unsigned() {
                return self.error(start, "expected the float's bit pattern, and of NaN the one with no payload");
            }
            Value::Float(format, bits.unsigned())
        } else if word.is("ptr") {
            let object = self.index("an object's identity")?;
            let offset = self.vector()?;
            if !matches!(offset.width(), 32 | 64) {
                return self.error(start, "expected an offset of 32 or 64 bits");
            }
            Value::Pointer { object, offset }
        } else if word.is("element") {
            let n = self.natural("an element's number")?;
            let sort = self.sort()?;
            if !matches!(sort.kind(), SortKind::Uninterpreted(..)) {
                return self.error(start, format!("{sort} has no numbered elements"));
            }
            Value::Element(sort, n)
        } else if word.is("array") {
            self.array(depth)?
        } else if let Some(digits) = word.text.strip_prefix("bv").filter(|_| !word.quoted) {
            let width = self.width()?;
            match digits.parse() {
                Ok(bits) if bits <= Bv::mask(width) => Value::bv(width, bits),
                _ => return self.error(start, format!("expected a number of {width} bits")),
            }
        } else {
            self.at = start;
            return self.expected("float, ptr, element, array or bv");
        };
        self.expect(')')?;
        Ok(value)
    }

    fn array(&mut self, depth: u32) -> Result<Value> {
        let index = self.sort()?;
        let mut array = ArrayValue::constant(index, self.value_below(depth - 1)?);
        let element = array.default.sort();
        while self.take('(') {
            let start = self.at;
            let at = self.value_below(depth - 1)?;
            let value = self.value_below(depth - 1)?;
            if at.sort() != index || value.sort() != element {
                return self.error(start, format!("expected an entry from {index} to {element}"));
            }
            array.set(at, value);
            self.expect(')')?;
        }
        Ok(Value::Array(Arc::new(array)))
    }
}

fn decimal(digits: &str) -> Option<IBig> {
    IBig::from_str_radix(digits, 10).ok()
}
