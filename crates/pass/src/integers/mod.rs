//! The integers view: machine integers become mathematical ones.
//!
//! A variable of n bits becomes an integer that is read with or without sign ([`readings`]); arrays of machine integers become
//! arrays of integers. What wraps around is told in the terms, as a case distinction or a remainder, wherever intervals do not
//! exclude it ([`number`]); a sum of many wraps once, where it is read. Bitwise operators, shifts and conversions are calculated
//! where constants or ranges allow it ([`bitwise`]). Any other operator stays, between conversions (`IntToBv`, `BvToInt`): what is
//! to become of it is for those to say who use the view. They can also ask for pseudo-inputs in its place ([`Rest`]; "Model Checking
//! Sequential Software Programs Via Mixed Symbolic Analysis", Section 5.5): then the view over-approximates.
//!
//! Variables take arbitrary values in steps of their own: behind such a step, it is assumed that the values are those of a machine
//! integer. The same is assumed of elements of arrays before they are read.
//!
//! Invariants: locations and edges stay, new ones come behind them. An execution of the one program is an execution of the
//! other: with [`Rest::Kept`] the view is exact. Proofs come back as formulas over machine integers that are wide enough not to wrap ([`back`]).

mod back;
mod bitwise;
mod number;
mod readings;
#[cfg(test)]
mod tests;
mod translate;

use crate::Passed;
use analysis::intervals::{self, State};
use analysis::live::Live;
use analysis::retreating::heads;
use back::Back;
use engine::Invariant;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use readings::Readings;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use term::Term;
use term::build::{and, truth};
use translate::{Translator, View, image, in_range, is_representable};

pub use translate::Rest;

/// What has no integers view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoIntegers(pub String);

impl fmt::Display for NoIntegers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no integers view", self.0)
    }
}

/// Makes machine integers mathematical ones, except for variables that shall stay as they are.
pub fn integers(program: &Program, rest: Rest, stays: impl Fn(Term) -> bool) -> Result<Passed, NoIntegers> {
    let view = view(program, rest, stays);
    let mut integral = program.clone();
    let declare = |variables: &mut Vec<Variable>| {
        variables.iter_mut().for_each(|variable| variable.term = view.variable(variable.term));
    };
    declare(&mut integral.globals);
    let (mut chosen, mut presumed) = (FxHashMap::default(), Vec::new());
    for (id, procedure) in program.procedures() {
        let new = &mut integral.procedures[id.0 as usize];
        [&mut new.parameters, &mut new.results, &mut new.locals].into_iter().for_each(declare);
        let Ok(cfa) = &procedure.body else { continue };
        for (edge, known) in cfa.edges() {
            chosen.insert((id, edge), arbitrary(program, &known.op));
        }
        let ranges = Ranges::new(program, id, cfa);
        let (body, inputs) = body(program, id, cfa, &view, &ranges)?;
        new.body = Ok(body);
        new.locals.extend(inputs);
        presumed.extend(ranges.presumed(id, cfa));
    }
    let lift = Back::new(program.clone(), view, chosen, presumed);
    Ok(Passed { program: integral, lift: Arc::new(lift) })
}

fn view(program: &Program, rest: Rest, stays: impl Fn(Term) -> bool) -> View {
    let own = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
    let declared: Vec<Term> = program.globals.iter().chain(own).map(|variable| variable.term).collect();
    let numbers = program.thread_numbers();
    let becomes = |variable: &Term| {
        let is_kept = numbers.contains(variable) || *variable == ir::status() || stays(*variable);
        image(variable.sort()) != variable.sort() && (!is_kept || variable.sort().bv_width().is_none())
    };
    let integers = declared.iter().copied().filter(becomes).collect();
    View { readings: Readings::new(program), integers, declared: declared.into_iter().collect(), rest }
}

/// The variables that take arbitrary values.
fn arbitrary(program: &Program, op: &Op) -> Vec<Term> {
    match op {
        Op::Havoc(variables) => variables.clone(),
        Op::Call { procedure, results, .. } if program.procedure(*procedure).body.is_err() => results.clone(),
        _ => Vec::new(),
    }
}

/// What intervals say of a procedure.
struct Ranges {
    states: Option<intervals::States<State>>,
    none: State,
    live: Live,
}

impl Ranges {
    fn new(program: &Program, procedure: ProcId, cfa: &Cfa) -> Ranges {
        let states = intervals::states(program, procedure, &heads(cfa));
        Ranges { states, none: State::default(), live: Live::new(program, procedure) }
    }

    /// The ranges at a location; nothing is known where control never comes.
    fn at(&self, location: LocId) -> &State {
        self.states.as_ref().and_then(|states| states[location.0 as usize].as_ref()).unwrap_or(&self.none)
    }

    /// What the view relies on.
    fn presumed(&self, procedure: ProcId, cfa: &Cfa) -> Vec<Invariant> {
        let Some(states) = &self.states else { return Vec::new() };
        let all: Vec<LocId> = cfa.locations().map(|(location, _)| location).collect();
        let formulas = intervals::formulas(states, &all, &self.live);
        let fact = |location: LocId| {
            let formula = formulas.get(&location).map_or(truth(), |known| and(known.iter().copied()));
            Invariant { procedure, location, formula }
        };
        all.into_iter().map(fact).collect()
    }
}

/// A body as it is being made: locations and edges are added behind those that were there.
struct Body<'a> {
    locations: Vec<Location>,
    edges: Vec<Edge>,
    view: &'a View,
    live: &'a Live,
}

impl Body<'_> {
    /// A new location before the end of an edge, from where an edge that assumes a condition goes on.
    fn assume_behind(&mut self, edge: EdgeId, condition: Term) {
        if condition == truth() {
            return;
        }
        let between = self.location(edge);
        let to = std::mem::replace(&mut self.edges[edge.0 as usize].to, between);
        let place = self.edges[edge.0 as usize].place;
        self.edges.push(Edge { from: between, to, op: Op::Assume(condition), place });
    }

    /// A new location before the start of an edge, to where an edge with an operation leads.
    fn before(&mut self, edge: EdgeId, op: Op) {
        let between = self.location(edge);
        let from = std::mem::replace(&mut self.edges[edge.0 as usize].from, between);
        let place = self.edges[edge.0 as usize].place;
        self.edges.push(Edge { from, to: between, op, place });
    }

    fn assume_before(&mut self, edge: EdgeId, condition: Term) {
        if condition != truth() {
            self.before(edge, Op::Assume(condition));
        }
    }

    fn location(&mut self, edge: EdgeId) -> LocId {
        let place = self.edges[edge.0 as usize].place;
        self.locations.push(Location { kind: LocationKind::Plain, label: None, place });
        LocId(self.locations.len() as u32 - 1)
    }

    /// That variables which are still read at a location have the values of machine integers.
    fn in_range(&self, variables: impl IntoIterator<Item = Term>, location: LocId) -> Term {
        let read = variables
            .into_iter()
            .filter(|variable| self.view.integers.contains(variable) && self.live.at(location, *variable));
        and(read.filter_map(|variable| {
            let width = variable.sort().bv_width()?;
            Some(in_range(self.view.variable(variable), width, self.view.readings.of(variable)))
        }))
    }
}

/// A procedure's new body, with the pseudo-inputs that it needs.
fn body(
    program: &Program,
    id: ProcId,
    cfa: &Cfa,
    view: &View,
    ranges: &Ranges,
) -> Result<(Cfa, Vec<Variable>), NoIntegers> {
    let (locations, edges, entry, exit) = cfa.clone().into_parts();
    let mut body = Body { locations, edges, view, live: &ranges.live };
    let mut inputs: BTreeSet<Term> = BTreeSet::new();
    for (edge, known) in cfa.edges() {
        let mut translator = Translator::new(view, ranges.at(known.from), program.procedure(id).name);
        let op = operation(program, &known.op, view, &mut translator)?;
        let elements = translator.elements();
        let needed = translator.inputs(&op.terms());
        if !needed.is_empty() {
            inputs.extend(needed.iter().map(|(input, _)| *input));
            body.before(edge, Op::Havoc(needed.iter().map(|(input, _)| *input).collect()));
            body.assume_before(edge, and(needed.iter().map(|(_, within)| *within)));
        }
        body.edges[edge.0 as usize].op = match op {
            Op::Assume(condition) => Op::Assume(and([condition, elements])),
            op => {
                body.assume_before(edge, elements);
                op
            }
        };
        let chosen = arbitrary(program, &known.op);
        body.assume_behind(edge, body.in_range(chosen, known.to));
    }
    let own = program.procedure(id);
    let mut first: Vec<&Variable> = own.locals.iter().chain(&own.results).collect();
    if id == program.entry {
        first.extend(program.globals.iter().chain(&own.parameters));
    }
    let condition = body.in_range(first.iter().map(|variable| variable.term), entry);
    if condition != truth() {
        let place = body.locations[entry.0 as usize].place;
        body.locations.push(Location { kind: LocationKind::Plain, label: None, place });
        let inside = LocId(body.locations.len() as u32 - 1);
        body.edges.iter_mut().filter(|edge| edge.from == entry).for_each(|edge| edge.from = inside);
        body.edges.push(Edge { from: entry, to: inside, op: Op::Assume(condition), place });
    }
    let declare = |input: Term| Variable::internal(input.name().expect("a variable"), input.sort());
    Ok((Cfa::new(body.locations, body.edges, entry, exit), inputs.into_iter().map(declare).collect()))
}

fn operation(program: &Program, op: &Op, view: &View, values: &mut Translator<'_>) -> Result<Op, NoIntegers> {
    let variables = |old: &[Term]| old.iter().map(|variable| view.variable(*variable)).collect::<Vec<Term>>();
    let mut passed = |arguments: &[Term], procedure: ProcId| {
        let parameters = &program.procedure(procedure).parameters;
        let place = |position: usize| parameters.get(position).map(|parameter| parameter.term);
        let value =
            |(position, argument): (usize, &Term)| values.value(*argument, place(position).unwrap_or(*argument));
        arguments.iter().enumerate().map(value).collect::<Result<Vec<Term>, NoIntegers>>()
    };
    Ok(match op {
        Op::Assign(pairs) => {
            let mut new = Vec::new();
            // Of values that nobody looks at none is kept.
            let is_kept = |variable: Term| view.rest == Rest::Kept || is_representable(variable.sort());
            for (variable, value) in pairs.iter().filter(|(variable, _)| is_kept(*variable)) {
                new.push((view.variable(*variable), values.value(*value, *variable)?));
            }
            Op::Assign(new)
        }
        Op::Assume(condition) => Op::Assume(values.condition(*condition)?),
        Op::Havoc(chosen) => Op::Havoc(variables(chosen)),
        Op::Call { procedure, arguments, results } => {
            let callee = &program.procedure(*procedure).results;
            let differs = |(given, taken): (&Variable, &Term)| {
                view.integers.contains(&given.term) != view.integers.contains(taken)
            };
            if callee.iter().zip(results).any(differs) {
                return Err(NoIntegers("a call whose result stays a machine integer".to_string()));
            }
            Op::Call { procedure: *procedure, arguments: passed(arguments, *procedure)?, results: variables(results) }
        }
        Op::Spawn { procedure, arguments, thread } => {
            Op::Spawn { procedure: *procedure, arguments: passed(arguments, *procedure)?, thread: *thread }
        }
        Op::AtomicBegin => Op::AtomicBegin,
        Op::AtomicEnd => Op::AtomicEnd,
    })
}
