//! The checked program: names are resolved, every expression has its type, every conversion is explicit.
//!
//! What C's typing rules decide has been decided here. Whoever reads a [`Unit`] needs to know what values types have
//! ([`Types::scalar`](crate::types::Types::scalar), [`Types::size`](crate::types::Types::size)) and nothing else about them.
//!
//! Invariants:
//! - **Values and places are different things.** An [`Expr`] is a value; a [`Place`] is where one is stored. Reading is
//!   an explicit [`ExprKind::Load`]; an array or function used as a value has become an address.
//! - **Truth values have type `_Bool`.** Comparisons and `! && ||` give `_Bool`, conditions take it; where C says that
//!   their result is an `int`, a [`CastKind::BoolToInt`] makes it one.
//! - Operands of arithmetic and comparisons have one type, the result's (for shifts: the left one), after promotion. The
//!   type tells whether an operation is signed. Types of expressions have no qualifiers; those of places do.
//! - Values of record type come from loads, calls, assignments, conditionals, commas and statement expressions.
//! - No [`Ty::ERROR`](crate::types::Ty::ERROR) occurs. What Fathom does not support is an explicit node that says so.
//! - Nodes of a function body live in its tables, each in one place of its tree only, and children come before their
//!   parents. Trees may be as deep as the syntax tree: recursive walks need `syntax::deep`.

mod builtin;
mod ends;
mod expr;
mod print;
mod print_stmt;
mod stmt;
mod unit;
mod walk;

pub use builtin::*;
pub use expr::*;
pub use stmt::*;
pub use unit::*;
pub use walk::Node;

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $id(pub u32);

        impl $id {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Names a variable with static storage of its [`Unit`].
    GlobalId;
    /// Names a function of its [`Unit`].
    FunctionId;
    /// Names a string literal of its [`Unit`].
    StringId;
    /// Names a parameter or a variable of its [`Body`].
    LocalId;
    /// Names a label of its [`Body`].
    LabelId;
    /// Names a value of its [`Body`].
    ExprId;
    /// Names a place of its [`Body`].
    PlaceId;
    /// Names a statement of its [`Body`].
    StmtId;
}
