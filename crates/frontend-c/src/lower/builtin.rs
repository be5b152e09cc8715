//! Operations that gcc builds in.

use super::alloc::{MALLOC_ALIGNMENT, Made};
use super::convert::{bool_to_int, resize};
use super::place::Lvalue;
use super::value::Value;
use super::writer::Writer;
use crate::hir::{BinaryOp, Builtin, ExprId, OverflowOp};
use crate::types::{Scalar, Ty};
use term::{Term, build};

/// How many ones there are, of the width of the argument.
fn ones(x: Term) -> Option<Term> {
    let width = x.sort().bv_width()?;
    let mut sums = x;
    let mut step = 1;
    // Sums of groups of bits that double in each step.
    while step < width {
        let mask = (0..width).filter(|i| i / step % 2 == 0).fold(0u128, |mask, i| mask | 1 << i);
        let low = build::bv_and(sums, build::bv(width, mask));
        let high = build::bv_and(build::bv_lshr(sums, build::bv(width, step.into())), build::bv(width, mask));
        sums = build::bv_add(low, high);
        step *= 2;
    }
    Some(sums)
}

/// How many zeros are above the highest one.
fn leading_zeros(x: Term) -> Option<Term> {
    let width = x.sort().bv_width()?;
    let mut filled = x;
    let mut step = 1;
    while step < width {
        filled = build::bv_or(filled, build::bv_lshr(filled, build::bv(width, step.into())));
        step *= 2;
    }
    ones(build::bv_not(filled))
}

/// How many zeros are below the lowest one.
fn trailing_zeros(x: Term) -> Option<Term> {
    let width = x.sort().bv_width()?;
    ones(build::bv_and(build::bv_not(x), build::bv_sub(x, build::bv(width, 1))))
}

/// The bytes in reverse order.
fn byte_swap(x: Term) -> Option<Term> {
    let width = x.sort().bv_width()?;
    let bytes = (0..width / 8).map(|i| build::extract(i * 8 + 7, i * 8, x));
    bytes.reduce(build::concat)
}

/// A bit operation on an unsigned integer, of its width.
fn bit_operation(builtin: Builtin, x: Term) -> Option<Term> {
    let width = x.sort().bv_width()?;
    Some(match builtin {
        Builtin::LeadingZeros => leading_zeros(x)?,
        Builtin::TrailingZeros => trailing_zeros(x)?,
        Builtin::RedundantSignBits => {
            let differ = build::bv_xor(x, build::bv_ashr(x, build::bv(width, u128::from(width - 1))));
            build::bv_sub(leading_zeros(differ)?, build::bv(width, 1))
        }
        Builtin::FindFirstSet => {
            let position = build::bv_add(trailing_zeros(x)?, build::bv(width, 1));
            build::ite(build::eq(x, build::bv(width, 0)), build::bv(width, 0), position)
        }
        Builtin::PopCount => ones(x)?,
        Builtin::Parity => build::bv_and(ones(x)?, build::bv(width, 1)),
        Builtin::ByteSwap => byte_swap(x)?,
        _ => return None,
    })
}

/// A question about one float.
fn float_question(builtin: Builtin, x: Term) -> Option<Term> {
    Some(match builtin {
        Builtin::IsNan => build::fp_is_nan(x),
        Builtin::IsInfinite => build::fp_is_infinite(x),
        Builtin::IsFinite => build::not(build::or([build::fp_is_nan(x), build::fp_is_infinite(x)])),
        Builtin::IsNormal => build::fp_is_normal(x),
        _ => return None,
    })
}

impl Writer<'_, '_> {
    pub fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], ty: Ty) -> Value {
        match builtin {
            // C says nothing about an execution that comes here.
            Builtin::Unreachable => {
                self.code.assume(build::falsehood());
                Value::Void
            }
            Builtin::Trap => {
                self.abort();
                Value::Void
            }
            Builtin::Alloca => {
                let size = self.integers(arguments).first().copied();
                match size {
                    Some(size) => Value::Scalar(self.alloca(size)),
                    None => self.unsupported_value("an operation without its argument", ty),
                }
            }
            Builtin::Overflow(op) => self.overflow(op, arguments, true, ty),
            Builtin::OverflowTest(op) => self.overflow(op, arguments, false, ty),
            Builtin::SignBit => self.sign_bit(arguments, ty),
            Builtin::AtomicLoad
            | Builtin::AtomicStore
            | Builtin::AtomicExchange
            | Builtin::AtomicUpdate(..)
            | Builtin::AtomicCompareExchange { .. }
            | Builtin::CompareAndSwapTest
            | Builtin::CompareAndSwapValue
            | Builtin::WeakOrder
            | Builtin::Fence => self.atomic(builtin, arguments, ty),
            _ => {
                let values = self.integers(arguments);
                match self.computation(builtin, &values, ty) {
                    Some(value) => Value::Scalar(value),
                    None => self.unsupported_value("a built-in operation on an unexpected type", ty),
                }
            }
        }
    }

    /// The scalar values of arguments.
    fn integers(&mut self, arguments: &[ExprId]) -> Vec<Term> {
        let values = self.arguments(arguments).into_iter();
        values.filter_map(|argument| if let Value::Scalar(term) = argument.value { Some(term) } else { None }).collect()
    }

    /// A built-in operation that only computes a value.
    fn computation(&mut self, builtin: Builtin, values: &[Term], ty: Ty) -> Option<Term> {
        let int = |n: i128| build::bv_signed(32, n);
        match (builtin, values) {
            (Builtin::InfinitySign, [x]) => {
                let sign = build::ite(build::fp_is_negative(*x), int(-1), int(1));
                Some(build::ite(build::fp_is_infinite(*x), sign, int(0)))
            }
            (Builtin::IsUnordered, [x, y]) => Some(build::or([build::fp_is_nan(*x), build::fp_is_nan(*y)])),
            (Builtin::IsLessOrGreater, [x, y]) if x.sort() == y.sort() => {
                Some(build::or([build::fp_lt(*x, *y), build::fp_lt(*y, *x)]))
            }
            (Builtin::Classify, [nan, infinite, normal, subnormal, zero, x]) => {
                let classes = [
                    (build::fp_is_nan(*x), *nan),
                    (build::fp_is_infinite(*x), *infinite),
                    (build::fp_is_normal(*x), *normal),
                    (build::fp_is_subnormal(*x), *subnormal),
                ];
                Some(classes.into_iter().rev().fold(*zero, |other, (is, class)| build::ite(is, class, other)))
            }
            (builtin, [x]) if x.sort().bv_width().is_some() => {
                let result = bit_operation(builtin, *x)?;
                match self.types.scalar(ty)? {
                    Scalar::Int { width, .. } => Some(resize(result, width, false)),
                    _ => None,
                }
            }
            (builtin, [x]) => float_question(builtin, *x),
            _ => None,
        }
    }

    /// The sign of a NaN cannot be told, for all NaNs are one value.
    fn sign_bit(&mut self, arguments: &[ExprId], ty: Ty) -> Value {
        let values = self.integers(arguments);
        let Some(x) = values.first().copied() else {
            return self.unsupported_value("an operation without its argument", ty);
        };
        self.not_a_nan(x);
        Value::Scalar(build::fp_is_negative(x))
    }

    /// Goes on only if the float is no NaN.
    pub fn not_a_nan(&mut self, x: Term) {
        let (lost, next) = (self.code.location(), self.code.location());
        self.code.branch(build::fp_is_nan(x), lost, next);
        self.code.continue_at(lost);
        self.unsupported("the sign of a NaN");
        self.code.continue_at(next);
    }

    /// Arithmetic on unbounded integers, and whether the result fits.
    fn overflow(&mut self, op: OverflowOp, arguments: &[ExprId], stores: bool, ty: Ty) -> Value {
        let values = self.arguments(arguments);
        let [a, b, c] = &values[..] else { return self.unsupported_value("an operation without its argument", ty) };
        let target = if stores { self.types.pointee(c.ty) } else { Some(c.ty) };
        let operand = |value: &super::value::Typed| match (&value.value, self.types.scalar(value.ty)) {
            (Value::Scalar(term), Some(Scalar::Int { width, signed })) => Some((*term, width, signed)),
            (Value::Scalar(term), Some(Scalar::Bool)) => Some((bool_to_int(*term, 1), 1, false)),
            _ => None,
        };
        let into = target.and_then(|target| match self.types.scalar(target)? {
            Scalar::Int { width, signed } => Some((target, width, signed)),
            Scalar::Bool => Some((target, 1, false)),
            _ => None,
        });
        let (Some(x), Some(y), Some((target, width, signed))) = (operand(a), operand(b), into) else {
            return self.unsupported_value("a built-in operation on an unexpected type", ty);
        };
        let Some((exact, is_signed)) = exact(op, x, y, width) else {
            return self.unsupported_value("arithmetic on integers of more than 128 bits", ty);
        };
        let wrapped = build::extract(width - 1, 0, exact);
        let total = exact.sort().bv_width().unwrap_or(width);
        let back = if signed { build::sign_extend(total, wrapped) } else { build::zero_extend(total, wrapped) };
        // Two numbers of one width are the same if their bits are and both are negative or neither is.
        let highest = |x: Term| build::bv_slt(x, build::bv(total, 0));
        let same_sign = match (signed, is_signed) {
            (true, false) => build::not(highest(back)),
            (false, true) => build::not(highest(exact)),
            _ => build::truth(),
        };
        let fits = build::and([build::eq(back, exact), same_sign]);
        let overflows = self.code.keep(build::not(fits));
        if stores && let Value::Scalar(pointer) = c.value {
            let value = if target.is_bool() { build::eq(wrapped, build::bv(1, 1)) } else { wrapped };
            self.store(&Lvalue::memory(pointer, target), Value::Scalar(value));
        }
        Value::Scalar(overflows)
    }

    /// Memory that lives until the function returns.
    pub fn alloca(&mut self, size: Term) -> Term {
        let lives = self.context.checks.lives();
        let object = self.declare_object("$alloca", None);
        if lives {
            // Each object that ends with the function has a variable that remembers it.
            let (again, next) = (self.code.location(), self.code.location());
            self.code.branch(build::eq(object, build::bv(term::OBJECT_WIDTH, 0)), next, again);
            self.code.continue_at(again);
            self.unsupported("alloca in a loop");
            self.code.continue_at(next);
        }
        // Several of them may live at once, as with `malloc`.
        self.allocate(object, size, MALLOC_ALIGNMENT, if lives { Made::Scoped } else { Made::Stack });
        self.ends_with_function(object);
        let pointer = build::pointer(object, self.offset(0));
        self.begin_unwritten(pointer);
        pointer
    }
}

/// The exact result, in a width that holds it, and whether that is to be read as signed.
fn exact(op: OverflowOp, x: (Term, u32, bool), y: (Term, u32, bool), target: u32) -> Option<(Term, bool)> {
    let op = match op {
        OverflowOp::Add => BinaryOp::Add,
        OverflowOp::Sub => BinaryOp::Sub,
        OverflowOp::Mul => BinaryOp::Mul,
    };
    let both_unsigned = !x.2 && !y.2;
    let stays_unsigned = both_unsigned && op == BinaryOp::Mul;
    let own = |width: u32, signed: bool| width + u32::from(!signed && !stays_unsigned);
    let (a, b) = (own(x.1, x.2), own(y.1, y.2));
    let needed = if op == BinaryOp::Mul { a + b } else { a.max(b) + 1 };
    let width = needed.max(target);
    if width > term::MAX_WIDTH {
        return None;
    }
    let (a, b) = (resize(x.0, width, x.2), resize(y.0, width, y.2));
    let result = match op {
        BinaryOp::Add => build::bv_add(a, b),
        BinaryOp::Sub => build::bv_sub(a, b),
        _ => build::bv_mul(a, b),
    };
    Some((result, !stays_unsigned))
}
