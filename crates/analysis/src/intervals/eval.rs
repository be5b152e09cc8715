//! What is known of terms where ranges of variables are known, and what conditions tell about variables.

use super::float;
use super::range::{Bounds, Range, all_signed};
use rustc_hash::FxHashMap;
use term::build::make;
use term::{ArrayValue, FloatFormat, Op, Rounding, SortKind, Term, Value, build};

/// The ranges of variables, and of the objects and offsets of pointers; what is not named may have any value. Booleans are integers
/// of one bit; floats are their places in the order of floats.
pub type State = FxHashMap<Term, Range>;

/// Conditional terms that are nested deeper are looked at without their conditions.
const DEEPEST: u32 = 3;

/// The number of bits of an integer, Boolean or float that can be looked at.
pub fn width(term: Term) -> Option<u32> {
    match term.sort().kind() {
        SortKind::Bool => Some(1),
        SortKind::BitVec(width @ 1..=64) => Some(*width),
        SortKind::Float(_) => Some(float::format(term)?.width()),
        _ => None,
    }
}

/// Whether a term is an array, of whose elements ranges are known.
pub fn is_array(term: Term) -> bool {
    matches!(term.sort().kind(), SortKind::Array(..))
}

/// The range of the elements of an array value.
fn constant_elements(array: &ArrayValue) -> Option<Range> {
    let mut all = array.entries.values().chain([&array.default]).map(|value| match value {
        Value::Array(inner) => constant_elements(inner),
        Value::Bool(truth) => Some(Range::constant(1, u128::from(*truth))),
        Value::Bv(number) if number.width() <= 64 => Some(Range::constant(number.width(), number.unsigned())),
        Value::Float(format, _) => {
            let place = float::constant_place(value)?;
            Range::of_signed(format.width(), (place, place))
        }
        _ => None,
    });
    let first = all.next()??;
    all.try_fold(first, |joint, range| Some(joint.join(&range?)))
}

/// Whether an integer has too many bits to be looked at by itself.
fn wide_only(term: Term) -> bool {
    matches!(term.sort().kind(), SortKind::BitVec(65..))
}

/// Whether a range may be known of a term: of a variable, or of a part of a pointer that is one.
pub fn is_tracked(term: Term) -> bool {
    match (term.op(), term.args()) {
        (Op::PointerObject | Op::PointerOffset, [pointer]) => pointer.is_var(),
        _ => term.is_var(),
    }
}

/// The variable that a tracked term is part of.
pub fn tracked_variable(term: Term) -> Term {
    if term.is_var() { term } else { term.args()[0] }
}

/// Evaluates terms in one state.
pub struct Evaluator<'a> {
    state: &'a State,
    known: FxHashMap<Term, Range>,
    /// How many conditions of conditional terms were taken to hold or not.
    depth: u32,
}

impl Evaluator<'_> {
    pub fn new(state: &State) -> Evaluator<'_> {
        Evaluator { state, known: FxHashMap::default(), depth: 0 }
    }

    /// The values that a term may have; `None` for what is neither integer nor float.
    pub fn range(&mut self, term: Term) -> Option<Range> {
        let width = width(term)?;
        if let Some(range) = self.known.get(&term) {
            return Some(*range);
        }
        let range = self.compute(term, width).unwrap_or(Range::all(width));
        self.known.insert(term, range);
        Some(range)
    }

    /// The values that elements of an array may have; of an array of arrays, those of the inner ones.
    pub fn elements(&mut self, array: Term) -> Option<Range> {
        if let Some(known) = self.known.get(&array) {
            return Some(*known);
        }
        let range = match (array.op(), array.args()) {
            (Op::Var { .. }, _) => self.state.get(&array).copied()?,
            (Op::Const(Value::Array(value)), _) => constant_elements(value)?,
            (Op::ConstArray(_), [value]) => self.inside(*value)?,
            (Op::Store, [array, _, value]) => self.elements(*array)?.join(&self.inside(*value)?),
            (Op::Select, [array, _]) => self.elements(*array)?,
            (Op::Ite, [_, one, other]) => self.elements(*one)?.join(&self.elements(*other)?),
            _ => return None,
        };
        self.known.insert(array, range);
        Some(range)
    }

    /// The range of a value, or of the elements of an array.
    fn inside(&mut self, value: Term) -> Option<Range> {
        if is_array(value) { self.elements(value) } else { self.range(value) }
    }

    /// One value where a condition holds, another where it does not: each in the state where that is so.
    fn either(&mut self, condition: Term, one: Term, other: Term) -> Option<Range> {
        if self.depth == DEEPEST {
            return Some(self.range(one)?.join(&self.range(other)?));
        }
        let way = |truth: bool, value: Term| {
            let state = assume(self.state, condition, truth)?;
            let mut inside = Evaluator { state: &state, known: FxHashMap::default(), depth: self.depth + 1 };
            Some(inside.range(value))
        };
        match (way(true, one), way(false, other)) {
            (Some(one), Some(other)) => Some(one?.join(&other?)),
            (one, other) => one.or(other).flatten(),
        }
    }

    fn truth(&mut self, term: Term) -> Option<bool> {
        self.range(term)?.single().map(|value| value == 1)
    }

    fn compute(&mut self, term: Term, width: u32) -> Option<Range> {
        let flag = |truth: bool| Range::constant(1, u128::from(truth));
        if let Some(value) = term.value() {
            return match value.as_bool() {
                Some(truth) => Some(flag(truth)),
                None => match value.as_bv() {
                    Some(number) => Some(Range::constant(width, number.unsigned())),
                    None => float::constant_place(value).and_then(|place| Range::of_signed(width, (place, place))),
                },
            };
        }
        match (term.op(), term.args()) {
            (Op::PointerObject | Op::PointerOffset, [pointer]) if pointer.op() == &Op::Ite => {
                let [condition, one, other] = *pointer.args() else { return None };
                let part = |pointer: Term| make(term.op(), &[pointer]);
                match self.truth(condition) {
                    Some(true) => self.range(part(one)),
                    Some(false) => self.range(part(other)),
                    None => Some(self.range(part(one))?.join(&self.range(part(other))?)),
                }
            }
            (Op::Var { .. } | Op::PointerObject | Op::PointerOffset, _) => self.state.get(&term).copied(),
            (Op::Select, [array, _]) => self.elements(*array),
            (Op::Not, [a]) => self.truth(*a).map(|truth| flag(!truth)),
            (Op::And, all) => self.fold(all, false).map(flag),
            (Op::Or, all) => self.fold(all, true).map(flag),
            (Op::Ite, [condition, one, other]) => match self.truth(*condition) {
                Some(true) => self.range(*one),
                Some(false) => self.range(*other),
                None => self.either(*condition, *one, *other),
            },
            (Op::Eq, [a, b]) => {
                let (a, b) = (self.range(*a)?, self.range(*b)?);
                let is_float = float::format(term.args()[0]).is_some();
                match (a.meet(&b), a.single(), b.single()) {
                    // Floats with ranges are not NaN; zeros of two signs have one place.
                    (None, ..) => Some(flag(false)),
                    (_, Some(one), Some(other)) if !is_float => Some(flag(one == other)),
                    _ => None,
                }
            }
            (Op::BvSlt | Op::BvSle, [a, b]) if wide_only(*a) => {
                let (a, b) = (self.wide(*a)?, self.wide(*b)?);
                let slack = i128::from(*term.op() == Op::BvSlt);
                match () {
                    () if a.1 <= b.0.saturating_sub(slack) => Some(flag(true)),
                    () if a.0 > b.1.saturating_sub(slack) => Some(flag(false)),
                    () => None,
                }
            }
            (Op::FpLt | Op::FpLe | Op::FpEq, [a, b]) => {
                let format = float::format(*a)?;
                let (a, b) = (self.ordered(*a, format)?, self.ordered(*b, format)?);
                match term.op() {
                    Op::FpLt if a.1 < b.0 => Some(flag(true)),
                    Op::FpLt if a.0 >= b.1 => Some(flag(false)),
                    Op::FpLe if a.1 <= b.0 => Some(flag(true)),
                    Op::FpLe if a.0 > b.1 => Some(flag(false)),
                    Op::FpEq if a.1 < b.0 || b.1 < a.0 => Some(flag(false)),
                    Op::FpEq if a.0 == b.1 && a.1 == b.0 => Some(flag(true)),
                    _ => None,
                }
            }
            (Op::FpIsNan, [a]) => self.ordered(*a, float::format(*a)?).map(|_| flag(false)),
            (Op::FpIsInfinite, [a]) => {
                let (format, (least, greatest)) = (float::format(*a)?, float::places(float::format(*a)?));
                self.ordered(*a, format).filter(|a| least < a.0 && a.1 < greatest).map(|_| flag(false))
            }
            (Op::FpToBv { signed, rounding: Rounding::TowardZero, .. }, [a]) => {
                float::to_integers(float::format(*a)?, self.range(*a)?, width, *signed)
            }
            (Op::BvToFp { signed, rounding: Rounding::NearestEven, .. }, [a]) => {
                let a = self.range(*a)?;
                float::of_integers(float::format(term)?, if *signed { a.signed } else { a.unsigned })
            }
            (Op::FpToFp(_, Rounding::NearestEven), [a]) => {
                float::converted(float::format(*a)?, float::format(term)?, self.range(*a)?)
            }
            (op, [a]) if float::format(term).is_some() => float::unary(op, float::format(term)?, self.range(*a)?),
            (op, [a, b]) if float::format(term).is_some() => {
                float::binary(op, float::format(term)?, self.range(*a)?, self.range(*b)?)
            }
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let (a, b) = (self.range(*a)?, self.range(*b)?);
                let is_signed = matches!(term.op(), Op::BvSlt | Op::BvSle);
                let (a, b) = if is_signed { (a.signed, b.signed) } else { (a.unsigned, b.unsigned) };
                let slack = i128::from(matches!(term.op(), Op::BvUlt | Op::BvSlt));
                match () {
                    () if a.1 + slack <= b.0 => Some(flag(true)),
                    () if a.0 + slack > b.1 => Some(flag(false)),
                    () => None,
                }
            }
            (Op::ZeroExtend(_), [a]) => Range::of_unsigned(width, self.range(*a)?.unsigned),
            (Op::SignExtend(_), [a]) => Range::of_signed(width, self.range(*a)?.signed),
            (Op::Extract { low: 0, .. }, [a]) if wide_only(*a) => {
                Some(Range::wrapped(width, None, Some(self.wide(*a)?)))
            }
            (Op::Extract { low: 0, .. }, [a]) => {
                let a = self.range(*a)?;
                Some(Range::wrapped(width, Some(a.unsigned), Some(a.signed)))
            }
            (_, [a]) => {
                let a = self.range(*a)?;
                match term.op() {
                    Op::BvNeg => Some(Range::wrapped(width, Some(negated(a.unsigned)), Some(negated(a.signed)))),
                    Op::BvNot => {
                        let less = |bounds: Bounds| (negated(bounds).0 - 1, negated(bounds).1 - 1);
                        Some(Range::wrapped(width, Some(less(a.unsigned)), Some(less(a.signed))))
                    }
                    _ => None,
                }
            }
            (_, [a, b]) => {
                let (a, b) = (self.range(*a)?, self.range(*b)?);
                binary(term.op(), width, a, b)
            }
            _ => None,
        }
    }

    /// The places of a float that is not NaN.
    fn ordered(&mut self, term: Term, format: FloatFormat) -> Option<Bounds> {
        let (places, (least, greatest)) = (self.range(term)?.signed, float::places(format));
        (least <= places.0 && places.1 <= greatest).then_some(places)
    }

    /// The bounds, read with sign, of an integer that is too wide for a range: what C computes with its long numbers
    /// is compared in twice their width.
    fn wide(&mut self, term: Term) -> Option<Bounds> {
        let width = term.sort().bv_width()?;
        if let Some(value) = term.as_bv() {
            return Some((value.signed(), value.signed()));
        }
        let bounds = match (term.op(), term.args()) {
            (Op::SignExtend(_), [a]) => self.range(*a).map(|a| a.signed).or_else(|| self.wide(*a))?,
            (Op::ZeroExtend(_), [a]) => self.range(*a)?.unsigned,
            (Op::BvNeg, [a]) => {
                let a = self.wide(*a)?;
                (a.1.checked_neg()?, a.0.checked_neg()?)
            }
            (Op::BvAdd, [a, b]) => {
                let (a, b) = (self.wide(*a)?, self.wide(*b)?);
                (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)
            }
            (Op::BvSub, [a, b]) => {
                let (a, b) = (self.wide(*a)?, self.wide(*b)?);
                (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)
            }
            (Op::BvMul, [a, b]) => product(self.wide(*a)?, self.wide(*b)?)?,
            _ => return None,
        };
        let all = all_signed(width);
        (all.0 <= bounds.0 && bounds.1 <= all.1).then_some(bounds)
    }

    /// A conjunction or disjunction: `decisive` decides it alone.
    fn fold(&mut self, all: &[Term], decisive: bool) -> Option<bool> {
        let mut result = Some(!decisive);
        for term in all {
            match self.truth(*term) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }
}

fn negated(bounds: Bounds) -> Bounds {
    (-bounds.1, -bounds.0)
}

fn product(a: Bounds, b: Bounds) -> Option<Bounds> {
    let mut products = Vec::new();
    for x in [a.0, a.1] {
        for y in [b.0, b.1] {
            products.push(x.checked_mul(y)?);
        }
    }
    Some((products.iter().copied().min()?, products.iter().copied().max()?))
}

/// Whether an operator takes two bit-vectors, as ranges of one bit may be those of Booleans, and others places of floats.
fn is_of_bits(op: &Op) -> bool {
    use Op::{BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvOr, BvSdiv, BvShl, BvSrem, BvSub, BvUdiv, BvUrem, BvXor, Concat};
    matches!(
        op,
        BvAdd
            | BvSub
            | BvMul
            | BvUdiv
            | BvUrem
            | BvSdiv
            | BvSrem
            | BvAnd
            | BvOr
            | BvXor
            | BvShl
            | BvLshr
            | BvAshr
            | Concat
    )
}

fn binary(op: &Op, width: u32, a: Range, b: Range) -> Option<Range> {
    let add = |a: Bounds, b: Bounds| (a.0 + b.0, a.1 + b.1);
    let sub = |a: Bounds, b: Bounds| (a.0 - b.1, a.1 - b.0);
    let (u, v) = (a.unsigned, b.unsigned);
    if let (true, Some(one), Some(other)) = (is_of_bits(op), a.single(), b.single()) {
        let constants = [(a.width, one), (b.width, other)].map(|(width, number)| build::bv(width, number as u128));
        if let Some(value) = build::make(op, &constants).as_bv() {
            return Some(Range::constant(value.width(), value.unsigned()));
        }
    }
    match op {
        Op::BvAdd => Some(Range::wrapped(width, Some(add(u, v)), Some(add(a.signed, b.signed)))),
        Op::BvSub => Some(Range::wrapped(width, Some(sub(u, v)), Some(sub(a.signed, b.signed)))),
        Op::BvMul => Some(Range::wrapped(width, product(u, v), product(a.signed, b.signed))),
        Op::BvAnd => Range::of_unsigned(width, (0, u.1.min(v.1))),
        Op::BvOr | Op::BvXor => {
            let bits = (u.1 | v.1).checked_ilog2().map_or(0, |top| (1i128 << (top + 1)) - 1);
            Range::of_unsigned(width, (if *op == Op::BvOr { u.0.max(v.0) } else { 0 }, bits))
        }
        Op::BvUdiv if v.0 > 0 => Range::of_unsigned(width, (u.0 / v.1, u.1 / v.0)),
        Op::BvUrem if v.0 > 0 => Range::of_unsigned(width, if u.1 < v.0 { u } else { (0, u.1.min(v.1 - 1)) }),
        // Towards zero, as in C, by a positive number.
        Op::BvSdiv if b.signed.0 > 0 => {
            let quotients =
                [a.signed.0 / b.signed.0, a.signed.0 / b.signed.1, a.signed.1 / b.signed.0, a.signed.1 / b.signed.1];
            Range::of_signed(width, (*quotients.iter().min()?, *quotients.iter().max()?))
        }
        Op::BvSrem if b.signed.0 > 0 => {
            let most = b.signed.1 - 1;
            let low = if a.signed.0 >= 0 { 0 } else { a.signed.0.max(-most) };
            let high = if a.signed.1 <= 0 { 0 } else { a.signed.1.min(most) };
            Range::of_signed(width, (low, high))
        }
        Op::BvLshr if v.1 < i128::from(width) => Range::of_unsigned(width, (u.0 >> v.1, u.1 >> v.0)),
        Op::BvLshr => Range::of_unsigned(width, (0, u.1)),
        Op::BvAshr => {
            let by = b.single().filter(|by| *by < i128::from(width))?;
            Range::of_signed(width, (a.signed.0 >> by, a.signed.1 >> by))
        }
        Op::BvShl => {
            let factor = 1i128 << b.single().filter(|by| *by < i128::from(width))?;
            let factor = (factor, factor);
            Some(Range::wrapped(width, product(u, factor), product(a.signed, factor)))
        }
        _ => None,
    }
}

/// The state where a condition has a truth value; `None` if it cannot.
pub fn assume(state: &State, condition: Term, truth: bool) -> Option<State> {
    if Evaluator::new(state).truth(condition).is_some_and(|known| known != truth) {
        return None;
    }
    match (condition.op(), condition.args(), truth) {
        (Op::Not, [inner], _) => assume(state, *inner, !truth),
        (Op::And, all, true) | (Op::Or, all, false) => {
            let mut state = state.clone();
            for part in all {
                state = assume(&state, *part, truth)?;
            }
            Some(state)
        }
        (Op::And, all, false) | (Op::Or, all, true) => {
            let ways = all.iter().filter_map(|part| assume(state, *part, truth));
            ways.reduce(|one, other| join(&one, &other))
        }
        (Op::Var { .. }, _, _) => narrow(state, condition, Range::constant(1, u128::from(truth))),
        (Op::Eq, [a, b], true) => {
            let mut values = Evaluator::new(state);
            let (Some(first), Some(second)) = (values.range(*a), values.range(*b)) else { return Some(state.clone()) };
            let both = first.meet(&second)?;
            narrow(&narrow(state, *a, both)?, *b, both)
        }
        (Op::Eq, [a, _], false) if float::format(*a).is_some() => Some(state.clone()),
        (Op::Eq, [a, b], false) => {
            let mut values = Evaluator::new(state);
            let (Some(first), Some(second)) = (values.range(*a), values.range(*b)) else { return Some(state.clone()) };
            let state = narrow(state, *a, without(first, second)?)?;
            narrow(&state, *b, without(second, first)?)
        }
        (Op::FpIsNan, [a], false) => match float::format(*a) {
            Some(format) => narrow(state, *a, float::ordered(format)),
            None => Some(state.clone()),
        },
        (Op::FpLt | Op::FpLe | Op::FpEq, [a, b], _) => compare(state, condition.op(), *a, *b, truth),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b], _) => {
            let is_signed = matches!(condition.op(), Op::BvSlt | Op::BvSle);
            let is_strict = matches!(condition.op(), Op::BvUlt | Op::BvSlt) == truth;
            // Not a < b is b <= a.
            let (less, more) = if truth { (*a, *b) } else { (*b, *a) };
            let mut values = Evaluator::new(state);
            let (Some(first), Some(second)) = (values.range(less), values.range(more)) else {
                return Some(state.clone());
            };
            let slack = i128::from(is_strict);
            let pick = |range: Range| if is_signed { range.signed } else { range.unsigned };
            let of = if is_signed { Range::of_signed } else { Range::of_unsigned };
            let below = of(first.width, (i128::MIN / 4, pick(second).1 - slack))?;
            let above = of(first.width, (pick(first).0 + slack, i128::MAX / 4))?;
            narrow(&narrow(state, less, first.meet(&below)?)?, more, second.meet(&above)?)
        }
        _ => Some(state.clone()),
    }
}

/// The state where a comparison of floats has a truth value.
fn compare(state: &State, op: &Op, a: Term, b: Term, truth: bool) -> Option<State> {
    let Some(format) = float::format(a) else { return Some(state.clone()) };
    let mut values = Evaluator::new(state);
    let known = [a, b].map(|term| values.ordered(term, format));
    // What holds holds of numbers; what does not may be of NaN.
    let [Some(first), Some(second)] = known.map(|places| places.or(truth.then(|| float::places(format)))) else {
        return Some(state.clone());
    };
    let of = |bounds| Range::of_signed(format.width(), bounds);
    if *op == Op::FpEq {
        let both = (first.0.max(second.0), first.1.min(second.1));
        return if truth { narrow(&narrow(state, a, of(both)?)?, b, of(both)?) } else { Some(state.clone()) };
    }
    let (less, low, more, high) = if truth { (a, first, b, second) } else { (b, second, a, first) };
    let slack = i128::from((*op == Op::FpLt) == truth);
    let below = of((low.0, low.1.min(high.1 - slack)))?;
    let above = of((high.0.max(low.0 + slack), high.1))?;
    narrow(&narrow(state, less, below)?, more, above)
}

/// The range without a single value at one of its ends.
fn without(range: Range, other: Range) -> Option<Range> {
    let Some(value) = other.single() else { return Some(range) };
    let cut = |(low, high): Bounds, value: i128| match () {
        () if low == value => (low + 1, high),
        () if high == value => (low, high - 1),
        () => (low, high),
    };
    Range::new(range.width, cut(range.unsigned, value), cut(range.signed, other.signed.0))
}

/// The state where a term is in a range, as far as it tells about a variable.
fn narrow(state: &State, term: Term, range: Range) -> Option<State> {
    match (term.op(), term.args()) {
        _ if is_tracked(term) => {
            let known = state.get(&term).copied().unwrap_or(Range::all(range.width));
            let mut state = state.clone();
            state.insert(term, known.meet(&range)?);
            Some(state)
        }
        (Op::ZeroExtend(_), [inner]) => narrow(state, *inner, Range::of_unsigned(width(*inner)?, range.unsigned)?),
        (Op::SignExtend(_), [inner]) => narrow(state, *inner, Range::of_signed(width(*inner)?, range.signed)?),
        _ => Some(state.clone()),
    }
}

/// What holds in at least one of two states.
pub fn join(one: &State, other: &State) -> State {
    let joint = one.iter().filter_map(|(variable, range)| Some((*variable, range.join(other.get(variable)?))));
    joint.filter(|(_, range)| !range.is_all()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::eval::evaluate;
    use term::{Sort, Value};

    const WIDTH: u32 = 3;

    fn ranges() -> Vec<Range> {
        let bounds = |(low, high)| (low..=high).flat_map(move |a| (a..=high).map(move |b| (a, b)));
        let unsigned = bounds((0, 7)).filter_map(|bounds| Range::of_unsigned(WIDTH, bounds));
        unsigned.chain(bounds((-4, 3)).filter_map(|bounds| Range::of_signed(WIDTH, bounds))).collect()
    }

    fn has(range: &Range, value: u128) -> bool {
        let signed = if value >= 4 { value as i128 - 8 } else { value as i128 };
        let inside = |bounds: Bounds, value| bounds.0 <= value && value <= bounds.1;
        inside(range.unsigned, value as i128) && inside(range.signed, signed)
    }

    /// Whatever an operator makes of two values is in the range that is computed for it; conditions exclude no state in which
    /// they hold.
    #[test]
    fn ranges_include_all_values() {
        let [x, y] = ["x", "y"].map(|name| Term::var(name, Sort::bv(WIDTH)));
        let binary = [
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::Eq,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
        ];
        let mut terms: Vec<Term> = binary.iter().map(|op| Term::new(op.clone(), &[x, y])).collect();
        terms.extend([Op::BvNeg, Op::BvNot].map(|op| Term::new(op, &[x])));
        terms.extend(
            [Op::ZeroExtend(5), Op::SignExtend(5), Op::Extract { high: 1, low: 0 }].map(|op| Term::new(op, &[x])),
        );
        let all = ranges();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let state = State::from_iter([(x, *a), (y, *b)]);
            let mut values = Evaluator::new(&state);
            for term in &terms {
                let range = values.range(*term).expect("an integer");
                let assumed =
                    [false, true].map(|truth| (range.width == 1).then(|| assume(&state, *term, truth)).flatten());
                for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))).filter(|(i, j)| has(a, *i) && has(b, *j))
                {
                    let value = |variable| Some(Value::bv(WIDTH, if variable == x { i } else { j }));
                    let result = evaluate(*term, &value).expect("a value");
                    match result.as_bool() {
                        Some(truth) => {
                            assert!(range.single().is_none_or(|only| only == i128::from(truth)), "{term:?} {i} {j}");
                            let state = assumed[usize::from(truth)].as_ref();
                            let allows = state.is_some_and(|state| has(&state[&x], i) && has(&state[&y], j));
                            assert!(allows, "{term:?} is {truth} of {i} and {j}: {state:?}");
                        }
                        None => {
                            let number = result.as_bv().expect("a vector");
                            let inside = |bounds: Bounds, value| bounds.0 <= value && value <= bounds.1;
                            let is_in = inside(range.unsigned, number.unsigned() as i128)
                                && inside(range.signed, number.signed());
                            assert!(is_in, "{term:?} of {i} and {j} is not in {range:?}");
                        }
                    }
                }
            }
        }
    }
}
