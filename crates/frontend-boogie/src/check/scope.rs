//! What names mean where.

use super::Checker;
use super::types::Type;
use crate::hir::{Meaning, VarId};
use crate::syntax::{Name, TypeRef};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span, Symbol};

/// A declared type.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub span: Span,
    pub parameters: Vec<Name>,
    pub synonym: Option<TypeRef>,
}

/// Variables by their names.
pub type Scope = FxHashMap<Symbol, VarId>;

impl Checker<'_> {
    /// Brings a variable into the innermost scope.
    pub(super) fn bring(&mut self, variable: VarId) {
        let info = self.unit.variable(variable);
        let (name, span) = (info.name, info.span);
        let Some(scope) = self.scopes.last_mut() else { return };
        if let Some(first) = scope.insert(name, variable) {
            let first = self.unit.variable(first).span;
            self.twice(name, span, first);
        }
    }

    pub(super) fn twice(&mut self, name: Symbol, span: Span, first: Span) {
        let message = format!("`{name}` is declared twice");
        self.report(Diagnostic::error(span, message).secondary(first, "declared here first"));
    }

    /// The variable of a name, if it is one.
    pub(super) fn find_variable(&self, name: Symbol) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&name)).or_else(|| self.globals.get(&name)).copied()
    }

    /// What a name means as an operand, with its type.
    pub(super) fn find_value(&mut self, name: Symbol) -> Option<(Meaning, Type)> {
        if let Some(variable) = self.find_variable(name) {
            return Some((Meaning::Variable(variable), self.unit.variable(variable).ty));
        }
        let constant = *self.constants.get(&name)?;
        Some((Meaning::Function(constant, Vec::new()), self.unit.function(constant).result))
    }
}
