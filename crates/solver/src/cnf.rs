//! And-inverter graphs as clauses: each node that a question needs gets a variable, once.
//!
//! One solver answers many questions, each under its own assumptions, because making a solver takes longer than most of them. When
//! it knows many nodes that the next question does not need, a new one takes its place: every model has a value for each.

use crate::aig::{Aig, Node, Wire};
use crate::sat::{Lit, Sat};
use crate::{Limits, Unknown};
use rustc_hash::FxHashMap;

/// A solver that knows more nodes is not used for another question.
const MOST_NODES: usize = 3000;

/// A solver with the clauses of some nodes.
#[derive(Default)]
pub struct Cnf {
    pub sat: Sat,
    literals: FxHashMap<u32, Lit>,
}

impl Cnf {
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// Begins a new question: nothing of the old ones is needed any more.
    pub fn recycle(&mut self) {
        if self.literals.len() > MOST_NODES {
            *self = Cnf::new();
        }
    }

    /// The literal that stands for a wire.
    pub fn literal(&mut self, aig: &Aig, wire: Wire) -> Lit {
        if !self.literals.contains_key(&wire.node()) {
            self.encode(aig, wire);
        }
        self.known(wire)
    }

    fn known(&self, wire: Wire) -> Lit {
        let literal = self.literals[&wire.node()];
        if wire.is_negated() { !literal } else { literal }
    }

    fn encode(&mut self, aig: &Aig, root: Wire) {
        let mut pending = vec![root.plain()];
        while let Some(&wire) = pending.last() {
            if self.literals.contains_key(&wire.node()) {
                pending.pop();
                continue;
            }
            if let Node::And(a, b) = aig.node(wire) {
                let missing = [a, b].into_iter().filter(|part| !self.literals.contains_key(&part.node()));
                let before = pending.len();
                pending.extend(missing.map(Wire::plain));
                if pending.len() > before {
                    continue;
                }
            }
            pending.pop();
            let literal = self.sat.fresh();
            self.literals.insert(wire.node(), literal);
            match aig.node(wire) {
                Node::Constant => self.sat.clause(&[!literal]),
                Node::Input => {}
                Node::And(a, b) => {
                    let (a, b) = (self.known(a), self.known(b));
                    self.sat.clause(&[!literal, a]);
                    self.sat.clause(&[!literal, b]);
                    self.sat.clause(&[literal, !a, !b]);
                }
            }
        }
    }

    /// The wire holds from now on.
    pub fn assert(&mut self, aig: &Aig, wire: Wire) {
        let literal = self.literal(aig, wire);
        self.sat.clause(&[literal]);
    }

    /// Whether there are values of the inputs for which the wires hold, beside what was asserted.
    pub fn solve(&mut self, aig: &Aig, wires: &[Wire], limits: &Limits) -> Result<bool, Unknown> {
        let assumptions: Vec<Lit> = wires.iter().map(|wire| self.literal(aig, *wire)).collect();
        self.sat.solve(&assumptions, limits)
    }

    /// A wire's value in the model that was found last. One that nothing depends on is false.
    pub fn value(&mut self, wire: Wire) -> bool {
        let Some(literal) = self.literals.get(&wire.node()).copied() else { return wire.is_negated() };
        self.sat.value(literal) != wire.is_negated()
    }
}

/// Whether a wire can be true: by its signature if that says so, otherwise by the solver.
pub fn satisfiable(aig: &Aig, cnf: &mut Cnf, wire: Wire, limits: &Limits) -> Result<bool, Unknown> {
    if let Some(constant) = wire.as_constant() {
        return Ok(constant);
    }
    if aig.signature(wire).witness().is_some() {
        return Ok(true);
    }
    cnf.recycle();
    cnf.solve(aig, &[wire], limits)
}
