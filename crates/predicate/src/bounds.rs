//! The engine `bounds`: order between quantities, and elements that stay, as far as they are inductive.
//!
//! Whether an access is inside an object is a question of how an index or offset compares with a size or length, and whether a
//! loop over a string stops in time is a question of the zero at its end. Such facts are easily named:
//!
//! - *elements*: what a block stores at a place of a map, if it knows it, may still stand there later;
//! - *quantities* are the integers of the program and the terms that conditions compare, without constants that are added to
//!   them, and the places of elements; any two of a width may be ordered, with and without sign.
//!
//! [`crate::houdini`] finds out which of these are inductive together. If they exclude every error they are the proof. The engine
//! only proves: that they do not says nothing.

use crate::houdini::houdini;
use crate::seeds::Clause;
use crate::{is_bad, limits};
use blocks::model::{Encoding, Model};
use blocks::solvers::Solvers;
use engine::{Engine, Invariant, Proof, Reason, Run, Verdict};
use ir::{LocId, Program};
use pass::Guarded;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use term::build::{bv_sle, bv_slt, bv_ule, bv_ult, eq, falsehood, select};
use term::free::{Free, dag_size};
use term::visit::post_order;
use term::{Op, SortKind, Term};

/// The name that the command line uses.
pub const NAME: &str = "bounds";

/// Of each width, so many quantities are compared.
const MOST_QUANTITIES: usize = 14;
/// Larger terms are no quantities.
const LARGEST: usize = 8;
/// There are no more candidates about elements than this.
const MOST_ELEMENTS: usize = 40;

/// The engine. It wants a program of one procedure without calls, threads and memory.
pub struct Bounds;

impl Engine for Bounds {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        prove(program, run).map_or_else(Verdict::Unknown, Verdict::True)
    }
}

fn prove(program: &Program, run: &mut Run) -> Result<Proof, Reason> {
    let mut model = Model::new(program, Encoding::Large, run.shared())?;
    let inside = heads(&model);
    if inside.is_empty() {
        return Err(Reason::NotAttempted("bounds is for programs with loops".into()));
    }
    let candidates = candidates(&model, &inside);
    let mut solvers = Solvers::new(&model, limits(run));
    let learnt = houdini(&model, &mut solvers, &candidates, run)?;
    learnt.into_iter().for_each(|(location, formulas)| model.learn(location, formulas));
    for block in model.locations().iter().flat_map(|location| model.outgoing(*location)) {
        let Some(op) = block.op.as_ref().filter(|_| is_bad(&model, block.to())) else { continue };
        run.tick()?;
        let mut smt = solvers.for_paths();
        op.conjuncts().iter().for_each(|conjunct| smt.assert(*conjunct));
        if !smt.check().is_unsat() {
            return Err(Reason::NoProgress("orders and elements that are inductive do not exclude all errors".into()));
        }
    }
    let invariant = |location: &LocId| {
        let formula = if is_bad(&model, *location) { falsehood() } else { model.known(*location) };
        Invariant { procedure: model.procedure, location: *location, formula }
    };
    Ok(Proof::Invariants(model.locations().iter().map(invariant).collect()))
}

/// The locations that cut loops.
fn heads(model: &Model<'_>) -> Vec<LocId> {
    let is_inside = |location: &&LocId| **location != model.cfa.entry() && !model.outgoing(**location).is_empty();
    model.locations().iter().filter(is_inside).copied().collect()
}

fn candidates(model: &Model<'_>, heads: &[LocId]) -> Vec<Clause> {
    let blocks = || model.locations().iter().flat_map(|location| model.outgoing(*location));
    let ops = || blocks().filter_map(|block| block.op.as_ref());
    let inputs: FxHashSet<Term> = ops().flat_map(|op| op.inputs().iter().copied()).collect();
    let mut free = Free::new();
    // Of other terms nothing can be said at any location.
    let mut is_live = |term: Term| {
        let inside = free.of(term);
        !inside.is_empty()
            && !inside.iter().any(|variable| inputs.contains(variable))
            && heads.iter().any(|location| model.are_live(*location, &inside))
    };
    // Places of elements come first, then what conditions on the way to errors compare, and what other conditions do.
    let (last, inner): (Vec<_>, Vec<_>) = blocks().partition(|block| is_bad(model, block.to()));
    let elements = elements(ops(), &mut is_live);
    let places = elements.iter().map(|element| element.place);
    let compared = last.iter().chain(&inner).flat_map(|block| block.op.iter().flat_map(compared));
    let mut quantities: BTreeMap<u32, Vec<Term>> = BTreeMap::new();
    for term in places.chain(compared) {
        let SortKind::BitVec(width @ 2..) = term.sort().kind() else { continue };
        let known = quantities.entry(*width).or_default();
        if known.len() < MOST_QUANTITIES && !known.contains(&term) && is_live(term) {
            known.push(term);
        }
    }
    let mut clauses: Vec<Clause> = Vec::new();
    for terms in quantities.values() {
        for (a, b) in terms.iter().flat_map(|a| terms.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b) {
            clauses.extend([bv_ule(a, b), bv_ult(a, b), bv_sle(a, b), bv_slt(a, b)].map(|order| vec![order]));
        }
    }
    clauses.extend(elements.into_iter().map(|element| vec![element.formula]));
    clauses
}

/// The quantities that an operation's conditions compare, and the variables in them.
fn compared(op: &Guarded) -> Vec<Term> {
    let mut found = Vec::new();
    for term in post_order(op.conjuncts().iter().copied()) {
        if !matches!(term.op(), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
            continue;
        }
        for side in term.args().iter().map(|side| without_constant(*side)) {
            if side.value().is_some() || side.sort().bv_width().is_none() {
                continue;
            }
            if dag_size(side) <= LARGEST && post_order([side]).iter().all(|part| *part.op() != Op::Select) {
                found.push(side);
            }
            found.extend(term::free::variables([side]));
        }
    }
    found
}

/// A sum without the constant in it.
fn without_constant(term: Term) -> Term {
    match (term.op(), term.args()) {
        (Op::BvAdd, [a, b]) if b.value().is_some() => *a,
        (Op::BvAdd, [a, b]) if a.value().is_some() => *b,
        _ => term,
    }
}

/// That something stands at a place of a map.
struct Element {
    place: Term,
    formula: Term,
}

/// What blocks store at places of maps, where both are known.
fn elements<'a>(ops: impl Iterator<Item = &'a Guarded>, is_live: &mut dyn FnMut(Term) -> bool) -> Vec<Element> {
    let mut found: Vec<Element> = Vec::new();
    for op in ops {
        for (map, value) in op.update().iter().filter(|(map, _)| matches!(map.sort().kind(), SortKind::Array(..))) {
            for store in post_order([*value]) {
                let (Op::Store, [_, place, stored]) = (store.op(), store.args()) else { continue };
                let is_kept = |term: &Term| {
                    dag_size(*term) <= LARGEST
                        && term::free::variables([*term]).iter().all(|v| !op.update().contains_key(v))
                };
                if store.sort() != map.sort() || !is_kept(place) || !is_kept(stored) {
                    continue;
                }
                let formula = eq(select(*map, *place), *stored);
                let is_known = found.iter().any(|element| element.formula == formula);
                if found.len() < MOST_ELEMENTS && !is_known && is_live(formula) {
                    found.push(Element { place: *place, formula });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop that goes through a string which ends with a zero at `last`, and fails if the guard holds.
    fn check(guard: &str, is_proved: bool) {
        let text = format!(
            "global i: bv8\nglobal last: bv8\nglobal s: (Array bv8 bv8)\nproperty P unreach-call \"\"\n\
             procedure main() {{\nlocation error error P\nentry -> a: s := (store s last #x00)\na -> b: i := #x00\n\
             b -> c: assume (not (= (select s i) #x00))\nb -> exit: assume (= (select s i) #x00)\n\
             c -> b: i := (bvadd i #x01)\nb -> error: assume {guard}\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let verdict = Bounds.check(&program, &mut Run::unlimited());
        assert_eq!(matches!(verdict, Verdict::True(_)), is_proved, "{guard}: {verdict:?}");
    }

    #[test]
    fn loops_end_where_strings_end() {
        check("(bvult last i)", true);
        check("(= i last)", false);
        check("(bvult i last)", false);
    }
}
