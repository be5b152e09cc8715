//! Against evaluation: random terms over random values, in the one view and in the other.

use super::back::{Narrow, machine, variables_of};
use super::number::Reading;
use super::translate::integers_of;
use super::*;
use rustc_hash::FxHashSet;
use source::Symbol;
use term::eval::evaluate;
use term::random::Terms;
use term::{Sort, SortKind, Value};

/// A program that assigns a term to a variable of its own.
fn program(term: Term) -> Program {
    let mut program = Program::empty(Symbol::new("test"), ir::DataModel::Ilp32);
    let out = Term::var("out", term.sort());
    let locals = term::free::variables([term]).into_iter().chain([out]);
    let locals = locals.map(|variable| Variable { term: variable, ..Variable::internal("_", variable.sort()) });
    let mut builder = ir::CfaBuilder::new(None, None);
    builder.edge(ir::CfaBuilder::ENTRY, Op::assign(out, term), ir::CfaBuilder::EXIT, None);
    program.procedures.push(ir::Procedure {
        name: Symbol::new("main"),
        parameters: Vec::new(),
        variadic: false,
        results: Vec::new(),
        locals: locals.collect(),
        body: Ok(builder.finish()),
        place: None,
    });
    program
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("main has a body")
}

/// The value of the variable `out` after the only execution from a state; `None` if an assumption does not hold, or if
/// a value depends on what has none.
fn executed(program: &Program, state: &FxHashMap<Term, Value>) -> Option<Value> {
    let cfa = body(program);
    let (mut at, mut state) = (cfa.entry(), state.clone());
    while let [edge] = cfa.outgoing(at) {
        let read = |term: Term| evaluate(term, &|variable| state.get(&variable).cloned());
        match &cfa.edge(*edge).op {
            Op::Assume(condition) => assert_eq!(read(*condition)?, Value::Bool(true), "{condition}"),
            Op::Assign(pairs) => {
                let values: Vec<(Term, Value)> =
                    pairs.iter().map(|(v, t)| Some((*v, read(*t)?))).collect::<Option<_>>()?;
                state.extend(values);
            }
            other => panic!("{other:?}"),
        }
        at = cfa.edge(*edge).to;
    }
    state.into_iter().find(|(variable, _)| variable.name() == Some(Symbol::new("out"))).map(|(_, value)| value)
}

/// Random sorts with vectors in them.
fn sort(terms: &mut Terms) -> Sort {
    match terms.random.below(8) {
        0 => Sort::bool(),
        1 => Sort::int(),
        2 => Sort::array(Sort::bv(2), Sort::bv(8)),
        _ => Sort::bv(*terms.random.pick(&[1, 2, 3, 7, 8, 16, 31, 32, 33, 64, 65, 100, 128])),
    }
}

/// The values of a program's variables, before the pass and after it.
fn states(terms: &mut Terms, program: &Program, stays: &FxHashSet<Term>) -> [FxHashMap<Term, Value>; 2] {
    let view = view(program, Rest::Kept, |variable| stays.contains(&variable));
    let (mut old, mut new) = (FxHashMap::default(), FxHashMap::default());
    for variable in &program.procedure(program.entry).locals {
        let value = terms.random.value(variable.sort());
        let image = match view.integers.contains(&variable.term) {
            true => integers_of(&value, view.readings.of(variable.term)),
            false => value.clone(),
        };
        new.insert(view.variable(variable.term), image);
        old.insert(variable.term, value);
    }
    [old, new]
}

#[test]
fn values_of_terms_are_the_same_numbers() {
    let mut compared = 0;
    for seed in 0..6000 {
        let mut terms = Terms::new(seed);
        let sort = sort(&mut terms);
        let term = terms.term(sort, 4);
        let before = program(term);
        let stays: FxHashSet<Term> =
            before.procedures[0].locals.iter().map(|v| v.term).filter(|_| terms.random.once_in(6)).collect();
        let Ok(passed) = integers(&before, Rest::Kept, |variable| stays.contains(&variable)) else { continue };
        ir::validate(&passed.program).expect("a valid program");
        for _ in 0..10 {
            let [old, new] = states(&mut terms, &before, &stays);
            let Some(expected) = executed(&before, &old) else { continue };
            let found = executed(&passed.program, &new).expect("the same operators");
            assert_eq!(machine(sort, &found), expected, "seed {seed}: {term}\n{}", ir::print(&passed.program));
            compared += 1;
        }
    }
    assert!(compared > 20_000, "{compared}");
}

#[test]
fn formulas_come_back_with_the_same_values() {
    let (mut compared, mut narrow) = (0, 0);
    for seed in 0..6000 {
        let mut terms = Terms::new(seed);
        let term = terms.term(Sort::bool(), 4);
        let before = program(term);
        let Ok(passed) = integers(&before, Rest::Kept, |_| false) else { continue };
        let view = view(&before, Rest::Kept, |_| false);
        let variables = variables_of(&view);
        let conditions = body(&passed.program).edges().filter_map(|(_, edge)| match &edge.op {
            Op::Assign(pairs) => pairs.first().map(|(_, value)| *value),
            _ => None,
        });
        for condition in conditions {
            let Some(back) = Narrow::new(&variables).formula(condition) else { continue };
            let is_narrow = |term: &Term| !matches!(term.sort().kind(), SortKind::Int);
            narrow += u32::from(term::visit::post_order([back]).iter().all(is_narrow));
            for _ in 0..10 {
                let [old, new] = states(&mut terms, &before, &FxHashSet::default());
                let value = |term: Term, state: &FxHashMap<Term, Value>| evaluate(term, &|v| state.get(&v).cloned());
                let Some(expected) = value(condition, &new) else { continue };
                assert_eq!(value(back, &old), Some(expected), "seed {seed}: {condition}\n{back}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000 && narrow > 500, "{compared} {narrow}");
}

#[test]
fn sums_wrap_once() {
    let [x, y, z] = ["x", "y", "z"].map(|name| Term::var(name, Sort::bv(8)));
    let sum = term::build::bv_sub(term::build::bv_add(x, y), z);
    let passed = integers(&program(term::build::bv_slt(sum, x)), Rest::Kept, |_| false).expect("a sum");
    let text = ir::print(&passed.program);
    assert_eq!(text.matches("mod").count() + text.matches("ite").count(), 1, "{text}");
}

#[test]
fn ranges_exclude_wraps() {
    let text = "
        property bad unreach-call

        procedure main() {
          local x: bv32
          location wrong error bad
          entry -> l1: x := #x00000000
          l1 -> l2: assume (bvult x #x0000000a)
          l2 -> l1: x := (bvadd x #x00000001)
          l1 -> l3: assume (not (bvult x #x0000000a))
          l3 -> wrong: assume (not (= (bvand x #x0000000f) #x0000000a))
        }";
    let passed = integers(&ir::parse(text).expect("a program"), Rest::Kept, |_| false).expect("integers");
    let text = ir::print(&passed.program);
    assert!(!text.contains("mod") && !text.contains("ite"), "{text}");
}

#[test]
fn readings_follow_the_program() {
    let text = "
        procedure main() {
          local s: bv8
          local t: bv8
          local u: bv8
          entry -> l1: assume (bvslt s #x05)
          l1 -> l2: t := s
          l2 -> exit: assume (bvult u #xf0)
        }";
    let program = ir::parse(text).expect("a program");
    let readings = Readings::new(&program);
    let of = |name: &str| readings.of(Term::var(name, Sort::bv(8)));
    assert_eq!([of("s"), of("t"), of("u")], [Reading::Signed, Reading::Signed, Reading::Unsigned]);
}

/// Every execution of the exact view is one of the view with pseudo-inputs, where these have the values of what they stand for.
#[test]
fn pseudo_inputs_may_have_any_value_within_bounds() {
    let text = "
        property bad unreach-call

        procedure main() {
          local x: bv32
          local y: bv32
          local z: bv32
          location wrong error bad
          entry -> l1: assume (and (bvule #x00000001 x) (bvule x #x00000004))
          l1 -> l2: assume (and (bvule #x00000002 y) (bvule y #x00000005))
          l2 -> l3: z := (bvadd (bvmul x y) #x00000001)
          l3 -> wrong: assume (= z #x00000007)
        }";
    let passed = integers(&ir::parse(text).expect("a program"), Rest::PseudoInputs, |_| false).expect("integers");
    let text = ir::print(&passed.program);
    assert!(text.contains("(<= 2 ") && text.contains(" 20)") && !text.contains("bvmul"), "{text}");
    let (x, y) = (Symbol::new("x"), Symbol::new("y"));
    let stays = |variable: Term| variable.name() == Some(x) || variable.name() == Some(y);
    let passed = integers(&ir::parse(TEXT_OF_BITS).expect("a program"), Rest::PseudoInputs, stays).expect("integers");
    assert!(ir::print(&passed.program).contains("bvmul"), "a product of bits stays one");
}

const TEXT_OF_BITS: &str = "
    procedure main() {
      local x: bv4
      local y: bv4
      local z: bv4
      entry -> exit: z := (bvmul x y)
    }";
