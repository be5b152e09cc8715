//! The engine `stratified`: "A Solver for Reachability Modulo Theories" (Lal, Qadeer, Lahiri), which is Corral.
//!
//! | paper | here |
//! |---|---|
//! | partially inlined program P, open call-sites C | [`inlining::Inlining`] |
//! | VC of a procedure | [`vc::Template`], made once, instantiated under new names |
//! | cost(c) | [`inlining::CallSite::cost`] |
//! | check(P'), τ | a query under assumptions, [`path::Path`] |
//! | tracked variables T, b_v | [`vc::tracked`] under assumptions, [`abstraction`], [`refine`] |
//! | the variable `error` | the way in which a procedure ends, see [`vc`] |
//! | (after the paper) DAG inlining | [`sharing`] |
//! | summaries, Houdini | known values, [`tabulate`], and lemmas that goals need, [`goals`]; they come before and after the first share of the search, see [`demand`] |
//!
//! Deviations. The cost counts how often a procedure is entered *again*, so that bound 0 inlines each procedure once on a
//! stack (as printed, the first round blocks every call). The program is CORRECT already if the calls that the bound blocks are
//! not needed to refute P', even if there are some. Query-type 1 is left out where the reason of its last answer still holds.
//! Summaries are not guessed from templates and then filtered, but inferred where a goal of the caller asks for them, over atoms that
//! spurious executions tell. So they are as precise as the property needs, and they also find bugs.
//!
//! The engine wants a program whose procedures have no loops ([`pass::loops_to_procedures`] makes them recursive), without
//! threads and memory.
//!
//! [`pass::loops_to_procedures`]: ../pass/fn.loops_to_procedures.html

mod abstraction;
mod atoms;
mod choice;
mod compare;
mod confirm;
mod contradiction;
mod demand;
mod effects;
mod facts;
mod goals;
mod inlining;
mod laws;
mod options;
mod path;
mod refine;
mod sharing;
mod solvers;
mod states;
mod summary;
mod tabulate;
mod trace;
mod values;
mod vc;

pub use options::Options;
pub use refine::Refinement;

use abstraction::PathOracle;
use compare::Comparison;
use demand::Ended;
use engine::{Engine, Progress, Reason, Run, Statistic, Verdict};
use inlining::{CallSite, Inlining, SiteId};
use ir::Program;
use path::Path;
use refine::Oracle;
use rustc_hash::FxHashSet;
use solver::{Answer, Limits, Smt, Unknown};
use solvers::Solvers;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use term::Term;
use term::build::not;
use vc::Template;

/// The engine with its options.
#[derive(Clone, Default, Debug)]
pub struct Stratified {
    pub options: Options,
}

impl Engine for Stratified {
    fn name(&self) -> &'static str {
        "stratified"
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        let limits = Limits {
            deadline: run.time_left().map(|left| Instant::now() + left),
            memory: run.memory_limit(),
            cancel: run.cancel().flag().into(),
        };
        let solvers = Solvers::new(program, &limits);
        let smt = solvers.make();
        let is_small = program.procedures.iter().filter(|procedure| procedure.body.is_ok()).count() < FEW_PROCEDURES;
        let mut options = self.options;
        options.refinement = options.refinement.filter(|_| options.refines_small || !is_small);
        let parameters = options.refinement.map_or(&[][..], |_| &program.globals);
        let mut inlining = Inlining::new(program, parameters.iter().map(|global| global.term));
        if options.shares() {
            inlining.sharing.turn_on();
        }
        let mut search = Search {
            inlining,
            smt,
            solvers,
            run,
            options,
            until: None,
            under: None,
            queries: [0; 3],
            times: [Duration::ZERO; 3],
            bound: 0,
            tracked: BTreeSet::new(),
            decisive: match options.refinement {
                Some(_) => states::states(program),
                None => program.globals.iter().map(|global| global.term).collect(),
            },
            refinements: 0,
            questions: 0,
            descents: 0,
            laws: None,
            comparison: options.compare_refinements.then(Comparison::default),
        };
        let verdict = search.run().unwrap_or_else(Verdict::Unknown);
        search.tell_statistics();
        verdict
    }
}

/// The kinds of queries, as statistics name them.
const QUERIES: [&str; 3] = ["queries without open calls", "queries with summaries", "queries on one execution"];

/// Variables are abstracted in programs of so many procedures: in others there is little that need not be inlined.
const FEW_PROCEDURES: usize = 32;

/// The search has this part of the time before summaries are inferred.
const FIRST_SHARE: u32 = 6;

/// What a query says.
enum Checked {
    /// CORRECT. Whether calls that the bound blocks were needed for that.
    Correct { bounded: bool },
    /// BUG(τ).
    Bug(Path),
}

/// One run of the algorithm.
struct Search<'a> {
    inlining: Inlining<'a>,
    smt: Box<dyn Smt>,
    solvers: Solvers<'a>,
    run: &'a mut Run,
    options: Options,
    /// When the share of the time is over that it has now.
    until: Option<Instant>,
    /// The blocked calls that sufficed for the last answer CORRECT of query-type 1.
    under: Option<FxHashSet<Term>>,
    queries: [u64; 3],
    times: [Duration; 3],
    bound: u32,
    /// T, if variables are abstracted.
    tracked: BTreeSet<Term>,
    /// Calls that change one of these are inlined before others.
    decisive: BTreeSet<Term>,
    refinements: u64,
    /// What refinements asked.
    questions: u64,
    /// How often the search went down one execution.
    descents: u64,
    /// Whether the solver knows laws of the axioms, if they were looked for.
    laws: Option<bool>,
    /// All algorithms of refinement on the paths that were refined, if that is asked for.
    comparison: Option<Comparison>,
}

impl Search<'_> {
    /// Known values come first, because they decide soon if they do. Then the search has a share of the time: many bugs are near.
    /// Then come summaries, and then the search with them.
    fn run(&mut self) -> Result<Verdict, Reason> {
        let seeds = match self.infers().then(|| self.known_values()).transpose()? {
            Some(Ended::Decided(verdict)) => return Ok(verdict),
            Some(Ended::Open(seeds)) => Some(seeds),
            None => None,
        };
        self.inlining.start(self.smt.as_mut())?;
        self.inline(&[])?;
        let Some(seeds) = seeds else { return self.search() };
        if let Some(left) = self.run.time_left() {
            match self.search_until(Instant::now() + left / FIRST_SHARE) {
                Ok(Verdict::Unknown(Reason::BoundReached(_))) | Err(Reason::Timeout) => {}
                decided => return decided,
            }
        }
        if let Some(verdict) = self.summaries(&seeds)? {
            return Ok(verdict);
        }
        self.inlining.tell_open(self.smt.as_mut());
        self.search()
    }

    /// Whether summaries are inferred.
    fn infers(&self) -> bool {
        self.options.houdini && !self.options.static_inlining
    }

    /// Searches until some time; a later search goes on where this one ends.
    fn search_until(&mut self, until: Instant) -> Result<Verdict, Reason> {
        let limits = self.smt.limits().clone();
        self.smt.set_limits(Limits { deadline: Some(until), ..limits.clone() });
        self.until = Some(until);
        let found = self.search();
        self.until = None;
        self.smt.set_limits(limits);
        self.run.tick()?;
        found
    }

    /// Figure 2.
    fn search(&mut self) -> Result<Verdict, Reason> {
        self.inlining.settle();
        loop {
            if self.options.static_inlining {
                self.inline_all()?;
            }
            loop {
                self.tick()?;
                if self.is_worth_asking()
                    && let Some(path) = self.query_type_1()?
                {
                    match self.conclude(path)? {
                        Some(verdict) => return Ok(verdict),
                        None => continue,
                    }
                }
                match self.query_type_2()? {
                    Checked::Correct { bounded: false } => {
                        return Ok(Verdict::True(self.inlining.proof()));
                    }
                    Checked::Correct { bounded: true } => break,
                    Checked::Bug(path) if path.open.is_empty() => {
                        if let Some(verdict) = self.conclude(path)? {
                            return Ok(verdict);
                        }
                    }
                    Checked::Bug(path) => {
                        if let Some(verdict) = self.descend(path)? {
                            return Ok(verdict);
                        }
                    }
                }
            }
            if let Some(verdict) = self.exhausted() {
                return Ok(verdict);
            }
            self.bound += 1;
        }
    }

    /// What is made of a path without open calls: the answer, unless it cannot be taken when more variables are tracked. Then
    /// they are from now on.
    fn conclude(&mut self, path: Path) -> Result<Option<Verdict>, Reason> {
        let Some(refinement) = self.options.refinement else {
            return self.verdict(&path);
        };
        if self.refine(refinement, &path)? {
            return Ok(None);
        }
        let assumptions: Vec<Term> = path.flags.iter().copied().chain(self.everything()).collect();
        let answer = self.smt.check_assuming(&assumptions);
        if self.is_correct(answer)? {
            return Err(Reason::NoProgress("an execution could neither be shown nor excluded".to_string()));
        }
        let path = path::path(&self.inlining, self.smt.as_mut())?;
        self.verdict(&path)
    }

    /// The verdict for an execution without open calls that the solver has as its model, if it can be taken under the laws that
    /// follow from the axioms.
    fn verdict(&mut self, path: &Path) -> Result<Option<Verdict>, Reason> {
        let Search { laws, inlining, smt, .. } = self;
        if *laws.get_or_insert_with(|| laws::tell(&inlining.program.axioms, smt.as_mut())) {
            let assumptions: Vec<Term> = path.flags.iter().copied().chain(self.everything()).collect();
            let answer = self.ask(2, &assumptions);
            if self.is_correct(answer)? {
                return Ok(None);
            }
        }
        trace::verdict(&self.inlining, self.smt.as_mut(), path).map(Some)
    }

    /// Tracks more variables if a path cannot be taken then, whatever the open calls on it do; whether that is so.
    fn refine(&mut self, refinement: Refinement, path: &Path) -> Result<bool, Reason> {
        let program = self.inlining.program;
        let make = || self.solvers.make();
        let constraints = abstraction::constraints(&self.inlining, path);
        let mut oracle = PathOracle::new(&constraints, refinement, &make);
        let all = program.globals.iter().map(|global| global.term);
        let candidates: Vec<Term> = all.clone().filter(|global| !self.tracked.contains(global)).collect();
        if candidates.is_empty() || !oracle.is_correct(&all.collect())? {
            return Ok(false);
        }
        if let Some(comparison) = &mut self.comparison {
            comparison.path(&constraints, &make, &self.tracked, &candidates)?;
        }
        self.tracked = refine::refine(refinement, &mut oracle, &self.tracked, &candidates)?;
        self.refinements += 1;
        self.questions += oracle.questions;
        self.decisive.extend(&self.tracked);
        self.inlining.look_again();
        Ok(true)
    }

    /// That all variables are tracked, as assumptions.
    fn everything(&self) -> impl Iterator<Item = Term> {
        self.inlining.program.globals.iter().map(|global| vc::tracked(global.term))
    }

    /// Which variables are tracked, as assumptions.
    fn abstraction(&self) -> impl Iterator<Item = Term> {
        let globals = self.options.refinement.map_or(&[][..], |_| &self.inlining.program.globals).iter();
        globals.map(|global| {
            let flag = vc::tracked(global.term);
            if self.tracked.contains(&global.term) { flag } else { not(flag) }
        })
    }

    /// Whether query-type 1 should be asked now. A bug that it finds is found by query-type 2 as well, a little later, so that it
    /// gets a share of the time.
    fn is_worth_asking(&self) -> bool {
        self.times[0] * 3 <= self.times[1] + Duration::from_millis(100)
    }

    /// Looks for a bug in what is inlined: all open calls are blocked.
    fn query_type_1(&mut self) -> Result<Option<Path>, Reason> {
        let assumptions: Vec<Term> =
            self.blocked(|_| true).chain([not(Template::unsupported())]).chain(self.abstraction()).collect();
        if let Some(reason) = &self.under {
            let blocked: FxHashSet<Term> = assumptions.iter().copied().collect();
            if reason.iter().all(|literal| blocked.contains(literal)) {
                return Ok(None);
            }
        }
        let answer = self.ask(0, &assumptions);
        if self.is_correct(answer)? {
            self.under = Some(self.smt.core().iter().copied().collect());
            return Ok(None);
        }
        path::path(&self.inlining, self.smt.as_mut()).map(Some)
    }

    /// Looks for a bug where open calls may do what their summaries allow; only those beyond the bound are blocked.
    fn query_type_2(&mut self) -> Result<Checked, Reason> {
        let blocked: FxHashSet<Term> = self.blocked(|site| self.is_beyond(site)).collect();
        let assumptions: Vec<Term> = blocked.iter().copied().chain(self.abstraction()).collect();
        let answer = self.ask(1, &assumptions);
        if self.is_correct(answer)? {
            return Ok(Checked::Correct { bounded: self.smt.core().iter().any(|literal| blocked.contains(literal)) });
        }
        path::path(&self.inlining, self.smt.as_mut()).map(Checked::Bug)
    }

    fn ask(&mut self, kind: usize, assumptions: &[Term]) -> Answer {
        let start = Instant::now();
        let answer = self.smt.check_assuming(assumptions);
        self.queries[kind] += 1;
        self.times[kind] += start.elapsed();
        answer
    }

    /// What blocks those of the open calls that are as asked.
    fn blocked(&self, is_blocked: impl Fn(&CallSite) -> bool) -> impl Iterator<Item = Term> {
        let open = self.inlining.open.iter().map(|site| &self.inlining.sites[site.0]);
        open.filter(move |site| is_blocked(site)).flat_map(|site| site.blocked())
    }

    /// Whether a bound blocks a call.
    fn is_beyond(&self, site: &CallSite) -> bool {
        site.cost > self.bound || self.is_too_deep(site)
    }

    fn is_too_deep(&self, site: &CallSite) -> bool {
        self.options.stack_bound.is_some_and(|bound| site.depth > bound)
    }

    /// The answer if there is no bug within the bounds, and no greater bound on recursion is of use.
    fn exhausted(&self) -> Option<Verdict> {
        let mut open = self.inlining.open.iter().map(|site| &self.inlining.sites[site.0]);
        let rises = self.options.recursion_bound != Some(self.bound)
            && open.any(|site| site.cost > self.bound && !self.is_too_deep(site));
        let stack = self.options.stack_bound.map(|bound| ("stack depth", bound.into()));
        let bounds = [("recursion", self.bound.into())].into_iter().chain(stack).collect();
        (!rises).then_some(Verdict::Unknown(Reason::BoundReached(bounds)))
    }

    /// Whether there is no bug. Where the solver could only not show that there is none, its candidate counts as one: what
    /// comes of it is replayed.
    fn is_correct(&self, answer: Answer) -> Result<bool, Reason> {
        match answer {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(Unknown::Incomplete(_)) if self.smt.has_candidate() => Ok(false),
            Answer::Unknown(why) => Err(solver_reason(why)),
        }
    }

    fn inline(&mut self, sites: &[SiteId]) -> Result<(), Reason> {
        for site in sites {
            self.inlining.inline(*site, self.smt.as_mut())?;
        }
        self.inlining.inline_small(&self.decisive, self.smt.as_mut())?;
        self.inlining.settle();
        Ok(())
    }

    /// Inlines all that the bound allows.
    fn inline_all(&mut self) -> Result<(), Reason> {
        loop {
            self.tick()?;
            let sites = &self.inlining.sites;
            let allowed = self.inlining.open.iter().copied().filter(|site| !self.is_beyond(&sites[site.0]));
            let allowed: Vec<SiteId> = allowed.collect();
            if allowed.is_empty() {
                return Ok(());
            }
            for some in allowed.chunks(64) {
                self.tick()?;
                self.inline(some)?;
            }
        }
    }

    fn tick(&mut self) -> Result<(), Reason> {
        self.run.tick()?;
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Reason::Timeout);
        }
        let (bound, inlined) = (u64::from(self.bound), self.inlining.instances.len() as u64);
        let (open, queries) = (self.inlining.open.len() as u64, self.queries.iter().sum());
        self.run.progress(|| Progress {
            engine: "stratified",
            figures: vec![("recursion", bound), ("inlined", inlined), ("open calls", open), ("queries", queries)],
        });
        Ok(())
    }

    fn tell_statistics(&mut self) {
        let statistics = &mut self.run.statistics;
        statistics.count("recursion bound", self.bound.into());
        statistics.count("procedures inlined", self.inlining.instances.len() as u64);
        statistics.count("calls with a shared body", self.inlining.sharing.shared);
        statistics.count("open calls", self.inlining.open.len() as u64);
        if self.options.refinement.is_some() {
            statistics.count("tracked variables", self.tracked.len() as u64);
            statistics.count("refinements", self.refinements);
            statistics.count("questions of refinements", self.questions);
            statistics.count("executions looked into", self.descents);
        }
        if let Some(comparison) = &self.comparison {
            comparison.tell(statistics);
        }
        for (kind, name) in QUERIES.into_iter().enumerate() {
            let (count, seconds) = (self.queries[kind], self.times[kind].as_secs_f64());
            statistics.set(name, Statistic::Text(format!("{count} in {seconds:.3} s")));
        }
        for (kind, count, time) in self.smt.statistics().iter() {
            let seconds = time.as_secs_f64();
            statistics.set(kind.name(), Statistic::Text(format!("{count} in {seconds:.3} s")));
        }
    }
}

/// A solver's reason as an engine's.
fn solver_reason(why: Unknown) -> Reason {
    match why {
        Unknown::Timeout => Reason::Timeout,
        Unknown::Memory => Reason::Memory,
        Unknown::Cancelled => Reason::Cancelled,
        why @ Unknown::Incomplete(_) => Reason::NoProgress(why.to_string()),
        Unknown::Unsupported(what) => Reason::NotAttempted(what.to_string()),
    }
}
