//! What decides about memory besides its bytes: sizes, lives, addresses and choices.
//!
//! Every access goes through [`Facts::reach`], which stops the run where the source language gives it no meaning: outside
//! of an object, after its life, at no object at all. A program that does not say how large objects that it makes are, or
//! whether objects live, is not checked for it. What is outside of the program can be accessed.

use super::address::{Addresses, containing};
use super::arrays::{Background, Boxed, SlotArray};
use super::choices::{ChoiceError, Choices, is_foreign};
use super::layout::{Layout, Reg};
use super::memory::{Memory, Outside, Pointer};
use super::outcome::{Limit, Limits, Trap};
use crate::memory::{is_external, is_outside};
use crate::{ObjectKind, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use term::{Function, Value};

/// What is known, or can be asked, about a program's memory.
pub(super) struct Facts<'r> {
    program: &'r Program,
    size: Option<Reg>,
    alive: Option<Reg>,
    base: Option<Reg>,
    pub choices: &'r mut dyn Choices,
    /// How many choices were asked for.
    pub asked: u64,
    /// About how many bytes the values take that were chosen: whoever records the run keeps them.
    pub chosen: u64,
    addresses: Addresses,
    /// Unwritten bytes that were asked for, of memories that exist more than once; and the origins of these.
    initial_bytes: FxHashMap<(u32, u32, u64), u8>,
    copied: FxHashSet<u32>,
    origins: u32,
    applications: FxHashMap<(Function, Vec<Value>), Value>,
    memory_limit: u64,
    room: bool,
    /// The first access behind an object's end.
    pub beyond: RefCell<Option<String>>,
}

impl<'r> Facts<'r> {
    pub fn new(program: &'r Program, layout: &Layout, choices: &'r mut dyn Choices, limits: &Limits) -> Facts<'r> {
        Facts {
            program,
            size: layout.size,
            alive: layout.alive,
            base: layout.base,
            choices,
            asked: 0,
            chosen: 0,
            addresses: Addresses::new(),
            initial_bytes: FxHashMap::default(),
            copied: FxHashSet::default(),
            origins: 0,
            applications: FxHashMap::default(),
            memory_limit: limits.memory,
            room: limits.room,
            beyond: RefCell::new(None),
        }
    }

    /// An arbitrary memory that is like no other.
    pub fn new_memory(&mut self) -> Memory {
        self.origins += 1;
        Memory::new(self.origins, self.pointer_bytes(), self.memory_limit)
    }

    /// Notes that there is more than one memory of the origin from now on: what is asked about one holds for all.
    pub fn share(&mut self, memory: &Memory) {
        self.copied.insert(memory.origin());
    }

    pub fn pointer_bytes(&self) -> usize {
        self.program.data_model.pointer_width() as usize / 8
    }

    /// Stops the run if `n` bytes at the pointer cannot be accessed.
    #[inline(always)]
    pub fn reach(&self, boxes: &[Boxed], at: Pointer, n: u64) -> Result<(), Trap> {
        let fits = match self.size {
            Some(size) => {
                let size = boxes[size.index(0)].array()?.get(u128::from(at.object)).unwrap_or(0) as u64;
                at.offset <= size && n <= size - at.offset
            }
            None => {
                let last = self.object_size(boxes, at.object).unwrap_or(self.last_address());
                at.offset.checked_add(n).is_some_and(|end| end <= last)
            }
        };
        let lives = match self.alive {
            Some(alive) => boxes[alive.index(0)].array()?.get(u128::from(at.object)).unwrap_or(0) != 0,
            None => true,
        };
        if fits && lives && at.object != 0 { Ok(()) } else { self.unreachable(boxes, at, n, lives) }
    }

    #[cold]
    fn unreachable(&self, boxes: &[Boxed], at: Pointer, n: u64, lives: bool) -> Result<(), Trap> {
        let in_space = at.offset.checked_add(n).is_some_and(|end| end <= self.last_address());
        if n == 0 || is_outside(at.object, at.offset) && in_space {
            return Ok(());
        }
        let Pointer { object, offset } = at;
        let why = match (object, self.object_size(boxes, object)) {
            (0, _) if offset == 0 => "access through a null pointer".into(),
            (0, _) => format!("access through the invalid pointer {offset:#x}"),
            (_, _) if !lives => format!("access to {} outside of its life", self.name(object)),
            (_, Some(size)) => {
                let name = self.name(object);
                format!("access to {n} bytes at offset {offset} of {name}, which has {size} bytes")
            }
            (_, None) => format!("access to {n} bytes at offset {offset} of {}", self.name(object)),
        };
        if self.room && lives && object != 0 && in_space {
            self.beyond.borrow_mut().get_or_insert(why);
            return Ok(());
        }
        Err(Trap::Undefined(why))
    }

    /// Stops the run if bytes that nothing was written to lie behind an object's end.
    fn is_inside(&self, boxes: &[Boxed], at: Pointer, n: usize) -> Result<(), Trap> {
        match self.object_size(boxes, at.object) {
            Some(size) if self.room && at.offset.saturating_add(n as u64) > size && at.object != 0 => {
                Err(Trap::Undefined(format!("a read behind the end of {}", self.name(at.object))))
            }
            _ => Ok(()),
        }
    }

    /// Stops the run if the object must not be written to.
    #[inline(always)]
    fn guard_constants(&self, memory: &Memory, at: Pointer, n: u64) -> Result<(), Trap> {
        match self.program.objects.get((at.object as usize).wrapping_sub(1)) {
            Some(object) if object.kind != ObjectKind::Variable => self.constant_written(memory, at, n),
            _ => Ok(()),
        }
    }

    /// A literal can be written once: that is how it gets its bytes.
    #[cold]
    fn constant_written(&self, memory: &Memory, at: Pointer, n: u64) -> Result<(), Trap> {
        let is_function = self.static_kind(at.object).is_some_and(|kind| matches!(kind, ObjectKind::Function(_)));
        if is_function || memory.is_written(at, n) {
            return Err(Trap::Undefined(format!("write to {}, which is constant", self.name(at.object))));
        }
        Ok(())
    }

    fn static_kind(&self, object: u32) -> Option<ObjectKind> {
        self.program.objects.get((object as usize).wrapping_sub(1)).map(|object| object.kind)
    }

    fn name(&self, object: u32) -> String {
        match self.program.objects.get((object as usize).wrapping_sub(1)) {
            Some(object) => format!("`{}`", object.name),
            None => format!("object {object}"),
        }
    }

    /// What the program says about an object's size.
    pub fn object_size(&self, boxes: &[Boxed], object: u32) -> Option<u64> {
        match self.size {
            _ if is_external(object) => None,
            Some(size) => boxes[size.index(0)].array().ok()?.get(u128::from(object)).ok().map(|size| size as u64),
            None => self.program.objects.get((object as usize).wrapping_sub(1)).map(|object| object.size),
        }
    }

    /// The number that `n` bytes make.
    pub fn load(&mut self, memory: &Memory, boxes: &[Boxed], at: Pointer, n: usize) -> Result<u128, Trap> {
        self.reach(boxes, at, n as u64)?;
        let mut bytes = [0; 16];
        memory.read(at, &mut bytes[..n], &mut self.asking(boxes))?;
        Ok(u128::from_le_bytes(bytes))
    }

    pub fn load_pointer(&mut self, memory: &Memory, boxes: &[Boxed], at: Pointer) -> Result<Pointer, Trap> {
        let n = self.pointer_bytes();
        self.reach(boxes, at, n as u64)?;
        match memory.load_pointer(at) {
            Some(pointer) => Ok(pointer),
            None => {
                let address = self.load(memory, boxes, at, n)?;
                self.pointer_at(boxes, address as u64)
            }
        }
    }

    /// Writes the low `n` bytes of a number.
    #[inline(always)]
    pub fn store(
        &mut self,
        memory: &mut Memory,
        boxes: &[Boxed],
        at: Pointer,
        n: usize,
        value: u128,
    ) -> Result<(), Trap> {
        self.reach(boxes, at, n as u64)?;
        self.guard_constants(memory, at, n as u64)?;
        if memory.store_word(at, n, value as u64) {
            return Ok(());
        }
        memory.write(at, &value.to_le_bytes()[..n], &mut self.asking(boxes))
    }

    pub fn store_pointer(
        &mut self,
        memory: &mut Memory,
        boxes: &[Boxed],
        at: Pointer,
        pointer: Pointer,
    ) -> Result<(), Trap> {
        let n = self.pointer_bytes() as u64;
        self.reach(boxes, at, n)?;
        self.guard_constants(memory, at, n)?;
        memory.store_pointer(at, pointer, &mut self.asking(boxes))
    }

    pub fn copy(
        &mut self,
        memory: &mut Memory,
        boxes: &[Boxed],
        to: Pointer,
        from: Pointer,
        n: u64,
    ) -> Result<(), Trap> {
        self.reach(boxes, from, n)?;
        self.reach(boxes, to, n)?;
        self.guard_constants(memory, to, n)?;
        self.affordable(n)?;
        if n == 0 {
            return Ok(());
        }
        memory.copy(to, from, n as usize, &mut self.asking(boxes))
    }

    pub fn fill(&mut self, memory: &mut Memory, boxes: &[Boxed], to: Pointer, byte: u8, n: u64) -> Result<(), Trap> {
        self.reach(boxes, to, n)?;
        self.guard_constants(memory, to, n)?;
        self.affordable(n)?;
        if n == 0 {
            return Ok(());
        }
        memory.fill(to, byte, n as usize, &mut self.asking(boxes))
    }

    fn affordable(&self, n: u64) -> Result<(), Trap> {
        if n > self.memory_limit { Err(Trap::Limit(Limit::Memory)) } else { Ok(()) }
    }

    pub fn asking<'a>(&'a mut self, boxes: &'a [Boxed]) -> Asking<'a, 'r> {
        Asking { facts: self, boxes }
    }

    fn last_address(&self) -> u64 {
        u64::MAX >> (64 - self.program.data_model.pointer_width())
    }

    /// The address that a pointer stands for.
    pub fn address(&mut self, boxes: &[Boxed], pointer: Pointer) -> Result<u64, Trap> {
        let base = self.base(boxes, pointer.object)?;
        Ok(base.wrapping_add(pointer.offset) & self.last_address())
    }

    /// The address where an object starts, as `$base` holds it.
    fn base(&mut self, boxes: &[Boxed], object: u32) -> Result<u64, Trap> {
        match self.base {
            Some(base) => match boxes[base.index(0)].array()?.get(u128::from(object)) {
                Ok(address) => Ok(address as u64),
                Err(_) => self.initial_address(boxes, object),
            },
            None => self.initial_address(boxes, object),
        }
    }

    /// The address that an object has from the start, unless the program assigns another.
    pub fn initial_address(&mut self, boxes: &[Boxed], object: u32) -> Result<u64, Trap> {
        if object == 0 {
            return Ok(0);
        }
        if let Some(address) = self.addresses.get(object) {
            return Ok(address);
        }
        let size = self.object_size(boxes, object).unwrap_or(1 << 12);
        let suggested = self.addresses.suggest(size);
        self.asked += 1;
        let address = self.choices.address(object, size, suggested)?;
        if suggested.saturating_add(size) > self.last_address() && address == suggested {
            return Err(Trap::Limit(Limit::Memory));
        }
        let why = if address == 0 || address > self.last_address() {
            "that is no address".into()
        } else {
            match self.addresses.settle(object, size, address) {
                Ok(()) => return Ok(address),
                Err(vacant) => format!("no object was found at {vacant:#x} before"),
            }
        };
        Err(ChoiceError::Mismatch(format!("{} cannot lie at {address:#x}: {why}", self.name(object))).into())
    }

    /// The pointer that an address stands for.
    fn pointer_at(&mut self, boxes: &[Boxed], address: u64) -> Result<Pointer, Trap> {
        if address == 0 {
            return Ok(Pointer { object: 0, offset: 0 });
        }
        let bases = self.base.map(|base| boxes[base.index(0)].array()).transpose()?;
        let sizes = self.size.map(|size| boxes[size.index(0)].array()).transpose()?;
        let object = self.object_at(boxes, bases, sizes, address)?;
        let base = self.base(boxes, object)?;
        Ok(Pointer { object, offset: address.wrapping_sub(base) & self.last_address() })
    }

    /// See [`term::Op::ObjectAt`]; where the program has no such arrays, what is known instead of them.
    pub fn object_at(
        &mut self,
        boxes: &[Boxed],
        bases: Option<&SlotArray>,
        sizes: Option<&SlotArray>,
        address: u64,
    ) -> Result<u32, Trap> {
        match bases.map(SlotArray::background) {
            None | Some(Background::Addresses) => {}
            Some(Background::Constant(0)) => {
                let size = |object: u32| self.size_in(boxes, sizes, object);
                let mut stored: Vec<(u32, u64)> =
                    bases.into_iter().flat_map(SlotArray::stored).map(|(o, base)| (o as u32, base as u64)).collect();
                stored.sort_unstable();
                return Ok(containing(stored.into_iter(), address, size));
            }
            Some(Background::Constant(_)) => {
                return Err(Trap::Unsupported("the object at an address, where every object has one".into()));
            }
        }
        if address == 0 {
            return Ok(0);
        }
        let last = match sizes {
            Some(sizes) => sizes.dense_len().saturating_sub(1),
            None => self.program.objects.len(),
        };
        for object in self.addresses.unsettled(last as u32) {
            let alive = self.alive.map(|alive| boxes[alive.index(0)].array()).transpose()?;
            if alive.is_none_or(|alive| alive.get(u128::from(object)).unwrap_or(0) != 0) {
                self.initial_address(boxes, object)?;
            }
        }
        let stored = bases.into_iter().flat_map(SlotArray::stored).map(|(o, base)| (o as u32, base as u64));
        let moved: FxHashMap<u32, u64> = stored.collect();
        let mut addresses = std::mem::replace(&mut self.addresses, Addresses::new());
        let found = addresses.object_at(address, &moved, |object| self.size_in(boxes, sizes, object));
        self.addresses = addresses;
        Ok(found)
    }

    fn size_in(&self, boxes: &[Boxed], sizes: Option<&SlotArray>, object: u32) -> u64 {
        match sizes {
            Some(sizes) if !is_external(object) => sizes.get(u128::from(object)).unwrap_or(0) as u64,
            _ => self.object_size(boxes, object).unwrap_or(1 << 12),
        }
    }

    /// The objects whose addresses are known.
    pub fn addressed(&self) -> impl Iterator<Item = u32> {
        self.addresses.objects()
    }

    pub fn has_applications(&self) -> bool {
        !self.applications.is_empty()
    }

    /// The value of an uninterpreted function, the same each time.
    pub fn apply(&mut self, function: &Function, arguments: Vec<Value>) -> Result<Value, Trap> {
        let key = (function.clone(), arguments);
        if let Some(known) = self.applications.get(&key) {
            return Ok(known.clone());
        }
        self.asked += 1;
        let value = self.choices.apply(function, &key.1)?;
        if value.sort() != function.result {
            let wanted = format!("a value of {}, of sort {}", function.name, function.result);
            return Err(ChoiceError::mismatch(wanted, value).into());
        }
        self.applications.insert(key, value.clone());
        Ok(value)
    }
}

/// The facts as memory asks for them: with the arrays that the program keeps.
pub(super) struct Asking<'a, 'r> {
    facts: &'a mut Facts<'r>,
    boxes: &'a [Boxed],
}

impl Outside for Asking<'_, '_> {
    fn unwritten(&mut self, origin: u32, at: Pointer, bytes: &mut [u8]) -> Result<(), Trap> {
        let facts = &mut *self.facts;
        facts.is_inside(self.boxes, at, bytes.len())?;
        if !facts.copied.contains(&origin) {
            facts.asked += 1;
            return Ok(facts.choices.bytes(at.object, at.offset, bytes)?);
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            let key = (origin, at.object, at.offset + i as u64);
            match facts.initial_bytes.get(&key) {
                Some(known) => *byte = *known,
                None => {
                    facts.asked += 1;
                    facts.choices.bytes(at.object, key.2, std::slice::from_mut(byte))?;
                    facts.initial_bytes.insert(key, *byte);
                }
            }
        }
        Ok(())
    }

    fn unwritten_pointer(&mut self, origin: u32, at: Pointer) -> Result<Option<Pointer>, Trap> {
        let facts = &mut *self.facts;
        facts.is_inside(self.boxes, at, facts.pointer_bytes())?;
        // Of memories that exist more than once, only bytes are remembered.
        if facts.copied.contains(&origin) {
            return Ok(None);
        }
        facts.asked += 1;
        match facts.choices.pointer(at.object, at.offset, 8 * facts.pointer_bytes() as u32)? {
            None => Ok(None),
            Some(value) if !is_foreign(&value) => Err(ChoiceError::mismatch("a pointer from outside", value).into()),
            Some(Value::Pointer { object, offset }) => Ok(Some(Pointer { object, offset: offset.unsigned() as u64 })),
            Some(other) => Err(ChoiceError::mismatch("a pointer", other).into()),
        }
    }

    fn address(&mut self, pointer: Pointer) -> Result<u64, Trap> {
        self.facts.address(self.boxes, pointer)
    }

    fn size(&self, object: u32) -> Option<u64> {
        self.facts.size.and_then(|_| self.facts.object_size(self.boxes, object))
    }
}
