//! How often a solver was asked, and how long it took.

use std::time::Duration;

/// What a solver's time is spent on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Satisfiability checks, whoever asked for them.
    Check,
    /// Terms to the solver's own representation.
    Translation,
    /// Enumerations of all models over given literals. Their checks count under [`Kind::Check`] too.
    AllSmt,
    /// Interpolation problems.
    Interpolation,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Check, Kind::Translation, Kind::AllSmt, Kind::Interpolation];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Check => "solver checks",
            Kind::Translation => "solver translations",
            Kind::AllSmt => "allsmt queries",
            Kind::Interpolation => "interpolation queries",
        }
    }
}

/// Queries and their time by kind.
#[derive(Clone, Default, Debug)]
pub struct Statistics([(u64, Duration); Kind::ALL.len()]);

impl Statistics {
    pub fn record(&mut self, kind: Kind, time: Duration) {
        let (count, total) = &mut self.0[kind as usize];
        *count += 1;
        *total += time;
    }

    pub fn count(&self, kind: Kind) -> u64 {
        self.0[kind as usize].0
    }

    pub fn time(&self, kind: Kind) -> Duration {
        self.0[kind as usize].1
    }

    /// Adds what another solver counted.
    pub fn add(&mut self, other: &Statistics) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    /// Each kind with its count and time, for reports.
    pub fn iter(&self) -> impl Iterator<Item = (Kind, u64, Duration)> {
        Kind::ALL.iter().map(|kind| (*kind, self.count(*kind), self.time(*kind)))
    }
}
