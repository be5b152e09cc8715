//! Atomic steps on what a pointer points to.

use super::place::Lvalue;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{AtomicOp, Builtin, ExprId, Yields};
use crate::types::Ty;
use ir::{AssumptionKind, Op};
use term::{Sort, Term, build};

impl Writer<'_, '_> {
    /// Does something as one step, if there are threads that could see the parts.
    pub fn atomically<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        let threaded = self.context.threaded;
        if threaded {
            self.code.emit(Op::AtomicBegin);
        }
        let result = what(self);
        if threaded {
            self.code.emit(Op::AtomicEnd);
        }
        result
    }

    pub fn atomic(&mut self, builtin: Builtin, arguments: &[ExprId], ty: Ty) -> Value {
        match builtin {
            Builtin::Fence => return Value::Void,
            Builtin::WeakOrder => {
                self.weak_order();
                return Value::Void;
            }
            _ => {}
        }
        let arguments = self.arguments(arguments);
        self.is_synchronised = true;
        let value = self.atomic_operation(builtin, arguments, ty);
        self.is_synchronised = false;
        value
    }

    fn atomic_operation(&mut self, builtin: Builtin, arguments: Vec<Typed>, ty: Ty) -> Value {
        let Some(place) = self.pointed_to(&arguments, 0) else {
            return self.unsupported_value("an atomic operation on an unexpected type", ty);
        };
        match (builtin, &arguments[1..]) {
            (Builtin::AtomicLoad, []) => {
                let value = self.load(&place);
                self.keep_value(value)
            }
            (Builtin::AtomicStore, [value]) => {
                self.store(&place, value.value.clone());
                Value::Void
            }
            (Builtin::AtomicExchange, [value]) => self.atomically(|writer| {
                let old = writer.load(&place);
                let old = writer.keep_value(old);
                writer.store(&place, value.value.clone());
                old
            }),
            (Builtin::AtomicUpdate(op, yields), [operand]) => self.atomic_update(&place, op, yields, operand, ty),
            (Builtin::AtomicCompareExchange { is_weak }, [_, value]) => match self.pointed_to(&arguments, 1) {
                Some(expected) => self.compare_exchange(&place, &expected, value, is_weak),
                None => self.unsupported_value("an atomic operation on an unexpected type", ty),
            },
            (Builtin::CompareAndSwapTest, [old, value]) => match self.swap_if(&place, old, value) {
                Some((equal, _)) => Value::Scalar(equal),
                None => self.unsupported_value("an atomic operation on an unexpected type", ty),
            },
            (Builtin::CompareAndSwapValue, [old, value]) => match self.swap_if(&place, old, value) {
                Some((_, before)) => Value::Scalar(before),
                None => self.unsupported_value("an atomic operation on an unexpected type", ty),
            },
            _ => self.unsupported_value("an atomic operation on an unexpected type", ty),
        }
    }

    /// What an argument points to.
    fn pointed_to(&mut self, arguments: &[Typed], n: usize) -> Option<Lvalue> {
        let argument = arguments.get(n)?;
        let pointer = self.as_pointer(argument)?;
        let ty = self.types.pointee(argument.ty)?;
        Some(Lvalue::memory(pointer, ty.unqualified()))
    }

    /// The value as it is now, whatever happens later.
    pub fn keep_value(&mut self, value: Value) -> Value {
        match value {
            Value::Scalar(term) => Value::Scalar(self.code.keep(term)),
            other => other,
        }
    }

    fn atomic_update(&mut self, place: &Lvalue, op: AtomicOp, yields: Yields, operand: &Typed, ty: Ty) -> Value {
        let Value::Scalar(operand) = operand.value else {
            return self.unsupported_value("an atomic operation on an unexpected type", ty);
        };
        let result = self.atomically(|writer| {
            let Value::Scalar(before) = writer.load(place) else { return None };
            let before = writer.code.keep(before);
            let after = combine(op, before, operand)?;
            let after = writer.code.keep(after);
            writer.store(place, Value::Scalar(after));
            Some(match yields {
                Yields::Before => before,
                Yields::After => after,
            })
        });
        match result {
            Some(value) => Value::Scalar(value),
            None => self.unsupported_value("an atomic operation on an unexpected type", ty),
        }
    }

    /// Puts a value where another was expected. Whether it was, and what was there.
    fn swap_if(&mut self, place: &Lvalue, expected: &Typed, value: &Typed) -> Option<(Term, Term)> {
        let (Value::Scalar(expected), Value::Scalar(value)) = (&expected.value, &value.value) else { return None };
        self.atomically(|writer| {
            let Value::Scalar(before) = writer.load(place) else { return None };
            let before = writer.code.keep(before);
            if before.sort() != expected.sort() || before.sort() != value.sort() {
                return None;
            }
            let equal = writer.code.keep(build::eq(before, *expected));
            let (yes, end) = (writer.code.location(), writer.code.location());
            writer.code.branch(equal, yes, end);
            writer.code.continue_at(yes);
            writer.store(place, Value::Scalar(*value));
            writer.code.enter(end);
            Some((equal, before))
        })
    }

    /// Exchanges if the place holds what is expected, and else stores what it holds there. A weak exchange may fail without
    /// a reason. What is expected is read before the atomic step and written after it, as any other object (C11, 7.17.7.4).
    fn compare_exchange(&mut self, place: &Lvalue, expected: &Lvalue, value: &Typed, is_weak: bool) -> Value {
        let ty = Ty::BOOL;
        let is_split = self.context.checks.race;
        let ahead = is_split.then(|| self.unsynchronised(|writer| writer.load(expected)));
        let ahead = ahead.map(|value| self.keep_value(value));
        let result = self.atomically(|writer| {
            let old = ahead.unwrap_or_else(|| writer.load(expected));
            let before = writer.load(place);
            let before = writer.keep_value(before);
            let (Value::Scalar(x), Value::Scalar(y)) = (&old, &before) else { return None };
            if x.sort() != y.sort() {
                return None;
            }
            let equal = build::eq(*x, *y);
            let equal = if is_weak {
                let succeeds = writer.code.arbitrary(Sort::bool());
                build::and([equal, succeeds])
            } else {
                equal
            };
            let equal = writer.code.keep(equal);
            let (yes, no, end) = (writer.code.location(), writer.code.location(), writer.code.location());
            writer.code.branch(equal, yes, no);
            writer.code.continue_at(yes);
            writer.store(place, value.value.clone());
            writer.code.jump(end);
            writer.code.continue_at(no);
            if !is_split {
                writer.store(expected, before.clone());
            }
            writer.code.enter(end);
            Some((equal, before))
        });
        let Some((equal, before)) = result else {
            return self.unsupported_value("an atomic operation on an unexpected type", ty);
        };
        if is_split {
            let (no, end) = (self.code.location(), self.code.location());
            self.code.branch(equal, end, no);
            self.code.continue_at(no);
            self.unsynchronised(|writer| writer.store(expected, before));
            self.code.enter(end);
        }
        Value::Scalar(equal)
    }

    /// Accesses that an atomic operation makes beside its own.
    fn unsynchronised<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        self.is_synchronised = false;
        let result = what(self);
        self.is_synchronised = true;
        result
    }

    /// An order weaker than sequential consistency. Executions that are sequentially consistent are among those that it
    /// allows, so that a violation is one; that there is none cannot be known.
    fn weak_order(&mut self) {
        if !self.context.threaded {
            return;
        }
        if self.context.options.sequential_consistency {
            let text = "atomic operations of all memory orders are sequentially consistent";
            return self.context.assume(AssumptionKind::SequentialConsistency, text, &[], None);
        }
        let weaker = self.code.arbitrary(Sort::bool());
        self.go_on_if(weaker, "a memory order weaker than memory_order_seq_cst (--memory-model sc takes it for that)");
    }
}

fn combine(op: AtomicOp, x: Term, y: Term) -> Option<Term> {
    if x.sort().bv_width().is_none() {
        let distance = match op {
            AtomicOp::Add => y,
            AtomicOp::Sub => build::bv_neg(y),
            _ => return None,
        };
        return Some(super::pointer::add(x, distance));
    }
    if x.sort() != y.sort() {
        return None;
    }
    Some(match op {
        AtomicOp::Add => build::bv_add(x, y),
        AtomicOp::Sub => build::bv_sub(x, y),
        AtomicOp::And => build::bv_and(x, y),
        AtomicOp::Or => build::bv_or(x, y),
        AtomicOp::Xor => build::bv_xor(x, y),
        AtomicOp::Nand => build::bv_not(build::bv_and(x, y)),
    })
}
