//! Options of the engines, and of the models of calls and memory that they see.

use clap::{Args, ValueEnum};
use driver::engines::predicate::{Abstraction, Arithmetic, Coverage, Encoding, Options, Order, Prefix, Scope};
use driver::engines::stratified::Refinement;
use driver::engines::{interleaving, linear, mixed};
use std::path::PathBuf;

/// How calls and memory are modelled for engines that look at one procedure without them.
#[derive(Args, Debug)]
#[command(next_help_heading = "Model of calls and memory")]
pub struct Modelling {
    /// What stands in the place of a call: a copy of the body, or a jump to the only body, whose end branches on where to return to. Recursion
    /// is merged when inlined; with return points it is exact up to --recursion-bound.
    #[arg(long, value_name = "HOW", default_value = "inline")]
    pub calls: CallsAs,
    /// What stands in the place of memory: maps; a variable for each element, read and written by cases over what a pointer may point to;
    /// these with pointers as numeric addresses; or that with variables for what pointers point to. The heap then has --heap-bound objects.
    #[arg(long, value_name = "HOW", default_value = "maps")]
    pub pointers_as: PointersAs,
    /// How many objects there are of each place that allocates again and again, where elements are variables.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub heap_bound: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum CallsAs {
    Inline,
    ReturnPoints,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum PointersAs {
    Maps,
    Elements,
    Addresses,
    Dereferences,
}

impl Modelling {
    /// What engines are given, with a bound on recursion if there is one.
    pub fn with_recursion(&self, recursion: Option<u32>) -> driver::modelling::Modelling {
        driver::modelling::Modelling {
            calls: match self.calls {
                CallsAs::Inline => driver::modelling::Calls::Inline,
                CallsAs::ReturnPoints => driver::modelling::Calls::ReturnPoints,
            },
            pointers: match self.pointers_as {
                PointersAs::Maps => driver::modelling::Pointers::Maps,
                PointersAs::Elements => driver::modelling::Pointers::Elements,
                PointersAs::Addresses => driver::modelling::Pointers::Addresses,
                PointersAs::Dereferences => driver::modelling::Pointers::Dereferences,
            },
            recursion,
            heap: self.heap_bound,
            ..driver::modelling::Modelling::default()
        }
    }
}

/// Options of the engine predicate.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine predicate")]
pub struct Predicate {
    /// How much of the program one step covers: single (one operation), large (a loop-free part), or a number of
    /// operations.
    #[arg(long, value_name = "BLOCKS", default_value = "large", value_parser = encoding)]
    pub blocks: Encoding,
    /// How successors are abstracted; default: boolean, with single blocks cartesian.
    #[arg(long, value_name = "KIND")]
    pub abstraction: Option<AbstractionKind>,
    /// Where a new predicate counts.
    #[arg(long, value_name = "SCOPE", default_value = "location")]
    pub precision: PrecisionScope,
    /// Which node of the tree is expanded next.
    #[arg(long, value_name = "ORDER", default_value = "dfs")]
    pub order: SearchOrder,
    /// What covers a node: one other node, or all others at its location together; default: union, with single blocks node.
    #[arg(long, value_name = "BY")]
    pub coverage: Option<CoverageBy>,
    /// How refinement reads arithmetic when it looks for predicates: as integers first, with bits only, or as seems best. Verdicts
    /// are about the program's own values in any case.
    #[arg(long, value_name = "VIEW", default_value = "auto")]
    pub arith: ArithmeticView,
    /// Which contradiction of a path that cannot be taken is refined: any that the solver finds, the first, the last, or the one whose
    /// variables cost least to track.
    #[arg(long, value_name = "WHICH", default_value = "any")]
    pub prefix: PrefixChoice,
    /// Begin with the predicates in this file, which --keep-predicates wrote for this program or for another version of it. Those that do
    /// not fit the program are left out.
    #[arg(long, value_name = "FILE")]
    pub reuse_predicates: Option<PathBuf>,
    /// Write the predicates that were tracked to this file.
    #[arg(long, value_name = "FILE")]
    pub keep_predicates: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum PrefixChoice {
    Any,
    Shortest,
    Longest,
    Domain,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum CoverageBy {
    Node,
    Union,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ArithmeticView {
    Auto,
    Int,
    Bv,
}

/// Options of the engine induction.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine induction")]
pub struct Induction {
    /// Unwind executions so many blocks (passes of a loop, say) at most; default: ever more.
    #[arg(long, value_name = "N")]
    pub unwind: Option<usize>,
    /// Only bounded model checking: no induction steps.
    #[arg(long)]
    pub bmc_only: bool,
}

impl From<&Induction> for driver::engines::induction::Options {
    fn from(given: &Induction) -> driver::engines::induction::Options {
        driver::engines::induction::Options { unwind: given.unwind, bmc_only: given.bmc_only }
    }
}

/// Options of the engine linear.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine linear")]
pub struct Linear {
    /// Follow cycles that only count round by round, instead of any number of rounds at once.
    #[arg(long)]
    pub no_acceleration: bool,
}

impl From<&Linear> for linear::Options {
    fn from(given: &Linear) -> linear::Options {
        linear::Options { helpers: linear::Helpers { acceleration: !given.no_acceleration } }
    }
}

/// Options of the engine mixed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine mixed")]
pub struct Mixed {
    /// How reachable states are searched: from all that are known, from new ones (frontier), with no more kept than those at the tails of
    /// back edges (reach-frontier), or with back edges in lockstep.
    #[arg(long, value_name = "STRATEGY", default_value = "lockstep")]
    pub search_strategy: SearchStrategy,
    /// Keep the values of variables that are not live.
    #[arg(long)]
    pub no_live: bool,
    /// First search states that contain all reachable ones, with widening at loops; where that proves nothing, the exact search follows.
    #[arg(long)]
    pub widening: bool,
    /// How machine integers are represented: by bits, by integers, or each as its range and its operations suggest.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub represent: Representation,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchStrategy {
    Plain,
    Frontier,
    ReachFrontier,
    Lockstep,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Representation {
    Auto,
    Bits,
    Integers,
}

impl From<&Mixed> for mixed::Options {
    fn from(given: &Mixed) -> mixed::Options {
        mixed::Options {
            strategy: match given.search_strategy {
                SearchStrategy::Plain => mixed::Strategy::Plain,
                SearchStrategy::Frontier => mixed::Strategy::Frontier,
                SearchStrategy::ReachFrontier => mixed::Strategy::ReachFrontier,
                SearchStrategy::Lockstep => mixed::Strategy::Lockstep,
            },
            live: !given.no_live,
            widening: given.widening,
            represent: match given.represent {
                Representation::Auto => mixed::Represent::Auto,
                Representation::Bits => mixed::Represent::Bits,
                Representation::Integers => mixed::Represent::Integers,
            },
        }
    }
}

/// Options of the engine stratified.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine stratified")]
pub struct Stratified {
    /// How often a procedure, or the body of a loop, may be entered again while it runs; default: ever more often. With --calls
    /// return-points, how often a procedure may, for any engine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub recursion_bound: Option<u32>,
    /// How many calls may be open around a procedure, where the engine looks; default: any number. Executions before it
    /// know no bound (see --no-execution).
    #[arg(long, value_name = "N")]
    pub stack_bound: Option<u32>,
    /// Inline all procedures up to the bound before anything is asked.
    #[arg(long)]
    pub static_inlining: bool,
    /// Which globals count: all, or those that are needed to refute paths, found by STORM's algorithm, Algorithm 1 or
    /// Algorithm 2 of the paper; auto is Algorithm 2, and all where there are few procedures.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    pub refinement: RefinementWay,
    /// Give each inlined call a body of its own, even where no execution passes both of two calls.
    #[arg(long)]
    pub no_sharing: bool,
    /// Do not infer summaries of procedures.
    #[arg(long)]
    pub no_houdini: bool,
    /// Measure all ways of refinement on the paths that one of them is for; --stats prints the figures.
    #[arg(long)]
    pub compare_refinements: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum RefinementWay {
    Auto,
    All,
    Storm,
    Algorithm1,
    Algorithm2,
}

impl From<&Stratified> for driver::engines::stratified::Options {
    fn from(given: &Stratified) -> driver::engines::stratified::Options {
        driver::engines::stratified::Options {
            recursion_bound: given.recursion_bound,
            stack_bound: given.stack_bound,
            static_inlining: given.static_inlining,
            sharing: !given.no_sharing,
            houdini: !given.no_houdini,
            refinement: match given.refinement {
                RefinementWay::All => None,
                RefinementWay::Storm => Some(Refinement::Storm),
                RefinementWay::Algorithm1 => Some(Refinement::Divide),
                RefinementWay::Algorithm2 | RefinementWay::Auto => Some(Refinement::OneFormula),
            },
            refines_small: given.refinement != RefinementWay::Auto || given.compare_refinements,
            compare_refinements: given.compare_refinements,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AbstractionKind {
    Cartesian,
    Boolean,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum PrecisionScope {
    Location,
    Function,
    Global,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchOrder {
    Dfs,
    Bfs,
}

/// Options of the engine interleaving.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine interleaving")]
pub struct Interleaving {
    /// Which state is explored next.
    #[arg(long, value_name = "ORDER", default_value = "dfs")]
    pub search: SearchOrder,
    /// How interleavings are left out: inside the SAT solver's decisions, by constraints added upfront, not at all, or by the
    /// paper's rule as it is printed, which misses violations.
    #[arg(long, value_name = "HOW", default_value = "decisions")]
    pub reduction: ReductionKind,
    /// How it is found out that states were explored before: by our own solver for two quantifiers, by the program depqbf, or
    /// by binary decision diagrams.
    #[arg(long, value_name = "HOW", default_value = "expansion")]
    pub fixpoint: FixpointKind,
    /// Compare a state with single others only, as the paper does, and not with several together.
    #[arg(long)]
    pub no_unions: bool,
    /// Ask a solver even what constants, equal structures and simulation can answer, to measure it.
    #[arg(long)]
    pub no_filters: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ReductionKind {
    Decisions,
    Constraints,
    None,
    UnsoundPrinted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum FixpointKind {
    Expansion,
    Depqbf,
    Bdd,
}

impl From<&Interleaving> for interleaving::Options {
    fn from(given: &Interleaving) -> interleaving::Options {
        interleaving::Options {
            order: match given.search {
                SearchOrder::Dfs => interleaving::Order::DepthFirst,
                SearchOrder::Bfs => interleaving::Order::BreadthFirst,
            },
            reduction: match given.reduction {
                ReductionKind::Decisions => interleaving::Reduction::Decisions,
                ReductionKind::Constraints => interleaving::Reduction::Constraints,
                ReductionKind::None => interleaving::Reduction::None,
                ReductionKind::UnsoundPrinted => interleaving::Reduction::Printed,
            },
            fixpoint: match given.fixpoint {
                FixpointKind::Expansion => interleaving::Fixpoint::Expansion,
                FixpointKind::Depqbf => interleaving::Fixpoint::Depqbf,
                FixpointKind::Bdd => interleaving::Fixpoint::Bdd,
            },
            unions: !given.no_unions,
            filters: !given.no_filters,
        }
    }
}

fn encoding(text: &str) -> Result<Encoding, String> {
    match text {
        "single" => Ok(Encoding::Single),
        "large" => Ok(Encoding::Large),
        number => match number.parse() {
            Ok(size) if size > 0 => Ok(Encoding::Adjustable(size)),
            _ => Err("expected single, large or a number of operations".to_string()),
        },
    }
}

impl From<&Predicate> for Options {
    fn from(given: &Predicate) -> Options {
        let usual = if given.blocks == Encoding::Single { Abstraction::Cartesian } else { Abstraction::Boolean };
        Options {
            encoding: given.blocks,
            abstraction: match given.abstraction {
                None => usual,
                Some(AbstractionKind::Cartesian) => Abstraction::Cartesian,
                Some(AbstractionKind::Boolean) => Abstraction::Boolean,
            },
            scope: match given.precision {
                PrecisionScope::Location => Scope::Location,
                PrecisionScope::Function => Scope::Function,
                PrecisionScope::Global => Scope::Global,
            },
            order: match given.order {
                SearchOrder::Dfs => Order::DepthFirst,
                SearchOrder::Bfs => Order::BreadthFirst,
            },
            coverage: match given.coverage {
                Some(CoverageBy::Node) => Coverage::Node,
                Some(CoverageBy::Union) => Coverage::Union,
                None if given.blocks == Encoding::Single => Coverage::Node,
                None => Coverage::Union,
            },
            arithmetic: match given.arith {
                ArithmeticView::Auto => Arithmetic::Auto,
                ArithmeticView::Int => Arithmetic::Integers,
                ArithmeticView::Bv => Arithmetic::Bits,
            },
            prefix: match given.prefix {
                PrefixChoice::Any => Prefix::Whole,
                PrefixChoice::Shortest => Prefix::Shortest,
                PrefixChoice::Longest => Prefix::Longest,
                PrefixChoice::Domain => Prefix::Domain,
            },
        }
    }
}
