//! Whether a Boolean program can do whatever a program can: edge by edge.
//!
//! Both have the same procedures, and the Boolean program has the same locations and edges, and more behind them: an edge may
//! begin at a location of its own, where a choice of values leads from the place where the program's edge begins. The predicates
//! speak of variables that all threads share. So a step of the program is followed by the choice and the edge, if the choice is
//! what the predicates will be: it is then shown for each edge that the Boolean globals are again what the predicates say.

use crate::invariants::Rejected;
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Smt;
use term::Term;
use term::build::{and, eq, not, or};
use term::subst::{Substitution, substitute};

fn wrong(what: &str) -> Rejected {
    Rejected::NotComplete(format!("the abstraction {what}"))
}

pub fn check(
    program: &Program,
    abstraction: &Program,
    predicates: &[(Term, Term)],
    choices: &[(Term, Term)],
    smt: &mut dyn Smt,
) -> Result<(), Rejected> {
    let shared: FxHashSet<Term> =
        program.globals.iter().filter(|global| !global.thread_local).map(|global| global.term).collect();
    let meaning: FxHashMap<Term, Term> = predicates.iter().copied().collect();
    let is_declared = abstraction.globals.iter().all(|global| meaning.contains_key(&global.term));
    let speaks_of_others = term::free::variables(meaning.values().copied()).iter().any(|v| !shared.contains(v));
    if !is_declared || speaks_of_others || meaning.len() != predicates.len() {
        return Err(wrong("has predicates about what threads do not share"));
    }
    if !program.axioms.is_empty() || abstraction.procedures.len() != program.procedures.len() {
        return Err(wrong("has other procedures"));
    }
    if abstraction.entry != program.entry {
        return Err(wrong("begins elsewhere"));
    }
    let chosen: FxHashMap<Term, Term> = choices.iter().copied().collect();
    let mut checker = Checker { meaning, chosen, smt };
    for (id, procedure) in program.procedures() {
        let (Ok(concrete), Ok(abstracted)) = (&procedure.body, &abstraction.procedure(id).body) else {
            return Err(wrong("has procedures without bodies"));
        };
        if !procedure.parameters.is_empty() || !abstraction.procedure(id).parameters.is_empty() {
            return Err(wrong("has threads with parameters"));
        }
        same_locations(concrete, abstracted)?;
        for (edge, _) in concrete.edges() {
            checker.edge(program, id, concrete, abstracted, edge)?;
        }
    }
    Ok(())
}

fn same_locations(concrete: &Cfa, abstracted: &Cfa) -> Result<(), Rejected> {
    let kinds: Vec<LocationKind> = abstracted.locations().map(|(_, location)| location.kind).collect();
    let is_same = concrete.locations().zip(&kinds).all(|((_, location), kind)| location.kind == *kind);
    let ends = (concrete.entry(), concrete.exit()) == (abstracted.entry(), abstracted.exit());
    match is_same && ends && concrete.location_count() <= kinds.len() {
        true => Ok(()),
        false => Err(wrong("has other locations")),
    }
}

struct Checker<'a> {
    meaning: FxHashMap<Term, Term>,
    /// By the local variable of a choice, the global that it is for.
    chosen: FxHashMap<Term, Term>,
    smt: &'a mut dyn Smt,
}

impl Checker<'_> {
    fn edge(&mut self, program: &Program, id: ProcId, from: &Cfa, to: &Cfa, edge: EdgeId) -> Result<(), Rejected> {
        let concrete = from.edge(edge);
        let Some((_, abstracted)) = to.edges().nth(edge.0 as usize) else { return Err(wrong("lacks an edge")) };
        let choices = choices_before(from, to, concrete.from, abstracted.from)?;
        if abstracted.to != concrete.to {
            return Err(wrong("leads elsewhere"));
        }
        match (&concrete.op, &abstracted.op) {
            (Op::AtomicBegin, Op::AtomicBegin) | (Op::AtomicEnd, Op::AtomicEnd) => Ok(()),
            (Op::Spawn { procedure: one, thread, .. }, Op::Spawn { procedure: other, .. }) => {
                let terms = self.meaning.values().copied();
                let is_read = term::free::variables(terms).contains(thread);
                if one == other && !is_read { Ok(()) } else { Err(wrong("starts another thread")) }
            }
            (Op::Assume(condition), Op::Assume(abstracted)) => {
                let claim = self.concretised(*abstracted);
                self.refute(and([*condition, not(claim)]))
            }
            (Op::Assign(pairs), abstracted) => self.update(pairs.iter().copied().collect(), &choices, abstracted),
            (Op::Havoc(variables), abstracted) => {
                let fresh = |(number, variable): (usize, &Term)| {
                    (*variable, Term::var(format!("$any{number}").as_str(), variable.sort()))
                };
                self.update(variables.iter().enumerate().map(fresh).collect(), &choices, abstracted)
            }
            _ => Err(wrong(&format!("does something else in {}", program.procedure(id).name))),
        }
    }

    /// A formula over Boolean globals as one over the program's.
    fn concretised(&self, formula: Term) -> Term {
        substitute(formula, |variable| self.meaning.get(&variable).copied())
    }

    /// That the Boolean globals are right behind an edge which writes these values.
    fn update(&mut self, written: FxHashMap<Term, Term>, choices: &[Term], abstracted: &Op) -> Result<(), Rejected> {
        let Op::Assign(pairs) = abstracted else { return Err(wrong("does not assign")) };
        let assigned: FxHashMap<Term, Term> = pairs.iter().copied().collect();
        let mut after = Substitution::new(|variable| written.get(&variable).copied());
        let next: FxHashMap<Term, Term> =
            self.meaning.iter().map(|(global, meaning)| (*global, after.apply(*meaning))).collect();
        let mut differences = Vec::new();
        for (global, meaning) in &self.meaning {
            let value = match assigned.get(global) {
                None => *meaning,
                Some(value) => {
                    let mut unknown = false;
                    let value = substitute(*value, |variable| match self.chosen.get(&variable) {
                        Some(target) if choices.contains(&variable) => next.get(target).copied(),
                        _ => {
                            let known = self.meaning.get(&variable).copied();
                            unknown |= known.is_none();
                            known
                        }
                    });
                    if unknown {
                        return Err(wrong("reads what was not chosen"));
                    }
                    value
                }
            };
            differences.push(not(eq(value, next[global])));
        }
        if assigned.keys().any(|target| !self.meaning.contains_key(target)) {
            return Err(wrong("writes what is no predicate"));
        }
        self.refute(or(differences))
    }

    fn refute(&mut self, formula: Term) -> Result<(), Rejected> {
        if let Some(constant) = formula.as_bool() {
            return if constant { Err(wrong("does less than the program")) } else { Ok(()) };
        }
        self.smt.push();
        self.smt.assert(formula);
        let answer = self.smt.check().decided();
        self.smt.pop();
        match answer {
            Ok(false) => Ok(()),
            Ok(true) => Err(wrong("does less than the program")),
            Err(why) => Err(Rejected::Undecided(why)),
        }
    }
}

/// The variables that are chosen between the place where the program's edge begins and the one where the other begins.
fn choices_before(from: &Cfa, to: &Cfa, start: LocId, begin: LocId) -> Result<Vec<Term>, Rejected> {
    if start == begin {
        return Ok(Vec::new());
    }
    if (begin.0 as usize) < from.location_count() {
        return Err(wrong("begins an edge elsewhere"));
    }
    let mut leading = to.incoming(begin).iter().map(|edge| to.edge(*edge));
    match (leading.next(), leading.next()) {
        (Some(edge), None) if edge.from == start => match &edge.op {
            Op::Havoc(variables) => Ok(variables.clone()),
            _ => Err(wrong("has an edge too many")),
        },
        _ => Err(wrong("has an edge too many")),
    }
}
