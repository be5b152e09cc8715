//! SYMBOLICREACHABILITY (Figure 1).
//!
//! The cycle condition: a step that is postponed must not be postponed for ever. When a state turns out to be subsumed by one
//! that was explored, what was postponed at its parent is resumed, unless the subsuming state cannot close a cycle:
//! * depth-first, it closes one only if it is among the ancestors;
//! * in any order, it closes none if it was explored after the parent: along states with postponed steps, numbers grow.
//!
//! So every cycle, also one that is closed by subsumption, has a state with all its steps.

use crate::code::Code;
use crate::execute::{Initial, execute, initial};
use crate::history::{History, reason};
use crate::options::{Options, Order};
use crate::state::{Origin, State, StateId};
use crate::statistics::Figures;
use crate::successors::{Choice, Taken, choose, region, resume};
use crate::trace::trace;
use engine::{Outcome, Progress, Proof, Reason, Run, Stepped, Trace};
use faults::Fault;
use ir::LocationKind;
use solver::Limits;
use solver::aig::Aig;
use solver::cnf::Cnf;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;
use term::Term;

/// A state that was explored.
pub struct Explored {
    pub state: State,
    pub origin: Option<Origin>,
    /// Which states they are, if they were restated.
    formula: Option<Term>,
    /// What was chosen here; what was postponed is empty when nothing is.
    choice: Choice,
    /// Whether what was postponed was taken up again.
    is_resumed: bool,
    /// The steps that were taken, for the proof.
    steps: Vec<Stepped>,
}

/// How a search ends.
pub enum Found {
    Nothing,
    Violation(Trace),
}

type Waiting = (State, Option<Origin>);

pub struct Search<'a> {
    code: &'a Code<'a>,
    options: Options,
    pub aig: Aig,
    /// The queue Q: by numbers of threads, so that a program that starts them without end is explored fairly.
    queue: BTreeMap<usize, VecDeque<Waiting>>,
    history: History,
    cnf: Cnf,
    pub explored: Vec<Explored>,
    pub figures: Figures,
    /// An unsupported construct that can be reached.
    unsupported: Option<Reason>,
}

impl<'a> Search<'a> {
    pub fn new(code: &'a Code<'a>, options: Options) -> Search<'a> {
        Search {
            code,
            options,
            aig: Aig::new(),
            queue: BTreeMap::new(),
            history: History::new(options),
            cnf: Cnf::new(),
            explored: Vec::new(),
            figures: Figures::default(),
            unsupported: None,
        }
    }

    /// Searches for a violation.
    pub fn run(&mut self, run: &mut Run) -> Result<Found, Reason> {
        let first = initial(self.code, &mut self.aig, &mut Initial::new());
        self.add((first, None));
        while let Some((state, origin)) = self.take() {
            run.tick()?;
            let limits = limits(run);
            if let Some(known) = self.history.subsuming(&mut self.aig, &state, &limits, &mut self.figures)? {
                self.figures.subsumed += 1;
                self.note(origin.as_ref(), Outcome::Subsumed(known.iter().map(|id| id.0).collect()));
                self.close_cycle(&known, origin.as_ref(), &limits)?;
            } else if let Some(property) = self.violated(&state) {
                return Ok(Found::Violation(self.trace(origin, property, &limits)?));
            } else {
                self.explore(state, origin, &limits)?;
            }
            self.tell(run);
        }
        match self.unsupported.take() {
            Some(reason) => Err(reason),
            None => Ok(Found::Nothing),
        }
    }

    /// The execution that ends with this step.
    fn trace(&self, last: Option<Origin>, property: ir::PropertyId, limits: &Limits) -> Result<Trace, Reason> {
        let before = |origin: &Origin| self.explored[origin.parent.0].origin.clone();
        let mut way: Vec<Origin> = std::iter::successors(last, before).collect();
        way.reverse();
        trace(self.code, &way, property, limits)
    }

    fn add(&mut self, waiting: Waiting) {
        let threads = if self.code.is_unbounded { waiting.0.threads.len() } else { 0 };
        self.queue.entry(threads).or_default().push_back(waiting);
    }

    fn take(&mut self) -> Option<Waiting> {
        let mut first = self.queue.first_entry()?;
        let taken = match self.options.order {
            Order::DepthFirst => first.get_mut().pop_back(),
            Order::BreadthFirst => first.get_mut().pop_front(),
        };
        if first.get().is_empty() {
            first.remove();
        }
        taken
    }

    /// The property that is violated by a thread that is at an error location.
    fn violated(&mut self, state: &State) -> Option<ir::PropertyId> {
        state.control.threads.iter().find_map(|(procedure, location)| {
            let at = self.code.graph(*procedure).cfa.location(*location);
            match at.kind {
                LocationKind::Error(property) => Some(property),
                LocationKind::Unsupported(what) => {
                    self.unsupported.get_or_insert(Reason::Unsupported { what, place: at.place });
                    None
                }
                LocationKind::Plain | LocationKind::End => None,
            }
        })
    }

    /// Adds the successors of a state that was not explored before.
    fn explore(&mut self, state: State, origin: Option<Origin>, limits: &Limits) -> Result<(), Reason> {
        let id = StateId(self.explored.len());
        let restated = self.history.insert(self.code, &mut self.aig, id, &state, limits);
        self.figures.restated += u64::from(restated.is_some());
        let (state, formula) = restated.map_or((state, None), |(state, formula)| (state, Some(formula)));
        self.note(origin.as_ref(), Outcome::Explored(id.0));
        // The thread that moved last has the same index, unless an earlier one is over.
        let last = origin.as_ref().and_then(|origin| state.threads.iter().position(|t| t.number == origin.number));
        let choice = choose(self.code, &mut self.aig, &state, last, &self.options, limits, &mut self.figures);
        let choice = choice.map_err(reason)?;
        self.figures.explored += 1;
        self.figures.most_threads = self.figures.most_threads.max(state.threads.len() as u64);
        self.figures.reduced += u64::from(!choice.postponed.is_empty());
        let taken = choice.taken.clone();
        self.explored.push(Explored { state, origin, formula, choice, is_resumed: false, steps: Vec::new() });
        self.go(id, taken);
        Ok(())
    }

    /// Notes what became of a step.
    fn note(&mut self, origin: Option<&Origin>, outcome: Outcome) {
        if let Some(Origin { parent, thread, edge, region, .. }) = origin {
            let step = Stepped { thread: *thread, edge: *edge, region: *region, outcome };
            self.explored[parent.0].steps.push(step);
        }
    }

    /// Why there is no violation, when the search has come to its end.
    pub fn proof(self) -> Proof {
        let sets = self.explored.into_iter().map(|explored| engine::Explored {
            alone: explored.choice.alone.into_iter().map(|set| set.threads).collect(),
            is_complete: explored.is_resumed,
            states: explored.formula,
            steps: explored.steps,
        });
        Proof::Exploration(sets.collect())
    }

    /// Takes steps from a state.
    fn go(&mut self, id: StateId, taken: Vec<Taken>) {
        // The one to be explored first is added last.
        for (step, place) in taken.into_iter().rev() {
            let Explored { state, choice, .. } = &self.explored[id.0];
            let region = region(&mut self.aig, &choice.alone, place);
            let region = self.aig.all([state.guard, region, step.guard]);
            let (procedure, _) = state.control.threads[step.thread];
            let number = state.threads[step.thread].number;
            let (next, _) =
                execute(self.code, &mut self.aig, state, step.thread, step.edge, region, &mut Initial::new());
            let origin = Origin { parent: id, number, thread: step.thread, procedure, edge: step.edge, region: place };
            self.add((next, Some(origin)));
        }
    }

    /// Resumes what was postponed at the parent of a subsumed state, if that may close a cycle.
    fn close_cycle(&mut self, known: &[StateId], origin: Option<&Origin>, limits: &Limits) -> Result<(), Reason> {
        let Some(parent) = origin.map(|origin| origin.parent) else { return Ok(()) };
        let postponed = &self.explored[parent.0];
        if postponed.choice.postponed.is_empty()
            || postponed.is_resumed
            || !known.iter().any(|known| self.closes_cycle(*known, parent))
        {
            return Ok(());
        }
        let Explored { state, choice, is_resumed, .. } = &mut self.explored[parent.0];
        *is_resumed = true;
        self.figures.resumed += 1;
        let taken = resume(&mut self.aig, &mut self.cnf, state, choice, limits).map_err(reason)?;
        self.go(parent, taken);
        Ok(())
    }

    fn closes_cycle(&self, known: StateId, parent: StateId) -> bool {
        if faults::is(Fault::NoCycleCondition) {
            return false;
        }
        if self.options.order == Order::BreadthFirst || self.code.is_unbounded {
            return known <= parent;
        }
        let mut ancestor = Some(parent);
        while let Some(id) = ancestor.filter(|id| *id >= known) {
            if id == known {
                return true;
            }
            ancestor = self.explored[id.0].origin.as_ref().map(|origin| origin.parent);
        }
        false
    }

    fn tell(&mut self, run: &mut Run) {
        self.figures.nodes = self.aig.size() as u64;
        let figures = &self.figures;
        let waiting = || self.queue.values().map(|states| states.len() as u64).sum();
        run.progress(|| Progress {
            engine: crate::NAME,
            figures: vec![("states", figures.explored), ("subsumed", figures.subsumed), ("waiting", waiting())],
        });
    }
}

/// The limits of a run, for a solver.
pub fn limits(run: &Run) -> Limits {
    Limits {
        deadline: run.time_left().and_then(|left| Instant::now().checked_add(left)),
        memory: run.memory_limit(),
        cancel: run.cancel().clone(),
    }
}
