//! How a location is left: which of its edges can be taken.

use super::unit::{Emit, Stale, Unit};
use super::{Compiler, Fixup};
use crate::interp::code::{Candidate, Choose, Pc, Probe, Switch};
use crate::interp::instr::Instr;
use crate::interp::layout::{Reg, encode};
use crate::{Cfa, EdgeId, LocId, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op as TermOp, Term, Value, build};

/// The shape of a decision.
enum Shape {
    /// One edge, and what must hold for it.
    Single(EdgeId, Option<Term>),
    /// The first edge if the condition holds, otherwise the second.
    TwoWay(Term, EdgeId, EdgeId),
    /// An edge for each value of a term, and perhaps one for all other values.
    Switch { on: Term, cases: Vec<(u128, EdgeId)>, other: Option<EdgeId> },
    /// Any of the edges whose condition holds.
    Any(Vec<(EdgeId, Option<Term>)>),
}

impl Compiler<'_> {
    pub(super) fn branch(&mut self, cfa: &Cfa, location: LocId) {
        let guards: Vec<(EdgeId, Option<Term>)> = cfa.outgoing(location).iter().map(|e| (*e, guard(cfa, *e))).collect();
        let only_assumes = guards.iter().all(|(edge, _)| matches!(cfa.edge(*edge).op, Op::Assume(_)));
        match shape(&guards, only_assumes) {
            Shape::Single(edge, condition) => {
                if let Some(condition) = condition {
                    self.decide([condition], |_, c| vec![Instr::Guard { c: c[0] }]);
                }
                self.edge(cfa, edge);
            }
            Shape::TwoWay(condition, then, other) => {
                let exits = self.code.exits.len();
                self.code.exits.extend([Compiler::exit(then), Compiler::exit(other)]);
                for (i, edge) in [then, other].into_iter().enumerate() {
                    self.fixups.push((Fixup::Exit(exits + i), cfa.edge(edge).to));
                }
                self.two_way(condition, exits as u32);
            }
            Shape::Switch { on, cases, other } => {
                let k = self.code.switches.len();
                for (value, edge) in &cases {
                    self.fixups.push((Fixup::Case(k, *value), cfa.edge(*edge).to));
                }
                self.fixups.extend(other.map(|edge| (Fixup::OtherCase(k), cfa.edge(edge).to)));
                let cases = cases.into_iter().map(|(value, edge)| (value, Compiler::exit(edge))).collect();
                self.code.switches.push(Switch { cases, other: other.map(Compiler::exit) });
                self.decide([on], |_, a| vec![Instr::Switch { a: a[0], k: k as u32 }]);
            }
            Shape::Any(guards) => self.any(cfa, guards),
        }
    }

    fn any(&mut self, cfa: &Cfa, guards: Vec<(EdgeId, Option<Term>)>) {
        let k = self.code.choices.len();
        self.code.choices.push(Choose { edges: Vec::new() });
        let conditions: Vec<Term> = guards.iter().filter_map(|(_, condition)| *condition).collect();
        self.decide(conditions, |compiler, registers| {
            let mut registers = registers.iter();
            let candidates = guards.iter().map(|(edge, condition)| Candidate {
                guard: condition.and_then(|_| registers.next().copied()),
                exit: Compiler::exit(*edge),
                has_code: !matches!(cfa.edge(*edge).op, Op::Assume(_)),
            });
            compiler.code.choices[k].edges = candidates.collect();
            vec![Instr::Choose { k: k as u32 }]
        });
        for (i, (edge, _)) in guards.iter().enumerate() {
            if self.code.choices[k].edges[i].has_code {
                self.code.choices[k].edges[i].exit.to = self.code.instrs.len() as Pc;
                self.edge(cfa, *edge);
            } else {
                self.fixups.push((Fixup::Candidate(k, i), cfa.edge(*edge).to));
            }
        }
    }

    /// Computes terms that lie in slots, and does what is made of them.
    fn decide(
        &mut self,
        terms: impl IntoIterator<Item = Term>,
        tail: impl FnOnce(&mut Compiler, &[Reg]) -> Vec<Instr>,
    ) {
        let terms: Vec<Term> = terms.into_iter().collect();
        let mut unit = Unit::new(self, terms.iter().copied());
        let registers: Emit<Vec<Reg>> = terms.iter().map(|term| unit.slot(*term)).collect();
        // Nothing changes in place here, so nothing can be stale.
        let finished = registers.and_then(|registers| {
            let tail = tail(unit.compiler, &registers);
            unit.finish(&tail)
        });
        debug_assert!(!matches!(finished, Err(Stale(_))));
    }

    fn two_way(&mut self, condition: Term, exits: u32) {
        let width = |t: Term| t.sort().bv_width().filter(|w| *w <= 64).map(|w| w as u8);
        match (condition.op(), condition.args()) {
            (TermOp::Eq, &[a, b]) if encodable(a) => {
                self.decide([a, b], |_, r| vec![Instr::BranchEq { a: r[0], b: r[1], exits }]);
            }
            (TermOp::BvUlt, &[a, b]) => self.decide([a, b], |_, r| vec![Instr::BranchUlt { a: r[0], b: r[1], exits }]),
            (TermOp::BvUle, &[a, b]) => self.decide([a, b], |_, r| vec![Instr::BranchUle { a: r[0], b: r[1], exits }]),
            (TermOp::BvSlt, &[a, b]) if let Some(w) = width(a) => {
                self.decide([a, b], |_, r| vec![Instr::BranchSlt { w, a: r[0], b: r[1], exits }]);
            }
            (TermOp::BvSle, &[a, b]) if let Some(w) = width(a) => {
                self.decide([a, b], |_, r| vec![Instr::BranchSle { w, a: r[0], b: r[1], exits }]);
            }
            _ => self.decide([condition], |_, r| vec![Instr::Branch { c: r[0], exits }]),
        }
    }

    /// Compiles the question whether a location can be left.
    pub(super) fn probe(&mut self, cfa: &Cfa, location: LocId) -> Probe {
        let guards: Vec<Option<Term>> = cfa.outgoing(location).iter().map(|edge| guard(cfa, *edge)).collect();
        if guards.is_empty() {
            return Probe::Never;
        }
        let Some(conditions) = guards.into_iter().collect::<Option<Vec<Term>>>() else { return Probe::Always };
        let any = build::or(conditions);
        match any.as_bool() {
            Some(true) => Probe::Always,
            Some(false) => Probe::Never,
            None => {
                let start = self.code.instrs.len() as Pc;
                self.mark(location, None);
                self.decide([any], |_, r| vec![Instr::Answer { c: r[0] }]);
                Probe::Ask(start)
            }
        }
    }
}

/// What must hold for an edge to be taken; `None` if it can always be taken.
///
/// An atomic section is entered only if it can be left again as far as its first location tells: where all edges there
/// are assumptions, one of them must hold. So threads wait for locks that others hold.
fn guard(cfa: &Cfa, edge: EdgeId) -> Option<Term> {
    let edge = cfa.edge(edge);
    let condition = match &edge.op {
        Op::Assume(formula) => *formula,
        Op::AtomicBegin => {
            let assumed = |edge: &EdgeId| match &cfa.edge(*edge).op {
                Op::Assume(formula) => Some(*formula),
                _ => None,
            };
            let inside = cfa.outgoing(edge.to);
            let formulas: Vec<Term> = inside.iter().map(assumed).collect::<Option<_>>()?;
            if formulas.is_empty() {
                return None;
            }
            build::or(formulas)
        }
        _ => return None,
    };
    (condition.as_bool() != Some(true)).then_some(condition)
}

fn shape(guards: &[(EdgeId, Option<Term>)], only_assumes: bool) -> Shape {
    if let [(edge, condition)] = guards {
        return Shape::Single(*edge, *condition);
    }
    if only_assumes {
        if let [(first, Some(a)), (second, Some(b))] = guards {
            if is_negation(*b, *a) {
                return Shape::TwoWay(*a, *first, *second);
            }
            if is_negation(*a, *b) {
                return Shape::TwoWay(*b, *second, *first);
            }
            if build::not(*a) == *b {
                return Shape::TwoWay(*a, *first, *second);
            }
        }
        if let Some(switch) = switch(guards) {
            return switch;
        }
    }
    Shape::Any(guards.to_vec())
}

fn is_negation(negated: Term, term: Term) -> bool {
    *negated.op() == TermOp::Not && negated.args() == [term]
}

/// Equations of one term with different constants, and perhaps an edge for what none of them says.
fn switch(guards: &[(EdgeId, Option<Term>)]) -> Option<Shape> {
    let mut on = None;
    let mut cases = Vec::new();
    let mut values = FxHashMap::default();
    let mut rest = None;
    for (edge, condition) in guards {
        let condition = (*condition)?;
        match equation(condition) {
            Some((term, value)) if on.is_none_or(|on| on == term) => {
                on = Some(term);
                if values.insert(value, condition).is_some() {
                    return None;
                }
                cases.push((value, *edge));
            }
            _ if rest.is_none() => rest = Some((*edge, condition)),
            _ => return None,
        }
    }
    let on = on?;
    let other = match rest {
        None => None,
        Some((edge, condition)) => {
            let parts: FxHashSet<Term> = match condition.op() {
                TermOp::And => condition.args().iter().copied().collect(),
                _ => [condition].into_iter().collect(),
            };
            let all = values.values().all(|case| parts.iter().any(|part| is_negation(*part, *case)));
            if !all || parts.len() != values.len() {
                return None;
            }
            Some(edge)
        }
    };
    Some(Shape::Switch { on, cases, other })
}

/// A term and the constant that it equals.
fn equation(condition: Term) -> Option<(Term, u128)> {
    let (TermOp::Eq, &[a, b]) = (condition.op(), condition.args()) else { return None };
    let constant = |value: &Value| encode(value);
    match (a.value(), b.value()) {
        (None, Some(value)) => Some((a, constant(value)?)),
        (Some(value), None) => Some((b, constant(value)?)),
        _ => None,
    }
}

fn encodable(term: Term) -> bool {
    crate::interp::layout::in_slot(term.sort())
}
