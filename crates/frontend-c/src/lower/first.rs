//! First values: every variable has a value before it is read, and none that nobody reads.
//!
//! A declaration without initialiser makes its variable arbitrary; that step is dropped where the old value, if any, is
//! overwritten before it is read. C lets a jump pass a declaration, a function end without a result, and an
//! initialiser read its own variable: where a variable may be read before anything gave it a value, it gets one at the
//! start of the procedure, an arbitrary one or a new object.

use ir::{Cfa, Edge, LocId, Location, LocationKind, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use term::free::Free;

/// A variable that must not be read before it has a value.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub variable: Term,
    /// What gives it one at the start of the procedure; nothing if that is to be an arbitrary one.
    pub first: Vec<Op>,
}

/// Drops what makes watched variables arbitrary in vain, and gives first values to those that need one, after the steps of a
/// prelude. `results` are read at the exit. What is assigned to a variable of `derived` in vain is dropped, too.
pub(super) fn settle(
    cfa: Cfa,
    prelude: Vec<Op>,
    watched: &[Watched],
    derived: &FxHashSet<Term>,
    results: &[Term],
) -> Cfa {
    let live = Live::new(&cfa, watched, derived, results);
    let (locations, mut edges, entry, exit) = cfa.into_parts();
    for edge in &mut edges {
        match &mut edge.op {
            Op::Havoc(variables) => {
                variables.retain(|variable| live.is_live(edge.to, *variable));
                if variables.is_empty() {
                    edge.op = Op::skip();
                }
            }
            Op::Assign(pairs) => {
                pairs.retain(|(variable, _)| !derived.contains(variable) || live.is_live(edge.to, *variable))
            }
            _ => {}
        }
    }
    let (mut first, mut arbitrary) = (prelude, Vec::new());
    for Watched { variable, first: steps } in watched.iter().filter(|w| live.is_live(entry, w.variable)) {
        match &steps[..] {
            [] => arbitrary.push(*variable),
            steps => first.extend_from_slice(steps),
        }
    }
    if !arbitrary.is_empty() {
        first.push(Op::Havoc(arbitrary));
    }
    prepend(locations, edges, entry, exit, first)
}

/// Which watched variables may be read before they are written, from each location on.
struct Live {
    numbers: FxHashMap<Term, usize>,
    words: usize,
    /// A set for each location, one after the other.
    bits: Vec<u64>,
}

/// What an edge reads and writes of the watched variables.
#[derive(Default)]
struct Access {
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// What is read for a variable's sake only, and that variable.
    reads_for: Vec<(usize, Vec<usize>)>,
}

impl Live {
    fn new(cfa: &Cfa, watched: &[Watched], derived: &FxHashSet<Term>, results: &[Term]) -> Live {
        let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
        for variable in watched.iter().map(|w| w.variable).chain(derived.iter().copied()) {
            let next = numbers.len();
            numbers.entry(variable).or_insert(next);
        }
        let words = numbers.len().div_ceil(64);
        let mut live = Live { numbers, words, bits: vec![0; words * cfa.location_count()] };
        let accesses = live.accesses(cfa, derived);
        let exit = cfa.exit().0 as usize * words;
        for number in results.iter().filter_map(|result| live.numbers.get(result)) {
            live.bits[exit + number / 64] |= 1 << (number % 64);
        }
        let mut pending: Vec<LocId> = cfa.locations().map(|(id, _)| id).collect();
        let mut is_pending = vec![true; pending.len()];
        let mut before = vec![0; words];
        while let Some(location) = pending.pop() {
            let at = location.0 as usize;
            is_pending[at] = false;
            for id in cfa.incoming(location) {
                let Access { reads, writes, reads_for } = &accesses[id.0 as usize];
                let after = &live.bits[at * words..(at + 1) * words];
                before.copy_from_slice(after);
                let is_read = |number: &usize| after[number / 64] >> (number % 64) & 1 != 0;
                let wanted = reads_for.iter().filter(|(target, _)| is_read(target)).flat_map(|(_, reads)| reads);
                writes.iter().for_each(|number| before[number / 64] &= !(1 << (number % 64)));
                reads.iter().chain(wanted).for_each(|number| before[number / 64] |= 1 << (number % 64));
                let from = cfa.edge(*id).from.0 as usize;
                let mut changed = false;
                for (old, new) in live.bits[from * words..(from + 1) * words].iter_mut().zip(&before) {
                    changed |= new & !*old != 0;
                    *old |= new;
                }
                if changed && !std::mem::replace(&mut is_pending[from], true) {
                    pending.push(LocId(from as u32));
                }
            }
        }
        live
    }

    fn accesses(&self, cfa: &Cfa, derived: &FxHashSet<Term>) -> Vec<Access> {
        let mut free = Free::among(self.numbers.keys().copied());
        let number = |variable: &Term| self.numbers.get(variable).copied();
        let mut access = |op: &Op| {
            let mut access = Access::default();
            if let Op::Assign(pairs) = op {
                for (variable, value) in pairs {
                    let reads = free.of(*value);
                    let reads = reads.iter().filter_map(number);
                    match number(variable) {
                        Some(target) if derived.contains(variable) => access.reads_for.push((target, reads.collect())),
                        _ => access.reads.extend(reads),
                    }
                    access.writes.extend(number(variable));
                }
                return access;
            }
            let mut read = |term: Term| access.reads.extend(free.of(term).iter().filter_map(number));
            match op {
                Op::Havoc(variables) => access.writes.extend(variables.iter().filter_map(number)),
                Op::Call { arguments, results, .. } => {
                    arguments.iter().for_each(|argument| read(*argument));
                    access.writes.extend(results.iter().filter_map(number));
                }
                Op::Spawn { arguments, thread, .. } => {
                    arguments.iter().for_each(|argument| read(*argument));
                    access.writes.extend(number(thread));
                }
                op => op.terms().into_iter().for_each(read),
            }
            access
        };
        cfa.edges().map(|(_, edge)| access(&edge.op)).collect()
    }

    /// Whether the variable may be read before it is written. Of variables that are not watched nothing is known.
    fn is_live(&self, at: LocId, variable: Term) -> bool {
        let row = at.0 as usize * self.words;
        self.numbers.get(&variable).is_none_or(|number| self.bits[row + number / 64] >> (number % 64) & 1 != 0)
    }
}

/// The automaton with operations before everything else.
fn prepend(mut locations: Vec<Location>, mut edges: Vec<Edge>, mut entry: LocId, exit: LocId, first: Vec<Op>) -> Cfa {
    for op in first.into_iter().rev() {
        let place = locations[entry.0 as usize].place;
        locations.push(Location { kind: LocationKind::Plain, label: None, place });
        let before = LocId(locations.len() as u32 - 1);
        edges.push(Edge { from: before, to: entry, op, place });
        entry = before;
    }
    Cfa::new(locations, edges, entry, exit)
}
