//! SMT-LIB texts: our meaning written out, names made unique, shared parts named.

use source::Symbol;
use term::text::{Scope, parse_closed};
use term::{FloatFormat, Function, Sort, Term, smtlib};

struct World;

impl Scope for World {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        Some(match name.as_str() {
            "p" => Sort::bool(),
            "i" | "j" | "and" | "a b" | "?1" => Sort::int(),
            "u" => Sort::real(),
            "x" => Sort::bv(32),
            "s" => Sort::float(FloatFormat::SINGLE),
            "l" => Sort::float(FloatFormat::EXTENDED),
            "ptr" => Sort::pointer(32),
            "m" => Sort::memory(32),
            _ => return None,
        })
    }

    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function> {
        Some(Function { name, parameters: parameters.to_vec(), result: Sort::int() })
    }
}

fn term(text: &str) -> Term {
    parse_closed(text, &World).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(smtlib::print(term(text)), expected);
}

#[test]
fn nodes_have_smtlib_names() {
    check("(=> p (< i (- 5)))", "(=> p (< i (- 5)))");
    check("-5", "(- 5)");
    check("-1/3", "(- (/ 1.0 3.0))");
    check("(bvadd x #x00000001)", "(bvadd x #x00000001)");
    check("((_ zero_extend 3) x)", "((_ zero_extend 3) x)");
    check("(fp.add s s)", "(fp.add RNE s s)");
    check("((_ fp.div RTP) s ((_ fp.sqrt RNA) s))", "(fp.div RTP s (fp.sqrt RNA s))");
    check("((_ ubv.to_fp 8 24 RTZ) x)", "((_ to_fp_unsigned 8 24) RTZ x)");
    check("((_ fp.from_bits 8 24) x)", "((_ to_fp 8 24) x)");
    check("(_ float 8 24 #x7fc00000)", "(_ NaN 8 24)");
    check("(_ float 8 24 #xbf800000)", "(fp #b1 #b01111111 #b00000000000000000000000)");
    check("(_ float 2 3 #b10110)", "(fp #b1 #b01 #b10)");
    check("((as const (Array Int Real)) u)", "((as const (Array Int Real)) u)");
    check("(_ array Int 0 (1 7))", "(store ((as const (Array Int Int)) 0) 1 7)");
    check("(pointer #x00000001 x)", "(concat #x00000001 x)");
    check("(pointer.object ptr)", "((_ extract 63 32) ptr)");
    check("((_ load (_ BitVec 32)) m ptr)", "(mem32.load.bv32 m ptr)");
    check("(f)", "f");
    check(
        "(forall ((i Int)) (! (< i (f i)) :pattern ((f i) 5)))",
        "(forall ((i Int)) (! (< i (f i)) :pattern ((f i))))",
    );
}

#[test]
fn what_smtlib_leaves_open_is_written_out() {
    check("(div i 2)", "(div i 2)");
    check("(div i j)", "(let ((?b j)) (ite (= ?b 0) 0 (div i ?b)))");
    check("(mod i j)", "(let ((?a i) (?b j)) (ite (= ?b 0) ?a (mod ?a ?b)))");
    check("(/ u u)", "(let ((?b u)) (ite (= ?b 0.0) 0.0 (/ u ?b)))");
    check("(sbv_to_int x)", "(let ((?a x)) (- (bv2nat ?a) (ite (= ((_ extract 31 31) ?a) #b1) 4294967296 0)))");
    check("(fp.to_real s)", "(let ((?a s)) (ite (or (fp.isNaN ?a) (fp.isInfinite ?a)) 0.0 (fp.to_real ?a)))");
    check(
        "((_ fp.to_sbv 8 RTZ) s)",
        "(let ((?a s)) (let ((?r (fp.roundToIntegral RTZ ?a))) (ite (and (fp.leq (fp #b1 #b10000110 \
         #b00000000000000000000000) ?r) (fp.lt ?r (fp #b0 #b10000110 #b00000000000000000000000))) \
         ((_ fp.to_sbv 8) RTZ ?a) #x80)))",
    );
    check("(fp.to_bits s)", "(let ((?a s)) (ite (fp.isNaN ?a) #x7fc00000 (fp.to_ieee_bv ?a)))");
}

#[test]
fn names_are_unique_and_fit() {
    check("(+ i@3 |and|)", "(+ i@3 and!1)");
    check("(+ |a b| |?1|)", "(+ |a b| $?1)");
    check("(and p (as p@1 Bool) (= (as p Int) 1))", "(and p p@1 (= p!1 1))");
    check("(= i (|i| i))", "(= i (i!1 i))");
}

#[test]
fn scripts_declare_what_they_use() {
    let shared = "(+ i (* i (+ i (* i (+ i 1)))))";
    let first = term(&format!("(< {shared} j)"));
    let second = term(&format!("(and (= ptr ptr) (= (_ element 0 U) (_ element 1 U)) (< j (f {shared})))"));
    assert_eq!(
        smtlib::script(&[first, second]),
        "(set-logic ALL)\n\
         (define-sort Ptr32 () (_ BitVec 64))\n\
         (declare-fun i () Int)\n\
         (declare-fun j () Int)\n\
         (declare-fun ptr () Ptr32)\n\
         (declare-sort U 0)\n\
         (declare-fun U!0 () U)\n\
         (declare-fun U!1 () U)\n\
         (declare-fun f (Int) Int)\n\
         (assert (distinct U!0 U!1))\n\
         (define-fun ?1 () Int (+ i (* i (+ i (* i (+ i 1))))))\n\
         (assert (< ?1 j))\n\
         (assert (and (= ptr ptr) (= U!0 U!1) (< j (f ?1))))\n\
         (check-sat)\n"
    );
}
