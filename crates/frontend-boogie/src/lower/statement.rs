//! Statements to edges.

use super::context::{Lowered, Lowering, Refused};
use super::contract::ASSERTIONS;
use super::writer::{Breakable, Frame, Label};
use crate::hir::*;
use crate::syntax::{Argument, Attributes, ExprId, ExprKind, deep};
use ir::{LocationKind, Op};
use source::{Place, Span, Symbol};
use std::rc::Rc;
use term::{Term, build};

impl Lowering<'_> {
    /// Makes locations for labels, so that control can jump ahead.
    pub fn collect_labels(&mut self, statements: &[Statement], frame: &mut Frame, atomic: u32) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Label(name) => {
                    let location = self.label_location(*name, statement.span, frame);
                    frame.labels.insert(*name, Label { location, atomic });
                }
                StatementKind::If { then, other, .. } => {
                    deep(|| self.collect_labels(then, frame, atomic));
                    deep(|| self.collect_labels(other, frame, atomic));
                }
                StatementKind::While { body, .. } => deep(|| self.collect_labels(body, frame, atomic)),
                StatementKind::Atomic(body) => deep(|| self.collect_labels(body, frame, atomic + 1)),
                _ => {}
            }
        }
    }

    /// The location of a label: an error, if that is what the user asks about.
    fn label_location(&mut self, name: Symbol, span: Span, frame: &mut Frame) -> ir::LocId {
        let place = self.place(span);
        let class = format!("unreach-label:{name}");
        if !self.asks_for(&class) {
            return frame.location(Some(place));
        }
        let property = self.add_property(&class, format!("label {name} is reached"), place);
        frame.special(LocationKind::Error(property), Some(place))
    }

    pub fn statements(&mut self, statements: &[Statement], frame: &mut Frame) {
        for statement in statements {
            let place = frame.origin.unwrap_or_else(|| self.place(statement.span));
            if let Err(refused) = deep(|| self.statement(statement, place, frame)) {
                self.unsupported(frame, refused);
            }
            if !matches!(statement.kind, StatementKind::Label(_)) {
                frame.fresh_labels.clear();
            }
        }
    }

    /// Here stands something that cannot be expressed.
    pub fn unsupported(&mut self, frame: &mut Frame, refused: Refused) {
        let place = Some(self.place(refused.span));
        let here = frame.here();
        let end = frame.special(LocationKind::Unsupported(Symbol::new(&refused.what)), place);
        frame.edge(here, Op::skip(), end, place);
        frame.stop();
    }

    fn statement(&mut self, statement: &Statement, place: Place, frame: &mut Frame) -> Lowered<()> {
        let at = Some(place);
        match &statement.kind {
            StatementKind::Label(name) => {
                let location = frame.labels[name].location;
                let here = frame.here();
                frame.edge(here, Op::skip(), location, at);
                frame.origin = None;
                frame.fresh_labels.push(*name);
                if self.asks_for(&format!("unreach-label:{name}")) {
                    frame.stop();
                } else {
                    frame.go_on_at(location);
                }
            }
            StatementKind::Assert(attributes, condition) => {
                let place = self.originates(attributes, place, frame);
                self.assert_statement(attributes, *condition, place, frame)?;
            }
            StatementKind::Assume(attributes, condition) => {
                let place = self.originates(attributes, place, frame);
                let text = self.text_of(*condition);
                let condition = self.expr(*condition, &mut frame.env)?;
                if attributes.has("OldAssert") {
                    self.assertion(build::not(condition), format!("assertion !({text})"), place, frame);
                } else {
                    frame.assume(condition, Some(place));
                }
            }
            StatementKind::Havoc(variables) => {
                let terms = self.targets(variables, statement.span, frame)?;
                frame.step(Op::Havoc(terms), at);
                self.assume_where(variables, frame)?;
            }
            StatementKind::Assign(targets, values) => {
                let mut pairs = Vec::new();
                for (target, value) in targets.iter().zip(values) {
                    let value = self.expr(*value, &mut frame.env)?;
                    pairs.push(self.assigned(target, value, statement.span, frame)?);
                }
                frame.step(Op::Assign(pairs), at);
            }
            StatementKind::Call(call) => self.call(call, statement.span, place, frame)?,
            StatementKind::Parallel(calls) => self.parallel(calls, statement.span, place, frame)?,
            StatementKind::CallForall(callee, arguments) => {
                self.call_forall(*callee, arguments, statement.span, place, frame)?;
            }
            StatementKind::Async(call) => self.async_call(call, statement.span, place, frame)?,
            StatementKind::Goto(targets) => self.goto(targets, statement.span, place, frame)?,
            StatementKind::Return(None) => {
                let end = frame.end;
                frame.jump(end, at);
            }
            StatementKind::Return(Some(value)) => {
                let value = self.expr(*value, &mut frame.env)?;
                if let Some(property) = frame.asserts {
                    frame.assert(value, property, at);
                }
                let end = frame.end;
                frame.jump(end, at);
            }
            StatementKind::If { guard, then, other } => self.branch(*guard, then, other, place, frame)?,
            StatementKind::While { guard, invariants, body } => {
                self.repeat(*guard, invariants, body, place, frame)?;
            }
            StatementKind::Break(label) => self.leave_statement(*label, statement.span, place, frame)?,
            StatementKind::Yield => self.yields(place, frame),
            StatementKind::Fork { id, call } => self.fork(id, call, statement.span, place, frame)?,
            StatementKind::Join { id, results } => self.join(id, results, statement.span, place, frame)?,
            StatementKind::Atomic(body) => {
                frame.step(Op::AtomicBegin, at);
                frame.atomic += 1;
                self.statements(body, frame);
                frame.atomic -= 1;
                frame.step(Op::AtomicEnd, at);
            }
            StatementKind::Unsupported(what) => return self.refuse(*what, statement.span),
        }
        Ok(())
    }

    /// Statements may say where in another file they come from, and so do those that follow in the block.
    fn originates(&self, attributes: &Attributes, place: Place, frame: &mut Frame) -> Place {
        let number = |argument: Option<&Argument>| match argument {
            Some(Argument::Expr(expr)) => match &self.unit.tree[*expr].kind {
                ExprKind::Integer(text) => text.as_str().parse().ok(),
                _ => None,
            },
            _ => None,
        };
        let told = match (attributes.find("sourceloc"), attributes.text("sourcefile"), attributes.find("sourceline")) {
            (Some(found), ..) => match &found.arguments[..] {
                [Argument::Text(file), line, column, ..] => Some((*file, number(Some(line)), number(Some(column)))),
                _ => None,
            },
            (None, Some(file), Some(line)) => Some((file, number(line.arguments.first()), Some(1))),
            _ => None,
        };
        if let Some((file, Some(line), column)) = told {
            frame.origin = Some(Place { file, line, column: column.unwrap_or(1).max(1) });
        }
        frame.origin.unwrap_or(place)
    }

    fn assert_statement(
        &mut self,
        attributes: &Attributes,
        condition: ExprId,
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let text = match attributes.text("msg") {
            Some(message) => message.to_string(),
            None => {
                // A mark tells which kind of assertion it is.
                let mark = attributes.0.iter().find(|attribute| attribute.arguments.is_empty());
                let mark = mark.map_or_else(String::new, |mark| format!("{{:{}}} ", mark.key));
                format!("assertion {mark}{}", self.text_of(condition))
            }
        };
        if let Some(code) = self.code_of(condition) {
            return self.assert_code(&code, text, place, frame);
        }
        let condition = self.expr(condition, &mut frame.env)?;
        self.assertion(condition, text, place, frame);
        Ok(())
    }

    /// The code expression that a condition is, or that the function without parameters stands for which it applies.
    fn code_of(&self, condition: ExprId) -> Option<Rc<Body>> {
        if let Some(code) = self.unit.code.get(&condition) {
            return Some(code.clone());
        }
        let Some(Meaning::Function(function, _)) = self.unit.meanings.get(&condition) else { return None };
        let definition = self.definitions[function.0 as usize].as_ref()?;
        definition.parameters.is_empty().then(|| self.unit.code.get(&definition.body).cloned()).flatten()
    }

    /// A code expression holds if every way through it returns true: so each of them is asserted.
    fn assert_code(&mut self, code: &Body, text: String, place: Place, frame: &mut Frame) -> Lowered<()> {
        let property = match self.asks_for(ASSERTIONS) {
            true => Some(self.add_property(ASSERTIONS, text, place)),
            false => {
                return self.refuse("a code expression in an assertion that is not asked about", self.entry_span());
            }
        };
        self.declare_locals(&code.locals, frame);
        let locals: Vec<Term> = code.locals.iter().filter_map(|v| frame.env.variables.get(v)).copied().collect();
        if !locals.is_empty() {
            frame.step(Op::Havoc(locals), Some(place));
            self.assume_where(&code.locals, frame)?;
        }
        let end = Label { location: frame.location(Some(place)), atomic: frame.atomic };
        let labels = std::mem::take(&mut frame.labels);
        let outside = (std::mem::replace(&mut frame.end, end), std::mem::replace(&mut frame.asserts, property));
        let atomic = frame.atomic;
        self.collect_labels(&code.statements, frame, atomic);
        self.statements(&code.statements, frame);
        (frame.end, frame.asserts) = outside;
        frame.labels = labels;
        frame.go_on_at(end.location);
        Ok(())
    }

    fn entry_span(&self) -> Span {
        self.unit.procedure(self.entry).span
    }

    /// The terms of variables that change.
    pub fn targets(&mut self, variables: &[VarId], span: Span, frame: &mut Frame) -> Lowered<Vec<Term>> {
        variables.iter().map(|variable| self.target(*variable, span, frame)).collect()
    }

    fn target(&mut self, variable: VarId, span: Span, frame: &mut Frame) -> Lowered<Term> {
        match frame.env.variables.get(&variable) {
            Some(term) => Ok(*term),
            None if self.unit.variable(variable).kind == VariableKind::Global => self.global(variable, span),
            None => {
                let ty = self.unit.variable(variable).ty;
                self.sort(ty, &frame.env.types, span)?;
                self.refuse("a variable that is not known here", span)
            }
        }
    }

    /// The variable that an assignment changes, and the value that it takes.
    fn assigned(&mut self, target: &Target, value: Term, span: Span, frame: &mut Frame) -> Lowered<(Term, Term)> {
        let variable = self.target(target.variable, span, frame)?;
        // What the parts are parts of, from the outside in.
        let mut wholes = vec![variable];
        let mut parts = Vec::new();
        for part in &target.parts {
            let whole = wholes[wholes.len() - 1];
            match part {
                Part::Index(indices) => {
                    let indices = self.exprs(indices, &mut frame.env)?;
                    wholes.push(self.select(whole, &indices, span)?);
                    parts.push(Ok(indices));
                }
                Part::Field(selector, types) => {
                    let types = self.ground_all(types, &frame.env.types);
                    wholes.push(self.read_field(whole, *selector, &types, span)?);
                    parts.push(Err((*selector, types)));
                }
            }
        }
        let mut new = value;
        for (part, whole) in parts.into_iter().zip(wholes).rev() {
            new = match part {
                Ok(indices) => self.store(whole, &indices, new, span)?,
                Err((selector, types)) => self.write_field(whole, selector, &types, new, span)?,
            };
        }
        if new.sort() != variable.sort() {
            return self.refuse("an assignment between types that are not known to be equal", span);
        }
        Ok((variable, new))
    }

    fn call(&mut self, call: &Call, span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        if self.special_call(call, span, place, frame)? {
            return Ok(());
        }
        let types = self.ground_all(&call.types, &frame.env.types);
        let arguments = self.exprs(&call.arguments, &mut frame.env)?;
        let procedure = self.procedure(call.callee, &types, span)?;
        self.require(call.callee, &types, &arguments, place, frame)?;
        let results = self.targets(&call.results, span, frame)?;
        frame.step(Op::Call { procedure, arguments, results }, Some(place));
        Ok(())
    }

    fn goto(&mut self, targets: &[Symbol], span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        let here = frame.here();
        for name in targets {
            let label = frame.labels[name];
            if label.atomic > frame.atomic {
                return self.refuse("a jump into an atomic statement", span);
            }
            frame.go_on_at(here);
            frame.jump(label, Some(place));
        }
        frame.stop();
        Ok(())
    }

    fn branch(
        &mut self,
        guard: Option<ExprId>,
        then: &[Statement],
        other: &[Statement],
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let condition = self.guard(guard, frame)?;
        let labels = std::mem::take(&mut frame.fresh_labels);
        let here = frame.here();
        let end = Label { location: frame.location(None), atomic: frame.atomic };
        frame.breakable.push(Breakable { labels, is_loop: false, end });
        for (condition, statements) in [(condition, then), (condition.map(build::not), other)] {
            frame.go_on_at(here);
            frame.step(condition.map_or_else(Op::skip, Op::Assume), Some(place));
            let origin = frame.origin;
            self.statements(statements, frame);
            frame.origin = origin;
            frame.jump(end, None);
        }
        frame.breakable.pop();
        frame.go_on_at(end.location);
        Ok(())
    }

    fn guard(&mut self, guard: Option<ExprId>, frame: &mut Frame) -> Lowered<Option<Term>> {
        guard.map(|guard| self.expr(guard, &mut frame.env)).transpose()
    }

    /// A loop. Its invariants are asserted each time that control comes to its head.
    fn repeat(
        &mut self,
        guard: Option<ExprId>,
        invariants: &[Clause],
        body: &[Statement],
        place: Place,
        frame: &mut Frame,
    ) -> Lowered<()> {
        let labels = std::mem::take(&mut frame.fresh_labels);
        let head = Label { location: frame.location(Some(place)), atomic: frame.atomic };
        let end = Label { location: frame.location(None), atomic: frame.atomic };
        frame.jump(head, None);
        frame.go_on_at(head.location);
        for clause in invariants {
            let condition = self.expr(clause.condition, &mut frame.env)?;
            let at = self.place(clause.span);
            if clause.free {
                frame.assume(condition, Some(at));
            } else {
                let text = format!("invariant {}", self.text_of(clause.condition));
                self.assertion(condition, text, at, frame);
            }
        }
        let condition = self.guard(guard, frame)?;
        let here = frame.here();
        frame.step(condition.map_or_else(Op::skip, Op::Assume), Some(place));
        frame.breakable.push(Breakable { labels, is_loop: true, end });
        let origin = frame.origin;
        self.statements(body, frame);
        frame.origin = origin;
        frame.breakable.pop();
        frame.jump(head, None);
        frame.go_on_at(here);
        let leave = condition.map(build::not).map_or_else(Op::skip, Op::Assume);
        frame.edge(here, leave, end.location, Some(place));
        frame.go_on_at(end.location);
        Ok(())
    }

    fn leave_statement(&mut self, label: Option<Symbol>, span: Span, place: Place, frame: &mut Frame) -> Lowered<()> {
        let fits = |b: &&Breakable| label.map_or(b.is_loop, |label| b.labels.contains(&label));
        let Some(end) = frame.breakable.iter().rev().find(fits).map(|b| b.end) else {
            return self.refuse("a break that leaves nothing", span);
        };
        frame.jump(end, Some(place));
        Ok(())
    }
}
