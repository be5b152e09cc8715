//! Reads Boogie programs and tells of each whether it parses and type-checks: one line a file, with the first error.
//! `cargo run --release -p frontend-boogie --example check -- FILE...`

use frontend_boogie::{check, syntax};
use source::{Diagnostic, SourceMap};
use std::path::Path;

fn main() {
    for name in std::env::args().skip(1) {
        println!("{name}\t{}", verdict(Path::new(&name)));
    }
}

fn verdict(path: &Path) -> String {
    let mut map = SourceMap::new();
    let file = match map.read(path) {
        Ok(file) => file,
        Err(error) => return format!("unreadable\t{error}"),
    };
    let (tree, errors) = syntax::parse(&map, file);
    if let Some(error) = errors.first() {
        return format!("syntax\t{}", shown(error, &map));
    }
    match check::check(tree) {
        Ok(_) => "accepted\t".to_string(),
        Err(errors) => format!("types\t{}", errors.first().map(|error| shown(error, &map)).unwrap_or_default()),
    }
}

fn shown(error: &Diagnostic, map: &SourceMap) -> String {
    let place = error.primary.as_ref().map(|label| map.place(label.span));
    let place = place.map_or_else(String::new, |place| format!("{}:{}: ", place.line, place.column));
    format!("{place}{}", error.message)
}
