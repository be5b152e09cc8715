//! Numeric terms as linear sums.
//!
//! A column is what a sum is made of: a variable, or a term whose operator is not linear and which is taken as it is.
//! An integer and its conversion to a real are the same column.

use super::rational::Rational;
use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Op, Sort, SortKind, Term, Value, build};

/// A sum of columns and a constant. Columns are sorted, and no factor is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sum {
    pub columns: Vec<(Term, Rational)>,
    pub constant: Rational,
}

impl Sum {
    pub fn constant(constant: Rational) -> Sum {
        Sum { columns: Vec::new(), constant }
    }

    fn column(term: Term) -> Sum {
        Sum { columns: vec![(term, Rational::ONE)], constant: Rational::ZERO }
    }

    pub fn times(&self, factor: &Rational) -> Sum {
        if factor.is_zero() {
            return Sum::constant(Rational::ZERO);
        }
        let columns = self.columns.iter().map(|(column, f)| (*column, f.times(factor))).collect();
        Sum { columns, constant: self.constant.times(factor) }
    }

    pub fn plus(&self, other: &Sum) -> Sum {
        let mut columns = Vec::with_capacity(self.columns.len() + other.columns.len());
        let (mut left, mut right) = (self.columns.iter().peekable(), other.columns.iter().peekable());
        loop {
            let (column, factor) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((c, f)), Some((d, g))) if c == d => {
                    left.next();
                    right.next();
                    (*c, f.plus(g))
                }
                (Some((c, f)), other) if other.is_none_or(|(d, _)| c < d) => {
                    left.next();
                    (*c, f.clone())
                }
                (_, Some((d, g))) => {
                    right.next();
                    (*d, g.clone())
                }
                (Some(_), None) => unreachable!("a column without a partner is taken above"),
            };
            if !factor.is_zero() {
                columns.push((column, factor));
            }
        }
        Sum { columns, constant: self.constant.plus(&other.constant) }
    }

    pub fn minus(&self, other: &Sum) -> Sum {
        self.plus(&other.times(&Rational::from(-1)))
    }

    /// Whether every value of the sum's columns part is an integer when its factors are.
    pub fn is_integral(&self) -> bool {
        self.columns.iter().all(|(column, _)| column.sort() == Sort::int())
    }

    /// The positive number by which the factors must be multiplied to be integers without a common divisor.
    pub fn scale(&self) -> Rational {
        if self.columns.iter().any(|(_, factor)| *factor == Rational::ONE || *factor == Rational::from(-1))
            && self.columns.iter().all(|(_, factor)| factor.is_integer())
        {
            return Rational::ONE;
        }
        let below = self.columns.iter().fold(UBig::ONE, |multiple, (_, factor)| {
            let (_, denominator) = factor.to_big().into_parts();
            &multiple / (&multiple).gcd(&denominator) * denominator
        });
        let above = self.columns.iter().fold(UBig::ZERO, |gcd, (_, factor)| {
            let integer = (factor.to_big() * RBig::from(below.clone())).numerator().clone().unsigned_abs();
            if gcd == UBig::ZERO { integer } else { gcd.gcd(integer) }
        });
        let divisor = if above == UBig::ZERO { UBig::ONE } else { above };
        Rational::from(RBig::from_parts(IBig::from(below), divisor))
    }

    /// `self <= 0`, or `self < 0`, as a term with positive factors on both sides.
    pub fn at_most_zero(&self, strict: bool) -> Term {
        let scaled = self.times(&self.scale());
        let integral = scaled.is_integral();
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
        let side = |positive: bool| {
            let parts = scaled.columns.iter().filter(|(_, factor)| factor.is_positive() == positive);
            parts.map(|(column, factor)| product(&factor.absolute(), *column, sort)).reduce(build::add)
        };
        let (left, right) = (side(true), side(false));
        let (left, right) = match (left, right) {
            (None, Some(right)) => (number(&limit.negated(), sort), right),
            (left, None) => (left.unwrap_or_else(|| number(&Rational::ZERO, sort)), number(&limit, sort)),
            (Some(left), Some(right)) if limit.is_negative() => {
                (build::add(left, number(&limit.negated(), sort)), right)
            }
            (Some(left), Some(right)) => (left, build::add(right, number(&limit, sort))),
        };
        if strict { build::lt(left, right) } else { build::le(left, right) }
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
pub(super) struct Sums {
    memo: FxHashMap<Term, Rc<Sum>>,
}

impl Sums {
    /// The sum that a numeric term is.
    pub fn of(&mut self, term: Term) -> Rc<Sum> {
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

    fn combine(&self, term: Term) -> Sum {
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

pub(super) fn is_numeric(term: Term) -> bool {
    matches!(term.sort().kind(), SortKind::Int | SortKind::Real)
}
