//! Intervals: for each integer variable at a location the least and the greatest value, with and without sign, for
//! each float, and for all elements of an array together.
//!
//! The usual abstract interpretation (Cousot and Cousot): states flow along edges, conditions narrow them, where ways
//! meet they are joined; at locations that cut cycles, bounds that keep moving are widened to the next number that
//! the program compares with. Then what was widened too far is narrowed by a few more rounds.
//!
//! Invariants: the ranges hold whenever control is at their location, and they are inductive: from those at a
//! location the ranges at the next follow along each edge.

mod eval;
mod float;
mod range;

pub use crate::flow::States;
use crate::flow::{Flow, Widening};
use crate::live::Live;
pub use eval::Evaluator;
pub use eval::State;
pub use eval::{assume, join, tracked_variable, width};
pub use range::Range;

use ir::{Cfa, Edge, LocId, Op, ProcId, Program};
pub(crate) use range::all_signed;

use range::all_unsigned;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::build::{and, bv_signed, bv_sle, bv_ule, falsehood, forall, not, pointer_object, pointer_offset, select};
use term::{Op as TermOp, SortKind, Term};

/// The analysis does no more work than this: edges times variables.
const MOST_WORK: usize = 10_000_000;

/// What ranges say at those locations of a procedure without calls that are asked for. They cut all cycles.
pub fn ranges(program: &Program, procedure: ProcId, asked: &[LocId], live: &Live) -> FxHashMap<LocId, Vec<Term>> {
    states(program, procedure, asked).map(|states| formulas(&states, asked, live)).unwrap_or_default()
}

/// The ranges at all locations of a procedure without calls; `None` if that is too much work. The cuts lie on every
/// cycle.
pub fn states(program: &Program, procedure: ProcId, cuts: &[LocId]) -> Option<States<State>> {
    let cfa = program.procedure(procedure).body.as_ref().ok()?;
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return None;
    }
    Intervals { thresholds: thresholds([cfa]), is_deep: false }.widened(cfa, cuts, MOST_WORK)
}

/// The same, with ranges of floats and of elements of arrays, which solvers take long to check.
pub fn deep_states(program: &Program, procedure: ProcId, cuts: &[LocId]) -> Option<States<State>> {
    let cfa = program.procedure(procedure).body.as_ref().ok()?;
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return None;
    }
    Intervals { thresholds: thresholds([cfa]), is_deep: true }.widened(cfa, cuts, MOST_WORK)
}

/// What is known of live variables at those locations that are asked for.
pub fn formulas(states: &States<State>, asked: &[LocId], live: &Live) -> FxHashMap<LocId, Vec<Term>> {
    let formulas = |location: &LocId| {
        // Where control never comes nothing holds, or what is known behind it would not follow.
        let Some(state) = states[location.0 as usize].as_ref() else { return (*location, vec![falsehood()]) };
        let mut known: Vec<(&Term, &Range)> =
            state.iter().filter(|(v, _)| live.at(*location, tracked_variable(**v))).collect();
        known.sort_unstable_by_key(|(variable, _)| **variable);
        (*location, known.into_iter().map(|(variable, range)| formula(*variable, range)).collect())
    };
    asked.iter().map(formulas).collect()
}

/// All that is known at a location of what is live there, as one formula.
pub fn whole(states: &States<State>, location: LocId, live: &Live) -> Term {
    let Some(state) = states[location.0 as usize].as_ref() else { return falsehood() };
    let mut known: Vec<(&Term, &Range)> =
        state.iter().filter(|(v, _)| live.at(location, tracked_variable(**v))).collect();
    known.sort_unstable_by_key(|(variable, _)| **variable);
    and(known.into_iter().map(|(variable, range)| formula(*variable, range)))
}

/// A range as a formula.
pub fn formula(variable: Term, range: &Range) -> Term {
    let width = range.width;
    if let SortKind::Array(index, _) = variable.sort().kind() {
        // Arrays in arrays have their places one behind the other.
        let name = format!("$place{}", term::visit::post_order([variable]).len());
        let place = Term::var(name.as_str(), *index);
        return forall([place], formula(select(variable, place), range));
    }
    if let Some(format) = float::format(variable) {
        return float::formula(variable, format, range);
    }
    if *variable.sort().kind() == SortKind::Bool {
        return if range.unsigned.0 == 1 { variable } else { not(variable) };
    }
    let number = |value: i128| bv_signed(width, value);
    let mut bounds = Vec::new();
    let (unsigned, signed) = (range.unsigned, range.signed);
    // One reading is enough where all values have the same sign.
    let has_one_sign = signed.0 >= 0 || signed.1 < 0;
    if unsigned != all_unsigned(width) {
        bounds.push(bv_ule(number(unsigned.0), variable));
        bounds.push(bv_ule(variable, number(unsigned.1)));
    }
    if signed != all_signed(width) && !has_one_sign {
        bounds.push(bv_sle(number(signed.0), variable));
        bounds.push(bv_sle(variable, number(signed.1)));
    }
    and(bounds)
}

/// The numbers that procedures compare with, and their neighbours, in order.
pub fn thresholds<'a>(procedures: impl IntoIterator<Item = &'a Cfa>) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::new();
    let edges = procedures.into_iter().flat_map(Cfa::edges);
    let terms = edges.flat_map(|(_, edge)| edge.op.terms());
    for term in term::visit::post_order(terms) {
        if let TermOp::FpLt | TermOp::FpLe | TermOp::FpEq = term.op() {
            let constants = term.args().iter().filter_map(|argument| float::constant_place(argument.value()?));
            found.extend(constants.flat_map(|place| [place - 1, place, place + 1]));
        }
        if let Some((least, greatest)) = float::format(term).map(float::places) {
            found.extend([least, greatest]);
        }
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

struct Intervals {
    thresholds: Vec<i128>,
    /// Whether there are ranges of floats and of elements.
    is_deep: bool,
}

impl Flow for Intervals {
    type State = State;

    fn start(&self) -> State {
        State::default()
    }

    fn size(&self, state: &State) -> usize {
        state.len()
    }

    fn transfer(&self, state: &State, edge: &Edge) -> Option<State> {
        let mut after = transfer(state, edge)?;
        if !self.is_deep {
            after.retain(|term, _| float::format(*term).is_none() && !eval::is_array(*term));
        }
        Some(after)
    }

    fn join(&self, one: &State, other: &State) -> State {
        join(one, other)
    }
}

impl Widening for Intervals {
    fn includes(&self, state: &State, other: &State) -> bool {
        includes(state, other)
    }

    fn widen(&self, state: &State, later: &State) -> State {
        widen(state, later, &self.thresholds)
    }
}

/// A state that includes a later one, whose bounds that move go to the next threshold.
pub fn widen(state: &State, later: &State, thresholds: &[i128]) -> State {
    let wide = |(variable, later): (&Term, &Range)| {
        let now = state.get(variable).copied().unwrap_or(*later);
        (*variable, now.widen(later, thresholds))
    };
    later.iter().map(wide).filter(|(_, range)| !range.is_all()).collect()
}

/// Whether whatever the second state allows, the first does.
pub fn includes(state: &State, other: &State) -> bool {
    state.iter().all(|(variable, range)| other.get(variable).is_some_and(|narrower| range.includes(narrower)))
}

/// The state behind an edge; `None` if it cannot be taken.
fn transfer(state: &State, edge: &Edge) -> Option<State> {
    match &edge.op {
        Op::Assume(condition) => assume(state, *condition, true),
        Op::Assign(pairs) => Some(assigned(state, state.clone(), pairs)),
        Op::Havoc(variables) => {
            let mut after = state.clone();
            variables.iter().for_each(|variable| forget(&mut after, *variable));
            Some(after)
        }
        _ => Some(state.clone()),
    }
}

/// The state `after` where variables take the values of terms in another state.
pub fn assigned(state: &State, mut after: State, pairs: &[(Term, Term)]) -> State {
    let mut values = Evaluator::new(state);
    pairs.iter().for_each(|(variable, _)| forget(&mut after, *variable));
    for (variable, value) in pairs {
        let parts = match variable.sort().kind() {
            SortKind::Pointer(_) => vec![
                (pointer_object(*variable), pointer_object(*value)),
                (pointer_offset(*variable), pointer_offset(*value)),
            ],
            _ => vec![(*variable, *value)],
        };
        for (part, value) in parts {
            let range = if eval::is_array(part) { values.elements(value) } else { values.range(value) };
            if let Some(range) = range.filter(|range| !range.is_all()) {
                after.insert(part, range);
            }
        }
    }
    after
}

/// Takes a variable to have any value.
pub fn forget(state: &mut State, variable: Term) {
    state.remove(&variable);
    if let SortKind::Pointer(_) = variable.sort().kind() {
        state.remove(&pointer_object(variable));
        state.remove(&pointer_offset(variable));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::subst::substitute;

    /// The formula of a range says no less than both readings, also of what was joined and widened.
    #[test]
    fn formulas_say_what_ranges_do() {
        const WIDTH: u32 = 3;
        let x = Term::var("x", Sort::bv(WIDTH));
        let number = |value: i128| bv_signed(WIDTH, value);
        let all = || (0..8).flat_map(|low| (low..8).map(move |high| (low, high)));
        let ranges: Vec<Range> = all()
            .filter_map(|bounds| Range::of_unsigned(WIDTH, bounds))
            .chain(all().filter_map(|(low, high)| Range::of_signed(WIDTH, (low - 4, high - 4))))
            .collect();
        for (one, other) in ranges.iter().flat_map(|one| ranges.iter().map(move |other| (one, other))) {
            let joint = one.join(other);
            for range in [joint, one.widen(&joint, &[]), one.widen(&joint, &[4]), one.widen(&joint, &[-1, 0, 5])] {
                for value in 0..8 {
                    let signed = if value < 4 { value } else { value - 8 };
                    let is_in = |(low, high): (i128, i128), value| low <= value && value <= high;
                    let said = substitute(formula(x, &range), |_| Some(number(value))).as_bool();
                    let expected = is_in(range.unsigned, value) && is_in(range.signed, signed);
                    assert_eq!(said, Some(expected), "{range:?} at {value}");
                }
            }
        }
    }
}
