//! Values and places.

use super::{Builtin, ExprId, FunctionId, GlobalId, LocalId, PlaceId, StmtId, StringId};
use crate::types::{Bits, RecordId, Ty};
use source::{Span, Symbol};

/// A value. Operands are evaluated from left to right where C does not say otherwise.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Unqualified; `void` where there is no value.
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of integer type or `_Bool`: its value in the range of the type. (Values of `unsigned __int128` from
    /// 2^127 on are here as their bits.)
    Int(i128),
    /// A constant: the bit pattern in the format of the type, as terms have it.
    Float(u128),
    /// A null pointer.
    Null,
    /// The address of a function.
    Function(FunctionId),
    /// The value at a place: a scalar or a record. The value of a bit-field has its declared type.
    Load(PlaceId),
    /// The address of a place: by `&`, or of an array that becomes a pointer to its first element. The type tells.
    AddressOf(PlaceId),
    Cast(CastKind, ExprId),
    /// On the operand's type, arithmetic and promoted.
    Unary(UnaryOp, ExprId),
    /// Both operands have the type of the result; in a shift the right one has its own integer type.
    Binary(BinaryOp, ExprId, ExprId),
    /// Gives `_Bool`. Both operands have the same scalar type, or are pointers.
    Compare(CompareOp, ExprId, ExprId),
    /// From `_Bool` to `_Bool`.
    Not(ExprId),
    /// On `_Bool`; the right operand is evaluated only where the left one does not decide.
    Logical(LogicalOp, ExprId, ExprId),
    /// A condition of type `_Bool`, and the one of two values of the result's type that is evaluated.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// The first is evaluated for its effects.
    Comma(ExprId, ExprId),
    /// The pointer moved by `index` (of type `ptrdiff_t`) elements, forwards or backwards.
    PointerOffset {
        pointer: ExprId,
        index: ExprId,
        scale: Scale,
        backwards: bool,
    },
    /// How many elements lie between two pointers: left minus right, of type `ptrdiff_t`.
    PointerDifference {
        left: ExprId,
        right: ExprId,
        scale: Scale,
    },
    /// Stores the value, which has the (unqualified) type of the place, and gives what is there then: for a bit-field,
    /// the value after truncation.
    Assign {
        place: PlaceId,
        value: ExprId,
    },
    /// `op=`, `++` and `--`: evaluates the place once, stores `value`, and gives what the place holds before or after.
    /// In `value`, [`ExprKind::Current`] is what the place holds when it is evaluated. On an atomic place this is one
    /// indivisible step, but for what else `value` evaluates.
    Update {
        place: PlaceId,
        value: ExprId,
        yields: Yields,
    },
    /// What the place of the innermost [`ExprKind::Update`] holds in whose `value` this is.
    Current,
    Call {
        callee: Callee,
        /// Converted to the parameters' types where there is a prototype, else promoted. Of a call without prototype,
        /// neither number nor types need fit the function that is called: C leaves that undefined.
        arguments: Vec<ExprId>,
    },
    /// An operation that gcc builds in. The calls that only name a library function are [`ExprKind::Call`]s of that.
    Builtin(Builtin, Vec<ExprId>),
    VaList(VaListOp),
    /// GNU's `({ ... })`: the block, and the value that its last statement computes, still in the block's scope.
    Statements {
        block: StmtId,
        value: Option<ExprId>,
    },
    /// Something that Fathom does not support: what it is. Nothing is known from here on.
    Unsupported(Symbol),
}

/// The size of what a pointer is moved by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// In bytes; 1 for `void` and functions, and possibly 0.
    Constant(u64),
    /// In bytes, for elements that are variable length arrays: a value of type `size_t` without side effects.
    Variable(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A pointer to a function of this type.
    Indirect {
        pointer: ExprId,
        ty: Ty,
    },
}

/// What an update's own value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Yields {
    Before,
    After,
}

/// A conversion. The types of operand and result say the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Between integer types other than `_Bool`, enumerations included: cut off, or extend by the operand's sign.
    IntToInt,
    /// 0 or 1.
    BoolToInt,
    /// Whether it is not zero.
    IntToBool,
    FloatToBool,
    /// Whether it is not null.
    PointerToBool,
    IntToFloat,
    /// Towards zero.
    FloatToInt,
    FloatToFloat,
    /// To `ptrdiff_t`; another conversion makes other integers of it.
    PointerToInt,
    /// From `ptrdiff_t`.
    IntToPointer,
    PointerToPointer,
    /// The value is not used.
    ToVoid,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Of an integer or a float.
    Negate,
    /// Of an integer.
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Of integers towards zero.
    Div,
    Rem,
    Shl,
    /// Arithmetic if the type is signed.
    Shr,
    And,
    Xor,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogicalOp {
    And,
    Or,
}

/// What is done with the arguments behind the `...` of a function. A place is that of the `va_list`: on 32 bits a
/// `char *`, on 64 bits a `struct __va_list_tag`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VaListOp {
    /// Gives `void`.
    Start(PlaceId),
    /// Gives `void`.
    End(PlaceId),
    /// Gives `void`. Target, source.
    Copy(PlaceId, PlaceId),
    /// Gives the next argument, of the result's type.
    Arg(PlaceId),
}

/// Where a value is stored.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    /// With its qualifiers: `ty.is_volatile()`, `ty.is_atomic()`. For a bit-field its declared type.
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    String(StringId),
    /// What a pointer points to. `ty` may be incomplete or `void` if only the address is used.
    Deref(ExprId),
    /// A member: number `field` of the record's layout. Anonymous structs are steps of their own.
    Field {
        base: PlaceId,
        record: RecordId,
        field: u32,
    },
    /// An element of an array at a known place: `a[i]` where `a` is an array. The index has type `ptrdiff_t`.
    Element {
        array: PlaceId,
        index: ExprId,
        scale: Scale,
    },
    /// A variable that is initialised each time the place is evaluated: a compound literal, which lives as long as the
    /// enclosing block, or a value of record type of which a member is used.
    Initialised {
        local: LocalId,
        init: Initializer,
    },
}

/// How a variable gets its first value. The entries are stored in their order.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Whether what no entry covers is zero. (Otherwise one entry covers the whole variable.)
    pub zero: bool,
    /// Ordered by position, without overlaps.
    pub entries: Vec<InitEntry>,
}

#[derive(Clone, Debug)]
pub struct InitEntry {
    /// In bytes; for a bit-field, where its unit begins.
    pub offset: u64,
    pub bits: Option<Bits>,
    /// A scalar or record type, unqualified: that of `value`.
    pub ty: Ty,
    pub value: ExprId,
}
