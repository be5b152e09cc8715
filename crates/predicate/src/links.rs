//! Predicates that suffice to exclude a path, by an unsatisfiable core of links.
//!
//! Where the tree abstracts, it keeps of a state only the values of the tracked predicates: the state in which a block
//! ends and the state in which the next begins need to agree on these alone. So a path is cut: each block gets
//! variables of its own, and for every candidate predicate at a cut there is a *link*, which says that it has the same value
//! on both sides. If the cut path with all links is infeasible, the core of links that the solver needs names predicates with
//! which Boolean abstraction excludes the path.
//!
//! Candidates are the atoms of weakest preconditions: those of the guards that follow, carried back through the
//! blocks. Atoms that depend on a choice inside a block say nothing at its beginning and are left out.

use crate::model::ModelBlock;
use crate::refine::atoms;
use pass::Guarded;
use rustc_hash::FxHashSet;
use solver::{Answer, Smt, Z3};
use term::build::{eq, falsehood, implies, truth};
use term::subst::rename;
use term::{Op, Sort, Term};

/// More candidates than this at a cut are not tried.
const MOST_CANDIDATES: usize = 400;
/// How many checks may be spent on making the core smaller.
const MOST_CHECKS: usize = 40;

/// For each cut of the path, predicates that suffice together. `None` if the candidates do not suffice, or the solver does
/// not say so.
pub fn sufficient(smt: &mut Z3, blocks: &[&ModelBlock]) -> Option<Vec<Vec<Term>>> {
    let ops: Vec<&Guarded> = blocks.iter().map(|block| block.op.as_ref()).collect::<Option<_>>()?;
    let candidates = candidates(&ops)?;
    smt.push();
    let core = core(smt, &ops, &candidates);
    smt.pop();
    let mut found = vec![Vec::new(); candidates.len()];
    for (cut, number) in core? {
        found[cut].push(candidates[cut][number]);
    }
    Some(found)
}

/// The atoms at each cut: after the first block, after the second, and so on.
fn candidates(ops: &[&Guarded]) -> Option<Vec<Vec<Term>>> {
    let mut all = Vec::new();
    let mut later: Vec<Term> = Vec::new();
    for op in ops[1..].iter().rev() {
        let inputs: FxHashSet<Term> = op.inputs().iter().copied().collect();
        let carried = later.iter().map(|atom| op.after(*atom));
        let formulas = op.conjuncts().iter().copied().chain(carried);
        let mut here: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        for atom in formulas.flat_map(atoms) {
            if seen.insert(atom) && !term::free::variables([atom]).iter().any(|v| inputs.contains(v)) {
                here.push(atom);
            }
        }
        if here.len() > MOST_CANDIDATES {
            return None;
        }
        all.push(here.clone());
        later = here;
    }
    all.reverse();
    Some(all)
}

/// The links that suffice, each by its cut and its number there.
fn core(smt: &mut Z3, ops: &[&Guarded], candidates: &[Vec<Term>]) -> Option<Vec<(usize, usize)>> {
    for (number, op) in ops.iter().enumerate() {
        for conjunct in op.conjuncts() {
            smt.assert(in_block(*conjunct, number));
        }
    }
    let mut links: Vec<((usize, usize), Term)> = Vec::new();
    for (cut, atoms) in candidates.iter().enumerate() {
        for (number, atom) in atoms.iter().enumerate() {
            let name = format!(" link {cut} {number}");
            let link = Term::new(Op::Var { name: name.as_str().into(), instance: 0, sort: Sort::bool() }, &[]);
            let (before, after) = (in_block(ops[cut].after(*atom), cut), in_block(*atom, cut + 1));
            smt.assert(implies(link, eq(before, after)));
            links.push(((cut, number), link));
        }
    }
    let mut needed: Vec<Term> = links.iter().map(|(_, link)| *link).collect();
    if smt.check_assuming(&needed) != Answer::Unsat {
        return None;
    }
    needed = smt.core().to_vec();
    let mut position = 0;
    for _ in 0..MOST_CHECKS {
        if position >= needed.len() {
            break;
        }
        let mut fewer = needed.clone();
        fewer.remove(position);
        match smt.check_assuming(&fewer) {
            Answer::Unsat => needed = smt.core().to_vec(),
            _ => position += 1,
        }
    }
    let needed: FxHashSet<Term> = needed.into_iter().collect();
    Some(links.into_iter().filter(|(_, link)| needed.contains(link)).map(|(place, _)| place).collect())
}

/// A formula over the variables that a block has for itself.
fn in_block(formula: Term, number: usize) -> Term {
    if formula == truth() || formula == falsehood() {
        return formula;
    }
    rename(formula, |_| number as u32 + 1)
}
