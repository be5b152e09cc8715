//! Abstraction: objects that are linked become list segments.
//!
//! Only objects inside are forgotten, to which nothing points but their neighbours: the first object of a segment, and
//! the last one of a doubly linked segment, keep their identities.

use crate::ranges;
use crate::state::{State, parts, symbols};
use engine::shape::{Layout, Member, Region, Segment, count};
use faults::Fault;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::{Sort, Term, Value, build};

/// How much is forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precision {
    /// So many objects become a list.
    pub objects: u64,
    /// So many kinds of objects, which differ in their data, may be of one list.
    pub kinds: usize,
    /// Whether kinds become one where there are more.
    pub merges: bool,
}

/// How objects are linked: the offsets of the pointers to the next one and to the one before, and what these pointers'
/// offsets are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Links {
    next: u64,
    before: Option<u64>,
    start: u64,
}

impl State {
    /// Makes lists of what is linked, as long as there is something.
    pub fn fold(&mut self, precision: Precision) {
        while self.fold_one(precision) {}
    }

    fn fold_one(&mut self, precision: Precision) -> bool {
        let mentions = self.mentions();
        let starts: Vec<Term> = self.starts();
        let mut best: Option<(u64, Vec<Term>, Links)> = None;
        for start in starts {
            for links in self.links(start) {
                let chain = self.chain(start, links, &mentions, precision);
                let weight: u64 = chain.iter().map(|first| self.weight(*first)).sum();
                let has_list = chain.iter().any(|first| self.segment(*first).is_some());
                if chain.len() < 2 || weight < precision.objects && !has_list {
                    continue;
                }
                if best.as_ref().is_none_or(|(most, ..)| weight > *most) {
                    best = Some((weight, chain, links));
                }
            }
        }
        let Some((_, chain, links)) = best else { return false };
        self.replace(&chain, links, precision);
        true
    }

    /// The identities by which regions and segments are found.
    fn starts(&self) -> Vec<Term> {
        let regions = self.graph.regions.keys().copied().filter(|identity| identity.value().is_none());
        regions.chain(self.graph.segments.iter().map(|segment| segment.first)).collect()
    }

    fn weight(&self, first: Term) -> u64 {
        self.segment(first).map_or(1, |(number, _)| self.graph.segments[number].least)
    }

    fn linked(&self, first: Term) -> Option<&Segment> {
        self.segment(first).map(|(number, _)| &self.graph.segments[number])
    }

    /// The ways in which an object may be linked with another one.
    fn links(&self, first: Term) -> Vec<Links> {
        if let Some(segment) = self.linked(first) {
            return vec![Links { next: segment.next, before: segment.before, start: segment.start }];
        }
        let region = &self.graph.regions[&first];
        let mut found = Vec::new();
        for (at, value) in &region.fields {
            let Some((other, start)) = self.target_of(*value) else { continue };
            if other == first || other.value().is_some() {
                continue;
            }
            match (self.graph.regions.get(&other), self.linked(other)) {
                (Some(region), _) => {
                    let back =
                        region.fields.iter().filter(|(_, value)| self.target_of(**value) == Some((first, start)));
                    found.extend(back.map(|(before, _)| Links { next: *at, before: Some(*before), start }));
                    found.push(Links { next: *at, before: None, start });
                }
                (_, Some(segment)) if segment.first == other && segment.next == *at && segment.start == start => {
                    found.push(Links { next: *at, before: segment.before, start });
                }
                _ => {}
            }
        }
        found.retain(|links| links.before != Some(links.next));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The object and the offset of a pointer to an object of the graph.
    fn target_of(&self, value: Term) -> Option<(Term, u64)> {
        if !matches!(value.sort().kind(), term::SortKind::Pointer(_)) {
            return None;
        }
        let (object, offset) = parts(value);
        let offset = offset.as_bv()?.unsigned() as u64;
        self.is_object(object).then_some((object, offset))
    }

    /// The next one's pointer, and the last object, of a region or segment.
    fn end(&self, first: Term, links: Links) -> Option<(Term, Option<Term>)> {
        match self.linked(first) {
            Some(segment) => Some((segment.next_of_last, segment.last)),
            None => Some((*self.graph.regions[&first].fields.get(&links.next)?, Some(first))),
        }
    }

    /// Regions and segments that are linked, from this one on.
    fn chain(&self, start: Term, links: Links, mentions: &FxHashMap<Term, usize>, precision: Precision) -> Vec<Term> {
        let mut chain = vec![start];
        let Some(mut common) = self.layout(start, links) else { return chain };
        let mut seen: FxHashSet<Term> = FxHashSet::from_iter([start]);
        let mut at = start;
        while let Some((next, last)) = self.end(at, links) {
            let Some((other, offset)) = self.target_of(next) else { break };
            if offset != links.start || other.value().is_some() || !seen.insert(other) || !self.fits(other, links) {
                break;
            }
            // Nothing else points to an object that will be inside.
            let mentioned = |identity: Term| mentions.get(&identity).copied().unwrap_or(0);
            let is_segment = |identity: Term| self.linked(identity).is_some();
            let is_inside = match links.before {
                None => mentioned(other) == 1,
                Some(_) => {
                    let Some(last) = last else { break };
                    let Some(back) = self.back(other, links) else { break };
                    if self.target_of(back) != Some((last, links.start)) {
                        break;
                    }
                    // The end of what there is so far gets inside, and so does the beginning of what comes, if it is a
                    // list itself.
                    let inner = chain.len() > 1 || is_segment(at);
                    let is_end_inside = !inner || mentioned(last) == if is_segment(at) { 1 } else { 2 };
                    is_end_inside && (!is_segment(other) || mentioned(other) == 1)
                }
            };
            let layout = self.layout(other, links).and_then(|layout| common.with(&layout, self, precision));
            let Some(layout) = layout.filter(|_| is_inside) else { break };
            common = layout;
            chain.push(other);
            at = other;
        }
        chain
    }

    /// The pointer to the one before, of a region or segment.
    fn back(&self, first: Term, links: Links) -> Option<Term> {
        match self.linked(first) {
            Some(segment) => segment.before_first,
            None => self.graph.regions[&first].fields.get(&links.before?).copied(),
        }
    }

    /// Whether a region or segment is linked in this way.
    fn fits(&self, first: Term, links: Links) -> bool {
        match self.linked(first) {
            Some(segment) => {
                segment.first == first
                    && Links { next: segment.next, before: segment.before, start: segment.start } == links
            }
            None => {
                let region = &self.graph.regions[&first];
                region.fields.contains_key(&links.next)
                    && links.before.is_none_or(|before| region.fields.contains_key(&before))
            }
        }
    }

    /// What is known of each object of a region or segment.
    fn layout(&self, first: Term, links: Links) -> Option<Kinds> {
        if !self.fits(first, links) {
            return None;
        }
        if let Some(segment) = self.linked(first) {
            let Segment { size, dynamic, layouts, .. } = segment.clone();
            return Some(Kinds { size, dynamic, layouts, zero: false });
        }
        let region: &Region = &self.graph.regions[&first];
        if region.alive != Some(true) {
            return None;
        }
        let is_link = |at: u64| at == links.next || Some(at) == links.before;
        let own = region.fields.iter().filter(|(at, _)| !is_link(**at));
        let member = |value: Term| match self.target_of(value) {
            Some((object, offset)) if object == first => Member::Itself(value.sort(), offset),
            _ => Member::Same(value),
        };
        let layouts = vec![own.map(|(at, value)| (*at, member(*value))).collect()];
        Some(Kinds { size: region.size?, dynamic: region.dynamic?, layouts, zero: region.zero })
    }

    /// A segment in the place of linked regions and segments.
    fn replace(&mut self, chain: &[Term], links: Links, precision: Precision) {
        let layouts = chain.iter().map(|first| self.layout(*first, links));
        let merged = layouts.reduce(|all, next| all.and_then(|all| all.with(&next?, self, precision)));
        let (Some(Some(layout)), [first, .., end]) = (merged, chain) else { return };
        let (first, end) = (*first, *end);
        let weight: u64 = chain.iter().map(|first| self.weight(*first)).sum();
        let Some((next_of_last, last)) = self.end(end, links) else { return };
        let before_first = self.back(first, links);
        for part in chain {
            self.graph.regions.remove(part);
            self.graph.segments.retain(|segment| segment.first != *part);
        }
        self.graph.segments.push(Segment {
            first,
            last: links.before.and(last),
            next: links.next,
            before: links.before,
            start: links.start,
            least: weight.min(precision.objects).max(if links.before.is_some() { 2 } else { 1 }),
            size: layout.size,
            dynamic: layout.dynamic,
            layouts: layout.layouts,
            next_of_last,
            before_first,
        });
    }

    /// Whether a value says something of an object.
    fn points(&self, value: Term) -> bool {
        symbols(value).any(|symbol| self.is_object(symbol))
    }

    /// Values that are neither constants nor symbols become symbols, so that there are finitely many forms of graphs.
    pub fn flatten(&mut self) {
        let (exact, _) = self.counted();
        let live = Term::var("$live", term::Sort::object());
        if let (Some(exact), Some(value)) = (exact, self.graph.variables.get(&live).copied())
            && value.as_bv().is_some()
        {
            // Lists will have more objects than are known.
            let known = build::bv(term::OBJECT_WIDTH, exact.into());
            self.graph.variables.insert(live, build::bv_add(count(), build::bv_sub(value, known)));
        }
        let mut graph = std::mem::take(&mut self.graph);
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        let (regions, segments) = (graph.regions.clone(), graph.segments.clone());
        self.graph.ranges = graph.ranges.clone();
        self.graph.lost = graph.lost;
        (self.graph.regions, self.graph.segments) = (regions, segments);
        crate::state::rewrite(&mut graph, &mut |value| {
            let is_flat = |part: Term| part.args().is_empty() || symbols(part).any(|symbol| symbol == count());
            if is_flat(value) {
                return value;
            }
            let mut flat = |state: &mut State, part: Term| {
                if is_flat(part) {
                    return part;
                }
                *made.entry(part).or_insert_with(|| {
                    let ranges = state.ranges(part);
                    let symbol = state.symbol(part.sort());
                    if let Some(ranges) = ranges {
                        state.graph.ranges.insert(symbol, ranges);
                    }
                    symbol
                })
            };
            match value.sort().kind() {
                term::SortKind::Pointer(_) => {
                    let (object, offset) = parts(value);
                    let (object, offset) = (flat(self, object), flat(self, offset));
                    build::pointer(object, offset)
                }
                _ => flat(self, value),
            }
        });
        graph.ranges = std::mem::take(&mut self.graph.ranges);
        self.graph = graph;
    }
}

/// What is known of the objects of a list.
struct Kinds {
    size: Term,
    dynamic: bool,
    layouts: Vec<Layout>,
    /// Whether other bytes are zero.
    zero: bool,
}

impl Kinds {
    /// What is known of the objects of both, if they may be of one list.
    fn with(&self, other: &Kinds, state: &State, precision: Precision) -> Option<Kinds> {
        if self.size != other.size || self.dynamic != other.dynamic {
            return None;
        }
        let shape = |layouts: &[Layout]| {
            let mut sorts: BTreeMap<u64, Sort> = BTreeMap::new();
            layouts.iter().flatten().for_each(|(at, member)| _ = sorts.insert(*at, sort_of(member)));
            sorts
        };
        let (mine, others) = (shape(&self.layouts), shape(&other.layouts));
        let filled = |kinds: &Kinds, sorts: &BTreeMap<u64, Sort>| -> Vec<Layout> {
            let mut layouts = kinds.layouts.clone();
            if kinds.zero {
                layouts.iter_mut().for_each(|layout| fill(layout, sorts));
            }
            layouts
        };
        let mut layouts = filled(self, &others);
        if faults::is(Fault::FirstsData) {
            return Some(Kinds { size: self.size, dynamic: self.dynamic, layouts, zero: false });
        }
        for layout in filled(other, &mine) {
            let same = layouts.iter().position(|known| common(known, &layout, state, false).is_some());
            let place = same.or_else(|| {
                let is_full = layouts.len() >= precision.kinds && precision.merges;
                (0..layouts.len()).find(|number| is_full && common(&layouts[*number], &layout, state, true).is_some())
            });
            match place {
                Some(place) => layouts[place] = common(&layouts[place], &layout, state, true)?,
                // An object that one kind of objects points to would be that of all of them.
                None if layouts.len() < precision.kinds
                    && !layouts.iter().chain([&layout]).flat_map(Layout::values).any(|m| points(m, state)) =>
                {
                    layouts.push(layout)
                }
                None => return None,
            }
        }
        Some(Kinds { size: self.size, dynamic: self.dynamic, layouts, zero: self.zero && other.zero })
    }
}

fn sort_of(member: &Member) -> Sort {
    match member {
        Member::Same(value) => value.sort(),
        Member::Any(sort, _) | Member::Itself(sort, _) => *sort,
    }
}

/// Members that are zero because all bytes are that belong to no member.
fn fill(layout: &mut Layout, sorts: &BTreeMap<u64, Sort>) {
    for (at, sort) in sorts {
        let end = |at: u64, sort: Sort| at + u64::from(sort.bytes().unwrap_or(1));
        let is_free =
            !layout.iter().any(|(start, member)| *start < end(*at, *sort) && *at < end(*start, sort_of(member)));
        if let Some(zero) = Value::zero(*sort).filter(|_| is_free) {
            layout.insert(*at, Member::Same(Term::constant(zero)));
        }
    }
}

/// Whether a member keeps an object of the graph.
fn points(member: &Member, state: &State) -> bool {
    matches!(member, Member::Same(value) if state.points(*value))
}

/// What two layouts have in common: if they are alike, or in any case where they are `merged`. `None` where the objects
/// are not of one kind.
fn common(one: &Layout, other: &Layout, state: &State, merged: bool) -> Option<Layout> {
    let mut layout = Layout::new();
    for (at, member) in one.iter().chain(other.iter()) {
        let (Some(a), Some(b)) = (one.get(at), other.get(at)) else {
            // A field of which nothing is known here may be forgotten there, unless it keeps an object.
            if points(member, state) {
                return None;
            }
            continue;
        };
        if let Some(both) = either(a, b, state, merged)? {
            layout.insert(*at, both);
        }
    }
    Some(layout)
}

/// What two members have in common: nothing if nothing is known of it; `None` at all where the objects are not of one
/// kind.
fn either(one: &Member, two: &Member, state: &State, merged: bool) -> Option<Option<Member>> {
    if one == two {
        return Some(Some(one.clone()));
    }
    let points = |member: &Member| match member {
        Member::Same(value) => state.points(*value),
        Member::Itself(..) => true,
        Member::Any(..) => false,
    };
    if points(one) || points(two) {
        return None;
    }
    let about = |member: &Member| match member {
        Member::Same(value) => state.ranges(*value),
        Member::Any(_, ranges) => ranges.clone(),
        Member::Itself(..) => None,
    };
    let (sort, a, b) = (sort_of(one), about(one), about(two));
    if sort != sort_of(two) {
        return Some(None);
    }
    if a != b && !merged {
        return None;
    }
    let ranges = match (a, b) {
        (Some(a), Some(b)) => Some(ranges::union(&a, &b)),
        _ => None,
    };
    Some(Some(Member::Any(sort, ranges)))
}
