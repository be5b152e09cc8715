//! Making, moving and comparing addresses.
//!
//! Two pointers are equal if object and offset are. Which of two pointers is less is told by their offsets, as signed
//! numbers, if they point into one object; otherwise C says nothing, and the identities of the objects tell.
//!
//! A number that was computed from an address belongs to the object of that address, wherever that can be seen; otherwise
//! to the object that lies there.

use super::writer::Writer;
use crate::hir::CompareOp;
use term::{Op, Term, build};

/// How deep a sum is searched for the address of an object.
const SUM_DEPTH: u32 = 8;

/// A pointer moved by a number of bytes.
pub(super) fn add(pointer: Term, distance: Term) -> Term {
    if distance.as_bv().is_some_and(|d| d.unsigned() == 0) {
        return pointer;
    }
    build::pointer(build::pointer_object(pointer), build::bv_add(build::pointer_offset(pointer), distance))
}

/// A pointer moved forwards by a constant number of bytes.
pub(super) fn advance(pointer: Term, bytes: u64) -> Term {
    match build::pointer_offset(pointer).sort().bv_width() {
        Some(width) => add(pointer, build::bv(width, u128::from(bytes))),
        None => pointer,
    }
}

/// Whether two pointers relate in this way.
pub(super) fn compare(op: CompareOp, left: Term, right: Term) -> Term {
    let less = |left: Term, right: Term, or_equal: bool| {
        let (a, b) = (build::pointer_object(left), build::pointer_object(right));
        let (i, j) = (build::pointer_offset(left), build::pointer_offset(right));
        // Numbers that are no addresses compare as the machine compares them.
        let is_number = |object: Term| object.as_bv().is_some_and(|object| object.unsigned() == 0);
        let within = match (is_number(a) && is_number(b), or_equal) {
            (true, true) => build::bv_ule(i, j),
            (true, false) => build::bv_ult(i, j),
            (false, true) => build::bv_sle(i, j),
            (false, false) => build::bv_slt(i, j),
        };
        build::ite(build::eq(a, b), within, build::bv_ult(a, b))
    };
    match op {
        CompareOp::Eq => build::eq(left, right),
        CompareOp::Ne => build::ne(left, right),
        CompareOp::Lt => less(left, right, false),
        CompareOp::Le => less(left, right, true),
        CompareOp::Gt => less(right, left, false),
        CompareOp::Ge => less(right, left, true),
    }
}

/// How many elements of a size lie between two pointers into one object.
pub(super) fn difference(left: Term, right: Term, size: Term) -> Term {
    let bytes = build::bv_sub(build::pointer_offset(left), build::pointer_offset(right));
    match size.as_bv().map(|size| size.unsigned()) {
        // Elements without size are all at one address.
        Some(0) => bytes,
        _ => build::bv_sdiv(bytes, size),
    }
}

impl Writer<'_, '_> {
    /// The address that a pointer stands for.
    pub fn pointer_to_int(&mut self, pointer: Term) -> Term {
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        if object.as_bv().is_some_and(|object| object.unsigned() == 0) {
            return offset;
        }
        let bases = self.context.base_map();
        build::bv_add(build::select(bases, object), offset)
    }

    /// The pointer that an address stands for.
    pub fn int_to_pointer(&mut self, address: Term) -> Term {
        let no_object = build::bv(term::OBJECT_WIDTH, 0);
        if address.value().is_some() {
            return build::pointer(no_object, address);
        }
        let bases = self.context.base_map();
        if let Some((object, offset)) = split(bases, address, SUM_DEPTH) {
            return build::pointer(object, offset);
        }
        let sizes = self.context.size_map();
        let object = build::object_at(bases, sizes, address);
        build::pointer(object, build::bv_sub(address, build::select(bases, object)))
    }
}

/// An address as that of an object and what is added to it.
fn split(bases: Term, address: Term, depth: u32) -> Option<(Term, Term)> {
    let width = address.sort().bv_width()?;
    match (address.op(), address.args()) {
        (Op::Select, [array, object]) if *array == bases => Some((*object, build::bv(width, 0))),
        (Op::BvAdd, [a, b]) if depth > 0 => match split(bases, *a, depth - 1) {
            Some((object, rest)) => Some((object, build::bv_add(rest, *b))),
            None => split(bases, *b, depth - 1).map(|(object, rest)| (object, build::bv_add(*a, rest))),
        },
        (Op::BvSub, [a, b]) if depth > 0 => {
            split(bases, *a, depth - 1).map(|(object, rest)| (object, build::bv_sub(rest, *b)))
        }
        _ => None,
    }
}
