//! The fixpoint: graphs at locations, until all that executions make of them is covered by others.

use crate::embed::embeds;
use crate::fold::Precision;
use crate::join::{canonical, form, join};
use crate::state::{About, State};
use analysis::live::Live;
use analysis::retreating::heads;
use engine::shape::Shape;
use engine::{Progress, Reason, Run};
use ir::{Cfa, LocId, LocationKind, Op, Program, memory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::Term;

/// So many graphs of one form stand beside each other at a location before they are joined,
const MOST_ALIKE: usize = 6;
/// and so often, before what still grows may be anything.
const MOST_JOINS: usize = 2;
/// A graph with more objects is too large.
const MOST_OBJECTS: usize = 30;

/// Why no proof was found.
pub enum Failed {
    /// A location that must not be reached may be reached.
    Reached(LocId),
    /// Graphs become too many or too large.
    TooMany,
    /// There is no hope with another precision.
    Reason(Reason),
}

impl From<Reason> for Failed {
    fn from(reason: Reason) -> Failed {
        Failed::Reason(reason)
    }
}

/// A graph at a location.
struct Node {
    location: LocId,
    state: State,
    form: u64,
    is_covered: bool,
}

pub struct Search<'a> {
    cfa: &'a Cfa,
    about: About,
    live: Live,
    heads: FxHashSet<LocId>,
    /// Where graphs are kept: heads of loops, and where branches meet.
    kept: FxHashSet<LocId>,
    /// In which order locations come.
    places: Vec<usize>,
    /// Variables that only ever get constants.
    flags: FxHashSet<Term>,
    precision: Precision,
    most_graphs: usize,
    nodes: Vec<Node>,
    at: FxHashMap<LocId, Vec<usize>>,
    joins: FxHashMap<(LocId, u64), usize>,
    waiting: BTreeSet<(usize, usize)>,
}

impl<'a> Search<'a> {
    pub fn new(program: &'a Program, cfa: &'a Cfa, precision: Precision, most_graphs: usize) -> Search<'a> {
        let heads: FxHashSet<LocId> = heads(cfa).into_iter().collect();
        let meets = cfa.locations().map(|(id, _)| id).filter(|id| cfa.incoming(*id).len() > 1);
        let mut kept: FxHashSet<LocId> = heads.iter().copied().chain(meets).collect();
        kept.insert(cfa.entry());
        let declares = |variable: Term| program.globals.iter().any(|global| global.term == variable);
        let about = About {
            statics: program.objects.len() as u32,
            tells_alive: declares(memory::alive()),
            tells_dynamic: declares(memory::dynamic()),
        };
        Search {
            cfa,
            about,
            live: Live::new(program, program.entry),
            heads,
            kept,
            places: places(cfa),
            flags: flags(cfa),
            precision,
            most_graphs,
            nodes: Vec::new(),
            at: FxHashMap::default(),
            joins: FxHashMap::default(),
            waiting: BTreeSet::new(),
        }
    }

    /// Graphs that cover all executions, none of which reaches an error.
    pub fn run(&mut self, run: &mut Run) -> Result<Vec<Shape>, Failed> {
        self.add(self.cfa.entry(), State::start(self.about))?;
        while let Some((_, number)) = self.waiting.pop_first() {
            if self.nodes[number].is_covered {
                continue;
            }
            run.tick()?;
            if self.nodes.len() > self.most_graphs {
                return Err(Failed::TooMany);
            }
            let (graphs, waiting) = (self.nodes.len() as u64, self.waiting.len() as u64);
            let figures = vec![("graphs", graphs), ("waiting", waiting)];
            run.progress(|| Progress { engine: crate::NAME, figures });
            let node = &self.nodes[number];
            self.follow(node.location, node.state.clone())?;
        }
        let kept = self.nodes.iter().filter(|node| !node.is_covered);
        Ok(kept.map(|node| Shape { location: node.location, graph: node.state.graph.clone() }).collect())
    }

    /// How many graphs there were.
    pub fn graphs(&self) -> usize {
        self.nodes.len()
    }

    /// Executes from a location to the next ones where graphs are kept.
    fn follow(&mut self, location: LocId, state: State) -> Result<(), Failed> {
        let mut open = vec![(location, state)];
        while let Some((location, state)) = open.pop() {
            for edge in self.cfa.outgoing(location) {
                let edge = self.cfa.edge(*edge);
                let refused = |what: String| {
                    let place = edge.place.map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
                    Failed::Reason(Reason::NoProgress(format!("{} cannot follow {what}{place}", crate::NAME)))
                };
                for state in state.clone().execute(&edge.op).map_err(refused)? {
                    if matches!(self.cfa.location(edge.to).kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
                    {
                        return Err(Failed::Reached(edge.to));
                    }
                    if self.kept.contains(&edge.to) {
                        self.add(edge.to, state)?;
                    } else if !self.cfa.outgoing(edge.to).is_empty() {
                        open.push((edge.to, state));
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps a state at a location, unless it is covered there.
    fn add(&mut self, location: LocId, mut state: State) -> Result<(), Failed> {
        let live = &self.live;
        state.graph.variables.retain(|variable, _| live.at(location, *variable));
        state.collect_garbage();
        if self.heads.contains(&location) {
            state.flatten();
            state.fold(self.precision);
            state.collect_garbage();
        }
        let made = state.graph.regions.keys().filter(|identity| identity.value().is_none());
        if made.count() + state.graph.segments.len() > MOST_OBJECTS {
            return Err(Failed::TooMany);
        }
        let mut state = canonical(&state);
        let there = self.at.get(&location).cloned().unwrap_or_default();
        if there.iter().any(|number| embeds(&state, &self.nodes[*number].state)) {
            return Ok(());
        }
        let flags = &self.flags;
        let is_flag = |variable: Term| flags.contains(&variable);
        let mut key = hashed(&form(&state, &is_flag).0);
        if self.heads.contains(&location) {
            let alike: Vec<usize> = there.iter().copied().filter(|number| self.nodes[*number].form == key).collect();
            if alike.len() >= MOST_ALIKE || self.joins.contains_key(&(location, key)) && !alike.is_empty() {
                let joins = self.joins.entry((location, key)).or_insert(0);
                *joins += 1;
                let widened = *joins > MOST_JOINS;
                for number in alike {
                    state = join(&self.nodes[number].state, &state, &is_flag, widened);
                }
                state = canonical(&state);
                key = hashed(&form(&state, &is_flag).0);
            }
        }
        let nodes = &mut self.nodes;
        let covered: Vec<usize> =
            there.iter().copied().filter(|number| embeds(&nodes[*number].state, &state)).collect();
        covered.iter().for_each(|number| nodes[*number].is_covered = true);
        let here = self.at.entry(location).or_default();
        here.retain(|number| !covered.contains(number));
        here.push(nodes.len());
        self.waiting.insert((self.places[location.0 as usize], nodes.len()));
        nodes.push(Node { location, state, form: key, is_covered: false });
        Ok(())
    }
}

fn hashed(text: &str) -> u64 {
    use std::hash::BuildHasher;
    rustc_hash::FxBuildHasher.hash_one(text)
}

/// Variables that only ever get constants.
fn flags(cfa: &Cfa) -> FxHashSet<Term> {
    let mut flags: FxHashSet<Term> = FxHashSet::default();
    let mut others: FxHashSet<Term> = FxHashSet::default();
    for (_, edge) in cfa.edges() {
        match &edge.op {
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    if value.value().is_some() {
                        flags.insert(*variable)
                    } else {
                        others.insert(*variable)
                    };
                }
            }
            op => others.extend(op.writes()),
        }
    }
    flags.retain(|variable| !others.contains(variable));
    flags
}

/// The places of locations in reverse post-order.
fn places(cfa: &Cfa) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::from_iter([cfa.entry()]);
    let mut stack = vec![(cfa.entry(), 0)];
    while let Some((location, next)) = stack.last_mut() {
        match cfa.outgoing(*location).get(*next) {
            Some(edge) => {
                *next += 1;
                let to = cfa.edge(*edge).to;
                if seen.insert(to) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*location);
                stack.pop();
            }
        }
    }
    let mut places = vec![usize::MAX; cfa.location_count()];
    order.iter().rev().enumerate().for_each(|(place, location)| places[location.0 as usize] = place);
    places
}
