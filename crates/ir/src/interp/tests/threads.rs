//! Threads, locks and schedules.

use super::{Limits, NoHost, Zeros, check, check_with, end, parsed, shown};
use crate::interp::{Choice, Interpreter, Random, Recorded, Recording};
use std::collections::BTreeSet;

/// Two threads that each add one to `x` in two steps; `around` guards the steps.
fn counter(begin: &str, finish: &str) -> String {
    format!(
        "property bad unreach-call
         global x: bv8
         global done: bv8
         global locked: bool
         procedure add() {{
           local t: bv8
           entry -> in: {begin}
           in -> a: t := x
           a -> b: x := (bvadd t #x01)
           b -> out: {finish}
           out -> exit: done := (bvadd done #x01)
         }}
         procedure main() {{
           local id: bv8
           entry -> a: x := #x00, done := #x00, locked := false
           a -> b: id := spawn add()
           b -> c: id := spawn add()
           c -> d: assume (= done #x02)
           location wrong error bad
           d -> wrong: assume (not (= x #x02))
           d -> exit: assume (= x #x02)
         }}"
    )
}

/// The ways in which random schedules of the program end.
fn ends(text: &str) -> BTreeSet<String> {
    let program = parsed(text);
    let mut interpreter = Interpreter::new(&program);
    (0..300).map(|seed| shown(&program, &end(&mut interpreter, &mut Random::new(seed)))).collect()
}

fn check_ends(text: &str, expected: &[&str]) {
    assert_eq!(ends(text), expected.iter().map(|end| end.to_string()).collect(), "{text}");
}

#[test]
fn schedules_are_chosen() {
    check(&counter("skip", "skip"), "finished");
    check_ends(&counter("skip", "skip"), &["finished", "violated unreach-call"]);
    check_ends(&counter("atomic begin", "atomic end"), &["finished"]);
}

#[test]
fn threads_wait_for_locks() {
    let text = "
        property bad unreach-call
        global x: bv8
        global done: bv8
        global locked: bool
        procedure add() {
          local t: bv8
          entry -> w: atomic begin
          w -> l: assume (not locked)
          l -> m: locked := true
          m -> in: atomic end
          in -> a: t := x
          a -> b: x := (bvadd t #x01)
          b -> out: locked := false
          out -> exit: done := (bvadd done #x01)
        }
        procedure main() {
          local id: bv8
          entry -> a: x := #x00, done := #x00, locked := false
          a -> b: id := spawn add()
          b -> c: id := spawn add()
          c -> d: assume (= done #x02)
          location wrong error bad
          d -> wrong: assume (not (= x #x02))
          d -> exit: assume (= x #x02)
        }";
    check_ends(text, &["finished"]);
    // Nobody gives the lock back: all wait for ever.
    check_ends(&text.replace("locked := false\n          out", "skip\n          out"), &["blocked"]);
    // What is assumed after the first location of an atomic section does not make threads wait.
    let late = text.replace("w -> l: assume (not locked)", "w -> v\n v -> l: assume (not locked)");
    check_ends(&late, &["blocked", "finished"]);
}

#[test]
fn errors_are_reached_at_once() {
    // The other thread ends the program as soon as it can, but the violation comes first if it is reached.
    let text = "
        property bad unreach-call
        procedure other() {
          location stop end
          entry -> stop
        }
        procedure main() {
          local id: bv8
          entry -> a: id := spawn other()
          location wrong error bad
          a -> wrong
        }";
    check(text, "violated unreach-call");
    check_ends(text, &["ended", "violated unreach-call"]);
}

#[test]
fn thread_locals_numbers_and_arguments() {
    let text = "
        global own: bv8 thread_local
        global sum: bv8
        global done: bv8
        procedure work(n: bv8) {
          entry -> a: own := n
          a -> b: own := (bvadd own n)
          b -> c: sum := (bvadd sum own), done := (bvadd done #x01)
          c -> exit
        }
        procedure main() returns (r: bv8, i: bv8, j: bv16) {
          entry -> a: own := #x40, sum := #x00, done := #x00
          a -> b: i := spawn work(#x01)
          b -> c: j := spawn work(#x02)
          c -> d: assume (= done #x02)
          d -> exit: r := (bvadd own sum)
        }";
    check_ends(text, &["finished r = #x46, i = #x01, j = #x0002"]);
}

#[test]
fn the_end_of_main_ends_all() {
    let text = "
        procedure spin() {
          entry -> head
          head -> head
        }
        procedure main() {
          local id: bv8
          entry -> a: id := spawn spin()
          a -> exit
        }";
    check(text, "finished");
    check_ends(text, &["finished"]);
}

#[test]
fn schedules_are_recorded_in_runs() {
    let program = parsed(&counter("skip", "skip"));
    let mut interpreter = Interpreter::new(&program);
    let mut recording = Recording::new(Random::new(3));
    let outcome = shown(&program, &end(&mut interpreter, &mut recording));
    let choices = recording.into_choices();
    let schedules = choices.iter().filter(|choice| matches!(choice, Choice::Schedule { .. })).count();
    assert!(schedules > 2, "{choices:?}");
    assert_eq!(shown(&program, &end(&mut interpreter, &mut Recorded::new(choices.clone()))), outcome);
    let wrong = [Choice::Schedule { thread: 9, edges: 1 }];
    check_with(
        &counter("skip", "skip"),
        &mut Recorded::new(wrong),
        "choices: one of the threads [0, 1] was asked for, but the choice is Schedule { thread: 9, edges: 1 }",
    );
}

/// Threads come and go for ever; what their variables held at first is part of what was chosen.
#[test]
fn choices_of_ended_threads_count() {
    let program = parsed(
        "global x: bv8
         procedure own() {
           local t: bv64
           entry -> exit: havoc t
         }
         procedure main() {
           local id: bv8
           entry -> loop: skip
           loop -> loop: id := spawn own()
         }",
    );
    let limits = Limits { memory: 4 << 20, ..Limits::default() };
    let outcome = Interpreter::new(&program).run(&mut Random::new(1), &mut NoHost, &limits, None);
    assert_eq!(shown(&program, &outcome.end), "too much memory");
}

/// Numbers take what their digits take, wherever they are kept.
#[test]
fn digits_count() {
    let program = parsed(
        "procedure main() {
           local x: int
           entry -> a: x := 3
           a -> b: x := (* x x)
           b -> c: x := (* x x)
           c -> d: x := (* x x)
           d -> e: x := (* x x)
           e -> f: x := (* x x)
           f -> g: x := (* x x)
           g -> h: x := (* x x)
           h -> i: x := (* x x)
           i -> j: call deep(x)
           j -> exit: skip
         }
         procedure deep(n: int) {
           entry -> exit: call deep((+ n 1))
         }",
    );
    let limits = Limits { memory: 4 << 20, ..Limits::default() };
    let outcome = Interpreter::new(&program).run(&mut Zeros, &mut NoHost, &limits, None);
    assert_eq!(shown(&program, &outcome.end), "too much memory");
    assert!(outcome.statistics.deepest_stack < 50_000, "{:?}", outcome.statistics);
}
