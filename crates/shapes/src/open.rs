//! Materialisation: the first or last object of a list segment as a region of its own.
//!
//! A segment has at least one object, so the case that it is empty is that of its being gone after its only object was
//! taken.

use crate::state::{End, State};
use engine::shape::{Layout, Region, Segment};
use faults::Fault;
use std::collections::BTreeMap;
use term::{Sort, Term, build};

impl State {
    /// The states in which an object at the end of a segment is a region.
    pub fn open(self, identity: Term) -> Vec<State> {
        let Some((number, end)) = self.segment(identity) else { return vec![self] };
        let segment = self.graph.segments[number].clone();
        match segment.last {
            None => self.open_single(number, &segment),
            Some(last) => self.open_double(number, &segment, last, end),
        }
    }

    /// The states in which an object of a segment is a region as its layouts say.
    fn objects(self, segment: &Segment, identity: Term, links: &[(u64, Term)]) -> Vec<State> {
        let with = |layout: &Layout| {
            let mut state = self.clone();
            let mut fields: BTreeMap<u64, Term> =
                layout.iter().map(|(at, member)| (*at, state.member(member, identity))).collect();
            fields.extend(links.iter().copied());
            let (size, dynamic) = (Some(segment.size), Some(segment.dynamic));
            let region = Region { size, alive: Some(true), dynamic, zero: false, fields };
            state.graph.regions.insert(identity, region);
            state
        };
        segment.layouts.iter().map(with).collect()
    }

    fn pointer(&self, object: Term, segment: &Segment) -> Term {
        let null = segment.next_of_last.sort();
        let width = match null.kind() {
            term::SortKind::Pointer(width) => *width,
            _ => 64,
        };
        build::pointer(object, build::bv(width, segment.start.into()))
    }

    fn open_single(mut self, number: usize, segment: &Segment) -> Vec<State> {
        self.graph.segments.remove(number);
        let mut states = Vec::new();
        if segment.least == 1 && !faults::is(Fault::OnlyLongLists) {
            states.extend(self.clone().objects(segment, segment.first, &[(segment.next, segment.next_of_last)]));
        }
        let second = self.symbol(Sort::object());
        let least = (segment.least - 1).max(1);
        self.graph.segments.push(Segment { first: second, least, ..segment.clone() });
        let link = self.pointer(second, segment);
        states.extend(self.objects(segment, segment.first, &[(segment.next, link)]));
        states
    }

    fn open_double(mut self, number: usize, segment: &Segment, last: Term, end: End) -> Vec<State> {
        let (Some(before), Some(before_first)) = (segment.before, segment.before_first) else { return vec![self] };
        self.graph.segments.remove(number);
        let (to_first, to_last) = (self.pointer(segment.first, segment), self.pointer(last, segment));
        let mut states = Vec::new();
        if segment.least == 2 && !faults::is(Fault::OnlyLongLists) {
            let one = [(before, before_first), (segment.next, to_last)];
            let other = [(before, to_first), (segment.next, segment.next_of_last)];
            let ones = self.clone().objects(segment, segment.first, &one);
            states.extend(ones.into_iter().flat_map(|state| state.objects(segment, last, &other)));
        }
        let least = (segment.least - 1).max(2);
        let inner = self.symbol(Sort::object());
        let link = self.pointer(inner, segment);
        let (identity, links, rest) = match end {
            End::First => {
                let rest = Segment { first: inner, least, before_first: Some(to_first), ..segment.clone() };
                (segment.first, [(before, before_first), (segment.next, link)], rest)
            }
            End::Last => {
                let rest = Segment { last: Some(inner), least, next_of_last: to_last, ..segment.clone() };
                (last, [(before, link), (segment.next, segment.next_of_last)], rest)
            }
        };
        self.graph.segments.push(rest);
        states.extend(self.objects(segment, identity, &links));
        states
    }
}
