//! The command line: what can be asked, and in which words.

use clap::{Args, Parser, Subcommand, ValueEnum};
use driver::engines::predicate::{Abstraction, Arithmetic, Coverage, Encoding, Options, Order, Prefix, Scope};
use driver::engines::stratified::Refinement;
use driver::engines::{interleaving, mixed};
use ir::DataModel;
use std::path::PathBuf;

/// Fathom checks programs: TRUE with a proof, FALSE with an execution, UNKNOWN with a reason.
#[derive(Parser, Debug)]
#[command(name = "fathom", version, about, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes of check, scan and ir: 0 TRUE (or printed), 1 FALSE, 3 UNKNOWN, 2 for input that is no program.
Exit codes of run: see `fathom run --help`.";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether a program has a property. The last line is the verdict.
    Check(Check),
    /// Check every place of a program or library where something can go wrong, and show the verdicts in tables.
    Scan(Scan),
    /// Print the program as Fathom sees it.
    Ir(Show),
    /// Print the Boolean program that a program with threads is for given predicates.
    Abstract(Abstract),
    /// Execute the program in the interpreter.
    Run(Run),
    /// Check a witness: TRUE or FALSE if it is right about the program, UNKNOWN if that could not be confirmed.
    Validate(Validate),
    /// Measure again what a paper measured, and print both.
    Bench(Bench),
    /// Decide a Boolean program by a method that engines are compared with, without proof or trace.
    #[command(hide = true)]
    Reference(Reference),
    /// Take Corral's command line and print what Corral prints, for tools that call Corral.
    Corral(Corral),
}

#[derive(Args, Debug)]
pub struct Corral {
    /// A Boogie program and Corral's options, e.g. `file.bpl /k:2 /main:main /recursionBound:3 /timeLimit:60`. What an option
    /// cannot change here is said.
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// What all commands need to load a program.
#[derive(Args, Debug)]
pub struct Load {
    /// A C program (.c, .i), a Boogie program (.bpl), a Boolean program (.bp), a program in Fathom's textual form (.ir) or an
    /// SV-COMP task definition (.yml). Several C files are linked to one program.
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// A list of C files with the options that they are compiled with, as CMake, Meson and Bear write it. All of them are linked
    /// to one program, or those that are named.
    #[arg(long, value_name = "FILE.json")]
    pub compile_commands: Option<PathBuf>,
    /// What to check: a .prp file, an LTL property as such a file writes it, or a short name; may be repeated.
    /// Default: unreach-call, or what the task definition names.
    ///
    /// Short names: unreach-call, unreach-label:NAME, no-overflow, valid-memsafety (= valid-deref + valid-free +
    /// valid-memtrack), valid-memcleanup, no-data-race, no-deadlock, array-bounds, null-deref, div-by-zero, shift-range,
    /// uninitialised, locking, strings. With all, each of them is decided by itself, and a table shows the verdicts.
    #[arg(long, value_name = "P")]
    pub property: Vec<String>,
    /// An automaton that calls of functions move, and that must not reach an error state; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub automaton: Vec<PathBuf>,
    /// The sizes of C's types; default: what a task definition says, otherwise lp64.
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<Model>,
    /// The function where execution starts; default: what a property file says, otherwise main. A function that is not main is
    /// called with any arguments. A C program without main is a library: each of its functions is checked. In a Boogie program: the
    /// procedure marked {:entrypoint}, otherwise ULTIMATE.start or main.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// A folder with headers, as a C compiler takes it.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// A macro, as a C compiler takes it.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// malloc and its like may return null; by default they never do, as SV-COMP's programs expect.
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Registers of devices lie at an address of a C program, so many bytes; may be repeated. What is read there is arbitrary each
    /// time. Those that the program accesses by constant addresses and volatile types are found without it.
    #[arg(long, value_name = "ADDR:SIZE", value_parser = region)]
    pub mmio: Vec<(u64, u64)>,
    /// How atomic operations of a C program behave whose memory order is weaker than seq_cst. With sc they are taken to be
    /// sequentially consistent, as in task definitions; without, they are a reason not to say TRUE.
    #[arg(long, value_name = "MODEL")]
    pub memory_model: Option<MemoryModel>,
    /// What a call of a function of a C program does that has no body and that is not of the C or POSIX library. Default: refuse;
    /// for task definitions: pure.
    #[arg(long, value_name = "HOW")]
    pub missing_bodies: Option<MissingBodies>,
    /// What pointer arguments of a C function may have in common that execution starts with and that is not main.
    #[arg(long, value_name = "HOW", default_value = "any")]
    pub pointers: Pointers,
    /// Threads of a Boogie program run until they yield.
    #[arg(long)]
    pub cooperative: bool,
}

#[derive(Args, Debug)]
pub struct Abstract {
    #[command(flatten)]
    pub load: Load,
    /// A file with a predicate on each line, as `fathom ir` writes terms, over the variables of the program without calls and
    /// memory. Without it, comments list these variables.
    #[arg(long, value_name = "F")]
    pub predicates: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub load: Load,
    /// The engine that decides, or auto.
    #[arg(long, value_name = "ENGINE", default_value = driver::engines::AUTO, value_parser = driver::engines::names())]
    pub engine: String,
    /// Look at executions of so many contexts only, if there are threads: in each of K rounds every thread runs at most
    /// once, which covers all executions with fewer than K context switches. Default: the bound rises from 1 to 6.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub context_bound: Option<u16>,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Give up when the process holds more memory.
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
    /// How to print the report. With json and sarif, standard output holds the document alone and the verdict line goes
    /// to standard error.
    #[arg(long, default_value = "text")]
    pub format: Format,
    /// Write a witness for TRUE or FALSE, in SV-COMP's format 2.0.
    #[arg(long, value_name = "FILE.yml")]
    pub witness: Option<PathBuf>,
    /// Write a harness in C for FALSE, which returns the values of the execution.
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,
    /// Execute a violation once more: compile the program with a harness by cc, and run it, with a time limit. Never happens
    /// unless asked for.
    #[arg(long, value_name = "HOW")]
    pub replay: Option<Replay>,
    /// Take proofs as they are, to measure what checking them costs.
    #[arg(long)]
    pub no_recheck: bool,
    /// Do not execute the program a few times before engines think about it, to measure them.
    #[arg(long)]
    pub no_execution: bool,
    /// Do not look for the statements whose change would avoid a violation. The search takes 2 s at most.
    #[arg(long)]
    pub no_likely_cause: bool,
    #[command(flatten)]
    pub modelling: Modelling,
    #[command(flatten)]
    pub predicate: Predicate,
    #[command(flatten)]
    pub interleaving: Interleaving,
    #[command(flatten)]
    pub induction: Induction,
    #[command(flatten)]
    pub mixed: Mixed,
    #[command(flatten)]
    pub stratified: Stratified,
    /// Print what was measured.
    #[arg(long)]
    pub stats: bool,
    /// Tell on standard error what is going on.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Check every place of a program or library where something can go wrong, and show the verdicts in tables.
///
/// Static analyses come first and decide most checks; engines are asked about the others, until the time is over. Every violation was
/// executed. A C program without main is a library: each function that other files can call is an entry. Without --property, all
/// properties are looked at.
///
/// The exit code is 0 when all checks are proved, 1 when one is violated, 3 when some are open, and 2 for input that is no program.
#[derive(Args, Debug)]
pub struct Scan {
    #[command(flatten)]
    pub load: Load,
    /// Stop after so many seconds, with what is known then.
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds)]
    pub timeout: std::time::Duration,
    /// Do not ask engines that search, to see what static analyses decide alone.
    #[arg(long)]
    pub static_only: bool,
    /// The engine that is asked about what analyses leave open, or auto.
    #[arg(long, value_name = "ENGINE", default_value = driver::engines::AUTO, value_parser = driver::engines::names())]
    pub engine: String,
    /// Stop when the process holds more memory.
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
    /// Show the execution of every violation, and not only where it is.
    #[arg(long)]
    pub traces: bool,
    /// How to print what was found. With json and sarif, standard output holds the document alone and the verdict line goes to
    /// standard error.
    #[arg(long, default_value = "text")]
    pub format: Format,
    /// Print what was measured.
    #[arg(long)]
    pub stats: bool,
    /// Tell on standard error what is going on.
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Replay {
    Native,
}

#[derive(Args, Debug)]
pub struct Validate {
    #[command(flatten)]
    pub load: Load,
    /// The witness, in SV-COMP's format 2.0. The property and the data model are taken from it, if they are not given.
    #[arg(long, value_name = "FILE.yml")]
    pub witness: PathBuf,
    /// The engine that decides, or auto.
    #[arg(long, value_name = "ENGINE", default_value = driver::engines::AUTO, value_parser = driver::engines::names())]
    pub engine: String,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Give up when the process holds more memory.
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
}

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

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    pub load: Load,
    /// The language to print the program in: Fathom's textual form, or a Boolean program or Promela if it has only Booleans.
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "ir")]
    pub language: Language,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Language {
    Ir,
    Bp,
    Promela,
}

/// Execute the program in the interpreter.
///
/// What the program prints goes to standard output. The process ends with what main returns or exit() is given.
/// Otherwise the code is 134 for a violated property, abort or undefined behaviour, 123 when no thread can go on, 124 when a
/// limit is reached, 125 for something unsupported, and standard error says why; 2 stands for input that is no program.
#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    pub load: Load,
    /// Choose what the program leaves open at random, from this seed; default: zeros.
    #[arg(long, value_name = "N", conflicts_with = "choices")]
    pub seed: Option<u64>,
    /// Take nondeterministic values from this file: one number a line, in the order in which they are asked for.
    #[arg(long, value_name = "FILE")]
    pub choices: Option<PathBuf>,
    /// Stop after so many steps.
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Print every step on standard error.
    #[arg(long)]
    pub trace: bool,
}

/// Decide a Boolean program by a method that engines are compared with. Prints `holds` or `violated` and the number of states, or
/// `unknown` and why.
#[derive(Args, Debug)]
pub struct Reference {
    pub method: ReferenceMethod,
    #[command(flatten)]
    pub load: Load,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Give up when the process holds more memory.
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum ReferenceMethod {
    Explicit,
    Diagrams,
}

impl From<ReferenceMethod> for driver::reference::Method {
    fn from(given: ReferenceMethod) -> driver::reference::Method {
        match given {
            ReferenceMethod::Explicit => driver::reference::Method::Explicit,
            ReferenceMethod::Diagrams => driver::reference::Method::Diagrams,
        }
    }
}

/// Measure again what a paper measured, and print both.
///
/// The exit code is 1 when an answer was wrong.
#[derive(Args, Debug)]
pub struct Bench {
    /// The paper: lbe is \"Software Model Checking via Large-Block Encoding\", boppo is \"Symbolic Model Checking for
    /// Asynchronous Boolean Programs\", corral is \"A Solver for Reachability Modulo Theories\", fsoft is \"Model Checking
    /// Sequential Software Programs Via Mixed Symbolic Analysis\".
    pub paper: Paper,
    /// A folder with the paper's own programs, which are found by their names. Default: only programs that Fathom writes itself.
    pub tasks: Option<PathBuf>,
    /// lbe: a list of tasks whose programs lie in the folder; they are measured instead, and a table compares by groups. The columns, with
    /// tabs between them: group, language, repository, commit, path, property, verdict, data model.
    #[arg(long, value_name = "FILE.tsv", requires = "tasks")]
    pub list: Option<PathBuf>,
    /// Only tasks of these groups of the list.
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "list")]
    pub group: Vec<String>,
    /// The limit of each run in seconds.
    #[arg(long, value_name = "S", default_value = "20", value_parser = seconds)]
    pub time: std::time::Duration,
    /// The limit of each run's memory.
    #[arg(long, value_name = "MB", default_value_t = 1800)]
    pub memory: u64,
    /// Only programs whose names contain this; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// What to compare.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sbe,lbe")]
    pub configurations: Vec<LbeConfiguration>,
    /// How to print what was measured.
    #[arg(long, default_value = "text")]
    pub format: BenchFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Paper {
    Lbe,
    Boppo,
    Corral,
    Fsoft,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum LbeConfiguration {
    Sbe,
    Lbe,
    SbeBoolean,
    LbeCartesian,
}

impl From<LbeConfiguration> for bench::Configuration {
    fn from(given: LbeConfiguration) -> bench::Configuration {
        match given {
            LbeConfiguration::Sbe => bench::lbe::SBE,
            LbeConfiguration::Lbe => bench::lbe::LBE,
            LbeConfiguration::SbeBoolean => bench::lbe::SBE_BOOLEAN,
            LbeConfiguration::LbeCartesian => bench::lbe::LBE_CARTESIAN,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum BenchFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Model {
    Ilp32,
    Lp64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum MemoryModel {
    /// Sequential consistency.
    Sc,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum MissingBodies {
    /// Nothing is known of an execution that comes to such a call.
    Refuse,
    /// It returns any value, changes nothing and calls nothing.
    Pure,
    /// It also writes anything to the memory that its pointer arguments reach, and calls the functions that it is given.
    Havoc,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Pointers {
    /// They may be equal, and point into one object.
    Any,
    /// They point to different objects.
    Separate,
}

impl From<Pointers> for driver::load::Pointers {
    fn from(given: Pointers) -> driver::load::Pointers {
        match given {
            Pointers::Any => driver::load::Pointers::Any,
            Pointers::Separate => driver::load::Pointers::Separate,
        }
    }
}

impl From<MissingBodies> for driver::load::MissingBodies {
    fn from(given: MissingBodies) -> driver::load::MissingBodies {
        match given {
            MissingBodies::Refuse => driver::load::MissingBodies::Refuse,
            MissingBodies::Pure => driver::load::MissingBodies::Pure,
            MissingBodies::Havoc => driver::load::MissingBodies::Havoc,
        }
    }
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    Text,
    Json,
    Sarif,
}

/// A time in seconds, whole or not.
/// An address and a size, in decimal or hexadecimal.
fn region(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let (address, size) = text.split_once(':').ok_or("expected ADDR:SIZE")?;
    match (number(address), number(size)) {
        (Some(address), Some(size)) if size > 0 && address.checked_add(size).is_some() => Ok((address, size)),
        _ => Err("expected an address and a size, such as 0x40021000:1024".to_string()),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    std::time::Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
