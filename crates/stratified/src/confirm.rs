//! Whether the execution that [`crate::goals`] found can be taken, and if not, which atoms were missing.
//!
//! The bodies of all its calls are inlined, and no others. If it cannot be taken, the constraints that contradict each other tell
//! what must be known where bodies are entered and left: each of their atoms that can be told there, with names for values
//! replaced by the values as far as needed.

use crate::abstraction::{Constraint, Passage, passages};
use crate::atoms::{Seed, atoms_in};
use crate::goals::Execution;
use crate::inlining::{CallSite, Inlining, InstanceId, SiteId};
use crate::path::{self, Path};
use crate::summary::at_entry;
use engine::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt, Unknown};
use term::build::eq;
use term::free::{Free, dag_size};
use term::subst::substitute;
use term::{Op as TermOp, Term};

/// What becomes of an execution.
pub enum Confirmed {
    /// The solver's model takes this path.
    Yes(Path),
    /// It cannot be taken. This is what is to be known besides.
    No(Vec<Seed>),
    Unclear,
}

/// An execution may have so many bodies.
const MOST_BODIES: usize = 4000;

/// Looks whether an execution can be taken. The inlining must be new; calls beyond a bound do not count.
pub fn confirm(
    inlining: &mut Inlining<'_>,
    execution: &Execution,
    is_beyond: &dyn Fn(&CallSite) -> bool,
    make: &dyn Fn() -> Box<dyn Smt>,
    tick: &mut dyn FnMut() -> Result<(), Reason>,
) -> Result<(Confirmed, Box<dyn Smt>), Reason> {
    let mut solver = make();
    let smt = solver.as_mut();
    inlining.start(smt)?;
    let mut flags: FxHashSet<Term> = FxHashSet::default();
    let mut pending: Vec<(InstanceId, &Execution)> = vec![(InstanceId(0), execution)];
    while let Some((id, execution)) = pending.pop() {
        tick()?;
        let instance = &inlining.instances[id.0];
        flags.extend(execution.flags.iter().map(|flag| instance.actual(*flag)));
        let first = instance.first_site;
        for (number, callee) in &execution.calls {
            let site = SiteId(first + number);
            if is_beyond(&inlining.sites[site.0]) || inlining.instances.len() > MOST_BODIES {
                return Ok((Confirmed::Unclear, solver));
            }
            pending.push((inlining.inline(site, smt)?, callee));
        }
    }
    inlining.settle();
    let blocked = inlining.open.iter().flat_map(|site| inlining.sites[site.0].blocked());
    let assumptions: Vec<Term> = flags.iter().copied().chain(blocked).collect();
    let confirmed = match smt.check_assuming(&assumptions) {
        Answer::Unsat => {
            let path = path::path_where(inlining, &mut |flag| flags.contains(&flag))?;
            Confirmed::No(missing(inlining, &path, make().as_mut()))
        }
        Answer::Unknown(why @ (Unknown::Cancelled | Unknown::Memory)) => return Err(crate::solver_reason(why)),
        Answer::Unknown(_) if !smt.has_candidate() => Confirmed::Unclear,
        _ => Confirmed::Yes(path::path(inlining, smt)?),
    };
    Ok((confirmed, solver))
}

/// So many contradictions on a path are looked at.
const MOST_CORES: usize = 8;

/// The atoms that would have told that a path cannot be taken.
fn missing(inlining: &Inlining<'_>, path: &Path, smt: &mut dyn Smt) -> Vec<Seed> {
    let (constraints, passages) = passages(inlining, path);
    let mut formulas: Vec<Term> = constraints.iter().map(|constraint| constraint.formula).collect();
    formulas.retain(|formula| formula.value().is_none());
    formulas.dedup();
    let values = values(&constraints);
    let mut found: Vec<Seed> = Vec::new();
    let mut free = Free::new();
    for _ in 0..MOST_CORES {
        let Some(core) = core(&formulas, smt) else { break };
        for atom in atoms_in(core.iter().copied()).into_iter().chain(equal(&core)) {
            let mut atom = atom;
            loop {
                passages.iter().for_each(|passage| found.extend(told(inlining, passage, atom, &mut free)));
                // The newest name gives way to its value: it may be known earlier.
                let names = free.of(atom);
                let newest = names.iter().filter(|name| values.contains_key(name)).max_by_key(|name| number_of(**name));
                let Some(newest) = newest.copied() else { break };
                atom = substitute(atom, |variable| (variable == newest).then(|| values[&newest]));
                if atom.value().is_some() || dag_size(atom) > LARGEST {
                    break;
                }
            }
        }
        // Without its last condition there may be another contradiction.
        let is_value = |formula: &Term| formula.args().iter().any(|side| values.contains_key(side));
        let Some(last) = formulas.iter().rposition(|formula| core.contains(formula) && !is_value(formula)) else {
            break;
        };
        formulas.retain({
            let last = formulas[last];
            move |formula| *formula != last
        });
    }
    found.sort_by_key(|seed| format!("{seed:?}"));
    found.dedup();
    found
}

/// Some of the formulas that contradict each other, all of which are needed for that.
fn core(formulas: &[Term], smt: &mut dyn Smt) -> Option<Vec<Term>> {
    if smt.check_assuming(formulas) != Answer::Unsat {
        return None;
    }
    let mut core: Vec<Term> = smt.core().to_vec();
    let mut number = 0;
    while number < core.len() {
        let mut fewer = core.clone();
        fewer.remove(number);
        match smt.check_assuming(&fewer) {
            Answer::Unsat => {
                let used: FxHashSet<Term> = smt.core().iter().copied().collect();
                core = fewer.into_iter().filter(|formula| used.contains(formula)).collect();
            }
            _ => number += 1,
        }
    }
    Some(core)
}

/// The equations that follow from those among some formulas.
fn equal(formulas: &[Term]) -> Vec<Term> {
    let mut classes: Vec<Vec<Term>> = Vec::new();
    for formula in formulas.iter().filter(|formula| *formula.op() == TermOp::Eq) {
        let (with, mut without): (Vec<_>, Vec<_>) =
            classes.into_iter().partition(|class| formula.args().iter().any(|side| class.contains(side)));
        let mut class: Vec<Term> = with.into_iter().flatten().chain(formula.args().iter().copied()).collect();
        class.sort_unstable();
        class.dedup();
        without.push(class);
        classes = without;
    }
    let pairs = |class: &Vec<Term>| -> Vec<Term> {
        let some = &class[..class.len().min(8)];
        some.iter().enumerate().flat_map(|(n, one)| some[n + 1..].iter().map(|other| eq(*one, *other))).collect()
    };
    classes.iter().flat_map(pairs).filter(|equation| equation.value().is_none()).collect()
}

/// An atom with more parts than this is not told.
const LARGEST: usize = 60;

fn number_of(name: Term) -> u32 {
    if let TermOp::Var { instance, .. } = name.op() { *instance } else { 0 }
}

/// The values that names were given on a path.
fn values(constraints: &[Constraint]) -> FxHashMap<Term, Term> {
    let mut values = FxHashMap::default();
    for Constraint { formula, .. } in constraints {
        let (TermOp::Eq, [left, right]) = (formula.op(), formula.args()) else { continue };
        let (name, value) = if number_of(*left) > number_of(*right) { (left, right) } else { (right, left) };
        let is_older = Free::new().of(*value).iter().all(|part| number_of(*part) < number_of(*name));
        if number_of(*name) > 0 && is_older {
            values.entry(*name).or_insert(*value);
        }
    }
    values
}

/// An atom over a path's names where a body is entered and where it returns, if its names are known there.
fn told(inlining: &Inlining<'_>, passage: &Passage, atom: Term, free: &mut Free) -> Vec<Seed> {
    let variables = free.of(atom);
    let instance = &inlining.instances[passage.instance.0];
    let mut found = Vec::new();
    let entered = |variable: Term| passage.entered.get(&variable).copied().map(at_entry);
    if variables.iter().all(|variable| passage.entered.contains_key(variable)) {
        found.push(Seed::Entry(instance.template.procedure, substitute(atom, entered)));
    }
    if let (Some(left), Some(call)) = (&passage.left, instance.call) {
        let is_known = |variable: &Term| left.contains_key(variable) || passage.entered.contains_key(variable);
        if variables.iter().all(is_known) && variables.iter().any(|variable| left.contains_key(variable)) {
            let site = &inlining.sites[call.0];
            let caller = &inlining.instances[site.instance.0];
            let there = substitute(atom, |variable| left.get(&variable).copied().or_else(|| entered(variable)));
            found.push(Seed::Call(caller.template.procedure, call.0 - caller.first_site, there));
        }
        // What a body leaves as it was.
        for variable in variables.iter() {
            if let (Some(now), Some(before)) = (left.get(variable), entered(*variable)) {
                let site = &inlining.sites[call.0];
                let caller = &inlining.instances[site.instance.0];
                let number = call.0 - caller.first_site;
                found.push(Seed::Call(caller.template.procedure, number, eq(*now, before)));
            }
        }
    }
    found
}
