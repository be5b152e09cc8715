//! Holds the crate table of ARCHITECTURE.md against what `cargo metadata` says.
//!
//! A row is `crate | its one job | may not import`. A job that begins with "frontend:", "engine:" or "solver:" makes the
//! crate one of that kind. The last column lists crates and kinds, also with the word "directly" behind; without it an
//! import through other crates is forbidden too. "any of ours" forbids every crate of the table.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const KINDS: [(&str, &str); 3] = [("frontends", "frontend:"), ("engines", "engine:"), ("solvers", "solver:")];

/// Libraries that only a crate of the kind "solver" may import.
const SOLVER_LIBRARIES: [&str; 3] = ["z3", "z3-sys", "cadical-sys"];

struct Row {
    job: String,
    forbidden: Vec<String>,
}

type Table = BTreeMap<String, Row>;
/// For each crate of ours what it imports, tests aside.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table() -> Table {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let header = "| crate | its one job | may not import |";
    let start = text.find(header).expect("ARCHITECTURE.md has the crate table");
    let mut table = Table::new();
    for line in text[start..].lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, job, forbidden] = cells[..] else { panic!("a row has three cells: {line}") };
        let forbidden = forbidden.split(',').map(|item| item.trim().replace('`', "")).filter(|item| !item.is_empty());
        let row = Row { job: job.to_string(), forbidden: forbidden.collect() };
        assert!(table.insert(name.replace('`', ""), row).is_none(), "{name} has two rows");
    }
    table
}

fn imports() -> Imports {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Json = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let text = |value: &Json| value.as_str().expect("a string").to_string();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let dependencies = |package: &Json| {
        let all = package["dependencies"].as_array().expect("a list of dependencies").iter();
        all.filter(|d| d["kind"] != "dev").map(|d| text(&d["name"])).collect()
    };
    packages.iter().map(|package| (text(&package["name"]), dependencies(package))).collect()
}

/// What a crate imports, directly or through others of ours.
fn transitive(imports: &Imports, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending = vec![name];
    while let Some(next) = pending.pop() {
        for import in imports.get(next).into_iter().flatten() {
            if found.insert(import.clone()) {
                pending.push(import);
            }
        }
    }
    found
}

/// The crates that a word of the last column stands for.
fn expand(table: &Table, word: &str) -> Vec<String> {
    if word == "any of ours" {
        return table.keys().cloned().collect();
    }
    if let Some((_, mark)) = KINDS.iter().find(|(kind, _)| *kind == word) {
        return table.iter().filter(|(_, row)| row.job.starts_with(mark)).map(|(name, _)| name.clone()).collect();
    }
    assert!(table.contains_key(word), "`{word}` in the last column is neither a crate nor a kind");
    vec![word.to_string()]
}

fn violations(table: &Table, imports: &Imports) -> Vec<String> {
    let mut found = Vec::new();
    for (name, row) in table {
        for item in &row.forbidden {
            let (word, real) = match item.strip_suffix(" directly") {
                Some(word) => (word, imports.get(name).cloned().unwrap_or_default()),
                None => (item.as_str(), transitive(imports, name)),
            };
            let crates = expand(table, word).into_iter().filter(|other| other != name && real.contains(other));
            found.extend(crates.map(|other| format!("{name} imports {other}, but may not import {item}")));
        }
        let libraries =
            SOLVER_LIBRARIES.iter().filter(|library| imports.get(name).is_some_and(|i| i.contains(**library)));
        if !row.job.starts_with("solver:") {
            found.extend(libraries.map(|library| format!("{name} imports {library}, but is no solver")));
        }
    }
    found
}

#[test]
fn the_crate_table_lists_every_crate() {
    let rows: BTreeSet<String> = table().into_keys().collect();
    let members: BTreeSet<String> = imports().into_keys().collect();
    assert_eq!(rows, members, "left: ARCHITECTURE.md, right: cargo metadata");
}

#[test]
fn no_crate_imports_what_it_may_not() {
    let found = violations(&table(), &imports());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// An engine that is not marked as one would escape the rules about engines; so with frontends.
#[test]
fn engines_and_frontends_are_marked_in_the_table() {
    for (name, row) in table() {
        let folder = root().join("crates").join(&name).join("src");
        let implements_engine = sources(&folder).iter().any(|text| text.contains("Engine for "));
        assert_eq!(implements_engine, row.job.starts_with("engine:"), "{name} and the kind \"engine:\"");
        assert_eq!(
            name.starts_with("frontend-"),
            row.job.starts_with("frontend:"),
            "{name} and the kind \"frontend:\""
        );
    }
}

/// The texts of all modules below a folder, tests inside them left out.
fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in
        std::fs::read_dir(folder).expect("a crate has a src folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() {
            texts.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&entry).expect("a source file can be read");
            texts.push(text.split("#[cfg(test)]").next().unwrap_or_default().to_string());
        }
    }
    texts
}

/// The checks themselves: on small tables, what is forbidden is found.
#[test]
fn forbidden_imports_are_found() {
    fn check(forbidden: &str, expected: &[&str]) {
        let row = |job: &str, forbidden: &str| Row {
            job: job.to_string(),
            forbidden: forbidden
                .split(',')
                .map(|item| item.trim().to_string())
                .filter(|item| !item.is_empty())
                .collect(),
        };
        let table = Table::from([
            ("a".to_string(), row("something", forbidden)),
            ("b".to_string(), row("something", "")),
            ("e".to_string(), row("engine: one", "")),
        ]);
        let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect();
        let imports = Imports::from([
            ("a".to_string(), names(&["b"])),
            ("b".to_string(), names(&["e", "z3"])),
            ("e".to_string(), BTreeSet::new()),
        ]);
        let mut found = violations(&table, &imports);
        assert_eq!(found.pop().as_deref(), Some("b imports z3, but is no solver"));
        assert_eq!(found, expected);
    }
    check("", &[]);
    check("frontends", &[]);
    check("b", &["a imports b, but may not import b"]);
    check("engines", &["a imports e, but may not import engines"]);
    check("engines directly", &[]);
    check(
        "any of ours",
        &["a imports b, but may not import any of ours", "a imports e, but may not import any of ours"],
    );
}
