//! Calls through pointers: one way for each function that can be meant.
//!
//! A pointer that is none of a function whose address the program takes, or of one that does not take these
//! arguments, leads to a location of its own: calling it has no meaning. An execution that calls through null ends
//! there, as one does that reads through null.

use super::function::{Rest, Signature};
use super::link::In;
use super::storage::{Shape, to_stored};
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::FunctionId;
use crate::types::Ty;
use ir::LocationKind;
use term::{Sort, SortKind, Term, build};

impl Writer<'_, '_> {
    /// Calls what a pointer points to.
    pub fn call_pointer(&mut self, pointer: Term, arguments: Vec<Typed>, ty: Ty) -> Value {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        let candidates = self.candidates(&arguments, ty);
        let chosen = |object: u32| {
            build::pointer_object(pointer).as_bv().map(|known| known.unsigned()) == Some(u128::from(object))
        };
        if let Some((function, _)) = candidates.iter().find(|(_, object)| chosen(*object)) {
            self.is_discarded = is_discarded;
            return self.call_function(*function, arguments, ty, None);
        }
        let pointer = if pointer.is_var() { pointer } else { self.code.keep(pointer) };
        let result = self.join_target(ty);
        let end = self.code.location();
        let start = self.code.here();
        let mut others = Vec::new();
        for (function, object) in candidates {
            let is_meant = build::eq(pointer, self.context.static_pointer(object));
            others.push(build::not(is_meant));
            let way = self.code.location();
            self.code.continue_at(start);
            self.code.branch_if(is_meant, way);
            self.code.continue_at(way);
            let target = match result.value {
                Value::Scalar(variable) => Some(variable),
                _ => None,
            };
            self.is_discarded = is_discarded;
            let value = self.call_function(function, arguments.clone(), ty, target);
            self.join(&result, value);
            self.code.jump(end);
        }
        self.code.continue_at(start);
        let way = self.code.location();
        self.code.branch_if(build::and(others), way);
        self.code.continue_at(way);
        self.check_call(pointer);
        // A call through null is an access through null: a machine stops there.
        let (null, wild) = (self.code.location(), self.code.location());
        let is_null = build::eq(build::pointer_object(pointer), build::bv(term::OBJECT_WIDTH, 0));
        self.code.branch(is_null, null, wild);
        self.code.continue_at(null);
        self.code.stop(LocationKind::End);
        self.code.continue_at(wild);
        self.unsupported("a call through a pointer to no function of its type");
        self.code.continue_at(end);
        result.value
    }

    /// The functions that a pointer called with these arguments can mean, with their identities.
    pub fn candidates(&self, arguments: &[Typed], ty: Ty) -> Vec<(In<FunctionId>, u32)> {
        let taken = self.context.reached.address_taken.iter();
        let known = taken.filter_map(|function| Some((*function, self.context.function_object(*function)?)));
        known.filter(|(function, _)| self.accepts(&self.context.signature(*function), arguments, ty)).collect()
    }

    /// Whether a call with these arguments makes sense.
    fn accepts(&self, signature: &Signature, arguments: &[Typed], ty: Ty) -> bool {
        let enough = match signature.rest {
            Rest::Dropped if signature.is_prototype => arguments.len() == signature.parameters.len(),
            Rest::Dropped | Rest::Packed | Rest::Open => arguments.len() >= signature.parameters.len(),
        };
        let fits = |sorts: &[Sort], own: &[Sort]| {
            sorts.len() == own.len() && sorts.iter().zip(own).all(|(a, b)| is_passed_alike(*a, *b))
        };
        let accepted = signature.parameters.iter().zip(arguments).all(|(parameter, argument)| {
            fits(&parameter.sorts, &Shape::of(self.types, argument.ty).sorts(self.types))
                && !matches!(argument.value, Value::Void)
        });
        let given = ty.is_void() || fits(&signature.result.sorts, &Shape::of(self.types, ty).sorts(self.types));
        enough && accepted && given
    }

    /// The first argument of a call, as a pointer.
    pub fn as_pointer(&self, argument: &Typed) -> Option<Term> {
        match argument.value {
            Value::Scalar(term) if term.sort() == self.pointer_sort() => Some(to_stored(term)),
            _ => None,
        }
    }
}

/// Whether values of two sorts are passed in the same way: integers of up to 32 bits travel as 32 bits, and a pointer
/// as an integer of its width.
fn is_passed_alike(a: Sort, b: Sort) -> bool {
    let width = |sort: Sort| match *sort.kind() {
        SortKind::BitVec(width) => Some(width.max(32)),
        SortKind::Pointer(width) => Some(width),
        _ => None,
    };
    a == b || width(a).is_some_and(|own| width(b) == Some(own))
}
