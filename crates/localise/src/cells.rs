//! Memory along one execution: for each byte the term that was written there last.
//!
//! Objects are those of the execution. Where an offset depends on a statement that may be changed, a load may come
//! from other places of the same object, and a store may go to them: a conditional over the values that are known
//! there, as [`MOST`] allows.

use crate::inputs::{Inputs, unwritten};
use std::collections::BTreeMap;
use term::{Op, Sort, SortKind, Term, build};

/// How many other places of an object an access may concern.
const MOST: usize = 32;

#[derive(Clone, Copy)]
struct Byte {
    /// What was written in one piece, how many bytes it has, and which of them this is.
    written: Term,
    size: u32,
    number: u32,
}

/// Where an access goes: the object and the offset in the execution, and the offset as a term.
#[derive(Clone, Copy)]
pub struct Access {
    pub object: u32,
    pub offset: u64,
    pub symbolic: Term,
}

#[derive(Default)]
pub struct Cells {
    bytes: BTreeMap<(u32, u64), Byte>,
    /// How many conditionals have names.
    names: usize,
    /// Conditionals that got names since they were taken last.
    named: Vec<(Term, Term)>,
}

impl Cells {
    pub fn load(&self, at: Access, sort: Sort, inputs: &Inputs) -> Option<Term> {
        let here = self.read(at.object, at.offset, sort, inputs)?;
        Some(self.others(at, sort).into_iter().fold(here, |rest, offset| {
            match self.read(at.object, offset, sort, inputs) {
                Some(there) => choose(is_at(at, offset), there, rest),
                None => rest,
            }
        }))
    }

    /// The names that stores gave to what memory holds now, and what they stand for: formulas stay small so.
    pub fn take_named(&mut self) -> Vec<(Term, Term)> {
        std::mem::take(&mut self.named)
    }

    pub fn store(&mut self, at: Access, value: Term, inputs: &Inputs) {
        let sort = value.sort();
        for offset in self.others(at, sort) {
            if let Some(old) = self.read(at.object, offset, sort, inputs) {
                let new = self.name(choose(is_at(at, offset), value, old));
                self.write(at.object, offset, new);
            }
        }
        let old = match at.symbolic.value() {
            Some(_) => None,
            None => self.read(at.object, at.offset, sort, inputs),
        };
        let new = old.map_or(value, |old| choose(is_at(at, at.offset), value, old));
        let new = self.name(new);
        self.write(at.object, at.offset, new);
    }

    fn name(&mut self, term: Term) -> Term {
        if !matches!(term.op(), Op::Ite) {
            return term;
        }
        self.names += 1;
        let name = Term::var(format!("$trace!cell{}", self.names).as_str(), term.sort());
        self.named.push((name, term));
        name
    }

    /// Nothing is known of these bytes any more.
    pub fn forget(&mut self, object: u32, offset: u64, length: u32) {
        // They hold what nothing can be read from: a byte of a value that has no bits.
        let unknown = Byte { written: build::truth(), size: length, number: 0 };
        for n in 0..u64::from(length) {
            self.bytes.insert((object, offset + n), unknown);
        }
    }

    pub fn fill(&mut self, object: u32, offset: u64, byte: Term, length: u64) {
        (offset..offset.saturating_add(length)).for_each(|at| self.write(object, at, byte));
    }

    pub fn copy(&mut self, to: (u32, u64), from: (u32, u64), length: u64) {
        let moved: Vec<Option<Byte>> = (0..length).map(|n| self.bytes.get(&(from.0, from.1 + n)).copied()).collect();
        for (n, byte) in (0..).zip(moved) {
            match byte {
                Some(byte) => self.bytes.insert((to.0, to.1 + n), byte),
                None => self.bytes.remove(&(to.0, to.1 + n)),
            };
        }
    }

    /// The places of whole values of the sort in the object, other than the one that is accessed, if the offset is
    /// not fixed.
    fn others(&self, at: Access, sort: Sort) -> Vec<u64> {
        if at.symbolic.value().is_some() {
            return Vec::new();
        }
        let is_whole = |byte: &Byte| byte.number == 0 && byte.written.sort() == sort;
        let all = self.bytes.range((at.object, 0)..=(at.object, u64::MAX));
        let mut offsets: Vec<u64> =
            all.filter(|((_, offset), byte)| *offset != at.offset && is_whole(byte)).map(|((_, o), _)| *o).collect();
        offsets.sort_by_key(|offset| offset.abs_diff(at.offset));
        offsets.truncate(MOST);
        offsets
    }

    fn write(&mut self, object: u32, offset: u64, value: Term) {
        let size = value.sort().bytes().unwrap_or(1);
        for number in 0..size {
            self.bytes.insert((object, offset + u64::from(number)), Byte { written: value, size, number });
        }
    }

    fn read(&self, object: u32, offset: u64, sort: Sort, inputs: &Inputs) -> Option<Term> {
        let size = sort.bytes()?;
        let bytes: Vec<Option<Byte>> =
            (0..u64::from(size)).map(|n| self.bytes.get(&(object, offset + n)).copied()).collect();
        if bytes.iter().all(Option::is_none) {
            return unwritten(inputs, object, offset, sort).map(Term::constant);
        }
        let first = bytes[0];
        let in_order = |(n, byte): (u32, &Option<Byte>)| {
            byte.zip(first).is_some_and(|(byte, first)| byte.written == first.written && byte.number == n)
        };
        if let Some(first) = first
            && first.size == size
            && (0..).zip(&bytes).all(in_order)
        {
            return if first.written.sort() == sort {
                Some(first.written)
            } else {
                from_bits(to_bits(first.written)?, sort)
            };
        }
        let mut whole: Option<Term> = None;
        for (n, byte) in (0..).zip(bytes) {
            let bits = match byte {
                Some(Byte { written, number, .. }) => build::extract(8 * number + 7, 8 * number, to_bits(written)?),
                None => build::bv(8, inputs.byte(object, offset + n)?.into()),
            };
            whole = Some(whole.map_or(bits, |low| build::concat(bits, low)));
        }
        from_bits(whole?, sort)
    }
}

fn is_at(at: Access, offset: u64) -> Term {
    let width = at.symbolic.sort().bv_width().unwrap_or(64);
    build::eq(at.symbolic, build::bv(width, offset.into()))
}

/// A conditional; of pointers, one for each of their parts, so that each pointer stays a pair.
pub fn choose(condition: Term, then: Term, other: Term) -> Term {
    if !matches!(then.sort().kind(), SortKind::Pointer(_)) {
        return build::ite(condition, then, other);
    }
    let part = |of: fn(Term) -> Term| build::ite(condition, of(then), of(other));
    build::pointer(part(build::pointer_object), part(build::pointer_offset))
}

fn to_bits(value: Term) -> Option<Term> {
    match value.sort().kind() {
        SortKind::BitVec(_) => Some(value),
        SortKind::Float(_) => Some(build::fp_to_bits(value)),
        _ => None,
    }
}

fn from_bits(bits: Term, sort: Sort) -> Option<Term> {
    match sort.kind() {
        SortKind::BitVec(width) => (bits.sort().bv_width() == Some(*width)).then_some(bits),
        SortKind::Float(format) if bits.sort().bv_width() == Some(format.width()) => {
            Some(build::make(&Op::FpFromBits(*format), &[bits]))
        }
        _ => None,
    }
}
