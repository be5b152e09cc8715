//! Calls of the system that fail or succeed, and of which nothing more is known: what they read and write, and the range of what they give, is
//! told by `calls.txt`.

use super::support::fail_somehow;
use super::{Call, Expand, memory, refuse};
use crate::lower::access::Access;
use crate::lower::pointer::advance;
use crate::lower::storage::{Shape, value_sort};
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use term::{Sort, Term, build};

/// What reads a string to its end, and what gives the number of a new file.
const TEXT: &str = "__fathom_text";
pub(super) const DESCRIPTOR: &str = "__fathom_descriptor";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Use {
    Value,
    Text,
    In,
    Out,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Argument {
    how: Use,
    may_be_null: bool,
    /// The argument that says how many bytes it has; without, its type does.
    size: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    Zero,
    Number,
    Positive,
    /// The number of a file that was not open.
    Descriptor,
    Always,
    Count(usize),
    Limit,
    Error,
    Any,
    Below(u64),
    Nothing,
    /// Another program takes the place of this one.
    Replaced,
    /// There are two processes, with memory of their own: an execution follows either.
    Forked,
}

#[derive(Clone, PartialEq, Debug)]
struct Spec {
    arguments: Vec<Argument>,
    outcome: Outcome,
}

static SPECS: LazyLock<FxHashMap<&'static str, Spec>> = LazyLock::new(|| {
    let mut specs = FxHashMap::default();
    for line in include_str!("calls.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some((names, spec)) = line.split_once(':')
            && let Some(spec) = parse(spec)
        {
            specs.extend(names.split_whitespace().map(|name| (name, spec.clone())));
        }
    }
    specs
});

fn parse(spec: &str) -> Option<Spec> {
    let (arguments, outcome) = spec.split_once("->")?;
    let arguments = arguments.split_whitespace().map(argument).collect::<Option<_>>()?;
    Some(Spec { arguments, outcome: parse_outcome(outcome.trim())? })
}

fn argument(word: &str) -> Option<Argument> {
    let (word, may_be_null) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
    let (word, size) = match word.split_once('[') {
        Some((word, size)) => (word, Some(size.strip_suffix(']')?.parse().ok()?)),
        None => (word, None),
    };
    let how = match word {
        "_" => Use::Value,
        "text" => Use::Text,
        "in" => Use::In,
        "out" => Use::Out,
        _ => return None,
    };
    Some(Argument { how, may_be_null, size })
}

fn parse_outcome(word: &str) -> Option<Outcome> {
    Some(match word {
        "zero" => Outcome::Zero,
        "number" => Outcome::Number,
        "positive" => Outcome::Positive,
        "descriptor" => Outcome::Descriptor,
        "always" => Outcome::Always,
        "limit" => Outcome::Limit,
        "error" => Outcome::Error,
        "any" => Outcome::Any,
        "nothing" => Outcome::Nothing,
        "replaced" => Outcome::Replaced,
        "forked" => Outcome::Forked,
        _ => match word.strip_prefix("below ") {
            Some(bound) => Outcome::Below(bound.parse().ok()?),
            None => Outcome::Count(word.strip_prefix("count[")?.strip_suffix(']')?.parse().ok()?),
        },
    })
}

pub(super) fn known(name: &str) -> Option<Expand> {
    SPECS.contains_key(name).then_some(expand as Expand)
}

/// Whether a function needs the text that reads strings.
pub(super) fn needs_text(name: &str) -> bool {
    SPECS.get(name).is_some_and(|spec| spec.arguments.iter().any(|argument| argument.how == Use::Text))
}

/// Whether it needs the text that knows which files are open.
pub(super) fn needs_descriptors(name: &str) -> bool {
    SPECS.get(name).is_some_and(|spec| spec.outcome == Outcome::Descriptor)
}

fn expand(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let spec = SPECS.get(call.name.as_str())?;
    if spec.outcome == Outcome::Forked && writer.context.threaded {
        return refuse(writer, call);
    }
    for (n, argument) in spec.arguments.iter().enumerate() {
        read(writer, call, n, argument, spec.outcome)?;
    }
    match spec.outcome {
        Outcome::Nothing => Some(writer.nothing(call.ty)),
        Outcome::Always => {
            fill_all(writer, call, spec, None)?;
            writer.give_int(call, 0)
        }
        Outcome::Any => {
            fill_all(writer, call, spec, None)?;
            any(writer, call)
        }
        Outcome::Below(bound) => {
            let value = writer.code.arbitrary(Sort::bv(32));
            writer.code.assume(build::bv_ult(value, build::bv(32, u128::from(bound))));
            writer.give(call, value, false)
        }
        Outcome::Replaced => {
            let (fails, leaves) = (writer.code.location(), writer.code.location());
            let fate = writer.code.arbitrary(Sort::bool());
            writer.code.branch(fate, leaves, fails);
            writer.code.continue_at(leaves);
            writer.abort();
            writer.code.continue_at(fails);
            fail_somehow(writer);
            writer.give_int(call, -1)
        }
        _ => may_fail(writer, call, spec),
    }
}

/// Any value of the type that the caller expects.
fn any(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    match Shape::of(writer.types, call.ty) {
        Shape::Nothing => Some(Value::Void),
        Shape::Scalar(scalar) => {
            let sort = value_sort(scalar, writer.context.model);
            Some(Value::Scalar(writer.code.arbitrary(sort)))
        }
        _ => None,
    }
}

/// What the function reads.
fn read(writer: &mut Writer<'_, '_>, call: &Call, n: usize, argument: &Argument, outcome: Outcome) -> Option<()> {
    if !matches!(argument.how, Use::Text | Use::In) {
        return Some(());
    }
    let pointer = writer.pointer_argument(call, n)?;
    if !writer.context.checks.memory() {
        return Some(());
    }
    let pointer = writer.stable(pointer);
    unless_null(writer, pointer, argument.may_be_null, |writer| match argument.how {
        Use::Text => writer.run_helper(TEXT, vec![pointer]),
        _ => {
            let size = size(writer, call, n, argument)?;
            // As many of these bytes as the result says leave the program.
            match argument.size.is_some_and(|size| outcome == Outcome::Count(size)) {
                true => super::stream::leave(writer, pointer, size),
                false => writer.check_block(pointer, size, Access::Read),
            }
            Some(())
        }
    })
}

fn unless_null(
    writer: &mut Writer<'_, '_>,
    pointer: Term,
    may_be_null: bool,
    write: impl FnOnce(&mut Writer<'_, '_>) -> Option<()>,
) -> Option<()> {
    let is_null = build::eq(pointer, build::null(writer.width()));
    if !may_be_null || is_null.as_bool() == Some(false) {
        return write(writer);
    }
    let (some, end) = (writer.code.location(), writer.code.location());
    writer.code.branch(is_null, end, some);
    writer.code.continue_at(some);
    write(writer)?;
    writer.code.enter(end);
    Some(())
}

/// How many bytes an argument has.
fn size(writer: &mut Writer<'_, '_>, call: &Call, n: usize, argument: &Argument) -> Option<Term> {
    if let Some(other) = argument.size {
        return writer.size_argument(call, other);
    }
    let pointee = writer.types.pointee(call.arguments.get(n)?.ty)?;
    let size = writer.types.size(pointee)?;
    Some(writer.offset(size))
}

/// A call that gives -1 or an error number where it fails.
fn may_fail(writer: &mut Writer<'_, '_>, call: &Call, spec: &Spec) -> Option<Value> {
    let width = writer.width();
    let result = writer.code.temporary(Sort::bv(width));
    let (failed, next, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    let fails = writer.code.arbitrary(Sort::bool());
    writer.code.branch(fails, failed, next);
    writer.code.continue_at(failed);
    let number = match spec.outcome {
        Outcome::Error => {
            let number = writer.code.arbitrary(Sort::bv(7));
            build::bv_add(build::zero_extend(width, number), writer.offset(1))
        }
        Outcome::Limit => {
            let error = writer.code.arbitrary(Sort::bool());
            let (sets, other) = (writer.code.location(), writer.code.location());
            writer.code.branch(error, sets, other);
            writer.code.continue_at(sets);
            fail_somehow(writer);
            writer.code.enter(other);
            build::bv_signed(width, -1)
        }
        _ => {
            fail_somehow(writer);
            build::bv_signed(width, -1)
        }
    };
    writer.code.assign(result, number);
    writer.code.jump(end);
    writer.code.continue_at(next);
    let value = success(writer, call, spec.outcome)?;
    let counted = matches!(spec.outcome, Outcome::Count(_)).then_some(value);
    fill_all(writer, call, spec, counted)?;
    writer.code.assign(result, value);
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// What the call gives where it succeeds.
fn success(writer: &mut Writer<'_, '_>, call: &Call, outcome: Outcome) -> Option<Term> {
    let width = writer.width();
    Some(match outcome {
        Outcome::Count(n) => {
            let most = writer.size_argument(call, n)?;
            let count = writer.code.arbitrary(Sort::bv(width));
            let positive = build::bv_sle(writer.offset(0), count);
            writer.code.assume(build::and([positive, build::bv_ule(count, most)]));
            count
        }
        Outcome::Descriptor => {
            let number = writer.call_helper(DESCRIPTOR, Vec::new())?;
            build::sign_extend(width, number)
        }
        Outcome::Number | Outcome::Positive | Outcome::Limit | Outcome::Forked => {
            // Of an `int` as of a `long`.
            let bits = writer.types.size(call.ty).unwrap_or(4).clamp(4, u64::from(width / 8)) as u32 * 8 - 1;
            let number = writer.code.arbitrary(Sort::bv(bits));
            if outcome == Outcome::Positive {
                writer.code.assume(build::ne(number, build::bv(bits, 0)));
            }
            build::zero_extend(width, number)
        }
        _ => writer.offset(0),
    })
}

/// Makes arbitrary what the function fills.
fn fill_all(writer: &mut Writer<'_, '_>, call: &Call, spec: &Spec, count: Option<Term>) -> Option<()> {
    for (n, argument) in spec.arguments.iter().enumerate().filter(|(_, argument)| argument.how == Use::Out) {
        let pointer = writer.pointer_argument(call, n)?;
        let pointer = writer.stable(pointer);
        let size = match (count, argument.size) {
            (Some(count), Some(_)) => count,
            _ => size(writer, call, n, argument)?,
        };
        unless_null(writer, pointer, argument.may_be_null, |writer| {
            memory::make_arbitrary(writer, pointer, size);
            bound_fields(writer, call, n, pointer);
            Some(())
        })?;
    }
    Some(())
}

/// Fields that are not negative, with what they are below.
const BOUNDED: [(&str, u128); 9] = [
    ("st_size", u128::MAX),
    ("st_blocks", u128::MAX),
    ("st_blksize", u128::MAX),
    ("tv_sec", u128::MAX),
    ("tv_nsec", 1_000_000_000),
    ("tv_usec", 1_000_000),
    ("ru_maxrss", u128::MAX),
    ("ru_minflt", u128::MAX),
    ("ru_majflt", u128::MAX),
];
/// Arrays that hold strings.
const NAMES: [&str; 7] = ["sysname", "nodename", "release", "version", "machine", "domainname", "__domainname"];

/// What the fields of a record can be that a function fills.
fn bound_fields(writer: &mut Writer<'_, '_>, call: &Call, n: usize, pointer: Term) {
    let Some(pointee) = call.arguments.get(n).and_then(|argument| writer.types.pointee(argument.ty)) else { return };
    let mut pending = vec![(pointee, 0)];
    while let Some((ty, start)) = pending.pop() {
        let Some(layout) = writer.types.record(ty).and_then(|record| writer.types[record].layout.as_ref()) else {
            continue;
        };
        let fields: Vec<_> = layout.fields.iter().map(|field| (field.name, field.ty, start + field.offset)).collect();
        for (name, ty, offset) in fields {
            pending.push((ty, offset));
            let (Some(name), Some(size)) = (name, writer.types.size(ty)) else { continue };
            let place = advance(pointer, offset);
            if let Some((_, bound)) = BOUNDED.iter().find(|(field, _)| *field == name.as_str())
                && [4, 8].contains(&size)
            {
                let width = size as u32 * 8;
                let value = writer.read(Sort::bv(width), place);
                let most = build::bv(width, (*bound).min((1 << (width - 1)) - 1));
                writer.code.assume(build::bv_ult(value, most));
            } else if NAMES.contains(&name.as_str()) && size > 0 {
                writer.write(advance(place, size - 1), build::bv(8, 0));
            }
        }
    }
}

/// What `calls.txt` says of a function.
#[cfg(test)]
pub(super) fn line(name: &str) -> Option<&'static str> {
    let lines = include_str!("calls.txt").lines().filter(|line| !line.starts_with('#'));
    let mut specs = lines.filter_map(|line| line.split_once(':'));
    specs.find(|(names, _)| names.split_whitespace().any(|own| own == name)).map(|(_, spec)| spec.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::library::{is_benign, sources};

    #[test]
    fn each_line_says_something_of_functions_without_another_model() {
        for line in include_str!("calls.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (names, spec) = line.split_once(':').expect("names: arguments -> result");
            assert!(parse(spec).is_some(), "{line}");
            for name in names.split_whitespace() {
                assert!(!sources::is_defined(name) && !is_benign(name), "{name}");
            }
        }
    }
}
