//! The instructions of compiled code.

use super::code::Pc;
use super::layout::Reg;
use crate::EdgeId;

/// An operation on two vectors of more than 64 bits (or on one: the first).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wide {
    Add,
    Sub,
    Mul,
    Neg,
    Not,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Slt,
    Sle,
}

/// An operation on floats that the machine has, single or double.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Real {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Neg,
    Abs,
    Eq,
    Lt,
    Le,
    IsNan,
    IsInfinite,
    IsZero,
    IsNormal,
    IsSubnormal,
    IsNegative,
    /// To integers: to the nearest even, away from zero at a tie, toward zero, up, down.
    Nearest,
    Away,
    Truncate,
    Ceiling,
    Floor,
    /// From the bits in memory: makes all NaNs one.
    FromBits,
    /// To the other of the two formats.
    Convert,
    /// From and to vectors of `w` bits; to them by cutting off the fraction.
    FromSigned,
    FromUnsigned,
    ToSigned,
    ToUnsigned,
}

/// An instruction. `d` is the destination, `w` a width up to 64, `n` a number of bytes; `to` is where execution goes on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instr {
    /// Slots
    Const {
        d: Reg,
        k: u32,
    },
    BoxedConst {
        d: Reg,
        k: u32,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    /// Only if `c` holds.
    MoveIf {
        d: Reg,
        c: Reg,
        a: Reg,
    },

    /// Vectors of up to 64 bits
    Add {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Neg {
        w: u8,
        d: Reg,
        a: Reg,
    },
    Not {
        w: u8,
        d: Reg,
        a: Reg,
    },
    Udiv {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sdiv {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Urem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Srem {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Lshr {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ashr {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Slt {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sle {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },

    /// Slots of any kind
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ult {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ule {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `w` bits from bit `low` on, up to 128.
    Extract {
        low: u8,
        w: u8,
        d: Reg,
        a: Reg,
    },
    SignExtend {
        from: u8,
        to: u8,
        d: Reg,
        a: Reg,
    },
    /// `a` above the `low` bits of `b`.
    Concat {
        low: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Wide {
        op: Wide,
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },

    /// Pointers
    Pointer {
        d: Reg,
        object: Reg,
        offset: Reg,
    },
    PointerObject {
        d: Reg,
        a: Reg,
    },
    PointerOffset {
        d: Reg,
        a: Reg,
    },
    /// `a` with `b` added to its offset, which has `w` bits.
    PointerAdd {
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },

    /// Floats
    Single {
        op: Real,
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Double {
        op: Real,
        w: u8,
        d: Reg,
        a: Reg,
        b: Reg,
    },

    /// Anything else: see [`Application`].
    Apply {
        k: u32,
    },
    /// A term with binders: see [`Evaluation`].
    Evaluate {
        k: u32,
    },

    /// Boxes
    Copy {
        d: Reg,
        a: Reg,
    },
    /// Moves, leaving nothing behind.
    Take {
        d: Reg,
        a: Reg,
    },
    Drop {
        a: Reg,
    },
    /// An array of slots, everywhere `a`, of the sort `k`.
    Everywhere {
        d: Reg,
        a: Reg,
        k: u32,
    },
    Select {
        d: Reg,
        array: Reg,
        index: Reg,
    },
    /// In place.
    Store {
        array: Reg,
        index: Reg,
        a: Reg,
    },
    /// In place, into an array that is not of slots: see [`Application`].
    StoreValue {
        array: Reg,
        k: u32,
    },
    /// As `Store` to the array that tells which objects live.
    StoreAlive {
        array: Reg,
        index: Reg,
        a: Reg,
    },

    /// The program's memory
    Load {
        n: u8,
        d: Reg,
        at: Reg,
    },
    LoadPointer {
        d: Reg,
        at: Reg,
    },
    MemStore {
        n: u8,
        at: Reg,
        a: Reg,
    },
    MemStorePointer {
        at: Reg,
        a: Reg,
    },
    MemCopy {
        at: Reg,
        from: Reg,
        n: Reg,
    },
    MemFill {
        at: Reg,
        byte: Reg,
        n: Reg,
    },
    /// Loads from the memory in a box, or writes to it in place: see [`Application`].
    OnMemory {
        memory: Reg,
        k: u32,
    },
    /// Makes a box of the program's memory.
    Snapshot {
        d: Reg,
    },
    /// Makes the program's memory that of a box.
    Restore {
        a: Reg,
    },

    /// Inside an edge
    Jump {
        to: Pc,
    },
    JumpIf {
        c: Reg,
        to: Pc,
    },
    JumpUnless {
        c: Reg,
        to: Pc,
    },
    /// Executes the code up to `Back`, unless the flag is set.
    Force {
        flag: Reg,
        to: Pc,
    },
    Back,
    /// The answer of code that only asks whether a location can be left.
    Answer {
        c: Reg,
    },

    /// Edges. This one ends here.
    Done {
        edge: EdgeId,
        to: Pc,
    },
    /// The edge can be taken only if `c` holds.
    Guard {
        c: Reg,
    },
    /// Takes the first exit if the condition holds, the second if not.
    Branch {
        c: Reg,
        exits: u32,
    },
    BranchEq {
        a: Reg,
        b: Reg,
        exits: u32,
    },
    BranchUlt {
        a: Reg,
        b: Reg,
        exits: u32,
    },
    BranchUle {
        a: Reg,
        b: Reg,
        exits: u32,
    },
    BranchSlt {
        w: u8,
        a: Reg,
        b: Reg,
        exits: u32,
    },
    BranchSle {
        w: u8,
        a: Reg,
        b: Reg,
        exits: u32,
    },
    /// Takes the exit for the value of `a`: see [`Switch`].
    Switch {
        a: Reg,
        k: u32,
    },
    /// Takes one of the edges that can be taken: see [`Choose`].
    Choose {
        k: u32,
    },
    Havoc {
        k: u32,
    },
    Call {
        k: u32,
    },
    Spawn {
        k: u32,
    },
    AtomicBegin,
    AtomicEnd,

    /// Locations
    Return,
    /// No edge leaves the location, or its kind says what it means.
    Stop,
}
