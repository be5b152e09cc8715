//! The automaton of a thread entry and of all that it calls, each body once.

use super::Origin;
use super::stack::Stacks;
use crate::bound::Bound;
use crate::inline::{callees, calls, first_values, recursive};
use analysis::component::components_of;
use analysis::live::Live;
use faults::Fault;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Place;
use term::build::{bv, bv_add, bv_sub, bv_ule, eq, not};
use term::subst::substitute;
use term::{Sort, Term};

/// The width of the numbers that count activations.
const DEPTH_WIDTH: u32 = 16;
/// The return point of a thread's entry: the end of the thread.
const THREAD: u32 = 0;

pub struct Merge<'a> {
    program: &'a Program,
    /// The new numbers of thread entries.
    number: &'a FxHashMap<ProcId, ProcId>,
    bound: Bound,
    recursive: FxHashSet<ProcId>,
    /// Which circle of calls a procedure belongs to.
    circle: FxHashMap<ProcId, usize>,
    /// How many thread entries came to a procedure so far.
    copies: FxHashMap<ProcId, u32>,
    /// What the program before calls variables that have other names.
    names: FxHashMap<Term, Term>,
}

/// A procedure as a thread entry has it.
struct Merged {
    rename: FxHashMap<Term, Term>,
    /// Where calls lead.
    start: LocId,
    /// The copies of its locations.
    places: Vec<LocId>,
    exit: LocId,
    /// The variable `rtr`, if there are several return points.
    rtr: Option<Term>,
    /// How many return points were given out.
    returns: u32,
    /// How many activations there are, if it is recursive.
    depth: Option<Term>,
}

/// The automaton as it grows.
#[derive(Default)]
struct Growing {
    locations: Vec<Location>,
    edges: Vec<Edge>,
    origins: Vec<Origin>,
    locals: Vec<Variable>,
    stacks: Stacks,
}

impl Growing {
    fn location(&mut self, location: Location) -> LocId {
        self.locations.push(location);
        LocId(self.locations.len() as u32 - 1)
    }

    fn between(&mut self, place: Option<Place>) -> LocId {
        self.location(Location { kind: LocationKind::Plain, label: None, place })
    }

    fn edge(&mut self, (from, to): (LocId, LocId), op: Op, place: Option<Place>, origin: Origin) {
        self.edges.push(Edge { from, to, op, place });
        self.origins.push(origin);
    }

    /// Begins with stacks whose places are free, and with no activation that counts.
    fn empty_stacks(&mut self, entry: LocId, depths: impl Iterator<Item = Term>) {
        let mut free = self.stacks.free();
        free.extend(depths.map(|depth| (depth, number(depth, 0))));
        if !free.is_empty() {
            let start = self.location(self.locations[entry.0 as usize].clone());
            self.edges.iter_mut().filter(|edge| edge.from == entry).for_each(|edge| edge.from = start);
            self.edge((entry, start), Op::Assign(free), None, Origin::None);
        }
    }

    fn declare(&mut self, name: &str, sort: Sort) -> Term {
        let variable = Variable::internal(name, sort);
        let term = variable.term;
        self.locals.push(variable);
        term
    }
}

/// A call as an edge of a merged body.
struct Call<'e> {
    caller: ProcId,
    callee: ProcId,
    edge: &'e Edge,
    id: EdgeId,
    arguments: &'e [Term],
    results: &'e [Term],
}

impl<'a> Merge<'a> {
    pub fn new(program: &'a Program, number: &'a FxHashMap<ProcId, ProcId>, bound: Bound) -> Merge<'a> {
        let circles = components_of(&callees(program)).into_iter().enumerate();
        let of = |(circle, members): (usize, Vec<usize>)| {
            members.into_iter().map(move |member| (ProcId(member as u32), circle)).collect::<Vec<_>>()
        };
        let (copies, names) = (FxHashMap::default(), FxHashMap::default());
        let circle = circles.flat_map(of).collect();
        Merge { program, number, bound, recursive: recursive(program), circle, copies, names }
    }

    pub fn into_names(self) -> FxHashMap<Term, Term> {
        self.names
    }

    /// The procedure without calls.
    pub fn run(&mut self, root: ProcId) -> (Procedure, Vec<Origin>) {
        let old = self.program.procedure(root);
        let Ok(body) = &old.body else { return (old.clone(), Vec::new()) };
        let mut growing = Growing::default();
        let entry = growing.location(body.location(body.entry()).clone());
        let exit = growing.location(body.location(body.exit()).clone());
        let members = self.members(root);
        let mut returns: FxHashMap<ProcId, u32> = FxHashMap::default();
        members.iter().flat_map(|member| calls(self.program, *member)).for_each(|callee| {
            *returns.entry(callee).or_default() += 1;
        });
        let mut merged: FxHashMap<ProcId, Merged> = FxHashMap::default();
        for member in &members {
            // Who is not called can only be the root.
            let ends = returns.get(member).map_or((entry, exit, 0), |called| {
                let own = self.program.procedure(*member).body.as_ref().expect("members have a body");
                let mut copy = |location| growing.location(own.location(location).clone());
                (copy(own.entry()), copy(own.exit()), *called + u32::from(*member == root))
            });
            let declared = self.declare(*member, root, ends, &mut growing);
            merged.insert(*member, declared);
        }
        if returns.contains_key(&root) {
            self.begin(root, &merged, (entry, exit), &mut growing);
        }
        for member in &members {
            self.body(*member, &mut merged, &mut growing);
        }
        let depths = members.iter().filter_map(|member| merged[member].depth);
        growing.empty_stacks(entry, depths);
        let Growing { locations, edges, origins, mut locals, stacks } = growing;
        locals.extend(stacks.into_declared());
        let renamed = |variables: &[Variable]| self.renamed(variables, &merged[&root].rename);
        let (parameters, results) = (renamed(&old.parameters), renamed(&old.results));
        let body = Ok(Cfa::new(locations, edges, entry, exit));
        (Procedure { parameters, results, locals, body, ..old.clone() }, origins)
    }

    /// The procedures that a thread entry leads to, itself first.
    fn members(&self, root: ProcId) -> Vec<ProcId> {
        let mut members = vec![root];
        let mut next = 0;
        while let Some(member) = members.get(next).copied() {
            for callee in calls(self.program, member) {
                if !members.contains(&callee) && self.program.procedure(callee).body.is_ok() {
                    members.push(callee);
                }
            }
            next += 1;
        }
        members
    }

    fn renamed(&self, variables: &[Variable], rename: &FxHashMap<Term, Term>) -> Vec<Variable> {
        let renamed = |variable: &Variable| Variable {
            term: rename.get(&variable.term).copied().unwrap_or(variable.term),
            ..variable.clone()
        };
        variables.iter().map(renamed).collect()
    }

    /// Declares the variables of a procedure, and makes copies of its locations.
    fn declare(
        &mut self,
        id: ProcId,
        root: ProcId,
        (entry, exit, returns): (LocId, LocId, u32),
        growing: &mut Growing,
    ) -> Merged {
        let procedure = self.program.procedure(id);
        let body = procedure.body.as_ref().expect("members have a body");
        let copy = self.copies.entry(id).or_default();
        *copy += 1;
        let suffix = if *copy > 1 { format!("%{copy}") } else { String::new() };
        let is_recursive = self.recursive.contains(&id);
        let mut rename = FxHashMap::default();
        for variable in procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals) {
            let old = variable.name();
            // Objects of several activations live at a time.
            let name = if is_recursive { old.as_str().replace("::&", "::@&") } else { old.to_string() };
            let name = format!("{name}{suffix}");
            if name != old.as_str() {
                let new = Term::var(name.as_str(), variable.sort());
                rename.insert(variable.term, new);
                self.names.insert(new, variable.term);
            }
        }
        // The root's own parameters and results stay where they are.
        let all = [&procedure.parameters, &procedure.results].into_iter().filter(|_| id != root);
        for variables in all.chain([&procedure.locals]) {
            growing.locals.extend(self.renamed(variables, &rename));
        }
        let width = (u32::BITS - returns.leading_zeros()).max(1);
        let named = |what: &str| format!("{}::%{what}{suffix}", procedure.name);
        let rtr = (returns > 1).then(|| growing.declare(&named("rtr"), Sort::bv(width)));
        let depth = is_recursive.then(|| growing.declare(&named("depth"), Sort::bv(DEPTH_WIDTH)));
        // A new activation's variables are arbitrary, those of a thread's entry already are.
        let first = if returns > 0 { first_values(self.program, id) } else { Vec::new() };
        let inside =
            if first.is_empty() { entry } else { growing.location(growing.locations[entry.0 as usize].clone()) };
        if !first.is_empty() {
            let chosen = first.iter().map(|variable| rename.get(variable).copied().unwrap_or(*variable)).collect();
            growing.edge((entry, inside), Op::Havoc(chosen), procedure.place, Origin::FirstValues(first));
        }
        let place = |(location, known): (LocId, &Location)| match location {
            _ if location == body.entry() => inside,
            _ if location == body.exit() => exit,
            _ => growing.location(known.clone()),
        };
        let places = body.locations().map(place).collect();
        Merged { rename, start: entry, places, exit, rtr, returns: 0, depth }
    }

    /// Leads from the entry of a thread to a root that is called as well, and back.
    fn begin(
        &self,
        root: ProcId,
        merged: &FxHashMap<ProcId, Merged>,
        (entry, exit): (LocId, LocId),
        growing: &mut Growing,
    ) {
        let own = &merged[&root];
        let body = self.program.procedure(root).body.as_ref().expect("the root has a body");
        let mut pairs = self.activate(root, merged);
        pairs.extend(own.rtr.map(|rtr| (rtr, number(rtr, THREAD))));
        growing.edge((entry, own.places[body.entry().0 as usize]), Op::Assign(pairs), None, Origin::None);
        let op = own.rtr.map_or(Op::skip(), |rtr| Op::Assume(eq(rtr, number(rtr, THREAD))));
        growing.edge((own.exit, exit), op, None, Origin::None);
    }

    /// What counts the first activation of a circle of calls: there is no other.
    fn activate(&self, callee: ProcId, merged: &FxHashMap<ProcId, Merged>) -> Vec<(Term, Term)> {
        let circle = self.circle[&callee];
        let mut counted: Vec<(ProcId, Term)> = merged
            .iter()
            .filter(|(id, _)| self.circle[id] == circle)
            .filter_map(|(id, own)| Some((*id, own.depth?)))
            .collect();
        counted.sort_unstable_by_key(|(id, _)| *id);
        counted.into_iter().map(|(id, depth)| (depth, number(depth, u32::from(id == callee)))).collect()
    }

    fn body(&self, id: ProcId, merged: &mut FxHashMap<ProcId, Merged>, growing: &mut Growing) {
        let body = self.program.procedure(id).body.as_ref().expect("members have a body");
        let live = self.recursive.contains(&id).then(|| Live::new(self.program, id));
        for (edge_id, edge) in body.edges() {
            let own = &merged[&id];
            let new = |term: Term| substitute(term, |variable| own.rename.get(&variable).copied());
            let ends = (own.places[edge.from.0 as usize], own.places[edge.to.0 as usize]);
            let origin = Origin::Edge(id, edge_id);
            let op = match &edge.op {
                Op::Call { procedure, arguments, results } if self.program.procedure(*procedure).body.is_ok() => {
                    let call = Call { caller: id, callee: *procedure, edge, id: edge_id, arguments, results };
                    self.call(&call, live.as_ref(), merged, growing);
                    continue;
                }
                Op::Call { results, .. } => Op::Havoc(results.iter().map(|result| new(*result)).collect()),
                Op::Spawn { procedure, arguments, thread } => Op::Spawn {
                    procedure: self.number[procedure],
                    arguments: arguments.iter().map(|argument| new(*argument)).collect(),
                    thread: new(*thread),
                },
                op => op.with_terms(&mut |term| new(term)),
            };
            growing.edge(ends, op, edge.place, origin);
        }
    }

    fn call(
        &self,
        call: &Call<'_>,
        live: Option<&Live>,
        merged: &mut FxHashMap<ProcId, Merged>,
        growing: &mut Growing,
    ) {
        let place = call.edge.place;
        let returns = merged.get_mut(&call.callee).map(|callee| {
            callee.returns += 1;
            callee.returns
        });
        let (caller, callee) = (&merged[&call.caller], &merged[&call.callee]);
        let renamed = |term: Term, own: &Merged| substitute(term, |variable| own.rename.get(&variable).copied());
        let declared = self.program.procedure(call.callee);
        let parameters = declared.parameters.iter().map(|parameter| renamed(parameter.term, callee));
        let mut enter: Vec<(Term, Term)> =
            parameters.zip(call.arguments.iter().map(|argument| renamed(*argument, caller))).collect();
        let returned = declared.results.iter().map(|result| renamed(result.term, callee));
        let results: Vec<Term> = call.results.iter().map(|result| renamed(*result, caller)).collect();
        let mut leave: Vec<(Term, Term)> = results.iter().copied().zip(returned).collect();
        let mut from = caller.places[call.edge.from.0 as usize];
        let is_again = self.circle[&call.caller] == self.circle[&call.callee];
        match callee.depth {
            Some(depth) if is_again => {
                let has_room = bv_ule(depth, number(depth, self.bound.number as u32));
                let beyond = growing.location(self.bound.location(place));
                let within = growing.between(place);
                growing.edge((from, beyond), Op::Assume(not(has_room)), place, Origin::None);
                growing.edge((from, within), Op::Assume(has_room), place, Origin::None);
                from = within;
                enter.push((depth, bv_add(depth, number(depth, 1))));
                leave.push((depth, bv_sub(depth, number(depth, 1))));
                let mut saved = self.saved(call, live, caller);
                saved.retain(|variable| !results.contains(variable));
                // Of the caller's activations the last one is not saved, if nobody else is in the circle.
                let circle = self.circle[&call.caller];
                let others = self.circle.values().filter(|other| **other == circle).count() > 1;
                let places = self.bound.number as usize + usize::from(others);
                enter.extend(growing.stacks.push(&saved, places));
                leave.extend(growing.stacks.pop(&saved, places));
            }
            _ => enter.extend(self.activate(call.callee, merged)),
        }
        let mut back = callee.exit;
        if let (Some(rtr), Some(point)) = (callee.rtr, returns) {
            let point = if faults::is(Fault::SharedReturnPoint) { 1 } else { point };
            enter.push((rtr, number(rtr, point)));
            let chosen = growing.between(place);
            growing.edge((back, chosen), Op::Assume(eq(rtr, number(rtr, point))), place, Origin::None);
            back = chosen;
        }
        let to = caller.places[call.edge.to.0 as usize];
        growing.edge((from, callee.start), Op::Assign(enter), place, Origin::Edge(call.caller, call.id));
        growing.edge((back, to), Op::Assign(leave), place, Origin::None);
    }

    /// What the caller still reads behind a call of its own circle: all that may be overwritten until then.
    fn saved(&self, call: &Call<'_>, live: Option<&Live>, caller: &Merged) -> Vec<Term> {
        let declared = self.program.procedure(call.caller);
        let own = declared.parameters.iter().chain(&declared.results).chain(&declared.locals);
        // At the end of the entry nothing counts as live, but another activation of it may read its results.
        let is_read = |variable: Term| {
            let at_exit = call.caller == self.program.entry && declared.results.iter().any(|v| v.term == variable);
            at_exit || live.is_none_or(|live| live.at(call.edge.to, variable))
        };
        let read = own.map(|variable| variable.term).filter(|variable| is_read(*variable));
        read.map(|variable| caller.rename.get(&variable).copied().unwrap_or(variable)).chain(caller.rtr).collect()
    }
}

/// A number of the sort of a variable.
fn number(variable: Term, number: u32) -> Term {
    bv(variable.sort().bv_width().expect("a bit-vector"), number.into())
}
