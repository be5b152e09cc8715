//! Which cells an access reaches in a class that is cut into regions, and when.

use super::index::{Address, Touched};
use super::layout::{Cell, Class, Spot};
use super::regions::{Region, region_of};
use super::rewrite::Rewriter;
use analysis::points_to::Low;
use faults::Fault;
use std::collections::BTreeSet;
use term::build::{and, bv, bv_add, bv_sub, bv_ule, bv_urem, eq, falsehood, implies, pointer_offset, truth};
use term::{Sort, SortKind, Term};

/// An access that begins at more places of a region's elements than this makes them arbitrary.
const MOST_PLACES: usize = 16;

/// An access with more cases is taken for one to anything.
const MOST_CASES: usize = 128;

/// What an access reaches in one case.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Nothing that is kept.
    Unknown,
    /// A part of a cell, or all of it.
    Spot(Spot<'a>),
    /// Some bytes of a cell and others: it begins so many bytes behind the start of the cell, or in front of it.
    Part { cell: &'a Cell, behind: i64 },
    /// A cell in a way that has no formula.
    Unclear(&'a Cell),
}

/// A load or store.
#[derive(Clone, Copy)]
pub struct Accessed {
    /// The pointer as the program before has it, and as the new one has it.
    pub old: Term,
    pub at: Term,
    pub sort: Sort,
    pub writes: bool,
}

impl Accessed {
    fn bytes(self) -> u64 {
        self.sort.bytes().unwrap_or(1).into()
    }
}

/// The cases of an access, in objects of one class. The last one is that no other is, unless it is the only one.
pub type Cases<'a> = Vec<(Term, Place<'a>)>;

impl<'a> Rewriter<'a> {
    /// The cells that an access reaches in a class with regions, if it is to one of its objects. The offsets are those of the access,
    /// each with those of the pointer that it is computed from.
    pub(super) fn reach(
        &mut self,
        class: &'a Class,
        offsets: &BTreeSet<(Low, Low)>,
        access: Accessed,
        here: Term,
    ) -> Cases<'a> {
        if offsets.len() == 1
            && let Some((offset, base)) = offsets.first()
            && let Some(spot) = self.started(class, *offset, *base, access, here)
        {
            return vec![(truth(), Place::Spot(spot))];
        }
        let mut cases = Exact::new(class, offsets, access).cases();
        cases.retain(|(condition, _)| *condition != falsehood());
        if cases.len() > MOST_CASES {
            let all = class.cells.iter().filter(|_| access.writes);
            cases = all.map(|cell| (truth(), Place::Unclear(cell))).collect();
        }
        cases.push((truth(), Place::Unknown));
        cases
    }

    /// The cell of an access that starts in a region, if it is at one place there, or is assumed to stay in the region.
    fn started(&mut self, class: &'a Class, offset: Low, base: Low, access: Accessed, here: Term) -> Option<Spot<'a>> {
        let stride = class.stride;
        let parts = Address::new(access.old).index;
        let index: Vec<Low> = parts.iter().map(|part| self.points_to.offsets(*part)).collect();
        let start = Touched { offset, base, index: index.clone(), bytes: access.bytes() }.start(stride)?;
        let low = start.at.bits();
        let region = region_of(&class.regions, low)?;
        let Some(moves) = start.moves else {
            return class.spot(start.at).filter(|spot| fits(spot.cell, spot.inside, access.sort));
        };
        let behind = Low::exact(low - region.low).plus(moves);
        if !self.assumes(class) || region.step == 0 || !behind.is_known(region.step) {
            return None;
        }
        let spot = class.in_region(region, behind.known_to(region.step).bits())?;
        let mut last = (region.end - region.low).checked_sub(access.bytes())?;
        if !fits(spot.cell, spot.inside, access.sort) {
            return None;
        }
        let width = pointer_offset(access.at).sort().bv_width()?;
        let moved = parts.into_iter().zip(index).filter(|(_, low)| !low.is_known(stride));
        let moved = moved.fold(bv(width, (low - region.low).into()), |sum, (part, _)| bv_add(sum, self.value(part)));
        last += u64::from(faults::is(Fault::WideRegion));
        self.check(class, implies(here, bv_ule(moved, bv(width, last.into()))));
        Some(spot)
    }
}

/// An access as a case distinction by offsets.
struct Exact<'a, 'o> {
    class: &'a Class,
    offsets: &'o BTreeSet<(Low, Low)>,
    access: Accessed,
    width: u32,
    /// The offset, as far as the class tells offsets apart.
    offset: Term,
    cases: Cases<'a>,
}

impl<'a, 'o> Exact<'a, 'o> {
    fn new(class: &'a Class, offsets: &'o BTreeSet<(Low, Low)>, access: Accessed) -> Exact<'a, 'o> {
        let at = pointer_offset(access.at);
        let width = at.sort().bv_width().unwrap_or(64);
        let known = offsets.first().filter(|(low, _)| offsets.len() == 1 && low.is_known(class.stride));
        let offset = match (known, class.stride) {
            (Some((low, _)), stride) if stride > 0 => bv(width, low.known_to(stride).bits().into()),
            (_, 0) => at,
            (_, stride) => bv_urem(at, bv(width, stride.into())),
        };
        Exact { class, offsets, access, width, offset, cases: Vec::new() }
    }

    fn number(&self, number: u64) -> Term {
        bv(self.width, number.into())
    }

    /// Whether the access may begin at an offset.
    fn may_begin(&self, place: u64) -> bool {
        self.offsets.iter().any(|(low, _)| match self.class.stride {
            0 => low.overlaps(1, Low::exact(place), 1),
            stride => low.known_to(stride).overlaps(1, Low::exact(place), 1),
        })
    }

    fn begins(&self, place: u64) -> Term {
        eq(self.offset, self.number(place))
    }

    fn cases(mut self) -> Cases<'a> {
        let class = self.class;
        for region in &class.regions {
            match region.step {
                0 => class.cells_of(region).for_each(|cell| self.single(cell)),
                _ => self.elements(region),
            }
        }
        if class.stride > 0 {
            // The start of the next element is reached, too.
            for place in (class.stride + 1).saturating_sub(self.access.bytes())..class.stride {
                self.unclear(place, class.cells.iter());
            }
        }
        self.cases
    }

    fn single(&mut self, cell: &'a Cell) {
        let (bytes, sort) = (self.access.bytes(), self.access.sort);
        for place in (cell.residue + 1).saturating_sub(bytes)..cell.residue + cell.bytes {
            if !self.may_begin(place) {
                continue;
            }
            let behind = place as i64 - cell.residue as i64;
            let spot = u64::try_from(behind).ok().filter(|inside| fits(cell, *inside, sort));
            let is_bits = |sort: Sort| matches!(sort.kind(), SortKind::BitVec(_));
            let there = match spot {
                Some(inside) => Place::Spot(Spot { cell, inside }),
                None if !self.access.writes => continue,
                None if is_bits(cell.sort) && is_bits(sort) => Place::Part { cell, behind },
                None => Place::Unclear(cell),
            };
            let begins = self.begins(place);
            self.cases.push((begins, there));
        }
    }

    fn elements(&mut self, region: &'a Region) {
        let (class, bytes) = (self.class, self.access.bytes());
        let behind = bv_sub(self.offset, self.number(region.low));
        let places = self.places(region);
        if let Some(last) = (region.end - region.low).checked_sub(bytes) {
            let inside = bv_ule(behind, self.number(last));
            if places.len() > MOST_PLACES {
                let cells = class.cells_of(region).filter(|_| self.access.writes);
                self.cases.extend(cells.map(|cell| (inside, Place::Unclear(cell))));
            } else {
                for place in &places {
                    let there = match places.len() {
                        1 => truth(),
                        _ => eq(bv_urem(behind, self.number(region.step)), self.number(*place)),
                    };
                    let condition = and([inside, there]);
                    match class.in_region(region, *place).filter(|spot| fits(spot.cell, spot.inside, self.access.sort))
                    {
                        Some(spot) => self.cases.push((condition, Place::Spot(spot))),
                        None if !self.access.writes => {}
                        None => self.cases.extend(class.cells_of(region).map(|cell| (condition, Place::Unclear(cell)))),
                    }
                }
            }
        }
        // What begins in front of the region, or ends behind it.
        let front = (region.low + 1).saturating_sub(bytes)..region.low;
        let back = (region.end + 1).saturating_sub(bytes).max(region.low)..region.end;
        for place in front.chain(back) {
            self.unclear(place, class.cells_of(region));
        }
    }

    /// How far behind the start of an element the access may begin.
    fn places(&self, region: &Region) -> BTreeSet<u64> {
        let (stride, step) = (self.class.stride, region.step);
        let mut places = BTreeSet::new();
        for (low, _) in self.offsets {
            let low = if stride == 0 { *low } else { low.known_to(stride) };
            let behind = low.minus(Low::exact(region.low)).known_to(step);
            let apart = if stride.is_multiple_of(step) { behind.stride().max(1) } else { 1 };
            let first = if apart == 1 { 0 } else { behind.bits() % apart };
            places.extend((first..step).step_by(apart as usize).take(MOST_PLACES + 1));
        }
        places
    }

    /// A store that begins at an offset makes cells arbitrary.
    fn unclear(&mut self, place: u64, cells: impl Iterator<Item = &'a Cell>) {
        if self.access.writes && self.may_begin(place) {
            let begins = self.begins(place);
            self.cases.extend(cells.map(|cell| (begins, Place::Unclear(cell))));
        }
    }
}

/// Whether a value of a sort can be read or replaced so far behind the start of a cell. The bits of a float cannot, as there is only
/// one NaN.
fn fits(cell: &Cell, inside: u64, sort: Sort) -> bool {
    let bytes = u64::from(sort.bytes().unwrap_or(1));
    match (cell.sort.kind(), sort.kind()) {
        (SortKind::BitVec(_), SortKind::BitVec(_)) => inside + bytes <= cell.bytes,
        (SortKind::BitVec(_), SortKind::Float(_)) => inside == 0 && bytes == cell.bytes,
        _ => inside == 0 && cell.sort == sort,
    }
}
