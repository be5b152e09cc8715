//! Expressions with binary operators, assignments, conditionals and commas, by operator precedence.
//!
//! Operators that associate to the left are taken in a loop, so a long sum needs no stack.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

const COMMA: u8 = 1;
const ASSIGNMENT: u8 = 2;
const CONDITIONAL: u8 = 3;

/// What an operator between two operands does.
enum Operator {
    Binary(BinaryOp),
    Assign(Option<BinaryOp>),
    Conditional,
}

/// The operator that a token is, with its precedence: the higher, the tighter.
fn operator(kind: TokenKind) -> Option<(Operator, u8)> {
    use BinaryOp::*;
    use Operator::{Assign, Binary};
    Some(match kind {
        TokenKind::Comma => (Binary(Comma), COMMA),
        TokenKind::Equal => (Assign(None), ASSIGNMENT),
        TokenKind::StarEqual => (Assign(Some(Mul)), ASSIGNMENT),
        TokenKind::SlashEqual => (Assign(Some(Div)), ASSIGNMENT),
        TokenKind::PercentEqual => (Assign(Some(Rem)), ASSIGNMENT),
        TokenKind::PlusEqual => (Assign(Some(Add)), ASSIGNMENT),
        TokenKind::MinusEqual => (Assign(Some(Sub)), ASSIGNMENT),
        TokenKind::ShiftLeftEqual => (Assign(Some(Shl)), ASSIGNMENT),
        TokenKind::ShiftRightEqual => (Assign(Some(Shr)), ASSIGNMENT),
        TokenKind::AmpersandEqual => (Assign(Some(BitAnd)), ASSIGNMENT),
        TokenKind::CaretEqual => (Assign(Some(BitXor)), ASSIGNMENT),
        TokenKind::PipeEqual => (Assign(Some(BitOr)), ASSIGNMENT),
        TokenKind::Question => (Operator::Conditional, CONDITIONAL),
        TokenKind::OrOr => (Binary(Or), 4),
        TokenKind::AndAnd => (Binary(And), 5),
        TokenKind::Pipe => (Binary(BitOr), 6),
        TokenKind::Caret => (Binary(BitXor), 7),
        TokenKind::Ampersand => (Binary(BitAnd), 8),
        TokenKind::EqualEqual => (Binary(Eq), 9),
        TokenKind::NotEqual => (Binary(Ne), 9),
        TokenKind::Less => (Binary(Lt), 10),
        TokenKind::Greater => (Binary(Gt), 10),
        TokenKind::LessEqual => (Binary(Le), 10),
        TokenKind::GreaterEqual => (Binary(Ge), 10),
        TokenKind::ShiftLeft => (Binary(Shl), 11),
        TokenKind::ShiftRight => (Binary(Shr), 11),
        TokenKind::Plus => (Binary(Add), 12),
        TokenKind::Minus => (Binary(Sub), 12),
        TokenKind::Star => (Binary(Mul), 13),
        TokenKind::Slash => (Binary(Div), 13),
        TokenKind::Percent => (Binary(Rem), 13),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.operation(COMMA)
    }

    /// An expression without a comma outside parentheses.
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        self.operation(ASSIGNMENT)
    }

    /// An expression without a comma or assignment outside parentheses, as where a constant must stand.
    pub(super) fn conditional(&mut self) -> Parsed<ExprId> {
        self.operation(CONDITIONAL)
    }

    /// An expression whose operators outside parentheses have at least this precedence.
    fn operation(&mut self, lowest: u8) -> Parsed<ExprId> {
        self.nest(|parser| {
            let mut left = parser.unary()?;
            while let Some((operator, precedence)) = operator(parser.peek())
                && precedence >= lowest
            {
                parser.bump();
                let kind = match operator {
                    Operator::Binary(op) => ExprKind::Binary(op, left, parser.operation(precedence + 1)?),
                    Operator::Assign(op) => ExprKind::Assign(op, left, parser.operation(ASSIGNMENT)?),
                    Operator::Conditional => parser.conditional_rest(left)?,
                };
                let span = parser.since(parser.unit[left].span);
                left = parser.expr(kind, span)?;
            }
            Ok(left)
        })
    }

    /// What follows the question mark.
    fn conditional_rest(&mut self, condition: ExprId) -> Parsed<ExprKind> {
        let then = if self.is(TokenKind::Colon) { None } else { Some(self.expression()?) };
        self.expect(TokenKind::Colon, "in the conditional expression")?;
        Ok(ExprKind::Conditional(condition, then, self.operation(CONDITIONAL)?))
    }
}
