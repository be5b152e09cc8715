//! Expressions. From the loosest: `?:`; `=>`, `=` and `!=`, grouped from the right; `^`; `|`; `&`; `!`.

use super::ast::{Binary, Expr, ExprKind};
use super::deep;
use super::lexer::Word;
use super::parser::{Parsed, Parser};

/// The binary operators by how loosely they bind. Whether they group from the right.
const LEVELS: [(bool, &[(&str, Binary)]); 4] = [
    (
        true,
        &[
            ("=>", Binary::Implies),
            ("->", Binary::Implies),
            ("<=>", Binary::Equal),
            ("==", Binary::Equal),
            ("=", Binary::Equal),
            ("!=", Binary::Different),
        ],
    ),
    (false, &[("^", Binary::Xor)]),
    (false, &[("||", Binary::Or), ("|", Binary::Or)]),
    (false, &[("&&", Binary::And), ("&", Binary::And)]),
];

impl Parser<'_> {
    pub fn expression(&mut self) -> Parsed<Expr> {
        deep(|| {
            let condition = self.binary(0)?;
            if !self.accept("?") {
                return Ok(condition);
            }
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            let span = condition.span.to(otherwise.span);
            Ok(Expr { span, kind: ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)) })
        })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some((from_right, operators)) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(text, _)| self.is(text)) {
            self.advance();
            let right = if *from_right { deep(|| self.binary(level))? } else { self.binary(level + 1)? };
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::Binary(*operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if self.accept("!") || self.accept("~") {
            let operand = deep(|| self.unary())?;
            return Ok(Expr { span: start.to(operand.span), kind: ExprKind::Not(Box::new(operand)) });
        }
        if self.accept("'") {
            let name = self.name("the name of a variable")?;
            return Ok(Expr { span: start.to(name.span), kind: ExprKind::Next(name.text) });
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        if let Some(constant) = self.constant() {
            return Ok(constant);
        }
        let start = self.peek().span;
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept("*") {
            return Ok(Expr { span: start, kind: ExprKind::Choice });
        }
        if self.accept("schoose") {
            self.expect("[")?;
            let first = self.expression()?;
            self.expect(",")?;
            let second = self.expression()?;
            let end = self.expect("]")?;
            return Ok(Expr { span: start.to(end), kind: ExprKind::Schoose(Box::new(first), Box::new(second)) });
        }
        if self.peek().word != Word::Name {
            return Err(self.unexpected("an expression"));
        }
        let name = self.name("an expression")?;
        let is_next = self.accept("'");
        let kind = if is_next { ExprKind::Next(name.text) } else { ExprKind::Variable(name.text) };
        Ok(Expr { span: name.span.to(self.before()), kind })
    }
}
