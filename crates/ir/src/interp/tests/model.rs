//! Memory against a model of it that is as simple as can be: a map of bytes that is copied at every store.

use super::{end, program_of};
use crate::interp::{At, Choices, Chosen, End, Interpreter, Zeros};
use crate::{CfaBuilder, EdgeId, ObjectKind, Op, ProcId, Program, StaticObject, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::random::Random;
use term::{Bv, FloatFormat, Function, Op as TermOp, Sort, SortKind, Term, Value, build, eval};

const OBJECTS: u32 = 3;
const SIZE: u64 = 0x100;
/// What is compared of each object.
const WINDOW: u64 = 28;

/// A byte of the model: an ordinary one, or a part of the pointer that one store or copy wrote.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Byte {
    Plain(u8),
    Part { writing: u32, pointer: (u32, u32), part: u64 },
}

type Bytes = BTreeMap<(u32, u64), Byte>;

/// Evaluates terms over memory. `Err` is undefined behaviour.
#[derive(Default)]
struct Model {
    values: FxHashMap<Term, Value>,
    memories: FxHashMap<Term, Bytes>,
    /// What was evaluated; the same term has the same value.
    memo: FxHashMap<Term, Bytes>,
    writings: u32,
}

fn base(object: u32) -> u32 {
    if object == 0 { 0 } else { 0x1000 * object }
}

fn first_byte(object: u32, offset: u64) -> u8 {
    (31 * u64::from(object) + 7 * offset + 3) as u8
}

impl Model {
    fn byte(bytes: &Bytes, object: u32, offset: u64) -> u8 {
        match bytes.get(&(object, offset)) {
            None => first_byte(object, offset),
            Some(Byte::Plain(byte)) => *byte,
            Some(Byte::Part { pointer, part, .. }) => {
                base(pointer.0).wrapping_add(pointer.1).to_le_bytes()[*part as usize]
            }
        }
    }

    fn pointer(&mut self, term: Term) -> Result<(u32, u64), ()> {
        match self.value(term)? {
            Value::Pointer { object, offset } => Ok((object, offset.unsigned() as u64)),
            other => panic!("{other:?}"),
        }
    }

    fn access(&mut self, term: Term, length: u64) -> Result<(u32, u64), ()> {
        let (object, offset) = self.pointer(term)?;
        let in_object = object != 0 || offset >= crate::memory::FIRST_ADDRESS;
        let reachable = length == 0 || in_object && offset + length < 1 << 32;
        if reachable { Ok((object, offset)) } else { Err(()) }
    }

    fn value(&mut self, term: Term) -> Result<Value, ()> {
        match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => Ok(self.values[&term].clone()),
            (TermOp::Ite, &[c, a, b]) => {
                let chosen = if self.value(c)?.as_bool().unwrap() { a } else { b };
                self.value(chosen)
            }
            (TermOp::Load(sort), &[memory, at]) => {
                let bytes = self.memory(memory)?;
                let length = u64::from(sort.bytes().unwrap());
                let (object, offset) = self.access(at, length)?;
                let bits = (0..length)
                    .rev()
                    .fold(0, |bits: u128, i| bits << 8 | u128::from(Model::byte(&bytes, object, offset + i)));
                Ok(match *sort.kind() {
                    SortKind::Pointer(_) => load_pointer(&bytes, object, offset, bits as u32),
                    SortKind::Float(f) => eval::apply(&TermOp::FpFromBits(f), &[Value::bv(f.width(), bits)]).unwrap(),
                    _ => Value::bv(sort.bv_width().unwrap(), bits),
                })
            }
            (op, args) => {
                let args = args.iter().map(|a| self.value(*a)).collect::<Result<Vec<_>, ()>>()?;
                Ok(eval::apply(op, &args).unwrap())
            }
        }
    }

    fn memory(&mut self, term: Term) -> Result<Bytes, ()> {
        if let Some(known) = self.memo.get(&term) {
            return Ok(known.clone());
        }
        let bytes = match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => self.memories.get(&term).cloned().unwrap_or_default(),
            (TermOp::Ite, &[c, a, b]) => {
                let chosen = if self.value(c)?.as_bool().unwrap() { a } else { b };
                self.memory(chosen)?
            }
            (TermOp::MemStore, &[memory, at, value]) => {
                let mut bytes = self.memory(memory)?;
                let length = u64::from(value.sort().bytes().unwrap());
                let (object, offset) = self.access(at, length)?;
                self.writings += 1;
                let writing = self.writings;
                let value = self.value(value)?;
                for part in 0..length {
                    let byte = match &value {
                        Value::Pointer { object, offset } => {
                            Byte::Part { writing, pointer: (*object, offset.unsigned() as u32), part }
                        }
                        Value::Bv(bv) => Byte::Plain((bv.unsigned() >> (8 * part)) as u8),
                        Value::Float(_, bits) => Byte::Plain((bits >> (8 * part)) as u8),
                        other => panic!("{other:?}"),
                    };
                    bytes.insert((object, offset + part), byte);
                }
                bytes
            }
            (TermOp::MemFill, &[memory, at, byte, n]) => {
                let mut bytes = self.memory(memory)?;
                let n = self.value(n)?.as_bv().unwrap().unsigned() as u64;
                let (object, offset) = self.access(at, n)?;
                let byte = Byte::Plain(self.value(byte)?.as_bv().unwrap().unsigned() as u8);
                bytes.extend((0..n).map(|i| ((object, offset + i), byte)));
                bytes
            }
            (TermOp::MemCopy, &[memory, to, from, n]) => {
                let old = self.memory(memory)?;
                let n = self.value(n)?.as_bv().unwrap().unsigned() as u64;
                let (to, from) = (self.access(to, n)?, self.access(from, n)?);
                self.writings += 1;
                let mut bytes = old.clone();
                for i in 0..n {
                    let at = |i| old.get(&(from.0, from.1 + i)).copied();
                    // A pointer stays one only if all of it is copied.
                    let byte = match at(i) {
                        Some(Byte::Part { writing, pointer, part }) if is_whole(&at, i, part, writing, n) => {
                            Byte::Part { writing: self.writings * 1000 + i as u32 - part as u32, pointer, part }
                        }
                        _ => Byte::Plain(Model::byte(&old, from.0, from.1 + i)),
                    };
                    bytes.insert((to.0, to.1 + i), byte);
                }
                bytes
            }
            other => panic!("{other:?}"),
        };
        self.memo.insert(term, bytes.clone());
        Ok(bytes)
    }
}

/// Whether the pointer of which byte `i` is a part lies whole in the first `n` bytes.
fn is_whole(at: &dyn Fn(u64) -> Option<Byte>, i: u64, part: u64, writing: u32, n: u64) -> bool {
    let is_part =
        |p: u64| matches!(at(i - part + p), Some(Byte::Part { writing: w, part: q, .. }) if (w, q) == (writing, p));
    i >= part && i - part + 4 <= n && (0..4).all(is_part)
}

fn load_pointer(bytes: &Bytes, object: u32, offset: u64, address: u32) -> Value {
    let at = |i| bytes.get(&(object, offset + i)).copied();
    let (object, offset) = match at(0) {
        Some(Byte::Part { writing, pointer, part: 0 }) if is_whole(&at, 0, 0, writing, 4) => pointer,
        _ => {
            let inside = |o: &u32| (base(*o)..=base(*o) + SIZE as u32).contains(&address);
            let object = (1..=OBJECTS).find(inside).unwrap_or(0);
            (object, address - base(object))
        }
    };
    Value::Pointer { object, offset: Bv::new(32, offset.into()) }
}

/// Answers as the model does.
struct ModelChoices<'a>(&'a FxHashMap<Term, Value>);

impl Choices for ModelChoices<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.0.get(&variable.term).cloned().map_or_else(|| Zeros.initial(variable, at), Ok)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.initial(variable, at)
    }

    fn result(&mut self, _: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        self.initial(result, at)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        Zeros.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        Zeros.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        bytes.iter_mut().zip(offset..).for_each(|(byte, offset)| *byte = first_byte(object, offset));
        Ok(())
    }

    fn address(&mut self, object: u32, _: u64, _: u64) -> Chosen<u64> {
        Ok(base(object).into())
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        Zeros.apply(function, arguments)
    }
}

/// Makes random terms over memory.
struct Terms {
    random: Random,
    memories: Vec<Term>,
}

impl Terms {
    fn memory(&mut self, depth: u32) -> Term {
        if depth == 0 || self.random.once_in(4) {
            return *self.random.pick(&self.memories);
        }
        let depth = depth - 1;
        let memory = self.memory(depth);
        let to = self.pointer(depth);
        let length = build::bv(32, self.random.below(9) as u128);
        let term = match self.random.below(8) {
            0 | 1 => {
                let c = self.condition(depth);
                let other = self.memory(depth);
                Term::new(TermOp::Ite, &[c, memory, other])
            }
            2 => {
                let from = self.pointer(depth);
                Term::new(TermOp::MemCopy, &[memory, to, from, length])
            }
            3 => {
                let byte = self.scalar(Sort::bv(8), depth);
                Term::new(TermOp::MemFill, &[memory, to, byte, length])
            }
            4 | 5 => {
                let pointer = self.pointer(depth);
                Term::new(TermOp::MemStore, &[memory, to, pointer])
            }
            _ => {
                let sort = self.stored_sort();
                let value = self.scalar(sort, depth);
                Term::new(TermOp::MemStore, &[memory, to, value])
            }
        };
        self.memories.push(term);
        term
    }

    fn stored_sort(&mut self) -> Sort {
        let single = Sort::float(FloatFormat::SINGLE);
        *self.random.pick(&[Sort::bv(8), Sort::bv(16), Sort::bv(32), Sort::bv(64), Sort::bv(24), single])
    }

    fn pointer(&mut self, depth: u32) -> Term {
        let sort = Sort::pointer(32);
        match self.random.below(10) {
            0..=4 => *self.random.pick(&["p", "q"].map(|name| Term::var(name, sort))),
            5 if depth > 0 => self.load(sort, depth),
            6 if depth > 0 => {
                let (c, a, b) = (self.condition(depth - 1), self.pointer(depth - 1), self.pointer(depth - 1));
                Term::new(TermOp::Ite, &[c, a, b])
            }
            7 if depth > 0 => {
                let pointer = self.pointer(depth - 1);
                let distance = build::bv(32, self.random.below(4) as u128);
                let offset = Term::new(TermOp::BvAdd, &[Term::new(TermOp::PointerOffset, &[pointer]), distance]);
                Term::new(TermOp::Pointer, &[Term::new(TermOp::PointerObject, &[pointer]), offset])
            }
            _ => {
                let object = if self.random.once_in(40) { 0 } else { 1 + self.random.below(OBJECTS as usize) };
                let offset = Bv::new(32, self.random.below(16) as u128);
                Term::constant(Value::Pointer { object: object as u32, offset })
            }
        }
    }

    fn load(&mut self, sort: Sort, depth: u32) -> Term {
        let (memory, at) = (self.memory(depth - 1), self.pointer(depth - 1));
        Term::new(TermOp::Load(sort), &[memory, at])
    }

    fn scalar(&mut self, sort: Sort, depth: u32) -> Term {
        match self.random.below(5) {
            0 | 1 if depth > 0 => self.load(sort, depth),
            2 if depth > 0 => {
                let (c, a, b) = (self.condition(depth - 1), self.scalar(sort, depth - 1), self.scalar(sort, depth - 1));
                Term::new(TermOp::Ite, &[c, a, b])
            }
            3 => Term::var(format!("v{sort}").as_str(), sort),
            _ => Term::constant(self.random.value(sort)),
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        let sort = Sort::bv(8);
        let (a, b) = (self.scalar(sort, depth.min(1)), self.scalar(sort, 0));
        Term::new(TermOp::BvUlt, &[a, b])
    }
}

fn program(edges: Vec<Op>, globals: &[Term]) -> Program {
    let mut cfa = CfaBuilder::new(None, None);
    let mut at = CfaBuilder::ENTRY;
    for op in edges {
        at = cfa.step(at, op, None);
    }
    cfa.edge(at, Op::skip(), CfaBuilder::EXIT, None);
    let object = |i: u32| StaticObject {
        name: format!("o{i}").as_str().into(),
        kind: ObjectKind::Variable,
        size: SIZE,
        place: None,
    };
    Program { objects: (1..=OBJECTS).map(object).collect(), ..program_of(globals, cfa) }
}

#[test]
fn memory_is_as_the_model_says() {
    let (memory, other) = (crate::memory::memory(crate::DataModel::Ilp32), Term::var("m", Sort::memory(32)));
    let (mut finished, mut undefined, mut unsupported) = (0, 0, 0);
    for seed in 0..3000 {
        let mut terms = Terms { random: Random::new(seed), memories: vec![memory, memory, other] };
        let sorts = [8, 16, 24, 32, 64].map(Sort::bv);
        let mut scalars: Vec<Term> = sorts.iter().map(|s| Term::var(format!("v{s}").as_str(), *s)).collect();
        let single = Sort::float(FloatFormat::SINGLE);
        scalars.push(Term::var(format!("v{single}").as_str(), single));
        scalars.extend(["p", "q"].map(|name| Term::var(name, Sort::pointer(32))));

        let mut model = Model::default();
        for variable in &scalars {
            let value = match variable.sort().kind() {
                SortKind::Pointer(_) => Value::Pointer {
                    object: 1 + terms.random.below(OBJECTS as usize) as u32,
                    offset: Bv::new(32, terms.random.below(16) as u128),
                },
                _ => terms.random.value(variable.sort()),
            };
            model.values.insert(*variable, value);
        }
        let initial = model.values.clone();

        // A few assignments, of memories and of other variables, all at once.
        // Reading all variables first makes the interpreter ask for their values.
        let read = |v: &Term| Op::Assume(Term::new(TermOp::Eq, &[*v, *v]));
        let mut edges: Vec<Op> = scalars.iter().map(read).collect();
        let mut expected = Ok(());
        for _ in 0..1 + terms.random.below(3) {
            terms.memories = vec![memory, memory, other];
            let mut pairs = Vec::new();
            if !terms.random.once_in(4) {
                pairs.push((memory, terms.memory(4)));
            }
            if terms.random.once_in(4) {
                pairs.push((other, terms.memory(3)));
            }
            let variable = *terms.random.pick(&scalars);
            let value = match variable.sort().kind() {
                SortKind::Pointer(_) => terms.pointer(3),
                _ => terms.scalar(variable.sort(), 3),
            };
            pairs.push((variable, value));
            expected = expected.and_then(|()| model.assign(&pairs));
            edges.push(Op::Assign(pairs));
        }

        // At the end, all bytes and some pointers are looked at.
        let mut looks = Vec::new();
        for (m, object, offset) in [memory, other]
            .into_iter()
            .flat_map(|m| (1..=OBJECTS).flat_map(move |object| (0..WINDOW).map(move |offset| (m, object, offset))))
        {
            let sort = if terms.random.once_in(3) { Sort::pointer(32) } else { Sort::bv(8) };
            let at = Term::constant(Value::Pointer { object, offset: Bv::new(32, offset.into()) });
            let look = Term::var(format!("look {m} {object} {offset}").as_str(), sort);
            looks.push((look, Term::new(TermOp::Load(sort), &[m, at])));
        }
        edges.extend(looks.iter().map(|(look, load)| Op::assign(*look, *load)));
        let globals: Vec<Term> =
            [memory, other].into_iter().chain(scalars.iter().copied()).chain(looks.iter().map(|l| l.0)).collect();
        let program = program(edges, &globals);
        let mut interpreter = Interpreter::new(&program);
        let end = end(&mut interpreter, &mut ModelChoices(&initial));
        let about = || crate::print(&program);
        match (expected, &end) {
            (Ok(()), End::Finished(_)) => finished += 1,
            // A place that lies across a boundary outside of objects.
            (Ok(()), End::Unsupported(_)) => {
                unsupported += 1;
                continue;
            }
            (Err(()), End::Undefined(_)) => {
                undefined += 1;
                continue;
            }
            _ => panic!("seed {seed}: {expected:?}, but {end:?}\n{}", about()),
        }
        for variable in &scalars {
            assert_eq!(interpreter.global(*variable).as_ref(), model.values.get(variable), "seed {seed}\n{}", about());
        }
        for (look, load) in &looks {
            let expected = model.value(*load).ok();
            assert_eq!(interpreter.global(*look), expected, "seed {seed}: {look}\n{}", about());
        }
    }
    assert!(finished > 1500 && undefined > 20 && unsupported < 5, "{finished}, {undefined}, {unsupported}");
}

impl Model {
    fn assign(&mut self, pairs: &[(Term, Term)]) -> Result<(), ()> {
        self.memo.clear();
        let (mut values, mut memories) = (self.values.clone(), self.memories.clone());
        for (variable, term) in pairs {
            match variable.sort().kind() {
                SortKind::Memory(_) => {
                    memories.insert(*variable, self.memory(*term)?);
                }
                _ => {
                    values.insert(*variable, self.value(*term)?);
                }
            }
        }
        (self.values, self.memories) = (values, memories);
        self.memo.clear();
        Ok(())
    }
}
