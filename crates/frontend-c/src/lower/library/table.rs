//! docs/library.md: what is known of each function of the standard libraries, told from the models themselves.

use super::sources::{SOURCES, defined};
use super::{expansion, is_benign, is_refused, standard};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;

/// What stands in the text of a model.
#[derive(Default)]
struct Model {
    file: &'static str,
    /// The comment above the definition.
    comment: String,
    body: String,
}

/// The functions of all texts, with those that are private to one.
fn models() -> HashMap<(&'static str, String), Model> {
    let mut models = HashMap::new();
    for (file, text) in SOURCES {
        let file = file.strip_prefix("<library>/").expect("the name of a text of the library");
        let (mut comment, mut current): (String, Option<(String, Model)>) = (String::new(), None);
        for line in text.lines() {
            let name = defined(line).or_else(|| defined(line.strip_prefix("static ")?));
            if let Some((_, model)) = &mut current {
                model.body.push_str(line);
                model.body.push('\n');
            } else if let Some(name) = name {
                let comment = std::mem::take(&mut comment);
                current = Some((name.to_owned(), Model { file, comment, body: String::new() }));
            } else if line.starts_with("/*") || !comment.is_empty() && !comment.ends_with("*/") {
                comment = format!("{comment} {}", line.trim());
            } else {
                comment.clear();
            }
            if line == "}"
                && let Some((name, model)) = current.take()
            {
                models.insert((file, name), model);
            }
        }
    }
    models
}

/// The functions that a body calls.
fn calls(body: &str) -> impl Iterator<Item = &str> {
    body.match_indices('(').filter_map(|(at, _)| {
        let before = &body[..at];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        (start < at).then(|| &before[start..])
    })
}

/// Everything that a model calls, with what those call.
fn reached<'m>(
    models: &'m HashMap<(&'static str, String), Model>,
    file: &'static str,
    name: &str,
) -> BTreeSet<&'m str> {
    let mut seen = BTreeSet::new();
    let key = |file: &'static str, name: &str| {
        let own = (file, name.to_owned());
        if models.contains_key(&own) {
            return Some(own);
        }
        models.keys().find(|(_, other)| other == name && super::sources::is_defined(name)).cloned()
    };
    let mut pending: Vec<_> = key(file, name).into_iter().collect();
    while let Some(next) = pending.pop() {
        let Some(model) = models.get(&next) else { continue };
        for called in calls(&model.body) {
            if seen.insert(called) {
                pending.extend(key(next.0, called));
            }
        }
    }
    seen
}

/// What is known of expansions, by their names: whether they fail, and what else is to be said.
const EXPANSIONS: &str = include_str!("expansions.txt");

fn expansions() -> HashMap<&'static str, (&'static str, &'static str)> {
    let mut notes = HashMap::new();
    for line in EXPANSIONS.lines().filter(|line| !line.starts_with('#')) {
        let [names, fails, note] =
            line.split('|').map(str::trim).collect::<Vec<_>>().try_into().expect("names | how it fails | notes");
        notes.extend(names.split_whitespace().map(|name| (name, (fails, note))));
    }
    notes
}

/// The functions that the tests compare with the system's library.
fn compared() -> BTreeSet<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [own.join("tests/library"), own.join("../fathom/tests/library")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the folder of a comparison"));
    let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a text"));
    let names = |text: String| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.strip_prefix("TEST(")?.split([')', ',']).next()?.to_owned())).collect()
    };
    texts.flat_map(names).collect()
}

/// How a function fails and what it checks, as its text in C says.
fn facts(models: &HashMap<(&'static str, String), Model>, model: &Model, name: &str) -> (String, String) {
    let reached = reached(models, model.file, name);
    let has = |names: &[&str]| names.iter().any(|name| reached.contains(name));
    let errno = has(&["__fathom_fail", "__fathom_set_errno", "__errno_location"]);
    let fails = if errno { "sets errno" } else { "" };
    let mut checks = Vec::new();
    for (hooks, what) in [
        (&["__fathom_disjoint"][..], "no overlap"),
        (&["__fathom_readable", "__fathom_writable", "__fathom_output", "__fathom_havoc"], "whole ranges"),
        (&["__fathom_looks_at_memory"], "strings end"),
        (&["__fathom_stream"], "open stream"),
    ] {
        if has(hooks) {
            checks.push(what);
        }
    }
    if checks.is_empty() && model.body.contains(['[', '*']) {
        checks.push("each access");
    }
    let refused = reached.iter().filter_map(|name| name.strip_prefix("__fathom_unsupported_"));
    checks.extend(refused.map(|_| "refuses some").take(1));
    (fails.to_owned(), checks.join(", "))
}

fn document() -> String {
    let (models, expansions, compared) = (models(), expansions(), compared());
    let mut headers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, header) in standard::names() {
        headers.entry(header).or_default().insert(name);
    }
    let mut text = String::from(HEAD);
    let (mut known_count, mut refused_count) = (0, 0);
    let mut refused_lines = String::new();
    let mut rows = String::new();
    for (header, names) in headers {
        let (refused, modelled): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| is_refused(name) && expansion(name).is_none());
        known_count += modelled.len();
        refused_count += refused.len();
        if !refused.is_empty() {
            writeln!(refused_lines, "- `{header}`: {}", refused.join(" ")).expect("a string");
        }
        for name in modelled {
            let in_c = models.iter().find(|((_, own), _)| own == name && super::sources::is_defined(name));
            let (how, fails, checks, notes) = if is_benign(name) {
                ("nothing".to_owned(), String::new(), String::new(), String::new())
            } else if let Some((_, model)) = in_c.filter(|_| expansion(name).is_none()) {
                let (fails, checks) = facts(&models, model, name);
                let comment = model.comment.trim().trim_start_matches("/*").trim_end_matches("*/").trim().to_owned();
                (format!("`{}`", model.file), fails, checks, comment)
            } else if let Some(spec) = super::calls::line(name) {
                let (arguments, outcome) = spec.split_once("->").unwrap_or((spec, ""));
                let sets_errno = ["zero", "number", "count", "limit", "replaced", "forked"];
                let fails = if sets_errno.iter().any(|word| outcome.trim().starts_with(word)) {
                    "sets errno"
                } else if outcome.trim() == "error" {
                    "gives an error number"
                } else {
                    ""
                };
                let arguments = format!("`{}`", arguments.trim());
                ("`calls.txt`".to_owned(), fails.to_owned(), arguments, format!("gives `{}`", outcome.trim()))
            } else {
                let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
                let found = expansions.get(name).or_else(|| expansions.get(base)).copied().unwrap_or_default();
                ("expansion".to_owned(), found.0.to_owned(), String::new(), found.1.to_owned())
            };
            let is_compared = if compared.contains(name) { "yes" } else { "" };
            let notes = notes.replace('|', "\\|");
            writeln!(rows, "| `{name}` | `{header}` | {how} | {fails} | {checks} | {notes} | {is_compared} |")
                .expect("a string");
        }
    }
    writeln!(text, "{known_count} functions have models, {refused_count} are refused.\n").expect("a string");
    text.push_str(TABLE_HEAD);
    text.push_str(&rows);
    text.push_str("\n## Refused by name\n\n");
    text.push_str(&refused_lines);
    text
}

const HEAD: &str = "\
# The C and POSIX library

What Fathom knows of each function of the standard libraries. This page is made from the models: `UPDATE=1 cargo test -p frontend-c
library_table` writes it, and the same test without `UPDATE` holds it against them.

- *How*: the text in C in `crates/frontend-c/src/lower/library` that models it, or an expansion where it is called (`*.rs` in the same folder);
  `nothing` is a function that only waits, prints, or gives an arbitrary value.
  For the calls of the system in `calls.txt`, *Checks* and *Notes* have its notation: `text` is a string, `in` and `out` are
  objects that are read or filled with arbitrary values, `?` allows null, and the result is as that file says.
- *Fails*: whether it can fail with `errno` set. Errors come wherever the standard allows them, for any reason.
- *Checks*: what properties about memory look at beyond the accesses that the model makes, which are checked as those of the program.
- *Notes*: what the model says of itself: what is left open, and what it assumes.
- *Compared*: whether 10,000 random calls were compared with those of the system's library by the project's tests.

A function that is refused makes the verdict `UNKNOWN(unsupported: a call of NAME, file:line)` where it can be reached.

";

const TABLE_HEAD: &str = "\
| function | header | how | fails | checks | notes | compared |
|---|---|---|---|---|---|---|
";

#[test]
fn library_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let document = document();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &document).expect("docs/library.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == document, "docs/library.md is not what the models say: run this test with UPDATE=1");
}
