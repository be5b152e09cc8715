//! Predicate abstraction of a program whose variables are all shared: a Boolean program with a global for each predicate.
//!
//! An assumption becomes the strongest formula over the predicates that it implies. Where an edge changes predicates, their next
//! values are a relation of the values before. Section 3's states are functions of choices, so the relation is made one: each next
//! value is a function of the values before, of a choice of its own, and of the next values that were computed before it; it is the
//! choice wherever the relation leaves it open. The choices are made on an edge of their own, by a havoc of the thread's
//! locals, so that the change itself is one parallel assignment.
//!
//! Invariants: the Boolean program has the locations and edges of the program, and behind them those of choices. Whatever the
//! program can do, the Boolean program can do with the choices that are the next values ([`engine::Proof::Abstracted`]).

use crate::history::reason;
use engine::Reason;
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, Procedure, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{AllSmt, Smt};
use std::ops::ControlFlow;
use std::rc::Rc;
use term::build::{bool, falsehood, ite, not, truth};
use term::free::Free;
use term::subst::Substitution;
use term::{Sort, Term};

/// So many predicates before and after an edge are related with each other at most.
const MOST_RELATED: usize = 10;
/// So many of them after it.
const MOST_AFTER: usize = 5;

/// A Boolean program and what it says of the program.
pub struct Abstraction {
    pub program: Program,
    pub predicates: Vec<(Term, Term)>,
    pub choices: Vec<(Term, Term)>,
}

/// A row of a truth table; what is not told may be either.
type Row = [Option<bool>];
type Rows = Rc<Vec<Vec<Option<bool>>>>;
/// Globals and their next values, and the numbers of the predicates that need a choice.
type Update = (Vec<(Term, Term)>, Vec<usize>);
/// A predicate's number, and what it says of the values before.
type Next = (usize, Term);

pub struct Abstractor<'a> {
    program: &'a Program,
    /// Each with the global that stands for it.
    predicates: Vec<(Term, Term)>,
    smt: Box<dyn Smt>,
    free: Free,
    /// What was asked before: a condition and terms.
    tables: FxHashMap<(Term, Vec<Term>), Rows>,
}

impl<'a> Abstractor<'a> {
    pub fn new(program: &'a Program, smt: Box<dyn Smt>) -> Abstractor<'a> {
        Abstractor { program, predicates: Vec::new(), smt, free: Free::new(), tables: FxHashMap::default() }
    }

    pub fn solver(&mut self) -> &mut dyn Smt {
        self.smt.as_mut()
    }

    /// Tracks a predicate. Whether it is new.
    pub fn add(&mut self, predicate: Term) -> bool {
        let predicate = if predicate.op() == &term::Op::Not { predicate.args()[0] } else { predicate };
        let is_known = self.predicates.iter().any(|(_, known)| *known == predicate || not(*known) == predicate);
        if predicate.as_bool().is_some() || is_known {
            return false;
        }
        let name = format!("p{}", self.predicates.len());
        self.predicates.push((Term::var(name.as_str(), Sort::bool()), predicate));
        true
    }

    pub fn count(&self) -> usize {
        self.predicates.len()
    }

    /// The Boolean program for the predicates that are tracked.
    pub fn abstraction(&mut self) -> Result<Abstraction, Reason> {
        let declare = |(global, _): &(Term, Term)| Variable { term: *global, ..Variable::internal("", Sort::bool()) };
        let globals = self.predicates.iter().map(declare).collect();
        let mut choices = Vec::new();
        let mut procedures = Vec::new();
        for procedure in &self.program.procedures {
            procedures.push(self.procedure(procedure, &mut choices)?);
        }
        let program =
            Program { globals, procedures, objects: Vec::new(), functions: Vec::new(), ..self.program.clone() };
        Ok(Abstraction { program, predicates: self.predicates.clone(), choices })
    }

    fn procedure(&mut self, procedure: &Procedure, choices: &mut Vec<(Term, Term)>) -> Result<Procedure, Reason> {
        let Ok(body) = &procedure.body else {
            return Err(Reason::NotAttempted("a thread has no body".to_string()));
        };
        let (mut locations, mut edges, entry, exit) = body.clone().into_parts();
        let own = |name: &str, sort| Variable::internal(format!("{}::{name}", procedure.name).as_str(), sort);
        let mut locals: FxHashMap<Term, Variable> = FxHashMap::default();
        let mut chosen: Vec<Edge> = Vec::new();
        for edge in &mut edges {
            let written: FxHashMap<Term, Term> = match &mut edge.op {
                Op::Assume(condition) => {
                    *condition = self.guard(*condition)?;
                    continue;
                }
                Op::Spawn { thread, .. } => {
                    let number = own("thread", thread.sort());
                    *thread = number.term;
                    locals.insert(number.term, number);
                    continue;
                }
                Op::AtomicBegin | Op::AtomicEnd => continue,
                Op::Call { .. } => return Err(Reason::Internal("a call is left".to_string())),
                Op::Assign(pairs) => pairs.iter().copied().collect(),
                Op::Havoc(variables) => {
                    let any = |(number, variable): (usize, &Term)| {
                        (*variable, Term::var(format!("$any{number}").as_str(), variable.sort()))
                    };
                    variables.iter().enumerate().map(any).collect()
                }
            };
            let choice = |number: usize| own(&format!("c{number}"), Sort::bool());
            let (pairs, used) = self.update(&written, &|number| choice(number).term)?;
            edge.op = Op::Assign(pairs);
            if used.is_empty() {
                continue;
            }
            let here = LocId(locations.len() as u32);
            locations.push(Location {
                label: None,
                kind: LocationKind::Plain,
                ..locations[edge.from.0 as usize].clone()
            });
            let variables: Vec<Term> = used.iter().map(|number| choice(*number).term).collect();
            for number in used {
                choices.push((choice(number).term, self.predicates[number].0));
                locals.insert(choice(number).term, choice(number));
            }
            chosen.push(Edge { to: here, op: Op::Havoc(variables), ..edge.clone() });
            edge.from = here;
        }
        edges.extend(chosen);
        choices.sort_unstable();
        choices.dedup();
        let mut locals: Vec<Variable> = locals.into_values().collect();
        locals.sort_by_key(|local| local.term);
        let body = Ok(Cfa::new(locations, edges, entry, exit));
        Ok(Procedure { parameters: Vec::new(), results: Vec::new(), locals, body, ..procedure.clone() })
    }

    /// The numbers of predicates that share variables with terms, those that share most first.
    fn related(&mut self, terms: &[Term]) -> Vec<usize> {
        let variables: FxHashSet<Term> = term::free::variables(terms.iter().copied()).into_iter().collect();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (number, (_, predicate)) in self.predicates.iter().enumerate() {
            let shared = self.free.of(*predicate).iter().filter(|variable| variables.contains(variable)).count();
            if shared > 0 {
                found.push((shared, number));
            }
        }
        found.sort_by_key(|(shared, number)| (std::cmp::Reverse(*shared), *number));
        found.into_iter().map(|(_, number)| number).collect()
    }

    /// The strongest formula over predicates that a condition implies.
    fn guard(&mut self, condition: Term) -> Result<Term, Reason> {
        let mut related = self.related(&[condition]);
        related.truncate(MOST_RELATED);
        if related.is_empty() || condition.as_bool().is_some() {
            return Ok(bool(condition != falsehood()));
        }
        related.sort_unstable();
        let terms: Vec<Term> = related.iter().map(|number| self.predicates[*number].1).collect();
        let rows = self.table(condition, &terms)?;
        let globals: Vec<Term> = related.iter().map(|number| self.predicates[*number].0).collect();
        let rows: Vec<&Row> = rows.iter().map(Vec::as_slice).collect();
        Ok(decide(&globals, &rows, Some(falsehood()), &|_| truth()).unwrap_or_else(falsehood))
    }

    /// The next values of the predicates that change where variables are written, and the numbers of those that need a choice.
    fn update(&mut self, written: &FxHashMap<Term, Term>, choice: &dyn Fn(usize) -> Term) -> Result<Update, Reason> {
        let mut after = Substitution::new(|variable| written.get(&variable).copied());
        let (mut pairs, mut open) = (Vec::new(), Vec::new());
        let by_meaning: FxHashMap<Term, Term> = self.predicates.iter().map(|(global, p)| (*p, *global)).collect();
        for (number, (global, predicate)) in self.predicates.iter().enumerate() {
            let next = after.apply(*predicate);
            if next == *predicate {
                continue;
            }
            match (next.as_bool(), by_meaning.get(&next), by_meaning.get(&not(next))) {
                (Some(_), ..) => pairs.push((*global, next)),
                (_, Some(same), _) => pairs.push((*global, *same)),
                (_, _, Some(opposite)) => pairs.push((*global, not(*opposite))),
                _ => open.push((number, next)),
            }
        }
        let mut used = Vec::new();
        for group in groups(&open) {
            let terms: Vec<Term> = group.iter().map(|(_, next)| *next).collect();
            let mut before = self.related(&terms);
            before.truncate(MOST_RELATED - group.len());
            before.sort_unstable();
            let meanings = before.iter().map(|number| self.predicates[*number].1);
            let columns: Vec<Term> = meanings.chain(terms).collect();
            let rows = self.table(truth(), &columns)?;
            let rows: Vec<&Row> = rows.iter().map(Vec::as_slice).collect();
            let mut known: Vec<Term> = before.iter().map(|number| self.predicates[*number].0).collect();
            for (number, _) in group {
                let own = choice(number);
                let column = known.len();
                let value = decide(&known, &rows, None, &|rows| {
                    let may = |value: bool| rows.iter().any(|row| row[column] != Some(!value));
                    match (may(true), may(false)) {
                        (true, true) => own,
                        (holds, _) => bool(holds),
                    }
                });
                let value = value.unwrap_or(own);
                if self.free.of(value).contains(&own) {
                    used.push(number);
                }
                known.push(value);
                pairs.push((self.predicates[number].0, value));
            }
        }
        // A value may depend on a choice that an earlier one made.
        used.sort_unstable();
        Ok((pairs, used))
    }

    /// All values that terms can have together where a condition holds.
    fn table(&mut self, condition: Term, terms: &[Term]) -> Result<Rows, Reason> {
        let key = (condition, terms.to_vec());
        if let Some(known) = self.tables.get(&key) {
            return Ok(known.clone());
        }
        let mut rows = Vec::new();
        self.smt.push();
        self.smt.assert(condition);
        let all = AllSmt::new(terms).run(self.smt.as_mut(), &mut |cube| {
            rows.push(cube.to_vec());
            ControlFlow::Continue(())
        });
        self.smt.pop();
        all.map_err(reason)?;
        let rows = Rc::new(rows);
        self.tables.insert(key, rows.clone());
        Ok(rows)
    }
}

/// Predicates that change together, as far as they share variables and are few.
fn groups(open: &[Next]) -> Vec<Vec<Next>> {
    let mut groups: Vec<(FxHashSet<Term>, Vec<Next>)> = Vec::new();
    for (number, next) in open {
        let variables: FxHashSet<Term> = term::free::variables([*next]).into_iter().collect();
        match groups.iter_mut().find(|(others, group)| !others.is_disjoint(&variables) && group.len() < MOST_AFTER) {
            Some((others, group)) => {
                others.extend(variables);
                group.push((*number, *next));
            }
            None => groups.push((variables, vec![(*number, *next)])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What is decided where the values of all terms are.
type Leaf<'a> = &'a dyn Fn(&[&Row]) -> Term;

/// A decision by the values of Boolean terms, which stand for the first columns; `empty` where there is no row.
fn decide(terms: &[Term], rows: &[&Row], empty: Option<Term>, leaf: Leaf) -> Option<Term> {
    decide_from(terms, rows, 0, empty, leaf)
}

fn decide_from(terms: &[Term], rows: &[&Row], column: usize, empty: Option<Term>, leaf: Leaf) -> Option<Term> {
    if rows.is_empty() {
        return empty;
    }
    let Some(term) = terms.get(column) else { return Some(leaf(rows)) };
    let side = |value: bool| {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| row[column] != Some(!value)).collect();
        decide_from(terms, &rows, column + 1, empty, leaf)
    };
    match (side(true), side(false)) {
        (Some(yes), Some(no)) => Some(if yes == no { yes } else { ite(*term, yes, no) }),
        (yes, no) => yes.or(no),
    }
}
