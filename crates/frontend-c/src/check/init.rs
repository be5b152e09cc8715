//! Initialisers: which value goes to which part of an object.
//!
//! The result is flat: scalars (and whole records) with their positions. Braces may be left out, designators may go
//! back and forth; what is initialised twice keeps the later value.

use super::Checker;
use super::convert::Purpose;
use super::expr::Operand;
use crate::hir::{ExprId, ExprKind, GlobalOrigin, InitEntry, Initializer, PlaceKind};
use crate::syntax::{self, Designator, InitItem, TypeNameId, deep};
use crate::types::{ArrayLength, Bits, RecordId, RecordKind, Ty, TypeKind};
use rustc_hash::FxHashMap;
use source::Span;
use std::collections::BTreeMap;

/// More parts than this are not worth having one by one.
const MAX_ENTRIES: usize = 1 << 22;

/// A part of the object that is being initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: Ty,
    /// In bytes.
    offset: u64,
    bits: Option<Bits>,
}

/// The flat initialiser so far.
#[derive(Default)]
struct Building {
    /// By the position of the first bit. No two overlap.
    entries: BTreeMap<u64, InitEntry>,
    /// The member that each union (by its position) holds.
    active: FxHashMap<(u64, RecordId), u32>,
    /// How many elements the array of unknown length has got.
    open_length: u64,
    /// The value of an item, if it had to be known before its place was.
    pending: Option<(syntax::ExprId, ExprId)>,
    /// The item whose designators have been followed.
    designated: Option<syntax::ExprId>,
    /// Values are evaluated before the program runs, so several parts may share one.
    is_static: bool,
}

/// The items of one pair of braces, and how far they have been read.
struct Items<'a> {
    items: &'a [InitItem],
    at: usize,
}

impl Items<'_> {
    fn current(&self) -> Option<&InitItem> {
        self.items.get(self.at)
    }
}

/// A sub-object that designators have stepped into: the next part of it is initialised next.
struct Level {
    part: Part,
    next: u64,
}

impl<'a> Checker<'a> {
    /// The initialiser of a variable of this type with automatic storage, and the type with its length filled in.
    pub(super) fn initialiser(&mut self, ty: Ty, init: syntax::ExprId) -> (Ty, Initializer) {
        let (ty, entries) = self.flat_initialiser(ty, init, false);
        let is_whole = match &self.unit[init].kind {
            syntax::ExprKind::Braces(_) => self.types.is_scalar(ty) && !entries.is_empty(),
            _ => !self.types.is_array(ty),
        };
        (ty, Initializer { zero: !is_whole, entries })
    }

    pub(super) fn flat_initialiser(&mut self, ty: Ty, init: syntax::ExprId, is_static: bool) -> (Ty, Vec<InitEntry>) {
        let mut building = Building { is_static, ..Building::default() };
        self.init_part(&mut building, Part { ty, offset: 0, bits: None }, init);
        let ty = self.with_length(ty, building.open_length);
        (ty, building.entries.into_values().collect())
    }

    /// Initialises a part with what stands for it alone: an expression or a braced list.
    fn init_part(&mut self, building: &mut Building, part: Part, init: syntax::ExprId) {
        deep(|| self.init_part_inner(building, part, init));
    }

    fn init_part_inner(&mut self, building: &mut Building, part: Part, init: syntax::ExprId) {
        let unit = self.unit;
        if part.ty.is_error() {
            return;
        }
        if let Some(literal) = self.string_for(part.ty, init) {
            return self.init_string(building, part, literal, unit[init].span);
        }
        match &unit[init].kind {
            syntax::ExprKind::Braces(items) => {
                self.clear(building, part);
                let mut items = Items { items, at: 0 };
                match self.types.kind(part.ty) {
                    TypeKind::Array { .. } | TypeKind::Record(_) => self.init_list(building, part, &mut items),
                    // Braces around a scalar say nothing, and none at all is zero.
                    _ => {
                        if let Some(first) = items.current() {
                            self.init_part(building, part, first.value);
                        }
                    }
                }
            }
            // GNU C lets a compound literal stand for its list.
            syntax::ExprKind::CompoundLiteral(name, list) if self.is_list(building, part, *name) => {
                self.init_part(building, part, *list);
            }
            _ if self.types.is_array(part.ty) => {
                let shown = self.quoted(part.ty);
                self.error(unit[init].span, format!("an object of type {shown} needs a braced list as initialiser"));
            }
            _ => {
                let value = self.item_value(building, init);
                self.init_value(building, part, value);
            }
        }
    }

    /// Whether the part may take the list of a compound literal of this type for its own: an array, and anything where the
    /// literal would need an object of its own otherwise.
    fn is_list(&mut self, building: &Building, part: Part, name: TypeNameId) -> bool {
        // A type that is defined in the literal itself is not that of the part.
        let is_definition = match self.unit[name].specifiers.ty {
            syntax::TypeSpecifier::Record(id) => self.unit[id].members.is_some(),
            syntax::TypeSpecifier::Enum(id) => self.unit[id].enumerators.is_some(),
            _ => false,
        };
        if is_definition || !(self.types.is_array(part.ty) || building.is_static) {
            return false;
        }
        let (ty, _) = self.type_name_with_effects(name);
        self.types.compatible_unqualified(ty, part.ty)
    }

    /// The value of an item, evaluated once.
    fn item_value(&mut self, building: &mut Building, item: syntax::ExprId) -> ExprId {
        match building.pending {
            Some((known, value)) if known == item => value,
            _ => {
                let value = self.rvalue(item);
                building.pending = Some((item, value));
                value
            }
        }
    }

    fn init_value(&mut self, building: &mut Building, part: Part, value: ExprId) {
        let value = self.convert(value, part.ty, Purpose::Initialise);
        if !self.ty(value).is_error() {
            self.put(building, part, value);
        }
    }

    fn put(&mut self, building: &mut Building, part: Part, value: ExprId) {
        self.clear(building, part);
        let (start, length) = self.extent(part);
        // A record without members takes no room.
        if length > 0 {
            let ty = self.ty(value);
            building.entries.insert(start, InitEntry { offset: part.offset, bits: part.bits, ty, value });
        }
    }

    /// The first bit of a part, and how many it has.
    fn extent(&self, part: Part) -> (u64, u64) {
        match part.bits {
            Some(bits) => (part.offset * 8 + u64::from(bits.shift), u64::from(bits.width)),
            None => (part.offset * 8, self.types.size(part.ty).unwrap_or(0).saturating_mul(8)),
        }
    }

    /// Forgets what the part has been initialised with.
    fn clear(&mut self, building: &mut Building, part: Part) {
        let (start, length) = self.extent(part);
        let end = start.saturating_add(length);
        // Most initialisers only go forwards.
        while let Some((&last, entry)) = building.entries.range(..end).next_back() {
            let entry_part = Part { ty: entry.ty, offset: entry.offset, bits: entry.bits };
            let (_, entry_length) = self.extent(entry_part);
            if last + entry_length <= start {
                break;
            }
            building.entries.remove(&last);
        }
    }

    /// The string literal that initialises an array of characters: alone, or alone in braces.
    fn string_for(&self, ty: Ty, init: syntax::ExprId) -> Option<&'a syntax::StringLiteral> {
        let unit = self.unit;
        let element = self.types.element(ty)?;
        let literal = match &unit[init].kind {
            syntax::ExprKind::String(literal) => literal,
            syntax::ExprKind::Braces(items) => match &items[..] {
                [InitItem { designators, value }] if designators.is_empty() => match &unit[*value].kind {
                    syntax::ExprKind::String(literal) => literal,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        // Not where the elements are arrays or pointers themselves.
        let fits = match literal.encoding {
            syntax::Encoding::Plain | syntax::Encoding::Utf8 => self.types.size(element) == Some(1),
            syntax::Encoding::Utf16 => self.types.size(element) == Some(2),
            syntax::Encoding::Utf32 | syntax::Encoding::Wide => self.types.size(element) == Some(4),
        };
        (fits && self.types.is_integer(element)).then_some(literal)
    }

    fn init_string(&mut self, building: &mut Building, part: Part, literal: &syntax::StringLiteral, span: Span) {
        let TypeKind::Array { element, length } = *self.types.kind(part.ty) else { return };
        let Some(shape) = self.int_shape(element) else { return };
        self.clear(building, part);
        let limit = match length {
            ArrayLength::Known(length) => length,
            _ => {
                building.open_length = building.open_length.max(literal.units.len() as u64 + 1);
                u64::MAX
            }
        };
        let size = self.types.size(element).unwrap_or(1);
        for (at, unit) in literal.units.iter().chain(&[0]).enumerate() {
            if at as u64 >= limit {
                break;
            }
            let value = self.int(shape.wrap(i128::from(*unit)), element, span);
            self.put(building, Part { ty: element, offset: part.offset + at as u64 * size, bits: None }, value);
        }
    }

    /// Initialises an array or record from a list in its own braces.
    fn init_list(&mut self, building: &mut Building, part: Part, items: &mut Items) {
        let mut next = 0;
        while let Some(item) = items.current() {
            if !item.designators.is_empty() {
                match self.init_designated(building, part, items) {
                    Some(after) => next = after,
                    None => items.at += 1,
                }
                continue;
            }
            let Some(member) = self.part_at(building, part, next) else {
                // gcc only warns about what is too much.
                items.at += 1;
                continue;
            };
            let before = items.at;
            self.init_next(building, member, items);
            next += 1;
            if items.at == before && self.is_bottomless(part, member) {
                items.at += 1;
            }
        }
    }

    /// Whether the whole is an array without room: its elements take nothing from a list, however many they are.
    fn is_bottomless(&self, whole: Part, element: Part) -> bool {
        self.types.is_array(whole.ty) && self.types.size(element.ty).unwrap_or(0) == 0
    }

    fn is_open(&self, ty: Ty) -> bool {
        matches!(self.types.kind(ty), TypeKind::Array { length: ArrayLength::Unknown, .. })
    }

    /// Goes on with an array or record whose braces were left out, from a member on.
    fn init_elided(&mut self, building: &mut Building, part: Part, from: u64, items: &mut Items) {
        let mut next = from;
        while let Some(item) = items.current() {
            if !item.designators.is_empty() && building.designated != Some(item.value) {
                break;
            }
            let Some(member) = self.part_at(building, part, next) else { break };
            let before = items.at;
            self.init_next(building, member, items);
            next += 1;
            if items.at == before && self.is_bottomless(part, member) {
                break;
            }
        }
    }

    /// Initialises a part from the next items of a list: one, or as many as it has scalars.
    fn init_next(&mut self, building: &mut Building, part: Part, items: &mut Items) {
        let Some(item) = items.current() else { return };
        let value = item.value;
        let is_braced = matches!(self.unit[value].kind, syntax::ExprKind::Braces(_));
        let is_aggregate = self.types.is_array(part.ty) || self.types.is_record(part.ty);
        let is_literal = match self.unit[value].kind {
            syntax::ExprKind::CompoundLiteral(name, _) => is_aggregate && self.is_list(building, part, name),
            _ => false,
        };
        if is_braced || !is_aggregate || is_literal || self.string_for(part.ty, value).is_some() {
            self.init_part(building, part, value);
            items.at += 1;
            return;
        }
        if self.types.is_record(part.ty) {
            let whole = self.item_value(building, value);
            if self.types.compatible_unqualified(self.ty(whole), part.ty) {
                self.init_value(building, part, whole);
                items.at += 1;
                return;
            }
        }
        deep(|| self.init_elided(building, part, 0, items));
    }

    /// The member or element of this number; `None` behind the last one.
    fn part_at(&mut self, building: &mut Building, whole: Part, number: u64) -> Option<Part> {
        match *self.types.kind(whole.ty) {
            TypeKind::Array { element, length } => {
                match length {
                    ArrayLength::Known(length) if number >= length => return None,
                    ArrayLength::Known(_) => {}
                    _ => building.open_length = building.open_length.max(number + 1),
                }
                let offset = self.types.size(element)?.checked_mul(number)?.checked_add(whole.offset)?;
                Some(Part { ty: element, offset, bits: None })
            }
            TypeKind::Record(record) => {
                let definition = &self.types[record];
                if definition.kind == RecordKind::Union && number > 0 {
                    return None;
                }
                self.field_part(building, whole, record, u32::try_from(number).ok()?)
            }
            _ => None,
        }
    }

    /// The member of this number. A union holds one member at a time.
    fn field_part(&mut self, building: &mut Building, whole: Part, record: RecordId, number: u32) -> Option<Part> {
        let definition = &self.types[record];
        let field = definition.layout.as_ref()?.fields.get(number as usize)?;
        let part = Part { ty: field.ty, offset: whole.offset + field.offset, bits: field.bits };
        if definition.kind == RecordKind::Union
            && building.active.insert((whole.offset, record), number).is_some_and(|known| known != number)
        {
            self.clear(building, whole);
        }
        Some(part)
    }

    /// Follows the designators of the current item, initialises what they name, and goes on behind it. Gives the number
    /// of the next member of `whole`; `None` after an error.
    fn init_designated(&mut self, building: &mut Building, whole: Part, items: &mut Items) -> Option<u64> {
        let item = items.current()?;
        let unit = self.unit;
        let mut levels = Vec::new();
        let mut part = whole;
        // Where the last element of each range is, and the distances of all elements from the first.
        let mut last = whole;
        let mut distances = vec![0];
        for designator in &item.designators {
            match *designator {
                Designator::Field(name, span) => {
                    let Some(path) = self.types.record(part.ty).and_then(|id| self.types.find_field(id, name)) else {
                        let shown = self.quoted(part.ty);
                        self.error(span, format!("{shown} has no member `{name}`"));
                        return None;
                    };
                    for number in path {
                        levels.push(Level { part: last, next: u64::from(number) + 1 });
                        let record = self.types.record(part.ty)?;
                        let is_union = self.types[record].kind == RecordKind::Union;
                        if is_union {
                            // Behind a member of a union there is none.
                            levels.last_mut()?.next = u64::MAX;
                        }
                        part = self.field_part(building, part, record, number)?;
                        last = self.field_part(building, last, record, number)?;
                    }
                }
                Designator::Index(first) => {
                    let index = self.element_index(part.ty, first)?;
                    levels.push(Level { part: last, next: index + 1 });
                    part = self.part_at(building, part, index)?;
                    last = self.part_at(building, last, index)?;
                }
                Designator::Range(first, end) => {
                    let (from, to) = (self.element_index(part.ty, first)?, self.element_index(part.ty, end)?);
                    let span = unit[first].span.to(unit[end].span);
                    if from > to || (to - from + 1).saturating_mul(distances.len() as u64) > MAX_ENTRIES as u64 {
                        self.error(span, "this range of elements is empty or too large");
                        return None;
                    }
                    levels.push(Level { part: last, next: to + 1 });
                    let size = self.types.element(part.ty).and_then(|element| self.types.size(element))?;
                    distances =
                        distances.iter().flat_map(|start| (0..=to - from).map(move |k| start + k * size)).collect();
                    part = self.part_at(building, part, from)?;
                    last = self.part_at(building, last, to)?;
                }
            }
        }
        building.designated = Some(item.value);
        let before = items.at;
        self.init_next(building, part, items);
        // What has no room for a value, as an array without elements, is given too much.
        items.at = items.at.max(before + 1);
        if distances.len() > 1 {
            self.repeat(building, part, &distances);
        }
        let mut levels = levels.into_iter();
        let outermost = levels.next()?;
        for level in levels.rev() {
            self.init_elided(building, level.part, level.next, items);
        }
        Some(outermost.next)
    }

    /// The element that an index designates.
    fn element_index(&mut self, ty: Ty, index: syntax::ExprId) -> Option<u64> {
        let span = self.unit[index].span;
        let TypeKind::Array { length, .. } = *self.types.kind(ty) else {
            self.error(span, format!("{} is not an array", self.quoted(ty)));
            return None;
        };
        let (value, _) = self.constant_int(index, "an index in an initialiser")?;
        let limit = match length {
            ArrayLength::Known(length) => length,
            _ => self.types.largest_size(),
        };
        match u64::try_from(value) {
            Ok(value) if value < limit => Some(value),
            _ => {
                self.error(span, format!("the array has no element {value}"));
                None
            }
        }
    }

    /// Puts what a part was initialised with at all distances from it, too.
    fn repeat(&mut self, building: &mut Building, part: Part, distances: &[u64]) {
        let (start, length) = self.extent(part);
        let pattern: Vec<InitEntry> =
            building.entries.range(start..start + length).map(|(_, entry)| entry.clone()).collect();
        if pattern.len().saturating_mul(distances.len()) > MAX_ENTRIES {
            let span = pattern.first().map_or(Span::new(self.unit.file, 0, 0), |entry| self.span(entry.value));
            self.error(span, "this initialiser has too many parts");
            return;
        }
        for entry in pattern {
            let source = self.repeatable(building, part, &entry);
            for distance in distances.iter().filter(|distance| **distance != 0) {
                let value = if building.is_static { source } else { self.copy_of(source) };
                let part = Part { ty: entry.ty, offset: entry.offset + distance, bits: entry.bits };
                self.put(building, part, value);
            }
        }
    }

    /// A value that can be copied without repeating effects: what an entry holds, or a variable that keeps it.
    fn repeatable(&mut self, building: &mut Building, part: Part, entry: &InitEntry) -> ExprId {
        let kind = &self.tables[entry.value].kind;
        if building.is_static
            || matches!(kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Null | ExprKind::Function(_))
        {
            return entry.value;
        }
        let span = self.span(entry.value);
        let local = self.tables.local(None, entry.ty, span);
        let place = self.tables.place(PlaceKind::Local(local), entry.ty, span);
        let kept = self.value(ExprKind::Assign { place, value: entry.value }, entry.ty, span);
        let first = Part { ty: entry.ty, offset: entry.offset, bits: entry.bits };
        debug_assert!(entry.offset >= part.offset);
        self.put(building, first, kept);
        let place = self.tables.place(PlaceKind::Local(local), entry.ty, span);
        self.value(ExprKind::Load(place), entry.ty, span)
    }

    /// A new node for a constant or the load of a variable.
    fn copy_of(&mut self, value: ExprId) -> ExprId {
        let node = self.tables[value].clone();
        let kind = match node.kind {
            ExprKind::Load(place) => {
                let place = self.tables[place].clone();
                ExprKind::Load(self.tables.place(place.kind, place.ty, place.span))
            }
            kind => kind,
        };
        self.value(kind, node.ty, node.span)
    }

    /// `(type){...}`: an object of its own.
    pub(super) fn compound_literal(&mut self, ty: TypeNameId, init: syntax::ExprId, span: Span) -> Operand {
        let (ty, _) = self.type_name_with_effects(ty);
        if ty.is_error() {
            return Operand::Value(self.wrong(span));
        }
        if self.types.is_variable_length(ty) || (!self.types.is_complete(ty) && !self.is_open(ty)) {
            let shown = self.quoted(ty);
            return Operand::Value(self.fail(span, format!("a compound literal cannot have type {shown}")));
        }
        if self.frame.is_none() {
            let global = self.static_object("literal".into(), GlobalOrigin::CompoundLiteral, ty, span);
            self.initialise_global(global, ty, init);
            let ty = self.globals[global.index()].ty;
            return Operand::Place(self.tables.place(PlaceKind::Global(global), ty, span));
        }
        let (ty, init) = self.initialiser(ty, init);
        let local = self.tables.local(None, ty, span);
        Operand::Place(self.tables.place(PlaceKind::Initialised { local, init }, ty, span))
    }
}
