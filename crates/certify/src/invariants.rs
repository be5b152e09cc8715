//! Invariants as a proof: they hold at the start, each part of the program carries them on, and none lets an error
//! location be reached.

use crate::cases::{Departure, lists_states};
use crate::encode::{NoFormula, at_start, part};
use crate::folds::{Folds, without_divisions};
use crate::{abstracted, crowds, edges, enclosure, executed, inlined, procedures, shapes, threads, unwound};
use engine::{Invariant, Proof};
use ir::{Cfa, LocId, LocationKind, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Limits, Smt, Unknown};
use std::fmt;
use term::Term;
use term::build::{and, falsehood, not, or, truth};

/// Why a proof was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// The formula at the entry does not hold in every initial state.
    NotInitial,
    /// From one location to another the formulas are not inductive, or an error location is reached.
    NotInductive { from: LocId, to: LocId },
    /// An error location can be reached in the bodies that were inlined, as far as the proof tells what calls do.
    Reached,
    /// The summary of a procedure does not follow from those of the procedures that it calls.
    NoSummary(ProcId),
    /// The proof speaks of something that is not in the program, or misses something.
    NotComplete(String),
    /// The solver did not decide a condition.
    Undecided(Unknown),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::NotInitial => f.write_str("the invariant of the entry does not hold initially"),
            Rejected::NotInductive { from, to } => {
                write!(f, "the invariants are not inductive from location {} to location {}", from.0, to.0)
            }
            Rejected::Reached => f.write_str("an error location can be reached in the bodies that were inlined"),
            Rejected::NoSummary(procedure) => write!(f, "what is known of procedure {} does not hold", procedure.0),
            Rejected::NotComplete(what) => f.write_str(what),
            Rejected::Undecided(why) => write!(f, "a condition was not decided: {why}"),
        }
    }
}

/// Checks that a proof shows every error location of the program to be out of reach.
///
/// `solver` makes a solver for each condition.
pub fn check_proof(program: &Program, proof: &Proof, solver: &dyn Fn() -> Box<dyn Smt>) -> Result<(), Rejected> {
    let mut questions = Questions { program, solver, folds: Folds::default() };
    match proof {
        Proof::Unconnected => unconnected(program),
        Proof::Executed { edges } => executed::check(program, *edges),
        Proof::Exploration(search) => threads::check(program, search, &mut *solver()),
        Proof::Unwound { cuts, parts, by_induction, invariants } => {
            let formulas = by_location(program, invariants)?;
            if !formulas.is_empty() {
                inductive(&formulas, Errors::Ignored, &questions)?;
            }
            unwound::check(program, cuts, *parts, *by_induction, &formulas, solver)
        }
        Proof::Crowds(sets) => crowds::check(program, sets),
        Proof::Shapes(graphs) => shapes::check(program, graphs, &questions),
        Proof::Abstracted { program: abstraction, predicates, choices, exploration } => {
            abstracted::check(program, abstraction, predicates, choices, &mut *solver())?;
            threads::check(abstraction, exploration, &mut *solver())
        }
        Proof::Inlined { bodies, summaries } => inlined::check(program, bodies, summaries, solver),
        Proof::Invariants(invariants) if calls(program, invariants) => {
            procedures::check(program, invariants, &questions)
        }
        Proof::Folded { folds, reductions, residues, invariants } => {
            questions.folds = Folds::checked(program, (folds, reductions, residues), &mut *solver())?;
            inductive(&by_location(program, invariants)?, Errors::Excluded, &questions)
        }
        Proof::Invariants(invariants) => {
            let formulas = by_location(program, invariants)?;
            match &program.procedure(program.entry).body {
                Ok(cfa) if edges::covers(cfa, &formulas) => everywhere(cfa, &formulas, &questions),
                _ => inductive(&formulas, Errors::Excluded, &questions),
            }
        }
    }
}

/// Checks formulas for all locations, which say of errors that nothing comes there.
fn everywhere(cfa: &Cfa, formulas: &Formulas, questions: &Questions<'_>) -> Result<(), Rejected> {
    for (location, data) in cfa.locations() {
        if is_bad(data.kind) && !questions.contradict(&[formulas[&location]])? {
            return Err(Rejected::NotComplete("the invariant of an error location can hold".into()));
        }
    }
    edges::inductive(cfa, formulas, &|formulas| questions.contradict(formulas))
}

/// Whether the procedure that execution starts with calls others, or something is said of others.
fn calls(program: &Program, invariants: &[Invariant]) -> bool {
    let is_call = |edge: &ir::Edge| matches!(edge.op, ir::Op::Call { .. });
    program.procedure(program.entry).body.iter().any(|cfa| cfa.edges().any(|(_, edge)| is_call(edge)))
        || invariants.iter().any(|invariant| invariant.procedure != program.entry)
}

/// Checks that formulas hold at locations of a program, where errors do not matter.
pub fn check_invariants(
    program: &Program,
    invariants: &[Invariant],
    solver: &dyn Fn() -> Box<dyn Smt>,
) -> Result<(), Rejected> {
    let formulas = by_location(program, invariants)?;
    let questions = Questions { program, solver, folds: Folds::default() };
    match &program.procedure(program.entry).body {
        Ok(cfa) if edges::covers(cfa, &formulas) => {
            edges::inductive(cfa, &formulas, &|formulas| questions.contradict(formulas))
        }
        _ => inductive(&formulas, Errors::Ignored, &questions),
    }
}

/// What is asked about a program.
pub(crate) struct Questions<'a> {
    program: &'a Program,
    /// Makes a solver for each question.
    solver: &'a dyn Fn() -> Box<dyn Smt>,
    /// What the proof defines.
    folds: Folds<'a>,
}

impl Questions<'_> {
    /// Whether formulas have no model together, where the program's axioms hold.
    pub fn contradict(&self, formulas: &[Term]) -> Result<bool, Rejected> {
        if enclosure::refutes(formulas) {
            return Ok(true);
        }
        let defined = self.folds.instances(formulas);
        if !self.folds.is_empty() {
            // Quotients are hard to reason about, and it mostly matters that the same is divided.
            let mut smt = (self.solver)();
            defined.iter().chain(formulas).for_each(|formula| smt.assert(without_divisions(*formula)));
            if smt.check().is_unsat() {
                return Ok(true);
            }
        }
        let mut smt = (self.solver)();
        self.program.axioms.iter().chain(&defined).chain(formulas).for_each(|formula| smt.assert(*formula));
        smt.check().decided().map(|model| !model).map_err(Rejected::Undecided)
    }

    /// The limits of all questions together.
    pub fn limits(&self) -> Limits {
        (self.solver)().limits().clone()
    }
}

/// All that is said of each location of the entry procedure.
fn by_location(program: &Program, invariants: &[Invariant]) -> Result<Formulas, Rejected> {
    let mut formulas = Formulas::default();
    for Invariant { procedure, location, formula } in invariants {
        if *procedure != program.entry {
            return Err(Rejected::NotComplete("an invariant is not about the entry procedure".into()));
        }
        let known = formulas.entry(*location).or_insert(*formula);
        *known = and([*known, *formula]);
    }
    Ok(formulas)
}

/// Formulas that hold at locations of the entry procedure.
pub(crate) type Formulas = FxHashMap<LocId, Term>;

/// Whether formulas must exclude errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Errors {
    Excluded,
    Ignored,
}

/// Whether no edge leads from what is connected to the entry to an error location.
fn unconnected(program: &Program) -> Result<(), Rejected> {
    let mut seen: FxHashSet<(ProcId, LocId)> = FxHashSet::default();
    let entry_of = |id: ProcId| program.procedure(id).body.as_ref().ok().map(|body| (id, body.entry()));
    let mut stack: Vec<(ProcId, LocId)> = entry_of(program.entry).into_iter().collect();
    while let Some((id, location)) = stack.pop() {
        let Ok(body) = &program.procedure(id).body else { continue };
        if !seen.insert((id, location)) {
            continue;
        }
        if is_bad(body.location(location).kind) {
            return Err(Rejected::NotComplete("an error location is connected to the entry".into()));
        }
        for edge in body.outgoing(location) {
            let edge = body.edge(*edge);
            stack.push((id, edge.to));
            if let ir::Op::Call { procedure, .. } | ir::Op::Spawn { procedure, .. } = &edge.op {
                stack.extend(entry_of(*procedure));
            }
        }
    }
    Ok(())
}

/// Locations that a proof must show to be out of reach: of what is not supported, nothing is known.
pub(crate) fn is_bad(kind: LocationKind) -> bool {
    matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_))
}

/// Whether the formulas are inductive.
fn inductive(formulas: &Formulas, errors: Errors, questions: &Questions<'_>) -> Result<(), Rejected> {
    let program = questions.program;
    let Ok(cfa) = &program.procedure(program.entry).body else {
        return Err(Rejected::NotComplete("the entry has no body".into()));
    };
    let invariant = |location: LocId| formulas.get(&location).copied();
    let cuts: FxHashSet<LocId> = cfa.locations().map(|(id, _)| id).filter(|id| invariant(*id).is_some()).collect();
    let initial = invariant(cfa.entry()).ok_or_else(|| Rejected::NotComplete("the entry has no invariant".into()))?;
    if !questions.contradict(&[not(at_start(initial))])? {
        return Err(Rejected::NotInitial);
    }
    let expected = |end: LocId| match invariant(end) {
        Some(expected) => Some(expected),
        // An execution that ends without a violation needs nothing.
        None if errors == Errors::Ignored || !is_bad(cfa.location(end).kind) => None,
        None => Some(falsehood()),
    };
    let mut starts: Vec<LocId> = cuts.iter().copied().collect();
    starts.sort_unstable();
    // A start about which nothing is said is one case, if other formulas list the states that it leads to.
    let is_listed = formulas.values().any(|formula| *formula != falsehood() && lists_states(*formula));
    for start in starts {
        let formula = invariant(start).unwrap_or(falsehood());
        if formula == falsehood() {
            continue;
        }
        if errors == Errors::Excluded
            && is_bad(cfa.location(start).kind)
            && !questions.contradict(&[at_start(formula)])?
        {
            return Err(Rejected::NotComplete("the invariant of an error location can hold".into()));
        }
        let part = part(cfa, start, &cuts).map_err(|why| {
            Rejected::NotComplete(match why {
                NoFormula::Cycle(location) => format!("no invariant cuts a cycle through location {}", location.0),
                NoFormula::Call(_) => "the program has calls or threads".into(),
            })
        })?;
        if (lists_states(formula) || formula == truth() && is_listed)
            && (Departure { cfa, start, formula, cuts: &cuts, expected: &expected, questions }).holds()?
        {
            continue;
        }
        // All ends at once: one part of the program is often large, and looked at once.
        let mut broken = Vec::new();
        for end in &part.ends {
            let Some(expected) = expected(end.location) else { continue };
            broken.push((end.location, and([end.reached, not(end.read(expected))])));
        }
        let whole = [at_start(formula), part.formula];
        let any = or(broken.iter().map(|(_, broken)| *broken));
        if !questions.contradict(&[whole[0], whole[1], any])? {
            for (to, broken) in &broken {
                if !questions.contradict(&[whole[0], whole[1], *broken])? {
                    return Err(Rejected::NotInductive { from: start, to: *to });
                }
            }
            return Err(Rejected::NotComplete("a part of the program is not covered".into()));
        }
    }
    Ok(())
}
