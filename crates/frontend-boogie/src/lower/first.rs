//! First values: a local variable that may be read before it is assigned is made arbitrary when its procedure is entered.
//!
//! It is arbitrary anyway; but a trace tells the values of a step, and so those of each activation.

use analysis::live::Live;
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, ProcId, Program};
use term::Term;

/// Begins every procedure with a step that chooses the first values that may be read.
pub fn choose_first_values(program: &mut Program) {
    for number in 0..program.procedures.len() {
        let procedure = &program.procedures[number];
        let Ok(cfa) = &procedure.body else { continue };
        let live = Live::new(program, ProcId(number as u32));
        let own = procedure.results.iter().chain(&procedure.locals).map(|variable| variable.term);
        let arbitrary: Vec<Term> = own.filter(|variable| live.at(cfa.entry(), *variable)).collect();
        if !arbitrary.is_empty() {
            let body = Ok(begin_with(Op::Havoc(arbitrary), cfa.clone()));
            program.procedures[number].body = body;
        }
    }
}

/// The automaton with one more step at the start.
fn begin_with(op: Op, cfa: Cfa) -> Cfa {
    let (mut locations, mut edges, entry, exit) = cfa.into_parts();
    let place = locations[entry.0 as usize].place;
    locations.push(Location { kind: LocationKind::Plain, label: None, place });
    let first = LocId(locations.len() as u32 - 1);
    edges.push(Edge { from: first, to: entry, op, place });
    Cfa::new(locations, edges, first, exit)
}
