//! Declarations and function definitions.

use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::{Diagnostic, Span};

impl Parser<'_> {
    /// Everything up to the end of the text.
    pub(super) fn items(&mut self) {
        while !self.is(TokenKind::End) {
            let start = self.at;
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            match self.item() {
                Ok(item) => self.unit.items.push(item),
                Err(_) => {
                    self.recover(start);
                    if self.is(TokenKind::RightBrace) {
                        self.bump();
                    }
                }
            }
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.here();
        match self.peek() {
            TokenKind::StaticAssert => return self.static_assert().map(Item::StaticAssert),
            TokenKind::Asm => return self.asm_statement().map(Item::Asm),
            _ => {}
        }
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        if attributes.is_empty() && !self.begins_item() {
            return self.expected("a declaration or a function");
        }
        let specifiers = self.specifiers(Place::File, attributes)?;
        if self.is(TokenKind::Semicolon) {
            return self.declaration_end(specifiers, Vec::new(), start).map(Item::Declaration);
        }
        let declarator = self.full_declarator()?;
        if self.begins_body(&declarator) {
            return self.function(specifiers, declarator, start).map(Item::Function);
        }
        self.declaration_from(specifiers, declarator, start).map(Item::Declaration)
    }

    /// Whether the next token can begin something outside functions, implicit types included.
    fn begins_item(&self) -> bool {
        let token = self.token();
        matches!(
            token.kind,
            TokenKind::Name | TokenKind::Extension | TokenKind::Star | TokenKind::LeftParen | TokenKind::Attribute
        ) || self.begins_declaration(token)
    }

    /// Whether a function's body, or the declarations of its old-style parameters, come next.
    fn begins_body(&self, declarator: &Declarator) -> bool {
        match declarator.derived.first() {
            Some(Derived::Function(Parameters::OldStyle(_))) => {
                self.is(TokenKind::LeftBrace) || self.begins_declaration(self.token())
            }
            Some(Derived::Function(_)) => self.is(TokenKind::LeftBrace),
            _ => false,
        }
    }

    fn function(&mut self, specifiers: Specifiers, declarator: Declarator, start: Span) -> Parsed<FunctionDefinition> {
        self.declare(&declarator, false);
        self.scopes.enter();
        let result = self.function_rest(&declarator);
        self.scopes.leave();
        let (old_style, body) = result?;
        Ok(FunctionDefinition { specifiers, declarator, old_style, body, span: self.since(start) })
    }

    fn function_rest(&mut self, declarator: &Declarator) -> Parsed<(Vec<Declaration>, StmtId)> {
        if let Some(Derived::Function(parameters)) = declarator.derived.first() {
            self.declare_parameters(parameters);
        }
        let mut old_style = Vec::new();
        while !self.is(TokenKind::LeftBrace) {
            if !self.begins_declaration(self.token()) {
                return self.expected("`{` or the declaration of a parameter");
            }
            old_style.push(self.declaration(Vec::new())?);
        }
        Ok((old_style, self.block()?))
    }

    /// A declaration inside a function, with attributes that stood before it.
    pub(super) fn declaration(&mut self, attributes: Vec<Attribute>) -> Parsed<Declaration> {
        let start = attributes.first().map_or(self.here(), |attribute| attribute.span);
        let specifiers = self.specifiers(Place::Inside, attributes)?;
        if self.is(TokenKind::Semicolon) {
            return self.declaration_end(specifiers, Vec::new(), start);
        }
        let declarator = self.full_declarator()?;
        if self.begins_body(&declarator) {
            return self.nested_function(&declarator);
        }
        self.declaration_from(specifiers, declarator, start)
    }

    /// The rest of a declaration from behind its first declarator.
    fn declaration_from(
        &mut self,
        specifiers: Specifiers,
        mut declarator: Declarator,
        start: Span,
    ) -> Parsed<Declaration> {
        let is_typedef = specifiers.storage == Some(Storage::Typedef);
        let mut declarators = Vec::new();
        loop {
            self.declare(&declarator, is_typedef);
            let init = if self.eat(TokenKind::Equal) { Some(self.initialiser()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(TokenKind::Comma) {
                return self.declaration_end(specifiers, declarators, start);
            }
            declarator = self.full_declarator()?;
        }
    }

    fn declaration_end(
        &mut self,
        specifiers: Specifiers,
        declarators: Vec<InitDeclarator>,
        start: Span,
    ) -> Parsed<Declaration> {
        if self.is(TokenKind::LeftBrace) {
            let diagnostic = Diagnostic::error(self.here(), "expected `;` after the declaration, found `{`");
            return self.fail(diagnostic.label("only the declaration of a function may have a body"));
        }
        self.expect(TokenKind::Semicolon, "after the declaration")?;
        Ok(Declaration { specifiers, declarators, span: self.since(start) })
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.here();
        self.bump();
        let open = self.here();
        self.expect(TokenKind::LeftParen, "after `_Static_assert`")?;
        let condition = self.conditional()?;
        let message = if self.eat(TokenKind::Comma) { Some(self.plain_string("a message")?) } else { None };
        self.close(TokenKind::RightParen, open)?;
        self.expect(TokenKind::Semicolon, "after `_Static_assert`")?;
        Ok(StaticAssert { condition, message, span: self.since(start) })
    }
}
