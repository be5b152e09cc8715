//! Every operation against evaluation at points, and projections against those of isl where both are exact.

use super::*;
use crate::presburger::{self, Presburger, Presburgers};
use limits::{Exceeded, Limits};
use std::time::Duration;
use term::random::Random;
use term::{Sort, Value};

const N: usize = 3;

type Point = Vec<Rational>;

type Predicate = Rc<dyn Fn(&Point) -> bool>;

/// A set, what says whether a point is in it, and the sums that this depends on.
struct Sample {
    set: Polyhedra,
    holds: Predicate,
    /// `None` after a quantifier: then there is no finite list.
    sums: Option<Vec<Sum<Variable>>>,
}

fn number(random: &mut Random, range: usize) -> Rational {
    Rational::from(random.below(2 * range + 1) as i64 - range as i64)
}

fn half(random: &mut Random, range: usize) -> Rational {
    number(random, 2 * range).over(&Rational::from(2))
}

fn value(sum: &Sum<Variable>, point: &Point) -> Rational {
    sum.value(|v| point[v as usize].clone())
}

fn constraint(r: &mut Random) -> Constraint {
    let columns = (0..N as Variable).map(|v| (v, number(r, 2))).filter(|(_, factor)| !factor.is_zero()).collect();
    let relation = *r.pick(&[Relation::Zero, Relation::AtMostZero, Relation::AtMostZero, Relation::BelowZero]);
    Constraint { sum: Sum { columns, constant: half(r, 3) }, relation }
}

/// Values that a variable can have at a point without missing how sums compare with zero: their roots, and one number in
/// between each two and beyond.
fn witnesses(sums: &[Sum<Variable>], point: &Point, variable: usize) -> Vec<Rational> {
    let root = |sum: &Sum<Variable>| {
        let factor = sum.factor(variable as Variable);
        let rest = sum.substitute(variable as Variable, &Sum::constant(Rational::ZERO));
        (!factor.is_zero()).then(|| value(&rest, point).over(&factor).negated())
    };
    let mut roots: Vec<Rational> = sums.iter().filter_map(root).collect();
    roots.sort();
    let (Some(first), Some(last)) = (roots.first(), roots.last()) else { return vec![Rational::ZERO] };
    let ends = [first.minus(&Rational::ONE), last.plus(&Rational::ONE)];
    let middle = |pair: &[Rational]| pair[0].plus(&pair[1]).over(&Rational::from(2));
    let between: Vec<Rational> = roots.windows(2).map(middle).collect();
    roots.into_iter().chain(between).chain(ends).collect()
}

fn random(reals: &Reals, r: &mut Random, depth: usize) -> Sample {
    if depth == 0 || r.once_in(8) {
        let constraints: Vec<Constraint> = (0..1 + r.below(4)).map(|_| constraint(r)).collect();
        let set = reals.satisfying(&constraints).unwrap();
        let sums = Some(constraints.iter().map(|c| c.sum.clone()).collect());
        let holds = move |point: &Point| constraints.iter().all(|c| c.holds(|v| point[v as usize].clone()));
        return Sample { set, holds: Rc::new(holds), sums };
    }
    let Sample { set: f, holds: x, sums } = random(reals, r, depth - 1);
    match (r.below(8), sums) {
        (0, sums) => Sample { set: f.not().unwrap(), holds: Rc::new(move |p| !x(p)), sums },
        (1, Some(sums)) => {
            let variable = r.below(N);
            let set = f.exists(&[variable as Variable]).unwrap();
            let holds = move |point: &Point| {
                witnesses(&sums, point, variable).into_iter().any(|witness| {
                    let mut moved = point.clone();
                    moved[variable] = witness;
                    x(&moved)
                })
            };
            Sample { set, holds: Rc::new(holds), sums: None }
        }
        (2, sums) => {
            let to: Vec<usize> = (0..N).map(|_| r.below(N)).collect();
            let pairs: Vec<_> = to.iter().enumerate().map(|(v, to)| (v as Variable, *to as Variable)).collect();
            let renamed = |sum: &Sum<Variable>| sum.map(|v| to[v as usize] as Variable);
            let sums = sums.map(|sums| sums.iter().map(renamed).collect());
            let set = f.rename(&pairs).unwrap();
            Sample { set, holds: Rc::new(move |p| x(&to.iter().map(|v| p[*v].clone()).collect())), sums }
        }
        (3, sums) => Sample { set: f.coalesce().unwrap(), holds: x, sums },
        (operation, sums) => {
            let Sample { set: g, holds: y, sums: more } = random(reals, r, depth - 1);
            let sums = sums.zip(more).map(|(sums, more)| [sums, more].concat());
            let (set, holds): (_, Predicate) = match operation {
                1 | 4 => (f.and(&g), Rc::new(move |p| x(p) && y(p))),
                5 | 6 => (f.or(&g), Rc::new(move |p| x(p) || y(p))),
                _ => (f.minus(&g), Rc::new(move |p| x(p) && !y(p))),
            };
            Sample { set: set.unwrap(), holds, sums }
        }
    }
}

#[test]
fn operations_agree_with_points() {
    let reals = Reals::new(&Limits::default());
    let universe = reals.universe();
    let name = |v: Variable| Term::var(format!("r{v}").as_str(), Sort::real());
    for seed in 0..1500 {
        let mut r = Random::new(seed);
        let (f, g) = (random(&reals, &mut r, 3), random(&reals, &mut r, 2));
        let term = f.set.to_term(&name);
        let (coalesced, within) = (f.set.coalesce().unwrap(), f.set.entails(&g.set).unwrap());
        assert!(coalesced.disjuncts().len() <= f.set.disjuncts().len());
        assert!(coalesced.equals(&f.set).unwrap(), "seed {seed}");
        assert!(coalesced.join(&g.set).unwrap().equals(&f.set.or(&g.set).unwrap()).unwrap(), "seed {seed}");
        for n in 0..60 {
            let range = if n % 2 == 0 { 1 } else { 4 };
            let point: Point = (0..N).map(|_| half(&mut r, range)).collect();
            let expected = (f.holds)(&point);
            assert_eq!(f.set.contains(&|v| point[v as usize].clone()), expected, "seed {seed}, {point:?}");
            assert!(!within || !expected || (g.holds)(&point), "seed {seed}, {point:?}");
            let value =
                |term: Term| (0..N).find(|v| name(*v as Variable) == term).map(|v| Value::Real(point[v].to_big()));
            assert_eq!(term::eval::evaluate(term, &value), Some(Value::Bool(expected)), "seed {seed}");
        }
        let difference = f.set.minus(&g.set).unwrap();
        assert_eq!(within, difference.is_empty(), "seed {seed}");
        assert!(difference.equals(&f.set.and(&g.set.not().unwrap()).unwrap()).unwrap());
        assert!(f.set.or(&f.set.not().unwrap()).unwrap().equals(&universe).unwrap());
        let both = f.set.exists(&[0, 2]).unwrap();
        assert!(both.equals(&f.set.exists(&[2]).unwrap().exists(&[0]).unwrap()).unwrap());
        match difference.model().unwrap() {
            None => assert!(within),
            Some(model) => {
                let point = (0..N).map(|v| model.get(&(v as Variable)).cloned().unwrap_or(Rational::ZERO)).collect();
                assert!((f.holds)(&point) && !(g.holds)(&point), "seed {seed}, {point:?}");
            }
        }
    }
}

#[test]
fn images_agree_with_points() {
    let reals = Reals::new(&Limits::default());
    for seed in 0..500 {
        let mut r = Random::new(seed);
        let f = random(&reals, &mut r, 2);
        let assignments: Vec<(Variable, Sum<Variable>)> = (0..N as Variable)
            .filter(|_| r.once_in(2))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|v| (v, constraint(&mut r).sum))
            .collect();
        let image = f.set.assign(&assignments).unwrap();
        for _ in 0..30 {
            let before: Point = (0..N).map(|_| half(&mut r, 2)).collect();
            let mut after = before.clone();
            assignments.iter().for_each(|(v, sum)| after[*v as usize] = value(sum, &before));
            assert!(!(f.holds)(&before) || image.contains(&|v| after[v as usize].clone()), "seed {seed}");
        }
        // A point of the image has one before it.
        if let Some(model) = image.model().unwrap() {
            let after: Point = (0..N).map(|v| model.get(&(v as Variable)).cloned().unwrap_or(Rational::ZERO)).collect();
            let written = |v: Variable| assignments.iter().find(|(written, _)| *written == v);
            let demands: Vec<Constraint> = (0..N as Variable)
                .map(|v| {
                    let becomes = written(v).map_or_else(|| Sum::column(v), |(_, sum)| sum.clone());
                    Constraint::zero(becomes.minus(&Sum::constant(after[v as usize].clone())))
                })
                .collect();
            assert!(!f.set.and(&reals.satisfying(&demands).unwrap()).unwrap().is_empty(), "seed {seed}");
        }
    }
}

/// Constraints `x - y <= n`: with whole numbers, their rational projections have the projections of the integer points.
fn differences(r: &mut Random, variables: usize) -> Vec<Constraint> {
    let constraint = |r: &mut Random| {
        let (x, y) = (r.below(variables) as Variable, r.below(variables + 1) as Variable);
        let negative = if y as usize == variables { Sum::constant(Rational::ZERO) } else { Sum::column(y) };
        let sum = Sum::column(x).minus(&negative).times(&Rational::from(if r.once_in(2) { 1 } else { -1 }));
        Constraint::at_most_zero(sum.minus(&Sum::constant(number(r, 3))))
    };
    (0..2 + r.below(6)).map(|_| constraint(r)).collect()
}

/// The integer points of polyhedra.
fn integers(sets: &Presburgers, polyhedra: &Polyhedra) -> Presburger {
    polyhedra.disjuncts().iter().fold(sets.empty().unwrap(), |union, disjunct| {
        let all = disjunct
            .constraints()
            .iter()
            .fold(sets.universe().unwrap(), |set, constraint| set.and(&sets.satisfying(constraint).unwrap()).unwrap());
        union.or(&all).unwrap()
    })
}

#[test]
fn projections_agree_with_isl() {
    let (reals, sets) = (Reals::new(&Limits::default()), presburger::Presburgers::new(&Limits::default()));
    const VARIABLES: usize = 5;
    for seed in 0..1000 {
        let mut r = Random::new(seed);
        let f = reals.satisfying(&differences(&mut r, VARIABLES)).unwrap();
        let g = reals.satisfying(&differences(&mut r, VARIABLES)).unwrap();
        let f = if r.once_in(2) { f.or(&g).unwrap() } else { f };
        let points = integers(&sets, &f);
        assert_eq!(points.is_empty().unwrap(), f.is_empty(), "seed {seed}");
        let quantified: Vec<Variable> = (0..VARIABLES as Variable).filter(|_| r.once_in(2)).collect();
        let projected = integers(&sets, &f.exists(&quantified).unwrap());
        assert!(projected.equals(&points.exists(&quantified).unwrap()).unwrap(), "seed {seed}");
        // Differences and inclusion agree on integer points, whatever the sets.
        let both = integers(&sets, &f.minus(&g).unwrap());
        assert!(both.equals(&points.minus(&integers(&sets, &g)).unwrap()).unwrap(), "seed {seed}");
        assert!(!f.entails(&g).unwrap() || points.entails(&integers(&sets, &g)).unwrap(), "seed {seed}");
        assert!(integers(&sets, &f.coalesce().unwrap()).equals(&points).unwrap(), "seed {seed}");
    }
}

#[test]
fn neighbours_merge() {
    let reals = Reals::new(&Limits::default());
    let interval = |low: i64, high: i64, open: bool| {
        let at_least = Constraint::at_most_zero(Sum::constant(Rational::from(low)).minus(&Sum::column(0)));
        let sum = Sum::column(0).minus(&Sum::constant(Rational::from(high)));
        let below = if open { Constraint::below_zero(sum) } else { Constraint::at_most_zero(sum) };
        reals.satisfying(&[at_least, below]).unwrap()
    };
    let union = interval(0, 1, true).or(&interval(1, 2, false)).unwrap().coalesce().unwrap();
    assert_eq!(union.disjuncts(), interval(0, 2, false).disjuncts());
    // The point between two open halves is missing.
    let gap = interval(0, 1, true).or(&interval(1, 1, false).not().unwrap()).unwrap().coalesce().unwrap();
    assert_eq!(gap.disjuncts().len(), 2);
}

#[test]
fn limits_end_operations() {
    let limits = Limits::default().within(Duration::from_millis(200));
    let reals = Reals::new(&limits);
    let mut r = Random::new(1);
    let mut union = reals.empty();
    let result = (0..10_000).try_for_each(|_| {
        let constraints: Vec<Constraint> = (0..6).map(|_| constraint(&mut r)).collect();
        union = union.or(&reals.satisfying(&constraints)?)?;
        union.not().map(|_| ())
    });
    assert_eq!(result, Err(Stop::Exceeded(Exceeded::Timeout)));
}
