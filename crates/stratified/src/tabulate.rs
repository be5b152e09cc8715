//! Summaries of known values, by tabulation: what procedures do from the states in which they are really called.
//!
//! A [`Context`] is a procedure with what is known where it is called ([`crate::values`]), as far as it looks at it. All states that
//! its locations can be in are visited, and what it returns with is told to all calls in that context, so each context is looked at
//! once. This takes no solver. Properties about a few globals with few values are often decided: where no failure is found, the
//! contexts and their ends are summaries that exclude it. Otherwise there is an execution that [`crate::confirm`] looks at.
//!
//! Only some variables are tracked, as in Section 3 of the paper: of others nothing is known. They are those that executions are about which
//! turned out not to be possible.
//!
//! Where there are too many contexts of a procedure, or states of a location, less is known of the next ones. So it always ends.

use crate::effects::Effect;
use crate::goals::{End, Execution};
use crate::inlining::Inlining;
use crate::summary::at_entry;
use crate::values::{Known, State};
use crate::vc::{Template, interface};
use analysis::live::Live;
use engine::Reason;
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::Term;
use term::build::{not, or};
use term::free::Free;

/// What was found.
pub enum Tabulated {
    /// No failure: this holds when procedures end.
    Excluded(Vec<(ProcId, End, Term)>),
    /// This may be one.
    Found(Execution),
    /// There are too many states, or there is something that it does not know.
    GivenUp,
}

/// There are at most so many visits.
const MOST_VISITS: usize = 1_000_000;
/// A location of a context has at most so many states before less is kept of them.
const MANY_STATES: u32 = 200;
/// A procedure has at most so many contexts before less is kept of them.
const MANY_CONTEXTS: u32 = 128;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ContextId(usize);

/// A state at a location of a context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct VisitId(usize);

struct Context {
    procedure: ProcId,
    entry: State,
    /// What is known of the outputs where it returns, and where that was found first.
    exits: Vec<(State, VisitId)>,
    /// The calls that wait for returns.
    callers: Vec<(VisitId, EdgeId)>,
    failure: Option<Failure>,
}

#[derive(Clone, Copy)]
enum Failure {
    Here(VisitId),
    /// In a call after a visit.
    In(VisitId, EdgeId, ContextId),
}

struct Visit {
    context: ContextId,
    location: LocId,
    state: State,
    /// The visit before, the edge between, and where its call returned.
    from: Option<(VisitId, EdgeId, Option<VisitId>)>,
}

/// What is the same for all contexts of a procedure.
struct Frame {
    live: Live,
    inputs: FxHashSet<Term>,
    outputs: FxHashSet<Term>,
    contexts: u32,
}

struct Table<'a> {
    program: &'a Program,
    effects: &'a [Effect],
    globals: FxHashSet<Term>,
    tracked: &'a FxHashSet<Term>,
    frames: FxHashMap<ProcId, Frame>,
    contexts: Vec<Context>,
    known: FxHashMap<(ProcId, State), ContextId>,
    visits: Vec<Visit>,
    seen: FxHashSet<(ContextId, LocId, State)>,
    counts: FxHashMap<(ContextId, LocId), u32>,
    pending: Vec<VisitId>,
    free: Free,
}

/// Tabulates a program without loops, with the values of some variables.
pub fn tabulate(
    inlining: &mut Inlining<'_>,
    tracked: &FxHashSet<Term>,
    tick: &mut dyn FnMut() -> Result<bool, Reason>,
) -> Result<Tabulated, Reason> {
    let program = inlining.program;
    let effects = inlining.effects.clone();
    let mut table = Table {
        program,
        effects: &effects,
        globals: program.globals.iter().map(|global| global.term).collect(),
        tracked,
        frames: FxHashMap::default(),
        contexts: Vec::new(),
        known: FxHashMap::default(),
        visits: Vec::new(),
        seen: FxHashSet::default(),
        counts: FxHashMap::default(),
        pending: Vec::new(),
        free: Free::new(),
    };
    let entry = table.context(program.entry, State::default());
    let mut steps = 0_u32;
    while let Some(visit) = table.pending.pop() {
        steps += 1;
        if steps.is_multiple_of(256) && (!tick()? || table.visits.len() > MOST_VISITS) {
            return Ok(Tabulated::GivenUp);
        }
        if table.visit(visit).is_none() {
            return Ok(Tabulated::GivenUp);
        }
        if table.contexts[entry.0].failure.is_some() {
            let execution = table.failing(inlining, entry)?;
            return Ok(execution.map_or(Tabulated::GivenUp, Tabulated::Found));
        }
    }
    Ok(Tabulated::Excluded(table.summaries()))
}

impl<'a> Table<'a> {
    fn frame(&mut self, id: ProcId) -> &mut Frame {
        let (program, effects) = (self.program, self.effects);
        self.frames.entry(id).or_insert_with(|| {
            let (inputs, outputs) = interface(program, effects, id);
            let (inputs, outputs) = (inputs.into_iter().collect(), outputs.into_iter().collect());
            Frame { live: Live::new(program, id), inputs, outputs, contexts: 0 }
        })
    }

    fn cfa(&self, id: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(id).body.as_ref().ok()
    }

    /// The context of a call, where so much is known of the callee's inputs.
    fn context(&mut self, procedure: ProcId, entry: State) -> ContextId {
        if let Some(known) = self.known.get(&(procedure, entry.clone())) {
            return *known;
        }
        let count = self.frame(procedure).contexts;
        let entry = self.coarser(entry, count / MANY_CONTEXTS);
        if let Some(known) = self.known.get(&(procedure, entry.clone())) {
            return *known;
        }
        self.frame(procedure).contexts += 1;
        let id = ContextId(self.contexts.len());
        self.known.insert((procedure, entry.clone()), id);
        let context =
            Context { procedure, entry: entry.clone(), exits: Vec::new(), callers: Vec::new(), failure: None };
        self.contexts.push(context);
        if let Some(cfa) = self.cfa(procedure) {
            self.add(id, cfa.entry(), entry, None);
        }
        id
    }

    /// Less of what is known, by degrees.
    fn coarser(&self, state: State, degree: u32) -> State {
        state.restricted(|variable, known| match degree {
            0 => true,
            1 => matches!(known, Known::Is(_)) && variable.is_var(),
            2 => matches!(known, Known::Is(_)) && self.globals.contains(&variable),
            _ => false,
        })
    }

    fn add(
        &mut self,
        context: ContextId,
        location: LocId,
        state: State,
        from: Option<(VisitId, EdgeId, Option<VisitId>)>,
    ) {
        let procedure = self.contexts[context.0].procedure;
        let tracked = self.tracked;
        let mut free = std::mem::take(&mut self.free);
        let frame = self.frame(procedure);
        let state = state.among(|variable| tracked.contains(&variable) && frame.live.at(location, variable), &mut free);
        self.free = free;
        let count = self.counts.get(&(context, location)).copied().unwrap_or(0);
        let state = self.coarser(state, count / MANY_STATES);
        if self.seen.insert((context, location, state.clone())) {
            *self.counts.entry((context, location)).or_default() += 1;
            self.pending.push(VisitId(self.visits.len()));
            self.visits.push(Visit { context, location, state, from });
        }
    }

    /// Follows the edges that leave a visit; none if there is one that it does not know.
    fn visit(&mut self, id: VisitId) -> Option<()> {
        let Visit { context, location, ref state, .. } = self.visits[id.0];
        let state = state.clone();
        let procedure = self.contexts[context.0].procedure;
        let cfa = self.cfa(procedure)?;
        match cfa.location(location).kind {
            LocationKind::Error(_) => self.fail(context, Failure::Here(id)),
            LocationKind::Unsupported(_) => return None,
            LocationKind::Plain | LocationKind::End => {}
        }
        if location == cfa.exit() {
            self.leave(context, id, state.clone());
        }
        for edge_id in cfa.outgoing(location) {
            let edge = cfa.edge(*edge_id);
            match &edge.op {
                Op::Call { procedure: callee, arguments, .. } if self.cfa(*callee).is_some() => {
                    let called = self.called(*callee, arguments, &state);
                    let called = self.context(*callee, called);
                    self.contexts[called.0].callers.push((id, *edge_id));
                    for number in 0..self.contexts[called.0].exits.len() {
                        self.resume(id, *edge_id, called, number);
                    }
                    if self.contexts[called.0].failure.is_some() {
                        self.fail(context, Failure::In(id, *edge_id, called));
                    }
                }
                Op::Spawn { .. } => return None,
                op => {
                    if let Some(after) = state.after(op, &mut self.free) {
                        self.add(context, edge.to, after, Some((id, *edge_id, None)));
                    }
                }
            }
        }
        Some(())
    }

    /// What is known of a callee's inputs.
    fn called(&mut self, callee: ProcId, arguments: &[Term], state: &State) -> State {
        let parameters = self.program.procedure(callee).parameters.iter().map(|parameter| parameter.term);
        let pairs: Vec<(Term, Term)> = parameters.zip(arguments.iter().copied()).collect();
        let (tracked, mut free) = (self.tracked, std::mem::take(&mut self.free));
        let mut entry = state.clone();
        // The caller's parameters may have the same names.
        entry.forget(&pairs.iter().map(|(parameter, _)| *parameter).collect::<Vec<_>>(), &mut free);
        state.given(&pairs, &mut free).into_iter().for_each(|(about, known)| entry.set(about, known));
        let inputs = &self.frame(callee).inputs;
        let entry = entry.among(|variable| tracked.contains(&variable) && inputs.contains(&variable), &mut free);
        self.free = free;
        entry
    }

    /// A context returns.
    fn leave(&mut self, context: ContextId, visit: VisitId, state: State) {
        let procedure = self.contexts[context.0].procedure;
        let mut free = std::mem::take(&mut self.free);
        let outputs = &self.frame(procedure).outputs;
        let exit = state.among(|variable| outputs.contains(&variable), &mut free);
        self.free = free;
        let Context { exits, callers, .. } = &mut self.contexts[context.0];
        if exits.iter().any(|(known, _)| *known == exit) {
            return;
        }
        exits.push((exit, visit));
        let number = exits.len() - 1;
        for (caller, edge) in callers.clone() {
            self.resume(caller, edge, context, number);
        }
    }

    /// Goes on behind a call that returned.
    fn resume(&mut self, caller: VisitId, edge: EdgeId, called: ContextId, number: usize) {
        let Visit { context, ref state, .. } = self.visits[caller.0];
        let mut after = state.clone();
        let (exit, visit) = self.contexts[called.0].exits[number].clone();
        let callee = self.contexts[called.0].procedure;
        let Some(cfa) = self.cfa(self.contexts[context.0].procedure) else { return };
        let Op::Call { results, .. } = &cfa.edge(edge).op else { return };
        let changed: Vec<Term> = self.effects[callee.0 as usize].changed.iter().chain(results).copied().collect();
        after.forget(&changed, &mut self.free);
        let declared = self.program.procedure(callee).results.iter().map(|result| result.term);
        let taken: FxHashMap<Term, Term> = declared.zip(results.iter().copied()).collect();
        // A result that a global takes is what the global is then, whatever the callee left in it.
        let (globals, free) = (&self.globals, &mut self.free);
        let exit = exit.among(|variable| !globals.contains(&variable) || !results.contains(&variable), free);
        for (about, known) in exit.renamed(|variable| taken.get(&variable).copied()) {
            after.set(about, known);
        }
        self.add(context, cfa.edge(edge).to, after, Some((caller, edge, Some(visit))));
    }

    /// A context fails, and so do those that call it.
    fn fail(&mut self, context: ContextId, failure: Failure) {
        let mut pending = vec![(context, failure)];
        while let Some((id, failure)) = pending.pop() {
            let context = &mut self.contexts[id.0];
            if context.failure.is_none() {
                context.failure = Some(failure);
                let callers = context.callers.iter();
                pending.extend(
                    callers.map(|(visit, edge)| (self.visits[visit.0].context, Failure::In(*visit, *edge, id))),
                );
            }
        }
    }

    /// What holds when procedures end.
    fn summaries(&self) -> Vec<(ProcId, End, Term)> {
        let mut found = Vec::new();
        for Context { procedure, entry, exits, .. } in &self.contexts {
            let other = not(entry.formula(at_entry));
            let exits = exits.iter().map(|(exit, _)| exit.formula(|variable| variable));
            found.push((*procedure, End::Returns, or([other].into_iter().chain(exits))));
            if self.effects[procedure.0 as usize].fails {
                found.push((*procedure, End::Fails, other));
            }
        }
        found
    }

    /// An execution of a context that fails.
    fn failing(&self, inlining: &mut Inlining<'_>, context: ContextId) -> Result<Option<Execution>, Reason> {
        let mut returned = FxHashMap::default();
        let template = inlining.template(self.contexts[context.0].procedure)?;
        match self.contexts[context.0].failure {
            Some(Failure::Here(visit)) => {
                let location = self.visits[visit.0].location;
                let error = template.errors.iter().find(|(error, _)| *error == location).map(|(_, flag)| *flag);
                self.way(inlining, &template, visit, error.into_iter().collect(), Vec::new(), &mut returned)
            }
            Some(Failure::In(visit, edge, called)) => {
                let Some(inner) = self.failing(inlining, called)? else { return Ok(None) };
                let number = template.sites.iter().position(|site| site.edge == edge);
                let Some((number, failed)) = number.and_then(|n| Some((n, template.sites[n].failed?))) else {
                    return Ok(None);
                };
                let calls = vec![(number, Rc::new(inner))];
                self.way(inlining, &template, visit, vec![failed], calls, &mut returned)
            }
            None => Ok(None),
        }
    }

    /// The execution to a visit, which goes on as told.
    fn way(
        &self,
        inlining: &mut Inlining<'_>,
        template: &Template,
        end: VisitId,
        mut flags: Vec<Term>,
        mut calls: Vec<(usize, Rc<Execution>)>,
        returned: &mut FxHashMap<VisitId, Rc<Execution>>,
    ) -> Result<Option<Execution>, Reason> {
        let mut visit = end;
        while let Some((before, edge, call)) = self.visits[visit.0].from {
            let ways = template.ways.get(&self.visits[visit.0].location);
            let Some((_, flag)) = ways.and_then(|ways| ways.iter().find(|(way, _)| *way == edge)) else {
                return Ok(None);
            };
            flags.push(*flag);
            if let Some(exit) = call {
                let Some(number) = template.sites.iter().position(|site| site.edge == edge) else { return Ok(None) };
                let inner = match returned.get(&exit) {
                    Some(known) => known.clone(),
                    None => {
                        let callee = inlining.template(template.sites[number].callee)?;
                        let flags = vec![Template::exit()];
                        let Some(inner) = self.way(inlining, &callee, exit, flags, Vec::new(), returned)? else {
                            return Ok(None);
                        };
                        returned.insert(exit, Rc::new(inner));
                        returned[&exit].clone()
                    }
                };
                calls.push((number, inner));
            }
            visit = before;
        }
        Ok(Some(Execution::new(flags, calls)))
    }
}
