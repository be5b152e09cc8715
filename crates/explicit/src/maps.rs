//! Maps: what is known of their elements at constant places.

use std::collections::BTreeMap;
use term::build::store;
use term::{Op, Term};

/// Of maps with more elements that were written, nothing is kept.
const MOST_ELEMENTS: usize = 1024;

/// A map as elements at constant places over another map.
pub struct Elements {
    over: Term,
    pub elements: BTreeMap<Term, Term>,
}

impl Elements {
    /// What a map that was written to is; `None` for any other term.
    pub fn of(map: Term) -> Option<Elements> {
        let mut known = Elements { over: map, elements: BTreeMap::new() };
        while *known.over.op() == Op::Store {
            let [over, place, element] = [0, 1, 2].map(|n| known.over.args()[n]);
            if place.value().is_none() {
                break;
            }
            known.elements.entry(place).or_insert(element);
            known.over = over;
            if known.elements.len() > MOST_ELEMENTS {
                return None;
            }
        }
        (!known.elements.is_empty()).then_some(known)
    }

    /// The map over another one.
    pub fn over(&self, other: Term) -> Term {
        self.elements.iter().fold(other, |map, (place, element)| store(map, *place, *element))
    }
}
