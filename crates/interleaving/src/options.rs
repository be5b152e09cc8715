//! What can be chosen about the engine: what the paper compares, and more.

/// Which state is explored next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    #[default]
    DepthFirst,
    BreadthFirst,
}

/// How interleavings are left out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reduction {
    /// All interleavings are explored.
    None,
    /// Inside the SAT solver's decisions.
    #[default]
    Decisions,
    /// By constraints that are added to each question upfront.
    Constraints,
    /// Inside the SAT solver's decisions, by the rule as it is printed, which misses violations.
    Printed,
}

/// How it is found out that a state was explored before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Fixpoint {
    /// Our own solver of formulas with two quantifiers.
    #[default]
    Expansion,
    /// The program depqbf.
    Depqbf,
    /// Binary decision diagrams.
    Bdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub order: Order,
    pub reduction: Reduction,
    pub fixpoint: Fixpoint,
    /// Whether a state may be subsumed by several others together.
    pub unions: bool,
    /// Whether constants, equal structures and signatures answer what they can before a solver is asked.
    pub filters: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::default(),
            reduction: Reduction::default(),
            fixpoint: Fixpoint::default(),
            unions: true,
            filters: true,
        }
    }
}
