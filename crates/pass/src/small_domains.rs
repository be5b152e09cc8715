//! Small domains: machine integers that a program only copies and tests for equality need few values.
//!
//! A *class* is a set of variables between which values flow or which are compared with each other. If nothing else
//! happens to the values of a class (no arithmetic, no order, no memory), all that matters of a value is which of the
//! class's constants it is, or that it is none of them, and, where variables of the class are compared with each other, which
//! of them have the same one. So values are renamed: the n-th constant becomes n, and the others share one
//! more number, or as many as there are variables. (The small model property of equality logic, applied to
//! programs: control states, flags and handles of 32 bits become a few bits.)
//!
//! Invariant: a location is reachable exactly if it was. Every number stands for one value of its own, so an execution of the
//! new program is one of the old program under that renaming; and the numbers suffice to follow every old one.

use crate::{Lift, Passed, starts_threads};
use engine::{Invariant, Proof, Step, Trace};
use ir::{Cfa, EdgeId, Op, ProcId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use term::build::{bv, eq, ite, make};
use term::subst::substitute;
use term::visit::post_order;
use term::{Bv, Op as TermOp, Sort, Term, Value};

/// Gives the classes of a program that allow it small domains.
pub fn small_domains(program: &Program) -> Passed {
    let domains = classes(program);
    let mut rewriter = Rewriter { domains: &domains, memo: FxHashMap::default() };
    let mut small = program.clone();
    let declared = small.globals.iter_mut().chain(small.procedures.iter_mut().flat_map(|p| &mut p.locals));
    declared.for_each(|variable: &mut Variable| variable.term = rewriter.rewrite(variable.term));
    let mut havocs = FxHashMap::default();
    for (number, procedure) in small.procedures.iter_mut().enumerate() {
        let Ok(body) = &procedure.body else { continue };
        let (locations, mut edges, entry, exit) = body.clone().into_parts();
        for (edge, id) in edges.iter_mut().zip(0..) {
            match &mut edge.op {
                Op::Assign(pairs) => {
                    for (variable, value) in pairs {
                        *value = rewriter.within(*value, domains.get(variable));
                        *variable = rewriter.rewrite(*variable);
                    }
                }
                Op::Assume(condition) => *condition = rewriter.rewrite(*condition),
                Op::Havoc(variables) => {
                    let classes: Vec<Option<Arc<Domain>>> = variables.iter().map(|v| domains.get(v).cloned()).collect();
                    havocs.insert((ProcId(number as u32), EdgeId(id)), classes);
                    variables.iter_mut().for_each(|variable| *variable = rewriter.rewrite(*variable));
                }
                // Their variables keep their domains.
                Op::Call { .. } | Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => {}
            }
        }
        procedure.body = Ok(Cfa::new(locations, edges, entry, exit));
    }
    let variables = domains.iter().map(|(old, domain)| (domain.variable(*old), (*old, domain.clone()))).collect();
    Passed { program: small, lift: Arc::new(Renaming { variables, havocs }) }
}

/// The values of a class.
struct Domain {
    width: u32,
    constants: Vec<Bv>,
    /// Whether variables are compared with each other.
    compared: bool,
    /// How many bits the numbers have.
    bits: u32,
}

impl Domain {
    fn number(&self, value: Bv) -> u128 {
        self.constants.binary_search(&value).expect("the constants of a class are known") as u128
    }

    /// The value that a number stands for.
    fn value(&self, number: u128) -> Bv {
        if let Some(constant) = self.constants.get(number as usize) {
            return *constant;
        }
        // The n-th value that is no constant.
        let mut value = number - self.constants.len() as u128;
        for constant in &self.constants {
            value += u128::from(constant.unsigned() <= value);
        }
        Bv::new(self.width, value)
    }

    fn variable(&self, old: Term) -> Term {
        let TermOp::Var { name, instance, .. } = old.op() else { unreachable!("{old} is not a variable") };
        Term::new(TermOp::Var { name: *name, instance: *instance, sort: Sort::bv(self.bits) }, &[])
    }

    /// The number of a variable's value, as a term over the variable.
    fn number_of(&self, old: Term) -> Term {
        let other = bv(self.bits, self.constants.len() as u128);
        self.constants.iter().enumerate().rfold(other, |rest, (number, constant)| {
            ite(eq(old, Term::constant(Value::Bv(*constant))), bv(self.bits, number as u128), rest)
        })
    }
}

/// Terms between which values flow: a forest whose roots stand for classes.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Term, usize>,
    parents: Vec<usize>,
    opaque: FxHashSet<usize>,
    compared: FxHashSet<usize>,
    constants: Vec<(usize, Bv)>,
}

impl Classes {
    fn number(&mut self, term: Term) -> usize {
        *self.numbers.entry(term).or_insert_with(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        })
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    /// Two terms have values of one class. Whether neither is a constant.
    fn join(&mut self, a: Term, b: Term) -> bool {
        match (a.value(), b.value()) {
            (Some(_), Some(_)) => {}
            (Some(Value::Bv(constant)), None) => self.constant(b, *constant),
            (None, Some(Value::Bv(constant))) => self.constant(a, *constant),
            _ => {
                let (a, b) = (self.number(a), self.number(b));
                let (a, b) = (self.root(a), self.root(b));
                self.parents[a] = b;
                return true;
            }
        }
        false
    }

    fn constant(&mut self, term: Term, constant: Bv) {
        let number = self.number(term);
        self.constants.push((number, constant));
    }

    /// More happens to the values of a term than copies and tests.
    fn opaque(&mut self, term: Term) {
        if term.sort().bv_width().is_some() && term.value().is_none() {
            let number = self.number(term);
            self.opaque.insert(number);
        }
    }

    /// What an operator does with its arguments.
    fn operator(&mut self, term: Term) {
        let vector = |term: &Term| term.sort().bv_width().is_some();
        match (term.op(), term.args()) {
            (TermOp::Const(_) | TermOp::Var { .. }, _) => {}
            (TermOp::Ite, [_, a, b]) if vector(a) => {
                self.join(term, *a);
                self.join(term, *b);
            }
            (TermOp::Eq, [a, b]) if vector(a) => {
                if self.join(*a, *b) {
                    let number = self.number(*a);
                    self.compared.insert(number);
                }
            }
            (_, args) => {
                args.iter().for_each(|arg| self.opaque(*arg));
                self.opaque(term);
            }
        }
    }
}

/// The variables whose classes allow small domains.
fn classes(program: &Program) -> FxHashMap<Term, Arc<Domain>> {
    let mut classes = Classes::default();
    let mut terms: Vec<Term> = program.axioms.clone();
    for procedure in &program.procedures {
        let interface = procedure.parameters.iter().chain(&procedure.results);
        interface.for_each(|variable| classes.opaque(variable.term));
        for (_, edge) in procedure.body.iter().flat_map(Cfa::edges) {
            match &edge.op {
                Op::Assign(pairs) => {
                    for (variable, value) in pairs {
                        terms.push(*value);
                        if variable.sort().bv_width().is_some() {
                            classes.join(*variable, *value);
                        }
                    }
                }
                Op::Assume(condition) => terms.push(*condition),
                Op::Havoc(_) | Op::AtomicBegin | Op::AtomicEnd => {}
                Op::Call { arguments, results, .. } => {
                    terms.extend(arguments);
                    arguments.iter().chain(results).for_each(|term| classes.opaque(*term));
                }
                Op::Spawn { arguments, thread, .. } => {
                    terms.extend(arguments);
                    arguments.iter().chain([thread]).for_each(|term| classes.opaque(*term));
                }
            }
        }
    }
    // Axioms speak of all values.
    term::free::variables(program.axioms.iter().copied()).into_iter().for_each(|v| classes.opaque(v));
    post_order(terms).into_iter().for_each(|term| classes.operator(term));
    let mut variables = program.globals.iter().chain(program.procedures.iter().flat_map(|p| &p.locals));
    let mut domains = domains(&mut classes, &mut variables);
    if starts_threads(program) {
        // There are as many copies of a thread's variables as there are threads: no number of values suffices to compare them.
        let shared: FxHashSet<Term> =
            program.globals.iter().filter(|global| !global.thread_local).map(|global| global.term).collect();
        let several: Vec<Arc<Domain>> =
            domains.iter().filter(|(v, d)| d.compared && !shared.contains(v)).map(|(_, d)| d.clone()).collect();
        domains.retain(|_, domain| !several.iter().any(|other| Arc::ptr_eq(domain, other)));
    }
    domains
}

fn domains(classes: &mut Classes, variables: &mut dyn Iterator<Item = &Variable>) -> FxHashMap<Term, Arc<Domain>> {
    let mut members: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
    for variable in variables.map(|variable| variable.term).filter(|v| v.sort().bv_width().is_some()) {
        let number = classes.number(variable);
        members.entry(classes.root(number)).or_default().push(variable);
    }
    let mut constants: FxHashMap<usize, BTreeSet<Bv>> = FxHashMap::default();
    for (number, constant) in std::mem::take(&mut classes.constants) {
        constants.entry(classes.root(number)).or_default().insert(constant);
    }
    let roots = |classes: &mut Classes, numbers: FxHashSet<usize>| -> FxHashSet<usize> {
        numbers.into_iter().map(|number| classes.root(number)).collect()
    };
    let opaque = std::mem::take(&mut classes.opaque);
    let opaque = roots(classes, opaque);
    let compared = std::mem::take(&mut classes.compared);
    let compared = roots(classes, compared);

    let mut domains = FxHashMap::default();
    for (root, variables) in members.into_iter().filter(|(root, _)| !opaque.contains(root)) {
        let constants: Vec<Bv> = constants.remove(&root).unwrap_or_default().into_iter().collect();
        let others = if compared.contains(&root) { variables.len() } else { 1 };
        let numbers = constants.len() + others;
        let bits = numbers.next_power_of_two().trailing_zeros().max(1);
        let width = variables[0].sort().bv_width().expect("only vectors are members");
        if bits < width {
            let domain = Arc::new(Domain { width, constants, compared: compared.contains(&root), bits });
            domains.extend(variables.into_iter().map(|variable| (variable, domain.clone())));
        }
    }
    domains
}

/// Rewrites terms to the small domains.
struct Rewriter<'a> {
    domains: &'a FxHashMap<Term, Arc<Domain>>,
    memo: FxHashMap<Term, Term>,
}

impl Rewriter<'_> {
    /// A term whose values are of a class, if it has one with a small domain.
    fn within(&mut self, term: Term, domain: Option<&Arc<Domain>>) -> Term {
        match (domain, term.value(), term.op(), term.args()) {
            (Some(domain), Some(Value::Bv(constant)), ..) => bv(domain.bits, domain.number(*constant)),
            (Some(_), _, TermOp::Ite, [condition, a, b]) => {
                if let Some(known) = self.memo.get(&term) {
                    return *known;
                }
                let condition = self.rewrite(*condition);
                let result = ite(condition, self.within(*a, domain), self.within(*b, domain));
                self.memo.insert(term, result);
                result
            }
            _ => self.rewrite(term),
        }
    }

    /// The domain of a term's values.
    fn domain(&self, term: Term) -> Option<&Arc<Domain>> {
        match (term.op(), term.args()) {
            (TermOp::Ite, [_, a, b]) => self.domain(*a).or_else(|| self.domain(*b)),
            _ => self.domains.get(&term),
        }
    }

    fn rewrite(&mut self, term: Term) -> Term {
        if let Some(known) = self.memo.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => self.domains.get(&term).map_or(term, |domain| domain.variable(term)),
            (TermOp::Eq, [a, b]) if a.sort().bv_width().is_some() => {
                let domain = self.domain(*a).or_else(|| self.domain(*b)).cloned();
                let sides = [self.within(*a, domain.as_ref()), self.within(*b, domain.as_ref())];
                eq(sides[0], sides[1])
            }
            (TermOp::Ite, [_, a, _]) if a.sort().bv_width().is_some() => {
                let domain = self.domain(term).cloned();
                match domain {
                    Some(domain) => return self.within(term, Some(&domain)),
                    None => self.rebuilt(term),
                }
            }
            _ => self.rebuilt(term),
        };
        self.memo.insert(term, result);
        result
    }

    fn rebuilt(&mut self, term: Term) -> Term {
        let args: Vec<Term> = term.args().iter().map(|arg| self.rewrite(*arg)).collect();
        if args == term.args() { term } else { make(term.op(), &args) }
    }
}

/// The way back.
struct Renaming {
    /// By the new variable, the old one and its domain.
    variables: FxHashMap<Term, (Term, Arc<Domain>)>,
    havocs: FxHashMap<(ProcId, EdgeId), Vec<Option<Arc<Domain>>>>,
}

fn restore(domain: &Domain, value: &Value) -> Value {
    value.as_bv().map_or_else(|| value.clone(), |number| Value::Bv(domain.value(number.unsigned())))
}

impl Lift for Renaming {
    fn trace(&self, trace: Trace) -> Trace {
        // A variable that is not named starts with the number zero, which is not always the value zero.
        let named: FxHashSet<Term> = trace.initial.iter().map(|(variable, _)| *variable).collect();
        let unnamed = self.variables.iter().filter(|(new, _)| !named.contains(new));
        let unnamed = unnamed.map(|(_, (old, domain))| (*old, Value::Bv(domain.value(0))));
        let initial = trace.initial.iter().map(|(new, value)| match self.variables.get(new) {
            Some((old, domain)) => (*old, restore(domain, value)),
            None => (*new, value.clone()),
        });
        let initial = initial.chain(unnamed).collect();
        let old = |(new, value): (Term, Value)| match self.variables.get(&new) {
            Some((old, domain)) => (*old, restore(domain, &value)),
            None => (new, value),
        };
        let with_locals = |step: Step| Step { locals: step.locals.into_iter().map(old).collect(), ..step };
        let back = |step: Step| match self.havocs.get(&(step.procedure, step.edge)) {
            None => step,
            Some(domains) => {
                let values = step.values.iter().zip(domains).map(|(value, domain)| match domain {
                    Some(domain) => restore(domain, value),
                    None => value.clone(),
                });
                Step { values: values.collect(), ..step }
            }
        };
        let steps = trace.steps.into_iter().map(with_locals).map(back).collect();
        Trace { initial, steps, ..trace }
    }

    /// A proof goes back where a number is a function of the value: where variables are not compared with each other.
    fn proof(&self, proof: Proof) -> Option<Proof> {
        if self.variables.values().any(|(_, domain)| domain.compared) {
            return None;
        }
        let invariants = match proof {
            Proof::Invariants(invariants) => invariants,
            Proof::Unconnected => return Some(proof),
            _ => return None,
        };
        let back =
            |term: Term| substitute(term, |v| self.variables.get(&v).map(|(old, domain)| domain.number_of(*old)));
        let lifted = invariants.into_iter().map(|known| Invariant { formula: back(known.formula), ..known });
        Some(Proof::Invariants(lifted.collect()))
    }
}
