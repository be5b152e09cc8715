//! Expressions to terms.

use super::context::{Env, Lowered, Lowering, Old};
use super::frame;
use super::literal;
use crate::hir::*;
use crate::syntax::{Binder, ExprId, ExprKind, UnaryOp, deep};
use source::{Span, Symbol};
use term::{Sort, SortKind, Term, build};

impl Lowering<'_> {
    pub fn expr(&mut self, expr: ExprId, env: &mut Env) -> Lowered<Term> {
        deep(|| self.expr_kind(expr, env))
    }

    pub fn exprs(&mut self, exprs: &[ExprId], env: &mut Env) -> Lowered<Vec<Term>> {
        exprs.iter().map(|expr| self.expr(*expr, env)).collect()
    }

    fn expr_kind(&mut self, expr: ExprId, env: &mut Env) -> Lowered<Term> {
        let span = self.unit.tree[expr].span;
        let number = |term: Option<Term>, lowering: &Self| match term {
            Some(term) => Ok(term),
            None => lowering.refuse(format!("the number {}", lowering.excerpt(span)), span),
        };
        match self.unit.tree[expr].kind {
            ExprKind::Bool(b) => Ok(build::bool(b)),
            ExprKind::Integer(text) => number(literal::integer(text.as_str()), self),
            ExprKind::Real(text) => number(literal::real(text.as_str()), self),
            ExprKind::BitVector(text) => number(literal::bit_vector(text.as_str()), self),
            ExprKind::Float(text) => number(literal::float(text.as_str()), self),
            ExprKind::Name(_) => match self.unit.meanings.get(&expr).cloned() {
                Some(Meaning::Variable(variable)) => self.variable(variable, env, span),
                Some(Meaning::Function(constant, types)) => self.apply(constant, &types, &[], span),
                None => self.refuse("a name without a meaning", span),
            },
            ExprKind::Apply(_, ref arguments) => {
                let arguments = arguments.clone();
                let Some(Meaning::Function(function, types)) = self.unit.meanings.get(&expr).cloned() else {
                    return self.refuse("a function without a meaning", span);
                };
                let types = self.ground_all(&types, &env.types);
                let arguments = self.exprs(&arguments, env)?;
                self.apply(function, &types, &arguments, span)
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand, env)?;
                Ok(match (op, operand.sort().kind()) {
                    (UnaryOp::Not, _) => build::not(operand),
                    (UnaryOp::Minus, SortKind::Float(_)) => build::fp_neg(operand),
                    (UnaryOp::Minus, _) => build::neg(operand),
                })
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left, env)?;
                let right = self.expr(right, env)?;
                let sort = self.sort(self.unit.type_of(expr), &env.types, span)?;
                self.binary(op, left, right, sort, span)
            }
            ExprKind::If(condition, then, other) => {
                let condition = self.expr(condition, env)?;
                let then = self.expr(then, env)?;
                Ok(build::ite(condition, then, self.expr(other, env)?))
            }
            ExprKind::Old(operand) => {
                let outside = env.old.clone();
                if let Old::Outside(procedure) = outside {
                    env.old = Old::Inside(procedure);
                }
                let result = self.expr(operand, env);
                env.old = outside;
                result
            }
            ExprKind::ToInt(operand) => {
                let operand = self.expr(operand, env)?;
                Ok(if operand.sort() == Sort::int() { operand } else { build::to_int(operand) })
            }
            ExprKind::ToReal(operand) => {
                let operand = self.expr(operand, env)?;
                Ok(as_real(operand))
            }
            ExprKind::Select(map, ref indices) => {
                let indices = indices.clone();
                let map = self.expr(map, env)?;
                let indices = self.exprs(&indices, env)?;
                self.select(map, &indices, span)
            }
            ExprKind::Store(map, ref indices, value) => {
                let indices = indices.clone();
                let map = self.expr(map, env)?;
                let indices = self.exprs(&indices, env)?;
                let value = self.expr(value, env)?;
                self.store(map, &indices, value, span)
            }
            ExprKind::Extract { operand, high, low } => {
                let operand = self.expr(operand, env)?;
                if high == low {
                    return self.refuse("bit-vectors of 0 bits", span);
                }
                Ok(build::extract(high - 1, low, operand))
            }
            ExprKind::Coerce(operand, _) => self.expr(operand, env),
            ExprKind::Quantified(_) => self.quantified(expr, env, span),
            ExprKind::Let(_, ref values, body) => {
                let values = values.clone();
                let values = self.exprs(&values, env)?;
                env.variables.extend(self.unit.bound[&expr].iter().copied().zip(values));
                self.expr(body, env)
            }
            ExprKind::Code(_) => self.refuse("a code expression that is not the condition of an assertion", span),
            ExprKind::Is(operand, _) => {
                let operand = self.expr(operand, env)?;
                self.applied(expr, &[operand], env, span)
            }
            ExprKind::Field(operand, _) => {
                let operand = self.expr(operand, env)?;
                let (field, types) = self.field_of(expr, env, span)?;
                self.read_field(operand, field, &types, span)
            }
            ExprKind::WithField(operand, _, value) => {
                let operand = self.expr(operand, env)?;
                let value = self.expr(value, env)?;
                let (field, types) = self.field_of(expr, env, span)?;
                self.write_field(operand, field, &types, value, span)
            }
        }
    }

    /// The function that an expression means, applied.
    fn applied(&mut self, expr: ExprId, arguments: &[Term], env: &Env, span: Span) -> Lowered<Term> {
        let (function, types) = self.field_of(expr, env, span)?;
        self.apply(function, &types, arguments, span)
    }

    fn field_of(
        &mut self,
        expr: ExprId,
        env: &Env,
        span: Span,
    ) -> Lowered<(FunctionId, Vec<crate::check::types::Type>)> {
        match self.unit.meanings.get(&expr).cloned() {
            Some(Meaning::Function(function, types)) => Ok((function, self.ground_all(&types, &env.types))),
            _ => self.refuse("a field without a meaning", span),
        }
    }

    fn variable(&mut self, id: VarId, env: &mut Env, span: Span) -> Lowered<Term> {
        if let Some(term) = env.variables.get(&id) {
            return Ok(*term);
        }
        if self.unit.variable(id).kind != VariableKind::Global {
            // Its type could not be expressed, or it is bound elsewhere.
            let ty = self.unit.variable(id).ty;
            self.sort(ty, &env.types, span)?;
            return self.refuse("a variable that is not known here", span);
        }
        let now = self.global(id, span)?;
        match env.old {
            Old::Inside(procedure) => Ok(self.saved(now, procedure)),
            _ => Ok(now),
        }
    }

    /// The copy of a global from when the procedure was entered.
    fn saved(&mut self, global: Term, procedure: Symbol) -> Term {
        if let Some((copy, _)) = self.saved.iter().find(|(_, original)| *original == global) {
            return *copy;
        }
        let name = global.name().map_or("", |name| name.as_str());
        let copy = Term::var(format!("{procedure}::old({name})").as_str(), global.sort());
        self.saved.push((copy, global));
        copy
    }

    pub fn select(&mut self, map: Term, indices: &[Term], span: Span) -> Lowered<Term> {
        let mut element = map;
        for index in indices {
            element = match element.sort().kind() {
                SortKind::Array(sort, _) if *sort == index.sort() => build::select(element, *index),
                _ => return self.refuse("a map whose type is not known", span),
            };
        }
        Ok(element)
    }

    pub fn store(&mut self, map: Term, indices: &[Term], value: Term, span: Span) -> Lowered<Term> {
        let Some((first, rest)) = indices.split_first() else { return Ok(value) };
        let inner = self.select(map, &[*first], span)?;
        let inner = self.store(inner, rest, value, span)?;
        match map.sort().kind() {
            SortKind::Array(_, element) if *element == inner.sort() => Ok(build::store(map, *first, inner)),
            _ => self.refuse("a map whose type is not known", span),
        }
    }

    fn quantified(&mut self, expr: ExprId, env: &mut Env, span: Span) -> Lowered<Term> {
        let ExprKind::Quantified(quantified) = &self.unit.tree[expr].kind else {
            return self.refuse("a quantifier", span);
        };
        let (binder, body) = (quantified.binder, quantified.body);
        // A set of several terms that must match together has no counterpart in terms.
        let triggers: Vec<ExprId> =
            quantified.triggers.iter().filter(|set| set.len() == 1).flatten().copied().collect();
        if !quantified.type_parameters.is_empty() {
            return self.refuse("a quantifier with type parameters", span);
        }
        let variables = self.unit.bound[&expr].clone();
        let outside = env.bound;
        let bound = self.bind(&variables, env, span)?;
        let body = self.expr(body, env);
        let triggers: Lowered<Vec<Term>> = self.exprs(&triggers, env);
        env.bound = outside;
        let (body, triggers) = (body?, triggers?);
        Ok(match binder {
            Binder::Forall => frame::equation(&bound, body)
                .unwrap_or_else(|| build::forall_triggered(bound, body, &useful(&triggers))),
            Binder::Exists => build::exists_triggered(bound, body, &useful(&triggers)),
            Binder::Lambda => bound.iter().rev().fold(body, |body, variable| build::lambda(*variable, body)),
        })
    }
}

/// The triggers that are more than variables and values: only those can match.
fn useful(triggers: &[Term]) -> Vec<Term> {
    triggers.iter().filter(|t| !t.args().is_empty()).copied().collect()
}

pub fn as_real(term: Term) -> Term {
    if term.sort() == Sort::int() { build::to_real(term) } else { term }
}
