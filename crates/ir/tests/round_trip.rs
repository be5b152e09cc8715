//! Random programs are valid, and their text is exact in both directions.

use ir::random::{self, Config};
use ir::{DataModel, Op, Program, parse, print, validate};
use std::collections::HashSet;
use std::mem::discriminant;
use term::Term;

fn check(seeds: std::ops::Range<u64>, config: &Config) {
    for seed in seeds {
        let program = random::program(seed, config);
        if let Err(violations) = validate(&program) {
            panic!("seed {seed} breaks a law: {}\n{}", violations[0], print(&program));
        }
        let text = print(&program);
        match parse(&text) {
            Ok(parsed) => {
                assert!(parsed == program, "seed {seed} changes:\n{text}\n---\n{}", print(&parsed));
                assert_eq!(print(&parsed), text, "seed {seed}");
            }
            Err(errors) => panic!("seed {seed}: {}\n{text}", errors[0]),
        }
    }
}

#[test]
fn everything_on_lp64() {
    check(0..1000, &Config::everything(DataModel::Lp64));
}

#[test]
fn everything_on_ilp32() {
    check(0..1000, &Config::everything(DataModel::Ilp32));
}

#[test]
fn scalar_programs() {
    check(0..3000, &Config::scalar());
}

#[test]
fn display_is_print() {
    let program = random::program(7, &Config::scalar());
    assert_eq!(program.to_string(), print(&program));
}

/// The terms that stand on the edges of a program.
fn terms(program: &Program) -> Vec<Term> {
    let edges = program.procedures.iter().filter_map(|p| p.body.as_ref().ok()).flat_map(|cfa| cfa.edges());
    edges
        .flat_map(|(_, edge)| match &edge.op {
            Op::Assign(pairs) => pairs.iter().flat_map(|(variable, value)| [*variable, *value]).collect(),
            Op::Assume(formula) => vec![*formula],
            Op::Havoc(variables) => variables.clone(),
            Op::Call { arguments, .. } | Op::Spawn { arguments, .. } => arguments.clone(),
            Op::AtomicBegin | Op::AtomicEnd => Vec::new(),
        })
        .collect()
}

#[test]
fn everything_occurs_in_random_programs() {
    let config = Config::everything(DataModel::Lp64);
    let (mut operators, mut operations, mut locations) = (HashSet::new(), HashSet::new(), HashSet::new());
    for program in (0..500).map(|seed| random::program(seed, &config)) {
        let nodes = term::visit::post_order(terms(&program));
        operators.extend(nodes.iter().map(|term| discriminant(term.op())));
        for cfa in program.procedures.iter().filter_map(|p| p.body.as_ref().ok()) {
            operations.extend(cfa.edges().map(|(_, edge)| discriminant(&edge.op)));
            locations.extend(cfa.locations().map(|(_, location)| discriminant(&location.kind)));
        }
    }
    // As many as `term::Op`, `ir::Op` and `ir::LocationKind` have.
    assert_eq!((operators.len(), operations.len(), locations.len()), (86, 7, 4));
}
