//! Materialisation: the first or last object of a list segment as a region of its own.
//!
//! A segment has at least one object, so the case that it is empty is that of its being gone after its only object was taken.

use crate::state::{End, State};
use engine::shape::{Region, Segment};
use faults::Fault;
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

    /// A region with what is known of each object of a segment.
    fn object(&mut self, segment: &Segment) -> Region {
        let fields = segment.fields.iter().map(|(at, member)| (*at, self.member(member))).collect();
        Region {
            size: Some(segment.size),
            alive: Some(true),
            dynamic: Some(segment.dynamic),
            zero: false,
            fields,
        }
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
        let mut first = self.object(segment);
        let mut states = Vec::new();
        if segment.least == 1 {
            let mut only = self.clone();
            let mut region = first.clone();
            region.fields.insert(segment.next, segment.next_of_last);
            only.graph.regions.insert(segment.first, region);
            if !faults::is(Fault::OnlyLongLists) {
                states.push(only);
            }
        }
        let second = self.symbol(Sort::object());
        first.fields.insert(segment.next, self.pointer(second, segment));
        self.graph.regions.insert(segment.first, first);
        let least = (segment.least - 1).max(1);
        self.graph.segments.push(Segment { first: second, least, ..segment.clone() });
        states.push(self);
        states
    }

    fn open_double(mut self, number: usize, segment: &Segment, last: Term, end: End) -> Vec<State> {
        let (Some(before), Some(before_first)) = (segment.before, segment.before_first) else { return vec![self] };
        self.graph.segments.remove(number);
        let mut states = Vec::new();
        if segment.least == 2 {
            let mut both = self.clone();
            let (mut one, mut other) = (both.object(segment), both.object(segment));
            one.fields.insert(before, before_first);
            one.fields.insert(segment.next, self.pointer(last, segment));
            other.fields.insert(before, self.pointer(segment.first, segment));
            other.fields.insert(segment.next, segment.next_of_last);
            both.graph.regions.extend([(segment.first, one), (last, other)]);
            if !faults::is(Fault::OnlyLongLists) {
                states.push(both);
            }
        }
        let least = (segment.least - 1).max(2);
        let mut region = self.object(segment);
        let inner = self.symbol(Sort::object());
        let rest = match end {
            End::First => {
                region.fields.insert(before, before_first);
                region.fields.insert(segment.next, self.pointer(inner, segment));
                self.graph.regions.insert(segment.first, region);
                let before_first = Some(self.pointer(segment.first, segment));
                Segment { first: inner, least, before_first, ..segment.clone() }
            }
            End::Last => {
                region.fields.insert(before, self.pointer(inner, segment));
                region.fields.insert(segment.next, segment.next_of_last);
                self.graph.regions.insert(last, region);
                let next_of_last = self.pointer(last, segment);
                Segment { last: Some(inner), least, next_of_last, ..segment.clone() }
            }
        };
        self.graph.segments.push(rest);
        states.push(self);
        states
    }
}
