//! From a model of a path's formula to the execution that it stands for.

use crate::model::{Model, ModelBlock};
use crate::path::PathFormula;
use crate::walk::{Values, through_block};
use engine::{Reason, Trace, Verdict};
use faults::Fault;
use ir::LocationKind;
use solver::Smt;
use std::cell::RefCell;
use std::collections::BTreeMap;
use term::eval::Evaluator;
use term::{Function, Op, Term, Value};

/// The verdict for a path to an error location that can be taken: its execution, read from the model that the solver has of
/// its formula.
pub fn execution(
    model: &Model<'_>,
    smt: &mut dyn Smt,
    blocks: &[&ModelBlock],
    formula: &PathFormula,
) -> Result<Verdict, Reason> {
    let Some(end) = blocks.last() else { return Err(Reason::Internal("a path to an error has no block".into())) };
    let end = model.cfa.location(end.to());
    let property = match end.kind {
        LocationKind::Error(property) => property,
        LocationKind::Unsupported(what) => {
            return Ok(Verdict::Unknown(Reason::Unsupported { what, place: end.place }));
        }
        LocationKind::Plain | LocationKind::End => {
            return Err(Reason::Internal("a path does not end with an error".into()));
        }
    };
    let mut values = Values::default();
    for variable in term::free::variables(formula.parts.iter().copied()) {
        let plain = variable.at_instance(0);
        if variable == PathFormula::initially(plain)
            && let Some(value) = smt.value(variable)
        {
            values.insert(plain, value);
        }
    }
    let initial: Vec<(Term, Value)> = values.iter().map(|(variable, value)| (*variable, value.clone())).collect();
    let smt = RefCell::new(smt);
    let applied: RefCell<BTreeMap<(Function, Vec<Value>), Value>> = RefCell::default();
    let functions = |function: &Function, arguments: &[Value]| {
        let constants: Vec<Term> = arguments.iter().cloned().map(Term::constant).collect();
        let application = Term::new(Op::Apply(function.clone()), &constants);
        let value = smt.borrow_mut().value(application).or_else(|| Value::zero(function.result))?;
        applied.borrow_mut().insert((function.clone(), arguments.to_vec()), value.clone());
        Some(value)
    };
    let mut steps = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let mut value = |term| smt.borrow_mut().value(term);
        let walked = through_block(model.cfa, model.procedure, block, number, values, &mut value, &functions);
        let (more, after) = walked.ok_or_else(|| lost(formula.parts.iter().copied()))?;
        steps.extend(more);
        if faults::is(Fault::StaleModel) {
            steps
                .iter_mut()
                .flat_map(|step| &mut step.values)
                .for_each(|value| *value = Value::zero(value.sort()).unwrap_or(value.clone()));
        }
        values = after;
    }
    // The execution is checked against the axioms: it must tell what they ask.
    for axiom in model.axioms {
        Evaluator::new(&|_| None).with_functions(&functions).value(*axiom);
    }
    let functions = applied.into_inner().into_iter().map(|((function, on), value)| (function, on, value)).collect();
    Ok(Verdict::False(Trace { property, initial, memory: Vec::new(), functions, steps }))
}

/// Why a model does not lead through its path: what stands below a binder may have no value that could be computed.
pub fn lost(formulas: impl IntoIterator<Item = Term>) -> Reason {
    let parts = term::visit::post_order(formulas);
    match parts.into_iter().any(|part| !term::visit::bound(part).is_empty()) {
        true => Reason::NoProgress("a violation depends on a quantifier that cannot be evaluated".into()),
        false => Reason::Internal("a model does not lead through its path".into()),
    }
}
