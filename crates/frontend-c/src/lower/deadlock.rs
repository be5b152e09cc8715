//! Deadlocks: no thread can move, and one has not ended.
//!
//! A thread that comes to where it must wait may decide to be stuck there: it counts itself and goes no further. Once all
//! threads that have not ended are stuck, nothing changes any more. Then each of them looks once more whether it would have
//! to wait, and counts itself again; if all do so, there is a deadlock. Every deadlock can be seen in this way, for a thread
//! that waits for ever can decide so when the condition that it waits for has become false for the last time.
//!
//! Where the first thread returns from `main`, the program ends, whatever other threads wait for.

use super::checks::DEADLOCK;
use super::context::Context;
use super::writer::Writer;
use ir::Op;
use term::{Sort, Term, build};

/// How many threads have not ended, how many of them are stuck, and how many have found this out at the end.
fn counters() -> [Term; 3] {
    ["$living", "$stuck", "$confirmed"].map(|name| Term::var(name, Sort::bv(32)))
}

fn one() -> Term {
    build::bv(32, 1)
}

impl Context<'_> {
    /// What the counters start with.
    pub fn initial_counters(&self) -> Vec<Op> {
        let known = counters().into_iter().zip([one(), build::bv(32, 0), build::bv(32, 0)]);
        known.filter(|(counter, _)| self.is_global(*counter)).map(|(counter, n)| Op::assign(counter, n)).collect()
    }
}

impl Writer<'_, '_> {
    fn counters(&mut self) -> [Term; 3] {
        counters().map(|counter| self.context.internal(counter, false))
    }

    /// A thread starts.
    pub fn one_thread_more(&mut self) -> Option<(Term, Term)> {
        self.context.checks.deadlock.then(|| {
            let [living, ..] = self.counters();
            (living, build::bv_add(living, one()))
        })
    }

    /// A thread ends.
    pub fn one_thread_less(&mut self) -> Option<(Term, Term)> {
        self.context.checks.deadlock.then(|| {
            let [living, ..] = self.counters();
            (living, build::bv_sub(living, one()))
        })
    }

    /// A thread waits here until a condition holds. What is written next waits for it; this is about waiting for ever.
    pub fn may_get_stuck(&mut self, condition: impl Fn(&mut Self) -> Term, text: &str) {
        if !self.context.checks.deadlock {
            return;
        }
        let [living, stuck, confirmed] = self.counters();
        let stays = self.code.arbitrary(Sort::bool());
        let (yes, end) = (self.code.location(), self.code.location());
        self.code.branch(stays, yes, end);
        self.code.continue_at(yes);
        self.atomically(|writer| {
            let holds = condition(writer);
            writer.code.assume(build::not(holds));
            writer.code.assign(stuck, build::bv_add(stuck, one()));
        });
        self.atomically(|writer| {
            let holds = condition(writer);
            writer.code.assume(build::and([build::eq(stuck, living), build::not(holds)]));
            writer.code.assign(confirmed, build::bv_add(confirmed, one()));
            writer.require(DEADLOCK, build::ne(confirmed, living), text);
        });
        self.code.assume(build::falsehood());
        self.code.give_up();
        self.code.continue_at(end);
    }
}
