//! Laws of terms, on random terms over all operators: rewriting does not change the value, and texts read back.
//!
//! `FATHOM_CASES=20` in the environment runs twenty times as many cases.

use std::cell::RefCell;
use std::collections::HashMap;
use term::eval::{Evaluator, evaluate};
use term::random::{Random, Terms};
use term::simplify::simplify;
use term::{Function, Op, Term, Value, build, free, text, visit};

fn cases(usual: u64) -> std::ops::Range<u64> {
    0..usual * std::env::var("FATHOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Random values of variables and functions, the same whenever they are asked for.
struct Model {
    random: RefCell<Random>,
    variables: RefCell<HashMap<Term, Value>>,
    functions: RefCell<HashMap<(Function, Vec<Value>), Value>>,
}

impl Model {
    fn new(seed: u64) -> Model {
        Model { random: Random::new(seed).into(), variables: RefCell::default(), functions: RefCell::default() }
    }

    fn variable(&self, term: Term) -> Option<Value> {
        if !term.is_var() || matches!(term.sort().kind(), term::SortKind::Memory(_)) {
            return None;
        }
        let mut random = self.random.borrow_mut();
        Some(self.variables.borrow_mut().entry(term).or_insert_with(|| random.value(term.sort())).clone())
    }

    fn function(&self, function: &Function, args: &[Value]) -> Option<Value> {
        if matches!(function.result.kind(), term::SortKind::Memory(_)) {
            return None;
        }
        let mut random = self.random.borrow_mut();
        let key = (function.clone(), args.to_vec());
        Some(self.functions.borrow_mut().entry(key).or_insert_with(|| random.value(function.result)).clone())
    }

    fn value(&self, term: Term) -> Option<Value> {
        let (variable, function) = (|t| self.variable(t), |f: &Function, a: &[Value]| self.function(f, a));
        Evaluator::new(&variable).with_functions(&function).value(term)
    }
}

/// The term, made again from below by the smart constructors.
fn rebuilt(root: Term) -> Term {
    visit::bottom_up(root, &mut Default::default(), |term, memo| {
        let args: Vec<Term> = term.args().iter().map(|a| memo[a]).collect();
        build::make(term.op(), &args)
    })
}

/// Both terms have one value in some random models, where both have one.
#[track_caller]
fn check_equal(before: Term, after: Term, seed: u64) {
    assert_eq!(before.sort(), after.sort(), "{before}\nbecame {after}");
    for n in 0..4 {
        let model = Model::new(seed * 4 + n);
        if let Some(expected) = model.value(before) {
            let value = model.value(after);
            assert_eq!(value.as_ref(), Some(&expected), "{before}\nbecame {after}\n{:?}", model.variables.borrow());
        }
    }
}

#[test]
fn constructors_keep_the_value() {
    for seed in cases(15_000) {
        let mut terms = Terms::new(seed);
        terms.everything = seed % 4 == 0;
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 5) as u32);
        check_equal(term, rebuilt(term), seed);
        check_equal(term, build::make(term.op(), term.args()), seed);
    }
}

/// Constructors take arguments that nobody has simplified, such as a sum with zero: all operators on two operators of
/// one variable of two bits and a constant.
#[test]
fn constructors_keep_the_value_of_related_arguments() {
    use Op::*;
    let inner = [BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr];
    let outer = [Eq, BvUlt, BvUle, BvSlt, BvSle].into_iter().chain(inner.clone());
    let x = Term::var("x", term::Sort::bv(2));
    let constants: Vec<Term> = (0..4).map(|k| build::bv(2, k)).collect();
    let mut arguments: Vec<Term> = constants.iter().copied().chain([x]).collect();
    for op in &inner {
        for k in &constants {
            arguments.push(Term::new(op.clone(), &[x, *k]));
            arguments.push(Term::new(op.clone(), &[*k, x]));
        }
    }
    for op in outer {
        for a in &arguments {
            for b in &arguments {
                let (before, after) = (Term::new(op.clone(), &[*a, *b]), build::make(&op, &[*a, *b]));
                for value in 0..4 {
                    let value = |_| Some(Value::bv(2, value));
                    assert_eq!(evaluate(before, &value), evaluate(after, &value), "{before}\nbecame {after}");
                }
            }
        }
    }
}

/// What is said to be known of a term holds in every model of what is known of its variables.
#[test]
fn what_is_known_holds_whatever_is_not_known() {
    let mut said = 0;
    for seed in cases(15_000) {
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 5) as u32);
        let first = Model::new(seed);
        let mut known: HashMap<Term, Term> = HashMap::new();
        for variable in free::variables([term]) {
            let Some(value) = first.variable(variable) else { continue };
            let part = match (&value, terms.random.below(3)) {
                (_, 0) => continue,
                (Value::Array(array), 1) => array.entries.iter().fold(variable, |map, (place, element)| {
                    let constant = |value: &Value| Term::constant(value.clone());
                    Term::new(Op::Store, &[map, constant(place), constant(element)])
                }),
                _ => Term::constant(value.clone()),
            };
            if part != variable {
                known.insert(variable, part);
            }
        }
        let Some(fact) = term::known(term, &|variable| known.get(&variable).copied()) else { continue };
        said += 1;
        for n in 0..4 {
            let model = Model::new(seed * 4 + n);
            for (variable, part) in &known {
                let value = model.value(*part).unwrap_or_else(|| panic!("{part} has a value"));
                model.variables.borrow_mut().insert(*variable, value);
            }
            if let Some(expected) = model.value(term) {
                check_fact(fact, &expected, term, &known);
            }
        }
    }
    assert!(said > 1000, "{said}");
}

/// A value is what is known of it: a constant, or stores of constants in an array of which no more is known.
#[track_caller]
fn check_fact(fact: Term, value: &Value, term: Term, known: &HashMap<Term, Term>) {
    let mut at = fact;
    while let (Op::Store, [below, place, element], Value::Array(array)) = (at.op(), at.args(), value) {
        let there = place.value().map(|place| array.get(place));
        assert_eq!(there, element.value(), "{fact} of {term} where {known:?}");
        at = *below;
    }
    if let Some(constant) = at.value() {
        assert_eq!(constant, value, "{term} where {known:?}");
    }
}

#[test]
fn simplification_keeps_the_value() {
    for seed in cases(15_000) {
        let mut terms = Terms::new(seed);
        terms.everything = seed % 4 == 0;
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 6) as u32);
        check_equal(term, simplify(term), seed);
    }
}

/// Simplifying again changes little, and what it gives is not larger by more than a few nodes.
#[test]
fn simplification_does_not_enlarge() {
    for seed in cases(3_000) {
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 6) as u32);
        let simple = simplify(term);
        let (before, after) = (free::tree_size(term), free::tree_size(simple));
        assert!(after <= 2 * before + 4, "{before} became {after}: {term}\nbecame {simple}");
    }
}

#[test]
fn constructors_agree_with_operators_on_values() {
    for seed in cases(30_000) {
        let mut terms = Terms::new(seed);
        let sort = terms.sort();
        let (op, sorts) = terms.operator(sort);
        let args: Vec<Value> = sorts.iter().map(|s| terms.random.value(*s)).collect();
        let constants: Vec<Term> = args.iter().map(|v| Term::constant(v.clone())).collect();
        let expected = term::eval::apply(&op, &args);
        let plain = Term::new(op.clone(), &constants);
        assert_eq!(evaluate(plain, &|_| None), expected, "{plain}");
        if expected.is_some() {
            assert_eq!(evaluate(build::make(&op, &constants), &|_| None), expected, "{plain}");
        }
    }
}

#[test]
fn texts_read_back_as_the_same_node() {
    for seed in cases(10_000) {
        let mut terms = Terms::new(seed);
        terms.everything = true;
        let sort = terms.sort();
        let term = terms.term(sort, 1 + (seed % 6) as u32);
        let printed = text::print(term);
        assert_eq!(text::parse_closed(&printed, &Own(term)), Ok(term), "{printed}");
    }
}

/// Whatever the text, the parser answers; and what it accepts, it prints so that it reads back.
#[test]
fn damaged_texts_are_refused_or_read() {
    for seed in cases(10_000) {
        let mut terms = Terms::new(seed);
        terms.everything = true;
        let sort = terms.sort();
        let mut text = text::print(terms.term(sort, 3)).into_bytes();
        for _ in 0..1 + terms.random.below(3) {
            let at = terms.random.below(text.len());
            match terms.random.below(3) {
                0 => _ = text.remove(at),
                1 => text[at] = *terms.random.pick(b"()_ 0129-./|@#xb:?!\\;a"),
                _ => text.insert(at, *terms.random.pick(b"()_ 0129-./|@#xb:?!\\;a")),
            }
            if text.is_empty() {
                text.push(b'(');
            }
        }
        let Ok(text) = String::from_utf8(text) else { continue };
        if let Ok((term, _)) = text::parse(&text, 0, &Anything) {
            assert_eq!(text::parse_closed(&text::print(term), &Own(term)).ok(), Some(term), "{text}");
        }
    }
}

/// A scope where every name is an integer.
struct Anything;

impl text::Scope for Anything {
    fn variable(&self, _name: source::Symbol) -> Option<term::Sort> {
        Some(term::Sort::int())
    }

    fn function(&self, name: source::Symbol, parameters: &[term::Sort]) -> Option<Function> {
        Some(Function { name, parameters: parameters.to_vec(), result: term::Sort::int() })
    }
}

/// The scope of a term's own names.
struct Own(Term);

impl text::Scope for Own {
    fn variable(&self, name: source::Symbol) -> Option<term::Sort> {
        visit::post_order([self.0]).into_iter().find(|t| t.name() == Some(name)).map(|t| t.sort())
    }

    fn function(&self, name: source::Symbol, parameters: &[term::Sort]) -> Option<Function> {
        visit::post_order([self.0]).into_iter().find_map(|t| match t.op() {
            Op::Apply(f) if f.name == name && f.parameters == parameters => Some(f.clone()),
            _ => None,
        })
    }
}

/// The operators on bit-vectors with results of any sort, for two arguments of one width.
fn pairs() -> Vec<Op> {
    use Op::*;
    let arithmetic = [BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr];
    arithmetic.into_iter().chain([BvUlt, BvUle, BvSlt, BvSle, Concat, Eq]).collect()
}

/// The operators on one bit-vector of the width.
fn singles(width: u32) -> Vec<Op> {
    let extensions = [width, width + 1, width + 3].into_iter().flat_map(|to| [Op::ZeroExtend(to), Op::SignExtend(to)]);
    let extracts = (0..width).flat_map(|low| (low..width).map(move |high| Op::Extract { high, low }));
    let integers = [Op::BvToInt { signed: true }, Op::BvToInt { signed: false }];
    extensions.chain(extracts).chain(integers).chain([Op::BvNot, Op::BvNeg]).collect()
}

/// What becomes of a term by one more operator, with constants for the other argument.
fn wrapped(inner: Term) -> Vec<Term> {
    let Some(width) = inner.sort().bv_width() else { return Vec::new() };
    let unary = singles(width).into_iter().map(|op| Term::new(op, &[inner]));
    let constants =
        if width <= 3 { (0..1 << width).collect() } else { vec![0, 1, 5, (1 << width) - 1, 1 << (width - 1)] };
    let binary = pairs().into_iter().flat_map(|op| {
        constants.clone().into_iter().flat_map(move |bits| {
            let constant = build::bv(width, bits);
            [[inner, constant], [constant, inner]].map(|args| Term::new(op.clone(), &args))
        })
    });
    unary.chain(binary).collect()
}

/// All terms of two operators on a small bit-vector and constants keep their values, for all values.
#[test]
fn small_vectors_keep_all_values() {
    let widths = if cases(1).end > 1 { 1..=3 } else { 1..=2 };
    for width in widths {
        let x = Term::var("x", term::Sort::bv(width));
        let choice = Term::new(Op::Ite, &[Term::var("c", term::Sort::bool()), x, build::bv(width, 1)]);
        for term in wrapped(x).into_iter().flat_map(wrapped).chain(wrapped(choice).into_iter().flat_map(wrapped)) {
            let (after, simple) = (rebuilt(term), simplify(term));
            for (bits, c) in (0..1 << width).flat_map(|bits| [(bits, false), (bits, true)]) {
                let assignment = |t: Term| Some(if t == x { Value::bv(width, bits) } else { Value::Bool(c) });
                let expected = evaluate(term, &assignment);
                assert_eq!(evaluate(after, &assignment), expected, "{term} became {after}, x = {bits}");
                assert_eq!(evaluate(simple, &assignment), expected, "{term} became {simple}, x = {bits}");
            }
        }
    }
}
