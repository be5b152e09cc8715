//! Expressions and literals.

use super::{ExprId, StmtId, TypeNameId};
use source::{Span, Symbol};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function, enumerator or builtin; `__func__` and its kin too.
    Name(Symbol),
    Int(IntLiteral),
    Float(Box<FloatLiteral>),
    Char(CharLiteral),
    String(Box<StringLiteral>),
    Unary(UnaryOp, ExprId),
    /// Also `&&`, `||` and the comma.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `c ? a : b`; without the middle operand it is GNU's `c ?: b`.
    Conditional(ExprId, Option<ExprId>, ExprId),
    Cast(TypeNameId, ExprId),
    /// `(type){...}`; the second part is a [`ExprKind::Braces`].
    CompoundLiteral(TypeNameId, ExprId),
    /// A braced initialiser.
    Braces(Vec<InitItem>),
    Call(ExprId, Vec<ExprId>),
    Index(ExprId, ExprId),
    /// `base.field`, or `base->field` if the flag is set.
    Member(ExprId, Symbol, bool),
    SizeofExpr(ExprId),
    SizeofType(TypeNameId),
    AlignofExpr(ExprId),
    AlignofType(TypeNameId),
    /// `_Generic(control, type: expr, ..., default: expr)`.
    Generic(ExprId, Vec<GenericArm>),
    /// GNU's `({ ... })`; the statement is a [`StmtKind::Block`](super::StmtKind::Block).
    Statements(StmtId),
    /// GNU's `&&label`.
    LabelAddress(Symbol),
    /// `__builtin_va_arg(list, type)`.
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(type, path)`; the path starts with a field.
    Offsetof(TypeNameId, Vec<Designator>),
    /// `__builtin_types_compatible_p(type, type)`.
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(condition, then, otherwise)`.
    Choose(ExprId, ExprId, ExprId),
}

/// One element of a braced initialiser.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// What `value` initialises; empty for the next element in order. GNU's `field: value` reads as `.field = value`.
    pub designators: Vec<Designator>,
    /// An assignment expression or a [`ExprKind::Braces`].
    pub value: ExprId,
}

/// One step into an aggregate.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    Field(Symbol, Span),
    Index(ExprId),
    /// GNU's `[first ... last]`, both included. Never in an `offsetof`.
    Range(ExprId, ExprId),
}

#[derive(Clone, Copy, Debug)]
pub struct GenericArm {
    /// `None` for `default`.
    pub ty: Option<TypeNameId>,
    pub value: ExprId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// GNU's `__real__`.
    Real,
    /// GNU's `__imag__`.
    Imag,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
}

/// An integer literal before it gets its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    pub value: u128,
    pub base: Base,
    pub unsigned: bool,
    pub length: IntLength,
    /// GNU's suffix `i` or `j`.
    pub imaginary: bool,
}

impl IntLiteral {
    /// `0`
    pub const ZERO: IntLiteral =
        IntLiteral { value: 0, base: Base::Decimal, unsigned: false, length: IntLength::None, imaginary: false };
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    Decimal,
    Octal,
    Hexadecimal,
    Binary,
}

/// The suffix that asks for a longer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntLength {
    None,
    Long,
    LongLong,
}

/// A floating literal before it is rounded to its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    /// The number without its suffix, in lower case: decimal as in `1.5e3`, or hexadecimal as in `0x1.8p3`.
    pub digits: String,
    pub suffix: FloatSuffix,
    /// GNU's suffix `i` or `j`.
    pub imaginary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    None,
    /// `f`
    Float,
    /// `l`
    LongDouble,
    /// `q`, `f128` and the like: the kind that the suffix names.
    Sized(super::Basic),
}

/// A character constant with the value that it has in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLiteral {
    /// A plain constant has type `int`: its byte is sign-extended, and several bytes are combined as gcc does. Another
    /// encoding gives the value of its own unsigned or wide type.
    pub value: i64,
    pub encoding: Encoding,
}

/// Adjacent string literals, joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The elements of the array, without the terminating zero: bytes for `Plain` and `Utf8`, UTF-16 units for `Utf16`,
    /// code points for `Utf32` and `Wide`.
    pub units: Vec<u32>,
    pub encoding: Encoding,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// No prefix: `char`.
    Plain,
    /// `u8`: `char` as well.
    Utf8,
    /// `u`: `char16_t`.
    Utf16,
    /// `U`: `char32_t`.
    Utf32,
    /// `L`: `wchar_t`.
    Wide,
}
