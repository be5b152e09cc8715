//! Paths under variable abstraction (Section 3 of the paper, Figures 3 and 5).
//!
//! A path is a list of constraints in the order of its edges, each with the globals that it speaks of: it holds only where all of
//! them are tracked. This is the parameterised transformation of Figure 5 on a path, where nothing but constraints is left.
//!
//! Deviations. `havoc v` chooses a value whether v is tracked or not (Figure 3 as printed would keep an untracked local's old
//! value). Arguments and results of calls are treated as assignments.

use crate::inlining::{Inlining, InstanceId};
use crate::path::{Event, Path};
use crate::refine::{Oracle, Refinement};
use crate::summary::at_entry;
use crate::vc::tracked;
use engine::Reason;
use ir::{Op, ProcId};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Smt;
use std::collections::BTreeSet;
use term::Term;
use term::build::{eq, not};
use term::free::Free;
use term::subst::substitute;

/// What must hold if all of some globals are tracked.
pub struct Constraint {
    pub globals: Vec<Term>,
    pub formula: Term,
    /// The new name that it gives to a value, and the value; none if it is a condition.
    pub defines: Option<(Term, Term)>,
}

/// The constraints of a path. Open calls on it may do what is known of them from outside.
pub fn constraints(inlining: &Inlining<'_>, path: &Path) -> Vec<Constraint> {
    walk(inlining, path, false).found
}

/// What the variables of a body are on a path, by their values: when it is entered, and when it returns.
pub struct Passage {
    pub instance: InstanceId,
    pub entered: FxHashMap<Term, Term>,
    pub left: Option<FxHashMap<Term, Term>>,
}

/// A path on which all that bodies are given and give has a name.
pub struct Named {
    pub constraints: Vec<Constraint>,
    pub passages: Vec<Passage>,
    /// The variables that had each name as their value.
    pub holders: FxHashMap<Term, FxHashSet<Term>>,
}

/// Names what bodies are given and give on a path.
pub fn named(inlining: &Inlining<'_>, path: &Path) -> Named {
    let walk = walk(inlining, path, true);
    Named { constraints: walk.found, passages: walk.passages, holders: walk.holders }
}

fn walk<'a>(inlining: &'a Inlining<'a>, path: &Path, is_named: bool) -> Walk<'a> {
    let globals: FxHashSet<Term> = inlining.program.globals.iter().map(|global| global.term).collect();
    let mut walk = Walk {
        inlining,
        free: Free::among(globals.iter().copied()),
        globals,
        values: FxHashMap::default(),
        frames: vec![Frame::default()],
        copies: 0,
        found: Vec::new(),
        is_named,
        passages: Vec::new(),
        holders: FxHashMap::default(),
    };
    path.events.iter().for_each(|event| walk.event(*event));
    walk
}

#[derive(Default)]
struct Frame {
    values: FxHashMap<Term, Term>,
    /// What takes the results of the call that entered it.
    results: Vec<Term>,
    /// Its place among the passages, if these are noted.
    passage: usize,
}

struct Walk<'a> {
    inlining: &'a Inlining<'a>,
    free: Free,
    globals: FxHashSet<Term>,
    values: FxHashMap<Term, Term>,
    frames: Vec<Frame>,
    copies: u32,
    found: Vec<Constraint>,
    /// Whether all that is given has a name, and passages are noted.
    is_named: bool,
    passages: Vec<Passage>,
    holders: FxHashMap<Term, FxHashSet<Term>>,
}

impl Walk<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Edge(instance, edge) => {
                let id = self.inlining.instances[instance.0].template.procedure;
                let Ok(cfa) = &self.inlining.program.procedure(id).body else { return };
                self.edge(instance, edge, &cfa.edge(edge).op);
            }
            Event::Enter(instance) => self.enter(instance),
            Event::Leave(instance) => {
                self.leave(instance);
                let id = self.inlining.instances[instance.0].template.procedure;
                let returned: Vec<Term> =
                    self.inlining.program.procedure(id).results.iter().map(|result| self.now(result.term)).collect();
                let Some(frame) = self.frames.pop() else { return };
                frame.results.into_iter().zip(returned).for_each(|(variable, value)| self.set(variable, value));
            }
        }
    }

    /// Notes what the inputs of a body are.
    fn enter(&mut self, instance: InstanceId) {
        if self.is_named {
            let inputs = self.inlining.instances[instance.0].template.inputs.clone();
            let entered = inputs.into_iter().map(|input| (self.now(input), input)).collect();
            if let Some(frame) = self.frames.last_mut() {
                frame.passage = self.passages.len();
            }
            self.passages.push(Passage { instance, entered, left: None });
        }
    }

    /// Notes what the outputs of a body are.
    fn leave(&mut self, instance: InstanceId) {
        if self.is_named {
            let outputs = self.inlining.instances[instance.0].template.outputs.clone();
            let left = outputs.into_iter().map(|output| (self.named(output), output)).collect();
            if let Some(frame) = self.frames.last() {
                self.passages[frame.passage].left = Some(left);
            }
        }
    }

    /// The value that a variable has now, under a name.
    fn named(&mut self, variable: Term) -> Term {
        let now = self.now(variable);
        if now.is_var() {
            return now;
        }
        let copy = self.copy(variable);
        self.found.push(Constraint { globals: Vec::new(), formula: eq(copy, now), defines: Some((copy, now)) });
        self.set(variable, copy);
        copy
    }

    fn edge(&mut self, instance: InstanceId, edge: ir::EdgeId, op: &Op) {
        match op {
            Op::Assign(pairs) => {
                let new: Vec<(Term, Term)> = pairs.iter().map(|(x, value)| (*x, self.given(*x, *value))).collect();
                new.into_iter().for_each(|(variable, value)| self.set(variable, value));
            }
            Op::Assume(condition) => {
                let formula = self.now(*condition);
                self.found.push(Constraint { globals: self.free.of(*condition).to_vec(), formula, defines: None });
            }
            Op::Havoc(variables) => self.choose(variables),
            Op::Call { procedure, arguments, results } => {
                let Some(site) = self.inlining.site_of(instance, edge) else { return self.choose(results) };
                let callee = self.inlining.program.procedure(*procedure);
                let parameters = callee.parameters.iter().map(|parameter| parameter.term).zip(arguments);
                let values: FxHashMap<Term, Term> =
                    parameters.map(|(parameter, argument)| (parameter, self.given(parameter, *argument))).collect();
                values.iter().for_each(|(parameter, value)| self.hold(*parameter, *value));
                match self.inlining.sites[site.0].inlined {
                    Some(_) => self.frames.push(Frame { values, results: results.clone(), passage: 0 }),
                    None => self.pass(*procedure, values, results),
                }
            }
            Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => {}
        }
    }

    /// Passes an open call.
    fn pass(&mut self, callee: ProcId, parameters: FxHashMap<Term, Term>, results: &[Term]) {
        let inlining = self.inlining;
        let declared: Vec<Term> = inlining.program.procedure(callee).results.iter().map(|result| result.term).collect();
        let changed: Vec<Term> = inlining.effects[callee.0 as usize].changed.iter().copied().collect();
        let mut values: FxHashMap<Term, Term> = parameters.into_iter().map(|(v, value)| (at_entry(v), value)).collect();
        for formula in inlining.summary(callee).iter().chain(inlining.told_at_exit(callee)) {
            for variable in Free::new().of(*formula).iter().copied() {
                let now = variable.at_instance(0);
                if self.globals.contains(&now) && variable == at_entry(now) {
                    values.insert(variable, self.now(now));
                }
            }
        }
        self.choose(&changed);
        self.choose(results);
        values.extend(changed.iter().map(|global| (*global, self.values[global])));
        let returned: Vec<Term> = results.iter().map(|result| self.now(*result)).collect();
        values.extend(declared.into_iter().zip(returned));
        for formula in inlining.summary(callee) {
            let globals = self.free.of(substitute(*formula, |variable| Some(variable.at_instance(0)))).to_vec();
            let formula = substitute(*formula, |variable| values.get(&variable).copied());
            self.found.push(Constraint { globals, formula, defines: None });
        }
        for formula in inlining.told_at_exit(callee) {
            let formula = substitute(*formula, |variable| values.get(&variable).copied());
            self.found.push(Constraint { globals: Vec::new(), formula, defines: None });
        }
    }

    fn copy(&mut self, variable: Term) -> Term {
        self.copies += 1;
        variable.at_instance(self.copies)
    }

    fn choose(&mut self, variables: &[Term]) {
        for variable in variables {
            let copy = self.copy(*variable);
            self.set(*variable, copy);
        }
    }

    /// A copy of a variable that takes a value, where the value's globals are tracked.
    fn given(&mut self, variable: Term, value: Term) -> Term {
        let globals = self.free.of(value).to_vec();
        let value = self.now(value);
        if globals.is_empty() && (value.is_var() || !self.is_named) {
            return value;
        }
        let copy = self.copy(variable);
        self.found.push(Constraint { globals, formula: eq(copy, value), defines: Some((copy, value)) });
        copy
    }

    /// Notes which variable has a name as its value.
    fn hold(&mut self, variable: Term, value: Term) {
        if self.is_named && value.is_var() {
            self.holders.entry(value).or_default().insert(variable);
        }
    }

    fn set(&mut self, variable: Term, value: Term) {
        self.hold(variable, value);
        match self.frames.last_mut() {
            Some(frame) if !self.globals.contains(&variable) => frame.values.insert(variable, value),
            _ => self.values.insert(variable, value),
        };
    }

    /// A term over the values that variables have now. Those of an activation that nothing was written to are its own.
    fn now(&mut self, term: Term) -> Term {
        let mut free = Free::new();
        for variable in free.of(term).iter() {
            let is_known = match self.frames.last() {
                Some(frame) if !self.globals.contains(variable) => frame.values.contains_key(variable),
                _ => self.values.contains_key(variable),
            };
            if !is_known {
                let copy = self.copy(*variable);
                self.set(*variable, copy);
            }
        }
        let locals = self.frames.last().map(|frame| &frame.values);
        substitute(term, |variable| {
            locals.and_then(|locals| locals.get(&variable)).or_else(|| self.values.get(&variable)).copied()
        })
    }
}

/// Answers whether a path can be taken.
pub struct PathOracle<'a> {
    pub constraints: &'a [Constraint],
    pub refinement: Refinement,
    /// Makes a solver that knows the axioms.
    pub make: &'a dyn Fn() -> Box<dyn Smt>,
    /// The solver of Algorithm 2, which knows the parameterised path.
    one: Option<Box<dyn Smt>>,
    pub questions: u64,
}

impl<'a> PathOracle<'a> {
    pub fn new(
        constraints: &'a [Constraint],
        refinement: Refinement,
        make: &'a dyn Fn() -> Box<dyn Smt>,
    ) -> PathOracle<'a> {
        PathOracle { constraints, refinement, make, one: None, questions: 0 }
    }

    fn parameterised(&self) -> Box<dyn Smt> {
        let mut smt = (self.make)();
        for Constraint { globals, formula, .. } in self.constraints {
            let clause: Vec<Term> = globals.iter().map(|global| not(tracked(*global))).chain([*formula]).collect();
            smt.assert_clause(&clause);
        }
        smt
    }

    fn abstracted(&self, kept: &BTreeSet<Term>) -> Box<dyn Smt> {
        let mut smt = (self.make)();
        let constraints = self.constraints.iter();
        constraints.filter(|c| c.globals.iter().all(|g| kept.contains(g))).for_each(|c| smt.assert(c.formula));
        smt
    }
}

impl Oracle for PathOracle<'_> {
    fn is_correct(&mut self, kept: &BTreeSet<Term>) -> Result<bool, Reason> {
        self.questions += 1;
        let answer = match self.refinement {
            Refinement::OneFormula => {
                if self.one.is_none() {
                    self.one = Some(self.parameterised());
                }
                let assumptions: Vec<Term> = kept.iter().map(|global| tracked(*global)).collect();
                self.one.as_mut().map(|smt| smt.check_assuming(&assumptions))
            }
            Refinement::Storm | Refinement::Divide => Some(self.abstracted(kept).check()),
        };
        match answer.map(|answer| answer.decided()) {
            Some(Ok(is_sat)) => Ok(!is_sat),
            // What cannot be refuted counts as possible.
            Some(Err(solver::Unknown::Incomplete(_))) => Ok(false),
            Some(Err(why)) => Err(crate::solver_reason(why)),
            None => Ok(false),
        }
    }
}
