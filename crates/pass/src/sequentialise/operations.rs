//! How operations are woven.

use super::lift::{Event, Origin};
use super::weave::{Caller, Weaver};
use super::{Mode, Role, Site};
use ir::{Cfa, Edge, EdgeId, LocId, LocationKind, Op, ProcId};
use rustc_hash::FxHashSet;
use source::{Place, Symbol};
use term::free::Free;
use term::{SortKind, Term, build};

/// So many threads at most wait for the end of an atomic section; others begin in the next round.
const MOST_PENDING: usize = 4;

impl Weaver<'_> {
    /// Weaves an edge that leaves a copy of a location.
    pub fn operation(&mut self, instance: usize, from: LocId, id: EdgeId, mode: &Mode) {
        let procedure = self.instances[instance].procedure;
        let Ok(cfa) = &self.program.procedure(procedure).body else { return };
        let edge = cfa.edge(id);
        let (round, place) = (mode.round, edge.place);
        let origin = Origin { edge: Some((procedure, id)), round, event: Event::None };
        let new = |weaver: &Self, term: &Term| weaver.renamed(instance, round, *term);
        let (op, next) = match &edge.op {
            Op::Assign(pairs) => {
                let pairs = pairs.iter().map(|(x, e)| (new(self, x), new(self, e)));
                (Op::Assign(pairs.collect()), mode.clone())
            }
            Op::Assume(condition) => (Op::Assume(new(self, condition)), mode.clone()),
            Op::Havoc(variables) => (Op::Havoc(variables.iter().map(|v| new(self, v)).collect()), mode.clone()),
            Op::AtomicBegin => match mode.deeper() {
                Some(next) => (Op::skip(), next),
                None => {
                    let at = self.between(instance, place);
                    self.edge(instance, Edge { from, to: at, op: Op::skip(), place }, origin);
                    let what = Symbol::new("atomic sections that are nested very deeply");
                    self.fail(instance, at, LocationKind::Unsupported(what), round, place);
                    return;
                }
            },
            Op::AtomicEnd => {
                let at = self.between(instance, place);
                self.edge(instance, Edge { from, to: at, op: Op::skip(), place }, origin);
                let next = Mode { depth: mode.depth.saturating_sub(1), ..mode.clone() };
                self.arrive(instance, at, edge.to, next, place);
                return;
            }
            Op::Call { procedure: callee, arguments, results } => {
                let arguments = arguments.iter().map(|a| new(self, a)).collect();
                if self.program.procedure(*callee).body.is_err() {
                    (Op::Havoc(results.iter().map(|r| new(self, r)).collect()), mode.clone())
                } else {
                    let behind = self.between(instance, place);
                    let caller = Caller { instance, from: behind, to: edge.to, results: Vec::new(), place };
                    let (op, caller) = self.woven_call(*callee, arguments, results, mode, caller);
                    let Op::Call { procedure: copy, .. } = op else { return };
                    self.edge(instance, Edge { from, to: behind, op, place }, origin);
                    self.call(copy.0 as usize, caller);
                    return;
                }
            }
            Op::Spawn { procedure: started, arguments, thread } => {
                let site = (procedure, id);
                let mut pairs = self.number(instance, round, *thread);
                let kept = self.arguments_of(site, arguments);
                pairs.extend(kept.into_iter().zip(arguments.iter().map(|a| new(self, a))));
                let mut at = self.between(instance, place);
                self.edge(instance, Edge { from, to: at, op: Op::Assign(pairs), place }, origin);
                let mut next = mode.clone();
                if self.program.procedure(*started).body.is_err() {
                    // It ends at once.
                } else if mode.pending.len() < MOST_PENDING && !mode.pending.contains(&site) {
                    next.pending.push(site);
                } else {
                    at = self.begin(instance, at, site, mode, round + 1, place);
                }
                self.arrive(instance, at, edge.to, next, place);
                return;
            }
        };
        let to = self.node(instance, edge.to, &next);
        self.edge(instance, Edge { from, to, op, place }, origin);
    }

    /// Goes on at a location of the program before. Outside atomic sections threads that wait for it begin first, but not at
    /// the exit: what happens there belongs to the step that leads to it.
    pub fn arrive(&mut self, instance: usize, from: LocId, to: LocId, mut mode: Mode, place: Option<Place>) {
        let procedure = self.program.procedure(self.instances[instance].procedure);
        let is_exit = procedure.body.as_ref().is_ok_and(|cfa| cfa.exit() == to);
        let mut at = from;
        if mode.depth == 0 && !is_exit {
            at = self.begin_pending(instance, at, &mode, place);
            mode.pending.clear();
        }
        let to = self.node(instance, to, &mode);
        self.made_up(instance, at, Op::skip(), to, mode.round, place);
    }

    /// Begins the threads that wait.
    pub fn begin_pending(&mut self, instance: usize, from: LocId, mode: &Mode, place: Option<Place>) -> LocId {
        mode.pending.iter().fold(from, |at, site| self.begin(instance, at, *site, mode, mode.round, place))
    }

    /// The call of a copy of a procedure, and how its caller goes on. A result that goes to a copied global goes there in
    /// the round in which the callee is left.
    fn woven_call(
        &mut self,
        callee: ProcId,
        arguments: Vec<Term>,
        results: &[Term],
        mode: &Mode,
        mut caller: Caller,
    ) -> (Op, Caller) {
        let instance = caller.instance;
        let copy = self.instance(callee, Role::Called, mode.clone());
        let is_copied = results.iter().any(|result| self.sharing.copied.contains(result));
        let targets: Vec<Term> = match is_copied {
            false => results.iter().map(|result| self.renamed(instance, mode.round, *result)).collect(),
            true => results.iter().map(|result| self.local(instance, "$result", result.sort())).collect(),
        };
        if is_copied {
            caller.results = results.iter().copied().zip(targets.iter().copied()).collect();
        }
        (Op::Call { procedure: ProcId(copy as u32), arguments, results: targets }, caller)
    }

    /// What counts threads, and gives a new one its number.
    fn number(&self, instance: usize, round: u32, thread: Term) -> Vec<(Term, Term)> {
        if !self.sharing.has_numbers {
            return Vec::new();
        }
        let counter = self.renamed(instance, round, self.counter);
        let number = build::bv_add(counter, build::bv(32, 1));
        let value = match *thread.sort().kind() {
            SortKind::BitVec(width) if width < 32 => build::extract(width - 1, 0, number),
            SortKind::BitVec(width) => build::zero_extend(width, number),
            _ => build::bv_to_int(false, number),
        };
        vec![(self.renamed(instance, round, thread), value), (counter, number)]
    }

    /// The variables that keep the arguments of a thread until it begins.
    fn arguments_of(&mut self, site: Site, arguments: &[Term]) -> Vec<Term> {
        if let Some(known) = self.arguments.get(&site) {
            return known.clone();
        }
        let kept: Vec<Term> = arguments.iter().map(|argument| self.global("$argument", argument.sort())).collect();
        self.arguments.insert(site, kept.clone());
        kept
    }

    /// Runs a thread from a round on, if there is such a round. Where the thread that started it goes on.
    fn begin(
        &mut self,
        instance: usize,
        from: LocId,
        site: Site,
        mode: &Mode,
        first: u32,
        place: Option<Place>,
    ) -> LocId {
        let Ok(cfa) = &self.program.procedure(site.0).body else { return from };
        let Op::Spawn { procedure: started, .. } = cfa.edge(site.1).op else { return from };
        if first >= self.rounds {
            return from;
        }
        let round = mode.round;
        let after = self.between(instance, place);
        let mut at = from;
        if first > round {
            let matters = self.matters(first);
            self.made_up(instance, at, Op::Assume(build::not(matters)), after, round, place);
            at = self.step(instance, at, Op::Assume(matters), round, place);
        }
        let own = self.own_variables(started);
        let saved: Vec<Term> = own.iter().map(|variable| self.saved(instance, *variable)).collect();
        let mut keep: Vec<(Term, Term)> = saved.iter().copied().zip(own.iter().copied()).collect();
        at = self.step(instance, at, Op::Assign(keep.clone()), round, place);
        let declared = self.program.globals.iter().filter(|global| global.thread_local).map(|global| global.term);
        let arbitrary: Vec<Term> = declared.filter(|global| own.contains(global)).collect();
        at = self.step(instance, at, Op::Havoc(arbitrary), round, place);
        let copy = self.instance(started, Role::Thread, Mode::begin(first));
        let arguments = self.arguments.get(&site).cloned().unwrap_or_default();
        let op = Op::Call { procedure: ProcId(copy as u32), arguments, results: Vec::new() };
        let ended = self.between(instance, place);
        let origin = Origin { edge: None, round, event: Event::Begin(site.0, site.1) };
        self.edge(instance, Edge { from: at, to: ended, op, place }, origin);
        keep.iter_mut().for_each(|(saved, variable)| std::mem::swap(saved, variable));
        at = self.step(instance, ended, Op::Assign(keep), round, place);
        let (matters, fails) = (self.matters(round), self.sharing.may_fail[started.0 as usize]);
        if fails {
            let stop = self.step(instance, at, Op::Assume(build::not(matters)), round, place);
            self.stop(instance, stop, round, place);
        }
        let go_on = if fails { Op::Assume(matters) } else { Op::skip() };
        self.made_up(instance, at, go_on, after, round, place);
        after
    }

    /// An edge that the pass makes up, to a new location.
    fn step(&mut self, instance: usize, from: LocId, op: Op, round: u32, place: Option<Place>) -> LocId {
        let to = self.between(instance, place);
        self.made_up(instance, from, op, to, round, place);
        to
    }

    /// What keeps a variable of the running thread while another one runs.
    fn saved(&mut self, instance: usize, variable: Term) -> Term {
        if let Some(known) = self.instances[instance].saved.get(&variable) {
            return *known;
        }
        let saved = self.local(instance, "$saved", variable.sort());
        self.instances[instance].saved.insert(variable, saved);
        saved
    }

    /// The variables of which each thread has its own, as far as a thread that starts with a procedure may touch them.
    fn own_variables(&mut self, started: ProcId) -> Vec<Term> {
        let program = self.program;
        let mut pending = vec![started];
        let mut seen: FxHashSet<ProcId> = pending.iter().copied().collect();
        let (mut touched, mut kept) = (FxHashSet::default(), Vec::new());
        let mut free = Free::new();
        while let Some(procedure) = pending.pop() {
            for (id, edge) in program.procedure(procedure).body.iter().flat_map(Cfa::edges) {
                touched.extend(edge.op.writes());
                let terms = match &edge.op {
                    Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
                    Op::Assume(condition) => vec![*condition],
                    Op::Call { arguments, .. } | Op::Spawn { arguments, .. } => arguments.clone(),
                    Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
                };
                terms.into_iter().for_each(|term| touched.extend(free.of(term).iter()));
                if let Op::Spawn { arguments, .. } = &edge.op {
                    kept.extend(self.arguments_of((procedure, id), arguments));
                }
                if let Op::Call { procedure, .. } | Op::Spawn { procedure, .. } = edge.op
                    && seen.insert(procedure)
                {
                    pending.push(procedure);
                }
            }
        }
        let own = program.globals.iter().filter(|global| global.thread_local).map(|global| global.term);
        own.filter(|global| touched.contains(global)).chain(kept).collect()
    }
}
