//! Bug localisation: the smallest sets of statements of an execution whose change would avoid its violation.
//!
//! After Wang, Yang, Ivančić, Gupta, "Whodunit? Causal analysis for counterexamples" (ATVA 2006) and Jose, Majumdar,
//! "Cause clue clauses: error localization using maximum satisfiability" (BugAssist, PLDI 2011). The *trace formula*
//! ([`trace`]) has a soft constraint for each statement that was executed; the inputs are hard, and that the
//! violation does not happen. A *correction set* is a set of statements without which the formula has a model; the
//! smallest are enumerated by partial MaxSAT ([`correct`]).
//!
//! Deviations:
//! * A condition that is changed sends control elsewhere, where the formula knows nothing. So each correction is
//!   executed ([`variant`]): the program runs with the inputs of the execution and the values of the correction, and
//!   only what then ends without a violation is reported. This also covers values of which the formula knows too
//!   little.
//! * Among sets of one size BugAssist counts how many failing executions they correct. Here small changes of the
//!   statement are tried ([`mutate`]), on this execution and on others with inputs near to it; then a correction that
//!   still comes to the violated condition is before one that avoids it; then the statement nearer to the violation
//!   is first, as in Whodunit.
//!
//! Invariant: nothing here decides a verdict, and the program is only read.

mod cells;
mod correct;
mod inputs;
mod mutate;
mod search;
mod trace;
mod variant;

pub use limits::Limits;
pub use mutate::Edit;

use inputs::{Inputs, Noting};
use ir::interp::{Choice, End, Frame, Interpreter, Limit, NoHost};
use ir::{Op, ProcId, Program, PropertyId};
use search::Search;
use source::Place;
use std::cell::RefCell;
use term::{Term, Value};
use trace::{Trace, Tracer, is_harness};

/// The longest execution that is looked at, in edges.
const LONGEST: u64 = 60_000;
/// A set of statements whose change avoids the violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    pub suspects: Vec<Suspect>,
    /// The changed execution comes to the violated condition, which then holds.
    pub checked: bool,
}

/// A statement, or a condition, of a correction set.
#[derive(Clone, PartialEq, Debug)]
pub struct Suspect {
    pub procedure: ProcId,
    pub place: Place,
    pub was: Was,
    /// What the statement read, then.
    pub reads: Vec<(Term, Value)>,
    /// A small change of the statement that avoids the violation, too.
    pub repair: Option<Repair>,
}

/// What a statement did, and what would avoid the violation.
#[derive(Clone, PartialEq, Debug)]
pub enum Was {
    /// A value, of this variable if it has one.
    Value { variable: Option<Term>, value: Value, instead: Value },
    /// Memory was written at another place than this.
    Stored { at: Value, instead: Value },
    /// A condition held, or did not; nothing, if there were more than two ways to go.
    Condition(Option<bool>),
    /// Nothing but the repair is known.
    Repaired,
}

/// A small change that was executed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Repair {
    pub edit: Edit,
    /// So many other executions, with inputs near to these, have no violation with it.
    pub others: u64,
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Localised {
    /// Sets of one size, the likeliest first.
    pub causes: Vec<Cause>,
    /// What was not looked at.
    pub remark: Option<String>,
}

/// Looks for the causes of the violation in an execution that these choices make.
pub fn localise(program: &Program, choices: &[Choice], property: PropertyId, limits: &Limits) -> Localised {
    if program.edges().any(|edge| matches!(edge.op, Op::Spawn { .. })) {
        return Localised { causes: Vec::new(), remark: None };
    }
    let (trace, inputs) = match trace_of(program, choices, property, limits) {
        Ok(traced) => traced,
        Err(remark) => return Localised { causes: Vec::new(), remark },
    };
    let is_assertion = is_assertion(program, property);
    Search::new(program, &trace, &inputs, is_assertion, limits).map(Search::run).unwrap_or_default()
}

/// Makes the execution once more, with its trace.
fn trace_of(
    program: &Program,
    choices: &[Choice],
    property: PropertyId,
    limits: &Limits,
) -> Result<(Trace, Inputs), Option<String>> {
    let inputs = RefCell::new(Inputs::default());
    let mut shared = Noting::new(choices, &inputs);
    let mut tracer = Tracer::new(program, &inputs);
    let bounds = ir::interp::Limits {
        steps: LONGEST,
        deadline: limits.deadline,
        one_by_one: true,
        room: true,
        ..ir::interp::Limits::default()
    };
    let outcome = Interpreter::new(program).run(&mut shared, &mut NoHost, &bounds, Some(&mut tracer));
    let mut trace = tracer.trace;
    match outcome.end {
        End::Violated(violated) if violated == property => {}
        End::Limit(Limit::Steps) => return Err(Some(format!("the execution has more than {LONGEST} steps"))),
        End::Limit(_) => return Err(Some("the execution is too long for the time".to_string())),
        _ => return Err(None),
    }
    exclude_assertion(program, &mut trace, &outcome.stack, property);
    Ok((trace, inputs.into_inner()))
}

fn is_assertion(program: &Program, property: PropertyId) -> bool {
    program.property(property).class.as_str() == "unreach-call"
}

/// What an assertion itself says is no candidate: it is what was asked for. Nor is what is given to a function that only
/// asserts.
fn exclude_assertion(program: &Program, trace: &mut Trace, stack: &[Frame], property: PropertyId) {
    let Some(last) = trace.decisions.last() else { return };
    let Ok(cfa) = &program.procedure(last.procedure).body else { return };
    let own = cfa.edge(last.taken).place;
    let callers = stack.windows(2).filter(|pair| is_harness(program, program.procedure(pair[0].procedure)));
    let lines: Vec<Place> = callers
        .filter_map(|pair| pair[1].place(program))
        .chain(own.filter(|_| is_assertion(program, property)))
        .collect();
    let is_own = |at: &Place| Some(*at) == own || lines.iter().any(|line| (at.file, at.line) == (line.file, line.line));
    trace.excluded = (0..).zip(&trace.groups).filter(|(_, at)| is_own(at)).map(|(group, _)| group).collect();
}
