//! Instructions that are not for the machine: operators on values, memories in boxes, choices.

use super::arrays::Boxed;
use super::choices::ChoiceError;
use super::code::{Application, Candidate, Choose, Code, Declared, Evaluation, Havoc, Operand};
use super::layout::{Home, Reg, variables};
use super::machine::{Content, Machine};
use super::memory::Pointer;
use super::outcome::Trap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use term::eval::{Evaluator, apply};
use term::subst::substitute;
use term::{Op, Sort, SortKind, Term, Value};

impl Machine<'_> {
    fn values(&self, operands: &[Operand]) -> Result<Vec<Value>, Trap> {
        let value = |operand: &Operand| self.value(*operand).ok_or_else(|| no_value(*operand));
        operands.iter().map(value).collect()
    }

    /// Applies an operator to values.
    pub fn apply(&mut self, application: &Application) -> Result<(), Trap> {
        let Application { op, arguments, result } = application;
        if let Some(content) = self.integers(op, arguments) {
            return self.put(result.home, content);
        }
        let value = match op {
            Op::ObjectAt => return self.object_at(arguments, *result),
            Op::Apply(function) => {
                let arguments = self.values(arguments)?;
                self.facts.apply(function, arguments)?
            }
            _ => {
                let arguments = self.values(arguments)?;
                let value = apply(op, &arguments);
                value.ok_or_else(|| Trap::Unsupported(format!("the value of {op:?} cannot be computed")))?
            }
        };
        self.put_value(result.home, value)
    }

    /// The common operators on two integers, without copying them.
    fn integers(&self, op: &Op, arguments: &[Operand]) -> Option<Content> {
        let &[Operand { home: Home::Boxed(a), .. }, Operand { home: Home::Boxed(b), .. }] = arguments else {
            return None;
        };
        let (a, b) = (&self.boxes[a.index(self.box_base)], &self.boxes[b.index(self.box_base)]);
        let (Boxed::Value(Value::Int(a)), Boxed::Value(Value::Int(b))) = (a, b) else { return None };
        Some(match op {
            Op::Add => Content::Boxed(Boxed::Value(Value::Int(a + b))),
            Op::Sub => Content::Boxed(Boxed::Value(Value::Int(a - b))),
            Op::Le => Content::Slot((a <= b).into()),
            Op::Lt => Content::Slot((a < b).into()),
            Op::Eq => Content::Slot((a == b).into()),
            _ => return None,
        })
    }

    fn object_at(&mut self, arguments: &[Operand], result: Operand) -> Result<(), Trap> {
        let [bases, sizes, address] = arguments else { return Err(Trap::Internal("objects at addresses".into())) };
        let array = |operand: &Operand| match operand.home {
            Home::Boxed(reg) => self.boxes[reg.index(self.box_base)].array(),
            _ => Err(Trap::Internal("an array was expected".into())),
        };
        let address = match self.content(*address) {
            Content::Slot(slot) => slot as u64,
            Content::Boxed(_) => 0,
        };
        let object = self.facts.object_at(&self.boxes, Some(array(bases)?), Some(array(sizes)?), address)?;
        self.put(result.home, Content::Slot(object.into()))
    }

    /// Evaluates a term with binders.
    pub fn evaluate(&mut self, evaluation: &Evaluation) -> Result<(), Trap> {
        let free: Vec<(Term, Option<Value>)> = evaluation.free.iter().map(|(v, o)| (*v, self.value(*o))).collect();
        let assignment = |variable: Term| free.iter().find(|(v, _)| *v == variable)?.1.clone();
        let facts = RefCell::new(&mut self.facts);
        let failure = Cell::new(None);
        let functions = |function: &term::Function, arguments: &[Value]| {
            let value = facts.borrow_mut().apply(function, arguments.to_vec());
            value.map_err(|trap| failure.set(Some(trap))).ok()
        };
        let value = Evaluator::new(&assignment).with_functions(&functions).value(evaluation.term);
        if let Some(trap) = failure.take() {
            return Err(trap);
        }
        let value = match value {
            None if evaluation.term.sort() == Sort::bool() => self.told(evaluation.term, &assignment)?,
            value => value,
        };
        let what = || Trap::Unsupported(format!("the value of {:?} cannot be computed", evaluation.term.op()));
        self.put_value(evaluation.result.home, value.ok_or_else(what)?)
    }

    /// What is chosen for a formula that has no value that could be computed.
    fn told(&mut self, formula: Term, assignment: &dyn Fn(Term) -> Option<Value>) -> Result<Option<Value>, Trap> {
        let mut is_closed = true;
        let closed = substitute(formula, |variable| {
            let value = assignment(variable);
            is_closed &= value.is_some();
            value.map(Term::constant)
        });
        if !is_closed {
            return Ok(None);
        }
        self.facts.asked += 1;
        Ok(self.facts.choices.holds(closed)?.map(Value::Bool))
    }

    /// Evaluates a closed formula, as far as that is possible.
    pub fn holds(&mut self, formula: Term) -> Result<Option<bool>, Trap> {
        let facts = RefCell::new(&mut self.facts);
        let failure = Cell::new(None);
        let functions = |function: &term::Function, arguments: &[Value]| {
            let value = facts.borrow_mut().apply(function, arguments.to_vec());
            value.map_err(|trap| failure.set(Some(trap))).ok()
        };
        let value = Evaluator::new(&|_| None).with_functions(&functions).value(formula);
        match failure.take() {
            Some(trap) => Err(trap),
            None => Ok(value.and_then(|value| value.as_bool())),
        }
    }

    /// Stores to an array that is not of slots.
    pub fn store_value(&mut self, array: Reg, application: &Application) -> Result<(), Trap> {
        let [index, element] = &application.arguments[..] else {
            return Err(Trap::Internal("an index and an element were expected".into()));
        };
        let value = |operand: &Operand| self.value(*operand).ok_or_else(|| no_value(*operand));
        let (index, element) = (value(index)?, value(element)?);
        self.boxes[array.index(self.box_base)].store_value(index, element)
    }

    /// Loads from a memory in a box, or changes it.
    pub fn on_memory(&mut self, memory: Reg, application: &Application) -> Result<(), Trap> {
        let Application { op, arguments, result } = application;
        let slot = |n: usize| match arguments.get(n).map(|operand| self.content(*operand)) {
            Some(Content::Slot(slot)) => slot,
            _ => 0,
        };
        let (at, second, third) = (Pointer::from_slot(slot(0)), slot(1), slot(2));
        let place = memory.index(self.box_base);
        let mut boxed = std::mem::take(&mut self.boxes[place]);
        let (facts, boxes) = (&mut self.facts, &self.boxes[..]);
        let mut loaded = None;
        match op {
            Op::Load(sort) => {
                let memory = boxed.memory()?;
                let n = sort.bytes().unwrap_or(0) as usize;
                loaded = Some(match sort.kind() {
                    SortKind::Pointer(_) => facts.load_pointer(memory, boxes, at)?.slot(),
                    SortKind::Float(format) => {
                        let bits = Value::bv(format.width(), facts.load(memory, boxes, at, n)?);
                        match apply(&Op::FpFromBits(*format), &[bits]) {
                            Some(Value::Float(_, bits)) => bits,
                            _ => return Err(Trap::Internal("bits that are no float".into())),
                        }
                    }
                    _ => facts.load(memory, boxes, at, n)?,
                });
            }
            Op::MemStore => {
                let memory = boxed.memory_mut()?;
                let sort = arguments.get(1).map(|value| value.sort);
                match sort.map(|sort| (sort.kind(), sort.bytes())) {
                    Some((SortKind::Pointer(_), _)) => {
                        facts.store_pointer(memory, boxes, at, Pointer::from_slot(second))?;
                    }
                    Some((_, Some(n))) => facts.store(memory, boxes, at, n as usize, second)?,
                    _ => return Err(Trap::Internal("what is stored has no size".into())),
                }
            }
            Op::MemCopy => facts.copy(boxed.memory_mut()?, boxes, at, Pointer::from_slot(second), third as u64)?,
            Op::MemFill => facts.fill(boxed.memory_mut()?, boxes, at, second as u8, third as u64)?,
            op => return Err(Trap::Internal(format!("{op:?} is not about memory"))),
        }
        self.boxes[place] = boxed;
        match loaded {
            Some(slot) => self.put(result.home, Content::Slot(slot)),
            None => Ok(()),
        }
    }

    /// The program's memory as it is now.
    pub fn snapshot(&mut self) -> Boxed {
        self.facts.share(&self.memory);
        Boxed::Memory(Rc::new(self.memory.clone()))
    }

    pub fn restore(&mut self, memory: Boxed) -> Result<(), Trap> {
        self.put(Home::Memory, Content::Boxed(memory))
    }

    /// One of the edges that can be taken.
    pub fn choose(&mut self, code: &Code, choose: &Choose) -> Result<Candidate, Trap> {
        let holds = |c: &&Candidate| c.guard.is_none_or(|guard| self.regs[guard.index(self.base)] != 0);
        let mut enabled = choose.edges.iter().filter(holds);
        let first = *enabled.next().ok_or(Trap::Blocked)?;
        if enabled.next().is_none() {
            return Ok(first);
        }
        let enabled: Vec<Candidate> = choose.edges.iter().filter(holds).copied().collect();
        let edges: Vec<_> = enabled.iter().map(|candidate| candidate.exit.edge).collect();
        let at = self.at(code, self.pc);
        self.facts.asked += 1;
        let index = self.facts.choices.branch(&edges, &at)?;
        let chosen = enabled.get(index).copied();
        chosen.ok_or_else(|| ChoiceError::mismatch(format!("one of {} edges", edges.len()), index).into())
    }

    pub fn havoc(&mut self, code: &Code, havoc: &Havoc) -> Result<(), Trap> {
        let at = self.at(code, self.pc);
        let program = self.program;
        for (declared, home) in &havoc.variables {
            let variable = match declared {
                Declared::Global(number) => program.globals.get(*number),
                Declared::Local(number) => variables(program.procedure(at.procedure)).nth(*number),
            };
            let variable = variable.ok_or_else(|| Trap::Internal("a variable is not declared".into()))?;
            let content = self.arbitrary(variable, &at)?;
            self.put(*home, content)?;
        }
        Ok(())
    }
}

fn no_value(operand: Operand) -> Trap {
    Trap::Unsupported(format!("a value of sort {} where it cannot be one", operand.sort))
}
