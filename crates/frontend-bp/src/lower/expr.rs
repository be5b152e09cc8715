//! Expressions as terms.

use super::Lowering;
use super::body::Body;
use crate::syntax::{Binary, Expr, ExprKind, deep};
use rustc_hash::FxHashMap;
use source::{Place, Span, Symbol};
use term::{Term, build};

/// The values that an assignment is about to give to variables.
pub type Next = FxHashMap<Symbol, Term>;

/// An expression over the variables and over those that must take arbitrary values before.
#[derive(Default)]
pub struct Choices(pub Vec<Term>);

impl<'a> Lowering<'a> {
    pub fn variable(&mut self, body: &Body, name: Symbol, span: Span) -> Option<Term> {
        let found = body.variables.get(&name).or_else(|| self.globals.get(&name)).copied();
        if found.is_none() {
            self.error(span, format!("there is no variable `{name}`"));
        }
        found
    }

    /// The term of an expression. Variables for its `*` are added to `choices`. `next` holds what `'x` means where it means
    /// something.
    pub fn term(&mut self, body: &mut Body<'a>, expr: &Expr, choices: &mut Choices, next: Option<&Next>) -> Term {
        let mut go = |part: &Expr, choices: &mut Choices| deep(|| self.term(body, part, choices, next));
        match &expr.kind {
            ExprKind::Constant(value) => build::bool(*value),
            ExprKind::Not(a) => build::not(go(a, choices)),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (go(a, choices), go(b, choices));
                match operator {
                    Binary::And => build::and([a, b]),
                    Binary::Or => build::or([a, b]),
                    Binary::Xor | Binary::Different => build::xor(a, b),
                    Binary::Implies => build::implies(a, b),
                    Binary::Equal => build::eq(a, b),
                }
            }
            ExprKind::If(a, b, c) => build::ite(go(a, choices), go(b, choices), go(c, choices)),
            ExprKind::Schoose(a, b) => {
                let (holds, fails) = (go(a, choices), go(b, choices));
                if build::or([holds, fails]).as_bool() == Some(true) {
                    return holds;
                }
                let choice = body.spare();
                choices.0.push(choice);
                build::or([holds, build::and([build::not(fails), choice])])
            }
            ExprKind::Choice => {
                let choice = body.spare();
                choices.0.push(choice);
                choice
            }
            ExprKind::Variable(name) => self.variable(body, *name, expr.span).unwrap_or_else(build::falsehood),
            ExprKind::Next(name) => {
                let Some(variable) = self.variable(body, *name, expr.span) else { return build::falsehood() };
                match next {
                    Some(next) => next.get(name).copied().unwrap_or(variable),
                    None => {
                        self.error(expr.span, "a value after the assignment has a meaning only behind `constrain`");
                        variable
                    }
                }
            }
        }
    }

    /// The term of an expression, with the step before it that chooses.
    pub fn evaluate(&mut self, body: &mut Body<'a>, expr: &Expr, place: Option<Place>) -> Term {
        let mut choices = Choices::default();
        let term = self.term(body, expr, &mut choices, None);
        body.havoc(choices.0, place);
        term
    }
}
