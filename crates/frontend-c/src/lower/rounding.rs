//! The direction in which results of floats are rounded, where the program changes it.
//!
//! A variable keeps it, which only programs have that call `fesetround`. Each thread would have its own: in programs with threads it stays
//! as it is at the start, to the nearest.

use super::library::Call;
use super::value::Value;
use super::writer::Writer;
use term::{Rounding, Sort, Term, build};

/// The directions, by the numbers that x86's `fenv.h` gives them. At the start it is the first.
const DIRECTIONS: [(u128, Rounding); 4] = [
    (0, Rounding::NearestEven),
    (0x400, Rounding::TowardNegative),
    (0x800, Rounding::TowardPositive),
    (0xc00, Rounding::TowardZero),
];

/// The direction, by its number.
pub(super) fn direction() -> Term {
    Term::var("$rounding", Sort::bv(32))
}

/// What the direction is at the start.
pub(super) fn to_nearest() -> Term {
    build::bv(32, DIRECTIONS[0].0)
}

impl Writer<'_, '_> {
    /// A result that is rounded as the program says.
    pub fn rounded(&mut self, of: impl Fn(Rounding) -> Term) -> Term {
        let [(_, nearest), others @ ..] = DIRECTIONS;
        if !self.context.changes_rounding {
            return of(nearest);
        }
        let direction = self.context.internal(direction(), false);
        others.into_iter().fold(of(nearest), |otherwise, (number, rounding)| {
            build::ite(build::eq(direction, build::bv(32, number)), of(rounding), otherwise)
        })
    }
}

pub(super) fn get(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let direction = match writer.context.changes_rounding {
        true => writer.context.internal(direction(), false),
        false => to_nearest(),
    };
    writer.give(call, direction, true)
}

/// What is no direction changes nothing, and the result says so.
pub(super) fn set(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let wanted = writer.int_argument(call, 0)?;
    if !writer.context.changes_rounding {
        return stay(writer, call, wanted);
    }
    let direction = writer.context.internal(direction(), false);
    let is_one = build::or(DIRECTIONS.map(|(number, _)| build::eq(wanted, build::bv(32, number))));
    writer.code.assign(direction, build::ite(is_one, wanted, direction));
    writer.give(call, build::ite(is_one, build::bv(32, 0), build::bv(32, 1)), true)
}

/// Rounding is to the nearest, and stays so.
fn stay(writer: &mut Writer<'_, '_>, call: &Call, wanted: Term) -> Option<Value> {
    let (other, next) = (writer.code.location(), writer.code.location());
    writer.code.branch(build::eq(wanted, to_nearest()), next, other);
    writer.code.continue_at(other);
    writer.unsupported("another rounding than to nearest in a program with threads");
    writer.code.continue_at(next);
    writer.give_int(call, 0)
}
