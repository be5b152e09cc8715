//! The textual notation: what is printed reads back as the same node, and bad texts are refused with their place.

use source::Symbol;
use std::collections::HashMap;
use term::text::{self, Scope};
use term::{Function, Sort};

/// A few variables of each kind, and functions.
struct World(HashMap<Symbol, Sort>);

impl World {
    fn new() -> World {
        let byte = Sort::bv(8);
        let variables = [
            ("p", Sort::bool()),
            ("q", Sort::bool()),
            ("x", Sort::int()),
            ("main::y", Sort::int()),
            ("r", Sort::real()),
            ("b", byte),
            ("c", byte),
            ("and", Sort::int()),
            ("a b", Sort::int()),
            ("?1", Sort::int()),
            ("a|b\\c", Sort::int()),
            ("s", Sort::float(term::FloatFormat::SINGLE)),
            ("m", Sort::memory(32)),
            ("ptr", Sort::pointer(32)),
            ("array", Sort::array(Sort::int(), Sort::int())),
        ];
        World(variables.into_iter().map(|(name, sort)| (Symbol::new(name), sort)).collect())
    }
}

impl Scope for World {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        self.0.get(&name).copied()
    }

    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function> {
        let result = match (name.as_str(), parameters) {
            ("f", _) => Sort::int(),
            ("*", _) => Sort::bool(),
            _ => return None,
        };
        Some(Function { name, parameters: parameters.to_vec(), result })
    }
}

/// The text reads and prints as itself.
#[track_caller]
fn check(text: &str) {
    let term = text::parse_closed(text, &World::new()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(text::print(term), text);
}

/// The text is refused at the byte, with a message that has the given words.
#[track_caller]
fn refuse(text: &str, offset: usize, words: &str) {
    let error = text::parse_closed(text, &World::new()).expect_err(text);
    assert!(error.message.contains(words), "{text}: {error}");
    assert_eq!(error.offset, offset, "{text}: {error}");
}

#[test]
fn texts_print_as_they_were_read() {
    check("true");
    check("x");
    check("x@3");
    check("main::y@12");
    check("|and|");
    check("|a b|@3");
    check("|?1|");
    check("|a\\|b\\\\c|");
    check("-5");
    check("(- 5)");
    check("(- -5 x)");
    check("5.0");
    check("-1/3");
    check("(/ r -2.0)");
    check("#x0f");
    check("#b101");
    check("(and p q (not p))");
    check("(=> p (xor q p))");
    check("((_ extract 3 1) b)");
    check("((_ zero_extend 24) b)");
    check("((_ zero_extend 0) b)");
    check("(sbv_to_int ((_ int_to_bv 7) x))");
    check("(_ float 8 24 #x7fc00000)");
    check("(_ float 15 64 #x3fff8000000000000000)");
    check("((_ fp.sqrt RTN) ((_ fp.fma RTZ) s s ((_ fp.add RTP) s (fp.mul s s))))");
    check("((_ fp.to_sbv 32 RTZ) (fp.add s ((_ fp.to_fp 8 24 RNE) (_ float 2 2 #x1))))");
    check("((_ fp.from_bits 5 11) (concat b c))");
    check("(_ ptr 3 #x00000010)");
    check("((_ load (_ BitVec 8)) (mem.store m ptr b) (pointer (pointer.object ptr) #x00000001))");
    check("(_ element 7 T)");
    check("(_ element 7 (|Array| Int |T u|))");
    check("(_ array Int 0 (-1 5) (3 7))");
    check("(select (store array x 1) 5)");
    check("((as const (Array Int Real)) r)");
    check("(f)");
    check("(|*| x (f p))");
    check("(forall ((x Int) (z@2 (Array Int Bool))) (! (select z@2 x) :pattern ((select z@2 x) (f x))))");
    check("(lambda ((x Bool)) (and x p))");
    check("(and (= (as x Int) (as x Int)) (forall ((x Bool)) (as x Bool)))");
    check("(and (= ((as f () Bool)) p) (= ((as f () Int)) x))");
}

#[test]
fn shared_parts_are_named() {
    check("(let ((?1 (+ x (+ x (+ x (+ x 1)))))) (* ?1 ?1))");
    // A part that mentions a bound variable stays inside the binder; one that does not is outside.
    let part = |v: &str| format!("(+ {v} (+ {v} (+ {v} (+ {v} 1))))");
    check(&format!("(forall ((z Int)) (let ((?1 {})) (= ?1 (- ?1))))", part("z")));
    check(&format!("(let ((?1 {})) (forall ((z Int)) (= ?1 (- ?1))))", part("x")));
    check(
        &format!("(let ((?1 {0})) (and (forall ((x Int)) (= {0} z)) (= ?1 (- ?1))))", part("x")).replace(" z)", " 1)"),
    );
}

#[test]
fn deep_and_shared_terms_are_no_problem() {
    let deep = format!("{}x{}", "(- ".repeat(100_000), ")".repeat(100_000));
    check(&deep);
    let mut shared = term::Term::var("x", Sort::int());
    for _ in 0..1000 {
        shared = term::Term::new(term::Op::Mul, &[shared, shared]);
    }
    let text = text::print(shared);
    assert!(text.len() < 40_000, "{}", text.len());
    assert_eq!(text::parse_closed(&text, &World::new()), Ok(shared));
}

#[test]
fn bad_texts_are_refused() {
    refuse("", 0, "expected a term, found the end");
    refuse("(", 1, "expected an operator");
    refuse("(and p", 6, "expected a term");
    refuse("(and p x)", 1, "does not apply");
    refuse("  unknown", 2, "unknown variable");
    refuse("(g x)", 1, "unknown function g of (Int)");
    refuse("and", 0, "|and|");
    refuse("?7", 0, "nothing is named");
    refuse("|x", 0, "closing bar");
    refuse("#xfg", 0, "digits");
    refuse("(_ float 8 24 #x7fc00001)", 3, "bit pattern");
    refuse("((_ extract 9 1) b)", 1, "does not apply");
    refuse("((_ zero_extend 4000000000) b)", 1, "does not apply");
    refuse("(as x (_ BitVec 129))", 16, "width");
    refuse("(as x (_ BitVec 0))", 16, "width");
    refuse("(as x (Ptr 7))", 11, "32 or 64");
    refuse("(as x (_ FloatingPoint 99 3))", 23, "format");
    refuse("p q", 2, "nothing more");
    refuse("(let ((?1 (+ x 1))) (forall ((x Int)) (= ?1 x)))", 41, "bound anew");
    refuse("(and (let ((?1 p)) ?1) ?1)", 23, "nothing is named");
    refuse("x@99999999999", 2, "copy");
    refuse("1/0", 0, "number");
    refuse("(as x (Array Int ", 17, "a sort");
    refuse(&format!("(as x {}", "(Array ".repeat(1000)), 6 + 200 * 7, "too deep");
}
