//! Linking: which entity a name with linkage means in a program of several translation units (C11 6.2.2, 6.9).
//!
//! A name with internal linkage is its unit's own. Of the definitions with external linkage, an initialised or strong one goes
//! before a tentative one (C11 6.9.2), and that before a weak one; those of the library come last, so that a user may
//! define functions of the library. An inline definition (C11 6.7.4) is no external definition.
//!
//! The library itself calls its own functions, whatever the program defines, as glibc does: only the functions that allocate memory
//! are called through the names that a program can define.

use crate::hir::{Function, FunctionBody, FunctionId, Global, GlobalId, Linkage, Unit, Uses};
use crate::types::{Across, Ty};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span, Symbol};

/// A part of one of the units that a program is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct In<T> {
    pub unit: usize,
    pub id: T,
}

/// The units of a program: the user's come first, the library's follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units<'a> {
    pub all: &'a [Unit],
    /// How many are the user's.
    pub users: usize,
}

impl Units<'_> {
    pub fn is_users(self, unit: usize) -> bool {
        unit < self.users
    }
}

/// How strongly something defines a name; the least counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Strong,
    Tentative,
    Weak,
    Library,
    /// A declaration: it stands for what is defined nowhere.
    Declared,
    /// The same, with a type that is not complete.
    Incomplete,
}

/// The functions that the library calls where the program defines them.
const REPLACEABLE: [&str; 8] =
    ["malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign", "reallocarray"];

/// What names with external linkage mean.
#[derive(Debug)]
struct Symbols<T> {
    known: FxHashMap<Symbol, (Strength, In<T>)>,
    /// Pairs of definitions of one name of which none yields.
    clashes: Vec<(In<T>, In<T>)>,
}

impl<T: Copy> Symbols<T> {
    fn new() -> Symbols<T> {
        Symbols { known: FxHashMap::default(), clashes: Vec::new() }
    }

    fn add(&mut self, name: Symbol, strength: Strength, at: In<T>) {
        match self.known.get(&name) {
            Some((Strength::Strong, first)) if strength == Strength::Strong => self.clashes.push((*first, at)),
            Some((known, _)) if *known <= strength => {}
            _ => {
                self.known.insert(name, (strength, at));
            }
        }
    }

    fn find(&self, name: Symbol) -> Option<In<T>> {
        self.known.get(&name).map(|(_, found)| *found)
    }
}

/// A program's units with the meanings of names across them.
#[derive(Debug)]
pub(super) struct Link<'a> {
    pub units: &'a [Unit],
    users: usize,
    functions: Symbols<FunctionId>,
    /// The functions that the library defines.
    own: FxHashMap<Symbol, In<FunctionId>>,
    globals: Symbols<GlobalId>,
    /// Functions that the user defines nowhere, by another declaration of the same one.
    merged: FxHashMap<In<FunctionId>, In<FunctionId>>,
    /// The declarations with contracts, by the functions that they mean in the end.
    contracts: FxHashMap<In<FunctionId>, Vec<In<FunctionId>>>,
    /// How variables are used in all units together, where that is more than their own unit knows.
    uses: FxHashMap<In<GlobalId>, Uses>,
}

impl<'a> Link<'a> {
    pub fn new(units: Units<'a>) -> Link<'a> {
        let (mut functions, mut own, mut globals) = (Symbols::new(), FxHashMap::default(), Symbols::new());
        for (number, unit) in units.all.iter().enumerate() {
            let is_users = units.is_users(number);
            for (id, function) in (0..).map(FunctionId).zip(&unit.functions) {
                if function.linkage == Linkage::External
                    && let Some(strength) = strength_of_function(function, is_users)
                {
                    functions.add(function.link_name, strength, In { unit: number, id });
                    if strength == Strength::Library {
                        own.insert(function.link_name, In { unit: number, id });
                    }
                }
            }
            for (id, global) in (0..).map(GlobalId).zip(&unit.globals) {
                if global.linkage == Linkage::External {
                    globals.add(global.link_name, strength_of_global(global, is_users), In { unit: number, id });
                }
            }
        }
        let (merged, contracts, uses) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let mut link = Link { units: units.all, users: units.users, functions, own, globals, merged, contracts, uses };
        link.merge_declarations();
        link.note_contracts();
        link.note_uses();
        link
    }

    /// Whether a unit is the user's, and not the library's.
    pub fn is_users(&self, unit: usize) -> bool {
        Units { all: self.units, users: self.users }.is_users(unit)
    }

    pub fn function(&self, function: In<FunctionId>) -> &'a Function {
        &self.units[function.unit][function.id]
    }

    /// The function that a name means in the end: its definition, if there is one.
    pub fn definition(&self, function: In<FunctionId>) -> In<FunctionId> {
        let mut at = function;
        // A chain of names longer than the program is a circle.
        for _ in 0..=self.units[function.unit].functions.len() {
            let found = self.function(at);
            let is_open = matches!(found.body, FunctionBody::None) && found.alias.is_none();
            let yields = found.linkage == Linkage::External && (found.is_weak || found.is_inline_only);
            let linked = self.linked(at).or_else(|| self.merged.get(&at).copied());
            at = match (linked, found.alias) {
                (Some(linked), _) if (is_open || yields) && linked != at => linked,
                (_, Some(id)) => In { unit: at.unit, id },
                _ => break,
            };
        }
        at
    }

    /// The definition that a declaration is linked with.
    fn linked(&self, declared: In<FunctionId>) -> Option<In<FunctionId>> {
        let name = self.function(declared).link_name;
        let known = self.functions.known.get(&name).filter(|known| known.0 < Strength::Declared);
        if self.is_users(declared.unit) {
            return known
                .filter(|known| known.0 != Strength::Library || self.is_library(declared))
                .map(|known| known.1);
        }
        let replaces = |known: &&(Strength, In<FunctionId>)| {
            let function = self.function(known.1);
            let types = &self.units[known.1.unit].types;
            REPLACEABLE.contains(&name.as_str()) && super::library::fits(types, name.as_str(), function.ty)
        };
        known.filter(replaces).map(|known| known.1).or_else(|| self.own.get(&name).copied())
    }

    /// The inline definitions of which calls use the external definition instead, which C leaves open (6.7.4p7).
    pub fn inline_definitions(&self) -> impl Iterator<Item = (In<FunctionId>, In<FunctionId>)> {
        let users = self.units[..self.users].iter().enumerate();
        let all =
            users.flat_map(|(unit, u)| (0..u.functions.len()).map(move |i| In { unit, id: FunctionId(i as u32) }));
        let is_inline = |at: &In<FunctionId>| {
            let function = self.function(*at);
            function.is_inline_only && function.linkage == Linkage::External && self.body(*at).is_some()
        };
        all.filter(is_inline).map(|at| (at, self.definition(at))).filter(|(at, meant)| at != meant)
    }

    /// The library's function of a name.
    pub fn library_function(&self, name: &str) -> Option<In<FunctionId>> {
        self.own.get(&Symbol::new(name)).copied()
    }

    /// The variable that a name means in the end.
    pub fn global(&self, global: In<GlobalId>) -> In<GlobalId> {
        let mut at = global;
        for _ in 0..=self.units[global.unit].globals.len() {
            let found = &self.units[at.unit][at.id];
            let yields = found.alias.is_none() && found.linkage == Linkage::External;
            let linked = self.globals.find(found.link_name).filter(|linked| self.fits_global(at, *linked));
            at = match (linked, found.alias) {
                (Some(linked), _) if yields && linked != at => linked,
                (_, Some(id)) => In { unit: at.unit, id },
                _ => break,
            };
        }
        at
    }

    /// How all units together use a variable.
    pub fn uses(&self, global: In<GlobalId>) -> Uses {
        self.uses.get(&global).copied().unwrap_or(self.units[global.unit][global.id].uses)
    }

    fn note_uses(&mut self) {
        for (unit, u) in self.units.iter().enumerate() {
            for (id, global) in (0..).map(GlobalId).zip(&u.globals) {
                let own = In { unit, id };
                let meant = self.global(own);
                if meant != own {
                    let mut uses = self.uses(meant);
                    uses.address_taken |= global.uses.address_taken;
                    uses.indexed |= global.uses.indexed;
                    self.uses.insert(meant, uses);
                }
            }
        }
    }

    /// A function that no file defines is one function all the same, if its declarations agree.
    fn merge_declarations(&mut self) {
        for (unit, u) in self.units[..self.users].iter().enumerate().skip(1) {
            let mut compared = Compared::new(self.units, unit);
            for (id, function) in (0..).map(FunctionId).zip(&u.functions) {
                if let Some((Strength::Declared, first)) = self.functions.known.get(&function.link_name)
                    && first.unit != unit
                    && function.linkage == Linkage::External
                    && compared.fits(function.ty, first.unit, self.function(*first).ty)
                {
                    self.merged.insert(In { unit, id }, *first);
                }
            }
        }
    }

    fn note_contracts(&mut self) {
        for (unit, u) in self.units[..self.users].iter().enumerate() {
            for (id, function) in (0..).map(FunctionId).zip(&u.functions) {
                if !function.contract.is_empty() {
                    let own = In { unit, id };
                    self.contracts.entry(self.definition(own)).or_default().push(own);
                }
            }
        }
    }

    /// The declarations of a [`Link::definition`] that have a contract.
    pub fn contracts(&self, function: In<FunctionId>) -> &[In<FunctionId>] {
        self.contracts.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The functions that the clauses of a definition's contract are.
    pub fn clauses(&self, function: In<FunctionId>) -> impl Iterator<Item = In<FunctionId>> {
        self.contracts(function).iter().flat_map(|declaration| {
            let unit = declaration.unit;
            self.function(*declaration).contract.functions().map(move |id| In { unit, id })
        })
    }

    /// Users' declarations are checked by [`conflicts`]. A library's variable is meant where it is of the same type.
    fn fits_global(&self, one: In<GlobalId>, other: In<GlobalId>) -> bool {
        let both_users = self.is_users(one.unit) && self.is_users(other.unit);
        let ty = |global: In<GlobalId>| (global.unit, self.units[global.unit][global.id].ty);
        let ((unit, a), (other, b)) = (ty(one), ty(other));
        both_users || unit == other || Compared::new(self.units, unit).fits(a, other, b)
    }
}

/// The types of a unit, compared with those of others. Records that were compared once are not compared again.
struct Compared<'a> {
    units: &'a [Unit],
    unit: usize,
    others: FxHashMap<usize, Across<'a>>,
}

impl<'a> Compared<'a> {
    fn new(units: &'a [Unit], unit: usize) -> Compared<'a> {
        Compared { units, unit, others: FxHashMap::default() }
    }

    fn fits(&mut self, own: Ty, other: usize, ty: Ty) -> bool {
        let (units, unit) = (self.units, self.unit);
        let across = || Across::new(&units[unit].types, &units[other].types);
        self.others.entry(other).or_insert_with(across).compatible(own, ty)
    }
}

fn strength_of_function(function: &Function, is_users: bool) -> Option<Strength> {
    let is_defined = !matches!(function.body, FunctionBody::None) || function.alias.is_some();
    match (is_users, is_defined) {
        (_, true) if function.is_inline_only => None,
        (true, true) if function.is_weak => Some(Strength::Weak),
        (true, true) => Some(Strength::Strong),
        (true, false) => Some(Strength::Declared),
        (false, true) => Some(Strength::Library),
        (false, false) => None,
    }
}

fn strength_of_global(global: &Global, is_users: bool) -> Strength {
    match (is_users, global.init.is_some() || global.alias.is_some()) {
        (true, true) if global.is_weak => Strength::Weak,
        (true, true) if global.is_tentative => Strength::Tentative,
        (true, true) => Strength::Strong,
        (false, true) => Strength::Library,
        (_, false) if global.size.is_some() => Strength::Declared,
        (_, false) => Strength::Incomplete,
    }
}

/// What keeps the user's units from being one program: names that are defined twice, or declared with types that do not fit.
pub(crate) fn conflicts(units: Units<'_>) -> Vec<Diagnostic> {
    let link = Link::new(units);
    let mut found = Vec::new();
    let function = |at: In<FunctionId>| (link.function(at).name, link.function(at).span);
    let global = |at: In<GlobalId>| (units.all[at.unit][at.id].name, units.all[at.unit][at.id].span);
    found.extend(
        link.functions.clashes.iter().map(|(first, second)| defined_twice(function(*first), function(*second))),
    );
    found.extend(link.globals.clashes.iter().map(|(first, second)| defined_twice(global(*first), global(*second))));
    for (number, unit) in units.all[..units.users].iter().enumerate() {
        let mut compared = Compared::new(units.all, number);
        for own in unit.functions.iter().filter(|function| function.linkage == Linkage::External) {
            let meant = link.functions.find(own.link_name).filter(|meant| meant.unit != number);
            let meant = meant.filter(|meant| link.is_users(meant.unit));
            if let Some(meant) = meant.map(|meant| (meant.unit, link.function(meant)))
                && !matches!(meant.1.body, FunctionBody::None)
                && !compared.fits(own.ty, meant.0, meant.1.ty)
            {
                let types =
                    (unit.types.display(own.ty).to_string(), units.all[meant.0].types.display(meant.1.ty).to_string());
                found.push(misfit((own.name, own.span), meant.1.span, types));
            }
            if let Some(other) = link.globals.find(own.link_name).filter(|other| link.is_users(other.unit)) {
                found.push(other_kind((own.name, own.span), global(other).1));
            }
        }
        for own in unit.globals.iter().filter(|global| global.linkage == Linkage::External) {
            let meant = link.globals.find(own.link_name).filter(|meant| meant.unit != number);
            let Some(meant) = meant.filter(|meant| link.is_users(meant.unit)) else { continue };
            let other = &units.all[meant.unit][meant.id];
            if !compared.fits(own.ty, meant.unit, other.ty) || own.is_thread_local != other.is_thread_local {
                let types =
                    (unit.types.display(own.ty).to_string(), units.all[meant.unit].types.display(other.ty).to_string());
                found.push(misfit((own.name, own.span), other.span, types));
            }
        }
    }
    found
}

fn defined_twice((_, first): (Symbol, Span), (name, second): (Symbol, Span)) -> Diagnostic {
    Diagnostic::error(second, format!("`{name}` is defined in two files"))
        .secondary(first, "the first definition is here")
}

fn misfit((name, span): (Symbol, Span), definition: Span, (own, other): (String, String)) -> Diagnostic {
    let message = match own == other {
        true => format!("`{name}` is declared with type `{own}`, which is another type in another file"),
        false => format!("`{name}` is declared with type `{own}`, which does not fit `{other}` of another file"),
    };
    Diagnostic::error(span, message).secondary(definition, "the other file has it here")
}

fn other_kind((name, span): (Symbol, Span), other: Span) -> Diagnostic {
    let message = format!("`{name}` is a function here, and a variable in another file");
    Diagnostic::error(span, message).secondary(other, "the variable is here")
}
