//! Each deliberate fault of `faults` is caught: by the recheck of proofs, by the replay of executions, by an engine that finds its own
//! answers to contradict each other, or by a case of tests/cases.
//!
//! `cargo test --release -p fathom --features inject-faults --test faults -- --nocapture` prints who catches which.
#![cfg(feature = "inject-faults")]

mod support;

use faults::Fault;
use support::{Ran, fathom};

/// Who notices a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// `certify` refuses the proof.
    Recheck,
    /// The execution that was found cannot be repeated.
    Replay,
    /// An engine's own answers contradict each other.
    Engine,
    /// A case has another outcome than its first lines say.
    Case,
}

impl By {
    /// A part of the reason for which the answer is UNKNOWN.
    fn reason(self) -> &'static str {
        match self {
            By::Recheck => "a proof failed its check",
            By::Replay => "a violation could not be executed",
            By::Engine => "internal error",
            By::Case => "",
        }
    }
}

/// A fault, who notices it, and the command that shows it. Whatever is checked is violated, but where the fault makes up a violation.
type Shown = (Fault, By, &'static str);

const SHOWN: [Shown; 24] = [
    (Fault::DroppedWrap, By::Recheck, "check --engine dataflow crates/fathom/tests/faults/wraps.c"),
    (Fault::WrongSignedness, By::Case, "run tests/cases/c/integers/comparisons.c"),
    (Fault::FreedLives, By::Case, "check --property valid-deref tests/cases/c/use-after-free/bad_read.c"),
    (Fault::MissedAlias, By::Case, "check --engine predicate tests/cases/c/pointers/stored_through_one_of_two.c"),
    (Fault::BrokenCoverage, By::Recheck, "check --engine predicate crates/fathom/tests/faults/counts.c"),
    (Fault::LostModel, By::Recheck, "check --engine predicate crates/fathom/tests/faults/either.c"),
    (Fault::SharedInput, By::Engine, "check --engine induction crates/fathom/tests/faults/two_inputs.c"),
    (Fault::NoCycleCondition, By::Recheck, "check --engine interleaving tests/cases/bp/reduction/cycle.bp"),
    (Fault::BoundAsProof, By::Recheck, "check --engine induction crates/fathom/tests/faults/counts.c"),
    (Fault::StaleModel, By::Replay, "check --engine predicate crates/fathom/tests/faults/chosen.c"),
    (Fault::MissedEffect, By::Recheck, "check --engine stratified crates/fathom/tests/faults/effect.c"),
    (Fault::FirstsData, By::Recheck, "check --engine shapes crates/fathom/tests/faults/two_data.c"),
    (Fault::OnlyLongLists, By::Recheck, "check --engine shapes crates/fathom/tests/faults/end_of_list.c"),
    (Fault::ForgottenRange, By::Recheck, "check --engine shapes crates/fathom/tests/faults/length.c"),
    (Fault::CutRounding, By::Engine, "check --engine induction crates/fathom/tests/faults/rounding.c"),
    (Fault::ForgottenRegion, By::Case, "check --engine predicate tests/cases/c/memory/one_beyond.c"),
    (Fault::WideRegion, By::Case, "check --engine predicate tests/cases/c/memory/one_beyond.c"),
    (Fault::LostSign, By::Recheck, "check --engine dataflow crates/fathom/tests/faults/signs.c"),
    (Fault::ForgottenStore, By::Recheck, "check --engine folds crates/fathom/tests/faults/stored.c"),
    (Fault::PrintedLockstep, By::Recheck, "check --engine mixed crates/fathom/tests/faults/steps.c"),
    (
        Fault::SharedReturnPoint,
        By::Replay,
        "check --engine mixed --calls return-points crates/fathom/tests/faults/returns.c",
    ),
    (
        Fault::SharedAddress,
        By::Replay,
        "check --engine mixed --pointers-as addresses crates/fathom/tests/faults/two_objects.c",
    ),
    (Fault::UnexecutedCause, By::Case, "check --engine induction crates/fathom/tests/faults/branches.c"),
    (Fault::LostDisjunct, By::Recheck, "check --engine linear crates/fathom/tests/faults/unequal.c"),
];

fn run(fault: Option<Fault>, words: &str) -> Ran {
    let mut command = fathom();
    command.args(words.split(' ')).env_remove("FATHOM_FAULT");
    if words.starts_with("check") {
        command.args(["--no-execution", "--timeout", "60"]);
    }
    command.envs(fault.map(|fault| ("FATHOM_FAULT", format!("{fault:?}"))));
    Ran::of(&mut command)
}

#[test]
fn each_is_caught() {
    for fault in Fault::ALL {
        let (_, by, words) = SHOWN.into_iter().find(|shown| shown.0 == fault).expect("each fault is shown");
        let (right, faulty) = (run(None, words), run(Some(fault), words));
        println!("{fault:?}, caught by {by:?}: {words}\n    {}\n    {}", right.last_line(), faulty.last_line());
        assert!(!right.stdout.contains("internal error"), "{fault:?} is shown by {}", right.stdout);
        match by {
            By::Case => assert_ne!((right.code, right.stdout), (faulty.code, faulty.stdout), "{fault:?}"),
            _ => assert!(faulty.last_line().contains(by.reason()), "{fault:?}: {}", faulty.stdout),
        }
    }
}

/// What the faults that are shown here have in common: without them, no answer is wrong.
#[test]
fn without_them_nothing_is_wrong() {
    for (fault, _, words) in SHOWN.into_iter().filter(|shown| shown.2.starts_with("check")) {
        let right = run(None, words);
        let expected = match fault {
            // What `dataflow`, `folds` and `shapes` do not exclude may be a violation or not.
            Fault::DroppedWrap
            | Fault::LostSign
            | Fault::ForgottenStore
            | Fault::FirstsData
            | Fault::OnlyLongLists
            | Fault::ForgottenRange => "Verdict: UNKNOWN",
            Fault::CutRounding | Fault::SharedReturnPoint | Fault::SharedAddress => "Verdict: TRUE",
            _ => "Verdict: FALSE",
        };
        assert!(right.last_line().starts_with(expected), "{fault:?}: {}", right.stdout);
    }
}
