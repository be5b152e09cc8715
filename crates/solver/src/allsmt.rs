//! All models of the assertions, seen through given Boolean terms.
//!
//! The cubes that are found, as a disjunction of conjunctions of the terms and their negations, are the strongest
//! formula over these terms that the assertions entail: Boolean predicate abstraction.

use crate::fresh::fresh;
use crate::{Answer, Kind, Smt, Unknown};
use std::ops::ControlFlow;
use std::time::Instant;
use term::{Sort, Term, build};

/// What a cube says of each term: that it is true, false, or that it may be either.
pub type Cube = [Option<bool>];

/// An enumeration to be made.
#[derive(Clone, Copy, Debug)]
pub struct AllSmt<'a> {
    /// The Boolean terms that matter.
    pub terms: &'a [Term],
    /// If given, the enumeration is of this formula's models within the assertions, and cubes are made shorter: a term
    /// is left out of a cube where the others alone imply the formula. This helps where the terms determine the formula; it
    /// costs a check for each cube.
    pub shorten: Option<Term>,
}

/// How an enumeration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enumerated {
    /// The cubes that were told are all.
    All,
    /// The receiver of the cubes had enough.
    Stopped,
}

impl<'a> AllSmt<'a> {
    pub fn new(terms: &'a [Term]) -> AllSmt<'a> {
        AllSmt { terms, shorten: None }
    }

    /// Tells every cube to `each`, until there is none left or `each` breaks. No two cubes have a model in common.
    /// (Of shortened cubes, later ones may overlap earlier ones in what the theories exclude.) The assertions are the
    /// same afterwards.
    pub fn run(self, smt: &mut dyn Smt, each: &mut dyn FnMut(&Cube) -> ControlFlow<()>) -> Result<Enumerated, Unknown> {
        let start = Instant::now();
        smt.push();
        let result = self.enumerate(smt, each);
        smt.pop();
        smt.statistics_mut().record(Kind::AllSmt, start.elapsed());
        result
    }

    fn enumerate(
        self,
        smt: &mut dyn Smt,
        each: &mut dyn FnMut(&Cube) -> ControlFlow<()>,
    ) -> Result<Enumerated, Unknown> {
        // Under `searching` the formula holds and known cubes are blocked; under its negation the formula is false,
        // so that cubes which imply it are contradictory.
        let searching = fresh("searching", Sort::bool());
        if let Some(formula) = self.shorten {
            smt.assert(build::eq(searching, formula));
        }
        loop {
            match smt.check_assuming(&[searching]) {
                Answer::Unsat => return Ok(Enumerated::All),
                Answer::Unknown(why) => return Err(why),
                Answer::Sat => {}
            }
            let mut cube = Vec::with_capacity(self.terms.len());
            for term in self.terms {
                match smt.value(*term) {
                    Some(value) => cube.push(value.as_bool()),
                    None => return Err(Unknown::Incomplete(format!("no value of {term:?} in a model"))),
                }
            }
            if self.shorten.is_some() {
                self.shorten(smt, searching, &mut cube)?;
            }
            if each(&cube).is_break() {
                return Ok(Enumerated::Stopped);
            }
            let blocked = literals(self.terms, &cube).map(build::not);
            let clause: Vec<Term> = blocked.chain([build::not(searching)]).collect();
            smt.assert_clause(&clause);
        }
    }

    /// Keeps of a cube only what is needed to imply the formula, if the cube does.
    fn shorten(self, smt: &mut dyn Smt, searching: Term, cube: &mut [Option<bool>]) -> Result<(), Unknown> {
        let mut assumptions: Vec<Term> = literals(self.terms, cube).collect();
        assumptions.push(build::not(searching));
        match smt.check_assuming(&assumptions) {
            Answer::Unsat => {
                let core = smt.core();
                for (term, value) in self.terms.iter().zip(cube) {
                    if !value.is_some_and(|value| core.contains(&literal(*term, value))) {
                        *value = None;
                    }
                }
                Ok(())
            }
            Answer::Sat | Answer::Unknown(Unknown::Incomplete(_)) => Ok(()),
            Answer::Unknown(why) => Err(why),
        }
    }
}

fn literal(term: Term, value: bool) -> Term {
    if value { term } else { build::not(term) }
}

/// The conjuncts of a cube.
fn literals<'c>(terms: &'c [Term], cube: &'c Cube) -> impl Iterator<Item = Term> + 'c {
    terms.iter().zip(cube).filter_map(|(term, value)| value.map(|value| literal(*term, value)))
}

/// The conjunction that a cube stands for.
pub fn conjunction(terms: &[Term], cube: &Cube) -> Term {
    build::and(literals(terms, cube))
}
