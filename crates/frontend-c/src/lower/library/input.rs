//! Input: values from outside are arbitrary.

use super::memory::make_arbitrary;
use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{FloatFormat, Sort, Term, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "scanf" | "__isoc99_scanf" => |writer, call| scan(writer, call, 0),
        "fscanf" | "__isoc99_fscanf" => |writer, call| scan(writer, call, 1),
        "read" => read,
        _ => return None,
    })
}

/// Reads into what the arguments behind the format point to. Any number of them, from none, may be read.
fn scan(writer: &mut Writer<'_, '_>, call: &Call, format: usize) -> Option<Value> {
    let Value::Scalar(pointer) = call.arguments.get(format)?.value else { return None };
    let text = writer.context.literal(pointer)?;
    let sorts = conversions(&text, writer.width())?;
    let count = writer.code.arbitrary(Sort::bv(32));
    // With no choice made, nothing is read: -1.
    let read = writer.code.keep(build::bv_sub(count, build::bv(32, 1)));
    let (least, most) = (build::bv_signed(32, -1), build::bv(32, sorts.len() as u128));
    writer.code.assume(build::and([build::bv_sle(least, read), build::bv_sle(read, most)]));
    for (i, sort) in sorts.into_iter().enumerate() {
        let target = writer.pointer_argument(call, format + 1 + i)?;
        let (store, next) = (writer.code.location(), writer.code.location());
        writer.code.branch(build::bv_slt(build::bv(32, i as u128), read), store, next);
        writer.code.continue_at(store);
        let value = writer.code.arbitrary(sort);
        let target = writer.stable(target);
        writer.check_bytes(target, writer.offset(u64::from(sort.bytes().unwrap_or(1))), Access::Write);
        writer.write(target, value);
        writer.code.enter(next);
    }
    writer.give(call, read, true)
}

/// What the conversions of a format read; nothing if there is one that is not known.
fn conversions(format: &[u8], pointer_width: u32) -> Option<Vec<Sort>> {
    let mut sorts = Vec::new();
    let mut rest = format.iter().copied().take_while(|byte| *byte != 0).peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let mut size = String::new();
        while let Some(byte) = rest.next_if(|byte| b"hlLqjzt".contains(byte)) {
            size.push(char::from(byte));
        }
        let integer = match size.as_str() {
            "" => 32,
            "hh" => 8,
            "h" => 16,
            "l" | "z" | "t" => pointer_width,
            "ll" | "q" | "j" | "L" => 64,
            _ => return None,
        };
        sorts.push(match (rest.next()?, size.as_str()) {
            (b'%', "") => continue,
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => Sort::bv(integer),
            (b'c', "") => Sort::bv(8),
            (b'f' | b'e' | b'g' | b'a', "") => Sort::float(FloatFormat::SINGLE),
            (b'f' | b'e' | b'g' | b'a', "l") => Sort::float(FloatFormat::DOUBLE),
            (b'f' | b'e' | b'g' | b'a', "L") => Sort::float(FloatFormat::EXTENDED),
            _ => return None,
        });
    }
    Some(sorts)
}

/// Reads up to a number of bytes into memory.
fn read(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, most) = (writer.pointer_argument(call, 1)?, writer.size_argument(call, 2)?);
    let most = writer.stable(most);
    let length: Term = writer.code.arbitrary(Sort::bv(writer.width()));
    writer.code.assume(build::bv_ule(length, most));
    make_arbitrary(writer, to, length);
    writer.give(call, length, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Option<&[Sort]>) {
        assert_eq!(conversions(format.as_bytes(), 64).as_deref(), expected, "{format}");
    }

    #[test]
    fn formats_say_what_is_read() {
        check("", Some(&[]));
        check("%d%%%ld", Some(&[Sort::bv(32), Sort::bv(64)]));
        check("%hhu, %hx %c\0%d", Some(&[Sort::bv(8), Sort::bv(16), Sort::bv(8)]));
        check("%f %lf", Some(&[Sort::float(FloatFormat::SINGLE), Sort::float(FloatFormat::DOUBLE)]));
        check("%s", None);
        check("%5d", None);
        check("%", None);
    }
}
