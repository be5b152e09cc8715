//! The five rules of Delta -> Delta^1 (Section 4), each as a function: what the path edges of a node make of those of
//! its successors.
//!
//! Slips of the paper: the rule for a call relates the caller's entry valuation to the callee's, while a callee's
//! path edges begin at its own entry, so it must be quantified away like the current one; and it mixes its primed
//! vectors, where the callee's entry valuation is meant to be related to itself. Delta^0 is meant to be the identity
//! at the first vertex only.

use crate::disjunct::Disjunct;
use crate::expression::Walk;
use crate::program::{Body, Statement};
use crate::slips::{self, Slip};
use crate::tabulate::{From, Halt, NodeId, Table};
use arithmetic::Sum;
use engine::Reason;
use ir::{EdgeId, LocId, ProcId};
use rustc_hash::FxHashMap;
use sets::Constraint;
use term::Term;

impl Table<'_> {
    /// Applies to a node all rules that its location has.
    pub fn successors(&mut self, node: NodeId) -> Result<(), Halt> {
        let (procedure, location) = (self.nodes[node].procedure, self.nodes[node].location);
        let (cfa, body) = self.body(procedure)?;
        if location == cfa.exit() {
            return self.exit(procedure, node);
        }
        for edge in cfa.outgoing(location) {
            let to = cfa.edge(*edge).to;
            match &body.statements[edge.0 as usize] {
                Statement::Skip => self.skip(node, *edge, to)?,
                Statement::Assign(pairs) => self.assignment(node, *edge, to, pairs)?,
                Statement::Condition(condition) => self.condition(node, *edge, to, *condition)?,
                Statement::Call { procedure, arguments, .. } => self.call(node, *edge, *procedure, arguments)?,
                Statement::Unsupported(what) => return Err(Halt(Reason::NotAttempted((*what).to_string()))),
            }
        }
        Ok(())
    }

    /// Skip and return: the same path edges.
    fn skip(&mut self, node: NodeId, edge: EdgeId, to: LocId) -> Result<(), Halt> {
        let same = self.nodes[node].disjunct.as_ref().clone();
        self.step(node, edge, to, vec![same])
    }

    /// An assignment: x' is quantified in the meet of Delta_i(x, x'), alpha(y'', e') and z'' = z'.
    fn assignment(&mut self, node: NodeId, edge: EdgeId, to: LocId, pairs: &[(usize, Term)]) -> Result<(), Halt> {
        let cases = self.walk(node, |walk, before| walk.assign(before, pairs))?;
        self.step(node, edge, to, cases)
    }

    /// A branch of `if`, `while` or `assert`: the meet with beta+ or beta-, as the edge has it.
    fn condition(&mut self, node: NodeId, edge: EdgeId, to: LocId, condition: Term) -> Result<(), Halt> {
        let cases = self.walk(node, |walk, before| walk.condition(before, condition, true))?;
        self.step(node, edge, to, cases)
    }

    /// A call: the callee's entry valuation is related to itself, where parameters have the values of the arguments.
    fn call(&mut self, node: NodeId, edge: EdgeId, callee: ProcId, arguments: &[Term]) -> Result<(), Halt> {
        self.calls[callee.0 as usize].push((node, edge));
        let (cfa, body) = self.body(callee)?;
        for mut case in self.arguments(node, arguments)? {
            let mut entry: Vec<_> = case.values[..body.globals].to_vec();
            entry.extend(case.stack.drain(..).map(Some));
            let mut values = entry.clone();
            if slips::is(Slip::CallersEntry) {
                entry[..body.globals].clone_from_slice(&case.entry[..body.globals]);
            }
            values.resize(body.variables.len(), None);
            // The caller's valuations are quantified: nothing mentions them any more.
            (case.entry, case.values) = (entry, values);
            self.add(callee, cfa.entry(), unknown_as_symbols(case), From::Enter { node, edge })?;
        }
        for exit in self.exits[callee.0 as usize].clone() {
            self.returned(node, edge, exit)?;
        }
        Ok(())
    }

    /// An exit: a summary edge, for all calls so far.
    fn exit(&mut self, procedure: ProcId, node: NodeId) -> Result<(), Halt> {
        self.exits[procedure.0 as usize].push(node);
        for (call, edge) in self.calls[procedure.0 as usize].clone() {
            self.returned(call, edge, node)?;
        }
        Ok(())
    }

    /// What a summary edge makes of a call: the values at the call are the callee's entry valuation, and globals and
    /// results are what the callee left.
    fn returned(&mut self, node: NodeId, edge: EdgeId, exit: NodeId) -> Result<(), Halt> {
        let (cfa, body) = self.body(self.nodes[node].procedure)?;
        let (_, callee) = self.body(self.nodes[exit].procedure)?;
        let Statement::Call { arguments, results, .. } = &body.statements[edge.0 as usize] else {
            return Err(Halt(Reason::Internal("a call site has no call".into())));
        };
        let summary = self.nodes[exit].disjunct.clone();
        let mut cases = Vec::new();
        'cases: for mut case in self.arguments(node, arguments)? {
            for global in 0..body.globals {
                let sum = case.value(global);
                case.stack.push(sum);
            }
            let (entry, left) = case.include(&summary);
            // The callee's sums are kept up to date with the caller's while equations are added.
            let kept = |sum: &Option<_>| sum.clone().unwrap_or_else(|| Sum::constant(arithmetic::Rational::ZERO));
            let base = case.stack.len();
            case.stack.extend(entry.iter().chain(&left).map(kept));
            for (at, known) in entry.iter().enumerate() {
                if known.is_none() {
                    continue;
                }
                // Arguments come first on the stack, then globals.
                let own = if at < callee.globals { callee.formals + at } else { at - callee.globals };
                let difference = case.stack[base + at].minus(&case.stack[own]);
                if !case.assume(Constraint::zero(difference)) {
                    continue 'cases;
                }
            }
            if self.arithmetic.is_empty(&case)? {
                continue;
            }
            let after =
                |at: usize, case: &Disjunct| left[at].as_ref().map(|_| case.stack[base + entry.len() + at].clone());
            for global in 0..body.globals {
                case.values[global] = after(global, &case);
            }
            for (from, to) in callee.results.iter().zip(results) {
                case.values[*to] = after(*from, &case);
            }
            cases.push(case);
        }
        let (procedure, to) = (self.nodes[node].procedure, cfa.edge(edge).to);
        for case in cases {
            self.add(procedure, to, case, From::Return { node, edge, exit })?;
        }
        Ok(())
    }

    /// The path edges of a node with the values of arguments on the stack.
    fn arguments(&mut self, node: NodeId, arguments: &[Term]) -> Result<Vec<Disjunct>, Halt> {
        let (_, body) = self.body(self.nodes[node].procedure)?;
        let before = self.nodes[node].disjunct.as_ref().clone();
        self.values(body, before, arguments)
    }

    /// Path edges of a procedure with the values of terms on the stack.
    pub fn values(&mut self, body: &Body, before: Disjunct, terms: &[Term]) -> Result<Vec<Disjunct>, Halt> {
        let positions = &body.positions;
        let mut walk = Walk { positions, arithmetic: &mut self.arithmetic, oracle: None, approximated: 0 };
        let mut cases = vec![before];
        for term in terms {
            let mut next = Vec::new();
            for case in cases {
                next.extend(walk.value(case, *term)?);
            }
            cases = next;
        }
        self.approximated += walk.approximated;
        Ok(cases)
    }

    /// What a statement makes of the path edges of a node.
    fn walk(
        &mut self,
        node: NodeId,
        of: impl FnOnce(&mut Walk<'_>, Disjunct) -> Result<Vec<Disjunct>, sets::Stop>,
    ) -> Result<Vec<Disjunct>, Halt> {
        let (_, body) = self.body(self.nodes[node].procedure)?;
        let before = self.nodes[node].disjunct.as_ref().clone();
        let positions: &FxHashMap<Term, usize> = &body.positions;
        let mut walk = Walk { positions, arithmetic: &mut self.arithmetic, oracle: None, approximated: 0 };
        let cases = of(&mut walk, before)?;
        self.approximated += walk.approximated;
        Ok(cases)
    }

    fn step(&mut self, node: NodeId, edge: EdgeId, to: LocId, cases: Vec<Disjunct>) -> Result<(), Halt> {
        let procedure = self.nodes[node].procedure;
        for mut case in cases {
            let outcomes = std::mem::take(&mut case.outcomes).into();
            self.add(procedure, to, case, From::Step { node, edge, outcomes })?;
        }
        Ok(())
    }
}

/// Entry valuations of which nothing is known are symbols all the same: values are related to them.
fn unknown_as_symbols(mut disjunct: Disjunct) -> Disjunct {
    for at in 0..disjunct.entry.len() {
        if disjunct.entry[at].is_none() {
            let any = disjunct.fresh();
            disjunct.entry[at] = Some(any.clone());
            disjunct.values[at] = Some(any);
        }
    }
    disjunct
}
