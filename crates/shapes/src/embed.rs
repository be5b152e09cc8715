//! Entailment: whether all states of one graph are states of another.
//!
//! The general graph's symbols are mapped to terms of the special one, beginning with what variables hold. A segment
//! takes in as many objects in a row as fit; where it may end earlier, each end is tried.

use crate::evaluate::bytes_of;
use crate::ranges;
use crate::state::{State, is_pointer, is_symbol, parts};
use engine::shape::{Layout, Member, Region, Segment, count};
use faults::Fault;
use rustc_hash::{FxHashMap, FxHashSet};
use term::subst::substitute;
use term::{SortKind, Term, Value, build};

/// More attempts are not made.
const MOST_ATTEMPTS: usize = 4_000;

/// Whether a graph says nothing that another one does not say.
pub fn embeds(special: &State, general: &State) -> bool {
    if special.graph.lost && !general.graph.lost {
        return false;
    }
    let mut start = Match {
        special,
        general,
        map: FxHashMap::default(),
        used: FxHashSet::default(),
        later: Vec::new(),
        unknown: 0,
    };
    let mut todo = Vec::new();
    for (variable, value) in &general.graph.variables {
        let Some(known) = special.graph.variables.get(variable).copied() else {
            // Anything goes for what is a symbol of its own.
            let any = start.anything(*value);
            todo.push((*value, any));
            continue;
        };
        todo.push((*value, known));
    }
    for identity in general.graph.regions.keys().filter(|identity| identity.value().is_some()) {
        if !start.region(*identity, *identity, &mut todo) {
            return false;
        }
    }
    let mut attempts = 0;
    start.run(todo, &mut attempts)
}

#[derive(Clone)]
struct Match<'a> {
    special: &'a State,
    general: &'a State,
    /// What symbols of the general graph are.
    map: FxHashMap<Term, Term>,
    /// The regions, and first objects of segments, of the special graph that are objects of the general one.
    used: FxHashSet<Term>,
    /// Terms that must be equal when all symbols are known.
    later: Vec<(Term, Term)>,
    unknown: u32,
}

type Todo = Vec<(Term, Term)>;

impl Match<'_> {
    /// A value of which nothing is known.
    fn anything(&mut self, like: Term) -> Term {
        self.unknown += 1;
        let symbol = |sort, number| Term::var("?any", sort).at_instance(number);
        match like.sort().kind() {
            SortKind::Pointer(width) => {
                build::pointer(symbol(term::Sort::object(), self.unknown), symbol(term::Sort::bv(*width), self.unknown))
            }
            _ => symbol(like.sort(), self.unknown),
        }
    }

    fn run(mut self, mut todo: Todo, attempts: &mut usize) -> bool {
        *attempts += 1;
        if *attempts > MOST_ATTEMPTS {
            return false;
        }
        while let Some((general, special)) = todo.pop() {
            if general.sort() != special.sort() {
                return false;
            }
            if let SortKind::Pointer(_) = general.sort().kind() {
                let ((object, offset), (other, at)) = (parts(general), parts(special));
                todo.extend([(offset, at), (object, other)]);
                continue;
            }
            if let Some((number, end)) = self.general.segment(general) {
                let segment = &self.general.graph.segments[number];
                match self.map.get(&general) {
                    Some(known) if *known == special => continue,
                    Some(_) => return false,
                    None => {}
                }
                self.map.insert(general, special);
                if end == crate::state::End::First {
                    return self.walk(segment, special, todo, attempts);
                }
                continue;
            }
            if self.general.graph.regions.contains_key(&general) && general.value().is_none() {
                match self.map.get(&general) {
                    Some(known) if *known == special => continue,
                    Some(_) => return false,
                    None => {}
                }
                self.map.insert(general, special);
                if !self.region(general, special, &mut todo) {
                    return false;
                }
                continue;
            }
            if !self.value(general, special) {
                return false;
            }
        }
        // A doubly linked list that is only known by its end may begin anywhere.
        let mut open = self.general.graph.segments.iter().filter(|segment| !self.map.contains_key(&segment.first));
        let ends = |segment: &&Segment| segment.last.is_some_and(|last| self.map.contains_key(&last));
        let Some(segment) = open.clone().find(ends) else {
            return open.next().is_none() && self.ends();
        };
        let regions = self.special.graph.regions.keys().copied();
        let firsts = regions.chain(self.special.graph.segments.iter().map(|segment| segment.first));
        let candidates: Vec<Term> = firsts.filter(|first| !self.used.contains(first)).collect();
        candidates.into_iter().any(|first| self.clone().run(vec![(segment.first, first)], attempts))
    }

    /// What is left to show when all objects have their places.
    fn ends(&self) -> bool {
        let of = |part: Term| self.map.get(&part).copied();
        let regions = &self.general.graph.regions;
        let is_whole = regions.keys().all(|identity| identity.value().is_some() || self.map.contains_key(identity));
        let equal = self.later.iter().all(|(general, special)| {
            let general = substitute(*general, of);
            general == *special || self.is_count(general, *special)
        });
        let is_kept = self.general.graph.lost || {
            let regions = self.special.graph.regions.iter();
            let mut counting = regions.filter(|(_, r)| r.alive != Some(false) && r.dynamic != Some(false));
            let mut lists = self.special.graph.segments.iter().filter(|segment| segment.dynamic);
            counting.all(|(identity, _)| self.used.contains(identity))
                && lists.all(|segment| self.used.contains(&segment.first))
        };
        is_whole && equal && is_kept
    }

    /// Whether two terms are equal by the number of dynamic objects, where it is known.
    fn is_count(&self, general: Term, special: Term) -> bool {
        let (Some(exact), _) = self.special.counted() else { return false };
        let exact = build::bv(term::OBJECT_WIDTH, exact.into());
        let of = |part: Term| if part == count() { Some(exact) } else { None };
        substitute(general, of) == substitute(special, of)
    }

    /// A scalar.
    fn value(&mut self, general: Term, special: Term) -> bool {
        if general == special && general.value().is_some() {
            return true;
        }
        if general == count() || !is_symbol(general) {
            if general.value().is_some() {
                let only = self.special.ranges(special).and_then(|ranges| ranges::only(&ranges));
                return only.is_some() && only == general.as_bv().map(|number| number.unsigned())
                    || self.is_count(general, special);
            }
            self.later.push((general, special));
            return true;
        }
        match self.map.get(&general) {
            Some(known) => *known == special,
            None => {
                self.map.insert(general, special);
                let Some(allowed) = self.general.graph.ranges.get(&general) else { return true };
                faults::is(Fault::ForgottenRange)
                    || self.special.ranges(special).is_some_and(|ranges| ranges::is_subset(&ranges, allowed))
            }
        }
    }

    /// A region of the general graph is a region of the special one.
    fn region(&mut self, general: Term, special: Term, todo: &mut Todo) -> bool {
        let Some(one) = self.general.graph.regions.get(&general) else { return false };
        let Some(other) = self.special.graph.regions.get(&special) else { return false };
        if !self.used.insert(special) {
            return false;
        }
        if one.alive.is_some() && one.alive != other.alive || one.dynamic.is_some() && one.dynamic != other.dynamic {
            return false;
        }
        match (one.size, other.size) {
            (None, _) => {}
            (Some(one), Some(other)) => todo.push((one, other)),
            (Some(_), None) => return false,
        }
        if one.zero && !(other.zero && other.fields.keys().all(|at| one.fields.contains_key(at))) {
            return false;
        }
        for (at, value) in &one.fields {
            let Some(known) = self.field(other, *at, *value) else { return false };
            todo.push((*value, known));
        }
        true
    }

    /// What a region of the special graph has for a field of the general one.
    fn field(&mut self, region: &Region, at: u64, like: Term) -> Option<Term> {
        if let Some(value) = region.fields.get(&at)
            && value.sort() == like.sort()
        {
            return Some(*value);
        }
        let end = at + bytes_of(like);
        let is_free = !region.fields.iter().any(|(start, value)| *start < end && at < start + bytes_of(*value));
        match is_free && region.zero {
            true => Value::zero(like.sort()).map(Term::constant),
            false => Some(self.anything(like)),
        }
    }

    /// A segment of the general graph begins with an object of the special one: all ways in which it may end are tried.
    fn walk(mut self, segment: &Segment, first: Term, mut todo: Todo, attempts: &mut usize) -> bool {
        let (mut at, mut length, mut before) = (first, 0, None);
        loop {
            let Some(step) = self.step(segment, at, before, &mut todo) else { return false };
            length += step.length;
            if before.is_none()
                && let (Some(general), Some(special)) = (segment.before_first, step.before)
            {
                todo.push((general, special));
            }
            if length >= segment.least {
                let mut ended = self.clone();
                let mut rest = todo.clone();
                rest.push((segment.next_of_last, step.next));
                let fits = match (segment.last, step.last) {
                    (Some(last), Some(special)) => match ended.map.insert(last, special) {
                        Some(known) => known == special,
                        None => true,
                    },
                    _ => true,
                };
                if fits && ended.run(rest, attempts) {
                    return true;
                }
            }
            if !is_pointer(step.next) {
                return false;
            }
            let (object, offset) = parts(step.next);
            if offset.as_bv().is_none_or(|offset| offset.unsigned() != segment.start.into()) || object.value().is_some()
            {
                return false;
            }
            before = Some(step.last.unwrap_or(at));
            at = object;
        }
    }

    /// An object, or a list, of the special graph as a part of a segment.
    fn step(&mut self, segment: &Segment, at: Term, before: Option<Term>, todo: &mut Todo) -> Option<Step> {
        let step = if let Some(region) = self.special.graph.regions.get(&at) {
            if region.alive != Some(true) || region.dynamic != Some(segment.dynamic) {
                return None;
            }
            todo.push((segment.size, region.size?));
            let region = region.clone();
            let fits = |layout: &&Layout| self.clone().object(layout, &region, at).is_some();
            let layout = segment.layouts.iter().find(fits)?;
            todo.extend(self.object(layout, &region, at)?);
            let back = match segment.before {
                Some(offset) => Some(*region.fields.get(&offset)?),
                None => None,
            };
            Step { length: 1, next: *region.fields.get(&segment.next)?, last: segment.before.map(|_| at), before: back }
        } else {
            let (number, end) = self.special.segment(at)?;
            let other = &self.special.graph.segments[number];
            let is_alike = (other.next, other.before, other.start) == (segment.next, segment.before, segment.start);
            if !is_alike || end != crate::state::End::First || other.dynamic != segment.dynamic {
                return None;
            }
            todo.push((segment.size, other.size));
            for kind in &other.layouts {
                let more = segment.layouts.iter().find_map(|layout| self.kind(layout, kind))?;
                todo.extend(more);
            }
            Step { length: other.least, next: other.next_of_last, last: other.last, before: other.before_first }
        };
        if let (Some(before), Some(back)) = (before, step.before)
            && (!is_pointer(back)
                || parts(back) != (before, build::bv(parts(back).1.sort().bv_width()?, segment.start.into())))
        {
            return None;
        }
        self.used.insert(at).then_some(step)
    }

    /// A region of the special graph is as a layout: what remains to be shown.
    fn object(&mut self, layout: &Layout, region: &Region, identity: Term) -> Option<Todo> {
        let mut todo = Vec::new();
        for (offset, member) in layout {
            match member {
                Member::Same(value) => {
                    let known = self.field(region, *offset, *value)?;
                    self.may_equal(*value, known).then_some(())?;
                    todo.push((*value, known));
                }
                Member::Any(sort, allowed) => {
                    let like = Term::var("?like", *sort).at_instance(1);
                    let known = self.field(region, *offset, like)?;
                    self.is_among(known, allowed).then_some(())?;
                }
                Member::Itself(_, start) => {
                    let held = region.fields.get(offset).copied().filter(|held| is_pointer(*held))?;
                    let (object, offset) = parts(held);
                    let is_start = offset.as_bv().is_some_and(|offset| offset.unsigned() == (*start).into());
                    (object == identity && is_start).then_some(())?;
                }
            }
        }
        Some(todo)
    }

    /// Objects of a kind are as a layout: what remains to be shown.
    fn kind(&self, layout: &Layout, kind: &Layout) -> Option<Todo> {
        let mut todo = Vec::new();
        for (offset, member) in layout {
            match (member, kind.get(offset)) {
                (Member::Same(value), Some(Member::Same(known))) => {
                    self.may_equal(*value, *known).then_some(())?;
                    todo.push((*value, *known));
                }
                (Member::Any(sort, allowed), Some(Member::Same(known))) if known.sort() == *sort => {
                    self.is_among(*known, allowed).then_some(())?;
                }
                (Member::Any(sort, None), Some(Member::Itself(other, _))) if sort == other => {}
                (Member::Any(sort, allowed), Some(Member::Any(other, ranges))) if sort == other => {
                    let is_among = match (allowed, ranges) {
                        (None, _) => true,
                        (Some(allowed), Some(ranges)) => ranges::is_subset(ranges, allowed),
                        (Some(_), None) => false,
                    };
                    is_among.then_some(())?;
                }
                (Member::Itself(..), Some(known)) if member == known => {}
                (Member::Any(_, None), None) => {}
                _ => return None,
            }
        }
        Some(todo)
    }

    /// Whether it is not seen at once that two values differ.
    fn may_equal(&self, general: Term, special: Term) -> bool {
        general.value().is_none() || general == special || special.value().is_none()
    }

    fn is_among(&self, value: Term, allowed: &Option<engine::shape::Ranges>) -> bool {
        let Some(allowed) = allowed else { return true };
        self.special.ranges(value).is_some_and(|ranges| ranges::is_subset(&ranges, allowed))
    }
}

/// A part of a segment.
struct Step {
    length: u64,
    /// What its last object has for its next one.
    next: Term,
    /// Its last object, of a doubly linked list.
    last: Option<Term>,
    /// What its first object has for the one before.
    before: Option<Term>,
}
