//! Where values are while a program runs.
//!
//! A value of up to 128 bits lies in a *slot*: a truth value as 0 or 1, a bit-vector or float as its bits, a pointer as
//! its object above its offset (64 bits each), an element of a user's sort as its number. All other values (numbers,
//! arrays, memories) lie in *boxes*. Slots and boxes are registers, numbered from the frame of the running procedure;
//! globals and constants have fixed ("absolute") numbers. The program's memory itself is neither: it is the object table.

use crate::memory::{ALIVE, BASE, DYNAMIC, MEMORY, SIZE};
use crate::{Procedure, Program, Variable};
use rustc_hash::FxHashMap;
use term::{Bv, Sort, SortKind, Term, Value};

/// A register's number: relative to the frame, or absolute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg(u32);

const ABSOLUTE: u32 = 1 << 31;

impl Reg {
    pub fn relative(number: u32) -> Reg {
        debug_assert!(number < ABSOLUTE);
        Reg(number)
    }

    pub fn absolute(number: u32) -> Reg {
        debug_assert!(number < ABSOLUTE);
        Reg(number | ABSOLUTE)
    }

    /// Where the register is when the frame starts at `base`.
    #[inline(always)]
    pub fn index(self, base: usize) -> usize {
        let frame = if self.0 & ABSOLUTE == 0 { base } else { 0 };
        (self.0 & !ABSOLUTE) as usize + frame
    }
}

/// Where a variable or an intermediate result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Slot(Reg),
    Boxed(Reg),
    /// The object table.
    Memory,
}

/// Whether values of the sort lie in slots.
pub(super) fn in_slot(sort: Sort) -> bool {
    !matches!(sort.kind(), SortKind::Int | SortKind::Real | SortKind::Array(..) | SortKind::Memory(_))
}

/// The contents of a slot, if the value lies in one.
pub(super) fn encode(value: &Value) -> Option<u128> {
    Some(match value {
        Value::Bool(b) => u128::from(*b),
        Value::Bv(bv) => bv.unsigned(),
        Value::Float(_, bits) => *bits,
        Value::Pointer { object, offset } => u128::from(*object) << 64 | offset.unsigned(),
        Value::Element(_, number) => u128::from(*number),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => return None,
    })
}

/// The value that a slot holds, of a sort that lies in slots.
pub(super) fn decode(sort: Sort, slot: u128) -> Option<Value> {
    Some(match sort.kind() {
        SortKind::Bool => Value::Bool(slot != 0),
        SortKind::BitVec(width) => Value::bv(*width, slot),
        SortKind::Float(format) => Value::Float(*format, slot),
        SortKind::Pointer(width) => {
            Value::Pointer { object: (slot >> 64) as u32, offset: Bv::new(*width, u128::from(slot as u64)) }
        }
        SortKind::Uninterpreted(..) => Value::Element(sort, slot as u64),
        SortKind::Int | SortKind::Real | SortKind::Array(..) | SortKind::Memory(_) => return None,
    })
}

/// Whether arrays of the sort map slots to slots; other arrays are values like numbers.
pub(super) fn is_slot_array(sort: Sort) -> bool {
    matches!(sort.kind(), SortKind::Array(index, element) if in_slot(*index) && in_slot(*element))
}

/// How many slots and boxes something takes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub slots: u32,
    pub boxes: u32,
}

impl Extent {
    /// Room for one more value.
    fn place(&mut self, sort: Sort, make: fn(u32) -> Reg) -> Home {
        let count = if in_slot(sort) { &mut self.slots } else { &mut self.boxes };
        let reg = make(*count);
        *count += 1;
        if in_slot(sort) { Home::Slot(reg) } else { Home::Boxed(reg) }
    }

    /// Room for a temporary result.
    pub fn temporary(&mut self, sort: Sort) -> Home {
        self.place(sort, Reg::relative)
    }
}

/// How many constants have registers of their own; those beyond are loaded when they are needed.
pub(super) const CONSTANTS: u32 = 1 << 12;

/// Where the globals are. Constants follow them.
#[derive(Debug)]
pub(super) struct Layout {
    pub homes: FxHashMap<Term, Home>,
    pub globals: Extent,
    /// Of the globals of which each thread has its own: which, and where the running thread's are.
    pub thread_local: Vec<(usize, Home)>,
    /// The arrays that tell about objects, if the program has them.
    pub size: Option<Reg>,
    pub alive: Option<Reg>,
    pub base: Option<Reg>,
    /// All of them, with the one that tells which objects may be freed.
    pub about_objects: Vec<Reg>,
}

impl Layout {
    pub fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            homes: FxHashMap::default(),
            globals: Extent::default(),
            thread_local: Vec::new(),
            size: None,
            alive: None,
            base: None,
            about_objects: Vec::new(),
        };
        for (number, global) in program.globals.iter().enumerate() {
            let home = if is_program_memory(global) {
                Home::Memory
            } else {
                layout.globals.place(global.sort(), Reg::absolute)
            };
            layout.homes.insert(global.term, home);
            if global.thread_local {
                layout.thread_local.push((number, home));
            }
            if let Home::Boxed(reg) = home {
                if matches!(global.name().as_str(), SIZE | ALIVE | BASE | DYNAMIC) {
                    layout.about_objects.push(reg);
                }
                match global.name().as_str() {
                    SIZE => layout.size = Some(reg),
                    ALIVE => layout.alive = Some(reg),
                    BASE => layout.base = Some(reg),
                    _ => {}
                }
            }
        }
        layout
    }
}

/// Whether the variable is the one memory that is kept as the object table.
fn is_program_memory(variable: &Variable) -> bool {
    variable.name().as_str() == MEMORY && matches!(variable.sort().kind(), SortKind::Memory(_))
}

/// All variables of a procedure: parameters, results, locals.
pub(super) fn variables(procedure: &Procedure) -> impl Iterator<Item = &Variable> {
    procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals)
}

/// Where the variables of a procedure are, and how much of a frame they take.
pub(super) fn frame_homes(procedure: &Procedure) -> (FxHashMap<Term, Home>, Extent) {
    let mut extent = Extent::default();
    let homes = variables(procedure).map(|v| (v.term, extent.place(v.sort(), Reg::relative))).collect();
    (homes, extent)
}
