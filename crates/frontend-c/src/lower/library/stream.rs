//! What the C texts of streams and files ask for and C cannot say.

use super::{Call, Expand};
use crate::hir::GlobalId;
use crate::lower::access::Access;
use crate::lower::context::Context;
use crate::lower::link::In;
use crate::lower::storage::Storage;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Term, build};

/// The variables that point to the streams that are open from the start, by the numbers of their files.
pub(in crate::lower) const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Functions that show what is kept of a stream.
const LOOKING: [&str; 5] = ["feof", "ferror", "fileno", "ungetc", "fdopen"];

impl Context<'_> {
    /// Whether the program can see what was kept of a stream.
    pub fn keeps_streams(&self) -> bool {
        LOOKING.iter().any(|name| self.reaches_library(name))
    }
}

impl Writer<'_, '_> {
    /// A stream that is open from the start, null if the program does not mention it or cannot see what is kept of it.
    pub fn standard_stream(&mut self, number: usize) -> Term {
        let null = build::null(self.width());
        let name = STANDARD_STREAMS.get(number).filter(|_| self.context.keeps_streams());
        let link = &self.context.link;
        let is_it = |at: &In<GlobalId>| name.is_some_and(|name| link.units[at.unit][at.id].name == (*name).into());
        let Some(found) = self.context.reached.globals.iter().copied().find(is_it) else { return null };
        match self.context.global(found) {
            Some(Storage::Variables(slots)) => slots.variables.first().copied().unwrap_or(null),
            Some(Storage::Memory(pointer)) => self.read(self.pointer_sort(), pointer),
            None => null,
        }
    }

    /// What is kept of a stream follows a call of the `scanf` or `printf` families.
    pub fn note_result(&mut self, helper: &str, stream: Term, result: Term) -> Option<()> {
        if !self.context.keeps_streams() || stream == build::null(self.width()) {
            return Some(());
        }
        self.run_helper(helper, vec![stream, result])
    }
}

fn standard(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let number = writer.int_argument(call, 0)?;
    let number = number.as_bv().map_or(0, |number| number.unsigned() as usize);
    let stream = writer.standard_stream(number);
    writer.give(call, stream, false)
}

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "__fathom_stream" => stream,
        "__fathom_close_stream" => close,
        "__fathom_output" => output,
        "__fathom_keeps_streams" => |writer, call| {
            let keeps = writer.context.keeps_streams();
            writer.give_int(call, i128::from(keeps))
        },
        "__fathom_standard_stream" => standard,
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
