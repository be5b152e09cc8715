//! What is known of constants wherever a procedure runs.
//!
//! Programs begin by saying what their constants are: that they are the places of different objects, say. Constants never change,
//! so what the beginning tells of them holds in all that is called afterwards. It is found once, by asking the body that all other
//! procedures are called from, and told to all of them; what they find out with it is a lemma *under* these facts.
//!
//! Facts are of the form a < b and a = b, between constants in the order of one model, which is enough to tell all of them that
//! are known to be different from each other.

use crate::atoms::Atoms;
use crate::inlining::Inlining;
use crate::solvers::Make;
use crate::vc::{Template, flag};
use engine::Reason;
use ir::ProcId;
use rustc_hash::FxHashSet;
use solver::{Answer, Smt};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::build::{eq, falsehood, int, lt, not};
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term, Value};

/// What is known, and where.
#[derive(Default)]
pub struct Facts {
    pub formulas: Vec<Term>,
    /// The procedures that may run before they hold.
    before: FxHashSet<ProcId>,
}

impl Facts {
    /// Asks for the facts of a program.
    pub fn new(
        inlining: &mut Inlining<'_>,
        atoms: &Atoms,
        make: Make<'_>,
        tick: &mut dyn FnMut() -> Result<bool, Reason>,
    ) -> Result<Facts, Reason> {
        let mut facts = Facts::default();
        let mut procedure = inlining.program.entry;
        // The first procedures that do nothing but call the next one.
        loop {
            facts.before.insert(procedure);
            let template = inlining.template(procedure)?;
            let inside = constants(&facts, atoms);
            facts.formulas = found(&template, &inside, make(&template.formulas()).as_mut(), tick)?;
            match &template.sites[..] {
                [only] if facts.formulas.is_empty() && atoms.calls_of(only.callee) == 1 => procedure = only.callee,
                _ => return Ok(facts),
            }
            if facts.before.contains(&procedure) {
                return Ok(facts);
            }
        }
    }

    /// What is known in a procedure.
    pub fn of(&self, procedure: ProcId) -> &[Term] {
        if self.before.contains(&procedure) { &[] } else { &self.formulas }
    }
}

/// The constants that matter in procedures where facts will be known.
fn constants(facts: &Facts, atoms: &Atoms) -> Vec<Term> {
    let bodies = atoms.bodies().filter(|template| !facts.before.contains(&template.procedure));
    let is_constant = |term: &Term| {
        matches!(term.op(), TermOp::Apply(_)) && term.args().is_empty() && *term.sort().kind() == SortKind::Int
    };
    let parts = post_order(bodies.flat_map(|template: &Rc<Template>| {
        let inputs = template.sites.iter().flat_map(|site| site.inputs.iter().copied());
        template.formulas().into_iter().chain(inputs).collect::<Vec<_>>()
    }));
    parts.iter().copied().filter(is_constant).collect()
}

/// What a body tells of constants when it calls.
fn found(
    template: &Template,
    constants: &[Term],
    smt: &mut dyn Smt,
    tick: &mut dyn FnMut() -> Result<bool, Reason>,
) -> Result<Vec<Term>, Reason> {
    let called = flag("called", 0);
    template.clauses.iter().for_each(|clause| smt.assert_clause(clause));
    let ends = template.sites.iter().flat_map(|site| [Some(site.taken), site.failed]).flatten();
    let some: Vec<Term> = ends.filter(|end| *end != falsehood()).chain([not(called)]).collect();
    smt.assert_clause(&some);
    if constants.is_empty() || smt.check_assuming(&[called]) == Answer::Unsat || !smt.has_candidate() {
        return Ok(Vec::new());
    }
    let mut order: BTreeMap<Value, Vec<Term>> = BTreeMap::new();
    for constant in constants {
        if let Some(value) = smt.value(*constant) {
            order.entry(value).or_default().push(*constant);
        }
    }
    let mut holds = |fact: Term| fact.value().is_none() && smt.check_assuming(&[called, not(fact)]) == Answer::Unsat;
    let (mut facts, mut last) = (Vec::new(), int(0));
    for (_, same) in order {
        for (number, constant) in same.into_iter().enumerate() {
            let fact = if number == 0 { lt(last, constant) } else { eq(last, constant) };
            if tick()? && holds(fact) {
                facts.push(fact);
                last = constant;
            }
        }
    }
    Ok(facts)
}
