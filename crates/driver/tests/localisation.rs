//! Bug localisation on programs with one seeded fault each: how often the faulty line is in the first set that is reported.
//!
//! The programs are in tests/localisation. Their first line names the property, and the faulty line ends with a comment that begins
//! with `FAULT`.

use driver::check::{Settings, check};
use driver::load::Request;
use driver::report::{Outcome, Suspect};
use engine::Cancel;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a program of the collection is about.
struct Seeded {
    file: PathBuf,
    property: String,
    /// From 1.
    line: u32,
}

fn programs() -> Vec<Seeded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/localisation");
    let entries = std::fs::read_dir(&folder).expect("the folder of programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a program");
        let property = text.lines().next().and_then(|line| line.strip_prefix("// Property: ")).expect("a property");
        let line = text.lines().position(|line| line.contains("// FAULT")).expect("a faulty line") as u32 + 1;
        Seeded { property: property.to_string(), line, file }
    };
    files.into_iter().map(read).collect()
}

/// The lines of the sets that are reported, the first set first.
fn causes(seeded: &Seeded) -> Vec<Vec<u32>> {
    let request =
        Request { file: seeded.file.clone(), properties: vec![seeded.property.clone()], ..Request::default() };
    let settings = Settings {
        engine: "auto".into(),
        likely_cause: Some(Duration::from_secs(30)),
        timeout: Some(Duration::from_secs(300)),
        ..Settings::default()
    };
    let report = check(&request, settings, Cancel::new()).expect("a program");
    let Outcome::Violated(violation) = &report.outcome else {
        panic!("{}: {:?}", seeded.file.display(), report.outcome);
    };
    let lines = |suspects: &[Suspect]| suspects.iter().map(|suspect| suspect.place.line).collect();
    violation.causes.sets.iter().map(|cause| lines(&cause.suspects)).collect()
}

#[test]
fn the_fault_is_in_the_first_set() {
    let programs = programs();
    assert_eq!(programs.len(), 20);
    let mut found = 0;
    for seeded in &programs {
        let causes = causes(seeded);
        let name = seeded.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_first = causes.first().is_some_and(|first| first.contains(&seeded.line));
        found += usize::from(is_first);
        println!(
            "{name}: the fault is in line {}, reported are {causes:?}{}",
            seeded.line,
            if is_first { "" } else { " (missed)" }
        );
    }
    // Usually it is in 16 (docs/results/localisation.md). Which execution is shown depends on which engine is first, and the order of
    // sets on the execution: with the worst engine alone it is in 14.
    assert!(found >= 13, "the fault is in the first set of {found} of 20 programs only");
}
