//! The end of a translation unit: what only all of it decides.

use super::Checker;
use super::scope::Entity;
use crate::hir::{
    AddressBase, Body, ExprKind, Function, FunctionBody, FunctionId, Global, Node, PlaceId, PlaceKind, StaticValue,
    Unit, Uses,
};
use crate::types::{ArrayLength, TypeKind, Types};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Symbol};

impl Checker<'_> {
    pub(super) fn finish(mut self) -> Result<Unit, Vec<Diagnostic>> {
        self.complete_globals();
        self.note_inline_definitions();
        self.resolve_aliases();
        self.check_clauses();
        self.warn_of_assigns();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let Checker { unit, types, mut globals, mut functions, strings, warnings, .. } = self;
        note_uses(&types, &mut globals, &mut functions);
        Ok(Unit { file: unit.file, types, globals, functions, strings, warnings })
    }

    fn complete_globals(&mut self) {
        for at in 0..self.globals.len() {
            let id = crate::hir::GlobalId(at as u32);
            if self.globals[at].init.is_some() {
                self.globals[at].ty = self.complete_tentative(self.globals[at].ty);
                self.check_complete_global(id);
            }
            self.globals[at].is_tentative = self.globals[at].init.is_some() && !self.initialised.contains_key(&id);
            let size = self.types.size(self.globals[at].ty);
            self.globals[at].size = self.globals[at].size.max(size);
        }
    }

    /// A function all of whose declarations say `inline` and none `extern` has no external definition here.
    fn note_inline_definitions(&mut self) {
        for (id, function) in (0..).map(FunctionId).zip(&mut self.functions) {
            let by_standard = !self.declared_plainly.contains(&id);
            function.is_inline_only = self.gnu_inline.get(&id).copied().unwrap_or(by_standard);
        }
    }

    fn resolve_aliases(&mut self) {
        for alias in std::mem::take(&mut self.aliases) {
            let target = self.linked.get(&alias.target).copied();
            match (alias.entity, target) {
                (Entity::Function(function), Some(Entity::Function(target))) if function != target => {
                    self.functions[function.index()].alias = Some(target);
                }
                (Entity::Global(global), Some(Entity::Global(target))) if global != target => {
                    self.globals[global.index()].alias = Some(target);
                }
                _ if alias.is_reference => {}
                _ => self
                    .error(alias.span, format!("there is no `{}` here that this could be an alias of", alias.target)),
            }
        }
        self.resolve_asm_labels();
        self.break_alias_cycles();
    }

    /// A function that is only declared, under the link name of another one, means that one.
    fn resolve_asm_labels(&mut self) {
        let is_defined = |function: &Function| !matches!(function.body, FunctionBody::None);
        let defined: FxHashMap<Symbol, FunctionId> = (0u32..)
            .zip(&self.functions)
            .filter(|(_, function)| is_defined(function))
            .map(|(at, function)| (function.link_name, FunctionId(at)))
            .collect();
        for function in &mut self.functions {
            if function.link_name != function.name && !is_defined(function) && function.alias.is_none() {
                function.alias = defined.get(&function.link_name).copied();
            }
        }
    }

    /// Aliases lead to definitions; if they lead back, they mean nothing.
    fn break_alias_cycles(&mut self) {
        for at in 0..self.functions.len() {
            let mut steps = 0;
            let mut next = self.functions[at].alias;
            while let Some(target) = next {
                steps += 1;
                if steps > self.functions.len() {
                    let (name, span) = (self.functions[at].name, self.functions[at].span);
                    self.functions[at].alias = None;
                    self.error(span, format!("`{name}` is an alias of itself"));
                    break;
                }
                next = self.functions[target.index()].alias;
            }
        }
    }
}

/// How the variables and functions of a unit are used.
struct Usage<'a> {
    types: &'a Types,
    globals: Vec<Uses>,
    functions: Vec<bool>,
}

/// Finds out which addresses are taken and which arrays are indexed.
fn note_uses(types: &Types, globals: &mut [Global], functions: &mut [Function]) {
    let mut usage =
        Usage { types, globals: vec![Uses::default(); globals.len()], functions: vec![false; functions.len()] };
    for entry in globals.iter().flat_map(|global| &global.init).flatten() {
        match entry.value {
            StaticValue::Address { base: AddressBase::Global(global), .. } => {
                usage.globals[global.index()].address_taken = true;
            }
            StaticValue::Address { base: AddressBase::Function(function), .. } => {
                usage.functions[function.index()] = true;
            }
            _ => {}
        }
    }
    for function in functions.iter_mut() {
        if let FunctionBody::Defined(body) = &mut function.body {
            let locals = usage.note_body(body);
            for (local, uses) in body.locals.iter_mut().zip(locals) {
                local.uses = uses;
                local.uses.address_taken |= local.cleanup.is_some();
            }
        }
    }
    for (global, uses) in globals.iter_mut().zip(usage.globals) {
        global.uses = uses;
    }
    for (function, is_taken) in functions.iter_mut().zip(usage.functions) {
        function.address_taken = is_taken;
    }
}

impl Usage<'_> {
    /// Notes what a body does; gives the uses of its own variables.
    fn note_body(&mut self, body: &Body) -> Vec<Uses> {
        let mut locals = vec![Uses::default(); body.locals.len()];
        body.for_each_node(|node| match node {
            Node::Expr(id) => match &body[id].kind {
                ExprKind::Function(function) => self.functions[function.index()] = true,
                ExprKind::AddressOf(place) => {
                    if let Some(uses) = self.root(body, *place, &mut locals) {
                        uses.address_taken = true;
                    }
                }
                _ => {}
            },
            Node::Place(id) => {
                if let PlaceKind::Element { array, index, .. } = body[id].kind
                    && !self.is_inside(body, array, &body[index].kind)
                    && let Some(uses) = self.root(body, array, &mut locals)
                {
                    uses.indexed = true;
                }
            }
            Node::Stmt(_) => {}
        });
        locals
    }

    /// Whether an index is constant and in the bounds of the array.
    fn is_inside(&self, body: &Body, array: PlaceId, index: &ExprKind) -> bool {
        match (index, self.types.kind(body[array].ty)) {
            (ExprKind::Int(index), TypeKind::Array { length: ArrayLength::Known(length), .. }) => {
                (0..i128::from(*length)).contains(index)
            }
            _ => false,
        }
    }

    /// The uses of the variable that a place is part of.
    fn root<'a>(&'a mut self, body: &Body, place: PlaceId, locals: &'a mut [Uses]) -> Option<&'a mut Uses> {
        let mut at = place;
        loop {
            match &body[at].kind {
                PlaceKind::Local(local) | PlaceKind::Initialised { local, .. } => return locals.get_mut(local.index()),
                PlaceKind::Global(global) => return self.globals.get_mut(global.index()),
                PlaceKind::Field { base, .. } => at = *base,
                PlaceKind::Element { array, .. } => at = *array,
                PlaceKind::Deref(_) | PlaceKind::String(_) => return None,
            }
        }
    }
}
