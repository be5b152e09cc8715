//! What became of a check: everything that a user may want to know, in no format yet.
//!
//! A [`Report`] is plain data; `report` renders it. Its trace was executed by the interpreter: values, calls and places
//! are what happened there, not what an engine believed.

pub use crate::axioms::Admitted;
use crate::inputs::Input;
pub use crate::narrate::Objects;
use crate::property::Property;
use crate::witness::invariants::SourceInvariant;
use engine::{Proof, Reason, Statistics};
use ir::interp::Choice;
use ir::{Assumption, DataModel, LocId, PropertyId};
use source::{Place, SourceMap, Span, Symbol};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;
use term::Value;

/// The result of one check.
#[derive(Debug)]
pub struct Report {
    /// The texts that spans point to.
    pub sources: SourceMap,
    /// The program's file as the user named it.
    pub file: String,
    /// The other files of a C program of several.
    pub linked: Vec<PathBuf>,
    pub data_model: DataModel,
    pub entry: Symbol,
    /// What was asked.
    pub properties: Vec<Property>,
    pub outcome: Outcome,
    /// The engine, or the step before all engines, that decided; `None` when nothing did.
    pub decided_by: Option<&'static str>,
    /// What the verdict rests on beyond the program's text.
    pub assumptions: Vec<Assumption>,
    /// Functions whose behaviour is not known, sorted by name.
    pub unknown_functions: Vec<UnknownFunction>,
    /// What else the user should know, e.g. that a label does not occur in the program.
    pub remarks: Vec<String>,
    /// What each engine that ran has measured.
    pub statistics: Vec<(&'static str, Statistics)>,
    /// How long each phase took, in order.
    pub phases: Vec<(&'static str, Duration)>,
}

impl Report {
    /// The same without the texts: then places are told, and no lines are shown.
    pub fn without_texts(&self) -> Report {
        let outcome = match self.outcome.clone() {
            Outcome::Violated(violation) => Outcome::Violated(Violation { span: None, ..violation }),
            outcome => outcome,
        };
        Report {
            sources: SourceMap::new(),
            file: self.file.clone(),
            linked: self.linked.clone(),
            properties: self.properties.clone(),
            outcome,
            assumptions: self.assumptions.clone(),
            unknown_functions: self.unknown_functions.clone(),
            remarks: self.remarks.clone(),
            statistics: self.statistics.clone(),
            phases: self.phases.clone(),
            ..*self
        }
    }

    /// What is violated, if something is.
    pub fn violated(&self) -> Option<&Violation> {
        match &self.outcome {
            Outcome::Violated(violation) => Some(violation),
            Outcome::Holds(_) | Outcome::Unknown(_) => None,
        }
    }
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Nothing that was asked about can happen.
    Holds(Certificate),
    Violated(Violation),
    Unknown(Reason),
}

/// A proof that was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Certificate {
    pub proof: Proof,
    /// Who checked it and on which program; `None` when the user asked for no check.
    pub checked_by: Option<&'static str>,
    /// What of the proof can be said of the source.
    pub invariants: Vec<SourceInvariant>,
}

/// A function without a body that Fathom has no model of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnknownFunction {
    pub name: Symbol,
    pub place: Option<Place>,
}

/// The results of a check for every property, each by itself.
#[derive(Debug)]
pub struct Summary {
    /// In the order of the properties.
    pub findings: Vec<Finding>,
}

/// What was found about one property.
#[derive(Debug)]
pub struct Finding {
    pub report: Report,
    /// The places where the property could be violated, as far as the text tells, each with its own verdict.
    pub checks: Vec<Check>,
    /// Reports about other places where it is violated, too.
    pub others: Vec<Report>,
    /// How long it took.
    pub time: Duration,
}

/// A place where a property could be violated.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// The number of what is checked in the program.
    pub id: PropertyId,
    pub property: Property,
    /// What would be violated, as a user reads it.
    pub text: Symbol,
    pub place: Option<Place>,
    /// The function that it is in.
    pub function: Option<Symbol>,
    pub verdict: CheckVerdict,
}

/// What is known of a check.
#[derive(Clone, PartialEq, Debug)]
pub enum CheckVerdict {
    /// No execution violates it.
    Proved {
        by: &'static str,
        provided: Provided,
    },
    /// An execution violates it, which was made again: the finding's report with this number tells it.
    Refuted,
    Open(Open),
}

/// What a proof of a check rests on beyond assumptions: executions end where one of these happens, and the proof says nothing
/// of what would follow.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Provided {
    /// Checks that are not proved and that can come before: the first of them.
    pub checks: Vec<PropertyId>,
    /// How many there are.
    pub count: usize,
    /// Something unsupported that may be reached.
    pub unsupported: Option<Reason>,
}

impl Provided {
    pub fn is_nothing(&self) -> bool {
        self.count == 0 && self.unsupported.is_none()
    }
}

/// Why a check is open.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    pub reason: Reason,
    /// Who tried.
    pub tried: Vec<&'static str>,
    /// With how many other checks at once it was tried last.
    pub together: usize,
    /// How long it was tried.
    pub time: Duration,
}

impl CheckVerdict {
    pub fn word(&self) -> &'static str {
        match self {
            CheckVerdict::Proved { .. } => "proved",
            CheckVerdict::Refuted => "refuted",
            CheckVerdict::Open(_) => "open",
        }
    }
}

/// How many checks there are with each verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub proved: usize,
    /// Those of the proved ones whose proofs are provided that something else does not happen before.
    pub provided: usize,
    /// Those of the proved ones that control flow or analyses decide.
    pub without_search: usize,
    pub refuted: usize,
    pub open: usize,
}

impl Tally {
    pub fn of<'a>(checks: impl IntoIterator<Item = &'a Check>) -> Tally {
        let mut tally = Tally::default();
        for check in checks {
            match &check.verdict {
                CheckVerdict::Proved { provided, by } => {
                    tally.proved += 1;
                    tally.without_search += usize::from(["connectivity", "dataflow"].contains(by));
                    tally.provided += usize::from(!provided.is_nothing());
                }
                CheckVerdict::Refuted => tally.refuted += 1,
                CheckVerdict::Open(_) => tally.open += 1,
            }
        }
        tally
    }

    pub fn plus(&self, other: &Tally) -> Tally {
        Tally {
            proved: self.proved + other.proved,
            provided: self.provided + other.provided,
            without_search: self.without_search + other.without_search,
            refuted: self.refuted + other.refuted,
            open: self.open + other.open,
        }
    }

    pub fn all(&self) -> usize {
        self.proved + self.refuted + self.open
    }
}

impl Summary {
    /// Each check once: what several functions of a library can come to is checked for each of them, and the worst verdict counts.
    pub fn merged(&self) -> Vec<&Check> {
        let badness = |check: &Check| match check.verdict {
            CheckVerdict::Refuted => 0,
            CheckVerdict::Open(_) => 1,
            CheckVerdict::Proved { .. } => 2,
        };
        let mut merged: BTreeMap<_, &Check> = BTreeMap::new();
        for finding in &self.findings {
            // There may be several at one place that say the same.
            let mut seen: HashMap<_, usize> = HashMap::new();
            for check in &finding.checks {
                let place = check.place.map(|place| (place.file.as_str(), place.line, place.column));
                let what = (place, check.property.to_string(), check.text.as_str());
                let number = seen.entry(what.clone()).or_default();
                let known = merged.entry((what, *number)).or_insert(check);
                *number += 1;
                if badness(check) < badness(known) {
                    *known = check;
                }
            }
        }
        merged.into_values().collect()
    }
}

impl Finding {
    /// The same of work that was told to stop: then checks are open for the reason why it was.
    pub fn stopped(mut self, why: &Reason) -> Finding {
        for check in &mut self.checks {
            if let CheckVerdict::Open(open) = &mut check.verdict
                && open.reason == Reason::Cancelled
            {
                open.reason = why.clone();
            }
        }
        self
    }

    /// What is known of a property as a whole.
    pub fn whole(report: Report) -> Finding {
        Finding { report, checks: Vec::new(), others: Vec::new(), time: Duration::ZERO }
    }

    /// The report that decided, and those about other places.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        std::iter::once(&self.report).chain(&self.others)
    }
}

impl Summary {
    /// The properties about accesses of the same program that are not proved: nothing is covered of what would follow an access outside
    /// of an object, so a proof of any other property holds of executions without one.
    pub fn accesses_not_proved(&self, of: &Finding) -> Vec<Property> {
        if of.checks.is_empty() {
            return Vec::new();
        }
        let is_about = |finding: &&Finding, property: Property| {
            finding.report.entry == of.report.entry && finding.report.properties.contains(&property)
        };
        // Valid dereferences are all of it.
        let looked_at = |property: Property| self.findings.iter().any(|finding| is_about(&finding, property));
        let all: &[Property] = match looked_at(Property::ValidDeref) {
            true => &[Property::ValidDeref],
            false => &[Property::ArrayBounds, Property::NullDeref],
        };
        let is_open = |property: &Property| {
            let mut about = self.findings.iter().filter(|finding| is_about(finding, *property));
            !of.report.properties.contains(property)
                && about.any(|finding| !matches!(finding.report.outcome, Outcome::Holds(_)))
        };
        all.iter().copied().filter(is_open).collect()
    }

    /// The report with the worst outcome, the first of them: a violation is worse than not knowing.
    pub fn worst(&self) -> Option<&Report> {
        let badness = |report: &&Report| match report.outcome {
            Outcome::Violated(_) => 0,
            Outcome::Unknown(_) => 1,
            Outcome::Holds(_) => 2,
        };
        self.findings.iter().map(|finding| &finding.report).min_by_key(badness)
    }
}

/// A violated property and the execution that shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub property: Property,
    /// The number of what is violated in the program.
    pub id: PropertyId,
    /// What is violated, as a user reads it.
    pub text: Symbol,
    pub place: Option<Place>,
    /// The same place in the texts of the report.
    pub span: Option<Span>,
    pub steps: Vec<TraceStep>,
    /// What the steps do not tell, if the execution is long.
    pub left_out: Option<LeftOut>,
    /// The names of objects that pointers in the steps point to.
    pub objects: Objects,
    /// What functions of the environment returned, in order.
    pub inputs: Vec<Input>,
    /// All that was left open, in order: it makes the execution again.
    pub choices: Vec<Choice>,
    /// What to look at first.
    pub causes: Causes,
    /// The first access behind an object's end, where the execution writes or reads what it wrote.
    pub beyond: Option<String>,
    /// How the program's axioms allow the execution.
    pub admitted: Admitted,
}

/// Statements whose change would avoid a violation.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Causes {
    /// The smallest sets, the likeliest first.
    pub sets: Vec<Cause>,
    /// What was not looked at.
    pub remark: Option<String>,
}

/// A set of statements whose change together would avoid a violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    pub suspects: Vec<Suspect>,
    /// The changed execution comes to the violated condition, which then holds; otherwise it does not come there.
    pub checked: bool,
}

/// A statement that may be the cause of a violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Suspect {
    pub function: Symbol,
    pub place: Place,
    /// The line of source text at that place, without its indentation.
    pub line: Option<Symbol>,
    /// The statement or condition itself, where it can be told from the rest of the line.
    pub text: Option<Symbol>,
    pub was: Was,
    /// The variables that it read, with their values.
    pub reads: Vec<Change>,
    pub repair: Option<Repair>,
}

/// What a statement did, and what would avoid the violation.
#[derive(Clone, PartialEq, Debug)]
pub enum Was {
    /// It gave a value; this one would avoid the violation.
    Value { value: Change, instead: Value },
    /// It stored here; there would avoid the violation.
    Stored { at: Value, instead: Value },
    /// A condition was true, or false; the opposite would avoid the violation.
    Condition(bool),
    /// One of several ways was taken; another would avoid the violation.
    Way,
    /// Only the repair is known.
    Repaired,
}

/// A small change of a statement that was executed and has no violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Repair {
    /// The statement after the change, where it can be written.
    pub text: Option<Symbol>,
    /// So many executions with other inputs have no violation, either.
    pub others: u64,
}

/// A part of an execution that is not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// It lies behind so many steps.
    pub after: usize,
    /// How many edges of the program it has.
    pub edges: u64,
}

/// One step of an execution that means something to a user.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceStep {
    pub thread: u32,
    /// The activation of the function in which it happens: each call has its own number.
    pub frame: u32,
    /// How many calls of its thread are open around this activation.
    pub depth: u32,
    pub function: Symbol,
    /// Where control was before the step.
    pub location: LocId,
    pub place: Option<Place>,
    /// The line of source text at that place, without its indentation.
    pub line: Option<Symbol>,
    pub event: Event,
}

/// What a step did.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Variables or memory got values.
    Assign(Vec<Change>),
    /// The environment chose these values.
    Choose(Vec<Change>),
    /// A branch was taken.
    Branch,
    /// A function was entered.
    Call { function: Symbol, arguments: Vec<Change> },
    /// A function returned.
    Return { function: Symbol, results: Vec<Change> },
    /// A thread was started.
    Start { thread: u32, function: Symbol },
}

/// Something that has a new value.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// As the user writes it; `None` for a result without a name.
    pub name: Option<Symbol>,
    /// The type as the source language writes it.
    pub type_name: Option<Symbol>,
    pub value: Value,
}
