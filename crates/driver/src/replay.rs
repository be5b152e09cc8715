//! Executes a trace in the interpreter: what an engine says can happen must happen there, step by step.
//!
//! An execution that the interpreter made itself is told by its choices alone, and is executed once more by them, one edge after the
//! other. It may be very long: then only its beginning and its end are told, and rounds of loops that only count are skipped.

use crate::axioms::{self, Admitted, Excluded, Row, Table};
use crate::inputs::{Input, Noting};
use crate::lines::Lines;
use crate::narrate::{Narrator, Objects};
use crate::report::{LeftOut, TraceStep};
use engine::Trace;
use execution::Execution;
use ir::interp::{
    At, Choice, ChoiceError, Choices, Chosen, End, Interpreter, Limits, NoHost, Observer, Recorded, Recording, State,
    is_foreign,
};
use ir::{EdgeId, Op, ProcId, Program, Variable, memory};
use source::SourceMap;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};
use term::{ArrayValue, Function, Sort, SortKind, Term, Value};

/// How many edges of a long execution are told at its beginning and at its end.
const BEGINNING: u64 = 1_000;
const ENDING: u64 = 4_000;

/// An executed trace.
pub struct Replayed {
    pub steps: Vec<TraceStep>,
    /// What is not told, if the execution is long.
    pub left_out: Option<LeftOut>,
    /// The names of objects in the steps.
    pub objects: Objects,
    /// What functions of the environment returned.
    pub inputs: Vec<Input>,
    /// All that was chosen: it makes the execution again.
    pub choices: Vec<Choice>,
    /// The first access behind an object's end. The execution does not depend on what lies there.
    pub beyond: Option<String>,
    /// How the program's axioms allow it.
    pub admitted: Admitted,
}

/// So often other values are chosen for what functions give,
const MOST_CHOICES: usize = 60;
/// and for so long.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Executes the trace; what does not fit, if the execution does not end with the trace's violation.
///
/// An engine says zero of what it does not look at. If that contradicts axioms the execution may be possible nevertheless: then
/// functions give something there that is nowhere else, or one of their arguments, as long as the trace is executed with it.
///
/// Objects lie where the trace says that they do, or else, if the execution does not fit so, anywhere apart from each other.
pub fn replay(program: &Program, trace: &Trace, lines: Lines) -> Result<Replayed, String> {
    let told = bases(program, trace).map(|bases| replay_at(program, trace, Some(bases), lines.clone()));
    match told {
        Some(Ok(replayed)) => Ok(replayed),
        Some(Err(_)) | None => replay_at(program, trace, None, lines),
    }
}

/// Where objects lie, as far as the trace says it.
fn bases<'a>(program: &Program, trace: &'a Trace) -> Option<&'a ArrayValue> {
    let bases = memory::base(program.data_model);
    trace.initial.iter().find_map(|(variable, value)| match value {
        Value::Array(addresses) if *variable == bases => Some(&**addresses),
        _ => None,
    })
}

fn replay_at(program: &Program, trace: &Trace, bases: Option<&ArrayValue>, lines: Lines) -> Result<Replayed, String> {
    let mut changed = Table::new();
    // For each row that was changed, what is left to try.
    let mut open: BTreeMap<Row, Vec<Value>> = BTreeMap::new();
    let mut last: Option<Row> = None;
    let start = Instant::now();
    for number in 0..MOST_CHOICES {
        if start.elapsed() > MOST_TIME {
            break;
        }
        let rows = match (follow(Follow::new(program, trace, bases, &changed), lines.clone(), false), last.take()) {
            (Ok(replayed), _) => return Ok(replayed),
            (Err(Unfit::Excluded(Excluded { rows, .. })), _) => rows,
            (Err(Unfit::Otherwise(_)), Some(row)) => {
                // The execution depends on it.
                changed.remove(&row);
                continue;
            }
            (Err(Unfit::Otherwise(why)), None) => return Err(why),
        };
        let unused = Value::Int((UNUSED + number as u64).into());
        let choice = rows.into_iter().filter(|row| row.0.result == Sort::int()).find_map(|row| {
            let others = || row.1.iter().rev().cloned().chain([unused.clone()]).collect();
            let value = open.entry(row.clone()).or_insert_with(others).pop()?;
            (value.sort() == Sort::int()).then_some((row, value))
        });
        let Some((row, value)) = choice else { break };
        changed.insert(row.clone(), value);
        last = Some(row);
    }
    follow(Follow::new(program, trace, bases, &Table::new()), lines, true).map_err(|unfit| match unfit {
        Unfit::Excluded(Excluded { why, .. }) | Unfit::Otherwise(why) => why,
    })
}

/// Numbers from here on are hardly in a program. If one is, the axioms decide about it as about all others.
const UNUSED: u64 = 0x5EED_0000_0000_0000;

/// Why a trace is not executed as it says.
enum Unfit {
    Excluded(Excluded),
    Otherwise(String),
}

impl From<String> for Unfit {
    fn from(why: String) -> Unfit {
        Unfit::Otherwise(why)
    }
}

/// Executes the trace, and asks for axioms thoroughly or not.
fn follow(choices: Follow<'_>, lines: Lines, thorough: bool) -> Result<Replayed, Unfit> {
    let (program, trace) = (choices.program, choices.trace);
    let mut choices = Noting::new(Recording::new(choices), program, lines.clone());
    let mut told = Vec::new();
    let mut sink = |step, _: &Objects| told.push(step);
    let mut watcher = Watcher { trace, narrator: Narrator::new(program, lines, &mut sink), deviation: None };
    let limits = Limits { steps: trace.steps.len() as u64 + 1, room: true, ..Limits::default() };
    let outcome = Interpreter::new(program).run(&mut choices, &mut NoHost, &limits, Some(&mut watcher));
    let objects = std::mem::take(&mut watcher.narrator.objects);
    if let Some(step) = watcher.deviation {
        return Err(format!("the program does otherwise at step {step} of {}", trace.steps.len()).into());
    }
    let Noting { inner, inputs, .. } = choices;
    let (Follow { applied, supposed, .. }, choices) = inner.into_parts();
    let admitted = match outcome.unchecked_axioms.is_empty() && supposed.is_empty() {
        true => Admitted::Wholly,
        false => axioms::admit(program, &supposed, &applied, thorough).map_err(Unfit::Excluded)?,
    };
    let steps = outcome.statistics.steps;
    match outcome.end {
        End::Violated(property) if property == trace.property && steps == trace.steps.len() as u64 => {
            Ok(Replayed { steps: told, left_out: None, objects, inputs, choices, beyond: outcome.beyond, admitted })
        }
        End::Violated(property) if property == trace.property => {
            Err(format!("the violation happens after {steps} steps, not after {}", trace.steps.len()).into())
        }
        end => {
            let all = trace.steps.len();
            Err(format!("after {steps} of {all} steps the execution ends otherwise: {}", shown(&end)).into())
        }
    }
}

/// Makes an execution once more; what is different, if it does not end with the violation.
pub fn repeat(program: &Program, execution: &Execution, lines: Lines) -> Result<Replayed, String> {
    let Execution { property, edges, choices: all } = execution;
    let is_own = |choice: &&Choice| match choice {
        Choice::Initial(value) | Choice::Havoc(value) | Choice::Result(value) => !is_foreign(value),
        _ => false,
    };
    if let Some(choice) = all.iter().find(is_own) {
        return Err(format!("{choice:?} cannot come from outside"));
    }
    let mut choices = Noting::new(Recorded::new(all.iter().cloned()), program, lines.clone());
    let mut told = Vec::new();
    let mut sink = |step, _: &Objects| told.push(step);
    let silent = match edges.checked_sub(ENDING) {
        Some(end) if end > BEGINNING => BEGINNING..end,
        _ => 0..0,
    };
    let narrator = Narrator::new(program, lines, &mut sink);
    let mut ends = Ends { narrator, silent, executed: 0, left_out: None };
    let limits = Limits::to_check(*edges);
    let outcome = Interpreter::new(program).run(&mut choices, &mut NoHost, &limits, Some(&mut ends));
    let steps = outcome.statistics.steps;
    if outcome.end != End::Violated(*property) || steps != *edges || !outcome.unchecked_axioms.is_empty() {
        return Err(format!("after {steps} of {edges} steps the execution ends otherwise: {}", shown(&outcome.end)));
    }
    let objects = std::mem::take(&mut ends.narrator.objects);
    let left_out = ends.left_out;
    let inputs = choices.inputs;
    let (beyond, admitted) = (outcome.beyond, Admitted::Wholly);
    Ok(Replayed { steps: told, left_out, objects, inputs, choices: all.clone(), beyond, admitted })
}

/// Whether the execution of a trace ends with the trace's violation; what does not fit, if not.
pub fn replays(program: &Program, trace: &Trace) -> Result<(), String> {
    replay(program, trace, Lines::new(&SourceMap::new(), &[])).map(|_| ())
}

/// How a run ended, in words.
pub fn shown(end: &End) -> String {
    match end {
        End::Finished(_) | End::Ended => "the program ends".to_string(),
        End::Violated(_) => "another property is violated".to_string(),
        End::Blocked => "nothing can go on".to_string(),
        End::Undefined(what) => format!("undefined behaviour: {what}"),
        End::Unsupported(what) => format!("unsupported: {what}"),
        End::Limit(limit) => limit.to_string(),
        End::Choices(error) => error.to_string(),
        End::Internal(what) => format!("internal error: {what}"),
    }
}

/// Chooses what a trace says. The n-th edge of the execution is the trace's n-th step.
struct Follow<'a> {
    program: &'a Program,
    trace: &'a Trace,
    initial: HashMap<Term, &'a Value>,
    bytes: HashMap<(u32, u64), u8>,
    functions: HashMap<(&'a Function, &'a [Value]), &'a Value>,
    pointers: HashMap<(u32, u64), &'a Value>,
    /// Where objects lie; where it is not told, or is 0, they lie anywhere.
    bases: Option<&'a ArrayValue>,
    /// What functions give otherwise than the trace says.
    changed: &'a Table,
    /// What functions gave so far.
    applied: Table,
    /// The formulas about all values that were taken to hold so far.
    supposed: Vec<Term>,
}

impl<'a> Follow<'a> {
    fn new(program: &'a Program, trace: &'a Trace, bases: Option<&'a ArrayValue>, changed: &'a Table) -> Follow<'a> {
        let contents = trace.memory.iter().map(|(object, offset, value)| ((*object, *offset), value));
        Follow {
            program,
            trace,
            bases,
            changed,
            initial: trace.initial.iter().map(|(variable, value)| (*variable, value)).collect(),
            functions: trace.functions.iter().map(|(function, on, value)| ((function, &on[..]), value)).collect(),
            bytes: contents
                .clone()
                .filter_map(|(place, value)| Some((place, value.as_bv()?.unsigned() as u8)))
                .collect(),
            applied: Table::new(),
            supposed: Vec::new(),
            pointers: contents.filter(|(_, value)| matches!(value, Value::Pointer { .. })).collect(),
        }
    }

    fn step(&self, at: &At) -> Chosen<&'a engine::Step> {
        self.trace.steps.get(at.step as usize).ok_or(ChoiceError::Exhausted)
    }

    /// The value at a position of the current step.
    fn value(&self, at: &At, position: Option<usize>, variable: &Variable) -> Chosen<Value> {
        let step = self.step(at)?;
        let value = position.and_then(|position| step.values.get(position));
        match value {
            Some(value) if value.sort() == variable.sort() && is_foreign(value) => Ok(value.clone()),
            other => Err(ChoiceError::mismatch(format!("a value of {} at step {}", variable.name(), at.step), other)),
        }
    }
}

fn zero(sort: term::Sort) -> Chosen<Value> {
    Value::zero(sort).ok_or_else(|| ChoiceError::mismatch(format!("a value of {sort}"), "none"))
}

impl Choices for Follow<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        // A local is asked for right after the call that enters its procedure.
        let called = at.step.checked_sub(1).and_then(|step| self.trace.steps.get(step as usize));
        let local = called.and_then(|step| step.locals.iter().find(|(known, _)| *known == variable.term));
        match local.map(|(_, value)| value).or_else(|| self.initial.get(&variable.term).copied()) {
            Some(value) if is_foreign(value) => Ok(value.clone()),
            Some(other) => Err(ChoiceError::mismatch(format!("a first value of {}", variable.name()), other)),
            None => zero(variable.sort()),
        }
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let step = self.step(at)?;
        let position = match &self.program.procedure(step.procedure).body {
            Ok(cfa) if (step.edge.0 as usize) < cfa.edge_count() => match &cfa.edge(step.edge).op {
                Op::Havoc(variables) => {
                    let is_memory = |term: &Term| matches!(term.sort().kind(), SortKind::Memory(_));
                    variables.iter().filter(|term| !is_memory(term)).position(|term| *term == variable.term)
                }
                _ => None,
            },
            _ => None,
        };
        self.value(at, position, variable)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let results = &self.program.procedure(procedure).results;
        let position = results.iter().position(|declared| declared.term == result.term);
        self.value(at, position, result)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        let wanted = self.step(at)?.edge;
        let position = edges.iter().position(|edge| *edge == wanted);
        position.ok_or_else(|| ChoiceError::mismatch(format!("one of the edges {edges:?} at step {}", at.step), wanted))
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        let wanted = self.step(at)?.thread;
        let position = runnable.iter().position(|thread| *thread == wanted);
        position.ok_or_else(|| {
            ChoiceError::mismatch(format!("one of the threads {runnable:?} at step {}", at.step), wanted)
        })
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        for (byte, at) in bytes.iter_mut().zip(offset..) {
            *byte = self.bytes.get(&(object, at)).copied().unwrap_or(0);
        }
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, _: u32) -> Chosen<Option<Value>> {
        Ok(self.pointers.get(&(object, offset)).map(|value| (*value).clone()))
    }

    fn address(&mut self, object: u32, _: u64, suggested: u64) -> Chosen<u64> {
        let told = self.bases.map(|bases| bases.get(&Value::bv(term::OBJECT_WIDTH, object.into())).as_bv());
        Ok(told.flatten().map(|address| address.unsigned() as u64).filter(|address| *address != 0).unwrap_or(suggested))
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let row = (function.clone(), arguments.to_vec());
        let value = match self.changed.get(&row).or_else(|| self.functions.get(&(function, arguments)).copied()) {
            Some(value) => value.clone(),
            None => zero(function.result)?,
        };
        self.applied.insert(row, value.clone());
        Ok(value)
    }

    /// It is taken to hold, because the trace goes on: whether it can is found out in the end, of all such formulas together.
    fn holds(&mut self, formula: Term) -> Chosen<Option<bool>> {
        self.supposed.push(formula);
        Ok(Some(true))
    }
}

/// Compares every edge with the trace, and narrates.
struct Watcher<'a> {
    trace: &'a Trace,
    narrator: Narrator<'a>,
    /// The number of the first step that was another one.
    deviation: Option<u64>,
}

impl Observer for Watcher<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        // The edge has been executed: it is counted already.
        let number = at.step.saturating_sub(1);
        let fits =
            self.trace.steps.get(number as usize).is_some_and(|step| {
                (step.thread, step.procedure, Some(step.edge)) == (at.thread, at.procedure, at.edge)
            });
        if !fits {
            self.deviation.get_or_insert(number);
        }
        self.narrator.edge(at, state);
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        self.narrator.enter(procedure, state);
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        self.narrator.leave(procedure, state);
    }
}

/// Narrates the beginning and the end of an execution.
struct Ends<'a> {
    narrator: Narrator<'a>,
    /// The edges that nothing is told of.
    silent: Range<u64>,
    /// How many edges were executed.
    executed: u64,
    left_out: Option<LeftOut>,
}

impl Ends<'_> {
    fn is_silent(&self) -> bool {
        self.silent.start < self.executed && self.executed <= self.silent.end
    }
}

impl Observer for Ends<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        self.executed = at.step;
        if self.left_out.is_none() && !self.silent.is_empty() && self.executed > self.silent.start {
            self.left_out = Some(LeftOut { after: self.narrator.told, edges: self.silent.end - self.silent.start });
            self.narrator.skip();
        }
        if !self.is_silent() {
            self.narrator.edge(at, state);
        }
    }

    fn sleeps_until(&self) -> u64 {
        if self.left_out.is_some() { self.silent.end } else { 0 }
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        if !self.is_silent() {
            self.narrator.enter(procedure, state);
        }
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        if !self.is_silent() {
            self.narrator.leave(procedure, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Run, Step};
    use execution::Shown;
    use ir::random::Config;

    fn replays(program: &Program, trace: &Trace) -> Result<usize, String> {
        replay(program, trace, Lines::new(&SourceMap::new(), &[])).map(|replayed| replayed.steps.len())
    }

    fn repeats(program: &Program, execution: &Execution) -> Result<Replayed, String> {
        repeat(program, execution, Lines::new(&SourceMap::new(), &[]))
    }

    /// Whatever executions find, they find again; what was changed in them is refused.
    #[test]
    fn violations_of_random_programs_can_be_repeated() {
        let mut found = 0;
        for config in [Config::scalar(), Config::everything(ir::DataModel::Ilp32)] {
            for seed in 0..300 {
                let program = ir::random::program(seed, &config);
                let shown = execution::first(&program, &mut Run::unlimited());
                let Some(Shown::Violation(mut execution)) = shown else { continue };
                found += 1;
                if let Err(why) = repeats(&program, &execution) {
                    panic!("seed {seed}: {why}\n{}", ir::print(&program));
                }
                execution.edges -= 1;
                assert!(repeats(&program, &execution).is_err(), "seed {seed}: the execution is longer");
                execution.edges += 1;
                if execution.choices.pop().is_some_and(|last| !matches!(last, Choice::Schedule { .. })) {
                    assert!(repeats(&program, &execution).is_err(), "seed {seed}: a choice is missing");
                }
            }
        }
        assert!(found >= 50, "only {found} violations were found: the test says little");
    }

    /// Of a long execution the beginning and the end are told, with the calls that are open there.
    #[test]
    fn long_executions_are_told_in_part() {
        let text = "property p unreach-call\nprocedure main() {\nlocal i: bv32 name i\nlocation bad error p\n\
            entry -> L3: i := #x00000000\nL3 -> L4: assume (bvult i #x00030d40)\nL4 -> L3: i := call f(i)\n\
            L3 -> bad: assume (not (bvult i #x00030d40))\n}\n\
            procedure f(p: bv32 name p) returns (r: bv32) {\nentry -> exit: r := (bvadd p #x00000001)\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let found = execution::search(&program, &mut Run::unlimited(), &mut |_| {});
        let Ok(Shown::Violation(execution)) = found else { panic!("{found:?}") };
        assert_eq!(execution.edges, 3 * 200_000 + 2);
        let replayed = repeats(&program, &execution).unwrap_or_else(|why| panic!("{why}"));
        let left_out = replayed.left_out.unwrap_or_else(|| panic!("nothing is left out"));
        assert_eq!(left_out.edges, execution.edges - BEGINNING - ENDING);
        let (before, after) = replayed.steps.split_at(left_out.after);
        assert!(before.len() >= BEGINNING as usize && before.len() < 2 * BEGINNING as usize, "{}", before.len());
        assert!(after.len() >= ENDING as usize && after.len() < 2 * ENDING as usize, "{}", after.len());
        for step in after.iter().chain(before) {
            assert_eq!(step.depth, u32::from(step.function.as_str() == "f"), "{step:?}");
        }
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
