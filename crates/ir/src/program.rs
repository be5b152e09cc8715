//! Programs and what they declare.

use crate::{Assumption, Cfa, Edge, Op};
use rustc_hash::FxHashSet;
use source::{Place, Symbol};
use std::fmt;
use term::{Function, Sort, Term};

/// The sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataModel {
    /// int, long and pointers have 32 bits.
    Ilp32,
    /// long and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// The width of a pointer, and of its offset.
    pub fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The global variable that holds the exit status of a program that ends itself, at a location of kind
/// [`crate::LocationKind::End`]. No program reads it; one that never ends itself with a status does not declare it.
pub fn status() -> Term {
    Term::var("$status", Sort::bv(32))
}

/// A procedure's number: its index in [`Program::procedures`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcId(pub u32);

/// A property's number: its index in [`Program::properties`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PropertyId(pub u32);

/// A whole program.
///
/// Laws: every variable's name is unique in the program (locals are named `procedure::name`), so a variable term means
/// one declaration; only instance 0 of a variable occurs; each term's free variables are in scope.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The file that the program came from, as the user named it.
    pub file: Symbol,
    pub data_model: DataModel,
    pub globals: Vec<Variable>,
    /// Objects that exist from the start. The n-th has the identity n + 1; identity 0 is no object.
    pub objects: Vec<StaticObject>,
    /// Uninterpreted functions that terms may apply.
    pub functions: Vec<Function>,
    /// Closed formulas that hold in every execution.
    pub axioms: Vec<Term>,
    pub procedures: Vec<Procedure>,
    /// Where execution starts, with arbitrary arguments and arbitrary values of the globals.
    pub entry: ProcId,
    pub properties: Vec<Property>,
    /// What verdicts about the program rest on.
    pub assumptions: Vec<Assumption>,
}

/// A declared variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// The variable as it stands in terms: `Op::Var` with instance 0.
    pub term: Term,
    /// The name that the user wrote; `None` for what a frontend or pass made up.
    pub user_name: Option<Symbol>,
    /// The type as the source language writes it, e.g. `unsigned int`: values are shown by it.
    pub user_type: Option<Symbol>,
    /// Each thread has its own copy. Only for globals.
    pub thread_local: bool,
    /// No statement of the source gives it a value: it is declared, and what it holds is indeterminate. Only for locals.
    pub never_set: bool,
    pub place: Option<Place>,
}

impl Variable {
    /// A variable that no user wrote.
    pub fn internal(name: impl Into<Symbol>, sort: Sort) -> Variable {
        Variable {
            term: Term::var(name, sort),
            user_name: None,
            user_type: None,
            thread_local: false,
            never_set: false,
            place: None,
        }
    }

    pub fn name(&self) -> Symbol {
        self.term.name().expect("a declared variable is a variable term")
    }

    pub fn sort(&self) -> Sort {
        self.term.sort()
    }
}

/// What a static object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Variable,
    /// A string literal: writing to it is an error.
    Literal,
    /// A function whose address is taken: what a function pointer points to.
    Function(ProcId),
}

/// An object that exists from the start.
#[derive(Clone, PartialEq, Debug)]
pub struct StaticObject {
    pub name: Symbol,
    pub kind: ObjectKind,
    /// In bytes.
    pub size: u64,
    pub place: Option<Place>,
}

/// How a procedure without a body behaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// Known to do nothing but return arbitrary results (and, when executed, perhaps to print): `printf`, say.
    Benign,
    /// Not known: it is taken to return arbitrary results and to do nothing else, and the report says so.
    Unknown,
}

/// A procedure.
#[derive(Clone, PartialEq, Debug)]
pub struct Procedure {
    pub name: Symbol,
    pub parameters: Vec<Variable>,
    /// Whether a call may pass more arguments than there are parameters. Only without a body.
    pub variadic: bool,
    /// What the procedure returns: the values of these variables when `exit` is reached.
    pub results: Vec<Variable>,
    pub locals: Vec<Variable>,
    pub body: Result<Cfa, Model>,
    pub place: Option<Place>,
}

/// What must not happen: the program must not reach an error location of the property.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// The class that the command line names, e.g. `unreach-call`.
    pub class: Symbol,
    /// What is violated, as a user reads it, e.g. `assertion x > 0`.
    pub text: Symbol,
    pub place: Option<Place>,
}

impl Program {
    /// A program with nothing in it yet.
    pub fn empty(file: Symbol, data_model: DataModel) -> Program {
        Program {
            file,
            data_model,
            globals: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            axioms: Vec::new(),
            procedures: Vec::new(),
            entry: ProcId(0),
            properties: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    pub fn procedure(&self, id: ProcId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// All edges of all procedures.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.procedures.iter().flat_map(|procedure| procedure.body.iter().flat_map(Cfa::edges)).map(|(_, edge)| edge)
    }

    /// The variables that take the numbers of threads.
    pub fn thread_numbers(&self) -> FxHashSet<Term> {
        self.edges()
            .filter_map(|edge| if let Op::Spawn { thread, .. } = edge.op { Some(thread) } else { None })
            .collect()
    }

    /// Whether what the program does may depend on the numbers of threads.
    pub fn reads_thread_numbers(&self) -> bool {
        let numbers = self.thread_numbers();
        let read = term::free::variables(self.edges().flat_map(|edge| edge.op.reads()));
        !numbers.is_empty() && read.iter().any(|variable| numbers.contains(variable))
    }

    /// All terms of axioms and edges.
    pub fn terms(&self) -> Vec<Term> {
        let edges = self.procedures.iter().flat_map(|procedure| &procedure.body).flat_map(Cfa::edges);
        self.axioms.iter().copied().chain(edges.flat_map(|(_, edge)| edge.op.terms())).collect()
    }

    pub fn property(&self, id: PropertyId) -> &Property {
        &self.properties[id.0 as usize]
    }

    /// The procedures with their numbers.
    pub fn procedures(&self) -> impl Iterator<Item = (ProcId, &Procedure)> {
        self.procedures.iter().enumerate().map(|(i, p)| (ProcId(i as u32), p))
    }

    pub fn find_procedure(&self, name: &str) -> Option<ProcId> {
        self.procedures().find(|(_, p)| p.name.as_str() == name).map(|(id, _)| id)
    }

    /// The procedures that the program calls or may call, but whose behaviour is not known.
    pub fn unknown_functions(&self) -> impl Iterator<Item = &Procedure> {
        self.procedures.iter().filter(|p| p.body == Err(Model::Unknown))
    }
}
