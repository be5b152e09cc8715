//! Z3 as a back end.

mod context;
mod float;
mod ops;
mod readback;
pub(crate) mod spacer;
mod translate;
mod values;
mod watch;

use crate::{Answer, Kind, Limits, Smt, Statistics, Unknown, Unsupported};
use context::{Ast, AstVector, Context, Model, Params, Solver, Z3Error};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;
use term::{Op, Term, Value};
use translate::{Translated, Translator};
use values::Reader;
use z3_sys::*;

/// What a solver is tuned for. The answers are the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Profile {
    /// Many small queries with pushes and assumptions, all theories.
    #[default]
    Incremental,
    /// Few hard queries: each starts with preprocessing chosen for its theory.
    Thorough,
    /// As incremental, but quantifiers are instantiated by their triggers alone. Where these find nothing wrong any more, the
    /// answer is unknown, and [`Smt::has_candidate`].
    Triggers,
    /// As incremental, for conditions of programs with integers: the simplex that pivots less, which Boogie asks for as well.
    Bodies,
}

/// A Z3 solver. Solvers made by [`Z3::sibling`] share translated terms; each thread has its own.
pub struct Z3 {
    translator: Rc<RefCell<Translator>>,
    context: Rc<Context>,
    solver: Solver,
    profile: Profile,
    /// The open scopes, the outermost first. The first is never popped.
    scopes: Vec<Scope>,
    model: Option<Reader>,
    core: Vec<Term>,
    limits: Limits,
    statistics: Statistics,
}

#[derive(Default)]
struct Scope {
    /// How many of the translator's axioms are asserted in this scope and those around it.
    axioms: usize,
    /// Booleans that imply an assumption, by the assumption.
    proxies: FxHashMap<Term, Ast>,
    /// The first assertion that could not be translated.
    unsupported: Option<Unsupported>,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new(Profile::default())
    }
}

impl Z3 {
    pub fn new(profile: Profile) -> Z3 {
        let context = Context::new();
        let translator = Rc::new(RefCell::new(Translator::new(context.clone())));
        Z3::within(context, translator, profile)
    }

    /// A solver with its own assertions that shares the translation of terms.
    pub fn sibling(&self, profile: Profile) -> Z3 {
        let mut sibling = Z3::within(self.context.clone(), self.translator.clone(), profile);
        sibling.limits = self.limits.clone();
        sibling
    }

    fn within(context: Rc<Context>, translator: Rc<RefCell<Translator>>, profile: Profile) -> Z3 {
        // SAFETY: the context is alive.
        let solver = unsafe {
            match profile {
                Profile::Incremental | Profile::Triggers | Profile::Bodies => Z3_mk_simple_solver(context.raw()),
                Profile::Thorough => Z3_mk_solver(context.raw()),
            }
        };
        let solver = Solver::own(&context, solver).expect("Z3 makes a solver");
        let z3 = Z3 {
            translator,
            context,
            solver,
            profile,
            scopes: vec![Scope::default()],
            model: None,
            core: Vec::new(),
            limits: Limits::default(),
            statistics: Statistics::default(),
        };
        z3.configure().expect("Z3 knows its own parameters");
        z3
    }

    fn configure(&self) -> Result<(), Z3Error> {
        let params = Params::new(&self.context)?;
        // Answers must not depend on chance.
        params.number(c"random_seed", 0);
        if self.profile == Profile::Triggers {
            params.flag(c"mbqi", false);
            params.flag(c"auto_config", false);
            // Boogie's conditions are triggers' home; these are its own choices.
            params.number(c"case_split", 3);
        }
        if matches!(self.profile, Profile::Triggers | Profile::Bodies) {
            params.number(c"arith.solver", 2);
        }
        // SAFETY: all objects belong to the context.
        unsafe { Z3_solver_set_params(self.context.raw(), self.solver.raw(), params.raw()) };
        match self.context.failed() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    pub fn profile(&self) -> Profile {
        self.profile
    }

    fn translate(&mut self, term: Term) -> Translated {
        let start = Instant::now();
        let translated = self.translator.borrow_mut().term(term);
        self.statistics.record(Kind::Translation, start.elapsed());
        translated
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope is never popped")
    }

    fn add(&mut self, formula: &Ast) {
        // SAFETY: all objects belong to the context.
        unsafe { Z3_solver_assert(self.context.raw(), self.solver.raw(), formula.raw()) };
        if let Some(error) = self.context.failed() {
            self.scope().unsupported.get_or_insert(error.into());
        }
    }

    /// Asserts what the translator has found to be true of its own symbols since the last time.
    fn add_axioms(&mut self) {
        let known = self.scope().axioms;
        let new: Vec<Ast> = self.translator.borrow().axioms()[known..].to_vec();
        for axiom in &new {
            self.add(axiom);
        }
        self.scope().axioms = known + new.len();
    }

    /// A literal of Z3's for an assumption: the term itself, or a Boolean that implies it.
    fn assumption(&mut self, term: Term) -> Translated {
        let atom = if *term.op() == Op::Not { term.args()[0] } else { term };
        let translated = self.translate(term)?;
        if atom.is_var() {
            return Ok(translated);
        }
        if let Some(known) = self.scopes.iter().find_map(|scope| scope.proxies.get(&term)) {
            return Ok(known.clone());
        }
        let proxy = self.translator.borrow_mut().fresh()?;
        // SAFETY: all objects belong to the context.
        let implication = unsafe { Z3_mk_implies(self.context.raw(), proxy.raw(), translated.raw()) };
        let implication = Ast::own(&self.context, implication)?;
        self.add(&implication);
        self.scope().proxies.insert(term, proxy.clone());
        Ok(proxy)
    }

    fn run(&mut self, assumptions: &[Term]) -> Answer {
        self.model = None;
        self.core.clear();
        if let Some(exceeded) = self.limits.exceeded() {
            return Answer::Unknown(exceeded.into());
        }
        let literals: Result<Vec<Ast>, Unsupported> = assumptions.iter().map(|t| self.assumption(*t)).collect();
        self.add_axioms();
        let unsupported = self.scopes.iter().find_map(|scope| scope.unsupported.clone());
        let literals = match (literals, unsupported) {
            (Ok(literals), None) => literals,
            (Err(unsupported), _) | (_, Some(unsupported)) => {
                return Answer::Unknown(Unknown::Unsupported(unsupported));
            }
        };
        let raw: Vec<Z3_ast> = literals.iter().map(Ast::raw).collect();
        let (c, s) = (self.context.raw(), self.solver.raw());
        // SAFETY: all objects belong to the context; the array has as many elements as the call says.
        let check = || unsafe { Z3_solver_check_assumptions(c, s, raw.len() as u32, raw.as_ptr()) };
        let start = Instant::now();
        let (answer, interrupted) = self.context.watch.run(&self.limits, check);
        self.statistics.record(Kind::Check, start.elapsed());
        match answer {
            Z3_L_TRUE => self.read_model(),
            Z3_L_FALSE => self.read_core(assumptions, &literals),
            _ => match interrupted {
                Some(why) => Answer::Unknown(why),
                None => {
                    let reason = self.reason();
                    if self.profile == Profile::Triggers {
                        // Whether there is a candidate is seen by its being there.
                        self.read_model();
                    }
                    Answer::Unknown(reason)
                }
            },
        }
    }

    fn read_model(&mut self) -> Answer {
        // SAFETY: all objects belong to the context.
        let model = unsafe { Z3_solver_get_model(self.context.raw(), self.solver.raw()) };
        match Model::own(&self.context, model) {
            Ok(model) => {
                let axioms = self.scope().axioms;
                self.model = Some(Reader::new(model, axioms));
                Answer::Sat
            }
            Err(error) => Answer::Unknown(Unknown::Incomplete(error.0)),
        }
    }

    fn read_core(&mut self, assumptions: &[Term], literals: &[Ast]) -> Answer {
        if assumptions.is_empty() {
            return Answer::Unsat;
        }
        // SAFETY: all objects belong to the context.
        let core = unsafe { Z3_solver_get_unsat_core(self.context.raw(), self.solver.raw()) };
        match AstVector::own(&self.context, core).and_then(|core| core.elements()) {
            Ok(core) => {
                let used: FxHashSet<usize> = core.iter().map(|ast| ast.raw().as_ptr() as usize).collect();
                let is_used = |literal: &Ast| used.contains(&(literal.raw().as_ptr() as usize));
                let needed = assumptions.iter().zip(literals).filter(|(_, literal)| is_used(literal));
                self.core = needed.map(|(term, _)| *term).collect();
                self.core.sort_unstable();
                self.core.dedup();
                Answer::Unsat
            }
            Err(error) => Answer::Unknown(Unknown::Incomplete(error.0)),
        }
    }

    fn reason(&self) -> Unknown {
        // SAFETY: all objects belong to the context; the text is copied at once.
        let text = unsafe { self.context.text(Z3_solver_get_reason_unknown(self.context.raw(), self.solver.raw())) };
        Unknown::Incomplete(text)
    }
}

impl Smt for Z3 {
    fn name(&self) -> &'static str {
        "Z3"
    }

    fn assert(&mut self, formula: Term) {
        self.model = None;
        match self.translate(formula) {
            Ok(ast) => self.add(&ast),
            Err(unsupported) => {
                self.scope().unsupported.get_or_insert(unsupported);
            }
        }
    }

    fn push(&mut self) {
        self.model = None;
        // SAFETY: all objects belong to the context.
        unsafe { Z3_solver_push(self.context.raw(), self.solver.raw()) };
        let axioms = self.scope().axioms;
        self.scopes.push(Scope { axioms, ..Scope::default() });
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.model = None;
        self.scopes.pop();
        // SAFETY: all objects belong to the context, and there is a scope to pop.
        unsafe { Z3_solver_pop(self.context.raw(), self.solver.raw(), 1) };
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Answer {
        self.run(assumptions)
    }

    fn value(&mut self, term: Term) -> Option<Value> {
        self.model.as_mut()?.value(&mut self.translator.borrow_mut(), term)
    }

    fn has_candidate(&self) -> bool {
        self.model.is_some()
    }

    fn core(&self) -> &[Term] {
        &self.core
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn statistics_mut(&mut self) -> &mut Statistics {
        &mut self.statistics
    }
}
