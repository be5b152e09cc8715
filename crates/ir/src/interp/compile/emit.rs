//! The instructions for one operator whose arguments are known.

use super::floats;
use super::unit::{Emit, Unit};
use super::uses::{Needed, alias, arguments};
use crate::interp::code::{Application, Evaluation, Operand};
use crate::interp::instr::{Instr, Real, Wide};
use crate::interp::layout::{Home, Reg, in_slot, is_slot_array};
use term::{FloatFormat, Op, Sort, SortKind, Term, Value, free};

/// For a pointer plus a distance: both.
pub(super) fn pointer_sum(term: Term) -> Option<(Term, Term)> {
    let (Op::Pointer, &[object, offset]) = (term.op(), term.args()) else { return None };
    let (Op::PointerObject, &[pointer]) = (object.op(), object.args()) else { return None };
    let (Op::BvAdd, &[a, b]) = (offset.op(), offset.args()) else { return None };
    let is_own = |t: Term| *t.op() == Op::PointerOffset && t.args() == [pointer];
    match (is_own(a), is_own(b)) {
        (true, _) => Some((pointer, b)),
        (false, true) => Some((pointer, a)),
        (false, false) => None,
    }
}

impl Unit<'_, '_> {
    /// Computes a term whose arguments are known, as far as they are always needed. The result need not be in `target`.
    pub(super) fn emit(&mut self, term: Term, target: Option<Home>) -> Emit<Home> {
        if self.is_program_memory(term) {
            let home = self.target(term, None);
            if let Home::Boxed(d) = home {
                self.push(Instr::Snapshot { d });
            }
            return Ok(home);
        }
        if let Some(argument) = alias(term) {
            return self.value(argument);
        }
        if let Some(native) = floats::native(term) {
            return self.native_float(term, native, target);
        }
        match (term.op(), term.args()) {
            (Op::Ite, &[c, a, b]) => self.ite(term, [c, a, b], target),
            (Op::And | Op::Or | Op::Implies, _) => self.connective(term, target),
            (Op::Load(sort), &[memory, at]) if self.is_program_memory(memory) => self.load(term, *sort, at, target),
            (Op::Load(_) | Op::MemStore | Op::MemCopy | Op::MemFill, _) => self.on_memory(term, target),
            (Op::Select, &[array, index]) if is_slot_array(array.sort()) => {
                let (array, index) = (self.slot(array)?, self.slot(index)?);
                self.slot_for(term, target, |d| Instr::Select { d, array, index })
            }
            (Op::Store, &[array, index, element]) => self.store(term, [array, index, element]),
            (Op::ConstArray(sort), &[element]) if is_slot_array(*sort) => {
                let a = self.slot(element)?;
                let sorts = &mut self.compiler.code.sorts;
                sorts.push(*sort);
                let k = sorts.len() as u32 - 1;
                let home = self.target(term, None);
                if let Home::Boxed(d) = home {
                    self.push(Instr::Everywhere { d, a, k });
                }
                Ok(home)
            }
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), _) => self.evaluate(term),
            (op, &[a]) if in_slot(a.sort()) && in_slot(term.sort()) => match unary(op, a, term) {
                Some(instr) => {
                    let a = self.slot(a)?;
                    self.slot_for(term, target, |d| instr(d, a))
                }
                None => self.apply(term),
            },
            (Op::Pointer, _) if pointer_sum(term).is_some() => {
                let Some((pointer, distance)) = pointer_sum(term) else { return self.apply(term) };
                let w = distance.sort().bv_width().unwrap_or(64) as u8;
                let (a, b) = (self.slot(pointer)?, self.slot(distance)?);
                self.slot_for(term, target, |d| Instr::PointerAdd { w, d, a, b })
            }
            (op, &[a, b]) if in_slot(a.sort()) && in_slot(b.sort()) => match binary(op, a, b) {
                Some(instr) => {
                    let (a, b) = (self.slot(a)?, self.slot(b)?);
                    self.slot_for(term, target, |d| instr(d, a, b))
                }
                None => self.apply(term),
            },
            _ => self.apply(term),
        }
    }

    fn target(&mut self, term: Term, target: Option<Home>) -> Home {
        target.unwrap_or_else(|| self.temporary(term.sort()))
    }

    fn slot_for(&mut self, term: Term, target: Option<Home>, instr: impl FnOnce(Reg) -> Instr) -> Emit<Home> {
        let home = self.target(term, target);
        if let Home::Slot(d) = home {
            self.push(instr(d));
        }
        Ok(home)
    }

    fn native_float(&mut self, term: Term, native: floats::Native, target: Option<Home>) -> Emit<Home> {
        let a = self.slot(term.args()[0])?;
        let b = term.args().get(1).map_or(Ok(a), |b| self.slot(*b))?;
        let (op, w) = (native.op, native.width as u8);
        self.slot_for(term, target, |d| {
            if native.format == FloatFormat::SINGLE {
                Instr::Single { op, w, d, a, b }
            } else {
                Instr::Double { op, w, d, a, b }
            }
        })
    }

    fn ite(&mut self, term: Term, [c, a, b]: [Term; 3], target: Option<Home>) -> Emit<Home> {
        let cheap = arguments(term, &mut self.compiler.memo.costs).iter().all(|(_, needed)| *needed == Needed::Always);
        let condition = self.slot(c)?;
        if cheap && in_slot(term.sort()) {
            let (a, b) = (self.slot(a)?, self.slot(b)?);
            let home = match target {
                // The target is written before the other registers are read.
                Some(Home::Slot(d)) if d == a || d == condition => self.temporary(term.sort()),
                _ => self.target(term, target),
            };
            if let Home::Slot(d) = home {
                if d != b {
                    self.push(Instr::Move { d, a: b });
                }
                self.push(Instr::MoveIf { d, c: condition, a });
            }
            return Ok(home);
        }
        let home = self.target(term, target);
        let (other, end) = (self.label(), self.label());
        self.push(Instr::JumpUnless { c: condition, to: other });
        self.scoped(|unit| unit.value_into(a, home))?;
        self.push(Instr::Jump { to: end });
        self.place(other);
        self.scoped(|unit| unit.value_into(b, home))?;
        self.place(end);
        Ok(home)
    }

    /// `and`, `or` and `implies`: first what is cheap, then the rest for as long as the result is open.
    fn connective(&mut self, term: Term, target: Option<Home>) -> Emit<Home> {
        let is_and = *term.op() == Op::And;
        let combine = |d, a, b| if is_and { Instr::And { d, a, b } } else { Instr::Or { d, a, b } };
        // In `a implies b`, `a` counts negated.
        let premise = (*term.op() == Op::Implies).then_some(term.args()[0]);
        if premise == term.args().get(1).copied() {
            return self.value(Term::constant(Value::Bool(true)));
        }
        let (mut strict, mut lazy) = (Vec::new(), Vec::new());
        for (argument, needed) in arguments(term, &mut self.compiler.memo.costs) {
            let negate = premise == Some(argument);
            match needed {
                Needed::Always => {
                    let mut a = self.slot(argument)?;
                    if negate {
                        let not = self.temporary_slot();
                        self.push(Instr::Not { w: 1, d: not, a });
                        a = not;
                    }
                    strict.push(a);
                }
                Needed::Sometimes => lazy.push((argument, negate)),
            }
        }
        // Registers that are still to be read must not be overwritten: the target gets only the result.
        let mut so_far = strict[0];
        for (i, next) in strict.iter().enumerate().skip(1) {
            let d = match target {
                Some(Home::Slot(d)) if i + 1 == strict.len() && lazy.is_empty() => d,
                _ => self.temporary_slot(),
            };
            self.push(combine(d, so_far, *next));
            so_far = d;
        }
        if lazy.is_empty() {
            return Ok(Home::Slot(so_far));
        }
        let d = self.temporary_slot();
        self.push(Instr::Move { d, a: so_far });
        let end = self.label();
        for (argument, negate) in lazy {
            self.push(if is_and { Instr::JumpUnless { c: d, to: end } } else { Instr::JumpIf { c: d, to: end } });
            self.scoped(|unit| {
                unit.value_into(argument, Home::Slot(d))?;
                if negate {
                    unit.push(Instr::Not { w: 1, d, a: d });
                }
                Ok(())
            })?;
        }
        self.place(end);
        Ok(Home::Slot(d))
    }

    fn load(&mut self, term: Term, sort: Sort, at: Term, target: Option<Home>) -> Emit<Home> {
        let at = self.slot(at)?;
        let n = sort.bytes().unwrap_or(0) as u8;
        match *sort.kind() {
            SortKind::Pointer(_) => self.slot_for(term, target, |d| Instr::LoadPointer { d, at }),
            SortKind::Float(format) => {
                let bits = self.temporary_slot();
                self.push(Instr::Load { n, d: bits, at });
                self.float_of_bits(term, format, bits, target)
            }
            _ => self.slot_for(term, target, |d| Instr::Load { n, d, at }),
        }
    }

    fn float_of_bits(&mut self, term: Term, format: FloatFormat, a: Reg, target: Option<Home>) -> Emit<Home> {
        let op = Real::FromBits;
        match format {
            FloatFormat::SINGLE => self.slot_for(term, target, |d| Instr::Single { op, w: 0, d, a, b: a }),
            FloatFormat::DOUBLE => self.slot_for(term, target, |d| Instr::Double { op, w: 0, d, a, b: a }),
            _ => {
                let home = self.target(term, target);
                let argument = Operand { home: Home::Slot(a), sort: Sort::bv(format.width()) };
                let result = Operand { home, sort: term.sort() };
                self.application(Op::FpFromBits(format), vec![argument], result, |k| Instr::Apply { k });
                Ok(home)
            }
        }
    }

    /// A load from a memory that is not the program's, or such a memory after a change.
    fn on_memory(&mut self, term: Term, target: Option<Home>) -> Emit<Home> {
        let (memory, rest) = (term.args()[0], &term.args()[1..]);
        let (home, memory) = if matches!(term.op(), Op::Load(_)) {
            (self.target(term, target), self.slot(memory)?)
        } else {
            let copy = self.private_copy(memory)?;
            (Home::Boxed(copy), copy)
        };
        let arguments = rest.iter().map(|a| self.operand(*a)).collect::<Emit<_>>()?;
        let result = Operand { home, sort: term.sort() };
        self.application(term.op().clone(), arguments, result, |k| Instr::OnMemory { memory, k });
        Ok(home)
    }

    /// A box with the same value as the term, to be changed.
    fn private_copy(&mut self, term: Term) -> Emit<Reg> {
        let from = self.slot(term)?;
        let d = match self.temporary(term.sort()) {
            Home::Slot(d) | Home::Boxed(d) => d,
            Home::Memory => from,
        };
        // What nothing else needs can be taken instead of copied.
        let own = !term.is_var() && term.value().is_none() && !self.uses.is_shared(term) && self.uses.contains(term);
        self.push(if own && !self.is_held(term) { Instr::Take { d, a: from } } else { Instr::Copy { d, a: from } });
        Ok(d)
    }

    fn store(&mut self, term: Term, [array, index, element]: [Term; 3]) -> Emit<Home> {
        let copy = self.private_copy(array)?;
        self.store_in_place(copy, term, index, element)?;
        Ok(Home::Boxed(copy))
    }

    /// Stores to an array that lies in a box; `term` is the array afterwards.
    pub(super) fn store_in_place(&mut self, array: Reg, term: Term, index: Term, element: Term) -> Emit<()> {
        if is_slot_array(term.sort()) {
            let (index, a) = (self.slot(index)?, self.slot(element)?);
            let is_alive = self.compiler.layout.alive == Some(array);
            self.push(if is_alive { Instr::StoreAlive { array, index, a } } else { Instr::Store { array, index, a } });
        } else {
            let arguments = vec![self.operand(index)?, self.operand(element)?];
            let result = Operand { home: Home::Boxed(array), sort: term.sort() };
            self.application(Op::Store, arguments, result, |k| Instr::StoreValue { array, k });
        }
        Ok(())
    }

    fn evaluate(&mut self, term: Term) -> Emit<Home> {
        let mut free = Vec::new();
        for variable in free::variables([term]) {
            if self.compiler.home(variable).is_some() {
                free.push((variable, self.operand(variable)?));
            }
        }
        let home = self.target(term, None);
        let evaluations = &mut self.compiler.code.evaluations;
        evaluations.push(Evaluation { term, free, result: Operand { home, sort: term.sort() } });
        let k = evaluations.len() as u32 - 1;
        self.push(Instr::Evaluate { k });
        Ok(home)
    }

    /// Any other operator.
    fn apply(&mut self, term: Term) -> Emit<Home> {
        let arguments = term.args().iter().map(|a| self.operand(*a)).collect::<Emit<_>>()?;
        let home = self.target(term, None);
        let result = Operand { home, sort: term.sort() };
        self.application(term.op().clone(), arguments, result, |k| Instr::Apply { k });
        Ok(home)
    }

    fn application(&mut self, op: Op, arguments: Vec<Operand>, result: Operand, instr: impl FnOnce(u32) -> Instr) {
        let applications = &mut self.compiler.code.applications;
        applications.push(Application { op, arguments, result });
        let k = applications.len() as u32 - 1;
        self.push(instr(k));
    }
}

type Unary = Box<dyn FnOnce(Reg, Reg) -> Instr>;
type Binary = Box<dyn FnOnce(Reg, Reg, Reg) -> Instr>;

/// The instruction for an operator with one argument, `d` and `a`.
fn unary(op: &Op, argument: Term, result: Term) -> Option<Unary> {
    let width = argument.sort().bv_width().unwrap_or(1);
    let w = width as u8;
    let to = result.sort().bv_width().unwrap_or(1) as u8;
    Some(match *op {
        Op::Not => Box::new(|d, a| Instr::Not { w: 1, d, a }),
        Op::BvNot if width <= 64 => Box::new(move |d, a| Instr::Not { w, d, a }),
        Op::BvNeg if width <= 64 => Box::new(move |d, a| Instr::Neg { w, d, a }),
        Op::BvNot => Box::new(move |d, a| Instr::Wide { op: Wide::Not, w, d, a, b: a }),
        Op::BvNeg => Box::new(move |d, a| Instr::Wide { op: Wide::Neg, w, d, a, b: a }),
        Op::Extract { low, .. } => Box::new(move |d, a| Instr::Extract { low: low as u8, w: to, d, a }),
        Op::SignExtend(_) => Box::new(move |d, a| Instr::SignExtend { from: w, to, d, a }),
        Op::PointerObject => Box::new(|d, a| Instr::PointerObject { d, a }),
        Op::PointerOffset => Box::new(|d, a| Instr::PointerOffset { d, a }),
        _ => return None,
    })
}

/// The instruction for an operator with two arguments, `d`, `a` and `b`.
fn binary(op: &Op, first: Term, second: Term) -> Option<Binary> {
    let width = first.sort().bv_width().unwrap_or(1);
    let w = width as u8;
    macro_rules! by_width {
        ($name:ident) => {
            if width <= 64 {
                Box::new(move |d, a, b| Instr::$name { w, d, a, b })
            } else {
                Box::new(move |d, a, b| Instr::Wide { op: Wide::$name, w, d, a, b })
            }
        };
    }
    Some(match op {
        Op::Eq => Box::new(|d, a, b| Instr::Eq { d, a, b }),
        Op::Xor | Op::BvXor => Box::new(|d, a, b| Instr::Xor { d, a, b }),
        Op::BvAnd => Box::new(|d, a, b| Instr::And { d, a, b }),
        Op::BvOr => Box::new(|d, a, b| Instr::Or { d, a, b }),
        Op::BvUlt => Box::new(|d, a, b| Instr::Ult { d, a, b }),
        Op::BvUle => Box::new(|d, a, b| Instr::Ule { d, a, b }),
        Op::BvAdd => by_width!(Add),
        Op::BvSub => by_width!(Sub),
        Op::BvMul => by_width!(Mul),
        Op::BvUdiv => by_width!(Udiv),
        Op::BvSdiv => by_width!(Sdiv),
        Op::BvUrem if width <= 64 => Box::new(|d, a, b| Instr::Urem { d, a, b }),
        Op::BvUrem => Box::new(move |d, a, b| Instr::Wide { op: Wide::Urem, w, d, a, b }),
        Op::BvSrem => by_width!(Srem),
        Op::BvShl => by_width!(Shl),
        Op::BvLshr => by_width!(Lshr),
        Op::BvAshr => by_width!(Ashr),
        Op::BvSlt => by_width!(Slt),
        Op::BvSle => by_width!(Sle),
        Op::Concat => {
            let low = second.sort().bv_width().unwrap_or(1) as u8;
            Box::new(move |d, a, b| Instr::Concat { low, d, a, b })
        }
        Op::Pointer => Box::new(|d, object, offset| Instr::Pointer { d, object, offset }),
        _ => return None,
    })
}
