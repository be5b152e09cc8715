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
    /// Where it is called.
    pub place: Place,
    /// The column of the parenthesis that closes the call in the user's own file; nothing where a macro hides the call.
    pub end_column: Option<u32>,
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
        let Some(function) = call_at(&self.lines, place) else { return };
        // In a function of the library that is expanded, one that is no number of C's decides what it does.
        let is_number = value.as_bv().is_some_and(|n| matches!(n.width(), 8 | 16 | 32 | 64 | 128)) || !is_bits(value);
        if matches!(edge.op, Op::Havoc(_)) && !function.as_str().starts_with("__VERIFIER_nondet") && !is_number {
            return;
        }
        let caller = self.program.procedure(at.procedure).name;
        let end_column = self.lines.row(place).and_then(|row| written(row.as_str().as_bytes(), function, place.column));
        self.inputs.push(Input { thread: at.thread, function, caller, place, end_column, value: value.clone() });
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

/// Whether a value is a truth value, or bits that need not be as many as a type of C has.
fn is_bits(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Bv(_))
}

/// The function that is called at a place of the text; nothing if there is no call, or one that does not end in its line.
fn call_at(lines: &Lines, place: Place) -> Option<Symbol> {
    let mut calls = lines.rests(place).filter_map(call);
    let (first, _) = calls.next()?;
    calls.all(|(name, _)| name == first).then(|| Symbol::new(&String::from_utf8_lossy(first)))
}

/// The column of the parenthesis that closes the call of a function in a line: at a column, or the only one that there is.
fn written(row: &[u8], function: Symbol, column: u32) -> Option<u32> {
    let name = function.as_str().as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_start = |at: &usize| row[*at..].starts_with(name) && !at.checked_sub(1).is_some_and(|at| is_word(&row[at]));
    let ends: Vec<(usize, usize)> = (0..row.len())
        .filter(is_start)
        .filter_map(|at| call(&row[at..]).filter(|(found, _)| *found == name).map(|(_, length)| (at, at + length)))
        .collect();
    let exact = ends.iter().find(|(at, _)| *at + 1 == column as usize);
    let only = ends.first().filter(|_| ends.len() == 1);
    exact.or(only).map(|(_, end)| *end as u32)
}

/// The name of the function that is called where a text begins, and where the call ends.
fn call(rest: &[u8]) -> Option<(&[u8], usize)> {
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
            b')' if open == 1 => return Some((name, length + i + 1)),
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
        let row = b"  x = f (a, (b)) + g();\n";
        let text = sources.add("t.i", row.to_vec());
        let lines = Lines::new(&sources, &[text]);
        let at = |column| call_at(&lines, Place { file: Symbol::new("t.i"), line: 1, column });
        let check = |column, name: Option<&str>, end: Option<u32>| {
            assert_eq!(at(column), name.map(Symbol::new));
            assert_eq!(name.and_then(|name| written(row, Symbol::new(name), column)), end);
        };
        check(7, Some("f"), Some(16));
        check(20, Some("g"), Some(22));
        check(3, None, None);
        check(13, None, None);
        check(99, None, None);
        // Where a macro was expanded, columns are not those of the file.
        assert_eq!(written(b"x = MIN(g(), 1);", Symbol::new("g"), 40), Some(11));
        assert_eq!(written(b"x = MIN(g(), g());", Symbol::new("g"), 40), None);
        assert_eq!(written(b"x = MIN(gg(), 1);", Symbol::new("g"), 40), None);
    }
}
