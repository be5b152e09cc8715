//! Names with linkage: all declarations of a variable or function, in whatever scope, are of one entity.

use super::Checker;
use super::attribute::has;
use super::scope::Entity;
use crate::hir::{Contract, Function, FunctionBody, FunctionId, Global, GlobalId, GlobalOrigin, Linkage, Uses};
use crate::syntax::{Attribute, AttributeKind, Declarator, Specifiers, Storage};
use crate::types::{ArrayLength, Ty, TypeKind};
use source::{Diagnostic, Span, Symbol};

/// A declaration that says its name means another entity too.
pub(super) struct Alias {
    pub entity: Entity,
    pub target: Symbol,
    pub span: Span,
    /// Whether it is fine if there is no such entity here.
    pub is_reference: bool,
}

/// What a declaration says beside name and type.
pub(super) struct Declared<'a> {
    pub specifiers: &'a Specifiers,
    pub declarator: &'a Declarator,
}

impl<'a> Declared<'a> {
    fn attributes(&self) -> impl Iterator<Item = &'a Attribute> {
        self.specifiers.attributes.iter().chain(&self.declarator.attributes)
    }

    pub fn has(&self, test: impl Fn(&AttributeKind) -> bool + Copy) -> bool {
        has(&self.specifiers.attributes, test) || has(&self.declarator.attributes, test)
    }
}

impl Checker<'_> {
    /// A link name for something that has none of its own. It has a dot, as no name in C has.
    pub(super) fn unique_link_name(&mut self, wanted: String) -> Symbol {
        let count = self.link_names.entry(wanted.clone()).or_default();
        *count += 1;
        if *count == 1 { Symbol::new(&wanted) } else { Symbol::new(&format!("{wanted}.{count}")) }
    }

    /// A new object with static storage but no linkage, without a value yet.
    pub(super) fn static_object(&mut self, name: Symbol, origin: GlobalOrigin, ty: Ty, span: Span) -> GlobalId {
        let wanted = match origin {
            GlobalOrigin::Static(function) => format!("{}.{name}", self.functions[function.index()].name),
            _ => format!("file.{name}"),
        };
        let link_name = self.unique_link_name(wanted);
        let name = if origin == GlobalOrigin::CompoundLiteral { link_name } else { name };
        self.new_global(name, link_name, origin, Linkage::Internal, ty, span)
    }

    fn new_global(
        &mut self,
        name: Symbol,
        link_name: Symbol,
        origin: GlobalOrigin,
        linkage: Linkage,
        ty: Ty,
        span: Span,
    ) -> GlobalId {
        self.globals.push(Global {
            name,
            link_name,
            origin,
            linkage,
            ty,
            size: None,
            align: None,
            init: None,
            is_thread_local: false,
            is_weak: false,
            is_tentative: false,
            alias: None,
            uses: Uses::default(),
            span,
        });
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// Declares a variable with linkage. `None` after an error.
    pub(super) fn declare_global(&mut self, name: Symbol, ty: Ty, declared: &Declared, span: Span) -> Option<GlobalId> {
        let storage = declared.specifiers.storage;
        let known = self.linked.get(&name).copied();
        let hidden = self.scopes.find_here(name).filter(|binding| Some(binding.meaning) != known);
        if let Some(other) = hidden.filter(|binding| binding.meaning != Entity::Error) {
            self.redeclared(name, span, other.span, "as something else");
            return None;
        }
        let id = match known {
            Some(Entity::Global(id)) => {
                self.merge_global(id, ty, storage, span)?;
                id
            }
            Some(Entity::Function(function)) => {
                let first = self.functions[function.index()].span;
                self.redeclared(name, span, first, "as something else");
                return None;
            }
            _ => {
                let linkage = if storage == Some(Storage::Static) { Linkage::Internal } else { Linkage::External };
                let id = self.new_global(name, name, GlobalOrigin::File, linkage, ty, span);
                self.linked.insert(name, Entity::Global(id));
                id
            }
        };
        self.scopes.declare(name, Entity::Global(id), span);
        let align = self.declared_alignment(declared);
        let global = &mut self.globals[id.index()];
        global.align = global.align.max(align);
        global.is_thread_local |= declared.specifiers.is_thread_local;
        global.is_weak |= declared.has(|kind| matches!(kind, AttributeKind::Weak));
        if let Some(label) = declared.declarator.asm_label {
            global.link_name = label;
        }
        self.note_alias(Entity::Global(id), declared);
        Some(id)
    }

    fn merge_global(&mut self, id: GlobalId, ty: Ty, storage: Option<Storage>, span: Span) -> Option<()> {
        let (name, known, first) = {
            let global = &self.globals[id.index()];
            (global.name, global.ty, global.span)
        };
        if !self.types.compatible(known, ty) {
            self.conflicting(name, known, ty, span, first);
            return None;
        }
        if storage == Some(Storage::Static) && self.globals[id.index()].linkage == Linkage::External {
            self.redeclared(name, span, first, "`static`, but was not before");
            return None;
        }
        self.globals[id.index()].ty = self.types.composite(known, ty);
        Some(())
    }

    /// The alignment that a declaration asks for.
    pub(super) fn declared_alignment(&mut self, declared: &Declared) -> Option<u32> {
        let by_specifiers = self.chosen_align(&declared.specifiers.attributes);
        by_specifiers.max(self.chosen_align(&declared.declarator.attributes))
    }

    fn note_alias(&mut self, entity: Entity, declared: &Declared) {
        for attribute in declared.attributes() {
            let (target, is_reference) = match attribute.kind {
                AttributeKind::Alias(target) => (target, false),
                AttributeKind::Weakref(Some(target)) => (target, true),
                _ => continue,
            };
            self.aliases.push(Alias { entity, target, span: attribute.span, is_reference });
        }
    }

    pub(super) fn new_function(&mut self, name: Symbol, ty: Ty, span: Span) -> FunctionId {
        let id = self.push_function(name, ty, span);
        self.linked.insert(name, Entity::Function(id));
        id
    }

    /// A new function that no name means yet.
    pub(super) fn push_function(&mut self, name: Symbol, ty: Ty, span: Span) -> FunctionId {
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Function {
            name,
            link_name: name,
            linkage: Linkage::External,
            ty,
            body: FunctionBody::None,
            is_implicit: false,
            is_noreturn: false,
            returns_twice: false,
            is_weak: false,
            is_inline_only: false,
            address_taken: false,
            alias: None,
            constructor: None,
            destructor: None,
            contract: Contract::default(),
            span,
        });
        id
    }

    /// Declares a function. `None` after an error.
    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: Ty,
        declared: &Declared,
        span: Span,
    ) -> Option<FunctionId> {
        let storage = declared.specifiers.storage;
        let known = self.linked.get(&name).copied();
        let id = match known {
            Some(Entity::Function(id)) => {
                self.merge_function(id, ty, span)?;
                id
            }
            Some(Entity::Global(global)) => {
                let first = self.globals[global.index()].span;
                self.redeclared(name, span, first, "as something else");
                return None;
            }
            _ => self.new_function(name, ty, span),
        };
        if storage == Some(Storage::Static) {
            self.functions[id.index()].linkage = Linkage::Internal;
        }
        let constructor = self.priority(declared, |kind| match kind {
            AttributeKind::Constructor(priority) => Some(*priority),
            _ => None,
        });
        let destructor = self.priority(declared, |kind| match kind {
            AttributeKind::Destructor(priority) => Some(*priority),
            _ => None,
        });
        if !declared.specifiers.is_inline || storage == Some(Storage::Extern) {
            self.declared_plainly.insert(id);
        }
        let function = &mut self.functions[id.index()];
        function.is_noreturn |= declared.specifiers.is_noreturn;
        function.is_noreturn |= declared.has(|kind| matches!(kind, AttributeKind::Noreturn));
        function.returns_twice |= declared.has(|kind| matches!(kind, AttributeKind::ReturnsTwice));
        function.is_weak |= declared.has(|kind| matches!(kind, AttributeKind::Weak));
        function.constructor = function.constructor.or(constructor);
        function.destructor = function.destructor.or(destructor);
        if let Some(label) = declared.declarator.asm_label {
            function.link_name = label;
        }
        self.note_alias(Entity::Function(id), declared);
        Some(id)
    }

    /// The priority of a constructor or destructor; later than all others if none is given.
    fn priority(
        &mut self,
        declared: &Declared,
        part: impl Fn(&AttributeKind) -> Option<Option<crate::syntax::ExprId>>,
    ) -> Option<u32> {
        let written = declared.attributes().find_map(|attribute| part(&attribute.kind))?;
        let value = written.and_then(|expr| self.constant_int(expr, "a priority"));
        Some(value.and_then(|(value, _)| u32::try_from(value).ok()).unwrap_or(65535))
    }

    fn merge_function(&mut self, id: FunctionId, ty: Ty, span: Span) -> Option<()> {
        let function = &self.functions[id.index()];
        let (name, known, first) = (function.name, function.ty, function.span);
        if self.types.compatible(known, ty) {
            self.functions[id.index()].ty = self.types.composite(known, ty);
        } else if function.is_implicit {
            // What a call made up gives way to what the program says.
            self.functions[id.index()].ty = ty;
        } else {
            self.conflicting(name, known, ty, span, first);
            return None;
        }
        let function = &mut self.functions[id.index()];
        if function.is_implicit {
            function.is_implicit = false;
            function.span = span;
        }
        Some(())
    }

    fn conflicting(&mut self, name: Symbol, known: Ty, ty: Ty, span: Span, first: Span) {
        let message = format!(
            "`{name}` is declared with type {}, which does not fit its earlier type {}",
            self.quoted(ty),
            self.quoted(known)
        );
        self.report(Diagnostic::error(span, message).secondary(first, "declared here first"));
    }

    pub(super) fn redeclared(&mut self, name: Symbol, span: Span, first: Span, how: &str) {
        let message = format!("`{name}` is declared again {how}");
        self.report(Diagnostic::error(span, message).secondary(first, "declared here first"));
    }

    /// An array that is defined without a length has one element.
    pub(super) fn complete_tentative(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty) {
            TypeKind::Array { length: ArrayLength::Unknown, .. } => self.with_length(ty, 1),
            _ => ty,
        }
    }
}
