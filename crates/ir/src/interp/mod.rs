//! The interpreter: executes programs as their choices say.
//!
//! [`Interpreter::run`] executes a program from its entry. Whatever the program leaves open is asked of the [`Choices`], and
//! nothing else enters a run, so that equal choices make equal runs: a trace is a list of choices. Procedures without a
//! body are executed by a [`Host`] if it knows them. An [`Observer`] sees every step.
//!
//! Procedures are compiled to register code when they are first called (`compile`, `code`, `instr`), which a loop executes
//! (`exec`); what takes longer than an instruction should is in `slow`, `calls` and `threads`, and `rounds`
//! skips what only counts. Memory is `object`, `memory` and, for what decides about accesses, `facts` and `address`; `collect`
//! gives back what nothing can reach.
//!
//! Invariants: no valid program makes the interpreter panic; a run that comes to something without meaning or that cannot be
//! executed stops there and says so.

mod address;
mod arrays;
mod calls;
pub mod choices;
mod closed;
mod code;
mod collect;
mod compile;
mod exec;
mod facts;
pub mod host;
mod instr;
mod layout;
mod machine;
mod memory;
mod object;
mod observe;
mod outcome;
mod record;
mod rounds;
mod run;
mod slow;
mod threads;
mod windows;
mod word;

#[cfg(test)]
mod tests;

pub use choices::{At, ChoiceError, Choices, Chosen, Random, Zeros, is_foreign};
pub use closed::Closed;
pub use host::{CHost, Host, NoHost, Reader};
pub use observe::{Observer, State};
pub use outcome::{End, Frame, Limit, Limits, Outcome, Statistics, Trap};
pub use record::{Choice, Recorded, Recording};

use crate::Program;
use code::Code;
use compile::Memo;
use facts::Facts;
use layout::{Home, Layout, decode};
use machine::Machine;
use run::{Run, Skipping};
use term::{Term, Value};

/// Executes a program, as often as one likes. What was compiled serves all runs.
pub struct Interpreter<'p> {
    program: &'p Program,
    layout: Layout,
    code: Code,
    memo: Memo,
    /// The registers of the globals when the last run ended.
    last: Option<(Vec<u128>, Vec<arrays::Boxed>)>,
}

impl<'p> Interpreter<'p> {
    /// For a valid program: see [`crate::validate`].
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let mut code = Code::default();
        code.bodies.resize_with(program.procedures.len(), || None);
        Interpreter { program, layout: Layout::new(program), code, memo: Memo::default(), last: None }
    }

    /// Executes the program once.
    pub fn run(
        &mut self,
        choices: &mut dyn Choices,
        host: &mut dyn Host,
        limits: &Limits,
        observer: Option<&mut dyn Observer>,
    ) -> Outcome {
        let observer = observer.map(|observer| observer as &mut dyn Observer);
        let facts = Facts::new(self.program, &self.layout, choices, limits);
        let machine = Machine::new(self.program, &self.layout, limits, facts, host, observer);
        let (code, memo) = (&mut self.code, &mut self.memo);
        let mut run = Run {
            program: self.program,
            layout: &self.layout,
            code,
            memo,
            machine,
            next_look: 0,
            skipping: Skipping::default(),
            next_collection: collect::FIRST,
        };
        let mut end = run.run();
        let Run { machine, code, .. } = run;
        if let Err(trap) = machine.host.finish() {
            end = trap.into();
        }
        let stack = machine.stack(code);
        let outcome = Outcome {
            end,
            place: stack.first().and_then(|frame| frame.place(self.program)),
            thread: machine.threads.get(machine.current).map_or(0, |thread| thread.id),
            stack,
            unchecked_axioms: machine.unchecked_axioms,
            beyond: machine.facts.beyond.into_inner(),
            statistics: Statistics {
                steps: machine.steps,
                choices: machine.facts.asked,
                object_bytes: machine.memory.most_bytes(),
                ..machine.statistics
            },
        };
        let (mut regs, mut boxes) = (machine.regs, machine.boxes);
        regs.truncate(self.layout.globals.slots as usize);
        boxes.truncate(self.layout.globals.boxes as usize);
        self.last = Some((regs, boxes));
        outcome
    }

    /// The value of a global when the last run ended. `None` for memories, and for globals that have no value.
    pub fn global(&self, variable: Term) -> Option<Value> {
        let (regs, boxes) = self.last.as_ref()?;
        match *self.layout.homes.get(&variable)? {
            Home::Slot(reg) => decode(variable.sort(), regs[reg.index(0)]),
            Home::Boxed(reg) => boxes[reg.index(0)].value(variable.sort()),
            Home::Memory => None,
        }
    }
}
