//! Whether the execution that [`crate::goals`] found can be taken, and if not, which atoms were missing.
//!
//! The bodies of all its calls are inlined, and no others. If it cannot be taken, the constraints that contradict each other tell
//! what must be known where bodies are entered and left: each of their atoms that can be told there, with names for values
//! replaced by the values as far as needed.

use crate::abstraction::{Constraint, Named, Passage, named};
use crate::atoms::{Seed, atoms_in};
use crate::contradiction::Contradictions;
use crate::goals::Execution;
use crate::inlining::{CallSite, Inlining, InstanceId, SiteId};
use crate::path::{self, Path};
use crate::solvers::{Make, has_quantifiers};
use crate::summary::at_entry;
use engine::Reason;
use ir::Program;
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
    No(Missing),
    Unclear,
}

/// What would have told that an execution cannot be taken.
#[derive(Default)]
pub struct Missing {
    /// What conditions say.
    pub conditions: Vec<Seed>,
    /// What follows from equations together, for where conditions do not do.
    pub equations: Vec<Seed>,
    /// The variables that they are about.
    pub variables: FxHashSet<Term>,
}

/// An execution may have so many bodies.
const MOST_BODIES: usize = 4000;

/// What becomes of an execution, an inlining with its bodies, and the solver whose model takes it.
type Looked<'p> = (Confirmed, Inlining<'p>, Option<Box<dyn Smt>>);

/// Which calls count, and what is known.
pub struct Confirm<'c> {
    /// Facts about constants.
    pub facts: &'c [Term],
    /// Whether a call is beyond a bound: then the execution is no violation, but why it cannot be taken still counts.
    pub is_beyond: &'c dyn Fn(&CallSite) -> bool,
    pub make: Make<'c>,
    pub tick: &'c mut dyn FnMut() -> Result<(), Reason>,
}

impl Confirm<'_> {
    /// Looks whether an execution can be taken: if so, in an inlining with its bodies, whose solver has it as its model.
    pub fn confirm<'p>(&mut self, program: &'p Program, execution: &Execution) -> Result<Looked<'p>, Reason> {
        // The constraints of the path alone come first: what contradicts itself does so early as a rule.
        let mut path = Inlining::new(program, []);
        path.start_path()?;
        let Some((flags, is_within)) = self.inlined(&mut path, execution, None)? else {
            return Ok((Confirmed::Unclear, path, None));
        };
        let taken = path::path_where(&path, &mut |flag| flags.contains(&flag))?;
        if let Some(missing) = missing(&path, &taken, self)? {
            return Ok((Confirmed::No(missing), path, None));
        }
        if !is_within {
            return Ok((Confirmed::Unclear, path, None));
        }
        let mut inlining = Inlining::new(program, []);
        let mut formulas = formulas(&mut inlining, execution)?;
        // The trace tells all constants, and those that the path does not look at have their values from axioms.
        formulas.extend(program.axioms.iter().filter(|axiom| !has_quantifiers(&[**axiom])));
        let mut solver = (self.make)(&formulas);
        let smt = solver.as_mut();
        inlining.start(smt)?;
        let Some((flags, _)) = self.inlined(&mut inlining, execution, Some(smt))? else {
            return Ok((Confirmed::Unclear, inlining, None));
        };
        inlining.settle();
        let blocked = inlining.open.iter().flat_map(|site| inlining.sites[site.0].blocked());
        let assumptions: Vec<Term> = flags.iter().copied().chain(blocked).collect();
        let confirmed = match smt.check_assuming(&assumptions) {
            Answer::Unsat => Confirmed::Unclear,
            Answer::Unknown(why @ (Unknown::Cancelled | Unknown::Memory)) => return Err(crate::solver_reason(why)),
            Answer::Unknown(_) if !smt.has_candidate() => Confirmed::Unclear,
            _ => Confirmed::Yes(path::path(&inlining, smt)?),
        };
        Ok((confirmed, inlining, Some(solver)))
    }

    /// Some contradictions on a path.
    fn cores(&mut self, contradictions: &mut Contradictions<'_>) -> Result<Vec<Vec<Term>>, Reason> {
        let mut cores: Vec<Vec<Term>> = Vec::new();
        while cores.len() < MOST_CORES {
            (self.tick)()?;
            let Some(core) = contradictions.next() else { break };
            cores.push(core);
        }
        Ok(cores)
    }

    /// Inlines the bodies of an execution; its flags, and whether all of its calls are within the bounds. None if it is too long.
    fn inlined(
        &mut self,
        inlining: &mut Inlining<'_>,
        execution: &Execution,
        mut smt: Option<&mut dyn Smt>,
    ) -> Result<Option<(FxHashSet<Term>, bool)>, Reason> {
        let mut flags: FxHashSet<Term> = FxHashSet::default();
        let mut is_within = true;
        let mut pending: Vec<(InstanceId, &Execution)> = vec![(InstanceId(0), execution)];
        while let Some((id, execution)) = pending.pop() {
            (self.tick)()?;
            let instance = &inlining.instances[id.0];
            flags.extend(execution.flags.iter().map(|flag| instance.actual(*flag)));
            let first = instance.first_site;
            for (number, callee) in &execution.calls {
                let site = SiteId(first + number);
                if inlining.instances.len() > MOST_BODIES {
                    return Ok(None);
                }
                is_within &= !(self.is_beyond)(&inlining.sites[site.0]);
                let body = match &mut smt {
                    Some(smt) => inlining.inline(site, *smt)?,
                    None => inlining.inline_path(site)?,
                };
                pending.push((body, callee));
            }
        }
        Ok(Some((flags, is_within)))
    }
}

/// The formulas of all bodies of an execution.
fn formulas(inlining: &mut Inlining<'_>, execution: &Execution) -> Result<Vec<Term>, Reason> {
    let mut procedures = FxHashSet::from_iter([inlining.program.entry]);
    let mut formulas = inlining.template(inlining.program.entry)?.formulas();
    let mut pending = vec![(inlining.program.entry, execution)];
    while let Some((procedure, execution)) = pending.pop() {
        let template = inlining.template(procedure)?;
        for (number, inner) in &execution.calls {
            let callee = template.sites[*number].callee;
            if procedures.insert(callee) {
                formulas.extend(inlining.template(callee)?.formulas());
            }
            pending.push((callee, inner));
        }
    }
    Ok(formulas)
}

/// So many contradictions on a path are looked at.
const MOST_CORES: usize = 8;
/// Contradictions about so much are small.
const SMALL: usize = 4;

/// The atoms that would have told that a path cannot be taken, unless it can: those of its conditions, and the equations that
/// follow from them.
fn missing(inlining: &Inlining<'_>, path: &Path, with: &mut Confirm<'_>) -> Result<Option<Missing>, Reason> {
    let Named { constraints, passages, holders } = named(inlining, path);
    let values = values(&constraints);
    let mut contradictions = Contradictions::new(&constraints, with.facts, with.make);
    let mut free = Free::new();
    let (mut conditions, mut equations, mut variables) = (Vec::new(), Vec::new(), FxHashSet::default());
    let mut cores: Vec<Vec<Term>> = contradictions.impossible().into_iter().map(|condition| vec![condition]).collect();
    if cores.is_empty() {
        cores = with.cores(&mut contradictions)?;
    }
    // Large contradictions are about much that does not matter.
    cores.sort_by_cached_key(|core| contradictions.size(core));
    let smallest = cores.first().map_or(0, |core| contradictions.size(core));
    cores.retain(|core| contradictions.size(core) <= 2 * smallest.max(SMALL));
    cores.truncate(MOST_CORES);
    for core in &cores {
        for name in contradictions.all_names(core) {
            variables.extend(holders.get(&name).into_iter().flatten().copied().chain([name.at_instance(0)]));
        }
        let whole: Vec<Term> = core.iter().map(|condition| contradictions.in_full(*condition)).collect();
        let mut add = |atoms: Vec<Term>, found: &mut Vec<Seed>| {
            for mut atom in atoms {
                loop {
                    if !contradictions.is_decided(atom) {
                        passages.iter().for_each(|passage| found.extend(told(inlining, passage, atom, &mut free)));
                    }
                    // The newest name gives way to its value: it may be known earlier.
                    let names = free.of(atom);
                    let valued = names.iter().filter(|name| values.contains_key(name));
                    let Some(newest) = valued.max_by_key(|name| number_of(**name)).copied() else { break };
                    atom = substitute(atom, |variable| (variable == newest).then(|| values[&newest]));
                    if atom.value().is_some() || dag_size(atom) > LARGEST {
                        break;
                    }
                }
            }
        };
        add(atoms_in(core.iter().copied()), &mut conditions);
        add(equal(core), &mut equations);
        add(equal(&whole), &mut equations);
    }
    for found in [&mut conditions, &mut equations] {
        found.sort_by_key(|seed| format!("{seed:?}"));
        found.dedup();
    }
    Ok((!cores.is_empty()).then_some(Missing { conditions, equations, variables }))
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
