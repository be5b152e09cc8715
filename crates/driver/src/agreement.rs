//! Engines against the enumeration of all states, on small random programs; and who checks answers, against wrong ones.
//!
//! The environment variable `FATHOM_RANDOM_PROGRAMS` sets how many programs are tried.

use crate::engines::induction::Options as InductionOptions;
use crate::engines::predicate::{
    Abstraction, Arithmetic, Coverage, Encoding, Options as PredicateOptions, Order, Prefix, Scope,
};
use crate::engines::stratified::{Options as StratifiedOptions, Refinement};
use crate::engines::{ENGINES, Options};
use crate::pipeline::{Executions, Forms};
use crate::replay::replays;
use certify::check_proof;
use engine::{Cancel, Invariant, Proof, Reason, Run, Trace, Verdict};
use ir::{Cfa, LocId, LocationKind, Op, Program};
use solver::{Profile, Z3};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;
use term::eval::evaluate;
use term::random::Random;
use term::{Term, Value, build};

/// Two-bit variables, so that all states can be listed. The first two are globals.
const VARIABLES: [&str; 3] = ["x", "y", "z"];
const WIDTH: u32 = 2;
const VALUES: u64 = 1 << WIDTH;

/// Writes random programs of one procedure in the textual form.
struct Writer(Random);

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.below(3)]
    }

    fn constant(&mut self) -> String {
        format!("#b{:02b}", self.below(VALUES as usize))
    }

    fn value(&mut self) -> String {
        match self.below(4) {
            0 => self.constant(),
            1 => self.variable().to_string(),
            2 => format!("(bvadd {} {})", self.variable(), self.constant()),
            _ => format!("(bvadd {} {})", self.variable(), self.variable()),
        }
    }

    fn condition(&mut self) -> String {
        let relation = ["=", "bvult", "bvsle"][self.below(3)];
        format!("({relation} {} {})", self.variable(), self.value())
    }

    fn operation(&mut self) -> String {
        match self.below(8) {
            0 => format!("havoc {}", self.variable()),
            1..4 => format!("{} := {}", self.variable(), self.value()),
            4 => format!("x := {}, y := {}", self.value(), self.value()),
            5 => "skip".to_string(),
            _ => format!("assume {}", self.condition()),
        }
    }

    /// L0 is the entry, L1 the exit, L2 an error location; branches are often complementary, as frontends make them.
    fn program(&mut self) -> String {
        let mut text = String::from("program \"random.c\" lp64 entry main\nproperty P0 unreach-call \"assertion\"\n");
        text.push_str("global x: bv2\nglobal y: bv2\nprocedure main() {\n  local z: bv2\n  location L2 error P0\n");
        let last = 4 + self.below(6);
        // Few edges lead to the error location, so that there are enough programs without errors.
        let target = |writer: &mut Writer| match writer.below(10) {
            0 => 1,
            1 => 2,
            _ => 3 + writer.below(last - 2),
        };
        let _ = writeln!(text, "  L0 -> L3: {} := {}", self.variable(), self.constant());
        for from in 3..=last {
            if self.below(2) == 0 {
                let condition = self.condition();
                let (yes, no) = (target(self), target(self));
                let _ = writeln!(text, "  L{from} -> L{yes}: assume {condition}");
                let _ = writeln!(text, "  L{from} -> L{no}: assume (not {condition})");
            } else {
                for _ in 0..1 + self.below(2) {
                    let to = target(self);
                    let _ = writeln!(text, "  L{from} -> L{to}: {}", self.operation());
                }
            }
        }
        text.push_str("}\n");
        text
    }

    /// Some formulas that may or may not be invariants: at every location, but false at error locations.
    fn invariants(&mut self, program: &Program) -> Proof {
        let variables = variables(program);
        let formula = |writer: &mut Writer, location: LocId, cfa: &Cfa| {
            if cfa.location(location).kind != LocationKind::Plain {
                return build::falsehood();
            }
            match writer.below(3) {
                _ if location == cfa.entry() => build::truth(),
                0 => build::truth(),
                1 => build::eq(variables[writer.below(3)], build::bv(WIDTH, writer.below(4) as u128)),
                _ => build::not(build::eq(variables[writer.below(3)], build::bv(WIDTH, writer.below(4) as u128))),
            }
        };
        let (procedure, cfa) = (program.entry, body(program));
        let at = |(location, _)| Invariant { procedure, location, formula: formula(self, location, cfa) };
        Proof::Invariants(cfa.locations().map(at).collect())
    }
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

fn variables(program: &Program) -> [Term; 3] {
    let declared = program.globals.iter().chain(&program.procedure(program.entry).locals);
    let terms: Vec<Term> = declared.map(|variable| variable.term).collect();
    terms.try_into().expect("three variables")
}

type State = [u64; 3];

/// Whether an error location is reached from some initial state.
fn reaches_error(program: &Program) -> bool {
    let cfa = body(program);
    reached(program).iter().any(|(location, _)| matches!(cfa.location(*location).kind, LocationKind::Error(_)))
}

/// All states that are reached from some initial state, by trying all.
fn reached(program: &Program) -> BTreeSet<(LocId, State)> {
    let (cfa, variables) = (body(program), variables(program));
    let number = |variable: Term| variables.iter().position(|known| *known == variable);
    let read = |state: &State, term: Term| {
        let value = |variable| number(variable).map(|i| Value::bv(WIDTH, state[i].into()));
        evaluate(term, &value).expect("a closed term")
    };
    let mut found = BTreeSet::new();
    let states = (0..VALUES.pow(3)).map(|n| [n % VALUES, n / VALUES % VALUES, n / VALUES / VALUES]);
    let mut pending: Vec<(LocId, State)> = states.map(|state| (cfa.entry(), state)).collect();
    while let Some((location, state)) = pending.pop() {
        if !found.insert((location, state)) {
            continue;
        }
        for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
            let with = |mut state: State, variable: Term, value: u64| {
                state[number(variable).expect("a known variable")] = value;
                state
            };
            match &edge.op {
                Op::Assign(pairs) => {
                    let value = |term| read(&state, term).as_bv().expect("a vector").unsigned() as u64;
                    pending.push((edge.to, pairs.iter().fold(state, |after, (x, e)| with(after, *x, value(*e)))));
                }
                Op::Assume(condition) => {
                    if read(&state, *condition).as_bool() == Some(true) {
                        pending.push((edge.to, state));
                    }
                }
                Op::Havoc(chosen) => {
                    pending.extend((0..VALUES).map(|value| (edge.to, with(state, chosen[0], value))));
                }
                other => panic!("not written: {other:?}"),
            }
        }
    }
    found
}

/// How often loops are entered again.
const BOUND: u32 = 6;

/// What the engine `predicate` is tried with on the program of a number: everything that the paper compares, and the other
/// options in turns.
fn options(number: u64) -> impl Iterator<Item = Options> {
    let scope = [Scope::Location, Scope::Function, Scope::Global][(number % 3) as usize];
    let order = [Order::DepthFirst, Order::BreadthFirst][(number / 3 % 2) as usize];
    let coverage = [Coverage::Union, Coverage::Node][(number / 2 % 2) as usize];
    let arithmetic = [Arithmetic::Auto, Arithmetic::Integers, Arithmetic::Bits][(number / 6 % 3) as usize];
    let prefix = [Prefix::Whole, Prefix::Shortest, Prefix::Longest, Prefix::Domain][(number / 2 % 4) as usize];
    let large = if number.is_multiple_of(5) { Encoding::Adjustable(2) } else { Encoding::Large };
    let refinement =
        [None, Some(Refinement::Storm), Some(Refinement::Divide), Some(Refinement::OneFormula)][(number % 4) as usize];
    let blocks = [Encoding::Single, large].into_iter();
    blocks.flat_map(move |encoding| {
        [Abstraction::Cartesian, Abstraction::Boolean].map(|abstraction| Options {
            predicate: PredicateOptions { encoding, abstraction, scope, order, coverage, arithmetic, prefix },
            stratified: StratifiedOptions {
                recursion_bound: Some(BOUND),
                stack_bound: None,
                static_inlining: encoding == large,
                sharing: abstraction == Abstraction::Boolean,
                houdini: number.is_multiple_of(2) == (abstraction == Abstraction::Boolean),
                refinement,
                refines_small: true,
                compare_refinements: false,
            },
            induction: InductionOptions { unwind: Some(12), ..InductionOptions::default() },
            ..Options::default()
        })
    })
}

/// A violation must be one; without its last step it must not be taken for one.
fn check_trace(program: &Program, mut trace: Trace) {
    assert_eq!(replays(program, &trace), Ok(()));
    trace.steps.pop();
    assert!(replays(program, &trace).is_err(), "a trace that is too short is taken");
}

/// How often a question was answered.
#[derive(Default, Debug)]
struct Tally {
    proved: u32,
    violated: u32,
    /// No bug was found within the bound, and there may be one beyond it.
    bounded: u32,
    unknown: u32,
}

/// Engines that need not decide, because they only look or because they are for other programs. Options do not vary for them.
const PARTIAL: [&str; 6] =
    [::dataflow::NAME, ::predicate::BOUNDS, ::interleaving::NAME, ::predicate::FOLDS, ::shapes::NAME, ::linear::NAME];

fn check(number: u64, text: &str, tally: &mut Tally) {
    let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let unsafe_ = reaches_error(&program);
    let forms = Forms::default();
    for (turn, options) in options(number).enumerate() {
        for entry in ENGINES.iter().filter(|entry| turn == 0 || !PARTIAL.contains(&entry.name)) {
            let passed = match entry.prepare(&program, 1, Executions::All, &forms, &options) {
                Ok(passed) => passed,
                Err(Reason::NotAttempted(_)) => continue,
                Err(why) => panic!("{why}"),
            };
            let mut run = Run::new(Some(Duration::from_secs(20)), None, Cancel::new());
            let context = || format!("program {number}, {} with {options:?}\n{text}", entry.name);
            match (entry.make)(&options, &passed).check(&passed.program, &mut run) {
                Verdict::True(proof) => {
                    tally.proved += 1;
                    assert!(!unsafe_, "a wrong proof of {}", context());
                    let checked = check_proof(&passed.program, &proof, &|| Box::new(Z3::new(Profile::Incremental)));
                    assert_eq!(checked, Ok(()), "{}", context());
                }
                Verdict::False(trace) => {
                    tally.violated += 1;
                    assert!(unsafe_, "a wrong violation of {}", context());
                    check_trace(&program, passed.lift.trace(trace));
                }
                Verdict::Unknown(Reason::Internal(what)) => panic!("{what}: {}", context()),
                Verdict::Unknown(Reason::BoundReached(_)) => tally.bounded += 1,
                Verdict::Unknown(_) => tally.unknown += u32::from(!PARTIAL.contains(&entry.name)),
            }
        }
    }
}

/// Programs that an engine once got wrong.
const FOUND: [u64; 1] = [1516];

/// Two tests share the work: each takes the programs of every second number.
fn check_share(share: u64) {
    let all = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(200u64);
    let mut tally = Tally::default();
    let known = FOUND.into_iter().filter(|number| *number >= all && number % 2 == share);
    for number in (share..all).step_by(2).chain(known) {
        check(number, &Writer(Random::new(number)).program(), &mut tally);
    }
    let Tally { proved, violated, bounded, unknown } = tally;
    let some = all as u32 / 10;
    assert!(proved >= some && violated >= some && bounded * 3 <= proved, "{tally:?}: the test says little");
    assert!(unknown * 20 <= proved + violated, "{tally:?}: too few answers");
    println!("{tally:?}");
}

#[test]
fn engines_agree_with_enumeration_on_even_programs() {
    check_share(0);
}

#[test]
fn engines_agree_with_enumeration_on_odd_programs() {
    check_share(1);
}

/// Nothing proves a program that is not safe.
#[test]
fn no_proof_of_an_unsafe_program_is_accepted() {
    let smt = Z3::new(Profile::Incremental);
    let (mut refused, mut accepted) = (0, 0);
    for number in 0..300 {
        let mut writer = Writer(Random::new(number));
        let text = writer.program();
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let unsafe_ = reaches_error(&program);
        let cuts: Vec<LocId> = body(&program).locations().map(|(location, _)| location).collect();
        for attempt in 0..6 {
            let invariants = writer.invariants(&program);
            let unwound = |parts, by_induction, invariants| Proof::Unwound {
                cuts: cuts.clone(),
                parts,
                by_induction,
                invariants,
            };
            let parts = 1 + writer.below(8);
            let proof = match (attempt, invariants) {
                (0, _) => unwound(parts, false, Vec::new()),
                (1, _) => unwound(parts, true, Vec::new()),
                (2, Proof::Invariants(invariants)) => unwound(parts, true, invariants),
                (_, invariants) => invariants,
            };
            match check_proof(&program, &proof, &|| Box::new(smt.sibling(Profile::Incremental))) {
                Ok(()) => {
                    accepted += 1;
                    assert!(!unsafe_, "{proof:?}\n{text}");
                }
                Err(_) => refused += u32::from(unsafe_),
            }
        }
    }
    assert!(refused >= 100 && accepted >= 5, "{refused} refused, {accepted} accepted: the test says little");
}

/// What analyses know of locations holds in every state that comes there.
#[test]
fn analyses_exclude_no_state_that_is_reached() {
    let (mut states, mut formulas) = (0, 0);
    for number in 0..600 {
        let text = Writer(Random::new(number)).program();
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let live = analysis::live::Live::new(&program, program.entry);
        let locations: Vec<LocId> = body(&program).locations().map(|(location, _)| location).collect();
        let variables = variables(&program);
        let affine = analysis::affine::equations(&program, program.entry, &locations, &live);
        let ranges = analysis::intervals::states(&program, program.entry, &locations).expect("little work");
        let intervals = analysis::intervals::formulas(&ranges, &locations, &live);
        let octagons = analysis::octagons::octagons(&program, program.entry, &ranges, &locations, &live);
        formulas +=
            [&affine, &intervals, &octagons].iter().flat_map(|found| found.values()).map(Vec::len).sum::<usize>();
        for (location, state) in reached(&program) {
            states += 1;
            let known = [&affine, &intervals, &octagons].map(|found| found.get(&location).cloned().unwrap_or_default());
            for formula in known.concat() {
                let value = |variable| {
                    let place = variables.iter().position(|known| *known == variable)?;
                    Some(Value::bv(WIDTH, state[place].into()))
                };
                let holds = evaluate(formula, &value).and_then(|value| value.as_bool());
                assert_eq!(holds, Some(true), "{formula:?} at {location:?} in {state:?} of program {number}\n{text}");
            }
        }
    }
    assert!(states > 10_000 && formulas > 1_000, "{states} states, {formulas} formulas: the test says little");
}
