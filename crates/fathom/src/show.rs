//! `fathom ir`: prints the program as Fathom sees it.

use crate::args::Show;
use crate::output::{print, say, show};
use crate::supervise::{Ending, Limits, supervise};
use driver::load::{LoadError, Request, load};

pub fn main(arguments: &Show) -> i32 {
    let request = Request::from(&arguments.load);
    match supervise(Limits::default(), move |_| load(&request).map(|loaded| ir::print(&loaded.program))) {
        Ending::Done(Ok(text)) | Ending::Stopped(Ok(text), _) => {
            print(&text);
            0
        }
        Ending::Done(Err(error)) | Ending::Stopped(Err(error), _) => failed(error),
        Ending::Lost(reason) => {
            say(&reason.to_string());
            3
        }
    }
}

/// Says why there is no program; gives the exit code.
pub fn failed(error: LoadError) -> i32 {
    match error {
        LoadError::Invalid { sources, diagnostics } => {
            show(&diagnostics, &sources);
            2
        }
        LoadError::Refused { reason, .. } => {
            say(&reason.to_string());
            3
        }
    }
}
