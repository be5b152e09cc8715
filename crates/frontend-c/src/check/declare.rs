//! Declarations, at file scope and in blocks.

use super::Checker;
use super::linkage::Declared;
use super::scope::Entity;
use crate::hir::{FunctionId, GlobalId, GlobalOrigin, LocalId, StmtId, StmtKind};
use crate::syntax::{AttributeKind, Declaration, InitDeclarator, Name, Storage, TypeSpecifier};
use crate::types::Ty;
use source::Diagnostic;

impl Checker<'_> {
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) {
        self.declaration(declaration, &mut Vec::new());
    }

    /// Declares what a declaration says. In a block, what it does when executed is added to `out`.
    pub(super) fn declaration(&mut self, declaration: &Declaration, out: &mut Vec<StmtId>) {
        let base = self.specified_type(&declaration.specifiers);
        let base = self.attributed_type(base, &declaration.specifiers.attributes);
        self.flush_effects(out);
        for item in &declaration.declarators {
            self.declare(declaration, base, item, out);
        }
    }

    /// Makes statements of what computes the lengths of variable length arrays.
    pub(super) fn flush_effects(&mut self, out: &mut Vec<StmtId>) {
        for effect in std::mem::take(&mut self.vla_effects) {
            let span = self.span(effect);
            out.push(self.tables.stmt(StmtKind::Expr(effect), span));
        }
    }

    fn declare(&mut self, declaration: &Declaration, base: Ty, item: &InitDeclarator, out: &mut Vec<StmtId>) {
        let declarator = &item.declarator;
        let Some(name) = declarator.name else { return };
        let specifiers = &declaration.specifiers;
        let declared = Declared { specifiers, declarator };
        let ty = match (specifiers.ty, item.init) {
            (TypeSpecifier::Auto, Some(init)) => {
                let mark = self.tables.mark();
                let operand = self.unevaluated(init);
                let value = self.read(operand);
                let ty = self.ty(value);
                self.tables.reset(mark);
                self.types.qualified(ty, specifiers.qualifiers.into())
            }
            (TypeSpecifier::Auto, None) => {
                self.error(name.span, format!("`{}` needs an initialiser that gives it a type", name.symbol));
                Ty::ERROR
            }
            _ => {
                let ty = self.declared_type(base, declarator);
                self.attributed_type(ty, &declarator.attributes)
            }
        };
        self.flush_effects(out);
        if specifiers.storage == Some(Storage::Typedef) {
            if let Some(clause) = declarator.contract.first() {
                self.error(clause.span, "a type has no contract");
            }
            self.declare_typedef(name, ty, &declared);
        } else if ty.is_error() {
            self.scopes.declare(name.symbol, Entity::Error, name.span);
        } else if self.types.is_function(ty) {
            if item.init.is_some() {
                self.error(name.span, format!("`{}` is a function and cannot be initialised", name.symbol));
            }
            if let Some(function) = self.declare_function(name.symbol, ty, &declared, name.span) {
                self.bind_function(name, function);
                self.contract(function, declarator);
            }
        } else if ty.is_void() && specifiers.storage != Some(Storage::Extern) {
            self.error(name.span, format!("`{}` cannot have type `void`", name.symbol));
            self.scopes.declare(name.symbol, Entity::Error, name.span);
        } else if self.scopes.depth() == 0 && specifiers.storage == Some(Storage::Register) {
            self.scopes.declare(name.symbol, Entity::Register(ty), name.span);
        } else if self.scopes.depth() == 0 || specifiers.storage == Some(Storage::Extern) {
            self.declare_variable(name, ty, &declared, item);
        } else if specifiers.storage == Some(Storage::Static) {
            self.declare_static(name, ty, &declared, item);
        } else {
            self.declare_local(name, ty, &declared, item, out);
        }
    }

    fn declare_typedef(&mut self, name: Name, ty: Ty, declared: &Declared) {
        let mut ty = ty;
        if let Some(align) = self.declared_alignment(declared)
            && !ty.is_error()
        {
            ty = self.types.aligned(ty, align);
        }
        if declared.has(|kind| matches!(kind, AttributeKind::TransparentUnion))
            && let Some(record) = self.types.record(ty)
        {
            self.types.set_transparent(record);
        }
        if let Some(known) = self.scopes.find_here(name.symbol) {
            match known.meaning {
                Entity::Typedef(first) if self.types.compatible(first, ty) => return,
                Entity::Error => {}
                Entity::Typedef(first) => {
                    let message = format!(
                        "`{}` is declared as {}, but was {} before",
                        name.symbol,
                        self.quoted(ty),
                        self.quoted(first)
                    );
                    self.report(Diagnostic::error(name.span, message).secondary(known.span, "declared here first"));
                }
                _ => self.redeclared(name.symbol, name.span, known.span, "as a type"),
            }
        }
        let meaning = if ty.is_error() { Entity::Error } else { Entity::Typedef(ty) };
        self.scopes.declare(name.symbol, meaning, name.span);
    }

    fn bind_function(&mut self, name: Name, function: FunctionId) {
        if let Some(known) = self.scopes.find_here(name.symbol)
            && !matches!(known.meaning, Entity::Function(_) | Entity::Error)
        {
            self.redeclared(name.symbol, name.span, known.span, "as a function");
        }
        self.scopes.declare(name.symbol, Entity::Function(function), name.span);
    }

    /// A variable with linkage.
    fn declare_variable(&mut self, name: Name, ty: Ty, declared: &Declared, item: &InitDeclarator) {
        if self.types.is_variable_length(ty) {
            self.error(name.span, format!("`{}` has a variable length, but is not local", name.symbol));
            return;
        }
        let Some(global) = self.declare_global(name.symbol, ty, declared, name.span) else {
            self.scopes.declare(name.symbol, Entity::Error, name.span);
            return;
        };
        let is_extern = declared.specifiers.storage == Some(Storage::Extern);
        match item.init {
            Some(init) => {
                if let Some(first) = self.initialised.insert(global, name.span) {
                    let message = format!("`{}` is defined a second time", name.symbol);
                    self.report(Diagnostic::error(name.span, message).secondary(first, "the first definition is here"));
                    return;
                }
                self.globals[global.index()].span = name.span;
                let ty = self.globals[global.index()].ty;
                self.initialise_global(global, ty, init);
            }
            None if is_extern => {}
            // A tentative definition: zero, unless an initialiser follows.
            None => {
                let global = &mut self.globals[global.index()];
                if global.init.is_none() {
                    global.init = Some(Vec::new());
                    global.span = name.span;
                }
            }
        }
    }

    /// A `static` variable of a block.
    fn declare_static(&mut self, name: Name, ty: Ty, declared: &Declared, item: &InitDeclarator) {
        let Some(function) = self.frame.as_ref().map(|frame| frame.function) else { return };
        self.check_redeclared(name);
        if self.types.is_variable_length(ty) {
            self.error(name.span, format!("`{}` has a variable length, but static storage", name.symbol));
            return;
        }
        let global = self.static_object(name.symbol, GlobalOrigin::Static(function), ty, name.span);
        let align = self.declared_alignment(declared);
        let variable = &mut self.globals[global.index()];
        variable.init = Some(Vec::new());
        variable.align = align;
        variable.is_thread_local = declared.specifiers.is_thread_local;
        self.scopes.declare(name.symbol, Entity::Global(global), name.span);
        if let Some(init) = item.init {
            self.initialise_global(global, ty, init);
        }
        self.check_complete_global(global);
    }

    /// Reports a definition whose size nobody knows.
    pub(super) fn check_complete_global(&mut self, global: GlobalId) {
        let variable = &self.globals[global.index()];
        if variable.init.is_some() && !self.types.is_complete(variable.ty) && !variable.ty.is_error() {
            let message =
                format!("`{}` is defined with the incomplete type {}", variable.name, self.quoted(variable.ty));
            let span = variable.span;
            self.error(span, message);
        }
    }

    fn declare_local(&mut self, name: Name, ty: Ty, declared: &Declared, item: &InitDeclarator, out: &mut Vec<StmtId>) {
        self.check_redeclared(name);
        let local = self.tables.local(Some(name.symbol), ty, name.span);
        let align = self.declared_alignment(declared);
        self.tables.locals[local.index()].align = align;
        self.scopes.declare(name.symbol, Entity::Local(local), name.span);
        self.note_cleanup(local, declared);
        let is_variable = self.types.is_variable_length(ty);
        let init = match item.init {
            Some(init) if is_variable => {
                let span = self.unit[init].span;
                self.error(span, format!("`{}` has a variable length and cannot be initialised", name.symbol));
                None
            }
            Some(init) => {
                let (complete, init) = self.initialiser(ty, init);
                self.tables.locals[local.index()].ty = complete;
                Some(init)
            }
            None => None,
        };
        let ty = self.tables.locals[local.index()].ty;
        if !self.types.is_complete(ty) && !ty.is_error() {
            self.error(name.span, format!("`{}` has the incomplete type {}", name.symbol, self.quoted(ty)));
        }
        let size = is_variable.then(|| self.size_of_variable_length(ty, name.span));
        let span = name.span.to(item.init.map_or(name.span, |init| self.unit[init].span));
        out.push(self.tables.stmt(StmtKind::Declare { local, size, init }, span));
    }

    /// Reports a name that its scope has declared already.
    pub(super) fn check_redeclared(&mut self, name: Name) {
        if let Some(known) = self.scopes.find_here(name.symbol)
            && known.meaning != Entity::Error
        {
            let message = format!("`{}` is declared a second time in this scope", name.symbol);
            self.report(Diagnostic::error(name.span, message).secondary(known.span, "declared here first"));
        }
    }

    /// The function of a `cleanup` attribute.
    fn note_cleanup(&mut self, local: LocalId, declared: &Declared) {
        let attributes = declared.specifiers.attributes.iter().chain(&declared.declarator.attributes);
        for attribute in attributes {
            let AttributeKind::Cleanup(name) = attribute.kind else { continue };
            match self.scopes.find(name).map(|binding| binding.meaning) {
                Some(Entity::Function(function)) => self.tables.locals[local.index()].cleanup = Some(function),
                _ => self.error(attribute.span, format!("`{name}` is not a function")),
            }
        }
    }

    /// Whether the body of a definition may be followed by another one.
    pub(super) fn is_inline_only(&self, declared: &Declared) -> bool {
        let is_extern = declared.specifiers.storage == Some(Storage::Extern);
        declared.specifiers.is_inline && (is_extern || self.gnu_inline_only(declared).is_some())
    }

    /// For a definition that is `inline` by GNU's old rule: whether it is none for other files.
    pub(super) fn gnu_inline_only(&self, declared: &Declared) -> Option<bool> {
        let is_gnu = self.has_gnu_inline || declared.has(|kind| matches!(kind, AttributeKind::GnuInline));
        let is_extern = declared.specifiers.storage == Some(Storage::Extern);
        (declared.specifiers.is_inline && is_gnu).then_some(is_extern)
    }
}
