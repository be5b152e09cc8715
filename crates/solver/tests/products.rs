//! Products tell the same combinations as the plain enumeration of models.

use solver::{AllSmt, Blaster, Products, Smt};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use term::random::Random;
use term::{Op, Sort, Term, build};

const FORMULAS: u64 = 400;

/// Random formulas over vectors of two bits, with choices inside.
struct Small(Random);

impl Small {
    fn vector(&mut self, depth: u32) -> Term {
        match self.0.below(if depth == 0 { 3 } else { 7 }) {
            0 => build::bv(2, self.0.below(4) as u128),
            1 | 2 => Term::var(["x", "y", "z", "u", "v"][self.0.below(5)], Sort::bv(2)),
            3 => build::bv_add(self.vector(depth - 1), self.vector(depth - 1)),
            _ => build::ite(self.formula(depth - 1), self.vector(depth - 1), self.vector(depth - 1)),
        }
    }

    fn formula(&mut self, depth: u32) -> Term {
        match self.0.below(if depth == 0 { 2 } else { 7 }) {
            0 => build::eq(self.vector(depth.saturating_sub(1)), self.vector(0)),
            1 => build::bv_ult(self.vector(depth.saturating_sub(1)), self.vector(0)),
            2 => build::and([self.formula(depth - 1), self.formula(depth - 1)]),
            3 => build::or([self.formula(depth - 1), self.formula(depth - 1)]),
            4 => build::not(self.formula(depth - 1)),
            5 => Term::new(Op::Xor, &[self.formula(depth - 1), self.formula(depth - 1)]),
            _ => build::ite(self.formula(depth - 1), self.formula(depth - 1), self.formula(depth - 1)),
        }
    }
}

#[test]
fn products_are_all_combinations() {
    let (mut products_told, mut combinations) = (0, 0);
    let mut products = Products::default();
    for seed in 0..FORMULAS {
        let mut small = Small(Random::new(seed));
        let formulas = [small.formula(3), small.formula(3)];
        let mut terms: Vec<Term> = (0..5).map(|_| small.formula(2)).collect();
        terms.retain(|term| term.value().is_none());
        let mut smt = Blaster::new();
        formulas.iter().for_each(|formula| smt.assert(*formula));

        let mut expected: BTreeSet<Vec<bool>> = BTreeSet::new();
        let each = &mut |cube: &[Option<bool>]| {
            expected.insert(cube.iter().map(|value| value.expect("cubes are not shortened")).collect());
            ControlFlow::Continue(())
        };
        AllSmt::new(&terms).run(&mut smt, each).expect("decided");

        let mut found: BTreeSet<Vec<bool>> = BTreeSet::new();
        let each = &mut |factors: &[solver::Factor]| {
            products_told += 1;
            for bits in 0..1u32 << terms.len() {
                let value = |n: &usize| bits >> n & 1 == 1;
                let within = |factor: &solver::Factor| {
                    let values: Vec<bool> = factor.terms.iter().map(value).collect();
                    factor.cubes.iter().any(|cube| cube[..] == values[..])
                };
                if factors.iter().all(within) {
                    found.insert((0..terms.len()).map(|n| value(&n)).collect());
                }
            }
            ControlFlow::Continue(())
        };
        products.run(&mut smt, &mut Blaster::new(), &formulas, &terms, each).expect("decided");
        assert_eq!(found, expected, "seed {seed}: {terms:?} where {formulas:?}");
        combinations += expected.len();
    }
    assert!(products_told < combinations, "{products_told} products for {combinations} combinations");
}
