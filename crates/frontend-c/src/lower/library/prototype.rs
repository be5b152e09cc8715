//! Whether a function without a body is the library's of its name: a program may declare a function of its own with the name of one,
//! as `int remove(struct list *, int)`.
//!
//! A declaration is the library's where its type fits. This is told more loosely than C tells compatible types, because programs
//! declare functions of the library by themselves: `const` does not count, nor does the sign of an integer; sizes (`size_t`, `off_t`,
//! `time_t`) may have 32 or 64 bits; a pointer to `void` stands for any pointer; the result may be left out, and a prototype may
//! leave out `...` or have parameters in its place; a declaration without a prototype fits always.

use crate::types::{FunctionType, Scalar, Ty, TypeKind, Types};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use term::FloatFormat;

/// `RESULT(PARAMETER, ...): NAME...` on each line.
const TABLE: &str = include_str!("prototypes.txt");

struct Prototype {
    result: &'static str,
    parameters: Vec<&'static str>,
    is_variadic: bool,
}

static PROTOTYPES: LazyLock<FxHashMap<&'static str, Prototype>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.filter_map(|line| {
        let (prototype, names) = line.split_once(':')?;
        let (result, parameters) = prototype.strip_suffix(')')?.split_once('(')?;
        let mut parameters: Vec<&str> = parameters.split(", ").filter(|word| !word.is_empty()).collect();
        let is_variadic = parameters.pop_if(|last| *last == "...").is_some();
        Some(names.split_whitespace().map(move |name| {
            let parameters = parameters.clone();
            (name, Prototype { result, parameters, is_variadic })
        }))
    });
    parsed.flatten().collect()
});

/// Whether a function of this type may be the library's of the name. Nothing is known of most names that only an implementation
/// may declare: these are the library's.
pub(crate) fn fits(types: &Types, name: &str, ty: Ty) -> bool {
    match (PROTOTYPES.get(name), types.function_type(ty)) {
        (Some(prototype), Some(ty)) => !ty.is_prototype || prototype.fits(types, ty),
        _ => true,
    }
}

impl Prototype {
    fn fits(&self, types: &Types, ty: &FunctionType) -> bool {
        let (own, given) = (self.parameters.len(), ty.parameters.len());
        let count_fits = if self.is_variadic { own <= given } else { own == given && !ty.is_variadic };
        let result_fits = ty.result.is_void() || self.result == "void" || word_fits(self.result, types, ty.result);
        count_fits
            && result_fits
            && self.parameters.iter().zip(&ty.parameters).all(|(word, ty)| word_fits(word, types, *ty))
    }
}

/// Types that only typedefs name, and what is part of the tags that libraries give to them.
const STREAMS: [(&str, &[&str]); 2] = [("FILE", &["file", "iobuf"]), ("DIR", &["dir"])];

fn has_part(parts: &[&str], tag: &str) -> bool {
    let tag = tag.to_lowercase();
    parts.iter().any(|part| tag.contains(part))
}

/// Whether a type is what a word of the table says.
fn word_fits(word: &str, types: &Types, ty: Ty) -> bool {
    if ty.is_error() || word == "any" {
        return true;
    }
    if let Some(target) = types.pointee(ty) {
        return target.is_void() || points_as(word, types, target);
    }
    // glibc declares addresses of sockets as transparent unions.
    if types.record(ty).is_some_and(|id| types[id].is_transparent) {
        return true;
    }
    match types.scalar(ty) {
        Some(Scalar::Int { width, .. }) => match word {
            "short" => width == 16,
            "int" => width == 32,
            "long" => matches!(width, 32 | 64),
            _ => false,
        },
        Some(Scalar::Float(format)) => float_fits(word, format),
        _ => false,
    }
}

fn float_fits(word: &str, format: FloatFormat) -> bool {
    match word {
        "float" => format == FloatFormat::SINGLE,
        "double" => format == FloatFormat::DOUBLE,
        "long-double" => format == FloatFormat::EXTENDED,
        _ => false,
    }
}

/// Whether a word of the table is a pointer to what is of this type.
fn points_as(word: &str, types: &Types, target: Ty) -> bool {
    let is_function = types.is_function(target);
    match (word, types.kind(target)) {
        ("function", _) => is_function,
        ("memory" | "object", _) => !is_function,
        ("chars", _) => matches!(types.scalar(target), Some(Scalar::Int { width: 8, .. })),
        ("ints", _) => types.is_integer(target),
        ("pointers", _) => types.is_pointer(target),
        (word, TypeKind::Record(id)) => {
            let Some(name) = word.strip_suffix('*') else { return false };
            types[*id].tag.is_none_or(|tag| match STREAMS.iter().find(|(stream, _)| *stream == name) {
                Some((_, parts)) => has_part(parts, tag.as_str()),
                None => tag.as_str() == name,
            })
        }
        (word, _) => match (word.strip_suffix('*'), types.scalar(target)) {
            (Some(float), Some(Scalar::Float(format))) => float_fits(float, format),
            // What is a structure in one library is a number or a pointer in another.
            (Some(stream), Some(_)) if STREAMS.iter().any(|(name, _)| *name == stream) => true,
            _ => false,
        },
    }
}

/// Whether the type is that of a stream.
pub(in crate::lower) fn is_stream(types: &Types, ty: Ty) -> bool {
    let tag = types.record(ty).and_then(|id| types[id].tag);
    tag.is_some_and(|tag| STREAMS.iter().any(|(_, parts)| has_part(parts, tag.as_str())))
}

/// Whether the table says anything of the name.
#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    PROTOTYPES.contains_key(name)
}
