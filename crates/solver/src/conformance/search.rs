//! Searching for models: those that are found are models, and where none is found there is none.

use super::{Make, Takes, taken};
use crate::{Answer, Unknown};
use rustc_hash::FxHashMap;
use std::time::Duration;
use term::random::{Random, Terms};
use term::{Op, Sort, SortKind, Term, Value, eval, free, visit};

/// How many formulas are tried.
const FORMULAS: u64 = 600;

/// Random formulas over all sorts: a model's values make the formula true by evaluation, and a formula without model is
/// false under random assignments.
pub fn models_satisfy(make: Make, takes: Takes) {
    let (mut sat, mut unsat, mut undecided) = (0, 0, 0);
    for seed in 0..FORMULAS {
        let mut terms = Terms::new(seed);
        let formula = terms.term(Sort::bool(), 3);
        if !taken(takes, formula) || has_large_remainder(formula) {
            continue;
        }
        let mut smt = make();
        smt.set_limits(smt.limits().within(Duration::from_millis(500)));
        smt.assert(formula);
        let variables = free::variables([formula]);
        match smt.check() {
            Answer::Sat => {
                sat += 1;
                let values: Option<FxHashMap<Term, Value>> =
                    variables.iter().map(|v| Some((*v, smt.value(*v)?))).collect();
                // Some models have no values that terms could have: irrational numbers.
                let Some(values) = values else { continue };
                let value = eval::evaluate(formula, &|t| values.get(&t).cloned());
                assert_ne!(value, Some(Value::Bool(false)), "{} took {values:?} for a model of {formula}", smt.name());
                assert_eq!(smt.value(formula), Some(Value::Bool(true)), "{} of {formula}", smt.name());
            }
            Answer::Unsat => {
                unsat += 1;
                for _ in 0..100 {
                    let values: FxHashMap<Term, Value> =
                        variables.iter().map(|v| (*v, terms.random.value(v.sort()))).collect();
                    let value = eval::evaluate(formula, &|t| values.get(&t).cloned());
                    assert_ne!(value, Some(Value::Bool(true)), "{} overlooked {values:?} for {formula}", smt.name());
                }
            }
            Answer::Unknown(Unknown::Timeout | Unknown::Incomplete(_)) => undecided += 1,
            Answer::Unknown(why) => panic!("{} cannot take {formula}: {why}", smt.name()),
        }
    }
    assert!(sat > 20 && unsat > 5, "of {FORMULAS} formulas {sat} had a model, {unsat} none");
    assert!(undecided * 10 < sat + unsat, "{undecided} formulas were not decided");
}

/// Whether a remainder is of a format with many exponents: it is a division of numbers of thousands of bits, and Z3 does not look at
/// limits while it writes that down.
fn has_large_remainder(formula: Term) -> bool {
    visit::post_order([formula]).into_iter().any(|part| {
        let is_large = matches!(part.sort().kind(), SortKind::Float(format) if format.exponent > 5);
        *part.op() == Op::FpRem && is_large
    })
}

/// Random formulas over few bits, against all assignments.
pub fn brute_force(make: Make, takes: Takes) {
    for seed in 0..FORMULAS {
        let mut small = Small { random: Random::new(seed) };
        let formula = small.term(Sort::bool(), 4);
        if !taken(takes, formula) {
            continue;
        }
        let mut smt = make();
        smt.assert(formula);
        let exists = has_model(formula, &free::variables([formula]));
        let answer = smt.check();
        assert_eq!(answer, if exists { Answer::Sat } else { Answer::Unsat }, "{} on {formula}", smt.name());
    }
}

/// Whether some assignment of the variables makes the formula true, by trying all.
fn has_model(formula: Term, variables: &[Term]) -> bool {
    let domains: Vec<Vec<Value>> =
        variables.iter().map(|v| v.sort().values().expect("small sorts have finitely many values").collect()).collect();
    let mut digits = vec![0; variables.len()];
    loop {
        let values: FxHashMap<Term, &Value> =
            variables.iter().zip(&domains).zip(&digits).map(|((v, domain), d)| (*v, &domain[*d])).collect();
        if eval::evaluate(formula, &|t| values.get(&t).copied().cloned()) == Some(Value::Bool(true)) {
            return true;
        }
        // Counts on, the first variable fastest.
        let Some(place) = (0..digits.len()).find(|i| digits[*i] + 1 < domains[*i].len()) else { return false };
        digits[place] += 1;
        digits[..place].fill(0);
    }
}

/// Random terms over Booleans, vectors of one to three bits, and arrays between them.
struct Small {
    random: Random,
}

impl Small {
    fn vector(&mut self) -> Sort {
        Sort::bv(1 + self.random.below(3) as u32)
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        if self.random.once_in(4) {
            return Term::constant(self.random.value(sort));
        }
        // Few variables, so that formulas without a model come about. At most two are vectors of a width.
        let name = *self.random.pick(&["p", "q"]);
        Term::var(format!("{name}{sort}").as_str(), sort)
    }

    fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.random.once_in(9) {
            return self.leaf(sort);
        }
        let (op, sorts) = self.operator(sort);
        let args: Vec<Term> = sorts.iter().map(|s| self.term(*s, depth - 1)).collect();
        Term::new(op, &args)
    }

    fn operator(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        use Op::*;
        let bool = Sort::bool();
        if self.random.once_in(7) {
            return (Ite, vec![bool, sort, sort]);
        }
        let Some(width) = sort.bv_width() else {
            return match self.random.below(4) {
                _ if sort != bool => (Store, vec![sort, Sort::bv(1), Sort::bv(1)]),
                0 => (self.random.pick(&[And, Or]).clone(), vec![bool; 2 + self.random.below(2)]),
                1 => (self.random.pick(&[Xor, Implies, Eq]).clone(), vec![bool; 2]),
                2 if self.random.once_in(3) => {
                    let array = Sort::array(Sort::bv(1), Sort::bv(1));
                    (Eq, vec![array; 2])
                }
                _ => {
                    let sort = self.vector();
                    (self.random.pick(&[Eq, BvUlt, BvUle, BvSlt, BvSle]).clone(), vec![sort; 2])
                }
            };
        };
        match self.random.below(8) {
            0 => (self.random.pick(&[BvNot, BvNeg]).clone(), vec![sort]),
            1 if width == 1 => (Select, vec![Sort::array(Sort::bv(1), Sort::bv(1)), Sort::bv(1)]),
            2 if width > 1 => (Concat, vec![Sort::bv(1), Sort::bv(width - 1)]),
            3 if width < 3 => (Extract { high: width, low: 1 }, vec![Sort::bv(width + 1)]),
            4 if width > 1 => {
                let op = if self.random.once_in(2) { ZeroExtend(width) } else { SignExtend(width) };
                (op, vec![Sort::bv(width - 1)])
            }
            _ => {
                let ops =
                    [BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvAnd, BvOr, BvXor, BvShl, BvLshr, BvAshr];
                (self.random.pick(&ops).clone(), vec![sort; 2])
            }
        }
    }
}
