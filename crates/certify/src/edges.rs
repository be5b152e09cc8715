//! Formulas for all locations of a program: each edge carries them on.
//!
//! Most of what is said behind an edge was said in front of it, of variables that the edge leaves alone; that needs no solver. The solver
//! is asked about the rest, from what is said of the same variables, and from all that is said where that does not suffice.

use crate::invariants::{Formulas, Rejected};
use ir::{Cfa, Edge, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{and, falsehood, not, truth};
use term::free::Free;
use term::subst::substitute;
use term::{Op as TermOp, Term};

/// The copy of a variable that an edge chooses: any value. Formulas of procedures speak of other copies ([`crate::procedures`]).
const CHOSEN: u32 = 9;

/// Tells whether formulas have no model together.
type Contradict<'a> = &'a dyn Fn(&[Term]) -> Result<bool, Rejected>;

/// Whether there is a formula for every location.
pub fn covers(cfa: &Cfa, formulas: &Formulas) -> bool {
    cfa.locations().all(|(location, _)| formulas.contains_key(&location))
}

/// Checks that every edge leads from its formula to that of its end. All locations have one.
pub fn inductive(cfa: &Cfa, formulas: &Formulas, contradict: Contradict) -> Result<(), Rejected> {
    if !contradict(&[not(formulas[&cfa.entry()])])? {
        return Err(Rejected::NotInitial);
    }
    let mut known: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
    let mut free = Free::new();
    for (_, edge) in cfa.edges() {
        let (before, after) = (formulas[&edge.from], formulas[&edge.to]);
        let known = known.entry(before).or_insert_with(|| conjuncts(before).into_iter().collect());
        let (guard, open) = demanded(edge, known, after, &mut free)?;
        if before == falsehood() || open.is_empty() {
            continue;
        }
        let question = [guard, not(and(open))];
        let mut near: Vec<Term> = about(known, &question, &mut free);
        near.extend(question);
        if !contradict(&near)? && !contradict(&[before, question[0], question[1]])? {
            return Err(Rejected::NotInductive { from: edge.from, to: edge.to });
        }
    }
    Ok(())
}

/// When an edge can be taken, and what must hold in front of it so that a formula holds behind it, without what is known there.
pub fn demanded(
    edge: &Edge,
    known: &FxHashSet<Term>,
    after: Term,
    free: &mut Free,
) -> Result<(Term, Vec<Term>), Rejected> {
    let mut guard = truth();
    let mut values: FxHashMap<Term, Term> = FxHashMap::default();
    match &edge.op {
        Op::Assign(pairs) => values.extend(pairs.iter().copied()),
        // Any value: a copy that nothing else speaks of.
        Op::Havoc(variables) => {
            values.extend(variables.iter().map(|variable| (*variable, variable.at_instance(CHOSEN))))
        }
        Op::Assume(condition) => guard = *condition,
        Op::AtomicBegin | Op::AtomicEnd => {}
        Op::Call { .. } | Op::Spawn { .. } => {
            return Err(Rejected::NotComplete("the program has calls or threads".into()));
        }
    }
    let guards = conjuncts(guard);
    let mut open = Vec::new();
    for conjunct in conjuncts(after) {
        let is_changed = !values.is_empty() && free.of(conjunct).iter().any(|variable| values.contains_key(variable));
        let demanded = if is_changed { substitute(conjunct, |v| values.get(&v).copied()) } else { conjunct };
        if demanded != truth() && !guards.contains(&demanded) && !known.contains(&demanded) {
            open.push(demanded);
        }
    }
    Ok((guard, open))
}

/// What is known of the variables that formulas speak of.
pub fn about(known: &FxHashSet<Term>, formulas: &[Term], free: &mut Free) -> Vec<Term> {
    let variables: FxHashSet<Term> = formulas.iter().flat_map(|formula| free.of(*formula).to_vec()).collect();
    let mut found: Vec<Term> = known.iter().copied().collect();
    found.retain(|conjunct| free.of(*conjunct).iter().any(|variable| variables.contains(variable)));
    found.sort_unstable();
    found
}

/// The parts of a conjunction.
pub fn conjuncts(formula: Term) -> Vec<Term> {
    match formula.op() {
        TermOp::And => formula.args().iter().flat_map(|part| conjuncts(*part)).collect(),
        _ if formula == truth() => Vec::new(),
        _ => vec![formula],
    }
}
