//! From a violating state to the execution that reaches it: the way is gone again, and the SAT solver's model says which values are
//! chosen on it.

use crate::code::Code;
use crate::execute::{Initial, execute, guard, initial};
use crate::history::reason;
use crate::state::Origin;
use engine::{Reason, Step, Trace};
use ir::PropertyId;
use rustc_hash::FxHashSet;
use solver::Limits;
use solver::aig::Aig;
use solver::cnf::Cnf;
use term::Value;

/// The execution of these steps, from the first on. One exists.
pub fn trace(code: &Code, way: &[Origin], property: PropertyId, limits: &Limits) -> Result<Trace, Reason> {
    let (mut aig, mut firsts) = (Aig::new(), Initial::new());
    let mut state = initial(code, &mut aig, &mut firsts);
    let mut choices = Vec::new();
    for origin in way {
        let can = guard(code, &mut aig, &state, origin.thread, origin.edge);
        let region = aig.and(state.guard, can);
        let (next, chosen) = execute(code, &mut aig, &state, origin.thread, origin.edge, region, &mut firsts);
        state = next;
        choices.push(chosen);
    }
    let mut model = Cnf::new();
    if !model.solve(&aig, &[state.guard], limits).map_err(reason)? {
        return Err(Reason::Internal("a state that waits for its exploration has no element".to_string()));
    }
    let step = |(origin, chosen): (&Origin, Vec<_>)| Step {
        thread: origin.number,
        procedure: origin.procedure,
        edge: origin.edge,
        values: chosen.into_iter().map(|choice| Value::Bool(model.value(choice))).collect(),
        locals: Vec::new(),
    };
    let steps = way.iter().zip(choices).map(step).collect();
    let mut seen = FxHashSet::default();
    firsts.retain(|(variable, _)| seen.insert(*variable));
    let initial = firsts.iter().map(|(variable, input)| (*variable, Value::Bool(model.value(*input)))).collect();
    Ok(Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps })
}
