//! The way back of a trace from cells to memory.
//!
//! The trace is executed on the program with cells. Where it loads bytes that the program with memory has not written to, what
//! is loaded is what memory holds there at first. Bytes that were copied from elsewhere are followed back.

use crate::{EdgeMap, Lift};
use engine::{Proof, Step, Trace};
use ir::{Cfa, EdgeId, LocId, Op, ProcId, Procedure, Program, memory};
use rustc_hash::FxHashMap;
use term::eval::evaluate;
use term::{Term, Value};

/// What an edge does with memory, in terms over the variables before it.
#[derive(Clone, Debug)]
pub enum Event {
    Load {
        at: Term,
        value: Term,
    },
    Store {
        at: Term,
        bytes: u64,
    },
    Copy {
        to: Term,
        from: Term,
        length: Term,
    },
    Fill {
        to: Term,
        length: Term,
    },
    /// An object is made, whose identity was `old`.
    Allocate {
        identity: Term,
        old: Term,
    },
}

/// The lift of the split: which edges stand for which, and what memory held at first.
pub struct Initial {
    /// The program with cells.
    pub program: Program,
    pub edges: EdgeMap,
    /// What the edges do with memory.
    pub events: Vec<Vec<Vec<Event>>>,
}

/// Copies of more bytes than this are not followed.
const MOST_BYTES: u64 = 1 << 16;

impl Lift for Initial {
    fn trace(&self, trace: Trace) -> Trace {
        if self.events.iter().flatten().all(Vec::is_empty) {
            return self.edges.trace(trace);
        }
        let mut found = Search { values: trace.initial.iter().cloned().collect(), ..Search::default() };
        for step in &trace.steps {
            let Some(Ok(cfa)) = self.program.procedures.get(step.procedure.0 as usize).map(|p| &p.body) else {
                continue;
            };
            let events = &self.events[step.procedure.0 as usize][step.edge.0 as usize];
            events.iter().for_each(|event| found.event(event));
            found.execute(&self.program, cfa, step);
        }
        let memory = trace.memory.into_iter().chain(found.initial).collect();
        self.edges.trace(Trace { memory, ..trace })
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        self.edges.edge(procedure, edge)
    }
}

/// A byte of an object, as the program with memory knows it.
type Byte = (u32, u64);

/// The execution of a trace, and what it tells.
#[derive(Default)]
struct Search {
    values: FxHashMap<Term, Value>,
    /// Which objects have other identities in the program with memory.
    identities: FxHashMap<u32, u32>,
    /// Bytes that were written to, or that hold what another byte held at first.
    bytes: FxHashMap<Byte, Option<Byte>>,
    initial: Vec<(u32, u64, Value)>,
    known: FxHashMap<Byte, ()>,
    /// The calls that are open.
    calls: Vec<Call>,
}

/// A call whose body is being executed.
struct Call {
    callee: ProcId,
    /// The variables that take the results.
    results: Vec<Term>,
    /// Where the caller goes on.
    caller: ProcId,
    after: LocId,
    /// The callee's variables as they were: those of another activation, if it is recursive.
    saved: Vec<(Term, Option<Value>)>,
}

impl Search {
    fn value(&self, term: Term) -> Option<Value> {
        let assigned = |variable: Term| self.values.get(&variable).cloned().or_else(|| Value::zero(variable.sort()));
        evaluate(term, &assigned)
    }

    fn number(&self, term: Term) -> Option<u64> {
        self.value(term)?.as_bv().map(|number| number.unsigned() as u64)
    }

    /// The byte that a pointer points to.
    fn place(&self, pointer: Term) -> Option<Byte> {
        match self.value(pointer)? {
            Value::Pointer { object, offset } => {
                let object = self.identities.get(&object).copied().unwrap_or(object);
                Some((object, offset.unsigned() as u64))
            }
            _ => None,
        }
    }

    /// Whose first value a byte holds, if it holds one.
    fn origin(&self, byte: Byte) -> Option<Byte> {
        self.bytes.get(&byte).copied().unwrap_or(Some(byte))
    }

    /// What cannot be evaluated tells nothing.
    fn event(&mut self, event: &Event) {
        match event {
            Event::Load { at, value } => {
                if let (Some(place), Some(value)) = (self.place(*at), self.value(*value)) {
                    self.load(place, value);
                }
            }
            Event::Store { at, bytes } => self.write(*at, *bytes),
            Event::Fill { to, length } => self.write(*to, self.number(*length).unwrap_or(0)),
            Event::Copy { to, from, length } => {
                let (Some(to), Some(from), Some(n)) = (self.place(*to), self.place(*from), self.number(*length)) else {
                    return;
                };
                let origins: Vec<Option<Byte>> =
                    (0..n.min(MOST_BYTES)).map(|i| self.origin((from.0, from.1.wrapping_add(i)))).collect();
                self.bytes
                    .extend(origins.into_iter().zip(0..).map(|(origin, i)| ((to.0, to.1.wrapping_add(i)), origin)));
            }
            Event::Allocate { identity, old } => {
                if let (Some(new), Some(old)) = (self.number(*identity), self.number(*old)) {
                    self.identities.insert(new as u32, old as u32);
                }
            }
        }
    }

    fn write(&mut self, at: Term, bytes: u64) {
        if let Some((object, offset)) = self.place(at) {
            self.bytes.extend((0..bytes.min(MOST_BYTES)).map(|i| ((object, offset.wrapping_add(i)), None)));
        }
    }

    fn load(&mut self, (object, offset): Byte, value: Value) {
        let bits = match &value {
            // A pointer is told in one piece, and only one from outside can be there at first.
            Value::Pointer { object: target, .. } => {
                if let Some(start) = self.origin((object, offset))
                    && memory::is_external(*target)
                    && self.known.insert(start, ()).is_none()
                {
                    self.initial.push((start.0, start.1, value));
                }
                return;
            }
            Value::Bv(bits) => bits.unsigned(),
            Value::Float(_, bits) => *bits,
            _ => return,
        };
        for i in 0..u64::from(value.sort().bytes().unwrap_or(0)).min(16) {
            if let Some(byte) = self.origin((object, offset.wrapping_add(i)))
                && self.known.insert(byte, ()).is_none()
            {
                self.initial.push((byte.0, byte.1, Value::bv(8, bits >> (8 * i) & 0xff)));
            }
        }
    }

    fn execute(&mut self, program: &Program, cfa: &Cfa, step: &Step) {
        let edge = cfa.edge(step.edge);
        match &edge.op {
            Op::Assign(pairs) => {
                let values: Vec<Option<Value>> = pairs.iter().map(|(_, value)| self.value(*value)).collect();
                self.values
                    .extend(pairs.iter().zip(values).filter_map(|((variable, _), value)| Some((*variable, value?))));
            }
            Op::Havoc(variables) => self.values.extend(variables.iter().copied().zip(step.values.iter().cloned())),
            Op::Call { procedure, results, .. } if program.procedure(*procedure).body.is_err() => {
                self.values.extend(results.iter().copied().zip(step.values.iter().cloned()));
            }
            Op::Call { procedure, arguments, results } => {
                let call = Call {
                    callee: *procedure,
                    results: results.clone(),
                    caller: step.procedure,
                    after: edge.to,
                    saved: Vec::new(),
                };
                return self.enter(program.procedure(*procedure), call, arguments, &step.locals);
            }
            _ => {}
        }
        self.arrive(program, step.procedure, edge.to);
    }

    fn enter(&mut self, callee: &Procedure, mut call: Call, arguments: &[Term], locals: &[(Term, Value)]) {
        let given: Vec<Option<Value>> = arguments.iter().map(|argument| self.value(*argument)).collect();
        let own = callee.parameters.iter().chain(&callee.results).chain(&callee.locals).map(|variable| variable.term);
        call.saved = own.map(|variable| (variable, self.values.remove(&variable))).collect();
        let parameters = callee.parameters.iter().map(|variable| variable.term).zip(given);
        self.values.extend(parameters.filter_map(|(variable, value)| Some((variable, value?))));
        self.values.extend(locals.iter().cloned());
        self.calls.push(call);
    }

    /// Returns from all calls that end where control is now.
    fn arrive(&mut self, program: &Program, mut procedure: ProcId, mut location: LocId) {
        while let Some(call) = self.calls.last()
            && call.callee == procedure
            && program.procedure(procedure).body.as_ref().is_ok_and(|cfa| cfa.exit() == location)
            && let Some(call) = self.calls.pop()
        {
            let declared = program.procedure(procedure).results.iter();
            let returned: Vec<Option<Value>> = declared.map(|result| self.value(result.term)).collect();
            for (variable, value) in call.saved {
                match value {
                    Some(value) => self.values.insert(variable, value),
                    None => self.values.remove(&variable),
                };
            }
            self.values.extend(call.results.into_iter().zip(returned).filter_map(|(v, value)| Some((v, value?))));
            (procedure, location) = (call.caller, call.after);
        }
    }
}
