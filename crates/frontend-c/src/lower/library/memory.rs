//! Memory: `malloc` and its like, and what copies and fills bytes.
//!
//! `malloc` succeeds unless the options say that it may fail, as SV-COMP has it; what it gives is zero bytes long or more.

use super::support::{EINVAL, ENOMEM};
use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::alloc::{MALLOC_ALIGNMENT, Made};
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::AssumptionKind;
use term::{Sort, Term, build};

/// The size of a page, in bytes.
const PAGE: u64 = 4096;

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "malloc" => malloc,
        "valloc" => valloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" | "cfree" => free,
        "alloca" | "__builtin_alloca" => alloca,
        "memalign" | "aligned_alloc" => aligned,
        "posix_memalign" => posix_memalign,
        "memset" | "__memset_chk" => memset,
        "memcpy" | "__memcpy_chk" => memcpy,
        "memmove" | "__memmove_chk" => memmove,
        "mempcpy" | "__mempcpy" | "__mempcpy_chk" => mempcpy,
        "bzero" => bzero,
        "bcopy" => bcopy,
        "__fathom_havoc" | "__VERIFIER_nondet_memory" => havoc,
        "__fathom_object" => object,
        "__fathom_pages" => pages,
        _ => return None,
    })
}

/// The pointer to a new dynamic object, or null if memory may run out. It may start with zeros.
fn allocate(writer: &mut Writer<'_, '_>, size: Term, zeroed: bool) -> Term {
    let size = writer.stable(size);
    let fails = runs_out(writer, size);
    unless(writer, fails, |writer| succeed(writer, size, zeroed))
}

/// Whether there is not enough memory for an object of a size.
fn runs_out(writer: &mut Writer<'_, '_>, size: Term) -> Term {
    if writer.context.options.malloc_may_fail {
        return writer.code.arbitrary(Sort::bool());
    }
    writer.context.assume(AssumptionKind::Allocation, "allocation of memory never fails", &[], None);
    writer.is_used_up(size)
}

/// The pointer that is made unless an allocation fails: then it is null, and `errno` is set.
fn unless(writer: &mut Writer<'_, '_>, fails: Term, make: impl FnOnce(&mut Writer<'_, '_>) -> Term) -> Term {
    if fails.as_bool() == Some(false) {
        return make(writer);
    }
    let result = writer.code.temporary(writer.pointer_sort());
    let (yes, no, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    writer.code.branch(fails, yes, no);
    writer.code.continue_at(yes);
    writer.set_errno(build::bv(32, u128::from(ENOMEM)));
    writer.code.assign(result, build::null(writer.width()));
    writer.code.jump(end);
    writer.code.continue_at(no);
    let object = make(writer);
    writer.code.assign(result, object);
    writer.code.enter(end);
    result
}

fn succeed(writer: &mut Writer<'_, '_>, size: Term, zeroed: bool) -> Term {
    let size = writer.stable(size);
    let pointer = writer.allocate_dynamic(size);
    writer.begin_unwritten(pointer);
    if zeroed {
        writer.fill_bytes(pointer, build::bv(8, 0), size);
    }
    pointer
}

fn malloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let pointer = allocate(writer, size, false);
    writer.give(call, pointer, false)
}

fn valloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let pointer = allocate(writer, size, false);
    align_to(writer, pointer, writer.offset(PAGE));
    writer.give(call, pointer, false)
}

fn aligned(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (align, size) = (writer.size_argument(call, 0)?, writer.size_argument(call, 1)?);
    let pointer = allocate(writer, size, false);
    align_to(writer, pointer, align);
    writer.give(call, pointer, false)
}

/// That a new object lies at a multiple of a power of two.
fn align_to(writer: &mut Writer<'_, '_>, pointer: Term, align: Term) {
    if writer.context.with_addresses {
        let start = build::select(writer.context.base_map(), build::pointer_object(pointer));
        let (none, mask) = (writer.offset(0), build::bv_sub(align, writer.offset(1)));
        let is_aligned = build::eq(build::bv_and(start, mask), none);
        writer.code.assume(build::or([build::eq(align, none), is_aligned]));
    }
}

/// Gives an error number instead of setting one: the target is written on success only.
fn posix_memalign(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (target, size) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 2)?);
    let align = writer.size_argument(call, 1)?;
    let (target, size, align) = (writer.stable(target), writer.stable(size), writer.stable(align));
    let (word, one) = (u64::from(writer.width() / 8), writer.offset(1));
    let is_power = build::eq(build::bv_and(align, build::bv_sub(align, one)), writer.offset(0));
    let is_aligned = build::and([is_power, build::not(build::bv_ult(align, writer.offset(word)))]);
    let result = writer.code.temporary(Sort::bv(32));
    let (bad, good, fails) = (writer.code.location(), writer.code.location(), writer.code.location());
    let (works, end) = (writer.code.location(), writer.code.location());
    writer.code.branch(is_aligned, good, bad);
    writer.code.continue_at(bad);
    writer.code.assign(result, build::bv(32, u128::from(EINVAL)));
    writer.code.jump(end);
    writer.code.continue_at(good);
    let full = runs_out(writer, size);
    writer.code.branch(full, fails, works);
    writer.code.continue_at(fails);
    writer.code.assign(result, build::bv(32, u128::from(ENOMEM)));
    writer.code.jump(end);
    writer.code.continue_at(works);
    let pointer = succeed(writer, size, false);
    align_to(writer, pointer, align);
    writer.check_bytes(target, writer.offset(word), Access::Write);
    writer.write(target, pointer);
    writer.code.assign(result, build::bv(32, 0));
    writer.code.enter(end);
    writer.give(call, result, true)
}

/// Whether the product of two sizes is small enough for an object, and the product.
fn total(writer: &Writer<'_, '_>, count: Term, size: Term) -> (Term, Term) {
    let width = writer.width();
    let wide = build::bv_mul(build::zero_extend(width * 2, count), build::zero_extend(width * 2, size));
    (build::bv_ult(wide, build::bv(width * 2, 1 << (width - 1))), build::bv_mul(count, size))
}

fn calloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (count, size) = (writer.size_argument(call, 0)?, writer.size_argument(call, 1)?);
    let (fits, size) = total(writer, count, size);
    let size = writer.stable(size);
    let pointer = unless(writer, build::not(fits), |writer| allocate(writer, size, true));
    writer.give(call, pointer, false)
}

fn realloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (old, size) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    resize(writer, call, old, size, build::truth())
}

fn reallocarray(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (old, count) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    let size = writer.size_argument(call, 2)?;
    let (fits, size) = total(writer, count, size);
    resize(writer, call, old, size, fits)
}

/// A new object that starts with what the old one holds, as far as both reach. The old one ends, unless there is not enough memory. As
/// glibc has it, an object of size zero is only freed.
fn resize(writer: &mut Writer<'_, '_>, call: &Call, old: Term, size: Term, fits: Term) -> Option<Value> {
    let (old, size) = (writer.code.keep(old), writer.code.keep(size));
    let full = runs_out(writer, size);
    let fails = build::or([build::not(fits), full]);
    let result = writer.code.temporary(writer.pointer_sort());
    let (gone, moved, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    let is_null = build::eq(old, build::null(writer.width()));
    let vanishes = build::and([fits, build::eq(size, writer.offset(0)), build::not(is_null)]);
    writer.code.branch(vanishes, gone, moved);
    writer.code.continue_at(gone);
    writer.free(old);
    writer.code.assign(result, build::null(writer.width()));
    writer.code.jump(end);
    writer.code.continue_at(moved);
    writer.check_free(old);
    let made = unless(writer, fails, |writer| {
        let sizes = writer.context.size_map();
        let before = build::select(sizes, build::pointer_object(old));
        let kept = build::ite(build::bv_ult(before, size), before, size);
        let length = writer.code.keep(build::ite(is_null, writer.offset(0), kept));
        writer.may_come_back(build::pointer_object(old));
        let pointer = writer.allocate_dynamic(size);
        writer.begin_unwritten(pointer);
        writer.copy_bytes(pointer, old, length);
        writer.free(old);
        pointer
    });
    writer.code.assign(result, made);
    writer.code.enter(end);
    writer.give(call, result, false)
}

fn free(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let pointer = writer.pointer_argument(call, 0)?;
    writer.free(pointer);
    Some(writer.nothing(call.ty))
}

fn alloca(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let pointer = writer.alloca(size);
    writer.give(call, pointer, false)
}

fn memset(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, byte) = (writer.pointer_argument(call, 0)?, writer.int_argument(call, 1)?);
    let (to, length) = (writer.stable(to), writer.size_argument(call, 2)?);
    fill(writer, to, build::extract(7, 0, byte), length);
    writer.give(call, to, false)
}

fn bzero(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    fill(writer, to, build::bv(8, 0), length);
    Some(writer.nothing(call.ty))
}

fn fill(writer: &mut Writer<'_, '_>, to: Term, byte: Term, length: Term) {
    let (to, length) = (writer.stable(to), writer.stable(length));
    let to = writer.bytes_at(to, length);
    writer.check_block(to, length, Access::Write);
    writer.fill_bytes(to, byte, length);
}

/// Copies, with pointers that stay what they are.
fn copy(writer: &mut Writer<'_, '_>, to: Term, from: Term, length: Term) -> Term {
    let (to, from, length) = (writer.stable(to), writer.stable(from), writer.stable(length));
    let (target, source) = (writer.bytes_at(to, length), writer.bytes_at(from, length));
    writer.check_block(source, length, Access::Read);
    writer.check_block(target, length, Access::Write);
    writer.copy_bytes(target, source, length);
    to
}

fn memcpy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, _) = copy_apart(writer, call)?;
    writer.give(call, to, false)
}

fn mempcpy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, length) = copy_apart(writer, call)?;
    writer.give(call, crate::lower::pointer::add(to, length), false)
}

/// Copies between objects that must not overlap; where to, and how many bytes.
fn copy_apart(writer: &mut Writer<'_, '_>, call: &Call) -> Option<(Term, Term)> {
    let (to, from) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    let (to, from, length) = (writer.stable(to), writer.stable(from), writer.stable(length));
    writer.check_disjoint((to, length), (from, length));
    Some((copy(writer, to, from, length), length))
}

fn memmove(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, from) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    let to = copy(writer, to, from, length);
    writer.give(call, to, false)
}

fn bcopy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (from, to) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    copy(writer, to, from, length);
    Some(writer.nothing(call.ty))
}

/// Makes bytes arbitrary: those of a new object are.
pub(in crate::lower) fn make_arbitrary(writer: &mut Writer<'_, '_>, to: Term, length: Term) {
    let (to, length) = (writer.stable(to), writer.stable(length));
    let to = writer.bytes_at(to, length);
    writer.check_bytes(to, length, Access::Write);
    let object = writer.code.temporary(Sort::object());
    writer.allocate(object, length, 1, Made::Scoped);
    writer.copy_bytes(to, build::pointer(object, writer.offset(0)), length);
}

fn havoc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    make_arbitrary(writer, to, length);
    Some(Value::Void)
}

/// A new object that nobody need free.
fn pages(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let object = writer.code.temporary(Sort::object());
    writer.allocate(object, size, PAGE as u32, Made::Scoped);
    writer.give(call, build::pointer(object, writer.offset(0)), false)
}

fn object(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let object = writer.code.temporary(Sort::object());
    writer.allocate(object, size, MALLOC_ALIGNMENT, Made::Scoped);
    writer.give(call, build::pointer(object, writer.offset(0)), false)
}
