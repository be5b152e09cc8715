//! The laws of operations.

use super::{Rule, Site, Validator};
use crate::{Op, ProcId, Procedure};
use rustc_hash::FxHashSet;
use term::{SortKind, Term};

impl<'a> Validator<'a> {
    pub(super) fn operation(&mut self, procedure: ProcId, op: &Op, at: Site) {
        match op {
            Op::Assign(pairs) => {
                self.targets(procedure, pairs.iter().map(|(variable, _)| *variable), at);
                for (variable, value) in pairs {
                    self.term(procedure, *value, at);
                    self.require(variable.sort() == value.sort(), Rule::AssignSort, at, || {
                        format!("a variable of sort {} takes a value of sort {}", variable.sort(), value.sort())
                    });
                }
            }
            Op::Assume(formula) => {
                self.term(procedure, *formula, at);
                self.require(formula.sort().is_bool(), Rule::AssumeIsFormula, at, || {
                    format!("what is assumed has the sort {}", formula.sort())
                });
            }
            Op::Havoc(variables) => self.targets(procedure, variables.iter().copied(), at),
            Op::Call { procedure: callee, arguments, results } => {
                self.targets(procedure, results.iter().copied(), at);
                if let Some(callee) = self.callee(procedure, *callee, arguments, at) {
                    self.results(callee, results, at);
                }
            }
            Op::Spawn { procedure: callee, arguments, thread } => {
                self.targets(procedure, [*thread].into_iter(), at);
                self.callee(procedure, *callee, arguments, at);
                let is_number = matches!(thread.sort().kind(), SortKind::BitVec(_) | SortKind::Int);
                self.require(is_number, Rule::ThreadSort, at, || {
                    format!("a variable of sort {} takes the number of a thread", thread.sort())
                });
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
        }
    }

    fn term(&mut self, procedure: ProcId, term: Term, at: Site) {
        let result = self.terms.check(term, procedure);
        self.accept(at, result);
    }

    fn targets(&mut self, procedure: ProcId, variables: impl Iterator<Item = Term>, at: Site) {
        let mut seen = FxHashSet::default();
        for variable in variables {
            if variable.is_var() {
                self.term(procedure, variable, at);
                self.require(seen.insert(variable), Rule::TargetIsDistinct, at, || {
                    format!("{variable:?} is changed twice")
                });
            } else {
                self.report(
                    Rule::TargetIsVariable,
                    at,
                    format!("a term of sort {} is changed, but is no variable", variable.sort()),
                );
            }
        }
    }

    /// Checks the arguments of a call; the callee, if there is one.
    fn callee(&mut self, caller: ProcId, callee: ProcId, arguments: &[Term], at: Site) -> Option<&'a Procedure> {
        arguments.iter().for_each(|argument| self.term(caller, *argument, at));
        let program = self.program;
        let Some(procedure) = program.procedures.get(callee.0 as usize) else {
            self.report(Rule::CalleeExists, at, format!("there is no procedure {}", callee.0));
            return None;
        };
        let (given, taken) = (arguments.len(), procedure.parameters.len());
        self.require(given == taken || given > taken && procedure.variadic, Rule::ArgumentCount, at, || {
            format!("{} takes {taken} arguments, but {given} are passed", procedure.name)
        });
        for (argument, parameter) in arguments.iter().zip(&procedure.parameters) {
            self.require(argument.sort() == parameter.sort(), Rule::ArgumentSort, at, || {
                let (is, should) = (argument.sort(), parameter.sort());
                format!("{} takes {} of sort {should}, but {is} is passed", procedure.name, parameter.name())
            });
        }
        Some(procedure)
    }

    fn results(&mut self, callee: &Procedure, results: &[Term], at: Site) {
        let (given, taken) = (callee.results.len(), results.len());
        self.require(given == taken, Rule::ResultCount, at, || {
            format!("{} returns {given} results, but {taken} are assigned", callee.name)
        });
        for (result, variable) in callee.results.iter().zip(results) {
            self.require(result.sort() == variable.sort(), Rule::ResultSort, at, || {
                let (is, should) = (result.sort(), variable.sort());
                format!("{} returns {} of sort {is} to a variable of sort {should}", callee.name, result.name())
            });
        }
    }
}
