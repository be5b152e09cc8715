//! The automaton that the tree unwinds: a program's procedure, cut into blocks.

use analysis::affine::equations;
use analysis::intervals;
use analysis::live::Live;
use analysis::octagons::octagons;
use engine::{Reason, Shared};
use ir::{Cfa, LocId, Op, ProcId, Program};
use pass::{Block, Guarded, summarise_with};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use term::build::and;

/// How much of the program one edge of the unwinding covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Single-block encoding: one operation.
    Single,
    /// Large-block encoding: a whole loop-free part.
    Large,
    /// Blocks of at most so many operations.
    Adjustable(usize),
}

/// A program's only procedure as blocks with their operations.
pub struct Model<'a> {
    pub procedure: ProcId,
    pub cfa: &'a Cfa,
    /// What holds in every state.
    pub axioms: &'a [Term],
    locations: Vec<LocId>,
    blocks: FxHashMap<LocId, Vec<ModelBlock>>,
    live: Live,
    known: Facts,
}

/// A block and what it does; `None` if it can never be passed.
pub struct ModelBlock {
    pub block: Block,
    pub op: Option<Guarded>,
}

impl ModelBlock {
    pub fn to(&self) -> LocId {
        self.block.to
    }
}

impl<'a> Model<'a> {
    /// What analyses find out may be known already to others.
    pub fn new(program: &'a Program, encoding: Encoding, shared: &Shared) -> Result<Model<'a>, Reason> {
        Model::keeping(program, encoding, shared, &[])
    }

    /// The same with blocks that also compute the values of some variables where they are dead.
    pub fn keeping(
        program: &'a Program,
        encoding: Encoding,
        shared: &Shared,
        kept: &[Term],
    ) -> Result<Model<'a>, Reason> {
        let procedure = program.entry;
        let Ok(cfa) = &program.procedure(procedure).body else {
            return Err(Reason::NotAttempted("the entry has no body".into()));
        };
        for (_, edge) in cfa.edges() {
            match &edge.op {
                Op::Call { .. } => return Err(Reason::NotAttempted("a call was not inlined".into())),
                Op::Spawn { .. } => return Err(Reason::NotAttempted("the program starts threads".into())),
                _ => {}
            }
        }
        let live = live(program, kept);
        let summary = match encoding {
            Encoding::Single => summarise_with(cfa, |_| true),
            Encoding::Large => summarise_with(cfa, |_| false),
            Encoding::Adjustable(size) => {
                let cuts = evenly_spaced(cfa, size);
                summarise_with(cfa, |location| cuts.contains(&location))
            }
        };
        // The paper's own encoding is measured without help.
        let known = match encoding {
            Encoding::Single => Facts::default(),
            Encoding::Large | Encoding::Adjustable(_) => facts(program, &summary.locations, kept, shared),
        };
        let mut blocks: FxHashMap<LocId, Vec<ModelBlock>> = FxHashMap::default();
        for block in summary.blocks {
            let mut op = Guarded::of_block(cfa, &block);
            if let Some(op) = &mut op {
                op.restrict(|variable| live.at(block.to, variable));
                known.get(&block.from).into_iter().flatten().for_each(|equation| op.assume(*equation));
            }
            blocks.entry(block.from).or_default().push(ModelBlock { block, op });
        }
        Ok(Model { procedure, cfa, axioms: &program.axioms, locations: summary.locations, blocks, live, known })
    }

    pub fn locations(&self) -> &[LocId] {
        &self.locations
    }

    pub fn outgoing(&self, location: LocId) -> &[ModelBlock] {
        self.blocks.get(&location).map_or(&[], Vec::as_slice)
    }

    /// What an analysis found out about a location: inductive, and part of the guards of the blocks that begin there.
    pub fn known(&self, location: LocId) -> Term {
        and(self.known.get(&location).into_iter().flatten().copied())
    }

    /// Adds to what is known of a location. All that is known must stay inductive.
    pub fn learn(&mut self, location: LocId, formulas: Vec<Term>) {
        for op in self.blocks.get_mut(&location).into_iter().flatten().filter_map(|block| block.op.as_mut()) {
            formulas.iter().for_each(|formula| op.assume(*formula));
        }
        self.known.entry(location).or_default().extend(formulas);
    }

    /// Whether all these variables may still be read behind a location, or are kept. Blocks do not compute the values of others, so
    /// nothing can be said of them there.
    pub fn are_live(&self, location: LocId, variables: &[Term]) -> bool {
        variables.iter().all(|variable| self.live.at(location, *variable))
    }

    pub fn block_count(&self) -> usize {
        self.blocks.values().map(Vec::len).sum()
    }
}

/// What analyses find out about locations of the entry procedure, in variables that are live or kept: together it is inductive.
pub fn facts(program: &Program, locations: &[LocId], kept: &[Term], shared: &Shared) -> Facts {
    let about = (program.clone(), locations.to_vec(), kept.to_vec());
    shared.once(about, |(program, locations, kept)| analysed(program, locations, &live(program, kept)))
}

/// The live variables of the entry procedure, with those that are kept where they are dead.
fn live(program: &Program, kept: &[Term]) -> Live {
    let mut live = Live::new(program, program.entry);
    kept.iter().for_each(|variable| live.keep(*variable));
    live
}

/// What holds at locations.
pub type Facts = FxHashMap<LocId, Vec<Term>>;

fn analysed(program: &Program, locations: &[LocId], live: &Live) -> Facts {
    let procedure = program.entry;
    let mut known = equations(program, procedure, locations, live);
    let Some(ranges) = intervals::states(program, procedure, locations) else { return known };
    let numbers =
        [intervals::formulas(&ranges, locations, live), octagons(program, procedure, &ranges, locations, live)];
    for (location, formulas) in numbers.into_iter().flatten() {
        known.entry(location).or_default().extend(formulas);
    }
    known
}

/// Locations to cut blocks at, so that they have about `size` edges in a row: those whose distance from the entry, by
/// shortest paths, is a multiple of it.
fn evenly_spaced(cfa: &Cfa, size: usize) -> FxHashSet<LocId> {
    let mut distance = vec![None; cfa.location_count()];
    distance[cfa.entry().0 as usize] = Some(0usize);
    let mut queue = std::collections::VecDeque::from([cfa.entry()]);
    let mut cuts = FxHashSet::default();
    while let Some(location) = queue.pop_front() {
        let here = distance[location.0 as usize].unwrap_or(0);
        if here.is_multiple_of(size.max(1)) {
            cuts.insert(location);
        }
        for edge in cfa.outgoing(location) {
            let to = cfa.edge(*edge).to;
            if distance[to.0 as usize].is_none() {
                distance[to.0 as usize] = Some(here + 1);
                queue.push_back(to);
            }
        }
    }
    cuts
}
