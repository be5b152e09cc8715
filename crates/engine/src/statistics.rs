//! Statistics: figures with names, in the order in which they are shown.
//!
//! An engine declares its figures in one struct of its own and turns it into [`Statistics`] in one place; text, JSON and
//! bench tables are all rendered from that.

use std::fmt;
use std::time::Duration;

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub enum Statistic {
    Count(u64),
    Time(Duration),
    Ratio(f64),
    Text(String),
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statistic::Count(n) => write!(f, "{n}"),
            Statistic::Time(t) => write!(f, "{:.3} s", t.as_secs_f64()),
            Statistic::Ratio(r) => write!(f, "{r:.2}"),
            Statistic::Text(t) => f.write_str(t),
        }
    }
}

/// Named figures in order.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Statistics(Vec<(&'static str, Statistic)>);

impl Statistics {
    /// Sets the figure of this name, at the end if it is new.
    pub fn set(&mut self, name: &'static str, figure: Statistic) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = figure,
            None => self.0.push((name, figure)),
        }
    }

    pub fn count(&mut self, name: &'static str, n: u64) {
        self.set(name, Statistic::Count(n));
    }

    pub fn time(&mut self, name: &'static str, t: Duration) {
        self.set(name, Statistic::Time(t));
    }

    pub fn get(&self, name: &str) -> Option<&Statistic> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, figure)| figure)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Statistic)> {
        self.0.iter().map(|(name, figure)| (*name, figure))
    }
}
