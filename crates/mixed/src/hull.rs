//! Widening of composite formulas.
//!
//! Atoms with the same Boolean part are widened together. Of integers there remain the equations, also modulo numbers, of all
//! states, and those constraints of the earlier states, and of the program's conditions (*thresholds*), that hold in all
//! states; of reals the constraints of the earlier states that hold in all.
//!
//! A chain of widened formulas ends: the Boolean parts are of finitely many kinds, equations become fewer, and so do constraints.

use crate::formula::Translator;
use crate::model::Model;
use crate::search::Halt;
use crate::space::Space;
use arithmetic::{Rational, Sum};
use sets::composite::{Atom, Composite};
use sets::polyhedra::Polyhedra;
use sets::presburger::{Column, Presburger};
use sets::{Constraint, Relation, Stop, Variable};
use term::{Op, Sort};

/// What widening knows of a program.
pub struct Hull {
    /// Constraints on integers, each `sum <= 0`, that its conditions are made of.
    thresholds: Vec<Sum<Variable>>,
}

impl Hull {
    pub fn new(model: &Model) -> Result<Hull, Halt> {
        let mut thresholds: Vec<Sum<Variable>> = Vec::new();
        let conditions = model.ltg.edges.iter().map(|edge| edge.condition);
        let values = model.ltg.blocks.iter().flat_map(|block| block.assignments.iter().map(|(_, value)| *value));
        for term in term::visit::post_order(conditions.chain(values)) {
            let is_comparison = matches!(term.op(), Op::Le | Op::Lt | Op::Eq);
            let (true, [a, b]) = (is_comparison, term.args()) else { continue };
            if a.sort() != Sort::int() {
                continue;
            }
            let mut translator = Translator::new(&model.space, &[]);
            let sum = translator.difference(*a, *b)?;
            // Nothing but the program's own variables.
            if !translator.own.integers.is_empty() || sum.columns.is_empty() {
                continue;
            }
            for offset in [0, 1] {
                let offset = Sum::constant(Rational::from(-offset));
                for sum in [sum.clone(), sum.times(&Rational::from(-1))] {
                    let threshold = sum.plus(&offset);
                    if !thresholds.contains(&threshold) {
                        thresholds.push(threshold);
                    }
                }
            }
        }
        Ok(Hull { thresholds })
    }

    /// A formula that contains `all`, which contains `old`.
    pub fn widen(&self, space: &Space, old: &Composite, all: &Composite) -> Result<Composite, Stop> {
        let mut widened = space.composites.falsehood();
        for atom in all.atoms() {
            let before = old.atoms().iter().filter(|other| other.boolean == atom.boolean);
            let before: Vec<&Atom> = before.collect();
            let wide = match &before[..] {
                [] => space.composites.atom(atom.boolean.clone(), atom.integer.clone(), atom.real.clone())?,
                _ => {
                    let integers = before.iter().map(|other| &other.integer);
                    let integer = self.integers(space, integers, &atom.integer)?;
                    let real = reals(space, before.iter().map(|other| &other.real), &atom.real)?;
                    space.composites.atom(atom.boolean.clone(), integer, real)?
                }
            };
            widened = widened.join(&wide)?;
        }
        Ok(widened)
    }

    fn integers<'a>(
        &self,
        space: &Space,
        before: impl Iterator<Item = &'a Presburger>,
        atom: &Presburger,
    ) -> Result<Presburger, Stop> {
        let all = space.composites.integers();
        let (mut old, mut union) = (all.empty()?, atom.clone());
        for part in before {
            old = old.or(part)?;
            union = union.or(part)?;
        }
        let mut candidates = self.thresholds.clone();
        for conjunction in old.simple_hull()?.conjunctions()? {
            for (sum, relation) in conjunction.constraints {
                let Some(sum) = plain(&sum) else { continue };
                if relation == Relation::Zero {
                    candidates.push(sum.times(&Rational::from(-1)));
                }
                candidates.push(sum);
            }
        }
        let mut wide = union.affine_hull()?;
        for sum in candidates {
            let set = all.satisfying(&Constraint::at_most_zero(sum))?;
            if union.entails(&set)? && !wide.entails(&set)? {
                wide = wide.and(&set)?;
            }
        }
        Ok(wide)
    }
}

/// A sum without divisions.
fn plain(sum: &Sum<Column>) -> Option<Sum<Variable>> {
    let is_plain = sum.columns.iter().all(|(column, _)| matches!(column, Column::Variable(_)));
    is_plain.then(|| {
        sum.map(|column| match column {
            Column::Variable(variable) => variable,
            Column::Division(_) => unreachable!("there are none"),
        })
    })
}

fn reals<'a>(space: &Space, before: impl Iterator<Item = &'a Polyhedra>, atom: &Polyhedra) -> Result<Polyhedra, Stop> {
    let (mut candidates, mut union) = (Vec::new(), atom.clone());
    for part in before {
        candidates.extend(part.disjuncts().iter().flat_map(|disjunct| disjunct.constraints()));
        union = union.or(part)?;
    }
    let mut wide = space.composites.reals().universe();
    for constraint in candidates {
        let opposite = Constraint::at_most_zero(constraint.sum.times(&Rational::from(-1)));
        let halves = match constraint.relation {
            Relation::Zero => vec![Constraint::at_most_zero(constraint.sum), opposite],
            _ => vec![constraint],
        };
        for half in halves {
            let set = space.composites.reals().satisfying(&[half])?;
            if union.entails(&set)? && !wide.entails(&set)? {
                wide = wide.and(&set)?;
            }
        }
    }
    Ok(wide)
}
