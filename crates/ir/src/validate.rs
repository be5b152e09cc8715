//! The validator: checks the laws of [`Program`], each of which has a name.
//!
//! A valid program can be printed and parsed again, executed and given to every pass and engine without a surprise.
//! Frontends and passes are tested by it. The time is linear in the size of the program.

mod operations;
mod rule;
mod terms;

pub use rule::{Rule, Site, Violation};

use crate::{Cfa, DataModel, LocationKind, ObjectKind, ProcId, Procedure, Program, Variable, memory};
use rustc_hash::FxHashSet;
use source::{Place, Symbol};
use term::{Op, Sort, Term};
use terms::{Problem, TermChecker};

/// Checks all laws. The violations come in the order in which the program declares what breaks them.
pub fn validate(program: &Program) -> Result<(), Vec<Violation>> {
    let mut validator = Validator { program, terms: TermChecker::new(program), violations: Vec::new() };
    validator.names();
    // Where a name does not mean one thing, everything that uses it would seem wrong too.
    if validator.violations.is_empty() {
        validator.declarations();
        program.procedures().for_each(|(id, procedure)| validator.procedure(id, procedure));
    }
    if validator.violations.is_empty() { Ok(()) } else { Err(validator.violations) }
}

struct Validator<'a> {
    program: &'a Program,
    terms: TermChecker<'a>,
    violations: Vec<Violation>,
}

impl Validator<'_> {
    fn report(&mut self, rule: Rule, at: Site, message: String) {
        self.violations.push(Violation { rule, message, at });
    }

    fn require(&mut self, holds: bool, rule: Rule, at: Site, message: impl FnOnce() -> String) {
        if !holds {
            self.report(rule, at, message());
        }
    }

    fn accept(&mut self, at: Site, result: Result<(), Problem>) {
        if let Err((rule, message)) = result {
            self.report(rule, at, message);
        }
    }

    /// That each name is declared once.
    fn names(&mut self) {
        let program = self.program;
        let mut names = FxHashSet::default();
        for (variable, at) in program.globals.iter().map(|v| (v, site(v.place))).chain(locals(program)) {
            match variable.term.op() {
                Op::Var { name, instance: 0, .. } => {
                    let unique = names.insert(*name);
                    self.require(unique, Rule::UniqueVariable, at, || format!("the variable {name} is declared twice"));
                }
                _ => {
                    let message = "a term that is no variable of instance 0 is declared as one".to_string();
                    self.report(Rule::DeclarationIsVariable, at, message);
                }
            }
        }
        for function in &program.functions {
            let (unique, name) = (names.insert(function.name), function.name);
            self.require(unique, Rule::UniqueFunction, Site::default(), || format!("{name} is declared twice"));
        }
        let mut procedures = FxHashSet::default();
        for procedure in &program.procedures {
            let (unique, name) = (procedures.insert(procedure.name), procedure.name);
            self.require(unique, Rule::UniqueProcedure, site(procedure.place), || {
                format!("the procedure {name} is declared twice")
            });
        }
    }

    fn declarations(&mut self) {
        let program = self.program;
        match program.procedures.get(program.entry.0 as usize) {
            None => {
                let message = format!("the entry is procedure {}, of {}", program.entry.0, program.procedures.len());
                self.report(Rule::EntryExists, Site::default(), message);
            }
            Some(entry) => self.require(entry.body.is_ok(), Rule::EntryHasBody, site(entry.place), || {
                format!("execution starts in {}, which has no body", entry.name)
            }),
        }
        for (number, object) in program.objects.iter().enumerate() {
            let at = site(object.place);
            let fits = u128::from(object.size) < 1 << program.data_model.pointer_width();
            self.require(fits, Rule::ObjectSize, at, || format!("object {} has {} bytes", number + 1, object.size));
            if let ObjectKind::Function(ProcId(id)) = object.kind {
                let exists = (id as usize) < program.procedures.len();
                self.require(exists, Rule::ObjectProcedure, at, || format!("object {} is procedure {id}", number + 1));
            }
        }
        for global in &program.globals {
            self.variable(global, site(global.place), true);
        }
        for (local, at) in locals(program) {
            self.variable(local, at, false);
        }
        for function in &program.functions {
            for sort in function.parameters.iter().chain([&function.result]) {
                let result = self.terms.check_sort(*sort);
                self.accept(Site::default(), result);
            }
        }
        for axiom in &program.axioms {
            let result = self.terms.check_axiom(*axiom);
            self.accept(Site::default(), result);
        }
    }

    fn variable(&mut self, variable: &Variable, at: Site, global: bool) {
        let (name, thread_local) = (variable.name(), variable.thread_local);
        self.require(global || !thread_local, Rule::ThreadLocalIsGlobal, at, || {
            format!("the local variable {name} is thread-local")
        });
        let result = self.terms.check_sort(variable.sort());
        self.accept(at, result);
        if let Some(expected) = memory_sort(name, self.program.data_model) {
            self.require(global && !thread_local, Rule::MemoryIsGlobal, at, || {
                format!("{name} is not a global that threads share")
            });
            self.require(variable.sort() == expected, Rule::MemorySort, at, || {
                format!("{name} has the sort {}, not {expected}", variable.sort())
            });
        }
    }

    fn procedure(&mut self, id: ProcId, procedure: &Procedure) {
        let at = Site { procedure: Some(procedure.name), ..site(procedure.place) };
        match &procedure.body {
            Ok(cfa) => {
                self.require(!procedure.variadic, Rule::VariadicHasNoBody, at, || {
                    "a variadic procedure has a body".to_string()
                });
                self.locations(cfa, at);
                for (edge, step) in cfa.edges() {
                    let at = Site { edge: Some(edge), place: step.place, ..at };
                    self.ends(cfa, step, at);
                    self.operation(id, &step.op, at);
                }
            }
            Err(_) => self.require(procedure.locals.is_empty(), Rule::LocalsHaveBody, at, || {
                format!("{} local variables, but no body", procedure.locals.len())
            }),
        }
    }

    fn locations(&mut self, cfa: &Cfa, at: Site) {
        self.require(cfa.entry() != cfa.exit(), Rule::EntryIsNotExit, at, || {
            format!("L{} is both entry and exit", cfa.entry().0)
        });
        let exit = Site { location: Some(cfa.exit()), ..at };
        self.require(cfa.location(cfa.exit()).kind == LocationKind::Plain, Rule::ExitIsPlain, exit, || {
            "the exit is not plain".to_string()
        });
        for (id, location) in cfa.locations() {
            if let LocationKind::Error(property) = location.kind {
                let at = Site { location: Some(id), place: location.place, ..at };
                let exists = (property.0 as usize) < self.program.properties.len();
                self.require(exists, Rule::PropertyExists, at, || format!("there is no property {}", property.0));
            }
        }
    }

    /// The laws about where edges start and end.
    fn ends(&mut self, cfa: &Cfa, edge: &crate::Edge, at: Site) {
        self.require(edge.to != cfa.entry(), Rule::NoEdgeToEntry, at, || "an edge leads to the entry".to_string());
        if edge.from == cfa.exit() {
            self.report(Rule::NoEdgeFromExit, at, "an edge leaves the exit".to_string());
        } else {
            self.require(cfa.location(edge.from).kind == LocationKind::Plain, Rule::NoEdgeFromSpecial, at, || {
                format!("an edge leaves L{}, which is not plain", edge.from.0)
            });
        }
    }
}

fn site(place: Option<Place>) -> Site {
    Site { place, ..Site::default() }
}

/// All variables that a procedure declares.
fn variables_of(procedure: &Procedure) -> impl Iterator<Item = &Variable> {
    procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals)
}

/// All variables that procedures declare.
fn locals(program: &Program) -> impl Iterator<Item = (&Variable, Site)> {
    program.procedures.iter().flat_map(|procedure| {
        variables_of(procedure).map(|v| (v, Site { procedure: Some(procedure.name), ..site(v.place) }))
    })
}

/// The sort that a variable of this name must have to be part of memory.
fn memory_sort(name: Symbol, model: DataModel) -> Option<Sort> {
    let variable: Term = match name.as_str() {
        memory::MEMORY => memory::memory(model),
        memory::NEXT => memory::next(),
        memory::SIZE => memory::size(model),
        memory::ALIVE => memory::alive(),
        memory::DYNAMIC => memory::dynamic(),
        memory::BASE => memory::base(model),
        _ => return None,
    };
    Some(variable.sort())
}
