//! Inlining: every call to a procedure with a body is replaced by a copy of the body.
//!
//! What is left is one automaton per thread entry without calls, which engines that know no call stack can check. A call
//! to a procedure without a body becomes a havoc of its results, as its model says.
//!
//! Invariants: copies are named `procedure::variable%n`, the first keeps its name; a copy's variables that may be read
//! before they are written are havoced at each entry, because those of a new activation are arbitrary. The result has no
//! `Op::Call`.

use crate::{EdgeMap, Passed};
use analysis::live::Live;
use ir::{Cfa, Edge, EdgeId, LocId, Location, ObjectKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, Symbol};
use std::fmt;
use std::rc::Rc;
use term::Term;
use term::subst::substitute;

/// Why a program cannot be inlined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InlineError {
    /// Procedures that call each other in a circle, in order.
    Recursion(Vec<Symbol>),
    /// The result would have more edges than allowed.
    TooLarge { edges: u64, limit: u64 },
}

impl fmt::Display for InlineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InlineError::Recursion(cycle) => {
                f.write_str("recursion: ")?;
                cycle.iter().try_for_each(|name| write!(f, "{name} calls "))?;
                write!(f, "{}", cycle[0])
            }
            InlineError::TooLarge { edges, limit } => write!(f, "inlining would make {edges} edges, more than {limit}"),
        }
    }
}

/// Inlines all calls. `limit` bounds the number of edges of the result.
pub fn inline(program: &Program, limit: u64) -> Result<Passed, InlineError> {
    let roots = thread_entries(program);
    check_size(program, &roots, limit)?;
    let number: FxHashMap<ProcId, ProcId> = roots.iter().enumerate().map(|(i, r)| (*r, ProcId(i as u32))).collect();
    let mut copies = FxHashMap::default();
    let (procedures, origins) = roots.iter().map(|root| Inliner::new(program, &number, &mut copies).run(*root)).unzip();
    let objects = program.objects.iter().cloned().map(|mut object| {
        // A function's object names its procedure. Calls through pointers are branches on identities by now, so the
        // object of a procedure that is gone is only a number to compare with.
        if let ObjectKind::Function(id) = object.kind {
            object.kind = number.get(&id).map_or(ObjectKind::Literal, |id| ObjectKind::Function(*id));
        }
        object
    });
    let program = Program { procedures, entry: number[&program.entry], objects: objects.collect(), ..program.clone() };
    Ok(Passed { program, lift: Box::new(EdgeMap { origins }) })
}

/// The entry and the procedures that threads start with, the entry first.
fn thread_entries(program: &Program) -> Vec<ProcId> {
    let mut entries = vec![program.entry];
    for (_, procedure) in program.procedures() {
        for (_, edge) in procedure.body.iter().flat_map(Cfa::edges) {
            if let Op::Spawn { procedure, .. } = &edge.op
                && !entries.contains(procedure)
            {
                entries.push(*procedure);
            }
        }
    }
    entries
}

/// Refuses recursion and too large results, before anything is copied.
fn check_size(program: &Program, roots: &[ProcId], limit: u64) -> Result<(), InlineError> {
    let mut sizes = FxHashMap::default();
    let mut total: u64 = 0;
    for &root in roots {
        total = total.saturating_add(inlined_size(program, root, &mut sizes)?);
    }
    if total > limit { Err(InlineError::TooLarge { edges: total, limit }) } else { Ok(()) }
}

fn calls(program: &Program, procedure: ProcId) -> impl Iterator<Item = ProcId> {
    program.procedure(procedure).body.iter().flat_map(Cfa::edges).filter_map(|(_, edge)| match &edge.op {
        Op::Call { procedure, .. } => Some(*procedure),
        _ => None,
    })
}

/// The number of edges of a procedure after inlining, by depth-first search over the call graph.
fn inlined_size(program: &Program, root: ProcId, sizes: &mut FxHashMap<ProcId, u64>) -> Result<u64, InlineError> {
    let mut path: Vec<(ProcId, Vec<ProcId>)> = vec![(root, calls(program, root).collect())];
    while let Some((procedure, pending)) = path.last_mut() {
        let procedure = *procedure;
        match pending.pop() {
            Some(callee) => {
                if let Some(start) = path.iter().position(|(p, _)| *p == callee) {
                    let cycle = path[start..].iter().map(|(p, _)| program.procedure(*p).name).collect();
                    return Err(InlineError::Recursion(cycle));
                }
                if !sizes.contains_key(&callee) {
                    path.push((callee, calls(program, callee).collect()));
                }
            }
            None => {
                let own = program.procedure(procedure).body.as_ref().map_or(0, |body| body.edge_count() as u64 + 1);
                let size = calls(program, procedure).map(|c| sizes[&c]).fold(own, u64::saturating_add);
                sizes.insert(procedure, size);
                path.pop();
            }
        }
    }
    Ok(sizes[&root])
}

/// Which edge of the program before an edge stands for.
type Origins = Vec<Option<(ProcId, EdgeId)>>;

/// Builds one procedure without calls.
struct Inliner<'a> {
    program: &'a Program,
    number: &'a FxHashMap<ProcId, ProcId>,
    /// How many copies of a procedure's variables there are.
    copies: &'a mut FxHashMap<ProcId, u32>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    origins: Origins,
    locals: Vec<Variable>,
    /// Copies still to be made.
    pending: Vec<Activation>,
    /// What [`Inliner::arbitrary`] found.
    arbitrary: FxHashMap<ProcId, Vec<Term>>,
    /// What [`Inliner::written`] found.
    written: FxHashMap<ProcId, Rc<FxHashSet<Term>>>,
}

/// A procedure's body to be copied between two locations.
struct Activation {
    procedure: ProcId,
    rename: FxHashMap<Term, Term>,
    /// Where the copy of the procedure's exit leads; nowhere for the thread's own procedure.
    after: Option<Return>,
    entry: LocId,
}

/// What follows a copy: the caller's location, and what its variables take from the callee's results.
struct Return {
    to: LocId,
    results: Vec<(Term, Term)>,
    place: Option<Place>,
}

impl<'a> Inliner<'a> {
    fn new(
        program: &'a Program,
        number: &'a FxHashMap<ProcId, ProcId>,
        copies: &'a mut FxHashMap<ProcId, u32>,
    ) -> Inliner<'a> {
        let (locations, edges, origins) = (Vec::new(), Vec::new(), Vec::new());
        let (locals, pending) = (Vec::new(), Vec::new());
        let (arbitrary, written) = (FxHashMap::default(), FxHashMap::default());
        Inliner { program, number, copies, locations, edges, origins, locals, pending, arbitrary, written }
    }

    fn run(mut self, root: ProcId) -> (Procedure, Origins) {
        let old = self.program.procedure(root);
        let Ok(body) = &old.body else { return (old.clone(), Origins::new()) };
        *self.copies.entry(root).or_default() += 1;
        self.locations = vec![body.location(body.entry()).clone(), body.location(body.exit()).clone()];
        let (entry, exit) = (LocId(0), LocId(1));
        self.locals = old.locals.clone();
        self.copy(Activation { procedure: root, rename: FxHashMap::default(), after: None, entry });
        while let Some(activation) = self.pending.pop() {
            self.copy(activation);
        }
        let cfa = Cfa::new(self.locations, self.edges, entry, exit);
        (Procedure { locals: self.locals, body: Ok(cfa), ..old.clone() }, self.origins)
    }

    fn edge(&mut self, edge: Edge, origin: Option<(ProcId, EdgeId)>) {
        self.edges.push(edge);
        self.origins.push(origin);
    }

    fn location(&mut self, location: Location) -> LocId {
        self.locations.push(location);
        LocId(self.locations.len() as u32 - 1)
    }

    /// Copies a body; the copies of the bodies that it calls are left pending.
    fn copy(&mut self, activation: Activation) {
        let procedure = self.program.procedure(activation.procedure);
        let Ok(body) = &procedure.body else { unreachable!("only procedures with a body are activated") };
        let mut places: Vec<LocId> = Vec::with_capacity(body.location_count());
        for (id, location) in body.locations() {
            places.push(if id == body.entry() {
                activation.entry
            } else if id == body.exit() && activation.after.is_none() {
                LocId(1)
            } else {
                self.location(location.clone())
            });
        }
        let at = |id: LocId| places[id.0 as usize];
        let new = |term: &Term| substitute(*term, |variable| activation.rename.get(&variable).copied());
        for (id, edge) in body.edges() {
            let origin = Some((activation.procedure, id));
            let (from, to, place) = (at(edge.from), at(edge.to), edge.place);
            let op = match &edge.op {
                Op::Assign(pairs) => Op::Assign(pairs.iter().map(|(x, e)| (new(x), new(e))).collect()),
                Op::Assume(condition) => Op::Assume(new(condition)),
                Op::Havoc(variables) => Op::Havoc(variables.iter().map(new).collect()),
                Op::Spawn { procedure, arguments, thread } => Op::Spawn {
                    procedure: self.number[procedure],
                    arguments: arguments.iter().map(new).collect(),
                    thread: new(thread),
                },
                Op::AtomicBegin => Op::AtomicBegin,
                Op::AtomicEnd => Op::AtomicEnd,
                Op::Call { procedure, arguments, results } => {
                    let arguments = arguments.iter().map(new).collect();
                    let results: Vec<Term> = results.iter().map(new).collect();
                    match &self.program.procedure(*procedure).body {
                        Err(_) => Op::Havoc(results),
                        Ok(callee) => {
                            let start = self.location(callee.location(callee.entry()).clone());
                            let op = self.call(*procedure, arguments, results, start, to, place);
                            self.edge(Edge { from, to: start, op, place }, origin);
                            continue;
                        }
                    }
                }
            };
            self.edge(Edge { from, to, op, place }, origin);
        }
        if let Some(Return { to, results, place }) = activation.after {
            self.edge(Edge { from: at(body.exit()), to, op: Op::Assign(results), place }, None);
        }
    }

    /// The variables that a procedure's own edges change.
    fn written(&mut self, procedure: ProcId) -> Rc<FxHashSet<Term>> {
        let program = self.program;
        let written = self.written.entry(procedure).or_insert_with(|| {
            let edges = program.procedure(procedure).body.iter().flat_map(Cfa::edges);
            let mut written = FxHashSet::default();
            for (_, edge) in edges {
                match &edge.op {
                    Op::Assign(pairs) => written.extend(pairs.iter().map(|(variable, _)| *variable)),
                    Op::Havoc(variables) | Op::Call { results: variables, .. } => written.extend(variables),
                    Op::Spawn { thread, .. } => {
                        written.insert(*thread);
                    }
                    Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => {}
                }
            }
            Rc::new(written)
        });
        written.clone()
    }

    /// The results and locals of a procedure that may be read before they are written.
    fn arbitrary(&mut self, procedure: ProcId) -> Vec<Term> {
        let program = self.program;
        let variables = self.arbitrary.entry(procedure).or_insert_with(|| {
            let declared = program.procedure(procedure);
            let Ok(body) = &declared.body else { return Vec::new() };
            let live = Live::new(program, procedure);
            let own = declared.results.iter().chain(&declared.locals).map(|variable| variable.term);
            own.filter(|variable| live.at(body.entry(), *variable)).collect()
        });
        variables.clone()
    }

    /// Prepares a copy of the callee, and returns the assignment of its parameters.
    fn call(
        &mut self,
        callee: ProcId,
        arguments: Vec<Term>,
        results: Vec<Term>,
        start: LocId,
        to: LocId,
        place: Option<Place>,
    ) -> Op {
        let procedure = self.program.procedure(callee);
        let copy = self.copies.entry(callee).or_default();
        *copy += 1;
        let mut rename = FxHashMap::default();
        for variable in procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals) {
            let mut own = variable.clone();
            if *copy > 1 {
                own.term = Term::var(format!("{}%{copy}", variable.name()).as_str(), variable.sort());
                rename.insert(variable.term, own.term);
            }
            self.locals.push(own);
        }
        let named = |variable: &Variable| renamed(variable.term, &rename);
        let parameters: Vec<(Term, Term)> = procedure.parameters.iter().map(named).zip(arguments).collect();
        let returned: Vec<Term> = procedure.results.iter().map(named).collect();
        // A constant takes the place of a parameter that the callee does not change.
        let written = self.written(callee);
        for (declared, (_, argument)) in procedure.parameters.iter().zip(&parameters) {
            if argument.value().is_some() && !written.contains(&declared.term) {
                rename.insert(declared.term, *argument);
            }
        }
        let after = Some(Return { to, results: results.into_iter().zip(returned).collect(), place });
        let arbitrary: Vec<Term> = self.arbitrary(callee).iter().map(|v| renamed(*v, &rename)).collect();
        let entry = if arbitrary.is_empty() {
            start
        } else {
            let entry = self.location(self.locations[start.0 as usize].clone());
            self.edge(Edge { from: start, to: entry, op: Op::Havoc(arbitrary), place }, None);
            entry
        };
        self.pending.push(Activation { procedure: callee, rename, after, entry });
        Op::Assign(parameters)
    }
}

fn renamed(variable: Term, rename: &FxHashMap<Term, Term>) -> Term {
    rename.get(&variable).copied().unwrap_or(variable)
}
