//! The inputs of an execution, by the place that asks for them.
//!
//! A changed program may take another path, so a list of choices in the order in which they were made does not fit
//! it. Here each place of the program that asks has a queue of its own; where one is empty the answer is zero. So the
//! changed program gets the inputs of the execution for as long as it asks for the same.

use ir::interp::{At, Choice, Choices, Chosen, Recorded, Zeros};
use ir::{EdgeId, LocId, ProcId, Variable};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use term::{Function, Op, Sort, Term, Value, build, eval};

type Queues<K, V> = FxHashMap<K, VecDeque<V>>;

/// What an execution got from outside.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    initial: Queues<(ProcId, Term), Value>,
    havoc: Queues<(ProcId, Option<EdgeId>, Term), Value>,
    results: Queues<(ProcId, Option<EdgeId>, Term), Value>,
    branches: Queues<(ProcId, LocId), EdgeId>,
    bytes: FxHashMap<(u32, u64), u8>,
    pointers: FxHashMap<(u32, u64), Option<Value>>,
    addresses: FxHashMap<u32, u64>,
    applied: FxHashMap<(Function, Vec<Value>), Value>,
}

impl Inputs {
    /// What a byte of an object held that nothing was written to.
    pub fn byte(&self, object: u32, offset: u64) -> Option<u8> {
        self.bytes.get(&(object, offset)).copied()
    }

    /// The pointer that bytes held that nothing was written to.
    pub fn pointer_at(&self, object: u32, offset: u64) -> Option<&Value> {
        self.pointers.get(&(object, offset)).and_then(Option::as_ref)
    }

    /// Inputs near to these: a few values are others, often by little.
    pub fn neighbour(&self, seed: u64) -> Inputs {
        let mut random = term::random::Random::new(seed);
        let mut near = self.clone();
        let places = near.havoc.len() + near.results.len() + near.bytes.len() / 4;
        let mut change = |value: &mut Value| {
            if random.once_in(places.clamp(1, 3)) {
                *value = beside(value, &mut random);
            }
        };
        // Maps are not ordered; equal seeds must make equal neighbours.
        let mut queues: Vec<_> = near.havoc.iter_mut().chain(&mut near.results).collect();
        queues.sort_by_key(|((procedure, edge, variable), _)| (*procedure, *edge, variable.name()));
        queues.into_iter().flat_map(|(_, queue)| queue).for_each(&mut change);
        let mut bytes: Vec<_> = near.bytes.iter_mut().collect();
        bytes.sort_by_key(|(place, _)| **place);
        for (_, byte) in bytes {
            let mut value = Value::bv(8, (*byte).into());
            change(&mut value);
            *byte = value.as_bv().map_or(0, |bits| bits.unsigned() as u8);
        }
        near
    }

    /// Whether there is anything that could be otherwise.
    pub fn is_empty(&self) -> bool {
        self.havoc.is_empty() && self.results.is_empty() && self.bytes.is_empty()
    }
}

/// Another value of the same sort: near, small, or any.
fn beside(value: &Value, random: &mut term::random::Random) -> Value {
    let any = |random: &mut term::random::Random| match value {
        Value::Pointer { .. } => value.clone(),
        _ => random.value(value.sort()),
    };
    let Value::Bv(bits) = value else { return any(random) };
    match random.below(5) {
        0 | 1 => {
            let step = [1, 2, 3, -1, -2, 7, -7][random.below(7)];
            Value::bv(bits.width(), (bits.signed() + step) as u128)
        }
        2 => Value::bv(bits.width(), random.below(16) as u128),
        3 => {
            let size = usize::try_from(bits.signed().unsigned_abs()).unwrap_or(0).min(1 << 20);
            Value::bv(bits.width(), random.below(2 * size + 16) as u128)
        }
        _ => any(random),
    }
}

/// Makes the execution once more, and notes its inputs by their places.
pub struct Noting<'a> {
    inner: Recorded,
    inputs: &'a RefCell<Inputs>,
}

impl<'a> Noting<'a> {
    pub fn new(choices: &[Choice], inputs: &'a RefCell<Inputs>) -> Noting<'a> {
        Noting { inner: Recorded::new(choices.iter().cloned()), inputs }
    }
}

impl Choices for Noting<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.initial(variable, at)?;
        let mut inputs = self.inputs.borrow_mut();
        inputs.initial.entry((at.procedure, variable.term)).or_default().push_back(value.clone());
        Ok(value)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.havoc(variable, at)?;
        let mut inputs = self.inputs.borrow_mut();
        inputs.havoc.entry((at.procedure, at.edge, variable.term)).or_default().push_back(value.clone());
        Ok(value)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.result(procedure, result, at)?;
        let mut inputs = self.inputs.borrow_mut();
        inputs.results.entry((at.procedure, at.edge, result.term)).or_default().push_back(value.clone());
        Ok(value)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        let index = self.inner.branch(edges, at)?;
        if let Some(edge) = edges.get(index) {
            let mut inputs = self.inputs.borrow_mut();
            inputs.branches.entry((at.procedure, at.location)).or_default().push_back(*edge);
        }
        Ok(index)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        self.inner.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.inner.bytes(object, offset, bytes)?;
        let noted = (offset..).zip(bytes.iter()).map(|(at, byte)| ((object, at), *byte));
        self.inputs.borrow_mut().bytes.extend(noted);
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        let pointer = self.inner.pointer(object, offset, width)?;
        self.inputs.borrow_mut().pointers.insert((object, offset), pointer.clone());
        Ok(pointer)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        let address = self.inner.address(object, size, suggested)?;
        self.inputs.borrow_mut().addresses.insert(object, address);
        Ok(address)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let value = self.inner.apply(function, arguments)?;
        self.inputs.borrow_mut().applied.insert((function.clone(), arguments.to_vec()), value.clone());
        Ok(value)
    }
}

/// Values that differ from those that the program computes, by the place and by how often control came there before.
#[derive(Clone, Default, Debug)]
pub struct Angel {
    /// Where an edge is chosen: the usual one, and for some visits another.
    pub forks: FxHashMap<(ProcId, LocId), Fork>,
    /// What the edges of forks choose for variables.
    pub values: FxHashMap<(ProcId, EdgeId, Term), VecDeque<Value>>,
}

#[derive(Clone, Debug)]
pub struct Fork {
    pub usual: EdgeId,
    pub others: FxHashMap<u32, EdgeId>,
    /// From this visit on, this one.
    pub later: Option<(u32, EdgeId)>,
}

/// Answers with the inputs of an execution, and with an angel's values where there are any.
pub struct Given {
    inputs: Inputs,
    angel: Angel,
    visits: FxHashMap<(ProcId, LocId), u32>,
}

impl Given {
    pub fn new(inputs: &Inputs, angel: Angel) -> Given {
        Given { inputs: inputs.clone(), angel, visits: FxHashMap::default() }
    }
}

fn pop<K: std::hash::Hash + Eq, V>(queues: &mut Queues<K, V>, key: &K) -> Option<V> {
    queues.get_mut(key).and_then(VecDeque::pop_front)
}

impl Choices for Given {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        match pop(&mut self.inputs.initial, &(at.procedure, variable.term)) {
            Some(value) => Ok(value),
            None => Zeros.initial(variable, at),
        }
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        if let Some(edge) = at.edge
            && let Some(value) = pop(&mut self.angel.values, &(at.procedure, edge, variable.term))
        {
            return Ok(value);
        }
        match pop(&mut self.inputs.havoc, &(at.procedure, at.edge, variable.term)) {
            Some(value) => Ok(value),
            None => Zeros.havoc(variable, at),
        }
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        match pop(&mut self.inputs.results, &(at.procedure, at.edge, result.term)) {
            Some(value) => Ok(value),
            None => Zeros.result(procedure, result, at),
        }
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        let key = (at.procedure, at.location);
        let wanted = match self.angel.forks.get(&key) {
            Some(fork) => {
                let visit = self.visits.entry(key).or_default();
                *visit += 1;
                let later = fork.later.filter(|(from, _)| *visit > *from).map(|(_, edge)| edge);
                Some(later.unwrap_or_else(|| *fork.others.get(&(*visit - 1)).unwrap_or(&fork.usual)))
            }
            None => pop(&mut self.inputs.branches, &key),
        };
        Ok(wanted.and_then(|wanted| edges.iter().position(|edge| *edge == wanted)).unwrap_or(0))
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        Zeros.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        for (byte, at) in bytes.iter_mut().zip(offset..) {
            *byte = self.inputs.byte(object, at).unwrap_or(0);
        }
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, _: u32) -> Chosen<Option<Value>> {
        Ok(self.inputs.pointer_at(object, offset).cloned())
    }

    fn address(&mut self, object: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(self.inputs.addresses.get(&object).copied().unwrap_or(suggested))
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        match self.inputs.applied.get(&(function.clone(), arguments.to_vec())) {
            Some(value) => Ok(value.clone()),
            None => Zeros.apply(function, arguments),
        }
    }
}

/// The value of a load from bytes that nothing was written to.
pub fn unwritten(inputs: &Inputs, object: u32, offset: u64, sort: Sort) -> Option<Value> {
    if let Some(pointer) = inputs.pointer_at(object, offset) {
        return (pointer.sort() == sort).then(|| pointer.clone());
    }
    let bytes =
        (0..u64::from(sort.bytes()?)).map(|at| inputs.byte(object, offset + at).map(|byte| build::bv(8, byte.into())));
    let whole = bytes.collect::<Option<Vec<Term>>>()?.into_iter().reduce(|low, high| build::concat(high, low))?;
    let bits = whole.value()?.clone();
    match sort.kind() {
        term::SortKind::BitVec(_) => (bits.sort() == sort).then_some(bits),
        term::SortKind::Float(format) => eval::apply(&Op::FpFromBits(*format), &[bits]),
        _ => None,
    }
}
