//! What the C texts of the library ask for and C cannot say: whole ranges that are accessed, ranges that must not overlap, errno, and
//! values that the standard leaves open.

use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::storage::Storage;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Sort, Term, build};

/// The variable of the library's text that `errno` is.
pub(super) const ERROR_NUMBER: &str = "__fathom_errno";
pub(super) const EDOM: u32 = 33;
pub(super) const ERANGE: u32 = 34;
pub(super) const EINVAL: u32 = 22;
pub(super) const ENOMEM: u32 = 12;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "__fathom_readable" => |writer, call| range(writer, call, Access::Read),
        "__fathom_writable" => |writer, call| range(writer, call, Access::Write),
        "__fathom_disjoint" => disjoint,
        "__fathom_set_errno" => set_errno,
        "__fathom_fail" => |writer, _| {
            fail_somehow(writer);
            Some(Value::Void)
        },
        "__fathom_order" => order,
        "__fathom_truth" => truth,
        "__fathom_sees_environ" => |writer, call| {
            let sees = writer.context.sees_environment();
            writer.give_int(call, i128::from(sees))
        },
        "__fathom_has_threads" => |writer, call| {
            let threaded = writer.context.threaded;
            writer.give_int(call, i128::from(threaded))
        },
        "__fathom_comparators_are_pure" => |writer, call| {
            let pure = writer.context.comparators.are_pure;
            writer.give_int(call, i128::from(pure))
        },
        "__fathom_comparisons_matter" => |writer, call| {
            let matter = writer.context.comparators.can_fail || writer.context.checks.looks_at_operations();
            writer.give_int(call, i128::from(matter))
        },
        _ => return None,
    })
}

/// The function may access all of these bytes.
fn range(writer: &mut Writer<'_, '_>, call: &Call, access: Access) -> Option<Value> {
    let (start, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    writer.check_block(start, length, access);
    Some(Value::Void)
}

/// Two ranges of bytes between which is copied: pointer, length, pointer, length.
fn disjoint(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let first = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    let second = (writer.pointer_argument(call, 2)?, writer.size_argument(call, 3)?);
    writer.check_disjoint(first, second);
    Some(Value::Void)
}

fn set_errno(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let number = writer.int_argument(call, 0)?;
    writer.set_errno(number);
    Some(Value::Void)
}

/// Something fails, for one of many reasons: `errno` is any number but zero.
pub(super) fn fail_somehow(writer: &mut Writer<'_, '_>) {
    if writer.error_number().is_some() {
        let number = writer.code.arbitrary(Sort::bv(7));
        let number = build::bv_add(build::zero_extend(32, number), build::bv(32, 1));
        writer.set_errno(number);
    }
}

/// A comparison's result: of the difference that is the argument, only the sign is fixed.
fn order(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let difference = writer.int_argument(call, 0)?;
    if !writer.context.sees_open_values {
        return writer.give(call, difference, true);
    }
    let (zero, most) = (build::bv(32, 0), build::bv(32, (1 << 31) - 1));
    let magnitude = writer.code.arbitrary(Sort::bv(31));
    let magnitude = build::zero_extend(32, magnitude);
    let positive = build::ite(build::eq(magnitude, most), most, build::bv_add(magnitude, build::bv(32, 1)));
    let negative = build::bv_sub(build::bv_signed(32, -1), magnitude);
    let unequal = build::ite(build::bv_slt(difference, zero), negative, positive);
    writer.give(call, build::ite(build::eq(difference, zero), zero, unequal), true)
}

/// Whether something holds: if so, any number but zero.
fn truth(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let holds = writer.int_argument(call, 0)?;
    if !writer.context.sees_open_values {
        return writer.give(call, holds, true);
    }
    let zero = build::bv(32, 0);
    let number = writer.code.arbitrary(Sort::bv(32));
    let something = build::ite(build::eq(number, zero), build::bv(32, 1), number);
    writer.give(call, build::ite(build::eq(holds, zero), zero, something), true)
}

impl Writer<'_, '_> {
    /// Where `errno` lies; nothing if the program does not look at it.
    fn error_number(&self) -> Option<Term> {
        let link = &self.context.link;
        let globals = self.context.reached.globals.iter().copied();
        let found =
            globals.filter(|at| at.unit > 0).find(|at| link.units[at.unit][at.id].name.as_str() == ERROR_NUMBER);
        match self.context.global(found?)? {
            Storage::Memory(pointer) => Some(pointer),
            // Its address is what the function gives that finds it.
            Storage::Variables(_) => None,
        }
    }

    /// Sets `errno`, if the program looks at it.
    pub fn set_errno(&mut self, number: Term) {
        if let Some(pointer) = self.error_number() {
            self.write(pointer, number);
        }
    }

    /// Sets `errno` where the condition holds.
    pub fn set_errno_if(&mut self, condition: Term, number: u32) {
        let Some(pointer) = self.error_number() else { return };
        if condition.as_bool() == Some(false) {
            return;
        }
        let (fails, next) = (self.code.location(), self.code.location());
        self.code.branch(condition, fails, next);
        self.code.continue_at(fails);
        self.write(pointer, build::bv(32, u128::from(number)));
        self.code.enter(next);
    }
}
