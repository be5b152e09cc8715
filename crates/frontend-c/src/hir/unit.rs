//! The program as a whole: variables with static storage, functions, string literals.

use super::{Expr, ExprId, FunctionId, GlobalId, LabelId, LocalId, Place, PlaceId, Stmt, StmtId, StringId};
use crate::types::{Bits, Ty, Types};
use source::{Diagnostic, FileId, Span, Symbol};
use std::ops::Index;

/// A checked translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    pub file: FileId,
    pub types: Types,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    pub strings: Vec<StringLiteral>,
    /// What is worth saying about the program although it is accepted, e.g. functions declared by their call only.
    pub warnings: Vec<Diagnostic>,
}

impl Index<GlobalId> for Unit {
    type Output = Global;
    fn index(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }
}

impl Index<FunctionId> for Unit {
    type Output = Function;
    fn index(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
}

impl Index<StringId> for Unit {
    type Output = StringLiteral;
    fn index(&self, id: StringId) -> &StringLiteral {
        &self.strings[id.index()]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Known to other translation units.
    External,
    Internal,
}

/// Where an object with static storage comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalOrigin {
    /// A variable at file scope, or an `extern` one declared in a block.
    File,
    /// A `static` variable of this function, also its `__func__`.
    Static(FunctionId),
    /// A compound literal outside functions.
    CompoundLiteral,
}

/// A variable with static (or thread) storage. All declarations of it have been merged.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name that the user wrote; a made-up one for compound literals.
    pub name: Symbol,
    /// Different from that of all other globals and functions, except for what names the same object.
    /// Static variables of a function are named `function.name`, with a number after it if there are several.
    pub link_name: Symbol,
    pub origin: GlobalOrigin,
    pub linkage: Linkage,
    /// The composite type of all declarations. Incomplete only if the variable is not defined.
    pub ty: Ty,
    /// In bytes, with the elements of a flexible array member that an initialiser gives; `None` for an incomplete type.
    pub size: Option<u64>,
    /// The alignment that an attribute asks for beyond that of the type, in bytes.
    pub align: Option<u32>,
    /// What is there at the start, over zeros: ordered by position, without overlaps. `None` if the variable is only
    /// declared here, so that its value is not known.
    pub init: Option<Vec<StaticEntry>>,
    pub is_thread_local: bool,
    pub is_weak: bool,
    /// Whether it is defined without an initialiser, so that a definition with one in another file goes before it.
    pub is_tentative: bool,
    /// The variable that this name means too (attribute `alias`).
    pub alias: Option<GlobalId>,
    pub uses: Uses,
    /// Of the name in the definition, or else in the first declaration.
    pub span: Span,
}

/// How a variable is used, beyond reading and writing it, and its fields, as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Uses {
    /// Its address, or that of a part of it, becomes a value: by `&`, or because an array becomes a pointer. Directly
    /// indexing an array does not count. While this is not set, nothing but its name can reach the variable.
    pub address_taken: bool,
    /// An array in it is indexed by something that is not constant or not in its bounds.
    pub indexed: bool,
}

/// A part of the value that a variable starts with.
#[derive(Clone, PartialEq, Debug)]
pub struct StaticEntry {
    /// In bytes; for a bit-field, where its unit begins.
    pub offset: u64,
    pub bits: Option<Bits>,
    /// A scalar type, unqualified.
    pub ty: Ty,
    pub value: StaticValue,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StaticValue {
    /// The value in the type's range; also a pointer made from an integer.
    Int(i128),
    /// The bit pattern in the format of the type, as terms have it.
    Float(u128),
    /// An address. The type is a pointer, or an integer as wide.
    Address {
        base: AddressBase,
        /// In bytes.
        offset: i64,
    },
    Unsupported {
        what: Symbol,
        span: Span,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressBase {
    Global(GlobalId),
    Function(FunctionId),
    String(StringId),
}

/// A string literal. Equal literals are one object, as gcc makes them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StringLiteral {
    /// The bytes of the array, with its terminating zero.
    pub bytes: Vec<u8>,
    /// An array type.
    pub ty: Ty,
    /// Of its first occurrence.
    pub span: Span,
}

/// A function. All declarations of it have been merged.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Symbol,
    /// The name in the object file: from `asm("...")`, or the same.
    pub link_name: Symbol,
    pub linkage: Linkage,
    /// A function type: the composite of all declarations.
    pub ty: Ty,
    pub body: FunctionBody,
    /// Whether it is declared by nothing but a call of it.
    pub is_implicit: bool,
    pub is_noreturn: bool,
    /// It may return several times from one call, as `setjmp`.
    pub returns_twice: bool,
    pub is_weak: bool,
    /// Whether its body serves inlining only: it is no definition for other files (C11 6.7.4p7, or GNU's rule).
    pub is_inline_only: bool,
    /// Whether it is used as a value, so that a pointer may call it.
    pub address_taken: bool,
    /// The function that this name means too: by attribute `alias`, or because their link names are the same.
    pub alias: Option<FunctionId>,
    /// It runs before `main`; those of lower priority first.
    pub constructor: Option<u32>,
    /// It runs after `main`; those of higher priority first.
    pub destructor: Option<u32>,
    /// What its declarations here promise.
    pub contract: Contract,
    /// Of the name in the definition, or else in the first declaration.
    pub span: Span,
}

/// What callers of a function see to, and what it sees to in return.
#[derive(Clone, Default, Debug)]
pub struct Contract {
    /// Conditions, which give `_Bool`.
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    /// Pointers to what it may write; `None` if nothing is said.
    pub assigns: Option<Vec<Clause>>,
}

impl Contract {
    pub fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty() && self.assigns.is_none()
    }

    /// The functions that its clauses are.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> {
        let clauses = self.requires.iter().chain(&self.ensures).chain(self.assigns.iter().flatten());
        clauses.flat_map(|clause| std::iter::once(clause.function).chain(clause.extras.iter().filter_map(Extra::old)))
    }
}

/// An expression of a contract. It has no side effects.
#[derive(Clone, Debug)]
pub struct Clause {
    /// A function with the parameters of that which the contract is of, and one for each of the extras behind them.
    pub function: FunctionId,
    pub extras: Vec<Extra>,
    pub span: Span,
}

/// What a condition after the call knows beside the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    Result,
    /// What this function of the arguments gave at the call.
    Old(FunctionId),
}

impl Extra {
    fn old(&self) -> Option<FunctionId> {
        match self {
            Extra::Result => None,
            Extra::Old(function) => Some(*function),
        }
    }
}

#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// Only declared.
    None,
    Defined(Body),
    /// There is a definition, but nothing of it can be represented.
    Unsupported {
        what: Symbol,
        span: Span,
    },
}

/// The body of a function, and the tables that its ids point into: `body[id]`.
#[derive(Clone, Debug)]
pub struct Body {
    /// They take the arguments in this order, with the types in which arguments are passed.
    pub parameters: Vec<LocalId>,
    pub locals: Vec<Local>,
    pub labels: Vec<Label>,
    pub exprs: Vec<Expr>,
    pub places: Vec<Place>,
    pub stmts: Vec<Stmt>,
    /// A [`StmtKind::Block`](super::StmtKind::Block). Where control leaves it at its end, the function returns, and a
    /// result that it should have is not known (`main` has been given its `return 0`).
    pub root: StmtId,
    /// Where the body ends: its `}`.
    pub end: Span,
}

/// A parameter or a variable with automatic storage.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name that the user wrote; `None` for what the checker made up.
    pub name: Option<Symbol>,
    /// Complete; a variable length array if its length is a [`ArrayLength::Variable`](crate::types::ArrayLength::Variable).
    pub ty: Ty,
    pub uses: Uses,
    /// The alignment that an attribute asks for beyond that of the type, in bytes.
    pub align: Option<u32>,
    /// A function to be called with the variable's address when its scope is left (attribute `cleanup`).
    pub cleanup: Option<FunctionId>,
    /// Whether it holds a value of record type of which a member is used, and lives until the full expression around that
    /// ends (C11 6.2.4p8).
    pub is_temporary: bool,
    pub span: Span,
}

/// A place to jump to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// `None` for the labels of a `switch`.
    pub name: Option<Symbol>,
    pub span: Span,
}

macro_rules! index {
    ($($id:ident $node:ident $table:ident;)*) => {$(
        impl Index<$id> for Body {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$table[id.index()]
            }
        }
    )*};
}

index! {
    LocalId Local locals;
    LabelId Label labels;
    ExprId Expr exprs;
    PlaceId Place places;
    StmtId Stmt stmts;
}
