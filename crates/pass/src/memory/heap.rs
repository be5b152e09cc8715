//! The heap as a finite array of objects ("Model Checking Sequential Software Programs Via Mixed Symbolic Analysis",
//! Section 5.3).
//!
//! A place that allocates again and again gets so many *slots*: edges that allocate, of which each is taken at most
//! once, because a counter says which is the next. That is the paper's simple `malloc`; what was freed is not given
//! out again. An object whose size is no constant has a largest size. Executions that need more objects, or larger
//! ones, come to a location of a [`Bound`].
//!
//! Invariant: but for the bounds, the program has just the executions of the program before.

use super::access::{Accesses, Slots, number, sizes_by_identity, stored};
use crate::bound::{Bound, HEAP, OBJECT};
use crate::{EdgeMap, Identity, Passed, starts_threads};
use analysis::points_to::{Foreign, Object, PointsTo};
use ir::memory::SIZE;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::build::{bv, bv_add, bv_ule, bv_ult, eq, not};
use term::{Sort, Term};

/// How large the heap is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    /// How many objects there are of each place that allocates.
    pub objects: u32,
    /// How many bytes an object has at most, if its size is no constant.
    pub bytes: u64,
}

/// The width of the numbers that count objects.
const COUNT_WIDTH: u32 = 16;

/// The places that allocate in a procedure, as far as they are made finite.
#[derive(Default)]
struct Places {
    /// For each edge that is to have slots, what counts its objects.
    repeated: FxHashMap<EdgeId, Term>,
    /// Variables with the identities of objects whose size must be compared with the largest one.
    limited: FxHashSet<Term>,
    /// The edges that allocate objects with such identities.
    of_any_size: FxHashSet<EdgeId>,
}

/// Gives places that allocate again and again slots, and tells which edges are those of slots.
pub fn finite(program: &Program, foreign: Foreign, heap: Heap) -> (Passed, Slots) {
    if starts_threads(program) {
        // Several might take one slot.
        return (Passed { program: program.clone(), lift: Arc::new(Identity) }, Slots::default());
    }
    let points_to = PointsTo::new(program, foreign);
    let accesses = Accesses::collect(program, &points_to, foreign, &Slots::default());
    let (mut result, mut origins, mut slots) = (program.clone(), Vec::new(), Slots::default());
    let mut counters: Vec<Term> = Vec::new();
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else {
            origins.push(Vec::new());
            continue;
        };
        let places = Places::new(id, cfa, &accesses, &mut counters);
        let body = places.with_slots(id, cfa, heap, &mut slots);
        origins.push(body.origins);
        result.procedures[id.0 as usize].body = Ok(Cfa::new(body.locations, body.edges, cfa.entry(), cfa.exit()));
    }
    let declared =
        counters.iter().map(|counter| Variable::internal(counter.name().expect("a variable"), counter.sort()));
    result.globals.extend(declared);
    if !counters.is_empty() {
        begin(&mut result, &counters);
        origins[program.entry.0 as usize].push(None);
    }
    (Passed { program: result, lift: Arc::new(EdgeMap { origins }) }, slots)
}

/// Counts from zero.
fn begin(program: &mut Program, counters: &[Term]) {
    let procedure = &mut program.procedures[program.entry.0 as usize];
    let Ok(cfa) = &procedure.body else { return };
    let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
    locations.push(locations[entry.0 as usize].clone());
    let start = LocId(locations.len() as u32 - 1);
    edges.iter_mut().filter(|edge| edge.from == entry).for_each(|edge| edge.from = start);
    let zeros = counters.iter().map(|counter| (*counter, bv(COUNT_WIDTH, 0))).collect();
    edges.push(Edge { from: entry, to: start, op: Op::Assign(zeros), place: None });
    procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
}

impl Places {
    fn new(id: ProcId, cfa: &Cfa, accesses: &Accesses, counters: &mut Vec<Term>) -> Places {
        let sizes = sizes_by_identity(cfa);
        let mut found = Places::default();
        for (edge, _) in cfa.edges() {
            let Some(site) = accesses.sites.get(&Object::Site(id, edge)) else { continue };
            // Of what size its objects are must be told in one place, and they must be told apart.
            let Some(size) = sizes.get(&site.variable).copied().flatten() else { continue };
            if !site.is_single {
                let counter = Term::var(format!("$allocated{}", counters.len()).as_str(), Sort::bv(COUNT_WIDTH));
                counters.push(counter);
                found.repeated.insert(edge, counter);
            }
            if number(size).is_none() {
                found.limited.insert(site.variable);
                found.of_any_size.insert(edge);
            }
        }
        found
    }

    /// The procedure's body with slots.
    fn with_slots(&self, id: ProcId, cfa: &Cfa, heap: Heap, slots: &mut Slots) -> Body {
        let (locations, old, ..) = cfa.clone().into_parts();
        let mut body = Body { locations, edges: Vec::new(), origins: Vec::new() };
        for (mut edge, number) in old.into_iter().zip(0..) {
            let edge_id = EdgeId(number);
            let limit = self.of_any_size.contains(&edge_id).then_some(heap.bytes);
            let mut copy = |body: &mut Body, edge: Edge| {
                let copy = (id, body.edge(edge, Some((id, edge_id))));
                slots.bytes.extend(limit.map(|bytes| (copy, bytes)));
                copy
            };
            if let (Some(counter), Op::Assign(pairs)) = (self.repeated.get(&edge_id), &edge.op) {
                let count = |number: u32| bv(COUNT_WIDTH, number.into());
                let next = (*counter, bv_add(*counter, count(1)));
                let op = Op::Assign(pairs.iter().copied().chain([next]).collect());
                for slot in 0..heap.objects {
                    let from = body.assume(&edge, eq(*counter, count(slot)));
                    let taken = copy(&mut body, Edge { from, op: op.clone(), ..edge.clone() });
                    slots.once.insert(taken);
                }
                let has_room = bv_ult(*counter, count(heap.objects));
                body.leave(&edge, not(has_room), Bound { name: HEAP, number: heap.objects.into() });
                continue;
            }
            let told = stored(&edge.op).find(|(map, identity, _)| *map == SIZE && self.limited.contains(identity));
            if let Some((_, _, size)) = told {
                let fits = bv_ule(size, bv(size.sort().bv_width().unwrap_or(64), heap.bytes.into()));
                body.leave(&edge, not(fits), Bound { name: OBJECT, number: heap.bytes });
                edge.from = body.assume(&edge, fits);
            }
            copy(&mut body, edge);
        }
        body
    }
}

/// A body as it is being made.
struct Body {
    locations: Vec<Location>,
    edges: Vec<Edge>,
    origins: Vec<Option<(ProcId, EdgeId)>>,
}

impl Body {
    fn edge(&mut self, edge: Edge, origin: Option<(ProcId, EdgeId)>) -> EdgeId {
        self.edges.push(edge);
        self.origins.push(origin);
        EdgeId(self.edges.len() as u32 - 1)
    }

    fn step(&mut self, edge: &Edge, condition: Term, to: Location) -> LocId {
        self.locations.push(to);
        let to = LocId(self.locations.len() as u32 - 1);
        self.edge(Edge { to, op: Op::Assume(condition), ..edge.clone() }, None);
        to
    }

    /// A location before an edge, where a condition holds.
    fn assume(&mut self, edge: &Edge, condition: Term) -> LocId {
        self.step(edge, condition, Location { kind: LocationKind::Plain, label: None, place: edge.place })
    }

    /// Where the condition holds before an edge, the bound is left.
    fn leave(&mut self, edge: &Edge, condition: Term, bound: Bound) {
        self.step(edge, condition, bound.location(edge.place));
    }
}
