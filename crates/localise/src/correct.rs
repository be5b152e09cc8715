//! Correction sets by partial MaxSAT on the trace formula.
//!
//! Hard: the inputs, and that the execution does not come to the violation. Soft: what statements give and where
//! branches go. The formula knows two ways not to come to the violation: *pass* (all branches as in the execution,
//! but the violated condition does not hold) and
//! *leave* (some branch goes another way, before which all checks hold).
//!
//! Smallest sets come first: sets of groups are hitting sets of the unsatisfiable cores found so far, enumerated by
//! size. A group is relaxed at one occurrence first, from the last backwards, then at all of them: so the reason that
//! is told is a single value where there is one.

use crate::trace::{Decision, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Blaster, Limits, Profile, Smt, Z3};
use term::visit::post_order;
use term::{Term, Value, build};

/// How many values and branches, counted from the violation, can be changed.
const WINDOW: usize = 1_500;
/// How many occurrences of a statement are relaxed alone.
const OCCURRENCES: usize = 6;
/// The largest sets.
const LARGEST: usize = 3;

/// What a correction changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    Definition(usize),
    Decision(usize),
}

/// What would be otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// A definition, by number, gives this value.
    Value(usize, Value),
    /// A decision, by number, goes another way.
    Flip(usize),
    /// So does each later one at the same place.
    FlipOn(usize),
}

/// The formula of a trace, ready to be asked.
pub struct Formula<'t> {
    trace: &'t Trace,
    smt: Box<dyn Smt>,
    /// What says that an item is as the statement has it.
    selectors: Vec<(Item, Term)>,
    /// The items of each group, the last first.
    groups: FxHashMap<usize, Vec<Item>>,
    flags: FxHashMap<usize, Term>,
    pass: Term,
    leave: Term,
    /// Whether the beginning of the trace is fixed.
    pub is_cut: bool,
}

impl<'t> Formula<'t> {
    /// The last decision is the one that leads to the violation.
    pub fn new(trace: &'t Trace, limits: Limits) -> Formula<'t> {
        let terms = trace.definitions.iter().flat_map(|d| d.parts.iter().flat_map(|(v, of)| [*v, *of]));
        let terms = terms.chain(trace.hard.iter().flat_map(|(name, of)| [*name, *of]));
        let all = terms.chain(trace.decisions.iter().map(|decision| decision.condition));
        let bits = post_order(all).into_iter().all(Blaster::takes);
        let mut smt: Box<dyn Smt> =
            if bits { Box::new(Blaster::new()) } else { Box::new(Z3::new(Profile::Incremental)) };
        smt.set_limits(limits);
        let variable = |name: String| Term::var(name.as_str(), term::Sort::bool());
        let mut formula = Formula {
            trace,
            smt,
            selectors: Vec::new(),
            groups: FxHashMap::default(),
            flags: FxHashMap::default(),
            pass: variable("$trace!pass".to_string()),
            leave: variable("$trace!leave".to_string()),
            is_cut: false,
        };
        formula.define();
        formula.decide();
        formula
    }

    fn select(&mut self, item: Item, group: usize) -> Term {
        let name = match item {
            Item::Definition(number) => format!("$trace!value{number}"),
            Item::Decision(number) => format!("$trace!branch{number}"),
        };
        let selector = Term::var(name.as_str(), term::Sort::bool());
        self.selectors.push((item, selector));
        self.groups.entry(group).or_default().insert(0, item);
        selector
    }

    fn define(&mut self) {
        let trace = self.trace;
        let fixed = trace.definitions.len().saturating_sub(WINDOW);
        self.is_cut = fixed > 0;
        trace.hard.iter().for_each(|(name, of)| self.smt.assert(build::eq(*name, *of)));
        for (number, definition) in trace.definitions.iter().enumerate() {
            if number < fixed {
                for (variable, _) in &definition.parts {
                    let value = Term::constant(trace.values[variable].clone());
                    self.smt.assert(build::eq(*variable, value));
                }
                continue;
            }
            let is_so = build::and(definition.parts.iter().map(|(variable, of)| build::eq(*variable, *of)));
            if trace.excluded.contains(&definition.group) {
                self.smt.assert(is_so);
                continue;
            }
            let selector = self.select(Item::Definition(number), definition.group);
            self.smt.assert(build::implies(selector, is_so));
            let variables: Vec<Term> = definition.parts.iter().map(|(variable, _)| *variable).collect();
            self.smt.prepare(&variables);
        }
    }

    fn decide(&mut self) {
        let trace = self.trace;
        let Some(last) = trace.decisions.len().checked_sub(1) else { return };
        let fixed = trace.decisions.len().saturating_sub(WINDOW);
        self.is_cut |= fixed > 0;
        let mut alive = build::truth();
        let mut stays = Vec::new();
        for (number, Decision { condition, group, is_check, .. }) in trace.decisions.iter().enumerate() {
            let group = group.filter(|group| number != last && number >= fixed && !trace.excluded.contains(group));
            let holds = match group {
                None => *condition,
                Some(group) => {
                    let selector = self.select(Item::Decision(number), group);
                    let flag = Term::var(format!("$trace!flag{number}").as_str(), term::Sort::bool());
                    self.smt.assert(build::implies(selector, build::eq(flag, *condition)));
                    self.flags.insert(number, flag);
                    flag
                }
            };
            if number == last {
                self.smt.assert(build::implies(self.pass, build::and(stays.drain(..).chain([build::not(holds)]))));
                self.smt.assert(build::implies(self.leave, build::not(build::and([alive, holds]))));
                break;
            }
            stays.push(holds);
            if *is_check {
                self.smt.assert(build::implies(self.leave, build::implies(alive, holds)));
                continue;
            }
            let next = Term::var(format!("$trace!alive{number}").as_str(), term::Sort::bool());
            self.smt.assert(build::eq(next, build::and([alive, holds])));
            alive = next;
        }
    }

    fn item_group(&self, item: Item) -> Option<usize> {
        match item {
            Item::Definition(number) => Some(self.trace.definitions[number].group),
            Item::Decision(number) => self.trace.decisions[number].group,
        }
    }

    /// Whether there is a correction that changes only these items.
    fn ask(&mut self, relaxed: &FxHashSet<Item>, goal: Term) -> Answer {
        let fixed = self.selectors.iter().filter(|(item, _)| !relaxed.contains(item)).map(|(_, selector)| *selector);
        let assumptions: Vec<Term> = fixed.chain([goal]).collect();
        self.smt.check_assuming(&assumptions)
    }

    /// What the model changes among these items.
    fn changes(&mut self, relaxed: &FxHashSet<Item>) -> Vec<Change> {
        let mut changes = Vec::new();
        for item in relaxed {
            match *item {
                Item::Definition(number) => {
                    let definition = &self.trace.definitions[number];
                    let parts: Option<Vec<Value>> =
                        definition.parts.iter().map(|(variable, _)| self.smt.value(*variable)).collect();
                    let value = parts.and_then(|parts| definition.value_of(&parts));
                    changes.extend(value.filter(|new| *new != definition.value).map(|v| Change::Value(number, v)));
                }
                Item::Decision(number) => {
                    let flag = self.flags.get(&number).and_then(|flag| self.smt.value(*flag));
                    changes.extend((flag == Some(Value::Bool(false))).then_some(Change::Flip(number)));
                }
            }
        }
        changes
    }

    /// A single number is better one that a reader expects: 0, 1, or one more or less.
    fn prefer(&mut self, relaxed: &FxHashSet<Item>, goal: Term, changes: &mut [Change]) {
        let [Change::Value(number, value)] = changes else { return };
        let definition = &self.trace.definitions[*number];
        let ([(variable, _)], Value::Bv(old)) = (&definition.parts[..], &definition.value) else { return };
        let fixed = self.selectors.iter().filter(|(item, _)| !relaxed.contains(item)).map(|(_, selector)| *selector);
        let mut assumptions: Vec<Term> = fixed.chain([goal]).collect();
        for simple in [old.signed() - 1, old.signed() + 1, 0, 1] {
            let simple = Value::bv(old.width(), simple as u128);
            if simple == definition.value {
                continue;
            }
            assumptions.push(build::eq(*variable, Term::constant(simple.clone())));
            let fits = self.smt.check_assuming(&assumptions).is_sat();
            assumptions.pop();
            if fits {
                *value = simple;
                return;
            }
        }
    }

    /// Corrections that change these groups only, simple ones first.
    pub fn corrections(&mut self, groups: &[usize]) -> Vec<Vec<Change>> {
        let all: FxHashSet<Item> = groups.iter().flat_map(|group| self.groups[group].iter().copied()).collect();
        let mut ways: Vec<FxHashSet<Item>> = Vec::new();
        if let [only] = groups {
            // The value and the place of a store are changed one at a time, too.
            let single = self.groups[only].iter().take(OCCURRENCES);
            ways.extend(single.map(|item| FxHashSet::from_iter([*item])));
        }
        if ways.len() != 1 || all.len() > 1 {
            ways.push(all);
        }
        let mut found = Vec::new();
        for goal in [self.pass, self.leave] {
            for relaxed in &ways {
                if self.ask(relaxed, goal).is_sat() {
                    let mut changes = self.changes(relaxed);
                    self.prefer(relaxed, goal, &mut changes);
                    if let [Change::Flip(number)] = changes[..] {
                        found.push(vec![Change::FlipOn(number)]);
                    }
                    if !changes.is_empty() && !found.contains(&changes) {
                        let at = found.len() - usize::from(matches!(changes[..], [Change::Flip(_)]));
                        found.insert(at, changes);
                    }
                }
            }
        }
        found
    }

    /// Enumerates the smallest sets of groups that have a correction, by size; `take` says for each whether it
    /// counts, and and the enumeration ends with the size at which some counted.
    pub fn smallest(&mut self, mut take: impl FnMut(&mut Self, &[usize]) -> bool) {
        let mut cores: Vec<Vec<usize>> = Vec::new();
        for size in 1..=LARGEST {
            let mut counted = false;
            let mut tried: FxHashSet<Vec<usize>> = FxHashSet::default();
            while let Some(set) = self.hitting_set(&cores, size, &tried) {
                tried.insert(set.clone());
                let relaxed: FxHashSet<Item> =
                    set.iter().flat_map(|group| self.groups[group].iter().copied()).collect();
                // What passes leaves, too: it is the weaker of the two.
                match self.ask(&relaxed, self.leave) {
                    Answer::Sat => {
                        counted |= take(self, &set);
                        continue;
                    }
                    Answer::Unknown(_) => return,
                    Answer::Unsat => {}
                }
                let selected: FxHashMap<Term, Item> = self.selectors.iter().map(|(i, s)| (*s, *i)).collect();
                let core = self.smt.core().iter().filter_map(|term| self.item_group(*selected.get(term)?));
                let mut core: Vec<usize> = core.collect();
                core.sort_unstable();
                core.dedup();
                if core.is_empty() {
                    return;
                }
                cores.push(core);
            }
            if counted {
                return;
            }
        }
    }

    /// A set of so many groups that has one of each core and was not tried: those near to the violation first.
    fn hitting_set(&self, cores: &[Vec<usize>], size: usize, tried: &FxHashSet<Vec<usize>>) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = self.groups.keys().copied().collect();
        order.sort_by_key(|group| std::cmp::Reverse(self.last_step(*group)));
        let mut chosen = Vec::new();
        let is_new = |set: &[usize]| {
            let mut sorted = set.to_vec();
            sorted.sort_unstable();
            (!tried.contains(&sorted)).then_some(sorted)
        };
        extend(&order, cores, size, &mut chosen, &is_new)
    }

    /// When a group was executed last.
    pub fn last_step(&self, group: usize) -> u64 {
        let step = |item: &Item| match *item {
            Item::Definition(number) => self.trace.definitions[number].step,
            Item::Decision(number) => self.trace.decisions[number].step,
        };
        self.groups.get(&group).into_iter().flatten().map(step).max().unwrap_or(0)
    }
}

/// Extends a set to one of the given size that hits all cores: by the groups of a core that is not hit yet, or by any.
fn extend(
    order: &[usize],
    cores: &[Vec<usize>],
    size: usize,
    chosen: &mut Vec<usize>,
    is_new: &dyn Fn(&[usize]) -> Option<Vec<usize>>,
) -> Option<Vec<usize>> {
    let open = cores.iter().find(|core| !core.iter().any(|group| chosen.contains(group)));
    if chosen.len() == size {
        return if open.is_none() { is_new(chosen) } else { None };
    }
    let candidates = order.iter().filter(|group| open.is_none_or(|core| core.contains(group)));
    for group in candidates.filter(|group| !chosen.contains(group)).copied().collect::<Vec<_>>() {
        chosen.push(group);
        let found = extend(order, cores, size, chosen, is_new);
        chosen.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}
