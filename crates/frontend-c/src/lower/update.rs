//! Assignments, `op=`, `++` and `--`.

use super::place::{Lvalue, Use};
use super::value::{RecordValue, Value};
use super::writer::Writer;
use crate::hir::{ExprId, ExprKind, PlaceId, Scale, Yields};
use ir::Op;
use std::rc::Rc;
use term::Term;

impl Writer<'_, '_> {
    /// Stores a value in a place. Gives what is there then, if that is used.
    pub fn assignment(&mut self, place: PlaceId, value: ExprId, is_used: bool) -> Value {
        let lvalue = self.place(place, Use::Access);
        let later = self.effects(value);
        let lvalue = self.protect_lvalue(lvalue, &later);
        let target = self.direct_target(&lvalue);
        let value = self.value_into(value, target);
        self.set_span(self.body[place].span);
        if !is_used {
            self.store(&lvalue, value);
            return Value::Void;
        }
        self.store_and_give(&lvalue, value)
    }

    /// The variable of a scalar place that may take a result as it is.
    fn direct_target(&self, lvalue: &Lvalue) -> Option<Term> {
        let variable = self.variable_at(lvalue)?;
        (lvalue.bits.is_none() && !lvalue.ty.is_bool()).then_some(variable)
    }

    /// Stores a value and gives what is there then.
    fn store_and_give(&mut self, lvalue: &Lvalue, value: Value) -> Value {
        match value {
            Value::Scalar(value) => {
                let shared = self.is_interruptible() && self.mentions_globals(value);
                // A variable can be read again; what memory holds might be named by a pointer that the store changes.
                let variable =
                    self.variable_at(lvalue).filter(|v| !(self.is_interruptible() && self.context.is_shared(*v)));
                match variable {
                    Some(_) if !shared => {
                        self.store(lvalue, Value::Scalar(value));
                        self.load(lvalue)
                    }
                    _ => {
                        let kept = self.code.keep(self.as_stored(lvalue, value));
                        self.store(lvalue, Value::Scalar(kept));
                        Value::Scalar(kept)
                    }
                }
            }
            Value::Record(RecordValue::Memory(pointer)) => {
                let pointer = self.stable(pointer);
                self.store(lvalue, Value::Record(RecordValue::Memory(pointer)));
                Value::Record(RecordValue::Memory(pointer))
            }
            Value::Record(RecordValue::Leaves(terms)) => {
                let terms: Vec<Term> = terms.into_iter().map(|term| self.code.keep(term)).collect();
                self.store(lvalue, Value::Record(RecordValue::Leaves(terms.clone())));
                Value::Record(RecordValue::Leaves(terms))
            }
            Value::Void => {
                self.unsupported("a value of an unexpected type");
                Value::Void
            }
        }
    }

    /// Computes a new value of a place from the one that it holds, and stores it. Gives one of them, if it is used.
    pub fn update(&mut self, place: PlaceId, value: ExprId, yields: Option<Yields>) -> Value {
        let is_atomic = self.context.threaded && self.body[place].ty.is_atomic();
        let mut later = self.effects(value);
        // C leaves open whether the other operand or the place comes first; gcc evaluates the other operand first.
        if (is_atomic || !later.are_none()) && self.evaluate_others(value) {
            later = Rc::default();
        }
        let lvalue = self.place(place, Use::Access);
        let lvalue = self.protect_lvalue(lvalue, &later);
        if is_atomic {
            self.code.emit(Op::AtomicBegin);
        }
        let before = self.load(&lvalue);
        let before = match yields {
            Some(Yields::Before) => self.kept(before),
            _ => self.protect_value(before, &later),
        };
        self.current.push(before.clone());
        let after = self.value(value);
        self.current.pop();
        self.set_span(self.body[place].span);
        let result = match yields {
            Some(Yields::After) => self.store_and_give(&lvalue, after),
            Some(Yields::Before) => {
                self.store(&lvalue, after);
                before
            }
            None => {
                self.store(&lvalue, after);
                Value::Void
            }
        };
        if is_atomic {
            self.code.emit(Op::AtomicEnd);
        }
        result
    }

    /// The value as it is now, whatever happens later.
    fn kept(&mut self, value: Value) -> Value {
        match value {
            Value::Scalar(term) if !self.is_temporary(term) => Value::Scalar(self.code.keep(term)),
            other => other,
        }
    }

    fn is_temporary(&self, term: Term) -> bool {
        term.name().is_some_and(|name| name.as_str().contains("::$"))
    }

    /// Evaluates everything in the value of an update that does not depend on what the place holds. Whether that is all
    /// that has effects.
    fn evaluate_others(&mut self, value: ExprId) -> bool {
        let mut at = value;
        loop {
            let (on, other) = match self.body[at].kind {
                ExprKind::Cast(_, operand) | ExprKind::Unary(_, operand) => (operand, None),
                ExprKind::Binary(_, left, right) => (left, Some(right)),
                ExprKind::PointerOffset { pointer, index, scale: Scale::Constant(_), .. } => (pointer, Some(index)),
                ExprKind::Current => return true,
                _ => return false,
            };
            if let Some(other) = other {
                let value = self.value(other);
                let value = self.kept(value);
                self.ahead.insert(other, value);
            }
            at = on;
        }
    }
}
