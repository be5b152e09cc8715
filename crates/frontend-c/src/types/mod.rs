//! C's types: what they are, how large they are, and how they relate.
//!
//! A [`Ty`] is a small copyable name for a type in a [`Types`] table, which belongs to one translation unit and one data
//! model. Qualifiers are part of the name, so `const int` and `int` are two names for types of one [`TypeKind`].
//!
//! Invariants:
//! - Two names are equal exactly when the types are the same, with the same qualifiers; records and enumerations are the
//!   same only if one definition made them. Compatibility, which is coarser, is [`Types::compatible`].
//! - An array never carries qualifiers: they are those of its elements.
//! - Sizes and alignments are those of gcc on i386 and x86-64 Linux.

mod across;
mod compatible;
mod convert;
mod display;
mod kind;
mod layout;
mod table;

pub use across::Across;
pub use kind::*;
pub use layout::{Member, RecordOptions, TooLarge};
pub use table::Types;

use crate::syntax;
use std::ops::BitOr;

/// The name of a type, with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ty(u32);

/// A set of type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Qualifiers(u8);

impl Qualifiers {
    pub const NONE: Qualifiers = Qualifiers(0);
    pub const CONST: Qualifiers = Qualifiers(1);
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    pub const ATOMIC: Qualifiers = Qualifiers(8);
    const BITS: u32 = 4;

    pub fn contains(self, other: Qualifiers) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn without(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 & !other.0)
    }
}

impl BitOr for Qualifiers {
    type Output = Qualifiers;
    fn bitor(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }
}

impl From<syntax::Qualifiers> for Qualifiers {
    fn from(written: syntax::Qualifiers) -> Qualifiers {
        let one = |set: bool, bit: Qualifiers| if set { bit } else { Qualifiers::NONE };
        one(written.is_const, Qualifiers::CONST)
            | one(written.is_volatile, Qualifiers::VOLATILE)
            | one(written.is_restrict, Qualifiers::RESTRICT)
            | one(written.is_atomic, Qualifiers::ATOMIC)
    }
}

impl Ty {
    pub const VOID: Ty = Ty::at(0);
    pub const BOOL: Ty = Ty::at(1);
    /// The type of what was found to be wrong: whatever is done with it is not reported again. It never leaves the
    /// checker.
    pub const ERROR: Ty = Ty::at(2);
    pub const CHAR: Ty = Ty::int(IntKind::Char);
    pub const INT: Ty = Ty::int(IntKind::Int);
    pub const UNSIGNED: Ty = Ty::int(IntKind::UnsignedInt);
    pub const LONG: Ty = Ty::int(IntKind::Long);
    pub const DOUBLE: Ty = Ty::float(FloatKind::Double);

    /// The unqualified type at a position of the table.
    const fn at(index: u32) -> Ty {
        Ty(index << Qualifiers::BITS)
    }

    fn index(self) -> usize {
        (self.0 >> Qualifiers::BITS) as usize
    }

    pub const fn int(kind: IntKind) -> Ty {
        Ty::at(3 + kind as u32)
    }

    pub const fn float(kind: FloatKind) -> Ty {
        Ty::at(3 + IntKind::COUNT + kind as u32)
    }

    pub fn qualifiers(self) -> Qualifiers {
        Qualifiers((self.0 & ((1 << Qualifiers::BITS) - 1)) as u8)
    }

    /// The type without its own qualifiers. (Those of what it points to, or of its elements, stay.)
    pub fn unqualified(self) -> Ty {
        Ty::at(self.0 >> Qualifiers::BITS)
    }

    /// The type with exactly these qualifiers. Not for arrays: see [`Types::qualified`].
    fn with(self, qualifiers: Qualifiers) -> Ty {
        Ty(self.unqualified().0 | u32::from(qualifiers.0))
    }

    pub fn is_const(self) -> bool {
        self.qualifiers().contains(Qualifiers::CONST)
    }

    pub fn is_volatile(self) -> bool {
        self.qualifiers().contains(Qualifiers::VOLATILE)
    }

    /// Every access is one indivisible step.
    pub fn is_atomic(self) -> bool {
        self.qualifiers().contains(Qualifiers::ATOMIC)
    }

    pub fn is_void(self) -> bool {
        self.unqualified() == Ty::VOID
    }

    pub fn is_bool(self) -> bool {
        self.unqualified() == Ty::BOOL
    }

    pub fn is_error(self) -> bool {
        self.unqualified() == Ty::ERROR
    }
}
