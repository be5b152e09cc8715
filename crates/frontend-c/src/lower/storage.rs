//! Where C's objects are kept: in variables of the program, or in its memory.
//!
//! An object that nothing but its name can reach is taken apart into *leaves*, one variable for each scalar in it. All
//! others, and those with unions, lie in memory as bytes. A leaf holds a value in *stored* form, which differs from the
//! form that expressions compute with for truth values (a byte, 0 or 1) and bit-fields (as many bits as they have).

use crate::syntax::{RecordKind, deep};
use crate::types::{ArrayLength, Bits, Scalar, Ty, TypeKind, Types};
use ir::DataModel;
use source::Symbol;
use std::rc::Rc;
use term::{Sort, Term, build};

/// Objects with more scalars than this are kept in memory.
const MOST_LEAVES: usize = 64;

/// A scalar part of an object.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// In bytes from the start of the object; for a bit-field, where its unit begins.
    pub offset: u64,
    pub bits: Option<Bits>,
    /// Unqualified.
    pub ty: Ty,
    /// How C names the part, seen from the object: `.next`, `[2]`, or nothing for a scalar object.
    pub path: String,
}

/// An object's leaves, each with the variable that holds it.
#[derive(Debug)]
pub(super) struct Slots {
    pub leaves: Rc<[Leaf]>,
    pub variables: Vec<Term>,
}

impl Slots {
    /// The variable of the leaf at a position.
    pub fn find(&self, offset: u64, bits: Option<Bits>) -> Option<Term> {
        let place = |bits: Option<Bits>| bits.map(|bits| (bits.shift, bits.width));
        let at = self.leaves.iter().position(|leaf| leaf.offset == offset && place(leaf.bits) == place(bits))?;
        Some(self.variables[at])
    }
}

/// Where an object is kept.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    Variables(Rc<Slots>),
    /// The pointer to its start.
    Memory(Term),
}

/// How values of a type travel between functions, and what keeps them in between.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// `void`.
    Nothing,
    Scalar(Scalar),
    /// A record as its leaves.
    Leaves(Rc<[Leaf]>),
    /// A record as a pointer to memory that holds it.
    Memory,
    Unsupported(Symbol),
}

impl Shape {
    pub fn of(types: &Types, ty: Ty) -> Shape {
        if ty.is_void() {
            return Shape::Nothing;
        }
        if let Some(scalar) = types.scalar(ty) {
            return Shape::Scalar(scalar);
        }
        match (types.unsupported(ty), leaves(types, ty)) {
            (Some(what), _) => Shape::Unsupported(what),
            (None, Some(leaves)) => Shape::Leaves(leaves),
            (None, None) => Shape::Memory,
        }
    }

    /// The stored sorts of what travels.
    pub fn sorts(&self, types: &Types) -> Vec<Sort> {
        match self {
            Shape::Nothing | Shape::Unsupported(_) => Vec::new(),
            Shape::Scalar(scalar) => vec![stored_sort(*scalar, types.model())],
            Shape::Leaves(leaves) => leaves.iter().map(|leaf| leaf_sort(types, leaf)).collect(),
            Shape::Memory => vec![Sort::pointer(types.model().pointer_width())],
        }
    }
}

/// The leaves of a type, unless it must be kept in memory: for its unions, its size, or because its size is not known.
pub(super) fn leaves(types: &Types, ty: Ty) -> Option<Rc<[Leaf]>> {
    let mut found = Vec::new();
    collect(types, ty, 0, "", &mut found)?;
    Some(found.into())
}

fn collect(types: &Types, ty: Ty, offset: u64, path: &str, found: &mut Vec<Leaf>) -> Option<()> {
    if found.len() >= MOST_LEAVES {
        return None;
    }
    if types.scalar(ty).is_some() {
        found.push(Leaf { offset, bits: None, ty: ty.unqualified(), path: path.to_owned() });
        return Some(());
    }
    match *types.kind(ty) {
        TypeKind::Array { element, length: ArrayLength::Known(length) } => {
            let size = types.size(element)?;
            // Elements without leaves would not stop the loop.
            if length > MOST_LEAVES as u64 {
                return None;
            }
            (0..length).try_for_each(|i| {
                let start = offset + i * size;
                deep(|| collect(types, element, start, &format!("{path}[{i}]"), found))
            })
        }
        TypeKind::Record(id) if types[id].kind == RecordKind::Struct => {
            let layout = types[id].layout.as_ref()?;
            layout.fields.iter().try_for_each(|field| {
                let path = field.name.map_or_else(|| path.to_owned(), |name| format!("{path}.{name}"));
                let start = offset + field.offset;
                match field.bits {
                    Some(_) if found.len() >= MOST_LEAVES => None,
                    bits @ Some(_) => {
                        found.push(Leaf { offset: start, bits, ty: field.ty.unqualified(), path });
                        Some(())
                    }
                    None => deep(|| collect(types, field.ty, start, &path, found)),
                }
            })
        }
        _ => None,
    }
}

/// The sort that expressions compute with.
pub(super) fn value_sort(scalar: Scalar, model: DataModel) -> Sort {
    match scalar {
        Scalar::Bool => Sort::bool(),
        other => stored_sort(other, model),
    }
}

/// The sort that variables and memory hold.
pub(super) fn stored_sort(scalar: Scalar, model: DataModel) -> Sort {
    match scalar {
        Scalar::Bool => Sort::bv(8),
        Scalar::Int { width, .. } => Sort::bv(width),
        Scalar::Float(format) => Sort::float(format),
        Scalar::Pointer => Sort::pointer(model.pointer_width()),
    }
}

/// The stored sort of a leaf.
pub(super) fn leaf_sort(types: &Types, leaf: &Leaf) -> Sort {
    match (leaf.bits, types.scalar(leaf.ty)) {
        (Some(bits), _) => Sort::bv(bits.width),
        (None, Some(scalar)) => stored_sort(scalar, types.model()),
        (None, None) => Sort::bv(8),
    }
}

/// The stored form of a value.
pub(super) fn to_stored(value: Term) -> Term {
    if value.sort().is_bool() { build::ite(value, build::bv(8, 1), build::bv(8, 0)) } else { value }
}

/// The value of a stored form.
pub(super) fn from_stored(scalar: Scalar, stored: Term) -> Term {
    match stored.sort().bv_width() {
        Some(width) if scalar == Scalar::Bool => build::ne(stored, build::bv(width, 0)),
        _ => stored,
    }
}

/// The low bits of a value, as a bit-field stores it.
pub(super) fn to_field(value: Term, width: u32) -> Term {
    match value.sort().bv_width() {
        Some(full) if full >= width => build::extract(width - 1, 0, value),
        Some(_) => build::zero_extend(width, value),
        None if value.sort().is_bool() => build::ite(value, build::bv(width, 1), build::bv(width, 0)),
        None => build::bv(width, 0),
    }
}

/// The value of a bit-field of the scalar type, from its bits.
pub(super) fn from_field(scalar: Scalar, bits: Term) -> Term {
    match (scalar, bits.sort().bv_width()) {
        (Scalar::Int { width, signed: true }, Some(own)) if own <= width => build::sign_extend(width, bits),
        (Scalar::Int { width, signed: false }, Some(own)) if own <= width => build::zero_extend(width, bits),
        (scalar, _) => from_stored(scalar, bits),
    }
}
