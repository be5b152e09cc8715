//! What evaluating an expression changes, and whether a term can stand for it.
//!
//! An expression is *simple* if a term says all about it: its evaluation writes no edge, so it can be evaluated or left out
//! without a difference. All other operands of `&&`, `||` and `?:` need control flow. Loads from memory count as not
//! simple, so that they are made only where the program makes them.

use super::storage::Storage;
use super::writer::Writer;
use crate::hir::{BinaryOp, Builtin, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Scale, VaListOp};
use crate::syntax::deep;
use crate::types::Scalar;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Term;

/// More variables than this are not told apart.
const MOST_LOCALS: usize = 16;

/// What an evaluation may change, beside temporary variables.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Effects {
    /// Variables of the function.
    locals: Vec<LocalId>,
    /// Memory and global variables.
    globals: bool,
    /// Any variable of the function.
    all_locals: bool,
}

impl Effects {
    fn everything() -> Effects {
        Effects { locals: Vec::new(), globals: true, all_locals: true }
    }

    pub fn are_none(&self) -> bool {
        *self == Effects::default()
    }

    pub fn add(&mut self, other: &Effects) {
        self.globals |= other.globals;
        self.all_locals |= other.all_locals;
        for local in &other.locals {
            if !self.locals.contains(local) {
                self.locals.push(*local);
            }
        }
        if self.locals.len() > MOST_LOCALS {
            self.all_locals = true;
            self.locals.clear();
        }
    }
}

/// What is known about the nodes of a body.
#[derive(Default, Debug)]
pub(super) struct Facts {
    effects: FxHashMap<ExprId, Rc<Effects>>,
    simple: FxHashMap<ExprId, bool>,
}

impl Writer<'_, '_> {
    /// What evaluating an expression may change.
    pub fn effects(&mut self, expr: ExprId) -> Rc<Effects> {
        if let Some(known) = self.facts.effects.get(&expr) {
            return Rc::clone(known);
        }
        let mut effects = Effects::default();
        let (exprs, places) = children(&self.body[expr].kind);
        for child in exprs {
            let own = deep(|| self.effects(child));
            effects.add(&own);
        }
        for place in places {
            deep(|| self.place_effects(place, &mut effects));
        }
        match &self.body[expr].kind {
            ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => self.written(*place, &mut effects),
            ExprKind::Call { .. } => effects.globals = true,
            ExprKind::Builtin(builtin, _) if !is_pure(*builtin) => effects.globals = true,
            ExprKind::VaList(op) => {
                effects.globals = true;
                let (VaListOp::Start(place) | VaListOp::End(place) | VaListOp::Copy(place, _) | VaListOp::Arg(place)) =
                    op;
                self.written(*place, &mut effects);
            }
            ExprKind::Statements { .. } | ExprKind::Unsupported(_) => effects.add(&Effects::everything()),
            _ => {}
        }
        let effects = Rc::new(effects);
        self.facts.effects.insert(expr, Rc::clone(&effects));
        effects
    }

    /// What evaluating a place may change.
    fn place_effects(&mut self, place: PlaceId, effects: &mut Effects) {
        match &self.body[place].kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::String(_) => {}
            PlaceKind::Deref(pointer) => {
                let own = self.effects(*pointer);
                effects.add(&own);
            }
            PlaceKind::Field { base, .. } => deep(|| self.place_effects(*base, effects)),
            PlaceKind::Element { array, index, .. } => {
                let own = self.effects(*index);
                effects.add(&own);
                deep(|| self.place_effects(*array, effects));
            }
            PlaceKind::Initialised { .. } => effects.add(&Effects::everything()),
        }
    }

    /// That the place is written.
    fn written(&mut self, place: PlaceId, effects: &mut Effects) {
        let mut at = place;
        loop {
            match self.body[at].kind {
                PlaceKind::Field { base, .. } => at = base,
                PlaceKind::Element { array, .. } => at = array,
                PlaceKind::Local(local) => {
                    match self.local(local) {
                        Storage::Variables(_) => effects.add(&Effects { locals: vec![local], ..Effects::default() }),
                        Storage::Memory(_) => effects.globals = true,
                    }
                    return;
                }
                _ => {
                    effects.globals = true;
                    return;
                }
            }
        }
    }

    /// The value as it is now, if what is evaluated later may change it.
    pub fn protect(&mut self, value: Term, later: &Effects) -> Term {
        if later.are_none() || value.value().is_some() || !self.is_disturbed(value, later) {
            return value;
        }
        self.code.keep(value)
    }

    fn is_disturbed(&mut self, value: Term, later: &Effects) -> bool {
        let mentioned = self.free.of(value);
        mentioned.iter().any(|variable| {
            if self.context.is_global(*variable) {
                return later.globals;
            }
            later.all_locals || later.locals.iter().any(|local| self.is_part_of(*variable, *local))
        })
    }

    fn is_part_of(&self, variable: Term, local: LocalId) -> bool {
        match &self.storage[local.index()] {
            Some(Storage::Variables(slots)) => slots.variables.contains(&variable),
            _ => false,
        }
    }

    /// Whether a term says all about the expression.
    pub fn is_simple(&mut self, expr: ExprId) -> bool {
        if let Some(known) = self.facts.simple.get(&expr) {
            return *known;
        }
        let simple = deep(|| self.find_simple(expr));
        self.facts.simple.insert(expr, simple);
        simple
    }

    fn find_simple(&mut self, expr: ExprId) -> bool {
        let node = &self.body[expr];
        if self.types.scalar(node.ty).is_none() {
            return false;
        }
        let own = match &node.kind {
            ExprKind::Load(place) => return self.is_simple_load(*place),
            ExprKind::AddressOf(place) => return self.is_simple_address(*place),
            ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::Call { .. }
            | ExprKind::VaList(_)
            | ExprKind::Statements { .. }
            | ExprKind::Unsupported(_) => false,
            ExprKind::Builtin(builtin, _) => is_pure(*builtin),
            ExprKind::Unary(..) => !self.checks_overflow(expr),
            ExprKind::Binary(op, _, right) => match op {
                BinaryOp::Div | BinaryOp::Rem => self.types.is_float(node.ty) || self.divides_safely(*right),
                BinaryOp::Shl | BinaryOp::Shr => self.shifts_safely(expr, *right) && !self.checks_overflow(expr),
                _ => !self.checks_overflow(expr),
            },
            _ => true,
        };
        own && children(&node.kind).0.into_iter().all(|child| self.is_simple(child))
    }

    /// Whether signed overflow of the expression is an error.
    fn checks_overflow(&self, expr: ExprId) -> bool {
        let signed = matches!(self.types.scalar(self.body[expr].ty), Some(Scalar::Int { signed: true, .. }));
        signed && self.context.checks.overflow && self.asks_about_arithmetic()
    }

    /// Whether a division by the expression needs no care: it is a constant, and neither 0 nor -1.
    fn divides_safely(&self, divisor: ExprId) -> bool {
        matches!(self.body[divisor].kind, ExprKind::Int(n) if n != 0 && n != -1)
    }

    /// Whether a shift by the expression needs no check: nobody asks, or it is a constant in range.
    fn shifts_safely(&self, shift: ExprId, count: ExprId) -> bool {
        let width = match self.types.scalar(self.body[shift].ty) {
            Some(Scalar::Int { width, .. }) => i128::from(width),
            _ => 0,
        };
        !self.context.checks.shift
            || !self.asks_about_arithmetic()
            || matches!(self.body[count].kind, ExprKind::Int(n) if (0..width).contains(&n))
    }

    fn is_simple_load(&mut self, place: PlaceId) -> bool {
        match self.body[place].kind {
            PlaceKind::Local(local) => match self.local(local) {
                // Where it is asked whether a variable has a value, reading it is a step.
                Storage::Variables(slots) => !slots.variables.iter().any(|variable| self.flags.contains_key(variable)),
                Storage::Memory(_) => false,
            },
            PlaceKind::Global(id) => {
                let id = super::link::In { unit: self.unit, id };
                let storage = self.context.global(id);
                !self.is_interruptible() && matches!(storage, Some(Storage::Variables(_)))
            }
            PlaceKind::Field { base, .. } => deep(|| self.is_simple_load(base)),
            PlaceKind::Element { array, index, .. } => {
                matches!(self.body[index].kind, ExprKind::Int(_)) && deep(|| self.is_simple_load(array))
            }
            _ => false,
        }
    }

    fn is_simple_address(&mut self, place: PlaceId) -> bool {
        match self.body[place].kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::String(_) => true,
            PlaceKind::Deref(pointer) => self.is_simple(pointer),
            PlaceKind::Field { base, .. } => deep(|| self.is_simple_address(base)),
            PlaceKind::Element { array, index, scale } => {
                let scale = match scale {
                    Scale::Constant(_) => true,
                    Scale::Variable(size) => self.is_simple(size),
                };
                scale && self.is_simple(index) && deep(|| self.is_simple_address(array))
            }
            PlaceKind::Initialised { .. } => false,
        }
    }
}

/// The expressions and places that an expression evaluates first.
fn children(kind: &ExprKind) -> (Vec<ExprId>, Vec<PlaceId>) {
    let scaled = |mut exprs: Vec<ExprId>, scale: &Scale| {
        if let Scale::Variable(size) = scale {
            exprs.push(*size);
        }
        (exprs, Vec::new())
    };
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Null
        | ExprKind::Function(_)
        | ExprKind::Current
        | ExprKind::Statements { .. }
        | ExprKind::Unsupported(_) => (Vec::new(), Vec::new()),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => (Vec::new(), vec![*place]),
        ExprKind::Cast(_, a) | ExprKind::Unary(_, a) | ExprKind::Not(a) => (vec![*a], Vec::new()),
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Logical(_, a, b) | ExprKind::Comma(a, b) => {
            (vec![*a, *b], Vec::new())
        }
        ExprKind::Conditional { condition, then, otherwise } => (vec![*condition, *then, *otherwise], Vec::new()),
        ExprKind::PointerOffset { pointer, index, scale, .. } => scaled(vec![*pointer, *index], scale),
        ExprKind::PointerDifference { left, right, scale } => scaled(vec![*left, *right], scale),
        ExprKind::Assign { place, value } | ExprKind::Update { place, value, .. } => (vec![*value], vec![*place]),
        ExprKind::Call { callee, arguments } => {
            let mut exprs = arguments.clone();
            if let crate::hir::Callee::Indirect { pointer, .. } = callee {
                exprs.push(*pointer);
            }
            (exprs, Vec::new())
        }
        ExprKind::Builtin(_, arguments) => (arguments.clone(), Vec::new()),
        ExprKind::VaList(op) => match op {
            VaListOp::Start(place) | VaListOp::End(place) | VaListOp::Arg(place) => (Vec::new(), vec![*place]),
            VaListOp::Copy(target, source) => (Vec::new(), vec![*target, *source]),
        },
    }
}

/// Whether a built-in operation only computes a value.
pub(super) fn is_pure(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::LeadingZeros
            | Builtin::TrailingZeros
            | Builtin::RedundantSignBits
            | Builtin::FindFirstSet
            | Builtin::PopCount
            | Builtin::Parity
            | Builtin::ByteSwap
            | Builtin::OverflowTest(_)
            | Builtin::IsNan
            | Builtin::IsInfinite
            | Builtin::InfinitySign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::IsUnordered
            | Builtin::IsLessOrGreater
            | Builtin::Classify
    )
}
