//! The laws of programs, by name, and what it means that one is broken.

use crate::{EdgeId, LocId};
use source::{Place, Symbol};
use std::fmt;

/// Declares [`Rule`] so that a law's sentence is written once: it is the documentation and what users are shown.
macro_rules! rules {
    ($(#[doc = $law:literal] $rule:ident = $name:literal,)*) => {
        /// A law of programs.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule {
            $(#[doc = $law] $rule,)*
        }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];

            /// The stable name, in kebab-case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Rule::$rule => $name,)*
                }
            }

            /// The law in a sentence.
            pub fn law(self) -> &'static str {
                match self {
                    $(Rule::$rule => $law.trim_ascii(),)*
                }
            }
        }
    };
}

rules! {
    /// The program's entry is one of its procedures.
    EntryExists = "entry-exists",
    /// The procedure where execution starts has a body.
    EntryHasBody = "entry-has-body",
    /// No two procedures have one name.
    UniqueProcedure = "unique-procedure",
    /// No two variables of the whole program have one name.
    UniqueVariable = "unique-variable",
    /// No two uninterpreted functions have one name, and none has the name of a variable.
    UniqueFunction = "unique-function",
    /// What is declared as a variable is a variable term of instance 0.
    DeclarationIsVariable = "declaration-is-variable",
    /// Only globals are thread-local.
    ThreadLocalIsGlobal = "thread-local-is-global",
    /// A variable with the name of one of memory's is a global that threads share.
    MemoryIsGlobal = "memory-is-global",
    /// A variable with the name of one of memory's has its sort.
    MemorySort = "memory-sort",
    /// Pointers and memory have the width that the data model gives to pointers.
    PointerWidth = "pointer-width",
    /// A sort is not nested deeper than the textual form can say.
    SortDepth = "sort-depth",
    /// An object is smaller than the address space.
    ObjectSize = "object-size",
    /// An object that is a function names a procedure.
    ObjectProcedure = "object-procedure",
    /// An axiom is a formula.
    AxiomIsFormula = "axiom-is-formula",
    /// An axiom mentions no variable that it does not bind.
    AxiomIsClosed = "axiom-is-closed",
    /// A procedure with a body takes a fixed number of arguments.
    VariadicHasNoBody = "variadic-has-no-body",
    /// A procedure without a body has no local variables.
    LocalsHaveBody = "locals-have-body",
    /// Entry and exit of a procedure are two locations.
    EntryIsNotExit = "entry-is-not-exit",
    /// The exit of a procedure is a plain location.
    ExitIsPlain = "exit-is-plain",
    /// No edge leads to the entry of a procedure.
    NoEdgeToEntry = "no-edge-to-entry",
    /// No edge leaves the exit of a procedure.
    NoEdgeFromExit = "no-edge-from-exit",
    /// No edge leaves a location that is not plain.
    NoEdgeFromSpecial = "no-edge-from-special",
    /// An error location names a property of the program.
    PropertyExists = "property-exists",
    /// A variable in a term is declared, or bound by a quantifier around it.
    VariableDeclared = "variable-declared",
    /// A variable in a term has the sort of its declaration.
    VariableSort = "variable-sort",
    /// A variable in a term has instance 0.
    VariableInstance = "variable-instance",
    /// A local variable occurs only in its own procedure.
    VariableInScope = "variable-in-scope",
    /// A bound variable does not have the name of a declared one.
    BoundIsFresh = "bound-is-fresh",
    /// The variables that one quantifier binds have different names.
    BoundIsDistinct = "bound-is-distinct",
    /// A function that a term applies is declared, with that signature.
    FunctionDeclared = "function-declared",
    /// What an operation changes is a variable.
    TargetIsVariable = "target-is-variable",
    /// An operation changes no variable twice.
    TargetIsDistinct = "target-is-distinct",
    /// A variable is assigned a value of its sort.
    AssignSort = "assign-sort",
    /// What is assumed is a formula.
    AssumeIsFormula = "assume-is-formula",
    /// What is called or spawned is a procedure of the program.
    CalleeExists = "callee-exists",
    /// A call passes an argument for each parameter, and more only to a variadic procedure.
    ArgumentCount = "argument-count",
    /// An argument has the sort of its parameter.
    ArgumentSort = "argument-sort",
    /// A call assigns each of the callee's results.
    ResultCount = "result-count",
    /// A result is assigned to a variable of its sort.
    ResultSort = "result-sort",
    /// The number of a thread is assigned to a bit-vector or an integer.
    ThreadSort = "thread-sort",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A law that a program breaks, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub rule: Rule,
    /// What exactly is wrong.
    pub message: String,
    pub at: Site,
}

/// A part of a program.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Site {
    pub procedure: Option<Symbol>,
    pub location: Option<LocId>,
    pub edge: Option<EdgeId>,
    /// Where the user wrote it.
    pub place: Option<Place>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)?;
        if let Some(procedure) = self.at.procedure {
            write!(f, ", in procedure {procedure}")?;
        }
        if let Some(LocId(location)) = self.at.location {
            write!(f, ", location L{location}")?;
        }
        if let Some(EdgeId(edge)) = self.at.edge {
            write!(f, ", edge {edge}")?;
        }
        if let Some(place) = self.at.place {
            write!(f, ", at {place}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violation {}
