//! Contracts: what is checked and what is assumed where a function is called and where it returns.
//!
//! - A function with a body checks its requires clauses when it begins and its ensures clauses when it returns; a clause
//!   that fails violates `unreach-call`. For other properties they say nothing.
//! - The function that execution starts with finds its requires clauses true: that is an assumption.
//! - A call of a function without a body checks the requires clauses; then what it may write is arbitrary, and so is its
//!   result, but for what the ensures clauses say: that is an assumption, too. Without requires they promise nothing.
//!
//! What it may write: the targets of its assigns clauses, or else what pointers among the arguments lead to, as with
//! `--missing-bodies havoc`. Where there is no assigns clause, ensures clauses that speak of variables would promise what
//! cannot be; such a contract is not supported.

use super::checks::UNREACH_CALL;
use super::context::Context;
use super::function::{Passed, Signature, received};
use super::havoc::Given;
use super::library::make_arbitrary;
use super::link::In;
use super::place::Lvalue;
use super::start::may_hold_pointers;
use super::storage::leaves;
use super::value::{RecordValue, Typed, Value};
use super::writer::Writer;
use crate::NO_BODY;
use crate::hir::{Body, Callee, Clause, Contract, ExprKind, Extra, FunctionId, LocalId, Node, PlaceKind};
use crate::types::Ty;
use ir::AssumptionKind;
use source::{Place, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Term, build};

/// Whether the function that execution starts with is still to begin.
const FIRST_CALL: &str = "$contract::first";

/// The ensures clauses of the function that is being written, and what they know of the call.
pub(super) struct Promises {
    function: In<FunctionId>,
    arguments: Vec<Value>,
    result: Passed,
    clauses: Vec<(In<FunctionId>, Vec<Known>)>,
}

/// What a condition knows beside the arguments.
#[derive(Clone, Debug)]
enum Known {
    Result,
    Old(Value),
}

impl<'a> Context<'a> {
    /// The contract of a function: that of each of its declarations, once for all files that include it.
    fn contract(&self, function: In<FunctionId>) -> Vec<(usize, &'a Contract)> {
        let mut places: BTreeSet<Option<Place>> = BTreeSet::new();
        let mut found = Vec::new();
        for declaration in self.link.contracts(function) {
            let contract = &self.link.function(*declaration).contract;
            let clauses = contract.requires.iter().chain(&contract.ensures).chain(contract.assigns.iter().flatten());
            let own: BTreeSet<Option<Place>> = clauses.map(|clause| self.place(clause.span)).collect();
            if own.is_empty() || !own.is_subset(&places) {
                places.extend(own);
                found.push((declaration.unit, contract));
            }
        }
        found
    }

    pub fn has_contract(&self, function: In<FunctionId>) -> bool {
        !self.link.contracts(function).is_empty()
    }

    /// Whether the program calls the function that execution starts with.
    fn calls_entry(&self) -> bool {
        let calls = |at: &In<FunctionId>| {
            let body = self.link.body(*at);
            body.is_some_and(|body| {
                body.exprs.iter().any(|expr| match expr.kind {
                    ExprKind::Call { callee: Callee::Direct(id), .. } => {
                        self.link.definition(In { unit: at.unit, id }) == self.entry
                    }
                    _ => false,
                })
            })
        };
        self.reached.address_taken.contains(&self.entry) || self.reached.functions.iter().any(calls)
    }
}

/// A variable that a condition speaks of.
fn global_in(body: &Body, context: &Context<'_>, unit: usize) -> Option<Symbol> {
    let mut found = None;
    body.for_each_node(|node| {
        if let Node::Place(id) = node
            && let PlaceKind::Global(id) = body[id].kind
        {
            let global = &context.link.units[unit][id];
            found = found.or((!global.ty.is_const()).then_some(global.name));
        }
    });
    found
}

impl Writer<'_, '_> {
    /// The value of a clause.
    fn clause(&mut self, clause: In<FunctionId>, arguments: &[Value], extras: Vec<Value>) -> Value {
        let (unit, types) = (self.unit, self.types);
        (self.unit, self.types) = (clause.unit, self.context.types(clause.unit));
        let ty = self.types.function_type(self.context.link.function(clause).ty);
        let result = ty.map_or(Ty::VOID, |ty| ty.result);
        let parameters = ty.map_or(&[][..], |ty| &ty.parameters);
        // Arguments behind the parameters, and those of a declaration without a prototype, are not spoken of.
        let own = parameters.len() - extras.len().min(parameters.len());
        let values = arguments.iter().take(own).cloned().chain(extras);
        let arguments = values.zip(parameters).map(|(value, ty)| Typed { value, ty: *ty }).collect();
        let value = self.call_procedure(clause, arguments, result, None);
        (self.unit, self.types) = (unit, types);
        value
    }

    /// The truth of a condition.
    fn holds(&mut self, clause: In<FunctionId>, arguments: &[Value], extras: Vec<Value>) -> Term {
        match self.clause(clause, arguments, extras) {
            Value::Scalar(truth) if truth.sort().is_bool() => truth,
            _ => build::truth(),
        }
    }

    /// A condition that must hold here.
    fn check_clause(&mut self, holds: Term, of: In<FunctionId>, clause: &Clause, what: &str) {
        let (yes, no) = (self.code.location(), self.code.location());
        self.code.branch(holds, yes, no);
        self.code.continue_at(no);
        let name = self.context.link.function(of).name;
        let place = self.context.place(clause.span);
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        self.violate(UNREACH_CALL, &format!("the {what} of {name} does not hold{place}"));
        self.code.continue_at(yes);
    }

    /// The begin of a function with a body.
    pub fn begin_contract(&mut self, function: In<FunctionId>, signature: &Signature) {
        if !self.context.has_contract(function) {
            return;
        }
        let contract = self.context.contract(function);
        let (is_entry, is_checked) = (function == self.context.entry, self.context.checks.unreach_call);
        if !is_entry && !is_checked {
            return;
        }
        let body = self.body;
        let arguments: Vec<Value> = body.parameters.iter().map(|local| self.parameter_value(*local)).collect();
        let span = self.context.link.function(function).span;
        let requires: Vec<(usize, &Clause)> =
            contract.iter().flat_map(|(unit, contract)| contract.requires.iter().map(|c| (*unit, c))).collect();
        if !requires.is_empty() && (is_checked || is_entry) {
            let mut all = Vec::new();
            for (unit, clause) in &requires {
                self.set_span(clause.span);
                all.push((self.holds(In { unit: *unit, id: clause.function }, &arguments, Vec::new()), *clause));
            }
            let first = match is_entry {
                true if self.context.calls_entry() => self.context.internal(Term::var(FIRST_CALL, Sort::bool()), false),
                true => build::truth(),
                false => build::falsehood(),
            };
            self.code.assume(build::or([build::not(first), build::and(all.iter().map(|(holds, _)| *holds))]));
            if is_checked {
                for (holds, clause) in all {
                    self.set_span(clause.span);
                    self.check_clause(build::or([first, holds]), function, clause, "precondition");
                }
            }
            if is_entry && first.as_bool().is_none() {
                self.code.assign(first, build::falsehood());
            }
            self.set_span(span);
        }
        if is_checked {
            let mut clauses = Vec::new();
            for (unit, contract) in contract {
                for clause in &contract.ensures {
                    let known = self.known(unit, clause, &arguments);
                    clauses.push((In { unit, id: clause.function }, known));
                }
            }
            if !clauses.is_empty() {
                let result = signature.result.clone();
                self.promises = Some(Rc::new(Promises { function, arguments, result, clauses }));
            }
        }
    }

    /// What the function that execution starts with assumes of its callers.
    pub fn assume_contract(&mut self, entry: In<FunctionId>) {
        let contract = self.context.contract(entry);
        let Some((_, first)) = contract.iter().find(|(_, contract)| !contract.requires.is_empty()) else { return };
        let name = self.context.link.function(entry).name;
        let place = self.context.place(first.requires[0].span);
        let text = format!("callers of {name} see to its requires clauses");
        self.context.assume(AssumptionKind::Contract, &text, &[name], place);
        if self.context.calls_entry() {
            let first = self.context.internal(Term::var(FIRST_CALL, Sort::bool()), false);
            self.code.assign(first, build::truth());
        }
    }

    /// The value of a parameter, as it is now, whatever happens later.
    fn parameter_value(&mut self, local: LocalId) -> Value {
        let ty = self.body[local].ty;
        let lvalue = Lvalue::of(self.local(local), ty);
        let value = self.load(&lvalue);
        self.kept_value(value, ty)
    }

    fn kept_value(&mut self, value: Value, ty: Ty) -> Value {
        match value {
            Value::Scalar(term) => Value::Scalar(self.code.keep(term)),
            Value::Record(RecordValue::Leaves(terms)) => {
                Value::Record(RecordValue::Leaves(terms.into_iter().map(|term| self.code.keep(term)).collect()))
            }
            Value::Record(RecordValue::Memory(pointer)) => {
                let size = self.types.size(ty).unwrap_or(0);
                let copy = self.new_temporary_object(size, self.types.align(ty));
                self.put(copy, ty, Value::Record(RecordValue::Memory(pointer)));
                Value::Record(RecordValue::Memory(copy))
            }
            Value::Void => Value::Void,
        }
    }

    /// What a condition will know beside the arguments: old values are those of now.
    fn known(&mut self, unit: usize, clause: &Clause, arguments: &[Value]) -> Vec<Known> {
        let mut all = Vec::new();
        for extra in &clause.extras {
            all.push(match extra {
                Extra::Result => Known::Result,
                Extra::Old(id) => {
                    let function = In { unit, id: *id };
                    let value = self.clause(function, arguments, Vec::new());
                    let ty = self.context.types(unit).function_type(self.context.link.function(function).ty);
                    let ty = ty.map_or(Ty::VOID, |ty| ty.result);
                    let (own_unit, own_types) = (self.unit, self.types);
                    (self.unit, self.types) = (unit, self.context.types(unit));
                    let value = self.kept_value(value, ty);
                    (self.unit, self.types) = (own_unit, own_types);
                    Known::Old(value)
                }
            });
        }
        all
    }

    /// The end of a function with a body, which has put its result where its caller finds it.
    pub fn check_promises(&mut self) {
        let Some(promises) = self.promises.clone() else { return };
        let result = match self.result_pointer {
            Some(pointer) => Value::Record(RecordValue::Memory(pointer)),
            None => received(&promises.result, self.results.clone()),
        };
        for (condition, known) in &promises.clauses {
            let extras = known.iter().map(|known| match known {
                Known::Result => result.clone(),
                Known::Old(value) => value.clone(),
            });
            let holds = self.holds(*condition, &promises.arguments, extras.collect());
            let span = self.context.link.function(*condition).span;
            let clause = Clause { function: condition.id, extras: Vec::new(), span };
            self.check_clause(holds, promises.function, &clause, "postcondition");
        }
    }

    fn kept_values(&mut self, arguments: &[Typed]) -> Vec<Value> {
        arguments.iter().map(|argument| self.kept_value(argument.value.clone(), argument.ty)).collect()
    }

    /// Checks the requires clauses where a function is called, and gives their truth.
    fn required(&mut self, function: In<FunctionId>, arguments: &[Value]) -> Vec<Term> {
        let mut required = Vec::new();
        for (unit, contract) in self.context.contract(function) {
            for clause in &contract.requires {
                let holds = self.holds(In { unit, id: clause.function }, arguments, Vec::new());
                let holds = self.code.keep(holds);
                if self.context.checks.unreach_call {
                    self.check_clause(holds, function, clause, "precondition");
                }
                required.push(holds);
            }
        }
        required
    }

    /// A call of a function of the library that has a model: that says what it does, but callers see to the requires clauses.
    pub fn call_of_model(&mut self, function: In<FunctionId>, arguments: &[Typed]) {
        if self.context.has_contract(function) && self.context.checks.unreach_call {
            let values = self.kept_values(arguments);
            self.required(function, &values);
        }
    }

    /// A call of a function that has a contract and no body.
    pub fn call_by_contract(&mut self, function: In<FunctionId>, arguments: Vec<Typed>, ty: Ty) -> Value {
        let contract = self.context.contract(function);
        let found = self.context.link.function(function);
        let name = found.name;
        if self.context.reached.address_taken.contains(&function) {
            let why = format!("a call of {name}{NO_BODY} but a contract, and whose address is taken");
            return self.unsupported_value(why.as_str(), ty);
        }
        let given = match self.given(&arguments) {
            Ok(given) => given,
            Err(what) => {
                let why = format!("a call of {name}{NO_BODY} but a contract, and is given {what}");
                return self.unsupported_value(why.as_str(), ty);
            }
        };
        let says_assigns = contract.iter().any(|(_, contract)| contract.assigns.is_some());
        if !says_assigns && let Some(global) = self.promised_global(&contract) {
            let why = format!(
                "the contract of {name}, which speaks of {global} but does not say by __fathom_assigns what is written"
            );
            return self.unsupported_value(why.as_str(), ty);
        }
        let values = self.kept_values(&arguments);
        let required = self.required(function, &values);
        let mut promises = Vec::new();
        let mut targets = Vec::new();
        for (unit, contract) in &contract {
            for clause in &contract.ensures {
                let known = self.known(*unit, clause, &values);
                promises.push((In { unit: *unit, id: clause.function }, known));
            }
            for clause in contract.assigns.iter().flatten() {
                let target = In { unit: *unit, id: clause.function };
                if let Value::Scalar(pointer) = self.clause(target, &values, Vec::new()) {
                    targets.push((target, self.code.keep(pointer)));
                }
            }
        }
        if says_assigns {
            for (target, pointer) in targets {
                if let Err(what) = self.write_target(target, pointer, &given) {
                    return self.unsupported_value(format!("a contract that lets {name} write {what}").as_str(), ty);
                }
            }
        } else {
            self.use_given(&given);
        }
        let place = self.context.place(found.span);
        let text = match says_assigns {
            true => "keeps its contract and writes nothing that its assigns clauses do not mention",
            false => "keeps its contract and writes to nothing but the objects that it is given pointers to",
        };
        self.context.missing.note(AssumptionKind::Contract, text, name, place);
        let result = match (self.call_procedure(function, arguments, ty, None), self.types.pointee(ty)) {
            (Value::Scalar(pointer), Some(pointee)) => Value::Scalar(self.one_of_given(pointer, pointee, &given)),
            (value, _) => value,
        };
        let result = self.kept_value(result, ty);
        for (condition, known) in promises {
            let extras = known.into_iter().map(|known| match known {
                Known::Result => result.clone(),
                Known::Old(value) => value,
            });
            let holds = self.holds(condition, &values, extras.collect());
            let met = build::and(required.iter().copied());
            self.code.assume(build::or([build::not(met), holds]));
        }
        result
    }

    /// A variable that an ensures clause speaks of.
    fn promised_global(&self, contract: &[(usize, &Contract)]) -> Option<Symbol> {
        let clauses =
            contract.iter().flat_map(|(unit, contract)| contract.ensures.iter().map(move |c| (*unit, c.function)));
        clauses.filter_map(|(unit, id)| global_in(self.context.link.body(In { unit, id })?, self.context, unit)).next()
    }

    /// Writes anything to what an assigns clause mentions, unless it is no object.
    fn write_target(&mut self, target: In<FunctionId>, pointer: Term, given: &Given) -> Result<(), String> {
        let types = self.context.types(target.unit);
        let result = types.function_type(self.context.link.function(target).ty).map(|ty| ty.result);
        let Some(ty) = result.and_then(|ty| types.pointee(ty)) else { return Ok(()) };
        let size = types.size(ty).ok_or("something of unknown size")?;
        let place = self.code.place.take();
        let object = build::pointer_object(pointer);
        let constants = build::bv(term::OBJECT_WIDTH, u128::from(self.context.last_constant));
        let (yes, end) = (self.code.location(), self.code.location());
        self.code.branch(build::bv_ult(constants, object), yes, end);
        self.code.continue_at(yes);
        if !may_hold_pointers(types, ty) {
            make_arbitrary(self, pointer, self.offset(size));
        } else if target.unit == self.unit
            && let Some(leaves) = leaves(types, ty)
        {
            leaves.iter().for_each(|leaf| self.write_anything(pointer, leaf, given));
        } else {
            return Err(format!("a {} with pointers in it", types.display(ty.unqualified())));
        }
        self.code.enter(end);
        self.code.place = place;
        Ok(())
    }
}
