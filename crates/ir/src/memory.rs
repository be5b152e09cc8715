//! C's memory: the global variables that stand for it, and what they mean.
//!
//! An object has an identity (a number from 1; 0 is no object), a size, a base address and a life; a pointer is an
//! identity and an offset in bytes. The null pointer is (0, 0); an integer that is no object's address becomes the
//! pointer (0, integer). Identities are never used twice, so the bytes of a new object are arbitrary because nothing
//! has written there yet: the globals' initial values are arbitrary, and need no havoc.
//!
//! In memory a pointer takes as many bytes as its offset has. They are those of its address (base plus offset), and they
//! remember the pointer: loading a pointer from bytes that were stored as one, in one piece, gives that pointer again;
//! loading it from other bytes gives the pointer of that address, which [`term::Op::ObjectAt`] finds.
//!
//! An edge that assigns [`NEXT`] to a variable, and increments it, makes an object: the place of an allocation. A later edge
//! sets what is known about the object, under the identity in that variable. [`BASE`] is never assigned: where objects lie is
//! arbitrary from the start, but for what the program assumes about it. It does so only if it looks at addresses.
//!
//! Pointers that come from outside the program (arbitrary values of variables, results of procedures without a body, pointers
//! in memory that nothing was written to) are null or point into *external objects*. Their identities are never given by
//! [`NEXT`]; they live for ever, extend over the whole range of offsets, and what they hold at first is arbitrary. None of them
//! is an object that the program made or will make. What the maps say about them is what the maps happen to hold: a property that
//! asks the maps whether an access is valid is told that this one is not.
//!
//! Addresses that a program writes down as numbers, as of a device's registers, are pointers of object 0. From
//! [`FIRST_ADDRESS`] on there is memory there that the program did not make, too; below, accesses are through null.
//!
//! A program declares only those of the variables that it uses.

use crate::DataModel;
use term::{Sort, Term};

/// The bytes: `(Mem w)`.
pub const MEMORY: &str = "$memory";
/// The identity that the next new object gets.
pub const NEXT: &str = "$next";
/// The size of each object, in bytes: an array from identities.
pub const SIZE: &str = "$size";
/// Whether the object lives: an array from identities.
pub const ALIVE: &str = "$alive";
/// Whether the object came from `malloc` and its like, and so may be freed: an array from identities.
pub const DYNAMIC: &str = "$dynamic";
/// The address where each object starts: an array from identities. Object 0 starts at 0.
pub const BASE: &str = "$base";

/// The end of the highest object that was laid out. With it, and with variables whose names begin with this one, a program that
/// looks at addresses says that objects do not overlap. What it says there is not a use of an address.
pub const BRK: &str = "$brk";

/// Identities from here on are those of *external* objects, which the program did not make: see the module's text.
pub const FIRST_EXTERNAL: u32 = 1 << 31;

/// Offsets of object 0 below this are what null and a member's offset make; from here on they are addresses as numbers.
pub const FIRST_ADDRESS: u64 = 1 << 12;

/// Whether an identity is an external object's.
pub fn is_external(object: u32) -> bool {
    object >= FIRST_EXTERNAL
}

/// Whether a place can be accessed, although the program did not make the object.
pub fn is_outside(object: u32, offset: u64) -> bool {
    is_external(object) || object == 0 && offset >= FIRST_ADDRESS
}

/// The variable [`MEMORY`].
pub fn memory(model: DataModel) -> Term {
    Term::var(MEMORY, Sort::memory(model.pointer_width()))
}

/// The variable [`NEXT`].
pub fn next() -> Term {
    Term::var(NEXT, Sort::object())
}

/// The variable [`SIZE`].
pub fn size(model: DataModel) -> Term {
    Term::var(SIZE, Sort::array(Sort::object(), Sort::bv(model.pointer_width())))
}

/// The variable [`ALIVE`].
pub fn alive() -> Term {
    Term::var(ALIVE, Sort::array(Sort::object(), Sort::bool()))
}

/// The variable [`DYNAMIC`].
pub fn dynamic() -> Term {
    Term::var(DYNAMIC, Sort::array(Sort::object(), Sort::bool()))
}

/// The variable [`BASE`].
pub fn base(model: DataModel) -> Term {
    Term::var(BASE, Sort::array(Sort::object(), Sort::bv(model.pointer_width())))
}

/// Whether a variable holds the identity of an object that belongs to a scope: its name is `procedure::&name`. When such
/// an object is made, the one that the variable stood for before is dead, so there is never more than one of an
/// activation.
pub fn is_scoped(identity: Term) -> bool {
    identity.name().is_some_and(|name| name.as_str().contains("::&"))
}
