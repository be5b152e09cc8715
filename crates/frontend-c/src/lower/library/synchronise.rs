//! Semaphores, barriers, and locks for readers and writers: how they begin. What is done with them is written in C, by the
//! operations of this file that begin with `__fathom_`.

use super::mutex::state;
use super::result::{finish_result, may_fail};
use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::pointer::advance;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Sort, Term, build};

const EAGAIN: i128 = 11;
const ENOMEM: i128 = 12;
const EINVAL: u128 = 22;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "sem_init" => semaphore,
        "pthread_rwlock_init" => lock,
        "pthread_barrier_init" => barrier,
        "__fathom_wait_until" => wait_until,
        "__fathom_writes" => writes,
        "__fathom_thread" => thread,
        _ => return None,
    })
}

/// Puts numbers into the first `int`s of an object, unless the call fails.
fn begin(writer: &mut Writer<'_, '_>, call: &Call, numbers: &[Term], errors: &[i128]) -> Option<Value> {
    let object = state(writer, call, 0)?;
    let failing = may_fail(writer, call, errors);
    for (i, number) in numbers.iter().enumerate() {
        writer.write(advance(object, 4 * i as u64), *number);
    }
    finish_result(writer, call, failing)
}

fn semaphore(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let value = writer.int_argument(call, 2)?;
    begin(writer, call, &[value], &[-1])
}

fn lock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    begin(writer, call, &[build::bv(32, 0)], &[EAGAIN, ENOMEM])
}

fn barrier(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (count, zero) = (writer.int_argument(call, 2)?, build::bv(32, 0));
    let count = writer.stable(count);
    // Nobody waits at a barrier for none.
    let result = writer.code.temporary(Sort::bv(32));
    let (bad, good, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    writer.code.branch(build::eq(count, zero), bad, good);
    writer.code.continue_at(bad);
    writer.code.assign(result, build::bv(32, EINVAL));
    writer.code.jump(end);
    writer.code.continue_at(good);
    if let Some(Value::Scalar(value)) = begin(writer, call, &[count, zero, zero], &[EAGAIN, ENOMEM]) {
        let value = writer.reinterpret(value, true, Sort::bv(32))?;
        writer.code.assign(result, value);
    }
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// A thread waits until an `int` lies between two others.
fn wait_until(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (place, least) = (writer.pointer_argument(call, 0)?, writer.int_argument(call, 1)?);
    let greatest = writer.int_argument(call, 2)?;
    let condition = |writer: &mut Writer<'_, '_>| {
        let value = build::load(Sort::bv(32), writer.context.memory(), place);
        build::and([build::bv_sle(least, value), build::bv_sle(value, greatest)])
    };
    writer.may_get_stuck(condition, "a thread waits for ever");
    Some(writer.nothing(call.ty))
}

/// A function of the library writes to what the user gave it.
fn writes(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, size) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    writer.check_race_of_user(to, size, Access::Write, false);
    Some(writer.nothing(call.ty))
}

/// The number of the running thread.
fn thread(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let own = if writer.context.threaded { writer.context.own_number() } else { build::bv(32, 0) };
    writer.give(call, own, false)
}
