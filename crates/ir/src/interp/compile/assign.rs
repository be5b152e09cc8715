//! Parallel assignments.

use super::Compiler;
use super::in_place::Chain;
use super::unit::{Emit, Stale, Unit};
use crate::interp::code::Pc;
use crate::interp::instr::Instr;
use crate::interp::layout::Home;
use rustc_hash::FxHashSet;
use term::{Op, SortKind, Term};

impl<'c> Compiler<'c> {
    /// Compiles an assignment and what follows it; returns where that is.
    pub(super) fn assign(&mut self, pairs: &[(Term, Term)], tail: &[Instr]) -> Pc {
        let mut not_in_place = FxHashSet::default();
        let start = self.code.instrs.len();
        loop {
            let unit = Unit::new(self, pairs.iter().map(|(_, value)| *value));
            match assign(unit, pairs, &not_in_place, tail) {
                Ok(at) => return at,
                // Each variable can fail once, so the last attempt changes nothing in place and succeeds.
                Err(Stale(variable)) => {
                    not_in_place.insert(variable);
                    self.code.instrs.truncate(start);
                }
            }
        }
    }
}

fn assign(mut unit: Unit, pairs: &[(Term, Term)], not_in_place: &FxHashSet<Term>, tail: &[Instr]) -> Emit<Pc> {
    let mut chains = Vec::new();
    let mut others = Vec::new();
    for &(variable, value) in pairs {
        let may_change = matches!(unit.compiler.home(variable), Some(Home::Boxed(_) | Home::Memory))
            && matches!(variable.sort().kind(), SortKind::Array(..) | SortKind::Memory(_))
            // Only the program's own memory is written without a copy of the table of its objects.
            && !(matches!(variable.sort().kind(), SortKind::Memory(_))
                && unit.compiler.home(variable) != Some(Home::Memory))
            && !not_in_place.contains(&variable);
        match Chain::new(variable, value).filter(|_| may_change) {
            Some(chain) => chains.push((variable, value, chain)),
            None if variable != value => others.push((variable, value)),
            None => {}
        }
    }
    unit.allow_changes(chains.iter().map(|(variable, ..)| *variable));
    for (variable, value, chain) in &chains {
        unit.advance(*variable, chain, *variable, *value)?;
    }
    // A variable that nothing reads can be assigned at once; the others wait until all values are known.
    let mut moves = Vec::new();
    for &(variable, value) in &others {
        let Some(home) = unit.compiler.home(variable) else { continue };
        let alone = pairs.len() == 1 || !unit.uses.contains(variable);
        if alone && matches!(home, Home::Slot(_)) {
            unit.value_into(value, home)?;
        } else {
            moves.push((home, value, unit.value(value)?));
        }
    }
    let targets: Vec<Home> = moves.iter().map(|(home, ..)| *home).collect();
    for (home, value, from) in &mut moves {
        if *from != *home && targets.contains(from) {
            let copy = unit.temporary(value.sort());
            unit.copy(copy, *from);
            *from = copy;
        }
    }
    for (home, value, from) in moves {
        match (home, from) {
            (Home::Memory, Home::Boxed(a)) if is_temporary(&unit, value) => unit.push(Instr::Restore { a }),
            (Home::Memory, Home::Boxed(a)) => {
                let copy = unit.temporary(value.sort());
                if let Home::Boxed(d) = copy {
                    unit.push(Instr::Copy { d, a });
                    unit.push(Instr::Restore { a: d });
                }
            }
            (Home::Boxed(d), Home::Boxed(a)) if is_temporary(&unit, value) => unit.push(Instr::Take { d, a }),
            _ => unit.copy(home, from),
        }
    }
    unit.finish(tail)
}

/// Whether the box with the value belongs to this unit, and to this use alone.
fn is_temporary(unit: &Unit, value: Term) -> bool {
    !matches!(value.op(), Op::Var { .. } | Op::Const(_)) && !unit.uses.is_shared(value) && !unit.is_held(value)
}
