//! Cells: maps of which a few elements matter become variables, one for each element.
//!
//! A map from machine integers keeps the elements at some places: at the constants that the program uses as places, and, where
//! places are computed, at the first multiples of an element's size, as many as the object has that the map is of. What is read
//! elsewhere is arbitrary, and what is written elsewhere is forgotten.
//!
//! So this over-approximates, except where places stay among those that are kept: TRUE carries over, and FALSE counts after its
//! replay. Locations and edges stay, and behind them come those that choose what is read elsewhere.

use crate::elements::Elements;
use crate::map_classes::{MapClasses, variables};
use crate::{Identity, Lift, Passed};
use engine::{Proof, Step, Trace};
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::collections::BTreeSet;
use std::sync::Arc;
use term::build::{eq, ite};
use term::subst::substitute;
use term::visit::post_order;
use term::{ArrayValue, Bv, Op as TermOp, Sort, SortKind, Term, Value};

/// A map of an object of unknown size keeps so many elements,
const USUAL: u64 = 8;
/// and any other at most so many.
const MOST: u64 = 64;

/// Makes variables of the elements of maps.
pub fn cells(program: &Program) -> Passed {
    split(program, &maps(program, Which::All))
}

/// The same for maps whose elements are only used at constant places. No location becomes reachable or unreachable by this.
pub fn known_cells(program: &Program) -> Passed {
    split(program, &maps(program, Which::Known))
}

fn split(program: &Program, maps: &Maps) -> Passed {
    if maps.cells.is_empty() {
        return Passed { program: program.clone(), lift: Arc::new(Identity) };
    }
    let mut small = program.clone();
    let split = |declared: &mut Vec<Variable>| {
        *declared = declared.iter().flat_map(|variable| maps.declared(variable)).collect();
    };
    split(&mut small.globals);
    small.procedures.iter_mut().for_each(|procedure| split(&mut procedure.locals));
    let mut lift = Back { edges: Vec::new(), havocs: FxHashMap::default(), cells: FxHashMap::default() };
    for (map, cells) in &maps.cells {
        lift.cells.extend(cells.iter().map(|(place, cell)| (*cell, (*map, *place))));
    }
    for (number, procedure) in small.procedures.iter_mut().enumerate() {
        let Ok(body) = &procedure.body else {
            lift.edges.push(0);
            continue;
        };
        let (mut locations, mut edges, entry, exit) = body.clone().into_parts();
        lift.edges.push(edges.len());
        let mut chosen: Vec<Edge> = Vec::new();
        for (edge, id) in edges.iter_mut().zip(0..) {
            let mut elsewhere_read = Vec::new();
            if let Op::Havoc(variables) = &edge.op {
                lift.havocs.insert((ProcId(number as u32), EdgeId(id)), variables.clone());
            }
            edge.op = maps.operation(&edge.op, &mut elsewhere_read);
            if elsewhere_read.is_empty() {
                continue;
            }
            let here = LocId(locations.len() as u32);
            locations.push(Location {
                label: None,
                kind: LocationKind::Plain,
                ..locations[edge.from.0 as usize].clone()
            });
            let own = |(number, sort): (usize, &Sort)| elsewhere(procedure.name, number, *sort);
            let variables: Vec<Variable> = elsewhere_read.iter().enumerate().map(own).collect();
            let mut rename = FxHashMap::default();
            for (number, variable) in variables.iter().enumerate() {
                rename.insert(placeholder(number, variable.sort()), variable.term);
                if !procedure.locals.iter().any(|local| local.term == variable.term) {
                    procedure.locals.push(variable.clone());
                }
            }
            edge.op = edge.op.with_terms(&mut |term| substitute(term, |variable| rename.get(&variable).copied()));
            let havoc = Op::Havoc(variables.iter().map(|variable| variable.term).collect());
            chosen.push(Edge { to: here, op: havoc, ..edge.clone() });
            edge.from = here;
        }
        edges.extend(chosen);
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    Passed { program: small, lift: Arc::new(lift) }
}

/// What an edge reads elsewhere, before the procedure is known.
fn placeholder(number: usize, sort: Sort) -> Term {
    Term::var(format!("$elsewhere{number}").as_str(), sort)
}

fn elsewhere(procedure: Symbol, number: usize, sort: Sort) -> Variable {
    Variable::internal(format!("{procedure}::$elsewhere{number}:{sort}").as_str(), sort)
}

/// The maps whose elements become variables: by their places.
struct Maps {
    cells: FxHashMap<Term, Vec<(Bv, Term)>>,
    classes: MapClasses,
    kept: FxHashSet<usize>,
}

impl Maps {
    fn declared(&self, variable: &Variable) -> Vec<Variable> {
        let Some(cells) = self.cells.get(&variable.term) else { return vec![variable.clone()] };
        cells.iter().map(|(_, cell)| Variable { term: *cell, ..variable.clone() }).collect()
    }
}

/// Which maps get cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// Those of classes whose elements are only used at constant places.
    Known,
}

/// The maps of classes that are not refused, with the places that their classes keep.
fn maps(program: &Program, which: Which) -> Maps {
    let classes = MapClasses::new(program);
    let sizes: FxHashMap<&str, u64> =
        program.objects.iter().map(|object| (object.name.as_str(), object.size)).collect();
    let mut constants: FxHashMap<usize, BTreeSet<Bv>> = FxHashMap::default();
    let mut computed: FxHashSet<usize> = FxHashSet::default();
    for term in post_order(program.edges().flat_map(|edge| edge.op.terms())) {
        let (TermOp::Select | TermOp::Store, [map, place, ..]) = (term.op(), term.args()) else { continue };
        let Some(class) = classes.class(*map) else { continue };
        match place.value() {
            Some(Value::Bv(place)) => {
                constants.entry(class).or_default().insert(*place);
            }
            _ => {
                computed.insert(class);
            }
        }
    }
    // How many elements the largest map of a class has.
    let mut counts: FxHashMap<usize, u64> = FxHashMap::default();
    let kept = |variable: &Variable| {
        classes.class(variable.term).filter(|class| which == Which::All || !computed.contains(class))
    };
    for variable in variables(program) {
        let Some(class) = kept(variable) else { continue };
        let size = sizes.get(object_of(variable.name().as_str())).map_or(USUAL, |size| size / bytes(variable.sort()));
        let count = counts.entry(class).or_default();
        *count = size.max(*count);
    }
    let mut cells = FxHashMap::default();
    for variable in variables(program) {
        let (Some(class), SortKind::Array(index, element)) = (kept(variable), variable.sort().kind()) else { continue };
        let Some(width) = index.bv_width() else { continue };
        let mut places = constants.get(&class).cloned().unwrap_or_default();
        if computed.contains(&class) {
            let count = counts.get(&class).copied().unwrap_or(USUAL).min(MOST);
            let bytes = bytes(variable.sort());
            places.extend((0..count).map(|number| Bv::new(width, u128::from(number * bytes))));
        }
        let cell = |place: &Bv| {
            let name = format!("{}[{}]", variable.name(), place.unsigned());
            (*place, Term::var(name.as_str(), *element))
        };
        cells.insert(variable.term, places.iter().map(cell).collect());
    }
    let kept = cells.keys().filter_map(|map| classes.class(*map)).collect();
    Maps { cells, classes, kept }
}

/// How many bytes an element of a map has.
fn bytes(map: Sort) -> u64 {
    let SortKind::Array(_, element) = map.kind() else { return 1 };
    element.bv_width().map_or(1, |bits| u64::from(bits).div_ceil(8))
}

/// The name of the object that a map of memory is of: what memory's split calls `*object@offset`.
fn object_of(name: &str) -> &str {
    let name = name.strip_prefix('*').unwrap_or(name);
    name.rsplit_once('@').map_or(name, |(object, _)| object)
}

impl Maps {
    fn cells(&self, variable: Term) -> Option<&Vec<(Bv, Term)>> {
        self.cells.get(&variable)
    }

    /// Whether a map has cells.
    fn is_kept(&self, map: Term) -> bool {
        self.classes.class(map).is_some_and(|class| self.kept.contains(&class))
    }

    /// An operation without maps; `elsewhere` takes the sorts of what it reads elsewhere.
    fn operation(&self, op: &Op, elsewhere: &mut Vec<Sort>) -> Op {
        let mut elements = Elements::new(
            |map| self.is_kept(map),
            |map, place| self.element(map, place, elsewhere),
            |at, place, value| (eq(at, place), value),
        );
        match op {
            Op::Assign(pairs) => {
                let mut all = Vec::new();
                for (target, value) in pairs {
                    match self.cells(*target) {
                        None => all.push((*target, elements.rewrite(*value))),
                        Some(cells) => {
                            for (place, cell) in cells {
                                all.push((*cell, elements.element(*value, Term::constant(Value::Bv(*place)))));
                            }
                        }
                    }
                }
                all.retain(|(target, value)| target != value);
                Op::Assign(all)
            }
            Op::Assume(condition) => Op::Assume(elements.rewrite(*condition)),
            Op::Havoc(variables) => {
                let cells = |variable: &Term| match self.cells(*variable) {
                    Some(cells) => cells.iter().map(|(_, cell)| *cell).collect(),
                    None => vec![*variable],
                };
                Op::Havoc(variables.iter().flat_map(cells).collect())
            }
            Op::Spawn { procedure, arguments, thread } => {
                let arguments = arguments.iter().map(|argument| elements.rewrite(*argument)).collect();
                Op::Spawn { procedure: *procedure, arguments, thread: *thread }
            }
            Op::AtomicBegin | Op::AtomicEnd | Op::Call { .. } => op.clone(),
        }
    }

    /// What stands at a place of a variable.
    fn element(&self, map: Term, place: Term, elsewhere: &mut Vec<Sort>) -> Term {
        let cells = self.cells(map).map_or(&[][..], Vec::as_slice);
        let known = cells.iter().find(|(at, _)| Term::constant(Value::Bv(*at)) == place);
        if let Some((_, cell)) = known {
            return *cell;
        }
        let SortKind::Array(_, element) = map.sort().kind() else { unreachable!("{map} is no map") };
        elsewhere.push(*element);
        let other = placeholder(elsewhere.len() - 1, *element);
        let here = |at: &Bv| eq(place, Term::constant(Value::Bv(*at)));
        cells.iter().fold(other, |rest, (at, cell)| ite(here(at), *cell, rest))
    }
}

/// The way back.
struct Back {
    /// How many edges procedures had.
    edges: Vec<usize>,
    /// The variables that edges havoced.
    havocs: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
    /// The map and the place of cells.
    cells: FxHashMap<Term, (Term, Bv)>,
}

impl Back {
    fn map(&self, map: Term, elements: impl Iterator<Item = (Bv, Value)>) -> Option<Value> {
        let SortKind::Array(index, element) = map.sort().kind() else { return None };
        let mut array = ArrayValue::constant(*index, Value::zero(*element)?);
        elements.for_each(|(place, value)| array.set(Value::Bv(place), value));
        Some(Value::Array(Arc::new(array)))
    }

    fn values(&self, variables: &[Term], values: &[Value]) -> Vec<Value> {
        let mut values = values.iter().cloned();
        let mut cells: FxHashMap<Term, Vec<Bv>> = FxHashMap::default();
        for (map, place) in self.cells.values() {
            cells.entry(*map).or_default().push(*place);
        }
        let value = |variable: &Term| match cells.get_mut(variable) {
            None => values.next(),
            Some(places) => {
                places.sort_unstable();
                let own: Vec<(Bv, Value)> = places.iter().copied().zip(values.by_ref()).collect();
                self.map(*variable, own.into_iter())
            }
        };
        variables.iter().filter_map(value).collect()
    }

    fn variables(&self, values: Vec<(Term, Value)>) -> Vec<(Term, Value)> {
        let mut maps: Vec<(Term, Vec<(Bv, Value)>)> = Vec::new();
        let mut others = Vec::new();
        for (variable, value) in values {
            match self.cells.get(&variable) {
                None => others.push((variable, value)),
                Some((map, place)) => match maps.iter_mut().find(|(known, _)| known == map) {
                    Some((_, elements)) => elements.push((*place, value)),
                    None => maps.push((*map, vec![(*place, value)])),
                },
            }
        }
        others.extend(maps.into_iter().filter_map(|(map, elements)| Some((map, self.map(map, elements.into_iter())?))));
        others
    }
}

impl Lift for Back {
    fn trace(&self, trace: Trace) -> Trace {
        let step = |step: Step| {
            let (procedure, edge) = self.edge(step.procedure, step.edge)?;
            let values = match self.havocs.get(&(procedure, edge)) {
                Some(variables) => self.values(variables, &step.values),
                None => step.values,
            };
            Some(Step { values, locals: self.variables(step.locals), ..step })
        };
        let steps = trace.steps.into_iter().filter_map(step).collect();
        Trace { initial: self.variables(trace.initial), steps, ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        (proof == Proof::Unconnected).then_some(proof)
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        ((edge.0 as usize) < self.edges[procedure.0 as usize]).then_some((procedure, edge))
    }
}
