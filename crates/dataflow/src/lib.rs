//! The engine `dataflow`: what analyses know of a program, without any solver.
//!
//! It answers TRUE where affine equations and intervals ([`analysis`]) leave no way to an error location. What they know at the
//! locations that cut every loop is the proof, and is checked like any other. It is the first that is asked, since it costs
//! next to nothing; what it knows is part of other engines' blocks, too ([`blocks::model`]).

mod effects;
mod needed;
pub mod procedures;
mod state;

use analysis::intervals;
use analysis::live::Live;
use blocks::model::facts;
use engine::{Engine, Invariant, Proof, Reason, Run, Shared, Verdict};
use ir::{Cfa, LocId, LocationKind, Op, Program};
use pass::summarise_with;

/// The name that the command line uses.
pub const NAME: &str = "dataflow";

pub struct Dataflow;

impl Engine for Dataflow {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        match decide(program, run.shared()) {
            Ok(proof) => Verdict::True(proof),
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn decide(program: &Program, shared: &Shared) -> Result<Proof, Reason> {
    let cfa = program.procedure(program.entry).body.as_ref().ok();
    let are_all = |locations: &[LocId]| cfa.into_iter().flat_map(wrong).all(|location| locations.contains(&location));
    let by_ranges = excluded_by_ranges(program)?;
    if are_all(&by_ranges.locations) {
        return Ok(by_ranges.proof);
    }
    let Excluded { locations, proof } = excluded(program, shared)?;
    match are_all(&locations) {
        true => Ok(proof),
        false => Err(Reason::NotAttempted("ranges and relations of variables do not exclude the violation".into())),
    }
}

/// What analyses exclude.
pub struct Excluded {
    /// Error locations and unsupported ones of the entry procedure that control does not come to.
    pub locations: Vec<LocId>,
    /// Why, if all others are no error locations.
    pub proof: Proof,
}

/// What ranges alone exclude of a program without calls. They are told at every location, so that the proof is checked edge by edge.
pub fn excluded_by_ranges(program: &Program) -> Result<Excluded, Reason> {
    let (procedure, refused) = (program.entry, |why: &str| Reason::NotAttempted(why.into()));
    let cfa = program.procedure(procedure).body.as_ref().map_err(|_| refused("the entry has no body"))?;
    let cuts = summarise_with(cfa, |_| false).locations;
    let states = intervals::deep_states(program, procedure, &cuts).ok_or_else(|| refused("the program is large"))?;
    let live = Live::new(program, procedure);
    let all = cfa.locations().map(|(location, _)| {
        let formula = intervals::whole(&states, location, &live);
        Invariant { procedure, location, formula }
    });
    Ok(Excluded {
        locations: wrong(cfa).filter(|location| states[location.0 as usize].is_none()).collect(),
        proof: Proof::Invariants(all.collect()),
    })
}

/// What analyses exclude of a program without calls.
pub fn excluded(program: &Program, shared: &Shared) -> Result<Excluded, Reason> {
    let procedure = program.entry;
    let cfa = program.procedure(procedure).body.as_ref();
    let cfa = cfa.map_err(|_| Reason::NotAttempted("the entry has no body".into()))?;
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return Err(Reason::NotAttempted("dataflow is for programs without calls and threads".into()));
    }
    let locations = summarise_with(cfa, |_| false).locations;
    let known = facts(program, &locations, &[], shared);
    let is_excluded =
        |location: LocId| known.get(&location).is_some_and(|facts| facts.iter().any(|f| f.as_bool() == Some(false)));
    let all = locations.iter().map(|location| {
        let formula = term::build::and(known.get(location).into_iter().flatten().copied());
        Invariant { procedure, location: *location, formula }
    });
    Ok(Excluded {
        locations: wrong(cfa).filter(|id| is_excluded(*id)).collect(),
        proof: Proof::Invariants(all.collect()),
    })
}

/// Where control must not come.
fn wrong(cfa: &Cfa) -> impl Iterator<Item = LocId> {
    let is_wrong = |kind| matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
    cfa.locations().filter(move |(_, location)| is_wrong(location.kind)).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &str, is_proved: bool) {
        let text = format!(
            "global x: bv8\nproperty P unreach-call \"\"\nprocedure main() {{\nlocation error error P\n\
             entry -> a: x := #x00\na -> b: assume (bvult x #x0a)\nb -> a: x := (bvadd x #x01)\na -> error: assume {guard}\n\
             a -> exit: assume (not {guard})\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let verdict = Dataflow.check(&program, &mut Run::unlimited());
        assert_eq!(matches!(verdict, Verdict::True(_)), is_proved, "{guard}: {verdict:?}");
    }

    #[test]
    fn loops_are_bounded_by_their_guards() {
        check("(bvult #x0a x)", true);
        check("(= x #x0a)", false);
        check("(bvslt x #x00)", true);
    }
}
