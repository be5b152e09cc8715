//! Recorded runs can be made again.

use crate::interp::{
    Choice, ChoiceError, End, Interpreter, Limit, Limits, NoHost, Outcome, Random, Recorded, Recording,
};
use crate::random::{Config, program};
use crate::{DataModel, Program};

fn limits() -> Limits {
    Limits { steps: 2000, memory: 1 << 22, call_depth: 50, threads: 8, ..Limits::default() }
}

/// Runs a program with random choices, then with the choices that were recorded; the two must be one.
fn check(program: &Program, seed: u64) -> Outcome {
    let mut interpreter = Interpreter::new(program);
    let mut recording = Recording::new(Random::new(seed));
    let first = interpreter.run(&mut recording, &mut NoHost, &limits(), None);
    let globals = |interpreter: &Interpreter| -> Vec<_> {
        program.globals.iter().map(|global| interpreter.global(global.term)).collect()
    };
    let values = globals(&interpreter);
    let choices = recording.into_choices();
    for mut interpreter in [interpreter, Interpreter::new(program)] {
        let mut recorded = Recorded::new(choices.iter().cloned());
        let again = interpreter.run(&mut recorded, &mut NoHost, &limits(), None);
        assert_eq!(first, again, "seed {seed}\n{program}");
        assert_eq!(values, globals(&interpreter), "seed {seed}\n{program}");
        assert_eq!(recorded.remaining(), 0, "seed {seed}\n{program}");
    }
    if let Some((_, fewer)) = choices.split_last() {
        let mut recorded = Recorded::new(fewer.iter().cloned());
        let cut = Interpreter::new(program).run(&mut recorded, &mut NoHost, &limits(), None);
        let shortened = matches!(choices.last(), Some(Choice::Schedule { edges, .. }) if *edges > 1);
        if !shortened {
            assert_eq!(cut.end, End::Choices(ChoiceError::Exhausted), "seed {seed}\n{program}");
        }
    }
    first
}

#[test]
fn recorded_runs_can_be_repeated() {
    let mut finished = 0;
    for seed in 0..1500 {
        let model = if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let config = match seed % 3 {
            0 => Config::scalar(),
            1 => Config { quantifiers: false, memory: false, ..Config::everything(model) },
            _ => Config::everything(model),
        };
        let program = program(seed, &config);
        for run in 0..3 {
            let outcome = check(&program, seed * 10 + run);
            finished += u32::from(matches!(outcome.end, End::Finished(_)));
            assert!(!matches!(outcome.end, End::Internal(_) | End::Choices(_)), "{:?}\n{program}", outcome.end);
            assert!(outcome.statistics.steps < 2000 || outcome.end == End::Limit(Limit::Steps), "{outcome:?}");
        }
    }
    assert!(finished > 500, "{finished}");
}
