//! A search over the states in which a program asks for inputs.
//!
//! Where the program asks, its state is reduced to a number: the values of the variables that are live there and in the
//! callers ([`watch`]). Each such state is visited with each of the inputs to try for the variable that is asked for, once
//! ([`book`]). An execution begins with the choices that once led to a state with an input to try, and goes on from there
//! through states that are new or have inputs left, until it has come to too many known ones in a row ([`walk`]).
//!
//! States with equal numbers may differ, so the search may miss violations. What it finds is
//! an execution like any other.

mod book;
mod tables;
mod walk;
mod watch;

use crate::constants::Constants;
use crate::policy::Policy;
use crate::{Execution, Executor, is_violation};
use book::Book;
use engine::Reason;
use ir::Program;
use ir::interp::Recorded;
use tables::Tables;
use walk::{Desk, Walk};
use watch::Watch;

/// How many edges an execution has at most.
const EDGES: u64 = 1_000_000;
/// How many states are kept at most.
const STATES: usize = 2_000_000;
/// How many executions in a row may find nothing new before the search gives up.
const PATIENCE: u32 = 10_000;

/// The search.
pub struct States<'p> {
    tables: Tables<'p>,
    /// One for states without their memory, and one for states with it, in turns: the former are few, the latter may be too
    /// many.
    hunts: [Hunt<'p>; 2],
    turn: usize,
}

/// A search by one kind of states.
struct Hunt<'p> {
    book: Book<'p>,
    /// How many executions in a row found nothing new.
    in_vain: u32,
}

impl<'p> States<'p> {
    pub fn new(program: &'p Program, constants: &'p Constants) -> States<'p> {
        let hunts = [0, 1].map(|_| Hunt { book: Book::new(constants), in_vain: 0 });
        States { tables: Tables::new(program), hunts, turn: 0 }
    }

    /// How many states are known.
    pub fn count(&self) -> usize {
        self.hunts.iter().map(|hunt| hunt.book.count()).sum()
    }

    /// Explores with executions of so many edges in all.
    pub fn explore(&mut self, executor: &mut Executor, edges: u64) -> Result<Option<Execution>, Reason> {
        if self.tables.is_empty() {
            return Ok(None);
        }
        self.turn += usize::from(self.tables.has_stores());
        let counts_memory = self.turn % 2 == 1;
        self.hunts[self.turn % 2].explore(executor, edges, &self.tables, counts_memory)
    }
}

impl Hunt<'_> {
    fn explore(
        &mut self,
        executor: &mut Executor,
        edges: u64,
        tables: &Tables,
        counts_memory: bool,
    ) -> Result<Option<Execution>, Reason> {
        let end = executor.edges + edges;
        while self.in_vain < PATIENCE && self.book.count() < STATES && executor.edges < end {
            let Some(from) = self.book.start() else { break };
            let (known, script) = (self.book.count(), self.book.choices(from));
            let seed = self.book.random.bits();
            let policy = if seed.is_multiple_of(2) { Policy::ZEROS } else { Policy::numbered(seed) };
            let desk = Desk::default();
            let mut walk = Walk::new(&mut self.book, script, &desk, policy);
            let mut watch = Watch::new(tables, &desk.pending, counts_memory);
            let outcome = executor.once(&mut walk, EDGES, Some(&mut watch))?;
            let made = walk.made();
            if is_violation(&outcome) {
                let whole = self.book.choices(from).into_iter().chain(made.iter().cloned());
                if let Some(found) = executor.record(Recorded::new(whole), EDGES)? {
                    return Ok(Some(found));
                }
            }
            self.in_vain += 1;
            if self.book.count() > known {
                self.in_vain = 0;
                self.book.keep(from, made);
            }
        }
        Ok(None)
    }
}
