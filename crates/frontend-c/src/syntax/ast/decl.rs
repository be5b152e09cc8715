//! Declarations: specifiers, declarators, struct and enum bodies, attributes.

use super::{EnumId, ExprId, Name, RecordId, TypeNameId};
use source::{Span, Symbol};

/// `specifiers declarator = init, ...;`. Without declarators it declares a tag at most.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    /// An expression or a [`ExprKind::Braces`](super::ExprKind::Braces).
    pub init: Option<ExprId>,
}

/// `_Static_assert(condition, "message");`
#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub condition: ExprId,
    pub message: Option<String>,
    pub span: Span,
}

/// What stands in front of the declarators and holds for all of them.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub storage: Option<Storage>,
    pub is_thread_local: bool,
    pub is_inline: bool,
    /// `_Noreturn`; the attribute of the same meaning is in `attributes`.
    pub is_noreturn: bool,
    pub qualifiers: Qualifiers,
    pub ty: TypeSpecifier,
    /// Attributes that belong to the declared entities. Those of a struct or enum are with its [`Record`] or [`Enum`].
    pub attributes: Vec<Attribute>,
    /// Where the specifiers stand; empty where the type is an implicit `int` with nothing before it.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeSpecifier {
    Basic(Basic),
    /// `_Complex` with its base type; `_Complex` alone is `double`.
    Complex(Basic),
    Typedef(Symbol),
    Record(RecordId),
    Enum(EnumId),
    TypeofExpr(ExprId),
    TypeofType(TypeNameId),
    /// `_Atomic(type)`; the qualifier `_Atomic` is in [`Qualifiers`].
    Atomic(TypeNameId),
    /// GNU's `__auto_type`.
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    /// Also an omitted type, where old C allows it.
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    Float16,
    Float32,
    Float64,
    /// `_Float128` and `__float128`.
    Float128,
    Float32x,
    Float64x,
    /// `__float80`
    Float80,
    Decimal32,
    Decimal64,
    Decimal128,
    /// `__builtin_va_list`
    VaList,
}

/// The part of a declaration that names one entity.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// `None` in abstract declarators, as in type names and prototypes.
    pub name: Option<Name>,
    /// How the type is derived, from the name outwards: `int *(*f)(int)` has pointer, function, pointer, and reads "f is
    /// a pointer to a function that returns a pointer to" the type of the specifiers.
    pub derived: Vec<Derived>,
    pub attributes: Vec<Attribute>,
    /// The name in the object file, from `asm("name")` after the declarator.
    pub asm_label: Option<Symbol>,
    /// The clauses behind a function's declarator.
    pub contract: Vec<Clause>,
    pub span: Span,
}

/// A part of a function's contract: `__fathom_requires(condition)` and the like.
#[derive(Clone, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    /// A condition, or a list of what may be written or freed.
    pub operands: Vec<ExprId>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// What callers see to.
    Requires,
    /// What holds at the return.
    Ensures,
    /// Nothing else is written.
    Assigns,
    /// Nothing else is freed.
    Frees,
}

#[derive(Clone, Debug)]
pub enum Derived {
    Pointer(Qualifiers),
    Array(ArrayDeclarator),
    Function(Parameters),
}

#[derive(Clone, Copy, Debug)]
pub struct ArrayDeclarator {
    pub size: ArraySize,
    /// `[static n]` in a parameter.
    pub is_static: bool,
    /// Qualifiers of the pointer that an array parameter becomes.
    pub qualifiers: Qualifiers,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArraySize {
    /// `[]`
    Unspecified,
    /// `[*]` in a prototype.
    Star,
    Expr(ExprId),
}

#[derive(Clone, Debug)]
pub enum Parameters {
    /// `()`: nothing is said about them, except in a definition, where there are none.
    Unspecified,
    /// The names of an old-style definition.
    OldStyle(Vec<Name>),
    /// `(void)` gives an empty list.
    Prototype { parameters: Vec<Parameter>, is_variadic: bool },
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    pub span: Span,
}

/// A type where no name is declared: in casts, `sizeof` and the like. The declarator has no name.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    pub span: Span,
}

/// `struct tag { ... }` or `union tag { ... }`, or only a mention of it.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Name>,
    /// `None` when this is not a definition.
    pub members: Option<Vec<MemberItem>>,
    pub attributes: Vec<Attribute>,
    /// The largest alignment of a member in bytes that `#pragma pack` allows at this definition.
    pub pack: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub enum MemberItem {
    Members(MemberDeclaration),
    StaticAssert(StaticAssert),
}

/// `specifiers declarator : width, ...;`. Without declarators it is an anonymous struct or union.
#[derive(Clone, Debug)]
pub struct MemberDeclaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<MemberDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    /// Without a name for an unnamed bit-field.
    pub declarator: Declarator,
    pub bit_width: Option<ExprId>,
}

/// `enum tag { ... }`, or only a mention of it.
#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Name>,
    /// `None` when this is not a definition.
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<ExprId>,
}

/// An attribute that can change what a program means. The others are dropped by the parser.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub kind: AttributeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeKind {
    Packed,
    /// `aligned`, or `aligned(n)`: at least so much.
    Aligned(Option<ExprId>),
    /// `_Alignas(n)`
    AlignasExpr(ExprId),
    /// `_Alignas(type)`
    AlignasType(TypeNameId),
    Noreturn,
    TransparentUnion,
    /// `mode(DI)` and the like, without underscores around the mode.
    Mode(Symbol),
    VectorSize(ExprId),
    Weak,
    /// `alias("name")`
    Alias(Symbol),
    /// `weakref` or `weakref("name")`
    Weakref(Option<Symbol>),
    /// `ifunc("name")`
    Ifunc(Symbol),
    /// `constructor`, or `constructor(priority)`.
    Constructor(Option<ExprId>),
    Destructor(Option<ExprId>),
    /// `cleanup(function)`
    Cleanup(Symbol),
    /// The body serves inlining only: an external definition is elsewhere.
    GnuInline,
    /// Like `setjmp`.
    ReturnsTwice,
    /// The body is assembler only.
    Naked,
    /// Bit-fields are laid out as Microsoft's compiler does.
    MsStruct,
    /// `scalar_storage_order("big-endian")`
    ScalarStorageOrder(Symbol),
}
