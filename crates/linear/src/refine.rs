//! The refinement (Section 2): whether a trace of the abstract program is one of the program with arrays, and which
//! elements rule it out.
//!
//! The trace is renamed so that no variable is assigned twice, as in Table 1: what step n assigns has the instance n.
//! The formulas of its steps are asked of a solver for integers and arrays. If they contradict each other, a minimal
//! part of them tells which elements of arrays matter: those that are read in it, at the indices that the rest of it
//! gives.

use crate::abstraction::{Elements, is_trackable};
use crate::accelerate::Cycle;
use crate::follow::Follower;
use crate::tabulate::Halt;
use crate::trace::{Kind, Taken};
use dashu::integer::IBig;
use engine::{Reason, Run, Step, Trace};
use ir::{Cfa, Op, Program, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Limits, Profile, Smt, Unknown, Z3};
use std::time::Instant;
use term::build::{add, and, eq, implies, int, truth};
use term::subst::substitute;
use term::visit::post_order;
use term::{Op as TermOp, Sort, Term, Value};

/// A part of the formulas that contradicts itself is made smaller by at most so many questions.
const MOST_QUESTIONS: usize = 60;
/// After so many refinements by an array, all its elements that a trace reads are tracked.
const PATIENCE: usize = 3;

/// Of an array of which a trace reads at most so many elements, all are tracked after a first refinement,
const FEW: usize = 32;
/// or at once by a trace that is longer than this.
const SHORT: usize = 200;

/// A step of a trace, renamed.
#[derive(Clone, Debug)]
pub struct Renamed {
    pub taken: Taken,
    /// What is assigned, and what else holds.
    pub pairs: Vec<(Term, Term)>,
    pub condition: Term,
    /// What the step leaves open: the variables as they are named after it.
    pub chosen: Vec<Term>,
    /// The callee's own variables as a call leaves them open.
    pub locals: Vec<(Term, Term)>,
}

impl Renamed {
    /// The formula of the step.
    pub fn formula(&self) -> Term {
        let equal = self.pairs.iter().map(|(variable, value)| eq(*variable, *value));
        and(equal.chain([self.condition]))
    }

    /// Puts in what is known, or tells the elements that rule the step out.
    fn follow(&mut self, follower: &mut Follower) -> Result<(), Elements> {
        if self.taken.is_many() {
            self.chosen.iter().for_each(|variable| follower.lose(*variable));
        }
        self.condition = follower.assume(self.condition)?;
        for (variable, value) in &mut self.pairs {
            *value = follower.assign(*variable, *value);
        }
        Ok(())
    }
}

/// What became of a trace.
pub enum Checked {
    /// It can be executed.
    Feasible(Box<Trace>),
    /// It cannot: elements to track, beside those that are tracked. None if no element rules it out.
    Spurious(Elements),
}

/// The instances of variables at a point of a trace.
struct Names {
    globals: FxHashSet<Term>,
    global: FxHashMap<Term, u32>,
    frames: Vec<FxHashMap<Term, u32>>,
}

impl Names {
    fn instance(&self, variable: Term) -> u32 {
        let map = if self.globals.contains(&variable) { &self.global } else { &self.frames[self.frames.len() - 1] };
        map.get(&variable).copied().unwrap_or(0)
    }

    fn read(&self, term: Term) -> Term {
        substitute(term, |variable| Some(variable.at_instance(self.instance(variable))))
    }

    fn write(&mut self, variable: Term, step: u32) -> Term {
        let last = self.frames.len() - 1;
        let map = if self.globals.contains(&variable) { &mut self.global } else { &mut self.frames[last] };
        map.insert(variable, step);
        variable.at_instance(step)
    }
}

/// The renamed statements of a trace, and their formulas.
pub fn renamed(program: &Program, taken: &[Taken]) -> Result<Vec<Renamed>, Halt> {
    let globals = program.globals.iter().map(|global| global.term).collect();
    let mut names = Names { globals, global: FxHashMap::default(), frames: vec![FxHashMap::default()] };
    let mut steps = Vec::with_capacity(taken.len());
    for (taken, number) in taken.iter().zip(1..) {
        let Ok(cfa) = &program.procedure(taken.procedure).body else {
            return Err(Halt(Reason::Internal("a trace goes through a procedure without a body".into())));
        };
        let mut step = Renamed {
            taken: taken.clone(),
            pairs: Vec::new(),
            condition: truth(),
            chosen: Vec::new(),
            locals: Vec::new(),
        };
        match (&cfa.edge(taken.edge).op, &taken.kind) {
            (_, Kind::Rounds(cycle, more)) => rounds(cfa, cycle, more, number, &mut names, &mut step),
            (Op::Assign(pairs), _) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| names.read(*value)).collect();
                for ((variable, _), value) in pairs.iter().zip(values) {
                    step.pairs.push((names.write(*variable, number), value));
                }
            }
            (Op::Assume(condition), _) => step.condition = names.read(*condition),
            (Op::Havoc(variables), _) => step.chosen.extend(variables.iter().map(|v| names.write(*v, number))),
            (Op::Call { procedure, arguments, .. }, Kind::Call) => {
                let callee = program.procedure(*procedure);
                let values: Vec<Term> = arguments.iter().map(|argument| names.read(*argument)).collect();
                names.frames.push(FxHashMap::default());
                for (parameter, value) in callee.parameters.iter().zip(values) {
                    step.pairs.push((names.write(parameter.term, number), value));
                }
                for own in callee.results.iter().chain(&callee.locals) {
                    step.locals.push((own.term, names.write(own.term, number)));
                }
            }
            (Op::Call { procedure, results, .. }, Kind::Return) => {
                let callee = program.procedure(*procedure);
                let values: Vec<Term> = callee.results.iter().map(|result| names.read(result.term)).collect();
                names.frames.pop();
                for (variable, value) in results.iter().zip(values) {
                    step.pairs.push((names.write(*variable, number), value));
                }
            }
            // Of a procedure without a body nothing is known.
            (Op::Call { results, .. }, Kind::Edge) => {
                step.chosen.extend(results.iter().map(|v| names.write(*v, number)));
            }
            _ => {}
        }
        steps.push(step);
    }
    Ok(steps)
}

/// Adds all that a trace read so far, of each array that has few such elements.
fn add_read(found: &mut Elements, follower: &Follower) {
    let mut read = Elements::new();
    for (array, index) in &follower.read {
        read.entry(*array).or_default().insert(index.clone());
    }
    for (array, indices) in read.into_iter().filter(|(_, indices)| indices.len() <= FEW) {
        found.entry(array).or_default().extend(indices);
    }
}

/// What rounds that are not told one by one assign: sums to what they count, anything to the rest.
fn rounds(cfa: &Cfa, cycle: &Cycle, more: &IBig, number: u32, names: &mut Names, step: &mut Renamed) {
    let counted: Vec<(Term, Term)> = cycle
        .inductive()
        .filter(|(variable, by)| !by.is_zero() && variable.sort() == Sort::int())
        .map(|(variable, by)| {
            let added = int(by.to_big().floor() * more);
            (variable, add(names.read(variable), added))
        })
        .collect();
    let written: FxHashSet<Term> = cycle.steps.iter().flat_map(|(edge, _)| cfa.edge(*edge).op.writes()).collect();
    for variable in written {
        let named = names.write(variable, number);
        match counted.iter().find(|(known, _)| *known == variable) {
            Some((_, value)) => step.pairs.push((named, *value)),
            None => step.chosen.push(named),
        }
    }
}

/// Decides traces of a program.
pub struct Refinement<'a> {
    pub program: &'a Program,
    /// How often each array was refined.
    often: FxHashMap<Term, usize>,
}

impl<'a> Refinement<'a> {
    pub fn new(program: &'a Program) -> Refinement<'a> {
        Refinement { program, often: FxHashMap::default() }
    }

    /// Whether a trace can be executed; if not, which elements to track.
    pub fn check(
        &mut self,
        taken: &[Taken],
        property: PropertyId,
        tracked: &Elements,
        run: &Run,
    ) -> Result<Checked, Halt> {
        let mut steps = renamed(self.program, taken)?;
        let mut follower = Follower::default();
        let new = |(array, index): (&Term, &IBig)| !tracked.get(array).is_some_and(|known| known.contains(index));
        for (step, number) in steps.iter_mut().zip(1..) {
            if let Err(mut found) = step.follow(&mut follower) {
                // The first elements of a short trace are those that it needs.
                if !tracked.is_empty() || number > SHORT {
                    add_read(&mut found, &follower);
                }
                if found.iter().flat_map(|(array, all)| all.iter().map(move |index| (array, index))).any(new) {
                    return Ok(Checked::Spurious(found));
                }
                break;
            }
        }
        if taken.iter().any(Taken::is_many) {
            // Not all rounds were followed: what was read of elements that they may have written matters.
            let mut found = Elements::new();
            for (array, index) in follower.lost {
                found.entry(array).or_default().insert(index);
            }
            return Ok(Checked::Spurious(found));
        }
        let formulas: Vec<Term> = steps.iter().map(Renamed::formula).collect();
        let mut smt = Z3::new(Profile::Incremental);
        smt.set_limits(Limits {
            deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
            memory: run.memory_limit(),
            cancel: run.cancel().flag().into(),
        });
        self.program.axioms.iter().for_each(|axiom| smt.assert(*axiom));
        let label = |number: usize| Term::var(format!("$step{number}").as_str(), Sort::bool());
        let relevant: Vec<usize> = (0..steps.len()).filter(|at| formulas[*at].as_bool() != Some(true)).collect();
        for at in &relevant {
            smt.assert(implies(label(*at), formulas[*at]));
        }
        let labels = |of: &[usize]| of.iter().map(|at| label(*at)).collect::<Vec<Term>>();
        let wanted: Vec<Term> = steps.iter().flat_map(|step| step.chosen.iter().copied()).collect();
        smt.prepare(&wanted);
        match smt.check_assuming(&labels(&relevant)) {
            Answer::Sat => return Ok(Checked::Feasible(Box::new(self.trace(&steps, property, &mut smt)))),
            Answer::Unknown(why) => return Err(undecided(why)),
            Answer::Unsat => {}
        }
        let core = smallest(&mut smt, &relevant, &label)?;
        let found = self.elements(&mut smt, &formulas, &core, &labels, tracked)?;
        Ok(Checked::Spurious(found))
    }

    /// The elements that the formulas of a core read, at the indices that the others give.
    fn elements(
        &mut self,
        smt: &mut Z3,
        formulas: &[Term],
        core: &[usize],
        labels: &dyn Fn(&[usize]) -> Vec<Term>,
        tracked: &Elements,
    ) -> Result<Elements, Halt> {
        let is_reading = |at: &usize| !reads(formulas[*at]).is_empty();
        let Some(last) = core.iter().copied().rev().find(is_reading) else { return Ok(Elements::new()) };
        let rest: Vec<usize> = core.iter().copied().filter(|at| *at != last).collect();
        if !smt.check_assuming(&labels(&rest)).is_sat() {
            return Ok(Elements::new());
        }
        let mut found = Elements::new();
        let mut add = |smt: &mut Z3, at: usize, only: Option<&FxHashSet<Term>>| {
            for (array, index) in reads(formulas[at]) {
                if only.is_none_or(|only| only.contains(&array))
                    && let Some(Value::Int(value)) = smt.value(index)
                    && !tracked.get(&array).is_some_and(|known| known.contains(&value))
                {
                    found.entry(array).or_default().insert(value);
                }
            }
        };
        core.iter().for_each(|at| add(smt, *at, None));
        let of_core: FxHashSet<Term> = core.iter().flat_map(|at| reads(formulas[*at])).map(|(a, _)| a).collect();
        let mut impatient: FxHashSet<Term> = FxHashSet::default();
        for array in &of_core {
            let often = self.often.entry(*array).or_default();
            *often += 1;
            if *often > PATIENCE {
                impatient.insert(*array);
            }
        }
        if !impatient.is_empty() {
            (0..formulas.len()).for_each(|at| add(smt, at, Some(&impatient)));
        }
        if found.is_empty() {
            let mut add = |at: usize| {
                for (array, index) in reads(formulas[at]) {
                    if let Some(Value::Int(value)) = smt.value(index)
                        && !tracked.get(&array).is_some_and(|known| known.contains(&value))
                    {
                        found.entry(array).or_default().insert(value);
                    }
                }
            };
            (0..=core.iter().copied().max().unwrap_or(0)).for_each(&mut add);
        }
        Ok(found)
    }

    /// The execution that the solver's model is.
    fn trace(&self, steps: &[Renamed], property: PropertyId, smt: &mut Z3) -> Trace {
        let entry = self.program.procedure(self.program.entry);
        let own = entry.parameters.iter().chain(&entry.results).chain(&entry.locals);
        let first = self.program.globals.iter().chain(own).map(|variable| variable.term);
        let read = read_at_first(steps);
        let initial = first.filter(|variable| read.contains(variable));
        let initial = initial.filter_map(|variable| Some((variable, smt.value(variable)?))).collect();
        let value = |smt: &mut Z3, term: Term| smt.value(term).or_else(|| Value::zero(term.sort()));
        let mut all = Vec::new();
        for step in steps.iter().filter(|step| step.taken.kind != Kind::Return) {
            let values = step.chosen.iter().filter_map(|chosen| value(smt, *chosen)).collect();
            let locals = step.locals.iter().filter_map(|(own, named)| Some((*own, value(smt, *named)?))).collect();
            let Taken { procedure, edge, .. } = step.taken.clone();
            all.push(Step { thread: 0, procedure, edge, values, locals });
        }
        Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps: all }
    }
}

/// The variables whose first values are read.
fn read_at_first(steps: &[Renamed]) -> FxHashSet<Term> {
    let all = term::free::variables(steps.iter().map(Renamed::formula));
    all.into_iter().filter(|variable| variable.at_instance(0) == *variable).collect()
}

/// The arrays and indices that a renamed formula reads; arrays with their first names.
fn reads(formula: Term) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for term in post_order([formula]) {
        let (TermOp::Select, [array, index]) = (term.op(), term.args()) else { continue };
        if !is_trackable(array.sort()) {
            continue;
        }
        for base in post_order([*array]) {
            if base.is_var() && base.sort() == array.sort() {
                found.push((base.at_instance(0), *index));
            }
        }
    }
    found
}

/// A part of the steps that contradicts itself, and of which none can be left out, as far as questions allow.
fn smallest(smt: &mut Z3, relevant: &[usize], label: &dyn Fn(usize) -> Term) -> Result<Vec<usize>, Halt> {
    let within = |smt: &Z3, of: &[usize]| -> Vec<usize> {
        let core: FxHashSet<Term> = smt.core().iter().copied().collect();
        of.iter().copied().filter(|at| core.contains(&label(*at))).collect()
    };
    let mut core = within(smt, relevant);
    let (mut at, mut questions) = (core.len(), 0);
    while at > 0 && questions < MOST_QUESTIONS {
        at -= 1;
        questions += 1;
        let without: Vec<usize> = core.iter().copied().enumerate().filter(|(n, _)| *n != at).map(|(_, s)| s).collect();
        match smt.check_assuming(&without.iter().map(|at| label(*at)).collect::<Vec<_>>()) {
            Answer::Unsat => {
                core = within(smt, &without);
                at = at.min(core.len());
            }
            Answer::Sat => {}
            Answer::Unknown(why) => return Err(undecided(why)),
        }
    }
    Ok(core)
}

fn undecided(why: Unknown) -> Halt {
    Halt(match why {
        Unknown::Timeout => Reason::Timeout,
        Unknown::Memory => Reason::Memory,
        Unknown::Cancelled => Reason::Cancelled,
        other => Reason::NoProgress(format!("the feasibility of a trace was not decided: {other}")),
    })
}

/// Adds elements to those that are tracked; whether some are new.
pub fn track(tracked: &mut Elements, new: Elements) -> bool {
    let mut grown = false;
    for (array, indices) in new {
        let known = tracked.entry(array).or_default();
        indices.into_iter().for_each(|index: IBig| grown |= known.insert(index));
    }
    grown
}
