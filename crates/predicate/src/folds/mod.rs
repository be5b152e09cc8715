//! The engine `folds`: sums and other reductions of arrays, as terms of invariants.
//!
//! A loop that adds up elements of a map computes a *fold*: a function of the map and of how far the loop has come, F(a, i). With such
//! functions in formulas, what the loop has computed is an equation without quantifiers, s = F(a, i), and so is what stores do to it:
//! F(a[k := v], n) = F(a, n) + v - a[k]. (Daca, Henzinger and Kupriyanov, "Array Folds Logic", decide formulas of this kind; here
//! they are found and proved to be inductive.)
//!
//! | idea | here |
//! |---|---|
//! | loops, and what they fold | [`loops`] |
//! | a term after a block, as a linear sum of terms before it | [`linear`] |
//! | linear equations between folds, elements and variables, by a fixpoint | [`equations`] |
//!
//! Reductions that are no sums, such as the greatest element, are functions of the multiset of elements if the order does not matter to
//! them. A multiset is told by the sum of *weights* of its elements, of which nothing is known: so equations between such sums
//! are equations between multisets ([`engine::Reduction`]).
//!
//! The engine only proves. What it finds is a proof by invariants that speak of folds, which `certify` checks by their definitions.

mod equations;
mod linear;
mod loops;
#[cfg(test)]
mod random;

use crate::houdini::houdini;
use crate::seeds::Clause;
use crate::{is_bad, limits};
use blocks::model::{Encoding, Model};
use blocks::solvers::Solvers;
use engine::{Engine, Invariant, Proof, Reason, Run, Verdict};
use equations::{Domain, Domains};
use ir::{LocId, Program};
use linear::without_divisions;
use loops::Loops;
use rustc_hash::FxHashMap;
use solver::{Profile, Smt};
use term::Term;
use term::build::{and, bv, bv_sle, bv_ule, eq, falsehood};
use term::free::variables;

/// The name that the command line uses.
pub const NAME: &str = "folds";

/// The engine. It wants a program of one procedure without calls, threads and memory.
pub struct Folds;

impl Engine for Folds {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        prove(program, run).map_or_else(Verdict::Unknown, Verdict::True)
    }
}

/// What is asked about counters, and about what is computed of accumulators: a counter does not go beyond its bound, and what was
/// assigned a term is equal to it.
fn candidates(model: &Model<'_>, loops: &Loops) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    for one in &loops.loops {
        let zero = bv(one.counter.sort().bv_width().unwrap_or(1), 0);
        let orders = match one.signed {
            true => [bv_sle(one.counter, one.bound), bv_sle(zero, one.counter)],
            false => [bv_ule(one.counter, one.bound), bv_ule(zero, one.counter)],
        };
        clauses.extend(orders.map(|order| vec![order]));
    }
    let accumulators = loops.accumulators();
    let blocks = model.locations().iter().flat_map(|location| model.outgoing(*location));
    for op in blocks.filter_map(|block| block.op.as_ref()) {
        for (variable, value) in op.update() {
            let inside = variables([*value]);
            let stays = |v: &Term| !op.update().contains_key(v) && !op.inputs().contains(v);
            if inside.iter().any(|v| accumulators.contains(v)) && inside.iter().all(stays) {
                clauses.push(vec![eq(*variable, *value)]);
            }
        }
    }
    clauses
}

fn prove(program: &Program, run: &mut Run) -> Result<Proof, Reason> {
    let model = Model::new(program, Encoding::Large, run.shared())?;
    let mut solvers = Solvers::new(&model, limits(run));
    let kept = Loops::find(&model, &mut solvers, run)?.accumulators();
    if kept.is_empty() {
        return Err(Reason::NotAttempted("folds is for programs with loops that add up elements of maps".into()));
    }
    // What was computed of a sum may be all that is read later; the equation is about the sum.
    let mut model = Model::keeping(program, Encoding::Large, run.shared(), &kept)?;
    let mut solvers = Solvers::new(&model, limits(run));
    let loops = Loops::find(&model, &mut solvers, run)?;
    let learnt = houdini(&model, &mut solvers, &candidates(&model, &loops), run)?;
    learnt.into_iter().for_each(|(location, formulas)| model.learn(location, formulas));
    let mut solvers = Solvers::new(&model, limits(run));
    let mut found: FxHashMap<LocId, Vec<Term>> = FxHashMap::default();
    for domain in Domain::of(&loops) {
        for (location, equations) in (Domains { model: &model, loops: &loops }).equations(domain, &mut solvers, run)? {
            found.entry(location).or_default().extend(equations);
        }
    }
    let at = |location: LocId| and(found.get(&location).into_iter().flatten().copied());
    for from in model.locations() {
        for block in model.outgoing(*from) {
            let Some(op) = block.op.as_ref().filter(|_| is_bad(&model, block.to())) else { continue };
            run.tick()?;
            let mut smt = solvers.general().sibling(Profile::Incremental);
            smt.set_limits(limits(run));
            // It matters that the same is divided, not what a quotient is.
            op.conjuncts().iter().chain([&at(*from)]).for_each(|formula| smt.assert(without_divisions(*formula)));
            loops.of_nothing().into_iter().for_each(|known| smt.assert(known));
            if !smt.check().is_unsat() {
                return Err(Reason::NoProgress("equations between folds do not exclude all errors".into()));
            }
        }
    }
    run.statistics.count("folds", loops.folds.len() as u64);
    run.statistics.count("equations", found.values().map(Vec::len).sum::<usize>() as u64);
    let invariant = |location: &LocId| {
        let formula =
            if is_bad(&model, *location) { falsehood() } else { and([model.known(*location), at(*location)]) };
        Invariant { procedure: model.procedure, location: *location, formula }
    };
    let invariants = model.locations().iter().map(invariant).collect();
    let Loops { folds, reductions, residues, .. } = loops;
    Ok(Proof::Folded { folds, reductions, residues, invariants })
}
