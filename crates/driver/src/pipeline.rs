//! The passes that bring a program to the form that an engine wants.

use crate::engines::Options;
use crate::modelling::{Calls, Modelling, Pointers};
use engine::Reason;
use ir::{Cfa, LocationKind, Op, ProcId, Program, memory};
use pass::{
    Assumed, Foreign, Identity, Passed, Recursion, TooLarge, addresses, bits, cell_morphing, cells, copies, defined,
    dereferences, halves, inline, inline_small, instances, known_cells, known_values, loops_to_procedures, prune,
    recursive, return_points, sequentialise, slice, small_domains, split_into_elements, split_memory, starts_threads,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use term::SortKind;

/// Programs that inlining would make larger than this are left alone.
const MOST_EDGES: usize = 400_000;
/// A procedure with so few edges that calls nothing is no procedure of its own where procedures are looked at one at a time.
const SMALL_EDGES: usize = 30;
/// Recursion is unfolded as long as the program stays this small,
const UNFOLDED_EDGES: usize = 4_000;
/// and not deeper.
const MOST_DEPTH: usize = 12;

/// What engines look at. TRUE of a form carries over to the program, because it can do whatever the program can do inside the
/// language; what else it can do is found out by replaying.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// One procedure without calls for each thread, all of Booleans: what `interleaving` wants. It has all contexts.
    Boolean,
    /// One procedure without calls and memory, with values as small as they can be; threads within a number of contexts.
    Flat,
    /// One procedure like that for each thread. It has all contexts.
    Threads,
    /// Procedures without loops and memory that call each other: what `stratified` wants. Threads as in [`Form::Flat`].
    Calls,
    /// Procedures with their loops, without memory, where some call themselves; else as [`Form::Flat`]: what `linear` wants.
    Procedures,
}

/// Which executions a form has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Executions {
    /// Those of the program, and more.
    All,
    /// Those that can be replayed: accesses stay inside their objects, and pointers from outside point to objects of their own.
    /// For the search for a violation where one of all executions could not be executed; that there is none says nothing.
    Replayable,
}

impl Form {
    /// With inlining and maps.
    pub fn make(self, program: &Program, contexts: u16, executions: Executions) -> Result<Passed, Reason> {
        self.model(program, contexts, executions, Modelling::default())
    }

    /// Programs of several procedures keep their calls, and programs with threads their memory in maps.
    pub fn model(
        self,
        program: &Program,
        contexts: u16,
        executions: Executions,
        modelling: Modelling,
    ) -> Result<Passed, Reason> {
        match self {
            Form::Boolean => boolean_threads(program),
            Form::Flat => {
                let base = without_memory(program, executions, modelling)?;
                flat(base, contexts, executions, modelling)
            }
            Form::Threads => threads(program, executions),
            Form::Calls if starts_threads(program) => {
                let modelling = Modelling::default();
                let base = without_memory(program, executions, modelling)?;
                Ok(flat(base, contexts, executions, modelling)?.then(loops_to_procedures))
            }
            Form::Calls => Ok(calls(split_calls(program, executions))),
            Form::Procedures if recursive(program).is_empty() => {
                Form::Flat.model(program, contexts, executions, modelling)
            }
            Form::Procedures => Ok(split_calls(program, executions).then(small_domains)),
        }
    }
}

/// What the forms of a program have in common, whichever of its checks are looked at: it is made once for all of them.
pub struct Bases {
    program: Program,
    made: Mutex<FxHashMap<(Base, Executions), Arc<Made>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Base {
    /// Without calls and memory.
    Flat,
    /// Without memory.
    Calls,
}

impl Bases {
    pub fn new(program: Program) -> Bases {
        Bases { program, made: Mutex::default() }
    }

    /// The program with its calls, without memory.
    pub fn with_calls(&self) -> Result<Passed, Reason> {
        self.get(Base::Calls, Executions::All)
    }

    fn get(&self, base: Base, executions: Executions) -> Result<Passed, Reason> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = made.entry((base, executions)).or_default().clone();
        drop(made);
        let make = || match base {
            Base::Flat => without_memory(&self.program, executions, Modelling::default()),
            Base::Calls => Ok(split_calls(&self.program, executions)),
        };
        cell.get_or_init(make).clone()
    }
}

/// The same program where executions end at locations of some kinds, and those beside it in the passes.
fn ending(passed: Passed, is_end: &dyn Fn(LocationKind) -> bool) -> Passed {
    passed.then(|program| {
        let mut program = program.clone();
        end_where(&mut program, is_end);
        Passed { program, lift: Arc::new(Identity) }
    })
}

/// Lets executions end where they come to locations of some kinds.
pub fn end_where(program: &mut Program, is_end: impl Fn(LocationKind) -> bool) {
    for procedure in &mut program.procedures {
        let Ok(cfa) = &procedure.body else { continue };
        if !cfa.locations().any(|(_, location)| is_end(location.kind)) {
            continue;
        }
        let (mut locations, edges, entry, exit) = cfa.clone().into_parts();
        for location in locations.iter_mut().filter(|location| is_end(location.kind)) {
            location.kind = LocationKind::End;
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
}

/// The forms of a program, each made once for all engines that want it.
#[derive(Default)]
pub struct Forms {
    made: Mutex<FxHashMap<Wanted, Arc<Made>>>,
    /// What was made of the same program with more checks, and where executions end here that do not there.
    base: Option<(Arc<Bases>, IsEnd)>,
}

/// At which kinds of locations executions end.
pub type IsEnd = Arc<dyn Fn(LocationKind) -> bool + Send + Sync>;

/// A form, for a number of contexts.
type Wanted = (Form, u16, Executions, Modelling);

type Made = OnceLock<Result<Passed, Reason>>;

impl Forms {
    /// A form of the program, which is the same at every call.
    pub fn get(
        &self,
        form: Form,
        program: &Program,
        contexts: u16,
        executions: Executions,
        modelling: Modelling,
    ) -> Result<Passed, Reason> {
        // One who broke while holding the lock left nothing half done.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = made.entry((form, contexts, executions, modelling)).or_default().clone();
        drop(made);
        cell.get_or_init(|| self.make(form, program, contexts, executions, modelling)).clone()
    }

    /// The forms of a program in which executions end where those of the base do not.
    pub fn of(bases: Arc<Bases>, is_end: IsEnd) -> Forms {
        Forms { made: Mutex::default(), base: Some((bases, is_end)) }
    }

    fn make(
        &self,
        form: Form,
        program: &Program,
        contexts: u16,
        executions: Executions,
        modelling: Modelling,
    ) -> Result<Passed, Reason> {
        // Bases are inlined, with maps.
        let is_usual = (modelling.calls, modelling.pointers) == (Calls::default(), Pointers::default());
        let based = |base| self.base.as_ref().map(|(bases, is_end)| (base, bases, is_end));
        let base = match form {
            Form::Flat if is_usual => based(Base::Flat),
            Form::Calls if !starts_threads(program) => based(Base::Calls),
            _ => None,
        };
        let Some((base, bases, is_end)) = base else { return form.model(program, contexts, executions, modelling) };
        let passed = ending(bases.get(base, executions)?, &**is_end).then(|program| prune(program, |_| false));
        match base {
            Base::Flat => flat(passed, contexts, executions, modelling),
            Base::Calls => Ok(calls(passed)),
        }
    }
}

/// The same, of a program without calls and memory.
fn flat(mut pruned: Passed, contexts: u16, executions: Executions, modelling: Modelling) -> Result<Passed, Reason> {
    if starts_threads(&pruned.program) {
        let woven = pruned.try_then(|program| sequentialise(program, contexts)).map_err(refused)?;
        let one = woven.try_then(|program| without_calls(program, executions, modelling)).map_err(refused)?;
        pruned = one.then(|program| prune(program, |_| false));
    }
    if matches!(modelling.pointers, Pointers::Addresses | Pointers::Dereferences) {
        pruned = pruned.then(known_values).then(addresses);
    }
    let sliced = with_known_objects(pruned).then(slice).then(|program| prune(program, |_| false));
    Ok(sliced.then(small_domains))
}

/// The same, where identities of objects are known as far as they can be, and what depends on them are variables.
fn with_known_objects(passed: Passed) -> Passed {
    let is_simple =
        |variable: &ir::Variable| !matches!(variable.sort().kind(), SortKind::Array(..) | SortKind::Pointer(_));
    let locals = passed.program.procedures.iter().flat_map(|procedure| &procedure.locals);
    if passed.program.globals.iter().chain(locals).all(is_simple) {
        return passed;
    }
    passed.then(halves).then(known_values).then(known_cells).then(copies).then(|program| prune(program, |_| false))
}

fn threads(program: &Program, executions: Executions) -> Result<Passed, Reason> {
    if is_boolean(program) {
        return Err(Reason::NotAttempted("a Boolean program needs no abstraction".to_string()));
    }
    Ok(without_memory(program, executions, Modelling::default())?.then(small_domains))
}

/// The program without memory.
fn split_calls(program: &Program, executions: Executions) -> Passed {
    let (assumed, foreign) = executions.of_memory();
    defined(program, assumed).then(|program| split(program, foreign, Modelling::default()))
}

fn calls(split: Passed) -> Passed {
    split.then(small_domains).then(loops_to_procedures).then(|program| inline_small(program, SMALL_EDGES))
}

/// The program without calls and memory.
fn without_memory(program: &Program, executions: Executions, modelling: Modelling) -> Result<Passed, Reason> {
    let (assumed, foreign) = executions.of_memory();
    let one = without_calls(program, executions, modelling).map_err(refused)?;
    Ok(one.then(|program| defined(program, assumed)).then(|program| split(program, foreign, modelling)))
}

/// The program with variables instead of memory.
fn split(program: &Program, foreign: Foreign, modelling: Modelling) -> Passed {
    // Whether an object is dynamic tells the split which objects live one at a time; its size, how far a copy or fill can reach.
    let told = [memory::dynamic(), memory::size(program.data_model)];
    prune(program, |variable| told.contains(&variable))
        .then(|program| match modelling.pointers {
            Pointers::Maps => split_memory(program, foreign),
            Pointers::Elements | Pointers::Addresses => split_into_elements(program, foreign, modelling.heap()),
            Pointers::Dereferences => {
                dereferences(program).then(|program| split_into_elements(program, foreign, modelling.heap()))
            }
        })
        .then(|program| prune(program, |_| false))
}

impl Executions {
    /// What is assumed of accesses and of pointers from outside.
    fn of_memory(self) -> (Assumed, Foreign) {
        match self {
            Executions::All => (Assumed::NotNull, Foreign::Any),
            Executions::Replayable => (Assumed::Inside, Foreign::Distinct),
        }
    }
}

/// Nothing is done for one engine alone.
pub fn as_it_is(passed: Passed, _: &Options) -> Result<Passed, Reason> {
    Ok(passed)
}

/// Elements of maps as variables, and machine integers as mathematical ones, except for those that the engine `mixed` represents as
/// bits. TRUE carries over; a violation may be one of a pseudo-input, or of an element that is not kept.
pub fn mixed_view(flat: Passed, options: &Options) -> Result<Passed, Reason> {
    without_maps(flat).try_then(|program| ::mixed::view(program, options.mixed.represent)).map_err(refused)
}

/// Machine integers, and the elements of maps, as mathematical integers; maps stay.
pub fn linear_view(passed: Passed, _: &Options) -> Result<Passed, Reason> {
    passed.try_then(::linear::view).map_err(refused)
}

/// The elements of maps at a few arbitrary places instead of maps, for programs where computed elements of maps matter. TRUE
/// carries over; violations do not ([`pass::cell_morphing`]).
pub fn cells_of_maps(flat: Passed, _: &Options) -> Result<Passed, Reason> {
    let no_proof = |why| Reason::NotAttempted(format!("morphing is for assertions about elements of maps: {why}"));
    let morphed = flat.try_then(cell_morphing).map_err(no_proof)?;
    Ok(morphed.then(|program| prune(program, |_| false)).then(small_domains))
}

fn refused(why: impl std::fmt::Display) -> Reason {
    Reason::NotAttempted(why.to_string())
}

/// The program without calls: all executions with those of a procedure that calls itself merged, or replayable ones as deep as
/// is reasonable.
fn without_calls(program: &Program, executions: Executions, modelling: Modelling) -> Result<Passed, TooLarge> {
    match executions {
        _ if modelling.calls == Calls::ReturnPoints => Ok(return_points(program, modelling.recursion_bound())),
        Executions::All => inline(program, Recursion::Merged, MOST_EDGES),
        Executions::Replayable => unfold(program),
    }
}

/// The program without calls, with recursion as deep as is reasonable.
fn unfold(program: &Program) -> Result<Passed, TooLarge> {
    let mut unfolded = inline(program, Recursion::Cut(1), MOST_EDGES)?;
    if !recursive(program).is_empty() {
        for depth in 2..=MOST_DEPTH {
            match inline(program, Recursion::Cut(depth), UNFOLDED_EDGES) {
                Ok(deeper) => unfolded = deeper,
                Err(_) => break,
            }
        }
    }
    Ok(unfolded)
}

/// The elements of maps as variables, as far as they matter.
fn without_maps(passed: Passed) -> Passed {
    passed.then(cells).then(|program| prune(program, |_| false)).then(small_domains)
}

/// A procedure for each thread, whose variables are globals, and no maps: what predicate abstraction wants.
pub fn instances_of_threads(threads: Passed, _: &Options) -> Result<Passed, Reason> {
    without_maps(threads).try_then(instances).map_err(refused)
}

/// Bits in the place of values.
pub fn bits_of_threads(threads: Passed, _: &Options) -> Result<Passed, Reason> {
    without_maps(threads).try_then(bits).map_err(refused)
}

/// Whether a program has no values but Booleans. The numbers that threads get may stay, if nobody reads them.
fn is_boolean(program: &Program) -> bool {
    let numbers = if program.reads_thread_numbers() { FxHashSet::default() } else { program.thread_numbers() };
    let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
    let mut variables = program.globals.iter().chain(locals);
    variables.all(|variable| *variable.sort().kind() == SortKind::Bool || numbers.contains(&variable.term))
}

fn boolean_threads(program: &Program) -> Result<Passed, Reason> {
    if !is_boolean(program) {
        return Err(Reason::NotAttempted("the program is not Boolean".to_string()));
    }
    if let Some(cycle) = cycle(program) {
        let names: Vec<String> = cycle.iter().map(|name| format!("{name} calls ")).collect();
        return Err(Reason::NotAttempted(format!("recursion: {}{}", names.concat(), cycle[0])));
    }
    inline(program, Recursion::Cut(1), MOST_EDGES).map_err(refused)
}

/// Procedures that call each other in a circle, in order.
fn cycle(program: &Program) -> Option<Vec<Symbol>> {
    let recursive = recursive(program);
    let first = *recursive.iter().min()?;
    let callees = |id: ProcId| -> Vec<ProcId> {
        let edges = program.procedure(id).body.iter().flat_map(Cfa::edges);
        let called = edges
            .filter_map(|(_, edge)| if let Op::Call { procedure, .. } = &edge.op { Some(*procedure) } else { None });
        called.filter(|callee| recursive.contains(callee)).collect()
    };
    let mut seen = FxHashSet::default();
    let mut paths = std::collections::VecDeque::from([vec![first]]);
    while let Some(path) = paths.pop_front() {
        for callee in callees(path[path.len() - 1]) {
            if callee == first {
                return Some(path.iter().map(|id| program.procedure(*id).name).collect());
            }
            if seen.insert(callee) {
                paths.push_back(path.iter().copied().chain([callee]).collect());
            }
        }
    }
    None
}

/// For each location of the entry procedure after passes, the procedure that it was written in: that of the edges which
/// leave it, or of those which lead to it.
pub fn functions(passed: &Passed) -> Vec<ProcId> {
    let entry = passed.program.entry;
    let Ok(cfa) = &passed.program.procedure(entry).body else { return Vec::new() };
    let function = |location| {
        let mut edges = cfa.outgoing(location).iter().chain(cfa.incoming(location));
        edges.find_map(|edge| passed.lift.edge(entry, *edge)).map_or(entry, |(procedure, _)| procedure)
    };
    cfa.locations().map(|(location, _)| function(location)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "property p unreach-call\nprocedure main() {\nlocal x: bv32\nlocation bad error p\n\
        entry -> L3: x := call next(x)\nL3 -> L4: x := call next(x)\nL4 -> bad: assume (= x #x00000000)\n\
        L4 -> exit: assume (not (= x #x00000000))\n}\nprocedure next(a: bv32) returns (r: bv32) {\n\
        entry -> M: r := (bvadd a #x00000001)\nM -> exit: assume (bvult r a)\n}\n";

    #[test]
    fn recursion_is_refused_with_its_cycle() {
        let text = "procedure main() {\nentry -> exit: call f()\n}\nprocedure f() {\nentry -> exit: call g()\n}\n\
            procedure g() {\nentry -> exit: call f()\nentry -> exit\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let why = Form::Boolean.make(&program, 1, Executions::All).err().map(|why| why.to_string());
        assert_eq!(why.as_deref(), Some("recursion: f calls g calls f"));
    }

    /// Both copies of a procedure are known by its name, and what is around them by the caller's.
    #[test]
    fn locations_know_their_functions_after_inlining() {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let passed = Form::Flat.make(&program, 1, Executions::All).unwrap_or_else(|why| panic!("{why}"));
        let functions = functions(&passed);
        let Ok(cfa) = &passed.program.procedure(passed.program.entry).body else { panic!("a body") };
        let mut seen = [0, 0];
        for (_, edge) in cfa.edges() {
            if let ir::Op::Assume(condition) = &edge.op {
                let is_callee = format!("{condition:?}").contains("bvult");
                assert_eq!(functions[edge.from.0 as usize], ProcId(u32::from(is_callee)), "{condition:?}");
                seen[usize::from(is_callee)] += 1;
            }
        }
        assert_eq!(seen, [2, 2]);
    }
}
