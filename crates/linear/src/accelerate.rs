//! Acceleration of simple loops: a cycle that only counts is taken any number of times at once. Exact.
//!
//! A cycle is a sequence of edges from a loop's head back to it, with the decisions of all atomic conditions on the
//! way. Its guard is a conjunction of linear constraints, so it is convex. A variable is *inductive* if the cycle
//! adds a constant to it (often zero). If the guard and all that is assigned depend on inductive variables alone,
//! then after j rounds they are `x + j d`, and all rounds could be taken exactly if the first and the last one could.
//! What the other variables are is what the last round makes of them.
//!
//! A cycle is accelerated once it was taken a few times in a row: what needs fewer rounds is followed round by round.

use crate::disjunct::{Disjunct, Outcome};
use crate::expression::Walk;
use crate::program::{Body, Statement};
use crate::tabulate::{From, Halt, NodeId, Table};
use arithmetic::{Rational, Sum};
use ir::{EdgeId, LocId, ProcId};
use rustc_hash::FxHashMap;
use sets::{Constraint, Variable};
use std::rc::Rc;
use term::Term;

/// How often a cycle is taken in a row before it is accelerated.
const ROUNDS: usize = 3;
/// Longer cycles are not.
const MOST_EDGES: usize = 200;

/// A cycle with decisions.
#[derive(PartialEq, Eq, Debug)]
pub struct Cycle {
    pub steps: Vec<(EdgeId, Rc<[Outcome]>)>,
    /// For each variable what a round adds to it; `None` for what is not inductive.
    pub increments: Vec<Option<Rational>>,
    /// The variables.
    variables: Vec<Term>,
}

impl Cycle {
    /// The variables to which a round adds a constant, and the constant.
    pub fn inductive(&self) -> impl Iterator<Item = (Term, &Rational)> {
        let pairs = self.variables.iter().zip(&self.increments);
        pairs.filter_map(|(variable, by)| Some((*variable, by.as_ref()?)))
    }
}

/// The cycles of each head that can be accelerated.
#[derive(Default)]
pub struct Accelerations {
    cycles: FxHashMap<(ProcId, LocId), Vec<Rc<Cycle>>>,
    /// Those that cannot.
    refused: Vec<(ProcId, Steps)>,
}

type Steps = Vec<(EdgeId, Rc<[Outcome]>)>;

impl Table<'_> {
    /// What many rounds of the cycles at a head make of a node there.
    pub fn accelerated(&mut self, node: NodeId) -> Result<Vec<(Disjunct, Rc<Cycle>)>, Halt> {
        let (procedure, head) = (self.nodes[node].procedure, self.nodes[node].location);
        self.learn(node)?;
        let cycles = self.accelerations.cycles.get(&(procedure, head)).cloned().unwrap_or_default();
        let mut all = Vec::new();
        for cycle in cycles {
            let is_same = |of: &From| matches!(of, From::Accelerated { cycle: known, .. } if *known == cycle);
            if is_same(&self.nodes[node].from) {
                continue;
            }
            if let Some(many) = self.many_rounds(procedure, node, &cycle)? {
                all.push((many, cycle));
            }
        }
        Ok(all)
    }

    /// The steps from the node before at the same head, and that node.
    fn round(&self, node: NodeId) -> Option<(Steps, NodeId)> {
        let (procedure, head) = (self.nodes[node].procedure, self.nodes[node].location);
        let mut steps = Vec::new();
        let mut at = node;
        while steps.len() < MOST_EDGES {
            let From::Step { node: before, edge, outcomes } = &self.nodes[at].from else { return None };
            steps.push((*edge, outcomes.clone()));
            at = *before;
            if (self.nodes[at].procedure, self.nodes[at].location) == (procedure, head) {
                steps.reverse();
                return Some((steps, at));
            }
        }
        None
    }

    /// Looks whether a node came by a cycle that can be accelerated from now on.
    fn learn(&mut self, node: NodeId) -> Result<(), Halt> {
        let (procedure, head) = (self.nodes[node].procedure, self.nodes[node].location);
        let Some((steps, mut before)) = self.round(node) else { return Ok(()) };
        let known = self.accelerations.cycles.get(&(procedure, head));
        if known.is_some_and(|known| known.iter().any(|cycle| cycle.steps == steps))
            || self.accelerations.refused.iter().any(|(of, known)| *of == procedure && *known == steps)
        {
            return Ok(());
        }
        for _ in 1..ROUNDS {
            match self.round(before) {
                Some((earlier, node)) if earlier == steps => before = node,
                _ => return Ok(()),
            }
        }
        match self.increments(procedure, &steps)? {
            Some(increments) => {
                let variables = self.body(procedure)?.1.variables.clone();
                let cycle = Rc::new(Cycle { steps, increments, variables });
                self.accelerations.cycles.entry((procedure, head)).or_default().push(cycle);
            }
            None => self.accelerations.refused.push((procedure, steps)),
        }
        Ok(())
    }

    /// What a round adds to each variable, if the cycle can be accelerated: one round from any values.
    fn increments(
        &mut self,
        procedure: ProcId,
        steps: &[(EdgeId, Rc<[Outcome]>)],
    ) -> Result<Option<Vec<Option<Rational>>>, Halt> {
        let (_, body) = self.body(procedure)?;
        let count = body.variables.len();
        let mut any = Disjunct::identity(count, count);
        any.entry.clear();
        any.stack = any.values.iter().flatten().cloned().collect();
        let Some(after) = self.once(body, steps, any)? else { return Ok(None) };
        let before = &after.stack[..count];
        let difference = |at: usize| {
            let sum = after.values[at].as_ref()?.minus(&before[at]);
            sum.columns.is_empty().then_some(sum.constant)
        };
        let increments: Vec<Option<Rational>> = (0..count).map(difference).collect();
        // The guard, over the values before the round alone.
        let mut guard = after.clone();
        guard.values.clear();
        guard.entry = before.iter().cloned().map(Some).collect();
        if !guard.eliminated() {
            return Ok(None);
        }
        let first = |symbol: Variable| (symbol as usize) < count;
        let guarded: Vec<Variable> = symbols(guard.constraints.iter().map(|c| &c.sum)).collect();
        if !guarded.iter().copied().all(first) || !symbols(before.iter()).all(first) {
            return Ok(None);
        }
        // Nothing may depend on what is not inductive.
        for at in (0..count).filter(|at| increments[*at].is_none()) {
            let own = at as Variable;
            let is_read = |sum: &Sum<Variable>| !sum.factor(own).is_zero();
            let elsewhere = before.iter().enumerate().any(|(other, sum)| other != at && is_read(sum));
            let assigned = (0..count).filter(|at| increments[*at].is_none());
            if before[at] != Sum::column(own)
                || guarded.contains(&own)
                || elsewhere
                || assigned.into_iter().any(|at| after.values[at].as_ref().is_some_and(is_read))
            {
                return Ok(None);
            }
        }
        Ok(increments.iter().flatten().any(|by| !by.is_zero()).then_some(increments))
    }

    /// What one or more rounds make of a node, with a symbol for their number.
    fn many_rounds(&mut self, procedure: ProcId, node: NodeId, cycle: &Cycle) -> Result<Option<Disjunct>, Halt> {
        let before = self.nodes[node].disjunct.as_ref().clone();
        let rounds = self.rounds(procedure, before, cycle)?;
        Ok(rounds.map(|(mut disjunct, _)| {
            disjunct.stack.clear();
            disjunct
        }))
    }

    /// The same for any disjunct; the number of rounds but one is on the top of the stack, and a number behind it if
    /// it is known.
    pub fn rounds(
        &mut self,
        procedure: ProcId,
        mut before: Disjunct,
        cycle: &Cycle,
    ) -> Result<Option<(Disjunct, usize)>, Halt> {
        let (_, body) = self.body(procedure)?;
        let base = before.stack.len();
        for at in 0..body.variables.len() {
            let sum = before.value(at);
            before.stack.push(sum);
        }
        let Some(mut first) = self.once(body, &cycle.steps, before)? else { return Ok(None) };
        let more = first.fresh();
        for (at, increment) in cycle.increments.iter().enumerate() {
            first.values[at] = increment.as_ref().map(|by| first.stack[base + at].plus(&more.times(by)));
        }
        first.stack.truncate(base);
        first.stack.push(more.clone());
        if !first.assume(Constraint::at_most_zero(more.times(&Rational::from(-1)))) {
            return Ok(None);
        }
        let last = self.once(body, &cycle.steps, first)?;
        Ok(last.map(|last| (last, base)))
    }

    /// One round with the cycle's decisions. What is on the stack stays there.
    pub fn once(
        &mut self,
        body: &Body,
        steps: &[(EdgeId, Rc<[Outcome]>)],
        mut disjunct: Disjunct,
    ) -> Result<Option<Disjunct>, Halt> {
        for (edge, outcomes) in steps {
            let mut walk = Walk {
                positions: &body.positions,
                arithmetic: &mut self.arithmetic,
                oracle: Some(outcomes.clone()),
                approximated: 0,
            };
            let mut cases = match &body.statements[edge.0 as usize] {
                Statement::Skip => vec![disjunct],
                Statement::Assign(pairs) => walk.assign(disjunct, pairs)?,
                Statement::Condition(condition) => walk.condition(disjunct, *condition, true)?,
                Statement::Call { .. } | Statement::Unsupported(_) => return Ok(None),
            };
            // Decisions that are told leave one way.
            match (cases.pop(), cases.is_empty()) {
                (Some(one), true) => disjunct = one,
                _ => return Ok(None),
            }
            disjunct.outcomes.clear();
            disjunct.known.clear();
        }
        Ok(Some(disjunct))
    }
}

fn symbols<'a>(sums: impl Iterator<Item = &'a Sum<Variable>>) -> impl Iterator<Item = Variable> {
    sums.flat_map(|sum| sum.columns.iter().map(|(symbol, _)| *symbol))
}
