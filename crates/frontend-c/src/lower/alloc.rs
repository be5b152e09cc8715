//! New objects.
//!
//! An object is made by taking the next identity, which nothing had before. Where addresses matter, [`super::layout`] says
//! where it lies; otherwise its address is arbitrary, as the initial value of the map of addresses is.

use super::context::Context;
use super::writer::Writer;
use faults::Fault;
use ir::{Op, memory};
use term::{Sort, Term, build};

/// Addresses of what `malloc` and `alloca` give are multiples of this, in bytes.
pub(super) const MALLOC_ALIGNMENT: u32 = 16;

/// How an object comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Made {
    /// By a declaration: one at a time.
    Scoped,
    /// By `alloca`, or by the caller of the function that execution starts with: several may live at once, and nobody has to free them.
    Stack,
    /// By `malloc` and its like.
    Heap,
}

/// The number of dynamic objects that live.
pub(super) fn live_count() -> Term {
    Term::var("$live", Sort::object())
}

impl Context<'_> {
    /// What makes a new object of a size and alignment in bytes, and puts its identity into the variable.
    pub fn allocation(&mut self, object: Term, size: Term, align: u32, made: Made) -> Vec<Op> {
        let (dynamic, counts) = (made != Made::Scoped, made == Made::Heap);
        let next = self.internal(memory::next(), false);
        let one = build::bv(term::OBJECT_WIDTH, 1);
        let mut facts = vec![(self.size_map(), size), (self.dynamic_map(), build::bool(dynamic))];
        if self.ends_lives() {
            facts.push((self.alive_map(), build::truth()));
        }
        let mut about: Vec<(Term, Term)> =
            facts.into_iter().map(|(map, fact)| (map, build::store(map, object, fact))).collect();
        if counts && self.checks.leaks() {
            let count = self.internal(live_count(), false);
            about.push((count, build::bv_add(count, one)));
        }
        let mut steps = vec![Op::Assign(vec![(object, next), (next, build::bv_add(next, one))]), Op::Assign(about)];
        if self.with_addresses {
            steps.extend(self.layout(object, size, align));
        }
        if self.threaded && self.with_addresses {
            steps.insert(0, Op::AtomicBegin);
            steps.push(Op::AtomicEnd);
        }
        steps
    }
}

impl Writer<'_, '_> {
    /// Makes a new object of a size and alignment in bytes, and puts its identity into the variable.
    pub fn allocate(&mut self, object: Term, size: Term, align: u32, made: Made) {
        // The size is mentioned twice.
        let size = if self.mentions_globals(size) { self.code.keep(size) } else { size };
        for step in self.context.allocation(object, size, align, made) {
            self.code.emit(step);
        }
        self.keep_apart(object, size);
    }

    /// A new dynamic object, and the pointer to it.
    pub fn allocate_dynamic(&mut self, size: Term) -> Term {
        let object = self.code.temporary(Sort::object());
        self.allocate(object, size, MALLOC_ALIGNMENT, Made::Heap);
        build::pointer(object, self.offset(0))
    }

    /// The end of a dynamic object. Freeing null does nothing.
    pub fn free(&mut self, pointer: Term) {
        self.check_free(pointer);
        self.check_race_of_free(pointer);
        let checks = &self.context.checks;
        let (lives, leaks) = (checks.lives(), checks.leaks());
        let object = build::pointer_object(pointer);
        self.may_come_back(object);
        if (lives || self.context.with_addresses) && !faults::is(Fault::FreedLives) {
            self.end_life(object);
        }
        if leaks {
            let count = self.context.internal(live_count(), false);
            let one = build::bv(term::OBJECT_WIDTH, 1);
            let is_null = build::eq(object, build::bv(term::OBJECT_WIDTH, 0));
            self.code.assign(count, build::ite(is_null, count, build::bv_sub(count, one)));
        }
    }
}
