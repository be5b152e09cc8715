//! `fathom validate`: whether a witness is right about a program.

use crate::args::Validate;
use crate::check::{decide_by, refuse};
use crate::output::{in_colour, print};
use crate::progress::Watch;
use crate::summaries::code;
use crate::supervise::Limits;
use driver::check::Settings;
use driver::load::Request;
use driver::witness::validate;
use report::{TextOptions, text};
use std::io;

pub fn main(arguments: Validate) -> i32 {
    let limits = Limits::new(arguments.timeout, arguments.memory_limit);
    let settings = Settings { engine: arguments.engine, ..Settings::default() };
    let witness = arguments.witness;
    let decide = move |request: &Request, settings, cancel| validate(request, &witness, settings, cancel);
    match decide_by(decide, Request::from(&arguments.load), settings, limits, Watch::new(false)) {
        Ok(report) => {
            print(&text(&report, TextOptions { colour: in_colour(&io::stdout()), statistics: false }));
            code(&report.outcome)
        }
        Err(error) => refuse(&error),
    }
}
