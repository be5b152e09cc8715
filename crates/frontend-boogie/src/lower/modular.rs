//! The modular view of a program: every implementation by itself, with contracts in the place of what it calls and with
//! loops cut at their invariants. It is what Boogie verifies, and what tells which candidates hold.
//!
//! Constants that are to be inferred (`{:existential true}`) are globals that never change. An assertion counts only if it
//! mentions one of them; executions end where others fail.

use super::context::{Lowered, Lowering};
use super::cut::cut_loops;
use super::define::Instance;
use super::first::choose_first_values;
use super::writer::{EXIT, Frame};
use crate::Candidates;
use crate::hir::{Function, ProcedureId};
use ir::{Op, ProcId, Program};
use rustc_hash::FxHashSet;
use source::Span;
use term::build::{falsehood, truth};
use term::free::variables;
use term::{Sort, Term};

/// How a procedure is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// With its implementation, if there is one.
    Body,
    /// Only what its contract says.
    Contract,
}

impl Lowering<'_> {
    /// How procedures are read that are called.
    pub fn reading_of_calls(&self) -> Reading {
        if self.is_modular { Reading::Contract } else { Reading::Body }
    }

    /// What a constant is that is to be inferred.
    pub fn candidate(&mut self, constant: &Function, sort: Sort, span: Span) -> Lowered<Instance> {
        if !constant.parameters.is_empty() || sort != Sort::bool() {
            return self.refuse("a function that is to be inferred", span);
        }
        let name = constant.name;
        let value = match &self.options.candidates {
            Candidates::Dropped => falsehood(),
            Candidates::Kept(kept) if kept.contains(&name) => truth(),
            Candidates::Kept(_) => falsehood(),
            Candidates::Modular => {
                let variable = ir::Variable::internal(name, sort);
                let term = variable.term;
                self.candidates.push(term);
                self.program.globals.push(variable);
                term
            }
        };
        Ok(Instance::Defined(Vec::new(), value))
    }

    /// Whether an assertion counts: with the modular view, only if it mentions a candidate.
    pub fn counts(&self, condition: Term) -> bool {
        !self.is_modular || variables([condition]).iter().any(|variable| self.candidates.contains(variable))
    }

    /// The program that starts with any implementation, in any state that its contract allows.
    pub fn modular(mut self) -> Program {
        let ids = (0..self.unit.procedures.len() as u32).map(ProcedureId);
        let bodies: Vec<ProcedureId> = ids.filter(|id| !self.unit.procedure(*id).implementations.is_empty()).collect();
        let span = self.unit.procedure(self.entry).span;
        if let Err(refused) = self.all_bodies(&bodies, span) {
            self.refused_axioms.push(refused);
        }
        let conditions = self.conditions_of_globals();
        self.lower_axioms();
        let place = Some(self.place(span));
        let name = self.fresh_name("$modular");
        let mut frame = Frame::new(name, place);
        let first = frame.here();
        for (condition, place) in conditions {
            frame.assume(condition, Some(place));
        }
        if let Some(refused) = self.refused_axioms.first().cloned() {
            self.unsupported(&mut frame, refused);
        } else {
            let start = frame.here();
            for procedure in self.modular_bodies.clone() {
                frame.go_on_at(start);
                let called = self.program.procedures[procedure.0 as usize].clone();
                let mut locals = |list: &[ir::Variable]| -> Vec<Term> {
                    list.iter().map(|variable| frame.internal("value", variable.sort())).collect()
                };
                let (arguments, results) = (locals(&called.parameters), locals(&called.results));
                frame.step(Op::Call { procedure, arguments, results }, place);
                let last = frame.here();
                frame.edge(last, Op::skip(), EXIT, place);
            }
        }
        let (locals, body) = frame.finish(Vec::new(), first, place);
        self.program.entry = ProcId(self.program.procedures.len() as u32);
        self.program.procedures.push(ir::Procedure {
            name,
            parameters: Vec::new(),
            variadic: false,
            results: Vec::new(),
            locals,
            body: Ok(body),
            place,
        });
        choose_first_values(&mut self.program);
        self.program
    }

    /// Lowers all implementations, and cuts their loops.
    fn all_bodies(&mut self, bodies: &[ProcedureId], span: Span) -> Lowered<()> {
        for id in bodies {
            if !self.unit.procedure(*id).type_parameters.is_empty() {
                let span = self.unit.procedure(*id).span;
                return self.refuse("a constant that is to be inferred in a program with type parameters", span);
            }
            let number = self.procedure_read(*id, &[], Reading::Body, span)?;
            self.modular_bodies.push(number);
        }
        self.lower_pending();
        if self.threads.is_used {
            return self.refuse("a constant that is to be inferred in a program with threads", span);
        }
        for number in self.modular_bodies.clone() {
            let Ok(cfa) = self.program.procedures[number.0 as usize].body.clone() else { continue };
            let Some(cut) = cut_loops(cfa, &|op| self.writes(op)) else {
                return self
                    .refuse("a constant that is to be inferred in a program with loops of several entries", span);
            };
            self.program.procedures[number.0 as usize].body = Ok(cut);
        }
        Ok(())
    }

    /// What an operation changes, with what contracts allow callees to change.
    fn writes(&self, op: &Op) -> Vec<Term> {
        let mut written = op.writes();
        if let Op::Call { procedure, .. } = op
            && let Ok(cfa) = &self.program.procedure(*procedure).body
        {
            let globals: FxHashSet<Term> = self.program.globals.iter().map(|global| global.term).collect();
            let by_callee = cfa.edges().flat_map(|(_, edge)| edge.op.writes());
            written.extend(by_callee.filter(|variable| globals.contains(variable)));
        }
        written
    }
}
