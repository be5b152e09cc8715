//! Primary expressions: names, literals, parentheses, and what looks like a call of a builtin but takes types.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::literal;
use crate::syntax::token::TokenKind;
use source::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Name => {
                self.bump();
                let name = self.lexed.names.symbol(token.name);
                if self.is(TokenKind::LeftBrace) && name.as_str().starts_with("__CPROVER_") {
                    return self.fail(Diagnostic::error(start, format!("`{name}` is not supported")));
                }
                ExprKind::Name(name)
            }
            TokenKind::Number => {
                let text = self.token_text(token);
                self.literal(literal::number(&String::from_utf8_lossy(&text)), start)?
            }
            TokenKind::Char => {
                let text = self.token_text(token);
                ExprKind::Char(self.literal(literal::character(&text), start)?)
            }
            TokenKind::String => ExprKind::String(Box::new(self.string()?)),
            TokenKind::LeftParen => return self.parenthesised(),
            TokenKind::Generic => self.generic()?,
            TokenKind::VaArg => self.builtin(|parser| {
                let list = parser.assignment()?;
                parser.comma()?;
                Ok(ExprKind::VaArg(list, parser.type_name()?))
            })?,
            TokenKind::TypesCompatible => self.builtin(|parser| {
                let first = parser.type_name()?;
                parser.comma()?;
                Ok(ExprKind::TypesCompatible(first, parser.type_name()?))
            })?,
            TokenKind::ChooseExpr => self.builtin(|parser| {
                let condition = parser.assignment()?;
                parser.comma()?;
                let then = parser.assignment()?;
                parser.comma()?;
                Ok(ExprKind::Choose(condition, then, parser.assignment()?))
            })?,
            TokenKind::Offsetof => self.builtin(|parser| {
                let ty = parser.type_name()?;
                parser.comma()?;
                Ok(ExprKind::Offsetof(ty, parser.offsetof_path()?))
            })?,
            _ => return self.expected("an expression"),
        };
        self.expr(kind, self.since(start))
    }

    /// Takes the next token, whose value was read.
    fn literal<T>(&mut self, value: literal::Literal<T>, span: Span) -> Parsed<T> {
        match value {
            Ok(value) => {
                self.bump();
                Ok(value)
            }
            Err(message) => self.fail(Diagnostic::error(span, message)),
        }
    }

    /// All strings that come next, as one.
    fn string(&mut self) -> Parsed<StringLiteral> {
        let start = self.here();
        let count = self.lexed.tokens[self.at..].iter().take_while(|token| token.kind == TokenKind::String).count();
        let tokens = &self.lexed.tokens[self.at..self.at + count];
        let texts: Vec<_> = tokens.iter().map(|token| self.token_text(*token)).collect();
        let string = self.literal(literal::string(texts.iter().map(|text| &**text)), start)?;
        self.at += count - 1;
        Ok(string)
    }

    /// A string that is no value of the program, but a message or the name of a symbol.
    pub(super) fn plain_string(&mut self, what: &str) -> Parsed<String> {
        if !self.is(TokenKind::String) {
            return self.expected(what);
        }
        let units = self.string()?.units;
        let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// An expression in parentheses, or GNU's `({ ... })`.
    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let open = self.here();
        self.bump();
        if self.is(TokenKind::LeftBrace) {
            return self.add_statements(open, |parser| {
                let block = parser.nest(|parser| parser.block())?;
                parser.close(TokenKind::RightParen, open)?;
                Ok(block)
            });
        }
        let inner = self.expression()?;
        self.close(TokenKind::RightParen, open)?;
        self.unit.exprs[inner.index()].span = self.since(open);
        Ok(inner)
    }

    /// Takes a keyword and its arguments in parentheses.
    fn builtin(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<ExprKind>) -> Parsed<ExprKind> {
        let keyword = self.bump().kind;
        let open = self.here();
        self.expect(TokenKind::LeftParen, &format!("after {keyword}"))?;
        let kind = rule(self)?;
        self.close(TokenKind::RightParen, open)?;
        Ok(kind)
    }

    fn comma(&mut self) -> Parsed<()> {
        self.expect(TokenKind::Comma, "between the arguments").map(|_| ())
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.builtin(|parser| {
            let control = parser.assignment()?;
            let mut arms = Vec::new();
            while parser.eat(TokenKind::Comma) {
                let ty = if parser.eat(TokenKind::Default) { None } else { Some(parser.type_name()?) };
                parser.expect(TokenKind::Colon, "after the type")?;
                arms.push(GenericArm { ty, value: parser.assignment()? });
            }
            Ok(ExprKind::Generic(control, arms))
        })
    }

    /// The members and indices in an `offsetof`.
    fn offsetof_path(&mut self) -> Parsed<Vec<Designator>> {
        let first = self.name("the name of a member")?;
        let mut path = vec![Designator::Field(first.symbol, first.span)];
        loop {
            let token = self.token();
            match token.kind {
                TokenKind::Dot | TokenKind::Arrow => {
                    self.bump();
                    if token.kind == TokenKind::Arrow {
                        // With gcc `a->b` stands for `a[0].b`.
                        let zero = self.expr(ExprKind::Int(IntLiteral::ZERO), self.previous())?;
                        path.push(Designator::Index(zero));
                    }
                    let field = self.name("the name of a member")?;
                    path.push(Designator::Field(field.symbol, field.span));
                }
                TokenKind::LeftBracket => {
                    self.bump();
                    path.push(Designator::Index(self.expression()?));
                    self.close(TokenKind::RightBracket, self.span(token))?;
                }
                _ => return Ok(path),
            }
        }
    }
}
