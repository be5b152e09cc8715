//! Places far from where their object starts.
//!
//! Bytes are kept in one piece from an object's start. That will not do for addresses that the program writes down as numbers,
//! and for pointers from outside at arbitrary offsets; there each window of offsets that is used counts as an object of
//! its own, under an identity that no object has.

use super::memory::Pointer;
use super::outcome::Trap;
use crate::memory::{FIRST_EXTERNAL, is_external};
use rustc_hash::FxHashMap;

/// How many low bits of an offset lie inside a window.
const BITS: u32 = 16;
/// Identities of windows count down from here.
const LAST: u32 = FIRST_EXTERNAL - 1;

/// The windows in use.
#[derive(Clone, Default, Debug)]
pub(super) struct Windows {
    /// By object and the offset's bits above [`BITS`].
    identities: FxHashMap<(u32, u64), u32>,
    /// The objects and starts of windows, in the order of their identities.
    starts: Vec<Pointer>,
}

impl Windows {
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The window's object that a place is in, if it is in one.
    fn key(at: Pointer) -> Option<(u32, u64)> {
        let is_far = at.object == 0 || is_external(at.object) && at.offset >> BITS != 0;
        is_far.then_some((at.object, at.offset >> BITS))
    }

    /// The place where the bytes are, if it is in use.
    #[inline]
    pub fn known(&self, at: Pointer) -> Option<Pointer> {
        match Windows::key(at) {
            None => Some(at),
            Some(key) => self.identities.get(&key).map(|window| inside(*window, at)),
        }
    }

    /// The place where `n` bytes are to be kept.
    #[inline]
    pub fn enter(&mut self, at: Pointer, n: usize) -> Result<Pointer, Trap> {
        match Windows::key(at) {
            None => Ok(at),
            Some(key) => self.make(key, at, n),
        }
    }

    #[cold]
    fn make(&mut self, key: (u32, u64), at: Pointer, n: usize) -> Result<Pointer, Trap> {
        if n as u64 > (1 << BITS) - inside(0, at).offset {
            return Err(Trap::Unsupported(format!("an access to {n} bytes at {:#x} outside of objects", at.offset)));
        }
        let next = LAST - self.starts.len() as u32;
        let window = *self.identities.entry(key).or_insert(next);
        if window == next {
            self.starts.push(Pointer { object: at.object, offset: key.1 << BITS });
        }
        Ok(inside(window, at))
    }

    pub fn is_window(&self, object: u32) -> bool {
        self.start(object).is_some()
    }

    fn start(&self, object: u32) -> Option<Pointer> {
        LAST.checked_sub(object).and_then(|number| self.starts.get(number as usize)).copied()
    }

    /// The place as the program knows it.
    pub fn outer(&self, at: Pointer) -> Pointer {
        match self.start(at.object) {
            None => at,
            Some(start) => Pointer { object: start.object, offset: start.offset + at.offset },
        }
    }
}

fn inside(window: u32, at: Pointer) -> Pointer {
    Pointer { object: window, offset: at.offset & ((1 << BITS) - 1) }
}
