//! GETSUCCESSORS: which threads can move from a state, and which of them must be looked at.
//!
//! For each set of threads that may move alone ([`crate::reduction`]), in order: where one of them can move, only they are explored,
//! and the others are *postponed*; where none can, the next set is tried. What is left goes to all threads. So every explicit
//! state has all its steps explored, or all steps of such a set.

use crate::code::Code;
use crate::execute::guard;
use crate::guide::{Candidate, Selector};
use crate::options::{Options, Reduction};
use crate::reduction::{Rule, candidates};
use crate::state::State;
use crate::statistics::Figures;
use engine::Region;
use ir::EdgeId;
use solver::aig::{Aig, Wire};
use solver::cnf::{Cnf, satisfiable};
use solver::{Limits, Unknown};
use std::cell::RefCell;
use std::rc::Rc;

/// A step that a thread could take.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    pub thread: usize,
    pub edge: EdgeId,
    pub guard: Wire,
}

/// A step and the states in which it is taken.
pub type Taken = (Move, Region);

/// Threads that move alone, and where one of them can move.
#[derive(Clone, Debug)]
pub struct Alone {
    pub threads: Vec<usize>,
    pub can_move: Wire,
}

/// What is explored from a state now, and what was left for later.
#[derive(Default, Debug)]
pub struct Choice {
    pub alone: Vec<Alone>,
    pub taken: Vec<Taken>,
    pub postponed: Vec<Taken>,
}

/// The states of a region.
pub fn region(aig: &mut Aig, alone: &[Alone], region: Region) -> Wire {
    match region {
        Region::Outside(count) => aig.all(alone[..count].iter().map(|set| !set.can_move)),
        Region::Inside(number) => alone[number].can_move,
    }
}

/// The steps that the threads of a state could take, as far as their guards are not plainly false.
pub fn moves(code: &Code, aig: &mut Aig, state: &State) -> Vec<Move> {
    let control = &state.control;
    if control.threads.iter().any(|(procedure, location)| code.ends_program(*procedure, *location)) {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for (thread, (procedure, location)) in control.threads.iter().enumerate() {
        if control.atomic.is_some_and(|(holder, _)| holder != thread) {
            continue;
        }
        for edge in &code.point(*procedure, *location).edges {
            let guard = guard(code, aig, state, thread, *edge);
            if guard != Wire::FALSE {
                moves.push(Move { thread, edge: *edge, guard });
            }
        }
    }
    moves
}

/// Chooses the steps to explore from a state.
pub fn choose(
    code: &Code,
    aig: &mut Aig,
    state: &State,
    last: Option<usize>,
    options: &Options,
    limits: &Limits,
    figures: &mut Figures,
) -> Result<Choice, Unknown> {
    let moves = moves(code, aig, state);
    let rule = match options.reduction {
        Reduction::None => None,
        Reduction::Decisions | Reduction::Constraints => Some(Rule::Sound),
        Reduction::Printed => Some(Rule::Printed),
    };
    let sets = rule.map_or_else(Vec::new, |rule| candidates(code, &state.control, rule, last));
    let mut alone = Vec::new();
    for threads in sets {
        let own: Vec<Wire> =
            moves.iter().filter(|step| threads.contains(&step.thread)).map(|step| step.guard).collect();
        if !own.is_empty() && own.len() < moves.len() {
            let can_move = aig.any(own);
            alone.push(Alone { threads, can_move });
        }
    }
    if options.filters
        && let Some(choice) = by_filters(aig, state.guard, &moves, &alone, options)
    {
        figures.filtered_guards += 1;
        return Ok(choice);
    }
    figures.guard_queries += 1;
    by_solver(aig, state.guard, &moves, &alone, options, limits)
}

/// The steps that are possible of those that were postponed.
pub fn resume(
    aig: &mut Aig,
    cnf: &mut Cnf,
    state: &State,
    choice: &Choice,
    limits: &Limits,
) -> Result<Vec<Taken>, Unknown> {
    let mut taken = Vec::new();
    for (step, place) in &choice.postponed {
        let region = region(aig, &choice.alone, *place);
        let inside = aig.all([state.guard, region, step.guard]);
        if satisfiable(aig, cnf, inside, limits)? {
            taken.push((*step, *place));
        }
    }
    Ok(taken)
}

fn is_in(sets: &[Alone], step: &Move) -> bool {
    sets.iter().any(|set| set.threads.contains(&step.thread))
}

/// What can be said by constants and signatures alone; `None` if a solver is needed.
fn by_filters(aig: &mut Aig, guard: Wire, moves: &[Move], sets: &[Alone], options: &Options) -> Option<Choice> {
    let mut choice = Choice::default();
    let mut region = guard;
    // What is possible, and what is not; `None` for what only a solver can tell.
    let possible = |aig: &mut Aig, region: Wire, guard: Wire| {
        let inside = aig.and(region, guard);
        match inside.as_constant() {
            Some(constant) => Some(constant),
            None => aig.signature(inside).witness().map(|_| true),
        }
    };
    for set in sets {
        if !possible(aig, region, set.can_move)? {
            continue;
        }
        let place = Region::Outside(choice.alone.len());
        // The threads of earlier sets cannot move here.
        for step in moves.iter().filter(|step| !is_in(&choice.alone, step)) {
            if !set.threads.contains(&step.thread) {
                choice.postponed.push((*step, Region::Inside(choice.alone.len())));
            } else if possible(aig, region, step.guard)? {
                choice.taken.push((*step, place));
            }
        }
        choice.alone.push(set.clone());
        if options.reduction == Reduction::Printed {
            return Some(choice);
        }
        region = aig.and(region, !set.can_move);
        if !possible(aig, region, Wire::TRUE)? {
            return Some(choice);
        }
    }
    for step in moves.iter().filter(|step| !is_in(&choice.alone, step)) {
        if possible(aig, region, step.guard)? {
            choice.taken.push((*step, Region::Outside(choice.alone.len())));
        }
    }
    Some(choice)
}

/// The same by one run of the SAT solver, whose decisions and clauses [`Selector`] makes.
fn by_solver(
    aig: &mut Aig,
    guard: Wire,
    moves: &[Move],
    sets: &[Alone],
    options: &Options,
    limits: &Limits,
) -> Result<Choice, Unknown> {
    let mut cnf = Cnf::new();
    cnf.assert(aig, guard);
    let selectors: Vec<_> = moves.iter().map(|_| cnf.sat.fresh()).collect();
    for (number, step) in moves.iter().enumerate() {
        let can = cnf.literal(aig, step.guard);
        cnf.sat.clause(&[!selectors[number], can]);
        for other in &selectors[..number] {
            cnf.sat.clause(&[!selectors[number], !*other]);
        }
    }
    cnf.sat.clause(&selectors);
    let mut observed = selectors.clone();
    let mut candidates = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        // The solver may eliminate what it does not know to be observed, so the literal is a new one.
        let (can_move, can) = (cnf.sat.fresh(), cnf.literal(aig, set.can_move));
        cnf.sat.clause(&[!can_move, can]);
        cnf.sat.clause(&[can_move, !can]);
        observed.push(can_move);
        if options.reduction == Reduction::Constraints {
            // A step is confined by the sets that come before its own.
            let others = (0..moves.len()).filter(|step| !is_in(&sets[..=number], &moves[*step]));
            others.for_each(|step| cnf.sat.clause(&[!selectors[step], !can_move]));
        }
        let steps = (0..moves.len()).filter(|step| set.threads.contains(&moves[*step].thread)).collect();
        candidates.push(Candidate { can_move, steps });
    }
    let selector = Rc::new(RefCell::new(Selector {
        selectors,
        candidates,
        decides: options.reduction != Reduction::Constraints,
        confines: options.reduction != Reduction::Printed,
        chosen: Vec::new(),
        found: Vec::new(),
    }));
    cnf.sat.solve_guided(&observed, &selector, limits)?;
    let selector = selector.borrow();
    Ok(read_off(moves, sets, &selector, options))
}

/// What the solver's run says.
fn read_off(moves: &[Move], sets: &[Alone], selector: &Selector, options: &Options) -> Choice {
    let mut choice = Choice::default();
    // Constraints confine from the start, the guide as soon as a set is chosen.
    let is_upfront = options.reduction == Reduction::Constraints;
    choice.alone = match is_upfront {
        true => sets.to_vec(),
        false => selector.chosen.iter().map(|number| sets[*number].clone()).collect(),
    };
    for (number, before) in &selector.found {
        let confining = if is_upfront { &choice.alone[..] } else { &choice.alone[..*before] };
        let outside = confining.iter().take_while(|set| !set.threads.contains(&moves[*number].thread)).count();
        choice.taken.push((moves[*number], Region::Outside(outside)));
    }
    let mut postponed = Vec::new();
    for number in 0..choice.alone.len() {
        // What an earlier set does is not postponed by a later one.
        let others = moves.iter().filter(|step| !is_in(&choice.alone[..=number], step));
        postponed.extend(others.map(|step| (*step, Region::Inside(number))));
    }
    choice.postponed = postponed;
    choice
}
