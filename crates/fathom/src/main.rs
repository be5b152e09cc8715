//! The command line of Fathom.
//!
//! The commands are functions from arguments to an exit code; [`supervise`] keeps them within their limits and catches
//! what goes wrong, so that every run ends with an answer. This crate decides nothing about programs: it loads, checks
//! and executes through `driver`, and shows through `report`.

mod abstraction;
mod args;
mod bench;
mod check;
mod corral;
mod native;
mod output;
mod progress;
mod reference;
mod run;
mod scan;
mod show;
mod summaries;
mod supervise;
mod validate;

use args::{Arguments, Command};
use clap::Parser;
use std::io::Write;

fn main() {
    let arguments = Arguments::parse();
    let code = match arguments.command {
        Command::Check(check) => check::main(check),
        Command::Scan(scan) => scan::main(scan),
        Command::Ir(show) => show::main(&show),
        Command::Abstract(asked) => abstraction::main(&asked),
        Command::Run(run) => run::main(run),
        Command::Validate(validate) => validate::main(validate),
        Command::Bench(bench) => bench::main(&bench),
        Command::Reference(reference) => reference::main(&reference),
        Command::Corral(corral) => corral::main(&corral.arguments),
    };
    // What cannot be written any more has no reader.
    let _ = std::io::stdout().flush();
    // Threads that did not stop in time must not keep the process, nor find that libraries tidied up under them.
    // SAFETY: nothing is left to do that ending at once would lose.
    unsafe { libc::_exit(code) }
}
