//! Prefix operators, casts, `sizeof`, and postfix operators.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::Span;

fn prefix_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::PlusPlus => UnaryOp::PreIncrement,
        TokenKind::MinusMinus => UnaryOp::PreDecrement,
        TokenKind::Ampersand => UnaryOp::AddressOf,
        TokenKind::Star => UnaryOp::Deref,
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Minus,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Bang => UnaryOp::Not,
        TokenKind::Real => UnaryOp::Real,
        TokenKind::Imag => UnaryOp::Imag,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An operand: a primary expression with all its prefix and postfix operators, casts included.
    pub(super) fn unary(&mut self) -> Parsed<ExprId> {
        while self.eat(TokenKind::Extension) {}
        let start = self.here();
        if let Some(op) = prefix_operator(self.peek()) {
            self.bump();
            let operand = self.nest(|parser| parser.unary())?;
            return self.expr(ExprKind::Unary(op, operand), self.since(start));
        }
        match self.peek() {
            TokenKind::Sizeof | TokenKind::Alignof => self.sizeof(start),
            TokenKind::AndAnd => {
                self.bump();
                let label = self.name("the name of a label")?;
                self.expr(ExprKind::LabelAddress(label.symbol), self.since(start))
            }
            TokenKind::LeftParen if self.has_type_in_parentheses() => {
                let ty = self.type_in_parentheses()?;
                if self.is(TokenKind::LeftBrace) {
                    return self.compound_literal(ty, start);
                }
                let operand = self.nest(|parser| parser.unary())?;
                self.expr(ExprKind::Cast(ty, operand), self.since(start))
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary, start)
            }
        }
    }

    /// Whether the next parenthesis holds a type. An attribute there can only belong to one.
    fn has_type_in_parentheses(&self) -> bool {
        let token = self.look(1);
        token.kind == TokenKind::Attribute || self.begins_type(token)
    }

    fn type_in_parentheses(&mut self) -> Parsed<TypeNameId> {
        let open = self.here();
        self.bump();
        let ty = self.type_name()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(ty)
    }

    fn compound_literal(&mut self, ty: TypeNameId, start: Span) -> Parsed<ExprId> {
        let braces = self.initialiser()?;
        let literal = self.expr(ExprKind::CompoundLiteral(ty, braces), self.since(start))?;
        self.postfix(literal, start)
    }

    /// `sizeof` and `_Alignof`, of a type or an expression.
    fn sizeof(&mut self, start: Span) -> Parsed<ExprId> {
        let is_sizeof = self.bump().kind == TokenKind::Sizeof;
        let operand_start = self.here();
        let operand = if self.is(TokenKind::LeftParen) && self.has_type_in_parentheses() {
            let ty = self.type_in_parentheses()?;
            if !self.is(TokenKind::LeftBrace) {
                let kind = if is_sizeof { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty) };
                return self.expr(kind, self.since(start));
            }
            self.compound_literal(ty, operand_start)?
        } else {
            self.nest(|parser| parser.unary())?
        };
        let kind = if is_sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        self.expr(kind, self.since(start))
    }

    /// The postfix operators behind an operand that begins at `start`.
    fn postfix(&mut self, mut operand: ExprId, start: Span) -> Parsed<ExprId> {
        loop {
            let token = self.token();
            let kind = match token.kind {
                TokenKind::LeftBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.close(TokenKind::RightBracket, self.span(token))?;
                    ExprKind::Index(operand, index)
                }
                TokenKind::LeftParen => ExprKind::Call(operand, self.arguments()?),
                TokenKind::Dot | TokenKind::Arrow => {
                    self.bump();
                    let field = self.name("the name of a member")?;
                    ExprKind::Member(operand, field.symbol, token.kind == TokenKind::Arrow)
                }
                TokenKind::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostIncrement, operand)
                }
                TokenKind::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDecrement, operand)
                }
                _ => return Ok(operand),
            };
            operand = self.expr(kind, self.since(start))?;
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let open = self.here();
        self.bump();
        let mut arguments = Vec::new();
        if self.eat(TokenKind::RightParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightParen, open)?;
        Ok(arguments)
    }
}
