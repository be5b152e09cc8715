//! The passes that bring a program to the form that an engine wants.

use engine::Reason;
use ir::{ProcId, Program, memory};
use pass::{
    Assumed, Foreign, Passed, Recursion, TooLarge, defined, inline, prune, recursive, sequentialise, small_domains,
    split_memory, starts_threads,
};

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
