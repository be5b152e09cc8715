//! What a user should know beside a verdict: what would help, and what there was to check.

use crate::load::Loaded;
use crate::property::{ALL, Property};
use crate::report::{Finding, Outcome, UnknownFunction};
use engine::Reason;
use frontend_c::NO_BODY;
use ir::{Assumption, AssumptionKind, LocationKind, Procedure, Program};
use source::Symbol;
use std::collections::BTreeSet;

/// The user's functions without a body that the program can come to.
pub fn unknown_functions(program: &Program) -> Vec<UnknownFunction> {
    let is_about = |kind| kind == AssumptionKind::MissingBody;
    let about = program.assumptions.iter().filter(|assumption| is_about(assumption.kind));
    let assumed: BTreeSet<_> = about.flat_map(|assumption| &assumption.functions).collect();
    let others = program.procedures.iter().filter(|p| is_refused(p) || assumed.contains(&p.name));
    let named = |p: &Procedure| UnknownFunction { name: p.name, place: p.place };
    let unknown: BTreeSet<UnknownFunction> = program.unknown_functions().chain(others).map(named).collect();
    unknown.into_iter().collect()
}

/// Whether a procedure is a function without a body whose calls are refused.
fn is_refused(procedure: &Procedure) -> bool {
    let Ok(cfa) = &procedure.body else { return false };
    let own = LocationKind::Unsupported(Symbol::new(&format!("a call of {}{NO_BODY}", procedure.name)));
    cfa.locations().any(|(_, location)| location.kind == own)
}

/// What would help where a function without a body is the reason for an UNKNOWN.
pub fn about_missing_bodies(outcome: &Outcome, unknown: &[UnknownFunction]) -> Option<String> {
    let Outcome::Unknown(Reason::Unsupported { what, .. }) = outcome else { return None };
    if !what.as_str().ends_with(NO_BODY) {
        return None;
    }
    let named = |function: &UnknownFunction| match function.place {
        Some(place) => format!("{} ({place})", function.name),
        None => function.name.to_string(),
    };
    let names: Vec<String> = unknown.iter().map(named).collect();
    let (have, them, are) = if names.len() == 1 { ("has", "it", "it is") } else { ("have", "them", "they are") };
    Some(format!(
        "{} {have} no body: give the files that define {them} as well, or say what calls of {them} do by --missing-bodies pure \
         (return anything, change nothing) or --missing-bodies havoc (also write to what {are} given pointers to)",
        names.join(", ")
    ))
}

/// Where the order of evaluation matters that the language leaves open, and which one is taken.
pub fn about_order(program: &Program) -> impl Iterator<Item = String> {
    let is_about = |assumption: &&Assumption| assumption.kind == AssumptionKind::EvaluationOrder;
    program.assumptions.iter().filter(is_about).map(|assumption| assumption.text.to_string())
}

/// That a proof says little, because nothing in the program could violate what was asked.
pub fn about_nothing_to_check(loaded: &Loaded, outcome: &Outcome) -> Option<String> {
    let is_empty = matches!(outcome, Outcome::Holds(_)) && loaded.program.properties.is_empty();
    if is_empty { nothing_to_check("the program", &loaded.target.properties) } else { None }
}

/// The same of all functions of a library.
pub fn about_nothing_to_check_in_library(findings: &[Finding]) -> Option<String> {
    let is_empty = |finding: &Finding| finding.checks.is_empty() && matches!(finding.report.outcome, Outcome::Holds(_));
    let asked = &findings.first()?.report.properties;
    let asks_for_all = findings.iter().any(|finding| finding.report.properties != *asked);
    if asks_for_all || !findings.iter().all(is_empty) {
        return None;
    }
    nothing_to_check("the library", asked)
}

fn nothing_to_check(what: &str, asked: &[Property]) -> Option<String> {
    let why = match asked {
        [Property::UnreachCall] => format!("{what} has no assertion and calls no error function"),
        // That there is no such label is said already.
        [] | [Property::UnreachLabel(_)] => return None,
        _ => format!("{what} does nothing that could violate it"),
    };
    let names: Vec<String> = asked.iter().map(ToString::to_string).collect();
    let known: Vec<String> = Property::short_names().filter(|name| name != ALL && !names.contains(name)).collect();
    Some(format!(
        "{why}: nothing to check for {}; see --property all, or one of {}",
        names.join(", "),
        known.join(", ")
    ))
}
