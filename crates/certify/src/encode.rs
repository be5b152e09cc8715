//! A part of an automaton as a formula.
//!
//! The part is what can be reached from a location without passing another location of a given set (the cuts). Each
//! location in it gets a Boolean variable that says whether the execution comes there, and each edge one that says whether it is
//! taken; where edges meet, a variable that may differ gets a new copy. So a model of the formula is one execution.

use ir::{Cfa, EdgeId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{and, eq, implies, or, truth};
use term::subst::rename;
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
    /// The copies of the variables here.
    instances: FxHashMap<Term, u32>,
}

impl End {
    /// A formula over program variables, read here.
    pub fn read(&self, formula: Term) -> Term {
        at(formula, &self.instances)
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
    at(formula, &FxHashMap::default())
}

/// Copies count from 1, so that they differ from the program's own variables.
fn at(formula: Term, instances: &FxHashMap<Term, u32>) -> Term {
    rename(formula, |variable| instances.get(&variable).copied().unwrap_or(1))
}

/// The part that starts at `start` and ends at the cuts, and where no edge goes on.
pub fn part(cfa: &Cfa, start: LocId, cuts: &FxHashSet<LocId>) -> Result<Part, NoFormula> {
    let order = order(cfa, start, cuts)?;
    let mut encoder = Encoder { copies: FxHashMap::default(), conjuncts: Vec::new() };
    let mut incoming: FxHashMap<LocId, Vec<Arrival>> = FxHashMap::default();
    let mut ends = Vec::new();
    let departure = End { location: start, reached: truth(), instances: FxHashMap::default() };
    encoder.leave(cfa, &departure, &mut incoming)?;
    for location in order {
        let arrivals = incoming.remove(&location).unwrap_or_default();
        let here = encoder.meet(location, arrivals);
        if cuts.contains(&location) || cfa.outgoing(location).is_empty() {
            ends.push(here);
        } else {
            encoder.leave(cfa, &here, &mut incoming)?;
        }
    }
    ends.sort_by_key(|end| end.location);
    Ok(Part { formula: and(encoder.conjuncts), ends })
}

/// An edge that was taken to a location, and the copies of the variables after it.
struct Arrival {
    taken: Term,
    instances: FxHashMap<Term, u32>,
}

struct Encoder {
    /// How many copies of a variable there are.
    copies: FxHashMap<Term, u32>,
    conjuncts: Vec<Term>,
}

impl Encoder {
    fn copy(&mut self, variable: Term) -> u32 {
        let copies = self.copies.entry(variable).or_insert(1);
        *copies += 1;
        *copies
    }

    /// Encodes the edges that leave a location.
    fn leave(&mut self, cfa: &Cfa, here: &End, to: &mut FxHashMap<LocId, Vec<Arrival>>) -> Result<(), NoFormula> {
        for &id in cfa.outgoing(here.location) {
            let edge = cfa.edge(id);
            let taken = flag(&format!("edge {}", id.0));
            let mut instances = here.instances.clone();
            let mut holds = vec![here.reached];
            match &edge.op {
                Op::Assign(pairs) => {
                    for (variable, value) in pairs {
                        let copy = self.copy(*variable);
                        holds.push(eq(variable.at_instance(copy), at(*value, &here.instances)));
                        instances.insert(*variable, copy);
                    }
                }
                Op::Assume(condition) => holds.push(at(*condition, &here.instances)),
                Op::Havoc(variables) => {
                    for variable in variables {
                        let copy = self.copy(*variable);
                        instances.insert(*variable, copy);
                    }
                }
                Op::AtomicBegin | Op::AtomicEnd => {}
                Op::Call { .. } | Op::Spawn { .. } => return Err(NoFormula::Call(id)),
            }
            self.conjuncts.push(implies(taken, and(holds)));
            to.entry(edge.to).or_default().push(Arrival { taken, instances });
        }
        Ok(())
    }

    /// Joins what arrives at a location.
    fn meet(&mut self, location: LocId, arrivals: Vec<Arrival>) -> End {
        let reached = flag(&format!("location {}", location.0));
        self.conjuncts.push(implies(reached, or(arrivals.iter().map(|arrival| arrival.taken))));
        let mut instances = FxHashMap::default();
        let changed: FxHashSet<Term> = arrivals.iter().flat_map(|arrival| arrival.instances.keys().copied()).collect();
        for variable in changed {
            let copy_at = |arrival: &Arrival| arrival.instances.get(&variable).copied().unwrap_or(1);
            let first = copy_at(&arrivals[0]);
            if arrivals.iter().all(|arrival| copy_at(arrival) == first) {
                instances.insert(variable, first);
                continue;
            }
            let joint = self.copy(variable);
            for arrival in &arrivals {
                let same = eq(variable.at_instance(joint), variable.at_instance(copy_at(arrival)));
                self.conjuncts.push(implies(arrival.taken, same));
            }
            instances.insert(variable, joint);
        }
        End { location, reached, instances }
    }
}

/// A Boolean variable that no program has.
fn flag(name: &str) -> Term {
    Term::new(TermOp::Var { name: format!(" {name}").as_str().into(), instance: 0, sort: Sort::bool() }, &[])
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
