//! Path formulas: the blocks of a path of the tree, in static single assignment form.
//!
//! Each block is a formula of its own, so that interpolants can stand between them. A variable gets a new instance where
//! a block changes it; a block's inputs get the block's number as instance.

use faults::Fault;
use pass::Guarded;
use rustc_hash::FxHashMap;
use term::Term;
use term::build::{and, eq};
use term::subst::substitute;

/// The formulas of a path.
pub struct PathFormula {
    /// One for each block.
    pub parts: Vec<Term>,
    /// For each block, the instances of the variables after it. What is not named has the instance 1.
    instances: Vec<FxHashMap<Term, u32>>,
}

/// The instance that every variable has at the start of a path.
const INITIAL: u32 = 1;

impl PathFormula {
    pub fn new<'a>(blocks: impl IntoIterator<Item = &'a Guarded>) -> PathFormula {
        PathFormula::of(blocks, |_, _| true)
    }

    /// The path without what its blocks write to variables that do not matter there: more may happen on it.
    pub fn of<'a>(blocks: impl IntoIterator<Item = &'a Guarded>, matters: impl Fn(usize, Term) -> bool) -> PathFormula {
        let mut path = PathFormula { parts: Vec::new(), instances: Vec::new() };
        let mut now: FxHashMap<Term, u32> = FxHashMap::default();
        for (number, block) in blocks.into_iter().enumerate() {
            let fresh = number as u32 + INITIAL + 1;
            let mut before = now.clone();
            let chosen = if faults::is(Fault::SharedInput) { INITIAL + 1 } else { fresh };
            before.extend(block.inputs().iter().map(|input| (*input, chosen)));
            let mut conjuncts: Vec<Term> = block.conjuncts().iter().map(|c| at(*c, &before)).collect();
            for (variable, value) in block.update() {
                now.insert(*variable, fresh);
                if matters(number, *variable) {
                    conjuncts.push(eq(variable.at_instance(fresh), at(*value, &before)));
                }
            }
            path.parts.push(and(conjuncts));
            path.instances.push(now.clone());
        }
        path
    }

    /// A variable as it is before the first block.
    pub fn initially(variable: Term) -> Term {
        variable.at_instance(INITIAL)
    }

    /// A variable that the block of this number changes, as it is behind the block.
    pub fn written(variable: Term, block: usize) -> Term {
        variable.at_instance(block as u32 + INITIAL + 1)
    }

    /// An input of the block of this number.
    pub fn input(variable: Term, block: usize) -> Term {
        variable.at_instance(block as u32 + INITIAL + 1)
    }

    /// A formula over instances after the block of this number, as a formula over program variables.
    ///
    /// # Panics
    /// If a variable's instance is not the one that it has there: such a formula is no interpolant.
    pub fn to_program(&self, formula: Term, block: usize) -> Term {
        substitute(formula, |variable| {
            let plain = variable.at_instance(0);
            let expected = self.instances[block].get(&plain).copied().unwrap_or(INITIAL);
            assert!(variable == plain.at_instance(expected), "{variable:?} is not visible after block {block}");
            Some(plain)
        })
    }
}

fn at(term: Term, instances: &FxHashMap<Term, u32>) -> Term {
    substitute(term, |variable| Some(variable.at_instance(instances.get(&variable).copied().unwrap_or(INITIAL))))
}
