//! What a type is.

use super::Ty;
use source::{Span, Symbol};
use term::FloatFormat;

pub use crate::syntax::RecordKind;

/// What a type is, qualifiers aside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    Void,
    Bool,
    /// See [`Ty::ERROR`].
    Error,
    Int(IntKind),
    Float(FloatKind),
    /// An integer of a width that no declared type has: what arithmetic on a bit-field wider than `int` works with.
    BitField {
        width: u32,
        signed: bool,
    },
    Pointer(Ty),
    Array {
        element: Ty,
        length: ArrayLength,
    },
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// A type that Fathom has no values for: complex numbers, vectors, decimal floats. What it is, with its size and
    /// alignment.
    Unsupported {
        what: Symbol,
        size: u64,
        align: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

impl IntKind {
    pub const ALL: [IntKind; IntKind::COUNT as usize] = [
        IntKind::Char,
        IntKind::SignedChar,
        IntKind::UnsignedChar,
        IntKind::Short,
        IntKind::UnsignedShort,
        IntKind::Int,
        IntKind::UnsignedInt,
        IntKind::Long,
        IntKind::UnsignedLong,
        IntKind::LongLong,
        IntKind::UnsignedLongLong,
        IntKind::Int128,
        IntKind::UnsignedInt128,
    ];
    pub(super) const COUNT: u32 = IntKind::UnsignedInt128 as u32 + 1;

    pub fn is_signed(self) -> bool {
        !matches!(
            self,
            IntKind::UnsignedChar
                | IntKind::UnsignedShort
                | IntKind::UnsignedInt
                | IntKind::UnsignedLong
                | IntKind::UnsignedLongLong
                | IntKind::UnsignedInt128
        )
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SignedChar => IntKind::UnsignedChar,
            IntKind::Short => IntKind::UnsignedShort,
            IntKind::Int => IntKind::UnsignedInt,
            IntKind::Long => IntKind::UnsignedLong,
            IntKind::LongLong => IntKind::UnsignedLongLong,
            IntKind::Int128 => IntKind::UnsignedInt128,
            unsigned => unsigned,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    Float128,
    Float32x,
    Float64x,
}

impl FloatKind {
    pub const ALL: [FloatKind; 9] = [
        FloatKind::Float16,
        FloatKind::Float,
        FloatKind::Double,
        FloatKind::LongDouble,
        FloatKind::Float32,
        FloatKind::Float64,
        FloatKind::Float128,
        FloatKind::Float32x,
        FloatKind::Float64x,
    ];

    /// The values of the type.
    pub fn format(self) -> FloatFormat {
        match self {
            FloatKind::Float16 => FloatFormat::HALF,
            FloatKind::Float | FloatKind::Float32 => FloatFormat::SINGLE,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => FloatFormat::DOUBLE,
            FloatKind::LongDouble | FloatKind::Float64x => FloatFormat::EXTENDED,
            FloatKind::Float128 => FloatFormat::QUAD,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    Known(u64),
    /// `[]`: an incomplete type, or a flexible member at the end of a struct.
    Unknown,
    /// A variable length array: the number of elements is in this variable of the function, of type `size_t`, which is
    /// set where the type is evaluated and never changes after.
    Variable(crate::hir::LocalId),
    /// `[*]`, and a variable length in the type of a function.
    Star,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub result: Ty,
    /// Unqualified; arrays and functions have become pointers.
    pub parameters: Box<[Ty]>,
    pub is_variadic: bool,
    /// Whether the declaration says what the parameters are. If not, arguments are passed after default promotions.
    pub is_prototype: bool,
}

/// What values a scalar type has: all that matters once conversions are explicit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `_Bool`, and every truth value. In memory it takes one byte, 0 or 1.
    Bool,
    /// Also enumerations.
    Int {
        width: u32,
        signed: bool,
    },
    Float(FloatFormat),
    Pointer,
}

/// Names a record of its [`Types`](super::Types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(pub(super) u32);

/// Names an enumeration of its [`Types`](super::Types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnumId(pub(super) u32);

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub span: Span,
    /// `None` while the type is incomplete.
    pub layout: Option<Layout>,
    /// A union that as a parameter takes any argument that one of its members would take.
    pub is_transparent: bool,
}

/// Where the members of a record are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// In the order of declaration, with unnamed bit-fields left out (nothing can name them) and anonymous structs and
    /// unions as fields without a name.
    pub fields: Vec<Field>,
    /// In bytes, without a flexible array member.
    pub size: u64,
    /// In bytes.
    pub align: u32,
    /// Whether an attribute had a say in `align`.
    pub(super) is_user_aligned: bool,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// `None` for an anonymous struct or union.
    pub name: Option<Symbol>,
    /// The declared type.
    pub ty: Ty,
    /// In bytes from the start of the record; for a bit-field, where its unit begins.
    pub offset: u64,
    pub bits: Option<Bits>,
    pub span: Span,
}

/// Where a bit-field is in its unit: the bytes to load or store as one little-endian number to get at it.
///
/// The unit holds no members but bit-fields that C counts to the same memory location: those beside each other, up to
/// one of width 0. All of them have the same unit if it is not larger than eight bytes. Otherwise a field's unit is as
/// large as its declared type, or (packed fields) consists of the bytes that the field touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The size of the unit in bytes; the unit starts at [`Field::offset`].
    pub unit: u32,
    /// The position of the lowest bit in the unit.
    pub shift: u32,
    /// At least 1.
    pub width: u32,
}

impl Bits {
    /// How many bytes of the unit come before those that the field has a part of, and how many these are.
    pub fn bytes(&self) -> (u32, u32) {
        let first = self.shift / 8;
        (first, (self.shift + self.width).div_ceil(8) - first)
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The integer type that represents it; `None` while the type is incomplete.
    pub underlying: Option<Ty>,
    pub enumerators: Vec<(Symbol, i128)>,
}
