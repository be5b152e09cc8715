//! The proof: at each location that was kept states for, that the state is one of them.
//!
//! As a formula that is a tree of decisions: the value of the first variable, then that of the second, and so on. Terms share
//! what is the same, so that states that differ in their first variables have the rest in common.

use crate::maps::Elements;
use crate::search::{Search, is_wrong};
use crate::state::{State, is_symbol};
use engine::{Invariant, Proof};
use ir::{LocId, ProcId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::Term;
use term::build::{and, eq, falsehood, or, select, truth};
use term::subst::substitute;

/// The invariants at locations, which are where states were kept, and those where executions end.
pub fn proof(search: &Search<'_>, procedure: ProcId, locations: &[LocId]) -> Proof {
    let mut rows: FxHashMap<LocId, Vec<Vec<Term>>> = FxHashMap::default();
    for node in &search.nodes {
        rows.entry(node.location).or_default().push(row(search, node.location, &node.state));
    }
    let formula = |location: LocId| match rows.get(&location) {
        Some(rows) => tree(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>()),
        None => falsehood(),
    };
    let invariant = |location: &LocId| Invariant { procedure, location: *location, formula: formula(*location) };
    debug_assert!(!rows.keys().any(|location| is_wrong(search.cfa, *location)));
    Proof::Invariants(locations.iter().map(invariant).collect())
}

/// What a state says of each variable.
pub fn row(search: &Search<'_>, location: LocId, state: &State) -> Vec<Term> {
    let live = |number: &usize| search.is_live(location, *number);
    let numbers: Vec<usize> = (0..search.variables.len()).filter(live).collect();
    let bearers = bearers(search, &numbers, state);
    let instead = |value: Term| substitute(value, |symbol| bearers.get(&symbol).copied());
    // What a value is, where it stands; only what it may be, where it bears its symbol.
    let is = |place: Term, value: Term| match bearers.get(&value) == Some(&place) {
        true => {
            let known = state.known.iter().find(|(symbol, _)| *symbol == value);
            known.map_or(truth(), |(_, numbers)| numbers.contain(place))
        }
        false => eq(place, instead(value)),
    };
    let says = |number: &usize| {
        let (variable, value) = (search.variables[*number], state.values[*number]);
        match Elements::of(value) {
            Some(map) => {
                let is_whole = term::free::variables([value]).iter().all(|symbol| bearers.contains_key(symbol));
                let elements = map.elements.iter().map(|(at, element)| is(select(variable, *at), *element));
                and(elements.chain(is_whole.then(|| eq(variable, instead(value)))))
            }
            None => is(variable, value),
        }
    };
    numbers.iter().map(says).collect()
}

/// Where symbols stand: the first variable, or the first element of a map, that is one.
fn bearers(search: &Search<'_>, numbers: &[usize], state: &State) -> FxHashMap<Term, Term> {
    let mut bearers: FxHashMap<Term, Term> = FxHashMap::default();
    for number in numbers.iter().filter(|number| is_symbol(state.values[**number])) {
        bearers.entry(state.values[*number]).or_insert(search.variables[*number]);
    }
    for number in numbers {
        let elements = Elements::of(state.values[*number]).into_iter().flat_map(|map| map.elements);
        for (at, element) in elements.filter(|(_, element)| is_symbol(*element)) {
            bearers.entry(element).or_insert_with(|| select(search.variables[*number], at));
        }
    }
    bearers
}

/// That one of the rows holds. They are of the same length.
fn tree(rows: &[&[Term]]) -> Term {
    if rows.first().is_none_or(|row| row.is_empty()) {
        return truth();
    }
    let mut groups: BTreeMap<Term, Vec<&[Term]>> = BTreeMap::new();
    rows.iter().for_each(|row| groups.entry(row[0]).or_default().push(&row[1..]));
    or(groups.into_iter().map(|(first, rest)| and([first, tree(&rest)])))
}
