//! Values of terms in worlds, and worlds where conditions hold.

use super::execute::Stuck;
use super::world::{World, bytes, is_symbol};
use engine::shape::count;
use ir::memory;
use rustc_hash::FxHashMap;
use term::build::{self, and, bool as truth_value, bv, eq, make, not, pointer_object, pointer_offset};
use term::visit::{bound, post_order};
use term::{OBJECT_WIDTH, Op, SortKind, Term, Value};

impl World {
    /// The value of a term of the program.
    pub fn evaluate(&mut self, term: Term) -> Result<Term, Stuck> {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        for part in post_order([term]) {
            let args: Vec<Term> = part.args().iter().map(|arg| values[arg]).collect();
            let value = self.evaluated(part, &args)?;
            values.insert(part, self.simplified(value));
        }
        Ok(values[&term])
    }

    fn evaluated(&mut self, part: Term, args: &[Term]) -> Result<Term, Stuck> {
        let is_whole = |array: Term| matches!(array.sort().kind(), SortKind::Array(..) | SortKind::Memory(_));
        Ok(match (part.op(), args) {
            _ if !bound(part).is_empty() => self.arbitrary(part.sort()),
            (Op::Const(_), _) => part,
            // Memory and maps have no values of their own; what is read of them is.
            _ if is_whole(part) => part,
            (Op::Var { .. }, _) => match self.graph.variables.get(&part) {
                Some(value) => *value,
                None => {
                    let value = self.arbitrary(part.sort());
                    self.graph.variables.insert(part, value);
                    value
                }
            },
            (Op::Load(sort), [_, at]) if is_named(part.args()[0], memory::MEMORY) => {
                let (object, offset) = (pointer_object(*at), pointer_offset(*at));
                if self.segment_of(object).is_some() {
                    return Err(Stuck::Open(object));
                }
                match self.field(object, offset, *sort) {
                    Some(value) => value,
                    None => self.arbitrary(*sort),
                }
            }
            (Op::Select, [_, identity]) => {
                let known = self.told(part.args()[0], *identity);
                match known {
                    Some(fact) => fact,
                    None => self.fact_from_now_on(part, *identity),
                }
            }
            (Op::Ite, [condition, then, other]) => match condition.as_bool() {
                Some(true) => *then,
                Some(false) => *other,
                None => return Err(Stuck::Split(*condition)),
            },
            (Op::Load(_) | Op::ObjectAt | Op::Apply(_), _) => self.arbitrary(part.sort()),
            // Of maps that have no value, nothing is known either.
            _ if part.args().iter().any(|arg| is_whole(*arg)) => self.arbitrary(part.sort()),
            (op, args) => make(op, args),
        })
    }

    /// What an object has at an offset.
    fn field(&mut self, object: Term, offset: Term, sort: term::Sort) -> Option<Term> {
        let start = u64::try_from(offset.as_bv()?.unsigned()).ok()?;
        let end = start.checked_add(bytes(sort))?;
        let fresh = self.newest;
        let region = self.graph.regions.get(&object)?;
        if let Some(value) = region.fields.get(&start).filter(|value| value.sort() == sort) {
            return Some(*value);
        }
        let meets = |(at, value): (&u64, &Term)| *at < end && start < at + bytes(value.sort());
        let size = region.size?.as_bv()?.unsigned();
        if region.fields.iter().any(meets) || u128::from(end) > size || region.alive == Some(false) {
            return None;
        }
        let zero = Value::zero(sort).filter(|_| region.zero).map(Term::constant);
        debug_assert_eq!(fresh, self.newest);
        let value = match zero {
            Some(zero) => zero,
            None => self.arbitrary(sort),
        };
        self.graph.regions.get_mut(&object)?.fields.insert(start, value);
        Some(value)
    }

    /// What a map says of an object.
    fn told(&self, map: Term, identity: Term) -> Option<Term> {
        let segment = self.segment_of(identity).map(|number| &self.graph.segments[number]);
        match (self.graph.regions.get(&identity), segment) {
            (Some(region), _) if is_named(map, memory::SIZE) => region.size,
            (Some(region), _) if is_named(map, memory::ALIVE) => region.alive.map(truth_value),
            (Some(region), _) if is_named(map, memory::DYNAMIC) => region.dynamic.map(truth_value),
            (_, Some(segment)) if is_named(map, memory::SIZE) => Some(segment.size),
            (_, Some(_)) if is_named(map, memory::ALIVE) => Some(truth_value(true)),
            (_, Some(segment)) if is_named(map, memory::DYNAMIC) => Some(truth_value(segment.dynamic)),
            _ => None,
        }
    }

    fn fact_from_now_on(&mut self, part: Term, identity: Term) -> Term {
        let fact = self.arbitrary(part.sort());
        if is_named(part.args()[0], memory::SIZE)
            && let Some(region) = self.graph.regions.get_mut(&identity)
        {
            region.size = Some(fact);
        }
        fact
    }

    /// A term of symbols, made simpler by what is known of objects and conditions.
    pub fn simplified(&self, term: Term) -> Term {
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let (least, is_exact) = self.living();
        for part in post_order([term]) {
            let args: Vec<Term> = part.args().iter().map(|arg| values[arg]).collect();
            let value = match (part.op(), args.as_slice()) {
                _ if part == count() && is_exact => bv(OBJECT_WIDTH, least.into()),
                (Op::Eq, [a, b]) if matches!(a.sort().kind(), SortKind::Pointer(_)) => and([
                    self.compared(pointer_object(*a), pointer_object(*b)),
                    self.compared(pointer_offset(*a), pointer_offset(*b)),
                ]),
                (Op::Eq, [a, b]) => self.compared(*a, *b),
                (Op::BvUlt | Op::BvUle, [a, b]) if self.is_made(*b) && self.is_of_statics(*a) => truth_value(true),
                (Op::BvUlt | Op::BvUle, [a, b]) if self.is_made(*a) && self.is_of_statics(*b) => truth_value(false),
                (_, []) => part,
                (op, args) => make(op, args),
            };
            let known = self.known.get(&value).copied().or_else(|| match (value.op(), value.args()) {
                (Op::Not, [negated]) => self.known.get(negated).map(|is| !is),
                _ => None,
            });
            values.insert(part, known.map_or(value, truth_value));
        }
        values[&term]
    }

    /// Whether a number is 0 or that of a static object, and smaller than those of objects that are made.
    fn is_of_statics(&self, number: Term) -> bool {
        number.as_bv().is_some_and(|number| number.unsigned() <= self.statics)
    }

    /// Whether a term is the identity of an object that was made.
    fn is_made(&self, identity: Term) -> bool {
        identity.value().is_none() && self.is_object(identity)
    }

    /// Whether two values are equal.
    fn compared(&self, a: Term, b: Term) -> Term {
        let (a_is_made, b_is_made) = (self.is_made(a), self.is_made(b));
        let differ =
            a != b && (a_is_made && (b_is_made || self.is_of_statics(b)) || b_is_made && self.is_of_statics(a));
        if differ { truth_value(false) } else { eq(a, b) }
    }

    /// The worlds in which a condition over symbols holds.
    pub fn where_holds(mut self, condition: Term) -> Vec<World> {
        let condition = self.simplified(condition);
        match (condition.op(), condition.args()) {
            (Op::Const(_), _) => {
                if condition.as_bool() == Some(true) {
                    vec![self]
                } else {
                    Vec::new()
                }
            }
            (Op::And, parts) => {
                let each = |worlds: Vec<World>, part: &Term| -> Vec<World> {
                    worlds.into_iter().flat_map(|world| world.where_holds(*part)).collect()
                };
                parts.iter().fold(vec![self], each)
            }
            (Op::Or, parts) => {
                let earlier = |number: usize| parts[..number].iter().map(|part| not(*part));
                let case = |number: usize| and(earlier(number).chain([parts[number]]));
                (0..parts.len()).flat_map(|number| self.clone().where_holds(case(number))).collect()
            }
            (Op::Not, [negated]) => match (negated.op(), negated.args()) {
                (Op::And, parts) => {
                    let negated: Vec<Term> = parts.iter().map(|part| not(*part)).collect();
                    let earlier = |number: usize| parts[..number].iter().copied();
                    let case = |number: usize| and(earlier(number).chain([negated[number]]));
                    (0..parts.len()).flat_map(|number| self.clone().where_holds(case(number))).collect()
                }
                (Op::Or, parts) => {
                    let each = |worlds: Vec<World>, part: &Term| -> Vec<World> {
                        worlds.into_iter().flat_map(|world| world.where_holds(not(*part))).collect()
                    };
                    parts.iter().fold(vec![self], each)
                }
                _ if is_symbol(*negated) => {
                    self.put(*negated, truth_value(false));
                    vec![self]
                }
                (Op::Eq, [a, b]) if a.sort().is_bool() => self.where_booleans(*a, *b, false),
                _ => self.where_atom(*negated, false),
            },
            (Op::Eq, [a, b]) if a.sort().is_bool() => self.where_booleans(*a, *b, true),
            (Op::Eq, [a, b]) => {
                for (symbol, value) in [(*a, *b), (*b, *a)] {
                    let is_free = is_symbol(symbol) && symbol != count() && !self.is_object(symbol);
                    if is_free && !term::free::contains(value, symbol) {
                        self.put(symbol, value);
                        return vec![self];
                    }
                }
                self.where_atom(condition, true)
            }
            _ if is_symbol(condition) => {
                self.put(condition, truth_value(true));
                vec![self]
            }
            _ => self.where_atom(condition, true),
        }
    }

    fn where_booleans(self, a: Term, b: Term, equal: bool) -> Vec<World> {
        let both = and([a, if equal { b } else { not(b) }]);
        let neither = and([not(a), if equal { not(b) } else { b }]);
        [both, neither].into_iter().flat_map(|case| self.clone().where_holds(case)).collect()
    }

    fn where_atom(mut self, atom: Term, holds: bool) -> Vec<World> {
        self.demands.push(if holds { atom } else { build::not(atom) });
        self.known.insert(atom, holds);
        vec![self]
    }
}

pub fn is_named(variable: Term, name: &str) -> bool {
    variable.name().is_some_and(|own| own.as_str() == name)
}
