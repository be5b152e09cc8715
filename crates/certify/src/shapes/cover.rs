//! Whether a graph covers a world: what its symbols must be, and what is to be shown of them then.
//!
//! A graph's symbols are found from what variables hold, object by object. Different objects of the graph are different
//! objects of the world, and what the graph says of each is compared; what it says of numbers is collected. Where a
//! segment of the graph may end at several objects, there is more than one way.

use super::world::{World, among, bytes, is_symbol};
use engine::shape::{Graph, Layout, Member, Region, Segment, count};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{eq, pointer, pointer_object, pointer_offset};
use term::subst::substitute;
use term::{Sort, SortKind, Term, Value};

/// More ways to cover are not looked at.
const MOST_WAYS: usize = 12;
/// More steps are not made to find them.
const MOST_STEPS: usize = 20_000;

/// The ways in which a graph may cover a world: for each, what has to be shown.
pub fn coverings(world: &World, graph: &Graph) -> Vec<Vec<Term>> {
    if world.graph.lost && !graph.lost {
        return Vec::new();
    }
    let mut way = Way {
        world,
        graph,
        is: FxHashMap::default(),
        taken: FxHashSet::default(),
        equal: Vec::new(),
        open: Vec::new(),
        unknown: 0,
    };
    let mut pairs = Vec::new();
    for (variable, value) in &graph.variables {
        let held = match world.graph.variables.get(variable) {
            Some(held) => *held,
            None => way.unknown_value(value.sort()),
        };
        pairs.push((*value, held));
    }
    for (identity, region) in graph.regions.iter().filter(|(identity, _)| identity.value().is_some()) {
        if way.region(region, *identity, &mut pairs).is_none() {
            return Vec::new();
        }
    }
    let mut found = Found { ways: Vec::new(), steps: 0 };
    way.complete(pairs, &mut found);
    found.ways
}

struct Found {
    ways: Vec<Vec<Term>>,
    steps: usize,
}

impl Found {
    fn is_full(&self) -> bool {
        self.steps > MOST_STEPS || self.ways.len() >= MOST_WAYS || self.ways.last().is_some_and(Vec::is_empty)
    }
}

#[derive(Clone)]
struct Way<'a> {
    world: &'a World,
    graph: &'a Graph,
    /// What the graph's symbols are.
    is: FxHashMap<Term, Term>,
    /// The world's objects that are objects of the graph.
    taken: FxHashSet<Term>,
    /// A term of the graph, and one of the world that it must be equal to.
    equal: Vec<(Term, Term)>,
    /// What else must hold in the world.
    open: Vec<Term>,
    unknown: u32,
}

/// How an object is as a layout says: what values must be equal, and what must hold.
struct As {
    unknown: u32,
    pairs: Pairs,
    open: Vec<Term>,
}

type Pairs = Vec<(Term, Term)>;

impl Way<'_> {
    /// A value that nothing is known of: any other value but one that is named nowhere differs from it.
    fn unknown_value(&mut self, sort: Sort) -> Term {
        self.unknown += 1;
        let symbol = |sort: Sort| Term::var("?unknown", sort).at_instance(self.unknown);
        match sort.kind() {
            SortKind::Pointer(width) => pointer(symbol(Sort::object()), symbol(Sort::bv(*width))),
            _ => symbol(sort),
        }
    }

    /// Compares pairs of a term of the graph and one of the world, and then what comes into sight.
    fn complete(mut self, mut pairs: Pairs, found: &mut Found) {
        found.steps += 1;
        if found.is_full() {
            return;
        }
        while let Some((own, other)) = pairs.pop() {
            if own.sort() != other.sort() {
                return;
            }
            if let SortKind::Pointer(_) = own.sort().kind() {
                pairs.push((pointer_offset(own), pointer_offset(other)));
                pairs.push((pointer_object(own), pointer_object(other)));
                continue;
            }
            if !is_symbol(own) || own == count() {
                self.equal.push((own, other));
                continue;
            }
            match self.is.get(&own) {
                Some(known) if *known == other => continue,
                Some(known) => {
                    // Objects have one name in a world; numbers may have several.
                    if self.world.is_object(*known) || self.world.is_object(other) || self.is_object(own) {
                        return;
                    }
                    self.equal.push((own, other));
                    continue;
                }
                None => {}
            }
            self.is.insert(own, other);
            if let Some(region) = self.graph.regions.get(&own) {
                if self.region(region, other, &mut pairs).is_none() {
                    return;
                }
            } else if let Some(segment) = self.graph.segments.iter().find(|segment| segment.first == own) {
                return self.segment(segment, other, pairs, found);
            }
        }
        // The beginning of a list of which only the end is in sight.
        let is_hidden = |segment: &&Segment| !self.is.contains_key(&segment.first);
        if self.graph.segments.iter().any(|segment| is_hidden(&segment)) {
            let ends = |segment: &&Segment| segment.last.is_some_and(|last| self.is.contains_key(&last));
            if let Some(segment) = self.graph.segments.iter().filter(is_hidden).find(ends) {
                let regions = self.world.graph.regions.keys();
                let firsts = regions.chain(self.world.graph.segments.iter().map(|segment| &segment.first));
                for first in firsts.filter(|first| !self.taken.contains(first)) {
                    self.clone().complete(vec![(segment.first, *first)], found);
                }
            }
            return;
        }
        found.ways.extend(self.remaining());
    }

    fn is_object(&self, own: Term) -> bool {
        let is_end = |segment: &Segment| segment.first == own || segment.last == Some(own);
        self.graph.regions.contains_key(&own) || self.graph.segments.iter().any(is_end)
    }

    /// What has to be shown of numbers; `None` if something else is missing.
    fn remaining(&self) -> Option<Vec<Term>> {
        let is_found = |identity: &Term| identity.value().is_some() || self.is.contains_key(identity);
        if !self.graph.regions.keys().all(is_found) {
            return None;
        }
        if !self.graph.lost {
            let may_count = |region: &Region| region.alive != Some(false) && region.dynamic != Some(false);
            let regions = self.world.graph.regions.iter().filter(|(_, region)| may_count(region));
            let lists = self.world.graph.segments.iter().filter(|segment| segment.dynamic);
            let mut counting = regions.map(|(identity, _)| *identity).chain(lists.map(|segment| segment.first));
            if !counting.all(|identity| self.taken.contains(&identity)) {
                return None;
            }
        }
        let mut left = self.open.clone();
        let named = |part: Term| if part == count() { None } else { self.is.get(&part).copied() };
        for (own, other) in &self.equal {
            let symbols = term::free::variables([*own]);
            if !symbols.iter().all(|symbol| *symbol == count() || self.is.contains_key(symbol)) {
                return None;
            }
            left.push(eq(substitute(*own, named), *other));
        }
        for (symbol, ranges) in &self.graph.ranges {
            // What is mentioned nowhere can be chosen.
            if let Some(value) = self.is.get(symbol) {
                left.push(among(*value, ranges));
            }
        }
        let mut shown = Vec::new();
        for formula in left {
            let formula = self.world.simplified(formula);
            match formula.as_bool() {
                Some(true) => {}
                Some(false) => return None,
                None if self.world.demands.contains(&formula) => {}
                None => shown.push(formula),
            }
        }
        Some(shown)
    }

    /// What the graph says of a region holds of the world's region of an identity.
    fn region(&mut self, own: &Region, identity: Term, pairs: &mut Pairs) -> Option<()> {
        let world = self.world;
        let region = world.graph.regions.get(&identity)?;
        let agrees = |own: Option<bool>, other: Option<bool>| own.is_none() || own == other;
        if !self.taken.insert(identity) || !agrees(own.alive, region.alive) || !agrees(own.dynamic, region.dynamic) {
            return None;
        }
        if let Some(size) = own.size {
            pairs.push((size, region.size?));
        }
        if own.zero && !(region.zero && region.fields.keys().all(|at| own.fields.contains_key(at))) {
            return None;
        }
        for (at, value) in &own.fields {
            let held = self.held(region, *at, value.sort());
            pairs.push((*value, held));
        }
        Some(())
    }

    /// What a region of the world has at an offset.
    fn held(&mut self, region: &Region, at: u64, sort: Sort) -> Term {
        match region.fields.get(&at) {
            Some(value) if value.sort() == sort => return *value,
            _ => {}
        }
        let end = at + bytes(sort);
        let is_apart = region.fields.iter().all(|(start, value)| end <= *start || start + bytes(value.sort()) <= at);
        match Value::zero(sort).filter(|_| is_apart && region.zero) {
            Some(zero) => Term::constant(zero),
            None => self.unknown_value(sort),
        }
    }

    /// The world's objects from one on are a segment of the graph: every way in which it may end.
    fn segment(mut self, own: &Segment, first: Term, mut pairs: Pairs, found: &mut Found) {
        let (mut at, mut length, mut previous) = (first, 0, None);
        while let Some(part) = self.part(own, at, &mut pairs) {
            length += part.length;
            match (previous, own.before_first, part.before) {
                (_, None, None) => {}
                (None, Some(before), Some(held)) => pairs.push((before, held)),
                (Some(previous), Some(_), Some(held)) => {
                    let is_back = is_pointer(held) && pointer_object(held) == previous && self.is_start(own, held);
                    if !is_back {
                        return;
                    }
                }
                _ => return,
            }
            if length >= own.least {
                let mut ended = self.clone();
                let mut rest = pairs.clone();
                rest.push((own.next_of_last, part.next));
                let fits = match own.last {
                    Some(last) => *ended.is.entry(last).or_insert(part.last) == part.last,
                    None => true,
                };
                if fits {
                    ended.complete(rest, found);
                }
                if found.is_full() {
                    return;
                }
            }
            if !self.is_start(own, part.next) {
                return;
            }
            previous = Some(part.last);
            at = pointer_object(part.next);
        }
    }

    /// Whether a pointer has the offset that a segment's pointers have.
    fn is_start(&self, own: &Segment, held: Term) -> bool {
        pointer_offset(held).as_bv().is_some_and(|offset| offset.unsigned() == own.start.into())
    }

    /// An object or a segment of the world as a part of a segment of the graph.
    fn part(&mut self, own: &Segment, at: Term, pairs: &mut Pairs) -> Option<Part> {
        let world = self.world;
        if at.value().is_some() || !self.taken.insert(at) {
            return None;
        }
        if let Some(region) = world.graph.regions.get(&at) {
            if region.alive != Some(true) || region.dynamic != Some(own.dynamic) {
                return None;
            }
            pairs.push((own.size, region.size?));
            let ways = own.layouts.iter().filter_map(|layout| self.clone().with_layout(layout, region, at));
            let As { unknown, pairs: more, open } = ways.min_by_key(|way| way.open.len())?;
            self.unknown = unknown;
            pairs.extend(more);
            self.open.extend(open);
            let before = match own.before {
                Some(offset) => Some(*region.fields.get(&offset)?),
                None => None,
            };
            let next = *region.fields.get(&own.next)?;
            (next.sort() == own.next_of_last.sort()).then_some(())?;
            return Some(Part { length: 1, next, last: at, before });
        }
        let other = world.graph.segments.iter().find(|segment| segment.first == at)?;
        let form = |segment: &Segment| (segment.next, segment.before, segment.start, segment.dynamic);
        if form(own) != form(other) {
            return None;
        }
        pairs.push((own.size, other.size));
        for kind in &other.layouts {
            pairs.extend(own.layouts.iter().find_map(|layout| self.includes(layout, kind))?);
        }
        let last = other.last.unwrap_or(at);
        Some(Part { length: other.least, next: other.next_of_last, last, before: other.before_first })
    }

    /// An object is as a layout says, if something can be shown.
    fn with_layout(mut self, layout: &Layout, region: &Region, identity: Term) -> Option<As> {
        let (mut pairs, mut open) = (Vec::new(), Vec::new());
        for (at, member) in layout {
            match member {
                Member::Same(value) => {
                    let held = self.held(region, *at, value.sort());
                    let clash = value.value().is_some() && held.value().is_some() && *value != held;
                    (!clash).then_some(())?;
                    pairs.push((*value, held));
                }
                Member::Itself(_, offset) => {
                    let held = *region.fields.get(at)?;
                    let is_own = is_pointer(held)
                        && pointer_object(held) == identity
                        && pointer_offset(held).as_bv().is_some_and(|at| at.unsigned() == (*offset).into());
                    is_own.then_some(())?;
                }
                Member::Any(_, None) => {}
                Member::Any(sort, Some(ranges)) => {
                    let held = self.held(region, *at, *sort);
                    let formula = among(held, ranges);
                    if !self.is_shown(formula) {
                        open.push(formula);
                    }
                }
            }
        }
        Some(As { unknown: self.unknown, pairs, open })
    }

    /// Whether a formula holds in the world, as far as that can be seen at once.
    fn is_shown(&self, formula: Term) -> bool {
        let formula = self.world.simplified(formula);
        formula.as_bool() == Some(true) || self.world.demands.contains(&formula)
    }

    /// All objects of a kind are as a layout says, if these pairs are equal.
    fn includes(&self, layout: &Layout, kind: &Layout) -> Option<Pairs> {
        let mut pairs = Vec::new();
        for (at, member) in layout {
            match (member, kind.get(at)) {
                (Member::Any(_, None), _) => {}
                (Member::Same(value), Some(Member::Same(held))) => {
                    let clash = value.value().is_some() && held.value().is_some() && value != held;
                    (!clash).then_some(())?;
                    pairs.push((*value, *held));
                }
                (Member::Any(_, Some(ranges)), Some(Member::Same(held))) => {
                    self.is_shown(among(*held, ranges)).then_some(())?;
                }
                (Member::Any(sort, Some(ranges)), Some(Member::Any(other, Some(inner)))) => {
                    let within = |part: &(u128, u128)| ranges.iter().any(|all| all.0 <= part.0 && part.1 <= all.1);
                    (sort == other && inner.iter().all(within)).then_some(())?;
                }
                (Member::Itself(..), Some(held)) => (member == held).then_some(())?,
                _ => return None,
            }
        }
        Some(pairs)
    }
}

/// Whether a value is a pointer: a field may hold a number of the same size instead.
fn is_pointer(value: Term) -> bool {
    matches!(value.sort().kind(), SortKind::Pointer(_))
}

/// A part of a segment.
struct Part {
    length: u64,
    next: Term,
    last: Term,
    before: Option<Term>,
}
