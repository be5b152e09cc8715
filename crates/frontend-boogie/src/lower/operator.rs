//! Binary operators.

use super::context::{Lowered, Lowering};
use super::expr::as_real;
use crate::syntax::BinaryOp;
use dashu::integer::IBig;
use source::Span;
use term::{Rounding, Sort, SortKind, Term, Value, build};

impl Lowering<'_> {
    /// `left op right` with a result of the sort.
    pub fn binary(&mut self, op: BinaryOp, left: Term, right: Term, sort: Sort, span: Span) -> Lowered<Term> {
        use BinaryOp::*;
        let is_float = matches!(left.sort().kind(), SortKind::Float(_));
        if matches!(op, Eq | Ne) && left.sort() != right.sort() {
            return self.refuse("a comparison of values of different types", span);
        }
        Ok(match op {
            Iff => build::eq(left, right),
            Implies => build::implies(left, right),
            Explies => build::implies(right, left),
            And => build::and([left, right]),
            Or => build::or([left, right]),
            Eq if is_float => build::fp_eq(left, right),
            Ne if is_float => build::not(build::fp_eq(left, right)),
            Eq => build::eq(left, right),
            Ne => build::ne(left, right),
            Less if is_float => build::fp_lt(left, right),
            LessEq if is_float => build::fp_le(left, right),
            Greater if is_float => build::fp_gt(left, right),
            GreaterEq if is_float => build::fp_ge(left, right),
            Less => build::lt(left, right),
            LessEq => build::le(left, right),
            Greater => build::gt(left, right),
            GreaterEq => build::ge(left, right),
            Extends => {
                let order = self.order(left.sort());
                build::apply(order, &[left, right])
            }
            Concat => {
                let width = |t: Term| t.sort().bv_width().unwrap_or(0);
                if width(left) + width(right) > term::MAX_WIDTH {
                    return self.refuse(format!("bit-vectors of {} bits", width(left) + width(right)), span);
                }
                build::concat(left, right)
            }
            Add if is_float => build::fp_add(Rounding::NearestEven, left, right),
            Sub if is_float => build::fp_sub(Rounding::NearestEven, left, right),
            Mul if is_float => build::fp_mul(Rounding::NearestEven, left, right),
            Slash if is_float => build::fp_div(Rounding::NearestEven, left, right),
            Add => build::add(left, right),
            Sub => build::sub(left, right),
            Mul => build::mul(left, right),
            Div => self.int_div(left, right),
            Mod => self.int_mod(left, right),
            Slash if sort == Sort::int() => self.int_div(left, right),
            Slash => {
                let (left, right) = (as_real(left), as_real(right));
                self.unless_zero(left, right, "real-div-by-zero", build::real_div)
            }
            Power => return self.refuse("the operator **", span),
        })
    }

    pub fn int_div(&mut self, left: Term, right: Term) -> Term {
        self.unless_zero(left, right, "div-by-zero", build::int_div)
    }

    pub fn int_mod(&mut self, left: Term, right: Term) -> Term {
        self.unless_zero(left, right, "mod-by-zero", build::int_mod)
    }

    /// A division whose result for the divisor zero is some function of the dividend.
    fn unless_zero(&mut self, left: Term, right: Term, name: &str, op: fn(Term, Term) -> Term) -> Term {
        let zero = match right.value() {
            Some(Value::Int(n)) if *n != IBig::ZERO => return op(left, right),
            Some(Value::Real(n)) if !n.is_zero() => return op(left, right),
            _ => {
                if right.sort() == Sort::int() {
                    build::int(0)
                } else {
                    build::real(dashu::rational::RBig::ZERO)
                }
            }
        };
        let sort = left.sort();
        let known = self.program.functions.iter().find(|f| f.name.as_str() == name && f.parameters == [sort]).cloned();
        let function = known.unwrap_or_else(|| self.new_function(name, vec![sort], sort));
        build::ite(build::eq(right, zero), build::apply(function, &[left]), op(left, right))
    }
}
