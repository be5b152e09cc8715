//! And-inverter graphs: Boolean functions of inputs, with shared parts.
//!
//! A [`Wire`] is an input, a conjunction of two wires or a constant, perhaps negated. Nodes are never freed; a node's number is
//! larger than those of its parts. Equal structures are one node, and a few obvious simplifications are made.
//!
//! Every node carries a *signature*: its values under the same random values of the inputs. Wires whose signatures differ are
//! different functions, and a signature that is not zero shows that a function is satisfiable.

use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Not;
use term::random::Random;

/// How many words of values a signature has.
const WORDS: usize = 4;

/// The values of a function under [`Signature::COUNT`] random inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature([u64; WORDS]);

impl Signature {
    pub const COUNT: usize = 64 * WORDS;

    /// A number of values under which the function is true, if there is one.
    pub fn witness(self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    pub fn and(self, other: Signature) -> Signature {
        Signature(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub fn xor(self, other: Signature) -> Signature {
        Signature(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    /// The value in the given round.
    pub fn value(self, round: usize) -> bool {
        self.0[round / 64] >> (round % 64) & 1 == 1
    }
}

impl Not for Signature {
    type Output = Signature;

    fn not(self) -> Signature {
        Signature(self.0.map(|word| !word))
    }
}

/// A node of a graph, perhaps negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wire(u32);

impl Wire {
    pub const FALSE: Wire = Wire(0);
    pub const TRUE: Wire = Wire(1);

    pub fn constant(value: bool) -> Wire {
        Wire(u32::from(value))
    }

    /// The value, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The wire without its negation.
    pub fn plain(self) -> Wire {
        Wire(self.0 & !1)
    }

    /// The wire of a node.
    pub fn of_node(node: u32) -> Wire {
        Wire(node << 1)
    }

    /// The number of its node.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// This wire, negated if the condition holds.
    pub fn negated_if(self, condition: bool) -> Wire {
        Wire(self.0 ^ u32::from(condition))
    }
}

impl Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Constant,
    Input,
    And(Wire, Wire),
}

pub struct Aig {
    nodes: Vec<Node>,
    signatures: Vec<Signature>,
    unique: FxHashMap<(Wire, Wire), u32>,
    random: Random,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig::new()
    }
}

impl Aig {
    pub fn new() -> Aig {
        Aig {
            nodes: vec![Node::Constant],
            signatures: vec![Signature([0; WORDS])],
            unique: FxHashMap::default(),
            random: Random::new(0),
        }
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, wire: Wire) -> Node {
        self.nodes[wire.node() as usize]
    }

    pub fn is_input(&self, wire: Wire) -> bool {
        self.node(wire) == Node::Input
    }

    pub fn signature(&self, wire: Wire) -> Signature {
        let signature = self.signatures[wire.node() as usize];
        if wire.is_negated() { !signature } else { signature }
    }

    pub fn input(&mut self) -> Wire {
        let signature = Signature(std::array::from_fn(|_| self.random.bits()));
        self.push(Node::Input, signature)
    }

    fn push(&mut self, node: Node, signature: Signature) -> Wire {
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.signatures.push(signature);
        Wire(number << 1)
    }

    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Wire::FALSE || a == !b {
            return Wire::FALSE;
        }
        if a == Wire::TRUE || a == b {
            return b;
        }
        for (whole, other) in [(a, b), (b, a)] {
            let Node::And(left, right) = self.node(whole) else { continue };
            match whole.is_negated() {
                false if left == other || right == other => return whole,
                false if left == !other || right == !other => return Wire::FALSE,
                // Where one part holds, the negated conjunction is the negation of the other part.
                true if left == other => return self.and(other, !right),
                true if right == other => return self.and(other, !left),
                true if left == !other || right == !other => return other,
                _ => {}
            }
        }
        if let Some(known) = self.unique.get(&(a, b)) {
            return Wire(known << 1);
        }
        let signature = self.signature(a).and(self.signature(b));
        let wire = self.push(Node::And(a, b), signature);
        self.unique.insert((a, b), wire.node());
        wire
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    pub fn equal(&mut self, a: Wire, b: Wire) -> Wire {
        !self.xor(a, b)
    }

    pub fn ite(&mut self, condition: Wire, then: Wire, otherwise: Wire) -> Wire {
        if then == otherwise {
            return then;
        }
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    pub fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(Wire::TRUE, |all, wire| self.and(all, wire))
    }

    pub fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(Wire::FALSE, |any, wire| self.or(any, wire))
    }

    /// The nodes that wires are made of, parts before wholes.
    pub fn cone(&self, roots: impl IntoIterator<Item = Wire>) -> Vec<u32> {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<u32> = roots.into_iter().map(Wire::node).collect();
        while let Some(node) = pending.pop() {
            if seen.insert(node)
                && let Node::And(a, b) = self.nodes[node as usize]
            {
                pending.extend([a.node(), b.node()]);
            }
        }
        let mut cone: Vec<u32> = seen.into_iter().collect();
        cone.sort_unstable();
        cone
    }

    /// The inputs that wires are made of, in the order of their making.
    pub fn support(&self, roots: impl IntoIterator<Item = Wire>) -> Vec<Wire> {
        let cone = self.cone(roots);
        cone.into_iter().filter(|node| self.nodes[*node as usize] == Node::Input).map(|node| Wire(node << 1)).collect()
    }

    /// The wires with inputs replaced; those that `replacement` does not name stay.
    pub fn substitute(&mut self, roots: &[Wire], replacement: &FxHashMap<Wire, Wire>) -> Vec<Wire> {
        let mut new: FxHashMap<u32, Wire> = FxHashMap::default();
        for node in self.cone(roots.iter().copied()) {
            let old = Wire(node << 1);
            let wire = match self.nodes[node as usize] {
                Node::Constant => old,
                Node::Input => replacement.get(&old).copied().unwrap_or(old),
                Node::And(a, b) => {
                    let (a, b) = (of(&new, a), of(&new, b));
                    self.and(a, b)
                }
            };
            new.insert(node, wire);
        }
        roots.iter().map(|root| of(&new, *root)).collect()
    }

    /// The conjuncts that a wire is made of.
    pub fn conjuncts(&self, root: Wire) -> Vec<Wire> {
        let mut conjuncts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![root];
        while let Some(wire) = pending.pop() {
            if !seen.insert(wire) || wire == Wire::TRUE {
                continue;
            }
            match self.node(wire) {
                Node::And(a, b) if !wire.is_negated() => pending.extend([b, a]),
                _ => conjuncts.push(wire),
            }
        }
        conjuncts
    }

    /// The values of wires under values of the inputs.
    pub fn evaluate(&self, roots: &[Wire], input: impl Fn(Wire) -> bool) -> Vec<bool> {
        let mut values: FxHashMap<u32, bool> = FxHashMap::default();
        let value = |values: &FxHashMap<u32, bool>, wire: Wire| values[&wire.node()] ^ wire.is_negated();
        for node in self.cone(roots.iter().copied()) {
            let here = match self.nodes[node as usize] {
                Node::Constant => false,
                Node::Input => input(Wire(node << 1)),
                Node::And(a, b) => value(&values, a) && value(&values, b),
            };
            values.insert(node, here);
        }
        roots.iter().map(|root| value(&values, *root)).collect()
    }
}

fn of(new: &FxHashMap<u32, Wire>, wire: Wire) -> Wire {
    new[&wire.node()].negated_if(wire.is_negated())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random graphs: simplification changes no value, substitution is evaluation with other inputs, and signatures are values.
    #[test]
    fn simplification_keeps_values() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let mut aig = Aig::new();
            let inputs: Vec<Wire> = (0..4).map(|_| aig.input()).collect();
            let mut wires: Vec<(Wire, u16)> = inputs.iter().enumerate().map(|(i, w)| (*w, TABLE[i])).collect();
            for _ in 0..30 {
                let (a, b) = (*random.pick(&wires), *random.pick(&wires));
                wires.push(match random.below(4) {
                    0 => (aig.or(a.0, b.0), a.1 | b.1),
                    1 => (aig.and(!a.0, b.0), !a.1 & b.1),
                    2 => (aig.xor(a.0, b.0), a.1 ^ b.1),
                    _ => (aig.and(a.0, b.0), a.1 & b.1),
                });
            }
            for (wire, table) in &wires {
                for row in 0..16 {
                    let value = |input: Wire| row >> inputs.iter().position(|i| *i == input).unwrap_or(0) & 1 == 1;
                    assert_eq!(aig.evaluate(&[*wire], value), [table >> row & 1 == 1]);
                }
                let round = random.below(Signature::COUNT);
                let simulated = aig.evaluate(&[*wire], |input| aig.signature(input).value(round));
                assert_eq!(simulated, [aig.signature(*wire).value(round)]);
            }
            let swap: FxHashMap<Wire, Wire> = [(inputs[0], !inputs[1]), (inputs[2], Wire::TRUE)].into_iter().collect();
            let (wire, table) = *random.pick(&wires);
            let swapped = aig.substitute(&[wire], &swap)[0];
            for row in 0..16u16 {
                let value = |input: Wire| row >> inputs.iter().position(|i| *i == input).unwrap_or(0) & 1 == 1;
                let other = (row & !1 | u16::from(row >> 1 & 1 == 0)) | 4;
                assert_eq!(aig.evaluate(&[swapped], value), [table >> other & 1 == 1]);
            }
        }
    }

    /// The values of four inputs in the sixteen rows of a truth table.
    const TABLE: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

    #[test]
    fn conjuncts_are_the_parts_of_a_conjunction() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let or = aig.or(b, c);
        let whole = aig.all([a, or, !c]);
        let mut parts = aig.conjuncts(whole);
        parts.sort_unstable();
        let mut expected = vec![a, or, !c];
        expected.sort_unstable();
        assert_eq!(parts, expected);
        assert_eq!(aig.conjuncts(Wire::TRUE), []);
    }
}
