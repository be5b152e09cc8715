//! The same question by enumerating explicit states one by one (Definition 1): what the symbolic search is compared with and
//! tested against. It shares nothing with the search but the program.
//!
//! Threads that have returned are dropped; nothing else is simplified, so every variable counts, whether it is read or not.

use engine::{Reason, Run};
use ir::{Cfa, LocationKind, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use term::{Op as TermOp, SortKind, Term};

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enumerated {
    pub is_violated: bool,
    pub states: usize,
}

/// An explicit state.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    shared: Vec<bool>,
    threads: Vec<Thread>,
    /// The place of the thread in an atomic section, and how deep it is.
    atomic: Option<(usize, u32)>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    procedure: usize,
    location: u32,
    own: Vec<bool>,
}

enum Expr {
    Constant(bool),
    Shared(usize),
    Own(usize),
    Apply(&'static TermOp, Vec<Expr>),
}

impl Expr {
    fn value(&self, shared: &[bool], own: &[bool]) -> bool {
        match self {
            Expr::Constant(value) => *value,
            Expr::Shared(number) => shared[*number],
            Expr::Own(number) => own[*number],
            Expr::Apply(op, parts) => {
                let part = |number: usize| parts[number].value(shared, own);
                match op {
                    TermOp::Not => !part(0),
                    TermOp::And => parts.iter().all(|part| part.value(shared, own)),
                    TermOp::Or => parts.iter().any(|part| part.value(shared, own)),
                    TermOp::Implies => !part(0) || part(1),
                    TermOp::Xor => part(0) != part(1),
                    TermOp::Eq => part(0) == part(1),
                    _ => part(if part(0) { 1 } else { 2 }),
                }
            }
        }
    }
}

enum Step {
    Assign(Vec<(Expr, Expr)>),
    Assume(Expr),
    Havoc(Vec<Expr>),
    Spawn(usize, Vec<Expr>),
    AtomicBegin,
    AtomicEnd,
}

struct Body<'a> {
    cfa: &'a Cfa,
    /// How many variables a thread has.
    size: usize,
    parameters: Vec<usize>,
    /// The other variables that have arbitrary values at first.
    open: Vec<usize>,
    /// Whether the program starts here.
    is_entry: bool,
    /// By location: where steps lead.
    steps: Vec<Vec<(Step, u32)>>,
}

/// Enumerates the states of a program without calls that has only Booleans, at most `most` of them. Only variables that
/// `is_open` says matter have arbitrary values at first; the others begin with false.
pub fn enumerate(
    program: &Program,
    most: usize,
    is_open: &dyn Fn(Term) -> bool,
    run: &mut Run,
) -> Result<Enumerated, Reason> {
    let bodies = compile(program, is_open)?;
    let shared = program.globals.iter().filter(|global| !global.thread_local && is_boolean(global.term)).count();
    let entry = program.entry.0 as usize;
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut pending: Vec<State> = Vec::new();
    let first =
        Thread { procedure: entry, location: bodies[entry].cfa.entry().0, own: vec![false; bodies[entry].size] };
    let blank = State { shared: vec![false; shared], threads: vec![first], atomic: None };
    let globals = program.globals.iter().filter(|global| !global.thread_local && is_boolean(global.term));
    let open: Vec<usize> = globals.enumerate().filter(|(_, global)| is_open(global.term)).map(|(i, _)| i).collect();
    let own = &bodies[entry].open;
    let all = open.len() + own.len() + bodies[entry].parameters.len();
    if all >= usize::BITS as usize || 1 << all > most {
        return Err(Reason::BoundReached(vec![("states", most as u64)]));
    }
    for values in 0..1usize << all {
        let mut state = blank.clone();
        let bit = |number: usize| values >> number & 1 == 1;
        open.iter().enumerate().for_each(|(n, variable)| state.shared[*variable] = bit(n));
        let own = own.iter().chain(&bodies[entry].parameters).enumerate();
        own.for_each(|(n, variable)| state.threads[0].own[*variable] = bit(open.len() + n));
        if seen.insert(state.clone()) {
            pending.push(state);
        }
    }
    while let Some(state) = pending.pop() {
        run.tick()?;
        let mut ends = false;
        for thread in &state.threads {
            let cfa = bodies[thread.procedure].cfa;
            match cfa.location(ir::LocId(thread.location)).kind {
                LocationKind::Error(_) => return Ok(Enumerated { is_violated: true, states: seen.len() }),
                LocationKind::Unsupported(what) => return Err(Reason::Unsupported { what, place: None }),
                LocationKind::End => ends = true,
                LocationKind::Plain => ends |= thread.procedure == entry && thread.location == cfa.exit().0,
            }
        }
        if ends {
            continue;
        }
        for place in 0..state.threads.len() {
            if state.atomic.is_none_or(|(holder, _)| holder == place) {
                successors(&bodies, &state, place, &mut |next| {
                    if !seen.contains(&next) {
                        seen.insert(next.clone());
                        pending.push(next);
                    }
                });
            }
        }
        if seen.len() > most {
            return Err(Reason::BoundReached(vec![("states", most as u64)]));
        }
    }
    Ok(Enumerated { is_violated: false, states: seen.len() })
}

fn successors(bodies: &[Body], state: &State, place: usize, sink: &mut dyn FnMut(State)) {
    let thread = &state.threads[place];
    for (step, to) in &bodies[thread.procedure].steps[thread.location as usize] {
        let value = |expr: &Expr| expr.value(&state.shared, &thread.own);
        let mut next = state.clone();
        next.threads[place].location = *to;
        match step {
            Step::Assume(condition) if !value(condition) => continue,
            Step::Assume(_) => {}
            Step::Assign(pairs) => pairs.iter().for_each(|(target, source)| next.write(place, target, value(source))),
            Step::Havoc(targets) => {
                // Each of the combinations is a state; the last one goes on below.
                for values in 1..1u64 << targets.len() {
                    let mut other = next.clone();
                    for (bit, target) in targets.iter().enumerate() {
                        other.write(place, target, values >> bit & 1 == 1);
                    }
                    sink(other.tidied(bodies, place));
                }
                targets.iter().for_each(|target| next.write(place, target, false));
            }
            Step::Spawn(procedure, arguments) => {
                let body = &bodies[*procedure];
                let mut own = vec![false; body.size];
                for (number, argument) in body.parameters.iter().zip(arguments) {
                    own[*number] = value(argument);
                }
                next.threads.push(Thread { procedure: *procedure, location: body.cfa.entry().0, own });
                // The other variables of a new thread have arbitrary values.
                let open = &body.open;
                let last = next.threads.len() - 1;
                for values in 1..1u64 << open.len() {
                    let mut other = next.clone();
                    for (bit, number) in open.iter().enumerate() {
                        other.threads[last].own[*number] = values >> bit & 1 == 1;
                    }
                    sink(other.tidied(bodies, place));
                }
            }
            Step::AtomicBegin => next.atomic = Some((place, state.atomic.map_or(1, |(_, depth)| depth + 1))),
            Step::AtomicEnd => {
                next.atomic = state.atomic.and_then(|(holder, depth)| (depth > 1).then(|| (holder, depth - 1)));
            }
        }
        sink(next.tidied(bodies, place));
    }
}

impl State {
    fn write(&mut self, place: usize, target: &Expr, value: bool) {
        match target {
            Expr::Shared(number) => self.shared[*number] = value,
            Expr::Own(number) => self.threads[place].own[*number] = value,
            Expr::Constant(_) | Expr::Apply(..) => {}
        }
    }

    /// Without the thread, if it has returned. Where the program starts, returning ends all.
    fn tidied(mut self, bodies: &[Body], place: usize) -> State {
        let thread = &self.threads[place];
        let body = &bodies[thread.procedure];
        if thread.location == body.cfa.exit().0 && !body.is_entry {
            self.threads.remove(place);
            self.atomic = match self.atomic {
                Some((holder, _)) if holder == place => None,
                Some((holder, depth)) if holder > place => Some((holder - 1, depth)),
                other => other,
            };
        }
        self
    }
}

fn is_boolean(term: Term) -> bool {
    *term.sort().kind() == SortKind::Bool
}

fn compile<'a>(program: &'a Program, is_open: &dyn Fn(Term) -> bool) -> Result<Vec<Body<'a>>, Reason> {
    let refused = |what: &str| Reason::Unsupported { what: Symbol::new(what), place: None };
    let globals =
        |own: bool| program.globals.iter().filter(move |global| global.thread_local == own).map(|global| global.term);
    let shared: FxHashMap<Term, usize> =
        globals(false).filter(|v| is_boolean(*v)).enumerate().map(|(i, v)| (v, i)).collect();
    let mut bodies = Vec::new();
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else { return Err(refused("a procedure without a body")) };
        let declared = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals).map(|v| v.term);
        let own: FxHashMap<Term, usize> =
            globals(true).chain(declared).filter(|v| is_boolean(*v)).enumerate().map(|(i, v)| (v, i)).collect();
        let parameters: Vec<usize> =
            procedure.parameters.iter().filter_map(|parameter| own.get(&parameter.term).copied()).collect();
        let compile =
            |term: &Term| expression(*term, &shared, &own).ok_or_else(|| refused("values that are not Boolean"));
        let all = |terms: &[Term]| terms.iter().map(compile).collect::<Result<Vec<Expr>, Reason>>();
        let mut steps: Vec<Vec<(Step, u32)>> = (0..cfa.location_count()).map(|_| Vec::new()).collect();
        for (_, edge) in cfa.edges() {
            let step = match &edge.op {
                Op::Assign(pairs) => {
                    let pairs = pairs.iter().map(|(target, value)| Ok((compile(target)?, compile(value)?)));
                    Step::Assign(pairs.collect::<Result<_, Reason>>()?)
                }
                Op::Assume(condition) => Step::Assume(compile(condition)?),
                Op::Havoc(variables) => Step::Havoc(all(variables)?),
                Op::Spawn { procedure, arguments, .. } => Step::Spawn(procedure.0 as usize, all(arguments)?),
                Op::AtomicBegin => Step::AtomicBegin,
                Op::AtomicEnd => Step::AtomicEnd,
                Op::Call { .. } => return Err(refused("a call")),
            };
            steps[edge.from.0 as usize].push((step, edge.to.0));
        }
        let open = own.iter().filter(|(variable, number)| is_open(**variable) && !parameters.contains(number));
        let open = open.map(|(_, number)| *number).collect();
        bodies.push(Body { cfa, size: own.len(), parameters, open, is_entry: id == program.entry, steps });
    }
    Ok(bodies)
}

fn expression(term: Term, shared: &FxHashMap<Term, usize>, own: &FxHashMap<Term, usize>) -> Option<Expr> {
    if !is_boolean(term) {
        return None;
    }
    match term.op() {
        TermOp::Const(value) => value.as_bool().map(Expr::Constant),
        TermOp::Var { .. } => match (shared.get(&term), own.get(&term)) {
            (Some(number), _) => Some(Expr::Shared(*number)),
            (None, number) => number.map(|number| Expr::Own(*number)),
        },
        op @ (TermOp::Not | TermOp::And | TermOp::Or | TermOp::Implies | TermOp::Xor | TermOp::Eq | TermOp::Ite) => {
            let parts = term.args().iter().map(|part| expression(*part, shared, own)).collect::<Option<_>>()?;
            Some(Expr::Apply(op, parts))
        }
        _ => None,
    }
}
