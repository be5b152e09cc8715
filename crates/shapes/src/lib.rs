//! The engine `shapes`: lists without bound, by symbolic memory graphs.
//!
//! After Dudka, Peringer, Vojnar, "Byte-Precise Verification of Low-Level List Manipulation" (Predator): states are
//! graphs of objects with values at offsets, parts of which are abstracted to list segments, as Berdine, Calcagno and
//! O'Hearn's "Symbolic Execution with Separation Logic" has them.
//!
//! | paper | here |
//! |---|---|
//! | symbolic memory graph | [`engine::shape::Graph`] |
//! | region, singly and doubly linked list segment | [`engine::shape::Region`], [`engine::shape::Segment`] |
//! | values | terms over symbols, with ranges of numbers |
//! | symbolic execution, reads and writes by offset and size | `execute`, `evaluate`, `assume` |
//! | materialisation | `open` |
//! | abstraction of uninterrupted sequences | `fold` |
//! | join, entailment | `join`, `embed` |
//!
//! The program is the one without calls, with its memory: pointers are identities and offsets, and an object is made
//! where `$next` is assigned. Identities of objects are symbols that differ from each other.
//!
//! Deviations. Segments are never empty: that a list may be empty is another graph at the same location, so that an
//! address in a graph always is one object's. Graphs are not joined but for numbers of graphs that are equal otherwise.
//! The number of dynamic objects that live, which programs keep where leaks matter, is a symbol of its own
//! ([`engine::shape::count`]).
//!
//! Invariants: the engine only proves. What it does not understand, it gives up on by name; values that it does not
//! know are new symbols. `certify` executes its graphs again by code of its own.

mod assume;
mod embed;
mod evaluate;
mod execute;
mod fold;
mod join;
mod open;
mod ranges;
mod search;
mod state;

use engine::{Engine, Proof, Reason, Run, Verdict};
use fold::Precision;
use ir::{Cfa, LocId, Op, Program};
use rustc_hash::FxHashSet;
use search::{Failed, Search};
use term::Term;

/// The name that the command line uses.
pub const NAME: &str = "shapes";

/// The precisions that are tried, and how many graphs each may have.
const PRECISIONS: [(Precision, usize); 5] = [
    (Precision { objects: 2, kinds: 1, merges: false }, 600),
    (Precision { objects: 2, kinds: 4, merges: true }, 2_000),
    (Precision { objects: 3, kinds: 1, merges: false }, 4_000),
    (Precision { objects: 3, kinds: 4, merges: true }, 10_000),
    (Precision { objects: 2, kinds: 1, merges: true }, 20_000),
];

pub struct Shapes;

impl Engine for Shapes {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        decide(program, run).unwrap_or_else(Verdict::Unknown)
    }
}

fn decide(program: &Program, run: &mut Run) -> Result<Verdict, Reason> {
    let cfa = program.procedure(program.entry).body.as_ref();
    let cfa = cfa.map_err(|_| Reason::NotAttempted("the entry has no body".into()))?;
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return Err(Reason::NotAttempted(format!("{NAME} is for programs without calls and threads")));
    }
    if !makes_objects_in_loops(cfa) {
        return Err(Reason::NotAttempted(format!("{NAME} is for programs that make objects in loops")));
    }
    let mut last = None;
    for (number, (precision, most)) in PRECISIONS.into_iter().enumerate() {
        let mut search = Search::new(program, cfa, precision, most);
        let end = search.run(run);
        run.statistics.count("precisions", number as u64 + 1);
        run.statistics.count("graphs", search.graphs() as u64);
        match end {
            Ok(shapes) => {
                run.statistics.count("graphs in the proof", shapes.len() as u64);
                return Ok(Verdict::True(Proof::Shapes(shapes)));
            }
            Err(Failed::Reason(reason)) => return Err(reason),
            Err(Failed::Reached(location)) => last = Some(location),
            Err(Failed::TooMany) => {}
        }
    }
    let place = last.and_then(|location| cfa.location(location).place);
    let where_ = place.map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
    Err(Reason::NoProgress(match last {
        Some(_) => format!("shapes of lists do not exclude the error{where_}"),
        None => "there are too many shapes of lists".to_string(),
    }))
}

/// Whether a loop makes dynamic objects.
fn makes_objects_in_loops(cfa: &Cfa) -> bool {
    let is_made = |(variable, value): &(Term, Term)| {
        *variable == ir::memory::dynamic() && *value.op() == term::Op::Store && value.args()[2].as_bool() != Some(false)
    };
    let mut makers = cfa.edges().filter(|(_, edge)| matches!(&edge.op, Op::Assign(pairs) if pairs.iter().any(is_made)));
    makers.any(|(_, maker)| {
        let mut seen: FxHashSet<LocId> = FxHashSet::default();
        let mut stack = vec![maker.to];
        while let Some(location) = stack.pop() {
            if seen.insert(location) {
                stack.extend(cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge).to));
            }
        }
        seen.contains(&maker.from)
    })
}
