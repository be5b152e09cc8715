//! Objects that are defined constant must not be written (C11 6.7.3p6), whatever a pointer to them says.
//!
//! Those with static storage have the first identities, beside functions and literals. Of those with automatic storage a
//! map tells; it exists only in programs that have such an object in memory and drop a `const` somewhere. A member that is
//! constant in an object that is not may be written through a pointer: that it must not be is a matter of opinion.

use super::context::Context;
use super::link::Link;
use super::reach::Reached;
use super::writer::Writer;
use crate::hir::{Body, Callee, CastKind, ExprKind, PlaceKind, Unit, VaListOp};
use crate::syntax::{RecordKind, deep};
use crate::types::{Ty, Types};
use ir::Op;
use term::{Sort, Term, build};

/// Which objects with automatic storage are constant.
fn constants() -> Term {
    Term::var("$constant", Sort::array(Sort::object(), Sort::bool()))
}

/// Whether objects of the type are constant as a whole.
pub(super) fn is_constant(types: &Types, ty: Ty) -> bool {
    ty.is_const() || types.element(ty).is_some_and(|element| deep(|| is_constant(types, element)))
}

/// Whether a program can write to an object with automatic storage that is constant.
pub(super) fn may_write_constants(link: &Link, reached: &Reached) -> bool {
    let bodies = || reached.functions.iter().filter_map(|f| Some((&link.units[f.unit], link.body(*f)?)));
    let has_constant = |(unit, body): (&Unit, &Body)| {
        let in_memory = body.locals.iter().filter(|local| local.uses.address_taken || local.uses.indexed);
        in_memory.into_iter().any(|local| is_constant(&unit.types, local.ty))
    };
    bodies().any(has_constant) && bodies().any(|(unit, body)| drops_const(unit, body))
}

/// Whether a pointer to something constant may become one to something that is not.
fn drops_const(unit: &Unit, body: &Body) -> bool {
    let types = &unit.types;
    let has_prototype = |callee: &Callee| match callee {
        Callee::Direct(function) => types.function_type(unit[*function].ty).is_some_and(|ty| ty.is_prototype),
        Callee::Indirect { pointer, .. } => {
            let function = types.pointee(body[*pointer].ty).and_then(|pointee| types.function_type(pointee));
            function.is_some_and(|ty| ty.is_prototype)
        }
    };
    let to_constant = |ty: Ty| types.pointee(ty).is_some_and(|pointee| is_constant(types, pointee));
    let to_variable = |ty: Ty| types.pointee(ty).is_some_and(|pointee| !is_constant(types, pointee));
    let by_expr = body.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Call { ref callee, ref arguments } => {
            !has_prototype(callee) && arguments.iter().any(|argument| to_constant(body[*argument].ty))
        }
        ExprKind::Cast(CastKind::PointerToPointer, operand) => {
            let (from, to) = (body[operand].ty, expr.ty);
            let inner = |ty: Ty| types.pointee(ty).filter(|pointee| types.is_pointer(*pointee));
            let nested = inner(from).is_some_and(to_constant) && !inner(to).is_some_and(to_constant);
            // What a function is called as need not be what it is.
            let is_function = types.pointee(from).is_some_and(|pointee| types.function_type(pointee).is_some());
            to_constant(from) && to_variable(to) || nested || is_function
        }
        ExprKind::Cast(CastKind::PointerToInt, operand) => to_constant(body[operand].ty),
        ExprKind::VaList(VaListOp::Arg(_)) => to_variable(expr.ty),
        _ => false,
    });
    let by_union = |kind: &PlaceKind, ty: Ty| match kind {
        PlaceKind::Field { record, .. } => types[*record].kind == RecordKind::Union && to_variable(ty),
        _ => false,
    };
    by_expr || body.places.iter().any(|place| by_union(&place.kind, place.ty))
}

impl Context<'_> {
    /// At the start no object with automatic storage is constant.
    pub fn initial_constants(&self) -> Option<Op> {
        let map = constants();
        self.is_global(map).then(|| Op::assign(map, build::const_array(map.sort(), build::falsehood())))
    }

    /// Whether an object may be written.
    pub fn is_writable(&mut self, object: Term) -> Term {
        let last = build::bv(term::OBJECT_WIDTH, u128::from(self.last_constant));
        let behind = build::bv_ult(last, object);
        if !self.writes_constants {
            return behind;
        }
        let map = self.internal(constants(), false);
        build::and([behind, build::not(build::select(map, object))])
    }
}

impl Writer<'_, '_> {
    /// That a new object with automatic storage is constant, if that matters.
    pub fn begin_constant(&mut self, object: Term, ty: Ty) {
        if self.context.writes_constants && self.context.checks.deref && is_constant(self.types, ty) {
            let map = self.context.internal(constants(), false);
            self.code.assign(map, build::store(map, object, build::truth()));
        }
    }
}
