//! Copies: variables that equal a simple term over one other variable, as long as neither changes.
//!
//! Parameters copy arguments, sizes are multiples of lengths, and conversions widen. Where the term is known it can stand for the
//! variable, and what is compared is compared in terms of the same few variables.
//!
//! Invariants: every equation holds whenever control is at its location, and the equations are inductive, edge by edge.

use crate::flow::{Flow, States};
use ir::{Cfa, Edge, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::build::{and, eq, falsehood};
use term::free::{Free, dag_size};
use term::subst::substitute;
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term};

/// Larger terms stand for no variable.
const LARGEST: usize = 6;
/// The analysis does no more work than this: edges times equations.
const MOST_WORK: usize = 20_000_000;

/// The terms that variables equal.
type State = Rc<FxHashMap<Term, Term>>;

/// The copies at the locations of a procedure without calls.
pub struct Copies {
    states: States<State>,
}

impl Copies {
    /// Nothing, if that would be too much work.
    pub fn new(cfa: &Cfa) -> Option<Copies> {
        Some(Copies { states: Analysis.states(cfa, MOST_WORK)? })
    }

    /// What a variable equals at a location.
    pub fn at(&self, location: LocId, variable: Term) -> Option<Term> {
        self.states[location.0 as usize].as_ref()?.get(&variable).copied()
    }

    /// What is known at a location, as a formula.
    pub fn formula(&self, location: LocId) -> Term {
        let Some(state) = &self.states[location.0 as usize] else { return falsehood() };
        let mut known: Vec<(Term, Term)> = state.iter().map(|(variable, term)| (*variable, *term)).collect();
        known.sort_unstable();
        and(known.into_iter().map(|(variable, term)| eq(variable, term)))
    }
}

struct Analysis;

impl Flow for Analysis {
    type State = State;

    fn start(&self) -> State {
        State::default()
    }

    fn size(&self, state: &State) -> usize {
        state.len()
    }

    fn join(&self, one: &State, other: &State) -> State {
        if Rc::ptr_eq(one, other) || one == other {
            return one.clone();
        }
        Rc::new(one.iter().filter(|(v, term)| other.get(v) == Some(term)).map(|(v, term)| (*v, *term)).collect())
    }

    fn transfer(&self, state: &State, edge: &Edge) -> Option<State> {
        match &edge.op {
            Op::Assign(pairs) if !pairs.is_empty() => {
                let changed: FxHashSet<Term> = pairs.iter().map(|(variable, _)| *variable).collect();
                let mut free = Free::new();
                let mut made = Vec::new();
                for (variable, value) in pairs.iter().filter(|(v, _)| matches!(v.sort().kind(), SortKind::BitVec(_))) {
                    let value = substitute(*value, |v| state.get(&v).copied());
                    let inside = free.of(value);
                    if inside.len() == 1 && !changed.contains(&inside[0]) && is_simple(value) {
                        made.push((*variable, value));
                    }
                }
                let mut after = without(state, &changed);
                if !made.is_empty() {
                    Rc::make_mut(&mut after).extend(made);
                }
                Some(after)
            }
            Op::Havoc(variables) => Some(without(state, &variables.iter().copied().collect())),
            _ => Some(state.clone()),
        }
    }
}

/// Whether a term is small and made of arithmetic alone.
fn is_simple(term: Term) -> bool {
    let is_arithmetic = |part: &Term| {
        let op = part.op();
        let is_shape = matches!(op, TermOp::ZeroExtend(_) | TermOp::SignExtend(_) | TermOp::Extract { .. });
        is_shape
            || part.args().is_empty()
            || matches!(op, TermOp::BvAdd | TermOp::BvSub | TermOp::BvMul | TermOp::BvNeg)
    };
    dag_size(term) <= LARGEST && post_order([term]).iter().all(is_arithmetic)
}

/// The equations that do not speak of some variables.
fn without(state: &State, changed: &FxHashSet<Term>) -> State {
    let speaks = |(variable, term): (&Term, &Term)| {
        changed.contains(variable) || term::free::variables([*term]).iter().any(|v| changed.contains(v))
    };
    if !state.iter().any(speaks) {
        return state.clone();
    }
    Rc::new(state.iter().filter(|pair| !speaks(*pair)).map(|(v, term)| (*v, *term)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::ProcId;

    fn check(edges: &str, expected: &str) {
        let text = format!("global x: bv8\nglobal y: bv8\nglobal z: bv8\nprocedure main() {{\n{edges}\n}}\n");
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let Ok(cfa) = &program.procedure(ProcId(0)).body else { panic!("a body") };
        let copies = Copies::new(cfa).expect("little work");
        assert_eq!(copies.formula(cfa.exit()).to_string(), expected, "{edges}");
    }

    #[test]
    fn equations_end_when_a_side_changes() {
        check("entry -> exit: x := y", "(= x y)");
        check("entry -> a: x := (bvmul y #x04)\na -> exit: z := x", "(and (= x (bvmul y #x04)) (= z (bvmul y #x04)))");
        check("entry -> a: x := y\na -> exit: y := #x01", "true");
        check("entry -> a: x := y\na -> exit: havoc x", "true");
        check("entry -> exit: x := y, y := x", "true");
        check("entry -> exit: x := (bvadd x #x01)", "true");
        check("entry -> exit: x := y\nentry -> exit: x := z", "true");
        check("entry -> a: x := y\na -> a: z := (bvadd z #x01)\na -> exit: skip", "(= x y)");
    }
}
