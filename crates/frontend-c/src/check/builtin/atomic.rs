//! The families `__sync_*` and `__atomic_*`.
//!
//! Their operations work on what the first argument points to. Every step is sequentially consistent; one that need not be
//! follows a [`Builtin::WeakOrder`].

use super::super::Checker;
use super::super::convert::Purpose;
use super::super::expr::Operand;
use crate::hir::{AtomicOp, Builtin, ExprId, ExprKind, Yields};
use crate::types::{IntKind, Ty};
use source::{Span, Symbol};

/// The value of `__ATOMIC_SEQ_CST`.
const SEQ_CST: i128 = 5;

/// The operator that a part of a name says.
fn operator(word: &str) -> Option<AtomicOp> {
    Some(match word {
        "add" => AtomicOp::Add,
        "sub" => AtomicOp::Sub,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "nand" => AtomicOp::Nand,
        _ => return None,
    })
}

/// The update that a name says: `fetch_and_add`, `add_and_fetch` of the old family, `fetch_add`, `add_fetch` of the new.
fn update(name: &str, between: &str) -> Option<(AtomicOp, Yields)> {
    if let Some(op) = name.strip_prefix("fetch").and_then(|rest| rest.strip_prefix(between)) {
        return Some((operator(op)?, Yields::Before));
    }
    let op = name.strip_suffix("fetch").and_then(|rest| rest.strip_suffix(between))?;
    Some((operator(op)?, Yields::After))
}

impl Checker<'_> {
    pub(super) fn atomic_builtin(&mut self, name: &str, values: &[ExprId], span: Span) -> ExprId {
        // A suffix `_4` only repeats the size of what is pointed to.
        let base = ["_1", "_2", "_4", "_8", "_16"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        let result = match base.strip_prefix("__sync_") {
            Some(rest) => self.sync_builtin(rest, values, span),
            None => match base.strip_prefix("__atomic_") {
                Some(rest) => {
                    let result = self.new_atomic_builtin(rest, values, span);
                    result.map(|result| if self.has_weak_order(rest, values) { self.weak(result) } else { result })
                }
                None => None,
            },
        };
        result.unwrap_or_else(|| self.unsupported(name, Ty::INT, span))
    }

    /// Whether one of the memory orders of an operation is not known to be `__ATOMIC_SEQ_CST`. They are its last
    /// arguments; a fence adds nothing to steps that are sequentially consistent.
    fn has_weak_order(&mut self, name: &str, values: &[ExprId]) -> bool {
        let orders = match name {
            "compare_exchange" | "compare_exchange_n" => 2,
            "thread_fence" | "signal_fence" | "always_lock_free" | "is_lock_free" => 0,
            _ => 1,
        };
        let orders = &values[values.len().saturating_sub(orders)..];
        orders.iter().any(|order| self.int_constant(*order).is_none_or(|(order, _)| order != SEQ_CST))
    }

    /// The operation, marked as one with a weak order.
    fn weak(&mut self, operation: ExprId) -> ExprId {
        let (ty, span) = (self.ty(operation), self.span(operation));
        let mark = self.atomic(Builtin::WeakOrder, Vec::new(), Ty::VOID, span);
        self.value(ExprKind::Comma(mark, operation), ty, span)
    }

    fn sync_builtin(&mut self, name: &str, values: &[ExprId], span: Span) -> Option<ExprId> {
        if let Some((op, yields)) = update(name, "_and_") {
            return self.atomic_update(op, yields, values, span);
        }
        match (name, values) {
            ("synchronize", []) => Some(self.atomic(Builtin::Fence, Vec::new(), Ty::VOID, span)),
            ("bool_compare_and_swap", [pointer, old, value, ..]) => {
                self.compare_and_swap(Builtin::CompareAndSwapTest, *pointer, *old, *value, span)
            }
            ("val_compare_and_swap", [pointer, old, value, ..]) => {
                self.compare_and_swap(Builtin::CompareAndSwapValue, *pointer, *old, *value, span)
            }
            ("lock_test_and_set", [pointer, value, ..]) => self.exchange(*pointer, *value, span),
            ("lock_release", [pointer, ..]) => {
                let zero = self.int(0, Ty::INT, span);
                // By gcc's manual this orders as a release.
                self.atomic_store(*pointer, zero, span).map(|store| self.weak(store))
            }
            _ => None,
        }
    }

    fn new_atomic_builtin(&mut self, name: &str, values: &[ExprId], span: Span) -> Option<ExprId> {
        if let Some((op, yields)) = update(name, "_") {
            return self.atomic_update(op, yields, values, span);
        }
        match (name, values) {
            ("load_n", [pointer, ..]) => self.atomic_load(*pointer, span),
            ("load", [pointer, result, ..]) => {
                let value = self.atomic_load(*pointer, span)?;
                self.store_through(*result, value, span)
            }
            ("store_n", [pointer, value, ..]) => self.atomic_store(*pointer, *value, span),
            ("store", [pointer, value, ..]) => {
                let value = self.load_through(*value, span)?;
                self.atomic_store(*pointer, value, span)
            }
            ("exchange_n", [pointer, value, _]) => self.exchange(*pointer, *value, span),
            ("exchange", [pointer, value, result, _]) => {
                let value = self.load_through(*value, span)?;
                let old = self.exchange(*pointer, value, span)?;
                self.store_through(*result, old, span)
            }
            ("compare_exchange_n", [pointer, expected, value, weak, ..]) => {
                self.compare_exchange([*pointer, *expected, *value], *weak, span)
            }
            ("compare_exchange", [pointer, expected, value, weak, ..]) => {
                let value = self.load_through(*value, span)?;
                self.compare_exchange([*pointer, *expected, value], *weak, span)
            }
            ("test_and_set", [pointer, ..]) => {
                let flag = self.flag(*pointer);
                let one = self.int(1, Ty::INT, span);
                let old = self.exchange(flag, one, span)?;
                Some(self.truth(old))
            }
            ("clear", [pointer, ..]) => {
                let flag = self.flag(*pointer);
                let zero = self.int(0, Ty::INT, span);
                self.atomic_store(flag, zero, span)
            }
            ("thread_fence" | "signal_fence", _) => Some(self.atomic(Builtin::Fence, Vec::new(), Ty::VOID, span)),
            ("always_lock_free" | "is_lock_free", [size, ..]) => {
                let size = self.int_constant(*size).map(|(size, _)| size);
                Some(self.int(i128::from(matches!(size, Some(1 | 2 | 4 | 8))), Ty::BOOL, span))
            }
            _ => None,
        }
    }

    fn atomic(&mut self, builtin: Builtin, arguments: Vec<ExprId>, ty: Ty, span: Span) -> ExprId {
        self.value(ExprKind::Builtin(builtin, arguments), ty, span)
    }

    /// The type of what a pointer points to, as a value; `None` if that is nothing to work on.
    fn target(&mut self, pointer: ExprId) -> Option<Ty> {
        let target = self.types.pointee(self.ty(pointer))?;
        if target.is_void() || !self.types.is_complete(target) {
            return None;
        }
        Some(self.types.plain(target))
    }

    fn operand(&mut self, value: ExprId, ty: Ty) -> ExprId {
        self.convert(value, ty, Purpose::Argument(2, None::<Symbol>))
    }

    fn atomic_update(&mut self, op: AtomicOp, yields: Yields, values: &[ExprId], span: Span) -> Option<ExprId> {
        let [pointer, value, ..] = *values else { return None };
        let ty = self.target(pointer)?;
        let operand_type = if self.types.is_pointer(ty) { self.types.ptrdiff_type() } else { ty };
        if !self.types.is_integer(operand_type) {
            return None;
        }
        let value = self.operand(value, operand_type);
        Some(self.atomic(Builtin::AtomicUpdate(op, yields), vec![pointer, value], ty, span))
    }

    fn compare_and_swap(
        &mut self,
        builtin: Builtin,
        pointer: ExprId,
        old: ExprId,
        value: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        let ty = self.target(pointer).filter(|ty| self.types.is_scalar(*ty))?;
        let (old, value) = (self.operand(old, ty), self.operand(value, ty));
        let result = if builtin == Builtin::CompareAndSwapTest { Ty::BOOL } else { ty };
        Some(self.atomic(builtin, vec![pointer, old, value], result, span))
    }

    fn compare_exchange(&mut self, operands: [ExprId; 3], weak: ExprId, span: Span) -> Option<ExprId> {
        let [pointer, expected, value] = operands;
        let is_weak = self.int_constant(weak).is_none_or(|(weak, _)| weak != 0);
        let ty = self.target(pointer).filter(|ty| self.types.is_scalar(*ty))?;
        self.types.pointee(self.ty(expected))?;
        let expected_type = self.types.pointer(ty);
        let expected = self.cast(expected, expected_type);
        let value = self.operand(value, ty);
        Some(self.atomic(Builtin::AtomicCompareExchange { is_weak }, vec![pointer, expected, value], Ty::BOOL, span))
    }

    fn exchange(&mut self, pointer: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.target(pointer)?;
        let value = self.operand(value, ty);
        Some(self.atomic(Builtin::AtomicExchange, vec![pointer, value], ty, span))
    }

    fn atomic_load(&mut self, pointer: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.target(pointer)?;
        Some(self.atomic(Builtin::AtomicLoad, vec![pointer], ty, span))
    }

    fn atomic_store(&mut self, pointer: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.target(pointer)?;
        let value = self.operand(value, ty);
        Some(self.atomic(Builtin::AtomicStore, vec![pointer, value], Ty::VOID, span))
    }

    /// The byte that a flag is.
    fn flag(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.types.pointer(Ty::int(IntKind::UnsignedChar));
        self.cast(pointer, ty)
    }

    fn load_through(&mut self, pointer: ExprId, span: Span) -> Option<ExprId> {
        self.target(pointer)?;
        let operand = self.deref(pointer, span);
        Some(self.read(operand))
    }

    fn store_through(&mut self, pointer: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        self.target(pointer)?;
        match self.deref(pointer, span) {
            Operand::Place(place) => {
                let stored = self.store(place, value, span);
                Some(self.cast(stored, Ty::VOID))
            }
            _ => None,
        }
    }
}
