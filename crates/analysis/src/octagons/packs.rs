//! Packs: which variables' relations are looked at together.
//!
//! All pairs of a program's variables would be too many. Variables that one condition compares, or of which one is assigned from the
//! other, are in one pack, as long as it does not grow too large.

use ir::{Cfa, Op};
use rustc_hash::FxHashMap;
use term::free::dag_size;
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term};

/// A pack has at most so many variables.
const MOST: usize = 10;
/// Larger terms are not looked into.
const LARGEST: usize = 12;

/// Variables of one width.
pub struct Pack {
    pub width: u32,
    pub variables: Vec<Term>,
}

/// The packs of a procedure, the largest first.
pub fn packs(cfa: &Cfa) -> Vec<Pack> {
    let mut packs = Packs::default();
    for (_, edge) in cfa.edges() {
        match &edge.op {
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    packs.unite(&[vec![*variable], summands(*value)].concat());
                }
            }
            Op::Assume(condition) => {
                for term in post_order([*condition]) {
                    if matches!(term.op(), TermOp::Eq | TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle) {
                        packs.unite(&term.args().iter().flat_map(|side| summands(*side)).collect::<Vec<Term>>());
                    }
                }
            }
            _ => {}
        }
    }
    let several = packs.members.into_iter().filter(|members| members.len() > 1);
    let packs = several.filter_map(|variables| Some(Pack { width: variables[0].sort().bv_width()?, variables }));
    let mut packs: Vec<Pack> = packs.collect();
    packs.sort_by_key(|pack| std::cmp::Reverse(pack.variables.len()));
    packs
}

/// The variables that are added up in a term.
fn summands(term: Term) -> Vec<Term> {
    if dag_size(term) > LARGEST {
        return Vec::new();
    }
    match (term.op(), term.args()) {
        (TermOp::Var { .. }, _) => vec![term],
        (TermOp::BvAdd | TermOp::BvSub, [a, b]) => [summands(*a), summands(*b)].concat(),
        (TermOp::Ite, [_, a, b]) => [summands(*a), summands(*b)].concat(),
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Packs {
    numbers: FxHashMap<Term, usize>,
    members: Vec<Vec<Term>>,
}

impl Packs {
    /// Puts variables of one width into one pack, if it stays small enough.
    fn unite(&mut self, variables: &[Term]) {
        for pair in variables.windows(2) {
            let is_integer = |v: &Term| matches!(v.sort().kind(), SortKind::BitVec(2..=64));
            if pair[0].sort() != pair[1].sort() || !pair.iter().all(is_integer) {
                continue;
            }
            let [a, b] = [pair[0], pair[1]].map(|variable| self.number(variable));
            if a != b && self.members[a].len() + self.members[b].len() <= MOST {
                let moved = std::mem::take(&mut self.members[b]);
                moved.iter().for_each(|variable| _ = self.numbers.insert(*variable, a));
                self.members[a].extend(moved);
            }
        }
    }

    fn number(&mut self, variable: Term) -> usize {
        *self.numbers.entry(variable).or_insert_with(|| {
            self.members.push(vec![variable]);
            self.members.len() - 1
        })
    }
}
