//! Worlds: a graph, with what else the path to it demands of its symbols.

use engine::shape::{Graph, Layout, Member, Ranges, Region, Segment, count};
use ir::{Program, memory};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{and, bv, bv_ule, eq, falsehood, or};
use term::free;
use term::subst::substitute;
use term::{OBJECT_WIDTH, Op, Sort, SortKind, Term};

#[derive(Clone)]
pub struct World {
    /// Its ranges are among the demands.
    pub graph: Graph,
    pub demands: Vec<Term>,
    /// Conditions that hold, or do not.
    pub known: FxHashMap<Term, bool>,
    pub newest: u32,
    pub statics: u128,
    pub tells_alive: bool,
    pub tells_dynamic: bool,
}

pub fn is_symbol(term: Term) -> bool {
    matches!(term.op(), Op::Var { instance, .. } if *instance > 0)
}

/// That a number is among these.
pub fn among(number: Term, ranges: &Ranges) -> Term {
    let Some(width) = number.sort().bv_width() else { return falsehood() };
    let within = |(low, high): &(u128, u128)| match low == high {
        true => eq(number, bv(width, *low)),
        false => and([bv_ule(bv(width, *low), number), bv_ule(number, bv(width, *high))]),
    };
    or(ranges.iter().map(within))
}

pub fn bytes(sort: Sort) -> u64 {
    sort.bytes().unwrap_or(1).into()
}

/// The terms in a graph: what variables, fields and segments hold, and not the objects that they are of.
pub fn map(graph: &mut Graph, f: &mut dyn FnMut(Term) -> Term) {
    for value in graph.variables.values_mut() {
        *value = f(*value);
    }
    for Region { size, fields, .. } in graph.regions.values_mut() {
        for value in size.iter_mut().chain(fields.values_mut()) {
            *value = f(*value);
        }
    }
    for Segment { layouts, size, next_of_last, before_first, .. } in &mut graph.segments {
        for member in layouts.iter_mut().flat_map(Layout::values_mut) {
            if let Member::Same(value) = member {
                *value = f(*value);
            }
        }
        for value in [size, next_of_last].into_iter().chain(before_first.iter_mut()) {
            *value = f(*value);
        }
    }
}

/// Whether a graph is one: objects have different identities, fields do not overlap, terms are of symbols alone.
pub fn well_formed(graph: &Graph, program: &Program) -> Result<(), String> {
    let mut identities = FxHashSet::default();
    let is_static = |identity: Term| {
        identity.as_bv().is_some_and(|number| (1..=program.objects.len() as u128).contains(&number.unsigned()))
    };
    let mut is_identity = |identity: Term| {
        identity.sort() == Sort::object()
            && identity != count()
            && (is_symbol(identity) || is_static(identity))
            && identities.insert(identity)
    };
    let mut sound = graph.regions.keys().all(|identity| is_identity(*identity));
    for segment in &graph.segments {
        sound &= is_identity(segment.first) && is_symbol(segment.first);
        sound &= segment.last.is_none_or(|last| is_symbol(last) && is_identity(last));
        let parts = [segment.last.is_some(), segment.before.is_some(), segment.before_first.is_some()];
        sound &= parts == [segment.last.is_some(); 3];
        sound &= segment.least >= if segment.last.is_some() { 2 } else { 1 };
        let SortKind::Pointer(width) = segment.next_of_last.sort().kind() else {
            return Err("the next object is no pointer".into());
        };
        sound &= segment.before_first.is_none_or(|before| before.sort() == segment.next_of_last.sort());
        let links = segment.before.into_iter().chain([segment.next]).map(|at| (at, u64::from(*width / 8)));
        let links: Vec<(u64, u64)> = links.collect();
        sound &= !segment.layouts.is_empty();
        for layout in &segment.layouts {
            let members = layout.iter().map(|(at, member)| match member {
                Member::Same(value) => (*at, bytes(value.sort())),
                Member::Any(sort, _) | Member::Itself(sort, _) => (*at, bytes(*sort)),
            });
            sound &= are_apart(members.chain(links.iter().copied()).collect());
        }
    }
    for region in graph.regions.values() {
        sound &= are_apart(region.fields.iter().map(|(at, value)| (*at, bytes(value.sort()))).collect());
    }
    sound &= graph.ranges.keys().all(|symbol| is_symbol(*symbol) && !identities.contains(symbol) && *symbol != count());
    let mut of_symbols = true;
    map(&mut graph.clone(), &mut |value| {
        of_symbols &= free::variables([value]).into_iter().all(is_symbol);
        value
    });
    if sound && of_symbols { Ok(()) } else { Err("a graph is not well formed".into()) }
}

fn are_apart(mut fields: Vec<(u64, u64)>) -> bool {
    fields.sort_unstable();
    fields.windows(2).all(|pair| pair[0].0.saturating_add(pair[0].1) <= pair[1].0)
}

impl World {
    /// Of which nothing is known.
    pub fn unknown(program: &Program) -> World {
        World::of(&Graph { lost: true, ..Graph::default() }, program)
    }

    pub fn of(graph: &Graph, program: &Program) -> World {
        let mut graph = graph.clone();
        let mut newest = 0;
        let mut terms = Vec::new();
        map(&mut graph, &mut |value| {
            terms.push(value);
            value
        });
        terms.extend(graph.regions.keys().chain(graph.ranges.keys()));
        terms.extend(graph.segments.iter().flat_map(|segment| [Some(segment.first), segment.last]).flatten());
        for symbol in free::variables(terms) {
            if let Op::Var { instance, .. } = symbol.op() {
                newest = newest.max(*instance);
            }
        }
        let demands = graph.ranges.iter().map(|(symbol, ranges)| among(*symbol, ranges)).collect();
        graph.ranges.clear();
        let declares = |variable: Term| program.globals.iter().any(|global| global.term == variable);
        World {
            graph,
            demands,
            known: FxHashMap::default(),
            newest,
            statics: program.objects.len() as u128,
            tells_alive: declares(memory::alive()),
            tells_dynamic: declares(memory::dynamic()),
        }
    }

    pub fn new_symbol(&mut self, sort: Sort) -> Term {
        self.newest += 1;
        Term::var("?", sort).at_instance(self.newest)
    }

    /// Any value; a pointer to anything.
    pub fn arbitrary(&mut self, sort: Sort) -> Term {
        let SortKind::Pointer(width) = sort.kind() else { return self.new_symbol(sort) };
        let object = self.new_symbol(Sort::object());
        term::build::pointer(object, self.new_symbol(Sort::bv(*width)))
    }

    /// The segment that begins or ends with an object.
    pub fn segment_of(&self, identity: Term) -> Option<usize> {
        self.graph.segments.iter().position(|segment| segment.first == identity || segment.last == Some(identity))
    }

    pub fn is_object(&self, identity: Term) -> bool {
        self.graph.regions.contains_key(&identity) || self.segment_of(identity).is_some()
    }

    /// How many dynamic objects live at least, and whether it is just so many.
    pub fn living(&self) -> (u64, bool) {
        let regions = self.graph.regions.values();
        let counting = regions.filter(|region| (region.alive, region.dynamic) == (Some(true), Some(true))).count();
        let lists: Vec<&Segment> = self.graph.segments.iter().filter(|segment| segment.dynamic).collect();
        let least = counting as u64 + lists.iter().map(|segment| segment.least).sum::<u64>();
        (least, lists.is_empty() && !self.graph.lost)
    }

    /// All that symbols must fulfil.
    pub fn condition(&self) -> Vec<Term> {
        let (least, _) = self.living();
        let mut formulas = self.demands.clone();
        let mentions_count = formulas.iter().any(|formula| free::contains(*formula, count()));
        if mentions_count {
            let most = u128::from(memory::FIRST_EXTERNAL);
            formulas
                .push(and([bv_ule(bv(OBJECT_WIDTH, least.into()), count()), bv_ule(count(), bv(OBJECT_WIDTH, most))]));
        }
        formulas
    }

    /// A term in the place of a symbol, everywhere.
    pub fn put(&mut self, symbol: Term, value: Term) {
        let mut of = |term: Term| substitute(term, |part| if part == symbol { Some(value) } else { None });
        map(&mut self.graph, &mut of);
        self.demands.iter_mut().for_each(|demand| *demand = of(*demand));
        self.known = std::mem::take(&mut self.known).into_iter().map(|(known, is)| (of(known), is)).collect();
    }
}
