//! "A Solver for Reachability Modulo Theories" (Lal, Qadeer, Lahiri): what Section 4 compares.
//!
//! The paper's drivers are not published. The programs here are generated ([`Driver`]), with as many procedures and globals as
//! those of Figure 6.

use crate::Configuration;
use crate::drivers::{Driver, tree};
use crate::tables::{Table, Task, Tool};

/// What the paper says in its text, for the reader of the tables.
pub const PUBLISHED: &str = "\
- Section 4.1: static inlining ran out of memory on the six largest of 14 drivers; on the rest stratified inlining was three times faster.
- Section 4.1: Algorithm 2 was 2.8 times faster than Algorithm 1 and 13.2 times faster than STORM's, on the same spurious paths.
- Section 4.2: 83 % of the correct programs were proved irrespective of the recursion bound, 91 % with Houdini.
";

/// The algorithms of refinement, as `--compare-refinements` names them in the statistics.
pub const ALGORITHMS: [&str; 3] = ["STORM", "Algorithm 1", "Algorithm 2"];

/// What one run says about refinement: all algorithms on the same paths.
#[derive(Clone, PartialEq, Debug)]
pub struct Refinements {
    pub paths: u64,
    /// Paths on which the algorithms do not find the same variables.
    pub different: u64,
    /// Of each algorithm.
    pub questions: [u64; 3],
    pub seconds: [f64; 3],
}

/// A program with what was measured on it, if the run told it.
#[derive(Clone, Debug)]
pub struct Compared {
    pub task: Task,
    pub globals: usize,
    pub measured: Option<Refinements>,
}

pub const ENGINE: &str = "stratified";

/// Options of the run that compares the algorithms of refinement.
pub const COMPARE: &[&str] = &["--no-houdini", "--recursion-bound", "1", "--compare-refinements"];

const STRATIFIED: Tool =
    Tool::Engine(Configuration { name: "stratified", options: &["--no-houdini", "--recursion-bound", "1"] });
const STATIC: Tool =
    Tool::Engine(Configuration { name: "static", options: &["--static-inlining", "--recursion-bound", "1"] });
const WITHOUT: Tool =
    Tool::Engine(Configuration { name: "without summaries", options: &["--no-houdini", "--recursion-bound", "2"] });
const WITH: Tool = Tool::Engine(Configuration { name: "with summaries", options: &["--recursion-bound", "2"] });

/// Drivers as large as those of Figure 6 (daytona, mouser, fdc), a small one for what static inlining can do, and one that is larger.
const SIZES: [(&str, Driver); 5] = [
    ("small", Driver { routines: 3, depth: 2, shared: 7, globals: 40, loops: false, bug: false }),
    ("as_daytona", Driver { routines: 5, depth: 4, shared: 11, globals: 112, loops: false, bug: false }),
    ("as_mouser", Driver { routines: 12, depth: 7, shared: 31, globals: 223, loops: false, bug: false }),
    ("as_fdc", Driver { routines: 16, depth: 8, shared: 31, globals: 419, loops: false, bug: false }),
    ("large", Driver { routines: 32, depth: 10, shared: 63, globals: 600, loops: false, bug: false }),
];

fn task(name: &str, driver: Driver) -> Task {
    let suffix = [("_loops", driver.loops), ("_bug", driver.bug)];
    let suffix: String = suffix.iter().filter(|(_, is_so)| *is_so).map(|(text, _)| *text).collect();
    let name = format!("{name}_{}p_{}v{suffix}", driver.procedures(), driver.globals + 2);
    Task { name, text: driver.text(), holds: !driver.bug, published: None }
}

/// The programs on which paths are refined.
pub fn refined() -> Vec<Compared> {
    let compared = |(name, driver): (&str, Driver)| Compared {
        task: task(name, driver),
        globals: driver.globals + 2,
        measured: None,
    };
    SIZES.into_iter().map(compared).collect()
}

/// The other tables.
pub fn tables() -> Vec<Table> {
    let both = |(name, driver): (&'static str, Driver)| [false, true].map(|bug| task(name, Driver { bug, ..driver }));
    let trees = [8, 12, 16, 20].map(|depth| Task {
        name: format!("tree_{depth}"),
        text: tree(depth),
        holds: true,
        published: None,
    });
    let inlined = SIZES.into_iter().flat_map(both).chain(trees);
    let loops =
        SIZES.into_iter().flat_map(|(name, driver)| [false, true].map(|loops| task(name, Driver { loops, ..driver })));
    vec![
        Table {
            title: "Stratified and static inlining (procedures inlined)",
            engine: ENGINE,
            counted: "procedures inlined",
            tools: vec![STRATIFIED, STATIC],
            published: &[],
            tasks: inlined.collect(),
        },
        Table {
            title: "Proofs with and without summaries (procedures inlined)",
            engine: ENGINE,
            counted: "procedures inlined",
            tools: vec![WITHOUT, WITH],
            published: &[],
            tasks: loops.collect(),
        },
    ]
}
