//! The engine `predicate`: "Software Model Checking via Large-Block Encoding" (Beyer, Cimatti, Griggio, Keremoglu,
//! Sebastiani), with single-block encoding as the same code on another automaton.
//!
//! | paper | here |
//! |---|---|
//! | CFA-summary, Section III.A | [`pass::summarise`], [`pass::Guarded`] |
//! | ART node n = (l, φ) | [`art::Node`]: a location and a region |
//! | precision Π | [`precision::Precision`] |
//! | φ^π_C, φ^π_B, SP^π | [`abstraction::successor`] |
//! | covered | [`art::Art::frontier`] |
//! | path feasibility, interpolants | [`blocks::path::PathFormula`], [`refine`] |
//!
//! What was learnt since: which of a path's contradictions is refined ([`prefixes`]), predicates of other runs ([`reuse`]).
//!
//! Deviations. A node is covered by one that its region *entails* (Section II.C prints it the other way round), and only
//! by what is expanded there; when that is removed, the covered node waits again. With [`Coverage::Union`] several nodes cover one
//! together, and what they leave of it is expanded alone. Besides error locations, the
//! tree's search also looks for locations where something unsupported stands: if one can be reached, nothing is answered.
//!
//! The engine wants a program of one procedure without calls, threads and memory; passes bring others to that form.

pub mod abstraction;
pub mod art;
mod bounds;
mod domains;
mod folds;
mod houdini;
mod links;
mod options;
mod outdated;
pub mod precision;
mod prefixes;
mod proof;
mod refine;
pub mod region;
mod reuse;
mod seeds;

pub use bounds::{Bounds, NAME as BOUNDS};
pub use folds::{Folds, NAME as FOLDS};
pub use options::{Abstraction, Arithmetic, Coverage, Encoding, Options, Order, Prefix, Scope};
pub use reuse::{LeftOut, Reuse};

use abstraction::{Failure, successor};
use art::{Art, NodeId};
use blocks::model::{Model, ModelBlock};
use blocks::solver_reason;
use blocks::solvers::{BlockId, Solvers};
use engine::{Engine, Progress, Reason, Run, Verdict};
use houdini::houdini;
use ir::{LocId, LocationKind, ProcId, Program};
use precision::Precision;
use refine::{Refinement, Refiner, Way};
use region::{PredicateId, Predicates};
use reuse::Given;
use rustc_hash::FxHashSet;
use seeds::Seeds;
use sets::bdd::Bdd;
use solver::{Kind, Limits};
use std::sync::Arc;
use term::Term;

/// The engine with its options.
#[derive(Clone, Default, Debug)]
pub struct Predicate {
    pub options: Options,
    /// For each location of the program's procedure the function that it was written in, for [`Scope::Function`]. Of
    /// locations that are not listed, nothing is known; they count as one function.
    pub functions: Vec<ProcId>,
    /// Whether to begin with what [`seeds`] names, instead of nothing.
    pub seeded: bool,
    /// Predicates of other runs to begin with, and who keeps those of this one.
    pub reuse: Option<Arc<Reuse>>,
}

impl Engine for Predicate {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        let mut model = match Model::new(program, self.options.encoding, run.shared()) {
            Ok(model) => model,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let seeds = if self.seeded { seeds::seeds(&model) } else { Seeds::default() };
        let seeds = match learn(&mut model, seeds, run) {
            Ok(seeds) => seeds,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let given = self.reuse.as_ref().map_or_else(Given::new, |reuse| reuse.give(program));
        let mut search = Search::new(&model, self, &seeds, &given, run);
        let verdict = search.run().unwrap_or_else(Verdict::Unknown);
        search.tell_statistics();
        if let Some(reuse) = &self.reuse {
            reuse.keep(program, &model, &search.predicates, &search.precision);
        }
        verdict
    }
}

/// Adds what is inductive of the seeds' clauses to what is known. The seeds are needed no more if that is a proof.
fn learn(model: &mut Model<'_>, seeds: Seeds, run: &mut Run) -> Result<Seeds, Reason> {
    let clauses = seeds.clauses();
    if clauses.is_empty() {
        return Ok(seeds);
    }
    let mut solvers = Solvers::new(model, limits(run));
    let learnt = houdini(model, &mut solvers, &clauses, run)?;
    learnt.into_iter().for_each(|(location, formulas)| model.learn(location, formulas));
    for block in model.locations().iter().flat_map(|location| model.outgoing(*location)) {
        let Some(op) = block.op.as_ref().filter(|_| is_bad(model, block.to())) else { continue };
        let mut smt = solvers.for_paths();
        op.conjuncts().iter().for_each(|conjunct| smt.assert(*conjunct));
        if !smt.check().is_unsat() {
            return Ok(seeds);
        }
    }
    Ok(Seeds::default())
}

/// Whether control must not come to a location.
fn is_bad(model: &Model<'_>, location: LocId) -> bool {
    !matches!(model.cfa.location(location).kind, LocationKind::Plain | LocationKind::End)
}

fn limits(run: &Run) -> Limits {
    Limits {
        deadline: run.time_left().map(|left| std::time::Instant::now() + left),
        memory: run.memory_limit(),
        cancel: run.cancel().flag().into(),
    }
}

/// One run of the algorithm.
struct Search<'a> {
    model: &'a Model<'a>,
    options: Options,
    run: &'a mut Run,
    solvers: Solvers,
    refiner: Refiner,
    predicates: Predicates,
    precision: Precision<'a>,
    art: Art,
    refinements: u64,
    /// How many paths were excluded by predicates that had been found for others.
    outdated: u64,
    successors: u64,
    /// How many contradictions of infeasible paths there were to choose from, and how many of the chosen ones were refined.
    contradictions: u64,
    sliced: u64,
    /// How often which way to predicates served.
    found_by: [u64; Way::ALL.len()],
}

impl<'a> Search<'a> {
    fn new(model: &'a Model<'a>, engine: &'a Predicate, seeds: &Seeds, given: &Given, run: &'a mut Run) -> Search<'a> {
        let options = engine.options;
        let limits = limits(run);
        let solvers = Solvers::new(model, limits.clone());
        let refiner = Refiner::new(&solvers, limits);
        let mut predicates = Predicates::default();
        let art = Art::new(options.order, options.coverage, model.cfa.entry(), predicates.everything());
        let mut precision = Precision::new(options.scope, &engine.functions);
        let seeds: Vec<PredicateId> = seeds.predicates().map(|atom| predicates.number(atom)).collect();
        for location in model.locations() {
            seeds.iter().for_each(|predicate| _ = precision.add(*location, *predicate, 0));
        }
        for (location, atom) in given {
            let predicate = predicates.number(*atom);
            let everywhere = if location.is_none() { model.locations() } else { &[] };
            everywhere.iter().chain(location).for_each(|location| _ = precision.add(*location, predicate, 0));
        }
        Search {
            model,
            options,
            run,
            solvers,
            refiner,
            predicates,
            precision,
            art,
            refinements: 0,
            outdated: 0,
            successors: 0,
            contradictions: 0,
            sliced: 0,
            found_by: Default::default(),
        }
    }

    /// Builds the tree until it is complete or has a feasible path to an error location (Section II.C).
    fn run(&mut self) -> Result<Verdict, Reason> {
        while let Some(node) = self.art.take() {
            let Some(frontier) = self.art.frontier(node).map_err(full)? else { continue };
            if let Some(verdict) = self.expand(node, &frontier)? {
                return Ok(verdict);
            }
        }
        let proof = proof::invariants(self.model, &mut self.predicates, &self.art);
        Ok(Verdict::True(proof.map_err(full)?))
    }

    /// Adds the abstract successors of a node's frontier. An answer, if a path to an error location is feasible.
    fn expand(&mut self, node: NodeId, frontier: &Bdd) -> Result<Option<Verdict>, Reason> {
        let expanded = self.art.expanded(node);
        for (number, block) in self.model.outgoing(self.art.node(node).location).iter().enumerate() {
            self.tick()?;
            if expanded.contains(&number) {
                continue;
            }
            let region = self.successor((self.art.node(node).location, number), block, frontier)?;
            if region.is_false() {
                continue;
            }
            let child = self.art.add(node, number, block.to(), region, self.precision.now());
            if self.model.cfa.location(block.to()).kind == LocationKind::Plain {
                self.art.wait(child);
                continue;
            }
            if self.model.cfa.location(block.to()).kind == LocationKind::End {
                continue;
            }
            match refine::refine(self, child)? {
                Refinement::Feasible(verdict) => return Ok(Some(verdict)),
                // The tree has lost a part; this node, if it is still there, waits again.
                Refinement::Refined => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The abstraction of what a block makes of a region, with the predicates that are tracked now.
    fn successor(&mut self, id: BlockId, block: &ModelBlock, region: &Bdd) -> Result<Bdd, Reason> {
        let Some(op) = &block.op else { return Ok(self.predicates.nothing()) };
        let precision = self.tracked(block.to());
        self.successors += 1;
        let (kind, predicates) = (self.options.abstraction, &mut self.predicates);
        let abstracted =
            self.solvers.within(id, op, |smt, aside| successor(kind, smt, aside, predicates, region, op, &precision));
        abstracted.map_err(failed)
    }

    /// The predicates to compute at a location.
    fn tracked(&self, location: LocId) -> Vec<PredicateId> {
        let mut predicates = self.precision.at(location);
        predicates.retain(|predicate| self.model.are_live(location, self.predicates.variables(*predicate)));
        predicates
    }

    /// The predicates that are tracked at a location, as formulas.
    fn terms_at(&self, location: LocId) -> FxHashSet<Term> {
        self.precision.at(location).into_iter().map(|predicate| self.predicates.term(predicate)).collect()
    }

    fn tick(&mut self) -> Result<(), Reason> {
        self.run.tick()?;
        let (refinements, nodes, predicates) =
            (self.refinements, self.art.size() as u64, self.predicates.count() as u64);
        let (solvers, refiner) = (&self.solvers, &self.refiner);
        self.run.progress(|| Progress {
            engine: "predicate",
            figures: vec![
                ("refinements", refinements),
                ("nodes", nodes),
                ("predicates", predicates),
                ("solver seconds", solver_time(solvers, refiner)),
            ],
        });
        Ok(())
    }

    fn tell_statistics(&mut self) {
        let (average, largest) = self.precision.sizes(self.model.locations());
        let statistics = &mut self.run.statistics;
        statistics.count("ART nodes", self.art.size() as u64);
        statistics.count("refinements", self.refinements);
        statistics.count("paths through outdated regions", self.outdated);
        statistics.count("contradictions of paths compared", self.contradictions);
        statistics.count("refinements of prefixes", self.sliced);
        for (way, name) in Way::ALL {
            statistics.count(name, self.found_by[way as usize]);
        }
        statistics.count("predicates", self.predicates.count() as u64);
        statistics.set("predicates per location", engine::Statistic::Ratio(average));
        statistics.count("most predicates at a location", largest as u64);
        statistics.count("abstract successors", self.successors);
        statistics.count("blocks", self.model.block_count() as u64);
        let mut solver = self.solvers.statistics();
        solver.add(&self.refiner.statistics());
        for (kind, count, time) in solver.iter() {
            let seconds = time.as_secs_f64();
            statistics.set(kind.name(), engine::Statistic::Text(format!("{count} in {seconds:.3} s")));
        }
    }
}

fn solver_time(solvers: &Solvers, refiner: &Refiner) -> u64 {
    (solvers.statistics().time(Kind::Check) + refiner.statistics().time(Kind::Check)).as_secs()
}

fn failed(failure: Failure) -> Reason {
    match failure {
        Failure::Solver(why) => solver_reason(why),
        Failure::Full => Reason::Memory,
    }
}

fn full(_: sets::bdd::Full) -> Reason {
    Reason::Memory
}
