//! Pruning: assignments and havocs whose variables nobody reads any more, or whose values decide nothing, are dropped,
//! and then the variables.
//!
//! The edges stay, so a trace of the new program is a trace of the old one, except that a havoc of dropped variables has
//! no values: they do not matter, and the lift fills in zeros. Proofs carry over as they are.
//!
//! Invariant: no location becomes reachable or unreachable by this.

use crate::{Lift, Passed};
use analysis::live::Live;
use analysis::relevant::relevant;
use engine::{Proof, Step, Trace};
use ir::{Cfa, EdgeId, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{Term, Value};

/// Drops what is written but not read, until nothing more can be dropped. The variables that `keep` names stay.
pub fn prune(program: &Program, keep: impl Fn(Term) -> bool) -> Passed {
    let mut pruned = program.clone();
    let mut havocs = Havocs::default();
    while prune_once(&mut pruned, &mut havocs, &keep) {}
    Passed { program: pruned, lift: Arc::new(havocs) }
}

/// Which of the variables that an edge havoced are havoced still.
#[derive(Default)]
struct Havocs {
    edges: FxHashMap<(ProcId, EdgeId), Vec<(Term, bool)>>,
}

impl Lift for Havocs {
    fn trace(&self, trace: Trace) -> Trace {
        let restore = |step: Step| match self.edges.get(&(step.procedure, step.edge)) {
            None => step,
            Some(variables) => {
                let mut kept = step.values.into_iter();
                let value = |(variable, is_kept): &(Term, bool)| {
                    let own = if *is_kept { kept.next() } else { None };
                    own.or_else(|| Value::zero(variable.sort()))
                };
                let values = variables.iter().map(value).collect::<Option<Vec<Value>>>().unwrap_or_default();
                Step { values, ..step }
            }
        };
        Trace { steps: trace.steps.into_iter().map(restore).collect(), ..trace }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        Some(proof)
    }
}

/// One round. Whether anything changed.
fn prune_once(program: &mut Program, havocs: &mut Havocs, keep: &dyn Fn(Term) -> bool) -> bool {
    let mut changed = false;
    let relevant = relevant(program);
    for number in 0..program.procedures.len() {
        let id = ProcId(number as u32);
        let live = Live::new(program, id);
        let matters = |at, variable| keep(variable) || relevant.contains(&variable) && live.at(at, variable);
        let Ok(body) = &program.procedures[number].body else { continue };
        let (locations, mut edges, entry, exit) = body.clone().into_parts();
        for (number, edge) in edges.iter_mut().enumerate() {
            let to = edge.to;
            match &mut edge.op {
                Op::Assign(pairs) => {
                    let before = pairs.len();
                    pairs.retain(|(variable, value)| variable != value && matters(to, *variable));
                    changed |= pairs.len() != before;
                }
                Op::Havoc(variables) if variables.iter().any(|variable| !matters(to, *variable)) => {
                    let all = || variables.iter().map(|variable| (*variable, true)).collect();
                    let record = havocs.edges.entry((id, EdgeId(number as u32))).or_insert_with(all);
                    for (variable, is_kept) in record.iter_mut() {
                        *is_kept &= matters(to, *variable);
                    }
                    variables.retain(|variable| matters(to, *variable));
                    changed = true;
                }
                _ => {}
            }
        }
        program.procedures[number].body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    changed |= drop_unused(program);
    changed
}

/// Drops the declarations of variables that no edge mentions.
fn drop_unused(program: &mut Program) -> bool {
    let used: rustc_hash::FxHashSet<Term> = term::free::variables(program.terms()).into_iter().collect();
    let before = program.globals.len();
    program.globals.retain(|global| used.contains(&global.term));
    let mut changed = program.globals.len() != before;
    for procedure in &mut program.procedures {
        let before = procedure.locals.len();
        procedure.locals.retain(|local| used.contains(&local.term));
        changed |= procedure.locals.len() != before;
    }
    changed
}
