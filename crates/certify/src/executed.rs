//! The check of a proof that is the only execution of its program.
//!
//! The program is executed, and whatever it asks for is refused, unless the answer makes no difference ([`Closed`]). So if it comes
//! to its end, there is no other execution. Rounds of loops are executed one by one, unless there are too many.

use crate::Rejected;
use ir::Program;
use ir::interp::{Closed, End, Interpreter, Limits, NoHost};

/// Checks that the program has one execution, that it ends after so many edges, and that it violates nothing.
pub fn check(program: &Program, edges: u64) -> Result<(), Rejected> {
    let limits = Limits::to_check(edges);
    let outcome = Interpreter::new(program).run(&mut Closed::new(program), &mut NoHost, &limits, None);
    let refused = |why: String| Err(Rejected::NotComplete(why));
    match outcome.end {
        _ if !outcome.unchecked_axioms.is_empty() => refused("an axiom could not be evaluated".to_string()),
        End::Finished(_) | End::Ended if outcome.statistics.steps == edges => Ok(()),
        End::Finished(_) | End::Ended => refused(format!("the execution has {} edges", outcome.statistics.steps)),
        End::Choices(_) => refused("the program leaves something open".to_string()),
        other => refused(format!("the only execution ends otherwise: {other:?}")),
    }
}
