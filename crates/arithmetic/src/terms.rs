//! Numeric terms as linear sums, and linear constraints as terms.
//!
//! A column is what a sum is made of: a variable, or a term whose operator is not linear and which is taken as it is.
//! An integer and its conversion to a real are the same column.

use crate::{Rational, Sum};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Op, Sort, SortKind, Term, Value, build};

/// Whether every value of the sum's columns part is an integer when its factors are.
pub fn is_integral(sum: &Sum<Term>) -> bool {
    sum.columns.iter().all(|(column, _)| column.sort() == Sort::int())
}

/// `sum <= 0`, or `sum < 0`, as a term with positive factors on both sides.
pub fn at_most_zero(sum: &Sum<Term>, strict: bool) -> Term {
    let scaled = sum.times(&sum.scale());
    let integral = is_integral(&scaled);
    let sort = if integral { Sort::int() } else { Sort::real() };
    // Over the integers, sum + c <= 0 is sum <= floor(-c), and sum + c < 0 is sum <= ceil(-c) - 1.
    let mut limit = scaled.constant.negated();
    let strict = if integral {
        let whole = limit.is_integer();
        limit = limit.floor();
        if strict && whole {
            limit = limit.minus(&Rational::ONE);
        }
        false
    } else {
        strict
    };
    let (left, right) = sides(&scaled, &limit, sort);
    if strict { build::lt(left, right) } else { build::le(left, right) }
}

/// `sum = 0` as a term with positive factors on both sides.
pub fn zero(sum: &Sum<Term>) -> Term {
    let scaled = sum.times(&sum.scale());
    let integral = is_integral(&scaled);
    if integral && !scaled.constant.is_integer() {
        return build::falsehood();
    }
    let (left, right) = sides(&scaled, &scaled.constant.negated(), if integral { Sort::int() } else { Sort::real() });
    build::eq(left, right)
}

/// The columns of a sum, and a number on one side, as terms with positive factors: `left R right` is `columns R limit`.
fn sides(sum: &Sum<Term>, limit: &Rational, sort: Sort) -> (Term, Term) {
    let side = |positive: bool| {
        let parts = sum.columns.iter().filter(|(_, factor)| factor.is_positive() == positive);
        parts.map(|(column, factor)| product(&factor.absolute(), *column, sort)).reduce(build::add)
    };
    match (side(true), side(false)) {
        (None, Some(right)) => (number(&limit.negated(), sort), right),
        (left, None) => (left.unwrap_or_else(|| number(&Rational::ZERO, sort)), number(limit, sort)),
        (Some(left), Some(right)) if limit.is_negative() => (build::add(left, number(&limit.negated(), sort)), right),
        (Some(left), Some(right)) => (left, build::add(right, number(limit, sort))),
    }
}

fn product(factor: &Rational, column: Term, sort: Sort) -> Term {
    let column = if column.sort() == sort { column } else { build::to_real(column) };
    if *factor == Rational::ONE { column } else { build::mul(column, number(factor, sort)) }
}

fn number(value: &Rational, sort: Sort) -> Term {
    if sort == Sort::int() { build::int(value.to_big().floor()) } else { build::real(value.to_big()) }
}

/// Turns terms into sums and remembers them.
#[derive(Default)]
pub struct Sums {
    memo: FxHashMap<Term, Rc<Sum<Term>>>,
}

impl Sums {
    /// The sum that a numeric term is.
    pub fn of(&mut self, term: Term) -> Rc<Sum<Term>> {
        if let Some(known) = self.memo.get(&term) {
            return known.clone();
        }
        // Only what is linear is looked into; anything else is a column, whatever it is made of.
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            let inner: &[Term] = if is_linear(top) { top.args() } else { &[] };
            let height = stack.len();
            stack.extend(inner.iter().filter(|arg| !self.memo.contains_key(arg)));
            if stack.len() == height {
                let sum = self.combine(top);
                self.memo.insert(top, Rc::new(sum));
                stack.pop();
            }
        }
        self.memo[&term].clone()
    }

    fn combine(&self, term: Term) -> Sum<Term> {
        let arg = |n: usize| &*self.memo[&term.args()[n]];
        match term.op() {
            Op::Const(Value::Int(n)) => Sum::constant(n.clone().into()),
            Op::Const(Value::Real(r)) => Sum::constant(r.clone().into()),
            _ if !is_linear(term) => Sum::column(term),
            Op::Add => arg(0).plus(arg(1)),
            Op::Sub => arg(0).minus(arg(1)),
            Op::Neg => arg(0).times(&Rational::from(-1)),
            Op::ToReal => arg(0).clone(),
            Op::Mul if arg(0).columns.is_empty() => arg(1).times(&arg(0).constant),
            Op::Mul if arg(1).columns.is_empty() => arg(0).times(&arg(1).constant),
            Op::RealDiv if arg(1).columns.is_empty() && !arg(1).constant.is_zero() => {
                arg(0).times(&Rational::ONE.over(&arg(1).constant))
            }
            _ => Sum::column(term),
        }
    }
}

/// Whether the operator can be linear, if its arguments allow it.
fn is_linear(term: Term) -> bool {
    matches!(term.op(), Op::Add | Op::Sub | Op::Neg | Op::ToReal | Op::Mul | Op::RealDiv)
}

pub fn is_numeric(term: Term) -> bool {
    matches!(term.sort().kind(), SortKind::Int | SortKind::Real)
}
