//! Equations between arrays.
//!
//! Where an equation is false, an index of its own witnesses it. Where it is true, its sides must agree at every index; this
//! is demanded lazily, at indices where a model breaks it. Beyond all indices that formulas mention, an array
//! variable has one element, its *default*. That loses no models as long as there are more indices than mentioned ones;
//! small index sorts are therefore demanded index by index.

use super::encode::Encoder;
use super::gates::Kept;
use crate::circuits::Circuits;
use crate::sat::Lit;
use crate::{Unknown, Unsupported};
use std::rc::Rc;
use term::{ArrayValue, Op, Sort, SortKind, Term, Value, visit};

/// An equation between two arrays, and the literal that says whether it holds.
#[derive(Clone, Copy)]
pub struct Equation {
    one: Term,
    other: Term,
    holds: Lit,
}

/// Index sorts of at most so many bits have few indices.
const FEW: u32 = 8;

/// Where two arrays differ.
enum Place {
    At(Kept),
    Constant(Value),
    /// At all indices that are not mentioned.
    Elsewhere,
}

impl Encoder {
    /// The literal of an equation between arrays whose parts are encoded.
    pub fn equation(&mut self, one: Term, other: Term) -> Result<Lit, Unsupported> {
        let (index, element) = sorts(one);
        let holds = self.gates.sat.fresh();
        self.equations.push(Equation { one, other, holds });
        let witness: Kept = self.arbitrary(index).into();
        let width = super::encode::bits_of(element);
        let (a, b) = (self.select(one, witness.clone(), width)?, self.select(other, witness, width)?);
        let same = self.gates.same(&a, &b);
        self.gates.sat.clause(&[holds, !same]);
        Ok(holds)
    }

    /// Looks for equations that the model breaks, and adds lemmas. Whether there were any.
    pub fn repair_equations(&mut self) -> Result<bool, Unknown> {
        let mut broken: Vec<(Equation, Place)> = Vec::new();
        for equation in self.equations.clone() {
            if self.gates.sat.value(equation.holds)
                && let Some(place) = self.difference(equation)?
            {
                broken.push((equation, place));
            }
        }
        for (Equation { one, other, holds }, place) in &broken {
            let (_, element) = sorts(*one);
            let width = super::encode::bits_of(element);
            let place = match place {
                Place::At(place) => Some(place.clone()),
                Place::Constant(value) => Some(self.constant(value).into()),
                Place::Elsewhere => None,
            };
            let read = |encoder: &mut Encoder, array: Term| match &place {
                Some(place) => encoder.select(array, place.clone(), width),
                None => encoder.elsewhere(array),
            };
            let (a, b) = (read(self, *one), read(self, *other));
            let (a, b) = (a.map_err(Unknown::Unsupported)?, b.map_err(Unknown::Unsupported)?);
            let same = self.gates.same(&a, &b);
            self.gates.sat.clause(&[!*holds, same]);
        }
        Ok(!broken.is_empty())
    }

    /// Where the sides of an equation differ in the model.
    fn difference(&mut self, equation: Equation) -> Result<Option<Place>, Unknown> {
        let mut array = |term: Term| match self.value(term) {
            Some(Value::Array(array)) => Ok(array),
            _ => Err(Unknown::Incomplete("an array has no value".into())),
        };
        let (one, other) = (array(equation.one)?, array(equation.other)?);
        if one == other {
            return Ok(None);
        }
        let (index, _) = sorts(equation.one);
        let Some(value) = differing(&one, &other).cloned() else {
            let many = super::encode::bits_of(index) as u32;
            if many > FEW && self.known.len() < 1usize.checked_shl(many).unwrap_or(usize::MAX) {
                return Ok(Some(Place::Elsewhere));
            }
            let unmentioned = index.values().into_iter().flatten().find(|v| one.get(v) != other.get(v));
            let why = || Unknown::Incomplete("arrays mention too many indices".into());
            return unmentioned.map(|v| Some(Place::Constant(v))).ok_or_else(why);
        };
        // A symbolic place says more than its value.
        for place in self.places([equation.one, equation.other]) {
            if self.decode(index, &place).as_ref() == Some(&value) {
                return Ok(Some(Place::At(place)));
            }
        }
        Ok(Some(Place::Constant(value)))
    }

    /// The places where parts of the arrays are read or written.
    fn places(&self, arrays: [Term; 2]) -> Vec<Kept> {
        let mut places = Vec::new();
        for part in visit::post_order(arrays).into_iter().filter(|part| part.sort() == arrays[0].sort()) {
            match part.op() {
                Op::Store => places.push(self.known[&part.args()[1]].clone()),
                Op::Var { .. } => places.extend(self.reads.of(part).map(|(place, _)| Rc::from(place))),
                _ => {}
            }
        }
        places
    }
}

/// The index and the element sort of an array.
fn sorts(array: Term) -> (Sort, Sort) {
    match array.sort().kind() {
        SortKind::Array(index, element) => (*index, *element),
        other => unreachable!("{other:?} is not an array"),
    }
}

/// An index that one of the arrays mentions and where they differ.
fn differing<'a>(one: &'a ArrayValue, other: &'a ArrayValue) -> Option<&'a Value> {
    one.entries.keys().chain(other.entries.keys()).find(|index| one.get(index) != other.get(index))
}
