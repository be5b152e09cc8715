//! Axioms that hold in an algebra of sets.
//!
//! Preludes for C programs describe bitwise operations on integers by some of their laws. A solver does not find functions with these
//! laws by itself, but there are some: count the integers in another way, as the finite and the cofinite sets of natural numbers. Then
//! binary functions may be intersection and union, unary ones the complement, and a predicate may tell that a set has at
//! most one element. Integers are only compared for being equal, so any such way of counting will do in which the
//! integers that are named get sets with which the functions give what an execution saw.
//!
//! Here sets are bit-vectors. What is named gets a set of the first K points, or the complement of one. An instance of an axiom
//! that fails for sets of natural numbers fails for their parts in any points among which are the first K, one where the
//! sides of each equation differ that does not hold, and two of each set that has several. So it is enough to look at sets of
//! as many points.

use crate::axioms::{Row, Table, equation, flag};
use solver::{Answer, Limits, Profile, Smt, Z3};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use term::build::{bv_and, bv_sub, eq, make, not, or};
use term::subst::substitute;
use term::visit::{bound, post_order};
use term::{Function, Op, Sort, SortKind, Term, Value};

/// How many points there are.
const POINTS: u32 = 128;

/// How often the sets of what is named are chosen anew.
const MOST_CHOICES: usize = 40;

/// What a function is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Intersection,
    Union,
    Complement,
    AtMostOne,
}

/// What sets say of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// Functions on sets have the properties that quantified axioms ask for, and give these results.
    Yes,
    /// Not all of these rows are results of such functions, as the axioms are read most easily.
    Not(Vec<Row>),
    /// No reading of the axioms was found.
    Nothing,
}

/// Whether sets give functions with the properties that quantified axioms ask for, and which give these results.
pub fn admits(axioms: &[Term], table: &Table, limits: &Limits) -> Said {
    let quantified: Vec<Term> = axioms.iter().copied().filter(|a| post_order([*a]).iter().any(binds)).collect();
    let is_plain =
        |axiom: &Term| matches!(axiom.op(), Op::Forall(_)) && !post_order([axiom.args()[0]]).iter().any(binds);
    if quantified.is_empty() || !quantified.iter().all(is_plain) {
        return Said::Nothing;
    }
    let bodies = quantified.iter().map(|axiom| axiom.args()[0]);
    let functions: BTreeSet<Function> = post_order(bodies)
        .iter()
        .filter_map(|part| if let Op::Apply(f) = part.op() { Some(f.clone()) } else { None })
        .collect();
    let mut readings: Vec<BTreeMap<Function, Meaning>> = vec![BTreeMap::new()];
    for function in functions {
        let meanings = meanings(&function);
        let with = |reading: &BTreeMap<Function, Meaning>, meaning: &Meaning| {
            reading.iter().map(|(f, m)| (f.clone(), *m)).chain([(function.clone(), *meaning)]).collect()
        };
        readings = readings.iter().flat_map(|reading| meanings.iter().map(move |m| with(reading, m))).collect();
        if readings.len() > 64 {
            return Said::Nothing;
        }
    }
    // A prelude has no two names for the same, as a rule.
    readings.sort_by_key(|reading| Reverse(reading.values().collect::<BTreeSet<_>>().len()));
    let mut excluded = None;
    for meanings in readings {
        match (Algebra { meanings }).holds(&quantified, table, limits) {
            Some(None) => return Said::Yes,
            Some(Some(rows)) => excluded = excluded.or(Some(rows)),
            None => {}
        }
    }
    excluded.map_or(Said::Nothing, Said::Not)
}

fn binds(part: &Term) -> bool {
    !bound(*part).is_empty()
}

/// What a function may be.
fn meanings(function: &Function) -> &'static [Meaning] {
    let is_int = |sort: &Sort| *sort.kind() == SortKind::Int;
    match (&function.parameters[..], function.result.kind()) {
        ([one, other], SortKind::Int) if is_int(one) && is_int(other) => &[Meaning::Intersection, Meaning::Union],
        ([one], SortKind::Int) if is_int(one) => &[Meaning::Complement],
        ([one], SortKind::Bool) if is_int(one) => &[Meaning::AtMostOne],
        _ => &[],
    }
}

/// What sets integers have as a rule: zero is empty, and powers of two have one element each.
fn usual(named: &[Term]) -> Vec<Term> {
    let set = |name: &Term| {
        let integer: i128 = name.name()?.as_str().strip_prefix("set of ")?.parse().ok()?;
        let point = integer.checked_ilog2().unwrap_or(0) as usize;
        let is_usual = integer == 0 || (integer > 0 && integer.count_ones() == 1 && point < named.len());
        let set = if integer == 0 { 0 } else { 1_u128 << point.min(127) };
        is_usual.then(|| eq(*name, Term::constant(Value::bv(POINTS, set))))
    };
    named.iter().filter_map(set).collect()
}

/// The set of an integer that is named.
fn set_of(integer: impl std::fmt::Display) -> Term {
    Term::var(format!("set of {integer}").as_str(), Sort::bv(POINTS))
}

struct Algebra {
    meanings: BTreeMap<Function, Meaning>,
}

impl Algebra {
    /// The rows of a table that do not hold together with the axioms; none if all hold. `None` if this is not found out, or they
    /// speak of something else than sets.
    fn holds(&self, axioms: &[Term], table: &Table, limits: &Limits) -> Option<Option<Vec<Row>>> {
        let bodies: Vec<(&[Term], Term)> =
            axioms.iter().map(|axiom| Some((bound(*axiom), self.read(axiom.args()[0])?))).collect::<Option<_>>()?;
        let known = table.iter().filter(|((function, _), _)| self.meanings.contains_key(function));
        let read = |row: (&Row, &Value)| Some((flag(row.0), self.read(equation(row))?));
        let rows: Vec<(Term, Term)> = known.clone().map(read).collect::<Option<_>>()?;
        let all = post_order(bodies.iter().map(|(_, body)| *body).chain(rows.iter().map(|(_, row)| *row)));
        let is_name = |part: &&Term| part.name().is_some_and(|name| name.as_str().starts_with("set of "));
        let named: Vec<Term> = all.iter().filter(is_name).copied().collect();
        let points = |body: &Term| post_order([*body]).iter().filter(|part| *part.op() == Op::Eq).count() * 2;
        let needed = bodies.iter().map(|(_, body)| points(body)).max().unwrap_or(0) + named.len();
        // Two points more tell a set that has all but some from one that has at most one.
        if needed + 2 > POINTS as usize {
            return None;
        }
        let mut choice = Z3::new(Profile::Incremental);
        choice.set_limits(limits.clone());
        rows.iter().for_each(|(flag, row)| choice.assert_clause(&[not(*flag), *row]));
        let mut flags: Vec<Term> = rows.iter().map(|(flag, _)| *flag).collect();
        let usual = usual(&named);
        flags.extend(&usual);
        let beyond = Term::constant(Value::bv(POINTS, u128::MAX << named.len()));
        let empty = Term::constant(Value::bv(POINTS, 0));
        for (number, name) in named.iter().enumerate() {
            let rest = bv_and(*name, beyond);
            choice.assert(or([eq(rest, empty), eq(rest, beyond)]));
            named[..number].iter().for_each(|other| choice.assert(not(eq(*name, *other))));
        }
        for (variables, body) in &bodies {
            if let [only] = variables {
                let variable = self.read(*only)?;
                named.iter().for_each(|name| choice.assert(substitute(*body, |v| (v == variable).then_some(*name))));
            }
        }
        for _ in 0..MOST_CHOICES {
            match choice.check_assuming(&flags) {
                Answer::Sat => {}
                Answer::Unsat => {
                    let core = choice.core().to_vec();
                    if usual.iter().any(|wish| core.contains(wish)) {
                        flags.retain(|flag| !usual.contains(flag));
                        continue;
                    }
                    let rows = known.filter(|(row, _)| core.contains(&flag(row)));
                    return Some(Some(rows.map(|(row, _)| row.clone()).collect()));
                }
                Answer::Unknown(_) => return None,
            }
            let sets: BTreeMap<Term, Term> =
                named.iter().map(|name| Some((*name, Term::constant(choice.value(*name)?)))).collect::<Option<_>>()?;
            let Some(instance) = self.failing(&bodies, &sets, limits)? else { return Some(None) };
            choice.assert(instance);
        }
        None
    }

    /// An instance of an axiom that fails for these sets.
    fn failing(
        &self,
        bodies: &[(&[Term], Term)],
        sets: &BTreeMap<Term, Term>,
        limits: &Limits,
    ) -> Option<Option<Term>> {
        for (variables, body) in bodies {
            let mut smt = Z3::new(Profile::Incremental);
            smt.set_limits(limits.clone());
            smt.assert(not(substitute(*body, |variable| sets.get(&variable).copied())));
            match smt.check() {
                Answer::Unsat => {}
                Answer::Sat => {
                    let mut instance: BTreeMap<Term, Term> = BTreeMap::new();
                    for variable in *variables {
                        let variable = self.read(*variable)?;
                        let value = Term::constant(smt.value(variable)?);
                        let name = sets.iter().find(|(_, set)| **set == value).map(|(name, _)| *name);
                        instance.insert(variable, name.unwrap_or(value));
                    }
                    return Some(Some(substitute(*body, |variable| instance.get(&variable).copied())));
                }
                Answer::Unknown(_) => return None,
            }
        }
        Some(None)
    }

    /// A term of integers as one of sets.
    fn read(&self, term: Term) -> Option<Term> {
        let args: Vec<Term> = match term.op() {
            Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => return None,
            _ => term.args().iter().map(|argument| self.read(*argument)).collect::<Option<_>>()?,
        };
        match (term.op(), term.sort().kind()) {
            (Op::Const(Value::Int(integer)), _) => Some(set_of(integer)),
            (Op::Var { name, .. }, SortKind::Int) => Some(Term::var(format!("set {name}").as_str(), Sort::bv(POINTS))),
            (Op::Apply(function), _) => Some(match self.meanings.get(function)? {
                Meaning::Intersection => bv_and(args[0], args[1]),
                Meaning::Union => make(&Op::BvOr, &args),
                Meaning::Complement => make(&Op::BvNot, &args),
                Meaning::AtMostOne => {
                    let less = bv_sub(args[0], Term::constant(Value::bv(POINTS, 1)));
                    eq(bv_and(args[0], less), Term::constant(Value::bv(POINTS, 0)))
                }
            }),
            (Op::Eq | Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor | Op::Const(_), SortKind::Bool) => {
                Some(make(term.op(), &args))
            }
            (Op::Ite, _) => Some(make(term.op(), &args)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: &str = "(forall ((x Int)) (! (or (few x) (not (or (= x 0) (= x 1) (= x 2) (= x 4)))) :pattern ((few x))))\n\
        (forall ((x Int)) (! (= x (meet x x)) :pattern ((meet x x))))\n\
        (forall ((x Int)) (! (= (meet 0 x) 0) :pattern ((meet 0 x))))\n\
        (forall ((x Int) (y Int)) (! (or (= (meet x y) 0) (not (and (few x) (few y) (not (= x y))))) :pattern ((meet x y))))\n\
        (forall ((x Int) (y Int)) (! (= y (meet (join x y) y)) :pattern ((meet (join x y) y))))\n\
        (forall ((x Int) (y Int)) (! (= (meet (meet x (other y)) y) 0) :pattern ((meet x (other y)))))";

    /// Whether the laws and one more allow that a function gives something on some integers.
    fn check(another: &str, function: &str, on: &[i64], gives: i64, expected: bool) {
        let axioms: String =
            LAWS.lines().chain([another]).filter(|l| !l.is_empty()).map(|l| format!("axiom {l}\n")).collect();
        let text = format!(
            "function few(int): bool\nfunction meet(int, int): int\nfunction join(int, int): int\n\
             function other(int): int\n{axioms}procedure main() {{\nentry -> exit\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let int = |n: &i64| Value::Int((*n).into());
        let parameters = vec![Sort::int(); on.len()];
        let function = Function { name: function.into(), parameters, result: Sort::int() };
        let table = Table::from([((function, on.iter().map(int).collect()), int(&gives))]);
        assert_eq!(admits(&program.axioms, &table, &Limits::default()) == Said::Yes, expected, "{table:?}");
    }

    #[test]
    fn laws_of_sets_are_admitted_with_what_sets_give() {
        check("", "meet", &[6, 3], 2, true);
        check("", "meet", &[6, 3], 5, true);
        check("", "meet", &[1, 2], 0, true);
        // Two different sets with at most one element have none in common.
        check("", "meet", &[1, 2], 2, false);
        check("", "meet", &[0, 7], 7, false);
        // A complement of a finite set is not finite.
        check("", "other", &[2], 9, true);
        check("", "other", &[2], 1, false);
        check("(forall ((x Int)) (! (= (other x) x) :pattern ((other x))))", "meet", &[6, 3], 2, false);
        // Integers cannot be added as sets.
        check("(forall ((x Int)) (! (= (other x) (+ x 1)) :pattern ((other x))))", "meet", &[6, 3], 2, false);
    }
}
