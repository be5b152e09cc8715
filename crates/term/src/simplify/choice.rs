//! Moving operators into the branches of `ite` where that leaves no more nodes.

use crate::visit::bound;
use crate::{Op, Term, build};

/// `op(.., ite(c, a, b), ..)` as `ite(c, op(.., a, ..), op(.., b, ..))`, if one of the branches becomes a constant or a
/// variable, or something that was there before. Other arguments are constants or ask for the same condition.
pub(super) fn lifted(term: Term) -> Option<Term> {
    let unfit = matches!(term.op(), Op::Ite | Op::And | Op::Or | Op::Not) || !bound(term).is_empty();
    if unfit || term.args().len() > 3 {
        return None;
    }
    let condition = term.args().iter().find(|a| *a.op() == Op::Ite)?.args()[0];
    let branch = |holds: bool| {
        let args: Option<Vec<Term>> = term
            .args()
            .iter()
            .map(|a| match (a.op(), a.args()) {
                (Op::Ite, [c, then, other]) if *c == condition => Some(if holds { *then } else { *other }),
                (Op::Const(_), _) => Some(*a),
                _ => None,
            })
            .collect();
        Some(build::make(term.op(), &args?))
    };
    let (then, other) = (branch(true)?, branch(false)?);
    let grandchildren = || term.args().iter().flat_map(|a| a.args());
    let is_simple = |t: Term| t.args().is_empty() || grandchildren().any(|g| *g == t);
    (is_simple(then) || is_simple(other)).then(|| build::ite(condition, then, other))
}
