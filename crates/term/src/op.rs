//! The operators of terms.

use crate::{FloatFormat, Sort, Term, Value};
use source::Symbol;

/// How a floating-point result is rounded. Arithmetic always rounds to nearest, ties to even, as C programs run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    TowardZero,
    TowardPositive,
    TowardNegative,
}

/// The signature of an uninterpreted function. Equality is by content.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Function {
    pub name: Symbol,
    pub parameters: Vec<Sort>,
    pub result: Sort,
}

/// An operator. The comment gives the arguments; names and meanings are SMT-LIB's unless it says otherwise.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A value. No arguments.
    Const(Value),
    /// A variable of the node's sort: instance 0 is the program's variable itself, others are its copies (SSA). No arguments.
    Var {
        name: Symbol,
        instance: u32,
        sort: Sort,
    },

    // Booleans and equality
    Not,
    /// Two or more.
    And,
    /// Two or more.
    Or,
    Implies,
    Xor,
    /// Two of one sort; identity of values (so for floats NaN = NaN and +0 differs from -0).
    Eq,
    /// Condition, then, else.
    Ite,

    // Integers and reals: two arguments of one sort unless said otherwise
    Add,
    Sub,
    Mul,
    Neg,
    /// Integers, SMT-LIB's `div` (Euclidean); division by zero gives 0.
    IntDiv,
    /// Integers, SMT-LIB's `mod` (never negative); modulo zero gives the dividend.
    IntMod,
    /// Reals; division by zero gives 0.
    RealDiv,
    Le,
    Lt,
    ToReal,
    /// Floor.
    ToInt,

    // Bit-vectors: two of one width unless said otherwise; division by zero as in SMT-LIB
    BvAdd,
    BvSub,
    BvMul,
    BvNeg,
    BvUdiv,
    BvSdiv,
    BvUrem,
    /// The sign follows the dividend, as in C.
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvNot,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// High part, low part.
    Concat,
    /// Bits `high` down to `low`, both included.
    Extract {
        high: u32,
        low: u32,
    },
    /// To the given total width.
    ZeroExtend(u32),
    /// To the given total width.
    SignExtend(u32),
    /// The integer that a bit-vector stands for.
    BvToInt {
        signed: bool,
    },
    /// The integer modulo two to the width.
    IntToBv(u32),

    // Floats: two of one format unless said otherwise
    FpAdd(Rounding),
    FpSub(Rounding),
    FpMul(Rounding),
    FpDiv(Rounding),
    /// IEEE remainder, as C's `remainder`.
    FpRem,
    /// Three arguments: x * y + z rounded once.
    FpFma(Rounding),
    FpSqrt(Rounding),
    FpNeg,
    FpAbs,
    FpRoundToIntegral(Rounding),
    /// IEEE equality: NaN differs from all, +0 equals -0.
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInfinite,
    FpIsZero,
    FpIsNormal,
    FpIsSubnormal,
    /// The sign bit of what is not NaN.
    FpIsNegative,
    /// Float to float.
    FpToFp(FloatFormat, Rounding),
    /// Signed or unsigned bit-vector to float.
    BvToFp {
        format: FloatFormat,
        signed: bool,
        rounding: Rounding,
    },
    /// Float to bit-vector of a width; what does not fit (or NaN) gives the pattern 10...0, as x86 does.
    FpToBv {
        width: u32,
        signed: bool,
        rounding: Rounding,
    },
    /// The float of a bit pattern.
    FpFromBits(FloatFormat),
    /// The bit pattern of a float.
    FpToBits,
    RealToFp(FloatFormat, Rounding),
    /// Infinities and NaN give 0.
    FpToReal,

    // Arrays
    /// Array, index.
    Select,
    /// Array, index, element.
    Store,
    /// The array of the given sort that is its one argument everywhere.
    ConstArray(Sort),

    /// An uninterpreted function.
    Apply(Function),

    // Pointers and memory (C only; `pass` maps them to arrays before a solver sees them)
    /// Object identity, offset.
    Pointer,
    PointerObject,
    PointerOffset,
    /// The identity of the object that an address lies in (its end counts where no other object starts), or 0. An object
    /// whose base address is 0 is nowhere; of several objects it is the one with the greatest identity.
    /// Arguments: base addresses (array from identity to address), sizes (likewise), the address.
    ObjectAt,
    /// A value of the given sort from memory. Memory, pointer.
    Load(Sort),
    /// Memory, pointer, value: the memory after the value was written.
    MemStore,
    /// Memory, destination, source, length in bytes: as `memmove`.
    MemCopy,
    /// Memory, destination, byte, length in bytes: as `memset`.
    MemFill,

    // Binders. The bound variables are `Var` terms; the body is the first argument, triggers follow.
    Forall(Vec<Term>),
    Exists(Vec<Term>),
    /// The array that maps the one bound variable to the body.
    Lambda(Vec<Term>),
}
