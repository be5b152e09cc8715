//! A trace of the Boolean program on the program: an execution, or predicates that exclude it.

use crate::history::reason;
use engine::{Reason, Step, Trace};
use ir::{Cfa, Op, Program, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::atoms::{atoms, equations};
use solver::relax::Relaxation;
use solver::{Interpolator, NoInterpolants, Smt};
use term::build::{and, eq, truth};
use term::subst::substitute;
use term::{Term, Value};

/// The instance that every variable has at first.
const INITIAL: u32 = 1;
/// So many predicates of weakest preconditions are taken at most.
const MOST_CARRIED: usize = 24;

/// The steps of a trace in static single assignment form.
pub struct Path<'a> {
    program: &'a Program,
    steps: Vec<Step>,
    /// One formula for each step.
    parts: Vec<Term>,
    /// For each step, the instances of the variables behind it; others have the first.
    instances: Vec<FxHashMap<Term, u32>>,
}

impl<'a> Path<'a> {
    /// The steps of a trace of the Boolean program that are steps of the program.
    pub fn new(program: &'a Program, trace: &Trace) -> Path<'a> {
        let edges = |step: &Step| program.procedure(step.procedure).body.as_ref().map_or(0, Cfa::edge_count);
        let steps: Vec<Step> =
            trace.steps.iter().filter(|step| (step.edge.0 as usize) < edges(step)).cloned().collect();
        let mut path = Path { program, steps, parts: Vec::new(), instances: Vec::new() };
        let mut now: FxHashMap<Term, u32> = FxHashMap::default();
        for number in 0..path.steps.len() {
            let fresh = number as u32 + INITIAL + 1;
            let part = match path.op(number) {
                Some(Op::Assume(condition)) => at(*condition, &now),
                Some(Op::Assign(pairs)) => {
                    let values: Vec<(Term, Term)> = pairs.iter().map(|(v, value)| (*v, at(*value, &now))).collect();
                    let equation = |(variable, value): (Term, Term)| {
                        now.insert(variable, fresh);
                        eq(variable.at_instance(fresh), value)
                    };
                    and(values.into_iter().map(equation).collect::<Vec<Term>>())
                }
                Some(Op::Havoc(variables)) => {
                    now.extend(variables.iter().map(|variable| (*variable, fresh)));
                    truth()
                }
                _ => truth(),
            };
            path.parts.push(part);
            path.instances.push(now.clone());
        }
        path
    }

    fn op(&self, number: usize) -> Option<&'a Op> {
        let step = self.steps.get(number)?;
        Some(&self.program.procedure(step.procedure).body.as_ref().ok()?.edge(step.edge).op)
    }

    /// The execution, if there is one.
    pub fn execution(&self, smt: &mut dyn Smt, property: PropertyId) -> Result<Option<Trace>, Reason> {
        smt.push();
        self.parts.iter().for_each(|part| smt.assert(*part));
        let answer = smt.check().decided().map_err(reason);
        let trace = matches!(answer, Ok(true)).then(|| self.read_off(smt, property));
        smt.pop();
        answer.map(|_| trace)
    }

    fn read_off(&self, smt: &mut dyn Smt, property: PropertyId) -> Trace {
        let mut initial = Vec::new();
        for variable in term::free::variables(self.parts.iter().copied()) {
            let plain = variable.at_instance(0);
            if variable == plain.at_instance(INITIAL)
                && let Some(value) = smt.value(variable)
            {
                initial.push((plain, value));
            }
        }
        let mut steps = self.steps.clone();
        for (number, step) in steps.iter_mut().enumerate() {
            step.values = match self.op(number) {
                Some(Op::Havoc(variables)) => {
                    let fresh = number as u32 + INITIAL + 1;
                    let value = |v: &Term| smt.value(v.at_instance(fresh)).or_else(|| Value::zero(v.sort()));
                    variables.iter().filter_map(value).collect()
                }
                _ => Vec::new(),
            };
        }
        Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps }
    }

    /// Predicates from interpolants of the steps read over mathematical integers, if they exclude each other that way too.
    pub fn by_integers(&self, interpolator: &mut Interpolator) -> Vec<Term> {
        let mut relaxation = Relaxation::default();
        let Some(parts) = self.parts.iter().map(|part| relaxation.relax(*part)).collect::<Option<Vec<Term>>>() else {
            return Vec::new();
        };
        let Ok(interpolants) = interpolator.interpolate(&parts) else { return Vec::new() };
        let restored = interpolants.into_iter().enumerate().map(|(cut, interpolant)| {
            let restored = atoms(interpolant).into_iter().filter_map(|atom| relaxation.restore(atom));
            restored.filter_map(|atom| self.to_program(atom, cut)).collect()
        });
        let found: Vec<Vec<Term>> = restored.collect();
        equations(&found).into_iter().flatten().collect()
    }

    /// Predicates from interpolants of the steps as they are.
    pub fn by_bits(&self, interpolator: &mut Interpolator) -> Result<Vec<Term>, Reason> {
        match interpolator.interpolate(&self.parts) {
            Ok(interpolants) => {
                let found = interpolants.into_iter().enumerate();
                Ok(found.flat_map(|(cut, interpolant)| self.to_program(interpolant, cut)).flat_map(atoms).collect())
            }
            Err(NoInterpolants::Satisfiable) => Err(Reason::Internal("two solvers disagree on a path".to_string())),
            Err(NoInterpolants::Unknown(_)) => Ok(Vec::new()),
        }
    }

    /// The atoms of assumptions, carried back to where the path begins.
    pub fn by_preconditions(&self) -> Vec<Term> {
        let (mut found, mut carried) = (Vec::new(), Vec::<Term>::new());
        let mut seen = FxHashSet::default();
        for number in (0..self.steps.len()).rev() {
            match self.op(number) {
                Some(Op::Assume(condition)) => carried.extend(atoms(*condition)),
                Some(Op::Assign(pairs)) => {
                    let values: FxHashMap<Term, Term> = pairs.iter().copied().collect();
                    let before = carried.iter().flat_map(|atom| atoms(substitute(*atom, |v| values.get(&v).copied())));
                    carried = before.collect();
                }
                Some(Op::Havoc(variables)) => {
                    carried.retain(|atom| term::free::variables([*atom]).iter().all(|v| !variables.contains(v)));
                }
                _ => continue,
            }
            carried.sort_unstable();
            carried.dedup();
            found.extend(carried.iter().copied().filter(|atom| seen.insert(*atom)));
            if found.len() >= MOST_CARRIED {
                break;
            }
        }
        found
    }

    /// A formula over instances behind a step, as one over program variables.
    fn to_program(&self, formula: Term, step: usize) -> Option<Term> {
        let mut is_visible = true;
        let plain = substitute(formula, |variable| {
            let plain = variable.at_instance(0);
            let expected = self.instances[step].get(&plain).copied().unwrap_or(INITIAL);
            is_visible &= variable == plain.at_instance(expected);
            Some(plain)
        });
        is_visible.then_some(plain)
    }
}

fn at(term: Term, instances: &FxHashMap<Term, u32>) -> Term {
    substitute(term, |variable| Some(variable.at_instance(instances.get(&variable).copied().unwrap_or(INITIAL))))
}
