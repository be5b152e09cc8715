//! Random terms over given variables.

use super::Rng;
use super::signatures::{Signature, signatures};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{ArrayValue, Bv, FloatFormat, Function, Op, Rounding, Sort, SortKind, Term, Value, eval};

/// Makes terms of the sorts it was made with.
pub(super) struct Terms {
    sorts: Vec<Sort>,
    signatures: FxHashMap<Sort, Vec<Signature>>,
    quantifiers: bool,
    bound: usize,
}

impl Terms {
    pub(super) fn new(sorts: &[Sort], functions: &[Function], quantifiers: bool) -> Terms {
        Terms { sorts: sorts.to_vec(), signatures: signatures(sorts, functions), quantifiers, bound: 0 }
    }

    /// A term of the sort, with operators nested at most `depth` deep.
    ///
    /// # Panics
    /// If the sort is memory, which has no constants, and there is no variable of it.
    pub(super) fn term(&mut self, rng: &mut Rng, variables: &mut Vec<Term>, sort: Sort, depth: usize) -> Term {
        if depth == 0 || rng.one_in(6) {
            return leaf(rng, variables, sort);
        }
        if self.quantifiers && rng.one_in(8) {
            match *sort.kind() {
                SortKind::Bool => return self.quantified(rng, variables, depth),
                SortKind::Array(index, element) => {
                    let bound = self.bind(rng, index);
                    let body = self.under(rng, variables, std::slice::from_ref(&bound), element, depth);
                    return Term::new(Op::Lambda(vec![bound]), &[body]);
                }
                _ => {}
            }
        }
        let Some((op, sorts)) = self.signatures.get(&sort).map(|rows| rng.pick(rows).clone()) else {
            return leaf(rng, variables, sort);
        };
        let arguments: Vec<Term> = sorts.iter().map(|s| self.term(rng, variables, *s, depth - 1)).collect();
        Term::new(op, &arguments)
    }

    fn quantified(&mut self, rng: &mut Rng, variables: &mut Vec<Term>, depth: usize) -> Term {
        let sorts: Vec<Sort> = (0..1 + rng.below(2)).map(|_| *rng.pick(&self.sorts)).collect();
        let bound: Vec<Term> = sorts.into_iter().map(|sort| self.bind(rng, sort)).collect();
        let mut arguments = vec![self.under(rng, variables, &bound, Sort::bool(), depth)];
        if rng.one_in(3) {
            let sort = *rng.pick(&self.sorts.clone());
            arguments.push(match Value::zero(sort) {
                Some(_) => self.under(rng, variables, &bound, sort, depth),
                None => bound[0],
            });
        }
        Term::new(if rng.one_in(2) { Op::Forall(bound) } else { Op::Exists(bound) }, &arguments)
    }

    /// A variable to be bound; its name is new.
    fn bind(&mut self, rng: &mut Rng, sort: Sort) -> Term {
        self.bound += 1;
        let name = if rng.one_in(4) { format!("bound variable {}", self.bound) } else { format!("$b{}", self.bound) };
        Term::var(name.as_str(), sort)
    }

    /// A term in which the bound variables may occur too.
    fn under(&mut self, rng: &mut Rng, variables: &mut Vec<Term>, bound: &[Term], sort: Sort, depth: usize) -> Term {
        let outer = variables.len();
        variables.extend(bound);
        let body = self.term(rng, variables, sort, depth - 1);
        variables.truncate(outer);
        body
    }
}

fn leaf(rng: &mut Rng, variables: &[Term], sort: Sort) -> Term {
    let fitting: Vec<Term> = variables.iter().copied().filter(|v| v.sort() == sort).collect();
    if fitting.is_empty() || rng.one_in(4) && Value::zero(sort).is_some() {
        return Term::constant(value(rng, sort));
    }
    *rng.pick(&fitting)
}

/// A value of the sort: small ones and limits more often than others.
fn value(rng: &mut Rng, sort: Sort) -> Value {
    match *sort.kind() {
        SortKind::Bool => Value::Bool(rng.one_in(2)),
        SortKind::Int => Value::Int(vector(rng, 128).signed().into()),
        SortKind::Real => {
            let mut number = |width| computed(Op::ToReal, &[Value::Int(vector(rng, width).signed().into())]);
            computed(Op::RealDiv, &[number(128), number(5)])
        }
        SortKind::BitVec(width) => Value::Bv(vector(rng, width)),
        SortKind::Float(format) => float(rng, format),
        SortKind::Pointer(width) => Value::Pointer { object: rng.below(4) as u32, offset: vector(rng, width) },
        SortKind::Array(index, element) => {
            let mut array = ArrayValue::constant(index, value(rng, element));
            for _ in 0..rng.below(4) {
                array.set(value(rng, index), value(rng, element));
            }
            Value::Array(Arc::new(array))
        }
        SortKind::Uninterpreted(..) => Value::Element(sort, rng.below(3) as u64),
        SortKind::Memory(_) => panic!("memory has no values"),
    }
}

fn vector(rng: &mut Rng, width: u32) -> Bv {
    let bits = match rng.below(4) {
        0 => rng.below(5) as u128,
        1 => (rng.below(5) as u128).wrapping_neg(),
        2 => 1 << rng.below(width as usize),
        _ => u128::from(rng.next()) << 64 | u128::from(rng.next()),
    };
    Bv::new(width, bits)
}

/// A float as arithmetic makes them, so that infinities, NaN and subnormals occur, all in their one pattern.
fn float(rng: &mut Rng, format: FloatFormat) -> Value {
    let from = Op::BvToFp { format, signed: true, rounding: Rounding::NearestEven };
    let mut number = || computed(from.clone(), &[Value::Bv(vector(rng, 64))]);
    computed(Op::FpDiv, &[number(), number()])
}

fn computed(op: Op, arguments: &[Value]) -> Value {
    eval::apply(&op, arguments).expect("arithmetic on values has a value")
}
