//! What a program is given when it starts: the strings of its command line and of its environment.

use super::alloc::Made;
use super::context::Context;
use super::link::In;
use super::place::Lvalue;
use super::storage::value_sort;
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{FunctionId, GlobalId, Place, PlaceKind};
use crate::types::Ty;
use source::Symbol;
use term::{Sort, Term, build};

/// A program is given fewer arguments than two to the power of this: Linux gives them and their pointers 6 MB at most.
const ARGUMENT_BITS: u32 = 20;
/// How many arguments are made without a loop.
const FIRST_ARGUMENTS: u64 = 3;
/// An argument is shorter than two to the power of this: Linux's longest has 128 KB.
const LENGTH_BITS: u32 = 17;

/// Whether a variable of the library points to the strings of the environment.
pub(super) fn is_environment(name: Symbol) -> bool {
    matches!(name.as_str(), "environ" | "__environ")
}

impl Context<'_> {
    /// Whether the entry uses its n-th parameter.
    fn uses_parameter(&self, entry: In<FunctionId>, n: usize) -> bool {
        let body = self.link.body(entry);
        let local = body.and_then(|body| body.parameters.get(n).copied());
        let named = |place: &Place| matches!(place.kind, PlaceKind::Local(id) if Some(id) == local);
        body.is_some_and(|body| body.places.iter().any(named))
    }

    /// Whether the program can look at its environment as a whole.
    pub fn sees_environment(&self) -> bool {
        let is_main = self.link.function(self.entry).name == "main".into();
        let is_it = |global: &In<GlobalId>| is_environment(self.link.units[global.unit][global.id].name);
        is_main && self.uses_parameter(self.entry, 2) || self.reached.globals.iter().any(is_it)
    }
}

impl Writer<'_, '_> {
    /// The arguments of `main`: any number of strings, which may be none, and the environment.
    pub fn command_line(&mut self, entry: In<FunctionId>, declared: &[Ty]) -> Vec<Typed> {
        let count = self.code.arbitrary(Sort::bv(ARGUMENT_BITS));
        let count = self.code.keep(build::zero_extend(32, count));
        let [uses_strings, uses_environment] = [1, 2].map(|n| self.context.uses_parameter(entry, n));
        let null = build::null(self.width());
        let strings = if uses_strings { self.argument_strings(count) } else { null };
        let environment = match self.environment_variable() {
            Some(variable) if uses_environment => match self.load(&variable) {
                Value::Scalar(strings) => strings,
                _ => null,
            },
            None if uses_environment => self.environment(),
            _ => null,
        };
        let values = [count, strings, environment];
        let mut arguments = Vec::new();
        for (ty, value) in declared.iter().zip(values) {
            let expected = self.types.scalar(*ty).map(|scalar| value_sort(scalar, self.context.model));
            let value = match expected.and_then(|sort| self.reinterpret(value, false, sort)) {
                Some(value) => Value::Scalar(value),
                None => self.nothing(*ty),
            };
            arguments.push(Typed { value, ty: *ty });
        }
        arguments
    }

    /// The variable that points to the environment, if the program has it.
    fn environment_variable(&self) -> Option<Lvalue> {
        let link = &self.context.link;
        let is_it = |global: &In<GlobalId>| {
            let declared = &link.units[global.unit][global.id];
            declared.init.is_none() && is_environment(declared.name)
        };
        let found = self.context.reached.globals.iter().copied().find(is_it)?;
        let ty = link.units[found.unit][found.id].ty;
        Some(Lvalue { is_known: true, ..Lvalue::of(self.context.global(found)?, ty) })
    }

    /// An array of any number of strings, as `environ` points to it.
    pub fn environment(&mut self) -> Term {
        let count = self.code.arbitrary(Sort::bv(ARGUMENT_BITS));
        let count = self.code.keep(build::zero_extend(32, count));
        self.argument_strings(count)
    }

    /// An array of so many strings, and a null pointer behind them. Each string is an object of its own. The first are made one by
    /// one, the others in a loop: what is known of few objects is proved without quantifiers.
    fn argument_strings(&mut self, count: Term) -> Term {
        let (width, word) = (self.width(), u64::from(self.width() / 8));
        let total = super::convert::resize(count, width, false);
        let size = build::bv_mul(build::bv_add(total, self.offset(1)), self.offset(word));
        let object = self.code.temporary(Sort::object());
        self.allocate(object, size, word as u32, Made::Scoped);
        let strings = build::pointer(object, self.offset(0));
        let filled = self.code.location();
        for i in 0..FIRST_ARGUMENTS {
            let next = self.code.location();
            self.code.branch(build::bv_ult(self.offset(i), total), next, filled);
            self.code.continue_at(next);
            let argument = self.new_string();
            self.write(super::pointer::advance(strings, i * word), argument);
        }
        let index = self.code.temporary(Sort::bv(width));
        self.code.assign(index, self.offset(FIRST_ARGUMENTS));
        let (head, pass) = (self.code.location(), self.code.location());
        self.code.enter(head);
        self.code.branch(build::bv_ult(index, total), pass, filled);
        self.code.continue_at(pass);
        let argument = self.new_string();
        let slot = super::pointer::add(strings, build::bv_mul(index, self.offset(word)));
        self.write(slot, argument);
        self.code.assign(index, build::bv_add(index, self.offset(1)));
        self.code.jump(head);
        self.code.continue_at(filled);
        let last = super::pointer::add(strings, build::bv_mul(total, self.offset(word)));
        self.write(last, build::null(width));
        strings
    }

    /// A new string of arbitrary length and content.
    fn new_string(&mut self) -> Term {
        let length = self.code.arbitrary(Sort::bv(LENGTH_BITS));
        let length = self.code.keep(super::convert::resize(length, self.width(), false));
        let object = self.code.temporary(Sort::object());
        self.allocate(object, build::bv_add(length, self.offset(1)), 1, Made::Scoped);
        let start = build::pointer(object, self.offset(0));
        self.write(super::pointer::add(start, length), build::bv(8, 0));
        start
    }
}
