//! Decides whether a witness is right about a program.
//!
//! A violation witness is confirmed by an execution that comes by its waypoints and violates the property at its target; a
//! correctness witness by a proof of the property and of all its invariants. Both are found on the program with the witness
//! written into its text, as [`super::instrument`] describes; there, an invariant that was proved at a place may be used
//! behind it.

use super::instrument::{BROKEN, Instrumented, without_directives};
use super::read::{Content, Kind, Waypoint, Witness, read};
use super::sha256::sha256;
use crate::attempt::Asked;
use crate::check::{Settings, check_loaded};
use crate::load::{LoadError, Loaded, Request, load};
use crate::property::{Property, parse_ltl};
use crate::report::{Outcome, Report};
use crate::task::unreadable;
use engine::{Cancel, Reason, Run};
use ir::{Cfa, DataModel, LocationKind};
use source::{Diagnostic, Severity, SourceMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The automaton that watches invariants.
const AUTOMATON: &str = "invariants";

/// Checks a witness about the program of a request. A witness that is not confirmed gives UNKNOWN.
pub fn validate(request: &Request, witness: &Path, settings: Settings, cancel: Cancel) -> Result<Report, LoadError> {
    let start = Instant::now();
    let mut run = Run::new(settings.timeout, settings.memory_limit, cancel);
    if let Some(sink) = settings.progress {
        run.on_progress(sink);
    }
    let Settings { engine, options, no_recheck, no_execution, .. } = settings;
    let asked = Arc::new(Asked { engine, options, no_recheck, no_execution });
    let mut sources = SourceMap::new();
    let (witness, text) = match inputs(request, witness, &mut sources) {
        Ok(inputs) => inputs,
        Err(diagnostic) => return Err(LoadError::new(sources, vec![diagnostic])),
    };
    let request = completed(request, &witness);
    let fallback = Report::without_program(&request, Reason::Cancelled);
    let rejected = |why: String, remarks: Vec<String>| Report {
        outcome: Outcome::Unknown(Reason::NotAttempted(format!("the witness is not confirmed: {why}"))),
        remarks,
        ..Report::without_program(&request, Reason::Cancelled)
    };
    // Waypoints in these lines are about something that the program does not have there.
    let mut unfit: Vec<(u32, String)> = Vec::new();
    let (mut loaded, remarks) = loop {
        let (new_text, remarks) = match instrumented(&request, &witness, &text, &unfit) {
            Ok(done) => done,
            Err(why) => return Ok(rejected(why, Vec::new())),
        };
        let folder = match Folder::new(&request.file, &new_text) {
            Ok(folder) => folder,
            Err(error) => {
                let why = format!("a file for the program could not be written: {error}");
                return Ok(Report { outcome: Outcome::Unknown(Reason::Internal(why)), ..fallback });
            }
        };
        let error = match load(&folder.request(&request, &witness)) {
            Ok(loaded) => break (loaded, remarks),
            Err(error) => error,
        };
        // The program itself may be wrong: then that is what the user should see.
        if unfit.is_empty() {
            load(&request)?;
        }
        let first = error.diagnostics.into_iter().next();
        let why = first.as_ref().map_or("it does not fit the program".to_string(), |first| first.message.clone());
        let line = first.and_then(|first| first.primary).map(|label| error.sources.place(label.span).line);
        match line.filter(|line| witness.passes(*line) && unfit.iter().all(|(known, _)| known != line)) {
            Some(line) => unfit.push((line, why)),
            None => return Ok(rejected(why, remarks)),
        }
    };
    if let Content::Violation(segments) = &witness.content
        && let Some(target) = segments.last().and_then(|segment| segment.last())
        && target.kind == Kind::Target
    {
        only_at(&mut loaded, target.location.line);
    }
    let report = check_loaded(&Arc::new(loaded), &asked, start.elapsed(), &mut run, &Arc::default());
    let outcome = match (&witness.content, report.outcome) {
        (_, Outcome::Unknown(reason)) => Outcome::Unknown(reason),
        (Content::Violation(_), Outcome::Holds(_)) => {
            unconfirmed("no execution that comes by its waypoints violates the property")
        }
        (Content::Correctness(_), Outcome::Violated(violation)) => match violation.property {
            Property::Automaton(_) => unconfirmed(&match violation.place {
                Some(place) => format!("the invariant in line {} does not hold", place.line),
                None => "an invariant does not hold".to_string(),
            }),
            _ => unconfirmed("the property is violated"),
        },
        (_, outcome) => outcome,
    };
    let decided_by = report.decided_by.filter(|_| !matches!(outcome, Outcome::Unknown(_)));
    let remarks = remarks.into_iter().chain(report.remarks).collect();
    Ok(Report { file: fallback.file, properties: fallback.properties, outcome, decided_by, remarks, ..report })
}

fn unconfirmed(why: &str) -> Outcome {
    Outcome::Unknown(Reason::NotAttempted(format!("the witness is not confirmed: {why}")))
}

/// The witness, and the text of the program.
fn inputs(request: &Request, witness: &Path, sources: &mut SourceMap) -> Result<(Witness, String), Diagnostic> {
    let file = sources.read(witness).map_err(|error| unreadable(witness, &error))?;
    let witness = read(sources, file)?;
    let extension = request.file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if !matches!(extension.as_deref(), Some("c" | "i" | "h")) {
        let message = "witnesses are about C programs: expected the name of one";
        return Err(Diagnostic::without_place(Severity::Error, message));
    }
    let bytes = std::fs::read(&request.file).map_err(|error| unreadable(&request.file, &error))?;
    Ok((witness, String::from_utf8_lossy(&bytes).into_owned()))
}

/// The request with what the witness says about its task, where the user said nothing.
fn completed(request: &Request, witness: &Witness) -> Request {
    let mut request = request.clone();
    let formula = witness.specification.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if let (true, Some(formula)) = (request.properties.is_empty(), formula) {
        let text = match formula.starts_with("CHECK") {
            true => formula.to_string(),
            false => format!("CHECK( init(main()), LTL({formula}) )"),
        };
        match parse_ltl(&text) {
            Ok(specification) => request.properties.extend(specification.properties.iter().map(ToString::to_string)),
            Err(_) => request.properties.push(text),
        }
    }
    request.data_model = request.data_model.or(match witness.data_model.as_deref() {
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        _ => None,
    });
    request
}

/// The program's text with the witness in it, and what a user should know about that.
fn instrumented(
    request: &Request,
    witness: &Witness,
    text: &str,
    unfit: &[(u32, String)],
) -> Result<(String, Vec<String>), String> {
    let mut remarks = Vec::new();
    if !witness.hashes.is_empty() && !witness.hashes.contains(&sha256(text.as_bytes())) {
        remarks.push("the witness was written about another text than this program's".to_string());
    }
    // An expression that overflows or reads memory could be what violates the property.
    let may_compute = request.properties.iter().all(|property| property == "unreach-call");
    let code = without_directives(text);
    let mut new = Instrumented::new(text, &code, may_compute || matches!(witness.content, Content::Correctness(_)));
    match &witness.content {
        Content::Correctness(invariants) => {
            for invariant in invariants {
                let line = invariant.location.line;
                new.invariant(invariant)
                    .map_err(|why| format!("its invariant in line {line} cannot be checked: {why}"))?;
            }
        }
        Content::Violation(segments) => {
            let mut number = 0;
            let mut passed: Vec<&Waypoint> = Vec::new();
            for waypoint in segments.iter().flatten() {
                // What the violating statement asks for comes behind the place where the number is looked at.
                if waypoint.kind == Kind::Target {
                    let within = passed.iter().rev().take_while(|passed| new.is_in_statement_of(passed, waypoint));
                    number -= within.count();
                }
                let known = unfit.iter().find(|(line, _)| *line == waypoint.location.line);
                let placed = match known {
                    Some((_, why)) if waypoint.kind != Kind::Target => Err(why.clone()),
                    _ => new.waypoint(waypoint, number),
                };
                match placed {
                    Ok(()) if waypoint.is_avoided => {}
                    Ok(()) => {
                        number += 1;
                        passed.push(waypoint);
                    }
                    // Without it, more executions are meant.
                    Err(why) if waypoint.kind != Kind::Target => {
                        let line = waypoint.location.line;
                        remarks.push(format!("the waypoint in line {line} is left out: {why}"));
                    }
                    // What must not be left at the end of a program is not violated at a place of its text.
                    Err(_) if request.properties.iter().any(|property| property.starts_with("valid-mem")) => {}
                    Err(why) => return Err(format!("its target cannot be found: {why}")),
                }
            }
            if !segments.iter().flatten().any(|waypoint| waypoint.kind == Kind::Target) {
                new.at_errors(number);
            }
        }
    }
    Ok((new.finish(&request.file.to_string_lossy()), remarks))
}

/// Only violations in this line count. Those in functions of the library, and at the end of the program, are somewhere else.
fn only_at(loaded: &mut Loaded, line: u32) {
    let properties = &loaded.program.properties;
    let is_elsewhere = |id: ir::PropertyId| {
        let property = &properties[id.0 as usize];
        let at_end = matches!(property.class.as_str(), "valid-memtrack" | "valid-memcleanup");
        let is_users = |place: &source::Place| !place.file.as_str().starts_with("<library>");
        !at_end && property.place.filter(is_users).is_some_and(|place| place.line != line)
    };
    let mut bodies = Vec::new();
    for procedure in &loaded.program.procedures {
        bodies.push(procedure.body.as_ref().ok().map(|cfa| {
            let (mut locations, edges, entry, exit) = cfa.clone().into_parts();
            for location in &mut locations {
                if matches!(location.kind, LocationKind::Error(id) if is_elsewhere(id)) {
                    location.kind = LocationKind::End;
                }
            }
            Cfa::new(locations, edges, entry, exit)
        }));
    }
    for (procedure, body) in loaded.program.procedures.iter_mut().zip(bodies) {
        if let Some(body) = body {
            procedure.body = Ok(body);
        }
    }
}

/// A folder with the new text, which is removed again.
struct Folder(PathBuf, PathBuf);

impl Folder {
    fn new(file: &Path, text: &str) -> std::io::Result<Folder> {
        let unique = sha256(format!("{}{:?}", std::process::id(), std::time::SystemTime::now()).as_bytes());
        let folder = std::env::temp_dir().join(format!("fathom-witness-{}", &unique[..16]));
        std::fs::create_dir_all(&folder)?;
        let program = folder.join(file.file_name().unwrap_or_else(|| "program.c".as_ref()));
        let made = Folder(folder, program);
        std::fs::write(&made.1, text)?;
        let automaton = format!(
            "automaton {AUTOMATON}\nstart holds\nerror broken an invariant does not hold\nholds -> broken on {BROKEN}\n"
        );
        std::fs::write(made.automaton(), automaton)?;
        Ok(made)
    }

    fn automaton(&self) -> PathBuf {
        self.0.join("invariants.automaton")
    }

    /// The request for the new text. Headers are still found beside the old one.
    fn request(&self, request: &Request, witness: &Witness) -> Request {
        let beside = request.file.parent().map(Path::to_path_buf).filter(|folder| !folder.as_os_str().is_empty());
        let mut new = request.clone();
        new.includes.push(beside.unwrap_or_else(|| PathBuf::from(".")));
        new.file = self.1.clone();
        if matches!(witness.content, Content::Correctness(_)) {
            new.automata.push(self.automaton());
            if new.properties.is_empty() {
                new.properties.push(Property::UnreachCall.to_string());
            }
        }
        new
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
