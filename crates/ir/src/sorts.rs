//! The short notation of sorts in declarations: `bv32`, `int`, `ptr64`. SMT-LIB's is understood besides.
//!
//! Only what has no short name is written as terms write it. A user's sort whose name reads as a short one is written
//! between bars, so that each text means one sort.

use std::fmt::{self, Write};
use term::{FloatFormat, MAX_WIDTH, Sort, SortKind};

/// Sorts may be nested this deep: one that is not nested has the depth 1.
pub(crate) const MAX_DEPTH: u32 = 100;

const FLOATS: [(&str, FloatFormat); 5] = [
    ("float16", FloatFormat::HALF),
    ("float32", FloatFormat::SINGLE),
    ("float64", FloatFormat::DOUBLE),
    ("float80", FloatFormat::EXTENDED),
    ("float128", FloatFormat::QUAD),
];

/// The sort of a short name.
pub(crate) fn by_short_name(name: &str) -> Option<Sort> {
    Some(match name {
        "bool" => Sort::bool(),
        "int" => Sort::int(),
        "real" => Sort::real(),
        "ptr32" => Sort::pointer(32),
        "ptr64" => Sort::pointer(64),
        "mem32" => Sort::memory(32),
        "mem64" => Sort::memory(64),
        _ => match name.strip_prefix("bv") {
            Some(digits) if !digits.starts_with(['0', '+']) => {
                let width = digits.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width))?;
                Sort::bv(width)
            }
            _ => Sort::float(FLOATS.iter().find(|(float, _)| *float == name)?.1),
        },
    })
}

/// Writes a sort.
pub(crate) fn write_sort(out: &mut impl Write, sort: Sort) -> fmt::Result {
    match sort.kind() {
        SortKind::Bool => out.write_str("bool"),
        SortKind::Int => out.write_str("int"),
        SortKind::Real => out.write_str("real"),
        SortKind::BitVec(width) => write!(out, "bv{width}"),
        SortKind::Pointer(width) => write!(out, "ptr{width}"),
        SortKind::Memory(width) => write!(out, "mem{width}"),
        SortKind::Float(format) => match FLOATS.iter().find(|(_, known)| known == format) {
            Some((name, _)) => out.write_str(name),
            None => write!(out, "{sort}"),
        },
        SortKind::Array(index, element) => {
            out.write_str("(Array ")?;
            write_sort(out, *index)?;
            out.write_str(" ")?;
            write_sort(out, *element)?;
            out.write_str(")")
        }
        SortKind::Uninterpreted(name, arguments) => {
            if arguments.is_empty() && by_short_name(name.as_str()).is_some() {
                write!(out, "|{name}|")
            } else {
                write!(out, "{sort}")
            }
        }
    }
}
