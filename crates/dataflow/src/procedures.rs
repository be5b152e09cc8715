//! What is known in each procedure of a program with calls, without inlining: ranges of integers, and conditions that were passed.
//!
//! Conditions are available expressions (Kildall; Nielson, Nielson, Hankin, Section 2.1.1) over the program's guards: a conjunct of an
//! assumption holds until one of its variables changes. They decide what is asked again: the second access through a pointer, the second
//! use of an index. Ranges are those of [`analysis::intervals`]. Procedures are looked at once, whoever calls them: what holds at an
//! entry holds at all calls, and what holds at an exit holds behind all of them.
//!
//! Invariant: the states are inductive, edge by edge and call by call, which `certify` checks again.

use crate::effects::Effects;
use crate::needed::Needed;
use crate::state::{Known, bound, returned};
use analysis::flow::{JOINS, ROUNDS, forward, places};
use analysis::intervals::{formula, tracked_variable};
use analysis::live::Live;
use analysis::retreating::heads;
use engine::{Invariant, Proof, Reason, Run};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use term::Term;
use term::build::{and, falsehood, truth};
use term::free::Free;

/// What control does not come to, by these analyses.
pub struct Excluded {
    /// Error locations and unsupported ones.
    pub locations: FxHashSet<(ProcId, LocId)>,
    /// Why, if all others are no error locations.
    pub proof: Proof,
}

/// What is excluded of a program without threads.
pub fn excluded(program: &Program, run: &mut Run) -> Result<Excluded, Reason> {
    if program.edges().any(|edge| matches!(edge.op, Op::Spawn { .. })) {
        return Err(Reason::NotAttempted("dataflow is for programs without threads".into()));
    }
    let calls = |cfa: &Cfa| cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. }));
    if !program.procedure(program.entry).body.as_ref().is_ok_and(calls) {
        return Err(Reason::NotAttempted("a program without calls is one procedure, for all analyses together".into()));
    }
    let mut analysis = Analysis::new(program);
    analysis.fixpoint(run)?;
    for _ in 0..ROUNDS {
        if !analysis.narrow(run)? {
            break;
        }
    }
    Ok(analysis.result())
}

struct Analysis<'a> {
    program: &'a Program,
    effects: Effects,
    live: Vec<Live>,
    free: Free,
    /// The numbers that each procedure compares with: bounds that move come to rest there.
    thresholds: Vec<Vec<i128>>,
    /// For each procedure the calls of it.
    callers: Vec<Vec<(ProcId, EdgeId)>>,
    /// Where states are widened.
    cuts: Vec<FxHashSet<LocId>>,
    /// The order in which locations are looked at: most come after those that lead to them.
    order: Vec<Vec<LocId>>,
    /// The place of each location in that order.
    places: Vec<Vec<usize>>,
    states: Vec<States>,
}

/// The states of a procedure's locations; `None` where control never comes.
type States = Vec<Option<Known>>;

impl<'a> Analysis<'a> {
    fn new(program: &'a Program) -> Analysis<'a> {
        let bodies = || program.procedures.iter().map(|procedure| procedure.body.as_ref().ok());
        let mut callers = vec![Vec::new(); program.procedures.len()];
        for (id, procedure) in program.procedures() {
            for (edge, data) in procedure.body.iter().flat_map(Cfa::edges) {
                if let Op::Call { procedure: callee, .. } = data.op {
                    callers[callee.0 as usize].push((id, edge));
                }
            }
        }
        let cuts = bodies().map(|cfa| {
            let cfa = cfa?;
            Some(heads(cfa).into_iter().chain([cfa.entry(), cfa.exit()]).collect())
        });
        let count = |cfa: Option<&Cfa>| cfa.map_or(0, Cfa::location_count);
        Analysis {
            program,
            effects: Effects::of(program),
            live: program.procedures().map(|(id, _)| Live::new(program, id)).collect(),
            free: Free::new(),
            thresholds: bodies().map(analysis::intervals::thresholds).collect(),
            callers,
            cuts: cuts.map(Option::unwrap_or_default).collect(),
            order: bodies().map(|cfa| cfa.map(forward).unwrap_or_default()).collect(),
            places: bodies().map(|cfa| cfa.map(|cfa| places(cfa, &forward(cfa))).unwrap_or_default()).collect(),
            states: bodies().map(|cfa| vec![None; count(cfa)]).collect(),
        }
    }

    fn body(&self, procedure: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(procedure).body.as_ref().ok()
    }

    fn at(&self, procedure: ProcId, location: LocId) -> Option<&Known> {
        self.states[procedure.0 as usize][location.0 as usize].as_ref()
    }

    /// What is known behind an edge; `None` if it is not taken.
    fn behind(&mut self, procedure: ProcId, edge: EdgeId) -> Option<Known> {
        let cfa = self.body(procedure)?;
        let edge = cfa.edge(edge);
        let before = self.at(procedure, edge.from)?.clone();
        let after = match &edge.op {
            Op::Call { procedure: callee, results, .. } => match self.body(*callee) {
                Some(body) => {
                    let exit = self.at(*callee, body.exit())?.clone();
                    let declared = &self.program.procedure(*callee).results;
                    let own: Vec<Term> = declared.iter().map(|result| result.term).collect();
                    returned(&before, &exit, self.effects.of_call(*callee), &own, results, &mut self.free)
                }
                None => before.forgetting(results, &mut self.free),
            },
            op => before.after(op, &mut self.free)?,
        };
        let (live, free) = (&self.live[procedure.0 as usize], &mut self.free);
        Some(after.about(|variable| live.at(edge.to, variable), free))
    }

    /// What a call tells its callee.
    fn entering(&mut self, caller: ProcId, edge: EdgeId) -> Option<(ProcId, LocId, Known)> {
        let edge = self.body(caller)?.edge(edge);
        let Op::Call { procedure: callee, arguments, .. } = &edge.op else { return None };
        let entry = self.body(*callee)?.entry();
        let before = self.at(caller, edge.from)?.clone();
        let parameters: Vec<Term> =
            self.program.procedure(*callee).parameters.iter().map(|parameter| parameter.term).collect();
        let globals = self.effects.globals();
        let known = bound(&before, &parameters, arguments, globals, &mut self.free);
        let (live, free) = (&self.live[callee.0 as usize], &mut self.free);
        Some((*callee, entry, known.about(|variable| live.at(entry, variable), free)))
    }

    fn fixpoint(&mut self, run: &mut Run) -> Result<(), Reason> {
        let entry = self.program.entry;
        let Some(cfa) = self.body(entry) else {
            return Err(Reason::NotAttempted("the entry has no body".into()));
        };
        self.states[entry.0 as usize][cfa.entry().0 as usize] = Some(Known::default());
        let mut joins: Vec<Vec<u32>> = self.states.iter().map(|states| vec![0; states.len()]).collect();
        let mut waiting: BTreeSet<(ProcId, usize, LocId)> = BTreeSet::from([(entry, 0, cfa.entry())]);
        while let Some((procedure, _, location)) = waiting.pop_first() {
            run.tick()?;
            let Some(cfa) = self.body(procedure) else { continue };
            let mut arrivals: Vec<(ProcId, LocId, Known)> = Vec::new();
            for edge in cfa.outgoing(location) {
                arrivals.extend(self.behind(procedure, *edge).map(|known| (procedure, cfa.edge(*edge).to, known)));
                arrivals.extend(self.entering(procedure, *edge));
            }
            if location == cfa.exit() {
                for (caller, edge) in self.callers[procedure.0 as usize].clone() {
                    let to = self.body(caller).map(|cfa| cfa.edge(edge).to);
                    arrivals.extend(self.behind(caller, edge).zip(to).map(|(known, to)| (caller, to, known)));
                }
            }
            for (procedure, to, arriving) in arrivals {
                let number = (procedure.0 as usize, to.0 as usize);
                let next = match &self.states[number.0][number.1] {
                    None => arriving,
                    Some(known) if known.includes(&arriving) => continue,
                    Some(known) => {
                        let joint = known.join(&arriving);
                        let widens = self.cuts[number.0].contains(&to) && joins[number.0][number.1] > JOINS;
                        if widens { known.widen(&joint, &self.thresholds[number.0]) } else { joint }
                    }
                };
                self.states[number.0][number.1] = Some(next);
                joins[number.0][number.1] += 1;
                waiting.insert((procedure, self.places[number.0][number.1], to));
            }
        }
        Ok(())
    }

    /// Computes all states anew, each from those before. Whether that was inductive; otherwise all stays as it was.
    fn narrow(&mut self, run: &mut Run) -> Result<bool, Reason> {
        let old = self.states.clone();
        for (id, procedure) in self.program.procedures() {
            let Ok(cfa) = &procedure.body else { continue };
            for location in self.order[id.0 as usize].clone() {
                run.tick()?;
                if location == cfa.entry() && id == self.program.entry {
                    continue;
                }
                let mut arriving: Vec<Known> = Vec::new();
                if location == cfa.entry() {
                    for (caller, edge) in self.callers[id.0 as usize].clone() {
                        arriving.extend(self.entering(caller, edge).map(|(_, _, known)| known));
                    }
                }
                for edge in cfa.incoming(location) {
                    arriving.extend(self.behind(id, *edge));
                }
                self.states[id.0 as usize][location.0 as usize] =
                    arriving.into_iter().reduce(|one, other| one.join(&other));
            }
        }
        let is_inductive = self.is_inductive();
        if !is_inductive {
            self.states = old;
        }
        Ok(is_inductive)
    }

    fn is_inductive(&mut self) -> bool {
        for (id, procedure) in self.program.procedures() {
            let Ok(cfa) = &procedure.body else { continue };
            for (number, edge) in cfa.edges() {
                let after = self.behind(id, number).map(|known| (id, edge.to, known));
                for (procedure, to, arriving) in after.into_iter().chain(self.entering(id, number)) {
                    if !self.at(procedure, to).is_some_and(|known| known.includes(&arriving)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn result(mut self) -> Excluded {
        let needed = self.needed();
        let (mut locations, mut invariants) = (FxHashSet::default(), Vec::new());
        for (id, procedure) in self.program.procedures() {
            for (location, data) in procedure.body.iter().flat_map(Cfa::locations) {
                let state = self.states[id.0 as usize][location.0 as usize].as_ref();
                let is_wrong = matches!(data.kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
                if is_wrong && state.is_none() {
                    locations.insert((id, location));
                }
                let counts = |variable: Term| needed.at(id, location).contains(&variable);
                let formula = state.map_or(falsehood(), |known| told(&known.about(counts, &mut self.free)));
                if formula != truth() {
                    invariants.push(Invariant { procedure: id, location, formula });
                }
            }
        }
        Excluded { locations, proof: Proof::Invariants(invariants) }
    }

    /// What the proof has to speak of.
    fn needed(&mut self) -> Needed {
        let (program, effects, callers) = (self.program, self.effects.clone(), self.callers.clone());
        let reached: Vec<Vec<bool>> =
            self.states.iter().map(|states| states.iter().map(Option::is_some).collect()).collect();
        let is_reached = |id: ProcId, location: LocId| reached[id.0 as usize][location.0 as usize];
        Needed::of(program, &effects, &callers, &is_reached, &mut |id, edge| self.behind(id, edge).is_some())
    }
}

/// A state as a formula.
fn told(known: &Known) -> Term {
    let mut ranges: Vec<_> = known.ranges.iter().collect();
    ranges.sort_unstable_by_key(|(term, _)| (tracked_variable(**term), **term));
    and(ranges.into_iter().map(|(term, range)| formula(*term, range)).chain(known.conditions.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with a procedure that is called twice, once with a range that its guard allows.
    fn check(guard: &str, calls: [&str; 2], expected: usize) {
        let text = format!(
            "global g: bv8\nproperty P unreach-call \"\"\nproperty Q unreach-call \"\"\n\
             procedure f(a: bv8) returns (r: bv8) {{\nlocation error error P\n\
             entry -> error: assume (not {guard})\nentry -> L: assume {guard}\nL -> exit: r := a\n}}\n\
             procedure main() {{\nlocal i: bv8\nlocal x: bv8\nlocation bad error Q\nentry -> h: i := #x00\n\
             h -> b: assume (bvult i #x0a)\nb -> c: x := call f({})\nc -> bad: assume (bvult #x14 x)\n\
             c -> d: assume (not (bvult #x14 x))\nd -> h: i := (bvadd i #x01)\nh -> e: assume (not (bvult i #x0a))\n\
             e -> exit: x := call f({})\n}}\n",
            calls[0], calls[1]
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let found = excluded(&program, &mut Run::unlimited()).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(found.locations.len(), expected, "{guard} {calls:?}");
    }

    #[test]
    fn ranges_go_into_calls_and_come_back() {
        check("(bvult a #x0a)", ["i", "#x03"], 2);
        // The check in the callee is open, but behind it the range is known.
        check("(bvult a #x0a)", ["i", "g"], 1);
        check("(bvult a #x20)", ["i", "#x1f"], 1);
        check("(bvult a #x20)", ["i", "#x2f"], 0);
    }

    /// What was asked is known as long as nothing changes it.
    #[test]
    fn conditions_hold_until_their_variables_change() {
        let check = |between: &str, expected: usize| {
            let text = format!(
                "global g: bv8\nglobal h: bv8\nproperty P unreach-call \"\"\nproperty Q unreach-call \"\"\n\
                 procedure writes() {{\nentry -> exit: h := #x01\n}}\n\
                 procedure nothing() {{\nentry -> exit\n}}\n\
                 procedure main() {{\nlocal k: bv8\nlocation p error P\nlocation q error Q\nentry -> s: call nothing()\n\
                 s -> p: assume (not (bvult g h))\ns -> a: assume (bvult g h)\na -> b: {between}\n\
                 b -> q: assume (not (bvult g h))\nb -> exit: assume (bvult g h)\n}}\n"
            );
            let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
            let found = excluded(&program, &mut Run::unlimited()).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(found.locations.len(), expected, "{between}");
        };
        check("k := g", 1);
        check("g := k", 0);
        check("call writes()", 0);
        check("havoc g", 0);
    }
}
