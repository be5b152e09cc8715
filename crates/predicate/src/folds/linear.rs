//! Terms after a block as linear sums of terms before it.
//!
//! What is not linear is a *leaf*: a term whose value is not looked into, a fold of a variable map among them. Stores to maps are
//! resolved, with the block's guard: it decides whether two places are the same, and whether a counter is inside a fold.

use super::loops::{How, Loops};
use blocks::solvers::{BlockId, Solvers};
use engine::{Fold, Group};
use faults::Fault;
use pass::Guarded;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::build::{
    and, apply, bv, bv_add, bv_sle, bv_slt, bv_sub, bv_ule, bv_ult, eq, extract, int, make, not, or, select,
};
use term::free::variables;
use term::subst::substitute;
use term::visit::map_children;
use term::{Function, Op, Term};

/// So many of the first elements are added one by one.
const MOST_FIRST: u128 = 4;

/// In which numbers is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Bits, for vectors of a width.
    ExclusiveOrs(u32),
    /// Integers.
    Sums,
}

impl Kind {
    pub fn of(fold: &Fold) -> Option<Kind> {
        Some(match (fold.group, fold.summand.sort().bv_width()) {
            (Group::ExclusiveOr, Some(width)) => Kind::ExclusiveOrs(width),
            (Group::Addition, None) => Kind::Sums,
            _ => return None,
        })
    }

    /// Coefficients are modulo two to this.
    pub fn width(self) -> u32 {
        match self {
            Kind::ExclusiveOrs(_) => 1,
            Kind::Sums => 64,
        }
    }
}

/// A constant, and leaves with coefficients that are not zero.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Linear {
    pub constant: u64,
    pub leaves: BTreeMap<Term, u64>,
}

impl Linear {
    fn leaf(term: Term) -> Linear {
        Linear { constant: 0, leaves: BTreeMap::from([(term, 1)]) }
    }

    /// Adds a multiple of another.
    pub fn plus(mut self, other: &Linear, factor: u64, kind: Kind) -> Linear {
        let mask = analysis::affine::mask(kind.width());
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor)) & mask;
        for (leaf, coefficient) in &other.leaves {
            let own = self.leaves.entry(*leaf).or_default();
            *own = own.wrapping_add(coefficient.wrapping_mul(factor)) & mask;
        }
        self.leaves.retain(|_, coefficient| *coefficient != 0);
        self
    }
}

/// Reads terms over the variables before a block.
pub struct Reader<'a> {
    pub loops: &'a Loops,
    pub kind: Kind,
    pub block: BlockId,
    pub op: &'a Guarded,
    pub solvers: &'a mut Solvers,
    /// What guards of blocks were found to imply, or not.
    pub decided: &'a mut FxHashMap<(BlockId, Term), bool>,
}

impl Reader<'_> {
    /// Whether the block's guard implies a formula.
    pub fn implies(&mut self, formula: Term) -> bool {
        if let Some(constant) = formula.as_bool() {
            return constant;
        }
        let (solvers, block, op) = (&mut *self.solvers, self.block, self.op);
        let ask = || solvers.within(block, op, |smt, _| smt.check_assuming(&[not(formula)]).is_unsat());
        *self.decided.entry((block, formula)).or_insert_with(ask)
    }

    /// A term as a linear sum; nothing if it depends on what the block chooses.
    pub fn linear(&mut self, term: Term) -> Option<Linear> {
        let (kind, minus) = (self.kind, u64::MAX);
        if let Some(number) = self.loops.accumulations.iter().position(|one| one.value == term && one.how == How::Added)
            && matches!(kind, Kind::ExclusiveOrs(_))
        {
            return self.accumulated(number);
        }
        match (kind, term.op(), term.args()) {
            (Kind::ExclusiveOrs(_), Op::Const(_), _) if term.as_bv()?.unsigned() == 0 => Some(Linear::default()),
            (Kind::Sums, Op::Const(_), _) if term == int(0) => Some(Linear::default()),
            (Kind::ExclusiveOrs(_), Op::BvXor, parts) | (Kind::Sums, Op::Add, parts) => {
                let mut sum = Linear::default();
                for part in parts {
                    sum = sum.plus(&self.linear(*part)?, 1, kind);
                }
                Some(sum)
            }
            (Kind::Sums, Op::Sub, &[a, b]) => Some(self.linear(a)?.plus(&self.linear(b)?, minus, kind)),
            (Kind::Sums, Op::Neg, &[a]) => Some(Linear::default().plus(&self.linear(a)?, minus, kind)),
            (Kind::Sums, Op::Mul, &[a, b]) if a == int(-1) || b == int(-1) => {
                let other = if a == int(-1) { b } else { a };
                Some(Linear::default().plus(&self.linear(other)?, minus, kind))
            }
            (_, Op::Apply(function), &[map, n]) => {
                match self.loops.folds.iter().find(|fold| fold.function == *function) {
                    Some(fold) => self.fold(fold, map, n),
                    None => self.leaf(term),
                }
            }
            _ => self.leaf(term),
        }
    }

    /// What a loop makes of an accumulator in one round, by exclusive or.
    fn accumulated(&mut self, number: usize) -> Option<Linear> {
        let one = &self.loops.accumulations[number];
        let fold = &self.loops.folds[one.fold];
        if Kind::of(fold) != Some(self.kind) {
            return self.leaf(one.value);
        }
        let summand = self.linear(summand(fold, one.counter, one.element))?;
        Some(self.linear(one.accumulator)?.plus(&summand, 1, self.kind))
    }

    fn leaf(&mut self, term: Term) -> Option<Linear> {
        if variables([term]).iter().any(|variable| self.op.inputs().contains(variable)) {
            return None;
        }
        let resolved = self.resolved(term)?;
        if resolved == term { Some(Linear::leaf(term)) } else { self.linear(resolved) }
    }

    /// The same term, where all that is read is read from variables.
    fn resolved(&mut self, term: Term) -> Option<Term> {
        if term.args().is_empty() {
            return Some(term);
        }
        if let (Op::Select, &[map, place]) = (term.op(), term.args())
            && let (Op::Store, &[before, at, value]) = (map.op(), map.args())
        {
            return match () {
                () if self.implies(eq(place, at)) => self.resolved(value),
                () if self.implies(not(eq(place, at))) => self.resolved(select(before, place)),
                () => None,
            };
        }
        let mut parts: Vec<Term> = Vec::new();
        for part in term.args() {
            parts.push(self.resolved(*part)?);
        }
        let mut parts = parts.into_iter();
        Some(map_children(term, |part| parts.next().unwrap_or(part)))
    }

    /// A fold of a map.
    fn fold(&mut self, fold: &Fold, map: Term, n: Term) -> Option<Linear> {
        let kind = self.kind;
        if n.value().is_some() && at_most(fold, n, fold.first).as_bool() == Some(true) {
            return Some(Linear::default());
        }
        if let (Op::Store, &[before, at, value]) = (map.op(), map.args()) {
            let rest = self.fold(fold, before, n)?;
            if faults::is(Fault::ForgottenStore) {
                return Some(rest);
            }
            let Some(counter) = counter_of(fold.place, fold.counter, at) else {
                return self.is_between(fold, at).then_some(rest);
            };
            if !self.is_only(fold, counter, n) {
                return None;
            }
            let inside = and([at_most(fold, fold.first, counter), less(fold, counter, n)]);
            if self.implies(not(inside)) {
                return Some(rest);
            }
            if !self.implies(inside) {
                return None;
            }
            let new = self.linear(summand(fold, counter, value))?;
            let old = self.linear(summand(fold, counter, select(before, at)))?;
            return Some(rest.plus(&new, 1, kind).plus(&old, u64::MAX, kind));
        }
        if let Some(before) = predecessor(fold, n)
            && self.implies(and([at_most(fold, fold.first, before), less(fold, before, n)]))
        {
            let place = substitute(fold.place, |v| (v == fold.counter).then_some(before));
            let last = self.linear(summand(fold, before, select(map, place)))?;
            return Some(self.fold(fold, map, before)?.plus(&last, 1, kind));
        }
        let whole = apply(fold.function.clone(), &[map, n]);
        let is_chosen = variables([whole]).iter().any(|variable| self.op.inputs().contains(variable));
        (map.is_var() && !is_chosen).then(|| Linear::leaf(whole))
    }

    /// Whether a counter's place is that of no other counter from zero up to a number.
    fn is_only(&mut self, fold: &Fold, counter: Term, n: Term) -> bool {
        let (Some(width), Some(places)) = (counter.sort().bv_width(), fold.place.sort().bv_width()) else {
            return false;
        };
        let period = places - twos(fold.place);
        let mut conditions = vec![at_most(fold, bv(width, 0), counter)];
        if period < width - u32::from(fold.signed) {
            let period = bv(width, 1 << period);
            conditions.extend([less(fold, counter, period), at_most(fold, n, period)]);
        }
        self.implies(and(conditions))
    }

    /// Whether no counter has a place, as its last bits show.
    fn is_between(&mut self, fold: &Fold, at: Term) -> bool {
        let Some(width) = fold.counter.sort().bv_width() else { return false };
        let any = substitute(fold.place, |v| (v == fold.counter).then(|| bv(width, 0)));
        match twos(fold.place) {
            0 => false,
            twos => self.implies(not(eq(extract(twos - 1, 0, at), extract(twos - 1, 0, any)))),
        }
    }

    /// Whether a counter is at its bound, and whether a fold up to the one is that up to the other.
    pub fn is_at_bound(&mut self, counter: Term, bound: Term, fold: &Fold) -> bool {
        let none = and([at_most(fold, counter, fold.first), at_most(fold, bound, fold.first)]);
        self.implies(or([eq(counter, bound), none]))
    }
}

/// What a fold adds for a counter and an element.
pub fn summand(fold: &Fold, counter: Term, element: Term) -> Term {
    substitute(fold.summand, |v| if v == fold.counter { Some(counter) } else { (v == fold.element).then_some(element) })
}

/// A formula with functions of which nothing is known in the place of divisions: it holds more often.
pub fn without_divisions(term: Term) -> Term {
    fn hidden(term: Term, known: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(known) = known.get(&term) {
            return *known;
        }
        let parts: Vec<Term> = term.args().iter().map(|part| hidden(*part, known)).collect();
        let result = match term.op() {
            Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem => {
                let (name, sort) = (format!("$divided by {:?}", term.op()), term.sort());
                apply(Function { name: name.as_str().into(), parameters: vec![sort, sort], result: sort }, &parts)
            }
            _ if parts == term.args() => term,
            op => make(op, &parts),
        };
        known.insert(term, result);
        result
    }
    hidden(term, &mut FxHashMap::default())
}

fn less(fold: &Fold, a: Term, b: Term) -> Term {
    if fold.signed { bv_slt(a, b) } else { bv_ult(a, b) }
}

fn at_most(fold: &Fold, a: Term, b: Term) -> Term {
    if fold.signed { bv_sle(a, b) } else { bv_ule(a, b) }
}

/// What a number is the next one of, if it is told so, or is one of the first.
fn predecessor(fold: &Fold, n: Term) -> Option<Term> {
    if let (Some(number), Some(first)) = (n.as_bv(), fold.first.as_bv()) {
        let is_early = number.unsigned() > first.unsigned() && number.unsigned() - first.unsigned() <= MOST_FIRST;
        return is_early.then(|| bv_sub(n, bv(number.width(), 1)));
    }
    let (Op::BvAdd, &[a, b]) = (n.op(), n.args()) else { return None };
    let is_one = |term: Term| term.as_bv().is_some_and(|number| number.unsigned() == 1);
    if is_one(b) { Some(a) } else { is_one(a).then_some(b) }
}

/// The power of two in the factor of a place.
fn twos(place: Term) -> u32 {
    match (place.op(), place.args()) {
        (Op::BvAdd, &[a, b]) => twos(if a.value().is_some() { b } else { a }),
        (Op::BvMul, &[a, b]) => {
            let factor = a.as_bv().or(b.as_bv()).map_or(1, |factor| factor.unsigned());
            factor.trailing_zeros().min(63)
        }
        _ => 0,
    }
}

/// The counter that has a place. (`certify` has its own way to find it.)
fn counter_of(place: Term, counter: Term, at: Term) -> Option<Term> {
    if place == counter {
        return Some(at);
    }
    let constant_first = |a: Term, b: Term| if a.value().is_some() { (a, b) } else { (b, a) };
    match (place.op(), place.args()) {
        (Op::BvAdd, &[a, b]) => {
            let (constant, rest) = constant_first(a, b);
            counter_of(rest, counter, bv_sub(at, constant))
        }
        (Op::BvMul, &[a, b]) => {
            let (factor, rest) = constant_first(a, b);
            counter_of(rest, counter, divided(at, factor)?)
        }
        (op @ (Op::SignExtend(_) | Op::ZeroExtend(_)), &[inner]) => {
            let width = inner.sort().bv_width()?;
            let narrow = if at.op() == op { at.args()[0] } else { extract(width - 1, 0, at) };
            let is_same = narrow.sort() == inner.sort() && (at.op() == op || at.value().is_some());
            if is_same { counter_of(inner, counter, narrow) } else { None }
        }
        _ => None,
    }
}

/// A multiple without its factor.
fn divided(at: Term, factor: Term) -> Option<Term> {
    let (width, by) = (at.sort().bv_width()?, factor.as_bv()?.signed());
    match (at.op(), at.args()) {
        (Op::Const(_), _) => {
            let number = at.as_bv()?.signed();
            (by != 0 && number % by == 0).then(|| term::build::bv_signed(width, number / by))
        }
        (Op::BvMul, &[a, b]) if a == factor || b == factor => Some(if a == factor { b } else { a }),
        (Op::BvAdd, &[a, b]) => Some(bv_add(divided(a, factor)?, divided(b, factor)?)),
        (Op::BvSub, &[a, b]) => Some(bv_sub(divided(a, factor)?, divided(b, factor)?)),
        _ => None,
    }
}
