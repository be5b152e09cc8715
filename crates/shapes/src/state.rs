//! States of the symbolic execution: a graph, and what is known during one operation.

use crate::ranges;
use engine::shape::{Graph, Member, Ranges, Region, Segment, count};
use rustc_hash::{FxHashMap, FxHashSet};
use term::subst::substitute;
use term::visit::post_order;
use term::{Op, Sort, SortKind, Term, build};

/// What matters about a program.
#[derive(Clone, Copy, Default, Debug)]
pub struct About {
    /// How many static objects there are.
    pub statics: u32,
    /// Whether it keeps a map of which objects live.
    pub tells_alive: bool,
    /// Whether it keeps a map of which objects are dynamic.
    pub tells_dynamic: bool,
}

/// A graph on its way.
#[derive(Clone, Default)]
pub struct State {
    pub graph: Graph,
    /// What is the same in all states of a program.
    pub about: About,
    /// The instance of the newest symbol.
    pub newest: u32,
    /// What symbols were found to equal since the operation began.
    pub equal: FxHashMap<Term, Term>,
    /// Conditions on which cases were distinguished since the operation began.
    pub cases: FxHashMap<Term, bool>,
}

/// An end of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    First,
    Last,
}

/// Whether a term is a symbol of graphs, and not a variable of the program.
pub fn is_symbol(term: Term) -> bool {
    matches!(term.op(), Op::Var { instance, .. } if *instance > 0)
}

/// The symbols that a term mentions.
pub fn symbols(term: Term) -> impl Iterator<Item = Term> {
    post_order([term]).into_iter().filter(|part| is_symbol(*part))
}

/// Whether a value is a pointer: a field may hold a number of the same size instead.
pub fn is_pointer(value: Term) -> bool {
    matches!(value.sort().kind(), SortKind::Pointer(_))
}

/// A pointer's object and offset.
pub fn parts(pointer: Term) -> (Term, Term) {
    (build::pointer_object(pointer), build::pointer_offset(pointer))
}

impl State {
    /// A new symbol.
    pub fn symbol(&mut self, sort: Sort) -> Term {
        self.newest += 1;
        Term::var("?", sort).at_instance(self.newest)
    }

    /// Any value of a sort.
    pub fn any(&mut self, sort: Sort) -> Term {
        match sort.kind() {
            SortKind::Pointer(width) => {
                let (object, offset) = (self.symbol(Sort::object()), self.symbol(Sort::bv(*width)));
                build::pointer(object, offset)
            }
            _ => self.symbol(sort),
        }
    }

    /// A value of a member of the object of this identity.
    pub fn member(&mut self, member: &Member, identity: Term) -> Term {
        match member {
            Member::Same(value) => *value,
            Member::Itself(sort, offset) => {
                let SortKind::Pointer(width) = sort.kind() else { return self.any(*sort) };
                build::pointer(identity, build::bv(*width, (*offset).into()))
            }
            Member::Any(sort, ranges) => {
                let value = self.any(*sort);
                if let Some(ranges) = ranges {
                    self.graph.ranges.insert(value, ranges.clone());
                }
                value
            }
        }
    }

    /// Where a segment has an object of this identity at an end.
    pub fn segment(&self, identity: Term) -> Option<(usize, End)> {
        let segments = self.graph.segments.iter().enumerate();
        segments.into_iter().find_map(|(number, segment)| match () {
            () if segment.first == identity => Some((number, End::First)),
            () if segment.last == Some(identity) => Some((number, End::Last)),
            () => None,
        })
    }

    /// Whether the term is the identity of an object of the graph, or of no object or a static one.
    pub fn is_identity(&self, term: Term) -> bool {
        let is_static = |number: term::Bv| number.unsigned() <= self.about.statics.into();
        term.as_bv().is_some_and(is_static) || self.is_object(term)
    }

    /// Whether the term is the identity of an object of the graph.
    pub fn is_object(&self, term: Term) -> bool {
        self.graph.regions.contains_key(&term) || self.segment(term).is_some()
    }

    /// How many dynamic objects live: the exact number, if it is known, and at least so many.
    pub fn counted(&self) -> (Option<u64>, u64) {
        let region = |region: &Region| region.alive == Some(true) && region.dynamic == Some(true);
        let regions = self.graph.regions.values().filter(|r| region(r)).count() as u64;
        let dynamic = || self.graph.segments.iter().filter(|segment| segment.dynamic);
        let least = regions + dynamic().map(|segment| segment.least).sum::<u64>();
        let is_exact = !self.graph.lost && dynamic().next().is_none();
        (is_exact.then_some(least), least)
    }

    /// The values that a symbol may have.
    fn ranges_of_symbol(&self, symbol: Term) -> Option<Ranges> {
        if symbol == count() {
            let (exact, least) = self.counted();
            // Identities are never used twice, and those of objects that the program makes are below this.
            let most = exact.unwrap_or(ir::memory::FIRST_EXTERNAL.into());
            return Some(vec![(least.into(), most.into())]);
        }
        if self.is_object(symbol) {
            return Some(vec![(u128::from(self.about.statics) + 1, u128::from(ir::memory::FIRST_EXTERNAL) - 1)]);
        }
        self.graph.ranges.get(&symbol).cloned()
    }

    /// The values that a bit-vector may have.
    pub fn ranges(&self, term: Term) -> Option<Ranges> {
        ranges::of(term, &|symbol| self.ranges_of_symbol(symbol))
    }

    /// Puts a term in the place of a symbol, which is no object's identity. Whether there are values left.
    pub fn put(&mut self, symbol: Term, term: Term) -> bool {
        let known = self.graph.ranges.remove(&symbol);
        let of = |part: Term| if part == symbol { Some(term) } else { None };
        self.equal.values_mut().for_each(|value| *value = substitute(*value, of));
        self.equal.insert(symbol, term);
        self.cases = std::mem::take(&mut self.cases).into_iter().map(|(c, is)| (substitute(c, of), is)).collect();
        rewrite(&mut self.graph, &mut |value| substitute(value, of));
        known.is_none_or(|known| self.restrict(term, &known))
    }

    /// A term is among these numbers. Whether that can be.
    pub fn restrict(&mut self, term: Term, allowed: &Ranges) -> bool {
        let Some(width) = term.sort().bv_width() else { return true };
        let left = ranges::intersection(&self.ranges(term).unwrap_or_else(|| ranges::full(width)), allowed);
        if left.is_empty() {
            return false;
        }
        match (term.op(), term.args()) {
            (Op::Var { .. }, _) if term == count() || self.is_object(term) => true,
            (Op::Var { .. }, _) => match ranges::only(&left) {
                Some(number) => {
                    self.graph.ranges.remove(&term);
                    self.put(term, build::bv(width, number))
                }
                None => {
                    self.graph.ranges.insert(term, left);
                    true
                }
            },
            (Op::BvAdd, [a, b]) => match b.as_bv() {
                Some(by) => {
                    let back = (Term::constant(term::Value::bv(width, by.unsigned().wrapping_neg()))).as_bv();
                    let back = back.map_or(0, |back| back.unsigned());
                    self.restrict(*a, &ranges::shifted(&left, back, width))
                }
                None => true,
            },
            (Op::ZeroExtend(_), [a]) => self.restrict(*a, &left),
            _ => true,
        }
    }

    /// How often each identity is mentioned.
    pub fn mentions(&self) -> FxHashMap<Term, usize> {
        let mut found = FxHashMap::default();
        let mut graph = self.graph.clone();
        rewrite(&mut graph, &mut |value| {
            symbols(value).for_each(|symbol| *found.entry(symbol).or_default() += 1);
            value
        });
        found
    }

    /// Forgets objects that no variable leads to. Dynamic ones among them that may live are lost.
    pub fn collect_garbage(&mut self) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let statics = self.graph.regions.keys().copied().filter(|identity| identity.value().is_some());
        let mut stack: Vec<Term> = statics.collect();
        stack.extend(self.graph.variables.values().flat_map(|value| symbols(*value)));
        while let Some(symbol) = stack.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            if let Some(region) = self.graph.regions.get(&symbol) {
                stack.extend(region.fields.values().chain(&region.size).flat_map(|value| symbols(*value)));
            } else if let Some((number, _)) = self.segment(symbol) {
                let segment = &self.graph.segments[number];
                stack.push(segment.first);
                stack.extend(values(segment).into_iter().flat_map(symbols));
            }
        }
        let mut lost = self.graph.lost;
        self.graph.regions.retain(|identity, region| {
            let kept = identity.value().is_some() || seen.contains(identity);
            lost |= !kept && region.alive != Some(false) && region.dynamic != Some(false);
            kept
        });
        self.graph.segments.retain(|segment| {
            let kept = seen.contains(&segment.first);
            lost |= !kept && segment.dynamic;
            kept
        });
        self.graph.lost = lost;
        self.graph.ranges.retain(|symbol, _| seen.contains(symbol));
    }
}

/// The terms that a segment mentions, but for its first object.
pub fn values(segment: &Segment) -> Vec<Term> {
    let members = segment.layouts.iter().flatten().filter_map(|(_, member)| match member {
        Member::Same(value) => Some(*value),
        Member::Any(..) | Member::Itself(..) => None,
    });
    let ends = segment.last.into_iter().chain(segment.before_first);
    members.chain(ends).chain([segment.size, segment.next_of_last]).collect()
}

/// Replaces all terms of a graph but identities of regions and first and last objects of segments, and ranges.
pub fn rewrite(graph: &mut Graph, of: &mut dyn FnMut(Term) -> Term) {
    graph.variables.values_mut().for_each(|value| *value = of(*value));
    for region in graph.regions.values_mut() {
        region.size.iter_mut().chain(region.fields.values_mut()).for_each(|value| *value = of(*value));
    }
    for segment in &mut graph.segments {
        segment.size = of(segment.size);
        for member in segment.layouts.iter_mut().flat_map(|layout| layout.values_mut()) {
            if let Member::Same(value) = member {
                *value = of(*value);
            }
        }
        segment.next_of_last = of(segment.next_of_last);
        segment.before_first.iter_mut().for_each(|value| *value = of(*value));
    }
}
