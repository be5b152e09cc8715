//! The bytes of one object, with a state for each.

/// Nothing was written to the byte yet.
pub(super) const UNWRITTEN: u8 = 0;
/// An ordinary byte.
pub(super) const WRITTEN: u8 = 1;
/// The first byte of a pointer; the states of its other bytes follow.
pub(super) const POINTER: u8 = 2;
/// The states of a pointer's bytes.
pub(super) const PARTS: [u8; 8] = [2, 3, 4, 5, 6, 7, 8, 9];

/// An object's bytes, as far as they were used.
///
/// A pointer's bytes hold its offset; its object stands in `targets`.
#[derive(Clone, Default, Debug)]
pub(super) struct Object {
    /// The bytes and then their states, half and half.
    cells: Vec<u8>,
    /// The object of the pointer that starts at offset `o` is at `o / 4`: no two pointers start in one such group.
    targets: Vec<u32>,
}

impl Object {
    pub fn len(&self) -> usize {
        self.cells.len() / 2
    }

    pub fn data(&self, at: usize, n: usize) -> &[u8] {
        &self.cells[at..at + n]
    }

    pub fn states(&self, at: usize, n: usize) -> &[u8] {
        let half = self.len();
        &self.cells[half + at..half + at + n]
    }

    /// The bytes and their states.
    pub fn halves_mut(&mut self) -> (&mut [u8], &mut [u8]) {
        let half = self.len();
        self.cells.split_at_mut(half)
    }

    /// The state of a byte; what was never used is unwritten.
    pub fn state(&self, at: usize) -> u8 {
        let half = self.len();
        if at < half { self.cells[half + at] } else { UNWRITTEN }
    }

    /// Makes room; the new bytes are unwritten.
    pub fn grow(&mut self, to: usize) {
        let half = self.len();
        if to > half {
            self.cells.resize(2 * to, UNWRITTEN);
            self.cells.copy_within(half..2 * half, to);
            self.cells[half..to.min(2 * half)].fill(0);
        }
    }

    /// Forgets everything, but keeps a little room for the next object in this place.
    pub fn reset(&mut self) {
        if self.cells.capacity() > 1 << 16 {
            *self = Object::default();
        } else {
            self.cells.clear();
            self.targets.clear();
        }
    }

    /// Puts ordinary bytes.
    pub fn put(&mut self, at: usize, bytes: &[u8]) {
        let (data, states) = self.halves_mut();
        data[at..at + bytes.len()].copy_from_slice(bytes);
        states[at..at + bytes.len()].fill(WRITTEN);
    }

    /// Puts a pointer: as many bytes as its offset is given.
    pub fn put_pointer(&mut self, at: usize, target: u32, offset: &[u8]) {
        let (data, states) = self.halves_mut();
        data[at..at + offset.len()].copy_from_slice(offset);
        states[at..at + offset.len()].copy_from_slice(&PARTS[..offset.len()]);
        if self.targets.len() <= at / 4 {
            self.targets.resize(self.len() / 4 + 1, 0);
        }
        self.targets[at / 4] = target;
    }

    /// Whether there may be pointers among the bytes.
    pub fn has_pointers(&self) -> bool {
        !self.targets.is_empty()
    }

    /// The objects of the pointers among the bytes.
    pub fn targets(&self) -> impl Iterator<Item = u32> {
        let starts = move |group: usize| (4 * group..4 * group + 4).any(|at| self.state(at) == POINTER);
        self.targets.iter().enumerate().filter(move |(group, _)| starts(*group)).map(|(_, target)| *target)
    }

    /// The pointer of `n` bytes that starts here: its object and its offset.
    pub fn pointer(&self, at: usize, n: usize) -> (u32, u64) {
        let mut offset = [0; 8];
        offset[..n].copy_from_slice(self.data(at, n));
        (self.targets.get(at / 4).copied().unwrap_or_default(), u64::from_le_bytes(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growing_keeps_bytes_and_states() {
        let mut object = Object::default();
        let mut written = Vec::new();
        for (step, size) in [1, 2, 3, 5, 6, 12, 40].into_iter().enumerate() {
            object.grow(size);
            assert!((written.len()..size).all(|at| object.state(at) == UNWRITTEN));
            assert_eq!(object.data(0, written.len()), &written[..]);
            assert!((0..written.len()).all(|at| object.state(at) == WRITTEN));
            // Everything but the last byte is written before the object grows again.
            let more = vec![step as u8 + 1; size - 1 - written.len().min(size - 1)];
            object.put(written.len(), &more);
            written.extend(more);
        }
        assert_eq!(object.state(1000), UNWRITTEN);
    }
}
