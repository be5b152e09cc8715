//! Type-state-like globals: scalars that tell in which state something is, such as a lock or the level of interrupts.
//!
//! They are given constants and compared with constants, or copied to such. What changes them is what properties of drivers are about, so calls
//! that do are inlined first.

use ir::{Cfa, Op, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use term::free::Free;
use term::visit::post_order;
use term::{Op as TermOp, SortKind, Term};

/// The type-state-like globals of a program.
pub fn states(program: &Program) -> BTreeSet<Term> {
    let is_scalar = |term: Term| matches!(term.sort().kind(), SortKind::Bool | SortKind::Int | SortKind::BitVec(_));
    let scalars: FxHashSet<Term> = program.globals.iter().map(|global| global.term).filter(|g| is_scalar(*g)).collect();
    let ops = || program.procedures.iter().flat_map(|p| p.body.iter().flat_map(Cfa::edges)).map(|(_, edge)| &edge.op);
    let conditions = ops().filter_map(|op| if let Op::Assume(condition) = op { Some(*condition) } else { None });
    let mut free = Free::new();
    let mut states: BTreeSet<Term> = BTreeSet::new();
    for part in post_order(conditions) {
        let is_atom =
            *part.sort().kind() == SortKind::Bool && !matches!(part.op(), TermOp::And | TermOp::Or | TermOp::Not);
        if let [only] = free.of(part)[..]
            && is_atom
            && scalars.contains(&only)
        {
            states.insert(only);
        }
    }
    let assignments = || ops().flat_map(|op| if let Op::Assign(pairs) = op { &pairs[..] } else { &[] });
    let given: FxHashSet<Term> =
        assignments().filter(|(_, value)| value.value().is_some()).map(|(variable, _)| *variable).collect();
    states.retain(|state| given.contains(state));
    let copies: Vec<(Term, Term)> =
        assignments().filter(|(to, from)| scalars.contains(to) && scalars.contains(from)).copied().collect();
    loop {
        let before = states.len();
        states.extend(copies.iter().filter(|(to, _)| states.contains(to)).map(|(_, from)| *from).collect::<Vec<_>>());
        if states.len() == before {
            return states;
        }
    }
}
