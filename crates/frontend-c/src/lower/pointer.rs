//! Making, moving and comparing addresses.
//!
//! Two pointers are equal if object and offset are, and in some cases if the objects are different ones (see [`super::coincide`]). Which of two pointers is less
//! is told by their offsets, as signed numbers, if they point into one object; otherwise C says nothing, and it is open.
//!
//! A number that was computed from an address belongs to the object of that address, wherever that can be seen (see
//! [`super::provenance`]); otherwise to the object that lies there.

use super::writer::Writer;
use crate::hir::CompareOp;
use term::{Term, build};

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
    /// Whether two pointers relate in this way.
    pub fn compare_pointers(&mut self, op: CompareOp, left: Term, right: Term) -> Term {
        match op {
            CompareOp::Eq => self.equal_pointers(left, right),
            CompareOp::Ne => build::not(self.equal_pointers(left, right)),
            CompareOp::Lt => self.less(left, right, false),
            CompareOp::Le => self.less(left, right, true),
            CompareOp::Gt => self.less(right, left, false),
            CompareOp::Ge => self.less(right, left, true),
        }
    }

    fn less(&mut self, left: Term, right: Term, or_equal: bool) -> Term {
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
        let below = self.lies_below(left, right);
        build::ite(build::eq(a, b), within, below)
    }

    /// The address that a pointer stands for.
    pub fn pointer_to_int(&mut self, pointer: Term) -> Term {
        let known = self.code.provenance.resolve(pointer);
        let pointer = if known.value().is_some() { known } else { pointer };
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        if object.as_bv().is_some_and(|object| object.unsigned() == 0) {
            return offset;
        }
        let bases = self.context.base_map();
        build::bv_add(build::select(bases, object), offset)
    }

    /// The pointer that an address stands for. A constant is no object's address. Where a program makes pointers of other
    /// numbers, it is lowered again, with addresses.
    pub fn int_to_pointer(&mut self, address: Term) -> Term {
        let no_object = build::bv(term::OBJECT_WIDTH, 0);
        if address.value().is_some() {
            return build::pointer(no_object, address);
        }
        if let Some(pointer) = self.code.provenance.pointer(address) {
            return pointer;
        }
        if !self.context.with_addresses {
            self.context.makes_pointers = true;
            return build::pointer(no_object, address);
        }
        let (bases, sizes) = (self.context.base_map(), self.context.size_map());
        let address = self.stable(address);
        let object = self.code.keep(build::object_at(bases, sizes, address));
        let (base, size) = (build::select(bases, object), build::select(sizes, object));
        let distance = build::bv_sub(address, base);
        // What follows from the choice of the object, for those that do not look at which it is.
        let has_address = build::ne(base, build::bv(self.width(), 0));
        let lies_there = build::and([has_address, build::bv_ule(base, address), build::bv_ule(distance, size)]);
        self.code.assume(build::or([build::eq(object, no_object), lies_there]));
        build::pointer(object, distance)
    }

    /// Whether two pointers are equal.
    pub fn equal_pointers(&mut self, x: Term, y: Term) -> Term {
        let resolved = [x, y].map(|pointer| {
            let known = self.code.provenance.resolve(pointer);
            if known.value().is_some() { known } else { pointer }
        });
        self.coincide(x, y, resolved)
    }

    /// The size of an object that is certainly a variable, in bytes.
    pub fn known_size(&self, object: Term) -> Option<u64> {
        match object.as_bv() {
            Some(number) => {
                let position = (number.unsigned() as usize).checked_sub(1)?;
                self.context.objects.get(position).map(|object| object.size)
            }
            None => self.sizes.get(&object).copied(),
        }
    }

    /// Whether a pointer is certainly into an object that lives for ever, and not behind it.
    fn is_inside_static(&self, pointer: Term) -> bool {
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        let size = object.as_bv().and_then(|_| self.known_size(object));
        size.zip(offset.as_bv()).is_some_and(|(size, offset)| offset.unsigned() < u128::from(size))
    }

    /// Whether two numbers are equal, as a question about pointers if that is the same: if both are addresses in one object or in
    /// two that live for ever, or one is an address and the other is zero.
    pub fn equal_addresses(&mut self, x: Term, y: Term) -> Option<Term> {
        if x.sort().bv_width() != Some(self.width()) {
            return None;
        }
        let null = build::null(self.width());
        let mut pointer = |x: Term| match x.as_bv() {
            Some(number) => (number.unsigned() == 0).then_some((null, false)),
            None => self.code.provenance.pointer(x).map(|pointer| (pointer, true)),
        };
        let ((p, is_address), (q, other_is)) = (pointer(x)?, pointer(y)?);
        let is_same = !is_address
            || !other_is
            || build::pointer_object(p) == build::pointer_object(q)
            || self.is_inside_static(p) && self.is_inside_static(q);
        ((is_address || other_is) && is_same).then(|| build::eq(p, q))
    }
}
