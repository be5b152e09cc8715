//! Scopes: what ends with them, on every way out.

use super::alloc::Made;
use super::link::In;
use super::place::Lvalue;
use super::storage::Storage;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{Body, ExprId, FunctionId, LabelId, LocalId, Node, StmtId, StmtKind};
use crate::types::{ArrayLength, Ty, TypeKind};
use ir::{AssumptionKind, LocId, Op};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Term, build};

/// A block that is open.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    /// The block itself; nothing for the function as a whole.
    pub block: Option<StmtId>,
    /// Whether it is that of a full expression, whose temporary objects end with it.
    is_expression: bool,
    endings: Vec<Ending>,
}

/// What happens when a scope is left.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// The object no longer lives.
    Dies(Term),
    /// The function is called with the address of the variable.
    Cleanup(FunctionId, LocalId),
}

impl Scope {
    pub fn new(block: Option<StmtId>) -> Scope {
        Scope { block, is_expression: false, endings: Vec::new() }
    }

    /// Whether both are the same block, or those of expressions.
    pub fn is_same(&self, other: &Scope) -> bool {
        self.block == other.block && self.is_expression == other.is_expression
    }

    fn of_expression() -> Scope {
        Scope { block: None, is_expression: true, endings: Vec::new() }
    }
}

impl Writer<'_, '_> {
    /// That a variable begins to live, as a whole and with an arbitrary value. The size is that of a variable length array.
    pub fn begin_local(&mut self, local: LocalId, size: Option<Term>) -> Lvalue {
        let declared = &self.body[local];
        let storage = self.local(local);
        match &storage {
            Storage::Variables(slots) => self.code.begin(&slots.variables),
            Storage::Memory(pointer) => {
                let object = build::pointer_object(*pointer);
                match size.or_else(|| self.types.size(declared.ty).map(|size| self.offset(size))) {
                    Some(size) => {
                        self.allocate(object, size, self.align(declared), Made::Scoped);
                        self.begin_constant(object, declared.ty);
                        match declared.is_temporary {
                            true => self.ends_with_expression(object),
                            false => self.ends_with_block(object),
                        }
                    }
                    None => self.unsupported("a variable whose size is not known"),
                }
            }
        }
        if let (Some(function), Some(scope)) = (declared.cleanup, self.scopes.last_mut()) {
            scope.endings.push(Ending::Cleanup(function, local));
        }
        Lvalue::of(storage, declared.ty)
    }

    /// Assumes of a variable length array that its size in bytes is a `size_t`, as that of every object is (C11 6.5.3.4p2 and p5): a
    /// declaration of a larger one cannot be executed. A length that was negative is left to wrap around. The size in bytes.
    pub fn assume_representable(&mut self, ty: Ty) -> Term {
        let TypeKind::Array { element, length } = *self.types.kind(ty) else {
            return self.offset(self.types.size(ty).unwrap_or(1));
        };
        let element = self.assume_representable(element);
        let length = match length {
            ArrayLength::Known(length) => self.offset(length),
            ArrayLength::Variable(local) => match self.local(local) {
                Storage::Variables(slots) if slots.variables.len() == 1 => slots.variables[0],
                _ => return element,
            },
            ArrayLength::Unknown | ArrayLength::Star => return element,
        };
        let (zero, one) = (self.offset(0), self.offset(1));
        let most = build::bv_udiv(build::bv_not(zero), element);
        // What is larger than the quotient and has no sign is larger than any quotient but that by one.
        let fits = build::or([build::bv_ule(element, one), build::bv_sle(length, most)]);
        if fits.as_bool() != Some(true) {
            self.code.assume(fits);
            let text = "sizes of variable length arrays are within size_t";
            self.context.assume(AssumptionKind::ObjectSizes, text, &[], None);
        }
        build::bv_mul(length, element)
    }

    /// That an object lives until the innermost block is left.
    fn ends_with_block(&mut self, object: Term) {
        if self.context.ends_lives()
            && let Some(scope) = self.scopes.iter_mut().rev().find(|scope| !scope.is_expression)
        {
            scope.endings.push(Ending::Dies(object));
        }
    }

    /// That an object lives until the full expression ends that is being written.
    pub fn ends_with_expression(&mut self, object: Term) {
        if self.context.ends_lives()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.endings.push(Ending::Dies(object));
        }
    }

    /// That an object lives until the function returns.
    pub fn ends_with_function(&mut self, object: Term) {
        if self.context.ends_lives()
            && let Some(scope) = self.scopes.first_mut()
        {
            scope.endings.push(Ending::Dies(object));
        }
    }

    /// Writes a full expression: what is temporary in it ends with it (C11 6.2.4p8).
    pub fn full_expression<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::of_expression());
        let depth = self.scopes.len() - 1;
        let result = write(self);
        self.leave_scopes(depth);
        self.scopes.truncate(depth);
        result
    }

    /// [`Writer::branch`] on a condition that is a full expression.
    pub fn branch_on_full(&mut self, condition: ExprId, then: LocId, otherwise: LocId) {
        if !self.context.ends_lives() {
            return self.branch(condition, then, otherwise);
        }
        let (yes, no) = (self.code.location(), self.code.location());
        self.scopes.push(Scope::of_expression());
        let depth = self.scopes.len() - 1;
        self.branch(condition, yes, no);
        for (start, end) in [(yes, then), (no, otherwise)] {
            self.code.continue_at(start);
            self.leave_scopes(depth);
            self.code.jump(end);
        }
        self.scopes.truncate(depth);
    }

    /// What happens when scopes are left, down to a number of open ones. They stay open for what is written elsewhere.
    pub fn leave_scopes(&mut self, down_to: usize) {
        let endings: Vec<Ending> =
            self.scopes.iter().skip(down_to).rev().flat_map(|scope| scope.endings.iter().rev().copied()).collect();
        for ending in endings {
            match ending {
                Ending::Dies(object) => self.end_life(object),
                Ending::Cleanup(function, local) => self.clean_up(function, local),
            }
        }
    }

    /// The objects of variables whose scopes are open, at most so many; where no jump led past a declaration, they live.
    pub fn known_alive(&self, most: usize) -> Vec<Term> {
        let endings = self.scopes.iter().rev().flat_map(|scope| scope.endings.iter().rev());
        let is_named = |object: &Term| object.name().is_some_and(|name| !name.as_str().contains("&$"));
        let objects = endings.filter_map(|ending| match ending {
            Ending::Dies(object) => Some(*object),
            Ending::Cleanup(..) => None,
        });
        objects.filter(|object| is_named(object) && self.sizes.contains_key(object)).take(most).collect()
    }

    /// The objects of all scopes that are open end, without their cleanup functions.
    pub fn end_scoped_lives(&mut self) {
        let scopes = self.scopes.clone();
        self.end_objects(&scopes);
    }

    /// The objects of scopes end, without their cleanup functions.
    pub fn end_objects(&mut self, scopes: &[Scope]) {
        for ending in scopes.iter().flat_map(|scope| &scope.endings) {
            if let Ending::Dies(object) = ending {
                self.end_life(*object);
            }
        }
    }

    /// That an object no longer lives.
    pub fn end_life(&mut self, object: Term) {
        let is_interruptible = self.is_interruptible();
        let with_addresses = self.context.with_addresses;
        if with_addresses && is_interruptible {
            self.code.emit(Op::AtomicBegin);
        }
        if with_addresses {
            self.leave_place(object);
        }
        let alive = self.context.alive_map();
        self.code.assign(alive, build::store(alive, object, build::falsehood()));
        if with_addresses && is_interruptible {
            self.code.emit(Op::AtomicEnd);
        }
    }

    fn clean_up(&mut self, function: FunctionId, local: LocalId) {
        let lvalue = Lvalue::of(self.local(local), self.body[local].ty);
        let pointer = self.address(&lvalue);
        let function = self.context.link.definition(In { unit: self.unit, id: function });
        let parameter = self.types.function_type(self.context.link.function(function).ty);
        let Some(ty) = parameter.and_then(|ty| ty.parameters.first().copied()) else {
            self.unsupported("a cleanup function without parameter");
            return;
        };
        self.call_function(function, vec![Typed { value: Value::Scalar(pointer), ty }], crate::types::Ty::VOID, None);
    }
}

/// For each label the blocks around it, the outermost first.
pub(super) fn blocks_around_labels(body: &Body) -> FxHashMap<LabelId, Vec<StmtId>> {
    let mut found = FxHashMap::default();
    let mut pending: Vec<(Node, Rc<Vec<StmtId>>)> = vec![(Node::Stmt(body.root), Rc::default())];
    let mut children = Vec::new();
    while let Some((node, mut around)) = pending.pop() {
        if let Node::Stmt(id) = node {
            match &body[id].kind {
                StmtKind::Block(_) => {
                    let mut inner = (*around).clone();
                    inner.push(id);
                    around = Rc::new(inner);
                }
                StmtKind::Label(label) => {
                    found.insert(*label, (*around).clone());
                }
                _ => {}
            }
        }
        body.push_children(node, &mut children);
        pending.extend(children.drain(..).map(|child| (child, Rc::clone(&around))));
    }
    found
}
