//! Text to words. A name may be anything between braces, as SLAM calls a variable by its predicate.

use source::{Diagnostic, FileId, Span, Symbol};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// A name that is no keyword.
    Name,
    /// A keyword, an operator or a mark: its text.
    Fixed(&'static str),
    Number,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub word: Word,
    pub span: Span,
    pub text: Symbol,
}

pub const KEYWORDS: &[&str] = &[
    "abortif",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "begin",
    "bool",
    "constrain",
    "dead",
    "decl",
    "dfs",
    "do",
    "else",
    "elsif",
    "end",
    "end_thread",
    "enforce",
    "fi",
    "goto",
    "if",
    "od",
    "return",
    "schoose",
    "skip",
    "start_thread",
    "sync",
    "then",
    "thread_local",
    "void",
    "while",
    "T",
    "F",
    "true",
    "false",
];

/// Marks, longer ones before their beginnings.
const MARKS: &[&str] = &[
    "<=>", ":=", "=>", "->", "==", "!=", "&&", "||", "(", ")", "[", "]", "<", ">", ",", ";", ":", "=", "!", "~", "&",
    "|", "^", "*", "'", "?",
];

/// The words of a text, the last of which is its end, and what is wrong with it.
pub fn lex(file: FileId, text: &[u8]) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens = Vec::with_capacity(text.len() / 3);
    let mut diagnostics = Vec::new();
    let mut at = 0;
    let span = |start: usize, end: usize| Span::new(file, start as u32, end as u32);
    while at < text.len() {
        let start = at;
        let rest = &text[at..];
        let mut push = |word: Word, length: usize| {
            let text = Symbol::new(&String::from_utf8_lossy(&rest[..length]));
            tokens.push(Token { word, span: span(start, start + length), text });
            start + length
        };
        at = match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, ..] => at + 1,
            [0xef, 0xbb, 0xbf, ..] if at == 0 => 3,
            [b'/', b'/', ..] => at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => match rest.windows(2).skip(2).position(|pair| pair == b"*/") {
                Some(length) => at + length + 4,
                None => {
                    diagnostics.push(Diagnostic::error(span(at, at + 2), "expected `*/` to end this comment"));
                    text.len()
                }
            },
            [b'{', ..] => match rest.iter().position(|b| *b == b'}' || *b == b'\n') {
                Some(end) if rest[end] == b'}' => push(Word::Name, end + 1),
                _ => {
                    diagnostics.push(Diagnostic::error(span(at, at + 1), "expected `}` to end this name"));
                    at + 1
                }
            },
            [b'0'..=b'9', ..] => push(Word::Number, rest.iter().take_while(|b| b.is_ascii_digit()).count()),
            [first, ..] if is_letter(*first) => {
                let length = rest.iter().take_while(|b| is_letter(**b) || b.is_ascii_digit()).count();
                let keyword = KEYWORDS.iter().find(|keyword| keyword.as_bytes() == &rest[..length]);
                push(keyword.map_or(Word::Name, |keyword| Word::Fixed(keyword)), length)
            }
            _ => match MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes())) {
                Some(mark) => push(Word::Fixed(mark), mark.len()),
                None => {
                    // The rest of a character goes with its first byte.
                    let end = at + 1 + rest[1..].iter().take_while(|b| **b & 0xc0 == 0x80).count();
                    let message = "this character has no meaning in a Boolean program";
                    diagnostics.push(Diagnostic::error(span(at, end), message));
                    end
                }
            },
        };
    }
    tokens.push(Token { word: Word::End, span: span(text.len(), text.len()), text: Symbol::new("") });
    (tokens, diagnostics)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"_$.".contains(&byte)
}
