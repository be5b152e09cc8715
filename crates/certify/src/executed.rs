//! The check of a proof that is the only execution of its program.
//!
//! The program is executed, and whatever it asks for is refused. So if it comes to its end, there is no other execution.

use crate::Rejected;
use ir::interp::{At, ChoiceError, Choices, Chosen, End, Interpreter, Limits, NoHost};
use ir::{EdgeId, ProcId, Program, Variable};
use term::{Function, Value};

/// Checks that the program has one execution, that it ends after so many edges, and that it violates nothing.
pub fn check(program: &Program, edges: u64) -> Result<(), Rejected> {
    let limits = Limits { steps: edges.saturating_add(1), ..Limits::default() };
    let outcome = Interpreter::new(program).run(&mut Refusal, &mut NoHost, &limits, None);
    let refused = |why: String| Err(Rejected::NotComplete(why));
    match outcome.end {
        _ if !outcome.unchecked_axioms.is_empty() => refused("an axiom could not be evaluated".to_string()),
        End::Finished(_) | End::Ended if outcome.statistics.steps == edges => Ok(()),
        End::Finished(_) | End::Ended => refused(format!("the execution has {} edges", outcome.statistics.steps)),
        End::Choices(_) => refused("the program leaves something open".to_string()),
        other => refused(format!("the only execution ends otherwise: {other:?}")),
    }
}

/// Chooses nothing.
struct Refusal;

impl Refusal {
    fn refuse<T>() -> Chosen<T> {
        Err(ChoiceError::Exhausted)
    }
}

impl Choices for Refusal {
    fn initial(&mut self, _: &Variable, _: &At) -> Chosen<Value> {
        Refusal::refuse()
    }

    fn havoc(&mut self, _: &Variable, _: &At) -> Chosen<Value> {
        Refusal::refuse()
    }

    fn result(&mut self, _: ProcId, _: &Variable, _: &At) -> Chosen<Value> {
        Refusal::refuse()
    }

    fn branch(&mut self, _: &[EdgeId], _: &At) -> Chosen<usize> {
        Refusal::refuse()
    }

    fn schedule(&mut self, _: &[u32], _: &At) -> Chosen<usize> {
        Refusal::refuse()
    }

    fn bytes(&mut self, _: u32, _: u64, _: &mut [u8]) -> Chosen<()> {
        Refusal::refuse()
    }

    fn pointer(&mut self, _: u32, _: u64, _: u32) -> Chosen<Option<Value>> {
        Refusal::refuse()
    }

    fn address(&mut self, _: u32, _: u64, _: u64) -> Chosen<u64> {
        Refusal::refuse()
    }

    fn apply(&mut self, _: &Function, _: &[Value]) -> Chosen<Value> {
        Refusal::refuse()
    }
}
