//! The type that specifiers and type names mean.

use super::Checker;
use super::scope::Entity;
use crate::hir::ExprId;
use crate::syntax::{Basic, Specifiers, TypeNameId, TypeSpecifier};
use crate::types::{ArrayLength, FloatKind, IntKind, Member, RecordKind, RecordOptions, Ty, TypeKind};
use ir::DataModel;
use source::{Span, Symbol};

impl Checker<'_> {
    /// The type that stands in front of declarators, with its qualifiers and the attributes that concern it.
    pub(super) fn specified_type(&mut self, specifiers: &Specifiers) -> Ty {
        let ty = match specifiers.ty {
            TypeSpecifier::Basic(basic) => self.basic_type(basic),
            TypeSpecifier::Complex(base) => self.complex_type(base),
            TypeSpecifier::Typedef(name) => self.typedef(name, specifiers.span),
            TypeSpecifier::Record(id) => self.record_type(id, specifiers.span),
            TypeSpecifier::Enum(id) => self.enum_type(id),
            TypeSpecifier::TypeofExpr(expr) => {
                let mark = self.tables.mark();
                let operand = self.unevaluated(expr);
                let ty = self.operand_type(operand);
                self.tables.reset(mark);
                ty
            }
            TypeSpecifier::TypeofType(name) => self.type_name(name),
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_name(name);
                self.types.qualified(ty, crate::types::Qualifiers::ATOMIC)
            }
            // The initialiser decides; whoever declares something looks for this first.
            TypeSpecifier::Auto => Ty::INT,
        };
        if specifiers.qualifiers.is_restrict && !self.types.is_pointer(ty) && !ty.is_error() {
            self.error(specifiers.span, format!("`restrict` is for pointers, not for {}", self.quoted(ty)));
        }
        self.types.qualified(ty, specifiers.qualifiers.into())
    }

    fn typedef(&mut self, name: Symbol, span: Span) -> Ty {
        match self.scopes.find(name).map(|binding| binding.meaning) {
            Some(Entity::Typedef(ty)) => ty,
            Some(Entity::Error) => Ty::ERROR,
            _ => {
                self.error(span, format!("`{name}` is not a type here"));
                Ty::ERROR
            }
        }
    }

    pub(super) fn basic_type(&mut self, basic: Basic) -> Ty {
        match basic {
            Basic::Void => Ty::VOID,
            Basic::Bool => Ty::BOOL,
            Basic::Char => Ty::CHAR,
            Basic::SignedChar => Ty::int(IntKind::SignedChar),
            Basic::UnsignedChar => Ty::int(IntKind::UnsignedChar),
            Basic::Short => Ty::int(IntKind::Short),
            Basic::UnsignedShort => Ty::int(IntKind::UnsignedShort),
            Basic::Int => Ty::INT,
            Basic::UnsignedInt => Ty::UNSIGNED,
            Basic::Long => Ty::LONG,
            Basic::UnsignedLong => Ty::int(IntKind::UnsignedLong),
            Basic::LongLong => Ty::int(IntKind::LongLong),
            Basic::UnsignedLongLong => Ty::int(IntKind::UnsignedLongLong),
            Basic::Int128 => Ty::int(IntKind::Int128),
            Basic::UnsignedInt128 => Ty::int(IntKind::UnsignedInt128),
            Basic::Float => Ty::float(FloatKind::Float),
            Basic::Double => Ty::DOUBLE,
            Basic::LongDouble | Basic::Float80 => Ty::float(FloatKind::LongDouble),
            Basic::Float16 => Ty::float(FloatKind::Float16),
            Basic::Float32 => Ty::float(FloatKind::Float32),
            Basic::Float64 => Ty::float(FloatKind::Float64),
            Basic::Float128 => Ty::float(FloatKind::Float128),
            Basic::Float32x => Ty::float(FloatKind::Float32x),
            Basic::Float64x => Ty::float(FloatKind::Float64x),
            Basic::Decimal32 => self.decimal_type(4, 4),
            Basic::Decimal64 => self.decimal_type(8, 8),
            Basic::Decimal128 => self.decimal_type(16, 16),
            Basic::VaList => self.va_list_type(),
        }
    }

    fn decimal_type(&mut self, size: u64, align: u32) -> Ty {
        self.types.intern(TypeKind::Unsupported { what: "decimal floating point".into(), size, align })
    }

    /// Pairs of numbers; Fathom has no values for them.
    pub(super) fn complex_type(&mut self, base: Basic) -> Ty {
        let base = self.basic_type(base);
        let (size, align) = (2 * self.types.size(base).unwrap_or(8), self.types.align(base));
        self.types.intern(TypeKind::Unsupported { what: "complex numbers".into(), size, align })
    }

    /// `__builtin_va_list`: a pointer on i386, an array of one struct on x86-64.
    pub(super) fn va_list_type(&mut self) -> Ty {
        if let Some(known) = self.va_list {
            return known;
        }
        let ty = match self.types.model() {
            DataModel::Ilp32 => self.types.pointer(Ty::CHAR),
            DataModel::Lp64 => {
                let span = Span::new(self.unit.file, 0, 0);
                let (record, ty) = self.types.new_record(RecordKind::Struct, Some("__va_list_tag".into()), span);
                let pointer = self.types.pointer(Ty::VOID);
                let fields = [
                    ("gp_offset", Ty::UNSIGNED),
                    ("fp_offset", Ty::UNSIGNED),
                    ("overflow_arg_area", pointer),
                    ("reg_save_area", pointer),
                ];
                let members = fields.map(|(name, ty)| Member {
                    name: Some(name.into()),
                    ty,
                    bit_width: None,
                    is_packed: false,
                    align: None,
                    span,
                });
                let options = RecordOptions { kind: RecordKind::Struct, is_packed: false, align: None, pack: None };
                if let Ok(layout) = self.types.lay_out(options, &members) {
                    self.types.set_layout(record, layout);
                }
                self.types.array(ty, ArrayLength::Known(1))
            }
        };
        self.va_list = Some(ty);
        ty
    }

    /// The type that a type name means. What computes its variable lengths is left in `vla_effects`.
    pub(super) fn type_name(&mut self, id: TypeNameId) -> Ty {
        let unit = self.unit;
        let name = &unit[id];
        let base = self.specified_type(&name.specifiers);
        let base = self.attributed_type(base, &name.specifiers.attributes);
        let ty = self.declared_type(base, &name.declarator);
        self.attributed_type(ty, &name.declarator.attributes)
    }

    /// The type that a type name means, and what computes its variable lengths.
    pub(super) fn type_name_with_effects(&mut self, id: TypeNameId) -> (Ty, Vec<ExprId>) {
        let outer = std::mem::take(&mut self.vla_effects);
        let ty = self.type_name(id);
        (ty, std::mem::replace(&mut self.vla_effects, outer))
    }
}
