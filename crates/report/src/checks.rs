//! Single checks and their verdicts, in words: shared by the formats.

use crate::notation::short_place;
use driver::report::{Check, CheckVerdict, Finding, Open, Provided, Summary, Tally};
use engine::Reason;
use ir::PropertyId;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Stands behind what holds of some executions only; a line that begins with it says of which.
pub const MARK: &str = "*";

/// So many checks are listed for a reason; machine-readable formats have all.
const MOST: usize = 12;

/// Why a check is open, and what would help.
pub fn why(open: &Open) -> String {
    let tried = match &open.tried[..] {
        [] => "no time was left to try anything".to_string(),
        names => format!("tried: {}", names.join(", ")),
    };
    let seconds = open.time.as_secs_f64();
    match &open.reason {
        Reason::Timeout if open.tried.is_empty() => format!("{tried}; a longer --timeout may help"),
        Reason::Timeout => format!("no answer within {seconds:.1} s ({tried}); a longer --timeout may help"),
        Reason::Memory => format!("out of memory ({tried}); a higher --memory-limit may help"),
        Reason::BoundReached(_) => format!("{}, nothing is known beyond ({tried})", open.reason),
        Reason::NotAttempted(_) if open.tried.is_empty() => one_line(&open.reason),
        Reason::NoProgress(_) | Reason::NotAttempted(_) => {
            format!("{} ({tried}); {}", one_line(&open.reason), what_helps(&open.reason))
        }
        Reason::Internal(_) => format!("{}; this is a bug of Fathom, please report it", one_line(&open.reason)),
        Reason::Unsupported { .. } | Reason::Cancelled => one_line(&open.reason),
    }
}

/// What a user can do about a reason; nothing, if it says so itself.
pub fn what_helps(reason: &Reason) -> &'static str {
    match reason {
        Reason::Timeout => "a longer --timeout may help",
        Reason::Memory => "a higher --memory-limit may help",
        Reason::BoundReached(_) => "a higher bound may help",
        Reason::NoProgress(_) | Reason::NotAttempted(_) => {
            "an assertion or __VERIFIER_assume about the variables involved, just before the place, may help"
        }
        Reason::Internal(_) => "this is a bug of Fathom, please report it with the program",
        Reason::Unsupported { .. } | Reason::Cancelled => "",
    }
}

fn one_line(reason: &Reason) -> String {
    reason.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is checked where.
pub fn what(check: &Check) -> String {
    let place = match check.place {
        Some(place) if is_in_library(check) => {
            format!("in the model of the library, {}: ", short_place(place).trim_start_matches(LIBRARY))
        }
        Some(place) => format!("{}: ", short_place(place)),
        None => String::new(),
    };
    format!("{place}{} ({})", check.text, check.property)
}

/// What the names of the texts begin with in which Fathom says what functions of the library do.
const LIBRARY: &str = "<library>/";

/// Whether a check is not in the user's own text.
pub fn is_in_library(check: &Check) -> bool {
    check.place.is_some_and(|place| place.file.as_str().starts_with(LIBRARY))
}

/// `22 proved, 2 refuted, 1 open`.
pub fn counts(tally: &Tally) -> String {
    format!("{} proved, {} refuted, {} open", proved(tally), tally.refuted, tally.open)
}

/// How many checks are proved, with a mark where some of the proofs rest on something else that does not happen before.
pub fn proved(tally: &Tally) -> String {
    format!("{}{}", tally.proved, if tally.provided > 0 { MARK } else { "" })
}

/// `1 check`, `2 checks`.
pub fn checks(count: usize) -> String {
    format!("{count} check{}", if count == 1 { "" } else { "s" })
}

/// All checks that are open, by their reasons, and what proofs are provided with.
pub fn details(summary: &Summary) -> String {
    let mut out = String::new();
    let merged = summary.merged();
    let tally = Tally::of(merged.iter().copied());
    if tally.all() > 0 {
        let _ = writeln!(out, "{}: {}", checks(tally.all()), counts(&tally));
    }
    // What differs only in how long it was tried, and by whom, is one reason.
    let kind = |open: &Open| match &open.reason {
        Reason::Timeout => "no answer in time; a longer --timeout may help".to_string(),
        Reason::Memory => "out of memory; a higher --memory-limit may help".to_string(),
        reason @ (Reason::NoProgress(_) | Reason::NotAttempted(_)) if !open.tried.is_empty() => {
            format!("{}; {}", one_line(reason), what_helps(reason))
        }
        _ => why(open),
    };
    let (library, own): (Vec<&Check>, Vec<&Check>) = merged.iter().copied().partition(|check| is_in_library(check));
    // In the order in which they are first met.
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    let (mut numbers, mut told): (HashMap<String, usize>, HashSet<(usize, String)>) = Default::default();
    for check in own.into_iter().chain(library) {
        let CheckVerdict::Open(open) = &check.verdict else { continue };
        let (why, what) = (kind(open), what(check));
        let number = *numbers.entry(why.clone()).or_insert_with(|| {
            reasons.push((why, Vec::new()));
            reasons.len() - 1
        });
        if told.insert((number, what.clone())) {
            reasons[number].1.push(what);
        }
    }
    for (why, places) in reasons {
        let _ = writeln!(out, "open: {why}");
        places.iter().take(MOST).for_each(|place| {
            let _ = writeln!(out, "    {place}");
        });
        if places.len() > MOST {
            let _ = writeln!(out, "    and {} more: --format json lists all", places.len() - MOST);
        }
    }
    provided(summary, &merged, &mut out);
    out
}

/// What the proofs of some checks are provided with.
fn provided(summary: &Summary, merged: &[&Check], out: &mut String) {
    let told = |check: &&Check| match &check.verdict {
        CheckVerdict::Proved { provided, .. } => Some(provided.clone()),
        _ => None,
    };
    let all: Vec<Provided> = merged.iter().filter_map(told).collect();
    let behind = all.iter().filter(|provided| provided.count > 0).count();
    let before_unsupported = all.iter().filter(|provided| provided.unsupported.is_some()).count();
    let unsupported = all.iter().find_map(|provided| provided.unsupported.as_ref()).map(one_line);
    let first = summary.findings.iter().find_map(|finding| {
        let mut told = finding.checks.iter().filter_map(|check| told(&check));
        told.find_map(|provided| provided.checks.first().and_then(|id| of(finding, *id)).map(what))
    });
    let come = |count: usize| if count == 1 { "comes" } else { "come" };
    let hold = |count: usize| if count == 1 { "holds" } else { "hold" };
    if let Some(first) = first {
        let _ = writeln!(
            out,
            "{MARK} {behind} of the proved checks {} behind a check that is not proved, such as {first}; of executions that would go on \
             behind a violation of it the proof says nothing",
            come(behind)
        );
    }
    if let Some(what) = unsupported {
        let _ = writeln!(
            out,
            "{MARK} {before_unsupported} of the proved checks {} of executions that do not come to what is {what}",
            hold(before_unsupported)
        );
    }
}

/// The check of a finding that has a number; they are in order.
fn of(finding: &Finding, id: PropertyId) -> Option<&Check> {
    let place = finding.checks.binary_search_by_key(&id, |check| check.id).ok()?;
    finding.checks.get(place)
}

/// The name of a check: its property and its number, which stay the same as long as the program does.
pub fn name(check: &Check) -> String {
    format!("{}#{}", check.property, check.id.0)
}

/// The names of the checks that a proof is provided with, as far as they are known.
pub fn names(finding: &Finding, provided: &Provided) -> Vec<String> {
    provided.checks.iter().filter_map(|id| of(finding, *id)).map(name).collect()
}
