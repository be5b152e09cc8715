//! The way back from integers to machine integers.
//!
//! A formula over the integers view, linear up to quotients and remainders by constants, is one over machine integers that are wide
//! enough for all that is calculated in it. What cannot be told so stays as it is, over `BvToInt` of the variables.

use super::number::{Bounds, Reading, power};
use super::translate::{View, integer};
use crate::{Lift, ToCheck};
use dashu::integer::IBig;
use engine::{Invariant, Proof, Step, Trace};
use ir::{EdgeId, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::build::{
    and, bv, bv_add, bv_mul, bv_neg, bv_sdiv, bv_signed, bv_sle, bv_slt, bv_srem, bv_sub, bv_to_int, eq, extract,
    int_to_bv, ite, make, select, sign_extend, truth, zero_extend,
};
use term::visit::post_order;
use term::{ArrayValue, Op, Sort, SortKind, Term, Value};

/// Integers are told by machine integers of at most so many bits.
const MOST_BITS: u32 = 120;

/// The lift of the integers view.
pub struct Back {
    before: Program,
    /// See [`variables_of`].
    variables: FxHashMap<Term, (Term, Reading)>,
    declared: FxHashSet<Term>,
    /// The variables that take arbitrary values on an edge.
    chosen: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
    presumed: Vec<Invariant>,
}

impl Back {
    pub fn new(
        before: Program,
        view: View,
        chosen: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
        presumed: Vec<Invariant>,
    ) -> Back {
        let variables = variables_of(&view);
        Back { before, variables, declared: view.declared, chosen, presumed }
    }

    fn initial(&self, (variable, value): (Term, Value)) -> (Term, Value) {
        match self.variables.get(&variable) {
            Some((old, _)) => (*old, machine(old.sort(), &value)),
            None => (variable, value),
        }
    }

    /// A formula over the program before, if it is one of numbers.
    fn formula(&self, formula: Term) -> Option<Term> {
        let told =
            |variable: &Term| self.variables.contains_key(variable) || self.declared.contains(&variable.at_instance(0));
        if !term::free::variables([formula]).iter().all(told) {
            return None;
        }
        Narrow::new(&self.variables).formula(formula)
    }
}

/// By the variable of the view, the old one and its reading; and the same for their copies of instance 1, by which a proof means the values at a
/// procedure's entry.
pub fn variables_of(view: &View) -> FxHashMap<Term, (Term, Reading)> {
    let known = |old: Term| (integer(old), (old, view.readings.of(old)));
    let both = |old: &Term| {
        let (new, (_, reading)) = known(*old);
        [known(*old), (new.at_instance(1), (old.at_instance(1), reading))]
    };
    view.integers.iter().flat_map(both).collect()
}

/// The machine integer that is equal to a number modulo two to the width; arrays element by element.
pub fn machine(sort: Sort, value: &Value) -> Value {
    match (sort.kind(), value) {
        (SortKind::BitVec(width), Value::Int(number)) => {
            let modulus = power(*width);
            let rest: IBig = number % &modulus;
            let rest = if rest < IBig::ZERO { rest + modulus } else { rest };
            Value::bv(*width, u128::try_from(rest).expect("a remainder has as many bits"))
        }
        (SortKind::Array(index, element), Value::Array(array)) => {
            let mut machines = ArrayValue::constant(*index, machine(*element, &array.default));
            let fits = |value: &Value| machine_index(*index, value);
            for (place, value) in &array.entries {
                if let Some(place) = fits(place) {
                    machines.set(place, machine(*element, value));
                }
            }
            Value::Array(Arc::new(machines))
        }
        _ => value.clone(),
    }
}

/// The index that a number is, if there is such an index.
fn machine_index(sort: Sort, value: &Value) -> Option<Value> {
    match (sort.kind(), value) {
        (SortKind::BitVec(width), Value::Int(number)) => {
            (IBig::ZERO <= *number && *number < power(*width)).then(|| machine(sort, value))
        }
        _ => Some(value.clone()),
    }
}

impl Lift for Back {
    fn trace(&self, trace: Trace) -> Trace {
        let initial = trace.initial.into_iter().map(|known| self.initial(known)).collect();
        let kept = trace.steps.into_iter().filter(|step| self.edge(step.procedure, step.edge).is_some());
        let steps = kept.map(|step| {
            let chosen = self.chosen.get(&(step.procedure, step.edge)).map_or(&[][..], Vec::as_slice);
            let value = |(position, value): (usize, &Value)| {
                chosen.get(position).map_or_else(|| value.clone(), |old| machine(old.sort(), value))
            };
            let values = step.values.iter().enumerate().map(value).collect();
            let locals = step.locals.into_iter().map(|known| self.initial(known)).collect();
            Step { values, locals, ..step }
        });
        Trace { initial, steps: steps.collect(), ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        let invariants = match proof {
            Proof::Invariants(invariants) => invariants,
            Proof::Unconnected => return Some(proof),
            _ => return None,
        };
        let stays = |known: &Invariant| {
            let body = self.before.procedure(known.procedure).body.as_ref();
            body.is_ok_and(|cfa| (known.location.0 as usize) < cfa.location_count())
        };
        // The view knew the ranges, so what was found in it may be inductive only together with them.
        let back = |known: Invariant| {
            let is_here = |range: &&Invariant| (range.procedure, range.location) == (known.procedure, known.location);
            let ranges = self.presumed.iter().find(is_here).map_or(truth(), |range| range.formula);
            Some(Invariant { formula: and([self.formula(known.formula)?, ranges]), ..known })
        };
        Some(Proof::Invariants(invariants.into_iter().filter(stays).map(back).collect::<Option<_>>()?))
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        let body = self.before.procedure(procedure).body.as_ref().ok()?;
        ((edge.0 as usize) < body.edge_count()).then_some((procedure, edge))
    }

    fn presumed(&self) -> Vec<(&Program, &[Invariant])> {
        vec![(&self.before, &self.presumed)]
    }

    fn to_check<'a>(&'a self, program: &'a Program, proof: Proof) -> ToCheck<'a> {
        match self.proof(proof.clone()) {
            Some(proof) => ToCheck { program: &self.before, proof, presumed: Vec::new() },
            None => ToCheck { program, proof, presumed: self.presumed() },
        }
    }
}

/// An integer term as a machine integer with sign that never wraps, and what it may be.
#[derive(Clone, Copy)]
struct Narrowed {
    term: Term,
    bounds: Bounds,
}

/// How many bits numbers with sign need.
fn bits(bounds: Bounds) -> u32 {
    let needed = |value: i128| 129 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    needed(bounds.0).max(needed(bounds.1))
}

impl Narrowed {
    /// As one of more bits.
    fn to(self, width: u32) -> Term {
        sign_extend(width, self.term)
    }

    /// The result of an operator on arguments of one width that has room for them and for it.
    fn made(bounds: Bounds, args: &[Narrowed], of: impl FnOnce(u32, &[Term]) -> Term) -> Option<Narrowed> {
        let width = args.iter().map(|arg| arg.width()).chain([bits(bounds)]).max()?;
        let terms: Vec<Term> = args.iter().map(|arg| arg.to(width)).collect();
        (width <= MOST_BITS).then(|| Narrowed { term: of(width, &terms), bounds })
    }

    fn low_bits(self, width: u32) -> Term {
        extract(width - 1, 0, self.to(self.width().max(width)))
    }

    fn width(self) -> u32 {
        self.term.sort().bv_width().expect("a machine integer")
    }
}

/// Formulas over the variables of the view as formulas over those before.
pub struct Narrow<'a> {
    variables: &'a FxHashMap<Term, (Term, Reading)>,
    known: FxHashMap<Term, Option<Narrowed>>,
}

impl Narrow<'_> {
    pub fn new(variables: &FxHashMap<Term, (Term, Reading)>) -> Narrow<'_> {
        Narrow { variables, known: FxHashMap::default() }
    }

    /// The formula, unless it speaks of arrays as a whole.
    pub fn formula(&mut self, formula: Term) -> Option<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in post_order([formula]) {
            // Elements are looked up in arrays, which have no formulas themselves.
            if self.variables.get(&term).is_some_and(|(old, _)| old.sort().bv_width().is_none()) {
                continue;
            }
            let args = |done: &FxHashMap<Term, Term>| -> Option<Vec<Term>> {
                term.args().iter().map(|arg| done.get(arg).copied()).collect()
            };
            let back = match (self.variables.get(&term), self.element(term, &done)) {
                (Some((old, reading)), _) => bv_to_int(*reading == Reading::Signed, *old),
                (None, Some(element)) => element,
                (None, None) => {
                    let args = args(&done)?;
                    if args == term.args() { term } else { make(term.op(), &args) }
                }
            };
            let number = (term.sort() == Sort::int()).then(|| self.narrowed(term, back, &done)).flatten();
            self.known.insert(term, number);
            done.insert(term, self.comparison(term).or_else(|| self.low_bits(term)).unwrap_or(back));
        }
        Some(done[&formula])
    }

    /// An element of an array of machine integers.
    fn element(&self, term: Term, done: &FxHashMap<Term, Term>) -> Option<Term> {
        let (Op::Select, [array, index]) = (term.op(), term.args()) else { return None };
        let (old, reading) = self.variables.get(array)?;
        let SortKind::Array(index_sort, element_sort) = old.sort().kind() else { return None };
        element_sort.bv_width()?;
        let index = match (index_sort.bv_width(), self.known.get(index).copied().flatten()) {
            (Some(width), Some(number)) => number.low_bits(width),
            (Some(width), None) => int_to_bv(width, done[index]),
            (None, _) => done[index],
        };
        Some(bv_to_int(*reading == Reading::Signed, select(*old, index)))
    }

    /// A comparison of integers that have become narrow.
    fn comparison(&self, term: Term) -> Option<Term> {
        let [a, b] = term.args() else { return None };
        let (a, b) = (self.known.get(a).copied().flatten()?, self.known.get(b).copied().flatten()?);
        let width = a.width().max(b.width());
        let compare = match term.op() {
            Op::Eq => eq,
            Op::Le => bv_sle,
            Op::Lt => bv_slt,
            _ => return None,
        };
        Some(compare(a.to(width), b.to(width)))
    }

    /// The low bits of an integer that has become narrow.
    fn low_bits(&self, term: Term) -> Option<Term> {
        let (Op::IntToBv(width), [a]) = (term.op(), term.args()) else { return None };
        Some(self.known.get(a).copied().flatten()?.low_bits(*width))
    }

    /// What an integer term is as a machine integer, where its arguments are known; `back` is the term over what was before, and `done`
    /// has those of its arguments.
    fn narrowed(&self, term: Term, back: Term, done: &FxHashMap<Term, Term>) -> Option<Narrowed> {
        let known = |arg: &Term| self.known.get(arg).copied().flatten();
        if let (Op::BvToInt { signed }, [bits]) = (back.op(), back.args()) {
            let width = bits.sort().bv_width().filter(|width| *width < MOST_BITS)?;
            let reading = if *signed { Reading::Signed } else { Reading::Unsigned };
            let term = if *signed { *bits } else { zero_extend(width + 1, *bits) };
            return Some(Narrowed { term, bounds: reading.bounds(width)? });
        }
        match (term.op(), term.args()) {
            (Op::Const(Value::Int(value)), _) => {
                let value = i128::try_from(value.clone()).ok()?;
                let width = bits((value, value));
                (width <= MOST_BITS).then(|| Narrowed { term: bv_signed(width, value), bounds: (value, value) })
            }
            (Op::Add, [a, b]) => {
                let (a, b) = (known(a)?, known(b)?);
                let bounds = (a.bounds.0.checked_add(b.bounds.0)?, a.bounds.1.checked_add(b.bounds.1)?);
                Narrowed::made(bounds, &[a, b], |_, args| bv_add(args[0], args[1]))
            }
            (Op::Sub, [a, b]) => {
                let (a, b) = (known(a)?, known(b)?);
                let bounds = (a.bounds.0.checked_sub(b.bounds.1)?, a.bounds.1.checked_sub(b.bounds.0)?);
                Narrowed::made(bounds, &[a, b], |_, args| bv_sub(args[0], args[1]))
            }
            (Op::Neg, [a]) => {
                let a = known(a)?;
                let bounds = (a.bounds.1.checked_neg()?, a.bounds.0.checked_neg()?);
                Narrowed::made(bounds, &[a], |_, args| bv_neg(args[0]))
            }
            (Op::Mul, [a, b]) => {
                let (a, b) = (known(a)?, known(b)?);
                let corner = |x: i128, y: i128| x.checked_mul(y);
                let corners = [
                    corner(a.bounds.0, b.bounds.0)?,
                    corner(a.bounds.0, b.bounds.1)?,
                    corner(a.bounds.1, b.bounds.0)?,
                    corner(a.bounds.1, b.bounds.1)?,
                ];
                let bounds = (*corners.iter().min()?, *corners.iter().max()?);
                Narrowed::made(bounds, &[a, b], |_, args| bv_mul(args[0], args[1]))
            }
            (op @ (Op::IntDiv | Op::IntMod), [a, by]) => {
                let (a, by) = (known(a)?, known(by)?);
                let divisor = Some(by.bounds.0).filter(|low| *low > 0 && *low == by.bounds.1)?;
                let is_quotient = *op == Op::IntDiv;
                let quotients = (a.bounds.0.div_euclid(divisor), a.bounds.1.div_euclid(divisor));
                let bounds = if is_quotient { quotients } else { (0, divisor - 1) };
                // The quotient is that of a number less than the dividend by the remainder.
                let lowest = a.bounds.0.checked_sub(divisor)?;
                let room = (bounds.0.min(lowest), bounds.1.max(a.bounds.1));
                let divided = Narrowed::made(room, &[a, by], |width, args| {
                    let rest = bv_srem(args[0], args[1]);
                    let rest = ite(bv_slt(rest, bv(width, 0)), bv_add(rest, args[1]), rest);
                    if is_quotient { bv_sdiv(bv_sub(args[0], rest), args[1]) } else { rest }
                })?;
                Some(Narrowed { bounds, ..divided })
            }
            (Op::Ite, [condition, a, b]) => {
                let (a, b) = (known(a)?, known(b)?);
                let bounds = (a.bounds.0.min(b.bounds.0), a.bounds.1.max(b.bounds.1));
                let condition = done[condition];
                Narrowed::made(bounds, &[a, b], |_, args| ite(condition, args[0], args[1]))
            }
            _ => None,
        }
    }
}
