//! What a function is given that execution starts with and that is not `main`: a function of a library.
//!
//! Arguments are arbitrary. A pointer is null, or points to an object of an arbitrary size that holds an element of the pointer's type at
//! least (just one, if pointers are in it), or into the object of an argument before it. Pointers that are found in such an object lead to memory from outside, of which
//! nothing is known. Variables have the values that they start with: that this is the first call is an assumption.

use super::alloc::Made;
use super::context::Context;
use super::link::In;
use super::pointer::advance;
use super::start::may_hold_pointers;
use super::storage::{Shape, leaves, value_sort};
use super::value::{RecordValue, Typed, Value};
use super::writer::Writer;
use crate::Pointers;
use crate::hir::{FunctionId, LocalId};
use crate::types::Ty;
use ir::{AssumptionKind, Op, Variable, memory};
use source::Symbol;
use term::{Sort, Term, build};

impl Context<'_> {
    /// Whether execution starts in a function that others call with what they like.
    pub fn starts_in_the_middle(&self) -> bool {
        self.link.function(self.entry).name.as_str() != "main"
    }

    /// Whether the program has variables that several threads could change.
    fn shares_variables(&self) -> bool {
        let is_shared = |global: &In<crate::hir::GlobalId>| {
            let found = &self.link.units[global.unit][global.id];
            self.link.is_users(global.unit)
                && !found.is_thread_local
                && !super::constant::is_constant(self.types(global.unit), found.ty)
        };
        self.reached.globals.iter().any(is_shared)
    }

    /// Whether variables of the program, or of the library that it uses, can have changed before a call.
    fn has_state(&self) -> bool {
        let changes = |global: &In<crate::hir::GlobalId>| {
            let found = &self.link.units[global.unit][global.id];
            let types = self.types(global.unit);
            let ty = std::iter::successors(Some(found.ty), |ty| types.element(*ty)).last().unwrap_or(found.ty);
            found.init.is_some() && !found.ty.is_const() && !ty.is_const()
        };
        self.reached.globals.iter().any(changes)
    }
}

impl Writer<'_, '_> {
    /// Arbitrary arguments, which have the names of their parameters.
    pub fn entry_arguments(&mut self, entry: In<FunctionId>, parameters: &[LocalId]) -> Vec<Typed> {
        let mut arguments: Vec<Typed> = Vec::new();
        let mut pointers: Vec<Term> = Vec::new();
        for local in parameters {
            let argument = self.entry_argument(entry, *local, &pointers);
            match argument.value {
                Value::Scalar(pointer) if pointer.sort() == self.pointer_sort() => pointers.push(pointer),
                _ => {}
            }
            arguments.push(argument);
        }
        arguments
    }

    fn entry_argument(&mut self, entry: In<FunctionId>, local: LocalId, others: &[Term]) -> Typed {
        let Some(body) = self.context.link.body(entry) else { return Typed { value: Value::Void, ty: Ty::VOID } };
        let parameter = &body[local];
        let ty = parameter.ty;
        let Some(scalar) = self.types.scalar(ty) else {
            return Typed { value: self.arbitrary_record(ty), ty };
        };
        let unique = self.code.unique(parameter.name.map_or("$argument", |name| name.as_str()));
        let variable = Variable {
            user_name: parameter.name,
            user_type: Some(Symbol::new(&self.types.display(ty).to_string())),
            place: self.context.place(parameter.span),
            ..Variable::internal(unique, value_sort(scalar, self.context.model))
        };
        let value = variable.term;
        self.code.locals.push(variable);
        let target = self.types.pointee(ty).filter(|target| self.types.function_type(*target).is_none());
        match target {
            Some(target) => self.object_or_null(value, target, others),
            None => {
                self.code.emit(Op::Havoc(vec![value]));
                if value.sort() == self.pointer_sort() {
                    self.outside(value);
                }
            }
        }
        Typed { value: Value::Scalar(value), ty }
    }

    /// A record with arbitrary contents.
    fn arbitrary_record(&mut self, ty: Ty) -> Value {
        match (Shape::of(self.types, ty), self.types.size(ty)) {
            (Shape::Memory, Some(size)) => {
                let start = self.new_temporary_object(size, self.types.align(ty));
                self.begin_pointers(start, ty);
                Value::Record(RecordValue::Memory(start))
            }
            _ => self.nothing(ty),
        }
    }

    /// That a pointer is null or points to something from outside: it is no mere number.
    fn outside(&mut self, pointer: Term) {
        let is_object = build::ne(build::pointer_object(pointer), build::bv(term::OBJECT_WIDTH, 0));
        self.code.assume(build::or([is_object, build::eq(pointer, build::null(self.width()))]));
    }

    /// Makes a pointer null, a pointer to a new object that has room for what it points to, or one into the object of another.
    fn object_or_null(&mut self, pointer: Term, target: Ty, others: &[Term]) {
        let least = self.types.size(target).unwrap_or(1).max(1);
        let width = self.width();
        let size = self.code.temporary(Sort::bv(width));
        let choice = self.code.temporary(Sort::bv(8));
        let offset = self.code.temporary(Sort::bv(width));
        self.code.emit(Op::Havoc(vec![size, choice, offset]));
        let fits = build::and([
            build::bv_ule(self.offset(least), size),
            build::bv_ult(size, build::bv(width, 1 << (width - 1))),
        ]);
        self.code.assume(fits);
        let object = self.code.temporary(Sort::object());
        // It may be freed, but need not.
        self.allocate(object, size, self.types.align(target), Made::Stack);
        if may_hold_pointers(self.types, target) {
            self.code.assume(build::eq(size, self.offset(least)));
            self.begin_pointers(build::pointer(object, self.offset(0)), target);
        }
        let mut value =
            build::ite(build::eq(choice, build::bv(8, 0)), build::null(width), build::pointer(object, self.offset(0)));
        if self.context.options.pointers == Pointers::Any {
            for (n, other) in (2..).zip(others) {
                let shared = build::pointer_object(*other);
                let is_object = build::ne(shared, build::bv(term::OBJECT_WIDTH, 0));
                let total = build::select(self.context.size_map(), shared);
                let is_inside = build::and([
                    build::bv_ule(self.offset(least), total),
                    build::bv_ule(offset, build::bv_sub(total, self.offset(least))),
                ]);
                let is_meant = build::and([build::eq(choice, build::bv(8, n)), is_object, is_inside]);
                value = build::ite(is_meant, build::pointer(shared, offset), value);
            }
        }
        self.code.assign(pointer, value);
    }

    /// Makes the pointers in an object null, or pointers to memory from outside.
    fn begin_pointers(&mut self, start: Term, ty: Ty) {
        let all = leaves(self.types, ty);
        for leaf in all.iter().flat_map(|leaves| leaves.iter()).filter(|leaf| self.types.is_pointer(leaf.ty)) {
            let [pointer, _] = self.two_arbitrary(self.pointer_sort());
            self.outside(pointer);
            self.write(advance(start, leaf.offset), pointer);
        }
    }

    /// Notes what the call of the entry assumes.
    pub fn assume_start(&mut self, entry: In<FunctionId>) {
        if !self.context.starts_in_the_middle() {
            return;
        }
        let found = self.context.link.function(entry);
        let (name, place) = (found.name, self.context.place(found.span));
        let Some(ty) = self.types.function_type(found.ty) else { return };
        let targets: Vec<Ty> = ty.parameters.iter().filter_map(|ty| self.types.pointee(*ty)).collect();
        let pointers = targets.len();
        let mut texts = Vec::new();
        if self.context.has_state() {
            texts.push("it is called when all variables of the program and of the library (as errno) have the values that they start with");
        }
        if pointers > 0 {
            texts.push(
                "each pointer argument is null or points to at least one element of its type, in memory that may be freed and is no \
                 variable of the program",
            );
        }
        if targets.iter().any(|ty| may_hold_pointers(self.types, *ty)) {
            texts.push(
                "what a pointer argument points to is one element, if pointers are in it; they are null or point to memory of which \
                 nothing is known",
            );
        }
        if pointers > 1 && self.context.options.pointers == Pointers::Separate {
            texts.push("pointer arguments point to different objects");
        }
        for text in texts {
            self.context.assume(AssumptionKind::Start, text, &[name], place);
        }
        let checks = &self.context.checks;
        if (checks.race || checks.deadlock) && (pointers > 0 || self.context.shares_variables()) {
            let text = "no other thread calls functions of the library at the same time";
            self.context.assume(AssumptionKind::OneAtATime, text, &[name], place);
        }
    }

    /// Control does not go on with a pointer to memory from outside: nothing is known of such memory.
    pub fn refuse_outside(&mut self, pointer: Term) {
        if !self.context.starts_in_the_middle() {
            return;
        }
        let first = build::bv(term::OBJECT_WIDTH, memory::FIRST_EXTERNAL.into());
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        let is_object = build::ne(object, build::bv(term::OBJECT_WIDTH, 0));
        let is_null = build::bv_ult(offset, self.offset(memory::FIRST_ADDRESS));
        let is_known = build::and([build::bv_ult(object, first), build::or([is_object, is_null])]);
        if is_known.as_bool() == Some(true) {
            return;
        }
        let (unknown, next) = (self.code.location(), self.code.location());
        let known = self.code.provenance.known();
        self.code.branch(is_known, next, unknown);
        self.code.continue_at(unknown);
        self.unsupported("an access to memory of which nothing is known: a pointer that the caller left there");
        self.code.continue_at(next);
        self.code.provenance.set_known(known);
    }
}
