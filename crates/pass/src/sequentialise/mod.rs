//! Sequentialisation: a program with threads becomes one without, which does what the threads do within a number of
//! rounds ("Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis", Lal and Reps, as Corral uses it).
//!
//! In each of K *rounds* every thread runs at most once. The woven program runs one thread after the other, each through
//! all its rounds; so every shared global has a copy for each round, and what a round but the first begins with is guessed. In
//! the end, what a round left behind must be what was guessed for the next. Starting a thread is calling it: it takes its
//! turns before those of whoever started it. Every execution of at most K contexts (K - 1 switches) is among these, because each
//! context can have a round of its own; so are many longer ones.
//!
//! | in the paper | here |
//! |---|---|
//! | k, the current round | [`Mode::round`], which every copy of a location knows, instead of a variable |
//! | the copies of a global | the global itself in round 0, `name@1`, `name@2`, ... later |
//! | the guesses | `name^1`, `name^2`, ... |
//! | the checker at the end | [`weave::Weaver::check`] |
//!
//! Deviations: a thread may be interrupted only behind an edge that others can see, since what it does by itself can
//! wait for its next turn. A violation ends the round that it is in, and nothing later is done or guessed right: `$limit` is the
//! first round that does not matter any more. A thread that is started in an atomic section begins at the section's end.
//! The end of the first thread ends the program, so it is where no violation can follow.
//!
//! Invariants: the woven program starts no threads; each of its violations is one of the program before
//! ([`lift`] finds the interleaving). That it has none says nothing about executions of more contexts.

mod lift;
mod operations;
mod sharing;
mod weave;

pub use sharing::starts_threads;

use crate::{Identity, Passed};
use ir::{EdgeId, ProcId, Program};
use sharing::Sharing;
use source::Symbol;
use std::fmt;
use std::sync::Arc;
use weave::Weaver;

/// Why a program cannot be sequentialised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsequential {
    /// Memory as a whole cannot be guessed and compared: it must be split before.
    Memory(Symbol),
    /// There is no round.
    NoContext,
}

impl fmt::Display for Unsequential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsequential::Memory(name) => write!(f, "threads share {name}, which was not split"),
            Unsequential::NoContext => f.write_str("a bound of no context leaves nothing to check"),
        }
    }
}

/// Weaves the threads of a program into one, with so many rounds. A program without threads stays as it is.
pub fn sequentialise(program: &Program, rounds: u16) -> Result<Passed, Unsequential> {
    if rounds == 0 {
        return Err(Unsequential::NoContext);
    }
    if !starts_threads(program) {
        return Ok(Passed { program: program.clone(), lift: Arc::new(Identity) });
    }
    let sharing = Sharing::of(program);
    let is_memory = |variable: &&term::Term| matches!(variable.sort().kind(), term::SortKind::Memory(_));
    if let Some(memory) = sharing.copied.iter().find(is_memory) {
        return Err(Unsequential::Memory(memory.name().unwrap_or_else(|| Symbol::new("memory"))));
    }
    Ok(Weaver::new(program, sharing, u32::from(rounds)).run())
}

/// An edge that starts a thread.
type Site = (ProcId, EdgeId);

/// What a copy of a location knows of the running thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Mode {
    round: u32,
    /// How many atomic sections it is in.
    depth: u32,
    /// The threads that begin when the step that started them is over, and the atomic section that it is in.
    pending: Vec<Site>,
}

impl Mode {
    /// Of a thread that begins in a round.
    fn begin(round: u32) -> Mode {
        Mode { round, depth: 0, pending: Vec::new() }
    }
}

/// Who runs a copy of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// The first thread, from the start.
    First,
    /// Another thread, from its start.
    Thread,
    /// Whoever calls it.
    Called,
}
