//! Refinement: is the path to an error location feasible, and if not, which predicates exclude it? (Section II.C)

use crate::Search;
use crate::art::{Node, NodeId};
use crate::domains::Domains;
use crate::links::{self, Cuts};
use crate::options::Arithmetic;
use crate::outdated;
use crate::prefixes;
use blocks::execution::execution;
use blocks::model::{Model, ModelBlock};
use blocks::path::PathFormula;
use blocks::solver_reason;
use blocks::solvers::Solvers;
use engine::{Reason, Verdict};
use pass::Guarded;
use rustc_hash::FxHashSet;
use solver::atoms::{atoms, equations};
use solver::relax::Relaxation;
use solver::{Interpolator, Limits, NoInterpolants, Smt, Statistics};
use term::Term;
use term::build::{and, falsehood, truth};

/// What came of a path to an error location.
pub enum Refinement {
    /// The path can be taken.
    Feasible(Verdict),
    /// It cannot, and the precision tells why; the tree has lost a part of the path.
    Refined,
}

/// What refinement keeps.
pub struct Refiner {
    interpolator: Interpolator,
    /// What the solvers for paths have counted. Each question has one of its own.
    asked: Statistics,
    /// The variables through which paths were infeasible.
    pub mattered: FxHashSet<Term>,
    /// What variables cost, once it was asked for.
    pub domains: Option<Domains>,
}

impl Refiner {
    pub fn new(solvers: &Solvers, limits: Limits) -> Refiner {
        let mut interpolator = Interpolator::beside(solvers.general());
        interpolator.set_limits(limits);
        Refiner { interpolator, asked: Statistics::default(), mattered: FxHashSet::default(), domains: None }
    }

    pub fn statistics(&self) -> Statistics {
        let mut all = self.asked.clone();
        all.add(&self.interpolator.statistics());
        all
    }
}

/// Decides the path to `error`. If it is infeasible, the precision grows and the tree loses the affected part.
pub fn refine(search: &mut Search<'_>, error: NodeId) -> Result<Refinement, Reason> {
    let path = search.art.path(error);
    if outdated::excludes(search, &path)? {
        search.outdated += 1;
        return Ok(Refinement::Refined);
    }
    search.refinements += 1;
    let blocks = blocks(search, &path);
    let ops: Option<Vec<&Guarded>> = blocks.iter().map(|block| block.op.as_ref()).collect();
    let ops = ops.ok_or_else(|| Reason::Internal("a path of the tree has a block that cannot be passed".into()))?;
    // Where what mattered before suffices to exclude the path, it is infeasible.
    let all = links::all_variables(&ops);
    if let Some(variables) = among_known(search, &ops, &all) {
        if attempt(search, &path, &ops, Some(variables))?.is_ok() {
            return Ok(Refinement::Refined);
        }
    } else if let Some(verdict) = feasible(search, &blocks, &ops)? {
        return Ok(Refinement::Feasible(verdict));
    } else if let Some(prefix) = prefixes::preferred(search, &ops)
        && exclude_prefix(search, &path, &prefix)?
    {
        return Ok(Refinement::Refined);
    }
    let variables = mattering(search, &ops, &all);
    let Err(why) = attempt(search, &path, &ops, variables)? else { return Ok(Refinement::Refined) };
    // What is too hard of the path as a whole may be easy for one of its contradictions.
    for prefix in prefixes::all(search, &ops) {
        if exclude_prefix(search, &path, &prefix)? {
            return Ok(Refinement::Refined);
        }
    }
    Err(match why {
        // The time is not over: it was that of one question.
        Reason::Timeout => Reason::NoProgress(
            "an execution that is impossible could not be excluded: no predicates were found by interpolation".into(),
        ),
        why => why,
    })
}

/// Excludes a path by a part of it that is infeasible by itself. Whether that succeeded.
fn exclude_prefix(search: &mut Search<'_>, path: &[NodeId], prefix: &[Guarded]) -> Result<bool, Reason> {
    let ops: Vec<&Guarded> = prefix.iter().collect();
    let variables = mattering(search, &ops, &links::all_variables(&ops));
    let excluded = attempt(search, &path[..=ops.len()], &ops, variables)?.is_ok();
    search.sliced += u64::from(excluded);
    Ok(excluded)
}

/// Excludes a path, or tells why that failed, if something else can be tried: there is time, and nothing is wrong with us.
fn attempt(
    search: &mut Search<'_>,
    path: &[NodeId],
    ops: &[&Guarded],
    variables: Option<Cuts>,
) -> Result<Result<(), Reason>, Reason> {
    match exclude(search, path, ops, variables) {
        Err(why @ Reason::Internal(_)) => Err(why),
        excluded => {
            search.tick()?;
            Ok(excluded)
        }
    }
}

/// The verdict for a path, if it can be taken.
fn feasible(search: &mut Search<'_>, blocks: &[&ModelBlock], ops: &[&Guarded]) -> Result<Option<Verdict>, Reason> {
    let formula = PathFormula::new(ops.iter().copied());
    let mut smt = search.solvers.for_paths();
    formula.parts.iter().for_each(|part| smt.assert(*part));
    let feasible = smt.check().decided();
    let execution = matches!(feasible, Ok(true)).then(|| execution(search.model, smt.as_mut(), blocks, &formula));
    search.refiner.asked.add(smt.statistics());
    feasible.map_err(solver_reason)?;
    execution.transpose()
}

/// The variables through which a path is infeasible: what does not matter for that has no part in the search for predicates.
fn mattering(search: &mut Search<'_>, ops: &[&Guarded], all: &Cuts) -> Option<Cuts> {
    let known = search.refiner.mattered.clone();
    let ask = &mut |question: &mut dyn FnMut(&mut dyn Smt)| ask(search, question);
    let variables = links::variables(ask, ops, all, |term| known.contains(&term));
    search.refiner.mattered.extend(variables.iter().flatten().flatten());
    variables
}

/// The variables through which a path is infeasible, if they are among those that mattered on earlier paths.
fn among_known(search: &mut Search<'_>, ops: &[&Guarded], all: &Cuts) -> Option<Cuts> {
    let known = std::mem::take(&mut search.refiner.mattered);
    let ask = &mut |question: &mut dyn FnMut(&mut dyn Smt)| ask(search, question);
    let found = links::among(ask, ops, all, |_, variable| known.contains(&variable));
    search.refiner.mattered = known;
    found
}

/// The blocks of a path of the tree.
fn blocks<'a>(search: &Search<'a>, path: &[NodeId]) -> Vec<&'a ModelBlock> {
    let taken = path.iter().filter_map(|node| search.art.node(*node).parent);
    taken.map(|(from, number)| &search.model.outgoing(search.art.node(from).location)[number]).collect()
}

/// Adds predicates that exclude the path to the precision, and removes the tree from the first node where one is new.
fn exclude(search: &mut Search<'_>, path: &[NodeId], ops: &[&Guarded], variables: Option<Cuts>) -> Result<(), Reason> {
    let matters = |cut: usize, variable| match &variables {
        Some(cuts) => cuts.get(cut).is_some_and(|variables| variables.contains(&variable)),
        None => true,
    };
    let formula = PathFormula::of(ops.iter().copied(), matters);
    search.tick()?;
    // Interpolants generalise where weakest preconditions would unwind a loop for ever, but cost more.
    let ways: &[Way] = match search.options.arithmetic {
        Arithmetic::Auto if search.refinements.is_multiple_of(LINKS_IN_A_ROW) => INTEGERS_FIRST,
        Arithmetic::Auto => &[Way::Links, Way::Integers, Way::Exact],
        Arithmetic::Integers => INTEGERS_FIRST,
        Arithmetic::Bits => &[Way::Links, Way::Exact],
    };
    for way in ways.iter().copied() {
        let found = match way {
            Way::Links => {
                let locations = path[1..].iter().map(|node| search.art.node(*node).location);
                let tracked: Vec<FxHashSet<Term>> = locations.map(|location| search.terms_at(location)).collect();
                let ask = &mut |question: &mut dyn FnMut(&mut dyn Smt)| ask(search, question);
                let is_tracked = |cut: usize, atom| tracked[cut].contains(&atom);
                variables.as_ref().and_then(|variables| links::sufficient(ask, ops, variables, is_tracked))
            }
            Way::Integers => integer_predicates(search, &formula),
            Way::Exact => Some(exact_predicates(search, &formula)?),
        };
        search.tick()?;
        let found = found.unwrap_or_default();
        if track(search, path, equations(&found)) || track(search, path, found) {
            search.found_by[way as usize] += 1;
            return Ok(());
        }
    }
    Err(Reason::NoProgress(
        "an execution that is impossible could not be excluded: its predicates are in use already".into(),
    ))
}

/// Puts a question about a path to a solver of its own.
pub fn ask(search: &mut Search<'_>, question: &mut dyn FnMut(&mut dyn Smt)) {
    let mut smt = search.solvers.for_paths();
    question(smt.as_mut());
    search.refiner.asked.add(smt.statistics());
}

/// Every so many refinements, interpolants are tried first.
const LINKS_IN_A_ROW: u64 = 12;

const INTEGERS_FIRST: &[Way] = &[Way::Integers, Way::Links, Way::Exact];

/// A way to find predicates.
#[derive(Clone, Copy)]
pub enum Way {
    Links,
    Integers,
    Exact,
}

impl Way {
    pub const ALL: [(Way, &'static str); 3] = [
        (Way::Links, "refinements by links"),
        (Way::Integers, "refinements by integer interpolants"),
        (Way::Exact, "refinements by exact interpolants"),
    ];
}

/// For each cut of a path, the predicates that were found there.
type Found = Vec<Vec<Term>>;

/// Predicates from interpolants of the path read over mathematical integers, if that reading is infeasible too.
fn integer_predicates(search: &mut Search<'_>, formula: &PathFormula) -> Option<Found> {
    let mut relaxation = Relaxation::default();
    let parts = with_axioms(search.model, formula).into_iter().map(|part| relaxation.relax(part));
    let parts: Option<Vec<Term>> = parts.collect();
    let interpolants = search.refiner.interpolator.interpolate(&parts?).ok()?;
    let atoms = |(cut, interpolant): (usize, Term)| {
        let restored = atoms(interpolant).into_iter().filter_map(|atom| relaxation.restore(atom));
        restored.map(|atom| formula.to_program(atom, cut)).collect()
    };
    Some(interpolants.into_iter().enumerate().map(atoms).collect())
}

/// The parts of a path, each with the axioms, which hold in all of them.
fn with_axioms(model: &Model<'_>, formula: &PathFormula) -> Vec<Term> {
    let with = |part: &Term| and(std::iter::once(*part).chain(model.axioms.iter().copied()));
    formula.parts.iter().map(with).collect()
}

/// Predicates from interpolants of the path as it is.
fn exact_predicates(search: &mut Search<'_>, formula: &PathFormula) -> Result<Found, Reason> {
    let parts = with_axioms(search.model, formula);
    let interpolants = search.refiner.interpolator.interpolate(&parts).map_err(|why| match why {
        NoInterpolants::Unknown(why) => solver_reason(why),
        NoInterpolants::Satisfiable => Reason::Internal("two solvers disagree on a path".into()),
    })?;
    let atoms = |(cut, interpolant)| atoms(formula.to_program(interpolant, cut));
    Ok(interpolants.into_iter().enumerate().map(atoms).collect())
}

/// Tracks predicates. Whether one was news to a node of the path; then the tree has lost what lies below the first such node.
fn track(search: &mut Search<'_>, path: &[NodeId], found: Found) -> bool {
    let mut pivot = None;
    for (cut, atoms) in found.into_iter().enumerate() {
        let node = path[cut + 1];
        let Node { location, computed, .. } = *search.art.node(node);
        for atom in atoms.into_iter().filter(|atom| *atom != truth() && *atom != falsehood()) {
            let predicate = search.predicates.number(atom);
            if search.precision.add(location, predicate, computed) {
                pivot.get_or_insert(node);
            }
        }
    }
    if let Some(pivot) = pivot {
        search.art.remove_subtree(pivot);
    }
    pivot.is_some()
}
