//! With or without sign: the reading in which each variable becomes an integer.
//!
//! Variables between which values flow are read alike, so that copies are copies. What decides is how the program reads
//! them: its comparisons, divisions, shifts and extensions, and the types that the user wrote.

use super::number::Reading;
use ir::{Op, Program};
use rustc_hash::FxHashMap;
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term};

/// Sets of terms that are read alike: a forest whose roots stand for them.
#[derive(Default)]
pub struct Readings {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
    /// For each root, how many more operators read it with sign than without.
    votes: Vec<i64>,
}

impl Readings {
    pub fn new(program: &Program) -> Readings {
        let mut readings = Readings::default();
        for edge in program.edges() {
            readings.operation(program, &edge.op);
        }
        for term in post_order(program.terms()) {
            readings.operator(term);
        }
        readings.types(program);
        readings
    }

    /// How a variable, or the elements of an array, are read.
    pub fn of(&self, term: Term) -> Reading {
        let Some(number) = self.numbers.get(&term) else { return Reading::Signed };
        let mut root = *number;
        while self.parents[root] != root {
            root = self.parents[root];
        }
        if self.votes[root] < 0 { Reading::Unsigned } else { Reading::Signed }
    }

    fn operation(&mut self, program: &Program, op: &Op) {
        match op {
            Op::Assign(pairs) => pairs.iter().for_each(|(target, value)| self.flow(*value, *target)),
            Op::Call { procedure, arguments, results } => {
                let callee = program.procedure(*procedure);
                arguments.iter().zip(&callee.parameters).for_each(|(value, to)| self.flow(*value, to.term));
                callee.results.iter().zip(results).for_each(|(value, to)| self.flow(value.term, *to));
            }
            Op::Spawn { procedure, arguments, .. } => {
                let parameters = &program.procedure(*procedure).parameters;
                arguments.iter().zip(parameters).for_each(|(value, to)| self.flow(*value, to.term));
            }
            Op::Assume(_) | Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => {}
        }
    }

    /// Values of a term become values of another.
    fn flow(&mut self, value: Term, to: Term) {
        if is_read(value) && is_read(to) {
            self.join(value, to);
        }
    }

    fn operator(&mut self, term: Term) {
        use TermOp::*;
        match (term.op(), term.args()) {
            (Ite, [_, then, other]) => {
                self.flow(*then, term);
                self.flow(*other, term);
            }
            (Select, [array, index]) => {
                self.vote(*index, Reading::Unsigned);
                self.flow(*array, term);
            }
            (Store, [array, index, element]) => {
                self.vote(*index, Reading::Unsigned);
                self.flow(*array, term);
                self.flow(*element, term);
            }
            (ConstArray(_), [element]) => self.flow(*element, term),
            (BvSlt | BvSle | BvSdiv | BvSrem, args) => args.iter().for_each(|arg| self.vote(*arg, Reading::Signed)),
            (BvAshr, [a, _]) => self.vote(*a, Reading::Signed),
            (SignExtend(_) | BvToInt { signed: true }, [a]) => self.vote(*a, Reading::Signed),
            (BvUlt | BvUle | BvUdiv | BvUrem, args) => args.iter().for_each(|arg| self.vote(*arg, Reading::Unsigned)),
            (BvLshr, [a, _]) => self.vote(*a, Reading::Unsigned),
            (ZeroExtend(_) | BvToInt { signed: false }, [a]) => self.vote(*a, Reading::Unsigned),
            _ => {}
        }
    }

    /// The user's own types count as much as one operator.
    fn types(&mut self, program: &Program) {
        let own = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        for variable in program.globals.iter().chain(own) {
            if variable.user_type.is_some_and(|name| name.as_str().starts_with("unsigned")) {
                self.vote(variable.term, Reading::Unsigned);
            }
        }
    }

    /// An operator reads a term, and so the variables that it is a sum of.
    fn vote(&mut self, term: Term, reading: Reading) {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            match (term.op(), term.args()) {
                (TermOp::BvAdd | TermOp::BvSub | TermOp::BvNeg, args) => pending.extend(args),
                (TermOp::Const(_), _) => {}
                _ if is_read(term) => {
                    let root = self.root(term);
                    self.votes[root] += if reading == Reading::Signed { 1 } else { -1 };
                }
                _ => {}
            }
        }
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[a] = b;
            self.votes[b] += self.votes[a];
        }
    }

    fn root(&mut self, term: Term) -> usize {
        let next = self.parents.len();
        let mut number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.votes.push(0);
        }
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }
}

/// Whether a reading matters to a term: a choice between vectors, or a place where vectors are kept.
fn is_read(term: Term) -> bool {
    match term.op() {
        TermOp::Var { .. } | TermOp::Ite | TermOp::Select | TermOp::Store | TermOp::ConstArray(_) => {
            matches!(term.sort().kind(), SortKind::BitVec(_) | SortKind::Array(..))
        }
        TermOp::Const(_) => matches!(term.sort().kind(), SortKind::Array(..)),
        _ => false,
    }
}
