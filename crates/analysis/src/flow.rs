//! Forward dataflow: states flow along edges and are joined where ways meet, until nothing changes.

use ir::{Cfa, Edge, LocId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The states of all locations; `None` for those that control never comes to, as far as the analysis sees.
pub type States<S> = Vec<Option<S>>;

/// An analysis. Chains of states that say less and less must end by themselves.
pub trait Flow {
    type State: Clone + PartialEq;

    /// What is known at the entry.
    fn start(&self) -> Self::State;

    /// The state behind an edge; `None` if it cannot be taken.
    fn transfer(&self, state: &Self::State, edge: &Edge) -> Option<Self::State>;

    /// What holds in both states.
    fn join(&self, one: &Self::State, other: &Self::State) -> Self::State;

    /// How much work it is to look at a state.
    fn size(&self, state: &Self::State) -> usize;

    /// Inductive states; `None` if they take more work than this.
    fn states(&self, cfa: &Cfa, mut most_work: usize) -> Option<States<Self::State>> {
        let places = places(cfa, &forward(cfa));
        let mut states: States<Self::State> = vec![None; cfa.location_count()];
        states[cfa.entry().0 as usize] = Some(self.start());
        let mut waiting: BTreeSet<(usize, LocId)> = BTreeSet::from([(0, cfa.entry())]);
        while let Some((_, location)) = waiting.pop_first() {
            let Some(here) = states[location.0 as usize].clone() else { continue };
            for id in cfa.outgoing(location) {
                let edge = cfa.edge(*id);
                most_work = most_work.checked_sub(self.size(&here) + 1)?;
                let Some(after) = self.transfer(&here, edge) else { continue };
                let to = &mut states[edge.to.0 as usize];
                let joint = to.as_ref().map_or(after.clone(), |known| self.join(known, &after));
                if to.as_ref() != Some(&joint) {
                    *to = Some(joint);
                    waiting.insert((places[edge.to.0 as usize], edge.to));
                }
            }
        }
        Some(states)
    }
}

/// So often the state of a location grows before it is widened.
pub const JOINS: u32 = 3;
/// How many rounds narrow what was widened.
pub const ROUNDS: usize = 3;

/// An analysis with endless chains: at locations that cut cycles states are widened, and what was widened too far is narrowed
/// by a few more rounds.
pub trait Widening: Flow {
    /// Whether whatever the second state allows, the first does.
    fn includes(&self, state: &Self::State, other: &Self::State) -> bool;

    /// A state that includes a later one, which includes it. Chains of such states end.
    fn widen(&self, state: &Self::State, later: &Self::State) -> Self::State;

    /// Inductive states; `None` if they take more work than this. The cuts lie on every cycle.
    fn widened(&self, cfa: &Cfa, cuts: &[LocId], mut most_work: usize) -> Option<States<Self::State>> {
        let cuts: FxHashSet<LocId> = cuts.iter().copied().collect();
        let order = forward(cfa);
        let places = places(cfa, &order);
        let mut states: States<Self::State> = vec![None; cfa.location_count()];
        states[cfa.entry().0 as usize] = Some(self.start());
        let mut joins = vec![0; states.len()];
        let mut waiting: BTreeSet<(usize, LocId)> = BTreeSet::from([(0, cfa.entry())]);
        while let Some((_, location)) = waiting.pop_first() {
            let Some(here) = states[location.0 as usize].clone() else { continue };
            for id in cfa.outgoing(location) {
                most_work = most_work.checked_sub(self.size(&here) + 1)?;
                let edge = cfa.edge(*id);
                let Some(after) = self.transfer(&here, edge) else { continue };
                let to = edge.to.0 as usize;
                states[to] = Some(match &states[to] {
                    None => after,
                    Some(known) if self.includes(known, &after) => continue,
                    Some(known) => {
                        let joint = self.join(known, &after);
                        let widens = cuts.contains(&edge.to) && joins[to] > JOINS;
                        if widens { self.widen(known, &joint) } else { joint }
                    }
                });
                joins[to] += 1;
                waiting.insert((places[to], edge.to));
            }
        }
        for _ in 0..ROUNDS {
            most_work = most_work.checked_sub(states.iter().flatten().map(|state| self.size(state) + 1).sum())?;
            let next = self.round(cfa, states.clone(), &order);
            // Rounds only narrow, or what they found is not inductive.
            if !self.is_inductive(cfa, &next) {
                break;
            }
            states = next;
        }
        Some(states)
    }

    /// All states anew, each from those of the locations before.
    fn round(&self, cfa: &Cfa, mut states: States<Self::State>, order: &[LocId]) -> States<Self::State> {
        for location in order.iter().filter(|location| **location != cfa.entry()) {
            let arriving = cfa.incoming(*location).iter().filter_map(|id| {
                let edge = cfa.edge(*id);
                self.transfer(states[edge.from.0 as usize].as_ref()?, edge)
            });
            states[location.0 as usize] = arriving.reduce(|one, other| self.join(&one, &other));
        }
        states
    }

    fn is_inductive(&self, cfa: &Cfa, states: &States<Self::State>) -> bool {
        cfa.edges().all(|(_, edge)| {
            let after = states[edge.from.0 as usize].as_ref().and_then(|state| self.transfer(state, edge));
            let to = states[edge.to.0 as usize].as_ref();
            after.is_none_or(|after| to.is_some_and(|to| self.includes(to, &after)))
        })
    }
}

/// The locations that the entry is connected to: most come after those that lead to them.
pub fn forward(cfa: &Cfa) -> Vec<LocId> {
    let mut finished = Vec::new();
    let mut seen = FxHashSet::from_iter([cfa.entry()]);
    let mut stack = vec![(cfa.entry(), 0)];
    while let Some((location, next)) = stack.last_mut() {
        match cfa.outgoing(*location).get(*next) {
            Some(edge) => {
                *next += 1;
                let to = cfa.edge(*edge).to;
                if seen.insert(to) {
                    stack.push((to, 0));
                }
            }
            None => {
                finished.push(*location);
                stack.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// The place of each location in an order; zero for those that are not in it.
pub fn places(cfa: &Cfa, order: &[LocId]) -> Vec<usize> {
    let mut places = vec![0; cfa.location_count()];
    order.iter().enumerate().for_each(|(place, location)| places[location.0 as usize] = place);
    places
}
