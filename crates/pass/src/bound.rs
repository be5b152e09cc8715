//! Bounds of a model: where a pass models only a part of what a program may do, executions that leave it come to a
//! location that says so.
//!
//! Invariant: such a location is one that nothing is known beyond ([`LocationKind::Unsupported`]), so no proof passes
//! it by. Who is told that it can be reached knows of no violation within the bound, and nothing beyond it.

use ir::{Cfa, Location, LocationKind, Program};
use source::{Place, Symbol};

/// How far a model goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bound {
    /// One of [`NAMES`].
    pub name: &'static str,
    pub number: u64,
}

/// How often a procedure may be entered again while it runs.
pub const RECURSION: &str = "recursion";
/// How many objects of one place that allocates there may be.
pub const HEAP: &str = "heap";
/// How many bytes an object may have.
pub const OBJECT: &str = "object";
/// How many bytes around its object a pointer may move.
pub const MARGIN: &str = "margin";

/// No bound, but an assumption about the accesses to a class of objects, whose number it has: see [`crate::Split`].
pub const SPLIT: &str = "split";

const NAMES: [&str; 5] = [RECURSION, HEAP, OBJECT, MARGIN, SPLIT];
const BEYOND: &str = "beyond";

impl Bound {
    /// Where executions end that leave the model.
    pub fn location(self, place: Option<Place>) -> Location {
        let what = format!("{BEYOND} {} {}", self.name, self.number);
        Location { kind: LocationKind::Unsupported(Symbol::new(&what)), label: None, place }
    }

    /// The bound that executions have left at a location of this kind.
    pub fn of(kind: LocationKind) -> Option<Bound> {
        let LocationKind::Unsupported(what) = kind else { return None };
        let (name, number) = what.as_str().strip_prefix(BEYOND)?.strip_prefix(' ')?.split_once(' ')?;
        let name = NAMES.into_iter().find(|known| *known == name)?;
        Some(Bound { name, number: number.parse().ok()? })
    }

    /// All bounds of a program, in order.
    pub fn all(program: &Program) -> Vec<Bound> {
        let locations = program.procedures.iter().flat_map(|procedure| &procedure.body).flat_map(Cfa::locations);
        let mut bounds: Vec<Bound> = locations.filter_map(|(_, location)| Bound::of(location.kind)).collect();
        bounds.sort_unstable();
        bounds.dedup();
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_tell_their_bound() {
        for name in NAMES {
            let bound = Bound { name, number: 12 };
            assert_eq!(Bound::of(bound.location(None).kind), Some(bound));
        }
        for what in ["beyond repair 3", "beyond recursion", "recursion 3", "beyond recursion deep"] {
            assert_eq!(Bound::of(LocationKind::Unsupported(Symbol::new(what))), None, "{what}");
        }
        assert_eq!(Bound::of(LocationKind::End), None);
    }
}
