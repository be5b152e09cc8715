//! Threads of POSIX and of C11: starting, ending and joining them.
//!
//! Those of C11 return an `int`, which is kept as a pointer is.
//! A thread's identifier is its number; the first thread is 0. `pthread_create` may fail where the program looks at its
//! result. Whether a thread is detached is known where the program can detach some.

use super::result::{call_if_room, finish_result, may_fail};
use super::{Call, Expand};
use crate::hir::{Callee, ExprKind, FunctionId};
use crate::lower::access::Access;
use crate::lower::checks::Ending;
use crate::lower::context::Context;
use crate::lower::link::In;
use crate::lower::scope::Scope;
use crate::lower::start::THREAD;
use crate::lower::storage::Storage;
use crate::lower::value::{Typed, Value};
use crate::lower::writer::Writer;
use ir::{DataModel, LocId, Op, ProcId, Variable};
use source::Symbol;
use term::{Sort, Term, build};

/// The width of a thread's number.
const NUMBER: u32 = 32;
const EAGAIN: i128 = 11;
const ENOMEM: i128 = 12;
const EINVAL: i128 = 22;
const EDEADLK: i128 = 35;
/// What functions of C11 give for all errors.
const THRD_NOMEM: i128 = 1;
const THRD_ERROR: i128 = 2;
/// What calls the destructors of values, and what runs cleanup handlers.
pub(super) const DESTROY_VALUES: &str = "__fathom_destroy_values";
pub(super) const CLEAN_UP: &str = "__fathom_clean_up";

/// Whether a function is one of C11's threads, and not of POSIX's.
fn is_c11(call: &Call) -> bool {
    call.name.as_str().starts_with("thrd_")
}

/// What a function does in C, which is told whether there is no memory for it.
pub(super) fn inner(name: &str) -> Option<&'static str> {
    Some(match name {
        "pthread_key_create" => "__fathom_key_create",
        "pthread_setspecific" => "__fathom_setspecific",
        "tss_create" => "__fathom_tss_create",
        "tss_set" => "__fathom_tss_set",
        _ => return None,
    })
}

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => join,
        "pthread_exit" => exit,
        "pthread_self" | "thrd_current" => current,
        "pthread_detach" => detach,
        "pthread_attr_init" => attributes_init,
        "pthread_attr_setdetachstate" => set_detach_state,
        "pthread_attr_getdetachstate" => detach_state,
        "thrd_create" => create,
        "thrd_join" => join,
        "thrd_exit" => exit,
        "thrd_detach" => detach,
        name if inner(name).is_some() => keep_value,
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

    /// Which threads are detached, if some can be.
    fn detached(&mut self) -> Option<Term> {
        let detaching = ["pthread_detach", "pthread_attr_setdetachstate", "thrd_detach"];
        let can_be = detaching.iter().any(|name| self.reached.calls(name));
        (can_be && self.threaded).then(|| self.internal(thread_detached(), false))
    }

    /// Variables of threads that are of no use if nobody reads them.
    pub fn optional_variables(&self) -> [Term; 2] {
        [thread_number(), thread_returned(self.model)]
    }

    /// The number of the running thread.
    pub fn own_number(&mut self) -> Term {
        self.internal(thread_number(), true)
    }

    /// What holds before the first thread runs.
    pub fn initial_threads(&self) -> Vec<Op> {
        let (count, done, own) = (thread_count(), thread_done(), thread_number());
        let none = build::const_array(done.sort(), build::falsehood());
        let zero = build::bv(NUMBER, 0);
        let initial = [(count, zero), (done, none), (own, zero), (thread_detached(), none)].into_iter();
        initial
            .filter(|(variable, _)| self.is_global(*variable))
            .map(|(variable, value)| Op::assign(variable, value))
            .collect()
    }

    /// The procedure that a thread runs that starts with the function.
    fn thread_procedure(&mut self, function: In<FunctionId>) -> Option<ProcId> {
        let name = format!("{THREAD}{}", self.link.function(function).link_name);
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
        writer.finish_function(true);
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

fn thread_detached() -> Term {
    Term::var("$detached", Sort::array(Sort::bv(NUMBER), Sort::bool()))
}

fn thread_returned(model: DataModel) -> Term {
    let sort = Sort::array(Sort::bv(NUMBER), Sort::pointer(model.pointer_width()));
    Term::var("$returned", sort)
}

fn thread_number() -> Term {
    Term::var("$self", Sort::bv(NUMBER))
}

impl Writer<'_, '_> {
    /// That a thread has ended, and what it returned. Its own variables end with it.
    fn end_thread(&mut self, number: Term, value: Value) {
        if ["pthread_key_create", "tss_create"].iter().any(|name| self.context.reached.calls(name)) {
            self.run_helper(DESTROY_VALUES, Vec::new());
        }
        self.end_thread_locals();
        if !["pthread_join", "thrd_join"].iter().any(|name| self.context.reached.calls(name)) {
            let fewer = self.one_thread_less();
            self.code.assign_all(fewer.into_iter().collect());
            return;
        }
        let value = match value {
            Value::Scalar(value) if value.sort() == self.pointer_sort() => Some(value),
            Value::Scalar(value) => self.reinterpret(value, true, Sort::bv(32)).map(|value| self.as_returned(value)),
            _ => None,
        };
        let value = value.unwrap_or_else(|| build::null(self.width()));
        let (returned, done) = (self.context.returned(), self.context.done());
        // Who sees that it has ended sees what it returned, so that one step may do both.
        let stores = [(returned, value), (done, build::truth())];
        let stores = stores.map(|(map, fact)| (map, build::store(map, number, fact)));
        let fewer = self.one_thread_less();
        self.code.assign_all(stores.into_iter().chain(fewer).collect());
    }

    /// The `int` that a thread of C11 returns, as all that threads return is kept.
    fn as_returned(&self, value: Term) -> Term {
        let number = crate::lower::convert::resize(value, self.width(), true);
        build::pointer(build::bv(term::OBJECT_WIDTH, 0), number)
    }

    /// The thread-local variables that lie in memory end.
    fn end_thread_locals(&mut self) {
        if !self.context.checks.lives() {
            return;
        }
        for global in self.context.reached.globals.clone() {
            let is_thread_local = self.context.link.units[global.unit][global.id].is_thread_local;
            if let (true, Some(Storage::Memory(pointer))) = (is_thread_local, self.context.global(global)) {
                self.end_life(build::pointer_object(pointer));
            }
        }
    }

    /// Whether the function that is being written is the outermost of a thread: no function calls it by its name.
    fn is_outermost(&self) -> bool {
        let (link, own) = (&self.context.link, self.body);
        let is_own = |function: In<FunctionId>| link.body(function).is_some_and(|body| std::ptr::eq(body, own));
        let calls_own = |function: &In<FunctionId>| {
            let Some(body) = link.body(*function) else { return false };
            body.exprs.iter().any(|expr| match expr.kind {
                ExprKind::Call { callee: Callee::Direct(id), .. } => {
                    is_own(link.definition(In { unit: function.unit, id }))
                }
                _ => false,
            })
        };
        !self.context.reached.functions.iter().any(calls_own)
    }
}

/// A key or its value, which there may be no memory for.
fn keep_value(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    call_if_room(writer, call, inner(call.name.as_str())?)
}

/// An unsigned number of the width of a pointer.
fn wide(writer: &Writer<'_, '_>, x: Term) -> Term {
    crate::lower::convert::resize(x, writer.width(), false)
}

fn create(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    // C11's have no attributes.
    let first = if is_c11(call) { 1 } else { 2 };
    let (target, start) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, first)?);
    let argument = writer.pointer_argument(call, first + 1)?;
    let (target, argument) = (writer.stable(target), writer.stable(argument));
    let result = may_fail(writer, call, if is_c11(call) { &[THRD_NOMEM, THRD_ERROR] } else { &[EAGAIN] });
    let size = writer.offset(u64::from(writer.width() / 8));
    writer.check_bytes(target, size, Access::Write);
    let detached = match is_c11(call) {
        true => Some(build::falsehood()),
        false => {
            let attributes = writer.pointer_argument(call, 1)?;
            is_created_detached(writer, attributes)
        }
    };
    let start = if start.value().is_some() { start } else { writer.code.keep(start) };
    let count = writer.context.threads();
    let number = writer.code.temporary(Sort::bv(NUMBER));
    let thread = writer.code.temporary(Sort::bv(NUMBER));
    writer.code.emit(Op::AtomicBegin);
    writer.code.assign(number, build::bv_add(count, build::bv(NUMBER, 1)));
    writer.code.assign(count, number);
    if let (Some(detached), Some(map)) = (detached, writer.context.detached()) {
        writer.code.assign(map, build::store(map, number, detached));
    }
    let more = writer.one_thread_more();
    writer.code.assign_all(more.into_iter().collect());
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
    // The new thread may run before its identifier is stored.
    writer.check_race(target, size, Access::Write, false);
    finish_result(writer, call, result)
}

/// Whether attributes say that a thread is created detached, if that matters.
fn is_created_detached(writer: &mut Writer<'_, '_>, attributes: Term) -> Option<Term> {
    if !writer.context.reached.calls("pthread_attr_setdetachstate") {
        return None;
    }
    let attributes = writer.stable(attributes);
    let state = writer.read_attributes(attributes);
    Some(writer.code.keep(build::ne(state, build::bv(32, 0))))
}

/// Attributes hold in their first `int` whether threads are created detached.
fn attributes_init(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let attributes = writer.pointer_argument(call, 0)?;
    let attributes = writer.stable(attributes);
    let failing = may_fail(writer, call, &[ENOMEM]);
    writer.check_bytes(attributes, writer.offset(4), Access::Write);
    if writer.context.reached.calls("pthread_attr_setdetachstate") {
        writer.write(attributes, build::bv(32, 0));
    }
    finish_result(writer, call, failing)
}

fn set_detach_state(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (attributes, state) = (writer.pointer_argument(call, 0)?, writer.int_argument(call, 1)?);
    let (attributes, state) = (writer.stable(attributes), writer.stable(state));
    let is_state = build::bv_ule(state, build::bv(32, 1));
    let (yes, end) = (writer.code.location(), writer.code.location());
    writer.code.branch(is_state, yes, end);
    writer.code.continue_at(yes);
    writer.check_bytes(attributes, writer.offset(4), Access::Write);
    writer.write(attributes, state);
    writer.code.enter(end);
    writer.give(call, build::ite(is_state, build::bv(32, 0), build::bv_signed(32, EINVAL)), true)
}

fn detach_state(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (attributes, target) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let (attributes, target) = (writer.stable(attributes), writer.stable(target));
    for (pointer, access) in [(attributes, Access::Read), (target, Access::Write)] {
        writer.check_bytes(pointer, writer.offset(4), access);
    }
    let can_be = writer.context.reached.calls("pthread_attr_setdetachstate");
    let state = if can_be { writer.read_attributes(attributes) } else { build::bv(32, 0) };
    writer.write(target, state);
    writer.give_int(call, 0)
}

fn detach(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let number = writer.argument(call, 0, Sort::bv(NUMBER))?;
    if let Some(map) = writer.context.detached() {
        let number = writer.stable(number);
        writer.code.assign(map, build::store(map, number, build::truth()));
    }
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
    if let Some(detached) = writer.context.detached() {
        let joinable = writer.code.keep(build::not(build::select(detached, number)));
        writer.check_locking(|_| joinable, "a detached thread is joined");
        writer.go_on_if(joinable, "a join of a detached thread");
    }
    let error = if is_c11(call) { THRD_ERROR } else { EDEADLK };
    let itself = may_join_itself(writer).then(|| refuse_itself(writer, number, error));
    writer.may_get_stuck(|_| build::select(done, number), "a thread waits for ever for the end of another");
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
        let value = if is_c11(call) { build::extract(31, 0, build::pointer_offset(value)) } else { value };
        let size = if is_c11(call) { 4 } else { u64::from(writer.width() / 8) };
        writer.check_bytes(target, writer.offset(size), Access::Write);
        writer.write(target, value);
        writer.code.enter(end);
    }
    let Some((result, joined)) = itself else { return writer.give_int(call, 0) };
    writer.code.assign(result, build::bv(32, 0));
    writer.code.enter(joined);
    writer.give(call, result, true)
}

/// A thread that joins itself gets an error at once. The result, and where it is known.
fn refuse_itself(writer: &mut Writer<'_, '_>, number: Term, error: i128) -> (Term, LocId) {
    let (result, joined) = (writer.code.temporary(Sort::bv(32)), writer.code.location());
    let (own, itself, other) = (writer.context.own_number(), writer.code.location(), writer.code.location());
    writer.code.branch(build::eq(own, number), itself, other);
    writer.code.continue_at(itself);
    writer.code.assign(result, build::bv_signed(32, error));
    writer.code.jump(joined);
    writer.code.continue_at(other);
    (result, joined)
}

/// Whether a call of `pthread_join` can be given the number of the thread that it is in. The first thread's number is
/// known from `pthread_self` alone.
fn may_join_itself(writer: &Writer<'_, '_>) -> bool {
    ["pthread_self", "thrd_current"].iter().any(|name| writer.context.reached.calls(name)) || !writer.is_entry()
}

/// Ends the running thread: it goes nowhere from here.
fn exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let value = match is_c11(call) {
        true => {
            let value = writer.int_argument(call, 0)?;
            writer.as_returned(value)
        }
        false => writer.pointer_argument(call, 0)?,
    };
    let value = writer.stable(value);
    if writer.context.reaches_library("__pthread_register_cancel") {
        writer.run_helper(CLEAN_UP, vec![value]);
    }
    if writer.context.threaded && writer.context.checks.lives() {
        if !writer.is_outermost() {
            writer.unsupported("the end of a caller's variables by pthread_exit");
        }
        writer.end_scoped_lives();
    }
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
