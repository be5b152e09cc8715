//! The abstraction of linear programs with arrays (Section 2): some elements of arrays as variables, all others `u`.
//!
//! With tracked indices k_1, ..., k_n of an array `a`, `a[e]` is `(e == k_1 ? a_k1 : ... : u)`, and an assignment
//! `a[e1] = e2` is the parallel assignment of `(e1 == k ? e2 : a_k)` to each a_k. Slip of the paper: line 1 of P1 in
//! Figure 1 does not follow this rule.
//!
//! What is read of an array that was just written is read of the written value, so that a statement may do both.

use crate::expression::undefined;
use crate::program::{Body, LinearProgram, Scope, Statement};
use analysis::live::Live;
use dashu::integer::IBig;
use ir::{Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use term::build::{eq, int, ite, make};
use term::{Op as TermOp, Sort, SortKind, Term, Value};

/// The indices that are tracked of each array.
pub type Elements = BTreeMap<Term, BTreeSet<IBig>>;

/// The variable that stands for an element of an array.
pub fn element(array: Term, index: &IBig) -> Option<Term> {
    let SortKind::Array(_, sort) = array.sort().kind() else { return None };
    Some(Term::var(format!("{}[{index}]", array.name()?).as_str(), *sort))
}

/// Whether elements of an array can be tracked.
pub fn is_trackable(sort: Sort) -> bool {
    match sort.kind() {
        SortKind::Array(index, element) => *index == Sort::int() && is_scalar(*element),
        _ => false,
    }
}

/// Whether a variable of a sort is in valuations.
pub fn is_scalar(sort: Sort) -> bool {
    sort == Sort::int() || sort.is_bool()
}

/// Makes terms without arrays.
pub struct Abstraction<'a> {
    elements: &'a Elements,
    known: FxHashMap<Term, Term>,
    occurrences: u32,
}

impl<'a> Abstraction<'a> {
    pub fn new(elements: &'a Elements) -> Abstraction<'a> {
        Abstraction { elements, known: FxHashMap::default(), occurrences: 0 }
    }

    fn undefined(&mut self, sort: Sort) -> Term {
        self.occurrences += 1;
        undefined(sort, self.occurrences)
    }

    /// A number or condition without arrays.
    pub fn term(&mut self, term: Term) -> Term {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let new = match (term.op(), term.args()) {
            (TermOp::Select, [array, index]) if is_trackable(array.sort()) => {
                let index = self.term(*index);
                self.read(*array, index, term.sort())
            }
            (_, args) if args.iter().any(|arg| matches!(arg.sort().kind(), SortKind::Array(..))) => {
                self.undefined(term.sort())
            }
            (TermOp::Forall(_) | TermOp::Exists(_) | TermOp::Lambda(_), _) => self.undefined(term.sort()),
            (_, []) => term,
            (op, args) => {
                let new: Vec<Term> = args.iter().map(|arg| self.term(*arg)).collect();
                if new == args { term } else { make(op, &new) }
            }
        };
        self.known.insert(term, new);
        new
    }

    /// The element of an array at an index that has no arrays itself.
    fn read(&mut self, array: Term, index: Term, sort: Sort) -> Term {
        match (array.op(), array.args()) {
            (TermOp::Store, [before, at, value]) => {
                let (at, value) = (self.term(*at), self.term(*value));
                let rest = self.read(*before, index, sort);
                ite(eq(index, at), value, rest)
            }
            (TermOp::Ite, [condition, a, b]) => {
                let condition = self.term(*condition);
                let (a, b) = (self.read(*a, index, sort), self.read(*b, index, sort));
                ite(condition, a, b)
            }
            (TermOp::ConstArray(_), [value]) => self.term(*value),
            (TermOp::Const(Value::Array(_)), _) => match index.value() {
                Some(_) => term::build::select(array, index),
                None => self.cases_of_constant(array, index, sort),
            },
            (TermOp::Var { .. }, _) => {
                let tracked = self.elements.get(&array);
                let mut rest = None;
                for k in tracked.into_iter().flatten().rev() {
                    let is = eq(index, int(k.clone()));
                    let Some(variable) = element(array, k) else { continue };
                    rest = Some(match (is.as_bool(), rest) {
                        (Some(true), _) => variable,
                        (Some(false), rest) => match rest {
                            Some(rest) => rest,
                            None => continue,
                        },
                        (None, rest) => {
                            let rest = rest.unwrap_or_else(|| self.undefined(sort));
                            ite(is, variable, rest)
                        }
                    });
                }
                rest.unwrap_or_else(|| self.undefined(sort))
            }
            _ => self.undefined(sort),
        }
    }

    /// An element of a constant array at an index that is not constant.
    fn cases_of_constant(&mut self, array: Term, index: Term, sort: Sort) -> Term {
        let Some(Value::Array(values)) = array.value() else { return self.undefined(sort) };
        let default = Term::constant(values.default.clone());
        values.entries.iter().fold(default, |rest, (at, value)| {
            ite(eq(index, Term::constant(at.clone())), Term::constant(value.clone()), rest)
        })
    }

    /// The parallel assignment that an operation's assignments become.
    pub fn assignments(&mut self, pairs: &[(Term, Term)]) -> Vec<(Term, Term)> {
        let mut new = Vec::new();
        for (variable, value) in pairs {
            if is_scalar(variable.sort()) {
                new.push((*variable, self.term(*value)));
            } else if let Some(tracked) = self.elements.get(variable) {
                for k in tracked {
                    let Some(place) = element(*variable, k) else { continue };
                    let value = self.read(*value, int(k.clone()), place.sort());
                    if value != place {
                        new.push((place, value));
                    }
                }
            }
        }
        new
    }

    /// The tracked elements of an array, or the variable itself if it is in valuations.
    pub fn variables(&self, variable: Term) -> Vec<Term> {
        match self.elements.get(&variable) {
            Some(tracked) => tracked.iter().filter_map(|k| element(variable, k)).collect(),
            None if is_scalar(variable.sort()) => vec![variable],
            None => Vec::new(),
        }
    }
}

/// The generalised linear program that tracks these elements.
pub fn linear_program(program: &Program, elements: &Elements) -> LinearProgram {
    let mut arrays: FxHashMap<Term, Term> = FxHashMap::default();
    for (array, tracked) in elements {
        arrays.extend(tracked.iter().filter_map(|k| Some((element(*array, k)?, *array))));
    }
    let callees: FxHashSet<ProcId> = program
        .edges()
        .filter_map(|edge| if let Op::Call { procedure, .. } = &edge.op { Some(*procedure) } else { None })
        .collect();
    let mut abstraction = Abstraction::new(elements);
    let has_calls = callees.iter().any(|callee| program.procedure(*callee).body.is_ok());
    let body = |(id, procedure): (ProcId, &ir::Procedure)| {
        let cfa = procedure.body.as_ref().ok()?;
        let all = |declared: &[Variable]| -> Vec<Term> {
            declared.iter().flat_map(|variable| abstraction.variables(variable.term)).collect()
        };
        let mut scope = Scope {
            globals: all(&program.globals),
            formals: all(&procedure.parameters),
            results: all(&procedure.results),
            locals: all(&procedure.locals),
            statements: Vec::new(),
        };
        let variables = [&scope.globals[..], &scope.formals, &scope.results, &scope.locals].concat();
        let positions: FxHashMap<Term, usize> = variables.iter().enumerate().map(|(at, v)| (*v, at)).collect();
        for (_, edge) in cfa.edges() {
            scope.statements.push(statement(program, &edge.op, &mut abstraction, &positions));
        }
        let live = Live::new(program, id);
        let array = |variable: Term| arrays.get(&variable).copied().unwrap_or(variable);
        Some(Body::new(cfa, scope, &live, &array, callees.contains(&id), has_calls))
    };
    LinearProgram { bodies: program.procedures().map(body).collect() }
}

fn statement(
    program: &Program,
    op: &Op,
    abstraction: &mut Abstraction<'_>,
    positions: &FxHashMap<Term, usize>,
) -> Statement {
    let havoc = |abstraction: &mut Abstraction<'_>, variables: &[Term]| {
        let each = variables.iter().flat_map(|variable| abstraction.variables(*variable)).collect::<Vec<_>>();
        Statement::Assign(each.into_iter().map(|v| (positions[&v], abstraction.undefined(v.sort()))).collect())
    };
    match op {
        Op::Assign(pairs) => {
            let pairs = abstraction.assignments(pairs);
            match pairs.is_empty() {
                true => Statement::Skip,
                false => Statement::Assign(pairs.into_iter().map(|(v, value)| (positions[&v], value)).collect()),
            }
        }
        Op::Assume(condition) => Statement::Condition(abstraction.term(*condition)),
        Op::Havoc(variables) => havoc(abstraction, variables),
        Op::Call { procedure, results, .. } if program.procedure(*procedure).body.is_err() => {
            havoc(abstraction, results)
        }
        Op::Call { procedure, arguments, results } => {
            let callee = program.procedure(*procedure);
            let passed = |(declared, value): (&Variable, &Term)| match is_scalar(declared.sort()) {
                true => Some(abstraction.term(*value)),
                false => None,
            };
            let is_passed = |declared: &[Variable]| {
                declared.iter().all(|variable| !matches!(variable.sort().kind(), SortKind::Array(..)))
            };
            if !is_passed(&callee.parameters) || !is_passed(&callee.results) {
                return Statement::Unsupported("an array that is passed by value");
            }
            let arguments = callee.parameters.iter().zip(arguments).filter_map(passed).collect();
            // A result that is not in valuations is told to nobody.
            let told = callee.results.iter().zip(results).filter(|(declared, _)| is_scalar(declared.sort()));
            let results = told.map(|(_, to)| positions[to]).collect();
            Statement::Call { procedure: *procedure, arguments, results }
        }
        Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => Statement::Unsupported("threads"),
    }
}
