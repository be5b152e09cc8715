//! The bits of NaNs, in programs that can see them.
//!
//! Floats that are computed with have one NaN. In memory it has bits that are not known, the same throughout an execution:
//! quiet, with any sign and payload. Where a NaN with other bits is read as a float, or its sign changes, Fathom gives up.

use super::link::Link;
use super::reach::Reached;
use super::writer::Writer;
use crate::hir::{Body, CastKind, ExprKind, PlaceKind};
use crate::syntax::RecordKind;
use crate::types::{RecordId, Ty, Types};
use rustc_hash::FxHashSet;
use term::{FloatFormat, Sort, Term, build};

/// Functions that copy bytes.
const COPIES: [&str; 4] = ["memcpy", "memmove", "mempcpy", "bcopy"];

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
    let copies = COPIES.iter().any(|name| reached.calls(name));
    let users = reached.functions.iter().filter(|function| link.is_users(function.unit));
    let bodies = users.filter_map(|f| Some((f.unit, &link.units[f.unit].types, link.body(*f)?)));
    let mut members: FxHashSet<(usize, RecordId, bool)> = FxHashSet::default();
    for (unit, types, body) in bodies {
        if casts_floats(types, body, copies) {
            return true;
        }
        for place in &body.places {
            if let PlaceKind::Field { record, .. } = place.kind
                && types[record].kind == RecordKind::Union
            {
                members.insert((unit, record, types.is_float(place.ty)));
            }
        }
    }
    members.iter().any(|(unit, record, is_float)| members.contains(&(*unit, *record, !is_float)))
}

fn casts_floats(types: &Types, body: &Body, copies: bool) -> bool {
    body.exprs.iter().any(|expr| {
        let ExprKind::Cast(CastKind::PointerToPointer, operand) = expr.kind else { return false };
        let (from, to) = (types.pointee(body[operand].ty), types.pointee(expr.ty));
        let is_float = |ty: Option<Ty>| ty.is_some_and(|ty| types.is_float(ty));
        let is_other = |ty: Option<Ty>| ty.is_some_and(|ty| !types.is_float(ty) && (copies || !ty.is_void()));
        is_float(from) && is_other(to) || is_float(to) && from.is_some_and(|from| types.is_integer(from))
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
