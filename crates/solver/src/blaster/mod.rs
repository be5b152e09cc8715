//! Our own solver for machine arithmetic: bits and CaDiCaL.
//!
//! Takes Booleans, bit-vectors, pointers, floats, arrays between them and uninterpreted functions. It shares no code with Z3, and
//! is fast where many small questions are asked of the same formulas: what was translated stays, scopes are literals.

mod encode;
mod equations;
mod gates;
mod reads;

use crate::sat::Lit;
use crate::{Answer, Kind, Limits, Smt, Statistics, Unknown, Unsupported};
use encode::Encoder;
use std::time::Instant;
use term::{Op, Term, Value, visit};

/// The bit-blaster.
/// Conflicts and decisions that are little effort.
const LITTLE: (i32, i32) = (500, 5000);

pub struct Blaster {
    encoder: Encoder,
    scopes: Vec<Scope>,
    /// Whether the last check found a model, which is still to be read.
    model: bool,
    core: Vec<Term>,
    limits: Limits,
    statistics: Statistics,
}

/// A scope of assertions.
#[derive(Default)]
struct Scope {
    /// Assertions hold where this does. The outermost scope needs none.
    active: Option<Lit>,
    unsupported: Option<Unsupported>,
}

impl Default for Blaster {
    fn default() -> Blaster {
        Blaster::new()
    }
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            encoder: Encoder::new(),
            scopes: vec![Scope::default()],
            model: false,
            core: Vec::new(),
            limits: Limits::default(),
            statistics: Statistics::default(),
        }
    }

    /// Whether a term can be taken if its arguments can.
    pub fn takes(term: Term) -> bool {
        let is_other = matches!(term.op(), Op::ObjectAt | Op::FpRem);
        encode::takes(term.sort()) && !is_other && visit::bound(term).is_empty()
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope stays")
    }

    /// Asserts that one of the literals holds.
    fn add(&mut self, mut clause: Vec<Lit>) {
        clause.extend(self.scope().active.map(|active| !active));
        self.encoder.gates.sat.clause(&clause);
    }

    fn try_assert(&mut self, formula: Term) -> Result<(), Unsupported> {
        match formula.op() {
            Op::And => formula.args().iter().try_for_each(|conjunct| self.try_assert(*conjunct)),
            Op::Or => self.try_clause(formula.args()),
            _ => self.try_clause(&[formula]),
        }
    }

    fn try_clause(&mut self, literals: &[Term]) -> Result<(), Unsupported> {
        let literals: Result<Vec<Lit>, Unsupported> = literals.iter().map(|t| self.encoder.literal(*t)).collect();
        self.add(literals?);
        Ok(())
    }

    /// Translates, and remembers what could not be.
    fn taking(&mut self, act: impl FnOnce(&mut Blaster) -> Result<(), Unsupported>) {
        self.model = false;
        let start = Instant::now();
        if let Err(unsupported) = act(self) {
            self.scope().unsupported.get_or_insert(unsupported);
        }
        self.statistics.record(Kind::Translation, start.elapsed());
    }

    /// Solves until a model keeps what is demanded lazily.
    fn solve_lazily(&mut self, literals: &[Lit]) -> Result<bool, Unknown> {
        let encoder = &mut self.encoder;
        loop {
            let found = encoder.gates.sat.solve(literals, &self.limits)?;
            if !found || !encoder.reads.repair(&mut encoder.gates) && !encoder.repair_equations()? {
                return Ok(found);
            }
        }
    }

    fn solve(&mut self, literals: &[Lit]) -> Result<bool, Unknown> {
        let start = Instant::now();
        let result = self.solve_lazily(literals);
        self.statistics.record(Kind::Check, start.elapsed());
        result
    }
}

impl Smt for Blaster {
    fn name(&self) -> &'static str {
        "bit-blaster with CaDiCaL"
    }

    fn assert(&mut self, formula: Term) {
        self.taking(|blaster| blaster.try_assert(formula));
    }

    fn assert_clause(&mut self, literals: &[Term]) {
        self.taking(|blaster| blaster.try_clause(literals));
    }

    fn prepare(&mut self, terms: &[Term]) {
        self.model = false;
        // What cannot be encoded has no value, which is said when it is asked for.
        terms.iter().for_each(|term| drop(self.encoder.bits(*term)));
    }

    fn push(&mut self) {
        self.model = false;
        let active = Some(self.encoder.gates.sat.fresh());
        self.scopes.push(Scope { active, unsupported: None });
    }

    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.model = false;
        if let Some(active) = self.scopes.pop().and_then(|scope| scope.active) {
            self.encoder.gates.sat.clause(&[!active]);
        }
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Answer {
        self.model = false;
        self.core.clear();
        let mut assumed = Vec::with_capacity(assumptions.len());
        let start = Instant::now();
        for assumption in assumptions {
            match self.encoder.literal(*assumption) {
                Ok(literal) => assumed.push(literal),
                Err(unsupported) => return Answer::Unknown(Unknown::Unsupported(unsupported)),
            }
        }
        self.statistics.record(Kind::Translation, start.elapsed());
        if let Some(unsupported) = self.scopes.iter().find_map(|scope| scope.unsupported.clone()) {
            return Answer::Unknown(Unknown::Unsupported(unsupported));
        }
        let active = self.scopes.iter().filter_map(|scope| scope.active);
        let literals: Vec<Lit> = active.chain(assumed.iter().copied()).collect();
        match self.solve(&literals) {
            Ok(true) => {
                self.model = true;
                Answer::Sat
            }
            Ok(false) => {
                let sat = &mut self.encoder.gates.sat;
                let needed = assumptions.iter().zip(&assumed).filter(|(_, literal)| sat.failed(**literal));
                self.core = needed.map(|(term, _)| *term).collect();
                self.core.sort_unstable();
                self.core.dedup();
                Answer::Unsat
            }
            Err(why) => Answer::Unknown(why),
        }
    }

    fn refutes(&mut self, assumptions: &[Term]) -> bool {
        self.encoder.gates.sat.bound_next(LITTLE.0, LITTLE.1);
        self.check_assuming(assumptions).is_unsat()
    }

    fn value(&mut self, term: Term) -> Option<Value> {
        if !self.model {
            return None;
        }
        // A negation is read off what it negates.
        match (term.op(), term.args()) {
            (Op::Not, [arg]) => Some(Value::Bool(!self.encoder.value(*arg)?.as_bool()?)),
            _ => self.encoder.value(term),
        }
    }

    fn has_candidate(&self) -> bool {
        self.model
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
