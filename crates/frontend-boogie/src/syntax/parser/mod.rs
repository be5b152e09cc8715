//! The parser: recursive descent with one word of lookahead (two in a few places), going on after errors.

mod declaration;
mod error;
mod expression;
mod statement;
mod types;

use super::ast::*;
use super::token::{Token, TokenKind};
use error::Parsed;
use source::{Diagnostic, FileId, Span};

/// More errors than this are not reported.
const MAX_ERRORS: usize = 50;
/// Expressions, types and statements may be nested this deep.
const MAX_NESTING: u32 = 10_000;

/// Parses the words of a text.
pub fn parse(file: FileId, text: &[u8], tokens: &[Token]) -> (Tree, Vec<Diagnostic>) {
    let mut parser = Parser {
        file,
        text,
        tokens,
        at: 0,
        tree: Tree::default(),
        diagnostics: Vec::new(),
        last_error: None,
        nesting: 0,
    };
    parser.program();
    (parser.tree, parser.diagnostics)
}

struct Parser<'a> {
    file: FileId,
    text: &'a [u8],
    /// The last one is the end.
    tokens: &'a [Token],
    at: usize,
    tree: Tree,
    diagnostics: Vec<Diagnostic>,
    /// The word at which the last error was reported: there is one for each at most.
    last_error: Option<usize>,
    nesting: u32,
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    fn peek_second(&self) -> TokenKind {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    /// Whether a name that is a keyword in some places comes next.
    fn is_word(&self, word: &str) -> bool {
        self.is(TokenKind::Name) && self.token().text.as_str() == word
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn here(&self) -> Span {
        self.span(self.token())
    }

    fn previous(&self) -> Span {
        self.span(self.tokens[self.at.saturating_sub(1)])
    }

    /// From a span to the last word that was taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.is(TokenKind::Name) {
            return self.expected(what);
        }
        let token = self.bump();
        Ok(Name { text: token.text, span: self.span(token) })
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.separated(|p| p.name(what))
    }

    /// One or more with commas between.
    fn separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Between parentheses, none or more with commas between.
    fn list<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.expect(TokenKind::LeftParen, "before the list")?;
        let open = self.span(open);
        let items = if self.is(TokenKind::RightParen) { Vec::new() } else { self.separated(item)? };
        self.close(TokenKind::RightParen, open)?;
        Ok(items)
    }

    /// One more level of nesting.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return self.too_deep();
        }
        self.nesting += 1;
        let result = super::deep(|| step(self));
        self.nesting -= 1;
        result
    }
}
