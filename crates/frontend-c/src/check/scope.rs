//! What names mean, scope by scope.
//!
//! Ordinary names and tags live apart. A scope that is left takes its names with it; the outer ones come back.

use crate::hir::{FunctionId, GlobalId, LocalId};
use crate::types::{EnumId, RecordId, Ty};
use rustc_hash::FxHashMap;
use source::{Span, Symbol};

/// What an ordinary name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entity {
    Local(LocalId),
    Global(GlobalId),
    Function(FunctionId),
    Typedef(Ty),
    /// A global variable in a machine register, which Fathom does not know.
    Register(Ty),
    Enumerator {
        value: i128,
        ty: Ty,
    },
    /// Its declaration was wrong.
    Error,
}

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId, Ty),
    Enum(EnumId, Ty),
}

/// A name's meaning in a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding<T> {
    pub meaning: T,
    /// Where it was declared.
    pub span: Span,
    depth: u32,
}

#[derive(Default)]
pub(super) struct Scopes {
    names: FxHashMap<Symbol, Vec<Binding<Entity>>>,
    tags: FxHashMap<Symbol, Vec<Binding<Tag>>>,
    /// What each open scope but the outermost has declared.
    open: Vec<Opened>,
}

#[derive(Default)]
struct Opened {
    names: Vec<Symbol>,
    tags: Vec<Symbol>,
}

impl Scopes {
    /// 0 at file scope.
    pub fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    pub fn enter(&mut self) {
        self.open.push(Opened::default());
    }

    pub fn leave(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        for name in closed.names {
            self.names.get_mut(&name).and_then(Vec::pop);
        }
        for tag in closed.tags {
            self.tags.get_mut(&tag).and_then(Vec::pop);
        }
    }

    pub fn find(&self, name: Symbol) -> Option<Binding<Entity>> {
        self.names.get(&name)?.last().copied()
    }

    /// What the name means if the innermost scope itself declares it.
    pub fn find_here(&self, name: Symbol) -> Option<Binding<Entity>> {
        self.find(name).filter(|binding| binding.depth == self.depth())
    }

    /// What the name means at file scope.
    pub fn find_outermost(&self, name: Symbol) -> Option<Binding<Entity>> {
        self.names.get(&name)?.first().copied().filter(|binding| binding.depth == 0)
    }

    /// Declares the name in the innermost scope, instead of what it meant there.
    pub fn declare(&mut self, name: Symbol, meaning: Entity, span: Span) {
        let binding = Binding { meaning, span, depth: self.depth() };
        let bindings = self.names.entry(name).or_default();
        match bindings.last_mut() {
            Some(last) if last.depth == binding.depth => *last = binding,
            _ => {
                bindings.push(binding);
                if let Some(scope) = self.open.last_mut() {
                    scope.names.push(name);
                }
            }
        }
    }

    /// Declares the name at file scope, whatever scopes are open.
    pub fn declare_outermost(&mut self, name: Symbol, meaning: Entity, span: Span) {
        let binding = Binding { meaning, span, depth: 0 };
        let bindings = self.names.entry(name).or_default();
        match bindings.first_mut() {
            Some(first) if first.depth == 0 => *first = binding,
            _ => bindings.insert(0, binding),
        }
    }

    pub fn find_tag(&self, tag: Symbol) -> Option<Binding<Tag>> {
        self.tags.get(&tag)?.last().copied()
    }

    pub fn find_tag_here(&self, tag: Symbol) -> Option<Binding<Tag>> {
        self.find_tag(tag).filter(|binding| binding.depth == self.depth())
    }

    pub fn declare_tag(&mut self, tag: Symbol, meaning: Tag, span: Span) {
        let binding = Binding { meaning, span, depth: self.depth() };
        self.tags.entry(tag).or_default().push(binding);
        if let Some(scope) = self.open.last_mut() {
            scope.tags.push(tag);
        }
    }
}
