//! Condition variables.
//!
//! Waiting on one may end at any time, as POSIX allows, so that a condition variable has no state. For `no-deadlock` this
//! would hide that nobody wakes a thread. There a waiting thread is registered under the condition variable, which has in its
//! first `int` how many are, and in its second how often all were woken. A signal wakes an arbitrary one of those that wait;
//! a thread may also wake up by itself.

use super::mutex::{release, require_taken, state, take};
use super::result::{finish_result, may_fail};
use super::{Call, Expand, succeed};
use crate::lower::pointer::advance;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::Op;
use term::{Sort, Term, build};

const EAGAIN: i128 = 11;
const ENOMEM: i128 = 12;
const THRD_NOMEM: i128 = 1;
const THRD_ERROR: i128 = 2;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "pthread_cond_wait" | "cnd_wait" => wait,
        "__fathom_wait_for_a_time" => wait_for_a_time,
        "pthread_cond_signal" | "cnd_signal" => signal,
        "pthread_cond_broadcast" | "cnd_broadcast" => broadcast,
        "pthread_cond_init" | "cnd_init" => init,
        "pthread_cond_destroy" | "cnd_destroy" => succeed,
        _ => return None,
    })
}

/// What each thread waits on: the condition variable, or null, and how often all were woken before.
struct Waiting {
    condition: Term,
    round: Term,
}

fn waiting(writer: &mut Writer<'_, '_>) -> Waiting {
    let map = |name: &str, sort: Sort| Term::var(name, Sort::array(Sort::bv(32), sort));
    let pointer = writer.pointer_sort();
    Waiting {
        condition: writer.context.internal(map("$waiting", pointer), false),
        round: writer.context.internal(map("$waiting.round", Sort::bv(32)), false),
    }
}

/// Whether a thread is registered and not yet woken.
fn is_waiting(writer: &mut Writer<'_, '_>, number: Term, condition: Term) -> Term {
    let Waiting { condition: conditions, round: rounds } = waiting(writer);
    let round = build::load(Sort::bv(32), writer.context.memory(), advance(condition, 4));
    let same = build::eq(build::select(rounds, number), round);
    build::and([build::eq(build::select(conditions, number), condition), same])
}

/// A thread is registered no longer.
fn wake(writer: &mut Writer<'_, '_>, number: Term, condition: Term) {
    let conditions = waiting(writer).condition;
    let null = build::null(writer.width());
    writer.code.assign(conditions, build::store(conditions, number, null));
    let count = build::load(Sort::bv(32), writer.context.memory(), condition);
    writer.write(condition, build::bv_sub(count, build::bv(32, 1)));
}

fn init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let is_c11 = call.name.as_str() == "cnd_init";
    let failing = may_fail(writer, call, if is_c11 { &[THRD_NOMEM, THRD_ERROR] } else { &[EAGAIN, ENOMEM] });
    if writer.context.checks.deadlock {
        let condition = state(writer, call, 0)?;
        writer.write(condition, build::bv(32, 0));
        writer.write(advance(condition, 4), build::bv(32, 0));
    }
    finish_result(writer, call, failing)
}

fn wait(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    wait_on(writer, call, true)?;
    writer.give_int(call, 0)
}

/// How a function that is written in C waits until it is woken or time is up.
fn wait_for_a_time(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    wait_on(writer, call, false)?;
    Some(writer.nothing(call.ty))
}

fn wait_on(writer: &mut Writer<'_, '_>, call: &Call, for_ever: bool) -> Option<()> {
    let mutex = state(writer, call, 1)?;
    require_taken(writer, mutex, "a thread waits with a mutex that it has not locked");
    if !writer.context.checks.deadlock {
        release(writer, call, mutex);
        take(writer, mutex);
        return Some(());
    }
    let condition = state(writer, call, 0)?;
    let own = writer.context.own_number();
    let Waiting { condition: conditions, round: rounds } = waiting(writer);
    writer.atomically(|writer| {
        let (count, round) = (writer.read(Sort::bv(32), condition), writer.read(Sort::bv(32), advance(condition, 4)));
        let (count, round) = (writer.code.keep(count), writer.code.keep(round));
        let registered = [(conditions, condition), (rounds, round)];
        writer.code.assign_all(registered.map(|(map, fact)| (map, build::store(map, own, fact))).to_vec());
        writer.write(condition, build::bv_add(count, build::bv(32, 1)));
        release(writer, call, mutex);
    });
    let (early, late, woken) = (writer.code.location(), writer.code.location(), writer.code.location());
    let by_itself = writer.code.arbitrary(Sort::bool());
    writer.code.branch(by_itself, early, late);
    writer.code.continue_at(early);
    writer.atomically(|writer| {
        let still = is_waiting(writer, own, condition);
        writer.code.assume(still);
        wake(writer, own, condition);
    });
    writer.code.jump(woken);
    writer.code.continue_at(late);
    let is_woken = |writer: &mut Writer<'_, '_>| build::not(is_waiting(writer, own, condition));
    if for_ever {
        writer.may_get_stuck(is_woken, "a thread waits for ever to be woken");
    }
    let is_woken = is_woken(writer);
    writer.code.assume(is_woken);
    writer.code.enter(woken);
    take(writer, mutex);
    Some(())
}

fn signal(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    if writer.context.checks.deadlock {
        let condition = state(writer, call, 0)?;
        writer.atomically(|writer| {
            let count = writer.read(Sort::bv(32), condition);
            let (some, end) = (writer.code.location(), writer.code.location());
            writer.code.branch(build::eq(count, build::bv(32, 0)), end, some);
            writer.code.continue_at(some);
            let chosen = writer.code.arbitrary(Sort::bv(32));
            let waits = is_waiting(writer, chosen, condition);
            writer.code.assume(waits);
            wake(writer, chosen, condition);
            writer.code.enter(end);
        });
    }
    writer.give_int(call, 0)
}

fn broadcast(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    if writer.context.checks.deadlock {
        let condition = state(writer, call, 0)?;
        writer.atomically(|writer| {
            let round = writer.read(Sort::bv(32), advance(condition, 4));
            writer.write(advance(condition, 4), build::bv_add(round, build::bv(32, 1)));
            writer.write(condition, build::bv(32, 0));
        });
    }
    writer.give_int(call, 0)
}

impl crate::lower::context::Context<'_> {
    /// Nobody waits on a condition variable at first.
    pub fn initial_waiting(&self) -> Option<Op> {
        let sort = Sort::array(Sort::bv(32), Sort::pointer(self.model.pointer_width()));
        let conditions = Term::var("$waiting", sort);
        let null = build::null(self.model.pointer_width());
        self.is_global(conditions).then(|| Op::assign(conditions, build::const_array(sort, null)))
    }
}
