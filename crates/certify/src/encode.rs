//! A part of an automaton as a formula.
//!
//! The part is what can be reached from a location without passing another location of a given set (the cuts). Each
//! location in it gets a Boolean variable that says whether the execution comes there, and each edge one that says whether it is
//! taken; where edges meet, a variable that may differ gets a new copy, and so does one that an edge assigns something else
//! than a constant or another variable. So a model of the formula is one execution.

use ir::{Cfa, Edge, EdgeId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{and, eq, implies, or, truth};
use term::subst::substitute;
use term::{Op as TermOp, Sort, Term};

/// The part that starts at a location.
pub struct Part {
    /// Holds for every execution of the part.
    pub formula: Term,
    /// Where executions of the part end, in order of location.
    pub ends: Vec<End>,
}

/// A place where the part ends.
pub struct End {
    pub location: LocId,
    /// Whether the execution comes here.
    pub reached: Term,
    values: Values,
}

/// What stands for a variable at some point: a copy of a variable or a constant. A variable that is not named is as it was
/// at the start.
pub(crate) type Values = FxHashMap<Term, Term>;

/// What is encoded for a call: given the point in front of it and the flag that it is passed, the values behind it.
pub(crate) type OnCall<'c> = &'c mut dyn FnMut(&mut Encoder, EdgeId, &Edge, &End, Term) -> Result<Values, NoFormula>;

impl End {
    /// A point where nothing has been encoded yet.
    pub(crate) fn start(location: LocId, reached: Term, values: Values) -> End {
        End { location, reached, values }
    }

    /// Whether the execution comes here, and with which values.
    pub(crate) fn into_parts(self) -> (Term, Values) {
        (self.reached, self.values)
    }

    pub(crate) fn values(&self) -> &Values {
        &self.values
    }

    /// A formula over program variables, read here.
    pub fn read(&self, formula: Term) -> Term {
        at(formula, &self.values)
    }
}

/// Why a part has no formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFormula {
    /// There is a cycle that no cut interrupts, through this location.
    Cycle(LocId),
    /// The edge calls a procedure or starts a thread.
    Call(EdgeId),
}

/// Reads a formula at the start of a part.
pub fn at_start(formula: Term) -> Term {
    at(formula, &Values::default())
}

fn at(formula: Term, values: &Values) -> Term {
    substitute(formula, |variable| Some(value_of(variable, values)))
}

/// Copies count from 1, so that they differ from the program's own variables.
pub(crate) fn value_of(variable: Term, values: &Values) -> Term {
    values.get(&variable).copied().unwrap_or_else(|| variable.at_instance(1))
}

/// The part that starts at `start` and ends at the cuts, and where no edge goes on.
pub fn part(cfa: &Cfa, start: LocId, cuts: &FxHashSet<LocId>) -> Result<Part, NoFormula> {
    let mut encoder = Encoder::default();
    let departure = End { location: start, reached: truth(), values: Values::default() };
    let ends = encoder.part(cfa, departure, cuts, &mut |_, edge, _, _, _| Err(NoFormula::Call(edge)))?;
    Ok(Part { formula: and(encoder.conjuncts), ends })
}

/// An edge that was taken to a location, and the values after it.
struct Arrival {
    from: LocId,
    taken: Term,
    values: Values,
}

/// Encodes parts one after the other: what they make up differs.
#[derive(Default)]
pub(crate) struct Encoder {
    /// How many copies of a variable there are.
    copies: FxHashMap<Term, u32>,
    pub(crate) conjuncts: Vec<Term>,
    dominators: Dominators,
    /// The number of the part at hand.
    scope: u32,
}

impl Encoder {
    /// Encodes the part that starts at a point: where it ends.
    pub(crate) fn part(
        &mut self,
        cfa: &Cfa,
        start: End,
        cuts: &FxHashSet<LocId>,
        on_call: OnCall<'_>,
    ) -> Result<Vec<End>, NoFormula> {
        let order = order(cfa, start.location, cuts)?;
        self.dominators = Dominators { start: start.location, of: FxHashMap::default() };
        self.scope += 1;
        let mut incoming: FxHashMap<LocId, Vec<Arrival>> = FxHashMap::default();
        let mut ends = Vec::new();
        self.leave(cfa, &start, &mut incoming, on_call)?;
        for location in order {
            let arrivals = incoming.remove(&location).unwrap_or_default();
            let here = self.meet(location, arrivals);
            if cuts.contains(&location) || cfa.outgoing(location).is_empty() {
                ends.push(here);
            } else {
                self.leave(cfa, &here, &mut incoming, on_call)?;
            }
        }
        ends.sort_by_key(|end| end.location);
        Ok(ends)
    }

    /// One point for several at the same location: the execution comes to one of them.
    pub(crate) fn join(&mut self, location: LocId, mut points: Vec<End>) -> End {
        if points.len() == 1 {
            return points.remove(0);
        }
        self.scope += 1;
        self.dominators = Dominators { start: location, of: FxHashMap::default() };
        let arrival = |point: End| Arrival { from: location, taken: point.reached, values: point.values };
        self.meet(location, points.into_iter().map(arrival).collect())
    }

    /// A new copy of a variable.
    pub(crate) fn copy(&mut self, variable: Term) -> Term {
        let copies = self.copies.entry(variable).or_insert(1);
        *copies += 1;
        variable.at_instance(*copies)
    }

    /// Encodes the edges that leave a location.
    fn leave(
        &mut self,
        cfa: &Cfa,
        here: &End,
        to: &mut FxHashMap<LocId, Vec<Arrival>>,
        on_call: OnCall<'_>,
    ) -> Result<(), NoFormula> {
        for &id in cfa.outgoing(here.location) {
            let edge = cfa.edge(id);
            let taken = flag(&format!("edge {}", id.0), self.scope);
            let mut values = here.values.clone();
            let mut holds = vec![here.reached];
            match &edge.op {
                Op::Assign(pairs) => {
                    for (variable, value) in pairs {
                        let mut value = at(*value, &here.values);
                        if value.value().is_none() && !value.is_var() {
                            let copy = self.copy(*variable);
                            holds.push(eq(copy, value));
                            value = copy;
                        }
                        values.insert(*variable, value);
                    }
                }
                Op::Assume(condition) => holds.push(at(*condition, &here.values)),
                Op::Havoc(variables) => {
                    for variable in variables {
                        values.insert(*variable, self.copy(*variable));
                    }
                }
                Op::AtomicBegin | Op::AtomicEnd => {}
                Op::Call { .. } => values = on_call(self, id, edge, here, taken)?,
                Op::Spawn { .. } => return Err(NoFormula::Call(id)),
            }
            self.conjuncts.push(implies(taken, and(holds)));
            to.entry(edge.to).or_default().push(Arrival { from: here.location, taken, values });
        }
        Ok(())
    }

    /// Joins what arrives at a location.
    fn meet(&mut self, location: LocId, arrivals: Vec<Arrival>) -> End {
        let reached = reached_flag(location, self.scope);
        self.conjuncts.push(implies(reached, or(arrivals.iter().map(|arrival| arrival.taken))));
        // This follows from the rest, but a solver would have to try every way between the two to see it.
        if let Some(dominator) = self.dominators.add(location, arrivals.iter().map(|arrival| arrival.from)) {
            self.conjuncts.push(implies(reached, reached_flag(dominator, self.scope)));
        }
        let mut values = Values::default();
        let changed: FxHashSet<Term> = arrivals.iter().flat_map(|arrival| arrival.values.keys().copied()).collect();
        for variable in changed {
            let first = value_of(variable, &arrivals[0].values);
            if arrivals.iter().all(|arrival| value_of(variable, &arrival.values) == first) {
                values.insert(variable, first);
                continue;
            }
            let joint = self.copy(variable);
            for arrival in &arrivals {
                self.conjuncts.push(implies(arrival.taken, eq(joint, value_of(variable, &arrival.values))));
            }
            values.insert(variable, joint);
        }
        End { location, reached, values }
    }
}

/// For each location of a part, the last other one that every way to it passes, and how many such there are.
struct Dominators {
    /// Every way passes it and it has no dominator. A part may also end there, which is another point of the execution.
    start: LocId,
    of: FxHashMap<LocId, (LocId, usize)>,
}

impl Default for Dominators {
    fn default() -> Dominators {
        Dominators { start: LocId(0), of: FxHashMap::default() }
    }
}

impl Dominators {
    /// Adds a location that is reached from these, which were added before; its dominator, if that is not the start.
    fn add(&mut self, location: LocId, from: impl Iterator<Item = LocId>) -> Option<LocId> {
        let dominator = from.reduce(|one, other| self.common(one, other))?;
        if location != self.start {
            let depth = self.of.get(&dominator).map_or(0, |(_, depth)| *depth);
            self.of.insert(location, (dominator, depth + 1));
        }
        (dominator != self.start).then_some(dominator)
    }

    /// The last location that every way to one of the two and every way to the other passes.
    fn common(&self, mut one: LocId, mut other: LocId) -> LocId {
        while one != other {
            let (Some((above_one, depth)), Some((above_other, other_depth))) = (self.of.get(&one), self.of.get(&other))
            else {
                return self.start;
            };
            if depth >= other_depth {
                one = *above_one;
            } else {
                other = *above_other;
            }
        }
        one
    }
}

/// Whether the execution comes to a location.
fn reached_flag(location: LocId, scope: u32) -> Term {
    flag(&format!("location {}", location.0), scope)
}

/// A Boolean variable of a part that no program has.
fn flag(name: &str, scope: u32) -> Term {
    Term::new(TermOp::Var { name: format!(" {name}").as_str().into(), instance: scope, sort: Sort::bool() }, &[])
}

/// The locations of a part after its start, each after all that lead to it.
fn order(cfa: &Cfa, start: LocId, cuts: &FxHashSet<LocId>) -> Result<Vec<LocId>, NoFormula> {
    let targets = |from: LocId| cfa.outgoing(from).iter().map(|edge| cfa.edge(*edge).to);
    let goes_on = |location: LocId| !cuts.contains(&location);
    let mut pending: FxHashMap<LocId, usize> = FxHashMap::default();
    let mut stack: Vec<LocId> = targets(start).collect();
    targets(start).for_each(|to| *pending.entry(to).or_default() += 1);
    let mut seen = FxHashSet::default();
    while let Some(location) = stack.pop() {
        if seen.insert(location) && goes_on(location) {
            for to in targets(location) {
                *pending.entry(to).or_default() += 1;
                stack.push(to);
            }
        }
    }
    let mut ready: Vec<LocId> = Vec::new();
    let mut order = Vec::new();
    let mut arrive = |to: LocId, ready: &mut Vec<LocId>| {
        let left = pending.get_mut(&to).expect("every edge was counted");
        *left -= 1;
        if *left == 0 {
            ready.push(to);
        }
    };
    targets(start).for_each(|to| arrive(to, &mut ready));
    while let Some(location) = ready.pop() {
        order.push(location);
        if goes_on(location) {
            targets(location).for_each(|to| arrive(to, &mut ready));
        }
    }
    // Whatever is left waits for itself.
    if order.len() == seen.len() {
        return Ok(order);
    }
    order.iter().for_each(|location| {
        seen.remove(location);
    });
    Err(NoFormula::Cycle(seen.into_iter().min().unwrap_or(start)))
}
