//! Statements and the bodies they make.

use super::Checker;
use crate::hir::*;
use crate::syntax::{self, Attributes, Name, StatementKind as Written, deep};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    /// Checks a body in the innermost scope, into which its locals come.
    pub(super) fn body(&mut self, body: &syntax::Body) -> Body {
        let locals: Vec<VarId> = body.locals.iter().map(|v| self.declare_variable(v, VariableKind::Local)).collect();
        locals.iter().for_each(|v| self.bring(*v));
        for local in &body.locals {
            if let Some(condition) = local.condition {
                self.condition(condition);
            }
        }
        let mut labels = FxHashSet::default();
        self.collect_labels(&body.statements, &mut labels);
        let statements = self.statements(&body.statements, &labels);
        Body { locals, statements }
    }

    fn collect_labels(&mut self, statements: &[syntax::Statement], labels: &mut FxHashSet<Symbol>) {
        for statement in statements {
            match &statement.kind {
                Written::Label(label) if !labels.insert(label.text) => {
                    self.error(label.span, format!("the label `{}` is there twice", label.text));
                }
                Written::If { then, other, .. } => {
                    deep(|| self.collect_labels(then, labels));
                    deep(|| self.collect_labels(other, labels));
                }
                Written::While { body, .. } | Written::Atomic(body) => deep(|| self.collect_labels(body, labels)),
                _ => {}
            }
        }
    }

    fn statements(&mut self, statements: &[syntax::Statement], labels: &FxHashSet<Symbol>) -> Vec<Statement> {
        let check = |s: &syntax::Statement| Statement { kind: deep(|| self.statement(s, labels)), span: s.span };
        statements.iter().map(check).collect()
    }

    fn statement(&mut self, statement: &syntax::Statement, labels: &FxHashSet<Symbol>) -> StatementKind {
        match &statement.kind {
            Written::Label(label) => StatementKind::Label(label.text),
            Written::Assert(attributes, condition) => {
                self.condition(*condition);
                StatementKind::Assert(attributes.clone(), *condition)
            }
            Written::Assume(attributes, condition) => {
                self.condition(*condition);
                StatementKind::Assume(attributes.clone(), *condition)
            }
            Written::Havoc(names) => StatementKind::Havoc(self.assigned(names)),
            Written::Assign(targets, values) => self.assignment(statement.span, targets, values),
            Written::Call(call) => match (self.call(call), call.is_async) {
                (Some(call), false) => StatementKind::Call(call),
                (Some(call), true) => StatementKind::Async(call),
                (None, _) => StatementKind::Unsupported("a call that is wrong"),
            },
            Written::Parallel(calls) => match calls.iter().map(|call| self.call(call)).collect() {
                Some(calls) => StatementKind::Parallel(calls),
                None => StatementKind::Unsupported("a call that is wrong"),
            },
            Written::CallForall(callee, arguments) => self.call_forall(callee, arguments),
            Written::Goto(targets) => {
                for target in targets.iter().filter(|target| !labels.contains(&target.text)) {
                    self.error(target.span, format!("there is no label `{}`", target.text));
                }
                StatementKind::Goto(targets.iter().map(|target| target.text).collect())
            }
            Written::Return(value) => {
                if let Some(value) = value {
                    self.condition(*value);
                }
                StatementKind::Return(*value)
            }
            Written::If { guard, then, other } => {
                guard.iter().for_each(|g| self.condition(*g));
                let then = self.statements(then, labels);
                StatementKind::If { guard: *guard, then, other: self.statements(other, labels) }
            }
            Written::While { guard, invariants, body } => {
                guard.iter().for_each(|g| self.condition(*g));
                let invariants = self.clauses(invariants);
                StatementKind::While { guard: *guard, invariants, body: self.statements(body, labels) }
            }
            Written::Break(label) => StatementKind::Break(label.map(|label| label.text)),
            Written::Yield => StatementKind::Yield,
            Written::Fork { id, callee, arguments } => {
                id.iter().for_each(|e| {
                    self.infer(*e);
                });
                match self.call_of(callee, arguments, None) {
                    Some(call) => StatementKind::Fork { id: id.clone(), call },
                    None => StatementKind::Unsupported("a fork that is wrong"),
                }
            }
            Written::Join { id, results } => {
                id.iter().for_each(|e| {
                    self.infer(*e);
                });
                StatementKind::Join { id: id.clone(), results: self.assigned(results) }
            }
            Written::Atomic(body) => StatementKind::Atomic(self.statements(body, labels)),
        }
    }

    pub(super) fn clauses(&mut self, clauses: &[syntax::Clause]) -> Vec<Clause> {
        let check = |clause: &syntax::Clause| {
            self.condition(clause.condition);
            Clause { free: clause.free, condition: clause.condition, span: clause.span }
        };
        clauses.iter().map(check).collect()
    }

    /// The variable of a name, which is about to change.
    fn target(&mut self, name: &Name) -> Option<VarId> {
        let Some(variable) = self.find_variable(name.text) else {
            self.error(name.span, format!("there is no variable `{}`", name.text));
            return None;
        };
        let info = self.unit.variable(variable);
        if matches!(info.kind, VariableKind::Parameter | VariableKind::Bound) {
            let declared = info.span;
            let what = if info.kind == VariableKind::Parameter { "a parameter" } else { "a bound variable" };
            let message = format!("`{}` is {what} and cannot change", name.text);
            self.report(Diagnostic::error(name.span, message).secondary(declared, "declared here"));
        }
        self.changes(variable, name.span);
        Some(variable)
    }

    fn assigned(&mut self, names: &[Name]) -> Vec<VarId> {
        let variables: Vec<VarId> = names.iter().filter_map(|name| self.target(name)).collect();
        self.must_differ(names);
        variables
    }

    fn must_differ(&mut self, names: &[Name]) {
        let mut seen = FxHashSet::default();
        for name in names {
            if !seen.insert(name.text) {
                self.error(name.span, format!("`{}` is changed twice at once", name.text));
            }
        }
    }

    fn assignment(&mut self, span: Span, targets: &[syntax::Target], values: &[syntax::ExprId]) -> StatementKind {
        let names: Vec<Name> = targets.iter().map(|target| target.name).collect();
        self.must_differ(&names);
        if targets.len() != values.len() {
            let message = format!("{} values are assigned to {} variables", values.len(), targets.len());
            self.error(span, message);
        }
        let mut checked = Vec::new();
        for (n, target) in targets.iter().enumerate() {
            let Some(variable) = self.target(&target.name) else {
                values.get(n).iter().for_each(|v| {
                    self.infer(**v);
                });
                continue;
            };
            let mut ty = self.unit.variable(variable).ty;
            let mut parts = Vec::new();
            for part in &target.parts {
                match part {
                    syntax::Part::Index(indices) => {
                        ty = self.indexed(ty, indices, target.name.span);
                        parts.push(Part::Index(indices.clone()));
                    }
                    syntax::Part::Field(field) => match self.field(ty, field) {
                        Some((selector, types, result)) => {
                            ty = result;
                            parts.push(Part::Field(selector, types));
                        }
                        None => ty = self.unit.types.infer(),
                    },
                }
            }
            if let Some(value) = values.get(n) {
                self.expect(*value, ty);
            }
            checked.push(Target { variable, parts });
        }
        StatementKind::Assign(checked, values.to_vec())
    }

    fn find_procedure(&mut self, name: &Name) -> Option<ProcedureId> {
        let found = self.procedures.get(&name.text).copied();
        if found.is_none() {
            self.error(name.span, format!("there is no procedure `{}`", name.text));
        }
        found
    }

    fn call(&mut self, call: &syntax::Call) -> Option<Call> {
        let checked = self.call_of(&call.callee, &call.arguments, Some(&call.results))?;
        Some(Call { attributes: call.attributes.clone(), ..checked })
    }

    /// A procedure is called with all values of the arguments that are left out.
    fn call_forall(&mut self, callee: &Name, arguments: &[Option<syntax::ExprId>]) -> StatementKind {
        let Some(id) = self.find_procedure(callee) else {
            arguments.iter().flatten().for_each(|argument| {
                self.infer(*argument);
            });
            return StatementKind::Unsupported("a call that is wrong");
        };
        let info = self.unit.procedure(id);
        let (parameters, type_parameters) = (info.parameters.clone(), info.type_parameters.clone());
        let changes_nothing = info.results.is_empty() && info.modifies.is_empty();
        if parameters.len() != arguments.len() {
            let message = format!("`{}` takes {} arguments, found {}", callee.text, parameters.len(), arguments.len());
            self.error(callee.span, message);
        }
        if !changes_nothing {
            self.error(callee.span, format!("`{}` gives results or changes variables", callee.text));
        }
        for (argument, parameter) in arguments.iter().zip(&parameters) {
            if let Some(argument) = argument {
                let ty = self.unit.variable(*parameter).ty;
                self.expect(*argument, ty);
            }
        }
        match type_parameters.is_empty() {
            true => StatementKind::CallForall(id, arguments.to_vec()),
            false => StatementKind::Unsupported("call forall of a procedure with type parameters"),
        }
    }

    /// Checks a call. Without a list of results there are none to take, as for a fork.
    fn call_of(&mut self, callee: &Name, arguments: &[syntax::ExprId], results: Option<&[Name]>) -> Option<Call> {
        let found = self.find_procedure(callee);
        let targets = self.assigned(results.unwrap_or_default());
        let Some(id) = found else {
            arguments.iter().for_each(|a| {
                self.infer(*a);
            });
            return None;
        };
        let info = self.unit.procedure(id);
        let (declared, type_parameters) = (info.span, info.type_parameters.clone());
        let (parameters, outputs, modifies) = (info.parameters.clone(), info.results.clone(), info.modifies.clone());
        for variable in modifies {
            self.changes(variable, callee.span);
        }
        let types: Vec<_> = type_parameters.iter().map(|_| self.unit.types.infer()).collect();
        if parameters.len() != arguments.len() {
            let message = format!("`{}` takes {} arguments, found {}", callee.text, parameters.len(), arguments.len());
            self.report(Diagnostic::error(callee.span, message).secondary(declared, "declared here"));
            arguments.iter().for_each(|a| {
                self.infer(*a);
            });
            return None;
        }
        for (argument, parameter) in arguments.iter().zip(&parameters) {
            let ty = self.unit.variable(*parameter).ty;
            let ty = self.unit.types.substitute(ty, &type_parameters, &types);
            self.expect(*argument, ty);
        }
        if let Some(names) = results {
            if outputs.len() != names.len() {
                let message = format!(
                    "`{}` gives {} results, found {} variables for them",
                    callee.text,
                    outputs.len(),
                    names.len()
                );
                self.report(Diagnostic::error(callee.span, message).secondary(declared, "declared here"));
                return None;
            }
            if targets.len() != names.len() {
                return None;
            }
            for ((name, target), output) in names.iter().zip(&targets).zip(&outputs) {
                let ty = self.unit.variable(*output).ty;
                let ty = self.unit.types.substitute(ty, &type_parameters, &types);
                let found = self.unit.variable(*target).ty;
                self.must_be(name.span, ty, found);
            }
        }
        let attributes = Attributes::default();
        Some(Call { attributes, callee: id, types, arguments: arguments.to_vec(), results: targets })
    }
}
