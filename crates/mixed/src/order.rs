//! The order of the program's bits in decision diagrams.
//!
//! From the top: variables that choose between others, as indices of arrays do ([`crate::cases`]), and what stands
//! alone; then machine integers by their classes, those of a class interleaved bit by bit, the highest bits first, as
//! sums and comparisons want it; then, where a class has narrow variables, as the characters of strings, these with the
//! bits of each together. What is known of a string speaks of one character after the other, so interleaving them would
//! remember all of them at each bit. Characters that are compared or copied are close to each other ([`force`]).

use crate::cases::Case;
use crate::classes::Classes;
use crate::ltg::Ltg;
use rustc_hash::{FxHashMap, FxHashSet};
use sets::bdd::force;
use term::free::Free;
use term::visit::post_order;
use term::{Op, SortKind, Term};

/// Variables of at most this number of bits keep their bits together.
pub const NARROW: u32 = 8;

/// The bits of a graph's variables from the top of the order. The edges have these cases.
pub fn order(ltg: &Ltg, cases: &[Vec<Case>]) -> Vec<(Term, usize)> {
    let terms = ltg.blocks.iter().flat_map(|block| block.assignments.iter().map(|(_, value)| *value));
    let pairs = ltg.blocks.iter().flat_map(|block| block.assignments.iter().copied());
    let mut classes = Classes::new(terms.chain(ltg.edges.iter().map(|edge| edge.condition)), pairs);
    let choosing = choosing(ltg, &mut classes);
    let characters = characters(ltg, cases);
    let mut keyed = Vec::new();
    for (number, variable) in ltg.variables.iter().enumerate() {
        let width = match variable.sort().kind() {
            SortKind::Bool => 1,
            SortKind::BitVec(width) => *width as usize,
            _ => continue,
        };
        let class = classes.of(*variable).map_or(0, |class| class.first + 1);
        for bit in 0..width {
            // Bits of the same weight are together, whatever the widths are.
            let weight = usize::MAX - bit;
            let place = match characters.get(variable) {
                Some(at) => (2, 0, *at, weight),
                None if class == 0 => (0, class, number, weight),
                None => (usize::from(!choosing.contains(&class)), class, weight, number),
            };
            keyed.push((place, *variable, bit));
        }
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, variable, bit)| (variable, bit)).collect()
}

/// The classes that choose between variables of other classes.
fn choosing(ltg: &Ltg, classes: &mut Classes) -> FxHashSet<usize> {
    let mut free = Free::among(ltg.variables.iter().copied());
    let values = ltg.blocks.iter().flat_map(|block| block.assignments.iter().map(|(_, value)| *value));
    let mut choosing = FxHashSet::default();
    for term in post_order(values) {
        let (Op::Ite, [condition, a, b]) = (term.op(), term.args()) else { continue };
        let mut of = |term: Term| -> FxHashSet<usize> {
            free.of(term).iter().filter_map(|variable| Some(classes.of(*variable)?.first + 1)).collect()
        };
        let chosen: FxHashSet<usize> = of(*a).union(&of(*b)).copied().collect();
        choosing.extend(of(*condition).difference(&chosen));
    }
    choosing
}

/// Narrow machine integers, by their places among each other.
fn characters(ltg: &Ltg, cases: &[Vec<Case>]) -> FxHashMap<Term, usize> {
    let is_narrow = |variable: &&Term| variable.sort().bv_width().is_some_and(|width| width <= NARROW);
    let characters: Vec<Term> = ltg.variables.iter().filter(is_narrow).copied().collect();
    let numbers: FxHashMap<Term, u32> = (0..).zip(&characters).map(|(number, term)| (*term, number)).collect();
    let mut free = Free::among(characters.iter().copied());
    let mut met = |terms: &[Term]| -> Vec<u32> {
        terms.iter().flat_map(|term| free.of(*term).iter().map(|v| numbers[v]).collect::<Vec<_>>()).collect()
    };
    let mut groups: Vec<Vec<u32>> = Vec::new();
    // Elements with one index are compared with each other, be it on several edges.
    let mut at_index: FxHashMap<(Term, Term), Vec<u32>> = FxHashMap::default();
    for case in cases.iter().flatten() {
        let mut all = met(&[case.condition]);
        for (variable, value) in &case.assignments {
            let pair = met(&[*variable, *value]);
            all.extend(&pair);
            groups.push(pair);
        }
        for term in post_order([case.condition]) {
            if matches!(term.op(), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
                groups.push(met(&[term]));
            }
        }
        case.known.iter().for_each(|known| at_index.entry(*known).or_default().extend(&all));
    }
    groups.extend(at_index.into_values());
    for group in &mut groups {
        group.sort_unstable();
        group.dedup();
    }
    groups.retain(|group| group.len() > 1);
    groups.sort();
    let order = force(characters.len() as u32, &groups);
    order.into_iter().enumerate().map(|(at, number)| (characters[number as usize], at)).collect()
}
