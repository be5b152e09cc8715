//! Questions that bounds answer: interval arithmetic over the terms of a question, without a solver.
//!
//! Interval constraint propagation: each formula that is asserted narrows what its terms can be, and one that cannot
//! hold any more refutes the question. A term that arithmetic says nothing of (a variable, what is read of an array
//! or of memory) is bounded by what is said of it alone. What is not refuted here is asked of a solver.
//!
//! Invariant: where formulas have a model, the value of each term in it lies in the bounds of the term.

mod floats;
mod numbers;

use floats::Reals;
use numbers::Number;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;
use term::build::falsehood;
use term::free::variables;
use term::visit::{bound, post_order};
use term::{Op, Rounding, SortKind, Term, Value};

/// A question with more terms is for a solver.
const MOST_TERMS: usize = 1500;
/// So often what formulas say goes into one another.
const ROUNDS: usize = 3;
/// So many steps are taken: terms share what they are made of, and are walked as trees here.
const STEPS: u32 = 50_000;

/// The bounds are empty: nothing fulfils what was asserted.
#[derive(Debug)]
struct Empty;

/// Whether bounds show that formulas have no model together.
pub fn refutes(formulas: &[Term]) -> bool {
    if formulas.contains(&falsehood()) {
        return true;
    }
    let terms = post_order(formulas.iter().copied());
    if terms.len() > MOST_TERMS {
        return false;
    }
    let mut quantified = terms.iter().flat_map(|term| bound(*term)).peekable();
    if quantified.peek().is_some() {
        // A variable of the same name outside would have bounds of its own.
        let free = variables(formulas.iter().copied());
        if quantified.any(|variable| free.contains(variable)) {
            return false;
        }
    }
    let mut state = State { steps: Rc::new(Cell::new(STEPS)), ..State::default() };
    (0..ROUNDS).any(|_| formulas.iter().any(|formula| state.assert(*formula, true).is_err()))
}

/// What all elements of arrays are; of an array of arrays, the elements of the inner ones.
#[derive(Clone, Default)]
struct Elements {
    numbers: FxHashMap<Term, Number>,
    reals: FxHashMap<Term, Reals>,
    truths: FxHashMap<Term, bool>,
}

/// What is said of terms.
#[derive(Clone, Default)]
struct State {
    numbers: FxHashMap<Term, Number>,
    reals: FxHashMap<Term, Reals>,
    truths: FxHashMap<Term, bool>,
    /// Variables that stand for all places of an array, in the formula that is asserted just now.
    everywhere: Vec<Term>,
    /// What all elements of an array are, by the array.
    elements: Elements,
    /// How many steps are left. Without one, nothing more is known.
    steps: Rc<Cell<u32>>,
}

impl State {
    /// One step, if there is one left.
    fn step(&self) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        Some(())
    }

    /// The bounds where a formula has a truth value.
    fn assert(&mut self, formula: Term, holds: bool) -> Result<(), Empty> {
        if self.step().is_none() {
            return Ok(());
        }
        match self.truth(formula) {
            Some(known) if known != holds => return Err(Empty),
            _ => {}
        }
        match (formula.op(), formula.args()) {
            (Op::Const(_), _) => {}
            (Op::Not, [inner]) => self.assert(*inner, !holds)?,
            (Op::And, parts) if holds => parts.iter().try_for_each(|part| self.assert(*part, true))?,
            (Op::Or, parts) if !holds => parts.iter().try_for_each(|part| self.assert(*part, false))?,
            // At each place another part may hold.
            (Op::And | Op::Or, _) if !self.everywhere.is_empty() => {}
            (Op::And | Op::Or, parts) => {
                // One of the parts has this truth value; those that cannot have it are out.
                let possible = |part: &&Term| self.clone().assert(**part, holds).is_ok();
                let parts: Vec<Term> = parts.iter().filter(possible).take(2).copied().collect();
                match parts[..] {
                    [] => return Err(Empty),
                    [only] => self.assert(only, holds)?,
                    _ => {}
                }
            }
            (Op::Implies, [a, b]) if !holds => {
                self.assert(*a, true)?;
                self.assert(*b, false)?;
            }
            (Op::Eq, [a, b]) => self.equal(*a, *b, holds)?,
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let signed = matches!(formula.op(), Op::BvSlt | Op::BvSle);
                let strict = matches!(formula.op(), Op::BvUlt | Op::BvSlt) == holds;
                let (less, more) = if holds { (*a, *b) } else { (*b, *a) };
                let (Some(low), Some(high)) = (self.number(less), self.number(more)) else { return Ok(()) };
                let (low, high) = Number::ordered(low, high, signed, strict).ok_or(Empty)?;
                self.narrow_number(less, low)?;
                self.narrow_number(more, high)?;
            }
            (Op::FpLt | Op::FpLe | Op::FpEq, [a, b]) => self.compare(formula.op(), *a, *b, holds)?,
            (Op::FpIsNan, [a]) if !holds => self.narrow_real(*a, Reals::ALL)?,
            (Op::Forall(_), [body, ..]) if holds => {
                let bound = bound(formula);
                self.everywhere.extend(bound);
                let asserted = self.assert(*body, true);
                self.everywhere.truncate(self.everywhere.len() - bound.len());
                return asserted;
            }
            _ => {}
        }
        if let Some(array) = self.whole(formula) {
            self.elements.truths.insert(array, holds);
            return Ok(());
        }
        if !self.everywhere.is_empty() {
            return Ok(());
        }
        match self.truths.insert(formula, holds) {
            Some(before) if before != holds => Err(Empty),
            _ => Ok(()),
        }
    }

    /// The array that a term is any element of, where its place may be all places.
    fn whole(&self, term: Term) -> Option<Term> {
        let (Op::Select, [array, place]) = (term.op(), term.args()) else { return None };
        if !self.everywhere.contains(place) {
            return None;
        }
        if array.op() == &Op::Select { self.whole(*array) } else { Some(*array) }
    }

    fn equal(&mut self, a: Term, b: Term, holds: bool) -> Result<(), Empty> {
        match a.sort().kind() {
            SortKind::Bool => match (self.truth(a), self.truth(b)) {
                (Some(value), _) => self.assert(b, value == holds),
                (_, Some(value)) => self.assert(a, value == holds),
                _ => Ok(()),
            },
            SortKind::Float(_) if holds => {
                if let Some(range) = self.real(a) {
                    self.narrow_real(b, range)?;
                }
                self.real(b).map_or(Ok(()), |range| self.narrow_real(a, range))
            }
            _ => {
                let (Some(first), Some(second)) = (self.number(a), self.number(b)) else { return Ok(()) };
                let (first, second) = match holds {
                    true => (first.meet(second).ok_or(Empty)?, first.meet(second).ok_or(Empty)?),
                    false => (first.without(second).ok_or(Empty)?, second.without(first).ok_or(Empty)?),
                };
                self.narrow_number(a, first)?;
                self.narrow_number(b, second)
            }
        }
    }

    fn compare(&mut self, op: &Op, a: Term, b: Term, holds: bool) -> Result<(), Empty> {
        let SortKind::Float(format) = *a.sort().kind() else { return Ok(()) };
        let (first, second) = (self.real(a), self.real(b));
        // What does not hold says something only of what is not NaN.
        let (Some(first), Some(second)) =
            (if holds { (first.or(Some(Reals::ALL)), second.or(Some(Reals::ALL))) } else { (first, second) })
        else {
            return Ok(());
        };
        let (low, high, is_swapped) = match (op, holds) {
            (Op::FpEq, true) => {
                let both = first.meet(second).ok_or(Empty)?;
                self.narrow_real(a, both)?;
                return self.narrow_real(b, both);
            }
            (Op::FpEq, false) => return Ok(()),
            (_, true) => (first, second, false),
            (_, false) => (second, first, true),
        };
        let strict = (*op == Op::FpLt) == holds;
        let (low, high) = Reals::ordered(format, low, high, strict).ok_or(Empty)?;
        let (less, more) = if is_swapped { (b, a) } else { (a, b) };
        self.narrow_real(less, low)?;
        self.narrow_real(more, high)
    }

    fn narrow_number(&mut self, term: Term, number: Number) -> Result<(), Empty> {
        if term.value().is_some() || number.is_all() {
            return Ok(());
        }
        if let (Op::ZeroExtend(_) | Op::SignExtend(_), [inner]) = (term.op(), term.args())
            && let Some(width) = inner.sort().bv_width()
        {
            let signed = matches!(term.op(), Op::SignExtend(_));
            self.narrow_number(*inner, number.taken_back(width, signed).ok_or(Empty)?)?;
        }
        if let Some(array) = self.whole(term) {
            let known = self.elements.numbers.get(&array).copied().unwrap_or(number);
            self.elements.numbers.insert(array, known.meet(number).ok_or(Empty)?);
            return Ok(());
        }
        if !self.everywhere.is_empty() {
            return Ok(());
        }
        let known = self.numbers.get(&term).copied().unwrap_or(number);
        self.numbers.insert(term, known.meet(number).ok_or(Empty)?);
        Ok(())
    }

    fn narrow_real(&mut self, term: Term, range: Reals) -> Result<(), Empty> {
        if let Some(array) = self.whole(term) {
            let known = self.elements.reals.get(&array).copied().unwrap_or(range);
            self.elements.reals.insert(array, known.meet(range).ok_or(Empty)?);
            return Ok(());
        }
        if !self.everywhere.is_empty() {
            return Ok(());
        }
        let known = self.reals.get(&term).copied().unwrap_or(range);
        self.reals.insert(term, known.meet(range).ok_or(Empty)?);
        Ok(())
    }

    fn truth(&self, formula: Term) -> Option<bool> {
        self.step()?;
        if let Some(known) = formula.as_bool().or_else(|| self.truths.get(&formula).copied()) {
            return Some(known);
        }
        let fold = |parts: &[Term], decisive: bool| {
            let mut result = Some(!decisive);
            for part in parts {
                match self.truth(*part) {
                    Some(truth) if truth == decisive => return Some(decisive),
                    Some(_) => {}
                    None => result = None,
                }
            }
            result
        };
        match (formula.op(), formula.args()) {
            (Op::Not, [inner]) => self.truth(*inner).map(|truth| !truth),
            (Op::And, parts) => fold(parts, false),
            (Op::Or, parts) => fold(parts, true),
            (Op::Ite, [condition, one, other]) => match self.truth(*condition) {
                Some(true) => self.truth(*one),
                Some(false) => self.truth(*other),
                None => self.truth(*one).filter(|truth| self.truth(*other) == Some(*truth)),
            },
            // Elements have one range at all places.
            (Op::Forall(_), [body, ..]) => self.truth(*body).filter(|holds| *holds),
            (Op::Select, [array, _]) => self.of_elements(
                *array,
                &|own, array| match array.sort().kind() {
                    SortKind::Array(..) => own.elements.truths.get(&array).copied(),
                    _ => own.truth(array),
                },
                &|a, b| (a == b).then_some(a),
            ),
            (Op::Eq, [a, b]) if a == b => Some(true),
            (Op::Eq, [a, b]) => self.number(*a)?.equals(self.number(*b)?),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let signed = matches!(formula.op(), Op::BvSlt | Op::BvSle);
                let strict = matches!(formula.op(), Op::BvUlt | Op::BvSlt);
                self.number(*a)?.is_less(self.number(*b)?, signed, strict)
            }
            (Op::FpLt, [a, b]) => self.real(*a)?.is_less(self.real(*b)?, true),
            (Op::FpLe, [a, b]) => self.real(*a)?.is_less(self.real(*b)?, false),
            (Op::FpEq, [a, b]) => self.real(*a)?.equals(self.real(*b)?),
            (Op::FpIsNan, [a]) => self.real(*a).map(|_| false),
            (Op::FpIsInfinite, [a]) => self.real(*a).filter(Reals::is_finite).map(|_| false),
            _ => None,
        }
    }

    /// The bounds of a machine integer, and of a part of a pointer.
    fn number(&self, term: Term) -> Option<Number> {
        self.step()?;
        let width = term.sort().bv_width()?;
        let computed = self.computed(term, width).unwrap_or(Number::all(width));
        // Empty bounds are found out where they were narrowed.
        self.numbers.get(&term).map_or(Some(computed), |known| known.meet(computed).or(Some(*known)))
    }

    fn computed(&self, term: Term, width: u32) -> Option<Number> {
        if let Some(value) = term.as_bv() {
            return Some(Number::constant(width, value));
        }
        match (term.op(), term.args()) {
            (Op::Ite, [condition, one, other]) => match self.truth(*condition) {
                Some(true) => self.number(*one),
                Some(false) => self.number(*other),
                None => {
                    let way = |holds: bool, value: Term| {
                        let mut state = self.clone();
                        state.assert(*condition, holds).is_ok().then(|| state.number(value)).flatten()
                    };
                    match (way(true, *one), way(false, *other)) {
                        (Some(one), Some(other)) => Some(one.join(other)),
                        (one, other) => one.or(other),
                    }
                }
            },
            (Op::Select, [array, _]) => self.of_elements(
                *array,
                &|own, array| match array.sort().kind() {
                    SortKind::Array(..) => own.elements.numbers.get(&array).copied(),
                    _ => own.number(array),
                },
                &|a, b| Some(a.join(b)),
            ),
            (Op::ZeroExtend(_), [a]) => self.number(*a)?.extended(width, false),
            (Op::SignExtend(_), [a]) => self.number(*a)?.extended(width, true),
            (Op::Extract { low: 0, .. }, [a]) => self.number(*a)?.truncated(width),
            (Op::FpToBv { signed, rounding: Rounding::TowardZero, .. }, [a]) => {
                self.real(*a)?.to_integers(width, *signed)
            }
            (op, [a]) => self.number(*a)?.unary(op),
            (op, [a, b]) => Number::binary(op, self.number(*a)?, self.number(*b)?),
            _ => None,
        }
    }

    /// What holds of any element of an array, from what holds of variables and of the values that are stored, which
    /// `of` tells.
    fn of_elements<T: Copy>(
        &self,
        array: Term,
        of: &dyn Fn(&State, Term) -> Option<T>,
        join: &dyn Fn(T, T) -> Option<T>,
    ) -> Option<T> {
        self.step()?;
        if !matches!(array.sort().kind(), SortKind::Array(..)) {
            return of(self, array);
        }
        match (array.op(), array.args()) {
            (Op::Var { .. }, _) => of(self, array),
            (Op::ConstArray(_), [value]) => self.of_elements(*value, of, join),
            (Op::Select, [array, _]) => self.of_elements(*array, of, join),
            (Op::Store, [array, _, value]) => {
                join(self.of_elements(*array, of, join)?, self.of_elements(*value, of, join)?)
            }
            (Op::Ite, [_, one, other]) => join(self.of_elements(*one, of, join)?, self.of_elements(*other, of, join)?),
            (Op::Const(Value::Array(value)), _) => {
                let all = value.entries.values().chain([&value.default]).map(|value| Term::constant(value.clone()));
                let all = all.map(|value| self.of_elements(value, of, join));
                all.reduce(|one, other| join(one?, other?)).flatten()
            }
            _ => None,
        }
    }

    /// The bounds of a float; `None` where it may be NaN.
    fn real(&self, term: Term) -> Option<Reals> {
        self.step()?;
        let computed = self.computed_real(term);
        match (self.reals.get(&term), computed) {
            (Some(known), Some(computed)) => known.meet(computed).or(Some(*known)),
            (known, computed) => known.copied().or(computed),
        }
    }

    fn computed_real(&self, term: Term) -> Option<Reals> {
        let SortKind::Float(format) = *term.sort().kind() else { return None };
        if let Some(value) = term.value() {
            return Reals::constant(value);
        }
        match (term.op(), term.args()) {
            (Op::Ite, [condition, one, other]) => {
                let way = |holds: bool, value: Term| {
                    let mut state = self.clone();
                    match state.assert(*condition, holds) {
                        Ok(()) => Some(state.real(value)),
                        Err(Empty) => None,
                    }
                };
                match (way(true, *one), way(false, *other)) {
                    (Some(one), Some(other)) => Some(one?.join(other?)),
                    (one, other) => one.or(other).flatten(),
                }
            }
            (Op::Select, [array, _]) => self.of_elements(
                *array,
                &|own, array| match array.sort().kind() {
                    SortKind::Array(..) => own.elements.reals.get(&array).copied(),
                    _ => own.real(array),
                },
                &|a, b| Some(a.join(b)),
            ),
            (Op::FpToFp(_, Rounding::NearestEven), [a]) => {
                let SortKind::Float(from) = *a.sort().kind() else { return None };
                self.real(*a)?.converted(from, format)
            }
            (Op::BvToFp { signed, rounding: Rounding::NearestEven, .. }, [a]) => {
                Reals::of_integers(format, self.number(*a)?, *signed)
            }
            (op, [a]) => self.real(*a)?.unary(op, format),
            (op, [a, b]) => Reals::binary(op, format, self.real(*a)?, self.real(*b)?),
            _ => None,
        }
    }
}

/// Whether a formula follows from others, as far as bounds tell.
#[cfg(test)]
fn follows(known: &[Term], formula: Term) -> bool {
    let mut all = known.to_vec();
    all.push(term::build::not(formula));
    formula == term::build::truth() || refutes(&all)
}

#[cfg(test)]
mod tests;
