//! Whether an error can be reached, found by trying all choices of a small domain in the interpreter.

use ir::interp::{At, Choices, Chosen, End, Interpreter, Limits, NoHost};
use ir::{EdgeId, ProcId, Program, Variable};
use term::{Function, Sort, SortKind, Value};

/// How many executions are tried at most.
const MOST_RUNS: usize = 150;
const MOST_STEPS: u64 = 20_000;

/// What the executions of a program come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    Error,
    /// All choices of the domain were tried.
    Nothing,
    /// The same, but an execution had no meaning, so that it was cut off.
    NothingDefined,
    /// There were too many, or one came to something that cannot be executed.
    Unknown,
}

/// Tries all choices. The numbers that the program returns are added to `returned`, each once.
pub fn enumerate(program: &Program, returned: &mut Vec<i128>) -> Reached {
    let mut interpreter = Interpreter::new(program);
    let mut script = Script::default();
    let (mut complete, mut defined) = (true, true);
    let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
    for _ in 0..MOST_RUNS {
        script.position = 0;
        match interpreter.run(&mut script, &mut NoHost, &limits, None).end {
            End::Violated(_) => return Reached::Error,
            End::Finished(results) => {
                let number = results.first().and_then(|(_, value)| value.as_bv()).map(|number| number.signed());
                returned.extend(number.filter(|number| !returned.contains(number)));
            }
            End::Ended | End::Blocked => {}
            End::Undefined(_) => defined = false,
            End::Unsupported(_) | End::Limit(_) => complete = false,
            end => panic!("{end:?}"),
        }
        if !script.advance() {
            return match (complete, defined) {
                (true, true) => Reached::Nothing,
                (true, false) => Reached::NothingDefined,
                (false, _) => Reached::Unknown,
            };
        }
    }
    Reached::Unknown
}

/// A path in the tree of choices: which was taken of how many.
#[derive(Default)]
struct Script {
    taken: Vec<(usize, usize)>,
    position: usize,
}

impl Script {
    fn choose(&mut self, count: usize) -> usize {
        if self.position == self.taken.len() {
            self.taken.push((0, count));
        }
        self.position += 1;
        self.taken[self.position - 1].0
    }

    /// Goes to the next path; whether there is one.
    fn advance(&mut self) -> bool {
        self.taken.truncate(self.position);
        while let Some((choice, count)) = self.taken.pop() {
            if choice + 1 < count {
                self.taken.push((choice + 1, count));
                return true;
            }
        }
        false
    }

    fn value(&mut self, sort: Sort) -> Chosen<Value> {
        Ok(match sort.kind() {
            SortKind::BitVec(width @ 8) => Value::bv(*width, self.choose(4) as u128),
            SortKind::BitVec(width) => Value::bv(*width, self.choose(2) as u128),
            SortKind::Pointer(width) => {
                let object = [0, ir::memory::FIRST_EXTERNAL, ir::memory::FIRST_EXTERNAL + (1 << 16)][self.choose(3)];
                Value::Pointer { object, offset: term::Bv::new(*width, 0) }
            }
            _ => Value::zero(sort).expect("no memory is asked for"),
        })
    }
}

impl Choices for Script {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        self.value(variable.sort())
    }

    fn havoc(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        self.value(variable.sort())
    }

    fn result(&mut self, _: ProcId, result: &Variable, _: &At) -> Chosen<Value> {
        self.value(result.sort())
    }

    fn branch(&mut self, edges: &[EdgeId], _: &At) -> Chosen<usize> {
        Ok(self.choose(edges.len()))
    }

    fn schedule(&mut self, _: &[u32], _: &At) -> Chosen<usize> {
        Ok(0)
    }

    fn bytes(&mut self, _: u32, _: u64, bytes: &mut [u8]) -> Chosen<()> {
        let value = self.choose(2);
        bytes.fill(0);
        bytes[0] = value as u8;
        Ok(())
    }

    fn pointer(&mut self, _: u32, _: u64, width: u32) -> Chosen<Option<Value>> {
        self.value(Sort::pointer(width)).map(Some)
    }

    fn address(&mut self, _: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(suggested)
    }

    fn apply(&mut self, function: &Function, _: &[Value]) -> Chosen<Value> {
        self.value(function.result)
    }
}
