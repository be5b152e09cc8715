//! Tables of programs and of who decides them: what papers have in common that compare times and one count.

use crate::{Answer, Configuration};

/// Who decides a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// The table's engine, with options.
    Engine(Configuration),
    /// `fathom reference` with a method.
    Reference(&'static str),
    /// SPIN, with what `fathom ir --as promela` writes.
    Spin,
}

impl Tool {
    pub fn name(&self) -> &'static str {
        match self {
            Tool::Engine(configuration) => configuration.name,
            Tool::Reference(method) => method,
            Tool::Spin => "SPIN",
        }
    }
}

/// A program to measure.
#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    pub text: String,
    /// Whether it has no violation.
    pub holds: bool,
    /// What the paper prints for its kind: a cell for each of the table's published columns, or none.
    pub published: Option<&'static [&'static str]>,
}

/// What became of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    pub answer: Answer,
    /// Of processor time.
    pub seconds: f64,
    /// What the table counts.
    pub count: Option<u64>,
}

/// A table: programs and who decides them.
#[derive(Clone, Debug)]
pub struct Table {
    pub title: &'static str,
    pub engine: &'static str,
    /// The statistic of the engine that stands behind its times.
    pub counted: &'static str,
    pub tools: Vec<Tool>,
    /// The columns with what the paper prints.
    pub published: &'static [&'static str],
    pub tasks: Vec<Task>,
}

/// A table with what was measured: a line for each task, with a run for each tool.
#[derive(Clone, Debug)]
pub struct Measurements {
    pub table: Table,
    pub runs: Vec<Vec<Measured>>,
}

impl Measurements {
    /// Whether an answer is wrong.
    pub fn is_wrong(&self) -> bool {
        let contradicted =
            |task: &Task, run: &Measured| run.answer == if task.holds { Answer::False } else { Answer::True };
        self.table.tasks.iter().zip(&self.runs).any(|(task, runs)| runs.iter().any(|run| contradicted(task, run)))
    }
}
