//! Threads: asynchronous calls, fork and join, atomic sections, yields, and the procedures by which Corral's programs ask
//! about threads.
//!
//! `Op::Spawn` starts a thread. What threads need to know about themselves lies in variables that only such programs have:
//!
//! * `$self` and `$child` (of each thread) and `$threads` are the numbers of the thread, of the last one that it started,
//!   and of all; the first thread is 1, as Corral counts.
//! * A fork with an identifier takes a ticket, the next number of `$tickets`. `$id:p`, `$done:p` and `$result:p` tell for each
//!   ticket of a thread that runs `p` its identifier, whether it has ended and was not yet joined, and its results. A join takes any
//!   ticket with its identifier whose thread has ended, or waits.
//! * If threads are cooperative, each of them runs in an atomic section that `yield` leaves for a moment.

use super::context::{Lowered, Lowering, TypeArguments};
use super::writer::{EXIT, Frame, Label};
use crate::Options;
use crate::check::types::Type;
use crate::hir::*;
use crate::syntax::ExprId;
use ir::{Op, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, Span};
use term::{Sort, SortKind, Term, build};

/// What the names of procedures begin with that tell values.
const RECORDS: &str = "boogie_si_record_";

/// What threads of a program do.
#[derive(Default)]
pub struct Threads {
    is_cooperative: bool,
    /// Whether threads ask for their numbers.
    has_numbers: bool,
    has_joins: bool,
    /// The procedures that are forked, with the types of the identifiers.
    forks: Vec<(ProcedureId, Vec<Type>)>,
    /// Whether a thread is started anywhere.
    pub is_used: bool,
    shared: FxHashMap<&'static str, Term>,
    forked: FxHashMap<(ProcedureId, Vec<Sort>), Forked>,
    bodies: FxHashMap<(ProcId, Vec<Sort>), ProcId>,
    /// What the bookkeeping starts with.
    pub initial: Vec<(Term, Term)>,
}

/// The bookkeeping about the threads that run a procedure and have identifiers of certain sorts: maps from tickets.
#[derive(Clone)]
struct Forked {
    done: Term,
    ids: Vec<Term>,
    results: Vec<Term>,
}

impl Threads {
    pub fn of(unit: &Unit, options: &Options) -> Threads {
        let mut threads = Threads { is_cooperative: options.cooperative, ..Threads::default() };
        for statement in unit.procedures.iter().flat_map(statements) {
            match &statement.kind {
                StatementKind::Call(call) => {
                    let name = unit.procedure(call.callee).name;
                    threads.has_numbers |= matches!(name.as_str(), "corral_getThreadID" | "corral_getChildThreadID");
                }
                StatementKind::Fork { id, call } => {
                    let types = id.iter().map(|e| unit.type_of(*e)).collect();
                    threads.forks.push((call.callee, types));
                }
                StatementKind::Join { .. } => threads.has_joins = true,
                _ => {}
            }
        }
        threads
    }
}

/// All statements of a procedure, those inside others too.
fn statements(procedure: &Procedure) -> Vec<&Statement> {
    let mut all: Vec<&Statement> = procedure.implementations.iter().flat_map(|i| &i.body.statements).collect();
    let mut next = 0;
    while let Some(statement) = all.get(next) {
        next += 1;
        match &statement.kind {
            StatementKind::If { then, other, .. } => all.extend(then.iter().chain(other)),
            StatementKind::While { body, .. } | StatementKind::Atomic(body) => all.extend(body),
            _ => {}
        }
    }
    all
}

impl Lowering<'_> {
    /// A variable of the bookkeeping, shared by all threads or not.
    fn bookkeeping(&mut self, name: &'static str, thread_local: bool, initial: i32) -> Term {
        if let Some(known) = self.threads.shared.get(name) {
            return *known;
        }
        let name_in_program = self.fresh_name(name);
        let variable = ir::Variable { thread_local, ..ir::Variable::internal(name_in_program, Sort::int()) };
        let term = variable.term;
        self.program.globals.push(variable);
        self.threads.shared.insert(name, term);
        self.threads.initial.push((term, build::int(initial)));
        term
    }

    fn self_number(&mut self) -> Term {
        self.bookkeeping("$self", true, 1)
    }

    fn child_number(&mut self) -> Term {
        self.bookkeeping("$child", true, 0)
    }

    /// A call of one of the procedures that stand for operations on threads, or for telling values. Whether it was one.
    pub fn special_call(&mut self, call: &Call, span: Span, place: Place, frame: &mut Frame) -> Lowered<bool> {
        let procedure = self.unit.procedure(call.callee);
        if !procedure.implementations.is_empty() {
            return Ok(false);
        }
        let at = Some(place);
        match procedure.name.as_str() {
            "corral_atomic_begin" => frame.step(Op::AtomicBegin, at),
            "corral_atomic_end" => frame.step(Op::AtomicEnd, at),
            "corral_assert_not_reachable" => {
                self.assertion(build::falsehood(), "corral_assert_not_reachable is called".to_string(), place, frame);
            }
            "corral_getThreadID" | "corral_getChildThreadID" if call.results.len() == 1 => {
                let number = match procedure.name.as_str() {
                    "corral_getThreadID" => self.self_number(),
                    _ => self.child_number(),
                };
                let target = self.targets(&call.results, span, frame)?[0];
                let value = match *target.sort().kind() {
                    SortKind::Int => number,
                    SortKind::BitVec(width) => build::int_to_bv(width, number),
                    _ => return self.refuse("the number of a thread in a variable of this type", span),
                };
                frame.step(Op::assign(target, value), at);
            }
            name if name.starts_with(RECORDS) && call.arguments.len() == 1 && call.results.is_empty() => {
                self.record(call, place, frame)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A call that tells a value of the program that this one was made of: a variable with the name that it has there takes it.
    fn record(&mut self, call: &Call, place: Place, frame: &mut Frame) -> Lowered<()> {
        let value = self.expr(call.arguments[0], &mut frame.env)?;
        let Some(name) = call.attributes.text("cexpr") else { return Ok(()) };
        let own = frame.local_name(name.as_str());
        let variable = ir::Variable { user_name: Some(name), ..ir::Variable::internal(own, value.sort()) };
        frame.step(Op::assign(variable.term, value), Some(place));
        frame.locals.push(variable);
        Ok(())
    }

    /// Lets other threads run.
    pub fn yields(&mut self, place: Place, frame: &mut Frame) {
        if self.threads.is_cooperative {
            frame.step(Op::AtomicEnd, Some(place));
            frame.step(Op::AtomicBegin, Some(place));
        }
    }

    pub fn is_cooperative(&self) -> bool {
        self.threads.is_cooperative
    }

    pub fn async_call(&mut self, call: &Call, span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        let types = self.ground_all(&call.types, &frame.env.types);
        let arguments = self.exprs(&call.arguments, &mut frame.env)?;
        self.threads_can_start(span)?;
        let procedure = self.procedure(call.callee, &types, span)?;
        self.require(call.callee, &types, &arguments, place, frame)?;
        self.spawn(procedure, None, arguments, place, frame);
        Ok(())
    }

    /// The copies that a new thread has of variables are arbitrary, which their `where` clauses would have to restrict.
    fn threads_can_start(&self, span: Span) -> Lowered<()> {
        let mut globals = self.unit.globals.iter().map(|global| self.unit.variable(*global));
        match globals.any(|variable| variable.thread_local && variable.condition.is_some()) {
            true => self.refuse("a thread beside a thread-local variable with a where clause", span),
            false => Ok(()),
        }
    }

    /// Whether the first thread seems to end inside an atomic section, so that the others could not go on in ours: some
    /// procedure that it runs does not begin as many as it ends.
    pub fn may_end_in_atomic(&self) -> bool {
        let mut pending = vec![self.entry];
        let mut seen: FxHashSet<ProcedureId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            let mut balance = 0;
            for statement in statements(self.unit.procedure(id)) {
                let StatementKind::Call(call) = &statement.kind else { continue };
                let callee = self.unit.procedure(call.callee);
                match callee.name.as_str() {
                    "corral_atomic_begin" => balance += 1,
                    "corral_atomic_end" => balance -= 1,
                    _ => pending.extend(seen.insert(call.callee).then_some(call.callee)),
                }
            }
            if balance != 0 {
                return true;
            }
        }
        false
    }

    /// Starts a thread; with a ticket, it tells when it has ended.
    fn spawn(
        &mut self,
        procedure: ProcId,
        ticket: Option<(Term, Forked)>,
        arguments: Vec<Term>,
        place: Place,
        frame: &mut Frame,
    ) {
        let at = Some(place);
        self.threads.is_used = true;
        let mut all = Vec::new();
        if self.threads.has_numbers {
            let (count, child) = (self.bookkeeping("$threads", false, 1), self.child_number());
            let next = build::add(count, build::int(1));
            frame.step(Op::AtomicBegin, at);
            frame.step(Op::Assign(vec![(count, next), (child, next)]), at);
            all.push(child);
        }
        all.extend(ticket.as_ref().map(|(number, _)| *number));
        all.extend(arguments);
        let body = self.thread_body(procedure, ticket.map(|(_, forked)| forked));
        let thread = frame.internal("$thread", Sort::int());
        frame.step(Op::Spawn { procedure: body, arguments: all, thread }, at);
        if self.threads.has_numbers {
            frame.step(Op::AtomicEnd, at);
        }
    }

    /// The procedure that a thread runs: what is to be run, with the bookkeeping around it.
    fn thread_body(&mut self, procedure: ProcId, forked: Option<Forked>) -> ProcId {
        if !self.threads.has_numbers && !self.threads.is_cooperative && forked.is_none() {
            return procedure;
        }
        let sorts: Vec<Sort> = forked.iter().flat_map(|f| &f.ids).map(|id| id.sort()).collect();
        let key = (procedure, sorts);
        if let Some(known) = self.threads.bodies.get(&key) {
            return *known;
        }
        let run = self.program.procedures[procedure.0 as usize].clone();
        let name = self.fresh_name(&format!("{}$thread", run.name));
        let place = run.place;
        let mut frame = Frame::new(name, place);
        let start = frame.here();
        let mut parameters = Vec::new();
        let mut parameter = |wanted: &str, sort: Sort, frame: &mut Frame| {
            let variable = ir::Variable::internal(frame.local_name(wanted), sort);
            let term = variable.term;
            parameters.push(variable);
            term
        };
        let own = self.threads.has_numbers.then(|| parameter("$self", Sort::int(), &mut frame));
        let ticket = forked.is_some().then(|| parameter("$ticket", Sort::int(), &mut frame));
        let arguments: Vec<Term> =
            run.parameters.iter().enumerate().map(|(n, p)| parameter(&format!("{n}"), p.sort(), &mut frame)).collect();
        let results: Vec<Term> =
            run.results.iter().enumerate().map(|(n, r)| frame.internal(&format!("result{n}"), r.sort())).collect();
        if self.threads.is_cooperative {
            frame.step(Op::AtomicBegin, place);
        }
        if let Some(own) = own {
            let number = self.self_number();
            frame.step(Op::assign(number, own), place);
        }
        frame.step(Op::Call { procedure, arguments, results: results.clone() }, place);
        if let (Some(ticket), Some(forked)) = (ticket, &forked) {
            let mut pairs = vec![(forked.done, build::store(forked.done, ticket, build::truth()))];
            let stored = forked.results.iter().zip(&results);
            pairs.extend(stored.map(|(map, result)| (*map, build::store(*map, ticket, *result))));
            frame.step(Op::Assign(pairs), place);
        }
        if self.threads.is_cooperative {
            frame.step(Op::AtomicEnd, place);
        }
        let last = frame.here();
        frame.edge(last, Op::skip(), EXIT, place);
        let (locals, body) = frame.finish(Vec::new(), start, place);
        let number = ProcId(self.program.procedures.len() as u32);
        self.program.procedures.push(ir::Procedure {
            name,
            parameters,
            variadic: false,
            results: Vec::new(),
            locals,
            body: Ok(body),
            place,
        });
        self.threads.bodies.insert(key, number);
        number
    }

    /// Calls side by side: each runs in a thread of its own, and all of them have ended when the next statement begins.
    pub fn parallel(&mut self, calls: &[Call], span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        let at = Some(place);
        self.threads_can_start(span)?;
        let mut running = Vec::new();
        for call in calls {
            let types = self.ground_all(&call.types, &frame.env.types);
            if !types.is_empty() {
                return self.refuse("a parallel call of a procedure with type parameters", span);
            }
            let arguments = self.exprs(&call.arguments, &mut frame.env)?;
            let results = self.targets(&call.results, span, frame)?;
            let procedure = self.procedure(call.callee, &types, span)?;
            self.require(call.callee, &types, &arguments, place, frame)?;
            let forked = self.forked(call.callee, Vec::new(), span)?;
            let tickets = self.bookkeeping("$tickets", false, 0);
            let ticket = frame.internal("$ticket", Sort::int());
            running.push((procedure, forked, tickets, ticket, arguments, results));
        }
        for (procedure, forked, tickets, ticket, arguments, _) in &running {
            frame.step(Op::AtomicBegin, at);
            let next = build::add(*tickets, build::int(1));
            frame.step(Op::Assign(vec![(*tickets, next), (*ticket, next)]), at);
            self.spawn(*procedure, Some((*ticket, forked.clone())), arguments.clone(), place, frame);
            frame.step(Op::AtomicEnd, at);
        }
        self.yields(place, frame);
        let ended = running.iter().map(|(_, forked, _, ticket, ..)| build::select(forked.done, *ticket));
        frame.step(Op::Assume(build::and(ended)), at);
        for (_, forked, _, ticket, _, results) in running {
            let taken = results.into_iter().zip(&forked.results);
            frame.step(Op::Assign(taken.map(|(to, map)| (to, build::select(*map, ticket))).collect()), at);
        }
        Ok(())
    }

    pub fn fork(&mut self, id: &[ExprId], call: &Call, span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        if !self.threads.has_joins {
            return self.async_call(call, span, place, frame);
        }
        let at = Some(place);
        let types = self.ground_all(&call.types, &frame.env.types);
        if !types.is_empty() {
            return self.refuse("a fork of a procedure with type parameters", span);
        }
        let ids = self.exprs(id, &mut frame.env)?;
        let arguments = self.exprs(&call.arguments, &mut frame.env)?;
        self.threads_can_start(span)?;
        let procedure = self.procedure(call.callee, &types, span)?;
        self.require(call.callee, &types, &arguments, place, frame)?;
        let sorts: Vec<Sort> = ids.iter().map(|id| id.sort()).collect();
        let forked = self.forked(call.callee, sorts, span)?;
        let tickets = self.bookkeeping("$tickets", false, 0);
        frame.step(Op::AtomicBegin, at);
        frame.step(Op::assign(tickets, build::add(tickets, build::int(1))), at);
        let pairs = forked.ids.iter().zip(ids).map(|(map, id)| (*map, build::store(*map, tickets, id))).collect();
        frame.step(Op::Assign(pairs), at);
        self.spawn(procedure, Some((tickets, forked)), arguments, place, frame);
        frame.step(Op::AtomicEnd, at);
        Ok(())
    }

    /// The bookkeeping for a procedure and sorts of identifiers.
    fn forked(&mut self, callee: ProcedureId, sorts: Vec<Sort>, span: Span) -> Lowered<Forked> {
        let key = (callee, sorts);
        if let Some(known) = self.threads.forked.get(&key) {
            return Ok(known.clone());
        }
        let name = self.unit.procedure(callee).name;
        let mut outputs = Vec::new();
        for result in self.unit.procedure(callee).results.clone() {
            let ty = self.unit.variable(result).ty;
            outputs.push(self.sort(ty, &TypeArguments::default(), span)?);
        }
        let mut map = |what: &str, element: Sort| {
            let name = self.fresh_name(&format!("${what}:{name}"));
            let variable = ir::Variable::internal(name, Sort::array(Sort::int(), element));
            let term = variable.term;
            self.program.globals.push(variable);
            term
        };
        let done = map("done", Sort::bool());
        let ids = key.1.iter().map(|sort| map("id", *sort)).collect();
        let results = outputs.into_iter().map(|sort| map("result", sort)).collect();
        self.threads.initial.push((done, build::const_array(done.sort(), build::falsehood())));
        let forked = Forked { done, ids, results };
        self.threads.forked.insert(key, forked.clone());
        Ok(forked)
    }

    /// Waits for a thread of the identifier to end, and takes its results.
    pub fn join(
        &mut self,
        id: &[ExprId],
        results: &[VarId],
        span: Span,
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let at = Some(place);
        let ids = self.exprs(id, &mut frame.env)?;
        let targets = self.targets(results, span, frame)?;
        let sorts: Vec<Sort> = ids.iter().map(|id| id.sort()).collect();
        let ticket = frame.internal("$ticket", Sort::int());
        frame.step(Op::Havoc(vec![ticket]), at);
        let here = frame.here();
        let end = Label { location: frame.location(at), atomic: frame.atomic };
        let mut tried: Vec<ProcedureId> = Vec::new();
        for (callee, types) in self.threads.forks.clone() {
            let mut found = Vec::new();
            for ty in types {
                found.push(self.sort(ty, &frame.env.types, span)?);
            }
            if found != sorts || tried.contains(&callee) {
                continue;
            }
            tried.push(callee);
            let forked = self.forked(callee, found, span)?;
            let fits = targets.is_empty()
                || forked.results.len() == targets.len()
                    && targets.iter().zip(&forked.results).all(|(t, r)| r.sort() == Sort::array(Sort::int(), t.sort()));
            if !fits {
                continue;
            }
            frame.go_on_at(here);
            frame.step(Op::AtomicBegin, at);
            let same = forked.ids.iter().zip(&ids).map(|(map, id)| build::eq(build::select(*map, ticket), *id));
            let has_ended = build::select(forked.done, ticket);
            frame.step(Op::Assume(build::and(std::iter::once(has_ended).chain(same))), at);
            let mut pairs = vec![(forked.done, build::store(forked.done, ticket, build::falsehood()))];
            let taken = targets.iter().zip(&forked.results);
            pairs.extend(taken.map(|(target, map)| (*target, build::select(*map, ticket))));
            frame.step(Op::Assign(pairs), at);
            frame.step(Op::AtomicEnd, at);
            frame.jump(end, at);
        }
        // Without a thread that could be meant, nothing goes on.
        frame.go_on_at(end.location);
        Ok(())
    }
}
