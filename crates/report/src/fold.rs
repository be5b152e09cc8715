//! Folds the loops of a trace, so that a reader sees what matters of a thousand iterations.
//!
//! An iteration begins whenever an activation of a function comes back to a location where it was before. Of many
//! iterations the first and the last are kept; what lies between becomes one [`Item::Folded`]. Iterations that other
//! threads interrupt are never folded: there the order is the story.

use driver::report::TraceStep;
use std::collections::HashMap;
use std::ops::Range;

/// What to show, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// The step of this number.
    Step(usize),
    /// Iterations that are not shown one by one, and the steps they are made of.
    Folded { iterations: usize, steps: Range<usize> },
}

/// The fewest complete iterations that are folded.
const FEWEST: usize = 4;

pub fn fold(steps: &[TraceStep]) -> Vec<Item> {
    let mut folder = Folder { next_visit: next_visits(steps), items: Vec::new() };
    folder.range(0..steps.len());
    folder.items
}

/// For each step, the next one that starts at the same location of the same activation, if no other thread runs in between.
fn next_visits(steps: &[TraceStep]) -> Vec<Option<usize>> {
    let mut next = vec![None; steps.len()];
    let mut latest = HashMap::new();
    for (at, step) in steps.iter().enumerate().rev() {
        if steps.get(at + 1).is_some_and(|after| after.thread != step.thread) {
            latest.clear();
        }
        next[at] = latest.insert((step.frame, step.location), at);
    }
    next
}

struct Folder {
    next_visit: Vec<Option<usize>>,
    items: Vec<Item>,
}

impl Folder {
    fn range(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            self.items.push(Item::Step(at));
            let visits: Vec<usize> =
                std::iter::successors(Some(at), |&visit| self.next_visit[visit].filter(|next| *next < range.end))
                    .collect();
            let iterations = visits.len() - 1;
            if iterations < FEWEST {
                at += 1;
                continue;
            }
            let (second, last, end) = (visits[1], visits[iterations - 1], visits[iterations]);
            self.range(at + 1..second);
            self.items.push(Item::Folded { iterations: iterations - 2, steps: second..last });
            self.range(last..end);
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use driver::report::Event;
    use ir::LocId;
    use source::Symbol;

    /// Steps are written as `thread.frame.location`; folded ones as `[iterations: first..end]`.
    fn check(trace: &str, expected: &str) {
        let steps: Vec<TraceStep> = trace
            .split_whitespace()
            .map(|word| {
                let parts: Vec<u32> = word.split('.').map(|part| part.parse().unwrap()).collect();
                let function = Symbol::new("f");
                let location = LocId(parts[2]);
                let (thread, frame) = (parts[0], parts[1]);
                TraceStep { thread, frame, depth: 0, function, location, place: None, line: None, event: Event::Branch }
            })
            .collect();
        let shown: Vec<String> = fold(&steps)
            .into_iter()
            .map(|item| match item {
                Item::Step(at) => at.to_string(),
                Item::Folded { iterations, steps } => format!("[{iterations}: {}..{}]", steps.start, steps.end),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn few_iterations_stay() {
        check("0.0.1 0.0.2 0.0.1 0.0.2 0.0.1 0.0.2 0.0.1 0.0.3", "0 1 2 3 4 5 6 7");
    }

    #[test]
    fn the_first_and_the_last_iteration_stay() {
        check("0.0.9 0.0.1 0.0.2 0.0.1 0.0.2 0.0.1 0.0.4 0.0.1 0.0.2 0.0.1 0.0.3", "0 1 2 [2: 3..7] 7 8 9 10");
    }

    #[test]
    fn inner_loops_are_folded_inside_what_stays() {
        let inner = "0.0.1 0.0.2 0.0.2 0.0.2 0.0.2 0.0.2 ";
        check(&inner.repeat(5), "0 1 [2: 2..4] 4 5 [2: 6..18] 18 19 [2: 20..22] 22 23 24 25 [2: 26..28] 28 29");
    }

    #[test]
    fn calls_belong_to_the_iteration_that_makes_them() {
        check("0.0.1 0.1.1 0.0.1 0.2.1 0.0.1 0.3.1 0.0.1 0.4.1 0.0.1", "0 1 [2: 2..6] 6 7 8");
    }

    #[test]
    fn interrupted_iterations_stay() {
        check("0.0.1 0.0.1 0.0.1 1.5.1 0.0.1 0.0.1 0.0.1", "0 1 2 3 4 5 6");
    }
}
