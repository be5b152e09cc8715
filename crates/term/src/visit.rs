//! Walks over the shared graph of a term: each node once, and without recursion, so that no term is too deep or too
//! shared.

use crate::{Op, Term, build};
use rustc_hash::{FxHashMap, FxHashSet};

/// Every term that `roots` are made of, each once, arguments before what they are arguments of. Bound variables come
/// only if they occur.
pub fn post_order(roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
    let mut order: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack: Vec<(Term, usize)> = Vec::new();
    for root in roots {
        if seen.insert(root) {
            stack.push((root, 0));
        }
        while let Some((term, next)) = stack.last_mut() {
            match term.args().get(*next) {
                Some(&child) => {
                    *next += 1;
                    if seen.insert(child) {
                        stack.push((child, 0));
                    }
                }
                None => {
                    order.push(*term);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// What `of` gives for `root`, where it may look up the results for the arguments: it is called on each term once,
/// after its arguments. Results stay in `memo` for the next call.
pub fn bottom_up<T: Clone>(
    root: Term,
    memo: &mut FxHashMap<Term, T>,
    mut of: impl FnMut(Term, &FxHashMap<Term, T>) -> T,
) -> T {
    let mut stack: Vec<(Term, usize)> = Vec::new();
    if !memo.contains_key(&root) {
        stack.push((root, 0));
    }
    while let Some((term, next)) = stack.last_mut() {
        match term.args().get(*next) {
            Some(child) => {
                *next += 1;
                if !memo.contains_key(child) {
                    stack.push((*child, 0));
                }
            }
            None => {
                let term = *term;
                stack.pop();
                let result = of(term, memo);
                memo.insert(term, result);
            }
        }
    }
    memo[&root].clone()
}

/// `term` with each argument replaced. What does not change stays the same node; what changes is rebuilt by
/// [`build::make`].
pub fn map_children(term: Term, mut f: impl FnMut(Term) -> Term) -> Term {
    let args: Vec<Term> = term.args().iter().map(|a| f(*a)).collect();
    if args == term.args() { term } else { build::make(term.op(), &args) }
}

/// Whether the term is a binder: one whose operator names bound variables.
pub fn bound(term: Term) -> &'static [Term] {
    match term.op() {
        Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound) => bound,
        _ => &[],
    }
}
