//! Where objects lie in the address space, as far as a run has asked.
//!
//! An object gets its address when something first depends on it. Asking which object lies at an address settles the
//! addresses of all objects alive, so that the answer cannot become wrong afterwards.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Every object suggested starts at a multiple of this, which is more than most programs ask for, and as many bytes at least are
/// between it and the next.
const ALIGNMENT: u64 = 64;
const FIRST: u64 = 0x10000;

/// The addresses known so far.
#[derive(Debug)]
pub(super) struct Addresses {
    by_object: FxHashMap<u32, u64>,
    by_address: BTreeMap<u64, u32>,
    /// Whether ranges may overlap, so that the nearest start below an address does not tell the object.
    overlapping: bool,
    next: u64,
    /// Addresses of which it was said that no object lies there.
    vacant: BTreeSet<u64>,
    /// Objects up to this identity that were alive have addresses.
    settled: u32,
}

impl Addresses {
    pub fn new() -> Addresses {
        Addresses {
            by_object: FxHashMap::default(),
            by_address: BTreeMap::new(),
            overlapping: false,
            next: FIRST,
            vacant: BTreeSet::new(),
            settled: 0,
        }
    }

    pub fn get(&self, object: u32) -> Option<u64> {
        self.by_object.get(&object).copied()
    }

    pub fn objects(&self) -> impl Iterator<Item = u32> {
        self.by_object.keys().copied()
    }

    /// An address where an object of the size overlaps no other.
    pub fn suggest(&self, size: u64) -> u64 {
        let mut start = self.next;
        while let Some(used) = self.vacant.range(start..=start.saturating_add(size)).next_back() {
            start = (used + 1).next_multiple_of(ALIGNMENT);
        }
        start
    }

    /// Settles the address of an object. Fails if it was said that no object lies there.
    pub fn settle(&mut self, object: u32, size: u64, address: u64) -> Result<(), u64> {
        let end = address.saturating_add(size);
        if let Some(vacant) = self.vacant.range(address..=end).next() {
            return Err(*vacant);
        }
        let below = self.by_address.range(..address).next_back();
        let reaches_up =
            below.is_some_and(|_| address < self.next) || self.by_address.range(address..=end).next().is_some();
        self.overlapping |= reaches_up;
        self.by_object.insert(object, address);
        self.by_address.insert(address, object);
        self.next =
            self.next.max(end.saturating_add(ALIGNMENT).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX));
        Ok(())
    }

    /// The identities that were not yet looked at for settling, up to the given one; afterwards they count as settled.
    pub fn unsettled(&mut self, last: u32) -> std::ops::RangeInclusive<u32> {
        let first = self.settled + 1;
        self.settled = self.settled.max(last);
        first..=last
    }

    /// The object that an address lies in, or 0; see [`term::Op::ObjectAt`]. Some objects lie elsewhere than they did at
    /// first: `moved`.
    pub fn object_at(&mut self, address: u64, moved: &FxHashMap<u32, u64>, size: impl Fn(u32) -> u64) -> u32 {
        let found = if self.overlapping || !moved.is_empty() {
            let mut sorted: BTreeMap<u32, u64> = self.by_object.iter().map(|(object, base)| (*object, *base)).collect();
            sorted.extend(moved);
            containing(sorted.into_iter(), address, size)
        } else {
            let nearest = self.by_address.range(..=address).next_back();
            containing(nearest.map(|(base, object)| (*object, *base)).into_iter(), address, size)
        };
        if found == 0 {
            self.vacant.insert(address);
        }
        found
    }
}

/// The last of the objects that the address lies in, or else the last that ends there, or 0. Where an object lies in the place of
/// another, that one is gone.
pub(super) fn containing(objects: impl Iterator<Item = (u32, u64)>, address: u64, size: impl Fn(u32) -> u64) -> u32 {
    let (mut inside, mut at_end) = (0, 0);
    for (object, base) in objects {
        if object == 0 || base == 0 || address < base {
            continue;
        }
        let (distance, size) = (address - base, size(object));
        if distance == 0 || distance < size {
            inside = object;
        } else if distance == size {
            at_end = object;
        }
    }
    if inside != 0 { inside } else { at_end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(objects: &[(u32, u64, u64)], address: u64, expected: u32) {
        let mut addresses = Addresses::new();
        for (object, size, base) in objects {
            assert_eq!(addresses.settle(*object, *size, *base), Ok(()));
        }
        let size = |object| objects.iter().find(|(o, ..)| *o == object).map_or(0, |(_, size, _)| *size);
        assert_eq!(addresses.object_at(address, &FxHashMap::default(), size), expected, "{objects:?} at {address}");
    }

    #[test]
    fn objects_are_found_by_their_addresses() {
        let apart = [(1, 8, 100), (2, 8, 200), (3, 0, 300)];
        for (address, expected) in [(99, 0), (100, 1), (107, 1), (108, 1), (109, 0), (200, 2), (300, 3), (301, 0)] {
            check(&apart, address, expected);
        }
        // The end of an object counts only where no other starts.
        check(&[(1, 8, 100), (2, 8, 108)], 108, 2);
        check(&[(2, 8, 108), (1, 8, 100)], 108, 2);
        // Where objects overlap, the newer one is meant.
        check(&[(1, 100, 100), (2, 8, 120)], 150, 1);
        check(&[(2, 8, 120), (1, 100, 100)], 125, 2);
    }

    #[test]
    fn suggestions_stay_apart_from_what_was_said() {
        let mut addresses = Addresses::new();
        let first = addresses.suggest(100);
        assert_eq!(addresses.settle(1, 100, first), Ok(()));
        let second = addresses.suggest(8);
        assert!(second > first + 100);
        assert_eq!(addresses.object_at(second + 4, &FxHashMap::default(), |_| 100), 0);
        assert!(addresses.suggest(8) > second + 4);
        assert_eq!(addresses.settle(2, 8, second), Err(second + 4));
    }
}
