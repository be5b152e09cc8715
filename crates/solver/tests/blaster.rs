//! The bit-blaster keeps the laws of a solver.

use solver::Blaster;

solver::conformance!(Blaster::new(), Blaster::takes);
