//! Formatted output: `printf` and its like.
//!
//! A format that is a literal is taken apart here: each conversion becomes a call of a function of `printf.c`, which writes its characters
//! and counts them. Other formats are interpreted there. Text that goes to a stream is only counted, and if the program does not
//! look at the count and no property asks about memory, nothing at all is written for it.
//!
//! The characters of floating-point numbers are not computed. Behind text with such a number, coming to an error says
//! nothing ([`Writer::error`]), while a proof stays one.

use super::format::{Amount, Conversion, Piece, pieces};
use super::{Call, Expand, refuse};
use crate::lower::access::Access;
use crate::lower::pointer::{add, advance};
use crate::lower::reach::Reached;
use crate::lower::value::{Typed, Value};
use crate::lower::writer::Writer;
use ir::Op;
use term::{Sort, Term, build};

/// How `printf.c` says that the characters of a text are not known.
const MADE_UP: &str = "__fathom_made_up";

/// What is written to, and where in the arguments the format is.
#[derive(Clone, Copy)]
enum To {
    /// A stream that is no argument, or a file's number.
    Outside(usize),
    /// The stream that is the first argument.
    Stream(usize),
    Memory(usize),
    /// Memory whose size is the second argument.
    Bounded(usize),
    Wide,
}

/// What a function does, and whether its last argument is a `va_list`.
fn describe(name: &str) -> Option<(To, bool)> {
    Some(match name {
        "printf" | "wprintf" | "printk" | "warn" | "warnx" => (To::Outside(0), false),
        "dprintf" | "syslog" | "__printf_chk" | "__wprintf_chk" => (To::Outside(1), false),
        "fprintf" | "fwprintf" => (To::Stream(1), false),
        "__fprintf_chk" => (To::Stream(2), false),
        "sprintf" => (To::Memory(1), false),
        "__sprintf_chk" | "__builtin___sprintf_chk" => (To::Memory(3), false),
        "snprintf" => (To::Bounded(2), false),
        "__snprintf_chk" | "__builtin___snprintf_chk" => (To::Bounded(4), false),
        "swprintf" => (To::Wide, false),
        "vprintf" | "vwarn" | "vwarnx" => (To::Outside(0), true),
        "vdprintf" | "vsyslog" | "__vprintf_chk" => (To::Outside(1), true),
        "vfprintf" => (To::Stream(1), true),
        "__vfprintf_chk" => (To::Stream(2), true),
        "vsprintf" => (To::Memory(1), true),
        "__vsprintf_chk" => (To::Memory(3), true),
        "vsnprintf" => (To::Bounded(2), true),
        "__vsnprintf_chk" => (To::Bounded(4), true),
        _ => return None,
    })
}

/// Whether a function needs the text that writes conversions.
pub(super) fn is_formatted(name: &str) -> bool {
    describe(name).is_some()
}

/// Whether the program may write text to memory, or count text, whose characters are not known.
pub(in crate::lower) fn may_write_text(reached: &Reached) -> bool {
    let is_writer = |name: &str| {
        describe(name).is_some_and(|(to, is_list)| is_list || !matches!(to, To::Outside(_) | To::Stream(_)))
    };
    reached.known.iter().any(|name| name.as_str() == MADE_UP || is_writer(name.as_str()))
}

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        MADE_UP => made_up,
        _ if is_formatted(name) => formatted,
        _ => return None,
    })
}

/// Whether text was written whose characters are not known.
pub(in crate::lower) fn text_was_written() -> Term {
    Term::var("$text", Sort::bool())
}

fn made_up(writer: &mut Writer<'_, '_>, _: &Call) -> Option<Value> {
    if writer.context.writes_text {
        let flag = writer.context.internal(text_was_written(), false);
        writer.code.assign(flag, build::truth());
    } else {
        writer.unsupported("how long a floating-point number is as a text");
    }
    Some(Value::Void)
}

/// The characters of the literal that is the argument of a number.
pub(super) fn literal(writer: &Writer<'_, '_>, call: &Call, number: usize) -> Option<Vec<u32>> {
    let argument = call.arguments.get(number)?;
    let Value::Scalar(pointer) = argument.value else { return None };
    let unit = writer.types.size(writer.types.pointee(argument.ty)?).filter(|unit| [1, 4].contains(unit))?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
    Some(writer.context.literal(pointer)?.chunks(unit as usize).map(number).collect())
}

/// A call, and what the stream keeps of it.
fn formatted(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let stream = match describe(call.name.as_str())? {
        (To::Stream(_), _) => Some(writer.pointer_argument(call, 0)?),
        // Of those that write elsewhere, only `dprintf` is given where.
        (To::Outside(_), _) if !call.name.as_str().contains("dprintf") => Some(writer.standard_stream(1)),
        _ => None,
    };
    let Some(stream) = stream.filter(|_| writer.context.keeps_streams()) else { return write_text(writer, call) };
    let stream = writer.stable(stream);
    let value = write_text(writer, &Call { is_used: true, ..call.clone() })?;
    if let Value::Scalar(result) = value
        && result.sort() == Sort::bv(32)
    {
        writer.note_result("__fathom_printed", stream, result)?;
    }
    Some(value)
}

fn write_text(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (mut to, is_list) = describe(call.name.as_str())?;
    if let To::Wide = to {
        // Microsoft's has no size before its format.
        to = if literal(writer, call, 1).is_some() { To::Memory(1) } else { To::Bounded(2) };
    }
    let (format, in_memory) = match to {
        To::Outside(format) | To::Stream(format) => (format, false),
        To::Memory(format) | To::Bounded(format) => (format, true),
        To::Wide => return None,
    };
    if let To::Stream(_) = to {
        let stream = writer.pointer_argument(call, 0)?;
        writer.check_unshared_bytes(stream, writer.offset(1), Access::Read);
    }
    let text = if is_list { None } else { literal(writer, call, format) };
    let parts = text.as_ref().map(|text| pieces(text));
    let Some(parts) = parts.map_or(Some(None), |parts| parts.map(Some)) else { return refuse(writer, call) };
    let shown = if in_memory || is_list { None } else { show(writer, call, to, format) };
    if !in_memory && !call.is_used && !writer.context.checks.memory() && !stores(writer, parts.as_deref()) {
        return writer.give_int(call, 0);
    }
    let all = build::bv_signed(writer.width(), -1);
    let (start, room) = match to {
        To::Memory(_) => (writer.pointer_argument(call, 0)?, all),
        To::Bounded(_) => (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?),
        _ => (build::null(writer.width()), writer.offset(0)),
    };
    let (start, room) = (writer.stable(start), writer.stable(room));
    let pointee = writer.types.pointee(call.arguments.get(format)?.ty)?;
    let unit = writer.types.size(pointee).filter(|unit| [1, 4].contains(unit))?;
    let (Some(parts), Some(text)) = (parts, text) else {
        // A wide format that is not a literal is not interpreted.
        return if unit == 1 {
            interpreted(writer, call, format, is_list, in_memory.then_some((start, room)))
        } else {
            refuse(writer, call)
        };
    };
    let is_counted = in_memory || call.is_used || stores(writer, Some(&parts));
    let at = writer.offset(0);
    let mut sink = Sink { to: start, unit, room, at, is_counted };
    let arguments = call.arguments.get(format + 1..)?;
    let stable = |argument: &Typed, writer: &mut Writer<'_, '_>| match argument.value {
        Value::Scalar(value) => Typed { value: Value::Scalar(writer.stable(value)), ty: argument.ty },
        _ => argument.clone(),
    };
    let arguments = arguments.iter().map(|argument| stable(argument, writer)).collect();
    let mut rest = Call { arguments, ..call.clone() };
    let format = writer.pointer_argument(call, format)?;
    for part in &parts {
        match part {
            Piece::Text { start, length } => {
                let characters = text.get(*start..start + length)?;
                sink.text(writer, advance(format, *start as u64 * unit), characters)?;
            }
            Piece::Conversion(conversion) => sink.conversion(writer, conversion, &mut rest)?,
        }
    }
    if in_memory {
        sink.end(writer)?;
    }
    let result = sink.result(writer, in_memory, shown);
    writer.give(call, result, true)
}

/// Lets an execution show the text. It is negative if the stream fails.
fn show(writer: &mut Writer<'_, '_>, call: &Call, to: To, format: usize) -> Option<Term> {
    let name = match (to, call.name.as_str()) {
        (To::Stream(_), _) => "__fathom_show_fprintf",
        (_, "dprintf") => "__fathom_show_dprintf",
        (_, "printf" | "__printf_chk") => "__fathom_show_printf",
        _ => return None,
    };
    let before = if name == "__fathom_show_printf" { None } else { call.arguments.first() };
    let passed: Vec<Typed> = before.into_iter().chain(call.arguments.get(format..)?).cloned().collect();
    let arguments = passed.into_iter().flat_map(|argument| writer.unpacked(argument)).collect();
    let procedure = writer.context.shower(name);
    let result = writer.code.temporary(Sort::bv(32));
    writer.code.emit(Op::Call { procedure, arguments, results: vec![result] });
    Some(result)
}

/// Whether a conversion may store how much was written.
fn stores(writer: &Writer<'_, '_>, parts: Option<&[Piece]>) -> bool {
    let stores = |part: &Piece| matches!(part, Piece::Conversion(conversion) if conversion.kind == 'n');
    match parts {
        Some(parts) => parts.iter().any(stores),
        // The format is one of the program's literals, or made from them.
        None => writer.context.literals().any(|text| {
            let codes: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).collect();
            text.contains(&b'%') && pieces(&codes).is_none_or(|parts| parts.iter().any(stores))
        }),
    }
}

/// A format that is not a literal.
fn interpreted(
    writer: &mut Writer<'_, '_>,
    call: &Call,
    format: usize,
    is_list: bool,
    to: Option<(Term, Term)>,
) -> Option<Value> {
    let helper = match (to.is_some(), is_list) {
        (true, true) => "__fathom_vwrite",
        (true, false) => "__fathom_write",
        (false, true) => "__fathom_vprint",
        (false, false) => "__fathom_print",
    };
    let mut arguments = Vec::new();
    if let Some((start, room)) = to {
        arguments.push(Typed { value: Value::Scalar(start), ty: call.arguments.first()?.ty });
        arguments.push(Typed { value: Value::Scalar(room), ty: writer.types.size_type() });
    }
    arguments.extend(call.arguments.get(format..)?.iter().cloned());
    writer.call_library(helper, arguments, call.ty)
}

/// Where a text is written to, and how far it has come.
struct Sink {
    to: Term,
    /// The size of a character.
    unit: u64,
    room: Term,
    at: Term,
    /// Whether it matters how long the text is.
    is_counted: bool,
}

impl Sink {
    /// Calls a function of `printf.c`.
    fn put(&mut self, writer: &mut Writer<'_, '_>, name: &str, rest: &[Term]) -> Option<()> {
        let mut arguments = vec![self.to, self.room, self.at];
        arguments.extend(rest);
        self.at = writer.call_helper(name, arguments)?;
        Some(())
    }

    /// Characters of the format, and where they lie.
    fn text(&mut self, w: &mut Writer<'_, '_>, from: Term, characters: &[u32]) -> Option<()> {
        let length = characters.len();
        if self.room != w.offset(0) && self.room != build::bv_signed(w.width(), -1) {
            let number = |n: i128| build::bv_signed(32, n);
            let name = if self.unit == 1 { "__fathom_put_text" } else { "__fathom_wide_put" };
            return self.put(w, name, &[from, number(0), number(0), number(length as i128)]);
        }
        if self.room != w.offset(0) {
            let here = add(self.to, build::bv_mul(self.at, w.offset(self.unit)));
            w.check_bytes(here, w.offset(length as u64 * self.unit), Access::Write);
            for (i, character) in characters.iter().enumerate() {
                let value = build::bv(self.unit as u32 * 8, u128::from(*character));
                w.write(advance(here, i as u64 * self.unit), value);
            }
        }
        self.at = build::bv_add(self.at, build::bv(w.width(), length as u128));
        Some(())
    }

    fn conversion(&mut self, w: &mut Writer<'_, '_>, c: &Conversion, rest: &mut Call) -> Option<()> {
        let number = |n: i128| build::bv_signed(32, n);
        let mut left = number(i128::from(c.left));
        let mut width = amount(w, c.width, 0, rest)?;
        if c.width == Amount::Argument {
            let negative = build::bv_slt(width, number(0));
            left = build::ite(negative, number(1), left);
            width = build::ite(negative, build::bv_neg(width), width);
        }
        let precision = amount(w, c.precision, -1, rest)?;
        let argument = Call { arguments: vec![next(rest)?], ..rest.clone() };
        let (is_wide, wide_sink) = (c.size == "l", self.unit != 1 && self.room != w.offset(0));
        match c.kind {
            's' => {
                let text = w.pointer_argument(&argument, 0)?;
                let name = match (is_wide, wide_sink) {
                    (true, true) => "__fathom_wide_put",
                    (true, false) => "__fathom_put_wide",
                    (false, false) => "__fathom_put_text",
                    (false, true) => return None,
                };
                self.put(w, name, &[text, left, width, precision])
            }
            _ if !self.is_counted => Some(()),
            // Only strings are converted to wide characters.
            _ if wide_sink => None,
            'c' if c.size.is_empty() => {
                let character = w.int_argument(&argument, 0)?;
                let character = build::sign_extend(32, build::extract(7, 0, character));
                self.put(w, "__fathom_put_char", &[character, left, width])
            }
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => self.number(w, c, &argument, [left, width, precision]),
            'p' => {
                let pointer = w.pointer_argument(&argument, 0)?;
                self.put(w, "__fathom_put_pointer", &[pointer, left, width])
            }
            'n' => {
                let to = w.pointer_argument(&argument, 0)?;
                let bits = c.bits(w.width())?;
                let count = crate::lower::convert::resize(self.at, bits, false);
                w.check_bytes(to, w.offset(u64::from(bits / 8)), Access::Write);
                w.write(to, count);
                Some(())
            }
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => {
                let digits = match (c.kind, c.size.as_str()) {
                    ('f' | 'F', "L") => 4940,
                    ('f' | 'F', _) => 316,
                    _ => 48,
                };
                let wanted = build::ite(build::bv_slt(precision, number(0)), number(6), precision);
                let most = build::bv_add(build::zero_extend(w.width(), wanted), w.offset(digits));
                self.put(w, "__fathom_put_float", &[width, most])
            }
            _ => None,
        }
    }

    fn number(&mut self, w: &mut Writer<'_, '_>, c: &Conversion, given: &Call, layout: [Term; 3]) -> Option<()> {
        let number = |n: i128| build::bv_signed(32, n);
        let bits = c.bits(w.width())?;
        // What is narrower than it should be leaves the other bits open.
        let Value::Scalar(value) = given.arguments.first()?.value else { return None };
        let passed = value.sort().bv_width().unwrap_or(32).max(32);
        if passed < bits {
            return None;
        }
        let value = w.argument(given, 0, Sort::bv(bits.max(32)))?;
        let value = build::extract(bits - 1, 0, value);
        let is_signed = matches!(c.kind, 'd' | 'i');
        let negative = if is_signed { build::bv_slt(value, build::bv(bits, 0)) } else { build::falsehood() };
        let wide = if is_signed { build::sign_extend(64, value) } else { build::zero_extend(64, value) };
        let magnitude = build::ite(negative, build::bv_neg(wide), wide);
        let plus = if is_signed { c.plus.map_or(0, |plus| plus as i128) } else { 0 };
        let sign = build::ite(negative, number('-' as i128), number(plus));
        let base = match c.kind {
            'o' => 8,
            'x' | 'X' => 16,
            _ => 10,
        };
        let flags = [(c.zero, 2), (c.alternate, 4), (c.kind == 'X', 8)];
        let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum();
        if base == 10 && bits <= 32 && c.width == Amount::None && c.precision == Amount::None {
            return self.put(w, "__fathom_put_decimal", &[build::extract(31, 0, magnitude), sign]);
        }
        let [left, width, precision] = layout;
        let flags = build::bv_or(left, number(flags));
        self.put(w, "__fathom_put_number", &[magnitude, sign, number(base), flags, width, precision])
    }

    /// The zero behind the text.
    fn end(&mut self, writer: &mut Writer<'_, '_>) -> Option<()> {
        if self.room == build::bv_signed(writer.width(), -1) {
            let here = add(self.to, build::bv_mul(self.at, writer.offset(self.unit)));
            let here = writer.stable(here);
            writer.check_bytes(here, writer.offset(self.unit), Access::Write);
            writer.write(here, build::bv(self.unit as u32 * 8, 0));
            return Some(());
        }
        let name = if self.unit == 1 { "__fathom_put_end" } else { "__fathom_wide_end" };
        writer.run_helper(name, vec![self.to, self.room, self.at])
    }

    /// The number of characters, or a negative number: if there are too many, if a stream fails, or if wide characters have no
    /// room.
    fn result(&self, writer: &mut Writer<'_, '_>, in_memory: bool, shown: Option<Term>) -> Term {
        let failure = build::bv_signed(32, -1);
        if !self.is_counted {
            return build::bv(32, 0);
        }
        let fits = build::bv_ule(self.at, build::bv(writer.width(), i32::MAX as u128));
        let has_room = if in_memory && self.unit != 1 { build::bv_ult(self.at, self.room) } else { build::truth() };
        let count = crate::lower::convert::resize(self.at, 32, false);
        let count = build::ite(build::and([fits, has_room]), count, failure);
        if in_memory {
            return count;
        }
        let outcome = shown.unwrap_or_else(|| writer.code.arbitrary(Sort::bv(32)));
        build::ite(build::bv_slt(outcome, build::bv(32, 0)), outcome, count)
    }
}

/// Takes the next argument.
fn next(rest: &mut Call) -> Option<Typed> {
    if rest.arguments.is_empty() { None } else { Some(rest.arguments.remove(0)) }
}

fn amount(writer: &mut Writer<'_, '_>, amount: Amount, default: i128, rest: &mut Call) -> Option<Term> {
    match amount {
        Amount::None => Some(build::bv_signed(32, default)),
        Amount::Fixed(n) => Some(build::bv_signed(32, i128::from(n))),
        Amount::Argument => {
            let argument = Call { arguments: vec![next(rest)?], ..rest.clone() };
            writer.int_argument(&argument, 0)
        }
    }
}
