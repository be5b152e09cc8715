//! The ways to decide inclusions, against each other and against enumeration.

use super::*;
use crate::Limits;
use crate::cnf::Cnf;
use term::random::Random;

const INPUTS: usize = 4;
const COMPONENTS: usize = 3;

/// Random sets over a few inputs, which the two share.
fn random_set(aig: &mut Aig, inputs: &[Wire], random: &mut Random) -> New {
    let mut wires = inputs.to_vec();
    for _ in 0..8 {
        let (a, b) = (*random.pick(&wires), *random.pick(&wires));
        let (a, b) = (a.negated_if(random.once_in(2)), b.negated_if(random.once_in(2)));
        wires.push(if random.once_in(3) { aig.xor(a, b) } else { aig.and(a, b) });
    }
    let mut pick = || random.pick(&wires).negated_if(random.once_in(2));
    let values = (0..COMPONENTS).map(|_| pick()).collect();
    let premise = pick();
    let premise = if random.once_in(2) { Wire::TRUE } else { premise };
    New { values, premise }
}

/// The elements of a set.
fn elements(aig: &Aig, inputs: &[Wire], set: &New) -> Vec<Vec<bool>> {
    let mut found = Vec::new();
    for row in 0..1u32 << INPUTS {
        let value = |input: Wire| inputs.iter().position(|i| *i == input).is_some_and(|i| row >> i & 1 == 1);
        if aig.evaluate(&[set.premise], value)[0] {
            found.push(aig.evaluate(&set.values, value));
        }
    }
    found
}

#[test]
fn every_way_agrees_with_enumeration() {
    let mut random = Random::new(3);
    let limits = Limits::default();
    let has_external = std::process::Command::new(external::PROGRAM).arg("--version").output().is_ok();
    let mut included = 0;
    for number in 0..400 {
        let mut aig = Aig::new();
        let inputs: Vec<Wire> = (0..INPUTS).map(|_| aig.input()).collect();
        let xs: Vec<Wire> = (0..COMPONENTS).map(|_| aig.input()).collect();
        let new = random_set(&mut aig, &inputs, &mut random);
        let old = random_set(&mut aig, &inputs, &mut random);
        let known = elements(&aig, &inputs, &old);
        let expected = elements(&aig, &inputs, &new).iter().all(|element| known.contains(element));
        included += u32::from(expected);
        let plain = Old::of(&mut aig, &xs, &old.values, old.premise);
        let simple = eliminate::eliminate(&mut aig, plain.clone());
        assert!(simple.existential.len() <= plain.existential.len());
        let mut cnf = Cnf::new();
        for old in [&plain, &simple] {
            assert_eq!(
                expansion::included(&mut aig, &mut cnf, &new, old, &limits, &mut 0),
                Ok(expected),
                "set {number}"
            );
            if has_external && number < 100 {
                assert_eq!(external::included(&mut aig, &new, old, &limits), Ok(expected), "set {number}");
            }
        }
    }
    assert!((60..340).contains(&included), "{included} of 400: the test says little");
}

#[test]
fn unions_agree_with_enumeration() {
    let mut random = Random::new(5);
    let limits = Limits::default();
    let (mut by_many, mut refused) = (0, 0);
    for number in 0..300 {
        let mut aig = Aig::new();
        let inputs: Vec<Wire> = (0..INPUTS).map(|_| aig.input()).collect();
        let xs: Vec<Wire> = (0..COMPONENTS).map(|_| aig.input()).collect();
        let new = random_set(&mut aig, &inputs, &mut random);
        let sets: Vec<New> = (0..3).map(|_| random_set(&mut aig, &inputs, &mut random)).collect();
        let known: Vec<Vec<bool>> = sets.iter().flat_map(|set| elements(&aig, &inputs, set)).collect();
        let expected = elements(&aig, &inputs, &new).iter().all(|element| known.contains(element));
        let mut old = |set: &New| {
            let old = Old::of(&mut aig, &xs, &set.values, set.premise);
            eliminate::eliminate(&mut aig, old)
        };
        let olds: Vec<Old> = sets.iter().map(&mut old).collect();
        let olds: Vec<&Old> = olds.iter().collect();
        let used = expansion::included_in_union(&mut aig, &mut Cnf::new(), &new, &olds, &limits, &mut 0);
        let used = used.unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(used.is_some(), expected, "set {number}");
        by_many += u32::from(used.as_ref().is_some_and(|used| used.len() > 1));
        refused += u32::from(used.is_none());
    }
    assert!(by_many > 20 && refused > 20, "{by_many} by many, {refused} refused: the test says little");
}

/// What is printed as Equation 4 takes a state for subsumed as soon as its guard can be false.
#[test]
fn a_guard_that_can_be_false_subsumes_nothing() {
    let mut aig = Aig::new();
    let (x, guard) = (aig.input(), aig.input());
    let new = New { values: vec![Wire::TRUE], premise: guard };
    let old = Old::of(&mut aig, &[x], &[Wire::FALSE], Wire::TRUE);
    assert_eq!(expansion::included(&mut aig, &mut Cnf::new(), &new, &old, &Limits::default(), &mut 0), Ok(false));
}
