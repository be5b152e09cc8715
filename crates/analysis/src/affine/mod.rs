//! Affine equations between machine integers, wrap-around included ("Analysis of Modular Arithmetic", Müller-Olm and
//! Seidl): at each location all equations c + c_1 x_1 + ... + c_n x_n = 0 modulo 2^w that assignments keep.
//!
//! For each width of variables, the states that come to a location are kept as the module that the vectors (1, x_1, ..., x_n)
//! generate. Assignments of affine terms are linear maps of it; where ways meet, modules are added; what is not affine may
//! be anything. Conditions are not looked at. Chains of growing modules are short, so nothing needs to be widened.
//!
//! Invariants: every equation holds whenever control is at its location. Equations are inductive: from the equations at a location
//! those at the next follow along each edge, by its assignments alone; also when only variables that are live at their
//! locations are looked at.

mod span;

pub use span::{Span, inverse, mask};

use crate::live::Live;
use ir::{Cfa, Edge, LocId, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::build::{bv, bv_add, bv_mul, bv_neg, eq};
use term::{Op as TermOp, SortKind, Term};

/// The analysis does no more work than this: additions of numbers.
const MOST_WORK: usize = 100_000_000;
/// So many ways to take one edge are told apart.
const MOST_CHOICES: usize = 8;

/// An affine term: the constant, then the coefficients of the variables.
type Row = Vec<u64>;

/// The equations that hold at locations of a procedure without calls, for those locations that are asked for.
pub fn equations(program: &Program, procedure: ProcId, asked: &[LocId], live: &Live) -> FxHashMap<LocId, Vec<Term>> {
    let declared = program.procedure(procedure);
    let Ok(cfa) = &declared.body else { return FxHashMap::default() };
    if cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
        return FxHashMap::default();
    }
    let variables = program.globals.iter().chain(&declared.parameters).chain(&declared.results).chain(&declared.locals);
    let mut by_width: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
    for variable in variables {
        if let SortKind::BitVec(width @ 2..=64) = variable.sort().kind() {
            by_width.entry(*width).or_default().push(variable.term);
        }
    }
    let mut found: FxHashMap<LocId, Vec<Term>> = FxHashMap::default();
    let mut widths: Vec<(u32, Vec<Term>)> = by_width.into_iter().collect();
    widths.sort_unstable_by_key(|(width, _)| *width);
    for (width, variables) in widths {
        let Some(states) = (Affine { cfa, width, variables: &variables, numbers: numbers(&variables) }).fixpoint()
        else {
            continue;
        };
        for location in asked {
            let Some(span) = &states[location.0 as usize] else { continue };
            let kept: Vec<usize> = (0..variables.len()).filter(|i| live.at(*location, variables[*i])).collect();
            let mut projected = Span::new(width, kept.len() + 1);
            for generator in span.generators() {
                projected.add(std::iter::once(generator[0]).chain(kept.iter().map(|i| generator[i + 1])).collect());
            }
            let terms = projected.annihilators().into_iter();
            let terms = terms.map(|row| equation(width, &row, |i| variables[kept[i]]));
            found.entry(*location).or_default().extend(terms);
        }
    }
    found
}

fn numbers(variables: &[Term]) -> FxHashMap<Term, usize> {
    variables.iter().enumerate().map(|(number, variable)| (*variable, number)).collect()
}

/// A row as the equation that it is zero.
fn equation(width: u32, row: &[u64], variable: impl Fn(usize) -> Term) -> Term {
    // Negative coefficients are on the right.
    let is_negative = |entry: u64| width > 1 && entry >> (width - 1) == 1 && entry.count_ones() > 1;
    let (mut left, mut right) = (bv(width, 0), bv(width, 0));
    for (place, entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0) {
        let coefficient = bv(width, u128::from(*entry));
        let (side, coefficient) =
            if is_negative(*entry) { (&mut right, bv_neg(coefficient)) } else { (&mut left, coefficient) };
        let term = if place == 0 { coefficient } else { bv_mul(coefficient, variable(place - 1)) };
        *side = bv_add(*side, term);
    }
    eq(left, right)
}

/// The analysis for the variables of one width.
struct Affine<'a> {
    cfa: &'a Cfa,
    width: u32,
    variables: &'a [Term],
    numbers: FxHashMap<Term, usize>,
}

/// What becomes of a variable.
type Changes = Vec<(usize, Option<Row>)>;

impl Affine<'_> {
    /// The modules of all locations that can be reached; `None` if that is too much work.
    fn fixpoint(&self) -> Option<Vec<Option<Span>>> {
        let length = self.variables.len() + 1;
        let mut work = MOST_WORK;
        let mut states: Vec<Option<Span>> = vec![None; self.cfa.location_count()];
        let mut start = Span::new(self.width, length);
        for place in 0..length {
            start.add((0..length).map(|other| u64::from(other == 0 || other == place)).collect());
        }
        states[self.cfa.entry().0 as usize] = Some(start);
        let order = self.order();
        let choices: Vec<Vec<Changes>> = self.cfa.edges().map(|(_, edge)| self.choices(edge)).collect();
        let mut waiting: BTreeSet<(usize, LocId)> = BTreeSet::from([(0, self.cfa.entry())]);
        while let Some((_, location)) = waiting.pop_first() {
            let Some(here) = states[location.0 as usize].clone() else { continue };
            for id in self.cfa.outgoing(location) {
                let to = self.cfa.edge(*id).to;
                let state = states[to.0 as usize].get_or_insert_with(|| Span::new(self.width, length));
                let mut changed = false;
                for changes in &choices[id.0 as usize] {
                    work = work.checked_sub(here.generators().count() * length * 2)?;
                    changed |= self.carry(&here, changes, state);
                }
                if changed {
                    waiting.insert((order[to.0 as usize], to));
                }
            }
        }
        Some(states)
    }

    /// The places of locations in an order where most come after those that lead to them.
    fn order(&self) -> Vec<usize> {
        let mut order = vec![0; self.cfa.location_count()];
        for (place, component) in crate::component::components(self.cfa).into_iter().rev().enumerate() {
            component.into_iter().for_each(|location| order[location.0 as usize] = place);
        }
        order
    }

    /// Adds what an edge makes of states to those behind it; whether that is anything new.
    fn carry(&self, from: &Span, changes: &Changes, to: &mut Span) -> bool {
        let mut changed = false;
        for generator in from.generators() {
            let mut image = generator.clone();
            for (variable, row) in changes {
                let product =
                    |row: &Row| row.iter().zip(generator).map(|(a, b)| a.wrapping_mul(*b)).fold(0, u64::wrapping_add);
                image[variable + 1] = row.as_ref().map_or(0, product) & mask(self.width);
            }
            changed |= to.add(image);
        }
        for (variable, _) in changes.iter().filter(|(_, row)| row.is_none()) {
            let unit = (0..=self.variables.len()).map(|place| u64::from(place == variable + 1));
            changed |= to.add(unit.collect());
        }
        changed
    }

    /// What an edge may do: it does one of these.
    fn choices(&self, edge: &Edge) -> Vec<Changes> {
        let number = |variable: &Term| self.numbers.get(variable).copied();
        match &edge.op {
            Op::Assign(pairs) => {
                let mut choices: Vec<Changes> = vec![Vec::new()];
                for (variable, value) in pairs {
                    let Some(number) = number(variable) else { continue };
                    let rows = self.rows(*value, MOST_CHOICES / choices.len());
                    let with = |changes: &Changes, row: &Option<Row>| {
                        changes.iter().cloned().chain([(number, row.clone())]).collect::<Changes>()
                    };
                    choices = choices.iter().flat_map(|c| rows.iter().map(|row| with(c, row))).collect();
                }
                choices
            }
            Op::Havoc(variables) => vec![variables.iter().filter_map(number).map(|number| (number, None)).collect()],
            _ => vec![Vec::new()],
        }
    }

    /// The affine terms that a value is one of; `None` for what is not affine.
    fn rows(&self, value: Term, most: usize) -> Vec<Option<Row>> {
        if let (TermOp::Ite, [_, one, other]) = (value.op(), value.args())
            && most >= 2
        {
            let (one, other) = (self.rows(*one, most / 2), self.rows(*other, most / 2));
            return one.into_iter().chain(other).collect();
        }
        vec![self.row(value)]
    }

    /// A term as an affine one.
    fn row(&self, term: Term) -> Option<Row> {
        let zero = || vec![0; self.variables.len() + 1];
        let combine = |a: Term, b: Term, factor: u64| {
            let (mut sum, b) = (self.row(a)?, self.row(b)?);
            sum.iter_mut().zip(b).for_each(|(a, b)| *a = a.wrapping_add(b.wrapping_mul(factor)) & mask(self.width));
            Some(sum)
        };
        if let Some(number) = term.as_bv() {
            let mut row = zero();
            row[0] = u64::try_from(number.unsigned()).ok()?;
            return Some(row);
        }
        match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => {
                let mut row = zero();
                row[self.numbers.get(&term)? + 1] = 1;
                Some(row)
            }
            (TermOp::BvAdd, [a, b]) => combine(*a, *b, 1),
            (TermOp::BvSub, [a, b]) => combine(*a, *b, u64::MAX),
            (TermOp::BvNeg, [a]) => {
                let mut row = self.row(*a)?;
                row.iter_mut().for_each(|entry| *entry = entry.wrapping_neg() & mask(self.width));
                Some(row)
            }
            (TermOp::BvMul, [a, b]) => {
                let (constant, other) = if a.as_bv().is_some() { (a, b) } else { (b, a) };
                let factor = u64::try_from(constant.as_bv()?.unsigned()).ok()?;
                let mut row = self.row(*other)?;
                row.iter_mut().for_each(|entry| *entry = entry.wrapping_mul(factor) & mask(self.width));
                Some(row)
            }
            _ => None,
        }
    }
}
