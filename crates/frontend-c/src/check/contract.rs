//! Contracts of functions: conditions that hold where a function is called and where it returns, and what it may write.
//!
//! Each condition, each `__fathom_old(e)` and each target of an assigns clause becomes a function of its own with the
//! parameters of the function that the contract is of. So names of parameters may differ between declarations, and what
//! follows needs nothing new. A condition of an ensures clause has more parameters behind them, for the result and for old
//! values.
//!
//! The semantics are those of ACSL and of CBMC's code contracts: parameters have the values of the call, in ensures clauses, too.

use super::Checker;
use super::expr::Operand;
use super::function::Frame;
use super::label::Labels;
use super::tables::Tables;
use crate::hir::{
    Body, Builtin, Callee, Clause, ExprId, ExprKind, Extra, FunctionBody, FunctionId, Linkage, LocalId, Node, PlaceId,
    PlaceKind, StmtKind,
};
use crate::syntax::{self, ClauseKind, Declarator, Derived, Parameters};
use crate::types::Ty;
use rustc_hash::FxHashSet;
use source::{Diagnostic, Span, Symbol};

/// Functions of the library that conditions may call: they only read.
const READING: [&str; 12] = [
    "strlen", "strnlen", "strcmp", "strncmp", "memcmp", "strchr", "strrchr", "memchr", "strstr", "abs", "labs", "llabs",
];

/// The clause that is being checked.
pub(super) struct OpenClause {
    kind: ClauseKind,
    /// What the function gives that the contract is of.
    result: Ty,
    parameters: Vec<LocalId>,
    /// Whether something is to be computed before the condition.
    has_prologue: bool,
    /// The parameters behind those of the function.
    extras: Vec<(LocalId, Ty, Extra)>,
    /// Whether we are in an old value.
    in_old: bool,
}

impl Checker<'_> {
    /// Adds the clauses behind a declarator to the contract of a function.
    pub(super) fn contract(&mut self, function: FunctionId, declarator: &Declarator) {
        let (Some(Derived::Function(parameters)), Some(first)) =
            (declarator.derived.first(), declarator.contract.first())
        else {
            return;
        };
        if matches!(parameters, Parameters::OldStyle(_)) {
            return self.error(first.span, "a contract needs a declaration with the types of the parameters");
        }
        for clause in &declarator.contract {
            if clause.kind == ClauseKind::Frees {
                if let Some(target) = clause.operands.first() {
                    let span = self.unit[*target].span;
                    self.error(span, "what a function frees is not supported in contracts, unless it is nothing");
                }
                continue;
            }
            if clause.kind == ClauseKind::Assigns {
                self.functions[function.index()].contract.assigns.get_or_insert_default();
            }
            for operand in &clause.operands {
                let Some(made) = self.clause(function, parameters, clause.kind, *operand, clause.span) else {
                    continue;
                };
                let contract = &mut self.functions[function.index()].contract;
                match clause.kind {
                    ClauseKind::Requires => contract.requires.push(made),
                    ClauseKind::Ensures => contract.ensures.push(made),
                    _ => contract.assigns.get_or_insert_default().push(made),
                }
            }
        }
    }

    /// A function that gives the condition, or the address of the target.
    fn clause(
        &mut self,
        of: FunctionId,
        parameters: &Parameters,
        kind: ClauseKind,
        operand: syntax::ExprId,
        span: Span,
    ) -> Option<Clause> {
        let word = match kind {
            ClauseKind::Requires => "requires clause",
            ClauseKind::Ensures => "ensures clause",
            _ => "assigns clause",
        };
        let function = self.clause_function(of, word, span);
        let result = self.types.function_type(self.functions[of.index()].ty).map_or(Ty::ERROR, |ty| ty.result);
        let tables = std::mem::take(&mut self.tables);
        let effects = std::mem::take(&mut self.vla_effects);
        let outer = self.frame.replace(Frame {
            function,
            span,
            result: Ty::BOOL,
            name_variable: None,
            labels: Labels::default(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            unsupported: None,
            clause: None,
        });
        self.scopes.enter();
        let signature = self.signature(parameters, &[]);
        let mut types = signature.types;
        if let Some(frame) = &mut self.frame {
            frame.clause = Some(OpenClause {
                kind,
                result,
                parameters: signature.locals.clone(),
                has_prologue: !signature.prologue.is_empty(),
                extras: Vec::new(),
                in_old: false,
            });
        }
        let value = match kind {
            ClauseKind::Requires | ClauseKind::Ensures => self.condition(operand),
            _ => self.written_target(operand),
        };
        let ty = self.ty(value);
        let extras = self.frame.as_mut().and_then(|frame| frame.clause.take()).map_or(Vec::new(), |open| open.extras);
        let mut statements = signature.prologue;
        statements.push(self.tables.stmt(StmtKind::Return(Some(value)), span));
        let mut locals = signature.locals;
        locals.extend(extras.iter().map(|(local, ..)| *local));
        types.extend(extras.iter().map(|(_, ty, _)| *ty));
        let body = self.take_body(locals, statements, span, span);
        self.scopes.leave();
        self.frame = outer;
        self.vla_effects = effects;
        self.tables = tables;
        let ty = self.make_function_type(ty, types, false, true);
        if ty.is_error() {
            return None;
        }
        self.functions[function.index()].ty = ty;
        self.functions[function.index()].body = body;
        Some(Clause { function, extras: extras.into_iter().map(|(_, _, extra)| extra).collect(), span })
    }

    fn clause_function(&mut self, of: FunctionId, word: &str, span: Span) -> FunctionId {
        let of = &self.functions[of.index()];
        let name = Symbol::new(&format!("{word} of {}", of.name));
        let link_name = format!("{}.{}", of.link_name, word.split(' ').next().unwrap_or(word));
        let link_name = self.unique_link_name(link_name);
        let function = self.push_function(name, Ty::ERROR, span);
        self.functions[function.index()].link_name = link_name;
        self.functions[function.index()].linkage = Linkage::Internal;
        self.clauses.push(function);
        function
    }

    /// The address of what may be written.
    fn written_target(&mut self, operand: syntax::ExprId) -> ExprId {
        let span = self.unit[operand].span;
        if let syntax::ExprKind::Call(..) = self.unit[operand].kind {
            self.unsupported_body("such a target of an assigns clause", span);
        }
        self.address_of(operand, span)
    }

    /// What names without a declaration mean in contracts.
    pub(super) fn contract_name(&mut self, name: Symbol, span: Span) -> Option<Operand> {
        if !matches!(name.as_str(), "__fathom_result" | "__CPROVER_return_value") {
            return None;
        }
        let open = self.frame.as_mut().and_then(|frame| frame.clause.as_mut());
        let Some(open) = open.filter(|open| open.kind == ClauseKind::Ensures && !open.in_old) else {
            return Some(Operand::Value(self.fail(span, format!("`{name}` has a meaning in ensures clauses only"))));
        };
        let ty = open.result;
        if ty.is_void() {
            return Some(Operand::Value(self.fail(span, "the function gives no result")));
        }
        let known = open.extras.iter().find(|(_, _, extra)| *extra == Extra::Result).map(|(local, ..)| *local);
        let local = known.unwrap_or_else(|| {
            let local = self.tables.local(None, ty, span);
            open.extras.push((local, ty, Extra::Result));
            local
        });
        Some(Operand::Place(self.tables.place(PlaceKind::Local(local), ty, span)))
    }

    /// What calls of names without a declaration mean in contracts.
    pub(super) fn contract_call(&mut self, name: Symbol, arguments: &[syntax::ExprId], span: Span) -> Option<ExprId> {
        match name.as_str() {
            "__fathom_old" | "__CPROVER_old" => Some(self.old_value(name, arguments, span)),
            text if text.starts_with("__CPROVER_") => {
                self.frame.as_ref().filter(|frame| frame.clause.is_some())?;
                self.unsupported_body(&format!("{name} in a contract"), span);
                Some(self.int(0, Ty::INT, span))
            }
            _ => None,
        }
    }

    /// The value that an expression had at the call.
    fn old_value(&mut self, name: Symbol, arguments: &[syntax::ExprId], span: Span) -> ExprId {
        let [operand] = arguments else { return self.fail(span, format!("`{name}` takes one argument")) };
        let open = self.frame.as_mut().and_then(|frame| Some((frame.function, frame.clause.as_mut()?)));
        let is_meant = |open: &(FunctionId, &mut OpenClause)| open.1.kind == ClauseKind::Ensures && !open.1.in_old;
        let Some((around, open)) = open.filter(is_meant) else {
            return self.fail(span, format!("`{name}` has a meaning in ensures clauses only, and not in itself"));
        };
        open.in_old = true;
        let (parameters, has_prologue) = (open.parameters.clone(), open.has_prologue);
        if has_prologue {
            self.unsupported_body("an old value beside parameters of variable length", span);
        }
        let function = self.clause_function(around, "old value", span);
        let locals = self.tables.locals.clone();
        let types: Vec<Ty> = parameters.iter().map(|local| locals[local.index()].ty).collect();
        let tables = std::mem::replace(&mut self.tables, Tables { locals, ..Tables::default() });
        let value = self.rvalue(*operand);
        let mut ty = self.ty(value);
        if ty.is_void() {
            self.error(span, "this has no value: its type is `void`");
            ty = Ty::ERROR;
        }
        let statements = vec![self.tables.stmt(StmtKind::Return(Some(value)), span)];
        let body = self.take_body(parameters, statements, span, span);
        self.tables = tables;
        let function_type = self.make_function_type(ty, types, false, true);
        if let Some(open) = self.frame.as_mut().and_then(|frame| frame.clause.as_mut()) {
            open.in_old = false;
        }
        if function_type.is_error() {
            return self.wrong(span);
        }
        self.functions[function.index()].ty = function_type;
        self.functions[function.index()].body = body;
        let local = self.tables.local(None, ty, span);
        if let Some(open) = self.frame.as_mut().and_then(|frame| frame.clause.as_mut()) {
            open.extras.push((local, ty, Extra::Old(function)));
        }
        let place = self.tables.place(PlaceKind::Local(local), ty, span);
        self.value(ExprKind::Load(place), ty, span)
    }

    /// Refuses side effects in what contracts evaluate.
    pub(super) fn check_clauses(&mut self) {
        for function in std::mem::take(&mut self.clauses) {
            let FunctionBody::Defined(body) = &self.functions[function.index()].body else { continue };
            if let Some((span, what)) = self.effect_in(body, true, &mut FxHashSet::default()) {
                self.report(Diagnostic::error(span, "a contract must not have side effects").label(what));
            }
        }
    }

    /// Says that nobody looks whether a body keeps to its assigns clauses.
    pub(super) fn warn_of_assigns(&mut self) {
        for function in &self.functions {
            let is_defined = !matches!(function.body, FunctionBody::None);
            if is_defined && function.contract.assigns.is_some() {
                let message =
                    format!("whether `{}` writes only what its assigns clauses mention is not checked", function.name);
                self.warnings.push(Diagnostic::warning(function.span, message));
            }
        }
    }

    /// A side effect of a body, other than on its own variables unless these are asked for, too: where and what it is.
    fn effect_in(&self, body: &Body, own_too: bool, seen: &mut FxHashSet<FunctionId>) -> Option<(Span, String)> {
        let mut found: Option<(Span, String)> = None;
        let mut called = Vec::new();
        body.for_each_node(|node| {
            let (span, what) = match node {
                Node::Expr(id) => {
                    let what = match &body[id].kind {
                        ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => {
                            (own_too || !is_own(body, *place)).then_some("this writes")
                        }
                        ExprKind::Call { callee: Callee::Direct(function), .. } => {
                            called.push((*function, body[id].span));
                            None
                        }
                        ExprKind::Call { .. } => Some("this calls a function by a pointer"),
                        ExprKind::VaList(_) => Some("this takes an argument"),
                        ExprKind::Builtin(builtin, _) => writes(*builtin).then_some("this may write"),
                        _ => None,
                    };
                    (body[id].span, what)
                }
                Node::Place(id) => {
                    (body[id].span, body[id].ty.is_volatile().then_some("reading something volatile is a side effect"))
                }
                Node::Stmt(_) => return,
            };
            if let (Some(what), None) = (what, &found) {
                found = Some((span, what.to_string()));
            }
        });
        for (function, span) in called {
            let function = self.functions[function.index()].alias.unwrap_or(function);
            if found.is_some() || !seen.insert(function) {
                continue;
            }
            let callee = &self.functions[function.index()];
            let is_pure = match &callee.body {
                FunctionBody::Defined(body) => self.effect_in(body, false, seen).is_none(),
                FunctionBody::Unsupported { .. } => true,
                FunctionBody::None => READING.contains(&callee.name.as_str()),
            };
            if !is_pure {
                let why = match callee.body {
                    FunctionBody::None => "has no body here that would show that it has none",
                    _ => "has some",
                };
                found = Some((span, format!("`{}` {why}", callee.name)));
            }
        }
        found
    }
}

/// Whether a place is in a variable of the body itself.
fn is_own(body: &Body, place: PlaceId) -> bool {
    let mut at = place;
    loop {
        match &body[at].kind {
            PlaceKind::Local(_) | PlaceKind::Initialised { .. } => return true,
            PlaceKind::Field { base, .. } => at = *base,
            PlaceKind::Element { array, .. } => at = *array,
            PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::String(_) => return false,
        }
    }
}

fn writes(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Overflow(_)
            | Builtin::Alloca
            | Builtin::Unreachable
            | Builtin::Trap
            | Builtin::AtomicLoad
            | Builtin::AtomicStore
            | Builtin::AtomicExchange
            | Builtin::AtomicUpdate(..)
            | Builtin::AtomicCompareExchange { .. }
            | Builtin::CompareAndSwapTest
            | Builtin::CompareAndSwapValue
            | Builtin::Fence
            | Builtin::WeakOrder
    )
}
