//! Executes a program a few times before any engine thinks about it: many bugs show at once.
//!
//! The runs choose zeros, then at random. They are bounded in steps, so that their outcome does not depend on the machine.
//! A violation is given as a trace like an engine's, and counts only after it was replayed like any other.

use engine::{Run, Step, Trace};
use ir::interp::{At, Choices, Chosen, End, Interpreter, Limits, NoHost, Observer, Random, State, Zeros};
use ir::{EdgeId, Op, ProcId, Program, Variable};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::time::Instant;
use term::{Function, SortKind, Term, Value};

/// How many runs choose at random.
const RANDOM_RUNS: u64 = 7;
/// How many edges one run executes at most.
const STEPS: u64 = 20_000;
/// How many threads live at once at most: each step looks at all of them.
const THREADS: usize = 16;

/// The trace of a violation that one of the runs came to.
pub fn smoke(program: &Program, run: &mut Run) -> Option<Trace> {
    let mut interpreter = Interpreter::new(program);
    let zeros = attempt(program, &mut interpreter, Zeros, run);
    zeros.or_else(|| (0..RANDOM_RUNS).find_map(|seed| attempt(program, &mut interpreter, Random::new(seed), run)))
}

fn attempt(program: &Program, interpreter: &mut Interpreter, choices: impl Choices, run: &mut Run) -> Option<Trace> {
    run.tick().ok()?;
    let answers = RefCell::default();
    let globals = program.globals.iter().map(|variable| variable.term).collect();
    let mut recorder = Recorder { inner: choices, globals, answers: &answers };
    let mut edges = Edges { program, answers: &answers, steps: Vec::new() };
    let deadline = run.time_left().map(|left| Instant::now() + left);
    let limits =
        Limits { steps: STEPS, threads: THREADS, deadline, cancel: Some(run.cancel().flag()), ..Limits::default() };
    let outcome = interpreter.run(&mut recorder, &mut NoHost, &limits, Some(&mut edges));
    let End::Violated(property) = outcome.end else { return None };
    if !outcome.unchecked_axioms.is_empty() {
        return None;
    }
    let steps = edges.steps;
    let Answers { initial, memory, functions, .. } = answers.into_inner();
    Some(Trace { property, initial, memory, functions, steps })
}

/// What was chosen and is not in a step yet.
#[derive(Default)]
struct Answers {
    initial: Vec<(Term, Value)>,
    functions: Vec<(Function, Vec<Value>, Value)>,
    memory: Vec<(u32, u64, Value)>,
    /// For the edge that is being taken.
    values: HashMap<Term, Value>,
}

/// Keeps the choices that a trace tells. What it cannot tell is always zero: the first values of local variables.
struct Recorder<'a, C> {
    inner: C,
    globals: HashSet<Term>,
    answers: &'a RefCell<Answers>,
}

impl<C: Choices> Choices for Recorder<'_, C> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        if !self.globals.contains(&variable.term) {
            return Zeros.initial(variable, at);
        }
        let value = self.inner.initial(variable, at)?;
        self.answers.borrow_mut().initial.push((variable.term, value.clone()));
        Ok(value)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.havoc(variable, at)?;
        self.answers.borrow_mut().values.insert(variable.term, value.clone());
        Ok(value)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.result(procedure, result, at)?;
        self.answers.borrow_mut().values.insert(result.term, value.clone());
        Ok(value)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        self.inner.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        self.inner.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.inner.bytes(object, offset, bytes)?;
        let chosen = bytes.iter().zip(offset..).map(|(byte, at)| (object, at, Value::bv(8, u128::from(*byte))));
        self.answers.borrow_mut().memory.extend(chosen);
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        let pointer = self.inner.pointer(object, offset, width)?;
        self.answers.borrow_mut().memory.extend(pointer.iter().map(|value| (object, offset, value.clone())));
        Ok(pointer)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        Zeros.address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let value = self.inner.apply(function, arguments)?;
        self.answers.borrow_mut().functions.push((function.clone(), arguments.to_vec(), value.clone()));
        Ok(value)
    }
}

/// Turns the executed edges into steps of a trace.
struct Edges<'a> {
    program: &'a Program,
    answers: &'a RefCell<Answers>,
    steps: Vec<Step>,
}

impl Observer for Edges<'_> {
    fn edge(&mut self, at: &At, _: &State) {
        let Some(edge) = at.edge else { return };
        let Ok(cfa) = &self.program.procedure(at.procedure).body else { return };
        let mut chosen = std::mem::take(&mut self.answers.borrow_mut().values);
        let mut value = |variable: Term| match variable.sort().kind() {
            SortKind::Memory(_) => None,
            _ => chosen.remove(&variable).or_else(|| Value::zero(variable.sort())),
        };
        let values = match &cfa.edge(edge).op {
            Op::Havoc(variables) => variables.iter().filter_map(|variable| value(*variable)).collect(),
            Op::Call { procedure, .. } if self.program.procedure(*procedure).body.is_err() => {
                let results = &self.program.procedure(*procedure).results;
                results.iter().filter_map(|result| value(result.term)).collect()
            }
            _ => Vec::new(),
        };
        self.steps.push(Step { thread: at.thread, procedure: at.procedure, edge, values, locals: Vec::new() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use crate::replay::replay;
    use ir::random::Config;
    use source::SourceMap;

    fn replays(program: &Program, trace: &Trace) -> Result<usize, String> {
        replay(program, trace, Lines::new(&SourceMap::new(), None)).map(|replayed| replayed.steps.len())
    }

    /// Whatever the runs find, the replay finds again.
    #[test]
    fn violations_of_random_programs_can_be_replayed() {
        let mut found = 0;
        for config in [Config::scalar(), Config::everything(ir::DataModel::Ilp32)] {
            for seed in 0..300 {
                let program = ir::random::program(seed, &config);
                let Some(trace) = smoke(&program, &mut Run::unlimited()) else { continue };
                found += 1;
                if let Err(why) = replays(&program, &trace) {
                    panic!("seed {seed}: {why}\n{}", ir::print(&program));
                }
            }
        }
        assert!(found >= 50, "only {found} violations were found: the test says little");
    }

    const PROGRAM: &str = "property p unreach-call\nprocedure main() {\nlocal x: bv32 name x\nlocation bad error p\n\
        entry -> L3: havoc x\nL3 -> bad: assume (= x #x00000005)\nL3 -> exit: assume (not (= x #x00000005))\n}\n";

    /// A trace that is not quite right is refused.
    #[test]
    fn wrong_traces_are_refused() {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let step =
            |edge, values| Step { thread: 0, procedure: ProcId(0), edge: EdgeId(edge), values, locals: Vec::new() };
        let trace = |value, second| Trace {
            property: ir::PropertyId(0),
            initial: Vec::new(),
            memory: Vec::new(),
            functions: Vec::new(),
            steps: vec![step(0, vec![Value::bv(32, value)]), step(second, Vec::new())],
        };
        assert_eq!(replays(&program, &trace(5, 1)), Ok(2));
        assert!(replays(&program, &trace(4, 1)).is_err(), "the assumption does not hold");
        assert!(replays(&program, &trace(5, 2)).is_err(), "another edge is taken");
        let mut short = trace(5, 1);
        short.steps.pop();
        assert!(replays(&program, &short).is_err(), "the trace is too short");
        let mut long = trace(5, 1);
        long.steps.push(step(1, Vec::new()));
        assert!(replays(&program, &long).is_err(), "the trace goes on after the violation");
        let mut empty = trace(5, 1);
        empty.steps[0].values.clear();
        assert!(replays(&program, &empty).is_err(), "a value is missing");
        let mut wide = trace(5, 1);
        wide.steps[0].values = vec![Value::bv(8, 5)];
        assert!(replays(&program, &wide).is_err(), "a value has another sort");
    }
}
