//! Which types are compatible, and the composite of two that are.

use super::{ArrayLength, FunctionType, Ty, TypeKind, Types};

impl Types {
    /// Whether two declarations may give these types to one entity. Qualifiers count.
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a == b || a.is_error() || b.is_error() {
            return true;
        }
        if a.qualifiers() != b.qualifiers() {
            return false;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.compatible(*a, *b),
            (TypeKind::Array { element: a, length: m }, TypeKind::Array { element: b, length: n }) => {
                let lengths = match (m, n) {
                    (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible(*a, *b)
            }
            (TypeKind::Function(a), TypeKind::Function(b)) => self.compatible_functions(a, b),
            (TypeKind::Enum(id), TypeKind::Int(_)) => {
                self[*id].underlying.is_some_and(|ty| self.kind(ty) == self.kind(b))
            }
            (TypeKind::Int(_), TypeKind::Enum(id)) => {
                self[*id].underlying.is_some_and(|ty| self.kind(ty) == self.kind(a))
            }
            // Types that differ in alignment only.
            (a, b) => a == b,
        }
    }

    /// As [`Types::compatible`], with the outermost qualifiers left out of account.
    pub fn compatible_unqualified(&self, a: Ty, b: Ty) -> bool {
        self.compatible(a.unqualified(), b.unqualified())
    }

    fn compatible_functions(&self, a: &FunctionType, b: &FunctionType) -> bool {
        if !self.compatible_unqualified(a.result, b.result) {
            return false;
        }
        match (a.is_prototype, b.is_prototype) {
            (true, true) => {
                a.is_variadic == b.is_variadic
                    && a.parameters.len() == b.parameters.len()
                    && a.parameters.iter().zip(&b.parameters).all(|(a, b)| self.compatible_parameters(*a, *b))
            }
            (false, false) => true,
            // Without a prototype, arguments are promoted: that must fit the other's parameters.
            (true, false) => self.fits_promoted(a),
            (false, true) => self.fits_promoted(b),
        }
    }

    fn compatible_parameters(&self, a: Ty, b: Ty) -> bool {
        self.compatible_unqualified(a, b) || self.is_transparent_for(a, b) || self.is_transparent_for(b, a)
    }

    /// Whether `union_ty` is a transparent union with a member of type `member`.
    fn is_transparent_for(&self, union_ty: Ty, member: Ty) -> bool {
        let Some(record) = self.record(union_ty).map(|id| &self[id]).filter(|record| record.is_transparent) else {
            return false;
        };
        let fields = record.layout.iter().flat_map(|layout| &layout.fields);
        fields.into_iter().any(|field| self.compatible_unqualified(field.ty, member))
    }

    pub(super) fn fits_promoted(&self, function: &FunctionType) -> bool {
        !function.is_variadic
            && function.parameters.iter().all(|ty| self.compatible_unqualified(*ty, self.promoted_argument(*ty)))
    }

    /// The type that says all that two compatible types say.
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b {
            return a;
        }
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let target = self.composite(x, y);
                self.pointer(target).with(a.qualifiers())
            }
            (TypeKind::Array { element: x, length: m }, TypeKind::Array { element: y, length: n }) => {
                let element = self.composite(x, y);
                let length = match (m, n) {
                    (ArrayLength::Known(_), _) => m,
                    (_, ArrayLength::Known(_)) => n,
                    (ArrayLength::Unknown | ArrayLength::Star, _) => n,
                    _ => m,
                };
                self.array(element, length)
            }
            (TypeKind::Function(x), TypeKind::Function(y)) => {
                let result = self.composite(x.result, y.result);
                let parameters = match (x.is_prototype, y.is_prototype) {
                    (true, true) => {
                        x.parameters.iter().zip(&y.parameters).map(|(x, y)| self.composite(*x, *y)).collect()
                    }
                    (true, false) => x.parameters,
                    _ => y.parameters,
                };
                let is_prototype = x.is_prototype || y.is_prototype;
                let is_variadic = x.is_variadic || y.is_variadic;
                self.function(FunctionType { result, parameters, is_variadic, is_prototype })
            }
            // The enumeration says more than its integer type.
            (TypeKind::Int(_), TypeKind::Enum(_)) => b,
            _ => a,
        }
    }
}
