//! The command line: what can be asked, and in which words.

mod engines;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ir::DataModel;
use std::path::PathBuf;

pub use engines::{Induction, Interleaving, Linear, Mixed, Modelling, Predicate, Stratified};

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
    pub linear: Linear,
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
    /// Stop after this number of seconds, with what is known then.
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

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    pub load: Load,
    /// The language to print the program in: Fathom's textual form; a Boolean program or Promela if it has only Booleans; or the linear
    /// program without arrays that the engine linear searches.
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "ir")]
    pub language: Language,
    /// With --as linear, elements of an array that are variables of the abstract program, e.g. a:1,3; may be repeated.
    #[arg(long, value_name = "ARRAY:INDICES", value_parser = elements)]
    pub elements: Vec<(String, Vec<i64>)>,
}

fn elements(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, indices) = text.split_once(':').ok_or("expected ARRAY:INDEX,INDEX,...")?;
    let indices = indices.split(',').map(|index| index.trim().parse::<i64>().map_err(|why| format!("{index}: {why}")));
    Ok((name.to_string(), indices.collect::<Result<_, _>>()?))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Language {
    Ir,
    Bp,
    Promela,
    Linear,
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
