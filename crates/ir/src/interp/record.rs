//! Lists of choices: made by recording a run, and consumed to make the same run again.

use super::choices::{At, ChoiceError, Choices, Chosen};
use crate::{EdgeId, ProcId, Variable};
use std::collections::VecDeque;
use term::{Function, Term, Value};

/// One choice. A list of them determines a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    Initial(Value),
    Havoc(Value),
    Result(Value),
    Branch(EdgeId),
    /// The thread executes the next edges for which there is a choice: so many.
    Schedule {
        thread: u32,
        edges: u64,
    },
    Bytes(Vec<u8>),
    /// Unwritten bytes hold this pointer, or none. In a list that says nothing of it, they hold none.
    Pointer(Option<Value>),
    Address(u64),
    Apply(Value),
}

/// Passes the choices of another on and keeps a list of them.
#[derive(Debug)]
pub struct Recording<C> {
    inner: C,
    choices: Vec<Choice>,
}

impl<C: Choices> Recording<C> {
    pub fn new(inner: C) -> Recording<C> {
        Recording { inner, choices: Vec::new() }
    }

    /// What was chosen so far.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub fn into_choices(self) -> Vec<Choice> {
        self.choices
    }

    /// What choices are passed on from, and what it chose.
    pub fn into_parts(self) -> (C, Vec<Choice>) {
        (self.inner, self.choices)
    }

    fn keep(&mut self, value: Chosen<Value>, choice: fn(Value) -> Choice) -> Chosen<Value> {
        let value = value?;
        self.choices.push(choice(value.clone()));
        Ok(value)
    }
}

impl<C: Choices> Choices for Recording<C> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.initial(variable, at);
        self.keep(value, Choice::Initial)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.havoc(variable, at);
        self.keep(value, Choice::Havoc)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.result(procedure, result, at);
        self.keep(value, Choice::Result)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        let index = self.inner.branch(edges, at)?;
        self.choices.extend(edges.get(index).map(|edge| Choice::Branch(*edge)));
        Ok(index)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        let index = self.inner.schedule(runnable, at)?;
        match (runnable.get(index), self.choices.last_mut()) {
            (Some(chosen), Some(Choice::Schedule { thread, edges })) if chosen == thread => *edges += 1,
            (Some(chosen), _) => self.choices.push(Choice::Schedule { thread: *chosen, edges: 1 }),
            (None, _) => {}
        }
        Ok(index)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.inner.bytes(object, offset, bytes)?;
        self.choices.push(Choice::Bytes(bytes.to_vec()));
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        let pointer = self.inner.pointer(object, offset, width)?;
        self.choices.push(Choice::Pointer(pointer.clone()));
        Ok(pointer)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        let address = self.inner.address(object, size, suggested)?;
        self.choices.push(Choice::Address(address));
        Ok(address)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let value = self.inner.apply(function, arguments);
        self.keep(value, Choice::Apply)
    }

    /// Whether a formula holds is no choice of a value: it is not recorded.
    fn holds(&mut self, formula: Term) -> Chosen<Option<bool>> {
        self.inner.holds(formula)
    }
}

/// Takes choices from a list, in order. What does not fit, or the end of the list, ends the run.
#[derive(Clone, Debug)]
pub struct Recorded {
    choices: VecDeque<Choice>,
}

impl Recorded {
    pub fn new(choices: impl IntoIterator<Item = Choice>) -> Recorded {
        Recorded { choices: choices.into_iter().collect() }
    }

    /// How many choices are left.
    pub fn remaining(&self) -> usize {
        self.choices.len()
    }

    fn next(&mut self) -> Chosen<Choice> {
        self.choices.pop_front().ok_or(ChoiceError::Exhausted)
    }
}

impl Choices for Recorded {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        match self.next()? {
            Choice::Initial(value) => Ok(value),
            other => Err(ChoiceError::mismatch(format!("an initial value of {}", variable.name()), other)),
        }
    }

    fn havoc(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        match self.next()? {
            Choice::Havoc(value) => Ok(value),
            other => Err(ChoiceError::mismatch(format!("any value of {}", variable.name()), other)),
        }
    }

    fn result(&mut self, _: ProcId, result: &Variable, _: &At) -> Chosen<Value> {
        match self.next()? {
            Choice::Result(value) => Ok(value),
            other => Err(ChoiceError::mismatch(format!("the result {}", result.name()), other)),
        }
    }

    fn branch(&mut self, edges: &[EdgeId], _: &At) -> Chosen<usize> {
        let choice = self.next()?;
        let index = match choice {
            Choice::Branch(edge) => edges.iter().position(|e| *e == edge),
            _ => None,
        };
        index.ok_or_else(|| ChoiceError::mismatch(format!("one of the edges {edges:?}"), choice))
    }

    fn schedule(&mut self, runnable: &[u32], _: &At) -> Chosen<usize> {
        let choice = self.next()?;
        let index = match choice {
            Choice::Schedule { thread, edges } => {
                if edges > 1 {
                    self.choices.push_front(Choice::Schedule { thread, edges: edges - 1 });
                }
                runnable.iter().position(|t| *t == thread)
            }
            _ => None,
        };
        index.ok_or_else(|| ChoiceError::mismatch(format!("one of the threads {runnable:?}"), choice))
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        match self.next()? {
            Choice::Bytes(chosen) if chosen.len() == bytes.len() => {
                bytes.copy_from_slice(&chosen);
                Ok(())
            }
            other => {
                let wanted = format!("{} bytes of object {object} at offset {offset}", bytes.len());
                Err(ChoiceError::mismatch(wanted, other))
            }
        }
    }

    fn pointer(&mut self, _: u32, _: u64, _: u32) -> Chosen<Option<Value>> {
        match self.choices.front() {
            Some(Choice::Pointer(pointer)) => {
                let pointer = pointer.clone();
                self.choices.pop_front();
                Ok(pointer)
            }
            Some(_) => Ok(None),
            None => Err(ChoiceError::Exhausted),
        }
    }

    fn address(&mut self, object: u32, _: u64, _: u64) -> Chosen<u64> {
        match self.next()? {
            Choice::Address(address) => Ok(address),
            other => Err(ChoiceError::mismatch(format!("the address of object {object}"), other)),
        }
    }

    fn apply(&mut self, function: &Function, _: &[Value]) -> Chosen<Value> {
        match self.next()? {
            Choice::Apply(value) => Ok(value),
            other => Err(ChoiceError::mismatch(format!("a value of {}", function.name), other)),
        }
    }
}
