//! Evaluation: what an operator gives on values, and what a term gives under an assignment.

mod apply;
mod quantifier;

pub use apply::apply;

use crate::{Function, Op, Term, Value};
use quantifier::{MAX_NESTING, binder};
use rustc_hash::FxHashMap;

/// The value of a term where `assignment` gives the values of variables (and may give those of any other term, say of
/// memory or of an uninterpreted function's application).
///
/// `None` if the value depends on something that has none: a variable without value, memory, an uninterpreted function,
/// a binder over a domain that is not small. What does not matter need not have a value: the branch of an `ite` that is
/// not taken, the other conjuncts beside a false one.
pub fn evaluate(term: Term, assignment: &dyn Fn(Term) -> Option<Value>) -> Option<Value> {
    Evaluator::new(assignment).value(term)
}

/// What an uninterpreted function gives on values.
pub type Interpretation<'a> = &'a dyn Fn(&Function, &[Value]) -> Option<Value>;

/// Evaluates terms under one assignment and remembers what it found.
pub struct Evaluator<'a> {
    assignment: &'a dyn Fn(Term) -> Option<Value>,
    functions: Option<Interpretation<'a>>,
    memo: FxHashMap<Term, Option<Value>>,
    /// How deep binders may still be nested.
    nesting: u32,
}

impl<'a> Evaluator<'a> {
    pub fn new(assignment: &'a dyn Fn(Term) -> Option<Value>) -> Evaluator<'a> {
        Evaluator { assignment, functions: None, memo: FxHashMap::default(), nesting: MAX_NESTING }
    }

    /// Knows uninterpreted functions too.
    pub fn with_functions(self, functions: Interpretation<'a>) -> Evaluator<'a> {
        Evaluator { functions: Some(functions), ..self }
    }

    /// The same under another assignment, for the inside of a binder.
    fn nested<'b>(&self, assignment: &'b dyn Fn(Term) -> Option<Value>) -> Evaluator<'b>
    where
        'a: 'b,
    {
        Evaluator { assignment, functions: self.functions, memo: FxHashMap::default(), nesting: self.nesting - 1 }
    }

    /// See [`evaluate`].
    pub fn value(&mut self, root: Term) -> Option<Value> {
        let mut stack = if self.memo.contains_key(&root) { Vec::new() } else { vec![(root, 0)] };
        while let Some((term, next)) = stack.last_mut() {
            let term = *term;
            match self.needed(term, *next) {
                Some(child) => {
                    *next += 1;
                    if !self.memo.contains_key(&child) {
                        stack.push((child, 0));
                    }
                }
                None => {
                    stack.pop();
                    let value = self.step(term);
                    self.memo.insert(term, value);
                }
            }
        }
        self.memo.get(&root).cloned().flatten()
    }

    /// The n-th term that must be evaluated before `term`, when those before it are.
    fn needed(&self, term: Term, n: usize) -> Option<Term> {
        match (term.op(), term.args(), n) {
            // Binders are evaluated as a whole, with their own values for what they bind.
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), ..) => None,
            (Op::Ite, [condition, then, other], 1) => match self.memo.get(condition)? {
                Some(Value::Bool(true)) => Some(*then),
                Some(_) => Some(*other),
                None => None,
            },
            (Op::Ite, _, 2) => None,
            (_, args, n) => args.get(n).copied(),
        }
    }

    /// The value of a term whose arguments are known.
    fn step(&self, term: Term) -> Option<Value> {
        let known = |t: &Term| self.memo.get(t).and_then(|value| value.as_ref());
        if let Some(value) = self.given(term) {
            return Some(value);
        }
        match (term.op(), term.args()) {
            (Op::Const(value), _) => Some(value.clone()),
            (Op::Var { .. }, _) => None,
            (Op::Ite, [condition, then, other]) => {
                known(if known(condition)?.as_bool()? { then } else { other }).cloned()
            }
            (Op::And | Op::Or, args) => {
                let absorbing = Value::Bool(*term.op() == Op::Or);
                if args.iter().any(|a| known(a) == Some(&absorbing)) {
                    return Some(absorbing);
                }
                let all_known = args.iter().all(|a| known(a).is_some());
                all_known.then(|| Value::Bool(*term.op() == Op::And))
            }
            (Op::Implies, [a, b]) => match (known(a), known(b)) {
                (Some(Value::Bool(false)), _) | (_, Some(Value::Bool(true))) => Some(Value::Bool(true)),
                (Some(_), Some(_)) => Some(Value::Bool(false)),
                _ => None,
            },
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), _) => binder(term, self),
            (op, args) => {
                let values: Option<Vec<Value>> = args.iter().map(|a| known(a).cloned()).collect();
                match (op, self.functions) {
                    (Op::Apply(function), Some(functions)) => functions(function, &values?),
                    _ => apply(op, &values?),
                }
            }
        }
    }

    /// What the assignment says of a term that has no value by itself.
    fn given(&self, term: Term) -> Option<Value> {
        match term.op() {
            Op::Var { .. } | Op::Apply(_) | Op::Load(_) | Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => {
                (self.assignment)(term)
            }
            _ => None,
        }
    }
}
