//! Where the order of evaluation can matter that C leaves open (C11 6.5p2-3, 6.5.2.2p10, 6.5.16p3, 6.7.9p23): one
//! operand or argument writes what another one reads or writes. Programs are lowered with gcc's order; that is an
//! assumption where this finds something.
//!
//! An *access* reads or writes a variable, or memory that a pointer leads to, of a type: as in C11 6.5p7, objects of
//! different types are different, and characters may be of any object. What a function accesses is summarised for its
//! callers in terms of its parameters; what a pointer of a body may point to is a set that does not depend on the flow
//! of control. Functions of the library access what their parameters point to, and what some of them keep between
//! calls. Operands that both synchronise with other threads have an order that these can see. Over-approximates, but
//! for streams and `errno`, whose order is left out of account, and for loops, which are taken to end unless nothing
//! leaves them.

mod foreign;
mod frame;
mod operands;

use super::checks::Checks;
use super::context::Context;
use super::link::{In, Link};
use super::reach::Reached;
use crate::MissingBodies;
use crate::hir::{Body, Callee, ExprKind, FunctionId, GlobalId, LocalId};
use crate::types::{Scalar, Ty, Types};
use frame::Frame;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Span, Symbol};
use std::collections::BTreeSet;

/// More accesses of one evaluation than this are not told apart.
const MOST_ACCESSES: usize = 100;

/// What lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    Local(LocalId),
    Global(In<GlobalId>),
    /// What this parameter points to when the function is called.
    Parameter(usize),
    /// Memory that this call of the function allocates.
    Fresh,
    /// What functions of the library keep between calls: the number of one of [`foreign::STATES`].
    State(usize),
    /// Anything whose address is taken.
    Unknown,
    /// Anything at all.
    Everything,
}

type Bases = BTreeSet<Base>;

/// What part of it, by its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Any,
    Scalar(Kind),
    /// A member of a structure with this tag.
    Member(Option<Symbol>, Symbol, Kind),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Int(u32),
    Float(u32),
    Pointer,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Access {
    base: Base,
    class: Class,
    writes: bool,
    /// Not in a function that is called.
    is_direct: bool,
    /// All of a scalar variable, or of a member of one.
    is_exact: bool,
}

/// What an evaluation does.
#[derive(Clone, PartialEq, Default, Debug)]
struct Effects {
    accesses: BTreeSet<Access>,
    /// It may end the execution, or leave the expression.
    may_stop: bool,
    /// It may violate what is asked for.
    may_fail: bool,
    /// Other threads can tell when it happens.
    synchronises: bool,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.accesses.extend(&other.accesses);
        self.may_stop |= other.may_stop;
        self.may_fail |= other.may_fail;
        self.synchronises |= other.synchronises;
        if self.accesses.len() > MOST_ACCESSES {
            let everything = |writes| Access {
                base: Base::Everything,
                class: Class::Any,
                writes,
                is_direct: false,
                is_exact: false,
            };
            self.accesses.retain(|access| matches!(access.base, Base::Local(_)));
            self.accesses.extend([false, true].map(everything));
        }
    }

    fn are_silent(&self) -> bool {
        !self.may_stop && !self.may_fail && !self.synchronises && self.accesses.iter().all(|access| !access.writes)
    }
}

/// What a function does for its callers.
#[derive(Clone, PartialEq, Default, Debug)]
struct Summary {
    effects: Effects,
    /// What the pointer that it returns may point to.
    returns: Bases,
}

/// A place where the order matters.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub span: Span,
    /// What two operands have to do with each other.
    pub why: String,
    /// Whether the behaviour is undefined, not only unspecified (C11 6.5p2).
    pub is_undefined: bool,
}

/// Finds all places of the user's functions that were reached.
pub(super) fn find(context: &Context) -> Vec<Finding> {
    let (link, reached) = (&context.link, &context.reached);
    let mut analysis = Analysis {
        link,
        reached,
        missing: context.options.missing_bodies,
        checks: &context.checks,
        threaded: context.threaded,
        summaries: FxHashMap::default(),
    };
    let functions: Vec<(In<FunctionId>, &Body)> = reached
        .functions
        .iter()
        .filter(|function| link.is_users(function.unit))
        .filter_map(|function| Some((*function, link.body(*function)?)))
        .collect();
    if !functions.iter().any(|(_, body)| may_have_findings(body)) {
        return Vec::new();
    }
    analysis.summarise(&functions);
    let mut findings = Vec::new();
    for (function, body) in functions.into_iter().filter(|(_, body)| may_have_findings(body)) {
        let mut frame = Frame::new(&analysis, function, body);
        body.for_each_node(|node| frame.look_at(node, &mut findings));
    }
    findings.sort_by_key(|finding| (finding.span.file, finding.span.start, !finding.is_undefined));
    findings.dedup_by_key(|finding| (finding.span.file, finding.span.start));
    findings
}

/// Whether a body has an operand with a side effect: without one, nothing can be found in it.
fn may_have_findings(body: &Body) -> bool {
    let is_effect = |kind: &ExprKind| {
        matches!(kind, ExprKind::Assign { .. } | ExprKind::Update { .. } | ExprKind::Call { .. } | ExprKind::VaList(_))
    };
    let mut operands = body.exprs.iter().filter(|expr| is_effect(&expr.kind));
    operands.next().is_some()
}

struct Analysis<'l, 'a> {
    link: &'l Link<'a>,
    reached: &'l Reached,
    missing: MissingBodies,
    checks: &'l Checks,
    threaded: bool,
    summaries: FxHashMap<In<FunctionId>, Summary>,
}

impl<'l, 'a> Analysis<'l, 'a> {
    /// Computes the summaries of all functions, until they agree with each other.
    fn summarise(&mut self, functions: &[(In<FunctionId>, &Body)]) {
        let bodies: FxHashMap<In<FunctionId>, &Body> = functions.iter().copied().collect();
        let mut callers: FxHashMap<In<FunctionId>, Vec<In<FunctionId>>> = FxHashMap::default();
        for (function, body) in functions {
            for expr in &body.exprs {
                let ExprKind::Call { callee, arguments } = &expr.kind else { continue };
                for target in self.targets(function.unit, callee, arguments.len()) {
                    callers.entry(target).or_default().push(*function);
                    for clause in self.link.clauses(target) {
                        callers.entry(clause).or_default().extend([target, *function]);
                    }
                }
            }
        }
        // Callees are found after their callers, so they come first from the end.
        let mut open: Vec<In<FunctionId>> = functions.iter().map(|(function, _)| *function).collect();
        let mut is_open: FxHashSet<In<FunctionId>> = open.iter().copied().collect();
        while let Some(function) = open.pop() {
            is_open.remove(&function);
            let Some(body) = bodies.get(&function) else { continue };
            let mut summary = Frame::new(self, function, body).summary();
            summary.effects.add(&self.contract(function));
            if self.summaries.get(&function) == Some(&summary) {
                continue;
            }
            self.summaries.insert(function, summary);
            for caller in callers.get(&function).into_iter().flatten() {
                if is_open.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
    }

    /// What a contract does where the function is called: its conditions read, and may fail.
    fn contract(&self, function: In<FunctionId>) -> Effects {
        let mut effects = Effects::default();
        for clause in self.link.clauses(function) {
            effects.may_fail = true;
            if let Some(summary) = self.summaries.get(&clause) {
                effects.add(&summary.effects);
            }
        }
        effects
    }

    /// What a function without a body does that has one: it may write what its assigns clauses give.
    fn promised(&self, function: In<FunctionId>) -> Effects {
        let mut effects = self.contract(function);
        for summary in self.link.clauses(function).filter_map(|clause| self.summaries.get(&clause)) {
            let access = |base: &Base| Access {
                base: *base,
                class: Class::Any,
                writes: true,
                is_direct: false,
                is_exact: false,
            };
            effects.accesses.extend(summary.returns.iter().map(access));
        }
        effects
    }

    /// The functions that a call may call.
    fn targets(&self, unit: usize, callee: &Callee, arguments: usize) -> Vec<In<FunctionId>> {
        match *callee {
            Callee::Direct(id) => vec![self.link.definition(In { unit, id })],
            Callee::Indirect { .. } => {
                let fits = |function: &&In<FunctionId>| {
                    let ty = self.types(function.unit).function_type(self.link.function(**function).ty);
                    ty.is_none_or(|ty| !ty.is_prototype || ty.is_variadic || ty.parameters.len() == arguments)
                };
                self.reached.address_taken.iter().filter(fits).copied().collect()
            }
        }
    }

    fn types(&self, unit: usize) -> &'a Types {
        &self.link.units[unit].types
    }

    /// Whether two accesses of one function may be to one object, and one of them writes.
    fn conflict(&self, body: &Body, one: &Access, other: &Access) -> bool {
        (one.writes || other.writes) && self.may_meet(body, one.base, other.base) && one.class.meets(other.class)
    }

    fn may_meet(&self, body: &Body, one: Base, other: Base) -> bool {
        let is_addressed = |base: Base| match base {
            Base::Local(local) => body[local].uses.address_taken || body[local].uses.indexed,
            Base::Global(global) => self.link.uses(global).address_taken || self.reached.addressed.contains(&global),
            _ => true,
        };
        match (one, other) {
            (Base::Everything, base) | (base, Base::Everything) => {
                !matches!(base, Base::Local(_)) || is_addressed(base)
            }
            (Base::Unknown, Base::State(_)) | (Base::State(_), Base::Unknown) => false,
            (Base::Unknown, base) | (base, Base::Unknown) => is_addressed(base),
            (Base::Parameter(_), Base::Parameter(_)) => true,
            (Base::Parameter(_), global @ Base::Global(_)) | (global @ Base::Global(_), Base::Parameter(_)) => {
                is_addressed(global)
            }
            (one, other) => one == other,
        }
    }
}

impl Class {
    fn of(types: &Types, ty: Ty) -> Class {
        match Kind::of(types, ty) {
            // Characters are parts of any object.
            None | Some(Kind::Int(8)) => Class::Any,
            Some(kind) => Class::Scalar(kind),
        }
    }

    fn meets(self, other: Class) -> bool {
        match (self, other) {
            (Class::Any, _) | (_, Class::Any) => true,
            (Class::Scalar(a), Class::Scalar(b) | Class::Member(_, _, b))
            | (Class::Member(_, _, a), Class::Scalar(b)) => a == b,
            (Class::Member(..), Class::Member(..)) => self == other,
        }
    }
}

impl Kind {
    fn of(types: &Types, ty: Ty) -> Option<Kind> {
        Some(match types.scalar(ty)? {
            Scalar::Bool => Kind::Int(1),
            Scalar::Int { width, .. } => Kind::Int(width),
            Scalar::Float(format) => Kind::Float(format.exponent + format.significand),
            Scalar::Pointer => Kind::Pointer,
        })
    }
}
