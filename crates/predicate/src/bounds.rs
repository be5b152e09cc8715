//! The engine `bounds`: order between quantities, and elements that stay, as far as they are inductive.
//!
//! Whether an access is inside an object is a question of how an index or offset compares with a size or length, and whether a
//! loop over a string stops in time is a question of the zero at its end. Such facts are easily named:
//!
//! - *elements*: what a block stores at a place of a map, if it knows it, may still stand there later, or do so where a condition of
//!   the program holds;
//! - *quantities* are the integers of the program and the terms that conditions compare, without constants that are added to
//!   them, and the places of elements; any two of a width may be ordered, with and without sign.
//!
//! A string's length is often a variable that nothing reads once the string is there, while all that later loops do is go to the zero at
//! its end. Such variables are kept: they are history variables of the invariants.
//!
//! [`crate::houdini`] finds out which of these are inductive together. If they exclude every error they are the proof. The engine
//! only proves: that they do not says nothing.

use crate::houdini::houdini;
use crate::seeds::Clause;
use crate::{is_bad, limits};
use blocks::model::{Encoding, Model};
use blocks::solvers::Solvers;
use engine::{Engine, Invariant, Proof, Reason, Run, Verdict};
use ir::{LocId, Op as Edge, Program};
use pass::Guarded;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use term::build::{bv_sle, bv_slt, bv_ule, bv_ult, eq, falsehood, not, select};
use term::free::{Free, dag_size};
use term::subst::substitute;
use term::visit::post_order;
use term::{Op, SortKind, Term};

/// The name that the command line uses.
pub const NAME: &str = "bounds";

/// Of each width, so many quantities are compared.
const MOST_QUANTITIES: usize = 14;
/// Larger terms are no quantities.
const LARGEST: usize = 8;
/// At most so many conditions guard elements.
const MOST_GUARDS: usize = 5;
/// At most so many variables are kept where they are dead.
const MOST_KEPT: usize = 12;
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
    let kept = constant_places(program);
    let mut model = Model::keeping(program, Encoding::Large, run.shared(), &kept)?;
    let inside = heads(&model);
    if inside.is_empty() {
        return Err(Reason::NotAttempted("bounds is for programs with loops".into()));
    }
    let candidates = candidates(&model, &inside, &kept);
    let mut solvers = Solvers::new(&model, limits(run));
    let learnt = houdini(&model, &mut solvers, &candidates, run)?;
    learnt.into_iter().for_each(|(location, formulas)| model.learn(location, formulas));
    for block in model.locations().iter().flat_map(|location| model.outgoing(*location)) {
        let Some(op) = block.op.as_ref().filter(|_| is_bad(&model, block.to())) else { continue };
        run.tick()?;
        let mut smt = solvers.for_paths();
        op.conjuncts().iter().for_each(|conjunct| smt.assert(*conjunct));
        if !smt.check().is_unsat() {
            return Err(Reason::NoProgress(
                "no invariant was found that relates indices, lengths and sizes and excludes the violation".into(),
            ));
        }
    }
    let invariant = |location: &LocId| {
        let formula = if is_bad(&model, *location) { falsehood() } else { model.known(*location) };
        Invariant { procedure: model.procedure, location: *location, formula }
    };
    Ok(Proof::Invariants(model.locations().iter().map(invariant).collect()))
}

/// The variables in places of maps to which the program stores constants, and those that they are copies of.
fn constant_places(program: &Program) -> Vec<Term> {
    let Ok(cfa) = &program.procedure(program.entry).body else { return Vec::new() };
    let pairs = || {
        let assigned = cfa.edges().map(|(_, edge)| match &edge.op {
            Edge::Assign(pairs) => &pairs[..],
            _ => &[],
        });
        assigned.flatten().copied()
    };
    let mut found: Vec<Term> = Vec::new();
    for (_, value) in pairs() {
        for store in post_order([value]) {
            if let (Op::Store, [_, place, stored]) = (store.op(), store.args())
                && stored.value().is_some()
                && dag_size(*place) <= LARGEST
            {
                found.extend(term::free::variables([*place]).into_iter().filter(|v| v.sort().bv_width().is_some()));
            }
        }
    }
    found.sort();
    found.dedup();
    let mut done = 0;
    while let Some(copy) = found.get(done).copied() {
        done += 1;
        let origins = pairs().filter(|(variable, value)| *variable == copy && value.is_var()).map(|(_, value)| value);
        let new: Vec<Term> = origins.filter(|origin| !found.contains(origin)).collect();
        found.extend(new);
    }
    found.truncate(MOST_KEPT);
    found
}

/// The locations that cut loops.
fn heads(model: &Model<'_>) -> Vec<LocId> {
    let is_inside = |location: &&LocId| **location != model.cfa.entry() && !model.outgoing(**location).is_empty();
    model.locations().iter().filter(is_inside).copied().collect()
}

fn candidates(model: &Model<'_>, heads: &[LocId], kept: &[Term]) -> Vec<Clause> {
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
    let guards = guards(model, &mut is_live);
    for formula in elements.into_iter().map(|element| element.formula).chain(limits_of(model, kept)) {
        clauses.push(vec![formula]);
        clauses.extend(guards.iter().map(|guard| vec![*guard, formula]));
    }
    clauses
}

/// What conditions of the program say about one of these variables and a constant.
fn limits_of(model: &Model<'_>, variables: &[Term]) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let conditions = model.cfa.edges().filter_map(|(_, edge)| match &edge.op {
        Edge::Assume(condition) => Some(*condition),
        _ => None,
    });
    for atom in post_order(conditions) {
        if let (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) = (atom.op(), atom.args())
            && (variables.contains(a) && b.value().is_some() || variables.contains(b) && a.value().is_some())
            && found.len() < MOST_ELEMENTS
        {
            found.push(atom);
        }
    }
    found
}

/// Conditions of the program that compare one variable with a constant, and their negations: a string may be there only where a
/// function did not fail, say.
fn guards(model: &Model<'_>, is_live: &mut dyn FnMut(Term) -> bool) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for (_, edge) in model.cfa.edges() {
        let Edge::Assume(condition) = &edge.op else { continue };
        let atom = if let (Op::Not, [inner]) = (condition.op(), condition.args()) { *inner } else { *condition };
        let is_simple = match (atom.op(), atom.args()) {
            (Op::Eq, [a, b]) => a.is_var() && b.value().is_some() || b.is_var() && a.value().is_some(),
            _ => atom.is_var(),
        };
        if is_simple && found.len() < 2 * MOST_GUARDS && !found.contains(&atom) && is_live(atom) {
            found.extend([atom, not(atom)]);
        }
    }
    found
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
                let (Some(place), Some(stored)) = (afterwards(op, *place), afterwards(op, *stored)) else { continue };
                if store.sort() != map.sort() {
                    continue;
                }
                let formula = eq(select(*map, place), stored);
                let is_known = found.iter().any(|element| element.formula == formula);
                if found.len() < MOST_ELEMENTS && !is_known && is_live(formula) {
                    found.push(Element { place, formula });
                }
            }
        }
    }
    found
}

/// A small term over an operation's variables at its start and its inputs, over variables at its end that have the same values.
fn afterwards(op: &Guarded, term: Term) -> Option<Term> {
    if dag_size(term) > LARGEST {
        return None;
    }
    let mut is_known = true;
    let same = substitute(term, |variable| {
        let renamed = op.update().iter().find(|(_, value)| **value == variable).map(|(new, _)| *new);
        let stays = !op.update().contains_key(&variable) && !op.inputs().contains(&variable);
        is_known &= stays || renamed.is_some();
        if stays { None } else { renamed }
    });
    is_known.then_some(same)
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

    /// The zero is stored at a variable that nothing reads afterwards, and only where a flag says so.
    #[test]
    fn lengths_are_kept_where_they_are_dead() {
        let text = "global i: bv8\nglobal length: bv8\nglobal there: bool\nglobal s: (Array bv8 bv8)\n\
             property P unreach-call \"\"\nprocedure main() {\nlocation error error P\n\
             entry -> a: havoc length, there\na -> b: assume (bvult length #x0a)\nb -> c: assume there\n\
             b -> d: assume (not there)\nc -> d: s := (store s length #x00)\nd -> d2: i := #x00\n\
             d2 -> d: assume (= i #x01)\nd2 -> e: assume there\nd2 -> exit: assume (not there)\n\
             e -> f: assume (not (= (select s i) #x00))\nf -> e: i := (bvadd i #x01)\n\
             e -> error: assume (bvule #x0a i)\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let verdict = Bounds.check(&program, &mut Run::unlimited());
        assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
    }

    #[test]
    fn loops_end_where_strings_end() {
        check("(bvult last i)", true);
        check("(= i last)", false);
        check("(bvult i last)", false);
    }
}
