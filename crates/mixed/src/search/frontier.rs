//! Frontier sets: post-conditions of `R^i \ R^(i-1)` only (Section 7.2, before Algorithm 1). All states that were reached are kept, so
//! that the search knows when there are no new ones.

use super::{End, Halt, Watch};
use crate::model::{Model, Part};

pub fn reach(model: &Model, watch: &mut Watch) -> Result<End, Halt> {
    let mut f = model.initial()?;
    let mut r = f.clone();
    while !f.is_empty() {
        if watch.sees(model, &f, &[&r])? {
            return Ok(End::Reached);
        }
        f = model.post(Part::All, &f)?.minus(&r)?;
        r = r.or(&f)?;
    }
    Ok(End::Closed)
}
