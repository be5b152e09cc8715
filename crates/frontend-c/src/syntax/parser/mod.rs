//! The parser: recursive descent over the tokens of one text.
//!
//! C cannot be parsed without knowing which names are types, so the parser keeps the scopes of typedef names, and nothing
//! else about names.
//!
//! Errors: a rule that cannot go on reports a diagnostic and returns [`error::Failed`]; blocks, struct bodies and the file
//! itself catch it, skip to where the next piece begins, and go on. After [`MAX_ERRORS`], or when the program is nested
//! too deeply, the parser moves to the end of the text and every rule unwinds.
//!
//! Stack: every recursion passes through [`Parser::nest`], which counts the depth and makes room on the stack.

mod asm;
mod attribute;
mod contract;
mod declaration;
mod declarator;
mod error;
mod expression;
mod initialiser;
mod pack;
mod primary;
mod record;
mod scope;
mod specifiers;
mod statement;
mod tree;
mod unary;

use super::ast::{MAX_NESTING, Name, TranslationUnit};
use super::lexer::Lexed;
use super::splice;
use super::token::{Token, TokenKind};
use error::Parsed;
use pack::Packing;
use scope::Scopes;
use source::{Diagnostic, FileId, Span};
use std::borrow::Cow;
use tree::Heights;

/// After so many errors the rest of the text is not looked at.
const MAX_ERRORS: usize = 20;

/// Parses the tokens of a text. The tree holds what could be parsed; it is complete if there is no diagnostic.
pub(super) fn parse(file: FileId, text: &[u8], lexed: &Lexed) -> (TranslationUnit, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let packing = Packing::new(&lexed.pragmas, &mut diagnostics);
    let mut parser = Parser {
        file,
        text,
        lexed,
        at: 0,
        depth: 0,
        parameter_lists: 0,
        unit: TranslationUnit::new(file),
        heights: Heights::default(),
        scopes: Scopes::new(lexed.names.limit()),
        packing,
        diagnostics,
        last_error: None,
    };
    parser.items();
    (parser.unit, parser.diagnostics)
}

struct Parser<'a> {
    file: FileId,
    text: &'a [u8],
    lexed: &'a Lexed,
    /// The number of the next token.
    at: usize,
    /// How many rules are open that may contain each other.
    depth: u32,
    /// How many parameter lists are open.
    parameter_lists: u32,
    unit: TranslationUnit,
    heights: Heights,
    scopes: Scopes,
    packing: Packing,
    diagnostics: Vec<Diagnostic>,
    /// The token where the last error was: a second one there says nothing new.
    last_error: Option<usize>,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.lexed.tokens[self.at]
    }

    fn peek(&self) -> TokenKind {
        self.token().kind
    }

    /// The token after the next `ahead` ones; `End` behind the last.
    fn look(&self, ahead: usize) -> Token {
        let tokens = &self.lexed.tokens;
        tokens[(self.at + ahead).min(tokens.len() - 1)]
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    /// Takes the next token; the end of the text stays.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.span(self.token())
    }

    /// The span of the token before the next one.
    fn previous(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.span(self.lexed.tokens[before]),
            None => Span::new(self.file, 0, 0),
        }
    }

    /// From the beginning of `start` to the end of the last token that was taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    /// The text of a token, with its lines joined.
    fn token_text(&self, token: Token) -> Cow<'a, [u8]> {
        splice::join(&self.text[token.start as usize..token.end as usize]).0
    }

    /// Takes a name; `what` says what it is for.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.is(TokenKind::Name) {
            return self.expected(what);
        }
        let token = self.bump();
        Ok(self.name_of(token))
    }

    fn name_of(&self, token: Token) -> Name {
        Name { symbol: self.lexed.names.symbol(token.name), span: self.span(token) }
    }

    /// Parses something inside something else.
    fn nest<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return self.too_deep(self.here());
        }
        self.depth += 1;
        let result = super::deep(|| rule(self));
        self.depth -= 1;
        result
    }
}
