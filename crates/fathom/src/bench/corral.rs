//! `fathom bench corral`: the engine `stratified` with and without what its paper compares.

use super::Folder;
use super::tables::{check, is_wanted, measure};
use crate::args::{Bench, BenchFormat};
use crate::output::{print, say};
use bench::corral::{COMPARE, Compared, ENGINE, refined, tables};
use bench::tables::Measurements;
use std::io;

pub fn main(arguments: &Bench) -> i32 {
    let measured = measure(tables(), "bpl", arguments).and_then(|tables| Ok((tables, compare(arguments)?)));
    match measured {
        Ok((tables, compared)) => {
            let (seconds, memory) = (arguments.time.as_secs_f64(), arguments.memory);
            print(&match arguments.format {
                BenchFormat::Text => report::corral_bench_text(&tables, &compared, seconds, memory),
                BenchFormat::Json => report::corral_bench_json(&tables, &compared, seconds, memory),
            });
            i32::from(tables.iter().any(Measurements::is_wrong))
        }
        Err(error) => {
            say(&format!("cannot measure: {error}"));
            2
        }
    }
}

/// Measures the algorithms of refinement, all on the same paths.
fn compare(arguments: &Bench) -> io::Result<Vec<Compared>> {
    let folder = Folder::new()?;
    let mut compared = refined();
    compared.retain(|one| is_wanted(&one.task, arguments));
    for one in &mut compared {
        let file = folder.file(&format!("{}.bpl", one.task.name), &one.task.text)?;
        let (document, seconds) = check(ENGINE, COMPARE, &file, arguments)?;
        one.measured = report::read_refinements(&document);
        say(&format!("{} refinement: {seconds:.2} s", one.task.name));
    }
    Ok(compared)
}
