//! Boolean gates as clauses (Tseitin), each made once.

use crate::circuits::Logic;
use crate::sat::{Lit, Sat};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The bits of a value, the lowest first.
pub type Bits = Vec<Lit>;
/// Bits that are kept, and shared.
pub type Kept = Rc<[Lit]>;

/// What a gate computes. Arguments are ordered and freed of negations as far as the function allows, so that equal
/// gates are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// Condition, then, else.
    Ite(Lit, Lit, Lit),
    /// Whether at least two of three hold.
    Majority(Lit, Lit, Lit),
}

/// Makes gates in a SAT solver.
pub struct Gates {
    pub sat: Sat,
    known: FxHashMap<Gate, Lit>,
    yes: Lit,
}

impl Gates {
    pub fn new() -> Gates {
        let mut sat = Sat::new();
        let yes = sat.fresh();
        sat.clause(&[yes]);
        Gates { sat, known: FxHashMap::default(), yes }
    }

    pub fn fresh_bits(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.sat.fresh()).collect()
    }

    /// The gate's output; `define` adds the clauses when it is new.
    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(output) = self.known.get(&gate) {
            return *output;
        }
        let output = self.sat.fresh();
        define(&mut self.sat, output);
        self.known.insert(gate, output);
        output
    }
}

impl Logic for Gates {
    type Bit = Lit;

    fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    fn known(&self, literal: Lit) -> Option<bool> {
        (literal.variable() == self.yes).then_some(literal == self.yes)
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return self.constant(false),
            _ => {}
        }
        self.gate(Gate::And(a, b), |sat, output| {
            sat.clause(&[!output, a]);
            sat.clause(&[!output, b]);
            sat.clause(&[output, !a, !b]);
        })
    }

    fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut literals: Vec<Lit> = literals.iter().copied().filter(|l| self.known(*l) != Some(true)).collect();
        literals.sort_unstable_by_key(|l| (l.variable(), l.is_negated()));
        literals.dedup();
        let contradictory = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradictory || literals.iter().any(|l| self.known(*l) == Some(false)) {
            return self.constant(false);
        }
        match literals[..] {
            [] => self.constant(true),
            [one] => one,
            [a, b] => self.and(a, b),
            _ => {
                let output = self.sat.fresh();
                for literal in &literals {
                    self.sat.clause(&[!output, *literal]);
                }
                let clause: Vec<Lit> = literals.iter().map(|l| !*l).chain([output]).collect();
                self.sat.clause(&clause);
                output
            }
        }
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.variable(), b.variable());
        let (a, b) = (a.min(b), a.max(b));
        let output = match (self.known(a), self.known(b)) {
            (Some(value), _) => {
                if value {
                    !b
                } else {
                    b
                }
            }
            (_, Some(value)) => {
                if value {
                    !a
                } else {
                    a
                }
            }
            _ if a == b => self.constant(false),
            _ => self.gate(Gate::Xor(a, b), |sat, output| {
                sat.clause(&[!output, a, b]);
                sat.clause(&[!output, !a, !b]);
                sat.clause(&[output, !a, b]);
                sat.clause(&[output, a, !b]);
            }),
        };
        if negated { !output } else { output }
    }

    fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition.is_negated() {
            return self.ite(!condition, b, a);
        }
        match self.known(condition) {
            Some(true) => return a,
            Some(false) => return b,
            None if a == b => return a,
            None if a == !b => return self.equal(condition, a),
            None => {}
        }
        match (self.known(a), self.known(b)) {
            (Some(true), _) => return self.or(condition, b),
            (Some(false), _) => return self.and(!condition, b),
            (_, Some(true)) => return self.or(!condition, a),
            (_, Some(false)) => return self.and(condition, a),
            _ if a == condition => return self.or(condition, b),
            _ if a == !condition => return self.and(!condition, b),
            _ if b == condition => return self.and(condition, a),
            _ if b == !condition => return self.or(!condition, a),
            _ => {}
        }
        if a.is_negated() {
            return !self.ite(condition, !a, !b);
        }
        self.gate(Gate::Ite(condition, a, b), |sat, output| {
            sat.clause(&[!condition, !a, output]);
            sat.clause(&[!condition, a, !output]);
            sat.clause(&[condition, !b, output]);
            sat.clause(&[condition, b, !output]);
            // These two follow; they let more be propagated.
            sat.clause(&[!a, !b, output]);
            sat.clause(&[a, b, !output]);
        })
    }

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut three = [a, b, c];
        three.sort_unstable_by_key(|l| (l.variable(), l.is_negated()));
        let [a, b, c] = three;
        for (x, y, z) in [(a, b, c), (b, a, c), (c, a, b)] {
            match self.known(x) {
                Some(true) => return self.or(y, z),
                Some(false) => return self.and(y, z),
                None => {}
            }
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a.is_negated() {
            return !self.majority(!a, !b, !c);
        }
        self.gate(Gate::Majority(a, b, c), |sat, output| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.clause(&[!x, !y, output]);
                sat.clause(&[x, y, !output]);
            }
        })
    }
}
