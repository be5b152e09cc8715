//! Loads the Boogie programs that are named (or found below folders that are): says how many are programs, how many of
//! those have an entry and keep the laws of programs, how long that took, and the first error of each of the others.
//! `cargo run --release -p frontend-boogie --example parse -- [--entry NAME] [--round-trip] FOLDER`

use frontend_boogie::{Options, load, syntax};
use source::{SourceMap, Symbol};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut options = Options::default();
    let mut is_round_trip = false;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--entry" => options.entry = arguments.next().map(|name| Symbol::new(&name)),
            "--round-trip" => is_round_trip = true,
            path => collect(Path::new(path), &mut files),
        }
    }
    let start = Instant::now();
    let (mut parsed, mut loaded, mut bytes) = (0, 0, 0);
    for path in &files {
        let mut map = SourceMap::new();
        let Ok(file) = map.read(path) else { continue };
        bytes += map.text(file).len();
        parsed += usize::from(syntax::parse(&map, file).1.is_empty());
        match load(path, &options, &mut map) {
            Err(diagnostics) => {
                let first = diagnostics.first().map(|first| source::render(first, &map, false));
                print!("{}: {}", path.display(), first.unwrap_or_default());
            }
            Ok(result) => {
                loaded += 1;
                if let Err(violations) = ir::validate(&result.program) {
                    println!("{}: invalid: {}", path.display(), violations[0]);
                } else if is_round_trip {
                    let text = ir::print(&result.program);
                    match ir::parse(&text) {
                        Ok(again) if again == result.program => {}
                        Ok(_) => println!("{}: another program comes back", path.display()),
                        Err(errors) => println!("{}: cannot be read again: {:?}", path.display(), errors[0]),
                    }
                }
            }
        }
    }
    let time = start.elapsed();
    println!("{parsed} of {} files are programs, {loaded} can be loaded; {bytes} bytes, {time:.2?}", files.len());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| collect(entry, files));
    } else if path.extension().is_some_and(|extension| extension == "bpl") {
        files.push(path.to_path_buf());
    }
}
