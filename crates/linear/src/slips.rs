//! The paper's rules as they are printed, where the print is wrong: only tests can put one in, to see that it is
//! found out.

/// A rule as it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slip {
    /// The second premise of the rule for `e1 op e2` is about `e1`.
    SecondOperand,
    /// The rule for a call leaves the caller's entry valuation where the callee's belongs.
    CallersEntry,
    /// Delta^0 is the identity at every vertex.
    IdentityEverywhere,
}

/// Whether a rule is as it is printed.
#[cfg(not(test))]
pub const fn is(_: Slip) -> bool {
    false
}

#[cfg(test)]
thread_local! {
    pub static PRINTED: std::cell::Cell<Option<Slip>> = const { std::cell::Cell::new(None) };
}

/// Whether a rule is as it is printed.
#[cfg(test)]
pub fn is(slip: Slip) -> bool {
    PRINTED.with(|printed| printed.get() == Some(slip))
}
