//! What the search has found out: states, the inputs tried there, and how to come to them.

use crate::constants::Constants;
use ir::Variable;
use ir::interp::Choice;
use rustc_hash::{FxHashMap, FxHashSet};
use term::random::Random;
use term::{SortKind, Value};

/// How many inputs are tried where the program compares them with nothing.
const ANY: u32 = 6;

/// The states that are known.
pub struct Book<'p> {
    pub constants: &'p Constants,
    /// By the number of the state.
    known: FxHashMap<u64, u32>,
    states: Vec<State>,
    /// Executions that came to new states.
    paths: Vec<Path>,
    /// The ways between two inputs that were ever taken.
    ways: FxHashSet<u64>,
    /// States that were come to by new ways, the newest last.
    fresh: Vec<u32>,
    /// All states before this one have no inputs left.
    oldest: usize,
    pub random: Random,
}

/// A place of a path: behind so many of its choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    path: u32,
    length: u32,
}

/// A state in which the program asks for an input.
#[derive(Clone, Copy, Debug)]
struct State {
    place: Place,
    /// How many of the inputs were tried, and how many there are.
    tried: u32,
    inputs: u32,
}

impl State {
    fn is_open(&self) -> bool {
        self.tried < self.inputs
    }
}

/// Choices behind those that lead to a place of another path.
#[derive(Debug)]
struct Path {
    from: Option<Place>,
    choices: Vec<Choice>,
}

impl<'p> Book<'p> {
    pub fn new(constants: &'p Constants) -> Book<'p> {
        Book {
            constants,
            known: FxHashMap::default(),
            states: Vec::new(),
            paths: Vec::new(),
            ways: FxHashSet::default(),
            fresh: Vec::new(),
            oldest: 0,
            random: Random::new(1),
        }
    }

    /// How many states are known.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// The execution under way comes to the state of this number, behind `length` choices of its own, and asks for a variable.
    /// The input to try next there, if it is not any, and whether none was left.
    pub fn visit(&mut self, number: u64, way: u64, length: usize, variable: &Variable) -> (Option<Value>, bool) {
        let place = Place { path: self.paths.len() as u32, length: length as u32 };
        let inputs = self.inputs(variable);
        let next = self.states.len() as u32;
        let index = *self.known.entry(number).or_insert(next);
        if index == next {
            self.states.push(State { place, tried: 0, inputs });
            if self.ways.insert(way) {
                self.fresh.push(index);
            }
        }
        let state = &mut self.states[index as usize];
        let is_stale = !state.is_open();
        let turn = if is_stale { self.random.below(inputs as usize) as u32 } else { state.tried };
        state.tried += u32::from(!is_stale);
        // Each state begins with another input.
        let turn = (u64::from(turn) + number % u64::from(inputs)) % u64::from(inputs);
        (self.input(variable, turn as usize), is_stale)
    }

    /// How many inputs are to be tried for a variable.
    fn inputs(&self, variable: &Variable) -> u32 {
        match (variable.sort().kind(), self.constants.of(variable.term).len()) {
            (SortKind::Bool, _) => 2,
            (SortKind::BitVec(_) | SortKind::Int, known @ 1..) => known as u32,
            _ => ANY,
        }
    }

    /// One of them; any, where there is nothing to choose from.
    fn input(&self, variable: &Variable, turn: usize) -> Option<Value> {
        let number = self.constants.of(variable.term).get(turn);
        match variable.sort().kind() {
            SortKind::Bool => Some(Value::Bool(turn == 1)),
            SortKind::BitVec(width) => number.map(|number| Value::bv(*width, *number)),
            SortKind::Int => number.map(|number| Value::Int((*number as i128).into())),
            _ => None,
        }
    }

    /// Keeps an execution that came to new states.
    pub fn keep(&mut self, from: Option<Place>, choices: Vec<Choice>) {
        self.paths.push(Path { from, choices });
    }

    /// Where to begin an execution: `Some(None)` at the start of the program, `None` if no inputs are left anywhere.
    pub fn start(&mut self) -> Option<Option<Place>> {
        if self.states.is_empty() {
            return Some(None);
        }
        let way = self.random.below(4);
        if way < 2 {
            while let Some(state) = self.fresh.last().map(|index| self.states[*index as usize]) {
                if state.is_open() {
                    return Some(Some(state.place));
                }
                self.fresh.pop();
            }
        }
        if way == 2 {
            for _ in 0..20 {
                let state = *self.random.pick(&self.states);
                if state.is_open() {
                    return Some(Some(state.place));
                }
            }
        }
        while self.states.get(self.oldest).is_some_and(|state| !state.is_open()) {
            self.oldest += 1;
        }
        self.states.get(self.oldest).map(|state| Some(state.place))
    }

    /// The choices on the way to a place.
    pub fn choices(&self, place: Option<Place>) -> Vec<Choice> {
        let mut parts = Vec::new();
        let mut next = place;
        while let Some(Place { path, length }) = next {
            let path = &self.paths[path as usize];
            parts.push(&path.choices[..length as usize]);
            next = path.from;
        }
        parts.into_iter().rev().flatten().cloned().collect()
    }
}
