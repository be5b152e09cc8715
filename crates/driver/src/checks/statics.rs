//! Checks that analyses exclude without a solver, each by itself.
//!
//! Each way makes a program in which executions end at the checks that it leaves open, and a proof that nothing else is violated, which
//! `certify` checks like that of an engine.

use crate::attempt::Record;
use crate::modelling::Modelling;
use crate::pipeline::{Bases, Executions, Form, Forms, end_where};
use crate::recheck::certified;
use engine::{Proof, Reason, Run};
use ir::{Cfa, LocId, LocationKind, ProcId, Program, PropertyId};
use pass::{Bound, Passed, SPLIT, Split, inlined_edges, object_sizes, starts_threads};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A program with more edges without calls is not analysed without calls: making it takes longer than engines should wait.
const MOST_INLINED: usize = 20_000;

/// A program with more edges is not brought to a form without memory for analyses alone.
const MOST_SPLIT: usize = 60_000;

/// What is decided without an engine that asks a solver.
pub struct Decided {
    /// The checks that nothing violates.
    pub proved: FxHashSet<PropertyId>,
    /// Whether nothing unsupported is reached.
    pub supported: bool,
    pub proof: Proof,
    pub checked_by: Option<&'static str>,
}

/// How analyses look at a program: in the order in which they are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// As it is.
    Procedures,
    /// With its calls, but without memory.
    WithoutMemory,
    /// Without calls and memory, where ranges alone are asked.
    Ranges,
    /// The same, with relations between variables.
    WithoutCalls,
}

impl View {
    /// The one that costs next to nothing.
    pub const FIRST: [View; 1] = [View::Procedures];
    /// Those that want the program in another form.
    pub const OTHERS: [View; 3] = [View::WithoutMemory, View::Ranges, View::WithoutCalls];
}

/// What is asked of analyses.
pub struct Question<'a> {
    pub program: &'a Program,
    pub bases: &'a Arc<Bases>,
    /// The checks that have no verdict.
    pub open: &'a FxHashSet<PropertyId>,
    pub no_recheck: bool,
}

impl Question<'_> {
    /// What analyses exclude in one view of the program. Where they do not show that accesses stay in the regions that they are
    /// assumed to stay in, nothing is assumed.
    pub fn ask(&self, view: View, run: &mut Run, record: &mut Record) -> Result<Decided, Reason> {
        if view == View::WithoutCalls
            && let Some(decided) = self.ask_split(view, Split::default(), run, record)?
        {
            return Ok(decided);
        }
        let what = || Reason::Internal("something is assumed of memory that should not be".into());
        self.ask_split(view, Split::EXACT, run, record)?.ok_or_else(what)
    }

    /// Nothing if an assumption of the split may fail.
    fn ask_split(
        &self,
        view: View,
        split: Split,
        run: &mut Run,
        record: &mut Record,
    ) -> Result<Option<Decided>, Reason> {
        let program = self.program;
        if starts_threads(program) {
            return Err(Reason::NotAttempted("analyses are for programs without threads".into()));
        }
        let is_too_large = match view {
            View::Procedures => false,
            View::WithoutMemory => program.edges().count() > MOST_SPLIT,
            View::Ranges | View::WithoutCalls => inlined_edges(program) > MOST_INLINED,
        };
        if is_too_large {
            return Err(Reason::NotAttempted("the program is large".into()));
        }
        run.tick()?;
        let passed = record.phase("passes", || match view {
            View::Procedures => Ok(object_sizes(program)),
            View::WithoutMemory => self.bases.with_calls().map(|passed| passed.then(object_sizes)),
            View::Ranges | View::WithoutCalls => {
                let forms = Forms::of(self.bases.clone(), Arc::new(|_| false));
                forms.get(Form::Flat, program, 1, Executions::All, Modelling { split, ..Modelling::default() })
            }
        })?;
        run.tick()?;
        let (excluded, proof) = record.phase(dataflow::NAME, || match view {
            View::Ranges | View::WithoutCalls => {
                let found = match view {
                    View::Ranges => dataflow::excluded_by_ranges(&passed.program)?,
                    _ => dataflow::excluded(&passed.program, run.shared())?,
                };
                let entry = passed.program.entry;
                Ok((found.locations.into_iter().map(|location| (entry, location)).collect(), found.proof))
            }
            _ => dataflow::procedures::excluded(&passed.program, run).map(|found| (found.locations, found.proof)),
        })?;
        let assumes = |kind| Bound::of(kind).is_some_and(|bound| bound.name == SPLIT);
        for (id, procedure) in passed.program.procedures() {
            let mut locations = procedure.body.iter().flat_map(Cfa::locations);
            if locations.any(|(at, location)| assumes(location.kind) && !excluded.contains(&(id, at))) {
                return Ok(None);
            }
        }
        self.decided(&passed, &excluded, proof, run, record).map(Some)
    }

    fn decided(
        &self,
        passed: &Passed,
        excluded: &FxHashSet<(ProcId, LocId)>,
        proof: Proof,
        run: &Run,
        record: &mut Record,
    ) -> Result<Decided, Reason> {
        let (mut left, mut supported, mut has_unsupported) = (FxHashSet::default(), true, false);
        for (id, procedure) in passed.program.procedures() {
            for (location, data) in procedure.body.iter().flat_map(Cfa::locations) {
                has_unsupported |= matches!(data.kind, LocationKind::Unsupported(_));
                match data.kind {
                    _ if excluded.contains(&(id, location)) => {}
                    LocationKind::Error(check) => {
                        left.insert(check);
                    }
                    LocationKind::Unsupported(_) => supported = false,
                    LocationKind::Plain | LocationKind::End => {}
                }
            }
        }
        let proved: FxHashSet<PropertyId> = self.open.difference(&left).copied().collect();
        if proved.is_empty() && (!supported || !has_unsupported) {
            return Ok(Decided { proved, supported, proof, checked_by: None });
        }
        let mut only = passed.program.clone();
        end_where(&mut only, |kind| match kind {
            LocationKind::Error(check) => !proved.contains(&check),
            kind @ LocationKind::Unsupported(_) => !supported && Bound::of(kind).is_none(),
            LocationKind::Plain | LocationKind::End => false,
        });
        let only = Passed { program: only, lift: passed.lift.clone() };
        let checked_by = match self.no_recheck {
            true => None,
            false => Some(record.phase("recheck", || certified(&only, &proof, false, run))?),
        };
        Ok(Decided { proved, supported, proof, checked_by })
    }
}

/// All checks of a program.
pub fn checks(program: &Program) -> impl Iterator<Item = PropertyId> + use<> {
    (0..program.properties.len() as u32).map(PropertyId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Request, load};
    use ir::interp::{End, Interpreter, Limits, NoHost, Random};
    use ir::random::{Config, program};
    use std::path::{Path, PathBuf};

    /// What analyses find out of random programs with calls passes its check, and often it is something.
    #[test]
    fn proofs_of_analyses_pass_their_check() {
        let mut proved = 0;
        for seed in 0..300 {
            // Other views want memory as frontends use it.
            let (config, views) = match seed % 3 {
                0 => (Config::everything(ir::DataModel::Lp64), &View::FIRST[..]),
                _ => (Config::scalar(), &[View::Procedures, View::WithoutMemory, View::WithoutCalls][..]),
            };
            let program = program(seed, &config);
            let open: FxHashSet<PropertyId> = checks(&program).collect();
            let bases = Arc::new(Bases::new(program.clone()));
            let question = Question { program: &program, bases: &bases, open: &open, no_recheck: false };
            for view in views.iter().copied() {
                match question.ask(view, &mut Run::unlimited(), &mut Record::default()) {
                    Ok(decided) => proved += decided.proved.len(),
                    Err(why) => assert!(!matches!(why, Reason::Internal(_)), "seed {seed}, {view:?}: {why}"),
                }
            }
        }
        assert!(proved > 50, "{proved} checks are proved: the test says little");
    }

    /// Programs with sizes as constants do what they did: cases of C, with the same random choices.
    #[test]
    fn known_sizes_change_no_execution() {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/c");
        let inside = |path: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect()
        };
        let mut files: Vec<PathBuf> = inside(&cases).iter().flat_map(|folder| inside(folder)).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        files.sort();
        let (mut rewritten, mut compared) = (0, 0);
        for file in files.into_iter().step_by(9) {
            let request = Request { file, properties: vec!["valid-deref".to_string()], ..Request::default() };
            let Ok(loaded) = load(&request) else { continue };
            let simpler = object_sizes(&loaded.program).program;
            rewritten += usize::from(ir::print(&simpler) != ir::print(&loaded.program));
            for seed in 0..4 {
                let limits = Limits { steps: 20_000, ..Limits::default() };
                let end = |program: &Program| {
                    Interpreter::new(program).run(&mut Random::new(seed), &mut NoHost, &limits, None).end
                };
                let (before, after) = (end(&loaded.program), end(&simpler));
                if ![&before, &after].iter().any(|end| matches!(end, End::Limit(_))) {
                    compared += 1;
                    assert_eq!(format!("{before:?}"), format!("{after:?}"), "{:?}, seed {seed}", request.file);
                }
            }
        }
        assert!(rewritten > 20 && compared > 100, "{rewritten} programs, {compared} executions: the test says little");
    }
}
