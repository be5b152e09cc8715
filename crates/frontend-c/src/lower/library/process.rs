//! Ending the program, and small functions on integers.

use super::result::call_if_room;
use super::{Call, Expand};
use crate::lower::checks::Ending;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::{AssumptionKind, LocationKind};
use term::{Term, build};

/// Functions that install handlers of signals.
pub(super) const HANDLING: [&str; 4] = ["signal", "sigaction", "bsd_signal", "__sysv_signal"];

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "exit" | "err" | "errx" | "verr" | "verrx" => exit,
        "_exit" | "_Exit" => exit_at_once,
        "quick_exit" => quick_exit,
        "__fathom_die" => |writer, call| {
            writer.abort();
            Some(writer.nothing(call.ty))
        },
        "__fathom_assume_no_signals" => assume_no_signals,
        "atexit" | "at_quick_exit" => at_exit,
        "abort" | "__builtin_trap" | "__builtin_abort" | "__stack_chk_fail" => abort,
        "abs" | "labs" | "llabs" | "imaxabs" => abs,
        "__fathom_assume_c_locale" => assume_c_locale,
        _ => return None,
    })
}

fn exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let status = writer.int_argument(call, 0)?;
    let status = writer.code.keep(status);
    writer.call_destructors();
    exit_with(writer, call, status)
}

/// Ends the program after what `at_quick_exit` was given.
fn quick_exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let status = writer.int_argument(call, 0)?;
    let status = writer.code.keep(status);
    if writer.context.reached.calls("at_quick_exit") {
        writer.run_helper("__fathom_at_quick_exit", Vec::new());
    }
    exit_with(writer, call, status)
}

/// Ends the program without calling what `exit` calls.
fn exit_at_once(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let status = writer.int_argument(call, 0)?;
    exit_with(writer, call, status)
}

fn exit_with(writer: &mut Writer<'_, '_>, call: &Call, status: Term) -> Option<Value> {
    writer.check_leaks(Ending::Exit);
    let variable = writer.context.internal(ir::status(), false);
    writer.code.assign(variable, status);
    writer.code.stop(LocationKind::End);
    Some(writer.nothing(call.ty))
}

fn abort(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.abort_by_signal();
    Some(writer.nothing(call.ty))
}

/// What keeps a function for the end of the program.
pub(super) fn inner(name: &str) -> Option<&'static str> {
    match name {
        "atexit" => Some("__fathom_atexit"),
        "at_quick_exit" => Some("__fathom_at_quick_exit_add"),
        _ => None,
    }
}

/// Keeps a function, unless there is no room.
fn at_exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    call_if_room(writer, call, inner(call.name.as_str())?)
}

/// That no signal is blocked at the start, and that none arrives but those that the program raises.
fn assume_no_signals(writer: &mut Writer<'_, '_>, _: &Call) -> Option<Value> {
    let text = "no signal is blocked at the start, and none arrives from outside";
    writer.context.assume(AssumptionKind::Signals, text, &[], None);
    Some(Value::Void)
}

impl Writer<'_, '_> {
    /// The program ends as by `abort`, after the handler of that signal.
    pub fn abort_by_signal(&mut self) {
        if HANDLING.iter().any(|name| self.context.reaches_library(name)) {
            self.run_helper("__fathom_at_abort", Vec::new());
        }
        self.abort();
    }
}

fn abs(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let Value::Scalar(x) = call.arguments.first()?.value else { return None };
    let width = x.sort().bv_width()?;
    let least = build::bv(width, 1 << (width - 1));
    writer.check_overflow(|| Some(build::ne(x, least)), "an absolute value");
    let negative = build::bv_slt(x, build::bv(width, 0));
    writer.give(call, build::ite(negative, build::bv_neg(x), x), true)
}

/// That the environment names no other locale than C.
fn assume_c_locale(writer: &mut Writer<'_, '_>, _: &Call) -> Option<Value> {
    writer.context.assume(AssumptionKind::Locale, "the locale of the environment is C", &[], None);
    Some(Value::Void)
}
