//! Compiled code against the evaluation of terms: random terms over all operators, random values.

use super::{end, straight};
use crate::interp::choices::{At, Choices, Chosen};
use crate::interp::{End, Interpreter, Zeros};
use crate::{EdgeId, Op, ProcId, Variable};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use term::eval::Evaluator;
use term::random::{Random, Terms};
use term::{Function, Sort, SortKind, Term, Value, free};

/// Fixed values for variables, and for functions a value that depends on the arguments.
struct Given {
    values: FxHashMap<Term, Value>,
}

fn function(function: &Function, arguments: &[Value]) -> Value {
    let seed = FxBuildHasher.hash_one((function.name, arguments));
    Random::new(seed).value(function.result)
}

impl Choices for Given {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        Ok(self.values[&variable.term].clone())
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.initial(variable, at)
    }

    fn result(&mut self, _: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        self.initial(result, at)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        Zeros.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        Zeros.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        Zeros.bytes(object, offset, bytes)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        Zeros.address(object, size, suggested)
    }

    fn apply(&mut self, f: &Function, arguments: &[Value]) -> Chosen<Value> {
        Ok(function(f, arguments))
    }
}

/// Assigns the terms to the variables at once, and checks every variable afterwards. The terms may need a value that there
/// is none of (an unbounded quantifier, say) only if `partial`.
fn check(pairs: &[(Term, Term)], values: FxHashMap<Term, Value>, partial: bool) {
    let functions = |f: &Function, arguments: &[Value]| Some(function(f, arguments));
    let assignment = |variable: Term| values.get(&variable).cloned();
    let mut evaluator = Evaluator::new(&assignment).with_functions(&functions);
    let expected: Vec<Option<Value>> = pairs.iter().map(|(_, term)| evaluator.value(*term)).collect();
    let program = straight(vec![Op::Assign(pairs.to_vec())]);
    let mut interpreter = Interpreter::new(&program);
    match end(&mut interpreter, &mut Given { values: values.clone() }) {
        End::Finished(_) => {}
        End::Unsupported(_) if partial || expected.contains(&None) => return,
        other => panic!("{other:?} of {pairs:?}\nwith {values:?}"),
    }
    for ((variable, _), expected) in pairs.iter().zip(expected) {
        let expected = expected.unwrap_or_else(|| panic!("no value, but a result: {pairs:?}"));
        assert_eq!(interpreter.global(*variable), Some(expected), "{variable:?} after {pairs:?}\nwith {values:?}");
    }
    for variable in free::variables(pairs.iter().map(|(_, term)| *term)) {
        if pairs.iter().all(|(target, _)| *target != variable) {
            assert_eq!(interpreter.global(variable).as_ref(), values.get(&variable), "{variable:?} after {pairs:?}");
        }
    }
}

/// Random values for all variables in the assignment.
fn values(pairs: &[(Term, Term)], random: &mut Random) -> FxHashMap<Term, Value> {
    let variables = free::variables(pairs.iter().flat_map(|(v, t)| [*v, *t]));
    variables.into_iter().map(|variable| (variable, random.value(variable.sort()))).collect()
}

fn contains_memory(pairs: &[(Term, Term)]) -> bool {
    let terms = term::visit::post_order(pairs.iter().map(|(_, term)| *term));
    terms.iter().any(|term| matches!(term.sort().kind(), SortKind::Memory(_)))
}

#[test]
fn single_assignments_agree_with_evaluation() {
    for seed in 0..6000 {
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 5) as u32);
        let target = if seed % 3 == 0 { terms.variable(sort) } else { Term::var("result", sort) };
        let pairs = [(target, term)];
        for _ in 0..4 {
            let values = values(&pairs, &mut terms.random);
            check(&pairs, values, false);
        }
    }
}

#[test]
fn parallel_assignments_agree_with_evaluation() {
    for seed in 0..4000 {
        let mut terms = Terms::new(seed + 1_000_000);
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        let sorts: Vec<Sort> = (0..2).map(|_| terms.sort()).collect();
        for _ in 0..2 + terms.random.below(4) {
            let sort = *terms.random.pick(&sorts);
            let (target, term) = (terms.variable(sort), terms.term(sort, 4));
            if pairs.iter().all(|(known, _)| *known != target) {
                pairs.push((target, term));
            }
        }
        let values = values(&pairs, &mut terms.random);
        check(&pairs, values, false);
    }
}

#[test]
fn array_assignments_agree_with_evaluation() {
    let bv = Sort::bv(2);
    let sorts = [
        Sort::array(bv, bv),
        Sort::array(Sort::bv(32), Sort::bv(32)),
        Sort::array(Sort::int(), Sort::int()),
        Sort::array(bv, Sort::array(bv, bv)),
    ];
    for seed in 0..4000 {
        let mut terms = Terms::new(seed + 2_000_000);
        let sort = *terms.random.pick(&sorts);
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for sort in [sort, sort, sort, Sort::bool(), bv] {
            let (target, term) = (terms.variable(sort), terms.term(sort, 6));
            if pairs.iter().all(|(known, _)| *known != target) {
                pairs.push((target, term));
            }
        }
        let values = values(&pairs, &mut terms.random);
        check(&pairs, values, false);
    }
}

#[test]
fn functions_and_binders_agree_with_evaluation() {
    for seed in 0..4000 {
        let mut terms = Terms::new(seed + 3_000_000);
        terms.everything = true;
        let sort = terms.sort();
        let pairs = [(Term::var("result", sort), terms.term(sort, 4))];
        if !contains_memory(&pairs) {
            let values = values(&pairs, &mut terms.random);
            check(&pairs, values, true);
        }
    }
}

/// Terms that grow exponentially if what is shared is not computed once, and that are deep.
#[test]
fn shared_and_deep_terms_are_compiled_once() {
    use term::Op::{Apply, BvAdd, Ite, Select, Store};
    let bv = Sort::bv(32);
    let f = Function { name: "f".into(), parameters: vec![bv], result: bv };
    let c = Term::var("c", Sort::bool());
    let (mut ite, mut sum, mut chain) = (Term::var("x", bv), Term::var("x", bv), Term::var("a", Sort::array(bv, bv)));
    for _ in 0..20_000 {
        let applied = Term::new(Apply(f.clone()), &[ite]);
        let added = Term::new(BvAdd, &[ite, Term::var("y", bv)]);
        ite = Term::new(Ite, &[c, Term::new(BvAdd, &[applied, added]), added]);
        sum = Term::new(BvAdd, &[sum, sum]);
        let stored = Term::new(Store, &[chain, sum, Term::new(Select, &[chain, sum])]);
        chain = Term::new(Ite, &[c, stored, chain]);
    }
    let pairs = [(Term::var("r", bv), ite), (Term::var("s", bv), sum), (Term::var("a", Sort::array(bv, bv)), chain)];
    let program = straight(vec![Op::Assign(pairs.to_vec())]);
    let mut interpreter = Interpreter::new(&program);
    let mut random = Random::new(1);
    for _ in 0..2 {
        let outcome = end(&mut interpreter, &mut Given { values: values(&pairs, &mut random) });
        assert!(matches!(outcome, End::Finished(_)), "{outcome:?}");
    }
}
