//! Data races: two threads are about to access the same bytes, one of them to write, and nothing orders them.
//!
//! Before an access a thread may, if it likes, announce it and wait. An access that meets an announcement of bytes that it
//! overlaps is a race, unless both only read: no step of the other thread lies between its announcement and its access, so
//! both could happen at once. Every race can be seen in this way, for a thread can announce whatever it is about to do.
//!
//! Atomic accesses announce nothing, for two of them are no race. Nor do steps inside of atomic sections, where nobody else
//! can run. The locks of the library are not looked at.
//!
//! Variables that threads share lie in memory where this is asked for.

use super::access::Access;
use super::checks::RACE;
use super::writer::Writer;
use ir::Op;
use term::{Sort, Term, build};

/// The announcement: whether there is one, of which bytes, and whether they will be written.
struct Announced {
    is_open: Term,
    pointer: Term,
    size: Term,
    is_write: Term,
}

/// Whether an access is announced, at first none.
pub(super) fn is_open() -> Term {
    Term::var("$announced", Sort::bool())
}

impl Writer<'_, '_> {
    fn announced(&mut self) -> Announced {
        let (pointer, size) = (self.pointer_sort(), Sort::bv(self.width()));
        let mut internal = |variable: Term| self.context.internal(variable, false);
        Announced {
            is_open: internal(is_open()),
            pointer: internal(Term::var("$announced.pointer", pointer)),
            size: internal(Term::var("$announced.size", size)),
            is_write: internal(Term::var("$announced.write", Sort::bool())),
        }
    }

    /// An access must not race. What the library does with its own objects is left out.
    pub fn check_race(&mut self, pointer: Term, size: Term, access: Access, is_atomic: bool) {
        if self.context.thread_functions != Some(self.unit) {
            self.check_race_of_user(pointer, size, access, is_atomic);
        }
    }

    /// The end of a dynamic object is a write to all of it (C11, 7.22.3 paragraph 2). Freeing null is none.
    pub fn check_race_of_free(&mut self, pointer: Term) {
        if !self.context.checks.race || !self.context.threaded {
            return;
        }
        let object = build::pointer_object(pointer);
        let size = build::select(self.context.size_map(), object);
        let is_null = build::eq(object, build::bv(term::OBJECT_WIDTH, 0));
        self.check_race(pointer, build::ite(is_null, self.offset(0), size), Access::Write, false);
    }

    /// An access to what a user gave must not race, whoever makes it.
    pub fn check_race_of_user(&mut self, pointer: Term, size: Term, access: Access, is_atomic: bool) {
        if !self.context.checks.race || !self.context.threaded || self.code.is_start() {
            return;
        }
        let (pointer, size) = (self.stable(pointer), self.stable(size));
        let Announced { is_open, pointer: other, size: other_size, is_write } = self.announced();
        let object = build::pointer_object;
        let (start, other_start) = (build::pointer_offset(pointer), build::pointer_offset(other));
        // An object is smaller than half of the address space.
        let overlap = build::and([
            build::eq(object(pointer), object(other)),
            build::bv_ult(start, build::bv_add(other_start, other_size)),
            build::bv_ult(other_start, build::bv_add(start, size)),
        ]);
        let writes = match access {
            Access::Write => build::truth(),
            Access::Read => is_write,
        };
        self.require(RACE, build::not(build::and([is_open, overlap, writes])), "data race");
        if !self.is_interruptible() || is_atomic || self.is_synchronised {
            return;
        }
        let announces = self.code.arbitrary(Sort::bool());
        let (yes, end) = (self.code.location(), self.code.location());
        // There is one announcement at a time: more of them would show the same.
        self.code.branch(build::and([announces, build::not(is_open)]), yes, end);
        self.code.continue_at(yes);
        let facts = [(is_open, build::truth()), (other, pointer), (other_size, size)];
        let is_written = (is_write, build::bool(access == Access::Write));
        self.code.assign_all(facts.into_iter().chain([is_written]).collect());
        self.code.emit(Op::skip());
        self.code.assign(is_open, build::falsehood());
        self.code.enter(end);
    }
}
