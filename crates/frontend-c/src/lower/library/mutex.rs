//! Mutexes and spin locks.
//!
//! A mutex is its first `int`: 0 while it is free. Behind it glibc has a count and, further on, the kind. A program that
//! can have mutexes of other kinds than the plain one keeps in the first `int` which thread has the mutex, and in the
//! second how often it was locked beyond the first time. All other programs have plain mutexes only.

use super::result::{finish_result, may_fail};
use super::{Call, Expand, succeed};
use crate::hir::StaticValue;
use crate::lower::access::Access;
use crate::lower::link::Link;
use crate::lower::pointer::advance;
use crate::lower::reach::Reached;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use crate::types::{Ty, Types};
use ir::DataModel;
use term::{Sort, Term, build};

const EPERM: i128 = 1;
const EAGAIN: i128 = 11;
const ENOMEM: i128 = 12;
const EBUSY: i128 = 16;
const EINVAL: i128 = 22;
const EDEADLK: i128 = 35;
/// C11's name for [`EBUSY`].
const THRD_BUSY: i128 = 1;

const RECURSIVE: u128 = 1;
const ERROR_CHECKING: u128 = 2;
/// The greatest kind that glibc has.
const LAST_KIND: u128 = 3;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "pthread_mutex_init" | "pthread_spin_init" => init,
        "mtx_init" => c11_init,
        "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" => lock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" | "mtx_trylock" => trylock,
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => unlock,
        "pthread_mutex_destroy" | "pthread_spin_destroy" | "mtx_destroy" => destroy,
        "pthread_mutexattr_init" => attributes_init,
        "pthread_mutexattr_settype" => set_type,
        "pthread_mutexattr_gettype" => get_type,
        "pthread_mutexattr_destroy" => succeed,
        "__fathom_unlocks_nothing" => unlocks_nothing,
        _ => return None,
    })
}

/// Whether a program can have mutexes that are not plain ones: by their attributes or by how they are initialised.
pub(in crate::lower) fn has_mutex_kinds(link: &Link<'_>, reached: &Reached) -> bool {
    let by_call = ["pthread_mutexattr_settype", "mtx_init"].iter().any(|name| reached.calls(name));
    let by_variable = reached.globals.iter().any(|id| {
        let (types, global) = (&link.units[id.unit].types, &link.units[id.unit][id.id]);
        let is_kind = |value: &StaticValue| matches!(value, StaticValue::Int(1..=3));
        let entries = global.init.iter().flatten();
        has_kind(types, global.ty) && entries.into_iter().any(|entry| is_kind(&entry.value))
    });
    by_call
        || by_variable
        || reached.functions.iter().any(|function| {
            let types = &link.units[function.unit].types;
            let locals = link.body(*function).map_or(&[][..], |body| &body.locals);
            locals.iter().any(|local| has_kind(types, local.ty))
        })
}

/// Whether a type contains a mutex of glibc.
fn has_kind(types: &Types, ty: Ty) -> bool {
    if let Some(element) = types.element(ty) {
        return has_kind(types, element);
    }
    let layout = types.record(ty).and_then(|record| types[record].layout.as_ref());
    layout.is_some_and(|layout| {
        layout
            .fields
            .iter()
            .any(|field| field.name.is_some_and(|name| name.as_str() == "__kind") || has_kind(types, field.ty))
    })
}

/// The `int` that a mutex is.
pub(super) fn state(writer: &mut Writer<'_, '_>, call: &Call, n: usize) -> Option<Term> {
    let pointer = writer.pointer_argument(call, n)?;
    let pointer = writer.stable(pointer);
    // Locks are what orders accesses: they do not race themselves.
    writer.check_unshared_bytes(pointer, writer.offset(4), Access::Write);
    Some(pointer)
}

/// Where a mutex says what kind it is, if it may be another than the plain one: behind its state, its count, its owner and,
/// with wide pointers, its users.
fn kind_place(writer: &Writer<'_, '_>, call: &Call, n: usize, mutex: Term) -> Option<Term> {
    let pointee = call.arguments.get(n).and_then(|argument| writer.types.pointee(argument.ty));
    let size = pointee.and_then(|ty| writer.types.size(ty)).unwrap_or(0);
    let offset = if writer.context.model == DataModel::Lp64 { 16 } else { 12 };
    // The library passes mutexes on as pointers to their state.
    let has_room = size >= offset + 4 || writer.context.thread_functions == Some(writer.unit);
    let is_spin = call.name.as_str().starts_with("pthread_spin");
    (writer.context.has_mutex_kinds && has_room && !is_spin).then(|| advance(mutex, offset))
}

fn init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    let failing = may_fail(writer, call, &[EAGAIN, ENOMEM]);
    writer.write(mutex, build::bv(32, 0));
    if let Some(place) = kind_place(writer, call, 0, mutex) {
        let attributes = writer.pointer_argument(call, 1)?;
        let attributes = writer.stable(attributes);
        let kind = writer.read_attributes(attributes);
        put_kind(writer, mutex, place, kind);
    }
    finish_result(writer, call, failing)
}

/// That a mutex has a kind, and is locked no more than once.
fn put_kind(writer: &mut Writer<'_, '_>, mutex: Term, place: Term, kind: Term) {
    writer.write(advance(mutex, 4), build::bv(32, 0));
    writer.write(place, kind);
}

fn c11_init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (mutex, ty) = (state(writer, call, 0)?, writer.int_argument(call, 1)?);
    // `thrd_error`
    let failing = may_fail(writer, call, &[2]);
    writer.write(mutex, build::bv(32, 0));
    if let Some(place) = kind_place(writer, call, 0, mutex) {
        put_kind(writer, mutex, place, build::bv_and(ty, build::bv(32, RECURSIVE)));
    }
    finish_result(writer, call, failing)
}

/// Attributes are the kind alone. The others are of no consequence.
fn attributes_init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let failing = may_fail(writer, call, &[ENOMEM]);
    if writer.context.has_mutex_kinds {
        let attributes = state(writer, call, 0)?;
        writer.write(attributes, build::bv(32, 0));
    }
    finish_result(writer, call, failing)
}

fn set_type(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (attributes, kind) = (state(writer, call, 0)?, writer.int_argument(call, 1)?);
    let kind = writer.stable(kind);
    let is_kind = build::bv_ule(kind, build::bv(32, LAST_KIND));
    let (yes, end) = (writer.code.location(), writer.code.location());
    writer.code.branch(is_kind, yes, end);
    writer.code.continue_at(yes);
    writer.write(attributes, kind);
    writer.code.enter(end);
    writer.give(call, build::ite(is_kind, build::bv(32, 0), build::bv_signed(32, EINVAL)), true)
}

fn get_type(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (attributes, to) = (state(writer, call, 0)?, writer.pointer_argument(call, 1)?);
    writer.check_bytes(to, writer.offset(4), Access::Write);
    let kind = if writer.context.has_mutex_kinds { writer.read(Sort::bv(32), attributes) } else { build::bv(32, 0) };
    writer.write(to, kind);
    writer.give_int(call, 0)
}

/// What a mutex holds that the running thread has taken. Who has it matters only to the rules of locks and to kinds.
pub(super) fn taken(writer: &mut Writer<'_, '_>) -> Term {
    let one = build::bv(32, 1);
    let by_thread = writer.context.checks.locking || writer.context.has_mutex_kinds;
    if !(writer.context.threaded && by_thread) {
        return one;
    }
    let own = writer.context.own_number();
    build::bv_add(own, one)
}

/// Only the thread that has the mutex may do this with it.
pub(super) fn require_taken(writer: &mut Writer<'_, '_>, mutex: Term, text: &str) {
    let has = |writer: &mut Writer<'_, '_>| build::eq(writer.read(Sort::bv(32), mutex), taken(writer));
    writer.check_locking(has, text);
}

/// Waits until the mutex is free, and takes it.
pub(super) fn take(writer: &mut Writer<'_, '_>, mutex: Term) {
    let free = |writer: &mut Writer<'_, '_>| {
        let held = build::load(Sort::bv(32), writer.context.memory(), mutex);
        build::eq(held, build::bv(32, 0))
    };
    writer.may_get_stuck(free, "a thread waits for ever for a mutex");
    // A section that begins with an assumption is entered only where that holds.
    writer.atomically(|writer| {
        let is_free = free(writer);
        writer.code.assume(is_free);
        let mine = taken(writer);
        writer.write(mutex, mine);
    });
}

/// Writes one way for a mutex that the running thread has locked and whose kind is this, which ends with a result, and goes
/// on with all others.
fn if_held(
    writer: &mut Writer<'_, '_>,
    (mutex, place): (Term, Term),
    kind: u128,
    end: (Term, ir::LocId),
    what: impl FnOnce(&mut Writer<'_, '_>) -> Term,
) {
    let (state, own) = (writer.read(Sort::bv(32), mutex), writer.read(Sort::bv(32), place));
    let mine = taken(writer);
    let held = build::and([build::eq(state, mine), build::eq(own, build::bv(32, kind))]);
    leave_if(writer, held, end, what);
}

/// Writes a way that ends with a result where a condition holds, and goes on where it does not.
fn leave_if(
    writer: &mut Writer<'_, '_>,
    condition: Term,
    (result, end): (Term, ir::LocId),
    what: impl FnOnce(&mut Writer<'_, '_>) -> Term,
) {
    let (yes, no) = (writer.code.location(), writer.code.location());
    writer.code.branch(condition, yes, no);
    writer.code.continue_at(yes);
    let value = what(writer);
    writer.code.assign(result, value);
    writer.code.jump(end);
    writer.code.continue_at(no);
}

/// The mutex is locked once more, or once less. Only its owner does this, so that nobody sees the parts.
fn count(writer: &mut Writer<'_, '_>, mutex: Term, change: i128) -> Term {
    let count = writer.read(Sort::bv(32), advance(mutex, 4));
    writer.write(advance(mutex, 4), build::bv_add(count, build::bv_signed(32, change)));
    build::bv(32, 0)
}

fn lock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    let Some(place) = kind_place(writer, call, 0, mutex) else {
        plain_lock(writer, mutex);
        return writer.give_int(call, 0);
    };
    let (result, end) = (writer.code.temporary(Sort::bv(32)), writer.code.location());
    if_held(writer, (mutex, place), RECURSIVE, (result, end), |writer| count(writer, mutex, 1));
    if_held(writer, (mutex, place), ERROR_CHECKING, (result, end), |_| build::bv_signed(32, EDEADLK));
    plain_lock(writer, mutex);
    writer.code.assign(result, build::bv(32, 0));
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Locks a mutex that its owner must not lock again.
fn plain_lock(writer: &mut Writer<'_, '_>, mutex: Term) {
    // The library waits for a mutex where waiting may end otherwise.
    if writer.context.thread_functions != Some(writer.unit) {
        let free = |writer: &mut Writer<'_, '_>| build::ne(writer.read(Sort::bv(32), mutex), taken(writer));
        writer.check_locking(free, "a thread locks a mutex that it has locked");
    }
    take(writer, mutex);
}

fn destroy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = writer.pointer_argument(call, 0)?;
    let mutex = writer.stable(mutex);
    let free = |writer: &mut Writer<'_, '_>| build::eq(writer.read(Sort::bv(32), mutex), build::bv(32, 0));
    writer.check_locking(free, "a mutex is destroyed while it is locked");
    if !call.is_used || call.ty.is_void() {
        return writer.give_int(call, 0);
    }
    let held = writer.read(Sort::bv(32), mutex);
    let result = build::ite(build::eq(held, build::bv(32, 0)), build::bv(32, 0), build::bv_signed(32, EBUSY));
    writer.give(call, result, true)
}

/// How a function that is written in C says that a lock is given back that nobody has.
fn unlocks_nothing(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.check_locking(|_| build::falsehood(), "a lock is unlocked that nobody has locked");
    Some(writer.nothing(call.ty))
}

fn trylock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    let busy = if call.name.as_str() == "mtx_trylock" { THRD_BUSY } else { EBUSY };
    let Some(place) = kind_place(writer, call, 0, mutex) else {
        let tried = plain_trylock(writer, mutex, busy);
        return writer.give(call, tried, true);
    };
    let (result, end) = (writer.code.temporary(Sort::bv(32)), writer.code.location());
    if_held(writer, (mutex, place), RECURSIVE, (result, end), |writer| count(writer, mutex, 1));
    let tried = plain_trylock(writer, mutex, busy);
    writer.code.assign(result, tried);
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Takes the mutex if it is free; otherwise the result says that it is not.
fn plain_trylock(writer: &mut Writer<'_, '_>, mutex: Term, busy: i128) -> Term {
    let free = writer.atomically(|writer| {
        let held = writer.read(Sort::bv(32), mutex);
        let free = writer.code.keep(build::eq(held, build::bv(32, 0)));
        let (yes, end) = (writer.code.location(), writer.code.location());
        writer.code.branch(free, yes, end);
        writer.code.continue_at(yes);
        let mine = taken(writer);
        writer.write(mutex, mine);
        writer.code.enter(end);
        free
    });
    build::ite(free, build::bv(32, 0), build::bv_signed(32, busy))
}

fn unlock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    let Some(place) = kind_place(writer, call, 0, mutex) else {
        require_taken(writer, mutex, "a thread unlocks a mutex that it has not locked");
        writer.write(mutex, build::bv(32, 0));
        return writer.give_int(call, 0);
    };
    let result = writer.code.temporary(Sort::bv(32));
    let end = writer.code.location();
    let (held, kind) = (writer.read(Sort::bv(32), mutex), writer.read(Sort::bv(32), place));
    let (held, mine) = (writer.stable(held), taken(writer));
    let is = |n: u128| build::eq(kind, build::bv(32, n));
    let refused = build::and([build::or([is(RECURSIVE), is(ERROR_CHECKING)]), build::ne(held, mine)]);
    leave_if(writer, refused, (result, end), |_| build::bv_signed(32, EPERM));
    require_taken(writer, mutex, "a thread unlocks a mutex that it has not locked");
    let locked = writer.read(Sort::bv(32), advance(mutex, 4));
    let again = build::and([is(RECURSIVE), build::ne(locked, build::bv(32, 0))]);
    leave_if(writer, again, (result, end), |writer| count(writer, mutex, -1));
    writer.write(mutex, build::bv(32, 0));
    writer.code.assign(result, build::bv(32, 0));
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Gives back a mutex in order to wait. One that is locked more than once stays locked, which nobody means.
pub(super) fn release(writer: &mut Writer<'_, '_>, call: &Call, mutex: Term) {
    if kind_place(writer, call, 1, mutex).is_some() {
        let locked = writer.read(Sort::bv(32), advance(mutex, 4));
        writer.go_on_if(build::eq(locked, build::bv(32, 0)), "waiting with a mutex that is locked more than once");
    }
    writer.write(mutex, build::bv(32, 0));
}
