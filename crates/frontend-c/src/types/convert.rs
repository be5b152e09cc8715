//! The types that operands take by themselves: integer promotions, the usual arithmetic conversions, and the default
//! promotions of arguments.

use super::{FloatKind, IntKind, Scalar, Ty, TypeKind, Types};
use term::FloatFormat;

impl Types {
    /// What an operand of an integer type becomes in arithmetic. Other types stay. The result has no qualifiers.
    pub fn promoted(&self, ty: Ty) -> Ty {
        match *self.kind(ty) {
            TypeKind::Bool => Ty::INT,
            TypeKind::Int(kind) if self.int_width(kind) < self.int_width(IntKind::Int) => Ty::INT,
            TypeKind::Enum(id) => self[id].underlying.map_or(Ty::ERROR, |underlying| self.promoted(underlying)),
            // A name without the alignment that an attribute may have given to a typedef.
            TypeKind::Int(kind) => Ty::int(kind),
            TypeKind::Float(kind) => Ty::float(kind),
            _ => ty.unqualified(),
        }
    }

    /// What a bit-field of the declared type becomes in arithmetic. gcc works with exactly as many bits as it has if
    /// `int` has fewer.
    pub fn promoted_bit_field(&mut self, declared: Ty, width: u32) -> Ty {
        let Some(Scalar::Int { width: full, signed }) = self.scalar(declared) else { return Ty::INT };
        let int = self.int_width(IntKind::Int);
        if width < int {
            Ty::INT
        } else if width == int {
            if signed { Ty::INT } else { Ty::UNSIGNED }
        } else if width == full {
            self.promoted(declared)
        } else {
            self.intern(TypeKind::BitField { width, signed })
        }
    }

    /// What an argument becomes where no prototype says its type.
    pub fn promoted_argument(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Float(FloatKind::Float) => Ty::DOUBLE,
            _ => self.promoted(ty),
        }
    }

    /// The type in which two arithmetic operands are combined.
    pub fn usual_arithmetic(&self, left: Ty, right: Ty) -> Ty {
        let (left, right) = (self.promoted(left), self.promoted(right));
        match (self.kind(left), self.kind(right)) {
            (TypeKind::Float(a), TypeKind::Float(b)) => {
                Ty::float(if float_rank(*a) >= float_rank(*b) { *a } else { *b })
            }
            (TypeKind::Float(_), _) => left,
            (_, TypeKind::Float(_)) => right,
            _ => self.common_integer(left, right),
        }
    }

    fn common_integer(&self, left: Ty, right: Ty) -> Ty {
        let (Some(Scalar::Int { width: left_width, signed: left_signed }), Some(Scalar::Int { width, signed })) =
            (self.scalar(left), self.scalar(right))
        else {
            return Ty::ERROR;
        };
        if left_width != width {
            return if left_width > width { left } else { right };
        }
        let rank = |ty: Ty| match self.kind(ty) {
            TypeKind::Int(kind) => Some(kind.to_unsigned()),
            // Arithmetic on bit-fields has the lowest rank of its width.
            _ => None,
        };
        let higher = if rank(left) >= rank(right) { left } else { right };
        match (left_signed && signed, self.kind(higher)) {
            (false, TypeKind::Int(kind)) => Ty::int(kind.to_unsigned()),
            (false, _) if left_signed => right,
            (false, _) => left,
            (true, _) => higher,
        }
    }
}

/// By range and precision; of equal formats the one that gcc prefers.
fn float_rank(kind: FloatKind) -> (u32, u32) {
    let FloatFormat { exponent, significand } = kind.format();
    let preference = match kind {
        FloatKind::Float16 | FloatKind::Float32 | FloatKind::Float64 | FloatKind::Float128 => 3,
        FloatKind::Float | FloatKind::Double | FloatKind::LongDouble => 2,
        FloatKind::Float32x | FloatKind::Float64x => 1,
    };
    (exponent * 1000 + significand, preference)
}
