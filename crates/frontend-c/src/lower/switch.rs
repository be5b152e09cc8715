//! `switch`: a way to each case, and one for all other values.

use super::writer::Writer;
use crate::hir::{Case, Switch};
use crate::types::Scalar;
use term::{Term, build};

impl Writer<'_, '_> {
    pub fn switch(&mut self, this: &Switch) {
        let value = self.full_expression(|writer| {
            let value = writer.scalar(this.value);
            if value.is_var() { value } else { writer.code.keep(value) }
        });
        self.set_span(self.body[this.value].span);
        let end = self.code.location();
        let Some(Scalar::Int { width, signed }) = self.types.scalar(self.body[this.value].ty) else {
            self.unsupported("a switch over an unexpected type");
            return;
        };
        let mut others = Vec::with_capacity(this.cases.len());
        for case in &this.cases {
            let fits = fits(value, case, width, signed);
            others.push(build::not(fits));
            let label = self.label(case.label);
            self.code.branch_if(fits, label);
        }
        let default = match this.default {
            Some(label) => self.label(label),
            None => end,
        };
        self.code.branch_if(build::and(others), default);
        self.code.give_up();
        self.breaks.push((end, self.scopes.len()));
        self.statement(this.body);
        self.breaks.pop();
        self.code.enter(end);
    }
}

/// Whether the value is one of the case's.
fn fits(value: Term, case: &Case, width: u32, signed: bool) -> Term {
    let (low, high) = (build::bv_signed(width, case.low), build::bv_signed(width, case.high));
    if low == high {
        return build::eq(value, low);
    }
    let at_most = |a: Term, b: Term| if signed { build::bv_sle(a, b) } else { build::bv_ule(a, b) };
    build::and([at_most(low, value), at_most(value, high)])
}
