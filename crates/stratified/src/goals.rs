//! Summaries on demand: whether a procedure can end as its callers need it.
//!
//! A [`Goal`] is a procedure, the way in which it ends, and a cube: what is asked of the values at its entry and at its exit, in terms of
//! [`Atoms`]. It is looked at in the procedure's own solver, which knows its condition, and of its calls what was learnt so far. If
//! there is no execution, the part of the cube that is to blame becomes a lemma of the procedure. Otherwise the calls on the
//! execution become goals themselves, as the model has them. If one of them cannot be met, its lemma excludes the execution, and
//! another one is looked for. If all are met, so is the goal.
//!
//! So questions are small: each is about one body. The lemmas are summaries; if the entry's failure cannot be met, they are
//! a proof. That a goal is met means only that there is an execution by the atoms: [`crate::confirm`] looks whether it can be taken.
//!
//! A goal that comes up again below itself is met only if it is met with fewer calls inside. So it is supposed that it is not: what
//! depends on this *hypothesis* has its flag, and holds for good as soon as the goal is found to be unreachable.

use crate::atoms::{Atoms, Seed, is_flag, own_values, without_not};
use crate::facts::Facts;
use crate::inlining::{Inlining, callee_values};
use crate::path::{Through, through};
use crate::solvers::{Make, functions};
use crate::vc::{Template, flag};
use engine::Reason;
use ir::ProcId;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Smt, Unknown};
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::build::{and, falsehood, not, or, truth};
use term::free::{Free, variables};
use term::subst::{Substitution, substitute};
use term::{Function, Op as TermOp, Term, Value};

/// How a procedure ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Returns,
    Fails,
}

/// What a procedure is to do: literals over values at its exit and at its entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Goal {
    procedure: ProcId,
    end: End,
    cube: Vec<Term>,
}

/// An execution of a procedure by the atoms: how its calls go on.
pub struct Execution {
    /// The flags of the way through the body, as its template has them.
    pub flags: Vec<Term>,
    /// The calls, by number of the template's site, the last one first.
    pub calls: Vec<(usize, Rc<Execution>)>,
    /// The literals of the goal about the entry that it depends on.
    needs: Vec<Term>,
}

impl Execution {
    pub fn new(flags: Vec<Term>, calls: Vec<(usize, Rc<Execution>)>) -> Execution {
        Execution { flags, calls, needs: Vec::new() }
    }
}

/// A call on the way, and the literals that hold there of the callee's entry and exit.
struct Called {
    number: usize,
    callee: ProcId,
    end: End,
    entry: Vec<Term>,
    exit: Vec<Term>,
}

/// What was met: the literals about the exit, and the execution.
type Met = (Vec<Term>, Rc<Execution>);

/// A way through a body: its flags, and its calls.
type Way = (Vec<Term>, Vec<Called>);

/// A literal of a goal, and what it is in the body.
type Asked = (Term, Term);

/// What is assumed with some of the literals.
type Assumptions<'a> = &'a dyn Fn(&[Asked]) -> Vec<Term>;

/// A disjunction that holds of a procedure's ends, where these hypotheses hold.
#[derive(Clone)]
struct Lemma {
    end: End,
    literals: Vec<Term>,
    hypotheses: Vec<Term>,
}

/// Why there is no answer.
pub enum Stop {
    Reason(Reason),
    /// It does not go on, because of this.
    GivenUp(&'static str),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Reason(reason)
    }
}

/// A goal that is being looked at.
struct Open {
    goal: Goal,
    hypothesis: Option<Term>,
}

/// A procedure's solver.
struct Body {
    template: Rc<Template>,
    smt: Box<dyn Smt>,
    own: FxHashMap<Term, Term>,
    /// What the variables of callees are, by call, and how many of their lemmas are known here.
    sites: Vec<(FxHashMap<Term, Term>, usize)>,
    /// How many of the clauses about hypotheses are known here.
    implications: usize,
    /// The variables that are looked at where a flag holds.
    conditions: FxHashMap<Term, Vec<Term>>,
    /// The functions whose axioms are known here.
    functions: FxHashSet<&'static Function>,
}

/// The variables of a body that a way through it looks at.
struct LookedAt<'t> {
    template: &'t Template,
    /// The flags of the way.
    on_way: &'t FxHashSet<Term>,
    variables: FxHashSet<Term>,
}

impl LookedAt<'_> {
    fn add(&mut self, variable: Term) {
        let mut pending = vec![variable];
        while let Some(variable) = pending.pop() {
            if self.variables.insert(variable) {
                let ways = self.template.joints.get(&variable).into_iter().flatten();
                let taken = ways.filter(|(flag, _)| self.on_way.contains(flag));
                pending.extend(taken.flat_map(|(_, value)| variables([*value])));
            }
        }
    }
}

/// The variables that a body looks at, by the flag of the place.
fn conditions(template: &Template) -> FxHashMap<Term, Vec<Term>> {
    let mut found: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for clause in &template.clauses {
        let joins = |joint: &Term, value: &Term| {
            template.joints.get(joint).is_some_and(|ways| ways.iter().any(|(_, known)| known == value))
        };
        let sides = clause.last().map(|literal| literal.args()).unwrap_or_default();
        if matches!(sides, [one, other] if joins(one, other) || joins(other, one)) {
            continue;
        }
        let (flags, looked_at): (Vec<Term>, Vec<Term>) =
            variables(clause.iter().copied()).into_iter().partition(|variable| is_flag(*variable));
        for flag in flags {
            found.entry(flag).or_default().extend(&looked_at);
        }
    }
    found
}

/// Where a model is no execution.
const NOWHERE: &str = "a model leads nowhere";

/// So many goals may be open around one.
const DEEPEST: usize = 400;

/// More questions than this are not asked.
const MOST_QUESTIONS: u64 = 200_000;

/// Meets goals.
pub struct Goals<'g, 'a> {
    pub inlining: &'g mut Inlining<'a>,
    atoms: Atoms,
    pub facts: Facts,
    make: Make<'g>,
    /// The functions that axioms are about.
    axiomatised: &'g FxHashSet<&'static Function>,
    /// Whether there is time left.
    pub tick: &'g mut dyn FnMut() -> Result<bool, Reason>,
    bodies: FxHashMap<ProcId, Body>,
    lemmas: FxHashMap<ProcId, Vec<Lemma>>,
    /// Which hypotheses follow from others.
    implications: Vec<Vec<Term>>,
    met: FxHashMap<(ProcId, End), Vec<Met>>,
    free: Free,
    open: Vec<Open>,
    hypotheses: u32,
    pub questions: u64,
}

impl<'g, 'a> Goals<'g, 'a> {
    pub fn new(
        inlining: &'g mut Inlining<'a>,
        atoms: Atoms,
        (make, axiomatised): (Make<'g>, &'g FxHashSet<&'static Function>),
        tick: &'g mut dyn FnMut() -> Result<bool, Reason>,
    ) -> Goals<'g, 'a> {
        Goals {
            inlining,
            atoms,
            facts: Facts::default(),
            make,
            axiomatised,
            tick,
            bodies: FxHashMap::default(),
            lemmas: FxHashMap::default(),
            implications: Vec::new(),
            met: FxHashMap::default(),
            free: Free::new(),
            open: Vec::new(),
            hypotheses: 0,
            questions: 0,
        }
    }

    /// Looks for a failure of the program; none if there is none.
    pub fn failure(&mut self) -> Result<Option<Rc<Execution>>, Stop> {
        let goal = Goal { procedure: self.inlining.program.entry, end: End::Fails, cube: Vec::new() };
        self.meet(goal)
    }

    /// Looks for facts about constants, for so long, and tells them to all bodies.
    pub fn find_facts(&mut self, time: Duration) -> Result<(), Reason> {
        let start = Instant::now();
        let mut tick = || Ok((self.tick)()? && start.elapsed() < time);
        self.facts = Facts::new(self.inlining, &self.atoms, self.make, &mut tick)?;
        for (procedure, body) in &mut self.bodies {
            self.facts.of(*procedure).iter().for_each(|fact| body.smt.assert(*fact));
        }
        Ok(())
    }

    /// Speaks of more atoms; whether there are any new ones. What was met where they count may not be met then.
    pub fn refine(&mut self, seeds: &[Seed]) -> bool {
        let changed = self.atoms.add(seeds);
        self.met.retain(|(procedure, _), _| !changed.contains(procedure));
        !changed.is_empty()
    }

    /// The lemmas of a procedure's ends that hold for good, as disjunctions.
    pub fn learnt(&self) -> impl Iterator<Item = (ProcId, End, Term)> {
        let mut sure: FxHashSet<Term> = FxHashSet::default();
        loop {
            let before = sure.len();
            for implication in &self.implications {
                if let Some((own, others)) = implication.split_last()
                    && others.iter().all(|other| sure.contains(&without_not(*other)))
                {
                    sure.insert(*own);
                }
            }
            if sure.len() == before {
                break;
            }
        }
        self.lemmas.iter().flat_map(move |(id, lemmas)| {
            let sure = sure.clone();
            let kept = lemmas.iter().filter(move |lemma| lemma.hypotheses.iter().all(|h| sure.contains(h)));
            let unless = not(and(self.facts.of(*id).iter().copied()));
            kept.map(move |lemma| (*id, lemma.end, or(lemma.literals.iter().copied().chain([unless]))))
        })
    }

    pub fn goals_met(&self) -> usize {
        self.met.values().map(Vec::len).sum()
    }

    fn meet(&mut self, goal: Goal) -> Result<Option<Rc<Execution>>, Stop> {
        let exit: Vec<Term> = goal.cube.iter().copied().filter(|literal| self.is_exit(*literal)).collect();
        let has = |cube: &[Term], literal: &Term| cube.binary_search(literal).is_ok();
        let serves = |(met, execution): &&Met| {
            exit.iter().all(|literal| has(met, literal)) && execution.needs.iter().all(|need| has(&goal.cube, need))
        };
        if let Some((_, known)) = self.met.get(&(goal.procedure, goal.end)).and_then(|met| met.iter().find(serves)) {
            return Ok(Some(known.clone()));
        }
        if self.suppose_not(&goal) {
            return Ok(None);
        }
        if self.open.len() > DEEPEST {
            return Err(Stop::GivenUp("too many goals are open"));
        }
        self.open.push(Open { goal: goal.clone(), hypothesis: None });
        let found = self.look(&goal);
        self.open.pop();
        if let Ok(Some(execution)) = &found {
            self.met.entry((goal.procedure, goal.end)).or_default().push((exit, execution.clone()));
        }
        found
    }

    /// Supposes that a goal cannot be met which is part of one that is being looked at; whether it is.
    fn suppose_not(&mut self, goal: &Goal) -> bool {
        let covers = |open: &Open| {
            let Goal { procedure, end, cube } = &open.goal;
            *procedure == goal.procedure && *end == goal.end && cube.iter().all(|l| goal.cube.binary_search(l).is_ok())
        };
        let Some(open) = self.open.iter_mut().find(|open| covers(open)) else { return false };
        if open.hypothesis.is_none() {
            self.hypotheses += 1;
            let hypothesis = flag("hypothesis", self.hypotheses);
            open.hypothesis = Some(hypothesis);
            let literals = open.goal.cube.iter().map(|literal| not(*literal)).collect();
            let lemma = Lemma { end: goal.end, literals, hypotheses: vec![hypothesis] };
            self.lemmas.entry(goal.procedure).or_default().push(lemma);
        }
        true
    }

    fn look(&mut self, goal: &Goal) -> Result<Option<Rc<Execution>>, Stop> {
        loop {
            if self.questions > MOST_QUESTIONS || !(self.tick)()? {
                return Err(Stop::GivenUp("time is up"));
            }
            let mut body = match self.bodies.remove(&goal.procedure) {
                Some(body) => self.widened(goal, body)?,
                None => self.body(goal.procedure, &goal.cube)?,
            };
            let found = self.ask(goal, &mut body);
            self.bodies.insert(goal.procedure, body);
            let Some((flags, calls)) = found? else { return Ok(None) };
            if let Some(execution) = self.follow(goal, flags, calls)? {
                return Ok(Some(Rc::new(execution)));
            }
        }
    }

    /// Whether a literal is about the exit.
    fn is_exit(&mut self, literal: Term) -> bool {
        let variables = self.free.of(literal);
        variables.iter().any(|variable| matches!(variable.op(), TermOp::Var { instance: 0, .. }))
    }

    /// Meets the goals of the calls on a way, the last one first: of what an earlier one returns, only that matters which is looked at
    /// afterwards. None, if one cannot be met.
    fn follow(&mut self, goal: &Goal, flags: Vec<Term>, calls: Vec<Called>) -> Result<Option<Execution>, Stop> {
        let Some(body) = self.bodies.get(&goal.procedure) else { return Err(Stop::GivenUp(NOWHERE)) };
        let template = body.template.clone();
        let on_way: FxHashSet<Term> = flags.iter().copied().collect();
        let mut looked_at = LookedAt { template: &template, on_way: &on_way, variables: FxHashSet::default() };
        for flag in &flags {
            body.conditions.get(flag).into_iter().flatten().for_each(|variable| looked_at.add(*variable));
        }
        let own = body.own.clone();
        let here = |literal: Term| substitute(literal, |variable| own.get(&variable).copied());
        for literal in &goal.cube {
            if self.is_exit(*literal) {
                self.free.of(here(*literal)).iter().for_each(|variable| looked_at.add(*variable));
            }
        }
        let mut met = Vec::new();
        for Called { number, callee, end, entry, exit } in calls.into_iter().rev() {
            let values = self.bodies[&goal.procedure].sites[number].0.clone();
            let there = |literal: Term| substitute(literal, |variable| values.get(&variable).copied());
            let is_copy = |variable: &Term| template.sites[number].outputs.contains(variable);
            let mut cube = entry;
            for literal in exit {
                let variables = self.free.of(there(literal));
                if variables.iter().any(|variable| is_copy(variable) && looked_at.variables.contains(variable)) {
                    cube.push(literal);
                }
            }
            cube.sort_unstable();
            cube.dedup();
            let Some(execution) = self.meet(Goal { procedure: callee, end, cube: cube.clone() })? else {
                return Ok(None);
            };
            let relations: Vec<Term> = cube.into_iter().filter(|literal| self.is_exit(*literal)).collect();
            for literal in execution.needs.iter().chain(&relations) {
                let variables = self.free.of(there(*literal));
                variables.iter().filter(|v| !is_copy(v)).for_each(|variable| looked_at.add(*variable));
            }
            met.push((number, execution));
        }
        let mut needs = Vec::new();
        for literal in &goal.cube {
            let variables = self.free.of(here(*literal));
            let matters = variables.is_empty() || variables.iter().any(|v| looked_at.variables.contains(v));
            if matters && !self.is_exit(*literal) {
                needs.push(*literal);
            }
        }
        Ok(Some(Execution { flags, calls: met, needs }))
    }

    /// Asks for an execution of a body that meets a goal: the flags of its way, and what is asked of its calls. If there is none, a
    /// lemma tells so.
    fn ask(&mut self, goal: &Goal, body: &mut Body) -> Result<Option<Way>, Stop> {
        self.tell(body);
        let end = match goal.end {
            End::Returns => Template::exit(),
            End::Fails => Template::failed(),
        };
        let mut naming = Substitution::new(|variable| body.own.get(&variable).copied());
        let asked: Vec<Asked> = goal.cube.iter().map(|literal| (*literal, naming.apply(*literal))).collect();
        let hypotheses: Vec<Term> = self.open.iter().filter_map(|open| open.hypothesis).collect();
        let assumptions = |asked: &[Asked]| -> Vec<Term> {
            [end].into_iter().chain(asked.iter().map(|(_, there)| *there)).chain(hypotheses.iter().copied()).collect()
        };
        let again = self.again(goal.procedure, &body.template);
        if !again.is_empty() {
            self.questions += 1;
            let assumptions: Vec<Term> = assumptions(&asked).into_iter().chain(again).collect();
            if self.is_possible(body, &assumptions)? {
                return self.calls(goal, body).map(Some);
            }
        }
        self.questions += 1;
        if self.is_possible(body, &assumptions(&asked))? {
            return self.calls(goal, body).map(Some);
        }
        let core: FxHashSet<Term> = body.smt.core().iter().copied().collect();
        let (exit, entry): (Vec<_>, Vec<_>) = asked.iter().copied().partition(|(literal, _)| self.is_exit(*literal));
        // What one literal about the exit excludes is worth more than what many do together.
        let mut is_told = false;
        if exit.iter().filter(|(_, there)| core.contains(there)).count() > 1 {
            for literal in exit.into_iter().filter(|(_, there)| core.contains(there)) {
                let single: Vec<Asked> = entry.iter().copied().chain([literal]).collect();
                self.questions += 1;
                if !self.is_possible(body, &assumptions(&single))? {
                    self.blame(goal, body, single, &assumptions, &hypotheses)?;
                    is_told = true;
                }
            }
        }
        if !is_told {
            let blamed: Vec<_> = asked.into_iter().filter(|(_, there)| core.contains(there)).collect();
            self.questions += 1;
            if self.is_possible(body, &assumptions(&blamed))? {
                return Err(Stop::GivenUp("a contradiction was none"));
            }
            self.blame(goal, body, blamed, &assumptions, &hypotheses)?;
        }
        Ok(None)
    }

    /// Makes a lemma of a part of a goal that was just found to be impossible.
    fn blame(
        &mut self,
        goal: &Goal,
        body: &mut Body,
        asked: Vec<Asked>,
        assumptions: Assumptions<'_>,
        hypotheses: &[Term],
    ) -> Result<(), Stop> {
        let mut core: FxHashSet<Term> = body.smt.core().iter().copied().collect();
        let mut blamed: Vec<Asked> = asked.into_iter().filter(|(_, there)| core.contains(there)).collect();
        let mut number = 0;
        while number < blamed.len() && blamed.len() > 1 {
            let mut fewer = blamed.clone();
            fewer.remove(number);
            self.questions += 1;
            if self.is_possible(body, &assumptions(&fewer))? {
                number += 1;
            } else {
                core = body.smt.core().iter().copied().collect();
                fewer.retain(|(_, there)| core.contains(there));
                blamed = fewer;
            }
        }
        let own = self.open.last().and_then(|open| open.hypothesis);
        let others: Vec<Term> = hypotheses.iter().copied().filter(|h| Some(*h) != own && core.contains(h)).collect();
        if let Some(own) = own {
            self.implications.push(others.iter().map(|other| not(*other)).chain([own]).collect());
        }
        let literals = blamed.into_iter().map(|(literal, _)| not(literal)).collect();
        self.lemmas.entry(goal.procedure).or_default().push(Lemma { end: goal.end, literals, hypotheses: others });
        Ok(())
    }

    /// What must be assumed so that a procedure does not call itself, through others or not.
    fn again(&self, procedure: ProcId, template: &Template) -> Vec<Term> {
        let effects = &self.inlining.effects;
        if !effects[procedure.0 as usize].recursive {
            return Vec::new();
        }
        let sites = template.sites.iter().filter(|site| effects[site.callee.0 as usize].recursive);
        let flags = sites.flat_map(|site| [Some(site.taken), site.failed]).flatten();
        flags.filter(|flag| *flag != falsehood()).map(not).collect()
    }

    fn is_possible(&self, body: &mut Body, assumptions: &[Term]) -> Result<bool, Stop> {
        match body.smt.check_assuming(assumptions) {
            Answer::Unsat => Ok(false),
            Answer::Sat => Ok(true),
            Answer::Unknown(Unknown::Incomplete(_)) if body.smt.has_candidate() => Ok(true),
            Answer::Unknown(Unknown::Incomplete(_)) => Err(Stop::GivenUp("the solver is at a loss")),
            Answer::Unknown(Unknown::Timeout) => Err(Stop::GivenUp("a question takes too long")),
            Answer::Unknown(why) => Err(Stop::Reason(crate::solver_reason(why))),
        }
    }

    /// What the model's execution asks of the calls on it.
    fn calls(&self, goal: &Goal, body: &mut Body) -> Result<Way, Stop> {
        let Body { template, smt, sites, .. } = body;
        let Ok(cfa) = &self.inlining.program.procedure(goal.procedure).body else { return Err(Stop::GivenUp(NOWHERE)) };
        let mut flags = Vec::new();
        let mut holds = |flag: Term| {
            let is_true = smt.value(flag) == Some(Value::Bool(true));
            if is_true {
                flags.push(flag);
            }
            is_true
        };
        let Through { edges, fails_in_call, .. } =
            through(template, cfa, goal.end == End::Fails, &mut holds).ok_or(Stop::GivenUp(NOWHERE))?;
        let asked: FxHashSet<Term> = goal.cube.iter().copied().map(without_not).collect();
        let mut calls = Vec::new();
        for (place, edge) in edges.iter().enumerate() {
            let Some(number) = template.sites.iter().position(|site| site.edge == *edge) else { continue };
            let callee = template.sites[number].callee;
            let fails = fails_in_call && place + 1 == edges.len();
            let end = if fails { End::Fails } else { End::Returns };
            let mut naming = Substitution::new(|variable| sites[number].0.get(&variable).copied());
            let mut holds = |atom: Term| match smt.value(naming.apply(atom)) {
                Some(Value::Bool(true)) => Some(atom),
                Some(Value::Bool(false)) => Some(not(atom)),
                _ => None,
            };
            let entry = self.atoms.of_entry(callee).iter().copied().filter_map(&mut holds).collect();
            let exit = self.atoms.of_call(goal.procedure, number, &asked).filter(|_| !fails);
            let exit = exit.filter_map(&mut holds).collect();
            calls.push(Called { number, callee, end, entry, exit });
        }
        Ok((flags, calls))
    }

    /// Tells a solver what was learnt of the callees.
    fn tell(&self, body: &mut Body) {
        let Body { template, smt, sites, implications, .. } = body;
        let clause = |smt: &mut Box<dyn Smt>, literals: Vec<Term>| {
            if !literals.contains(&truth()) {
                smt.assert_clause(&literals);
            }
        };
        for (site, (values, heard)) in template.sites.iter().zip(sites) {
            let lemmas = self.lemmas.get(&site.callee).map_or(&[][..], Vec::as_slice);
            let mut naming = Substitution::new(|variable| values.get(&variable).copied());
            for Lemma { end, literals, hypotheses } in &lemmas[*heard..] {
                let ended = match end {
                    End::Returns => site.taken,
                    End::Fails => site.failed.unwrap_or(falsehood()),
                };
                if ended != falsehood() {
                    let hypotheses = hypotheses.iter().copied().chain([ended]).map(not);
                    let literals = literals.iter().map(|literal| naming.apply(*literal));
                    clause(smt, hypotheses.chain(literals).collect());
                }
            }
            *heard = lemmas.len();
        }
        self.implications[*implications..].iter().for_each(|known| clause(smt, known.clone()));
        *implications = self.implications.len();
    }

    /// A body's solver, or another one in its place if axioms about more functions matter: those in the goal and in what was learnt.
    fn widened(&mut self, goal: &Goal, body: Body) -> Result<Body, Stop> {
        if self.axiomatised.is_empty() {
            return Ok(body);
        }
        let mut spoken = goal.cube.clone();
        for (site, (_, heard)) in body.template.sites.iter().zip(&body.sites) {
            let lemmas = self.lemmas.get(&site.callee).map_or(&[][..], Vec::as_slice);
            spoken.extend(lemmas[*heard..].iter().flat_map(|lemma| &lemma.literals));
        }
        let is_new = |function: &&Function| self.axiomatised.contains(*function) && !body.functions.contains(*function);
        if !functions(&spoken).iter().any(is_new) {
            return Ok(body);
        }
        for site in &body.template.sites {
            spoken.extend(self.lemmas.get(&site.callee).into_iter().flatten().flat_map(|lemma| &lemma.literals));
        }
        self.body(goal.procedure, &spoken)
    }

    /// A procedure's solver, which knows the axioms that matter to its condition and to some formulas.
    fn body(&mut self, procedure: ProcId, spoken: &[Term]) -> Result<Body, Stop> {
        let template = self.inlining.template(procedure)?;
        let mut clauses: Vec<Vec<Term>> = template.clauses.clone();
        for site in &template.sites {
            let known = self.inlining.known(site.callee, site.taken, &site.inputs, &site.outputs);
            clauses.extend(known.into_iter().filter(|clause| !clause.contains(&truth())));
        }
        let facts = self.facts.of(procedure);
        let formulas: Vec<Term> = clauses.iter().flatten().chain(facts).chain(spoken).copied().collect();
        let mut smt = (self.make)(&formulas);
        facts.iter().for_each(|fact| smt.assert(*fact));
        clauses.iter().for_each(|clause| smt.assert_clause(clause));
        let mut sites = Vec::new();
        for site in &template.sites {
            let (program, effects) = (self.inlining.program, &self.inlining.effects);
            sites.push((callee_values(program, effects, site.callee, &site.inputs, &site.outputs), 0));
        }
        let own = own_values(self.inlining, &template);
        let conditions = conditions(&template);
        let functions = functions(&formulas);
        Ok(Body { template, smt, own, sites, implications: 0, conditions, functions })
    }
}
