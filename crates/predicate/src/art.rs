//! The abstract reachability tree (Section II.C).
//!
//! Invariants: a covered node is a leaf, and its region entails that of the node that covers it, which is at the same
//! location, is in the tree and is not itself covered. Every other node is either in the waiting list or has all its
//! abstract successors as children.

use crate::options::Order;
use crate::precision::Time;
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
    covered_by: Option<NodeId>,
    /// Nodes that this one covers.
    covers: Vec<NodeId>,
    removed: bool,
}

/// The tree with its waiting list.
pub struct Art {
    nodes: Vec<Node>,
    at: FxHashMap<LocId, Vec<NodeId>>,
    waiting: VecDeque<NodeId>,
    order: Order,
}

impl Art {
    pub fn new(order: Order, location: LocId, region: Bdd) -> Art {
        let mut art = Art { nodes: Vec::new(), at: FxHashMap::default(), waiting: VecDeque::new(), order };
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

    /// The nodes that are neither removed nor covered.
    pub fn uncovered(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| !node.removed && node.covered_by.is_none())
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
        let (children, covers) = (Vec::new(), Vec::new());
        self.nodes.push(Node {
            location,
            region,
            computed,
            parent,
            children,
            covered_by: None,
            covers,
            removed: false,
        });
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

    /// Looks for a node that covers this one, and notes it.
    pub fn cover(&mut self, id: NodeId) -> Result<bool, Full> {
        let node = self.node(id);
        for &other in &self.at[&node.location] {
            let candidate = self.node(other);
            if other != id
                && !candidate.removed
                && candidate.covered_by.is_none()
                && node.region.entails(&candidate.region)?
            {
                self.nodes[id.0 as usize].covered_by = Some(other);
                self.nodes[other.0 as usize].covers.push(id);
                return Ok(true);
            }
        }
        Ok(false)
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

    /// Removes a node and all below it. Nodes elsewhere that they covered wait again, and so does the parent, whose
    /// successors are no longer all there.
    pub fn remove_subtree(&mut self, top: NodeId) {
        let mut uncovered = Vec::new();
        let mut stack = vec![top];
        while let Some(id) = stack.pop() {
            let node = &mut self.nodes[id.0 as usize];
            node.removed = true;
            stack.append(&mut node.children);
            uncovered.append(&mut node.covers);
            let location = node.location;
            if let Some(coverer) = node.covered_by.take() {
                self.nodes[coverer.0 as usize].covers.retain(|covered| *covered != id);
            }
            if let Some(there) = self.at.get_mut(&location) {
                there.retain(|other| *other != id);
            }
        }
        for id in uncovered {
            let node = &mut self.nodes[id.0 as usize];
            if !node.removed {
                node.covered_by = None;
                self.waiting.push_back(id);
            }
        }
        if let Some((parent, _)) = self.node(top).parent {
            self.nodes[parent.0 as usize].children.retain(|child| *child != top);
            if !self.waiting.contains(&parent) {
                self.waiting.push_back(parent);
            }
        }
    }

    /// The blocks of a node for which there is a child already.
    pub fn expanded(&self, id: NodeId) -> Vec<usize> {
        self.node(id).children.iter().filter_map(|child| self.node(*child).parent).map(|(_, block)| block).collect()
    }
}
