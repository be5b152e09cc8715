//! Interpolants of sequences, checked against the definition.

use solver::interpolate::{Method, check_law};
use solver::{Interpolator, NoInterpolants, Z3};
use source::Symbol;
use std::collections::HashMap;
use term::{Function, Sort, Term, text};

/// The names that a problem declares.
#[derive(Default)]
struct Names {
    variables: HashMap<Symbol, Sort>,
    functions: HashMap<Symbol, Function>,
}

impl text::Scope for Names {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        self.variables.get(&name).copied()
    }

    fn function(&self, name: Symbol, _parameters: &[Sort]) -> Option<Function> {
        self.functions.get(&name).cloned()
    }
}

impl Names {
    /// Reads a line such as `Int x y` or `fun f (Int Int) Bool`. Whether it is a declaration.
    fn declare(&mut self, line: &str) -> bool {
        if let Some(rest) = line.strip_prefix("fun ") {
            let (name, rest) = rest.split_once('(').expect("parameters");
            let (parameters, result) = rest.rsplit_once(')').expect("parameters end");
            let name = Symbol::new(name.trim());
            let function = Function { name, parameters: sorts(parameters), result: sorts(result)[0] };
            self.functions.insert(name, function);
            return true;
        }
        let Ok((sort, end)) = text::parse_sort(line, 0) else { return false };
        let names = line[end..].trim();
        let declares = !names.is_empty() && names.chars().all(|c| c.is_alphanumeric() || c == ' ');
        if declares {
            self.variables.extend(names.split(' ').map(|name| (Symbol::new(name), sort)));
        }
        declares
    }
}

fn sorts(text: &str) -> Vec<Sort> {
    let (mut at, mut found) = (0, Vec::new());
    while !text[at..].trim().is_empty() {
        let (sort, end) = text::parse_sort(text, at).expect("a sort");
        found.push(sort);
        at = end;
    }
    found
}

/// Solves the problems of a file and compares the way with the one that is expected.
fn check(file: &str) {
    let mut problems = 0;
    for problem in file.split("problem ").skip(1) {
        let (title, body) = problem.split_once('\n').expect("a title");
        let mut names = Names::default();
        let mut sequence: Vec<Term> = Vec::new();
        for line in body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';')) {
            if let Some(expected) = line.strip_prefix("by ") {
                solve(title, &sequence, expected);
                problems += 1;
            } else if !names.declare(line) {
                sequence.push(text::parse_closed(line, &names).unwrap_or_else(|e| panic!("{title}: {line}: {e:?}")));
            }
        }
    }
    assert!(problems > 0);
}

fn solve(title: &str, sequence: &[Term], expected: &str) {
    let mut interpolator = Interpolator::new();
    match (interpolator.interpolate(sequence), expected) {
        (Err(NoInterpolants::Satisfiable), "none") => {}
        (Ok(found), _) => {
            println!("{title}: {found:?}");
            check_law(&mut Z3::default(), sequence, &found)
                .unwrap_or_else(|broken| panic!("{title}: {broken}: {found:?}"));
            assert_eq!(format!("{:?}", interpolator.method()), expected, "{title}: {found:?}");
        }
        (result, _) => panic!("{title}: {result:?}"),
    }
}

#[test]
fn integers() {
    check(include_str!("interpolation/integers.txt"));
}

#[test]
fn reals() {
    check(include_str!("interpolation/reals.txt"));
}

#[test]
fn functions() {
    check(include_str!("interpolation/functions.txt"));
}

#[test]
fn arrays() {
    check(include_str!("interpolation/arrays.txt"));
}

#[test]
fn vectors() {
    check(include_str!("interpolation/vectors.txt"));
}

#[test]
fn a_formula_that_contradicts_itself_needs_no_method() {
    let mut interpolator = Interpolator::new();
    let truth = term::build::truth();
    let falsehood = term::build::falsehood();
    assert_eq!(interpolator.interpolate(&[truth, falsehood, truth]), Ok(vec![truth, falsehood]));
    assert_eq!(interpolator.method(), Method::Trivial);
    assert_eq!(interpolator.interpolate(&[falsehood]), Ok(vec![]));
}
