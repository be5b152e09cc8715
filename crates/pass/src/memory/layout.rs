//! Classes of objects and their cells.
//!
//! With [`Arrays::Elements`] a single object of a known and small size is a class of its own, and what repeats in it is a variable for each
//! element. Then no access is to all of its elements at once: [`Class::places`] tells them apart.

use super::access::{Accesses, Site, residue};
use super::index::Touched;
use super::regions::{Region, region_of, regions};
use analysis::points_to::{Foreign, GROUP_BITS, Low, Object, Targets};
use ir::{Program, memory};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::build::{bv, eq, extract, pointer_object};
use term::{Sort, SortKind, Term};

/// An access to so few single objects is a case distinction; one to more makes them a class.
const MOST_CASES: usize = 6;
/// Identities of single objects that the program allocates start here, far above those that are counted.
pub const FIRST_SINGLE: u32 = 0x4000_0000;

/// An object of more bytes, or with more places where accesses begin, is not kept by its elements.
const MOST_FINITE: u64 = 4096;
const MOST_PLACES: u64 = 512;

/// An object with more accesses than this does not tell where they start in what is copied to it.
const MOST_MOVED: usize = 256;

/// What becomes of what repeats in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrays {
    /// A map.
    Maps,
    /// A variable for each element, where they are known and few.
    Elements,
}

/// How a cell's values are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// In a variable.
    Scalar,
    /// In a map from offsets.
    ByOffset,
    /// In a map from pointers.
    ByPointer,
}

/// Bytes of a class that are accessed as one unit, or in units that overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub variable: Term,
    /// What the variable was when the objects were made, if that must be known: then nothing can be in it but pointers from
    /// outside.
    pub first: Option<Term>,
    pub kept: Kept,
    /// The sort of the values in it.
    pub sort: Sort,
    /// Where it starts, as far as the class distinguishes offsets.
    pub residue: u64,
    /// Where it starts, if all accesses are there.
    pub only_at: Option<u64>,
    pub bytes: u64,
    /// The region that it lies in, if the class has regions.
    pub part: Option<Part>,
}

/// The bounds of a region, and how far its elements are apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub low: u64,
    pub end: u64,
    pub step: u64,
}

/// Objects that are not told apart, or a single object.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its place among the classes.
    pub number: usize,
    pub members: Vec<Object>,
    /// The remainders of offsets by this number tell cells apart, or the offsets themselves if it is 0.
    pub stride: u64,
    /// Ordered by where they start. Empty if the class is opaque: what is loaded from it is arbitrary.
    pub cells: Vec<Cell>,
    /// How many bytes the only object has, if it is kept by its elements.
    finite: Option<u64>,
    /// Where no stride tells cells apart: how objects are cut, in order. The stride is that of the regions then.
    pub regions: Vec<Region>,
}

impl Class {
    /// The offsets among which an access is, as far as the class tells them apart; nothing if it does not.
    pub fn places(&self, offset: Low) -> Option<BTreeSet<Low>> {
        match self.finite {
            Some(size) => Some(elements(offset, size)),
            None => offset.is_known(self.stride).then(|| BTreeSet::from([offset.known_to(self.stride)])),
        }
    }

    /// Where an access at an offset reaches a cell.
    pub fn spot(&self, offset: Low) -> Option<Spot<'_>> {
        if !offset.is_known(self.stride) {
            return None;
        }
        let start = residue(offset, self.stride);
        if self.regions.is_empty() {
            let cell = self.cells.iter().find(|cell| start.wrapping_sub(cell.residue) < cell.bytes)?;
            return Some(Spot { cell, inside: start - cell.residue });
        }
        let region = region_of(&self.regions, start)?;
        let inside = start - region.low;
        self.in_region(region, if region.step == 0 { inside } else { inside % region.step })
    }

    /// The cells of a region.
    pub fn cells_of<'c>(&'c self, region: &'c Region) -> impl Iterator<Item = &'c Cell> {
        self.cells.iter().filter(|cell| cell.part.is_some_and(|part| part.low == region.low))
    }

    /// Which cell of a region an access reaches, so far behind the start of one of its elements.
    pub fn in_region<'c>(&'c self, region: &'c Region, behind: u64) -> Option<Spot<'c>> {
        let start = region.low + behind;
        let cell = self.cells_of(region).find(|cell| start.wrapping_sub(cell.residue) < cell.bytes)?;
        Some(Spot { cell, inside: start - cell.residue })
    }
}

/// A place in a cell.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    pub cell: &'a Cell,
    /// How many bytes behind the cell's start.
    pub inside: u64,
}

/// The layout of a program's memory.
pub struct Layout {
    classes: Vec<Class>,
    class_of: FxHashMap<Object, usize>,
    identities: FxHashMap<Object, u32>,
    pub sites: FxHashMap<Object, Site>,
    sizes: FxHashMap<Object, u64>,
}

impl Layout {
    pub fn new(program: &Program, accesses: &Accesses, arrays: Arrays) -> Layout {
        let mut units = collect_units(accesses);
        propagate_copies(&mut units, accesses);
        let finite = match arrays {
            Arrays::Maps => BTreeMap::new(),
            Arrays::Elements => finite(&units, accesses),
        };
        for (object, size) in &finite {
            let own = units.entry(*object).or_default();
            let each = |(touched, sort): &(Touched, Sort)| {
                let at = |offset| (Touched { offset, ..touched.clone() }, *sort);
                elements(touched.offset, *size).into_iter().map(at).collect::<Vec<_>>()
            };
            *own = own.iter().flat_map(each).collect();
        }
        let groups = groups(&units, accesses, &finite);
        let mut layout = Layout {
            classes: Vec::new(),
            class_of: FxHashMap::default(),
            identities: FxHashMap::default(),
            sites: accesses.sites.clone(),
            sizes: accesses.sizes.clone(),
        };
        for members in groups {
            let number = layout.classes.len();
            layout.class_of.extend(members.iter().map(|member| (*member, number)));
            let finite = finite.get(&members[0]).copied();
            layout
                .classes
                .push(Class { finite, ..class(number, members, &units, accesses, program, finite.is_none()) });
        }
        layout.identities = identities(&layout.classes, accesses);
        layout
    }

    pub fn class(&self, object: Object) -> Option<&Class> {
        self.class_of.get(&object).map(|number| &self.classes[*number])
    }

    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// When a pointer points to the object, if its identity tells.
    pub fn is_here(&self, object: Object, pointer: Term) -> Option<Term> {
        let identity = pointer_object(pointer);
        match object {
            Object::External(group) => {
                let kept = term::OBJECT_WIDTH - GROUP_BITS;
                let prefix = (memory::FIRST_EXTERNAL >> GROUP_BITS) + group;
                Some(eq(extract(term::OBJECT_WIDTH - 1, GROUP_BITS, identity), bv(kept, prefix.into())))
            }
            object => self.identity(object).map(|known| eq(identity, bv(term::OBJECT_WIDTH, known.into()))),
        }
    }

    /// The identity of a single object.
    pub fn identity(&self, object: Object) -> Option<u32> {
        match object {
            Object::Static(identity) => Some(identity),
            _ => self.identities.get(&object).copied(),
        }
    }

    /// The size of an object, if it is always the same number.
    pub fn size(&self, object: Object) -> Option<u64> {
        self.sizes.get(&object).copied()
    }
}

/// The units that an object is accessed in: offsets and sorts.
type Units = BTreeMap<Object, BTreeSet<(Touched, Sort)>>;

fn collect_units(accesses: &Accesses) -> Units {
    let mut units = Units::new();
    for access in &accesses.accesses {
        for (object, touched) in access.touched() {
            units.entry(object).or_default().insert((touched, access.sort));
        }
    }
    units
}

/// What is accessed at one end of a copy must have a cell at the other end too.
fn propagate_copies(units: &mut Units, accesses: &Accesses) {
    let mut changed = true;
    while changed {
        changed = false;
        for copy in &accesses.copies {
            for ((here, start), (there, other)) in [(copy.from, copy.to), (copy.to, copy.from)] {
                let inside = |(touched, _): &&(Touched, Sort)| start.overlaps(copy.length, touched.offset, 1);
                let seen: Vec<(Touched, Sort)> =
                    units.get(&here).into_iter().flatten().filter(inside).cloned().collect();
                let own = units.entry(there).or_default();
                for (touched, sort) in seen {
                    let moved = |low: Low| low.minus(start).plus(other);
                    // A base that is moved again and again would never come to an end.
                    let stays = here != there && start.overlaps(copy.length, touched.base, 1) && own.len() < MOST_MOVED;
                    let base = if start == other || stays { moved(touched.base) } else { Low::ANY };
                    let base = if start.number().is_some() { base } else { Low::ANY };
                    changed |= own.insert((Touched { offset: moved(touched.offset), base, ..touched }, sort));
                }
            }
        }
    }
}

/// The objects that are kept by their elements, and how many bytes they have.
fn finite(units: &Units, accesses: &Accesses) -> BTreeMap<Object, u64> {
    let size = |(object, units): (&Object, &BTreeSet<(Touched, Sort)>)| {
        let size =
            accesses.sizes.get(object).copied().filter(|size| accesses.is_single(*object) && *size <= MOST_FINITE)?;
        let places = |offset: Low| if offset.stride() == 0 { 1 } else { size / offset.stride() };
        let offsets: BTreeSet<(Low, Sort)> = units.iter().map(|(touched, sort)| (touched.offset, *sort)).collect();
        (offsets.iter().map(|(offset, _)| *offset).map(places).sum::<u64>() <= MOST_PLACES).then_some((*object, size))
    };
    units.iter().filter_map(size).collect()
}

/// The offsets of a set that lie in an object; one that is known stays, wherever it is.
fn elements(offset: Low, size: u64) -> BTreeSet<Low> {
    match offset.stride() {
        0 => BTreeSet::from([offset]),
        stride => (offset.bits()..size).step_by(stride as usize).map(Low::exact).collect(),
    }
}

/// Which objects form a class: those that an access reaches together, unless it distinguishes them. Those that are kept by their elements
/// are told apart anyhow.
fn groups(units: &Units, accesses: &Accesses, finite: &BTreeMap<Object, u64>) -> Vec<Vec<Object>> {
    let mut leader: BTreeMap<Object, Object> = units.keys().map(|object| (*object, *object)).collect();
    fn find(leader: &BTreeMap<Object, Object>, mut object: Object) -> Object {
        while leader[&object] != object {
            object = leader[&object];
        }
        object
    }
    for access in &accesses.accesses {
        let mut targets = access.targets.clone();
        targets.retain(|object, _| !finite.contains_key(object));
        if is_case_distinction(&targets, accesses) {
            continue;
        }
        let mut members = targets.keys();
        let Some(first) = members.next() else { continue };
        for member in members {
            let (one, other) = (find(&leader, *first), find(&leader, *member));
            leader.insert(other, one);
        }
    }
    let mut groups: BTreeMap<Object, Vec<Object>> = BTreeMap::new();
    for object in units.keys() {
        groups.entry(find(&leader, *object)).or_default().push(*object);
    }
    groups.into_values().collect()
}

/// Whether the targets can be told apart by their identities: all but one, which is none of the others.
fn is_case_distinction(targets: &Targets, accesses: &Accesses) -> bool {
    let is_known = |object: &&Object| accesses.is_single(**object) || matches!(object, Object::External(_));
    targets.len() <= MOST_CASES && targets.keys().filter(|object| !is_known(object)).count() <= 1
}

/// The class of some objects, which may be cut into regions if no stride tells cells apart.
fn class(
    number: usize,
    members: Vec<Object>,
    units: &Units,
    accesses: &Accesses,
    program: &Program,
    may_cut: bool,
) -> Class {
    let touched: BTreeSet<(Touched, Sort)> = members.iter().flat_map(|member| &units[member]).cloned().collect();
    let units: BTreeSet<(Low, Sort)> = touched.iter().map(|(touched, sort)| (touched.offset, *sort)).collect();
    // What is known of all offsets: the stride that they have in common.
    let stride = units
        .iter()
        .fold(0, |stride, (offset, _)| if stride == 0 { offset.stride() } else { offset.known_to(stride).stride() });
    let maker = Maker { number, name: class_name(number, &members, program), program, accesses, members: &members };
    let is_foreign = members.iter().any(|member| matches!(member, Object::External(_) | Object::Static(0)));
    let touched: Vec<(Touched, Sort)> = touched.into_iter().collect();
    let (stride, cells, regions) = match cells(&units, stride) {
        Some(units) => (stride, maker.cells(units, None), Vec::new()),
        None => match Some(()).filter(|()| may_cut && !is_foreign).and_then(|()| regions(&touched)) {
            Some((stride, regions)) => {
                let cells = regions.iter().flat_map(|region| maker.cells_in(region, stride)).collect();
                (stride, cells, regions)
            }
            None => (stride, Vec::new(), Vec::new()),
        },
    };
    Class { number, members, stride, cells, finite: None, regions }
}

/// Names the cells of a class.
struct Maker<'a> {
    number: usize,
    name: String,
    program: &'a Program,
    accesses: &'a Accesses,
    members: &'a [Object],
}

impl Maker<'_> {
    fn cells(&self, units: Vec<Unit>, part: Option<Part>) -> Vec<Cell> {
        units.into_iter().filter_map(|unit| self.cell(unit, part)).collect()
    }

    /// The cells of a region, in objects whose elements are so far apart.
    fn cells_in(&self, region: &Region, stride: u64) -> Vec<Cell> {
        let units: BTreeSet<(Low, Sort)> = region.units.iter().copied().collect();
        let moved = |unit: Unit| {
            let only = (stride == 0 && region.step == 0).then_some(region.low + unit.residue);
            Unit { residue: region.low + unit.residue, starts: BTreeSet::from([only]), ..unit }
        };
        let part = Part { low: region.low, end: region.end, step: region.step };
        self.cells(cells(&units, region.step).unwrap_or_default().into_iter().map(moved).collect(), Some(part))
    }

    fn cell(&self, unit: Unit, part: Option<Part>) -> Option<Cell> {
        let element = unit.sort?;
        let is_single = self.members.len() == 1 && self.accesses.is_single(self.members[0]);
        let only_at = unit.starts.first().copied().flatten().filter(|_| unit.starts.len() == 1);
        let kept = match (is_single, only_at.is_some()) {
            (true, true) => Kept::Scalar,
            (true, false) => Kept::ByOffset,
            (false, _) => Kept::ByPointer,
        };
        let width = self.program.data_model.pointer_width();
        let sort = match kept {
            Kept::Scalar => element,
            Kept::ByOffset => Sort::array(Sort::bv(width), element),
            Kept::ByPointer => Sort::array(Sort::pointer(width), element),
        };
        let mark = if part.is_some() { format!("/{}", self.number) } else { String::new() };
        let name = format!("{}@{}{mark}", self.name, unit.residue);
        let variable = Term::var(name.as_str(), sort);
        let is_pointer = matches!(element.kind(), SortKind::Pointer(_));
        let is_watched = is_pointer && self.accesses.foreign() == Foreign::Distinct;
        let first = is_watched.then(|| Term::var(format!("{name}.first").as_str(), sort));
        Some(Cell { variable, first, kept, sort: element, residue: unit.residue, only_at, bytes: unit.bytes, part })
    }
}

/// The class with regions whose cell a variable is.
pub fn class_of_cell(variable: Term) -> Option<u64> {
    let (_, number) = variable.name()?.as_str().strip_prefix('*')?.rsplit_once('/')?;
    number.trim_end_matches(".first").parse().ok()
}

/// A cell before it has a name.
struct Unit {
    residue: u64,
    bytes: u64,
    /// `None` if values that are accessed in it cannot be kept together.
    sort: Option<Sort>,
    /// Where it starts, in all objects, as far as accesses tell.
    starts: BTreeSet<Option<u64>>,
}

/// Units of more bytes that are accessed in parts are not kept.
const MOST_BYTES: u64 = 16;

impl Unit {
    /// Adds an access at an offset, which begins at the same place or later but not behind the end.
    fn add(&mut self, offset: Low, start: u64, bytes: u64, sort: Sort) {
        let inside = start - self.residue;
        let is_same = inside == 0 && bytes == self.bytes;
        self.bytes = self.bytes.max(inside + bytes);
        self.starts.insert(offset.number().map(|number| number.wrapping_sub(inside)));
        self.sort = self.sort.and_then(|own| match is_same {
            true => common_sort(own, sort),
            false => {
                let is_pointer = |sort: Sort| matches!(sort.kind(), SortKind::Pointer(_));
                let keeps = !is_pointer(own) && !is_pointer(sort) && self.bytes <= MOST_BYTES;
                keeps.then(|| Sort::bv(self.bytes as u32 * 8))
            }
        });
    }
}

/// The cells of a class, if it can be told where they begin. What overlaps is one cell; it is left out if it cannot be kept.
fn cells(units: &BTreeSet<(Low, Sort)>, stride: u64) -> Option<Vec<Unit>> {
    let mut accesses = Vec::new();
    for (offset, sort) in units {
        let (start, bytes) = (residue(*offset, stride), u64::from(sort.bytes()?));
        if start.saturating_add(bytes) > if stride == 0 { u64::MAX } else { stride } {
            return None;
        }
        accesses.push((start, bytes, *offset, *sort));
    }
    accesses.sort_unstable_by_key(|(start, bytes, ..)| (*start, *bytes));
    let mut cells: Vec<Unit> = Vec::new();
    for (start, bytes, offset, sort) in accesses {
        match cells.last_mut().filter(|cell| start < cell.residue.saturating_add(cell.bytes)) {
            Some(cell) => cell.add(offset, start, bytes, sort),
            None => {
                let starts = BTreeSet::from([offset.number()]);
                cells.push(Unit { residue: start, bytes, sort: Some(sort), starts });
            }
        }
    }
    Some(cells)
}

/// The sort that keeps values of both sorts: floats are kept as bits where they are also accessed as integers.
fn common_sort(one: Sort, other: Sort) -> Option<Sort> {
    if one == other {
        return Some(one);
    }
    let is_pointer = |sort: Sort| matches!(sort.kind(), SortKind::Pointer(_));
    (!is_pointer(one) && !is_pointer(other)).then(|| Sort::bv(one.bytes().unwrap_or(1) * 8))
}

fn class_name(number: usize, members: &[Object], program: &Program) -> String {
    match members {
        [Object::Static(0)] => "*address".to_string(),
        [Object::Static(identity)] => match program.objects.get(*identity as usize - 1) {
            Some(object) if program.objects.iter().filter(|other| other.name == object.name).count() == 1 => {
                format!("*{}", object.name)
            }
            Some(object) => format!("*{}#{identity}", object.name),
            None => format!("*class{number}"),
        },
        _ => format!("*class{number}"),
    }
}

/// Single objects that the program allocates, and that are a class of their own, get identities of their own.
fn identities(classes: &[Class], accesses: &Accesses) -> FxHashMap<Object, u32> {
    let alone = classes.iter().filter_map(|class| match class.members[..] {
        [object @ Object::Site(..)] if accesses.is_single(object) => Some(object),
        _ => None,
    });
    alone.zip(FIRST_SINGLE..).collect()
}
