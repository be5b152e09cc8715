//! Attributes that choose types and alignments.

use super::Checker;
use crate::syntax::{Attribute, AttributeKind};
use crate::types::{FloatKind, IntKind, Scalar, Ty, TypeKind};
use ir::DataModel;
use source::Symbol;

/// The largest alignment that gcc takes, in bytes.
const MAX_ALIGN: i128 = 1 << 28;

impl Checker<'_> {
    /// The type after attributes that choose another one: `mode`, `vector_size`.
    pub(super) fn attributed_type(&mut self, ty: Ty, attributes: &[Attribute]) -> Ty {
        let mut ty = ty;
        for attribute in attributes {
            match &attribute.kind {
                AttributeKind::Mode(mode) => match self.type_of_mode(ty, *mode) {
                    Some(chosen) => ty = self.types.qualified(chosen, ty.qualifiers()),
                    None => self.error(attribute.span, format!("there is no type of mode `{mode}` here")),
                },
                AttributeKind::VectorSize(size) => {
                    if let Some((size, _)) = self.constant_int(*size, "the size of a vector") {
                        let size = u64::try_from(size).unwrap_or(0);
                        let align = u32::try_from(size).unwrap_or(1).clamp(1, 64);
                        ty = self.types.intern(TypeKind::Unsupported { what: "vectors".into(), size, align });
                    }
                }
                _ => {}
            }
        }
        ty
    }

    /// The type of the same kind and sign in another machine mode.
    fn type_of_mode(&mut self, ty: Ty, mode: Symbol) -> Option<Ty> {
        if ty.is_error() {
            return Some(ty);
        }
        let is_64 = self.types.model() == DataModel::Lp64;
        let int = match mode.as_str() {
            "QI" | "byte" => Some(IntKind::SignedChar),
            "HI" => Some(IntKind::Short),
            "SI" => Some(IntKind::Int),
            "DI" => Some(if is_64 { IntKind::Long } else { IntKind::LongLong }),
            "TI" => Some(IntKind::Int128),
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                Some(if is_64 { IntKind::Long } else { IntKind::Int })
            }
            _ => None,
        };
        let float = match mode.as_str() {
            "HF" => Some(FloatKind::Float16),
            "SF" => Some(FloatKind::Float),
            "DF" => Some(FloatKind::Double),
            "XF" => Some(FloatKind::LongDouble),
            "TF" => Some(FloatKind::Float128),
            _ => None,
        };
        match (self.types.scalar(ty), int, float) {
            (Some(Scalar::Int { signed: true, .. }), Some(int), _) => Some(Ty::int(int)),
            (Some(Scalar::Int { .. }), Some(int), _) => Some(Ty::int(int.to_unsigned())),
            (Some(Scalar::Float(_)), _, Some(float)) => Some(Ty::float(float)),
            (Some(Scalar::Pointer), Some(_), _) => Some(ty.unqualified()),
            _ if matches!(mode.as_str(), "SC" | "DC" | "XC" | "TC") || mode.as_str().starts_with('V') => {
                let what = if mode.as_str().starts_with('V') { "vectors" } else { "complex numbers" };
                Some(self.types.intern(TypeKind::Unsupported { what: what.into(), size: 16, align: 16 }))
            }
            _ => None,
        }
    }

    /// The largest alignment that the attributes ask for, in bytes.
    pub(super) fn chosen_align(&mut self, attributes: &[Attribute]) -> Option<u32> {
        let mut chosen = None;
        for attribute in attributes {
            let align = match attribute.kind {
                // The largest that the machine has a use for.
                AttributeKind::Aligned(None) => Some(16),
                AttributeKind::Aligned(Some(value)) | AttributeKind::AlignasExpr(value) => {
                    let constant = self.constant_int(value, "an alignment");
                    constant.and_then(|(value, _)| self.checked_align(value, attribute))
                }
                AttributeKind::AlignasType(name) => {
                    let (ty, _) = self.type_name_with_effects(name);
                    Some(self.types.member_align(ty))
                }
                _ => None,
            };
            chosen = chosen.max(align);
        }
        chosen
    }

    fn checked_align(&mut self, value: i128, attribute: &Attribute) -> Option<u32> {
        // `_Alignas(0)` says nothing.
        if value == 0 && matches!(attribute.kind, AttributeKind::AlignasExpr(_)) {
            return None;
        }
        if !(1..=MAX_ALIGN).contains(&value) || value & (value - 1) != 0 {
            self.error(attribute.span, format!("{value} is not an alignment: it must be a power of two"));
            return None;
        }
        Some(value as u32)
    }
}

/// Whether one of the attributes is this one.
pub(super) fn has(attributes: &[Attribute], test: impl Fn(&AttributeKind) -> bool) -> bool {
    attributes.iter().any(|attribute| test(&attribute.kind))
}
