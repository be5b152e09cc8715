//! Intervals: for each integer variable at a location the least and the greatest value, with and without sign.
//!
//! The usual abstract interpretation (Cousot and Cousot): states flow along edges, conditions narrow them, where ways meet they are
//! joined; at locations that cut cycles, bounds that keep moving are widened to the next number that the program compares
//! with. Then what was widened too far is narrowed by a few more rounds.
//!
//! Invariants: the ranges hold whenever control is at their location, and they are inductive: from those at a location the
//! ranges at the next follow along each edge.

mod eval;
mod range;

use crate::live::Live;
use eval::{Evaluator, State, assume, join, width};
use ir::{Cfa, Edge, LocId, Op, ProcId, Program};
use range::{Range, all_signed, all_unsigned};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::build::{and, bv_signed, bv_sle, bv_ule, falsehood, not};
use term::{Op as TermOp, SortKind, Term};

/// The analysis does no more work than this: edges times variables.
const MOST_WORK: usize = 10_000_000;
/// So often the state of a location grows before it is widened.
const JOINS: u32 = 3;
/// How many rounds narrow what was widened.
const ROUNDS: usize = 3;

/// What ranges say at those locations of a procedure without calls that are asked for. They cut all cycles.
pub fn ranges(program: &Program, procedure: ProcId, asked: &[LocId], live: &Live) -> FxHashMap<LocId, Vec<Term>> {
    let Ok(cfa) = &program.procedure(procedure).body else { return FxHashMap::default() };
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return FxHashMap::default();
    }
    let analysis = Intervals { cfa, cuts: asked.iter().copied().collect(), thresholds: thresholds(cfa) };
    let Some(states) = analysis.fixpoint() else { return FxHashMap::default() };
    let formulas = |location: &LocId| {
        // Where control never comes nothing holds, or what is known behind it would not follow.
        let Some(state) = states[location.0 as usize].as_ref() else { return (*location, vec![falsehood()]) };
        let mut known: Vec<(&Term, &Range)> = state.iter().filter(|(v, _)| live.at(*location, **v)).collect();
        known.sort_unstable_by_key(|(variable, _)| **variable);
        (*location, known.into_iter().map(|(variable, range)| formula(*variable, range)).collect())
    };
    asked.iter().map(formulas).collect()
}

/// A range as a formula.
fn formula(variable: Term, range: &Range) -> Term {
    let width = range.width;
    if *variable.sort().kind() == SortKind::Bool {
        return if range.unsigned.0 == 1 { variable } else { not(variable) };
    }
    let number = |value: i128| bv_signed(width, value);
    let mut bounds = Vec::new();
    let (unsigned, signed) = (range.unsigned, range.signed);
    // One reading is enough where all values have the same sign.
    if unsigned != all_unsigned(width) && (signed == all_signed(width) || signed.0 >= 0 || signed.1 < 0) {
        bounds.push(bv_ule(number(unsigned.0), variable));
        bounds.push(bv_ule(variable, number(unsigned.1)));
    } else if signed != all_signed(width) {
        bounds.push(bv_sle(number(signed.0), variable));
        bounds.push(bv_sle(variable, number(signed.1)));
    }
    and(bounds)
}

/// The numbers that a program compares with, and their neighbours, in order.
fn thresholds(cfa: &Cfa) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::new();
    let terms = cfa.edges().flat_map(|(_, edge)| edge.op.terms());
    for term in term::visit::post_order(terms) {
        if !matches!(term.op(), TermOp::Eq | TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle) {
            continue;
        }
        for number in term.args().iter().filter_map(|argument| argument.as_bv()).filter(|number| number.width() <= 64) {
            for value in [number.unsigned() as i128, number.signed()] {
                found.extend([value - 1, value, value + 1]);
            }
        }
    }
    found.into_iter().collect()
}

/// The states of locations; `None` where control never comes.
type States = Vec<Option<State>>;

struct Intervals<'a> {
    cfa: &'a Cfa,
    cuts: FxHashSet<LocId>,
    thresholds: Vec<i128>,
}

impl Intervals<'_> {
    /// Inductive states; `None` if that is too much work.
    fn fixpoint(&self) -> Option<States> {
        let order = self.order();
        let mut places = vec![0; self.cfa.location_count()];
        order.iter().enumerate().for_each(|(place, location)| places[location.0 as usize] = place);
        let mut work = MOST_WORK;
        let mut states: States = vec![None; self.cfa.location_count()];
        states[self.cfa.entry().0 as usize] = Some(State::default());
        let mut joins = vec![0; states.len()];
        let mut waiting: BTreeSet<(usize, LocId)> = BTreeSet::from([(0, self.cfa.entry())]);
        while let Some((_, location)) = waiting.pop_first() {
            let Some(here) = states[location.0 as usize].clone() else { continue };
            for id in self.cfa.outgoing(location) {
                work = work.checked_sub(here.len() + 1)?;
                let edge = self.cfa.edge(*id);
                let Some(after) = transfer(&here, edge) else { continue };
                let to = edge.to.0 as usize;
                let widens = self.cuts.contains(&edge.to) && joins[to] > JOINS;
                if self.add(&mut states[to], &after, widens) {
                    joins[to] += 1;
                    waiting.insert((places[to], edge.to));
                }
            }
        }
        for _ in 0..ROUNDS {
            work = work.checked_sub(states.iter().flatten().map(|state| state.len() + 1).sum())?;
            let next = self.round(states.clone(), &order);
            // Rounds only narrow, or what they found is not inductive.
            if !self.is_inductive(&next) {
                break;
            }
            states = next;
        }
        Some(states)
    }

    /// Locations that control may come to: most come after those that lead to them.
    fn order(&self) -> Vec<LocId> {
        let mut finished = Vec::new();
        let mut seen = FxHashSet::from_iter([self.cfa.entry()]);
        let mut stack = vec![(self.cfa.entry(), 0)];
        while let Some((location, next)) = stack.last_mut() {
            match self.cfa.outgoing(*location).get(*next) {
                Some(edge) => {
                    *next += 1;
                    let to = self.cfa.edge(*edge).to;
                    if seen.insert(to) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    finished.push(*location);
                    stack.pop();
                }
            }
        }
        finished.reverse();
        finished
    }

    /// Adds a state to those at a location; whether it says less than before.
    fn add(&self, at: &mut Option<State>, state: &State, widens: bool) -> bool {
        let Some(known) = at else {
            *at = Some(state.clone());
            return true;
        };
        if includes(known, state) {
            return false;
        }
        let joint = join(known, state);
        *known = if widens {
            let wide = |(variable, later): (&Term, &Range)| {
                let now = known.get(variable).copied().unwrap_or(*later);
                (*variable, now.widen(later, &self.thresholds))
            };
            joint.iter().map(wide).filter(|(_, range)| !range.is_all()).collect()
        } else {
            joint
        };
        true
    }

    /// All states anew, each from those of the locations before.
    fn round(&self, mut states: States, order: &[LocId]) -> States {
        for location in order.iter().filter(|location| **location != self.cfa.entry()) {
            let arriving = self.cfa.incoming(*location).iter().filter_map(|id| {
                let edge = self.cfa.edge(*id);
                transfer(states[edge.from.0 as usize].as_ref()?, edge)
            });
            states[location.0 as usize] = arriving.reduce(|one, other| join(&one, &other));
        }
        states
    }

    fn is_inductive(&self, states: &States) -> bool {
        self.cfa.edges().all(|(_, edge)| {
            let after = states[edge.from.0 as usize].as_ref().and_then(|state| transfer(state, edge));
            let to = states[edge.to.0 as usize].as_ref();
            after.is_none_or(|after| to.is_some_and(|to| includes(to, &after)))
        })
    }
}

/// Whether whatever the second state allows, the first does.
fn includes(state: &State, other: &State) -> bool {
    state.iter().all(|(variable, range)| other.get(variable).is_some_and(|narrower| range.includes(narrower)))
}

/// The state behind an edge; `None` if it cannot be taken.
fn transfer(state: &State, edge: &Edge) -> Option<State> {
    match &edge.op {
        Op::Assume(condition) => assume(state, *condition, true),
        Op::Assign(pairs) => {
            let mut values = Evaluator::new(state);
            let mut after = state.clone();
            for (variable, value) in pairs {
                match values.range(*value).filter(|range| !range.is_all() && width(*variable).is_some()) {
                    Some(range) => after.insert(*variable, range),
                    None => after.remove(variable),
                };
            }
            Some(after)
        }
        Op::Havoc(variables) => {
            let mut after = state.clone();
            variables.iter().for_each(|variable| {
                after.remove(variable);
            });
            Some(after)
        }
        _ => Some(state.clone()),
    }
}
