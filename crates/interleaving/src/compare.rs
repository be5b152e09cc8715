//! Whether all explicit states of one symbolic state are among those of others, in the ways that can be chosen.

use crate::history::reason;
use crate::options::Fixpoint;
use crate::state::State;
use engine::Reason;
use rustc_hash::FxHashMap;
use sets::bdd::{Bdd, Bdds, Full};
use solver::Limits;
use solver::aig::{Aig, Node, Wire};
use solver::cnf::Cnf;
use solver::qbf::eliminate::eliminate;
use solver::qbf::{New, Old, expansion, external};

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
    /// Answers the questions of the expansion.
    cnf: Cnf,
    bdds: Option<Bdds>,
    /// The diagrams' variables for inputs.
    numbers: FxHashMap<Wire, u32>,
}

fn full(_: Full) -> Reason {
    Reason::Memory
}

impl Comparison {
    pub fn new(how: Fixpoint) -> Comparison {
        let (components, numbers) = (Vec::new(), FxHashMap::default());
        Comparison { how, components, cnf: Cnf::new(), bdds: None, numbers }
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

    /// Makes the formula over components of states.
    fn prepare(&mut self, aig: &mut Aig, elements: &mut Elements) {
        while self.components.len() < elements.values.len() {
            self.components.push(aig.input());
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
        let mut function = bdds.constant(true);
        if let Some(old) = &elements.old {
            let mut known: FxHashMap<u32, Bdd> = FxHashMap::default();
            let of = |known: &FxHashMap<u32, Bdd>, wire: Wire| {
                let plain = &known[&wire.node()];
                if wire.is_negated() { plain.not().map_err(full) } else { Ok(plain.clone()) }
            };
            for node in aig.cone(old.goals.iter().copied()) {
                if let Some(exceeded) = limits.exceeded() {
                    return Err(exceeded.into());
                }
                let wire = Wire::of_node(node);
                let here = match aig.node(wire) {
                    Node::Constant => bdds.constant(false),
                    Node::Input => {
                        let next = self.numbers.len() as u32;
                        bdds.variable(*self.numbers.entry(wire).or_insert(next)).map_err(full)?
                    }
                    Node::And(a, b) => of(&known, a)?.and(&of(&known, b)?).map_err(full)?,
                };
                known.insert(node, here);
            }
            for goal in &old.goals {
                function = function.and(&of(&known, *goal)?).map_err(full)?;
            }
            let mut quantified = bdds.constant(true);
            for input in old.existential.iter().filter_map(|input| self.numbers.get(input)) {
                quantified = quantified.and(&bdds.variable(*input).map_err(full)?).map_err(full)?;
            }
            function = function.exists(&quantified).map_err(full)?;
        }
        elements.set = Some(function.clone());
        Ok(function)
    }
}
