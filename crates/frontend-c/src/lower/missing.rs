//! Functions and variables of the user that no file defines: what they are taken to do, and what that assumes.

use super::context::{Context, UNKNOWN_SIZE};
use super::link::In;
use super::start::may_hold_pointers;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{FunctionId, GlobalId};
use crate::types::{Scalar, Ty, TypeKind, Types};
use crate::{MissingBodies, NO_BODY};
use ir::{Assumption, AssumptionKind, LocationKind, Model, ProcId, Procedure};
use source::{Place, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use term::Term;

/// No more names than this are in the text of an assumption.
const MOST_NAMES: usize = 10;
/// How deep types are searched for pointers to functions.
const DEPTH: u32 = 6;

const CHANGES_NOTHING: &str = "changes nothing and calls no function of the program";

/// Names, and where they are declared.
type Declared = BTreeSet<(Symbol, Option<Place>)>;

/// What is assumed of functions and variables that are defined nowhere: those of which the same is assumed are named together.
#[derive(Default)]
pub(super) struct Missing {
    found: BTreeMap<(AssumptionKind, String), Declared>,
}

impl Missing {
    /// Notes that something is assumed of this name, as a user reads it behind the name.
    pub fn note(&mut self, kind: AssumptionKind, text: &str, name: Symbol, place: Option<Place>) {
        self.found.entry((kind, text.to_string())).or_default().insert((name, place));
    }

    pub fn assumptions(self) -> impl Iterator<Item = Assumption> {
        self.found.into_iter().map(|((kind, text), about)| {
            let names: Vec<Symbol> = about.iter().map(|(name, _)| *name).collect();
            let place = about.iter().next().filter(|_| about.len() == 1).and_then(|(_, place)| *place);
            let text = Symbol::new(&format!("{} {text}", listed(&names)));
            let functions = if kind == AssumptionKind::MissingVariable { Vec::new() } else { names };
            Assumption { kind, text, functions, place }
        })
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[Symbol]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(ToString::to_string).collect();
    match (names.len() - shown.len(), &shown[..]) {
        (0, [name]) => name.clone(),
        (0, [names @ .., last]) => format!("{} and {last}", names.join(", ")),
        (others, names) => format!("{} and {others} other{}", names.join(", "), if others == 1 { "" } else { "s" }),
    }
}

/// Whether a function that is given a value of the type can come to a pointer to a function by it.
fn may_lead_to_functions(types: &Types, ty: Ty, depth: u32) -> bool {
    let further = |ty: Ty| depth > 0 && may_lead_to_functions(types, ty, depth - 1);
    match *types.kind(ty) {
        TypeKind::Pointer(target) => types.function_type(target).is_some() || further(target),
        TypeKind::Array { element, .. } => further(element),
        TypeKind::Record(id) => {
            let fields = types[id].layout.iter().flat_map(|layout| &layout.fields);
            fields.map(|field| field.ty).any(further)
        }
        _ => false,
    }
}

impl Context<'_> {
    /// What is assumed of a function without a body that is taken to be pure, as it stands behind its name.
    fn pure(&self, function: In<FunctionId>) -> String {
        let (found, types) = (self.link.function(function), self.types(function.unit));
        let Some(ty) = types.function_type(found.ty) else { return "changes nothing".to_string() };
        if found.is_noreturn {
            return format!("{CHANGES_NOTHING} and never returns");
        }
        let gives = match (ty.result.is_void(), types.is_pointer(ty.result)) {
            (true, _) => "",
            (false, true) => "may return null or a pointer to memory that is not the program's, ",
            (false, false) => "may return any value, ",
        };
        let is_given = ty.parameters.iter().any(|ty| may_lead_to_functions(types, *ty, DEPTH));
        let calls = if is_given { ", not even one that it is given" } else { "" };
        format!("{gives}{CHANGES_NOTHING}{calls}")
    }

    /// The same of one that may write to what it is given.
    fn havoc(&self, function: In<FunctionId>) -> String {
        let (found, types) = (self.link.function(function), self.types(function.unit));
        let ty = types.function_type(found.ty);
        let targets: Vec<Ty> =
            ty.into_iter().flat_map(|ty| &ty.parameters).filter_map(|ty| types.pointee(*ty)).collect();
        if targets.is_empty() && ty.is_some_and(|ty| ty.is_prototype && !ty.is_variadic) {
            return self.pure(function);
        }
        let (functions, objects): (Vec<Ty>, Vec<Ty>) =
            targets.into_iter().partition(|ty| types.function_type(*ty).is_some());
        let mut does = Vec::new();
        if ty.is_some_and(|ty| !ty.result.is_void()) && !found.is_noreturn {
            does.push("may return any value");
        }
        if functions.is_empty() || !objects.is_empty() {
            does.push("may write anything to the objects that it is given pointers to (not to const)");
        }
        if !functions.is_empty() {
            does.push("may call the functions that it is given until it returns");
        }
        does.push("changes nothing else");
        // Characters may be those of anything.
        let is_open = |ty: &Ty| matches!(types.scalar(*ty), Some(Scalar::Int { width: 8, .. }));
        if objects.iter().any(|ty| ty.is_void() || types.size(*ty).is_none() || is_open(ty)) {
            does.push("follows no pointers in memory whose type its parameters do not tell");
        }
        if found.is_noreturn {
            does.push("never returns");
        }
        does.join(" and ")
    }

    /// Notes what is assumed of a variable that is defined nowhere.
    pub fn assume_variable(&mut self, global: In<GlobalId>) {
        let found = &self.link.units[global.unit][global.id];
        if !self.link.is_users(global.unit) {
            return;
        }
        let mut text = "may hold any value at the start".to_string();
        if may_hold_pointers(self.types(global.unit), found.ty) {
            text.push_str(" but pointers to the program's own objects");
        }
        text.push_str(", and nothing but the program changes it");
        if found.size.is_none() {
            text.push_str(&format!("; its size is taken to be {UNKNOWN_SIZE} bytes"));
        }
        let place = self.place(found.span);
        self.missing.note(AssumptionKind::MissingVariable, &text, found.name, place);
    }

    /// A procedure for a function without a body.
    pub fn missing_function(&mut self, function: In<FunctionId>, number: ProcId) -> Procedure {
        match self.options.missing_bodies {
            // Its calls see to the contract.
            _ if self.has_contract(function) && !self.reached.address_taken.contains(&function) => {
                self.external_function(function, number, Model::Unknown)
            }
            _ if self.has_contract(function) => {
                let what =
                    format!("a call by a pointer of {}{NO_BODY} but a contract", self.link.function(function).name);
                self.unsupported_function(function, number, Symbol::new(&what))
            }
            MissingBodies::Refuse => {
                let what = format!("a call of {}{NO_BODY}", self.link.function(function).name);
                self.unsupported_function(function, number, Symbol::new(&what))
            }
            MissingBodies::Pure | MissingBodies::Havoc => self.external_function(function, number, Model::Unknown),
        }
    }
}

impl Writer<'_, '_> {
    /// A call of a function without a body. One that is declared so never returns.
    pub fn call_missing(
        &mut self,
        function: In<FunctionId>,
        arguments: Vec<Typed>,
        ty: Ty,
        target: Option<Term>,
    ) -> Value {
        let value = self.call_unknown(function, arguments, ty, target);
        if self.context.link.function(function).is_noreturn {
            self.code.stop(LocationKind::End);
        }
        value
    }

    fn call_unknown(&mut self, function: In<FunctionId>, arguments: Vec<Typed>, ty: Ty, target: Option<Term>) -> Value {
        let found = self.context.link.function(function);
        let place = self.context.place(found.span);
        if self.context.has_contract(function) {
            return self.call_by_contract(function, arguments, ty);
        }
        match self.context.options.missing_bodies {
            MissingBodies::Refuse => self.unsupported_value(format!("a call of {}{NO_BODY}", found.name).as_str(), ty),
            MissingBodies::Pure => {
                let text = self.context.pure(function);
                self.context.missing.note(AssumptionKind::MissingBody, &text, found.name, place);
                self.call_procedure(function, arguments, ty, target)
            }
            MissingBodies::Havoc => {
                let given = match self.given(&arguments) {
                    Ok(given) => given,
                    Err(what) => {
                        let why = format!("a call of {}{NO_BODY} and is given {what}: write a body for it", found.name);
                        return self.unsupported_value(why.as_str(), ty);
                    }
                };
                let text = self.context.havoc(function);
                self.context.missing.note(AssumptionKind::MissingBody, &text, found.name, place);
                self.use_given(&given);
                match (self.call_procedure(function, arguments, ty, None), self.types.pointee(ty)) {
                    (Value::Scalar(pointer), Some(pointee)) => {
                        let place = self.code.place.take();
                        let result = self.one_of_given(pointer, pointee, &given);
                        self.code.place = place;
                        Value::Scalar(result)
                    }
                    (value, _) => value,
                }
            }
        }
    }
}
