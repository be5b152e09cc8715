//! Beyond the paper: a search that over-approximates and ends, for proofs alone.
//!
//! States are kept at heads of retreating edges. Where a head's states have grown a few times, they are widened: of what held there
//! before, only what still holds is kept. The result is inductive. It is then narrowed: what one more pass through the graph makes of
//! it is inductive as well, and says more. If a pass meets no error state, there is none. (Cousot and Cousot 1977; Halbwachs
//! 1979; thresholds after Blanchet et al. 2003.)
//!
//! Invariant: [`End::Reached`] never comes from here: an error state of an over-approximation says nothing.

use super::{End, Halt, Watch};
use crate::hull::Hull;
use crate::ltg::{BlockId, Blocks};
use crate::model::Model;
use crate::states::States;
use std::collections::BTreeMap;

/// So often a head's states grow exactly.
const EXACT: usize = 3;
/// So many passes narrow what was widened.
const PASSES: usize = 3;

/// Inductive states at heads that exclude all errors, if widening finds them.
pub fn reach_widened(model: &Model, watch: &mut Watch) -> Result<Option<End>, Halt> {
    let hull = Hull::new(model)?;
    let mut search = Search { model, hull, kept: States::default(), grown: BTreeMap::new() };
    search.ascend(watch)?;
    for _ in 0..PASSES {
        let pass = search.pass(watch)?;
        search.kept = pass.arrived;
        if !pass.meets_error {
            watch.rings = vec![search.kept];
            return Ok(Some(End::Closed));
        }
    }
    Ok(None)
}

struct Search<'a> {
    model: &'a Model,
    hull: Hull,
    /// The states at heads.
    kept: States,
    /// How often they grew.
    grown: BTreeMap<BlockId, usize>,
}

/// What a pass from the entry and from the heads' states finds.
struct Pass {
    /// What comes to heads.
    arrived: States,
    meets_error: bool,
}

impl Search<'_> {
    fn heads(&self) -> &Blocks {
        &self.model.shape.heads
    }

    /// Goes on from what is new at heads until nothing is.
    fn ascend(&mut self, watch: &mut Watch) -> Result<(), Halt> {
        let mut pending = self.model.initial()?;
        while let Some(block) = self.first(&pending) {
            watch.ticks()?;
            watch.iterations += 1;
            let here = pending.within(&Blocks::from([block]));
            pending = pending.without(block);
            let mut after = self.model.post(crate::model::Part::All, &here)?;
            for head in after.within(self.heads()).blocks() {
                let new = after.within(&Blocks::from([head])).minus(&self.kept)?;
                after = after.without(head).or(&self.keep(head, &new)?)?;
            }
            pending = pending.or(&after)?;
        }
        Ok(())
    }

    /// Adds new states of a head to those that are kept; what the union has more than before.
    fn keep(&mut self, head: BlockId, new: &States) -> Result<States, Halt> {
        if new.is_empty() {
            return Ok(States::default());
        }
        let before = self.kept.clone();
        let union = self.kept.or(new)?;
        let grown = self.grown.entry(head).or_default();
        *grown += 1;
        let widened = match (before.at(head), union.at(head)) {
            (Some(old), Some(all)) if *grown > EXACT => self.hull.widen(&self.model.space, old, all)?,
            (_, all) => all.cloned().expect("there are new states"),
        };
        self.kept = union.without(head).or(&States::of(head, widened))?;
        Ok(self.kept.within(&Blocks::from([head])).minus(&before)?)
    }

    /// The pending block that comes first.
    fn first(&self, pending: &States) -> Option<BlockId> {
        pending.blocks().into_iter().min_by_key(|block| self.model.shape.place[*block])
    }

    /// One pass from the entry and the heads, each way to the next head.
    fn pass(&self, watch: &mut Watch) -> Result<Pass, Halt> {
        let mut pending = self.model.initial()?.or(&self.kept)?;
        let (mut arrived, mut meets_error) = (States::default(), false);
        while let Some(block) = self.first(&pending) {
            watch.ticks()?;
            meets_error |= self.model.errors.contains(&block);
            let here = pending.within(&Blocks::from([block]));
            pending = pending.without(block);
            let after = self.model.post(crate::model::Part::All, &here)?;
            arrived = arrived.or(&after.within(self.heads()))?;
            let others: Blocks = after.blocks().into_iter().filter(|to| !self.heads().contains(to)).collect();
            pending = pending.or(&after.within(&others))?;
        }
        Ok(Pass { arrived, meets_error })
    }
}
