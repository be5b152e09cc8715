//! Z3 keeps the laws of solvers.

use solver::{Profile, Z3};

solver::conformance!(Z3::default());

mod thorough {
    use super::*;
    solver::conformance!(Z3::new(Profile::Thorough));
}
