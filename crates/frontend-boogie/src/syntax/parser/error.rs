//! What the parser says when it cannot go on, and where it goes on then.

use super::{MAX_ERRORS, MAX_NESTING, Parser};
use crate::syntax::token::{Token, TokenKind};
use source::{Diagnostic, Span};

/// A rule could not be completed, and the reason has been reported.
#[derive(Debug)]
pub struct Failed;

pub type Parsed<T> = Result<T, Failed>;

/// The longest word that a message quotes in full.
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

    /// Fails because something else should be next.
    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.report(Diagnostic::error(self.here(), message).label(format!("expected {what}")));
        Err(Failed)
    }

    /// Takes a word that must come next; `after` says what it completes.
    pub(super) fn expect(&mut self, kind: TokenKind, after: &str) -> Parsed<Token> {
        if self.is(kind) {
            return Ok(self.bump());
        }
        self.missing(&format!("{kind} {after}"), &kind.to_string(), None)
    }

    /// Takes the word that closes what `open` began.
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
        let between = &self.text[before.end.min(next.start) as usize..next.start as usize];
        let is_behind = self.at > 0 && (between.contains(&b'\n') || self.is(TokenKind::End));
        let span = if is_behind { before.after() } else { next };
        let mut diagnostic = Diagnostic::error(span, message).label(format!("expected {label}"));
        if let Some(open) = open {
            diagnostic = diagnostic.secondary(open, "to close this");
        }
        self.report(diagnostic);
        Err(Failed)
    }

    /// The next word as a message quotes it.
    fn found(&self) -> String {
        let token = self.token();
        if token.kind == TokenKind::End {
            return token.kind.to_string();
        }
        let text = String::from_utf8_lossy(&self.text[token.start as usize..token.end as usize]);
        if text.chars().count() <= LONGEST_QUOTE {
            return format!("`{text}`");
        }
        format!("`{}...`", text.chars().take(LONGEST_QUOTE).collect::<String>())
    }

    pub(super) fn too_deep<T>(&mut self) -> Parsed<T> {
        self.report(Diagnostic::error(self.here(), "the program is nested too deeply here"));
        self.stop(&format!("Fathom reads programs with up to {MAX_NESTING} levels"));
        Err(Failed)
    }

    /// Moves to the end of the text, so that everything unwinds. The last diagnostic gets a note that says why.
    fn stop(&mut self, note: &str) {
        self.at = self.tokens.len() - 1;
        self.last_error = Some(self.at);
        if let Some(last) = self.diagnostics.last_mut() {
            last.notes.push(note.to_string());
        }
    }

    /// After a failure in a statement: skips to where the next one begins, behind a `;` or a block, or at the `}` that
    /// ends what is around it.
    pub(super) fn recover_statement(&mut self) {
        let mut open = 0u32;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LeftBrace | TokenKind::LeftAttribute => open += 1,
                TokenKind::RightBrace | TokenKind::RightCode if open == 0 => return,
                TokenKind::RightBrace => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        return;
                    }
                }
                kind if open == 0 && begins_declaration(kind) => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// After a failure in a declaration: skips to the next word that begins one.
    pub(super) fn recover_declaration(&mut self, start: usize) {
        if self.at == start {
            self.bump();
        }
        // `var` begins locals too, `type` and the like only declarations.
        while !(self.is(TokenKind::End) || begins_declaration(self.peek()) || self.begins_line_with_var()) {
            self.bump();
        }
    }

    /// Globals are usually written at the start of a line, locals are not.
    fn begins_line_with_var(&self) -> bool {
        let start = self.token().start as usize;
        self.is(TokenKind::KwVar) && (start == 0 || self.text[start - 1] == b'\n')
    }
}

fn begins_declaration(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, KwType | KwConst | KwFunction | KwAxiom | KwProcedure | KwImplementation)
}
