//! Procedures without a body that a run can execute all the same.

mod c;
mod decimal;
mod float;
mod printf;

pub use c::CHost;

use super::arrays::Boxed;
use super::facts::Facts;
use super::memory::{Memory, Pointer};
use super::outcome::Trap;
use crate::{Procedure, Program};
use source::Symbol;
use term::Value;

/// Executes procedures that have no body. What it does not implement returns arbitrary results.
pub trait Host {
    fn implements(&self, procedure: &Procedure) -> bool;

    /// Executes a procedure that it implements; gives the results.
    fn call(&mut self, procedure: &Procedure, arguments: &[Value], memory: &mut Reader) -> Result<Vec<Value>, Trap>;

    /// The run has ended.
    fn finish(&mut self) -> Result<(), Trap> {
        Ok(())
    }
}

/// Implements nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoHost;

impl Host for NoHost {
    fn implements(&self, _: &Procedure) -> bool {
        false
    }

    fn call(&mut self, procedure: &Procedure, _: &[Value], _: &mut Reader) -> Result<Vec<Value>, Trap> {
        Err(Trap::Internal(format!("no host implements {}", procedure.name)))
    }
}

/// The program's memory, to be read.
pub struct Reader<'a, 'r> {
    pub(super) memory: &'a mut Memory,
    pub(super) facts: &'a mut Facts<'r>,
    pub(super) boxes: &'a [Boxed],
    pub(super) program: &'a Program,
}

impl Reader<'_, '_> {
    /// The byte at an offset from a pointer. Stops the run where the program could not read it either.
    pub fn byte(&mut self, pointer: &Value, offset: u64) -> Result<u8, Trap> {
        let Value::Pointer { object, offset: start } = pointer else {
            return Err(Trap::Undefined("a pointer was expected".into()));
        };
        let at = Pointer { object: *object, offset: (start.unsigned() as u64).wrapping_add(offset) };
        self.facts.reach(self.boxes, at, 1)?;
        self.memory.fix_unwritten(at, 1, &mut self.facts.asking(self.boxes))?;
        Ok(self.facts.load(self.memory, self.boxes, at, 1)? as u8)
    }

    /// The bytes from a pointer up to the first zero, which is left out, but not more than `most`.
    pub fn string(&mut self, pointer: &Value, most: Option<usize>) -> Result<Vec<u8>, Trap> {
        let mut bytes = Vec::new();
        while most.is_none_or(|most| bytes.len() < most) {
            match self.byte(pointer, bytes.len() as u64)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// The name of the object that a pointer points to, if it exists from the start.
    pub fn object_name(&self, pointer: &Value) -> Option<Symbol> {
        let Value::Pointer { object, .. } = pointer else { return None };
        self.program.objects.get((*object as usize).checked_sub(1)?).map(|object| object.name)
    }

    /// The address that a pointer stands for.
    pub fn address(&mut self, pointer: &Value) -> Result<u64, Trap> {
        let Value::Pointer { object, offset } = pointer else {
            return Err(Trap::Undefined("a pointer was expected".into()));
        };
        let pointer = Pointer { object: *object, offset: offset.unsigned() as u64 };
        self.facts.address(self.boxes, pointer)
    }
}
