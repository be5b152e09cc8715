//! The operation of a summary edge: a set of paths as one guarded parallel assignment.
//!
//! "Software Model Checking via Large-Block Encoding", Section III.A, composes operations by sequence and choice and
//! gives their meaning by strongest postconditions. Here a composed operation is kept in closed form: a guard and an
//! update over the variables at the block's start, and inputs for what is chosen on the way. Then
//! SP(φ) = ∃ x', inputs: φ\[x'] ∧ guard\[x'] ∧ x = update\[x'].
//!
//! | paper | here |
//! |---|---|
//! | op_1 ; op_2 | [`Guarded::then`]: op_2 read through op_1's update |
//! | op_1 ∥ op_2 | [`Guarded::or`]: values that differ are chosen by what tells the two guards apart |
//!
//! Invariants: terms share subterms, so the operation of a block is about as large as the block. The choice is exact: where
//! the guards cannot be seen to exclude each other, an input of its own chooses.

use ir::{Cfa, EdgeId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::build::{and, falsehood, ite, not, or, truth};
use term::subst::substitute;
use term::{Op as TermOp, Sort, Term};

use crate::Block;

/// A guarded parallel assignment.
#[derive(Clone, PartialEq, Debug)]
pub struct Guarded {
    /// What must hold before: a conjunction.
    guard: Vec<Term>,
    /// The variables that change, and their values.
    update: BTreeMap<Term, Term>,
    /// The variables that stand for what is chosen on the way.
    inputs: Vec<Term>,
}

/// What an input stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// The n-th value that an edge's havoc chooses.
    Havoc { edge: EdgeId, position: usize },
    /// Which of two ways control came to a location.
    Way { location: LocId, position: usize },
}

impl Input {
    /// The variable that stands for this.
    pub fn variable(self, sort: Sort) -> Term {
        let name = match self {
            Input::Havoc { edge, position } => format!("?e{}.{position}", edge.0),
            Input::Way { location, position } => format!("?l{}.{position}", location.0),
        };
        Term::var(name.as_str(), sort)
    }
}

impl Guarded {
    /// The operation that does nothing.
    pub fn skip() -> Guarded {
        Guarded { guard: Vec::new(), update: BTreeMap::new(), inputs: Vec::new() }
    }

    /// What must hold before.
    pub fn guard(&self) -> Term {
        and(self.guard.iter().copied())
    }

    /// The guard's conjuncts.
    pub fn conjuncts(&self) -> &[Term] {
        &self.guard
    }

    /// The variables that change, and their values.
    pub fn update(&self) -> &BTreeMap<Term, Term> {
        &self.update
    }

    pub fn inputs(&self) -> &[Term] {
        &self.inputs
    }

    /// The value of a term after the operation, over the variables before it.
    pub fn after(&self, term: Term) -> Term {
        substitute(term, |variable| self.update.get(&variable).copied())
    }

    /// The same with another guard.
    pub fn with_guard(&self, conjuncts: Vec<Term>) -> Guarded {
        Guarded { guard: conjuncts, ..self.clone() }
    }

    /// Adds to what must hold before.
    pub fn assume(&mut self, condition: Term) {
        if condition != truth() {
            self.guard.push(condition);
        }
    }

    /// Forgets the new values of all variables but those that `live` names.
    pub fn restrict(&mut self, live: impl Fn(Term) -> bool) {
        self.update.retain(|variable, _| live(*variable));
    }

    /// The whole block's operation; `None` if none of its paths can be taken.
    ///
    /// # Panics
    /// If the block has a call or starts a thread: such edges are never inside a block.
    pub fn of_block(cfa: &Cfa, block: &Block) -> Option<Guarded> {
        let mut arrived: FxHashMap<LocId, Guarded> = FxHashMap::default();
        arrived.insert(block.from, Guarded::skip());
        let mut target = None;
        let mut leaving: FxHashMap<LocId, usize> = FxHashMap::default();
        for id in &block.edges {
            *leaving.entry(cfa.edge(*id).from).or_default() += 1;
        }
        for id in &block.edges {
            let edge = cfa.edge(*id);
            let left = leaving.get_mut(&edge.from).expect("counted above");
            *left -= 1;
            // The last edge that leaves a location takes what arrived there; the others copy it.
            let before = if *left == 0 { arrived.remove(&edge.from) } else { arrived.get(&edge.from).cloned() };
            let Some(after) = before.and_then(|before| before.then(&edge.op, *id)) else { continue };
            if edge.to == block.to {
                target = Some(after.or_else(target, edge.to));
            } else {
                let other = arrived.remove(&edge.to);
                arrived.insert(edge.to, after.or_else(other, edge.to));
            }
        }
        target
    }

    /// op_1 ; op_2, where op_2 is an edge's. `None` if op_2 can never be taken here.
    fn then(mut self, op: &Op, id: EdgeId) -> Option<Guarded> {
        match op {
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| self.after(*value)).collect();
                self.update.extend(pairs.iter().map(|(variable, _)| *variable).zip(values));
            }
            Op::Assume(condition) => {
                let condition = self.after(*condition);
                let conjuncts: &[Term] = match condition.op() {
                    TermOp::And => condition.args(),
                    _ => &[condition],
                };
                for &conjunct in conjuncts {
                    if conjunct == falsehood() || self.guard.contains(&not(conjunct)) {
                        return None;
                    }
                    if conjunct != truth() && !self.guard.contains(&conjunct) {
                        self.guard.push(conjunct);
                    }
                }
            }
            Op::Havoc(variables) => {
                for (position, variable) in variables.iter().enumerate() {
                    let input = Input::Havoc { edge: id, position }.variable(variable.sort());
                    self.inputs.push(input);
                    self.update.insert(*variable, input);
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Call { .. } | Op::Spawn { .. } => panic!("a call or the start of a thread inside a block"),
        }
        Some(self)
    }

    fn or_else(self, other: Option<Guarded>, at: LocId) -> Guarded {
        match other {
            Some(other) => other.or(self, at),
            None => self,
        }
    }

    /// op_1 ∥ op_2, where both lead to the location `at`.
    fn or(self, other: Guarded, at: LocId) -> Guarded {
        let ours: FxHashSet<Term> = self.guard.iter().copied().collect();
        let theirs: FxHashSet<Term> = other.guard.iter().copied().collect();
        let (common, only_ours): (Vec<Term>, Vec<Term>) = self.guard.iter().partition(|c| theirs.contains(*c));
        let only_theirs: Vec<Term> = other.guard.iter().copied().filter(|c| !ours.contains(c)).collect();
        let mut inputs = self.inputs;
        let known: FxHashSet<Term> = inputs.iter().copied().collect();
        inputs.extend(other.inputs.into_iter().filter(|input| !known.contains(input)));

        let differs = only_ours.iter().copied().find(|c| theirs.contains(&not(*c)));
        let excluded = || and(only_ours.iter().chain(&only_theirs).copied()) == falsehood();
        let (way, either) = match differs {
            Some(literal) => (literal, or([and(only_ours.iter().copied()), and(only_theirs.iter().copied())])),
            None if excluded() => {
                let way = and(only_ours.iter().copied());
                (way, or([way, and(only_theirs.iter().copied())]))
            }
            None => {
                let taken = inputs.iter().filter(|i| is_way(**i, at)).count();
                let way = Input::Way { location: at, position: taken }.variable(Sort::bool());
                inputs.push(way);
                let ours = and(only_ours.iter().copied().chain([way]));
                (way, or([ours, and(only_theirs.iter().copied().chain([not(way)]))]))
            }
        };
        let mut guard = common;
        match either.op() {
            _ if either == truth() => {}
            TermOp::And => guard.extend(either.args()),
            _ => guard.push(either),
        }
        let changed: FxHashSet<Term> = self.update.keys().chain(other.update.keys()).copied().collect();
        let value = |update: &BTreeMap<Term, Term>, variable: Term| update.get(&variable).copied().unwrap_or(variable);
        let update = changed.into_iter().map(|x| (x, ite(way, value(&self.update, x), value(&other.update, x))));
        Guarded { guard, update: update.collect(), inputs }
    }
}

fn is_way(input: Term, at: LocId) -> bool {
    input.name().is_some_and(|name| name.as_str().starts_with(&format!("?l{}.", at.0)))
}
