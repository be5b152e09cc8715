//! Declarations.

use super::Parser;
use super::error::Parsed;
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        while !self.is(TokenKind::End) {
            let start = self.at;
            if self.declaration().is_err() {
                self.recover_declaration(start);
            }
        }
    }

    fn declaration(&mut self) -> Parsed<()> {
        match self.peek() {
            TokenKind::KwType => self.type_declaration(),
            TokenKind::KwConst => self.constants(),
            TokenKind::KwFunction => self.function(),
            TokenKind::KwAxiom => self.axiom(),
            TokenKind::KwVar => {
                let (attributes, variables) = self.variables()?;
                self.declare(attributes, DeclarationKind::Globals(variables));
                Ok(())
            }
            TokenKind::KwProcedure => self.procedure(),
            TokenKind::KwImplementation => self.implementation(),
            TokenKind::Name if self.is_word("datatype") => self.datatype(),
            // Words that newer versions of the language put before a procedure.
            TokenKind::Name
                if ["yield", "pure", "async"].iter().any(|word| self.is_word(word))
                    && self.peek_second() == TokenKind::KwProcedure =>
            {
                self.bump();
                self.procedure()
            }
            _ => self.expected("a declaration"),
        }
    }

    fn declare(&mut self, attributes: Attributes, kind: DeclarationKind) {
        self.tree.declarations.push(Declaration { attributes, kind });
    }

    pub(super) fn attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        while self.is(TokenKind::LeftAttribute) {
            let open = self.here();
            self.bump();
            // A keyword may be a key: `{:free}`.
            let token = self.bump();
            let bytes = &self.text[token.start as usize..token.end as usize];
            let key = source::Symbol::new(&String::from_utf8_lossy(bytes));
            let mut arguments = Vec::new();
            while !self.is(TokenKind::RightBrace) && !self.is(TokenKind::End) {
                arguments.push(match self.peek() {
                    TokenKind::String => Argument::Text(self.bump().text),
                    _ => Argument::Expr(self.expression()?),
                });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.close(TokenKind::RightBrace, open)?;
            attributes.0.push(Attribute { key, arguments });
        }
        Ok(attributes)
    }

    fn type_declaration(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        if self.is_word("finite") && self.peek_second() == TokenKind::Name {
            self.bump();
        }
        loop {
            let name = self.name("the name of a type")?;
            let mut parameters = Vec::new();
            while self.is(TokenKind::Name) {
                parameters.push(self.name("a type parameter")?);
            }
            let synonym = if self.eat(TokenKind::Is) { Some(self.ty()?) } else { None };
            self.declare(attributes.clone(), DeclarationKind::Type { name, parameters, synonym });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon, "after the type")?;
        Ok(())
    }

    fn datatype(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.name("the name of a datatype")?;
        let parameters = self.type_parameters()?;
        let open = self.expect(TokenKind::LeftBrace, "before the constructors")?;
        let open = self.span(open);
        let constructors = self.separated(|p| Ok((p.name("a constructor")?, p.parameters()?)))?;
        self.close(TokenKind::RightBrace, open)?;
        self.declare(attributes, DeclarationKind::Datatype { name, parameters, constructors });
        Ok(())
    }

    fn constants(&mut self) -> Parsed<()> {
        self.bump();
        let mut attributes = self.attributes()?;
        let unique = self.eat(TokenKind::KwUnique);
        attributes.0.extend(self.attributes()?.0);
        let names = self.names("the name of a constant")?;
        self.expect(TokenKind::Colon, "before the type")?;
        let ty = self.ty()?;
        let mut order = None;
        if self.eat_word("extends") || self.eat(TokenKind::Extends) {
            let mut parents = Vec::new();
            while self.is(TokenKind::KwUnique) || self.is(TokenKind::Name) && !self.is_word("complete") {
                self.eat(TokenKind::KwUnique);
                parents.push(self.name("a parent")?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            order = Some(Order { parents });
        }
        if self.eat_word("complete") {
            order.get_or_insert(Order { parents: Vec::new() });
        }
        if !self.uses()? {
            self.expect(TokenKind::Semicolon, "after the constant")?;
        }
        let constant = |name| Variable { attributes: Attributes::default(), name, ty, condition: None };
        let constants = names.into_iter().map(constant).collect();
        self.declare(attributes, DeclarationKind::Constants { unique, constants, order });
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let name = self.name("the name of a function")?;
        let type_parameters = self.type_parameters()?;
        let mut parameters: Vec<(Option<Name>, TypeRef)> = Vec::new();
        // Names that wait for the type behind the next colon: `(x, y: int)`.
        let mut waiting: Vec<Name> = Vec::new();
        let open = self.expect(TokenKind::LeftParen, "before the parameters")?;
        let open = self.span(open);
        while !self.is(TokenKind::RightParen) {
            self.attributes()?;
            let is_named = self.is(TokenKind::Name) && self.peek_second() == TokenKind::Colon;
            if is_named || self.is_untyped_name() {
                waiting.push(self.name("a parameter")?);
                if is_named {
                    self.bump();
                    let ty = self.ty()?;
                    parameters.extend(waiting.drain(..).map(|name| (Some(name), ty)));
                }
            } else {
                parameters.push((None, self.ty()?));
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RightParen, open)?;
        let result = if self.eat(TokenKind::KwReturns) {
            let open = self.expect(TokenKind::LeftParen, "before the type of the result")?;
            let open = self.span(open);
            self.attributes()?;
            if self.is(TokenKind::Name) && self.peek_second() == TokenKind::Colon {
                self.bump();
                self.bump();
            }
            let ty = self.ty()?;
            self.close(TokenKind::RightParen, open)?;
            ty
        } else {
            self.expect(TokenKind::Colon, "before the type of the result")?;
            self.ty()?
        };
        let body = if self.is(TokenKind::LeftBrace) {
            let open = self.here();
            self.bump();
            let body = self.expression()?;
            self.close(TokenKind::RightBrace, open)?;
            if !self.uses()? {
                self.eat(TokenKind::Semicolon);
            }
            Some(body)
        } else {
            if !self.uses()? {
                self.expect(TokenKind::Semicolon, "after the function")?;
            }
            None
        };
        let function = Function { name, type_parameters, parameters, result, body };
        self.declare(attributes, DeclarationKind::Function(function));
        Ok(())
    }

    /// Whether the name that comes next is one of several before a colon: only names and commas lie between.
    fn is_untyped_name(&self) -> bool {
        let mut at = self.at;
        loop {
            if self.tokens[at].kind != TokenKind::Name {
                return false;
            }
            match self.tokens[at + 1].kind {
                TokenKind::Comma => at += 2,
                TokenKind::Colon => return true,
                _ => return false,
            }
        }
    }

    /// `uses { axiom e; ... }`: axioms that stand with what they are about. Whether there are some.
    fn uses(&mut self) -> Parsed<bool> {
        if !self.eat_word("uses") {
            return Ok(false);
        }
        let open = self.here();
        self.expect(TokenKind::LeftBrace, "before the axioms")?;
        while self.is(TokenKind::KwAxiom) {
            self.axiom()?;
        }
        self.close(TokenKind::RightBrace, open)?;
        self.eat(TokenKind::Semicolon);
        Ok(true)
    }

    fn axiom(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let axiom = self.expression()?;
        self.expect(TokenKind::Semicolon, "after the axiom")?;
        self.declare(attributes, DeclarationKind::Axiom(axiom));
        Ok(())
    }

    /// `var {:a} x, y: T where e, z: U;`
    pub(super) fn variables(&mut self) -> Parsed<(Attributes, Vec<Variable>)> {
        self.bump();
        let attributes = self.attributes()?;
        let variables = self.separated(Self::typed_names)?.into_iter().flatten();
        let variables: Vec<Variable> = variables
            .map(|v| if v.attributes.0.is_empty() { Variable { attributes: attributes.clone(), ..v } } else { v })
            .collect();
        self.expect(TokenKind::Semicolon, "after the variables")?;
        Ok((attributes, variables))
    }

    /// `x, y: T where e`
    pub(super) fn typed_names(&mut self) -> Parsed<Vec<Variable>> {
        let mut names = Vec::new();
        loop {
            let attributes = self.attributes()?;
            names.push((attributes, self.name("the name of a variable")?));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Colon, "before the type")?;
        let ty = self.ty()?;
        let condition = if self.eat(TokenKind::KwWhere) { Some(self.expression()?) } else { None };
        Ok(names.into_iter().map(|(attributes, name)| Variable { attributes, name, ty, condition }).collect())
    }

    fn parameters(&mut self) -> Parsed<Vec<Variable>> {
        Ok(self.list(Self::typed_names)?.into_iter().flatten().collect())
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let name = self.name("the name of a procedure")?;
        let type_parameters = self.type_parameters()?;
        let parameters = self.parameters()?;
        let results = if self.eat(TokenKind::KwReturns) { self.parameters()? } else { Vec::new() };
        Ok(Signature { name, type_parameters, parameters, results })
    }

    fn procedure(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let signature = self.signature()?;
        let is_declared_only = self.eat(TokenKind::Semicolon);
        let mut procedure =
            Procedure { signature, requires: Vec::new(), ensures: Vec::new(), modifies: Vec::new(), body: None };
        self.specification(&mut procedure)?;
        if self.is(TokenKind::LeftBrace) {
            procedure.body = Some(self.body()?);
            self.eat(TokenKind::Semicolon);
        } else if !is_declared_only
            && procedure.requires.is_empty()
            && procedure.ensures.is_empty()
            && procedure.modifies.is_empty()
        {
            return self.expected("`;` or a body after the procedure");
        }
        self.declare(attributes, DeclarationKind::Procedure(procedure));
        Ok(())
    }

    fn specification(&mut self, procedure: &mut Procedure) -> Parsed<()> {
        loop {
            let start = self.here();
            let free = self.eat(TokenKind::KwFree);
            match self.peek() {
                TokenKind::KwModifies => {
                    self.bump();
                    self.attributes()?;
                    if !self.is(TokenKind::Semicolon) {
                        procedure.modifies.extend(self.names("the name of a global")?);
                    }
                    self.expect(TokenKind::Semicolon, "after the clause")?;
                }
                TokenKind::KwRequires => {
                    let clause = self.clause(free, start)?;
                    procedure.requires.push(clause);
                }
                TokenKind::KwEnsures => {
                    let clause = self.clause(free, start)?;
                    procedure.ensures.push(clause);
                }
                _ if free => return self.expected("`requires`, `ensures` or `modifies`"),
                _ => return Ok(()),
            }
        }
    }

    /// The keyword, attributes, a condition and a semicolon.
    pub(super) fn clause(&mut self, free: bool, start: source::Span) -> Parsed<Clause> {
        self.bump();
        self.attributes()?;
        let condition = self.expression()?;
        let span = self.since(start);
        self.expect(TokenKind::Semicolon, "after the clause")?;
        Ok(Clause { free, condition, span })
    }

    fn implementation(&mut self) -> Parsed<()> {
        self.bump();
        let attributes = self.attributes()?;
        let signature = self.signature()?;
        self.eat(TokenKind::Semicolon);
        let body = self.body()?;
        self.declare(attributes, DeclarationKind::Implementation(Implementation { signature, body }));
        Ok(())
    }
}
