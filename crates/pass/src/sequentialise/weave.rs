//! The woven program: copies of procedures, whose locations are copied for each [`Mode`] in which they can be reached.

use super::lift::{Event, Interleave, Origin};
use super::sharing::Sharing;
use super::{Mode, Role, Site};
use crate::Passed;
use ir::{Cfa, Edge, LocId, Location, LocationKind, ObjectKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, Symbol};
use std::sync::Arc;
use term::subst::substitute;
use term::{Sort, Term, build};

/// Atomic sections that are nested deeper are not supported.
const MOST_DEPTH: u32 = 8;
const CODE: u32 = 16;
const ENTRY: LocId = LocId(0);
const EXIT: LocId = LocId(1);

pub struct Weaver<'a> {
    pub program: &'a Program,
    pub sharing: Sharing,
    pub rounds: u32,
    /// For each round the names of the copied globals.
    copies: Vec<FxHashMap<Term, Term>>,
    /// For each round what was guessed, beside the copies; what the first begins with is not guessed.
    guesses: Vec<Vec<(Term, Term)>>,
    /// The first round that does not matter any more.
    pub limit: Term,
    /// Which kind of violation has happened.
    error: Term,
    /// In which mode a copy of a procedure was left.
    left: Term,
    /// How many threads were started.
    pub counter: Term,
    pub globals: Vec<Variable>,
    names: FxHashSet<Symbol>,
    numbers: FxHashMap<(ProcId, Role, Mode), usize>,
    pub instances: Vec<Instance>,
    /// Copies of locations whose edges are still to be made.
    pending: Vec<(usize, LocId, Mode)>,
    modes: Vec<Option<Mode>>,
    errors: Vec<LocationKind>,
    /// Where each edge that starts a thread keeps the arguments until the thread begins.
    pub arguments: FxHashMap<Site, Vec<Term>>,
}

/// A copy of a procedure for one role, entered in one mode.
pub struct Instance {
    pub procedure: ProcId,
    pub role: Role,
    rename: FxHashMap<Term, Term>,
    nodes: FxHashMap<(LocId, Mode), LocId>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    origins: Vec<Origin>,
    pub locals: Vec<Variable>,
    /// What keeps thread-local variables while another thread runs.
    pub saved: FxHashMap<Term, Term>,
    /// The modes in which it can be left; `None` if the thread does nothing more.
    exits: Vec<Option<Mode>>,
    /// The edges that tell the caller about it: their numbers and modes.
    leaving: Vec<(usize, Option<Mode>)>,
    /// Who waits for it to return.
    callers: Vec<Caller>,
}

/// Where a call goes on.
#[derive(Clone)]
pub struct Caller {
    pub instance: usize,
    /// Behind the call.
    pub from: LocId,
    /// The location of the program before that is next.
    pub to: LocId,
    /// What the targets of the call take from the variables that hold the results; empty if the call assigns them itself.
    pub results: Vec<(Term, Term)>,
    pub place: Option<Place>,
}

impl<'a> Weaver<'a> {
    pub fn new(program: &'a Program, sharing: Sharing, rounds: u32) -> Weaver<'a> {
        let variables = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        let names = program.globals.iter().chain(variables).map(Variable::name);
        let functions = program.functions.iter().map(|function| function.name);
        let placeholder = build::truth();
        let mut weaver = Weaver {
            program,
            sharing,
            rounds,
            copies: vec![FxHashMap::default()],
            guesses: Vec::new(),
            limit: placeholder,
            error: placeholder,
            left: placeholder,
            counter: placeholder,
            globals: program.globals.clone(),
            names: names.chain(functions).collect(),
            numbers: FxHashMap::default(),
            instances: Vec::new(),
            pending: Vec::new(),
            modes: vec![None],
            errors: Vec::new(),
            arguments: FxHashMap::default(),
        };
        weaver.limit = weaver.global("$limit", Sort::bv(CODE));
        weaver.error = weaver.global("$error", Sort::bv(CODE));
        weaver.left = weaver.global("$left", Sort::bv(CODE));
        weaver.counter = weaver.global("$started", Sort::bv(32));
        let counter = weaver.sharing.has_numbers.then_some(weaver.counter);
        let copied: Vec<Term> = weaver.sharing.copied.iter().copied().chain(counter).collect();
        weaver.guesses = vec![copied.iter().map(|variable| (*variable, *variable)).collect()];
        for round in 1..rounds {
            let mut copies = FxHashMap::default();
            let mut guesses = Vec::new();
            for variable in &copied {
                let name = variable.name().expect("globals have names");
                let copy = weaver.global(&format!("{name}@{round}"), variable.sort());
                copies.insert(*variable, copy);
                guesses.push((weaver.global(&format!("{name}^{round}"), variable.sort()), copy));
            }
            weaver.copies.push(copies);
            weaver.guesses.push(guesses);
        }
        weaver
    }

    /// A name that nothing else has.
    pub fn fresh(&mut self, wanted: &str) -> Symbol {
        let mut name = Symbol::new(wanted);
        while !self.names.insert(name) {
            name = Symbol::new(&format!("{name}'"));
        }
        name
    }

    pub fn global(&mut self, wanted: &str, sort: Sort) -> Term {
        let variable = Variable::internal(self.fresh(wanted), sort);
        let term = variable.term;
        self.globals.push(variable);
        term
    }

    pub fn run(mut self) -> Passed {
        self.instance(self.program.entry, Role::First, Mode::begin(0));
        while let Some((instance, location, mode)) = self.pending.pop() {
            self.expand(instance, location, &mode);
        }
        self.check();
        self.tell_modes();
        self.finish()
    }

    /// The number of a copy of a procedure, which is made if there is none.
    pub fn instance(&mut self, procedure: ProcId, role: Role, mode: Mode) -> usize {
        let number = self.instances.len();
        let known = *self.numbers.entry((procedure, role, mode.clone())).or_insert(number);
        if known != number {
            return known;
        }
        let declared = self.program.procedure(procedure);
        let Ok(cfa) = &declared.body else { unreachable!("only procedures with a body are copied") };
        let mut rename = FxHashMap::default();
        if self.instances.iter().any(|instance| instance.procedure == procedure) {
            for variable in declared.parameters.iter().chain(&declared.results).chain(&declared.locals) {
                let name = self.fresh(&format!("{}@{number}", variable.name()));
                rename.insert(variable.term, Term::var(name, variable.sort()));
            }
        }
        self.instances.push(Instance {
            procedure,
            role,
            rename,
            nodes: FxHashMap::default(),
            locations: vec![cfa.location(cfa.entry()).clone(), cfa.location(cfa.exit()).clone()],
            edges: Vec::new(),
            origins: Vec::new(),
            locals: Vec::new(),
            saved: FxHashMap::default(),
            exits: Vec::new(),
            leaving: Vec::new(),
            callers: Vec::new(),
        });
        if role == Role::First {
            let first = self.node(number, cfa.entry(), &mode);
            let mut initial = vec![(self.limit, build::bv(CODE, self.rounds.into())), (self.error, build::bv(CODE, 0))];
            if self.sharing.has_numbers {
                initial.push((self.counter, build::bv(32, 0)));
            }
            initial.extend(self.guesses.iter().skip(1).flatten());
            self.made_up(number, ENTRY, Op::Assign(initial), first, 0, None);
        } else {
            self.instances[number].nodes.insert((cfa.entry(), mode.clone()), ENTRY);
            self.pending.push((number, cfa.entry(), mode));
        }
        number
    }

    /// The copy of a location for a mode.
    pub fn node(&mut self, instance: usize, location: LocId, mode: &Mode) -> LocId {
        let procedure = self.instances[instance].procedure;
        if let Some(known) = self.instances[instance].nodes.get(&(location, mode.clone())) {
            return *known;
        }
        let Ok(cfa) = &self.program.procedure(procedure).body else { unreachable!("copied procedures have a body") };
        let copy = Location { kind: LocationKind::Plain, ..cfa.location(location).clone() };
        let node = self.location(instance, copy);
        self.instances[instance].nodes.insert((location, mode.clone()), node);
        self.pending.push((instance, location, mode.clone()));
        node
    }

    fn location(&mut self, instance: usize, location: Location) -> LocId {
        let locations = &mut self.instances[instance].locations;
        locations.push(location);
        LocId(locations.len() as u32 - 1)
    }

    /// A location that the pass makes up.
    pub fn between(&mut self, instance: usize, place: Option<Place>) -> LocId {
        self.location(instance, Location { kind: LocationKind::Plain, label: None, place })
    }

    pub fn edge(&mut self, instance: usize, edge: Edge, origin: Origin) -> usize {
        let instance = &mut self.instances[instance];
        instance.edges.push(edge);
        instance.origins.push(origin);
        instance.edges.len() - 1
    }

    /// An edge that the pass makes up.
    pub fn made_up(
        &mut self,
        instance: usize,
        from: LocId,
        op: Op,
        to: LocId,
        round: u32,
        place: Option<Place>,
    ) -> usize {
        self.edge(instance, Edge { from, to, op, place }, Origin { round, ..Origin::default() })
    }

    /// A term as it stands in a copy of a procedure in a round.
    pub fn renamed(&self, instance: usize, round: u32, term: Term) -> Term {
        let (own, copies) = (&self.instances[instance].rename, &self.copies[round as usize]);
        substitute(term, |variable| own.get(&variable).or_else(|| copies.get(&variable)).copied())
    }

    /// A new local variable of a copy of a procedure.
    pub fn local(&mut self, instance: usize, wanted: &str, sort: Sort) -> Term {
        let variable = Variable::internal(self.fresh(wanted), sort);
        let term = variable.term;
        self.instances[instance].locals.push(variable);
        term
    }

    /// Makes the edges of a copy of a location.
    fn expand(&mut self, instance: usize, location: LocId, mode: &Mode) {
        let node = self.node(instance, location, mode);
        let Instance { procedure, role, .. } = self.instances[instance];
        let Ok(cfa) = &self.program.procedure(procedure).body else { unreachable!("copied procedures have a body") };
        let here = cfa.location(location);
        match here.kind {
            kind @ (LocationKind::Error(_) | LocationKind::Unsupported(_)) => {
                self.fail(instance, node, kind, mode.round, here.place);
                return;
            }
            LocationKind::End => return,
            LocationKind::Plain => {}
        }
        if location == cfa.exit() {
            match role {
                // The end of the first thread is the end of the program.
                Role::First => {}
                Role::Thread => {
                    let last = self.begin_pending(instance, node, mode, here.place);
                    self.stop(instance, last, mode.round, here.place);
                }
                Role::Called => self.leave(instance, node, Some(mode.clone()), here.place),
            }
            return;
        }
        let begins = role == Role::Thread && location == cfa.entry();
        if mode.depth == 0 && (begins || self.sharing.is_point(procedure, location)) {
            self.interrupt(instance, node, location, mode, here.place);
        }
        for edge in cfa.outgoing(location) {
            self.operation(instance, node, *edge, mode);
        }
    }

    /// The thread runs again in a later round, or never.
    fn interrupt(&mut self, instance: usize, node: LocId, location: LocId, mode: &Mode, place: Option<Place>) {
        let next = mode.round + 1;
        if next < self.rounds {
            let later = self.node(instance, location, &Mode { round: next, ..mode.clone() });
            self.made_up(instance, node, Op::Assume(self.matters(next)), later, mode.round, place);
        }
        if self.instances[instance].role != Role::First || self.sharing.threads_fail {
            self.stop(instance, node, mode.round, place);
        }
    }

    /// That a round still matters.
    pub fn matters(&self, round: u32) -> Term {
        if !self.sharing.threads_fail {
            return build::truth();
        }
        build::bv_ult(build::bv(CODE, round.into()), self.limit)
    }

    /// The running thread does nothing more.
    pub fn stop(&mut self, instance: usize, from: LocId, round: u32, place: Option<Place>) {
        match self.instances[instance].role {
            Role::First => {
                let check = self.check_location(instance);
                self.made_up(instance, from, Op::skip(), check, round, place);
            }
            Role::Thread => {
                let origin = Origin { edge: None, round, event: Event::End };
                self.edge(instance, Edge { from, to: EXIT, op: Op::skip(), place }, origin);
            }
            Role::Called => self.leave(instance, from, None, place),
        }
    }

    /// Leaves a copy of a procedure that was called; the caller goes on as the mode says.
    fn leave(&mut self, instance: usize, from: LocId, mode: Option<Mode>, place: Option<Place>) {
        let round = mode.as_ref().map_or(0, |mode| mode.round);
        let edge = self.made_up(instance, from, Op::skip(), EXIT, round, place);
        let left = &mut self.instances[instance];
        left.leaving.push((edge, mode.clone()));
        if left.exits.contains(&mode) {
            return;
        }
        left.exits.push(mode.clone());
        for caller in left.callers.clone() {
            self.go_on(instance, &caller, mode.as_ref());
        }
    }

    /// A call waits for a copy of a procedure.
    pub fn call(&mut self, callee: usize, caller: Caller) {
        for mode in self.instances[callee].exits.clone() {
            self.go_on(callee, &caller, mode.as_ref());
        }
        self.instances[callee].callers.push(caller);
    }

    /// Goes on behind a call that was left in a mode. Several modes are told apart by `$left`.
    fn go_on(&mut self, callee: usize, caller: &Caller, mode: Option<&Mode>) {
        let Caller { instance, from, to, ref results, place } = *caller;
        let round = mode.map_or(0, |mode| mode.round);
        let behind = self.between(instance, place);
        let code = self.code(mode);
        // Where there is one mode only, this is always so; but which there are is known in the end alone.
        let test = Op::Assume(build::eq(self.left, code));
        self.made_up(instance, from, test, behind, round, place);
        match mode {
            None => self.stop(instance, behind, round, place),
            Some(mode) => {
                let pairs = results.iter().map(|(target, value)| (self.renamed(instance, round, *target), *value));
                let op = Op::Assign(pairs.collect());
                let assigned = self.between(instance, place);
                self.made_up(instance, behind, op, assigned, round, place);
                self.arrive(instance, assigned, to, mode.clone(), place);
            }
        }
        debug_assert_eq!(self.instances[callee].role, Role::Called);
    }

    fn code(&mut self, mode: Option<&Mode>) -> Term {
        let known = self.modes.iter().position(|known| known.as_ref() == mode);
        let number = known.unwrap_or_else(|| {
            self.modes.push(mode.cloned());
            self.modes.len() - 1
        });
        build::bv(CODE, number as u128)
    }

    /// Lets the edges that leave called procedures say in which mode they do.
    fn tell_modes(&mut self) {
        for instance in 0..self.instances.len() {
            for (edge, mode) in std::mem::take(&mut self.instances[instance].leaving) {
                let code = self.code(mode.as_ref());
                self.instances[instance].edges[edge].op = Op::assign(self.left, code);
            }
        }
    }

    /// What a round left behind is what was guessed for the next, in all rounds up to one.
    fn is_consistent(&self, round: u32) -> Term {
        let rounds = 1..=round as usize;
        let ends = rounds.flat_map(|next| {
            self.guesses[next].iter().zip(&self.guesses[next - 1]).map(|((guess, _), (_, before))| (*guess, *before))
        });
        build::and(ends.map(|(guess, before)| build::eq(before, guess)))
    }

    /// A violation: in the first thread's own procedure it only remains to be checked.
    pub fn fail(&mut self, instance: usize, node: LocId, kind: LocationKind, round: u32, place: Option<Place>) {
        let origin = Origin { edge: None, round, event: Event::Violation };
        if self.instances[instance].role == Role::First {
            let error = self.location(instance, Location { kind, label: None, place });
            let op = Op::Assume(self.is_consistent(round));
            self.edge(instance, Edge { from: node, to: error, op, place }, origin);
            return;
        }
        let code = self.errors.iter().position(|known| *known == kind).unwrap_or_else(|| {
            self.errors.push(kind);
            self.errors.len() - 1
        });
        let noted = vec![(self.limit, build::bv(CODE, round.into())), (self.error, build::bv(CODE, code as u128))];
        let behind = self.between(instance, place);
        self.edge(instance, Edge { from: node, to: behind, op: Op::Assign(noted), place }, origin);
        self.stop(instance, behind, round, place);
    }

    /// Where the first thread has stopped, and it is checked whether the guesses were right.
    fn check_location(&mut self, first: usize) -> LocId {
        // The location of no copy of a location: the mode in which nothing runs.
        let key = (EXIT, Mode { round: self.rounds, depth: 0, pending: Vec::new() });
        if let Some(known) = self.instances[first].nodes.get(&key) {
            return *known;
        }
        let check = self.between(first, None);
        self.instances[first].nodes.insert(key, check);
        check
    }

    /// A violation that others noted is one if all guesses up to its round were right.
    fn check(&mut self) {
        let check = self.check_location(0);
        for round in 0..self.rounds {
            let condition =
                build::and([build::eq(self.limit, build::bv(CODE, round.into())), self.is_consistent(round)]);
            let right = self.between(0, None);
            self.made_up(0, check, Op::Assume(condition), right, round, None);
            for (code, kind) in self.errors.clone().into_iter().enumerate() {
                let error = self.location(0, Location { kind, label: None, place: None });
                let is_it = build::eq(self.error, build::bv(CODE, code as u128));
                self.made_up(0, right, Op::Assume(is_it), error, round, None);
            }
        }
    }

    fn finish(self) -> Passed {
        let Weaver { program, instances, globals, .. } = self;
        let mut procedures = Vec::new();
        let mut origins = Vec::new();
        for (number, instance) in instances.into_iter().enumerate() {
            let declared = program.procedure(instance.procedure);
            let own = |variable: &Variable| Variable {
                term: instance.rename.get(&variable.term).copied().unwrap_or(variable.term),
                ..variable.clone()
            };
            let mut locals: Vec<Variable> = declared.locals.iter().map(own).chain(instance.locals).collect();
            let mut results: Vec<Variable> = declared.results.iter().map(own).collect();
            if instance.role == Role::Thread {
                // Nobody reads what a thread returns.
                locals.append(&mut results);
            }
            let name = match number {
                0 => declared.name,
                _ => Symbol::new(&format!("{}@{number}", declared.name)),
            };
            procedures.push(Procedure {
                name,
                parameters: declared.parameters.iter().map(own).collect(),
                results,
                locals,
                body: Ok(Cfa::new(instance.locations, instance.edges, ENTRY, EXIT)),
                ..declared.clone()
            });
            origins.push(instance.origins);
        }
        let entry = program.procedure(program.entry);
        let known = program.globals.iter().chain(&entry.parameters).chain(&entry.results).chain(&entry.locals);
        let starts = program.procedures().flat_map(|(id, procedure)| {
            let edges = procedure.body.iter().flat_map(Cfa::edges);
            edges.filter(|(_, edge)| matches!(edge.op, Op::Spawn { .. })).map(move |(edge, _)| (id, edge))
        });
        let lift =
            Interleave { origins, starts: starts.collect(), known: known.map(|variable| variable.term).collect() };
        let objects = program.objects.iter().cloned().map(|mut object| {
            // Calls through pointers are branches on identities, so the object of a function is only something to compare with.
            if let ObjectKind::Function(_) = object.kind {
                object.kind = ObjectKind::Literal;
            }
            object
        });
        let globals = globals.into_iter().map(|global| Variable { thread_local: false, ..global });
        let program = Program {
            procedures,
            globals: globals.collect(),
            objects: objects.collect(),
            entry: ProcId(0),
            ..program.clone()
        };
        Passed { program, lift: Arc::new(lift) }
    }
}

impl Mode {
    /// In one more atomic section; `None` if there are too many.
    pub fn deeper(&self) -> Option<Mode> {
        (self.depth < MOST_DEPTH).then(|| Mode { depth: self.depth + 1, ..self.clone() })
    }
}
