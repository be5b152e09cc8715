//! Strongly connected components of the control flow.

use ir::{Cfa, LocId};

/// The components, each before those that lead to it (Tarjan's order). Unreachable locations are components too.
pub fn components(cfa: &Cfa) -> Vec<Vec<LocId>> {
    let n = cfa.location_count();
    let mut search = Search { index: vec![None; n], low: vec![0; n], on_stack: vec![false; n], ..Search::default() };
    for (root, _) in cfa.locations() {
        if search.index[root.0 as usize].is_none() {
            search.from(cfa, root);
        }
    }
    search.found
}

#[derive(Default)]
struct Search {
    index: Vec<Option<u32>>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<LocId>,
    next: u32,
    found: Vec<Vec<LocId>>,
}

impl Search {
    /// Tarjan's algorithm with its own stack of calls: a location and how many of its edges are done.
    fn from(&mut self, cfa: &Cfa, root: LocId) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((location, done)) = calls.last_mut() {
            let here = location.0 as usize;
            match cfa.outgoing(*location).get(*done) {
                Some(edge) => {
                    *done += 1;
                    let to = cfa.edge(*edge).to;
                    match self.index[to.0 as usize] {
                        None => {
                            self.enter(to);
                            calls.push((to, 0));
                        }
                        Some(index) if self.on_stack[to.0 as usize] => self.low[here] = self.low[here].min(index),
                        Some(_) => {}
                    }
                }
                None => {
                    calls.pop();
                    if let Some((caller, _)) = calls.last() {
                        let caller = caller.0 as usize;
                        self.low[caller] = self.low[caller].min(self.low[here]);
                    }
                    if Some(self.low[here]) == self.index[here] {
                        self.leave(LocId(here as u32));
                    }
                }
            }
        }
    }

    fn enter(&mut self, location: LocId) {
        let here = location.0 as usize;
        self.index[here] = Some(self.next);
        self.low[here] = self.next;
        self.next += 1;
        self.on_stack[here] = true;
        self.stack.push(location);
    }

    /// Takes a finished component from the stack.
    fn leave(&mut self, root: LocId) {
        let mut component = Vec::new();
        while let Some(location) = self.stack.pop() {
            self.on_stack[location.0 as usize] = false;
            component.push(location);
            if location == root {
                break;
            }
        }
        self.found.push(component);
    }
}
