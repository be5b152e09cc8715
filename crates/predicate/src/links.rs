//! Predicates that suffice to exclude a path, by an unsatisfiable core of links.
//!
//! Where the tree abstracts, it keeps of a state only the values of the tracked predicates: the state in which a block
//! ends and the state in which the next begins need to agree on these alone. So a path is cut: each block gets
//! variables of its own, and for every candidate predicate at a cut there is a *link*, which says that it has the same value
//! on both sides. If the cut path with all links is infeasible, the core of links that the solver needs names predicates with
//! which Boolean abstraction excludes the path.
//!
//! First the links are whole variables: their core says which variables matter at which cut, and nothing is ever missing
//! there, because states that agree on all variables are the same. Then the candidates are atoms over these variables.
//!
//! Candidates are the atoms of weakest preconditions: those of the guards that follow, carried back through the
//! blocks. What a block chooses between is split, so that an atom speaks of one way alone; atoms that depend on a choice of
//! values inside a block say nothing at its beginning and are left out.

use crate::atoms::split_atoms;
use crate::model::ModelBlock;
use pass::Guarded;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt};
use term::build::{eq, falsehood, implies, truth};
use term::free::Free;
use term::subst::rename;
use term::{Op, Sort, Term};

/// More candidates than this at a cut are not tried.
const MOST_CANDIDATES: usize = 400;
/// How many checks may be spent on making a core smaller.
const MOST_CHECKS: usize = 40;

/// For each cut of a path (after the first block, after the second, and so on), the terms that are linked there.
pub type Cuts = Vec<Vec<Term>>;

/// The variables through which a path is infeasible. `None` if the solver does not say so.
pub fn variables(smt: &mut dyn Smt, blocks: &[&ModelBlock]) -> Option<Cuts> {
    let ops = operations(blocks)?;
    let mut free = Free::new();
    let mut all = Cuts::new();
    let mut later: Vec<Term> = Vec::new();
    for op in ops[1..].iter().rev() {
        let inputs: FxHashSet<Term> = op.inputs().iter().copied().collect();
        let carried = later.iter().map(|variable| op.after(*variable));
        let mut here: Vec<Term> = Vec::new();
        op.conjuncts().iter().copied().chain(carried).for_each(|formula| here.extend(free.of(formula).iter()));
        here.sort_unstable();
        here.dedup();
        here.retain(|variable| !inputs.contains(variable));
        all.push(here.clone());
        later = here;
    }
    all.reverse();
    // A variable that matters nowhere is dropped at all cuts together.
    core(smt, &ops, &all, |_, variable| variable)
}

/// Predicates over the given variables that suffice to exclude a path. `None` if there are none among the candidates, or the
/// solver does not say so.
pub fn sufficient(smt: &mut dyn Smt, blocks: &[&ModelBlock], variables: &Cuts) -> Option<Cuts> {
    let ops = operations(blocks)?;
    let candidates = candidates(&ops, variables)?;
    core(smt, &ops, &candidates, |cut, atom| (cut, atom))
}

fn operations<'a>(blocks: &[&'a ModelBlock]) -> Option<Vec<&'a Guarded>> {
    blocks.iter().map(|block| block.op.as_ref()).collect()
}

/// The atoms at each cut that speak of the variables there alone.
fn candidates(ops: &[&Guarded], variables: &Cuts) -> Option<Cuts> {
    let mut free = Free::new();
    let mut all = Cuts::new();
    let mut later: Vec<Term> = Vec::new();
    for (op, variables) in ops[1..].iter().zip(variables).rev() {
        let variables: FxHashSet<Term> = variables.iter().copied().collect();
        let carried = later.iter().map(|atom| op.after(*atom));
        let formulas = op.conjuncts().iter().copied().chain(carried);
        let mut here: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        for atom in formulas.flat_map(split_atoms) {
            if seen.insert(atom) && free.of(atom).iter().all(|variable| variables.contains(variable)) {
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

/// The links that suffice. Those that `group` puts together are kept or dropped together.
fn core<K: Ord>(smt: &mut dyn Smt, ops: &[&Guarded], cuts: &Cuts, group: impl Fn(usize, Term) -> K) -> Option<Cuts> {
    smt.push();
    let core = linked(smt, ops, cuts, group);
    smt.pop();
    core
}

fn linked<K: Ord>(smt: &mut dyn Smt, ops: &[&Guarded], cuts: &Cuts, group: impl Fn(usize, Term) -> K) -> Option<Cuts> {
    for (number, op) in ops.iter().enumerate() {
        for conjunct in op.conjuncts() {
            smt.assert(in_block(*conjunct, number));
        }
    }
    let mut places: FxHashMap<Term, (usize, Term)> = FxHashMap::default();
    let mut links: Vec<Term> = Vec::new();
    for (cut, terms) in cuts.iter().enumerate() {
        for (number, term) in terms.iter().enumerate() {
            let name = format!(" link {cut} {number}");
            let link = Term::new(Op::Var { name: name.as_str().into(), instance: 0, sort: Sort::bool() }, &[]);
            let (before, after) = (in_block(ops[cut].after(*term), cut), in_block(*term, cut + 1));
            smt.assert(implies(link, eq(before, after)));
            places.insert(link, (cut, *term));
            links.push(link);
        }
    }
    if smt.check_assuming(&links) != Answer::Unsat {
        return None;
    }
    let mut needed = smt.core().to_vec();
    let key = |link: &Term| group(places[link].0, places[link].1);
    // Groups are tried one after the other, in order; those before `tried` are needed.
    let mut tried: Option<K> = None;
    for _ in 0..MOST_CHECKS {
        let untried = |link: &&Term| tried.as_ref().is_none_or(|tried| key(link) > *tried);
        let Some(next) = needed.iter().filter(untried).map(&key).min() else { break };
        let fewer: Vec<Term> = needed.iter().copied().filter(|link| key(link) != next).collect();
        if smt.check_assuming(&fewer) == Answer::Unsat {
            needed = smt.core().to_vec();
        }
        tried = Some(next);
    }
    let mut found = vec![Vec::new(); cuts.len()];
    for link in needed {
        let (cut, term) = places[&link];
        found[cut].push(term);
    }
    Some(found)
}

/// A formula over the variables that a block has for itself.
fn in_block(formula: Term, number: usize) -> Term {
    if formula == truth() || formula == falsehood() {
        return formula;
    }
    rename(formula, |_| number as u32 + 1)
}
