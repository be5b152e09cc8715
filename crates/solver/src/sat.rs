//! Propositional satisfiability: CaDiCaL, incremental, under limits.

use crate::{Limits, Unknown};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::RefCell;
use std::ops::Not;
use std::rc::Rc;

/// A literal: a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(pub(crate) i32);

impl Lit {
    pub fn is_negated(self) -> bool {
        self.0 < 0
    }

    /// The literal without its negation.
    pub fn variable(self) -> Lit {
        Lit(self.0.abs())
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// Limits of the call under way, and which of them ended it.
#[derive(Default)]
struct Watch {
    limits: Limits,
    exceeded: Option<Unknown>,
    calls: u32,
}

/// CaDiCaL's questions whether it should end. It asks often; the memory is looked at less often.
struct Stop(Rc<RefCell<Watch>>);

/// Every so many questions, the limits are looked at.
const LOOK: u32 = 16;

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        let mut watch = self.0.borrow_mut();
        watch.calls += 1;
        if watch.exceeded.is_none() && watch.calls.is_multiple_of(LOOK) {
            watch.exceeded = watch.limits.exceeded().map(Unknown::from);
        }
        watch.exceeded.is_some()
    }
}

/// A set of clauses that can be checked for a model, again and again.
pub struct Sat {
    pub(crate) solver: CaDiCal,
    watch: Rc<RefCell<Watch>>,
    variables: i32,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Sat {
    pub fn new() -> Sat {
        let mut solver = CaDiCal::new();
        // New variables by factoring would need declarations of ours first.
        solver.set("factor", 0);
        // Trying all-true and the like first pays for single questions only.
        solver.set("lucky", 0);
        // Many small questions of the same clauses: what was assigned stays as far as it can.
        solver.set("ilb", 2);
        // To keep the best assignment so far is a copy of all variables at most conflicts, which is only worth while in long searches.
        solver.set("rephase", 2);
        // Terms come before what is made of them: to decide these first leaves less to decide.
        solver.set("reverse", 1);
        let watch = Rc::new(RefCell::new(Watch::default()));
        solver.connect_terminator(Stop(watch.clone()));
        Sat { solver, watch, variables: 0 }
    }

    /// A variable that occurs nowhere yet.
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit(self.variables)
    }

    pub fn clause(&mut self, literals: &[Lit]) {
        for literal in literals {
            self.solver.add(literal.0);
        }
        self.solver.add(0);
    }

    /// Whether the clauses have a model in which the assumptions hold.
    pub fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Result<bool, Unknown> {
        if let Some(exceeded) = limits.exceeded() {
            return Err(exceeded.into());
        }
        for assumption in assumptions {
            self.solver.assume(assumption.0);
        }
        *self.watch.borrow_mut() = Watch { limits: limits.clone(), ..Watch::default() };
        match self.solver.solve() {
            Status::SATISFIABLE => Ok(true),
            Status::UNSATISFIABLE => Ok(false),
            Status::UNKNOWN => {
                let exceeded = self.watch.borrow_mut().exceeded.take();
                Err(exceeded.unwrap_or_else(|| Unknown::Incomplete("the SAT solver stopped".into())))
            }
        }
    }

    /// Bounds the work of the next call: it may stop without an answer.
    pub fn bound_next(&mut self, conflicts: i32, decisions: i32) {
        self.solver.limit("conflicts", conflicts);
        self.solver.limit("decisions", decisions);
    }

    /// A literal's value in the model that the last call found.
    ///
    /// # Panics
    /// If the last call found none, or clauses were added since.
    pub fn value(&mut self, literal: Lit) -> bool {
        // CaDiCaL answers with the literal itself if it is true.
        self.solver.val(literal.0) == literal.0
    }

    /// Whether the last call, which found no model, needed this assumption.
    ///
    /// # Panics
    /// If the last call found a model, or clauses were added since.
    pub fn failed(&mut self, assumption: Lit) -> bool {
        self.solver.failed(assumption.0)
    }
}
