//! Writes the automaton of one procedure.

use super::context::{Env, Old};
use ir::{Cfa, Edge, LocId, Location, LocationKind, Op, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Place, Symbol};
use term::{Sort, Term, build};

pub const ENTRY: LocId = LocId(0);
pub const EXIT: LocId = LocId(1);

/// What is known while a procedure is being lowered.
pub struct Frame {
    /// The procedure's name in the program.
    pub name: Symbol,
    pub env: Env,
    pub locals: Vec<ir::Variable>,
    /// Where the next edge starts; `None` where control cannot come to.
    here: Option<LocId>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
    pub labels: FxHashMap<Symbol, Label>,
    /// Labels of the statement that comes next: a `break` may name them.
    pub fresh_labels: Vec<Symbol>,
    pub breakable: Vec<Breakable>,
    /// How many atomic statements are around.
    pub atomic: u32,
    /// Where `return` leads.
    pub end: Label,
    /// Inside a code expression: what its value is asserted for.
    pub asserts: Option<PropertyId>,
    /// The place in another file that the user says the statements come from.
    pub origin: Option<Place>,
    names: FxHashSet<Symbol>,
}

/// A place that control can jump to.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    pub location: LocId,
    pub atomic: u32,
}

/// A statement that `break` can leave.
pub struct Breakable {
    pub labels: Vec<Symbol>,
    pub is_loop: bool,
    pub end: Label,
}

impl Frame {
    pub fn new(name: Symbol, place: Option<Place>) -> Frame {
        let plain = Location { kind: LocationKind::Plain, label: None, place };
        let mut frame = Frame {
            name,
            env: Env { old: Old::Outside(name), ..Env::default() },
            locals: Vec::new(),
            here: None,
            locations: vec![plain.clone(), plain],
            edges: Vec::new(),
            labels: FxHashMap::default(),
            fresh_labels: Vec::new(),
            breakable: Vec::new(),
            atomic: 0,
            end: Label { location: EXIT, atomic: 0 },
            asserts: None,
            origin: None,
            names: FxHashSet::default(),
        };
        frame.end.location = frame.location(place);
        frame.here = Some(frame.location(place));
        frame
    }

    pub fn location(&mut self, place: Option<Place>) -> LocId {
        self.special(LocationKind::Plain, place)
    }

    pub fn special(&mut self, kind: LocationKind, place: Option<Place>) -> LocId {
        self.locations.push(Location { kind, label: None, place });
        LocId(self.locations.len() as u32 - 1)
    }

    /// Where the next edge starts: somewhere unreachable, if control cannot come here.
    pub fn here(&mut self) -> LocId {
        match self.here {
            Some(here) => here,
            None => {
                let here = self.location(None);
                self.here = Some(here);
                here
            }
        }
    }

    pub fn go_on_at(&mut self, location: LocId) {
        self.here = Some(location);
    }

    /// Control does not come further.
    pub fn stop(&mut self) {
        self.here = None;
    }

    pub fn edge(&mut self, from: LocId, op: Op, to: LocId, place: Option<Place>) {
        self.edges.push(Edge { from, to, op, place });
    }

    /// An operation, after which control is at a new location.
    pub fn step(&mut self, op: Op, place: Option<Place>) {
        let from = self.here();
        let to = self.location(place);
        self.edge(from, op, to, place);
        self.here = Some(to);
    }

    pub fn assume(&mut self, condition: Term, place: Option<Place>) {
        if condition.as_bool() != Some(true) {
            self.step(Op::Assume(condition), place);
        }
    }

    /// Control goes to a location, out of as many atomic statements as that needs.
    pub fn jump(&mut self, to: Label, place: Option<Place>) {
        for _ in to.atomic..self.atomic {
            self.step(Op::AtomicEnd, place);
        }
        let from = self.here();
        self.edge(from, Op::skip(), to.location, place);
        self.stop();
    }

    /// The property is violated where the condition does not hold; control goes on where it does.
    pub fn assert(&mut self, condition: Term, property: PropertyId, place: Option<Place>) {
        let wrong = self.special(LocationKind::Error(property), place);
        let from = self.here();
        let violation = build::not(condition);
        let op = if violation.as_bool() == Some(true) { Op::skip() } else { Op::Assume(violation) };
        self.edge(from, op, wrong, place);
        self.step(Op::Assume(condition), place);
    }

    /// A name for a local that the procedure does not have yet.
    pub fn local_name(&mut self, wanted: &str) -> Symbol {
        let mut name = Symbol::new(&format!("{}::{wanted}", self.name));
        let mut n = 0;
        while !self.names.insert(name) {
            n += 1;
            name = Symbol::new(&format!("{}::{wanted}!{n}", self.name));
        }
        name
    }

    /// A local that no user wrote.
    pub fn internal(&mut self, wanted: &str, sort: Sort) -> Term {
        let name = self.local_name(wanted);
        self.locals.push(ir::Variable::internal(name, sort));
        Term::var(name, sort)
    }

    /// The automaton, which begins with saving the globals that `old` mentions.
    pub fn finish(mut self, saved: Vec<(Term, Term)>, start: LocId, place: Option<Place>) -> (Vec<ir::Variable>, Cfa) {
        for (copy, _) in &saved {
            let name = copy.name().unwrap_or(self.name);
            self.locals.push(ir::Variable::internal(name, copy.sort()));
        }
        self.edges.insert(0, Edge { from: ENTRY, to: start, op: Op::Assign(saved), place });
        (self.locals, super::tidy::tidy(self.locations, self.edges, ENTRY, EXIT))
    }
}
