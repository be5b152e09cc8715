//! Ending the program, and small functions on integers.

use super::{Call, Expand};
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::LocationKind;
use term::{Sort, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "exit" | "_exit" | "_Exit" | "quick_exit" | "thrd_exit" => exit,
        "abort" | "__builtin_trap" | "__builtin_abort" | "__stack_chk_fail" | "err" | "errx" => abort,
        "abs" | "labs" | "llabs" | "imaxabs" => abs,
        "rand" | "random" | "lrand48" => random,
        _ => return None,
    })
}

/// Ends the program. Memory that is not freed is lost, but something still points to it.
fn exit(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.check_leaks(false);
    abort(writer, call)
}

fn abort(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.code.stop(LocationKind::End);
    Some(writer.nothing(call.ty))
}

fn abs(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let Value::Scalar(x) = call.arguments.first()?.value else { return None };
    let width = x.sort().bv_width()?;
    let least = build::bv(width, 1 << (width - 1));
    writer.check_overflow(|| Some(build::ne(x, least)), "an absolute value");
    let negative = build::bv_slt(x, build::bv(width, 0));
    writer.give(call, build::ite(negative, build::bv_neg(x), x), true)
}

/// A number that is not negative, of 31 bits.
fn random(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let x = writer.code.arbitrary(Sort::bv(31));
    writer.give(call, build::zero_extend(32, x), false)
}
