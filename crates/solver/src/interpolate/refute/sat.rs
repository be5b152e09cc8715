//! A small satisfiability solver that remembers its proof.
//!
//! Conflict-driven clause learning with watched literals. Every clause has a number; a clause that was derived knows
//! the resolution steps that gave it. Clauses may be added between searches.
//!
//! Invariants: antecedents have smaller numbers than what is derived from them. A variable that is fixed (assigned
//! before any decision) has a unit clause of its own, so that proofs need no other account of what is fixed.

use super::heap::Heap;

pub(super) type Var = u32;
pub(super) type ClauseId = u32;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub fn new(var: Var, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    pub fn var(self) -> Var {
        self.0 >> 1
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Where a clause comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// It was added; the number is the adder's.
    Given(usize),
    /// Resolving the first clause with each of the others in order, on the variables given.
    Derived(ClauseId, Vec<(Var, ClauseId)>),
}

struct Clause {
    literals: Vec<Lit>,
    origin: Origin,
}

#[derive(Clone, Copy)]
struct Assigned {
    value: bool,
    level: u32,
    reason: Option<ClauseId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// All variables have values; no clause is false.
    Model,
    /// The empty clause was derived.
    Refuted(ClauseId),
    /// The search took more conflicts than it may.
    GaveUp,
}

#[derive(Default)]
pub(super) struct Sat {
    clauses: Vec<Clause>,
    /// The clauses that watch a literal, by the literal.
    watches: Vec<Vec<ClauseId>>,
    assigned: Vec<Option<Assigned>>,
    /// The value that a variable had last.
    phase: Vec<bool>,
    /// The unit clause of each fixed variable.
    units: Vec<Option<ClauseId>>,
    trail: Vec<Lit>,
    /// How long the trail was at each decision.
    decisions: Vec<usize>,
    propagated: usize,
    order: Heap,
    refuted: Option<ClauseId>,
    seen: Vec<bool>,
}

impl Sat {
    pub fn variable(&mut self) -> Var {
        let var = self.assigned.len() as Var;
        self.assigned.push(None);
        self.phase.push(false);
        self.units.push(None);
        self.seen.push(false);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.order.insert_new(var);
        var
    }

    pub fn literals(&self, clause: ClauseId) -> &[Lit] {
        &self.clauses[clause as usize].literals
    }

    pub fn origin(&self, clause: ClauseId) -> &Origin {
        &self.clauses[clause as usize].origin
    }

    /// The literal's value in the model.
    pub fn value(&self, literal: Lit) -> Option<bool> {
        self.assigned[literal.var() as usize].map(|a| a.value == literal.is_positive())
    }

    /// Whether the literal's value does not depend on decisions.
    pub fn is_fixed(&self, literal: Lit) -> bool {
        self.units[literal.var() as usize].is_some()
    }

    fn level(&self, var: Var) -> u32 {
        self.assigned[var as usize].map_or(0, |a| a.level)
    }

    /// Adds a clause, for the proof under the adder's number. Decisions are undone.
    pub fn add(&mut self, mut literals: Vec<Lit>, number: usize) {
        literals.sort_unstable();
        literals.dedup();
        // A clause with both literals of a variable says nothing.
        if literals.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        self.backtrack(0);
        let id = self.store(literals, Origin::Given(number));
        self.attach(id);
    }

    fn store(&mut self, literals: Vec<Lit>, origin: Origin) -> ClauseId {
        self.clauses.push(Clause { literals, origin });
        (self.clauses.len() - 1) as ClauseId
    }

    /// Watches a clause, or uses it at once if it has less than two literals that may become true. Only before
    /// decisions.
    fn attach(&mut self, id: ClauseId) {
        let mut literals = std::mem::take(&mut self.clauses[id as usize].literals);
        // Literals that are not false come first.
        literals.sort_by_key(|literal| self.value(*literal) == Some(false));
        let open = literals.iter().take_while(|literal| self.value(**literal) != Some(false)).count();
        let (first, second) = (literals.first().copied(), literals.get(1).copied());
        self.clauses[id as usize].literals = literals;
        if let (Some(first), Some(second)) = (first, second) {
            self.watches[first.index()].push(id);
            self.watches[second.index()].push(id);
        }
        match (open, first) {
            (0, _) => self.refute(id),
            (1, Some(first)) if self.value(first).is_none() => self.assign(first, Some(id)),
            _ => {}
        }
    }

    /// Derives the empty clause from one all of whose literals are false for good.
    fn refute(&mut self, id: ClauseId) {
        if self.refuted.is_none() {
            let steps = self.fixed_steps(id, None);
            self.refuted = Some(self.derived(Vec::new(), id, steps));
        }
    }

    /// The steps that remove a clause's literals that are false for good, but for one.
    fn fixed_steps(&self, id: ClauseId, but: Option<Var>) -> Vec<(Var, ClauseId)> {
        let others = self.literals(id).iter().map(|l| l.var()).filter(|var| Some(*var) != but);
        others.map(|var| (var, self.units[var as usize].expect("fixed variables have units"))).collect()
    }

    /// Stores a clause that was derived; no steps mean that it is the first clause itself.
    fn derived(&mut self, literals: Vec<Lit>, first: ClauseId, steps: Vec<(Var, ClauseId)>) -> ClauseId {
        if steps.is_empty() { first } else { self.store(literals, Origin::Derived(first, steps)) }
    }

    fn assign(&mut self, literal: Lit, reason: Option<ClauseId>) {
        let level = self.decisions.len() as u32;
        let var = literal.var();
        self.assigned[var as usize] = Some(Assigned { value: literal.is_positive(), level, reason });
        self.phase[var as usize] = literal.is_positive();
        self.trail.push(literal);
        if level == 0
            && let Some(reason) = reason
        {
            let steps = self.fixed_steps(reason, Some(var));
            self.units[var as usize] = Some(self.derived(vec![literal], reason, steps));
        }
    }

    fn backtrack(&mut self, level: usize) {
        let Some(length) = self.decisions.get(level).copied() else { return };
        for literal in self.trail.drain(length..) {
            self.assigned[literal.var() as usize] = None;
            self.order.insert(literal.var());
        }
        self.decisions.truncate(level);
        self.propagated = length;
    }

    /// Assigns what follows. A clause that became false, if there is one.
    fn propagate(&mut self) -> Option<ClauseId> {
        while let Some(literal) = self.trail.get(self.propagated).copied() {
            self.propagated += 1;
            let failing = !literal;
            let mut watching = std::mem::take(&mut self.watches[failing.index()]);
            let mut kept = 0;
            let mut conflict = None;
            for at in 0..watching.len() {
                let id = watching[at];
                if conflict.is_some() || !self.moved(id, failing) {
                    watching[kept] = id;
                    kept += 1;
                    if conflict.is_none() {
                        let first = self.clauses[id as usize].literals[0];
                        match self.value(first) {
                            Some(true) => {}
                            Some(false) => conflict = Some(id),
                            None => self.assign(first, Some(id)),
                        }
                    }
                }
            }
            watching.truncate(kept);
            self.watches[failing.index()] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Lets a clause watch another literal instead of one that became false, if it can. The other watched literal is
    /// first afterwards.
    fn moved(&mut self, id: ClauseId, failing: Lit) -> bool {
        let (assigned, clause) = (&self.assigned, &mut self.clauses[id as usize].literals);
        let value = |l: Lit| assigned[l.var() as usize].map(|a| a.value == l.is_positive());
        if clause[0] == failing {
            clause.swap(0, 1);
        }
        if value(clause[0]) == Some(true) {
            return false;
        }
        match (2..clause.len()).find(|at| value(clause[*at]) != Some(false)) {
            Some(at) => {
                clause.swap(1, at);
                let watched = clause[1];
                self.watches[watched.index()].push(id);
                true
            }
            None => false,
        }
    }

    /// Searches for a model. Gives up after so many conflicts.
    pub fn solve(&mut self, mut conflicts: u64) -> Outcome {
        let mut until_restart = 100;
        let mut pace = 100;
        loop {
            if let Some(empty) = self.refuted {
                return Outcome::Refuted(empty);
            }
            match self.propagate() {
                Some(conflict) if self.decisions.is_empty() => self.refute(conflict),
                Some(conflict) => {
                    if conflicts == 0 {
                        return Outcome::GaveUp;
                    }
                    conflicts -= 1;
                    until_restart -= 1;
                    self.learn(conflict);
                }
                None if until_restart == 0 => {
                    pace += pace / 4;
                    until_restart = pace;
                    self.backtrack(0);
                }
                None => {
                    let Some(var) = self.next_decision() else { return Outcome::Model };
                    self.decisions.push(self.trail.len());
                    self.assign(Lit::new(var, self.phase[var as usize]), None);
                }
            }
        }
    }

    fn next_decision(&mut self) -> Option<Var> {
        loop {
            let var = self.order.pop()?;
            if self.assigned[var as usize].is_none() {
                return Some(var);
            }
        }
    }

    /// Learns the clause of the first unique implication point and goes back to where it assigns a literal.
    fn learn(&mut self, conflict: ClauseId) {
        let level = self.decisions.len() as u32;
        let mut steps: Vec<(Var, ClauseId)> = Vec::new();
        let mut fixed: Vec<Var> = Vec::new();
        let mut learnt: Vec<Lit> = Vec::new();
        let mut marked: Vec<Var> = Vec::new();
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let asserting = loop {
            for n in 0..self.clauses[clause as usize].literals.len() {
                let literal = self.clauses[clause as usize].literals[n];
                let var = literal.var();
                if self.seen[var as usize] || self.value(literal) != Some(false) {
                    continue;
                }
                self.seen[var as usize] = true;
                marked.push(var);
                self.order.bump(var);
                match self.level(var) {
                    0 => fixed.push(var),
                    l if l == level => open += 1,
                    _ => learnt.push(literal),
                }
            }
            let literal = loop {
                at -= 1;
                if self.seen[self.trail[at].var() as usize] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                break !literal;
            }
            let assigned = self.assigned[literal.var() as usize].expect("what is on the trail is assigned");
            clause = assigned.reason.expect("only the last of a level's literals was decided");
            steps.push((literal.var(), clause));
        };
        for var in marked {
            self.seen[var as usize] = false;
        }
        self.order.decay();
        steps.extend(fixed.iter().map(|var| (*var, self.units[*var as usize].expect("fixed variables have units"))));
        learnt.sort_by_key(|literal| std::cmp::Reverse(self.level(literal.var())));
        let back = learnt.first().map_or(0, |literal| self.level(literal.var()));
        learnt.insert(0, asserting);
        // Two literals of the conflict are of this level, so at least one step was made.
        let id = self.store(learnt.clone(), Origin::Derived(conflict, steps));
        self.backtrack(back as usize);
        if let [first, second, ..] = learnt[..] {
            self.watches[first.index()].push(id);
            self.watches[second.index()].push(id);
        }
        self.assign(asserting, Some(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;
    use term::random::Random;

    /// The clause that the proof's steps give, recomputed by resolution.
    fn replay(sat: &Sat, id: ClauseId, memo: &mut FxHashMap<ClauseId, Vec<Lit>>) -> Vec<Lit> {
        if let Some(known) = memo.get(&id) {
            return known.clone();
        }
        let mut clause = match sat.origin(id).clone() {
            Origin::Given(_) => sat.literals(id).to_vec(),
            Origin::Derived(first, steps) => {
                let mut clause = replay(sat, first, memo);
                for (pivot, other) in steps {
                    assert!(other < id);
                    let other = replay(sat, other, memo);
                    let sign = clause.iter().find(|l| l.var() == pivot).expect("the pivot is there").is_positive();
                    assert!(other.contains(&Lit::new(pivot, !sign)), "the pivot is there with the other sign");
                    clause.extend(other);
                    clause.retain(|l| l.var() != pivot);
                    clause.sort_unstable();
                    clause.dedup();
                }
                let mut stored = sat.literals(id).to_vec();
                stored.sort_unstable();
                assert_eq!(clause, stored);
                clause
            }
        };
        clause.sort_unstable();
        memo.insert(id, clause.clone());
        clause
    }

    /// Random clauses, added in portions: answers agree with truth tables, and proofs with resolution.
    #[test]
    fn answers_and_proofs_are_right() {
        let (mut models, mut refutations) = (0, 0);
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let mut sat = Sat::default();
            let vars: Vec<Var> = (0..3 + random.below(8)).map(|_| sat.variable()).collect();
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for _ in 0..8 {
                for _ in 0..random.below(10) {
                    let width = 1 + random.below(3) + random.below(2);
                    let clause: Vec<Lit> =
                        (0..width).map(|_| Lit::new(*random.pick(&vars), random.once_in(2))).collect();
                    sat.add(clause.clone(), clauses.len());
                    clauses.push(clause);
                }
                let holds = |bits: u32, l: &Lit| (bits >> l.var() & 1 == 1) == l.is_positive();
                let exists =
                    (0..1u32 << vars.len()).any(|bits| clauses.iter().all(|c| c.iter().any(|l| holds(bits, l))));
                match sat.solve(u64::MAX) {
                    Outcome::Model => {
                        models += 1;
                        assert!(clauses.iter().all(|c| c.iter().any(|l| sat.value(*l) == Some(true))));
                        assert!(exists);
                    }
                    Outcome::Refuted(empty) => {
                        refutations += 1;
                        assert!(!exists);
                        assert_eq!(replay(&sat, empty, &mut FxHashMap::default()), Vec::new());
                        break;
                    }
                    Outcome::GaveUp => panic!("there is no limit"),
                }
            }
        }
        assert!(models > 500 && refutations > 500, "{models} models, {refutations} refutations");
    }
}
