//! Symbolic memory graphs as a proof: one covers the initial states, and whatever an execution makes of the states of
//! one, up to the next location that has graphs, is covered there; no error location comes before.
//!
//! All is done anew here: operations are executed on `world`s, which are a graph and a path condition, and not, as in
//! the engine, a graph with intervals; `cover` maps a graph of the proof to a world, and what remains to be shown of
//! numbers is asked of a solver.

mod cover;
mod evaluate;
mod execute;
mod world;

use crate::invariants::{Questions, Rejected, is_bad};
use analysis::live::Live;
use cover::coverings;
use engine::shape::{Graph, Region, Segment, Shape};
use ir::{Cfa, LocId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Unknown;
use std::time::Instant;
use term::Term;
use term::build::{and, not};
use world::World;

/// More worlds than this are not followed from one graph.
const MOST_WORLDS: usize = 200_000;

pub fn check(program: &Program, shapes: &[Shape], questions: &Questions<'_>) -> Result<(), Rejected> {
    let Ok(cfa) = &program.procedure(program.entry).body else { return Err(incomplete("the entry has no body")) };
    let mut at: FxHashMap<LocId, Vec<&Graph>> = FxHashMap::default();
    for shape in shapes {
        world::well_formed(&shape.graph, program).map_err(|what| incomplete(&what))?;
        at.entry(shape.location).or_default().push(&shape.graph);
    }
    if is_bad(cfa.location(cfa.entry()).kind) {
        return Err(incomplete("the entry is an error location"));
    }
    keep_objects(program, shapes)?;
    let checker = Checker { cfa, at: &at, questions };
    checker.arrive(World::unknown(program), cfa.entry(), cfa.entry())?;
    for shape in shapes {
        checker.follow(World::of(&shape.graph, program), shape.location)?;
    }
    Ok(())
}

fn incomplete(what: &str) -> Rejected {
    Rejected::NotComplete(what.to_string())
}

/// Where a graph says that no dynamic object is lost, a variable that is read later leads to each that may live. So
/// none is ever lost for good at a location where all graphs say so.
fn keep_objects(program: &Program, shapes: &[Shape]) -> Result<(), Rejected> {
    let live = Live::new(program, program.entry);
    for Shape { location, graph } in shapes.iter().filter(|shape| !shape.graph.lost) {
        let mut stack: Vec<Term> =
            graph.regions.keys().copied().filter(|identity| identity.value().is_some()).collect();
        let read = graph.variables.iter().filter(|(variable, _)| live.at(*location, **variable));
        stack.extend(read.flat_map(|(_, value)| term::free::variables([*value])));
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(symbol) = stack.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            let mut part = Graph::default();
            part.regions.extend(graph.regions.get(&symbol).map(|region| (symbol, region.clone())));
            let is_end = |segment: &&Segment| segment.first == symbol || segment.last == Some(symbol);
            if let Some(segment) = graph.segments.iter().find(is_end) {
                stack.extend(segment.last.into_iter().chain([segment.first]));
                part.segments.push(segment.clone());
            }
            world::map(&mut part, &mut |value| {
                stack.extend(term::free::variables([value]));
                value
            });
        }
        let may_count = |region: &Region| region.alive != Some(false) && region.dynamic != Some(false);
        let mut objects = graph.regions.iter().filter(|(_, region)| may_count(region)).map(|(identity, _)| *identity);
        let mut lists = graph.segments.iter().filter(|segment| segment.dynamic).map(|segment| segment.first);
        if !objects.all(|object| seen.contains(&object)) || !lists.all(|object| seen.contains(&object)) {
            return Err(incomplete("a graph has an object that nothing leads to, and calls no object lost"));
        }
    }
    Ok(())
}

struct Checker<'a> {
    cfa: &'a Cfa,
    at: &'a FxHashMap<LocId, Vec<&'a Graph>>,
    questions: &'a Questions<'a>,
}

impl Checker<'_> {
    /// Executes from a location with graphs up to the next ones.
    fn follow(&self, world: World, from: LocId) -> Result<(), Rejected> {
        let limits = self.questions.limits();
        let (mut open, mut count) = (vec![(from, world, 0)], 0);
        while let Some((location, world, length)) = open.pop() {
            count += 1;
            if length > self.cfa.location_count() {
                // It has come to a location twice.
                match self.is_impossible(&world)? {
                    true => continue,
                    false => return Err(incomplete(&format!("no graph cuts a cycle at location {}", location.0))),
                }
            }
            if count > MOST_WORLDS {
                return Err(Rejected::Undecided(Unknown::Incomplete("there are too many worlds".into())));
            }
            if let Some(why) = limits.stopped(Instant::now()) {
                return Err(Rejected::Undecided(why.into()));
            }
            for edge in self.cfa.outgoing(location) {
                let edge = self.cfa.edge(*edge);
                for after in world.clone().execute(&edge.op).map_err(|what| incomplete(&what))? {
                    if is_bad(self.cfa.location(edge.to).kind) {
                        if !self.is_impossible(&after)? {
                            return Err(Rejected::NotInductive { from, to: edge.to });
                        }
                    } else if self.at.contains_key(&edge.to) {
                        self.arrive(after, from, edge.to)?;
                    } else {
                        open.push((edge.to, after, length + 1));
                    }
                }
            }
        }
        Ok(())
    }

    /// A world is covered by a graph at the location.
    fn arrive(&self, world: World, from: LocId, to: LocId) -> Result<(), Rejected> {
        let graphs = self.at.get(&to).map(Vec::as_slice).unwrap_or_default();
        let mut asked = Vec::new();
        for graph in graphs {
            for left in coverings(&world, graph) {
                if left.is_empty() {
                    return Ok(());
                }
                asked.push(left);
            }
        }
        for left in asked {
            let mut formulas = world.condition();
            formulas.push(not(and(left)));
            if self.questions.contradict(&formulas)? {
                return Ok(());
            }
        }
        if self.is_impossible(&world)? { Ok(()) } else { Err(Rejected::NotInductive { from, to }) }
    }

    fn is_impossible(&self, world: &World) -> Result<bool, Rejected> {
        let formulas: Vec<Term> = world.condition();
        if formulas.is_empty() { Ok(false) } else { self.questions.contradict(&formulas) }
    }
}
