//! Changing arrays and the program's memory in place.
//!
//! The term that a variable is assigned can be a *chain*: a series of stores that starts with the variable itself, also
//! through `ite`. The variable then goes through the values of the chain, one *version* after the other. Before it leaves a
//! version, all that is always needed of that version is computed. What is needed only sometimes and turns out to need a
//! version that is gone makes the unit fail as [`Stale`]; the edge is compiled again without changing that variable.

use super::unit::{Emit, Unit};
use crate::interp::instr::Instr;
use crate::interp::layout::{Home, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, SortKind, Term};

/// The version before each version of a chain, and how many come before that.
pub(super) struct Chain {
    before: FxHashMap<Term, (Term, usize)>,
}

impl Chain {
    /// The chain from a variable to a term, if there is one.
    pub fn new(variable: Term, term: Term) -> Option<Chain> {
        let mut chain = Chain { before: FxHashMap::default() };
        for version in candidates(term) {
            let before = match (version.op(), version.args()) {
                (Op::Store | Op::MemStore | Op::MemCopy | Op::MemFill, args) => Some(args[0]),
                (Op::Ite, &[_, a, b]) => chain.common(a, b),
                _ => None,
            };
            chain.before.extend(before.map(|before| (version, (before, chain.length(before)))));
        }
        (variable != term && chain.versions(variable, term).is_some()).then_some(chain)
    }

    /// How many versions come before this one.
    fn length(&self, version: Term) -> usize {
        self.before.get(&version).map_or(0, |(_, length)| length + 1)
    }

    /// The versions after `from`, up to `to`.
    fn versions(&self, from: Term, to: Term) -> Option<Vec<Term>> {
        let mut versions = Vec::new();
        let mut current = to;
        while current != from {
            versions.push(current);
            current = self.before.get(&current)?.0;
        }
        versions.reverse();
        Some(versions)
    }

    /// The last version from which both are made.
    fn common(&self, mut a: Term, mut b: Term) -> Option<Term> {
        while a != b {
            if self.length(a) >= self.length(b) {
                a = self.before.get(&a)?.0;
            } else {
                b = self.before.get(&b)?.0;
            }
        }
        Some(a)
    }
}

/// The terms that may be versions, each after those it is made from.
fn candidates(term: Term) -> Vec<Term> {
    let (mut seen, mut stack) = (FxHashSet::default(), vec![term]);
    while let Some(version) = stack.pop() {
        if seen.insert(version) {
            match (version.op(), version.args()) {
                (Op::Store | Op::MemStore | Op::MemCopy | Op::MemFill, args) => stack.push(args[0]),
                (Op::Ite, &[_, a, b]) => stack.extend([a, b]),
                _ => {}
            }
        }
    }
    let mut versions: Vec<Term> = seen.into_iter().collect();
    versions.sort_unstable();
    versions
}

impl Unit<'_, '_> {
    /// Makes a variable go from one version of its chain to another.
    pub(super) fn advance(&mut self, variable: Term, chain: &Chain, from: Term, to: Term) -> Emit<()> {
        let mut current = from;
        for next in chain.versions(from, to).unwrap_or_default() {
            self.leave(current, next)?;
            self.step(variable, chain, current, next)?;
            self.changed(variable, next);
            current = next;
        }
        Ok(())
    }

    /// Computes what is always needed of a version that is about to go.
    fn leave(&mut self, version: Term, next: Term) -> Emit<()> {
        for parent in self.uses.strict_parents(version) {
            if parent != next {
                self.value(parent)?;
            }
        }
        if self.uses.is_root(version) && !self.is_known(version) {
            // Another variable is assigned this very version.
            let copy = self.temporary(version.sort());
            match (copy, self.is_program_memory(version)) {
                (Home::Boxed(d), true) => self.push(Instr::Snapshot { d }),
                _ => {
                    let home = self.value(version)?;
                    self.copy(copy, home);
                }
            }
            self.know(version, copy);
        }
        Ok(())
    }

    fn step(&mut self, variable: Term, chain: &Chain, current: Term, next: Term) -> Emit<()> {
        match (next.op(), next.args()) {
            (Op::Ite, &[c, a, b]) => {
                let c = self.slot(c)?;
                let (other, end) = (self.label(), self.label());
                let before = self.stamp();
                self.push(Instr::JumpUnless { c, to: other });
                self.scoped(|unit| unit.advance(variable, chain, current, a))?;
                self.push(Instr::Jump { to: end });
                self.return_to(before);
                self.place(other);
                self.scoped(|unit| unit.advance(variable, chain, current, b))?;
                self.place(end);
                Ok(())
            }
            (Op::Store, &[_, index, element]) => match self.compiler.home(variable) {
                Some(Home::Boxed(array)) => self.store_in_place(array, next, index, element),
                _ => Ok(()),
            },
            (Op::MemStore, &[_, at, value]) => {
                let (at, a) = (self.slot(at)?, self.slot(value)?);
                let n = value.sort().bytes().unwrap_or(0) as u8;
                let is_pointer = matches!(value.sort().kind(), SortKind::Pointer(_));
                self.push(if is_pointer { Instr::MemStorePointer { at, a } } else { Instr::MemStore { n, at, a } });
                Ok(())
            }
            (Op::MemCopy, &[_, at, from, n]) => {
                let [at, from, n] = self.slots([at, from, n])?;
                self.push(Instr::MemCopy { at, from, n });
                Ok(())
            }
            (Op::MemFill, &[_, at, byte, n]) => {
                let [at, byte, n] = self.slots([at, byte, n])?;
                self.push(Instr::MemFill { at, byte, n });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn slots(&mut self, [a, b, c]: [Term; 3]) -> Emit<[Reg; 3]> {
        Ok([self.slot(a)?, self.slot(b)?, self.slot(c)?])
    }
}
