//! Linear expressions with conditionals and `u` (Section 4): the relation e -> (B, ne), e*, alpha, beta+ and beta-.
//!
//! The paper first makes all pairs (B, ne) of an expression, with the atomic conditions B that lead to the branch
//! `ne`, and meets each with the path edges. Here the conditions are met one by one while the expression is walked
//! through, so a branch that the path edges exclude is left at once. What comes out is the same disjunction.
//!
//! | paper | here |
//! |---|---|
//! | e -> (B, ne), e* | [`Walk::number`]: the sum `ne*` is on the stack of each disjunct that results, `B*` is in its constraints |
//! | beta+, beta- | [`Walk::condition`] |
//! | alpha | [`Walk::assign`] |
//!
//! Slip of the paper: the second premise of the rule for `e1 op e2` is about `e2`.
//!
//! `u` becomes a symbol of its own at each occurrence ([`crate::abstraction`] numbers them). So does what is not
//! linear, unless numbers are known where it matters: a product of which one factor is a number in these path edges
//! is linear there. Quotients and remainders by positive constants are exact. What became `u` though the program says
//! more about it is counted in [`Walk::approximated`].

use crate::adlc::Arithmetic;
use crate::disjunct::{Disjunct, Outcome};
use crate::slips::{self, Slip};
use arithmetic::{Rational, Sum};
use dashu::integer::IBig;
use faults::Fault;
use rustc_hash::FxHashMap;
use sets::{Constraint, Relation, Stop};
use std::rc::Rc;
use term::{Op, Sort, Term, Value};

/// The symbol `u` of a sort: any value. Each occurrence has its number, from 1.
pub fn undefined(sort: Sort, occurrence: u32) -> Term {
    Term::var("u", sort).at_instance(occurrence)
}

/// Walks through expressions in path edges of one procedure.
pub struct Walk<'a> {
    /// The positions of variables in the current valuation.
    pub positions: &'a FxHashMap<Term, usize>,
    pub arithmetic: &'a mut Arithmetic,
    /// If given, only the branches that these outcomes of atomic conditions lead to, in order.
    pub oracle: Option<Rc<[Outcome]>>,
    /// How often something became `u` of which the program says more.
    pub approximated: usize,
}

type Cases = Result<Vec<Disjunct>, Stop>;

fn number(value: IBig) -> Rational {
    Rational::from(value)
}

impl Walk<'_> {
    /// The meet with alpha(y, e): each variable takes the value of its expression, all at once.
    pub fn assign(&mut self, disjunct: Disjunct, pairs: &[(usize, Term)]) -> Cases {
        let mut cases = vec![disjunct];
        for (_, value) in pairs {
            cases = self.each(cases, |walk, case| walk.value(case, *value))?;
        }
        for case in &mut cases {
            for (at, value) in pairs.iter().rev() {
                let sum = case.stack.pop();
                case.values[*at] = if self.is_undefined(*value) { None } else { sum };
            }
        }
        Ok(cases)
    }

    fn each(&mut self, cases: Vec<Disjunct>, mut of: impl FnMut(&mut Self, Disjunct) -> Cases) -> Cases {
        let mut all = Vec::with_capacity(cases.len());
        for case in cases {
            all.extend(of(self, case)?);
        }
        Ok(all)
    }

    /// The value of a number or condition; conditions are 0 and 1.
    pub fn value(&mut self, mut disjunct: Disjunct, term: Term) -> Cases {
        if !term.sort().is_bool() {
            return self.number(disjunct, term);
        }
        if let Some(at) = self.positions.get(&term) {
            let sum = disjunct.value(*at);
            disjunct.stack.push(sum);
            return Ok(vec![disjunct]);
        }
        let mut all = Vec::new();
        for (truth, outcome) in [(true, 1i64), (false, 0)] {
            let mut cases = self.condition(disjunct.clone(), term, truth)?;
            cases.iter_mut().for_each(|case| case.stack.push(Sum::constant(Rational::from(outcome))));
            all.extend(cases);
        }
        Ok(all)
    }

    /// The value of a number, on the stack.
    pub fn number(&mut self, mut disjunct: Disjunct, term: Term) -> Cases {
        if let Some((_, sum)) = disjunct.known.iter().find(|(known, _)| *known == term) {
            let sum = sum.clone();
            disjunct.stack.push(sum);
            return Ok(vec![disjunct]);
        }
        if let Some(at) = self.positions.get(&term) {
            let sum = disjunct.value(*at);
            disjunct.stack.push(sum);
            return Ok(vec![disjunct]);
        }
        match (term.op(), term.args()) {
            (Op::Const(Value::Int(value)), _) => {
                disjunct.stack.push(Sum::constant(number(value.clone())));
                Ok(vec![disjunct])
            }
            (Op::Add | Op::Sub, [a, b]) => {
                let is_sum = *term.op() == Op::Add;
                self.two(disjunct, *a, *b, |x, y| if is_sum { x.plus(y) } else { x.minus(y) })
            }
            (Op::Neg, [a]) => {
                let mut cases = self.number(disjunct, *a)?;
                cases.iter_mut().for_each(|case| {
                    let sum = case.stack.pop().map(|sum| sum.times(&Rational::from(-1)));
                    case.stack.extend(sum);
                });
                Ok(cases)
            }
            (Op::Mul, [a, b]) => {
                let cases = self.pair(disjunct, *a, *b)?;
                self.each(cases, |walk, mut case| {
                    let (y, x) = (case.stack.pop(), case.stack.pop());
                    let (Some(x), Some(y)) = (x, y) else { return Ok(Vec::new()) };
                    let (x, y) = (walk.settled(&case, x)?, walk.settled(&case, y)?);
                    if x.columns.is_empty() {
                        case.stack.push(y.times(&x.constant));
                    } else if y.columns.is_empty() {
                        case.stack.push(x.times(&y.constant));
                    } else {
                        walk.approximate(&mut case, term);
                    }
                    Ok(vec![case])
                })
            }
            (Op::Ite, [condition, a, b]) => {
                let mut cases = Vec::new();
                for (truth, branch) in [(true, *a), (false, *b)] {
                    let taken = self.condition(disjunct.clone(), *condition, truth)?;
                    cases.extend(self.each(taken, |walk, case| walk.number(case, branch))?);
                }
                cases.iter_mut().for_each(|case| remember(case, term));
                Ok(cases)
            }
            (Op::IntDiv | Op::IntMod, [a, by]) => match by.value() {
                Some(Value::Int(divisor)) if *divisor > IBig::ZERO => self.divided(disjunct, term, *a, divisor),
                _ => self.computed(disjunct, term),
            },
            (Op::BvToInt { signed }, [bits]) => {
                let mut cases = self.machine_integer(disjunct, *bits, *signed)?;
                cases.iter_mut().for_each(|case| remember(case, term));
                Ok(cases)
            }
            _ => self.computed(disjunct, term),
        }
    }

    /// Both values on the stack.
    fn pair(&mut self, disjunct: Disjunct, a: Term, b: Term) -> Cases {
        let second = if slips::is(Slip::SecondOperand) { a } else { b };
        let cases = self.number(disjunct, a)?;
        self.each(cases, |walk, case| walk.number(case, second))
    }

    fn two(&mut self, disjunct: Disjunct, a: Term, b: Term, of: impl Fn(&Sum<u32>, &Sum<u32>) -> Sum<u32>) -> Cases {
        let mut cases = self.pair(disjunct, a, b)?;
        for case in &mut cases {
            let (y, x) = (case.stack.pop(), case.stack.pop());
            case.stack.extend(x.zip(y).map(|(x, y)| of(&x, &y)));
        }
        Ok(cases)
    }

    /// A quotient or remainder: of `e = d q + r` with `0 <= r < d`.
    fn divided(&mut self, disjunct: Disjunct, term: Term, a: Term, divisor: &IBig) -> Cases {
        let cases = self.number(disjunct, a)?;
        let d = number(divisor.clone());
        self.each(cases, |walk, mut case| {
            let Some(e) = case.stack.last().cloned() else { return Ok(Vec::new()) };
            let quotient = if e.columns.is_empty() {
                Sum::constant(e.constant.over(&d).floor())
            } else {
                let quotient = case.fresh();
                // The sum and its quotient are on the stack, so that they are kept up to date.
                case.stack.push(quotient.clone());
                let rest = e.minus(&quotient.times(&d));
                let above = rest.minus(&Sum::constant(d.minus(&Rational::ONE)));
                let within = case.assume(Constraint::at_most_zero(rest.times(&Rational::from(-1))))
                    && case.assume(Constraint::at_most_zero(above));
                if !within || walk.arithmetic.is_empty(&case)? {
                    return Ok(Vec::new());
                }
                match case.stack.pop() {
                    Some(quotient) => quotient,
                    None => return Ok(Vec::new()),
                }
            };
            let Some(e) = case.stack.pop() else { return Ok(Vec::new()) };
            let result = if *term.op() == Op::IntDiv { quotient } else { e.minus(&quotient.times(&d)) };
            case.stack.push(result);
            remember(&mut case, term);
            Ok(vec![case])
        })
    }

    /// What is not linear: a number where all that it depends on are numbers, else `u`.
    fn computed(&mut self, mut disjunct: Disjunct, term: Term) -> Cases {
        match self.evaluated(&disjunct, term) {
            Some(Value::Int(value)) => disjunct.stack.push(Sum::constant(number(value))),
            _ if self.is_undefined(term) => {
                let any = disjunct.fresh();
                disjunct.stack.push(any);
                remember(&mut disjunct, term);
            }
            _ => self.approximate(&mut disjunct, term),
        }
        Ok(vec![disjunct])
    }

    pub fn approximate(&mut self, disjunct: &mut Disjunct, term: Term) {
        self.approximated += 1;
        let any = disjunct.fresh();
        disjunct.stack.push(any);
        // The same term has the same value within a statement.
        remember(disjunct, term);
    }

    /// Whether a term is an occurrence of `u`: a variable that no scope has.
    fn is_undefined(&self, term: Term) -> bool {
        term.is_var() && !self.positions.contains_key(&term)
    }

    pub fn evaluated(&self, disjunct: &Disjunct, term: Term) -> Option<Value> {
        let value = |variable: Term| {
            let sum = disjunct.values[*self.positions.get(&variable)?].as_ref()?;
            if !sum.columns.is_empty() {
                return None;
            }
            let number = sum.constant.to_big().floor();
            Some(if variable.sort().is_bool() { Value::Bool(number != IBig::ZERO) } else { Value::Int(number) })
        };
        term::eval::evaluate(term, &value)
    }

    /// beta+ or beta-: the path edges in which a condition holds, or does not.
    pub fn condition(&mut self, disjunct: Disjunct, term: Term, truth: bool) -> Cases {
        match (term.op(), term.args()) {
            (Op::Const(Value::Bool(value)), _) => Ok(if *value == truth { vec![disjunct] } else { Vec::new() }),
            (Op::Not, [a]) => self.condition(disjunct, *a, !truth),
            (Op::And, args) => self.junction(disjunct, args, truth, true),
            (Op::Or, args) => self.junction(disjunct, args, truth, false),
            (Op::Implies, [a, b]) => self.junction(disjunct, &[term::build::not(*a), *b], truth, false),
            (Op::Ite, [c, a, b]) => self.choice(disjunct, *c, *a, *b, truth),
            (Op::Xor, [a, b]) => self.choice(disjunct, *a, term::build::not(*b), *b, truth),
            (Op::Eq, [a, b]) if a.sort().is_bool() => self.choice(disjunct, *a, *b, term::build::not(*b), truth),
            (Op::Eq | Op::Le | Op::Lt, [a, b]) if a.sort() == Sort::int() => {
                self.comparison(disjunct, term.op(), *a, *b, truth)
            }
            (Op::Var { .. }, _) if self.positions.contains_key(&term) => self.flag(disjunct, term, truth),
            _ => self.unknown(disjunct, term, truth),
        }
    }

    /// A conjunction (or disjunction) that holds (or not): all parts do, or the first ones do and the next does not.
    fn junction(&mut self, disjunct: Disjunct, args: &[Term], truth: bool, conjunction: bool) -> Cases {
        let mut going = vec![disjunct];
        let mut left = Vec::new();
        for arg in args {
            if truth != conjunction {
                left.extend(self.each(going.clone(), |walk, case| walk.condition(case, *arg, !conjunction))?);
            }
            going = self.each(going, |walk, case| walk.condition(case, *arg, conjunction))?;
        }
        Ok(if truth == conjunction { going } else { left })
    }

    fn choice(&mut self, disjunct: Disjunct, condition: Term, a: Term, b: Term, truth: bool) -> Cases {
        let mut all = Vec::new();
        for (taken, branch) in [(true, a), (false, b)] {
            let cases = self.condition(disjunct.clone(), condition, taken)?;
            all.extend(self.each(cases, |walk, case| walk.condition(case, branch, truth))?);
        }
        Ok(all)
    }

    fn comparison(&mut self, disjunct: Disjunct, op: &Op, a: Term, b: Term, truth: bool) -> Cases {
        let cases = self.two(disjunct, a, b, Sum::minus)?;
        use Outcome::{Equal, Greater, Less};
        let outcomes: &[Outcome] = match (op, truth) {
            (Op::Eq, true) => &[Equal],
            (Op::Eq, false) if faults::is(Fault::LostDisjunct) => &[Less],
            (Op::Eq, false) => &[Less, Greater],
            (Op::Le, true) => &[Less],
            (Op::Le, false) => &[Greater],
            (_, true) => &[Less],
            (_, false) => &[Greater],
        };
        let is_strict = *op != Op::Le;
        self.each(cases, |walk, mut case| {
            let Some(difference) = case.stack.pop() else { return Ok(Vec::new()) };
            let mut all = Vec::new();
            for outcome in outcomes {
                let opposite = || difference.times(&Rational::from(-1));
                let (sum, relation) = match outcome {
                    Equal => (difference.clone(), Relation::Zero),
                    Less if is_strict => (difference.clone(), Relation::BelowZero),
                    Less => (difference.clone(), Relation::AtMostZero),
                    // Not a < b: b <= a. Not a <= b: b < a. Not a = b: b < a.
                    Greater if *op == Op::Lt => (opposite(), Relation::AtMostZero),
                    _ => (opposite(), Relation::BelowZero),
                };
                let mut case = case.clone();
                if walk.decide(&mut case, *outcome)
                    && case.assume(Constraint { sum, relation })
                    && !walk.arithmetic.is_empty(&case)?
                {
                    all.push(case);
                }
            }
            Ok(all)
        })
    }

    /// Notes how an atomic condition was decided. `false` if the oracle says otherwise.
    fn decide(&mut self, disjunct: &mut Disjunct, outcome: Outcome) -> bool {
        let expected = self.oracle.as_ref().map(|oracle| oracle.get(disjunct.outcomes.len()) == Some(&outcome));
        disjunct.outcomes.push(outcome);
        expected.unwrap_or(true)
    }

    /// A variable that is a condition: 0 or 1.
    fn flag(&mut self, mut disjunct: Disjunct, variable: Term, truth: bool) -> Cases {
        let sum = disjunct.value(self.positions[&variable]);
        let is = Sum::constant(if truth { Rational::ONE } else { Rational::ZERO });
        let outcome = if truth { Outcome::True } else { Outcome::False };
        let holds = self.decide(&mut disjunct, outcome)
            && disjunct.assume(Constraint::zero(sum.minus(&is)))
            && !self.arithmetic.is_empty(&disjunct)?;
        Ok(if holds { vec![disjunct] } else { Vec::new() })
    }

    /// A condition that is not linear: known where all that it depends on are numbers, else it may hold or not.
    fn unknown(&mut self, mut disjunct: Disjunct, term: Term, truth: bool) -> Cases {
        match self.evaluated(&disjunct, term) {
            Some(Value::Bool(value)) if value != truth => return Ok(Vec::new()),
            Some(_) => {}
            None if self.is_undefined(term) => {}
            None => self.approximated += 1,
        }
        let outcome = if truth { Outcome::True } else { Outcome::False };
        Ok(if self.decide(&mut disjunct, outcome) { vec![disjunct] } else { Vec::new() })
    }
}

/// The sum on top of the stack is what a term is, for the rest of the statement.
fn remember(disjunct: &mut Disjunct, term: Term) {
    if let Some(sum) = disjunct.stack.last().cloned() {
        disjunct.known.push((term, sum));
    }
}
