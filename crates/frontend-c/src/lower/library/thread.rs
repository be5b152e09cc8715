//! POSIX threads: starting, ending and joining them, and mutexes. The rest is written in C.
//!
//! A thread's identifier is its number; the first thread is 0. A mutex is its first `int`: 0 while it is free. Other types
//! of mutexes than the plain one are refused where they are asked for. A condition variable has no state: waiting on it
//! may end at any time, as POSIX allows.

use super::{Call, Expand, succeed};
use crate::hir::FunctionId;
use crate::lower::access::Access;
use crate::lower::checks::Ending;
use crate::lower::context::Context;
use crate::lower::link::In;
use crate::lower::scope::Scope;
use crate::lower::value::{Typed, Value};
use crate::lower::writer::Writer;
use ir::{DataModel, Op, ProcId, Variable};
use source::Symbol;
use term::{Sort, Term, build};

/// The width of a thread's number.
const NUMBER: u32 = 32;
const EBUSY: i128 = 16;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => join,
        "pthread_exit" => exit,
        "pthread_self" | "thrd_current" => current,
        "pthread_mutex_init" | "pthread_spin_init" => mutex_init,
        "mtx_init" => mtx_init,
        "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" => mutex_lock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" => mutex_trylock,
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => mutex_unlock,
        "pthread_cond_wait" | "cnd_wait" => cond_wait,
        "pthread_mutexattr_settype" => mutex_type,
        "pthread_mutex_destroy" | "pthread_spin_destroy" | "mtx_destroy" => mutex_destroy,
        "pthread_mutexattr_init" | "pthread_mutexattr_destroy" => succeed,
        "__fathom_unlocks_nothing" => unlocks_nothing,
        "pthread_cond_init" | "pthread_cond_destroy" | "pthread_cond_signal" | "pthread_cond_broadcast" => succeed,
        "pthread_condattr_init" | "pthread_condattr_destroy" | "pthread_detach" | "pthread_setname_np" => succeed,
        "pthread_attr_init" | "pthread_attr_destroy" | "pthread_attr_setdetachstate" | "pthread_attr_setstacksize" => {
            succeed
        }
        "pthread_attr_setscope" | "pthread_attr_setschedpolicy" | "pthread_attr_setschedparam" => succeed,
        "pthread_attr_setinheritsched" | "pthread_setconcurrency" | "pthread_mutexattr_setpshared" => succeed,
        "pthread_condattr_setpshared" | "pthread_rwlockattr_init" | "pthread_rwlockattr_destroy" => succeed,
        "pthread_setcancelstate" | "pthread_setcanceltype" => succeed,
        _ => return None,
    })
}

impl Context<'_> {
    /// How many threads have been started.
    fn threads(&mut self) -> Term {
        self.internal(thread_count(), false)
    }

    /// Which threads have ended.
    fn done(&mut self) -> Term {
        self.internal(thread_done(), false)
    }

    /// What each thread returned.
    fn returned(&mut self) -> Term {
        self.internal(thread_returned(self.model), false)
    }

    /// Variables of threads that are of no use if nobody reads them.
    pub fn optional_variables(&self) -> [Term; 2] {
        [thread_number(), thread_returned(self.model)]
    }

    /// The number of the running thread.
    fn own_number(&mut self) -> Term {
        self.internal(thread_number(), true)
    }

    /// What holds before the first thread runs.
    pub fn initial_threads(&self) -> Vec<Op> {
        let (count, done, own) = (thread_count(), thread_done(), thread_number());
        let none = build::const_array(done.sort(), build::falsehood());
        let zero = build::bv(NUMBER, 0);
        let initial = [(count, zero), (done, none), (own, zero)].into_iter();
        initial
            .filter(|(variable, _)| self.is_global(*variable))
            .map(|(variable, value)| Op::assign(variable, value))
            .collect()
    }

    /// The procedure that a thread runs that starts with the function.
    fn thread_procedure(&mut self, function: In<FunctionId>) -> Option<ProcId> {
        let name = format!("$thread:{}", self.link.function(function).link_name);
        let number = self.internal_procedure(&name);
        if self.is_defined(number) {
            return Some(number);
        }
        let span = self.link.function(function).span;
        let parameter =
            *self.types(function.unit).function_type(self.link.function(function).ty)?.parameters.first()?;
        let mut writer = Writer::new(self, Symbol::new(&name), function.unit, self.empty, Some(span));
        writer.scopes.push(Scope::new(None));
        let argument = Variable::internal(writer.code.unique("$argument"), writer.pointer_sort());
        let own = Variable::internal(writer.code.unique("$number"), Sort::bv(NUMBER));
        let variable = writer.context.own_number();
        writer.code.assign(variable, own.term);
        writer.begin_thread();
        (writer.unit, writer.types) = (function.unit, writer.context.types(function.unit));
        let ty = writer.types.function_type(writer.context.link.function(function).ty)?.result;
        let argument_value = vec![Typed { value: Value::Scalar(argument.term), ty: parameter }];
        let value = writer.call_function(function, argument_value, ty, None);
        writer.end_thread(own.term, value);
        writer.finish_function();
        let procedure = writer.into_procedure(Symbol::new(&name), vec![argument, own], Vec::new(), Some(span));
        self.define(number, procedure);
        Some(number)
    }
}

fn thread_count() -> Term {
    Term::var("$threads", Sort::bv(NUMBER))
}

fn thread_done() -> Term {
    Term::var("$done", Sort::array(Sort::bv(NUMBER), Sort::bool()))
}

fn thread_returned(model: DataModel) -> Term {
    let sort = Sort::array(Sort::bv(NUMBER), Sort::pointer(model.pointer_width()));
    Term::var("$returned", sort)
}

fn thread_number() -> Term {
    Term::var("$self", Sort::bv(NUMBER))
}

impl Writer<'_, '_> {
    /// That a thread has ended, and what it returned.
    fn end_thread(&mut self, number: Term, value: Value) {
        if !self.context.reached.calls("pthread_join") {
            return;
        }
        let value = match value {
            Value::Scalar(value) => self.reinterpret(value, false, self.pointer_sort()),
            _ => None,
        };
        let value = value.unwrap_or_else(|| build::null(self.width()));
        let (returned, done) = (self.context.returned(), self.context.done());
        // Who sees that it has ended sees what it returned, so that one step may do both.
        let stores = [(returned, value), (done, build::truth())];
        self.code.assign_all(stores.map(|(map, fact)| (map, build::store(map, number, fact))).to_vec());
    }
}

/// An unsigned number of the width of a pointer.
fn wide(writer: &Writer<'_, '_>, x: Term) -> Term {
    crate::lower::convert::resize(x, writer.width(), false)
}

fn create(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (target, start) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 2)?);
    let argument = writer.pointer_argument(call, 3)?;
    let (target, argument) = (writer.stable(target), writer.stable(argument));
    writer.check_bytes(target, writer.offset(u64::from(writer.width() / 8)), Access::Write);
    let start = if start.value().is_some() { start } else { writer.code.keep(start) };
    let count = writer.context.threads();
    let number = writer.code.temporary(Sort::bv(NUMBER));
    let thread = writer.code.temporary(Sort::bv(NUMBER));
    writer.code.emit(Op::AtomicBegin);
    writer.code.assign(number, build::bv_add(count, build::bv(NUMBER, 1)));
    writer.code.assign(count, number);
    writer.write(target, wide(writer, number));
    let candidates = starters(writer, argument);
    let (from, end) = (writer.code.here(), writer.code.location());
    let mut others = Vec::new();
    for (function, object) in candidates {
        let is_meant = build::eq(start, writer.context.static_pointer(object));
        others.push(build::not(is_meant));
        if is_meant.as_bool() == Some(false) {
            continue;
        }
        let Some(procedure) = writer.context.thread_procedure(function) else { continue };
        let way = writer.code.location();
        writer.code.continue_at(from);
        writer.code.branch_if(is_meant, way);
        writer.code.continue_at(way);
        writer.code.emit(Op::Spawn { procedure, arguments: vec![argument, number], thread });
        writer.code.jump(end);
    }
    writer.code.continue_at(from);
    let lost = writer.code.location();
    writer.code.branch_if(build::and(others), lost);
    writer.code.continue_at(lost);
    writer.unsupported("a thread that starts with no function of the program");
    writer.code.continue_at(end);
    writer.code.emit(Op::AtomicEnd);
    writer.give_int(call, 0)
}

/// The functions that a thread can start with.
fn starters(writer: &Writer<'_, '_>, argument: Term) -> Vec<(In<FunctionId>, u32)> {
    let taken = &writer.context.reached.address_taken;
    let fits = |function: &In<FunctionId>| {
        let signature = writer.context.signature(*function);
        let [parameter] = &signature.parameters[..] else { return false };
        parameter.sorts == [argument.sort()] && writer.context.link.body(*function).is_some()
    };
    let known = taken.iter().filter(|function| fits(function));
    known.filter_map(|function| Some((*function, writer.context.function_object(*function)?))).collect()
}

fn join(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (number, target) = (writer.argument(call, 0, Sort::bv(NUMBER))?, writer.pointer_argument(call, 1)?);
    let done = writer.context.done();
    let number = writer.stable(number);
    writer.code.assume(build::select(done, number));
    let null = build::null(writer.width());
    if target != null {
        let (store, end) = (writer.code.location(), writer.code.location());
        let target = writer.stable(target);
        let is_null = if writer.is_object(target) { build::falsehood() } else { build::eq(target, null) };
        writer.code.branch(is_null, end, store);
        writer.code.continue_at(store);
        let returned = writer.context.returned();
        let value = writer.code.keep(build::select(returned, number));
        writer.check_bytes(target, writer.offset(u64::from(writer.width() / 8)), Access::Write);
        writer.write(target, value);
        writer.code.enter(end);
    }
    writer.give_int(call, 0)
}

/// Ends the running thread: it goes nowhere from here.
fn exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let value = writer.pointer_argument(call, 0)?;
    if writer.context.threaded {
        let own = writer.context.own_number();
        let own = writer.code.keep(own);
        if writer.context.checks.leaks() {
            let (first, next) = (writer.code.location(), writer.code.location());
            writer.code.branch(build::eq(own, build::bv(NUMBER, 0)), first, next);
            writer.code.continue_at(first);
            writer.unsupported("memory at the end of a program that outlives its first thread");
            writer.code.continue_at(next);
        }
        writer.end_thread(own, Value::Scalar(value));
    } else {
        writer.check_leaks(Ending::Exit);
    }
    writer.code.emit(Op::skip());
    writer.code.give_up();
    Some(writer.nothing(call.ty))
}

fn current(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let own = writer.context.own_number();
    writer.give(call, own, false)
}

/// The `int` that a mutex is.
fn state(writer: &mut Writer<'_, '_>, call: &Call, n: usize) -> Option<Term> {
    let pointer = writer.pointer_argument(call, n)?;
    let pointer = writer.stable(pointer);
    // Locks are what orders accesses: they do not race themselves.
    writer.check_unshared_bytes(pointer, writer.offset(4), Access::Write);
    Some(pointer)
}

fn mutex_init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    writer.write(mutex, build::bv(32, 0));
    let pointee = call.arguments.first().and_then(|argument| writer.types.pointee(argument.ty));
    if let (true, Some(size)) = (writer.context.checks.locking, pointee.and_then(|ty| writer.types.size(ty))) {
        writer.fill_bytes(mutex, build::bv(8, 0), writer.offset(size));
    }
    writer.give_int(call, 0)
}

fn mtx_init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    refuse_type(writer, call)?;
    mutex_init(writer, call)
}

fn mutex_type(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    refuse_type(writer, call)?;
    writer.give_int(call, 0)
}

/// Goes on only if the second argument says that a mutex is a plain one.
fn refuse_type(writer: &mut Writer<'_, '_>, call: &Call) -> Option<()> {
    let ty = writer.int_argument(call, 1)?;
    let (other, next) = (writer.code.location(), writer.code.location());
    writer.code.branch(build::eq(ty, build::bv(32, 0)), next, other);
    writer.code.continue_at(other);
    writer.unsupported("a mutex that is not a plain one");
    writer.code.continue_at(next);
    Some(())
}

/// What a mutex holds that the running thread has taken. Who has it matters only to the rules of locks.
fn taken(writer: &mut Writer<'_, '_>) -> Term {
    let one = build::bv(32, 1);
    if !(writer.context.threaded && writer.context.checks.locking) {
        return one;
    }
    let own = writer.context.own_number();
    build::bv_add(own, one)
}

/// Only the thread that has the mutex may do this with it.
fn require_taken(writer: &mut Writer<'_, '_>, mutex: Term, text: &str) {
    let has = |writer: &mut Writer<'_, '_>| build::eq(writer.read(Sort::bv(32), mutex), taken(writer));
    writer.check_locking(has, text);
}

/// Goes on only if a mutex of glibc is a plain one: others may be locked twice.
fn refuse_kind(writer: &mut Writer<'_, '_>, call: &Call, mutex: Term) {
    let pointee = call.arguments.first().and_then(|argument| writer.types.pointee(argument.ty));
    let size = pointee.and_then(|ty| writer.types.size(ty)).unwrap_or(0);
    // Where it says what kind it is: behind its state, its count, its owner and, with wide pointers, its users.
    let offset = if writer.context.model == DataModel::Lp64 { 16 } else { 12 };
    if call.name.as_str() != "pthread_mutex_lock" || size < offset + 4 {
        return;
    }
    let kind = writer.read(Sort::bv(32), crate::lower::pointer::advance(mutex, offset));
    let (other, next) = (writer.code.location(), writer.code.location());
    writer.code.branch(build::eq(kind, build::bv(32, 0)), next, other);
    writer.code.continue_at(other);
    writer.unsupported("a mutex that is not a plain one");
    writer.code.continue_at(next);
}

/// Waits until the mutex is free, and takes it.
fn take(writer: &mut Writer<'_, '_>, mutex: Term) {
    // A section that begins with an assumption is entered only where that holds.
    writer.atomically(|writer| {
        let held = build::load(Sort::bv(32), writer.context.memory(), mutex);
        writer.code.assume(build::eq(held, build::bv(32, 0)));
        let mine = taken(writer);
        writer.write(mutex, mine);
    });
}

fn mutex_lock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    // The library waits for a mutex where waiting may end otherwise.
    if writer.context.link.is_users(writer.unit) && writer.context.checks.locking {
        refuse_kind(writer, call, mutex);
        let free = |writer: &mut Writer<'_, '_>| build::ne(writer.read(Sort::bv(32), mutex), taken(writer));
        writer.check_locking(free, "a thread locks a mutex that it has locked");
    }
    take(writer, mutex);
    writer.give_int(call, 0)
}

fn mutex_destroy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = writer.pointer_argument(call, 0)?;
    let free = |writer: &mut Writer<'_, '_>| build::eq(writer.read(Sort::bv(32), mutex), build::bv(32, 0));
    writer.check_locking(free, "a mutex is destroyed while it is locked");
    writer.give_int(call, 0)
}

/// How a function that is written in C says that a lock is given back that nobody has.
fn unlocks_nothing(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.check_locking(|_| build::falsehood(), "a lock is unlocked that nobody has locked");
    Some(writer.nothing(call.ty))
}

fn mutex_trylock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
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
    writer.give(call, build::ite(free, build::bv(32, 0), build::bv_signed(32, EBUSY)), true)
}

fn mutex_unlock(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 0)?;
    require_taken(writer, mutex, "a thread unlocks a mutex that it has not locked");
    writer.write(mutex, build::bv(32, 0));
    writer.give_int(call, 0)
}

fn cond_wait(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let mutex = state(writer, call, 1)?;
    require_taken(writer, mutex, "a thread waits with a mutex that it has not locked");
    writer.write(mutex, build::bv(32, 0));
    take(writer, mutex);
    writer.give_int(call, 0)
}
