//! What a function without a body may do with what it is given (`--missing-bodies havoc`): write to it, call it, and return it.
//!
//! Objects that pointers point to become arbitrary as a whole, whichever part of them the pointer points to; constant objects and what
//! is given as a pointer to const stay. Where pointers are in them, they are followed: for each type of object that the function can come to there
//! is a variable with a pointer to one, and in a loop that ends at any time these variables move on, to neighbours in an array and to what
//! pointers in the objects point to. What they come to is written: pointers stay, or become null, one from outside, or one to anything
//! that was found.

use super::access::Access;
use super::call::unpacked_pointer;
use super::library::make_arbitrary;
use super::pointer::advance;
use super::start::may_hold_pointers;
use super::storage::{Leaf, leaf_sort, leaves, to_field, to_stored};
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::types::{FunctionType, Scalar, Ty};
use ir::memory::FIRST_EXTERNAL;
use ir::{LocId, Op};
use term::{Sort, Term, build};

/// Pointers are followed to objects of at most so many types.
const MOST_TYPES: usize = 8;
/// The width of numbers that choose among arguments.
const CHOICE: u32 = 8;

/// Pointers that a function is given.
#[derive(Default)]
pub(super) struct Given {
    /// To objects, with their types.
    objects: Vec<(Term, Ty)>,
    /// To functions.
    functions: Vec<(Term, Ty)>,
    /// Variables with pointers to objects that it can come to, with their types, where pointers lie in memory.
    found: Vec<(Term, Ty)>,
}

impl Writer<'_, '_> {
    /// The pointers among arguments; or why it cannot be said to what they lead.
    pub fn given(&mut self, arguments: &[Typed]) -> Result<Given, String> {
        let mut given = Given::default();
        let mut pending = Vec::new();
        for argument in arguments {
            let Some(target) = self.types.pointee(argument.ty) else {
                if may_hold_pointers(self.types, argument.ty) {
                    return Err(format!("a {} with pointers in it", self.types.display(argument.ty.unqualified())));
                }
                continue;
            };
            let pointer = unpacked_pointer(argument).ok_or("a pointer of an unexpected kind")?;
            if self.types.function_type(target).is_some() {
                given.functions.push((pointer, target));
                continue;
            }
            given.objects.push((pointer, target));
            if may_hold_pointers(self.types, target) {
                pending.push(target);
            }
        }
        while let Some(ty) = pending.pop() {
            if given.found.iter().chain(&given.functions).any(|(_, known)| self.is_same(*known, ty)) {
                continue;
            }
            if given.found.len() == MOST_TYPES {
                return Err(format!("memory from which pointers lead to more than {MOST_TYPES} types"));
            }
            let register = self.code.temporary(self.pointer_sort());
            if self.types.function_type(ty).is_some() {
                given.functions.push((register, ty));
                given.found.push((register, ty));
                continue;
            }
            given.found.push((register, ty));
            if !may_hold_pointers(self.types, ty) {
                continue;
            }
            let Some(leaves) = leaves(self.types, ty) else {
                return Err(format!(
                    "a {} with pointers in a union or among many members",
                    self.types.display(ty.unqualified())
                ));
            };
            pending.extend(leaves.iter().filter_map(|leaf| self.types.pointee(leaf.ty)));
        }
        match given.objects.len() + given.functions.len() + given.found.len() < 1 << (CHOICE - 1) {
            true => Ok(given),
            false => Err("too many pointers".to_string()),
        }
    }

    fn is_same(&self, a: Ty, b: Ty) -> bool {
        a.is_const() == b.is_const() && self.types.compatible_unqualified(a, b)
    }

    /// Writes anything to the objects, and calls the functions any number of times, in any order.
    pub fn use_given(&mut self, given: &Given) {
        // Nobody wrote these steps.
        let place = self.code.place.take();
        if given.functions.is_empty() && given.found.is_empty() {
            self.write_given(given);
        } else {
            for (register, _) in &given.found {
                self.code.assign(*register, build::null(self.width()));
            }
            let (head, end) = (self.code.location(), self.code.location());
            self.code.enter(head);
            self.write_given(given);
            let [choice, _] = self.two_arbitrary(Sort::bv(CHOICE));
            let mut ways = Vec::new();
            for (pointer, ty) in &given.functions {
                let is_null = build::eq(*pointer, build::null(self.width()));
                let way = self.way(choice, &mut ways, build::not(is_null));
                if let Some(function) = self.types.function_type(*ty) {
                    let arguments = self.arguments_of_given(function, given);
                    self.code.place = place;
                    self.call_pointer(*pointer, arguments, function.result);
                    self.code.place = None;
                }
                self.code.jump(head);
                self.code.continue_at(way);
            }
            for (register, ty) in &given.found {
                for (pointer, own) in &given.objects {
                    if !self.is_same(*own, *ty) {
                        continue;
                    }
                    let way = self.way(choice, &mut ways, build::truth());
                    self.code.assign(*register, *pointer);
                    self.code.jump(head);
                    self.code.continue_at(way);
                }
                if self.types.function_type(*ty).is_none() {
                    let is_null = build::eq(build::pointer_object(*register), build::bv(term::OBJECT_WIDTH, 0));
                    let way = self.way(choice, &mut ways, build::not(is_null));
                    self.visit(*register, *ty, given);
                    self.code.jump(head);
                    self.code.continue_at(way);
                }
            }
            self.code.branch_if(build::and(ways), end);
            self.code.continue_at(end);
        }
        self.code.place = place;
    }

    /// The next of several ways: writing goes on there. Gives where it went on before, and notes when it is not taken.
    fn way(&mut self, choice: Term, ways: &mut Vec<Term>, possible: Term) -> LocId {
        let is_meant = build::eq(choice, build::bv(CHOICE, ways.len() as u128));
        ways.push(build::not(is_meant));
        let (start, way) = (self.code.here(), self.code.location());
        self.code.branch_if(build::and([is_meant, possible]), way);
        self.code.continue_at(way);
        start
    }

    /// Writes to the objects that are given themselves, and have no pointers in them.
    fn write_given(&mut self, given: &Given) {
        for (pointer, ty) in &given.objects {
            if !may_hold_pointers(self.types, *ty) {
                self.may_write(*pointer, *ty);
            }
        }
    }

    /// Moves a pointer to any element of the array that it points into, follows the pointers there, and writes there.
    fn visit(&mut self, register: Term, ty: Ty, given: &Given) {
        let Some(size) = self.types.size(ty).filter(|_| may_hold_pointers(self.types, ty)) else {
            return self.may_write(register, ty);
        };
        let Some(leaves) = leaves(self.types, ty) else { return };
        let [steps, _] = self.two_arbitrary(Sort::bv(self.width()));
        let object = build::pointer_object(register);
        let moved = build::bv_add(build::pointer_offset(register), build::bv_mul(steps, self.offset(size)));
        self.code.assign(register, build::pointer(object, moved));
        let offset = build::pointer_offset(register);
        let total = build::select(self.context.size_map(), object);
        let fits = build::and([
            build::bv_ule(self.offset(size), total),
            build::bv_ule(offset, build::bv_sub(total, self.offset(size))),
        ]);
        let lives = match self.context.ends_lives() {
            true => build::select(self.context.alive_map(), object),
            false => build::truth(),
        };
        let is_outside = build::not(build::bv_ult(object, build::bv(term::OBJECT_WIDTH, FIRST_EXTERNAL.into())));
        self.code.assume(build::or([is_outside, build::and([fits, lives])]));
        let at = self.code.keep(register);
        self.check_race(at, self.offset(size), Access::Write, false);
        let mut next = Vec::new();
        for leaf in leaves.iter() {
            let Some(target) = self.types.pointee(leaf.ty) else { continue };
            if let Some((variable, _)) = given.found.iter().find(|(_, known)| self.is_same(*known, target)) {
                let there = self.read(self.pointer_sort(), advance(at, leaf.offset));
                next.push((*variable, self.code.keep(there)));
            }
        }
        if !ty.is_const() {
            let constants = build::bv(term::OBJECT_WIDTH, u128::from(self.context.last_constant));
            let [writes, _] = self.two_arbitrary(Sort::bool());
            let (yes, end) = (self.code.location(), self.code.location());
            self.code.branch(build::and([writes, build::bv_ult(constants, object)]), yes, end);
            self.code.continue_at(yes);
            leaves.iter().for_each(|leaf| self.write_anything(at, leaf, given));
            self.code.enter(end);
        }
        for (variable, there) in next {
            let [goes, _] = self.two_arbitrary(Sort::bool());
            self.code.assign(variable, build::ite(goes, there, variable));
        }
    }

    /// Writes any value to a member of a record; a pointer may stay, too, or be one that was found.
    pub fn write_anything(&mut self, record: Term, leaf: &Leaf, given: &Given) {
        let at = advance(record, leaf.offset);
        if let Some(target) = self.types.pointee(leaf.ty) {
            let [outside, _] = self.two_arbitrary(self.pointer_sort());
            let found = match self.types.function_type(target) {
                Some(_) => self.function_of_given(outside, target, given),
                None => self.one_of_given(outside, target, given),
            };
            let [stays, _] = self.two_arbitrary(Sort::bool());
            let old = self.read(self.pointer_sort(), at);
            let value = self.code.keep(build::ite(stays, old, found));
            return self.write(at, value);
        }
        let sort = match self.types.scalar(leaf.ty) {
            Some(Scalar::Bool) => Sort::bool(),
            _ => leaf_sort(self.types, leaf),
        };
        let [value, _] = self.two_arbitrary(sort);
        match leaf.bits {
            Some(bits) => self.write_field(at, bits, to_field(value, bits.width)),
            None => self.write(at, to_stored(value)),
        }
    }

    /// A pointer to a function, or one of those that were given.
    fn function_of_given(&mut self, pointer: Term, target: Ty, given: &Given) -> Term {
        let [choice, _] = self.two_arbitrary(Sort::bv(CHOICE));
        let fitting = given.functions.iter().filter(|(_, ty)| self.types.compatible_unqualified(*ty, target));
        let candidates: Vec<Term> = fitting.map(|(pointer, _)| *pointer).collect();
        (0..).zip(candidates).fold(pointer, |otherwise, (n, candidate)| {
            build::ite(build::eq(choice, build::bv(CHOICE, n)), candidate, otherwise)
        })
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
        let is_object = |(_, ty): &&(Term, Ty)| self.types.function_type(*ty).is_none();
        let known = given.objects.iter().chain(given.found.iter().filter(is_object));
        let candidates: Vec<Term> = known.filter(|(_, ty)| fits(*ty)).map(|(pointer, _)| *pointer).collect();
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
