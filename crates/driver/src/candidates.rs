//! Houdini on the constants that a Boogie program leaves to be inferred (`{:existential true}`), as Boogie's `/contractInfer` does:
//! the largest set of them survives with which all clauses that mention them are inductive.
//!
//! The frontend gives the modular view of the program, in which a candidate is a global that never changes and each clause
//! is an assertion. As long as one fails, the candidates in it are dropped. What survives is asserted in the program that is
//! checked afterwards, so that its proof shows it once more; what is dropped is `false` there.

use crate::load::{Candidates, LoadError, Loaded, Request, load};
use engine::{Engine, Reason, Run, Verdict};
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, Program, PropertyId};
use source::Symbol;
use stratified::{Options, Stratified};
use term::Term;
use term::build::{and, not};
use term::free::variables;

/// A request in which candidates are what Houdini leaves of them, and what to say about that; or why it could not be found out. None
/// if the program, which was loaded with all of them dropped, has no candidates.
pub fn settle(request: &Request, loaded: &Loaded, run: &mut Run) -> Result<Option<Settled>, LoadError> {
    let candidates = &loaded.target.candidates;
    if candidates.is_empty() || request.candidates != Candidates::Dropped {
        return Ok(None);
    }
    let modular = load(&Request { candidates: Candidates::Modular, ..request.clone() })?;
    Ok(Some(survivors(&modular.program, candidates, run).map(|kept| {
        let names = |is_kept: bool| {
            let names = candidates.iter().filter(|name| kept.contains(name) == is_kept);
            let names: Vec<&str> = names.map(|name| name.as_str()).collect();
            if names.is_empty() { "none".to_string() } else { names.join(", ") }
        };
        let remark = format!("of the candidates, these hold: {}; these do not: {}", names(true), names(false));
        (Request { candidates: Candidates::Kept(kept), ..request.clone() }, remark)
    })))
}

/// What became of the candidates.
type Settled = Result<(Request, String), Reason>;

/// Houdini: those of the candidates with which no clause fails that mentions one.
fn survivors(modular: &Program, candidates: &[Symbol], run: &mut Run) -> Result<Vec<Symbol>, Reason> {
    let is_candidate = |term: &Term| term.name().is_some_and(|name| candidates.contains(&name));
    let mut kept: Vec<Symbol> = candidates.to_vec();
    let all: Vec<Term> = modular.globals.iter().map(|global| global.term).filter(is_candidate).collect();
    // Nothing mentions the others.
    let engine = Stratified { options: Options { houdini: false, refinement: None, ..Options::default() } };
    loop {
        let values = all.iter().map(|candidate| match candidate.name() {
            Some(name) if kept.contains(&name) => *candidate,
            _ => not(*candidate),
        });
        let supposed = supposing(modular, and(values.collect::<Vec<Term>>()));
        match engine.check(&supposed, run) {
            Verdict::True(_) => return Ok(kept),
            Verdict::Unknown(reason) => return Err(reason),
            Verdict::False(trace) => {
                let before = kept.len();
                let failing = mentioned(modular, trace.property);
                kept.retain(|name| !failing.contains(name));
                if kept.len() == before {
                    return Err(Reason::NoProgress("a clause fails whatever its candidates are".to_string()));
                }
            }
        }
    }
}

/// The candidates and other variables that the assertion for a property mentions.
fn mentioned(program: &Program, property: PropertyId) -> Vec<Symbol> {
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
    let fails = |cfa: &Cfa, edge: &Edge| cfa.location(edge.to).kind == LocationKind::Error(property);
    let conditions = bodies.flat_map(|cfa| cfa.edges().filter(move |(_, edge)| fails(cfa, edge)));
    let terms: Vec<Term> = conditions.flat_map(|(_, edge)| edge.op.reads()).collect();
    variables(terms).into_iter().filter_map(|variable| variable.name()).collect()
}

/// The program whose executions begin with a condition.
fn supposing(program: &Program, condition: Term) -> Program {
    let mut program = program.clone();
    let number = program.entry.0 as usize;
    if let Ok(cfa) = program.procedures[number].body.clone() {
        let (mut locations, mut edges, entry, exit) = cfa.into_parts();
        let first = LocId(locations.len() as u32);
        let place = locations[entry.0 as usize].place;
        locations.push(Location { kind: LocationKind::Plain, label: None, place });
        edges.push(Edge { from: first, to: entry, op: Op::Assume(condition), place });
        program.procedures[number].body = Ok(Cfa::new(locations, edges, first, exit));
    }
    program
}
