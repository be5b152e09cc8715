//! Where execution starts: what exists before `main`, and what comes around it.

use super::alloc::{Made, live_count};
use super::arguments::is_environment;
use super::checks::Ending;
use super::context::Context;
use super::link::In;
use super::place::Lvalue;
use super::rounding::{direction, to_nearest};
use super::scope::Scope;
use super::storage::{Leaf, Shape, Storage, to_stored};
use super::value::Value;
use super::writer::Writer;
use crate::hir::{Function, FunctionId, GlobalId, StringId};
use crate::syntax::deep;
use crate::types::{Ty, TypeKind, Types};
use ir::{ObjectKind, Op, Variable, memory};
use source::Symbol;
use term::{Sort, Term, build};

/// The name of the procedure that execution starts with. Its result is the exit status.
pub(super) const START: &str = "$start";

/// What the names of the procedures begin with that threads run.
pub(super) const THREAD: &str = "$thread:";

/// The exit status of programs that end themselves in any other way than by `exit`: what a shell shows for `abort`.
const ABORTED: u128 = 134;

/// How much is put into one edge where an edge for each would be too many.
const BATCH: usize = 64;

/// The size of a stream, in bytes.
const STREAM: u64 = 256;

/// Whether a variable of the library points to a stream that is open from the start.
fn is_stream(name: Symbol) -> bool {
    super::library::STANDARD_STREAMS.contains(&name.as_str())
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
        if self.reached.calls("atexit") {
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
        steps.extend(self.initial_jumps());
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
        steps.extend(self.initially_written());
        let unset = [super::race::is_open(), super::library::text_was_written()];
        let unset = unset.into_iter().chain(self.environment_flags()).filter(|flag| self.is_global(*flag));
        steps.extend(unset.map(|flag| Op::assign(flag, build::falsehood())));
        steps.extend(self.initial_automata());
        steps.extend(self.initial_coincidences());
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
                if self.context.keeps_streams() {
                    // Nothing is known of the stream but the number of its file.
                    let names = super::library::STANDARD_STREAMS.iter();
                    let number = names.take_while(|name| declared.name != (**name).into()).count();
                    self.write(stream, build::bv(32, 0));
                    self.write(super::pointer::advance(stream, 4), build::bv(32, number as u128 + 1));
                }
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
        self.begin_jumps();
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
        if self.context.reached.calls("atexit") {
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
        self.assume_contract(entry);
        // Nothing asks for the value, unless it is the exit status, and `main` gives one.
        self.is_discarded = true;
        let value = self.call_function(entry, arguments, ty.result, None);
        let value = match (value, Shape::of(self.types, ty.result)) {
            (Value::Scalar(term), Shape::Scalar(_)) => self.reinterpret(to_stored(term), true, Sort::bv(32)),
            _ => None,
        };
        self.code.assign(status, value.unwrap_or_else(|| build::bv(32, 0)));
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
