//! Bounds against evaluation: what is refuted has no model.

use super::{follows, refutes};
use term::build::{bv, forall, fp, make, not};
use term::eval::evaluate;
use term::{FloatFormat, Op, Rounding, Sort, Term, Value};

const WIDTH: u32 = 3;

fn integer_terms(x: Term, y: Term) -> Vec<Term> {
    let binary = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
    ];
    let mut terms: Vec<Term> = binary.iter().map(|op| Term::new(op.clone(), &[x, y])).collect();
    terms.extend([Op::BvNeg, Op::BvNot].map(|op| Term::new(op, &[x])));
    let wide = |op: Op| {
        let [a, b] = [x, y].map(|t| Term::new(op.clone(), &[t]));
        let product = Term::new(Op::BvMul, &[a, b]);
        Term::new(Op::Extract { high: WIDTH - 1, low: 0 }, &[product])
    };
    terms.extend([Op::SignExtend(8), Op::ZeroExtend(8), Op::SignExtend(128)].map(wide));
    terms
}

/// Whatever integers two conditions leave, a third that is said to follow from them holds of them.
#[test]
fn conclusions_about_integers_hold() {
    let [x, y] = ["x", "y"].map(|name| Term::var(name, Sort::bv(WIDTH)));
    let comparisons = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq];
    let against = |term: Term, n: u128| comparisons.clone().map(|op| make(&op, &[term, bv(WIDTH, n)]));
    let conditions: Vec<Term> = (0..8).flat_map(|n| against(x, n)).flat_map(|c| [c, not(c)]).collect();
    let others: Vec<Term> = (0..8).flat_map(|n| against(y, n)).step_by(3).collect();
    let terms = integer_terms(x, y);
    let mut found = 0;
    for (number, one) in conditions.iter().enumerate() {
        for (place, other) in others.iter().enumerate() {
            let term = terms[(number * 7 + place) % terms.len()];
            for asked in (0..8).flat_map(|n| against(term, n)) {
                if !follows(&[*one, *other], asked) {
                    continue;
                }
                found += 1;
                for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
                    let value = |variable| Some(Value::bv(WIDTH, if variable == x { i } else { j }));
                    let holds = |formula| evaluate(formula, &value).expect("a value").as_bool() == Some(true);
                    assert!(!holds(*one) || !holds(*other) || holds(asked), "{one} {other} {asked}: {i} {j}");
                }
            }
        }
    }
    assert!(found > 3_000, "{found} conclusions say little");
}

/// Floats that matter: ends of the format, zeros, small and large ones.
fn samples(format: FloatFormat) -> Vec<Value> {
    let numbers = [0.0, -0.0, 1.0, -1.0, 0.1, -3.5, 100.0, 1e-44, -1e-310, 3.4e38, -1.7e308, f64::INFINITY, f64::NAN];
    let of = |x: &f64| match format {
        FloatFormat::SINGLE => Value::Float(format, term::float::canonical(format, u128::from((*x as f32).to_bits()))),
        _ => Value::Float(format, term::float::canonical(format, u128::from(x.to_bits()))),
    };
    numbers.iter().map(of).collect()
}

#[test]
fn conclusions_about_floats_hold() {
    let rounding = Rounding::NearestEven;
    let mut found = 0;
    for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
        let [x, y] = ["x", "y"].map(|name| Term::var(name, Sort::float(format)));
        let all = samples(format);
        let constants: Vec<Term> = all.iter().map(|value| Term::constant(value.clone())).collect();
        let binary = [Op::FpAdd(rounding), Op::FpSub(rounding), Op::FpMul(rounding), Op::FpDiv(rounding)];
        let mut terms: Vec<Term> = binary.iter().map(|op| Term::new(op.clone(), &[x, y])).collect();
        terms.extend([Op::FpNeg, Op::FpAbs, Op::FpSqrt(rounding)].map(|op| Term::new(op, &[x])));
        terms.push(Term::new(Op::FpRoundToIntegral(Rounding::TowardZero), &[x]));
        for (low, high) in constants.iter().step_by(2).flat_map(|a| constants.iter().map(move |b| (*a, *b))) {
            let known = [
                Term::new(Op::FpLe, &[low, x]),
                Term::new(Op::FpLt, &[x, high]),
                Term::new(Op::FpLe, &[low, y]),
                not(Term::new(Op::FpLt, &[high, y])),
            ];
            for (term, bound) in terms.iter().flat_map(|term| constants.iter().step_by(4).map(move |c| (*term, *c))) {
                for asked in [
                    Term::new(Op::FpLe, &[term, bound]),
                    Term::new(Op::FpLt, &[bound, term]),
                    not(Term::new(Op::FpIsNan, &[term])),
                ] {
                    if !follows(&known, asked) {
                        continue;
                    }
                    found += 1;
                    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                        let value = |variable| Some(if variable == x { a.clone() } else { b.clone() });
                        let holds = |formula| evaluate(formula, &value).expect("a value").as_bool() == Some(true);
                        assert!(!known.iter().all(|k| holds(*k)) || holds(asked), "{known:?} {asked}: {a:?} {b:?}");
                    }
                }
            }
        }
    }
    assert!(found > 1_000, "{found} conclusions say little");
}

/// What C asks of a product of numbers of 64 bits is asked in 128.
#[test]
fn wide_products_are_refuted() {
    let x = Term::var("x", Sort::bv(64));
    let [limit, less] = [bv(64, 1 << 31), bv(64, (1 << 64) - (1 << 31))];
    let known = [Term::new(Op::BvSle, &[x, limit]), Term::new(Op::BvSle, &[less, x])];
    let wide = Term::new(Op::SignExtend(128), &[x]);
    let square = Term::new(Op::BvMul, &[wide, wide]);
    assert!(follows(&known, Term::new(Op::BvSle, &[square, bv(128, 1 << 62)])));
    assert!(!follows(&known, Term::new(Op::BvSle, &[square, bv(128, (1 << 62) - 1)])));
    let half = fp(FloatFormat::DOUBLE, u128::from(0.5f64.to_bits()));
    assert!(!refutes(&[Term::new(Op::FpLe, &[half, Term::var("f", Sort::float(FloatFormat::DOUBLE))])]));
}

/// All elements of an array are in bounds before and behind a store, and a read of any place gives one of them.
#[test]
fn elements_are_bounded_everywhere() {
    let sort = Sort::array(Sort::bv(8), Sort::bv(8));
    let [array, other] = ["a", "b"].map(|name| Term::var(name, sort));
    let [place, i, j] = ["p", "i", "j"].map(|name| Term::var(name, Sort::bv(8)));
    let below = |array: Term, limit: u128| {
        forall([place], Term::new(Op::BvUle, &[Term::new(Op::Select, &[array, place]), bv(8, limit)]))
    };
    let stored = Term::new(Op::Store, &[array, i, j]);
    let small = Term::new(Op::BvUle, &[j, bv(8, 9)]);
    assert!(follows(&[below(array, 7), small], below(stored, 9)));
    assert!(!follows(&[below(array, 7), small], below(stored, 8)));
    assert!(!follows(&[below(array, 7), small], below(other, 200)));
    let read = Term::new(Op::Select, &[array, i]);
    assert!(follows(&[below(array, 7)], Term::new(Op::BvUlt, &[read, bv(8, 8)])));
    assert!(!follows(&[below(array, 7)], Term::new(Op::BvUlt, &[read, bv(8, 7)])));
    // What is said of one place is not said of all, and what is said of all is not said of a variable of the same name.
    assert!(!follows(&[Term::new(Op::BvUle, &[read, bv(8, 7)])], below(array, 7)));
    assert!(!follows(&[below(array, 7)], Term::new(Op::BvUle, &[place, bv(8, 7)])));
    let guarded = forall([place], Term::new(Op::Or, &[Term::new(Op::BvUlt, &[place, i]), below(array, 7)]));
    assert!(!follows(&[guarded], below(array, 7)));
}
