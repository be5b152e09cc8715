//! What is hard to compute and never changes has a name of its own.
//!
//! A product of rigid variables is rigid. For a proof it mostly matters that it is the same wherever it occurs, not
//! which number it is, and solvers would spend their time on the number. So a rigid variable of its own takes its place.
//!
//! Invariant: whatever was possible still is, with the new variables as large as what they stand for.

use rustc_hash::FxHashMap;
use term::build::make;
use term::free::Free;
use term::{Op, Term};

/// Hides products and quotients.
pub struct Hidden<R> {
    is_rigid: R,
    free: Free,
    names: FxHashMap<Term, Term>,
    memo: FxHashMap<Term, Term>,
}

impl<R: Fn(Term) -> bool> Hidden<R> {
    pub fn new(is_rigid: R) -> Hidden<R> {
        Hidden { is_rigid, free: Free::new(), names: FxHashMap::default(), memo: FxHashMap::default() }
    }

    /// The term without them.
    pub fn hide(&mut self, term: Term) -> Term {
        if term.args().is_empty() {
            return term;
        }
        if let Some(known) = self.memo.get(&term) {
            return *known;
        }
        let result = if self.is_hard(term) {
            let number = self.names.len();
            let name = || Term::var(format!("$value{number}:{}", term.sort()).as_str(), term.sort());
            *self.names.entry(term).or_insert_with(name)
        } else {
            let parts: Vec<Term> = term.args().iter().map(|part| self.hide(*part)).collect();
            if parts == term.args() { term } else { make(term.op(), &parts) }
        };
        self.memo.insert(term, result);
        result
    }

    fn is_hard(&mut self, term: Term) -> bool {
        let by_variables = match (term.op(), term.args()) {
            (Op::BvMul, parts) => parts.iter().all(|part| part.value().is_none()),
            (Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem, _) => true,
            _ => false,
        };
        by_variables && self.free.of(term).iter().all(|variable| (self.is_rigid)(*variable))
    }

    /// The new variables.
    pub fn variables(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.names.values().copied().collect();
        all.sort_unstable();
        all
    }
}
