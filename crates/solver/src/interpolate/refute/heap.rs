//! The order in which variables are decided: those that took part in recent conflicts first.

use super::sat::Var;

/// A binary heap of variables by activity, the most active on top.
#[derive(Default)]
pub(super) struct Heap {
    activity: Vec<f64>,
    increment: Option<f64>,
    heap: Vec<Var>,
    /// Where a variable is in the heap.
    place: Vec<Option<usize>>,
}

impl Heap {
    /// Adds the next variable.
    pub fn insert_new(&mut self, var: Var) {
        self.activity.push(0.0);
        self.place.push(None);
        self.insert(var);
    }

    pub fn insert(&mut self, var: Var) {
        if self.place[var as usize].is_none() {
            self.place[var as usize] = Some(self.heap.len());
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        }
    }

    pub fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = None;
        if last != top {
            self.heap[0] = last;
            self.place[last as usize] = Some(0);
            self.sink(0);
        }
        Some(top)
    }

    /// Makes a variable more active.
    pub fn bump(&mut self, var: Var) {
        self.activity[var as usize] += self.increment.unwrap_or(1.0);
        if self.activity[var as usize] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.increment = self.increment.map(|i| i * 1e-100);
        }
        if let Some(at) = self.place[var as usize] {
            self.rise(at);
        }
    }

    /// Makes all activity so far count less.
    pub fn decay(&mut self) {
        self.increment = Some(self.increment.unwrap_or(1.0) / 0.95);
    }

    fn above(&self, a: usize, b: usize) -> bool {
        self.activity[self.heap[a] as usize] > self.activity[self.heap[b] as usize]
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a] as usize] = Some(a);
        self.place[self.heap[b] as usize] = Some(b);
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 && self.above(at, (at - 1) / 2) {
            self.exchange(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|c| *c < self.heap.len());
            let Some(greatest) = children.reduce(|a, b| if self.above(b, a) { b } else { a }) else { return };
            if !self.above(greatest, at) {
                return;
            }
            self.exchange(greatest, at);
            at = greatest;
        }
    }
}
