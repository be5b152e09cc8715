//! Relevant variables: those whose values can ever decide whether an edge can be taken.
//!
//! A variable is relevant if an assumption reads it, or if it flows into a relevant variable by an assignment, an
//! argument or a result. This ignores control flow, so it complements [`crate::live`]: a counter that is only ever added
//! to is live in its loop, but not relevant.

use ir::{Cfa, Model, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use term::free::Free;

/// The relevant variables of a program.
pub fn relevant(program: &Program) -> FxHashSet<Term> {
    let mut free = Free::new();
    let mut flows: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    let mut found: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<Term> = Vec::new();
    let mut flow = |to: Term, from: &[Term]| flows.entry(to).or_default().extend(from);
    for (_, edge) in program.procedures.iter().filter_map(|p| p.body.as_ref().ok()).flat_map(Cfa::edges) {
        match &edge.op {
            Op::Assign(pairs) => pairs.iter().for_each(|(to, from)| flow(*to, &free.of(*from))),
            Op::Assume(condition) => pending.extend(free.of(*condition).iter()),
            Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Call { procedure, arguments, .. } | Op::Spawn { procedure, arguments, .. } => {
                let callee = program.procedure(*procedure);
                if callee.body == Err(Model::Benign) || callee.body == Err(Model::Unknown) {
                    continue;
                }
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    flow(parameter.term, &free.of(*argument));
                }
                if let Op::Call { results, .. } = &edge.op {
                    results.iter().zip(&callee.results).for_each(|(to, from)| flow(*to, &[from.term]));
                }
            }
        }
    }
    for axiom in &program.axioms {
        pending.extend(free.of(*axiom).iter());
    }
    while let Some(variable) = pending.pop() {
        if found.insert(variable) {
            pending.extend(flows.get(&variable).into_iter().flatten());
        }
    }
    found
}
