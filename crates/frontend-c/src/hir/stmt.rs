//! Statements.

use super::{ExprId, Initializer, LabelId, LocalId, StmtId};
use source::{Span, Symbol};

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluates the expression; its value, if there is one, is not used.
    Expr(ExprId),
    /// A scope: the variables that statements of this list declare live from there to its end. A jump past a
    /// declaration into its scope is allowed; the variable then has no value yet.
    Block(Vec<StmtId>),
    /// The variable begins to live, with an arbitrary value if there is no initialiser. In a loop, each pass makes a new
    /// variable.
    Declare {
        local: LocalId,
        /// The number of bytes of a variable length array, of type `size_t`.
        size: Option<ExprId>,
        init: Option<Initializer>,
    },
    /// The condition has type `_Bool`.
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    Loop(Loop),
    Switch(Switch),
    /// Where jumps to the label go.
    Label(LabelId),
    Goto(LabelId),
    /// Leaves the innermost [`StmtKind::Loop`] or [`StmtKind::Switch`].
    Break,
    /// Goes on with the `step` of the innermost [`StmtKind::Loop`].
    Continue,
    /// With a value of the function's result type, unless that is `void` or the program does not give any.
    Return(Option<ExprId>),
    /// Something that Fathom does not support: what it is. Nothing is known from here on.
    Unsupported(Symbol),
}

/// `while`, `do` and `for`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Of type `_Bool`; without it the loop goes on for ever.
    pub condition: Option<ExprId>,
    /// Whether the condition is tested before the first pass.
    pub tests_first: bool,
    pub body: StmtId,
    /// Evaluated after the body, before the condition.
    pub step: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Switch {
    /// Of a promoted integer type.
    pub value: ExprId,
    /// No two overlap. They are in the order of the program text.
    pub cases: Vec<Case>,
    /// Where control goes if no case fits; without it, behind the switch.
    pub default: Option<LabelId>,
    /// Holds the labels.
    pub body: StmtId,
}

/// The values `low..=high` in the range of the type of the switch's value, and where they lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub low: i128,
    pub high: i128,
    pub label: LabelId,
}
