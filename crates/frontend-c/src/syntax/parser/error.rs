//! What the parser says when it cannot go on, and where it goes on then.

use super::{MAX_ERRORS, Parser};
use crate::syntax::ast::MAX_NESTING;
use crate::syntax::token::{Token, TokenKind};
use source::{Diagnostic, Span};

/// A rule could not be completed, and the reason has been reported.
#[derive(Debug)]
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

/// The longest token that a message quotes in full.
const LONGEST_QUOTE: usize = 40;

impl Parser<'_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.last_error == Some(self.at) || self.diagnostics.len() >= MAX_ERRORS {
            return;
        }
        self.last_error = Some(self.at);
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() == MAX_ERRORS {
            self.stop("the rest of the text was not looked at, because there are many errors");
        }
    }

    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Failed)
    }

    /// Fails because something else should be next.
    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let message = format!("expected {what}, found {}", self.found());
        let span = self.here();
        self.fail(Diagnostic::error(span, message).label(format!("expected {what}")))
    }

    /// Takes a token that must come next; `after` says what it completes.
    pub(super) fn expect(&mut self, kind: TokenKind, after: &str) -> Parsed<Token> {
        if self.is(kind) {
            return Ok(self.bump());
        }
        self.missing(&format!("{kind} {after}"), &kind.to_string(), None)
    }

    /// Takes the token that closes what `open` began.
    pub(super) fn close(&mut self, kind: TokenKind, open: Span) -> Parsed<Token> {
        if self.is(kind) {
            return Ok(self.bump());
        }
        self.missing(&kind.to_string(), &kind.to_string(), Some(open))
    }

    /// Fails because something is missing. If a line ends there, the place is where that line ends.
    fn missing<T>(&mut self, what: &str, label: &str, open: Option<Span>) -> Parsed<T> {
        let message = format!("expected {what}, found {}", self.found());
        let (before, next) = (self.previous(), self.here());
        let between = &self.text[before.end as usize..next.start.max(before.end) as usize];
        let span = if between.contains(&b'\n') || self.is(TokenKind::End) { before.after() } else { next };
        let mut diagnostic = Diagnostic::error(span, message).label(format!("expected {label}"));
        if let Some(open) = open {
            diagnostic = diagnostic.secondary(open, "to close this");
        }
        self.fail(diagnostic)
    }

    /// The next token as a message quotes it.
    fn found(&self) -> String {
        let token = self.token();
        if token.kind == TokenKind::End {
            return token.kind.to_string();
        }
        let text = self.token_text(token);
        let text = String::from_utf8_lossy(&text);
        if text.chars().count() <= LONGEST_QUOTE {
            return format!("`{text}`");
        }
        format!("`{}...`", text.chars().take(LONGEST_QUOTE).collect::<String>())
    }

    pub(super) fn too_deep<T>(&mut self, span: Span) -> Parsed<T> {
        self.report(Diagnostic::error(span, "the program is nested too deeply here"));
        self.stop(&format!("Fathom reads programs with up to {MAX_NESTING} levels"));
        Err(Failed)
    }

    /// Moves to the end of the text, so that everything unwinds. The last diagnostic gets a note that says why.
    fn stop(&mut self, note: &str) {
        self.at = self.lexed.tokens.len() - 1;
        self.last_error = Some(self.at);
        if let Some(last) = self.diagnostics.last_mut() {
            last.notes.push(note.to_string());
        }
    }

    /// After a failure in the piece that began with the token `start`: skips to where the next piece begins, behind a
    /// `;` or a block, or at the `}` that ends what is around it.
    pub(super) fn recover(&mut self, start: usize) {
        // The two semicolons between the parentheses of a `for` do not end it.
        let mut open_parens = match self.lexed.tokens[start].kind {
            TokenKind::For => self.open_parens(start),
            _ => 0,
        };
        let mut open_braces = 0;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::LeftParen if open_parens > 0 => open_parens += 1,
                TokenKind::RightParen if open_parens > 0 => open_parens -= 1,
                TokenKind::Semicolon if open_braces == 0 && open_parens == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LeftBrace => {
                    open_parens = 0;
                    open_braces += 1;
                }
                TokenKind::RightBrace if open_braces == 0 => return,
                TokenKind::RightBrace => {
                    open_braces -= 1;
                    if open_braces == 0 {
                        self.bump();
                        // The block may have been an initialiser or a struct.
                        self.eat(TokenKind::Semicolon);
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// The number of parentheses that are open here, of those since the token `start`.
    fn open_parens(&self, start: usize) -> usize {
        self.lexed.tokens[start..self.at].iter().fold(0, |open: usize, token| match token.kind {
            TokenKind::LeftParen => open + 1,
            TokenKind::RightParen => open.saturating_sub(1),
            _ => open,
        })
    }
}
