//! Parses C files and says how fast: `cargo run --release --example parse -- [-m32] [-I DIR]... FILE...`
//!
//! A folder stands for all `.c` and `.i` files below it. The exit code is 1 if any file could not be parsed.

use frontend_c::syntax::{self, PreprocessOptions};
use ir::DataModel;
use source::SourceMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let mut options = PreprocessOptions {
        data_model: DataModel::Lp64,
        includes: Vec::new(),
        defines: Vec::new(),
        arguments: Vec::new(),
    };
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-m32" => options.data_model = DataModel::Ilp32,
            "-I" => options.includes.extend(arguments.next().map(PathBuf::from)),
            path => collect(Path::new(path), &mut files),
        }
    }
    files.sort();
    let (mut bytes, mut nodes, mut failed) = (0, 0, 0);
    let mut spent = Duration::ZERO;
    for path in &files {
        let mut map = SourceMap::new();
        let result = syntax::load(path, &options, &mut map).and_then(|file| {
            let start = Instant::now();
            let (unit, errors) = syntax::parse(&mut map, file);
            spent += start.elapsed();
            bytes += map.text(file).len();
            if errors.is_empty() { Ok(unit.exprs.len() + unit.stmts.len()) } else { Err(errors) }
        });
        match result {
            Ok(count) => nodes += count,
            Err(errors) => {
                failed += 1;
                println!("{}:", path.display());
                errors.iter().for_each(|error| print!("{}", source::render(error, &map, false)));
            }
        }
    }
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64().max(1e-9);
    println!("{} files, {failed} failed; {bytes} bytes, {nodes} nodes in {spent:.3?}: {speed:.1} MB/s", files.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        entries.flatten().for_each(|entry| collect_inner(&entry.path(), files));
    } else {
        files.push(path.to_path_buf());
    }
}

/// Below a folder only C files count.
fn collect_inner(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() || path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
        collect(path, files);
    }
}
