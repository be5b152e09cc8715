//! What the lowering of a whole program knows and collects.

use super::checks::Checks;
use super::coincide::Coincidences;
use super::device::Region;
use super::jump::Jumpers;
use super::library::{Asked, Comparators};
use super::link::{In, Link};
use super::missing::Missing;
use super::reach::{Reached, Target};
use super::storage::{Leaf, Slots, Storage, leaf_sort, leaves};
use super::tidy;
use super::weak::Weak;
use crate::Options;
use crate::hir::{Body, FunctionId, GlobalId, StringId};
use crate::types::{Ty, Types};
use ir::{
    Assumption, AssumptionKind, DataModel, ObjectKind, ProcId, Procedure, Program, Property, PropertyId, StaticObject,
    Variable, memory,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, SourceMap, Span, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Term, build};

/// The size of an object that another part of the program defines, and whose type is not complete here: enough for all
/// accesses.
pub(super) const UNKNOWN_SIZE: u64 = 1 << 20;

/// What a program can see of where its objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Addresses {
    /// Nothing.
    Unseen,
    /// Objects may touch each other.
    Touching,
    /// They do not: an address that became a number and a pointer again belongs to one object.
    Apart,
}

/// The whole program while it is being made.
pub(super) struct Context<'a> {
    pub link: Link<'a>,
    map: &'a SourceMap,
    pub options: &'a Options,
    pub checks: Checks,
    pub model: DataModel,
    /// The body of what is not made from one.
    pub empty: &'a Body,
    pub reached: Reached,
    /// The function that execution starts with.
    pub entry: In<FunctionId>,
    /// Whether some mutexes may be recursive or check for errors.
    pub has_mutex_kinds: bool,
    /// Whether the program can start threads.
    pub threaded: bool,
    /// Whether it can round floats in another way than to the nearest.
    pub changes_rounding: bool,
    /// Which pointers to different objects may be equal.
    pub coincidences: Coincidences,
    /// Whether it can see the bits of floats.
    pub sees_float_bits: bool,
    /// Whether text may be written to memory whose characters are not known.
    pub writes_text: bool,
    /// Whether the program can see more of results than C fixes.
    pub sees_open_values: bool,
    pub comparators: Comparators,
    /// Which functions may come back by `longjmp`, and how many calls of `setjmp` were seen.
    pub jumpers: Jumpers,
    sites: u32,
    /// The units that define the functions of `string.h` and `wchar.h`, if the program needs them,
    pub string_functions: Vec<usize>,
    /// and the one of threads.
    pub thread_functions: Option<usize>,
    /// Whether it matters where objects lie.
    pub with_addresses: bool,
    /// Whether an object may begin where another ends.
    pub objects_touch: bool,
    /// Whether a number becomes a pointer that is not seen to be made from one.
    pub makes_pointers: bool,
    /// Where registers of devices lie, and whether the program accesses some.
    pub registers: BTreeSet<Region>,
    pub accesses_registers: bool,
    globals: FxHashMap<In<GlobalId>, Storage>,
    strings: FxHashMap<In<StringId>, u32>,
    function_objects: FxHashMap<In<FunctionId>, u32>,
    /// Weak symbols that the program does not define,
    pub weak: Vec<Weak>,
    /// and which of them are functions.
    pub weak_functions: FxHashMap<In<FunctionId>, Weak>,
    /// The last object that must not be written to: functions, literals and constant variables come first.
    pub last_constant: u32,
    /// Whether constant objects with automatic storage may be written to.
    pub writes_constants: bool,
    numbers: FxHashMap<In<FunctionId>, ProcId>,
    /// Under their names, once they are made.
    procedures: Vec<(Symbol, Option<Procedure>)>,
    procedure_numbers: FxHashMap<Symbol, ProcId>,
    variables: Vec<Variable>,
    /// All global variables; whether threads share them.
    is_shared: FxHashMap<Term, bool>,
    variable_names: FxHashSet<Symbol>,
    pub objects: Vec<StaticObject>,
    /// Their alignments in bytes.
    pub alignments: Vec<u32>,
    properties: Vec<Property>,
    /// What was assumed on the way, each once.
    assumptions: BTreeSet<Assumption>,
    /// What is assumed of functions and variables that are defined nowhere.
    pub missing: Missing,
}

impl<'a> Context<'a> {
    pub fn new(
        link: Link<'a>,
        map: &'a SourceMap,
        options: &'a Options,
        empty: &'a Body,
        entry: In<FunctionId>,
        addresses: Addresses,
        registers: BTreeSet<Region>,
    ) -> Context<'a> {
        let special = link.units.iter().enumerate().flat_map(|(unit, u)| {
            let around =
                u.functions.iter().enumerate().filter(|(_, f)| f.constructor.is_some() || f.destructor.is_some());
            around.map(move |(i, _)| In { unit, id: FunctionId(i as u32) })
        });
        let reached = link.reach(std::iter::once(entry).chain(special));
        let named = |name: &str| link.units.iter().position(|unit| map.name(unit.file).as_str() == name);
        let is_library = |unit: usize| map.name(link.units[unit].file).as_str().starts_with("<library>/");
        let threaded = super::library::THREAD_STARTERS.iter().any(|name| reached.calls(name));
        let checks = Checks::new(&options.properties);
        let asked = Asked { labels: &checks.labels, calls: !options.automata.is_empty() };
        let comparators = Comparators::new(&link, &reached, asked);
        let mut context = Context {
            map,
            options,
            checks,
            model: options.data_model,
            empty,
            threaded,
            coincidences: Coincidences::new(&link, &reached),
            changes_rounding: !threaded && reached.calls("fesetround"),
            sees_float_bits: super::nan::sees_float_bits(&link, &reached),
            writes_text: super::library::may_write_text(&reached),
            sees_open_values: super::library::sees_open_values(&link, &reached, is_library),
            comparators,
            jumpers: Jumpers::new(&link, &reached),
            sites: 0,
            string_functions: super::library::STRING_FUNCTIONS.into_iter().filter_map(named).collect(),
            thread_functions: named(super::library::THREAD_FUNCTIONS),
            with_addresses: addresses != Addresses::Unseen,
            objects_touch: addresses == Addresses::Touching,
            makes_pointers: false,
            registers,
            accesses_registers: false,
            globals: FxHashMap::default(),
            strings: FxHashMap::default(),
            function_objects: FxHashMap::default(),
            weak: Vec::new(),
            weak_functions: FxHashMap::default(),
            last_constant: 0,
            writes_constants: super::constant::may_write_constants(&link, &reached),
            numbers: FxHashMap::default(),
            procedures: Vec::new(),
            procedure_numbers: FxHashMap::default(),
            variables: Vec::new(),
            is_shared: FxHashMap::default(),
            variable_names: FxHashSet::default(),
            objects: Vec::new(),
            alignments: Vec::new(),
            properties: Vec::new(),
            entry,
            has_mutex_kinds: super::library::has_mutex_kinds(&link, &reached),
            assumptions: BTreeSet::new(),
            missing: Missing::default(),
            reached,
            link,
        };
        context.internal_procedure(super::start::START);
        context.number_functions();
        context.place_objects();
        context
    }

    pub fn types(&self, unit: usize) -> &'a Types {
        &self.link.units[unit].types
    }

    pub fn place(&self, span: Span) -> Option<Place> {
        Some(self.map.place(span))
    }

    // Procedures: those of Fathom have names that begin with a dollar sign.

    fn number_functions(&mut self) {
        for function in self.reached.functions.clone() {
            let name = escaped(self.link.function(function).link_name.as_str());
            let number = self.reserve(&name);
            self.numbers.insert(function, number);
        }
    }

    /// A number for a procedure that is still to be made; its name is made unique.
    fn reserve(&mut self, name: &str) -> ProcId {
        let mut unique = Symbol::new(name);
        let mut count = 1;
        while self.procedure_numbers.contains_key(&unique) {
            count += 1;
            unique = Symbol::new(&format!("{name}#{count}"));
        }
        let number = ProcId(self.procedures.len() as u32);
        self.procedures.push((unique, None));
        self.procedure_numbers.insert(unique, number);
        number
    }

    /// The number of a procedure that Fathom makes up. It is to be defined before the program is finished.
    pub fn internal_procedure(&mut self, name: &str) -> ProcId {
        let known = self.procedure_numbers.get(&Symbol::new(name)).copied();
        known.unwrap_or_else(|| self.reserve(name))
    }

    /// The name under which a number was given out.
    pub fn procedure_name(&self, number: ProcId) -> Symbol {
        self.procedures[number.0 as usize].0
    }

    /// The number of a function that was reached.
    pub fn number(&self, function: In<FunctionId>) -> Option<ProcId> {
        self.numbers.get(&function).copied()
    }

    /// A function of the library that an expansion calls. It counts as reached from now on, with what it calls.
    pub fn demand(&mut self, name: &str) -> Option<In<FunctionId>> {
        let function = self.link.library_function(name)?;
        if self.number(function).is_none() {
            let more = self.link.reach([function]);
            for function in more.functions {
                if self.number(function).is_none() {
                    let name = escaped(self.link.function(function).link_name.as_str());
                    let number = self.reserve(&name);
                    self.numbers.insert(function, number);
                    self.reached.functions.push(function);
                }
            }
            self.reached.known.extend(more.known);
        }
        Some(function)
    }

    /// The bytes of the literals that the program mentions.
    pub fn literals(&self) -> impl Iterator<Item = &'a [u8]> {
        let units = self.link.units;
        self.reached.strings.iter().map(|string| units[string.unit][string.id].bytes.as_slice())
    }

    /// A procedure that shows text where the program is executed; else nothing is known of what it returns.
    pub fn shower(&mut self, name: &str) -> ProcId {
        let name = Symbol::new(name);
        if let Some(number) = self.procedure_numbers.get(&name) {
            return *number;
        }
        let number = self.reserve(name.as_str());
        let result = Variable::internal(format!("{name}::$result").as_str(), Sort::bv(32));
        let body = Err(ir::Model::Benign);
        let (parameters, locals) = (Vec::new(), Vec::new());
        let made = Procedure { name, parameters, variadic: true, results: vec![result], locals, body, place: None };
        self.define(number, made);
        number
    }

    pub fn define(&mut self, number: ProcId, procedure: Procedure) {
        self.procedures[number.0 as usize].1 = Some(procedure);
    }

    pub fn is_defined(&self, number: ProcId) -> bool {
        self.procedures[number.0 as usize].1.is_some()
    }

    /// Lowers every function that was reached. What is lowered may demand more of them.
    pub fn lower_functions(&mut self) {
        let mut next = 0;
        while let Some(function) = self.reached.functions.get(next).copied() {
            next += 1;
            let Some(number) = self.number(function) else { continue };
            let procedure = match self.link.target(function) {
                Target::Defined(defined) => self.defined_function(defined, number),
                Target::Benign => self.external_function(function, number, ir::Model::Benign),
                Target::Missing => self.missing_function(function, number),
                Target::Known(expand) => self.wrapper(function, number, expand),
                Target::Unsupported(what) => self.unsupported_function(function, number, what),
            };
            self.define(number, procedure);
        }
    }

    // Variables

    /// Declares a global variable; its name is made unique.
    pub fn declare(&mut self, mut variable: Variable) -> Term {
        let name = variable.name();
        let mut unique = name;
        let mut count = 1;
        while !self.variable_names.insert(unique) {
            count += 1;
            unique = Symbol::new(&format!("{name}#{count}"));
        }
        if unique != name {
            variable.term = Term::var(unique, variable.sort());
        }
        let term = variable.term;
        self.is_shared.insert(term, !variable.thread_local);
        self.variables.push(variable);
        term
    }

    /// A global variable that Fathom makes up, declared when it is first asked for.
    pub fn internal(&mut self, variable: Term, thread_local: bool) -> Term {
        if !self.is_shared.contains_key(&variable)
            && let Some(name) = variable.name()
        {
            self.declare(Variable { thread_local, ..Variable::internal(name, variable.sort()) });
        }
        variable
    }

    /// The number of another call of `setjmp`.
    pub fn next_site(&mut self) -> u32 {
        self.sites += 1;
        self.sites
    }

    /// The variables that are known so far.
    pub fn internal_variables(&self) -> impl Iterator<Item = Term> {
        self.is_shared.keys().copied()
    }

    pub fn memory(&mut self) -> Term {
        self.internal(memory::memory(self.model), false)
    }

    pub fn size_map(&mut self) -> Term {
        self.internal(memory::size(self.model), false)
    }

    pub fn alive_map(&mut self) -> Term {
        self.internal(memory::alive(), false)
    }

    pub fn dynamic_map(&mut self) -> Term {
        self.internal(memory::dynamic(), false)
    }

    pub fn base_map(&mut self) -> Term {
        self.internal(memory::base(self.model), false)
    }

    pub fn is_global(&self, variable: Term) -> bool {
        self.is_shared.contains_key(&variable)
    }

    /// Whether other threads can see and change the variable.
    pub fn is_shared(&self, variable: Term) -> bool {
        self.is_shared.get(&variable).is_some_and(|shared| *shared)
    }

    /// The user's variables that start with the value of a static initialiser: their leaves in variables.
    pub fn variables_for(&mut self, name: &str, leaves: &[Leaf], types: &Types, of: &Variable) -> Vec<Term> {
        let declare = |leaf: &Leaf| {
            let term = Term::var(escaped(&format!("{name}{}", leaf.path)).as_str(), leaf_sort(types, leaf));
            let user_name = of.user_name.map(|user| Symbol::new(&format!("{user}{}", leaf.path)));
            let user_type = Some(Symbol::new(&types.display(leaf.ty).to_string()));
            self.declare(Variable { term, user_name, user_type, ..of.clone() })
        };
        leaves.iter().map(declare).collect()
    }

    // Objects

    fn place_objects(&mut self) {
        for function in self.reached.address_taken.clone() {
            let Some(number) = self.number(function) else { continue };
            let found = self.link.function(function);
            let object = self.object(found.link_name, ObjectKind::Function(number), (1, 1), found.span);
            self.function_objects.insert(function, object);
            self.begin_weak_function(function, object);
        }
        for function in self.reached.functions.clone() {
            if !self.weak_functions.contains_key(&function)
                && let (Some(number), true) = (self.number(function), self.link.is_weak_function(function))
            {
                let found = self.link.function(function);
                let object = self.object(found.link_name, ObjectKind::Function(number), (1, 1), found.span);
                self.begin_weak_function(function, object);
            }
        }
        for string in self.reached.strings.clone() {
            let literal = &self.link.units[string.unit][string.id];
            let shown: String = String::from_utf8_lossy(&literal.bytes).chars().take(40).collect();
            let name = Symbol::new(&format!("{:?}", shown.trim_end_matches('\0')));
            let object = self.object(name, ObjectKind::Literal, (literal.bytes.len() as u64, 1), literal.span);
            self.strings.insert(string, object);
        }
        let is_constant = |global: &In<GlobalId>| {
            super::constant::is_constant(self.types(global.unit), self.link.units[global.unit][global.id].ty)
        };
        let (constants, others): (Vec<_>, Vec<_>) = self.reached.globals.iter().copied().partition(is_constant);
        self.place_globals(constants);
        self.last_constant = self.objects.len() as u32;
        self.place_globals(others);
    }

    fn place_globals(&mut self, globals: Vec<In<GlobalId>>) {
        for global in globals {
            let storage = self.global_storage(global);
            self.globals.insert(global, storage);
        }
    }

    /// A new static object of a size and alignment; its identity.
    pub fn object(&mut self, name: Symbol, kind: ObjectKind, (size, align): (u64, u32), span: Span) -> u32 {
        // The validator bounds sizes; a type that is too large for its data model is refused before.
        self.alignments.push(align);
        self.objects.push(StaticObject { name, kind, size, place: self.place(span) });
        self.objects.len() as u32
    }

    fn global_storage(&mut self, id: In<GlobalId>) -> Storage {
        let (types, global) = (self.types(id.unit), &self.link.units[id.unit][id.id]);
        let variable = Variable {
            user_name: Some(global.name),
            user_type: Some(Symbol::new(&types.display(global.ty).to_string())),
            thread_local: global.is_thread_local,
            place: self.place(global.span),
            ..Variable::internal(escaped(global.link_name.as_str()).as_str(), Sort::object())
        };
        let races = self.checks.race && self.threaded && !global.is_thread_local;
        let uses = self.link.uses(id);
        let addressed = uses.address_taken || uses.indexed || self.reached.addressed.contains(&id);
        let is_weak = self.link.is_weak_global(id);
        let reachable = addressed || races || is_weak;
        if !reachable && let Some(leaves) = self.leaves_of(id.unit, global.ty) {
            let variables = self.variables_for(global.link_name.as_str(), &leaves, types, &variable);
            return Storage::Variables(Rc::new(Slots { leaves, variables }));
        }
        if global.is_thread_local && self.threaded {
            let object = self.declare(Variable { user_name: None, user_type: None, ..variable });
            return Storage::Memory(build::pointer(object, self.offset(0)));
        }
        let size = global.size.unwrap_or(UNKNOWN_SIZE);
        let align = types.align(global.ty).max(global.align.unwrap_or(1));
        let object = self.object(global.link_name, ObjectKind::Variable, (size, align), global.span);
        if is_weak {
            let identity = self.weak(global.link_name.as_str(), object).variable;
            return Storage::Memory(build::pointer(identity, self.offset(0)));
        }
        Storage::Memory(self.static_pointer(object))
    }

    pub fn leaves_of(&self, unit: usize, ty: Ty) -> Option<Rc<[Leaf]>> {
        leaves(self.types(unit), ty)
    }

    /// Where a variable that was reached is kept.
    pub fn global(&self, global: In<GlobalId>) -> Option<Storage> {
        self.globals.get(&self.link.global(global)).cloned()
    }

    pub fn string(&self, string: In<StringId>) -> Option<Term> {
        self.strings.get(&string).map(|object| self.static_pointer(*object))
    }

    /// The identity of a function as an object.
    pub fn function_object(&self, function: In<FunctionId>) -> Option<u32> {
        self.function_objects.get(&function).copied()
    }

    /// The pointer to the start of a static object.
    pub fn static_pointer(&self, object: u32) -> Term {
        build::pointer(build::bv(term::OBJECT_WIDTH, u128::from(object)), self.offset(0))
    }

    /// A number of bytes.
    pub fn offset(&self, bytes: u64) -> Term {
        build::bv(self.model.pointer_width(), u128::from(bytes))
    }

    /// Whether the ends of objects' lives matter.
    pub fn ends_lives(&self) -> bool {
        self.checks.lives() || self.with_addresses
    }

    /// Whether something depends on where objects lie.
    pub fn uses_addresses(&self) -> bool {
        let bases = memory::base(self.model);
        let bodies = self.procedures.iter().filter_map(|(_, made)| made.as_ref()?.body.as_ref().ok());
        self.makes_pointers || self.is_global(bases) && bodies.map(tidy::variables).any(|used| used.contains(&bases))
    }

    // Properties

    pub fn property(&mut self, class: &str, text: &str, place: Option<Place>) -> PropertyId {
        self.properties.push(Property { class: Symbol::new(class), text: Symbol::new(text), place });
        PropertyId(self.properties.len() as u32 - 1)
    }

    /// Notes that what is written now rests on an assumption.
    pub fn assume(&mut self, kind: AssumptionKind, text: &str, functions: &[Symbol], place: Option<Place>) {
        let functions = functions.to_vec();
        self.assumptions.insert(Assumption { kind, text: Symbol::new(text), functions, place });
    }

    /// Notes where the order of evaluation matters that C leaves open.
    fn assume_order(&mut self) {
        for finding in super::order::find(self) {
            let Some(place) = self.place(finding.span) else { continue };
            let what = match finding.is_undefined {
                true => "what C leaves undefined happens in one order all the same",
                false => "operands are evaluated in gcc's order",
            };
            let text = format!("{what}: {place} ({})", finding.why);
            self.assume(AssumptionKind::EvaluationOrder, &text, &[], Some(place));
        }
    }

    /// Notes where calls may use an inline definition that differs from the external one (C11 6.7.4p7).
    fn assume_external_definitions(&mut self) {
        let text = |function| {
            let body = self.link.body(function)?;
            let span = self.link.function(function).span;
            let is_whole = span.file == body.end.file && span.start <= body.end.end;
            is_whole.then(|| self.map.slice(Span { end: body.end.end, ..span }))
        };
        let reached: FxHashSet<In<FunctionId>> = self.reached.functions.iter().copied().collect();
        let differs = |(inline, meant): &(In<FunctionId>, In<FunctionId>)| {
            reached.contains(meant) && (text(*inline).is_none() || text(*inline) != text(*meant))
        };
        let found: Vec<_> = self.link.inline_definitions().filter(differs).collect();
        for (inline, meant) in found {
            let name = self.link.function(inline).name;
            let place = self.place(self.link.function(inline).span);
            let [Some(inline), Some(meant)] = [place, self.place(self.link.function(meant).span)] else { continue };
            let text = format!("calls of {name} use its definition at {meant}, not the inline definition at {inline}");
            self.assume(AssumptionKind::ExternalDefinition, &text, &[name], place);
        }
    }

    /// The program, with everything that was asked for.
    pub fn finish(mut self) -> Program {
        self.assume_order();
        self.assume_external_definitions();
        self.assume_registers();
        self.assumptions.extend(std::mem::take(&mut self.missing).assumptions());
        let assumptions = std::mem::take(&mut self.assumptions).into_iter().collect();
        let optional = self.optional_variables();
        let made = self.procedures.into_iter();
        let mut procedures: Vec<Procedure> = made.map(|(name, made)| made.unwrap_or_else(|| undefined(name))).collect();
        if self.sees_float_bits {
            self.variables.extend(super::nan::follow(&mut procedures, &self.variables));
        }
        let procedures = tidy::without_unread(procedures, &optional);
        let bodies = procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
        let used: FxHashSet<Term> = bodies.flat_map(tidy::variables).collect();
        self.variables.retain(|variable| used.contains(&variable.term));
        Program {
            file: self.map.name(self.link.units[0].file),
            data_model: self.model,
            globals: self.variables,
            objects: self.objects,
            functions: Vec::new(),
            axioms: Vec::new(),
            procedures,
            entry: self.procedure_numbers[&Symbol::new(super::start::START)],
            properties: self.properties,
            assumptions,
        }
    }
}

/// A procedure of which nothing is known: what a number stands for that was given out in vain.
fn undefined(name: Symbol) -> Procedure {
    Procedure {
        name,
        parameters: Vec::new(),
        variadic: true,
        results: Vec::new(),
        locals: Vec::new(),
        body: Err(ir::Model::Unknown),
        place: None,
    }
}

/// A user's name that cannot be taken for one of Fathom's own.
pub(super) fn escaped(name: &str) -> String {
    if name.starts_with('$') { format!("${name}") } else { name.to_owned() }
}
