//! The state variables of the model (Section 5.4): those of the program counter, P, and those of the program, X, each with a
//! current and a next copy, and one for an input that it is assigned.
//!
//! P is a number in Boolean variables, p_1 the lowest. A Boolean of the program is one Boolean variable, a machine integer one for each
//! bit; an integer or a real is a variable of linear constraints. A copy for the next state has the number after its
//! current one, that for an input comes after that. Behind these, relations number variables of their own, which do not outlive them.
//!
//! In the order of decision diagrams, P is first, and copies are together; [`crate::order`] has the rest.

use crate::cases::Case;
use crate::ltg::{BlockId, Ltg};
use crate::order::order;
use arithmetic::Rational;
use dashu::integer::IBig;
use limits::Limits;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds};
use sets::composite::{Composite, Composites, Valuation};
use sets::{Stop, Variable};
use solver::circuits::decode;
use term::build::{bv, eq, extract};
use term::{SortKind, Term, Value};

/// How many nodes diagrams may have, and how many results of their operations are remembered.
const NODES: usize = 1 << 23;
const CACHE: usize = 1 << 18;

/// Variables of the model for each variable of the program: current state, next state, input.
const COPIES: Variable = 3;

/// How a variable is represented.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Boolean variables, the lowest bit first.
    Bits(Vec<Variable>),
    Integer(Variable),
    Real(Variable),
}

/// Whether a variable means the value before a transition or behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copy {
    Current,
    Next,
}

impl Place {
    /// The next copy of a current one.
    pub fn next(&self) -> Place {
        match self {
            Place::Bits(bits) => Place::Bits(bits.iter().map(|bit| bit + 1).collect()),
            Place::Integer(variable) => Place::Integer(variable + 1),
            Place::Real(variable) => Place::Real(variable + 1),
        }
    }

    /// The copy of a current one that an input may have.
    pub fn input(&self) -> Place {
        self.next().next()
    }
}

/// Numbers of variables of each kind.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Numbers {
    pub booleans: Vec<Variable>,
    pub integers: Vec<Variable>,
    pub reals: Vec<Variable>,
}

impl Numbers {
    pub fn add(&mut self, place: &Place) {
        match place {
            Place::Bits(bits) => self.booleans.extend(bits),
            Place::Integer(variable) => self.integers.push(*variable),
            Place::Real(variable) => self.reals.push(*variable),
        }
    }
}

/// The state variables.
pub struct Space {
    pub composites: Composites,
    counter: Vec<Variable>,
    places: FxHashMap<Term, Place>,
    /// The program's Boolean variables: of which variable each is, and the number of the bit.
    bits: FxHashMap<Variable, (Term, usize)>,
    integers: Vec<Term>,
    reals: Vec<Term>,
    /// Behind all current and next copies.
    pub free: (Variable, Variable, Variable),
}

impl Space {
    pub fn new(ltg: &Ltg, cases: &[Vec<Case>], limits: &Limits) -> Space {
        let counted = usize::BITS - (ltg.blocks.len() - 1).leading_zeros();
        let counter: Vec<Variable> = (0..counted).map(|bit| COPIES * bit).collect();
        // The number of a Boolean variable is its place in the order.
        let ordered = order(ltg, cases);
        let numbers = (counted..).map(|number| COPIES * number);
        let bits: FxHashMap<Variable, (Term, usize)> = numbers.zip(ordered.iter().copied()).collect();
        let mut places: FxHashMap<Term, Place> = FxHashMap::default();
        let mut of: FxHashMap<Term, Vec<(usize, Variable)>> = FxHashMap::default();
        bits.iter().for_each(|(number, (variable, bit))| of.entry(*variable).or_default().push((*bit, *number)));
        for (variable, mut bits) in of {
            bits.sort_unstable();
            places.insert(variable, Place::Bits(bits.into_iter().map(|(_, number)| number).collect()));
        }
        let (mut integers, mut reals) = (Vec::new(), Vec::new());
        for variable in &ltg.variables {
            let place = match variable.sort().kind() {
                SortKind::Int => {
                    integers.push(*variable);
                    Place::Integer(COPIES * (integers.len() as Variable - 1))
                }
                SortKind::Real => {
                    reals.push(*variable);
                    Place::Real(COPIES * (reals.len() as Variable - 1))
                }
                _ => continue,
            };
            places.insert(*variable, place);
        }
        let booleans = COPIES * (counted + ordered.len() as Variable);
        let free = (booleans, COPIES * integers.len() as Variable, COPIES * reals.len() as Variable);
        let composites = Composites::new(Bdds::sized(NODES, CACHE), limits);
        Space { composites, counter, places, bits, integers, reals, free }
    }

    /// A variable's current copy; `None` for one that sets of states do not have.
    pub fn place(&self, variable: Term) -> Option<&Place> {
        self.places.get(&variable)
    }

    /// How many Boolean variables a state has.
    pub fn bits(&self) -> usize {
        self.counter.len() + self.bits.len()
    }

    /// The program counter's variables: current ones, or pairs of next and current ones.
    pub fn counter(&self) -> &[Variable] {
        &self.counter
    }

    /// `P = b`, or `P' = b`.
    pub fn at(&self, block: BlockId, copy: Copy) -> Result<Bdd, Stop> {
        let offset = if copy == Copy::Next { 1 } else { 0 };
        let bits = self.counter.iter().enumerate();
        let literals: Vec<(Variable, bool)> =
            bits.map(|(bit, variable)| (variable + offset, block >> bit & 1 == 1)).collect();
        Ok(self.composites.booleans().cube(&literals)?)
    }

    /// The values of places in a valuation as one of a sort.
    pub fn value(&self, place: &Place, sort: term::Sort, of: &Valuation) -> Option<Value> {
        match place {
            Place::Bits(bits) => {
                let bits: Vec<bool> =
                    bits.iter().map(|bit| of.booleans.get(bit).copied().unwrap_or_default()).collect();
                decode(sort, &bits)
            }
            Place::Integer(variable) => Some(Value::Int(of.integers.get(variable).cloned().unwrap_or(IBig::ZERO))),
            Place::Real(variable) => Some(Value::Real(of.reals.get(variable).unwrap_or(&Rational::ZERO).to_big())),
        }
    }

    /// A set of states of one block as a term over the program's variables.
    pub fn to_term(&self, states: &Composite) -> Result<Term, Stop> {
        let counter = self.composites.variables(&self.counter, &[], &[])?;
        let bit = |number: Variable| {
            let (variable, bit) = self.bits[&number];
            match variable.sort().is_bool() {
                true => variable,
                false => eq(extract(bit as u32, bit as u32, variable), bv(1, 1)),
            }
        };
        states.exists(&counter)?.simplify()?.to_term(&sets::composite::Names {
            boolean: &bit,
            integer: &|number| self.integers[(number / COPIES) as usize],
            real: &|number| self.reals[(number / COPIES) as usize],
        })
    }
}
