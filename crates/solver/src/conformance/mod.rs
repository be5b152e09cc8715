//! The laws of [`Smt`] as tests that every back end passes in one line:
//!
//! ```ignore
//! solver::conformance!(Z3::default());
//! ```
//!
//! The meaning of operators is [`term::eval`]'s; a back end is compared with it on random terms. A back end that
//! takes only some terms says so, and is then tested on these:
//!
//! ```ignore
//! solver::conformance!(Blaster::new(), Blaster::takes);
//! ```

mod laws;
mod meaning;
mod search;

pub use laws::{assumptions_and_cores, limits_are_looked_at, scopes, unsupported_terms_are_remembered};
pub use meaning::{closed_terms, operators};
pub use search::{brute_force, models_satisfy};

use crate::Smt;
use term::{Op, Term, visit};

/// Makes a solver without assertions.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn Smt>;

/// Which terms a back end takes, if it takes their arguments.
pub type Takes<'a> = &'a dyn Fn(Term) -> bool;

/// Whether a back end must take a term: it takes all parts, and none is what only passes handle.
fn taken(takes: Takes, term: Term) -> bool {
    visit::post_order([term]).into_iter().all(|part| takes(part) && *part.op() != Op::ObjectAt)
}

/// Makes a test of each law for a back end. See the module's documentation.
#[macro_export]
macro_rules! conformance {
    ($make:expr) => {
        $crate::conformance!($make, |_| true);
    };
    ($make:expr, $takes:expr) => {
        mod conformance {
            use super::*;

            fn make() -> Box<dyn $crate::Smt> {
                Box::new($make)
            }

            fn takes(term: term::Term) -> bool {
                let takes: fn(term::Term) -> bool = $takes;
                takes(term)
            }

            #[test]
            fn operators_mean_what_evaluation_says() {
                $crate::conformance::operators(&make, &takes);
            }

            #[test]
            fn closed_terms_mean_what_evaluation_says() {
                $crate::conformance::closed_terms(&make, &takes);
            }

            #[test]
            fn models_satisfy_what_was_asserted() {
                $crate::conformance::models_satisfy(&make, &takes);
            }

            #[test]
            fn answers_agree_with_brute_force() {
                $crate::conformance::brute_force(&make, &takes);
            }

            #[test]
            fn scopes_are_forgotten() {
                $crate::conformance::scopes(&make);
            }

            #[test]
            fn assumptions_are_forgotten_and_cores_suffice() {
                $crate::conformance::assumptions_and_cores(&make);
            }

            #[test]
            fn unsupported_terms_are_remembered() {
                $crate::conformance::unsupported_terms_are_remembered(&make);
            }

            #[test]
            fn limits_are_looked_at() {
                $crate::conformance::limits_are_looked_at(&make);
            }
        }
    };
}
