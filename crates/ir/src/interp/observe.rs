//! Watching a run.

use super::choices::At;
use super::machine::Machine;
use super::outcome::Frame;
use crate::ProcId;
use crate::interp::code::Code;
use term::{Term, Value};

/// Is told what a run does. Nothing is spent on it in a run without one.
pub trait Observer {
    /// An edge was executed; `state` is what it led to. Of a call, this is told before the callee starts.
    fn edge(&mut self, at: &At, state: &State);

    /// Nothing is told before so many edges were executed: where that is more than there were, the run goes on as fast as
    /// one without an observer. Asked whenever the run looks at its limits.
    fn sleeps_until(&self) -> u64 {
        0
    }

    /// A procedure was entered: its parameters have their values.
    fn enter(&mut self, procedure: ProcId, state: &State) {
        let _ = (procedure, state);
    }

    /// A procedure returned: its results have been assigned in the caller, which is what `state` shows.
    fn leave(&mut self, procedure: ProcId, state: &State) {
        let _ = (procedure, state);
    }

    /// Another thread goes on.
    fn switch(&mut self, thread: u32) {
        let _ = thread;
    }
}

/// The state of a run, to be looked at.
pub struct State<'a> {
    pub(super) machine: &'a dyn Look,
    pub(super) code: &'a Code,
}

/// What can be seen of a machine.
pub(super) trait Look {
    fn variable(&self, code: &Code, variable: Term) -> Option<Value>;
    fn stack(&self, code: &Code) -> Vec<Frame>;
    fn thread(&self) -> u32;
}

impl Look for Machine<'_> {
    fn variable(&self, code: &Code, variable: Term) -> Option<Value> {
        Machine::variable(self, code, variable)
    }

    fn stack(&self, code: &Code) -> Vec<Frame> {
        Machine::stack(self, code)
    }

    fn thread(&self) -> u32 {
        Machine::thread(self).id
    }
}

impl State<'_> {
    /// The value of a variable in scope: a global, or a local of the procedure that is running. `None` for memories and for
    /// variables that have no value yet.
    pub fn value(&self, variable: Term) -> Option<Value> {
        self.machine.variable(self.code, variable)
    }

    /// The calls of the thread that is running, the innermost first.
    pub fn stack(&self) -> Vec<Frame> {
        self.machine.stack(self.code)
    }

    pub fn thread(&self) -> u32 {
        self.machine.thread()
    }
}
