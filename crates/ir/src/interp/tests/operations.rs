//! Each kind of operation, location and limit.

use super::{check, check_with, parsed, shown};
use crate::interp::{
    At, Choice, Interpreter, Limit, Limits, NoHost, Observer, Recorded, Recording, State, Trap, Zeros, host,
};
use crate::{ProcId, Procedure};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use term::Value;

fn initial(value: u128) -> Choice {
    Choice::Initial(Value::bv(8, value))
}

#[test]
fn loops_calls_and_results() {
    let text = |limit: &str| {
        format!(
            "property bad unreach-call
             procedure inc(a: bv8) returns (r: bv8) {{
               entry -> exit: r := (bvadd a #x01)
             }}
             procedure main() returns (x: bv8) {{
               entry -> head: x := #x00
               head -> body: assume (bvult x #x0a)
               body -> head: x := call inc(x)
               head -> after: assume (not (bvult x #x0a))
               location wrong error bad
               after -> wrong: assume (not (= x {limit}))
               after -> exit: assume (= x {limit})
             }}"
        )
    };
    check(&text("#x0a"), "finished x = #x0a");
    check(&text("#x0b"), "violated unreach-call");
}

#[test]
fn assignments_are_parallel() {
    check(
        "procedure main() returns (x: bv8, y: bv8, z: bv16) {
           entry -> a: x := #x01, y := #x02, z := #x0003
           a -> exit: x := y, y := x, z := (concat y x)
         }",
        "finished x = #x02, y = #x01, z = #x0201",
    );
}

#[test]
fn recursion() {
    let text = "
        procedure fac(n: bv32) returns (r: bv32) {
          local rest: bv32
          entry -> zero: assume (= n #x00000000)
          zero -> exit: r := #x00000001
          entry -> more: assume (not (= n #x00000000))
          more -> back: rest := call fac((bvsub n #x00000001))
          back -> exit: r := (bvmul n rest)
        }
        procedure main() returns (f: bv32) {
          entry -> exit: f := call fac(#x0000000c)
        }";
    check(text, "finished f = #x1c8cfc00");
    let program = parsed(text);
    let limits = Limits { call_depth: 5, ..Limits::default() };
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, None);
    assert_eq!(shown(&program, &outcome.end), "too many nested calls");
    assert_eq!(outcome.stack.len(), 5);
    assert!(outcome.stack.iter().all(|frame| frame.edge.is_some()));
    assert_eq!(outcome.stack.last().map(|frame| frame.procedure), Some(program.entry));
}

#[test]
fn thousands_of_calls_deep() {
    check(
        "procedure down(n: bv32) returns (r: bv32) {
           local below: bv32
           entry -> exit: assume (= n #x00000000)
           entry -> more: assume (not (= n #x00000000))
           more -> back: below := call down((bvsub n #x00000001))
           back -> exit: r := (bvadd below #x00000002)
         }
         procedure main() returns (d: bv32) {
           entry -> exit: d := call down(#x0000ffff)
         }",
        "finished d = #x0001fffe",
    );
}

#[test]
fn locations_end_runs() {
    let text = |kind: &str| format!("procedure main() {{\n location there {kind}\n entry -> there\n }}");
    check(&text("end"), "ended");
    check(&text("unsupported \"magic\""), "unsupported: magic");
    check(&text(""), "blocked");
    check("procedure main() {\n entry -> exit: assume false\n }", "blocked");
}

#[test]
fn what_is_open_is_asked_for_once() {
    let text = "
        global g: bv8
        global assigned: bv8
        procedure main(p: bv8) returns (r: bv8) {
          local l: bv8
          local temporary: bv8
          entry -> a: assigned := g
          a -> b: temporary := (bvadd l p)
          b -> c: havoc r, g
          c -> exit: r := (bvadd r (bvadd g (bvadd temporary assigned)))
        }";
    let havoc = |value| Choice::Havoc(Value::bv(8, value));
    let choices = vec![initial(1), initial(2), initial(4), havoc(8), havoc(16)];
    check_with(text, &mut Recorded::new(choices.clone()), "finished r = #x1f");
    check_with(text, &mut Recorded::new(choices[..4].to_vec()), "choices: no choices are left");
    let wrong = vec![initial(1), initial(2), havoc(4)];
    check_with(
        text,
        &mut Recorded::new(wrong),
        "choices: an initial value of l was asked for, but the choice is Havoc(Bv(Bv { width: 8, bits: 4 }))",
    );
    let wide = vec![Choice::Initial(Value::Bool(true))];
    check_with(
        text,
        &mut Recorded::new(wide),
        "choices: a value of g, of sort (_ BitVec 8) was asked for, but the choice is Bool(true)",
    );
}

#[test]
fn branches_are_chosen_among_enabled_edges() {
    let text = "
        global x: bv8
        procedure main() returns (r: bv8) {
          entry -> exit: assume (bvult x #x05)
          entry -> a: assume (bvult x #x0a)
          entry -> b: r := #x02
          a -> exit: r := #x01
          b -> exit
        }";
    let branch = |edge| Choice::Branch(crate::EdgeId(edge));
    for (x, edge, expected) in [(0, 0, "finished r = #x00"), (0, 1, "finished r = #x01"), (7, 2, "finished r = #x02")] {
        check_with(text, &mut Recorded::new([initial(x), initial(0), branch(edge)]), expected);
    }
    // The only enabled edge needs no choice; a disabled one cannot be chosen.
    check_with(text, &mut Recorded::new([initial(200), initial(0)]), "finished r = #x02");
    let wrong = "choices: one of the edges [EdgeId(1), EdgeId(2)] was asked for, but the choice is Branch(EdgeId(0))";
    check_with(text, &mut Recorded::new([initial(7), initial(0), branch(0)]), wrong);
}

#[test]
fn switches_find_their_case() {
    let text = |x: &str| {
        format!(
            "procedure main() returns (r: bv8) {{
               local x: bv8
               entry -> head: x := {x}
               head -> one: assume (= x #x01)
               head -> two: assume (= #x02 x)
               head -> three: assume (= x #x03)
               head -> other: assume (and (not (= x #x03)) (not (= x #x01)) (not (= #x02 x)))
               one -> exit: r := #x0a
               two -> exit: r := #x0b
               three -> exit: r := #x0c
               other -> exit: r := #x0d
             }}"
        )
    };
    for (x, r) in [("#x01", "0a"), ("#x02", "0b"), ("#x03", "0c"), ("#x04", "0d")] {
        check(&text(x), &format!("finished r = #x{r}"));
    }
    // Without the last edge, other values block.
    let closed = text("#x04").lines().filter(|line| !line.contains("other")).collect::<Vec<_>>().join("\n");
    check(&closed, "blocked");
}

#[test]
fn procedures_without_body_return_what_is_chosen_or_hosted() {
    let text = "
        procedure nondet() returns (n: bv8) unknown
        procedure main() returns (r: bv8) {
          entry -> exit: r := call nondet()
        }";
    check_with(text, &mut Recorded::new([Choice::Result(Value::bv(8, 7))]), "finished r = #x07");

    struct Seven(u128);
    impl host::Host for Seven {
        fn implements(&self, procedure: &Procedure) -> bool {
            procedure.name.as_str() == "nondet"
        }
        fn call(&mut self, _: &Procedure, _: &[Value], _: &mut host::Reader) -> Result<Vec<Value>, Trap> {
            match self.0 {
                0 => Err(Trap::Undefined("nothing".into())),
                value => Ok(vec![Value::bv(8, value)]),
            }
        }
    }
    let program = parsed(text);
    for (value, expected) in [(7, "finished r = #x07"), (0, "undefined: nothing")] {
        let outcome =
            Interpreter::new(&program).run(&mut Recorded::new([]), &mut Seven(value), &Limits::default(), None);
        assert_eq!(shown(&program, &outcome.end), expected);
    }
}

#[test]
fn numbers_and_arrays_of_boogie() {
    check(
        "function f(int): int
         axiom (= (f 1) 0)
         procedure main() returns (r: int, q: real, b: bool) {
           local heap: (Array int (Array int int))
           entry -> a: heap := ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 5))
           a -> b: heap := (store heap 3 (store (select heap 3) 4 (div (- 7) 2)))
           b -> c: r := (+ (select (select heap 3) 4) (f 1)), q := (/ (to_real 3) (to_real 2))
           c -> exit: b := (forall ((i (_ BitVec 2))) (bvule i #b11))
         }",
        "finished r = -4, q = 3/2, b = true",
    );
    check("axiom (forall ((b Bool)) b)\n procedure main() {\n entry -> exit\n }", "blocked");
    check(
        "procedure main() {\n entry -> exit: assume (forall ((i Int)) (<= i i))\n }",
        "unsupported: the value of Forall([i]) cannot be computed",
    );
}

#[test]
fn axioms_that_cannot_be_checked_are_named() {
    let program = parsed(
        "axiom true
         axiom (forall ((i Int)) (<= i i))
         procedure main() {\n entry -> exit\n }",
    );
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &Limits::default(), None);
    assert_eq!((shown(&program, &outcome.end).as_str(), outcome.unchecked_axioms), ("finished", vec![1]));
}

#[test]
fn limits_stop_runs() {
    let program = parsed(
        "procedure main() {
           local x: bv8
           entry -> head: x := #x00
           head -> head: x := (bvadd x #x01)
         }",
    );
    let run = |limits: Limits| Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, None);
    let outcome = run(Limits { steps: 1000, ..Limits::default() });
    assert_eq!((outcome.end, outcome.statistics.steps), (super::End::Limit(Limit::Steps), 1000));
    let deadline = Some(Instant::now() + Duration::from_millis(20));
    assert_eq!(run(Limits { deadline, ..Limits::default() }).end, super::End::Limit(Limit::Time));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    assert_eq!(run(Limits { cancel, ..Limits::default() }).end, super::End::Limit(Limit::Cancelled));
}

#[test]
fn limits_of_memory_and_threads() {
    let memory = "global $memory: mem32
         procedure main() {
           entry -> exit: $memory := (mem.store $memory (_ ptr 1 #x80000000) #x00)
         }";
    check(memory, "too much memory");
    let threads = "procedure work() {\n entry -> wait\n }
         procedure main() {
           local id: bv32
           entry -> head
           head -> head: id := spawn work()
         }";
    check(threads, "too many threads");
}

/// Writes down what it is told.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn edge(&mut self, at: &At, state: &State) {
        let variables = ["main::x", "f::a"].map(|name| state.value(term::Term::var(name, term::Sort::bv(8))));
        let shown = variables.map(|value| value.map_or("-".into(), |value| value.to_string()));
        let edge = at.edge.map_or(u32::MAX, |edge| edge.0);
        self.0.push(format!("{} {}:{} {}", at.step, at.procedure.0, edge, shown.join(" ")));
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        self.0.push(format!("enter {} {}", procedure.0, state.stack().len()));
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        self.0.push(format!("leave {} {}", procedure.0, state.stack().len()));
    }
}

#[test]
fn observers_see_every_step() {
    let program = parsed(
        "procedure f(f::a: bv8) returns (f::r: bv8) {
           entry -> exit: f::r := (bvadd f::a #x01)
         }
         procedure main() returns (main::x: bv8) {
           entry -> a: main::x := #x05
           a -> b: main::x := call f(main::x)
           b -> exit
         }",
    );
    let mut log = Log::default();
    Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &Limits::default(), Some(&mut log));
    let expected = ["1 1:0 #x05 -", "2 1:1 #x05 -", "enter 0 2", "3 0:0 - #x05", "leave 0 1", "4 1:2 #x06 -"];
    assert_eq!(log.0, expected);
}

/// An observer that sleeps is told what happens afterwards, and only that.
#[test]
fn observers_may_sleep() {
    struct Late {
        until: u64,
        told: Vec<u64>,
    }
    impl Observer for Late {
        fn edge(&mut self, at: &At, _: &State) {
            self.told.push(at.step);
        }

        fn sleeps_until(&self) -> u64 {
            self.until
        }
    }
    let program = parsed(
        "procedure main() {
           local i: bv32
           entry -> a: i := #x00000000
           a -> a: i := (bvxor i #x00000001)
         }",
    );
    for until in [0, 1, 70_000, 99_999, 200_000] {
        let mut late = Late { until, told: Vec::new() };
        let limits = Limits { steps: 100_000, ..Limits::default() };
        Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, Some(&mut late));
        assert_eq!(late.told, (until + 1..=100_000).collect::<Vec<_>>(), "until {until}");
    }
}

#[test]
fn recording_passes_choices_on() {
    let program = parsed("global x: bv8\n procedure main() returns (r: bv8) {\n entry -> exit: r := x\n }");
    let mut recording = Recording::new(Zeros);
    Interpreter::new(&program).run(&mut recording, &mut NoHost, &Limits::default(), None);
    assert_eq!(recording.into_choices(), [initial(0)]);
}
