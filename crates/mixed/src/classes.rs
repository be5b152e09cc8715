//! Classes of machine integers: those that meet in an operation, transitively (Section 5.5).
//!
//! "If a bounded integer variable is treated as a fixed-length bit-vector, then any operation on it must be treated as a
//! bit-vector operation, and any other operand of the same operation must be treated as a bit-vector." Comparisons are
//! operations; a condition does not belong to what is chosen by it.

use rustc_hash::FxHashMap;
use term::visit::post_order;
use term::{Op, Term};

/// Disjoint sets of machine integers: a forest whose roots stand for them.
pub struct Classes {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
    classes: Vec<Class>,
}

/// What is known of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// The number of its first term.
    pub first: usize,
    /// What its operations ask for.
    pub demand: Demand,
}

/// What operations ask for, from least to most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Demand {
    /// Copies, tests for equality.
    Equal,
    /// Sums, multiples, order.
    Linear,
    /// Bits by themselves: exact only as bits.
    Bitwise,
    /// Products and quotients of variables: exact only as bits, of which there should be few.
    Multiplicative,
    /// It is tied to numbers that have no bits.
    Unbounded,
}

impl Classes {
    /// The classes of variables that occur in terms, and that are assigned terms.
    pub fn new(terms: impl IntoIterator<Item = Term>, pairs: impl IntoIterator<Item = (Term, Term)>) -> Classes {
        let mut classes = Classes { numbers: FxHashMap::default(), parents: Vec::new(), classes: Vec::new() };
        let (pairs, terms): (Vec<_>, Vec<_>) = (pairs.into_iter().collect(), terms.into_iter().collect());
        for term in post_order(terms) {
            classes.operation(term);
        }
        pairs.into_iter().for_each(|(variable, value)| classes.join(variable, value));
        classes
    }

    /// The class of a machine integer that occurs somewhere.
    pub fn of(&mut self, term: Term) -> Option<Class> {
        let number = *self.numbers.get(&term)?;
        let root = self.root(number);
        Some(self.classes[root])
    }

    fn operation(&mut self, term: Term) {
        use Op::*;
        let args = term.args();
        let operands = match term.op() {
            Ite => &args[1..],
            Select => &args[1..],
            _ => args,
        };
        let vectors = operands.iter().filter(|arg| arg.sort().bv_width().is_some()).copied();
        let together: Vec<Term> = match term.op() {
            Not | And | Or | Implies | Xor | Apply(_) | Store | Select => Vec::new(),
            _ => vectors.chain(term.sort().bv_width().map(|_| term)).filter(|part| part.value().is_none()).collect(),
        };
        together.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
        let is_constant = |position: usize| args[position].value().is_some();
        let demand = match term.op() {
            BvAnd | BvOr | BvXor if !is_constant(0) && !is_constant(1) => Demand::Bitwise,
            BvShl | BvLshr | BvAshr if !is_constant(1) => Demand::Bitwise,
            BvMul if !is_constant(0) && !is_constant(1) => Demand::Multiplicative,
            BvUdiv | BvSdiv | BvUrem | BvSrem if !is_constant(1) => Demand::Multiplicative,
            IntToBv(_) | BvToInt { .. } => Demand::Unbounded,
            Eq | Ite | Const(_) | Var { .. } => Demand::Equal,
            _ => Demand::Linear,
        };
        if let Some(first) = together.first() {
            let root = self.number(*first);
            let root = self.root(root);
            self.classes[root].demand = self.classes[root].demand.max(demand);
        }
    }

    /// Constants belong to every class.
    fn join(&mut self, a: Term, b: Term) {
        if a.sort().bv_width().is_none() || b.sort().bv_width().is_none() {
            return;
        }
        if a.value().is_some() || b.value().is_some() {
            return;
        }
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[b] = a;
            let other = self.classes[b];
            let class = &mut self.classes[a];
            *class = Class { first: class.first.min(other.first), demand: class.demand.max(other.demand) };
        }
    }

    fn number(&mut self, term: Term) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.classes.push(Class { first: next, demand: Demand::Equal });
        }
        number
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }
}
