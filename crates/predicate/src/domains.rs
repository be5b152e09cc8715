//! How much it costs to track variables, as far as their domains tell ("Refinement Selection", Section 4).
//!
//! Predicates about Booleans, and about variables that are only compared with a few constants (`pass::small_domains` makes them narrow),
//! soon say all that there is to say. Of a variable that counts, refinement may learn one value at a time, as often as a loop goes round.

use blocks::model::Model;
use rustc_hash::FxHashSet;
use term::free::Free;
use term::visit::post_order;
use term::{Op, SortKind, Term};

/// What is added for a variable that counts: more than several others together.
const COUNTS: u64 = 1000;
/// For numbers without a width, and for what is no number.
const WIDE: u64 = 64;
const NO_NUMBER: u64 = 128;

/// The domains of a program's variables.
pub struct Domains {
    /// The variables that some block increases or decreases.
    counters: FxHashSet<Term>,
}

impl Domains {
    pub fn new(model: &Model<'_>) -> Domains {
        let mut free = Free::new();
        let mut counters = FxHashSet::default();
        let blocks = model.locations().iter().flat_map(|location| model.outgoing(*location));
        for (variable, value) in blocks.filter_map(|block| block.op.as_ref()).flat_map(|op| op.update()) {
            // What is added inside a choice of values counts, too.
            let counts = |part: &Term| {
                matches!(part.op(), Op::BvAdd | Op::BvSub | Op::Add | Op::Sub) && free.of(*part).contains(variable)
            };
            if post_order([*value]).iter().any(counts) {
                counters.insert(*variable);
            }
        }
        Domains { counters }
    }

    /// What it costs to begin to track a variable.
    pub fn weight(&self, variable: Term) -> u64 {
        let width = match variable.sort().kind() {
            SortKind::Bool => 1,
            SortKind::BitVec(width) => u64::from(*width),
            SortKind::Int | SortKind::Real => WIDE,
            _ => NO_NUMBER,
        };
        width + if self.counters.contains(&variable) { COUNTS } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blocks::model::Encoding;
    use engine::Shared;

    #[test]
    fn counters_cost_most() {
        let text = "program \"t\" lp64 entry main\nprocedure main() {\nlocal b: bool\nlocal i: bv32\nlocal j: bv32\nlocal s: bv3\n\
            L0 -> L2: i := #x00000000, j := #x00000007, s := #b001\nL2 -> L3: havoc b\n\
            L3 -> L2: i := (ite b (bvadd i #x00000001) j), s := (ite b s #b010)\n\
            L3 -> exit: assume (and (= i j) (= s #b010) b)\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let model = Model::new(&program, Encoding::Single, &Shared::default()).unwrap_or_else(|why| panic!("{why}"));
        let domains = Domains::new(&model);
        let weight = |name: &str| {
            let variables = &program.procedures[0].locals;
            let found = variables.iter().find(|variable| variable.term.name().is_some_and(|n| n.as_str() == name));
            domains.weight(found.unwrap_or_else(|| panic!("{name}")).term)
        };
        assert_eq!(["b", "s", "j", "i"].map(weight), [1, 3, 32, 32 + COUNTS]);
    }
}
