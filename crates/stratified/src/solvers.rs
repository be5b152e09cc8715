//! Solvers that know the axioms which matter: our own bit-blaster where the program computes with bits, Z3 otherwise.
//!
//! An axiom matters where one of its functions is applied, there or in an axiom that matters. To know fewer axioms is to exclude
//! less; but questions without quantifiers are answered several times as fast, and most bodies need none.

use ir::Program;
use rustc_hash::FxHashSet;
use solver::{Blaster, Limits, Profile, Smt, Z3};
use std::time::Instant;
use term::visit::{bound, post_order};
use term::{Function, Op as TermOp, SortKind, Term};

/// Makes a solver that knows the axioms which matter to some formulas. It asserts none of them.
pub type Make<'a> = &'a dyn Fn(&[Term]) -> Box<dyn Smt>;

/// Makes solvers for the conditions of a program.
pub struct Solvers<'a> {
    program: &'a Program,
    limits: Limits,
    /// The first of the family, if the bit-blaster does not do for all.
    z3: Option<Z3>,
    /// Whether the bit-blaster does for single bodies. Arrays that several bodies pass on are read at many places, which it would
    /// have to repair one by one.
    is_blasted: bool,
    /// The functions that each axiom is about, and whether it has quantifiers.
    axioms: Vec<(Term, FxHashSet<&'static Function>, bool)>,
}

impl<'a> Solvers<'a> {
    pub fn new(program: &'a Program, limits: &Limits) -> Solvers<'a> {
        let parts = post_order(program.terms());
        let is_array = |part: &Term| matches!(part.sort().kind(), SortKind::Array(..));
        let is_blasted = parts.iter().all(|part| bound(*part).is_empty() && Blaster::takes(*part));
        let has_arrays = parts.iter().any(is_array);
        let axioms = program.axioms.iter().map(|axiom| (*axiom, functions(&[*axiom]), has_quantifiers(&[*axiom])));
        Solvers {
            program,
            limits: limits.clone(),
            z3: (!is_blasted || has_arrays).then(|| Z3::new(Profile::Bodies)),
            is_blasted,
            axioms: axioms.collect(),
        }
    }

    /// The functions that axioms are about.
    pub fn axiomatised(&self) -> FxHashSet<&'static Function> {
        self.axioms.iter().flat_map(|(_, functions, _)| functions).copied().collect()
    }

    /// A solver that knows all axioms.
    pub fn make(&self) -> Box<dyn Smt> {
        let profile = match has_quantifiers(&self.program.terms()) {
            true => Profile::Triggers,
            false => Profile::Bodies,
        };
        let mut smt = self.solver(self.z3.as_ref(), profile, self.limits.deadline);
        self.program.axioms.iter().for_each(|axiom| smt.assert(*axiom));
        smt
    }

    /// A solver that knows the axioms which matter to some formulas, and gives up at another time.
    pub fn make_for(&self, formulas: &[Term], deadline: Option<Instant>) -> Box<dyn Smt> {
        let mut known = functions(formulas);
        let mut matters = vec![false; self.axioms.len()];
        let mut has_quantifiers = has_quantifiers(formulas);
        loop {
            let before = known.len();
            for ((_, functions, is_quantified), matters) in self.axioms.iter().zip(&mut matters) {
                if !*matters && (functions.is_empty() || !functions.is_disjoint(&known)) {
                    *matters = true;
                    has_quantifiers |= is_quantified;
                    known.extend(functions);
                }
            }
            if known.len() == before {
                break;
            }
        }
        let profile = if has_quantifiers { Profile::Triggers } else { Profile::Bodies };
        let z3 = self.z3.as_ref().filter(|_| !self.is_blasted);
        let mut smt = self.solver(z3, profile, deadline);
        let axioms = self.axioms.iter().zip(&matters).filter(|(_, matters)| **matters);
        axioms.for_each(|((axiom, ..), _)| smt.assert(*axiom));
        smt
    }

    fn solver(&self, z3: Option<&Z3>, profile: Profile, deadline: Option<Instant>) -> Box<dyn Smt> {
        let mut smt: Box<dyn Smt> = match z3 {
            None => Box::new(Blaster::new()),
            Some(first) => Box::new(first.sibling(profile)),
        };
        smt.set_limits(Limits { deadline, ..self.limits.clone() });
        smt
    }
}

/// The functions that are applied in some formulas.
pub fn functions(formulas: &[Term]) -> FxHashSet<&'static Function> {
    let applied = |part: Term| if let TermOp::Apply(function) = part.op() { Some(function) } else { None };
    post_order(formulas.iter().copied()).into_iter().filter_map(applied).collect()
}

/// Whether some formulas speak of all values.
pub fn has_quantifiers(formulas: &[Term]) -> bool {
    post_order(formulas.iter().copied()).iter().any(|part| !bound(*part).is_empty())
}
