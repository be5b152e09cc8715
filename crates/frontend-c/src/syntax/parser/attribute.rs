//! Attributes: GNU's `__attribute__((...))` and the standard's `[[...]]`. Those that change nothing for Fathom are dropped.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::Symbol;

impl Parser<'_> {
    /// Whether `[[` comes next.
    pub(super) fn begins_standard_attribute(&self) -> bool {
        self.is(TokenKind::LeftBracket) && self.look(1).kind == TokenKind::LeftBracket
    }

    /// Parses all attributes that come next, perhaps none.
    pub(super) fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            let open = self.here();
            if self.eat(TokenKind::Attribute) {
                self.expect(TokenKind::LeftParen, "after `__attribute__`")?;
                self.expect(TokenKind::LeftParen, "after `__attribute__`")?;
                self.attribute_list(TokenKind::RightParen, attributes)?;
                self.close(TokenKind::RightParen, open)?;
                self.close(TokenKind::RightParen, open)?;
            } else if self.begins_standard_attribute() {
                self.bump();
                self.bump();
                self.attribute_list(TokenKind::RightBracket, attributes)?;
                self.close(TokenKind::RightBracket, open)?;
                self.close(TokenKind::RightBracket, open)?;
            } else {
                return Ok(());
            }
        }
    }

    fn attribute_list(&mut self, end: TokenKind, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        while !self.is(end) {
            if !self.eat(TokenKind::Comma) {
                self.attribute(attributes)?;
            }
        }
        Ok(())
    }

    fn attribute(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        let start = self.here();
        let mut word = self.attribute_word()?;
        if self.is(TokenKind::Colon) && self.look(1).kind == TokenKind::Colon {
            self.bump();
            self.bump();
            word = self.attribute_word()?;
        }
        let kind = self.attribute_kind(&word)?;
        if self.is(TokenKind::LeftParen) {
            self.skip_parentheses()?;
        }
        attributes.extend(kind.map(|kind| Attribute { kind, span: self.since(start) }));
        Ok(())
    }

    /// The name of an attribute, which may be a keyword, without underscores around it.
    fn attribute_word(&mut self) -> Parsed<String> {
        let token = self.token();
        // Only names and keywords have a key.
        if token.name == 0 {
            return self.expected("an attribute");
        }
        self.bump();
        Ok(bare(self.lexed.names.symbol(token.name).as_str()).to_string())
    }

    /// The meaning of an attribute, together with its arguments if it has a meaning.
    fn attribute_kind(&mut self, word: &str) -> Parsed<Option<AttributeKind>> {
        Ok(Some(match word {
            "packed" => AttributeKind::Packed,
            "aligned" => AttributeKind::Aligned(self.optional_argument()?),
            "noreturn" | "_Noreturn" => AttributeKind::Noreturn,
            "transparent_union" => AttributeKind::TransparentUnion,
            "mode" => AttributeKind::Mode(self.argument(|parser| parser.name_argument("a machine mode"))?),
            "vector_size" => AttributeKind::VectorSize(self.argument(|parser| parser.conditional())?),
            "weak" => AttributeKind::Weak,
            "alias" => AttributeKind::Alias(self.argument(|parser| parser.symbol_argument())?),
            "weakref" if self.is(TokenKind::LeftParen) => {
                AttributeKind::Weakref(Some(self.argument(|parser| parser.symbol_argument())?))
            }
            "weakref" => AttributeKind::Weakref(None),
            "ifunc" => AttributeKind::Ifunc(self.argument(|parser| parser.symbol_argument())?),
            "constructor" => AttributeKind::Constructor(self.optional_argument()?),
            "destructor" => AttributeKind::Destructor(self.optional_argument()?),
            "cleanup" => AttributeKind::Cleanup(self.argument(|parser| parser.name_argument("a function"))?),
            "gnu_inline" => AttributeKind::GnuInline,
            "returns_twice" => AttributeKind::ReturnsTwice,
            "naked" => AttributeKind::Naked,
            "ms_struct" => AttributeKind::MsStruct,
            "scalar_storage_order" => {
                AttributeKind::ScalarStorageOrder(self.argument(|parser| parser.symbol_argument())?)
            }
            _ => return Ok(None),
        }))
    }

    /// The one argument in parentheses.
    fn argument<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after this attribute")?;
        let argument = rule(self)?;
        self.close(TokenKind::RightParen, open)?;
        Ok(argument)
    }

    fn optional_argument(&mut self) -> Parsed<Option<ExprId>> {
        if !self.is(TokenKind::LeftParen) {
            return Ok(None);
        }
        if self.look(1).kind == TokenKind::RightParen {
            self.bump();
            self.bump();
            return Ok(None);
        }
        self.argument(|parser| parser.conditional()).map(Some)
    }

    fn name_argument(&mut self, what: &str) -> Parsed<Symbol> {
        let name = self.name(what)?;
        Ok(Symbol::new(bare(name.symbol.as_str())))
    }

    fn symbol_argument(&mut self) -> Parsed<Symbol> {
        self.plain_string("a string").map(|text| Symbol::new(&text))
    }

    /// Skips a parenthesis with all that it holds.
    fn skip_parentheses(&mut self) -> Parsed<()> {
        let open = self.here();
        let mut depth = 0;
        loop {
            match self.peek() {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => depth -= 1,
                TokenKind::End => return self.close(TokenKind::RightParen, open).map(|_| ()),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// A word without two underscores on both sides.
fn bare(word: &str) -> &str {
    word.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).filter(|rest| !rest.is_empty()).unwrap_or(word)
}
