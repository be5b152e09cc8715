//! Deadlines and cancellation reach into long calls, and a solver that was stopped can be used again.

use solver::{Answer, Limits, Profile, Smt, Unknown, Z3};
use std::time::{Duration, Instant};
use term::{Op, Sort, Term, Value};

/// Asserts that a product of two odd factors is a large prime, which takes a bit-blaster far longer than a test may.
fn assert_hard(smt: &mut dyn Smt) {
    let sort = Sort::bv(64);
    let constant = |bits| Term::constant(Value::bv(64, bits));
    let (x, y) = (Term::var("hard x", sort), Term::var("hard y", sort));
    smt.assert(Term::new(Op::Eq, &[Term::new(Op::BvMul, &[x, y]), constant(0xffff_ffff_ffff_ffc5)]));
    for factor in [x, y] {
        smt.assert(Term::new(Op::BvUlt, &[constant(1), factor]));
        smt.assert(Term::new(Op::BvUlt, &[factor, constant(1 << 32)]));
    }
}

fn stopped(profile: Profile, limits: Limits) -> Unknown {
    let mut smt = Z3::new(profile);
    smt.set_limits(limits);
    smt.push();
    assert_hard(&mut smt);
    let start = Instant::now();
    let answer = smt.check();
    assert!(start.elapsed() < Duration::from_secs(20), "the call was not stopped");
    smt.pop();
    smt.set_limits(Limits::default());
    assert_eq!(smt.check(), Answer::Sat, "a stopped solver goes on");
    match answer {
        Answer::Unknown(why) => why,
        decided => panic!("{decided:?} came before the limit"),
    }
}

const PROFILES: [Profile; 2] = [Profile::Incremental, Profile::Thorough];

#[test]
fn a_deadline_stops_a_check() {
    for profile in PROFILES {
        assert_eq!(stopped(profile, Limits::default().within(Duration::from_millis(100))), Unknown::Timeout);
    }
}

#[test]
fn another_thread_cancels_a_check() {
    for profile in PROFILES {
        let limits = Limits::default();
        let cancel = limits.cancel.clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        assert_eq!(stopped(profile, limits), Unknown::Cancelled);
        canceller.join().unwrap();
    }
}

#[test]
fn too_much_memory_stops_a_check() {
    let limits = Limits { memory: Some(1), ..Limits::default() };
    assert_eq!(stopped(Profile::Incremental, limits), Unknown::Memory);
}

#[test]
fn solvers_in_several_threads_do_not_disturb_each_other() {
    let threads: Vec<_> = (0..4u32)
        .map(|n| {
            std::thread::spawn(move || {
                let mut smt = Z3::default();
                let x = Term::var("x", Sort::bv(32));
                for k in 0..50u32 {
                    let wanted = Value::bv(32, u128::from(n * 1000 + k));
                    smt.push();
                    smt.assert(Term::new(Op::Eq, &[x, Term::constant(wanted.clone())]));
                    assert_eq!(smt.check(), Answer::Sat);
                    assert_eq!(smt.value(x), Some(wanted));
                    smt.pop();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
