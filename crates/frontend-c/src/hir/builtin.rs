//! The operations that gcc builds in.

use super::Yields;

/// A built-in operation. The comment gives the arguments in brackets, and the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// []: control must not get here. `void`.
    Unreachable,
    /// []: ends the program abnormally. `void`.
    Trap,
    /// [size]: memory that lives until the function returns. `void *`. (Size is a `size_t`.)
    Alloca,

    // Bits of an unsigned integer x, whose type tells the width. They give `int`, except for `ByteSwap`.
    /// [x]: leading zeros; undefined for 0.
    LeadingZeros,
    /// [x]: trailing zeros; undefined for 0.
    TrailingZeros,
    /// [x]: how many bits below the top one equal it. The argument is signed.
    RedundantSignBits,
    /// [x]: one more than the number of trailing zeros, or 0 for 0. The argument is signed.
    FindFirstSet,
    /// [x]: the number of ones.
    PopCount,
    /// [x]: the number of ones modulo 2.
    Parity,
    /// [x]: the bytes in reverse order, of the type of x.
    ByteSwap,

    /// [a, b, pointer]: computes with unbounded integers from a and b, each of its own type; stores the result, wrapped,
    /// in what the pointer points to (an integer, possibly `_Bool`); gives whether wrapping changed it. `_Bool`.
    Overflow(OverflowOp),
    /// [a, b, c]: whether the result computed from a and b does not fit the type of c. `_Bool`. (c is evaluated for its
    /// effects only.)
    OverflowTest(OverflowOp),

    // Floating point. The arguments have one floating type.
    /// [x]: `_Bool`.
    IsNan,
    /// [x]: `_Bool`.
    IsInfinite,
    /// [x]: `int`; 1 for the positive infinity, -1 for the negative one, else 0.
    InfinitySign,
    /// [x]: `_Bool`.
    IsFinite,
    /// [x]: `_Bool`.
    IsNormal,
    /// [x]: `_Bool`; also of NaNs.
    SignBit,
    /// [x, y]: whether one of them is a NaN. `_Bool`.
    IsUnordered,
    /// [x, y]: whether they are ordered and differ. `_Bool`.
    IsLessOrGreater,
    /// [nan, infinite, normal, subnormal, zero, x]: the `int` for the class of x.
    Classify,

    // Atomic steps on *p of type T, an integer or pointer type (any type for load, store and exchange).
    /// [p]: T.
    AtomicLoad,
    /// [p, value]: `void`.
    AtomicStore,
    /// [p, value]: the old value, T.
    AtomicExchange,
    /// [p, operand]: the value before or after, T. On pointers, too, this adds numbers of bytes; the operand is then of
    /// type `ptrdiff_t`.
    AtomicUpdate(AtomicOp, Yields),
    /// [p, expected, value]: if *p = *expected, puts value there, else stores what is there in *expected. `_Bool`:
    /// whether they were equal. A weak one may fail although they are.
    AtomicCompareExchange { is_weak: bool },
    /// [p, old, value]: puts value there if *p = old. `_Bool`: whether they were equal.
    CompareAndSwapTest,
    /// [p, old, value]: puts value there if *p = old. T: what was there before.
    CompareAndSwapValue,
    /// []: orders memory accesses. `void`.
    Fence,
    /// []: the atomic step that follows has an order weaker than sequential consistency. `void`.
    WeakOrder,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// The complement of the conjunction.
    Nand,
}
