//! What a function without a body may do with what it is given (`--missing-bodies havoc`): write to it, call it, and return it.
//!
//! Objects that pointers point to become arbitrary as a whole, whichever part of them the pointer points to; constant objects and what
//! is given as a pointer to const stay. A function that is given pointers in memory would have to follow them; its calls are refused.

use super::call::unpacked_pointer;
use super::library::make_arbitrary;
use super::start::may_hold_pointers;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::types::{FunctionType, Ty};
use ir::Op;
use term::{Sort, Term, build};

/// The width of numbers that choose among arguments.
const CHOICE: u32 = 8;

/// Pointers that a function is given.
#[derive(Default)]
pub(super) struct Given {
    /// To objects, with their types.
    objects: Vec<(Term, Ty)>,
    /// To functions.
    functions: Vec<(Term, Ty)>,
}

impl Writer<'_, '_> {
    /// The pointers among arguments; nothing if there may be more of them in memory that the arguments lead to.
    pub fn given(&self, arguments: &[Typed]) -> Option<Given> {
        let mut given = Given::default();
        for argument in arguments {
            let Some(target) = self.types.pointee(argument.ty) else {
                if may_hold_pointers(self.types, argument.ty) {
                    return None;
                }
                continue;
            };
            let pointer = unpacked_pointer(argument)?;
            if self.types.function_type(target).is_some() {
                given.functions.push((pointer, target));
            } else if may_hold_pointers(self.types, target) {
                return None;
            } else {
                given.objects.push((pointer, target));
            }
        }
        (given.objects.len() + given.functions.len() < 1 << (CHOICE - 1)).then_some(given)
    }

    /// Writes anything to the objects, and calls the functions any number of times, in any order.
    pub fn use_given(&mut self, given: &Given) {
        // Nobody wrote these steps.
        let place = self.code.place.take();
        if given.functions.is_empty() {
            given.objects.iter().for_each(|(pointer, ty)| self.may_write(*pointer, *ty));
        } else {
            let (head, end) = (self.code.location(), self.code.location());
            self.code.enter(head);
            given.objects.iter().for_each(|(pointer, ty)| self.may_write(*pointer, *ty));
            let [choice, _] = self.two_arbitrary(Sort::bv(CHOICE));
            let mut otherwise = Vec::new();
            for (n, (pointer, ty)) in (0..).zip(&given.functions) {
                let is_meant = build::eq(choice, build::bv(CHOICE, n));
                otherwise.push(build::not(is_meant));
                let is_null = build::eq(*pointer, build::null(self.width()));
                let (start, way) = (self.code.here(), self.code.location());
                self.code.branch_if(build::and([is_meant, build::not(is_null)]), way);
                self.code.continue_at(way);
                if let Some(function) = self.types.function_type(*ty) {
                    let arguments = self.arguments_of_given(function, given);
                    self.code.place = place;
                    self.call_pointer(*pointer, arguments, function.result);
                    self.code.place = None;
                }
                self.code.jump(head);
                self.code.continue_at(start);
            }
            self.code.branch_if(build::and(otherwise), end);
            self.code.continue_at(end);
        }
        self.code.place = place;
    }

    /// Two arbitrary values that are no inputs of the program: only one that is chosen alone is taken for the result of a call.
    pub fn two_arbitrary(&mut self, sort: Sort) -> [Term; 2] {
        let both = [self.code.temporary(sort), self.code.temporary(sort)];
        self.code.emit(Op::Havoc(both.to_vec()));
        both
    }

    /// Makes the object that a pointer points to arbitrary, or not.
    fn may_write(&mut self, pointer: Term, ty: Ty) {
        if ty.is_const() {
            return;
        }
        let pointer = self.stable(pointer);
        let object = build::pointer_object(pointer);
        let constants = build::bv(term::OBJECT_WIDTH, u128::from(self.context.last_constant));
        let [writes, _] = self.two_arbitrary(Sort::bool());
        let (yes, end) = (self.code.location(), self.code.location());
        self.code.branch(build::and([writes, build::bv_ult(constants, object)]), yes, end);
        self.code.continue_at(yes);
        let start = build::pointer(object, self.offset(0));
        let length = build::select(self.context.size_map(), object);
        make_arbitrary(self, start, length);
        self.code.enter(end);
    }

    /// Arguments for a function that was given: any values; pointers may be those that were given, too.
    fn arguments_of_given(&mut self, function: &FunctionType, given: &Given) -> Vec<Typed> {
        let mut arguments = Vec::new();
        for ty in &function.parameters {
            let value = match self.types.pointee(*ty) {
                Some(target) => {
                    let [outside, _] = self.two_arbitrary(self.pointer_sort());
                    Value::Scalar(self.one_of_given(outside, target, given))
                }
                None => self.nothing(*ty),
            };
            arguments.push(Typed { value, ty: *ty });
        }
        arguments
    }

    /// A pointer, or one into an object that was given and that has the type.
    pub fn one_of_given(&mut self, pointer: Term, target: Ty, given: &Given) -> Term {
        let target = target.unqualified();
        let fits = |ty: Ty| {
            let ty = ty.unqualified();
            ty.is_void() || target.is_void() || self.types.compatible_unqualified(ty, target)
        };
        let candidates: Vec<Term> =
            given.objects.iter().filter(|(_, ty)| fits(*ty)).map(|(pointer, _)| *pointer).collect();
        if candidates.is_empty() {
            return pointer;
        }
        let [choice, _] = self.two_arbitrary(Sort::bv(CHOICE));
        let [offset, _] = self.two_arbitrary(Sort::bv(self.width()));
        let null = build::bv(term::OBJECT_WIDTH, 0);
        let mut result = pointer;
        for (n, candidate) in (0..).zip(candidates) {
            let object = build::pointer_object(candidate);
            let is_meant = build::and([build::eq(choice, build::bv(CHOICE, n)), build::ne(object, null)]);
            let moved = build::pointer(object, offset);
            result = build::ite(is_meant, moved, result);
        }
        let result = self.code.keep(result);
        // A pointer that the function makes stays in the object that it points into.
        let object = build::pointer_object(result);
        let size = build::select(self.context.size_map(), object);
        let is_outside =
            build::not(build::bv_ult(object, build::bv(term::OBJECT_WIDTH, ir::memory::FIRST_EXTERNAL.into())));
        let is_inside = build::bv_ule(build::pointer_offset(result), size);
        self.code.assume(build::or([build::eq(object, null), is_outside, is_inside]));
        result
    }
}
