//! Circuits over decision diagrams: "instantiation of predefined logic components such as multipliers" (Section 5.5).

use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Full};
use sets::composite::Composites;
use solver::circuits::Logic;
use std::ops::Not;

/// A gate's output: a diagram, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bit {
    number: usize,
    negated: bool,
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit { negated: !self.negated, ..self }
    }
}

/// The diagrams of gates. One that has no room stands for no function, and [`Gates::diagram`] says so.
pub struct Gates {
    diagrams: Vec<Bdd>,
    numbers: FxHashMap<Bdd, usize>,
    full: bool,
}

const TRUE: Bit = Bit { number: 0, negated: false };

impl Gates {
    pub fn new(composites: &Composites) -> Gates {
        let truth = composites.booleans().constant(true);
        Gates { diagrams: vec![truth.clone()], numbers: FxHashMap::from_iter([(truth, 0)]), full: false }
    }

    pub fn bit(&mut self, diagram: Bdd) -> Bit {
        if diagram.is_false() {
            return !TRUE;
        }
        let next = self.diagrams.len();
        let number = *self.numbers.entry(diagram.clone()).or_insert(next);
        if number == next {
            self.diagrams.push(diagram);
        }
        Bit { number, negated: false }
    }

    /// The function of a gate.
    pub fn diagram(&self, bit: Bit) -> Result<Bdd, Full> {
        if self.full {
            return Err(Full);
        }
        let diagram = &self.diagrams[bit.number];
        if bit.negated { diagram.not() } else { Ok(diagram.clone()) }
    }

    fn made(&mut self, diagram: impl FnOnce(&Gates) -> Result<Bdd, Full>) -> Bit {
        match diagram(self) {
            Ok(diagram) => self.bit(diagram),
            Err(Full) => {
                self.full = true;
                TRUE
            }
        }
    }
}

impl Logic for Gates {
    type Bit = Bit;

    fn constant(&self, value: bool) -> Bit {
        if value { TRUE } else { !TRUE }
    }

    fn known(&self, bit: Bit) -> Option<bool> {
        (bit.number == 0).then_some(!bit.negated)
    }

    fn and(&mut self, a: Bit, b: Bit) -> Bit {
        self.made(|gates| gates.diagram(a)?.and(&gates.diagram(b)?))
    }

    fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        self.made(|gates| gates.diagram(a)?.iff(&gates.diagram(!b)?))
    }

    fn ite(&mut self, condition: Bit, a: Bit, b: Bit) -> Bit {
        self.made(|gates| gates.diagram(condition)?.ite(&gates.diagram(a)?, &gates.diagram(b)?))
    }

    fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        self.made(|gates| {
            let (a, b, c) = (gates.diagram(a)?, gates.diagram(b)?, gates.diagram(c)?);
            c.ite(&a.or(&b)?, &a.and(&b)?)
        })
    }

    fn all(&mut self, bits: &[Bit]) -> Bit {
        bits.iter().fold(TRUE, |all, bit| self.and(all, *bit))
    }
}
