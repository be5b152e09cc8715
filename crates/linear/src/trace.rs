//! Traces of the abstract program: from an error node back to the first one, with calls made and returned from.

use crate::accelerate::Cycle;
use crate::disjunct::{Disjunct, Expression, Outcome};
use crate::program::Statement;
use crate::tabulate::{From, Halt, NodeId, Table};
use arithmetic::{Rational, Sum};
use dashu::integer::IBig;
use engine::Reason;
use ir::{EdgeId, ProcId};
use sets::Constraint;
use std::rc::Rc;

/// Numbers of rounds are looked for up to two to this.
const MOST_DOUBLINGS: u32 = 24;

/// A move of an abstract execution.
#[derive(Clone, Debug)]
pub enum Move {
    Edge {
        edge: EdgeId,
        outcomes: Rc<[Outcome]>,
    },
    Call {
        edge: EdgeId,
    },
    /// The call at an edge of the caller returns.
    Return {
        edge: EdgeId,
    },
    /// A cycle is taken some times.
    Rounds {
        cycle: Rc<Cycle>,
    },
}

/// A move of a concrete execution, in a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    pub procedure: ProcId,
    pub edge: EdgeId,
    pub kind: Kind,
}

impl Taken {
    /// Whether it stands for many moves.
    pub fn is_many(&self) -> bool {
        matches!(self.kind, Kind::Rounds(..))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Edge,
    Call,
    Return,
    /// So many rounds of a cycle that begins with the edge, which are too many to be told one by one.
    Rounds(Rc<Cycle>, IBig),
}

/// The moves from the start to a node, each with the procedure that the edge is of.
pub fn moves(table: &Table<'_>, node: NodeId) -> Vec<(ProcId, Move)> {
    let mut reversed = Vec::new();
    within(table, node, false, &mut reversed);
    reversed.reverse();
    reversed
}

fn within(table: &Table<'_>, mut node: NodeId, only_here: bool, reversed: &mut Vec<(ProcId, Move)>) {
    loop {
        let procedure = table.nodes[node].procedure;
        match &table.nodes[node].from {
            From::Start => return,
            From::Step { edge, outcomes, .. } => {
                reversed.push((procedure, Move::Edge { edge: *edge, outcomes: outcomes.clone() }));
            }
            From::Enter { .. } if only_here => return,
            From::Enter { node: caller, edge } => {
                reversed.push((table.nodes[*caller].procedure, Move::Call { edge: *edge }));
            }
            From::Return { edge, exit, .. } => {
                reversed.push((procedure, Move::Return { edge: *edge }));
                within(table, *exit, true, reversed);
                reversed.push((procedure, Move::Call { edge: *edge }));
            }
            From::Accelerated { cycle, .. } => reversed.push((procedure, Move::Rounds { cycle: cycle.clone() })),
        }
        match table.nodes[node].from.before() {
            Some(before) => node = before,
            None => return,
        }
    }
}

/// The same moves with cycles taken as often as some valuation of the abstract execution has it. Where that are more
/// moves than allowed, all rounds but the last stay together.
pub fn unrolled(table: &mut Table<'_>, moves: &[(ProcId, Move)], most: usize) -> Result<Vec<Taken>, Halt> {
    let mut rounds = match moves.iter().any(|(_, step)| matches!(step, Move::Rounds { .. })) {
        true => counts(table, moves)?.into_iter(),
        false => Vec::new().into_iter(),
    };
    let mut taken = Vec::new();
    for (procedure, step) in moves {
        let of = |edge: &EdgeId, kind| Taken { procedure: *procedure, edge: *edge, kind };
        match step {
            Move::Edge { edge, .. } => taken.push(of(edge, Kind::Edge)),
            Move::Call { edge } => taken.push(of(edge, Kind::Call)),
            Move::Return { edge } => taken.push(of(edge, Kind::Return)),
            Move::Rounds { cycle } => {
                let more = rounds.next().unwrap_or_default();
                let room = most.saturating_sub(taken.len()) / cycle.steps.len().max(1);
                let often = match usize::try_from(more.clone()) {
                    Ok(more) if more < room => more + 1,
                    _ => {
                        let first = cycle.steps.first().map_or(EdgeId(0), |(edge, _)| *edge);
                        taken.push(of(&first, Kind::Rounds(cycle.clone(), more)));
                        1
                    }
                };
                for _ in 0..often {
                    taken.extend(cycle.steps.iter().map(|(edge, _)| of(edge, Kind::Edge)));
                }
            }
        }
    }
    Ok(taken)
}

/// How often each cycle is taken more than once, in a valuation of the abstract execution.
fn counts(table: &mut Table<'_>, moves: &[(ProcId, Move)]) -> Result<Vec<IBig>, Halt> {
    let lost = || Halt(Reason::NoProgress("an abstract trace with accelerated cycles could not be followed".into()));
    let (_, body) = table.body(table.program.entry)?;
    let mut state = Disjunct::identity(0, body.variables.len());
    // The values of callers are kept in the place of the entry valuation, so that they stay up to date.
    for (procedure, step) in moves {
        let (_, body) = table.body(*procedure)?;
        match step {
            Move::Edge { edge, outcomes } => {
                state = table.once(body, &[(*edge, outcomes.clone())], state)?.ok_or_else(lost)?;
            }
            Move::Rounds { cycle } => state = table.rounds(*procedure, state, cycle)?.ok_or_else(lost)?.0,
            Move::Call { edge } => {
                let Statement::Call { procedure: callee, arguments, .. } = &body.statements[edge.0 as usize] else {
                    return Err(lost());
                };
                let (_, called) = table.body(*callee)?;
                let base = state.stack.len();
                let mut cases = table.values(body, state, arguments)?;
                let (Some(case), true) = (cases.pop(), cases.is_empty()) else { return Err(lost()) };
                state = case;
                (0..body.globals).for_each(|at| drop(state.value(at)));
                let mut values: Vec<Option<Expression>> = state.values[..body.globals].to_vec();
                values.extend(state.stack.drain(base..).map(Some));
                values.resize(called.variables.len(), None);
                let outer = std::mem::replace(&mut state.values, values);
                state.entry.extend(outer);
            }
            Move::Return { edge } => {
                let Statement::Call { procedure: callee, results, .. } = &body.statements[edge.0 as usize] else {
                    return Err(lost());
                };
                let (_, called) = table.body(*callee)?;
                let start = state.entry.len().checked_sub(body.variables.len()).ok_or_else(lost)?;
                let outer: Vec<Option<Expression>> = state.entry.drain(start..).collect();
                let left = std::mem::replace(&mut state.values, outer);
                state.values[..body.globals].clone_from_slice(&left[..body.globals]);
                for (from, to) in called.results.iter().zip(results) {
                    state.values[*to] = left[*from].clone();
                }
            }
        }
    }
    // Few rounds make short traces.
    for at in 0..state.stack.len() {
        for bound in (0..MOST_DOUBLINGS).map(|n| (1i64 << n) - 1) {
            let mut fewer = state.clone();
            let above = state.stack[at].minus(&Sum::constant(Rational::from(bound)));
            if fewer.assume(Constraint::at_most_zero(above)) && !table.arithmetic.is_empty(&fewer)? {
                state = fewer;
                break;
            }
        }
    }
    let model = table.arithmetic.model(&state.constraints)?.ok_or_else(lost)?;
    let value = |symbol| Rational::from(model.get(&symbol).cloned().unwrap_or_default());
    Ok(state.stack.iter().map(|sum| sum.value(value).to_big().floor()).collect())
}
