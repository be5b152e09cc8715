//! What gcc builds in: functions whose names begin with `__builtin_`, `__sync_` or `__atomic_`.
//!
//! Some are questions that are answered here, some are operations ([`Builtin`]), and many are library functions under
//! another name, which become calls of those. One that is not known becomes an unsupported value.

mod atomic;
mod bits;
mod float;
mod library;
mod varargs;

use super::Checker;
use super::constant::Constant;
use super::convert::Purpose;
use super::expr::Operand;
use crate::hir::{Builtin, ExprId, ExprKind, PlaceKind};
use crate::syntax;
use crate::types::{RecordKind, Ty, TypeKind};
use source::{Span, Symbol};

impl Checker<'_> {
    /// A call of a name that nothing declares, if gcc builds it in.
    pub(super) fn builtin_call(&mut self, name: Symbol, arguments: &[syntax::ExprId], span: Span) -> Option<ExprId> {
        let full = name.as_str();
        if full.starts_with("__sync_") || full.starts_with("__atomic_") {
            let values = self.builtin_arguments(arguments);
            return Some(match values {
                Some(values) => self.atomic_builtin(full, &values, span),
                None => self.wrong(span),
            });
        }
        let short = full.strip_prefix("__builtin_")?;
        if let Some(answer) = self.question(short, arguments, span) {
            return Some(answer);
        }
        if let Some(result) = self.varargs_builtin(short, arguments, span) {
            return Some(result);
        }
        let Some(values) = self.builtin_arguments(arguments) else { return Some(self.wrong(span)) };
        Some(self.builtin_operation(name, short, values, span))
    }

    /// The values of the arguments; `None` if something is wrong with one of them.
    fn builtin_arguments(&mut self, arguments: &[syntax::ExprId]) -> Option<Vec<ExprId>> {
        let values: Vec<ExprId> = arguments.iter().map(|argument| self.rvalue(*argument)).collect();
        values.iter().all(|value| !self.ty(*value).is_error()).then_some(values)
    }

    /// What is answered without evaluating the arguments.
    fn question(&mut self, name: &str, arguments: &[syntax::ExprId], span: Span) -> Option<ExprId> {
        let first = *arguments.first()?;
        match name {
            "constant_p" => {
                let mark = self.tables.mark();
                let operand = self.unevaluated(first);
                let value = self.read(operand);
                let answer = self.is_known(value);
                self.tables.reset(mark);
                Some(self.int(i128::from(answer), Ty::INT, span))
            }
            "object_size" | "dynamic_object_size" => {
                // Not known: all bits set as an upper bound, 0 as a lower one.
                let kind = arguments.get(1).and_then(|kind| self.constant_int(*kind, "the kind of an object size"));
                let is_lower = kind.is_some_and(|(kind, _)| kind & 2 != 0);
                let ty = self.types.size_type();
                let all = self.int_shape(ty)?.wrap(-1);
                Some(self.int(if is_lower { 0 } else { all }, ty, span))
            }
            "classify_type" => {
                let mark = self.tables.mark();
                let operand = self.unevaluated(first);
                let value = self.read(operand);
                let class = self.type_class(self.ty(value));
                self.tables.reset(mark);
                Some(self.int(class, Ty::INT, span))
            }
            _ => None,
        }
    }

    /// Whether gcc without optimisation takes the value for constant: a number, or the start of a string literal.
    fn is_known(&self, value: ExprId) -> bool {
        match self.tables[value].kind {
            ExprKind::AddressOf(place) => matches!(self.tables[place].kind, PlaceKind::String(_)),
            _ => matches!(self.evaluate(value), Some(Constant::Int(_) | Constant::Float(_))),
        }
    }

    /// gcc's numbers for classes of types.
    fn type_class(&self, ty: Ty) -> i128 {
        match self.types.kind(ty) {
            TypeKind::Void => 0,
            TypeKind::Pointer(_) => 5,
            TypeKind::Float(_) => 8,
            TypeKind::Record(id) if self.types[*id].kind == RecordKind::Struct => 12,
            TypeKind::Record(_) => 13,
            TypeKind::Unsupported { .. } => 9,
            _ => 1,
        }
    }

    fn builtin_operation(&mut self, name: Symbol, short: &str, values: Vec<ExprId>, span: Span) -> ExprId {
        let void_pointer = self.types.pointer(Ty::VOID);
        match (short, &values[..]) {
            ("expect" | "expect_with_probability", [value, _, ..]) => {
                let ty = Ty::LONG;
                self.convert(*value, ty, Purpose::Argument(1, Some(name)))
            }
            ("assume_aligned", [pointer, _, ..]) => {
                self.convert(*pointer, void_pointer, Purpose::Argument(1, Some(name)))
            }
            ("speculation_safe_value", [value, ..]) => *value,
            ("prefetch", [pointer, ..]) => self.cast(*pointer, Ty::VOID),
            ("unreachable", []) => self.value(ExprKind::Builtin(Builtin::Unreachable, Vec::new()), Ty::VOID, span),
            ("trap", []) => self.value(ExprKind::Builtin(Builtin::Trap, Vec::new()), Ty::VOID, span),
            ("alloca" | "alloca_with_align" | "alloca_with_align_and_max", [size, ..]) => {
                let size_type = self.types.size_type();
                let size = self.convert(*size, size_type, Purpose::Argument(1, Some(name)));
                self.value(ExprKind::Builtin(Builtin::Alloca, vec![size]), void_pointer, span)
            }
            ("frame_address" | "return_address" | "extract_return_addr", _) => {
                self.unsupported(name.as_str(), void_pointer, span)
            }
            _ => {
                if let Some(result) = self.bit_builtin(short, &values, span) {
                    return result;
                }
                if let Some(result) = self.float_builtin(short, &values, span) {
                    return result;
                }
                self.library_builtin(name, short, values, span)
            }
        }
    }

    /// A library function by another name; with `__..._chk`, one that also gets the sizes of its targets, which are not
    /// needed here.
    fn library_builtin(&mut self, name: Symbol, short: &str, values: Vec<ExprId>, span: Span) -> ExprId {
        if let Some((plain, values)) = library::without_check(short, &values)
            && let Some(function) = self.library_function(plain, span)
        {
            return self.call_operand(Operand::Function(function, span), values, span);
        }
        match self.library_function(short, span) {
            Some(function) => self.call_operand(Operand::Function(function, span), values, span),
            None => self.unsupported(name.as_str(), Ty::INT, span),
        }
    }
}
