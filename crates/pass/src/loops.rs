//! Loops into tail-recursive procedures.
//!
//! "A Solver for Reachability Modulo Theories" assumes programs without loops: each loop is a procedure that calls itself. Here
//! a loop is a strongly connected part of an automaton. It becomes a procedure that runs from where the loop is entered to
//! where it is left; an edge back to the start becomes a call of the procedure to itself, after which nothing follows. Where a
//! loop is left in several places, a result tells which. Loops inside of the loop are loops of the new procedure, and
//! become procedures in turn.
//!
//! A loop that is entered at several places (an irreducible one) gets a parameter that tells where. So it needs no
//! unrolling: the new program can do exactly what the old one can.
//!
//! Invariants: no automaton of the result has a cycle; edges of the loop are edges of its procedure, so a trace goes back edge
//! by edge; calls of loop procedures and what follows them are made up and disappear.

use crate::{EdgeMap, Passed};
use analysis::component::components;
use analysis::live::Live;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::sync::Arc;
use term::build::{bv, eq};
use term::free::Free;
use term::subst::Substitution;
use term::{Sort, Term};

/// Which edge of the program before an edge stands for.
type Origins = Vec<Option<(ProcId, EdgeId)>>;

/// How wide the numbers are that tell where a loop is entered or left.
const CODE_WIDTH: u32 = 16;

/// Makes procedures of all loops.
pub fn loops_to_procedures(program: &Program) -> Passed {
    let mut result = program.clone();
    let own = |(id, procedure): (ProcId, &Procedure)| -> Origins {
        let edges = procedure.body.iter().flat_map(Cfa::edges);
        edges.map(|(edge, _)| Some((id, edge))).collect()
    };
    let mut origins: Vec<Origins> = program.procedures().map(own).collect();
    let mut next = 0;
    // New procedures come to the end of the list, and so are looked at later.
    while next < result.procedures.len() {
        let id = ProcId(next as u32);
        let mut count = 0;
        while let Some(members) = first_loop(&result, id) {
            count += 1;
            extract(&mut result, &mut origins, id, &members, count);
        }
        next += 1;
    }
    Passed { program: result, lift: Arc::new(EdgeMap { origins }) }
}

/// The locations of a loop that no other loop surrounds.
fn first_loop(program: &Program, id: ProcId) -> Option<FxHashSet<LocId>> {
    let Ok(cfa) = &program.procedure(id).body else { return None };
    let has_edge = |component: &[LocId]| match component {
        [only] => cfa.outgoing(*only).iter().any(|edge| cfa.edge(*edge).to == *only),
        _ => true,
    };
    components(cfa).into_iter().find(|component| has_edge(component)).map(|found| found.into_iter().collect())
}

/// A loop and its surroundings.
struct Loop<'a> {
    cfa: &'a Cfa,
    members: &'a FxHashSet<LocId>,
    /// Where it is entered, in order.
    starts: Vec<LocId>,
    /// Where it leads to, in order, as far as something follows there.
    targets: Vec<LocId>,
}

impl<'a> Loop<'a> {
    fn new(cfa: &'a Cfa, members: &'a FxHashSet<LocId>) -> Loop<'a> {
        let mut order: Vec<LocId> = members.iter().copied().collect();
        order.sort_unstable();
        let is_outside = |location: LocId| !members.contains(&location);
        let is_start = |location: &LocId| cfa.incoming(*location).iter().any(|edge| is_outside(cfa.edge(*edge).from));
        let mut starts: Vec<LocId> = order.iter().copied().filter(is_start).collect();
        if starts.is_empty() {
            // Nothing leads there, so it does not matter where it starts.
            starts.extend(order.first());
        }
        let leaving = order.iter().flat_map(|location| cfa.outgoing(*location)).map(|edge| cfa.edge(*edge).to);
        let mut targets: Vec<LocId> = leaving.filter(|to| is_outside(*to) && goes_on(cfa, *to)).collect();
        targets.sort_unstable();
        targets.dedup();
        Loop { cfa, members, starts, targets }
    }

    fn start(&self, location: LocId) -> Option<usize> {
        self.starts.iter().position(|start| *start == location)
    }

    fn target(&self, location: LocId) -> Option<usize> {
        self.targets.iter().position(|target| *target == location)
    }

    fn edges(&self) -> impl Iterator<Item = (EdgeId, &'a Edge)> {
        let members = self.members;
        self.cfa.edges().filter(move |(_, edge)| members.contains(&edge.from))
    }
}

/// Whether an execution that comes to a location has something before it in this procedure or its callers. Other locations belong
/// to the loop that leads there.
fn goes_on(cfa: &Cfa, location: LocId) -> bool {
    location == cfa.exit() || cfa.location(location).kind == LocationKind::Plain && !cfa.outgoing(location).is_empty()
}

/// The variables of a loop's procedure.
struct Variables {
    /// What is read in the loop or behind it, as the surrounding procedure and the loop's parameter name it.
    parameters: Vec<(Term, Variable)>,
    /// What the loop changes and is read behind it: the loop's own names.
    results: Vec<(Term, Variable)>,
    /// The other variables that the loop changes.
    locals: Vec<Variable>,
    /// What the loop calls the surrounding procedure's variables.
    rename: FxHashMap<Term, Term>,
    /// What a changed variable gets at the start.
    first: Vec<(Term, Term)>,
    /// Where the loop is entered, if there are several places.
    start: Option<Variable>,
    /// Where the loop was left, if there are several places.
    left: Option<Variable>,
}

impl Variables {
    fn new(program: &Program, id: ProcId, found: &Loop<'_>, name: Symbol) -> Variables {
        let procedure = program.procedure(id);
        let live = Live::new(program, id);
        let mut free = Free::new();
        let (mut used, mut changed) = (FxHashSet::default(), FxHashSet::default());
        for (_, edge) in found.edges() {
            let mut read = |term: &Term| used.extend(free.of(*term).iter().copied());
            match &edge.op {
                Op::Assign(pairs) => {
                    pairs.iter().for_each(|(_, value)| read(value));
                    changed.extend(pairs.iter().map(|(variable, _)| *variable));
                }
                Op::Assume(condition) => read(condition),
                Op::Havoc(variables) => changed.extend(variables.iter().copied()),
                Op::Call { arguments, results, .. } => {
                    arguments.iter().for_each(&mut read);
                    changed.extend(results.iter().copied());
                }
                Op::Spawn { arguments, thread, .. } => {
                    arguments.iter().for_each(&mut read);
                    changed.insert(*thread);
                }
                Op::AtomicBegin | Op::AtomicEnd => {}
            }
        }
        let mut variables = Variables {
            parameters: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            rename: FxHashMap::default(),
            first: Vec::new(),
            start: None,
            left: None,
        };
        let code = |what: &str| Variable::internal(format!("{name}::{what}").as_str(), Sort::bv(CODE_WIDTH));
        variables.start = (found.starts.len() > 1).then(|| code("%start"));
        variables.left = (found.targets.len() > 1).then(|| code("%left"));
        for old in procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals) {
            variables.add(old, (procedure.name.as_str(), name), &used, &changed, &live, found);
        }
        variables
    }

    fn add(
        &mut self,
        old: &Variable,
        (outer, name): (&str, Symbol),
        used: &FxHashSet<Term>,
        changed: &FxHashSet<Term>,
        live: &Live,
        found: &Loop<'_>,
    ) {
        let (is_used, is_changed) = (used.contains(&old.term), changed.contains(&old.term));
        if !is_used && !is_changed {
            return;
        }
        let full = old.name();
        let short = full.as_str().strip_prefix(outer).and_then(|rest| rest.strip_prefix("::")).unwrap_or(full.as_str());
        let named = |name: String| Variable { term: Term::var(name.as_str(), old.sort()), ..old.clone() };
        let own = named(format!("{name}::{short}"));
        self.rename.insert(old.term, own.term);
        let is_needed = found.starts.iter().any(|start| live.at(*start, old.term));
        if !is_changed {
            self.parameters.push((old.term, own));
            return;
        }
        let is_result = found.targets.iter().any(|target| live.at(*target, old.term));
        if is_needed {
            let parameter = named(format!("{name}::{short}%in"));
            self.first.push((own.term, parameter.term));
            self.parameters.push((old.term, parameter));
        }
        if is_result {
            self.results.push((old.term, own));
        } else {
            self.locals.push(own);
        }
    }

    /// A call of the loop, where variables are called as `own` says.
    fn call(&self, procedure: ProcId, start: usize, own: impl Fn(Term) -> Term, left: Option<Term>) -> Op {
        let start = self.start.iter().map(|_| bv(CODE_WIDTH, start as u128));
        let arguments = self.parameters.iter().map(|(outer, _)| own(*outer)).chain(start).collect();
        let results = self.results.iter().map(|(outer, _)| own(*outer)).chain(left).collect();
        Op::Call { procedure, arguments, results }
    }
}

/// Makes a procedure of one loop.
fn extract(program: &mut Program, origins: &mut Vec<Origins>, id: ProcId, members: &FxHashSet<LocId>, count: u32) {
    let new_id = ProcId(program.procedures.len() as u32);
    let procedure = program.procedure(id).clone();
    let Ok(cfa) = &procedure.body else { return };
    let found = Loop::new(cfa, members);
    let name = Symbol::new(&format!("{}%loop{count}", procedure.name));
    let variables = Variables::new(program, id, &found, name);
    let (body, inner) = inside(&found, &variables, new_id, &origins[id.0 as usize]);
    let (around, outer, left) = outside(&found, &variables, &procedure, new_id, count, &origins[id.0 as usize]);
    let place = found.starts.first().and_then(|start| cfa.location(*start).place);
    let declared = |list: &[(Term, Variable)]| list.iter().map(|(_, own)| own.clone()).collect::<Vec<_>>();
    let mut parameters = declared(&variables.parameters);
    parameters.extend(variables.start.clone());
    let mut results = declared(&variables.results);
    results.extend(variables.left.clone());
    let locals = variables.locals.clone();
    program.procedures.push(Procedure { name, parameters, variadic: false, results, locals, body: Ok(body), place });
    origins.push(inner);
    let changed = &mut program.procedures[id.0 as usize];
    changed.body = Ok(around);
    changed.locals.extend(left);
    origins[id.0 as usize] = outer;
}

/// An automaton that grows, with the origins of its edges.
struct Growing {
    locations: Vec<Location>,
    edges: Vec<Edge>,
    origins: Origins,
}

impl Growing {
    fn location(&mut self, like: &Location) -> LocId {
        self.locations.push(Location { label: None, ..like.clone() });
        LocId(self.locations.len() as u32 - 1)
    }

    fn edge(&mut self, edge: Edge, origin: Option<(ProcId, EdgeId)>) {
        self.edges.push(edge);
        self.origins.push(origin);
    }
}

/// The body of the loop's procedure.
fn inside(found: &Loop<'_>, variables: &Variables, id: ProcId, old: &Origins) -> (Cfa, Origins) {
    let cfa = found.cfa;
    let plain = |place| Location { kind: LocationKind::Plain, label: None, place };
    let mut body = Growing { locations: vec![plain(None), plain(None)], edges: Vec::new(), origins: Vec::new() };
    let (entry, exit) = (LocId(0), LocId(1));
    let mut copies: FxHashMap<LocId, LocId> = FxHashMap::default();
    let mut renaming = Substitution::new(|variable| variables.rename.get(&variable).copied());
    for (number, start) in found.starts.iter().enumerate() {
        let copy = body.location(cfa.location(*start));
        copies.insert(*start, copy);
        let mut from = entry;
        if let Some(code) = &variables.start {
            from = body.location(cfa.location(*start));
            let condition = eq(code.term, bv(CODE_WIDTH, number as u128));
            body.edge(Edge { from: entry, to: from, op: Op::Assume(condition), place: None }, None);
        }
        body.edge(Edge { from, to: copy, op: Op::Assign(variables.first.clone()), place: None }, None);
    }
    for (number, edge) in found.edges() {
        let from = *copies.entry(edge.from).or_insert_with(|| body.location(cfa.location(edge.from)));
        let op = edge.op.with_terms(&mut |term| renaming.apply(term));
        let origin = old[number.0 as usize];
        let inside = found.members.contains(&edge.to);
        let is_again = found.start(edge.to).filter(|_| inside);
        let to = match (is_again, found.target(edge.to).filter(|_| !inside)) {
            (Some(start), _) => {
                let again = body.location(cfa.location(edge.to));
                let own = |outer: Term| variables.rename.get(&outer).copied().unwrap_or(outer);
                let left = variables.left.as_ref().map(|left| left.term);
                let op = variables.call(id, start, own, left);
                body.edge(Edge { from: again, to: exit, op, place: edge.place }, None);
                again
            }
            (None, Some(target)) => match &variables.left {
                None => exit,
                Some(left) => {
                    let leaving = body.location(cfa.location(edge.to));
                    let op = Op::assign(left.term, bv(CODE_WIDTH, target as u128));
                    body.edge(Edge { from: leaving, to: exit, op, place: edge.place }, None);
                    leaving
                }
            },
            (None, None) => *copies.entry(edge.to).or_insert_with(|| body.location(cfa.location(edge.to))),
        };
        body.edge(Edge { from, to, op, place: edge.place }, origin);
    }
    (Cfa::new(body.locations, body.edges, entry, exit), body.origins)
}

/// The automaton around the loop, with calls in its place; and the variable that takes where the loop was left.
fn outside(
    found: &Loop<'_>,
    variables: &Variables,
    procedure: &Procedure,
    id: ProcId,
    count: u32,
    old: &Origins,
) -> (Cfa, Origins, Option<Variable>) {
    let cfa = found.cfa;
    let (locations, edges, entry, exit) = cfa.clone().into_parts();
    let mut body = Growing { locations, edges: Vec::new(), origins: Vec::new() };
    for (edge, origin) in edges.into_iter().zip(old) {
        if !found.members.contains(&edge.from) {
            body.edge(edge, *origin);
        }
    }
    let left = variables.left.as_ref().map(|_| {
        let name = format!("{}::%left{count}", procedure.name);
        Variable::internal(name.as_str(), Sort::bv(CODE_WIDTH))
    });
    // The start of the loop stays as the place where it is called.
    for (number, start) in found.starts.iter().enumerate() {
        let place = cfa.location(*start).place;
        let op = variables.call(id, number, |outer| outer, left.as_ref().map(|left| left.term));
        let after = match found.targets[..] {
            [only] => only,
            _ => body.location(cfa.location(*start)),
        };
        body.edge(Edge { from: *start, to: after, op, place }, None);
        if let Some(left) = &left {
            for (code, target) in found.targets.iter().enumerate() {
                let op = Op::Assume(eq(left.term, bv(CODE_WIDTH, code as u128)));
                body.edge(Edge { from: after, to: *target, op, place }, None);
            }
        }
    }
    (Cfa::new(body.locations, body.edges, entry, exit), body.origins, left)
}
