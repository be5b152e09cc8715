//! Lifts: how traces and proofs travel back through a pass.

use engine::{Invariant, Proof, Step, Trace};
use ir::{EdgeId, ProcId, Program};
use std::sync::Arc;

/// The way back from a pass's program to the program before it.
pub trait Lift: Send + Sync {
    /// The same execution on the program before the pass.
    fn trace(&self, trace: Trace) -> Trace;

    /// The same proof on the program before the pass, if it can be carried there.
    fn proof(&self, proof: Proof) -> Option<Proof>;

    /// The edge of the program before the pass that an edge stands for; `None` for one that the pass made up. As it stands,
    /// for passes that keep edges.
    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        Some((procedure, edge))
    }

    /// What the pass took an analysis's word for: programs, and formulas that are inductive in them. A proof counts only if they are.
    fn presumed(&self) -> Vec<(&Program, &[Invariant])> {
        Vec::new()
    }

    /// What shows that a proof about the pass's program is right: the proof itself, or that which it comes back as, so that the
    /// pass need not be trusted.
    fn to_check<'a>(&'a self, program: &'a Program, proof: Proof) -> ToCheck<'a> {
        ToCheck { program, proof, presumed: self.presumed() }
    }
}

/// What there is to check about a proof.
pub struct ToCheck<'a> {
    /// The program that the proof is about.
    pub program: &'a Program,
    pub proof: Proof,
    /// See [`Lift::presumed`].
    pub presumed: Vec<(&'a Program, &'a [Invariant])>,
}

/// What a pass returns.
#[derive(Clone)]
pub struct Passed {
    pub program: Program,
    pub lift: Arc<dyn Lift>,
}

impl Passed {
    /// Applies another pass to the program, and composes the lifts.
    pub fn then(self, pass: impl FnOnce(&Program) -> Passed) -> Passed {
        let passed: Result<Passed, std::convert::Infallible> = self.try_then(|program| Ok(pass(program)));
        let Ok(passed) = passed;
        passed
    }

    /// The same with a pass that not every program can go through.
    pub fn try_then<E>(self, pass: impl FnOnce(&Program) -> Result<Passed, E>) -> Result<Passed, E> {
        let next = pass(&self.program)?;
        debug_assert_eq!(ir::validate(&next.program), Ok(()), "a pass made an invalid program");
        Ok(Passed { program: next.program, lift: Arc::new(Composed { first: self.lift, second: next.lift }) })
    }
}

/// Nothing to carry: the pass kept every location, edge and variable.
pub struct Identity;

impl Lift for Identity {
    fn trace(&self, trace: Trace) -> Trace {
        trace
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        Some(proof)
    }
}

/// The lift of a pass that copies edges: for every procedure and edge of the new program the edge that it stands for, or
/// `None` for an edge that the pass made up. Proofs stay behind, because a location may have several copies.
pub struct EdgeMap {
    pub origins: Vec<Vec<Option<(ProcId, EdgeId)>>>,
}

impl Lift for EdgeMap {
    fn trace(&self, trace: Trace) -> Trace {
        let steps = trace.steps.into_iter().filter_map(|step| {
            let origin = self.edge(step.procedure, step.edge);
            origin.map(|(procedure, edge)| Step { procedure, edge, ..step })
        });
        Trace { steps: steps.collect(), ..trace }
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        self.origins[procedure.0 as usize][edge.0 as usize]
    }
}

struct Composed {
    first: Arc<dyn Lift>,
    second: Arc<dyn Lift>,
}

impl Lift for Composed {
    fn trace(&self, trace: Trace) -> Trace {
        self.first.trace(self.second.trace(trace))
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        self.first.proof(self.second.proof(proof)?)
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        let (procedure, edge) = self.second.edge(procedure, edge)?;
        self.first.edge(procedure, edge)
    }

    fn presumed(&self) -> Vec<(&Program, &[Invariant])> {
        [self.first.presumed(), self.second.presumed()].concat()
    }

    fn to_check<'a>(&'a self, program: &'a Program, proof: Proof) -> ToCheck<'a> {
        let later = self.second.to_check(program, proof);
        let mut check = match std::ptr::eq(later.program, program) {
            true => ToCheck { presumed: self.first.presumed(), program: later.program, proof: later.proof },
            false => self.first.to_check(later.program, later.proof),
        };
        check.presumed.extend(later.presumed);
        check
    }
}
