//! Linear combinations of integers, reals and bit-vectors, and sums in one order.

use crate::{Bv, Op, Sort, Term, Value, bits, build};
use dashu::base::Sign;
use dashu::integer::IBig;
use dashu::rational::RBig;

/// Sums of more nodes than this stay as they are, so that a long sum is not sorted at each of its steps.
const MAX_NODES: usize = 48;

/// A ring that coefficients are in.
pub(super) trait Coefficient: Clone + PartialEq {
    /// The value as a coefficient. `None` if it is of another sort.
    fn of(value: &Value) -> Option<Self>;
    fn value(self) -> Value;
    /// The coefficient that a term of the sort has by itself.
    fn one(sort: Sort) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn negated(&self) -> Self;
    fn is_zero(&self) -> bool;
    fn is_negative(&self) -> bool;
    /// Whether numbers of this size are kept: coefficients shall not grow without bound.
    fn is_small(&self) -> bool;
}

impl Coefficient for IBig {
    fn of(value: &Value) -> Option<IBig> {
        match value {
            Value::Int(n) => Some(n.clone()),
            _ => None,
        }
    }

    fn value(self) -> Value {
        Value::Int(self)
    }

    fn one(_sort: Sort) -> IBig {
        IBig::ONE
    }

    fn plus(&self, other: &IBig) -> IBig {
        self + other
    }

    fn times(&self, other: &IBig) -> IBig {
        self * other
    }

    fn negated(&self) -> IBig {
        -self
    }

    fn is_zero(&self) -> bool {
        *self == IBig::ZERO
    }

    fn is_negative(&self) -> bool {
        self.sign() == Sign::Negative
    }

    fn is_small(&self) -> bool {
        dashu::base::BitTest::bit_len(self) <= 4096
    }
}

impl Coefficient for RBig {
    fn of(value: &Value) -> Option<RBig> {
        match value {
            Value::Real(r) => Some(r.clone()),
            _ => None,
        }
    }

    fn value(self) -> Value {
        Value::Real(self)
    }

    fn one(_sort: Sort) -> RBig {
        RBig::ONE
    }

    fn plus(&self, other: &RBig) -> RBig {
        self + other
    }

    fn times(&self, other: &RBig) -> RBig {
        self * other
    }

    fn negated(&self) -> RBig {
        -self
    }

    fn is_zero(&self) -> bool {
        *self == RBig::ZERO
    }

    fn is_negative(&self) -> bool {
        self.numerator().sign() == Sign::Negative
    }

    fn is_small(&self) -> bool {
        use dashu::base::BitTest;
        self.numerator().bit_len() + self.denominator().bit_len() <= 4096
    }
}

impl Coefficient for Bv {
    fn of(value: &Value) -> Option<Bv> {
        value.as_bv()
    }

    fn value(self) -> Value {
        Value::Bv(self)
    }

    fn one(sort: Sort) -> Bv {
        Bv::new(sort.bv_width().unwrap_or(1), 1)
    }

    fn plus(&self, other: &Bv) -> Bv {
        Bv::new(self.width(), bits::add(self.width(), self.unsigned(), other.unsigned()))
    }

    fn times(&self, other: &Bv) -> Bv {
        Bv::new(self.width(), bits::mul(self.width(), self.unsigned(), other.unsigned()))
    }

    fn negated(&self) -> Bv {
        Bv::new(self.width(), bits::neg(self.width(), self.unsigned()))
    }

    fn is_zero(&self) -> bool {
        self.unsigned() == 0
    }

    fn is_negative(&self) -> bool {
        self.signed() < 0
    }

    fn is_small(&self) -> bool {
        true
    }
}

/// A linear combination: a constant and terms with coefficients other than zero, oldest first.
#[derive(Clone, PartialEq)]
pub(super) struct Linear<C> {
    sort: Sort,
    pub terms: Vec<(Term, C)>,
    pub constant: C,
    /// How many nodes it was made from, constants not counted.
    nodes: usize,
}

impl<C: Coefficient> Linear<C> {
    /// The combination that the sum of `parts`, each times plus or minus one, is.
    pub(super) fn of(parts: &[(Term, bool)]) -> Option<Linear<C>> {
        let sort = parts.first()?.0.sort();
        let one = C::one(sort);
        let mut linear = Linear { sort, terms: Vec::new(), constant: one.plus(&one.negated()), nodes: 0 };
        let mut stack: Vec<(Term, C)> =
            parts.iter().map(|(t, negative)| (*t, if *negative { one.negated() } else { one.clone() })).collect();
        while let Some((term, scale)) = stack.pop() {
            if linear.nodes > MAX_NODES || !scale.is_small() {
                return None;
            }
            linear.nodes += 1;
            match (term.op(), term.args()) {
                (Op::Const(value), _) => {
                    linear.nodes -= 1;
                    linear.constant = linear.constant.plus(&scale.times(&C::of(value)?));
                }
                (Op::Add | Op::BvAdd, [a, b]) => stack.extend([(*a, scale.clone()), (*b, scale)]),
                (Op::Sub | Op::BvSub, [a, b]) => stack.extend([(*b, scale.negated()), (*a, scale)]),
                (Op::Neg | Op::BvNeg, [a]) => stack.push((*a, scale.negated())),
                // In two's complement, not a is -a - 1.
                (Op::BvNot, [a]) => {
                    linear.constant = linear.constant.plus(&scale.negated());
                    stack.push((*a, scale.negated()));
                }
                (Op::Mul | Op::BvMul, [a, k]) if k.value().is_some() => {
                    stack.push((*a, scale.times(&C::of(k.value()?)?)));
                }
                (Op::BvShl, [a, k]) if k.value().is_some() => {
                    let by = k.as_bv()?;
                    let factor = Value::bv(by.width(), bits::shl(by.width(), 1, by.unsigned()));
                    stack.push((*a, scale.times(&C::of(&factor)?)));
                }
                _ => linear.terms.push((term, scale)),
            }
        }
        linear.terms.sort_by_key(|(term, _)| *term);
        linear.terms.dedup_by(|(term, more), (kept, coefficient)| {
            let same = term == kept;
            if same {
                *coefficient = coefficient.plus(more);
            }
            same
        });
        linear.terms.retain(|(_, coefficient)| !coefficient.is_zero());
        Some(linear)
    }

    /// Every coefficient and the constant replaced.
    pub(super) fn map(&self, f: impl Fn(&C) -> C) -> Linear<C> {
        let terms = self.terms.iter().map(|(t, c)| (*t, f(c))).collect();
        Linear { sort: self.sort, terms, constant: f(&self.constant), nodes: self.nodes }
    }

    pub(super) fn negated(&self) -> Linear<C> {
        self.map(C::negated)
    }

    /// About how many nodes the combination takes.
    pub(super) fn size(&self) -> usize {
        let one = C::one(self.sort);
        let products = self.terms.iter().filter(|(_, c)| *c != one && c.negated() != one).count();
        2 * self.terms.len() + products
    }

    /// Whether it takes about as many nodes as what it was made from, or fewer.
    pub(super) fn is_no_larger(&self) -> bool {
        self.size() <= self.nodes + 2
    }

    fn scaled(&self, term: Term, coefficient: &C) -> Term {
        self.operate([Op::Mul, Op::BvMul], &[term, Term::constant(coefficient.clone().value())])
    }

    fn operate(&self, [number, vector]: [Op; 2], args: &[Term]) -> Term {
        build::make(if self.sort.bv_width().is_some() { &vector } else { &number }, args)
    }

    /// The terms with positive coefficients and those with negative ones, which are made positive.
    pub(super) fn sides(&self) -> (Option<Term>, Option<Term>) {
        let sum = |negative: bool| {
            let summands = self.terms.iter().filter(|(_, c)| c.is_negative() == negative);
            let summands = summands.map(|(t, c)| self.scaled(*t, &if negative { c.negated() } else { c.clone() }));
            summands.reduce(|a, b| self.operate([Op::Add, Op::BvAdd], &[a, b]))
        };
        (sum(false), sum(true))
    }

    /// The combination as a term.
    pub(super) fn term(&self) -> Term {
        let constant = Term::constant(self.constant.clone().value());
        match self.sides() {
            (None, None) => constant,
            (Some(positive), None) => self.operate([Op::Add, Op::BvAdd], &[positive, constant]),
            (None, Some(negative)) => self.operate([Op::Sub, Op::BvSub], &[constant, negative]),
            (Some(positive), Some(negative)) => {
                let difference = self.operate([Op::Sub, Op::BvSub], &[positive, negative]);
                self.operate([Op::Add, Op::BvAdd], &[difference, constant])
            }
        }
    }
}

/// A sum, difference, negation or product with a constant in its one form.
pub(super) fn normal(term: Term) -> Option<Term> {
    match term.op() {
        Op::Add | Op::Sub | Op::Neg | Op::Mul if term.sort() == Sort::int() => normal_of::<IBig>(term),
        Op::Add | Op::Sub | Op::Neg | Op::Mul => normal_of::<RBig>(term),
        Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvMul | Op::BvShl => normal_of::<Bv>(term),
        _ => None,
    }
}

fn normal_of<C: Coefficient>(term: Term) -> Option<Term> {
    let linear = Linear::<C>::of(&[(term, false)])?;
    // A product of variables is a term of its own.
    if linear.terms.len() == 1 && linear.terms[0].0 == term {
        return None;
    }
    linear.is_no_larger().then(|| linear.term())
}
