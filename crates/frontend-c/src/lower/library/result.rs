//! Results of functions that can fail for want of resources.
//!
//! A call may fail where the program looks at its result. A program that ignores the result is taken to rely on success, as
//! SV-COMP's programs do.

use super::Call;
use super::support::fail_somehow;
use crate::lower::value::{Typed, Value};
use crate::lower::writer::Writer;
use crate::types::Ty;
use ir::LocId;
use term::{Sort, Term, build};

/// A call that failed on one way, and that is being written for the other.
pub(super) struct Failing {
    result: Term,
    end: LocId,
}

/// The call may fail with one of the error numbers, or with -1 and `errno` set; what is written next is done if it does not.
pub(super) fn may_fail(writer: &mut Writer<'_, '_>, call: &Call, errors: &[i128]) -> Option<Failing> {
    if !call.is_used {
        return None;
    }
    let result = writer.code.temporary(Sort::bv(32));
    let (failed, next, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    let fails = writer.code.arbitrary(Sort::bool());
    writer.code.branch(fails, failed, next);
    writer.code.continue_at(failed);
    let (first, others) = errors.split_first()?;
    let mut error = build::bv_signed(32, *first);
    for other in others {
        let chosen = writer.code.arbitrary(Sort::bool());
        error = build::ite(chosen, build::bv_signed(32, *other), error);
    }
    writer.code.assign(result, error);
    if *first < 0 {
        fail_somehow(writer);
    }
    writer.code.jump(end);
    writer.code.continue_at(next);
    Some(Failing { result, end })
}

/// The result of a call that may have failed, where it did not.
pub(super) fn finish_result(writer: &mut Writer<'_, '_>, call: &Call, failing: Option<Failing>) -> Option<Value> {
    let Some(Failing { result, end }) = failing else { return writer.give_int(call, 0) };
    writer.code.assign(result, build::bv(32, 0));
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Calls what a function does in C. A further argument says whether there is no room for what it keeps.
pub(super) fn call_if_room(writer: &mut Writer<'_, '_>, call: &Call, inner: &str) -> Option<Value> {
    let fails = if call.is_used { writer.code.arbitrary(Sort::bv(32)) } else { build::bv(32, 0) };
    let fails = Typed { value: Value::Scalar(fails), ty: Ty::INT };
    let arguments = call.arguments.iter().cloned().chain([fails]).collect();
    writer.call_library(inner, arguments, call.ty)
}
