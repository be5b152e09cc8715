//! Calls.

use super::function::{Passed, Rest, Signature, received};
use super::library::Call;
use super::link::In;
use super::reach::Target;
use super::storage::{Shape, leaves, to_stored};
use super::value::{RecordValue, Typed, Value};
use super::writer::Writer;
use crate::hir::{Callee, ExprId, FunctionId};
use crate::types::{Scalar, Ty};
use ir::{Op, ProcId};
use source::Span;
use term::Term;

impl Writer<'_, '_> {
    /// A call, and the value that it gives.
    pub fn call(&mut self, callee: Callee, arguments: &[ExprId], ty: Ty, span: Span, target: Option<Term>) -> Value {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        let mut pointer = None;
        if let Callee::Indirect { pointer: callee, .. } = callee {
            let later = self.effects_of_all(arguments);
            let value = self.scalar(callee);
            pointer = Some(self.protect(value, &later));
        }
        let arguments = self.arguments(arguments);
        self.set_span(span);
        self.is_discarded = is_discarded;
        match (callee, pointer) {
            (Callee::Indirect { .. }, Some(pointer)) => self.call_pointer(pointer, arguments, ty),
            (Callee::Direct(id), _) => {
                let function = self.context.link.definition(In { unit: self.unit, id });
                self.call_function(function, arguments, ty, target)
            }
            _ => self.unsupported_value("a call of nothing", ty),
        }
    }

    fn effects_of_all(&mut self, exprs: &[ExprId]) -> super::effects::Effects {
        let mut all = super::effects::Effects::default();
        for expr in exprs {
            let own = self.effects(*expr);
            all.add(&own);
        }
        all
    }

    /// The values of arguments. C leaves the order open; gcc evaluates them from right to left.
    pub fn arguments(&mut self, exprs: &[ExprId]) -> Vec<Typed> {
        let mut values = Vec::with_capacity(exprs.len());
        for (i, expr) in exprs.iter().enumerate().rev() {
            let value = self.value(*expr);
            let later = self.effects_of_all(&exprs[..i]);
            values.push(Typed { value: self.protect_value(value, &later), ty: self.body[*expr].ty });
        }
        values.reverse();
        values
    }

    /// Calls a function, which is a definition or has none.
    pub fn call_function(
        &mut self,
        function: In<FunctionId>,
        arguments: Vec<Typed>,
        ty: Ty,
        target: Option<Term>,
    ) -> Value {
        let is_used = !std::mem::take(&mut self.is_discarded);
        let name = self.context.link.function(function).name;
        self.automata_call(name);
        match self.context.link.target(function) {
            Target::Known(expand) => {
                self.call_of_model(function, &arguments);
                self.expand(expand, Call { name, arguments, ty, target, is_used })
            }
            Target::Missing => {
                self.check_weak_call(function);
                self.call_missing(function, arguments, ty, target)
            }
            _ => {
                let value = self.call_procedure(function, arguments, ty, target);
                let is_called = self.context.number(function).is_some();
                if is_used && is_called && self.context.signature(function).may_lack_value && !ty.is_void() {
                    self.check_result(name);
                }
                value
            }
        }
    }

    /// Calls the procedure of a function.
    pub fn call_procedure(
        &mut self,
        function: In<FunctionId>,
        arguments: Vec<Typed>,
        ty: Ty,
        target: Option<Term>,
    ) -> Value {
        match self.context.number(function) {
            Some(number) => {
                let signature = self.context.signature(function);
                let value = self.invoke(number, &signature, arguments, ty, target);
                self.catch_jump(function);
                value
            }
            None => self.unsupported_value("a call of a function that was not found", ty),
        }
    }

    /// Calls a function of the library that an expansion needs.
    pub fn call_library(&mut self, name: &str, arguments: Vec<Typed>, ty: Ty) -> Option<Value> {
        let function = self.context.demand(name)?;
        Some(self.call_function(function, arguments, ty, None))
    }

    /// The same with arguments and a result that are scalars of the right sorts.
    pub fn call_helper(&mut self, name: &str, arguments: Vec<Term>) -> Option<Term> {
        let function = self.context.demand(name)?;
        let sorts = self.context.signature(function).result.sorts;
        let results: Vec<Term> = sorts.iter().map(|sort| self.code.temporary(*sort)).collect();
        let procedure = self.context.number(function)?;
        self.code.emit(Op::Call { procedure, arguments, results: results.clone() });
        self.catch_jump(function);
        results.first().copied()
    }

    /// The same for a function that gives nothing.
    pub fn run_helper(&mut self, name: &str, arguments: Vec<Term>) -> Option<()> {
        let function = self.context.demand(name)?;
        let procedure = self.context.number(function)?;
        self.code.emit(Op::Call { procedure, arguments, results: Vec::new() });
        self.catch_jump(function);
        Some(())
    }

    /// Calls a procedure.
    pub fn invoke(
        &mut self,
        procedure: ProcId,
        signature: &Signature,
        arguments: Vec<Typed>,
        ty: Ty,
        target: Option<Term>,
    ) -> Value {
        let mut passed = Vec::new();
        let mut result_pointer = None;
        if matches!(signature.result.shape, Shape::Memory) {
            let size = self.types.size(ty).unwrap_or(0);
            let pointer = self.new_temporary_object(size, self.types.align(ty));
            result_pointer = Some(pointer);
            passed.push(pointer);
        }
        let mut given = arguments.into_iter();
        for parameter in &signature.parameters {
            match given.next() {
                Some(argument) => match self.pass(parameter, argument) {
                    Some(terms) => passed.extend(terms),
                    None => return self.unsupported_value("an argument that does not fit the parameter", ty),
                },
                None => {
                    passed.extend(parameter.sorts.iter().map(|sort| self.code.arbitrary(*sort)).collect::<Vec<_>>())
                }
            }
        }
        let rest: Vec<Typed> = given.collect();
        match signature.rest {
            Rest::Dropped => {}
            Rest::Packed => passed.push(self.pack(rest)),
            Rest::Open => {
                for argument in rest {
                    passed.extend(self.unpacked(argument));
                }
            }
        }
        let results = self.result_variables(&signature.result, target);
        self.code.emit(Op::Call { procedure, arguments: passed, results: results.clone() });
        match result_pointer {
            Some(pointer) => Value::Record(RecordValue::Memory(pointer)),
            None => self.received_as(&signature.result, results, ty),
        }
    }

    fn result_variables(&mut self, result: &Passed, target: Option<Term>) -> Vec<Term> {
        match (&result.shape, &result.sorts[..], target) {
            (Shape::Scalar(scalar), [sort], Some(target)) if *scalar != Scalar::Bool && target.sort() == *sort => {
                vec![target]
            }
            (Shape::Memory, ..) => Vec::new(),
            (_, sorts, _) => sorts.iter().map(|sort| self.code.temporary(*sort)).collect(),
        }
    }

    /// What was returned, as a value of the type that the caller expects.
    fn received_as(&mut self, result: &Passed, variables: Vec<Term>, ty: Ty) -> Value {
        if ty.is_void() {
            return Value::Void;
        }
        let value = received(result, variables);
        if value.fits(self.types, ty) {
            return value;
        }
        let signed = matches!(result.shape, Shape::Scalar(Scalar::Int { signed: true, .. }));
        match (value, Shape::of(self.types, ty)) {
            (Value::Scalar(term), Shape::Scalar(scalar)) => {
                let sort = super::storage::value_sort(scalar, self.context.model);
                match self.reinterpret(term, signed, sort) {
                    Some(term) => Value::Scalar(term),
                    None => self.unsupported_value("a result that does not fit the function's type", ty),
                }
            }
            // C leaves the value open of a function that returns none.
            (Value::Void, _) => self.nothing(ty),
            _ => self.unsupported_value("a result that does not fit the function's type", ty),
        }
    }

    /// An argument in the form in which the parameter is passed.
    fn pass(&mut self, parameter: &Passed, argument: Typed) -> Option<Vec<Term>> {
        let signed = matches!(self.types.scalar(argument.ty), Some(Scalar::Int { signed: true, .. }));
        match (&parameter.shape, argument.value) {
            (Shape::Scalar(_), Value::Scalar(value)) => {
                let sort = *parameter.sorts.first()?;
                self.reinterpret(to_stored(value), signed, sort).map(|term| vec![term])
            }
            (Shape::Leaves(_), Value::Record(record)) => {
                let own = leaves(self.types, argument.ty)?;
                let values = self.leaf_values(record, &own);
                let fits = values.len() == parameter.sorts.len()
                    && values.iter().zip(&parameter.sorts).all(|(value, sort)| value.sort() == *sort);
                fits.then_some(values)
            }
            (Shape::Memory, Value::Record(record)) => {
                let copy = self.new_temporary_object(self.types.size(argument.ty)?, self.types.align(argument.ty));
                self.put(copy, argument.ty, Value::Record(record));
                Some(vec![copy])
            }
            _ => None,
        }
    }

    /// An argument as it is passed where no parameter says how.
    pub fn unpacked(&mut self, argument: Typed) -> Vec<Term> {
        match argument.value {
            Value::Void => Vec::new(),
            Value::Scalar(value) => vec![to_stored(value)],
            Value::Record(RecordValue::Leaves(values)) => values,
            Value::Record(RecordValue::Memory(pointer)) => vec![pointer],
        }
    }
}

/// A pointer that is an argument, as it is passed.
pub(super) fn unpacked_pointer(argument: &Typed) -> Option<Term> {
    match argument.value {
        Value::Scalar(value) => Some(to_stored(value)),
        _ => None,
    }
}
