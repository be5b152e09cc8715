//! Watches an execution and reduces the states in which it asks for inputs to numbers.

use super::tables::Tables;
use ir::interp::{At, Observer, State};
use ir::{LocId, Op, ProcId};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use term::eval::evaluate;
use term::{Term, Value};

/// What the execution is about to ask in.
#[derive(Clone, Copy, Default, Debug)]
pub struct Pending {
    /// The number of the state, if an input is asked for next.
    pub state: Option<u64>,
    /// The number of the way there, from the last input.
    pub way: u64,
}

/// The observer.
pub struct Watch<'s> {
    tables: &'s Tables<'s>,
    pending: &'s Cell<Pending>,
    /// The edges since the last input.
    way: u64,
    /// For each open call: the procedure that calls, where it goes on, and the number of the callers' states.
    callers: Vec<(ProcId, LocId, u64)>,
    /// Whether what is in memory counts.
    counts_memory: bool,
    /// What was stored, by object and offset, and the sum of it.
    stored: FxHashMap<(u32, u128), u64>,
    memory: u64,
}

impl<'s> Watch<'s> {
    pub fn new(tables: &'s Tables<'s>, pending: &'s Cell<Pending>, counts_memory: bool) -> Watch<'s> {
        Watch { counts_memory, tables, pending, way: 0, callers: Vec::new(), stored: FxHashMap::default(), memory: 0 }
    }

    /// Notes what an edge stored, as far as the variables behind it still tell.
    fn store(&mut self, pointer: Term, value: Term, state: &State) {
        let assignment = |variable: Term| state.value(variable);
        let Some(Value::Pointer { object, offset }) = evaluate(pointer, &assignment) else { return };
        let place = (object, offset.unsigned());
        let value = hash((place, evaluate(value, &assignment)));
        let before = self.stored.insert(place, value).unwrap_or(0);
        self.memory ^= before ^ value;
    }

    fn arrive(&mut self, procedure: ProcId, location: LocId, state: &State) {
        if let Some(variables) = self.tables.asks(procedure, location) {
            let callers = self.callers.last().map_or(0, |caller| caller.2);
            let number = reduce((callers ^ self.memory, procedure.0, location.0), variables, state);
            self.pending.set(Pending { state: Some(number), way: self.way });
            self.way = 0;
        }
    }
}

/// One number of several things.
fn hash(parts: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The number of a state.
fn reduce(place: (u64, u32, u32), variables: &[Term], state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    place.hash(&mut hasher);
    for variable in variables {
        state.value(*variable).hash(&mut hasher);
    }
    hasher.finish()
}

impl Observer for Watch<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        let (Some(id), Ok(cfa)) = (at.edge, &self.tables.program.procedure(at.procedure).body) else { return };
        let number = u64::from(at.procedure.0) << 32 | u64::from(id.0);
        self.way = (self.way.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.counts_memory {
            let stores = self.tables.stores(at.procedure, id);
            stores.iter().for_each(|(pointer, value)| self.store(*pointer, *value, state));
        }
        let edge = cfa.edge(id);
        if let Op::Call { procedure, .. } = &edge.op
            && self.tables.program.procedure(*procedure).body.is_ok()
        {
            let outer = self.callers.last().map_or(0, |caller| caller.2);
            let number = match self.tables.calls(at.procedure, id) {
                Some(variables) => reduce((outer, at.procedure.0, id.0), variables, state),
                None => outer,
            };
            self.callers.push((at.procedure, edge.to, number));
            return;
        }
        self.arrive(at.procedure, edge.to, state);
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        if let Ok(cfa) = &self.tables.program.procedure(procedure).body {
            self.arrive(procedure, cfa.entry(), state);
        }
    }

    fn leave(&mut self, _: ProcId, state: &State) {
        if let Some((procedure, location, _)) = self.callers.pop() {
            self.arrive(procedure, location, state);
        }
    }
}
