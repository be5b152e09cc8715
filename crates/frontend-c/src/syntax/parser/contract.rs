//! Contracts: clauses between the declarator of a function and what follows it.

use super::{Parsed, Parser};
use crate::syntax::ast::*;
use crate::syntax::token::TokenKind;
use source::Diagnostic;

impl Parser<'_> {
    /// The clauses that come next, if the declarator is a function's. They can speak of its parameters.
    pub(super) fn contract(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        let Some(Derived::Function(parameters)) = declarator.derived.first() else { return Ok(()) };
        while let Some(kind) = self.clause_kind() {
            self.scopes.enter();
            self.declare_parameters(parameters);
            let clause = self.clause(kind);
            self.scopes.leave();
            declarator.contract.push(clause?);
        }
        Ok(())
    }

    /// From here on, the names of parameters are theirs.
    pub(super) fn declare_parameters(&mut self, parameters: &Parameters) {
        match parameters {
            Parameters::Prototype { parameters, .. } => {
                for parameter in parameters {
                    self.declare(&parameter.declarator, false);
                }
            }
            Parameters::OldStyle(names) => names.iter().for_each(|name| self.declare_name(name.symbol, false)),
            Parameters::Unspecified => {}
        }
    }

    fn clause_kind(&self) -> Option<ClauseKind> {
        let token = self.token();
        if token.kind != TokenKind::Name || self.look(1).kind != TokenKind::LeftParen {
            return None;
        }
        Some(match self.lexed.names.symbol(token.name).as_str() {
            "__fathom_requires" | "__CPROVER_requires" => ClauseKind::Requires,
            "__fathom_ensures" | "__CPROVER_ensures" => ClauseKind::Ensures,
            "__fathom_assigns" | "__CPROVER_assigns" => ClauseKind::Assigns,
            "__CPROVER_frees" => ClauseKind::Frees,
            _ => return None,
        })
    }

    fn clause(&mut self, kind: ClauseKind) -> Parsed<Clause> {
        let start = self.here();
        self.bump();
        let open = self.here();
        self.bump();
        let mut operands = Vec::new();
        let is_list = matches!(kind, ClauseKind::Assigns | ClauseKind::Frees);
        if !is_list || !self.is(TokenKind::RightParen) {
            operands.push(self.operand()?);
            while is_list && self.eat(TokenKind::Comma) {
                operands.push(self.operand()?);
            }
        }
        self.close(TokenKind::RightParen, open)?;
        Ok(Clause { kind, operands, span: self.since(start) })
    }

    fn operand(&mut self) -> Parsed<ExprId> {
        let operand = self.assignment()?;
        match self.peek() {
            TokenKind::Colon | TokenKind::Semicolon => {
                self.fail(Diagnostic::error(self.here(), "conditional targets in contracts are not supported"))
            }
            _ => Ok(operand),
        }
    }
}
