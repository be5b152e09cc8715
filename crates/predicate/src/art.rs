//! The abstract reachability tree (Section II.C).
//!
//! A node is covered by what the tree has expanded at its location: of its region, only the *frontier*, the part that no
//! other node there has expanded, is expanded itself. Where nothing is left, the node is covered as a whole.
//!
//! Invariants: a node that does not wait has all abstract successors of its frontier as children, and its region entails
//! the disjunction of the frontiers at its location. Frontiers rely on no other node, so nothing is covered in a circle.
//! When a node is removed, those that its frontier may have covered in part wait again.
//!
//! Deviation: the paper covers a node by one other node as a whole. That is [`Coverage::Node`], where a frontier is a region or
//! nothing.

use crate::options::{Coverage, Order};
use crate::precision::Time;
use faults::Fault;
use ir::LocId;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Full};
use std::collections::VecDeque;

/// A node's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

/// n = (l, φ).
pub struct Node {
    pub location: LocId,
    pub region: Bdd,
    /// When the region was computed.
    pub computed: Time,
    /// The parent, and which of its outgoing blocks leads here.
    pub parent: Option<(NodeId, usize)>,
    children: Vec<NodeId>,
    /// The part of the region that is expanded here; `None` until the node is first taken, or where others cover all of it.
    frontier: Option<Bdd>,
    removed: bool,
}

impl Node {
    /// What the successors were computed from.
    pub fn expanded_region(&self) -> &Bdd {
        self.frontier.as_ref().unwrap_or(&self.region)
    }
}

/// The tree with its waiting list.
pub struct Art {
    nodes: Vec<Node>,
    at: FxHashMap<LocId, Vec<NodeId>>,
    waiting: VecDeque<NodeId>,
    order: Order,
    coverage: Coverage,
}

impl Art {
    pub fn new(order: Order, coverage: Coverage, location: LocId, region: Bdd) -> Art {
        let mut art = Art { nodes: Vec::new(), at: FxHashMap::default(), waiting: VecDeque::new(), order, coverage };
        let root = art.insert(location, region, 0, None);
        art.wait(root);
        art
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// How many nodes the tree has now.
    pub fn size(&self) -> usize {
        self.nodes.iter().filter(|node| !node.removed).count()
    }

    pub fn is_removed(&self, id: NodeId) -> bool {
        self.node(id).removed
    }

    /// The nodes of the tree.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| !node.removed)
    }

    /// Takes a node from the waiting list.
    pub fn take(&mut self) -> Option<NodeId> {
        loop {
            let id = match self.order {
                Order::DepthFirst => self.waiting.pop_back()?,
                Order::BreadthFirst => self.waiting.pop_front()?,
            };
            if !self.node(id).removed {
                return Some(id);
            }
        }
    }

    fn insert(&mut self, location: LocId, region: Bdd, computed: Time, parent: Option<(NodeId, usize)>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let (children, frontier, removed) = (Vec::new(), None, false);
        self.nodes.push(Node { location, region, computed, parent, children, frontier, removed });
        self.at.entry(location).or_default().push(id);
        id
    }

    pub fn add(&mut self, parent: NodeId, block: usize, location: LocId, region: Bdd, computed: Time) -> NodeId {
        let id = self.insert(location, region, computed, Some((parent, block)));
        self.nodes[parent.0 as usize].children.push(id);
        id
    }

    pub fn wait(&mut self, id: NodeId) {
        self.waiting.push_back(id);
    }

    /// The part of a node's region that is to be expanded there. `None` if other nodes cover all of it.
    pub fn frontier(&mut self, id: NodeId) -> Result<Option<Bdd>, Full> {
        let node = self.node(id);
        if node.frontier.is_some() {
            return Ok(node.frontier.clone());
        }
        let mut left = node.region.clone();
        for &other in &self.at[&node.location] {
            let Some(expanded) = &self.node(other).frontier else { continue };
            match self.coverage {
                _ if faults::is(Fault::BrokenCoverage) => return Ok(None),
                Coverage::Node if left.entails(expanded)? => return Ok(None),
                Coverage::Node => {}
                Coverage::Union => left = left.and(&expanded.not()?)?,
            }
            if left.is_false() {
                return Ok(None);
            }
        }
        self.nodes[id.0 as usize].frontier = Some(left.clone());
        Ok(Some(left))
    }

    /// The nodes from the root to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        while let Some((parent, _)) = self.node(path[path.len() - 1]).parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// Removes a node and all below it. The parent waits again, whose successors are no longer all there, and so do nodes
    /// elsewhere that were covered, in part or as a whole, where a frontier has gone.
    pub fn remove_subtree(&mut self, top: NodeId) {
        if let Some((parent, _)) = self.node(top).parent {
            self.nodes[parent.0 as usize].children.retain(|child| *child != top);
            self.wait_again(parent);
        }
        let mut stack = vec![top];
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id.0 as usize];
            if std::mem::replace(&mut node.removed, true) {
                continue;
            }
            stack.append(&mut node.children);
            let (location, expanded) = (node.location, node.frontier.take().is_some());
            let Some(there) = self.at.get_mut(&location) else { continue };
            there.retain(|other| *other != id);
            if !expanded {
                continue;
            }
            for other in there.clone() {
                let node = &mut self.nodes[other.0 as usize];
                if node.frontier.as_ref() != Some(&node.region) {
                    node.frontier = None;
                    stack.append(&mut node.children);
                    self.wait_again(other);
                }
            }
        }
    }

    fn wait_again(&mut self, id: NodeId) {
        if !self.waiting.contains(&id) {
            self.waiting.push_back(id);
        }
    }

    /// The blocks of a node for which there is a child already.
    pub fn expanded(&self, id: NodeId) -> Vec<usize> {
        self.node(id).children.iter().filter_map(|child| self.node(*child).parent).map(|(_, block)| block).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sets::bdd::Bdds;

    /// Three nodes at one location, with the regions x, y and x ∨ y: what each expands, before and after the first is removed.
    fn check(coverage: Coverage, expected: [Option<&str>; 3], after: [Option<&str>; 2]) {
        let mut bdds = Bdds::default();
        let (x, y) = (bdds.variable(0).unwrap(), bdds.variable(1).unwrap());
        let both = x.or(&y).unwrap();
        let shown = |bdd: Option<Bdd>| match bdd {
            None => None,
            Some(bdd) if bdd == x => Some("x"),
            Some(bdd) if bdd == y => Some("y"),
            Some(bdd) if bdd == both => Some("x or y"),
            Some(bdd) if bdd == y.and(&x.not().unwrap()).unwrap() => Some("y alone"),
            Some(bdd) if bdd == x.and(&y.not().unwrap()).unwrap() => Some("x alone"),
            Some(_) => Some("something else"),
        };
        let mut art = Art::new(Order::DepthFirst, coverage, LocId(0), bdds.constant(true));
        let root = art.take().expect("the root waits");
        let nodes = [&x, &y, &both].map(|region| art.add(root, 0, LocId(1), region.clone(), 0));
        assert_eq!(nodes.map(|node| shown(art.frontier(node).unwrap())), expected, "{coverage:?}");
        art.remove_subtree(nodes[0]);
        let waiting: Vec<NodeId> = std::iter::from_fn(|| art.take()).collect();
        assert!(waiting.contains(&root), "its successors are no longer all there");
        assert_eq!([nodes[1], nodes[2]].map(|node| shown(art.frontier(node).unwrap())), after, "{coverage:?}");
    }

    #[test]
    fn what_others_have_expanded_is_not_expanded_again() {
        check(Coverage::Union, [Some("x"), Some("y alone"), None], [Some("y"), Some("x alone")]);
        check(Coverage::Node, [Some("x"), Some("y"), Some("x or y")], [Some("y"), Some("x or y")]);
    }
}
