//! The program as the search sees it: what edges read and write, what a thread may still do, and which variables are active.
//!
//! Variables have numbers: those that threads share, and those of a thread, which are its own copies of thread-local globals and
//! then the parameters, results and locals of its procedure. Numbers of threads are no Booleans and are not kept: nobody may read
//! them.

use crate::bits::Bits;
use engine::Reason;
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use source::{Place, Symbol};
use term::{Op as TermOp, SortKind, Term, Value};

/// Where a variable's value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    Shared(usize),
    Own(usize),
}

/// What an edge or a piece of code touches of the shared variables.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    pub reads: Bits,
    pub writes: Bits,
}

impl Effects {
    fn extend(&mut self, other: &Effects) -> bool {
        let reads = self.reads.extend(&other.reads);
        self.writes.extend(&other.writes) || reads
    }

    /// Whether the order matters in which this and the other are executed.
    pub fn conflicts(&self, other: &Effects) -> bool {
        self.writes.intersects(&other.reads)
            || self.writes.intersects(&other.writes)
            || self.reads.intersects(&other.writes)
    }
}

/// What is known about a location.
#[derive(Clone, Default, Debug)]
pub struct Point {
    /// What the edges that leave here touch.
    pub now: Effects,
    /// What a thread here may still touch, and the threads that it may start.
    pub future: Effects,
    /// A thread's own variables whose values may still be read.
    pub own_active: Bits,
    /// Shared variables that a thread, or one that it starts, may read before it writes them.
    pub shared_active: Bits,
    /// Whether an edge that leaves here stops others, or starts threads without end: such a step commutes with nothing.
    pub is_global: bool,
    pub edges: Vec<EdgeId>,
}

/// A procedure that threads run.
pub struct Graph<'a> {
    pub cfa: &'a Cfa,
    pub slots: FxHashMap<Term, Slot>,
    /// The thread's own variables, by their numbers.
    pub own: Vec<Term>,
    /// The numbers of the parameters.
    pub parameters: Vec<usize>,
    pub points: Vec<Point>,
}

pub struct Code<'a> {
    pub program: &'a Program,
    pub shared: Vec<Term>,
    pub graphs: Vec<Graph<'a>>,
    /// Whether threads may be started without end.
    pub is_unbounded: bool,
}

fn unsupported(what: &str, place: Option<Place>) -> Reason {
    Reason::Unsupported { what: Symbol::new(what), place }
}

impl<'a> Code<'a> {
    /// Prepares a program without calls, or says what in it is not Boolean.
    pub fn new(program: &'a Program) -> Result<Code<'a>, Reason> {
        if !program.axioms.is_empty() {
            return Err(unsupported("axioms in a Boolean program", None));
        }
        let is_boolean = |term: &Term| *term.sort().kind() == SortKind::Bool;
        let globals = |local: bool| program.globals.iter().filter(move |global| global.thread_local == local);
        let shared: Vec<Term> = globals(false).map(|global| global.term).filter(is_boolean).collect();
        let thread_local: Vec<Term> = globals(true).map(|global| global.term).filter(is_boolean).collect();
        let mut graphs = Vec::new();
        for procedure in &program.procedures {
            let Ok(cfa) = &procedure.body else {
                return Err(unsupported("a thread without a body", procedure.place));
            };
            let declared = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals);
            let declared = declared.map(|variable| variable.term).filter(is_boolean);
            let own: Vec<Term> = thread_local.iter().copied().chain(declared).collect();
            let mut slots: FxHashMap<Term, Slot> =
                shared.iter().enumerate().map(|(i, v)| (*v, Slot::Shared(i))).collect();
            slots.extend(own.iter().enumerate().map(|(i, v)| (*v, Slot::Own(i))));
            let parameters = procedure.parameters.iter().map(|parameter| match slots.get(&parameter.term) {
                Some(Slot::Own(number)) => Ok(*number),
                _ => Err(unsupported("a parameter that is not Boolean", parameter.place)),
            });
            let parameters = parameters.collect::<Result<Vec<usize>, Reason>>()?;
            graphs.push(Graph { cfa, slots, own, parameters, points: vec![Point::default(); cfa.location_count()] });
        }
        let mut code = Code { program, shared, graphs, is_unbounded: false };
        code.check()?;
        code.effects();
        code.futures();
        code.activity();
        code.global_steps();
        Ok(code)
    }

    pub fn graph(&self, procedure: ProcId) -> &Graph<'a> {
        &self.graphs[procedure.0 as usize]
    }

    pub fn point(&self, procedure: ProcId, location: LocId) -> &Point {
        &self.graph(procedure).points[location.0 as usize]
    }

    pub fn edge(&self, procedure: ProcId, edge: EdgeId) -> &'a ir::Edge {
        self.graph(procedure).cfa.edge(edge)
    }

    /// Whether the program ends as a whole when a thread comes here.
    pub fn ends_program(&self, procedure: ProcId, location: LocId) -> bool {
        let cfa = self.graph(procedure).cfa;
        cfa.location(location).kind == LocationKind::End || (procedure == self.program.entry && location == cfa.exit())
    }

    /// Whether a thread that comes here has nothing left to do.
    pub fn is_over(&self, procedure: ProcId, location: LocId) -> bool {
        let cfa = self.graph(procedure).cfa;
        cfa.location(location).kind == LocationKind::Plain && cfa.outgoing(location).is_empty()
    }

    /// Refuses what is not about Booleans.
    fn check(&self) -> Result<(), Reason> {
        for graph in &self.graphs {
            for (_, edge) in graph.cfa.edges() {
                let terms = match &edge.op {
                    Op::Call { .. } => return Err(Reason::Internal("a call is left".to_string())),
                    // The number that the thread gets may be an integer.
                    Op::Spawn { arguments, .. } => arguments.clone(),
                    op => op.terms(),
                };
                for node in term::visit::post_order(terms) {
                    let is_fine = match node.op() {
                        TermOp::Var { .. } => graph.slots.contains_key(&node),
                        TermOp::Const(value) => matches!(value, Value::Bool(_)),
                        TermOp::Not
                        | TermOp::And
                        | TermOp::Or
                        | TermOp::Implies
                        | TermOp::Xor
                        | TermOp::Eq
                        | TermOp::Ite => *node.sort().kind() == SortKind::Bool,
                        _ => false,
                    };
                    if !is_fine {
                        return Err(unsupported("values that are not Boolean", edge.place));
                    }
                }
            }
        }
        Ok(())
    }

    /// What each location's edges touch of the shared variables.
    fn effects(&mut self) {
        for graph in &mut self.graphs {
            for (id, edge) in graph.cfa.edges() {
                let (reads, writes) = (edge.op.reads(), edge.op.writes());
                let point = &mut graph.points[edge.from.0 as usize];
                point.edges.push(id);
                for variable in term::free::variables(reads) {
                    if let Some(Slot::Shared(number)) = graph.slots.get(&variable) {
                        point.now.reads.insert(*number);
                    }
                }
                for variable in writes {
                    if let Some(Slot::Shared(number)) = graph.slots.get(&variable) {
                        point.now.writes.insert(*number);
                    }
                }
            }
        }
    }

    /// What may still be touched from each location, threads that are started there included.
    fn futures(&mut self) {
        for graph in &mut self.graphs {
            for point in &mut graph.points {
                point.future = point.now.clone();
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for number in 0..self.graphs.len() {
                let cfa = self.graphs[number].cfa;
                // Later edges lead further, mostly: backwards is faster.
                for (_, edge) in cfa.edges().collect::<Vec<_>>().into_iter().rev() {
                    let mut more = self.graphs[number].points[edge.to.0 as usize].future.clone();
                    if let Op::Spawn { procedure, .. } = &edge.op {
                        let started = self.graph(*procedure);
                        more.extend(&started.points[started.cfa.entry().0 as usize].future);
                    }
                    changed |= self.graphs[number].points[edge.from.0 as usize].future.extend(&more);
                }
            }
        }
    }

    /// Which variables may still be read before they are written.
    fn activity(&mut self) {
        for number in 0..self.graphs.len() {
            let cfa = self.graphs[number].cfa;
            let mut changed = true;
            while changed {
                changed = false;
                for (_, edge) in cfa.edges().collect::<Vec<_>>().into_iter().rev() {
                    let graph = &self.graphs[number];
                    let after = &graph.points[edge.to.0 as usize];
                    let (mut own, mut shared) = (after.own_active.clone(), after.shared_active.clone());
                    let (reads, writes) = (edge.op.reads(), edge.op.writes());
                    for variable in writes {
                        match graph.slots.get(&variable) {
                            Some(Slot::Own(number)) => own.remove(*number),
                            Some(Slot::Shared(number)) => shared.remove(*number),
                            None => {}
                        }
                    }
                    for variable in term::free::variables(reads) {
                        match graph.slots.get(&variable) {
                            Some(Slot::Own(number)) => own.insert(*number),
                            Some(Slot::Shared(number)) => shared.insert(*number),
                            None => {}
                        }
                    }
                    if let Op::Spawn { procedure, .. } = &edge.op {
                        let started = self.graph(*procedure);
                        shared.extend(&started.points[started.cfa.entry().0 as usize].future.reads);
                    }
                    let before = &mut self.graphs[number].points[edge.from.0 as usize];
                    changed |= before.own_active.extend(&own);
                    changed |= before.shared_active.extend(&shared);
                }
            }
        }
    }

    /// Marks the locations whose steps commute with nothing.
    fn global_steps(&mut self) {
        for number in 0..self.graphs.len() {
            let id = ProcId(number as u32);
            for (_, edge) in self.graphs[number].cfa.edges() {
                let is_endless = matches!(edge.op, Op::Spawn { .. }) && self.is_repeated(id, edge);
                self.is_unbounded |= is_endless;
                if matches!(edge.op, Op::AtomicBegin) || is_endless || self.ends_program(id, edge.to) {
                    self.graphs[number].points[edge.from.0 as usize].is_global = true;
                }
            }
        }
    }

    /// Whether an edge may be executed again after it was, by the same thread or by one that it leads to.
    fn is_repeated(&self, procedure: ProcId, edge: &ir::Edge) -> bool {
        let goal = (procedure, edge.from);
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending = vec![(procedure, edge.to)];
        let started = |op: &Op| match op {
            Op::Spawn { procedure, .. } => Some((*procedure, self.graph(*procedure).cfa.entry())),
            _ => None,
        };
        pending.extend(started(&edge.op));
        while let Some((procedure, location)) = pending.pop() {
            if (procedure, location) == goal {
                return true;
            }
            if !seen.insert((procedure, location)) {
                continue;
            }
            let cfa = self.graph(procedure).cfa;
            for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
                pending.push((procedure, edge.to));
                pending.extend(started(&edge.op));
            }
        }
        false
    }
}
