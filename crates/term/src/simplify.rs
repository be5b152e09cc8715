//! Simplification: rewriting from below with the constructors of [`crate::build`] and with stronger rules that look
//! further than one node.
//!
//! The result equals the term in every model. Equivalent terms often become the same node:
//!
//! * sums of integers, reals and bit-vectors are linear combinations in one order, with like summands added up;
//! * comparisons have one direction and `Not` for the other, so that an atom and its negation share the atom: integers and
//!   bit-vectors have `Le` only (`BvUle`, `BvSle`); constants are on the right; integer atoms are divided by the common
//!   divisor of their coefficients;
//! * what a conjunct says is used in the others (likewise a disjunct's negation, and a condition in its branches);
//! * bits that are known decide comparisons and masks; shifts by constants are extracts, extensions or products.
//!
//! Each call rewrites a bounded number of times for each node of its argument, so it ends, and the result is at most by
//! a constant factor larger; hardly ever is it larger at all.

mod choice;
mod compare;
mod facts;
mod known;
mod linear;
mod vectors;

use crate::free::Free;
use crate::visit::{bound, post_order};
use crate::{Op, Term, build};
use known::{Known, known};
use rustc_hash::FxHashMap;

/// Rewriting steps for each node of the argument.
const STEPS_PER_NODE: usize = 8;

/// The term, simplified.
pub fn simplify(term: Term) -> Term {
    Simplifier::new().simplify(term)
}

/// Simplifies terms and remembers the results.
#[derive(Default)]
pub struct Simplifier {
    memo: FxHashMap<Term, Term>,
    known: FxHashMap<Term, Known>,
    free: Free,
}

/// What is to be done for a term.
enum Task {
    /// Simplify it.
    Start(Term),
    /// Its arguments are simplified.
    Finish(Term),
    /// It was rewritten to the other term, which is simplified.
    Same(Term, Term),
}

impl Simplifier {
    pub fn new() -> Simplifier {
        Simplifier::default()
    }

    /// The term, simplified.
    pub fn simplify(&mut self, root: Term) -> Term {
        if let Some(done) = self.memo.get(&root) {
            return *done;
        }
        let mut steps = STEPS_PER_NODE * post_order([root]).len();
        let mut tasks = vec![Task::Start(root)];
        // The root, or what it has become by now.
        let mut top = root;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Start(term) => {
                    if !self.memo.contains_key(&term) {
                        tasks.push(Task::Finish(term));
                        tasks.extend(term.args().iter().map(|a| Task::Start(*a)));
                    }
                }
                Task::Finish(term) => {
                    if self.memo.contains_key(&term) {
                        continue;
                    }
                    let built = self.rebuilt(term);
                    let next = if built != term { Some(built) } else { self.rule(term, term == top) };
                    match next {
                        Some(next) if next != term && steps > 0 => {
                            steps -= 1;
                            if term == top {
                                top = next;
                            }
                            tasks.push(Task::Same(term, next));
                            tasks.push(Task::Start(next));
                        }
                        _ => self.keep(term, built),
                    }
                }
                Task::Same(term, next) => {
                    let result = self.memo.get(&next).copied().unwrap_or(next);
                    self.memo.insert(term, result);
                }
            }
        }
        self.memo[&root]
    }

    fn keep(&mut self, term: Term, result: Term) {
        if let Some(bits) = known(result, &self.known) {
            self.known.insert(result, bits);
        }
        self.memo.insert(term, result);
        self.memo.entry(result).or_insert(result);
    }

    /// The term with its arguments simplified.
    fn rebuilt(&self, term: Term) -> Term {
        let args: Vec<Term> = term.args().iter().map(|a| self.memo.get(a).copied().unwrap_or(*a)).collect();
        if args == term.args() && term.value().is_some() { term } else { build::make(term.op(), &args) }
    }

    /// What one of the rules makes of a term whose arguments are simplified.
    fn rule(&mut self, term: Term, at_root: bool) -> Option<Term> {
        let rewritten = match term.op() {
            Op::And | Op::Or => facts::junction(term, at_root),
            Op::Ite => facts::branches(term),
            Op::Le | Op::Lt => compare::numbers(term),
            Op::Eq => compare::equality(term).or_else(|| self.decided(term)),
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => self.decided(term).or_else(|| compare::vectors(term)),
            Op::Forall(_) | Op::Exists(_) => self.unused(term),
            _ if term.sort().bv_width().is_some() => {
                self.decided(term).or_else(|| vectors::rule(term)).or_else(|| linear::normal(term))
            }
            _ => linear::normal(term),
        };
        rewritten.filter(|new| *new != term).or_else(|| choice::lifted(term)).filter(|new| *new != term)
    }

    /// What the known bits of the arguments decide.
    fn decided(&self, term: Term) -> Option<Term> {
        known::decided(term, &self.known)
    }

    /// A quantifier without the variables that its body does not mention.
    fn unused(&mut self, term: Term) -> Option<Term> {
        let mentioned: Vec<Term> = term.args().iter().flat_map(|a| self.free.of(*a).to_vec()).collect();
        let used: Vec<Term> = bound(term).iter().filter(|v| mentioned.contains(v)).copied().collect();
        if used.len() == bound(term).len() {
            return None;
        }
        let op = if matches!(term.op(), Op::Forall(_)) { Op::Forall(used) } else { Op::Exists(used) };
        Some(build::make(&op, term.args()))
    }
}
