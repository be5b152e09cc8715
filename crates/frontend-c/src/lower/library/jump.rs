//! `setjmp` and `longjmp`: what is in the buffer, and where the jumps of [`crate::lower::jump`] start and come to.

use super::{Call, Expand, refuse};
use crate::lower::access::Access;
use crate::lower::pointer::advance;
use crate::lower::value::Value;
use crate::lower::writer::Writer;
use ir::Op;
use term::{Sort, Term, build};

/// The functions that jump.
pub(in crate::lower) const JUMPS: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// The buffer holds the number of the activation, in 8 bytes, that of the site, whether it holds which signals are blocked, and
/// those.
const ACTIVATION: u32 = 64;
const SITE: u32 = 32;
const IS_SAVED: u64 = 12;
const SIGNALS: u64 = 16;
const USED: u64 = 24;

/// What of the library changes which signals are blocked.
pub(super) const BLOCKING: [&str; 4] = ["raise", "sigprocmask", "pthread_sigmask", "sigsuspend"];
/// What tells which are, and what changes that.
pub(super) const BLOCKED: &str = "__fathom_blocked_signals";
pub(super) const BLOCK: &str = "__fathom_block_signals";

pub(super) fn known(name: &str) -> Option<Expand> {
    Some(match name {
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__sigsetjmp_cancel" => set,
        name if JUMPS.contains(&name) => jump,
        _ => return None,
    })
}

fn set(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    // By a pointer it is called in a function of its own, which returns at once.
    if std::ptr::eq(writer.body, writer.context.empty) {
        return refuse(writer, call);
    }
    let buffer = writer.pointer_argument(call, 0)?;
    let buffer = writer.stable(buffer);
    writer.check_bytes(buffer, writer.offset(USED), Access::Write);
    let activation = writer.activation();
    let number = build::bv(SITE, u128::from(writer.context.next_site()));
    writer.write(buffer, activation);
    writer.write(advance(buffer, 8), number);
    if sees_blocked(writer) {
        let saves = if call.name.as_str().starts_with("__sig") || call.name.as_str().starts_with("sig") {
            writer.int_argument(call, 1)?
        } else {
            build::bv(32, 0)
        };
        let blocked = writer.call_helper(BLOCKED, Vec::new())?;
        writer.write(advance(buffer, IS_SAVED), saves);
        writer.write(advance(buffer, SIGNALS), blocked);
    }
    let pointee = writer.types.pointee(call.arguments.first()?.ty);
    let size = pointee.and_then(|ty| writer.types.size(ty)).unwrap_or(USED);
    writer.memory_written(buffer, writer.offset(size));
    let result = writer.add_site(number, buffer);
    let result = writer.code.keep(result);
    writer.give(call, result, true)
}

fn jump(writer: &mut Writer<'_, '_>, call: &Call) -> Option<Value> {
    let (buffer, value) = (writer.pointer_argument(call, 0)?, writer.int_argument(call, 1)?);
    let (buffer, value) = (writer.stable(buffer), writer.stable(value));
    writer.check_bytes(buffer, writer.offset(USED), Access::Read);
    writer.check_memory(buffer, writer.offset(USED));
    let [activation, site] = [(0, ACTIVATION), (8, SITE)].map(|(offset, width)| {
        let part = writer.read(Sort::bv(width), advance(buffer, offset));
        writer.code.keep(part)
    });
    if sees_blocked(writer) {
        let saved = writer.read(Sort::bv(32), advance(buffer, IS_SAVED));
        let blocked = writer.read(Sort::bv(64), advance(buffer, SIGNALS));
        let blocked = writer.code.keep(blocked);
        let (restore, next) = (writer.code.location(), writer.code.location());
        writer.code.branch(build::eq(saved, build::bv(32, 0)), next, restore);
        writer.code.continue_at(restore);
        writer.run_helper(BLOCK, vec![blocked]);
        writer.code.enter(next);
    }
    writer.jump_out(activation, site, not_zero(value));
    writer.code.emit(Op::skip());
    Some(writer.nothing(call.ty))
}

/// Whether it matters which signals are blocked.
fn sees_blocked(writer: &Writer<'_, '_>) -> bool {
    BLOCKING.iter().any(|name| writer.context.reaches_library(name))
}

/// `longjmp(buffer, 0)` is `longjmp(buffer, 1)`.
fn not_zero(value: Term) -> Term {
    build::ite(build::eq(value, build::bv(32, 0)), build::bv(32, 1), value)
}
