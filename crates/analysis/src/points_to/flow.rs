//! How pointers flow through assignments, memory and calls.

use super::{Foreign, Low, Object, Origin, PointsTo, Targets, join};
use faults::Fault;
use ir::memory::{BASE, BRK, NEXT};
use ir::{Cfa, EdgeId, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use term::visit::post_order;
use term::{Op as TermOp, Sort, SortKind, Term, Value};

/// The analysis while it runs.
pub(super) struct Flow<'a> {
    program: &'a Program,
    pub result: PointsTo,
}

impl<'a> Flow<'a> {
    pub fn new(program: &'a Program, foreign: Foreign) -> Flow<'a> {
        let result = PointsTo {
            foreign,
            variables: FxHashMap::default(),
            contents: FxHashMap::default(),
            exposed: Targets::new(),
            initialised: initialised(program),
            sizes: (1..).zip(&program.objects).map(|(identity, object)| (identity, object.size)).collect(),
            groups: FxHashMap::default(),
            unset: unset(program),
            depths: vec![0],
            pointer_bytes: u64::from(program.data_model.pointer_width() / 8),
        };
        Flow { program, result }
    }

    /// Lets every edge add what it can. Whether anything is new.
    pub fn round(&mut self) -> bool {
        let mut changed = false;
        for (id, procedure) in self.program.procedures() {
            for (edge, step) in procedure.body.iter().flat_map(Cfa::edges) {
                changed |= self.edge(id, edge, &step.op);
            }
        }
        changed
    }

    fn edge(&mut self, procedure: ProcId, edge: EdgeId, op: &Op) -> bool {
        match op {
            _ if is_layout(op) => false,
            Op::Assign(pairs) => {
                let mut changed = false;
                for (variable, value) in pairs {
                    changed |= self.expose(*value);
                    changed |= match variable.sort().kind() {
                        SortKind::Memory(_) => self.write(*value),
                        _ if value.name().is_some_and(|name| name.as_str() == NEXT) => {
                            let site = Targets::from([(Object::Site(procedure, edge), Low::exact(0))]);
                            self.add(*variable, &site)
                        }
                        _ => self.assign(*variable, *value),
                    };
                }
                changed
            }
            Op::Assume(condition) => self.expose(*condition),
            Op::Havoc(variables) => self.havoc_all(variables),
            Op::Call { procedure, arguments, results } => {
                let callee = self.program.procedure(*procedure);
                let mut changed = false;
                for argument in arguments {
                    changed |= self.expose(*argument);
                }
                if callee.body.is_err() {
                    return self.havoc_all(results) || changed;
                }
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    changed |= self.assign(parameter.term, *argument);
                }
                for (result, returned) in results.iter().zip(&callee.results) {
                    changed |= self.assign(*result, returned.term);
                }
                changed
            }
            Op::Spawn { procedure, arguments, .. } => {
                let callee = self.program.procedure(*procedure);
                let mut changed = false;
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    changed |= self.expose(*argument);
                    changed |= self.assign(parameter.term, *argument);
                }
                changed
            }
            Op::AtomicBegin | Op::AtomicEnd => false,
        }
    }

    fn assign(&mut self, variable: Term, value: Term) -> bool {
        if !carries(variable.sort()) {
            return false;
        }
        let targets = self.result.targets(value);
        self.add(variable, &targets)
    }

    fn add(&mut self, variable: Term, targets: &Targets) -> bool {
        join(self.result.variables.entry(variable).or_default(), targets)
    }

    fn havoc_all(&mut self, variables: &[Term]) -> bool {
        let mut changed = false;
        for variable in variables {
            changed |= self.havoc(*variable);
        }
        changed
    }

    /// A pointer from nowhere points to what the program did not make.
    fn havoc(&mut self, variable: Term) -> bool {
        match variable.sort().kind() {
            SortKind::Pointer(_) => {
                self.group(Origin::Variable(variable), 0);
                let targets = self.result.arbitrary(variable);
                self.add(variable, &targets)
            }
            _ => false,
        }
    }

    /// Sees to it that there is a group for pointers from a place, if groups are told apart. Whether it is new.
    fn group(&mut self, origin: Origin, depth: u32) -> bool {
        let number = self.result.depths.len() as u32;
        let is_indeterminate = matches!(origin, Origin::Variable(variable) if self.result.unset.contains(&variable));
        let is_told_apart = self.result.foreign == Foreign::Distinct || is_indeterminate;
        if !is_told_apart || self.result.groups.contains_key(&origin) {
            return false;
        }
        // Lists that hang on external objects would have groups without end.
        let group = match origin {
            Origin::Memory(Object::External(group), _) if depth > MOST_DEPTH => group,
            _ if number >= Foreign::MOST_GROUPS => 0,
            _ => {
                self.result.depths.push(depth);
                number
            }
        };
        self.result.groups.insert(origin, group);
        true
    }

    /// Notes the objects whose addresses a term computes or reads, and where it reads pointers that may come from outside.
    fn expose(&mut self, term: Term) -> bool {
        let mut changed = false;
        for part in post_order([term]) {
            match (part.op(), part.args()) {
                (TermOp::Select, [array, object]) if array.name().is_some_and(|name| name.as_str() == BASE) => {
                    let objects = self.result.targets(*object);
                    changed |= join(&mut self.result.exposed, &anywhere(&objects));
                }
                (TermOp::Load(sort), [_, at]) if is_pointer(*sort) => {
                    for (object, offset) in self.result.targets(*at) {
                        let depth = match object {
                            Object::External(group) => self.result.depths[group as usize] + 1,
                            _ => 0,
                        };
                        if self.result.may_be_unwritten(object, offset) {
                            changed |= self.group(Origin::Memory(object, offset), depth);
                        }
                    }
                }
                (TermOp::Load(sort), [_, at]) => {
                    let bytes = u64::from(sort.bytes().unwrap_or(1));
                    for (object, offset) in self.result.targets(*at) {
                        let Some(contents) = self.result.contents.get(&object) else { continue };
                        for targets in contents.touched(offset, bytes, self.result.pointer_bytes) {
                            changed |= join(&mut self.result.exposed, &anywhere(targets));
                        }
                    }
                }
                _ => {}
            }
        }
        changed
    }

    /// What a term of the memory sort writes.
    fn write(&mut self, memory: Term) -> bool {
        let mut changed = false;
        for part in post_order([memory]) {
            match (part.op(), part.args()) {
                (TermOp::MemStore, [_, at, value]) if is_pointer(value.sort()) => {
                    let (places, targets) = (self.result.targets(*at), self.result.targets(*value));
                    let most = if faults::is(Fault::MissedAlias) { 1 } else { places.len() };
                    for (object, offset) in places.into_iter().take(most) {
                        let contents = self.result.contents.entry(object).or_default();
                        changed |= contents.add(offset, &targets);
                    }
                }
                (TermOp::MemStore, [_, at, value]) => {
                    let bytes = u64::from(value.sort().bytes().unwrap_or(1));
                    for (object, offset) in self.result.targets(*at) {
                        changed |= self.result.contents.entry(object).or_default().add_number(offset, bytes);
                    }
                }
                (TermOp::MemFill, [_, at, byte, _]) if byte.as_bv().is_none_or(|byte| byte.unsigned() != 0) => {
                    for object in self.result.targets(*at).into_keys() {
                        changed |= self.result.contents.entry(object).or_default().add_number(Low::ANY, 1);
                    }
                }
                (TermOp::MemCopy, [_, to, from, length]) => changed |= self.copy(*to, *from, *length),
                _ => {}
            }
        }
        changed
    }

    fn copy(&mut self, to: Term, from: Term, length: Term) -> bool {
        let length = length.as_bv().map(|length| length.unsigned() as u64);
        let pointer_bytes = self.result.pointer_bytes;
        let (places, sources) = (self.result.targets(to), self.result.targets(from));
        let mut changed = false;
        for (source, start) in &sources {
            let mut contents = self.result.contents.get(source).cloned().unwrap_or_default();
            if self.result.may_be_unwritten(*source, Low::ANY) {
                // Whatever the object holds at first may be copied, too.
                let own = Origin::Memory(*source, Low::ANY);
                changed |= self.group(own, MOST_DEPTH + 1);
                contents.add(Low::ANY, &self.result.external(own));
            }
            for (place, target) in &places {
                let own = self.result.contents.entry(*place).or_default();
                changed |= own.add_copy(&contents, *start, *target, length, pointer_bytes);
            }
        }
        changed
    }
}

/// The local variables that were declared and never set, neither by the source nor by a pass: they have no value but the one that they happen to
/// have. (What a source sets to an input, or to the result of an unknown function, becomes arbitrary by a havoc, too.) One that becomes
/// arbitrary in several places may have lost a value there, as where activations of a procedure are merged.
fn unset(program: &Program) -> FxHashSet<Term> {
    let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
    let mut unset: FxHashSet<Term> = locals.filter(|local| local.never_set).map(|local| local.term).collect();
    let mut arbitrary: FxHashSet<Term> = FxHashSet::default();
    for edge in program.edges() {
        let set: Vec<Term> = match &edge.op {
            Op::Assign(pairs) => pairs.iter().map(|(variable, _)| *variable).collect(),
            Op::Call { results, .. } => results.clone(),
            Op::Spawn { thread, .. } => vec![*thread],
            Op::Havoc(variables) => variables.iter().copied().filter(|v| !arbitrary.insert(*v)).collect(),
            Op::Assume(_) | Op::AtomicBegin | Op::AtomicEnd => continue,
        };
        set.iter().for_each(|variable| _ = unset.remove(variable));
    }
    unset
}

/// Whether an operation only says where an object lies.
fn is_layout(op: &Op) -> bool {
    let is_brk = |variable: Term| variable.name().is_some_and(|name| name.as_str().starts_with(BRK));
    match op {
        Op::Assign(pairs) => !pairs.is_empty() && pairs.iter().all(|(variable, _)| is_brk(*variable)),
        Op::Assume(condition) => term::free::variables([*condition]).into_iter().any(is_brk),
        _ => false,
    }
}

/// How many loads from external objects are told apart.
const MOST_DEPTH: u32 = 3;

/// The same objects at any offset.
fn anywhere(targets: &Targets) -> Targets {
    targets.keys().map(|object| (*object, Low::ANY)).collect()
}

/// What a program's first edges, before it branches, calls or loads, write to static objects: ranges of offsets.
fn initialised(program: &Program) -> FxHashMap<u32, Vec<(u64, u64)>> {
    let mut written: FxHashMap<u32, Vec<(u64, u64)>> = FxHashMap::default();
    let Ok(cfa) = &program.procedure(program.entry).body else { return written };
    let mut location = cfa.entry();
    let mut seen = FxHashSet::default();
    while let [edge] = cfa.outgoing(location)
        && seen.insert(location)
    {
        let op = &cfa.edge(*edge).op;
        if matches!(op, Op::Call { .. } | Op::Spawn { .. }) {
            break;
        }
        if let Op::Assign(pairs) = op {
            let parts = post_order(pairs.iter().map(|(_, value)| *value));
            if parts.iter().any(|part| matches!(part.op(), TermOp::Load(_))) {
                break;
            }
            for part in parts {
                let (at, bytes) = match (part.op(), part.args()) {
                    (TermOp::MemStore, [_, at, value]) => (at, value.sort().bytes().map(u64::from)),
                    (TermOp::MemFill, [_, at, _, length]) => (at, length.as_bv().map(|n| n.unsigned() as u64)),
                    _ => continue,
                };
                if let (Some(Value::Pointer { object, offset }), Some(bytes)) = (at.value(), bytes) {
                    let start = offset.unsigned() as u64;
                    written.entry(*object).or_default().push((start, start.saturating_add(bytes)));
                }
            }
        }
        location = cfa.edge(*edge).to;
    }
    for ranges in written.values_mut() {
        ranges.sort_unstable();
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (start, end) in ranges.drain(..) {
            match merged.last_mut() {
                Some((_, last)) if start <= *last => *last = end.max(*last),
                _ => merged.push((start, end)),
            }
        }
        *ranges = merged;
    }
    written
}

impl PointsTo {
    /// Whether a load of a pointer may find bytes that nothing was written to.
    fn may_be_unwritten(&self, object: Object, offset: Low) -> bool {
        let Object::Static(identity) = object else { return true };
        let Some(ranges) = self.initialised.get(&identity) else { return true };
        match offset.number() {
            Some(start) => {
                !ranges.iter().any(|(from, to)| (*from..*to).contains(&start) && self.pointer_bytes <= *to - start)
            }
            None => ranges[0].0 != 0 || ranges[0].1 < self.sizes.get(&identity).copied().unwrap_or(u64::MAX),
        }
    }
}

/// Whether variables of the sort can hold pointers or identities of objects. In memory there are no identities.
fn carries(sort: Sort) -> bool {
    is_pointer(sort) || sort == Sort::object()
}

fn is_pointer(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Pointer(_))
}

/// Reads the targets of terms off what is known.
pub(super) struct Reader<'a> {
    pub result: &'a PointsTo,
}

impl Reader<'_> {
    pub fn targets(&self, term: Term) -> Targets {
        match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => self.result.variables.get(&term).cloned().unwrap_or_default(),
            (TermOp::Const(Value::Pointer { object, offset }), _) if *object != 0 => {
                Targets::from([(Object::Static(*object), Low::signed(offset.unsigned() as u64, offset.width()))])
            }
            (TermOp::Const(Value::Pointer { object: 0, offset }), _) if offset.unsigned() != 0 => {
                address(Low::signed(offset.unsigned() as u64, offset.width()))
            }
            (TermOp::Pointer, [object, offset]) if object.as_bv().is_some_and(|object| object.unsigned() == 0) => {
                address(low(self.result, *offset, None))
            }
            (TermOp::Const(Value::Bv(number)), _) if number.unsigned() != 0 && number.width() == term::OBJECT_WIDTH => {
                Targets::from([(Object::Static(number.unsigned() as u32), Low::exact(0))])
            }
            (TermOp::Ite, [_, then, other]) => {
                let mut targets = self.targets(*then);
                join(&mut targets, &self.targets(*other));
                targets
            }
            (TermOp::Pointer, [object, offset]) => match (object.op(), object.args()) {
                // A pointer that moves stays in its object: what other objects it may point to does not matter there.
                (TermOp::PointerObject, [moved]) => {
                    let from = self.targets(*moved);
                    let to = |start: Low| low(self.result, *offset, Some((*moved, start)));
                    from.into_iter().map(|(object, start)| (object, to(start))).collect()
                }
                _ => {
                    let low = low(self.result, *offset, None);
                    self.targets(*object).into_keys().map(|object| (object, low)).collect()
                }
            },
            (TermOp::PointerObject, [pointer]) => self.targets(*pointer),
            (TermOp::Load(sort), [_, at]) if is_pointer(*sort) => self.loaded(*at),
            (TermOp::ObjectAt, _) => self.numbers(),
            _ => Targets::new(),
        }
    }

    /// What a pointer that is loaded points to.
    fn loaded(&self, at: Term) -> Targets {
        let mut targets = Targets::new();
        for (object, offset) in self.targets(at) {
            if self.result.may_be_unwritten(object, offset) {
                join(&mut targets, &self.result.external(Origin::Memory(object, offset)));
            }
            if let Some(contents) = self.result.contents.get(&object) {
                join(&mut targets, &contents.read(offset));
                if contents.has_number(offset, self.result.pointer_bytes) {
                    let found = match self.result.foreign {
                        Foreign::Any => self.numbers(),
                        Foreign::Distinct => address(Low::ANY),
                    };
                    join(&mut targets, &found);
                }
            }
        }
        targets
    }

    /// What a number points to that is read as a pointer.
    fn numbers(&self) -> Targets {
        let mut targets = self.result.exposed.clone();
        join(&mut targets, &address(Low::ANY));
        targets
    }
}

/// What a number points to that is no object's address.
fn address(number: Low) -> Targets {
    Targets::from([(Object::Static(0), number)])
}

/// Whether the product of a term and a constant fits its width with a sign, because the term was extended.
fn has_room(term: Term, constant: Term) -> bool {
    match (term.op(), term.args(), constant.as_bv()) {
        (TermOp::SignExtend(to) | TermOp::ZeroExtend(to), [own], Some(number)) => {
            let bits = u128::BITS - number.unsigned().leading_zeros();
            own.sort().bv_width().is_some_and(|own| own + bits < *to)
        }
        _ => false,
    }
}

/// The offsets that a bit-vector term may denote, given that of one pointer if that is known.
pub(super) fn low(result: &PointsTo, term: Term, given: Option<(Term, Low)>) -> Low {
    let Some(width) = term.sort().bv_width() else { return Low::ANY };
    let known = |term: &Term| low(result, *term, given);
    let value = match (term.op(), term.args()) {
        (TermOp::Const(Value::Bv(number)), _) => Low::signed(number.unsigned() as u64, width),
        (TermOp::BvAdd, [a, b]) => known(a).plus(known(b)),
        (TermOp::BvSub, [a, b]) => known(a).minus(known(b)),
        // Executions whose products are too large are not looked for.
        (TermOp::BvMul, [a, b]) if result.foreign == Foreign::Distinct || has_room(*a, *b) || has_room(*b, *a) => {
            known(a).scaled(known(b))
        }
        (TermOp::BvMul, [a, b]) => known(a).times(known(b)),
        (TermOp::BvNeg, [a]) => Low::exact(0).minus(known(a)),
        (TermOp::BvShl, [a, by]) => match known(by).number() {
            Some(by) => known(a).shift_left(by.min(64) as u32),
            None => Low::ANY,
        },
        (TermOp::Ite, [_, a, b]) => known(a).join_numbers(known(b)),
        (TermOp::ZeroExtend(_), [a]) => known(a).zero_extended(a.sort().bv_width().unwrap_or(width)),
        (TermOp::SignExtend(_), [a]) => known(a),
        (TermOp::Extract { low: 0, .. }, [a]) => known(a).truncated(width),
        (TermOp::Concat, [high, rest]) => {
            let shift = rest.sort().bv_width().unwrap_or(64);
            known(high).shift_left(shift).plus(known(rest).zero_extended(shift))
        }
        (TermOp::PointerOffset, [pointer]) if given.is_some_and(|(moved, _)| moved == *pointer) => {
            given.map_or(Low::ANY, |(_, start)| start)
        }
        (TermOp::PointerOffset, [pointer]) => {
            let targets = Reader { result }.targets(*pointer);
            targets.into_values().reduce(Low::join).unwrap_or(Low::ANY)
        }
        _ => Low::ANY,
    };
    value.at_width(width)
}
