//! `fathom reference`: an answer by a method that engines are compared with.

use crate::args::Reference;
use crate::output::print;
use crate::show::failed;
use crate::supervise::{Ending, Limits, supervise};
use driver::load::Request;
use driver::reference::decide;
use engine::Reason;

pub fn main(arguments: &Reference) -> i32 {
    let memory = arguments.memory_limit.map(|limit| limit.saturating_mul(1 << 20));
    let limits = Limits { timeout: arguments.timeout, memory };
    let request = Request::from(&arguments.load);
    let (method, timeout) = (arguments.method.into(), arguments.timeout);
    match supervise(limits, move |cancel| decide(&request, method, timeout, memory, cancel)) {
        // The reason why work was told to stop is better than what the work says of it.
        Ending::Stopped(Ok(Err(_)), reason) => unknown(&reason),
        Ending::Done(Ok(answer)) | Ending::Stopped(Ok(answer), _) => {
            print(&match &answer {
                Ok((is_violated, states)) => format!("{} {states}\n", if *is_violated { "violated" } else { "holds" }),
                Err(why) => format!("unknown {why}\n"),
            });
            if answer.is_ok() { 0 } else { 3 }
        }
        Ending::Done(Err(error)) | Ending::Stopped(Err(error), _) => failed(error),
        Ending::Lost(reason) => unknown(&reason),
    }
}

fn unknown(reason: &Reason) -> i32 {
    print(&format!("unknown {reason}\n"));
    3
}
