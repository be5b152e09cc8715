//! Which names are types here.
//!
//! Only a name's innermost declaration counts, and of it only whether it is a typedef. So there is one flag per name, and
//! a log to restore the flags at the end of a scope.

#[derive(Debug)]
pub(super) struct Scopes {
    /// By the key of a name.
    is_typedef: Vec<bool>,
    /// Flags that an inner scope has changed, with their value before.
    changed: Vec<(u32, bool)>,
    /// For each open scope, the length of `changed` when it began.
    open: Vec<usize>,
}

impl Scopes {
    /// For names with keys below `limit`.
    pub fn new(limit: usize) -> Scopes {
        Scopes { is_typedef: vec![false; limit], changed: Vec::new(), open: Vec::new() }
    }

    pub fn enter(&mut self) {
        self.open.push(self.changed.len());
    }

    pub fn leave(&mut self) {
        let start = self.open.pop().unwrap_or(0);
        for (name, before) in self.changed.drain(start..).rev() {
            self.is_typedef[name as usize] = before;
        }
    }

    pub fn is_typedef(&self, name: u32) -> bool {
        self.is_typedef[name as usize]
    }

    pub fn declare(&mut self, name: u32, is_typedef: bool) {
        let flag = &mut self.is_typedef[name as usize];
        if *flag != is_typedef {
            if !self.open.is_empty() {
                self.changed.push((name, *flag));
            }
            *flag = is_typedef;
        }
    }
}
