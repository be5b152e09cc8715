//! The bits of NaNs, in programs that can see them.
//!
//! Floats that are computed with have one NaN. In memory it has bits that are not known, the same throughout an execution:
//! quiet, with any sign and payload. Where a NaN with other bits is read as a float, or its sign changes, Fathom gives up.

use super::link::Link;
use super::reach::Reached;
use super::writer::Writer;
use crate::hir::{Body, Callee, CastKind, ExprId, ExprKind, Unit};
use crate::syntax::{RecordKind, deep};
use crate::types::{Record, Ty, TypeKind, Types};
use rustc_hash::FxHashSet;
use term::{FloatFormat, Sort, Term, build};

/// Functions whose memory holds nothing yet.
const ALLOCATORS: [&str; 5] = ["malloc", "calloc", "realloc", "aligned_alloc", "memalign"];

/// The formats whose bits are followed, with the widths of exponent (and the bit that makes a NaN quiet) and the rest.
const FORMATS: [(FloatFormat, u32, u32); 2] = [(FloatFormat::SINGLE, 9, 22), (FloatFormat::DOUBLE, 12, 51)];

/// The bits of a NaN of the sort.
fn nan_bits(sort: Sort) -> Option<Term> {
    let (_, exponent, payload) = FORMATS.into_iter().find(|(format, ..)| Sort::float(*format) == sort)?;
    let width = 1 + exponent + payload;
    Some(Term::var(format!("$nan{width}").as_str(), Sort::bv(width)))
}

/// Whether the program can read or write a float as something else: as another member of a union, through a pointer to
/// another type, or by copying its bytes. The library's own functions do so, too, but no bits of a NaN come out of them.
pub(super) fn sees_float_bits(link: &Link, reached: &Reached) -> bool {
    let users = || reached.functions.iter().filter(|function| link.is_users(function.unit));
    let mixes = |types: &Types| types.records().any(|record| is_mixed_union(types, record));
    users().any(|function| mixes(&link.units[function.unit].types))
        || users()
            .filter_map(|f| Some((&link.units[f.unit], link.body(*f)?)))
            .any(|(unit, body)| casts_floats(unit, body))
}

/// Whether a value of the type has a float in it.
fn has_float(types: &Types, ty: Ty) -> bool {
    match *types.kind(ty) {
        TypeKind::Array { element, .. } => deep(|| has_float(types, element)),
        TypeKind::Record(id) => members(&types[id]).any(|ty| deep(|| has_float(types, ty))),
        _ => types.is_float(ty),
    }
}

/// Whether a value of the type has something in it that is no float.
fn has_other(types: &Types, ty: Ty) -> bool {
    match *types.kind(ty) {
        TypeKind::Array { element, .. } => deep(|| has_other(types, element)),
        TypeKind::Record(id) => members(&types[id]).any(|ty| deep(|| has_other(types, ty))),
        _ => !types.is_float(ty),
    }
}

fn members(record: &Record) -> impl Iterator<Item = Ty> {
    record.layout.iter().flat_map(|layout| layout.fields.iter().map(|field| field.ty))
}

fn is_mixed_union(types: &Types, record: &Record) -> bool {
    record.kind == RecordKind::Union
        && members(record).any(|ty| has_float(types, ty))
        && members(record).any(|ty| has_other(types, ty))
}

/// Whether a pointer to floats becomes one to something else (`void`, too, whatever is done with it), or one to other data
/// becomes one to floats. Memory that is allocated or freed shows no bits.
fn casts_floats(unit: &Unit, body: &Body) -> bool {
    let types = &unit.types;
    let calls = |id: ExprId, names: &[&str]| match &body[id].kind {
        ExprKind::Call { callee: Callee::Direct(function), .. } => names.contains(&unit[*function].name.as_str()),
        _ => false,
    };
    let freed: FxHashSet<ExprId> = body
        .exprs
        .iter()
        .flat_map(|expr| match &expr.kind {
            ExprKind::Call { callee: Callee::Direct(function), arguments }
                if unit[*function].name.as_str() == "free" =>
            {
                arguments.as_slice()
            }
            _ => &[],
        })
        .copied()
        .collect();
    body.exprs.iter().enumerate().any(|(number, expr)| {
        let ExprKind::Cast(CastKind::PointerToPointer, operand) = expr.kind else { return false };
        let (Some(from), Some(to)) = (types.pointee(body[operand].ty), types.pointee(expr.ty)) else { return false };
        let is_other = from.unqualified() != to.unqualified();
        let is_harmless = freed.contains(&ExprId(number as u32)) || calls(operand, &ALLOCATORS);
        is_other && !is_harmless && (has_float(types, from) || has_float(types, to))
    })
}

impl Writer<'_, '_> {
    /// Which bits a NaN has in this execution.
    pub fn begin_nans(&mut self) {
        if !self.context.sees_float_bits {
            return;
        }
        for (format, exponent, payload) in FORMATS {
            let Some(variable) = nan_bits(Sort::float(format)) else { continue };
            let variable = self.context.internal(variable, false);
            let open = self.code.arbitrary(Sort::bv(payload + 1));
            let sign = build::extract(payload, payload, open);
            let ones = build::bv(exponent, (1 << exponent) - 1);
            let bits = build::concat(sign, build::concat(ones, build::extract(payload - 1, 0, open)));
            self.code.assign(variable, bits);
        }
    }

    fn nan_of(&mut self, value: Term) -> Option<Term> {
        if !self.context.sees_float_bits {
            return None;
        }
        nan_bits(value.sort()).map(|variable| self.context.internal(variable, false))
    }

    /// Goes on only where a float that was read is a number, or the NaN that there is.
    pub fn check_nan(&mut self, pointer: Term, value: Term) {
        let Some(nan) = self.nan_of(value) else { return };
        let bits = self.read(nan.sort(), pointer);
        let known = build::or([build::not(build::fp_is_nan(value)), build::eq(bits, nan)]);
        self.go_on_if(known, "the bits of a NaN");
    }

    /// Goes on only where a constant that is a NaN has the bits of the NaN that there is.
    pub fn check_constant_nan(&mut self, value: Term, bits: u128) {
        let Some(nan) = self.nan_of(value) else { return };
        if build::fp_is_nan(value).as_bool() == Some(true)
            && let Some(width) = nan.sort().bv_width()
        {
            self.go_on_if(build::eq(build::bv(width, bits), nan), "the bits of a NaN");
        }
    }

    /// Goes on only where a float whose sign changes, or whose format does, is no NaN.
    pub fn check_changed_nan(&mut self, value: Term) {
        if self.context.sees_float_bits {
            self.not_a_nan(value);
        }
    }

    /// Puts a value into memory; a NaN with the bits that it has.
    pub fn put_float(&mut self, pointer: Term, value: Term, put: impl Fn(&mut Self, Term, Term)) {
        let Some(nan) = self.nan_of(value) else { return put(self, pointer, value) };
        match build::fp_is_nan(value).as_bool() {
            Some(false) => put(self, pointer, value),
            Some(true) => put(self, pointer, nan),
            None => {
                let (pointer, value) = (self.stable(pointer), self.stable(value));
                let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
                self.code.branch(build::fp_is_nan(value), yes, no);
                for (start, stored) in [(yes, nan), (no, value)] {
                    self.code.continue_at(start);
                    put(self, pointer, stored);
                    self.code.jump(end);
                }
                self.code.continue_at(end);
            }
        }
    }
}
