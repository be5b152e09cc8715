//! The syntax tree: what was written and nothing more.
//!
//! Expressions and types lie in two arenas of the [`Tree`], so that later steps can note what they find out about them
//! in tables beside it.

use source::{Span, Symbol};
use std::ops::Index;

/// A whole text.
#[derive(Default, Debug)]
pub struct Tree {
    pub declarations: Vec<Declaration>,
    pub exprs: Vec<Expr>,
    pub types: Vec<TypeExpr>,
}

/// An expression's number in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// A written type's number in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeRef(pub u32);

impl Index<ExprId> for Tree {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

impl Index<TypeRef> for Tree {
    type Output = TypeExpr;
    fn index(&self, id: TypeRef) -> &TypeExpr {
        &self.types[id.0 as usize]
    }
}

/// A name where it was written.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub text: Symbol,
    pub span: Span,
}

/// `{:key argument, ...}`
#[derive(Clone, Debug)]
pub struct Attribute {
    pub key: Symbol,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Copy, Debug)]
pub enum Argument {
    Text(Symbol),
    Expr(ExprId),
}

/// All attributes of one thing.
#[derive(Clone, Default, Debug)]
pub struct Attributes(pub Vec<Attribute>);

impl Attributes {
    pub fn find(&self, key: &str) -> Option<&Attribute> {
        self.0.iter().find(|attribute| attribute.key.as_str() == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The first argument of an attribute, if it is a string.
    pub fn text(&self, key: &str) -> Option<Symbol> {
        match self.find(key)?.arguments.first()? {
            Argument::Text(text) => Some(*text),
            Argument::Expr(_) => None,
        }
    }
}

#[derive(Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    Bv(u32),
    /// Widths of significand (with the hidden bit) and exponent.
    Float(u32, u32),
    Named(Name, Vec<TypeRef>),
    Map {
        parameters: Vec<Name>,
        domain: Vec<TypeRef>,
        range: TypeRef,
    },
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Eq,
    Ne,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Extends,
    Concat,
    Add,
    Sub,
    Mul,
    Slash,
    Div,
    Mod,
    Power,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binder {
    Forall,
    Exists,
    Lambda,
}

#[derive(Debug)]
pub enum ExprKind {
    Bool(bool),
    Integer(Symbol),
    Real(Symbol),
    /// As it was written: `7bv32`.
    BitVector(Symbol),
    Float(Symbol),
    Name(Name),
    Apply(Name, Vec<ExprId>),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Old(ExprId),
    ToInt(ExprId),
    ToReal(ExprId),
    Select(ExprId, Vec<ExprId>),
    Store(ExprId, Vec<ExprId>, ExprId),
    /// The bits below `high` from `low` on.
    Extract {
        operand: ExprId,
        high: u32,
        low: u32,
    },
    Coerce(ExprId, TypeRef),
    Quantified(Box<Quantified>),
    /// `(var x, y := d, e; body)`: the names stand for the values in the body.
    Let(Vec<Name>, Vec<ExprId>, ExprId),
    Code(Box<Body>),
    /// Whether a constructor made the value.
    Is(ExprId, Name),
    Field(ExprId, Name),
    WithField(ExprId, Name, ExprId),
}

#[derive(Debug)]
pub struct Quantified {
    pub binder: Binder,
    pub type_parameters: Vec<Name>,
    pub bound: Vec<Variable>,
    /// Each is a set of terms that must all match.
    pub triggers: Vec<Vec<ExprId>>,
    pub body: ExprId,
}

/// A variable, a parameter or a constant, where it is declared.
#[derive(Clone, Debug)]
pub struct Variable {
    pub attributes: Attributes,
    pub name: Name,
    pub ty: TypeRef,
    pub condition: Option<ExprId>,
}

#[derive(Debug)]
pub struct Declaration {
    pub attributes: Attributes,
    pub kind: DeclarationKind,
}

#[derive(Debug)]
pub enum DeclarationKind {
    Type { name: Name, parameters: Vec<Name>, synonym: Option<TypeRef> },
    Datatype { name: Name, parameters: Vec<Name>, constructors: Vec<(Name, Vec<Variable>)> },
    Constants { unique: bool, constants: Vec<Variable>, order: Option<Order> },
    Function(Function),
    Axiom(ExprId),
    Globals(Vec<Variable>),
    Procedure(Procedure),
    Implementation(Implementation),
}

/// The parents of a constant: `extends unique a, b complete`.
#[derive(Debug)]
pub struct Order {
    pub parents: Vec<Name>,
}

#[derive(Debug)]
pub struct Function {
    pub name: Name,
    pub type_parameters: Vec<Name>,
    /// Parameters without a name cannot be mentioned.
    pub parameters: Vec<(Option<Name>, TypeRef)>,
    pub result: TypeRef,
    pub body: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Signature {
    pub name: Name,
    pub type_parameters: Vec<Name>,
    pub parameters: Vec<Variable>,
    pub results: Vec<Variable>,
}

#[derive(Debug)]
pub struct Procedure {
    pub signature: Signature,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<Name>,
    /// A body makes it its own implementation.
    pub body: Option<Body>,
}

#[derive(Debug)]
pub struct Implementation {
    pub signature: Signature,
    pub body: Body,
}

/// A condition that is checked, or one that is taken for granted.
#[derive(Debug)]
pub struct Clause {
    pub free: bool,
    pub condition: ExprId,
    pub span: Span,
}

#[derive(Default, Debug)]
pub struct Body {
    pub locals: Vec<Variable>,
    pub statements: Vec<Statement>,
}

#[derive(Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// What decides: an expression, or chance.
pub type Guard = Option<ExprId>;

#[derive(Debug)]
pub enum StatementKind {
    Label(Name),
    Assert(Attributes, ExprId),
    Assume(Attributes, ExprId),
    Havoc(Vec<Name>),
    Assign(Vec<Target>, Vec<ExprId>),
    Call(Call),
    /// Calls that are made side by side.
    Parallel(Vec<Call>),
    CallForall(Name, Vec<Option<ExprId>>),
    Goto(Vec<Name>),
    /// The value is for code expressions.
    Return(Option<ExprId>),
    If {
        guard: Guard,
        then: Vec<Statement>,
        other: Vec<Statement>,
    },
    While {
        guard: Guard,
        invariants: Vec<Clause>,
        body: Vec<Statement>,
    },
    Break(Option<Name>),
    Yield,
    Fork {
        id: Vec<ExprId>,
        callee: Name,
        arguments: Vec<ExprId>,
    },
    Join {
        id: Vec<ExprId>,
        results: Vec<Name>,
    },
    Atomic(Vec<Statement>),
}

#[derive(Debug)]
pub struct Call {
    pub attributes: Attributes,
    pub is_async: bool,
    pub callee: Name,
    pub arguments: Vec<ExprId>,
    pub results: Vec<Name>,
}

/// What an assignment changes: a variable, or a part of it.
#[derive(Debug)]
pub struct Target {
    pub name: Name,
    pub parts: Vec<Part>,
}

#[derive(Debug)]
pub enum Part {
    Index(Vec<ExprId>),
    Field(Name),
}
