//! Bodies that calls share, as a proof lists them.
//!
//! Each body is that of its calls' procedure and comes after the bodies of these calls, so that there are no cycles. No execution
//! may pass two calls of the same body: for then it could have only one value where the execution has two, and the formula of all bodies
//! would leave executions out.

use crate::invariants::Rejected;
use engine::Inlined;
use ir::{Cfa, EdgeId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// A call: the number of the body that it is in, and its edge.
type Place = (usize, EdgeId);

/// Checks that bodies belong to their calls.
pub fn check(program: &Program, bodies: &[Inlined]) -> Result<(), Rejected> {
    let incomplete = |what: &str| Err(Rejected::NotComplete(what.to_string()));
    match bodies.first() {
        Some(first) if first.procedure == program.entry => {}
        _ => return incomplete("the first body is not the entry's"),
    }
    let mut cfas: Vec<&Cfa> = Vec::new();
    let mut calls: Vec<Vec<Place>> = vec![Vec::new(); bodies.len()];
    for (number, body) in bodies.iter().enumerate() {
        let Ok(cfa) = &program.procedure(body.procedure).body else {
            return incomplete("a procedure without a body is inlined");
        };
        cfas.push(cfa);
        let mut edges: FxHashSet<EdgeId> = FxHashSet::default();
        for (edge, callee) in &body.calls {
            let Some(inlined) = bodies.get(*callee) else { return incomplete("a body is not there") };
            let fits = (edge.0 as usize) < cfa.edge_count()
                && matches!(cfa.edge(*edge).op, Op::Call { procedure, .. } if procedure == inlined.procedure);
            if !fits || *callee <= number || !edges.insert(*edge) {
                return incomplete("a body does not belong to its call");
            }
            calls[*callee].push((number, *edge));
        }
    }
    if calls.iter().skip(1).any(Vec::is_empty) {
        return incomplete("nothing calls a body");
    }
    let mut order = Order { cfas, calls: &calls, together: FxHashMap::default(), behind: FxHashMap::default() };
    for calls in &calls {
        for (number, one) in calls.iter().enumerate() {
            if calls[number + 1..].iter().any(|other| order.may_be_together(*one, *other)) {
                return incomplete("an execution may pass two calls that share a body");
            }
        }
    }
    Ok(())
}

/// Finds out which calls an execution can pass one after the other.
struct Order<'a> {
    cfas: Vec<&'a Cfa>,
    calls: &'a [Vec<Place>],
    together: FxHashMap<(Place, Place), bool>,
    behind: FxHashMap<(usize, EdgeId), FxHashSet<EdgeId>>,
}

impl Order<'_> {
    /// Whether an execution may pass both calls. The later of two bodies cannot be around the other one.
    fn may_be_together(&mut self, one: Place, other: Place) -> bool {
        let (early, late) = (one.min(other), one.max(other));
        if early == late {
            return true;
        }
        if early.0 == late.0 {
            return self.is_behind(early, late.1) || self.is_behind(late, early.1);
        }
        if let Some(known) = self.together.get(&(early, late)) {
            return *known;
        }
        let calls = self.calls;
        let may = calls[late.0].iter().any(|call| self.may_be_together(early, *call));
        self.together.insert((early, late), may);
        may
    }

    /// Whether an edge of the same body can come after a call.
    fn is_behind(&mut self, call: Place, edge: EdgeId) -> bool {
        let cfa = self.cfas[call.0];
        let behind = self.behind.entry(call).or_insert_with(|| {
            let mut found = FxHashSet::default();
            let mut pending = vec![cfa.edge(call.1).to];
            while let Some(location) = pending.pop() {
                for edge in cfa.outgoing(location) {
                    if found.insert(*edge) {
                        pending.push(cfa.edge(*edge).to);
                    }
                }
            }
            found
        });
        behind.contains(&edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "procedure main() {\nentry -> L: call f()\nL -> exit: call f()\nentry -> exit: call f()\n\
        entry -> M: call g()\nM -> exit: call f()\n}\nprocedure f() {\nentry -> exit\n}\n\
        procedure g() {\nentry -> exit: call f()\n}\n";

    fn checked(main: &[(u32, usize)], others: &[(&str, &[(u32, usize)])]) -> Result<(), Rejected> {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let named = |name: &str| {
            let mut procedures = program.procedures();
            procedures.find(|(_, p)| p.name.as_str() == name).map(|(id, _)| id).unwrap_or_else(|| panic!("{name}"))
        };
        let body = |name: &str, calls: &[(u32, usize)]| Inlined {
            procedure: named(name),
            calls: calls.iter().map(|(edge, number)| (EdgeId(*edge), *number)).collect(),
        };
        let bodies: Vec<Inlined> =
            [("main", main)].iter().chain(others).map(|(name, calls)| body(name, calls)).collect();
        check(&program, &bodies)
    }

    /// Edges 0 and 1 follow each other, 2 is an alternative to both, and 4 follows 3, which calls f by way of g.
    #[test]
    fn calls_share_a_body_only_if_no_execution_passes_both() {
        assert!(checked(&[(0, 1), (2, 1)], &[("f", &[])]).is_ok());
        assert!(checked(&[(0, 1), (1, 1)], &[("f", &[])]).is_err());
        assert!(checked(&[(0, 1), (1, 2), (2, 2)], &[("f", &[]), ("f", &[])]).is_ok());
        assert!(checked(&[(3, 1), (0, 2)], &[("g", &[(0, 2)]), ("f", &[])]).is_ok());
        assert!(checked(&[(3, 1), (4, 2)], &[("g", &[(0, 2)]), ("f", &[])]).is_err());
        assert!(checked(&[(3, 2), (4, 1)], &[("f", &[]), ("g", &[(0, 1)])]).is_err());
    }
}
