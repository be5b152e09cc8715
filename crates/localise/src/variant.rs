//! Programs that differ from the one that was executed, and their executions.
//!
//! A correction is executed by an *angelic* variant: where it changes a value, an edge before chooses it; where it
//! changes a branch, edges lead to all targets. Edges keep their numbers, so that inputs find the places that ask for
//! them.

use crate::correct::Change;
use crate::inputs::{Angel, Fork, Given, Inputs};
use crate::trace::{Slot, Trace};
use ir::interp::{At, End, Interpreter, Limits, NoHost, Observer, State};
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::time::Instant;
use term::visit::{bottom_up, map_children};
use term::{Op as TermOp, Term, Value, build};

/// What became of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Violated,
    /// It ended well, and came to the violated condition so often.
    Ended {
        checks: u64,
        path: u64,
    },
    /// Something else: it does not end in time, or nothing is known of it.
    Other,
}

/// The place of the condition that was violated.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub procedure: ProcId,
    pub location: LocId,
}

/// How long executions may become.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub steps: u64,
    pub deadline: Option<Instant>,
}

struct Visits<'a> {
    program: &'a Program,
    check: Check,
    count: u64,
    path: FxHasher,
}

impl Observer for Visits<'_> {
    fn edge(&mut self, at: &At, _: &State) {
        (at.procedure, at.edge).hash(&mut self.path);
        if at.procedure == self.check.procedure
            && let (Some(id), Ok(cfa)) = (at.edge, &self.program.procedure(at.procedure).body)
        {
            self.count += u64::from(cfa.edge(id).from == self.check.location);
        }
    }
}

/// Executes a program with these inputs.
pub fn execute(program: &Program, inputs: &Inputs, angel: Angel, check: Check, patience: Patience) -> Fate {
    let limits = Limits {
        steps: patience.steps,
        deadline: patience.deadline,
        one_by_one: true,
        call_depth: 10_000,
        room: true,
        ..Limits::default()
    };
    let mut visits = Visits { program, check, count: 0, path: FxHasher::default() };
    let outcome =
        Interpreter::new(program).run(&mut Given::new(inputs, angel), &mut NoHost, &limits, Some(&mut visits));
    match outcome.end {
        End::Violated(_) => Fate::Violated,
        End::Finished(_) | End::Ended if outcome.beyond.is_none() => {
            Fate::Ended { checks: visits.count, path: visits.path.finish() }
        }
        _ => Fate::Other,
    }
}

/// The automaton of one procedure, while it is changed.
struct Workshop {
    procedure: ProcId,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    ends: (LocId, LocId),
}

impl Workshop {
    fn new(program: &Program, procedure: ProcId) -> Option<Workshop> {
        let cfa: Cfa = program.procedure(procedure).body.as_ref().ok()?.clone();
        let (locations, edges, entry, exit) = cfa.into_parts();
        Some(Workshop { procedure, locations, edges, ends: (entry, exit) })
    }

    fn location(&mut self) -> LocId {
        self.locations.push(Location { kind: LocationKind::Plain, label: None, place: None });
        LocId(self.locations.len() as u32 - 1)
    }

    fn edge(&mut self, from: LocId, op: Op, to: LocId) -> EdgeId {
        self.edges.push(Edge { from, to, op, place: None });
        EdgeId(self.edges.len() as u32 - 1)
    }

    fn finish(self, program: &mut Program) {
        let cfa = Cfa::new(self.locations, self.edges, self.ends.0, self.ends.1);
        program.procedures[self.procedure.0 as usize].body = Ok(cfa);
    }
}

/// The program that chooses what a correction changes, and who chooses it.
pub fn angelic(program: &Program, trace: &Trace, changes: &[Change]) -> Option<(Program, Angel)> {
    let mut variant = program.clone();
    let mut angel = Angel::default();
    for change in changes {
        match change {
            Change::Flip(number) => flip(&mut variant, &mut angel, trace, *number, false)?,
            Change::FlipOn(number) => flip(&mut variant, &mut angel, trace, *number, true)?,
            Change::Value(..) => {}
        }
    }
    let mut values: FxHashMap<(ProcId, EdgeId, Slot), Vec<(u32, Value)>> = FxHashMap::default();
    for change in changes {
        let Change::Value(number, value) = change else { continue };
        let definition = &trace.definitions[*number];
        let site = (definition.procedure, definition.edge, definition.slot);
        values.entry(site).or_default().push((definition.occurrence, value.clone()));
    }
    let mut sites: Vec<_> = values.into_iter().collect();
    sites.sort_by_key(|(site, _)| *site);
    for ((procedure, edge, slot), values) in sites {
        replace(&mut variant, &mut angel, procedure, edge, slot, values)?;
    }
    Some((variant, angel))
}

/// Lets a branch go another way at the visit of a decision.
fn flip(program: &mut Program, angel: &mut Angel, trace: &Trace, number: usize, goes_on: bool) -> Option<()> {
    let decision = &trace.decisions[number];
    let (procedure, location) = (decision.procedure, decision.location);
    let fork = match angel.forks.get_mut(&(procedure, location)) {
        Some(fork) => fork,
        None => {
            let mut shop = Workshop::new(program, procedure)?;
            let inner = shop.location();
            let mut targets = Vec::new();
            for edge in shop.edges.iter_mut().filter(|edge| edge.from == location) {
                edge.from = inner;
                targets.push(edge.to);
            }
            let usual = shop.edge(location, Op::skip(), inner);
            for target in targets {
                shop.edge(location, Op::skip(), target);
            }
            shop.finish(program);
            angel.forks.entry((procedure, location)).or_insert(Fork {
                usual,
                others: FxHashMap::default(),
                later: None,
            })
        }
    };
    let cfa = program.procedure(procedure).body.as_ref().ok()?;
    let target = cfa.edge(decision.taken).to;
    let other = cfa.outgoing(location).iter().copied().find(|id| *id != fork.usual && cfa.edge(*id).to != target)?;
    match goes_on {
        true => fork.later = Some((decision.occurrence, other)),
        false => drop(fork.others.insert(decision.occurrence, other)),
    }
    Some(())
}

/// Lets an edge before this one choose what this one gives, at some of its executions.
fn replace(
    program: &mut Program,
    angel: &mut Angel,
    procedure: ProcId,
    edge: EdgeId,
    slot: Slot,
    values: Vec<(u32, Value)>,
) -> Option<()> {
    let sort = values.first()?.1.sort();
    let declared = &mut program.procedures[procedure.0 as usize];
    let variable = Variable::internal(format!("{}::$angel{}", declared.name, declared.locals.len()).as_str(), sort);
    let chosen = variable.term;
    declared.locals.push(variable);
    let mut shop = Workshop::new(program, procedure)?;
    let Edge { from, op, .. } = shop.edges[edge.0 as usize].clone();
    let (computed, op) = with_chosen(op, slot, chosen)?;
    let (before, after) = (shop.location(), shop.location());
    shop.edge(from, Op::assign(chosen, computed), before);
    let usual = shop.edge(before, Op::skip(), after);
    let other = shop.edge(before, Op::Havoc(vec![chosen]), after);
    shop.edges[edge.0 as usize] = Edge { from: after, op, ..shop.edges[edge.0 as usize].clone() };
    shop.finish(program);
    let mut values = values;
    values.sort_by_key(|(occurrence, _)| *occurrence);
    let others = values.iter().map(|(occurrence, _)| (*occurrence, other)).collect();
    angel.forks.insert((procedure, before), Fork { usual, others, later: None });
    let values = values.into_iter().map(|(_, value)| value).collect();
    angel.values.insert((procedure, other, chosen), values);
    Some(())
}

/// The operation with a variable in the place of what it computes, and that.
fn with_chosen(op: Op, slot: Slot, chosen: Term) -> Option<(Term, Op)> {
    match (op, slot) {
        (Op::Assign(mut pairs), Slot::Target(number)) => {
            let value = &mut pairs.get_mut(number as usize)?.1;
            let computed = match (value.op(), value.args()) {
                (TermOp::MemStore, [memory, at, stored]) => {
                    *value = build::mem_store(*memory, *at, chosen);
                    *stored
                }
                _ => std::mem::replace(value, chosen),
            };
            Some((computed, Op::Assign(pairs)))
        }
        (Op::Assign(mut pairs), Slot::Address(number)) => {
            let value = &mut pairs.get_mut(number as usize)?.1;
            let (TermOp::MemStore, [memory, at, stored]) = (value.op(), value.args()) else { return None };
            *value = build::mem_store(*memory, chosen, *stored);
            Some((*at, Op::Assign(pairs)))
        }
        (Op::Call { procedure, mut arguments, results }, Slot::Argument(number)) => {
            let computed = std::mem::replace(arguments.get_mut(number as usize)?, chosen);
            Some((computed, Op::Call { procedure, arguments, results }))
        }
        _ => None,
    }
}

/// Puts a term in the place of another one in some edges of a procedure, which keeps its old body otherwise: that is
/// given back.
pub fn rewrite(program: &mut Program, procedure: ProcId, edges: &[EdgeId], from: Term, to: Term) -> Option<Cfa> {
    let old = program.procedure(procedure).body.as_ref().ok()?.clone();
    let mut shop = Workshop::new(program, procedure)?;
    for id in edges {
        let edge = &mut shop.edges[id.0 as usize];
        let mut memo = FxHashMap::default();
        let mut new = |term: Term| {
            bottom_up(term, &mut memo, |part, known| match part == from {
                true => to,
                false => map_children(part, |child| known[&child]),
            })
        };
        edge.op = match &edge.op {
            Op::Assign(pairs) => Op::Assign(pairs.iter().map(|(variable, value)| (*variable, new(*value))).collect()),
            Op::Assume(condition) => Op::Assume(new(*condition)),
            Op::Call { procedure, arguments, results } => {
                let arguments = arguments.iter().map(|argument| new(*argument)).collect();
                Op::Call { procedure: *procedure, arguments, results: results.clone() }
            }
            other => other.clone(),
        };
    }
    shop.finish(program);
    Some(old)
}

/// Lets an edge call another procedure. The old body is given back.
pub fn redirect(program: &mut Program, procedure: ProcId, edge: EdgeId, callee: ProcId) -> Option<Cfa> {
    let old = program.procedure(procedure).body.as_ref().ok()?.clone();
    let mut shop = Workshop::new(program, procedure)?;
    let Op::Call { procedure: called, .. } = &mut shop.edges.get_mut(edge.0 as usize)?.op else { return None };
    *called = callee;
    shop.finish(program);
    Some(old)
}
