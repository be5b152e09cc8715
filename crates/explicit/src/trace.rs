//! The execution along a way to a violation, with values from a solver.

use engine::{Reason, Run, Step, Trace};
use ir::{Cfa, EdgeId, Op, ProcId, PropertyId};
use rustc_hash::FxHashMap;
use solver::{Limits, Profile, Smt, Z3};
use std::time::Instant;
use term::subst::substitute;
use term::{Term, Value};

/// A way as conditions on what it starts with and what is chosen on it.
pub struct Path {
    conditions: Vec<Term>,
    /// Variables that are read before they are written, and what they are at first.
    initial: Vec<(Term, Term)>,
    /// What each edge chooses.
    chosen: Vec<Vec<Term>>,
}

impl Path {
    /// The way from where something is known of variables.
    pub fn new(cfa: &Cfa, way: &[EdgeId], known: Vec<Term>) -> Path {
        let mut path = Path { conditions: Vec::new(), initial: Vec::new(), chosen: Vec::new() };
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        known.into_iter().for_each(|condition| path.assume(condition, &mut now));
        for (number, edge) in way.iter().enumerate() {
            let mut inputs = Vec::new();
            match &cfa.edge(*edge).op {
                Op::Assign(pairs) => {
                    let values: Vec<(Term, Term)> =
                        pairs.iter().map(|(variable, value)| (*variable, path.read(*value, &mut now))).collect();
                    now.extend(values);
                }
                Op::Assume(condition) => path.assume(*condition, &mut now),
                Op::Havoc(variables) => {
                    for variable in variables {
                        let input = variable.at_instance(number as u32 + 2);
                        inputs.push(input);
                        now.insert(*variable, input);
                    }
                }
                Op::AtomicBegin | Op::AtomicEnd | Op::Call { .. } | Op::Spawn { .. } => {}
            }
            path.chosen.push(inputs);
        }
        path
    }

    fn assume(&mut self, condition: Term, now: &mut FxHashMap<Term, Term>) {
        let condition = self.read(condition, now);
        if condition.as_bool() != Some(true) {
            self.conditions.push(condition);
        }
    }

    fn read(&mut self, term: Term, now: &mut FxHashMap<Term, Term>) -> Term {
        substitute(term, |variable| {
            Some(*now.entry(variable).or_insert_with(|| {
                self.initial.push((variable, variable.at_instance(1)));
                variable.at_instance(1)
            }))
        })
    }

    /// A solver with values for the path, if there are any.
    pub fn solved(&self, run: &Run) -> Result<Option<Z3>, Reason> {
        let mut smt = Z3::new(Profile::Incremental);
        smt.set_limits(Limits {
            deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
            memory: run.memory_limit(),
            cancel: run.cancel().flag().into(),
        });
        self.conditions.iter().for_each(|condition| smt.assert(*condition));
        Ok(smt.check().decided().map_err(unknown)?.then_some(smt))
    }
}

/// The execution along a way from the entry, if there is one.
pub fn trace(
    cfa: &Cfa,
    procedure: ProcId,
    property: PropertyId,
    way: &[EdgeId],
    run: &Run,
) -> Result<Option<Trace>, Reason> {
    let path = Path::new(cfa, way, Vec::new());
    let Some(mut smt) = path.solved(run)? else { return Ok(None) };
    let mut value = |symbol: Term| smt.value(symbol).or_else(|| Value::zero(symbol.sort()));
    let initial = path.initial.into_iter().filter_map(|(variable, symbol)| Some((variable, value(symbol)?))).collect();
    let steps = way.iter().zip(path.chosen).map(|(edge, inputs)| Step {
        thread: 0,
        procedure,
        edge: *edge,
        values: inputs.into_iter().filter_map(&mut value).collect(),
        locals: Vec::new(),
    });
    let steps = steps.collect();
    Ok(Some(Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps }))
}

fn unknown(why: solver::Unknown) -> Reason {
    match why {
        solver::Unknown::Timeout => Reason::Timeout,
        solver::Unknown::Memory => Reason::Memory,
        solver::Unknown::Cancelled => Reason::Cancelled,
        other => Reason::NoProgress(format!("whether a violation is possible was not decided: {other}")),
    }
}
