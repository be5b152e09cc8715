//! Refinement: is the path to an error location feasible, and if not, which predicates exclude it? (Section II.C)

use crate::art::NodeId;
use crate::path::PathFormula;
use crate::walk::{Values, through_block};
use crate::{Search, solver_reason};
use engine::{Reason, Trace, Verdict};
use ir::LocationKind;
use solver::{Limits, Profile, Smt, Statistics, Z3};
use term::build::{falsehood, truth};
use term::{Op, Term};

/// What came of a path to an error location.
pub enum Refinement {
    /// The path can be taken.
    Feasible(Verdict),
    /// It cannot, and the precision now tells why.
    Refined,
}

/// The solvers that refinement uses.
pub struct Interpolator {
    smt: Z3,
}

impl Interpolator {
    pub fn new(limits: Limits) -> Interpolator {
        let mut smt = Z3::new(Profile::default());
        smt.set_limits(limits);
        Interpolator { smt }
    }

    pub fn statistics(&self) -> &Statistics {
        self.smt.statistics()
    }
}

/// Decides the path to `error`. If it is infeasible, the precision grows and the tree loses the affected part.
pub fn refine(search: &mut Search<'_>, error: NodeId) -> Result<Refinement, Reason> {
    search.refinements += 1;
    let path = search.art.path(error);
    let blocks: Vec<(NodeId, usize)> = path[1..].iter().filter_map(|node| search.art.node(*node).parent).collect();
    let model = search.model;
    let block = |(node, number): &(NodeId, usize)| &model.outgoing(search.art.node(*node).location)[*number];
    let blocks: Vec<_> = blocks.iter().map(block).collect();
    let formula = PathFormula::new(blocks.iter().filter_map(|block| block.op.as_ref()));

    let smt = &mut search.interpolator.smt;
    smt.push();
    for part in &formula.parts {
        smt.assert(*part);
    }
    let feasible = smt.check().decided();
    if let Ok(true) = feasible {
        let mut values = Values::default();
        let mut initial = Vec::new();
        let variables = term::free::variables(formula.parts.iter().copied());
        for variable in variables.into_iter().filter(|v| *v == PathFormula::initially(v.at_instance(0))) {
            if let Some(value) = smt.value(variable) {
                let variable = variable.at_instance(0);
                values.insert(variable, value.clone());
                initial.push((variable, value));
            }
        }
        let mut steps = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            let walked =
                through_block(model.cfa, model.procedure, &block.block, number, values, &mut |t| smt.value(t));
            let Some((more, after)) = walked else {
                smt.pop();
                return Err(Reason::Internal("a model does not lead through its path".into()));
            };
            steps.extend(more);
            values = after;
        }
        smt.pop();
        let location = search.art.node(error).location;
        let verdict = match model.cfa.location(location).kind {
            LocationKind::Error(property) => Verdict::False(Trace { property, initial, memory: Vec::new(), steps }),
            LocationKind::Unsupported(what) => {
                Verdict::Unknown(Reason::Unsupported { what, place: model.cfa.location(location).place })
            }
            LocationKind::Plain | LocationKind::End => unreachable!("only paths to errors are refined"),
        };
        return Ok(Refinement::Feasible(verdict));
    }
    smt.pop();
    feasible.map_err(solver_reason)?;

    let interpolants = solver::interpolate(smt, &formula.parts).map_err(solver_reason)?;
    let mut pivot = None;
    for (number, interpolant) in interpolants.into_iter().enumerate() {
        let location = search.art.node(path[number + 1]).location;
        for atom in atoms(formula.to_program(interpolant, number)) {
            let predicate = search.predicates.number(atom);
            if search.precision.add(location, predicate) && pivot.is_none() {
                pivot = Some(path[number + 1]);
            }
        }
    }
    match pivot {
        Some(pivot) => search.art.remove_subtree(pivot),
        None => return Err(Reason::NoProgress("the predicates of an infeasible path are tracked already".into())),
    }
    Ok(Refinement::Refined)
}

/// The atoms of a formula: its largest parts that are not built by a Boolean connective.
fn atoms(formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        let connective = match term.op() {
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor => true,
            Op::Eq | Op::Ite => term.args()[1].sort().is_bool(),
            _ => false,
        };
        if connective {
            stack.extend(term.args());
        } else if term != truth() && term != falsehood() && !found.contains(&term) {
            found.push(term);
        }
    }
    found
}
