//! The tabulation procedure (Section 4) as a worklist of path edges, with summary edges (Reps, Horwitz and Sagiv).
//!
//! Delta is a table of path edges for each location. A *node* is a disjunct that was added to it, and knows which
//! rule made it of which other nodes, so that a trace can be read off. The five rules are in [`crate::rules`].
//!
//! Order: the paper leaves open which vertex comes next. Here a loop comes before what follows it, in a weak
//! topological order, callees come before callers, and of the nodes at a location the newest comes first.
//!
//! Deviations: a location between branches keeps no table, unless the program has calls: its nodes are passed on at
//! once. The values of variables that are not live are left out. The entry valuations of a procedure that nothing
//! calls are left out as well: nothing returns from it.

use crate::accelerate::{Accelerations, Cycle};
use crate::adlc::{Adlc, Arithmetic};
use crate::disjunct::{Disjunct, Outcome};
use crate::program::{Body, LinearProgram};
use crate::slips::{self, Slip};
use engine::{Reason, Run};
use ir::{Cfa, EdgeId, LocId, LocationKind, ProcId, Program};
use sets::Stop;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of a node.
pub type NodeId = usize;

/// How a node was made.
#[derive(Clone, Debug)]
pub enum From {
    /// The first one.
    Start,
    /// An edge was taken, with these decisions of atomic conditions.
    Step { node: NodeId, edge: EdgeId, outcomes: Rc<[Outcome]> },
    /// A call was made at a node.
    Enter { node: NodeId, edge: EdgeId },
    /// A call at a node returned, from a node at the callee's exit.
    Return { node: NodeId, edge: EdgeId, exit: NodeId },
    /// A cycle was taken any number of times, but at least once.
    Accelerated { node: NodeId, cycle: Rc<Cycle> },
}

impl From {
    /// The node before, in the same procedure unless a call was made.
    pub fn before(&self) -> Option<NodeId> {
        match self {
            From::Start => None,
            From::Step { node, .. }
            | From::Enter { node, .. }
            | From::Return { node, .. }
            | From::Accelerated { node, .. } => Some(*node),
        }
    }
}

/// A disjunct of Delta at a location.
pub struct Node {
    pub procedure: ProcId,
    pub location: LocId,
    pub disjunct: Rc<Disjunct>,
    pub from: From,
}

/// Which over-approximations and short cuts are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Helpers {
    /// Cycles that only count are taken any number of times at once. Exact.
    pub acceleration: bool,
}

/// How a search ended.
pub enum End {
    /// Delta is closed under the rules, and has no error location.
    Closed,
    /// This node is at an error location or at something that is not supported.
    Reached(NodeId),
}

/// Why a search ended without a result.
#[derive(Debug)]
pub struct Halt(pub Reason);

impl std::convert::From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt(match stop {
            Stop::Exceeded(exceeded) => exceeded.into(),
            Stop::Full => Reason::Memory,
            Stop::Library(what) => Reason::NotAttempted(format!("Presburger sets: {what}")),
        })
    }
}

/// Delta, and what remains to be done.
pub struct Table<'a> {
    pub program: &'a Program,
    pub linear: &'a LinearProgram,
    pub arithmetic: Arithmetic,
    pub nodes: Vec<Node>,
    /// For each procedure and location.
    pub edges: Vec<Vec<Adlc>>,
    /// For each procedure the nodes at calls of it, and the nodes at its exit: the summary edges.
    pub calls: Vec<Vec<(NodeId, EdgeId)>>,
    pub exits: Vec<Vec<NodeId>>,
    pub helpers: Helpers,
    pub accelerations: Accelerations,
    /// How often something became `u` of which the program says more.
    pub approximated: usize,
    pending: BTreeMap<(usize, usize), Vec<NodeId>>,
    /// For each procedure its place in an order in which callees come first.
    ranks: Vec<usize>,
    bad: Option<NodeId>,
}

impl<'a> Table<'a> {
    pub fn new(program: &'a Program, linear: &'a LinearProgram, arithmetic: Arithmetic, helpers: Helpers) -> Table<'a> {
        let count = program.procedures.len();
        let locations = |procedure: &ir::Procedure| {
            let count = procedure.body.as_ref().map_or(0, Cfa::location_count);
            (0..count).map(|_| Adlc::default()).collect()
        };
        Table {
            program,
            linear,
            arithmetic,
            nodes: Vec::new(),
            edges: program.procedures.iter().map(locations).collect(),
            calls: vec![Vec::new(); count],
            exits: vec![Vec::new(); count],
            helpers,
            accelerations: Accelerations::default(),
            approximated: 0,
            pending: BTreeMap::new(),
            ranks: ranks(program),
            bad: None,
        }
    }

    pub fn body(&self, procedure: ProcId) -> Result<(&'a Cfa, &'a Body), Halt> {
        match (&self.program.procedure(procedure).body, &self.linear.bodies[procedure.0 as usize]) {
            (Ok(cfa), Some(body)) => Ok((cfa, body)),
            _ => Err(Halt(Reason::NotAttempted("the entry has no body".into()))),
        }
    }

    /// Applies the rules until nothing new comes or an error location is reached.
    pub fn close(&mut self, run: &mut Run) -> Result<End, Halt> {
        self.start()?;
        while let Some(node) = self.next() {
            run.tick().map_err(Halt)?;
            self.successors(node)?;
            if let Some(bad) = self.bad {
                return Ok(End::Reached(bad));
            }
        }
        Ok(End::Closed)
    }

    /// Delta^0: the identity at the entry.
    fn start(&mut self) -> Result<(), Halt> {
        let entry = self.program.entry;
        let (cfa, body) = self.body(entry)?;
        let mut disjunct = Disjunct::identity(body.entry(), body.variables.len());
        if !body.is_called {
            disjunct.entry.iter_mut().for_each(|value| *value = None);
        }
        if slips::is(Slip::IdentityEverywhere) {
            for (location, _) in cfa.locations() {
                self.add(entry, location, disjunct.clone(), From::Start)?;
            }
        }
        self.add(entry, cfa.entry(), disjunct, From::Start)
    }

    fn next(&mut self) -> Option<NodeId> {
        loop {
            let mut first = self.pending.first_entry()?;
            let node = first.get_mut().pop();
            if first.get().is_empty() {
                first.remove();
            }
            let Some(node) = node else { continue };
            let Node { procedure, location, .. } = self.nodes[node];
            // Who subsumes it goes on in its place.
            if !self.edges[procedure.0 as usize][location.0 as usize].is_subsumed(node) {
                return Some(node);
            }
        }
    }

    /// Adds path edges to those of a location, unless they are there.
    pub fn add(&mut self, procedure: ProcId, location: LocId, disjunct: Disjunct, from: From) -> Result<(), Halt> {
        let Some(node) = self.place(procedure, location, disjunct, from)? else { return Ok(()) };
        let (_, body) = self.body(procedure)?;
        if body.heads.contains(&location) && self.helpers.acceleration {
            for (disjunct, cycle) in self.accelerated(node)? {
                self.place(procedure, location, disjunct, From::Accelerated { node, cycle })?;
            }
        }
        Ok(())
    }

    /// The number of the node, if it is new.
    fn place(
        &mut self,
        procedure: ProcId,
        location: LocId,
        mut disjunct: Disjunct,
        from: From,
    ) -> Result<Option<NodeId>, Halt> {
        let (cfa, body) = self.body(procedure)?;
        let kind = cfa.location(location).kind;
        for (value, live) in disjunct.values.iter_mut().zip(&body.live[location.0 as usize]) {
            if !live {
                *value = None;
            }
        }
        if !disjunct.tidy() {
            return Ok(None);
        }
        disjunct.outcomes.clear();
        let node = self.nodes.len();
        let disjunct = Rc::new(disjunct);
        if body.kept[location.0 as usize] {
            let known = &mut self.edges[procedure.0 as usize][location.0 as usize];
            if !known.join(node, disjunct.clone(), &mut self.arithmetic)? {
                return Ok(None);
            }
        }
        self.nodes.push(Node { procedure, location, disjunct, from });
        match kind {
            LocationKind::Error(_) | LocationKind::Unsupported(_) => self.bad = self.bad.or(Some(node)),
            LocationKind::End => {}
            LocationKind::Plain => {
                let place = (self.ranks[procedure.0 as usize], body.order[location.0 as usize]);
                self.pending.entry(place).or_default().push(node);
            }
        }
        Ok(Some(node))
    }

    /// How many path edges, as disjuncts, Delta has.
    pub fn disjuncts(&self) -> usize {
        self.edges.iter().flatten().map(|adlc| adlc.disjuncts.len()).sum()
    }
}

/// For each procedure its place in a depth-first order, callees first.
fn ranks(program: &Program) -> Vec<usize> {
    fn visit(program: &Program, id: ProcId, ranks: &mut [Option<usize>], next: &mut usize, seen: &mut [bool]) {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            return;
        }
        for (_, edge) in program.procedure(id).body.iter().flat_map(Cfa::edges) {
            if let ir::Op::Call { procedure, .. } = &edge.op {
                visit(program, *procedure, ranks, next, seen);
            }
        }
        ranks[id.0 as usize] = Some(*next);
        *next += 1;
    }
    let count = program.procedures.len();
    let (mut ranks, mut seen, mut next) = (vec![None; count], vec![false; count], 0);
    visit(program, program.entry, &mut ranks, &mut next, &mut seen);
    ranks.into_iter().map(|rank| rank.unwrap_or(count)).collect()
}
