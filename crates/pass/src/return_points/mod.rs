//! Return points: calls without inlining ("Model Checking Sequential Software Programs Via Mixed Symbolic Analysis",
//! Sections 5.1 and 5.3, Figure 3).
//!
//! What is left is one automaton per thread entry without calls, as after [`crate::inline`], but each procedure's
//! body stands in it once. A call assigns the arguments to the parameters, and the number of its return point to the
//! procedure's variable `rtr`. The procedure's end branches on it. So the program grows with its calls, not with
//! their paths.
//!
//! Recursion is bounded. A call inside of a circle of procedures that call each other saves what the caller still
//! reads behind it, and its `rtr`, on a stack ([`stack`]); the return restores it. Saved and restored is only what
//! belongs to procedures of the circle. A procedure may be re-entered up to the bound while it runs; a call beyond
//! that leads to a location of its [`Bound`].
//!
//! | paper | here |
//! |---|---|
//! | `rtr` | `procedure::%rtr`, only for a procedure with several return points |
//! | bounded depth stack, a global array | a stack of variables for each that is saved, the top first ([`stack`]) |
//!
//! Invariants: but for the bound, the program has just the executions of the program before. Variables keep their
//! names where one thread entry leads to a procedure, except that objects of a recursive procedure, of which several
//! live at a time, are named `::@&`. The result has no `Op::Call`.
//!
//! Traces come back with their calls, and with the first values of the callee's variables. Proofs stay behind: an
//! invariant here speaks of return points and of the callers' variables at once, which no location of the program
//! before can. Like those of inlined programs they are checked on the pass's program.

mod merge;
mod stack;

use crate::bound::{Bound, RECURSION};
use crate::inline::{numbered, renumbered_objects, thread_entries};
use crate::{Lift, Passed};
use engine::{Proof, Step, Trace};
use ir::{EdgeId, ProcId, Program};
use merge::Merge;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Term, Value};

/// Puts a branch on return points in the place of returns. A recursive procedure is entered again at most `recursion`
/// times while it runs.
pub fn return_points(program: &Program, recursion: u32) -> Passed {
    let roots = thread_entries(program);
    let number = numbered(&roots);
    let bound = Bound { name: RECURSION, number: recursion.into() };
    let mut merge = Merge::new(program, &number, bound);
    let (mut procedures, mut origins) = (Vec::new(), Vec::new());
    for root in &roots {
        let (procedure, origin) = merge.run(*root);
        procedures.push(procedure);
        origins.push(origin);
    }
    let lift = Returned { origins, names: merge.into_names() };
    let objects = renumbered_objects(program, &number);
    let program = Program { procedures, entry: number[&program.entry], objects, ..program.clone() };
    Passed { program, lift: Arc::new(lift) }
}

/// What an edge stands for.
#[derive(Clone, PartialEq, Debug)]
enum Origin {
    /// An edge of the program before.
    Edge(ProcId, EdgeId),
    /// The first values of variables of a procedure that was just entered.
    FirstValues(Vec<Term>),
    /// The pass made it up.
    None,
}

/// The way back.
struct Returned {
    origins: Vec<Vec<Origin>>,
    /// What the program before calls variables that have other names.
    names: FxHashMap<Term, Term>,
}

impl Returned {
    fn before(&self, values: Vec<(Term, Value)>) -> Vec<(Term, Value)> {
        let named = |variable: Term| self.names.get(&variable).copied().unwrap_or(variable);
        values.into_iter().map(|(variable, value)| (named(variable), value)).collect()
    }
}

impl Lift for Returned {
    fn trace(&self, trace: Trace) -> Trace {
        let mut steps: Vec<Step> = Vec::new();
        for step in trace.steps {
            match &self.origins[step.procedure.0 as usize][step.edge.0 as usize] {
                Origin::Edge(procedure, edge) => {
                    let locals = self.before(step.locals);
                    steps.push(Step { procedure: *procedure, edge: *edge, locals, ..step });
                }
                Origin::FirstValues(variables) => {
                    // They are chosen right behind the call, by the thread that called.
                    let call = steps.iter_mut().rev().find(|earlier| earlier.thread == step.thread);
                    if let Some(call) = call {
                        call.locals.extend(variables.iter().copied().zip(step.values));
                    }
                }
                Origin::None => {}
            }
        }
        Trace { initial: self.before(trace.initial), steps, ..trace }
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        match self.origins[procedure.0 as usize][edge.0 as usize] {
            Origin::Edge(procedure, edge) => Some((procedure, edge)),
            Origin::FirstValues(_) | Origin::None => None,
        }
    }
}
