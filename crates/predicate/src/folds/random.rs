//! The engine `folds` against the enumeration of all states, on small random programs that add up elements of a map.
//!
//! Whatever it proves has no violation, and `certify` accepts it. And enough must be proved, or the test would say little.

use super::Folds;
use certify::check_proof;
use engine::{Cancel, Engine, Proof, Reason, Run, Verdict};
use ir::{Cfa, LocId, LocationKind, Op, Program};
use rustc_hash::FxHashSet;
use solver::{Profile, Smt, Z3};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use term::eval::evaluate;
use term::random::Random;
use term::{ArrayValue, Sort, Term, Value};

/// What is known of two-bit variables, and of a map of four two-bit elements.
const SUMS: [&str; 3] = ["s", "t", "u"];

/// Writes random programs.
struct Writer {
    random: Random,
    text: String,
    fresh: usize,
    /// Where elements are, the same for most loops of a program.
    place: &'static str,
    step: &'static str,
    less: &'static str,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut random = Random::new(seed);
        let places = ["I", "I", "I", "(bvmul I #b10)", "(bvadd I #b01)", "(bvmul I #b11)"];
        let steps = [
            "(bvadd S X)",
            "(bvadd S X)",
            "(bvsub S X)",
            "(bvxor S X)",
            "(bvadd (bvadd S X) I)",
            "(bvand S X)",
            "(bvor S X)",
            "(ite (bvult S X) X S)",
            "(ite (bvslt X S) X S)",
            "(ite (= X #b01) (bvadd S #b01) S)",
            "(bvsub X S)",
            "(bvadd (bvmul S #b10) X)",
        ];
        let place = places[random.below(places.len())];
        let step = steps[random.below(steps.len())];
        let less = ["bvult", "bvslt"][random.below(2)];
        Writer { random, text: String::new(), fresh: 3, place, step, less }
    }

    fn one_of(&mut self, names: &[&'static str]) -> &'static str {
        names[self.random.below(names.len())]
    }

    fn edge(&mut self, from: usize, to: usize, op: &str) {
        let _ = writeln!(self.text, "  L{from} -> L{to}: {op}");
    }

    fn then(&mut self, here: usize, op: &str) -> usize {
        let next = self.fresh;
        self.fresh += 1;
        self.edge(here, next, op);
        next
    }

    /// A loop from zero up to a number that does an operation in each round.
    fn sweep(&mut self, here: usize, bound: &str, first: &str, op: &str) -> usize {
        let head = self.then(here, &format!("i := {first}"));
        let below = format!("({} i {bound})", self.less);
        let inside = self.then(head, &format!("assume {below}"));
        let done = self.then(inside, op);
        self.edge(done, head, "i := (bvadd i #b01)");
        self.then(head, &format!("assume (not {below})"))
    }

    fn fold(&mut self, here: usize, sum: &str, bound: &str) -> usize {
        let step = if self.random.below(8) == 0 { "(bvadd S X)" } else { self.step };
        let element = format!("(select a {})", self.place);
        let words = |text: &str, index: &str| {
            let word = |word: &str| match word.trim_matches(['(', ')']) {
                "S" => word.replace('S', sum),
                "X" => word.replace('X', &element),
                _ => word.to_string(),
            };
            let words: Vec<String> = text.split(' ').map(word).collect();
            words.join(" ").replace('I', index)
        };
        let step = words(step, "i");
        let start = if self.random.below(5) == 0 { words("X", "#b00") } else { "#b00".to_string() };
        let here = self.then(here, &format!("{sum} := {start}"));
        let first = if self.random.below(4) == 0 { "#b01" } else { "#b00" };
        self.sweep(here, bound, first, &format!("{sum} := {step}"))
    }

    fn store(&mut self, here: usize) -> usize {
        let constant = format!("#b{:02b}", self.random.below(4));
        match self.random.below(5) {
            0 => self.then(here, &format!("a := (store a {constant} n)")),
            1 => self.then(here, &format!("a := (store a {constant} (select a #b01))")),
            2 | 3 => {
                let swapped = "(store (store a #b00 (select a #b01)) #b01 (select a #b00))";
                self.then(here, &format!("a := {swapped}"))
            }
            _ => {
                let here = self.then(here, "n := (select a #b00)");
                let here = self.sweep(here, "#b01", "#b00", "a := (store a i (select a (bvadd i #b01)))");
                self.then(here, "a := (store a #b01 n)")
            }
        }
    }

    /// L0 is the entry, L1 the exit, L2 an error location.
    fn program(mut self) -> String {
        let mut here = self.then(0, "i := #b00, n := #b00, s := #b00, t := #b00, u := #b00");
        let bound = self.one_of(&["#b01", "#b01", "#b10", "#b11"]);
        let mut sums = vec!["s"];
        here = self.fold(here, "s", bound);
        for _ in 0..1 + self.random.below(2) {
            if self.random.below(4) > 0 {
                here = self.store(here);
            }
            let sum = SUMS[sums.len()];
            here = self.fold(here, sum, bound);
            sums.push(sum);
        }
        let other = sums[sums.len() - 1];
        let constant = if self.random.below(6) == 0 { "n" } else { "#b00" };
        let condition = format!("(= s (bvadd {other} {constant}))");
        self.edge(here, 2, &format!("assume (not {condition})"));
        self.edge(here, 1, &format!("assume {condition}"));
        let mut text = String::from("program \"random.c\" lp64 entry main\nproperty P0 unreach-call \"assertion\"\n");
        text.push_str("global a: (Array bv2 bv2)\nprocedure main() {\n");
        ["i", "n", "s", "t", "u"].iter().for_each(|name| _ = writeln!(text, "  local {name}: bv2"));
        text.push_str("  location L2 error P0\n");
        text + &self.text + "}\n"
    }
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

/// The elements of the map in eight bits, and the values of the variables.
type State = Vec<u8>;

/// Whether an error location is reached from some initial state, by trying all maps.
fn reaches_error(program: &Program) -> bool {
    let cfa = body(program);
    let variables: Vec<Term> =
        program.globals.iter().chain(&program.procedure(program.entry).locals).map(|variable| variable.term).collect();
    let number = |variable: Term| variables.iter().position(|known| *known == variable).expect("a known variable");
    let value = |bits: u8, sort: Sort| {
        if sort.bv_width().is_some() {
            return Value::bv(2, u128::from(bits));
        }
        let mut array = ArrayValue::constant(Sort::bv(2), Value::bv(2, 0));
        (0..4u8).for_each(|at| array.set(Value::bv(2, at.into()), Value::bv(2, u128::from(bits >> (2 * at) & 3))));
        Value::Array(Arc::new(array))
    };
    let bits = |value: &Value| match value {
        Value::Bv(bv) => bv.unsigned() as u8,
        Value::Array(array) => (0..4u8).fold(0, |bits, at| {
            let element = array.get(&Value::bv(2, at.into())).as_bv().map_or(0, |bv| bv.unsigned() as u8);
            bits | element << (2 * at)
        }),
        other => panic!("{other:?} is no value of these programs"),
    };
    let read = |state: &State, term: Term| {
        evaluate(term, &|variable: Term| Some(value(state[number(variable)], variable.sort()))).expect("a closed term")
    };
    let mut found: FxHashSet<(LocId, State)> = FxHashSet::default();
    let initial = (0..=255u8).map(|map| [vec![map], vec![0; variables.len() - 1]].concat());
    let mut pending: Vec<(LocId, State)> = initial.map(|state| (cfa.entry(), state)).collect();
    while let Some((location, state)) = pending.pop() {
        if !found.insert((location, state.clone())) {
            continue;
        }
        if matches!(cfa.location(location).kind, LocationKind::Error(_)) {
            return true;
        }
        for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
            let mut after = state.clone();
            match &edge.op {
                Op::Assign(pairs) => pairs.iter().for_each(|(x, e)| after[number(*x)] = bits(&read(&state, *e))),
                Op::Assume(condition) if read(&state, *condition).as_bool() == Some(true) => {}
                Op::Assume(_) => continue,
                other => panic!("not written: {other:?}"),
            }
            pending.push((edge.to, after));
        }
    }
    false
}

#[test]
fn what_is_proved_of_folds_is_so() {
    let all = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(300u64);
    let (mut proved, mut safe, mut reduced) = (0, 0, 0);
    for number in 0..all {
        let text = Writer::new(number).program();
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let is_unsafe = reaches_error(&program);
        safe += u32::from(!is_unsafe);
        let mut run = Run::new(Some(Duration::from_secs(20)), None, Cancel::new());
        match Folds.check(&program, &mut run) {
            Verdict::True(proof) => {
                let solver = || -> Box<dyn Smt> { Box::new(Z3::new(Profile::Thorough)) };
                assert_eq!(check_proof(&program, &proof, &solver), Ok(()), "program {number}\n{text}");
                assert!(!is_unsafe, "program {number}: a wrong proof of\n{text}");
                let Proof::Folded { reductions, .. } = proof else { panic!("another proof of program {number}") };
                reduced += u32::from(!reductions.is_empty());
                proved += 1;
            }
            Verdict::False(_) => panic!("the engine only proves"),
            Verdict::Unknown(Reason::Internal(what)) => panic!("{what}: program {number}\n{text}"),
            Verdict::Unknown(_) => {}
        }
    }
    println!("{proved} of {safe} safe programs proved, {reduced} with reductions");
    let some = all as u32 / 20;
    assert!(proved >= some && reduced > 0, "{proved} of {safe}, {reduced}: the test says little");
}
