//! Keeps executions inside the language: no access through null, and none beyond objects whose size is a constant.
//!
//! What a program does after such an access has no meaning, so an execution that comes to an error that way does not count.
//! The result has fewer executions than the program: those that count, and others.

use super::access::{Accesses, Slots, number};
use crate::{EdgeMap, Passed};
use analysis::points_to::{Foreign, Object, PointsTo, Targets};
use ir::memory::FIRST_ADDRESS;
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, Program};
use std::sync::Arc;
use term::build::{and, bv, bv_ule, eq, implies, ne, null, or, pointer_object, pointer_offset};
use term::visit::post_order;
use term::{Op as TermOp, Term};

/// What is assumed of accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumed {
    /// They do not go through null: a machine would stop there.
    NotNull,
    /// They stay inside objects besides, where the sizes are known: a machine might go on, and do something else.
    Inside,
}

/// Puts in the assumption before every access that it is defined.
pub fn defined(program: &Program, assumed: Assumed) -> Passed {
    let points_to = PointsTo::new(program, Foreign::Any);
    let accesses = Accesses::collect(program, &points_to, Foreign::Any, &Slots::default());
    let checks = Checks { program, points_to: &points_to, accesses: &accesses, assumed };
    let mut guarded = program.clone();
    let mut origins = Vec::new();
    for (id, procedure) in program.procedures() {
        let Ok(body) = &procedure.body else {
            origins.push(Vec::new());
            continue;
        };
        let (mut locations, old, entry, exit) = body.clone().into_parts();
        let (mut edges, mut origin) = (Vec::new(), Vec::new());
        for ((number, edge), (old_id, _)) in old.into_iter().enumerate().zip(body.edges()) {
            debug_assert_eq!(number, old_id.0 as usize);
            let condition = checks.condition(&edge.op);
            let mut edge = edge;
            match &mut edge.op {
                Op::Assume(own) => *own = and([condition, *own]),
                _ if condition == and([]) => {}
                _ => {
                    locations.push(Location { kind: LocationKind::Plain, label: None, place: edge.place });
                    let between = LocId(locations.len() as u32 - 1);
                    edges.push(Edge { to: between, op: Op::Assume(condition), ..edge.clone() });
                    origin.push(None);
                    edge.from = between;
                }
            }
            edges.push(edge);
            origin.push(Some((id, old_id)));
        }
        guarded.procedures[id.0 as usize].body = Ok(Cfa::new(locations, edges, entry, exit));
        origins.push(origin);
    }
    Passed { program: guarded, lift: Arc::new(EdgeMap { origins }) }
}

struct Checks<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    accesses: &'a Accesses,
    assumed: Assumed,
}

impl Checks<'_> {
    /// When all accesses of an operation are defined.
    fn condition(&self, op: &Op) -> Term {
        let terms: Vec<Term> = match op {
            Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
            Op::Assume(condition) => vec![*condition],
            Op::Call { arguments, .. } | Op::Spawn { arguments, .. } => arguments.clone(),
            Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        };
        let mut conditions = Vec::new();
        for part in post_order(terms) {
            match (part.op(), part.args()) {
                (TermOp::Load(sort), [_, at]) => conditions.push(self.access(*at, sort.bytes().unwrap_or(1).into())),
                (TermOp::MemStore, [_, at, value]) => {
                    conditions.push(self.access(*at, value.sort().bytes().unwrap_or(1).into()));
                }
                (TermOp::MemCopy, [_, to, from, length]) => {
                    conditions.push(self.stretch(*to, *length));
                    conditions.push(self.stretch(*from, *length));
                }
                (TermOp::MemFill, [_, to, _, length]) => conditions.push(self.stretch(*to, *length)),
                _ => {}
            }
        }
        and(conditions)
    }

    fn stretch(&self, at: Term, length: Term) -> Term {
        match number(length) {
            Some(0) => and([]),
            Some(n) => self.access(at, n),
            None => {
                let empty = eq(length, bv(length.sort().bv_width().unwrap_or(64), 0));
                or([empty, self.access(at, 1)])
            }
        }
    }

    /// When an access to so many bytes is defined, as far as that can be said simply.
    fn access(&self, at: Term, bytes: u64) -> Term {
        let (object, offset) = (pointer_object(at), pointer_offset(at));
        let targets = self.points_to.targets(at);
        let mut conditions = vec![self.is_not_null(at, &targets)];
        if self.assumed == Assumed::NotNull {
            return and(conditions);
        }
        let is_only = targets.len() == 1;
        for (target, low) in targets {
            let Some(size) = self.size(target) else { continue };
            let Some(last) = size.checked_sub(bytes) else { continue };
            if low.number().is_some_and(|offset| offset <= last) {
                continue;
            }
            let inside = bv_ule(offset, bv(self.program.data_model.pointer_width(), last.into()));
            match target {
                Object::Static(identity) => {
                    let is_here = eq(object, bv(term::OBJECT_WIDTH, identity.into()));
                    conditions.push(implies(is_here, inside));
                }
                _ if is_only => conditions.push(inside),
                _ => {}
            }
        }
        and(conditions)
    }

    /// That a pointer is not null, nor what null and an offset make. A small number that the program takes for an address, as
    /// a stub may do, cannot be executed, but is not taken for null either.
    fn is_not_null(&self, at: Term, targets: &Targets) -> Term {
        let is_object = ne(pointer_object(at), bv(term::OBJECT_WIDTH, 0));
        if !targets.contains_key(&Object::Static(0)) {
            return is_object;
        }
        if self.assumed == Assumed::NotNull {
            return ne(start(at), null(self.program.data_model.pointer_width()));
        }
        let first = bv(self.program.data_model.pointer_width(), FIRST_ADDRESS.into());
        or([is_object, bv_ule(first, pointer_offset(at))])
    }

    /// The size of an object, if it is a constant.
    fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Static(0) => None,
            Object::Static(identity) => self.program.objects.get(identity as usize - 1).map(|object| object.size),
            Object::Site(..) => number(self.accesses.sites.get(&object)?.size?),
            Object::External(_) => None,
        }
    }
}

/// The pointer that a pointer was moved from.
fn start(at: Term) -> Term {
    match (at.op(), at.args()) {
        (TermOp::Pointer, [object, _]) => match (object.op(), object.args()) {
            (TermOp::PointerObject, [moved]) => start(*moved),
            _ => at,
        },
        _ => at,
    }
}
