//! The constants that a program compares its variables with: the inputs that make a difference.
//!
//! Variables that may hold the same value, because one is assigned or passed to the other, are one class and share their
//! constants. What goes through memory is in one class for each width. This is a heuristic: nothing depends on its being
//! complete.

use ir::{Cfa, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term, Value, bits};

/// No more constants are kept of a class.
const MOST: usize = 256;

/// The constants of a program.
#[derive(Debug)]
pub struct Constants {
    /// The class of each variable.
    classes: FxHashMap<Term, usize>,
    /// The values to try for the variables of a class, as bits, in ascending order.
    values: Vec<Vec<u128>>,
    /// All constants that something is compared with.
    all: Vec<u128>,
}

/// What holds a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Variable(Term),
    /// Any place in memory that is accessed with so many bits.
    Memory(u32),
}

impl Constants {
    pub fn new(program: &Program) -> Constants {
        let mut classes = Classes::default();
        let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
        for (_, edge) in bodies.flat_map(Cfa::edges) {
            match &edge.op {
                Op::Assign(pairs) => pairs.iter().for_each(|(variable, value)| classes.flow(*value, *variable)),
                Op::Call { procedure, arguments, results } => {
                    let callee = program.procedure(*procedure);
                    let passed = arguments.iter().zip(&callee.parameters);
                    passed.for_each(|(argument, parameter)| classes.flow(*argument, parameter.term));
                    let returned = callee.results.iter().zip(results);
                    returned.for_each(|(result, target)| classes.flow(result.term, *target));
                }
                Op::Spawn { procedure, arguments, .. } => {
                    let passed = arguments.iter().zip(&program.procedure(*procedure).parameters);
                    passed.for_each(|(argument, parameter)| classes.flow(*argument, parameter.term));
                }
                Op::Assume(_) | Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => {}
            }
        }
        post_order(program.terms()).into_iter().for_each(|part| classes.look_at(part));
        classes.finish()
    }

    /// The values to try for a variable, as bits that may exceed its width.
    pub fn of(&self, variable: Term) -> &[u128] {
        self.classes.get(&variable).map_or(&[], |class| &self.values[*class])
    }

    /// The constants of the whole program.
    pub fn all(&self) -> &[u128] {
        &self.all
    }
}

/// Classes under construction: a forest of holders.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Holder, usize>,
    parents: Vec<usize>,
    compared: Vec<(usize, u128)>,
}

impl Classes {
    fn number(&mut self, holder: Holder) -> usize {
        *self.numbers.entry(holder).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    fn find(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    /// The value of a term becomes that of a variable.
    fn flow(&mut self, value: Term, variable: Term) {
        for holder in holders(value) {
            self.unite(holder, Holder::Variable(variable));
        }
    }

    fn unite(&mut self, a: Holder, b: Holder) {
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a] = b;
    }

    /// Notes what a term says of values, apart from its parts.
    fn look_at(&mut self, term: Term) {
        match (term.op(), term.args()) {
            (TermOp::MemStore, [_, _, value]) => {
                if let SortKind::BitVec(width) = value.sort().kind() {
                    for holder in holders(*value) {
                        self.unite(holder, Holder::Memory(*width));
                    }
                }
            }
            (TermOp::Eq, [a, b]) => self.compare(*a, *b, false),
            (TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle | TermOp::Lt | TermOp::Le, [a, b]) => {
                self.compare(*a, *b, true)
            }
            _ => {}
        }
    }

    /// Values are compared. Where it is their order that counts, the neighbours of a constant make a difference, and the
    /// greatest and the least numbers may.
    fn compare(&mut self, a: Term, b: Term, is_order: bool) {
        let (constant, other) = match (number(a), number(b)) {
            (Some(constant), None) => (constant, b),
            (None, Some(constant)) => (constant, a),
            _ => return,
        };
        for holder in holders(other) {
            let number = self.number(holder);
            self.compared.push((number, constant));
            if is_order {
                let width = match other.sort().kind() {
                    SortKind::BitVec(width) => *width,
                    _ => 64,
                };
                let greatest = bits::mask(width - 1);
                let others = [constant.wrapping_sub(1), constant.wrapping_add(1), greatest, !greatest];
                self.compared.extend(others.map(|value| (number, value)));
            }
        }
    }

    fn finish(mut self) -> Constants {
        let compared = std::mem::take(&mut self.compared);
        let mut sets: FxHashMap<usize, BTreeSet<u128>> = FxHashMap::default();
        let all: BTreeSet<u128> = compared.iter().map(|(_, value)| *value).collect();
        for (number, value) in compared {
            let set = sets.entry(self.find(number)).or_default();
            if set.len() < MOST {
                set.insert(value);
            }
        }
        let mut values = Vec::new();
        let mut indices = FxHashMap::default();
        for (class, set) in sets {
            indices.insert(class, values.len());
            // One value that is none of the constants.
            let other = (0..).find(|value| !set.contains(value));
            values.push(set.into_iter().chain(other).collect::<Vec<_>>());
        }
        let variables: Vec<(Term, usize)> = self
            .numbers
            .iter()
            .filter_map(|(holder, number)| match holder {
                Holder::Variable(variable) => Some((*variable, *number)),
                Holder::Memory(_) => None,
            })
            .collect();
        let classes = variables
            .into_iter()
            .filter_map(|(variable, number)| Some((variable, *indices.get(&self.find(number))?)))
            .collect();
        Constants { classes, values, all: all.into_iter().collect() }
    }
}

/// What a constant stands for, as bits.
fn number(term: Term) -> Option<u128> {
    match term.op() {
        TermOp::Const(Value::Bv(bits)) => Some(bits.signed() as u128),
        TermOp::Const(Value::Int(number)) => i128::try_from(number).ok().map(|number| number as u128),
        _ => None,
    }
}

/// What may hold the value of a term, perhaps with another width.
fn holders(term: Term) -> Vec<Holder> {
    match (term.op(), term.args()) {
        (TermOp::Var { .. }, _) => vec![Holder::Variable(term)],
        (TermOp::Load(_), _) => match term.sort().kind() {
            SortKind::BitVec(width) => vec![Holder::Memory(*width)],
            _ => Vec::new(),
        },
        (
            TermOp::SignExtend(_)
            | TermOp::ZeroExtend(_)
            | TermOp::Extract { low: 0, .. }
            | TermOp::BvToInt { .. }
            | TermOp::IntToBv(_),
            [inner],
        ) => holders(*inner),
        (TermOp::Ite, [_, yes, no]) => [*yes, *no].into_iter().flat_map(holders).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, variable: &str, expected: &[i128]) {
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let constants = Constants::new(&program);
        let declared = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.locals));
        let declared = declared.chain(&program.globals).find(|v| v.name().as_str() == variable);
        let declared = declared.unwrap_or_else(|| panic!("no variable {variable}"));
        let found: Vec<i128> = constants.of(declared.term).iter().map(|value| *value as i128).collect();
        assert_eq!(found, expected, "{variable}");
    }

    /// Constants come back through copies, calls and conversions, and inequalities bring their neighbours.
    #[test]
    fn constants_follow_values() {
        let text = "global g: bv32\n\
            procedure main() {\nlocal x: bv32\nlocal y: bv32\nlocal z: bv8\n\
            entry -> L2: havoc x, z\nL2 -> L3: y := x\nL3 -> L4: call f(y)\nL4 -> L5: g := ((_ sign_extend 24) z)\n\
            L5 -> exit: assume (= g #x00000041)\n}\n\
            procedure f(p: bv32) {\nentry -> exit: assume (= p #x00000007)\nentry -> exit: assume (bvslt p #x00000003)\n}\n";
        let (least, greatest) = (i32::MIN.into(), i32::MAX.into());
        check(text, "x", &[2, 3, 4, 7, greatest, least, 0]);
        check(text, "p", &[2, 3, 4, 7, greatest, least, 0]);
        check(text, "z", &[0x41, 0]);
    }
}
