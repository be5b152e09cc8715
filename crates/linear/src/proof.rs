//! The proof of a table that is closed: at each location, that the path edges are among those that were found there.
//!
//! Without calls, what is said of the current valuation at the entry and at locations that cut all cycles is enough.
//! With calls, it is said of all locations of all procedures, and relates current values to those at the procedure's
//! entry: these have instance 1. At an exit, this is the procedure's summary.

use crate::abstraction::Elements;
use crate::disjunct::Disjunct;
use crate::program::Body;
use crate::tabulate::{Halt, Table};
use arithmetic::Sum;
use engine::{Invariant, Proof};
use ir::{LocId, ProcId};
use rustc_hash::FxHashMap;
use sets::{Relation, Variable};
use term::build::{and, eq, falsehood, int, ite, not, or, select, truth};
use term::{Sort, Term};

/// The invariants that path edges are.
pub fn proof(table: &Table<'_>, elements: &Elements) -> Result<Proof, Halt> {
    let mut arrays: FxHashMap<Term, Term> = FxHashMap::default();
    for (array, tracked) in elements {
        for k in tracked {
            if let Some(variable) = crate::abstraction::element(*array, k) {
                arrays.insert(variable, select(*array, int(k.clone())));
            }
        }
    }
    let has_calls = table.linear.bodies.iter().flatten().any(|body| body.is_called);
    let mut invariants = Vec::new();
    for (id, procedure) in table.program.procedures() {
        let (Ok(cfa), Some(body)) = (&procedure.body, &table.linear.bodies[id.0 as usize]) else { continue };
        if !has_calls && id != table.program.entry {
            continue;
        }
        for (location, _) in cfa.locations() {
            let is_first = id == table.program.entry && location == cfa.entry();
            if is_first {
                invariants.push(Invariant { procedure: id, location, formula: truth() });
            } else if has_calls || body.heads.contains(&location) {
                let formula = formula(table, id, location, body, &arrays)?;
                invariants.push(Invariant { procedure: id, location, formula });
            }
        }
    }
    Ok(Proof::Invariants(invariants))
}

fn formula(
    table: &Table<'_>,
    procedure: ProcId,
    location: LocId,
    body: &Body,
    arrays: &FxHashMap<Term, Term>,
) -> Result<Term, Halt> {
    // Terms for positions, entry valuations first.
    let entry = if body.is_called { body.entry() } else { 0 };
    let named = |variable: &Term| arrays.get(variable).copied().unwrap_or(*variable);
    let at_entry = |variable: &Term| term::subst::rename(named(variable), |_| 1);
    let names: Vec<Term> =
        body.variables[..body.entry()].iter().map(at_entry).chain(body.variables.iter().map(named)).collect();
    let mut all = Vec::new();
    for (_, disjunct) in &table.edges[procedure.0 as usize][location.0 as usize].disjuncts {
        debug_assert!(entry > 0 || disjunct.entry.iter().all(Option::is_none) || body.entry() == 0);
        all.push(match told(disjunct, &names) {
            Some(formula) => formula,
            None => table.arithmetic.whole(disjunct)?.to_term(&|column: Variable| number(names[column as usize]))?,
        });
    }
    Ok(if all.is_empty() { falsehood() } else { or(all) })
}

/// A variable as a number.
fn number(name: Term) -> Term {
    if name.sort() == Sort::int() { name } else { ite(name, int(1), int(0)) }
}

/// A disjunct as a formula, if each of its symbols is the value of some variable up to sign and constant.
fn told(disjunct: &Disjunct, names: &[Term]) -> Option<Term> {
    let mut is: FxHashMap<Variable, Sum<Term>> = FxHashMap::default();
    let mut parts = Vec::new();
    let sums: Vec<(Term, &Sum<Variable>)> = disjunct
        .entry
        .iter()
        .chain(&disjunct.values)
        .zip(names)
        .filter_map(|(sum, name)| Some((*name, sum.as_ref()?)))
        .collect();
    for (name, sum) in &sums {
        if let [(symbol, factor)] = &sum.columns[..]
            && factor.absolute() == arithmetic::Rational::ONE
            && !is.contains_key(symbol)
        {
            let rest = Sum::column(number(*name)).minus(&Sum::constant(sum.constant.clone()));
            is.insert(*symbol, rest.times(factor));
        }
    }
    let over_names = |sum: &Sum<Variable>| {
        let mut all = Sum::constant(sum.constant.clone());
        for (symbol, factor) in &sum.columns {
            all = all.plus(&is.get(symbol)?.times(factor));
        }
        Some(all)
    };
    for (name, sum) in &sums {
        if sum.columns.is_empty() {
            let value = sum.constant.to_big().floor();
            parts.push(match name.sort() == Sort::int() {
                true => eq(*name, int(value)),
                false if sum.constant.is_zero() => not(*name),
                false => *name,
            });
        } else {
            let difference = over_names(sum)?.minus(&Sum::column(number(*name)));
            if !(difference.columns.is_empty() && difference.constant.is_zero()) {
                parts.push(arithmetic::terms::zero(&difference));
            }
        }
    }
    for constraint in &disjunct.constraints {
        let sum = over_names(&constraint.sum)?;
        parts.push(match constraint.relation {
            Relation::Zero => arithmetic::terms::zero(&sum),
            Relation::AtMostZero => arithmetic::terms::at_most_zero(&sum, false),
            Relation::BelowZero => arithmetic::terms::at_most_zero(&sum, true),
        });
    }
    Some(and(parts))
}
