//! The search through states, breadth first, so that violations are short.
//!
//! States are kept at locations that lie on every cycle. From one of them executions go on edge by edge until they come to the
//! next, in any number of ways; ways that meet in the same state go on as one.

use crate::proof::row;
use crate::state::{Numbering, State};
use crate::trace::Path;
use analysis::live::Live;
use engine::{Progress, Reason, Run};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, Program};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::Term;
use term::build::truth;

/// So many states are kept at most: more would take too much memory, and the check of a proof too long.
const MOST_STATES: usize = 200_000;
/// From one state there are so many ways to the next ones at most.
const MOST_WAYS: usize = 20_000;
/// States, and ways from one of them, have so many values at most.
const MOST_VALUES: usize = 20_000_000;

/// A program on which states are searched.
pub struct Search<'a> {
    pub cfa: &'a Cfa,
    pub variables: Vec<Term>,
    numbering: Numbering,
    live: Vec<Vec<bool>>,
    cuts: FxHashSet<LocId>,
    /// In the order in which they were found.
    pub nodes: Vec<Node>,
    found: FxHashSet<(LocId, Rc<State>)>,
}

/// A state that was kept.
pub struct Node {
    pub location: LocId,
    pub state: Rc<State>,
    /// Where executions came from, and how many others had come from there before. The first comes from itself.
    from: (usize, usize),
}

/// The edges of a way, the last first.
struct Way(EdgeId, Option<Rc<Way>>);

/// Where a way from a kept state ends.
struct Arrival {
    location: LocId,
    state: State,
    way: Option<Rc<Way>>,
}

/// How a search ends.
pub enum End {
    /// There are no other states.
    Closed,
    /// Edges from the entry to a location that must not be reached.
    Reached(LocId, Vec<EdgeId>),
}

impl<'a> Search<'a> {
    /// `cuts` lie on every cycle.
    pub fn new(program: &Program, cfa: &'a Cfa, cuts: &[LocId]) -> Search<'a> {
        let procedure = program.procedure(program.entry);
        let declared = program.globals.iter().chain(&procedure.parameters).chain(&procedure.results);
        let variables: Vec<Term> = declared.chain(&procedure.locals).map(|variable| variable.term).collect();
        let numbering = variables.iter().enumerate().map(|(number, variable)| (*variable, number)).collect();
        let live = Live::new(program, program.entry);
        let lives = |location| variables.iter().map(|variable| live.at(location, *variable)).collect();
        let live = cfa.locations().map(|(location, _)| lives(location)).collect();
        let cuts = cuts.iter().copied().collect();
        Search { cfa, variables, numbering, live, cuts, nodes: Vec::new(), found: FxHashSet::default() }
    }

    pub fn is_live(&self, location: LocId, variable: usize) -> bool {
        self.live[location.0 as usize][variable]
    }

    pub fn run(&mut self, run: &mut Run) -> Result<End, Reason> {
        let entry = self.cfa.entry();
        let first = State::open(&self.variables).settled(|variable| self.is_live(entry, variable));
        self.keep(entry, first, (0, 0));
        let mut next = 0;
        while next < self.nodes.len() {
            let most = MOST_STATES.min(MOST_VALUES / self.variables.len().max(1));
            if self.nodes.len() > most {
                return Err(Reason::NoProgress(format!("there are more than {most} states to visit one by one")));
            }
            let mut arrivals = Vec::new();
            self.expand(next, false, run, &mut |arrival| {
                arrivals.push((arrival.location, arrival.state));
                true
            })?;
            for (turn, (location, state)) in arrivals.into_iter().enumerate() {
                if !is_wrong(self.cfa, location) {
                    self.keep(location, state, (next, turn));
                } else if self.can_be_executed((next, turn), run)? {
                    return Ok(End::Reached(location, self.way_to((next, turn), run)?));
                }
            }
            next += 1;
            run.progress(|| Progress {
                engine: crate::NAME,
                figures: vec![("states", self.nodes.len() as u64), ("expanded", next as u64)],
            });
        }
        Ok(End::Closed)
    }

    fn keep(&mut self, location: LocId, state: State, from: (usize, usize)) {
        let state = Rc::new(state);
        if self.found.insert((location, state.clone())) {
            self.nodes.push(Node { location, state, from });
        }
    }

    /// Tells where executions from a kept state come to, in the same order each time, until `arrived` has heard enough.
    fn expand(
        &self,
        node: usize,
        with_ways: bool,
        run: &mut Run,
        arrived: &mut dyn FnMut(Arrival) -> bool,
    ) -> Result<(), Reason> {
        let Node { location, state, .. } = &self.nodes[node];
        let mut waiting = vec![Arrival { location: *location, state: State::clone(state), way: None }];
        let mut seen: FxHashSet<(LocId, State)> = FxHashSet::default();
        let mut ways = 0;
        while let Some(Arrival { location, state, way }) = waiting.pop() {
            run.tick()?;
            let can_be_taken = |edge: &EdgeId| match &self.cfa.edge(*edge).op {
                Op::Assume(condition) => {
                    let condition = state.value(*condition, &self.numbering);
                    (condition.as_bool() != Some(false)).then_some((*edge, condition))
                }
                _ => Some((*edge, truth())),
            };
            let edges: Vec<(EdgeId, Term)> =
                self.cfa.outgoing(location).iter().rev().filter_map(can_be_taken).collect();
            let last = edges.len().saturating_sub(1);
            let mut state = Some(state);
            for (number, (edge, condition)) in edges.into_iter().enumerate() {
                let to = self.cfa.edge(edge).to;
                let way = with_ways.then(|| Rc::new(Way(edge, way.clone())));
                let before = if number == last { state.take() } else { state.clone() };
                for state in before.into_iter().flat_map(|before| self.after(before, edge, condition)) {
                    let arrival = Arrival { location: to, state, way: way.clone() };
                    if self.cuts.contains(&to) {
                        let state = arrival.state.settled(|variable| self.is_live(to, variable));
                        if !arrived(Arrival { state, ..arrival }) {
                            return Ok(());
                        }
                        ways += 1;
                    } else {
                        waiting.push(arrival);
                    }
                }
            }
            let most = MOST_WAYS.min(MOST_VALUES / self.variables.len().max(1));
            if ways + waiting.len() + seen.len() > most {
                return Err(Reason::NoProgress(format!("more than {most} choices follow one state")));
            }
            // Ways may have met.
            while waiting.len() > 1
                && let Some(Arrival { location, state, way }) = waiting.pop()
            {
                let state = match self.cfa.incoming(location).len() {
                    0 | 1 => state,
                    _ => state.settled(|variable| self.is_live(location, variable)),
                };
                if self.cfa.incoming(location).len() < 2 || seen.insert((location, state.clone())) {
                    waiting.push(Arrival { location, state, way });
                    break;
                }
            }
        }
        Ok(())
    }

    /// The states after an edge that is taken on a condition.
    fn after(&self, mut state: State, edge: EdgeId, condition: Term) -> Vec<State> {
        match &self.cfa.edge(edge).op {
            Op::Assume(_) => return state.assume(condition, true),
            Op::Assign(pairs) => match pairs.as_slice() {
                [(variable, value)] => {
                    state.values[self.numbering[variable]] = state.value(*value, &self.numbering);
                }
                pairs => {
                    let values: Vec<Term> =
                        pairs.iter().map(|(_, value)| state.value(*value, &self.numbering)).collect();
                    for ((variable, _), value) in pairs.iter().zip(values) {
                        state.values[self.numbering[variable]] = value;
                    }
                }
            },
            Op::Havoc(variables) => {
                for variable in variables {
                    state.values[self.numbering[variable]] = state.symbol(variable.sort());
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
            // There are none: see `crate::Explicit`.
            Op::Call { .. } | Op::Spawn { .. } => return Vec::new(),
        }
        vec![state]
    }

    /// Whether executions from a state come to where they come to in their turn, as a solver knows, who sees what states do not
    /// tell on the way.
    fn can_be_executed(&self, (node, turn): (usize, usize), run: &mut Run) -> Result<bool, Reason> {
        let way = self.way_from(node, turn, run)?;
        let Node { location, state, .. } = &self.nodes[node];
        Ok(Path::new(self.cfa, &way, row(self, *location, state)).solved(run)?.is_some())
    }

    /// The edges from the entry to where executions from a state come to in their turn.
    fn way_to(&self, (mut node, mut turn): (usize, usize), run: &mut Run) -> Result<Vec<EdgeId>, Reason> {
        let mut parts = vec![self.way_from(node, turn, run)?];
        while node > 0 {
            (node, turn) = self.nodes[node].from;
            parts.push(self.way_from(node, turn, run)?);
        }
        Ok(parts.into_iter().rev().flatten().collect())
    }

    /// The edges from a state to where executions come to in their turn.
    fn way_from(&self, node: usize, turn: usize, run: &mut Run) -> Result<Vec<EdgeId>, Reason> {
        let (mut arrivals, mut way) = (0, None);
        self.expand(node, true, run, &mut |arrival| {
            arrivals += 1;
            way = arrival.way;
            arrivals <= turn
        })?;
        let mut edges = Vec::new();
        while let Some(link) = way {
            edges.push(link.0);
            way = link.1.clone();
        }
        edges.reverse();
        Ok(edges)
    }
}

/// Whether control must not come to a location.
pub fn is_wrong(cfa: &Cfa, location: LocId) -> bool {
    matches!(cfa.location(location).kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
}
