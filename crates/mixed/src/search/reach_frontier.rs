//! Algorithm 1, Reach_Frontier: of the states that were reached, only those at tails of back edges are kept.
//!
//! | paper | here |
//! |---|---|
//! | F, S | `f`, `s` |
//! | Q_bt | [`Model::tails`], of retreating edges (footnote 2) |

use super::{End, Halt, Watch};
use crate::model::{Model, Part};

pub fn reach_frontier(model: &Model, watch: &mut Watch) -> Result<End, Halt> {
    let mut f = model.initial()?;
    let mut s = f.within(model.tails());
    while !f.is_empty() {
        if watch.sees(model, &f, &[&s])? {
            return Ok(End::Reached);
        }
        f = model.post(Part::All, &f)?.minus(&f)?.minus(&s)?;
        s = s.or(&f.within(model.tails()))?;
    }
    Ok(End::Closed)
}
