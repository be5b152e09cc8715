//! What the C texts of streams and files ask for and C cannot say.

use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Term, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "__fathom_stream" => stream,
        "__fathom_close_stream" => close,
        "__fathom_output" => output,
        "__fathom_looks_at_memory" => looks_at_memory,
        _ => return None,
    })
}

/// A stream is used: it must be open. Streams have locks, so that uses never race.
fn stream(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let stream = writer.pointer_argument(call, 0)?;
    writer.check_unshared_bytes(stream, writer.offset(1), Access::Read);
    Some(Value::Void)
}

/// The end of a stream.
fn close(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let stream = writer.pointer_argument(call, 0)?;
    if writer.context.checks.lives() {
        writer.end_life(build::pointer_object(stream));
    }
    Some(Value::Void)
}

/// Bytes of memory leave the program: they are read.
fn output(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (start, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    leave(writer, start, length);
    Some(Value::Void)
}

/// The same of bytes at a pointer.
pub(super) fn leave(writer: &mut Writer<'_, '_>, start: Term, length: Term) {
    let (start, length) = (writer.stable(start), writer.stable(length));
    writer.check_block(start, length, Access::Read);
    if writer.context.checks.uninitialised {
        let (some, next) = (writer.code.location(), writer.code.location());
        writer.code.branch(build::eq(length, writer.offset(0)), next, some);
        writer.code.continue_at(some);
        writer.check_memory(start, length);
        writer.code.enter(next);
    }
}

/// Whether a property asks about reads of memory: if not, a text need not be read to its end.
fn looks_at_memory(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let looks = writer.context.checks.memory();
    writer.give_int(call, i128::from(looks))
}
