//! The passes that take memory away, and the engine behind them, against executions: random small C programs are executed
//! with all choices of a small domain. Where an execution comes to the error, no proof may be found; where the engine finds an
//! execution, it replays.

mod enumerate;
mod generate;

use driver::modelling::{Calls, Modelling, Pointers, left_region};
use driver::pipeline::{Executions, Form};
use engine::{Cancel, Engine, Run, Verdict};
use enumerate::{Reached, enumerate};
use frontend_c::{Options, load_text};
use generate::Config;
use ir::{DataModel, Program};
use pass::{Passed, Split};
use source::SourceMap;
use std::time::Duration;

/// How long the engine may think about a program.
const PATIENCE: Duration = Duration::from_millis(200);

fn loaded(text: &str, model: DataModel) -> Program {
    let mut map = SourceMap::new();
    load_text("random.c", text, &Options::new(model), &mut map).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|error| source::render(error, &map, false)).collect();
        panic!("{}\n{text}", shown.join("\n"))
    })
}

/// How often each answer was given.
#[derive(Default, Debug)]
struct Count {
    /// Programs with an execution that comes to the error.
    reachable: usize,
    proved: usize,
    violated: usize,
    /// Violations that were found by the second program only.
    found: usize,
    /// Why violations that there are were not found.
    missed: Vec<String>,
    unknown: usize,
    /// How often assumptions of the split were given up.
    refined: usize,
    /// Programs that were proved where nothing is assumed, and such violations that do not replay.
    exact: [usize; 2],
    /// Programs that were proved and violated where calls and memory were modelled otherwise.
    modelled: [usize; 2],
}

impl Count {
    /// Looks for a proof where nothing is assumed of accesses.
    fn split_otherwise(&mut self, name: &str, program: &Program, reached: Reached) {
        let modelling = Modelling { split: Split::EXACT, ..Modelling::default() };
        let passed = Form::Flat.model(program, 1, Executions::All, modelling).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(ir::validate(&passed.program), Ok(()), "{name}");
        let mut run = Run::new(Some(PATIENCE), None, Cancel::new());
        match predicate::Predicate::default().check(&passed.program, &mut run) {
            Verdict::True(_) => {
                let text = ir::print(&passed.program);
                assert!(reached != Reached::Error, "{name}: wrongly proved by cases\n{text}");
                self.exact[0] += 1;
            }
            Verdict::False(trace) => {
                let replays = driver::replay::replays(program, &passed.lift.trace(trace));
                self.exact[1] += usize::from(replays.is_err());
            }
            Verdict::Unknown(_) => {}
        }
    }

    /// Looks for a proof and a violation with other models of calls and memory.
    fn model_otherwise(&mut self, name: &str, program: &Program, reached: Reached) {
        for pointers in [Pointers::Elements, Pointers::Addresses, Pointers::Dereferences] {
            let modelling = Modelling { calls: Calls::ReturnPoints, pointers, heap: 3, ..Modelling::default() };
            let passed = Form::Flat.model(program, 1, Executions::All, modelling).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(ir::validate(&passed.program), Ok(()), "{name}, {pointers:?}");
            let mut run = Run::new(Some(PATIENCE), None, Cancel::new());
            match predicate::Predicate::default().check(&passed.program, &mut run) {
                Verdict::True(_) => {
                    let text = ir::print(&passed.program);
                    assert!(reached != Reached::Error, "{name}: wrongly proved with {pointers:?}\n{text}");
                    self.modelled[0] += 1;
                }
                Verdict::False(trace) => {
                    let replays = driver::replay::replays(program, &passed.lift.trace(trace));
                    self.modelled[1] += usize::from(replays.is_ok());
                }
                Verdict::Unknown(_) => {}
            }
        }
    }

    /// Looks for a violation that replays where the first did not.
    fn violate_otherwise(&mut self, program: &Program, reached: Reached) {
        let passed = Form::Flat.make(program, 1, Executions::Replayable).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(ir::validate(&passed.program), Ok(()));
        let mut run = Run::new(Some(PATIENCE), None, Cancel::new());
        match predicate::Predicate::default().check(&passed.program, &mut run) {
            Verdict::False(trace) => match driver::replay::replays(program, &passed.lift.trace(trace)) {
                Ok(()) => self.found += 1,
                Err(why) => {
                    self.unknown += 1;
                    if reached == Reached::Error {
                        self.missed.push(why);
                    }
                }
            },
            _ if reached == Reached::Error => self.missed.push("not found".to_owned()),
            _ => self.unknown += 1,
        }
    }
}

/// Checks the program of a seed, with the error first where an execution comes to, and then where perhaps none does. The
/// answers are counted.
fn check_seed(seed: u64, config: Config, count: &mut Count) {
    let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut returned = Vec::new();
    enumerate(&loaded(&generate::program(seed, config, None), model), &mut returned);
    let Some(last) = returned.last() else { return };
    let other = (0..).find(|number| !returned.contains(number)).unwrap_or(-1);
    for wanted in [*last, other] {
        check(&format!("seed {seed}"), &generate::program(seed, config, Some(wanted)), model, count);
    }
}

/// What the engine says of the program with split memory, when what is assumed of accesses is given up where it fails.
fn refined(program: &Program, refined: &mut usize) -> (Passed, Verdict) {
    let mut modelling = Modelling::default();
    loop {
        let flat = Form::Flat.model(program, 1, Executions::All, modelling).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(ir::validate(&flat.program), Ok(()));
        let mut run = Run::new(Some(PATIENCE), None, Cancel::new());
        let verdict = predicate::Predicate::default().check(&flat.program, &mut run);
        let left = if let Verdict::Unknown(why) = &verdict { left_region(why) } else { None };
        let Some(class) = left else { return (flat, verdict) };
        assert_ne!(modelling.split.without(class), modelling.split, "what is given up is assumed again");
        modelling.split = modelling.split.without(class);
        *refined += 1;
    }
}

/// Checks one program.
fn check(name: &str, text: &str, model: DataModel, count: &mut Count) {
    let program = loaded(text, model);
    let enumerate = |program: &Program| enumerate(program, &mut Vec::new());
    let reached = enumerate(&program);
    count.reachable += usize::from(reached == Reached::Error);
    let inlined = pass::inline(&program, pass::Recursion::Merged, 10_000).unwrap_or_else(|why| panic!("{name}: {why}"));
    let alike = |what: &str, other: Reached| {
        let fits = match (reached, other) {
            (Reached::Error, other) => matches!(other, Reached::Error | Reached::Unknown),
            (Reached::Nothing, other) => other != Reached::Error,
            // What has no meaning in the program may go on in the other.
            (Reached::NothingDefined | Reached::Unknown, _) => true,
        };
        assert!(fits, "{name} {model}: the program comes to {reached:?}, {what} to {other:?}\n{text}");
    };
    alike("inlined", enumerate(&inlined.program));
    alike("pruned", enumerate(&pass::prune(&inlined.program, |_| false).program));
    count.model_otherwise(&format!("{name} {model}\n{text}"), &program, reached);
    count.split_otherwise(&format!("{name} {model}\n{text}"), &program, reached);
    let (flat, verdict) = refined(&program, &mut count.refined);
    match verdict {
        Verdict::True(_) => {
            assert!(reached != Reached::Error, "{name} {model}: wrongly proved\n{text}\n{}", ir::print(&flat.program));
            count.proved += 1;
        }
        Verdict::False(trace) if driver::replay::replays(&program, &flat.lift.trace(trace.clone())).is_ok() => {
            count.violated += 1
        }
        Verdict::False(_) => count.violate_otherwise(&program, reached),
        Verdict::Unknown(_) => count.unknown += 1,
    }
}

/// How executions of programs and of the same programs with split memory compare.
#[derive(Default, Debug)]
struct Compared {
    programs: usize,
    /// Those that come to the error.
    reachable: usize,
    /// Those whose executions were compared completely, and those that come to the error with split memory alone.
    complete: usize,
    more: usize,
    /// Those where an access leaves its region.
    leave: usize,
}

/// Executes a program with and without memory, for each way of splitting it: an error is never lost.
fn compare(name: &str, text: &str, model: DataModel, compared: &mut Compared) {
    let program = loaded(text, model);
    let reached = enumerate(&program, &mut Vec::new());
    compared.programs += 1;
    compared.reachable += usize::from(reached == Reached::Error);
    let inlined = pass::inline(&program, pass::Recursion::Merged, 10_000).unwrap_or_else(|why| panic!("{name}: {why}"));
    let defined = inlined.then(|program| pass::defined(program, pass::Assumed::NotNull));
    for split in [Split::default(), Split::EXACT] {
        let cut = pass::split_memory(&defined.program, pass::Foreign::Any, split).then(|p| pass::prune(p, |_| false));
        assert_eq!(ir::validate(&cut.program), Ok(()), "{name}");
        // What is arbitrary has more values than are tried.
        let variables = cut.program.procedures.iter().flat_map(|procedure| &procedure.locals);
        if variables.into_iter().any(|local| local.name().as_str().starts_with("$unknown")) {
            continue;
        }
        let other = enumerate(&cut.program, &mut Vec::new());
        compared.leave += usize::from(split == Split::default() && other == Reached::Unknown);
        compared.complete += usize::from(other == Reached::Nothing || other == Reached::Error);
        compared.more += usize::from(reached == Reached::Nothing && other == Reached::Error);
        let is_lost = reached == Reached::Error && matches!(other, Reached::Nothing | Reached::NothingDefined);
        assert!(!is_lost, "{name} {model}: {split:?} comes to {other:?}\n{text}\n{}", ir::print(&cut.program));
    }
}

/// Compares executions of the programs of some seeds.
fn compare_all(config: Config, seeds: u64) {
    let mut compared = Compared::default();
    for seed in asked(seeds) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let mut returned = Vec::new();
        enumerate(&loaded(&generate::program(seed, config, None), model), &mut returned);
        for wanted in returned.last().into_iter().chain(returned.first().filter(|_| returned.len() > 1)) {
            let text = generate::program(seed, config, Some(*wanted));
            compare(&format!("seed {seed}"), &text, model, &mut compared);
        }
    }
    eprintln!("{config:?}: {compared:?}");
    assert!(compared.reachable > 3 && compared.complete > 3, "{compared:?}: the test says little");
}

/// The seeds of `FATHOM_SEEDS` (as `1000..2000`), if it is set; so many otherwise.
fn asked(seeds: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("FATHOM_SEEDS").ok();
    let asked = asked.as_deref().and_then(|range| range.split_once(".."));
    let asked = asked.and_then(|(first, end)| Some(first.parse::<u64>().ok()?..end.parse::<u64>().ok()?));
    asked.unwrap_or(0..seeds)
}

/// Checks the programs of some seeds.
fn check_all(config: Config, seeds: u64) {
    let mut count = Count::default();
    for seed in asked(seeds) {
        check_seed(seed, config, &mut count);
    }
    eprintln!("{config:?}: {count:?}");
    assert!(count.reachable > 3, "{count:?}: the test says little");
}

const PLAIN: Config = Config {
    parts: false,
    puns: false,
    addresses: false,
    uninitialised: false,
    foreign: false,
    many: false,
    fields: false,
};

#[test]
fn plain() {
    check_all(PLAIN, 15);
}

#[test]
fn parts() {
    check_all(Config { parts: true, ..PLAIN }, 30);
}

#[test]
fn puns() {
    check_all(Config { parts: true, puns: true, ..PLAIN }, 15);
}

#[test]
fn addresses() {
    check_all(Config { puns: true, addresses: true, ..PLAIN }, 15);
}

#[test]
fn uninitialised() {
    check_all(Config { uninitialised: true, ..PLAIN }, 15);
}

#[test]
fn foreign() {
    check_all(Config { uninitialised: true, foreign: true, ..PLAIN }, 20);
}

#[test]
fn many() {
    check_all(Config { many: true, ..PLAIN }, 20);
}

#[test]
fn fields() {
    check_all(Config { fields: true, ..PLAIN }, 30);
}

#[test]
fn fields_and_parts() {
    check_all(Config { fields: true, parts: true, puns: true, ..PLAIN }, 20);
}

#[test]
fn executions_of_fields() {
    compare_all(Config { fields: true, ..PLAIN }, 60);
}

#[test]
fn executions_of_parts() {
    compare_all(Config { fields: true, parts: true, puns: true, ..PLAIN }, 60);
}
