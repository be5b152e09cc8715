//! The plain fixpoint: `R = mu Z. I OR post(T, Z)` (Section 7.1), from all states that were reached, in each iteration.

use super::{End, Halt, Watch};
use crate::model::{Model, Part};

pub fn reach(model: &Model, watch: &mut Watch) -> Result<End, Halt> {
    let initial = model.initial()?;
    let mut r = initial.clone();
    loop {
        if watch.sees(model, &r, &[])? {
            return Ok(End::Reached);
        }
        let next = initial.or(&model.post(Part::All, &r)?)?;
        if next.entails(&r)? {
            return Ok(End::Closed);
        }
        r = next;
    }
}
