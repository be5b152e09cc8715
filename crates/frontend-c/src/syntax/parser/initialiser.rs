//! Initialisers.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// An expression or a list in braces.
    pub(super) fn initialiser(&mut self) -> Parsed<ExprId> {
        if self.is(TokenKind::LeftBrace) { self.nest(|parser| parser.braces()) } else { self.assignment() }
    }

    fn braces(&mut self) -> Parsed<ExprId> {
        let open = self.here();
        self.bump();
        let mut items = Vec::new();
        while !self.is(TokenKind::RightBrace) {
            let designators = self.designators()?;
            let value = self.initialiser()?;
            items.push(InitItem { designators, value });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        self.expr(ExprKind::Braces(items), self.since(open))
    }

    /// `.field[index][first ... last] =`, or GNU's old `field:`; perhaps nothing.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let token = self.token();
        if token.kind == TokenKind::Name && self.look(1).kind == TokenKind::Colon {
            self.bump();
            self.bump();
            let name = self.name_of(token);
            return Ok(vec![Designator::Field(name.symbol, name.span)]);
        }
        let mut designators = Vec::new();
        loop {
            match self.peek() {
                TokenKind::Dot => {
                    self.bump();
                    let name = self.name("the name of a member")?;
                    designators.push(Designator::Field(name.symbol, name.span));
                }
                TokenKind::LeftBracket => designators.push(self.index_designator()?),
                _ => break,
            }
        }
        // The `=` may be missing after an index: an old form that gcc still takes.
        let is_optional = designators.len() == 1 && !matches!(designators[0], Designator::Field(..));
        if !designators.is_empty() && !self.eat(TokenKind::Equal) && !is_optional {
            self.expect(TokenKind::Equal, "after the designator")?;
        }
        Ok(designators)
    }

    fn index_designator(&mut self) -> Parsed<Designator> {
        let open = self.here();
        self.bump();
        let first = self.conditional()?;
        let designator = if self.eat(TokenKind::Ellipsis) {
            Designator::Range(first, self.conditional()?)
        } else {
            Designator::Index(first)
        };
        self.close(TokenKind::RightBracket, open)?;
        Ok(designator)
    }
}
