//! Copies and fills of bytes, as far as they can be followed cell by cell.

use super::access::{exact, number};
use super::layout::{Cell, Class, Kept, Spot};
use super::lift::Event;
use super::rewrite::{Rewriter, State, converted, current};
use analysis::points_to::{Low, Object, Targets};
use term::build::{bv, const_array, fp_from_bits, ite, pointer, pointer_object, select, store};
use term::{Bv, SortKind, Term, Value};

/// A copy or fill of more elements than this is not followed element by element.
const MOST_ELEMENTS: u64 = 64;

/// One end of a copy or fill: an object and an offset in it.
struct End {
    object: Object,
    start: u64,
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
        let whole = to.start == 0
            && (known.is_some_and(|n| self.layout.size(to.object).is_some_and(|size| n >= size))
                || self.layout.sites.get(&to.object).is_some_and(|site| site.size == Some(length)));
        for cell in &class.cells {
            let value = pattern.and_then(|byte| repeated(byte, cell));
            let new = match (cell.kept, value) {
                (Kept::Scalar, Some(value)) if whole => Some(value),
                (Kept::ByOffset, Some(value)) if whole => Some(const_array(cell.variable.sort(), value)),
                _ => match Covered::new(class, cell, to.start, known) {
                    Covered::Not => continue,
                    Covered::At(offsets) => {
                        let old = current(state, cell);
                        offsets.into_iter().try_fold(old, |map, o| Some(put(cell, map, to.at, o, value?)))
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
        let (Some(to), Some(from), Some(n)) = (self.end(&places, to), self.end(&sources, from), number(length)) else {
            return self.forget(state, &places);
        };
        let before = state.clone();
        let Some(class) = self.layout.class(to.object) else { return };
        let origin = self.layout.class(from.object);
        for cell in &class.cells {
            let read = |offset: u64| {
                let offset = offset.wrapping_sub(to.start).wrapping_add(from.start);
                let Spot { cell: there, inside: 0 } = origin?.spot(Low::exact(offset))? else { return None };
                let there = Some(there).filter(|cell| cell.only_at.is_none_or(|at| at == offset))?;
                let value = get(there, current(&before, there), from.at, offset);
                (there.bytes == cell.bytes).then(|| converted(value, cell.sort))
            };
            let new = match Covered::new(class, cell, to.start, Some(n)) {
                Covered::Not => continue,
                Covered::Partly => None,
                Covered::At(offsets) => {
                    let mut map = Some(current(state, cell));
                    for offset in offsets {
                        let value = read(offset).map(|value| match from.condition {
                            None => value,
                            Some(condition) => ite(condition, value, self.fresh(value.sort())),
                        });
                        map = map.and_then(|map| Some(put(cell, map, to.at, offset, value?)));
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

    /// The object and offset that a pointer points to, if there is only one that has cells.
    fn end(&mut self, targets: &Targets, pointer: Term) -> Option<End> {
        let (object, start) = exact(&self.targets_with_cells(targets))?;
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
    /// These, completely.
    At(Vec<u64>),
    /// It is not known, they are too many, or a part of one is covered.
    Partly,
}

impl Covered {
    fn new(class: &Class, cell: &Cell, start: u64, length: Option<u64>) -> Covered {
        let Some(length) = length else { return Covered::Partly };
        let alone = if class.known >= 64 { Some(cell.residue) } else { cell.only_at };
        if let Some(at) = alone {
            let (after, before) = (at.wrapping_sub(start), start.wrapping_sub(at));
            return match () {
                () if after < length && cell.bytes <= length - after => Covered::At(vec![at]),
                () if after < length || before < cell.bytes && length > 0 => Covered::Partly,
                () => Covered::Not,
            };
        }
        let step = 1u64 << class.known;
        let first = cell.residue.wrapping_sub(start) & (step - 1);
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
            Some(_) => Covered::At(offsets.into_iter().map(|offset| start.wrapping_add(offset)).collect()),
        }
    }
}

/// The value of a cell's element at an offset, where the cell holds `now`.
fn get(cell: &Cell, now: Term, at: Term, offset: u64) -> Term {
    match cell.kept {
        Kept::Scalar => now,
        Kept::ByOffset => select(now, place(at, offset).1),
        Kept::ByPointer => select(now, place(at, offset).0),
    }
}

/// A cell that held `now` with a new value of its element at an offset.
fn put(cell: &Cell, now: Term, at: Term, offset: u64, value: Term) -> Term {
    match cell.kept {
        Kept::Scalar => value,
        Kept::ByOffset => store(now, place(at, offset).1, value),
        Kept::ByPointer => store(now, place(at, offset).0, value),
    }
}

/// The pointer to an offset in the object that `at` points to, and the offset.
fn place(at: Term, offset: u64) -> (Term, Term) {
    let width = match at.sort().kind() {
        SortKind::Pointer(width) => *width,
        _ => 64,
    };
    let offset = bv(width, offset.into());
    (pointer(pointer_object(at), offset), offset)
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
