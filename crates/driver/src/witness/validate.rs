//! Decides whether a witness is right about a program.
//!
//! A violation witness is confirmed by an execution that comes by its waypoints and violates the property at its target; a
//! correctness witness by a proof of the property and of all its invariants. Both are found on the program with the witness
//! written into its text, as [`super::instrument`] describes; there, an invariant that was proved at a place may be used
//! behind it.

use super::instrument::{BROKEN, Instrumented, without_directives};
use super::read::{Content, Kind, Location, Waypoint, Witness, read};
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
    let Settings { engine, options, no_recheck, no_execution, likely_cause, .. } = settings;
    let asked = Arc::new(Asked { engine, options, no_recheck, no_execution, likely_cause });
    let mut sources = SourceMap::new();
    let (witness, files) = match inputs(request, witness, &mut sources) {
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
    let mut unfit: Vec<((usize, u32), String)> = Vec::new();
    let (mut loaded, remarks) = loop {
        let (new_texts, remarks) = match instrumented(&request, &witness, &files, &unfit) {
            Ok(done) => done,
            Err(why) => return Ok(rejected(why, Vec::new())),
        };
        let folder = match Folder::new(&files, &new_texts) {
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
        let place = first.and_then(|first| first.primary).map(|label| error.sources.place(label.span));
        let at = place.map(|place| (files.find(Some(place.file.as_str())), place.line));
        let passes = |at: &(usize, u32)| witness.passes(|location| files.at(location) == *at);
        match at.filter(|at| passes(at) && unfit.iter().all(|(known, _)| known != at)) {
            Some(at) => unfit.push((at, why)),
            None => return Ok(rejected(why, remarks)),
        }
    };
    if let Content::Violation(segments) = &witness.content
        && let Some(target) = segments.last().and_then(|segment| segment.last())
        && target.kind == Kind::Target
    {
        only_at(&mut loaded, &files, files.at(&target.location));
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

/// The files of a program, with their texts.
struct Files(Vec<(PathBuf, String)>);

impl Files {
    /// The file that a name means: the one with the most of its last parts, or the first.
    fn find(&self, name: Option<&str>) -> usize {
        let Some(name) = name else { return 0 };
        let common = |path: &Path| {
            let pairs = path.components().rev().zip(Path::new(name).components().rev());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let best = (0..self.0.len()).rev().max_by_key(|i| common(&self.0[*i].0));
        best.unwrap_or(0)
    }

    /// The file and line of a location.
    fn at(&self, location: &Location) -> (usize, u32) {
        (self.find(location.file.as_deref()), location.line)
    }
}

/// The witness, and the files of the program.
fn inputs(request: &Request, witness: &Path, sources: &mut SourceMap) -> Result<(Witness, Files), Diagnostic> {
    let file = sources.read(witness).map_err(|error| unreadable(witness, &error))?;
    let witness = read(sources, file)?;
    let mut files = Vec::new();
    for path in std::iter::once(&request.file).chain(&request.linked) {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if !matches!(extension.as_deref(), Some("c" | "i" | "h")) {
            let message = "witnesses are about C programs: expected the name of one";
            return Err(Diagnostic::without_place(Severity::Error, message));
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        files.push((path.clone(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    Ok((witness, Files(files)))
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

/// The program's texts with the witness in them, and what a user should know about that.
fn instrumented(
    request: &Request,
    witness: &Witness,
    files: &Files,
    unfit: &[((usize, u32), String)],
) -> Result<(Vec<String>, Vec<String>), String> {
    let mut remarks = Vec::new();
    let is_other = |(_, text): &(PathBuf, String)| !witness.hashes.contains(&sha256(text.as_bytes()));
    if !witness.hashes.is_empty() && files.0.iter().take(witness.hashes.len()).any(is_other) {
        remarks.push("the witness was written about another text than this program's".to_string());
    }
    // An expression that overflows or reads memory could be what violates the property.
    let may_compute = request.properties.iter().all(|property| property == "unreach-call");
    let may_compute = may_compute || matches!(witness.content, Content::Correctness(_));
    let codes: Vec<String> = files.0.iter().map(|(_, text)| without_directives(text)).collect();
    let texts = files.0.iter().zip(&codes);
    let mut all: Vec<Instrumented> =
        texts.map(|((_, text), code)| Instrumented::new(text, code, may_compute)).collect();
    match &witness.content {
        Content::Correctness(invariants) => {
            for invariant in invariants {
                let line = invariant.location.line;
                all[files.at(&invariant.location).0]
                    .invariant(invariant)
                    .map_err(|why| format!("its invariant in line {line} cannot be checked: {why}"))?;
            }
        }
        Content::Violation(segments) => {
            let mut number = 0;
            let mut passed: Vec<&Waypoint> = Vec::new();
            for waypoint in segments.iter().flatten() {
                let at = files.at(&waypoint.location);
                let new = &mut all[at.0];
                // What the violating statement asks for comes behind the place where the number is looked at.
                if waypoint.kind == Kind::Target {
                    let within = passed.iter().rev().take_while(|passed| {
                        files.at(&passed.location).0 == at.0 && new.is_in_statement_of(passed, waypoint)
                    });
                    number -= within.count();
                }
                let known = unfit.iter().find(|(unfit, _)| *unfit == at);
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
                all.iter_mut().for_each(|new| new.at_errors(number));
            }
        }
    }
    let finished = all.into_iter().zip(&files.0).enumerate();
    let texts = finished.map(|(i, (new, (path, _)))| new.finish(&path.to_string_lossy(), i == 0)).collect();
    Ok((texts, remarks))
}

/// Only violations in this line count. Those in functions of the library, and at the end of the program, are somewhere else.
fn only_at(loaded: &mut Loaded, files: &Files, (file, line): (usize, u32)) {
    let properties = &loaded.program.properties;
    let is_elsewhere = |id: ir::PropertyId| {
        let property = &properties[id.0 as usize];
        let at_end = matches!(property.class.as_str(), "valid-memtrack" | "valid-memcleanup");
        let is_users = |place: &source::Place| !place.file.as_str().starts_with("<library>");
        let is_there = |place: source::Place| place.line == line && files.find(Some(place.file.as_str())) == file;
        !at_end && property.place.filter(is_users).is_some_and(|place| !is_there(place))
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

/// A folder with the new texts, which is removed again.
struct Folder(PathBuf, Vec<PathBuf>);

impl Folder {
    fn new(files: &Files, texts: &[String]) -> std::io::Result<Folder> {
        let unique = sha256(format!("{}{:?}", std::process::id(), std::time::SystemTime::now()).as_bytes());
        let folder = std::env::temp_dir().join(format!("fathom-witness-{}", &unique[..16]));
        std::fs::create_dir_all(&folder)?;
        let mut made = Folder(folder, Vec::new());
        for (i, ((file, _), text)) in files.0.iter().zip(texts).enumerate() {
            let own = made.0.join(i.to_string());
            std::fs::create_dir_all(&own)?;
            let path = own.join(file.file_name().unwrap_or_else(|| "program.c".as_ref()));
            std::fs::write(&path, text)?;
            made.1.push(path);
        }
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
        let mut new = request.clone();
        for file in std::iter::once(&request.file).chain(&request.linked) {
            let beside = file.parent().map(Path::to_path_buf).filter(|folder| !folder.as_os_str().is_empty());
            let beside = beside.unwrap_or_else(|| PathBuf::from("."));
            if !new.includes.contains(&beside) {
                new.includes.push(beside);
            }
        }
        if let [first, others @ ..] = &self.1[..] {
            new.file = first.clone();
            new.linked = others.to_vec();
        }
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
