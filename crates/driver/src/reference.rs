//! Answers without proof or trace, by methods that engines are compared with.

use crate::load::{LoadError, Request, load};
use crate::pipeline::{Executions, Form};
use engine::{Cancel, Reason, Run};
use interleaving::{diagrams, explicit, open_at_start};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Enumerates explicit states.
    Explicit,
    /// Sets of states as binary decision diagrams, one for each vector of program counters.
    Diagrams,
}

/// Whether a Boolean program is violated, and how many states, or vectors of program counters, were reached.
pub fn decide(
    request: &Request,
    method: Method,
    timeout: Option<Duration>,
    memory: Option<u64>,
    cancel: Cancel,
) -> Result<Result<(bool, usize), Reason>, LoadError> {
    let loaded = load(request)?;
    let mut run = Run::new(timeout, memory, cancel);
    Ok(Form::Boolean.make(&loaded.program, 1, Executions::All).and_then(|passed| match method {
        Method::Explicit => {
            let open = open_at_start(&passed.program)?;
            let found =
                explicit::enumerate(&passed.program, usize::MAX, &|variable| open.contains(&variable), &mut run)?;
            Ok((found.is_violated, found.states))
        }
        Method::Diagrams => diagrams::reach(&passed.program, &mut run).map(|found| (found.is_violated, found.vectors)),
    }))
}
