//! Which symbols interpolants may use.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use term::{Function, Op, Term, free, visit};

/// Where each variable and uninterpreted function of a sequence occurs first and last.
pub struct Vocabulary {
    variables: FxHashMap<Term, (usize, usize)>,
    functions: FxHashMap<Function, (usize, usize)>,
}

impl Vocabulary {
    pub fn new(sequence: &[Term]) -> Vocabulary {
        let mut vocabulary = Vocabulary { variables: FxHashMap::default(), functions: FxHashMap::default() };
        for (k, formula) in sequence.iter().enumerate() {
            for variable in free::variables([*formula]) {
                occurs(&mut vocabulary.variables, variable, k);
            }
            for function in functions(*formula) {
                occurs(&mut vocabulary.functions, function, k);
            }
        }
        vocabulary
    }

    /// The variables that occur both in formula `cut` or before, and after it; oldest first.
    pub fn variables(&self, cut: usize) -> Vec<Term> {
        let mut shared: Vec<Term> =
            self.variables.iter().filter(|(_, span)| spans(**span, cut)).map(|(v, _)| *v).collect();
        shared.sort_unstable();
        shared
    }

    /// The functions that occur both in formula `cut` or before, and after it.
    pub fn functions(&self, cut: usize) -> Vec<Function> {
        let mut shared: Vec<Function> =
            self.functions.iter().filter(|(_, span)| spans(**span, cut)).map(|(f, _)| f.clone()).collect();
        shared.sort_unstable();
        shared
    }

    /// The first and the last formula at which all symbols of the terms are alive: they occur there, or before and
    /// after. The first is greater than the last if there is none. Symbols that occur nowhere are alive everywhere.
    pub fn alive(&self, terms: &[Term]) -> (usize, usize) {
        let mut alive = (0, usize::MAX);
        let mut meet = |span: Option<&(usize, usize)>| {
            if let Some((first, last)) = span {
                alive = (alive.0.max(*first), alive.1.min(*last));
            }
        };
        for term in terms {
            free::variables([*term]).iter().for_each(|v| meet(self.variables.get(v)));
            functions(*term).iter().for_each(|f| meet(self.functions.get(f)));
        }
        alive
    }

    /// Whether a formula uses only what occurs on both sides of the cut.
    pub fn allows(&self, cut: usize, formula: Term) -> bool {
        let variable = |v: &Term| self.variables.get(v).is_some_and(|span| spans(*span, cut));
        let function = |f: &Function| self.functions.get(f).is_some_and(|span| spans(*span, cut));
        free::variables([formula]).iter().all(variable) && functions(formula).iter().all(function)
    }
}

fn occurs<K: Hash + Eq>(spans: &mut FxHashMap<K, (usize, usize)>, key: K, at: usize) {
    spans.entry(key).and_modify(|span| span.1 = at).or_insert((at, at));
}

fn spans((first, last): (usize, usize), cut: usize) -> bool {
    first <= cut && cut < last
}

/// The uninterpreted functions of a formula.
fn functions(formula: Term) -> Vec<Function> {
    let mut found: Vec<Function> = visit::post_order([formula])
        .into_iter()
        .filter_map(|t| match t.op() {
            Op::Apply(function) => Some(function.clone()),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
