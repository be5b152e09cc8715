//! Pointers and memory.

use super::array::STORES_SEEN;
use super::bv::constant;
use super::equal::surely_differ;
use super::*;
use crate::{Bv, SortKind, bits};

/// The pointer to no object, with an offset of the given width.
pub fn null(offset_width: u32) -> Term {
    Term::constant(Value::Pointer { object: 0, offset: Bv::new(offset_width, 0) })
}

/// The pointer of an object identity and an offset.
pub fn pointer(object: Term, offset: Term) -> Term {
    match (object.op(), object.args(), offset.op(), offset.args()) {
        (Op::PointerObject, [p], Op::PointerOffset, [q]) if p == q => *p,
        (Op::Const(_), _, Op::Const(_), _) => {
            fold_binary(&Op::Pointer, object, offset).unwrap_or_else(|| Term::new(Op::Pointer, &[object, offset]))
        }
        _ => Term::new(Op::Pointer, &[object, offset]),
    }
}

pub fn pointer_object(p: Term) -> Term {
    part(Op::PointerObject, p)
}

pub fn pointer_offset(p: Term) -> Term {
    part(Op::PointerOffset, p)
}

fn part(op: Op, p: Term) -> Term {
    if let Some(known) = known_part(&op, p) {
        return known;
    }
    if let (Op::Ite, [c, x, y]) = (p.op(), p.args())
        && let (Some(x), Some(y)) = (known_part(&op, *x), known_part(&op, *y))
    {
        return ite(*c, x, y);
    }
    Term::new(op, &[p])
}

/// The object or offset of a pointer that shows it.
fn known_part(op: &Op, p: Term) -> Option<Term> {
    match (p.op(), p.args()) {
        (Op::Pointer, [object, offset]) => Some(if *op == Op::PointerObject { *object } else { *offset }),
        (Op::Const(_), _) => fold_unary(op, p),
        _ => None,
    }
}

/// The identity of the object that an address lies in; see [`Op::ObjectAt`].
pub fn object_at(bases: Term, sizes: Term, address: Term) -> Term {
    Term::new(Op::ObjectAt, &[bases, sizes, address])
}

/// A value of the given sort from memory.
pub fn load(sort: Sort, memory: Term, at: Term) -> Term {
    let mut seen = memory;
    for _ in 0..STORES_SEEN {
        match (seen.op(), seen.args()) {
            (Op::MemStore, [_, p, v]) if *p == at && sort.bytes() == v.sort().bytes() => match reread(sort, *v) {
                Some(value) => return value,
                None => break,
            },
            (Op::MemStore, [inner, p, v]) if disjoint(*p, v.sort(), at, sort) => seen = *inner,
            _ => break,
        }
    }
    Term::new(Op::Load(sort), &[seen, at])
}

/// What is read as `sort` where `value`, of the same size, was written.
fn reread(sort: Sort, value: Term) -> Option<Term> {
    match (sort.kind(), value.sort().kind()) {
        _ if sort == value.sort() => Some(value),
        (SortKind::Float(format), SortKind::BitVec(_)) => Some(fp_from_bits(*format, value)),
        (SortKind::BitVec(_), SortKind::Float(_)) => Some(fp_to_bits(value)),
        _ => None,
    }
}

/// Whether the bytes of two values of the given sorts at two pointers have no byte in common, as far as the pointers'
/// outermost operators tell. Offsets wrap around.
fn disjoint(p: Term, p_sort: Sort, q: Term, q_sort: Sort) -> bool {
    let (Some(o), Some(r)) = (known_part(&Op::PointerObject, p), known_part(&Op::PointerObject, q)) else {
        return false;
    };
    if surely_differ(o, r) {
        return true;
    }
    let (Some(f), Some(g)) = (known_part(&Op::PointerOffset, p), known_part(&Op::PointerOffset, q)) else {
        return false;
    };
    let (Some(p_bytes), Some(q_bytes)) = (p_sort.bytes(), q_sort.bytes()) else { return false };
    let Some(width) = f.sort().bv_width() else { return false };
    o == r
        && constant_distance(width, f, g)
            .is_some_and(|d| d >= u128::from(p_bytes) && bits::neg(width, d) >= u128::from(q_bytes))
}

/// `g - f`, if the two are constants or sums of one term with constants.
fn constant_distance(width: u32, f: Term, g: Term) -> Option<u128> {
    let split = |t: Term| match (t.op(), t.args()) {
        (Op::Const(_), _) => (None, constant(t)),
        (Op::BvAdd, [x, k]) if k.value().is_some() => (Some(*x), constant(*k)),
        _ => (Some(t), Some(0)),
    };
    let ((x, j), (y, k)) = (split(f), split(g));
    (x == y).then_some(())?;
    Some(bits::sub(width, k?, j?))
}

/// The memory after a value was written.
pub fn mem_store(memory: Term, at: Term, value: Term) -> Term {
    let Some(_level) = level() else { return Term::new(Op::MemStore, &[memory, at, value]) };
    match (memory.op(), memory.args()) {
        (Op::MemStore, [inner, p, v]) if *p == at && v.sort().bytes() == value.sort().bytes() => {
            mem_store(*inner, at, value)
        }
        _ => Term::new(Op::MemStore, &[memory, at, value]),
    }
}

/// The memory after `length` bytes were moved, as by `memmove`.
pub fn mem_copy(memory: Term, to: Term, from: Term, length: Term) -> Term {
    if to == from || constant(length) == Some(0) {
        return memory;
    }
    Term::new(Op::MemCopy, &[memory, to, from, length])
}

/// The memory after `length` bytes were set, as by `memset`.
pub fn mem_fill(memory: Term, to: Term, byte: Term, length: Term) -> Term {
    if constant(length) == Some(0) {
        return memory;
    }
    Term::new(Op::MemFill, &[memory, to, byte, length])
}
