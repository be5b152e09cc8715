//! Deliberate faults: mistakes that a checker of programs could have, which tests put in one at a time to see that each
//! is caught, by a test or by the recheck of verdicts.
//!
//! *Invariant:* without the feature `inject`, which only tests turn on, [`is`] is the constant `false`, and nothing of
//! a fault is in the program. With it, the variable `FATHOM_FAULT` of the environment names the fault that is in.

/// A mistake. Each stands at one place of the code, which asks for it by [`is`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Intervals: a sum that is too large for its type is taken for the largest number.
    DroppedWrap,
    /// C: unsigned numbers are compared as if they had a sign.
    WrongSignedness,
    /// C: an object that was freed lives on.
    FreedLives,
    /// Points-to analysis: a pointer that is stored through another is stored in the first of the objects alone.
    MissedAlias,
    /// Predicate abstraction: any node that was expanded covers all others at its location.
    BrokenCoverage,
    /// Predicate abstraction: only the first of the models of a block is seen.
    LostModel,
    /// Path formulas: all blocks of a path have the same inputs.
    SharedInput,
    /// Partial-order reduction: what is postponed may be postponed for ever.
    NoCycleCondition,
    /// Bounded model checking: a bound that was reached is taken for the end of all executions.
    BoundAsProof,
    /// Executions: the inputs that a trace tells are not those of the model.
    StaleModel,
    /// Stratified inlining: what a procedure assigns is not among its effects.
    MissedEffect,
    /// Floats as circuits: what does not fit is cut off.
    CutRounding,
    /// Folds: a store to a map does not change sums over its elements.
    ForgottenStore,
    /// Split of memory: that an access stays in its region is assumed, and not checked.
    ForgottenRegion,
    /// Split of memory: a region has one byte more than it has.
    WideRegion,
    /// Intervals of floats: products are bounded as if no factor was negative.
    LostSign,
    /// Shapes: all objects of a list have the data of the first ones.
    FirstsData,
    /// Shapes: a list never has just the objects that it has at least.
    OnlyLongLists,
    /// Shapes: a graph covers another one whatever numbers it allows.
    ForgottenRange,
    /// Mixed symbolic analysis: Reach_Lockstep as it is printed, which forgets what comes through back edges to their
    /// tails.
    PrintedLockstep,
    /// Return points: all calls of a procedure have the same one.
    SharedReturnPoint,
    /// Numeric addresses: all objects begin at the same one.
    SharedAddress,
    /// Bug localisation: the executions that a cause has to avoid are not made.
    UnexecutedCause,
    /// Linear constraints: a number that is not equal to another one is less.
    LostDisjunct,
}

impl Fault {
    pub const ALL: [Fault; 24] = [
        Fault::DroppedWrap,
        Fault::WrongSignedness,
        Fault::FreedLives,
        Fault::MissedAlias,
        Fault::BrokenCoverage,
        Fault::LostModel,
        Fault::SharedInput,
        Fault::NoCycleCondition,
        Fault::BoundAsProof,
        Fault::StaleModel,
        Fault::MissedEffect,
        Fault::CutRounding,
        Fault::ForgottenStore,
        Fault::ForgottenRegion,
        Fault::WideRegion,
        Fault::LostSign,
        Fault::FirstsData,
        Fault::OnlyLongLists,
        Fault::ForgottenRange,
        Fault::PrintedLockstep,
        Fault::SharedReturnPoint,
        Fault::SharedAddress,
        Fault::UnexecutedCause,
        Fault::LostDisjunct,
    ];
}

/// Whether this fault is in.
#[cfg(not(feature = "inject"))]
#[inline(always)]
pub const fn is(_: Fault) -> bool {
    false
}

/// Whether this fault is in.
#[cfg(feature = "inject")]
pub fn is(fault: Fault) -> bool {
    static NOW: std::sync::OnceLock<Option<Fault>> = std::sync::OnceLock::new();
    let named = || {
        let name = std::env::var("FATHOM_FAULT").ok()?;
        let found = Fault::ALL.into_iter().find(|fault| format!("{fault:?}") == name);
        Some(found.unwrap_or_else(|| panic!("FATHOM_FAULT={name} is no fault")))
    };
    *NOW.get_or_init(named) == Some(fault)
}
