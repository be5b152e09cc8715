//! From a model of a path formula to one path of the program: the lift of summary edges.
//!
//! A block stands for many paths; the model's values decide which one was taken. The block is executed on these values, with
//! the inputs as the model has them. Where several edges can be taken, the search goes back if one leads nowhere, or to other
//! values behind the block than the model has there.

use crate::model::ModelBlock;
use crate::path::PathFormula;
use engine::Step;
use ir::{Cfa, EdgeId, LocId, Op, ProcId};
use pass::Input;
use rustc_hash::FxHashMap;
use term::eval::{Evaluator, Interpretation};
use term::{Sort, Term, Value};

/// The values of variables while a path is walked.
pub type Values = FxHashMap<Term, Value>;

/// Walks one block; `block_number` is its position in the path. `None` if the values do not lead through it, which never
/// happens with those of a model.
pub fn through_block(
    cfa: &Cfa,
    procedure: ProcId,
    block: &ModelBlock,
    block_number: usize,
    values: Values,
    model: &mut dyn FnMut(Term) -> Option<Value>,
    functions: Interpretation<'_>,
) -> Option<(Vec<Step>, Values)> {
    let ModelBlock { block, op } = block;
    let expected: Values = op
        .iter()
        .flat_map(|op| op.update().keys())
        .filter_map(|variable| Some((*variable, model(PathFormula::written(*variable, block_number))?)))
        .collect();
    let mut leaving: FxHashMap<LocId, Vec<EdgeId>> = FxHashMap::default();
    for id in &block.edges {
        leaving.entry(cfa.edge(*id).from).or_default().push(*id);
    }
    // Two values of an array may be equal though they do not look so: the first way through is better than none.
    let mut first_way = None;
    // The places still to be tried, each with the values there and the steps that led to it.
    let mut pending = vec![(block.from, values, Vec::new())];
    while let Some((location, values, steps)) = pending.pop() {
        for id in leaving.get(&location).into_iter().flatten().rev() {
            let edge = cfa.edge(*id);
            let mut input = |position, sort: Sort| {
                let variable = Input::Havoc { edge: *id, position }.variable(sort);
                model(PathFormula::input(variable, block_number))
            };
            let Some((after, chosen)) = execute(&edge.op, &values, &mut input, functions) else { continue };
            let mut steps = steps.clone();
            steps.push(Step { thread: 0, procedure, edge: *id, values: chosen, locals: Vec::new() });
            if edge.to != block.to {
                pending.push((edge.to, after, steps));
            } else if expected.iter().all(|(variable, value)| value_of(&after, *variable).as_ref() == Some(value)) {
                return Some((steps, after));
            } else if first_way.is_none() {
                first_way = Some((steps, after));
            }
        }
    }
    first_way
}

/// The values after an operation, and those that it chose. `None` if it cannot be taken.
fn execute(
    op: &Op,
    values: &Values,
    input: &mut dyn FnMut(usize, Sort) -> Option<Value>,
    functions: Interpretation<'_>,
) -> Option<(Values, Vec<Value>)> {
    let assignment = |term: Term| if term.is_var() { value_of(values, term) } else { None };
    let value = |term: Term| Evaluator::new(&assignment).with_functions(functions).value(term);
    let mut after = values.clone();
    let mut chosen = Vec::new();
    match op {
        Op::Assign(pairs) => {
            for (variable, term) in pairs {
                after.insert(*variable, value(*term)?);
            }
        }
        Op::Assume(condition) => {
            if !value(*condition)?.as_bool()? {
                return None;
            }
        }
        Op::Havoc(variables) => {
            for (position, variable) in variables.iter().enumerate() {
                let value = input(position, variable.sort()).or_else(|| Value::zero(variable.sort()))?;
                after.insert(*variable, value.clone());
                chosen.push(value);
            }
        }
        Op::AtomicBegin | Op::AtomicEnd => {}
        Op::Call { .. } | Op::Spawn { .. } => return None,
    }
    Some((after, chosen))
}

/// A variable that the path formula does not speak of may have any value: zero.
fn value_of(values: &Values, variable: Term) -> Option<Value> {
    values.get(&variable).cloned().or_else(|| Value::zero(variable.sort()))
}
