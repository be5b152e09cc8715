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
//! What served for earlier paths is tried first, and never given up for the sake of a smaller core: to track it again costs
//! nothing, and the solver finds out sooner that it suffices.
//!
//! Candidates are the atoms of weakest preconditions: those of the guards that follow, carried back through the
//! blocks. What a block chooses between is split, so that an atom speaks of one way alone; atoms that depend on a choice of
//! values inside a block say nothing at its beginning and are left out.

use pass::Guarded;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::atoms::split_atoms;
use solver::{Answer, Smt};
use std::collections::BTreeSet;
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

/// Asks a solver of its own, so that no answer has to assign what only others needed.
pub type Ask<'a> = dyn FnMut(&mut dyn FnMut(&mut dyn Smt)) + 'a;

/// The variables that a path may be infeasible through, at each of its cuts.
pub fn all_variables(ops: &[&Guarded]) -> Cuts {
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
    all
}

/// Those links among the given ones that suffice, if all of those together do.
pub fn among(ask: &mut Ask, ops: &[&Guarded], cuts: &Cuts, is_known: impl Fn(usize, Term) -> bool) -> Option<Cuts> {
    let known = |(cut, terms): (usize, &Vec<Term>)| {
        terms.iter().copied().filter(|term| is_known(cut, *term)).collect::<Vec<Term>>()
    };
    let known: Cuts = cuts.iter().enumerate().map(known).collect();
    if known.iter().all(Vec::is_empty) {
        return None;
    }
    first_core(ask, ops, &known)
}

/// The variables through which a path is infeasible. `None` if the solver does not say so.
pub fn variables(ask: &mut Ask, ops: &[&Guarded], all: &Cuts, is_known: impl Fn(Term) -> bool) -> Option<Cuts> {
    // A variable that matters nowhere is dropped at all cuts together.
    core(ask, ops, all, |_, variable| (!is_known(variable)).then_some(variable))
}

/// Predicates over the given variables that suffice to exclude a path, which those that are known do not. `None` if there are none
/// among the candidates, or the solver does not say so.
pub fn sufficient(
    ask: &mut Ask,
    ops: &[&Guarded],
    variables: &Cuts,
    is_known: impl Fn(usize, Term) -> bool,
) -> Option<Cuts> {
    let candidates = candidates(ops, variables)?;
    core(ask, ops, &candidates, |cut, atom| (!is_known(cut, atom)).then_some((cut, atom)))
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

/// The links that suffice. Those that `group` puts together are kept or dropped together; those without a group are kept.
fn core<K: Ord>(
    ask: &mut Ask,
    ops: &[&Guarded],
    cuts: &Cuts,
    group: impl Fn(usize, Term) -> Option<K>,
) -> Option<Cuts> {
    let first = first_core(ask, ops, cuts)?;
    let groups: BTreeSet<K> = first
        .iter()
        .enumerate()
        .flat_map(|(cut, terms)| terms.iter().map(move |term| (cut, *term)))
        .filter_map(|(cut, term)| group(cut, term))
        .collect();
    // A path that is infeasible as a whole needs a link at every cut, so about as few as these are left alone.
    if groups.len() <= cuts.len() {
        return Some(first);
    }
    let mut fewer = None;
    within(ops, &first, |ops, cuts, start| {
        ask(&mut |smt| {
            let links = Links::new(smt, ops, cuts);
            let needed = links.minimal(smt, |cut, term| group(start + cut, term));
            fewer = Some((start, links.named(&needed)));
        });
    });
    Some(padded(fewer?, cuts.len()))
}

/// The links that the solver needs to see that all of them suffice.
pub fn first_core(ask: &mut Ask, ops: &[&Guarded], cuts: &Cuts) -> Option<Cuts> {
    let mut first = None;
    within(ops, cuts, |ops, cuts, start| {
        ask(&mut |smt| {
            let links = Links::new(smt, ops, cuts);
            let found = (smt.check_assuming(&links.all) == Answer::Unsat).then(|| links.named(smt.core()));
            first = found.map(|found| (start, found));
        });
    });
    Some(padded(first?, cuts.len()))
}

/// The part of a path between its first link and its last: the blocks before and after have no part in what links say.
fn within(ops: &[&Guarded], cuts: &[Vec<Term>], mut look: impl FnMut(&[&Guarded], &[Vec<Term>], usize)) {
    let is_used = |cut: &usize| !cuts[*cut].is_empty();
    match ((0..cuts.len()).find(is_used), (0..cuts.len()).rfind(is_used)) {
        (Some(start), Some(last)) => look(&ops[start..=last + 1], &cuts[start..=last], start),
        _ => look(ops, cuts, 0),
    }
}

/// What was found for some cuts, with nothing for those before and after.
fn padded((start, found): (usize, Cuts), cuts: usize) -> Cuts {
    let mut all = vec![Vec::new(); start];
    all.extend(found);
    all.resize(cuts, Vec::new());
    all
}

/// A cut path in a solver, and its links.
struct Links {
    all: Vec<Term>,
    cuts: usize,
    /// What each link is about.
    places: FxHashMap<Term, (usize, Term)>,
}

impl Links {
    fn new(smt: &mut dyn Smt, ops: &[&Guarded], cuts: &[Vec<Term>]) -> Links {
        for (number, op) in ops.iter().enumerate() {
            for conjunct in op.conjuncts() {
                smt.assert(in_block(*conjunct, number));
            }
        }
        let mut links = Links { all: Vec::new(), cuts: cuts.len(), places: FxHashMap::default() };
        for (cut, terms) in cuts.iter().enumerate() {
            for (number, term) in terms.iter().enumerate() {
                let name = format!(" link {cut} {number}");
                let link = Term::new(Op::Var { name: name.as_str().into(), instance: 0, sort: Sort::bool() }, &[]);
                let (before, after) = (in_block(ops[cut].after(*term), cut), in_block(*term, cut + 1));
                smt.assert(implies(link, eq(before, after)));
                links.places.insert(link, (cut, *term));
                links.all.push(link);
            }
        }
        links
    }

    /// Links that suffice, made fewer as long as checks are left.
    fn minimal<K: Ord>(&self, smt: &mut dyn Smt, group: impl Fn(usize, Term) -> Option<K>) -> Vec<Term> {
        let mut needed = self.all.clone();
        let key = |link: &Term| group(self.places[link].0, self.places[link].1);
        // Groups are tried in order, many at a time as long as that succeeds; those before `tried` are needed.
        let mut tried: Option<K> = None;
        let mut many = usize::MAX;
        for _ in 0..MOST_CHECKS {
            let untried = |key: &K| tried.as_ref().is_none_or(|tried| key > tried);
            let mut left: Vec<K> = needed.iter().filter_map(&key).filter(untried).collect();
            left.sort_unstable();
            left.dedup();
            many = many.min(left.len().div_ceil(2));
            let Some(last) = many.checked_sub(1).map(|last| left.swap_remove(last)) else { break };
            let stays = |link: &Term| key(link).is_none_or(|key| !untried(&key) || key > last);
            let fewer: Vec<Term> = needed.iter().copied().filter(stays).collect();
            if smt.refutes(&fewer) {
                needed = smt.core().to_vec();
            } else if many == 1 {
                tried = Some(last);
                many = 4;
            } else {
                many /= 2;
            }
        }
        needed
    }

    /// What links are about, by their cuts.
    fn named(&self, links: &[Term]) -> Cuts {
        let mut found = vec![Vec::new(); self.cuts];
        for (cut, term) in links.iter().map(|link| self.places[link]) {
            found[cut].push(term);
        }
        found
    }
}

/// A formula over the variables that a block has for itself.
fn in_block(formula: Term, number: usize) -> Term {
    if formula == truth() || formula == falsehood() {
        return formula;
    }
    rename(formula, |_| number as u32 + 1)
}
