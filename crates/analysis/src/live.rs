//! Live variables: which variables' values still matter at a location ("Mixed Symbolic Representations for Model Checking
//! Software Programs", Definition 6.1).
//!
//! A variable is live at a location if some path from there reads it before it is written. Threads may read globals at
//! any time, so in a program that starts threads every global is live everywhere.

use ir::{Cfa, LocId, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use term::Term;
use term::free::Free;

/// The live variables of a procedure's locations.
pub struct Live {
    numbers: FxHashMap<Term, usize>,
    /// One set of variables for each location.
    sets: Vec<BitSet>,
}

impl Live {
    /// Computes the live variables of a procedure that has a body; without one, nothing is live.
    pub fn new(program: &Program, procedure: ProcId) -> Live {
        let declared = program.procedure(procedure);
        let variables = program.globals.iter().chain(&declared.parameters).chain(&declared.results);
        let numbers: FxHashMap<Term, usize> =
            variables.chain(&declared.locals).map(|v| v.term).enumerate().map(|(i, v)| (v, i)).collect();
        let Ok(cfa) = &declared.body else { return Live { numbers, sets: Vec::new() } };

        let mut always = BitSet::new(numbers.len());
        if has_threads(program) {
            program.globals.iter().for_each(|global| always.insert(numbers[&global.term]));
        }
        let mut at_exit = always.clone();
        if procedure != program.entry {
            // The caller reads the results, and it or others may read the globals.
            program.globals.iter().chain(&declared.results).for_each(|v| at_exit.insert(numbers[&v.term]));
        }
        let effects: Vec<Effect> = effects(program, cfa, &numbers);
        let mut sets = vec![always; cfa.location_count()];
        sets[cfa.exit().0 as usize] = at_exit;
        propagate(cfa, &effects, &mut sets);
        Live { numbers, sets }
    }

    /// Takes a variable to be live everywhere: then its value is history that facts can speak of.
    pub fn keep(&mut self, variable: Term) {
        if let Some(number) = self.numbers.get(&variable) {
            self.sets.iter_mut().for_each(|set| set.insert(*number));
        }
    }

    /// Whether a variable is live at a location.
    pub fn at(&self, location: LocId, variable: Term) -> bool {
        match (self.sets.get(location.0 as usize), self.numbers.get(&variable)) {
            (Some(set), Some(number)) => set.contains(*number),
            _ => false,
        }
    }
}

/// What an edge reads and certainly overwrites.
struct Effect {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

fn effects(program: &Program, cfa: &Cfa, numbers: &FxHashMap<Term, usize>) -> Vec<Effect> {
    let mut free = Free::new();
    let mut effect = |op: &Op| {
        let mut reads = Vec::new();
        let mut read = |term: Term| reads.extend(free.of(term).iter().filter_map(|v| numbers.get(v)));
        let mut writes = Vec::new();
        match op {
            Op::Assign(pairs) => {
                pairs.iter().for_each(|(_, value)| read(*value));
                writes.extend(pairs.iter().map(|(variable, _)| numbers[variable]));
            }
            Op::Assume(condition) => read(*condition),
            Op::Havoc(variables) => writes.extend(variables.iter().map(|variable| numbers[variable])),
            Op::Call { arguments, results, .. } => {
                arguments.iter().for_each(|argument| read(*argument));
                program.globals.iter().for_each(|global| read(global.term));
                writes.extend(results.iter().map(|variable| numbers[variable]));
            }
            Op::Spawn { arguments, thread, .. } => {
                arguments.iter().for_each(|argument| read(*argument));
                writes.push(numbers[thread]);
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
        }
        Effect { reads, writes }
    };
    cfa.edges().map(|(_, edge)| effect(&edge.op)).collect()
}

/// Backwards to a fixpoint. A call may read a global that it is about to overwrite as a result, so reads come last.
fn propagate(cfa: &Cfa, effects: &[Effect], sets: &mut [BitSet]) {
    let mut pending: Vec<LocId> = cfa.locations().map(|(id, _)| id).collect();
    let mut is_pending = vec![true; pending.len()];
    while let Some(location) = pending.pop() {
        is_pending[location.0 as usize] = false;
        for id in cfa.incoming(location) {
            let (from, effect) = (cfa.edge(*id).from, &effects[id.0 as usize]);
            let mut before = sets[location.0 as usize].clone();
            effect.writes.iter().for_each(|variable| before.remove(*variable));
            effect.reads.iter().for_each(|variable| before.insert(*variable));
            if sets[from.0 as usize].add_all(&before) && !std::mem::replace(&mut is_pending[from.0 as usize], true) {
                pending.push(from);
            }
        }
    }
}

fn has_threads(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|procedure| procedure.body.as_ref().ok());
    bodies.flat_map(Cfa::edges).any(|(_, edge)| matches!(edge.op, Op::Spawn { .. }))
}

#[derive(Clone, PartialEq, Debug)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(size: usize) -> BitSet {
        BitSet(vec![0; size.div_ceil(64)])
    }

    fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Whether that changed anything.
    fn add_all(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}
