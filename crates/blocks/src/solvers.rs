//! Who answers the questions of abstraction.
//!
//! A program of machine integers is asked about with our own bit-blaster: one for each block, which keeps the block's
//! operation translated and learns about it. Other programs are Z3's, which is one for all blocks.

use crate::model::{Model, ModelBlock};
use pass::Guarded;
use rustc_hash::FxHashMap;
use solver::{Blaster, Limits, Products, Profile, Smt, Statistics, Z3};
use std::collections::VecDeque;
use term::Term;
use term::visit::post_order;

/// A block's number: where it starts, and which of the blocks there it is.
pub type BlockId = (ir::LocId, usize);

/// As many blocks keep solvers of their own.
const MOST: usize = 256;

/// For small questions beside, and what was learnt from them.
pub struct Aside {
    pub smt: Box<dyn Smt>,
    pub products: Products,
}

pub struct Solvers {
    /// What holds in every state; all solvers know it.
    axioms: Vec<Term>,
    /// For what is beyond bits.
    general: Z3,
    bits: bool,
    own: FxHashMap<BlockId, Blaster>,
    /// The blocks that have a solver, the oldest first.
    ages: VecDeque<BlockId>,
    aside: Aside,
    limits: Limits,
    /// What solvers that are gone have counted.
    gone: Statistics,
}

impl Solvers {
    pub fn new(model: &Model<'_>, limits: Limits) -> Solvers {
        let mut general = Z3::new(Profile::Incremental);
        general.set_limits(limits.clone());
        let axioms = model.axioms.to_vec();
        axioms.iter().for_each(|axiom| general.assert(*axiom));
        let bits = is_bits(model);
        let aside = Aside { smt: fresh(bits, &general, &limits, &axioms), products: Products::default() };
        let (own, ages, gone) = (FxHashMap::default(), VecDeque::new(), Statistics::default());
        Solvers { axioms, general, bits, own, ages, aside, limits, gone }
    }

    pub fn general(&self) -> &Z3 {
        &self.general
    }

    /// A solver that knows the axioms alone, for formulas of paths.
    pub fn for_paths(&self) -> Box<dyn Smt> {
        fresh(self.bits, &self.general, &self.limits, &self.axioms)
    }

    /// Asks a solver in which the guard of a block's operation is asserted.
    pub fn within<T>(&mut self, block: BlockId, op: &Guarded, ask: impl FnOnce(&mut dyn Smt, &mut Aside) -> T) -> T {
        if self.bits {
            self.make_own(block, op);
            let own = self.own.get_mut(&block).expect("made above");
            return ask(own, &mut self.aside);
        }
        self.general.push();
        op.conjuncts().iter().for_each(|conjunct| self.general.assert(*conjunct));
        let answer = ask(&mut self.general, &mut self.aside);
        self.general.pop();
        answer
    }

    fn make_own(&mut self, block: BlockId, op: &Guarded) {
        if self.own.contains_key(&block) {
            return;
        }
        if self.ages.len() == MOST
            && let Some(oldest) = self.ages.pop_front().and_then(|oldest| self.own.remove(&oldest))
        {
            self.gone.add(oldest.statistics());
        }
        self.ages.push_back(block);
        let mut blaster = Blaster::new();
        blaster.set_limits(self.limits.clone());
        self.axioms.iter().chain(op.conjuncts()).for_each(|known| blaster.assert(*known));
        self.own.insert(block, blaster);
    }

    pub fn statistics(&self) -> Statistics {
        let mut all = self.gone.clone();
        all.add(self.general.statistics());
        all.add(self.aside.smt.statistics());
        self.own.values().for_each(|own| all.add(own.statistics()));
        all
    }
}

/// A solver that knows the axioms alone.
fn fresh(bits: bool, general: &Z3, limits: &Limits, axioms: &[Term]) -> Box<dyn Smt> {
    let mut smt: Box<dyn Smt> =
        if bits { Box::new(Blaster::new()) } else { Box::new(general.sibling(Profile::Incremental)) };
    smt.set_limits(limits.clone());
    axioms.iter().for_each(|axiom| smt.assert(*axiom));
    smt
}

/// Whether all that the program computes with has bits.
fn is_bits(model: &Model<'_>) -> bool {
    let blocks = model.locations().iter().flat_map(|location| model.outgoing(*location));
    let terms = blocks.filter_map(|block: &ModelBlock| block.op.as_ref()).flat_map(|op| {
        let update = op.update().iter().flat_map(|(variable, value)| [*variable, *value]);
        op.conjuncts().iter().copied().chain(update)
    });
    post_order(terms.chain(model.axioms.iter().copied())).into_iter().all(Blaster::takes)
}
