//! Compatibility of types from different translation units (C11 6.2.7): each has a table of its own, so tags, members and
//! layouts are compared.
//!
//! Qualifiers other than `_Atomic` are left out of account, as linkers do: they change no representation.

use super::{ArrayLength, FunctionType, RecordId, Ty, TypeKind, Types};
use rustc_hash::FxHashSet;

/// The types of two units.
pub struct Across<'a> {
    left: &'a Types,
    right: &'a Types,
    /// The pairs of records that are taken to be compatible while or after they were compared.
    presumed: FxHashSet<(RecordId, RecordId)>,
}

impl<'a> Across<'a> {
    pub fn new(left: &'a Types, right: &'a Types) -> Across<'a> {
        Across { left, right, presumed: FxHashSet::default() }
    }

    /// Whether a declaration with the left type and one with the right type may be of one entity.
    pub fn compatible(&mut self, a: Ty, b: Ty) -> bool {
        let fits = self.fits(a, b);
        if !fits {
            // What was presumed on the way may rest on what does not hold.
            self.presumed.clear();
        }
        fits
    }

    fn fits(&mut self, a: Ty, b: Ty) -> bool {
        if a.is_error() || b.is_error() {
            return true;
        }
        if a.is_atomic() != b.is_atomic() {
            return false;
        }
        match (self.left.kind(a), self.right.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.fits(*a, *b),
            (TypeKind::Array { element: a, length: m }, TypeKind::Array { element: b, length: n }) => {
                let lengths = match (m, n) {
                    (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.fits(*a, *b)
            }
            (TypeKind::Function(a), TypeKind::Function(b)) => self.compatible_functions(a, b),
            (TypeKind::Record(a), TypeKind::Record(b)) => self.compatible_records(*a, *b),
            (TypeKind::Enum(_), _) | (_, TypeKind::Enum(_)) => self.same_representation(a, b),
            // What else there is has no parts that only its own table knows.
            (left, right) => left == right,
        }
    }

    /// Whether an enumeration is represented as the other type is; one that is not complete yet fits.
    fn same_representation(&self, a: Ty, b: Ty) -> bool {
        let underlying = |types: &'a Types, ty: Ty| match types.kind(ty) {
            TypeKind::Enum(id) => types[*id].underlying.map(|ty| types.kind(ty).clone()),
            kind => Some(kind.clone()),
        };
        match (underlying(self.left, a), underlying(self.right, b)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    fn compatible_functions(&mut self, a: &FunctionType, b: &FunctionType) -> bool {
        if !self.fits(a.result, b.result) {
            return false;
        }
        match (a.is_prototype, b.is_prototype) {
            (true, true) => {
                a.is_variadic == b.is_variadic
                    && a.parameters.len() == b.parameters.len()
                    && a.parameters.iter().zip(&b.parameters).all(|(a, b)| self.fits(*a, *b))
            }
            (false, false) => true,
            (true, false) => self.left.fits_promoted(a),
            (false, true) => self.right.fits_promoted(b),
        }
    }

    fn compatible_records(&mut self, a: RecordId, b: RecordId) -> bool {
        let (left, right) = (&self.left[a], &self.right[b]);
        if left.kind != right.kind || left.tag != right.tag {
            return false;
        }
        let (Some(first), Some(second)) = (&left.layout, &right.layout) else { return true };
        if !self.presumed.insert((a, b)) {
            return true;
        }
        first.size == second.size
            && first.align == second.align
            && first.fields.len() == second.fields.len()
            && first
                .fields
                .iter()
                .zip(&second.fields)
                .all(|(a, b)| a.name == b.name && a.offset == b.offset && a.bits == b.bits && self.fits(a.ty, b.ty))
    }
}
