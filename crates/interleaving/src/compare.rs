//! Whether all explicit states of one symbolic state are among those of others, in the ways that can be chosen.

use crate::code::Code;
use crate::history::reason;
use crate::options::Fixpoint;
use crate::quantify::{diagrams, exists, full, without_choices};
use crate::restate::restate;
use crate::state::State;
use engine::Reason;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds};
use solver::Limits;
use solver::aig::{Aig, Wire};
use solver::cnf::Cnf;
use solver::qbf::eliminate::eliminate;
use solver::qbf::{New, Old, expansion, external};
use term::Term;

/// The explicit states of a symbolic one, in the forms in which they are compared. Those are made when they are needed.
pub struct Elements {
    pub values: Vec<Wire>,
    pub guard: Wire,
    old: Option<Old>,
    set: Option<Bdd>,
}

impl Elements {
    pub fn of(state: &State) -> Elements {
        Elements { values: state.values(), guard: state.guard, old: None, set: None }
    }

    fn as_new(&self) -> New {
        New { values: self.values.clone(), premise: self.guard }
    }
}

/// What comparisons share.
pub struct Comparison {
    how: Fixpoint,
    /// Inputs that stand for components of states.
    components: Vec<Wire>,
    /// The choice variables of components in states that were restated.
    parameters: Vec<Wire>,
    /// Answers the questions of the expansion.
    cnf: Cnf,
    bdds: Option<Bdds>,
    /// Diagrams that only live while a state is restated.
    small: Option<Bdds>,
    /// The diagrams' variables for inputs.
    numbers: FxHashMap<Wire, u32>,
}

/// How many nodes diagrams may have when a state is restated.
const SMALL: usize = 1 << 16;

impl Comparison {
    pub fn new(how: Fixpoint) -> Comparison {
        let numbers = FxHashMap::default();
        Comparison {
            how,
            components: Vec::new(),
            parameters: Vec::new(),
            cnf: Cnf::new(),
            bdds: None,
            small: None,
            numbers,
        }
    }

    /// Whether each new element is an old one. `rounds` counts those of expansions.
    pub fn is_included(
        &mut self,
        aig: &mut Aig,
        new: &mut Elements,
        old: &mut Elements,
        limits: &Limits,
        rounds: &mut u64,
    ) -> Result<bool, Reason> {
        self.prepare(aig, old);
        let Some(goals) = &old.old else { return Ok(false) };
        match self.how {
            Fixpoint::Expansion => {
                expansion::included(aig, &mut self.cnf, &new.as_new(), goals, limits, rounds).map_err(reason)
            }
            Fixpoint::Depqbf => external::included(aig, &new.as_new(), goals, limits).map_err(reason),
            Fixpoint::Bdd => {
                let old = self.diagram(aig, old, limits)?;
                self.diagram(aig, new, limits)?.entails(&old).map_err(full)
            }
        }
    }

    /// The old ones, by their places, that have each new element between them. An outside solver is not asked this.
    pub fn is_in_union(
        &mut self,
        aig: &mut Aig,
        new: &mut Elements,
        olds: &mut [&mut Elements],
        limits: &Limits,
        rounds: &mut u64,
    ) -> Result<Option<Vec<usize>>, Reason> {
        match self.how {
            Fixpoint::Depqbf => Ok(None),
            Fixpoint::Expansion => {
                olds.iter_mut().for_each(|old| self.prepare(aig, old));
                let olds: Vec<&Old> = olds.iter().filter_map(|old| old.old.as_ref()).collect();
                let used = expansion::included_in_union(aig, &mut self.cnf, &new.as_new(), &olds, limits, rounds);
                used.map_err(reason)
            }
            Fixpoint::Bdd => {
                let mut rest = self.diagram(aig, new, limits)?;
                let mut used = Vec::new();
                for (number, old) in olds.iter_mut().enumerate() {
                    let old = self.diagram(aig, old, limits)?;
                    if !rest.and(&old).map_err(full)?.is_false() {
                        rest = rest.and(&old.not().map_err(full)?).map_err(full)?;
                        used.push(number);
                    }
                }
                Ok(rest.is_false().then_some(used))
            }
        }
    }

    /// The state in other words, if that makes it smaller, and the formula that says which its elements are.
    pub fn restate(
        &mut self,
        code: &Code,
        aig: &mut Aig,
        state: &State,
        elements: &mut Elements,
        limits: &Limits,
    ) -> Option<(State, Term)> {
        self.prepare(aig, elements);
        let old = elements.old.as_mut()?;
        if !old.existential.is_empty() {
            let bdds = self.small.get_or_insert_with(|| Bdds::of_size(SMALL));
            *old = without_choices(bdds, aig, old, limits)?;
        }
        let (next, formula) = restate(code, aig, state, old, &self.parameters)?;
        (elements.values, elements.guard) = (next.values(), next.guard);
        Some((next, formula))
    }

    /// Makes the formula over components of states.
    fn prepare(&mut self, aig: &mut Aig, elements: &mut Elements) {
        while self.components.len() < elements.values.len() {
            self.components.push(aig.input());
            self.parameters.push(aig.input());
        }
        if elements.old.is_none() {
            let old = Old::of(aig, &self.components, &elements.values, elements.guard);
            elements.old = Some(eliminate(aig, old));
        }
    }

    /// The set as a function of its elements: the other inputs are quantified away.
    fn diagram(&mut self, aig: &mut Aig, elements: &mut Elements, limits: &Limits) -> Result<Bdd, Reason> {
        if let Some(set) = &elements.set {
            return Ok(set.clone());
        }
        self.prepare(aig, elements);
        let bdds = self.bdds.get_or_insert_with(Bdds::new);
        let Old { goals, existential, .. } = elements.old.clone().unwrap_or_default();
        let numbers = &mut self.numbers;
        let number = |input| {
            let next = numbers.len() as u32;
            *numbers.entry(input).or_insert(next)
        };
        let functions = diagrams(bdds, aig, &goals, number, limits)?;
        let quantified = existential.iter().filter_map(|input| self.numbers.get(input).copied());
        let function = exists(bdds, &functions, quantified)?;
        elements.set = Some(function.clone());
        Ok(function)
    }
}
