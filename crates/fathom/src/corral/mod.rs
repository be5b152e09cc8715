//! `fathom corral`: takes Corral's command line and prints what Corral prints, so that tools which call Corral can call
//! Fathom.
//!
//! The exit code is 0 whatever the answer is, as Corral's is, and 1 where the command line or the input is wrong.

mod options;

use crate::check::decide;
use crate::output::{print, say, show};
use crate::progress::Watch;
use crate::supervise::Limits;
use driver::check::Settings;
use driver::engines::Options;
use driver::load::LoadError;
use driver::report::Report;
use options::{Asked, Bounds, parse};
use report::{CorralOptions, corral, statistics};

pub fn main(arguments: &[String]) -> i32 {
    let asked = match parse(arguments) {
        Ok(asked) => asked,
        Err(why) => {
            print(&format!("Usage error: {why}\n"));
            return 1;
        }
    };
    asked.notes.iter().for_each(|note| say(note));
    let limits = Limits { timeout: asked.timeout, memory: asked.memory };
    let settings = Settings {
        engine: engine(&asked).to_string(),
        options: engine_options(&asked),
        // Executions know no bounds.
        no_execution: asked.bounds != Bounds::default(),
        ..Settings::default()
    };
    match decide(asked.request.clone(), settings, limits, Watch::new(asked.verbose)) {
        Ok(report) => conclude(&report, &asked),
        Err(LoadError { sources, diagnostics }) => {
            show(&diagnostics, &sources);
            print("Error, Invalid input\n");
            1
        }
    }
}

/// A bound on the unfolding is for the engine that unfolds.
fn engine(asked: &Asked) -> &'static str {
    if asked.bounds == Bounds::default() { driver::engines::AUTO } else { "stratified" }
}

fn engine_options(asked: &Asked) -> Options {
    let Bounds { recursion, stack, is_static } = asked.bounds;
    let mut options = Options { contexts: Some(asked.contexts), ..Options::default() };
    options.stratified.recursion_bound = recursion;
    options.stratified.stack_bound = stack;
    options.stratified.static_inlining = is_static;
    if asked.track_all {
        options.stratified.refinement = None;
    }
    options
}

fn conclude(report: &Report, asked: &Asked) -> i32 {
    let options = CorralOptions { trace: asked.trace, of_source: asked.trace_of_source, values: asked.values };
    print(&corral(report, options));
    if asked.statistics {
        print(&statistics(report));
    }
    0
}
