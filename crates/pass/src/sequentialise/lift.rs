//! The way back: an execution of the woven program, which runs one thread after the other, becomes the interleaved one.
//!
//! All that happens in a round happens there in the order in which the woven program does it. So the steps, sorted by
//! their rounds and otherwise in the order of the execution, are the interleaving; it ends with the violation.

use crate::Lift;
use engine::{Proof, Step, Trace};
use ir::{EdgeId, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

/// What an edge of the woven program stands for.
#[derive(Clone, Copy, Default, Debug)]
pub struct Origin {
    /// The edge of the program before; none if the pass made it up.
    pub edge: Option<(ProcId, EdgeId)>,
    pub round: u32,
    pub event: Event,
}

/// What an edge of the woven program means for the interleaving.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Event {
    #[default]
    None,
    /// The thread that an edge of the program before started begins to run.
    Begin(ProcId, EdgeId),
    /// The running thread does nothing more.
    End,
    /// What happened last violates the property.
    Violation,
}

/// The lift of the pass.
pub struct Interleave {
    /// For every procedure and edge of the woven program.
    pub origins: Vec<Vec<Origin>>,
    /// The edges of the program before that start threads.
    pub starts: FxHashSet<(ProcId, EdgeId)>,
    /// The variables that the program before has too.
    pub known: FxHashSet<Term>,
}

/// A step of the program before.
struct Item {
    round: u32,
    /// Which thread does it, in the order in which the woven program runs them.
    thread: usize,
    step: Step,
}

impl Interleave {
    fn origin(&self, procedure: ProcId, edge: EdgeId) -> Origin {
        self.origins[procedure.0 as usize][edge.0 as usize]
    }
}

impl Lift for Interleave {
    fn trace(&self, trace: Trace) -> Trace {
        let mut items: Vec<Item> = Vec::new();
        // For each thread, the item that started it.
        let mut started_by: Vec<Option<usize>> = vec![None];
        let mut running: Vec<usize> = vec![0];
        let mut last_start: FxHashMap<(usize, ProcId, EdgeId), usize> = FxHashMap::default();
        let mut violation = None;
        for step in trace.steps {
            let Origin { edge, round, event } = self.origin(step.procedure, step.edge);
            let thread = running.last().copied().unwrap_or(0);
            if let Some((procedure, edge)) = edge {
                if self.starts.contains(&(procedure, edge)) {
                    last_start.insert((thread, procedure, edge), items.len());
                }
                items.push(Item { round, thread, step: Step { procedure, edge, ..step } });
            }
            match event {
                Event::None => {}
                Event::Begin(procedure, edge) => {
                    running.push(started_by.len());
                    started_by.push(last_start.get(&(thread, procedure, edge)).copied());
                }
                Event::End => {
                    running.pop();
                }
                Event::Violation => violation = items.len().checked_sub(1),
            }
        }
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|item| items[*item].round);
        if let Some(end) = violation.and_then(|violation| order.iter().position(|item| *item == violation)) {
            order.truncate(end + 1);
        }
        // Threads are numbered as they are started.
        let is_start = |item: &&usize| {
            let step = &items[**item].step;
            self.starts.contains(&(step.procedure, step.edge))
        };
        let numbers: FxHashMap<usize, u32> = order.iter().filter(is_start).copied().zip(1..).collect();
        let number = |thread: usize| started_by[thread].and_then(|start| numbers.get(&start).copied()).unwrap_or(0);
        let steps = order.iter().map(|item| Step { thread: number(items[*item].thread), ..items[*item].step.clone() });
        Trace {
            steps: steps.collect(),
            initial: trace.initial.into_iter().filter(|(variable, _)| self.known.contains(variable)).collect(),
            ..trace
        }
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        self.origin(procedure, edge).edge
    }
}
