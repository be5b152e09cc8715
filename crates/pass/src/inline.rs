//! Inlining: every call to a procedure with a body is replaced by a copy of the body.
//!
//! What is left is one automaton per thread entry without calls, which engines that know no call stack can check. A call
//! to a procedure without a body becomes a havoc of its results, as its model says.
//!
//! Of recursion there is a choice ([`Recursion`]). *Merged*, a call of a procedure that is active already goes back to the
//! start of that copy, and the copy's end may lead to behind the call, with the variables of all activations between as
//! arbitrary as they can be: the result can do all that the program can, and more. *Cut*, calls stop at a depth: the result
//! can do less.
//!
//! [`inline_small`] replaces only calls of small procedures, in all procedures: programs with calls become fewer and larger
//! procedures, for engines that look at one procedure at a time.
//!
//! Invariants: copies are named `procedure::variable%n`, the first keeps its name; a copy's variables that may be read
//! before they are written are havoced at each entry, because those of a new activation are arbitrary. The result of [`inline`]
//! has no `Op::Call`.

use crate::{EdgeMap, Passed};
use analysis::component::components_of;
use analysis::live::Live;
use ir::{
    Cfa, Edge, EdgeId, LocId, Location, LocationKind, ObjectKind, Op, ProcId, Procedure, Program, StaticObject,
    Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Place;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use term::subst::substitute;
use term::{Sort, Term};

/// The result would have more edges than allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inlining would make more than {} edges", self.limit)
    }
}

/// What becomes of a call of a procedure that is active already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// It goes back to the copy that there is.
    Merged,
    /// It is inlined while no more than so many activations are active; deeper calls are left out.
    Cut(usize),
}

/// Inlines all calls. `limit` bounds the number of edges of the result.
pub fn inline(program: &Program, recursion: Recursion, limit: usize) -> Result<Passed, TooLarge> {
    let roots = thread_entries(program);
    let number = numbered(&roots);
    let mut copies = FxHashMap::default();
    let recursive = recursive(program);
    let (mut procedures, mut origins, mut edges) = (Vec::new(), Vec::new(), 0);
    for root in &roots {
        let mut inliner = Inliner::new(program, &number, &mut copies, &recursive, recursion);
        inliner.room = limit - edges;
        let (procedure, origin) = inliner.run(*root).ok_or(TooLarge { limit })?;
        edges += origin.len();
        procedures.push(procedure);
        origins.push(origin);
    }
    let objects = renumbered_objects(program, &number);
    let program = Program { procedures, entry: number[&program.entry], objects, ..program.clone() };
    Ok(Passed { program, lift: Arc::new(EdgeMap { origins }) })
}

/// The numbers of procedures, where these are all that are left.
pub(crate) fn numbered(roots: &[ProcId]) -> FxHashMap<ProcId, ProcId> {
    roots.iter().enumerate().map(|(number, root)| (*root, ProcId(number as u32))).collect()
}

/// The static objects of a program, where procedures have other numbers, or are gone.
pub(crate) fn renumbered_objects(program: &Program, number: &FxHashMap<ProcId, ProcId>) -> Vec<StaticObject> {
    let objects = program.objects.iter().cloned().map(|mut object| {
        // A function's object names its procedure. Calls through pointers are branches on identities by now, so the
        // object of a procedure that is gone is only a number to compare with.
        if let ObjectKind::Function(id) = object.kind {
            object.kind = number.get(&id).map_or(ObjectKind::Literal, |id| ObjectKind::Function(*id));
        }
        object
    });
    objects.collect()
}

/// Inlines the calls of procedures that have at most `largest` edges and do not call themselves, where what they call is inlined
/// already. All procedures stay, even those that nothing calls any more.
pub fn inline_small(program: &Program, largest: usize) -> Passed {
    let selected = small(program, largest);
    let number = program.procedures().map(|(id, _)| (id, id)).collect();
    let recursive = FxHashSet::default();
    // The procedure itself is the first copy.
    let mut copies = program.procedures().map(|(id, _)| (id, 1)).collect();
    let (mut procedures, mut origins) = (Vec::new(), Vec::new());
    for (id, procedure) in program.procedures() {
        if !calls(program, id).any(|callee| selected.contains(&callee)) {
            procedures.push(procedure.clone());
            let edges = procedure.body.iter().flat_map(Cfa::edges);
            origins.push(edges.map(|(edge, _)| Some((id, edge))).collect());
            continue;
        }
        let mut inliner = Inliner::new(program, &number, &mut copies, &recursive, Recursion::Cut(1));
        inliner.selected = Some(&selected);
        inliner.room = usize::MAX;
        let Some((procedure, origin)) = inliner.run(id) else { unreachable!("there is room") };
        procedures.push(procedure);
        origins.push(origin);
    }
    let program = Program { procedures, ..program.clone() };
    Passed { program, lift: Arc::new(EdgeMap { origins }) }
}

/// The procedures that [`inline_small`] inlines: with all that is inlined into them, they are small and call nothing else.
fn small(program: &Program, largest: usize) -> FxHashSet<ProcId> {
    let mut kept: FxHashSet<ProcId> = thread_entries(program).into_iter().collect();
    let mut sizes: FxHashMap<ProcId, usize> = FxHashMap::default();
    loop {
        let before = sizes.len();
        for (id, procedure) in program.procedures() {
            let Ok(body) = &procedure.body else { continue };
            if sizes.contains_key(&id) || kept.contains(&id) || body.edge_count() > largest {
                continue;
            }
            let inner = |callee: ProcId| match &program.procedure(callee).body {
                Ok(_) => sizes.get(&callee).copied(),
                Err(_) => Some(0),
            };
            let size = calls(program, id).try_fold(body.edge_count(), |sum, callee| Some(sum + inner(callee)?));
            if let Some(size) = size.filter(|size| *size <= largest) {
                // The first values of variables that are read before they are written would be lost on the way back.
                if first_values(program, id).is_empty() {
                    sizes.insert(id, size);
                } else {
                    kept.insert(id);
                }
            }
        }
        if sizes.len() == before {
            return sizes.into_keys().collect();
        }
    }
}

/// The results and locals of a procedure that may be read before they are written.
pub(crate) fn first_values(program: &Program, id: ProcId) -> Vec<Term> {
    let declared = program.procedure(id);
    let Ok(body) = &declared.body else { return Vec::new() };
    let live = Live::new(program, id);
    let own = declared.results.iter().chain(&declared.locals).map(|variable| variable.term);
    own.filter(|variable| live.at(body.entry(), *variable)).collect()
}

/// The entry and the procedures that threads start with, the entry first.
pub(crate) fn thread_entries(program: &Program) -> Vec<ProcId> {
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

pub(crate) fn calls(program: &Program, procedure: ProcId) -> impl Iterator<Item = ProcId> {
    program.procedure(procedure).body.iter().flat_map(Cfa::edges).filter_map(|(_, edge)| match &edge.op {
        Op::Call { procedure, .. } => Some(*procedure),
        _ => None,
    })
}

/// For each procedure those that it calls, once for each call.
pub(crate) fn callees(program: &Program) -> Vec<Vec<usize>> {
    program.procedures().map(|(id, _)| calls(program, id).map(|callee| callee.0 as usize).collect()).collect()
}

/// About how many edges the program has without calls, where a procedure that calls itself is entered once.
pub fn inlined_edges(program: &Program) -> usize {
    let callees = callees(program);
    let mut edges = vec![0usize; callees.len()];
    // Each procedure comes after those that it calls.
    for procedure in components_of(&callees).into_iter().flatten() {
        let own = program.procedures[procedure].body.as_ref().map_or(0, Cfa::edge_count);
        edges[procedure] = callees[procedure].iter().fold(own, |all, callee| all.saturating_add(edges[*callee]));
    }
    edges[program.entry.0 as usize]
}

/// The procedures that may be active more than once at a time.
pub fn recursive(program: &Program) -> FxHashSet<ProcId> {
    let successors = callees(program);
    let components = components_of(&successors);
    let is_cyclic = |c: &Vec<usize>| c.len() > 1 || successors[c[0]].contains(&c[0]);
    components.into_iter().filter(is_cyclic).flatten().map(|procedure| ProcId(procedure as u32)).collect()
}

/// Which edge of the program before an edge stands for.
type Origins = Vec<Option<(ProcId, EdgeId)>>;

/// Builds one procedure without calls.
struct Inliner<'a> {
    program: &'a Program,
    number: &'a FxHashMap<ProcId, ProcId>,
    recursive: &'a FxHashSet<ProcId>,
    recursion: Recursion,
    /// The procedures whose calls are inlined, if not all are.
    selected: Option<&'a FxHashSet<ProcId>>,
    /// How many edges there may be.
    room: usize,
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
    /// Where calls lead.
    start: LocId,
    /// Where the copied body begins: variables that are arbitrary at first have become so.
    entry: LocId,
    caller: Option<Rc<Frame>>,
}

/// A copy that has been made, as the calls in it see it.
struct Frame {
    procedure: ProcId,
    start: LocId,
    exit: LocId,
    rename: FxHashMap<Term, Term>,
    caller: Option<Rc<Frame>>,
}

impl Frame {
    /// This activation and those that led to it, the latest first.
    fn chain(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(self), |frame| frame.caller.as_deref())
    }
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
        recursive: &'a FxHashSet<ProcId>,
        recursion: Recursion,
    ) -> Inliner<'a> {
        let (locations, edges, origins) = (Vec::new(), Vec::new(), Vec::new());
        let (locals, pending) = (Vec::new(), Vec::new());
        let (arbitrary, written) = (FxHashMap::default(), FxHashMap::default());
        Inliner {
            program,
            number,
            recursive,
            recursion,
            selected: None,
            room: 0,
            copies,
            locations,
            edges,
            origins,
            locals,
            pending,
            arbitrary,
            written,
        }
    }

    /// The procedure without calls, unless there is no room for it.
    fn run(mut self, root: ProcId) -> Option<(Procedure, Origins)> {
        let old = self.program.procedure(root);
        let Ok(body) = &old.body else { return Some((old.clone(), Origins::new())) };
        self.locations = vec![body.location(body.entry()).clone(), body.location(body.exit()).clone()];
        let (entry, exit) = (LocId(0), LocId(1));
        self.locals = old.locals.clone();
        if self.is_merged(root) {
            // Others may return to the root, so it is a copy like others.
            let own = |variables: &[Variable]| variables.iter().map(|variable| variable.term).collect();
            let (arguments, results) = (own(&old.parameters), own(&old.results));
            self.activate(Call { procedure: root, arguments, results, from: entry, to: exit, place: None }, None, None);
        } else {
            *self.copies.entry(root).or_default() += 1;
            let rename = FxHashMap::default();
            self.copy(Activation { procedure: root, rename, after: None, start: entry, entry, caller: None });
        }
        while let Some(activation) = self.pending.pop() {
            self.copy(activation);
            if self.edges.len() > self.room {
                return None;
            }
        }
        let cfa = Cfa::new(self.locations, self.edges, entry, exit);
        Some((Procedure { locals: self.locals, body: Ok(cfa), ..old.clone() }, self.origins))
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
        let Activation { procedure: id, rename, after, start, caller, .. } = activation;
        let frame = Rc::new(Frame { procedure: id, start, exit: at(body.exit()), rename, caller });
        let new = |term: &Term| substitute(*term, |variable| frame.rename.get(&variable).copied());
        for (edge_id, edge) in body.edges() {
            let origin = Some((id, edge_id));
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
                        _ if self.selected.is_some_and(|selected| !selected.contains(procedure)) => {
                            Op::Call { procedure: *procedure, arguments, results }
                        }
                        Err(_) => Op::Havoc(results),
                        Ok(_) => {
                            let call = Call { procedure: *procedure, arguments, results, from, to, place };
                            self.call(call, &frame, origin);
                            continue;
                        }
                    }
                }
            };
            self.edge(Edge { from, to, op, place }, origin);
        }
        if let Some(Return { to, results, place }) = after {
            self.edge(Edge { from: at(body.exit()), to, op: Op::Assign(results), place }, None);
        }
    }

    fn call(&mut self, call: Call, frame: &Rc<Frame>, origin: Option<(ProcId, EdgeId)>) {
        let active = frame.chain().filter(|frame| frame.procedure == call.procedure);
        match self.recursion {
            Recursion::Cut(depth) if active.count() >= depth => {}
            Recursion::Cut(_) => self.activate(call, Some(frame.clone()), origin),
            Recursion::Merged => match frame.chain().position(|frame| frame.procedure == call.procedure) {
                Some(distance) => self.merge(call, frame, distance, origin),
                None => self.activate(call, Some(frame.clone()), origin),
            },
        }
    }

    /// Leads a call to a copy that is active, and its return to behind the call. Nothing is known there of the variables of the
    /// activations since then, whose copies have been used for others.
    fn merge(&mut self, call: Call, frame: &Frame, distance: usize, origin: Option<(ProcId, EdgeId)>) {
        let Call { procedure, arguments, results, from, to, place } = call;
        let Some(active) = frame.chain().nth(distance) else { unreachable!("the frame was found there") };
        let callee = self.program.procedure(procedure);
        let named = |variable: &Variable| renamed(variable.term, &active.rename);
        let parameters = callee.parameters.iter().map(named).zip(arguments).collect();
        self.edge(Edge { from, to: active.start, op: Op::Assign(parameters), place }, origin);
        // What is returned is taken along while everything else becomes arbitrary.
        let returned: Vec<Term> = callee.results.iter().map(named).collect();
        let kept: Vec<Term> = returned.iter().map(|result| self.fresh(result.sort())).collect();
        let mut lost = Vec::new();
        for frame in frame.chain().take(distance + 1) {
            let declared = self.program.procedure(frame.procedure);
            let own = declared.parameters.iter().chain(&declared.results).chain(&declared.locals);
            lost.extend(own.map(|variable| renamed(variable.term, &frame.rename)).filter(|term| term.is_var()));
        }
        let between = Location { kind: LocationKind::Plain, label: None, place };
        let (first, second) = (self.location(between.clone()), self.location(between));
        let keep = Op::Assign(kept.iter().copied().zip(returned).collect());
        self.edge(Edge { from: active.exit, to: first, op: keep, place }, None);
        self.edge(Edge { from: first, to: second, op: Op::Havoc(lost), place }, None);
        let give = Op::Assign(results.into_iter().zip(kept).collect());
        self.edge(Edge { from: second, to, op: give, place }, None);
    }

    /// Whether copies of the procedure stand for several activations.
    fn is_merged(&self, procedure: ProcId) -> bool {
        self.recursion == Recursion::Merged && self.recursive.contains(&procedure)
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        let variable = Variable::internal(format!("$returned{}", self.locals.len()).as_str(), sort);
        let term = variable.term;
        self.locals.push(variable);
        term
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
        let variables = self.arbitrary.entry(procedure).or_insert_with(|| first_values(program, procedure));
        variables.clone()
    }

    /// Prepares a copy of the callee, and leads to it.
    fn activate(&mut self, call: Call, caller: Option<Rc<Frame>>, origin: Option<(ProcId, EdgeId)>) {
        let Call { procedure: callee, arguments, results, from, to, place } = call;
        let procedure = self.program.procedure(callee);
        let Ok(body) = &procedure.body else { unreachable!("only procedures with a body are activated") };
        let start = self.location(body.location(body.entry()).clone());
        let is_merged = self.is_merged(callee);
        let copy = self.copies.entry(callee).or_default();
        *copy += 1;
        let mut rename = FxHashMap::default();
        for variable in procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals) {
            let mut own = variable.clone();
            if *copy > 1 || is_merged {
                let name = variable.name();
                // Objects of several activations live at a time.
                let name = if is_merged { name.as_str().replace("::&", "::@&") } else { name.to_string() };
                own.term = Term::var(format!("{name}%{copy}").as_str(), variable.sort());
                rename.insert(variable.term, own.term);
            }
            self.locals.push(own);
        }
        let named = |variable: &Variable| renamed(variable.term, &rename);
        let parameters: Vec<(Term, Term)> = procedure.parameters.iter().map(named).zip(arguments).collect();
        let returned: Vec<Term> = procedure.results.iter().map(named).collect();
        // A constant takes the place of a parameter that the callee does not change, and that has no other values.
        let written = self.written(callee);
        for (declared, (_, argument)) in procedure.parameters.iter().zip(&parameters) {
            if argument.value().is_some() && !written.contains(&declared.term) && !is_merged {
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
        self.edge(Edge { from, to: start, op: Op::Assign(parameters), place }, origin);
        self.pending.push(Activation { procedure: callee, rename, after, start, entry, caller });
    }
}

/// A call in a copy.
struct Call {
    procedure: ProcId,
    arguments: Vec<Term>,
    results: Vec<Term>,
    from: LocId,
    to: LocId,
    place: Option<Place>,
}

fn renamed(variable: Term, rename: &FxHashMap<Term, Term>) -> Term {
    rename.get(&variable).copied().unwrap_or(variable)
}
