//! Every operation against enumeration of a box.

use super::*;
use limits::Exceeded;
use std::time::{Duration, Instant};
use term::random::Random;
use term::{Sort, Value};

const N: usize = 3;
/// Coordinates are from `-R` to `R`.
const R: i64 = 3;
const SIDE: usize = 2 * R as usize + 1;
const POINTS: usize = SIDE.pow(N as u32);

type Table = Vec<bool>;

fn coordinate(point: usize, variable: usize) -> i64 {
    (point / SIDE.pow(variable as u32) % SIDE) as i64 - R
}

fn point(coordinates: impl Fn(usize) -> i64) -> usize {
    (0..N).map(|v| (coordinates(v) + R) as usize * SIDE.pow(v as u32)).sum()
}

fn table(holds: impl Fn(usize) -> bool) -> Table {
    (0..POINTS).map(holds).collect()
}

fn table_of(set: &Presburger) -> Table {
    let conjunctions = set.conjunctions().unwrap();
    table(|point| conjunctions.iter().any(|c| c.contains(&|v| coordinate(point, v as usize).into())))
}

fn sum(random: &mut Random) -> Sum<Variable> {
    let number = |random: &mut Random, range: usize| Rational::from(random.below(2 * range + 1) as i64 - range as i64);
    let columns = (0..N as Variable).map(|v| (v, number(random, 3))).filter(|_| true);
    let columns = columns.filter(|(_, factor)| !factor.is_zero()).collect();
    let halves = Rational::ONE.over(&Rational::from(1 + random.below(2) as i64));
    Sum { columns, constant: number(random, 7).times(&halves) }
}

fn value(sum: &Sum<Variable>, point: usize) -> Rational {
    sum.value(|v| Rational::from(coordinate(point, v as usize)))
}

/// A random set, built by all operations, and the table of its points.
fn random(sets: &Presburgers, r: &mut Random, depth: usize) -> (Presburger, Table) {
    if depth == 0 || r.once_in(8) {
        let sum = sum(r);
        if r.once_in(4) && sum.constant.is_integer() {
            let modulus = 2 + r.below(3) as i64;
            let multiple = |point| value(&sum, point).over(&Rational::from(modulus)).is_integer();
            return (sets.congruent(&sum, &modulus.into()).unwrap(), table(multiple));
        }
        let relation = *r.pick(&[Relation::Zero, Relation::AtMostZero, Relation::AtMostZero, Relation::BelowZero]);
        let holds = |point| relation.holds(&value(&sum, point));
        let constraint = Constraint { sum: sum.clone(), relation };
        return (sets.satisfying(&constraint).unwrap(), table(holds));
    }
    let (f, x) = random(sets, r, depth - 1);
    match r.below(7) {
        0 => (f.not().unwrap(), table(|p| !x[p])),
        1 => {
            let variable = r.below(N);
            let set = f.and(&within(sets, variable)).unwrap().exists(&[variable as Variable]).unwrap();
            let any = |p| (-R..=R).any(|n| x[point(|v| if v == variable { n } else { coordinate(p, v) })]);
            (set, table(any))
        }
        2 => {
            let to: Vec<usize> = (0..N).map(|_| r.below(N)).collect();
            let pairs: Vec<_> = to.iter().enumerate().map(|(v, to)| (v as Variable, *to as Variable)).collect();
            (f.rename(&pairs).unwrap(), table(|p| x[point(|v| coordinate(p, to[v]))]))
        }
        3 => (f.coalesce().unwrap(), x),
        other => {
            let (g, y) = random(sets, r, depth - 1);
            match other {
                4 => (f.and(&g).unwrap(), table(|p| x[p] && y[p])),
                5 => {
                    let union = if r.once_in(2) { f.or(&g) } else { f.join(&g) };
                    (union.unwrap(), table(|p| x[p] || y[p]))
                }
                _ => (f.minus(&g).unwrap(), table(|p| x[p] && !y[p])),
            }
        }
    }
}

/// The points whose coordinate is within the box.
fn within(sets: &Presburgers, variable: usize) -> Presburger {
    let bound =
        |sign: i64| Sum { columns: vec![(variable as Variable, Rational::from(sign))], constant: Rational::from(-R) };
    let side = |sign| sets.satisfying(&Constraint::at_most_zero(bound(sign))).unwrap();
    side(1).and(&side(-1)).unwrap()
}

#[test]
fn operations_agree_with_enumeration() {
    let sets = Presburgers::new(&Limits::default());
    let universe = sets.universe().unwrap();
    let everywhere = (0..N).fold(universe.clone(), |all, v| all.and(&within(&sets, v)).unwrap());
    let name = |v: Variable| Term::var(format!("i{v}").as_str(), Sort::int());
    for seed in 0..3000 {
        let mut r = Random::new(seed);
        let (f, x) = random(&sets, &mut r, 3);
        let (g, y) = random(&sets, &mut r, 3);
        assert_eq!(table_of(&f), x, "seed {seed}");
        let (inside, other) = (f.and(&everywhere).unwrap(), g.and(&everywhere).unwrap());
        assert_eq!(inside.is_empty().unwrap(), !x.contains(&true), "seed {seed}");
        assert_eq!(inside.entails(&g).unwrap(), x.iter().zip(&y).all(|(x, y)| !x || *y), "seed {seed}");
        assert_eq!(inside.equals(&other).unwrap(), x == y, "seed {seed}");
        // The laws hold outside of the box too.
        assert!(f.or(&f.not().unwrap()).unwrap().equals(&universe).unwrap());
        assert!(f.minus(&g).unwrap().equals(&f.and(&g.not().unwrap()).unwrap()).unwrap());
        assert!(f.entails(&f.exists(&[r.below(N) as Variable]).unwrap()).unwrap());
        match inside.model().unwrap() {
            None => assert!(!x.contains(&true)),
            Some(model) => {
                let value = |v: usize| model.get(&(v as Variable)).map_or(0, |n| i64::try_from(n).unwrap());
                assert!(x[point(value)], "seed {seed}: {model:?}");
            }
        }
        let term = f.to_term(&name).unwrap();
        for p in (0..POINTS).step_by(5) {
            let value =
                |term: Term| (0..N).find(|v| name(*v as Variable) == term).map(|v| Value::Int(coordinate(p, v).into()));
            assert_eq!(term::eval::evaluate(term, &value), Some(Value::Bool(x[p])), "seed {seed}");
        }
    }
}

#[test]
fn numbers_of_any_size() {
    let sets = Presburgers::new(&Limits::default());
    let huge = IBig::from(3).pow(100);
    for n in [huge.clone(), -huge, IBig::from(i64::MIN), IBig::ZERO] {
        let sum = Sum { columns: vec![(4, Rational::ONE)], constant: Rational::from(-n.clone()) };
        let set = sets.satisfying(&Constraint::zero(sum)).unwrap();
        assert_eq!(set.model().unwrap(), Some(BTreeMap::from([(4, n.clone())])));
        assert!(set.contains(&|_| n.clone()).unwrap());
        assert!(!set.contains(&|_| n.clone() + IBig::ONE).unwrap());
    }
}

#[test]
fn constraints_without_variables() {
    let sets = Presburgers::new(&Limits::default());
    for n in -3..=3 {
        let sum = Sum::constant(Rational::from(n));
        for relation in [Relation::Zero, Relation::AtMostZero, Relation::BelowZero] {
            let set = sets.satisfying(&Constraint { sum: sum.clone(), relation }).unwrap();
            assert_eq!(set.is_empty().unwrap(), !relation.holds(&sum.constant), "{n} {relation:?}");
        }
        assert_eq!(sets.congruent(&sum, &2.into()).unwrap().is_empty().unwrap(), n % 2 != 0);
    }
}

#[test]
fn congruences_become_remainders() {
    let sets = Presburgers::new(&Limits::default());
    let x = Term::var("x", Sort::int());
    let even = sets.congruent(&Sum::column(0), &2.into()).unwrap();
    assert_eq!(even.to_term(&|_| x).unwrap(), build::eq(build::int_mod(x, build::int(2)), build::int(0)));
}

#[test]
#[should_panic(expected = "different managers")]
fn managers_do_not_mix() {
    let (a, b) = (Presburgers::new(&Limits::default()), Presburgers::new(&Limits::default()));
    let _ = a.universe().unwrap().and(&b.universe().unwrap());
}

/// One operation that would take isl longer than anyone waits: the complement of many conjunctions.
fn endless(sets: &Presburgers) -> Result<(), Stop> {
    let mut random = Random::new(1);
    let mut number = |range: usize| Rational::from(random.below(2 * range + 1) as i64 - range as i64);
    let mut union = sets.empty()?;
    for _ in 0..40 {
        let mut conjunction = sets.universe()?;
        for _ in 0..8 {
            let columns = (0..8).map(|v| (v, number(9))).filter(|(_, factor)| !factor.is_zero()).collect();
            let sum = Sum { columns, constant: number(50) };
            conjunction = conjunction.and(&sets.satisfying(&Constraint::at_most_zero(sum))?)?;
        }
        union = union.or(&conjunction)?;
    }
    union.not().map(|_| ())
}

#[test]
fn limits_end_operations() {
    let start = Instant::now();
    let sets = Presburgers::new(&Limits::default().within(Duration::from_millis(300)));
    assert_eq!(endless(&sets), Err(Stop::Exceeded(Exceeded::Timeout)));
    assert!(start.elapsed() < Duration::from_secs(10));
    // What is stopped stays stopped.
    assert!(sets.universe().is_err());
    let limits = Limits::default();
    limits.cancel.cancel();
    assert_eq!(endless(&Presburgers::new(&limits)), Err(Stop::Exceeded(Exceeded::Cancelled)));
}
