//! What the paper compares, and what was learnt since, as options.

pub use blocks::model::Encoding;

/// How abstract successors are computed (Section II.B).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// The strongest conjunction of predicates or their negations.
    Cartesian,
    /// The strongest Boolean combination of predicates.
    Boolean,
}

/// For which locations a new predicate counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Only the location of the tree's path where the interpolant stands.
    Location,
    /// All locations of that location's function, in every copy of it.
    Function,
    /// All locations.
    Global,
}

/// Which node is expanded next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
}

/// What covers a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// One other node, as in the paper.
    Node,
    /// All other nodes at its location together.
    Union,
}

/// How refinement reads the arithmetic of a path when it looks for predicates. Whether a path is feasible, and whether
/// predicates hold, is always decided with the program's own values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Mostly by links of the path's own predicates, which need no view; then as integers, and with bits where that is not exact.
    Auto,
    /// As mathematical integers first.
    Integers,
    /// With the program's own values only.
    Bits,
}

/// What of an infeasible path is refined ([`crate::prefixes`]), where variables are needed that did not matter before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// The path as it is: the solver chooses.
    Whole,
    /// Its first contradiction.
    Shortest,
    /// Its last contradiction, without those before.
    Longest,
    /// The contradiction whose variables are the cheapest to track ([`crate::domains`]).
    Domain,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub encoding: Encoding,
    pub abstraction: Abstraction,
    pub scope: Scope,
    pub order: Order,
    pub coverage: Coverage,
    pub arithmetic: Arithmetic,
    pub prefix: Prefix,
}

impl Default for Options {
    /// Large blocks with Boolean abstraction, the combination that wins in the paper.
    fn default() -> Options {
        Options {
            encoding: Encoding::Large,
            abstraction: Abstraction::Boolean,
            scope: Scope::Location,
            order: Order::DepthFirst,
            coverage: Coverage::Union,
            arithmetic: Arithmetic::Auto,
            prefix: Prefix::Whole,
        }
    }
}
