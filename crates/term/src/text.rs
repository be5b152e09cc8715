//! The textual notation of terms: SMT-LIB's S-expressions with our operators beside them, printed and parsed exactly.
//!
//! `parse(print(t))` is `t` itself: the parser makes the very nodes that the text says, without rewriting. Given the
//! sorts of variables and the signatures of functions (a [`Scope`]), the text says all:
//!
//! * variables are `x`, a copy of one `x@3`, odd names are between bars: `|a b|@3` (in them `\|` and `\\` are a bar and
//!   a backslash); a bare word may have `::` in it. `(as x Int)` is a variable with its sort: so are those printed
//!   whose name has several sorts in the term;
//! * `5` and `-5` are integers, `5.0` and `-1/3` reals, `#x1f` and `#b101` bit-vectors, `(_ float 8 24 #x3f800000)` a float of
//!   a format with its bit pattern, `(_ ptr 3 #x00000008)` a pointer, `(_ element 2 T)` an element of a user's sort,
//!   `(_ array Int 0 (1 7))` the array from Int that is 0 but for 7 at 1;
//! * operators have SMT-LIB's names, but take no rounding mode unless they can have several: then it is an index, as
//!   in `((_ fp.to_sbv 32 RTZ) x)`. `((_ fp.to_fp 8 24 RNE) x)` is from float, `sbv.to_fp`, `ubv.to_fp` and `real.to_fp`
//!   are from other sorts, `fp.from_bits` and `fp.to_bits` are the bit pattern;
//! * pointers and memory are `pointer`, `pointer.object`, `pointer.offset`, `object-at`, `((_ load (_ BitVec 8)) m p)`,
//!   `mem.store`, `mem.copy`, `mem.fill`;
//! * a function is applied as `(f x y)`, or as `((as f (Int Int) Bool) x y)` if the term has several of that name and those parameters;
//! * `(forall ((x Int)) (! body :pattern (t u)))`, `exists` and `lambda` bind; `(let ((?1 t)) u)` names a shared part.
//!   A word that starts with `?` is such a name, never a variable. `;` starts a comment that ends with the line.

mod names;
mod parse;
mod print;
mod read;

pub(crate) use names::{plain_name, rounded_name, rounding_name};
pub use parse::{parse, parse_closed};
pub(crate) use print::vector;
pub use print::{print, write};
pub use read::{ParseError, parse_sort};

use crate::{Function, Sort};
use source::Symbol;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// What the names in a text mean.
pub trait Scope {
    /// The sort of the variable of this name, and so of all its copies.
    fn variable(&self, name: Symbol) -> Option<Sort>;
    /// The function of this name with these parameters.
    fn function(&self, name: Symbol, parameters: &[Sort]) -> Option<Function>;
}

/// Variables only.
impl<S: BuildHasher> Scope for HashMap<Symbol, Sort, S> {
    fn variable(&self, name: Symbol) -> Option<Sort> {
        self.get(&name).copied()
    }

    fn function(&self, _name: Symbol, _parameters: &[Sort]) -> Option<Function> {
        None
    }
}
