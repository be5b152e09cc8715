//! Likely causes in words, for every format alike.

use crate::notation::{change, changes, short_place, value};
use driver::report::{Cause, Causes, Change, Objects, Repair, Suspect, Was};
use std::fmt::Write;

/// What a statement did, and what would avoid the violation: one sentence.
pub(crate) fn sentence(suspect: &Suspect, cause: &Cause, objects: &Objects) -> String {
    let what = match suspect.text {
        Some(text) => format!("`{text}`"),
        None if matches!(suspect.was, Was::Condition(_)) => "the condition".to_string(),
        None => "the statement".to_string(),
    };
    let reads = match &suspect.reads[..] {
        [] => String::new(),
        reads => format!(" with {}", changes(reads, objects)),
    };
    let avoided = match cause.checked {
        true => "the violation would not happen",
        false => "the violated condition would not be reached",
    };
    let others = if cause.suspects.len() > 1 { "together with the other changes, " } else { "" };
    match &suspect.was {
        Was::Condition(held) => {
            format!("{what} was {held}{reads}; were it {}, {others}{avoided}", !held)
        }
        Was::Way => format!("{what} chose this way{reads}; with another one {others}{avoided}"),
        Was::Stored { at, instead } => {
            let (at, instead) = (value(at, None, objects), value(instead, None, objects));
            format!("{what} wrote to {at}{reads}; writing to {instead}, {others}{avoided}")
        }
        Was::Value { value: given, instead } => {
            let own = given.name.is_some_and(|name| suspect.reads.iter().any(|read| read.name == Some(name)));
            let reads = if own { format!(", from{}", reads.trim_start_matches(" with")) } else { reads };
            let instead = Change { value: instead.clone(), ..given.clone() };
            format!(
                "{what} gave {}{reads}; with {} {others}{avoided}",
                change(given, objects),
                change(&instead, objects)
            )
        }
        Was::Repaired => format!("a change of {what}{reads} avoids the violation"),
    }
}

/// The small change that was tried, if there is one.
pub(crate) fn repair(suspect: &Suspect) -> Option<String> {
    let Repair { text, others } = suspect.repair.as_ref()?;
    let change = match text {
        Some(text) => format!("with `{text}` the execution has no violation"),
        None => "a small change of it alone gives an execution without violation".to_string(),
    };
    Some(match others {
        0 => change,
        others => format!("{change}, nor have {others} others with inputs near to these"),
    })
}

/// The causes in the report for people.
pub(crate) fn text(causes: &Causes, objects: &Objects) -> String {
    let mut out = String::new();
    for (number, cause) in causes.sets.iter().enumerate() {
        let _ = writeln!(out, "{}", if number == 0 { "likely cause:" } else { "or:" });
        for suspect in &cause.suspects {
            let line = suspect.line.map(|line| format!("  {line}")).unwrap_or_default();
            let _ = writeln!(out, "  {}{line}", short_place(suspect.place));
            let _ = writeln!(out, "    => {}", sentence(suspect, cause, objects));
            if let Some(repair) = repair(suspect) {
                let _ = writeln!(out, "    => {repair}");
            }
        }
    }
    if let Some(remark) = &causes.remark {
        let _ = writeln!(out, "note: likely causes: {remark}");
    }
    out
}
