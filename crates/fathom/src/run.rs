//! `fathom run`: executes a program and ends as it ends. The exit codes are described in [`crate::args::Run`].

use crate::args::Run;
use crate::output::{say, show};
use crate::show::failed;
use crate::supervise::{Ending, GRACE, Limits, supervise};
use driver::execute::{Decider, Execution, Number, Sink, execute, parse_numbers};
use driver::load::{Request, load};
use driver::replay::shown;
use driver::report::{Objects, TraceStep};
use ir::interp::{self, CHost, End};
use source::{Diagnostic, Severity, SourceMap};
use std::io::{self, Write};
use std::time::Instant;

const ABORTED: i32 = 134;
const BLOCKED: i32 = 123;
const LIMIT: i32 = 124;
const UNSUPPORTED: i32 = 125;

pub fn main(arguments: Run) -> i32 {
    let decider = match (&arguments.choices, arguments.seed) {
        (Some(file), _) => match numbers(file) {
            Ok(numbers) => Decider::Numbers(numbers),
            Err(code) => return code,
        },
        (None, Some(seed)) => Decider::Random(seed),
        (None, None) => Decider::Zeros,
    };
    // The interpreter looks at the clock itself; what comes before it may need to be stopped.
    let limits = Limits { timeout: arguments.timeout.map(|timeout| timeout.saturating_add(GRACE)), memory: None };
    let ending = supervise(limits, move |cancel| {
        let deadline = arguments.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let loaded = match load(&Request::from(&arguments.load)) {
            Ok(loaded) => loaded,
            Err(error) => return failed(error),
        };
        let steps = arguments.steps.unwrap_or(u64::MAX);
        let limits = interp::Limits { steps, deadline, cancel: Some(cancel.flag()), ..interp::Limits::default() };
        let mut text = report::TraceText::default();
        let mut trace = |step: TraceStep, objects: &Objects| {
            let _ = io::stderr().write_all(text.step(&step, objects).as_bytes());
        };
        let sink = arguments.trace.then_some(&mut trace as Sink);
        let (mut output, mut errors) = (io::stdout(), io::stderr());
        let execution = execute(&loaded, decider, &mut CHost::new(&mut output, &mut errors), &limits, sink);
        code(&loaded.program, &execution)
    });
    match ending {
        Ending::Done(code) | Ending::Stopped(code, _) => code,
        Ending::Lost(reason) => {
            say(&reason.to_string());
            UNSUPPORTED
        }
    }
}

/// The numbers of a file, or the exit code if there are none.
fn numbers(file: &std::path::Path) -> Result<Vec<Number>, i32> {
    let mut sources = SourceMap::new();
    let invalid = |diagnostic: Diagnostic, sources: &SourceMap| {
        show(&[diagnostic], sources);
        2
    };
    let id = match sources.read(file) {
        Ok(id) => id,
        Err(error) => {
            let message = format!("cannot read {}: {error}", file.display());
            return Err(invalid(Diagnostic::without_place(Severity::Error, message), &sources));
        }
    };
    parse_numbers(&String::from_utf8_lossy(sources.text(id))).map_err(|line| {
        let span = sources.span_at(id, line as u32, 1);
        invalid(Diagnostic::error(span, "expected one number a line"), &sources)
    })
}

fn low_byte(status: u32) -> i32 {
    (status & 0xff) as i32
}

/// The exit code for the end of an execution; says what happened where the program itself did not decide.
fn code(program: &ir::Program, Execution { outcome, status }: &Execution) -> i32 {
    let place = outcome.place.map(|place| format!("{place}: ")).unwrap_or_default();
    let tell = |what: &str| say(&format!("{place}{what}"));
    match &outcome.end {
        // C passes the low byte of the status on. An entry without a result succeeds; what ends without one aborts.
        End::Finished(_) => status.map_or(0, low_byte),
        End::Ended => status.map_or(ABORTED, low_byte),
        End::Violated(property) => {
            let property = program.property(*property);
            tell(&format!("{} ({})", property.text, property.class));
            ABORTED
        }
        End::Undefined(_) => {
            tell(&shown(&outcome.end));
            ABORTED
        }
        End::Blocked => {
            tell(&shown(&outcome.end));
            BLOCKED
        }
        End::Limit(_) => {
            tell(&shown(&outcome.end));
            LIMIT
        }
        End::Unsupported(_) | End::Choices(_) | End::Internal(_) => {
            tell(&shown(&outcome.end));
            UNSUPPORTED
        }
    }
}
