//! An exhausted search through interleavings as a proof.
//!
//! The proof says which steps were taken and what became of them. Everything else is made anew here: the sets of states (terms
//! over parameters, by `execute`), what threads may still touch (`flow`), and the queries.
//!
//! What is shown, in this order:
//! 1. From each set every step that is possible was taken, or a set of threads moved alone that may (`complete`): what they are
//!    about to do commutes with all that the others may still do.
//! 2. No thread of a set is at an error location.
//! 3. Where a formula is said to hold in all states of a set, it does (`restated`). From then on the set has all states in which it
//!    holds.
//! 4. Where states were said to be among those of another set, they are (`subsumed`).
//! 5. No cycle leads only through sets where something was left out: so nothing is left out for ever.

mod complete;
mod execute;
mod flow;
mod restated;
mod subsumed;

use crate::invariants::Rejected;
use engine::{Explored, Outcome, Region};
use execute::{Executor, Set};
use flow::Flow;
use ir::{LocationKind, Program};
use solver::Smt;
use term::Term;
use term::build::{and, not, or};

/// Checks a search that came to its end.
pub fn check(program: &Program, search: &[Explored], smt: &mut dyn Smt) -> Result<(), Rejected> {
    let flow = Flow::new(program)?;
    let mut executor = Executor::new(program);
    let mut sets: Vec<Option<Set>> = vec![None; search.len()];
    let missing = || Rejected::NotComplete("the search explored nothing".into());
    *sets.first_mut().ok_or_else(missing)? = Some(executor.initial());
    let mut claims: Vec<(Set, &[usize])> = Vec::new();
    for (number, explored) in search.iter().enumerate() {
        let set = sets[number].clone();
        let mut set = set.ok_or_else(|| Rejected::NotComplete(format!("nothing leads to the set {number}")))?;
        if let Some(formula) = explored.states {
            set = restated::check(&mut executor, &set, formula, smt)?;
            sets[number] = Some(set.clone());
        }
        no_violation(program, &set)?;
        let moves = executor.moves(&set);
        complete::check(&flow, &set, explored, &moves, smt)?;
        let can_move: Vec<Term> = explored.alone.iter().map(|threads| can_move(&moves, threads)).collect();
        for step in &explored.steps {
            let Some((_, _, guard)) =
                moves.iter().find(|(thread, edge, _)| (*thread, *edge) == (step.thread, step.edge))
            else {
                return Err(Rejected::NotComplete(format!("a step from the set {number} is none of its threads'")));
            };
            let guard = and([set.guard, *guard, region(&can_move, step.region)?]);
            let after = executor.execute(&set, step.thread, step.edge, guard);
            match &step.outcome {
                Outcome::Subsumed(others) => claims.push((after, others)),
                Outcome::Explored(other) => match sets.get_mut(*other) {
                    Some(slot @ None) if *other > number => *slot = Some(after),
                    _ => return Err(Rejected::NotComplete(format!("two steps make the set {other}"))),
                },
            }
        }
    }
    for (set, others) in &claims {
        let others =
            others.iter().map(|other| sets.get(*other).and_then(Option::as_ref)).collect::<Option<Vec<&Set>>>();
        let others =
            others.ok_or_else(|| Rejected::NotComplete("states are said to be in a set that there is not".into()))?;
        subsumed::check(&flow, &mut executor, set, &others, smt)?;
    }
    no_cycle(search)
}

/// Where a thread of a set can move.
fn can_move(moves: &[execute::Move], threads: &[usize]) -> Term {
    or(moves.iter().filter(|(thread, _, _)| threads.contains(thread)).map(|(_, _, guard)| *guard))
}

/// The formula of a region.
fn region(can_move: &[Term], region: Region) -> Result<Term, Rejected> {
    let inside = match region {
        Region::Outside(count) => can_move.get(..count).map(|sets| and(sets.iter().map(|set| not(*set)))),
        Region::Inside(number) => can_move.get(number).copied(),
    };
    inside.ok_or_else(|| Rejected::NotComplete("a step was taken where no set of threads is named".into()))
}

fn no_violation(program: &Program, set: &Set) -> Result<(), Rejected> {
    for thread in &set.threads {
        if let Ok(cfa) = &program.procedure(thread.procedure).body
            && matches!(cfa.location(thread.location).kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
        {
            return Err(Rejected::NotComplete("a violation was explored".into()));
        }
    }
    Ok(())
}

/// That every cycle has a set where nothing was left out.
fn no_cycle(search: &[Explored]) -> Result<(), Rejected> {
    let reduces = |number: usize| !search[number].alone.is_empty() && !search[number].is_complete;
    let targets = |number: usize| {
        search[number].steps.iter().flat_map(|step| match &step.outcome {
            Outcome::Explored(other) => std::slice::from_ref(other),
            Outcome::Subsumed(others) => &others[..],
        })
    };
    // 0 is new, 1 on the path, 2 done.
    let mut mark = vec![0u8; search.len()];
    for start in (0..search.len()).filter(|number| reduces(*number)) {
        let mut path = vec![(start, targets(start).copied().collect::<Vec<usize>>())];
        if mark[start] != 0 {
            continue;
        }
        mark[start] = 1;
        while let Some((number, pending)) = path.last_mut() {
            match pending.pop() {
                Some(other) if !reduces(other) || mark[other] == 2 => {}
                Some(other) if mark[other] == 1 => {
                    return Err(Rejected::NotComplete(format!(
                        "steps may be left out for ever around the set {other}"
                    )));
                }
                Some(other) => {
                    mark[other] = 1;
                    path.push((other, targets(other).copied().collect()));
                }
                None => {
                    mark[*number] = 2;
                    path.pop();
                }
            }
        }
    }
    Ok(())
}

/// Whether a formula has no model; what is plainly false needs no query. The queries are many and small, so one solver
/// answers them all.
fn impossible(smt: &mut dyn Smt, formula: Term) -> Result<bool, Rejected> {
    if let Some(constant) = formula.as_bool() {
        return Ok(!constant);
    }
    smt.push();
    smt.assert(formula);
    let answer = smt.check().decided();
    smt.pop();
    answer.map(|model| !model).map_err(Rejected::Undecided)
}
