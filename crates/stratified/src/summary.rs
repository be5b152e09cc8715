//! Summaries: what is known of a procedure without its body, for the calls that are not inlined.
//!
//! Of itself a call changes what the procedure can change, and returns anything. The program may tell more: what it assumes
//! on every way to the exit, right in front of it, holds when the procedure returns. So Boogie's `free ensures` become
//! summaries. A summary is over the values at the exit, and at the entry (instance 1).

use crate::effects::Effect;
use ir::{Cfa, LocId, Op, ProcId, Procedure, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use term::free::Free;
use term::subst::substitute;

/// A variable's value when the procedure was entered.
pub fn at_entry(variable: Term) -> Term {
    variable.at_instance(1)
}

/// What the program itself says of each procedure when it returns: a list of formulas, by number.
pub fn assumed_at_exits(program: &Program, effects: &[Effect]) -> Vec<Vec<Term>> {
    let of = |(id, procedure): (ProcId, &Procedure)| match &procedure.body {
        Ok(cfa) => assumed_at_exit(program, procedure, cfa, &effects[id.0 as usize]),
        Err(_) => Vec::new(),
    };
    program.procedures().map(of).collect()
}

fn assumed_at_exit(program: &Program, procedure: &Procedure, cfa: &Cfa, effect: &Effect) -> Vec<Term> {
    let conditions = last_assumptions(cfa);
    if conditions.is_empty() {
        return Vec::new();
    }
    let kept = kept(program, procedure, cfa, effect);
    let results: FxHashSet<Term> = procedure.results.iter().map(|result| result.term).collect();
    let mut free = Free::new();
    let mut found = Vec::new();
    for condition in conditions {
        let is_known = |variable: &Term| {
            results.contains(variable) || effect.changed.contains(variable) || kept.contains_key(variable)
        };
        if free.of(condition).iter().all(is_known) {
            found.push(substitute(condition, |variable| kept.get(&variable).copied()));
        }
    }
    found
}

/// What is assumed right in front of the exit on every way.
fn last_assumptions(cfa: &Cfa) -> Vec<Term> {
    let mut conditions = Vec::new();
    let mut location = cfa.exit();
    while let [edge] = cfa.incoming(location) {
        let edge = cfa.edge(*edge);
        match &edge.op {
            Op::Assume(condition) => conditions.push(*condition),
            Op::Assign(pairs) if pairs.is_empty() => {}
            _ => break,
        }
        location = edge.from;
    }
    conditions
}

/// The variables that have a value from the entry to the exit, and that value: globals and parameters that do not change, and
/// locals that keep what a global or parameter was at the entry.
fn kept(program: &Program, procedure: &Procedure, cfa: &Cfa, effect: &Effect) -> FxHashMap<Term, Term> {
    let mut writes: FxHashMap<Term, u32> = FxHashMap::default();
    for (_, edge) in cfa.edges() {
        let changed: Vec<Term> = match &edge.op {
            Op::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
            Op::Havoc(variables) | Op::Call { results: variables, .. } => variables.clone(),
            Op::Spawn { thread, .. } => vec![*thread],
            Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        };
        changed.into_iter().for_each(|variable| *writes.entry(variable).or_default() += 1);
    }
    let globals: FxHashSet<Term> = program.globals.iter().map(|global| global.term).collect();
    let parameters: FxHashSet<Term> = procedure.parameters.iter().map(|parameter| parameter.term).collect();
    let given = globals.iter().chain(&parameters).copied();
    let unchanged = given.filter(|variable| !effect.changed.contains(variable) && !writes.contains_key(variable));
    let mut kept: FxHashMap<Term, Term> = unchanged.map(|variable| (variable, at_entry(variable))).collect();
    // The first edges, which every execution takes, before anything that was given changes.
    let (mut location, mut seen): (LocId, FxHashSet<Term>) = (cfa.entry(), FxHashSet::default());
    while let [edge] = cfa.outgoing(location) {
        let edge = cfa.edge(*edge);
        match &edge.op {
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    let is_given = (globals.contains(value) || parameters.contains(value)) && !seen.contains(value);
                    let is_own = !globals.contains(variable) && writes.get(variable) == Some(&1);
                    if is_given && is_own {
                        kept.insert(*variable, at_entry(*value));
                    }
                }
                seen.extend(pairs.iter().map(|(variable, _)| *variable));
            }
            Op::Havoc(variables) => seen.extend(variables),
            Op::Assume(_) => {}
            _ => break,
        }
        if cfa.incoming(edge.to).len() != 1 {
            break;
        }
        location = edge.to;
    }
    kept
}
