//! What SV-COMP's programs ask their verifier for, and assertions.

use super::{Call, Expand};
use crate::lower::storage::Shape;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::Op;
use term::{Sort, SortKind, Term, build};

const NONDET: &str = "__VERIFIER_nondet_";
/// How a function that is written in C says that it does not know what to do.
const UNSUPPORTED: &str = "__fathom_unsupported_";

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => nondet_bool,
        _ if name.starts_with(NONDET) => nondet,
        _ if name.starts_with(UNSUPPORTED) => unsupported,
        "__VERIFIER_assume" | "__CPROVER_assume" | "__builtin_assume" => assume,
        "__VERIFIER_assert" | "assert" => assert,
        "__CPROVER_assert" => described_assert,
        "__assert_fail" | "__assert_rtn" | "__assert" | "__assert_perror_fail" | "__assert_func" => assert_fail,
        "__VERIFIER_atomic_begin" => atomic_begin,
        "__VERIFIER_atomic_end" => atomic_end,
        _ => return None,
    })
}

fn nondet(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    match (Shape::of(writer.types, call.ty), call.target) {
        (Shape::Scalar(scalar), Some(target))
            if target.sort() == crate::lower::storage::value_sort(scalar, writer.context.model) =>
        {
            writer.code.emit(Op::Havoc(vec![target]));
            Some(Value::Scalar(target))
        }
        (Shape::Unsupported(_), _) => None,
        // The contents of a new object are arbitrary.
        (Shape::Memory, _) => {
            let size = writer.types.size(call.ty)?;
            let pointer = writer.new_temporary_object(size, writer.types.align(call.ty));
            Some(Value::Record(crate::lower::value::RecordValue::Memory(pointer)))
        }
        _ => Some(writer.nothing(call.ty)),
    }
}

/// Of whatever type the function is declared, its value is 0 or 1.
fn nondet_bool(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let truth = writer.code.arbitrary(Sort::bool());
    writer.give(call, truth, false)
}

fn unsupported(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let what = call.name.as_str().strip_prefix(UNSUPPORTED)?.replace('_', " ");
    Some(writer.unsupported_value(what.as_str(), call.ty))
}

/// Whether an argument of any scalar type is not zero.
fn condition(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Term> {
    let Value::Scalar(value) = call.arguments.first()?.value else { return None };
    Some(match value.sort().bv_width() {
        Some(width) => build::ne(value, build::bv(width, 0)),
        None if value.sort().is_bool() => value,
        None if value.sort() == writer.pointer_sort() => build::ne(value, build::null(writer.width())),
        None => build::not(build::fp_is_zero(value)),
    })
}

fn assume(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let condition = condition(writer, call)?;
    writer.code.assume(condition);
    Some(writer.nothing(call.ty))
}

fn assert(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let condition = condition(writer, call)?;
    let (holds, fails) = (writer.code.location(), writer.code.location());
    writer.code.branch(condition, holds, fails);
    writer.code.continue_at(fails);
    writer.fail("assertion fails");
    writer.code.continue_at(holds);
    Some(writer.nothing(call.ty))
}

/// An assertion with a text, which is the second argument.
fn described_assert(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let text = call.arguments.get(1).and_then(|argument| match argument.value {
        Value::Scalar(pointer) => writer.context.literal(pointer),
        _ => None,
    });
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned());
    let text = text.map_or_else(|| "assertion fails".to_owned(), |text| format!("assertion {text}"));
    let condition = condition(writer, call)?;
    let (holds, fails) = (writer.code.location(), writer.code.location());
    writer.code.branch(condition, holds, fails);
    writer.code.continue_at(fails);
    writer.fail(&text);
    writer.code.continue_at(holds);
    Some(writer.nothing(call.ty))
}

/// What `assert` expands to where it fails; the first argument is the text of the assertion.
fn assert_fail(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let text = call.arguments.first().and_then(|argument| match argument.value {
        Value::Scalar(pointer) => writer.context.literal(pointer),
        _ => None,
    });
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned());
    writer.fail(&text.map_or_else(|| "assertion fails".to_owned(), |text| format!("assertion {text}")));
    Some(writer.nothing(call.ty))
}

/// A function that must not be called.
pub(super) fn error(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    writer.fail(&format!("{} is called", call.name));
    Some(writer.nothing(call.ty))
}

fn atomic_begin(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    if writer.context.threaded {
        writer.code.emit(Op::AtomicBegin);
        // The library opens and closes sections in pairs. Of a user's, it is not known where they are open.
        writer.sections += u32::from(!writer.context.link.is_users(writer.unit));
    }
    Some(writer.nothing(call.ty))
}

fn atomic_end(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    if writer.context.threaded {
        writer.code.emit(Op::AtomicEnd);
        writer.sections -= writer.sections.min(u32::from(!writer.context.link.is_users(writer.unit)));
    }
    Some(writer.nothing(call.ty))
}

impl crate::lower::context::Context<'_> {
    /// The bytes of the literal that a pointer points to the start of.
    pub fn literal(&self, pointer: Term) -> Option<Vec<u8>> {
        let SortKind::Pointer(_) = pointer.sort().kind() else { return None };
        let object = build::pointer_object(pointer).as_bv()?.unsigned();
        let offset = build::pointer_offset(pointer).as_bv()?.unsigned();
        let found = self.reached.strings.iter().find(|string| {
            self.string(**string)
                .is_some_and(|p| build::pointer_object(p).as_bv().is_some_and(|o| o.unsigned() == object))
        })?;
        (offset == 0).then(|| self.link.units[found.unit][found.id].bytes.clone())
    }
}
