//! `fathom bench boppo`: the engine `interleaving` beside other methods and SPIN.

use super::tables::measure;
use crate::args::{Bench, BenchFormat};
use crate::output::{print, say};
use bench::boppo::tables;
use bench::tables::Measurements;

pub fn main(arguments: &Bench) -> i32 {
    match measure(tables(), "bp", arguments) {
        Ok(measured) => {
            let seconds = arguments.time.as_secs_f64();
            print(&match arguments.format {
                BenchFormat::Text => report::tables_text(&measured, seconds, arguments.memory),
                BenchFormat::Json => report::tables_json(&measured, seconds, arguments.memory),
            });
            i32::from(measured.iter().any(Measurements::is_wrong))
        }
        Err(error) => {
            say(&format!("cannot measure: {error}"));
            2
        }
    }
}
