//! `fathom corral`: takes Corral's command line and prints what Corral prints, so that tools which call Corral can call
//! Fathom.
//!
//! The exit code is 0 whatever the answer is, as Corral's is, and 1 where the command line or the input is wrong.

mod options;

use crate::check::decide_by;
use crate::output::{print, say, show};
use crate::progress::Watch;
use crate::supervise::Limits;
use driver::check::{Settings, check_except};
use driver::engines::Options;
use driver::load::{LoadError, Request};
use driver::report::{Outcome, Report};
use options::{Asked, Bounds, parse};
use report::{CorralOptions, corral, statistics};
use std::time::Instant;

pub fn main(arguments: &[String]) -> i32 {
    let asked = match parse(arguments) {
        Ok(asked) => asked,
        Err(why) => {
            print(&format!("Usage error: {why}\n"));
            return 1;
        }
    };
    asked.notes.iter().for_each(|note| say(note));
    match violations(&asked) {
        Ok(()) => 0,
        Err(LoadError { sources, diagnostics, .. }) => {
            show(&diagnostics, &sources);
            print("Error, Invalid input\n");
            1
        }
    }
}

/// Looks for assertions that fail, as many as are asked for, each in what executions are left when those before hold.
fn violations(asked: &Asked) -> Result<(), LoadError> {
    let start = Instant::now();
    let mut known = Vec::new();
    loop {
        let limits =
            Limits { timeout: asked.timeout.map(|all| all.saturating_sub(start.elapsed())), memory: asked.memory };
        let settings = Settings {
            engine: engine(asked).to_string(),
            options: engine_options(asked),
            // Executions know no bounds.
            no_execution: asked.bounds != Bounds::default(),
            ..Settings::default()
        };
        let before = known.clone();
        let check = move |request: &Request, settings, cancel| check_except(request, &before, settings, cancel);
        let report = decide_by(check, asked.request.clone(), settings, limits, Watch::new(asked.verbose))?;
        match &report.outcome {
            Outcome::Violated(violation) => known.push(violation.id),
            // What there is has been told.
            _ if !known.is_empty() => return Ok(()),
            _ => {}
        }
        conclude(&report, asked);
        if known.is_empty() || known.len() >= asked.violations {
            return Ok(());
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

fn conclude(report: &Report, asked: &Asked) {
    let options = CorralOptions { trace: asked.trace, of_source: asked.trace_of_source, values: asked.values };
    print(&corral(report, options));
    if asked.statistics {
        print(&statistics(report));
    }
}
