//! Terms and scripts in SMT-LIB 2.6, for other solvers and for people. Shared parts have names, so the text is as long
//! as the graph.
//!
//! What operators mean where SMT-LIB leaves it open (division by zero, floats that do not fit a bit-vector, the bits of
//! NaN) is written out, so that a solver sees our meaning. A few things are not SMT-LIB's own:
//!
//! * `fp.to_ieee_bv`, `lambda`, `bv2nat` and `int2bv` are extensions that most solvers know;
//! * a pointer is a bit-vector, the object above the offset; its sort is called `Ptr32` or `Ptr64`;
//! * memory is a sort `Mem32` or `Mem64` of its own, and what reads and writes it, like `object-at`, is an uninterpreted
//!   function: a solver that says "unsatisfiable" is right, one that says otherwise need not be;
//! * elements of a user's sort are constants that the script says are distinct.
//!
//! A variable's copy n is called `name@n`; names that are taken or reserved get a number after `!`.

mod names;
mod node;

use crate::printer::Printer;
use crate::{Sort, Term};
use names::Names;
use node::Smt;
use std::fmt::{self, Write};

/// The term, its shared parts named by `let`.
pub fn print(term: Term) -> String {
    let names = Names::of(&[term]);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = Printer::new(&Smt { names: &names }, &[term]).write(&mut text, term);
    text
}

/// The sort, as [`script`] writes it.
pub fn print_sort(sort: Sort) -> String {
    Names::default().sort(sort)
}

/// A script that declares what the assertions mention, asserts them and asks whether they can hold together.
pub fn script(assertions: &[Term]) -> String {
    let mut text = String::new();
    let _ = write_script(&mut text, assertions);
    text
}

/// Writes what [`script`] gives. Parts that assertions share are defined as functions without parameters.
pub fn write_script(f: &mut dyn Write, assertions: &[Term]) -> fmt::Result {
    let names = Names::of(assertions);
    writeln!(f, "(set-logic ALL)")?;
    names.declarations().iter().try_for_each(|line| writeln!(f, "{line}"))?;
    let notation = Smt { names: &names };
    let mut printer = Printer::new(&notation, assertions);
    for part in printer.name_shared(assertions) {
        let name = printer.name_of(part).unwrap_or_default();
        write!(f, "(define-fun {name} () {} ", names.sort(part.sort()))?;
        printer.write_definition(f, part)?;
        writeln!(f, ")")?;
    }
    for assertion in assertions {
        write!(f, "(assert ")?;
        printer.write(f, *assertion)?;
        writeln!(f, ")")?;
    }
    writeln!(f, "(check-sat)")
}
