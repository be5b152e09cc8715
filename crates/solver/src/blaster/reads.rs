//! Arrays and uninterpreted functions, by what is read of them.
//!
//! A read of a stored, chosen or constant array is a read of its parts. What is left are reads of variables and of
//! functions: unknown values, which must agree where their places agree. This is demanded lazily: when a model breaks
//! it, the two reads get a lemma, and the search goes on (Ackermann's reduction, on demand).

use super::gates::{Bits, Gates, Kept};
use crate::circuits::{Circuits, Logic};
use crate::sat::Lit;
use rustc_hash::FxHashMap;
use term::{Function, Term};

/// What is read of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    Array(Term),
    Function(Function),
}

/// A place and what stands there.
struct Read {
    place: Kept,
    element: Kept,
}

/// All reads.
#[derive(Default)]
pub struct Reads {
    bases: Vec<Vec<Read>>,
    numbers: FxHashMap<Base, usize>,
    known: FxHashMap<(usize, Kept), Kept>,
}

impl Reads {
    /// What stands at a place.
    pub fn read(&mut self, gates: &mut Gates, base: Base, place: Kept, width: usize) -> Kept {
        let next = self.numbers.len();
        let number = *self.numbers.entry(base).or_insert(next);
        if number == self.bases.len() {
            self.bases.push(Vec::new());
        }
        if let Some(element) = self.known.get(&(number, place.clone())) {
            return element.clone();
        }
        let element: Kept = gates.fresh_bits(width).into();
        self.known.insert((number, place.clone()), element.clone());
        self.bases[number].push(Read { place, element: element.clone() });
        element
    }

    /// The places and elements that were read of an array.
    pub fn of(&self, array: Term) -> impl Iterator<Item = (&[Lit], &[Lit])> {
        let reads = self.numbers.get(&Base::Array(array)).map(|number| &self.bases[*number]);
        reads.into_iter().flatten().map(|read| (&*read.place, &*read.element))
    }

    /// The functions that were applied, with places and what they give there.
    pub fn of_functions(&self) -> impl Iterator<Item = (&Function, &[Lit], &[Lit])> {
        self.numbers.iter().flat_map(|(base, number)| {
            let function = match base {
                Base::Function(function) => Some(function),
                Base::Array(_) => None,
            };
            let reads = self.bases[*number].iter().map(|read| (&*read.place, &*read.element));
            function.into_iter().flat_map(move |f| reads.clone().map(move |(place, element)| (f, place, element)))
        })
    }

    /// Looks for reads that differ in the model although their places do not, and adds lemmas that forbid it. Whether
    /// there were any.
    pub fn repair(&self, gates: &mut Gates) -> bool {
        let mut broken: Vec<(&Read, &Read)> = Vec::new();
        for reads in &self.bases {
            let mut seen: FxHashMap<Vec<bool>, (&Read, Vec<bool>)> = FxHashMap::default();
            for read in reads {
                let element = values(gates, &read.element);
                match seen.get(&values(gates, &read.place)) {
                    Some((first, known)) if *known != element => broken.push((first, read)),
                    Some(_) => {}
                    None => {
                        seen.insert(values(gates, &read.place), (read, element));
                    }
                }
            }
        }
        for (one, other) in &broken {
            let same_place = gates.same(&one.place, &other.place);
            let same_element: Bits = gates.bitwise(&one.element, &other.element, Gates::equal);
            for bit in same_element {
                gates.sat.clause(&[!same_place, bit]);
            }
        }
        !broken.is_empty()
    }
}

/// The values of literals in the model.
pub fn values(gates: &mut Gates, literals: &[Lit]) -> Vec<bool> {
    literals.iter().map(|literal| gates.sat.value(*literal)).collect()
}
