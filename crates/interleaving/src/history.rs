//! ISHISTORY (Section 4): whether all explicit states of a symbolic state are among those of one that was explored.
//!
//! States are kept by their program counters. Two states with the same are compared by Equation 3, quantifying over the state bits
//! as Equation 4 means it: each element of the new set is one of the old set. What the paper calls active variables is done by
//! [`crate::execute`], which makes the others constant; groups of variables are those of [`solver::qbf::expansion`], where the
//! guard counts as sharing.
//!
//! The filters come first. Equal structures with a guard that only grew are subsumed. Where a component of the old state is
//! constant, or two are equal, and the new state's signatures show it to be otherwise, it is not subsumed.

use crate::options::{Fixpoint, Options};
use crate::state::{Control, State, StateId};
use crate::statistics::Figures;
use engine::Reason;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds};
use solver::aig::{Aig, Wire};
use solver::cnf::Cnf;
use solver::qbf::eliminate::eliminate;
use solver::qbf::{New, Old, expansion, external};
use solver::{Limits, Unknown};
use std::rc::Rc;

/// A state that was explored, as later ones are compared with it.
struct Entry {
    id: StateId,
    values: Vec<Wire>,
    guard: Wire,
    /// Made when it is needed for the first time.
    old: Option<Old>,
    set: Option<Bdd>,
}

pub struct History {
    entries: FxHashMap<Rc<Control>, Vec<Entry>>,
    /// Inputs that stand for components of states.
    elements: Vec<Wire>,
    bdds: Diagrams,
    /// Answers the questions of the expansion.
    cnf: Cnf,
    options: Options,
}

impl History {
    pub fn new(options: Options) -> History {
        History {
            entries: FxHashMap::default(),
            elements: Vec::new(),
            bdds: Diagrams::default(),
            cnf: Cnf::new(),
            options,
        }
    }

    /// The explored state that subsumes this one.
    pub fn subsuming(
        &mut self,
        aig: &mut Aig,
        state: &State,
        limits: &Limits,
        figures: &mut Figures,
    ) -> Result<Option<StateId>, Reason> {
        let Some(entries) = self.entries.get_mut(&state.control) else { return Ok(None) };
        let new = New { values: state.values(), premise: state.guard };
        while self.elements.len() < new.values.len() {
            self.elements.push(aig.input());
        }
        let mut set = None;
        // The latest are the likeliest.
        for entry in entries.iter_mut().rev() {
            if self.options.filters {
                if is_same(aig, &new, entry) {
                    figures.filtered_comparisons += 1;
                    return Ok(Some(entry.id));
                }
                if is_refuted(aig, &new, entry) {
                    figures.filtered_comparisons += 1;
                    continue;
                }
            }
            figures.comparisons += 1;
            let elements = &self.elements;
            let (values, guard) = (&entry.values, entry.guard);
            let old = entry.old.get_or_insert_with(|| {
                let old = Old::of(aig, elements, values, guard);
                eliminate(aig, old)
            });
            let is_included = match self.options.fixpoint {
                Fixpoint::Expansion => expansion::included(aig, &mut self.cnf, &new, old, limits, &mut figures.rounds),
                Fixpoint::Depqbf => external::included(aig, &new, old, limits),
                Fixpoint::Bdd => {
                    if entry.set.is_none() {
                        entry.set = Some(self.bdds.set(aig, old, limits)?);
                    }
                    if set.is_none() {
                        let own = Old::of(aig, elements, &new.values, new.premise);
                        let own = eliminate(aig, own);
                        set = Some(self.bdds.set(aig, &own, limits)?);
                    }
                    match (&set, &entry.set) {
                        (Some(new), Some(old)) => Ok(new.entails(old).map_err(|_| Reason::Memory)?),
                        _ => Ok(false),
                    }
                }
            };
            if is_included.map_err(reason)? {
                return Ok(Some(entry.id));
            }
        }
        Ok(None)
    }

    pub fn insert(&mut self, id: StateId, state: &State) {
        let entry = Entry { id, values: state.values(), guard: state.guard, old: None, set: None };
        self.entries.entry(state.control.clone()).or_default().push(entry);
    }
}

/// Why a solver did not answer, as an engine says it.
pub fn reason(unknown: Unknown) -> Reason {
    match unknown {
        Unknown::Timeout => Reason::Timeout,
        Unknown::Memory => Reason::Memory,
        Unknown::Cancelled => Reason::Cancelled,
        other => Reason::NotAttempted(other.to_string()),
    }
}

fn is_same(aig: &Aig, new: &New, entry: &Entry) -> bool {
    new.values == entry.values
        && (new.premise == entry.guard || {
            let known = aig.conjuncts(new.premise);
            aig.conjuncts(entry.guard).iter().all(|conjunct| known.contains(conjunct))
        })
}

/// Whether signatures show an element of the new state that the old one cannot have.
fn is_refuted(aig: &Aig, new: &New, entry: &Entry) -> bool {
    let inside = aig.signature(new.premise);
    let mut first: FxHashMap<Wire, usize> = FxHashMap::default();
    first.insert(Wire::FALSE, usize::MAX);
    for (number, old) in entry.values.iter().enumerate() {
        let representative = *first.entry(old.plain()).or_insert(number);
        let own = aig.signature(new.values[number].negated_if(old.is_negated()));
        let other = match representative {
            usize::MAX => aig.signature(Wire::FALSE),
            index => aig.signature(new.values[index].negated_if(entry.values[index].is_negated())),
        };
        if inside.and(own.xor(other)).witness().is_some() {
            return true;
        }
    }
    false
}

/// Binary decision diagrams of sets of states.
#[derive(Default)]
struct Diagrams {
    bdds: Option<Bdds>,
    numbers: FxHashMap<Wire, u32>,
}

impl Diagrams {
    /// The set as a function of its elements: the other inputs are quantified away.
    fn set(&mut self, aig: &Aig, old: &Old, limits: &Limits) -> Result<Bdd, Reason> {
        let bdds = self.bdds.get_or_insert_with(Bdds::new);
        let full = |_| Reason::Memory;
        let mut known: FxHashMap<u32, Bdd> = FxHashMap::default();
        let mut function = bdds.constant(true);
        for node in aig.cone(old.goals.iter().copied()) {
            if let Some(exceeded) = limits.exceeded() {
                return Err(exceeded.into());
            }
            let wire = Wire::of_node(node);
            let of = |known: &FxHashMap<u32, Bdd>, wire: Wire| -> Result<Bdd, Reason> {
                let plain = &known[&wire.node()];
                if wire.is_negated() { plain.not().map_err(full) } else { Ok(plain.clone()) }
            };
            let here = match aig.node(wire) {
                solver::aig::Node::Constant => bdds.constant(false),
                solver::aig::Node::Input => {
                    let next = self.numbers.len() as u32;
                    bdds.variable(*self.numbers.entry(wire).or_insert(next)).map_err(full)?
                }
                solver::aig::Node::And(a, b) => of(&known, a)?.and(&of(&known, b)?).map_err(full)?,
            };
            known.insert(node, here);
        }
        for goal in &old.goals {
            let plain = &known[&goal.node()];
            let goal = if goal.is_negated() { plain.not().map_err(full)? } else { plain.clone() };
            function = function.and(&goal).map_err(full)?;
        }
        let mut quantified = bdds.constant(true);
        for input in old.existential.iter().filter_map(|input| self.numbers.get(input)) {
            quantified = quantified.and(&bdds.variable(*input).map_err(full)?).map_err(full)?;
        }
        function.exists(&quantified).map_err(full)
    }
}
