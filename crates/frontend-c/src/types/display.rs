//! Types as C writes them.

use super::{ArrayLength, FloatKind, FunctionType, IntKind, Qualifiers, RecordKind, Ty, TypeKind, Types};
use std::fmt;

impl Types {
    /// The type in C's notation, e.g. `int (*)[3]`.
    pub fn display(&self, ty: Ty) -> impl fmt::Display {
        self.declare(ty, "")
    }

    /// A declaration of `name` with the type, without a semicolon.
    pub fn declare(&self, ty: Ty, name: &str) -> String {
        let mut ty = ty;
        let mut declarator = name.to_owned();
        // From the name outwards: each step wraps the declarator and goes on with what the type is made from.
        loop {
            match self.kind(ty) {
                TypeKind::Pointer(target) => {
                    let qualifiers = qualifier_words(ty.qualifiers());
                    let gap = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{qualifiers}{gap}{declarator}");
                    if matches!(self.kind(*target), TypeKind::Array { .. } | TypeKind::Function(_)) {
                        declarator = format!("({declarator})");
                    }
                    ty = *target;
                }
                TypeKind::Array { element, length } => {
                    declarator += &match length {
                        ArrayLength::Known(length) => format!("[{length}]"),
                        ArrayLength::Unknown => "[]".to_owned(),
                        ArrayLength::Variable(_) | ArrayLength::Star => "[*]".to_owned(),
                    };
                    ty = *element;
                }
                TypeKind::Function(function) => {
                    declarator += &self.parameters(function);
                    ty = function.result;
                }
                _ => break,
            }
        }
        let qualifiers = qualifier_words(ty.qualifiers());
        let base = self.base_name(ty);
        let parts = [qualifiers.as_str(), base.as_str(), declarator.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn parameters(&self, function: &FunctionType) -> String {
        if !function.is_prototype {
            return "()".to_owned();
        }
        let mut parts: Vec<String> = function.parameters.iter().map(|ty| self.declare(*ty, "")).collect();
        if function.is_variadic {
            parts.push("...".to_owned());
        } else if parts.is_empty() {
            parts.push("void".to_owned());
        }
        format!("({})", parts.join(", "))
    }

    fn base_name(&self, ty: Ty) -> String {
        match self.kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Int(kind) => int_name(*kind).to_owned(),
            TypeKind::Float(kind) => float_name(*kind).to_owned(),
            TypeKind::BitField { width, signed } => {
                format!("{} of {width} bits", if *signed { "int" } else { "unsigned int" })
            }
            TypeKind::Record(id) => {
                let record = &self[*id];
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                format!("{word} {}", record.tag.map_or("<anonymous>", |tag| tag.as_str()))
            }
            TypeKind::Enum(id) => format!("enum {}", self[*id].tag.map_or("<anonymous>", |tag| tag.as_str())),
            TypeKind::Unsupported { what, .. } => what.to_string(),
            TypeKind::Error => "<unknown type>".to_owned(),
            // These have been taken apart before.
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_) => String::new(),
        }
    }
}

fn qualifier_words(qualifiers: Qualifiers) -> String {
    let words = [
        (Qualifiers::CONST, "const"),
        (Qualifiers::VOLATILE, "volatile"),
        (Qualifiers::RESTRICT, "restrict"),
        (Qualifiers::ATOMIC, "_Atomic"),
    ];
    let set = words.into_iter().filter(|(bit, _)| qualifiers.contains(*bit));
    set.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float32 => "_Float32",
        FloatKind::Float64 => "_Float64",
        FloatKind::Float128 => "_Float128",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64x => "_Float64x",
    }
}
