//! What of a program can matter: the functions, variables and literals that its entry can lead to.
//!
//! The nodes of a body lie in tables, so looking through these is enough; order and nesting do not matter here.

use super::library;
use super::link::{In, Link};
use crate::hir::{
    AddressBase, Body, Callee, CastKind, ExprKind, FunctionBody, FunctionId, GlobalId, Linkage, PlaceKind, StaticValue,
    StringId,
};
use crate::syntax::RecordKind;
use crate::types::{RecordId, Ty};
use rustc_hash::FxHashSet;
use source::Symbol;
use std::hash::Hash;

/// What a call of a function comes to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The body of this function.
    Defined(In<FunctionId>),
    /// Something that Fathom knows how to express.
    Known(library::Expand),
    /// A function of the library without a body that does nothing that could be seen.
    Benign,
    /// The user's own, without a body.
    Missing,
    /// A body that cannot be represented: why.
    Unsupported(Symbol),
}

/// Everything that can be reached, each once, in the order in which it was found.
#[derive(Default, Debug)]
pub(super) struct Reached {
    /// Those with a body, those without, and those that Fathom knows and whose address is taken.
    pub functions: Vec<In<FunctionId>>,
    pub globals: Vec<In<GlobalId>>,
    pub strings: Vec<In<StringId>>,
    /// Functions whose address becomes a value.
    pub address_taken: Vec<In<FunctionId>>,
    /// Variables whose address is part of what a variable starts with.
    pub addressed: FxHashSet<In<GlobalId>>,
    /// The names of functions that are called and that Fathom knows.
    pub known: FxHashSet<Symbol>,
}

impl Reached {
    /// Whether the program can call a function that Fathom knows under this name.
    pub fn calls(&self, name: &str) -> bool {
        self.known.contains(&Symbol::new(name))
    }
}

impl<'a> Link<'a> {
    /// What a call of a function comes to. The function is a [`Link::definition`].
    pub fn target(&self, function: In<FunctionId>) -> Target {
        let found = self.function(function);
        let name = found.name.as_str();
        if let Some(expand) = library::always(name) {
            return Target::Known(expand);
        }
        match &found.body {
            FunctionBody::Defined(_) => Target::Defined(function),
            FunctionBody::Unsupported { what, .. } => Target::Unsupported(*what),
            FunctionBody::None if !self.is_library(function) => Target::Missing,
            FunctionBody::None => match library::known(name) {
                Some(expand) => Target::Known(expand),
                None if library::is_benign(name) => Target::Benign,
                None => Target::Missing,
            },
        }
    }

    /// Whether a function without a body is the library's of its name, if there is one.
    pub fn is_library(&self, function: In<FunctionId>) -> bool {
        let found = self.function(function);
        let types = &self.units[function.unit].types;
        !self.is_users(function.unit)
            || found.linkage == Linkage::External && library::fits(types, found.name.as_str(), found.ty)
    }

    pub fn body(&self, function: In<FunctionId>) -> Option<&'a Body> {
        match &self.function(function).body {
            FunctionBody::Defined(body) => Some(body),
            _ => None,
        }
    }

    /// Whether the program can read a pointer as a number by another way than a conversion: as another member of a union, or
    /// through a pointer to integers that was made from one to pointers.
    pub fn puns_pointers(&self, reached: &Reached) -> bool {
        let bodies = reached.functions.iter().filter_map(|function| Some((function.unit, self.body(*function)?)));
        let mut members: FxHashSet<(usize, RecordId, bool)> = FxHashSet::default();
        for (unit, body) in bodies {
            let types = &self.units[unit].types;
            let pointer = types.size_type();
            let is_word = |ty: Ty| types.is_integer(ty) && types.size(ty) == types.size(pointer);
            for expr in &body.exprs {
                let ExprKind::Cast(CastKind::PointerToPointer, operand) = expr.kind else { continue };
                let (from, to) = (types.pointee(body[operand].ty), types.pointee(expr.ty));
                if from.is_some_and(|from| types.is_pointer(from)) && to.is_some_and(is_word) {
                    return true;
                }
            }
            for place in &body.places {
                let PlaceKind::Field { record, .. } = place.kind else { continue };
                let (is_pointer, is_word) = (types.is_pointer(place.ty), is_word(place.ty));
                if types[record].kind == RecordKind::Union && (is_pointer || is_word) {
                    members.insert((unit, record, is_pointer));
                }
            }
        }
        members.iter().any(|(unit, record, is_pointer)| members.contains(&(*unit, *record, !is_pointer)))
    }

    /// Everything that `roots` can lead to.
    pub fn reach(&self, roots: impl IntoIterator<Item = In<FunctionId>>) -> Reached {
        let mut search = Search { link: self, found: Reached::default(), seen: Seen::default(), pending: Vec::new() };
        for root in roots {
            search.function(root, false);
        }
        while let Some(next) = search.pending.pop() {
            match next {
                Pending::Body(unit, body) => search.body(unit, body),
                Pending::Global(global) => search.initial_value(global),
            }
        }
        search.found
    }
}

enum Pending<'a> {
    Body(usize, &'a Body),
    Global(In<GlobalId>),
}

#[derive(Default)]
struct Seen {
    /// All, with whether their addresses are taken.
    any: FxHashSet<(In<FunctionId>, bool)>,
    functions: FxHashSet<In<FunctionId>>,
    globals: FxHashSet<In<GlobalId>>,
    strings: FxHashSet<In<StringId>>,
    address_taken: FxHashSet<In<FunctionId>>,
}

struct Search<'s, 'a> {
    link: &'s Link<'a>,
    found: Reached,
    seen: Seen,
    pending: Vec<Pending<'a>>,
}

fn add<T: Copy + Eq + Hash>(seen: &mut FxHashSet<T>, list: &mut Vec<T>, item: T) -> bool {
    let new = seen.insert(item);
    if new {
        list.push(item);
    }
    new
}

impl Search<'_, '_> {
    fn function(&mut self, function: In<FunctionId>, address_taken: bool) {
        let function = self.link.definition(function);
        if !self.seen.any.insert((function, address_taken)) {
            return;
        }
        if address_taken {
            add(&mut self.seen.address_taken, &mut self.found.address_taken, function);
        }
        let target = self.link.target(function);
        if matches!(target, Target::Known(_)) {
            self.found.known.insert(self.link.function(function).name);
        }
        if matches!(target, Target::Known(_)) || !self.link.is_users(function.unit) {
            for name in library::companions(self.link.function(function).name.as_str()) {
                if let Some(companion) = self.link.library_function(name) {
                    self.function(companion, false);
                }
            }
        }
        match target {
            // What is expanded where it is called needs no procedure, unless a pointer calls it.
            Target::Known(_) if !address_taken => self.contract(function),
            target => {
                if !add(&mut self.seen.functions, &mut self.found.functions, function) {
                    return;
                }
                if let Target::Defined(function) = target
                    && let Some(body) = self.link.body(function)
                {
                    self.pending.push(Pending::Body(function.unit, body));
                }
                self.contract(function);
            }
        }
    }

    /// The functions that the clauses of a function's contract are.
    fn contract(&mut self, function: In<FunctionId>) {
        for clause in self.link.clauses(function) {
            self.function(clause, false);
        }
    }

    fn global(&mut self, global: In<GlobalId>) {
        let global = self.link.global(global);
        if add(&mut self.seen.globals, &mut self.found.globals, global) {
            self.pending.push(Pending::Global(global));
        }
    }

    fn body(&mut self, unit: usize, body: &Body) {
        for expr in &body.exprs {
            match expr.kind {
                ExprKind::Function(id) => self.function(In { unit, id }, true),
                ExprKind::Call { callee: Callee::Direct(id), .. } => self.function(In { unit, id }, false),
                _ => {}
            }
        }
        for place in &body.places {
            match place.kind {
                PlaceKind::Global(id) => self.global(In { unit, id }),
                PlaceKind::String(id) => {
                    add(&mut self.seen.strings, &mut self.found.strings, In { unit, id });
                }
                _ => {}
            }
        }
        for id in body.locals.iter().filter_map(|local| local.cleanup) {
            self.function(In { unit, id }, false);
        }
    }

    fn initial_value(&mut self, global: In<GlobalId>) {
        let unit = global.unit;
        for entry in self.link.units[unit][global.id].init.iter().flatten() {
            let StaticValue::Address { base, .. } = entry.value else { continue };
            match base {
                AddressBase::Function(id) => self.function(In { unit, id }, true),
                AddressBase::Global(id) => {
                    let target = self.link.global(In { unit, id });
                    self.found.addressed.insert(target);
                    self.global(target);
                }
                AddressBase::String(id) => {
                    add(&mut self.seen.strings, &mut self.found.strings, In { unit, id });
                }
            }
        }
    }
}
