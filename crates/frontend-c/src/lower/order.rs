//! Where the order of evaluation can matter that C leaves open (C11 6.5p2-3, 6.5.2.2p10, 6.5.16p3, 6.7.9p23): one operand or argument
//! writes what another one reads or writes. Programs are lowered with gcc's order; that is an assumption where this finds something.
//!
//! An *access* reads or writes a variable, or memory that a pointer leads to, of a type: as in C11 6.5p7, objects of different types
//! are different, and characters may be of any object. What a function accesses is summarised for its callers in terms of
//! its parameters; what a pointer of a body may point to is a set that does not depend on the flow of control. Functions of the
//! library access what their parameters point to. Over-approximates, but for streams, locks and `errno`, whose order is left out of account.

use super::link::{In, Link};
use super::reach::{Reached, Target};
use crate::MissingBodies;
use crate::hir::{
    Body, Builtin, Callee, ExprId, ExprKind, FunctionId, GlobalId, InitEntry, LocalId, Node, PlaceId, PlaceKind,
    StmtKind, VaListOp,
};
use crate::syntax::{RecordKind, deep};
use crate::types::{Scalar, Ty, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Span, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;

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
    /// It may violate an assertion.
    may_fail: bool,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.accesses.extend(&other.accesses);
        self.may_stop |= other.may_stop;
        self.may_fail |= other.may_fail;
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
        !self.may_stop && !self.may_fail && self.accesses.iter().all(|access| !access.writes)
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
pub(super) fn find(link: &Link, reached: &Reached, missing: MissingBodies) -> Vec<Finding> {
    let mut analysis = Analysis { link, reached, missing, summaries: FxHashMap::default() };
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

/// The body of a function.
struct Frame<'s, 'l, 'a> {
    analysis: &'s Analysis<'l, 'a>,
    unit: usize,
    types: &'a Types,
    body: &'s Body,
    /// What pointers in variables may point to.
    points_to: FxHashMap<LocalId, Bases>,
    known: FxHashMap<ExprId, Rc<Effects>>,
}

impl<'s, 'l, 'a> Frame<'s, 'l, 'a> {
    fn new(analysis: &'s Analysis<'l, 'a>, function: In<FunctionId>, body: &'s Body) -> Frame<'s, 'l, 'a> {
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

    fn summary(&mut self) -> Summary {
        let mut summary = Summary::default();
        let mut accesses = Vec::new();
        let body = self.body;
        body.for_each_node(|node| {
            if let Node::Expr(expr) = node {
                let own = self.own_effects(expr);
                summary.effects.may_stop |= own.may_stop;
                summary.effects.may_fail |= own.may_fail;
                accesses.extend(own.accesses);
            }
            if let Node::Stmt(stmt) = node
                && let StmtKind::Return(Some(value)) = body[stmt].kind
                && self.types.is_pointer(body[value].ty)
            {
                summary.returns.extend(self.bases(value));
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
    fn bases(&self, expr: ExprId) -> Bases {
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
    fn substituted(&self, base: Base, arguments: &[ExprId]) -> Bases {
        match base {
            Base::Parameter(n) => match arguments.get(n) {
                Some(argument) => self.bases(*argument),
                None => Bases::from([Base::Unknown]),
            },
            base => Bases::from([base]),
        }
    }

    /// Whether it is a function of the program with a body.
    fn is_users(&self, function: In<FunctionId>) -> bool {
        let link = self.analysis.link;
        link.is_users(function.unit) && matches!(link.target(function), Target::Defined(_))
    }

    // Effects

    /// What an evaluation does, with its operands.
    fn effects(&mut self, expr: ExprId) -> Rc<Effects> {
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
    fn place_effects(&mut self, place: PlaceId) -> Effects {
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
        effects
    }

    fn access(&self, place: PlaceId, writes: bool, effects: &mut Effects) {
        let (class, is_exact) = self.class(place);
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
    fn access_through(&self, pointer: ExprId, writes: bool, effects: &mut Effects) {
        let access = |base| Access { base, class: Class::Any, writes, is_direct: false, is_exact: false };
        effects.accesses.extend(self.bases(pointer).into_iter().map(access));
    }

    fn builtin(&self, builtin: Builtin, arguments: &[ExprId], effects: &mut Effects) {
        match builtin {
            Builtin::Trap | Builtin::Unreachable => effects.may_stop = true,
            Builtin::Alloca | Builtin::Fence | Builtin::WeakOrder => {}
            builtin if super::effects::is_pure(builtin) => {}
            _ => {
                for pointer in arguments.iter().filter(|argument| self.types.is_pointer(self.body[**argument].ty)) {
                    self.access_through(*pointer, false, effects);
                    if builtin != Builtin::AtomicLoad {
                        self.access_through(*pointer, true, effects);
                    }
                }
            }
        }
    }

    fn call(&self, target: In<FunctionId>, arguments: &[ExprId], effects: &mut Effects) {
        if self.is_users(target) {
            let Some(summary) = self.analysis.summaries.get(&target) else { return };
            return self.take(&summary.effects, arguments, effects);
        }
        if matches!(self.analysis.link.target(target), Target::Missing) {
            self.take(&self.analysis.promised(target), arguments, effects);
        }
        let found = self.analysis.link.function(target);
        match self.analysis.link.target(target) {
            Target::Missing
                if self.analysis.missing != MissingBodies::Havoc && self.analysis.link.contracts(target).is_empty() =>
            {
                return;
            }
            Target::Unsupported(_) => return,
            _ => {}
        }
        self.foreign_call(found.name.as_str(), found.is_noreturn, target, arguments, effects);
    }

    /// Adds what a function does that is called with these arguments.
    fn take(&self, does: &Effects, arguments: &[ExprId], effects: &mut Effects) {
        effects.may_stop |= does.may_stop;
        effects.may_fail |= does.may_fail;
        for access in &does.accesses {
            let bases = self.substituted(access.base, arguments);
            effects.accesses.extend(bases.into_iter().map(|base| Access { base, ..*access }));
        }
    }

    /// A call of a function of the library, or of one without a body that may write to what it is given.
    fn foreign_call(
        &self,
        name: &str,
        is_noreturn: bool,
        target: In<FunctionId>,
        arguments: &[ExprId],
        effects: &mut Effects,
    ) {
        const FAILING: [&str; 9] = [
            "assert",
            "__assert",
            "__assert_fail",
            "__assert_rtn",
            "__assert_func",
            "__VERIFIER_assert",
            "__CPROVER_assert",
            "reach_error",
            "__VERIFIER_error",
        ];
        const STOPPING: [&str; 10] = [
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "longjmp",
            "siglongjmp",
            "__VERIFIER_assume",
            "__CPROVER_assume",
            "__builtin_assume",
        ];
        const SYNCHRONISING: [&str; 4] = ["pthread_", "sem_", "mtx_", "cnd_"];
        effects.may_fail |= FAILING.contains(&name);
        effects.may_stop |= STOPPING.contains(&name) || is_noreturn && !FAILING.contains(&name);
        if FAILING.contains(&name) || SYNCHRONISING.iter().any(|prefix| name.starts_with(prefix)) {
            return;
        }
        let types = self.analysis.types(target.unit);
        let declared = types.function_type(self.analysis.link.function(target).ty);
        for (n, argument) in arguments.iter().enumerate() {
            if let Some(function) = self.function(*argument) {
                self.callback(function, effects);
                continue;
            }
            let parameter = declared.and_then(|ty| ty.parameters.get(n));
            let (types, ty) = parameter.map_or((self.types, self.body[*argument].ty), |ty| (types, *ty));
            let Some(pointee) = types.pointee(ty) else { continue };
            if super::library::is_stream(types, pointee) {
                continue;
            }
            self.access_through(*argument, false, effects);
            let is_output = name.contains("printf") && parameter.is_none();
            if !pointee.is_const() && !types.is_function(pointee) && !is_output {
                self.access_through(*argument, true, effects);
            }
        }
    }

    /// The function that an argument is.
    fn function(&self, argument: ExprId) -> Option<In<FunctionId>> {
        match self.body[argument].kind {
            ExprKind::Function(id) => Some(self.analysis.link.definition(In { unit: self.unit, id })),
            ExprKind::Cast(_, operand) => deep(|| self.function(operand)),
            _ => None,
        }
    }

    /// A function that is called with what nobody knows.
    fn callback(&self, function: In<FunctionId>, effects: &mut Effects) {
        let Some(summary) = self.analysis.summaries.get(&function) else { return };
        let unknown = |access: &Access| match access.base {
            Base::Parameter(_) => Access { base: Base::Unknown, ..*access },
            _ => *access,
        };
        effects.accesses.extend(summary.effects.accesses.iter().map(unknown));
        effects.may_stop |= summary.effects.may_stop;
        effects.may_fail |= summary.effects.may_fail;
    }

    // Operands

    /// Looks at the operands of a node.
    fn look_at(&mut self, node: Node, findings: &mut Vec<Finding>) {
        let body = self.body;
        match node {
            Node::Expr(expr) => self.look_at_expr(expr, findings),
            Node::Place(place) => match &body[place].kind {
                PlaceKind::Element { array, index, .. } => {
                    let operands = [Rc::new(self.place_effects(*array)), self.effects(*index)];
                    self.compare(&operands, body[place].span, findings);
                }
                PlaceKind::Initialised { init, .. } => self.look_at_entries(&init.entries, body[place].span, findings),
                _ => {}
            },
            Node::Stmt(stmt) => {
                if let StmtKind::Declare { init: Some(init), .. } = &body[stmt].kind {
                    self.look_at_entries(&init.entries, body[stmt].span, findings);
                }
            }
        }
    }

    fn look_at_entries(&mut self, entries: &[InitEntry], span: Span, findings: &mut Vec<Finding>) {
        if entries.len() > 1 {
            let operands: Vec<Rc<Effects>> = entries.iter().map(|entry| self.effects(entry.value)).collect();
            self.compare(&operands, span, findings);
        }
    }

    fn look_at_expr(&mut self, expr: ExprId, findings: &mut Vec<Finding>) {
        let node = &self.body[expr];
        let operands: Vec<Rc<Effects>> = match &node.kind {
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::PointerOffset { pointer: left, index: right, .. } => {
                vec![self.effects(*left), self.effects(*right)]
            }
            ExprKind::Builtin(_, arguments) => arguments.iter().map(|argument| self.effects(*argument)).collect(),
            ExprKind::Call { callee, arguments } => {
                let pointer = if let Callee::Indirect { pointer, .. } = callee { Some(*pointer) } else { None };
                pointer.into_iter().chain(arguments.iter().copied()).map(|operand| self.effects(operand)).collect()
            }
            ExprKind::Assign { place, value } => {
                self.compare_with_target(*place, *value, node.span, findings);
                vec![Rc::new(self.place_effects(*place)), self.effects(*value)]
            }
            ExprKind::Update { place, value, .. } => {
                self.compare_with_target(*place, *value, node.span, findings);
                let mut target = self.place_effects(*place);
                self.access(*place, false, &mut target);
                vec![Rc::new(target), self.effects(*value)]
            }
            _ => return,
        };
        self.compare(&operands, node.span, findings);
    }

    /// Compares all operands with each other.
    fn compare(&self, operands: &[Rc<Effects>], span: Span, findings: &mut Vec<Finding>) {
        if operands.iter().all(|operand| operand.are_silent()) {
            return;
        }
        for (n, one) in operands.iter().enumerate() {
            for other in &operands[n + 1..] {
                if !(one.are_silent() && other.are_silent())
                    && let Some((why, is_undefined)) = self.clash(one, other)
                {
                    findings.push(Finding { span, why, is_undefined });
                    return;
                }
            }
        }
    }

    /// How two evaluations can depend on their order, and whether that makes them undefined.
    fn clash(&self, one: &Effects, other: &Effects) -> Option<(String, bool)> {
        let mut found: Option<(String, bool)> = None;
        for a in &one.accesses {
            for b in other.accesses.iter().filter(|b| self.analysis.conflict(self.body, a, b)) {
                let is_undefined = a.is_direct && b.is_direct && a.is_exact && b.is_exact && a.base == b.base;
                if found.as_ref().is_none_or(|(_, known)| is_undefined && !known) {
                    let does = if a.writes && b.writes { "both write" } else { "one writes what another reads:" };
                    let named = self.named(a).or_else(|| self.named(b)).unwrap_or_else(|| "memory".to_string());
                    found = Some((format!("{does} {named}"), is_undefined));
                }
            }
        }
        let ends = one.may_stop && other.may_fail || one.may_fail && other.may_stop;
        found.or_else(|| ends.then(|| ("one may end the execution, another violate an assertion".to_string(), false)))
    }

    /// The assignment itself writes, and what its value writes on the way need not come before (C11 6.5p2).
    fn compare_with_target(&self, place: PlaceId, value: ExprId, span: Span, findings: &mut Vec<Finding>) {
        let mut target = Effects::default();
        self.access(place, true, &mut target);
        let mut pending = Effects::default();
        self.pending_writes(value, &mut pending);
        let is_same = |a: &&Access| {
            a.is_exact && pending.accesses.iter().any(|b| b.is_exact && b.base == a.base && b.class == a.class)
        };
        if let Some(access) = target.accesses.iter().find(is_same)
            && let Some(name) = self.named(access)
        {
            findings.push(Finding { span, why: format!("both write {name}"), is_undefined: true });
        }
    }

    /// The writes of an evaluation that no sequence point follows in it.
    fn pending_writes(&self, expr: ExprId, effects: &mut Effects) {
        match &self.body[expr].kind {
            ExprKind::Assign { place, value } | ExprKind::Update { place, value, .. } => {
                self.access(*place, true, effects);
                deep(|| self.pending_writes(*value, effects));
            }
            ExprKind::Comma(_, last) | ExprKind::Logical(_, _, last) => deep(|| self.pending_writes(*last, effects)),
            ExprKind::Conditional { then, otherwise, .. } => {
                deep(|| self.pending_writes(*then, effects));
                deep(|| self.pending_writes(*otherwise, effects));
            }
            ExprKind::Call { .. } | ExprKind::Statements { .. } | ExprKind::Builtin(..) | ExprKind::VaList(_) => {}
            _ => {
                let mut children = Vec::new();
                self.body.push_children(Node::Expr(expr), &mut children);
                while let Some(child) = children.pop() {
                    match child {
                        Node::Expr(child) => deep(|| self.pending_writes(child, effects)),
                        child => self.body.push_children(child, &mut children),
                    }
                }
            }
        }
    }

    /// What an access is to, as the user calls it.
    fn named(&self, access: &Access) -> Option<String> {
        match access.base {
            Base::Local(local) => self.body[local].name.map(|name| format!("`{name}`")),
            Base::Global(global) => {
                let name = self.analysis.link.units[global.unit][global.id].name;
                Some(format!("`{name}`"))
            }
            _ => match access.class {
                Class::Member(_, name, _) => Some(format!("the member `{name}`")),
                _ => None,
            },
        }
    }
}
