//! Text to words. Comments nest; the operators may be written in Unicode too.

use super::token::{Token, TokenKind, keyword};
use source::{Diagnostic, FileId, Span, Symbol};

/// The words of a text, the last of which is its end, and what is wrong with it.
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a text into words.
pub fn lex(file: FileId, text: &[u8]) -> Lexed {
    let mut lexer = Lexer { file, text, at: 0, tokens: Vec::with_capacity(text.len() / 4), diagnostics: Vec::new() };
    lexer.run();
    Lexed { tokens: lexer.tokens, diagnostics: lexer.diagnostics }
}

struct Lexer<'a> {
    file: FileId,
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

/// Operators, longer ones before their beginnings.
const OPERATORS: &[(&str, TokenKind)] = &[
    ("<==>", TokenKind::Iff),
    ("==>", TokenKind::Implies),
    ("<==", TokenKind::Explies),
    ("||", TokenKind::Or),
    ("&&", TokenKind::And),
    ("==", TokenKind::Eq),
    ("!=", TokenKind::Ne),
    ("<=", TokenKind::LessEq),
    (">=", TokenKind::GreaterEq),
    ("<:", TokenKind::Extends),
    ("++", TokenKind::Concat),
    ("**", TokenKind::StarStar),
    (":=", TokenKind::Assign),
    ("::", TokenKind::ColonColon),
    ("->", TokenKind::Arrow),
    ("|{", TokenKind::LeftCode),
    ("}|", TokenKind::RightCode),
    ("(", TokenKind::LeftParen),
    (")", TokenKind::RightParen),
    ("[", TokenKind::LeftBracket),
    ("]", TokenKind::RightBracket),
    ("{", TokenKind::LeftBrace),
    ("}", TokenKind::RightBrace),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("%", TokenKind::Percent),
    ("!", TokenKind::Not),
    ("|", TokenKind::Bar),
    ("=", TokenKind::Is),
    ("⇔", TokenKind::Iff),
    ("⇒", TokenKind::Implies),
    ("⇐", TokenKind::Explies),
    ("∧", TokenKind::And),
    ("∨", TokenKind::Or),
    ("≠", TokenKind::Ne),
    ("≤", TokenKind::LessEq),
    ("≥", TokenKind::GreaterEq),
    ("¬", TokenKind::Not),
    ("∀", TokenKind::KwForall),
    ("∃", TokenKind::KwExists),
    ("λ", TokenKind::KwLambda),
    ("•", TokenKind::ColonColon),
];

impl Lexer<'_> {
    fn run(&mut self) {
        let nothing = Symbol::new("");
        loop {
            self.skip_blanks();
            let start = self.at;
            let Some(&first) = self.text.get(start) else { break };
            let (kind, text) = match first {
                b'0'..=b'9' => self.number(),
                b'"' => self.string(),
                b'\\' => {
                    self.at += 1;
                    (TokenKind::Name, self.word())
                }
                byte if is_name_start(byte) => {
                    let length = self.name_length();
                    let word = &self.text[start..start + length];
                    self.at += length;
                    let kind = keyword(word);
                    (kind, if kind == TokenKind::Name { symbol(word) } else { nothing })
                }
                _ => (self.operator(), nothing),
            };
            if kind == TokenKind::Unknown {
                self.report(start, "this character has no meaning in a Boogie program");
                continue;
            }
            self.tokens.push(Token { kind, start: start as u32, end: self.at as u32, text });
        }
        let end = self.text.len() as u32;
        self.tokens.push(Token { kind: TokenKind::End, start: end, end, text: nothing });
    }

    fn report(&mut self, start: usize, message: &str) {
        let span = Span::new(self.file, start as u32, self.at.max(start) as u32);
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.text[self.at..] {
                [b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, ..] => self.at += 1,
                [b'/', b'/', ..] => self.skip_line(),
                [b'/', b'*', ..] => self.skip_comment(),
                [0xef, 0xbb, 0xbf, ..] if self.at == 0 => self.at += 3,
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
        let start = self.at;
        let mut depth = 0;
        while self.at < self.text.len() {
            match self.text[self.at..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let span = Span::new(self.file, start as u32, start as u32 + 2);
        self.diagnostics.push(Diagnostic::error(span, "expected `*/` to end this comment"));
    }

    fn name_length(&self) -> usize {
        self.text[self.at..].iter().take_while(|b| is_name_start(**b) || b.is_ascii_digit()).count()
    }

    fn word(&mut self) -> Symbol {
        let length = self.name_length();
        let word = symbol(&self.text[self.at..self.at + length]);
        self.at += length;
        word
    }

    fn digits(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
    }

    /// `12`, `3.5`, `1e-3`, `7bv32`, `0x1.8e3f24e8`, `0NaN24e8`, `0+oo24e8`.
    fn number(&mut self) -> (TokenKind, Symbol) {
        let start = self.at;
        let kind = match self.float_length() {
            Some(length) => {
                self.at += length;
                TokenKind::Float
            }
            None => {
                self.digits();
                self.after_digits()
            }
        };
        (kind, symbol(&self.text[start..self.at]))
    }

    fn after_digits(&mut self) -> TokenKind {
        let is_digit = |at: usize, text: &[u8]| text.get(at).is_some_and(u8::is_ascii_digit);
        if self.text[self.at..].starts_with(b"bv") && is_digit(self.at + 2, self.text) {
            self.at += 2;
            self.digits();
            return TokenKind::BitVector;
        }
        let mut kind = TokenKind::Integer;
        if self.text.get(self.at) == Some(&b'.') && is_digit(self.at + 1, self.text) {
            self.at += 1;
            self.digits();
            kind = TokenKind::Real;
        }
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some(b'+' | b'-')));
            if is_digit(self.at + 1 + sign, self.text) {
                self.at += 1 + sign;
                self.digits();
                kind = TokenKind::Real;
            }
        }
        kind
    }

    /// The length of a floating-point literal, which says its format.
    fn float_length(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let run = |from: usize, accept: fn(&u8) -> bool| rest[from..].iter().take_while(|b| accept(b)).count();
        let format = |from: usize| {
            let significand = run(from, u8::is_ascii_digit);
            let exponent = run(rest.len().min(from + significand + 1), u8::is_ascii_digit);
            let fits = significand > 0 && rest.get(from + significand) == Some(&b'e') && exponent > 0;
            fits.then_some(from + significand + 1 + exponent)
        };
        for special in ["0NaN", "0nan", "0+oo", "0-oo"] {
            if rest.starts_with(special.as_bytes()) {
                return format(special.len());
            }
        }
        if !rest.starts_with(b"0x") {
            return None;
        }
        let whole = run(2, u8::is_ascii_hexdigit);
        if rest.get(2 + whole) != Some(&b'.') {
            return None;
        }
        // The exponent's `e` is a hexadecimal digit too: what follows the point ends at the last one before `f`.
        let fraction = 3 + whole;
        let letters = run(fraction, |b| b.is_ascii_hexdigit() || *b == b'-');
        let end = rest[fraction..fraction + letters].iter().rposition(|b| *b == b'f')? + fraction;
        format(end + 1)
    }

    fn string(&mut self) -> (TokenKind, Symbol) {
        let start = self.at;
        let mut at = start + 1;
        let mut protected = None;
        loop {
            match self.text.get(at) {
                Some(b'"') => break,
                // A backslash protects a quotation mark and nothing else,
                Some(b'\\') if self.text.get(at + 1) == Some(&b'"') => {
                    protected = Some(at + 1);
                    at += 2;
                }
                // except where the string would not end on its line then.
                None | Some(b'\n') if let Some(last) = protected => {
                    at = last;
                    break;
                }
                None | Some(b'\n') => {
                    self.at = at;
                    self.report(start, "expected `\"` to end this string");
                    return (TokenKind::String, symbol(&self.text[start + 1..at]));
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        (TokenKind::String, symbol(&self.text[start + 1..at]))
    }

    fn operator(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        // Blanks may stand inside `{ :key}`.
        if let [b'{', inside @ ..] = rest {
            let blanks = inside.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if let [b':', next, ..] = inside[blanks..]
                && next != b':'
                && next != b'='
            {
                self.at += blanks + 2;
                return TokenKind::LeftAttribute;
            }
        }
        if let Some((text, kind)) = OPERATORS.iter().find(|(text, _)| rest.starts_with(text.as_bytes())) {
            self.at += text.len();
            return *kind;
        }
        // The rest of a character goes with its first byte.
        self.at += 1;
        while self.text.get(self.at).is_some_and(|b| *b & 0xc0 == 0x80) {
            self.at += 1;
        }
        TokenKind::Unknown
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"_.$#'`~^?\\".contains(&byte)
}

fn symbol(bytes: &[u8]) -> Symbol {
    match std::str::from_utf8(bytes) {
        Ok(text) => Symbol::new(text),
        Err(_) => Symbol::new(&String::from_utf8_lossy(bytes)),
    }
}
