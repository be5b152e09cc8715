//! The summary of an automaton reaches an error location exactly when the automaton does: against the enumeration of all
//! states of small random programs (Theorem 3.1 of "Software Model Checking via Large-Block Encoding").

use ir::{Cfa, CfaBuilder, LocId, LocationKind, Op, PropertyId};
use pass::{Guarded, Summary, summarise, summarise_with};
use std::collections::{BTreeSet, HashMap};
use term::eval::evaluate;
use term::{Sort, Term, Value, build};

/// Two-bit variables: few enough for all states to be listed.
const WIDTH: u32 = 2;

fn variables() -> [Term; 3] {
    ["x", "y", "z"].map(|name| Term::var(name, Sort::bv(WIDTH)))
}

/// A small deterministic source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn variable(&mut self) -> Term {
        variables()[self.below(3) as usize]
    }

    fn value(&mut self) -> Term {
        match self.below(3) {
            0 => build::bv(WIDTH, self.below(4).into()),
            1 => self.variable(),
            _ => build::bv_add(self.variable(), build::bv(WIDTH, self.below(4).into())),
        }
    }

    fn condition(&mut self) -> Term {
        let equal = build::eq(self.variable(), self.value());
        if self.below(2) == 0 { equal } else { build::not(equal) }
    }

    fn op(&mut self) -> Op {
        match self.below(8) {
            0 => Op::Havoc(vec![self.variable()]),
            1..4 => Op::assign(self.variable(), self.value()),
            4 => Op::skip(),
            _ => Op::Assume(self.condition()),
        }
    }

    /// A random automaton with an error location; branches are sometimes complementary, as a frontend makes them.
    fn automaton(&mut self) -> Cfa {
        let mut builder = CfaBuilder::new(None, None);
        let error = builder.special(LocationKind::Error(PropertyId(0)), None);
        let plain: Vec<LocId> = (0..2 + self.below(6)).map(|_| builder.location(None)).collect();
        let mut from = vec![CfaBuilder::ENTRY];
        from.extend(&plain);
        for source in from {
            let target = |numbers: &mut Numbers| match numbers.below(6) {
                0 => error,
                1 => CfaBuilder::EXIT,
                _ => plain[numbers.below(plain.len() as u64) as usize],
            };
            if self.below(2) == 0 {
                let condition = self.condition();
                let (yes, no) = (target(self), target(self));
                builder.edge(source, Op::Assume(condition), yes, None);
                builder.edge(source, Op::Assume(build::not(condition)), no, None);
            } else {
                for _ in 0..1 + self.below(2) {
                    let (op, to) = (self.op(), target(self));
                    builder.edge(source, op, to, None);
                }
            }
        }
        builder.finish()
    }
}

type State = [u64; 3];

fn all_states() -> Vec<State> {
    (0..64).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3]).collect()
}

fn read(state: &State, term: Term, inputs: &HashMap<Term, Value>) -> Value {
    let value = |variable: Term| match variables().iter().position(|known| *known == variable) {
        Some(i) => Some(Value::bv(WIDTH, state[i].into())),
        None => inputs.get(&variable).cloned(),
    };
    evaluate(term, &value).expect("a closed term")
}

fn number(value: &Value) -> u64 {
    value.as_bv().expect("a vector").unsigned() as u64
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("a truth value")
}

/// The locations and states that an automaton reaches, edge by edge.
fn reached(cfa: &Cfa) -> BTreeSet<(LocId, State)> {
    let none = HashMap::new();
    let mut found = BTreeSet::new();
    let mut pending: Vec<(LocId, State)> = all_states().into_iter().map(|state| (cfa.entry(), state)).collect();
    while let Some((location, state)) = pending.pop() {
        if !found.insert((location, state)) {
            continue;
        }
        for id in cfa.outgoing(location) {
            let edge = cfa.edge(*id);
            let index = |variable: &Term| variables().iter().position(|known| known == variable).expect("declared");
            match &edge.op {
                Op::Assume(condition) if !truth(&read(&state, *condition, &none)) => {}
                Op::Assign(pairs) => {
                    let mut after = state;
                    for (variable, value) in pairs {
                        after[index(variable)] = number(&read(&state, *value, &none));
                    }
                    pending.push((edge.to, after));
                }
                Op::Havoc(chosen) => {
                    for value in 0..4 {
                        let mut after = state;
                        after[index(&chosen[0])] = value;
                        pending.push((edge.to, after));
                    }
                }
                _ => pending.push((edge.to, state)),
            }
        }
    }
    found
}

/// The same by the summary's blocks, whose inputs take all values.
fn reached_by_blocks(cfa: &Cfa, summary: &Summary) -> BTreeSet<(LocId, State)> {
    let ops: Vec<(LocId, LocId, Option<Guarded>)> =
        summary.blocks.iter().map(|block| (block.from, block.to, Guarded::of_block(cfa, block))).collect();
    let mut found = BTreeSet::new();
    let mut pending: Vec<(LocId, State)> = all_states().into_iter().map(|state| (cfa.entry(), state)).collect();
    while let Some((location, state)) = pending.pop() {
        if !found.insert((location, state)) {
            continue;
        }
        for (_, to, op) in ops.iter().filter(|(from, _, _)| *from == location) {
            let Some(op) = op else { continue };
            for inputs in assignments(op.inputs()) {
                if truth(&read(&state, op.guard(), &inputs)) {
                    let after = variables().map(|variable| number(&read(&state, op.after(variable), &inputs)));
                    pending.push((*to, after));
                }
            }
        }
    }
    found
}

fn assignments(inputs: &[Term]) -> Vec<HashMap<Term, Value>> {
    let mut all = vec![HashMap::new()];
    for input in inputs {
        let values: Vec<Value> = match input.sort().bv_width() {
            Some(width) => (0..1u128 << width).map(|bits| Value::bv(width, bits)).collect(),
            None => vec![Value::Bool(false), Value::Bool(true)],
        };
        let extend = |known: &HashMap<Term, Value>| {
            let with = |value: &Value| known.iter().map(|(k, v)| (*k, v.clone())).chain([(*input, value.clone())]);
            values.iter().map(|value| with(value).collect()).collect::<Vec<HashMap<Term, Value>>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

fn check(cfa: &Cfa, summary: &Summary, seed: u64) {
    assert!(summary.locations.contains(&cfa.entry()));
    let kept = |(location, _): &(LocId, State)| summary.locations.contains(location);
    let expected: BTreeSet<(LocId, State)> = reached(cfa).into_iter().filter(kept).collect();
    // Not only the error locations: at every surviving location the very same states are reached.
    assert_eq!(reached_by_blocks(cfa, summary), expected, "seed {seed}\n{cfa:?}");
}

#[test]
fn summaries_reach_what_the_automaton_reaches() {
    for seed in 0..400 {
        let cfa = Numbers(seed * 7919 + 1).automaton();
        check(&cfa, &summarise(&cfa), seed);
        check(&cfa, &summarise_with(&cfa, |location| location.0.is_multiple_of(2)), seed);
        check(&cfa, &summarise_with(&cfa, |_| true), seed);
    }
}

#[test]
fn no_rule_applies_any_more() {
    for seed in 0..400 {
        let cfa = Numbers(seed * 104729 + 7).automaton();
        let summary = summarise(&cfa);
        for location in &summary.locations {
            let special = *location == cfa.entry()
                || *location == cfa.exit()
                || cfa.location(*location).kind != LocationKind::Plain;
            let into: Vec<LocId> = summary.blocks.iter().filter(|b| b.to == *location).map(|b| b.from).collect();
            // Rule 2: one block between two locations. Rule 1: a plain location has no single other predecessor.
            let distinct: BTreeSet<LocId> = into.iter().copied().collect();
            assert_eq!(into.len(), distinct.len(), "seed {seed}");
            assert!(special || into.len() != 1 || into[0] == *location, "seed {seed}: {location:?}");
        }
    }
}
