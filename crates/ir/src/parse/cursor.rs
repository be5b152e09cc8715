//! Reading the text token by token.
//!
//! A line's end ends a declaration or an edge, except between parentheses. So the cursor skips line ends only while it
//! is `inside` parentheses; whoever reads a parenthesised list says so.

use crate::sorts;
use source::{Place, Symbol};
use std::borrow::Cow;
use term::symbol::{bare_length, read_quoted};
use term::text::{self, Scope};
use term::{Sort, Term};

/// Something was expected that is not there: its span in bytes, and what to tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub start: usize,
    pub end: usize,
    pub message: String,
}

pub(super) type Parsed<T> = Result<T, Failure>;

/// A name, and whether it is between bars: then it is no keyword.
pub(super) struct Name<'a> {
    pub text: Cow<'a, str>,
    pub quoted: bool,
    pub start: usize,
}

impl Name<'_> {
    pub(super) fn symbol(&self) -> Symbol {
        Symbol::new(&self.text)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        !self.quoted && self.text == word
    }
}

pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Whether the cursor is between parentheses.
    inside: bool,
    /// The file that places belong to if they name none.
    pub file: Symbol,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0, inside: false, file: Symbol::new("") }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes on at `at`, which is a boundary of characters.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The byte right here.
    fn byte(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Skips what means nothing here: spaces, comments, and between parentheses the ends of lines.
    fn blank(&mut self) {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\n') if self.inside => self.at += 1,
                Some(b';') => self.at = self.line_end(),
                _ => return,
            }
        }
    }

    fn line_end(&self) -> usize {
        self.bytes()[self.at..].iter().position(|b| *b == b'\n').map_or(self.text.len(), |n| self.at + n)
    }

    /// Skips to the next line that holds something; false at the end of the text.
    pub(super) fn next_line(&mut self) -> bool {
        loop {
            self.blank();
            match self.byte() {
                Some(b'\n') => self.at += 1,
                other => return other.is_some(),
            }
        }
    }

    /// Gives up this line.
    pub(super) fn skip_line(&mut self) {
        self.inside = false;
        self.at = self.line_end();
    }

    /// That nothing more is on this line, but perhaps the end of a procedure.
    pub(super) fn end_of_line(&mut self) -> Parsed<()> {
        match self.peek() {
            None | Some(b'\n' | b'}') => Ok(()),
            Some(_) => Err(self.expected("the end of the line")),
        }
    }

    /// The byte that comes next, after blanks.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.byte()
    }

    /// Takes the punctuation if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.looking_at(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub(super) fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    /// Whether the punctuation comes next.
    pub(super) fn looking_at(&mut self, token: &str) -> bool {
        self.blank();
        self.bytes()[self.at..].starts_with(token.as_bytes())
    }

    /// Takes an opening parenthesis. From here on, the ends of lines mean nothing.
    pub(super) fn open(&mut self) -> Parsed<()> {
        self.expect("(")?;
        self.inside = true;
        Ok(())
    }

    /// Takes the closing parenthesis if it comes next.
    pub(super) fn close(&mut self) -> bool {
        let closed = self.eat(")");
        self.inside &= !closed;
        closed
    }

    /// The plain word that comes next, without taking it; empty if there is none.
    pub(super) fn peek_word(&mut self) -> &'a str {
        self.blank();
        &self.text[self.at..self.at + word_length(&self.bytes()[self.at..])]
    }

    /// Takes the word if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Parsed<N> {
        self.blank();
        let digits = self.bytes()[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = &self.text[self.at..self.at + digits];
        if text.is_empty() {
            return Err(self.expected(what));
        }
        let start = self.at;
        self.at += digits;
        text.parse().map_err(|_| self.failure(start, format!("the number {text} is too large")))
    }

    /// A string between double quotes, on one line.
    pub(super) fn string(&mut self, what: &str) -> Parsed<String> {
        self.blank();
        let start = self.at;
        if self.byte() != Some(b'"') {
            return Err(self.expected(what));
        }
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | b'\n')).unwrap_or(rest.len());
            string.push_str(&rest[..plain]);
            self.at += plain;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                _ => return Err(self.failure(start, "the string does not end on this line".to_string())),
            }
        }
    }

    /// An escape in a string, as [`crate::print`] writes them.
    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let (c, length) = match rest.bytes().next() {
            Some(b'n') => (Some('\n'), 1),
            Some(c @ (b'"' | b'\\')) => (Some(char::from(c)), 1),
            Some(b'u') => {
                let digits = rest.bytes().skip(2).take(6).take_while(u8::is_ascii_hexdigit).count();
                let closed = rest[1..].starts_with('{') && rest.as_bytes().get(2 + digits) == Some(&b'}');
                let code = if closed { u32::from_str_radix(&rest[2..2 + digits], 16).ok() } else { None };
                (code.and_then(char::from_u32), if closed { digits + 3 } else { 1 })
            }
            _ => (None, 0),
        };
        self.at += 1 + length;
        c.ok_or_else(|| self.failure(start, "expected an escape: `\\\\`, `\\\"`, `\\n` or `\\u{hex}`".to_string()))
    }

    /// A name.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        self.blank();
        let start = self.at;
        let rest = &self.text[start..];
        if rest.starts_with('|') {
            let (name, length) = read_quoted(rest).map_err(|(at, message)| {
                let start = start + at;
                Failure { start, end: start + 1, message: message.to_string() }
            })?;
            self.at += length;
            return Ok(Name { text: Cow::Owned(name), quoted: true, start });
        }
        match bare_length(rest) {
            0 => Err(self.expected(what)),
            length => {
                self.at += length;
                Ok(Name { text: Cow::Borrowed(&rest[..length]), quoted: false, start })
            }
        }
    }

    /// Whether a name comes next.
    pub(super) fn looking_at_name(&mut self) -> bool {
        self.peek() == Some(b'|') || bare_length(&self.text[self.at..]) > 0
    }

    /// A sort, in SMT-LIB's notation or by its short name.
    pub(super) fn sort(&mut self) -> Parsed<Sort> {
        self.sort_below(sorts::MAX_DEPTH)
    }

    fn sort_below(&mut self, depth: u32) -> Parsed<Sort> {
        self.blank();
        let rest = &self.text[self.at..];
        let name = &rest[..bare_length(rest)];
        if let Some(sort) = sorts::by_short_name(name) {
            self.at += name.len();
            return Ok(sort);
        }
        if rest.is_empty() || rest.starts_with('\n') {
            return Err(self.expected("a sort"));
        }
        let inside = std::mem::replace(&mut self.inside, true);
        let start = self.at;
        let sort = if self.eat("(") && self.eat_word("Array") {
            if depth == 0 {
                return Err(self.failure(start, "sorts are nested too deep".to_string()));
            }
            let index = self.sort_below(depth - 1)?;
            let element = self.sort_below(depth - 1)?;
            self.expect(")")?;
            Sort::array(index, element)
        } else {
            self.at = start;
            let (sort, end) = text::parse_sort(self.text, start).map_err(|error| self.of_term(error))?;
            self.at = end;
            sort
        };
        self.inside = inside;
        Ok(sort)
    }

    /// A term. Between its own parentheses it may go on over several lines.
    pub(super) fn term(&mut self, scope: &dyn Scope) -> Parsed<Term> {
        if matches!(self.peek(), None | Some(b'\n')) {
            return Err(self.expected("a term"));
        }
        let (term, end) = text::parse(self.text, self.at, scope).map_err(|error| self.of_term(error))?;
        self.at = end;
        Ok(term)
    }

    /// What is wrong with a term or sort, as a failure of the word there.
    fn of_term(&self, error: text::ParseError) -> Failure {
        let mut start = error.offset.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        Failure { start, end: start + self.word_or_character(start), message: error.message }
    }

    /// `@line:column` or `@"file":line:column`, if it comes next.
    pub(super) fn place(&mut self) -> Parsed<Option<Place>> {
        if !self.eat("@") {
            return Ok(None);
        }
        let mut file = self.file;
        if self.byte() == Some(b'"') {
            file = Symbol::new(&self.string("a file")?);
            self.expect(":")?;
        }
        let line = self.number("a line number")?;
        self.expect(":")?;
        let column = self.number("a column number")?;
        Ok(Some(Place { file, line, column }))
    }

    /// The failure that something else was expected here.
    pub(super) fn expected(&mut self, what: &str) -> Failure {
        self.blank();
        let length = self.word_or_character(self.at);
        let found = match &self.text[self.at..self.at + length] {
            "" => "the end of the text".to_string(),
            "\n" => "the end of the line".to_string(),
            word => format!("`{word}`"),
        };
        Failure { start: self.at, end: self.at + length, message: format!("expected {what}, found {found}") }
    }

    /// The failure of what stands from `start` to here.
    pub(super) fn failure(&self, start: usize, message: String) -> Failure {
        Failure { start, end: self.at.max(start), message }
    }

    /// The length of the bare name at `at`, or of the one character there.
    fn word_or_character(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        match bare_length(rest) {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            length => length,
        }
    }
}

/// The length of the plain word that a text starts with: a keyword or a location.
fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')).count()
}
