//! Assembler statements.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    /// `asm volatile goto ("template" : outputs : inputs : clobbers : labels);`
    pub(super) fn asm_statement(&mut self) -> Parsed<Asm> {
        let start = self.here();
        self.bump();
        let (mut is_volatile, mut is_goto) = (false, false);
        loop {
            match self.peek() {
                TokenKind::Volatile => is_volatile = true,
                TokenKind::Goto => is_goto = true,
                TokenKind::Inline | TokenKind::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after `asm`")?;
        let template = self.plain_string("an assembler template")?;
        let outputs = self.asm_section(|parser| parser.asm_operand())?;
        let inputs = self.asm_section(|parser| parser.asm_operand())?;
        let clobbers = self.asm_section(|parser| parser.plain_string("the name of a register"))?;
        let labels = self.asm_section(|parser| parser.name("the name of a label"))?;
        self.close(TokenKind::RightParen, open)?;
        self.expect(TokenKind::Semicolon, "after the assembler statement")?;
        Ok(Asm { template, is_volatile, is_goto, outputs, inputs, clobbers, labels, span: self.since(start) })
    }

    /// What follows a colon, perhaps nothing; nothing either if there is no colon.
    fn asm_section<T>(&mut self, mut rule: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut section = Vec::new();
        if !self.eat(TokenKind::Colon) || matches!(self.peek(), TokenKind::Colon | TokenKind::RightParen) {
            return Ok(section);
        }
        loop {
            section.push(rule(self)?);
            if !self.eat(TokenKind::Comma) {
                return Ok(section);
            }
        }
    }

    /// `[name] "constraint" (expression)`
    fn asm_operand(&mut self) -> Parsed<AsmOperand> {
        let mut name = None;
        if self.is(TokenKind::LeftBracket) {
            let open = self.here();
            self.bump();
            name = Some(self.name("the name of an operand")?);
            self.close(TokenKind::RightBracket, open)?;
        }
        let constraint = self.plain_string("a constraint")?;
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after the constraint")?;
        let value = self.expression()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(AsmOperand { name, constraint, value })
    }
}
