//! Statements and blocks.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::Span;

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        let open = self.here();
        self.expect(TokenKind::LeftBrace, "to begin a block")?;
        self.scopes.enter();
        let result = self.block_items();
        self.scopes.leave();
        self.close(TokenKind::RightBrace, open)?;
        Ok(self.stmt(StmtKind::Block(result), open))
    }

    /// The inside of a block. An item that fails is reported and left out.
    fn block_items(&mut self) -> Vec<StmtId> {
        let mut items = Vec::new();
        while !self.is(TokenKind::RightBrace) && !self.is(TokenKind::End) {
            let start = self.at;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(_) => self.recover(start),
            }
        }
        items
    }

    fn block_item(&mut self) -> Parsed<StmtId> {
        let start = self.here();
        if self.begins_block_declaration() {
            return self.declaration_statement(Vec::new());
        }
        match self.peek() {
            TokenKind::StaticAssert => {
                let assertion = self.static_assert()?;
                Ok(self.stmt(StmtKind::StaticAssert(Box::new(assertion)), start))
            }
            TokenKind::Label => {
                self.bump();
                let names = self.name_list("the name of a label")?;
                self.expect(TokenKind::Semicolon, "after the labels")?;
                Ok(self.stmt(StmtKind::LocalLabels(names), start))
            }
            TokenKind::Attribute | TokenKind::LeftBracket => {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                if self.begins_block_declaration() {
                    return self.declaration_statement(attributes);
                }
                self.statement()
            }
            _ => self.statement(),
        }
    }

    /// Whether a declaration comes next in a block; a label that looks like a type does not begin one.
    fn begins_block_declaration(&self) -> bool {
        let extensions =
            self.lexed.tokens[self.at..].iter().take_while(|token| token.kind == TokenKind::Extension).count();
        let (first, second) = (self.look(extensions), self.look(extensions + 1));
        match first.kind {
            // Two names in a row can only be a declaration whose type is unknown.
            TokenKind::Name if second.kind == TokenKind::Name => true,
            TokenKind::Name if second.kind == TokenKind::Colon => false,
            _ => self.begins_declaration(first),
        }
    }

    fn declaration_statement(&mut self, attributes: Vec<Attribute>) -> Parsed<StmtId> {
        let declaration = self.declaration(attributes)?;
        let span = declaration.span;
        Ok(self.unit.add_stmt(Stmt { kind: StmtKind::Declaration(Box::new(declaration)), span }))
    }

    fn statement(&mut self) -> Parsed<StmtId> {
        self.nest(|parser| parser.statement_here())
    }

    fn statement_here(&mut self) -> Parsed<StmtId> {
        let start = self.here();
        let kind = match self.peek() {
            TokenKind::LeftBrace => return self.block(),
            TokenKind::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::If => self.if_statement()?,
            TokenKind::Switch => {
                self.bump();
                let value = self.condition("`switch`")?;
                StmtKind::Switch(value, self.statement()?)
            }
            TokenKind::While => {
                self.bump();
                let condition = self.condition("`while`")?;
                StmtKind::While(condition, self.statement()?)
            }
            TokenKind::Do => self.do_statement()?,
            TokenKind::For => self.for_statement()?,
            TokenKind::Goto => self.goto_statement()?,
            TokenKind::Break => self.jump("`break`", StmtKind::Break)?,
            TokenKind::Continue => self.jump("`continue`", StmtKind::Continue)?,
            TokenKind::Return => {
                self.bump();
                let value = if self.is(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
                self.expect(TokenKind::Semicolon, "after `return`")?;
                StmtKind::Return(value)
            }
            TokenKind::Asm => StmtKind::Asm(Box::new(self.asm_statement()?)),
            TokenKind::Case | TokenKind::Default => self.labelled(start)?,
            TokenKind::Name if self.look(1).kind == TokenKind::Colon => self.labelled(start)?,
            TokenKind::Attribute => {
                // Only `fallthrough` and its like stand before a statement, and they change nothing.
                self.attributes(&mut Vec::new())?;
                return self.statement();
            }
            TokenKind::Else => return self.expected("a statement; this `else` belongs to no `if`"),
            _ if self.begins_declaration(self.token()) => {
                return self.expected("a statement; a declaration must stand in a block");
            }
            _ => {
                let expression = self.expression()?;
                self.expect(TokenKind::Semicolon, "after the expression")?;
                StmtKind::Expr(expression)
            }
        };
        Ok(self.stmt(kind, start))
    }

    fn jump(&mut self, word: &str, kind: StmtKind) -> Parsed<StmtKind> {
        self.bump();
        self.expect(TokenKind::Semicolon, &format!("after {word}"))?;
        Ok(kind)
    }

    /// A condition in parentheses.
    fn condition(&mut self, word: &str) -> Parsed<ExprId> {
        let open = self.here();
        self.expect(TokenKind::LeftParen, &format!("after {word}"))?;
        let condition = self.expression()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let mut arms = Vec::new();
        loop {
            self.bump();
            let condition = self.condition("`if`")?;
            arms.push(IfArm { condition, then: self.statement()? });
            if !self.eat(TokenKind::Else) {
                return Ok(StmtKind::If(arms, None));
            }
            if !self.is(TokenKind::If) {
                return Ok(StmtKind::If(arms, Some(self.statement()?)));
            }
        }
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let body = self.statement()?;
        self.expect(TokenKind::While, "after the body of `do`")?;
        let condition = self.condition("`while`")?;
        self.expect(TokenKind::Semicolon, "after `do ... while`")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.scopes.enter();
        let result = self.for_rest();
        self.scopes.leave();
        result.map(|rest| StmtKind::For(Box::new(rest)))
    }

    fn for_rest(&mut self) -> Parsed<For> {
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after `for`")?;
        let start = self.here();
        let init = match self.peek() {
            TokenKind::Semicolon => {
                self.bump();
                None
            }
            TokenKind::StaticAssert => {
                let assertion = self.static_assert()?;
                Some(self.stmt(StmtKind::StaticAssert(Box::new(assertion)), start))
            }
            TokenKind::Attribute => {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                Some(self.declaration_statement(attributes)?)
            }
            _ if self.begins_block_declaration() => Some(self.declaration_statement(Vec::new())?),
            _ => {
                let expression = self.expression()?;
                self.expect(TokenKind::Semicolon, "after the first part of `for`")?;
                Some(self.stmt(StmtKind::Expr(expression), start))
            }
        };
        let condition = if self.is(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(TokenKind::Semicolon, "after the condition of `for`")?;
        let step = if self.is(TokenKind::RightParen) { None } else { Some(self.expression()?) };
        self.close(TokenKind::RightParen, open)?;
        Ok(For { init, condition, step, body: self.statement()? })
    }

    fn goto_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let kind = if self.eat(TokenKind::Star) {
            StmtKind::GotoComputed(self.expression()?)
        } else {
            StmtKind::Goto(self.name("the name of a label")?)
        };
        self.expect(TokenKind::Semicolon, "after `goto`")?;
        Ok(kind)
    }

    /// Labels and the statement behind them. At the end of a block or before a declaration that is an empty one.
    fn labelled(&mut self, start: Span) -> Parsed<StmtKind> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        let body = if self.is(TokenKind::RightBrace) || self.begins_block_declaration() {
            let span = self.since(start).after();
            self.unit.add_stmt(Stmt { kind: StmtKind::Empty, span })
        } else {
            self.statement()?
        };
        Ok(StmtKind::Labelled(labels, body))
    }

    /// The next label, if there is one.
    fn label(&mut self) -> Parsed<Option<Label>> {
        let start = self.here();
        let token = self.token();
        let mut kind = match token.kind {
            TokenKind::Case => {
                self.bump();
                let first = self.conditional()?;
                if self.eat(TokenKind::Ellipsis) {
                    LabelKind::CaseRange(first, self.conditional()?)
                } else {
                    LabelKind::Case(first)
                }
            }
            TokenKind::Default => {
                self.bump();
                LabelKind::Default
            }
            TokenKind::Name if self.look(1).kind == TokenKind::Colon => {
                self.bump();
                LabelKind::Named(self.name_of(token).symbol, Vec::new())
            }
            _ => return Ok(None),
        };
        self.expect(TokenKind::Colon, "after the label")?;
        let span = self.since(start);
        if let LabelKind::Named(_, attributes) = &mut kind {
            self.attributes(attributes)?;
        }
        Ok(Some(Label { kind, span }))
    }
}
