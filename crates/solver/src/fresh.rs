//! Variables of this crate's own.

use std::sync::atomic::{AtomicU32, Ordering};
use term::{Op, Sort, Term};

/// A variable that no other term has. `what` tells people what it is for; no program can use such a name, because it
/// starts with a space.
pub(crate) fn fresh(what: &str, sort: Sort) -> Term {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let instance = NEXT.fetch_add(1, Ordering::Relaxed);
    Term::new(Op::Var { name: format!(" {what}").as_str().into(), instance, sort }, &[])
}
