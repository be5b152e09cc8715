//! Axioms about all values, which an execution cannot evaluate.
//!
//! An execution applies functions to finitely many values. That there are functions which give these results and have the
//! axioms' properties everywhere is for a solver to show. Where it only finds no contradiction the execution does not
//! count: the axioms may exclude it.

use crate::algebra;
use ir::Program;
use solver::{Answer, Limits, Profile, Smt, Z3};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use term::build::eq;
use term::{Function, Op, Term, Value};

/// What functions give on some values.
pub type Table = BTreeMap<(Function, Vec<Value>), Value>;

/// A solver that builds functions for axioms either does so soon or never.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Whether functions with the axioms' properties can give these results; why not, otherwise.
pub fn admit(program: &Program, table: &Table) -> Result<(), String> {
    let limits = Limits { deadline: Some(Instant::now() + MOST_TIME), ..Limits::default() };
    if algebra::admits(&program.axioms, table, &limits) {
        return Ok(());
    }
    let mut smt = Z3::new(Profile::Incremental);
    smt.set_limits(limits);
    program.axioms.iter().for_each(|axiom| smt.assert(*axiom));
    smt.push();
    for ((function, arguments), value) in table {
        let arguments: Vec<Term> = arguments.iter().cloned().map(Term::constant).collect();
        let application = Term::new(Op::Apply(function.clone()), &arguments);
        smt.assert(eq(application, Term::constant(value.clone())));
    }
    match smt.check() {
        Answer::Sat => Ok(()),
        Answer::Unsat => {
            smt.pop();
            // Then no execution of the program exists, whatever it does.
            let are_contradictory = smt.check() == Answer::Unsat;
            let what = if are_contradictory { "each other" } else { "what functions give" };
            Err(format!("the axioms contradict {what}"))
        }
        Answer::Unknown(why) => Err(format!("the axioms could not be shown to allow the execution: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(axiom: &str, argument: i64, result: i64, expected: Result<(), &str>) {
        let text = format!(
            "function f(int): int\naxiom {axiom}\nprocedure main() {{\nlocal x: int\nentry -> exit: assume (= x (f x))\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let int = |n: i64| Value::Int(n.into());
        let function = Function { name: "f".into(), parameters: vec![term::Sort::int()], result: term::Sort::int() };
        let table = Table::from([((function, vec![int(argument)]), int(result))]);
        match (admit(&program, &table), expected) {
            (Ok(()), Ok(())) => {}
            (Err(why), Err(expected)) if why.starts_with(expected) => {}
            (admitted, expected) => panic!("{admitted:?}, not {expected:?}"),
        }
    }

    #[test]
    fn only_what_functions_with_the_axioms_properties_give_is_admitted() {
        let positive = "(forall ((x Int)) (! (<= 0 (f x)) :pattern ((f x))))";
        check(positive, 3, 4, Ok(()));
        check(positive, 3, -1, Err("the axioms contradict what functions give"));
        let hidden = "(forall ((x Int)) (! (= (f (f x)) (+ x 1)) :pattern ((f (f (f x))))))";
        let both = "(forall ((x Int)) (! (and (<= 0 (f x)) (< (f x) 0)) :pattern ((f x))))";
        check(both, 3, 4, Err("the axioms contradict each other"));
        // No trigger fits, but no such function exists: f(f(3)) is 4, so f(4) = f(f(f(3))) is f(3) + 1.
        check(hidden, 3, 3, Err("the axioms"));
    }
}
