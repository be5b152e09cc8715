//! Linear sums.

use crate::Rational;
use dashu::base::{Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// A sum of columns and a constant. Columns are sorted, and no factor is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sum<C> {
    pub columns: Vec<(C, Rational)>,
    pub constant: Rational,
}

impl<C: Copy + Ord> Sum<C> {
    pub fn constant(constant: Rational) -> Sum<C> {
        Sum { columns: Vec::new(), constant }
    }

    pub fn column(column: C) -> Sum<C> {
        Sum { columns: vec![(column, Rational::ONE)], constant: Rational::ZERO }
    }

    pub fn times(&self, factor: &Rational) -> Sum<C> {
        if factor.is_zero() {
            return Sum::constant(Rational::ZERO);
        }
        let columns = self.columns.iter().map(|(column, f)| (*column, f.times(factor))).collect();
        Sum { columns, constant: self.constant.times(factor) }
    }

    pub fn plus(&self, other: &Sum<C>) -> Sum<C> {
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

    pub fn minus(&self, other: &Sum<C>) -> Sum<C> {
        self.plus(&other.times(&Rational::from(-1)))
    }

    /// The factor of a column; zero where it does not occur.
    pub fn factor(&self, column: C) -> Rational {
        let found = self.columns.binary_search_by_key(&column, |(known, _)| *known);
        found.map_or(Rational::ZERO, |at| self.columns[at].1.clone())
    }

    /// The sum with another sum in the place of a column.
    pub fn substitute(&self, column: C, replacement: &Sum<C>) -> Sum<C> {
        let factor = self.factor(column);
        if factor.is_zero() {
            return self.clone();
        }
        let rest = self.columns.iter().filter(|(known, _)| *known != column).cloned().collect();
        Sum { columns: rest, constant: self.constant.clone() }.plus(&replacement.times(&factor))
    }

    /// The sum with each column replaced by another; several may become the same.
    pub fn map<D: Copy + Ord>(&self, mut column: impl FnMut(C) -> D) -> Sum<D> {
        let parts = self.columns.iter().map(|(old, factor)| Sum::column(column(*old)).times(factor));
        parts.fold(Sum::constant(self.constant.clone()), |sum, part| sum.plus(&part))
    }

    /// The value where columns have these values.
    pub fn value(&self, mut of: impl FnMut(C) -> Rational) -> Rational {
        self.columns.iter().fold(self.constant.clone(), |sum, (column, factor)| sum.plus(&of(*column).times(factor)))
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::random::Random;

    #[test]
    fn sums_are_functions_of_their_columns() {
        let mut random = Random::new(3);
        let number = |random: &mut Random| Rational::from(random.below(9) as i64 - 4).over(&Rational::from(2));
        let sum = |random: &mut Random| {
            let parts = (0..4).map(|column: u32| Sum::column(column).times(&number(random)));
            parts.fold(Sum::constant(Rational::ONE), |sum, part| sum.plus(&part))
        };
        for _ in 0..1000 {
            let (a, b) = (sum(&mut random), sum(&mut random));
            let values: Vec<Rational> = (0..4).map(|_| number(&mut random)).collect();
            let value = |column: u32| values[column as usize].clone();
            assert_eq!(a.plus(&b).value(value), a.value(value).plus(&b.value(value)));
            assert_eq!(a.minus(&b).value(value), a.value(value).minus(&b.value(value)));
            let replaced = a.value(|column| if column == 2 { b.value(value) } else { value(column) });
            assert_eq!(a.substitute(2, &b).value(value), replaced);
            assert_eq!(a.map(|column| column / 2).value(value), a.value(|column| value(column / 2)));
            let scaled = a.times(&a.scale());
            assert!(scaled.columns.iter().all(|(_, factor)| factor.is_integer() && !factor.is_zero()));
            assert_eq!((0..4).map(|column| a.factor(column)).filter(|f| !f.is_zero()).count(), a.columns.len());
        }
    }
}
