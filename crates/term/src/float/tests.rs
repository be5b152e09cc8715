//! Floats against the machine's arithmetic, against another implementation, and against their definition.

use super::*;
use crate::random::Random;
use rustc_apfloat::ieee::{Half, IeeeFloat, Quad, Semantics, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

const ROUNDINGS: [(Rounding, Round); 5] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::NearestAway, Round::NearestTiesToAway),
    (Rounding::TowardZero, Round::TowardZero),
    (Rounding::TowardPositive, Round::TowardPositive),
    (Rounding::TowardNegative, Round::TowardNegative),
];

const EVEN: Rounding = Rounding::NearestEven;

/// How many random cases: `FATHOM_CASES` times as many as usual.
fn cases(usual: usize) -> usize {
    usual * std::env::var("FATHOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

#[test]
fn exact_integers_agree_with_the_machine() {
    let mut random = Random::new(1);
    for _ in 0..cases(100_000) {
        for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
            let [a, b, c] = std::array::from_fn(|_| random.float(format));
            let even = EVEN;
            assert_eq!(soft::add(format, even, a, b), add(format, even, a, b), "{a:x} + {b:x}");
            assert_eq!(soft::mul(format, even, a, b), mul(format, even, a, b), "{a:x} * {b:x}");
            assert_eq!(soft::div(format, even, a, b), div(format, even, a, b), "{a:x} / {b:x}");
            assert_eq!(soft::fma(format, even, a, b, c), fma(format, even, a, b, c), "{a:x} * {b:x} + {c:x}");
            assert_eq!(soft::sqrt(format, even, a), sqrt(format, even, a), "sqrt {a:x}");
        }
        let [a, b] = std::array::from_fn(|_| random.float(FloatFormat::DOUBLE));
        let (format, x, y) = (FloatFormat::DOUBLE, double(a), double(b));
        assert_eq!(eq(format, a, b), x == y);
        assert_eq!(lt(format, a, b), x < y);
        assert_eq!(le(format, a, b), x <= y);
        assert_eq!(is_normal(format, a), x.is_normal());
        assert_eq!(is_subnormal(format, a), x.is_subnormal());
        assert_eq!(is_infinite(format, a), x.is_infinite());
        assert_eq!(convert(format, FloatFormat::SINGLE, Rounding::NearestEven, a), of_single(x as f32));
        let f = random.float(FloatFormat::SINGLE);
        assert_eq!(convert(FloatFormat::SINGLE, format, Rounding::TowardZero, f), of_double(single(f).into()));
        assert_eq!(round_to_integral(format, Rounding::NearestAway, a), of_double(x.round()));
        assert_eq!(round_to_integral(format, Rounding::NearestEven, a), of_double(x.round_ties_even()));
        assert_eq!(round_to_integral(format, Rounding::TowardZero, a), of_double(x.trunc()));
        assert_eq!(round_to_integral(format, Rounding::TowardPositive, a), of_double(x.ceil()));
        assert_eq!(round_to_integral(format, Rounding::TowardNegative, a), of_double(x.floor()));
        let n = random.vector(64);
        let even = Rounding::NearestEven;
        assert_eq!(from_bv(format, even, 64, true, n), of_double(n as u64 as i64 as f64));
        assert_eq!(from_bv(format, even, 64, false, n), of_double(n as u64 as f64));
        assert_eq!(from_bv(FloatFormat::SINGLE, even, 128, false, n << 7), of_single((n << 7) as f32));
        if x.trunc() as i64 as f64 == x.trunc() && x.abs() < 9e18 {
            assert_eq!(to_bv(format, Rounding::TowardZero, 64, true, a), x as i64 as u64 as u128);
        }
    }
}

/// The same operations in the other implementation.
fn agrees<S: Semantics>(format: FloatFormat, seed: u64) {
    let mut random = Random::new(seed);
    let other = |bits: u128| IeeeFloat::<S>::from_bits(bits);
    let ours = |x: IeeeFloat<S>| canonical(format, x.to_bits());
    for _ in 0..cases(30_000) {
        let [a, b, c] = std::array::from_fn(|_| random.float(format));
        let [x, y, z] = [a, b, c].map(other);
        assert_eq!(lt(format, a, b), x < y, "{a:x} < {b:x}");
        assert_eq!(eq(format, a, b), x == y, "{a:x} = {b:x}");
        for (rounding, round) in ROUNDINGS {
            let told = format!("{a:x}, {b:x}, {c:x}, {rounding:?}");
            assert_eq!(add(format, rounding, a, b), ours(x.add_r(y, round).value), "sum: {told}");
            assert_eq!(sub(format, rounding, a, b), ours(x.sub_r(y, round).value), "difference: {told}");
            assert_eq!(mul(format, rounding, a, b), ours(x.mul_r(y, round).value), "product: {told}");
            assert_eq!(div(format, rounding, a, b), ours(x.div_r(y, round).value), "quotient: {told}");
            assert_eq!(fma(format, rounding, a, b, c), ours(x.mul_add_r(y, z, round).value), "fma: {told}");
            assert_eq!(round_to_integral(format, rounding, a), ours(x.round_to_integral(round).value), "{a:x}");
            let n = random.vector(128);
            assert_eq!(from_bv(format, rounding, 128, false, n), ours(IeeeFloat::from_u128_r(n, round).value), "{n:x}");
            let integer = x.to_i128_r(33, round, &mut false);
            if integer.status == rustc_apfloat::Status::OK || integer.status == rustc_apfloat::Status::INEXACT {
                let expected = bits::truncate(33, integer.value as u128);
                assert_eq!(to_bv(format, rounding, 33, true, a), expected, "{a:x} {rounding:?}");
            } else {
                assert_eq!(to_bv(format, rounding, 33, true, a), 1 << 32, "{a:x} {rounding:?}");
            }
        }
    }
}

#[test]
fn single_and_double_agree_with_another_implementation() {
    agrees::<rustc_apfloat::ieee::SingleS>(FloatFormat::SINGLE, 5);
    agrees::<rustc_apfloat::ieee::DoubleS>(FloatFormat::DOUBLE, 6);
}

#[test]
fn half_agrees_with_another_implementation() {
    agrees::<rustc_apfloat::ieee::HalfS>(FloatFormat::HALF, 2);
}

#[test]
fn quad_agrees_with_another_implementation() {
    agrees::<rustc_apfloat::ieee::QuadS>(FloatFormat::QUAD, 3);
}

#[test]
fn extended_agrees_with_another_implementation() {
    agrees::<rustc_apfloat::ieee::X87DoubleExtendedS>(FloatFormat::EXTENDED, 4);
}

#[test]
fn bit_patterns_are_those_of_the_other_implementation() {
    assert_eq!(one(FloatFormat::HALF), "1.0".parse::<Half>().map(|x| x.to_bits()).unwrap_or_default());
    assert_eq!(one(FloatFormat::QUAD), "1.0".parse::<Quad>().map(|x| x.to_bits()).unwrap_or_default());
    assert_eq!(one(FloatFormat::EXTENDED), "1.0".parse::<X87DoubleExtended>().map(|x| x.to_bits()).unwrap_or_default());
    assert_eq!(infinity(FloatFormat::EXTENDED, true), (-X87DoubleExtended::INFINITY).to_bits());
    assert_eq!(canonical(FloatFormat::EXTENDED, 1 << 63), 1 << 64 | 1 << 63);
    assert_eq!(canonical(FloatFormat::EXTENDED, 1 << 64), nan(FloatFormat::EXTENDED));
    assert_eq!(canonical(FloatFormat::SINGLE, 0xff80_0001), 0x7fc0_0000);
}

/// All floats of a small format, with the operations' definitions on real numbers.
#[test]
fn small_formats_follow_the_definitions() {
    for format in [FloatFormat { exponent: 2, significand: 2 }, FloatFormat { exponent: 3, significand: 3 }] {
        let all: Vec<u128> = (0..1u128 << format.width()).filter(|a| canonical(format, *a) == *a).collect();
        let finite = |a: &u128| !is_nan(format, *a) && !is_infinite(format, *a);
        let real = |a: u128| to_real(format, a);
        for &a in all.iter().filter(|a| finite(a)) {
            check_rounding(format, &all, &real(a), a);
            for &b in all.iter().filter(|a| finite(a)) {
                let (x, y) = (real(a), real(b));
                check_rounding(format, &all, &(&x + &y), add(format, EVEN, a, b));
                check_rounding(format, &all, &(&x - &y), sub(format, EVEN, a, b));
                check_rounding(format, &all, &(&x * &y), mul(format, EVEN, a, b));
                assert_eq!(lt(format, a, b), x < y);
                assert_eq!(eq(format, a, b), x == y);
                if y != RBig::ZERO {
                    check_rounding(format, &all, &(&x / &y), div(format, EVEN, a, b));
                    let n = from_real(FloatFormat::QUAD, Rounding::NearestEven, &(&x / &y));
                    let n = to_real(FloatFormat::QUAD, round_to_integral(FloatFormat::QUAD, Rounding::NearestEven, n));
                    assert_eq!(to_real(format, rem(format, a, b)), &x - &y * n, "{x} rem {y}");
                }
                for &c in all.iter().filter(|a| finite(a)).step_by(3) {
                    check_rounding(format, &all, &(&x * &y + real(c)), fma(format, EVEN, a, b, c));
                }
            }
        }
    }
}

/// `result` is a float nearest to `exact`, the even one of two; beyond the middle of the greatest float and its
/// successor, infinity.
fn check_rounding(format: FloatFormat, all: &[u128], exact: &RBig, result: u128) {
    let distance = |a: u128| {
        let difference = exact - to_real(format, a);
        if difference < RBig::ZERO { -difference } else { difference }
    };
    let finite = all.iter().filter(|a| !is_nan(format, **a) && !is_infinite(format, **a));
    let nearest = finite.clone().map(|a| distance(*a)).min().expect("there are floats");
    if is_infinite(format, result) {
        let (greatest, before) = (infinity(format, false) - 1, infinity(format, false) - 2);
        let half_step = (to_real(format, greatest) - to_real(format, before)) / RBig::from(2);
        assert!(nearest >= half_step, "{exact} to infinity");
        return;
    }
    assert_eq!(distance(result), nearest, "{exact} to {}", to_real(format, result));
    let tied = finite.filter(|a| distance(**a) == nearest && to_real(format, **a) != to_real(format, result)).count();
    assert!(tied == 0 || result & 1 == 0, "{exact} to {}", to_real(format, result));
}

#[test]
fn remainders_are_exact() {
    let check = |a: f64, b: f64, expected: f64| {
        let result = double(rem(FloatFormat::DOUBLE, a.to_bits().into(), b.to_bits().into()));
        assert_eq!(result.to_bits(), expected.to_bits(), "{a} rem {b} is {result}");
    };
    check(5.0, 3.0, -1.0);
    check(-5.0, 3.0, 1.0);
    check(6.0, 4.0, -2.0);
    check(2.0, 4.0, 2.0);
    check(-4.0, 2.0, -0.0);
    check(5.5, f64::INFINITY, 5.5);
    check(f64::MAX, f64::MIN_POSITIVE, 0.0);
    check(1e300, 7.0, 1.0);
    check(f64::from_bits(3), f64::from_bits(2), -f64::from_bits(1));
}
