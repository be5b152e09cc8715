//! Symbolic memory graphs: what is known of variables and objects at a location (Dudka, Peringer, Vojnar, "Byte-Precise
//! Verification of Low-Level List Manipulation"; list segments as in Berdine, Calcagno, O'Hearn, "Symbolic Execution
//! with Separation Logic").
//!
//! A graph stands for the states for which there are values of its *symbols* (variables of terms with an instance above
//! 0) so that all it says holds. What it does not mention may be anything, other objects too, but for what
//! [`Graph::lost`] says.

use ir::LocId;
use std::collections::BTreeMap;
use term::{Sort, Term};

/// Values of a bit-vector, as unsigned numbers: closed intervals, in order, with gaps between them.
pub type Ranges = Vec<(u128, u128)>;

/// A graph that covers states at a location.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    pub location: LocId,
    pub graph: Graph,
}

/// What is known of a state.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Graph {
    /// What variables of the program hold: terms over symbols.
    pub variables: BTreeMap<Term, Term>,
    /// Objects by their identities: symbols, or constants for static objects. All are different, and none is 0.
    pub regions: BTreeMap<Term, Region>,
    /// Lists of objects, which are different from all others.
    pub segments: Vec<Segment>,
    /// The values that symbols may have; any, if nothing is said.
    pub ranges: BTreeMap<Term, Ranges>,
    /// Whether dynamic objects may live that are neither regions nor in segments.
    pub lost: bool,
}

/// An object.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Region {
    /// In bytes, if it is known, as are the others.
    pub size: Option<Term>,
    pub alive: Option<bool>,
    pub dynamic: Option<bool>,
    /// Whether bytes that belong to no field are zero. Otherwise they may be anything.
    pub zero: bool,
    /// Values by their offsets, which take as many bytes as their sorts say, and do not overlap.
    pub fields: BTreeMap<u64, Term>,
}

/// Objects that live, of equal size, each with a pointer to the next one, and in a doubly linked list also to the one
/// before.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// The identity of the first object.
    pub first: Term,
    /// The identity of the last object, of a doubly linked list. It is not the first.
    pub last: Option<Term>,
    /// Where in objects the pointer to the next one lies.
    pub next: u64,
    /// Where the pointer to the one before lies, of a doubly linked list.
    pub before: Option<u64>,
    /// The offset that these pointers have.
    pub start: u64,
    /// There are at least so many objects: 1, or 2 in a doubly linked list.
    pub least: u64,
    pub size: Term,
    pub dynamic: bool,
    /// What is known of objects' other fields: each object is as one of these.
    pub layouts: Vec<Layout>,
    /// What the last object has for its next one.
    pub next_of_last: Term,
    /// What the first object has for the one before, of a doubly linked list.
    pub before_first: Option<Term>,
}

/// Members of an object of a list, by their offsets.
pub type Layout = BTreeMap<u64, Member>;

/// What is known of a field of an object of a list.
#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    /// All objects that are as this one have this value.
    Same(Term),
    /// Each has a value of its own, of this sort, and among these where ranges are given.
    Any(Sort, Option<Ranges>),
    /// A pointer to the object itself, with this offset, of a sort.
    Itself(Sort, u64),
}

/// The symbol for the number of dynamic objects that live.
pub fn count() -> Term {
    Term::var("$count", Sort::object()).at_instance(1)
}
