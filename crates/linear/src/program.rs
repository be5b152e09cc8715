//! Generalised linear programs (Section 3): statements over numeric variables, with `u`, conditional expressions,
//! parallel assignment and procedures with parameters by value.
//!
//! The statements stand on the edges of the automata of an [`ir::Program`], with the same numbers. A vertex of the
//! paper is a location, and its `if`, `while` and `assert` are edges that assume a condition or its negation; a
//! `return` leads to the exit location. Conditions and values are terms without arrays: `Ite` is the conditional
//! expression, and Boolean operators are taken as the paper rewrites them.
//!
//! Of a procedure, globals come first and parameters next in the order of variables: these have entry valuations.

use analysis::live::Live;
use analysis::retreating::heads;
use ir::{Cfa, LocId, LocationKind, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

/// A statement. Variables are positions among those in scope.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Skip,
    /// All at once.
    Assign(Vec<(usize, Term)>),
    Condition(Term),
    Call {
        procedure: ProcId,
        arguments: Vec<Term>,
        results: Vec<usize>,
    },
    /// The paper has no such statement: nothing is known of it.
    Unsupported(&'static str),
}

/// A procedure.
pub struct Body {
    /// Those in scope.
    pub variables: Vec<Term>,
    pub positions: FxHashMap<Term, usize>,
    pub globals: usize,
    pub formals: usize,
    pub results: Vec<usize>,
    /// For each edge.
    pub statements: Vec<Statement>,
    /// For each location the variables whose values still matter.
    pub live: Vec<Vec<bool>>,
    /// For each location its place in a weak topological order: loops come before what follows them.
    pub order: Vec<usize>,
    /// Locations on which every cycle passes.
    pub heads: FxHashSet<LocId>,
    /// Locations whose path edges are kept.
    pub kept: Vec<bool>,
    /// Whether something calls it, so that the values at its entry matter.
    pub is_called: bool,
}

/// A generalised linear program.
pub struct LinearProgram {
    /// A procedure without a body has none.
    pub bodies: Vec<Option<Body>>,
}

impl Body {
    /// How many variables have entry valuations.
    pub fn entry(&self) -> usize {
        self.globals + self.formals
    }
}

/// How a body is made: which variables are in scope, and what edges do.
pub struct Scope {
    pub globals: Vec<Term>,
    pub formals: Vec<Term>,
    pub results: Vec<Term>,
    pub locals: Vec<Term>,
    pub statements: Vec<Statement>,
}

impl Body {
    /// `array` gives the array that a variable is an element of.
    pub fn new(cfa: &Cfa, scope: Scope, live: &Live, array: &dyn Fn(Term) -> Term, is_called: bool, all: bool) -> Body {
        let Scope { globals, formals, results, locals, statements } = scope;
        let counts = (globals.len(), formals.len());
        let result_positions = (0..results.len()).map(|at| counts.0 + counts.1 + at).collect();
        let variables: Vec<Term> = [globals, formals, results, locals].concat();
        let positions = variables.iter().enumerate().map(|(at, variable)| (*variable, at)).collect();
        let at = |location: LocId| variables.iter().map(|variable| live.at(location, array(*variable))).collect();
        let live = cfa.locations().map(|(location, _)| at(location)).collect();
        let heads: FxHashSet<LocId> = heads(cfa).into_iter().collect();
        let is_kept = |(location, data): (LocId, &ir::Location)| {
            all || location == cfa.entry()
                || location == cfa.exit()
                || heads.contains(&location)
                || cfa.incoming(location).len() > 1
                || data.kind != LocationKind::Plain
        };
        let kept = cfa.locations().map(is_kept).collect();
        Body {
            variables,
            positions,
            globals: counts.0,
            formals: counts.1,
            results: result_positions,
            statements,
            live,
            order: order(cfa),
            heads,
            kept,
            is_called,
        }
    }
}

/// A weak topological order (Bourdoncle): the place of each location. What a loop is made of has consecutive places,
/// its head first.
fn order(cfa: &Cfa) -> Vec<usize> {
    let mut wto = Wto { cfa, numbers: vec![0; cfa.location_count()], stack: Vec::new(), next: 0, reversed: Vec::new() };
    let order = wto.component(cfa.entry(), true);
    let mut places = vec![usize::MAX; cfa.location_count()];
    order.iter().enumerate().for_each(|(place, location)| places[location.0 as usize] = place);
    places
}

struct Wto<'a> {
    cfa: &'a Cfa,
    numbers: Vec<usize>,
    stack: Vec<LocId>,
    next: usize,
    /// The order that is being made, from its end.
    reversed: Vec<LocId>,
}

impl Wto<'_> {
    /// The order of what can be reached from a location; of a head, without it, the rest of its component.
    fn component(&mut self, from: LocId, is_root: bool) -> Vec<LocId> {
        let outer = std::mem::take(&mut self.reversed);
        if is_root {
            self.visit(from);
        } else {
            for edge in self.cfa.outgoing(from) {
                let to = self.cfa.edge(*edge).to;
                if self.numbers[to.0 as usize] == 0 {
                    self.visit(to);
                }
            }
        }
        let mut order = std::mem::replace(&mut self.reversed, outer);
        order.reverse();
        order
    }

    fn visit(&mut self, location: LocId) -> usize {
        self.stack.push(location);
        self.next += 1;
        let number = self.next;
        self.numbers[location.0 as usize] = number;
        let (mut head, mut is_loop) = (number, false);
        for edge in self.cfa.outgoing(location) {
            let to = self.cfa.edge(*edge).to;
            let least = match self.numbers[to.0 as usize] {
                0 => self.visit(to),
                known => known,
            };
            if least <= head {
                head = least;
                is_loop = true;
            }
        }
        if head == number {
            self.numbers[location.0 as usize] = usize::MAX;
            let mut top = self.stack.pop();
            if is_loop {
                while let Some(inner) = top.filter(|inner| *inner != location) {
                    self.numbers[inner.0 as usize] = 0;
                    top = self.stack.pop();
                }
                let inner = self.component(location, false);
                self.reversed.extend(inner.into_iter().rev());
            }
            self.reversed.push(location);
        }
        head
    }
}
