//! The types that declarators derive: pointers, arrays, functions.

use super::Checker;
use super::constant::Constant;
use super::scope::Entity;
use crate::hir::{ExprKind, LocalId, PlaceKind};
use crate::syntax::{self, ArrayDeclarator, ArraySize, Declarator, Derived, Name, Parameter, Parameters};
use crate::types::{ArrayLength, FunctionType, Ty, TypeKind};
use source::Span;

/// How many steps a type may be away from a type that is not derived. Functions on types may recurse as deep.
const MAX_DERIVATIONS: u32 = 1000;

impl Checker<'_> {
    /// The type that a declarator gives to its name.
    pub(super) fn declared_type(&mut self, base: Ty, declarator: &Declarator) -> Ty {
        self.derived_type(base, &declarator.derived, declarator.span)
    }

    pub(super) fn derived_type(&mut self, base: Ty, derived: &[Derived], span: Span) -> Ty {
        let mut ty = base;
        for step in derived.iter().rev() {
            if ty.is_error() {
                return ty;
            }
            if self.types.depth(ty) >= MAX_DERIVATIONS {
                self.error(span, format!("this type is derived in more than {MAX_DERIVATIONS} steps"));
                return Ty::ERROR;
            }
            ty = match step {
                Derived::Pointer(qualifiers) => {
                    let pointer = self.types.pointer(ty);
                    self.types.qualified(pointer, (*qualifiers).into())
                }
                Derived::Array(array) => self.array_type(ty, array),
                Derived::Function(parameters) => self.function_type(ty, parameters, span),
            };
        }
        ty
    }

    fn array_type(&mut self, element: Ty, array: &ArrayDeclarator) -> Ty {
        if !self.check_element(element, array.span) {
            return Ty::ERROR;
        }
        let length = match array.size {
            ArraySize::Unspecified => ArrayLength::Unknown,
            ArraySize::Star => ArrayLength::Star,
            ArraySize::Expr(size) => match self.array_length(size) {
                Some(length) => length,
                None => return Ty::ERROR,
            },
        };
        if let ArrayLength::Known(length) = length {
            let size = self.types.size(element).unwrap_or(0).checked_mul(length);
            if size.is_none_or(|size| size > self.types.largest_size()) {
                self.error(array.span, "this array is larger than the address space");
                return Ty::ERROR;
            }
        }
        self.types.array(element, length)
    }

    fn check_element(&mut self, element: Ty, span: Span) -> bool {
        let is_right = self.types.is_complete(element) || element.is_error();
        if !is_right {
            self.error(span, format!("an array cannot have elements of type {}", self.quoted(element)));
        }
        is_right
    }

    /// The length that an expression gives to an array. `None` after an error.
    fn array_length(&mut self, size: syntax::ExprId) -> Option<ArrayLength> {
        let span = self.unit[size].span;
        let mark = self.tables.mark();
        let value = self.rvalue(size);
        let ty = self.ty(value);
        if ty.is_error() {
            return None;
        }
        if !self.types.is_integer(ty) {
            self.error(span, format!("the length of an array must be an integer, but has type {}", self.quoted(ty)));
            return None;
        }
        if let Some(Constant::Int(length)) = self.evaluate(value) {
            self.tables.reset(mark);
            if self.int_shape(ty).is_some_and(|shape| shape.signed) && length < 0 {
                self.error(span, format!("the length of an array cannot be {length}"));
                return None;
            }
            return Some(ArrayLength::Known(u64::try_from(length).unwrap_or(u64::MAX)));
        }
        if self.in_prototype > 0 {
            self.tables.reset(mark);
            return Some(ArrayLength::Star);
        }
        if self.frame.is_none() {
            self.error(span, "the length of an array outside functions is not constant");
            return None;
        }
        let value = self.promote(value);
        let size_type = self.types.size_type();
        let value = self.cast(value, size_type);
        Some(ArrayLength::Variable(self.keep_length(value, span)))
    }

    /// A variable for the length, set by one of the `vla_effects`.
    fn keep_length(&mut self, value: crate::hir::ExprId, span: Span) -> LocalId {
        let size_type = self.types.size_type();
        let local = self.tables.local(None, size_type, span);
        let place = self.tables.place(PlaceKind::Local(local), size_type, span);
        let effect = self.value(ExprKind::Assign { place, value }, size_type, span);
        self.vla_effects.push(effect);
        local
    }

    /// The type of a function that is declared, not defined.
    fn function_type(&mut self, result: Ty, parameters: &Parameters, span: Span) -> Ty {
        if !self.check_result(result, span) {
            return Ty::ERROR;
        }
        let (parameters, is_variadic, is_prototype) = match parameters {
            Parameters::Unspecified | Parameters::OldStyle(_) => (Vec::new(), false, false),
            Parameters::Prototype { parameters, is_variadic } => {
                self.in_prototype += 1;
                self.scopes.enter();
                let locals = self.tables.locals.len();
                let types = parameters.iter().map(|parameter| self.parameter(parameter)).collect();
                self.tables.locals.truncate(locals);
                self.scopes.leave();
                self.in_prototype -= 1;
                (types, *is_variadic, true)
            }
        };
        self.make_function_type(result, parameters, is_variadic, is_prototype)
    }

    pub(super) fn make_function_type(
        &mut self,
        result: Ty,
        parameters: Vec<Ty>,
        is_variadic: bool,
        is_prototype: bool,
    ) -> Ty {
        if result.is_error() || parameters.iter().any(|ty| ty.is_error()) {
            return Ty::ERROR;
        }
        let parameters = parameters.into_iter().map(|ty| self.without_lengths(ty.unqualified())).collect();
        self.types.function(FunctionType { result: result.unqualified(), parameters, is_variadic, is_prototype })
    }

    pub(super) fn check_result(&mut self, result: Ty, span: Span) -> bool {
        let is_wrong = self.types.is_function(result) || self.types.is_array(result);
        if is_wrong {
            self.error(span, format!("a function cannot return {}", self.quoted(result)));
        }
        !is_wrong
    }

    /// The type of a prototype's parameter. Its name is declared in the prototype's scope, so that later ones can speak of
    /// it.
    fn parameter(&mut self, parameter: &Parameter) -> Ty {
        let (name, ty) = self.parameter_type(parameter);
        if let Some(name) = name {
            let local = self.tables.local(Some(name.symbol), ty, name.span);
            self.scopes.declare(name.symbol, Entity::Local(local), name.span);
        }
        ty
    }

    /// A parameter's name and its type, as it is passed: arrays and functions are pointers.
    pub(super) fn parameter_type(&mut self, parameter: &Parameter) -> (Option<Name>, Ty) {
        let base = self.specified_type(&parameter.specifiers);
        let base = self.attributed_type(base, &parameter.specifiers.attributes);
        let ty = self.parameter_declarator_type(base, &parameter.declarator);
        let ty = self.attributed_type(ty, &parameter.declarator.attributes);
        if ty.is_void() {
            self.error(parameter.span, "a parameter cannot have type `void`");
            return (parameter.declarator.name, Ty::ERROR);
        }
        (parameter.declarator.name, ty)
    }

    pub(super) fn parameter_declarator_type(&mut self, base: Ty, declarator: &Declarator) -> Ty {
        // The outermost length of an array is not needed, since it becomes a pointer; but it is evaluated.
        if let [Derived::Array(array), inner @ ..] = &declarator.derived[..] {
            let element = self.derived_type(base, inner, declarator.span);
            if let ArraySize::Expr(size) = array.size {
                self.parameter_length(size);
            }
            if element.is_error() || !self.check_element(element, array.span) {
                return Ty::ERROR;
            }
            let pointer = self.types.pointer(element);
            return self.types.qualified(pointer, array.qualifiers.into());
        }
        let ty = self.declared_type(base, declarator);
        self.decayed(ty)
    }

    /// Evaluates the length of an array that is a parameter.
    fn parameter_length(&mut self, size: syntax::ExprId) {
        let mark = self.tables.mark();
        let value = self.rvalue(size);
        let ty = self.ty(value);
        if !self.types.is_integer(ty) && !ty.is_error() {
            let span = self.unit[size].span;
            self.error(span, format!("the length of an array must be an integer, but has type {}", self.quoted(ty)));
        }
        if self.in_prototype > 0 || self.frame.is_none() || !self.tables.has_effects_since(mark) {
            self.tables.reset(mark);
        } else {
            self.vla_effects.push(value);
        }
    }

    /// The type of a value that a parameter of array or function type takes.
    pub(super) fn decayed(&mut self, ty: Ty) -> Ty {
        match *self.types.kind(ty) {
            TypeKind::Array { element, .. } => self.types.pointer(element),
            TypeKind::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    /// The type with all variable lengths left open: what a type says outside the function whose variables they are.
    fn without_lengths(&mut self, ty: Ty) -> Ty {
        match *self.types.kind(ty) {
            TypeKind::Pointer(target) => {
                let open = self.without_lengths(target);
                if open == target {
                    return ty;
                }
                let pointer = self.types.pointer(open);
                self.types.qualified(pointer, ty.qualifiers())
            }
            TypeKind::Array { element, length } => {
                let open = self.without_lengths(element);
                match length {
                    ArrayLength::Variable(_) => self.types.array(open, ArrayLength::Star),
                    _ if open == element => ty,
                    _ => self.types.array(open, length),
                }
            }
            _ => ty,
        }
    }

    /// The array type with this length instead of an unknown one.
    pub(super) fn with_length(&mut self, ty: Ty, length: u64) -> Ty {
        let TypeKind::Array { element, length: ArrayLength::Unknown } = *self.types.kind(ty) else { return ty };
        let complete = self.types.array(element, ArrayLength::Known(length));
        match self.types.chosen_align(ty) {
            Some(align) => self.types.aligned(complete, align),
            None => complete,
        }
    }
}
