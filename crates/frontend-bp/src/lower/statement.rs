//! Statements without branches.

use super::body::Body;
use super::expr::{Choices, Next};
use super::{ASSERTIONS, Lowering};
use crate::syntax::{Call, Declared, Expr, ExprKind, Name, Start, Statement, StatementKind};
use ir::{CfaBuilder, LocationKind, Op};
use rustc_hash::FxHashSet;
use source::{Place, Span, Symbol};
use term::{Sort, Term, build};

impl<'a> Lowering<'a> {
    pub fn block(&mut self, body: &mut Body<'a>, statements: &'a [Statement]) {
        for statement in statements {
            self.statement(body, statement);
        }
    }

    fn statement(&mut self, body: &mut Body<'a>, statement: &'a Statement) {
        let place = self.place(statement.span);
        body.next_statement();
        if let Some(location) = statement.labels.first().and_then(|label| body.labels.get(&label.text)).copied() {
            body.jump(location, place);
            body.go_on_at(location);
        }
        for label in &statement.labels {
            if let Some(class) = self.forbidden(label.text) {
                let property = self.property(class, format!("label {} is reached", label.text), label.span);
                let at = self.place(label.span);
                let wrong = body.builder.special(LocationKind::Error(property), at);
                body.lead(Op::skip(), wrong, at);
            }
        }
        self.enforce(body, place);
        match &statement.kind {
            StatementKind::Skip => body.step(Op::skip(), place),
            StatementKind::Assume(condition) => {
                let condition = self.evaluate(body, condition, place);
                body.step(Op::Assume(condition), place);
            }
            StatementKind::AbortIf(condition) => {
                let condition = self.evaluate(body, condition, place);
                body.step(Op::Assume(build::not(condition)), place);
            }
            StatementKind::Assert(condition) => self.assert(body, condition, place),
            StatementKind::Enforce(condition) => {
                body.enforced = Some(condition);
                self.enforce(body, place);
            }
            StatementKind::Goto(labels) => {
                for label in labels {
                    match body.labels.get(&label.text).copied() {
                        Some(to) => body.lead(Op::skip(), to, place),
                        None => self.no_label(*label),
                    }
                }
                body.stop();
            }
            StatementKind::Return(values) => self.returned(body, values, statement.span),
            StatementKind::Assign { targets, values, constraint } => {
                self.assign(body, targets, values, constraint.as_ref(), statement.span);
            }
            StatementKind::Call(call) => self.call(body, call, place),
            StatementKind::If { branches, otherwise } => self.conditional(body, branches, otherwise, place),
            StatementKind::While(condition, block) => self.repeat(body, condition, block, place),
            StatementKind::Dead(names) => {
                let variables = names.iter().filter_map(|name| self.variable(body, name.text, name.span)).collect();
                body.havoc(distinct(variables), place);
            }
            StatementKind::Declare(declared) => self.declared(body, declared, place),
            StatementKind::Start(start) => self.started(body, start, place),
            StatementKind::EndThread => body.stop(),
            StatementKind::AtomicBegin => body.step(Op::AtomicBegin, place),
            StatementKind::AtomicEnd => body.step(Op::AtomicEnd, place),
            StatementKind::Sync(event) => {
                let what = Symbol::new(&format!("sync {}", event.text));
                let unknown = body.builder.special(LocationKind::Unsupported(what), place);
                body.jump(unknown, place);
            }
        }
    }

    fn no_label(&mut self, label: Name) {
        self.error(label.span, format!("there is no label `{}` in this function", label.text));
    }

    /// What `enforce` says holds here.
    pub fn enforce(&mut self, body: &mut Body<'a>, place: Option<Place>) {
        if let Some(condition) = body.enforced {
            let condition = self.evaluate(body, condition, place);
            if condition.as_bool() != Some(true) {
                body.step(Op::Assume(condition), place);
            }
        }
    }

    fn assert(&mut self, body: &mut Body<'a>, condition: &Expr, place: Option<Place>) {
        let text = String::from_utf8_lossy(self.map.slice(condition.span)).into_owned();
        let term = self.evaluate(body, condition, place);
        // An assertion that cannot fail has no error location.
        if self.checks_assertions() && term.as_bool() != Some(true) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let property =
                self.property(Symbol::new(ASSERTIONS), format!("assertion {}", words.join(" ")), condition.span);
            let wrong = body.builder.special(LocationKind::Error(property), place);
            let violation = build::not(term);
            let op = if violation.as_bool() == Some(true) { Op::skip() } else { Op::Assume(violation) };
            body.lead(op, wrong, place);
        }
        body.step(Op::Assume(term), place);
    }

    fn returned(&mut self, body: &mut Body<'a>, values: &[Expr], span: Span) {
        let place = self.place(span);
        if values.len() != body.results.len() {
            let message = format!("the function returns {} values, not {}", body.results.len(), values.len());
            self.error(span, message);
        }
        let mut choices = Choices::default();
        let terms: Vec<Term> = values.iter().map(|value| self.term(body, value, &mut choices, None)).collect();
        body.havoc(choices.0, place);
        let pairs: Vec<(Term, Term)> = body.results.iter().copied().zip(terms).collect();
        body.lead(Op::Assign(pairs), CfaBuilder::EXIT, place);
        body.stop();
    }

    /// The variables that are assigned; `None` for `_`.
    fn targets(&mut self, body: &Body<'a>, names: &[Name]) -> Vec<Option<Term>> {
        let mut seen = FxHashSet::default();
        let mut targets = Vec::new();
        for name in names {
            let is_unwanted = name.text.as_str() == "_";
            if !is_unwanted && !seen.insert(name.text) {
                self.error(name.span, format!("`{}` is assigned twice at once", name.text));
            }
            targets.push(if is_unwanted { None } else { self.variable(body, name.text, name.span) });
        }
        targets
    }

    fn assign(&mut self, body: &mut Body<'a>, names: &[Name], values: &[Expr], constraint: Option<&Expr>, span: Span) {
        let place = self.place(span);
        let targets = self.targets(body, names);
        if names.len() != values.len() {
            self.error(span, format!("{} variables are assigned {} values", names.len(), values.len()));
            return;
        }
        let is_choice = |value: &Expr| matches!(value.kind, ExprKind::Choice);
        if constraint.is_none() && values.iter().all(is_choice) {
            body.havoc(distinct(targets.into_iter().flatten().collect()), place);
            return;
        }
        let mut choices = Choices::default();
        let terms: Vec<Term> = values.iter().map(|value| self.term(body, value, &mut choices, None)).collect();
        let next: Next = names.iter().map(|name| name.text).zip(terms.iter().copied()).collect();
        let condition = constraint.map(|constraint| self.term(body, constraint, &mut choices, Some(&next)));
        let condition = condition.filter(|condition| condition.as_bool() != Some(true));
        let pairs = targets.into_iter().zip(terms).filter_map(|(target, value)| Some((target?, value)));
        let pairs: Vec<(Term, Term)> = pairs.collect();
        // What is a thread's own does not change between two of its steps.
        let involved =
            term::free::variables(pairs.iter().flat_map(|(target, value)| [*target, *value]).chain(condition));
        let is_shared = involved.iter().any(|variable| self.globals.values().any(|global| global == variable));
        let is_atomic = condition.is_some() && self.has_threads && is_shared;
        if is_atomic {
            body.step(Op::AtomicBegin, place);
        }
        body.havoc(choices.0, place);
        if let Some(condition) = condition {
            body.step(Op::Assume(condition), place);
        }
        body.step(Op::Assign(pairs), place);
        if is_atomic {
            body.step(Op::AtomicEnd, place);
        }
    }

    fn declared(&mut self, body: &mut Body<'a>, declared: &[Declared], place: Option<Place>) {
        let mut arbitrary = Vec::new();
        let mut pairs = Vec::new();
        let mut choices = Choices::default();
        for one in declared {
            let Some(variable) = body.variables.get(&one.name.text).copied() else { continue };
            match &one.value {
                None => arbitrary.push(variable),
                Some(value) => pairs.push((variable, self.term(body, value, &mut choices, None))),
            }
        }
        arbitrary.extend(choices.0);
        body.havoc(distinct(arbitrary), place);
        if !pairs.is_empty() {
            body.step(Op::Assign(pairs), place);
        }
    }

    fn arguments(&mut self, body: &mut Body<'a>, call: &Call, place: Option<Place>) -> Option<(usize, Vec<Term>)> {
        let index = self.callee(call.callee)?;
        let (expected, found) = (self.function(index).parameters.len(), call.arguments.len());
        if expected != found {
            let message = format!("`{}` takes {expected} arguments, not {found}", call.callee.text);
            self.error(call.callee.span, message);
            return None;
        }
        let mut choices = Choices::default();
        let terms = call.arguments.iter().map(|argument| self.term(body, argument, &mut choices, None)).collect();
        body.havoc(choices.0, place);
        Some((index, terms))
    }

    fn call(&mut self, body: &mut Body<'a>, call: &Call, place: Option<Place>) {
        let mut targets = self.targets(body, &call.targets);
        let Some((index, arguments)) = self.arguments(body, call, place) else { return };
        let (expected, found) = (self.function(index).results, targets.len());
        if targets.is_empty() {
            targets = vec![None; expected];
        } else if expected != found {
            let message = format!("`{}` returns {expected} values, not {found}", call.callee.text);
            self.error(call.callee.span, message);
            return;
        }
        // Returning and changing what others see are two steps.
        let mut pairs = Vec::new();
        let mut results = Vec::new();
        for target in targets {
            let is_shared =
                self.has_threads && target.is_some_and(|t| self.globals.values().any(|global| *global == t));
            match target.filter(|_| !is_shared) {
                Some(own) => results.push(own),
                None => {
                    let spare = body.spare();
                    pairs.extend(target.map(|target| (target, spare)));
                    results.push(spare);
                }
            }
        }
        let procedure = self.procedure(super::Code::Function(index));
        body.step(Op::Call { procedure, arguments, results }, place);
        if !pairs.is_empty() {
            body.step(Op::Assign(pairs), place);
        }
    }

    fn started(&mut self, body: &mut Body<'a>, start: &Start, place: Option<Place>) {
        let arguments = match start {
            Start::Call(call) => match self.arguments(body, call, place) {
                Some((_, arguments)) => arguments,
                None => return,
            },
            Start::Goto(label) if !body.labels.contains_key(&label.text) => return self.no_label(*label),
            Start::Goto(_) => self.all_variables(body),
        };
        let Some(code) = self.thread_start(start, body.index) else { return };
        let procedure = self.procedure(code);
        let thread = body.thread_number();
        body.step(Op::Spawn { procedure, arguments, thread }, place);
    }

    /// The variables of the function, as a thread takes them that starts inside it.
    fn all_variables(&self, body: &Body<'a>) -> Vec<Term> {
        let function = self.function(body.index);
        let mut names = function.parameters.clone();
        super::body::collect(&function.body, &mut names);
        names.iter().filter_map(|name| body.variables.get(&name.text).copied()).collect()
    }

    /// A fresh variable for a result that nobody wants.
    pub fn unwanted(body: &mut Body<'a>, number: usize) -> Term {
        body.internal(&format!("$unwanted{number}"), Sort::bool())
    }
}

/// Each variable once: no operation changes one twice.
fn distinct(mut variables: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    variables.retain(|variable| seen.insert(*variable));
    variables
}
