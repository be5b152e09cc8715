//! Function definitions.

use super::Checker;
use super::contract::OpenClause;
use super::label::Labels;
use super::linkage::Declared;
use super::scope::Entity;
use super::switch::OpenSwitch;
use super::tables::Tables;
use crate::hir::{
    Body, FunctionBody, FunctionId, GlobalId, InitEntry, Initializer, LocalId, PlaceKind, StmtId, StmtKind,
};
use crate::syntax::{self, AttributeKind, Declaration, Derived, FunctionDefinition, Name, Parameters};
use crate::types::Ty;
use source::{Diagnostic, Span, Symbol};

/// The function that is being checked.
pub(super) struct Frame {
    pub function: FunctionId,
    /// Of its name.
    pub span: Span,
    pub result: Ty,
    /// The variable `__func__`, once it is used.
    pub name_variable: Option<GlobalId>,
    pub labels: Labels,
    /// The innermost is the last.
    pub switches: Vec<OpenSwitch>,
    /// How many statements we are in that `break` and `continue` leave.
    pub breakable: u32,
    pub continuable: u32,
    /// Why the body as a whole has no representation.
    pub unsupported: Option<(Symbol, Span)>,
    /// The clause of a contract that is being checked in the place of a function.
    pub clause: Option<OpenClause>,
}

/// The parameters of a definition.
pub(super) struct Signature {
    pub locals: Vec<LocalId>,
    pub types: Vec<Ty>,
    is_variadic: bool,
    is_prototype: bool,
    /// What happens before the body: old-style parameters get their declared types.
    pub prologue: Vec<StmtId>,
}

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) {
        let declarator = &definition.declarator;
        let Some(name) = declarator.name else { return };
        let [Derived::Function(parameters), outer @ ..] = &declarator.derived[..] else { return };
        let base = self.specified_type(&definition.specifiers);
        let base = self.attributed_type(base, &definition.specifiers.attributes);
        let result = self.derived_type(base, outer, declarator.span);
        if result.is_error() || !self.check_result(result, declarator.span) {
            self.scopes.declare(name.symbol, Entity::Error, name.span);
            return;
        }
        let file_tables = std::mem::take(&mut self.tables);
        self.frame = Some(Frame {
            function: FunctionId(0),
            span: name.span,
            result: self.types.plain(result),
            name_variable: None,
            labels: Labels::default(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            unsupported: None,
            clause: None,
        });
        self.scopes.enter();
        self.defined_function(definition, name, result, parameters);
        self.scopes.leave();
        self.frame = None;
        self.vla_effects.clear();
        self.tables = file_tables;
    }

    fn defined_function(&mut self, definition: &FunctionDefinition, name: Name, result: Ty, parameters: &Parameters) {
        let signature = self.signature(parameters, &definition.old_style);
        let ty = self.make_function_type(result, signature.types, signature.is_variadic, signature.is_prototype);
        if ty.is_error() {
            self.scopes.declare_outermost(name.symbol, Entity::Error, name.span);
            return;
        }
        if !result.is_void() && !self.types.is_complete(result) {
            self.error(name.span, format!("`{}` returns the incomplete type {}", name.symbol, self.quoted(result)));
        }
        let declared = Declared { specifiers: &definition.specifiers, declarator: &definition.declarator };
        if let Some(other) = self.scopes.find_outermost(name.symbol)
            && !matches!(other.meaning, Entity::Function(_) | Entity::Error)
        {
            self.redeclared(name.symbol, name.span, other.span, "as a function");
            return;
        }
        let Some(function) = self.declare_function(name.symbol, ty, &declared, name.span) else { return };
        self.scopes.declare_outermost(name.symbol, Entity::Function(function), name.span);
        self.contract(function, &definition.declarator);
        let is_replaceable = self.is_inline_only(&declared);
        if !self.may_define(function, name, is_replaceable) {
            return;
        }
        match self.gnu_inline_only(&declared) {
            Some(inline_only) => self.gnu_inline.insert(function, inline_only),
            None => self.gnu_inline.remove(&function),
        };
        if is_replaceable {
            self.replaceable.insert(function);
        } else {
            self.replaceable.remove(&function);
        }
        self.functions[function.index()].span = name.span;
        if let Some(frame) = &mut self.frame {
            frame.function = function;
        }
        let naked = declared.has(|kind| matches!(kind, AttributeKind::Naked));
        let mut statements = signature.prologue;
        self.function_body(definition.body, &mut statements);
        self.functions[function.index()].body = if naked {
            FunctionBody::Unsupported { what: "a function of assembler only".into(), span: name.span }
        } else {
            self.finish_body(definition, function, signature.locals, statements)
        };
    }

    /// Whether the function may get a body here; if it has one already, that must serve inlining only.
    fn may_define(&mut self, function: FunctionId, name: Name, is_replaceable: bool) -> bool {
        if matches!(self.functions[function.index()].body, FunctionBody::None) || self.replaceable.contains(&function) {
            return true;
        }
        // The definition that is there counts, not one for inlining.
        if !is_replaceable {
            let first = self.functions[function.index()].span;
            let message = format!("`{}` is defined a second time", name.symbol);
            self.report(Diagnostic::error(name.span, message).secondary(first, "the first definition is here"));
        }
        false
    }

    fn finish_body(
        &mut self,
        definition: &FunctionDefinition,
        function: FunctionId,
        parameters: Vec<LocalId>,
        mut statements: Vec<StmtId>,
    ) -> FunctionBody {
        let span = self.unit[definition.body].span;
        let end = Span::new(span.file, span.end.saturating_sub(1).max(span.start), span.end);
        self.check_labels();
        let frame_result = self.frame.as_ref().map_or(Ty::ERROR, |frame| frame.result);
        if self.functions[function.index()].name.as_str() == "main" && frame_result == Ty::INT {
            let zero = self.int(0, Ty::INT, end);
            statements.push(self.tables.stmt(StmtKind::Return(Some(zero)), end));
        }
        self.take_body(parameters, statements, span, end)
    }

    /// The body that was built, of these statements.
    pub(super) fn take_body(
        &mut self,
        parameters: Vec<LocalId>,
        statements: Vec<StmtId>,
        span: Span,
        end: Span,
    ) -> FunctionBody {
        let root = self.tables.stmt(StmtKind::Block(statements), span);
        let Tables { locals, labels, exprs, places, stmts } = std::mem::take(&mut self.tables);
        match self.frame.as_ref().and_then(|frame| frame.unsupported) {
            Some((what, span)) => FunctionBody::Unsupported { what, span },
            None => FunctionBody::Defined(Body { parameters, locals, labels, exprs, places, stmts, root, end }),
        }
    }

    /// The whole body cannot be represented.
    pub(super) fn unsupported_body(&mut self, what: &str, span: Span) {
        match &mut self.frame {
            Some(frame) => {
                frame.unsupported.get_or_insert((what.into(), span));
            }
            None => self.error(span, format!("{what} is not supported outside functions")),
        }
    }

    /// Declares the parameters in the scope of the function.
    pub(super) fn signature(&mut self, parameters: &Parameters, declarations: &[Declaration]) -> Signature {
        let mut signature = Signature {
            locals: Vec::new(),
            types: Vec::new(),
            is_variadic: false,
            is_prototype: false,
            prologue: Vec::new(),
        };
        match parameters {
            Parameters::Unspecified => {}
            Parameters::OldStyle(names) => self.old_style_parameters(names, declarations, &mut signature),
            Parameters::Prototype { parameters, is_variadic } => {
                signature.is_prototype = true;
                signature.is_variadic = *is_variadic;
                for parameter in parameters {
                    let (name, ty) = self.parameter_type(parameter);
                    self.check_parameter(ty, parameter.span);
                    signature.locals.push(self.declare_parameter(name, ty, parameter.span));
                    signature.types.push(ty);
                    self.flush_effects(&mut signature.prologue);
                }
            }
        }
        signature
    }

    fn declare_parameter(&mut self, name: Option<Name>, ty: Ty, span: Span) -> LocalId {
        let local = self.tables.local(name.map(|name| name.symbol), ty, name.map_or(span, |name| name.span));
        if let Some(name) = name {
            self.check_redeclared(name);
            self.scopes.declare(name.symbol, Entity::Local(local), name.span);
        }
        local
    }

    fn check_parameter(&mut self, ty: Ty, span: Span) {
        if !self.types.is_complete(ty) && !ty.is_error() {
            self.error(span, format!("a parameter cannot have the incomplete type {}", self.quoted(ty)));
        }
    }

    /// Arguments of an old-style function are passed promoted, and converted to the declared type inside.
    fn old_style_parameters(&mut self, names: &[Name], declarations: &[Declaration], signature: &mut Signature) {
        let types = self.old_style_types(names, declarations);
        for (name, ty) in names.iter().zip(types) {
            self.check_parameter(ty, name.span);
            let passed = if self.types.is_scalar(ty) { self.types.promoted_argument(ty) } else { ty };
            if passed == ty.unqualified() {
                signature.locals.push(self.declare_parameter(Some(*name), ty, name.span));
                continue;
            }
            let argument = self.tables.local(None, passed, name.span);
            signature.locals.push(argument);
            let local = self.declare_parameter(Some(*name), ty, name.span);
            let place = self.tables.place(PlaceKind::Local(argument), passed, name.span);
            let value = self.load(place);
            let value = self.cast(value, ty);
            let ty = self.ty(value);
            let init = Initializer { zero: false, entries: vec![InitEntry { offset: 0, bits: None, ty, value }] };
            let declare = StmtKind::Declare { local, size: None, init: Some(init) };
            signature.prologue.push(self.tables.stmt(declare, name.span));
        }
    }

    /// The declared types of old-style parameters; `int` for those that are not declared.
    fn old_style_types(&mut self, names: &[Name], declarations: &[Declaration]) -> Vec<Ty> {
        let mut types = vec![Ty::INT; names.len()];
        for declaration in declarations {
            let base = self.specified_type(&declaration.specifiers);
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else { continue };
                let ty = self.parameter_declarator_type(base, &item.declarator);
                match names.iter().position(|known| known.symbol == name.symbol) {
                    Some(at) => types[at] = ty,
                    None => self.error(name.span, format!("`{}` is not a parameter", name.symbol)),
                }
            }
        }
        types
    }

    fn function_body(&mut self, body: syntax::StmtId, out: &mut Vec<StmtId>) {
        let unit = self.unit;
        if let syntax::StmtKind::Block(statements) = &unit[body].kind {
            // The outermost block shares the scope of the parameters.
            for statement in statements {
                self.stmt(*statement, out);
            }
        }
    }
}
