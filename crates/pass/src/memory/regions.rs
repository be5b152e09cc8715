//! Regions: an object is cut into fields and arrays where accesses suggest it, for classes that no single stride describes.
//!
//! In `struct { uint8_t data[16]; unsigned head, count; }`, `data[i]` is any byte, so offsets tell nothing apart. But the
//! address of `data[i]` is that of `data` and an index, and the fields behind are accessed at constant offsets: so `data`
//! is taken for the 16 bytes from where its accesses start to the first field behind it. What is taken so is a guess, and
//! nothing rests on it:
//!
//! - Under assumptions ([`super::Split`]), an access that starts in a region is assumed to stay there, and the assumption is a
//!   check of its own: where it fails, executions come to a location of the [`crate::Bound`] `split`. A proof
//!   shows that no such location is reachable, so each execution of the program is one of the split program, up to the first
//!   access that leaves its region; and there is none.
//! - Exactly, an access is a case distinction over all regions that it may reach, by the number that its offset is. What
//!   overlaps a cell in part replaces some of its bytes. Where that has no formula (a part of a pointer, of a
//!   float, an access that spans elements), the cell becomes arbitrary, and what is read is.
//!
//! Invariants: regions do not overlap. What lies in no region is not kept: it is arbitrary when it is read. The last
//! region has no end, so an access beyond the object changes no other.

use super::index::Touched;
use analysis::points_to::Low;
use term::Sort;

/// Where the last region of an object ends, which is as large as it may be.
pub const ENDLESS: u64 = 1 << 31;
/// Starts of accesses that are not further apart than this number of elements are in one array (`a[i + 1]`).
const NEAR: u64 = 4;
/// Objects of more regions are not split.
const MOST_REGIONS: usize = 64;

/// A part of each object of a class, or of each of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first offset in it, and the first one behind it.
    pub low: u64,
    pub end: u64,
    /// How far its elements are apart; 0 if it has only one.
    pub step: u64,
    /// The accesses that suggest it, by their offsets from its start.
    pub units: Vec<(Low, Sort)>,
}

impl Region {
    fn has(&self, offset: u64) -> bool {
        (self.low..self.end).contains(&offset)
    }
}

/// The distance between objects' elements, and their regions, for accesses that have no common stride.
pub fn regions(touched: &[(Touched, Sort)]) -> Option<(u64, Vec<Region>)> {
    let largest = |touched: &Touched| {
        let index = touched.index.iter().map(|low| low.stride()).max().unwrap_or(0);
        if touched.base.stride() > 0 { touched.base.stride() } else { index }
    };
    let common = touched.iter().map(|(touched, _)| largest(touched)).fold(0, gcd);
    let mut strides = vec![common, 0];
    strides.dedup();
    strides.into_iter().find_map(|stride| Some((stride, cut(touched, stride)?)))
}

/// The accesses that move from one start.
struct Array {
    low: u64,
    last: u64,
    step: u64,
    units: Vec<(Low, Sort)>,
}

fn cut(touched: &[(Touched, Sort)], stride: u64) -> Option<Vec<Region>> {
    let limit = if stride == 0 { ENDLESS } else { stride };
    let (mut single, mut moving, mut anywhere): (Vec<Region>, Vec<Array>, Vec<(Low, Sort)>) = Default::default();
    for (touched, sort) in touched {
        let Some(start) = touched.start(stride) else {
            anywhere.push((touched.offset, *sort));
            continue;
        };
        let low = start.at.bits();
        let end = low.checked_add(touched.bytes).filter(|end| *end <= limit);
        match start.moves {
            None => {
                let units = vec![(Low::exact(0), *sort)];
                single.push(Region { low, end: end?, step: 0, units });
            }
            // What starts in front of the object, as `a[i - 1]`, may be anywhere.
            Some(_) if end.is_none() => anywhere.push((touched.offset, *sort)),
            Some(moves) => {
                let step = gcd(moves.stride(), moves.bits());
                moving.push(Array { low, last: low, step, units: vec![(Low::exact(low), *sort)] });
            }
        }
    }
    single.sort_by_key(|region| (region.low, region.end));
    let single = merged(single);
    let mut regions: Vec<Region> = Vec::new();
    let mut inside = vec![false; single.len()];
    let arrays = arrays(moving);
    for (number, array) in arrays.iter().enumerate() {
        let next = arrays.get(number + 1).map_or(limit, |next| next.low);
        match array.region(&single, next, limit) {
            Some((region, members)) => {
                members.into_iter().for_each(|member| inside[member] = true);
                regions.push(region);
            }
            None => anywhere.extend(array.units.iter().map(|(_, sort)| (Low::ANY, *sort))),
        }
    }
    regions.extend(single.into_iter().zip(inside).filter(|(_, inside)| !inside).map(|(region, _)| region));
    regions.sort_by_key(|region| region.low);
    if let Some((_, sort)) = anywhere.iter().min_by_key(|(_, sort)| sort.bytes()) {
        regions = with_gaps(regions, *sort, limit);
    }
    let is_apart = regions.windows(2).all(|pair| pair[0].end <= pair[1].low);
    (is_apart && regions.len() <= MOST_REGIONS).then_some(regions)
}

/// Accesses at constant places, of which those that overlap are one.
fn merged(single: Vec<Region>) -> Vec<Region> {
    let mut merged: Vec<Region> = Vec::new();
    for region in single {
        match merged.last_mut().filter(|last| region.low < last.end) {
            Some(last) => {
                let inside = Low::exact(region.low - last.low);
                last.end = last.end.max(region.end);
                last.units.extend(region.units.into_iter().map(|(low, sort)| (low.plus(inside), sort)));
            }
            None => merged.push(region),
        }
    }
    merged
}

/// Accesses that move, of which those that start near each other are in one array.
fn arrays(mut moving: Vec<Array>) -> Vec<Array> {
    moving.sort_by_key(|array| array.low);
    let mut arrays: Vec<Array> = Vec::new();
    for array in moving {
        match arrays.last_mut() {
            Some(last) if array.low - last.last <= NEAR * gcd(last.step, array.step) => {
                last.last = array.low;
                last.step = gcd(gcd(last.step, array.step), array.low - last.low);
                last.units.extend(array.units);
            }
            _ => arrays.push(array),
        }
    }
    arrays
}

impl Array {
    /// From where the accesses start to the first other access that is no element's, and which accesses at constant places are
    /// those of elements.
    fn region(&self, single: &[Region], next: u64, limit: u64) -> Option<(Region, Vec<usize>)> {
        if single.iter().any(|other| other.low < self.low && self.low < other.end) {
            return None;
        }
        let (mut end, mut members) = (self.low, Vec::new());
        let mut bound = next;
        for (number, other) in single.iter().enumerate().filter(|(_, other)| other.low >= self.low) {
            let inside = (other.low - self.low) % self.step;
            let is_element = inside + (other.end - other.low) <= self.step;
            if other.low >= end.saturating_add(self.step) && other.low > self.last || !is_element {
                bound = bound.min(other.low);
                break;
            }
            end = other.end;
            members.push(number);
        }
        let bound = bound.min(limit);
        let longest = self.units.iter().filter_map(|(_, sort)| sort.bytes()).max()?;
        if bound < self.last.saturating_add(longest.into()) || end > bound {
            return None;
        }
        let own = |low: u64| Low::exact(low - self.low).known_to(self.step);
        let mut units: Vec<(Low, Sort)> = self.units.iter().map(|(low, sort)| (own(low.bits()), *sort)).collect();
        for member in &members {
            let here = single[*member].low;
            units.extend(single[*member].units.iter().map(|(low, sort)| (own(here + low.bits()), *sort)));
        }
        units.sort_unstable();
        units.dedup();
        Some((Region { low: self.low, end: bound, step: self.step, units }, members))
    }
}

/// Arrays in all gaps between regions, for accesses that may be anywhere.
fn with_gaps(regions: Vec<Region>, sort: Sort, limit: u64) -> Vec<Region> {
    let step = u64::from(sort.bytes().unwrap_or(1));
    let mut all = Vec::new();
    let mut end = 0;
    let gap = |low: u64, end: u64| Region { low, end, step, units: vec![(Low::exact(0).known_to(step), sort)] };
    for region in regions {
        if region.low >= end + step {
            all.push(gap(end, region.low));
        }
        end = region.end;
        all.push(region);
    }
    if limit >= end + step {
        all.push(gap(end, limit));
    }
    all
}

/// The region that has an offset.
pub fn region_of(regions: &[Region], offset: u64) -> Option<&Region> {
    regions.iter().find(|region| region.has(offset))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An access of so many bytes, at an offset from a pointer of this offset, moved by numbers that are multiples of these.
    fn access(base: Low, moves: &[u64], bytes: u32) -> (Touched, Sort) {
        let index: Vec<Low> = moves.iter().map(|by| Low::exact(0).join(Low::exact(*by))).collect();
        let offset = index.iter().copied().fold(base, Low::plus);
        (Touched { offset, base, index, bytes: bytes.into() }, Sort::bv(bytes * 8))
    }

    fn at(offset: u64, moves: &[u64], bytes: u32) -> (Touched, Sort) {
        access(Low::exact(offset), moves, bytes)
    }

    /// A region's bounds and its step.
    type Cut = (u64, u64, u64);

    /// The regions of some accesses.
    fn cut_by(touched: &[(Touched, Sort)]) -> Option<(u64, Vec<Cut>)> {
        let (stride, regions) = regions(touched)?;
        Some((stride, regions.iter().map(|region| (region.low, region.end, region.step)).collect()))
    }

    #[test]
    fn an_array_ends_at_the_field_behind_it() {
        let ring = [at(0, &[1], 1), at(16, &[], 4), at(20, &[], 4), at(24, &[], 4)];
        assert_eq!(cut_by(&ring), Some((0, vec![(0, 16, 1), (16, 20, 0), (20, 24, 0), (24, 28, 0)])));
        // Elements at constant indices are the array's, and what starts one element later is, too.
        let more = [&ring[..], &[at(0, &[], 1), at(1, &[], 1), at(1, &[1], 1)]].concat();
        assert_eq!(cut_by(&more), cut_by(&ring));
    }

    #[test]
    fn the_last_array_has_no_end() {
        let packet = [at(0, &[], 4), at(4, &[1], 1)];
        assert_eq!(cut_by(&packet), Some((0, vec![(0, 4, 0), (4, ENDLESS, 1)])));
    }

    #[test]
    fn records_in_an_array_have_regions_each() {
        let records = Low::exact(0).join(Low::exact(16));
        let touched = [access(records, &[1], 1), access(records.plus(Low::exact(12)), &[], 4)];
        assert_eq!(cut_by(&touched), Some((16, vec![(0, 12, 1), (12, 16, 0)])));
        assert_eq!(cut_by(&[at(0, &[16, 1], 1), at(12, &[16], 4)]), Some((16, vec![(0, 12, 1), (12, 16, 0)])));
    }

    #[test]
    fn a_matrix_is_one_array() {
        let board = [at(0, &[], 4), at(4, &[3, 1], 1), at(16, &[], 4)];
        assert_eq!(cut_by(&board), Some((0, vec![(0, 4, 0), (4, 16, 1), (16, 20, 0)])));
    }

    #[test]
    fn accesses_that_may_be_anywhere_fill_the_gaps() {
        let touched = [access(Low::ANY, &[], 1), at(16, &[], 4)];
        assert_eq!(cut_by(&touched), Some((0, vec![(0, 16, 1), (16, 20, 0), (20, ENDLESS, 1)])));
    }

    /// No two regions overlap, and what is accessed at one place lies in one region, whatever the accesses are.
    #[test]
    fn regions_are_apart() {
        let mut random = term::random::Random::new(7);
        for _ in 0..20_000 {
            let count = 1 + random.below(6);
            let touched: Vec<(Touched, Sort)> = (0..count)
                .map(|_| {
                    let base = match random.below(4) {
                        0 => Low::ANY,
                        1 => Low::exact(0).join(Low::exact(24)).plus(Low::exact(random.below(24) as u64)),
                        _ => Low::exact(random.below(40) as u64),
                    };
                    let moves = [&[][..], &[1], &[4], &[24, 1], &[2]][random.below(5)];
                    access(base, moves, [1, 2, 4, 8][random.below(4)])
                })
                .collect();
            let Some((stride, regions)) = regions(&touched) else { continue };
            assert!(regions.windows(2).all(|pair| pair[0].end <= pair[1].low), "{touched:?} {regions:?}");
            assert!(regions.iter().all(|region| region.low < region.end), "{touched:?} {regions:?}");
            for (touched, _) in &touched {
                let Some(start) = touched.start(stride).filter(|start| start.moves.is_none()) else { continue };
                let region = region_of(&regions, start.at.bits());
                assert!(
                    region.is_some_and(|region| start.at.bits() + touched.bytes <= region.end),
                    "{touched:?} {regions:?}"
                );
            }
        }
    }
}
