//! Programs after an exact pass reach an error exactly if the programs before do: against the enumeration of all states of
//! small random programs. A trace of the new program, carried back, is one of the old program.

use engine::{Step, Trace};
use ir::{EdgeId, LocationKind, Op, ProcId, Program, PropertyId};
use pass::{Passed, Rest, integers, slice, small_domains};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::eval::evaluate;
use term::random::Random;
use term::{Term, Value};

/// Four vectors of three bits, which are copied and compared; sometimes one is calculated with.
fn program(random: &mut Random) -> Program {
    let name = |random: &mut Random| ["a", "b", "c", "d"][random.below(4)];
    let value = |random: &mut Random| match random.below(4) {
        0 | 1 => format!("#b{:03b}", [1, 4, 6][random.below(3)]),
        2 => name(random).to_string(),
        _ => format!("(ite (= {} #b100) {} #b001)", name(random), name(random)),
    };
    let mut text = String::from("property bad unreach-call\n\nprocedure main() {\n");
    ["a", "b", "c", "d"].iter().for_each(|name| text += &format!("  local {name}: bv3\n"));
    text += "  location wrong error bad\n";
    for location in 0..6 {
        let from = if location == 0 { "entry".to_string() } else { format!("l{location}") };
        for _ in 0..1 + random.below(2) {
            let to = match random.below(8) {
                0 => "wrong".to_string(),
                1 => "exit".to_string(),
                _ => format!("l{}", 1 + random.below(5)),
            };
            let op = match random.below(9) {
                0 => format!("havoc {}", name(random)),
                1..4 => format!("{} := {}", name(random), value(random)),
                4 if random.once_in(4) => format!("{} := (bvadd {} #b001)", name(random), name(random)),
                5 => format!("assume (= {} {})", name(random), name(random)),
                6 => format!("assume (= {} {})", name(random), value(random)),
                _ => format!("assume (not (= {} {}))", name(random), value(random)),
            };
            text += &format!("  {from} -> {to}: {op}\n");
        }
    }
    ir::parse(&(text + "}\n")).expect("the generator writes programs")
}

/// Branches of which some decide nothing: what they change, few others read.
fn branching(random: &mut Random) -> Program {
    let name = |random: &mut Random| ["a", "b", "c", "d"][random.below(4)];
    let value = |random: &mut Random| match random.below(3) {
        0 => format!("#b{:02b}", random.below(4)),
        1 => name(random).to_string(),
        _ => format!("(bvadd {} #b01)", name(random)),
    };
    let place = |number: usize| if number == 0 { "entry".to_string() } else { format!("l{number}") };
    let mut text = String::from("property bad unreach-call\n\nprocedure main() {\n");
    ["a", "b", "c", "d"].iter().for_each(|name| text += &format!("  local {name}: bv2\n"));
    text += "  location wrong error bad\n";
    for number in 0..9 {
        let mut to = || match random.below(12) {
            0 => "exit".to_string(),
            // Mostly forwards, so that branches join.
            1..3 => place(1 + random.below(8)),
            _ if number >= 6 && random.once_in(3) => "wrong".to_string(),
            _ => place((number + 1 + random.below(3)).min(8)),
        };
        let (one, other) = (to(), to());
        let from = place(number);
        let condition = format!("(= {} {})", name(random), value(random));
        text += &match random.below(9) {
            0 => format!("  {from} -> {one}: assume {condition}\n"),
            1 => format!("  {from} -> {one}: havoc {}\n", name(random)),
            2 | 3 => format!("  {from} -> {one}: {} := {}\n", name(random), value(random)),
            4 => format!("  {from} -> {one}: havoc {}\n  {from} -> {other}: assume {condition}\n", name(random)),
            _ => format!("  {from} -> {one}: assume {condition}\n  {from} -> {other}: assume (not {condition})\n"),
        };
    }
    ir::parse(&(text + "}\n")).expect("the generator writes programs")
}

/// Three vectors of three bits, which are calculated with, and compared with and without sign.
fn calculating(random: &mut Random) -> Program {
    let name = |random: &mut Random| ["a", "b", "c"][random.below(3)];
    let operand = |random: &mut Random| match random.below(3) {
        0 => format!("#b{:03b}", random.below(8)),
        _ => name(random).to_string(),
    };
    let value = |random: &mut Random| {
        let operators = [
            "bvadd", "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr", "bvudiv",
            "bvurem", "bvsdiv", "bvsrem",
        ];
        match random.below(6) {
            0 => operand(random),
            1 => format!("((_ extract 3 1) ((_ zero_extend 1) {}))", operand(random)),
            _ => format!("({} {} {})", random.pick(&operators), operand(random), operand(random)),
        }
    };
    let condition = |random: &mut Random| {
        let compares = ["=", "bvult", "bvule", "bvslt", "bvsle"];
        let compared = format!("({} {} {})", random.pick(&compares), value(random), operand(random));
        if random.once_in(2) { compared } else { format!("(not {compared})") }
    };
    let mut text = String::from("property bad unreach-call\n\nprocedure main() {\n");
    ["a", "b", "c"].iter().for_each(|name| text += &format!("  local {name}: bv3\n"));
    text += "  location wrong error bad\n";
    for location in 0..6 {
        let from = if location == 0 { "entry".to_string() } else { format!("l{location}") };
        for _ in 0..1 + random.below(2) {
            let to = match random.below(8) {
                0 => "wrong".to_string(),
                1 => "exit".to_string(),
                _ => format!("l{}", 1 + random.below(5)),
            };
            let op = match random.below(7) {
                0 => format!("havoc {}", name(random)),
                1..4 => format!("{} := {}", name(random), value(random)),
                _ => format!("assume {}", condition(random)),
            };
            text += &format!("  {from} -> {to}: {op}\n");
        }
    }
    ir::parse(&(text + "}\n")).expect("the generator writes programs")
}

type State = BTreeMap<Term, Value>;
type Choices = Vec<(EdgeId, Vec<Value>)>;

/// The choices that led somewhere, the last one first.
#[derive(Clone)]
struct Way(Option<Rc<(EdgeId, Vec<Value>, Way)>>);

impl Way {
    fn choices(&self) -> Choices {
        let (mut way, mut choices) = (self, Choices::new());
        while let Some(last) = &way.0 {
            choices.push((last.0, last.1.clone()));
            way = &last.2;
        }
        choices.reverse();
        choices
    }
}

fn values(variable: Term) -> Vec<Value> {
    // Integers that stand for three bits are among these, and some stand for none.
    match variable.sort().values() {
        Some(values) => values.collect(),
        None => (-5..=8).map(|number: i32| Value::Int(number.into())).collect(),
    }
}

fn initial(program: &Program) -> Vec<State> {
    program.procedure(program.entry).locals.iter().fold(vec![State::new()], |states, local| {
        let with = |state: &State| {
            let extend = |value: Value| {
                let mut state = state.clone();
                state.insert(local.term, value);
                state
            };
            // What a pass made up is chosen before it is read.
            let count = if local.name().as_str().contains('?') { 1 } else { usize::MAX };
            values(local.term).into_iter().take(count).map(extend).collect::<Vec<State>>()
        };
        states.iter().flat_map(with).collect()
    })
}

/// The states after an edge, with the values that it chose.
fn after(op: &Op, state: &State) -> Vec<(State, Vec<Value>)> {
    let read = |term: Term| evaluate(term, &|variable| state.get(&variable).cloned()).expect("a closed term");
    match op {
        Op::Assume(condition) if read(*condition) != Value::Bool(true) => Vec::new(),
        Op::Assign(pairs) => {
            let mut next = state.clone();
            next.extend(pairs.iter().map(|(variable, value)| (*variable, read(*value))));
            vec![(next, Vec::new())]
        }
        Op::Havoc(variables) => {
            let with = |value: Value| {
                let mut next = state.clone();
                next.insert(variables[0], value.clone());
                (next, vec![value])
            };
            values(variables[0]).into_iter().map(with).collect()
        }
        _ => vec![(state.clone(), Vec::new())],
    }
}

/// A way to the error, if there is one: the initial state and the choices.
fn error(program: &Program) -> Option<(State, Choices)> {
    let cfa = program.procedure(program.entry).body.as_ref().expect("main has a body");
    let mut found = BTreeSet::new();
    let mut pending: Vec<_> =
        initial(program).into_iter().map(|state| (cfa.entry(), Rc::new(state.clone()), state, Way(None))).collect();
    while let Some((location, first, state, way)) = pending.pop() {
        if matches!(cfa.location(location).kind, LocationKind::Error(_)) {
            return Some(((*first).clone(), way.choices()));
        }
        if !found.insert((location, state.clone())) {
            continue;
        }
        for id in cfa.outgoing(location) {
            for (next, chosen) in after(&cfa.edge(*id).op, &state) {
                let way = Way(Some(Rc::new((*id, chosen, way.clone()))));
                pending.push((cfa.edge(*id).to, first.clone(), next, way));
            }
        }
    }
    None
}

/// Whether a trace leads to the error.
fn replays(program: &Program, trace: &Trace) -> bool {
    let cfa = program.procedure(program.entry).body.as_ref().expect("main has a body");
    let mut state: State = trace.initial.iter().cloned().collect();
    let mut location = cfa.entry();
    for step in &trace.steps {
        let edge = cfa.edge(step.edge);
        let Some((next, _)) = after(&edge.op, &state).into_iter().find(|(_, chosen)| *chosen == step.values) else {
            return false;
        };
        if edge.from != location {
            return false;
        }
        (location, state) = (edge.to, next);
    }
    matches!(cfa.location(location).kind, LocationKind::Error(_))
}

/// Checks a pass on the programs of some seeds: how many reach the error, how many do not, and how many the pass changes.
fn check(seeds: u64, program: impl Fn(&mut Random) -> Program, pass: impl Fn(&Program) -> Passed) -> [u32; 3] {
    let [mut reached, mut unreached, mut changed] = [0; 3];
    for seed in 0..seeds {
        let program = program(&mut Random::new(seed));
        let passed = pass(&program);
        ir::validate(&passed.program).expect("a valid program");
        changed += u32::from(passed.program != program);
        let (expected, found) = (error(&program), error(&passed.program));
        assert_eq!(found.is_some(), expected.is_some(), "seed {seed}\n{}", ir::print(&program));
        let Some((first, choices)) = found else {
            unreached += 1;
            continue;
        };
        reached += 1;
        let step = |(edge, values)| Step { thread: 0, procedure: ProcId(0), edge, values, locals: Vec::new() };
        let steps = choices.into_iter().map(step).collect();
        let initial = first.into_iter().collect();
        let trace = Trace { property: PropertyId(0), initial, memory: Vec::new(), functions: Vec::new(), steps };
        let lifted = passed.lift.trace(trace);
        assert!(replays(&program, &lifted), "seed {seed}: {lifted:?}\n{}", ir::print(&program));
    }
    [reached, unreached, changed]
}

#[test]
fn small_domains_reach_the_same_errors() {
    let [reached, unreached, changed] = check(120, program, small_domains);
    assert!(reached > 12 && unreached > 12 && changed > 40, "{reached} {unreached} {changed}");
}

#[test]
fn slices_reach_the_same_errors() {
    let [reached, unreached, changed] = check(1000, branching, slice);
    assert!(reached > 15 && unreached > 15 && changed > 40, "{reached} {unreached} {changed}");
}

#[test]
fn integers_reach_the_same_errors() {
    let pass = |program: &Program| {
        integers(program, Rest::Kept, |variable| variable.name().is_some_and(|name| name.as_str() == "c"))
    };
    let pass = |program: &Program| pass(program).expect("vectors have an integers view");
    let [reached, unreached, changed] = check(400, calculating, pass);
    assert!(reached > 40 && unreached > 40 && changed == 400, "{reached} {unreached} {changed}");
}

#[test]
fn pseudo_inputs_reach_all_errors() {
    let [mut reached, mut exact] = [0; 2];
    for seed in 0..120 {
        let program = calculating(&mut Random::new(seed));
        let passed = integers(&program, Rest::PseudoInputs, |_| false).expect("vectors have an integers view");
        ir::validate(&passed.program).expect("a valid program");
        if passed.program.procedures[0].locals.len() > 4 {
            continue;
        }
        let (expected, found) = (error(&program).is_some(), error(&passed.program).is_some());
        assert!(found || !expected, "seed {seed}\n{}", ir::print(&program));
        reached += u32::from(expected);
        exact += u32::from(found == expected);
    }
    assert!(reached > 10 && exact > 40, "{reached} {exact}");
}
