//! Which globals procedures may change, with all that they call.

use ir::{Cfa, Op, ProcId, Program};
use rustc_hash::FxHashSet;
use term::Term;

#[derive(Clone)]
pub struct Effects {
    globals: FxHashSet<Term>,
    changed: Vec<FxHashSet<Term>>,
}

impl Effects {
    pub fn of(program: &Program) -> Effects {
        let globals: FxHashSet<Term> = program.globals.iter().map(|global| global.term).collect();
        let edges = |procedure: &ir::Procedure| -> Vec<Op> {
            procedure.body.iter().flat_map(Cfa::edges).map(|(_, edge)| edge.op.clone()).collect()
        };
        let all: Vec<Vec<Op>> = program.procedures.iter().map(edges).collect();
        let own = |ops: &Vec<Op>| ops.iter().flat_map(Op::writes).filter(|term| globals.contains(term)).collect();
        let mut changed: Vec<FxHashSet<Term>> = all.iter().map(own).collect();
        let calls = |ops: &Vec<Op>| -> FxHashSet<usize> {
            let callee = |op: &Op| match op {
                Op::Call { procedure, .. } | Op::Spawn { procedure, .. } => Some(procedure.0 as usize),
                _ => None,
            };
            ops.iter().filter_map(callee).collect()
        };
        let calls: Vec<FxHashSet<usize>> = all.iter().map(calls).collect();
        let mut grew = true;
        while std::mem::take(&mut grew) {
            for caller in (0..calls.len()).rev() {
                for callee in &calls[caller] {
                    let new: Vec<Term> = changed[*callee].difference(&changed[caller]).copied().collect();
                    grew |= !new.is_empty();
                    changed[caller].extend(new);
                }
            }
        }
        Effects { globals, changed }
    }

    pub fn globals(&self) -> &FxHashSet<Term> {
        &self.globals
    }

    /// The globals that a call may change.
    pub fn of_call(&self, callee: ProcId) -> &FxHashSet<Term> {
        &self.changed[callee.0 as usize]
    }
}
