//! Whether a trace is an execution: with zeros for all that it does not tell.

use super::code::Code;
use super::step::{Known, Local, Running, follow};
use engine::Trace;
use ir::{LocationKind, ProcId};
use term::{Term, Value};

pub fn is_execution(code: &Code, trace: &Trace) -> bool {
    execute(code, trace).is_some_and(|(procedure, location)| {
        let at = code.body(procedure).cfa.location(location);
        at.kind == LocationKind::Error(trace.property)
    })
}

/// Where the last step leads, if all steps can be taken.
fn execute(code: &Code, trace: &Trace) -> Option<(ProcId, ir::LocId)> {
    let zeros = |variables: &[Term]| -> Vec<Known> {
        variables.iter().map(|variable| Value::zero(variable.sort()).map(Term::constant)).collect()
    };
    let begin = |procedure: ProcId| {
        let body = code.body(procedure);
        Local { procedure, location: body.cfa.entry(), own: zeros(&body.own) }
    };
    let mut shared = zeros(&code.shared);
    let mut threads = vec![begin(code.program.entry)];
    let mut depths = vec![0];
    let mut last = None;
    for step in &trace.steps {
        let number = step.thread as usize;
        // Who is in an atomic section goes first.
        if depths.iter().enumerate().any(|(other, depth)| other != number && *depth > 0) {
            return None;
        }
        let start = Running {
            shared,
            local: threads.get(number)?.clone(),
            is_first: number == 0,
            depth: depths[number],
            started: Vec::new(),
            taken: Vec::new(),
        };
        let next = follow(code, &start, step.edge, &step.values)?;
        for started in &next.started {
            let mut local = begin(started.procedure);
            for parameter in &code.body(started.procedure).parameters {
                local.own[*parameter] = started.own[*parameter].or(local.own[*parameter]);
            }
            threads.push(local);
            depths.push(0);
        }
        last = Some((next.local.procedure, next.local.location));
        depths[number] = next.depth;
        threads[number] = next.local;
        shared = next.shared;
    }
    last
}
