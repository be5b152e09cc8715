//! Laws that follow from quantified axioms, but not from the instances that a solver looks at.
//!
//! Preludes describe operations on bits by axioms such as `BAND(BAND(x, BNOT(f)), g) == BAND(x, g)` for different single bits f and
//! g, which a predicate knows. That an intersection with a single bit is empty or this bit follows from them by way of the
//! complement of some other bit, which no formula of the program names. So a solver takes other values for possible, and finds executions
//! that no functions with the axioms' properties have. Here such laws are proved, with the terms that their proofs need. They make
//! all queries slower, so they are looked for when there is an execution to be sure of.

use crate::solvers::has_quantifiers;
use solver::{Limits, Profile, Smt, Z3};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use term::build::{eq, forall_triggered, implies, not, or};
use term::visit::post_order;
use term::{Function, Op, Sort, SortKind, Term, Value};

/// A law is proved soon or not.
const MOST_TIME: Duration = Duration::from_secs(2);
/// So many of the axioms' numbers are looked at in proofs.
const NUMBERS: usize = 2;
/// Preludes with more functions are about something else.
const MOST_FUNCTIONS: usize = 4;

/// Tells a solver the laws that follow from axioms; whether there are any.
pub fn tell(axioms: &[Term], smt: &mut dyn Smt) -> bool {
    let laws = laws(axioms, smt.limits());
    laws.iter().for_each(|law| smt.assert(*law));
    !laws.is_empty()
}

/// The laws that are proved.
fn laws(axioms: &[Term], limits: &Limits) -> Vec<Term> {
    let quantified: Vec<Term> = axioms.iter().copied().filter(|axiom| has_quantifiers(&[*axiom])).collect();
    let parts = post_order(quantified.iter().copied());
    let with = |parameters: usize, result: Sort| {
        let mut found = BTreeSet::new();
        for part in &parts {
            if let Op::Apply(function) = part.op()
                && function.parameters == vec![Sort::int(); parameters]
                && function.result == result
            {
                found.insert(function.clone());
            }
        }
        found
    };
    let signature = Signature {
        operations: with(2, Sort::int()),
        complements: with(1, Sort::int()),
        predicates: with(1, Sort::bool()),
    };
    if signature.operations.len() + signature.complements.len() > MOST_FUNCTIONS {
        return Vec::new();
    }
    let is_number = |part: &&Term| *part.sort().kind() == SortKind::Int && part.value().is_some();
    let numbers: Vec<Term> = parts.iter().filter(is_number).copied().collect();
    let mut proved = Vec::new();
    for operation in &signature.operations {
        for predicate in &signature.predicates {
            let laws = signature.intersection(operation, predicate, &numbers);
            proved.extend(laws.take_while(|law| law.follows(&quantified, limits)).map(|law| law.formula));
        }
    }
    proved
}

/// The functions that axioms are about.
struct Signature {
    operations: BTreeSet<Function>,
    complements: BTreeSet<Function>,
    predicates: BTreeSet<Function>,
}

/// What may be a law.
struct Law {
    formula: Term,
    /// That it does not hold for some values, and the terms that a proof may need.
    denied: Vec<Term>,
}

impl Law {
    fn follows(&self, axioms: &[Term], limits: &Limits) -> bool {
        let soon = Instant::now() + MOST_TIME;
        let deadline = limits.deadline.map_or(soon, |deadline| deadline.min(soon));
        let mut smt = Z3::new(Profile::Triggers);
        smt.set_limits(Limits { deadline: Some(deadline), ..limits.clone() });
        axioms.iter().chain(&self.denied).for_each(|formula| smt.assert(*formula));
        smt.check().is_unsat()
    }
}

fn applied(function: &Function, arguments: &[Term]) -> Term {
    Term::new(Op::Apply(function.clone()), arguments)
}

impl Signature {
    /// An operation with something of which a predicate holds, on either side, gives this or zero.
    fn intersection(&self, operation: &Function, predicate: &Function, numbers: &[Term]) -> impl Iterator<Item = Law> {
        let [any, bit] = [" any", " bit"].map(|name| Term::var(name, Sort::int()));
        let zero = Term::constant(Value::Int(0.into()));
        let is_bit = applied(predicate, &[bit]);
        let numbers: Vec<Term> = numbers.iter().copied().filter(|number| *number != zero).take(NUMBERS).collect();
        let seeds = self.terms(any, bit, &numbers);
        [[any, bit], [bit, any]].into_iter().map(move |arguments| {
            let result = applied(operation, &arguments);
            let gives = or([eq(result, zero), eq(result, bit)]);
            let denied = seeds.iter().copied().chain([is_bit, not(gives)]).collect();
            Law { formula: forall_triggered([any, bit], implies(is_bit, gives), &[result]), denied }
        })
    }

    /// Terms over two variables and some numbers: that they are marked says nothing, but makes them known to a solver.
    fn terms(&self, any: Term, bit: Term, numbers: &[Term]) -> Vec<Term> {
        let mark = Function { name: " mark".into(), parameters: vec![Sort::int()], result: Sort::bool() };
        let zero = Term::constant(Value::Int(0.into()));
        let leaves: Vec<Term> = [any, bit, zero].into_iter().chain(numbers.iter().copied()).collect();
        let complements =
            self.complements.iter().flat_map(|f| numbers.iter().map(move |number| applied(f, &[*number])));
        let basic: Vec<Term> = leaves.iter().copied().chain(complements).collect();
        let mut all = basic.clone();
        for operation in &self.operations {
            let pairs = leaves.iter().flat_map(|a| basic.iter().map(move |b| [*a, *b]));
            let both: Vec<Term> =
                pairs.flat_map(|[a, b]| [[a, b], [b, a]]).map(|pair| applied(operation, &pair)).collect();
            all.extend(&both);
            for outer in &self.operations {
                all.extend(
                    both.iter().flat_map(|inner| [[*inner, bit], [bit, *inner]]).map(|pair| applied(outer, &pair)),
                );
            }
        }
        all.into_iter().map(|term| applied(&mark, &[term])).collect()
    }
}
