//! The operations of Section 3.2 against evaluation at states, with 10,000 random formulas, and their laws.

use super::*;
use crate::{Constraint, Relation};
use arithmetic::Sum;
use limits::Exceeded;
use std::time::Duration;
use term::random::Random;
use term::{Sort, Value};

/// Variables of each kind.
const N: usize = 2;
/// Quantified integers are from `-R` to `R`.
const R: i64 = 2;

#[derive(Clone, Debug)]
struct State {
    booleans: [bool; N],
    integers: [i64; N],
    reals: [Rational; N],
}

type Predicate = Rc<dyn Fn(&State) -> bool>;

/// A formula, what says whether a state satisfies it, and the sums of reals that this depends on.
struct Sample {
    formula: Composite,
    holds: Predicate,
    /// `None` after a real was quantified: then there is no finite list.
    sums: Option<Vec<Sum<Variable>>>,
}

fn number(random: &mut Random, range: usize) -> i64 {
    random.below(2 * range + 1) as i64 - range as i64
}

fn half(random: &mut Random, range: usize) -> Rational {
    Rational::from(number(random, 2 * range)).over(&Rational::from(2))
}

fn sum(r: &mut Random, constant: Rational) -> Sum<Variable> {
    let columns = (0..N as Variable).map(|v| (v, Rational::from(number(r, 2)))).filter(|(_, f)| !f.is_zero()).collect();
    Sum { columns, constant }
}

fn state(r: &mut Random) -> State {
    State {
        booleans: [r.once_in(2), r.once_in(2)],
        integers: [number(r, R as usize), number(r, R as usize)],
        reals: [half(r, 2), half(r, 2)],
    }
}

fn valuation(state: &State) -> Valuation {
    let numbered = 0..N as Variable;
    Valuation {
        booleans: numbered.clone().zip(state.booleans).collect(),
        integers: numbered.clone().zip(state.integers.map(IBig::from)).collect(),
        reals: numbered.zip(state.reals.clone()).collect(),
    }
}

/// A constraint, a congruence or a variable.
fn leaf(all: &Composites, r: &mut Random) -> Sample {
    match r.below(4) {
        0 => {
            let variable = r.below(N);
            let formula = all.booleans().variable(variable as Variable).unwrap();
            let holds = move |state: &State| state.booleans[variable];
            Sample { formula: all.boolean(formula).unwrap(), holds: Rc::new(holds), sums: Some(Vec::new()) }
        }
        1 | 2 => {
            let constant = Rational::from(number(r, 4));
            let sum = sum(r, constant);
            let of = |sum: &Sum<Variable>, s: &State| sum.value(|v| Rational::from(s.integers[v as usize]));
            if r.once_in(4) {
                let modulus = 2 + r.below(2) as i64;
                let set = all.integers().congruent(&sum, &modulus.into()).unwrap();
                let holds = move |s: &State| of(&sum, s).over(&Rational::from(modulus)).is_integer();
                return Sample { formula: all.integer(set).unwrap(), holds: Rc::new(holds), sums: Some(Vec::new()) };
            }
            let relation = *r.pick(&[Relation::Zero, Relation::AtMostZero, Relation::BelowZero]);
            let set = all.integers().satisfying(&Constraint { sum: sum.clone(), relation }).unwrap();
            let holds = move |s: &State| relation.holds(&of(&sum, s));
            Sample { formula: all.integer(set).unwrap(), holds: Rc::new(holds), sums: Some(Vec::new()) }
        }
        _ => {
            let constant = half(r, 2);
            let sum = sum(r, constant);
            let relation = *r.pick(&[Relation::Zero, Relation::AtMostZero, Relation::BelowZero]);
            let set = all.reals().satisfying(&[Constraint { sum: sum.clone(), relation }]).unwrap();
            let sums = Some(vec![sum.clone()]);
            let holds = move |s: &State| relation.holds(&sum.value(|v| s.reals[v as usize].clone()));
            Sample { formula: all.real(set).unwrap(), holds: Rc::new(holds), sums }
        }
    }
}

/// Values of a real that miss nothing: the roots of the sums in it, and numbers between and beyond them.
fn witnesses(sums: &[Sum<Variable>], reals: &[Rational; N], variable: usize) -> Vec<Rational> {
    let root = |sum: &Sum<Variable>| {
        let factor = sum.factor(variable as Variable);
        let rest = sum.substitute(variable as Variable, &Sum::constant(Rational::ZERO));
        (!factor.is_zero()).then(|| rest.value(|v| reals[v as usize].clone()).over(&factor).negated())
    };
    let mut roots: Vec<Rational> = sums.iter().filter_map(root).collect();
    roots.sort();
    let (Some(first), Some(last)) = (roots.first(), roots.last()) else { return vec![Rational::ZERO] };
    let ends = [first.minus(&Rational::ONE), last.plus(&Rational::ONE)];
    let between: Vec<Rational> = roots.windows(2).map(|p| p[0].plus(&p[1]).over(&Rational::from(2))).collect();
    roots.into_iter().chain(between).chain(ends).collect()
}

fn within(all: &Composites, variable: usize) -> Composite {
    let bound = |sign: i64| {
        let sum = Sum { columns: vec![(variable as Variable, Rational::from(sign))], constant: Rational::from(-R) };
        all.integer(all.integers().satisfying(&Constraint::at_most_zero(sum)).unwrap()).unwrap()
    };
    bound(1).and(&bound(-1)).unwrap()
}

fn random(all: &Composites, r: &mut Random, depth: usize) -> Sample {
    if depth == 0 || r.once_in(8) {
        return leaf(all, r);
    }
    let Sample { formula: f, holds: x, sums } = random(all, r, depth - 1);
    let variable = r.below(N);
    let quantified = [variable as Variable];
    match (r.below(12), sums) {
        (0, sums) => Sample { formula: f.not().unwrap(), holds: Rc::new(move |s| !x(s)), sums },
        (1, sums) => {
            let variables = all.variables(&quantified, &[], &[]).unwrap();
            let holds = move |s: &State| {
                [false, true].into_iter().any(|value| {
                    let mut s = s.clone();
                    s.booleans[variable] = value;
                    x(&s)
                })
            };
            Sample { formula: f.exists(&variables).unwrap(), holds: Rc::new(holds), sums }
        }
        (2, sums) => {
            let variables = all.variables(&[], &quantified, &[]).unwrap();
            let holds = move |s: &State| {
                (-R..=R).any(|value| {
                    let mut s = s.clone();
                    s.integers[variable] = value;
                    x(&s)
                })
            };
            let formula = f.and_exists(&within(all, variable), &variables).unwrap();
            Sample { formula, holds: Rc::new(holds), sums }
        }
        (3, Some(sums)) => {
            let variables = all.variables(&[], &[], &quantified).unwrap();
            let holds = move |s: &State| {
                witnesses(&sums, &s.reals, variable).into_iter().any(|value| {
                    let mut s = s.clone();
                    s.reals[variable] = value;
                    x(&s)
                })
            };
            Sample { formula: f.exists(&variables).unwrap(), holds: Rc::new(holds), sums: None }
        }
        (4, sums) => {
            let to: [[usize; N]; 3] = [0; 3].map(|_: usize| [r.below(N), r.below(N)]);
            let pairs = to.map(|to| [(0, to[0] as Variable), (1, to[1] as Variable)]);
            let renaming = all.renaming(&pairs[0], &pairs[1], &pairs[2]).unwrap();
            let sums = sums.map(|sums| sums.iter().map(|sum| sum.map(|v| to[2][v as usize] as Variable)).collect());
            let holds = move |s: &State| {
                x(&State {
                    booleans: to[0].map(|v| s.booleans[v]),
                    integers: to[1].map(|v| s.integers[v]),
                    reals: to[2].map(|v| s.reals[v].clone()),
                })
            };
            Sample { formula: f.rename(&renaming).unwrap(), holds: Rc::new(holds), sums }
        }
        (5, sums) => Sample { formula: f.simplify().unwrap(), holds: x, sums },
        (operation, sums) => {
            let Sample { formula: g, holds: y, sums: more } = random(all, r, depth - 1);
            let sums = sums.zip(more).map(|(sums, more)| [sums, more].concat());
            let (formula, holds): (_, Predicate) = match operation {
                3 | 6 | 7 => (f.and(&g).unwrap(), Rc::new(move |s| x(s) && y(s))),
                8 | 9 => (f.or(&g), Rc::new(move |s| x(s) || y(s))),
                _ => (f.minus(&g).unwrap(), Rc::new(move |s| x(s) && !y(s))),
            };
            Sample { formula, holds, sums }
        }
    }
}

fn composites() -> Composites {
    Composites::new(Bdds::of_size(1 << 14), &Limits::default())
}

#[test]
fn operations_agree_with_states() {
    let all = composites();
    let name = |prefix: &str, v: Variable, sort| Term::var(format!("{prefix}{v}").as_str(), sort);
    let (b, i) = (|v| name("b", v, Sort::bool()), |v| name("i", v, Sort::int()));
    let r = |v| name("r", v, Sort::real());
    let names = Names { boolean: &b, integer: &i, real: &r };
    for seed in 0..10_000 {
        let mut random = Random::new(seed);
        let f = self::random(&all, &mut random, 3);
        let term = if seed % 10 == 0 { Some(f.formula.to_term(&names).unwrap()) } else { None };
        for _ in 0..25 {
            let state = state(&mut random);
            let expected = (f.holds)(&state);
            assert_eq!(f.formula.contains(&valuation(&state)).unwrap(), expected, "seed {seed}, {state:?}");
            let value = |term: Term| {
                let at = |v: usize| v as Variable;
                (0..N).find_map(|v| match term {
                    t if t == b(at(v)) => Some(Value::Bool(state.booleans[v])),
                    t if t == i(at(v)) => Some(Value::Int(state.integers[v].into())),
                    t if t == r(at(v)) => Some(Value::Real(state.reals[v].to_big())),
                    _ => None,
                })
            };
            if let Some(term) = term {
                assert_eq!(term::eval::evaluate(term, &value), Some(Value::Bool(expected)), "seed {seed}, {state:?}");
            }
        }
        if let Some(model) = f.formula.model().unwrap() {
            assert!(f.formula.contains(&model).unwrap(), "seed {seed}, {model:?}");
        }
    }
}

#[test]
fn laws_hold() {
    let all = composites();
    let truth = all.truth().unwrap();
    for seed in 0..1000 {
        let mut r = Random::new(seed);
        let [f, g] = [0; 2].map(|_: usize| random(&all, &mut r, 2));
        let (not_f, not_g) = (f.formula.not().unwrap(), g.formula.not().unwrap());
        let equal = |a: &Composite, b: &Composite, law: &str| assert!(a.equals(b).unwrap(), "{law}, seed {seed}");
        let (or, and) = (f.formula.or(&g.formula), f.formula.and(&g.formula).unwrap());
        equal(&f.formula.or(&not_f), &truth, "excluded middle");
        assert!(f.formula.and(&not_f).unwrap().is_empty(), "contradiction, seed {seed}");
        equal(&not_f.not().unwrap(), &f.formula, "double negation");
        equal(&or.not().unwrap(), &not_f.and(&not_g).unwrap(), "de Morgan");
        equal(&and.not().unwrap(), &not_f.or(&not_g), "de Morgan");
        equal(&f.formula.minus(&g.formula).unwrap(), &f.formula.and(&not_g).unwrap(), "difference");
        let simple = or.simplify().unwrap();
        equal(&simple, &or, "simplification");
        let joined = f.formula.simplify().unwrap().join(&g.formula).unwrap();
        equal(&joined, &or, "join");
        assert!(simple.atoms().len() <= or.atoms().len(), "seed {seed}");
        let variables = all.variables(&[0], &[1], &[0]).unwrap();
        let projected = |f: &Composite| f.exists(&variables).unwrap();
        equal(&projected(&or), &projected(&f.formula).or(&projected(&g.formula)), "Equation 4");
        equal(&projected(&and), &f.formula.and_exists(&g.formula, &variables).unwrap(), "relational product");
        assert!(f.formula.entails(&projected(&f.formula)).unwrap(), "seed {seed}");
        assert_eq!(f.formula.entails(&g.formula).unwrap(), f.formula.minus(&g.formula).unwrap().is_empty());
        // Variable 0 is the current one, 1 the next.
        let current = all.variables(&[0], &[0], &[0]).unwrap();
        let next = all.renaming(&[(1, 0)], &[(1, 0)], &[(1, 0)]).unwrap();
        let states = projected(&f.formula).exists(&all.variables(&[1], &[1], &[1]).unwrap()).unwrap();
        let post = states.post(&g.formula, &current, &next).unwrap();
        let by_steps = states.and(&g.formula).unwrap().exists(&current).unwrap().rename(&next).unwrap();
        equal(&post, &by_steps, "post-condition");
    }
}

/// The printed Equation 3 loses the states that satisfy one disjunct's parts crosswise.
#[test]
fn negation_keeps_what_falsifies_disjuncts_by_different_parts() {
    let all = composites();
    let b = all.booleans().variable(0).unwrap();
    let x = |n: i64| {
        let sum = Sum::column(0).minus(&Sum::constant(Rational::from(n)));
        all.integer(all.integers().satisfying(&Constraint::zero(sum)).unwrap()).unwrap()
    };
    let is = |value: bool| all.boolean(if value { b.clone() } else { b.not().unwrap() }).unwrap();
    // f = b AND x = 0  OR  NOT b AND x = 1
    let f = is(true).and(&x(0)).unwrap().or(&is(false).and(&x(1)).unwrap());
    let crosswise = is(true).and(&x(1)).unwrap();
    assert!(crosswise.entails(&f.not().unwrap()).unwrap());
    let not = |f: Composite| f.not().unwrap();
    let printed = not(is(true)).and(&not(is(false))).unwrap().or(&not(x(0)).and(&not(x(1))).unwrap());
    assert!(!crosswise.entails(&printed).unwrap());
}

#[test]
fn atoms_merge() {
    let all = composites();
    let b = all.boolean(all.booleans().variable(0).unwrap()).unwrap();
    let x = |n: i64| {
        let sum = Sum::column(0).minus(&Sum::constant(Rational::from(n)));
        all.integer(all.integers().satisfying(&Constraint::zero(sum)).unwrap()).unwrap()
    };
    // Equal Boolean parts: neighbours become an interval. Equal integer parts: the Boolean parts become true.
    let union = (0..10).fold(all.falsehood(), |union, n| {
        let with = b.and(&x(n)).unwrap();
        union.or(&with).or(&x(n).minus(&with).unwrap())
    });
    assert_eq!(union.atoms().len(), 20);
    let simple = union.simplify().unwrap();
    assert_eq!((simple.atoms().len(), simple.linear_constraints().unwrap()), (1, 2));
    assert!(simple.equals(&union).unwrap());
}

#[test]
fn limits_end_operations() {
    let limits = Limits::default().within(Duration::from_millis(200));
    let all = Composites::new(Bdds::of_size(1 << 14), &limits);
    let mut r = Random::new(5);
    let mut grow = || -> Result<(), Stop> {
        let truth = all.truth()?;
        let mut union = all.falsehood();
        loop {
            let constants = [Rational::from(number(&mut r, 9)), half(&mut r, 9)];
            let integer = all.integers().satisfying(&Constraint::zero(sum(&mut r, constants[0].clone())))?;
            let real = all.reals().satisfying(&[Constraint::below_zero(sum(&mut r, constants[1].clone()))])?;
            union = union.or(&all.integer(integer)?.and(&all.real(real)?)?);
            truth.minus(&union)?;
        }
    };
    assert_eq!(grow(), Err(Stop::Exceeded(Exceeded::Timeout)));
}
