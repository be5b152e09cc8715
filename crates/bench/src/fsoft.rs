//! "Model Checking Sequential Software Programs Via Mixed Symbolic Analysis" (Yang, Wang, Gupta, Ivančić): Tables II
//! and III.
//!
//! Table II compares search strategies by time and by the peak number of linear constraints; Table III compares the
//! best of them with methods on bits, by what they complete, by depth and by time. The paper's programs are not
//! published (`mcf` are models from industry), so the eleven here are written by the project after what they are;
//! three of the originals are public programs or protocols whose descriptions were used (the files say which).
//!
//! Of Table II only the words T/O and M/O survive in the paper's text that there is, so no figures of it can be
//! printed.

use crate::{Answer, Configuration};

/// What Table III prints for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Published {
    pub program: &'static str,
    pub bits: &'static str,
    pub depth: &'static str,
    /// Of decision diagrams, bounded model checking and the mixed representation: whether it completed, or the depth
    /// that it reached, in parentheses.
    pub completed: [&'static str; 3],
    pub seconds: [&'static str; 3],
    /// What predicate abstraction took, where Section 8.2 says it.
    pub predicate: &'static str,
}

/// A program to measure.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub name: &'static str,
    pub text: &'static str,
    /// Macros that the program is compiled with.
    pub macros: &'static [&'static str],
    pub properties: &'static [&'static str],
    pub holds: bool,
    /// Whether it is one of the four with a single property.
    pub is_single: bool,
    pub published: &'static Published,
}

impl Task {
    /// How many lines the program has.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The options of `fathom check` for this program.
    pub fn options(&self) -> Vec<&'static str> {
        let macros = self.macros.iter().flat_map(|name| ["-D", name]);
        macros.chain(self.properties.iter().flat_map(|property| ["--property", property])).collect()
    }

    /// Who measures it.
    pub fn tools(&self) -> Vec<Tool> {
        match (self.holds, self.is_single) {
            (false, _) => vec![LOCKSTEP, BDD, SAT],
            (true, single) => {
                let all = [PLAIN, LIVE, FRONTIER, LOCKSTEP, BDD, SAT, PREDICATE];
                all.into_iter().filter(|tool| single || *tool != PREDICATE).collect()
            }
        }
    }

    pub fn is_contradicted_by(&self, answer: &Answer) -> bool {
        *answer == if self.holds { Answer::False } else { Answer::True }
    }
}

/// An engine with options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tool {
    pub engine: &'static str,
    pub configuration: Configuration,
}

const fn mixed(name: &'static str, options: &'static [&'static str]) -> Tool {
    Tool { engine: "mixed", configuration: Configuration { name, options } }
}

/// The baseline: `old` in the paper.
pub const PLAIN: Tool = mixed("plain", &["--search-strategy", "plain", "--no-live"]);
/// With live variables.
pub const LIVE: Tool = mixed("live", &["--search-strategy", "plain"]);
/// Live variables and Reach_Frontier.
pub const FRONTIER: Tool = mixed("frontier", &["--search-strategy", "reach-frontier"]);
/// Live variables and Reach_Lockstep: `mix-ls` in Table III.
pub const LOCKSTEP: Tool = mixed("lockstep", &["--search-strategy", "lockstep"]);
/// The same search with all variables as bits.
pub const BDD: Tool = mixed("bdd", &["--search-strategy", "lockstep", "--represent", "bits"]);
/// Bounded model checking.
pub const SAT: Tool =
    Tool { engine: "induction", configuration: Configuration { name: "sat-bmc", options: &["--bmc-only"] } };
pub const PREDICATE: Tool =
    Tool { engine: "predicate", configuration: Configuration { name: "predicate", options: &[] } };

/// The columns of Table II, and the methods of Table III.
pub const STRATEGIES: [Tool; 4] = [PLAIN, LIVE, FRONTIER, LOCKSTEP];
pub const METHODS: [Tool; 3] = [BDD, SAT, LOCKSTEP];

/// What became of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    pub answer: Answer,
    /// Of processor time.
    pub seconds: f64,
    pub figures: Figures,
}

impl Measured {
    pub fn is_solved(&self) -> bool {
        matches!(self.answer, Answer::True | Answer::False)
    }
}

/// What an engine counts; of a run that was stopped, what was true then.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Figures {
    pub constraints: Option<u64>,
    pub variables: Option<u64>,
    /// Boolean variables of which states consist.
    pub bits: Option<u64>,
    pub blocks: Option<u64>,
    /// The share of variables that are live, on the average of all blocks.
    pub live: Option<f64>,
    /// Steps of the search, or blocks that were unwound.
    pub depth: Option<u64>,
}

/// A program with the runs of its tools.
#[derive(Clone, Debug)]
pub struct Row {
    pub task: Task,
    pub runs: Vec<(Tool, Measured)>,
}

impl Row {
    pub fn run(&self, tool: Tool) -> Option<&Measured> {
        self.runs.iter().find(|(other, _)| *other == tool).map(|(_, run)| run)
    }

    pub fn is_solved_by(&self, tool: Tool) -> bool {
        self.run(tool).is_some_and(|run| run.is_solved() && !self.task.is_contradicted_by(&run.answer))
    }

    /// Whether some run gave the wrong answer.
    pub fn is_wrong(&self) -> bool {
        self.runs.iter().any(|(_, run)| self.task.is_contradicted_by(&run.answer))
    }
}

const ASSERTIONS: &[&str] = &["unreach-call"];
const STRINGS: &[&str] = &["unreach-call", "array-bounds"];

/// A line of Table III.
const fn published(
    program: &'static str,
    [bits, depth]: [&'static str; 2],
    completed: [&'static str; 3],
    seconds: [&'static str; 3],
    predicate: &'static str,
) -> Published {
    Published { program, bits, depth, completed, seconds, predicate }
}

static BAKERY: Published = published("bakery", ["84", "172"], ["Y", "(68)", "Y"], ["2", "T/O", "13"], "1");
static TCAS_1A: Published = published("tcas-1a", ["307", "119"], ["Y", "(103)", "Y"], ["433", "T/O", "374"], "137");
static TCAS_ANY: Published =
    published("tcas-any", ["362", "181"], ["(103)", "(100)", "Y"], ["T/O", "T/O", "415"], "836");
static PPP: Published = published("ppp", ["1435", "132"], ["Y", "(84)", "Y"], ["687", "T/O", "51"], "T/O");
static MCF1: Published = published("mcf1_as*", ["500", "192"], ["Y", "(98)", "Y"], ["150", "T/O", "2"], "-");
static MCF2: Published = published("mcf2_afr", ["508", "211"], ["Y", "(60)", "Y"], ["110", "T/O", "5"], "-");
static MCF3: Published = published("mcf3_mrr", ["1212", "148"], ["Y", "(43)", "Y"], ["190", "T/O", "4"], "-");
static GROUP: Published = published("bftpd_useringrp", ["1163", "11"], ["Y", "Y", "Y"], ["1", "1", "1"], "-");
static USER: Published = published("bftpd_chkuser", ["5000", "75"], ["(0)", "(70)", "Y"], ["T/O", "T/O", "20"], "-");
static SHELL: Published = published("bftpd_chkshell", ["7849", "94"], ["(0)", "(44)", "Y"], ["T/O", "T/O", "48"], "-");
static PASSWORD: Published =
    published("bftpd_chkpasspwd", ["2826", "147"], ["(10)", "(13)", "Y"], ["T/O", "T/O", "760"], "-");

/// The eleven programs, and variants with a fault of all but `tcas_any`.
pub fn tasks() -> Vec<Task> {
    let single = |name, text, macros, published| Task {
        name,
        text,
        macros,
        properties: ASSERTIONS,
        holds: true,
        is_single: true,
        published,
    };
    let several = |name, text, properties, published| Task {
        name,
        text,
        macros: &[],
        properties,
        holds: true,
        is_single: false,
        published,
    };
    let correct = [
        single("bakery", include_str!("fsoft/bakery.c"), &[], &BAKERY),
        single("tcas_1a", include_str!("fsoft/tcas.c"), &[], &TCAS_1A),
        single("tcas_any", include_str!("fsoft/tcas.c"), &["ANY"], &TCAS_ANY),
        single("ppp", include_str!("fsoft/ppp.c"), &[], &PPP),
        several("menu_alarm", include_str!("fsoft/menu_alarm.c"), ASSERTIONS, &MCF1),
        several("menu_recorder", include_str!("fsoft/menu_recorder.c"), ASSERTIONS, &MCF2),
        several("menu_messages", include_str!("fsoft/menu_messages.c"), ASSERTIONS, &MCF3),
        several("ftpd_group", include_str!("fsoft/ftpd_group.c"), STRINGS, &GROUP),
        several("ftpd_user", include_str!("fsoft/ftpd_user.c"), STRINGS, &USER),
        several("ftpd_shell", include_str!("fsoft/ftpd_shell.c"), STRINGS, &SHELL),
        several("ftpd_password", include_str!("fsoft/ftpd_password.c"), STRINGS, &PASSWORD),
    ];
    let with_fault = |task: Task| Task { macros: &["FAULT"], holds: false, ..task };
    let faulty = correct.into_iter().filter(|task| task.macros.is_empty()).map(with_fault);
    correct.into_iter().chain(faulty).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Table III shows that the Reach-Lockstep algorithm is the only method that can complete traversal in all
    /// examples."
    #[test]
    fn only_lockstep_completes_all_of_the_published_programs() {
        let published: Vec<&Published> = tasks().iter().filter(|task| task.holds).map(|task| task.published).collect();
        let completes = |method: usize| published.iter().filter(|row| row.completed[method] == "Y").count();
        assert_eq!([0, 1, 2].map(completes), [7, 1, 11]);
        for row in published {
            for (completed, seconds) in row.completed.iter().zip(row.seconds) {
                assert_eq!(*completed == "Y", seconds != "T/O", "{}", row.program);
            }
        }
    }

    #[test]
    fn macros_matter_to_the_programs_that_are_compiled_with_them() {
        for task in tasks() {
            for name in task.macros {
                let asked = ["ifdef", "ifndef"].map(|word| format!("#{word} {name}\n"));
                assert!(asked.iter().any(|line| task.text.contains(line)), "{} {name}", task.name);
            }
        }
    }
}
