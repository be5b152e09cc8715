//! Calls of functions.

use super::Checker;
use super::convert::Purpose;
use super::expr::Operand;
use super::scope::Entity;
use crate::hir::{Callee, ExprId, ExprKind, FunctionId};
use crate::syntax;
use crate::types::{FunctionType, Ty};
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: syntax::ExprId, arguments: &[syntax::ExprId], span: Span) -> ExprId {
        let callee = match self.unit[callee].kind {
            syntax::ExprKind::Name(name) if self.scopes.find(name).is_none() => {
                let name_span = self.unit[callee].span;
                let special = self.contract_call(name, arguments, span);
                if let Some(result) = special.or_else(|| self.builtin_call(name, arguments, span)) {
                    return result;
                }
                Operand::Function(self.implicit_function(name, name_span), name_span)
            }
            _ => self.expr(callee),
        };
        let arguments: Vec<ExprId> = arguments.iter().map(|argument| self.rvalue(*argument)).collect();
        self.call_operand(callee, arguments, span)
    }

    /// Calls what an operand designates, with values as arguments.
    pub(super) fn call_operand(&mut self, callee: Operand, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let callee = match callee {
            Operand::Value(pointer) | Operand::Pointee(pointer) => match self.tables[pointer].kind {
                ExprKind::Function(function) => Operand::Function(function, self.span(pointer)),
                _ => callee,
            },
            _ => callee,
        };
        let (callee, ty, name) = match callee {
            Operand::Function(function, _) => {
                let entity = &self.functions[function.index()];
                (Callee::Direct(function), entity.ty, Some((entity.name, entity.span)))
            }
            operand => {
                let pointer = self.read(operand);
                let ty = self.ty(pointer);
                if ty.is_error() {
                    return self.wrong(span);
                }
                let target = self.types.pointee(ty).filter(|target| self.types.is_function(*target));
                let Some(target) = target else {
                    let message = format!("a value of type {} is not a function", self.quoted(ty));
                    return self.fail(self.span(pointer), message);
                };
                (Callee::Indirect { pointer, ty: target.unqualified() }, target, None)
            }
        };
        let Some(function) = self.types.function_type(ty).cloned() else { return self.wrong(span) };
        let Some(arguments) = self.arguments(&function, arguments, name, span) else { return self.wrong(span) };
        if !function.result.is_void() && !self.types.is_complete(function.result) {
            return self.fail(span, format!("the result type {} is incomplete here", self.quoted(function.result)));
        }
        self.value(ExprKind::Call { callee, arguments }, function.result, span)
    }

    /// The arguments as the function takes them; `None` after an error. The name is the function's, and where that
    /// is declared.
    fn arguments(
        &mut self,
        function: &FunctionType,
        arguments: Vec<ExprId>,
        name: Option<(Symbol, Span)>,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let expected = function.parameters.len();
        let given = arguments.len();
        if function.is_prototype && (given < expected || (given > expected && !function.is_variadic)) {
            let at_least = if function.is_variadic { "at least " } else { "" };
            let plural = if expected == 1 { "" } else { "s" };
            let shown = name.map_or("the function".to_owned(), |(name, _)| format!("`{name}`"));
            let verb = if given == 1 { "is" } else { "are" };
            let message = format!("{shown} takes {at_least}{expected} argument{plural}, but {given} {verb} given");
            let mut diagnostic = Diagnostic::error(span, message);
            if let Some((_, declared)) = name {
                diagnostic = diagnostic.secondary(declared, "declared here");
            }
            self.report(diagnostic);
            return None;
        }
        let mut converted = Vec::with_capacity(given);
        for (at, argument) in arguments.into_iter().enumerate() {
            let value = match function.parameters.get(at) {
                Some(parameter) if function.is_prototype => {
                    self.argument(argument, *parameter, Purpose::Argument(at + 1, name.map(|(name, _)| name)))
                }
                _ if self.ty(argument).is_void() => {
                    let span = self.span(argument);
                    self.fail(span, "this has no value: its type is `void`")
                }
                _ => self.promote_argument(argument),
            };
            converted.push(value);
        }
        let is_right = converted.iter().all(|value| !self.ty(*value).is_error());
        is_right.then_some(converted)
    }

    fn argument(&mut self, argument: ExprId, parameter: Ty, purpose: Purpose) -> ExprId {
        let is_transparent = self.types.record(parameter).is_some_and(|record| self.types[record].is_transparent);
        if is_transparent && !self.types.compatible_unqualified(self.ty(argument), parameter) {
            return self.transparent_argument(argument, parameter, purpose);
        }
        self.convert(argument, parameter, purpose)
    }

    /// An argument for a transparent union: as one of its members.
    fn transparent_argument(&mut self, argument: ExprId, parameter: Ty, purpose: Purpose) -> ExprId {
        let span = self.span(argument);
        if let Some(value) = self.cast_to_union(argument, parameter, span) {
            return value;
        }
        // A pointer fits every member that is a pointer, a null constant too.
        let ty = self.ty(argument);
        let is_pointer = self.types.is_pointer(ty) || self.is_null_constant(argument);
        let fields = self.types.record(parameter).and_then(|record| self.types[record].layout.as_ref());
        let pointer = fields.and_then(|layout| layout.fields.iter().find(|field| self.types.is_pointer(field.ty)));
        match pointer.map(|field| field.ty).filter(|_| is_pointer) {
            Some(member) => {
                let member = self.types.plain(member);
                let converted = self.cast(argument, member);
                match self.cast_to_union(converted, parameter, span) {
                    Some(value) => value,
                    None => self.convert(argument, parameter, purpose),
                }
            }
            None => self.convert(argument, parameter, purpose),
        }
    }

    /// A function that is called without having been declared: `int name()`, or what gcc knows under the name.
    fn implicit_function(&mut self, name: Symbol, span: Span) -> FunctionId {
        if let Some(Entity::Function(function)) = self.linked.get(&name) {
            return *function;
        }
        let function = match self.library_function(name.as_str(), span) {
            Some(function) => function,
            None => {
                let ty = self.types.function(FunctionType {
                    result: Ty::INT,
                    parameters: Box::new([]),
                    is_variadic: false,
                    is_prototype: false,
                });
                self.new_function(name, ty, span)
            }
        };
        self.functions[function.index()].is_implicit = true;
        let message = format!("`{name}` is called without having been declared");
        self.warnings.push(Diagnostic::warning(span, message));
        function
    }
}
