//! What the paper compares, as options.

use crate::refine::Refinement;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How often a procedure may be entered again while it runs. Without it the bound rises until time is up.
    pub recursion_bound: Option<u32>,
    /// How many calls may be open around a procedure.
    pub stack_bound: Option<u32>,
    /// All procedures are inlined up to the bound before anything is asked: what the paper compares with.
    pub static_inlining: bool,
    /// Calls that no execution passes both have one body.
    pub sharing: bool,
    /// Summaries are inferred first.
    pub houdini: bool,
    /// Only those globals are tracked that are needed to refute paths, which are found in this way. Without it, all are.
    pub refinement: Option<Refinement>,
    /// In programs of few procedures as well: there it costs more than it saves.
    pub refines_small: bool,
    /// All ways to find them are measured on the same paths.
    pub compare_refinements: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            recursion_bound: None,
            stack_bound: None,
            static_inlining: false,
            sharing: true,
            houdini: true,
            refinement: Some(Refinement::OneFormula),
            refines_small: false,
            compare_refinements: false,
        }
    }
}

impl Options {
    /// Whether bodies are shared. Calls of one body may have different depths, and static inlining is what sharing is compared with.
    pub fn shares(&self) -> bool {
        self.sharing && self.stack_bound.is_none() && !self.static_inlining
    }
}
