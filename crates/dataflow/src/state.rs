//! What is known at a location: ranges of integers, and conditions.

use analysis::intervals::{
    self, Evaluator, State as Ranges, assigned, assume, forget, includes, tracked_variable, widen, width,
};
use ir::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::build::{not, pointer_object, pointer_offset};
use term::free::Free;
use term::subst::substitute;
use term::{Op as TermOp, SortKind, Term};

/// No more conditions are kept at a location.
const MOST: usize = 200;

/// What is known at a location; nothing at first.
#[derive(Clone, PartialEq, Default)]
pub struct Known {
    pub ranges: Rc<Ranges>,
    pub conditions: Rc<BTreeSet<Term>>,
}

impl Known {
    /// What is known behind an operation that is no call; `None` if it is not done.
    pub fn after(&self, op: &Op, free: &mut Free) -> Option<Known> {
        match op {
            Op::Assume(condition) => self.assume(*condition),
            Op::Assign(pairs) => Some(self.assign(pairs, free)),
            Op::Havoc(variables) => Some(self.forgetting(variables, free)),
            Op::AtomicBegin | Op::AtomicEnd => Some(self.clone()),
            Op::Call { .. } | Op::Spawn { .. } => Some(Known::default()),
        }
    }

    fn assume(&self, condition: Term) -> Option<Known> {
        let mut truths = Truths { conditions: &self.conditions, values: Evaluator::new(&self.ranges) };
        match truths.of(condition) {
            Some(false) => return None,
            Some(true) => return Some(self.clone()),
            None => {}
        }
        let ranges = assume(&self.ranges, condition, true)?;
        let mut conditions = BTreeSet::clone(&self.conditions);
        conjuncts(condition).into_iter().for_each(|part| add(&mut conditions, part));
        Some(Known { ranges: Rc::new(ranges), conditions: Rc::new(conditions) })
    }

    fn assign(&self, pairs: &[(Term, Term)], free: &mut Free) -> Known {
        if pairs.is_empty() {
            return self.clone();
        }
        let written: FxHashSet<Term> = pairs.iter().map(|(variable, _)| *variable).collect();
        let mut conditions = kept(&self.conditions, &written, free);
        for (variable, value) in pairs.iter().filter(|(_, value)| value.is_var()) {
            // What is known of a variable is known of its copy.
            for condition in self.conditions.iter() {
                if !free.of(*condition).contains(value) {
                    continue;
                }
                let copied = substitute(*condition, |v| (v == *value).then_some(*variable));
                if free.of(copied).iter().all(|v| v == variable || !written.contains(v)) {
                    add(&mut conditions, copied);
                }
            }
        }
        let ranges = assigned(&self.ranges, Ranges::clone(&self.ranges), pairs);
        Known { ranges: Rc::new(ranges), conditions: Rc::new(conditions) }
    }

    /// The same where variables have any value.
    pub fn forgetting(&self, variables: &[Term], free: &mut Free) -> Known {
        let written: FxHashSet<Term> = variables.iter().copied().collect();
        let mut ranges = Ranges::clone(&self.ranges);
        variables.iter().for_each(|variable| forget(&mut ranges, *variable));
        Known { ranges: Rc::new(ranges), conditions: Rc::new(kept(&self.conditions, &written, free)) }
    }

    /// What speaks only of some variables.
    pub fn about(&self, counts: impl Fn(Term) -> bool, free: &mut Free) -> Known {
        let all_ranges = self.ranges.keys().all(|term| counts(tracked_variable(*term)));
        let ranges = match all_ranges {
            true => self.ranges.clone(),
            false => {
                let kept = self.ranges.iter().filter(|(term, _)| counts(tracked_variable(**term)));
                Rc::new(kept.map(|(term, range)| (*term, *range)).collect())
            }
        };
        let mut speaks = |condition: &Term| free.of(*condition).iter().all(|variable| counts(*variable));
        let conditions = match self.conditions.iter().all(&mut speaks) {
            true => self.conditions.clone(),
            false => Rc::new(self.conditions.iter().copied().filter(|condition| speaks(condition)).collect()),
        };
        Known { ranges, conditions }
    }

    /// Whether whatever the other state allows, this one does.
    pub fn includes(&self, other: &Known) -> bool {
        let ranges = Rc::ptr_eq(&self.ranges, &other.ranges) || includes(&self.ranges, &other.ranges);
        ranges && (Rc::ptr_eq(&self.conditions, &other.conditions) || self.conditions.is_subset(&other.conditions))
    }

    pub fn join(&self, other: &Known) -> Known {
        if Rc::ptr_eq(&self.ranges, &other.ranges) && Rc::ptr_eq(&self.conditions, &other.conditions) {
            return self.clone();
        }
        Known {
            ranges: Rc::new(intervals::join(&self.ranges, &other.ranges)),
            conditions: Rc::new(self.conditions.intersection(&other.conditions).copied().collect()),
        }
    }

    /// A state that includes a later one, which includes this.
    pub fn widen(&self, later: &Known, thresholds: &[i128]) -> Known {
        Known { ranges: Rc::new(widen(&self.ranges, &later.ranges, thresholds)), conditions: later.conditions.clone() }
    }
}

/// What is known at a callee's entry, from what is known at a call.
pub fn bound(
    before: &Known,
    parameters: &[Term],
    arguments: &[Term],
    globals: &FxHashSet<Term>,
    free: &mut Free,
) -> Known {
    let pairs: Vec<(Term, Term)> = parameters.iter().copied().zip(arguments.iter().copied()).collect();
    let global = before.about(|variable| globals.contains(&variable), free);
    let ranges = assigned(&before.ranges, Ranges::clone(&global.ranges), &pairs);
    let mut conditions = BTreeSet::clone(&global.conditions);
    let passed: FxHashMap<Term, Term> =
        pairs.iter().filter(|(_, argument)| argument.is_var()).map(|(p, argument)| (*argument, *p)).collect();
    for condition in before.conditions.iter() {
        let known = free.of(*condition);
        if known.iter().any(|v| passed.contains_key(v))
            && known.iter().all(|v| passed.contains_key(v) || globals.contains(v))
        {
            add(&mut conditions, substitute(*condition, |v| passed.get(&v).copied()));
        }
    }
    Known { ranges: Rc::new(ranges), conditions: Rc::new(conditions) }
}

/// What is known behind a call, from what is known before it and at the callee's exit.
pub fn returned(
    before: &Known,
    exit: &Known,
    changed: &FxHashSet<Term>,
    own: &[Term],
    results: &[Term],
    free: &mut Free,
) -> Known {
    let written: Vec<Term> = changed.iter().chain(results).copied().collect();
    let kept = before.forgetting(&written, free);
    let targets: FxHashMap<Term, Term> = own.iter().copied().zip(results.iter().copied()).collect();
    // A global that takes a result is not what the callee left in it.
    let survives = |variable: Term| changed.contains(&variable) && !results.contains(&variable);
    let (mut ranges, mut conditions) = (Ranges::clone(&kept.ranges), BTreeSet::clone(&kept.conditions));
    for (term, range) in exit.ranges.iter() {
        let variable = tracked_variable(*term);
        if let Some(target) = targets.get(&variable) {
            let part = match term.op() {
                TermOp::PointerObject => pointer_object(*target),
                TermOp::PointerOffset => pointer_offset(*target),
                _ => *target,
            };
            ranges.insert(part, *range);
        } else if survives(variable) {
            ranges.insert(*term, *range);
        }
    }
    let is_known = |variable: &Term| targets.contains_key(variable) || survives(*variable);
    for condition in exit.conditions.iter() {
        if free.of(*condition).iter().all(is_known) {
            add(&mut conditions, substitute(*condition, |v| targets.get(&v).copied()));
        }
    }
    Known { ranges: Rc::new(ranges), conditions: Rc::new(conditions) }
}

/// One more condition, if there is room.
fn add(conditions: &mut BTreeSet<Term>, condition: Term) {
    if conditions.len() < MOST {
        conditions.insert(condition);
    }
}

/// The conditions that mention none of the variables that are written.
fn kept(conditions: &BTreeSet<Term>, written: &FxHashSet<Term>, free: &mut Free) -> BTreeSet<Term> {
    conditions.iter().copied().filter(|one| !free.of(*one).iter().any(|v| written.contains(v))).collect()
}

/// The parts of a conjunction that are worth to be remembered.
fn conjuncts(condition: Term) -> Vec<Term> {
    match (condition.op(), condition.args()) {
        (TermOp::And, parts) => parts.iter().flat_map(|part| conjuncts(*part)).collect(),
        // A disjunction that does not hold.
        (TermOp::Not, [inner]) if inner.op() == &TermOp::Or => {
            inner.args().iter().flat_map(|part| conjuncts(not(*part))).collect()
        }
        _ if condition.value().is_some() => Vec::new(),
        _ => vec![condition],
    }
}

/// Which conditions hold.
struct Truths<'a> {
    conditions: &'a BTreeSet<Term>,
    values: Evaluator<'a>,
}

impl Truths<'_> {
    fn of(&mut self, condition: Term) -> Option<bool> {
        if let Some(truth) = condition.as_bool() {
            return Some(truth);
        }
        if self.conditions.contains(&condition) {
            return Some(true);
        }
        if self.conditions.contains(&not(condition)) {
            return Some(false);
        }
        match (condition.op(), condition.args()) {
            (TermOp::Not, [inner]) => self.of(*inner).map(|truth| !truth),
            (TermOp::And, parts) => self.all(parts, false),
            (TermOp::Or, parts) => self.all(parts, true),
            (_, arguments) => {
                let is_integer = |term: &Term| width(*term).is_some();
                let looks = arguments.iter().all(is_integer) && *condition.sort().kind() == SortKind::Bool;
                looks.then(|| self.values.range(condition)).flatten()?.single().map(|value| value == 1)
            }
        }
    }

    /// A conjunction or disjunction: one part that is `decisive` decides.
    fn all(&mut self, parts: &[Term], decisive: bool) -> Option<bool> {
        let mut result = Some(!decisive);
        for part in parts {
            match self.of(*part) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }
}
