//! What one part of a formula says, used in the other parts: conjuncts in each other, conditions in branches.

use crate::visit::bound;
use crate::{Op, Term, build};
use rustc_hash::FxHashMap;

/// Below the root, only formulas of at most this many nodes are looked through.
const SMALL: usize = 200;
/// Branches of at most this many nodes are looked through for their condition.
const SMALL_BRANCH: usize = 40;

/// Terms with the values that they have where the facts hold.
type Facts = FxHashMap<Term, Term>;

/// Adds what follows at once from a formula being true or false; gives the term that was learnt about.
fn learn(facts: &mut Facts, formula: Term, holds: bool) -> Term {
    match (formula.op(), formula.args()) {
        (Op::Not, [a]) => learn(facts, *a, !holds),
        (Op::Eq, [t, k]) if holds && k.value().is_some() => {
            facts.entry(*t).or_insert(*k);
            *t
        }
        _ => {
            facts.entry(formula).or_insert(build::bool(holds));
            formula
        }
    }
}

/// A conjunction whose conjuncts use each other, or a disjunction whose disjuncts use each other's negations.
///
/// What is learnt from a conjunct is a value for a term that it contains. So if each conjunct is kept as it is down to
/// that term, no two conjuncts can lose what each says through what the other says.
pub(super) fn junction(term: Term, at_root: bool) -> Option<Term> {
    if !at_root && is_larger(term, SMALL) {
        return None;
    }
    let holds = *term.op() == Op::And;
    let mut facts = Facts::default();
    let mut keys: FxHashMap<Term, Term> = FxHashMap::default();
    let mut own: Vec<Option<Term>> = Vec::new();
    for &part in term.args() {
        let key = learn(&mut facts, part, holds);
        // The first conjunct about a term is the one to be believed; others about it are rewritten as a whole.
        let first = *keys.entry(key).or_insert(part) == part;
        own.push(first.then_some(key));
    }
    let mut replaced = Replacement { facts: &facts, memo: FxHashMap::default() };
    let parts: Vec<Term> = term
        .args()
        .iter()
        .zip(own)
        .map(|(part, key)| match key {
            Some(key) => replaced.around(*part, key),
            None => replaced.of(*part),
        })
        .collect();
    (parts != term.args()).then(|| build::make(term.op(), &parts))
}

/// An `ite` whose branches use the condition.
pub(super) fn branches(term: Term) -> Option<Term> {
    let [condition, then, other] = *term.args() else { return None };
    let under = |holds: bool, branch: Term| {
        if branch.args().is_empty() || is_larger(branch, SMALL_BRANCH) {
            return branch;
        }
        let mut facts = Facts::default();
        learn(&mut facts, condition, holds);
        Replacement { facts: &facts, memo: FxHashMap::default() }.of(branch)
    };
    let (then, other) = (under(true, then), under(false, other));
    Some(build::ite(condition, then, other))
}

fn is_larger(term: Term, limit: usize) -> bool {
    // Trees of that size are seen through quickly; what is shared may be counted twice, which does not matter here.
    let mut stack = vec![term];
    let mut seen = 0;
    while let Some(t) = stack.pop() {
        seen += 1;
        if seen + stack.len() > limit {
            return true;
        }
        stack.extend_from_slice(t.args());
    }
    false
}

/// Puts values in the place of terms.
struct Replacement<'a> {
    facts: &'a Facts,
    memo: FxHashMap<Term, Term>,
}

impl Replacement<'_> {
    /// `term` with all terms replaced that have values. Binders stay as they are: facts are about free variables.
    fn of(&mut self, root: Term) -> Term {
        let mut stack = vec![(root, 0)];
        while let Some((term, next)) = stack.last_mut() {
            let term = *term;
            let ready = self.facts.get(&term).copied().or_else(|| (!bound(term).is_empty()).then_some(term));
            match (ready, term.args().get(*next)) {
                (None, Some(child)) => {
                    *next += 1;
                    if !self.memo.contains_key(child) {
                        stack.push((*child, 0));
                    }
                }
                _ => {
                    stack.pop();
                    let result = ready.unwrap_or_else(|| self.rebuilt(term));
                    self.memo.insert(term, result);
                }
            }
        }
        self.memo[&root]
    }

    fn rebuilt(&self, term: Term) -> Term {
        let args: Vec<Term> = term.args().iter().map(|a| self.memo[a]).collect();
        if args == term.args() { term } else { build::make(term.op(), &args) }
    }

    /// `part` with terms replaced strictly inside of `key`, which is `part` itself, its negation's argument, or the left
    /// side of the equality that it is.
    fn around(&mut self, part: Term, key: Term) -> Term {
        if part == key {
            if !bound(part).is_empty() {
                return part;
            }
            let args: Vec<Term> = part.args().iter().map(|a| self.of(*a)).collect();
            return if args == part.args() { part } else { build::make(part.op(), &args) };
        }
        let args: Vec<Term> =
            part.args().iter().enumerate().map(|(i, a)| if i == 0 { self.around(*a, key) } else { *a }).collect();
        if args == part.args() { part } else { build::make(part.op(), &args) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_counted_up_to_the_limit() {
        let x = Term::var("x", crate::Sort::bool());
        let y = Term::new(Op::Not, &[x]);
        assert!(!is_larger(y, 2));
        assert!(is_larger(y, 1));
    }
}
