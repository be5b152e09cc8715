//! Loops that go through a map with a counter, and what they fold.

use blocks::model::Model;
use blocks::solvers::{BlockId, Solvers};
use engine::{Fold, Group, Reason, Reduction, Residue, Run};
use pass::Guarded;
use solver::{Answer, Profile, Smt};
use term::build::{add, apply, bv, bv_add, bv_xor, eq, int, neg, not, sub};
use term::free::variables;
use term::subst::substitute;
use term::visit::{map_children, post_order};
use term::{Function, Op, Sort, SortKind, Term};

/// Loops that begin no later than this are taken to fold all elements.
const LATEST: u128 = 2;

/// A block that leads back to where it begins and increases a counter that is below a bound.
pub struct Loop {
    pub block: BlockId,
    pub counter: Term,
    pub bound: Term,
    pub signed: bool,
    /// What the counter begins with, if that is a constant.
    pub first: Option<Term>,
}

/// A variable to which a loop adds something for each element.
pub struct Accumulation {
    pub block: BlockId,
    pub accumulator: Term,
    /// What it is in the next round.
    pub value: Term,
    pub counter: Term,
    /// The element that is read.
    pub element: Term,
    pub fold: usize,
    pub how: How,
}

impl Accumulation {
    pub fn is_sum(&self) -> bool {
        !matches!(self.how, How::Reduced(_))
    }
}

/// What is done with an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Added,
    Subtracted,
    /// It goes through the reduction of this number.
    Reduced(usize),
}

#[derive(Default)]
pub struct Loops {
    pub loops: Vec<Loop>,
    pub accumulations: Vec<Accumulation>,
    pub folds: Vec<Fold>,
    pub reductions: Vec<Reduction>,
    pub residues: Vec<Residue>,
}

impl Loops {
    pub fn find(model: &Model<'_>, solvers: &mut Solvers, run: &mut Run) -> Result<Loops, Reason> {
        let mut found = Loops::default();
        for location in model.locations() {
            for (number, block) in model.outgoing(*location).iter().enumerate() {
                run.tick()?;
                let Some(op) = block.op.as_ref().filter(|_| block.to() == *location) else { continue };
                let counters = op.update().iter().filter(|(v, value)| counts(**v) == Some(**value)).map(|(v, _)| *v);
                for counter in counters.collect::<Vec<_>>() {
                    let bounds = bounds(op, counter);
                    for (bound, signed) in &bounds {
                        let (bound, signed) = (*bound, *signed);
                        let first = first(model, *location, counter, signed);
                        found.loops.push(Loop { block: (*location, number), counter, bound, signed, first });
                    }
                    if bounds.is_empty() {
                        continue;
                    }
                    let mut smt = solvers.general().sibling(Profile::Incremental);
                    found.accumulate(model, op, &mut smt);
                }
            }
        }
        Ok(found)
    }

    /// The variables that sums and reductions are computed in.
    pub fn accumulators(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.accumulations.iter().map(|one| one.accumulator).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What residues and reductions are of no elements.
    pub fn of_nothing(&self) -> Vec<Term> {
        let start = |reduction: &Reduction| (reduction.function.clone(), reduction.start);
        let zero =
            |residue: &Residue| (residue.function.clone(), bv(residue.function.result.bv_width().unwrap_or(1), 0));
        let all = self.reductions.iter().map(start).chain(self.residues.iter().map(zero));
        all.map(|(function, value)| eq(apply(function, &[int(0)]), value)).collect()
    }

    /// What the last loop accumulates.
    fn accumulate(&mut self, model: &Model<'_>, op: &Guarded, smt: &mut dyn Smt) {
        let Some(&Loop { block, counter, signed, first: Some(first), .. }) = self.loops.last() else { return };
        for (accumulator, value) in op.update() {
            let is_number = accumulator.sort().bv_width().is_some_and(|width| (2..=64).contains(&width));
            let Some(element) = only_element(*value).filter(|_| is_number && *accumulator != counter) else { continue };
            let (map, place) = (element.args()[0], element.args()[1]);
            if op.update().contains_key(&map) || variables([place]) != [counter] {
                continue;
            }
            let shown = Term::var(format!("$element:{}", element.sort()).as_str(), element.sort());
            let index = Term::var(format!("$counter:{}", counter.sort()).as_str(), counter.sort());
            let step = replaced(*value, element, shown);
            if !variables([step]).iter().all(|v| [*accumulator, counter, shown].contains(v)) {
                continue;
            }
            let with_index = |term: Term| substitute(term, |v| (v == counter).then_some(index));
            let mut definition = Fold {
                function: Function {
                    name: "".into(),
                    parameters: vec![map.sort(), counter.sort()],
                    result: value.sort(),
                },
                group: Group::Addition,
                signed,
                first,
                counter: index,
                element: shown,
                place: with_index(place),
                summand: truth(),
            };
            let how = match group(*accumulator, step, smt) {
                Some((group, summand, how)) => {
                    (definition.group, definition.summand) = (group, with_index(summand));
                    if group == Group::Addition {
                        let residue = self.residue(value.sort());
                        definition.summand = self.residues[residue].weighed(definition.summand);
                        definition.function.result = Sort::int();
                    }
                    how
                }
                None if !variables([step]).contains(&counter) => {
                    let name = format!("$weight:{}", shown.sort());
                    let (parameters, result) = (vec![shown.sort()], Sort::int());
                    definition.summand = apply(Function { name: name.as_str().into(), parameters, result }, &[shown]);
                    definition.function.result = Sort::int();
                    let Some(start) = start(model, block, *accumulator, (step, shown), smt) else { continue };
                    // Nothing is known of a reduction of a fold from which its first elements were taken: what begins
                    // later has to begin with an element.
                    let begins_late = |op: &Guarded| op.after(counter) != first;
                    if entering(model, block.0)
                        .any(|op| begins_late(op) && only_element(op.after(*accumulator)).is_none())
                    {
                        continue;
                    }
                    let own = Term::var(format!("$accumulator:{}", value.sort()).as_str(), value.sort());
                    let body = substitute(step, |v| (v == *accumulator).then_some(own));
                    if !commutes(body, own, shown, smt) {
                        continue;
                    }
                    let weights = self.fold(definition.clone());
                    How::Reduced(self.reduction(weights, start, own, body))
                }
                None => continue,
            };
            let (accumulator, value, fold) = (*accumulator, *value, self.fold(definition));
            self.accumulations.push(Accumulation { block, accumulator, value, counter, element, fold, how });
        }
    }

    /// The number of a fold.
    fn fold(&mut self, mut fold: Fold) -> usize {
        let same = |known: &Fold| Fold { function: fold.function.clone(), ..known.clone() } == fold;
        let is_typed = |known: &Fold| known.function.parameters == fold.function.parameters;
        if let Some(number) = self.folds.iter().position(|known| is_typed(known) && same(known)) {
            return number;
        }
        fold.function.name = format!("$fold{}", self.folds.len()).as_str().into();
        self.folds.push(fold);
        self.folds.len() - 1
    }

    /// The number of the residue of a sort.
    pub fn residue(&mut self, sort: Sort) -> usize {
        if let Some(number) = self.residues.iter().position(|known| known.function.result == sort) {
            return number;
        }
        let named = |name: String, from: Sort, result: Sort| Function {
            name: name.as_str().into(),
            parameters: vec![from],
            result,
        };
        let function = named(format!("$residue:{sort}"), Sort::int(), sort);
        self.residues.push(Residue { function, weight: named(format!("$integer:{sort}"), sort, Sort::int()) });
        self.residues.len() - 1
    }

    /// The number of a reduction.
    fn reduction(&mut self, weights: usize, start: Term, accumulator: Term, body: Term) -> usize {
        let is_same = |known: &Reduction| (known.weights, known.start, known.body) == (weights, start, body);
        if let Some(number) = self.reductions.iter().position(is_same) {
            return number;
        }
        let name = format!("$reduced{}", self.reductions.len());
        let function = Function { name: name.as_str().into(), parameters: vec![Sort::int()], result: body.sort() };
        self.reductions.push(Reduction { function, weights, start, accumulator, body });
        self.reductions.len() - 1
    }
}

fn truth() -> Term {
    term::build::truth()
}

/// Machine integers as integers.
pub trait Weighed {
    /// The sum of the integers that the parts of a sum are.
    fn weighed(&self, sum: Term) -> Term;
}

impl Weighed for Residue {
    fn weighed(&self, sum: Term) -> Term {
        match (sum.op(), sum.args()) {
            (Op::BvAdd, [first, rest @ ..]) => {
                rest.iter().fold(self.weighed(*first), |whole, part| add(whole, self.weighed(*part)))
            }
            (Op::BvSub, [a, b]) => sub(self.weighed(*a), self.weighed(*b)),
            (Op::BvNeg, [part]) => neg(self.weighed(*part)),
            _ => apply(self.weight.clone(), &[sum]),
        }
    }
}

/// A variable plus one.
fn counts(variable: Term) -> Option<Term> {
    let width = variable.sort().bv_width().filter(|width| (2..=64).contains(width))?;
    Some(bv_add(variable, bv(width, 1)))
}

/// What a counter is below, in the guard or by what is known, and whether that is meant with sign.
fn bounds(op: &Guarded, counter: Term) -> Vec<(Term, bool)> {
    let mut found = Vec::new();
    let mut pending = op.conjuncts().to_vec();
    while let Some(conjunct) = pending.pop() {
        let below = match (conjunct.op(), conjunct.args()) {
            (Op::And, parts) => {
                pending.extend(parts);
                continue;
            }
            (Op::BvSlt, &[a, b]) if a == counter => Some((b, true)),
            (Op::BvUlt, &[a, b]) if a == counter => Some((b, false)),
            (Op::Not, &[inner]) => match (inner.op(), inner.args()) {
                (Op::BvSle, &[b, a]) if a == counter => Some((b, true)),
                (Op::BvUle, &[b, a]) if a == counter => Some((b, false)),
                _ => None,
            },
            _ => None,
        };
        let stays = |v: &Term| !op.update().contains_key(v) && !op.inputs().contains(v);
        if let Some((bound, signed)) = below
            && variables([bound]).iter().all(stays)
        {
            found.push((bound, signed));
        }
    }
    found
}

/// The blocks that lead to a location from others.
fn entering<'m>(model: &'m Model<'_>, location: ir::LocId) -> impl Iterator<Item = &'m Guarded> {
    let others = model.locations().iter().filter(move |from| **from != location);
    let blocks = others.flat_map(|from| model.outgoing(*from)).filter(move |block| block.to() == location);
    blocks.filter_map(|block| block.op.as_ref())
}

/// The constant that a counter begins with.
fn first(model: &Model<'_>, location: ir::LocId, counter: Term, signed: bool) -> Option<Term> {
    let mut values = entering(model, location).map(|op| op.after(counter));
    let first = values.next()?;
    let (width, number) = (first.sort().bv_width()?, first.as_bv()?);
    let is_sound = values.all(|other| other == first) && !(signed && number.signed() < 0);
    // What begins a little later is the same fold without its first elements.
    let begins = if number.unsigned() <= LATEST { bv(width, 0) } else { first };
    is_sound.then_some(begins)
}

/// The one element of a variable map that a term reads.
fn only_element(value: Term) -> Option<Term> {
    let parts = post_order([value]);
    let is_map = |term: &&Term| matches!(term.sort().kind(), SortKind::Array(..));
    let mut elements = parts.iter().filter(|part| *part.op() == Op::Select);
    let element = *elements.next()?;
    let is_only = elements.next().is_none() && element.args()[0].is_var();
    (is_only && parts.iter().filter(is_map).count() == 1).then_some(element)
}

/// A term with another in the place of one of its parts.
fn replaced(term: Term, part: Term, by: Term) -> Term {
    if term == part { by } else { map_children(term, |inner| replaced(inner, part, by)) }
}

fn is_valid(formula: Term, smt: &mut dyn Smt) -> bool {
    smt.push();
    smt.assert(not(formula));
    let answer = smt.check();
    smt.pop();
    answer == Answer::Unsat
}

/// The group in which a step adds something to the accumulator, and what.
fn group(accumulator: Term, step: Term, smt: &mut dyn Smt) -> Option<(Group, Term, How)> {
    let width = accumulator.sort().bv_width()?;
    let summand = substitute(step, |v| (v == accumulator).then(|| bv(width, 0)));
    if is_valid(eq(step, bv_add(accumulator, summand)), smt) {
        return Some(match (summand.op(), summand.args()) {
            (Op::BvNeg, [inner]) => (Group::Addition, *inner, How::Subtracted),
            _ => (Group::Addition, summand, How::Added),
        });
    }
    let is_exclusive = is_valid(eq(step, bv_xor(accumulator, summand)), smt);
    is_exclusive.then_some((Group::ExclusiveOr, summand, How::Added))
}

/// Whether the order of elements does not matter to a reduction.
fn commutes(body: Term, accumulator: Term, element: Term, smt: &mut dyn Smt) -> bool {
    let [one, other] = ["$one", "$other"].map(|name| Term::var(name, element.sort()));
    let with = |from: Term, next: Term| {
        substitute(body, |v| if v == accumulator { Some(from) } else { (v == element).then_some(next) })
    };
    let [there, back] = [(one, other), (other, one)].map(|(first, then)| with(with(accumulator, first), then));
    is_valid(eq(there, back), smt)
}

/// A constant such that the reduction begins with it, or with what it makes of one element and it.
fn start(
    model: &Model<'_>,
    block: BlockId,
    accumulator: Term,
    (step, element): (Term, Term),
    smt: &mut dyn Smt,
) -> Option<Term> {
    let width = accumulator.sort().bv_width()?;
    let values: Vec<Term> = entering(model, block.0).map(|op| op.after(accumulator)).collect();
    if let Some(constant) = values.iter().find(|value| value.value().is_some()) {
        return Some(*constant);
    }
    let least = 1u128 << (width - 1);
    let candidates = [0, term::bits::mask(width), least, least - 1].map(|number| bv(width, number));
    candidates.into_iter().find(|start| {
        values
            .iter()
            .any(|value| of_one(*value, accumulator, (step, element), *start, &mut |f| is_valid(f, smt)).is_some())
    })
}

/// The element that a value is made of by one step from the start of a reduction.
pub fn of_one(
    value: Term,
    accumulator: Term,
    (step, element): (Term, Term),
    start: Term,
    is_valid: &mut dyn FnMut(Term) -> bool,
) -> Option<Term> {
    let read = post_order([value]).into_iter().filter(|part| *part.op() == Op::Select && part.sort() == element.sort());
    read.into_iter().find(|part| {
        let made = substitute(step, |v| if v == accumulator { Some(start) } else { (v == element).then_some(*part) });
        is_valid(eq(made, value))
    })
}
