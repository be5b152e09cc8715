//! What papers measured, as data: the programs, the configurations that they compare and the figures that they print.
//!
//! Programs are families that the project writes itself ([`programs`], [`boolean`], [`drivers`]), and the papers' own where a folder holds them.
//! Each module beside it is one paper. Who runs a [`Task`] fills in a [`Measured`]; a renderer makes tables of
//! [`Results`].
//!
//! Invariants: nothing here runs, prints or knows an engine; published figures are kept as they are printed.

pub mod boolean;
pub mod boppo;
pub mod corral;
pub mod drivers;
pub mod fsoft;
pub mod lbe;
pub mod list;
pub mod programs;
pub mod tables;

use std::path::PathBuf;

/// A program to measure.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    /// The group of a list that it belongs to.
    pub group: Option<String>,
    pub source: Source,
    /// The property, as the command line takes it.
    pub property: &'static str,
    /// Whether the program has the property.
    pub holds: bool,
    /// What the paper prints for this program, or for the one that it is written after.
    pub published: Option<&'static lbe::Published>,
}

impl Task {
    /// Whether an answer is wrong.
    pub fn is_contradicted_by(&self, answer: &Answer) -> bool {
        *answer == if self.holds { Answer::False } else { Answer::True }
    }
}

/// Where a program is.
#[derive(Clone, Debug)]
pub enum Source {
    /// The project wrote it: its text.
    Written(String),
    File(PathBuf),
}

/// One of the things that a paper compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Configuration {
    pub name: &'static str,
    /// Options of `fathom check`.
    pub options: &'static [&'static str],
}

/// What became of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    pub answer: Answer,
    /// Of processor time, the whole process.
    pub seconds: f64,
    pub peak_bytes: u64,
    /// What the engine told; of a run that was stopped, what was true then.
    pub figures: Option<Figures>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    True,
    False,
    Timeout,
    Memory,
    /// Anything else: what kind of reason there is for no answer.
    Unknown(String),
}

/// What the engine `predicate` counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    pub nodes: u64,
    pub refinements: u64,
    pub predicates: u64,
    /// The average number of predicates at a location.
    pub average: f64,
    /// The largest number of predicates at a location.
    pub largest: u64,
}

/// A task with one run for each configuration.
#[derive(Clone, Debug)]
pub struct Row {
    pub task: Task,
    pub runs: Vec<Measured>,
}

impl Row {
    /// Whether every run gave an answer, and none a wrong one.
    pub fn all_solved(&self) -> bool {
        self.runs.iter().all(Measured::is_solved) && !self.is_wrong()
    }

    /// Whether some run gave the wrong answer.
    pub fn is_wrong(&self) -> bool {
        self.runs.iter().any(|run| self.task.is_contradicted_by(&run.answer))
    }
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Results {
    pub configurations: Vec<Configuration>,
    /// The limits of each run.
    pub seconds: f64,
    pub bytes: u64,
    pub rows: Vec<Row>,
}

impl Measured {
    pub fn is_solved(&self) -> bool {
        matches!(self.answer, Answer::True | Answer::False)
    }
}
