//! Where execution starts: what exists before `main`, and what comes around it.

use super::alloc::{Made, live_count};
use super::checks::Ending;
use super::context::Context;
use super::link::In;
use super::place::Lvalue;
use super::rounding::{direction, to_nearest};
use super::scope::Scope;
use super::storage::{Leaf, Shape, Storage, to_stored, value_sort};
use super::value::{Typed, Value};
use super::writer::Writer;
use crate::hir::{Function, FunctionId, GlobalId, Place, PlaceKind, StringId};
use crate::syntax::deep;
use crate::types::{Ty, TypeKind, Types};
use ir::{ObjectKind, Op, Variable, memory};
use source::Symbol;
use term::{Sort, Term, build};

/// The name of the procedure that execution starts with. Its result is the exit status.
pub(super) const START: &str = "$start";

/// The exit status of programs that end themselves in any other way than by `exit`: what a shell shows for `abort`.
const ABORTED: u128 = 134;

/// How much is put into one edge where an edge for each would be too many.
const BATCH: usize = 64;

/// A program is given fewer arguments than two to the power of this: Linux gives them and their pointers 6 MB at most.
const ARGUMENT_BITS: u32 = 20;
/// How many arguments are made without a loop.
const FIRST_ARGUMENTS: u64 = 3;
/// An argument is shorter than two to the power of this: Linux's longest has 128 KB.
const LENGTH_BITS: u32 = 17;

/// The size of a stream, in bytes.
const STREAM: u64 = 256;

/// Whether a variable of the library points to a stream that is open from the start.
fn is_stream(name: Symbol) -> bool {
    matches!(name.as_str(), "stdin" | "stdout" | "stderr")
}

/// Whether a variable of the library points to the strings of the environment.
fn is_environment(name: Symbol) -> bool {
    matches!(name.as_str(), "environ" | "__environ")
}
/// The function of the library that calls what `atexit` was given.
const AT_EXIT: &str = "__fathom_at_exit";

impl Context<'_> {
    /// Whether the program can call a function that the library defines in C.
    pub fn reaches_library(&self, name: &str) -> bool {
        let link = &self.link;
        let is_it = |at: &In<FunctionId>| link.function(*at).name.as_str() == name && !link.is_users(at.unit);
        self.reached.functions.iter().any(is_it)
    }

    /// What runs at the end of the program is reached where something is kept for it.
    pub fn reach_end(&mut self) {
        if self.reaches_library("atexit") {
            self.demand(AT_EXIT);
        }
    }

    /// Writes the procedure that execution starts with.
    pub fn write_start(&mut self, entry: In<FunctionId>) {
        let number = self.internal_procedure(START);
        let name = Symbol::new(START);
        let (empty, span) = (self.empty, self.link.function(entry).span);
        let mut writer = Writer::new(self, name, entry.unit, empty, Some(span));
        writer.scopes.push(Scope::new(None));
        let status = Variable::internal(format!("{START}::$result").as_str(), Sort::bv(32));
        writer.results = vec![status.term];
        writer.begin_globals();
        for function in writer.context.by_priority(|f| f.constructor) {
            writer.call_plainly(function);
        }
        writer.call_entry(entry, status.term);
        writer.call_destructors();
        writer.check_leaks(Ending::Return);
        writer.finish_function(true);
        writer.code.prelude = writer.context.initial_memory();
        let procedure = writer.into_procedure(name, Vec::new(), vec![status], Some(span));
        self.define(number, procedure);
    }

    /// The functions that have a priority, by it.
    fn by_priority(&self, priority: fn(&Function) -> Option<u32>) -> Vec<In<FunctionId>> {
        let mut found: Vec<(u32, In<FunctionId>)> = Vec::new();
        for (unit, u) in self.link.units.iter().enumerate() {
            let own = u.functions.iter().enumerate();
            found.extend(own.filter_map(|(i, f)| Some((priority(f)?, In { unit, id: FunctionId(i as u32) }))));
        }
        found.sort();
        found.into_iter().map(|(_, function)| function).collect()
    }

    /// The objects that exist from the start: of their sizes, lives and addresses what the program asks for.
    fn initial_memory(&mut self) -> Vec<Op> {
        let objects: Vec<(u128, ObjectKind, u64)> =
            self.objects.iter().enumerate().map(|(i, o)| (i as u128 + 1, o.kind, o.size)).collect();
        let identity = |number: u128| build::bv(term::OBJECT_WIDTH, number);
        let mut steps = Vec::new();
        if self.is_global(memory::next()) {
            steps.push(Op::assign(memory::next(), identity(objects.len() as u128 + 1)));
        }
        let (sizes, dynamic, alive) = (memory::size(self.model), memory::dynamic(), memory::alive());
        if self.is_global(sizes) {
            for batch in objects.chunks(BATCH) {
                let known =
                    batch.iter().fold(sizes, |map, (i, _, size)| build::store(map, identity(*i), self.offset(*size)));
                steps.push(Op::assign(sizes, known));
            }
        }
        steps.extend(self.initial_constants());
        steps.extend(self.initial_threads());
        steps.extend(self.initial_counters());
        steps.extend(self.initial_waiting());
        let all_false = |map: Term| Op::assign(map, build::const_array(map.sort(), build::falsehood()));
        if self.is_global(dynamic) {
            steps.push(all_false(dynamic));
        }
        if self.is_global(alive) {
            steps.push(all_false(alive));
            let data: Vec<u128> =
                objects.iter().filter(|o| !matches!(o.1, ObjectKind::Function(_))).map(|o| o.0).collect();
            for batch in data.chunks(BATCH) {
                let known = batch.iter().fold(alive, |map, i| build::store(map, identity(*i), build::truth()));
                steps.push(Op::assign(alive, known));
            }
        }
        if self.is_global(ir::status()) {
            steps.push(Op::assign(ir::status(), build::bv(32, ABORTED)));
        }
        let all_true = |map: Term| Op::assign(map, build::const_array(map.sort(), build::truth()));
        let begun = [super::initialised::complete(), super::initialised::written()];
        steps.extend(begun.into_iter().filter(|map| self.is_global(*map)).map(all_true));
        let unset = [super::race::is_open(), super::library::text_was_written()];
        let unset = unset.into_iter().chain(self.environment_flags()).filter(|flag| self.is_global(*flag));
        steps.extend(unset.map(|flag| Op::assign(flag, build::falsehood())));
        steps.extend(self.initial_automata());
        if self.is_global(direction()) {
            steps.push(Op::assign(direction(), to_nearest()));
        }
        if self.is_global(live_count()) {
            steps.push(Op::assign(live_count(), identity(0)));
        }
        if self.with_addresses {
            steps.extend(self.initial_layout());
        }
        steps
    }
}

impl Writer<'_, '_> {
    /// What literals hold, and what variables start with.
    fn begin_globals(&mut self) {
        self.begin_weak();
        self.begin_nans();
        for string in self.context.reached.strings.clone() {
            self.begin_literal(string);
        }
        for global in self.context.reached.globals.clone() {
            let declared = &self.context.link.units[global.unit][global.id];
            if !declared.is_thread_local {
                self.begin_global(global);
            }
        }
        self.begin_thread();
    }

    fn begin_literal(&mut self, string: In<StringId>) {
        let Some(pointer) = self.context.string(string) else { return };
        let (types, literal) = (self.context.types(string.unit), &self.context.link.units[string.unit][string.id]);
        self.set_span(literal.span);
        let size = types.element(literal.ty).and_then(|element| types.size(element)).unwrap_or(1).clamp(1, 8) as usize;
        let memory = self.context.memory();
        let elements: Vec<&[u8]> = literal.bytes.chunks(size).collect();
        for (batch, elements) in elements.chunks(BATCH).enumerate() {
            let mut filled = memory;
            for (i, element) in elements.iter().enumerate() {
                let offset = ((batch * BATCH + i) * size) as u64;
                let bits = element.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
                let value = build::bv(element.len() as u32 * 8, bits);
                filled = build::mem_store(filled, super::pointer::advance(pointer, offset), value);
            }
            self.code.assign(memory, filled);
        }
    }

    fn begin_global(&mut self, global: In<GlobalId>) {
        let declared = &self.context.link.units[global.unit][global.id];
        let Some(storage) = self.context.global(global) else { return };
        (self.unit, self.types) = (global.unit, self.context.types(global.unit));
        self.set_span(declared.span);
        match (&declared.init, &storage) {
            (Some(entries), _) => {
                let lvalue = Lvalue::of(storage, declared.ty);
                self.initialise_static(&lvalue, declared.size.unwrap_or(0), entries);
            }
            (None, _) if is_stream(declared.name) && self.types.is_pointer(declared.ty) => {
                let shape = (STREAM, super::alloc::MALLOC_ALIGNMENT);
                let object = self.context.object(declared.name, ObjectKind::Variable, shape, declared.span);
                let stream = build::pointer(build::bv(term::OBJECT_WIDTH, object.into()), self.offset(0));
                self.store(&Lvalue { is_known: true, ..Lvalue::of(storage, declared.ty) }, Value::Scalar(stream));
            }
            (None, _) if is_environment(declared.name) && self.types.is_pointer(declared.ty) => {
                let strings = self.environment();
                self.store(&Lvalue { is_known: true, ..Lvalue::of(storage, declared.ty) }, Value::Scalar(strings));
            }
            // What another part of the program defines has a value that is not known.
            (None, storage) => {
                self.context.assume_variable(global);
                if let Storage::Variables(slots) = storage {
                    self.code.emit(Op::Havoc(slots.variables.clone()));
                }
            }
        }
    }

    /// What the variables of a thread start with, for the thread that comes here.
    pub fn begin_thread(&mut self) {
        for global in self.context.reached.globals.clone() {
            let declared = &self.context.link.units[global.unit][global.id];
            if !declared.is_thread_local {
                continue;
            }
            if let Some(Storage::Memory(pointer)) = self.context.global(global)
                && build::pointer_object(pointer).is_var()
            {
                let size = self.offset(declared.size.unwrap_or(0));
                let align = declared.align.max(Some(self.context.types(global.unit).align(declared.ty)));
                self.allocate(build::pointer_object(pointer), size, align.unwrap_or(1), Made::Scoped);
            }
            self.begin_global(global);
        }
    }

    /// What is called when the program ends normally.
    pub fn call_destructors(&mut self) {
        if self.context.reaches_library("atexit") {
            self.run_helper(AT_EXIT, Vec::new());
        }
        for function in self.context.by_priority(|f| f.destructor).into_iter().rev() {
            self.call_plainly(function);
        }
    }

    fn call_plainly(&mut self, function: In<FunctionId>) {
        let function = self.context.link.definition(function);
        self.call_function(function, Vec::new(), Ty::VOID, None);
    }

    /// Calls the function that the user wants execution to start with.
    fn call_entry(&mut self, entry: In<FunctionId>, status: Term) {
        let found = self.context.link.function(entry);
        (self.unit, self.types) = (entry.unit, self.context.types(entry.unit));
        self.set_span(found.span);
        let Some(ty) = self.types.function_type(found.ty) else { return };
        let parameters = self.context.link.body(entry).map_or(&[][..], |body| &body.parameters);
        let declared: Vec<Ty> =
            parameters.iter().filter_map(|local| Some(self.context.link.body(entry)?[*local].ty)).collect();
        let arguments = match (found.name.as_str(), declared.len()) {
            ("main", 2 | 3) => self.command_line(entry, &declared),
            _ => self.entry_arguments(entry, parameters),
        };
        self.assume_start(entry);
        // Nothing asks for the value, unless it is the exit status, and `main` gives one.
        self.is_discarded = true;
        let value = self.call_function(entry, arguments, ty.result, None);
        let value = match (value, Shape::of(self.types, ty.result)) {
            (Value::Scalar(term), Shape::Scalar(_)) => self.reinterpret(to_stored(term), true, Sort::bv(32)),
            _ => None,
        };
        self.code.assign(status, value.unwrap_or_else(|| build::bv(32, 0)));
    }

    /// The arguments of `main`: any number of strings, which may be none, and the environment.
    fn command_line(&mut self, entry: In<FunctionId>, declared: &[Ty]) -> Vec<Typed> {
        let count = self.code.arbitrary(Sort::bv(ARGUMENT_BITS));
        let count = self.code.keep(build::zero_extend(32, count));
        let uses = |n: usize| {
            let body = self.context.link.body(entry);
            let local = body.and_then(|body| body.parameters.get(n).copied());
            let named = |place: &Place| matches!(place.kind, PlaceKind::Local(id) if Some(id) == local);
            body.is_some_and(|body| body.places.iter().any(named))
        };
        let (uses_strings, uses_environment) = (uses(1), uses(2));
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
    fn environment(&mut self) -> Term {
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

    /// The pointers that variables with static storage hold when nothing else is left; nothing if they cannot be listed, or
    /// if other threads may hold some.
    pub fn static_pointers(&mut self) -> Option<Vec<Term>> {
        if self.context.threaded {
            return None;
        }
        let mut pointers = Vec::new();
        for global in self.context.reached.globals.clone() {
            let types = self.context.types(global.unit);
            let ty = self.context.link.units[global.unit][global.id].ty;
            if !may_hold_pointers(types, ty) {
                continue;
            }
            let leaves = super::storage::leaves(types, ty)?;
            let is_pointer = |leaf: &&Leaf| types.is_pointer(leaf.ty);
            match self.context.global(global)? {
                Storage::Variables(slots) => {
                    let own = leaves.iter().filter(is_pointer);
                    pointers.extend(own.filter_map(|leaf| slots.find(leaf.offset, leaf.bits)));
                }
                Storage::Memory(start) => {
                    for leaf in leaves.iter().filter(is_pointer) {
                        let at = super::pointer::advance(start, leaf.offset);
                        pointers.push(self.read(self.pointer_sort(), at));
                    }
                }
            }
        }
        Some(pointers)
    }
}

/// Whether an object of the type can hold a pointer.
pub(super) fn may_hold_pointers(types: &Types, ty: Ty) -> bool {
    match *types.kind(ty) {
        TypeKind::Array { element, .. } => deep(|| may_hold_pointers(types, element)),
        TypeKind::Record(id) => {
            let fields = types[id].layout.iter().flat_map(|layout| &layout.fields);
            fields.map(|field| field.ty).any(|ty| deep(|| may_hold_pointers(types, ty)))
        }
        TypeKind::Pointer(_) => true,
        _ => false,
    }
}
