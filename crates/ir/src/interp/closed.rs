//! Executions that leave nothing open.
//!
//! [`Closed`] answers only what makes no difference: what a havoc gives to a variable that nobody reads before it is written again, as it
//! is with results that are not used; and what a map holds at first that the program only writes to, as it does with the sizes of
//! objects where no property is about them. (The interpreter stops at an access to an object that got no size.) So if an
//! execution with it comes to its end, all executions of the program are that one, up to values that change nothing.

use super::choices::{At, ChoiceError, Choices, Chosen};
use crate::{Cfa, EdgeId, LocId, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::FxHashSet;
use term::{Function, Op as TermOp, SortKind, Term, Value, free};

/// Refuses whatever could make a difference.
pub struct Closed {
    /// Havocs of local variables that make none.
    unnoticed: FxHashSet<(ProcId, EdgeId, Term)>,
    /// Maps that are only written to.
    written: FxHashSet<Term>,
}

impl Closed {
    pub fn new(program: &Program) -> Closed {
        let mut unnoticed = FxHashSet::default();
        for (procedure, id) in program.procedures.iter().zip(0..) {
            let Ok(cfa) = &procedure.body else { continue };
            let locals: FxHashSet<Term> = procedure.locals.iter().map(|local| local.term).collect();
            for (edge, found) in cfa.edges() {
                let Op::Havoc(variables) = &found.op else { continue };
                let unread =
                    variables.iter().filter(|v| locals.contains(v) && is_unread(procedure, cfa, found.to, **v));
                unnoticed.extend(unread.map(|variable| (ProcId(id), edge, *variable)));
            }
        }
        let maps = program.globals.iter().map(|global| global.term);
        let maps = maps.filter(|map| matches!(map.sort().kind(), SortKind::Array(..)));
        Closed { unnoticed, written: maps.filter(|map| is_only_written(program, *map)).collect() }
    }
}

/// Whether a map occurs only where elements of it are replaced.
fn is_only_written(program: &Program, map: Term) -> bool {
    let mentions = |term: Term| free::variables([term]).contains(&map);
    let replaces = |mut value: Term| {
        while let (TermOp::Store, [below, index, element]) = (value.op(), value.args()) {
            if mentions(*index) || mentions(*element) {
                return false;
            }
            value = *below;
        }
        value == map || !mentions(value)
    };
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
    let mut ops = bodies.flat_map(Cfa::edges).map(|(_, edge)| &edge.op);
    let is_fine = |op: &Op| match op {
        Op::Assign(pairs) => {
            pairs.iter().all(|(to, value)| if *to == map { replaces(*value) } else { !mentions(*value) })
        }
        other => !other.reads().into_iter().any(mentions),
    };
    ops.all(is_fine) && !program.axioms.iter().copied().any(mentions)
}

/// Whether control that comes to a location writes a local variable before it reads it, or leaves the procedure without it.
fn is_unread(procedure: &Procedure, cfa: &Cfa, from: LocId, variable: Term) -> bool {
    let is_result = procedure.results.iter().any(|result| result.term == variable);
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut waiting = vec![from];
    while let Some(location) = waiting.pop() {
        if !seen.insert(location) {
            continue;
        }
        if is_result && location == cfa.exit() {
            return false;
        }
        for edge in cfa.outgoing(location) {
            let edge = cfa.edge(*edge);
            if free::variables(edge.op.reads()).contains(&variable) {
                return false;
            }
            if !edge.op.writes().contains(&variable) {
                waiting.push(edge.to);
            }
        }
    }
    true
}

fn refuse<T>() -> Chosen<T> {
    Err(ChoiceError::Exhausted)
}

impl Choices for Closed {
    fn initial(&mut self, variable: &Variable, _: &At) -> Chosen<Value> {
        let any = self.written.contains(&variable.term).then(|| Value::zero(variable.sort()));
        any.flatten().ok_or(ChoiceError::Exhausted)
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let is_unnoticed = at.edge.is_some_and(|edge| self.unnoticed.contains(&(at.procedure, edge, variable.term)));
        is_unnoticed.then(|| Value::zero(variable.sort())).flatten().ok_or(ChoiceError::Exhausted)
    }

    fn result(&mut self, _: ProcId, _: &Variable, _: &At) -> Chosen<Value> {
        refuse()
    }

    fn branch(&mut self, _: &[EdgeId], _: &At) -> Chosen<usize> {
        refuse()
    }

    fn schedule(&mut self, _: &[u32], _: &At) -> Chosen<usize> {
        refuse()
    }

    fn bytes(&mut self, _: u32, _: u64, _: &mut [u8]) -> Chosen<()> {
        refuse()
    }

    fn pointer(&mut self, _: u32, _: u64, _: u32) -> Chosen<Option<Value>> {
        refuse()
    }

    fn address(&mut self, _: u32, _: u64, _: u64) -> Chosen<u64> {
        refuse()
    }

    fn apply(&mut self, _: &Function, _: &[Value]) -> Chosen<Value> {
        refuse()
    }
}
