//! `fathom abstract`: prints the Boolean program that a program is for given predicates.

use crate::args::Abstract;
use crate::output::{print, say};
use crate::show::failed;
use crate::supervise::{Ending, Limits, supervise};
use driver::load::{Request, load};

pub fn main(arguments: &Abstract) -> i32 {
    let request = Request::from(&arguments.load);
    let predicates = match &arguments.predicates {
        None => String::new(),
        Some(file) => match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(why) => {
                say(&format!("{}: {why}", file.display()));
                return 2;
            }
        },
    };
    let work = move |_| load(&request).map(|loaded| driver::abstraction::abstraction(&loaded.program, &predicates));
    match supervise(Limits::default(), work) {
        Ending::Done(Ok(Ok(text))) | Ending::Stopped(Ok(Ok(text)), _) => {
            print(&text);
            0
        }
        Ending::Done(Ok(Err(why))) | Ending::Stopped(Ok(Err(why)), _) => {
            say(&format!("the program cannot be abstracted: {why}"));
            3
        }
        Ending::Done(Err(error)) | Ending::Stopped(Err(error), _) => failed(error),
        Ending::Lost(reason) => {
            say(&reason.to_string());
            3
        }
    }
}
