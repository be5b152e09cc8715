//! From a violating state to the execution that reaches it: the SAT solver's model says which values were chosen.

use crate::history::reason;
use crate::search::Search;
use crate::state::{Origin, State};
use engine::{Reason, Step, Trace};
use ir::PropertyId;
use rustc_hash::FxHashSet;
use solver::Limits;
use solver::cnf::Cnf;
use term::Value;

/// The execution that leads to a state whose guard is satisfiable.
pub fn trace(
    search: &Search,
    state: &State,
    origin: Option<&Origin>,
    property: PropertyId,
    limits: &Limits,
) -> Result<Trace, Reason> {
    let mut model = Cnf::new();
    if !model.solve(&search.aig, &[state.guard], limits).map_err(reason)? {
        return Err(Reason::Internal("a state that waits for its exploration has no element".to_string()));
    }
    let mut steps = Vec::new();
    let mut next = origin;
    while let Some(origin) = next {
        let values = origin.choices.iter().map(|choice| Value::Bool(model.value(*choice))).collect();
        steps.push(Step {
            thread: origin.number,
            procedure: origin.procedure,
            edge: origin.edge,
            values,
            locals: Vec::new(),
        });
        next = search.explored[origin.parent.0].origin.as_ref();
    }
    steps.reverse();
    let mut seen = FxHashSet::default();
    let firsts = search.initial.iter().filter(|(variable, _)| seen.insert(*variable));
    let initial = firsts.map(|(variable, input)| (*variable, Value::Bool(model.value(*input)))).collect();
    Ok(Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps })
}
