//! Strongly connected components: of the control flow, of calls.

use ir::{Cfa, LocId};

/// The components of a control flow, each before those that lead to it. Unreachable locations are components too.
pub fn components(cfa: &Cfa) -> Vec<Vec<LocId>> {
    let leads = |location| cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge).to.0 as usize).collect();
    let successors: Vec<Vec<usize>> = cfa.locations().map(|(location, _)| leads(location)).collect();
    let located = |component: Vec<usize>| component.into_iter().map(|number| LocId(number as u32)).collect();
    components_of(&successors).into_iter().map(located).collect()
}

/// The components of a graph, given by where each node leads, each before those that lead to it (Tarjan's order).
pub fn components_of(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = successors.len();
    let mut search = Search { index: vec![None; n], low: vec![0; n], on_stack: vec![false; n], ..Search::default() };
    for root in 0..n {
        if search.index[root].is_none() {
            search.from(successors, root);
        }
    }
    search.found
}

#[derive(Default)]
struct Search {
    index: Vec<Option<u32>>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: u32,
    found: Vec<Vec<usize>>,
}

impl Search {
    /// Tarjan's algorithm with its own stack of calls: a node and how many of its edges are done.
    fn from(&mut self, successors: &[Vec<usize>], root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((here, done)) = calls.last_mut() {
            let here = *here;
            match successors[here].get(*done) {
                Some(&to) => {
                    *done += 1;
                    match self.index[to] {
                        None => {
                            self.enter(to);
                            calls.push((to, 0));
                        }
                        Some(index) if self.on_stack[to] => self.low[here] = self.low[here].min(index),
                        Some(_) => {}
                    }
                }
                None => {
                    calls.pop();
                    if let Some((caller, _)) = calls.last() {
                        self.low[*caller] = self.low[*caller].min(self.low[here]);
                    }
                    if Some(self.low[here]) == self.index[here] {
                        self.leave(here);
                    }
                }
            }
        }
    }

    fn enter(&mut self, here: usize) {
        self.index[here] = Some(self.next);
        self.low[here] = self.next;
        self.next += 1;
        self.on_stack[here] = true;
        self.stack.push(here);
    }

    /// Takes a finished component from the stack.
    fn leave(&mut self, root: usize) {
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        self.found.push(component);
    }
}
