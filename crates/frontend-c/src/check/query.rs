//! Questions about types: `sizeof`, `_Alignof`, `offsetof`, `_Generic` and their kin.

use super::Checker;
use super::expr::Operand;
use crate::hir::{BinaryOp, ExprId};
use crate::syntax::{self, Designator, GenericArm, TypeNameId};
use crate::types::{Ty, TypeKind};
use source::{Diagnostic, Span};

impl Checker<'_> {
    /// What an expression would be, without evaluating it.
    pub(super) fn unevaluated(&mut self, operand: syntax::ExprId) -> Operand {
        // The nodes stay, since the caller may look at the operand; they belong to no tree.
        let effects = std::mem::take(&mut self.vla_effects);
        let operand = self.expr(operand);
        self.vla_effects = effects;
        operand
    }

    /// Reports what is wrong with an expression that is not evaluated.
    fn only_check(&mut self, expr: syntax::ExprId) {
        let mark = self.tables.mark();
        self.unevaluated(expr);
        self.tables.reset(mark);
    }

    pub(super) fn sizeof_expr(&mut self, operand: syntax::ExprId, span: Span) -> ExprId {
        let mark = self.tables.mark();
        let operand = self.unevaluated(operand);
        let ty = self.operand_type(operand);
        let is_bit_field = matches!(operand, Operand::Place(place) if self.bit_field(place).is_some());
        self.tables.reset(mark);
        if is_bit_field {
            return self.fail(span, "a bit-field has no size in bytes");
        }
        self.sizeof(ty, span)
    }

    pub(super) fn sizeof_type(&mut self, ty: TypeNameId, span: Span) -> ExprId {
        let (ty, effects) = self.type_name_with_effects(ty);
        let size = self.sizeof(ty, span);
        self.after_effects(effects, size)
    }

    fn sizeof(&mut self, ty: Ty, span: Span) -> ExprId {
        let size_type = self.types.size_type();
        // GNU C says 1 for what has no size of its own.
        let size = if ty.is_void() || self.types.is_function(ty) { Some(1) } else { self.types.size(ty) };
        match size {
            Some(size) => self.int(i128::from(size), size_type, span),
            None if ty.is_error() => self.wrong(span),
            None if self.types.is_variable_length(ty) => self.size_of_variable_length(ty, span),
            None => self.fail(span, format!("the size of {} is not known here", self.quoted(ty))),
        }
    }

    pub(super) fn alignof_expr(&mut self, operand: syntax::ExprId, span: Span) -> ExprId {
        let mark = self.tables.mark();
        let operand = self.unevaluated(operand);
        let ty = self.operand_type(operand);
        let declared = match operand {
            Operand::Place(place) => self.declared_align(place),
            _ => None,
        };
        self.tables.reset(mark);
        self.alignof(ty, declared, span)
    }

    pub(super) fn alignof_type(&mut self, ty: TypeNameId, span: Span) -> ExprId {
        let (ty, _) = self.type_name_with_effects(ty);
        self.alignof(ty, None, span)
    }

    /// `_Alignof` asks how members are aligned, GNU's `__alignof__` how variables are.
    fn alignof(&mut self, ty: Ty, declared: Option<u32>, span: Span) -> ExprId {
        if ty.is_error() {
            return self.wrong(span);
        }
        if !self.types.is_complete(ty) && !ty.is_void() && !self.types.is_function(ty) && !self.types.is_array(ty) {
            return self.fail(span, format!("the alignment of {} is not known here", self.quoted(ty)));
        }
        let is_standard = self.first_word(span) == b"_Alignof";
        let align = if is_standard { self.types.member_align(ty) } else { self.types.align(ty) };
        let size_type = self.types.size_type();
        self.int(i128::from(align.max(declared.unwrap_or(0))), size_type, span)
    }

    /// The first word of an expression in the text, behind parentheses. The tree does not tell spellings apart.
    fn first_word(&self, span: Span) -> &[u8] {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let words = self.map.slice(span).split(|byte| !is_word(byte));
        words.into_iter().find(|word| !word.is_empty() && *word != b"__extension__").unwrap_or_default()
    }

    /// The alignment that the declaration of a variable asks for.
    fn declared_align(&self, place: crate::hir::PlaceId) -> Option<u32> {
        match self.tables[place].kind {
            crate::hir::PlaceKind::Local(local) => self.tables.locals[local.index()].align,
            crate::hir::PlaceKind::Global(global) => self.globals[global.index()].align,
            _ => None,
        }
    }

    pub(super) fn offsetof(&mut self, ty: TypeNameId, path: &[Designator], span: Span) -> ExprId {
        let (mut ty, _) = self.type_name_with_effects(ty);
        let size_type = self.types.size_type();
        let mut offset = self.int(0, size_type, span);
        for step in path {
            if ty.is_error() {
                return self.wrong(span);
            }
            let distance = match *step {
                Designator::Field(name, span) => {
                    let Some(record) = self.types.record(ty) else {
                        return self.fail(span, format!("{} has no member `{name}`", self.quoted(ty)));
                    };
                    let Some(path) = self.types.find_field(record, name) else {
                        return self.fail(span, format!("{} has no member `{name}`", self.quoted(ty)));
                    };
                    let mut bytes = 0;
                    for field in path {
                        let Some(layout) = self.types.record(ty).and_then(|id| self.types[id].layout.as_ref()) else {
                            return self.wrong(span);
                        };
                        let field = &layout.fields[field as usize];
                        if field.bits.is_some() {
                            return self.fail(span, format!("the bit-field `{name}` has no offset in bytes"));
                        }
                        bytes += field.offset;
                        ty = field.ty;
                    }
                    self.int(i128::from(bytes), size_type, span)
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let TypeKind::Array { element, .. } = *self.types.kind(ty) else {
                        return self.fail(span, format!("{} is not an array", self.quoted(ty)));
                    };
                    let index = self.rvalue(index);
                    if !self.types.is_integer(self.ty(index)) {
                        return self.wrong(span);
                    }
                    let index = self.cast(index, size_type);
                    ty = element;
                    let size = self.sizeof(element, span);
                    if self.ty(size).is_error() {
                        return size;
                    }
                    self.binary_node(BinaryOp::Mul, index, size, span)
                }
            };
            offset = self.binary_node(BinaryOp::Add, offset, distance, span);
        }
        offset
    }

    pub(super) fn types_compatible(&mut self, left: TypeNameId, right: TypeNameId, span: Span) -> ExprId {
        let ((left, _), (right, _)) = (self.type_name_with_effects(left), self.type_name_with_effects(right));
        let both_enums =
            matches!(self.types.kind(left), TypeKind::Enum(_)) && matches!(self.types.kind(right), TypeKind::Enum(_));
        let answer = self.types.compatible_unqualified(left, right)
            && (!both_enums || left.unqualified() == right.unqualified());
        self.int(i128::from(answer), Ty::INT, span)
    }

    /// `_Generic`: the operand of the arm whose type is that of the control expression.
    pub(super) fn generic(&mut self, control: syntax::ExprId, arms: &[GenericArm], span: Span) -> Operand {
        let mark = self.tables.mark();
        let operand = self.unevaluated(control);
        let value = self.read(operand);
        let ty = self.ty(value);
        self.tables.reset(mark);
        if ty.is_error() {
            return Operand::Value(self.wrong(span));
        }
        let mut chosen = None;
        let mut default = None;
        for arm in arms {
            let Some(name) = arm.ty else {
                default = Some(arm.value);
                continue;
            };
            let (arm_ty, _) = self.type_name_with_effects(name);
            if self.types.compatible(arm_ty, ty) {
                if chosen.is_some() {
                    let shown = self.quoted(ty);
                    return Operand::Value(
                        self.fail(self.unit[name].span, format!("a second arm fits the type {shown}")),
                    );
                }
                chosen = Some(arm.value);
            }
        }
        let chosen = chosen.or(default);
        arms.iter().filter(|arm| Some(arm.value) != chosen).for_each(|arm| self.only_check(arm.value));
        match chosen {
            Some(value) => self.expr(value),
            None => {
                let message = format!("no arm fits the type {} of this expression", self.quoted(ty));
                self.report(Diagnostic::error(self.unit[control].span, message));
                Operand::Value(self.wrong(span))
            }
        }
    }

    /// `__builtin_choose_expr`
    pub(super) fn choose(
        &mut self,
        condition: syntax::ExprId,
        then: syntax::ExprId,
        otherwise: syntax::ExprId,
    ) -> Operand {
        let span = self.unit[condition].span;
        let constant = self.constant_int(condition, "the condition of `__builtin_choose_expr`");
        let Some((value, _)) = constant else { return Operand::Value(self.wrong(span)) };
        let (chosen, other) = if value != 0 { (then, otherwise) } else { (otherwise, then) };
        self.only_check(other);
        self.expr(chosen)
    }
}
