//! Looks for violations by executing the program.
//!
//! [`first`] executes it a few times, shortly. [`search`] goes on for as long as it may: with executions that become longer,
//! by different ways to choose inputs ([`policy`], [`constants`]), and with a search over the states in which the program asks
//! for inputs ([`states`]). Executions are made without watching them; one that violates a property is made again, and
//! its choices are noted.
//!
//! Invariants: an [`Execution`] tells every choice, so that whoever executes the program by it comes to the same violation.
//! That nothing was found says nothing, unless nothing was left open.

pub mod constants;
pub mod policy;
mod states;
#[cfg(test)]
mod tests;

use constants::Constants;
use engine::{Reason, Run};
use ir::interp::{
    At, Choice, Choices, Closed, End, Interpreter, Limit, Limits, NoHost, Observer, Outcome, Recording, State,
};
use ir::{Cfa, Op, Program, PropertyId};
use policy::Policy;
use source::Place;
use states::States;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The name by which reports call what is done here.
pub const NAME: &str = "execution";

/// How many of the first executions choose at random.
const FIRST_RUNS: u64 = 12;
/// How many edges each of them executes at most.
const FIRST_EDGES: u64 = 20_000;
/// How many threads live at once at most: each step looks at all of them.
const THREADS: usize = 16;
/// How many bytes the program's memory may take.
const MEMORY: u64 = 1 << 28;
/// Violations that need more choices than this are not kept: nobody could read them.
const CHOICES: u64 = 4_000_000;
/// The lengths of executions, and how many of each there are in a round.
const LENGTHS: [(u64, u64); 5] = [(200_000, 4), (2_000_000, 3), (20_000_000, 2), (200_000_000, 1), (4_000_000_000, 1)];
/// How long the executions before the first search become.
const QUICK: u64 = 20_000_000;
/// Executions in a row have at least so many edges, but there are at most so many of them.
const BUNCH: (u64, u64) = (30_000, 60);
/// The search over states executes so many times fewer edges than the execution before it, since it has more to do for each;
/// but at least so many, and at most so many.
const SHARE: u64 = 8;
const TURN: (u64, u64) = (100_000, 4_000_000);
/// How many edges are executed in all.
const EDGES: u64 = 20_000_000_000;
/// How long to work before a rest.
const STRETCH: Duration = Duration::from_millis(20);

/// An execution that violates a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Execution {
    pub property: PropertyId,
    /// How many edges it has.
    pub edges: u64,
    /// All that the program leaves open.
    pub choices: Vec<Choice>,
}

/// What executions show.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    Violation(Execution),
    /// Nothing is left open: there is only one execution, of so many edges, and it ends without a violation.
    OnlyExecution(u64),
    /// An execution comes to something unsupported: no proof is possible.
    Unsupported {
        what: String,
        place: Option<Place>,
    },
}

/// What a few short executions show: the violation that one comes to, or that there are no others than the first, or
/// something unsupported that one comes to.
pub fn first(program: &Program, run: &mut Run) -> Option<Shown> {
    let constants = Constants::new(program);
    let mut rest = |_| {};
    let mut executor = Executor::new(program, run, &mut rest);
    if let Ok(Only::Execution(edges)) = executor.only(FIRST_EDGES) {
        return Some(Shown::OnlyExecution(edges));
    }
    let policies = std::iter::once(Policy::ZEROS).chain((0..FIRST_RUNS).map(Policy::numbered));
    policies
        .into_iter()
        .find_map(|policy| executor.execute(policy, &constants, FIRST_EDGES).ok()?.map(Shown::Violation))
        .or(executor.unsupported)
}

/// Looks for a violation until one is found, or it is shown that there is none, or nothing is left to vary, or the run is to end. `rest` is told now and then how
/// long the work since the last time took, and may wait.
pub fn search(program: &Program, run: &mut Run, rest: &mut dyn FnMut(Duration)) -> Result<Shown, Reason> {
    let constants = Constants::new(program);
    let mut states = (!starts_threads(program)).then(|| States::new(program, &constants));
    let mut executor = Executor::new(program, run, rest);
    let found = rounds(&mut executor, &constants, states.as_mut());
    let (executions, edges) = (executor.executions, executor.edges);
    run.statistics.count("executions", executions);
    run.statistics.count("edges", edges);
    run.statistics.count("states", states.map_or(0, |states| states.count() as u64));
    found
}

fn rounds(executor: &mut Executor, constants: &Constants, mut states: Option<&mut States>) -> Result<Shown, Reason> {
    for (length, _) in [LENGTHS[0], LENGTHS[LENGTHS.len() - 1]] {
        match executor.only(length)? {
            Only::Execution(edges) => return Ok(Shown::OnlyExecution(edges)),
            Only::Longer => {}
            Only::No => break,
        }
    }
    let mut seed = FIRST_RUNS;
    // Before anything else, some executions become long quickly.
    let mut is_first = true;
    while executor.edges < EDGES {
        for (length, count) in LENGTHS {
            let count = if is_first { count.min(2) } else { count };
            let mut is_cut = false;
            for turn in 0..count {
                let (start, mut next) = (executor.edges, Policy::ZEROS);
                // Short executions come in bunches.
                for bunch in 0..BUNCH.1 {
                    if turn + bunch > 0 {
                        next = Policy::numbered(seed);
                        seed += 1;
                    }
                    if let Some(found) = executor.execute(next, constants, length)? {
                        return Ok(Shown::Violation(found));
                    }
                    is_cut |= executor.is_cut;
                    if executor.edges - start > BUNCH.0 {
                        break;
                    }
                }
                if let Some(states) = states.as_mut().filter(|_| !is_first) {
                    let edges = ((executor.edges - start) / SHARE).clamp(TURN.0, TURN.1);
                    if let Some(found) = states.explore(executor, edges)? {
                        return Ok(Shown::Violation(found));
                    }
                }
            }
            // Where executions end by themselves, longer ones are the same.
            if !is_cut || is_first && length >= QUICK {
                break;
            }
        }
        is_first = false;
    }
    Err(nothing(executor))
}

fn nothing(executor: &Executor) -> Reason {
    Reason::NotAttempted(format!("{} executions show no violation", executor.executions))
}

fn starts_threads(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
    bodies.flat_map(Cfa::edges).any(|(_, edge)| matches!(edge.op, Op::Spawn { .. }))
}

/// Executes a program again and again.
struct Executor<'p, 'r> {
    interpreter: Interpreter<'p>,
    run: &'r mut Run,
    pace: Pace<'r>,
    executions: u64,
    edges: u64,
    program: &'p Program,
    /// Whether the last execution was too long.
    is_cut: bool,
    /// The first unsupported construct that an execution came to.
    unsupported: Option<Shown>,
}

/// Sees to it that there is a rest now and then. As an observer, it sees nothing of an execution, but is asked whenever the
/// limits are looked at.
struct Pace<'r> {
    since: Cell<Instant>,
    rest: RefCell<&'r mut dyn FnMut(Duration)>,
}

impl Pace<'_> {
    fn keep(&self) {
        let worked = self.since.get().elapsed();
        if worked >= STRETCH {
            (self.rest.borrow_mut())(worked);
            self.since.set(Instant::now());
        }
    }
}

impl Observer for Pace<'_> {
    fn edge(&mut self, _: &At, _: &State) {}

    fn sleeps_until(&self) -> u64 {
        self.keep();
        u64::MAX
    }
}

/// Whether there is but one execution.
enum Only {
    /// It has so many edges, and violates nothing.
    Execution(u64),
    /// Perhaps: it is longer.
    Longer,
    /// There are others, or it is a violation.
    No,
}

impl<'p, 'r> Executor<'p, 'r> {
    fn new(program: &'p Program, run: &'r mut Run, rest: &'r mut dyn FnMut(Duration)) -> Executor<'p, 'r> {
        let pace = Pace { since: Cell::new(Instant::now()), rest: RefCell::new(rest) };
        let interpreter = Interpreter::new(program);
        Executor { interpreter, run, pace, executions: 0, edges: 0, program, is_cut: false, unsupported: None }
    }

    /// Executes where nothing is left open.
    fn only(&mut self, edges: u64) -> Result<Only, Reason> {
        let outcome = self.once(&mut Closed::new(self.program), edges, None)?;
        Ok(match outcome.end {
            End::Finished(_) | End::Ended if outcome.unchecked_axioms.is_empty() => {
                Only::Execution(outcome.statistics.steps)
            }
            _ if self.is_cut => Only::Longer,
            _ => Only::No,
        })
    }

    /// Executes by a policy; the violation, if it comes to one.
    fn execute(&mut self, policy: Policy, constants: &Constants, edges: u64) -> Result<Option<Execution>, Reason> {
        let outcome = self.once(&mut policy.choices(constants), edges, None)?;
        match is_violation(&outcome) {
            true => self.record(policy.choices(constants), edges),
            false => Ok(None),
        }
    }

    /// Executes once more, and notes the choices.
    fn record(&mut self, choices: impl Choices, edges: u64) -> Result<Option<Execution>, Reason> {
        let mut recording = Recording::new(choices);
        let outcome = self.once(&mut recording, edges, None)?;
        Ok(match outcome.end {
            End::Violated(property) => {
                Some(Execution { property, edges: outcome.statistics.steps, choices: recording.into_choices() })
            }
            _ => None,
        })
    }

    fn once(
        &mut self,
        choices: &mut dyn Choices,
        edges: u64,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Outcome, Reason> {
        self.pace.keep();
        self.run.tick()?;
        let limits = Limits {
            steps: edges,
            memory: MEMORY,
            threads: THREADS,
            deadline: self.run.time_left().map(|left| Instant::now() + left),
            cancel: Some(self.run.cancel().flag()),
            ..Limits::default()
        };
        let outcome = match observer {
            Some(observer) => self.interpreter.run(choices, &mut NoHost, &limits, Some(observer)),
            None => self.interpreter.run(choices, &mut NoHost, &limits, Some(&mut self.pace)),
        };
        self.executions += 1;
        self.edges += outcome.statistics.steps;
        self.is_cut = outcome.end == End::Limit(Limit::Steps);
        if let End::Unsupported(what) = &outcome.end
            && outcome.unchecked_axioms.is_empty()
        {
            self.unsupported.get_or_insert(Shown::Unsupported { what: what.clone(), place: outcome.place });
        }
        Ok(outcome)
    }
}

/// Whether the execution is one of the program, ends with a violation, and can be told.
fn is_violation(outcome: &Outcome) -> bool {
    matches!(outcome.end, End::Violated(_))
        && outcome.unchecked_axioms.is_empty()
        && outcome.statistics.choices <= CHOICES
}
