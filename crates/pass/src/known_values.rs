//! Known values: variables that are constant where they are read become constants, and what is used of a map at one of a few
//! known places is used at constant places.
//!
//! What variables may be is what [`analysis::few`] finds out. After this, identities of objects are mostly constants, and
//! what is known of objects (sizes, lives) can become variables ([`crate::known_cells`]).
//!
//! Invariants: locations and edges stay, and no location becomes reachable or unreachable.

use crate::map_classes::MapClasses;
use crate::presumed::Presumed;
use crate::{Identity, Passed};
use analysis::few::Few;
use analysis::live::Live;
use ir::{Cfa, Edge, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::build::{eq, ite, make, select, store};
use term::visit::{bottom_up, post_order};
use term::{Op as TermOp, Term};

/// A place is told apart from so many others.
const MOST_PLACES: usize = 4;

/// Puts constants in the place of variables. It wants one procedure without calls.
pub fn known_values(program: &Program) -> Passed {
    known(program).unwrap_or_else(|| Passed { program: program.clone(), lift: Arc::new(Identity) })
}

fn known(program: &Program) -> Option<Passed> {
    let is_call = |edge: &Edge| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. });
    let cfa = program.procedure(program.entry).body.as_ref().ok().filter(|_| !program.edges().any(is_call))?;
    let few = Few::new(cfa, &Live::new(program, program.entry))?;
    let classes = MapClasses::new(program);
    let scattered = scattered(cfa, &few, &classes);
    let is_split = |map: Term| classes.class(map).is_some_and(|class| !scattered.contains(&class));
    let (locations, mut edges, entry, exit) = cfa.clone().into_parts();
    for edge in edges.iter_mut().filter(|edge| few.is_reached(edge.from)) {
        let mut rewriter = Rewriter { few: &few, at: edge.from, memo: FxHashMap::default(), is_split: &is_split };
        match &mut edge.op {
            Op::Assign(pairs) => pairs.iter_mut().for_each(|(_, value)| *value = rewriter.rewrite(*value)),
            Op::Assume(condition) => *condition = rewriter.rewrite(*condition),
            _ => {}
        }
    }
    let body = Cfa::new(locations, edges, entry, exit);
    if body.edges().zip(cfa.edges()).all(|((_, new), (_, old))| new.op == old.op) {
        return None;
    }
    let lift = Presumed::new(program, cfa, |location| few.formula(location));
    let mut simpler = program.clone();
    simpler.procedures[program.entry.0 as usize].body = Ok(body);
    Some(Passed { program: simpler, lift: Arc::new(lift) })
}

/// The classes of maps that are used at places which are not known.
fn scattered(cfa: &Cfa, few: &Few, classes: &MapClasses) -> FxHashSet<usize> {
    let mut scattered = FxHashSet::default();
    for (_, edge) in cfa.edges().filter(|(_, edge)| few.is_reached(edge.from)) {
        for term in post_order(edge.op.terms()) {
            let (TermOp::Select | TermOp::Store, [map, place, ..]) = (term.op(), term.args()) else { continue };
            let Some(class) = classes.class(*map).filter(|class| !scattered.contains(class)) else { continue };
            let is_known = |values: Vec<Term>| values.len() <= MOST_PLACES;
            if place.value().is_none() && !few.values_of(edge.from, *place).is_some_and(is_known) {
                scattered.insert(class);
            }
        }
    }
    scattered
}

/// Rewrites the terms of an edge.
struct Rewriter<'a> {
    few: &'a Few,
    /// Where the edge begins.
    at: LocId,
    memo: FxHashMap<Term, Term>,
    is_split: &'a dyn Fn(Term) -> bool,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, term: Term) -> Term {
        let (few, at, is_split) = (self.few, self.at, self.is_split);
        bottom_up(term, &mut self.memo, |term, memo| {
            let parts: Vec<Term> = term.args().iter().map(|part| memo[part]).collect();
            match (term.op(), term.args(), &parts[..]) {
                (TermOp::Var { .. }, ..) => match few.values(at, term) {
                    Some([only]) => *only,
                    _ => term,
                },
                (TermOp::Select, [map, place], [new, at_place]) if is_split(*map) => {
                    read(*new, *at_place, &places(few, at, *place, *at_place))
                }
                (TermOp::Store, [map, place, _], [new, at_place, value]) if is_split(*map) => {
                    written(*new, *at_place, *value, &places(few, at, *place, *at_place))
                }
                (op, args, parts) => {
                    if args == parts {
                        term
                    } else {
                        make(op, parts)
                    }
                }
            }
        })
    }
}

/// The constants that a place may be, which was rewritten.
fn places(few: &Few, at: LocId, place: Term, rewritten: Term) -> Vec<Term> {
    match rewritten.value() {
        Some(_) => vec![rewritten],
        None => few.values_of(at, place).unwrap_or_default(),
    }
}

/// What stands at a place that is one of the constants.
fn read(map: Term, place: Term, constants: &[Term]) -> Term {
    match constants {
        [] => select(map, place),
        [only] => select(map, *only),
        [first, others @ ..] => ite(eq(place, *first), select(map, *first), read(map, place, others)),
    }
}

/// The map with a value at a place that is one of the constants.
fn written(map: Term, place: Term, value: Term, constants: &[Term]) -> Term {
    match constants {
        [] => store(map, place, value),
        [only] => store(map, *only, value),
        several => several.iter().fold(map, |changed, constant| {
            store(changed, *constant, ite(eq(place, *constant), value, select(map, *constant)))
        }),
    }
}
