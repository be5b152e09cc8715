//! Symbolic execution of one edge (Section 3.2, Table 2), in time linear in it.

use crate::code::{Code, Graph, Slot};
use crate::state::{Control, State, Thread};
use ir::{EdgeId, LocId, Op, ProcId};
use rustc_hash::FxHashMap;
use solver::aig::{Aig, Wire};
use std::rc::Rc;
use term::{Op as TermOp, Term};

/// Choice variables that stand for the first values of variables.
pub type Initial = Vec<(Term, Wire)>;

/// The initial state σ_I: arbitrary values.
pub fn initial(code: &Code, aig: &mut Aig, initial: &mut Initial) -> State {
    let entry = code.program.entry;
    let graph = code.graph(entry);
    let mut arbitrary = |variable: &Term| {
        let input = aig.input();
        initial.push((*variable, input));
        input
    };
    let shared = code.shared.iter().map(&mut arbitrary).collect();
    let own = graph.own.iter().map(&mut arbitrary).collect();
    let control = Control { threads: vec![(entry, graph.cfa.entry())], atomic: None };
    let state = State {
        control: Rc::new(control),
        shared,
        threads: vec![Thread { number: 0, own }],
        guard: Wire::TRUE,
        started: 1,
    };
    normalise(code, state)
}

/// The condition under which a thread can take an edge.
pub fn guard(code: &Code, aig: &mut Aig, state: &State, thread: usize, edge: EdgeId) -> Wire {
    let (procedure, _) = state.control.threads[thread];
    match &code.edge(procedure, edge).op {
        Op::Assume(condition) => evaluate(code.graph(procedure), aig, state, thread, *condition),
        _ => Wire::TRUE,
    }
}

/// The state after a thread took an edge, where `region` holds; and the choice variables of a havoc.
pub fn execute(
    code: &Code,
    aig: &mut Aig,
    state: &State,
    thread: usize,
    edge: EdgeId,
    region: Wire,
    first: &mut Initial,
) -> (State, Vec<Wire>) {
    let (procedure, _) = state.control.threads[thread];
    let graph = code.graph(procedure);
    let edge = code.edge(procedure, edge);
    let mut next = state.clone();
    next.guard = region;
    let mut control = (*state.control).clone();
    control.threads[thread].1 = edge.to;
    let mut choices = Vec::new();
    match &edge.op {
        // The condition is part of the region.
        Op::Assume(_) | Op::Call { .. } => {}
        Op::Assign(pairs) => {
            for (target, value) in pairs {
                let value = evaluate(graph, aig, state, thread, *value);
                write(graph, &mut next, thread, *target, value);
            }
        }
        Op::Havoc(variables) => {
            for variable in variables {
                let choice = aig.input();
                choices.push(choice);
                write(graph, &mut next, thread, *variable, choice);
            }
        }
        Op::Spawn { procedure, arguments, .. } => {
            let started = code.graph(*procedure);
            let mut own: Vec<Wire> = started
                .own
                .iter()
                .map(|variable| {
                    let input = aig.input();
                    first.push((*variable, input));
                    input
                })
                .collect();
            for (number, argument) in started.parameters.iter().zip(arguments) {
                own[*number] = evaluate(graph, aig, state, thread, *argument);
            }
            next.threads.push(Thread { number: next.started, own });
            next.started += 1;
            control.threads.push((*procedure, started.cfa.entry()));
        }
        Op::AtomicBegin => {
            let depth = control.atomic.map_or(0, |(_, depth)| depth);
            control.atomic = Some((thread, depth + 1));
        }
        Op::AtomicEnd => {
            control.atomic = control.atomic.filter(|(_, depth)| *depth > 1).map(|(holder, depth)| (holder, depth - 1));
        }
    }
    next.control = Rc::new(control);
    (normalise(code, next), choices)
}

fn write(graph: &Graph, state: &mut State, thread: usize, variable: Term, value: Wire) {
    match graph.slots.get(&variable) {
        Some(Slot::Shared(number)) => state.shared[*number] = value,
        Some(Slot::Own(number)) => state.threads[thread].own[*number] = value,
        None => {}
    }
}

/// ω(e): a formula over choice variables.
fn evaluate(graph: &Graph, aig: &mut Aig, state: &State, thread: usize, term: Term) -> Wire {
    let mut memo = FxHashMap::default();
    let mut of = |node: Term, parts: &[Wire]| match node.op() {
        TermOp::Const(value) => Wire::constant(value.as_bool() == Some(true)),
        TermOp::Var { .. } => match graph.slots.get(&node) {
            Some(Slot::Shared(number)) => state.shared[*number],
            Some(Slot::Own(number)) => state.threads[thread].own[*number],
            None => Wire::FALSE,
        },
        TermOp::Not => !parts[0],
        TermOp::And => aig.all(parts.iter().copied()),
        TermOp::Or => aig.any(parts.iter().copied()),
        TermOp::Implies => aig.or(!parts[0], parts[1]),
        TermOp::Xor => aig.xor(parts[0], parts[1]),
        TermOp::Eq => aig.equal(parts[0], parts[1]),
        TermOp::Ite => aig.ite(parts[0], parts[1], parts[2]),
        // Programs with other operators are refused before.
        _ => Wire::FALSE,
    };
    term::visit::bottom_up(term, &mut memo, |node, known| {
        let parts: Vec<Wire> = node.args().iter().map(|part| known[part]).collect();
        of(node, &parts)
    })
}

/// Drops threads that are over and the values that nobody reads any more.
fn normalise(code: &Code, mut state: State) -> State {
    let control = state.control.clone();
    let stays = |(procedure, location): &(ProcId, LocId)| {
        !code.is_over(*procedure, *location) || code.ends_program(*procedure, *location)
    };
    if !control.threads.iter().all(stays) {
        let mut kept = Control { threads: Vec::new(), atomic: None };
        let mut threads = Vec::new();
        for (index, (place, thread)) in control.threads.iter().zip(state.threads).enumerate() {
            let is_holder = control.atomic.filter(|(holder, _)| *holder == index);
            // A thread that stops inside an atomic section stops all others for ever; one that returns does not.
            let holds = is_holder.filter(|_| place.1 != code.graph(place.0).cfa.exit());
            if stays(place) || holds.is_some() {
                kept.atomic = kept.atomic.or(holds.map(|(_, depth)| (threads.len(), depth)));
                kept.threads.push(*place);
                threads.push(thread);
            }
        }
        state.threads = threads;
        state.control = Rc::new(kept);
    }
    let is_active = active(code, &state.control);
    for (value, is_active) in state.values_mut().zip(is_active) {
        if !is_active {
            *value = Wire::FALSE;
        }
    }
    state
}

/// Whether values of variables may still be read, in the order of [`State::values`]. Where each thread writes a shared variable before
/// it reads it, nobody reads the value that it has now, whoever writes first.
pub fn active(code: &Code, control: &Control) -> Vec<bool> {
    let points = || control.threads.iter().map(|(procedure, location)| code.point(*procedure, *location));
    let shared = (0..code.shared.len()).map(|number| points().any(|point| point.shared_active.contains(number)));
    let own = control.threads.iter().zip(points()).flat_map(|((procedure, _), point)| {
        (0..code.graph(*procedure).own.len()).map(|number| point.own_active.contains(number))
    });
    shared.chain(own).collect()
}
