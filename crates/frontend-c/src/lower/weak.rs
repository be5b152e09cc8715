//! Weak symbols that the program does not define: something else may define them, or their address is null.

use super::context::Context;
use super::link::{In, Link};
use super::reach::Target;
use super::writer::Writer;
use crate::hir::{FunctionId, GlobalId, Linkage};
use ir::Variable;
use term::{Sort, Term, build};

/// A weak symbol whose address may be null: the variable that holds its identity, and what that is if there is something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weak {
    pub variable: Term,
    object: u32,
}

impl Link<'_> {
    /// Whether a variable is defined nowhere and all its declarations are weak.
    pub fn is_weak_global(&self, global: In<GlobalId>) -> bool {
        let meant = &self.units[global.unit][global.id];
        let mut declared = self.units.iter().flat_map(|unit| &unit.globals);
        let is_same = |name| name == meant.link_name;
        meant.is_weak
            && meant.linkage == Linkage::External
            && meant.init.is_none()
            && declared.all(|other| !is_same(other.link_name) || other.linkage != Linkage::External || other.is_weak)
    }

    /// The same for a function that the library does not have.
    pub fn is_weak_function(&self, function: In<FunctionId>) -> bool {
        let meant = self.function(function);
        let mut declared = self.units.iter().flat_map(|unit| &unit.functions);
        let is_same = |name| name == meant.link_name;
        meant.is_weak
            && matches!(self.target(function), Target::Missing)
            && declared.all(|other| !is_same(other.link_name) || other.linkage != Linkage::External || other.is_weak)
    }
}

impl Context<'_> {
    /// The identity of a weak symbol, which is that of an object or of null.
    pub fn weak(&mut self, name: &str, object: u32) -> Weak {
        let name = format!("$weak:{name}");
        let weak = Weak { variable: self.declare(Variable::internal(name.as_str(), Sort::object())), object };
        self.weak.push(weak);
        weak
    }

    /// Gives a function that may be missing its identity, where its address is taken or it is called.
    pub fn begin_weak_function(&mut self, function: In<FunctionId>, object: u32) {
        if self.link.is_weak_function(function) && !self.weak_functions.contains_key(&function) {
            let weak = self.weak(self.link.function(function).link_name.as_str(), object);
            self.weak_functions.insert(function, weak);
        }
    }

    /// Whether a pointer is the address of a weak symbol.
    pub fn is_weak(&self, pointer: Term) -> bool {
        let object = build::pointer_object(pointer);
        self.weak.iter().any(|weak| weak.variable == object)
    }

    /// The address of a function.
    pub fn function_address(&self, function: In<FunctionId>) -> Option<Term> {
        match self.weak_functions.get(&function) {
            Some(weak) => Some(build::pointer(weak.variable, self.offset(0))),
            None => self.function_object(function).map(|object| self.static_pointer(object)),
        }
    }
}

impl Writer<'_, '_> {
    /// Whether there is something for each weak symbol.
    pub fn begin_weak(&mut self) {
        for weak in self.context.weak.clone() {
            let exists = self.code.arbitrary(Sort::bool());
            let identity = |object: u32| build::bv(term::OBJECT_WIDTH, u128::from(object));
            self.code.assign(weak.variable, build::ite(exists, identity(weak.object), identity(0)));
        }
    }

    /// A weak function can only be called where it exists.
    pub fn check_weak_call(&mut self, function: In<FunctionId>) {
        let Some(weak) = self.context.weak_functions.get(&function).copied() else { return };
        let exists = build::ne(weak.variable, build::bv(term::OBJECT_WIDTH, 0));
        let (lost, next) = (self.code.location(), self.code.location());
        self.code.branch(exists, next, lost);
        self.code.continue_at(lost);
        self.check_call(build::pointer(weak.variable, self.offset(0)));
        self.unsupported("a call of a weak function that may not exist");
        self.code.continue_at(next);
    }
}
