//! Arithmetic and comparisons.

use super::writer::Writer;
use crate::hir::{BinaryOp, CompareOp, UnaryOp};
use crate::types::Scalar;
use faults::Fault;
use term::{Term, build};

/// A number of a width that holds every sum, difference or, at twice the width, product.
fn widened(width: u32, x: Term) -> Option<Term> {
    (width <= term::MAX_WIDTH).then(|| build::sign_extend(width, x))
}

/// Whether a wide number is one of `width` bits.
fn fits(width: u32, wide: Term) -> Option<Term> {
    let total = wide.sort().bv_width()?;
    let limit = 1i128.checked_shl(width - 1)?;
    let (least, greatest) = (build::bv_signed(total, -limit), build::bv_signed(total, limit - 1));
    Some(build::and([build::bv_sle(least, wide), build::bv_sle(wide, greatest)]))
}

/// Whether the exact result of the operation on signed numbers of `width` bits is one, too.
pub(super) fn result_fits(op: BinaryOp, width: u32, x: Term, y: Term) -> Option<Term> {
    let wide = match op {
        BinaryOp::Mul => width * 2,
        _ => width + 1,
    };
    let (a, b) = (widened(wide, x), widened(wide, y));
    match op {
        BinaryOp::Add => fits(width, build::bv_add(a?, b?)),
        BinaryOp::Sub => fits(width, build::bv_sub(a?, b?)),
        BinaryOp::Mul => fits(width, build::bv_mul(a?, b?)),
        _ => None,
    }
}

impl Writer<'_, '_> {
    pub fn unary(&mut self, op: UnaryOp, x: Term, scalar: Scalar) -> Term {
        match (op, scalar) {
            (UnaryOp::Negate, Scalar::Float(_)) => build::fp_neg(x),
            (UnaryOp::Negate, Scalar::Int { width, signed }) => {
                if signed {
                    let least = build::bv(width, 1 << (width - 1));
                    self.check_overflow(|| Some(build::ne(x, least)), "a negation");
                }
                build::bv_neg(x)
            }
            (UnaryOp::Complement, Scalar::Int { .. }) => build::bv_not(x),
            _ => self.mistyped(x),
        }
    }

    /// An operation that is not one of the operand's type: the checker lets none through.
    fn mistyped(&mut self, x: Term) -> Term {
        self.unsupported("an operation on an unexpected type");
        x
    }

    /// An operation on two operands of the scalar type; the right one of a shift has its own integer type.
    pub fn binary(&mut self, op: BinaryOp, x: Term, y: Term, scalar: Scalar) -> Term {
        match scalar {
            Scalar::Float(_) if x.sort() == y.sort() => match op {
                BinaryOp::Add => self.rounded(|by| build::fp_add(by, x, y)),
                BinaryOp::Sub => self.rounded(|by| build::fp_sub(by, x, y)),
                BinaryOp::Mul => self.rounded(|by| build::fp_mul(by, x, y)),
                BinaryOp::Div => self.rounded(|by| build::fp_div(by, x, y)),
                _ => self.mistyped(x),
            },
            Scalar::Int { width, signed } => match op {
                BinaryOp::Shl | BinaryOp::Shr => self.shift(op, x, y, width, signed),
                _ if x.sort() == y.sort() => self.integer(op, x, y, scalar),
                _ => self.mistyped(x),
            },
            _ => self.mistyped(x),
        }
    }

    fn integer(&mut self, op: BinaryOp, x: Term, y: Term, scalar: Scalar) -> Term {
        let Scalar::Int { width, signed } = scalar else { return self.mistyped(x) };
        if signed && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            let name = match op {
                BinaryOp::Add => "an addition",
                BinaryOp::Sub => "a subtraction",
                _ => "a multiplication",
            };
            self.check_overflow(|| result_fits(op, width, x, y), name);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            self.check_division(x, y, scalar);
        }
        match (op, signed) {
            (BinaryOp::Add, _) => build::bv_add(x, y),
            (BinaryOp::Sub, _) => build::bv_sub(x, y),
            (BinaryOp::Mul, _) => build::bv_mul(x, y),
            (BinaryOp::Div, true) => build::bv_sdiv(x, y),
            (BinaryOp::Div, false) => build::bv_udiv(x, y),
            (BinaryOp::Rem, true) => build::bv_srem(x, y),
            (BinaryOp::Rem, false) => build::bv_urem(x, y),
            (BinaryOp::And, _) => build::bv_and(x, y),
            (BinaryOp::Xor, _) => build::bv_xor(x, y),
            (BinaryOp::Or, _) => build::bv_or(x, y),
            (BinaryOp::Shl | BinaryOp::Shr, _) => self.mistyped(x),
        }
    }

    /// Where C leaves a shift undefined, the count is taken modulo the width, as x86 does.
    fn shift(&mut self, op: BinaryOp, x: Term, count: Term, width: u32, signed: bool) -> Term {
        let Some(own) = count.sort().bv_width() else { return self.mistyped(x) };
        let in_range = build::bv_ult(count, build::bv(own, u128::from(width)));
        self.check_shift(in_range);
        // The low bits of a count are enough, as long as its width itself can be told.
        let count = if own > width { build::extract(width - 1, 0, count) } else { build::zero_extend(width, count) };
        let count = if width.is_power_of_two() {
            build::bv_and(count, build::bv(width, u128::from(width - 1)))
        } else {
            build::bv_urem(count, build::bv(width, u128::from(width)))
        };
        match (op, signed) {
            (BinaryOp::Shl, true) => {
                let shifted = build::bv_shl(x, count);
                let back = build::eq(build::bv_ashr(shifted, count), x);
                self.check_overflow(|| Some(build::and([in_range, back])), "a left shift");
                shifted
            }
            (BinaryOp::Shl, false) => build::bv_shl(x, count),
            (_, true) => build::bv_ashr(x, count),
            (_, false) => build::bv_lshr(x, count),
        }
    }

    /// Whether two values of one scalar type relate in this way.
    pub fn compare(&mut self, op: CompareOp, x: Term, y: Term, scalar: Scalar) -> Term {
        if x.sort() != y.sort() {
            self.unsupported("a comparison of unexpected types");
            return build::falsehood();
        }
        match scalar {
            Scalar::Pointer => self.compare_pointers(op, x, y),
            Scalar::Float(_) => match op {
                CompareOp::Eq => build::fp_eq(x, y),
                CompareOp::Ne => build::not(build::fp_eq(x, y)),
                CompareOp::Lt => build::fp_lt(x, y),
                CompareOp::Le => build::fp_le(x, y),
                CompareOp::Gt => build::fp_gt(x, y),
                CompareOp::Ge => build::fp_ge(x, y),
            },
            Scalar::Int { signed, .. } => {
                let equal = match op {
                    CompareOp::Eq | CompareOp::Ne => self.equal_addresses(x, y),
                    _ => None,
                };
                match (equal, op) {
                    (Some(equal), CompareOp::Eq) => equal,
                    (Some(equal), _) => build::not(equal),
                    (None, _) => integers(op, x, y, signed),
                }
            }
            Scalar::Bool => {
                let byte = super::storage::to_stored;
                integers(op, byte(x), byte(y), false)
            }
        }
    }
}

fn integers(op: CompareOp, x: Term, y: Term, signed: bool) -> Term {
    match (op, signed || faults::is(Fault::WrongSignedness)) {
        (CompareOp::Eq, _) => build::eq(x, y),
        (CompareOp::Ne, _) => build::ne(x, y),
        (CompareOp::Lt, true) => build::bv_slt(x, y),
        (CompareOp::Lt, false) => build::bv_ult(x, y),
        (CompareOp::Le, true) => build::bv_sle(x, y),
        (CompareOp::Le, false) => build::bv_ule(x, y),
        (CompareOp::Gt, true) => build::bv_slt(y, x),
        (CompareOp::Gt, false) => build::bv_ult(y, x),
        (CompareOp::Ge, true) => build::bv_sle(y, x),
        (CompareOp::Ge, false) => build::bv_ule(y, x),
    }
}
