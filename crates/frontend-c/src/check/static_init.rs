//! The values that variables with static storage start with.

use super::Checker;
use super::constant::Constant;
use crate::hir::{ExprId, ExprKind, GlobalId, GlobalOrigin, InitEntry, PlaceKind, StaticEntry, StaticValue};
use crate::syntax;
use crate::types::{ArrayLength, Scalar, Ty, TypeKind};

impl Checker<'_> {
    /// Gives a variable its initialiser, which must be constant.
    pub(super) fn initialise_global(&mut self, global: GlobalId, ty: Ty, init: syntax::ExprId) {
        let mark = self.tables.mark();
        let reads_constants = std::mem::replace(&mut self.reads_constants, true);
        let (ty, flat) = self.flat_initialiser(ty, init, true);
        let mut entries = Vec::with_capacity(flat.len());
        for entry in flat {
            self.static_entry(&entry, 0, &mut entries);
        }
        self.reads_constants = reads_constants;
        self.tables.reset(mark);
        let size = self.types.size(ty).map(|size| size.max(self.flexible_end(ty, &entries)));
        let variable = &mut self.globals[global.index()];
        variable.ty = ty;
        variable.size = size;
        variable.init = Some(entries);
    }

    /// Where an initialised flexible array member ends: gcc makes the object as large.
    fn flexible_end(&self, ty: Ty, entries: &[StaticEntry]) -> u64 {
        let last = self.types.record(ty).and_then(|id| self.types[id].layout.as_ref()?.fields.last());
        let Some(field) = last else { return 0 };
        let TypeKind::Array { element, length: ArrayLength::Unknown } = *self.types.kind(field.ty) else { return 0 };
        let size = self.types.size(element).unwrap_or(0).max(1);
        let used = entries.last().filter(|entry| entry.offset >= field.offset);
        used.map_or(0, |entry| field.offset + ((entry.offset - field.offset) / size + 1) * size)
    }

    /// Adds the constant that an entry, moved by `base`, holds.
    fn static_entry(&mut self, entry: &InitEntry, base: u64, out: &mut Vec<StaticEntry>) {
        let (offset, bits) = (base + entry.offset, entry.bits);
        let ty = entry.ty;
        if self.types.is_record(ty) {
            return self.static_record(entry.value, offset, out);
        }
        let span = self.span(entry.value);
        let value = match self.evaluate(entry.value) {
            Some(Constant::Int(value)) => StaticValue::Int(value),
            Some(Constant::Float(bits)) => StaticValue::Float(bits),
            Some(Constant::Address { base, offset }) if self.holds_address(ty) => StaticValue::Address { base, offset },
            Some(Constant::Unsupported(what)) => StaticValue::Unsupported { what, span },
            _ => {
                self.error(span, "this initialiser is not constant");
                return;
            }
        };
        out.push(StaticEntry { offset, bits, ty, value });
    }

    fn holds_address(&self, ty: Ty) -> bool {
        match self.types.scalar(ty) {
            Some(Scalar::Pointer) => true,
            Some(Scalar::Int { width, .. }) => width == self.types.model().pointer_width(),
            _ => false,
        }
    }

    /// A record as a whole is constant only as a compound literal.
    fn static_record(&mut self, value: ExprId, offset: u64, out: &mut Vec<StaticEntry>) {
        let span = self.span(value);
        if let ExprKind::Load(place) = self.tables[value].kind {
            match &self.tables[place].kind {
                PlaceKind::Initialised { init, .. } => {
                    for entry in init.entries.clone() {
                        self.static_entry(&entry, offset, out);
                    }
                    return;
                }
                PlaceKind::Global(global) if self.globals[global.index()].origin == GlobalOrigin::CompoundLiteral => {
                    let entries = self.globals[global.index()].init.iter().flatten();
                    out.extend(entries.map(|entry| StaticEntry { offset: offset + entry.offset, ..entry.clone() }));
                    return;
                }
                _ => {}
            }
        }
        if let Some(Constant::Unsupported(what)) = self.evaluate(value) {
            let ty = self.ty(value);
            out.push(StaticEntry { offset, bits: None, ty, value: StaticValue::Unsupported { what, span } });
            return;
        }
        self.error(span, "this initialiser is not constant");
    }
}
