//! Control-flow automata: locations, edges and the operations on them.

use crate::{ProcId, PropertyId};
use source::{Place, Symbol};
use term::Term;

/// A location's number inside its procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocId(pub u32);

/// An edge's number inside its procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

/// What reaching a location means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    Plain,
    /// The property is violated.
    Error(PropertyId),
    /// The program as a whole ends here (`exit`, `abort`).
    End,
    /// Here stands something that Fathom does not support: what it is. If it can be reached, nothing is known of what follows.
    Unsupported(Symbol),
}

/// A point of control.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    pub kind: LocationKind,
    /// The label that the user gave to this point.
    pub label: Option<Symbol>,
    pub place: Option<Place>,
}

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Variables and the terms whose values they take, all at once. Empty: nothing happens.
    Assign(Vec<(Term, Term)>),
    /// The edge can be taken only where the formula holds.
    Assume(Term),
    /// The variables take arbitrary values.
    Havoc(Vec<Term>),
    /// The callee's results are assigned to the variables, all at once.
    Call {
        procedure: ProcId,
        arguments: Vec<Term>,
        results: Vec<Term>,
    },
    /// Starts a thread; `thread` takes its number. The first thread has the number 0, others count from 1.
    Spawn {
        procedure: ProcId,
        arguments: Vec<Term>,
        thread: Term,
    },
    /// Until the matching end, no other thread runs. Sections nest.
    AtomicBegin,
    AtomicEnd,
}

impl Op {
    /// The operation that does nothing.
    pub fn skip() -> Op {
        Op::Assign(Vec::new())
    }

    pub fn assign(variable: Term, value: Term) -> Op {
        Op::Assign(vec![(variable, value)])
    }

    /// The terms that it evaluates; not what a procedure does that it calls or starts.
    pub fn reads(&self) -> Vec<Term> {
        match self {
            Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
            Op::Assume(condition) => vec![*condition],
            Op::Call { arguments, .. } | Op::Spawn { arguments, .. } => arguments.clone(),
            Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        }
    }

    /// The variables that it changes; not what a procedure does that it calls or starts.
    pub fn writes(&self) -> Vec<Term> {
        match self {
            Op::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
            Op::Havoc(variables) | Op::Call { results: variables, .. } => variables.clone(),
            Op::Spawn { thread, .. } => vec![*thread],
            Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        }
    }

    /// All terms in it: values that are read and variables that are changed.
    pub fn terms(&self) -> Vec<Term> {
        [self.reads(), self.writes()].concat()
    }

    /// The same operation with other terms in the place of its own.
    pub fn with_terms(&self, new: &mut dyn FnMut(Term) -> Term) -> Op {
        let mut all = |terms: &[Term]| terms.iter().map(|term| new(*term)).collect();
        match self {
            Op::Assign(pairs) => {
                Op::Assign(pairs.iter().map(|(variable, value)| (new(*variable), new(*value))).collect())
            }
            Op::Assume(condition) => Op::Assume(new(*condition)),
            Op::Havoc(variables) => Op::Havoc(all(variables)),
            Op::Call { procedure, arguments, results } => {
                Op::Call { procedure: *procedure, arguments: all(arguments), results: all(results) }
            }
            Op::Spawn { procedure, arguments, thread } => {
                Op::Spawn { procedure: *procedure, arguments: all(arguments), thread: new(*thread) }
            }
            Op::AtomicBegin => Op::AtomicBegin,
            Op::AtomicEnd => Op::AtomicEnd,
        }
    }
}

/// A step from one location to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    pub from: LocId,
    pub to: LocId,
    pub op: Op,
    pub place: Option<Place>,
}

/// A control-flow automaton.
///
/// Laws: no edge leads to `entry`; no edge leaves `exit` or a location that is not plain; `exit` is plain; `entry` is
/// not `exit`. A location that no edge leaves, other than `exit`, is where an execution silently stops: it is blocked.
#[derive(Clone, PartialEq, Debug)]
pub struct Cfa {
    locations: Vec<Location>,
    edges: Vec<Edge>,
    entry: LocId,
    exit: LocId,
    outgoing: Adjacency,
    incoming: Adjacency,
}

/// Edge numbers grouped by location: one flat list and where each location's part of it starts.
#[derive(Clone, PartialEq, Debug)]
struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl Adjacency {
    fn new(locations: usize, edges: &[Edge], end: impl Fn(&Edge) -> LocId) -> Adjacency {
        let mut starts = vec![0; locations + 1];
        for edge in edges {
            starts[end(edge).0 as usize + 1] += 1;
        }
        for i in 0..locations {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut sorted = vec![EdgeId(0); edges.len()];
        for (i, edge) in edges.iter().enumerate() {
            let slot = &mut next[end(edge).0 as usize];
            sorted[*slot as usize] = EdgeId(i as u32);
            *slot += 1;
        }
        Adjacency { starts, edges: sorted }
    }

    fn of(&self, location: LocId) -> &[EdgeId] {
        let i = location.0 as usize;
        &self.edges[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

impl Cfa {
    /// # Panics
    /// If an edge, `entry` or `exit` names a location that there is not.
    pub fn new(locations: Vec<Location>, edges: Vec<Edge>, entry: LocId, exit: LocId) -> Cfa {
        let n = locations.len();
        assert!((entry.0 as usize) < n && (exit.0 as usize) < n, "entry or exit is not a location");
        let outgoing = Adjacency::new(n, &edges, |edge| edge.from);
        let incoming = Adjacency::new(n, &edges, |edge| edge.to);
        Cfa { locations, edges, entry, exit, outgoing, incoming }
    }

    pub fn entry(&self) -> LocId {
        self.entry
    }

    pub fn exit(&self) -> LocId {
        self.exit
    }

    pub fn location(&self, id: LocId) -> &Location {
        &self.locations[id.0 as usize]
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    pub fn locations(&self) -> impl Iterator<Item = (LocId, &Location)> {
        self.locations.iter().enumerate().map(|(i, location)| (LocId(i as u32), location))
    }

    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(i, edge)| (EdgeId(i as u32), edge))
    }

    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges that leave a location, in the order they were given.
    pub fn outgoing(&self, location: LocId) -> &[EdgeId] {
        self.outgoing.of(location)
    }

    /// The edges that lead to a location, in the order they were given.
    pub fn incoming(&self, location: LocId) -> &[EdgeId] {
        self.incoming.of(location)
    }

    /// The parts, to be changed and put together again with [`Cfa::new`].
    pub fn into_parts(self) -> (Vec<Location>, Vec<Edge>, LocId, LocId) {
        (self.locations, self.edges, self.entry, self.exit)
    }
}

/// Makes a [`Cfa`] location by location. It starts with the entry and the exit.
#[derive(Debug)]
pub struct CfaBuilder {
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

impl CfaBuilder {
    pub const ENTRY: LocId = LocId(0);
    pub const EXIT: LocId = LocId(1);

    pub fn new(entry: Option<Place>, exit: Option<Place>) -> CfaBuilder {
        let plain = |place| Location { kind: LocationKind::Plain, label: None, place };
        CfaBuilder { locations: vec![plain(entry), plain(exit)], edges: Vec::new() }
    }

    pub fn location(&mut self, place: Option<Place>) -> LocId {
        self.special(LocationKind::Plain, place)
    }

    pub fn special(&mut self, kind: LocationKind, place: Option<Place>) -> LocId {
        self.locations.push(Location { kind, label: None, place });
        LocId(self.locations.len() as u32 - 1)
    }

    pub fn set_label(&mut self, location: LocId, label: Symbol) {
        self.locations[location.0 as usize].label = Some(label);
    }

    pub fn edge(&mut self, from: LocId, op: Op, to: LocId, place: Option<Place>) -> EdgeId {
        self.edges.push(Edge { from, to, op, place });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// An edge to a new location, which is returned.
    pub fn step(&mut self, from: LocId, op: Op, place: Option<Place>) -> LocId {
        let to = self.location(place);
        self.edge(from, op, to, place);
        to
    }

    pub fn finish(self) -> Cfa {
        Cfa::new(self.locations, self.edges, CfaBuilder::ENTRY, CfaBuilder::EXIT)
    }
}
