//! The checked program: names are resolved, types are known.
//!
//! Expressions stay in the syntax tree; what the checker found out about them lies in tables beside it. Statements are
//! made anew, with the variables and procedures that their names mean.

use crate::check::types::{Type, Types};
use crate::syntax::{Attributes, ExprId, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span, Symbol};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProcedureId(pub u32);

/// A whole program.
#[derive(Default, Debug)]
pub struct Unit {
    pub tree: Tree,
    pub types: Types,
    pub variables: Vec<Variable>,
    /// Functions, and constants as functions without parameters.
    pub functions: Vec<Function>,
    pub procedures: Vec<Procedure>,
    pub datatypes: Vec<Datatype>,
    pub globals: Vec<VarId>,
    pub axioms: Vec<ExprId>,
    /// Types that stand for sorts of SMT-LIB.
    pub foreign_types: FxHashSet<Symbol>,
    /// The type of each expression.
    pub expr_types: Vec<Type>,
    pub meanings: FxHashMap<ExprId, Meaning>,
    /// The variables that quantifiers and lambdas bind.
    pub bound: FxHashMap<ExprId, Vec<VarId>>,
    /// The bodies of code expressions.
    pub code: FxHashMap<ExprId, Rc<Body>>,
    /// What is odd, but does not keep the program from being one.
    pub warnings: Vec<Diagnostic>,
}

/// What a name in an expression means.
#[derive(Clone, Debug)]
pub enum Meaning {
    Variable(VarId),
    /// With the types for the function's type parameters.
    Function(FunctionId, Vec<Type>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    Global,
    Parameter,
    Result,
    Local,
    Bound,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Symbol,
    pub ty: Type,
    pub kind: VariableKind,
    /// The variable's `where` clause.
    pub condition: Option<ExprId>,
    pub thread_local: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    Plain,
    Constant {
        unique: bool,
        /// Whether it has a place in the partial order: its parents.
        parents: Option<Vec<FunctionId>>,
    },
    /// The n-th constructor of a datatype.
    Constructor(usize, usize),
    /// A field of a datatype.
    Selector(usize),
    /// Whether a value comes from a datatype's n-th constructor.
    Tester(usize, usize),
}

/// What is said about a function elsewhere than in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    Nothing,
    /// It is an operation of SMT-LIB.
    Builtin(Symbol),
    /// This SMT-LIB term, over its parameters, is what it gives.
    Defined(Symbol),
    /// Its value is to be inferred.
    Candidate,
    /// Something that has no meaning here: what it is.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    pub span: Span,
    pub kind: FunctionKind,
    pub type_parameters: Vec<Type>,
    pub parameters: Vec<VarId>,
    pub result: Type,
    pub body: Option<ExprId>,
    pub outside: Outside,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub constructors: Vec<FunctionId>,
    /// The selector of each parameter of each constructor.
    pub selectors: Vec<Vec<FunctionId>>,
    pub testers: Vec<FunctionId>,
}

/// Whether a procedure is marked `{:entrypoint}`. A mark of its implementation counts before one of its declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Entry {
    No,
    Declaration,
    Implementation,
}

#[derive(Debug)]
pub struct Procedure {
    pub name: Symbol,
    pub span: Span,
    pub entry: Entry,
    pub type_parameters: Vec<Type>,
    pub parameters: Vec<VarId>,
    pub results: Vec<VarId>,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<VarId>,
    pub implementations: Vec<Rc<Implementation>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Clause {
    pub free: bool,
    pub condition: ExprId,
    pub span: Span,
}

#[derive(Debug)]
pub struct Implementation {
    /// Its own names for the procedure's parameters and results.
    pub parameters: Vec<VarId>,
    pub results: Vec<VarId>,
    pub type_parameters: Vec<Type>,
    pub body: Body,
}

#[derive(Debug)]
pub struct Body {
    pub locals: Vec<VarId>,
    pub statements: Vec<Statement>,
}

#[derive(Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StatementKind {
    Label(Symbol),
    Assert(Attributes, ExprId),
    Assume(Attributes, ExprId),
    Havoc(Vec<VarId>),
    Assign(Vec<Target>, Vec<ExprId>),
    Call(Call),
    Async(Call),
    /// Calls that are made side by side.
    Parallel(Vec<Call>),
    /// A call with all values of the arguments that are left out.
    CallForall(ProcedureId, Vec<Option<ExprId>>),
    Goto(Vec<Symbol>),
    Return(Option<ExprId>),
    If {
        guard: Option<ExprId>,
        then: Vec<Statement>,
        other: Vec<Statement>,
    },
    While {
        guard: Option<ExprId>,
        invariants: Vec<Clause>,
        body: Vec<Statement>,
    },
    Break(Option<Symbol>),
    Yield,
    Fork {
        id: Vec<ExprId>,
        call: Call,
    },
    Join {
        id: Vec<ExprId>,
        results: Vec<VarId>,
    },
    Atomic(Vec<Statement>),
    /// Something that has no meaning here: what it is.
    Unsupported(&'static str),
}

#[derive(Debug)]
pub struct Call {
    pub attributes: Attributes,
    pub callee: ProcedureId,
    /// For the callee's type parameters.
    pub types: Vec<Type>,
    pub arguments: Vec<ExprId>,
    pub results: Vec<VarId>,
}

#[derive(Debug)]
pub struct Target {
    pub variable: VarId,
    pub parts: Vec<Part>,
}

#[derive(Debug)]
pub enum Part {
    Index(Vec<ExprId>),
    /// A field: its selector, with the types of the datatype.
    Field(FunctionId, Vec<Type>),
}

impl Unit {
    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// The Boolean constants that are to be inferred.
    pub fn candidates(&self) -> Vec<Symbol> {
        let all = self.functions.iter().filter(|function| function.outside == Outside::Candidate);
        all.map(|function| function.name).collect()
    }

    pub fn type_of(&self, expr: ExprId) -> Type {
        self.expr_types[expr.0 as usize]
    }
}
