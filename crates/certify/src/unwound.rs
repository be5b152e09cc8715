//! Unwound executions as a proof: part by part between cuts, none comes to an error location; and then none goes on, or those
//! that do are excluded by induction.
//!
//! By induction, because an execution to an error location that is longer than the proof's number of parts ends with just
//! so many, from a state at a cut: it is enough that no state at all, where invariants hold that were checked before, is so far
//! away from an error location.

use crate::encode::{Encoder, End, NoFormula, Values, at_start};
use crate::invariants::{Formulas, Rejected, is_bad};
use ir::{Cfa, LocId, Program};
use rustc_hash::FxHashSet;
use solver::Smt;
use std::collections::BTreeMap;
use term::Term;
use term::build::{or, truth};

/// Checks the proof.
pub fn check(
    program: &Program,
    cuts: &[LocId],
    parts: usize,
    by_induction: bool,
    invariants: &Formulas,
    solver: &dyn Fn() -> Box<dyn Smt>,
) -> Result<(), Rejected> {
    let Ok(cfa) = &program.procedure(program.entry).body else {
        return Err(Rejected::NotComplete("the entry has no body".into()));
    };
    let mut unwound = Unwound { cfa, cuts: cuts.iter().copied().collect(), encoder: Encoder::default() };
    let excludes = |unwound: &Unwound<'_>, points: &[Term]| {
        let mut smt = solver();
        program.axioms.iter().chain(&unwound.encoder.conjuncts).for_each(|formula| smt.assert(*formula));
        smt.assert(or(points.iter().copied()));
        smt.check().decided().map(|model| !model).map_err(Rejected::Undecided)
    };
    let mut points = vec![End::start(cfa.entry(), truth(), Values::default())];
    let mut bad = Vec::new();
    for _ in 0..parts {
        points = unwound.part(points)?;
        bad.extend(points.iter().filter(|end| is_bad(cfa.location(end.location).kind)).map(|end| end.reached));
    }
    if !by_induction {
        // Whoever is still on the way counts as well.
        bad.extend(points.iter().filter(|end| !cfa.outgoing(end.location).is_empty()).map(|end| end.reached));
    }
    if !excludes(&unwound, &bad)? {
        return Err(Rejected::Reached);
    }
    if by_induction {
        for cut in cuts.iter().filter(|cut| **cut != cfa.entry()) {
            unwound.encoder = Encoder::default();
            unwound.encoder.conjuncts.extend(invariants.get(cut).map(|formula| at_start(*formula)));
            let mut points = vec![End::start(*cut, truth(), Values::default())];
            for _ in 0..parts {
                points = unwound.part(points)?;
            }
            let bad = points.iter().filter(|end| is_bad(cfa.location(end.location).kind));
            let bad: Vec<Term> = bad.map(|end| end.reached).collect();
            if !excludes(&unwound, &bad)? {
                return Err(Rejected::NotInductive { from: *cut, to: *cut });
            }
        }
    }
    Ok(())
}

/// Executions that are being unwound.
struct Unwound<'a> {
    cfa: &'a Cfa,
    cuts: FxHashSet<LocId>,
    encoder: Encoder,
}

impl Unwound<'_> {
    /// The points after one part more.
    fn part(&mut self, points: Vec<End>) -> Result<Vec<End>, Rejected> {
        let mut next: BTreeMap<LocId, Vec<End>> = BTreeMap::new();
        for point in points {
            if self.cfa.outgoing(point.location).is_empty() {
                continue;
            }
            let ends =
                self.encoder.part(self.cfa, point, &self.cuts, &mut |_, edge, _, _, _| Err(NoFormula::Call(edge)));
            let ends = ends.map_err(|why| match why {
                NoFormula::Cycle(location) => {
                    Rejected::NotComplete(format!("no cut lies on a cycle through location {}", location.0))
                }
                NoFormula::Call(_) => Rejected::NotComplete("the program has calls or threads".into()),
            })?;
            for end in ends {
                next.entry(end.location).or_default().push(end);
            }
        }
        Ok(next.into_iter().map(|(location, ends)| self.encoder.join(location, ends)).collect())
    }
}
