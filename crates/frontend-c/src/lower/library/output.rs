//! Text that is written to memory: `sprintf` and its like.
//!
//! What a format says in front of its first conversion is written as it stands. How long the rest can be is read off the format, if
//! that is a literal whose conversions are of integers and characters; calls with other formats are refused. What characters
//! the rest has is not computed: they are arbitrary. So more can happen than does. From the first such call on, coming to an
//! error says nothing ([`Writer::error`]), while a proof stays one.

use super::{Call, Expand, refuse};
use crate::lower::access::Access;
use crate::lower::pointer::advance;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Sort, Term, build};

/// The functions that write text to memory.
pub(in crate::lower) const TEXT_WRITERS: [&str; 5] = ["sprintf", "vsprintf", "snprintf", "vsnprintf", "swprintf"];

/// Longer texts are refused: every character is a step of its own.
const LONGEST: u64 = 256;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "sprintf" | "vsprintf" => |writer, call| write(writer, call, 1),
        "snprintf" | "vsnprintf" => |writer, call| write(writer, call, 2),
        // Microsoft's, which has no size before its format. The one of C fails where the size is too small.
        "swprintf" => |writer, call| match literal(writer, call, 1) {
            Some(_) => write(writer, call, 1),
            None => refuse(writer, call),
        },
        _ => return None,
    })
}

/// Whether text was written whose characters are not known.
pub(in crate::lower) fn text_was_written() -> Term {
    Term::var("$text", Sort::bool())
}

/// The literal that is the argument of a number.
fn literal(writer: &Writer<'_, '_>, call: &Call, number: usize) -> Option<Vec<u8>> {
    let Value::Scalar(pointer) = call.arguments.get(number)?.value else { return None };
    writer.context.literal(pointer)
}

/// Writes text to what the first argument points to; before the format there may be the size of the room for it.
fn write(writer: &mut Writer<'_, '_>, call: &Call, format: usize) -> Option<Value> {
    let pointee = writer.types.pointee(call.arguments.first()?.ty)?;
    let unit = writer.types.size(pointee).filter(|unit| [1, 2, 4].contains(unit))?;
    let characters = |text: Vec<u8>| {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
        text.chunks(unit as usize).map(number).collect::<Vec<u32>>()
    };
    // A zero before the end may be half of a wider character.
    let is_whole = |text: &Vec<u32>| text.iter().position(|c| *c == 0).is_none_or(|zero| zero + 1 == text.len());
    let text = literal(writer, call, format).map(characters).filter(is_whole);
    let text = text.and_then(|text| Text::new(&text, writer.width()));
    let Some(text) = text.filter(|text| text.most <= LONGEST) else { return refuse(writer, call) };
    let to = writer.pointer_argument(call, 0)?;
    let to = writer.stable(to);
    let width = writer.width();
    let number = |n: u64| build::bv(width, u128::from(n));
    let size = if format == 2 { Some(writer.size_argument(call, 1)?) } else { None };

    let mut length = number(text.least);
    if text.most > text.least {
        let more = writer.code.arbitrary(Sort::bv(width));
        writer.code.assume(build::bv_ule(more, number(text.most - text.least)));
        length = writer.code.keep(build::bv_add(length, more));
    }
    if text.most > text.start.len() as u64 {
        let flag = writer.context.internal(text_was_written(), false);
        writer.code.assign(flag, build::truth());
    }
    let done = writer.code.location();
    let mut written = length;
    if let Some(size) = size {
        let some = writer.code.location();
        writer.code.branch(build::eq(size, number(0)), done, some);
        writer.code.continue_at(some);
        let room = build::bv_sub(size, number(1));
        written = writer.code.keep(build::ite(build::bv_ult(room, length), room, length));
    }
    let bytes = build::bv_mul(build::bv_add(written, number(1)), number(unit));
    writer.check_bytes(to, bytes, Access::Write);
    for place in 0..=text.most {
        let (more, end) = (writer.code.location(), writer.code.location());
        writer.code.branch(build::bv_ult(number(place), written), more, end);
        let here = advance(to, place * unit);
        writer.code.continue_at(end);
        writer.write(here, build::bv(unit as u32 * 8, 0));
        writer.code.jump(done);
        writer.code.continue_at(more);
        let character = match text.start.get(place as usize) {
            Some(known) => build::bv(unit as u32 * 8, u128::from(*known)),
            None if place < text.most => writer.code.arbitrary(Sort::bv(unit as u32 * 8)),
            // The text is at its end.
            None => continue,
        };
        writer.write(here, character);
    }
    writer.code.enter(done);
    writer.give(call, length, true)
}

/// What is known of the text that a format makes.
#[derive(PartialEq, Eq, Debug)]
struct Text {
    /// What it begins with.
    start: Vec<u32>,
    /// How many characters it has.
    least: u64,
    most: u64,
}

impl Text {
    /// Nothing, if there is a conversion that is not known.
    fn new(format: &[u32], pointer_width: u32) -> Option<Text> {
        let mut text = Text { start: Vec::new(), least: 0, most: 0 };
        let mut is_start = true;
        let mut rest = format.iter().copied().take_while(|c| *c != 0).map_while(char::from_u32).peekable();
        while let Some(c) = rest.next() {
            if c != '%' || rest.next_if_eq(&'%').is_some() {
                text.start.extend(is_start.then_some(u32::from(c)));
                text.least += 1;
                text.most += 1;
                continue;
            }
            is_start = false;
            let mut size = String::new();
            while let Some(c) = rest.next_if(|c| "hlqjzt".contains(*c)) {
                size.push(c);
            }
            let is_long = match size.as_str() {
                "" | "h" | "hh" => false,
                "l" | "z" | "t" => pointer_width == 64,
                _ => true,
            };
            text.least += 1;
            text.most += match (rest.next()?, is_long) {
                ('c', false) if size.is_empty() => 1,
                // A sign and ten or nineteen digits, or twenty digits.
                ('d' | 'i' | 'u' | 'x' | 'X', false) => 11,
                ('d' | 'i' | 'u' | 'x' | 'X', true) => 20,
                ('o', false) => 11,
                ('o', true) => 22,
                _ => return None,
            };
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Option<(&str, u64, u64)>) {
        let codes = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
        let expected = expected.map(|(start, least, most)| Text { start: codes(start), least, most });
        assert_eq!(Text::new(&codes(format), 64), expected, "{format}");
    }

    #[test]
    fn formats_say_how_long_a_text_can_be() {
        check("", Some(("", 0, 0)));
        check("abc%%\0d", Some(("abc%", 4, 4)));
        check("x%d.%u %c", Some(("x", 6, 26)));
        check("%ld%lo", Some(("", 2, 42)));
        check("%s", None);
        check("%5d", None);
        check("%", None);
    }
}
