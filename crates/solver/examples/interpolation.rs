//! How long interpolation takes: prints milliseconds for paths of growing length, of several kinds.
//!
//!     cargo run --release -p solver --example interpolation

use solver::interpolate::check_law;
use solver::{Interpolator, Z3};
use std::time::Instant;
use term::{Sort, Term, build};

fn int(name: &str, n: usize) -> Term {
    Term::var(name, Sort::int()).at_instance(n as u32)
}

fn vector(name: &str, n: usize) -> Term {
    Term::var(name, Sort::bv(32)).at_instance(n as u32)
}

/// i counts up to n, s along with it; at the end i > n.
fn counting(steps: usize) -> Vec<Term> {
    let (i, s, n) = (|k| int("i", k), |k| int("s", k), int("n", 0));
    let one = build::int(1);
    let mut path =
        vec![build::and([build::eq(i(0), build::int(0)), build::eq(s(0), build::int(0)), build::le(i(0), n)])];
    for k in 0..steps {
        path.push(build::and([
            build::lt(i(k), n),
            build::eq(i(k + 1), build::add(i(k), one)),
            build::eq(s(k + 1), build::add(s(k), build::int(2))),
        ]));
    }
    path.push(build::gt(i(steps), n));
    path
}

/// As counting, but every constraint is needed: s = 2 * i at the end is denied.
fn coupled(steps: usize) -> Vec<Term> {
    let mut path = counting(steps);
    path.pop();
    path.push(build::ne(int("s", steps), build::mul(int("i", steps), build::int(2))));
    path
}

/// Each step takes one of two branches that both keep x at least 0.
fn branching(steps: usize) -> Vec<Term> {
    let (x, c) = (|k| int("x", k), |k| int("c", k));
    let mut path = vec![build::eq(x(0), build::int(0))];
    for k in 0..steps {
        let up = build::and([build::lt(c(k), build::int(0)), build::eq(x(k + 1), build::add(x(k), build::int(1)))]);
        let down = build::and([
            build::ge(c(k), build::int(0)),
            build::gt(x(k), build::int(0)),
            build::eq(x(k + 1), build::sub(x(k), build::int(1))),
        ]);
        let stay = build::and([build::ge(c(k), build::int(5)), build::eq(x(k + 1), x(k))]);
        path.push(build::or([up, down, stay]));
    }
    path.push(build::lt(x(steps), build::int(0)));
    path
}

/// Large blocks: each is a disjunction of the paths through three tests, as lock-protocol programs have them.
fn locking(steps: usize) -> Vec<Term> {
    let (p, q, lock) = (|k| int("p", k), |k| int("q", k), |k| int("lock", k));
    let mut path = vec![build::and([build::eq(lock(0), build::int(0)), build::eq(q(0), build::int(0))])];
    for k in 0..steps {
        let taken = int("taken", k);
        let test = |value: Term| build::ne(value, build::int(0));
        let choose = |c: Term, a: Term, b: Term| build::or([build::and([c, a]), build::and([build::not(c), b])]);
        path.push(build::and([
            choose(test(p(k)), build::eq(taken, build::int(1)), build::eq(taken, lock(k))),
            choose(
                test(p(k)),
                build::and([build::eq(taken, build::int(1)), build::eq(lock(k + 1), build::int(0))]),
                build::eq(lock(k + 1), taken),
            ),
            choose(test(q(k)), build::eq(q(k + 1), build::add(q(k), build::int(1))), build::eq(q(k + 1), q(k))),
        ]));
    }
    path.push(build::ne(lock(steps), build::int(0)));
    path
}

/// Writes to an array at growing indices, and a look at the first one.
fn filling(steps: usize) -> Vec<Term> {
    let sort = Sort::array(Sort::int(), Sort::int());
    let (i, a) = (|k| int("i", k), |k: usize| Term::var("a", sort).at_instance(k as u32));
    let mut path = vec![build::eq(i(0), build::int(0))];
    for k in 0..steps {
        path.push(build::and([
            build::eq(a(k + 1), build::store(a(k), i(k), build::int(7))),
            build::eq(i(k + 1), build::add(i(k), build::int(1))),
        ]));
    }
    path.push(build::ne(build::select(a(steps), build::int(0)), build::int(7)));
    path
}

/// Counting with 32-bit vectors.
fn vectors(steps: usize) -> Vec<Term> {
    let (i, n) = (|k| vector("i", k), vector("n", 0));
    let mut path = vec![build::and([build::eq(i(0), build::bv(32, 0)), build::bv_ult(n, build::bv(32, 1000))])];
    for k in 0..steps {
        path.push(build::and([build::bv_ult(i(k), n), build::eq(i(k + 1), build::bv_add(i(k), build::bv(32, 1)))]));
    }
    path.push(build::bv_ugt(i(steps), n));
    path
}

fn main() {
    type Family = (&'static str, fn(usize) -> Vec<Term>);
    let families: [Family; 6] = [
        ("counting", counting),
        ("coupled", coupled),
        ("branching", branching),
        ("locking", locking),
        ("filling", filling),
        ("vectors", vectors),
    ];
    println!("{:10} {:>6} {:>10} {:>10}  by, greatest interpolant", "", "steps", "ms", "check ms");
    let only = std::env::args().nth(1);
    for (name, family) in families.into_iter().filter(|(name, _)| only.as_deref().is_none_or(|o| o == *name)) {
        for steps in [20, 100, 300] {
            let path = family(steps);
            let mut interpolator = Interpolator::new();
            let start = Instant::now();
            let found = interpolator.interpolate(&path);
            let time = start.elapsed();
            let start = Instant::now();
            let verdict = match &found {
                Ok(found) => match check_law(&mut Z3::default(), &path, found) {
                    Ok(()) => {
                        let size = found.iter().map(|i| term::free::dag_size(*i)).max().unwrap_or(0);
                        format!("{:?}, {size} nodes", interpolator.method())
                    }
                    Err(broken) => broken.to_string(),
                },
                Err(none) => none.to_string(),
            };
            let millis = |d: std::time::Duration| d.as_secs_f64() * 1e3;
            println!("{name:10} {steps:6} {:10.2} {:10.2}  {verdict}", millis(time), millis(start.elapsed()));
        }
    }
}
