//! Which open calls of an execution are inlined first.
//!
//! Those that may fail or change a tracked or a type-state-like variable come first: an execution depends on them. When none of
//! them is left, the others are seen from outside: if the execution cannot be taken whatever they do, more variables are tracked.
//! Otherwise it may be a bug. Then the search goes *down* this one execution, with all variables tracked, and inlines what lies
//! on it until it is a bug or turns out to be none. So calls that do not matter are inlined on few executions.

use crate::Search;
use crate::inlining::SiteId;
use crate::path::{self, Path};
use engine::{Reason, Verdict};
use rustc_hash::FxHashSet;
use term::Term;

impl Search<'_> {
    /// Inlines on an execution with open calls, or tracks more; the verdict, if it is a bug.
    pub(crate) fn descend(&mut self, path: Path) -> Result<Option<Verdict>, Reason> {
        let Some(refinement) = self.options.refinement else {
            self.inline(&path.open)?;
            return Ok(None);
        };
        let open = path.open.iter().copied();
        let urgent: Vec<SiteId> = open.filter(|site| self.inlining.may_matter(*site, &self.decisive)).collect();
        if !urgent.is_empty() {
            self.inline(&urgent)?;
            return Ok(None);
        }
        if self.refine(refinement, &path)? {
            return Ok(None);
        }
        self.descents += 1;
        let skeleton: FxHashSet<Term> = path.flags.iter().copied().collect();
        let mut open = path.open;
        loop {
            self.tick()?;
            self.inline(&open)?;
            let blocked = self.blocked(|site| self.is_beyond(site));
            let assumptions: Vec<Term> = skeleton.iter().copied().chain(blocked).chain(self.everything()).collect();
            let answer = self.ask(2, &assumptions);
            if self.is_correct(answer)? {
                return Ok(None);
            }
            let path = path::path(&self.inlining, self.smt.as_mut())?;
            if path.open.is_empty() {
                return self.verdict(&path);
            }
            open = path.open;
        }
    }
}
