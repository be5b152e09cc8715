//! Programs that might run for ever and have lost memory by then.
//!
//! `valid-memtrack` asks that memory is never lost, also by an execution that never ends. It is checked where programs end, for
//! what was lost before is lost there, too. That says nothing about executions that do not come there, so that it is
//! enough only for programs that make no dynamic objects, or that surely end: without loops, recursion and threads, or because
//! a proof looked at all their executions to the end.

use engine::Proof;
use ir::{Edge, LocId, Op, ProcId, Program, memory};
use std::collections::HashMap;

/// Whether an execution that never ends could lose dynamic objects.
pub fn may_lose_memory(program: &Program) -> bool {
    let edges = || program.procedures.iter().filter_map(|p| p.body.as_ref().ok()).flat_map(|cfa| cfa.edges());
    edges().any(|(_, edge)| makes_dynamic(edge)) && may_run_for_ever(program)
}

/// Whether a proof shows that all executions end: it made the only one, or it unwound them until none goes on.
pub fn shows_end(proof: &Proof) -> bool {
    matches!(proof, Proof::Executed { .. } | Proof::Unwound { by_induction: false, .. })
}

/// Whether a proof shows that no dynamic object is ever lost: wherever executions come again and again, something that is read later
/// leads to each. One graph is that of the beginning, when nothing is known yet.
pub fn shows_kept(proof: &Proof) -> bool {
    matches!(proof, Proof::Shapes(shapes) if shapes.iter().filter(|shape| shape.graph.lost).count() <= 1)
}

/// Whether the edge says of an object that it is dynamic.
pub fn makes_dynamic(edge: &Edge) -> bool {
    let Op::Assign(pairs) = &edge.op else { return false };
    pairs.iter().any(|(variable, value)| {
        let is_stored = value.op() == &term::Op::Store && value.args()[2].as_bool() != Some(false);
        *variable == memory::dynamic() && is_stored
    })
}

/// Whether control flow from the entry has a cycle, through loops or calls, or starts threads, which may wait.
fn may_run_for_ever(program: &Program) -> bool {
    /// Where a search is: a location, and how many of its successors are done.
    type Visit = ((ProcId, LocId), usize);
    let entry = |procedure: ProcId| Some((procedure, program.procedure(procedure).body.as_ref().ok()?.entry()));
    let successors = |(procedure, location): (ProcId, LocId)| -> Vec<(ProcId, LocId)> {
        let Ok(cfa) = &program.procedure(procedure).body else { return Vec::new() };
        let leaving = cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge));
        let called = |edge: &Edge| match edge.op {
            Op::Call { procedure, .. } => entry(procedure),
            _ => None,
        };
        leaving.flat_map(|edge| [Some((procedure, edge.to)), called(edge)]).flatten().collect()
    };
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
    if bodies.flat_map(|cfa| cfa.edges()).any(|(_, edge)| matches!(edge.op, Op::Spawn { .. })) {
        return true;
    }
    // Locations that were met, and whether they are still on the way from the entry to here.
    let mut on_the_way: HashMap<(ProcId, LocId), bool> = HashMap::new();
    let mut visits: Vec<Visit> = entry(program.entry).map(|start| (start, 0)).into_iter().collect();
    while let Some((here, done)) = visits.last_mut() {
        let (here, number) = (*here, *done);
        *done += 1;
        on_the_way.insert(here, true);
        match successors(here).get(number) {
            None => {
                on_the_way.insert(here, false);
                visits.pop();
            }
            Some(next) => match on_the_way.get(next) {
                Some(true) => return true,
                Some(false) => {}
                None => visits.push((*next, 0)),
            },
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: bool) {
        let text = format!(
            "global $dynamic: (Array (_ BitVec 32) Bool)\nprocedure f() {{\n entry -> exit\n}}\n\
             procedure r() {{\n entry -> exit: call r()\n}}\nprocedure main() {{\n{body}\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        assert_eq!(may_lose_memory(&program), expected, "{text}");
    }

    #[test]
    fn dynamic_objects_and_cycles() {
        let make = "entry -> L2: $dynamic := (store $dynamic #x00000007 true)\n";
        check("entry -> exit", false);
        check("entry -> L2\nL2 -> L2\nL2 -> exit", false);
        check("entry -> L2: $dynamic := (store $dynamic #x00000007 false)\nL2 -> L2\nL2 -> exit", false);
        check(&format!("{make}L2 -> exit"), false);
        check(&format!("{make}L2 -> L3: call f()\nL3 -> exit: call f()"), false);
        check(&format!("{make}L2 -> L3\nL2 -> L4\nL3 -> L5\nL4 -> L5\nL5 -> exit"), false);
        check(&format!("{make}L2 -> L2\nL2 -> exit"), true);
        check(&format!("{make}L2 -> L3\nL3 -> L2\nL2 -> exit"), true);
        check(&format!("{make}L2 -> exit: call r()"), true);
        check(&format!("local t: bv32\n{make}L2 -> exit: t := spawn f()"), true);
    }
}
