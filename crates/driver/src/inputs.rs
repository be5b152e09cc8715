//! What an execution got from outside, as calls of functions in the source: what a witness or a harness tells of it.

use crate::lines::Lines;
use ir::interp::{At, Choices, Chosen};
use ir::{EdgeId, Op, ProcId, Program, Variable};
use source::{Place, Symbol};
use std::collections::HashMap;
use term::{Function, Term, Value};

/// A value that a function of the environment returned.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    pub thread: u32,
    /// The function that was called, as the source names it, and the one that called it.
    pub function: Symbol,
    pub caller: Symbol,
    /// Where its name stands.
    pub place: Place,
    /// The column of the parenthesis that closes the call.
    pub end_column: u32,
    pub value: Value,
}

/// Passes the choices of another on and notes those that are what functions of the environment return.
pub struct Noting<'a, C> {
    pub inner: C,
    program: &'a Program,
    lines: Lines<'a>,
    pub inputs: Vec<Input>,
    /// Where each procedure chooses single values, and how many of its edges do so there.
    choosing: HashMap<(ProcId, Place), u32>,
}

impl<'a, C: Choices> Noting<'a, C> {
    pub fn new(inner: C, program: &'a Program, lines: Lines<'a>) -> Noting<'a, C> {
        let mut choosing = HashMap::new();
        for (id, procedure) in program.procedures() {
            let edges = procedure.body.iter().flat_map(|cfa| cfa.edges());
            for place in edges.filter_map(|(_, edge)| chosen(&edge.op).and(edge.place)) {
                *choosing.entry((id, place)).or_default() += 1;
            }
        }
        Noting { inner, program, lines, inputs: Vec::new(), choosing }
    }

    /// Notes a value, where the source calls a function for it alone.
    fn note(&mut self, value: &Value, at: &At) {
        let (Some(edge), Ok(cfa)) = (at.edge, &self.program.procedure(at.procedure).body) else { return };
        let edge = cfa.edge(edge);
        let (Some(_), Some(place)) = (chosen(&edge.op), edge.place) else { return };
        // Of several values, one may be what the function returns, but it is not known which.
        if self.choosing.get(&(at.procedure, place)).is_some_and(|count| *count > 1) {
            return;
        }
        if let Some((function, end_column)) = call_at(&self.lines, place) {
            let caller = self.program.procedure(at.procedure).name;
            let value = value.clone();
            self.inputs.push(Input { thread: at.thread, function, caller, place, end_column, value });
        }
    }
}

impl<C: Choices> Choices for Noting<'_, C> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.inner.initial(variable, at)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.havoc(variable, at)?;
        self.note(&value, at);
        Ok(value)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let value = self.inner.result(procedure, result, at)?;
        self.note(&value, at);
        Ok(value)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        self.inner.branch(edges, at)
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        self.inner.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        self.inner.bytes(object, offset, bytes)
    }

    fn pointer(&mut self, object: u32, offset: u64, width: u32) -> Chosen<Option<Value>> {
        self.inner.pointer(object, offset, width)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        self.inner.address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        self.inner.apply(function, arguments)
    }

    fn holds(&mut self, formula: Term) -> Chosen<Option<bool>> {
        self.inner.holds(formula)
    }
}

/// The only variable that an edge may choose a value for.
fn chosen(op: &Op) -> Option<Term> {
    match op {
        Op::Havoc(chosen) | Op::Call { results: chosen, .. } => match chosen[..] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

/// The function that is called at a place of the text, and the column of the parenthesis that closes the call; nothing if
/// there is no call, or one that does not end in its line.
pub fn call_at(lines: &Lines, place: Place) -> Option<(Symbol, u32)> {
    let rest = lines.rest(place)?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, arguments) = rest.split_at_checked(length)?;
    if !name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return None;
    }
    let mut open = 0;
    for (i, byte) in arguments.iter().enumerate() {
        match byte {
            b' ' | b'\t' if open == 0 => {}
            b'(' => open += 1,
            b')' if open == 1 => {
                let name = Symbol::new(&String::from_utf8_lossy(name));
                return Some((name, place.column + (length + i) as u32));
            }
            b')' => open -= 1,
            _ if open == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::SourceMap;

    #[test]
    fn calls_are_found_with_their_ends() {
        let mut sources = SourceMap::new();
        let text = sources.add("t.i", b"  x = f (a, (b)) + g();\n".to_vec());
        let lines = Lines::new(&sources, &[text]);
        let at = |column| call_at(&lines, Place { file: Symbol::new("t.i"), line: 1, column });
        assert_eq!(at(7), Some((Symbol::new("f"), 16)));
        assert_eq!(at(20), Some((Symbol::new("g"), 22)));
        assert_eq!(at(3), None);
        assert_eq!(at(13), None);
        assert_eq!(at(99), None);
    }
}
