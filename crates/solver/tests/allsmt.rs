//! Enumerations and entailed terms against what truth tables say.

use solver::{AllSmt, Enumerated, Smt, Z3, conjunction, entailed};
use std::ops::ControlFlow;
use term::{Sort, Term, build};

fn int(name: &str) -> Term {
    Term::var(name, Sort::int())
}

fn cubes(smt: &mut dyn Smt, query: AllSmt) -> Vec<Vec<Option<bool>>> {
    let mut found = Vec::new();
    let ended = query.run(smt, &mut |cube| {
        found.push(cube.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(ended, Ok(Enumerated::All));
    found.sort();
    found
}

/// 0 <= x <= 3, with terms x < 1, x < 2, y = 2 * x and y < 0 where y = 2 * x.
fn small_problem() -> (Z3, Vec<Term>) {
    let (x, y) = (int("x"), int("y"));
    let mut smt = Z3::default();
    smt.assert(build::le(build::int(0), x));
    smt.assert(build::le(x, build::int(3)));
    let doubled = build::eq(y, build::mul(x, build::int(2)));
    smt.assert(doubled);
    let terms = vec![build::lt(x, build::int(1)), build::lt(x, build::int(2)), doubled, build::lt(y, build::int(0))];
    (smt, terms)
}

#[test]
fn every_combination_is_found_once() {
    let (mut smt, terms) = small_problem();
    let (yes, no) = (Some(true), Some(false));
    let expected = vec![vec![no, no, yes, no], vec![no, yes, yes, no], vec![yes, yes, yes, no]];
    assert_eq!(cubes(&mut smt, AllSmt::new(&terms)), expected);
    assert!(smt.check().is_sat(), "the assertions are the same afterwards");
    assert_eq!(cubes(&mut smt, AllSmt::new(&terms)), expected);
}

#[test]
fn the_receiver_can_stop() {
    let (mut smt, terms) = small_problem();
    let mut count = 0;
    let ended = AllSmt::new(&terms).run(&mut smt, &mut |_| {
        count += 1;
        if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((ended, count), (Ok(Enumerated::Stopped), 2));
    assert!(smt.check().is_sat());
}

#[test]
fn no_terms_give_one_empty_cube_or_none() {
    let mut smt = Z3::default();
    assert_eq!(cubes(&mut smt, AllSmt::new(&[])), vec![Vec::new()]);
    smt.assert(build::falsehood());
    assert_eq!(cubes(&mut smt, AllSmt::new(&[])), Vec::<Vec<Option<bool>>>::new());
}

#[test]
fn shortened_cubes_have_the_formulas_models() {
    let terms: Vec<Term> = ["a", "b", "c", "d", "e"].iter().map(|n| Term::var(*n, Sort::bool())).collect();
    let formula = build::or([build::and([terms[0], terms[1]]), build::and([terms[2], build::not(terms[3])])]);
    let mut smt = Z3::default();
    let found = cubes(&mut smt, AllSmt { terms: &terms, shorten: Some(formula) });
    assert!(found.len() < 10, "14 full assignments of the first four terms satisfy the formula: {found:?}");
    let union = build::or(found.iter().map(|cube| conjunction(&terms, cube)));
    assert_eq!(smt.entails(build::eq(union, formula)), Ok(true));
}

#[test]
fn entailed_terms_are_fixed() {
    let (mut smt, terms) = small_problem();
    assert_eq!(entailed(&mut smt, &terms), Ok(Some(vec![None, None, Some(true), Some(false)])));
    smt.assert(build::falsehood());
    assert_eq!(entailed(&mut smt, &terms), Ok(None));
}
