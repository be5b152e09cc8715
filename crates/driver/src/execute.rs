//! Executes a program in the interpreter, as a user asks for it.

use crate::lines::Lines;
use crate::load::Loaded;
use crate::narrate::Narrator;
pub use crate::narrate::Sink;
use ir::interp::{At, ChoiceError, Choices, Chosen, End, Host, Interpreter, Limits, Observer, Outcome, Random, Zeros};
use ir::{EdgeId, ProcId, Variable};
use source::SourceMap;
use std::collections::VecDeque;
use term::{Function, Op, Sort, SortKind, Value, eval};

/// Who decides what the program leaves open.
#[derive(Clone, Debug)]
pub enum Decider {
    Zeros,
    Random(u64),
    /// These numbers, in the order in which nondeterministic values are asked for; zeros for all else.
    Numbers(Vec<Number>),
}

/// A number that a user wrote.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Integer(i128),
    Real(f64),
}

/// How an execution ended.
#[derive(Clone, Debug)]
pub struct Execution {
    pub outcome: Outcome,
    /// The exit status that the program itself decided on.
    pub status: Option<u32>,
}

/// Executes the program once. If there is a sink, it gets every step.
pub fn execute(
    loaded: &Loaded,
    decider: Decider,
    host: &mut dyn Host,
    limits: &Limits,
    sink: Option<Sink>,
) -> Execution {
    let mut choices: Box<dyn Choices> = match decider {
        Decider::Zeros => Box::new(Listed { numbers: None, patience: PATIENCE }),
        Decider::Random(seed) => Box::new(Random::new(seed)),
        Decider::Numbers(numbers) => Box::new(Listed { numbers: Some(numbers.into()), patience: PATIENCE }),
    };
    let mut sources = SourceMap::new();
    let text = if sink.is_some() { loaded.text(&mut sources) } else { Vec::new() };
    let lines = || Lines::new(&sources, &text);
    let mut narrator = sink.map(|sink| Narrator::new(&loaded.program, lines(), sink));
    let observer = narrator.as_mut().map(|narrator| narrator as &mut dyn Observer);
    let mut interpreter = Interpreter::new(&loaded.program);
    let outcome = interpreter.run(choices.as_mut(), host, limits, observer);
    let status = match &outcome.end {
        End::Finished(results) => results.first().map(|(_, status)| status.clone()),
        End::Ended => interpreter.global(ir::status()),
        _ => None,
    };
    let status = status.and_then(|status| match status {
        Value::Bv(status) => Some(status.unsigned() as u32),
        _ => None,
    });
    Execution { outcome, status }
}

/// Reads a file of choices: one number a line, decimal or hexadecimal (`0x`); `#` begins a comment. The error is the number
/// of the line that holds something else.
pub fn parse_numbers(text: &str) -> Result<Vec<Number>, usize> {
    let mut numbers = Vec::new();
    for (row, line) in text.lines().enumerate() {
        let word = line.split('#').next().unwrap_or_default().trim();
        if !word.is_empty() {
            numbers.push(parse_number(word).ok_or(row + 1)?);
        }
    }
    Ok(numbers)
}

fn parse_number(word: &str) -> Option<Number> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    if let Some(hexadecimal) = digits.strip_prefix("0x") {
        return i128::from_str_radix(hexadecimal, 16).ok().map(|number| Number::Integer(sign * number));
    }
    match digits.parse::<i128>() {
        Ok(number) => Some(Number::Integer(sign * number)),
        Err(_) => word.parse().ok().map(Number::Real),
    }
}

/// How many edges a thread executes before it is another one's turn, so that a thread that waits for others is no end.
const PATIENCE: u32 = 1000;

/// Takes values from a list, or zeros. Threads take turns.
struct Listed {
    numbers: Option<VecDeque<Number>>,
    /// How many edges the running thread may still execute.
    patience: u32,
}

impl Listed {
    fn next(&mut self, sort: Sort) -> Chosen<Value> {
        let number = match &mut self.numbers {
            Some(numbers) => numbers.pop_front().ok_or(ChoiceError::Exhausted)?,
            None => {
                return Value::zero(sort).ok_or_else(|| ChoiceError::mismatch(format!("a value of {sort}"), "zero"));
            }
        };
        convert(number, sort).ok_or_else(|| ChoiceError::mismatch(format!("a value of {sort}"), number))
    }
}

/// The value of a sort that a number stands for. Integers wrap, as C's conversions do.
fn convert(number: Number, sort: Sort) -> Option<Value> {
    let evaluated = |op: Op, value: Value| eval::apply(&op, &[value]);
    match (sort.kind(), number) {
        (SortKind::Bool, Number::Integer(n)) => Some(Value::Bool(n != 0)),
        (SortKind::BitVec(width), Number::Integer(n)) => Some(Value::bv(*width, n as u128)),
        (SortKind::Int, Number::Integer(n)) => Some(Value::Int(n.into())),
        (SortKind::Pointer(width), Number::Integer(n)) => {
            Some(Value::Pointer { object: 0, offset: term::Bv::new(*width, n as u128) })
        }
        (SortKind::Float(format), number) => {
            let double = match number {
                Number::Integer(n) => n as f64,
                Number::Real(x) => x,
            };
            let bits = Value::bv(64, double.to_bits().into());
            let double = evaluated(Op::FpFromBits(term::FloatFormat::DOUBLE), bits)?;
            evaluated(Op::FpToFp(*format, term::Rounding::NearestEven), double)
        }
        _ => None,
    }
}

impl Choices for Listed {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        Zeros.initial(variable, at)
    }

    fn havoc(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        self.next(variable.sort())
    }

    fn result(&mut self, _: ProcId, result: &Variable, _: &At) -> Chosen<Value> {
        self.next(result.sort())
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        Zeros.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        if let Some(same) = runnable.iter().position(|thread| *thread == at.thread)
            && self.patience > 0
        {
            self.patience -= 1;
            return Ok(same);
        }
        self.patience = PATIENCE;
        Ok(runnable.iter().position(|thread| *thread > at.thread).unwrap_or(0))
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        Zeros.bytes(object, offset, bytes)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        Zeros.address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        Zeros.apply(function, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_one_a_line() {
        let expected = vec![Number::Integer(3), Number::Integer(-255), Number::Real(1.5)];
        assert_eq!(parse_numbers("# choices\n3\n\n -0xff # hexadecimal\n1.5\n"), Ok(expected));
        assert_eq!(parse_numbers("1\nx\n"), Err(2));
        assert_eq!(parse_numbers("1 2\n"), Err(1));
    }

    #[test]
    fn numbers_become_values() {
        assert_eq!(convert(Number::Integer(-1), Sort::bv(8)), Some(Value::bv(8, 255)));
        assert_eq!(convert(Number::Real(0.5), Sort::bv(8)), None);
        let half = Value::Float(term::FloatFormat::SINGLE, f32::to_bits(0.5).into());
        assert_eq!(convert(Number::Real(0.5), Sort::float(term::FloatFormat::SINGLE)), Some(half));
    }
}
