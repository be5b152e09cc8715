//! The verification condition of one procedure, made once and instantiated wherever the procedure is inlined.
//!
//! The condition is in passive form and asks backwards: a Boolean variable (a *flag*) of a block says that an execution
//! comes there; it implies what the block assumes, and the flag of an edge that leads to it. A block ends with a call. So a model of the condition in
//! which the flag of an end is true is one execution of the procedure, from its start to that end. Blocks are chains of
//! edges; values are terms over the values at the start and over new copies where ways meet, where something is chosen and
//! where a call returns something.
//!
//! A procedure ends in two ways. It returns ([`Template::exit`]), or it fails: it comes to an error location, or calls a
//! procedure that fails ([`Template::failed`]). This is the paper's variable `error`, which makes callers return at once, told
//! by the way of the end instead of a value.
//!
//! For variable abstraction (Section 3 of the paper) the condition is *parameterised*: what a constraint says of globals holds
//! only where these are tracked, which a flag of each global tells ([`tracked`]). So one condition serves for all sets of
//! tracked variables. An untracked global that is read may be anything; a local keeps what it is given otherwise.
//!
//! Invariants: a variable of instance 0 is the value at the start, or one of the two flags above; what the template makes
//! up has the instances from 1 to [`Template::copies`].

use crate::effects::Effect;
use analysis::live::Live;
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::build::{eq, falsehood, not, truth};
use term::free::Free;
use term::subst::substitute;
use term::{Op as TermOp, Sort, Term};

/// The condition of a procedure.
pub struct Template {
    pub procedure: ProcId,
    /// The variables whose values come from the caller: parameters, then globals.
    pub inputs: Vec<Term>,
    /// The variables whose values go to the caller: results, then globals.
    pub outputs: Vec<Term>,
    /// What the outputs are at the exit.
    pub returned: Vec<Term>,
    /// All must hold: each is a disjunction.
    pub clauses: Vec<Vec<Term>>,
    pub sites: Vec<Site>,
    /// How an execution came to a location: the flags of the edges that lead there.
    pub ways: FxHashMap<LocId, Vec<(EdgeId, Term)>>,
    /// The ends where it fails, each with its flag.
    pub errors: Vec<(LocId, Term)>,
    /// The copies of variables that edges choose: by havocs, and by procedures without a body.
    pub chosen: FxHashMap<EdgeId, Vec<Term>>,
    /// The procedure's own variables whose first values are arbitrary and matter.
    pub arbitrary: Vec<Term>,
    /// How many instances are in use.
    pub copies: u32,
    /// Whether an execution can return.
    pub returns: bool,
    /// Copies where ways meet: the flag of each way, and the value there.
    pub joints: FxHashMap<Term, Vec<(Term, Term)>>,
}

/// Bodies of so few clauses are small.
const SMALL: usize = 40;

/// A call.
#[derive(Clone, Debug)]
pub struct Site {
    pub edge: EdgeId,
    pub callee: ProcId,
    /// Whether the execution comes back from the call.
    pub taken: Term,
    /// Whether it ends in the call, if it can.
    pub failed: Option<Term>,
    /// The values of the callee's inputs.
    pub inputs: Vec<Term>,
    /// What stands for the values of the callee's outputs.
    pub outputs: Vec<Term>,
}

impl Template {
    /// All formulas of the condition.
    pub fn formulas(&self) -> Vec<Term> {
        self.clauses.iter().flatten().copied().collect()
    }

    /// Whether it calls nothing and has few clauses.
    pub fn is_small(&self) -> bool {
        self.sites.is_empty() && self.clauses.len() <= SMALL
    }

    /// Whether the execution returns.
    pub fn exit() -> Term {
        flag("exit", 0)
    }

    /// Whether the execution fails.
    pub fn failed() -> Term {
        flag("failed", 0)
    }

    /// Whether the execution may come to something unsupported. The same for all procedures.
    pub fn unsupported() -> Term {
        flag("unsupported", 0)
    }
}

/// Whether a global is tracked. The same for all procedures.
pub fn tracked(global: Term) -> Term {
    let name = global.name().map(|name| name.as_str().to_string()).unwrap_or_default();
    flag(&format!("{TRACKED}{name}"), 0)
}

const TRACKED: &str = "tracked ";

/// Whether a variable is one of the flags that are the same for all procedures.
pub fn is_common(variable: Term) -> bool {
    let is_tracked = |name: &str| name.strip_prefix(' ').is_some_and(|name| name.starts_with(TRACKED));
    variable == Template::unsupported() || variable.name().is_some_and(|name| is_tracked(name.as_str()))
}

/// A Boolean variable that no program has.
pub fn flag(what: &str, instance: u32) -> Term {
    Term::new(TermOp::Var { name: format!(" {what}").as_str().into(), instance, sort: Sort::bool() }, &[])
}

/// Why a procedure has no condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTemplate {
    /// There is a cycle.
    Loop,
    /// It starts a thread.
    Thread,
}

/// What callers know of a procedure: its inputs and outputs.
pub fn interface(program: &Program, effects: &[Effect], id: ProcId) -> (Vec<Term>, Vec<Term>) {
    let (procedure, effect) = (program.procedure(id), &effects[id.0 as usize]);
    let inputs = procedure.parameters.iter().map(|v| v.term).chain(effect.mentioned.iter().copied()).collect();
    let outputs = procedure.results.iter().map(|v| v.term).chain(effect.changed.iter().copied()).collect();
    (inputs, outputs)
}

/// What stands for variables at some point; one that is not named is as it was at the start.
type Values = FxHashMap<Term, Term>;

fn at(term: Term, values: &Values) -> Term {
    substitute(term, |variable| values.get(&variable).copied())
}

/// Makes the condition of a procedure that has a body. `guard` finds the globals that constraints are parameterised by.
pub fn template(
    program: &Program,
    effects: &[Effect],
    guard: &mut Guard,
    id: ProcId,
    cfa: &Cfa,
) -> Result<Template, NoTemplate> {
    let useful = useful(program, effects, cfa);
    let order = order(cfa, &useful).ok_or(NoTemplate::Loop)?;
    let (inputs, outputs) = interface(program, effects, id);
    let live = Live::new(program, id);
    let own = program.procedure(id).results.iter().chain(&program.procedure(id).locals).map(|variable| variable.term);
    let template = Template {
        arbitrary: own.filter(|variable| live.at(cfa.entry(), *variable)).collect(),
        procedure: id,
        inputs,
        outputs,
        returned: Vec::new(),
        clauses: Vec::new(),
        sites: Vec::new(),
        ways: FxHashMap::default(),
        errors: Vec::new(),
        chosen: FxHashMap::default(),
        copies: 0,
        returns: useful.contains(&cfa.exit()),
        joints: FxHashMap::default(),
    };
    let maker = Maker { program, effects, guard, cfa, useful, live, template, arrivals: FxHashMap::default() };
    maker.run(&order)
}

/// The locations from which an end can be reached: the exit, an error, or a call that fails.
fn useful(program: &Program, effects: &[Effect], cfa: &Cfa) -> FxHashSet<LocId> {
    let mut reached = FxHashSet::default();
    let mut stack = vec![cfa.entry()];
    let is_closed = |op: &Op| matches!(op, Op::Assume(condition) if *condition == falsehood());
    while let Some(location) = stack.pop() {
        if reached.insert(location) {
            let edges = cfa.outgoing(location).iter().map(|edge| cfa.edge(*edge));
            stack.extend(edges.filter(|edge| !is_closed(&edge.op)).map(|edge| edge.to));
        }
    }
    let is_bad = |kind: LocationKind| matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
    let may_end = |location: &LocId| {
        *location == cfa.exit()
            || is_bad(cfa.location(*location).kind)
            || cfa.outgoing(*location).iter().any(|edge| fails(program, effects, &cfa.edge(*edge).op))
    };
    let mut useful = FxHashSet::default();
    let mut stack: Vec<LocId> = reached.iter().copied().filter(may_end).collect();
    while let Some(location) = stack.pop() {
        if useful.insert(location) {
            let edges = cfa.incoming(location).iter().map(|edge| cfa.edge(*edge));
            stack.extend(edges.filter(|edge| !is_closed(&edge.op) && reached.contains(&edge.from)).map(|e| e.from));
        }
    }
    useful
}

/// Whether an operation is a call that may fail.
fn fails(program: &Program, effects: &[Effect], op: &Op) -> bool {
    match op {
        Op::Call { procedure, .. } => program.procedure(*procedure).body.is_ok() && effects[procedure.0 as usize].fails,
        _ => false,
    }
}

/// The useful locations, each after all that lead to it; `None` if there is a cycle.
fn order(cfa: &Cfa, useful: &FxHashSet<LocId>) -> Option<Vec<LocId>> {
    let mut waiting: FxHashMap<LocId, usize> = FxHashMap::default();
    for location in useful {
        let sources = cfa.incoming(*location).iter().filter(|edge| useful.contains(&cfa.edge(**edge).from));
        waiting.insert(*location, sources.count());
    }
    let mut ready: Vec<LocId> = useful.contains(&cfa.entry()).then_some(cfa.entry()).into_iter().collect();
    let mut order = Vec::new();
    while let Some(location) = ready.pop() {
        order.push(location);
        for edge in cfa.outgoing(location) {
            let to = cfa.edge(*edge).to;
            if let Some(left) = waiting.get_mut(&to) {
                *left -= 1;
                if *left == 0 {
                    ready.push(to);
                }
            }
        }
    }
    (order.len() == useful.len()).then_some(order)
}

/// An edge that leads to a location, with its flag and the values behind it.
struct Arrival {
    edge: EdgeId,
    taken: Term,
    values: Rc<Values>,
    /// The number of the location in front of it.
    from: LocId,
}

/// What constraints are parameterised by.
pub struct Guard {
    globals: FxHashSet<Term>,
    free: Free,
}

impl Guard {
    /// Parameterised by these globals; by none, if variables are not abstracted.
    pub fn new(globals: impl IntoIterator<Item = Term>) -> Guard {
        let globals: FxHashSet<Term> = globals.into_iter().collect();
        Guard { free: Free::among(globals.iter().copied()), globals }
    }

    /// The negations of the flags of a term's globals: with a constraint, a clause.
    pub fn of(&mut self, term: Term) -> Vec<Term> {
        match self.globals.is_empty() {
            true => Vec::new(),
            false => self.free.of(term).iter().map(|global| not(tracked(*global))).collect(),
        }
    }
}

struct Maker<'a> {
    program: &'a Program,
    effects: &'a [Effect],
    guard: &'a mut Guard,
    cfa: &'a Cfa,
    useful: FxHashSet<LocId>,
    live: Live,
    template: Template,
    arrivals: FxHashMap<LocId, Vec<Arrival>>,
}

impl Maker<'_> {
    fn run(mut self, order: &[LocId]) -> Result<Template, NoTemplate> {
        let mut dominators = Dominators::default();
        for location in order {
            let (reached, values) = self.meet(*location, &mut dominators);
            match self.cfa.location(*location).kind {
                _ if *location == self.cfa.exit() => {
                    let outputs = self.template.outputs.iter();
                    self.template.returned = outputs.map(|o| values.get(o).copied().unwrap_or(*o)).collect();
                }
                LocationKind::Error(_) => self.template.errors.push((*location, reached)),
                LocationKind::Unsupported(_) => {
                    self.template.errors.push((*location, reached));
                    self.clause([not(reached), Template::unsupported()]);
                }
                LocationKind::Plain | LocationKind::End => {}
            }
            self.leave(*location, reached, &values)?;
        }
        if !self.template.returns {
            self.clause([not(Template::exit())]);
        }
        let ends = self.template.errors.iter().map(|(_, flag)| *flag);
        let calls = self.template.sites.iter().filter_map(|site| site.failed);
        let clause: Vec<Term> = [not(Template::failed())].into_iter().chain(ends).chain(calls).collect();
        self.clause(clause);
        Ok(self.template)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Term>) {
        let literals: Vec<Term> = literals.into_iter().filter(|literal| *literal != falsehood()).collect();
        if !literals.contains(&truth()) {
            self.template.clauses.push(literals);
        }
    }

    fn next(&mut self) -> u32 {
        self.template.copies += 1;
        self.template.copies
    }

    fn copy(&mut self, variable: Term) -> Term {
        let number = self.next();
        variable.at_instance(number)
    }

    /// Joins what leads to a location: its flag and the values there.
    fn meet(&mut self, location: LocId, dominators: &mut Dominators) -> (Term, Rc<Values>) {
        let arrivals = self.arrivals.remove(&location).unwrap_or_default();
        let ways = arrivals.iter().map(|arrival| (arrival.edge, arrival.taken)).collect();
        self.template.ways.insert(location, ways);
        if location == self.cfa.entry() {
            let number = self.next();
            let reached = flag("at", number);
            dominators.add(location, reached, &[]);
            return (reached, Rc::default());
        }
        let is_exit = location == self.cfa.exit();
        if let [only] = &arrivals[..]
            && !is_exit
        {
            let from = only.from;
            let result = (only.taken, only.values.clone());
            dominators.add(location, only.taken, &[from]);
            return result;
        }
        let reached = if is_exit {
            Template::exit()
        } else {
            let number = self.next();
            flag("at", number)
        };
        self.clause([not(reached)].into_iter().chain(arrivals.iter().map(|arrival| arrival.taken)));
        let sources: Vec<LocId> = arrivals.iter().map(|arrival| arrival.from).collect();
        // This follows from the rest, but a solver would have to try every way between the two to see it.
        if let Some(dominator) = dominators.add(location, reached, &sources) {
            self.clause([not(reached), dominator]);
        }
        (reached, Rc::new(self.join(location, &arrivals)))
    }

    /// The values where several ways meet.
    fn join(&mut self, location: LocId, arrivals: &[Arrival]) -> Values {
        let mut changed: Vec<Term> = arrivals.iter().flat_map(|arrival| arrival.values.keys().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut values = Values::default();
        for variable in changed {
            let value = |arrival: &Arrival| arrival.values.get(&variable).copied().unwrap_or(variable);
            let is_output = location == self.cfa.exit() && self.template.outputs.contains(&variable);
            if !is_output && !self.live.at(location, variable) {
                continue;
            }
            let Some(first) = arrivals.first().map(value) else { continue };
            if arrivals.iter().all(|arrival| value(arrival) == first) {
                values.insert(variable, first);
                continue;
            }
            let joint = self.copy(variable);
            let guard = self.guard.of(variable);
            self.template
                .joints
                .insert(joint, arrivals.iter().map(|arrival| (arrival.taken, value(arrival))).collect());
            for arrival in arrivals {
                self.clause(guard.iter().copied().chain([not(arrival.taken), eq(joint, value(arrival))]));
            }
            values.insert(variable, joint);
        }
        values
    }

    /// Adds the edges that leave a location.
    fn leave(&mut self, location: LocId, reached: Term, values: &Rc<Values>) -> Result<(), NoTemplate> {
        let (program, cfa) = (self.program, self.cfa);
        let leads_on = |edge: &&EdgeId| {
            let edge = cfa.edge(**edge);
            self.useful.contains(&edge.to) || fails(program, self.effects, &edge.op)
        };
        let leaving: Vec<EdgeId> = cfa.outgoing(location).iter().filter(leads_on).copied().collect();
        let is_only = leaving.len() == 1;
        for id in leaving {
            let edge = cfa.edge(id);
            let may_fail = fails(program, self.effects, &edge.op);
            let goes_on = self.useful.contains(&edge.to);
            // What follows a call has a flag of its own, so that there are executions up to the call.
            let is_call = matches!(edge.op, Op::Call { procedure, .. } if program.procedure(procedure).body.is_ok());
            let taken = match (goes_on, is_only && !may_fail && !is_call) {
                (false, _) => falsehood(),
                (true, true) => reached,
                (true, false) => {
                    let number = self.next();
                    let taken = flag("way", number);
                    self.clause([not(taken), reached]);
                    taken
                }
            };
            let after = self.operation(id, &edge.op, (reached, taken), values)?;
            if goes_on {
                let arrival = Arrival { edge: id, taken, values: after, from: location };
                self.arrivals.entry(edge.to).or_default().push(arrival);
            }
        }
        Ok(())
    }

    /// What an edge's operation demands and changes.
    fn operation(
        &mut self,
        id: EdgeId,
        op: &Op,
        (reached, taken): (Term, Term),
        values: &Rc<Values>,
    ) -> Result<Rc<Values>, NoTemplate> {
        let mut after = values.clone();
        match op {
            Op::Assign(pairs) if pairs.is_empty() => {}
            Op::Assign(pairs) => {
                let new: Vec<Term> = pairs.iter().map(|(x, value)| self.value(*x, *value, taken, values)).collect();
                Rc::make_mut(&mut after).extend(pairs.iter().map(|(variable, _)| *variable).zip(new));
            }
            Op::Assume(condition) => {
                let mut guard = self.guard.of(*condition);
                guard.push(not(taken));
                let condition = at(*condition, values);
                let conjuncts = if *condition.op() == TermOp::And { condition.args() } else { &[condition][..] };
                for conjunct in conjuncts {
                    let literals = if *conjunct.op() == TermOp::Or { conjunct.args() } else { &[*conjunct][..] };
                    self.clause(guard.iter().chain(literals).copied());
                }
            }
            Op::Havoc(variables) => self.choose(id, variables, &mut after),
            Op::Call { procedure, arguments, results } => {
                if self.program.procedure(*procedure).body.is_err() {
                    self.choose(id, results, &mut after);
                } else {
                    self.call(id, *procedure, arguments, results, (reached, taken), values, &mut after);
                }
            }
            Op::Spawn { .. } => return Err(NoTemplate::Thread),
            Op::AtomicBegin | Op::AtomicEnd => {}
        }
        Ok(after)
    }

    /// What a variable is given: the value, or something that is the value where all globals are tracked that it takes.
    fn value(&mut self, variable: Term, value: Term, taken: Term, values: &Values) -> Term {
        let mut guard = self.guard.of(value);
        if guard.is_empty() {
            return at(value, values);
        }
        let copy = self.copy(variable);
        guard.extend([not(taken), eq(copy, at(value, values))]);
        self.clause(guard);
        copy
    }

    fn choose(&mut self, id: EdgeId, variables: &[Term], after: &mut Rc<Values>) {
        let copies: Vec<Term> = variables.iter().map(|variable| self.copy(*variable)).collect();
        Rc::make_mut(after).extend(variables.iter().copied().zip(copies.iter().copied()));
        self.template.chosen.insert(id, copies);
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        id: EdgeId,
        callee: ProcId,
        arguments: &[Term],
        results: &[Term],
        (reached, taken): (Term, Term),
        values: &Values,
        after: &mut Rc<Values>,
    ) {
        let effect = &self.effects[callee.0 as usize];
        let parameters = self.program.procedure(callee).parameters.iter().zip(arguments);
        let arguments = parameters.map(|(to, argument)| self.value(to.term, *argument, reached, values));
        let mut inputs: Vec<Term> = arguments.collect();
        inputs.extend(effect.mentioned.iter().map(|global| at(*global, values)));
        let changed: Vec<Term> = effect.changed.iter().copied().collect();
        let failed = effect.fails.then(|| {
            let number = self.next();
            let failed = flag("failed", number);
            self.clause([not(failed), reached]);
            failed
        });
        let outputs: Vec<Term> = results.iter().chain(&changed).map(|variable| self.copy(*variable)).collect();
        // Results come last: the caller's variable that takes one may be a global that the callee changes.
        let (returned, globals) = outputs.split_at(results.len());
        let after = Rc::make_mut(after);
        after.extend(changed.iter().copied().zip(globals.iter().copied()));
        after.extend(results.iter().copied().zip(returned.iter().copied()));
        self.template.sites.push(Site { edge: id, callee, taken, failed, inputs, outputs });
    }
}

/// For each location, the last other one that every way to it passes, its flag, and how deep it lies below the entry.
#[derive(Default)]
struct Dominators {
    of: FxHashMap<LocId, (LocId, usize)>,
    flags: FxHashMap<LocId, Term>,
}

impl Dominators {
    /// Adds a location that is reached from these, which were added before; the flag of its dominator.
    fn add(&mut self, location: LocId, flag: Term, sources: &[LocId]) -> Option<Term> {
        let dominator = sources.iter().copied().reduce(|one, other| self.common(one, other));
        let parent = dominator.unwrap_or(location);
        let depth = self.of.get(&parent).map_or(0, |(_, depth)| depth + 1);
        self.of.insert(location, (parent, depth));
        self.flags.insert(location, flag);
        dominator.map(|dominator| self.flags[&dominator])
    }

    fn common(&self, mut one: LocId, mut other: LocId) -> LocId {
        while one != other {
            let ((above_one, depth), (above_other, other_depth)) = (self.of[&one], self.of[&other]);
            if depth >= other_depth {
                one = above_one;
            } else {
                other = above_other;
            }
        }
        one
    }
}
