//! What the properties forbid, as ways to error locations. Each class is asked about in one place; what is not asked for
//! writes nothing.
//!
//! Without `div-by-zero`, what an x86 processor does not survive ends an execution silently: nothing can be said about
//! what follows.

use super::access::Access;
use super::library::text_was_written;
use super::place::{At, Lvalue};
use super::writer::Writer;
use crate::types::Scalar;
use ir::{LocId, LocationKind, PropertyId};
use source::Symbol;
use term::{Term, build};

/// The classes of properties that can be checked, beside `unreach-label:NAME` and `automaton:NAME`.
const CLASSES: &[&str] = &[
    UNREACH_CALL,
    OVERFLOW,
    DEREF,
    FREE,
    MEMTRACK,
    MEMCLEANUP,
    BOUNDS,
    NULL,
    DIVISION,
    SHIFT,
    UNINITIALISED,
    LOCKING,
    STRINGS,
    RACE,
    DEADLOCK,
];
const LABEL: &str = "unreach-label:";
pub(super) const UNREACH_CALL: &str = "unreach-call";
const OVERFLOW: &str = "no-overflow";
const DEREF: &str = "valid-deref";
const FREE: &str = "valid-free";
const MEMTRACK: &str = "valid-memtrack";
const MEMCLEANUP: &str = "valid-memcleanup";
const BOUNDS: &str = "array-bounds";
const NULL: &str = "null-deref";
const DIVISION: &str = "div-by-zero";
const SHIFT: &str = "shift-range";
pub(super) const UNINITIALISED: &str = "uninitialised";
const LOCKING: &str = "locking";
const STRINGS: &str = "strings";
pub(super) const RACE: &str = "no-data-race";
pub(super) const DEADLOCK: &str = "no-deadlock";

/// Whether this frontend can express a property of the class.
pub fn can_check(class: &str) -> bool {
    let named = |prefix: &str| class.strip_prefix(prefix).is_some_and(|name| !name.is_empty());
    CLASSES.contains(&class) || named(LABEL) || named(super::automaton::CLASS)
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// `main` returns: nothing but variables with static storage is left.
    Return,
    /// `exit` is called, somewhere: local variables are left, too.
    Exit,
    /// `abort` is called, or an assertion fails. Whether memory must be freed before is a matter of opinion.
    Abort,
}

/// What is asked for.
#[derive(Clone, Default, Debug)]
pub(super) struct Checks {
    pub unreach_call: bool,
    pub labels: Vec<Symbol>,
    pub overflow: bool,
    pub deref: bool,
    pub free: bool,
    pub memtrack: bool,
    pub memcleanup: bool,
    pub bounds: bool,
    pub null: bool,
    pub division: bool,
    pub shift: bool,
    pub uninitialised: bool,
    pub locking: bool,
    pub strings: bool,
    pub race: bool,
    pub deadlock: bool,
}

impl Checks {
    pub fn new(classes: &[Symbol]) -> Checks {
        let has = |class: &str| classes.iter().any(|asked| asked.as_str() == class);
        Checks {
            unreach_call: has(UNREACH_CALL),
            labels: classes.iter().filter_map(|class| class.as_str().strip_prefix(LABEL)).map(Symbol::new).collect(),
            overflow: has(OVERFLOW),
            deref: has(DEREF),
            free: has(FREE),
            memtrack: has(MEMTRACK),
            memcleanup: has(MEMCLEANUP),
            bounds: has(BOUNDS),
            null: has(NULL),
            division: has(DIVISION),
            shift: has(SHIFT),
            uninitialised: has(UNINITIALISED),
            locking: has(LOCKING),
            strings: has(STRINGS),
            race: has(RACE),
            deadlock: has(DEADLOCK),
        }
    }

    /// Whether it matters which objects live.
    pub fn lives(&self) -> bool {
        self.deref || self.free || self.memtrack
    }

    /// Whether single operations are looked at, wherever they are.
    pub fn looks_at_operations(&self) -> bool {
        let arithmetic = self.overflow || self.division || self.shift;
        arithmetic || self.memory()
    }

    /// Whether reads and writes of memory are looked at.
    pub fn memory(&self) -> bool {
        self.deref || self.bounds || self.null || self.uninitialised || self.strings || self.race
    }

    /// Whether it matters how many dynamic objects live.
    pub fn leaks(&self) -> bool {
        self.memtrack || self.memcleanup
    }
}

impl Writer<'_, '_> {
    /// Where the condition does not hold, the property is violated.
    pub fn require(&mut self, class: &str, condition: Term, text: &str) {
        if condition.as_bool() == Some(true) {
            return;
        }
        let property = self.context.property(class, text, self.code.place);
        let error = self.error(property);
        let next = self.code.location();
        self.code.branch(condition, next, error);
        // Nothing else leads there.
        let known = self.code.provenance.known();
        self.code.continue_at(next);
        self.code.provenance.set_known(known);
    }

    /// Control comes to an error that `unreach-call` forbids; if it is not asked for, the program just ends. What is
    /// written next is unreachable.
    pub fn fail(&mut self, text: &str) {
        if self.context.checks.unreach_call {
            self.violate(UNREACH_CALL, text);
        } else {
            self.abort_by_signal();
        }
    }

    /// The property is violated here. What is written next is unreachable.
    pub fn violate(&mut self, class: &str, text: &str) {
        let property = self.context.property(class, text, self.code.place);
        let error = self.error(property);
        self.code.jump(error);
    }

    /// Where a property is violated. Behind text whose characters were made up, it may not be.
    fn error(&mut self, property: PropertyId) -> LocId {
        let error = self.code.special(LocationKind::Error(property));
        if !self.context.writes_text {
            return error;
        }
        let unknown = LocationKind::Unsupported("what a violation has to do with a value that is not computed".into());
        let unknown = self.code.special(unknown);
        let (here, either, known) = (self.code.here(), self.code.location(), self.code.provenance.known());
        let flag = self.context.internal(text_was_written(), false);
        self.code.continue_at(either);
        self.code.branch(flag, unknown, error);
        self.code.continue_at(here);
        self.code.provenance.set_known(known);
        either
    }

    /// A pointer that points to no function that can be called is called.
    pub fn check_call(&mut self, pointer: Term) {
        if self.context.checks.null {
            let something = build::ne(build::pointer_object(pointer), build::bv(term::OBJECT_WIDTH, 0));
            self.require(NULL, something, "null pointer is called");
        }
        if self.context.checks.deref {
            self.refuse_outside(pointer);
            self.violate(DEREF, "a pointer to no function is called");
        }
    }

    /// Whether reaching the label is an error; then it is one here, and what is written next is unreachable.
    pub fn check_label(&mut self, label: Symbol) -> bool {
        let forbidden = self.context.checks.labels.contains(&label);
        if forbidden {
            self.violate(&format!("{LABEL}{label}"), &format!("label {label} is reached"));
        }
        forbidden
    }

    /// Division by zero, and of the least number by -1, has no result.
    pub fn check_division(&mut self, dividend: Term, divisor: Term, scalar: Scalar) {
        let Scalar::Int { width, signed } = scalar else { return };
        let by_something = build::ne(divisor, build::bv(width, 0));
        if self.context.checks.division {
            self.require(DIVISION, by_something, "division by zero");
        } else {
            self.code.assume(by_something);
        }
        if signed {
            let least = build::eq(dividend, build::bv(width, 1 << (width - 1)));
            let fits = build::not(build::and([least, build::eq(divisor, build::bv_signed(width, -1))]));
            if self.context.checks.overflow {
                self.require(OVERFLOW, fits, "signed overflow of a division");
            } else {
                self.code.assume(fits);
            }
        }
    }

    /// Whether arithmetic is asked about here. Inside the library's own functions it is no concern of the program: they
    /// wrap around as the compiled library may. Its divisions are the operands that a caller gave (`div`).
    pub fn asks_about_arithmetic(&self) -> bool {
        self.context.link.is_users(self.unit)
    }

    /// Signed arithmetic must not overflow.
    pub fn check_overflow(&mut self, fits: impl FnOnce() -> Option<Term>, operation: &str) {
        if !self.context.checks.overflow || !self.asks_about_arithmetic() {
            return;
        }
        match fits() {
            Some(fits) => self.require(OVERFLOW, fits, &format!("signed overflow of {operation}")),
            None => self.unsupported("a check for overflow of numbers that are too wide"),
        }
    }

    /// A number may be shifted by less than its width.
    pub fn check_shift(&mut self, in_range: Term) {
        if self.context.checks.shift && self.asks_about_arithmetic() {
            self.require(SHIFT, in_range, "shift by a number that is negative or too large");
        }
    }

    /// A rule of locks.
    pub fn check_locking(&mut self, condition: impl FnOnce(&mut Self) -> Term, text: &str) {
        if self.context.checks.locking {
            let condition = condition(self);
            self.require(LOCKING, condition, text);
        }
    }

    /// An index of an array whose length is known must be less.
    pub fn check_index(&mut self, index: Term, length: Option<u64>) {
        if let (true, Some(length)) = (self.context.checks.bounds, length) {
            let limit = self.offset(length);
            self.require(BOUNDS, build::bv_ult(index, limit), "array index out of bounds");
        }
    }

    /// An access to a place must be valid.
    pub fn check_access(&mut self, lvalue: &Lvalue, access: Access) {
        let At::Memory(pointer) = lvalue.at else { return };
        if lvalue.is_known && !self.context.checks.race {
            return;
        }
        let size = match lvalue.bits {
            Some(bits) => Some(u64::from(bits.shift + bits.width).div_ceil(8)),
            None => self.types.size(lvalue.ty),
        };
        let size = self.offset(size.unwrap_or(1));
        self.check_race(pointer, size, access, lvalue.ty.is_atomic());
        if !lvalue.is_known {
            self.check_valid(pointer, size, access, false);
        }
    }

    /// An access to a number of bytes must be valid. None is always valid.
    pub fn check_bytes(&mut self, pointer: Term, size: Term, access: Access) {
        self.check_race(pointer, size, access, false);
        self.check_valid(pointer, size, access, false);
    }

    /// The same for an access that cannot be part of a data race.
    pub fn check_unshared_bytes(&mut self, pointer: Term, size: Term, access: Access) {
        self.check_valid(pointer, size, access, false);
    }

    /// The same for what a function of `string.h` does.
    pub fn check_block(&mut self, pointer: Term, size: Term, access: Access) {
        self.check_race(pointer, size, access, false);
        self.check_valid(pointer, size, access, true);
    }

    /// A function of `string.h` copies from one range of bytes to another: they must not overlap.
    pub fn check_disjoint(&mut self, (to, length): (Term, Term), (from, read): (Term, Term)) {
        if !self.context.checks.strings {
            return;
        }
        let (start, other) = (build::pointer_offset(to), build::pointer_offset(from));
        let none = self.offset(0);
        let apart = build::or([
            build::ne(build::pointer_object(to), build::pointer_object(from)),
            build::bv_ule(build::bv_add(start, length), other),
            build::bv_ule(build::bv_add(other, read), start),
            build::eq(length, none),
            build::eq(read, none),
        ]);
        self.require(STRINGS, apart, "a string function copies between objects that overlap");
    }

    fn check_valid(&mut self, pointer: Term, size: Term, access: Access, of_string_function: bool) {
        let of_string_function = of_string_function || self.context.string_functions.contains(&self.unit);
        let checks = &self.context.checks;
        let (deref, null, bounds) = (checks.deref, checks.null, checks.bounds);
        let strings = checks.strings && of_string_function;
        if !(deref || null || bounds || strings) {
            return;
        }
        // Registers of devices can be accessed.
        let device = self.is_device(pointer, size);
        let harmless = build::or([build::eq(size, self.offset(0))].into_iter().chain(device));
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        if null {
            let something = build::ne(object, build::bv(term::OBJECT_WIDTH, 0));
            self.require(NULL, build::or([harmless, something]), "null pointer is dereferenced");
        }
        if deref || bounds || strings {
            self.refuse_outside(pointer);
        }
        let total = build::select(self.context.size_map(), object);
        let inside = build::and([build::bv_ule(size, total), build::bv_ule(offset, build::bv_sub(total, size))]);
        if deref {
            let lives = build::select(self.context.alive_map(), object);
            let writable = match access {
                Access::Read => build::truth(),
                Access::Write => self.context.is_writable(object),
            };
            let text = match access {
                Access::Read => "invalid read",
                Access::Write => "invalid write",
            };
            self.require(DEREF, build::or([harmless, build::and([lives, inside, writable])]), text);
        }
        if bounds {
            self.require(BOUNDS, build::or([harmless, inside]), "access outside of an object");
        }
        if strings {
            let text = match access {
                Access::Read => "a string function reads behind the end of an object",
                Access::Write => "a string function writes behind the end of an object",
            };
            self.require(STRINGS, build::or([harmless, inside]), text);
        }
    }

    /// What is freed must be the start of an object that `malloc` made and that still lives, or null.
    pub fn check_free(&mut self, pointer: Term) {
        if !self.context.checks.free {
            return;
        }
        self.refuse_outside(pointer);
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        let lives = build::select(self.context.alive_map(), object);
        let dynamic = build::select(self.context.dynamic_map(), object);
        let at_start = build::eq(offset, self.offset(0));
        let null = build::eq(pointer, build::null(self.width()));
        self.require(FREE, build::or([null, build::and([lives, dynamic, at_start])]), "invalid free");
    }

    /// The program ends here, by a signal. What is written next is unreachable.
    pub fn abort(&mut self) {
        self.check_leaks(Ending::Abort);
        self.code.stop(LocationKind::End);
    }

    /// When the program ends, no dynamic object may live. For `valid-memtrack`, those are in order that something still
    /// points to: if some live, they are lost where nothing with static storage points to any, and else it is not known.
    pub fn check_leaks(&mut self, ending: Ending) {
        if ending != Ending::Abort {
            self.automata_end();
        }
        let checks = &self.context.checks;
        let (cleanup, track) = (checks.memcleanup, checks.memtrack);
        if !checks.leaks() {
            return;
        }
        let count = self.context.internal(super::alloc::live_count(), false);
        let none = build::eq(count, build::bv(term::OBJECT_WIDTH, 0));
        if self.context.starts_in_the_middle() && ending == Ending::Return {
            let (some, next) = (self.code.location(), self.code.location());
            self.code.branch(none, next, some);
            self.code.continue_at(some);
            self.unsupported("whether callers free what a function of a library leaves");
            self.code.continue_at(next);
            return;
        }
        if cleanup && ending != Ending::Abort {
            return self.require(MEMCLEANUP, none, "memory is not freed at the end");
        }
        let (some, next) = (self.code.location(), self.code.location());
        self.code.branch(none, next, some);
        self.code.continue_at(some);
        if track
            && ending == Ending::Return
            && let Some(pointers) = self.static_pointers()
        {
            let (alive, dynamic) = (self.context.alive_map(), self.context.dynamic_map());
            let to_dynamic = |pointer: Term| {
                let object = build::pointer_object(pointer);
                build::and([build::select(alive, object), build::select(dynamic, object)])
            };
            self.require(MEMTRACK, build::or(pointers.into_iter().map(to_dynamic)), "memory is lost");
        }
        self.unsupported(match ending {
            Ending::Abort => "memory that is not freed when the program aborts",
            Ending::Return | Ending::Exit => "whether memory that is not freed at the end is still pointed to",
        });
        self.code.continue_at(next);
    }
}
