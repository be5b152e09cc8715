//! Renders a [`driver::report::Report`]: one file per format, and the notations they share. Renders what was measured, too.
//!
//! Invariants: a renderer is a function of the report alone; it reads no file, asks no clock and decides nothing. All
//! that Fathom writes for other programs (JSON, SARIF, witnesses, harnesses) is written here. What it measured is read again here; witnesses are read by `driver`.

mod bench;
mod causes;
mod checks;
mod corral;
mod corral_bench;
mod fold;
mod fsoft;
mod harness;
mod json;
mod literal;
mod notation;
mod sarif;
mod scan;
mod summary;
mod tables;
mod text;
mod witness;

pub use self::bench::{lbe_json, lbe_text, read_run};
pub use corral::{CorralOptions, corral};
pub use corral_bench::{corral_bench_json, corral_bench_text, read_refinements};
pub use fsoft::{fsoft_json, fsoft_text, read_fsoft};
pub use harness::{REACHED, harness};
pub use json::{json, summary_json};
pub use notation::verdict;
pub use sarif::{sarif, summary_sarif};
pub use scan::{ScanOptions, scan_json, scan_text};
pub use summary::{summary_text, summary_verdict};
pub use tables::{read_count, tables_json, tables_text};
pub use text::{TextOptions, TraceText, statistics, text};
pub use witness::{Stamp, witness};

/// The name and version that machine-readable formats state.
pub const TOOL: (&str, &str) = ("fathom", env!("CARGO_PKG_VERSION"));
