//! Sets of states as terms over parameters, and what steps make of them.

use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use term::subst::substitute;
use term::{Sort, SortKind, Term};

/// The states whose variables have these values, for all parameters that satisfy the guard.
#[derive(Clone, Debug)]
pub struct Set {
    pub threads: Vec<Thread>,
    pub shared: FxHashMap<Term, Term>,
    /// The place of the thread in an atomic section, and how deep it is.
    pub atomic: Option<(usize, u32)>,
    pub guard: Term,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub procedure: ProcId,
    pub location: LocId,
    pub own: FxHashMap<Term, Term>,
}

/// The place of a thread, an edge that it could take, and the condition for it.
pub type Move = (usize, EdgeId, Term);

pub struct Executor<'a> {
    program: &'a Program,
    parameters: u32,
}

fn is_boolean(variable: &ir::Variable) -> bool {
    *variable.sort().kind() == SortKind::Bool
}

impl<'a> Executor<'a> {
    pub fn new(program: &'a Program) -> Executor<'a> {
        Executor { program, parameters: 0 }
    }

    /// A parameter that occurs nowhere yet.
    pub fn parameter(&mut self) -> Term {
        self.parameters += 1;
        Term::var(format!("$parameter{}", self.parameters).as_str(), Sort::bool())
    }

    fn cfa(&self, procedure: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(procedure).body.as_ref().ok()
    }

    /// A thread whose variables have arbitrary values.
    fn thread(&mut self, procedure: ProcId) -> Thread {
        let program = self.program;
        let declared = program.procedure(procedure);
        let copies = program.globals.iter().filter(|global| global.thread_local);
        let all = copies.chain(&declared.parameters).chain(&declared.results).chain(&declared.locals);
        let own =
            all.filter(|variable| is_boolean(variable)).map(|variable| (variable.term, self.parameter())).collect();
        let location = self.cfa(procedure).map_or(LocId(0), Cfa::entry);
        Thread { procedure, location, own }
    }

    /// The states in which execution starts.
    pub fn initial(&mut self) -> Set {
        let program = self.program;
        let globals = program.globals.iter().filter(|global| !global.thread_local && is_boolean(global));
        let shared = globals.map(|global| (global.term, self.parameter())).collect();
        let threads = vec![self.thread(program.entry)];
        Set { threads, shared, atomic: None, guard: term::build::truth() }
    }

    /// Whether the program as a whole ends at a location.
    fn is_end(&self, thread: &Thread) -> bool {
        self.cfa(thread.procedure).is_some_and(|cfa| {
            let is_last = thread.procedure == self.program.entry && thread.location == cfa.exit();
            is_last || cfa.location(thread.location).kind == LocationKind::End
        })
    }

    /// The steps that threads could take.
    pub fn moves(&self, set: &Set) -> Vec<Move> {
        let mut moves = Vec::new();
        if set.threads.iter().any(|thread| self.is_end(thread)) {
            return moves;
        }
        for (place, thread) in set.threads.iter().enumerate() {
            if set.atomic.is_some_and(|(holder, _)| holder != place) {
                continue;
            }
            let Some(cfa) = self.cfa(thread.procedure) else { continue };
            for id in cfa.outgoing(thread.location) {
                let guard = match &cfa.edge(*id).op {
                    Op::Assume(condition) => read(set, place, *condition),
                    _ => term::build::truth(),
                };
                moves.push((place, *id, guard));
            }
        }
        moves
    }

    /// The states after a step that was taken where `guard` holds.
    pub fn execute(&mut self, set: &Set, place: usize, edge: EdgeId, guard: Term) -> Set {
        let mut after = set.clone();
        after.guard = guard;
        let Some(cfa) = self.cfa(set.threads[place].procedure) else { return after };
        let edge = cfa.edge(edge);
        after.threads[place].location = edge.to;
        match &edge.op {
            Op::Assume(_) | Op::Call { .. } => {}
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    after.write(place, *variable, read(set, place, *value));
                }
            }
            Op::Havoc(variables) => {
                for variable in variables {
                    let value = self.parameter();
                    after.write(place, *variable, value);
                }
            }
            Op::Spawn { procedure, arguments, .. } => {
                let mut thread = self.thread(*procedure);
                for (parameter, argument) in self.program.procedure(*procedure).parameters.iter().zip(arguments) {
                    thread.own.insert(parameter.term, read(set, place, *argument));
                }
                after.threads.push(thread);
            }
            Op::AtomicBegin => after.atomic = Some((place, set.atomic.map_or(1, |(_, depth)| depth + 1))),
            Op::AtomicEnd => {
                after.atomic = match set.atomic {
                    Some((holder, depth)) if depth > 1 => Some((holder, depth - 1)),
                    _ => None,
                };
            }
        }
        self.without_ended(after)
    }

    /// Threads that have returned are gone, and so are those that can never move again, unless they keep others from moving.
    fn without_ended(&self, mut set: Set) -> Set {
        let mut place = 0;
        while place < set.threads.len() {
            let thread = &set.threads[place];
            let Some(cfa) = self.cfa(thread.procedure) else { return set };
            let stays =
                !cfa.outgoing(thread.location).is_empty() || cfa.location(thread.location).kind != LocationKind::Plain;
            let is_holder = set.atomic.is_some_and(|(holder, _)| holder == place);
            let blocks = is_holder && thread.location != cfa.exit();
            if stays || blocks || self.is_end(thread) {
                place += 1;
                continue;
            }
            set.threads.remove(place);
            set.atomic = match set.atomic {
                Some((holder, _)) if holder == place => None,
                Some((holder, depth)) if holder > place => Some((holder - 1, depth)),
                other => other,
            };
        }
        set
    }
}

impl Set {
    fn write(&mut self, place: usize, variable: Term, value: Term) {
        match self.shared.get_mut(&variable) {
            Some(old) => *old = value,
            None => {
                self.threads[place].own.insert(variable, value);
            }
        }
    }
}

/// A term's value for a thread.
fn read(set: &Set, place: usize, term: Term) -> Term {
    let own = &set.threads[place].own;
    substitute(term, |variable| own.get(&variable).or_else(|| set.shared.get(&variable)).copied())
}
