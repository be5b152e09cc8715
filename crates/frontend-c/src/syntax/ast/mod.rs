//! The syntax tree of a C translation unit, as the user wrote it: no types are computed, no names are resolved.
//!
//! Nodes that may nest without bound (expressions, statements, type names, struct and enum specifiers) live in tables of
//! the [`TranslationUnit`] and are named by ids: `unit[id]`. So the tree is compact, is freed without recursion, and
//! later stages can keep what they find out in tables beside it.
//!
//! Invariants:
//! - No path in the tree is longer than [`MAX_NESTING`] nodes; the parser refuses a deeper program. A recursive walk
//!   needs no more than that many frames, and `syntax::deep` gives it the stack.
//! - `else if` chains and runs of labels are flat lists, so neither adds to the depth.
//! - Parentheses and `__extension__` leave no trace.
//! - An [`ExprKind::Braces`] occurs only where C allows an initialiser.

mod decl;
mod expr;
mod stmt;

pub use decl::*;
pub use expr::*;
pub use stmt::*;

use source::{FileId, Span, Symbol};
use std::ops::Index;

/// The length of the longest path in a syntax tree that the parser accepts.
pub const MAX_NESTING: u32 = 10_000;

/// An identifier where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    pub symbol: Symbol,
    pub span: Span,
}

/// A whole parsed program text, and the tables that its ids point into.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    pub file: FileId,
    pub items: Vec<Item>,
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub type_names: Vec<TypeName>,
    pub records: Vec<Record>,
    pub enums: Vec<Enum>,
}

impl TranslationUnit {
    pub fn new(file: FileId) -> TranslationUnit {
        TranslationUnit {
            file,
            items: Vec::new(),
            exprs: Vec::new(),
            stmts: Vec::new(),
            type_names: Vec::new(),
            records: Vec::new(),
            enums: Vec::new(),
        }
    }
}

/// Something at the outermost level of a file.
#[derive(Clone, Debug)]
pub enum Item {
    Function(FunctionDefinition),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// `asm("...");` outside any function.
    Asm(Asm),
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    pub specifiers: Specifiers,
    /// Its `derived[0]` is a [`Derived::Function`] and its name is there.
    pub declarator: Declarator,
    /// The declarations of the parameters between `)` and `{` in an old-style definition.
    pub old_style: Vec<Declaration>,
    /// A [`StmtKind::Block`].
    pub body: StmtId,
    pub span: Span,
}

macro_rules! table {
    ($id:ident, $node:ident, $table:ident, $add:ident) => {
        #[doc = concat!("Names a [`", stringify!($node), "`] of its translation unit.")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $id(u32);

        impl $id {
            /// The position in the table, for tables that later stages keep beside it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Index<$id> for TranslationUnit {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$table[id.index()]
            }
        }

        impl TranslationUnit {
            #[doc = concat!("Adds a node to `", stringify!($table), "`.")]
            pub(in crate::syntax) fn $add(&mut self, node: $node) -> $id {
                // Every node covers a byte of a text whose offsets are 32 bits wide, so the count fits as well.
                let id = $id(self.$table.len() as u32);
                self.$table.push(node);
                id
            }
        }
    };
}

table!(ExprId, Expr, exprs, add_expr);
table!(StmtId, Stmt, stmts, add_stmt);
table!(TypeNameId, TypeName, type_names, add_type_name);
table!(RecordId, Record, records, add_record);
table!(EnumId, Enum, enums, add_enum);
