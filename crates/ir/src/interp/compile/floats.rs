//! Which operators on floats the machine computes itself.

use crate::interp::instr::Real;
use term::{FloatFormat, Op, Rounding, SortKind, Term};

/// An operator on single or double floats that the machine has.
#[derive(Clone, Copy, Debug)]
pub(in crate::interp) struct Native {
    pub format: FloatFormat,
    pub op: Real,
    /// The width of the vector, if one is converted.
    pub width: u32,
}

/// The machine's operation for the outermost operator, if it has one.
pub(in crate::interp) fn native(term: Term) -> Option<Native> {
    let argument = *term.args().first()?;
    let of_argument = machine_format(argument);
    let of_result = machine_format(term);
    let simple = |op| of_argument.map(|format| Native { format, op, width: 0 });
    match term.op() {
        Op::FpAdd(Rounding::NearestEven) => simple(Real::Add),
        Op::FpSub(Rounding::NearestEven) => simple(Real::Sub),
        Op::FpMul(Rounding::NearestEven) => simple(Real::Mul),
        Op::FpDiv(Rounding::NearestEven) => simple(Real::Div),
        Op::FpSqrt(Rounding::NearestEven) => simple(Real::Sqrt),
        Op::FpNeg => simple(Real::Neg),
        Op::FpAbs => simple(Real::Abs),
        Op::FpEq => simple(Real::Eq),
        Op::FpLt => simple(Real::Lt),
        Op::FpLe => simple(Real::Le),
        Op::FpIsNan => simple(Real::IsNan),
        Op::FpIsInfinite => simple(Real::IsInfinite),
        Op::FpIsZero => simple(Real::IsZero),
        Op::FpIsNormal => simple(Real::IsNormal),
        Op::FpIsSubnormal => simple(Real::IsSubnormal),
        Op::FpIsNegative => simple(Real::IsNegative),
        Op::FpRoundToIntegral(rounding) => simple(match rounding {
            Rounding::NearestEven => Real::Nearest,
            Rounding::NearestAway => Real::Away,
            Rounding::TowardZero => Real::Truncate,
            Rounding::TowardPositive => Real::Ceiling,
            Rounding::TowardNegative => Real::Floor,
        }),
        Op::FpFromBits(_) => Some(Native { format: of_result?, op: Real::FromBits, width: 0 }),
        Op::FpToFp(_, Rounding::NearestEven) if of_argument? != of_result? => simple(Real::Convert),
        Op::BvToFp { signed, rounding: Rounding::NearestEven, .. } => {
            let width = argument.sort().bv_width().filter(|w| *w <= 64)?;
            let op = if *signed { Real::FromSigned } else { Real::FromUnsigned };
            Some(Native { format: of_result?, op, width })
        }
        Op::FpToBv { width, signed, rounding: Rounding::TowardZero } if *width <= 64 => {
            let op = if *signed { Real::ToSigned } else { Real::ToUnsigned };
            Some(Native { format: of_argument?, op, width: *width })
        }
        _ => None,
    }
}

fn machine_format(term: Term) -> Option<FloatFormat> {
    match term.sort().kind() {
        SortKind::Float(format) => [FloatFormat::SINGLE, FloatFormat::DOUBLE].into_iter().find(|f| f == format),
        _ => None,
    }
}
