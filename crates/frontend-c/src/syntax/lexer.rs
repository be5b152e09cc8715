//! From text to tokens.
//!
//! The whole text is lexed at once: the parser then looks ahead as far as it likes for nothing. Numbers, characters and
//! strings are only delimited here; their values are read when the parser takes them.
//!
//! Invariants: the tokens lie in the text in their order without overlap; the last one, and only that, is `End`.

use super::directive::{self, Directive};
use super::names::{HASH_START, Names, hash_step};
use super::splice;
use super::token::{Token, TokenKind};
use source::{Diagnostic, FileId, Span, Symbol};

/// The lexer says no more than this about a text, which is perhaps no C at all.
const MAX_ERRORS: usize = 20;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub names: Names,
    pub pragmas: Vec<Pragma>,
    pub markers: Vec<LineMarker>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A pragma in front of the token with the number `before`.
pub(super) struct Pragma {
    pub before: usize,
    pub text: String,
    pub span: Span,
}

/// The line that begins at `offset` is line `line` of `file`, or of the same file as before.
pub(super) struct LineMarker {
    pub offset: u32,
    pub line: u32,
    pub file: Option<Symbol>,
}

pub(super) fn lex(file: FileId, text: &[u8]) -> Lexed {
    let (joined, splices) = splice::join(text);
    let mut lexer = Lexer {
        text: &joined,
        at: if joined.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 },
        file,
        line_start: true,
        out: Lexed {
            tokens: Vec::with_capacity(joined.len() / 4 + 1),
            names: Names::new(),
            pragmas: Vec::new(),
            markers: Vec::new(),
            diagnostics: Vec::new(),
        },
    };
    lexer.run();
    let mut out = lexer.out;
    if !splices.is_empty() {
        let moved = |span: &mut Span| {
            (span.start, span.end) = (splices.start(span.start), splices.end(span.end).max(splices.start(span.start)))
        };
        for token in &mut out.tokens {
            (token.start, token.end) = (splices.start(token.start), splices.end(token.end));
        }
        out.pragmas.iter_mut().for_each(|pragma| moved(&mut pragma.span));
        out.markers.iter_mut().for_each(|marker| marker.offset = splices.start(marker.offset));
        out.diagnostics.iter_mut().filter_map(|d| d.primary.as_mut()).for_each(|label| moved(&mut label.span));
    }
    // The end of the text is where something missing at the end is reported.
    out.tokens.push(Token { kind: TokenKind::End, start: text.len() as u32, end: text.len() as u32, name: 0 });
    out
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    file: FileId,
    /// Nothing but white space has been seen in this line.
    line_start: bool,
    out: Lexed,
}

/// Bytes that a name may have after its first.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
        byte += 1;
    }
    table
};

/// The character that `\u` with four digits or `\U` with eight at the beginning of `text` names, and the length of its name.
fn universal_character(text: &[u8]) -> Option<(char, usize)> {
    let length = match text {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        _ => return None,
    };
    let digits = std::str::from_utf8(text.get(2..length)?).ok()?;
    let is_plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).filter(|c| is_plain && !c.is_ascii())?;
    Some((c, length))
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                }
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.comment(),
                b'#' if self.line_start => self.directive(),
                _ => {
                    self.line_start = false;
                    self.token(byte);
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn token(&mut self, first: u8) {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.name(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => self.quoted(self.at, b'"', TokenKind::String),
            b'\'' => self.quoted(self.at, b'\'', TokenKind::Char),
            b'\\' if universal_character(&self.text[self.at..]).is_some() => self.spelt_out_name(self.at),
            _ => self.punctuator(first),
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, name: u32) {
        self.out.tokens.push(Token { kind, start: start as u32, end: self.at as u32, name });
    }

    fn name(&mut self) {
        let start = self.at;
        let mut hash = HASH_START;
        while let Some(&byte) = self.text.get(self.at)
            && NAME[byte as usize]
        {
            hash = hash_step(hash, byte);
            self.at += 1;
        }
        let spelling = &self.text[start..self.at];
        let quote = self.peek(0);
        if quote == b'\\' && universal_character(&self.text[self.at..]).is_some() {
            return self.spelt_out_name(start);
        }
        if (quote == b'"' || quote == b'\'') && matches!(spelling, b"L" | b"u" | b"U" | b"u8") {
            let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
            return self.quoted(start, quote, kind);
        }
        self.named(spelling, hash, start);
    }

    /// A name in which characters are written as `\u00e9` or `\U000000e9`, as gcc's preprocessor writes them.
    fn spelt_out_name(&mut self, start: usize) {
        self.at = start;
        let mut spelling = Vec::new();
        while let Some(&byte) = self.text.get(self.at) {
            if let Some((c, length)) = universal_character(&self.text[self.at..]) {
                spelling.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                self.at += length;
            } else if NAME[byte as usize] {
                spelling.push(byte);
                self.at += 1;
            } else {
                break;
            }
        }
        let hash = spelling.iter().fold(HASH_START, |hash, byte| hash_step(hash, *byte));
        self.named(&spelling, hash, start);
    }

    fn named(&mut self, spelling: &[u8], hash: u32, start: usize) {
        match self.out.names.intern(spelling, hash) {
            Some(key) => self.push(Names::kind(key), start, key),
            None => {
                self.error(start, "this name is not valid UTF-8");
                self.push(TokenKind::Name, start, Names::UNNAMED);
            }
        }
    }

    /// A preprocessing number, which is any that C has and more.
    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'.' => self.at += 1,
                byte if NAME[byte as usize] => self.at += 1,
                _ => break,
            }
        }
        self.push(TokenKind::Number, start, 0);
    }

    /// A string or character constant that begins at `start` and whose opening quote is next.
    fn quoted(&mut self, start: usize, quote: u8, kind: TokenKind) {
        self.at += 1;
        loop {
            match self.text.get(self.at) {
                None | Some(b'\n') => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    self.error(start, &format!("this {what} is not closed in its line"));
                    self.push(kind, start, 0);
                    break;
                }
                Some(b'\\') => self.at = (self.at + 2).min(self.text.len()),
                Some(&byte) => {
                    self.at += 1;
                    if byte == quote {
                        self.push(kind, start, 0);
                        break;
                    }
                }
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut rest = self.text[self.at..].iter();
        loop {
            match rest.position(|&b| b == b'*') {
                None => {
                    self.at = self.text.len();
                    let opening = Span::new(self.file, start as u32, start as u32 + 2);
                    self.report(
                        Diagnostic::error(opening, "this comment is never closed").label("expected `*/` later"),
                    );
                    return;
                }
                Some(_) if rest.as_slice().first() == Some(&b'/') => {
                    self.at = self.text.len() - rest.as_slice().len() + 1;
                    return;
                }
                Some(_) => {}
            }
        }
    }

    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let text = self.text;
        let span = Span::new(self.file, start as u32, self.at as u32);
        match directive::read(&text[start + 1..self.at]) {
            Directive::Line(line, file) => self.out.markers.push(LineMarker {
                offset: (self.at + 1).min(text.len()) as u32,
                line,
                file: file.map(|name| Symbol::new(&name)),
            }),
            Directive::Pragma(pragma) => self.out.pragmas.push(Pragma {
                before: self.out.tokens.len(),
                text: String::from_utf8_lossy(pragma).into_owned(),
                span,
            }),
            Directive::Nothing => {}
            Directive::Other(word) => {
                let message = format!("`#{}` is a directive for the preprocessor", String::from_utf8_lossy(word));
                self.report(Diagnostic::error(span, message).label("expected a preprocessed text"));
            }
        }
    }

    fn punctuator(&mut self, first: u8) {
        use TokenKind::*;
        let start = self.at;
        let (kind, length) = match (first, self.peek(1), self.peek(2)) {
            (b'(', ..) => (LeftParen, 1),
            (b')', ..) => (RightParen, 1),
            (b';', ..) => (Semicolon, 1),
            (b',', ..) => (Comma, 1),
            (b'[', ..) => (LeftBracket, 1),
            (b']', ..) => (RightBracket, 1),
            (b'{', ..) => (LeftBrace, 1),
            (b'}', ..) => (RightBrace, 1),
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'.', ..) => (Dot, 1),
            (b':', b'>', _) => (RightBracket, 2),
            (b':', ..) => (Colon, 1),
            (b'?', ..) => (Question, 1),
            (b'~', ..) => (Tilde, 1),
            (b'=', b'=', _) => (EqualEqual, 2),
            (b'=', ..) => (Equal, 1),
            (b'!', b'=', _) => (NotEqual, 2),
            (b'!', ..) => (Bang, 1),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'+', b'=', _) => (PlusEqual, 2),
            (b'+', ..) => (Plus, 1),
            (b'-', b'>', _) => (Arrow, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'-', b'=', _) => (MinusEqual, 2),
            (b'-', ..) => (Minus, 1),
            (b'*', b'=', _) => (StarEqual, 2),
            (b'*', ..) => (Star, 1),
            (b'/', b'=', _) => (SlashEqual, 2),
            (b'/', ..) => (Slash, 1),
            (b'%', b'=', _) => (PercentEqual, 2),
            (b'%', b'>', _) => (RightBrace, 2),
            (b'%', ..) => (Percent, 1),
            (b'&', b'&', _) => (AndAnd, 2),
            (b'&', b'=', _) => (AmpersandEqual, 2),
            (b'&', ..) => (Ampersand, 1),
            (b'|', b'|', _) => (OrOr, 2),
            (b'|', b'=', _) => (PipeEqual, 2),
            (b'|', ..) => (Pipe, 1),
            (b'^', b'=', _) => (CaretEqual, 2),
            (b'^', ..) => (Caret, 1),
            (b'<', b'<', b'=') => (ShiftLeftEqual, 3),
            (b'<', b'<', _) => (ShiftLeft, 2),
            (b'<', b'=', _) => (LessEqual, 2),
            (b'<', b':', _) => (LeftBracket, 2),
            (b'<', b'%', _) => (LeftBrace, 2),
            (b'<', ..) => (Less, 1),
            (b'>', b'>', b'=') => (ShiftRightEqual, 3),
            (b'>', b'>', _) => (ShiftRight, 2),
            (b'>', b'=', _) => (GreaterEqual, 2),
            (b'>', ..) => (Greater, 1),
            _ => return self.stray(first),
        };
        self.at += length;
        self.push(kind, start, 0);
    }

    /// Bytes that begin no token; a run of the same byte is one error.
    fn stray(&mut self, byte: u8) {
        let start = self.at;
        while self.peek(0) == byte && self.at < self.text.len() {
            self.at += 1;
        }
        let shown = if byte.is_ascii_graphic() { format!("`{}`", byte as char) } else { format!("byte {byte:#04x}") };
        self.error(start, &format!("{shown} means nothing in C"));
    }

    /// Reports what lies between `start` and here.
    fn error(&mut self, start: usize, message: &str) {
        let span = Span::new(self.file, start as u32, self.at as u32);
        self.report(Diagnostic::error(span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.out.diagnostics.len() < MAX_ERRORS {
            self.out.diagnostics.push(diagnostic);
        }
    }
}
