//! `docs/ir.md` is right: its examples are programs, and its laws are the validator's.

use ir::{Rule, parse, print, validate};

const PAGE: &str = include_str!("../../../docs/ir.md");

/// The block of the page that is marked as `kind`.
fn block(kind: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{kind}\n")).expect("the page has such a block");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_printed_example_is_printed_so() {
    let program = parse(block("ir")).unwrap_or_else(|errors| panic!("{}", errors[0]));
    validate(&program).unwrap_or_else(|violations| panic!("{}", violations[0]));
    assert_eq!(print(&program), block("ir"));
}

#[test]
fn the_example_by_hand_is_a_program() {
    let program = parse(block("ir-by-hand")).unwrap_or_else(|errors| panic!("{}", errors[0]));
    validate(&program).unwrap_or_else(|violations| panic!("{}", violations[0]));
    let main = program.procedure(program.entry).body.as_ref().expect("main has a body");
    assert_eq!((main.location_count(), main.edge_count()), (6, 6));
}

#[test]
fn the_laws_are_all_there() {
    let laws: String = Rule::ALL.iter().map(|rule| format!("| `{rule}` | {} |\n", rule.law())).collect();
    assert!(PAGE.ends_with(&format!("| name | law |\n|---|---|\n{laws}")), "the page should end with\n{laws}");
}
