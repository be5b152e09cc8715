//! Enumerations: the values of their constants, and the integer type that holds them.

use super::Checker;
use super::attribute::has;
use super::number::IntShape;
use super::scope::{Entity, Tag};
use crate::syntax::{self, AttributeKind, Enumerator};
use crate::types::{EnumId, IntKind, Ty};
use source::{Diagnostic, Symbol};

impl Checker<'_> {
    /// The type that `enum tag`, with or without constants, means here.
    pub(super) fn enum_type(&mut self, id: syntax::EnumId) -> Ty {
        let unit = self.unit;
        let written = &unit[id];
        let (enumeration, ty) = match self.find_enum(written) {
            Ok(found) => found,
            Err(()) => return Ty::ERROR,
        };
        let Some(enumerators) = &written.enumerators else { return ty };
        if self.types[enumeration].underlying.is_some() {
            let first = self.types[enumeration].span;
            self.report(
                Diagnostic::error(written.span, "this enumeration is defined a second time")
                    .secondary(first, "the first definition is here"),
            );
            return Ty::ERROR;
        }
        let is_packed = has(&written.attributes, |kind| matches!(kind, AttributeKind::Packed));
        let mode = written.attributes.iter().find_map(|attribute| match attribute.kind {
            AttributeKind::Mode(mode) => Some(mode),
            _ => None,
        });
        self.define_enum(enumeration, ty, enumerators, is_packed, mode);
        ty
    }

    fn find_enum(&mut self, written: &syntax::Enum) -> Result<(EnumId, Ty), ()> {
        let Some(tag) = written.tag else { return Ok(self.types.new_enum(None, written.span)) };
        let is_definition = written.enumerators.is_some();
        let known =
            if is_definition { self.scopes.find_tag_here(tag.symbol) } else { self.scopes.find_tag(tag.symbol) };
        match known.map(|binding| (binding.meaning, binding.span)) {
            Some((Tag::Enum(enumeration, ty), _)) => Ok((enumeration, ty)),
            Some((Tag::Record(..), span)) => {
                self.report(
                    Diagnostic::error(tag.span, format!("`{}` is another kind of tag", tag.symbol))
                        .secondary(span, "declared here"),
                );
                Err(())
            }
            None => {
                let (enumeration, ty) = self.types.new_enum(Some(tag.symbol), tag.span);
                self.scopes.declare_tag(tag.symbol, Tag::Enum(enumeration, ty), tag.span);
                Ok((enumeration, ty))
            }
        }
    }

    fn define_enum(
        &mut self,
        enumeration: EnumId,
        ty: Ty,
        enumerators: &[Enumerator],
        is_packed: bool,
        mode: Option<Symbol>,
    ) {
        let mut values: Vec<(Symbol, i128)> = Vec::with_capacity(enumerators.len());
        let mut next = (0, Ty::INT);
        for enumerator in enumerators {
            let name = enumerator.name;
            let shown = format!("the value of `{}`", name.symbol);
            let (value, value_ty) = match enumerator.value {
                Some(expr) => self.constant_int(expr, &shown).unwrap_or((0, Ty::INT)),
                None => next,
            };
            // While the list is read, a constant that fits `int` is one.
            let value_ty = if self.fits(value, Ty::INT) { Ty::INT } else { self.types.promoted(value_ty) };
            self.declare_enumerator(name, value, value_ty);
            values.push((name.symbol, value));
            next = self.successor(value, value_ty);
        }
        let underlying = self.underlying_type(&values, is_packed, mode);
        self.types.set_enum(enumeration, underlying, values.clone());
        // A constant that does not fit `int` has the type of its enumeration.
        for (enumerator, (_, value)) in enumerators.iter().zip(values) {
            if !self.fits(value, Ty::INT) {
                let meaning = Entity::Enumerator { value, ty };
                self.scopes.declare(enumerator.name.symbol, meaning, enumerator.name.span);
            }
        }
    }

    fn declare_enumerator(&mut self, name: syntax::Name, value: i128, ty: Ty) {
        if let Some(known) = self.scopes.find_here(name.symbol)
            && known.meaning != Entity::Error
        {
            self.report(
                Diagnostic::error(name.span, format!("`{}` is declared a second time", name.symbol))
                    .secondary(known.span, "the first declaration is here"),
            );
        }
        self.scopes.declare(name.symbol, Entity::Enumerator { value, ty }, name.span);
    }

    fn fits(&self, value: i128, ty: Ty) -> bool {
        self.int_shape(ty).is_some_and(|shape| shape.contains(value))
    }

    /// The value after a constant, in the first type of its size or larger that has it.
    fn successor(&self, value: i128, ty: Ty) -> (i128, Ty) {
        let next = value.wrapping_add(1);
        let wider =
            [IntKind::UnsignedInt, IntKind::Long, IntKind::UnsignedLong, IntKind::LongLong, IntKind::UnsignedLongLong];
        let candidates = std::iter::once(ty).chain(wider.map(Ty::int));
        match candidates.into_iter().find(|ty| self.fits(next, *ty)) {
            Some(ty) => (next, ty),
            None => (0, Ty::INT),
        }
    }

    /// The integer type that gcc chooses for the values.
    fn underlying_type(&mut self, values: &[(Symbol, i128)], is_packed: bool, mode: Option<Symbol>) -> Ty {
        let least = values.iter().map(|(_, value)| *value).min().unwrap_or(0);
        let greatest = values.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let small = [IntKind::SignedChar, IntKind::Short];
        let usual = [IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128];
        let candidates = small.into_iter().filter(|_| is_packed).chain(usual);
        for kind in candidates {
            let width = self.types.int_width(kind);
            // Without negative values the type is unsigned.
            let signed = least < 0;
            let shape = IntShape { width, signed };
            if shape.contains(least) && shape.contains(greatest) {
                let ty = Ty::int(if signed { kind } else { kind.to_unsigned() });
                return mode.and_then(|mode| self.mode_of_enum(ty, mode)).unwrap_or(ty);
            }
        }
        Ty::int(IntKind::LongLong)
    }

    fn mode_of_enum(&self, ty: Ty, mode: Symbol) -> Option<Ty> {
        let kind = match mode.as_str() {
            "QI" | "byte" => IntKind::SignedChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            _ => return None,
        };
        let signed = self.int_shape(ty)?.signed;
        Some(Ty::int(if signed { kind } else { kind.to_unsigned() }))
    }
}
