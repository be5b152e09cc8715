//! "Software Model Checking via Large-Block Encoding" (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani): Tables I to III.
//!
//! Tables I and II compare BLAST, single-block encoding with Cartesian abstraction (SBE) and large-block encoding with
//! Boolean abstraction (LBE) by time; Table III compares SBE and LBE by the size of the tree, refinements and
//! predicates. The other two combinations have no table: Section IV says that SBE with Boolean abstraction solved only the
//! first five `test_locks`, and LBE with Cartesian abstraction nothing.

use crate::{Configuration, Source, Task, programs};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What the tables print for a program. Times are in seconds; `>1800.00` is a timeout, `MO` that memory was exhausted, `(*)`
/// marks figures of a run that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published {
    pub program: &'static str,
    pub blast: &'static str,
    pub sbe: &'static str,
    pub lbe: &'static str,
    /// Table III, where it has the program: nodes, refinements, predicates in total, on average, and at most.
    pub sbe_figures: Option<[&'static str; 5]>,
    pub lbe_figures: Option<[&'static str; 5]>,
}

impl Published {
    /// Table II has the programs with artificial bugs.
    pub fn has_bug(&self) -> bool {
        self.program.contains(".BUG.")
    }
}

/// The tables, a line for each program.
static PUBLISHED: LazyLock<Vec<Published>> =
    LazyLock::new(|| include_str!("lbe.tsv").lines().skip(1).filter_map(published).collect());

fn published(line: &'static str) -> Option<Published> {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let [program, blast, sbe, lbe] = *cells.get(..4)?.as_array()?;
    let figures = |from: usize| cells.get(from..from + 5)?.as_array().copied();
    Some(Published { program, blast, sbe, lbe, sbe_figures: figures(4), lbe_figures: figures(9) })
}

/// The two combinations that the tables compare.
pub const SBE: Configuration =
    Configuration { name: "SBE", options: &["--blocks", "single", "--abstraction", "cartesian"] };
pub const LBE: Configuration =
    Configuration { name: "LBE", options: &["--blocks", "large", "--abstraction", "boolean"] };
/// The two that the paper tried and left out.
pub const SBE_BOOLEAN: Configuration =
    Configuration { name: "SBE Boolean", options: &["--blocks", "single", "--abstraction", "boolean"] };
pub const LBE_CARTESIAN: Configuration =
    Configuration { name: "LBE Cartesian", options: &["--blocks", "large", "--abstraction", "cartesian"] };

/// What every program is checked for.
const PROPERTY: &str = "unreach-label:ERROR";

/// Numbers of locks: the paper's, and beyond.
const LOCKS: [usize; 16] = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20, 25, 30, 50, 100];
/// Numbers of states of the handshake.
const STATES: [usize; 4] = [4, 8, 12, 16];

/// The programs that the project writes itself: `locks_N`, after the paper's `test_locks_N`, and a handshake like that of
/// the paper's `s3_clnt` and `s3_srvr`, with and without a bug.
pub fn written() -> Vec<Task> {
    let locks = LOCKS.map(|n| {
        let original = format!("test_locks_{n}.c");
        Task {
            name: format!("locks_{n}.c"),
            group: None,
            source: Source::Written(programs::locks(n)),
            property: PROPERTY,
            holds: true,
            published: PUBLISHED.iter().find(|row| row.program == original),
        }
    });
    let handshake = |n: usize, holds: bool| Task {
        name: format!("handshake_{n}{}.c", if holds { "" } else { ".BUG" }),
        group: None,
        source: Source::Written(programs::handshake(n, !holds)),
        property: PROPERTY,
        holds,
        published: None,
    };
    locks.into_iter().chain([true, false].into_iter().flat_map(|holds| STATES.map(|n| handshake(n, holds)))).collect()
}

/// The paper's own programs, as far as a folder or those below it hold files of their names.
pub fn originals(folder: &Path) -> std::io::Result<Vec<Task>> {
    let mut found = BTreeMap::new();
    find(folder, &mut found)?;
    let task = |row: &'static Published| {
        Some(Task {
            name: row.program.to_string(),
            group: None,
            source: Source::File(found.get(row.program)?.clone()),
            property: PROPERTY,
            holds: !row.has_bug(),
            published: Some(row),
        })
    };
    Ok(PUBLISHED.iter().filter_map(task).collect())
}

/// Finds files that have the names of the paper's programs; the first, if there are several of a name.
fn find(folder: &Path, found: &mut BTreeMap<String, PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        // Links are not followed: they may lead in a circle.
        let kind = entry.file_type()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_dir() {
            find(&entry.path(), found)?;
        } else if kind.is_file() && PUBLISHED.iter().any(|row| row.program == name) {
            found.entry(name).or_insert_with(|| entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums that the paper prints below its tables hold of the lines above them.
    #[test]
    fn the_lines_add_up_to_the_printed_totals() {
        let total = |bug: bool, time: fn(&Published) -> &'static str| {
            let solved = PUBLISHED.iter().filter(|row| row.has_bug() == bug).filter_map(|row| time(row).parse().ok());
            let times: Vec<f64> = solved.collect();
            format!("{}/{:.2}", times.len(), times.iter().sum::<f64>())
        };
        let totals = |bug| [total(bug, |row| row.blast), total(bug, |row| row.sbe), total(bug, |row| row.lbe)];
        assert_eq!(totals(false), ["32/8591.12", "11/3580.71", "35/2265.07"]);
        assert_eq!(totals(true), ["24/2296.25", "10/5747.10", "24/188.67"]);
    }

    #[test]
    fn every_program_without_a_bug_is_in_the_third_table() {
        for row in PUBLISHED.iter() {
            assert_eq!(row.sbe_figures.is_none(), row.has_bug(), "{row:?}");
            assert_eq!(row.lbe_figures.is_none(), row.has_bug(), "{row:?}");
        }
    }

    #[test]
    fn written_locks_stand_beside_the_published_ones() {
        let beside = written().iter().filter(|task| task.published.is_some()).count();
        assert_eq!(beside, 11);
    }
}
