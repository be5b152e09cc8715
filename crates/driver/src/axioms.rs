//! Axioms about all values, which an execution cannot evaluate.
//!
//! An execution applies functions to finitely many values. That there are functions which give these results and have the
//! axioms' properties everywhere is for a solver to show. Where it only finds no contradiction the execution does not
//! count: the axioms may exclude it.

use crate::algebra::{self, Said};
use ir::Program;
use solver::{Answer, Limits, Profile, Smt, Unknown, Z3};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use term::build::make;
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Function, Op, Sort, Term, Value};

/// A function and values that it is applied to.
pub type Row = (Function, Vec<Value>);

/// What functions give on some values.
pub type Table = BTreeMap<Row, Value>;

/// What a row of a table says.
pub fn equation(((function, on), value): (&Row, &Value)) -> Term {
    let on: Vec<Term> = on.iter().cloned().map(Term::constant).collect();
    make(&Op::Eq, &[Term::new(Op::Apply(function.clone()), &on), Term::constant(value.clone())])
}

/// A Boolean variable that stands for a row.
pub fn flag((function, on): &Row) -> Term {
    Term::var(format!("row {} {on:?}", function.name).as_str(), Sort::bool())
}

/// Why an execution is not admitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Excluded {
    pub why: String,
    /// Rows that cannot all be so.
    pub rows: Vec<Row>,
}

impl Excluded {
    fn because(why: impl Into<String>) -> Excluded {
        Excluded { why: why.into(), rows: Vec::new() }
    }
}

/// A solver that builds functions for axioms either does so soon or never.
const MOST_TIME: Duration = Duration::from_secs(10);

const CONTRADICTED: &str = "the axioms contradict what functions give";

/// How axioms allow an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admitted {
    /// There are functions with all properties that they ask for.
    Wholly,
    /// There are no such functions, whatever the program does. But of the terms that are met here they only say what is so:
    /// where their triggers match, their instances are fulfilled. To say that nothing is wrong with the program, because
    /// nothing can be executed, would help nobody.
    WhereTheyAreMet,
}

/// Whether functions with the properties that axioms and some other closed formulas ask for can give these results; why not,
/// otherwise. Unless it is to be `thorough`, functions on sets are enough of an answer, where they have these properties.
pub fn admit(program: &Program, supposed: &[Term], table: &Table, thorough: bool) -> Result<Admitted, Excluded> {
    let limits = Limits { deadline: Some(Instant::now() + MOST_TIME), ..Limits::default() };
    let said = if supposed.is_empty() { algebra::admits(&program.axioms, table, &limits) } else { Said::Nothing };
    let excluded = match said {
        Said::Yes => return Ok(Admitted::Wholly),
        Said::Not(rows) if !thorough => return Err(Excluded { why: CONTRADICTED.to_string(), rows }),
        Said::Not(rows) => rows,
        Said::Nothing => Vec::new(),
    };
    let definitions = Definitions::of(&program.axioms);
    let axioms = definitions.rest(&program.axioms);
    let rows: Vec<Term> = table.iter().map(equation).chain(supposed.iter().copied()).collect();
    let mut smt = Z3::new(Profile::Incremental);
    smt.set_limits(limits.clone());
    axioms.iter().for_each(|axiom| smt.assert(*axiom));
    smt.push();
    rows.iter().for_each(|row| smt.assert(definitions.unfold(*row)));
    match smt.check() {
        Answer::Sat => Ok(Admitted::Wholly),
        Answer::Unsat => {
            smt.pop();
            if smt.check() != Answer::Unsat {
                return Err(Excluded { why: CONTRADICTED.to_string(), rows: excluded });
            }
            let mut matching = Z3::new(Profile::Triggers);
            matching.set_limits(limits);
            program.axioms.iter().chain(&rows).for_each(|formula| matching.assert(*formula));
            match matching.check() {
                Answer::Unknown(Unknown::Incomplete(_)) if matching.has_candidate() => Ok(Admitted::WhereTheyAreMet),
                _ => Err(Excluded::because("the axioms contradict each other")),
            }
        }
        Answer::Unknown(why) => {
            let why = format!("the axioms could not be shown to allow the execution: {why}");
            Err(Excluded { why, rows: excluded })
        }
    }
}

/// Axioms of a program that contradict each other are found soon, as a rule.
const MOST_TIME_ALONE: Duration = Duration::from_millis(500);

/// Whether it is seen soon that no functions have the properties that quantified axioms ask for.
pub fn contradict_each_other(program: &Program) -> bool {
    let is_quantified = |axiom: &Term| post_order([*axiom]).iter().any(|part| !bound(*part).is_empty());
    if !program.axioms.iter().any(is_quantified) {
        return false;
    }
    let mut smt = Z3::new(Profile::Incremental);
    smt.set_limits(Limits { deadline: Some(Instant::now() + MOST_TIME_ALONE), ..Limits::default() });
    Definitions::of(&program.axioms).rest(&program.axioms).iter().for_each(|axiom| smt.assert(*axiom));
    smt.check().is_unsat()
}

/// Functions that an axiom defines: for all arguments the function gives the value of a term without it. There is exactly
/// one such function, so wherever it is applied the term can be written, and the axiom is fulfilled.
#[derive(Default)]
struct Definitions {
    of: BTreeMap<Function, (Vec<Term>, Term)>,
    axioms: BTreeSet<Term>,
}

impl Definitions {
    /// One function after the other is defined by others that are not defined yet.
    fn of(axioms: &[Term]) -> Definitions {
        let mut found = Definitions::default();
        for axiom in axioms {
            let (Op::Forall(variables), [body, ..]) = (axiom.op(), axiom.args()) else { continue };
            let (Op::Eq, [one, other]) = (body.op(), body.args()) else { continue };
            let define = |applied: &Term, value: &Term| {
                let Op::Apply(function) = applied.op() else { return None };
                let are_all =
                    applied.args().len() == variables.len() && variables.iter().all(|v| applied.args().contains(v));
                let value = found.unfold(*value);
                let is_in = |part: &Term| matches!(part.op(), Op::Apply(other) if other == function);
                let is_new = !found.of.contains_key(function) && !post_order([value]).iter().any(is_in);
                (are_all && is_new).then(|| (function.clone(), (applied.args().to_vec(), value)))
            };
            if let Some((function, meaning)) = define(one, other).or_else(|| define(other, one)) {
                let single = Definitions { of: BTreeMap::from([(function, meaning)]), axioms: BTreeSet::new() };
                found.of.values_mut().for_each(|(_, value)| *value = single.unfold(*value));
                found.of.extend(single.of);
                found.axioms.insert(*axiom);
            }
        }
        found
    }

    /// The other axioms, without what is defined.
    fn rest(&self, axioms: &[Term]) -> Vec<Term> {
        axioms.iter().filter(|axiom| !self.axioms.contains(axiom)).map(|axiom| self.unfold(*axiom)).collect()
    }

    /// A term with the values of functions that are defined.
    fn unfold(&self, term: Term) -> Term {
        let mut done: BTreeMap<Term, Term> = BTreeMap::new();
        for part in post_order([term]) {
            let arguments: Vec<Term> = part.args().iter().map(|argument| done[argument]).collect();
            let new = match part.op() {
                Op::Apply(function) if self.of.contains_key(function) => {
                    let (parameters, value) = &self.of[function];
                    let given = |variable| Some(arguments[parameters.iter().position(|p| *p == variable)?]);
                    substitute(*value, given)
                }
                _ if arguments == part.args() => part,
                // Triggers are for where functions are applied.
                op @ (Op::Forall(_) | Op::Exists(_)) if arguments[1..] != part.args()[1..] => make(op, &arguments[..1]),
                op => make(op, &arguments),
            };
            done.insert(part, new);
        }
        done[&term]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(axiom: &str, argument: i64, result: i64, expected: Result<Admitted, &str>) {
        let text = format!(
            "function f(int): int\naxiom {axiom}\nprocedure main() {{\nlocal x: int\nentry -> exit: assume (= x (f x))\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let int = |n: i64| Value::Int(n.into());
        let function = Function { name: "f".into(), parameters: vec![term::Sort::int()], result: term::Sort::int() };
        let table = Table::from([((function, vec![int(argument)]), int(result))]);
        match (admit(&program, &[], &table, true), expected) {
            (Ok(found), Ok(expected)) if found == expected => {}
            (Err(excluded), Err(expected)) if excluded.why.starts_with(expected) => {}
            (admitted, expected) => panic!("{admitted:?}, not {expected:?}"),
        }
    }

    #[test]
    fn only_what_functions_with_the_axioms_properties_give_is_admitted() {
        let positive = "(forall ((x Int)) (! (<= 0 (f x)) :pattern ((f x))))";
        check(positive, 3, 4, Ok(Admitted::Wholly));
        check(positive, 3, -1, Err("the axioms contradict what functions give"));
        let hidden = "(forall ((x Int)) (! (= (f (f x)) (+ x 1)) :pattern ((f (f (f x))))))";
        let both = "(forall ((x Int)) (! (and (<= 0 (f x)) (< (f x) 0)) :pattern ((f x))))";
        check(both, 3, 4, Err("the axioms contradict each other"));
        // No trigger fits, but no such function exists: f(f(3)) is 4, so f(4) = f(f(f(3))) is f(3) + 1.
        check(hidden, 3, 3, Err("the axioms"));
        // No function has this property at 0, which does not matter at 3.
        let rounded = "(forall ((x Int)) (! (and (<= (* x (f x)) 9) (< 9 (* x (+ (f x) 1)))) :pattern ((f x))))";
        check(rounded, 3, 3, Ok(Admitted::WhereTheyAreMet));
        check(rounded, 3, 2, Err("the axioms contradict each other"));
    }

    #[test]
    fn definitions_are_unfolded() {
        let twice = "(forall ((x Int)) (! (= (f x) (+ x x)) :pattern ((f x))))";
        check(twice, 3, 6, Ok(Admitted::Wholly));
        check(twice, 3, 7, Err("the axioms contradict what functions give"));
    }
}
