//! The passes that bring a program to the form that an engine wants.

use engine::Reason;
use ir::{Cfa, Op, ProcId, Program, memory};
use pass::{
    Assumed, Foreign, Passed, Recursion, TooLarge, bits, cell_morphing, cells, defined, inline, instances,
    loops_to_procedures, prune, recursive, sequentialise, small_domains, split_memory, starts_threads,
};
use rustc_hash::FxHashSet;
use source::Symbol;
use term::SortKind;

/// Programs that inlining would make larger than this are left alone.
const MOST_EDGES: usize = 400_000;
/// Recursion is unfolded as long as the program stays this small,
const UNFOLDED_EDGES: usize = 4_000;
/// and not deeper.
const MOST_DEPTH: usize = 12;

/// One procedure without calls and memory, with values as small as they can be: what `predicate` wants. It can do whatever
/// the program can do inside the language (threads: within a number of contexts), so TRUE carries over; what else it can
/// do is found out by replaying.
pub fn flat(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    let split = merged(program)
        .map_err(refused)?
        .then(|program| defined(program, Assumed::NotNull))
        // Whether an object is dynamic tells the split which objects live one at a time.
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(|program| split_memory(program, Foreign::Any));
    finished(split, contexts, merged)
}

/// The same for programs without threads.
pub fn flat_sequential(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    if starts_threads(program) {
        return Err(Reason::NotAttempted("dataflow is for programs without threads".to_string()));
    }
    flat(program, contexts)
}

/// The same for those executions alone that can be replayed: accesses stay inside their objects, and pointers from outside
/// point to objects of their own. For the search for a violation where one of [`flat`] could not be executed.
pub fn flat_defined(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    let split = unfold(program)
        .map_err(refused)?
        .then(|program| defined(program, Assumed::Inside))
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(|program| split_memory(program, Foreign::Distinct));
    finished(split, contexts, unfold)
}

/// The same with the elements of maps at a few arbitrary places instead of maps, for programs where computed elements of
/// maps matter. TRUE carries over; violations do not ([`pass::cell_morphing`]).
pub fn cells_of_maps(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    if starts_threads(program) {
        return Err(Reason::NotAttempted("morphing is for programs without threads".to_string()));
    }
    let no_proof = |why| Reason::NotAttempted(format!("morphing is for assertions about elements of maps: {why}"));
    let morphed = flat(program, contexts)?.try_then(cell_morphing).map_err(no_proof)?;
    Ok(morphed.then(|program| prune(program, |_| false)).then(small_domains))
}

/// The program for violations, of ways to look at programs that are for proofs alone.
pub fn only_for_proofs(_: &Program, _: u16) -> Result<Passed, Reason> {
    Err(Reason::NoProgress("the engine proves, and what it was given was not enough for a proof".to_string()))
}

fn refused(why: impl std::fmt::Display) -> Reason {
    Reason::NotAttempted(why.to_string())
}

/// What is left to do without memory: threads become calls, and calls are inlined again.
fn finished(
    split: Passed,
    contexts: u16,
    without_calls: fn(&Program) -> Result<Passed, TooLarge>,
) -> Result<Passed, Reason> {
    let mut pruned = split.then(|program| prune(program, |_| false));
    if starts_threads(&pruned.program) {
        let woven = pruned.try_then(|program| sequentialise(program, contexts)).map_err(refused)?;
        let one = woven.try_then(without_calls).map_err(refused)?;
        pruned = one.then(|program| prune(program, |_| false));
    }
    Ok(pruned.then(small_domains))
}

/// The program without calls; calls of a procedure by itself are merged.
fn merged(program: &Program) -> Result<Passed, TooLarge> {
    inline(program, Recursion::Merged, MOST_EDGES)
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

/// One procedure without calls and memory for each thread, with values as small as they can be: what counting threads wants. TRUE
/// carries over, as with [`flat`].
pub fn threads(program: &Program, _contexts: u16) -> Result<Passed, Reason> {
    if is_boolean(program) {
        return Err(Reason::NotAttempted("a Boolean program needs no abstraction".to_string()));
    }
    let split = merged(program)
        .map_err(refused)?
        .then(|program| defined(program, Assumed::NotNull))
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(|program| split_memory(program, Foreign::Any));
    Ok(split.then(|program| prune(program, |_| false)).then(small_domains))
}

/// The same for those executions alone that can be replayed, as [`flat_defined`].
pub fn threads_defined(program: &Program, _contexts: u16) -> Result<Passed, Reason> {
    let split = unfold(program)
        .map_err(refused)?
        .then(|program| defined(program, Assumed::Inside))
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(|program| split_memory(program, Foreign::Distinct));
    Ok(split.then(|program| prune(program, |_| false)).then(small_domains))
}

/// The elements of maps as variables, as far as they matter.
fn without_maps(passed: Passed) -> Passed {
    passed.then(cells).then(|program| prune(program, |_| false)).then(small_domains)
}

/// The same with a procedure for each thread, whose variables are globals: what predicate abstraction wants.
pub fn instances_of_threads(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    without_maps(threads(program, contexts)?).try_then(instances).map_err(refused)
}

/// The same for those executions alone that can be replayed.
pub fn defined_instances_of_threads(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    without_maps(threads_defined(program, contexts)?).try_then(instances).map_err(refused)
}

/// Whether a program has no values but Booleans. The numbers that threads get may stay, if nobody reads them.
fn is_boolean(program: &Program) -> bool {
    let numbers = if program.reads_thread_numbers() { FxHashSet::default() } else { program.thread_numbers() };
    let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
    let mut variables = program.globals.iter().chain(locals);
    variables.all(|variable| *variable.sort().kind() == SortKind::Bool || numbers.contains(&variable.term))
}

/// The same with bits in the place of values.
pub fn bits_of_threads(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    without_maps(threads(program, contexts)?).try_then(bits).map_err(refused)
}

/// The same for those executions alone that can be replayed.
pub fn defined_bits_of_threads(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    without_maps(threads_defined(program, contexts)?).try_then(bits).map_err(refused)
}

/// One procedure without calls for each thread, all of Booleans: what `interleaving` wants. It explores all contexts.
pub fn boolean_threads(program: &Program, _contexts: u16) -> Result<Passed, Reason> {
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

/// Procedures without loops and memory that call each other: what `stratified` wants. TRUE and FALSE carry over as with
/// [`flat`], which is what programs with threads are made of.
pub fn calls(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    if starts_threads(program) {
        return Ok(flat(program, contexts)?.then(loops_to_procedures));
    }
    Ok(with_calls(program, Assumed::NotNull, Foreign::Any))
}

/// The same for those executions alone that can be replayed, as [`flat_defined`].
pub fn calls_defined(program: &Program, contexts: u16) -> Result<Passed, Reason> {
    if starts_threads(program) {
        return Ok(flat_defined(program, contexts)?.then(loops_to_procedures));
    }
    Ok(with_calls(program, Assumed::Inside, Foreign::Distinct))
}

fn with_calls(program: &Program, assumed: Assumed, foreign: Foreign) -> Passed {
    defined(program, assumed)
        .then(|program| prune(program, |variable| variable == memory::dynamic()))
        .then(|program| split_memory(program, foreign))
        .then(|program| prune(program, |_| false))
        .then(small_domains)
        .then(loops_to_procedures)
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
        let why = boolean_threads(&program, 1).err().map(|why| why.to_string());
        assert_eq!(why.as_deref(), Some("recursion: f calls g calls f"));
    }

    /// Both copies of a procedure are known by its name, and what is around them by the caller's.
    #[test]
    fn locations_know_their_functions_after_inlining() {
        let program = ir::parse(PROGRAM).unwrap_or_else(|errors| panic!("{errors:?}"));
        let passed = flat(&program, 1).unwrap_or_else(|why| panic!("{why}"));
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
