//! Sizes, alignments, and where the members of a struct are: the System V ABI for i386 and x86-64 as gcc applies it,
//! with its attributes.
//!
//! Vocabulary: a *user alignment* is one that an attribute chose; it overrides the i386 rule that a member of an eight
//! byte type is aligned to four bytes only. All computation of positions is in bits.

use super::{ArrayLength, Bits, Field, FloatKind, IntKind, Layout, RecordKind, Ty, TypeKind, Types};
use ir::DataModel;
use source::{Span, Symbol};
use std::ops::Range;

/// A member as it is declared.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Option<Symbol>,
    /// Complete, but that the last member may be an array of unknown length.
    pub ty: Ty,
    /// The width of a bit-field.
    pub bit_width: Option<u32>,
    pub is_packed: bool,
    /// From an attribute of the member itself, in bytes.
    pub align: Option<u32>,
    pub span: Span,
}

/// What is said about a record as a whole.
#[derive(Clone, Copy, Debug)]
pub struct RecordOptions {
    pub kind: RecordKind,
    pub is_packed: bool,
    /// From an attribute, in bytes.
    pub align: Option<u32>,
    /// The largest alignment of a member that `#pragma pack` allows, in bytes.
    pub pack: Option<u32>,
}

/// A record would have more bytes than the address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

const BYTE: u64 = 8;

/// Bit-fields are accessed through one unit if it has no more bytes than this.
const LARGEST_SHARED_UNIT: u64 = 8;

impl Types {
    /// The size in bytes; `None` for incomplete types, functions, `void` and variable length arrays.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        let pointer = u64::from(self.model().pointer_width()) / BYTE;
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Error | TypeKind::Function(_) => None,
            TypeKind::Bool => Some(1),
            TypeKind::Int(kind) => Some(u64::from(self.int_width(kind)) / BYTE),
            TypeKind::BitField { width, .. } => Some(u64::from(width.next_power_of_two()) / BYTE),
            TypeKind::Float(kind) => Some(self.float_size(kind)),
            TypeKind::Pointer(_) => Some(pointer),
            TypeKind::Array { element, length: ArrayLength::Known(length) } => self.size(element)?.checked_mul(length),
            TypeKind::Array { .. } => None,
            TypeKind::Record(id) => self[id].layout.as_ref().map(|layout| layout.size),
            TypeKind::Enum(id) => self.size(self[id].underlying?),
            TypeKind::Unsupported { size, .. } => Some(size),
        }
    }

    /// The width of an integer type in bits.
    pub fn int_width(&self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 8,
            IntKind::Short | IntKind::UnsignedShort => 16,
            IntKind::Int | IntKind::UnsignedInt => 32,
            IntKind::Long | IntKind::UnsignedLong => self.model().pointer_width(),
            IntKind::LongLong | IntKind::UnsignedLongLong => 64,
            IntKind::Int128 | IntKind::UnsignedInt128 => 128,
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match kind {
            FloatKind::Float16 => 2,
            FloatKind::Float | FloatKind::Float32 => 4,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => 8,
            FloatKind::LongDouble | FloatKind::Float64x => match self.model() {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            FloatKind::Float128 => 16,
        }
    }

    /// The alignment of a variable of the type in bytes, as `__alignof__` says it; 1 for what has none.
    pub fn align(&self, ty: Ty) -> u32 {
        let own = self.chosen_align(ty).unwrap_or_else(|| self.natural_align(ty));
        match self.size(ty) {
            Some(size @ (1 | 2 | 4 | 8 | 16)) if ty.is_atomic() => own.max(size as u32),
            _ => own,
        }
    }

    fn natural_align(&self, ty: Ty) -> u32 {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Error | TypeKind::Function(_) => 1,
            TypeKind::Array { element, .. } => self.align(element),
            TypeKind::Record(id) => self[id].layout.as_ref().map_or(1, |layout| layout.align),
            TypeKind::Enum(id) => self[id].underlying.map_or(1, |underlying| self.align(underlying)),
            TypeKind::Unsupported { align, .. } => align,
            TypeKind::Float(FloatKind::LongDouble | FloatKind::Float64x) if self.model() == DataModel::Ilp32 => 4,
            _ => self.size(ty).unwrap_or(1) as u32,
        }
    }

    /// The alignment of a member of the type in bytes, as `_Alignof` says it.
    pub fn member_align(&self, ty: Ty) -> u32 {
        let align = self.align(ty);
        if self.is_user_aligned(ty) { align } else { self.limited(ty, align) }
    }

    /// Whether an attribute had a say in the alignment of the type.
    fn is_user_aligned(&self, ty: Ty) -> bool {
        self.chosen_align(ty).is_some()
            || match *self.kind(ty) {
                TypeKind::Array { element, .. } => self.is_user_aligned(element),
                TypeKind::Record(id) => self[id].layout.as_ref().is_some_and(|layout| layout.is_user_aligned),
                _ => false,
            }
    }

    /// The i386 rule: members of integer types and of `double` are aligned to four bytes at most.
    fn limited(&self, ty: Ty, align: u32) -> u32 {
        if self.model() == DataModel::Lp64 {
            return align;
        }
        let mut base = ty;
        while let TypeKind::Array { element, .. } = self.kind(base) {
            base = *element;
        }
        let is_limited = match self.kind(base) {
            _ if base.is_atomic() => false,
            // gcc handles a record of that size as an integer, too.
            TypeKind::Float(_) | TypeKind::Record(_) => self.size(base) == Some(8),
            TypeKind::Unsupported { .. } => false,
            _ => true,
        };
        if is_limited { align.min(4) } else { align }
    }

    /// Places the members of a record.
    pub fn lay_out(&self, options: RecordOptions, members: &[Member]) -> Result<Layout, TooLarge> {
        let mut state = Placing {
            types: self,
            options,
            position: 0,
            end: 0,
            align: u64::from(options.align.unwrap_or(1)) * BYTE,
            is_user_aligned: options.align.is_some(),
            runs: Vec::new(),
            is_in_run: false,
        };
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            fields.extend(state.place(member)?);
        }
        let size = state.end.checked_next_multiple_of(state.align).ok_or(TooLarge)? / BYTE;
        if size > self.largest_size() {
            return Err(TooLarge);
        }
        let fields = fields.into_iter().map(|(mut field, run)| {
            if let Some(run) = run {
                self.choose_unit(&mut field, &state.runs[run]);
            }
            field
        });
        let fields = fields.collect();
        let align = (state.align / BYTE) as u32;
        Ok(Layout { fields, size, align, is_user_aligned: state.is_user_aligned })
    }

    /// The size of the largest object that there may be.
    pub fn largest_size(&self) -> u64 {
        (1 << (self.model().pointer_width() - 1)) - 1
    }

    /// Chooses the unit of a bit-field, so far the bytes that it touches, in the bytes of its memory location.
    fn choose_unit(&self, field: &mut Field, run: &Range<u64>) {
        let Some(bits) = &mut field.bits else { return };
        let own = self.size(field.ty).unwrap_or(1).max(1);
        let (start, unit) = match run.end - run.start {
            all @ ..=LARGEST_SHARED_UNIT => (run.start, all),
            _ => (field.offset / own * own, own),
        };
        let Some(bytes) = field.offset.checked_sub(start) else { return };
        let shift = bytes * BYTE + u64::from(bits.shift);
        if shift + u64::from(bits.width) <= unit * BYTE && run.start <= start && start + unit <= run.end {
            field.offset = start;
            *bits = Bits { unit: unit as u32, shift: shift as u32, width: bits.width };
        }
    }
}

/// The state of placing one member after the other.
struct Placing<'a> {
    types: &'a Types,
    options: RecordOptions,
    /// Where the next member of a struct can begin, in bits.
    position: u64,
    /// Where the members so far end, in bits.
    end: u64,
    /// In bits.
    align: u64,
    is_user_aligned: bool,
    /// The bytes of each memory location that consists of bit-fields.
    runs: Vec<Range<u64>>,
    /// Whether a bit-field that follows belongs to the last of the runs.
    is_in_run: bool,
}

impl Placing<'_> {
    /// The field for a member, unless nothing can name it, and the number of the run that a bit-field is in.
    fn place(&mut self, member: &Member) -> Result<Option<(Field, Option<usize>)>, TooLarge> {
        if self.options.kind == RecordKind::Union {
            self.position = 0;
            self.is_in_run = false;
        }
        let (start, width, bits) = match member.bit_width {
            Some(0) => {
                let align = self.bit_field_align(member).max(u64::from(member.align.unwrap_or(0)) * BYTE);
                self.position = self.aligned(self.position, align)?;
                self.end = self.end.max(self.position);
                self.is_in_run = false;
                return Ok(None);
            }
            Some(width) => {
                let start = self.place_bit_field(member, u64::from(width))?;
                let shift = (start % BYTE) as u32;
                (start, u64::from(width), Some(Bits { unit: (shift + width).div_ceil(BYTE as u32), shift, width }))
            }
            None => {
                let start = self.place_whole(member)?;
                let size = self.types.size(member.ty).unwrap_or(0);
                (start, size.checked_mul(BYTE).ok_or(TooLarge)?, None)
            }
        };
        self.position = start.checked_add(width).ok_or(TooLarge)?;
        self.end = self.end.max(self.position);
        let run = bits.map(|_| self.extend_run(start / BYTE, self.position.div_ceil(BYTE)));
        self.is_in_run = bits.is_some();
        // An unnamed member that is no bit-field is an anonymous struct or union.
        if member.name.is_none() && bits.is_some() {
            return Ok(None);
        }
        let field = Field { name: member.name, ty: member.ty, offset: start / BYTE, bits, span: member.span };
        Ok(Some((field, run)))
    }

    /// Adds the bytes of a bit-field to the run that it belongs to; gives the number of the run.
    fn extend_run(&mut self, start: u64, end: u64) -> usize {
        match self.runs.last_mut() {
            Some(run) if self.is_in_run => run.end = end,
            _ => self.runs.push(start..end),
        }
        self.runs.len() - 1
    }

    fn place_whole(&mut self, member: &Member) -> Result<u64, TooLarge> {
        let own = member.align.unwrap_or(0);
        let by_type = self.types.align(member.ty);
        let align = if self.is_packed(member) {
            self.is_user_aligned |= member.align.is_some();
            own.max(1)
        } else if own >= by_type {
            self.is_user_aligned |= member.align.is_some();
            own
        } else {
            self.is_user_aligned |= self.types.is_user_aligned(member.ty);
            self.types.member_align(member.ty)
        };
        let align = u64::from(align.min(self.options.pack.unwrap_or(align))) * BYTE;
        self.align = self.align.max(align);
        self.aligned(self.position, align)
    }

    fn place_bit_field(&mut self, member: &Member, width: u64) -> Result<u64, TooLarge> {
        let type_align = self.bit_field_align(member);
        let is_packed = self.is_packed(member);
        // gcc takes a field that fills a machine integer exactly, where such an integer may be, for one.
        let is_integer = matches!(width, 8 | 16 | 32 | 64 | 128) && self.position.is_multiple_of(width);
        let natural = match member.align {
            _ if !is_integer || (is_packed && width > BYTE) => 0,
            None => u64::from(self.types.limited(member.ty, (width / BYTE) as u32)) * BYTE,
            Some(_) => width,
        };
        // The declared alignment of a bit-field counts from the bit where it would begin.
        let own = natural.max(u64::from(member.align.unwrap_or(0)) * BYTE);
        let own = self.options.pack.map_or(own, |pack| own.min(u64::from(pack) * BYTE));
        let mut start = self.aligned(self.position, own.max(1))?;
        if !is_packed && self.options.pack.is_none() && !is_integer {
            // It must not touch more units of its type's alignment than its type has.
            let units = (self.types.size(member.ty).unwrap_or(1) * BYTE) / type_align;
            if (start % type_align + width).div_ceil(type_align) > units {
                start = self.aligned(start, type_align)?;
            }
            self.is_user_aligned |= self.types.is_user_aligned(member.ty);
        }
        if member.name.is_some() {
            let by_type = match self.options.pack {
                Some(pack) => type_align.min(u64::from(pack) * BYTE),
                None if is_packed => BYTE,
                None => type_align,
            };
            self.align = self.align.max(by_type).max(own);
            self.is_user_aligned |= member.align.is_some();
        }
        Ok(start)
    }

    /// The alignment of a bit-field's declared type, in bits.
    fn bit_field_align(&self, member: &Member) -> u64 {
        u64::from(self.types.member_align(member.ty)) * BYTE
    }

    fn is_packed(&self, member: &Member) -> bool {
        member.is_packed || self.options.is_packed
    }

    fn aligned(&self, position: u64, align: u64) -> Result<u64, TooLarge> {
        position.checked_next_multiple_of(align).ok_or(TooLarge)
    }
}
