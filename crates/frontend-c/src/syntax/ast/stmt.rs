//! Statements.

use super::{Attribute, Declaration, ExprId, Name, StaticAssert, StmtId};
use source::{Span, Symbol};

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A lone `;`.
    Empty,
    Expr(ExprId),
    Declaration(Box<Declaration>),
    StaticAssert(Box<StaticAssert>),
    /// GNU's `__label__ a, b;`, only at the beginning of a block.
    LocalLabels(Vec<Name>),
    Block(Vec<StmtId>),
    /// An `if` with all its `else if`s, and what the last `else` holds.
    If(Vec<IfArm>, Option<StmtId>),
    Switch(ExprId, StmtId),
    While(ExprId, StmtId),
    DoWhile(StmtId, ExprId),
    For(Box<For>),
    /// A statement with the labels in front of it, in their order; there is at least one.
    Labelled(Vec<Label>, StmtId),
    Goto(Name),
    /// GNU's `goto *e;`.
    GotoComputed(ExprId),
    Break,
    Continue,
    Return(Option<ExprId>),
    Asm(Box<Asm>),
}

#[derive(Clone, Copy, Debug)]
pub struct IfArm {
    pub condition: ExprId,
    pub then: StmtId,
}

#[derive(Clone, Debug)]
pub struct For {
    /// A [`StmtKind::Expr`], a [`StmtKind::Declaration`] or a [`StmtKind::StaticAssert`].
    pub init: Option<StmtId>,
    pub condition: Option<ExprId>,
    pub step: Option<ExprId>,
    pub body: StmtId,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub kind: LabelKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum LabelKind {
    Case(ExprId),
    /// GNU's `case first ... last:`, both included.
    CaseRange(ExprId, ExprId),
    Default,
    Named(Symbol, Vec<Attribute>),
}

/// An assembler statement. It is kept so that a later stage can say where it stands.
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    pub is_volatile: bool,
    pub is_goto: bool,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<String>,
    pub labels: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<Name>,
    pub constraint: String,
    pub value: ExprId,
}
