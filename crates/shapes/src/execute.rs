//! Operations of the program on states.

use crate::evaluate::{Need, bytes_of, map_of};
use crate::state::{About, State, parts, rewrite};
use engine::shape::{Region, count};
use ir::{Op, memory};
use term::subst::substitute;
use term::{Op as TermOp, Sort, SortKind, Term, build};

/// So many static objects are known from the beginning.
const MOST_STATICS: u32 = 64;
/// More cases of one operation are not distinguished.
const MOST_CASES: usize = 512;

/// What an assignment does beside giving variables values.
enum Effect {
    Set(Term, Term),
    Write {
        at: Term,
        value: Term,
    },
    Fill {
        at: Term,
        byte: Term,
        length: Term,
    },
    Copy {
        to: Term,
        from: Term,
        length: Term,
    },
    /// An entry of a map of objects' sizes or lives.
    Tell {
        map: &'static str,
        identity: Term,
        fact: Term,
    },
    /// No object is alive, or none is dynamic.
    TellNone {
        map: &'static str,
    },
}

impl State {
    /// A state of which nothing is known.
    pub fn start(about: About) -> State {
        let mut state = State { about, ..State::default() };
        state.graph.lost = true;
        state
    }

    /// All states after an operation.
    pub fn execute(self, op: &Op) -> Result<Vec<State>, String> {
        let (mut done, mut open, mut cases) = (Vec::new(), vec![self], 0);
        while let Some(mut state) = open.pop() {
            cases += 1;
            if cases > MOST_CASES {
                return Err("an operation with too many cases".into());
            }
            // What was found out about the state before something was needed stays.
            match state.attempt(op) {
                Ok(states) => done.extend(states),
                Err(Need::Case(condition)) => {
                    open.extend(state.clone().assume(condition, true));
                    open.extend(state.assume(condition, false));
                }
                Err(Need::Open(identity)) => open.extend(state.open(identity)),
                Err(Need::Stop(why)) => return Err(why),
            }
        }
        for state in &mut done {
            state.equal.clear();
            state.cases.clear();
        }
        Ok(done)
    }

    fn attempt(&mut self, op: &Op) -> Result<Vec<State>, Need> {
        match op {
            Op::Assume(condition) => {
                let condition = self.value(*condition)?;
                return Ok(std::mem::take(self).assume(condition, true));
            }
            Op::Assign(pairs) => {
                let mut effects = Vec::new();
                for (variable, value) in pairs {
                    self.effects(*variable, *value, &mut effects)?;
                }
                // All values are those before; what is told of lives changes what the number of objects means.
                let (told, others): (Vec<Effect>, Vec<Effect>) =
                    effects.into_iter().partition(|effect| matches!(effect, Effect::Tell { .. }));
                others.into_iter().chain(told).try_for_each(|effect| self.apply(effect))?;
            }
            Op::Havoc(variables) => {
                for variable in variables {
                    if variable.name().is_some_and(|name| name.as_str() == memory::NEXT)
                        || map_of(*variable).is_some()
                        || matches!(variable.sort().kind(), SortKind::Memory(_))
                    {
                        return Err(Need::Stop("memory that becomes arbitrary".into()));
                    }
                    self.graph.variables.remove(variable);
                }
            }
            Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Call { .. } | Op::Spawn { .. } => return Err(Need::Stop("a call".into())),
        }
        Ok(vec![std::mem::take(self)])
    }

    /// What it means that a variable gets a value, as terms over symbols.
    fn effects(&mut self, variable: Term, value: Term, effects: &mut Vec<Effect>) -> Result<(), Need> {
        if variable == memory::next() {
            return self.next(value);
        }
        if value == memory::next() {
            if !self.graph.variables.contains_key(&memory::next()) {
                return Err(Need::Stop("an object before memory is ready".into()));
            }
            let identity = self.symbol(Sort::object());
            // What maps say of identities that were never used: what they said of all at first.
            let first = |map: Term, is_told: bool, otherwise: bool| match self.graph.variables.get(&map) {
                Some(entry) => entry.as_bool(),
                None => (!is_told).then_some(otherwise),
            };
            let alive = first(memory::alive(), self.about.tells_alive, true);
            let dynamic = first(memory::dynamic(), self.about.tells_dynamic, false);
            self.graph.regions.insert(identity, Region { alive, dynamic, ..Region::default() });
            effects.push(Effect::Set(variable, identity));
            return Ok(());
        }
        if matches!(variable.sort().kind(), SortKind::Memory(_)) {
            return self.writes(value, effects);
        }
        match map_of(variable) {
            Some(map) => self.facts(variable, map, value, effects),
            None if matches!(variable.sort().kind(), SortKind::Array(..)) => Ok(()),
            None => {
                let value = self.value(value)?;
                effects.push(Effect::Set(variable, value));
                Ok(())
            }
        }
    }

    /// The number of the next object is set. Only at the beginning may it be anything but one more.
    fn next(&mut self, value: Term) -> Result<(), Need> {
        let next = memory::next();
        if value == build::bv_add(next, build::bv(term::OBJECT_WIDTH, 1)) {
            return Ok(());
        }
        let is_first = self.graph.regions.keys().all(|identity| identity.value().is_some())
            && self.graph.segments.is_empty()
            && value.as_bv().is_some_and(|number| number.unsigned() > self.about.statics.into());
        if !is_first {
            return Err(Need::Stop("the number of objects is set".into()));
        }
        self.graph.variables.insert(next, value);
        Ok(())
    }

    /// What a term of memory writes, in order.
    fn writes(&mut self, value: Term, effects: &mut Vec<Effect>) -> Result<(), Need> {
        match (value.op(), value.args()) {
            (TermOp::Var { .. }, _) => Ok(()),
            (TermOp::MemStore, [before, at, stored]) => {
                self.writes(*before, effects)?;
                let (at, value) = (self.value(*at)?, self.value(*stored)?);
                self.stands_apart(at)?;
                effects.push(Effect::Write { at, value });
                Ok(())
            }
            (TermOp::MemFill, [before, at, byte, length]) => {
                self.writes(*before, effects)?;
                let (at, byte, length) = (self.value(*at)?, self.value(*byte)?, self.value(*length)?);
                self.stands_apart(at)?;
                effects.push(Effect::Fill { at, byte, length });
                Ok(())
            }
            (TermOp::MemCopy, [before, to, from, length]) => {
                self.writes(*before, effects)?;
                let (to, from, length) = (self.value(*to)?, self.value(*from)?, self.value(*length)?);
                self.stands_apart(to)?;
                self.stands_apart(from)?;
                effects.push(Effect::Copy { to, from, length });
                Ok(())
            }
            _ => Err(Need::Stop("memory that is chosen by a condition".into())),
        }
    }

    /// The object that a pointer points to is no part of a list.
    fn stands_apart(&self, at: Term) -> Result<(), Need> {
        let (object, _) = parts(at);
        if self.segment(object).is_some() { Err(Need::Open(object)) } else { Ok(()) }
    }

    fn facts(&mut self, variable: Term, map: &'static str, value: Term, effects: &mut Vec<Effect>) -> Result<(), Need> {
        match (value.op(), value.args()) {
            (TermOp::Var { .. }, _) if value == variable => Ok(()),
            (TermOp::Store, [before, identity, fact]) => {
                self.facts(variable, map, *before, effects)?;
                let (identity, fact) = (self.value(*identity)?, self.value(*fact)?);
                if self.segment(identity).is_some() {
                    return Err(Need::Open(identity));
                }
                effects.push(Effect::Tell { map, identity, fact });
                Ok(())
            }
            _ => {
                let is_false = match value.value() {
                    Some(term::Value::Array(array)) => {
                        array.entries.is_empty() && array.default == term::Value::Bool(false)
                    }
                    _ => *value.op() == TermOp::ConstArray(variable.sort()) && value.args() == [build::falsehood()],
                };
                let is_first = self.graph.regions.keys().all(|identity| identity.value().is_some())
                    && self.graph.segments.is_empty();
                if !is_false || !is_first || map == memory::SIZE {
                    return Err(Need::Stop("sizes or lives of all objects are set".into()));
                }
                effects.push(Effect::TellNone { map });
                Ok(())
            }
        }
    }

    fn apply(&mut self, effect: Effect) -> Result<(), Need> {
        match effect {
            Effect::Set(variable, value) => {
                self.graph.variables.insert(variable, value);
            }
            Effect::TellNone { map } => {
                self.forget_count();
                self.graph.lost = false;
                let variable = if map == memory::ALIVE { memory::alive() } else { memory::dynamic() };
                self.graph.variables.insert(variable, build::falsehood());
                let width = term::OBJECT_WIDTH;
                for number in 1..=self.about.statics.min(MOST_STATICS) {
                    self.graph.regions.entry(build::bv(width, number.into())).or_default();
                }
                for region in self.graph.regions.values_mut() {
                    *(if map == memory::ALIVE { &mut region.alive } else { &mut region.dynamic }) = Some(false);
                }
            }
            Effect::Tell { map, identity, fact } => return self.tell(map, identity, fact),
            Effect::Write { at, value } => {
                if let Some((region, start, end)) = self.target(at, Some(bytes_of(value)))? {
                    clear(region, start, end);
                    if value.sort().bytes().is_some() {
                        region.fields.insert(start, value);
                    } else {
                        region.zero = false;
                    }
                }
            }
            Effect::Fill { at, byte, length } => {
                if let Some((region, start, end)) = self.target(at, length.as_bv().map(|n| n.unsigned() as u64))? {
                    let is_zero = byte.as_bv().is_some_and(|byte| byte.unsigned() == 0);
                    clear(region, start, end);
                    let size = region.size.and_then(|size| size.as_bv()).map(|size| size.unsigned());
                    let is_whole = start == 0 && size == Some(end.into());
                    region.zero = is_zero && (region.zero || is_whole);
                }
            }
            Effect::Copy { to, from, length } => {
                let length = length.as_bv().map(|n| n.unsigned() as u64);
                let source = self.source(from, length);
                if let Some((region, start, end)) = self.target(to, length)? {
                    clear(region, start, end);
                    region.zero = false;
                    region.fields.extend(source.into_iter().map(|(at, value)| (start + at, value)));
                }
            }
        }
        Ok(())
    }

    /// The object that is written to and where, if all of it is inside; where that is not known, all that was known of
    /// it is forgotten.
    fn target(&mut self, at: Term, bytes: Option<u64>) -> Result<Option<(&mut Region, u64, u64)>, Need> {
        let (object, offset) = parts(at);
        if let Some(number) = object.as_bv().map(|number| number.unsigned()) {
            if number == 0 || number > self.about.statics.into() {
                // Nothing that is known of can be there.
                return Ok(None);
            }
            self.graph.regions.entry(object).or_default();
        }
        let Some(region) = self.graph.regions.get_mut(&object) else {
            return Err(Need::Stop("a write through a pointer to an unknown object".into()));
        };
        let size = region.size.and_then(|size| size.as_bv()).map(|size| size.unsigned());
        let place = match (offset.as_bv(), bytes, size) {
            (Some(offset), Some(bytes), Some(size)) => {
                let end = offset.unsigned() + u128::from(bytes);
                (end <= size).then_some((offset.unsigned() as u64, end as u64))
            }
            _ => None,
        };
        match place {
            Some((start, end)) if region.alive != Some(false) => Ok(Some((region, start, end))),
            _ => {
                region.fields.clear();
                region.zero = false;
                Ok(None)
            }
        }
    }

    /// The fields of a part of an object, from the beginning of the part.
    fn source(&self, at: Term, bytes: Option<u64>) -> Vec<(u64, Term)> {
        let (object, offset) = parts(at);
        let (Some(region), Some(offset), Some(bytes)) = (self.graph.regions.get(&object), offset.as_bv(), bytes) else {
            return Vec::new();
        };
        let start = offset.unsigned() as u64;
        let inside = region
            .fields
            .iter()
            .filter(|(at, value)| **at >= start && **at + bytes_of(**value) <= start.saturating_add(bytes));
        inside.map(|(at, value)| (at - start, *value)).collect()
    }

    /// An entry of a map of objects' sizes or lives.
    fn tell(&mut self, map: &'static str, identity: Term, fact: Term) -> Result<(), Need> {
        let mut is_new = false;
        if let Some(number) = identity.as_bv().map(|number| number.unsigned()) {
            if number == 0 || number > self.about.statics.into() {
                return Ok(());
            }
            is_new = !self.graph.regions.contains_key(&identity);
            self.graph.regions.entry(identity).or_default();
        }
        let lost = self.graph.lost;
        let Some(region) = self.graph.regions.get_mut(&identity) else {
            return Err(Need::Stop("the size or life of an unknown object is set".into()));
        };
        let counted = |region: &Region| match (region.alive, region.dynamic) {
            (Some(false), _) | (_, Some(false)) => Some(0),
            (Some(true), Some(true)) => Some(1),
            _ => None,
        };
        // Where all that counts is known, what was not mentioned does not count.
        let before = if is_new && !lost { Some(0) } else { counted(region) };
        match map {
            memory::SIZE => region.size = Some(fact),
            memory::DYNAMIC => region.dynamic = fact.as_bool(),
            _ => {
                region.alive = fact.as_bool();
                if region.alive != Some(true) {
                    region.fields.clear();
                    region.zero = false;
                }
            }
        }
        let after = counted(region);
        match (before, after) {
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after)) => {
                let count = count();
                let one = build::bv(term::OBJECT_WIDTH, 1);
                let old = if after > before { build::bv_sub(count, one) } else { build::bv_add(count, one) };
                rewrite(&mut self.graph, &mut |value| {
                    substitute(value, |part| if part == count { Some(old) } else { None })
                });
            }
            _ => {
                self.forget_count();
                self.graph.lost = true;
            }
        }
        Ok(())
    }

    /// What was said of the number of dynamic objects is of an earlier number.
    fn forget_count(&mut self) {
        let earlier = self.symbol(Sort::object());
        rewrite(&mut self.graph, &mut |value| {
            substitute(value, |part| if part == count() { Some(earlier) } else { None })
        });
    }
}

/// Forgets the fields of a part of an object.
fn clear(region: &mut Region, start: u64, end: u64) {
    let mut cut = false;
    region.fields.retain(|at, value| {
        let after = *at + bytes_of(*value);
        let touched = *at < end && start < after;
        cut |= touched && (*at < start || after > end);
        !touched
    });
    region.zero &= !cut;
}
