//! The engines there are. Whoever adds one adds a line to [`ENGINES`]: the command line, the choice and the tests follow.

use crate::pipeline;
use ::dataflow::Dataflow;
use ::induction::Induction;
use ::interleaving::{Crowds, Interleaving, Slam};
use ::predicate::Predicate;
use ::stratified::Stratified;
use engine::{Engine, Reason};
use ir::Program;
use pass::Passed;

/// The options of the engine `predicate`.
pub mod predicate {
    pub use ::predicate::{Abstraction, Arithmetic, Coverage, Encoding, Options, Order, Scope};
}

/// The options of the engine `induction`.
pub mod induction {
    pub use ::induction::Options;
}

/// The options of the engine `interleaving`.
pub mod interleaving {
    pub use ::interleaving::{Fixpoint, Options, Order, Reduction};
}

/// The options of the engine `stratified`.
pub mod stratified {
    pub use ::stratified::{Options, Refinement};
}

/// The name that lets Fathom choose.
pub const AUTO: &str = "auto";

/// The options of all engines.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    pub induction: induction::Options,
    pub interleaving: interleaving::Options,
    pub predicate: predicate::Options,
    pub stratified: stratified::Options,
    /// In how many contexts threads run at most; without it, the bound rises.
    pub contexts: Option<u16>,
}

/// An engine: how to bring a program to the form that it wants, and how to make it.
pub struct Entry {
    pub name: &'static str,
    /// Whether [`AUTO`] leaves it to programs with threads.
    pub for_threads: bool,
    /// For a number of contexts, which matters if there are threads.
    pub prepare: fn(&Program, u16) -> Result<Passed, Reason>,
    /// Another program, for when a violation of the first could not be executed: its violations can be, but that it has none
    /// says nothing.
    pub prepare_for_violations: fn(&Program, u16) -> Result<Passed, Reason>,
    pub make: fn(&Options, &Passed) -> Box<dyn Engine>,
}

/// All engines, in the order in which [`AUTO`] tries them.
///
/// An engine may have several lines, for the ways in which it looks at programs.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: ::dataflow::NAME,
        for_threads: false,
        prepare: pipeline::flat_sequential,
        prepare_for_violations: pipeline::only_for_proofs,
        make: |_, _| Box::new(Dataflow),
    },
    Entry {
        name: ::interleaving::NAME,
        for_threads: false,
        prepare: pipeline::boolean_threads,
        prepare_for_violations: pipeline::boolean_threads,
        make: |options, _| Box::new(Interleaving { options: options.interleaving }),
    },
    Entry {
        name: ::interleaving::NAME,
        for_threads: true,
        prepare: pipeline::threads,
        prepare_for_violations: pipeline::threads_defined,
        make: |_, _| Box::new(Crowds),
    },
    Entry {
        name: ::interleaving::NAME,
        for_threads: true,
        prepare: pipeline::instances_of_threads,
        prepare_for_violations: pipeline::defined_instances_of_threads,
        make: |options, _| Box::new(Slam { options: options.interleaving }),
    },
    Entry {
        name: ::interleaving::NAME,
        for_threads: true,
        prepare: pipeline::bits_of_threads,
        prepare_for_violations: pipeline::defined_bits_of_threads,
        make: |options, _| Box::new(Interleaving { options: options.interleaving }),
    },
    Entry {
        name: "predicate",
        for_threads: false,
        prepare: pipeline::flat,
        prepare_for_violations: pipeline::flat_defined,
        make: |options, passed| {
            Box::new(Predicate { options: options.predicate, functions: pipeline::functions(passed), seeded: false })
        },
    },
    Entry {
        name: "morphing",
        for_threads: false,
        prepare: pipeline::cells_of_maps,
        prepare_for_violations: pipeline::only_for_proofs,
        make: |options, _| Box::new(Predicate { options: options.predicate, functions: Vec::new(), seeded: true }),
    },
    Entry {
        name: ::induction::NAME,
        for_threads: false,
        prepare: pipeline::flat,
        prepare_for_violations: pipeline::flat_defined,
        make: |options, _| Box::new(Induction { options: options.induction }),
    },
    Entry {
        name: "stratified",
        for_threads: false,
        prepare: pipeline::calls,
        prepare_for_violations: pipeline::calls_defined,
        make: |options, _| Box::new(Stratified { options: options.stratified }),
    },
];

/// What may be asked for: [`AUTO`] and every engine by its name.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = std::iter::once(AUTO).chain(ENGINES.iter().map(|entry| entry.name)).collect();
    names.dedup();
    names
}

/// The engines that a name stands for.
pub fn named(name: &str) -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(move |entry| name == AUTO || name == entry.name)
}
