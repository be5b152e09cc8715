//! Folds over maps, in proofs: what their definitions say about the terms of a question.
//!
//! A proof may apply functions that it defines as folds ([`engine::Fold`]). Such a function exists for every definition that is
//! well formed, so a question may be asked together with any consequences of the definitions. Those that are used are instances, for
//! the maps and the counters of the question itself:
//!
//! - *empty*: F(a, n) = 0 where n <= first;
//! - *step*: F(a, n) = F(a, j) + summand(j, a[place(j)]) where n = j + 1 > first;
//! - *store*: F(a[k := v], n) = F(a, n), plus summand(e, v) - summand(e, a[k]) if first <= e < n, where k = place(e) and no other counter
//!   below n has that place; and just F(a, n) where k is the place of no counter.
//!
//! Places are multiples of the counter, modulo a power of two. Two counters have the same place just if they differ by a multiple of
//! the *period*, so there is no other one as long as all are less than it.
//!
//! A reduction ([`engine::Reduction`]) is a function R of sums of weights. Let B be more than there are counters, and the weight of the
//! n-th value B^n: then the sum tells the multiset, and as the order of elements does not matter, R is what the reduction
//! makes of the multiset, and anything for numbers that tell none. So there are such functions, and of them it holds that R(0) = start and
//! R(F(a, j) + weight(a[place(j)])) = body(R(F(a, j)), a[place(j)]).
//!
//! A residue ([`engine::Residue`]) is a function H that keeps sums: H(m + w) = H(m) + H(w), and H(weight(x)) = x. So sums of machine integers
//! are dealt with in the arithmetic of integers, which is easier to decide.

use crate::invariants::Rejected;
use engine::{Fold, Group, Reduction, Residue};
use ir::{Op as EdgeOp, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Smt;
use term::build::{
    add, and, apply, bv, bv_add, bv_sle, bv_slt, bv_sub, bv_ule, bv_ult, bv_xor, eq, extract, implies, int, ite, make,
    not, select, sub,
};
use term::free::variables;
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Function, Op, Sort, SortKind, Term};

/// So many of the first counters are looked at one by one.
const MOST_FIRST: u128 = 4;

/// Definitions that are well formed.
#[derive(Default)]
pub struct Folds<'a> {
    folds: Vec<(&'a Fold, Places)>,
    reductions: &'a [Reduction],
    residues: &'a [Residue],
}

/// Where elements are: `factor` times the counter, plus a constant, modulo two to the width.
struct Places {
    width: u32,
    /// The largest power of two in the factor.
    twos: u32,
    constant: Term,
}

fn wrong(what: &str) -> Rejected {
    Rejected::NotComplete(format!("a fold {what}"))
}

impl<'a> Folds<'a> {
    /// Definitions of which functions exist, whatever the program does.
    pub fn checked(
        program: &Program,
        (folds, reductions, residues): (&'a [Fold], &'a [Reduction], &'a [Residue]),
        smt: &mut dyn Smt,
    ) -> Result<Folds<'a>, Rejected> {
        let mut names = FxHashSet::default();
        let mut checked = Vec::new();
        for fold in folds {
            checked.push((fold, places(fold)?));
            is_well_formed(fold, residues)?;
            if !names.insert(fold.function.name) {
                return Err(wrong("is defined twice"));
            }
        }
        let is_residue = |weight: &&term::Function| residues.iter().any(|residue| residue.weight == **weight);
        let of_reductions = folds.iter().filter_map(weight).filter(|weight| !is_residue(weight));
        let weights: FxHashSet<_> = of_reductions.map(|weight| weight.name).collect();
        for reduction in reductions {
            let is_weight = |fold: &&Fold| weight(fold).is_some_and(|weight| weights.contains(&weight.name));
            let Some(fold) = folds.get(reduction.weights).filter(is_weight) else {
                return Err(wrong("of weights is missing"));
            };
            let sort = reduction.start.sort();
            let is_typed = reduction.function.parameters == [Sort::int()] && reduction.function.result == sort;
            let speaks = variables([reduction.body]);
            if !is_typed
                || reduction.start.value().is_none()
                || (reduction.accumulator.sort(), reduction.body.sort()) != (sort, sort)
                || !reduction.accumulator.is_var()
                || reduction.accumulator == fold.element
                || speaks.iter().any(|v| *v != reduction.accumulator && *v != fold.element)
                || has_functions([reduction.body])
            {
                return Err(wrong("has a reduction that is not well formed"));
            }
            if !names.insert(reduction.function.name) {
                return Err(wrong("is defined twice"));
            }
            commutes(reduction, fold, smt)?;
        }
        for Residue { function, weight } in residues {
            let sort = function.result;
            let is_typed =
                function.parameters == [Sort::int()] && weight.parameters == [sort] && weight.result == Sort::int();
            if !is_typed || sort.bv_width().is_none() {
                return Err(wrong("has a residue that is not well formed"));
            }
            // A weight has one meaning.
            if !names.insert(function.name) || !names.insert(weight.name) {
                return Err(wrong("is defined twice"));
            }
        }
        // Nothing else may be known of the functions.
        let is_free = weights.iter().all(|weight| !names.contains(weight)) && program.axioms.is_empty();
        let said = program.edges().flat_map(|edge| match &edge.op {
            EdgeOp::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
            EdgeOp::Assume(condition) => vec![*condition],
            _ => Vec::new(),
        });
        if !is_free || has_functions(said) {
            return Err(wrong("is not the only one who knows its function"));
        }
        Ok(Folds { folds: checked, reductions, residues })
    }

    /// Whether nothing is defined.
    pub fn is_empty(&self) -> bool {
        self.folds.is_empty() && self.residues.is_empty()
    }

    /// What the definitions say about the terms of formulas.
    pub fn instances(&self, formulas: &[Term]) -> Vec<Term> {
        let terms = post_order(formulas.iter().copied());
        let all: FxHashSet<Term> = terms.iter().copied().collect();
        let (mut found, mut added) = (Vec::new(), Vec::new());
        for (number, (fold, places)) in self.folds.iter().enumerate() {
            let mut counters: Vec<Term> = terms.iter().filter_map(|term| applied(fold, *term)).collect();
            let maps: Vec<Term> =
                terms.iter().copied().filter(|term| term.sort() == fold.function.parameters[0]).collect();
            // The first elements one by one: up to a constant, or those that the question reads.
            let is_read = |j: &Term| maps.iter().any(|map| all.contains(&select(*map, fold.place_of(*j))));
            let read = fold.first_ones(fold.greatest()).into_iter().filter(is_read);
            let constants: Vec<Term> = counters.iter().flat_map(|n| fold.first_ones(*n)).chain(read).collect();
            counters.extend(constants);
            counters.sort_unstable();
            counters.dedup();
            for map in maps.iter().copied() {
                if let (Op::Store, &[before, at, value]) = (map.op(), map.args()) {
                    counters.iter().for_each(|n| found.extend(stored(fold, places, [map, before, at, value], *n)));
                    continue;
                }
                for n in &counters {
                    found.push(implies(fold.at_most(*n, fold.first), eq(fold.of(map, *n), fold.zero())));
                    found.extend(counters.iter().filter(|j| *j != n).map(|j| step(fold, map, *j, *n)));
                }
                let reductions = self.reductions.iter().filter(|reduction| reduction.weights == number);
                for reduction in reductions {
                    found.push(eq(apply(reduction.function.clone(), &[int(0)]), reduction.start));
                    found.extend(counters.iter().map(|j| reduced(reduction, fold, map, *j)));
                }
                // Only what is read can have been added.
                let read = |j: &&Term| all.contains(&select(map, fold.place_of(**j)));
                added.extend(counters.iter().filter(read).map(|j| fold.at(*j, select(map, fold.place_of(*j)))));
            }
        }
        found.extend(self.residues.iter().flat_map(|residue| kept(residue, self.residues, &terms, &added)));
        found
    }
}

/// That residues of sums are sums of residues.
fn kept(residue: &Residue, all: &[Residue], terms: &[Term], added: &[Term]) -> Vec<Term> {
    let of = |sum: Term| apply(residue.function.clone(), &[sum]);
    let width = residue.function.result.bv_width().unwrap_or(1);
    let mut found = vec![eq(of(int(0)), bv(width, 0))];
    for term in terms {
        match (term.op(), term.args()) {
            (Op::Apply(function), [value]) if *function == residue.weight => found.push(eq(of(*term), *value)),
            (Op::Apply(function), [sum]) if *function == residue.function => {
                for more in added {
                    let Some(value) = value_of(*more, all).filter(|value| value.sort() == residue.function.result)
                    else {
                        continue;
                    };
                    found.push(eq(of(add(*sum, *more)), bv_add(*term, value)));
                    found.push(eq(of(sub(*sum, *more)), bv_sub(*term, value)));
                }
            }
            _ => {}
        }
    }
    for more in added {
        let value = value_of(*more, all).filter(|value| value.sort() == residue.function.result);
        found.extend(value.map(|value| eq(of(*more), value)));
    }
    found
}

/// The residue of a sum of weights.
fn value_of(sum: Term, residues: &[Residue]) -> Option<Term> {
    match (sum.op(), sum.args()) {
        (Op::Apply(weight), [value]) => residues.iter().any(|residue| residue.weight == *weight).then_some(*value),
        (Op::Add, [first, rest @ ..]) => rest.iter().try_fold(value_of(*first, residues)?, |value, part| {
            let part = value_of(*part, residues)?;
            (part.sort() == value.sort()).then(|| bv_add(value, part))
        }),
        (Op::Neg, [part]) => value_of(*part, residues).map(term::build::bv_neg),
        (Op::Sub, [a, b]) => {
            let (a, b) = (value_of(*a, residues)?, value_of(*b, residues)?);
            (a.sort() == b.sort()).then(|| bv_sub(a, b))
        }
        _ => None,
    }
}

/// A formula with functions of which nothing is known in the place of divisions: if it has no model, neither has the formula.
/// These functions are none that a proof defines, which have other parameters.
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

/// The second argument of a fold's function.
fn applied(fold: &Fold, term: Term) -> Option<Term> {
    matches!(term.op(), Op::Apply(function) if *function == fold.function).then(|| term.args()[1])
}

fn has_functions(terms: impl IntoIterator<Item = Term>) -> bool {
    post_order(terms).iter().any(|term| matches!(term.op(), Op::Apply(_)) || !bound(*term).is_empty())
}

/// The function of a fold of weights.
fn weight(fold: &Fold) -> Option<&term::Function> {
    match (fold.summand.op(), fold.summand.args()) {
        (Op::Apply(weight), [element]) if *element == fold.element && weight.result == Sort::int() => Some(weight),
        _ => None,
    }
}

fn is_well_formed(fold: &Fold, residues: &[Residue]) -> Result<(), Rejected> {
    let (counter, element, sort) = (fold.counter, fold.element, fold.summand.sort());
    let map = Sort::array(fold.place.sort(), element.sort());
    let speaks = variables([fold.summand]);
    let has_group = match (sort.kind(), fold.group) {
        (SortKind::BitVec(_), Group::ExclusiveOr) => !has_functions([fold.summand]),
        (SortKind::Int, Group::Addition) => {
            weight(fold).is_some() || value_of(fold.summand, residues).is_some_and(|value| !has_functions([value]))
        }
        _ => false,
    };
    let is_own = |v: &Term| *v == counter || *v == element;
    if !counter.is_var()
        || !element.is_var()
        || counter == element
        || fold.function.parameters != [map, counter.sort()]
        || fold.function.result != sort
        || !has_group
        || !speaks.iter().all(is_own)
    {
        return Err(wrong("is not well formed"));
    }
    let first = fold.first.as_bv().ok_or_else(|| wrong("does not begin with a constant"))?;
    if fold.first.sort() != counter.sort() || fold.signed && first.signed() < 0 {
        return Err(wrong("begins below zero"));
    }
    Ok(())
}

/// What places are made of.
fn places(fold: &Fold) -> Result<Places, Rejected> {
    let none = || wrong("has places that are no multiples of its counter");
    let width = fold.place.sort().bv_width().ok_or_else(none)?;
    let own = fold.counter.sort().bv_width().ok_or_else(none)?;
    let (scaled, constant) = match (fold.place.op(), fold.place.args()) {
        (Op::BvAdd, &[a, b]) if b.value().is_some() => (a, b),
        (Op::BvAdd, &[a, b]) if a.value().is_some() => (b, a),
        _ => (fold.place, bv(width, 0)),
    };
    let (resized, factor) = match (scaled.op(), scaled.args()) {
        (Op::BvMul, &[a, b]) if b.value().is_some() => (a, b.as_bv().map_or(0, |b| b.unsigned())),
        (Op::BvMul, &[a, b]) if a.value().is_some() => (b, a.as_bv().map_or(0, |a| a.unsigned())),
        // Times minus one, which is odd.
        (Op::BvNeg, &[a]) => (a, u128::MAX),
        _ => (scaled, 1),
    };
    let is_counter = match (resized.op(), resized.args()) {
        (Op::SignExtend(_) | Op::ZeroExtend(_), [inner]) => *inner == fold.counter,
        _ => resized == fold.counter,
    };
    // A counter that is not negative is the same number, whichever way it is extended, if it has a sign.
    let keeps = fold.signed || !matches!(resized.op(), Op::SignExtend(_));
    if !is_counter || !keeps || factor == 0 || width < own || width > 64 {
        return Err(none());
    }
    Ok(Places { width, twos: factor.trailing_zeros(), constant })
}

/// That the order of elements does not matter to a reduction.
fn commutes(reduction: &Reduction, fold: &Fold, smt: &mut dyn Smt) -> Result<(), Rejected> {
    let [one, other] = ["one", "other"].map(|name| Term::var(format!(" {name} element").as_str(), fold.element.sort()));
    let with = |accumulator: Term, element: Term| {
        substitute(reduction.body, |v| {
            if v == reduction.accumulator { Some(accumulator) } else { (v == fold.element).then_some(element) }
        })
    };
    let [there, back] =
        [(one, other), (other, one)].map(|(first, then)| with(with(reduction.accumulator, first), then));
    smt.push();
    smt.assert(not(eq(there, back)));
    let answer = smt.check().decided();
    smt.pop();
    match answer {
        Ok(false) => Ok(()),
        Ok(true) => Err(wrong("has a reduction to which the order of elements matters")),
        Err(why) => Err(Rejected::Undecided(why)),
    }
}

/// What a step of the counter adds.
fn step(fold: &Fold, map: Term, j: Term, n: Term) -> Term {
    let next = bv_add(j, bv(fold.width(), 1));
    let added = fold.sum(fold.of(map, j), fold.at(j, select(map, fold.place_of(j))));
    implies(and([eq(n, next), fold.at_most(fold.first, j), fold.less(j, n)]), eq(fold.of(map, n), added))
}

/// What a reduction makes of one more element.
fn reduced(reduction: &Reduction, fold: &Fold, map: Term, j: Term) -> Term {
    let result = |weights: Term| apply(reduction.function.clone(), &[weights]);
    let (sum, element) = (fold.of(map, j), select(map, fold.place_of(j)));
    let body = substitute(reduction.body, |v| {
        if v == reduction.accumulator { Some(result(sum)) } else { (v == fold.element).then_some(element) }
    });
    eq(result(add(sum, fold.at(j, element))), body)
}

/// What a store does to a fold up to a counter.
fn stored(fold: &Fold, places: &Places, [map, before, at, value]: [Term; 4], n: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let same = eq(fold.of(map, n), fold.of(before, n));
    if places.twos > 0 {
        // All places have the same last bits.
        let low = |term: Term| extract(places.twos - 1, 0, term);
        found.push(implies(not(eq(low(at), low(places.constant))), same));
    }
    if let Some(e) = inverse(fold.place, fold.counter, at) {
        let zero = bv(fold.width(), 0);
        let mut only = vec![eq(fold.place_of(e), at), fold.at_most(zero, e)];
        // The number of counters that are not negative is a power of two.
        let (period, counters) = (places.width - places.twos, fold.width() - u32::from(fold.signed));
        if period < counters {
            let period = bv(fold.width(), 1 << period);
            only.extend([fold.less(e, period), fold.at_most(n, period)]);
        }
        let change = fold.difference(fold.at(e, value), fold.at(e, select(before, at)));
        let changed = eq(fold.of(map, n), fold.sum(fold.of(before, n), change));
        let is_inside = and([fold.at_most(fold.first, e), fold.less(e, n)]);
        found.push(implies(and(only), ite(is_inside, changed, same)));
    }
    found
}

/// The counter whose place a term seems to be; it is for others to say that it is.
fn inverse(place: Term, counter: Term, at: Term) -> Option<Term> {
    if place == counter {
        return Some(at);
    }
    match (place.op(), place.args()) {
        (Op::BvAdd, [part, constant]) | (Op::BvAdd, [constant, part]) if constant.value().is_some() => {
            inverse(*part, counter, bv_sub(at, *constant))
        }
        (Op::BvMul, [part, factor]) | (Op::BvMul, [factor, part]) if factor.value().is_some() => {
            inverse(*part, counter, quotient(at, *factor)?)
        }
        (Op::BvNeg, [part]) => inverse(*part, counter, term::build::bv_neg(at)),
        (op @ (Op::SignExtend(_) | Op::ZeroExtend(_)), [part]) => match at.value() {
            Some(_) => inverse(*part, counter, extract(part.sort().bv_width()? - 1, 0, at)),
            None if at.op() == op && at.args()[0].sort() == part.sort() => inverse(*part, counter, at.args()[0]),
            None => None,
        },
        _ => None,
    }
}

fn quotient(at: Term, factor: Term) -> Option<Term> {
    let width = at.sort().bv_width()?;
    let by = factor.as_bv()?.signed();
    if let Some(constant) = at.as_bv() {
        let signed = constant.signed();
        return (by != 0 && signed % by == 0).then(|| term::build::bv_signed(width, signed / by));
    }
    match (at.op(), at.args()) {
        (Op::BvMul, [a, b]) | (Op::BvMul, [b, a]) if *b == factor => Some(*a),
        (Op::BvAdd, [a, b]) => Some(bv_add(quotient(*a, factor)?, quotient(*b, factor)?)),
        (Op::BvSub, [a, b]) => Some(bv_sub(quotient(*a, factor)?, quotient(*b, factor)?)),
        _ => None,
    }
}

/// Terms of a definition.
trait Defined {
    fn width(&self) -> u32;
    fn of(&self, map: Term, n: Term) -> Term;
    fn at(&self, counter: Term, element: Term) -> Term;
    fn place_of(&self, counter: Term) -> Term;
    fn first_ones(&self, n: Term) -> Vec<Term>;
    fn greatest(&self) -> Term;
    fn zero(&self) -> Term;
    fn sum(&self, a: Term, b: Term) -> Term;
    fn difference(&self, a: Term, b: Term) -> Term;
    fn less(&self, a: Term, b: Term) -> Term;
    fn at_most(&self, a: Term, b: Term) -> Term;
}

impl Defined for Fold {
    fn width(&self) -> u32 {
        self.counter.sort().bv_width().unwrap_or(1)
    }

    fn of(&self, map: Term, n: Term) -> Term {
        apply(self.function.clone(), &[map, n])
    }

    fn at(&self, counter: Term, element: Term) -> Term {
        substitute(
            self.summand,
            |v| {
                if v == self.counter { Some(counter) } else { (v == self.element).then_some(element) }
            },
        )
    }

    fn place_of(&self, counter: Term) -> Term {
        substitute(self.place, |v| (v == self.counter).then_some(counter))
    }

    /// The first counters, up to a constant that is one of them.
    /// The greatest counter.
    fn greatest(&self) -> Term {
        let width = self.width() - u32::from(self.signed);
        bv(self.width(), u128::MAX >> (128 - width))
    }

    fn first_ones(&self, n: Term) -> Vec<Term> {
        let (Some(first), Some(last)) = (self.first.as_bv(), n.as_bv()) else { return Vec::new() };
        let (first, last) = (first.unsigned(), last.unsigned());
        (first..last.min(first + MOST_FIRST)).map(|j| bv(self.width(), j)).collect()
    }

    fn zero(&self) -> Term {
        self.summand.sort().bv_width().map_or_else(|| int(0), |width| bv(width, 0))
    }

    fn sum(&self, a: Term, b: Term) -> Term {
        match self.group {
            Group::ExclusiveOr => bv_xor(a, b),
            Group::Addition => add(a, b),
        }
    }

    fn difference(&self, a: Term, b: Term) -> Term {
        match self.group {
            Group::ExclusiveOr => bv_xor(a, b),
            Group::Addition => sub(a, b),
        }
    }

    fn less(&self, a: Term, b: Term) -> Term {
        if self.signed { bv_slt(a, b) } else { bv_ult(a, b) }
    }

    fn at_most(&self, a: Term, b: Term) -> Term {
        if self.signed { bv_sle(a, b) } else { bv_ule(a, b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use term::build::{bv_neg, store};
    use term::eval::evaluate;
    use term::random::Random;
    use term::{ArrayValue, Value};

    fn number(name: &str) -> Term {
        Term::var(name, Sort::bv(3))
    }

    fn fold(place: Term, summand: Term, group: Group, signed: bool, first: u128) -> Fold {
        let (counter, element) = (number("counter"), number("element"));
        let parameters = vec![Sort::array(Sort::bv(3), Sort::bv(3)), Sort::bv(3)];
        let function = Function { name: "fold".into(), parameters, result: summand.sort() };
        Fold { function, group, signed, first: bv(3, first), counter, element, place, summand }
    }

    fn residue() -> Residue {
        let function = Function { name: "residue".into(), parameters: vec![Sort::int()], result: Sort::bv(3) };
        Residue {
            function,
            weight: Function { name: "weight".into(), parameters: vec![Sort::bv(3)], result: Sort::int() },
        }
    }

    /// The fold by its definition.
    fn computed(fold: &Fold, map: &Value, n: &Value) -> Value {
        let (Value::Array(map), Value::Bv(n)) = (map, n) else { panic!("{map:?} {n:?}") };
        let numeral = |bv: term::Bv| if fold.signed { bv.signed() } else { bv.unsigned() as i128 };
        let first = numeral(fold.first.as_bv().expect("a constant"));
        let closed = |term: Term| value(fold, term);
        (first..numeral(*n)).fold(closed(fold.zero()), |sum, counter| {
            let counter = term::build::bv_signed(3, counter);
            let element = Term::constant(map.get(&closed(fold.place_of(counter))).clone());
            closed(fold.sum(Term::constant(sum), fold.at(counter, element)))
        })
    }

    /// A term without variables, with the values of folds in their places.
    fn value(fold: &Fold, term: Term) -> Value {
        fn rewritten(fold: &Fold, term: Term) -> Term {
            let args: Vec<Term> = term.args().iter().map(|part| rewritten(fold, *part)).collect();
            match term.op() {
                Op::Apply(function) if *function == fold.function => {
                    Term::constant(computed(fold, &value(fold, args[0]), &value(fold, args[1])))
                }
                Op::Apply(function) if *function == residue().weight => term::build::bv_to_int(false, args[0]),
                Op::Apply(_) => term::build::int_to_bv(3, args[0]),
                _ if args.is_empty() => term,
                op => Term::new(op.clone(), &args),
            }
        }
        evaluate(rewritten(fold, term), &|_| None).expect("a closed term")
    }

    /// Whatever is said of the terms of a question is so, for all values of the variables.
    #[test]
    fn instances_hold_of_folds() {
        let (counter, element) = (number("counter"), number("element"));
        let times = |factor: u128| term::build::bv_mul(counter, bv(3, factor));
        let places =
            [counter, times(2), times(3), times(4), times(6), bv_add(times(2), bv(3, 1)), bv_add(counter, bv(3, 5))];
        let summands =
            [element, bv_add(element, counter), bv_neg(element), ite(bv_ult(element, bv(3, 3)), counter, element)];
        let mut random = Random::new(3);
        let (mut said, mut used) = (0, 0);
        for round in 0..600 {
            let group = [Group::Addition, Group::ExclusiveOr][random.below(2)];
            let (place, mut summand) = (places[random.below(places.len())], summands[random.below(summands.len())]);
            let residue = residue();
            if group == Group::Addition {
                summand = apply(residue.weight.clone(), &[summand]);
            }
            let fold = fold(place, summand, group, random.below(2) == 0, random.below(3) as u128);
            let residues = [residue];
            is_well_formed(&fold, &residues).expect("a fold");
            let residue = &residues[0];
            let folds = Folds {
                folds: vec![(&fold, self::places(&fold).expect("places"))],
                reductions: &[],
                residues: &residues,
            };
            let map = Term::var("map", fold.function.parameters[0]);
            let (n, j, x) = (number("n"), number("j"), number("x"));
            let at = if random.below(2) == 0 { fold.place_of(j) } else { bv(3, random.below(8) as u128) };
            let mut question =
                vec![eq(fold.of(store(map, at, x), n), fold.of(map, j)), eq(fold.of(map, n), fold.zero())];
            if group == Group::Addition {
                let sum = add(fold.of(map, n), apply(residue.weight.clone(), &[select(map, fold.place_of(j))]));
                question.push(eq(apply(residue.function.clone(), &[sum]), x));
            }
            let instances = folds.instances(&question);
            assert!(instances.len() > 3, "{round}");
            let numbers: Vec<Value> = (0..3).map(|_| Value::bv(3, random.below(8) as u128)).collect();
            let mut array = ArrayValue::constant(Sort::bv(3), Value::bv(3, 0));
            (0..8).for_each(|at| array.set(Value::bv(3, at), Value::bv(3, random.below(8) as u128)));
            let array = Value::Array(Arc::new(array));
            for instance in instances {
                let closed = substitute(instance, |v| {
                    let known = [n, j, x].iter().position(|known| *known == v).map(|at| numbers[at].clone());
                    known.or_else(|| (v == map).then(|| array.clone())).map(Term::constant)
                });
                assert_eq!(value(&fold, closed), Value::Bool(true), "{instance} with {numbers:?} {array:?}");
                said += 1;
                used +=
                    u32::from(closed.args().first().is_none_or(|premise| value(&fold, *premise) == Value::Bool(true)));
            }
        }
        assert!(used > said / 10, "{used} of {said} say anything");
    }

    /// Definitions that are none are refused.
    #[test]
    fn places_and_reductions_are_checked() {
        let (counter, element) = (number("counter"), number("element"));
        let program = ir::parse("procedure main() {\nentry -> exit: skip\n}\n").expect("a program");
        let check = |fold: Fold, body: Option<Term>, is_right: bool| {
            let (accumulator, start) = (number("accumulator"), bv(3, 0));
            let function = Function { name: "reduced".into(), parameters: vec![Sort::int()], result: Sort::bv(3) };
            let reduction = |body: Term| Reduction { function: function.clone(), weights: 0, start, accumulator, body };
            let reductions: Vec<Reduction> = body.into_iter().map(reduction).collect();
            let mut smt = solver::Z3::new(solver::Profile::Incremental);
            let checked = Folds::checked(&program, (std::slice::from_ref(&fold), &reductions, &[]), &mut smt);
            assert_eq!(checked.is_ok(), is_right, "{:?} {body:?}", fold.place);
        };
        let sum = |place: Term| fold(place, element, Group::ExclusiveOr, true, 0);
        check(sum(counter), None, true);
        check(sum(term::build::bv_mul(counter, counter)), None, false);
        check(sum(bv_add(counter, number("other"))), None, false);
        check(fold(counter, element, Group::ExclusiveOr, true, 7), None, false);
        check(fold(counter, element, Group::Addition, true, 0), None, false);
        check(fold(counter, bv_add(element, number("other")), Group::ExclusiveOr, true, 0), None, false);
        let weights = fold(counter, apply(residue().weight, &[element]), Group::Addition, true, 0);
        let accumulator = number("accumulator");
        let greatest = ite(bv_ult(accumulator, element), element, accumulator);
        check(weights.clone(), Some(greatest), true);
        check(weights.clone(), Some(element), false);
        check(weights, Some(bv_add(bv_add(accumulator, accumulator), element)), false);
        check(sum(counter), Some(greatest), false);
    }
}
