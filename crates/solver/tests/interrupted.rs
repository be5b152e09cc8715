//! What a solver is told after an interrupted call counts.

use solver::{Answer, Limits, Profile, Smt, Z3};
use std::time::{Duration, Instant};
use term::{Sort, Term, build};

fn int(name: &str) -> Term {
    Term::var(name, Sort::int())
}

/// So little time that what is hard is interrupted.
fn soon() -> Limits {
    Limits { deadline: Some(Instant::now() + Duration::from_millis(60)), ..Limits::default() }
}

/// More pigeons than holes, which takes long.
fn hard(smt: &mut dyn Smt, holes: usize) {
    let at = |pigeon: usize, hole: usize| Term::var(format!("in{pigeon}_{hole}").as_str(), Sort::bool());
    for pigeon in 0..=holes {
        smt.assert(build::or((0..holes).map(|hole| at(pigeon, hole)).collect::<Vec<Term>>()));
        for other in 0..pigeon {
            for hole in 0..holes {
                smt.assert(build::not(build::and([at(pigeon, hole), at(other, hole)])));
            }
        }
    }
}

#[test]
fn siblings_of_an_interrupted_solver_forget_nothing() {
    for round in 0..6 {
        let first = Z3::new(Profile::Incremental);
        let mut other = first.sibling(Profile::Incremental);
        let mut busy = first.sibling(Profile::Incremental);
        hard(&mut busy, 12);
        busy.set_limits(soon());
        assert!(matches!(busy.check(), Answer::Unknown(_)), "not hard enough");
        let x = int(&format!("x{round}"));
        let (low, high) = (build::lt(x, build::int(0)), build::lt(build::int(0), x));
        if round % 2 == 0 {
            assert_eq!(other.check_assuming(&[low, high]), Answer::Unsat);
        } else {
            other.assert(low);
            other.assert(high);
            assert_eq!(other.check(), Answer::Unsat);
        }
    }
}
