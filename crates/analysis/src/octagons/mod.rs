//! Octagons (Miné): constraints ±x ±y <= c between machine integers, read with sign, for small packs of variables.
//!
//! The same abstract interpretation as that of intervals, which are computed first and say what is known of values that are no sums.
//! Each pack has a fixpoint of its own.
//!
//! Invariants: the constraints hold whenever control is at their location; together with the ranges of intervals they are inductive,
//! also when only variables that are live at their locations are looked at.

mod matrix;
mod packs;
mod transfer;

use crate::flow::{Flow, States, Widening};
use crate::intervals::State;
use crate::live::Live;
use ir::{Edge, LocId, ProcId, Program};
use matrix::{Octagon, minus, plus};
use packs::{Pack, packs};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Term;
use term::build::{bv_add, bv_signed, bv_sle, sign_extend};
use transfer::Relations;

/// The analysis of a pack does no more work than this: edges.
const MOST_WORK: usize = 20_000;
/// Bounds that move come to rest here.
const THRESHOLDS: [i128; 5] = [-2, -1, 0, 1, 2];

/// What octagons say at those locations of a procedure without calls that are asked for. They cut all cycles.
/// The ranges are what intervals say of the procedure.
pub fn octagons(
    program: &Program,
    procedure: ProcId,
    ranges: &States<State>,
    asked: &[LocId],
    live: &Live,
) -> FxHashMap<LocId, Vec<Term>> {
    let mut found: FxHashMap<LocId, Vec<Term>> = FxHashMap::default();
    let Ok(cfa) = &program.procedure(procedure).body else { return found };
    for pack in packs(cfa) {
        let analysis = Analysis { relations: Relations::new(&pack), ranges };
        let Some(states) = analysis.widened(cfa, asked, MOST_WORK) else { continue };
        for location in asked {
            let Some(octagon) = &states[location.0 as usize] else { continue };
            let mut octagon = Octagon::clone(octagon);
            if octagon.close() {
                let formulas = formulas(&pack, &octagon, |variable| live.at(*location, variable));
                found.entry(*location).or_default().extend(formulas);
            }
        }
    }
    found
}

struct Analysis<'a> {
    relations: Relations<'a>,
    ranges: &'a States<State>,
}

impl Flow for Analysis<'_> {
    type State = Rc<Octagon>;

    fn start(&self) -> Rc<Octagon> {
        Rc::new(self.relations.start())
    }

    fn size(&self, _: &Rc<Octagon>) -> usize {
        1
    }

    fn transfer(&self, state: &Rc<Octagon>, edge: &Edge) -> Option<Rc<Octagon>> {
        let ranges = self.ranges[edge.from.0 as usize].as_ref()?;
        if !self.relations.concerns(edge) {
            return Some(state.clone());
        }
        self.relations.transfer(state, ranges, edge).map(Rc::new)
    }

    fn join(&self, one: &Rc<Octagon>, other: &Rc<Octagon>) -> Rc<Octagon> {
        if one.includes(other) { one.clone() } else { Rc::new(one.join(other)) }
    }
}

impl Widening for Analysis<'_> {
    fn includes(&self, state: &Rc<Octagon>, other: &Rc<Octagon>) -> bool {
        state.includes(other)
    }

    fn widen(&self, state: &Rc<Octagon>, later: &Rc<Octagon>) -> Rc<Octagon> {
        Rc::new(state.widen(later, &THRESHOLDS))
    }
}

/// The constraints between two variables that ranges do not imply, as formulas.
fn formulas(pack: &Pack, octagon: &Octagon, is_live: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut found = Vec::new();
    let live: Vec<usize> = (0..pack.variables.len()).filter(|number| is_live(pack.variables[*number])).collect();
    for (place, x) in live.iter().enumerate() {
        for y in &live[place + 1..] {
            for (i, j) in [(plus(*y), plus(*x)), (plus(*x), plus(*y)), (minus(*y), plus(*x)), (plus(*x), minus(*y))] {
                let Some(most) = octagon.bound(i, j) else { continue };
                // End j minus end i, each at its own greatest.
                let apart = |i: usize| octagon.bound(i ^ 1, i).map(|twice| twice.div_euclid(2));
                // Large numbers come from the widths of variables and say nothing.
                let is_telling = most.abs() < 1 << (pack.width - 2);
                if is_telling && apart(j).zip(apart(i ^ 1)).is_none_or(|(one, other)| most < one + other) {
                    found.push(constraint(pack, (i, j), most));
                }
            }
        }
    }
    found
}

/// That end j minus end i is at most so much.
fn constraint(pack: &Pack, (i, j): (usize, usize), most: i128) -> Term {
    let variable = |end: usize| pack.variables[end / 2];
    match (i % 2, j % 2, most) {
        (0, 0, 0) => bv_sle(variable(j), variable(i)),
        (0, 0, -1) => term::build::bv_slt(variable(j), variable(i)),
        _ => {
            // Two more bits hold any sum of two.
            let wide = pack.width + 2;
            let end = |end: usize| {
                let value = sign_extend(wide, variable(end));
                if end.is_multiple_of(2) { value } else { term::build::bv_neg(value) }
            };
            bv_sle(bv_add(end(j), end(i ^ 1)), bv_signed(wide, most))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What octagons say at the location `a` of a procedure over `i`, `j` and `n`.
    fn check(edges: &str, expected: &[&str]) {
        let text = format!(
            "global i: bv8\nglobal j: bv8\nglobal n: bv8\nprocedure main() {{\nlocation a\nlocation b\n{edges}\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        // The entry and the exit come first.
        let cuts = [LocId(2), LocId(3)];
        let ranges = crate::intervals::states(&program, program.entry, &cuts).expect("little work");
        let live = Live::new(&program, program.entry);
        let found = octagons(&program, program.entry, &ranges, &cuts, &live).remove(&cuts[0]).unwrap_or_default();
        let found: Vec<String> = found.iter().map(Term::to_string).collect();
        assert_eq!(found, expected, "{edges}");
    }

    #[test]
    fn loops_keep_the_order_of_their_counters() {
        let down = "entry -> c: assume (and (bvsle #x01 n) (bvsle n #x40))\nc -> a: i := (bvadd n #xff)\n\
            a -> d: assume (bvsle #x00 i)\nd -> b: j := #x01\nb -> e: assume (bvsle j i)\ne -> b: j := (bvadd j #x01)\n\
            b -> a: i := (bvadd i #xff)\na -> exit: assume (not (= i n))";
        check(down, &["(bvslt i n)"]);
        let up =
            "entry -> a: i := #x00\na -> b: assume (bvslt i n)\nb -> a: i := (bvadd i #x01)\na -> exit: assume (= i n)";
        check(up, &[]);
        let not_equal = "entry -> c: assume (bvsle #x00 n)\nc -> a: i := #x00\na -> b: assume (not (= i n))\n\
            b -> a: i := (bvadd i #x01)\na -> exit: assume (= i n)";
        check(not_equal, &["(bvsle i n)"]);
    }
}
