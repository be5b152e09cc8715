//! Literals: numbers, characters, strings, and `__func__`.

use super::expr::Operand;
use super::{Checker, float};
use crate::hir::{
    ExprId, ExprKind, GlobalId, GlobalOrigin, PlaceId, PlaceKind, StaticEntry, StaticValue, StringId, StringLiteral,
};
use crate::syntax::{self, Base, CharLiteral, Encoding, FloatLiteral, FloatSuffix, IntLength, IntLiteral};
use crate::types::{ArrayLength, FloatKind, IntKind, Qualifiers, Scalar, Ty};
use source::{Span, Symbol};

impl Checker<'_> {
    pub(super) fn int_literal(&mut self, literal: IntLiteral, span: Span) -> ExprId {
        if literal.imaginary {
            let ty = self.complex_type(syntax::Basic::Int);
            return self.unsupported("complex numbers", ty, span);
        }
        let kind = self.int_literal_kind(literal);
        let value = self.int_shape(Ty::int(kind)).map_or(0, |shape| shape.wrap(literal.value as i128));
        self.int(value, Ty::int(kind), span)
    }

    /// The first type of C's list for the literal that has its value.
    fn int_literal_kind(&self, literal: IntLiteral) -> IntKind {
        let from = match literal.length {
            IntLength::None => 0,
            IntLength::Long => 1,
            IntLength::LongLong => 2,
        };
        let signed = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        for kind in signed.into_iter().skip(from) {
            let width = self.types.int_width(kind);
            if !literal.unsigned && literal.value >> (width - 1) == 0 {
                return kind;
            }
            // Only a decimal literal without `u` never becomes unsigned (while a signed type is left).
            if (literal.unsigned || literal.base != Base::Decimal) && literal.value >> width == 0 {
                return kind.to_unsigned();
            }
        }
        // gcc takes what is larger as unsigned.
        IntKind::UnsignedLongLong
    }

    pub(super) fn float_literal(&mut self, literal: &FloatLiteral, span: Span) -> ExprId {
        let ty = match literal.suffix {
            FloatSuffix::None => Ty::DOUBLE,
            FloatSuffix::Float => Ty::float(FloatKind::Float),
            FloatSuffix::LongDouble => Ty::float(FloatKind::LongDouble),
            FloatSuffix::Sized(basic) => self.basic_type(basic),
        };
        if literal.imaginary {
            let ty = self.complex_type(syntax::Basic::Double);
            return self.unsupported("complex numbers", ty, span);
        }
        let Some(Scalar::Float(format)) = self.types.scalar(ty) else {
            let what = self.types.unsupported(ty).unwrap_or("this number".into());
            return self.unsupported(what, ty, span);
        };
        match float::parse(format, &literal.digits) {
            Some(bits) => self.value(ExprKind::Float(bits), ty, span),
            None => self.fail(span, "this is not a number"),
        }
    }

    pub(super) fn char_literal(&mut self, literal: CharLiteral, span: Span) -> ExprId {
        let ty = match literal.encoding {
            Encoding::Plain => Ty::INT,
            Encoding::Utf8 => Ty::int(IntKind::UnsignedChar),
            encoding => self.character_type(encoding),
        };
        let value = self.int_shape(ty).map_or(0, |shape| shape.wrap(i128::from(literal.value)));
        self.int(value, ty, span)
    }

    /// The elements of a string literal.
    fn character_type(&self, encoding: Encoding) -> Ty {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => Ty::CHAR,
            Encoding::Utf16 => Ty::int(IntKind::UnsignedShort),
            Encoding::Utf32 => Ty::UNSIGNED,
            Encoding::Wide => self.types.wchar_type(),
        }
    }

    pub(super) fn string(&mut self, literal: &syntax::StringLiteral, span: Span) -> Operand {
        let element = self.character_type(literal.encoding);
        let size = self.types.size(element).unwrap_or(1) as usize;
        let units = literal.units.iter().chain(&[0]);
        let bytes: Vec<u8> = units.flat_map(|unit| unit.to_le_bytes().into_iter().take(size)).collect();
        let ty = self.types.array(element, ArrayLength::Known(literal.units.len() as u64 + 1));
        let id = self.intern_string(bytes, ty, span);
        Operand::Place(self.tables.place(PlaceKind::String(id), ty, span))
    }

    fn intern_string(&mut self, bytes: Vec<u8>, ty: Ty, span: Span) -> StringId {
        let next = StringId(self.strings.len() as u32);
        let id = *self.string_ids.entry((bytes.clone(), ty)).or_insert(next);
        if id == next {
            self.strings.push(StringLiteral { bytes, ty, span });
        }
        id
    }

    /// `__func__` and its kin, inside a function: an array of `const char`.
    pub(super) fn function_name(&mut self, name: Symbol, span: Span) -> Option<PlaceId> {
        if !matches!(name.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return None;
        }
        let global = match self.frame.as_ref()?.name_variable {
            Some(known) => known,
            None => {
                let global = self.make_function_name(name)?;
                self.frame.as_mut()?.name_variable = Some(global);
                global
            }
        };
        let ty = self.globals[global.index()].ty;
        Some(self.tables.place(PlaceKind::Global(global), ty, span))
    }

    fn make_function_name(&mut self, name: Symbol) -> Option<GlobalId> {
        let frame = self.frame.as_ref()?;
        let (function, span) = (frame.function, frame.span);
        let text = self.functions[function.index()].name;
        let character = self.types.qualified(Ty::CHAR, Qualifiers::CONST);
        let ty = self.types.array(character, ArrayLength::Known(text.as_str().len() as u64 + 1));
        let global = self.static_object(name, GlobalOrigin::Static(function), ty, span);
        let bytes = text.as_str().bytes().enumerate();
        let entries = bytes.map(|(at, byte)| StaticEntry {
            offset: at as u64,
            bits: None,
            ty: Ty::CHAR,
            value: StaticValue::Int(i128::from(byte as i8)),
        });
        self.globals[global.index()].init = Some(entries.collect());
        Some(global)
    }
}
