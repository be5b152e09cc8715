//! Proofs proved again, by `certify` with solvers of its own.
//!
//! A proof goes first to a solver that had no part in finding it. Where a condition takes that one long, the others are asked in
//! turn; the certificate says who answered.

use crate::axioms;
use crate::report::{Certificate, Outcome};
use crate::witness::invariants::of_proof;
use certify::Rejected;
use engine::{Proof, Reason, Run};
use ir::{ProcId, Program};
use pass::Passed;
use solver::{Blaster, Limits, Maker, Profile, Relay, Smt, Unknown, Z3};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::visit::{bound, post_order};

/// So long each solver is asked about a condition before another one is.
const FIRST_SLICE: Duration = Duration::from_millis(500);

/// The outcome for a proof that an engine found, by solvers or without, once `certify` has proved it again on the engine's program.
pub fn recheck(
    program: &Program,
    passed: &Passed,
    proof: Proof,
    by_solvers: bool,
    run: &Run,
) -> Result<Outcome, Reason> {
    let checked_by = Some(certified(passed, &proof, by_solvers, run)?);
    let invariants = of_proof(program, passed, &proof);
    Ok(Outcome::Holds(Certificate { proof, checked_by, invariants }))
}

/// Who has proved a proof again.
pub fn certified(passed: &Passed, proof: &Proof, by_solvers: bool, run: &Run) -> Result<&'static str, Reason> {
    let solvers = Solvers::new(profile(passed, proof));
    let solver = || -> Box<dyn Smt> {
        let limits = Limits {
            deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
            memory: run.memory_limit(),
            cancel: run.cancel().flag().into(),
        };
        let mut smt: Box<dyn Smt> = match proof {
            // Z3 takes a while to start; what was found without any solver needs no particular one.
            Proof::Shapes(_) => Box::new(solvers.in_turn([Which::CaDiCaL, Which::Z3])),
            Proof::Invariants(_) if !by_solvers => Box::new(solvers.in_turn([Which::CaDiCaL, Which::Z3])),
            Proof::Invariants(_) | Proof::Unwound { .. } => Box::new(solvers.in_turn([Which::Z3, Which::CaDiCaL])),
            _ => solvers.make(Which::Z3),
        };
        smt.set_limits(limits);
        smt
    };
    let to_check = passed.lift.to_check(&passed.program, proof.clone());
    let checked = to_check
        .presumed
        .iter()
        .try_for_each(|(program, formulas)| certify::check_invariants(program, formulas, &solver))
        .and_then(|()| certify::check_proof(to_check.program, &to_check.proof, &solver));
    match checked {
        // Instances that triggers match are those of the program's own terms; others prove everything then.
        Ok(()) if solvers.profile != Profile::Triggers && axioms::contradict_each_other(&passed.program) => {
            Err(Reason::NoProgress("the axioms contradict each other, so that they prove anything".to_string()))
        }
        Ok(()) => Ok(said(proof, passed.program.entry, &solvers)),
        // A check that ran out of time or memory says nothing against the engine.
        Err(Rejected::Undecided(why)) => Err(match why {
            Unknown::Timeout => Reason::Timeout,
            Unknown::Memory => Reason::Memory,
            Unknown::Cancelled => Reason::Cancelled,
            other => Reason::NoProgress(format!("the proof could not be checked: {other}")),
        }),
        Err(rejected) => Err(Reason::Internal(format!("a proof failed its check: {rejected}"))),
    }
}

/// How Z3 is to work on the conditions of a proof.
fn profile(passed: &Passed, proof: &Proof) -> Profile {
    let axioms = passed.program.axioms.iter().copied();
    match proof {
        // Unwound executions are few and large questions, and so are large blocks.
        Proof::Unwound { .. } | Proof::Invariants(_) | Proof::Folded { .. } => Profile::Thorough,
        // Such proofs are found where quantifiers are instantiated by their triggers.
        Proof::Inlined { .. } if post_order(axioms).iter().any(|part| !bound(*part).is_empty()) => Profile::Triggers,
        _ => Profile::Incremental,
    }
}

/// Who checked, in words.
fn said(proof: &Proof, entry: ProcId, solvers: &Solvers) -> &'static str {
    match (proof, solvers.asked(Which::Z3), solvers.asked(Which::CaDiCaL)) {
        (Proof::Invariants(all), ..) if all.iter().any(|invariant| invariant.procedure != entry) => {
            "queries of its own, edge by edge and call by call, on the program with its calls"
        }
        (Proof::Shapes(_), ..) => "steps of its own on graphs of objects, on the program without calls",
        (Proof::Crowds(_), ..) => "steps of its own, on the program without calls and memory",
        (Proof::Inlined { .. }, ..) => "queries of its own to Z3, on the program without loops and memory",
        (_, true, true) => "queries of its own to Z3 and CaDiCaL, on the program without calls and memory",
        (_, false, true) => "queries of its own to CaDiCaL, on the program without calls and memory",
        (Proof::Invariants(_), false, false) => "following each of its states, on the program without calls and memory",
        (_, _, false) => "queries of its own to Z3, on the program without calls and memory",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Z3,
    CaDiCaL,
}

/// The solvers of a check, each made when it is first asked.
struct Solvers {
    profile: Profile,
    z3: Rc<OnceCell<Z3>>,
    blasted: Rc<Cell<bool>>,
}

impl Solvers {
    fn new(profile: Profile) -> Solvers {
        Solvers { profile, z3: Rc::default(), blasted: Rc::default() }
    }

    fn asked(&self, which: Which) -> bool {
        match which {
            Which::Z3 => self.z3.get().is_some(),
            Which::CaDiCaL => self.blasted.get(),
        }
    }

    fn make(&self, which: Which) -> Box<dyn Smt> {
        (self.maker(which))()
    }

    fn maker(&self, which: Which) -> Maker<'static> {
        let profile = self.profile;
        match which {
            Which::Z3 => {
                let shared = self.z3.clone();
                Box::new(move || Box::new(shared.get_or_init(|| Z3::new(Profile::Incremental)).sibling(profile)))
            }
            Which::CaDiCaL => {
                let blasted = self.blasted.clone();
                Box::new(move || {
                    blasted.set(true);
                    Box::new(Blaster::new())
                })
            }
        }
    }

    fn in_turn(&self, order: [Which; 2]) -> Relay<'static> {
        Relay::new(order.map(|which| self.maker(which)).into(), FIRST_SLICE)
    }
}
