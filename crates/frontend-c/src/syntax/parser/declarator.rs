//! Declarators: the part of a declaration around one name.

use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::{Diagnostic, Symbol};

/// How deeply parameter lists may contain each other. They are kept in the tree by value, and freed by recursion.
const MAX_PARAMETER_NESTING: u32 = 200;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    Forbidden,
    /// In parameter lists.
    Optional,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Required)
    }

    /// A declarator without a name, perhaps empty.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Forbidden)
    }

    fn any_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let start = self.here();
        let first = self.at;
        let mut declarator = self.empty_declarator();
        self.declarator_into(&mut declarator, naming)?;
        declarator.span = if self.at == first { start } else { self.since(start) };
        Ok(declarator)
    }

    /// A declarator of nothing, as for an unnamed bit-field.
    pub(super) fn empty_declarator(&self) -> Declarator {
        let span = self.previous().after();
        let (attributes, contract) = (Vec::new(), Vec::new());
        Declarator { name: None, derived: Vec::new(), attributes, asm_label: None, contract, span }
    }

    /// Adds what this declarator derives behind what the declarators inside it derive.
    fn declarator_into(&mut self, declarator: &mut Declarator, naming: Naming) -> Parsed<()> {
        let before = declarator.attributes.len();
        let mut pointers = Vec::new();
        // How many attributes there are up to the last `*`.
        let mut inside = before;
        loop {
            match self.peek() {
                TokenKind::Attribute => self.attributes(&mut declarator.attributes)?,
                TokenKind::Star => {
                    self.bump();
                    inside = declarator.attributes.len();
                    pointers.push(self.qualifiers(&mut declarator.attributes)?);
                }
                _ => break,
            }
        }
        let behind = declarator.attributes.len();
        match self.peek() {
            TokenKind::Name if naming != Naming::Forbidden => {
                let token = self.bump();
                declarator.name = Some(self.name_of(token));
            }
            TokenKind::LeftParen if self.is_inner_declarator(naming) => {
                let open = self.here();
                self.bump();
                self.nest(|parser| parser.declarator_into(declarator, naming))?;
                self.close(TokenKind::RightParen, open)?;
            }
            _ if naming == Naming::Required => return self.expected("a name"),
            _ => {}
        }
        loop {
            let derived = match self.peek() {
                TokenKind::LeftBracket if !self.begins_standard_attribute() => Derived::Array(self.array()?),
                TokenKind::LeftParen => Derived::Function(self.nest(|parser| parser.parameters())?),
                _ => break,
            };
            declarator.derived.push(derived);
        }
        // An attribute of a type belongs to the pointer or function beside it. The tree keeps only those of the declared
        // entity itself, which are the ones behind the last `*` if that is all there is.
        let is_entity = declarator.derived.is_empty();
        let misplaced = if is_entity || pointers.is_empty() { before..inside } else { before..behind };
        let misplaced = declarator.attributes[misplaced].iter().find(|attribute| changes_type(&attribute.kind));
        if let Some(span) = misplaced.map(|attribute| attribute.span) {
            return self.fail(Diagnostic::error(span, "this attribute is not supported inside a declarator"));
        }
        declarator.derived.extend(pointers.into_iter().rev().map(Derived::Pointer));
        Ok(())
    }

    /// Whether the next parenthesis holds another declarator, and not parameters.
    fn is_inner_declarator(&self, naming: Naming) -> bool {
        let next = self.look(1);
        naming == Naming::Required
            || match next.kind {
                TokenKind::Star | TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::Attribute => true,
                TokenKind::Name => naming == Naming::Optional && !self.scopes.is_typedef(next.name),
                _ => false,
            }
    }

    fn array(&mut self) -> Parsed<ArrayDeclarator> {
        let open = self.here();
        self.bump();
        let mut is_static = self.eat(TokenKind::Static);
        // An attribute of an array parameter has no meaning that is kept.
        let qualifiers = self.qualifiers(&mut Vec::new())?;
        is_static |= self.eat(TokenKind::Static);
        let size = match self.peek() {
            TokenKind::RightBracket => ArraySize::Unspecified,
            TokenKind::Star if self.look(1).kind == TokenKind::RightBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.assignment()?),
        };
        self.close(TokenKind::RightBracket, open)?;
        Ok(ArrayDeclarator { size, is_static, qualifiers, span: self.since(open) })
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        let open = self.here();
        self.bump();
        if self.eat(TokenKind::RightParen) {
            return Ok(Parameters::Unspecified);
        }
        if self.is(TokenKind::Void) && self.look(1).kind == TokenKind::RightParen {
            self.bump();
            self.bump();
            return Ok(Parameters::Prototype { parameters: Vec::new(), is_variadic: false });
        }
        if self.is_name_list() {
            let names = self.name_list("the name of a parameter")?;
            self.close(TokenKind::RightParen, open)?;
            return Ok(Parameters::OldStyle(names));
        }
        if self.parameter_lists >= MAX_PARAMETER_NESTING {
            return self.too_deep(open);
        }
        self.parameter_lists += 1;
        self.scopes.enter();
        let result = self.prototype();
        self.scopes.leave();
        self.parameter_lists -= 1;
        let parameters = result?;
        self.close(TokenKind::RightParen, open)?;
        Ok(parameters)
    }

    /// Whether the next parameter is a bare name, as in the head of an old-style definition.
    fn is_name_list(&self) -> bool {
        let (first, second) = (self.token(), self.look(1));
        first.kind == TokenKind::Name
            && !self.scopes.is_typedef(first.name)
            && matches!(second.kind, TokenKind::Comma | TokenKind::RightParen)
    }

    /// Names between commas.
    pub(super) fn name_list(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn prototype(&mut self) -> Parsed<Parameters> {
        let mut parameters = Vec::new();
        loop {
            if !parameters.is_empty() && self.eat(TokenKind::Ellipsis) {
                return Ok(Parameters::Prototype { parameters, is_variadic: true });
            }
            parameters.push(self.parameter()?);
            if !self.eat(TokenKind::Comma) {
                return Ok(Parameters::Prototype { parameters, is_variadic: false });
            }
        }
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let start = self.here();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let token = self.token();
        if !self.begins_declaration(token) && token.kind != TokenKind::Extension {
            if token.kind != TokenKind::Name {
                return self.expected("a parameter");
            }
            self.unknown_type(token);
        }
        let specifiers = self.specifiers(Place::Inside, attributes)?;
        let mut declarator = self.any_declarator(Naming::Optional)?;
        self.attributes(&mut declarator.attributes)?;
        self.declare(&declarator, false);
        Ok(Parameter { specifiers, declarator, span: self.since(start) })
    }

    /// A declarator with a name and what may follow it: `asm("label")`, attributes and a contract.
    pub(super) fn full_declarator(&mut self) -> Parsed<Declarator> {
        let mut declarator = self.declarator()?;
        if self.eat(TokenKind::Asm) {
            let open = self.here();
            self.expect(TokenKind::LeftParen, "after `asm`")?;
            let label = self.plain_string("the name of a symbol")?;
            self.close(TokenKind::RightParen, open)?;
            declarator.asm_label = Some(Symbol::new(&label));
        }
        self.attributes(&mut declarator.attributes)?;
        self.contract(&mut declarator)?;
        Ok(declarator)
    }

    /// From here on, the name of a declarator is what was declared.
    pub(super) fn declare(&mut self, declarator: &Declarator, is_typedef: bool) {
        if let Some(name) = declarator.name {
            self.declare_name(name.symbol, is_typedef);
        }
    }

    pub(super) fn declare_name(&mut self, name: Symbol, is_typedef: bool) {
        self.scopes.declare(self.lexed.names.key(name), is_typedef);
    }

    /// A nested function is refused as a whole, by its name.
    pub(super) fn nested_function<T>(&mut self, declarator: &Declarator) -> Parsed<T> {
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        self.fail(Diagnostic::error(span, "a function inside a function is not supported"))
    }
}

/// Whether an attribute makes another type of the one it is written beside.
fn changes_type(kind: &AttributeKind) -> bool {
    matches!(
        kind,
        AttributeKind::Aligned(_)
            | AttributeKind::Packed
            | AttributeKind::Mode(_)
            | AttributeKind::VectorSize(_)
            | AttributeKind::TransparentUnion
    )
}
