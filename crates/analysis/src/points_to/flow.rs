//! How pointers flow through assignments, memory and calls.

use super::{Contents, Low, Object, PointsTo, Targets, join};
use ir::memory::{BASE, NEXT};
use ir::{Cfa, EdgeId, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::visit::post_order;
use term::{Op as TermOp, Sort, SortKind, Term, Value};

/// The analysis while it runs.
pub(super) struct Flow<'a> {
    program: &'a Program,
    pub result: PointsTo,
}

impl<'a> Flow<'a> {
    pub fn new(program: &'a Program) -> Flow<'a> {
        let (variables, contents) = (FxHashMap::default(), FxHashMap::default());
        Flow { program, result: PointsTo { variables, contents, exposed: BTreeMap::new() } }
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
            SortKind::Pointer(_) => self.add(variable, &Targets::from([(Object::External, Low::ANY)])),
            _ => false,
        }
    }

    /// Notes the objects whose addresses a term computes.
    fn expose(&mut self, term: Term) -> bool {
        let mut changed = false;
        for part in post_order([term]) {
            if *part.op() == TermOp::Select && part.args()[0].name().is_some_and(|name| name.as_str() == BASE) {
                let objects = self.result.targets(part.args()[1]);
                changed |= join(&mut self.result.exposed, &objects.into_keys().map(|o| (o, Low::ANY)).collect());
            }
        }
        changed
    }

    /// What a term of the memory sort writes.
    fn write(&mut self, memory: Term) -> bool {
        let mut changed = false;
        for part in post_order([memory]) {
            match (part.op(), part.args()) {
                (TermOp::MemStore, [_, at, value]) if carries(value.sort()) => {
                    let (places, targets) = (self.result.targets(*at), self.result.targets(*value));
                    for (object, offset) in places {
                        let contents = self.result.contents.entry(object).or_default();
                        changed |= contents.add(offset, &targets);
                    }
                }
                (TermOp::MemCopy, [_, to, from, _]) => changed |= self.copy(*to, *from),
                _ => {}
            }
        }
        changed
    }

    fn copy(&mut self, to: Term, from: Term) -> bool {
        let (places, sources) = (self.result.targets(to), self.result.targets(from));
        let mut changed = false;
        for (source, start) in &sources {
            let Some(contents) = self.result.contents.get(source).cloned() else { continue };
            for (place, target) in &places {
                let own = self.result.contents.entry(*place).or_default();
                changed |= join(&mut own.anywhere, &contents.anywhere);
                for (offset, targets) in &contents.at {
                    let moved = Low::exact(*offset).minus(*start).plus(*target);
                    changed |= own.add(moved, targets);
                }
            }
        }
        changed
    }
}

impl Contents {
    fn add(&mut self, offset: Low, targets: &Targets) -> bool {
        match offset.number() {
            Some(number) => join(self.at.entry(number).or_default(), targets),
            None => join(&mut self.anywhere, targets),
        }
    }

    fn read(&self, offset: Low) -> Targets {
        let mut targets = self.anywhere.clone();
        match offset.number() {
            Some(number) => {
                if let Some(there) = self.at.get(&number) {
                    join(&mut targets, there);
                }
            }
            None => self.at.values().for_each(|there| {
                join(&mut targets, there);
            }),
        }
        targets
    }
}

/// Whether values of the sort can be pointers or identities of objects.
fn carries(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Pointer(_)) || sort == Sort::object()
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
                Targets::from([(Object::Static(*object), Low::exact(offset.unsigned() as u64))])
            }
            (TermOp::Const(Value::Bv(number)), _) if number.unsigned() != 0 && number.width() == term::OBJECT_WIDTH => {
                Targets::from([(Object::Static(number.unsigned() as u32), Low::exact(0))])
            }
            (TermOp::Ite, [_, then, other]) => {
                let mut targets = self.targets(*then);
                join(&mut targets, &self.targets(*other));
                targets
            }
            (TermOp::Pointer, [object, offset]) => {
                let low = low(self.result, *offset);
                self.targets(*object).into_keys().map(|object| (object, low)).collect()
            }
            (TermOp::PointerObject, [pointer]) => self.targets(*pointer),
            (TermOp::Load(sort), [_, at]) if carries(*sort) => {
                let mut targets = Targets::new();
                for (object, offset) in self.targets(*at) {
                    if object == Object::External {
                        targets.insert(Object::External, Low::ANY);
                    }
                    if let Some(contents) = self.result.contents.get(&object) {
                        join(&mut targets, &contents.read(offset));
                    }
                }
                targets
            }
            (TermOp::ObjectAt, _) => self.result.exposed.clone(),
            _ => Targets::new(),
        }
    }
}

/// The offsets that a bit-vector term may denote.
pub(super) fn low(result: &PointsTo, term: Term) -> Low {
    let Some(width) = term.sort().bv_width() else { return Low::ANY };
    let known = |term: &Term| low(result, *term);
    let value = match (term.op(), term.args()) {
        (TermOp::Const(Value::Bv(number)), _) => Low::exact(number.unsigned() as u64),
        (TermOp::BvAdd, [a, b]) => known(a).plus(known(b)),
        (TermOp::BvSub, [a, b]) => known(a).minus(known(b)),
        (TermOp::BvMul, [a, b]) => known(a).times(known(b)),
        (TermOp::BvNeg, [a]) => Low::exact(0).minus(known(a)),
        (TermOp::BvShl, [a, by]) => match known(by).number() {
            Some(by) => known(a).shift_left(by.min(64) as u32),
            None => Low::ANY,
        },
        (TermOp::Ite, [_, a, b]) => known(a).join(known(b)),
        (TermOp::ZeroExtend(_), [a]) => known(a),
        (TermOp::SignExtend(_), [a]) => known(a).sign_extended(a.sort().bv_width().unwrap_or(width)),
        (TermOp::Extract { low: 0, .. }, [a]) => known(a),
        (TermOp::Concat, [high, rest]) => {
            let shift = rest.sort().bv_width().unwrap_or(64);
            known(high).shift_left(shift).plus(known(rest).at_most(shift))
        }
        (TermOp::PointerOffset, [pointer]) => {
            let targets = Reader { result }.targets(*pointer);
            targets.into_values().reduce(Low::join).unwrap_or(Low::ANY)
        }
        _ => Low::ANY,
    };
    value.at_width(width)
}
