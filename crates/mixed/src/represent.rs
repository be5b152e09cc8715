//! Which machine integers are bits, and which become integers (Sections 4 and 5.5).
//!
//! A class is represented as bits if all of its variables have few values, as intervals tell, if it has the characters
//! of a string, or if its operations are exact only on bits and there are few enough of these. All others become
//! mathematical integers; operations that have no exact image there become pseudo-inputs with the bounds that intervals
//! give.

use crate::classes::{Classes, Demand};
use crate::order::NARROW;
use analysis::intervals;
use analysis::retreating::heads;
use ir::{Cfa, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

/// How machine integers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Represent {
    /// Each class as seems best.
    #[default]
    Auto,
    /// All as bits: reachability by decision diagrams alone.
    Bits,
    /// All as integers.
    Integers,
}

/// Variables that are only copied and tested are bits if they have at most this number of values,
const MOST_STATES: u128 = 1 << 10;
/// others if they have at most this number: in a counter that goes with integers, each value is an atom by itself.
const FEW_VALUES: u128 = 1 << 6;
/// So many narrow variables make a class one of characters, which are bits: what is known of a character is mostly
/// which ones it is not, and each such inequality would be a disjunction of two linear constraints.
const FEWEST_CHARACTERS: usize = 4;
/// So many operations before a branch are looked at.
const LONGEST_WAY: usize = 8;
/// Products and quotients are made of bits where variables have at most this number of values.
const MOST_FACTORS: u128 = 1 << 6;

/// The variables that stay machine integers.
pub fn bit_vectors(program: &Program, represent: Represent) -> FxHashSet<Term> {
    let entry = program.procedure(program.entry);
    let declared = program.globals.iter().chain(&entry.parameters).chain(&entry.results).chain(&entry.locals);
    let vectors = declared.map(|variable| variable.term).filter(|variable| variable.sort().bv_width().is_some());
    match represent {
        Represent::Bits => return vectors.collect(),
        Represent::Integers => return FxHashSet::default(),
        Represent::Auto => {}
    }
    let vectors: Vec<Term> = vectors.collect();
    let pairs = program.edges().flat_map(|edge| match &edge.op {
        Op::Assign(pairs) => pairs.clone(),
        _ => Vec::new(),
    });
    let mut classes = Classes::new(program.edges().flat_map(|edge| edge.op.reads()), pairs);
    let values = values(program);
    let count = |variable: &Term| values.get(variable).copied().unwrap_or_else(|| all(*variable));
    let mut most: FxHashMap<usize, u128> = FxHashMap::default();
    let mut characters: FxHashMap<usize, usize> = FxHashMap::default();
    for variable in &vectors {
        if let Some(class) = classes.of(*variable) {
            let most = most.entry(class.first).or_default();
            *most = (*most).max(count(variable));
            let is_narrow = variable.sort().bv_width().is_some_and(|width| width <= NARROW);
            *characters.entry(class.first).or_default() += usize::from(is_narrow);
        }
    }
    let is_bits = |variable: &Term| {
        let Some(class) = classes.of(*variable) else { return count(variable) <= MOST_STATES };
        let most = most[&class.first];
        match class.demand {
            Demand::Equal => most <= MOST_STATES,
            Demand::Linear => most <= FEW_VALUES || characters[&class.first] >= FEWEST_CHARACTERS,
            Demand::Bitwise => true,
            Demand::Multiplicative => most <= MOST_FACTORS,
            Demand::Unbounded => false,
        }
    };
    vectors.into_iter().filter(is_bits).collect()
}

fn all(variable: Term) -> u128 {
    variable.sort().bv_width().map_or(u128::MAX, |width| 1u128.checked_shl(width).unwrap_or(u128::MAX))
}

/// How many values variables have anywhere, as far as intervals tell.
fn values(program: &Program) -> FxHashMap<Term, u128> {
    let Ok(cfa) = &program.procedure(program.entry).body else { return FxHashMap::default() };
    let live = analysis::live::Live::new(program, program.entry);
    let Some(states) = intervals::states(program, program.entry, &heads(cfa)) else { return FxHashMap::default() };
    let mut most: FxHashMap<Term, u128> = FxHashMap::default();
    let declared = program.procedure(program.entry);
    let variables = program.globals.iter().chain(&declared.parameters).chain(&declared.results);
    let variables: Vec<Term> = variables.chain(&declared.locals).map(|variable| variable.term).collect();
    for (location, _) in cfa.locations() {
        let Some(state) = &states[location.0 as usize] else { continue };
        let tested = tested(cfa, location);
        let measured = variables.iter().filter(|v| live.at(location, **v) && !tested.contains(*v));
        for variable in measured {
            let count = state.get(variable).map_or_else(
                || all(*variable),
                |range| range.signed.1.abs_diff(range.signed.0).min(range.unsigned.1.abs_diff(range.unsigned.0)) + 1,
            );
            let most = most.entry(*variable).or_default();
            *most = (*most).max(count);
        }
    }
    most
}

/// What the branch that control comes to from a location is decided by. An input is arbitrary until its range was
/// tested; what counts is which values it has then.
fn tested(cfa: &Cfa, location: LocId) -> FxHashSet<Term> {
    let (mut way, mut at) = (Vec::new(), location);
    while let [only] = cfa.outgoing(at) {
        let edge = cfa.edge(*only);
        if way.len() >= LONGEST_WAY || edge.to == location {
            return FxHashSet::default();
        }
        way.push(&edge.op);
        at = edge.to;
    }
    let conditions = cfa.outgoing(at).iter().map(|edge| &cfa.edge(*edge).op);
    let read = |terms: Vec<Term>| term::free::variables(terms);
    let mut tested: FxHashSet<Term> = read(conditions.flat_map(Op::reads).collect()).into_iter().collect();
    for op in way.into_iter().rev() {
        match op {
            Op::Assign(pairs) => {
                let sources = pairs.iter().filter(|(variable, _)| tested.contains(variable)).map(|(_, value)| *value);
                let sources = read(sources.collect());
                pairs.iter().for_each(|(variable, _)| _ = tested.remove(variable));
                tested.extend(sources);
            }
            op => op.writes().iter().for_each(|variable| _ = tested.remove(variable)),
        }
    }
    tested
}
