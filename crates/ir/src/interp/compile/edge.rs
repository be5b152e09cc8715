//! The code of single edges.

use super::unit::{Stale, Unit};
use super::{Compiler, Fixup};
use crate::interp::code::{CallSite, Havoc, Operand, Pc};
use crate::interp::instr::Instr;
use crate::interp::layout::Home;
use crate::{Cfa, EdgeId, Op, ProcId};
use term::Term;

impl Compiler<'_> {
    /// Compiles what an edge does, if it does anything, and the step to the next location.
    pub(super) fn edge(&mut self, cfa: &Cfa, id: EdgeId) {
        let edge = cfa.edge(id);
        self.mark(edge.from, Some(id));
        let done = Instr::Done { edge: id, to: Pc::MAX };
        let at = match &edge.op {
            Op::Assign(pairs) => self.assign(pairs, &[done]),
            Op::Assume(_) => self.push(done),
            Op::Havoc(variables) => {
                let known = |v: &Term| Some((self.declared(*v)?, self.home(*v)?));
                let variables = variables.iter().filter_map(known).collect();
                self.code.havocs.push(Havoc { variables });
                let k = self.code.havocs.len() as u32 - 1;
                self.push(Instr::Havoc { k });
                self.push(done)
            }
            Op::Call { procedure, arguments, results } => {
                let k = self.call_site(id, *procedure, arguments, results);
                self.call(arguments, k, Instr::Call { k: k as u32 });
                return self.fixups.push((Fixup::Call(k), edge.to));
            }
            Op::Spawn { procedure, arguments, thread } => {
                let k = self.call_site(id, *procedure, arguments, &[*thread]);
                self.call(arguments, k, Instr::Spawn { k: k as u32 });
                self.push(done)
            }
            Op::AtomicBegin => {
                self.push(Instr::AtomicBegin);
                self.push(done)
            }
            Op::AtomicEnd => {
                self.push(Instr::AtomicEnd);
                self.push(done)
            }
        };
        self.fixups.push((Fixup::Done(at as usize), edge.to));
    }

    fn push(&mut self, instr: Instr) -> Pc {
        self.code.instrs.push(instr);
        self.code.instrs.len() as Pc - 1
    }

    fn call_site(&mut self, edge: EdgeId, callee: ProcId, arguments: &[Term], results: &[Term]) -> usize {
        let unknown = |a: &Term| Operand { home: Home::Memory, sort: a.sort() };
        self.code.calls.push(CallSite {
            callee,
            arguments: arguments.iter().map(unknown).collect(),
            results: results.iter().map(|r| self.operand_of(*r)).collect(),
            boxes: Vec::new(),
            exit: Compiler::exit(edge),
        });
        self.code.calls.len() - 1
    }

    /// Computes the arguments of a call site and enters the callee. It also empties the temporary boxes, since the arguments
    /// may lie there.
    fn call(&mut self, arguments: &[Term], k: usize, instr: Instr) {
        let mut unit = Unit::new(self, arguments.iter().copied());
        let operands: Result<Vec<Operand>, Stale> = arguments.iter().map(|a| unit.operand(*a)).collect();
        // Nothing changes in place here, so nothing can be stale.
        if let Ok(operands) = operands {
            let boxes = unit.take_boxes();
            let site = &mut unit.compiler.code.calls[k];
            (site.arguments, site.boxes) = (operands, boxes);
            let finished = unit.finish(&[instr]);
            debug_assert!(finished.is_ok());
        }
    }
}
