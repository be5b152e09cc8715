//! Functions as procedures: what they take and give, and their bodies.

use super::context::Context;
use super::library::{Call, Expand};
use super::link::In;
use super::place::Lvalue;
use super::reach::Target;
use super::scope::Scope;
use super::storage::{Shape, from_stored};
use super::value::{RecordValue, Typed, Value};
use super::writer::Writer;
use crate::hir::{FunctionId, LocalId};
use crate::types::Ty;
use ir::{Model, Op, ProcId, Procedure, Variable};
use source::Symbol;
use term::{Sort, Term};

/// How arguments and results travel to and from a procedure.
///
/// A record that travels in memory is passed as a pointer to an object that the callee owns; for a result, the caller
/// passes a pointer to where it shall be put, before all other arguments.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub result: Passed,
    pub parameters: Vec<Passed>,
    pub rest: Rest,
    /// Whether the function says what its parameters are. One that does not, as `f()`, is called with any arguments.
    pub is_prototype: bool,
    /// Whether it may return without the value that it should give (C11 6.9.1p12).
    pub may_lack_value: bool,
}

/// How a value travels.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    pub shape: Shape,
    pub ty: Ty,
    /// The stored sorts of its parts.
    pub sorts: Vec<Sort>,
}

/// What happens to arguments behind the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// They are dropped.
    Dropped,
    /// They are put into an object, and the pointer to it is the last argument.
    Packed,
    /// They are passed as they are.
    Open,
}

impl Context<'_> {
    fn passed(&self, unit: usize, ty: Ty) -> Passed {
        let shape = Shape::of(self.types(unit), ty);
        let sorts = shape.sorts(self.types(unit));
        Passed { shape, ty, sorts }
    }

    /// How to call a function.
    pub fn signature(&self, function: In<FunctionId>) -> Signature {
        let unit = function.unit;
        let found = self.link.function(function);
        let Some(ty) = self.types(unit).function_type(found.ty) else {
            let (result, parameters) = (self.passed(unit, Ty::VOID), Vec::new());
            return Signature { result, parameters, rest: Rest::Dropped, is_prototype: true, may_lack_value: false };
        };
        let result = self.passed(unit, ty.result);
        match self.link.body(function) {
            Some(body) if matches!(self.link.target(function), Target::Defined(_)) => Signature {
                result,
                parameters: body.parameters.iter().map(|local| self.passed(unit, body[*local].ty)).collect(),
                rest: if ty.is_variadic { Rest::Packed } else { Rest::Dropped },
                is_prototype: ty.is_prototype,
                may_lack_value: !ty.result.is_void() && body.may_end_without_value(),
            },
            _ => Signature {
                result,
                parameters: ty.parameters.iter().map(|ty| self.passed(unit, *ty)).collect(),
                rest: if ty.is_variadic || !ty.is_prototype { Rest::Open } else { Rest::Dropped },
                is_prototype: ty.is_prototype,
                may_lack_value: false,
            },
        }
    }

    /// A function with a body.
    pub fn defined_function(&mut self, function: In<FunctionId>, number: ProcId) -> Procedure {
        let (name, found, signature) =
            (self.procedure_name(number), self.link.function(function), self.signature(function));
        let body = self.link.body(function).unwrap_or(self.empty);
        let mut writer = Writer::new(self, name, function.unit, body, Some(found.span));
        writer.scopes.push(Scope::new(None));
        let results = writer.declare_results(name, &signature.result);
        let mut parameters = writer.declare_result_pointer(&signature.result);
        let mut late = Vec::new();
        for local in &body.parameters {
            parameters.extend(writer.parameter(*local, &mut late));
        }
        if signature.rest == Rest::Packed {
            let variable = Variable::internal(writer.code.unique("$arguments"), writer.pointer_sort());
            writer.variable_arguments = Some(variable.term);
            parameters.push(variable);
        }
        writer.is_atomic = found.name.as_str().starts_with("__VERIFIER_atomic_");
        if writer.is_atomic && writer.context.threaded {
            writer.code.emit(Op::AtomicBegin);
        }
        for (local, value) in late {
            let lvalue = writer.begin_local(local, None);
            writer.store(&lvalue, value);
        }
        writer.may_lack_value = signature.may_lack_value;
        writer.begin_contract(function, &signature);
        writer.statement(body.root);
        writer.set_span(body.end);
        writer.finish_function(false);
        writer.into_procedure(name, parameters, results, Some(found.span))
    }

    /// A function that has no body here.
    pub fn external_function(&mut self, function: In<FunctionId>, number: ProcId, model: Model) -> Procedure {
        let (name, signature) = (self.procedure_name(number), self.signature(function));
        let place = self.place(self.link.function(function).span);
        let mut parameters = Vec::new();
        if matches!(signature.result.shape, Shape::Memory) {
            parameters.extend(signature.result.sorts.iter().copied());
        }
        parameters.extend(signature.parameters.iter().flat_map(|parameter| parameter.sorts.iter().copied()));
        let numbered = |(i, sort): (usize, Sort)| Variable::internal(format!("{name}::${i}").as_str(), sort);
        let results = result_names(name, &signature.result);
        Procedure {
            name,
            parameters: parameters.into_iter().enumerate().map(numbered).collect(),
            variadic: signature.rest == Rest::Open,
            results: results.into_iter().map(|(name, sort)| Variable::internal(name, sort)).collect(),
            locals: Vec::new(),
            body: Err(model),
            place,
        }
    }

    /// A procedure for a function that Fathom knows how to express: for those who call it by a pointer.
    pub fn wrapper(&mut self, function: In<FunctionId>, number: ProcId, expand: Expand) -> Procedure {
        let (name, signature) = (self.procedure_name(number), self.signature(function));
        let found = self.link.function(function);
        let mut writer = Writer::new(self, name, function.unit, self.empty, Some(found.span));
        writer.scopes.push(Scope::new(None));
        let results = writer.declare_results(name, &signature.result);
        let mut parameters = writer.declare_result_pointer(&signature.result);
        let mut arguments = Vec::new();
        for passed in &signature.parameters {
            let own: Vec<Variable> =
                passed.sorts.iter().map(|sort| Variable::internal(writer.code.unique("$argument"), *sort)).collect();
            arguments.push(Typed { value: received(passed, own.iter().map(|v| v.term).collect()), ty: passed.ty });
            parameters.extend(own);
        }
        let ty = signature.result.ty;
        let value = writer.expand(expand, Call { name: found.name, arguments, ty, target: None, is_used: true });
        writer.give_result(value, ty);
        writer.finish_function(true);
        writer.into_procedure(name, parameters, results, Some(found.span))
    }

    /// A function whose body cannot be represented.
    pub fn unsupported_function(&mut self, function: In<FunctionId>, number: ProcId, what: Symbol) -> Procedure {
        let mut procedure = self.external_function(function, number, Model::Unknown);
        let name = self.procedure_name(number);
        let span = self.link.function(function).span;
        let mut writer = Writer::new(self, name, function.unit, self.empty, Some(span));
        writer.unsupported(what);
        let results: Vec<Term> = procedure.results.iter().map(|result| result.term).collect();
        let (cfa, locals) = writer.code.finish(&results);
        procedure.locals = locals;
        procedure.variadic = false;
        procedure.body = Ok(cfa);
        procedure
    }
}

/// The names of a procedure's results.
fn result_names(procedure: Symbol, result: &Passed) -> Vec<(Symbol, Sort)> {
    let named = |path: &str, sort: Sort| (Symbol::new(&format!("{procedure}::$result{path}")), sort);
    match &result.shape {
        Shape::Scalar(_) => result.sorts.iter().map(|sort| named("", *sort)).collect(),
        Shape::Leaves(leaves) => {
            leaves.iter().zip(&result.sorts).map(|(leaf, sort)| named(&leaf.path, *sort)).collect()
        }
        Shape::Nothing | Shape::Memory | Shape::Unsupported(_) => Vec::new(),
    }
}

/// The value that was passed in these variables.
pub(super) fn received(passed: &Passed, variables: Vec<Term>) -> Value {
    match (&passed.shape, variables.first()) {
        (Shape::Scalar(scalar), Some(variable)) => Value::Scalar(from_stored(*scalar, *variable)),
        (Shape::Leaves(_), _) => Value::Record(RecordValue::Leaves(variables)),
        (Shape::Memory, Some(pointer)) => Value::Record(RecordValue::Memory(*pointer)),
        _ => Value::Void,
    }
}

impl Writer<'_, '_> {
    fn declare_results(&mut self, procedure: Symbol, result: &Passed) -> Vec<Variable> {
        let user_type = Symbol::new(&self.types.display(result.ty).to_string());
        let declare = |(name, sort)| Variable { user_type: Some(user_type), ..Variable::internal(name, sort) };
        let declared: Vec<Variable> = result_names(procedure, result).into_iter().map(declare).collect();
        self.results = declared.iter().map(|variable| variable.term).collect();
        declared
    }

    /// The parameter that says where a result shall be put, if it travels in memory.
    fn declare_result_pointer(&mut self, result: &Passed) -> Vec<Variable> {
        if !matches!(result.shape, Shape::Memory) {
            return Vec::new();
        }
        let variable = Variable::internal(self.code.unique("$to"), self.pointer_sort());
        self.result_pointer = Some(variable.term);
        vec![variable]
    }

    /// Declares the variables in which a parameter comes. If it lies in memory, it is to be put there at the start.
    fn parameter(&mut self, local: LocalId, late: &mut Vec<(LocalId, Value)>) -> Vec<Variable> {
        let declared = &self.body[local];
        let passed = self.context.passed(self.unit, declared.ty);
        if matches!(passed.shape, Shape::Memory) {
            let name = self.code.unique(declared.name.map_or("$parameter", |name| name.as_str()));
            let variable =
                Variable { place: self.context.place(declared.span), ..Variable::internal(name, self.pointer_sort()) };
            self.storage[local.index()] = Some(super::storage::Storage::Memory(variable.term));
            return vec![variable];
        }
        let (locals, watched) = (self.code.locals.len(), self.code.watched.len());
        let Some(slots) = self.declare_slots(local) else { return Vec::new() };
        // They have values from the start.
        self.code.watched.truncate(watched);
        let parameters = self.code.locals.split_off(locals);
        let in_memory = declared.uses.address_taken || declared.uses.indexed || declared.cleanup.is_some();
        if in_memory {
            late.push((local, received(&passed, slots.variables.clone())));
        } else {
            self.storage[local.index()] = Some(super::storage::Storage::Variables(slots));
        }
        parameters
    }

    /// The finished procedure.
    pub fn into_procedure(
        mut self,
        name: Symbol,
        parameters: Vec<Variable>,
        results: Vec<Variable>,
        span: Option<source::Span>,
    ) -> Procedure {
        self.finish_jumps();
        let place = span.and_then(|span| self.context.place(span));
        let terms: Vec<Term> = results.iter().map(|result| result.term).collect();
        let (cfa, locals) = self.code.finish(&terms);
        Procedure { name, parameters, variadic: false, results, locals, body: Ok(cfa), place }
    }

    /// Puts what has been stored into a place with this type.
    pub fn put(&mut self, pointer: Term, ty: Ty, value: Value) {
        let lvalue = Lvalue { is_known: true, ..Lvalue::memory(pointer, ty) };
        self.store(&lvalue, value);
    }
}
