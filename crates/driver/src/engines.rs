//! The engines there are. Whoever adds one adds a line to [`ENGINES`]: the command line, the choice and the tests follow.

use crate::modelling::Modelling;
use crate::pipeline::{self, Executions, Form, Forms};
use ::dataflow::Dataflow;
use ::explicit::Explicit;
use ::induction::Induction;
use ::interleaving::{Crowds, Interleaving, Slam};
use ::linear::Linear;
use ::mixed::Mixed;
use ::predicate::{Bounds, Folds, Predicate};
use ::shapes::Shapes;
use ::stratified::Stratified;
use engine::{Engine, Reason};
use ir::Program;
use pass::{Passed, starts_threads};
use std::sync::Arc;

/// The options of the engine `predicate`.
pub mod predicate {
    pub use ::predicate::{Abstraction, Arithmetic, Coverage, Encoding, LeftOut, Options, Order, Prefix, Reuse, Scope};
}

/// The options of the engine `induction`.
pub mod induction {
    pub use ::induction::Options;
}

/// The options of the engine `interleaving`.
pub mod interleaving {
    pub use ::interleaving::{Fixpoint, Options, Order, Reduction};
}

/// The options of the engine `linear`.
pub mod linear {
    pub use ::linear::{Helpers, Options};
}

/// The options of the engine `mixed`.
pub mod mixed {
    pub use ::mixed::{Options, Represent, Strategy};
}

/// The options of the engine `stratified`.
pub mod stratified {
    pub use ::stratified::{Options, Refinement};
}

/// The name that lets Fathom choose.
pub const AUTO: &str = "auto";

/// The options of all engines.
#[derive(Clone, Default, Debug)]
pub struct Options {
    pub induction: induction::Options,
    pub interleaving: interleaving::Options,
    pub linear: linear::Options,
    pub mixed: mixed::Options,
    pub predicate: predicate::Options,
    /// Predicates of other runs for the engine `predicate`, and who keeps those of this one.
    pub reuse: Option<Arc<predicate::Reuse>>,
    pub stratified: stratified::Options,
    pub modelling: Modelling,
    /// In how many contexts threads run at most; without it, the bound rises.
    pub contexts: Option<u16>,
}

/// Which programs an engine is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Programs {
    All,
    Sequential,
    /// All, but [`AUTO`] leaves it to programs with threads.
    Threaded,
    /// Those without threads, where the engine is asked for by its name.
    Named,
}

/// An engine: how to bring a program to the form that it wants, and how to make it.
pub struct Entry {
    pub name: &'static str,
    pub programs: Programs,
    /// Whether violations of what it looks at are violations of the program.
    pub violates: bool,
    /// Whether it looks at loops closely, which does not pay in large programs.
    pub for_small: bool,
    /// Whether it asks solvers. The check of what was found without them may begin with any.
    pub asks_solvers: bool,
    pub form: Form,
    /// What is done to the form for this engine alone.
    pub finish: fn(Passed, &Options) -> Result<Passed, Reason>,
    pub make: fn(&Options, &Passed) -> Box<dyn Engine>,
}

impl Entry {
    /// The program in the form that the engine wants, for a number of contexts, which matters if there are threads.
    pub fn prepare(
        &self,
        program: &Program,
        contexts: u16,
        executions: Executions,
        forms: &Forms,
        options: &Options,
    ) -> Result<Passed, Reason> {
        if matches!(self.programs, Programs::Sequential | Programs::Named) && starts_threads(program) {
            return Err(Reason::NotAttempted(format!("{} is for programs without threads", self.name)));
        }
        if executions == Executions::Replayable && !self.violates {
            let what = format!("{} only proves, and found no proof", self.name);
            return Err(Reason::NoProgress(what));
        }
        (self.finish)(forms.get(self.form, program, contexts, executions, options.modelling)?, options)
    }
}

/// All engines, in the order in which [`AUTO`] tries them.
///
/// An engine may have several lines, for the ways in which it looks at programs.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: ::dataflow::NAME,
        programs: Programs::Sequential,
        violates: false,
        for_small: false,
        asks_solvers: false,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Dataflow),
    },
    Entry {
        name: ::interleaving::NAME,
        programs: Programs::All,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Boolean,
        finish: pipeline::as_it_is,
        make: |options, _| Box::new(Interleaving { options: options.interleaving }),
    },
    Entry {
        name: ::interleaving::NAME,
        programs: Programs::Threaded,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Threads,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Crowds),
    },
    Entry {
        name: ::interleaving::NAME,
        programs: Programs::Threaded,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Threads,
        finish: pipeline::instances_of_threads,
        make: |options, _| Box::new(Slam { options: options.interleaving }),
    },
    Entry {
        name: ::interleaving::NAME,
        programs: Programs::Threaded,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Threads,
        finish: pipeline::bits_of_threads,
        make: |options, _| Box::new(Interleaving { options: options.interleaving }),
    },
    Entry {
        name: "predicate",
        programs: Programs::All,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |options, passed| {
            Box::new(Predicate {
                options: options.predicate,
                functions: pipeline::functions(passed),
                seeded: false,
                reuse: options.reuse.clone(),
            })
        },
    },
    Entry {
        name: ::explicit::NAME,
        programs: Programs::Sequential,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Explicit),
    },
    Entry {
        name: "morphing",
        programs: Programs::Sequential,
        violates: false,
        for_small: true,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::cells_of_maps,
        make: |options, _| Box::new(Predicate { options: options.predicate, seeded: true, ..Predicate::default() }),
    },
    Entry {
        name: ::predicate::BOUNDS,
        programs: Programs::Sequential,
        violates: false,
        for_small: true,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Bounds),
    },
    Entry {
        name: ::predicate::FOLDS,
        programs: Programs::Sequential,
        violates: false,
        for_small: true,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Folds),
    },
    Entry {
        name: ::induction::NAME,
        programs: Programs::All,
        violates: true,
        for_small: true,
        asks_solvers: true,
        form: Form::Flat,
        finish: pipeline::as_it_is,
        make: |options, _| Box::new(Induction { options: options.induction }),
    },
    Entry {
        name: ::shapes::NAME,
        programs: Programs::Sequential,
        violates: false,
        for_small: true,
        asks_solvers: false,
        form: Form::Objects,
        finish: pipeline::as_it_is,
        make: |_, _| Box::new(Shapes),
    },
    Entry {
        name: ::mixed::NAME,
        programs: Programs::Named,
        violates: true,
        for_small: false,
        asks_solvers: false,
        form: Form::Flat,
        finish: pipeline::mixed_view,
        make: |options, _| Box::new(Mixed { options: options.mixed }),
    },
    Entry {
        name: ::linear::NAME,
        programs: Programs::Named,
        violates: true,
        for_small: false,
        asks_solvers: false,
        form: Form::Procedures,
        finish: pipeline::linear_view,
        make: |options, _| Box::new(Linear { options: options.linear }),
    },
    Entry {
        name: "stratified",
        programs: Programs::All,
        violates: true,
        for_small: false,
        asks_solvers: true,
        form: Form::Calls,
        finish: pipeline::as_it_is,
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
    ENGINES.iter().filter(move |entry| name == entry.name || name == AUTO && entry.programs != Programs::Named)
}
