//! All executions from a location, unwound block by block.
//!
//! After each number of blocks there is one [`Point`] for each location that executions may have come to: a condition that says
//! whether, and the values of variables there, as terms over the first values and over inputs. So what a program computes
//! without inputs is computed here, and costs a solver nothing.
//!
//! Invariant: an execution of n blocks that ends at a location exists just if the condition of the location's point
//! after n blocks can hold. Where ways meet, a variable of its own chooses between them: conditions of several ways may hold
//! at once, since a program may choose too.

use blocks::model::{Model, ModelBlock};
use ir::{LocId, LocationKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::build::{and, falsehood, ite, not, or, truth};
use term::subst::Substitution;
use term::{Sort, Term};

/// The first values of variables have this instance.
const FIRST: u32 = 1;

/// Where executions may be after some number of blocks.
pub struct Point {
    /// Whether the execution comes here.
    pub reached: Term,
    values: Values,
    /// The ways that lead here.
    arrivals: Vec<Arrival>,
}

/// The values of those variables that are not as they were at first.
type Values = FxHashMap<Term, Term>;

/// A way to a point.
struct Arrival {
    from: LocId,
    /// Which of the blocks there was taken.
    block: usize,
    /// Whether it was.
    taken: Term,
    /// As they are behind the block.
    values: Values,
}

/// The points that executions from one location come to.
pub struct Unwinding<'a> {
    model: &'a Model<'a>,
    /// After no block, one block and so on.
    steps: Vec<BTreeMap<LocId, Point>>,
}

impl<'a> Unwinding<'a> {
    /// Nothing is known of the values at the start.
    pub fn new(model: &'a Model<'a>, start: LocId) -> Unwinding<'a> {
        let point = Point { reached: truth(), values: Values::default(), arrivals: Vec::new() };
        Unwinding { model, steps: vec![BTreeMap::from([(start, point)])] }
    }

    /// How many blocks are unwound.
    pub fn depth(&self) -> usize {
        self.steps.len() - 1
    }

    /// The points after all blocks that are unwound.
    pub fn points(&self) -> &BTreeMap<LocId, Point> {
        &self.steps[self.depth()]
    }

    /// The condition that executions are at one of the locations now.
    pub fn at(&self, is_asked: impl Fn(LocationKind) -> bool) -> Term {
        let points = self.points().iter();
        or(points.filter(|(l, _)| is_asked(self.model.cfa.location(**l).kind)).map(|(_, point)| point.reached))
    }

    /// Whether no execution goes on from here.
    pub fn is_at_end(&self) -> bool {
        self.points().keys().all(|location| self.model.outgoing(*location).is_empty())
    }

    /// Forgets the points whose conditions cannot hold, as somebody finds out, of those that executions go on from.
    pub fn retain(&mut self, mut can_hold: impl FnMut(Term) -> bool) {
        let (model, depth) = (self.model, self.depth());
        self.steps[depth].retain(|location, point| !model.outgoing(*location).is_empty() && can_hold(point.reached));
    }

    /// One more block.
    pub fn unwind(&mut self) {
        let mut arriving: BTreeMap<LocId, Vec<Arrival>> = BTreeMap::new();
        for (from, point) in self.points() {
            let mut reading = self.reading(*from, &point.values);
            for (number, block) in self.model.outgoing(*from).iter().enumerate() {
                let ModelBlock { op: Some(op), .. } = block else { continue };
                let guard = op.conjuncts().iter().map(|conjunct| reading.apply(*conjunct));
                let taken = and(std::iter::once(point.reached).chain(guard));
                if taken == falsehood() {
                    continue;
                }
                let mut values = point.values.clone();
                values.retain(|variable, _| self.model.are_live(block.to(), &[*variable]));
                values.extend(op.update().iter().map(|(variable, value)| (*variable, reading.apply(*value))));
                arriving.entry(block.to()).or_default().push(Arrival { from: *from, block: number, taken, values });
            }
        }
        let points = arriving.into_iter().map(|(location, arrivals)| (location, self.meet(location, arrivals)));
        let points = points.collect();
        self.steps.push(points);
    }

    /// Reads terms of the blocks that leave a point. What they choose has a new instance with every step: of the points
    /// after a step, an execution is at one.
    fn reading<'v>(&self, from: LocId, values: &'v Values) -> Substitution<impl FnMut(Term) -> Option<Term> + 'v> {
        let operations = self.model.outgoing(from).iter().filter_map(|block| block.op.as_ref());
        let inputs: FxHashSet<Term> = operations.flat_map(|op| op.inputs()).copied().collect();
        let step = self.steps.len() as u32 + FIRST;
        Substitution::new(move |variable: Term| {
            let instance = if inputs.contains(&variable) { step } else { FIRST };
            Some(values.get(&variable).copied().unwrap_or_else(|| variable.at_instance(instance)))
        })
    }

    /// Joins ways to a location.
    fn meet(&self, location: LocId, arrivals: Vec<Arrival>) -> Point {
        let is_plain = self.model.cfa.location(location).kind == LocationKind::Plain;
        if arrivals.len() == 1 || !is_plain {
            // Nobody goes on from an error: it does not matter which way was taken.
            let reached = or(arrivals.iter().map(|arrival| arrival.taken));
            let values = arrivals.first().map(|arrival| arrival.values.clone()).unwrap_or_default();
            return Point { reached, values, arrivals };
        }
        let step = self.steps.len() as u32 + FIRST;
        let chosen = |number: usize| {
            let name = format!(" way {number} to {}", location.0);
            Term::var(name.as_str(), Sort::bool()).at_instance(step)
        };
        let last = arrivals.len() - 1;
        let value = |variable: Term, arrival: &Arrival| {
            arrival.values.get(&variable).copied().unwrap_or_else(|| variable.at_instance(FIRST))
        };
        let mut reached = arrivals[last].taken;
        for number in (0..last).rev() {
            reached = ite(chosen(number), arrivals[number].taken, reached);
        }
        let mut values = Values::default();
        for variable in arrivals.iter().flat_map(|arrival| arrival.values.keys()) {
            if values.contains_key(variable) {
                continue;
            }
            let mut joint = value(*variable, &arrivals[last]);
            for number in (0..last).rev() {
                joint = ite(chosen(number), value(*variable, &arrivals[number]), joint);
            }
            values.insert(*variable, joint);
        }
        // The conditions say which way was chosen, for who follows the execution back.
        let mut arrivals = arrivals;
        let mut none_before = truth();
        for (number, arrival) in arrivals.iter_mut().enumerate() {
            let own = if number == last { truth() } else { chosen(number) };
            arrival.taken = and([none_before, own, arrival.taken]);
            none_before = and([none_before, not(own)]);
        }
        Point { reached, values, arrivals }
    }

    /// The blocks of the execution that ends at a location now, as far as `holds` tells which conditions do.
    pub fn path(&self, mut to: LocId, mut holds: impl FnMut(Term) -> bool) -> Option<Vec<&'a ModelBlock>> {
        let mut path = Vec::new();
        for step in self.steps.iter().skip(1).rev() {
            let arrival = step.get(&to)?.arrivals.iter().find(|arrival| holds(arrival.taken))?;
            path.push(&self.model.outgoing(arrival.from)[arrival.block]);
            to = arrival.from;
        }
        path.reverse();
        Some(path)
    }
}
