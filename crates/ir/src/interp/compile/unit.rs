//! The terms of one edge (or of one location's guards), compiled together.
//!
//! Subterms are computed once and kept in temporary registers until the unit ends. What is computed inside of a branch is
//! known only there; cheap terms that several others need, some of them only sometimes, are therefore computed at the
//! beginning, needed or not. A costly term that several others need, some of them only sometimes, becomes a *thunk*: code that is
//! executed where it is first needed. So the code is no longer than the terms, however they are shared.
//!
//! Terms can be deep, so nothing here recurses along them: arguments are computed in a loop, and branches that are nested
//! too deeply become thunks, which are compiled one after the other.

use super::uses::{Needed, Uses, alias, arguments};
use super::{Compiler, Load};
use crate::interp::code::{Operand, Pc};
use crate::interp::instr::Instr;
use crate::interp::layout::{Extent, Home, Reg};
use rustc_hash::FxHashMap;
use term::{Op, Sort, SortKind, Term};

/// A variable cannot be changed in place, because its old value is still needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stale(pub Term);

pub(super) type Emit<T> = Result<T, Stale>;

/// How deeply branches are nested before they become thunks.
const DEEPEST: usize = 32;

/// Code that computes a term when it is first needed.
struct Thunk {
    flag: Reg,
    value: Home,
    label: Pc,
    /// How far the variables that change in place had changed when the term was needed.
    stamp: usize,
}

pub(super) struct Unit<'a, 'c> {
    pub compiler: &'a mut Compiler<'c>,
    /// Jumps lead to labels, until the unit is finished.
    out: Vec<Instr>,
    /// Where the labels are in `out`.
    labels: Vec<Pc>,
    /// What was computed at the beginning.
    prelude: FxHashMap<Term, Home>,
    known: FxHashMap<Term, Home>,
    /// What became known, in order.
    scope: Vec<Term>,
    depth: usize,
    pub uses: Uses,
    thunks: FxHashMap<Term, Thunk>,
    waiting: Vec<Term>,
    next: Extent,
    /// Temporary boxes of arrays and memories.
    shared_boxes: Vec<Reg>,
    /// The variables that change in place, after each of their changes so far; the last is how it is now.
    history: Vec<Versions>,
    stamp: usize,
}

/// Which term's value each variable holds that changes in place; and the same the other way round.
#[derive(Clone, Default, Debug)]
pub(super) struct Versions {
    terms: FxHashMap<Term, Term>,
    holders: FxHashMap<Term, Term>,
}

impl Versions {
    /// The variables hold their own values.
    pub fn new(variables: impl Iterator<Item = Term>) -> Versions {
        let terms: FxHashMap<Term, Term> = variables.map(|v| (v, v)).collect();
        Versions { holders: terms.clone(), terms }
    }
}

impl<'a, 'c> Unit<'a, 'c> {
    /// A unit for the given terms.
    pub fn new(compiler: &'a mut Compiler<'c>, roots: impl IntoIterator<Item = Term>) -> Unit<'a, 'c> {
        let uses = Uses::new(roots, &mut compiler.memo.costs);
        let next = compiler.variables;
        let early = uses.cheap_and_shared(&mut compiler.memo.costs);
        let mut unit = Unit {
            compiler,
            out: Vec::new(),
            labels: Vec::new(),
            prelude: FxHashMap::default(),
            known: FxHashMap::default(),
            scope: Vec::new(),
            depth: 0,
            uses,
            thunks: FxHashMap::default(),
            waiting: Vec::new(),
            next,
            shared_boxes: Vec::new(),
            history: vec![Versions::default()],
            stamp: 0,
        };
        for term in early {
            // Cheap terms lie in slots, so nothing that changes in place can be missing.
            let computed = unit.value(term);
            debug_assert!(computed.is_ok());
        }
        unit.prelude = std::mem::take(&mut unit.known);
        unit.scope.clear();
        unit
    }

    /// Lets variables change in place.
    pub fn allow_changes(&mut self, variables: impl Iterator<Item = Term>) {
        self.history = vec![Versions::new(variables)];
    }

    /// Notes that a variable now holds the value of another term.
    pub fn changed(&mut self, variable: Term, to: Term) {
        let mut versions = self.history[self.stamp].clone();
        if let Some(old) = versions.terms.insert(variable, to) {
            versions.holders.remove(&old);
        }
        versions.holders.insert(to, variable);
        self.history.push(versions);
        self.stamp = self.history.len() - 1;
    }

    /// The state of the variables that change in place, to go back to.
    pub fn stamp(&self) -> usize {
        self.stamp
    }

    /// Goes on where the variables were as they were.
    pub fn return_to(&mut self, stamp: usize) {
        self.stamp = stamp;
    }

    fn versions(&self) -> &Versions {
        &self.history[self.stamp]
    }

    pub fn push(&mut self, instr: Instr) {
        self.out.push(instr);
    }

    pub fn label(&mut self) -> Pc {
        self.labels.push(Pc::MAX);
        self.labels.len() as Pc - 1
    }

    pub fn place(&mut self, label: Pc) {
        self.labels[label as usize] = self.out.len() as Pc;
    }

    /// A new temporary register.
    pub fn temporary(&mut self, sort: Sort) -> Home {
        let home = self.next.temporary(sort);
        if let (Home::Boxed(reg), SortKind::Array(..) | SortKind::Memory(_)) = (home, sort.kind()) {
            self.shared_boxes.push(reg);
        }
        home
    }

    pub fn temporary_slot(&mut self) -> Reg {
        match self.next.temporary(Sort::bool()) {
            Home::Slot(reg) | Home::Boxed(reg) => reg,
            Home::Memory => Reg::relative(0),
        }
    }

    /// The temporary boxes so far, to be emptied by what follows the unit.
    pub fn take_boxes(&mut self) -> Vec<Reg> {
        std::mem::take(&mut self.shared_boxes)
    }

    /// Appends the code of the thunks, and puts everything where it belongs. `tail` is executed last of all; the number
    /// of its first instruction is returned.
    pub fn finish(mut self, tail: &[Instr]) -> Emit<Pc> {
        let end = self.label();
        if !self.waiting.is_empty() {
            self.push(Instr::Jump { to: end });
        }
        while let Some(term) = self.waiting.pop() {
            self.thunk_body(term)?;
        }
        self.place(end);
        // Arrays in variables must not stay shared with temporary boxes.
        for a in std::mem::take(&mut self.shared_boxes) {
            self.push(Instr::Drop { a });
        }
        let mut flags: Vec<Reg> = self.thunks.values().map(|thunk| thunk.flag).collect();
        flags.sort_unstable_by_key(|flag| flag.index(0));
        let frame = &mut self.compiler.frame;
        frame.slots = frame.slots.max(self.next.slots);
        frame.boxes = frame.boxes.max(self.next.boxes);
        let zero = self.compiler.slot_constant(0);
        let instrs = &mut self.compiler.code.instrs;
        instrs.extend(flags.into_iter().map(|d| Instr::Const { d, k: zero }));
        let start = instrs.len() as Pc;
        let labels = self.labels;
        let resolve = |label: &mut Pc| *label = start + labels[*label as usize];
        for mut instr in self.out {
            match &mut instr {
                Instr::Jump { to }
                | Instr::JumpIf { to, .. }
                | Instr::JumpUnless { to, .. }
                | Instr::Force { to, .. } => {
                    resolve(to);
                }
                _ => {}
            }
            instrs.push(instr);
        }
        let first = instrs.len() as Pc;
        instrs.extend_from_slice(tail);
        Ok(first)
    }

    fn thunk_body(&mut self, term: Term) -> Emit<()> {
        let Thunk { flag, value, label, stamp } = self.thunks[&term];
        self.stamp = stamp;
        self.known.clear();
        self.scope.clear();
        self.depth = 0;
        self.place(label);
        self.arguments_of(term)?;
        let result = self.emit(term, Some(value))?;
        self.copy(value, result);
        let one = self.compiler.slot_constant(1);
        self.push(Instr::Const { d: flag, k: one });
        self.push(Instr::Back);
        Ok(())
    }

    /// Where a term's value is already.
    fn find(&mut self, term: Term) -> Emit<Option<Home>> {
        if let Some(home) = self.known.get(&term).or_else(|| self.prelude.get(&term)) {
            return Ok(Some(*home));
        }
        if let Some(variable) = self.versions().holders.get(&term) {
            return Ok(self.compiler.home(*variable).filter(|home| *home != Home::Memory));
        }
        match term.op() {
            Op::Var { .. } if self.versions().terms.contains_key(&term) => Err(Stale(term)),
            Op::Var { .. } => Ok(self.compiler.home(term).filter(|home| *home != Home::Memory)),
            Op::Const(value) => match self.compiler.constant(value) {
                Ok(home) => Ok(Some(home)),
                Err(Load(instr, k)) => {
                    let home = self.temporary(term.sort());
                    if let Home::Slot(d) | Home::Boxed(d) = home {
                        self.push(instr(d, k));
                    }
                    self.know(term, home);
                    Ok(Some(home))
                }
            },
            _ => Ok(None),
        }
    }

    /// Whether the value lies in a register of its own.
    pub fn is_known(&self, term: Term) -> bool {
        self.known.contains_key(&term) || self.prelude.contains_key(&term)
    }

    /// Remembers where a term's value is, for the rest of the scope. It was not known before.
    pub fn know(&mut self, term: Term, home: Home) {
        debug_assert!(!self.is_known(term), "{term:?} is known already");
        self.known.insert(term, home);
        self.scope.push(term);
    }

    /// Whether a variable that changes in place holds the value of this term now.
    pub fn is_held(&self, term: Term) -> bool {
        self.versions().holders.contains_key(&term)
    }

    /// Whether the program's memory holds the value of this term now.
    pub fn is_program_memory(&self, term: Term) -> bool {
        let variable = self.versions().holders.get(&term).copied().unwrap_or(term);
        let current = self.versions().terms.get(&variable).copied().unwrap_or(variable);
        current == term && self.compiler.home(variable) == Some(Home::Memory)
    }

    /// Where the value of the term is; computes it if it is not known yet.
    pub fn value(&mut self, term: Term) -> Emit<Home> {
        if let Some(home) = self.find(term)? {
            return Ok(home);
        }
        if self.is_thunk(term) {
            return self.force(term);
        }
        self.arguments_of(term)?;
        let home = self.emit(term, None)?;
        self.know(term, home);
        Ok(home)
    }

    pub fn slot(&mut self, term: Term) -> Emit<Reg> {
        Ok(match self.value(term)? {
            Home::Slot(reg) | Home::Boxed(reg) => reg,
            Home::Memory => Reg::relative(0),
        })
    }

    pub fn operand(&mut self, term: Term) -> Emit<Operand> {
        Ok(Operand { home: self.value(term)?, sort: term.sort() })
    }

    /// Computes the term into a register that nothing else reads any more.
    pub fn value_into(&mut self, term: Term, target: Home) -> Emit<()> {
        let home = match self.find(term)? {
            Some(home) => home,
            None if self.is_thunk(term) => self.force(term)?,
            None => {
                self.arguments_of(term)?;
                self.emit(term, Some(target))?
            }
        };
        self.copy(target, home);
        Ok(())
    }

    pub fn copy(&mut self, target: Home, from: Home) {
        match (target, from) {
            (Home::Slot(d), Home::Slot(a)) if d != a => self.push(Instr::Move { d, a }),
            (Home::Boxed(d), Home::Boxed(a)) if d != a => self.push(Instr::Copy { d, a }),
            _ => {}
        }
    }

    /// Computes what the term itself needs in any case, and what that needs, and so on.
    fn arguments_of(&mut self, term: Term) -> Emit<()> {
        let mut stack = self.unknown_arguments(term)?;
        stack.reverse();
        while let Some(&top) = stack.last() {
            if self.find(top)?.is_some() {
                stack.pop();
                continue;
            }
            if self.is_thunk(top) {
                self.force(top)?;
                continue;
            }
            let before = stack.len();
            stack.extend(self.unknown_arguments(top)?);
            if stack.len() == before {
                let home = self.emit(top, None)?;
                self.know(top, home);
            } else {
                stack[before..].reverse();
            }
        }
        Ok(())
    }

    fn unknown_arguments(&mut self, term: Term) -> Emit<Vec<Term>> {
        let mut unknown = Vec::new();
        for argument in self.strict_arguments(term) {
            if self.find(argument)?.is_none() {
                unknown.push(argument);
            }
        }
        Ok(unknown)
    }

    /// What [`Unit::emit`] expects to be known.
    fn strict_arguments(&mut self, term: Term) -> Vec<Term> {
        if self.is_program_memory(term) {
            return Vec::new();
        }
        match (term.op(), term.args()) {
            (Op::Load(_), &[memory, at]) if self.is_program_memory(memory) => vec![at],
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), _) => Vec::new(),
            (Op::Pointer, _) => match super::emit::pointer_sum(term) {
                Some((pointer, distance)) => vec![pointer, distance],
                None => term.args().to_vec(),
            },
            _ => match alias(term) {
                Some(argument) => vec![argument],
                None => {
                    let arguments = arguments(term, &mut self.compiler.memo.costs);
                    arguments.into_iter().filter(|(_, needed)| *needed == Needed::Always).map(|(a, _)| a).collect()
                }
            },
        }
    }

    fn is_thunk(&mut self, term: Term) -> bool {
        let shared = self.thunks.contains_key(&term) || self.uses.is_shared_lazily(term);
        (shared || self.depth > DEEPEST) && self.compiler.memo.costs.is_costly(term)
    }

    /// Sees to it that the code of a thunk has been executed.
    fn force(&mut self, term: Term) -> Emit<Home> {
        let stamp = self.stamp;
        if !self.thunks.contains_key(&term) {
            let thunk =
                Thunk { flag: self.temporary_slot(), value: self.temporary(term.sort()), label: self.label(), stamp };
            self.thunks.insert(term, thunk);
            self.waiting.push(term);
        }
        let Thunk { flag, value, label, stamp: first } = self.thunks[&term];
        // The code reads the variables as they were when it was first needed.
        let (then, now) = (&self.history[first].terms, &self.versions().terms);
        if let Some(variable) = now.keys().find(|v| then.get(v) != now.get(v)) {
            return Err(Stale(*variable));
        }
        self.push(Instr::Force { flag, to: label });
        self.know(term, value);
        Ok(value)
    }

    /// Emits code that is not always executed: what becomes known in it is forgotten afterwards.
    pub fn scoped(&mut self, emit: impl FnOnce(&mut Self) -> Emit<()>) -> Emit<()> {
        let outer = self.scope.len();
        self.depth += 1;
        let result = emit(self);
        self.depth -= 1;
        for term in self.scope.split_off(outer) {
            self.known.remove(&term);
        }
        result
    }
}
