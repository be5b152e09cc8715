//! Giving back objects that nothing can reach any more.
//!
//! Identities are never used twice, so a program that makes objects again and again (a local variable whose address is
//! taken, say) would need ever more memory. Whatever looks like an identity or a pointer in a register, a constant, an array
//! or an object that is kept counts as one; objects whose address was asked for are kept too, since integers can become
//! pointers to them. Should a program reach an object all the same, the run stops and says so.

use super::arrays::{Boxed, SlotArray};
use super::code::Code;
use super::machine::{Content, Machine};
use super::memory::Memory;
use term::Value;

/// The first collection happens when there are so many objects.
pub(super) const FIRST: usize = 1 << 16;

/// The objects found so far that are kept.
struct Marking<'m> {
    memory: &'m Memory,
    marked: Vec<bool>,
    /// Those that have not been looked into.
    waiting: Vec<u32>,
}

impl Marking<'_> {
    fn object(&mut self, identity: u32) {
        if let Some(place) = self.memory.place_of(identity)
            && !std::mem::replace(&mut self.marked[place], true)
        {
            self.waiting.push(identity);
        }
    }

    /// What a slot may hold: an identity, a pointer, or one packed into a vector.
    fn slot(&mut self, slot: u128) {
        for shift in [0, 32, 64] {
            self.object((slot >> shift) as u32);
        }
    }

    fn array(&mut self, array: &SlotArray) {
        for (index, element) in array.stored() {
            self.slot(index);
            self.slot(element);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(array) => {
                let parts = array.entries.iter().flat_map(|(index, element)| [index, element]);
                parts.chain([&array.default]).for_each(|part| self.value(part));
            }
            other => self.slot(super::layout::encode(other).unwrap_or(0)),
        }
    }

    fn boxed(&mut self, boxed: &Boxed) {
        match boxed {
            Boxed::Array(array) => self.array(array),
            Boxed::Value(value) => self.value(value),
            Boxed::Empty | Boxed::Memory(_) => {}
        }
    }

    /// Marks everything that can be reached from what is marked.
    fn close(&mut self) {
        let memory = self.memory;
        while let Some(identity) = self.waiting.pop() {
            memory.targets(identity).for_each(|target| self.object(target));
        }
    }
}

impl Machine<'_> {
    /// Gives back what nothing can reach; how many objects are left.
    pub fn collect(&mut self, code: &Code) -> usize {
        // What other memories, windows and functions hold is not looked into.
        let other_memory = self.boxes.iter().any(|boxed| matches!(boxed, Boxed::Memory(_)));
        if other_memory || self.memory.has_windows() || self.facts.has_applications() {
            return self.memory.count();
        }
        let mut marking =
            Marking { memory: &self.memory, marked: vec![false; self.memory.places()], waiting: Vec::new() };
        (1..=self.program.objects.len() as u32).for_each(|object| marking.object(object));
        self.facts.addressed().for_each(|object| marking.object(object));
        self.regs.iter().chain(&code.constants).for_each(|slot| marking.slot(*slot));
        // These arrays have an entry for every object, which says nothing about its use.
        let about: Vec<usize> = self.layout.about_objects.iter().map(|reg| reg.index(0)).collect();
        let others = self.boxes.iter().enumerate().filter(|(at, _)| !about.contains(at));
        others.for_each(|(_, boxed)| marking.boxed(boxed));
        for content in self.threads.iter().flat_map(|thread| &thread.local) {
            match content {
                Content::Slot(slot) => marking.slot(*slot),
                Content::Boxed(boxed) => marking.boxed(boxed),
            }
        }
        marking.close();
        let marked = marking.marked;
        self.memory.release_unmarked(&marked);
        self.memory.count()
    }
}
