//! Property-directed slicing: which branches and variables can decide whether a location that must not be reached is reached.
//!
//! A location is *observed* if it must not be reached, if an edge there changes a relevant variable, or if it decides. A
//! location *decides* if from there more than one location can be the next that is observed; that the execution ends, or
//! can no longer come to what must not be reached, counts as one of them. A variable is relevant if a condition at a
//! location that decides reads it, or if it flows into a relevant variable. Such sets are weak control closures (Danicic et
//! al., "A unifying theory of control dependence and its application to arbitrary program structures"), which take no
//! structure of the control flow for granted.
//!
//! Where a location does not decide, all its ways lead to the same next observed location with the same relevant values, so
//! its conditions need not be looked at. Two things besides must be certain: that some condition holds, so that the
//! execution goes on, which is otherwise one more way for it to end; and that it does not go round for ever before, for which
//! locations at which a loop can be left always decide.

use crate::component::components_of;
use ir::{Cfa, LocId, LocationKind, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use term::build::not;
use term::free::Free;

/// What decides.
pub struct Slice {
    /// For each location of the procedure, whether it decides.
    decides: Vec<bool>,
    observed: Vec<bool>,
}

impl Slice {
    /// The slice of a program with one procedure that calls and starts nothing; nothing for another.
    pub fn new(program: &Program) -> Option<Slice> {
        let calls = |op: &Op| matches!(op, Op::Call { .. } | Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd);
        let cfa = program.procedure(program.entry).body.as_ref().ok()?;
        if program.edges().any(|edge| calls(&edge.op)) {
            return None;
        }
        let mut search = Search::new(cfa);
        search.loops();
        search.close();
        Some(Slice { decides: search.decides, observed: search.observed })
    }

    /// Whether the conditions at a location matter.
    pub fn decides(&self, location: LocId) -> bool {
        self.decides[location.0 as usize]
    }

    /// Whether executions that agree on what matters agree on when they are at a location, and on where they go from there.
    pub fn is_observed(&self, location: LocId) -> bool {
        self.observed[location.0 as usize]
    }
}

/// Which observed location comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// None was found.
    None,
    /// Always this one; [`END`] if the execution ends, or nothing can happen any more.
    One(u32),
    Many,
}

const END: u32 = u32::MAX;

struct Search<'a> {
    cfa: &'a Cfa,
    free: Free,
    /// Locations from which one that must not be reached is connected.
    leads: Vec<bool>,
    decides: Vec<bool>,
    observed: Vec<bool>,
    relevant: FxHashSet<Term>,
    /// For each variable the locations where it is changed, and what it is changed to.
    changes: FxHashMap<Term, Vec<(LocId, Option<Term>)>>,
}

impl<'a> Search<'a> {
    fn new(cfa: &'a Cfa) -> Search<'a> {
        let is_bad = |kind| matches!(kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
        let bad: Vec<LocId> = cfa.locations().filter(|(_, l)| is_bad(l.kind)).map(|(id, _)| id).collect();
        let mut search = Search {
            cfa,
            free: Free::new(),
            leads: vec![false; cfa.location_count()],
            decides: vec![false; cfa.location_count()],
            observed: vec![false; cfa.location_count()],
            relevant: FxHashSet::default(),
            changes: FxHashMap::default(),
        };
        bad.iter().for_each(|location| search.observed[location.0 as usize] = true);
        let mut pending = bad;
        while let Some(location) = pending.pop() {
            if !std::mem::replace(&mut search.leads[location.0 as usize], true) {
                pending.extend(cfa.incoming(location).iter().map(|edge| cfa.edge(*edge).from));
            }
        }
        for (_, edge) in cfa.edges().filter(|(_, edge)| search.leads[edge.to.0 as usize]) {
            let mut change =
                |variable: Term, value| search.changes.entry(variable).or_default().push((edge.from, value));
            match &edge.op {
                Op::Assign(pairs) => pairs.iter().for_each(|(variable, value)| change(*variable, Some(*value))),
                op => op.writes().into_iter().for_each(|variable| change(variable, None)),
            }
        }
        search
    }

    /// Locations where a loop can be left decide: of all loops first, and then of those that are left without such locations, which
    /// are inside of others.
    fn loops(&mut self) {
        loop {
            let leads = |location: LocId| -> Vec<usize> {
                let edges = self.cfa.outgoing(location).iter().map(|edge| self.cfa.edge(*edge).to.0 as usize);
                edges.filter(|to| !self.decides[location.0 as usize] && !self.decides[*to]).collect()
            };
            let successors: Vec<Vec<usize>> = self.cfa.locations().map(|(location, _)| leads(location)).collect();
            let is_loop = |found: &Vec<usize>| found.len() > 1 || successors[found[0]].contains(&found[0]);
            let mut exits = Vec::new();
            for found in components_of(&successors).into_iter().filter(is_loop) {
                let inside: FxHashSet<usize> = found.iter().copied().collect();
                let leaves = |location: &LocId| {
                    let mut edges = self.cfa.outgoing(*location).iter();
                    edges.any(|edge| !inside.contains(&(self.cfa.edge(*edge).to.0 as usize)))
                };
                exits.extend(found.into_iter().map(|number| LocId(number as u32)).filter(leaves));
            }
            // What leads to no violation never decides.
            exits.retain(|location| self.leads[location.0 as usize]);
            if exits.is_empty() {
                return;
            }
            exits.into_iter().for_each(|location| self.decide(location));
        }
    }

    /// Adds locations that decide until there are no more.
    fn close(&mut self) {
        loop {
            let next = self.next();
            let more = |location: LocId| {
                let mut first = Next::None;
                self.successors(location).any(|to| match (self.seen(&next, to), first) {
                    (Next::None, _) => false,
                    (seen, Next::None) => {
                        first = seen;
                        false
                    }
                    (seen, first) => seen != first,
                })
            };
            let is_open = |location: &LocId| self.leads[location.0 as usize] && !self.decides[location.0 as usize];
            // Which of several edges is taken matters if one of them changes something that does.
            let matters = |location: &LocId| {
                self.observed[location.0 as usize] && self.cfa.outgoing(*location).len() > 1 || more(*location)
            };
            let all = self.cfa.locations().map(|(location, _)| location);
            let open = all.filter(|location| is_open(location) && matters(location));
            let found: Vec<LocId> = open.collect();
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(|location| self.decide(location));
        }
    }

    fn decide(&mut self, location: LocId) {
        if !self.leads[location.0 as usize] || std::mem::replace(&mut self.decides[location.0 as usize], true) {
            return;
        }
        self.observed[location.0 as usize] = true;
        let conditions = self.cfa.outgoing(location).iter().filter_map(|edge| match &self.cfa.edge(*edge).op {
            Op::Assume(condition) => Some(*condition),
            _ => None,
        });
        self.read(conditions.collect());
    }

    /// That the values of terms matter.
    fn read(&mut self, mut pending: Vec<Term>) {
        while let Some(term) = pending.pop() {
            for variable in self.free.of(term).iter().filter(|variable| self.relevant.insert(**variable)) {
                for (location, value) in self.changes.get(variable).into_iter().flatten() {
                    self.observed[location.0 as usize] = true;
                    pending.extend(value);
                }
            }
        }
    }

    /// What is observed next from each location, backwards from what is observed.
    fn next(&self) -> Vec<Next> {
        let mut next = vec![Next::None; self.cfa.location_count()];
        let mut pending: Vec<LocId> = self.cfa.locations().map(|(location, _)| location).collect();
        while let Some(location) = pending.pop() {
            let before = next[location.0 as usize];
            let after = self.successors(location).fold(before, |all, to| match (all, self.seen(&next, to)) {
                (all, Next::None) => all,
                (Next::None, seen) => seen,
                (all, seen) if all == seen => all,
                _ => Next::Many,
            });
            if after != before {
                next[location.0 as usize] = after;
                pending.extend(self.cfa.incoming(location).iter().map(|edge| self.cfa.edge(*edge).from));
            }
        }
        next
    }

    /// What is observed next by one who comes to a location; `None` stands for the end.
    fn seen(&self, next: &[Next], location: Option<LocId>) -> Next {
        match location {
            Some(LocId(number)) if self.leads[number as usize] => match self.observed[number as usize] {
                true => Next::One(number),
                false => next[number as usize],
            },
            _ => Next::One(END),
        }
    }

    /// Where an execution goes from a location, the end included if it may not go on.
    fn successors(&self, location: LocId) -> impl Iterator<Item = Option<LocId>> {
        let edges = self.cfa.outgoing(location).iter().map(|edge| self.cfa.edge(*edge));
        let end = (!goes_on(self.cfa, location)).then_some(None);
        edges.map(|edge| Some(edge.to)).chain(end)
    }
}

/// Whether some edge can surely be taken.
fn goes_on(cfa: &Cfa, location: LocId) -> bool {
    let edges: Vec<&Op> = cfa.outgoing(location).iter().map(|edge| &cfa.edge(*edge).op).collect();
    match &edges[..] {
        [Op::Assume(one), Op::Assume(other)] => *one == not(*other) || *other == not(*one),
        edges => edges.iter().any(|op| !matches!(op, Op::Assume(_))),
    }
}
