//! The same question with binary decision diagrams, as BEBOP and MOPED answer it: for each vector of program counters the set of
//! its states is one diagram, and steps are computed on diagrams. What the parametric representation is compared with.
//!
//! There is no reduction, no trace and no proof: only the answer and how many vectors there are.

use crate::code::{Code, Slot};
use engine::{Reason, Run};
use ir::{LocationKind, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds, Full};
use term::{Op as TermOp, Term};

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    pub is_violated: bool,
    pub vectors: usize,
}

/// Program counters; threads that are over keep their places, so that a place has the same variables for ever.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Vector {
    threads: Vec<(ProcId, ir::LocId)>,
    atomic: Option<(usize, u32)>,
}

impl From<Full> for Stop {
    fn from(_: Full) -> Stop {
        Stop(Reason::Memory)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop(reason)
    }
}

/// Why there is no answer.
struct Stop(Reason);

/// Computes the states of a program without calls that has only Booleans.
pub fn reach(program: &Program, run: &mut Run) -> Result<Reached, Reason> {
    let code = Code::new(program)?;
    let mut diagrams = Diagrams { code: &code, bdds: Bdds::new(), numbers: FxHashMap::default() };
    diagrams.reach(run).map_err(|Stop(reason)| reason)
}

/// A variable of a diagram: one that threads share, one of a thread at a place, or one that holds a value for a moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Variable {
    Shared(usize),
    Own(usize, usize),
    Spare(usize),
}

struct Diagrams<'a> {
    code: &'a Code<'a>,
    bdds: Bdds,
    numbers: FxHashMap<Variable, u32>,
}

impl Diagrams<'_> {
    fn reach(&mut self, run: &mut Run) -> Result<Reached, Stop> {
        let code = self.code;
        let entry = code.program.entry;
        let first = Vector { threads: vec![(entry, code.graph(entry).cfa.entry())], atomic: None };
        let mut reached: FxHashMap<Vector, Bdd> = FxHashMap::default();
        let mut pending: Vec<(Vector, Bdd)> = vec![(first, self.bdds.constant(true))];
        while let Some((vector, new)) = pending.pop() {
            run.tick()?;
            let new = self.active(&vector, &new)?;
            let known = reached.get(&vector).cloned().unwrap_or_else(|| self.bdds.constant(false));
            if new.entails(&known)? {
                continue;
            }
            reached.insert(vector.clone(), known.or(&new)?);
            let mut ends = false;
            for (procedure, location) in &vector.threads {
                match code.graph(*procedure).cfa.location(*location).kind {
                    LocationKind::Error(_) => return Ok(Reached { is_violated: true, vectors: reached.len() }),
                    LocationKind::Unsupported(what) => return Err(Reason::Unsupported { what, place: None }.into()),
                    LocationKind::Plain | LocationKind::End => ends |= code.ends_program(*procedure, *location),
                }
            }
            for place in (0..vector.threads.len()).filter(|_| !ends) {
                if vector.atomic.is_none_or(|(holder, _)| holder == place) {
                    self.successors(&vector, place, &new, &mut pending)?;
                }
            }
        }
        Ok(Reached { is_violated: false, vectors: reached.len() })
    }

    fn successors(
        &mut self,
        vector: &Vector,
        place: usize,
        states: &Bdd,
        pending: &mut Vec<(Vector, Bdd)>,
    ) -> Result<(), Stop> {
        let (procedure, location) = vector.threads[place];
        for id in &self.code.point(procedure, location).edges {
            let edge = self.code.edge(procedure, *id);
            let mut next = vector.clone();
            next.threads[place].1 = edge.to;
            let mut after = states.clone();
            match &edge.op {
                Op::Assume(condition) => after = after.and(&self.function(procedure, place, *condition)?)?,
                Op::Havoc(variables) => {
                    let variables: Vec<Variable> =
                        variables.iter().filter_map(|v| self.variable(procedure, place, *v)).collect();
                    after = self.forget(&after, &variables)?;
                }
                Op::Assign(pairs) => {
                    let targets = pairs.iter().map(|(target, _)| self.variable(procedure, place, *target));
                    let targets: Vec<Option<Variable>> = targets.collect();
                    let values = pairs.iter().map(|(_, value)| self.function(procedure, place, *value));
                    let values = values.collect::<Result<Vec<Bdd>, Stop>>()?;
                    after = self.assign(after, &targets, values)?;
                }
                Op::Spawn { procedure: started, arguments, .. } => {
                    let new = next.threads.len();
                    next.threads.push((*started, self.code.graph(*started).cfa.entry()));
                    let parameters = self.code.graph(*started).parameters.iter();
                    let targets: Vec<Option<Variable>> = parameters.map(|n| Some(Variable::Own(new, *n))).collect();
                    let values = arguments.iter().map(|value| self.function(procedure, place, *value));
                    let values = values.collect::<Result<Vec<Bdd>, Stop>>()?;
                    after = self.assign(after, &targets, values)?;
                }
                Op::AtomicBegin => next.atomic = Some((place, vector.atomic.map_or(1, |(_, depth)| depth + 1))),
                Op::AtomicEnd => {
                    next.atomic = vector.atomic.and_then(|(holder, depth)| (depth > 1).then(|| (holder, depth - 1)));
                }
                Op::Call { .. } => return Err(Reason::Internal("a call is left".to_string()).into()),
            }
            // A thread that returns from an atomic section leaves it.
            if edge.to == self.code.graph(procedure).cfa.exit()
                && next.atomic.is_some_and(|(holder, _)| holder == place)
            {
                next.atomic = None;
            }
            if !after.is_false() {
                pending.push((next, after));
            }
        }
        Ok(())
    }

    /// The variables take the values that the functions had before, all at once.
    fn assign(&mut self, states: Bdd, targets: &[Option<Variable>], values: Vec<Bdd>) -> Result<Bdd, Stop> {
        let mut after = states;
        let (mut old, mut spare) = (Vec::new(), Vec::new());
        for (number, (target, value)) in targets.iter().zip(values).enumerate() {
            if let Some(target) = target {
                old.push(*target);
                spare.push(Variable::Spare(number));
                after = after.and(&self.same(Variable::Spare(number), &value)?)?;
            }
        }
        after = self.forget(&after, &old)?;
        for (target, spare) in old.iter().zip(&spare) {
            let value = self.diagram(*spare)?;
            after = after.and(&self.same(*target, &value)?)?;
        }
        self.forget(&after, &spare)
    }

    /// Where a variable has the value of a function.
    fn same(&mut self, variable: Variable, value: &Bdd) -> Result<Bdd, Stop> {
        let variable = self.diagram(variable)?;
        Ok(variable.and(value)?.or(&variable.not()?.and(&value.not()?)?)?)
    }

    fn forget(&mut self, states: &Bdd, variables: &[Variable]) -> Result<Bdd, Stop> {
        let mut cube = self.bdds.constant(true);
        for variable in variables {
            cube = cube.and(&self.diagram(*variable)?)?;
        }
        Ok(states.exists(&cube)?)
    }

    /// The states without the values that nobody reads any more.
    fn active(&mut self, vector: &Vector, states: &Bdd) -> Result<Bdd, Stop> {
        let code = self.code;
        let points: Vec<_> =
            vector.threads.iter().map(|(procedure, location)| code.point(*procedure, *location)).collect();
        let inactive = |variable: &Variable| match *variable {
            Variable::Shared(number) => !points.iter().any(|point| point.shared_active.contains(number)),
            Variable::Own(place, number) => points.get(place).is_some_and(|point| !point.own_active.contains(number)),
            Variable::Spare(_) => false,
        };
        let inactive: Vec<Variable> = self.numbers.keys().filter(|variable| inactive(variable)).copied().collect();
        self.forget(states, &inactive)
    }

    fn variable(&self, procedure: ProcId, place: usize, variable: Term) -> Option<Variable> {
        self.code.graph(procedure).slots.get(&variable).map(|slot| match slot {
            Slot::Shared(number) => Variable::Shared(*number),
            Slot::Own(number) => Variable::Own(place, *number),
        })
    }

    /// The diagram of a variable. They come in the order in which they are met.
    fn diagram(&mut self, variable: Variable) -> Result<Bdd, Stop> {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(variable).or_insert(next);
        Ok(self.bdds.variable(number)?)
    }

    fn function(&mut self, procedure: ProcId, place: usize, term: Term) -> Result<Bdd, Stop> {
        let parts = term.args().iter().map(|part| self.function(procedure, place, *part));
        let parts = parts.collect::<Result<Vec<Bdd>, Stop>>()?;
        Ok(match term.op() {
            TermOp::Var { .. } => match self.variable(procedure, place, term) {
                Some(variable) => self.diagram(variable)?,
                None => self.bdds.constant(false),
            },
            TermOp::Const(value) => self.bdds.constant(value.as_bool() == Some(true)),
            TermOp::Not => parts[0].not()?,
            TermOp::And => parts.iter().try_fold(self.bdds.constant(true), |all, part| all.and(part))?,
            TermOp::Or => parts.iter().try_fold(self.bdds.constant(false), |any, part| any.or(part))?,
            TermOp::Implies => parts[0].not()?.or(&parts[1])?,
            TermOp::Xor => parts[0].and(&parts[1].not()?)?.or(&parts[0].not()?.and(&parts[1])?)?,
            TermOp::Eq => parts[0].and(&parts[1])?.or(&parts[0].not()?.and(&parts[1].not()?)?)?,
            // Programs with other operators than the choice are refused before.
            _ => parts[0].and(&parts[1])?.or(&parts[0].not()?.and(&parts[2])?)?,
        })
    }
}
