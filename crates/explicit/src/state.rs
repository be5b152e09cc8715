//! States: what variables are, as terms over symbols, and what symbols may be.
//!
//! A symbol stands for a value that the program left open. Most variables are constants. Where nothing is known of a condition,
//! both sides are possible, so that a state stands for at least the executions that come to it.

use crate::maps::Elements;
use crate::numbers::Numbers;
use rustc_hash::FxHashMap;
use term::build::{make, truth};
use term::free::contains;
use term::simplify::simplify;
use term::subst::substitute;
use term::visit::bound;
use term::{Op, Sort, SortKind, Term};

/// Symbols that may be so many values are replaced by them, one after the other, where nothing else decides a condition.
const FEW: u128 = 256;

/// What is known where control is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// For each variable, by number. What is not live is `true`.
    pub values: Vec<Term>,
    /// What symbols may be that may not be everything, in the order of their numbers.
    pub known: Vec<(Term, Numbers)>,
    /// The number of the next symbol.
    pub next: u32,
}

/// The numbers of variables.
pub type Numbering = FxHashMap<Term, usize>;

impl State {
    /// Nothing is known of any variable.
    pub fn open(variables: &[Term]) -> State {
        let mut state = State { values: Vec::new(), known: Vec::new(), next: 0 };
        for variable in variables {
            let symbol = state.symbol(variable.sort());
            state.values.push(symbol);
        }
        state
    }

    /// A new symbol.
    pub fn symbol(&mut self, sort: Sort) -> Term {
        self.next += 1;
        symbol(sort, self.next)
    }

    /// What a term is.
    pub fn value(&self, term: Term, numbering: &Numbering) -> Term {
        match term.op() {
            Op::Const(_) => term,
            Op::Var { .. } => numbering.get(&term).map_or(term, |number| self.values[*number]),
            _ if !bound(term).is_empty() => substitute(term, |v| numbering.get(&v).map(|number| self.values[*number])),
            Op::Ite => {
                let [condition, then, other] = [0, 1, 2].map(|n| term.args()[n]);
                match self.value(condition, numbering) {
                    decided if decided.as_bool() == Some(true) => self.value(then, numbering),
                    decided if decided.as_bool() == Some(false) => self.value(other, numbering),
                    open => make(&Op::Ite, &[open, self.value(then, numbering), self.value(other, numbering)]),
                }
            }
            op => match *term.args() {
                [only] => make(op, &[self.value(only, numbering)]),
                [first, second] => match (op, self.value(first, numbering)) {
                    (Op::And, decided) if decided.as_bool() == Some(false) => decided,
                    (Op::Or, decided) if decided.as_bool() == Some(true) => decided,
                    (_, first) => make(op, &[first, self.value(second, numbering)]),
                },
                ref args => {
                    let args: Vec<Term> = args.iter().map(|argument| self.value(*argument, numbering)).collect();
                    make(op, &args)
                }
            },
        }
    }

    /// The states in which a condition over symbols holds, or does not. Together they are all of them, and perhaps more.
    pub fn assume(self, condition: Term, holds: bool) -> Vec<State> {
        let pairs = Assumption { state: self, solved: Vec::new() }.assume(condition, holds);
        pairs.into_iter().map(|assumption| assumption.state).collect()
    }

    /// What a symbol may be.
    fn numbers(&self, symbol: Term) -> Option<Numbers> {
        let SortKind::BitVec(width) = *symbol.sort().kind() else { return None };
        let known = self.known.iter().find(|(other, _)| *other == symbol);
        Some(known.map_or_else(|| Numbers::all(width), |(_, numbers)| numbers.clone()))
    }

    /// Puts something in the place of a symbol.
    fn solve(&mut self, symbol: Term, value: Term) {
        self.known.retain(|(other, _)| *other != symbol);
        for old in self.values.iter_mut().filter(|old| old.value().is_none()) {
            *old = replaced(*old, symbol, value);
        }
    }

    /// The state at a location where only some variables are live, with new numbers for symbols, so that equal states are the same.
    ///
    /// Every symbol is then the value of a variable, its first, or of an element of a map: others are forgotten. Of maps whose other
    /// elements are forgotten, a symbol that has no such place stands for them, for each map one of its own.
    pub fn settled(mut self, is_live: impl Fn(usize) -> bool) -> State {
        let mut settled = State { values: Vec::with_capacity(self.values.len()), known: Vec::new(), next: 0 };
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        let mut maps: FxHashMap<usize, Elements> = FxHashMap::default();
        for (number, value) in self.values.iter_mut().enumerate() {
            if !is_live(number) {
                *value = truth();
            } else if is_symbol(*value) {
                names.entry(*value).or_insert_with(|| settled.symbol(value.sort()));
            } else if let Some(elements) = Elements::of(*value) {
                maps.insert(number, elements);
            }
        }
        for number in 0..self.values.len() {
            let elements = maps.get(&number).into_iter().flat_map(|map| map.elements.values());
            for element in elements.filter(|element| is_symbol(**element)) {
                names.entry(*element).or_insert_with(|| settled.symbol(element.sort()));
            }
        }
        for (symbol, numbers) in &self.known {
            settled.known.extend(names.get(symbol).map(|name| (*name, numbers.clone())));
        }
        settled.known.sort_unstable_by_key(|(symbol, _)| *symbol);
        let named = |value: Term| match value.value() {
            Some(_) => Some(value),
            None => {
                let is_named = term::free::variables([value]).iter().all(|symbol| names.contains_key(symbol));
                is_named.then(|| substitute(value, |symbol| names.get(&symbol).copied()))
            }
        };
        for (number, value) in self.values.iter().enumerate() {
            let value = named(*value).unwrap_or_else(|| {
                let other = settled.symbol(value.sort());
                let Some(mut map) = maps.remove(&number) else { return other };
                map.elements = map.elements.iter().filter_map(|(at, element)| Some((*at, named(*element)?))).collect();
                map.over(other)
            });
            settled.values.push(value);
        }
        settled
    }
}

/// The symbol of a number.
fn symbol(sort: Sort, number: u32) -> Term {
    Term::var("?", sort).at_instance(number)
}

pub fn is_symbol(term: Term) -> bool {
    matches!(term.op(), Op::Var { .. })
}

fn replaced(term: Term, symbol: Term, value: Term) -> Term {
    match term == symbol {
        true => value,
        false if contains(term, symbol) => substitute(term, |other| (other == symbol).then_some(value)),
        false => term,
    }
}

/// A state on the way through a condition.
#[derive(Clone)]
struct Assumption {
    state: State,
    /// What was put in the place of symbols since the condition was read.
    solved: Vec<(Term, Term)>,
}

impl Assumption {
    fn assume(self, condition: Term, holds: bool) -> Vec<Assumption> {
        let condition = self.solved.iter().fold(condition, |term, (symbol, value)| replaced(term, *symbol, *value));
        if let Some(value) = condition.as_bool() {
            return if value == holds { vec![self] } else { Vec::new() };
        }
        let args = condition.args();
        match (condition.op(), holds) {
            (Op::Not, _) => self.assume(args[0], !holds),
            (Op::And, true) | (Op::Or, false) => self.all(args, holds),
            (Op::And, false) | (Op::Or, true) => self.first(args, holds),
            (Op::Implies, true) => {
                let mut states = self.clone().assume(args[0], false);
                states.extend(self.assume(args[0], true).into_iter().flat_map(|state| state.assume(args[1], true)));
                states
            }
            (Op::Implies, false) => {
                self.assume(args[0], true).into_iter().flat_map(|state| state.assume(args[1], false)).collect()
            }
            (Op::Ite, _) => self.both(args[0], (args[1], holds), (args[2], holds)),
            (Op::Eq, _) if *args[0].sort().kind() == SortKind::Bool => {
                self.both(args[0], (args[1], holds), (args[1], !holds))
            }
            (Op::Var { .. }, _) => vec![self.solved(condition, term::build::bool(holds))],
            _ => self.atom(condition, holds),
        }
    }

    /// All hold, or none does.
    fn all(self, conditions: &[Term], holds: bool) -> Vec<Assumption> {
        conditions.iter().fold(vec![self], |states, condition| {
            states.into_iter().flat_map(|state| state.assume(*condition, holds)).collect()
        })
    }

    /// One holds, and those before it do not; or the other way round.
    fn first(self, conditions: &[Term], holds: bool) -> Vec<Assumption> {
        let (mut found, mut before) = (Vec::new(), vec![self]);
        for condition in conditions {
            found.extend(before.iter().flat_map(|state| state.clone().assume(*condition, holds)));
            before = before.into_iter().flat_map(|state| state.assume(*condition, !holds)).collect();
        }
        found
    }

    /// If a condition holds, the first, and if not, the second.
    fn both(self, condition: Term, then: (Term, bool), other: (Term, bool)) -> Vec<Assumption> {
        let mut states: Vec<Assumption> =
            self.clone().assume(condition, true).into_iter().flat_map(|state| state.assume(then.0, then.1)).collect();
        states.extend(self.assume(condition, false).into_iter().flat_map(|state| state.assume(other.0, other.1)));
        states
    }

    fn atom(mut self, atom: Term, holds: bool) -> Vec<Assumption> {
        if let Some((symbol, set)) = Numbers::where_atom(atom, holds) {
            let numbers = self.state.numbers(symbol).map_or_else(|| set.clone(), |known| known.and(&set));
            if let Some(one) = numbers.constants(1) {
                return one.into_iter().map(|value| self.clone().solved(symbol, value)).collect();
            }
            self.state.known.retain(|(other, _)| *other != symbol);
            self.state.known.push((symbol, numbers));
            return vec![self];
        }
        if *atom.op() == Op::Eq && holds {
            for (symbol, value) in [(atom.args()[0], atom.args()[1]), (atom.args()[1], atom.args()[0])] {
                let is_free = is_symbol(symbol) && self.state.known.iter().all(|(other, _)| *other != symbol);
                if is_free && !contains(value, symbol) {
                    return vec![self.solved(symbol, value)];
                }
            }
        }
        // Sums in different orders are the same.
        let (plain, positive) = match simplify(atom) {
            negated if negated.op() == &Op::Not => (negated.args()[0], !holds),
            plain => (plain, holds),
        };
        if plain.as_bool().is_some() || Numbers::where_atom(plain, positive).is_some() {
            return self.assume(plain, positive);
        }
        let mut few = None;
        for symbol in term::free::variables([atom]) {
            let values = match symbol.sort().kind() {
                SortKind::Bool => Some(vec![term::build::bool(false), term::build::bool(true)]),
                _ => self.state.numbers(symbol).and_then(|numbers| numbers.constants(FEW)),
            };
            few = few.or(values.map(|values| (symbol, values)));
        }
        match few {
            Some((symbol, values)) => {
                let states = values.into_iter().map(|value| self.clone().solved(symbol, value));
                states.flat_map(|state| state.assume(atom, holds)).collect()
            }
            // Nothing is known of it, so it may be.
            None => vec![self],
        }
    }

    fn solved(mut self, symbol: Term, value: Term) -> Assumption {
        self.state.solve(symbol, value);
        self.solved.iter_mut().for_each(|(_, old)| *old = replaced(*old, symbol, value));
        self.solved.push((symbol, value));
        self
    }
}
