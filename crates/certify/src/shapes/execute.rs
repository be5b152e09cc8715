//! Operations on worlds.

use super::evaluate::is_named;
use super::world::{World, bytes, map};
use engine::shape::{Layout, Member, Region, Segment, count};
use ir::{Op as Operation, memory};
use std::collections::BTreeMap;
use term::build::{self, bv, bv_add, bv_sub, falsehood, not, pointer, pointer_object, pointer_offset};
use term::subst::substitute;
use term::{OBJECT_WIDTH, Op, Sort, SortKind, Term, Value};

/// Why an operation cannot be executed in a world as it is.
pub enum Stuck {
    /// Two worlds are needed: one where the condition holds, and one where it does not.
    Split(Term),
    /// An object of this identity must leave its segment.
    Open(Term),
    Refused(String),
}

const MOST_WORLDS: usize = 2_000;
/// So many static objects are known where lives are told for the first time.
const FIRST_STATICS: u128 = 64;

enum Change {
    Variable(Term, Term),
    Stored { at: Term, value: Term },
    Filled { at: Term, byte: Term, length: Term },
    Copied { to: Term, from: Term, length: Term },
    Fact { map: Term, identity: Term, fact: Term },
    NoneYet(Term),
}

impl World {
    pub fn execute(self, operation: &Operation) -> Result<Vec<World>, String> {
        let (mut left, mut done, mut count) = (vec![self], Vec::new(), 0);
        while let Some(mut world) = left.pop() {
            count += 1;
            if count > MOST_WORLDS {
                return Err("an operation splits a graph too often".into());
            }
            match world.changes(operation) {
                Ok(worlds) => done.extend(worlds),
                Err(Stuck::Split(condition)) => {
                    left.extend(world.clone().where_holds(condition));
                    left.extend(world.where_holds(not(condition)));
                }
                Err(Stuck::Open(identity)) => left.extend(world.opened(identity)?),
                Err(Stuck::Refused(what)) => return Err(what),
            }
        }
        Ok(done)
    }

    fn changes(&mut self, operation: &Operation) -> Result<Vec<World>, Stuck> {
        match operation {
            Operation::Assume(condition) => {
                let condition = self.evaluate(*condition)?;
                return Ok(self.clone().where_holds(condition));
            }
            Operation::Havoc(variables) => {
                for variable in variables {
                    if is_of_memory(*variable) || is_named(*variable, memory::NEXT) {
                        return Err(Stuck::Refused("memory becomes arbitrary".into()));
                    }
                    self.graph.variables.remove(variable);
                }
            }
            Operation::AtomicBegin | Operation::AtomicEnd => {}
            Operation::Call { .. } | Operation::Spawn { .. } => {
                return Err(Stuck::Refused("the program has calls".into()));
            }
            Operation::Assign(pairs) => {
                let mut changes = Vec::new();
                for (variable, value) in pairs {
                    if let Some(change) = self.new_object(*variable, *value)? {
                        changes.extend(change);
                    } else if is_of_memory(*variable) {
                        self.change_of(*variable, *value, &mut changes)?;
                    } else if !matches!(variable.sort().kind(), SortKind::Array(..)) {
                        changes.push(Change::Variable(*variable, self.evaluate(*value)?));
                    }
                }
                // Facts change the number of dynamic objects, by which values are told: they come last.
                let is_fact = |change: &Change| matches!(change, Change::Fact { .. });
                let (facts, others): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(is_fact);
                others.into_iter().chain(facts).try_for_each(|change| self.change(change))?;
            }
        }
        Ok(vec![self.clone()])
    }

    /// Identities of new objects: `None` if the assignment has nothing to do with them.
    fn new_object(&mut self, variable: Term, value: Term) -> Result<Option<Option<Change>>, Stuck> {
        let next = memory::next();
        if variable == next {
            let is_made = |identity: &Term| identity.value().is_none();
            let is_first = !self.graph.regions.keys().any(is_made) && self.graph.segments.is_empty();
            let is_above = value.as_bv().is_some_and(|number| number.unsigned() > self.statics);
            if value != bv_add(next, bv(OBJECT_WIDTH, 1)) {
                if !is_first || !is_above {
                    return Err(Stuck::Refused("identities are set".into()));
                }
                self.graph.variables.insert(next, value);
            }
            return Ok(Some(None));
        }
        if value != next {
            return Ok(None);
        }
        if !self.graph.variables.contains_key(&next) {
            return Err(Stuck::Refused("there are no identities yet".into()));
        }
        let identity = self.new_symbol(Sort::object());
        let at_first = |map: Term, is_told: bool, untold: bool| match self.graph.variables.get(&map) {
            Some(value) => value.as_bool(),
            None => {
                if is_told {
                    None
                } else {
                    Some(untold)
                }
            }
        };
        let region = Region {
            alive: at_first(memory::alive(), self.tells_alive, true),
            dynamic: at_first(memory::dynamic(), self.tells_dynamic, false),
            ..Region::default()
        };
        self.graph.regions.insert(identity, region);
        Ok(Some(Some(Change::Variable(variable, identity))))
    }

    /// What the new value of memory or of a map changes.
    fn change_of(&mut self, variable: Term, value: Term, changes: &mut Vec<Change>) -> Result<(), Stuck> {
        if value == variable {
            return Ok(());
        }
        match (value.op(), value.args()) {
            (Op::MemStore, [before, at, stored]) => {
                self.change_of(variable, *before, changes)?;
                let change = Change::Stored { at: self.place(*at)?, value: self.evaluate(*stored)? };
                changes.push(change);
            }
            (Op::MemFill, [before, at, byte, length]) => {
                self.change_of(variable, *before, changes)?;
                let (at, byte) = (self.place(*at)?, self.evaluate(*byte)?);
                changes.push(Change::Filled { at, byte, length: self.evaluate(*length)? });
            }
            (Op::MemCopy, [before, to, from, length]) => {
                self.change_of(variable, *before, changes)?;
                let (to, from) = (self.place(*to)?, self.place(*from)?);
                changes.push(Change::Copied { to, from, length: self.evaluate(*length)? });
            }
            (Op::Store, [before, identity, fact]) => {
                self.change_of(variable, *before, changes)?;
                let (identity, fact) = (self.evaluate(*identity)?, self.evaluate(*fact)?);
                if self.segment_of(identity).is_some() {
                    return Err(Stuck::Open(identity));
                }
                changes.push(Change::Fact { map: variable, identity, fact });
            }
            (Op::ConstArray(_), [all]) if *all == falsehood() => changes.push(Change::NoneYet(variable)),
            (Op::Const(Value::Array(array)), _) if array.entries.is_empty() && array.default == Value::Bool(false) => {
                changes.push(Change::NoneYet(variable));
            }
            _ => return Err(Stuck::Refused("memory is set as a whole".into())),
        }
        Ok(())
    }

    /// A pointer to an object that is in no segment.
    fn place(&mut self, at: Term) -> Result<Term, Stuck> {
        let at = self.evaluate(at)?;
        let object = pointer_object(at);
        if self.segment_of(object).is_some() { Err(Stuck::Open(object)) } else { Ok(at) }
    }

    fn change(&mut self, change: Change) -> Result<(), Stuck> {
        match change {
            Change::Variable(variable, value) => _ = self.graph.variables.insert(variable, value),
            Change::Stored { at, value } => {
                if let Some((region, start, end)) = self.written(at, Some(bytes(value.sort())))? {
                    overwrite(region, start, end);
                    match value.sort().bytes() {
                        Some(_) => _ = region.fields.insert(start, value),
                        None => region.zero = false,
                    }
                }
            }
            Change::Filled { at, byte, length } => {
                if let Some((region, start, end)) = self.written(at, constant(length))? {
                    overwrite(region, start, end);
                    let is_all = start == 0 && region.size.and_then(constant) == Some(end);
                    region.zero = (region.zero || is_all) && constant(byte) == Some(0);
                }
            }
            Change::Copied { to, from, length } => {
                let copied = self.copied(from, constant(length)).unwrap_or_default();
                if let Some((region, start, end)) = self.written(to, constant(length))? {
                    overwrite(region, start, end);
                    region.zero = false;
                    region.fields.extend(copied.into_iter().map(|(at, value)| (at + start, value)));
                }
            }
            Change::NoneYet(variable) => {
                let is_made = self.graph.regions.keys().any(|identity| identity.value().is_none());
                if is_made || !self.graph.segments.is_empty() || is_named(variable, memory::SIZE) {
                    return Err(Stuck::Refused("lives of objects are set".into()));
                }
                self.uncount();
                self.graph.lost = false;
                self.graph.variables.insert(variable, falsehood());
                for number in 1..=self.statics.min(FIRST_STATICS) {
                    self.graph.regions.entry(bv(OBJECT_WIDTH, number)).or_default();
                }
                let is_alive = variable == memory::alive();
                for region in self.graph.regions.values_mut() {
                    if is_alive { region.alive = Some(false) } else { region.dynamic = Some(false) }
                }
            }
            Change::Fact { map, identity, fact } => self.learn(map, identity, fact)?,
        }
        Ok(())
    }

    /// The region that is written to, if all of it is there.
    fn written(&mut self, at: Term, length: Option<u64>) -> Result<Option<(&mut Region, u64, u64)>, Stuck> {
        let (object, offset) = (pointer_object(at), pointer_offset(at));
        if let Some(number) = object.as_bv() {
            if number.unsigned() == 0 || number.unsigned() > self.statics {
                return Ok(None);
            }
            self.graph.regions.entry(object).or_default();
        }
        let unknown = || Stuck::Refused("a write to an object that is not known".into());
        let region = self.graph.regions.get_mut(&object).ok_or_else(unknown)?;
        let inside = || {
            let start = constant(offset)?;
            let end = start.checked_add(length?)?;
            (end <= region.size.and_then(constant)? && region.alive != Some(false)).then_some((start, end))
        };
        match inside() {
            Some((start, end)) => Ok(Some((region, start, end))),
            None => {
                region.fields = BTreeMap::new();
                region.zero = false;
                Ok(None)
            }
        }
    }

    fn copied(&self, from: Term, length: Option<u64>) -> Option<Vec<(u64, Term)>> {
        let region = self.graph.regions.get(&pointer_object(from))?;
        let start = constant(pointer_offset(from))?;
        let end = start.checked_add(length?)?;
        let inside = region.fields.range(start..end).filter(|(at, value)| **at + bytes(value.sort()) <= end);
        Some(inside.map(|(at, value)| (at - start, *value)).collect())
    }

    /// What is told of an object.
    fn learn(&mut self, told: Term, identity: Term, fact: Term) -> Result<(), Stuck> {
        let is_new = !self.graph.regions.contains_key(&identity);
        if let Some(number) = identity.as_bv() {
            if number.unsigned() == 0 || number.unsigned() > self.statics {
                return Ok(());
            }
            self.graph.regions.entry(identity).or_default();
        }
        let is_kept = !self.graph.lost;
        let unknown = || Stuck::Refused("something is told of an object that is not known".into());
        let region = self.graph.regions.get_mut(&identity).ok_or_else(unknown)?;
        let counts = |region: &Region| match (region.alive, region.dynamic) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => None,
        };
        // No object counts that a graph which keeps all of them does not mention.
        let before = if is_new && is_kept { Some(false) } else { counts(region) };
        if is_named(told, memory::SIZE) {
            region.size = Some(fact);
        } else if is_named(told, memory::DYNAMIC) {
            region.dynamic = fact.as_bool();
        } else {
            region.alive = fact.as_bool();
            if region.alive != Some(true) {
                (region.fields, region.zero) = (BTreeMap::new(), false);
            }
        }
        let one = bv(OBJECT_WIDTH, 1);
        match (before, counts(region)) {
            (Some(false), Some(true)) => self.recount(bv_sub(count(), one)),
            (Some(true), Some(false)) => self.recount(bv_add(count(), one)),
            (Some(before), Some(after)) if before == after => {}
            _ => {
                self.uncount();
                self.graph.lost = true;
            }
        }
        Ok(())
    }

    /// What the number of dynamic objects was, in terms of what it is now.
    fn recount(&mut self, before: Term) {
        let of = |term: Term| substitute(term, |part| if part == count() { Some(before) } else { None });
        map(&mut self.graph, &mut |value| of(value));
        self.demands.iter_mut().for_each(|demand| *demand = of(*demand));
        self.known = std::mem::take(&mut self.known).into_iter().map(|(known, is)| (of(known), is)).collect();
    }

    fn uncount(&mut self) {
        let before = self.new_symbol(Sort::object());
        self.recount(before);
    }

    /// The worlds in which the object at an end of a segment is a region.
    fn opened(mut self, identity: Term) -> Result<Vec<World>, String> {
        let Some(number) = self.segment_of(identity) else { return Err("there is no segment to open".into()) };
        let segment = self.graph.segments.remove(number);
        let SortKind::Pointer(width) = segment.next_of_last.sort().kind() else {
            return Err("the next object is no pointer".into());
        };
        let to = |object: Term| pointer(object, bv(*width, segment.start.into()));
        let inner = self.new_symbol(Sort::object());
        let next = |value: Term| (segment.next, value);
        let rest = |less: Segment| Segment {
            least: (segment.least - 1).max(if segment.last.is_some() { 2 } else { 1 }),
            ..less
        };
        let mut worlds = Vec::new();
        match (segment.last, segment.before, segment.before_first) {
            (Some(last), Some(before), Some(before_first)) => {
                if segment.least <= 2 {
                    let firsts =
                        self.clone().with_object(&segment, segment.first, &[next(to(last)), (before, before_first)]);
                    let links = [next(segment.next_of_last), (before, to(segment.first))];
                    worlds.extend(firsts.into_iter().flat_map(|world| world.with_object(&segment, last, &links)));
                }
                let (links, less) = match identity == last {
                    true => {
                        let less = Segment { last: Some(inner), next_of_last: to(last), ..segment.clone() };
                        ([next(segment.next_of_last), (before, to(inner))], less)
                    }
                    false => {
                        let less = Segment { first: inner, before_first: Some(to(identity)), ..segment.clone() };
                        ([next(to(inner)), (before, before_first)], less)
                    }
                };
                self.graph.segments.push(rest(less));
                worlds.extend(self.with_object(&segment, identity, &links));
            }
            _ => {
                if segment.least <= 1 {
                    worlds.extend(self.clone().with_object(&segment, identity, &[next(segment.next_of_last)]));
                }
                self.graph.segments.push(rest(Segment { first: inner, ..segment.clone() }));
                worlds.extend(self.with_object(&segment, identity, &[next(to(inner))]));
            }
        }
        Ok(worlds)
    }

    /// Worlds with an object of a segment as a region, one for each layout.
    fn with_object(self, segment: &Segment, identity: Term, links: &[(u64, Term)]) -> Vec<World> {
        let mut worlds = Vec::new();
        for layout in &segment.layouts {
            let mut world = self.clone();
            let mut fields: BTreeMap<u64, Term> = links.iter().copied().collect();
            world.add_members(layout, identity, &mut fields);
            let region = Region {
                size: Some(segment.size),
                alive: Some(true),
                dynamic: Some(segment.dynamic),
                zero: false,
                fields,
            };
            world.graph.regions.insert(identity, region);
            worlds.push(world);
        }
        worlds
    }

    fn add_members(&mut self, layout: &Layout, identity: Term, fields: &mut BTreeMap<u64, Term>) {
        for (at, member) in layout {
            let value = match member {
                Member::Same(value) => *value,
                Member::Any(sort, ranges) => {
                    let value = self.arbitrary(*sort);
                    self.demands.extend(ranges.as_ref().map(|ranges| super::world::among(value, ranges)));
                    value
                }
                Member::Itself(sort, offset) => match sort.kind() {
                    SortKind::Pointer(width) => pointer(identity, build::bv(*width, (*offset).into())),
                    _ => self.arbitrary(*sort),
                },
            };
            fields.insert(*at, value);
        }
    }
}

fn constant(term: Term) -> Option<u64> {
    u64::try_from(term.as_bv()?.unsigned()).ok()
}

/// Whether a variable is memory, or one of the maps that tell of objects.
fn is_of_memory(variable: Term) -> bool {
    [memory::MEMORY, memory::SIZE, memory::ALIVE, memory::DYNAMIC].iter().any(|name| is_named(variable, name))
}

/// Bytes are overwritten: fields that have some of them are gone.
fn overwrite(region: &mut Region, start: u64, end: u64) {
    let whole = |at: u64, value: Term| start <= at && at + bytes(value.sort()) <= end;
    let touched = |at: u64, value: Term| at < end && start < at + bytes(value.sort());
    if region.fields.iter().any(|(at, value)| touched(*at, *value) && !whole(*at, *value)) {
        region.zero = false;
    }
    region.fields.retain(|at, value| !touched(*at, *value));
}
