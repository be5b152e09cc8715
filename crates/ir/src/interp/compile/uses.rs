//! How often and in which way the subterms of an edge are needed.
//!
//! A term is *cheap* if a few instructions compute it that cannot fail; all others are costly: they read memory or arrays,
//! make numbers or arrays, or ask for choices. Costly arguments are computed only where they are needed: the branches of
//! `ite`, and what follows the first argument of `and`, `or` and `implies`. Whatever is needed only then is *lazy* there.

use super::floats;
use crate::interp::layout::in_slot;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, free};

/// Whether terms are costly; remembered for all edges.
#[derive(Default, Debug)]
pub(in crate::interp) struct Costs(FxHashMap<Term, bool>);

impl Costs {
    pub fn is_costly(&mut self, term: Term) -> bool {
        if let Some(known) = self.0.get(&term) {
            return *known;
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.0.contains_key(&top) {
                stack.pop();
                continue;
            }
            let own = !is_simple(top);
            let unknown = top.args().iter().filter(|a| !self.0.contains_key(a));
            let before = stack.len();
            if !own {
                let unknown: Vec<Term> = unknown.copied().collect();
                stack.extend(unknown);
            }
            if stack.len() == before {
                let costly = own || top.args().iter().any(|a| self.0.get(a).copied().unwrap_or(true));
                self.0.insert(top, costly);
                stack.pop();
            }
        }
        self.0.get(&term).copied().unwrap_or(true)
    }
}

/// Whether an instruction or two compute the operator and cannot fail.
fn is_simple(term: Term) -> bool {
    use Op::*;
    match term.op() {
        Const(_) | Var { .. } => true,
        Not | And | Or | Implies | Xor => true,
        Eq | Ite => term.args().iter().all(|a| in_slot(a.sort())),
        BvAdd
        | BvSub
        | BvMul
        | BvNeg
        | BvUdiv
        | BvSdiv
        | BvUrem
        | BvSrem
        | BvAnd
        | BvOr
        | BvXor
        | BvNot
        | BvShl
        | BvLshr
        | BvAshr
        | BvUlt
        | BvUle
        | BvSlt
        | BvSle
        | Concat
        | Extract { .. }
        | ZeroExtend(_)
        | SignExtend(_)
        | Pointer
        | PointerObject
        | PointerOffset => true,
        _ => floats::native(term).is_some() || alias(term).is_some(),
    }
}

/// The argument that lies in its slot exactly as the term itself would.
pub(super) fn alias(term: Term) -> Option<Term> {
    let argument = *term.args().first()?;
    let same = match term.op() {
        Op::ZeroExtend(_) | Op::FpToBits => true,
        Op::SignExtend(_) | Op::Extract { .. } | Op::FpToFp(..) => argument.sort() == term.sort(),
        _ => false,
    };
    same.then_some(argument)
}

/// How a term is used in one edge.
#[derive(Clone, Copy, Default, Debug)]
struct Use {
    /// How many terms need it directly.
    count: u32,
    /// Whether it is always needed.
    strict: bool,
    /// Whether some term needs it only sometimes.
    lazy: bool,
}

/// The uses of all subterms of an edge.
#[derive(Default, Debug)]
pub(super) struct Uses {
    uses: FxHashMap<Term, Use>,
    /// By term: those that have it as an argument and are always needed.
    strict_parents: FxHashMap<Term, Vec<Term>>,
    roots: FxHashSet<Term>,
}

impl Uses {
    pub fn new(roots: impl IntoIterator<Item = Term>, costs: &mut Costs) -> Uses {
        let mut uses = Uses::default();
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for root in roots {
            uses.roots.insert(root);
            uses.count(root, false, &mut stack);
            while let Some((term, lazy)) = stack.pop() {
                for (argument, needed) in arguments(term, costs) {
                    let lazy = lazy || needed == Needed::Sometimes;
                    if !lazy {
                        uses.strict_parents.entry(argument).or_default().push(term);
                    }
                    uses.count(argument, lazy, &mut stack);
                }
            }
        }
        uses
    }

    fn count(&mut self, term: Term, lazy: bool, stack: &mut Vec<(Term, bool)>) {
        let known = self.uses.entry(term).or_default();
        let first = known.count == 0;
        // A term seen first as lazy and then as strict is walked twice, and its arguments count twice: all that matters
        // is whether there is more than one use.
        known.count += 1;
        let news = if lazy { first } else { !known.strict };
        known.lazy |= lazy;
        known.strict |= !lazy;
        if news {
            stack.push((term, lazy));
        }
    }

    /// Whether the term is itself what the edge needs.
    pub fn is_root(&self, term: Term) -> bool {
        self.roots.contains(&term)
    }

    pub fn contains(&self, term: Term) -> bool {
        self.uses.contains_key(&term)
    }

    /// Whether more than one term needs it.
    pub fn is_shared(&self, term: Term) -> bool {
        self.uses.get(&term).is_some_and(|use_| use_.count > 1)
    }

    /// Whether several terms need it and some of them only sometimes.
    pub fn is_shared_lazily(&self, term: Term) -> bool {
        self.uses.get(&term).is_some_and(|use_| use_.count > 1 && use_.lazy)
    }

    /// The cheap terms of which some terms need the values only sometimes, and several terms do; each after its arguments.
    pub fn cheap_and_shared(&self, costs: &mut Costs) -> Vec<Term> {
        let shared = self.uses.keys().copied().filter(|term| self.is_shared_lazily(*term) && !term.args().is_empty());
        let mut cheap: Vec<Term> = shared.filter(|term| !costs.is_costly(*term)).collect();
        cheap.sort_unstable();
        cheap
    }

    /// The terms that are always needed and have this one as an argument.
    pub fn strict_parents(&self, term: Term) -> Vec<Term> {
        self.strict_parents.get(&term).cloned().unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needed {
    Always,
    Sometimes,
}

/// The arguments of a term and whether they are needed whenever the term is, in the order in which they are computed.
pub(super) fn arguments(term: Term, costs: &mut Costs) -> Vec<(Term, Needed)> {
    let always = |arguments: &[Term]| arguments.iter().map(|a| (*a, Needed::Always)).collect();
    match (term.op(), term.args()) {
        (Op::Ite, &[condition, then, other]) => {
            let lazily = costs.is_costly(then) || costs.is_costly(other);
            let needed = if lazily { Needed::Sometimes } else { Needed::Always };
            vec![(condition, Needed::Always), (then, needed), (other, needed)]
        }
        (Op::And | Op::Or | Op::Implies, args) => {
            // What is cheap comes first: it may spare the rest.
            let (costly, cheap): (Vec<Term>, Vec<Term>) = args.iter().partition(|a| costs.is_costly(**a));
            let first = if cheap.is_empty() { 1 } else { 0 };
            let cheap = cheap.into_iter().map(|a| (a, Needed::Always));
            let costly = costly.into_iter().enumerate();
            let costly = costly.map(|(i, a)| (a, if i < first { Needed::Always } else { Needed::Sometimes }));
            cheap.chain(costly).collect()
        }
        // Evaluated as they stand; what they need are variables.
        (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), _) => always(&free::variables([term])),
        (_, args) => always(args),
    }
}
