//! What programs call and do not define.
//!
//! A function is one of these:
//! - *Known*: it is expanded where it is called. The tables below say how.
//! - *A call of the system*: what it reads, writes and gives is a line of `calls.txt`.
//! - *Written in C*: see [`SOURCES`]. It is checked and lowered like the program, when the program needs it.
//! - *Benign*: it does nothing but return something that depends on the outside, and print.
//! - *Refused*: it is one of the standard libraries ([`standard`]), and Fathom has no model for it. Coming to such a call, nothing is known.
//! - All others are unknown: `missing.rs` says what is taken of them, and the report names them.
//!
//! Invariant: no function that writes through a pointer, or that changes the flow of control, is benign.

mod calls;
mod condition;
mod environment;
mod format;
mod input;
mod jump;
mod math;
mod memory;
mod mutex;
mod open;
mod output;
mod process;
mod prototype;
mod result;
mod sources;
mod standard;
mod stream;
mod support;
mod synchronise;
#[cfg(test)]
mod table;
mod thread;
mod verifier;

pub(super) use jump::JUMPS;
pub(super) use memory::make_arbitrary;
pub(super) use mutex::has_mutex_kinds;
pub(super) use open::{Asked, Comparators, sees_open_values};
pub(super) use output::{may_write_text, text_was_written};
pub(crate) use prototype::fits;
pub(super) use prototype::is_stream;
pub(crate) use sources::{SOURCES, STRING_FUNCTIONS, THREAD_FUNCTIONS, needs_source};
pub(super) use stream::STANDARD_STREAMS;

use super::storage::{Shape, value_sort};
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::types::{Scalar, Ty};
use source::Symbol;
use term::{Sort, Term, build};

/// A call of a function that Fathom knows.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub name: Symbol,
    pub arguments: Vec<Typed>,
    /// The type that the caller expects.
    pub ty: Ty,
    /// A variable that may take the result.
    pub target: Option<Term>,
    /// Whether the program looks at the result.
    pub is_used: bool,
}

/// Writes what a call does and gives its value; nothing if the arguments are not those that the function takes.
pub(super) type Expand = fn(&mut Writer<'_, '_>, &Call) -> Option<Value>;

/// The functions that start threads.
pub(super) const THREAD_STARTERS: [&str; 2] = ["pthread_create", "thrd_create"];

/// How to expand a function even if the program defines it.
pub(super) fn always(name: &str) -> Option<Expand> {
    matches!(name, "reach_error" | "__VERIFIER_error").then_some(verifier::error as Expand)
}

/// How to expand a function that the program does not define.
pub(super) fn known(name: &str) -> Option<Expand> {
    expansion(name).or_else(|| is_refused(name).then_some(refuse as Expand))
}

/// How to expand a function that has a model.
fn expansion(name: &str) -> Option<Expand> {
    let tables: [fn(&str) -> Option<Expand>; 15] = [
        // Before what is nondeterministic by its name.
        memory::known,
        verifier::known,
        support::known,
        stream::known,
        process::known,
        jump::known,
        math::known,
        thread::known,
        mutex::known,
        condition::known,
        synchronise::known,
        input::known,
        output::known,
        calls::known,
        environment::known,
    ];
    tables.iter().find_map(|table| table(name))
}

/// Functions in C that expansions of a function call, here or where the program or a thread ends. What they keep exists from the start.
pub(super) fn companions(name: &str) -> Vec<&'static str> {
    let more: &[&'static str] = match name {
        "atexit" => &["__fathom_at_exit"],
        "at_quick_exit" => &["__fathom_at_quick_exit"],
        // Where the name is no literal.
        "getenv" => &["__fathom_getenv"],
        "pthread_key_create" | "tss_create" => &[thread::DESTROY_VALUES],
        "__pthread_register_cancel" => &[thread::CLEAN_UP],
        _ if process::HANDLING.contains(&name) => &["__fathom_at_abort"],
        _ if jump::BLOCKING.contains(&name) => &[jump::BLOCKED, jump::BLOCK],
        _ if calls::needs_descriptors(name) => &[calls::DESCRIPTOR],
        _ => &[],
    };
    thread::inner(name).or_else(|| process::inner(name)).into_iter().chain(more.iter().copied()).collect()
}

/// Functions that do nothing but wait, give a value that depends on the outside, or show text where the program is executed.
const BENIGN: &str = "
    __fathom_show_putchar __fathom_show_fputc __fathom_show_puts __fathom_show_fputs __fathom_show_fflush __fathom_show_write __fathom_show_fwrite
    sched_yield pthread_yield thrd_yield openlog closelog pthread_testcancel";

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

pub(super) fn is_benign(name: &str) -> bool {
    is_among(BENIGN, name)
}

/// A function of the standard libraries that nothing says anything about.
fn is_refused(name: &str) -> bool {
    standard::header(name).is_some() && !is_benign(name) && !sources::is_defined(name)
}

fn refuse(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    Some(writer.unsupported_value(format!("a call of {}", call.name).as_str(), call.ty))
}

impl Writer<'_, '_> {
    /// Writes a call of a function that Fathom knows.
    pub fn expand(&mut self, expand: Expand, call: Call) -> Value {
        match expand(self, &call) {
            Some(value) => value,
            None => {
                let what = format!("a call of {} with arguments that it does not take", call.name);
                self.unsupported_value(what.as_str(), call.ty)
            }
        }
    }

    /// A scalar argument, as it is passed for a parameter of the sort.
    pub fn argument(&mut self, call: &Call, n: usize, sort: Sort) -> Option<Term> {
        let argument = call.arguments.get(n)?;
        let Value::Scalar(value) = argument.value else { return None };
        let signed = matches!(self.types.scalar(argument.ty), Some(Scalar::Int { signed: true, .. }));
        self.reinterpret(value, signed, sort)
    }

    pub fn pointer_argument(&mut self, call: &Call, n: usize) -> Option<Term> {
        self.argument(call, n, self.pointer_sort())
    }

    /// An argument of type `size_t`.
    pub fn size_argument(&mut self, call: &Call, n: usize) -> Option<Term> {
        self.argument(call, n, Sort::bv(self.width()))
    }

    pub fn int_argument(&mut self, call: &Call, n: usize) -> Option<Term> {
        self.argument(call, n, Sort::bv(32))
    }

    /// The number that attributes hold, 0 without any. Nothing is read then: no execution goes on behind a read through a
    /// null pointer.
    fn read_attributes(&mut self, attributes: Term) -> Term {
        let number = self.code.temporary(Sort::bv(32));
        self.code.assign(number, build::bv(32, 0));
        let (given, end) = (self.code.location(), self.code.location());
        self.code.branch(build::eq(attributes, build::null(self.width())), end, given);
        self.code.continue_at(given);
        let own = self.read(Sort::bv(32), attributes);
        self.code.assign(number, own);
        self.code.enter(end);
        number
    }

    /// A value in the type that the caller expects.
    pub fn give(&mut self, call: &Call, value: Term, signed: bool) -> Option<Value> {
        match Shape::of(self.types, call.ty) {
            Shape::Nothing => Some(Value::Void),
            Shape::Scalar(scalar) => {
                self.reinterpret(value, signed, value_sort(scalar, self.context.model)).map(Value::Scalar)
            }
            _ => None,
        }
    }

    /// The result of a function that returns a number to say how it went.
    pub fn give_int(&mut self, call: &Call, n: i128) -> Option<Value> {
        self.give(call, build::bv_signed(32, n), true)
    }
}

/// A function that always succeeds and does nothing that could be seen.
fn succeed(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.give_int(call, 0)
}
