//! Random programs over integers, Booleans, reals and machine integers, against the enumeration of all states; and Theorem 7.1.
//!
//! All values stay in small sets, so that the states can be listed. The environment variable `FATHOM_RANDOM_PROGRAMS` sets how
//! many programs are tried.

use super::{REPRESENTATIONS, STRATEGIES};
use crate::model::Model;
use crate::search::{End, Watch, frontier, reach_frontier};
use crate::{Mixed, Options, view};
use certify::check_proof;
use engine::{Engine, Run, Trace, Verdict};
use ir::{Cfa, LocId, LocationKind, Op, Program};
use limits::Limits;
use solver::{Profile, Smt, Z3};
use std::collections::BTreeSet;
use std::fmt::Write;
use term::eval::evaluate;
use term::random::Random;
use term::{SortKind, Term, Value};

const DECLARATIONS: [&str; 6] = ["i: int", "j: int", "b: bool", "c: bool", "r: real", "v: bv2"];

/// Writes random programs in the textual form.
struct Writer(Random);

impl Writer {
    fn pick(&mut self, all: &[&'static str]) -> &'static str {
        let place = self.below(all.len());
        all[place]
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// From 0 to 3.
    fn integer(&mut self) -> String {
        let n = self.below(4);
        let (x, y) = (self.pick(&["i", "j"]), self.pick(&["i", "j"]));
        match self.below(8) {
            0 => n.to_string(),
            1 => x.to_string(),
            2 => format!("(mod (+ {x} {n}) 4)"),
            3 => format!("(mod (+ {x} (* 2 {y})) 4)"),
            4 => format!("(div {x} 2)"),
            5 => format!("(ite {} {x} {n})", self.condition()),
            6 => format!("(mod (- {x} {y}) 3)"),
            _ => format!("(ite (= {y} 0) {x} (ite (= {y} 1) {n} (ite (= {y} 2) j 3)))"),
        }
    }

    /// 0, 1/2, 1 or 3/2.
    fn real(&mut self) -> String {
        let constant = self.pick(&["0.0", "(/ 1.0 2.0)", "1.0", "(/ 3.0 2.0)"]);
        match self.below(5) {
            0 => constant.to_string(),
            1 => "(- (/ 3.0 2.0) r)".to_string(),
            2 => format!("(ite (< r {constant}) r {constant})"),
            3 => format!("(ite {} r {constant})", self.condition()),
            _ => "(ite (< r 1.0) (+ r (/ 1.0 2.0)) 0.0)".to_string(),
        }
    }

    fn vector(&mut self) -> String {
        let constant = format!("#b{:02b}", self.below(4));
        match self.below(7) {
            0 => constant,
            1 => format!("(bvadd v {constant})"),
            2 => format!("(bvmul v {constant})"),
            3 => format!("(bvand v (bvmul v {constant}))"),
            4 => format!("(ite {} v {constant})", self.condition()),
            5 => format!("(bvsub {constant} v)"),
            _ => format!("(ite (= v #b00) {constant} (ite (= v #b01) v (ite (= v #b10) #b00 #b01)))"),
        }
    }

    fn condition(&mut self) -> String {
        let relation = self.pick(&["=", "<", "<="]);
        match self.below(9) {
            0 => format!("({relation} i {})", self.below(4)),
            1 => format!("({relation} i j)"),
            2 => format!("({relation} r {})", self.pick(&["(/ 1.0 2.0)", "1.0"])),
            3 => format!("(bvult v #b{:02b})", self.below(4)),
            4 => self.pick(&["b", "c"]).to_string(),
            5 => format!("(and b {})", self.condition()),
            6 => format!("(or (not c) {})", self.condition()),
            7 => format!("(= (= v #b01) {})", self.condition()),
            _ => format!("(not {})", self.condition()),
        }
    }

    fn operation(&mut self) -> String {
        match self.below(10) {
            0 | 1 => format!("i := {}", self.integer()),
            2 => format!("i := {}, j := {}", self.integer(), self.integer()),
            3 => format!("r := {}", self.real()),
            4 => format!("b := {}", self.condition()),
            5 => format!("v := {}", self.vector()),
            6 => "i := (ite (= v #b00) j i), j := (ite (= v #b01) i j), b := (ite (= v #b10) c b)".to_string(),
            7 => format!("j := {}, c := {}", self.integer(), self.condition()),
            8 => "skip".to_string(),
            _ => format!("assume {}", self.condition()),
        }
    }

    /// A step that chooses a value of a small set.
    fn choice(&mut self) -> [&'static str; 2] {
        *self.0.pick(&[
            ["havoc i", "assume (and (<= 0 i) (<= i 3))"],
            ["havoc j, b", "assume (or (= j 0) (= j 3))"],
            ["havoc r", "assume (or (= r 0.0) (= r (/ 3.0 2.0)))"],
            ["havoc v", "assume (bvult v #b11)"],
        ])
    }

    /// L0 is the entry, L1 the exit, L2 an error location.
    fn program(&mut self) -> String {
        let mut text = String::from("program \"random.c\" lp64 entry main\nproperty P0 unreach-call \"assertion\"\n");
        text.push_str("procedure main() {\n");
        DECLARATIONS.iter().for_each(|declaration| text.push_str(&format!("  local {declaration}\n")));
        text.push_str(
            "  location L2 error P0\n  L0 -> L3: i := 0, j := 0, b := false, c := false, r := 0.0, v := #b00\n",
        );
        let last = 4 + self.below(6);
        (3..=last + 20).for_each(|location| text.push_str(&format!("  location L{location}\n")));
        let target = |writer: &mut Writer| match writer.below(12) {
            0 => 1,
            1 => 2,
            _ => 3 + writer.below(last - 2),
        };
        for from in 3..=last {
            match self.below(4) {
                0 | 1 => {
                    let condition = self.condition();
                    let (yes, no) = (target(self), target(self));
                    let _ = writeln!(text, "  L{from} -> L{yes}: assume {condition}");
                    let _ = writeln!(text, "  L{from} -> L{no}: assume (not {condition})");
                }
                2 => {
                    let [havoc, assume] = self.choice();
                    let to = target(self);
                    let _ = writeln!(text, "  L{from} -> L{}: {havoc}\n  L{} -> L{to}: {assume}", from + 20, from + 20);
                }
                _ => {
                    for _ in 0..1 + self.below(2) {
                        let to = target(self);
                        let _ = writeln!(text, "  L{from} -> L{to}: {}", self.operation());
                    }
                }
            }
        }
        text.push_str("}\n");
        text
    }
}

fn parsed(number: u64) -> (Program, String) {
    let text = Writer(Random::new(number)).program();
    let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (program, text)
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

fn variables(program: &Program) -> Vec<Term> {
    program.procedure(program.entry).locals.iter().map(|variable| variable.term).collect()
}

/// A state, in the order of the variables.
type State = Vec<Value>;

fn read(variables: &[Term], state: &State, term: Term) -> Value {
    let value = |variable| variables.iter().position(|known| *known == variable).map(|n| state[n].clone());
    evaluate(term, &value).expect("a closed term")
}

/// The values that a variable may be chosen to have: all that conditions allow then.
fn values(variable: Term) -> Vec<Value> {
    match variable.sort().kind() {
        SortKind::Bool => [false, true].map(Value::Bool).to_vec(),
        SortKind::Int => (0..4).map(|n| Value::Int(n.into())).collect(),
        SortKind::Real => [0, 3].map(|n| read(&[], &Vec::new(), half(n))).to_vec(),
        _ => (0..4).map(|n| Value::bv(2, n)).collect(),
    }
}

fn half(n: i64) -> Term {
    let number = |n: i64| term::build::real(dashu::integer::IBig::from(n));
    term::build::real_div(number(n), number(2))
}

/// The states after an edge.
fn after(variables: &[Term], state: &State, op: &Op) -> Vec<State> {
    let place = |variable: &Term| variables.iter().position(|known| known == variable).expect("a known variable");
    match op {
        Op::Assign(pairs) => {
            let mut next = state.clone();
            pairs.iter().for_each(|(variable, value)| next[place(variable)] = read(variables, state, *value));
            vec![next]
        }
        Op::Assume(condition) => match read(variables, state, *condition).as_bool() {
            Some(true) => vec![state.clone()],
            _ => Vec::new(),
        },
        Op::Havoc(chosen) => chosen.iter().fold(vec![state.clone()], |states, variable| {
            let with = |state: &State| {
                let set = |value| {
                    let mut next = state.clone();
                    next[place(variable)] = value;
                    next
                };
                values(*variable).into_iter().map(set).collect::<Vec<State>>()
            };
            states.iter().flat_map(with).collect()
        }),
        other => panic!("not written: {other:?}"),
    }
}

/// Whether an error location is reached.
fn reaches_error(program: &Program) -> bool {
    let (cfa, variables) = (body(program), variables(program));
    let first: State = variables.iter().map(|variable| Value::zero(variable.sort()).expect("a zero")).collect();
    let (mut found, mut pending) = (BTreeSet::new(), vec![(cfa.entry(), first)]);
    while let Some((location, state)) = pending.pop() {
        if matches!(cfa.location(location).kind, LocationKind::Error(_)) {
            return true;
        }
        if found.insert((location, state.clone())) {
            for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
                pending.extend(after(&variables, &state, &edge.op).into_iter().map(|state| (edge.to, state)));
            }
        }
    }
    false
}

/// Whether a trace is an execution that ends at an error location.
fn is_execution(program: &Program, trace: &Trace) -> bool {
    let (cfa, variables) = (body(program), variables(program));
    let first = |variable: &Term| {
        let given = trace.initial.iter().find(|(known, _)| known == variable).map(|(_, value)| value.clone());
        given.or_else(|| Value::zero(variable.sort())).expect("a zero")
    };
    let (mut at, mut state): (LocId, State) = (cfa.entry(), variables.iter().map(first).collect());
    for step in &trace.steps {
        let edge = cfa.edge(step.edge);
        if edge.from != at {
            return false;
        }
        match &edge.op {
            Op::Havoc(chosen) => {
                for (variable, value) in chosen.iter().zip(&step.values) {
                    let place = variables.iter().position(|known| known == variable).expect("a known variable");
                    state[place] = value.clone();
                }
            }
            op => match after(&variables, &state, op).pop() {
                Some(next) => state = next,
                None => return false,
            },
        }
        at = edge.to;
    }
    matches!(cfa.location(at).kind, LocationKind::Error(_))
}

fn all(default: u64) -> u64 {
    std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn all_ways_agree_with_enumeration() {
    let (smt, mut proved, mut violated) = (Z3::new(Profile::Incremental), 0, 0);
    for number in 0..all(150) {
        let (program, text) = parsed(number);
        let is_unsafe = reaches_error(&program);
        let represent = REPRESENTATIONS[number as usize % 3];
        let passed = view(&program, represent).expect("an integers view");
        for (turn, strategy) in STRATEGIES.into_iter().enumerate() {
            let live = (number / 3 + turn as u64).is_multiple_of(2);
            let widening = (number / 2 + turn as u64).is_multiple_of(4);
            let engine = Mixed { options: Options { strategy, live, represent, widening } };
            let context = || format!("program {number}, {:?}\n{text}", engine.options);
            match engine.check(&passed.program, &mut Run::unlimited()) {
                Verdict::True(proof) => {
                    proved += 1;
                    assert!(!is_unsafe, "a wrong proof of {}", context());
                    let check = passed.lift.to_check(&passed.program, proof);
                    let solver = || -> Box<dyn Smt> { Box::new(smt.sibling(Profile::Incremental)) };
                    let checked = check_proof(check.program, &check.proof, &solver);
                    assert_eq!(checked, Ok(()), "{:?} of {}", check.proof, context());
                }
                Verdict::False(trace) => {
                    violated += 1;
                    // A circuit that integers cannot follow is a pseudo-input.
                    let is_exact = represent != crate::Represent::Integers;
                    assert!(is_unsafe || !is_exact, "a wrong violation of {}", context());
                    let trace = passed.lift.trace(trace);
                    assert!(is_execution(&program, &trace) || !is_exact, "{trace:?} of {}", context());
                }
                Verdict::Unknown(why) => panic!("{why}: {}", context()),
            }
        }
    }
    println!("{proved} proofs, {violated} violations");
    assert!(proved >= all(150) / 2 && violated >= all(150) / 2, "the test says little");
}

/// Theorem 7.1: Reach_Frontier needs at most D iterations more than the search that keeps all states.
#[test]
fn theorem_7_1() {
    let (mut closed, mut more) = (0, 0);
    for number in 0..all(150) {
        let (program, text) = parsed(number);
        let graph = || crate::ltg::Ltg::new(body(&program), variables(&program)).expect("no calls");
        let model = Model::new(graph(), number.is_multiple_of(2), &Limits::default());
        let mut run = Run::unlimited();
        let mut iterations = |reach: fn(&Model, &mut Watch) -> Result<End, crate::search::Halt>| {
            let mut watch = Watch::new(&mut run);
            let end = reach(&model, &mut watch).unwrap_or_else(|why| panic!("{why:?}"));
            (end, watch.iterations)
        };
        let (end, conventional) = iterations(frontier::reach);
        if end == End::Closed {
            let (end, with_frontier) = iterations(reach_frontier::reach_frontier);
            assert_eq!(end, End::Closed, "{text}");
            assert!(with_frontier <= conventional + model.shape.depth, "program {number}\n{text}");
            closed += 1;
            more += usize::from(with_frontier > conventional);
        }
    }
    assert!(closed * 4 >= all(150) as usize && more > 0, "{closed} closed, {more} with more: the test says little");
}
