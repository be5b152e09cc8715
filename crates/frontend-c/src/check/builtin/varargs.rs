//! Arguments behind the `...` of a function.

use super::super::Checker;
use super::super::expr::Operand;
use crate::hir::{ExprId, ExprKind, PlaceId, VaListOp};
use crate::syntax;
use crate::types::Ty;
use source::Span;

impl Checker<'_> {
    pub(super) fn varargs_builtin(&mut self, name: &str, arguments: &[syntax::ExprId], span: Span) -> Option<ExprId> {
        let op = match (name, arguments) {
            // The last parameter is named for the machine's sake.
            ("va_start" | "stdarg_start", [list, ..]) => self.va_list(*list).map(VaListOp::Start),
            ("va_end", [list]) => self.va_list(*list).map(VaListOp::End),
            ("va_copy", [target, source]) => {
                let target = self.va_list(*target);
                let source = self.va_list(*source);
                target.zip(source).map(|(target, source)| VaListOp::Copy(target, source))
            }
            _ => return None,
        };
        Some(match op {
            Some(op) => self.value(ExprKind::VaList(op), Ty::VOID, span),
            None => self.wrong(span),
        })
    }

    /// `__builtin_va_arg(list, type)`
    pub(in crate::check) fn va_arg(&mut self, list: syntax::ExprId, ty: syntax::TypeNameId, span: Span) -> ExprId {
        let place = self.va_list(list);
        let (ty, _) = self.type_name_with_effects(ty);
        let Some(place) = place else { return self.wrong(span) };
        if !self.types.is_complete(ty) || self.types.is_variable_length(ty) {
            return self.fail(span, format!("an argument cannot have type {}", self.quoted(ty)));
        }
        if self.types.is_array(ty) {
            let pointer = self.decayed(ty);
            return self.unsupported("an argument of array type", pointer, span);
        }
        self.value(ExprKind::VaList(VaListOp::Arg(place)), ty, span)
    }

    /// The object behind a `va_list`: itself where that is a pointer, and its one element where it is an array, which a
    /// parameter is a pointer to.
    fn va_list(&mut self, list: syntax::ExprId) -> Option<PlaceId> {
        let operand = self.expr(list);
        let ty = self.operand_type(operand);
        if ty.is_error() {
            return None;
        }
        let list_type = self.va_list_type();
        let found = match self.types.element(list_type) {
            None => Some(operand).filter(|_| self.types.compatible_unqualified(ty, list_type)),
            Some(tag) => {
                let pointer = self.read(operand);
                // gcc only warns about a pointer to something else.
                self.types.is_pointer(self.ty(pointer)).then(|| {
                    let tag_pointer = self.types.pointer(tag);
                    let pointer = self.cast(pointer, tag_pointer);
                    self.deref(pointer, self.span(pointer))
                })
            }
        };
        match found {
            Some(Operand::Place(place)) => Some(place),
            _ => {
                let span = self.unit[list].span;
                self.error(span, format!("this is not a `va_list`, but has type {}", self.quoted(ty)));
                None
            }
        }
    }
}
