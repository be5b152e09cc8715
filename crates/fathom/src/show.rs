//! `fathom ir`: prints the program as Fathom sees it.

use crate::args::{Language, Show};
use crate::output::{print, say, show};
use crate::supervise::{Ending, Limits, supervise};
use driver::load::{LoadError, Request, load};

pub fn main(arguments: &Show) -> i32 {
    let request = Request::from(&arguments.load);
    let language = arguments.language;
    let elements = arguments.elements.clone();
    let shown = move |program: &ir::Program| match language {
        Language::Ir => Ok(ir::print(program)),
        Language::Bp => driver::load::print_bp(program),
        Language::Promela => driver::load::print_promela(program),
        Language::Linear => driver::load::print_linear(program, &elements),
    };
    match supervise(Limits::default(), move |_| load(&request).map(|loaded| shown(&loaded.program))) {
        Ending::Done(Ok(Ok(text))) | Ending::Stopped(Ok(Ok(text)), _) => {
            print(&text);
            0
        }
        Ending::Done(Ok(Err(why))) | Ending::Stopped(Ok(Err(why)), _) => {
            say(&format!("the program cannot be written in this language: {why}"));
            3
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
    show(&error.diagnostics, &error.sources);
    2
}
