//! Cell morphing against the enumeration of all states, on small random programs with maps.
//!
//! Whenever a program reaches its error, so must its abstraction: no proof may be found. And enough proofs must be found
//! where there is no error, or the test would say little.

use crate::engines::{ENGINES, Options};
use crate::pipeline::{Executions, Forms};
use certify::{check_invariants, check_proof};
use engine::{Cancel, Reason, Run, Verdict};
use ir::{Cfa, LocId, LocationKind, Op, Program};
use rustc_hash::FxHashSet;
use solver::{Profile, Smt, Z3};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use term::eval::evaluate;
use term::random::Random;
use term::{ArrayValue, Sort, Term, Value};

/// Two-bit variables, and maps of four Boolean elements.
const SCALARS: [&str; 2] = ["i", "j"];
const MAPS: [&str; 2] = ["a", "b"];

/// Writes random programs: loops that fill maps, and branches on what is in them.
struct Writer(Random);

impl Writer {
    fn one_of(&mut self, names: &[&'static str]) -> &'static str {
        names[self.0.below(names.len())]
    }

    fn scalar(&mut self) -> &'static str {
        self.one_of(&SCALARS)
    }

    fn index(&mut self) -> String {
        match self.0.below(4) {
            0 => format!("#b{:02b}", self.0.below(4)),
            1 => format!("(bvadd {} #b01)", self.scalar()),
            _ => self.scalar().to_string(),
        }
    }

    fn element(&mut self) -> String {
        match self.0.below(5) {
            0 => "true".to_string(),
            1 => "false".to_string(),
            2 => format!("(= {} {})", self.scalar(), self.index()),
            _ => format!("(select {} {})", self.one_of(&MAPS), self.index()),
        }
    }

    fn condition(&mut self) -> String {
        match self.0.below(4) {
            0 => format!("(= {} {})", self.scalar(), self.index()),
            1 => format!("(bvult {} {})", self.scalar(), self.index()),
            _ => self.element(),
        }
    }

    fn operation(&mut self) -> String {
        let map = self.one_of(&MAPS);
        match self.0.below(10) {
            0 => format!("havoc {}", self.scalar()),
            1 => format!("havoc {map}"),
            2..4 => format!("{} := {}", self.scalar(), self.index()),
            4..8 => format!("{map} := (store {map} {} {})", self.index(), self.element()),
            8 => format!("a := b, j := {}", self.index()),
            _ => format!("assume {}", self.condition()),
        }
    }

    /// A loop that goes over all elements, from a location to another.
    fn sweep(&mut self, text: &mut String, from: usize, fresh: &mut usize) -> usize {
        let [head, inside, stored, after] = [0, 1, 2, 3].map(|n| *fresh + n);
        *fresh += 4;
        let (i, map) = (self.scalar(), self.one_of(&MAPS));
        let _ = writeln!(text, "  L{from} -> L{head}: {i} := #b00");
        let _ = writeln!(text, "  L{head} -> L{inside}: {map} := (store {map} {i} {})", self.element());
        let _ = writeln!(text, "  L{inside} -> L{stored}: assume (bvult {i} #b11)");
        let _ = writeln!(text, "  L{stored} -> L{head}: {i} := (bvadd {i} #b01)");
        let _ = writeln!(text, "  L{inside} -> L{after}: assume (not (bvult {i} #b11))");
        after
    }

    /// L0 is the entry, L1 the exit, L2 an error location.
    fn program(&mut self) -> String {
        let mut text = String::from("program \"random.c\" lp64 entry main\nproperty P0 unreach-call \"assertion\"\n");
        text.push_str("global a: (Array bv2 bool)\nglobal b: (Array bv2 bool)\nprocedure main() {\n");
        text.push_str("  local i: bv2\n  local j: bv2\n  location L2 error P0\n");
        let (mut here, mut fresh) = (3, 4);
        let _ = writeln!(text, "  L0 -> L3: i := #b00");
        let mut heads = vec![3];
        for _ in 0..2 + self.0.below(4) {
            match self.0.below(6) {
                0..3 => {
                    let _ = writeln!(text, "  L{here} -> L{fresh}: {}", self.operation());
                    (here, fresh) = (fresh, fresh + 1);
                }
                3 => {
                    let condition = self.condition();
                    let back = heads[self.0.below(heads.len())];
                    let _ = writeln!(text, "  L{here} -> L{back}: assume {condition}");
                    let _ = writeln!(text, "  L{here} -> L{fresh}: assume (not {condition})");
                    (here, fresh) = (fresh, fresh + 1);
                }
                _ => here = self.sweep(&mut text, here, &mut fresh),
            }
            heads.push(here);
        }
        let (read, expected) = (self.element(), self.element());
        let condition = if self.0.below(2) == 0 { read } else { format!("(= {read} {expected})") };
        let _ = writeln!(text, "  L{here} -> L{fresh}: havoc {}", self.scalar());
        let _ = writeln!(text, "  L{fresh} -> L2: assume {condition}");
        let _ = writeln!(text, "  L{fresh} -> L1: assume (not {condition})\n}}");
        text
    }
}

fn body(program: &Program) -> &Cfa {
    program.procedure(program.entry).body.as_ref().expect("a body")
}

/// The values of the two scalars, and the elements of the two maps as bits.
type State = [u8; 4];

fn variables(program: &Program) -> [Term; 4] {
    let declared = program.procedure(program.entry).locals.iter().chain(&program.globals);
    let terms: Vec<Term> = declared.map(|variable| variable.term).collect();
    terms.try_into().expect("four variables")
}

fn map_of(bits: u8) -> Value {
    let mut array = ArrayValue::constant(Sort::bv(2), Value::Bool(false));
    (0..4u8).for_each(|at| array.set(Value::bv(2, at.into()), Value::Bool(bits >> at & 1 == 1)));
    Value::Array(Arc::new(array))
}

fn bits_of(value: &Value) -> u8 {
    match value {
        Value::Bv(bv) => bv.unsigned() as u8,
        Value::Array(array) => {
            let element = |at: u8| array.entries.get(&Value::bv(2, at.into())).unwrap_or(&array.default).as_bool();
            (0..4).map(|at| u8::from(element(at) == Some(true)) << at).sum()
        }
        other => panic!("{other:?} is no value of these programs"),
    }
}

/// Whether an error location is reached from some initial state, by trying all.
fn reaches_error(program: &Program) -> bool {
    let (cfa, variables) = (body(program), variables(program));
    let number = |variable: Term| variables.iter().position(|known| *known == variable).expect("a known variable");
    let read = |state: &State, term: Term| {
        let value = |variable| {
            let number = number(variable);
            Some(if number < 2 { Value::bv(2, state[number].into()) } else { map_of(state[number]) })
        };
        evaluate(term, &value).expect("a closed term")
    };
    let mut found: FxHashSet<(LocId, State)> = FxHashSet::default();
    let states = (0..1u32 << 12).map(|n| [(n & 3) as u8, (n >> 2 & 3) as u8, (n >> 4 & 15) as u8, (n >> 8) as u8]);
    let mut pending: Vec<(LocId, State)> = states.map(|state| (cfa.entry(), state)).collect();
    while let Some((location, state)) = pending.pop() {
        if !found.insert((location, state)) {
            continue;
        }
        if matches!(cfa.location(location).kind, LocationKind::Error(_)) {
            return true;
        }
        for edge in cfa.outgoing(location).iter().map(|id| cfa.edge(*id)) {
            let mut after = state;
            match &edge.op {
                Op::Assign(pairs) => {
                    pairs.iter().for_each(|(x, e)| after[number(*x)] = bits_of(&read(&state, *e)));
                    pending.push((edge.to, after));
                }
                Op::Assume(condition) if read(&state, *condition).as_bool() == Some(true) => {
                    pending.push((edge.to, state));
                }
                Op::Assume(_) => {}
                Op::Havoc(chosen) => {
                    let number = number(chosen[0]);
                    for value in 0..if number < 2 { 4 } else { 16 } {
                        after[number] = value;
                        pending.push((edge.to, after));
                    }
                }
                other => panic!("not written: {other:?}"),
            }
        }
    }
    false
}

#[test]
fn no_violation_is_lost_by_morphing() {
    let all = std::env::var("FATHOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(300u64);
    let morphing = ENGINES.iter().find(|entry| entry.name == "morphing").expect("the engine is there");
    let (mut proved, mut violated, mut safe) = (0, 0, 0);
    for number in 0..all {
        let text = Writer(Random::new(number)).program();
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        ir::validate(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let passed = match morphing.prepare(&program, 1, Executions::All, &Forms::default(), &Options::default()) {
            Ok(passed) => passed,
            Err(Reason::NotAttempted(_)) => continue,
            Err(why) => panic!("{why}"),
        };
        ir::validate(&passed.program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let unsafe_ = reaches_error(&program);
        safe += u32::from(!unsafe_);
        let mut run = Run::new(Some(Duration::from_secs(5)), None, Cancel::new());
        match (morphing.make)(&Options::default(), &passed).check(&passed.program, &mut run) {
            Verdict::True(proof) => {
                proved += 1;
                assert!(!unsafe_, "program {number}: a wrong proof of\n{text}\n{}", ir::print(&passed.program));
                let solver = || -> Box<dyn Smt> { Box::new(Z3::new(Profile::Incremental)) };
                assert_eq!(check_proof(&passed.program, &proof, &solver), Ok(()), "program {number}\n{text}");
                let presumed = passed.lift.presumed();
                assert!(!presumed.is_empty(), "what intervals say is told");
                for (before, formulas) in presumed {
                    assert_eq!(check_invariants(before, formulas, &solver), Ok(()), "program {number}\n{text}");
                    let mut wrong = formulas.to_vec();
                    wrong.iter_mut().for_each(|invariant| invariant.formula = term::build::falsehood());
                    assert!(check_invariants(before, &wrong, &solver).is_err(), "program {number}\n{text}");
                }
            }
            Verdict::False(_) => violated += u32::from(unsafe_),
            Verdict::Unknown(Reason::Internal(what)) => panic!("{what}: program {number}\n{text}"),
            Verdict::Unknown(_) => {}
        }
    }
    println!("{proved} of {safe} safe programs proved, {violated} violations of unsafe ones kept");
    let some = all as u32 / 20;
    assert!(proved >= some && violated >= some, "{proved} of {safe}, {violated}: the test says little");
}
