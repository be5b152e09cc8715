//! Scopes: what ends with them, on every way out.

use super::alloc::Made;
use super::link::In;
use super::place::Lvalue;
use super::storage::Storage;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{FunctionId, LocalId, StmtId, StmtKind};
use rustc_hash::FxHashMap;
use term::{Term, build};

/// A block that is open.
#[derive(Default, Debug)]
pub(super) struct Scope {
    /// The block itself; nothing for the function as a whole.
    pub block: Option<StmtId>,
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
        Scope { block, endings: Vec::new() }
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
                        self.ends_with_scope(object);
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

    /// That an object lives until the innermost scope is left.
    pub fn ends_with_scope(&mut self, object: Term) {
        if self.context.checks.lives()
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.endings.push(Ending::Dies(object));
        }
    }

    /// That an object lives until the function returns.
    pub fn ends_with_function(&mut self, object: Term) {
        if self.context.checks.lives()
            && let Some(scope) = self.scopes.first_mut()
        {
            scope.endings.push(Ending::Dies(object));
        }
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

    /// The objects of all scopes that are open end, without their cleanup functions.
    pub fn end_scoped_lives(&mut self) {
        let endings: Vec<Ending> = self.scopes.iter().flat_map(|scope| scope.endings.iter().copied()).collect();
        for ending in endings {
            if let Ending::Dies(object) = ending {
                self.end_life(object);
            }
        }
    }

    /// That an object no longer lives.
    pub fn end_life(&mut self, object: Term) {
        let alive = self.context.alive_map();
        self.code.assign(alive, build::store(alive, object, build::falsehood()));
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
pub(super) fn blocks_around_labels(body: &crate::hir::Body) -> FxHashMap<crate::hir::LabelId, Vec<StmtId>> {
    let mut found = FxHashMap::default();
    let mut pending: Vec<(StmtId, std::rc::Rc<Vec<StmtId>>)> = vec![(body.root, std::rc::Rc::default())];
    while let Some((id, around)) = pending.pop() {
        match &body[id].kind {
            StmtKind::Block(list) => {
                let mut inner = (*around).clone();
                inner.push(id);
                let inner = std::rc::Rc::new(inner);
                pending.extend(list.iter().map(|stmt| (*stmt, std::rc::Rc::clone(&inner))));
            }
            StmtKind::If { then, otherwise, .. } => {
                pending.extend([Some(*then), *otherwise].into_iter().flatten().map(|stmt| (stmt, around.clone())));
            }
            StmtKind::Loop(this) => pending.push((this.body, around)),
            StmtKind::Switch(this) => pending.push((this.body, around)),
            StmtKind::Label(label) => {
                found.insert(*label, (*around).clone());
            }
            _ => {}
        }
    }
    found
}
