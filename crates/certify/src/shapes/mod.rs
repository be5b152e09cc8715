//! Symbolic memory graphs as a proof.

use crate::invariants::Rejected;
use engine::shape::Shape;
use ir::Program;

pub fn check(_: &Program, _: &[Shape]) -> Result<(), Rejected> {
    Err(Rejected::NotComplete("not checked yet".into()))
}
