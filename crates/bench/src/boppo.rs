//! "Symbolic Model Checking for Asynchronous Boolean Programs" (Cook, Kroening, Sharygina): Table 3, and what Section 3.4 says about
//! the reduction.
//!
//! Table 3 has five benchmarks, whose programs are not published: 30 free variables, a multiplication, 572 small sequential
//! drivers (their average), a large one, and a driver of three threads. The programs here are families of the same kinds.

use crate::tables::{Table, Task, Tool};
use crate::{Configuration, boolean};

/// The columns of Table 3.
const PUBLISHED: &[&str] = &["MOPED", "SPIN", "BEBOP", "ZING", "BOPPO"];

const ENGINE: &str = "interleaving";
const STATES: &str = "states explored";

const FATHOM: Tool = Tool::Engine(Configuration { name: "Fathom", options: &[] });
const NONE: Tool = Tool::Engine(Configuration { name: "no reduction", options: &["--reduction", "none"] });
const CONSTRAINTS: Tool = Tool::Engine(Configuration { name: "constraints", options: &["--reduction", "constraints"] });
const DECISIONS: Tool = Tool::Engine(Configuration { name: "decisions", options: &["--reduction", "decisions"] });
const ASKED: [Tool; 3] = [
    Tool::Engine(Configuration { name: "no reduction", options: &["--reduction", "none", "--no-filters"] }),
    Tool::Engine(Configuration { name: "constraints", options: &["--reduction", "constraints", "--no-filters"] }),
    Tool::Engine(Configuration { name: "decisions", options: &["--reduction", "decisions", "--no-filters"] }),
];
const EXPANSION: Tool = Tool::Engine(Configuration { name: "expansion", options: &["--fixpoint", "expansion"] });
const DEPQBF: Tool = Tool::Engine(Configuration { name: "depqbf", options: &["--fixpoint", "depqbf"] });
const BDD: Tool = Tool::Engine(Configuration { name: "BDD", options: &["--fixpoint", "bdd"] });

fn task(name: String, text: String, holds: bool, published: Option<&'static [&'static str]>) -> Task {
    Task { name, text, holds, published }
}

/// The kinds of Table 3.
fn kinds() -> Vec<Task> {
    let mut tasks =
        vec![task("free_30".into(), boolean::free(30), true, Some(&["0.1s", "*", "0.1s", "n/a", "0.6s"][..]))];
    for n in [7, 10, 12] {
        let published = Some(&["*", "3.8s", "120s", "n/a", "27.0s"][..]);
        tasks.push(task(format!("multiplier_{n}"), boolean::multiplier(n), true, published));
    }
    for (n, bug) in [(3, false), (3, true), (6, false), (6, true)] {
        let published = Some(&["n/a", "n/a", "0.17s", "n/a", "0.43s"][..]);
        let name = format!("driver_{n}{}", if bug { "_bug" } else { "" });
        tasks.push(task(name, boolean::driver(n, bug), !bug, published));
    }
    for n in [24, 48] {
        let published = Some(&["n/a", "*", "2058s", "n/a", "75.6s"][..]);
        tasks.push(task(format!("driver_{n}"), boolean::driver(n, false), true, published));
    }
    for n in [4, 8, 16] {
        let published = Some(&["n/a", "*", "n/a", "*", "55.8s"][..]);
        tasks.push(task(format!("threaded_driver_{n}"), boolean::threaded_driver(n), true, published));
    }
    tasks
}

/// Everything that is measured.
pub fn tables() -> Vec<Table> {
    let family = |name: &str, text: fn(usize) -> String| {
        (2..=6).map(|n| task(format!("{name}_{n}"), text(n), true, None)).collect::<Vec<Task>>()
    };
    vec![
        Table {
            title: "The kinds of Table 3",
            engine: ENGINE,
            counted: STATES,
            published: PUBLISHED,
            tools: vec![FATHOM, Tool::Reference("diagrams"), Tool::Reference("explicit"), Tool::Spin],
            tasks: kinds(),
        },
        Table {
            title: "Reduction, by number of threads",
            engine: ENGINE,
            counted: STATES,
            published: &[],
            tools: vec![NONE, CONSTRAINTS, DECISIONS],
            tasks: family("workers", boolean::workers),
        },
        Table {
            title: "Reduction where threads must wait for values, every question put to the solver",
            engine: ENGINE,
            counted: STATES,
            published: &[],
            tools: ASKED.to_vec(),
            tasks: family("waiters", boolean::waiters),
        },
        Table {
            title: "Ways to find fixpoints",
            engine: ENGINE,
            counted: STATES,
            published: &[],
            tools: vec![EXPANSION, DEPQBF, BDD],
            tasks: kinds().into_iter().filter(|task| task.holds).collect(),
        },
    ]
}
