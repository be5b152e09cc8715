//! All models seen through given Boolean terms, enumerated as products.
//!
//! Like [`crate::AllSmt`] this finds which combinations of values the terms can have together, but a model counts for
//! more than its own combination. From the model an *implicant* is read: literals over atoms that are true in it, imply the
//! formulas, and decide every condition on which the terms' values depend (for a program's block: one path). Under the
//! implicant the terms are reduced to atoms. Atoms that share no variable, directly or through other literals, can take
//! their values independently: the implicant falls into *components*, each of which allows some combinations of the
//! terms in it, and all products of these combinations have models. So the number of models to be found
//! depends on the paths, not on how many terms are free on each.

use crate::{AllSmt, Answer, Enumerated, Kind, Smt, Unknown};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;
use term::build::{and, falsehood, make, not, or, truth};
use term::free::Free;
use term::{Op, Sort, Term, visit};

/// Combinations of values.
pub type Cubes = Rc<[Box<[bool]>]>;

/// Literals that hold, and atoms.
type Question = (Vec<Term>, Vec<Term>);

/// Some of the terms, by their numbers, and the combinations of values that they can have whatever the others have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    pub terms: Vec<usize>,
    pub cubes: Cubes,
}

/// Components with more combinations than this are not multiplied out: of them, only the model's own is taken.
const MOST_CUBES: usize = 64;

/// What was found about components, to be kept between enumerations.
#[derive(Default)]
pub struct Products {
    /// The combinations of atoms under literals; `None` if there are too many, or the solver does not find them.
    combinations: FxHashMap<Question, Option<Cubes>>,
    free: Free,
    applies: FxHashMap<Term, bool>,
}

impl Products {
    /// Tells products of combinations of the terms' values to `each`, until all are told or `each` breaks. The
    /// formulas must be what is asserted in `smt`; `aside` is a solver for small questions, which knows no more than what
    /// always holds.
    /// Terms in no factor can have both values.
    pub fn run(
        &mut self,
        smt: &mut dyn Smt,
        aside: &mut dyn Smt,
        formulas: &[Term],
        terms: &[Term],
        each: &mut dyn FnMut(&[Factor]) -> ControlFlow<()>,
    ) -> Result<Enumerated, Unknown> {
        let start = Instant::now();
        smt.push();
        let result = self.enumerate(smt, aside, formulas, terms, each);
        smt.pop();
        smt.statistics_mut().record(Kind::AllSmt, start.elapsed());
        result
    }

    fn enumerate(
        &mut self,
        smt: &mut dyn Smt,
        aside: &mut dyn Smt,
        formulas: &[Term],
        terms: &[Term],
        each: &mut dyn FnMut(&[Factor]) -> ControlFlow<()>,
    ) -> Result<Enumerated, Unknown> {
        smt.prepare(terms);
        loop {
            match smt.check() {
                Answer::Unsat => return Ok(Enumerated::All),
                Answer::Unknown(why) => return Err(why),
                Answer::Sat => {}
            }
            let factors = self.factors(smt, aside, formulas, terms)?;
            if each(&factors).is_break() {
                return Ok(Enumerated::Stopped);
            }
            let mut clause: Vec<Term> = Vec::new();
            for factor in &factors {
                match &factor.cubes[..] {
                    [one] => clause.extend(factor.terms.iter().zip(one).map(|(n, value)| literal(terms[*n], !*value))),
                    many => clause.push(not(or(many
                        .iter()
                        .map(|cube| and(factor.terms.iter().zip(cube).map(|(n, value)| literal(terms[*n], *value))))))),
                }
            }
            smt.assert_clause(&clause);
        }
    }

    /// The product that the model in the solver gives.
    fn factors(
        &mut self,
        smt: &mut dyn Smt,
        aside: &mut dyn Smt,
        formulas: &[Term],
        terms: &[Term],
    ) -> Result<Vec<Factor>, Unknown> {
        let mut implicant = Implicant::new(smt);
        for formula in formulas {
            implicant.explain(*formula, true)?;
        }
        let mut reduced = Vec::with_capacity(terms.len());
        for term in terms {
            let value = implicant.holds(*term)?;
            let mut rest = implicant.reduce(*term)?;
            if is_connective(rest) {
                implicant.explain(rest, value)?;
                rest = if value { truth() } else { falsehood() };
            }
            reduced.push((rest, value));
        }
        let Implicant { literals, fixed, .. } = implicant;
        // Variables that the implicant fixes have no part in components.
        let mut substitution = term::subst::Substitution::new(|v| fixed.get(&v).copied());
        let reduced = reduced.into_iter().map(|(rest, value)| (substitution.apply(rest), value)).collect::<Vec<_>>();
        let literals: Vec<Term> =
            literals.into_iter().map(|l| substitution.apply(l)).filter(|l| *l != truth()).collect();
        self.multiply(aside, &literals, &reduced)
    }

    fn multiply(
        &mut self,
        aside: &mut dyn Smt,
        literals: &[Term],
        reduced: &[(Term, bool)],
    ) -> Result<Vec<Factor>, Unknown> {
        let mut components = Components::default();
        let atoms = reduced.iter().map(|(rest, _)| *rest).filter(|rest| !is_constant(*rest));
        for formula in literals.iter().copied().chain(atoms) {
            components.join(&self.variables(formula));
        }
        // For each component, its literals and the terms that reduce to atoms in it.
        let mut parts: FxHashMap<usize, (Vec<Term>, Vec<usize>)> = FxHashMap::default();
        let mut certain = Factor { terms: Vec::new(), cubes: Rc::new([]) };
        let mut values = Vec::new();
        for (number, (rest, value)) in reduced.iter().enumerate() {
            match self.variables(*rest).first() {
                Some(variable) => parts.entry(components.of(*variable)).or_default().1.push(number),
                None => {
                    certain.terms.push(number);
                    values.push(*value);
                }
            }
        }
        for literal in literals {
            if let Some(variable) = self.variables(*literal).first()
                && let Some(part) = parts.get_mut(&components.of(*variable))
            {
                part.0.push(*literal);
            }
        }
        certain.cubes = Rc::new([values.into()]);
        let mut factors = vec![certain];
        for (_, (mut literals, numbers)) in parts {
            literals.sort_unstable();
            let mut atoms: Vec<Term> = numbers.iter().map(|n| reduced[*n].0).collect();
            atoms.sort_unstable();
            atoms.dedup();
            let place = |n: &usize| atoms.binary_search(&reduced[*n].0).expect("sorted above");
            let places: Vec<usize> = numbers.iter().map(place).collect();
            let cubes: Cubes = match self.combinations(aside, literals, atoms)? {
                Some(cubes) if cubes.len() == 1usize << places.len().min(20) => continue,
                Some(cubes) => cubes.iter().map(|cube| places.iter().map(|p| cube[*p]).collect()).collect(),
                None => Rc::new([numbers.iter().map(|n| reduced[*n].1).collect()]),
            };
            factors.push(Factor { terms: numbers, cubes });
        }
        Ok(factors)
    }

    /// What a formula shares with others: its variables, and, as one more, what uninterpreted functions give.
    fn variables(&mut self, formula: Term) -> Vec<Term> {
        let mut variables = self.free.of(formula).to_vec();
        let applies = visit::bottom_up(formula, &mut self.applies, |term, memo| {
            matches!(term.op(), Op::Apply(_)) || term.args().iter().any(|arg| memo[arg])
        });
        if applies {
            variables.push(Term::var(" functions", Sort::bool()));
        }
        variables
    }

    /// The combinations of values that atoms can have where literals hold.
    fn combinations(
        &mut self,
        aside: &mut dyn Smt,
        literals: Vec<Term>,
        atoms: Vec<Term>,
    ) -> Result<Option<Cubes>, Unknown> {
        let key = (literals, atoms);
        if let Some(known) = self.combinations.get(&key) {
            return Ok(known.clone());
        }
        let mut cubes: Vec<Box<[bool]>> = Vec::new();
        aside.push();
        key.0.iter().for_each(|literal| aside.assert(*literal));
        let ended = AllSmt::new(&key.1).run(aside, &mut |cube| {
            cubes.push(cube.iter().map(|value| value.unwrap_or(false)).collect());
            if cubes.len() > MOST_CUBES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        aside.pop();
        let found = match ended {
            Ok(Enumerated::All) => Some(cubes.into()),
            Ok(Enumerated::Stopped) | Err(Unknown::Incomplete(_)) => None,
            Err(why) => return Err(why),
        };
        self.combinations.insert(key, found.clone());
        Ok(found)
    }
}

fn literal(term: Term, value: bool) -> Term {
    if value { term } else { not(term) }
}

fn is_constant(term: Term) -> bool {
    term.value().is_some()
}

/// Whether a Boolean term is built of others.
fn is_connective(term: Term) -> bool {
    match term.op() {
        Op::Not => is_connective(term.args()[0]),
        Op::And | Op::Or | Op::Implies | Op::Xor => true,
        Op::Eq | Op::Ite => term.args()[1].sort().is_bool(),
        _ => false,
    }
}

/// Literals that are true in a solver's model, and what they make of terms.
struct Implicant<'a> {
    smt: &'a mut dyn Smt,
    literals: Vec<Term>,
    known: FxHashSet<Term>,
    /// The variables that a literal says the value of.
    fixed: FxHashMap<Term, Term>,
    explained: FxHashSet<Term>,
    reduced: FxHashMap<Term, Term>,
}

impl<'a> Implicant<'a> {
    fn new(smt: &'a mut dyn Smt) -> Implicant<'a> {
        Implicant {
            smt,
            literals: Vec::new(),
            known: FxHashSet::default(),
            fixed: FxHashMap::default(),
            explained: FxHashSet::default(),
            reduced: FxHashMap::default(),
        }
    }

    /// A Boolean term's value in the model.
    fn holds(&mut self, term: Term) -> Result<bool, Unknown> {
        let value = self.smt.value(term).and_then(|value| value.as_bool());
        value.ok_or_else(|| Unknown::Incomplete(format!("no value of {term:?} in a model")))
    }

    /// Adds literals that imply that a term has the value that it has in the model.
    fn explain(&mut self, term: Term, value: bool) -> Result<(), Unknown> {
        if is_constant(term) || !self.explained.insert(term) {
            return Ok(());
        }
        match (term.op(), term.args()) {
            (Op::Not, [a]) => self.explain(*a, !value),
            (Op::And, args) if value => args.iter().try_for_each(|arg| self.explain(*arg, true)),
            (Op::Or, args) if !value => args.iter().try_for_each(|arg| self.explain(*arg, false)),
            (Op::And | Op::Or, args) => {
                let reason = self.reason(args, value)?;
                self.explain(reason, value)
            }
            (Op::Implies, [a, b]) if value => {
                let reason = self.reason(&[not(*a), *b], true)?;
                self.explain(reason, true)
            }
            (Op::Implies, [a, b]) => {
                self.explain(*a, true)?;
                self.explain(*b, false)
            }
            (Op::Xor | Op::Eq, [a, b]) if a.sort().is_bool() => {
                let (a_holds, b_holds) = (self.holds(*a)?, self.holds(*b)?);
                self.explain(*a, a_holds)?;
                self.explain(*b, b_holds)
            }
            (Op::Ite, [condition, a, b]) => {
                let holds = self.holds(*condition)?;
                self.explain(*condition, holds)?;
                self.explain(if holds { *a } else { *b }, value)
            }
            _ => {
                let atom = self.reduce(term)?;
                if is_connective(atom) {
                    return self.explain(atom, value);
                }
                self.add(literal(atom, value));
                Ok(())
            }
        }
    }

    /// One of the terms that has the value, if possible one that is explained already.
    fn reason(&mut self, terms: &[Term], value: bool) -> Result<Term, Unknown> {
        let mut found = None;
        for term in terms {
            if self.holds(*term)? == value {
                if self.explained.contains(term) {
                    return Ok(*term);
                }
                found.get_or_insert(*term);
            }
        }
        found.ok_or_else(|| Unknown::Incomplete("a model is not one".into()))
    }

    fn add(&mut self, literal: Term) {
        if is_constant(literal) || !self.known.insert(literal) {
            return;
        }
        if let (Op::Eq, [a, b]) = (literal.op(), literal.args()) {
            match (a.is_var(), is_constant(*b), is_constant(*a), b.is_var()) {
                (true, true, ..) => drop(self.fixed.insert(*a, *b)),
                (.., true, true) => drop(self.fixed.insert(*b, *a)),
                _ => {}
            }
        }
        self.literals.push(literal);
    }

    /// A term with every choice in it decided as in the model. The conditions are explained.
    fn reduce(&mut self, term: Term) -> Result<Term, Unknown> {
        if term.args().is_empty() {
            return Ok(term);
        }
        if let Some(known) = self.reduced.get(&term) {
            return Ok(*known);
        }
        let result = match (term.op(), term.args()) {
            (Op::Ite, [condition, a, b]) => {
                let holds = self.holds(*condition)?;
                self.explain(*condition, holds)?;
                self.reduce(if holds { *a } else { *b })?
            }
            (op, args) => {
                let reduced: Result<Vec<Term>, Unknown> = args.iter().map(|arg| self.reduce(*arg)).collect();
                let reduced = reduced?;
                if reduced == args { term } else { make(op, &reduced) }
            }
        };
        let result = if self.known.contains(&result) {
            truth()
        } else if result.sort().is_bool() && self.known.contains(&not(result)) {
            falsehood()
        } else {
            result
        };
        self.reduced.insert(term, result);
        Ok(result)
    }
}

/// Variables that occur together: a forest with paths to representatives.
#[derive(Default)]
struct Components {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
}

impl Components {
    fn number(&mut self, variable: Term) -> usize {
        *self.numbers.entry(variable).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    /// The component of a variable.
    fn of(&mut self, variable: Term) -> usize {
        let mut number = self.number(variable);
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    fn join(&mut self, variables: &[Term]) {
        for pair in variables.windows(2) {
            let (one, other) = (self.of(pair[0]), self.of(pair[1]));
            self.parents[one] = other;
        }
    }
}
