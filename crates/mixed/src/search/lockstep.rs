//! Algorithm 2, Reach_Lockstep: new states go through back edges together, when nothing else moves.
//!
//! | paper | here |
//! |---|---|
//! | F, S, S_new | `f`, `s`, `s_new` |
//! | T_f, T_b | [`Part::Forward`], [`Part::Back`] |
//! | Q_bt | [`Model::tails`], of retreating edges |
//!
//! Deviation: the printed algorithm does not add to S and S_new what comes through a back edge to a block that is itself the tail of
//! one, as that of a loop of one block; it never goes on from there. Here it is added.

use super::{End, Halt, Watch};
use crate::model::{Model, Part};
use crate::states::States;
use faults::Fault;

pub fn reach_lockstep(model: &Model, watch: &mut Watch) -> Result<End, Halt> {
    if faults::is(Fault::PrintedLockstep) {
        return printed_lockstep(model, watch);
    }
    let mut f = model.initial()?;
    let mut s = f.within(model.tails());
    let mut s_new = s.clone();
    while !f.is_empty() {
        if watch.sees(model, &f, &[&s, &s_new])? {
            return Ok(End::Reached);
        }
        f = model.post(Part::Forward, &f)?.minus(&f)?.minus(&s)?;
        if f.is_empty() {
            f = model.post(Part::Back, &s_new)?.minus(&s)?;
            s_new = States::default();
        }
        s = s.or(&f.within(model.tails()))?;
        s_new = s_new.or(&f.within(model.tails()))?;
    }
    Ok(End::Closed)
}

/// Algorithm 2 to the letter: what comes through T_b is not added to S and S_new. Tests show what it misses.
pub fn printed_lockstep(model: &Model, watch: &mut Watch) -> Result<End, Halt> {
    let mut f = model.initial()?;
    let mut s = f.within(model.tails());
    let mut s_new = s.clone();
    while !f.is_empty() {
        if watch.sees(model, &f, &[&s, &s_new])? {
            return Ok(End::Reached);
        }
        f = model.post(Part::Forward, &f)?.minus(&f)?.minus(&s)?;
        s = s.or(&f.within(model.tails()))?;
        s_new = s_new.or(&f.within(model.tails()))?;
        if f.is_empty() {
            f = model.post(Part::Back, &s_new)?.minus(&s)?;
            s_new = States::default();
        }
    }
    Ok(End::Closed)
}
