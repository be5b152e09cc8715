//! Memory: objects made of bytes that may remember pointers.
//!
//! A byte was never written to, or is an ordinary byte, or is the n-th byte of a pointer that was stored in one piece. A
//! pointer's address is worked out only when its bytes are looked at one by one, so that most objects never need one.
//! Overwriting a part of a pointer makes the rest ordinary bytes.
//!
//! Outside of the program's own objects, offsets may be anything, so those far from an object's start are kept in
//! [`Windows`], which count as objects of their own.
//!
//! Nothing here checks sizes or lives: objects grow as they are used. What only the run knows (unwritten bytes,
//! addresses) comes from an [`Outside`]. Callers see to it that no range reaches beyond the address space.

use super::object::{Object, PARTS, POINTER, UNWRITTEN, WRITTEN};
use super::outcome::{Limit, Trap};
use super::windows::Windows;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A pointer taken apart: an object and an offset in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub object: u32,
    pub offset: u64,
}

impl Pointer {
    #[inline(always)]
    pub fn from_slot(slot: u128) -> Pointer {
        Pointer { object: (slot >> 64) as u32, offset: slot as u64 }
    }

    #[inline(always)]
    pub fn slot(self) -> u128 {
        u128::from(self.object) << 64 | u128::from(self.offset)
    }

    fn plus(self, bytes: usize) -> Pointer {
        Pointer { object: self.object, offset: self.offset + bytes as u64 }
    }
}

/// What memory must ask for.
pub(super) trait Outside {
    /// Bytes that nothing was written to, of the memory that began as number `origin`.
    fn unwritten(&mut self, origin: u32, at: Pointer, bytes: &mut [u8]) -> Result<(), Trap>;

    /// The pointer that unwritten bytes hold, if they were one from the start, of the memory that began as number `origin`.
    fn unwritten_pointer(&mut self, origin: u32, at: Pointer) -> Result<Option<Pointer>, Trap>;

    /// The address that a pointer stands for.
    fn address(&mut self, pointer: Pointer) -> Result<u64, Trap>;

    /// How large an object will ever be, if it is known.
    fn size(&self, object: u32) -> Option<u64>;
}

/// About how many bytes the allocation of an object takes in addition to its own.
const OVERHEAD: usize = 24;

const ABSENT: u32 = 0;
const RELEASED: u32 = u32::MAX;

/// A memory.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Which arbitrary memory this was at first: unwritten bytes are still those.
    origin: u32,
    pointer_bytes: usize,
    /// Where objects with small identities are in `objects`, and where the others are.
    near: Vec<u32>,
    far: FxHashMap<u32, u32>,
    /// The first is never used, so that 0 can mean that there is none.
    objects: Vec<Object>,
    /// The identities of the objects; 0 where there is none.
    identities: Vec<u32>,
    vacant: Vec<u32>,
    windows: Windows,
    bytes: u64,
    most_bytes: u64,
    limit: u64,
}

impl Memory {
    /// An arbitrary memory whose objects may grow to `limit` bytes.
    pub fn new(origin: u32, pointer_bytes: usize, limit: u64) -> Memory {
        Memory {
            origin,
            pointer_bytes,
            near: Vec::new(),
            far: FxHashMap::default(),
            objects: vec![Object::default()],
            identities: vec![0],
            vacant: Vec::new(),
            windows: Windows::default(),
            bytes: 0,
            most_bytes: 0,
            limit,
        }
    }

    pub fn origin(&self) -> u32 {
        self.origin
    }

    /// About how many bytes the memory takes.
    pub fn bytes(&self) -> u64 {
        let objects = self.objects.capacity() * (size_of::<Object>() + 8 + OVERHEAD);
        self.bytes + objects as u64 + 4 * self.near.capacity() as u64
    }

    /// The most bytes that all objects took at one time.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Whether something was written in the range.
    pub fn is_written(&self, at: Pointer, n: u64) -> bool {
        let Some(at) = self.windows.known(at) else { return false };
        self.find(at.object).is_some_and(|object| {
            let end = at.offset.saturating_add(n).min(object.len() as u64) as usize;
            let start = at.offset.min(end as u64) as usize;
            object.states(start, end - start).iter().any(|state| *state != UNWRITTEN)
        })
    }

    #[inline]
    fn place(&self, object: u32) -> u32 {
        match self.near.get(object as usize) {
            Some(place) => *place,
            None if self.far.is_empty() => ABSENT,
            None => self.far.get(&object).copied().unwrap_or(ABSENT),
        }
    }

    #[inline]
    fn find(&self, object: u32) -> Option<&Object> {
        match self.place(object) {
            ABSENT | RELEASED => None,
            place => self.objects.get(place as usize),
        }
    }

    /// The state of a byte.
    fn state(&self, object: u32, at: usize) -> u8 {
        self.find(object).map_or(UNWRITTEN, |object| object.state(at))
    }

    /// The object that is to be used up to `end`.
    #[inline]
    fn open(&mut self, object: u32, end: u64, outside: &dyn Outside) -> Result<&mut Object, Trap> {
        let mut place = self.place(object);
        if place == ABSENT || place == RELEASED {
            place = self.create(object, place)?;
        }
        if (self.objects[place as usize].len() as u64) < end {
            let size = if self.windows.is_window(object) { None } else { outside.size(object) };
            self.enlarge(place, end, size)?;
        }
        Ok(&mut self.objects[place as usize])
    }

    #[cold]
    fn create(&mut self, object: u32, place: u32) -> Result<u32, Trap> {
        if place == RELEASED {
            return Err(Trap::Unsupported(format!("object {object} is used after it was given back")));
        }
        let place = self.vacant.pop().unwrap_or_else(|| {
            self.objects.push(Object::default());
            self.identities.push(0);
            self.objects.len() as u32 - 1
        });
        self.identities[place as usize] = object;
        self.set_place(object, place);
        Ok(place)
    }

    fn set_place(&mut self, object: u32, place: u32) {
        let at = object as usize;
        if at >= self.near.len() && at <= 2 * self.near.len() + 1024 {
            let far = &mut self.far;
            let beyond = self.near.len() as u32..=object;
            self.near.extend(beyond.map(|o| if far.is_empty() { None } else { far.remove(&o) }.unwrap_or(ABSENT)));
        }
        match self.near.get_mut(at) {
            Some(slot) => *slot = place,
            None => {
                self.far.insert(object, place);
            }
        }
    }

    #[cold]
    fn enlarge(&mut self, place: u32, end: u64, size: Option<u64>) -> Result<(), Trap> {
        let object = &mut self.objects[place as usize];
        let old = object.len() as u64;
        // Small objects get all their bytes at once; others grow by half, since much of them may never be used.
        let wanted = match size {
            Some(size) if size <= 4096 => size,
            _ => (old + old / 2).min(size.unwrap_or(u64::MAX)),
        };
        let more = (wanted.max(end) - old).saturating_mul(2);
        if self.bytes.saturating_add(more) > self.limit {
            return Err(Trap::Limit(Limit::Memory));
        }
        object.grow(wanted.max(end) as usize);
        self.bytes += more;
        self.most_bytes = self.most_bytes.max(self.bytes);
        Ok(())
    }

    /// Gives back the bytes of an object whose life has ended, or that nothing can reach.
    pub fn release(&mut self, object: u32) {
        let place = self.place(object);
        if place == RELEASED {
            return;
        }
        self.set_place(object, RELEASED);
        if place != ABSENT {
            let old = &mut self.objects[place as usize];
            self.bytes -= 2 * old.len() as u64;
            old.reset();
            self.identities[place as usize] = 0;
            self.vacant.push(place);
        }
    }

    /// How many objects there are.
    pub fn count(&self) -> usize {
        self.objects.len() - 1 - self.vacant.len()
    }

    /// One more than the greatest place of an object.
    pub fn places(&self) -> usize {
        self.objects.len()
    }

    /// The place of an object, if it is in use.
    pub fn place_of(&self, object: u32) -> Option<usize> {
        match self.place(object) {
            ABSENT | RELEASED => None,
            place => Some(place as usize),
        }
    }

    /// The objects that pointers in an object point to.
    pub fn targets(&self, object: u32) -> impl Iterator<Item = u32> {
        self.find(object).into_iter().flat_map(Object::targets)
    }

    /// Whether there are places that no identity stands for: then it is not known what can be reached.
    pub fn has_windows(&self) -> bool {
        !self.windows.is_empty()
    }

    /// Gives back the objects in places that are not marked.
    pub fn release_unmarked(&mut self, marked: &[bool]) {
        for (place, marked) in marked.iter().enumerate().skip(1) {
            let identity = self.identities[place];
            if !marked && identity != 0 {
                self.release(identity);
            }
        }
    }

    /// The number that `n` ordinary bytes make, if they are such and as many as words have.
    #[inline(always)]
    pub fn load_word(&self, at: Pointer, n: usize) -> Option<u64> {
        let object = self.find(at.object)?;
        let start = at.offset as usize;
        if start.checked_add(n)? > object.len() {
            return None;
        }
        macro_rules! word {
            ($type:ty) => {{
                let states = <$type>::from_le_bytes(object.states(start, n).try_into().ok()?);
                if states != <$type>::MAX / 255 * <$type>::from(WRITTEN) {
                    return None;
                }
                <$type>::from_le_bytes(object.data(start, n).try_into().ok()?).into()
            }};
        }
        Some(match n {
            1 => word!(u8),
            2 => word!(u16),
            4 => word!(u32),
            8 => word!(u64),
            _ => return None,
        })
    }

    /// Writes the low `n` bytes of a number, if they make a word and neither pointers nor growth are involved.
    #[inline(always)]
    pub fn store_word(&mut self, at: Pointer, n: usize, value: u64) -> bool {
        let place = self.place(at.object);
        if place == ABSENT || place == RELEASED {
            return false;
        }
        let object = &mut self.objects[place as usize];
        let start = at.offset as usize;
        let Some(end) = start.checked_add(n).filter(|end| *end <= object.len()) else { return false };
        if object.has_pointers() && (object.state(start) > POINTER || object.state(end) > POINTER) {
            return false;
        }
        let (data, states) = object.halves_mut();
        macro_rules! word {
            ($type:ty) => {{
                data[start..start + n].copy_from_slice(&(value as $type).to_le_bytes());
                states[start..start + n].copy_from_slice(&[WRITTEN; size_of::<$type>()]);
            }};
        }
        match n {
            1 => word!(u8),
            2 => word!(u16),
            4 => word!(u32),
            8 => word!(u64),
            _ => return false,
        }
        true
    }

    /// Reads bytes, those of pointers as their addresses' bytes. What is unwritten is asked for, but not kept.
    pub fn read(&self, at: Pointer, bytes: &mut [u8], outside: &mut dyn Outside) -> Result<(), Trap> {
        match self.windows.known(at) {
            Some(at) => self.read_window(at, bytes, outside),
            None => outside.unwritten(self.origin, at, bytes),
        }
    }

    fn read_window(&self, at: Pointer, bytes: &mut [u8], outside: &mut dyn Outside) -> Result<(), Trap> {
        let start = at.offset as usize;
        if let Some(object) = self.find(at.object)
            && start + bytes.len() <= object.len()
            && object.states(start, bytes.len()).iter().all(|state| *state == WRITTEN)
        {
            bytes.copy_from_slice(object.data(start, bytes.len()));
            return Ok(());
        }
        let mut i = 0;
        while i < bytes.len() {
            match (self.state(at.object, start + i), self.find(at.object)) {
                (UNWRITTEN, _) | (_, None) => {
                    let n = self.unwritten_run(at.object, start + i, bytes.len() - i);
                    outside.unwritten(self.origin, self.windows.outer(at.plus(i)), &mut bytes[i..i + n])?;
                    i += n;
                }
                (WRITTEN, Some(object)) => {
                    bytes[i..i + 1].copy_from_slice(object.data(start + i, 1));
                    i += 1;
                }
                (state, Some(object)) => {
                    let part = usize::from(state - POINTER);
                    let (target, offset) = object.pointer(start + i - part, self.pointer_bytes);
                    let address = outside.address(Pointer { object: target, offset })?.to_le_bytes();
                    let n = (self.pointer_bytes - part).min(bytes.len() - i);
                    bytes[i..i + n].copy_from_slice(&address[part..part + n]);
                    i += n;
                }
            }
        }
        Ok(())
    }

    /// How many bytes from here on are unwritten, at most `most`.
    fn unwritten_run(&self, object: u32, start: usize, most: usize) -> usize {
        (0..most).find(|i| self.state(object, start + i) != UNWRITTEN).unwrap_or(most)
    }

    /// Asks for the unwritten bytes of a range and keeps the answers.
    pub fn fix_unwritten(&mut self, at: Pointer, n: usize, outside: &mut dyn Outside) -> Result<(), Trap> {
        let at = self.windows.enter(at, n)?;
        self.open(at.object, at.offset + n as u64, outside)?;
        let start = at.offset as usize;
        let mut i = 0;
        while i < n {
            let unwritten = self.unwritten_run(at.object, start + i, n - i);
            self.fix_bytes(at, i..i + unwritten, outside)?;
            i += unwritten.max(1);
        }
        Ok(())
    }

    /// The same for a range that may hold pointers: where there is room for one, it is first asked whether there is one.
    pub fn fix_unwritten_pointers(&mut self, at: Pointer, n: usize, outside: &mut dyn Outside) -> Result<(), Trap> {
        let at = self.windows.enter(at, n)?;
        self.open(at.object, at.offset + n as u64, outside)?;
        let start = at.offset as usize;
        let mut i = 0;
        while i < n {
            let unwritten = self.unwritten_run(at.object, start + i, n - i);
            if unwritten == 0 {
                i += 1;
                continue;
            }
            let end = i + unwritten;
            let mut bytes_from = i;
            while i + self.pointer_bytes <= end {
                if (start + i).is_multiple_of(self.pointer_bytes)
                    && let Some(pointer) = outside.unwritten_pointer(self.origin, self.windows.outer(at.plus(i)))?
                {
                    self.fix_bytes(at, bytes_from..i, outside)?;
                    self.store_pointer(at.plus(i), pointer, outside)?;
                    i += self.pointer_bytes;
                    bytes_from = i;
                } else {
                    i += 1;
                }
            }
            self.fix_bytes(at, bytes_from..end, outside)?;
            i = end;
        }
        Ok(())
    }

    /// Asks for a range of bytes, all of which are unwritten, and keeps the answers.
    fn fix_bytes(&mut self, at: Pointer, range: Range<usize>, outside: &mut dyn Outside) -> Result<(), Trap> {
        if !range.is_empty() {
            let mut bytes = vec![0; range.len()];
            outside.unwritten(self.origin, self.windows.outer(at.plus(range.start)), &mut bytes)?;
            self.open(at.object, 0, outside)?.put(at.offset as usize + range.start, &bytes);
        }
        Ok(())
    }

    /// Writes ordinary bytes.
    pub fn write(&mut self, at: Pointer, bytes: &[u8], outside: &mut dyn Outside) -> Result<(), Trap> {
        let at = self.windows.enter(at, bytes.len())?;
        self.clear(at, bytes.len(), outside)?.put(at.offset as usize, bytes);
        Ok(())
    }

    /// As `memset`.
    pub fn fill(&mut self, at: Pointer, byte: u8, n: usize, outside: &mut dyn Outside) -> Result<(), Trap> {
        let at = self.windows.enter(at, n)?;
        let range = at.offset as usize..at.offset as usize + n;
        let (data, states) = self.clear(at, n, outside)?.halves_mut();
        data[range.clone()].fill(byte);
        states[range].fill(WRITTEN);
        Ok(())
    }

    /// The pointer at a place, if one was stored there in one piece.
    pub fn load_pointer(&self, at: Pointer) -> Option<Pointer> {
        let at = self.windows.known(at)?;
        let object = self.find(at.object)?;
        let (start, n) = (at.offset as usize, self.pointer_bytes);
        let whole = start.checked_add(n)? <= object.len() && object.states(start, n) == &PARTS[..n];
        whole.then(|| {
            let (object, offset) = object.pointer(start, n);
            Pointer { object, offset }
        })
    }

    pub fn store_pointer(&mut self, at: Pointer, pointer: Pointer, outside: &mut dyn Outside) -> Result<(), Trap> {
        let n = self.pointer_bytes;
        let at = self.windows.enter(at, n)?;
        let object = self.clear(at, n, outside)?;
        object.put_pointer(at.offset as usize, pointer.object, &pointer.offset.to_le_bytes()[..n]);
        Ok(())
    }

    /// As `memmove`. Pointers that are copied whole stay pointers.
    pub fn copy(&mut self, to: Pointer, from: Pointer, n: usize, outside: &mut dyn Outside) -> Result<(), Trap> {
        let (to, from) = (self.windows.enter(to, n)?, self.windows.enter(from, n)?);
        // Unwritten bytes are asked for, so that both places hold the same from now on.
        self.fix_unwritten_pointers(from, n, outside)?;
        let mut bytes = vec![0; n];
        let mut pointers = Vec::new();
        let start = from.offset as usize;
        let mut i = 0;
        while i < n {
            // Ordinary bytes up to the next pointer that is copied whole. A pointer cut off at an end is read as bytes.
            let whole = |j: &usize| self.state(from.object, start + j) == POINTER && j + self.pointer_bytes <= n;
            let has_pointers = self.find(from.object).is_some_and(Object::has_pointers);
            let end = if has_pointers { (i..n).find(whole).unwrap_or(n) } else { n };
            self.read(from.plus(i), &mut bytes[i..end], outside)?;
            i = end;
            if i < n
                && let Some(pointer) = self.load_pointer(from.plus(i))
            {
                pointers.push((i, pointer));
                i += self.pointer_bytes;
            }
        }
        self.write(to, &bytes, outside)?;
        for (i, pointer) in pointers {
            self.store_pointer(to.plus(i), pointer, outside)?;
        }
        Ok(())
    }

    /// Opens a range that is to be overwritten: what is outside of it of pointers that reach into it becomes ordinary
    /// bytes.
    fn clear(&mut self, at: Pointer, n: usize, outside: &mut dyn Outside) -> Result<&mut Object, Trap> {
        let start = at.offset as usize;
        let end = at.offset + n as u64;
        if n > 0 && self.find(at.object).is_some_and(Object::has_pointers) {
            self.cut(at.object, start, outside)?;
            self.cut(at.object, start + n, outside)?;
        }
        self.open(at.object, end, outside)
    }

    /// Makes the bytes of a pointer that lies across a boundary ordinary ones.
    fn cut(&mut self, object: u32, boundary: usize, outside: &mut dyn Outside) -> Result<(), Trap> {
        let state = self.state(object, boundary);
        if state > POINTER {
            let start = boundary - usize::from(state - POINTER);
            let mut address = [0; 8];
            let address = &mut address[..self.pointer_bytes];
            self.read(Pointer { object, offset: start as u64 }, address, outside)?;
            self.open(object, 0, outside)?.put(start, address);
        }
        Ok(())
    }
}
