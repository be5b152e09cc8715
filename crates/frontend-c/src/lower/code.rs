//! Writing the body of a procedure, edge by edge.
//!
//! There is always a location to write at. After a jump it is a fresh one that nothing leads to; what is written there is
//! dropped when the body is finished.

use super::first::{self, Watched};
use super::provenance::Provenance;
use super::tidy;
use ir::{Cfa, CfaBuilder, DataModel, LocId, LocationKind, Op, Variable};
use rustc_hash::FxHashMap;
use source::{Place, Symbol};
use term::{Sort, Term, build};

/// The body of a procedure that is being written.
pub(super) struct Code {
    procedure: Symbol,
    cfa: CfaBuilder,
    at: LocId,
    /// What is written next stands here in the source.
    pub place: Option<Place>,
    pub locals: Vec<Variable>,
    /// How often a name was given, to tell shadowed variables apart.
    names: FxHashMap<String, u32>,
    temporaries: u32,
    pub provenance: Provenance,
    /// What is done before everything else.
    pub prelude: Vec<Op>,
    /// Variables that must have a value before they are read.
    pub watched: Vec<Watched>,
    /// How often a declaration of a variable was written, which makes it arbitrary.
    begun: FxHashMap<Term, usize>,
}

impl Code {
    pub fn new(procedure: Symbol, model: DataModel, start: Option<Place>, end: Option<Place>) -> Code {
        let mut code = Code {
            procedure,
            cfa: CfaBuilder::new(start, end),
            at: CfaBuilder::ENTRY,
            place: start,
            locals: Vec::new(),
            names: FxHashMap::default(),
            temporaries: 0,
            provenance: Provenance::new(model),
            prelude: Vec::new(),
            watched: Vec::new(),
            begun: FxHashMap::default(),
        };
        // Loops may begin right here, but nothing leads back to the entry.
        code.emit(Op::skip());
        code
    }

    /// Whether this is the procedure that execution starts with.
    pub fn is_start(&self) -> bool {
        self.procedure.as_str() == super::start::START
    }

    /// Whether no procedure calls this one: it starts the program or a thread.
    pub fn is_outermost(&self) -> bool {
        self.is_start() || self.procedure.as_str().starts_with(super::start::THREAD)
    }

    /// A name for a variable of the procedure that no other has.
    pub fn unique(&mut self, name: &str) -> Symbol {
        let uses = self.names.entry(name.to_owned()).or_default();
        *uses += 1;
        let procedure = self.procedure;
        // No other name contains the sign, so no name with a number can be given otherwise.
        if *uses == 1 {
            Symbol::new(&format!("{procedure}::{name}"))
        } else {
            Symbol::new(&format!("{procedure}::{name}#{uses}"))
        }
    }

    /// A new variable that no user wrote, with the beginning of a name.
    pub fn internal(&mut self, name: &str, sort: Sort) -> Term {
        let variable = Variable::internal(self.unique(name), sort);
        let term = variable.term;
        self.locals.push(variable);
        term
    }

    /// A new variable for an intermediate value. It is assigned before it is read, at one place in the text.
    pub fn temporary(&mut self, sort: Sort) -> Term {
        self.temporaries += 1;
        let name = format!("{}::${}", self.procedure, self.temporaries);
        let variable = Variable::internal(name.as_str(), sort);
        let term = variable.term;
        self.locals.push(variable);
        term
    }

    /// The value as it is now, whatever happens later.
    pub fn keep(&mut self, value: Term) -> Term {
        if value.value().is_some() {
            return value;
        }
        let kept = self.temporary(value.sort());
        self.assign(kept, value);
        kept
    }

    /// That variables are declared.
    pub fn begin(&mut self, variables: &[Term]) {
        variables.iter().for_each(|variable| *self.begun.entry(*variable).or_default() += 1);
        self.emit(Op::Havoc(variables.to_vec()));
    }

    /// An arbitrary value.
    pub fn arbitrary(&mut self, sort: Sort) -> Term {
        let variable = self.temporary(sort);
        self.emit(Op::Havoc(vec![variable]));
        variable
    }

    pub fn here(&self) -> LocId {
        self.at
    }

    pub fn location(&mut self) -> LocId {
        self.cfa.location(self.place)
    }

    pub fn set_label(&mut self, location: LocId, label: Symbol) {
        self.cfa.set_label(location, label);
    }

    /// Goes on writing at another location; nothing leads there from here.
    pub fn continue_at(&mut self, location: LocId) {
        self.provenance.forget();
        self.at = location;
    }

    pub fn emit(&mut self, op: Op) {
        self.provenance.step(&op);
        self.at = self.cfa.step(self.at, op, self.place);
    }

    pub fn assign(&mut self, variable: Term, value: Term) {
        if variable != value {
            self.emit(Op::assign(variable, value));
        }
    }

    /// Assigns several variables at once.
    pub fn assign_all(&mut self, pairs: Vec<(Term, Term)>) {
        let pairs: Vec<(Term, Term)> = pairs.into_iter().filter(|(variable, value)| variable != value).collect();
        if !pairs.is_empty() {
            self.emit(Op::Assign(pairs));
        }
    }

    pub fn assume(&mut self, condition: Term) {
        if condition.as_bool() != Some(true) {
            self.emit(Op::Assume(condition));
        }
    }

    /// Goes to a location. What is written next is unreachable.
    pub fn jump(&mut self, to: LocId) {
        self.cfa.edge(self.at, Op::skip(), to, self.place);
        self.at = self.location();
    }

    /// Goes to a location and goes on writing there.
    pub fn enter(&mut self, location: LocId) {
        self.cfa.edge(self.at, Op::skip(), location, self.place);
        self.continue_at(location);
    }

    /// Goes to one of two locations. What is written next is unreachable.
    pub fn branch(&mut self, condition: Term, then: LocId, otherwise: LocId) {
        for (condition, to) in [(condition, then), (build::not(condition), otherwise)] {
            self.branch_if(condition, to);
        }
        self.at = self.location();
    }

    /// A way to a location that is open where the condition holds. Nothing is said about where it does not.
    pub fn branch_if(&mut self, condition: Term, to: LocId) {
        match condition.as_bool() {
            Some(false) => {}
            Some(true) => {
                self.cfa.edge(self.at, Op::skip(), to, self.place);
            }
            None => {
                self.cfa.edge(self.at, Op::Assume(condition), to, self.place);
            }
        }
    }

    /// What is written next is unreachable.
    pub fn give_up(&mut self) {
        self.at = self.location();
    }

    /// Ends here in a special way. What is written next is unreachable.
    pub fn stop(&mut self, kind: LocationKind) {
        let end = self.cfa.special(kind, self.place);
        self.jump(end);
    }

    /// A location of a special kind.
    pub fn special(&mut self, kind: LocationKind) -> LocId {
        self.cfa.special(kind, self.place)
    }

    /// Goes to the procedure's exit.
    pub fn finish_here(&mut self) {
        self.jump(CfaBuilder::EXIT);
    }

    /// The finished body and its local variables. The results are read at the exit.
    pub fn finish(mut self, results: &[Term]) -> (Cfa, Vec<Variable>) {
        self.watched.extend(results.iter().map(|result| Watched { variable: *result, first: Vec::new() }));
        let cfa = self.cfa.finish();
        let mut writes: FxHashMap<Term, usize> = FxHashMap::default();
        for variable in cfa.edges().flat_map(|(_, edge)| edge.op.writes()) {
            *writes.entry(variable).or_default() += 1;
        }
        for local in &mut self.locals {
            local.never_set = self.begun.get(&local.term).is_some_and(|begun| writes.get(&local.term) == Some(begun));
        }
        let cfa = tidy::without_unreachable(cfa);
        let cfa =
            tidy::without_skips(first::settle(cfa, self.prelude, &self.watched, &self.provenance.derived, results));
        let used = tidy::variables(&cfa);
        self.locals.retain(|variable| used.contains(&variable.term));
        (cfa, self.locals)
    }
}
