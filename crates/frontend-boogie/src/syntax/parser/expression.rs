//! Expressions, by precedence: `<==>`, `==>` and `<==`, `&&` and `||`, comparisons, `++`, sums, products, powers, prefixes,
//! what follows an operand, operands.

use super::Parser;
use super::error::Parsed;
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::{Diagnostic, Span};

impl Parser<'_> {
    fn node(&mut self, kind: ExprKind, start: Span) -> ExprId {
        let span = self.since(start);
        self.tree.exprs.push(Expr { kind, span });
        ExprId(self.tree.exprs.len() as u32 - 1)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let span = self.tree[left].span.to(self.tree[right].span);
        self.tree.exprs.push(Expr { kind: ExprKind::Binary(op, left, right), span });
        ExprId(self.tree.exprs.len() as u32 - 1)
    }

    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.nested(|p| {
            let mut left = p.implication()?;
            while p.eat(TokenKind::Iff) {
                let right = p.implication()?;
                left = p.binary(BinaryOp::Iff, left, right);
            }
            Ok(left)
        })
    }

    /// `==>` groups to the right, `<==` to the left.
    fn implication(&mut self) -> Parsed<ExprId> {
        let mut left = self.logical()?;
        if self.eat(TokenKind::Implies) {
            let right = self.nested(Self::implication)?;
            return Ok(self.binary(BinaryOp::Implies, left, right));
        }
        while self.eat(TokenKind::Explies) {
            let right = self.logical()?;
            left = self.binary(BinaryOp::Explies, left, right);
        }
        Ok(left)
    }

    /// `&&` and `||` cannot be mixed without parentheses.
    fn logical(&mut self) -> Parsed<ExprId> {
        let mut left = self.relation()?;
        let first = self.peek();
        let op = match first {
            TokenKind::And => BinaryOp::And,
            TokenKind::Or => BinaryOp::Or,
            _ => return Ok(left),
        };
        while matches!(self.peek(), TokenKind::And | TokenKind::Or) {
            if !self.is(first) {
                let message = format!("expected parentheses: {first} and {} have no order among them", self.peek());
                self.report(Diagnostic::error(self.here(), message));
            }
            self.bump();
            let right = self.relation()?;
            left = self.binary(op, left, right);
        }
        Ok(left)
    }

    fn relation(&mut self) -> Parsed<ExprId> {
        let left = self.concatenation()?;
        let op = match self.peek() {
            TokenKind::Eq => BinaryOp::Eq,
            TokenKind::Ne => BinaryOp::Ne,
            TokenKind::Less => BinaryOp::Less,
            TokenKind::LessEq => BinaryOp::LessEq,
            TokenKind::Greater => BinaryOp::Greater,
            TokenKind::GreaterEq => BinaryOp::GreaterEq,
            TokenKind::Extends => BinaryOp::Extends,
            _ => return Ok(left),
        };
        self.bump();
        let right = self.concatenation()?;
        Ok(self.binary(op, left, right))
    }

    fn concatenation(&mut self) -> Parsed<ExprId> {
        let mut left = self.sum()?;
        while self.eat(TokenKind::Concat) {
            let right = self.sum()?;
            left = self.binary(BinaryOp::Concat, left, right);
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed<ExprId> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                TokenKind::Plus => BinaryOp::Add,
                TokenKind::Minus => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.bump();
            let right = self.product()?;
            left = self.binary(op, left, right);
        }
    }

    fn product(&mut self) -> Parsed<ExprId> {
        let mut left = self.power()?;
        loop {
            let op = match self.peek() {
                TokenKind::Star => BinaryOp::Mul,
                TokenKind::Slash => BinaryOp::Slash,
                TokenKind::KwDiv => BinaryOp::Div,
                TokenKind::KwMod | TokenKind::Percent => BinaryOp::Mod,
                _ => return Ok(left),
            };
            self.bump();
            let right = self.power()?;
            left = self.binary(op, left, right);
        }
    }

    fn power(&mut self) -> Parsed<ExprId> {
        let left = self.prefix()?;
        if self.eat(TokenKind::StarStar) {
            let right = self.nested(Self::power)?;
            return Ok(self.binary(BinaryOp::Power, left, right));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<ExprId> {
        let op = match self.peek() {
            TokenKind::Not => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Minus,
            _ => return self.postfix(),
        };
        let start = self.here();
        self.bump();
        let operand = self.nested(Self::prefix)?;
        Ok(self.node(ExprKind::Unary(op, operand), start))
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let mut operand = self.operand()?;
        loop {
            let kind = match self.peek() {
                TokenKind::LeftBracket => self.access(operand)?,
                TokenKind::Arrow => {
                    self.bump();
                    self.field(operand)?
                }
                // `b[8:4]` is no type, but a range of bits.
                TokenKind::Colon if self.peek_second() != TokenKind::Integer => {
                    self.bump();
                    ExprKind::Coerce(operand, self.ty()?)
                }
                TokenKind::Name if self.is_word("is") && self.peek_second() == TokenKind::Name => {
                    self.bump();
                    ExprKind::Is(operand, self.name("a constructor")?)
                }
                _ => return Ok(operand),
            };
            operand = self.node(kind, start);
        }
    }

    /// `m[i]`, `m[i := v]` or `b[32:16]`.
    fn access(&mut self, operand: ExprId) -> Parsed<ExprKind> {
        let open = self.here();
        self.bump();
        let mut indices = Vec::new();
        if !self.is(TokenKind::RightBracket) && !self.is(TokenKind::Assign) {
            let first = self.expression()?;
            if self.eat(TokenKind::Colon) {
                let high = self.bit_number(first)?;
                let low = self.expression()?;
                let low = self.bit_number(low)?;
                self.close(TokenKind::RightBracket, open)?;
                return Ok(ExprKind::Extract { operand, high, low });
            }
            indices.push(first);
            while self.eat(TokenKind::Comma) {
                indices.push(self.expression()?);
            }
        }
        let kind = if self.eat(TokenKind::Assign) {
            ExprKind::Store(operand, indices, self.expression()?)
        } else {
            ExprKind::Select(operand, indices)
        };
        self.close(TokenKind::RightBracket, open)?;
        Ok(kind)
    }

    /// An expression that must be the number of a bit.
    fn bit_number(&mut self, expr: ExprId) -> Parsed<u32> {
        let Expr { kind, span } = &self.tree[expr];
        let number = match kind {
            ExprKind::Integer(text) => text.as_str().parse().ok(),
            _ => None,
        };
        let span = *span;
        Ok(number.unwrap_or_else(|| {
            self.report(Diagnostic::error(span, "expected the number of a bit"));
            0
        }))
    }

    /// `d->f` or `d->(f := v)`.
    fn field(&mut self, operand: ExprId) -> Parsed<ExprKind> {
        let open = self.here();
        if self.eat(TokenKind::LeftParen) {
            let name = self.name("the name of a field")?;
            self.expect(TokenKind::Assign, "after the field")?;
            let value = self.expression()?;
            self.close(TokenKind::RightParen, open)?;
            return Ok(ExprKind::WithField(operand, name, value));
        }
        Ok(ExprKind::Field(operand, self.name("the name of a field")?))
    }

    fn operand(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let token = self.token();
        let kind = match token.kind {
            TokenKind::KwTrue => ExprKind::Bool(true),
            TokenKind::KwFalse => ExprKind::Bool(false),
            TokenKind::Integer => ExprKind::Integer(token.text),
            TokenKind::Real => ExprKind::Real(token.text),
            TokenKind::BitVector => ExprKind::BitVector(token.text),
            TokenKind::Float => ExprKind::Float(token.text),
            TokenKind::Name => return self.name_or_application(),
            TokenKind::LeftParen => return self.parenthesised(),
            TokenKind::KwIf => return self.choice(),
            TokenKind::KwOld | TokenKind::KwInt | TokenKind::KwReal => {
                self.bump();
                let open = self.expect(TokenKind::LeftParen, "before the operand")?;
                let open = self.span(open);
                let operand = self.expression()?;
                self.close(TokenKind::RightParen, open)?;
                let kind = match token.kind {
                    TokenKind::KwOld => ExprKind::Old(operand),
                    TokenKind::KwInt => ExprKind::ToInt(operand),
                    _ => ExprKind::ToReal(operand),
                };
                return Ok(self.node(kind, start));
            }
            TokenKind::LeftCode => {
                self.bump();
                let body = self.body_inside(TokenKind::RightCode)?;
                self.close(TokenKind::RightCode, start)?;
                return Ok(self.node(ExprKind::Code(Box::new(body)), start));
            }
            // Ultimate's language lets quantifiers stand without parentheses.
            TokenKind::KwForall | TokenKind::KwExists | TokenKind::KwLambda => return self.quantified(start),
            _ => return self.expected("an expression"),
        };
        self.bump();
        Ok(self.node(kind, start))
    }

    fn name_or_application(&mut self) -> Parsed<ExprId> {
        let name = self.name("a name")?;
        let kind = match self.peek() {
            TokenKind::LeftParen => ExprKind::Apply(name, self.list(Self::expression)?),
            _ => ExprKind::Name(name),
        };
        Ok(self.node(kind, name.span))
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let open = self.here();
        self.bump();
        let inner = if self.is(TokenKind::KwVar) { self.let_expression(open)? } else { self.expression()? };
        self.close(TokenKind::RightParen, open)?;
        Ok(inner)
    }

    /// `var x, y := d, e; body`, behind the parenthesis.
    fn let_expression(&mut self, start: Span) -> Parsed<ExprId> {
        self.bump();
        let names = self.separated(|p| {
            p.attributes()?;
            p.name("the name of a variable")
        })?;
        self.expect(TokenKind::Assign, "after the variables")?;
        let values = self.separated(Self::expression)?;
        self.expect(TokenKind::Semicolon, "before the body")?;
        self.attributes()?;
        let body = self.expression()?;
        Ok(self.node(ExprKind::Let(names, values, body), start))
    }

    fn choice(&mut self) -> Parsed<ExprId> {
        self.nested(|p| {
            let start = p.here();
            p.bump();
            let condition = p.expression()?;
            p.expect(TokenKind::KwThen, "after the condition")?;
            let then = p.expression()?;
            p.expect(TokenKind::KwElse, "after the first choice")?;
            let other = p.expression()?;
            Ok(p.node(ExprKind::If(condition, then, other), start))
        })
    }

    fn quantified(&mut self, start: Span) -> Parsed<ExprId> {
        let binder = match self.bump().kind {
            TokenKind::KwForall => Binder::Forall,
            TokenKind::KwExists => Binder::Exists,
            _ => Binder::Lambda,
        };
        let type_parameters = self.type_parameters()?;
        self.attributes()?;
        let bound = match self.is(TokenKind::ColonColon) {
            true => Vec::new(),
            false => self.separated(Self::typed_names)?.into_iter().flatten().collect(),
        };
        self.expect(TokenKind::ColonColon, "after the bound variables")?;
        let mut triggers = Vec::new();
        loop {
            let open = self.here();
            let attributes = self.attributes()?;
            if attributes.find("nopats").is_some_and(|excluded| excluded.arguments.len() != 1) {
                self.report(Diagnostic::error(open, "expected one term that must not match"));
            }
            let open = self.here();
            if !self.eat(TokenKind::LeftBrace) {
                break;
            }
            triggers.push(self.separated(Self::expression)?);
            self.close(TokenKind::RightBrace, open)?;
        }
        let body = self.expression()?;
        let quantified = Quantified { binder, type_parameters, bound, triggers, body };
        Ok(self.node(ExprKind::Quantified(Box::new(quantified)), start))
    }
}
