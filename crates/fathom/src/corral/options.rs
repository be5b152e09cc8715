//! Corral's options: what each of them does here, or why it does nothing.

use driver::load::Request;
use std::path::PathBuf;
use std::time::Duration;

/// What a command line of Corral asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    pub request: Request,
    pub contexts: u16,
    pub bounds: Bounds,
    /// All globals count from the start.
    pub track_all: bool,
    pub timeout: Option<Duration>,
    /// In bytes.
    pub memory: Option<u64>,
    pub trace: bool,
    pub trace_of_source: bool,
    pub values: bool,
    pub statistics: bool,
    pub verbose: bool,
    /// How many assertions that fail are looked for.
    pub violations: usize,
    /// What was accepted and does nothing, with the reason.
    pub notes: Vec<String>,
}

/// What is asked of the unfolding of calls and loops. Whoever asks wants the engine that unfolds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    pub recursion: Option<u32>,
    pub stack: Option<u32>,
    pub is_static: bool,
}

impl Default for Asked {
    /// Corral's own defaults.
    fn default() -> Asked {
        Asked {
            request: Request::default(),
            contexts: 1,
            bounds: Bounds::default(),
            track_all: false,
            timeout: None,
            memory: None,
            trace: true,
            trace_of_source: false,
            values: true,
            statistics: false,
            verbose: false,
            violations: 1,
            notes: Vec::new(),
        }
    }
}

/// What an option does, with the text behind its colon.
enum Effect {
    Does(fn(&mut Asked, &str) -> Result<(), String>),
    /// Nothing, because of this.
    Nothing(&'static str),
}

use Effect::{Does, Nothing};

const TRACKING: &str = "the engine finds out by itself which variables matter";
const FILES: &str = "no file is written; the execution is printed";
const SOLVER: &str = "solvers are built in and have no such setting";
const OWN_SEARCH: &str = "the engine has its own order of search";
const HOUDINI: &str = "summaries are inferred where the engine wants them";
const OWN_BOUNDS: &str = "loops with constant bounds are run through as far as they go";

/// All options, by the name before the colon.
const OPTIONS: &[(&str, Effect)] = &[
    ("k", Does(|asked, text| set(&mut asked.contexts, positive(text)))),
    ("main", Does(|asked, text| set(&mut asked.request.entry, Ok(Some(text.to_string()))))),
    ("recursionBound", Does(|asked, text| set(&mut asked.bounds.recursion, number(text).map(Some)))),
    ("stackDepthBound", Does(|asked, text| set(&mut asked.bounds.stack, number(text).map(Some)))),
    ("timeLimit", Does(|asked, text| set(&mut asked.timeout, seconds(text)))),
    ("killAfter", Does(|asked, text| set(&mut asked.timeout, seconds(text)))),
    ("memLimit", Does(|asked, text| set(&mut asked.memory, megabytes(text)))),
    ("cooperative", Does(|asked, _| set(&mut asked.request.cooperative, Ok(true)))),
    ("concat", Does(concat)),
    ("staticInlining", Does(|asked, _| set(&mut asked.bounds.is_static, Ok(true)))),
    ("noTrace", Does(|asked, _| set(&mut asked.trace, Ok(false)))),
    ("tryCTrace", Does(|asked, _| set(&mut asked.trace_of_source, Ok(true)))),
    ("printDataValues", Does(|asked, text| set(&mut asked.values, is_positive(text)))),
    ("stats", Does(|asked, _| set(&mut asked.statistics, Ok(true)))),
    ("v", Does(|asked, text| set(&mut asked.verbose, is_positive(text)))),
    ("printProgress", Does(|asked, _| set(&mut asked.verbose, Ok(true)))),
    ("cex", Does(|asked, text| set(&mut asked.violations, at_least_one(text)))),
    ("trackAllVars", Does(|asked, _| set(&mut asked.track_all, Ok(true)))),
    ("track", Nothing(TRACKING)),
    ("trackSecondary", Nothing(TRACKING)),
    ("dislike", Nothing(TRACKING)),
    ("useLocalVarAbs", Nothing(TRACKING)),
    ("refinementAlgo", Nothing(TRACKING)),
    ("prevCorralState", Nothing(TRACKING)),
    ("dumpCorralState", Nothing(FILES)),
    ("noTraceOnDisk", Nothing(FILES)),
    ("traceProgram", Nothing(FILES)),
    ("printInstrumented", Nothing(FILES)),
    ("printVerify", Nothing(FILES)),
    ("printFinalProg", Nothing(FILES)),
    ("proverLog", Nothing(SOLVER)),
    ("useProverEvaluate", Nothing("every execution that is printed has been replayed")),
    ("useArrayTheory", Nothing("maps are always arrays of the solver")),
    ("noArrayTheory", Nothing("maps are always arrays of the solver")),
    ("bopt", Nothing(SOLVER)),
    ("z3exe", Nothing(SOLVER)),
    ("z3opt", Nothing(SOLVER)),
    ("prover", Nothing(SOLVER)),
    ("maxStaticLoopBound", Nothing(OWN_BOUNDS)),
    ("unfoldRecursion", Nothing(OWN_BOUNDS)),
    ("nonUniformUnfolding", Nothing(OWN_BOUNDS)),
    ("irreducibleLoopUnroll", Nothing("such loops are bounded as all others are")),
    ("runHoudini", Nothing(HOUDINI)),
    ("useHoudiniLite", Nothing(HOUDINI)),
    ("houdiniTimeLimit", Nothing(HOUDINI)),
    ("fastRequiresInference", Nothing(HOUDINI)),
    ("computeSummary", Nothing(HOUDINI)),
    ("si", Nothing(OWN_SEARCH)),
    ("di", Nothing(OWN_SEARCH)),
    ("fwdBck", Nothing(OWN_SEARCH)),
    ("fwdBckInRef", Nothing(OWN_SEARCH)),
    ("newStratifiedInlining", Nothing(OWN_SEARCH)),
    ("noCallTreeReuse", Nothing(OWN_SEARCH)),
    ("deepAsserts", Nothing("assertions are looked for at every depth")),
    ("deepAssertsNoLoop", Nothing("assertions are looked for at every depth")),
    ("noInitPruning", Nothing("what cannot matter is left out without a difference in the answer")),
    ("disableStaticAnalysis", Nothing("what cannot matter is left out without a difference in the answer")),
    ("catchAll", Nothing("every run ends with an answer")),
    ("break", Nothing("there is no debugger to wait for")),
    ("printBoogieExt", Nothing("programs are not printed")),
    ("printBoogieFlags", Nothing(SOLVER)),
    ("printMemUsage", Nothing("/stats prints what was measured")),
    ("cadeTiming", Nothing("/stats prints what was measured")),
];

/// Reads a command line.
pub fn parse(arguments: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    // The file first: others may lie beside it.
    let is_option = |argument: &str| option(argument).is_some();
    let files: Vec<&String> = arguments.iter().filter(|argument| !is_option(argument)).collect();
    match &files[..] {
        [file] => asked.request.file = PathBuf::from(file),
        [] => return Err("an input file is expected".to_string()),
        [_, other, ..] => return Err(format!("one input file is expected, and there is {other} too")),
    }
    for argument in arguments {
        let Some((name, text)) = option(argument) else { continue };
        let Some((_, effect)) = OPTIONS.iter().find(|(known, _)| *known == name) else {
            return Err(format!("unknown option {argument}"));
        };
        match effect {
            Does(apply) => apply(&mut asked, text).map_err(|why| format!("{argument}: {why}"))?,
            Nothing(why) => asked.notes.push(format!("{argument} is accepted and changes nothing: {why}")),
        }
    }
    Ok(asked)
}

/// An option's name and the text behind its colon. A path that begins with a slash is none: it has more of them or is a
/// file's name.
fn option(argument: &str) -> Option<(&str, &str)> {
    let rest = argument.strip_prefix('/').or_else(|| argument.strip_prefix('-'))?;
    let (name, text) = rest.split_once(':').unwrap_or((rest, ""));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    is_name.then_some((name, text))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "a number is expected behind the colon".to_string())
}

fn positive(text: &str) -> Result<u16, String> {
    match number(text)? {
        0 => Err("at least one context is needed".to_string()),
        n => Ok(n),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    Ok(number::<usize>(text)?.max(1))
}

fn set<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    *field = value?;
    Ok(())
}

fn is_positive(text: &str) -> Result<bool, String> {
    Ok(number::<u32>(text)? > 0)
}

/// A limit, where 0 stands for none.
fn limit(text: &str) -> Result<Option<u64>, String> {
    let limit: u64 = number(text)?;
    Ok((limit > 0).then_some(limit))
}

fn seconds(text: &str) -> Result<Option<Duration>, String> {
    Ok(limit(text)?.map(Duration::from_secs))
}

/// In bytes.
fn megabytes(text: &str) -> Result<Option<u64>, String> {
    Ok(limit(text)?.map(|megabytes| megabytes.saturating_mul(1 << 20)))
}

/// A file whose name is told as seen from the input file.
fn concat(asked: &mut Asked, name: &str) -> Result<(), String> {
    let folder = asked.request.file.parent();
    let path = folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    asked.request.concat.push(path);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Asked, String> {
        parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    /// As SMACK calls it: nothing is refused, and what changes nothing is said.
    #[test]
    fn smacks_command_line_is_understood() {
        let line = "/tmp/a.bpl /tryCTrace /noTraceOnDisk /printDataValues:1 /k:3 /useProverEvaluate /timeLimit:1200 \
            /cex:1 /maxStaticLoopBound:1 /recursionBound:65536 /bopt:proverOpt:O:smt.qi.eager_threshold=100 /main:start";
        let asked = parsed(line).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(asked.request.file, PathBuf::from("/tmp/a.bpl"));
        assert_eq!(asked.contexts, 3);
        assert_eq!(asked.timeout, Some(Duration::from_secs(1200)));
        assert!(asked.trace && asked.trace_of_source && asked.values);
        assert_eq!(asked.request.entry.as_deref(), Some("start"));
        assert_eq!(asked.bounds, Bounds { recursion: Some(65536), ..Bounds::default() });
        assert_eq!(asked.violations, 1);
        assert_eq!(asked.notes.len(), 4, "{:?}", asked.notes);
    }

    #[test]
    fn what_is_no_command_line_is_refused() {
        for (line, why) in [
            ("/k:2", "input file"),
            ("a.bpl b.bpl", "b.bpl"),
            ("a.bpl /k:two", "/k:two"),
            ("a.bpl /k:0", "at least one"),
            ("a.bpl /frobnicate", "/frobnicate"),
        ] {
            let refused = parsed(line).expect_err(line);
            assert!(refused.contains(why), "{line}: {refused}");
        }
    }

    #[test]
    fn files_to_concatenate_lie_beside_the_first() {
        let asked = parsed("/concat:f2.bpl dir/f1.bpl -timeLimit:0").unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(asked.request.concat, [PathBuf::from("dir/f2.bpl")]);
        assert_eq!(asked.timeout, None);
    }
}
