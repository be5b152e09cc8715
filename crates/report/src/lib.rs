//! Renders a [`driver::report::Report`]: one file per format, and the notations they share. Renders what was measured, too.
//!
//! Invariants: a renderer is a function of the report alone; it reads no file, asks no clock and decides nothing. All
//! that Fathom writes for other programs (JSON, SARIF) is written here; what it reads of that again is read here.

mod bench;
mod boppo;
mod corral;
mod fold;
mod json;
mod notation;
mod sarif;
mod text;

pub use self::bench::{lbe_json, lbe_text, read_run};
pub use boppo::{boppo_json, boppo_text, read_states};
pub use corral::{CorralOptions, corral};
pub use json::json;
pub use notation::verdict;
pub use sarif::sarif;
pub use text::{TextOptions, TraceText, statistics, text};

/// The name and version that machine-readable formats state.
pub const TOOL: (&str, &str) = ("fathom", env!("CARGO_PKG_VERSION"));
