//! Axioms about all values, which an execution cannot evaluate.
//!
//! An execution applies functions to finitely many values. That there are functions which give these results and have the
//! axioms' properties everywhere is for a solver to say. Where it can only not refute it, after it has drawn the
//! consequences that the axioms' triggers find, the report says that this is assumed.

use ir::Program;
use solver::{Answer, Limits, Profile, Smt, Unknown, Z3};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use term::build::eq;
use term::{Function, Op, Term, Value};

/// What functions give on some values.
pub type Table = BTreeMap<(Function, Vec<Value>), Value>;

/// What is known of functions with the axioms' properties that give what an execution needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admitted {
    /// There are some.
    Shown,
    /// The solver found no contradiction and no functions either.
    NotRefuted,
}

/// More time than this is not worth spending on an answer that is only a remark.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Whether functions with the axioms' properties can give these results; why not, otherwise.
pub fn admit(program: &Program, table: &Table) -> Result<Admitted, String> {
    let mut smt = Z3::new(Profile::Triggers);
    smt.set_limits(Limits { deadline: Some(Instant::now() + MOST_TIME), ..Limits::default() });
    program.axioms.iter().for_each(|axiom| smt.assert(*axiom));
    for ((function, arguments), value) in table {
        let arguments: Vec<Term> = arguments.iter().cloned().map(Term::constant).collect();
        let application = Term::new(Op::Apply(function.clone()), &arguments);
        smt.assert(eq(application, Term::constant(value.clone())));
    }
    match smt.check() {
        Answer::Sat => Ok(Admitted::Shown),
        Answer::Unsat => Err("the axioms contradict what functions give".to_string()),
        Answer::Unknown(Unknown::Incomplete(_)) if smt.has_candidate() => Ok(Admitted::NotRefuted),
        Answer::Unknown(why) => Err(format!("the axioms could not be checked: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &[i64], result: i64, expected: Result<Admitted, &str>) {
        let text = "function f(int): int\naxiom (forall ((x Int)) (! (< x (f x)) :pattern ((f x))))\n\
            procedure main() {\nlocal x: int\nentry -> exit: assume (= x (f x))\n}\n";
        let program = ir::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let int = |n: i64| Value::Int(n.into());
        let function = Function { name: "f".into(), parameters: vec![term::Sort::int()], result: term::Sort::int() };
        let table = Table::from([((function, arguments.iter().map(|n| int(*n)).collect()), int(result))]);
        let admitted = admit(&program, &table);
        assert_eq!(admitted.as_ref().map_err(String::as_str), expected.as_ref().map_err(|why| *why));
    }

    #[test]
    fn consequences_for_the_values_in_question_are_drawn() {
        check(&[3], 4, Ok(Admitted::NotRefuted));
        check(&[3], 3, Err("the axioms contradict what functions give"));
    }
}
