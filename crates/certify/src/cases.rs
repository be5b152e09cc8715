//! Invariants that list states: each of them is followed to where the part of the program that it begins ends.
//!
//! A formula that is a disjunction says what variables are in each of its cases. In most of them nearly all values are known, so
//! that conditions of the program need no solver, and neither does what is demanded at the end, where one way leads through a part that
//! has thousands. What remains open on a way is asked of the solver by itself.
//!
//! A case is over *symbols*: a program variable at the start is its copy of number 1, and what a havoc chooses is a copy of a higher number.
//! An equation for a symbol takes it away. Nothing here is assumed of who made the proof: cases are all ways to satisfy the formula.

use crate::bounds::Bounds;
use crate::invariants::{Questions, Rejected};
use ir::{Cfa, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::time::Instant;
use term::build::{and, eq, falsehood, not, or, select, store, truth};
use term::free::{Free, contains};
use term::simplify::simplify;
use term::subst::substitute;
use term::{Op as TermOp, Term};

/// So many ways through the program are followed from one case before its location is left to a solver as a whole.
const MOST_WAYS: usize = 32;
/// So many cases a location may have.
const MOST_CASES: usize = 1 << 18;
/// So much is done from one location: edges that are passed, times variables that are known there.
const MOST_STEPS: usize = 400_000_000;
/// So many questions about single ways are asked from one location.
const MOST_QUESTIONS: usize = 20;

/// Whether a formula says what some variable is, in each of its cases.
pub fn lists_states(formula: Term) -> bool {
    match formula.op() {
        TermOp::Or => formula.args().iter().all(|part| lists_states(*part)),
        TermOp::And => formula.args().iter().any(|part| lists_states(*part)),
        _ => constant(formula).is_some(),
    }
}

/// A location from which the formulas of others must be reached.
pub struct Departure<'a> {
    pub cfa: &'a Cfa,
    pub start: LocId,
    /// What holds there.
    pub formula: Term,
    pub cuts: &'a FxHashSet<LocId>,
    /// What must hold at an end, if anything.
    pub expected: &'a dyn Fn(LocId) -> Option<Term>,
    pub questions: &'a Questions<'a>,
}

/// Disjunctions by the values of variables in their parts.
type Tables = FxHashMap<Term, Rc<Table>>;

#[derive(Default)]
struct Table {
    variables: Vec<Term>,
    /// The parts that say that a variable is a constant.
    known: FxHashMap<(Term, Term), Vec<Term>>,
    others: Vec<Term>,
}

/// A way through the program.
#[derive(Clone)]
struct Way {
    location: LocId,
    /// What program variables are; those that are not named are their symbols.
    values: FxHashMap<Term, Term>,
    /// What was asked for on the way and is not certain.
    conditions: Vec<Term>,
}

impl Departure<'_> {
    /// Whether all cases lead to what is expected. `false` says nothing: the formulas may hold all the same.
    pub fn holds(&self) -> Result<bool, Rejected> {
        let limits = self.questions.limits();
        let mut follower = Follower { departure: self, tables: Tables::default(), questions: 0, copies: 1, steps: 0 };
        let mut pending = vec![(vec![self.formula], Vec::new())];
        let mut count = 0;
        while let Some((mut open, mut literals)) = pending.pop() {
            let Some(formula) = open.pop() else {
                if let Some(exceeded) = limits.stopped(Instant::now()) {
                    return Err(Rejected::Undecided(exceeded.into()));
                }
                count += 1;
                if count > MOST_CASES || !follower.follow(&literals)? {
                    return Ok(false);
                }
                continue;
            };
            match formula.op() {
                TermOp::And => open.extend(formula.args()),
                TermOp::Or => {
                    for part in formula.args() {
                        let mut rest = open.clone();
                        rest.push(*part);
                        pending.push((rest, literals.clone()));
                    }
                    continue;
                }
                _ => literals.push(formula),
            }
            pending.push((open, literals));
        }
        Ok(true)
    }
}

struct Follower<'a> {
    departure: &'a Departure<'a>,
    tables: Tables,
    questions: usize,
    /// The number of the last copy of any variable.
    copies: u32,
    /// What was done so far: the edges that were passed, times the variables that were known there.
    steps: usize,
}

impl Follower<'_> {
    /// Follows one case.
    fn follow(&mut self, literals: &[Term]) -> Result<bool, Rejected> {
        let (values, conditions) = self.settle(literals);
        let Departure { cfa, start, cuts, .. } = *self.departure;
        let mut ways = vec![Way { location: start, values, conditions }];
        let mut left = MOST_WAYS;
        while let Some(way) = ways.pop() {
            let edges = cfa.outgoing(way.location);
            let mut way = Some(way);
            for (number, edge) in edges.iter().enumerate() {
                let edge = cfa.edge(*edge);
                if way.as_ref().is_some_and(|way| way.excludes(&edge.op)) {
                    continue;
                }
                let before = if number + 1 == edges.len() { way.take() } else { way.clone() };
                let Some(before) = before else { continue };
                self.steps += before.values.len();
                let next = Way { location: edge.to, ..self.pass(&edge.op, before) };
                if self.steps > MOST_STEPS {
                    return Ok(false);
                }
                if !cuts.contains(&edge.to) && !cfa.outgoing(edge.to).is_empty() {
                    ways.push(next);
                    continue;
                }
                left -= 1;
                if !self.arrive(&next)? || left == 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What variables are in a case, and what else is known of their symbols.
    fn settle(&mut self, literals: &[Term]) -> (FxHashMap<Term, Term>, Vec<Term>) {
        let (arrays, literals) = self.known_elements(literals);
        let mut literals: Vec<Term> =
            literals.into_iter().map(|literal| substitute(literal, |v| Some(v.at_instance(1)))).collect();
        // Constants first: they need no replacing in what was solved before.
        literals.sort_by_key(|literal| !literal.args().iter().any(|argument| argument.value().is_some()));
        let mut solved: FxHashMap<Term, Term> = FxHashMap::default();
        let mut conditions = Vec::new();
        for literal in literals {
            let literal = substitute(literal, |symbol| solved.get(&symbol).copied());
            match self.solution(literal) {
                Some((symbol, value)) => {
                    for old in solved.values_mut().filter(|old| old.value().is_none()) {
                        *old = substitute(*old, |v| (v == symbol).then_some(value));
                    }
                    solved.insert(symbol, value);
                }
                None => conditions.push(literal),
            }
        }
        let conditions = conditions.into_iter().map(|c| substitute(c, |symbol| solved.get(&symbol).copied())).collect();
        let at_start = solved.into_iter().filter(|(symbol, _)| symbol.at_instance(1) == *symbol);
        let mut values: FxHashMap<Term, Term> =
            at_start.map(|(symbol, value)| (symbol.at_instance(0), value)).collect();
        values.extend(arrays);
        (values, conditions)
    }

    /// The values of arrays of which a case says nothing but constant elements at constant indices, and the other literals. They are
    /// taken out first: solved one by one, each element would cost a substitution in all that were solved before.
    fn known_elements(&mut self, literals: &[Term]) -> (Vec<(Term, Term)>, Vec<Term>) {
        let mut elements: FxHashMap<Term, FxHashMap<Term, Term>> = FxHashMap::default();
        let mut others = Vec::new();
        for literal in literals {
            match constant_element(*literal) {
                Some((array, index, value)) => match elements.entry(array).or_default().entry(index) {
                    Entry::Vacant(entry) => _ = entry.insert(value),
                    Entry::Occupied(entry) if *entry.get() == value => {}
                    Entry::Occupied(_) => others.push(*literal),
                },
                None => others.push(*literal),
            }
        }
        // What is also known otherwise stays among the equations.
        let mut mentioned: FxHashSet<Term> = FxHashSet::default();
        for literal in &others {
            mentioned.extend(Free::new().of(*literal).iter());
        }
        let mut arrays = Vec::new();
        for (array, known) in elements {
            if mentioned.contains(&array) {
                others.extend(known.into_iter().map(|(index, value)| eq(select(array, index), value)));
                continue;
            }
            self.copies += 1;
            let rest = array.at_instance(self.copies);
            arrays.push((array, known.into_iter().fold(rest, |map, (index, value)| store(map, index, value))));
        }
        (arrays, others)
    }

    /// What an equation says that a symbol is. Of an array that is known at one place the rest gets another symbol.
    fn solution(&mut self, equation: Term) -> Option<(Term, Term)> {
        if equation.op() != &TermOp::Eq {
            return match (equation.op(), equation.args()) {
                (TermOp::Var { .. }, _) => Some((equation, truth())),
                (TermOp::Not, [symbol]) if symbol.is_var() => Some((*symbol, falsehood())),
                _ => None,
            };
        }
        let [left, right] = [equation.args()[0], equation.args()[1]];
        for (symbol, value) in [(left, right), (right, left)] {
            if symbol.is_var() && !contains(value, symbol) {
                return Some((symbol, value));
            }
            if let (TermOp::Select, [array, index]) = (symbol.op(), symbol.args())
                && array.is_var()
                && !contains(value, *array)
                && !contains(*index, *array)
            {
                self.copies += 1;
                let rest = array.at_instance(self.copies);
                return Some((*array, store(rest, *index, value)));
            }
        }
        None
    }

    /// The way along an edge that it does not exclude.
    fn pass(&mut self, op: &Op, mut way: Way) -> Way {
        match op {
            Op::Assign(pairs) => {
                let values: Vec<(Term, Term)> = pairs.iter().map(|(v, value)| (*v, way.read(*value))).collect();
                way.values.extend(values);
            }
            Op::Assume(condition) => {
                let condition = way.read(*condition);
                way.conditions.extend(condition.as_bool().is_none().then_some(condition));
            }
            Op::Havoc(variables) => {
                for variable in variables {
                    self.copies += 1;
                    way.values.insert(*variable, variable.at_instance(self.copies));
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Call { .. } | Op::Spawn { .. } => unreachable!("a part with calls has no formula"),
        }
        way
    }

    /// Whether what is expected where a way ends holds there.
    fn arrive(&mut self, way: &Way) -> Result<bool, Rejected> {
        let Some(expected) = (self.departure.expected)(way.location) else { return Ok(true) };
        let open = self.demanded(expected, &Arrival { way, arrays: RefCell::default() });
        if open == truth() {
            return Ok(true);
        }
        let mut formulas = way.conditions.clone();
        formulas.push(not(open));
        let bounds = Bounds::of(&way.conditions);
        let open = bounds.decided(open);
        if open == truth() {
            return Ok(true);
        }
        if simplify(and([bounds.pinned(and(way.conditions.iter().copied())), not(bounds.pinned(open))])) == falsehood()
        {
            return Ok(true);
        }
        self.questions += 1;
        if self.questions > MOST_QUESTIONS {
            return Ok(false);
        }
        self.departure.questions.contradict(&formulas)
    }

    /// What is not certain of a formula at the end of a way.
    fn demanded(&mut self, formula: Term, arrival: &Arrival<'_>) -> Term {
        match formula.op() {
            TermOp::And => {
                let mut open = Vec::new();
                for part in formula.args() {
                    match self.demanded(*part, arrival) {
                        part if part == falsehood() => return falsehood(),
                        part => open.push(part),
                    }
                }
                and(open)
            }
            TermOp::Or => {
                let table = self.table(formula);
                let mut open = Vec::new();
                for part in table.possible(arrival.way) {
                    match self.demanded(part, arrival) {
                        part if part == truth() => return truth(),
                        part => open.push(part),
                    }
                }
                or(open)
            }
            _ => arrival.element_is(formula).unwrap_or_else(|| simplify(arrival.way.read(formula))),
        }
    }

    fn table(&mut self, disjunction: Term) -> Rc<Table> {
        let known = self.tables.entry(disjunction).or_insert_with(|| Rc::new(Table::new(disjunction.args())));
        known.clone()
    }
}

impl Table {
    fn new(parts: &[Term]) -> Table {
        let mut table = Table::default();
        for part in parts {
            let says = if part.op() == &TermOp::And { part.args() } else { std::slice::from_ref(part) };
            match says.iter().find_map(|literal| constant(*literal)) {
                Some((variable, value)) => {
                    if !table.variables.contains(&variable) {
                        table.variables.push(variable);
                    }
                    table.known.entry((variable, value)).or_default().push(*part);
                }
                None => table.others.push(*part),
            }
        }
        table
    }

    /// The parts that can hold at the end of a way.
    fn possible(&self, way: &Way) -> Vec<Term> {
        let mut possible = Vec::new();
        for variable in &self.variables {
            let value = way.read(*variable);
            if value.value().is_some() {
                possible.extend(self.known.get(&(*variable, value)).into_iter().flatten());
            } else {
                let parts = self.known.iter().filter(|((about, _), _)| about == variable);
                possible.extend(parts.flat_map(|(_, parts)| parts));
            }
        }
        possible.extend(&self.others);
        possible
    }
}

/// A way at its end, with the elements of arrays there by their indices.
struct Arrival<'a> {
    way: &'a Way,
    arrays: RefCell<FxHashMap<Term, FxHashMap<Term, Term>>>,
}

impl Arrival<'_> {
    /// Whether an element is what a formula says, where that is known without looking at anything else.
    fn element_is(&self, formula: Term) -> Option<Term> {
        let (array, index, expected) = constant_element(formula)?;
        let mut arrays = self.arrays.borrow_mut();
        let known = arrays.entry(array).or_insert_with(|| elements(self.way.read(array)));
        let value = known.get(&index)?;
        value.value().is_some().then(|| if *value == expected { truth() } else { falsehood() })
    }
}

/// The elements that the outermost stores to an array write, as far as their indices are constants.
fn elements(array: Term) -> FxHashMap<Term, Term> {
    let (mut known, mut rest) = (FxHashMap::default(), array);
    while let (TermOp::Store, [inner, index, value]) = (rest.op(), rest.args())
        && index.value().is_some()
    {
        known.entry(*index).or_insert(*value);
        rest = *inner;
    }
    known
}

/// The array, the index and the value of a formula that says that an element of a variable is a constant.
fn constant_element(literal: Term) -> Option<(Term, Term, Term)> {
    let (element, value) = match (literal.op(), literal.args()) {
        (TermOp::Eq, [a, b]) if b.value().is_some() => (*a, *b),
        (TermOp::Eq, [a, b]) if a.value().is_some() => (*b, *a),
        (TermOp::Not, [a]) => (*a, falsehood()),
        _ => (literal, truth()),
    };
    match (element.op(), element.args()) {
        (TermOp::Select, [array, index]) if array.is_var() && index.value().is_some() => Some((*array, *index, value)),
        _ => None,
    }
}

/// The constant that a formula says a variable to be.
fn constant(literal: Term) -> Option<(Term, Term)> {
    match (literal.op(), literal.args()) {
        (TermOp::Eq, [a, b]) if a.is_var() && b.value().is_some() => Some((*a, *b)),
        (TermOp::Eq, [a, b]) if b.is_var() && a.value().is_some() => Some((*b, *a)),
        (TermOp::Var { .. }, _) => Some((literal, truth())),
        (TermOp::Not, [a]) if a.is_var() => Some((*a, falsehood())),
        _ => None,
    }
}

impl Way {
    /// Whether it cannot go along an edge.
    fn excludes(&self, op: &Op) -> bool {
        matches!(op, Op::Assume(condition) if self.read(*condition).as_bool() == Some(false))
    }

    /// What a term over program variables is here.
    fn read(&self, term: Term) -> Term {
        substitute(term, |variable| Some(self.values.get(&variable).copied().unwrap_or(variable.at_instance(1))))
    }
}
