//! Copies and fills of bytes, as far as they can be followed cell by cell.

use super::access::{number, only};
use super::layout::{Cell, Class, Kept, Spot};
use super::lift::Event;
use super::rewrite::{Rewriter, State, converted, current};
use analysis::points_to::{Low, Object, Targets};
use term::build::{bv, bv_add, const_array, fp_from_bits, ite, pointer, pointer_object, pointer_offset, select, store};
use term::{Bv, SortKind, Term, Value};

/// A copy or fill of more elements than this is not followed element by element.
const MOST_ELEMENTS: u64 = 64;

/// One end of a copy or fill: an object and an offset in it.
struct End {
    object: Object,
    start: Low,
    /// The pointer as the new program has it.
    at: Term,
    /// When the pointer points there; always, if that is all it can point to.
    condition: Option<Term>,
}

impl Rewriter<'_> {
    pub(super) fn fill(&mut self, state: &mut State, to: Term, byte: Term, length: Term) {
        let targets = self.points_to.targets(to);
        self.note(|to, length| Event::Fill { to, length }, to, length);
        let Some(to) = self.end(&targets, to) else { return self.forget(state, &targets) };
        let Some(class) = self.layout.class(to.object) else { return };
        let pattern = byte.value().and_then(Value::as_bv);
        let known = number(length);
        let whole = to.start == Low::exact(0)
            && (known.is_some_and(|n| self.layout.size(to.object).is_some_and(|size| n >= size))
                || self.layout.sites.get(&to.object).is_some_and(|site| site.size == Some(length)));
        for cell in &class.cells {
            let value = pattern.and_then(|byte| repeated(byte, cell));
            let new = match (cell.kept, value) {
                (Kept::Scalar, Some(value)) if whole => Some(value),
                (Kept::ByOffset, Some(value)) if whole => Some(const_array(cell.variable.sort(), value)),
                _ => match Covered::new(class, cell, to.start, known) {
                    Covered::Not => continue,
                    Covered::At(behind) => {
                        let old = current(state, cell);
                        behind.into_iter().try_fold(old, |map, n| Some(to.put(cell, map, n, value?)))
                    }
                    Covered::Partly => None,
                },
            };
            self.update(state, cell, &to, new);
        }
    }

    pub(super) fn copy(&mut self, state: &mut State, to: Term, from: Term, length: Term) {
        let (places, sources) = (self.points_to.targets(to), self.points_to.targets(from));
        let (new_from, new_length) = (self.value(from), self.value(length));
        self.note(|to, _| Event::Copy { to, from: new_from, length: new_length }, to, length);
        let (Some(to), Some(n)) = (self.end(&places, to), number(length)) else {
            return self.forget(state, &places);
        };
        let from = self.end(&sources, from);
        let before = state.clone();
        let Some(class) = self.layout.class(to.object) else { return };
        let origin = from.as_ref().and_then(|from| self.layout.class(from.object));
        for cell in &class.cells {
            let read = |behind: u64| {
                let from = from.as_ref()?;
                let offset = from.start.plus(Low::exact(behind));
                let Spot { cell: there, inside: 0 } = origin?.spot(offset)? else { return None };
                let there = Some(there).filter(|cell| cell.only_at.is_none_or(|at| offset.number() == Some(at)))?;
                let value = from.get(there, current(&before, there), behind);
                (there.bytes == cell.bytes).then(|| converted(value, cell.sort))
            };
            let new = match Covered::new(class, cell, to.start, Some(n)) {
                Covered::Not => continue,
                Covered::Partly => None,
                Covered::At(behind) => {
                    let mut map = Some(current(state, cell));
                    for n in behind {
                        let condition = from.as_ref().and_then(|from| from.condition);
                        let value = read(n).map(|value| match condition {
                            None => value,
                            Some(condition) => ite(condition, value, self.fresh(value.sort())),
                        });
                        map = map.and_then(|map| Some(to.put(cell, map, n, value?)));
                    }
                    map
                }
            };
            self.update(state, cell, &to, new);
        }
    }

    /// Notes what is done to memory, in the terms of the new program.
    fn note(&mut self, event: impl FnOnce(Term, Term) -> Event, to: Term, length: Term) {
        let (to, length) = (self.value(to), self.value(length));
        self.events.push(event(to, length));
    }

    /// The object that a pointer points to, if there is only one that has cells, and where.
    fn end(&mut self, targets: &Targets, pointer: Term) -> Option<End> {
        let (object, start) = only(&self.targets_with_cells(targets))?;
        let at = self.value(pointer);
        let condition = match self.is_elsewhere(targets) {
            true => Some(self.layout.is_here(object, at)?),
            false => None,
        };
        Some(End { object, start, at, condition })
    }

    /// Gives a cell a new value, an arbitrary one if it is not known, where the pointer points there.
    fn update(&mut self, state: &mut State, cell: &Cell, to: &End, new: Option<Term>) {
        let new = new.unwrap_or_else(|| self.fresh(cell.variable.sort()));
        let new = match to.condition {
            None => new,
            Some(condition) => ite(condition, new, current(state, cell)),
        };
        state.insert(cell.variable, new);
    }
}

/// Which elements of a cell a stretch of bytes covers.
enum Covered {
    Not,
    /// Those that begin so far behind its start, completely.
    At(Vec<u64>),
    /// It is not known, they are too many, or a part of one is covered.
    Partly,
}

impl Covered {
    fn new(class: &Class, cell: &Cell, start: Low, length: Option<u64>) -> Covered {
        let Some(length) = length.filter(|_| start.is_known(class.stride)) else { return Covered::Partly };
        let alone = if class.stride == 0 { Some(cell.residue) } else { cell.only_at };
        if let Some(at) = alone {
            let Some(start) = start.number() else { return Covered::Partly };
            let (after, before) = (at.wrapping_sub(start), start.wrapping_sub(at));
            return match () {
                () if after < length && cell.bytes <= length - after => Covered::At(vec![after]),
                () if after < length || before < cell.bytes && length > 0 => Covered::Partly,
                () => Covered::Not,
            };
        }
        let step = class.stride;
        let first = Low::exact(cell.residue).minus(start).known_to(step).bits();
        // The element before the first one reaches into the stretch.
        if length == 0 {
            return Covered::Not;
        }
        if first + cell.bytes > step || length / step > MOST_ELEMENTS {
            return Covered::Partly;
        }
        let offsets: Vec<u64> = (0..).map(|i| first + i * step).take_while(|offset| *offset < length).collect();
        match offsets.last() {
            None => Covered::Not,
            Some(last) if last + cell.bytes > length => Covered::Partly,
            Some(_) => Covered::At(offsets),
        }
    }
}

impl End {
    /// The value of a cell's element so many bytes behind the start, where the cell holds `now`.
    fn get(&self, cell: &Cell, now: Term, behind: u64) -> Term {
        match cell.kept {
            Kept::Scalar => now,
            Kept::ByOffset => select(now, self.offset(behind)),
            Kept::ByPointer => select(now, self.pointer(behind)),
        }
    }

    /// A cell that held `now` with a new value of its element so many bytes behind the start.
    fn put(&self, cell: &Cell, now: Term, behind: u64, value: Term) -> Term {
        match cell.kept {
            Kept::Scalar => value,
            Kept::ByOffset => store(now, self.offset(behind), value),
            Kept::ByPointer => store(now, self.pointer(behind), value),
        }
    }

    fn pointer(&self, behind: u64) -> Term {
        pointer(pointer_object(self.at), self.offset(behind))
    }

    fn offset(&self, behind: u64) -> Term {
        let start = pointer_offset(self.at);
        let width = start.sort().bv_width().unwrap_or(64);
        match self.start.number() {
            Some(start) => bv(width, start.wrapping_add(behind).into()),
            None => bv_add(start, bv(width, behind.into())),
        }
    }
}

/// The value of a cell all of whose bytes are the same.
fn repeated(byte: Bv, cell: &Cell) -> Option<Term> {
    let bits = (0..cell.bytes).fold(0u128, |bits, _| bits << 8 | byte.unsigned());
    match cell.sort.kind() {
        SortKind::BitVec(width) => Some(bv(*width, bits)),
        SortKind::Float(format) => Some(fp_from_bits(*format, bv(format.width(), bits))),
        SortKind::Pointer(width) if bits == 0 => Some(term::build::null(*width)),
        _ => None,
    }
}
