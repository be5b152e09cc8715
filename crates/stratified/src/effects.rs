//! What procedures do to globals, and how they may end, with all that they call.

use faults::Fault;
use ir::{Cfa, LocationKind, Op, ProcId, Procedure, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::Term;
use term::free::Free;

/// The effects of one procedure.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Effect {
    /// The globals that it may read or change.
    pub mentioned: BTreeSet<Term>,
    /// The globals that it may change.
    pub changed: BTreeSet<Term>,
    /// Whether it may come to an error location, or to something unsupported.
    pub fails: bool,
    /// Whether it may call itself, through others or not.
    pub recursive: bool,
}

/// The effects of all procedures, by number.
pub fn effects(program: &Program) -> Vec<Effect> {
    let globals: FxHashSet<Term> = program.globals.iter().map(|global| global.term).collect();
    let mut free = Free::among(globals.iter().copied());
    let mut effects: Vec<Effect> = program.procedures.iter().map(|p| own(p, &globals, &mut free)).collect();
    let calls: Vec<Vec<ProcId>> = program.procedures.iter().map(callees).collect();
    let mut callers: FxHashMap<ProcId, Vec<usize>> = FxHashMap::default();
    for (caller, called) in calls.iter().enumerate() {
        called.iter().for_each(|callee| callers.entry(*callee).or_default().push(caller));
    }
    let mut pending: Vec<usize> = (0..effects.len()).collect();
    while let Some(number) = pending.pop() {
        let effect = effects[number].clone();
        for caller in callers.get(&ProcId(number as u32)).into_iter().flatten() {
            let into = &mut effects[*caller];
            let before = (into.mentioned.len(), into.changed.len(), into.fails);
            into.mentioned.extend(&effect.mentioned);
            into.changed.extend(&effect.changed);
            into.fails |= effect.fails;
            if before != (into.mentioned.len(), into.changed.len(), into.fails) {
                pending.push(*caller);
            }
        }
    }
    for (number, effect) in effects.iter_mut().enumerate() {
        effect.recursive = reaches_itself(number, &calls);
    }
    effects
}

/// The procedures with a body that a procedure calls.
fn callees(procedure: &Procedure) -> Vec<ProcId> {
    let edges = procedure.body.iter().flat_map(Cfa::edges);
    edges
        .filter_map(|(_, edge)| if let Op::Call { procedure, .. } = edge.op { Some(procedure) } else { None })
        .collect()
}

fn reaches_itself(number: usize, calls: &[Vec<ProcId>]) -> bool {
    let mut seen: FxHashSet<ProcId> = FxHashSet::default();
    let mut pending: Vec<ProcId> = calls[number].clone();
    while let Some(procedure) = pending.pop() {
        if procedure.0 as usize == number {
            return true;
        }
        if seen.insert(procedure) {
            pending.extend(&calls[procedure.0 as usize]);
        }
    }
    false
}

/// What a procedure's own edges do.
fn own(procedure: &Procedure, globals: &FxHashSet<Term>, free: &mut Free) -> Effect {
    let mut effect = Effect::default();
    let Ok(cfa) = &procedure.body else { return effect };
    let is_bad = |kind: LocationKind| matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
    effect.fails = cfa.locations().any(|(_, location)| is_bad(location.kind));
    for (_, edge) in cfa.edges() {
        let mut read = |term: &Term| effect.mentioned.extend(free.of(*term).iter().copied());
        let mut changed: Vec<Term> = Vec::new();
        match &edge.op {
            Op::Assign(pairs) => {
                pairs.iter().for_each(|(_, value)| read(value));
                let known = if faults::is(Fault::MissedEffect) { 0 } else { pairs.len() };
                changed.extend(pairs.iter().take(known).map(|(variable, _)| *variable));
            }
            Op::Assume(condition) => read(condition),
            Op::Havoc(variables) => changed.extend(variables),
            Op::Call { arguments, results, .. } => {
                arguments.iter().for_each(read);
                changed.extend(results);
            }
            Op::Spawn { arguments, thread, .. } => {
                arguments.iter().for_each(read);
                changed.push(*thread);
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
        }
        let changed = changed.into_iter().filter(|variable| globals.contains(variable));
        effect.changed.extend(changed);
    }
    effect.mentioned.extend(&effect.changed.clone());
    effect
}
