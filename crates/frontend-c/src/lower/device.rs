//! Registers of devices, which lie at constant addresses.
//!
//! A user declares where they lie, or the program tells: it makes a pointer of a constant, and what it points to is volatile or has
//! volatile members. What is read there is arbitrary each time, and what is written changes nothing that can be read.

use super::alloc::Made;
use super::context::Context;
use super::place::Lvalue;
use super::writer::Writer;
use crate::types::{Ty, TypeKind, Types};
use ir::{AssumptionKind, Op};
use term::{Sort, Term, Value, build};

/// A pointer below this is a null pointer with an offset, unless the user declares otherwise.
const LOWEST: u64 = 4096;

/// Addresses of registers: where they begin and how many bytes there are.
pub(super) type Region = (u64, u64);

impl Context<'_> {
    /// A pointer to a type is made of a constant.
    pub fn constant_address(&mut self, address: u128, target: Ty, types: &Types) {
        let size = types.size(target).unwrap_or(0);
        let Ok(start) = u64::try_from(address) else { return };
        let end = address + u128::from(size);
        if size > 0 && start >= LOWEST && end >> self.model.pointer_width() == 0 && has_volatile(types, target) {
            self.registers.insert((start, size));
        }
    }

    /// Where registers lie without gaps between them.
    fn register_blocks(&self) -> Vec<Region> {
        let mut blocks: Vec<Region> = Vec::new();
        for &(start, size) in &self.registers {
            match blocks.last_mut() {
                Some((first, length)) if start - *first <= *length => *length = (*length).max(start - *first + size),
                _ => blocks.push((start, size)),
            }
        }
        blocks
    }

    /// Notes where registers are taken to lie, if the program accesses some.
    pub fn assume_registers(&mut self) {
        if !self.accesses_registers {
            return;
        }
        let is_inside = |&(start, size): &Region, &(other, length): &Region| {
            (start, size) != (other, length)
                && other <= start
                && start - other <= length
                && size <= length - (start - other)
        };
        let regions = &self.registers;
        let largest = regions.iter().filter(|region| !regions.iter().any(|other| is_inside(region, other)));
        let all = largest.map(|(start, size)| match size {
            1 => format!("{start:#x} (1 byte)"),
            _ => format!("{start:#x} ({size} bytes)"),
        });
        let text = format!("registers of devices at {}", all.collect::<Vec<_>>().join(", "));
        self.assume(AssumptionKind::MappedRegisters, &text, &[], None);
    }
}

/// Whether an object of a type is volatile, or a part of it is.
fn has_volatile(types: &Types, ty: Ty) -> bool {
    ty.is_volatile()
        || match *types.kind(ty) {
            TypeKind::Array { element, .. } => crate::syntax::deep(|| has_volatile(types, element)),
            TypeKind::Record(id) => {
                let fields = types[id].layout.iter().flat_map(|layout| &layout.fields);
                fields.map(|field| field.ty).any(|ty| crate::syntax::deep(|| has_volatile(types, ty)))
            }
            _ => false,
        }
}

impl Writer<'_, '_> {
    /// When an access to a place goes to a device; nothing if it never does.
    fn goes_to_device(&mut self, lvalue: &Lvalue, pointer: Term) -> Option<Term> {
        if lvalue.is_known {
            return None;
        }
        let size = match lvalue.bits {
            Some(bits) => u64::from(bits.shift + bits.width).div_ceil(8),
            None => self.types.size(lvalue.ty)?,
        };
        if let Some(Value::Pointer { object: 0, offset }) = self.code.provenance.resolve(pointer).value()
            && lvalue.ty.is_volatile()
        {
            self.context.constant_address(offset.unsigned(), lvalue.ty, self.types);
        }
        self.is_device(pointer, self.offset(size))
    }

    /// Where a record is read or written as a whole, that may be one of registers.
    pub fn record_at(&mut self, lvalue: &Lvalue, pointer: Term) -> Term {
        match (self.goes_to_device(lvalue, pointer), self.types.size(lvalue.ty)) {
            (Some(_), Some(size)) => self.bytes_at(pointer, self.offset(size)),
            _ => pointer,
        }
    }

    /// When a number of bytes lie in a device; nothing if they never do.
    pub fn is_device(&mut self, pointer: Term, size: Term) -> Option<Term> {
        if self.context.registers.is_empty() {
            return None;
        }
        let known = self.code.provenance.resolve(pointer);
        let pointer = if known.value().is_some() { known } else { pointer };
        let (object, offset) = (build::pointer_object(pointer), build::pointer_offset(pointer));
        let inside = self.context.register_blocks().into_iter().map(|(start, length)| {
            let from_start = build::bv_sub(offset, self.offset(start));
            let length = self.offset(length);
            build::and([build::bv_ule(size, length), build::bv_ule(from_start, build::bv_sub(length, size))])
        });
        let no_object = build::eq(object, build::bv(term::OBJECT_WIDTH, 0));
        let goes = build::and([no_object, build::or(inside.collect::<Vec<_>>())]);
        if goes.as_bool() == Some(false) {
            return None;
        }
        self.context.accesses_registers = true;
        Some(goes)
    }

    /// Where bytes are read or written that may lie in a device: there they are those of a new object, with any contents, which nothing
    /// else reads.
    pub fn bytes_at(&mut self, pointer: Term, size: Term) -> Term {
        let Some(goes) = self.is_device(pointer, size) else { return pointer };
        let object = self.code.temporary(Sort::object());
        self.allocate(object, size, 1, Made::Scoped);
        let stand_in = build::pointer(object, self.offset(0));
        if goes.as_bool() == Some(true) { stand_in } else { self.code.keep(build::ite(goes, stand_in, pointer)) }
    }

    /// Reads what lies at a place, which may be a register.
    pub fn read_place(
        &mut self,
        lvalue: &Lvalue,
        pointer: Term,
        sort: Sort,
        read: impl FnOnce(&mut Self) -> Option<Term>,
    ) -> Option<Term> {
        let Some(goes) = self.goes_to_device(lvalue, pointer) else { return read(self) };
        if goes.as_bool() == Some(true) {
            return Some(self.code.arbitrary(sort));
        }
        let value = self.code.temporary(sort);
        let (device, memory, next) = (self.code.location(), self.code.location(), self.code.location());
        self.code.branch(goes, device, memory);
        self.code.continue_at(device);
        self.code.emit(Op::Havoc(vec![value]));
        self.code.jump(next);
        self.code.continue_at(memory);
        let found = read(self)?;
        self.code.assign(value, found);
        self.code.enter(next);
        Some(value)
    }

    /// Writes to a place, which may be a register.
    pub fn write_place(&mut self, lvalue: &Lvalue, pointer: Term, write: impl FnOnce(&mut Self)) {
        let Some(goes) = self.goes_to_device(lvalue, pointer) else { return write(self) };
        if goes.as_bool() == Some(true) {
            return;
        }
        let (memory, next) = (self.code.location(), self.code.location());
        self.code.branch(goes, next, memory);
        self.code.continue_at(memory);
        write(self);
        self.code.enter(next);
    }
}
