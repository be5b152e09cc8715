//! Terms over machine integers as terms over integers.

use super::NoIntegers;
use super::bitwise::{bitwise, shift};
use super::number::{Bounds, Number, Reading, power};
use super::readings::Readings;
use analysis::intervals::{Evaluator, State};
use dashu::integer::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::sync::Arc;
use term::build::{and, const_array, eq, int, ite, le, lt, make, select, store, truth};
use term::free::Free;
use term::visit::post_order;
use term::{ArrayValue, Op, Sort, SortKind, Term, Value};

/// The sort of an integer view's variable.
pub fn image(sort: Sort) -> Sort {
    match sort.kind() {
        SortKind::BitVec(_) => Sort::int(),
        SortKind::Array(index, element) => Sort::array(image(*index), image(*element)),
        _ => sort,
    }
}

/// A variable as an integer.
pub fn integer(variable: Term) -> Term {
    let Op::Var { name, instance, .. } = variable.op() else { unreachable!("{variable} is not a variable") };
    Term::new(Op::Var { name: *name, instance: *instance, sort: image(variable.sort()) }, &[])
}

/// That the numbers of a variable are those of a machine integer.
pub fn in_range(number: Term, width: u32, reading: Reading) -> Term {
    let least = reading.least(width);
    let most = &least + power(width) - IBig::ONE;
    and([le(int(least), number), le(number, int(most))])
}

/// Which variables become integers, and how each is read.
pub struct View {
    pub readings: Readings,
    pub integers: FxHashSet<Term>,
    pub declared: FxHashSet<Term>,
    pub rest: Rest,
}

/// What becomes of operators that cannot be calculated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// They stay, between conversions: the view is exact.
    Kept,
    /// Where their arguments are variables that stay machine integers, they stay; else a *pseudo-input* takes their place, which has any value
    /// within what intervals say of the result. So do values of sorts that are neither Booleans nor numbers. The view over-approximates.
    PseudoInputs,
}

impl View {
    /// The variable of the integers view that stands for a variable.
    pub fn variable(&self, old: Term) -> Term {
        if self.integers.contains(&old) { integer(old) } else { old }
    }
}

/// What a term becomes.
#[derive(Clone, Copy)]
enum Image {
    Number(Number),
    /// A term of the image of its sort.
    Other(Term),
}

/// Translates terms where ranges of variables are known.
pub struct Translator<'a> {
    view: &'a View,
    ranges: Evaluator<'a>,
    known: FxHashMap<Term, Image>,
    free: Free,
    /// That elements of arrays which were read are machine integers.
    elements: Vec<Term>,
    /// What the names of pseudo-inputs begin with.
    scope: Symbol,
    /// Pseudo-inputs, and what is known of them.
    inputs: Vec<(Term, Option<Bounds>)>,
}

impl<'a> Translator<'a> {
    pub fn new(view: &'a View, state: &'a State, scope: Symbol) -> Translator<'a> {
        let (known, elements, inputs) = (FxHashMap::default(), Vec::new(), Vec::new());
        Translator { view, ranges: Evaluator::new(state), known, free: Free::new(), elements, scope, inputs }
    }

    /// A term as it is assigned to a variable, or to another place that is read in the same way.
    pub fn value(&mut self, term: Term, place: Term) -> Result<Term, NoIntegers> {
        let is_integer = !place.is_var() || self.view.integers.contains(&place);
        match self.image(term)? {
            Image::Number(number) if is_integer => Ok(number.read(self.view.readings.of(place))),
            Image::Number(number) => Ok(number.bits()),
            Image::Other(term) => Ok(term),
        }
    }

    /// A condition.
    pub fn condition(&mut self, term: Term) -> Result<Term, NoIntegers> {
        self.other(term)
    }

    /// What must hold so that elements which were read are machine integers; it is asked for once.
    pub fn elements(&mut self) -> Term {
        and(std::mem::take(&mut self.elements))
    }

    /// The pseudo-inputs that occur in terms, with what is known of each.
    pub fn inputs(&mut self, terms: &[Term]) -> Vec<(Term, Term)> {
        let used = term::free::variables(terms.iter().copied());
        let known = |(input, bounds): (Term, Option<Bounds>)| {
            let within = bounds.map_or(truth(), |(low, high)| and([le(int(low), input), le(input, int(high))]));
            used.contains(&input).then_some((input, within))
        };
        std::mem::take(&mut self.inputs).into_iter().filter_map(known).collect()
    }

    fn other(&mut self, term: Term) -> Result<Term, NoIntegers> {
        match self.image(term)? {
            Image::Other(term) => Ok(term),
            Image::Number(_) => unreachable!("{term} is a machine integer"),
        }
    }

    fn number(&mut self, term: Term) -> Result<Number, NoIntegers> {
        match self.image(term)? {
            Image::Number(number) => Ok(number),
            Image::Other(_) => unreachable!("{term} is no machine integer"),
        }
    }

    fn image(&mut self, root: Term) -> Result<Image, NoIntegers> {
        if !self.known.contains_key(&root) {
            for term in post_order([root]) {
                if !self.known.contains_key(&term) {
                    let image = self.translate(term)?;
                    self.known.insert(term, image);
                }
            }
        }
        Ok(self.known[&root])
    }

    /// The image of a term whose arguments have theirs.
    fn translate(&mut self, term: Term) -> Result<Image, NoIntegers> {
        let is_vector = term.sort().bv_width().is_some();
        if self.view.rest == Rest::PseudoInputs && self.is_of_bits(term) {
            let kept = self.as_it_is(term)?;
            let bounds = self.bounds(term, Reading::Unsigned);
            return Ok(if is_vector { Image::Number(Number::of_bits(kept, bounds)) } else { Image::Other(kept) });
        }
        if !is_vector {
            return self.translated(term).map(Image::Other);
        }
        if let Some(number) = self.calculated(term)? {
            return Ok(Image::Number(number));
        }
        let (unsigned, signed) = (self.bounds(term, Reading::Unsigned), self.bounds(term, Reading::Signed));
        Ok(Image::Number(match self.view.rest {
            Rest::Kept => Number::of_bits(self.as_it_is(term)?, unsigned),
            Rest::PseudoInputs => {
                let size = |bounds: Option<Bounds>| bounds.map(|(low, high)| high.abs_diff(low));
                let known = if size(unsigned) <= size(signed) { unsigned } else { signed };
                let width = term.sort().bv_width().expect("a machine integer");
                Number::new(width, self.input(Sort::int(), known), known)
            }
        }))
    }

    /// Whether a term is made of variables that stay machine integers, and of nothing else but Booleans and constants.
    fn is_of_bits(&mut self, term: Term) -> bool {
        let stays = |variable: &Term| variable.sort().bv_width().is_some() && !self.view.integers.contains(variable);
        let sorts = [term]
            .iter()
            .chain(term.args())
            .all(|part| matches!(part.sort().kind(), SortKind::Bool | SortKind::BitVec(_)));
        let free = self.free.of(term);
        sorts && free.iter().any(stays) && free.iter().all(|variable| variable.sort().is_bool() || stays(variable))
    }

    /// A variable that has any value within bounds.
    fn input(&mut self, sort: Sort, bounds: Option<Bounds>) -> Term {
        let input = Term::var(format!("{}::?{sort}{}", self.scope, self.inputs.len()).as_str(), sort);
        self.inputs.push((input, bounds));
        input
    }

    /// What is known of a term in a reading.
    fn bounds(&mut self, term: Term, reading: Reading) -> Option<Bounds> {
        let width = term.sort().bv_width()?;
        match (self.ranges.range(term), reading) {
            (Some(range), Reading::Unsigned) => Some(range.unsigned),
            (Some(range), Reading::Signed) => Some(range.signed),
            (None, _) => reading.bounds(width),
        }
    }

    /// A machine integer that can be calculated.
    fn calculated(&mut self, term: Term) -> Result<Option<Number>, NoIntegers> {
        use Op::*;
        let width = term.sort().bv_width().expect("a machine integer");
        Ok(Some(match (term.op(), term.args()) {
            (Const(value), _) => match value.as_bv() {
                Some(bits) if width <= 120 => Number::constant(width, bits.signed()),
                _ => return Ok(None),
            },
            (Var { .. }, _) if self.view.integers.contains(&term) => {
                let reading = self.view.readings.of(term);
                Number::new(width, integer(term), self.bounds(term, reading))
            }
            (BvAdd, [a, b]) => self.number(*a)?.add(self.number(*b)?),
            (BvSub, [a, b]) => self.number(*a)?.sub(self.number(*b)?),
            (BvNeg, [a]) => self.number(*a)?.negated(),
            (BvNot, [a]) => Number::constant(width, -1).sub(self.number(*a)?),
            (BvMul, [a, b]) => match (a.as_bv(), b.as_bv()) {
                (_, Some(factor)) => self.number(*a)?.times(factor.signed()),
                (Some(factor), _) => self.number(*b)?.times(factor.signed()),
                _ => return Ok(None),
            },
            (BvUdiv | BvUrem, [a, b]) => match positive(*b) {
                Some(divisor) => {
                    let dividend = self.number(*a)?.settled(Reading::Unsigned);
                    let dividend = dividend.within(Reading::Unsigned, self.bounds(*a, Reading::Unsigned));
                    if *term.op() == BvUdiv { dividend.divided(divisor) } else { dividend.modulo(divisor) }
                }
                None => return Ok(None),
            },
            (BvSdiv | BvSrem, [a, b]) => match b.as_bv().filter(|b| b.signed() != 0 && b.width() <= 120) {
                Some(divisor) => {
                    let bounds = self.bounds(*a, Reading::Signed);
                    let dividend = self.number(*a)?.settled(Reading::Signed).within(Reading::Signed, bounds);
                    truncated(term.op(), dividend, divisor.signed())
                }
                None => return Ok(None),
            },
            (op @ (BvAnd | BvOr | BvXor), [a, b]) => {
                let bounds = [*a, *b].map(|term| self.bounds(term, Reading::Unsigned));
                return Ok(bitwise(op, [*a, *b], [self.number(*a)?, self.number(*b)?], bounds));
            }
            (op @ (BvShl | BvLshr | BvAshr), [a, b]) => {
                let bounds = self.bounds(*b, Reading::Unsigned);
                let number = match op {
                    BvLshr => self.number(*a)?.within(Reading::Unsigned, self.bounds(*a, Reading::Unsigned)),
                    _ => self.number(*a)?,
                };
                return Ok(shift(op, number, self.number(*b)?, bounds, a.value().is_some()));
            }
            (Concat, [high, low]) => {
                let below = low.sort().bv_width().expect("a machine integer");
                let high = self.number(*high)?.resized(width);
                high.shifted(below).add(self.number(*low)?.settled(Reading::Unsigned).resized(width))
            }
            (Extract { low, .. }, [a]) => self.number(*a)?.divided_by_power(*low).resized(width),
            (ZeroExtend(_), [a]) => self.number(*a)?.settled(Reading::Unsigned).resized(width),
            (SignExtend(_), [a]) => self.number(*a)?.settled(Reading::Signed).resized(width),
            (IntToBv(_), [a]) => Number::new(width, self.other(*a)?, None),
            (Ite, [condition, a, b]) => {
                let condition = self.other(*condition)?;
                Number::choice(condition, self.number(*a)?, self.number(*b)?)
            }
            (Select, [array, index]) if self.has_elements(*array) => {
                let reading = self.view.readings.of(term);
                let index = self.number_or_other(*index, Reading::Unsigned)?;
                let element = select(self.other(*array)?, index);
                self.element(term, element, width, reading)?;
                Number::new(width, element, reading.bounds(width))
            }
            _ => return Ok(None),
        }))
    }

    /// An element of an array is a machine integer.
    fn element(&mut self, old: Term, element: Term, width: u32, reading: Reading) -> Result<(), NoIntegers> {
        if self.free.of(old).iter().any(|variable| !self.view.declared.contains(variable)) {
            return Err(NoIntegers(format!("the element {old} below a binder")));
        }
        self.elements.push(in_range(element, width, reading));
        Ok(())
    }

    fn number_or_other(&mut self, term: Term, reading: Reading) -> Result<Term, NoIntegers> {
        Ok(match self.image(term)? {
            Image::Number(number) => number.read(reading),
            Image::Other(term) => term,
        })
    }

    /// Whether an array is looked at, and is one of integers.
    fn has_elements(&self, array: Term) -> bool {
        self.view.rest == Rest::Kept && self.is_integer(array)
    }

    /// Whether a term's sort changes.
    fn is_integer(&self, array: Term) -> bool {
        image(array.sort()) != array.sort()
    }

    /// A term that is no machine integer.
    fn translated(&mut self, term: Term) -> Result<Term, NoIntegers> {
        use Op::*;
        Ok(match (term.op(), term.args()) {
            (Const(value), _) if image(term.sort()) != term.sort() => {
                Term::constant(integers_of(value, self.view.readings.of(term)))
            }
            (Var { .. }, _) if self.view.integers.contains(&term) => integer(term),
            (op @ (BvUlt | BvUle | BvSlt | BvSle), [a, b]) => {
                let reading = if matches!(op, BvUlt | BvUle) { Reading::Unsigned } else { Reading::Signed };
                let (a, b) = (self.number(*a)?.read(reading), self.number(*b)?.read(reading));
                if matches!(op, BvUlt | BvSlt) { lt(a, b) } else { le(a, b) }
            }
            (Eq, [a, b]) if a.sort().bv_width().is_some() => {
                let (a, b) = (self.number(*a)?, self.number(*b)?);
                let direct = |reading: &&Reading| a.is_direct(**reading) && b.is_direct(**reading);
                let reading = [Reading::Signed, Reading::Unsigned].iter().find(direct).copied();
                let reading = reading.unwrap_or(Reading::Unsigned);
                eq(a.read(reading), b.read(reading))
            }
            (BvToInt { signed }, [a]) => {
                self.number(*a)?.read(if *signed { Reading::Signed } else { Reading::Unsigned })
            }
            (Select, [array, index]) if self.has_elements(*array) => {
                let index = self.number_or_other(*index, Reading::Unsigned)?;
                select(self.other(*array)?, index)
            }
            (Store, [array, index, element]) if self.has_elements(*array) => {
                let index = self.number_or_other(*index, Reading::Unsigned)?;
                let element = self.number_or_other(*element, self.view.readings.of(term))?;
                store(self.other(*array)?, index, element)
            }
            (ConstArray(sort), [element]) if self.has_elements(term) => {
                const_array(image(*sort), self.number_or_other(*element, self.view.readings.of(term))?)
            }
            (Ite, [condition, a, b]) if self.view.rest == Rest::Kept => {
                ite(self.other(*condition)?, self.other(*a)?, self.other(*b)?)
            }
            _ if self.view.rest == Rest::Kept || is_linear(term) => self.as_it_is(term)?,
            _ if is_representable(term.sort()) => self.input(term.sort(), None),
            // Nobody looks at it: what is made of it is a pseudo-input.
            _ => term,
        })
    }

    /// A term whose operator stays, with machine integers for arguments.
    fn as_it_is(&mut self, term: Term) -> Result<Term, NoIntegers> {
        let whole_arrays =
            term.args().iter().chain([&term]).any(|part| self.is_integer(*part) && part.sort().bv_width().is_none());
        if whole_arrays {
            return Err(NoIntegers(format!("an array as a whole, in {term}")));
        }
        let mut args = Vec::new();
        for arg in term.args() {
            args.push(match self.image(*arg)? {
                Image::Number(number) => number.bits(),
                Image::Other(term) => term,
            });
        }
        Ok(if args == term.args() { term } else { make(term.op(), &args) })
    }
}

/// Whether variables of a sort can be in a set of states: Booleans, integers, reals.
pub fn is_representable(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::BitVec(_))
}

/// Whether an operator on representable arguments is Boolean, linear, or a comparison.
fn is_linear(term: Term) -> bool {
    use Op::*;
    let args = term.args();
    let is_constant = |position: usize| args[position].value().is_some();
    let is_known = match term.op() {
        Const(_) | Var { .. } | Not | And | Or | Implies | Xor | Eq | Ite | Add | Sub | Neg | Le | Lt => true,
        Mul => is_constant(0) || is_constant(1),
        IntDiv | IntMod | RealDiv => is_constant(1),
        _ => false,
    };
    is_known && [term].iter().chain(args).all(|part| is_representable(part.sort()))
}

/// The divisor that a term is, if it is a positive number without sign.
fn positive(term: Term) -> Option<i128> {
    i128::try_from(term.as_bv()?.unsigned()).ok().filter(|divisor| *divisor > 0)
}

/// The quotient or the remainder of a number with sign by a constant, as C defines it: rounded to zero.
fn truncated(op: &Op, dividend: Number, divisor: i128) -> Number {
    let of = |number: Number| {
        let size = divisor.abs();
        if *op == Op::BvSdiv { number.divided(size) } else { number.modulo(size) }
    };
    let quotient = match dividend.bounds {
        Some((0.., _)) => of(dividend),
        _ => {
            let (upper, lower) = (dividend.not_negative(), dividend.negated().not_negative());
            Number::choice(le(int(0), dividend.whole), of(upper), of(lower).negated())
        }
    };
    if *op == Op::BvSdiv && divisor < 0 { quotient.negated() } else { quotient }
}

/// A value of a sort as one of its image.
pub fn integers_of(value: &Value, reading: Reading) -> Value {
    match value {
        Value::Bv(bits) => Value::Int(match reading {
            Reading::Unsigned => bits.unsigned().into(),
            Reading::Signed => bits.signed().into(),
        }),
        Value::Array(array) => {
            let default = integers_of(&array.default, reading);
            let mut integers = ArrayValue::constant(image(array.index), default);
            for (index, element) in &array.entries {
                integers.set(integers_of(index, Reading::Unsigned), integers_of(element, reading));
            }
            Value::Array(Arc::new(integers))
        }
        other => other.clone(),
    }
}
