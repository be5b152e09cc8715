//! What the meaning of a program rests on beyond its text.
//!
//! A frontend notes each assumption where it makes it; reports show them with the verdict.

use source::{Place, Symbol};
use std::fmt;

/// What is assumed, as tools tell it apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AssumptionKind {
    /// What calls of a function without a body do.
    MissingBody,
    /// What a variable holds that is defined nowhere.
    MissingVariable,
    /// What the function finds that execution starts with: variables and arguments.
    Start,
    /// Allocation of memory never fails.
    Allocation,
    /// Sizes of objects can be told by the type that the language has for sizes.
    ObjectSizes,
    /// Threads see each other's writes in one order.
    SequentialConsistency,
    /// Objects lie at addresses of a fixed layout.
    FixedAddresses,
    /// A constant address is a register of a device.
    MappedRegisters,
    /// The locale of the environment is C.
    Locale,
    /// Operands are evaluated in one of the orders that the language allows.
    EvaluationOrder,
    /// What the contract of a function without a body promises.
    Contract,
    /// What objects hold behind a jump out of a function.
    Jumps,
    /// No signal arrives from outside.
    Signals,
    /// The function that execution starts with runs alone.
    OneAtATime,
    /// A call uses a function's external definition where an inline definition says something else.
    ExternalDefinition,
}

impl AssumptionKind {
    pub const ALL: [AssumptionKind; 15] = [
        AssumptionKind::MissingBody,
        AssumptionKind::MissingVariable,
        AssumptionKind::Start,
        AssumptionKind::Allocation,
        AssumptionKind::ObjectSizes,
        AssumptionKind::SequentialConsistency,
        AssumptionKind::FixedAddresses,
        AssumptionKind::MappedRegisters,
        AssumptionKind::Locale,
        AssumptionKind::EvaluationOrder,
        AssumptionKind::Contract,
        AssumptionKind::Jumps,
        AssumptionKind::Signals,
        AssumptionKind::OneAtATime,
        AssumptionKind::ExternalDefinition,
    ];

    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::MissingBody => "missing-body",
            AssumptionKind::MissingVariable => "missing-variable",
            AssumptionKind::Start => "start",
            AssumptionKind::Allocation => "allocation",
            AssumptionKind::ObjectSizes => "object-sizes",
            AssumptionKind::SequentialConsistency => "sequential-consistency",
            AssumptionKind::FixedAddresses => "fixed-addresses",
            AssumptionKind::MappedRegisters => "mapped-registers",
            AssumptionKind::Locale => "locale",
            AssumptionKind::EvaluationOrder => "evaluation-order",
            AssumptionKind::Contract => "contract",
            AssumptionKind::Jumps => "jumps",
            AssumptionKind::Signals => "signals",
            AssumptionKind::OneAtATime => "one-at-a-time",
            AssumptionKind::ExternalDefinition => "external-definition",
        }
    }

    pub fn from_name(name: &str) -> Option<AssumptionKind> {
        AssumptionKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for AssumptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One assumption.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    pub kind: AssumptionKind,
    /// As a user reads it after "assuming: ".
    pub text: Symbol,
    /// The functions that it is about, if it is about some.
    pub functions: Vec<Symbol>,
    pub place: Option<Place>,
}
