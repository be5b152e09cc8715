//! The functions of C that print.

use super::{Host, Reader, printf};
use crate::Procedure;
use crate::interp::outcome::Trap;
use std::io::{BufWriter, Write};
use term::{Sort, SortKind, Value};

/// Executes C's printing functions. What goes to other streams than standard output and standard error is lost.
pub struct CHost<'w> {
    output: BufWriter<&'w mut dyn Write>,
    errors: BufWriter<&'w mut dyn Write>,
}

/// A function that is implemented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Function {
    Printf,
    Fprintf,
    Dprintf,
    Puts,
    Putchar,
    Fputc,
    Fputs,
    Fflush,
    Write,
    /// Bytes, how many, and the stream.
    Fwrite,
}

/// C's functions, and those of this name that their models call.
fn function(name: &str) -> Option<Function> {
    Some(match name.strip_prefix("__fathom_show_").unwrap_or(name) {
        "printf" | "__builtin_printf" => Function::Printf,
        "fprintf" | "__builtin_fprintf" => Function::Fprintf,
        "dprintf" => Function::Dprintf,
        "puts" | "__builtin_puts" => Function::Puts,
        "putchar" | "putchar_unlocked" | "__builtin_putchar" => Function::Putchar,
        "putc" | "fputc" | "_IO_putc" | "putc_unlocked" | "__builtin_fputc" => Function::Fputc,
        "fputs" | "__builtin_fputs" => Function::Fputs,
        "fflush" => Function::Fflush,
        "write" => Function::Write,
        "fwrite" => Function::Fwrite,
        _ => return None,
    })
}

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    Output,
    Errors,
    Elsewhere,
}

impl<'w> CHost<'w> {
    /// Output is kept back until there is much of it, the program asks for it, or the run ends.
    pub fn new(output: &'w mut dyn Write, errors: &'w mut dyn Write) -> CHost<'w> {
        CHost { output: BufWriter::new(output), errors: BufWriter::new(errors) }
    }

    fn print(&mut self, stream: Stream, bytes: &[u8]) -> Result<(), Trap> {
        let written = match stream {
            Stream::Output => self.output.write_all(bytes),
            Stream::Errors => self.output.flush().and_then(|()| self.errors.write_all(bytes)),
            Stream::Elsewhere => Ok(()),
        };
        written.map_err(lost)
    }

    fn flush(&mut self) -> Result<(), Trap> {
        self.output.flush().and_then(|()| self.errors.flush()).map_err(lost)
    }
}

fn lost(error: std::io::Error) -> Trap {
    Trap::Unsupported(format!("output cannot be written: {error}"))
}

impl Host for CHost<'_> {
    fn implements(&self, procedure: &Procedure) -> bool {
        function(procedure.name.as_str()).is_some()
    }

    fn call(&mut self, procedure: &Procedure, arguments: &[Value], memory: &mut Reader) -> Result<Vec<Value>, Trap> {
        let Some(function) = function(procedure.name.as_str()) else {
            return Err(Trap::Internal(format!("{} is not implemented", procedure.name)));
        };
        let argument = |n: usize| {
            let missing = || Trap::Undefined(format!("{} has too few arguments", procedure.name));
            arguments.get(n).ok_or_else(missing)
        };
        let rest = |n: usize| arguments.get(n..).unwrap_or_default();
        let (stream, text) = match function {
            Function::Printf => (Stream::Output, formatted(argument(0)?, rest(1), memory)?),
            Function::Fprintf => (file(argument(0)?, memory), formatted(argument(1)?, rest(2), memory)?),
            Function::Dprintf => (descriptor(argument(0)?), formatted(argument(1)?, rest(2), memory)?),
            Function::Puts => (Stream::Output, [memory.string(argument(0)?, None)?, b"\n".to_vec()].concat()),
            Function::Putchar => (Stream::Output, vec![number(argument(0)?) as u8]),
            Function::Fputc => (file(argument(1)?, memory), vec![number(argument(0)?) as u8]),
            Function::Fputs => (file(argument(1)?, memory), memory.string(argument(0)?, None)?),
            Function::Fflush => (Stream::Elsewhere, Vec::new()),
            Function::Write => (descriptor(argument(0)?), bytes(argument(1)?, argument(2)?, memory)?),
            Function::Fwrite => (file(argument(2)?, memory), bytes(argument(0)?, argument(1)?, memory)?),
        };
        self.print(stream, &text)?;
        if function == Function::Fflush {
            self.flush()?;
        }
        let result = match function {
            Function::Putchar | Function::Fputc => text.first().copied().unwrap_or(0).into(),
            Function::Fputs => 1,
            _ => text.len() as u128,
        };
        procedure.results.iter().map(|r| fitting(r.sort(), result)).collect()
    }

    fn finish(&mut self) -> Result<(), Trap> {
        self.flush()
    }
}

fn bytes(from: &Value, length: &Value, memory: &mut Reader) -> Result<Vec<u8>, Trap> {
    (0..number(length) as u64).map(|offset| memory.byte(from, offset)).collect()
}

fn formatted(format: &Value, arguments: &[Value], memory: &mut Reader) -> Result<Vec<u8>, Trap> {
    let format = memory.string(format, None)?;
    printf::print(&format, arguments, memory, memory.program.data_model)
}

/// The result as the declaration wants it.
fn fitting(sort: Sort, result: u128) -> Result<Value, Trap> {
    match sort.kind() {
        SortKind::BitVec(width) => Ok(Value::bv(*width, result)),
        _ => Err(Trap::Unsupported(format!("a printing function that returns {sort}"))),
    }
}

fn number(value: &Value) -> u128 {
    match value {
        Value::Bv(bv) => bv.unsigned(),
        Value::Bool(b) => u128::from(*b),
        _ => 0,
    }
}

fn descriptor(value: &Value) -> Stream {
    match number(value) {
        1 => Stream::Output,
        2 => Stream::Errors,
        _ => Stream::Elsewhere,
    }
}

/// The stream that a pointer to a file means: it points to an object that has the name of the stream.
fn file(pointer: &Value, memory: &Reader) -> Stream {
    match memory.object_name(pointer) {
        Some(name) if name.as_str().contains("stdout") => Stream::Output,
        Some(name) if name.as_str().contains("stderr") => Stream::Errors,
        _ => Stream::Elsewhere,
    }
}
