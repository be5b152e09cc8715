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
use crate::intervals::{State, all_signed};
use crate::live::Live;
use ir::{Edge, LocId, ProcId, Program};
use matrix::{Octagon, minus, plus};
use packs::{Pack, packs};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Term;
use term::build::{bv_add, bv_neg, bv_signed, bv_sle, bv_slt, sign_extend};
use transfer::Relations;

/// The analysis of a pack does no more work than this: edges.
const MOST_WORK: usize = 20_000;
/// Of large programs, only so many packs are looked at.
const MOST_PACKS: usize = 24;
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
    for pack in packs(cfa).into_iter().take(MOST_PACKS) {
        let analysis = Analysis { relations: Relations::new(&pack), ranges };
        let Some(states) = analysis.widened(cfa, asked, MOST_WORK) else { continue };
        let mut known: Vec<(LocId, Vec<Constraint>)> = Vec::new();
        for location in asked {
            let place = location.0 as usize;
            // Where intervals say that control never comes, there is nothing to add.
            let Some(ranges) = &ranges[place] else { continue };
            let octagon = states[place].as_ref().and_then(|octagon| analysis.relations.within(octagon, ranges));
            let is_live = |variable| live.at(*location, variable);
            let constraints = octagon.map_or(vec![Constraint::NEVER], |o| constraints(&pack, &o, ranges, is_live));
            known.push((*location, constraints));
        }
        // All of them are inductive together, or none of them is worth to be told.
        if known.iter().any(|(_, constraints)| constraints.iter().any(|constraint| constraint.is_telling(&pack))) {
            for (location, constraints) in known {
                let formulas = constraints.iter().map(|constraint| constraint.formula(&pack));
                found.entry(location).or_default().extend(formulas);
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

/// That one end minus another is at most so much.
struct Constraint {
    from: usize,
    to: usize,
    most: i128,
}

/// The constraints of a closed octagon on live variables that ranges do not imply.
fn constraints(pack: &Pack, octagon: &Octagon, ranges: &State, is_live: impl Fn(Term) -> bool) -> Vec<Constraint> {
    let mut found = Vec::new();
    let live: Vec<usize> = (0..pack.variables.len()).filter(|number| is_live(pack.variables[*number])).collect();
    for (place, x) in live.iter().enumerate() {
        let (least, most) = ranges.get(&pack.variables[*x]).map_or(all_signed(pack.width), |range| range.signed);
        for (from, to, known) in [(minus(*x), plus(*x), 2 * most), (plus(*x), minus(*x), -2 * least)] {
            found.extend(octagon.bound(from, to).filter(|most| *most < known).map(|most| Constraint {
                from,
                to,
                most,
            }));
        }
        for y in &live[place + 1..] {
            for (from, to) in [(plus(*y), plus(*x)), (plus(*x), plus(*y)), (minus(*y), plus(*x)), (plus(*x), minus(*y))]
            {
                let Some(most) = octagon.bound(from, to) else { continue };
                // Each end at its own greatest.
                let alone = |end: usize| octagon.bound(end ^ 1, end).map(|twice| twice.div_euclid(2));
                if alone(to).zip(alone(from ^ 1)).is_none_or(|(one, other)| most < one + other) {
                    found.push(Constraint { from, to, most });
                }
            }
        }
    }
    found
}

impl Constraint {
    /// What nothing satisfies. Where control never comes this holds, or what is known behind it would not follow.
    const NEVER: Constraint = Constraint { from: 0, to: 0, most: -1 };

    /// Large numbers come from the widths of variables.
    fn is_telling(&self, pack: &Pack) -> bool {
        self.most.abs() < 1 << (pack.width - 2)
    }

    fn formula(&self, pack: &Pack) -> Term {
        let variable = |end: usize| pack.variables[end / 2];
        let number = |number: i128| bv_signed(pack.width, number);
        let Constraint { from, to, most } = *self;
        match (from % 2, to % 2) {
            _ if from == to ^ 1 && to % 2 == 0 => bv_sle(variable(to), number(most.div_euclid(2))),
            _ if from == to ^ 1 => bv_sle(number(-most.div_euclid(2)), variable(to)),
            (0, 0) if most == 0 => bv_sle(variable(to), variable(from)),
            (0, 0) if most == -1 => bv_slt(variable(to), variable(from)),
            _ => {
                // Two more bits hold any sum of two.
                let wide = pack.width + 2;
                let end = |end: usize| {
                    let value = sign_extend(wide, variable(end));
                    if end.is_multiple_of(2) { value } else { bv_neg(value) }
                };
                bv_sle(bv_add(end(to), end(from ^ 1)), bv_signed(wide, most))
            }
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
        check(up, &["(bvsle #x00 i)", "(bvsle (bvsub ((_ sign_extend 2) i) ((_ sign_extend 2) n)) #b0010000000)"]);
        let not_equal = "entry -> c: assume (bvsle #x00 n)\nc -> a: i := #x00\na -> b: assume (not (= i n))\n\
            b -> a: i := (bvadd i #x01)\na -> exit: assume (= i n)";
        check(not_equal, &["(bvsle #x00 i)", "(bvsle i n)"]);
    }
}
