//! Memory: `malloc` and its like, and what copies and fills bytes.
//!
//! `malloc` succeeds unless the options say that it may fail, as SV-COMP has it; what it gives is zero bytes long or more.

use super::{Call, Expand};
use crate::lower::access::Access;
use crate::lower::alloc::MALLOC_ALIGNMENT;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use term::{Sort, Term, build};

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "malloc" | "valloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" | "cfree" => free,
        "alloca" | "__builtin_alloca" => alloca,
        "memalign" | "aligned_alloc" => aligned,
        "posix_memalign" => posix_memalign,
        "memset" | "__memset_chk" => memset,
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => memcpy,
        "mempcpy" => mempcpy,
        "bzero" => bzero,
        "bcopy" => bcopy,
        "__fathom_havoc" => havoc,
        "__fathom_object" => object,
        _ => return None,
    })
}

/// The pointer to a new dynamic object, or null if memory may run out. It may start with zeros.
fn allocate(writer: &mut Writer<'_, '_>, size: Term, zeroed: bool) -> Term {
    if !writer.context.options.malloc_may_fail {
        writer.context.assume(AssumptionKind::Allocation, "allocation of memory never fails", &[], None);
        return succeed(writer, size, zeroed);
    }
    let result = writer.code.temporary(writer.pointer_sort());
    let fails = writer.code.arbitrary(Sort::bool());
    let (yes, no, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    writer.code.branch(fails, yes, no);
    writer.code.continue_at(yes);
    writer.code.assign(result, build::null(writer.width()));
    writer.code.jump(end);
    writer.code.continue_at(no);
    let object = succeed(writer, size, zeroed);
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

fn posix_memalign(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (target, size) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 2)?);
    let align = writer.size_argument(call, 1)?;
    let pointer = writer.allocate_dynamic(size);
    align_to(writer, pointer, align);
    writer.begin_unwritten(pointer);
    writer.check_bytes(target, writer.offset(u64::from(writer.width() / 8)), Access::Write);
    writer.write(target, pointer);
    writer.give_int(call, 0)
}

/// The product of two sizes. One that is too large for an object ends the execution, as `malloc` of it would fail.
fn total(writer: &mut Writer<'_, '_>, count: Term, size: Term) -> Term {
    let width = writer.width();
    let wide = build::bv_mul(build::zero_extend(width * 2, count), build::zero_extend(width * 2, size));
    let fits = build::bv_ult(wide, build::bv(width * 2, 1 << (width - 1)));
    writer.code.assume(fits);
    build::bv_mul(count, size)
}

fn calloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (count, size) = (writer.size_argument(call, 0)?, writer.size_argument(call, 1)?);
    let size = total(writer, count, size);
    let pointer = allocate(writer, size, true);
    writer.give(call, pointer, false)
}

fn realloc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (old, size) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    resize(writer, call, old, size)
}

fn reallocarray(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (old, count) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    let size = writer.size_argument(call, 2)?;
    let size = total(writer, count, size);
    resize(writer, call, old, size)
}

/// A new object that starts with what the old one holds, as far as both reach. The old one ends. As glibc has it, an
/// object of size zero is only freed.
fn resize(writer: &mut Writer<'_, '_>, call: &Call, old: Term, size: Term) -> Option<Value> {
    let (old, size) = (writer.code.keep(old), writer.code.keep(size));
    let result = writer.code.temporary(writer.pointer_sort());
    let (gone, moved, end) = (writer.code.location(), writer.code.location(), writer.code.location());
    let is_null = build::eq(old, build::null(writer.width()));
    let vanishes = build::and([build::eq(size, writer.offset(0)), build::not(is_null)]);
    writer.code.branch(vanishes, gone, moved);
    writer.code.continue_at(gone);
    writer.free(old);
    writer.code.assign(result, build::null(writer.width()));
    writer.code.jump(end);
    writer.code.continue_at(moved);
    writer.check_free(old);
    let sizes = writer.context.size_map();
    let before = build::select(sizes, build::pointer_object(old));
    let kept = build::ite(build::bv_ult(before, size), before, size);
    let length = writer.code.keep(build::ite(is_null, writer.offset(0), kept));
    let pointer = writer.allocate_dynamic(size);
    writer.begin_unwritten(pointer);
    writer.copy_bytes(pointer, old, length);
    writer.free(old);
    writer.code.assign(result, pointer);
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
    let length = writer.size_argument(call, 2)?;
    let to = writer.stable(to);
    writer.check_block(to, length, Access::Write);
    writer.fill_bytes(to, build::extract(7, 0, byte), length);
    writer.give(call, to, false)
}

fn bzero(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    writer.check_block(to, length, Access::Write);
    writer.fill_bytes(to, build::bv(8, 0), length);
    Some(writer.nothing(call.ty))
}

/// Copies, with pointers that stay what they are.
fn copy(writer: &mut Writer<'_, '_>, to: Term, from: Term, length: Term) -> Term {
    let (to, from) = (writer.stable(to), writer.stable(from));
    writer.check_block(from, length, Access::Read);
    writer.check_block(to, length, Access::Write);
    writer.copy_bytes(to, from, length);
    to
}

fn memcpy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, from) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    let to = copy(writer, to, from, length);
    writer.give(call, to, false)
}

fn mempcpy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, from) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    let length = writer.stable(length);
    let to = copy(writer, to, from, length);
    writer.give(call, crate::lower::pointer::add(to, length), false)
}

fn bcopy(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (from, to) = (writer.pointer_argument(call, 0)?, writer.pointer_argument(call, 1)?);
    let length = writer.size_argument(call, 2)?;
    copy(writer, to, from, length);
    Some(writer.nothing(call.ty))
}

/// Makes bytes arbitrary: those of a new object are.
pub(super) fn make_arbitrary(writer: &mut Writer<'_, '_>, to: Term, length: Term) {
    let (to, length) = (writer.stable(to), writer.stable(length));
    writer.check_bytes(to, length, Access::Write);
    let object = writer.code.temporary(Sort::object());
    writer.allocate(object, length, 1, false);
    writer.copy_bytes(to, build::pointer(object, writer.offset(0)), length);
}

fn havoc(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (to, length) = (writer.pointer_argument(call, 0)?, writer.size_argument(call, 1)?);
    make_arbitrary(writer, to, length);
    Some(Value::Void)
}

/// A new object that nobody need free.
fn object(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let size = writer.size_argument(call, 0)?;
    let object = writer.code.temporary(Sort::object());
    writer.allocate(object, size, MALLOC_ALIGNMENT, false);
    writer.give(call, build::pointer(object, writer.offset(0)), false)
}
