//! Answers.

use crate::{Proof, Trace};
use limits::Exceeded;
use source::{Place, Symbol};
use std::fmt;

/// What an engine answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// No error location can be reached.
    True(Proof),
    /// The trace reaches one.
    False(Trace),
    Unknown(Reason),
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Timeout,
    Memory,
    /// There is no bug within the bounds, and nothing is known beyond them: each bound with its name, e.g. recursion 2.
    BoundReached(Vec<(&'static str, u64)>),
    Unsupported {
        what: Symbol,
        place: Option<Place>,
    },
    /// Who tried gave up: why, in words that need no knowledge of engines.
    NoProgress(String),
    Cancelled,
    /// A verdict failed its check, or an engine broke one of its own rules: what happened. Always a bug of Fathom.
    Internal(String),
    /// Nothing was tried that could decide the program: why.
    NotAttempted(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::Memory => f.write_str("out of memory"),
            Reason::BoundReached(bounds) => {
                f.write_str("no bug within ")?;
                for (i, (name, bound)) in bounds.iter().enumerate() {
                    write!(f, "{}{name} {bound}", if i == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Reason::Unsupported { what, place: Some(place) } => {
                write!(f, "unsupported: {what}, {}:{}", place.file, place.line)
            }
            Reason::Unsupported { what, place: None } => write!(f, "unsupported: {what}"),
            Reason::NoProgress(why) => f.write_str(why),
            Reason::Cancelled => f.write_str("cancelled"),
            Reason::Internal(what) => write!(f, "internal error: {what}"),
            Reason::NotAttempted(why) => f.write_str(why),
        }
    }
}

impl From<Exceeded> for Reason {
    fn from(exceeded: Exceeded) -> Reason {
        match exceeded {
            Exceeded::Cancelled => Reason::Cancelled,
            Exceeded::Timeout => Reason::Timeout,
            Exceeded::Memory => Reason::Memory,
        }
    }
}
