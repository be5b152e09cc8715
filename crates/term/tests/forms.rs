//! The forms that constructors and simplification give, as texts.

use source::Symbol;
use std::sync::LazyLock;
use term::text::{Scope, parse_closed};
use term::{FloatFormat, Function, Op, Sort, SortKind, Term, build, simplify, visit};

struct World;

impl Scope for World {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        Some(match name.as_str() {
            "p" | "q" | "r" | "c" => Sort::bool(),
            "i" | "j" | "k" => Sort::int(),
            "u" | "v" => Sort::real(),
            "x" | "y" | "z" | "object" => Sort::bv(32),
            "b" | "d" => Sort::bv(8),
            "w" => Sort::bv(64),
            "s" | "t" => Sort::float(FloatFormat::SINGLE),
            "a" => Sort::array(Sort::int(), Sort::int()),
            "ptr" | "ptr2" => Sort::pointer(32),
            "m" => Sort::memory(32),
            "e" => Sort::new(SortKind::Uninterpreted(Symbol::new("U"), Vec::new())),
            _ => return None,
        })
    }

    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function> {
        (name.as_str() == "f").then(|| Function { name, parameters: parameters.to_vec(), result: Sort::int() })
    }
}

/// Variables are made in one order, so that those of a form that depends on their age come out as written.
static VARIABLES: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let names = "p q r c i j k u v x y z object b d w s t a ptr ptr2 m e".split_whitespace().map(Symbol::new);
    names.filter_map(|name| Some(Term::var(name, World.variable(name)?))).collect()
});

fn plain(text: &str) -> Term {
    LazyLock::force(&VARIABLES);
    parse_closed(text, &World).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text's term, made by the constructors.
fn built(text: &str) -> Term {
    visit::bottom_up(plain(text), &mut Default::default(), |term, memo| {
        let args: Vec<Term> = term.args().iter().map(|a| memo[a]).collect();
        build::make(term.op(), &args)
    })
}

/// The constructors make of `before` what they make of `after`, and this is what `after` says but for the order of
/// commutative operators' arguments.
#[track_caller]
fn builds(before: &str, after: &str) {
    assert_eq!(built(before), built(after), "{before}");
    assert_eq!(term::free::tree_size(built(after)), term::free::tree_size(plain(after)), "{after} is rewritten itself");
}

/// Simplification makes of `before` what `after` says, likewise.
#[track_caller]
fn simplifies(before: &str, after: &str) {
    let simple = simplify::simplify(plain(before));
    assert_eq!(simple, built(after), "{before}");
    assert_eq!(simplify::simplify(simple), simple, "{after} is simplified further");
}

#[test]
fn booleans_are_built() {
    builds("(not (not p))", "p");
    builds("(and p true q p)", "(and p q)");
    builds("(and p (and q r))", "(and p q r)");
    builds("(and p q (not p))", "false");
    builds("(or p q (not p))", "true");
    builds("(or p false)", "p");
    builds("(=> p q)", "(or (not p) q)");
    builds("(xor p q)", "(not (= p q))");
    builds("(= p (not q))", "(not (= p q))");
    builds("(= (not p) (not q))", "(= p q)");
    builds("(= p (not p))", "false");
    builds("(= p false)", "(not p)");
    builds("(ite c true q)", "(or c q)");
    builds("(ite c p false)", "(and c p)");
    builds("(ite (not c) i j)", "(ite c j i)");
    builds("(ite c p (not p))", "(= c p)");
    builds("(ite c (ite c i j) k)", "(ite c i k)");
    builds("(ite c k (ite c i j))", "(ite c k j)");
    builds("(ite (= i j) i j)", "j");
    builds("(ite (= i 5) 5 i)", "i");
    builds("(ite (= i 5) i 5)", "5");
    builds("(forall ((i Int)) true)", "true");
}

/// What C's comparisons and conversions become.
#[test]
fn c_patterns_are_built() {
    builds("(not (= (ite c #x00000001 #x00000000) #x00000000))", "c");
    builds("(= (ite c #x00000001 #x00000000) #x00000000)", "(not c)");
    builds("(= (ite c #x00000001 x) #x00000001)", "(or c (= x #x00000001))");
    builds("(= (ite c #x00000001 (ite p #x00000001 #x00000000)) #x00000000)", "(and (not c) (not p))");
    builds("((_ zero_extend 32) (ite c #x00000001 #x00000000))", "(ite c #x0000000000000001 #x0000000000000000)");
    builds("(bvslt #x00000000 (ite c #x00000001 #x00000000))", "c");
    builds("(bvadd (ite c #x00000001 #x00000000) #x00000002)", "(ite c #x00000003 #x00000002)");
    builds("(bvsub x #x00000001)", "(bvadd x #xffffffff)");
    builds("(bvadd (bvadd x #x00000001) (bvadd y #x00000002))", "(bvadd (bvadd x y) #x00000003)");
    builds("(bvsub (bvadd x y) x)", "y");
    builds("(= (bvadd x #x00000001) #x00000005)", "(= x #x00000004)");
    builds("(= (bvadd x #x00000001) x)", "false");
    builds("((_ extract 7 0) ((_ sign_extend 24) b))", "b");
    builds("((_ extract 7 0) (bvadd ((_ zero_extend 24) b) #x00000101))", "(bvadd b #x01)");
    builds("(bvslt ((_ zero_extend 24) b) #x00000080)", "(bvult b #x80)");
    builds("(bvslt ((_ zero_extend 24) b) #x00000100)", "true");
    builds("(bvslt ((_ zero_extend 24) b) #xffffffff)", "false");
    builds("(bvsle #xffffff80 ((_ sign_extend 24) b))", "true");
    builds("(bvslt ((_ sign_extend 24) b) ((_ sign_extend 24) d))", "(bvslt b d)");
    builds("(= ((_ zero_extend 24) b) #x00000100)", "false");
    builds("(bvurem x #x00000008)", "(bvand x #x00000007)");
    builds("(bvudiv x #x00000008)", "(bvlshr x #x00000003)");
    builds("(concat ((_ extract 31 16) x) ((_ extract 15 8) x))", "((_ extract 31 8) x)");
    builds(
        "((_ extract 39 8) (concat #x00 (concat x ((_ extract 23 0) y))))",
        "(concat ((_ extract 15 0) x) ((_ extract 23 8) y))",
    );
    builds("((_ int_to_bv 8) (ubv_to_int x))", "((_ extract 7 0) x)");
    builds("(bvshl (bvshl x #x00000010) #x00000010)", "#x00000000");
    builds("(bvashr (bvashr x #x00000010) #x0000001f)", "(bvashr x #x0000001f)");
}

#[test]
fn arrays_and_memory_are_built() {
    builds("(select (store a i 7) i)", "7");
    builds("(select (store a (+ i 1) 7) i)", "(select a i)");
    builds("(select (store a j 7) i)", "(select (store a j 7) i)");
    builds("(store (store a i 7) i 8)", "(store a i 8)");
    builds("(store a i (select a i))", "a");
    builds("(select ((as const (Array Int Int)) j) i)", "j");
    builds("(pointer (pointer.object ptr) (pointer.offset ptr))", "ptr");
    builds("(pointer.object (pointer object x))", "object");
    builds("(pointer.offset (ite c (pointer object x) (_ ptr 1 #x00000002)))", "(ite c x #x00000002)");
    builds("(= (pointer object x) (_ ptr 1 #x00000002))", "(and (= object #x00000001) (= x #x00000002))");
    builds("((_ load (_ BitVec 32)) (mem.store m ptr x) ptr)", "x");
    builds("((_ load (_ FloatingPoint 8 24)) (mem.store m ptr x) ptr)", "((_ fp.from_bits 8 24) x)");
    builds(
        "((_ load (_ BitVec 32)) (mem.store m (pointer object (bvadd x #x00000004)) y) (pointer object x))",
        "((_ load (_ BitVec 32)) m (pointer object x))",
    );
    builds("(mem.fill m ptr b #x00000000)", "m");
}

#[test]
fn numbers_and_floats_are_built() {
    builds("(+ (+ i 1) (- 2 j))", "(+ (- i j) 3)");
    builds("(< (+ i 3) 5)", "(< i 2)");
    builds("(= (- i j) 0)", "(= i j)");
    builds("(div i 0)", "0");
    builds("(mod i 0)", "i");
    builds("(/ u 2.0)", "(* u 1/2)");
    builds("(= (to_real i) 1/2)", "false");
    builds("(to_int (to_real i))", "i");
    builds("(fp.eq s s)", "(not (fp.isNaN s))");
    builds("(fp.add s (_ float 8 24 #x80000000))", "s");
    builds("((_ fp.add RTN) s (_ float 8 24 #x00000000))", "s");
    builds("((_ fp.sub RTN) s (_ float 8 24 #x80000000))", "s");
    builds("(fp.add s (_ float 8 24 #x00000000))", "(fp.add s (_ float 8 24 #x00000000))");
    builds("(fp.abs (fp.neg s))", "(fp.abs s)");
    builds("((_ fp.from_bits 8 24) (fp.to_bits s))", "s");
    builds("(fp.isNaN ((_ sbv.to_fp 8 24 RNE) x))", "false");
    builds("(= (fp.neg s) (fp.neg t))", "(= s t)");
}

#[test]
fn sums_are_simplified() {
    simplifies("(- (+ i j) (+ j i))", "0");
    simplifies("(+ i (+ j i))", "(+ (* i 2) j)");
    simplifies("(- (* i 3) (+ i i))", "i");
    simplifies("(bvadd (bvshl x #x00000002) (bvmul x #x00000003))", "(bvmul x #x00000007)");
    simplifies("(bvadd (bvnot x) (bvadd x y))", "(bvadd y #xffffffff)");
}

#[test]
fn comparisons_are_simplified() {
    for same in ["(< i j)", "(<= (+ i 1) j)", "(not (<= j i))", "(< (* i 2) (* j 2))", "(<= (+ (* i 2) 1) (* j 2))"] {
        simplifies(same, "(<= i (+ j -1))");
    }
    simplifies("(<= j i)", "(not (<= i (+ j -1)))");
    simplifies("(<= (* i 2) -3)", "(<= i -2)");
    simplifies("(<= (* i -2) 3)", "(not (<= i -2))");
    simplifies("(= (* i 2) 3)", "false");
    simplifies("(= (+ i j) (+ j 4))", "(= i 4)");
    simplifies("(<= (* u -2.0) 3.0)", "(not (< u -3/2))");
    simplifies("(< (+ i 1) i)", "false");
    simplifies("(bvult x y)", "(not (bvule y x))");
    simplifies("(bvult x #x00000005)", "(bvule x #x00000004)");
    simplifies("(bvsle #x00000005 x)", "(not (bvsle x #x00000004))");
    simplifies("(< (ubv_to_int b) 256)", "true");
    simplifies("(< (sbv_to_int b) (sbv_to_int d))", "(not (bvsle d b))");
    simplifies("(= (bvadd (bvmul x #x00000002) y) (bvadd y #x00000001))", "false");
    simplifies("(= (bvmul x #x00000003) #x00000009)", "(= x #x00000003)");
}

#[test]
fn facts_are_used() {
    simplifies("(and p (or p q))", "p");
    simplifies("(and p (or (not p) q))", "(and p q)");
    simplifies("(or p (and (not p) q))", "(or p q)");
    simplifies("(and (= i 5) (= j (+ i 1)))", "(and (= i 5) (= j 6))");
    simplifies("(and (= i 5) (<= i 4))", "false");
    simplifies("(and (= i 5) (= i 6))", "false");
    simplifies("(or (not (= i 5)) (<= i 5))", "true");
    simplifies("(ite (= i 5) (+ i 1) (f i))", "(ite (= i 5) 6 (f i))");
    simplifies("(and (= i 5) (forall ((i Int)) (= (f i) i)))", "(and (= i 5) (forall ((i Int)) (= (f i) i)))");
    simplifies("(forall ((i Int) (j Int)) (= (f i) 0))", "(forall ((i Int)) (= (f i) 0))");
}

#[test]
fn vectors_are_simplified() {
    simplifies("(bvashr (bvshl x #x00000018) #x00000018)", "((_ sign_extend 24) ((_ extract 7 0) x))");
    simplifies("(bvand ((_ zero_extend 24) b) #x000000ff)", "((_ zero_extend 24) b)");
    simplifies("(bvsle #x00000000 ((_ zero_extend 24) b))", "true");
    simplifies("(bvule (bvand x #x0000000f) #x00000010)", "true");
    simplifies("(= (bvmul x #x00000002) (bvadd (bvmul y #x00000004) #x00000001))", "false");
    simplifies("(bvsdiv ((_ zero_extend 24) b) #x00000003)", "(bvudiv ((_ zero_extend 24) b) #x00000003)");
    simplifies("(bvurem ((_ zero_extend 24) b) #x00000100)", "((_ zero_extend 24) b)");
    simplifies("((_ int_to_bv 8) (+ (ubv_to_int b) (ubv_to_int d)))", "(bvadd b d)");
}

#[test]
fn choices_are_lifted() {
    simplifies("(+ (ite c 1 2) (ite c 3 4))", "(ite c 4 6)");
    simplifies("(= (ite c i 1) (ite c i 2))", "c");
    simplifies("(select (ite c (store a i 7) a) i)", "(select (ite c (store a i 7) a) i)");
}

/// Where a bound integer is an index and nothing else, few places tell all.
#[test]
fn indices_of_maps_are_tried_where_maps_differ() {
    let check = |body: &str, expected: Option<bool>| {
        // The map has 7 at 3, 9 at 5, and 1 elsewhere.
        let map = term::ArrayValue::constant(Sort::int(), term::Value::Int(1.into()));
        let map = map.with(term::Value::Int(3.into()), term::Value::Int(7.into()));
        let map = term::Value::Array(map.with(term::Value::Int(5.into()), term::Value::Int(9.into())).into());
        let assigned = |variable: Term| (variable == plain("a")).then(|| map.clone());
        let value = term::eval::evaluate(plain(body), &assigned);
        assert_eq!(value, expected.map(term::Value::Bool), "{body}");
    };
    check("(forall ((n Int)) (<= 1 (select a n)))", Some(true));
    check("(forall ((n Int)) (<= (select a n) 8))", Some(false));
    check("(forall ((n Int)) (< 1 (select a n)))", Some(false));
    check("(exists ((n Int)) (= (select a n) 7))", Some(true));
    check("(exists ((n Int)) (= (select a n) 8))", Some(false));
    check("(forall ((n Int) (l Int)) (<= (select a n) (* 9 (select a l))))", Some(true));
    check("(forall ((n Int)) (<= n (select a n)))", None);
    check("(forall ((n Int)) (<= 0 (select a (+ n 1))))", None);
}

/// Deep terms do not overflow the stack, in any of the walks.
#[test]
fn deep_terms_are_no_problem() {
    let (x, y) = (plain("x"), plain("y"));
    let deep = (0..100_000u128).fold(x, |t, n| build::bv_xor(build::bv_mul(t, y), build::bv(32, 2 * n + 3)));
    assert_eq!(simplify::simplify(deep), simplify::simplify(deep));
    assert!(term::eval::evaluate(deep, &|_| Some(term::Value::bv(32, 3))).is_some());
    assert_eq!(term::free::variables([deep]).len(), 2);
    assert_ne!(term::subst::rename(deep, |_| 1), deep);
    assert!(term::smtlib::print(deep).len() > 100_000);
    assert!(matches!(deep.op(), Op::BvXor));
}

/// Nor do long chains of plain nodes, which the constructors would shorten.
#[test]
fn plain_chains_are_no_problem() {
    let (x, one) = (plain("x"), build::bv(32, 1));
    let i = plain("i");
    let chain = |op: Op, start: Term, other: &[Term]| {
        (0..100_000).fold(start, |t, _| Term::new(op.clone(), &[&[t], other].concat()))
    };
    let sum = chain(Op::BvAdd, x, &[one]);
    assert_eq!(build::bv_add(sum, one).sort(), x.sort());
    assert_eq!(build::eq(sum, one).sort(), Sort::bool());
    assert_eq!(build::bv_ult(chain(Op::SignExtend(32), x, &[]), one).sort(), Sort::bool());
    assert_eq!(build::extract(7, 0, chain(Op::ZeroExtend(32), x, &[])).sort(), Sort::bv(8));
    assert_eq!(build::add(chain(Op::Neg, i, &[]), i).sort(), Sort::int());
    assert_eq!(build::eq(chain(Op::Neg, i, &[]), build::int(5)).sort(), Sort::bool());
    let s = plain("s");
    assert_eq!(build::fp_is_nan(chain(Op::FpNeg, s, &[])).sort(), Sort::bool());
    let choice = (0..100_000).fold(x, |t, n| {
        let c = Term::var(format!("c{n}").as_str(), Sort::bool());
        Term::new(Op::Ite, &[c, plain("y"), t])
    });
    assert_eq!(build::eq(choice, plain("y")).sort(), Sort::bool());
    assert_eq!(build::eq(simplify::simplify(choice), plain("y")).sort(), Sort::bool());
}
