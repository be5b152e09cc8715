//! Machine arithmetic that the integers view left between conversions, where it is linear after all: sums, and
//! products by what is one number in these path edges. A result is told modulo two to the width, and reduced where it
//! is read.

use crate::disjunct::{Disjunct, Expression};
use crate::expression::Walk;
use arithmetic::{Rational, Sum};
use dashu::integer::IBig;
use sets::{Constraint, Stop};
use term::{Op, Term, Value};

type Cases = Result<Vec<Disjunct>, Stop>;

impl Walk<'_> {
    /// The integer that a machine integer is, with or without sign, on the stack.
    pub fn machine_integer(&mut self, disjunct: Disjunct, bits: Term, signed: bool) -> Cases {
        let Some(width) = bits.sort().bv_width() else { return Ok(Vec::new()) };
        let modulus = IBig::ONE << width as usize;
        let least = if signed { -(&modulus / IBig::from(2)) } else { IBig::ZERO };
        let cases = self.congruent(disjunct, bits)?;
        let mut all = Vec::with_capacity(cases.len());
        for mut case in cases {
            let Some(sum) = case.stack.last().cloned() else { continue };
            let (least, modulus) = (Rational::from(least.clone()), Rational::from(modulus.clone()));
            let most = least.plus(&modulus).minus(&Rational::ONE);
            let bounds = |of: &Expression| {
                let below = Constraint::at_most_zero(Sum::constant(least.clone()).minus(of));
                [below, Constraint::at_most_zero(of.minus(&Sum::constant(most.clone())))]
            };
            let mut fits = true;
            for bound in bounds(&sum) {
                fits = fits && self.arithmetic.implied(&case, &bound)?;
            }
            if !fits {
                // The sum stays on the stack, with a multiple of the modulus taken away.
                let often = case.fresh();
                let reduced = sum.minus(&often.times(&modulus));
                case.stack.pop();
                case.stack.push(reduced.clone());
                let [below, above] = bounds(&reduced);
                if !case.assume(below) || !case.assume(above) || self.arithmetic.is_empty(&case)? {
                    continue;
                }
            }
            all.push(case);
        }
        Ok(all)
    }

    /// An integer that is congruent to a machine integer modulo two to its width, on the stack.
    fn congruent(&mut self, mut disjunct: Disjunct, bits: Term) -> Cases {
        match (bits.op(), bits.args()) {
            (Op::Const(Value::Bv(value)), _) => {
                disjunct.stack.push(Sum::constant(Rational::from(IBig::from(value.unsigned()))));
                Ok(vec![disjunct])
            }
            (Op::IntToBv(_), [number]) => self.number(disjunct, *number),
            (Op::BvAdd, [a, b]) => self.combined(disjunct, *a, *b, |a, b| Some(a.plus(b))),
            (Op::BvSub, [a, b]) => self.combined(disjunct, *a, *b, |a, b| Some(a.minus(b))),
            (Op::BvMul, [a, b]) => {
                let product = |a: &Expression, b: &Expression| match (a.columns.is_empty(), b.columns.is_empty()) {
                    (true, _) => Some(b.times(&a.constant)),
                    (_, true) => Some(a.times(&b.constant)),
                    _ => None,
                };
                self.combined(disjunct, *a, *b, product)
            }
            (Op::ZeroExtend(_), [a]) => self.machine_integer(disjunct, *a, false),
            (Op::SignExtend(_), [a]) => self.machine_integer(disjunct, *a, true),
            (Op::Extract { low: 0, .. }, [a]) => self.congruent(disjunct, *a),
            (Op::Ite, [condition, a, b]) => {
                let mut all = Vec::new();
                for (truth, branch) in [(true, *a), (false, *b)] {
                    for case in self.condition(disjunct.clone(), *condition, truth)? {
                        all.extend(self.congruent(case, branch)?);
                    }
                }
                Ok(all)
            }
            _ => {
                match self.evaluated(&disjunct, bits) {
                    Some(Value::Bv(value)) => {
                        disjunct.stack.push(Sum::constant(Rational::from(IBig::from(value.unsigned()))));
                    }
                    _ => self.approximate(&mut disjunct, bits),
                }
                Ok(vec![disjunct])
            }
        }
    }

    /// Of two machine integers; what is no sum becomes `u`.
    fn combined(
        &mut self,
        disjunct: Disjunct,
        a: Term,
        b: Term,
        of: impl Fn(&Expression, &Expression) -> Option<Expression>,
    ) -> Cases {
        let mut all = Vec::new();
        for case in self.congruent(disjunct, a)? {
            for mut case in self.congruent(case, b)? {
                let (Some(y), Some(x)) = (case.stack.pop(), case.stack.pop()) else { continue };
                let (x, y) = (self.settled(&case, x)?, self.settled(&case, y)?);
                match of(&x, &y) {
                    Some(sum) => case.stack.push(sum),
                    None => {
                        self.approximated += 1;
                        let any = case.fresh();
                        case.stack.push(any);
                    }
                }
                all.push(case);
            }
        }
        Ok(all)
    }

    /// A sum, or the number that it is in all of these path edges.
    pub fn settled(&mut self, disjunct: &Disjunct, sum: Expression) -> Result<Expression, Stop> {
        if sum.columns.is_empty() || !disjunct.needs_check() {
            return Ok(sum);
        }
        let Some(model) = self.arithmetic.model(&disjunct.constraints)? else { return Ok(sum) };
        let number = sum.value(|symbol| Rational::from(model.get(&symbol).cloned().unwrap_or_default()));
        let is_number = Constraint::zero(sum.minus(&Sum::constant(number.clone())));
        Ok(if self.arithmetic.implied(disjunct, &is_number)? { Sum::constant(number) } else { sum })
    }
}
