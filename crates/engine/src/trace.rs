//! Traces: executions, told by the choices alone.

use ir::{EdgeId, ProcId, PropertyId};
use term::{Function, Term, Value};

/// An execution that violates a property: which edges were taken and which values were chosen. All else (the values of
/// variables, the call stack, the source lines) comes from replaying it in the interpreter.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    pub property: PropertyId,
    /// The initial values of globals and of the entry's variables; one that is not named is zero.
    pub initial: Vec<(Term, Value)>,
    /// What memory holds at first, by object and offset: bytes, and pointers in one piece. A byte that is not named is zero.
    pub memory: Vec<(u32, u64, Value)>,
    /// What uninterpreted functions give on arguments; where it is not told, they give zero.
    pub functions: Vec<(Function, Vec<Value>, Value)>,
    pub steps: Vec<Step>,
}

/// One edge of an execution.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub thread: u32,
    pub procedure: ProcId,
    pub edge: EdgeId,
    /// The values that a havoc chose, or the results of a procedure without a body; otherwise none.
    pub values: Vec<Value>,
    /// The first values of variables of the procedure that a call enters; one that is not named is zero.
    pub locals: Vec<(Term, Value)>,
}
