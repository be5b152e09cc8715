//! The syntax tree of a Boolean program.

use source::{Span, Symbol};

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub text: Symbol,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Different,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Constant(bool),
    /// `*`: either value.
    Choice,
    Variable(Symbol),
    /// `'x` or `x'`: the value after the assignment.
    Next(Symbol),
    Not(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Condition, then, otherwise.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// True where the first holds, otherwise false where the second holds, otherwise either.
    Schoose(Box<Expr>, Box<Expr>),
}

/// One variable of a declaration, with the value that it gets.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: Name,
    pub value: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub labels: Vec<Name>,
    pub span: Span,
    pub kind: StatementKind,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Skip,
    Assume(Expr),
    Assert(Expr),
    /// No execution goes on where the condition holds.
    AbortIf(Expr),
    /// Holds before each of the statements that follow in the function, and where it returns.
    Enforce(Expr),
    Goto(Vec<Name>),
    Return(Vec<Expr>),
    Assign {
        targets: Vec<Name>,
        values: Vec<Expr>,
        constraint: Option<Expr>,
    },
    Call(Call),
    If {
        branches: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
    },
    While(Expr, Vec<Statement>),
    Dead(Vec<Name>),
    Declare(Vec<Declared>),
    Start(Start),
    EndThread,
    AtomicBegin,
    AtomicEnd,
    Sync(Name),
}

#[derive(Clone, Debug)]
pub struct Call {
    /// Variables that take the results; `_` for one that nobody wants.
    pub targets: Vec<Name>,
    pub callee: Name,
    pub arguments: Vec<Expr>,
}

/// What a new thread does.
#[derive(Clone, Debug)]
pub enum Start {
    Call(Call),
    /// It goes on at a label of the same function, with copies of the function's variables.
    Goto(Name),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    /// How many values it returns.
    pub results: usize,
    pub parameters: Vec<Name>,
    pub body: Vec<Statement>,
    /// The word `end`.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub declared: Declared,
    pub thread_local: bool,
}

#[derive(Clone, Default, Debug)]
pub struct Unit {
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
}

impl Expr {
    /// Whether the value is not determined by the variables.
    pub fn has_choice(&self) -> bool {
        match &self.kind {
            ExprKind::Choice | ExprKind::Schoose(..) => true,
            ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Next(_) => false,
            ExprKind::Not(a) => a.has_choice(),
            ExprKind::Binary(_, a, b) => a.has_choice() || b.has_choice(),
            ExprKind::If(a, b, c) => a.has_choice() || b.has_choice() || c.has_choice(),
        }
    }
}
