//! Looks for correction sets, executes them, and ranks them.

use crate::correct::{Change, Formula};
use crate::inputs::{Angel, Inputs};
use crate::mutate::{Edit, Mutant, mutants};
use crate::trace::{Slot, Trace};
use crate::variant::{Check, Fate, Patience, angelic, execute, redirect, rewrite};
use crate::{Cause, Limits, Localised, Repair, Suspect, Was};
use faults::Fault;
use ir::{EdgeId, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use source::Place;
use std::cmp::Reverse;
use std::time::Instant;
use term::visit::post_order;
use term::{Bv, Op as TermOp, Term, Value};

/// How many sets are reported.
const MOST: usize = 3;
/// How many executions with other inputs judge a change.
const NEIGHBOURS: u64 = 50;
/// How much longer than the execution a changed one may be.
const LONGER: u64 = 4;
/// What a unit of the cost of a change counts, so that other costs can be finer.
const UNIT: u32 = 10;
/// What a change costs beyond itself that sends all executions without a violation another way.
const MOST_DISTURBANCE: u32 = 3;
/// What a change costs beyond itself in a function that the assertion calls: it is rather what says what is right.
const IN_ASSERTION: u32 = UNIT;
/// What a change costs beyond itself that avoids an assertion.
const UNREACHED: u32 = 2 * UNIT;
/// How many other variables and constants of a procedure a change may put in.
const OTHERS: usize = 12;

pub struct Search<'a> {
    program: &'a Program,
    trace: &'a Trace,
    inputs: &'a Inputs,
    limits: &'a Limits,
    check: Check,
    /// What is violated is an assertion.
    is_assertion: bool,
    patience: Patience,
    /// What executions with other inputs do.
    neighbours: Vec<(Inputs, Fate)>,
}

/// What is known of a changed program that has no violation.
struct Judged {
    /// How many executions with other inputs it has.
    others: u64,
    checks: u64,
    /// What speaks against it: it changes what executions without a violation do, or it does not come to the assertion.
    penalty: u32,
}

/// A small change that is tried.
struct Attempt {
    /// The number of the candidate.
    of: usize,
    procedure: ProcId,
    edges: Vec<EdgeId>,
    change: Rewriting,
    cost: u32,
    edit: Edit,
}

/// What is changed in edges.
enum Rewriting {
    /// A term, and what takes its place.
    Term(Term, Term),
    Callee(ProcId),
}

/// A set that was executed, or a statement that has a repair.
struct Found {
    groups: Vec<usize>,
    changes: Vec<Change>,
    checks: u64,
    repair: Option<(Repair, u32)>,
    last_step: u64,
}

impl<'a> Search<'a> {
    pub fn new(
        program: &'a Program,
        trace: &'a Trace,
        inputs: &'a Inputs,
        is_assertion: bool,
        limits: &'a Limits,
    ) -> Option<Search<'a>> {
        let last = trace.decisions.last()?;
        let check = Check { procedure: last.procedure, location: last.location };
        let patience = Patience { steps: LONGER * trace.edges + 10_000, deadline: limits.deadline };
        Some(Search { program, trace, inputs, limits, check, is_assertion, patience, neighbours: Vec::new() })
    }

    fn is_late(&self) -> bool {
        self.limits.stopped(Instant::now()).is_some()
    }

    pub fn run(mut self) -> Localised {
        let mut found: Vec<Found> = Vec::new();
        // The other half of the time is for repairs.
        let half = self.limits.time_left().map_or(self.limits.clone(), |left| self.limits.within(left / 2));
        let mut formula = Formula::new(self.trace, half);
        formula.smallest(|formula, groups| match self.executed(formula, groups) {
            Some((changes, checks)) => {
                let last_step = groups.iter().map(|group| formula.last_step(*group)).max().unwrap_or(0);
                found.push(Found { groups: groups.to_vec(), changes, checks, repair: None, last_step });
                true
            }
            None => false,
        });
        let is_cut = formula.is_cut;
        if found.iter().all(|found| found.groups.len() == 1) {
            found.extend(self.own_statement());
            // A statement may have a repair, although no value that was tried avoids the violation.
            let known: FxHashSet<usize> = found.iter().flat_map(|one| one.groups.iter().copied()).collect();
            let open = (0..self.trace.groups.len()).filter(|group| !known.contains(group));
            found.extend(open.filter(|group| !self.trace.excluded.contains(group)).map(|group| Found {
                groups: vec![group],
                changes: Vec::new(),
                checks: 0,
                repair: None,
                last_step: self.trace.last_steps[group],
            }));
            self.repair(&mut found);
        }
        found.retain(|found| found.repair.is_some() || !found.changes.is_empty());
        found.sort_by_key(|found| {
            let cost = found.repair.as_ref().map(|(_, cost)| *cost);
            (cost.is_none(), cost, found.checks == 0, Reverse(found.last_step))
        });
        let remark = is_cut.then(|| "only the end of the execution was looked at for causes".to_string());
        Localised { causes: found.iter().take(MOST).map(|found| self.cause(found)).collect(), remark }
    }

    /// The correction of these groups that is simplest and avoids the violation when it is executed, if there is one;
    /// one that comes to the violated condition is better than one that does not.
    fn executed(&self, formula: &mut Formula, groups: &[usize]) -> Option<(Vec<Change>, u64)> {
        if self.is_late() {
            return None;
        }
        let mut best: Option<(Vec<Change>, u64)> = None;
        for changes in formula.corrections(groups) {
            let Some((program, angel)) = angelic(self.program, self.trace, &changes) else { continue };
            let fate = match faults::is(Fault::UnexecutedCause) {
                true => Fate::Ended { checks: 1, path: 0 },
                false => execute(&program, self.inputs, angel, self.check, self.patience),
            };
            if let Fate::Ended { checks, .. } = fate {
                if best.as_ref().is_none_or(|(_, most)| *most == 0 && checks > 0) {
                    best = Some((changes, checks));
                }
                if checks > 0 {
                    break;
                }
            }
        }
        best
    }

    /// The statement in which the violation happens, where it is not an assertion: it may be wrong itself.
    fn own_statement(&self) -> Option<Found> {
        let last = self.trace.decisions.last()?;
        let place = self.edge(last.procedure, last.taken)?.place?;
        let group = self.trace.groups.iter().position(|group| *group == place)?;
        let is_own = last.is_check && self.trace.decisions.iter().all(|decision| decision.group != Some(group));
        (is_own && !self.is_assertion).then_some(Found {
            groups: vec![group],
            changes: Vec::new(),
            checks: 0,
            repair: None,
            last_step: last.step,
        })
    }

    /// Looks for small changes of single statements.
    fn repair(&mut self, found: &mut [Found]) {
        let tests = if self.inputs.is_empty() { 0 } else { NEIGHBOURS };
        for seed in 0..tests {
            if self.is_late() {
                return;
            }
            let inputs = self.inputs.neighbour(seed);
            let fate = execute(self.program, &inputs, Angel::default(), self.check, self.patience);
            if fate != Fate::Other {
                self.neighbours.push((inputs, fate));
            }
        }
        // What is wrong fails soonest where the program itself does.
        self.neighbours.sort_by_key(|(_, fate)| *fate != Fate::Violated);
        let mut scratch = self.program.clone();
        found.sort_by_key(|found| Reverse(found.last_step));
        for Attempt { of, procedure, edges, change, cost, edit } in self.attempts(found) {
            let known = found.iter().filter_map(|one| one.repair.as_ref()).filter(|(_, known)| *known <= cost);
            if self.is_late() || known.count() >= MOST {
                return;
            }
            let one = &mut found[of];
            if one.repair.as_ref().is_some_and(|(_, known)| *known <= cost) {
                continue;
            }
            let old = match change {
                Rewriting::Term(from, to) => rewrite(&mut scratch, procedure, &edges, from, to),
                Rewriting::Callee(callee) => redirect(&mut scratch, procedure, edges[0], callee),
            };
            let Some(old) = old else { continue };
            if let Some(Judged { others, checks, penalty }) = self.judge(&scratch) {
                let cost = cost + penalty;
                if one.repair.as_ref().is_none_or(|(_, known)| cost < *known) {
                    one.repair = Some((Repair { edit, others }, cost));
                    one.checks = checks;
                }
            }
            scratch.procedures[procedure.0 as usize].body = Ok(old);
        }
    }

    /// The small changes to try, those that cost little first.
    fn attempts(&self, found: &[Found]) -> Vec<Attempt> {
        let places: FxHashSet<Place> =
            found.iter().flat_map(|one| one.groups.iter().map(|group| self.trace.groups[*group])).collect();
        let mut attempts = Vec::new();
        let last = self.trace.decisions.last().and_then(|last| self.edge(last.procedure, last.taken));
        let own_place = last.and_then(|edge| edge.place);
        let asserting = self.asserting();
        for (of, one) in found.iter().enumerate() {
            let [group] = one.groups[..] else { continue };
            let own = self.trace.groups[group];
            let is_own = own_place == Some(own);
            for (procedure, edges) in self.edges_at(own) {
                let Ok(cfa) = &self.program.procedure(procedure).body else { continue };
                // What else the statement computes belongs to no other candidate.
                let is_part = |edge: &ir::Edge| {
                    edge.place.is_some_and(|at| {
                        at == own || (at.file, at.line) == (own.file, own.line) && !places.contains(&at)
                    })
                };
                let statement: Vec<EdgeId> =
                    cfa.edges().filter(|(_, edge)| is_part(edge)).map(|(edge, _)| edge).collect();
                let sources = if is_own { &edges } else { &statement };
                let extra =
                    if is_own { UNIT } else { 0 } + if asserting.contains(&procedure) { IN_ASSERTION } else { 0 };
                let elsewhere = self.other_terms(procedure, &edges);
                for Mutant { from, to, edit, cost } in self.mutants(procedure, sources) {
                    // Of the statement in which the violation happens, the access is changed, not its check.
                    if is_own && !elsewhere.contains(&from) {
                        continue;
                    }
                    let edges = self.concerned(procedure, sources, from);
                    let (change, cost) = (Rewriting::Term(from, to), UNIT * cost + extra);
                    attempts.push(Attempt { of, procedure, edges, change, cost, edit });
                }
                for edge in &statement {
                    let Op::Call { procedure: callee, .. } = &cfa.edge(*edge).op else { continue };
                    for other in self.like(*callee) {
                        let (change, edges, cost) = (Rewriting::Callee(other), vec![*edge], 4 * UNIT + extra);
                        let edit = Edit::Function { from: *callee, to: other };
                        attempts.push(Attempt { of, procedure, edges, change, cost, edit });
                    }
                }
            }
        }
        attempts.sort_by_key(|attempt| attempt.cost);
        attempts
    }

    /// The procedures that the violated assertion calls, and those that they call.
    fn asserting(&self) -> FxHashSet<ProcId> {
        let lines: FxHashSet<_> = self.trace.excluded.iter().map(|group| self.trace.groups[*group]).collect();
        let is_there = |place: Option<Place>| {
            place.is_some_and(|at| lines.iter().any(|line| (line.file, line.line) == (at.file, at.line)))
        };
        let callee = |edge: &ir::Edge| match edge.op {
            Op::Call { procedure, .. } => Some(procedure),
            _ => None,
        };
        let mut pending: Vec<ProcId> =
            self.program.edges().filter(|edge| is_there(edge.place)).filter_map(callee).collect();
        let mut found = FxHashSet::default();
        while let Some(next) = pending.pop() {
            if found.insert(next)
                && let Ok(cfa) = &self.program.procedure(next).body
            {
                pending.extend(cfa.edges().filter_map(|(_, edge)| callee(edge)));
            }
        }
        found
    }

    /// Other procedures of the user that could be called in the place of one.
    fn like(&self, callee: ProcId) -> Vec<ProcId> {
        let called = self.program.procedure(callee);
        let sorts = |variables: &[ir::Variable]| variables.iter().map(ir::Variable::sort).collect::<Vec<_>>();
        let is_users = |place: Option<Place>| place.is_some_and(|place| !place.file.as_str().starts_with('<'));
        let fits = |(id, other): &(ProcId, &ir::Procedure)| {
            *id != callee
                && other.body.is_ok()
                && is_users(other.place)
                && !other.name.as_str().starts_with('$')
                && sorts(&other.parameters) == sorts(&called.parameters)
                && sorts(&other.results) == sorts(&called.results)
        };
        match called.body.is_ok() && is_users(called.place) {
            true => self.program.procedures().filter(fits).map(|(id, _)| id).take(OTHERS).collect(),
            false => Vec::new(),
        }
    }

    /// Whether a changed program has no violation: neither with the inputs of the execution nor with others. How many
    /// others, and how often the condition was checked.
    fn judge(&self, program: &Program) -> Option<Judged> {
        let run = |inputs: &Inputs| execute(program, inputs, Angel::default(), self.check, self.patience);
        let Fate::Ended { checks, .. } = run(self.inputs) else { return None };
        let (mut kept, mut passed, mut checked) = (0, 0, checks > 0);
        for (inputs, before) in &self.neighbours {
            match (run(inputs), before) {
                (Fate::Ended { checks: 0, .. }, Fate::Ended { checks: 1.., .. }) => return None,
                (Fate::Ended { path, checks }, Fate::Ended { path: old, .. }) => {
                    passed += 1;
                    kept += u32::from(path == *old);
                    checked |= checks > 0;
                }
                (Fate::Ended { checks, .. }, _) => checked |= checks > 0,
                _ => return None,
            }
        }
        // An assertion should hold; a check of the language need not be come to.
        let unreached = if checks == 0 && self.is_assertion { UNREACHED } else { 0 };
        let all = self.neighbours.len() as u32;
        // A repair changes a few of them, too.
        let disturbance = UNIT * (MOST_DISTURBANCE * (passed - kept)).checked_div(all).unwrap_or(0);
        let penalty = unreached + disturbance + if checked { 0 } else { UNIT };
        Some(Judged { others: all.into(), checks, penalty })
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<&'a ir::Edge> {
        self.program.procedure(procedure).body.as_ref().ok().map(|cfa| cfa.edge(edge))
    }

    /// The edges at a place, by procedure.
    fn edges_at(&self, place: Place) -> Vec<(ProcId, Vec<EdgeId>)> {
        let edges = |(id, procedure): (ProcId, &'a ir::Procedure)| {
            let cfa = procedure.body.as_ref().ok()?;
            let at: Vec<EdgeId> = cfa.edges().filter(|(_, edge)| edge.place == Some(place)).map(|(id, _)| id).collect();
            (!at.is_empty()).then_some((id, at))
        };
        self.program.procedures().filter_map(edges).collect()
    }

    /// The edges that a change concerns: a term of a statement may stand in edges for its checks, too, in the same
    /// line.
    fn concerned(&self, procedure: ProcId, edges: &[EdgeId], from: Term) -> Vec<EdgeId> {
        if from.value().is_some() || from.is_var() {
            return edges.to_vec();
        }
        let Ok(cfa) = &self.program.procedure(procedure).body else { return Vec::new() };
        let line = |place: Option<Place>| place.map(|place| (place.file, place.line));
        let lines: FxHashSet<_> = edges.iter().map(|edge| line(cfa.edge(*edge).place)).collect();
        cfa.edges().filter(|(_, edge)| lines.contains(&line(edge.place))).map(|(id, _)| id).collect()
    }

    /// What the line of these edges computes beside them.
    fn other_terms(&self, procedure: ProcId, edges: &[EdgeId]) -> FxHashSet<Term> {
        let Ok(cfa) = &self.program.procedure(procedure).body else { return FxHashSet::default() };
        let line = |edge: &EdgeId| cfa.edge(*edge).place.map(|place| (place.file, place.line));
        let lines: FxHashSet<_> = edges.iter().map(line).collect();
        let others = cfa.edges().filter(|(id, _)| lines.contains(&line(id)) && !edges.contains(id));
        post_order(others.flat_map(|(_, edge)| edge.op.reads())).into_iter().collect()
    }

    fn mutants(&self, procedure: ProcId, edges: &[EdgeId]) -> Vec<Mutant> {
        let Ok(cfa) = &self.program.procedure(procedure).body else { return Vec::new() };
        let mut terms: Vec<Term> = Vec::new();
        for edge in edges {
            for term in cfa.edge(*edge).op.reads() {
                match (term.op(), term.args()) {
                    (TermOp::MemStore, [_, at, value]) => terms.extend([*at, *value]),
                    (TermOp::Not, [inner]) => terms.push(*inner),
                    _ => terms.push(term),
                }
            }
        }
        terms.dedup();
        let declared = self.program.procedure(procedure);
        let locals = declared.parameters.iter().chain(&declared.locals);
        let named = locals.chain(&self.program.globals).filter(|variable| variable.user_name.is_some());
        let variables: Vec<Term> = named.map(|variable| variable.term).take(OTHERS).collect();
        mutants(&terms, &variables, &constants(cfa))
    }

    fn cause(&self, found: &Found) -> Cause {
        let suspects = found.groups.iter().map(|group| self.suspect(*group, found)).collect();
        Cause { suspects, checked: found.checks > 0 }
    }

    fn suspect(&self, group: usize, found: &Found) -> Suspect {
        let place = self.trace.groups[group];
        let repair = found.repair.as_ref().map(|(repair, _)| *repair);
        let change = found.changes.iter().find(|change| match change {
            Change::Value(number, _) => self.trace.definitions[*number].group == group,
            Change::Flip(number) | Change::FlipOn(number) => self.trace.decisions[*number].group == Some(group),
        });
        match change {
            None => {
                let definitions = self.trace.definitions.iter().rev().find(|definition| definition.group == group);
                let mut decisions = self.trace.decisions.iter().rev();
                let is_here =
                    |taken: ProcId, edge| self.edge(taken, edge).is_some_and(|edge| edge.place == Some(place));
                let decision = decisions.find(|decision| is_here(decision.procedure, decision.taken));
                let by_place = || self.edges_at(place).first().map(|(procedure, _)| *procedure);
                let (procedure, reads) = match (definitions, decision) {
                    (_, Some(decision)) => (Some(decision.procedure), decision.reads.clone()),
                    (Some(definition), None) => (Some(definition.procedure), definition.reads.clone()),
                    (None, None) => (by_place(), Vec::new()),
                };
                let procedure = procedure.unwrap_or(self.program.entry);
                Suspect { procedure, place, was: Was::Repaired, reads, repair }
            }
            Some(Change::Flip(number) | Change::FlipOn(number)) => {
                let decision = &self.trace.decisions[*number];
                let cfa = self.program.procedure(decision.procedure).body.as_ref().ok();
                let ways = cfa.map(|cfa| cfa.outgoing(decision.location)).unwrap_or_default();
                let held = (ways.len() == 2).then(|| ways[0] == decision.taken);
                let (procedure, reads) = (decision.procedure, decision.reads.clone());
                Suspect { procedure, place, was: Was::Condition(held), reads, repair }
            }
            Some(Change::Value(number, instead)) => {
                let definition = &self.trace.definitions[*number];
                let op = self.edge(definition.procedure, definition.edge).map(|edge| &edge.op);
                let variable = match (op, definition.slot) {
                    (Some(Op::Assign(pairs)), Slot::Target(n)) => pairs.get(n as usize).map(|(variable, _)| *variable),
                    (Some(Op::Call { procedure, .. }), Slot::Argument(n)) => {
                        self.program.procedure(*procedure).parameters.get(n as usize).map(|parameter| parameter.term)
                    }
                    _ => None,
                };
                let (value, instead) = (definition.value.clone(), instead.clone());
                let was = match definition.slot {
                    Slot::Address(_) => Was::Stored { at: value, instead },
                    _ => Was::Value { variable, value, instead },
                };
                Suspect { procedure: definition.procedure, place, was, reads: definition.reads.clone(), repair }
            }
        }
    }
}

/// The constants that a procedure speaks of, each once.
fn constants(cfa: &ir::Cfa) -> Vec<Bv> {
    let mut constants: Vec<Bv> = Vec::new();
    for term in post_order(cfa.edges().flat_map(|(_, edge)| edge.op.reads())) {
        if let Some(Value::Bv(bits)) = term.value()
            && !constants.contains(bits)
            && constants.len() < OTHERS
        {
            constants.push(*bits);
        }
    }
    constants
}
