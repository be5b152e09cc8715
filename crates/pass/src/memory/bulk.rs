//! Copies and fills of bytes, as far as they can be followed cell by cell.

use super::access::{MOST_ENDS, number};
use super::layout::{Cell, Class, Kept, Part, Spot};
use super::lift::Event;
use super::rewrite::{Rewriter, State, converted, current};
use analysis::points_to::{Low, Object, Targets};
use term::build::{
    bv, bv_add, bv_ule, bv_ult, const_array, fp_from_bits, ite, pointer, pointer_object, pointer_offset, select, store,
};
use term::{Bv, SortKind, Term, Value};

/// A copy or fill of more elements than this is not followed element by element.
const MOST_ELEMENTS: u64 = 256;
/// The same where its length is not known, so that each element depends on it.
const MOST_CONDITIONAL: u64 = 64;

/// One end of a copy or fill: an object and an offset in it.
struct End {
    object: Object,
    start: Low,
    /// The pointer as the new program has it.
    at: Term,
    /// When the pointer points there; always, if that is all it can point to.
    condition: Option<Term>,
}

/// How many bytes are copied or filled.
#[derive(Clone, Copy)]
enum Length {
    Known(u64),
    /// As many as the term says; no more than so many lie in the object.
    UpTo(u64, Term),
}

impl Length {
    /// The most that it can be.
    fn most(self) -> u64 {
        match self {
            Length::Known(n) | Length::UpTo(n, _) => n,
        }
    }
}

impl Rewriter<'_> {
    pub(super) fn fill(&mut self, state: &mut State, to: Term, byte: Term, length: Term) {
        let targets = self.points_to.targets(to);
        self.note(|to, length| Event::Fill { to, length }, to, length);
        let Some(ends) = self.ends(&targets, to) else { return self.forget(state, &targets) };
        for to in &ends {
            self.fill_at(state, to, byte, length);
        }
    }

    fn fill_at(&mut self, state: &mut State, to: &End, byte: Term, length: Term) {
        let Some(class) = self.layout.class(to.object) else { return };
        let pattern = byte.value().and_then(Value::as_bv);
        let (known, length_now) = (number(length), self.value(length));
        let reach = self.length(length, length_now, to, class);
        let size = self.layout.size(to.object);
        let whole = to.start == Low::exact(0)
            && (known.is_some_and(|n| self.layout.size(to.object).is_some_and(|size| n >= size))
                || self.layout.sites.get(&to.object).is_some_and(|site| site.size == Some(length)));
        for cell in &class.cells {
            let value = pattern.and_then(|byte| repeated(byte, cell));
            let new = match (cell.kept, value) {
                (Kept::Scalar, Some(value)) if whole => Some(value),
                (Kept::ByOffset, Some(value)) if whole || covers_map(cell, class, to.start, known, size) => {
                    Some(const_array(cell.variable.sort(), value))
                }
                _ => match Covered::new(class, cell, to.start, reach) {
                    Covered::Not => continue,
                    Covered::At(behind) => {
                        let old = current(state, cell);
                        behind.into_iter().try_fold(old, |map, n| {
                            let value = self.as_far(reach?, n, cell, value?, to.get(cell, map, n));
                            Some(to.put(cell, map, n, value))
                        })
                    }
                    Covered::Partly => None,
                },
            };
            self.update(state, cell, to, new);
        }
    }

    pub(super) fn copy(&mut self, state: &mut State, to: Term, from: Term, length: Term) {
        let (places, sources) = (self.points_to.targets(to), self.points_to.targets(from));
        let (new_from, new_length) = (self.value(from), self.value(length));
        self.note(|to, _| Event::Copy { to, from: new_from, length: new_length }, to, length);
        let Some(places) = self.ends(&places, to) else { return self.forget(state, &places) };
        let sources = self.ends(&sources, from).unwrap_or_default();
        let before = state.clone();
        for to in &places {
            let Some(class) = self.layout.class(to.object) else { continue };
            let reach = self.length(length, new_length, to, class);
            let size = self.layout.size(to.object);
            for cell in &class.cells {
                let all = covers_map(cell, class, to.start, number(length), size);
                if let Some(map) = all.then(|| self.copied_map(&before, &sources, to, cell)).flatten() {
                    self.update(state, cell, to, Some(map));
                    continue;
                }
                let new = match Covered::new(class, cell, to.start, reach) {
                    Covered::Not => continue,
                    Covered::Partly => None,
                    Covered::At(behind) => behind.into_iter().try_fold(current(state, cell), |map, n| {
                        let value = self.copied(&before, &sources, cell, n)?;
                        let value = self.as_far(reach?, n, cell, value, to.get(cell, map, n));
                        Some(to.put(cell, map, n, value))
                    }),
                };
                self.update(state, cell, to, new);
            }
        }
    }

    /// What stands so many bytes behind one of the sources, as a value for the cell; arbitrary where it is not known.
    fn copied(&mut self, before: &State, sources: &[End], cell: &Cell, behind: u64) -> Option<Term> {
        let mut value = None;
        for from in sources {
            let there = self.layout.class(from.object).and_then(|class| {
                let offset = from.start.plus(Low::exact(behind));
                let Spot { cell: there, inside: 0 } = class.spot(offset)? else { return None };
                let there = Some(there).filter(|cell| cell.only_at.is_none_or(|at| offset.number() == Some(at)))?;
                let value = from.get(there, current(before, there), behind);
                (there.bytes == cell.bytes).then(|| converted(value, cell.sort))
            });
            match (there, from.condition) {
                (Some(there), None) => return Some(there),
                (Some(there), Some(condition)) => {
                    let otherwise = value.unwrap_or_else(|| self.fresh(cell.sort));
                    value = Some(ite(condition, there, otherwise));
                }
                (None, _) => return None,
            }
        }
        value
    }

    /// The map of the same elements in the only source, if there is one.
    fn copied_map(&self, before: &State, sources: &[End], to: &End, cell: &Cell) -> Option<Term> {
        let [from] = sources else { return None };
        let is_alike = from.condition.is_none() && from.start == to.start;
        let class = self.layout.class(from.object).filter(|_| is_alike)?;
        let own = |there: &&Cell| (there.kept, there.residue, there.bytes, there.sort);
        let there = class.cells.iter().find(|there| own(there) == own(&cell) && there.part == cell.part)?;
        let alone = self.layout.class(to.object)?;
        (there.kept == Kept::ByOffset && class.stride == alone.stride).then(|| current(before, there))
    }

    /// A length, if it is known or if the size of the object there is. `now` is the length in the new program.
    fn length(&self, length: Term, now: Term, to: &End, class: &Class) -> Option<Length> {
        if let Some(n) = number(length) {
            return Some(Length::Known(n));
        }
        let size = self.layout.size(to.object)?;
        let room = size.saturating_sub(to.start.number().unwrap_or(0));
        // What lies only partly in the object is not read.
        let room = if class.stride == 0 { room } else { room.checked_next_multiple_of(class.stride)? };
        Some(Length::UpTo(room, now))
    }

    /// What an element holds after a copy or fill that gives it a new value if it reaches so far.
    fn as_far(&mut self, length: Length, behind: u64, cell: &Cell, new: Term, old: Term) -> Term {
        let Length::UpTo(_, n) = length else { return new };
        let number = |bytes: u64| bv(n.sort().bv_width().unwrap_or(64), bytes.into());
        let partly = if cell.bytes > 1 { self.fresh(cell.sort) } else { new };
        let touched = ite(bv_ule(number(behind + cell.bytes), n), new, partly);
        ite(bv_ult(number(behind), n), touched, old)
    }

    /// Notes what is done to memory, in the terms of the new program.
    fn note(&mut self, event: impl FnOnce(Term, Term) -> Event, to: Term, length: Term) {
        let (to, length) = (self.value(to), self.value(length));
        self.events.push(event(to, length));
    }

    /// The objects that a pointer points to, as far as they have cells, and where; nothing if they are many, or not told apart.
    fn ends(&mut self, targets: &Targets, pointer: Term) -> Option<Vec<End>> {
        let places = self.targets_with_cells(targets);
        let at = self.value(pointer);
        let is_elsewhere = self.is_elsewhere(targets);
        if let Some((object, start)) = self.one_of_a_class(&places).filter(|_| !is_elsewhere) {
            return Some(vec![End { object, start, at, condition: None }]);
        }
        let is_only = places.len() == 1 && !is_elsewhere;
        let end = |(object, start): (&Object, &Low)| {
            let condition = if is_only { None } else { Some(self.layout.is_here(*object, at)?) };
            Some(End { object: *object, start: *start, at, condition })
        };
        if places.len() <= MOST_ENDS { places.iter().map(end).collect() } else { None }
    }

    /// The largest of several objects of one class, if a pointer points to the same place in each: what they hold is told apart by
    /// the pointer itself.
    fn one_of_a_class(&self, places: &Targets) -> Option<(Object, Low)> {
        let (first, start) = places.iter().next().filter(|_| places.len() > 1)?;
        let class = self.layout.class(*first)?;
        let is_alike = |(object, own): (&Object, &Low)| class.members.contains(object) && own == start;
        let size = |object: &&Object| self.layout.size(**object).unwrap_or(u64::MAX);
        let is_told = places.iter().all(is_alike) && class.cells.iter().all(|cell| cell.kept == Kept::ByPointer);
        places.keys().max_by_key(size).filter(|_| is_told).map(|largest| (*largest, *start))
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
    fn new(class: &Class, cell: &Cell, start: Low, length: Option<Length>) -> Covered {
        let Some(length) = length.filter(|_| start.is_known(class.stride)) else { return Covered::Partly };
        let most = if let Length::Known(_) = length { MOST_ELEMENTS } else { MOST_CONDITIONAL };
        let length = length.most();
        if let Some(part) = cell.part {
            return Covered::in_region(class, cell, part, start, length, most);
        }
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
        if first + cell.bytes > step || length / step > most {
            return Covered::Partly;
        }
        let offsets: Vec<u64> = (0..).map(|i| first + i * step).take_while(|offset| *offset < length).collect();
        match offsets.last() {
            None => Covered::Not,
            Some(last) if last + cell.bytes > length => Covered::Partly,
            Some(_) => Covered::At(offsets),
        }
    }

    /// The same for a cell of a region.
    fn in_region(class: &Class, cell: &Cell, part: Part, start: Low, length: u64, most: u64) -> Covered {
        let (step, bytes) = (i128::from(part.step), i128::from(cell.bytes));
        let (length, stride) = (i128::from(length), i128::from(class.stride));
        // How far behind the start of the stretch the first of the objects' elements begins in which it starts.
        let first = match start.number() {
            Some(number) if class.stride == 0 => -i128::from(number as i64),
            _ => -i128::from(start.known_to(class.stride).bits()),
        };
        let mut behind = Vec::new();
        let mut element = first;
        while element < length {
            let low = element + i128::from(cell.residue);
            // The elements that end behind the start of the stretch.
            let skipped = if step == 0 || low + bytes > 0 { 0 } else { (-low - bytes) / step + 1 };
            let mut place = low + skipped * step;
            while place < length && place + bytes <= element + i128::from(part.end) {
                match u64::try_from(place) {
                    _ if place + bytes <= 0 => {}
                    Ok(place) if i128::from(place) + bytes <= length && (behind.len() as u64) < most => {
                        behind.push(place)
                    }
                    _ => return Covered::Partly,
                }
                if step == 0 {
                    break;
                }
                place += step;
            }
            if stride == 0 {
                break;
            }
            element += stride;
        }
        if behind.is_empty() { Covered::Not } else { Covered::At(behind) }
    }
}

/// Whether a stretch of a known length covers all that a map by offsets keeps of an object.
fn covers_map(cell: &Cell, class: &Class, start: Low, length: Option<u64>, size: Option<u64>) -> bool {
    let (low, end) = cell.part.map_or((0, u64::MAX), |part| (part.low, part.end));
    let end = end.min(size.unwrap_or(u64::MAX));
    let is_one = cell.kept == Kept::ByOffset && (cell.part.is_none() || class.stride == 0);
    let reaches = |start: u64, length: u64| start <= low && start.checked_add(length).is_some_and(|last| end <= last);
    is_one && start.number().zip(length).is_some_and(|(start, length)| reaches(start, length))
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
