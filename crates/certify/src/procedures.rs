//! Formulas for the locations of all procedures of a program with calls: each edge carries them on, and each call.
//!
//! What is not said of a location is true there. A call demands the formula of its callee's entry, of the arguments;
//! behind it holds that of the callee's exit, of the results, and what was known of variables that the callee cannot
//! change. So the formulas are inductive over all executions, however deep calls are nested (Floyd and Hoare, with
//! calls as Hoare's rule of adaptation has it).
//!
//! Formulas may relate values to those that parameters and globals had when the procedure was entered, which have the
//! instance [`ENTERED`]. At a procedure's entry they are the current ones; a call gives them the values of arguments
//! and globals in front of it. So the formula of an exit can be a summary: what the procedure makes of what it was
//! given.

use crate::edges::{about, beyond_ranges, conjuncts, demanded};
use crate::invariants::{Formulas, Questions, Rejected, is_bad};
use engine::Invariant;
use ir::{Cfa, Edge, LocId, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::build::{and, falsehood, not, truth};
use term::free::Free;
use term::subst::substitute;
use term::visit::{bottom_up, bound, post_order};
use term::{Op as TermOp, SortKind, Term};

/// The copies of variables that formulas may speak of beside the variables themselves: values at the procedure's entry.
const ENTERED: u32 = 1;
/// The copies that a question speaks of: any value, a callee's, and that before a call. None of them is what an edge
/// chooses ([`crate::edges`]).
const ANY: u32 = 2;
const CALLEE: u32 = 3;
const EARLIER: u32 = 4;

/// Checks that formulas hold wherever they are said to, and that no error location can be reached.
pub fn check(program: &Program, invariants: &[Invariant], questions: &Questions<'_>) -> Result<(), Rejected> {
    let mut formulas: Vec<Formulas> = vec![Formulas::default(); program.procedures.len()];
    for Invariant { procedure, location, formula } in invariants {
        about_entries(program, *procedure, *formula)?;
        let known = formulas[procedure.0 as usize].entry(*location).or_insert(truth());
        *known = and([*known, *formula]);
    }
    let (changed, free, opaque) = (changed(program), Free::new(), FxHashMap::default());
    let mut check = Check { program, formulas, changed, questions, free, opaque };
    let Ok(entry) = &program.procedure(program.entry).body else {
        return Err(Rejected::NotComplete("the entry has no body".into()));
    };
    let current = |variable: Term| is_entered(variable).then(|| variable.at_instance(0));
    let initial = substitute(check.at(program.entry, entry.entry()), current);
    if initial != truth() && !check.contradict(&[not(initial)])? {
        return Err(Rejected::NotInitial);
    }
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else { continue };
        for (location, data) in cfa.locations() {
            let formula = check.at(id, location);
            if is_bad(data.kind) && formula != falsehood() && !check.contradict(&[formula])? {
                return Err(Rejected::NotComplete("the invariant of an error location can hold".into()));
            }
        }
        check.procedure(id, cfa)?;
    }
    Ok(())
}

struct Check<'a> {
    program: &'a Program,
    formulas: Vec<Formulas>,
    /// For each procedure the globals that a call of it may change.
    changed: Vec<FxHashSet<Term>>,
    questions: &'a Questions<'a>,
    free: Free,
    /// Variables in the place of what is read of memory.
    opaque: FxHashMap<Term, Term>,
}

impl Check<'_> {
    fn at(&self, procedure: ProcId, location: LocId) -> Term {
        self.formulas[procedure.0 as usize].get(&location).copied().unwrap_or(truth())
    }

    /// Whether formulas have no model together, whatever memory holds.
    fn contradict(&mut self, formulas: &[Term]) -> Result<bool, Rejected> {
        let formulas: Vec<Term> = formulas.iter().map(|formula| without_memory(*formula, &mut self.opaque)).collect();
        self.questions.contradict(&formulas)
    }

    fn procedure(&mut self, id: ProcId, cfa: &Cfa) -> Result<(), Rejected> {
        let mut known: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
        for (_, edge) in cfa.edges() {
            let (before, after) = (self.at(id, edge.from), self.at(id, edge.to));
            if before == falsehood() {
                continue;
            }
            let known = known.entry(before).or_insert_with(|| conjuncts(before).into_iter().collect());
            let not_inductive = Rejected::NotInductive { from: edge.from, to: edge.to };
            let holds = match &edge.op {
                Op::Call { procedure: callee, arguments, results } => match &self.program.procedure(*callee).body {
                    Ok(body) => self.call(known, *callee, body, arguments, results, after)?,
                    // It returns anything.
                    Err(_) => {
                        let havoc = Edge { op: Op::Havoc(results.clone()), ..edge.clone() };
                        self.edge(before, known, &havoc, after)?
                    }
                },
                _ => self.edge(before, known, edge, after)?,
            };
            if !holds {
                return Err(not_inductive);
            }
        }
        Ok(())
    }

    fn edge(&mut self, before: Term, known: &FxHashSet<Term>, edge: &Edge, after: Term) -> Result<bool, Rejected> {
        let (guard, open) = demanded(edge, known, after, &mut self.free)?;
        let open = beyond_ranges(known, guard, open, &mut self.free);
        if open.is_empty() {
            return Ok(true);
        }
        let question = [guard, not(and(open))];
        let mut near = about(known, &question, &mut self.free);
        near.extend(question);
        Ok(self.contradict(&near)? || self.contradict(&[before, question[0], question[1]])?)
    }

    /// Whether what is known before a call is what the callee wants, and what is said behind it follows.
    fn call(
        &mut self,
        known: &FxHashSet<Term>,
        callee: ProcId,
        body: &Cfa,
        arguments: &[Term],
        results: &[Term],
        after: Term,
    ) -> Result<bool, Rejected> {
        let declared = self.program.procedure(callee);
        let globals: FxHashSet<Term> = self.program.globals.iter().map(|global| global.term).collect();
        let parameters: FxHashMap<Term, Term> =
            declared.parameters.iter().map(|parameter| parameter.term).zip(arguments.iter().copied()).collect();
        // At the entry, the values at the entry are the current ones.
        let at_entry = |variable: Term| match parameters.get(&variable.at_instance(0)) {
            Some(argument) => Some(*argument),
            None if globals.contains(&variable.at_instance(0)) => Some(variable.at_instance(0)),
            None => Some(variable.at_instance(ANY)),
        };
        let wanted = conjuncts(self.at(callee, body.entry())).into_iter().map(|part| substitute(part, at_entry));
        let open: Vec<Term> = wanted.filter(|part| *part != truth() && !known.contains(part)).collect();
        if !open.is_empty() && !self.follows(known, &[], and(open))? {
            return Ok(false);
        }
        let changed = &self.changed[callee.0 as usize];
        let before = |variable: Term| changed.contains(&variable).then(|| variable.at_instance(EARLIER));
        let earlier = |part: &Term| substitute(*part, before);
        // The callee's own variables, what it was given, and what globals were before it changed them.
        let own_copy = |variable: Term| {
            let of_program = variable.at_instance(0);
            match (is_entered(variable), parameters.get(&of_program)) {
                (true, Some(argument)) => Some(earlier(argument)),
                (true, None) => Some(earlier(&of_program)),
                (false, _) if globals.contains(&variable) => None,
                (false, _) => Some(variable.at_instance(CALLEE)),
            }
        };
        let returned = substitute(self.at(callee, body.exit()), own_copy);
        if returned == falsehood() {
            return Ok(true);
        }
        let kept: FxHashSet<Term> = known.iter().map(earlier).collect();
        let own = declared.results.iter().map(|result| result.term.at_instance(CALLEE));
        let targets: FxHashMap<Term, Term> = results.iter().copied().zip(own).collect();
        let told: FxHashSet<Term> = conjuncts(returned).into_iter().collect();
        let demanded = conjuncts(after).into_iter().map(|part| substitute(part, |v| targets.get(&v).copied()));
        let open: Vec<Term> =
            demanded.filter(|part| *part != truth() && !kept.contains(part) && !told.contains(part)).collect();
        if open.is_empty() {
            return Ok(true);
        }
        let told: Vec<Term> = told.into_iter().collect();
        self.follows(&kept, &told, and(open))
    }

    /// Whether a formula follows from what is known, first from what is known of its variables.
    fn follows(&mut self, known: &FxHashSet<Term>, told: &[Term], formula: Term) -> Result<bool, Rejected> {
        let refuted = not(formula);
        let question: Vec<Term> = told.iter().copied().chain([refuted]).collect();
        let mut near = about(known, &question, &mut self.free);
        near.extend(&question);
        let all: Vec<Term> = known.iter().copied().chain(question).collect();
        Ok(self.contradict(&near)? || self.contradict(&all)?)
    }
}

/// Whether a variable is the value that it had when the procedure was entered.
fn is_entered(variable: Term) -> bool {
    variable.at_instance(ENTERED) == variable
}

/// Whether a formula speaks of variables of the procedure, and of parameters and globals when it was entered; of
/// nothing else.
fn about_entries(program: &Program, procedure: ProcId, formula: Term) -> Result<(), Rejected> {
    let declared = program.procedure(procedure);
    let given = || program.globals.iter().chain(&declared.parameters);
    let has = |variable: Term| match (is_entered(variable), variable.at_instance(0)) {
        (true, of_program) => given().any(|known| known.term == of_program),
        (false, of_program) => {
            variable == of_program
                && given().chain(&declared.results).chain(&declared.locals).any(|v| v.term == variable)
        }
    };
    match term::free::variables([formula]).into_iter().all(has) {
        true => Ok(()),
        false => Err(Rejected::NotComplete("an invariant is about a variable that its procedure does not have".into())),
    }
}

/// A formula with a variable in the place of each part that is computed from memory: it may be anything.
fn without_memory(formula: Term, opaque: &mut FxHashMap<Term, Term>) -> Term {
    // What depends on a bound variable is no one value.
    if post_order([formula]).iter().any(|part| !bound(*part).is_empty()) {
        return formula;
    }
    bottom_up(formula, opaque, |term, memo| {
        let reads = |argument: &Term| matches!(argument.sort().kind(), SortKind::Memory(_));
        if term.args().iter().any(reads) || matches!(term.op(), TermOp::ObjectAt) {
            return Term::var(format!("$read{}", memo.len()).as_str(), term.sort());
        }
        if term.args().is_empty() {
            return term;
        }
        let arguments: Vec<Term> = term.args().iter().map(|argument| memo[argument]).collect();
        if arguments == term.args() { term } else { term::build::make(term.op(), &arguments) }
    })
}

/// For each procedure the globals that it, or what it calls, may change.
fn changed(program: &Program) -> Vec<FxHashSet<Term>> {
    let globals: FxHashSet<Term> = program.globals.iter().map(|global| global.term).collect();
    let mut changed: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); program.procedures.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.procedures.len()];
    for (id, procedure) in program.procedures() {
        for (_, edge) in procedure.body.iter().flat_map(Cfa::edges) {
            changed[id.0 as usize].extend(edge.op.writes().into_iter().filter(|variable| globals.contains(variable)));
            if let Op::Call { procedure: callee, .. } = edge.op {
                callers[callee.0 as usize].push(id.0 as usize);
            }
        }
    }
    let mut pending: Vec<usize> = (0..changed.len()).collect();
    while let Some(callee) = pending.pop() {
        for caller in callers[callee].clone() {
            let before = changed[caller].len();
            let new = changed[callee].clone();
            changed[caller].extend(new);
            if changed[caller].len() > before {
                pending.push(caller);
            }
        }
    }
    changed
}
