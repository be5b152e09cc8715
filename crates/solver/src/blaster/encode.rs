//! Terms as bits.
//!
//! A Boolean is one bit, a vector its bits, a pointer its offset's bits below its object's, a float its canonical pattern. Arrays have no bits: what is
//! read of them has (see [`super::reads`]). A term is encoded once, for good: its bits are defined by clauses that every
//! model extends, so they may stay when the assertions that needed them are popped.

use super::equations::Equation;
use super::gates::{Bits, Gates, Kept};
use super::reads::{Base, Reads, values};
use crate::Unsupported;
use crate::circuits::{Circuits, Floats, Logic, Packing, decode, width};
use crate::sat::Lit;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

use term::eval::Evaluator;
use term::{ArrayValue, Function, Op, Sort, SortKind, Term, Value, visit};

pub struct Encoder {
    pub gates: Gates,
    pub reads: Reads,
    pub equations: Vec<Equation>,
    pub known: FxHashMap<Term, Kept>,
    read: FxHashMap<(Term, Kept), Kept>,
    /// What array variables hold where nothing is mentioned.
    defaults: FxHashMap<Term, Kept>,
}

/// How many bits the values of an index or element sort have.
pub fn bits_of(sort: Sort) -> usize {
    width(sort).expect("arrays of other sorts are refused")
}

/// Whether terms of a sort can be taken, unless an operator forbids it.
pub fn takes(sort: Sort) -> bool {
    match sort.kind() {
        SortKind::Array(index, element) => width(*index).is_some() && width(*element).is_some(),
        _ => width(sort).is_some(),
    }
}

/// The sort of an array's elements.
fn element_of(array: Term) -> Sort {
    match array.sort().kind() {
        SortKind::Array(_, element) => *element,
        other => unreachable!("{other:?} is not an array"),
    }
}

fn refused(term: Term) -> Unsupported {
    let text = format!("{:?} of {}", term.op(), term.sort());
    Unsupported { what: text.chars().take(100).collect() }
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder {
            gates: Gates::new(),
            reads: Reads::default(),
            equations: Vec::new(),
            defaults: FxHashMap::default(),
            known: FxHashMap::default(),
            read: FxHashMap::default(),
        }
    }

    /// The bit of a Boolean term.
    pub fn literal(&mut self, term: Term) -> Result<Lit, Unsupported> {
        Ok(self.bits(term)?[0])
    }

    /// The bits of a term.
    pub fn bits(&mut self, root: Term) -> Result<Kept, Unsupported> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(term.args().iter().filter(|arg| !self.known.contains_key(arg)));
            if stack.len() == before {
                let bits = self.encode(term)?;
                self.known.insert(term, bits);
                stack.pop();
            }
        }
        Ok(self.known[&root].clone())
    }

    /// The bits of a term whose arguments are encoded.
    fn encode(&mut self, term: Term) -> Result<Kept, Unsupported> {
        let Some(width) = width(term.sort()) else {
            let taken = takes(term.sort())
                && matches!(term.op(), Op::Var { .. } | Op::Const(_) | Op::Store | Op::Ite | Op::ConstArray(_));
            return if taken { Ok(Rc::new([])) } else { Err(refused(term)) };
        };
        let args: Vec<Kept> = term.args().iter().map(|arg| self.known[arg].clone()).collect();
        let bits: Bits = match (term.op(), &args[..]) {
            (Op::Const(value), _) => self.constant(value),
            (Op::Var { .. }, _) => self.arbitrary(term.sort()),
            (Op::Eq, [a, _]) if a.is_empty() => vec![self.equation(term.args()[0], term.args()[1])?],
            (Op::Select, [_, place]) => return self.select(term.args()[0], place.clone(), width),
            (Op::Apply(function), args) if !args.iter().any(|arg| arg.is_empty()) => {
                let place: Kept = args.concat().into();
                let result = self.reads.read(&mut self.gates, Base::Function(function.clone()), place, width);
                self.restrict(term.sort(), &result);
                return Ok(result);
            }
            (op, args) => self.operate(op, term.args(), args, width).ok_or_else(|| refused(term))?,
        };
        Ok(bits.into())
    }

    /// What an operator makes of its arguments' bits.
    fn operate(&mut self, op: &Op, terms: &[Term], args: &[Kept], width: usize) -> Option<Bits> {
        let sorts: Vec<Sort> = terms.iter().map(|arg| arg.sort()).collect();
        let bits: Vec<&[Lit]> = args.iter().map(|arg| &**arg).collect();
        let float = self.gates.float_operation(op, &sorts, &bits);
        float.or_else(|| self.gates.operate(op, args, width))
    }

    /// The bits of a value of which nothing is known.
    pub fn arbitrary(&mut self, sort: Sort) -> Bits {
        let bits = self.gates.fresh_bits(bits_of(sort));
        self.restrict(sort, &bits);
        bits
    }

    /// Lets unknown bits be those of a value: not all patterns are canonical ones of floats.
    fn restrict(&mut self, sort: Sort, bits: &[Lit]) {
        if let SortKind::Float(format) = sort.kind() {
            let canonical = self.gates.is_canonical(*format, bits);
            self.gates.sat.clause(&[canonical]);
        }
    }

    /// What stands at a place of an array whose parts are encoded.
    pub fn select(&mut self, array: Term, place: Kept, width: usize) -> Result<Kept, Unsupported> {
        let mut stack = vec![array];
        while let Some(&term) = stack.last() {
            let key = (term, place.clone());
            if self.read.contains_key(&key) {
                stack.pop();
                continue;
            }
            match self.element(term, &place, width)? {
                Element::Here(element) => {
                    self.read.insert(key, element);
                    stack.pop();
                }
                Element::Needs(parts) => stack.extend(parts),
            }
        }
        Ok(self.read[&(array, place)].clone())
    }

    fn element(&mut self, array: Term, place: &Kept, width: usize) -> Result<Element, Unsupported> {
        let read = |encoder: &Encoder, part: Term| encoder.read.get(&(part, place.clone())).cloned();
        Ok(Element::Here(match (array.op(), array.args()) {
            (Op::Store, [below, at, value]) => {
                let here = self.gates.same(&self.known[at], place);
                let value = self.known[value].clone();
                if self.gates.known(here) == Some(true) {
                    return Ok(Element::Here(value));
                }
                let Some(other) = read(self, *below) else { return Ok(Element::Needs(vec![*below])) };
                self.gates.choose(here, &value, &other).into()
            }
            (Op::Ite, [condition, yes, no]) => {
                let condition = self.known[condition][0];
                let parts: Vec<Term> = match self.gates.known(condition) {
                    Some(true) => vec![*yes],
                    Some(false) => vec![*no],
                    None => vec![*yes, *no],
                };
                let missing: Vec<Term> = parts.iter().copied().filter(|part| read(self, *part).is_none()).collect();
                if !missing.is_empty() {
                    return Ok(Element::Needs(missing));
                }
                let parts: Vec<Kept> = parts.iter().filter_map(|part| read(self, *part)).collect();
                match &parts[..] {
                    [yes, no] => self.gates.choose(condition, yes, no).into(),
                    one => one[0].clone(),
                }
            }
            (Op::ConstArray(_), [value]) => self.known[value].clone(),
            (Op::Var { .. }, _) => {
                let element = self.reads.read(&mut self.gates, Base::Array(array), place.clone(), width);
                self.restrict(element_of(array), &element);
                element
            }
            (Op::Const(Value::Array(value)), _) => self.entry(value, place),
            _ => return Err(refused(array)),
        }))
    }

    /// What an array whose parts are encoded holds at the indices that are not mentioned.
    pub fn elsewhere(&mut self, array: Term) -> Result<Kept, Unsupported> {
        for part in visit::post_order([array]).into_iter().filter(|part| part.sort() == array.sort()) {
            if self.defaults.contains_key(&part) {
                continue;
            }
            let default: Kept = match (part.op(), part.args()) {
                (Op::Store, [below, ..]) => self.defaults[below].clone(),
                (Op::Ite, [condition, yes, no]) => {
                    let condition = self.known[condition][0];
                    self.gates.choose(condition, &self.defaults[yes], &self.defaults[no]).into()
                }
                (Op::ConstArray(_), [value]) => self.known[value].clone(),
                (Op::Var { .. }, _) => self.arbitrary(element_of(part)).into(),
                (Op::Const(Value::Array(value)), _) => self.constant(&value.default).into(),
                _ => return Err(refused(part)),
            };
            self.defaults.insert(part, default);
        }
        Ok(self.defaults[&array].clone())
    }

    /// What stands at a place of a constant array.
    fn entry(&mut self, array: &ArrayValue, place: &[Lit]) -> Kept {
        let mut element = self.constant(&array.default);
        for (at, value) in &array.entries {
            let (at, value) = (self.constant(at), self.constant(value));
            let here = self.gates.same(&at, place);
            element = self.gates.choose(here, &value, &element);
        }
        element.into()
    }

    /// The bits of a constant that is no array.
    pub fn constant(&self, value: &Value) -> Bits {
        self.gates.value(value).unwrap_or_else(|| unreachable!("{value:?} has no bits, and its sort was refused"))
    }

    /// The value that bits stand for in the model.
    pub fn decode(&mut self, sort: Sort, bits: &[Lit]) -> Option<Value> {
        decode(sort, &values(&mut self.gates, bits))
    }

    /// A term's value in the model, if the term is encoded or all its variables have values.
    pub fn value(&mut self, term: Term) -> Option<Value> {
        if let Some(bits) = self.known.get(&term).filter(|bits| !bits.is_empty()).cloned() {
            return self.decode(term.sort(), &bits);
        }
        let mut variables: FxHashMap<Term, Value> = FxHashMap::default();
        for variable in term::free::variables([term]) {
            variables.insert(variable, self.variable(variable)?);
        }
        let functions = self.functions();
        let given = |function: &Function, on: &[Value]| {
            functions.get(&(function.clone(), on.to_vec())).cloned().or_else(|| Value::zero(function.result))
        };
        Evaluator::new(&|variable| variables.get(&variable).cloned()).with_functions(&given).value(term)
    }

    /// What functions give in the model, where they were applied.
    fn functions(&mut self) -> FxHashMap<(Function, Vec<Value>), Value> {
        let read = self.reads.of_functions().map(|(f, place, element)| (f.clone(), place.to_vec(), element.to_vec()));
        let applied: Vec<(Function, Vec<Lit>, Vec<Lit>)> = read.collect();
        let mut given = FxHashMap::default();
        for (function, place, element) in applied {
            let mut rest = &place[..];
            let mut on = Vec::new();
            for parameter in &function.parameters {
                let (bits, more) = rest.split_at(bits_of(*parameter));
                on.extend(self.decode(*parameter, bits));
                rest = more;
            }
            if let Some(value) = self.decode(function.result, &element) {
                given.insert((function, on), value);
            }
        }
        given
    }

    fn variable(&mut self, variable: Term) -> Option<Value> {
        let sort = variable.sort();
        if let Some(bits) = self.known.get(&variable).filter(|bits| !bits.is_empty()).cloned() {
            return self.decode(sort, &bits);
        }
        let SortKind::Array(index, element) = sort.kind() else { return Value::zero(sort) };
        let default = match self.defaults.get(&variable).cloned() {
            Some(default) => self.decode(*element, &default)?,
            None => Value::zero(*element)?,
        };
        let mut array = ArrayValue::constant(*index, default);
        let reads: Vec<(Vec<Lit>, Vec<Lit>)> =
            self.reads.of(variable).map(|(place, element)| (place.to_vec(), element.to_vec())).collect();
        for (place, stands) in reads {
            array.set(self.decode(*index, &place)?, self.decode(*element, &stands)?);
        }
        Some(Value::Array(Arc::new(array)))
    }
}

/// What is known of an array's element.
enum Element {
    Here(Kept),
    /// These arrays must be read first.
    Needs(Vec<Term>),
}
