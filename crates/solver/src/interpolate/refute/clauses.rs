//! Formulas to clauses, each clause with the group that it belongs to.
//!
//! A part of a formula that is no atom gets a gate: a variable which implies the part (or its negation; each direction
//! has its own gate). Gates belong to one group, so they never occur in interpolants.
//!
//! Terms are looked at as they come: their parts, which the theories do not understand by themselves, are collected
//! for [`super::axioms`].

use super::atoms::{Atoms, Signed};
use super::lemma::Lemma;
use super::sat::{Lit, Sat, Var};
use super::tableau::Tableau;
use arithmetic::terms::is_numeric;
use rustc_hash::FxHashMap;
use term::{Op, Term, Value, visit};

/// Where a clause comes from.
pub(super) enum Source {
    /// The formula of a group, or an axiom over its symbols.
    Group(usize),
    /// It holds in a theory.
    Lemma(Lemma),
}

pub(super) struct Clauses {
    pub sat: Sat,
    /// All constraints together.
    pub tableau: Tableau,
    pub atoms: Atoms,
    pub sources: Vec<Source>,
    /// The clauses of groups, for looking for implicants.
    pub given: Vec<Vec<Lit>>,
    /// The first and last group that a variable occurs in.
    spans: FxHashMap<Var, (usize, usize)>,
    gates: FxHashMap<(Term, bool, usize), Lit>,
    /// Gates whose clauses are still to be added.
    pending: Vec<(Lit, Term, bool, usize)>,
    /// Terms that were met, with the group where they were met first.
    pub met: Vec<(Term, usize)>,
    met_at: FxHashMap<Term, usize>,
}

impl Clauses {
    pub fn new() -> Clauses {
        Clauses {
            sat: Sat::default(),
            tableau: Tableau::new(),
            atoms: Atoms::default(),
            sources: Vec::new(),
            given: Vec::new(),
            spans: FxHashMap::default(),
            gates: FxHashMap::default(),
            pending: Vec::new(),
            met: Vec::new(),
            met_at: FxHashMap::default(),
        }
    }

    /// The last group that a variable occurs in. After it, the variable is the past's own.
    pub fn last(&self, var: Var) -> usize {
        self.span(var).1
    }

    /// The first and the last group that a variable occurs in.
    pub fn span(&self, var: Var) -> (usize, usize) {
        self.spans.get(&var).copied().unwrap_or((0, 0))
    }

    /// Says that a variable occurs in a group.
    pub fn occurs(&mut self, var: Var, group: usize) {
        let span = self.spans.entry(var).or_insert((group, group));
        *span = (span.0.min(group), span.1.max(group));
    }

    /// Adds a formula that holds in a group.
    pub fn formula(&mut self, formula: Term, group: usize) {
        self.clause(&[(formula, true)], None, group);
        while let Some((gate, term, positive, group)) = self.pending.pop() {
            self.define(gate, term, positive, group);
        }
    }

    /// Adds a clause of parts, under a gate if there is one.
    fn clause(&mut self, parts: &[(Term, bool)], gate: Option<Lit>, group: usize) {
        let mut literals: Vec<Lit> = gate.map(|gate| !gate).into_iter().collect();
        // Disjunctions inside the clause need no gates of their own.
        let mut stack: Vec<(Term, bool)> = parts.iter().rev().copied().collect();
        while let Some((part, positive)) = stack.pop() {
            match (part.op(), positive) {
                (Op::Not, _) => stack.push((part.args()[0], !positive)),
                (Op::Or, true) | (Op::And, false) => stack.extend(part.args().iter().rev().map(|a| (*a, positive))),
                (Op::Implies, true) => stack.extend([(part.args()[1], true), (part.args()[0], false)]),
                _ => match self.literal(part, positive, group) {
                    Signed::Known(true) => return,
                    Signed::Known(false) => {}
                    Signed::Literal(literal) => literals.push(literal),
                },
            }
        }
        self.add(literals, group);
    }

    fn add(&mut self, literals: Vec<Lit>, group: usize) {
        for literal in &literals {
            self.occurs(literal.var(), group);
        }
        self.sat.add(literals.clone(), self.sources.len());
        self.sources.push(Source::Group(group));
        self.given.push(literals);
    }

    /// Adds a clause that holds in a theory.
    pub fn lemma(&mut self, lemma: Lemma) {
        debug_assert!(lemma.holds(&self.atoms));
        self.sat.add(lemma.clause(), self.sources.len());
        self.sources.push(Source::Lemma(lemma));
    }

    /// The literal for a part, positive or negated.
    fn literal(&mut self, part: Term, positive: bool, group: usize) -> Signed {
        let signed = |signed: Signed| if positive { signed } else { !signed };
        match part.op() {
            Op::Const(Value::Bool(b)) => Signed::Known(*b == positive),
            Op::Le | Op::Lt => {
                let [a, b] = part.args() else { unreachable!("comparisons have two arguments") };
                signed(self.compare(*a, *b, *part.op() == Op::Lt, group))
            }
            Op::Eq if is_numeric(part.args()[0]) => {
                // One bound may decide the equation already.
                let [a, b] = part.args() else { unreachable!("equations have two arguments") };
                let both = (self.compare(*a, *b, false, group), self.compare(*b, *a, false, group));
                match both {
                    (Signed::Known(false), _) | (_, Signed::Known(false)) => signed(Signed::Known(false)),
                    (Signed::Known(true), Signed::Known(true)) => signed(Signed::Known(true)),
                    _ => self.gate(part, positive, group),
                }
            }
            Op::Eq if !part.args()[0].sort().is_bool() => {
                let [a, b] = part.args() else { unreachable!("equations have two arguments") };
                self.meet(*a, group);
                self.meet(*b, group);
                signed(self.atoms.equal(&mut self.sat, *a, *b))
            }
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor | Op::Eq | Op::Ite => self.gate(part, positive, group),
            _ => {
                self.meet(part, group);
                signed(Signed::Literal(self.atoms.proposition(&mut self.sat, part)))
            }
        }
    }

    /// Whether `a <= b`, or `a < b`.
    fn compare(&mut self, a: Term, b: Term, strict: bool, group: usize) -> Signed {
        self.meet(a, group);
        self.meet(b, group);
        let sum = self.atoms.sums.of(a).minus(&self.atoms.sums.of(b));
        self.atoms.at_most_zero(&mut self.sat, &sum, strict)
    }

    fn gate(&mut self, part: Term, positive: bool, group: usize) -> Signed {
        if let Some(known) = self.gates.get(&(part, positive, group)) {
            return Signed::Literal(*known);
        }
        let gate = self.atoms.gate(&mut self.sat);
        self.gates.insert((part, positive, group), gate);
        self.pending.push((gate, part, positive, group));
        Signed::Literal(gate)
    }

    /// Adds the clauses by which a gate implies its part.
    fn define(&mut self, gate: Lit, part: Term, positive: bool, group: usize) {
        let mut add = |clause: &[(Term, bool)]| self.clause(clause, Some(gate), group);
        match (part.op(), part.args()) {
            (Op::And | Op::Or, args) => {
                if (*part.op() == Op::And) == positive {
                    args.iter().for_each(|a| add(&[(*a, positive)]));
                } else {
                    add(&args.iter().map(|a| (*a, positive)).collect::<Vec<_>>());
                }
            }
            (Op::Not, [a]) => add(&[(*a, !positive)]),
            (Op::Implies, [a, b]) if positive => add(&[(*a, false), (*b, true)]),
            (Op::Implies, [a, b]) => {
                add(&[(*a, true)]);
                add(&[(*b, false)]);
            }
            (Op::Ite, [c, a, b]) => {
                add(&[(*c, false), (*a, positive)]);
                add(&[(*c, true), (*b, positive)]);
            }
            (Op::Eq, [a, b]) if is_numeric(*a) => self.define_equation(gate, *a, *b, positive, group),
            (Op::Xor | Op::Eq, [a, b]) => {
                let same = (*part.op() == Op::Eq) == positive;
                add(&[(*a, true), (*b, !same)]);
                add(&[(*a, false), (*b, same)]);
            }
            (op, _) => unreachable!("{op:?} has no gate"),
        }
    }

    fn define_equation(&mut self, gate: Lit, a: Term, b: Term, positive: bool, group: usize) {
        let bounds = [self.compare(a, b, false, group), self.compare(b, a, false, group)];
        let bounds = bounds.into_iter().filter_map(|bound| match bound {
            Signed::Literal(literal) => Some(literal),
            Signed::Known(_) => None,
        });
        if positive {
            bounds.collect::<Vec<_>>().into_iter().for_each(|bound| self.add(vec![!gate, bound], group));
        } else {
            let clause = std::iter::once(!gate).chain(bounds.map(|bound| !bound)).collect();
            self.add(clause, group);
        }
    }

    /// The group where a term was met first.
    pub fn met_at(&self, term: Term) -> Option<usize> {
        self.met_at.get(&term).copied()
    }

    /// Notes a term and its parts for axioms, and gives every numeric column a variable, so that it has a value.
    pub fn meet(&mut self, term: Term, group: usize) {
        if self.met_at.contains_key(&term) {
            return;
        }
        // What is under a binder speaks of other variables.
        let parts = visit::post_order([term]).into_iter().filter(|part| visit::bound(*part).is_empty());
        for part in parts.collect::<Vec<_>>() {
            if self.met_at.contains_key(&part) {
                continue;
            }
            self.met_at.insert(part, group);
            self.met.push((part, group));
            if is_numeric(part) {
                let sum = self.atoms.sums.of(part);
                for (column, _) in &sum.columns {
                    self.tableau.column(*column);
                }
            }
        }
    }
}
