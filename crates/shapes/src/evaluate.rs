//! The values of terms in a state, and what of conditions is decided there.
//!
//! What has no value that can be told is a new symbol, so that values over-approximate. Where a value depends on the
//! first object of a list, or on a condition, the state has to be split first: that is a [`Need`].

use crate::ranges;
use crate::state::{State, is_symbol, parts};
use ir::memory;
use rustc_hash::FxHashMap;
use term::visit::{bottom_up, bound};
use term::{Op, Sort, SortKind, Term, Value, build};

/// Why an operation cannot be done on a state as it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Need {
    /// It must be known whether a condition over symbols holds.
    Case(Term),
    /// The object of this identity must stand apart from its list.
    Open(Term),
    /// It is not understood.
    Stop(String),
}

/// A map of memory: which one.
pub fn map_of(array: Term) -> Option<&'static str> {
    let name = array.name()?;
    [memory::SIZE, memory::ALIVE, memory::DYNAMIC].into_iter().find(|map| name.as_str() == *map)
}

impl State {
    /// The value of a term of the program.
    pub fn value(&mut self, term: Term) -> Result<Term, Need> {
        if !bound(term).is_empty() {
            return Ok(self.any(term.sort()));
        }
        let value = match (term.op(), term.args()) {
            (Op::Const(_), _) => term,
            (Op::Var { .. }, _) => self.read(term)?,
            (Op::Load(sort), [of, at]) if of.name().is_some_and(|name| name.as_str() == memory::MEMORY) => {
                let at = self.value(*at)?;
                self.load(*sort, at)?
            }
            (Op::Select, [array, index]) if map_of(*array).is_some() => {
                let index = self.value(*index)?;
                self.attribute(*array, index)
            }
            (Op::Ite, [condition, then, other]) => {
                let condition = self.value(*condition)?;
                match self.settle(condition).as_bool() {
                    Some(true) => self.value(*then)?,
                    Some(false) => self.value(*other)?,
                    None => return Err(Need::Case(condition)),
                }
            }
            (Op::Load(_) | Op::Select | Op::Store | Op::ObjectAt | Op::Apply(_) | Op::ConstArray(_), _) => {
                self.any(term.sort())
            }
            (op, args) => {
                let args = args.iter().map(|arg| self.value(*arg)).collect::<Result<Vec<Term>, Need>>()?;
                build::make(op, &args)
            }
        };
        Ok(self.settle(value))
    }

    fn read(&mut self, variable: Term) -> Result<Term, Need> {
        match variable.sort().kind() {
            SortKind::Memory(_) => return Err(Need::Stop("memory as a value".into())),
            SortKind::Array(..) => return Ok(self.any(variable.sort())),
            _ => {}
        }
        if let Some(value) = self.graph.variables.get(&variable) {
            return Ok(*value);
        }
        let value = self.any(variable.sort());
        self.graph.variables.insert(variable, value);
        Ok(value)
    }

    /// What is known of an object's size or life.
    fn attribute(&mut self, array: Term, identity: Term) -> Term {
        let SortKind::Array(_, element) = array.sort().kind() else { return self.any(array.sort()) };
        let known = match (map_of(array), self.graph.regions.get(&identity), self.segment(identity)) {
            (Some(memory::SIZE), Some(region), _) => region.size,
            (Some(memory::SIZE), _, Some((number, _))) => Some(self.graph.segments[number].size),
            (Some(memory::ALIVE), Some(region), _) => region.alive.map(build::bool),
            (Some(memory::ALIVE), _, Some(_)) => Some(build::truth()),
            (Some(memory::DYNAMIC), Some(region), _) => region.dynamic.map(build::bool),
            (Some(memory::DYNAMIC), _, Some((number, _))) => Some(build::bool(self.graph.segments[number].dynamic)),
            _ => None,
        };
        let value = match known {
            Some(value) => value,
            None => self.any(*element),
        };
        // It stays what it is, as long as nobody writes it.
        if known.is_none()
            && map_of(array) == Some(memory::SIZE)
            && let Some(region) = self.graph.regions.get_mut(&identity)
        {
            region.size = Some(value);
        }
        value
    }

    /// What memory holds at a pointer. Of objects that are not known, and outside of objects, anything.
    fn load(&mut self, sort: Sort, at: Term) -> Result<Term, Need> {
        let (object, offset) = parts(at);
        if self.segment(object).is_some() {
            return Err(Need::Open(object));
        }
        let (Some(bytes), Some(offset)) = (sort.bytes(), offset.as_bv()) else { return Ok(self.any(sort)) };
        let (start, end) = (offset.unsigned() as u64, (offset.unsigned() as u64).saturating_add(bytes.into()));
        let Some(region) = self.graph.regions.get(&object) else { return Ok(self.any(sort)) };
        if let Some(value) = region.fields.get(&start)
            && value.sort() == sort
        {
            return Ok(*value);
        }
        let is_free = !region.fields.iter().any(|(at, value)| *at < end && start < at + bytes_of(*value));
        let is_inside =
            region.size.and_then(|size| size.as_bv()).is_some_and(|size| u128::from(end) <= size.unsigned());
        if !is_free || !is_inside || region.alive == Some(false) {
            return Ok(self.any(sort));
        }
        let zero = if region.zero { Value::zero(sort).map(Term::constant) } else { None };
        let value = match zero {
            Some(zero) => zero,
            None => self.any(sort),
        };
        if let Some(region) = self.graph.regions.get_mut(&object) {
            region.fields.insert(start, value);
        }
        Ok(value)
    }

    /// The term with what is known by now.
    pub fn settle(&self, term: Term) -> Term {
        if term.value().is_some() || is_symbol(term) && !self.equal.contains_key(&term) && !term.sort().is_bool() {
            return term;
        }
        let mut memo: FxHashMap<Term, Term> = FxHashMap::default();
        bottom_up(term, &mut memo, |part, memo| {
            if let Some(equal) = self.equal.get(&part) {
                return *equal;
            }
            let args: Vec<Term> = part.args().iter().map(|arg| memo[arg]).collect();
            let made = match (part.op(), args.as_slice()) {
                (Op::Eq, [a, b]) if matches!(a.sort().kind(), SortKind::Pointer(_)) => {
                    let ((object, offset), (other, at)) = (parts(*a), parts(*b));
                    let objects = self.decided(build::eq(object, other));
                    build::and([objects, self.decided(build::eq(offset, at))])
                }
                _ if args.as_slice() == part.args() => part,
                (op, _) => build::make(op, &args),
            };
            self.decided(made)
        })
    }

    /// An atom's truth, if it is known; otherwise the atom.
    fn decided(&self, atom: Term) -> Term {
        if !atom.sort().is_bool() || atom.value().is_some() {
            return atom;
        }
        self.truth(atom).map_or(atom, build::bool)
    }

    fn truth(&self, atom: Term) -> Option<bool> {
        if let Some(known) = self.cases.get(&atom) {
            return Some(*known);
        }
        match (atom.op(), atom.args()) {
            (Op::Not, [a]) => self.truth(*a).map(|is| !is),
            (Op::Eq, [a, b]) if a == b => Some(true),
            (Op::Eq, [a, b]) if self.is_identity(*a) && self.is_identity(*b) => Some(false),
            (Op::Eq, [a, b]) => {
                let (a, b) = (self.ranges(*a)?, self.ranges(*b)?);
                match (ranges::only(&a), ranges::only(&b)) {
                    (Some(x), Some(y)) => Some(x == y),
                    _ if ranges::intersection(&a, &b).is_empty() => Some(false),
                    _ => None,
                }
            }
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [a, b]) => {
                let width = a.sort().bv_width()?;
                let is_signed = matches!(atom.op(), Op::BvSlt | Op::BvSle);
                let of = |term: Term| {
                    let ranges = self.ranges(term)?;
                    Some(if is_signed { ranges::signed(&ranges, width) } else { ranges })
                };
                let (a, b) = (of(*a)?, of(*b)?);
                let ((least_a, most_a), (least_b, most_b)) = (bounds(&a)?, bounds(&b)?);
                match atom.op() {
                    Op::BvUlt | Op::BvSlt if most_a < least_b => Some(true),
                    Op::BvUlt | Op::BvSlt if least_a >= most_b => Some(false),
                    Op::BvUle | Op::BvSle if most_a <= least_b => Some(true),
                    Op::BvUle | Op::BvSle if least_a > most_b => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The least and the greatest.
pub fn bounds(ranges: &engine::shape::Ranges) -> Option<(u128, u128)> {
    Some((ranges.first()?.0, ranges.last()?.1))
}

/// How many bytes a value takes in memory.
pub fn bytes_of(value: Term) -> u64 {
    value.sort().bytes().unwrap_or(1).into()
}
