//! Random control-flow automata.

use super::{Config, Terms, decorate};
use crate::{Cfa, Edge, LocId, Location, LocationKind, Op, ProcId, Procedure, PropertyId};
use source::{Place, Symbol};
use term::random::Random;
use term::{Sort, SortKind, Term};

/// What a body may use.
pub(super) struct BodyMaker<'a> {
    pub rng: &'a mut Random,
    pub terms: &'a mut Terms,
    pub config: &'a Config,
    /// All procedures, still without bodies.
    pub procedures: &'a [Procedure],
    pub owner: usize,
    pub properties: usize,
    /// The variables in scope.
    pub variables: Vec<Term>,
}

impl BodyMaker<'_> {
    /// A path from entry to exit, with branches that rejoin it anywhere and special locations beside it.
    pub(super) fn cfa(&mut self) -> Cfa {
        let count = 2 + self.rng.below(self.config.locations.max(1));
        let mut locations: Vec<Location> = (0..count).map(|_| self.location(LocationKind::Plain)).collect();
        // The path visits the plain locations in the order of `path`, so that numbers mean nothing.
        let mut path: Vec<u32> = (0..count as u32).collect();
        if self.rng.once_in(4) {
            path.reverse();
        } else {
            path[1..].rotate_left(1);
        }
        let mut edges = Vec::new();
        for step in 0..count - 1 {
            let (from, next) = (LocId(path[step]), LocId(path[step + 1]));
            if self.rng.once_in(3) {
                let condition = self.term(Sort::bool());
                let other = if self.rng.once_in(2) {
                    let kind = self.special();
                    locations.push(self.location(kind));
                    LocId(locations.len() as u32 - 1)
                } else {
                    LocId(path[1 + self.rng.below(count - 1)])
                };
                let negated = Term::new(term::Op::Not, &[condition]);
                edges.push(self.edge(from, other, Op::Assume(condition)));
                edges.push(self.edge(from, next, Op::Assume(negated)));
            } else {
                let op = self.op();
                edges.push(self.edge(from, next, op));
            }
        }
        if self.config.decorated && self.rng.once_in(8) {
            // Nothing leads here, and nothing leaves.
            locations.push(self.location(LocationKind::Plain));
        }
        Cfa::new(locations, edges, LocId(path[0]), LocId(path[count - 1]))
    }

    fn term(&mut self, sort: Sort) -> Term {
        self.terms.term(self.rng, &mut self.variables, sort, self.config.depth)
    }

    fn location(&mut self, kind: LocationKind) -> Location {
        let label = (self.config.decorated && self.rng.once_in(6)).then(|| decorate::name(self.rng));
        Location { kind, label, place: self.place() }
    }

    fn edge(&mut self, from: LocId, to: LocId, op: Op) -> Edge {
        Edge { from, to, op, place: self.place() }
    }

    fn place(&mut self) -> Option<Place> {
        decorate::place(self.rng, self.config)
    }

    fn special(&mut self) -> LocationKind {
        match self.rng.below(6) {
            0 => LocationKind::End,
            1 if self.config.decorated => LocationKind::Unsupported(Symbol::new("inline \"assembly\"\n")),
            _ if self.properties > 0 => LocationKind::Error(PropertyId(self.rng.below(self.properties) as u32)),
            _ => LocationKind::Plain,
        }
    }

    fn op(&mut self) -> Op {
        match self.rng.below(12) {
            0 => Op::skip(),
            1 => Op::Havoc(self.targets()),
            2 => {
                let formula = self.term(Sort::bool());
                Op::Assume(formula)
            }
            3..=4 => self.call().unwrap_or_else(Op::skip),
            5 if self.config.threads => Op::AtomicBegin,
            6 if self.config.threads => Op::AtomicEnd,
            7 if self.config.threads => self.spawn().unwrap_or_else(Op::skip),
            _ => {
                let targets = self.targets();
                Op::Assign(targets.into_iter().map(|v| (v, self.term(v.sort()))).collect())
            }
        }
    }

    /// Up to three different variables.
    fn targets(&mut self) -> Vec<Term> {
        let mut targets = Vec::new();
        for _ in 0..(1 + self.rng.below(3)).min(self.variables.len()) {
            let variable = *self.rng.pick(&self.variables);
            if !targets.contains(&variable) {
                targets.push(variable);
            }
        }
        targets
    }

    fn callee(&mut self) -> Option<(ProcId, Vec<Term>)> {
        let first = if self.config.recursion { 0 } else { self.owner + 1 };
        let callable = self.procedures.len().checked_sub(first).filter(|n| *n > 0)?;
        let id = first + self.rng.below(callable);
        let callee = &self.procedures[id];
        let mut arguments: Vec<Term> = callee.parameters.iter().map(|p| self.term(p.sort())).collect();
        if callee.variadic && self.rng.once_in(2) {
            let extra = *self.rng.pick(&self.config.sorts);
            arguments.push(self.term(extra));
        }
        Some((ProcId(id as u32), arguments))
    }

    /// A call, if there is something to call and there are variables for its results.
    fn call(&mut self) -> Option<Op> {
        let (procedure, arguments) = self.callee()?;
        let mut results: Vec<Term> = Vec::new();
        for result in &self.procedures[procedure.0 as usize].results {
            let fits = |v: &&Term| v.sort() == result.sort() && !results.contains(v);
            results.push(*self.variables.iter().find(fits)?);
        }
        Some(Op::Call { procedure, arguments, results })
    }

    fn spawn(&mut self) -> Option<Op> {
        let is_number = |v: &&Term| matches!(v.sort().kind(), SortKind::BitVec(_) | SortKind::Int);
        let thread = *self.variables.iter().find(is_number)?;
        let (procedure, arguments) = self.callee()?;
        Some(Op::Spawn { procedure, arguments, thread })
    }
}
