//! Formatted input: `scanf` and its like.
//!
//! What comes from a stream is arbitrary: any number of the conversions, from none, may succeed. A string is read as it is, by the
//! functions of `scanf.c`. Formats that are not literals are refused.

use super::output::literal;
use super::{Call, Expand, refuse};
use crate::lower::access::Access;
use crate::lower::pointer::advance;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{FloatFormat, Sort, Term, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => |writer, call| scan(writer, call, 0),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => |writer, call| scan(writer, call, 1),
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => scan_string,
        _ => return None,
    })
}

/// Whether a function needs the text that reads conversions.
pub(super) fn is_formatted(name: &str) -> bool {
    known(name).is_some()
}

/// What a part of a format reads.
#[derive(Clone, PartialEq, Debug)]
enum Item {
    /// White space, as much as there is.
    Space,
    /// This character.
    Exactly(u8),
    /// An integer of so many bits.
    Integer {
        bits: u32,
        base: u32,
        is_signed: bool,
    },
    Float(Sort),
    Word,
    /// Characters that are in a set, or that are not: where in the format the set is.
    Set {
        start: usize,
        length: usize,
        without: bool,
    },
    Characters,
    /// How much was read so far, as an integer of so many bits.
    Count(u32),
}

#[derive(Clone, PartialEq, Debug)]
struct Part {
    item: Item,
    /// The most characters that are read.
    most: Option<u64>,
    /// Whether what is read is stored.
    is_stored: bool,
}

impl Part {
    /// Whether the result counts it.
    fn is_counted(&self) -> bool {
        self.is_stored && !matches!(self.item, Item::Space | Item::Exactly(_) | Item::Count(_))
    }
}

/// The parts of a format; nothing if there is a conversion that is not known.
fn parts(format: &[u8], pointer_width: u32) -> Option<Vec<Part>> {
    let text: Vec<u8> = format.iter().copied().take_while(|byte| *byte != 0).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at).copied() {
        at += 1;
        let plain = |item: Item| Part { item, most: None, is_stored: true };
        if byte != b'%' {
            let item = if byte.is_ascii_whitespace() || byte == 11 { Item::Space } else { Item::Exactly(byte) };
            parts.push(plain(item));
            continue;
        }
        if text.get(at) == Some(&b'%') {
            at += 1;
            parts.extend([plain(Item::Space), plain(Item::Exactly(b'%'))]);
            continue;
        }
        parts.push(conversion(&text, &mut at, pointer_width)?);
    }
    Some(parts)
}

fn conversion(text: &[u8], at: &mut usize, pointer_width: u32) -> Option<Part> {
    let is_stored = text.get(*at) != Some(&b'*');
    *at += usize::from(!is_stored);
    let mut take = |among: &dyn Fn(u8) -> bool| {
        let start = *at;
        while text.get(*at).is_some_and(|byte| among(*byte)) {
            *at += 1;
        }
        String::from_utf8_lossy(&text[start..*at]).into_owned()
    };
    let digits = take(&|byte| byte.is_ascii_digit());
    let most = if digits.is_empty() { None } else { Some(digits.parse().ok().filter(|most| *most > 0)?) };
    let size = take(&|byte| b"hlLqjzt".contains(&byte));
    let bits = match size.as_str() {
        "" => 32,
        "hh" => 8,
        "h" => 16,
        "l" | "z" | "t" => pointer_width,
        "ll" | "q" | "j" | "L" => 64,
        _ => return None,
    };
    let kind = *text.get(*at)?;
    *at += 1;
    let integer = |base: u32, is_signed: bool| Item::Integer { bits, base, is_signed };
    let float = match size.as_str() {
        "" => Some(FloatFormat::SINGLE),
        "l" => Some(FloatFormat::DOUBLE),
        "L" => Some(FloatFormat::EXTENDED),
        _ => None,
    };
    let item = match kind {
        b'd' => integer(10, true),
        b'i' => integer(0, true),
        b'u' => integer(10, false),
        b'o' => integer(8, false),
        b'x' | b'X' => integer(16, false),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Item::Float(Sort::float(float?)),
        b's' if size.is_empty() => Item::Word,
        b'c' if size.is_empty() => Item::Characters,
        b'n' => Item::Count(bits),
        b'[' if size.is_empty() => {
            let without = text.get(*at) == Some(&b'^');
            *at += usize::from(without);
            let start = *at;
            // A bracket that comes first is part of the set.
            let end = (start + 1..text.len()).find(|end| text[*end] == b']')?;
            *at = end + 1;
            Item::Set { start, length: end - start, without }
        }
        _ => return None,
    };
    Some(Part { item, most, is_stored })
}

/// The parts of the literal that is the argument of a number.
fn format(writer: &Writer<'_, '_>, call: &Call, number: usize) -> Option<Vec<Part>> {
    let text: Option<Vec<u8>> =
        literal(writer, call, number)?.into_iter().map(|character| u8::try_from(character).ok()).collect();
    parts(&text?, writer.width())
}

/// Reads from a stream.
fn scan(writer: &mut Writer<'_, '_>, call: &Call, number: usize) -> Option<Value> {
    let Some(parts) = format(writer, call, number) else { return refuse(writer, call) };
    if parts.iter().any(|part| matches!(part.item, Item::Count(_))) {
        return refuse(writer, call);
    }
    if number == 1 {
        let stream = writer.pointer_argument(call, 0)?;
        writer.check_unshared_bytes(stream, writer.offset(1), Access::Read);
    }
    let stored: Vec<Part> = parts.into_iter().filter(Part::is_counted).collect();
    let count = writer.code.arbitrary(Sort::bv(32));
    // With no choice made, nothing is read: -1.
    let read = writer.code.keep(build::bv_sub(count, build::bv(32, 1)));
    let (least, most) = (build::bv_signed(32, -1), build::bv(32, stored.len() as u128));
    writer.code.assume(build::and([build::bv_sle(least, read), build::bv_sle(read, most)]));
    let targets: Option<Vec<Term>> = (0..stored.len())
        .map(|i| {
            let target = writer.pointer_argument(call, number + 1 + i)?;
            Some(writer.stable(target))
        })
        .collect();
    let text = writer.pointer_argument(call, number)?;
    for (i, (part, target)) in stored.iter().zip(targets?).enumerate() {
        let (store, next) = (writer.code.location(), writer.code.location());
        writer.code.branch(build::bv_slt(build::bv(32, i as u128), read), store, next);
        writer.code.continue_at(store);
        read_part(writer, part, text, target)?;
        writer.code.enter(next);
    }
    let stream = match number {
        0 => writer.standard_stream(0),
        _ => writer.pointer_argument(call, 0)?,
    };
    writer.note_result("__fathom_scanned", stream, read)?;
    writer.give(call, read, true)
}

/// The most characters of a part, as a size.
fn most(writer: &Writer<'_, '_>, part: &Part) -> Term {
    part.most.map_or_else(|| build::bv_signed(writer.width(), -4), |most| writer.offset(most))
}

fn read_part(writer: &mut Writer<'_, '_>, part: &Part, text: Term, target: Term) -> Option<()> {
    let sort = match part.item {
        // A number of few characters is a small one.
        Item::Integer { .. } if part.most.is_some_and(|most| most < 10) => {
            return read_short(writer, part, target);
        }
        Item::Integer { bits, .. } => Sort::bv(bits),
        Item::Float(sort) => sort,
        Item::Word => return writer.run_helper("__fathom_read_word", vec![target, most(writer, part)]),
        Item::Set { start, length, without } => {
            let set = vec![
                target,
                most(writer, part),
                advance(text, start as u64),
                writer.offset(length as u64),
                build::bv(32, u128::from(without)),
            ];
            return writer.run_helper("__fathom_read_set", set);
        }
        Item::Characters => {
            let length = writer.offset(part.most.unwrap_or(1));
            super::memory::make_arbitrary(writer, target, length);
            return Some(());
        }
        _ => return None,
    };
    let value = writer.code.arbitrary(sort);
    writer.check_bytes(target, writer.offset(u64::from(sort.bytes().unwrap_or(1))), Access::Write);
    writer.write(target, value);
    Some(())
}

/// An integer of at most nine characters.
fn read_short(writer: &mut Writer<'_, '_>, part: &Part, target: Term) -> Option<()> {
    let Item::Integer { bits, base, .. } = part.item else { return None };
    let digits = u32::try_from(part.most?).ok()?;
    let largest = |digits: u32| i128::from(if base == 0 { 16 } else { base }).pow(digits) - 1;
    let value = writer.code.arbitrary(Sort::bv(64));
    // With a sign, there is one digit less.
    let (low, high) = (build::bv_signed(64, -largest(digits - 1)), build::bv_signed(64, largest(digits)));
    writer.code.assume(build::and([build::bv_sle(low, value), build::bv_sle(value, high)]));
    let value = build::extract(bits - 1, 0, value);
    writer.check_bytes(target, writer.offset(u64::from(bits / 8)), Access::Write);
    writer.write(target, value);
    Some(())
}

/// Reads from a string. The result is how many conversions were stored, or -1 if the string ended before the first.
fn scan_string(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let Some(parts) = format(writer, call, 1) else { return refuse(writer, call) };
    let string = writer.pointer_argument(call, 0)?;
    let (string, text) = (writer.stable(string), writer.pointer_argument(call, 1)?);
    let mut targets = Vec::new();
    for n in 2..call.arguments.len() {
        let target = writer.pointer_argument(call, n)?;
        targets.push(writer.stable(target));
    }
    let mut targets = targets.into_iter();
    let (end, result) = (writer.code.location(), writer.code.temporary(Sort::bv(32)));
    let mut at = writer.offset(0);
    let mut count = 0;
    for part in &parts {
        let to = if part.is_stored && !matches!(part.item, Item::Space | Item::Exactly(_)) {
            targets.next()?
        } else {
            build::null(writer.width())
        };
        if let Item::Count(bits) = part.item {
            let value = crate::lower::convert::resize(at, bits, false);
            writer.check_bytes(to, writer.offset(u64::from(bits / 8)), Access::Write);
            writer.write(to, value);
            continue;
        }
        let Some(next) = scan_part(writer, part, [string, at, text, to]) else {
            writer.unsupported("a conversion of sscanf that is not known");
            break;
        };
        at = next;
        if part.item == Item::Space {
            continue;
        }
        let (failed, go_on) = (writer.code.location(), writer.code.location());
        let failure = build::bv_signed(writer.width(), -2);
        writer.code.branch(build::bv_ule(failure, at), failed, go_on);
        writer.code.continue_at(failed);
        let value = match count {
            0 => build::ite(build::eq(at, failure), build::bv(32, 0), build::bv_signed(32, -1)),
            _ => build::bv(32, count),
        };
        writer.code.assign(result, value);
        writer.code.jump(end);
        writer.code.continue_at(go_on);
        count += u128::from(part.is_counted());
    }
    writer.code.assign(result, build::bv(32, count));
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Reads a part of a string from a place, and gives the place behind it.
fn scan_part(writer: &mut Writer<'_, '_>, part: &Part, [string, at, text, to]: [Term; 4]) -> Option<Term> {
    let most = most(writer, part);
    match part.item {
        Item::Space => writer.call_helper("__fathom_skip_space", vec![string, at]),
        Item::Exactly(byte) => writer.call_helper("__fathom_match", vec![string, at, build::bv(32, u128::from(byte))]),
        Item::Integer { bits, base, is_signed } => {
            let number = |n: u32| build::bv(32, u128::from(n));
            let rest = [number(base), number(u32::from(is_signed)), to, number(bits / 8)];
            writer.call_helper("__fathom_scan_number", [string, at, most].into_iter().chain(rest).collect())
        }
        Item::Word => writer.call_helper("__fathom_scan_word", vec![string, at, most, to]),
        Item::Set { start, length, without } => {
            let set = [advance(text, start as u64), writer.offset(length as u64), build::bv(32, u128::from(without))];
            writer.call_helper("__fathom_scan_set", [string, at, most, to].into_iter().chain(set).collect())
        }
        Item::Characters => {
            let most = writer.offset(part.most.unwrap_or(1));
            writer.call_helper("__fathom_scan_chars", vec![string, at, most, to])
        }
        Item::Float(_) | Item::Count(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Option<&str>) {
        let shown = parts(format.as_bytes(), 64).map(|parts| parts.iter().map(show).collect::<Vec<_>>().join(" "));
        assert_eq!(shown.as_deref(), expected, "{format}");
    }

    fn show(part: &Part) -> String {
        let item = match &part.item {
            Item::Space => "space".into(),
            Item::Exactly(byte) => format!("'{}'", char::from(*byte)),
            Item::Integer { bits, base, is_signed } => {
                format!("{}{bits}/{base}", if *is_signed { "i" } else { "u" })
            }
            Item::Float(_) => "float".into(),
            Item::Word => "word".into(),
            Item::Set { start, length, without } => format!("{}{start}+{length}", if *without { "^" } else { "" }),
            Item::Characters => "chars".into(),
            Item::Count(bits) => format!("count{bits}"),
        };
        let most = part.most.map_or_else(String::new, |most| format!("<={most}"));
        format!("{item}{most}{}", if part.is_stored { "" } else { "*" })
    }

    #[test]
    fn formats_say_what_is_read() {
        check("", Some(""));
        check("%d%%%ld", Some("i32/10 space '%' i64/10"));
        check("%hhu, %hx%c\0%d", Some("u8/10 ',' space u16/16 chars"));
        check("%f%lf", Some("float float"));
        check("%5s%*d%n", Some("word<=5 i32/10* count32"));
        check("%[^]x]%9[a-z]", Some("^3+2 9+3<=9"));
        check("%ls", None);
        check("%", None);
        check("%0d", None);
    }
}
