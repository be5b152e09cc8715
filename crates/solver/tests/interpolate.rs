//! Interpolants of given sequences, checked against the definition.

use solver::interpolate::check_law;
use solver::{Interpolator, NoInterpolants, Z3};
use term::{Sort, Term, build};

fn int(name: &str) -> Term {
    Term::var(name, Sort::int())
}

fn check(sequence: &[Term]) {
    let start = std::time::Instant::now();
    let found = Interpolator::new().interpolate(sequence);
    println!("{:?} {found:?}", start.elapsed());
    check_law(&mut Z3::default(), sequence, &found.unwrap()).unwrap();
}

#[test]
fn linear() {
    let (x, y, z) = (int("x"), int("y"), int("z"));
    let one = build::int(1);
    check(&[
        build::eq(x, build::int(0)),
        build::eq(y, build::add(x, one)),
        build::eq(z, build::add(y, one)),
        build::lt(z, build::int(0)),
    ]);
}

#[test]
fn arrays() {
    let a = |n: &str| Term::var(n, Sort::array(Sort::int(), Sort::int()));
    let (i, j) = (int("i"), int("j"));
    check(&[
        build::eq(a("b"), build::store(a("a"), i, build::int(3))),
        build::eq(i, j),
        build::lt(build::select(a("b"), j), build::int(0)),
    ]);
}

#[test]
fn bits() {
    let v = |n: &str| Term::var(n, Sort::bv(32));
    let one = build::bv(32, 1);
    check(&[
        build::bv_ult(v("x"), build::bv(32, 100)),
        build::eq(v("y"), build::bv_add(v("x"), one)),
        build::eq(v("z"), build::bv_add(v("y"), one)),
        build::bv_ult(build::bv(32, 200), v("z")),
    ]);
}

#[test]
fn satisfiable() {
    assert_eq!(
        Interpolator::new().interpolate(&[build::eq(int("x"), int("y")), build::lt(int("x"), int("z"))]),
        Err(NoInterpolants::Satisfiable)
    );
}
