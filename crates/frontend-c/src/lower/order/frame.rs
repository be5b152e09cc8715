//! What the expressions of one body access, and what its pointers may point to.

use super::{Access, Analysis, Base, Bases, Class, Effects, Kind, Summary};
use crate::hir::{
    Body, Builtin, CompareOp, ExprId, ExprKind, FunctionId, LocalId, Loop, Node, PlaceId, PlaceKind, StmtKind, VaListOp,
};
use crate::lower::effects::is_pure;
use crate::lower::link::In;
use crate::lower::reach::Target;
use crate::syntax::{RecordKind, deep};
use crate::types::Types;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The body of a function.
pub(super) struct Frame<'s, 'l, 'a> {
    pub analysis: &'s Analysis<'l, 'a>,
    pub unit: usize,
    pub types: &'a Types,
    pub body: &'s Body,
    /// What pointers in variables may point to.
    points_to: FxHashMap<LocalId, Bases>,
    known: FxHashMap<ExprId, Rc<Effects>>,
}

impl<'s, 'l, 'a> Frame<'s, 'l, 'a> {
    pub fn new(analysis: &'s Analysis<'l, 'a>, function: In<FunctionId>, body: &'s Body) -> Frame<'s, 'l, 'a> {
        let (unit, types) = (function.unit, analysis.types(function.unit));
        let mut points_to: FxHashMap<LocalId, Bases> = FxHashMap::default();
        for (local, declared) in (0..).map(LocalId).zip(&body.locals) {
            if types.is_pointer(declared.ty) && declared.uses.address_taken {
                points_to.insert(local, Bases::from([Base::Unknown]));
            }
        }
        for (n, local) in body.parameters.iter().enumerate() {
            points_to.entry(*local).or_default().insert(Base::Parameter(n));
        }
        let known = FxHashMap::default();
        let mut frame = Frame { analysis, unit, types, body, points_to, known };
        while frame.follow_assignments() {}
        frame
    }

    /// Adds what pointers are assigned; whether that was new.
    fn follow_assignments(&mut self) -> bool {
        let mut found: Vec<(LocalId, Bases)> = Vec::new();
        for expr in &self.body.exprs {
            let (ExprKind::Assign { place, value } | ExprKind::Update { place, value, .. }) = expr.kind else {
                continue;
            };
            if let PlaceKind::Local(local) = self.body[place].kind
                && self.types.is_pointer(expr.ty)
            {
                found.push((local, self.bases(value)));
            }
        }
        for stmt in &self.body.stmts {
            let StmtKind::Declare { local, init: Some(init), .. } = &stmt.kind else { continue };
            if self.types.is_pointer(self.body[*local].ty) {
                found.extend(init.entries.iter().map(|entry| (*local, self.bases(entry.value))));
            }
        }
        let mut is_new = false;
        for (local, bases) in found {
            let known = self.points_to.entry(local).or_default();
            let before = known.len();
            known.extend(bases);
            is_new |= known.len() > before;
        }
        is_new
    }

    pub fn summary(&mut self) -> Summary {
        let mut summary = Summary::default();
        let mut accesses = Vec::new();
        let body = self.body;
        body.for_each_node(|node| {
            if let Node::Expr(expr) = node {
                let own = self.own_effects(expr);
                summary.effects.may_stop |= own.may_stop;
                summary.effects.may_fail |= own.may_fail;
                summary.effects.synchronises |= own.synchronises;
                accesses.extend(own.accesses);
            }
            let Node::Stmt(stmt) = node else { return };
            match &body[stmt].kind {
                StmtKind::Return(Some(value)) if self.types.is_pointer(body[*value].ty) => {
                    summary.returns.extend(self.bases(*value));
                }
                StmtKind::Loop(found) => summary.effects.may_stop |= is_endless(body, found),
                StmtKind::Label(_) => summary.effects.may_fail |= !self.analysis.checks.labels.is_empty(),
                _ => {}
            }
        });
        let is_seen = |base: &Base| !matches!(base, Base::Local(_) | Base::Fresh);
        let seen = accesses.into_iter().filter(|access| is_seen(&access.base));
        let seen = seen.map(|access| Access { is_direct: false, is_exact: false, ..access });
        let accesses = Effects { accesses: seen.collect(), ..Effects::default() };
        summary.effects.add(&accesses);
        // A pointer to a variable of a function that has returned is of no use.
        summary.returns.retain(|base| !matches!(base, Base::Local(_)));
        summary
    }

    // Pointers

    /// What a pointer may point to.
    pub fn bases(&self, expr: ExprId) -> Bases {
        let node = &self.body[expr];
        match &node.kind {
            ExprKind::Null | ExprKind::Int(_) | ExprKind::Function(_) | ExprKind::Current => Bases::new(),
            ExprKind::Load(place) => self.pointed_from(*place),
            ExprKind::AddressOf(place) => self.place_bases(*place),
            ExprKind::Cast(_, operand) if self.types.is_pointer(self.body[*operand].ty) => {
                deep(|| self.bases(*operand))
            }
            ExprKind::PointerOffset { pointer, .. } => deep(|| self.bases(*pointer)),
            ExprKind::Comma(_, value) | ExprKind::Assign { value, .. } => deep(|| self.bases(*value)),
            ExprKind::Statements { value: Some(value), .. } => deep(|| self.bases(*value)),
            ExprKind::Conditional { then, otherwise, .. } => {
                let mut bases = deep(|| self.bases(*then));
                bases.extend(deep(|| self.bases(*otherwise)));
                bases
            }
            ExprKind::Update { place, value, .. } => {
                let mut bases = self.pointed_from(*place);
                bases.extend(deep(|| self.bases(*value)));
                bases
            }
            ExprKind::Call { callee, arguments } => {
                let targets = self.analysis.targets(self.unit, callee, arguments.len());
                targets.into_iter().flat_map(|target| self.returned(target, arguments)).collect()
            }
            _ => Bases::from([Base::Unknown]),
        }
    }

    /// What the pointer at a place may point to.
    fn pointed_from(&self, place: PlaceId) -> Bases {
        match self.body[place].kind {
            PlaceKind::Local(local) => self.points_to.get(&local).cloned().unwrap_or_default(),
            _ => Bases::from([Base::Unknown]),
        }
    }

    fn place_bases(&self, place: PlaceId) -> Bases {
        match &self.body[place].kind {
            PlaceKind::Local(local) | PlaceKind::Initialised { local, .. } => Bases::from([Base::Local(*local)]),
            PlaceKind::Global(id) => {
                let global = self.analysis.link.global(In { unit: self.unit, id: *id });
                Bases::from([Base::Global(global)])
            }
            PlaceKind::String(_) => Bases::new(),
            PlaceKind::Deref(pointer) => deep(|| self.bases(*pointer)),
            PlaceKind::Field { base: inner, .. } | PlaceKind::Element { array: inner, .. } => {
                deep(|| self.place_bases(*inner))
            }
        }
    }

    /// What the pointer may point to that a function returns.
    fn returned(&self, target: In<FunctionId>, arguments: &[ExprId]) -> Bases {
        const ALLOCATING: [&str; 6] = ["malloc", "calloc", "aligned_alloc", "memalign", "strdup", "strndup"];
        if self.is_users(target) {
            let returns = self.analysis.summaries.get(&target).map(|summary| &summary.returns);
            return returns.into_iter().flatten().flat_map(|base| self.substituted(*base, arguments)).collect();
        }
        if ALLOCATING.contains(&self.analysis.link.function(target).name.as_str()) {
            return Bases::from([Base::Fresh]);
        }
        let pointers = arguments.iter().filter(|argument| self.types.is_pointer(self.body[**argument].ty));
        pointers.flat_map(|argument| self.bases(*argument)).chain([Base::Unknown]).collect()
    }

    /// What a callee calls a base, in terms of the caller.
    pub fn substituted(&self, base: Base, arguments: &[ExprId]) -> Bases {
        match base {
            Base::Parameter(n) => match arguments.get(n) {
                Some(argument) => self.bases(*argument),
                None => Bases::from([Base::Unknown]),
            },
            base => Bases::from([base]),
        }
    }

    /// Whether it is a function of the program with a body.
    pub fn is_users(&self, function: In<FunctionId>) -> bool {
        let link = self.analysis.link;
        link.is_users(function.unit) && matches!(link.target(function), Target::Defined(_))
    }

    // Effects

    /// What an evaluation does, with its operands.
    pub fn effects(&mut self, expr: ExprId) -> Rc<Effects> {
        if let Some(known) = self.known.get(&expr) {
            return Rc::clone(known);
        }
        let mut effects = self.own_effects(expr);
        let mut children = Vec::new();
        self.body.push_children(Node::Expr(expr), &mut children);
        self.add_all(children, &mut effects);
        let effects = Rc::new(effects);
        self.known.insert(expr, Rc::clone(&effects));
        effects
    }

    fn add_all(&mut self, mut open: Vec<Node>, effects: &mut Effects) {
        while let Some(node) = open.pop() {
            match node {
                Node::Expr(expr) => effects.add(&deep(|| self.effects(expr))),
                node => self.body.push_children(node, &mut open),
            }
        }
    }

    /// What the evaluation of a place does, without an access to it.
    pub fn place_effects(&mut self, place: PlaceId) -> Effects {
        let mut effects = Effects::default();
        self.add_all(vec![Node::Place(place)], &mut effects);
        effects
    }

    /// What an expression does beyond its operands.
    fn own_effects(&self, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        match &self.body[expr].kind {
            ExprKind::Load(place) => self.access(*place, false, &mut effects),
            ExprKind::Assign { place, .. } => self.access(*place, true, &mut effects),
            ExprKind::Update { place, .. } => {
                self.access(*place, false, &mut effects);
                self.access(*place, true, &mut effects);
            }
            ExprKind::VaList(VaListOp::Arg(list) | VaListOp::Start(list) | VaListOp::End(list)) => {
                self.access(*list, true, &mut effects);
            }
            ExprKind::VaList(VaListOp::Copy(target, source)) => {
                self.access(*target, true, &mut effects);
                self.access(*source, false, &mut effects);
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, &mut effects),
            ExprKind::Call { callee, arguments } => {
                for target in self.analysis.targets(self.unit, callee, arguments.len()) {
                    self.call(target, arguments, &mut effects);
                }
            }
            _ => {}
        }
        effects.may_fail |= self.may_violate(expr);
        effects
    }

    /// Whether a property about operations may be violated by this one, beside its operands and calls.
    fn may_violate(&self, expr: ExprId) -> bool {
        let checks = self.analysis.checks;
        let arithmetic = checks.overflow || checks.division || checks.shift;
        match self.body[expr].kind {
            ExprKind::Binary(..) | ExprKind::Unary(..) => arithmetic,
            ExprKind::Update { place, .. } => arithmetic || checks.memory() && self.is_open(place),
            ExprKind::Load(place) => checks.uninitialised || checks.memory() && self.is_open(place),
            ExprKind::Assign { place, .. } => checks.memory() && self.is_open(place),
            _ => false,
        }
    }

    /// Whether a place is found through a pointer or an index.
    fn is_open(&self, place: PlaceId) -> bool {
        match self.body[place].kind {
            PlaceKind::Deref(_) => true,
            PlaceKind::Element { array, index, .. } => {
                !matches!(self.body[index].kind, ExprKind::Int(_)) || deep(|| self.is_open(array))
            }
            PlaceKind::Field { base, .. } => deep(|| self.is_open(base)),
            _ => false,
        }
    }

    pub fn access(&self, place: PlaceId, writes: bool, effects: &mut Effects) {
        let (class, is_exact) = self.class(place);
        effects.synchronises |= self.analysis.threaded && self.body[place].ty.is_atomic();
        let access = |base| Access { base, class, writes, is_direct: true, is_exact };
        effects.accesses.extend(self.place_bases(place).into_iter().map(access));
    }

    /// The class of a place, and whether it is a variable or a member of one.
    fn class(&self, place: PlaceId) -> (Class, bool) {
        let (mut at, mut class, mut is_exact) = (place, Class::of(self.types, self.body[place].ty), true);
        if let PlaceKind::Field { record, field, .. } = self.body[place].kind {
            let record = &self.types[record];
            let field = record.layout.as_ref().and_then(|layout| layout.fields.get(field as usize));
            if let (Some(name), Some(kind)) =
                (field.and_then(|field| field.name), Kind::of(self.types, self.body[place].ty))
            {
                class = Class::Member(record.tag, name, kind);
            }
        }
        loop {
            at = match self.body[at].kind {
                PlaceKind::Field { base, record, .. } => {
                    if self.types[record].kind == RecordKind::Union {
                        class = Class::Any;
                    }
                    base
                }
                PlaceKind::Element { array, .. } => {
                    is_exact = false;
                    array
                }
                PlaceKind::Deref(_) => return (class, false),
                _ => return (class, is_exact && class != Class::Any),
            };
        }
    }

    /// An access to all that a pointer points to.
    pub fn access_through(&self, pointer: ExprId, writes: bool, effects: &mut Effects) {
        let access = |base| Access { base, class: Class::Any, writes, is_direct: false, is_exact: false };
        effects.accesses.extend(self.bases(pointer).into_iter().map(access));
    }

    fn builtin(&self, builtin: Builtin, arguments: &[ExprId], effects: &mut Effects) {
        match builtin {
            Builtin::Trap | Builtin::Unreachable => effects.may_stop = true,
            Builtin::Alloca | Builtin::Fence | Builtin::WeakOrder => {}
            builtin if is_pure(builtin) => {}
            _ => {
                let is_atomic = !matches!(builtin, Builtin::Overflow(_) | Builtin::SignBit);
                effects.synchronises |= self.analysis.threaded && is_atomic;
                for pointer in arguments.iter().filter(|argument| self.types.is_pointer(self.body[**argument].ty)) {
                    self.access_through(*pointer, false, effects);
                    if builtin != Builtin::AtomicLoad {
                        self.access_through(*pointer, true, effects);
                    }
                }
            }
        }
    }
}

/// Whether nothing leaves a loop.
fn is_endless(body: &Body, found: &Loop) -> bool {
    if found.condition.is_some_and(|condition| truth(body, condition) != Some(true)) {
        return false;
    }
    let mut open = vec![Node::Stmt(found.body)];
    while let Some(node) = open.pop() {
        if let Node::Stmt(stmt) = node
            && matches!(body[stmt].kind, StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_))
        {
            return false;
        }
        body.push_children(node, &mut open);
    }
    true
}

/// Whether a condition is a constant, and which.
fn truth(body: &Body, expr: ExprId) -> Option<bool> {
    match &body[expr].kind {
        ExprKind::Int(value) => Some(*value != 0),
        ExprKind::Cast(_, operand) => deep(|| truth(body, *operand)),
        ExprKind::Not(operand) => deep(|| truth(body, *operand)).map(|known| !known),
        ExprKind::Compare(CompareOp::Ne, operand, zero) if matches!(body[*zero].kind, ExprKind::Int(0)) => {
            deep(|| truth(body, *operand))
        }
        _ => None,
    }
}
