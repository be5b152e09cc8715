//! Substitution of terms for variables.

use crate::visit::{bound, map_children};
use crate::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU32, Ordering};

/// `term` with each free variable replaced for which `replacement` has a term, all at once. What changes is rebuilt
/// by [`crate::build::make`]; nothing that is put in is captured by a binder. Each variable is asked for once.
pub fn substitute(term: Term, mut replacement: impl FnMut(Term) -> Option<Term>) -> Term {
    substitute_memo(term, &mut FxHashMap::default(), &mut replacement)
}

/// As [`substitute`], for several terms: `memo` keeps what was done for one term for the next. It must be used with the same
/// replacement only.
pub fn substitute_memo(
    term: Term,
    memo: &mut FxHashMap<Term, Term>,
    replacement: &mut dyn FnMut(Term) -> Option<Term>,
) -> Term {
    bottom_up_outside_binders(term, memo, replacement)
}

/// Binders are handled when they are met: their bodies are not visited from outside, because bound variables mean
/// something else there.
fn bottom_up_outside_binders(
    root: Term,
    memo: &mut FxHashMap<Term, Term>,
    replacement: &mut dyn FnMut(Term) -> Option<Term>,
) -> Term {
    let mut stack: Vec<(Term, usize)> = Vec::new();
    if !memo.contains_key(&root) {
        stack.push((root, 0));
    }
    while let Some((term, next)) = stack.last_mut() {
        let term = *term;
        let children = if bound(term).is_empty() { term.args() } else { &[] };
        match children.get(*next) {
            Some(child) => {
                *next += 1;
                if !memo.contains_key(child) {
                    stack.push((*child, 0));
                }
            }
            None => {
                stack.pop();
                let result = if term.is_var() {
                    replacement(term).unwrap_or(term)
                } else if bound(term).is_empty() {
                    map_children(term, |child| memo[&child])
                } else {
                    under_binder(term, replacement)
                };
                memo.insert(term, result);
            }
        }
    }
    memo[&root]
}

/// Substitutes in a binder's body and triggers. Bound variables that a replacement mentions are renamed first.
fn under_binder(term: Term, replacement: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
    let variables = bound(term);
    let free: Vec<Term> = crate::free::variables([term]);
    let replaced: FxHashMap<Term, Term> = free.iter().filter_map(|v| replacement(*v).map(|t| (*v, t))).collect();
    if replaced.is_empty() {
        return term;
    }
    let mentioned: FxHashSet<Term> = crate::free::variables(replaced.values().copied()).into_iter().collect();
    let renamed: FxHashMap<Term, Term> =
        variables.iter().filter(|v| mentioned.contains(v)).map(|v| (*v, fresh_like(*v))).collect();
    let mut memo = FxHashMap::default();
    let mut inner = |v: Term| {
        if variables.contains(&v) { renamed.get(&v).copied() } else { replaced.get(&v).copied() }
    };
    let args: Vec<Term> = term.args().iter().map(|a| bottom_up_outside_binders(*a, &mut memo, &mut inner)).collect();
    let variables = variables.iter().map(|v| renamed.get(v).copied().unwrap_or(*v)).collect();
    let op = match term.op() {
        Op::Forall(_) => Op::Forall(variables),
        Op::Exists(_) => Op::Exists(variables),
        _ => Op::Lambda(variables),
    };
    crate::build::make(&op, &args)
}

/// A variable that no other term has.
fn fresh_like(variable: Term) -> Term {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let name = format!(" {}", variable.name().map_or("", |name| name.as_str()));
    let (instance, sort): (u32, Sort) = (NEXT.fetch_add(1, Ordering::Relaxed), variable.sort());
    Term::new(Op::Var { name: name.as_str().into(), instance, sort }, &[])
}
