//! Statements.

use super::Parser;
use super::error::Parsed;
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// Locals and statements between braces.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let open = self.expect(TokenKind::LeftBrace, "before the body")?;
        let open = self.span(open);
        let body = self.body_inside(TokenKind::RightBrace)?;
        self.close(TokenKind::RightBrace, open)?;
        Ok(body)
    }

    pub(super) fn body_inside(&mut self, end: TokenKind) -> Parsed<Body> {
        let mut locals = Vec::new();
        while self.is(TokenKind::KwVar) {
            locals.extend(self.variables()?.1);
        }
        Ok(Body { locals, statements: self.statements(end)? })
    }

    fn statements(&mut self, end: TokenKind) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        while !self.is(end) && !self.is(TokenKind::End) {
            let (start, errors) = (self.at, self.diagnostics.len());
            if self.nested(|p| p.statement(&mut statements)).is_err() {
                self.recover_statement();
                if self.at == start && !self.is(end) || self.diagnostics.len() == errors {
                    return Err(super::error::Failed);
                }
            }
        }
        Ok(statements)
    }

    fn block(&mut self) -> Parsed<Vec<Statement>> {
        let open = self.expect(TokenKind::LeftBrace, "before the statements")?;
        let open = self.span(open);
        let statements = self.statements(TokenKind::RightBrace)?;
        self.close(TokenKind::RightBrace, open)?;
        Ok(statements)
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Parsed<()> {
        let start = self.here();
        let kind = self.statement_kind()?;
        out.push(Statement { kind, span: self.since(start) });
        Ok(())
    }

    fn semicolon(&mut self) -> Parsed<()> {
        self.expect(TokenKind::Semicolon, "after the statement")?;
        Ok(())
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let kind = match self.peek() {
            TokenKind::KwAssert | TokenKind::KwAssume => {
                let is_assert = self.bump().kind == TokenKind::KwAssert;
                let attributes = self.attributes()?;
                let condition = self.expression()?;
                match is_assert {
                    true => StatementKind::Assert(attributes, condition),
                    false => StatementKind::Assume(attributes, condition),
                }
            }
            TokenKind::KwHavoc => {
                self.bump();
                StatementKind::Havoc(self.names("the name of a variable")?)
            }
            TokenKind::KwCall | TokenKind::KwFree => self.call_statement()?,
            TokenKind::KwGoto => {
                self.bump();
                self.attributes()?;
                StatementKind::Goto(self.names("a label")?)
            }
            TokenKind::KwReturn => {
                self.bump();
                self.attributes()?;
                let value = if self.is(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
                StatementKind::Return(value)
            }
            TokenKind::KwBreak => {
                self.bump();
                let label = if self.is(TokenKind::Name) { Some(self.name("a label")?) } else { None };
                StatementKind::Break(label)
            }
            TokenKind::KwIf => return self.conditional(),
            TokenKind::KwWhile => return self.repetition(),
            TokenKind::Name => return self.statement_with_name(),
            _ => return self.expected("a statement"),
        };
        self.semicolon()?;
        Ok(kind)
    }

    /// A label, an assignment, or a statement whose keyword is a name elsewhere.
    fn statement_with_name(&mut self) -> Parsed<StatementKind> {
        use TokenKind::*;
        let next = self.peek_second();
        if next == Colon {
            let label = self.name("a label")?;
            self.bump();
            return Ok(StatementKind::Label(label));
        }
        let kind = match self.token().text.as_str() {
            "yield" if next == Semicolon => {
                self.bump();
                StatementKind::Yield
            }
            "async" if next == KwCall => self.call_statement()?,
            "par" if next == Name => self.parallel()?,
            "atomic" if next == LeftBrace => {
                self.bump();
                return Ok(StatementKind::Atomic(self.block()?));
            }
            "fork" if !matches!(next, Assign | LeftBracket | Comma | Arrow) => self.fork()?,
            "join" if !matches!(next, Assign | LeftBracket | Comma | Arrow) => {
                self.bump();
                let id = self.separated(Self::expression)?;
                let results = if self.eat_word("assign") { self.names("the name of a variable")? } else { Vec::new() };
                StatementKind::Join { id, results }
            }
            _ => self.assignment()?,
        };
        self.semicolon()?;
        Ok(kind)
    }

    fn assignment(&mut self) -> Parsed<StatementKind> {
        let targets = self.separated(|p| {
            let name = p.name("a statement")?;
            let mut parts = Vec::new();
            loop {
                let open = p.here();
                if p.eat(TokenKind::LeftBracket) {
                    let indices =
                        if p.is(TokenKind::RightBracket) { Vec::new() } else { p.separated(Self::expression)? };
                    p.close(TokenKind::RightBracket, open)?;
                    parts.push(Part::Index(indices));
                } else if p.eat(TokenKind::Arrow) {
                    parts.push(Part::Field(p.name("the name of a field")?));
                } else {
                    return Ok(Target { name, parts });
                }
            }
        })?;
        self.expect(TokenKind::Assign, "after what is assigned to")?;
        self.attributes()?;
        let values = self.separated(Self::expression)?;
        Ok(StatementKind::Assign(targets, values))
    }

    /// `[async] [free] call {:a} x, y := p(e);` or `call forall p(*, e);`
    fn call_statement(&mut self) -> Parsed<StatementKind> {
        let is_async = self.eat_word("async");
        self.eat(TokenKind::KwFree);
        self.expect(TokenKind::KwCall, "here")?;
        let attributes = self.attributes()?;
        if self.eat(TokenKind::KwForall) {
            let callee = self.name("the name of a procedure")?;
            let arguments = self.list(|p| if p.eat(TokenKind::Star) { Ok(None) } else { p.expression().map(Some) })?;
            return Ok(StatementKind::CallForall(callee, arguments));
        }
        Ok(StatementKind::Call(Call { attributes, ..self.call(is_async)? }))
    }

    fn call(&mut self, is_async: bool) -> Parsed<Call> {
        let mut names = self.names("the name of a procedure")?;
        let (callee, results) = if self.eat(TokenKind::Assign) {
            (self.name("the name of a procedure")?, names)
        } else if names.len() == 1 {
            (names.remove(0), Vec::new())
        } else {
            return self.expected("`:=` after the variables that take the results");
        };
        let arguments = self.list(Self::expression)?;
        Ok(Call { attributes: Attributes::default(), is_async, callee, arguments, results })
    }

    fn parallel(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let mut calls = vec![self.call(false)?];
        while self.eat(TokenKind::Bar) {
            calls.push(self.call(false)?);
        }
        Ok(StatementKind::Parallel(calls))
    }

    fn fork(&mut self) -> Parsed<StatementKind> {
        self.bump();
        let id = self.separated(Self::expression)?;
        let callee = self.name("the name of a procedure")?;
        let arguments = self.list(Self::expression)?;
        Ok(StatementKind::Fork { id, callee, arguments })
    }

    /// A condition between parentheses, or `*`.
    fn guard(&mut self) -> Parsed<Guard> {
        let open = self.expect(TokenKind::LeftParen, "before the condition")?;
        let open = self.span(open);
        let guard = if self.eat(TokenKind::Star) { None } else { Some(self.expression()?) };
        self.close(TokenKind::RightParen, open)?;
        Ok(guard)
    }

    fn conditional(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.attributes()?;
        let guard = self.guard()?;
        let then = self.block()?;
        let mut other = Vec::new();
        if self.eat(TokenKind::KwElse) {
            if self.is(TokenKind::KwIf) {
                self.nested(|p| p.statement(&mut other))?;
            } else {
                other = self.block()?;
            }
        }
        Ok(StatementKind::If { guard, then, other })
    }

    fn repetition(&mut self) -> Parsed<StatementKind> {
        self.bump();
        self.attributes()?;
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        loop {
            let start = self.here();
            let free = self.eat(TokenKind::KwFree);
            if self.is(TokenKind::KwInvariant) {
                invariants.push(self.clause(free, start)?);
            } else if free {
                return self.expected("`invariant`");
            } else {
                break;
            }
        }
        Ok(StatementKind::While { guard, invariants, body: self.block()? })
    }
}
