//! The engine `interleaving`: "Symbolic Model Checking for Asynchronous Boolean Programs" (Cook, Kroening, Sharygina), Boppo.
//!
//! Program counters are explicit, data are symbolic in a parametric representation (Section 3), the search is that of Figure 1,
//! interleavings are left out by partial-order reduction inside the SAT solver's decisions (Section 3.4), and fixpoints are
//! found by solving formulas with two quantifiers (Section 4).
//!
//! | paper | here |
//! |---|---|
//! | σ = ⟨i, ω, γ⟩, Definition 3 | [`state`] |
//! | σ₁ →ₜ σ₂, Table 2 | [`execute`] |
//! | SYMBOLICREACHABILITY, Figure 1 | [`search`] |
//! | GETSUCCESSORS | [`successors`], with [`guide`] inside the solver |
//! | R_t, W_t, independence | [`reduction`], on what [`code`] finds out |
//! | ISHISTORY, Equations 3 and 4 | [`history`], [`compare`] |
//!
//! Invariants: the program has no calls and no values but Booleans; a state that is kept has an element.
//!
//! Deviations, each with its reason where it is made: the independence test looks at all that other threads may still do, and
//! takes sets of threads ([`reduction`]); a thread that cannot always move leaves the others the states where it cannot
//! ([`successors`]); the cycle condition knows subsumption and breadth-first order ([`search`]); Equation 4 is the one that is meant
//! ([`history`]). A state whose elements have a simple formula is made anew from it ([`restate`]). Guards are checked when a state is made, not only at bad states: the selection of threads needs it anyway.

mod bits;
mod code;
mod compare;
mod crowd;
pub mod diagrams;
mod execute;
pub mod explicit;
mod guide;
mod history;
mod options;
mod quantify;
mod reduction;
mod restate;
mod search;
mod slam;
mod state;
mod statistics;
mod successors;
mod trace;

pub use crowd::Crowds;
pub use options::{Fixpoint, Options, Order, Reduction};
pub use slam::{Abstraction, Slam, abstraction};

use code::{Code, Slot};
use engine::{Engine, Reason, Run, Verdict};
use ir::Program;
use rustc_hash::FxHashSet;
use search::{Found, Search};
use term::Term;

/// The variables of a program without calls whose first values matter: those that a thread may read before they are written.
pub fn open_at_start(program: &Program) -> Result<FxHashSet<Term>, Reason> {
    let code = Code::new(program)?;
    let mut open = FxHashSet::default();
    for (number, graph) in code.graphs.iter().enumerate() {
        let point = &graph.points[graph.cfa.entry().0 as usize];
        let is_entry = number == program.entry.0 as usize;
        open.extend(graph.slots.iter().filter_map(|(variable, slot)| match slot {
            Slot::Shared(slot) => (is_entry && point.shared_active.contains(*slot)).then_some(*variable),
            Slot::Own(slot) => point.own_active.contains(*slot).then_some(*variable),
        }));
    }
    Ok(open)
}

/// The name that the command line uses.
pub const NAME: &str = "interleaving";

/// The engine with its options.
pub struct Interleaving {
    pub options: Options,
}

impl Engine for Interleaving {
    fn name(&self) -> &'static str {
        NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        match self.decide(program, run) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

impl Interleaving {
    fn decide(&self, program: &Program, run: &mut Run) -> Result<Verdict, Reason> {
        let code = Code::new(program)?;
        let mut search = Search::new(&code, self.options);
        let found = search.run(run);
        search.figures.write(&mut run.statistics);
        Ok(match found? {
            Found::Violation(trace) => Verdict::False(trace),
            Found::Nothing => Verdict::True(search.proof()),
        })
    }
}
