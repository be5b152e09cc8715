//! What procedures require and ensure, and the `where` clauses of variables.

use super::context::{Env, Lowered, Lowering, Old, TypeArguments};
use super::writer::{EXIT, Frame};
use crate::check::types::Type;
use crate::hir::*;
use crate::syntax::ExprId;
use ir::Op;
use rustc_hash::FxHashMap;
use source::{Place, Span};
use term::{Term, build};

/// The class of all properties that Boogie programs state.
pub const ASSERTIONS: &str = "unreach-call";

impl Lowering<'_> {
    /// What holds when a procedure is entered: of what it requires, all or only what is free.
    pub fn enter(&mut self, id: ProcedureId, variables: &[VarId], is_all: bool, frame: &mut Frame) -> Lowered<()> {
        self.assume_where(variables, frame)?;
        for clause in self.unit.procedure(id).requires.clone() {
            if clause.free || is_all {
                let condition = self.expr(clause.condition, &mut frame.env)?;
                frame.assume(condition, Some(self.map.place(clause.span)));
            }
        }
        Ok(())
    }

    /// What must hold when a procedure returns.
    pub fn leave(&mut self, id: ProcedureId, frame: &mut Frame) -> Lowered<()> {
        for clause in self.unit.procedure(id).ensures.clone() {
            let condition = self.expr(clause.condition, &mut frame.env)?;
            let place = self.place(clause.span);
            if clause.free {
                frame.assume(condition, Some(place));
            } else {
                let name = self.unit.procedure(id).name;
                let text = format!("postcondition {} of {name}", self.text_of(clause.condition));
                self.assertion(condition, text, place, frame);
            }
        }
        Ok(())
    }

    /// A procedure of which only the contract is known.
    pub fn without_implementation(&mut self, id: ProcedureId, variables: &[VarId], frame: &mut Frame) -> Lowered<()> {
        let (span, parameters) = (self.unit.procedure(id).span, self.unit.procedure(id).parameters.len());
        let place = Some(self.place(span));
        self.enter(id, &variables[..parameters], false, frame)?;
        let modifies = self.unit.procedure(id).modifies.clone();
        let mut changed = Vec::new();
        for global in &modifies {
            changed.push(self.global(*global, span)?);
        }
        if !changed.is_empty() {
            frame.step(Op::Havoc(changed), place);
        }
        // The results have arbitrary values from the start.
        self.assume_where(&variables[parameters..], frame)?;
        self.assume_where(&modifies, frame)?;
        for clause in self.unit.procedure(id).ensures.clone() {
            let condition = self.expr(clause.condition, &mut frame.env)?;
            frame.assume(condition, Some(self.map.place(clause.span)));
        }
        let last = frame.here();
        frame.edge(last, Op::skip(), EXIT, place);
        Ok(())
    }

    /// The `where` clauses of variables that have arbitrary values.
    pub fn assume_where(&mut self, variables: &[VarId], frame: &mut Frame) -> Lowered<()> {
        for id in variables {
            let Variable { condition: Some(condition), span, .. } = *self.unit.variable(*id) else { continue };
            let condition = self.expr(condition, &mut frame.env)?;
            frame.assume(condition, Some(self.map.place(span)));
        }
        Ok(())
    }

    /// Asserts what a call requires.
    pub fn require(
        &mut self,
        callee: ProcedureId,
        types: &[Type],
        arguments: &[Term],
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let procedure = self.unit.procedure(callee);
        let (name, clauses) = (procedure.name, procedure.requires.clone());
        let variables: FxHashMap<VarId, Term> =
            procedure.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        let types = TypeArguments { parameters: procedure.type_parameters.clone(), arguments: types.to_vec() };
        let mut env = Env { variables, types, old: Old::Now, bound: 0 };
        for clause in clauses.iter().filter(|clause| !clause.free) {
            let condition = self.expr(clause.condition, &mut env)?;
            let text = format!("precondition {} of {name}", self.text_of(clause.condition));
            self.assertion(condition, text, place, frame);
        }
        Ok(())
    }

    /// What a procedure ensures, wherever it may be called, for all values of the arguments that are left out.
    pub fn call_forall(
        &mut self,
        callee: ProcedureId,
        arguments: &[Option<ExprId>],
        span: Span,
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let procedure = self.unit.procedure(callee);
        let (parameters, requires, ensures) =
            (procedure.parameters.clone(), procedure.requires.clone(), procedure.ensures.clone());
        let mut env = Env { old: Old::Now, bound: frame.env.bound, ..Env::default() };
        let mut open = Vec::new();
        for (parameter, argument) in parameters.iter().zip(arguments) {
            match argument {
                Some(argument) => {
                    let argument = self.expr(*argument, &mut frame.env)?;
                    env.variables.insert(*parameter, argument);
                }
                None => open.push(*parameter),
            }
        }
        let bound = self.bind(&open, &mut env, span)?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (clauses, formulas) in [(requires, &mut before), (ensures, &mut after)] {
            for clause in clauses {
                formulas.push(self.expr(clause.condition, &mut env)?);
            }
        }
        let fact = build::implies(build::and(before), build::and(after));
        frame.assume(build::forall(bound, fact), Some(place));
        Ok(())
    }

    pub fn text_of(&self, expr: ExprId) -> String {
        let span: Span = self.unit.tree[expr].span;
        self.excerpt(span)
    }

    /// An assertion. Where it is not asked about, an execution just ends where it fails.
    pub fn assertion(&mut self, condition: Term, text: String, place: Place, frame: &mut Frame) {
        if condition.as_bool() == Some(true) {
            return;
        }
        if self.asks_for(ASSERTIONS) && self.counts(condition) {
            let property = self.add_property(ASSERTIONS, text, place);
            frame.assert(condition, property, Some(place));
        } else {
            frame.assume(condition, Some(place));
        }
    }
}
