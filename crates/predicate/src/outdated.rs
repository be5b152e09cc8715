//! Paths through regions that are older than predicates at their locations.
//!
//! Refinement is lazy: predicates that were found for one path come to the regions of others when these are computed again. So before
//! a path to an error location is asked about as a whole, its regions are computed again with all predicates of now, each from
//! the one before. That is little work, because blocks have solvers of their own that have learnt about them, and where the
//! path ends that way, nothing needs to be refined. Where it does not, the predicates that are tracked do not exclude the path.

use crate::Search;
use crate::art::NodeId;
use engine::Reason;

/// Whether the predicates that are tracked by now exclude a path. Then the tree has lost what lies below its first outdated node.
pub fn excludes(search: &mut Search<'_>, path: &[NodeId]) -> Result<bool, Reason> {
    let Some(first) = path.iter().position(|node| is_outdated(search, *node)) else { return Ok(false) };
    let mut region = search.predicates.everything();
    for node in &path[first..] {
        let Some((parent, number)) = search.art.node(*node).parent else { continue };
        let before = search.art.node(parent);
        if *node == path[first] {
            region = before.expanded_region().clone();
        }
        let (model, location) = (search.model, before.location);
        region = search.successor((location, number), &model.outgoing(location)[number], &region)?;
        if region.is_false() {
            search.art.remove_subtree(path[first]);
            return Ok(true);
        }
        search.tick()?;
    }
    Ok(false)
}

/// Whether predicates that can be computed at a node are younger than its region.
fn is_outdated(search: &Search<'_>, node: NodeId) -> bool {
    let node = search.art.node(node);
    let counts = |predicate| search.model.are_live(node.location, search.predicates.variables(predicate));
    node.parent.is_some() && search.precision.is_outdated(node.location, node.computed, counts)
}
