//! What a program leaves open, and who decides it.
//!
//! A run asks its [`Choices`] whenever the program does not determine what happens; nothing else enters a run, so equal
//! answers make equal runs. Each question is asked once: what was answered is remembered in the state.

use crate::memory::{FIRST_EXTERNAL, is_external};
use crate::{EdgeId, LocId, ProcId, Variable};
use std::fmt;
use term::{Bv, Function, Sort, Term, Value};

/// Where the run is when a choice is needed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct At {
    pub thread: u32,
    pub procedure: ProcId,
    pub location: LocId,
    /// The edge that is being taken, if one has begun.
    pub edge: Option<EdgeId>,
    /// How many edges were executed before.
    pub step: u64,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoiceError {
    /// The list of choices has ended.
    Exhausted,
    /// The next choice does not fit what is asked.
    Mismatch(String),
}

impl ChoiceError {
    pub fn mismatch(expected: impl fmt::Display, found: impl fmt::Debug) -> ChoiceError {
        ChoiceError::Mismatch(format!("{expected} was asked for, but the choice is {found:?}"))
    }
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::Exhausted => f.write_str("no choices are left"),
            ChoiceError::Mismatch(what) => f.write_str(what),
        }
    }
}

pub type Chosen<T> = Result<T, ChoiceError>;

/// Decides what a program leaves open.
///
/// A pointer that is chosen comes from outside the program: it should be one that [`is_foreign`] knows.
pub trait Choices {
    /// The first value of a global, when the run starts, or of a local, when its procedure is entered. Asked only for
    /// variables that may be read before they are assigned, and never for memories.
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value>;

    /// The value that a havoc gives to a variable. Never asked for memories.
    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value>;

    /// What a procedure without a body returns in the given of its results.
    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value>;

    /// Which of several edges that can be taken is taken: an index.
    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize>;

    /// Which of several threads that can go on executes the next edge: an index. `at` is where the thread is that
    /// executed the last edge.
    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize>;

    /// Bytes of an object that nothing was written to.
    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()>;

    /// The pointer that bytes of an object hold that nothing was written to, if they hold one: null, or one to an external
    /// object. Otherwise the bytes are asked for. Pointers have offsets of `width` bits.
    fn pointer(&mut self, _object: u32, _offset: u64, _width: u32) -> Chosen<Option<Value>> {
        Ok(None)
    }

    /// The address of an object of a size. Taking `suggested`, no two objects overlap.
    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64>;

    /// The value of an uninterpreted function.
    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value>;

    /// Whether a closed formula about all values holds, which cannot be computed; nothing, if that is not known either.
    fn holds(&mut self, _formula: Term) -> Chosen<Option<bool>> {
        Ok(None)
    }
}

/// Whether a value can come from outside the program: a pointer must be null, or a mere number, or point to an external object.
pub fn is_foreign(value: &Value) -> bool {
    match value {
        Value::Pointer { object, .. } => *object == 0 || is_external(*object),
        _ => true,
    }
}

/// Zero wherever a value is needed; the first edge; the running thread for as long as it can go on.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zeros;

impl Choices for Zeros {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        zero(variable.sort())
    }

    fn havoc(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        zero(variable.sort())
    }

    fn result(&mut self, _: ProcId, result: &Variable, _: &At) -> Chosen<Value> {
        zero(result.sort())
    }

    fn branch(&mut self, _: &[EdgeId], _: &At) -> Chosen<usize> {
        Ok(0)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        Ok(runnable.iter().position(|thread| *thread == at.thread).unwrap_or(0))
    }

    fn bytes(&mut self, _: u32, _: u64, bytes: &mut [u8]) -> Chosen<()> {
        bytes.fill(0);
        Ok(())
    }

    fn address(&mut self, _: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(suggested)
    }

    fn apply(&mut self, function: &Function, _: &[Value]) -> Chosen<Value> {
        zero(function.result)
    }
}

fn zero(sort: Sort) -> Chosen<Value> {
    Value::zero(sort).ok_or_else(|| ChoiceError::mismatch(format!("a value of {sort}"), "zero"))
}

/// Identities of external objects to which variables point that were declared and not set.
const FIRST_UNSET: u32 = FIRST_EXTERNAL + (1 << 30);

/// Random choices: the same seed makes the same ones. Values at the edges of their sort are chosen more often than others;
/// addresses are those suggested.
#[derive(Clone, Debug)]
pub struct Random {
    random: term::random::Random,
    /// How many variables were made arbitrary that were declared and never set.
    unset: u32,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { random: term::random::Random::new(seed), unset: 0 }
    }

    /// A value of a sort, which memory has none of. Pointers are null or one of a few external objects.
    fn value(&mut self, sort: Sort) -> Chosen<Value> {
        zero(sort)?;
        Ok(match self.random.value(sort) {
            Value::Pointer { object: 0, offset } => Value::Pointer { object: 0, offset: Bv::new(offset.width(), 0) },
            Value::Pointer { object, offset } => {
                Value::Pointer { object: FIRST_EXTERNAL + object, offset: Bv::new(offset.width(), 0) }
            }
            value => value,
        })
    }
}

impl Choices for Random {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        self.value(variable.sort())
    }

    fn havoc(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        let value = self.value(variable.sort())?;
        Ok(match value {
            // What happens to be in a variable points to nothing that anybody else knows.
            Value::Pointer { object, offset } if object != 0 && variable.never_set => {
                self.unset += 1;
                Value::Pointer { object: FIRST_UNSET + self.unset, offset }
            }
            value => value,
        })
    }

    fn result(&mut self, _: ProcId, result: &Variable, _: &At) -> Chosen<Value> {
        self.value(result.sort())
    }

    fn branch(&mut self, edges: &[EdgeId], _: &At) -> Chosen<usize> {
        Ok(self.random.below(edges.len().max(1)))
    }

    fn schedule(&mut self, runnable: &[u32], _: &At) -> Chosen<usize> {
        Ok(self.random.below(runnable.len().max(1)))
    }

    fn bytes(&mut self, _: u32, _: u64, bytes: &mut [u8]) -> Chosen<()> {
        bytes.fill_with(|| self.random.bits() as u8);
        Ok(())
    }

    fn pointer(&mut self, _: u32, _: u64, width: u32) -> Chosen<Option<Value>> {
        if self.random.once_in(2) { Ok(None) } else { self.value(Sort::pointer(width)).map(Some) }
    }

    fn address(&mut self, _: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(suggested)
    }

    fn apply(&mut self, function: &Function, _: &[Value]) -> Chosen<Value> {
        self.value(function.result)
    }
}
